use super::*;
use tsugi_page::Evidence;

#[derive(Debug, Clone, PartialEq)]
struct Values {
    title: Option<String>,
    authors: Vec<String>,
    published: Option<String>,
    modified: Option<String>,
    lang: Option<String>,
    canonical: Option<Url>,
    site: Option<String>,
}

fn of(html: &str) -> Values {
    let Metadata { title, authors, published, modified, lang, canonical, site, .. } = read(html);
    let value = |said: Option<Said<String>>| said.map(|said| said.value);
    Values {
        title: value(title),
        authors: authors.map(|said| said.value).unwrap_or_default(),
        published: value(published),
        modified: value(modified),
        lang: value(lang),
        canonical,
        site: value(site),
    }
}

fn read(html: &str) -> Metadata {
    let page = Page::from_text(html, &"https://www.a.test/story/1".parse().unwrap());
    let nodes = page.first("main").into_iter().collect();
    Metadata::of(&page, &Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model })
}

fn authors(html: &str) -> String {
    of(html).authors.join("; ")
}

#[test]
fn texts_are_as_readers_see_them() {
    let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
    let named = script(r#"{"@type":"Article","headline":"A &amp; B","author":{"name":"Ann O&#039;Lee"}}"#);
    assert_eq!(of(&named).authors, ["Ann O'Lee"]);
    assert_eq!(of(&named).title.as_deref(), Some("A & B"));
    let told = script(r#"{"@type":"Article","headline":"x","author":"Ann O&#039;Lee"}"#);
    assert_eq!(of(&told).authors, ["Ann O'Lee"]);
    assert_eq!(of("<html lang=en_US><p>x").lang.as_deref(), Some("en-US"));
}

#[test]
fn json_ld_is_read_in_all_its_shapes() {
    let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
    let article = r#"{"@type":"NewsArticle","headline":"The tale","datePublished":"2024-05-01T10:00:00+02:00",
        "dateModified":"2024-05-03","author":[{"@type":"Person","name":"Ann Lee"},"Bo Oh"],"publisher":{"name":"A Site"}}"#;
    let read = of(&script(article));
    assert_eq!(read.title.as_deref(), Some("The tale"));
    assert_eq!(read.authors, ["Ann Lee", "Bo Oh"]);
    assert_eq!(read.published.as_deref(), Some("2024-05-01T10:00:00+02:00"));
    assert_eq!((read.modified.as_deref(), read.site.as_deref()), (Some("2024-05-03"), Some("A Site")));
    assert_eq!(of(&script(&format!("[{article}]"))), read);
    assert_eq!(of(&script(&format!(r#"{{"@graph":[{{"@type":"WebSite","name":"x"}},{article}]}}"#))), read);
    assert_eq!(of(&(script("{broken") + &script(article))), read);
    let by_id = r##"{"@graph":[{"@type":["Article","Thing"],"author":{"@id":"#p"}},{"@id":"#p","@type":"Person","name":"Cy Do"}]}"##;
    assert_eq!(authors(&script(by_id)), "Cy Do");
    // Huge or endlessly nested scripts are ignored.
    assert_eq!(authors(&script(&format!("{article}{}", " ".repeat(1 << 20)))), "");
    assert_eq!(of(&script(&"[".repeat(100_000))), of(""));
}

#[test]
fn one_article_of_many_is_the_one_of_the_page() {
    let item = |url: &str, name: &str| {
        format!(r#"{{"@type":"Article","url":"{url}","author":{{"name":"{name}"}}}}"#)
    };
    let list = |first: &str| {
        let others = item("https://www.a.test/2", "Bo Oh");
        format!("<script type=application/ld+json>[{others},{},{others}]</script>", item(first, "Ann Lee"))
    };
    assert_eq!(authors(&list("http://a.test/story/1")), "Ann Lee");
    assert_eq!(authors(&list("https://www.a.test/3")), "", "a list of articles says nothing of the page");
}

#[test]
fn authors_are_names() {
    assert_eq!(authors("<meta name=author content='By Ann Lee and Bo Oh'>"), "Ann Lee; Bo Oh");
    assert_eq!(
        authors("<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Oh, Bo'>"),
        "Lee, Ann; Oh, Bo"
    );
    assert_eq!(
        authors("<meta property=article:author content=https://f.test/ann><a rel='author x'>Ann Lee</a>"),
        "Ann Lee"
    );
    assert_eq!(authors("<div itemprop=author><span itemprop=name>山田太郎</span> editor</div>"), "山田太郎");
    assert_eq!(authors("<meta name=author content='admin'><meta name=author content=''>"), "");
    let many: Vec<String> = (0..9).map(|n| format!("<a rel=author>Name N{n}</a>")).collect();
    assert_eq!(authors(&many.concat()), "");
}

#[test]
fn dates_come_from_where_they_are_said() {
    let published = |html: &str| of(html).published;
    let day = Some("2024-05-01".to_owned());
    assert_eq!(published("<meta name=DC.date.issued content=2024-05-01>"), day);
    assert_eq!(published("<meta name=citation_date content=2024/5/1>"), day);
    assert_eq!(
        published("<meta itemprop=datePublished content=2024-05-01><meta name=date content=2020-01-01>"),
        day
    );
    assert_eq!(
        published(
            "<main><h1>T</h1><p>x<time datetime=nonsense></time><time datetime=2024-05-01></time></main>"
        ),
        day
    );
    assert_eq!(
        published(&format!(
            "<h1>T</h1>{}<time datetime=2024-05-01></time><time datetime=2023-05-01></time>",
            "<p>x</p>".repeat(200)
        )),
        None
    );
    let both = of(
        "<meta property=article:published_time content=2024-05-01><meta property=article:modified_time content=2023-05-01>",
    );
    assert_eq!((both.published, both.modified), (day, None));
}

#[test]
fn canonical_addresses_must_be_plausible() {
    let canonical =
        |href: &str| of(&format!("<link rel=canonical href='{href}'>")).canonical.map(String::from);
    assert_eq!(canonical("/story").as_deref(), Some("https://www.a.test/story"));
    assert_eq!(canonical("https://m.a.test/story#x").as_deref(), Some("https://m.a.test/story"));
    assert_eq!(canonical("https://user:secret@a.test/story").as_deref(), Some("https://a.test/story"));
    for dead in ["https://b.test/story", "/", "", "javascript:x", "ftp://a.test/x"] {
        assert_eq!(canonical(dead), None, "{dead}");
    }
}

#[test]
fn languages_are_tags() {
    assert_eq!(of("<html lang=ja><meta http-equiv=content-language content=en>").lang.as_deref(), Some("ja"));
    assert_eq!(of("<meta http-equiv=content-language content='en-GB, fr'>").lang.as_deref(), Some("en-GB"));
    assert_eq!(of("<meta property=og:locale content=de_DE>").lang.as_deref(), Some("de-DE"));
    assert_eq!(of("<meta http-equiv=content-language content='<b>'>").lang, None);
}

proptest::proptest! {
    #[test]
    fn anything_is_read(json in "[\\[\\]{}\":,a@]{0,40}", content in ".{0,30}") {
        of(&format!("<script type=application/ld+json>{json}</script><meta name=author content='{content}'><meta name=date content='{content}'>"));
    }
}

#[test]
fn titles_go_without_the_name_of_the_site() {
    let title = |html: &str| of(html).title.unwrap_or_default();
    let site = "<meta property=og:site_name content='The Mill'>";
    for written in
        ["Snow | The Mill", "Snow - The Mill", "The Mill: Snow", "Snow:The Mill", "Snow – The Mill – a.test"]
    {
        assert_eq!(title(&format!("{site}<title>{written}</title>")), "Snow", "{written}");
    }
    assert_eq!(title(&format!("{site}<title>Snow - Rain</title>")), "Snow - Rain");
    assert_eq!(title("<title>Snow | A.test</title>"), "Snow", "the host is a name of the site");
    assert_eq!(
        title("<a href=/><img alt='The Mill'></a><title>Snow « The Mill</title>"),
        "Snow",
        "so is its logo"
    );
    // A heading with the site's name is not the headline.
    assert_eq!(title(&format!("{site}<h1>The Mill</h1><main><h1>Snow</h1></main>")), "Snow");
    assert_eq!(title("<title>Snow in May</title><h1>Menu</h1><h1>Snow in May!</h1>"), "Snow in May!");
    assert_eq!(
        title(
            "<meta property=og:type content=article><meta property=og:title content='Snow in May'><main><h1>Read on</h1></main>"
        ),
        "Snow in May"
    );
    // Nor is a section heading deep in the article.
    let deep = format!(
        "<title>Snow in May</title><main><p>{}<h1>Rain and sleet</h1>x</main>",
        "It fell and fell. ".repeat(90)
    );
    assert_eq!(title(&deep), "Snow in May");
    assert_eq!(title("<meta value='Snow in May' name=og:title>"), "Snow in May", "as some tools save pages");
}

#[test]
fn titles_go_without_what_other_pages_have_too() {
    assert_eq!(without_common_end("Snow - The Mill", &["Rain - The Mill", "Ice - The Mill"]), "Snow");
    assert_eq!(without_common_end("Snow - The Mill", &["Snow - The Mill"]), "Snow - The Mill");
    for title in
        ["Snow (1/3)", "Snow - Page 1 of 3", "Snow | Seite 1", "Snow（1/2 ページ）", "Snow, page 1/4"]
    {
        assert_eq!(without_counter(title), "Snow", "{title}");
    }
    for title in ["Catch-22", "Snow 2", "Windows 3.1", "1984", "Route 66 (2020)", "Page 1"] {
        assert_eq!(without_counter(title), title);
    }
}

#[test]
fn stated_dates_have_their_places() {
    let stated = |html: &str| {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let dates = stated_dates(&page, &Content::nothing(Evidence::Model)).into_iter();
        dates.map(|date| (date.by, date.when.to_string())).collect::<Vec<_>>()
    };
    let html = "<meta property=article:modified_time content=2026-11-02><h1>Snow</h1>Posted 1 November 2026";
    let expected = [(StatedBy::MetaModified, "2026-11-02".into()), (StatedBy::Text, "2026-11-01".into())];
    assert_eq!(stated(html), expected);
    assert_eq!(stated("<meta name=date content='2 novembre 2026'>")[0].1, "2026-11-02");
}

#[test]
fn bylines_are_found_where_markup_or_words_say_so() {
    let page = |byline: &str| {
        authors(&format!("<title>Snow</title><main><h1>Snow</h1>{byline}<p>It fell.</p></main>"))
    };
    for byline in [
        "<p class=byline>By <a href=/staff/ann>Ann Lee</a>, Staff writer | 12 May 2020</p>",
        "<div class=PostMeta__author-name>Ann Lee</div>",
        "<p>By Ann Lee</p>",
        "<div><span>By</span><a href=/x>Ann Lee</a></div>",
        "<p>Von Ann Lee, 12. Mai 2020</p>",
        "<span class='author vcard'>by <a class='url fn'>Ann Lee</a></span>",
        "<footer><a rel=author>Ann Lee</a></footer>",
    ] {
        assert_eq!(page(byline), if byline.starts_with("<footer") { "" } else { "Ann Lee" }, "{byline}");
    }
    assert_eq!(page("<p>文・山田太郎</p>"), "山田太郎");
    assert_eq!(page("<span class=author>Ann Lee</span>, <span class=author>Bo Oh</span>"), "Ann Lee; Bo Oh");
    for other in [
        "<div class=comments><span class=author>Ann Lee</span></div>",
        "<figure><p>By Ann Lee</p></figure>",
        "<p>By the river she saw Ann Lee</p>",
        "<p class=byline>By The Mill</p><meta property=og:site_name content='The Mill'>",
        "<blockquote>… <span class=author>Ann Lee</span></blockquote>",
        "<div class=author>Staff</div>",
        "<div class=author-bio>Ann Lee likes snow</div>",
    ] {
        assert_eq!(page(other), "", "{other}");
    }
}

#[test]
fn organisations_and_owners_are_no_authors() {
    let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
    let by = |author: &str| authors(&script(&format!(r#"{{"@type":"Article","author":{author}}}"#)));
    let press = r#"{"@type":"Organization","name":"Mill Press"}"#;
    assert_eq!(by(press), "Mill Press", "an organisation signs what no person does");
    let item = script(&format!(r#"{{"@type":"Article","author":{press}}}"#));
    assert_eq!(read(&item).authors.unwrap().by, Source::Organisation);
    let byline = format!("{item}<main><h1>Snow</h1><p class=byline>By Ann Lee</p></main>");
    assert_eq!(authors(&byline), "Ann Lee", "a person who signs is the author");
    assert_eq!(
        by(r#"[{"@type":"Organization","name":"Mill Press"},{"@type":"Person","name":"Ann Lee"}]"#),
        "Ann Lee"
    );
    assert_eq!(by(r#"{"@type":"Person","givenName":"Ann","familyName":"Lee"}"#), "Ann Lee");
    let owner = "<meta name=author content='Bo Oh'><main><h1>Snow</h1><p class=byline>By Ann Lee</p></main>";
    assert_eq!(authors(owner), "Ann Lee", "the byline knows better than the template");
    assert_eq!(authors("<meta name=author content='Snow Research Institute'>"), "");
}

#[test]
fn dates_are_told_from_other_dates() {
    let published =
        |html: &str| of(&format!("<title>Snow</title><main><h1>Snow</h1>{html}</main>")).published;
    let day = Some("2024-05-01".to_owned());
    for html in [
        "<p class=date>1 May 2024</p>",
        "<p>Published 1 May 2024</p>",
        "<p>Updated: 3 May 2024</p><p>Published: 1 May 2024</p>",
        "<time datetime=2024-05-03 class=updated></time><time datetime=2024-05-01></time>",
        "<p>Last updated <time datetime=2024-05-03>3 May</time></p><time datetime=2024-05-01>1 May</time>",
        "<span>2024年5月1日</span>",
    ] {
        assert_eq!(published(html), day, "{html}");
    }
    for html in [
        "<p>On 1 May 2024 the mill burned down, and nobody knew why it had, for it was wet.</p><p>It rained on and on and on.</p>",
        "<aside><time datetime=2024-05-01></time></aside>",
        "<p>© 2024 The Mill</p>",
        "<p>1/2/2024</p>",
    ] {
        assert_eq!(published(html), None, "{html}");
    }
    let rows =
        |day: u8| format!("<tr><td>A topic that is long enough to be one</td><td>{day} May 2024</td></tr>");
    assert_eq!(published(&format!("<table>{}</table>", (1..5).map(rows).collect::<String>())), None);
}

#[test]
fn addresses_hold_days() {
    let day = |url: &str| published::of_address(&url.parse().unwrap()).map(|day| day.to_string());
    for url in [
        "https://a.test/2016/12/07/snow",
        "https://a.test/x/2016-12-07-snow",
        "https://a.test/20161207/1",
        "https://a.test/2016/dec/07/snow",
        "https://a.test/2016/12/7.html",
        "https://a.test/2016/12/07-snow",
    ] {
        assert_eq!(day(url).as_deref(), Some("2016-12-07"), "{url}");
    }
    for url in [
        "https://a.test/2016/13/07/",
        "https://a.test/1216/12/07/",
        "https://a.test/2016/12/",
        "https://a.test/201612071",
        "https://a.test/?d=2016/12/07",
        "https://a.test/2016/12/5-films-of-snow",
    ] {
        assert_eq!(day(url), None, "{url}");
    }
}

#[test]
fn the_address_settles_which_date_is_meant() {
    let html = "<meta property=article:published_time content=2021-03-03><h1>Snow</h1><time datetime=2016-12-07>x</time>";
    let at = |url: &str| {
        let page = Page::from_text(html, &url.parse().unwrap());
        let content =
            Content { nodes: Vec::new(), without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        Metadata::of(&page, &content).published.map(|said| said.value).unwrap_or_default()
    };
    assert_eq!(
        at("https://a.test/2016/12/07/snow"),
        "2016-12-07",
        "moved to another system, and stamped anew"
    );
    assert_eq!(at("https://a.test/2014/01/01/snow"), "2021-03-03");
}

#[test]
fn lists_of_posts_have_no_author_and_no_date() {
    let post = |n: u8| {
        format!(
            "<article><h2><a href=/post/{n}>Snow {n}</a></h2><a rel=author>Ann Lee</a><time datetime=2024-05-0{n}></time><p>It fell and fell, and it was cold, and nobody came to see it at all.</article>"
        )
    };
    let list = of(&format!("<title>The Mill</title><main>{}</main>", (1..5).map(post).collect::<String>()));
    assert_eq!((list.title.as_deref(), list.published), (Some("The Mill"), None));
    assert!(list.authors.is_empty());
    // An article with teasers below it is not a list.
    let text = "It fell and fell. ".repeat(200);
    let teasers = [1, 2, 3].map(|n| format!("<h3><a href=/post/{n}>Rain {n}</a></h3>")).concat();
    let article =
        of(&format!("<main><h1>Snow</h1><p class=byline>By Ann Lee</p><p>{text}</p>{teasers}</main>"));
    assert_eq!((article.title.as_deref(), article.authors.join("")), (Some("Snow"), "Ann Lee".to_owned()));
}

#[test]
fn languages_that_cannot_be_are_not_believed() {
    let japanese = "これは雪についての長い物語です。山の上の家には、一人の男が住んでいました。冬になると雪が降りました。";
    let lang =
        |declared: &str, text: &str| of(&format!("<html lang='{declared}'><main><p>{text}</main>")).lang;
    for declared in ["", "default", "xx", "en", "en-US"] {
        assert_eq!(lang(declared, japanese).as_deref(), Some("ja"), "{declared}");
    }
    assert_eq!(lang("ja-JP", japanese).as_deref(), Some("ja-JP"));
    assert_eq!(lang("fr", "12").as_deref(), Some("fr"));
    assert_eq!(lang("default", "12"), None);
}

#[test]
fn what_else_a_page_says_of_itself() {
    let said = read(
        "<meta property=og:description content=' It  fell. '><meta property=og:image content=/snow.jpg>
         <meta property=article:section content=Weather><meta property=article:tag content=snow><meta property=article:tag content=ice>",
    );
    assert_eq!(said.description, Some(Said::new("It fell.".to_owned(), Source::Meta)));
    assert_eq!(said.image.unwrap().value.as_str(), "https://www.a.test/snow.jpg");
    assert_eq!(said.section.unwrap().value, "Weather");
    assert_eq!(said.tags, ["snow", "ice"]);
    assert_eq!(read("<meta name=keywords content='snow, ice,, snow'>").tags, ["snow", "ice"]);
    assert_eq!(read("<meta property=og:image content='javascript:x'>").image, None);
}

fn json_ld(json: &str) -> String {
    format!("<script type='application/ld+json'>{json}</script>")
}

#[test]
fn the_owner_of_a_personal_site_is_an_author() {
    let page = r##"{"@graph":[{"@type":"Article","headline":"Snow","author":{"name":"Ann Lee","@id":"#ann"},
        "publisher":{"@id":"#ann"}},{"@type":["Person","Organization"],"@id":"#ann","name":"Ann Lee"}]}"##;
    let said = read(&json_ld(page));
    assert_eq!(said.authors.unwrap(), Said::new(vec!["Ann Lee".to_owned()], Source::JsonLd));
    // The recipe names the cook where the article names the site.
    let recipe = r#"[{"@type":"Article","url":"https://www.a.test/story/1","author":{"name":"The Mill"}},
        {"@type":"Recipe","author":{"@type":"Person","name":"Ann Lee"}}]"#;
    assert_eq!(
        authors(&format!("<meta property=og:site_name content='The Mill'>{}", json_ld(recipe))),
        "Ann Lee"
    );
}

#[test]
fn json_that_is_nearly_right_is_read() {
    let day = Some("2024-05-01".to_owned());
    for script in [
        r#"{"@type":"Article","datePublished":"2024-05-01",}"#,
        r#"{"@type":"Article","keywords":["snow",],"datePublished":"2024-05-01"}"#,
        r#"{"@type":"Article","headline":"He said "snow" and left","datePublished":"2024-05-01"}"#,
        r#"{"@type":"Article","headline":"It\'s snow","datePublished":"2024-05-01"}"#,
        r#"{"@type":"Article","datePublished":"2024-05-01"};"#,
        r#"{"@type":"Article","datePublished":"2024-05-01"}</p>"#,
        "{\"@type\":\"Article\",\"headline\":\"Snow\nfalls\",\"datePublished\":\"2024-05-01\"}",
        r#"{"@context":"https://schema.org","item":{"@type":"Article","datePublished":"2024-05-01"}}"#,
        r#"[{"@type":"NewsArticle","headline":"Snow","datePublished":"2024-05-01"},{"@type":"Article","headline":"Snow"}]"#,
    ] {
        assert_eq!(of(&json_ld(script)).published, day, "{script}");
    }
    let long = format!("{{\"@type\":\"Article\",\"a\":\"{}", "\" ".repeat(100_000));
    assert_eq!(of(&json_ld(&long)).published, None);
}

fn published_at(url: &str, html: &str) -> Option<String> {
    let page = Page::from_text(html, &url.parse().unwrap());
    let nodes = page.first("main").into_iter().collect();
    let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
    Metadata::of(&page, &content).published.map(|said| said.value)
}

#[test]
fn the_day_is_that_of_the_readers() {
    let utc = "<meta property=article:published_time content=2023-11-09T06:35:29+00:00>";
    let at = |html: &str| {
        published_at("https://a.test/snow", &format!("{utc}<main><h1>Snow</h1>{html}<p>x</main>"))
    };
    for (html, date) in [
        ("", "2023-11-09T06:35:29Z"),
        ("<p>Published November 8, 2023</p>", "2023-11-08"),
        ("<p>Published November 9, 2023</p>", "2023-11-09T06:35:29Z"),
        ("<p>Published May 1, 2020</p>", "2023-11-09T06:35:29Z"),
        ("<p>Updated November 10, 2023</p>", "2023-11-09T06:35:29Z"),
        ("<meta name=sailthru.date content='2023-11-08 22:35:29'>", "2023-11-08T22:35:29"),
        ("<meta name=sailthru.date content='2023-11-08 22:36:29'>", "2023-11-09T06:35:29Z"),
        ("<time datetime=2023-11-08T22:35:29-08:00>x</time>", "2023-11-08T22:35:29-08:00"),
        (
            "<script>x={\"publicationDate\":\"2023-11-08T22:35:29-08:00\"}</script>",
            "2023-11-08T22:35:29-08:00",
        ),
        ("<script>x={\"publicationDate\":\"2023-11-08T22:36:29-08:00\"}</script>", "2023-11-09T06:35:29Z"),
    ] {
        assert_eq!(at(html).as_deref(), Some(date), "{html}");
    }
    for (url, date) in [
        ("https://a.test/2023/11/08/snow", "2023-11-08"),
        ("https://a.test/2023/11/09/snow", "2023-11-09T06:35:29Z"),
        ("https://a.test/2020/11/09/snow", "2023-11-09T06:35:29Z"),
    ] {
        assert_eq!(published_at(url, utc).as_deref(), Some(date), "{url}");
    }
    let shown = "<main><h1>Snow</h1><time datetime=2019-07-03T10:18:46Z>Publié le 29 juin 2019</time></main>";
    assert_eq!(of(shown).published.as_deref(), Some("2019-06-29"));
    let shown = "<main><h1>Snow</h1><time datetime=2019-07-03T10:18:46Z>29 juin 2019</time></main>";
    assert_eq!(of(shown).published.as_deref(), Some("2019-07-03T10:18:46Z"), "no word says what that is");
}

/// Returns the day of a page with text before its headline, and in the middle of a long article.
fn day_of_long(before: &str, behind: &str) -> Option<String> {
    let text = "<p>It fell and fell, and it was cold, and nobody came to see it.</p>".repeat(120);
    let html = format!("<title>Snow</title>{before}<main><h1>Snow</h1>{text}{behind}{text}</main>");
    Some(of(&html).published?[..10].to_owned())
}

#[test]
fn dates_away_from_the_headline_need_a_label_or_a_mark() {
    let day = Some("2017-01-12".to_owned());
    for html in [
        "<aside class=blogData><dl><dt>Datum</dt> <dd>12.01.2017</dd> <dt>Tags</dt> <dd>Snow</dd></dl></aside>",
        "<p>Published on January 12, 2017</p>",
        "<div><span>Veröffentlicht am:</span> <b>12.01.2017</b></div>",
        "<div class=publishDate>12.01.2017</div>",
        "<p class=article-metadata>The Mill, 12.01.2017</p>",
        "<h4>12.01.2017</h4>",
        "<abbr title='Donnerstag, 12. Januar 2017 um 04:00' data-utime=1484190000>12. Januar</abbr>",
        "<p>公開日: 2017年1月12日</p>",
        // Blogger says the time of day, and the day in a title.
        "<div><abbr class=published title=2017-01-12T10:52:00+02:00>10:52</abbr></div>",
    ] {
        assert_eq!(day_of_long("", html), day, "{html}");
    }
    assert_eq!(day_of_long("<div class=Post-metas>Posted the January 12, 2017 at 0h00</div>", ""), day);
    for html in [
        "<p>Closing date: 12.01.2017</p>",
        "<div class=event-date>12.01.2017</div>",
        "<div hidden>Published on 12.01.2017</div>",
        "<div class=related>Published on 12.01.2017</div>",
        "<table><tr><th>Published</th><td>12.01.2017</td></tr></table>",
        // The day on which the subject was founded.
        "<table><tr><th>Founded</th><td>1998<span style='display:none'><span class='bday dtstart published updated'>1998-02-28</span></span></td></tr></table>",
        "<p>Published on 12.01.2017</p><p>Published on 13.01.2017</p>",
        "<p>In the village nobody had seen such snow since 12.01.2017, when all the mills stood still.</p>",
    ] {
        assert_eq!(day_of_long("", html), None, "{html}");
    }
    assert_eq!(day_of_long("<header><div class=date>12.01.2017</div></header>", ""), None, "today's date");
}

#[test]
fn the_last_change_is_better_than_nothing() {
    let day = Some("2017-01-12".to_owned());
    assert_eq!(day_of_long("", "<p>Letzte Aktualisierung: 12.01.2017</p>"), day);
    assert_eq!(day_of_long("", "<p>Letzte Aktualisierung: 13.01.2017</p><p>Published: 12.01.2017</p>"), day);
}

#[test]
fn an_article_may_open_with_its_date() {
    let day = Some("2017-01-12".to_owned());
    for start in ["(12.01.2017) It fell", "Mill, 12 January 2017 – It fell", "12 January 2017: It fell"] {
        let rest = ", and it was cold, and nobody came to see it, for the mill was closed.".repeat(4);
        let opened = of(&format!("<title>Snow</title><main><h2>Snow</h2><p>{start}{rest}</main>"));
        assert_eq!(opened.published, day, "{start}");
    }
}

#[test]
fn days_in_data_for_scripts_are_a_last_resort() {
    let day = Some("2020-08-24".to_owned());
    let page = |script: &str| {
        of(&format!("<script>{script}</script><main><h1>Snow</h1><p>It fell.</main>")).published
    };
    for script in [
        r#"d={"Id":1,"DateCreation":"2020-08-24"}"#,
        r#"d="{\"publishedAt\":\"2020-08-24\"}""#,
        "d={'Publish Hour of Day' : '2020-08-24'}",
    ] {
        assert_eq!(page(script), day, "{script}");
    }
    for script in [
        r#"d=[{"publishedAt":"2020-08-24"},{"publishedAt":"2020-08-25"}]"#,
        r#"d={"unpublishedAt":"2020-08-24"}"#,
        r#"d={"publishedAt":1598227200}"#,
    ] {
        assert_eq!(page(script), None, "{script}");
    }
}

#[test]
fn changes_are_read_from_text() {
    let html =
        "<main><h1>Snow</h1><p>Published 1 May 2024</p><p>Last updated on 3 May 2024</p><p>It fell.</main>";
    let said = read(html);
    assert_eq!(said.modified, Some(Said::new("2024-05-03".to_owned(), Source::Text)));
    assert_eq!(said.published.unwrap().value, "2024-05-01");
}

#[test]
fn a_word_written_twice_is_no_name() {
    assert_eq!(
        authors("<title>Snow</title><main><h1>Snow</h1><p class=byline>Byby Ann Lee, Lille</p></main>"),
        "Ann Lee"
    );
}
