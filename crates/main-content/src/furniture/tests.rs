use super::*;
use tsugi_page::Evidence;

fn page(html: &str) -> Page {
    Page::from_text(html, &"https://a.test/tale".parse().unwrap())
}

fn chosen(page: &Page) -> Content {
    let nodes = vec![page.first("main").or(page.first("body")).unwrap()];
    Content { nodes, ..Content::nothing(Evidence::Model) }
}

fn text(page: &Page, content: &Content) -> String {
    page.text_of_content(&content.nodes, &content.without)
}

fn left(html: &str) -> String {
    let page = page(html);
    let next = "https://a.test/2".parse().unwrap();
    let content = chosen(&page);
    let comments = comments(&page, &content, None);
    let around = Surroundings { next: Some(&next), comments: comments.as_ref() };
    let least = least_left(&page, &content, around.comments);
    let left = without_furniture(&page, content, Furniture::Document(around));
    assert!(characters(&page, &left) >= least, "{html}");
    text(&page, &left)
}

fn found(html: &str) -> Option<String> {
    let page = page(html);
    let comments = comments(&page, &chosen(&page), None).filter(|found| has_comments(&page, found))?;
    Some(text(&page, &comments))
}

#[test]
fn what_is_left_at_least_counts_no_comments() {
    let comments = format!("<div id=comments><p>{}</p></div>", prose(12));
    let page = page(&format!("<body><main><p>{}</p>{comments}</main>", prose(30)));
    let content = chosen(&page);
    let third = |id: NodeId| page.totals(id).characters.div_ceil(3);
    let (all, article) = (third(content.nodes[0]), third(page.first("p").unwrap()));
    assert!(all > article);
    let comments = super::comments(&page, &content, None).unwrap();
    assert_eq!(least_left(&page, &content, None), all);
    assert_eq!(least_left(&page, &content, Some(&comments)), article);
}

/// Asserts that a page loses nothing.
#[track_caller]
fn stays(html: &str) {
    let page = page(html);
    assert_eq!(left(html), text(&page, &chosen(&page)), "{html}");
}

fn prose(words: usize) -> String {
    "It rained all night, and nobody came. ".repeat(words).trim().to_owned()
}

#[test]
fn labels_of_advertisements_go() {
    let body = prose(12);
    for label in [
        "<p>Advertisement</p>",
        "<div class=slot><div><span>Anzeige</span></div></div>",
        "<div>- Publicité -</div>",
        "<p>Story continues below advertisement</p>",
        "<div>広告</div>",
    ] {
        assert_eq!(
            left(&format!("<main><p>{body}</p>{label}<p>{body}</p></main>")),
            format!("{body}\n{body}")
        );
    }
    stays(&format!("<main><p>{body}</p><div><h2>Anzeige</h2></div><p>{body}</p></main>"));
    stays(&format!(
        "<main><p>{body}</p><ul><li>Werbung<li>Verkauf</ul><table><tr><td>Reklama<td>3</table></main>"
    ));
    stays(&format!(
        "<main><p>{body}</p><p>Advertisement is not news.</p><p>An <b>advertisement</b></p></main>"
    ));
}

#[test]
fn heads_go_with_what_they_head() {
    let with = |head: &str, under: &str| {
        let prose = prose(30);
        let page = page(&format!("<main><p>{prose}</p>{head}{under}<p>{prose}</p></main>"));
        let without = page.elements().filter(|id| page.is(*id, "ul")).collect();
        let content = Content { without, ..chosen(&page) };
        let around = Surroundings::default();
        text(&page, &without_furniture(&page, content, Furniture::Document(around)))
    };
    let links = "<ul><li><a href=/1>Another story</a><li><a href=/2>And another</a></ul>";
    for (head, words) in [
        ("<h3>Related</h3>", "Related"),
        ("<p><b>Lesen Sie auch:</b></p>", "Lesen"),
        ("<div>関連記事</div>", "関連記事"),
    ] {
        assert!(!with(head, links).contains(words), "{head}");
        assert!(with(head, "").contains(words), "{head} heads text");
    }
    assert!(with("<h3>The bell</h3>", links).contains("The bell"));
}

#[test]
fn numbers_of_posts_go() {
    let body = prose(6);
    let post = |number: &str| {
        format!(
            "<article class=post><ul><li><a href=/post-{number}>{number}</a></ul><div>{body}</div></article>"
        )
    };
    let posts = |numbers: &[&str]| {
        format!("<main>{}</main>", numbers.iter().map(|one| post(one)).collect::<String>())
    };
    assert_eq!(left(&posts(&["#1", "#2", "#3"])), [&*body; 3].join("\n"));
    assert_eq!(left(&posts(&["#11", "#12", "#14", "#15"])), [&*body; 4].join("\n"));
    stays(&posts(&["#7"]));
    stays(&posts(&["#310", "#94", "#7"]));
    stays(&posts(&["#1", "#2"]).replace("class=post", ""));
    stays(&posts(&["#1", "#2"]).replace("<li>", "<li><h3>"));
}

#[test]
fn links_for_each_post_go() {
    let body = prose(12);
    let posts = |links: &[&str]| -> String {
        let post = |links: &&str| format!("<div class=post><b>Ann</b><p>{body}</p>{links}</div>");
        format!("<main>{}</main>", links.iter().map(post).collect::<String>())
    };
    for links in [
        "<a href=/post/1/r>Reply</a>",
        "<p><a href=/a>Reply</a> | <a href=/b>Quote</a> | <a href=#p1>Permalink</a></p>",
        "[<a href='/a?p=1'>Reply</a>] [<a href='/b?p=1'><b>Quote</b></a>]",
        "<ul><li><a href=/a>Antworten</a><li><a href=/b>Zitieren</a></ul>",
    ] {
        let expected = [format!("Ann\n{body}"), format!("Ann\n{body}"), format!("Ann\n{body}")].join("\n");
        assert_eq!(left(&posts(&[links; 3])), expected, "{links}");
    }
    let numbered = ["<a href=#p1>#1</a>", "<a href=/tale#p2>#2</a>", "<a href=#p3>#3</a>"];
    assert!(!left(&posts(&numbered)).contains('#'));
    let dated = numbered.map(|link| format!("<div>{link} <i>·</i> May 4</div>"));
    assert!(left(&posts(&dated.each_ref().map(String::as_str))).ends_with("\nMay 4"));
    for links in [
        ["<a href=/a>Reply</a>", "<a href=/a>Reply</a>", ""],
        ["<a href=/a>Reply</a>", "<a href=/a>Quote</a>", "<a href=/a>Edit</a>"],
        ["Press <a href=/a>Reply</a>"; 3],
        ["<a href=/a>Reply</a> is a word"; 3],
        ["<a href=/a>#1</a>", "<a href=/b>#2</a>", "<a href=/c>#3</a>"],
        ["<a href=#p1>Ada</a>"; 3],
        ["<a href=https://b.test/ada>LinkedIn</a>"; 3],
    ] {
        stays(&posts(&links));
    }
}

#[test]
fn hidden_text_goes_but_not_what_a_click_shows() {
    let body = prose(12);
    for hidden in [
        "<p hidden>Draft",
        "<p style='display: none'>Draft",
        "<p style='visibility:hidden'>Draft",
        "<p><span aria-hidden=true>→</span>",
        "<i class='material-icons' aria-hidden=true>arrow_forward</i>",
        "<style>.draft{display:none}</style><p class=draft>Draft",
    ] {
        assert_eq!(left(&format!("<main><p>{body}</p>{hidden}</main>")), body, "{hidden}");
    }
    for shown in [
        "<p hidden=until-found>Found</p>",
        "<div class=tab-pane style='display:none'>Found</div>",
        "<div role=tabpanel hidden>Found</div>",
        "<del aria-hidden=true>Found</del>",
        "<style>.more{display:none}.more.open{display:block}</style><div class=more>Found</div>",
    ] {
        assert_eq!(left(&format!("<main><p>{body}</p>{shown}</main>")), format!("{body}\nFound"), "{shown}");
    }
    let answer = prose(5);
    let html = format!(
        "<main><p>{body}{body}</p><b>Who came?</b><div style='visibility:hidden'>{answer}</div></main>"
    );
    assert!(left(&html).ends_with(&answer), "a click shows it");
    let html = format!("<main><div style='display:none'><p>{body}</p></div><p>Loading the tale …</p></main>");
    assert!(left(&html).contains(&body), "a script shows it");
    let part = format!("<p class=late>{}</p>", prose(3));
    stays(&format!("<style>.late{{display:none}}</style><main><p>{body}</p>{}</main>", part.repeat(4)));
}

#[test]
fn hidden_panels_of_tabs_stay_with_their_labels() {
    let body = prose(12);
    for [first, second] in [
        ["<div id=a>Fetch</div>", "<div id=b style='display:none'>Drag</div>"],
        ["<div id=a><p>Fetch</p></div>", "<div id=b><p hidden>Drag</p></div>"],
        ["<div><div id=a>Fetch</div></div>", "<div hidden><div id=b>Drag</div></div>"],
    ] {
        let html = format!(
            "<main><p>{body}</p><ul role=tablist><li role=tab aria-controls=a>Linux<li role=tab aria-controls=b>macOS</ul>\
             {first}{second}</main>"
        );
        assert_eq!(left(&html), format!("{body}\nLinux\nFetch\nmacOS\nDrag"), "{second}");
    }
    let html = format!(
        "<main><p>{body}</p><ul role=tablist><li role=tab aria-controls=a>Linux<li role=tab aria-controls=b>macOS</ul>\
         <div id=a><p>Fetch</p><p hidden>Draft</p></div><div id=b hidden><br></div></main>"
    );
    assert_eq!(left(&html), format!("{body}\nLinux\nFetch"), "a part of a panel, and a panel without words");
}

#[test]
fn a_formula_that_is_shown_beside_itself_is_there_once() {
    let body = prose(8);
    let html = format!(
        "<main><p>{body} <span class=katex><span class=katex-mathml><math><mi>x</mi></math></span>\
        <span class=katex-html aria-hidden=true>x</span></span></p></main>"
    );
    assert_eq!(left(&html), format!("{body} x"));
}

#[test]
fn marks_at_headings_go() {
    let body = prose(8);
    for mark in [
        "<a class=headerlink href=#setup>¶</a>",
        "<a href=#setup>#</a>",
        "<a class=headerlink href=#setup>\u{f0c1}</a>",
        "<a class=anchor href=#setup><span>Permalink to this heading</span></a>",
        "<a href=https://a.test/tale#setup aria-label=x>§</a>",
        "<button class=anchor>Copy link</button>",
    ] {
        let html = format!("<main><h2 id=setup>Setup{mark}</h2><p>{body}</p></main>");
        assert_eq!(left(&html).lines().next(), Some("Setup"), "{mark}");
    }
    for heading in
        ["<a class=anchor href=#setup>Setup</a>", "<a class=header-anchor href=#setup>1.</a> Setup"]
    {
        let html = format!("<main><h2>{heading}</h2><p>{body}</p></main>");
        assert!(left(&html).contains("Setup\n"), "{heading}");
    }
    let html = format!("<main><h2><a class=anchor href=#s>1.</a> Setup</h2><p>{body}</main>");
    assert!(left(&html).starts_with("1. Setup"));
}

#[test]
fn bars_buttons_and_figures_of_posts_go_from_documents() {
    let body = prose(8);
    for furniture in [
        "<div class=post-share><a href=/x>Facebook</a> <a href=/y>X</a></div>",
        "<p><a href='?reply=1'>Reply</a> <a href='?report=1'>Report</a></p>",
        "<button>Copy link</button>",
        "<div class=share-bar><a href=/x><img src=x.png></a><a href=/y><img src=y.png></a></div>",
        "<ul><li>Joined: May 2001</li><li>Posts: 12</li><li>Location: Bergen</li></ul>",
        "<div class=message-signature>-- Sent from my boat</div>",
        "<p><a href=https://hub.test/edit/main/tale.md>Edit this page</a></p>",
        "<p><a href='#'>このページを編集</a></p>",
    ] {
        let html = format!("<main><p>{body}</p>{furniture}<p>{body}</p></main>");
        assert_eq!(left(&html), format!("{body}\n{body}"));
    }
    // Buttons may be images, and labels for screen readers.
    let html = format!(
        "<main><p>{body} <a href='?q=1'><img src=q.png alt='Reply with quote'></a><a href=z><img src=z.png alt=Mill></a>\
        <span class=sr-only>Top</span></p></main>"
    );
    let post = page(&html);
    let content = without_furniture(&post, chosen(&post), Furniture::Document(Surroundings::default()));
    assert_eq!(content.without.len(), 2);
    assert_eq!(text(&post, &content), body);
    // The name of a chapter, a word in a sentence, and a text that mentions a place.
    for content in [
        "<ul><li><a href=print.html>Print</a></li><li><a href=copy.html>Copy</a></li></ul>",
        "<p>Choose <a href='?print'>Print</a> in the menu, then wait until the page is ready.</p>",
        "<p>Location: Bergen</p>",
    ] {
        stays(&format!("<main><p>{body}</p>{content}<p>{body}</p></main>"));
    }
}

#[test]
fn a_link_to_all_pages_on_one_goes_from_the_end() {
    let body = prose(8);
    for link in [
        "<p><a href='?all=1'>Read on a single page</a></p>",
        "<div class=tools><a href=all.html>View as single page »</a></div>",
        "<p><a href=tale>1</a> <a href=2>2</a> <a href='?all=1'>Single page</a></p>",
        "<p><a href=/alles>Auf einer Seite lesen</a></p>",
        "<p><a href=/all>1ページで表示</a></p>",
    ] {
        assert_eq!(left(&format!("<main><p>{body}</p>{link}</main>")), body, "{link}");
    }
    // What is said in a sentence, a heading of its own, and a link before the text stay.
    for kept in [
        "<p>You may read this on a <a href=all>single page</a>, in print, or not at all.</p>",
        "<p>Single page</p>",
    ] {
        stays(&format!("<main><p>{body}</p>{kept}</main>"));
    }
    let html = format!("<main><p><a href=all>All pages</a></p><p>{body}</p></main>");
    assert!(left(&html).starts_with("All pages\n"));
}

#[test]
fn scans_keep_what_labels_count() {
    let body = prose(8);
    let html = format!("<main><p>{body}</p><p><a href='?reply=1'>Reply</a></p><p>{body}</p></main>");
    let page = page(&html);
    let content = without_furniture(&page, chosen(&page), Furniture::Page(Surroundings::default()));
    assert_eq!(text(&page, &content), format!("{body}\nReply\n{body}"));
}

#[test]
fn what_is_left_of_a_pager_goes_from_the_ends() {
    let body = prose(8);
    for pager in [
        "<p><a href=2>Next: The end »</a></p>",
        "<p>Continue to <a href=2>chapter 5 »</a></p>",
        "<div><a href=0>«</a> <a href=2>»</a></div>",
        "<div><a href=1>1</a> <a href=2>2</a> <a href=2>Next</a></div>",
        "<p><a href=2>次のページへ</a></p>",
        "<p>Nächstes Kapitel: <a href=2>Das Ende</a></p>",
    ] {
        assert_eq!(left(&format!("<main><p>{body}</p>{pager}</main>")), body, "{pager}");
    }
    for content in [
        "<p><a href=2>The end of the tale</a></p>",
        "<p>Next: a walk along the river.</p>",
        "<p><a href=7>Back to the river</a></p>",
        "<ul><li><a href=2>Index</a></li></ul>",
    ] {
        stays(&format!("<main><p>{body}</p>{content}</main>"));
    }
    let html = format!("<main><p>{body}</p><p><a href=2>Next: The end</a></p><p>{body}</p></main>");
    assert!(left(&html).contains("Next:"), "in the middle");
}

#[test]
fn comments_are_a_part_of_their_own() {
    let body = prose(12);
    let said = prose(3);
    for section in [
        format!("<div id=comments><h3>2 Comments</h3><ol><li class=comment>{said}</li></ol></div>"),
        format!("<ol class=commentlist><li id=comment-1 class=comment>{said}</li></ol>"),
        format!("<div itemtype=https://schema.org/Comment id=c1>{said}</div>"),
        format!("<div class='comment odd'>{said}</div><div class='comment even'>{said}</div>"),
    ] {
        let html = format!("<main><p>{body}</p>{section}</main>");
        assert!(found(&html).is_some_and(|found| found.contains(&said)), "{section}");
        assert_eq!(left(&html), body, "{section}");
    }
    let html = format!(
        "<main><p>{body}</p></main><div id=comments><p class=comment>{said}</p><div class=comment>{said}</div>\
        <form class=comment-form>Your name</form></div>"
    );
    assert!(found(&html).is_some_and(|found| !found.contains("Your name")), "outside the content");
}

#[test]
fn comments_without_names_are_those_of_the_model() {
    let (body, said) = (prose(12), prose(3));
    let scored = |page: &Page, tag: &str| Content {
        nodes: vec![page.first(tag).unwrap()],
        ..Content::nothing(Evidence::Model)
    };
    let at = |url: &str, html: &str| {
        let page = Page::from_text(html, &url.parse().unwrap());
        let found = comments(&page, &chosen(&page), Some(&scored(&page, "aside")));
        assert!(found.is_none() || may_have_comments(&page), "{html}");
        found.filter(|found| has_comments(&page, found)).map(|found| text(&page, &found))
    };
    let plain = format!("<main><p>{body}</p></main><aside>{said}</aside>");
    assert_eq!(at("https://a.test/tale", &plain).as_deref(), Some(&*said));
    assert_eq!(at("https://a.test/forum/tale", &plain), None);
    let before = format!("<aside>{said}</aside><main><p>{body}</p></main>");
    assert_eq!(at("https://a.test/tale", &before), None, "comments are below the article");
    let around = format!("<aside><main><p>{body}</p></main>{said}</aside>");
    assert_eq!(at("https://a.test/tale", &around), None);
    let few = format!("<main><p>{body}</p></main><aside>Be the first</aside>");
    assert_eq!(at("https://a.test/tale", &few), None);
    let named = format!("{plain}<ol id=comments><li class=comment id=c1>{said} Twice.</li></ol>");
    assert_eq!(at("https://a.test/tale", &named), Some(format!("{said} Twice.")), "names come first");
    let may = |url: &str, html: &str| may_have_comments(&Page::from_text(html, &url.parse().unwrap()));
    assert!(!may("https://a.test/forum/tale", &plain) && !may("https://a.test/tale", "<p>A short page."));
}

#[test]
fn posts_are_no_comments() {
    let body = prose(12);
    let said = format!("<ol class=comments><li class=comment id=comment-1>{}</li></ol>", prose(3));
    for html in [
        format!("<body class=forum-topic><main><p>{body}</p>{said}</main>"),
        format!("<main itemtype=https://schema.org/QAPage><p>{body}</p>{said}</main>"),
        format!(
            "<script type=application/ld+json>{{\"@type\":\"DiscussionForumPosting\"}}</script><main><p>{body}</p>{said}</main>"
        ),
        format!("<main><div class=reviews><p>{body}</p>{said}</div></main>"),
        // Without an article above them.
        format!("<main><p>A title</p>{said}</main>"),
        format!("<main>{said}<p>{body}</p></main>"),
        // With names of other things.
        format!("<main><p>{body}</p><pre><span class=comment id=comment-1>{body}</span></pre></main>"),
        format!("<main><p>{body}</p><section id=about-comments><p>{body}</p></section></main>"),
        format!("<main class=comments-open><p>{body}</p></main>"),
        format!("<main><p>{body}</p><div id=comments>No comments yet</div></main>"),
    ] {
        assert_eq!(found(&html), None, "{html}");
    }
}

#[test]
fn little_content_stays_as_it_is() {
    for html in [
        "<main><h1>Gifts<a class=headerlink href=#g>¶</a></h1></main>",
        "<main><p hidden>All there is</p></main>",
        "",
    ] {
        stays(html);
    }
}

proptest::proptest! {
    #[test]
    fn any_page_keeps_some_of_its_content(
        html in "(<div class=comments>|<li class=comment id=c1>|<p hidden>|<h2>|<a href=#x>|<a href=2>|<button>|</div>|</h2>|</a>|Reply|Next|Posts: 1|word |一。){0,40}",
    ) {
        let page = page(&html);
        let content = chosen(&page);
        let next = "https://a.test/2".parse().unwrap();
        let found = comments(&page, &content, None);
        proptest::prop_assert!(found.is_none() || may_have_comments(&page));
        let around = Surroundings { next: Some(&next), comments: found.as_ref() };
        let before = characters(&page, &content);
        let rest = without_furniture(&page, content, Furniture::Document(around));
        proptest::prop_assert_eq!(page.outermost(rest.nodes.clone()), rest.nodes.clone());
        proptest::prop_assert_eq!(page.outermost(rest.without.clone()), rest.without.clone());
        let comments = found.map_or(0, |found| characters(&page, &Content { without: Vec::new(), ..found }));
        proptest::prop_assert!(3 * (characters(&page, &rest) + comments) >= before);
    }
}
