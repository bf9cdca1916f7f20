//! Feeds of whole articles, and the tools for language models.

use crate::support::{LoopbackServer, TOKEN, Tested, article, article_site, site_of};
use serde_json::{Value, json};

fn site_with_feeds() -> LoopbackServer {
    let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>Valley news</title><link>{HOST}/</link>\
        <description>All of it</description>\
        <item><title>The mill</title><link>{HOST}/1</link><guid>one</guid><pubDate>Wed, 01 May 2024 08:00:00 +0000</pubDate>\
        <description>Only the beginning.</description></item>\
        <item><title>Gone</title><link>{HOST}/gone</link><guid>two</guid>\
        <description>&lt;p onclick=alert(1)&gt;What the feed says.&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;</description></item>\
        <item><title>Third</title><link>javascript:alert(1)</link><guid>three</guid></item></channel></rss>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Atom news</title><id>a</id><updated>2024-05-01T08:00:00Z</updated>\
        <entry><id>one</id><title>The mill</title><link href='{HOST}/1'/><updated>2024-05-01T08:00:00Z</updated></entry></feed>";
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "JSON news", "items": [{"id": "one", "url": "{HOST}/1", "title": "The mill", "content_text": "Short."}]}"#;
    let mut pages = article(3, &[]);
    pages.push(("/rss".into(), "application/rss+xml", rss.as_bytes().to_vec()));
    pages.push(("/atom".into(), "application/atom+xml", atom.as_bytes().to_vec()));
    pages.push(("/json".into(), "application/feed+json", json.as_bytes().to_vec()));
    LoopbackServer::start(site_of(pages))
}

#[test]
fn a_feed_comes_back_with_whole_articles() {
    let (tested, site) = (Tested::start(), site_with_feeds());
    let full = |feed: &str, format: &str| {
        let answer =
            tested.get(&format!("/makefulltextfeed.php?url={}&format={format}", site.address(feed))).is(200);
        let parser = feed_rs::parser::Builder::new().sanitize_content(false).build();
        parser.parse(answer.body.as_bytes()).unwrap_or_else(|error| panic!("{error}: {}", answer.body))
    };
    for (feed, title, count) in
        [("/rss", "Valley news", 3), ("/atom", "Atom news", 1), ("/json", "JSON news", 1)]
    {
        for format in ["rss", "atom", "json"] {
            let read = full(feed, format);
            assert_eq!(
                (read.title.unwrap().content.as_str(), read.entries.len()),
                (title, count),
                "{feed} {format}"
            );
            let body = read.entries[0].content.as_ref().unwrap().body.as_ref().unwrap();
            assert!(body.contains("part 1") && body.contains("part 3"), "{feed} {format}: {body}");
            assert_eq!(read.entries[0].id, "one", "{feed} {format}");
        }
    }
    assert_eq!(
        site.pages_asked().iter().filter(|path| *path == "/2").count(),
        1,
        "an article is joined once"
    );
}

#[test]
fn what_cannot_be_joined_keeps_the_words_of_the_feed_and_nothing_that_runs() {
    let (tested, site) = (Tested::start(), site_with_feeds());
    let answer =
        tested.get(&format!("/makefulltextfeed.php?url={}&format=json", site.address("/rss"))).is(200).json();
    let gone = answer["items"][1]["content_html"].as_str().unwrap();
    assert!(gone.contains("What the feed says.") && gone.contains("could not be read"), "{gone}");
    assert!(!gone.contains("script") && !gone.contains("onclick"), "{gone}");
    let third = answer["items"][2]["url"].as_str().unwrap();
    assert!(third.starts_with("http://"), "{third}");
    let one = tested
        .get(&format!("/makefulltextfeed.php?url={}&max=1&format=json", site.address("/rss")))
        .is(200)
        .json();
    assert_eq!(one["items"].as_array().unwrap().len(), 1);
    let page =
        tested.get(&format!("/makefulltextfeed.php?url={}&format=json", site.address("/1"))).is(200).json();
    assert!(
        page["items"][0]["content_html"].as_str().unwrap().contains("part 3"),
        "a page is a feed of one article"
    );
    tested.get("/makefulltextfeed.php?url=file:///etc/passwd").is(400);
    tested.get(&format!("/makefulltextfeed.php?url={}&format=pdf", site.address("/rss"))).is(400);
}

#[test]
fn an_article_has_the_fields_of_full_text_rss() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let article = tested.get(&format!("/extract.php?url={}", site.address("/1"))).is(200).json();
    assert_eq!(article["title"], "The tide mill");
    assert_eq!(article["effective_url"], site.address("/1"));
    assert!(article["content"].as_str().unwrap().contains("part 2"));
    assert!(article["word_count"].as_u64().unwrap() > 100);
}

fn post_mcp(tested: &Tested, request: &Value) -> Value {
    let headers = [
        ("X-Tsugi-Token", TOKEN),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    tested.send("POST", "/mcp", &headers, request.to_string()).is(200).json()
}

fn send_call(tested: &Tested, name: &str, arguments: &Value) -> Value {
    let params = json!({"name": name, "arguments": arguments});
    post_mcp(tested, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
}

/// Calls a tool at `/mcp`; returns the text of its answer, and whether it is an error.
fn call(tested: &Tested, name: &str, arguments: &Value) -> (String, bool) {
    let answer = send_call(tested, name, arguments);
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (text, result["isError"] == true)
}

/// Calls a tool; returns its structured content.
fn structured(tested: &Tested, name: &str, arguments: &Value) -> Value {
    send_call(tested, name, arguments)["result"]["structuredContent"].clone()
}

#[test]
fn a_language_model_can_read() {
    let (tested, site) = (Tested::start(), article_site(3, &[]));
    let url = site.address("/1");
    let (text, _) = call(&tested, "read_article", &json!({"url": url, "max_characters": 400}));
    assert!(text.starts_with("title: The tide mill\n") && text.contains("pages: 3 pages, whole"), "{text}");
    let part = structured(&tested, "read_article", &json!({"url": url, "max_characters": 400}));
    let next = part["next_start"].as_u64().unwrap();
    assert!(text.contains(&format!("start = {next}")) && next <= 400, "{text}");
    assert!(part["text"].as_str().unwrap().ends_with("\n\n"), "it ends at a paragraph: {part}");
    let (rest, _) = call(&tested, "read_article", &json!({"url": url, "start": next}));
    assert!(rest.contains("part 3"), "{rest}");
    let second = structured(&tested, "read_article", &json!({"url": url, "page": 2}));
    let second = second["text"].as_str().unwrap().to_owned();
    assert!(
        second.contains("part 2") && !second.contains("part 1") && !second.contains("part 3"),
        "{second}"
    );
    let part = json!({"url": url, "page": 2, "max_characters": 200});
    let next = structured(&tested, "read_article", &part)["next_start"].as_u64().unwrap();
    let (told, _) = call(&tested, "read_article", &part);
    assert!(told.contains(&format!("call read_article with page = 2 and start = {next}")), "{told}");
    let rest = structured(&tested, "read_article", &json!({"url": url, "page": 2, "start": next}));
    assert!(second.ends_with(rest["text"].as_str().unwrap()) && rest["page"] == 2, "{rest}");
    let two = structured(&tested, "read_article", &json!({"url": url, "max_pages": 2}));
    assert_eq!((&two["pages"], &two["complete"]), (&json!(2), &json!(false)));
    let (found, _) = call(&tested, "find_in_article", &json!({"url": url, "query": "PART 2"}));
    assert!(found.starts_with("PART 2 found 4 times"), "{found}");
    let found = structured(&tested, "find_in_article", &json!({"url": url, "query": "valley", "skip": 10}));
    assert_eq!((&found["found"], found["passages"].as_array().unwrap().len()), (&json!(12), 2));
    let (next, _) = call(&tested, "next_page", &json!({ "url": url }));
    assert_eq!(serde_json::from_str::<Value>(&next).unwrap()["next"]["url"], site.address("/2"));
    let next = structured(&tested, "next_page", &json!({ "url": url }));
    assert_eq!(next["next"]["url"], site.address("/2"));
    for url in ["file:///etc/passwd", "http://10.0.0.1/", "http://169.254.169.254/"] {
        assert!(call(&tested, "read_article", &json!({ "url": url })).1, "{url}");
    }
}

#[test]
fn a_language_model_is_told_what_a_tool_does_not_take() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let url = site.address("/1");
    for (tool, name) in [
        ("read_article", "offset"),
        ("read_article", "max_tokens"),
        ("find_in_article", "limit"),
        ("next_page", "page"),
    ] {
        let answer = send_call(&tested, tool, &json!({"url": url, "query": "x", name: 1}));
        let message = answer["error"]["message"].as_str().or(answer["result"]["content"][0]["text"].as_str());
        let message = message.unwrap_or_else(|| panic!("{answer}"));
        assert!(message.contains("unknown field"), "{message}");
    }
    assert!(site.pages_asked().is_empty(), "nothing is fetched for them");
}

#[test]
fn every_tool_says_what_it_takes_and_gives() {
    let tested = Tested::start();
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let tools = post_mcp(&tested, &request)["result"]["tools"].clone();
    let read = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "read_article").unwrap();
    for name in ["url", "max_characters", "start", "page", "max_pages", "max_seconds"] {
        assert!(read["inputSchema"]["properties"][name]["description"].is_string(), "{name}: {read}");
    }
    assert_eq!(read["inputSchema"]["additionalProperties"], false);
    assert_eq!(read["outputSchema"]["properties"]["next_start"]["type"], json!(["integer", "null"]));
}

#[test]
fn an_article_without_end_comes_within_the_time() {
    let tested = Tested::start();
    let site = LoopbackServer::slow(std::time::Duration::from_millis(300), site_of(article(30, &[])));
    let begin = std::time::Instant::now();
    let part = structured(&tested, "read_article", &json!({"url": site.address("/1"), "max_seconds": 2}));
    assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{:?}", begin.elapsed());
    assert_eq!(part["complete"], false);
    assert!(part["ended"].as_str().unwrap().contains("the time was up"), "{part}");
}

#[test]
fn nobody_waits_for_a_site_longer_than_asked() {
    let tested = Tested::start();
    let patience = std::time::Duration::from_secs(20);
    let site = LoopbackServer::slow(patience, site_of(article(2, &[])));
    let begin = std::time::Instant::now();
    let (told, is_error) =
        call(&tested, "read_article", &json!({"url": site.address("/1"), "max_seconds": 1}));
    assert!(is_error && begin.elapsed() < patience, "{told} after {:?}", begin.elapsed());
}

#[test]
fn full_text_rss_has_its_parameters() {
    let (tested, site) = (Tested::start(), site_with_feeds());
    let feed = |more: &str| {
        let bare = site.address("/rss").replace("http://", "");
        tested.get(&format!("/makefulltextfeed.php?url={bare}&format=json{more}")).is(200).json()["items"]
            .clone()
    };
    assert_eq!(feed("").as_array().unwrap().len(), 3);
    let read = feed("&exc=1");
    assert_eq!((read.as_array().unwrap().len(), &read[0]["summary"]), (1, &Value::Null));
    assert_eq!(feed("&summary=1")[0]["summary"], "Only the beginning.");
    assert_eq!(feed("&unknown=1").as_array().unwrap().len(), 3, "other parameters have no meaning here");
    tested.get(&format!("/makefulltextfeed.php?url={}&links=drop", site.address("/rss"))).is(400);
}
