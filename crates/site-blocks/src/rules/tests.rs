use super::*;
use crate::block::blocks;
use crate::samples::{page, pages};
use proptest::collection::vec;
use tsugi_page::{Selector, XPath};

/// The rules of pages whose blocks, except for `body`, are all content.
fn rules_of(htmls: &[&str]) -> String {
    let pages = pages(htmls);
    let pages: Vec<&Page> = pages.iter().collect();
    let content: Vec<Vec<NodeId>> = pages
        .iter()
        .map(|page| {
            let nodes = blocks(page).into_iter().map(|block| block.node());
            nodes.filter(|id| !page.is(*id, "body")).collect()
        })
        .collect();
    SelectorRules::learn(&pages, &content).to_string()
}

fn selected(rules: &SelectorRules, html: &str) -> Vec<String> {
    let page = page(html);
    rules.blocks(&page).into_iter().map(|id| page.location_path(id)).collect()
}

/// A page as those of 100SHIKI must have looked, by the rules of table 1. `{}` is what changes from page to page.
const SHIKI: &str = "<body><div id=header><p>Menu</p></div>\
    <div id=dotcom_logo>{} logo</div>\
    <div id=main><h1>{}</h1><p>{} one</p><div class=textBody><p>{} two</p></div></div>\
    <div id=dotcom_box><h3>{} box</h3><p>{} box text</p></div>\
    <div id=column_box><h4>{} column</h4><p>{} column text</p></div>\
    <div id=comments><h2>{} comments</h2><dl><dt>{} writer</dl><form><p>{} to write</p></form></div>\
    <div id=trackback><dl><dt>{} trackback</dl></div>\
    <ul id=flip1><li>{} before</ul><ul id=flip2><li>{} after</ul>\
    <div id=footer><p>Imprint</p></div>";

const TABLE_1: &str = "div#dotcom_logo, ul#flip1, ul#flip2, \
    #column_box > h4, #column_box > p, #comments > dl, #comments > h2, #dotcom_box > h3, #dotcom_box > p, \
    #main > h1, #main > p, #trackback > dl, .textBody > p, #comments * p";

#[test]
fn the_rules_of_table_1_are_learned() {
    let pages = ["Snow", "Bridge", "Ferry"].map(|what| page(&SHIKI.replace("{}", what)));
    let rules = SelectorRules::learn_from_unique(&pages.each_ref(), Extensions::default());
    assert_eq!(rules.to_string(), TABLE_1);
    let other = page(&SHIKI.replace("{}", "Mill"));
    let text = rules.kept(&other).text(&other);
    assert!(text.starts_with("Mill logo\nMill\nMill one\nMill two\nMill box\n"), "{text}");
    assert!(!text.contains("Menu") && !text.contains("Imprint"), "{text}");
    assert_eq!(text.lines().count(), 14, "as many as there are places in the page");
}

#[test]
fn the_nearest_identifier_decides_the_pattern() {
    assert_eq!(rules_of(&["<div id=a><p id=b>x</p></div>"]), "div#a, p#b");
    assert_eq!(rules_of(&["<div id=a><p>x</p></div>"]), "div#a, #a > p");
    assert_eq!(rules_of(&["<div id=a><span><p>x</p></span></div>"]), "div#a, #a * p");
    assert_eq!(rules_of(&["<div class='c d'><span><p class=d>x</p></span></div>"]), "div.c, .c * p");
    assert_eq!(rules_of(&["<section id=a><p>x</p></section>"]), "#a > p", "any element names its children");
    assert_eq!(rules_of(&["<html class=h><p>x"]), ".h * p", "the root, too");
}

#[test]
fn an_id_goes_before_classes_of_the_same_element_only() {
    assert_eq!(rules_of(&["<p class=c id=a>x"]), "p#a");
    assert_eq!(rules_of(&["<div id=a><p class=c>x</p></div>"]), "div#a, p.c");
    assert_eq!(
        rules_of(&["<p id=c class=c>x", "<p class=c>y<p>z"]),
        "p.c, p",
        "an `id` and an equal class are two"
    );
}

#[test]
fn identifiers_that_stand_twice_or_not_everywhere_are_not_fit() {
    assert_eq!(rules_of(&["<p id=a>x<p id=a>y"]), "p");
    assert_eq!(rules_of(&["<p id=a>x<h2 id=a>y", "<p id=a>x"]), "h2, p", "twice on one page is too often");
    assert_eq!(rules_of(&["<p class='c c'>x"]), "p.c", "one element has a class once");
    let with = "<div id=a><p>x</p></div>";
    assert_eq!(rules_of(&[with, with, "<div><p>x</p></div>"]), "div, p", "on all pages but one");
    assert_eq!(rules_of(&[with, with, with]), "div#a, #a > p");
    assert_eq!(rules_of(&["<p id=''class=' '>x"]), "p", "an empty value names nothing");
    assert_eq!(rules_of(&["<p id=' a'>x"]), r"p#\ a", "white space belongs to an `id`");
}

#[test]
fn pages_without_identifiers_have_rules_by_name() {
    assert_eq!(rules_of(&["<div><p>x</p></div><ul><li>y</ul>"]), "div, p, ul");
    let rules = SelectorRules::from_rules([Rule::new("body", NearIdentifier::None).unwrap()]);
    assert_eq!(selected(&rules, "<p>a</p>b"), ["/html[1]/body[1]"], "`body` is a block");
    assert!(selected(&rules, "<p>a</p>").is_empty(), "one that is blank here");
}

#[test]
fn nothing_teaches_nothing() {
    let nothing = SelectorRules::learn(&[], &[]);
    assert_eq!(
        (nothing.to_string(), nothing.to_xpath(), nothing.rules()),
        (String::new(), String::new(), &[][..])
    );
    assert!(nothing.kept(&page("<p>a")).is_empty());
    let one = page("<p id=a>x");
    assert_eq!(SelectorRules::learn(&[&one], &[]), nothing, "a page without a list has no content");
    assert_eq!(
        SelectorRules::learn(&[&one], &[one.elements().take(1).collect()]),
        nothing,
        "`html` is no block"
    );
}

#[test]
fn blank_blocks_are_no_content() {
    let rule = |tag| Rule::new(tag, NearIdentifier::None).unwrap();
    let rules = SelectorRules::from_rules(["div", "p", "hr"].map(rule));
    let html = "<div><p>text</p></div><div><img></div><p> <br></p><p><i title=t></i></p><hr>\
                <div><script>s</script></div><div><a><img alt=''></a></div><p><b title=' '> </b></p>";
    let kept = ["/div[1]/p[1]", "/div[2]", "/div[4]"].map(|path| format!("/html[1]/body[1]{path}"));
    assert_eq!(selected(&rules, html), kept);
}

#[test]
fn identifiers_may_stand_on_a_new_page_several_times() {
    let rules = SelectorRules::from_rules(
        [
            NearIdentifier::Own(Identifier::Class("c".into())),
            NearIdentifier::Parent(Identifier::Id("a".into())),
            NearIdentifier::Ancestor(Identifier::Id("b".into())),
        ]
        .map(|near| Rule::new("p", near).unwrap()),
    );
    let html = "<p class='b c'>1<p class=c>2<p class=C>3<div id=a><p>4<p>5<div><p>6</div></div><div id=a><p>7</div>\
                <div id=b><p>8<div><p>9<div><p>10</div></div><div id=b><p>11</div></div>";
    let page = page(html);
    let texts: Vec<_> = rules.blocks(&page).into_iter().map(|id| page.text(id)).collect();
    assert_eq!(texts, ["1", "2", "4", "5", "7", "9", "10", "11"]);
}

#[test]
fn the_leaves_of_blocks_inside_are_left_out() {
    let rules =
        SelectorRules::from_rules([
            Rule::new("div", NearIdentifier::Own(Identifier::Id("a".into()))).unwrap()
        ]);
    let page = page("<div id=a>own<p>inner</p> also</div>");
    assert_eq!(rules.kept(&page).text(&page), "own\nalso");
    let content = rules.kept(&page).content(&page);
    assert_eq!((content.nodes.len(), content.without.len()), (1, 1));
}

#[test]
fn deep_and_wide_pages_take_little_time() {
    let deep = page(&("<div class='a b'><p>x".repeat(20_000)));
    let wide = page(&format!("<div id=a>{}</div>", "<p class='c d e'>x".repeat(20_000)));
    let rules = SelectorRules::learn_from_unique(&[&wide], Extensions::default());
    assert_eq!(rules.to_string(), "div#a, #a > p, body");
    assert_eq!(rules.blocks(&wide).len(), 20_000, "all but the `div` and `body`, which are blank");
    // Thousands of blocks near one element with thousands of classes.
    let names = (0..20_000).fold(String::new(), |names, number| names + " n" + &number.to_string());
    let many = page(&format!("<div class='{names}'>{}</div>", "<p>x".repeat(20_000)));
    let twice =
        page(&format!("<div class='{}'></div><div class='{names}'><p>y</div>", &names[..names.len() - 7]));
    let rules = SelectorRules::learn_from_unique(&[&many, &twice], Extensions::default());
    assert_eq!(rules.to_string(), ".n19999 > p");
    let all = SelectorRules::from_rules([
        Rule::new("p", NearIdentifier::Ancestor(Identifier::Class("a".into()))).unwrap(),
        Rule::new("div", NearIdentifier::Ancestor(Identifier::Class("b".into()))).unwrap(),
    ]);
    assert!(all.blocks(&deep).len() > 500, "one at each depth; below the deepest, text is in no `p`");
}

/// What a CSS or XPath engine finds for rules, without blank blocks and elements that are not blocks.
fn by_engine(page: &Page, found: &[NodeId]) -> Vec<NodeId> {
    let showing = blocks(page).into_iter().filter(|block| !block.is_blank()).map(|block| block.node());
    showing.filter(|id| found.contains(id)).collect()
}

const MARKUP: &str = "(<p>|<div>|</div>|<div id=a>|<div id=b class=c>|<p class='a c'>|<section id=b>|</section>|<ul class=b>|<li id=a>|</ul>|<table class=a><td>|</table>|<noscript>|</noscript>|<svg class=c>|x|<img>|<b title=t>){0,30}";
const RULES: &str = "((div|p|ul|table|body)[isan][ic][abc]){0,6}";

fn spelled(text: &str) -> SelectorRules {
    let mut rules = Vec::new();
    let mut rest = text;
    while let Some(at) = ["div", "p", "ul", "table", "body"].into_iter().find(|tag| rest.starts_with(tag)) {
        let (word, after) = rest[at.len()..].split_at(3);
        let [near, kind, name] = word.as_bytes() else { panic!("three letters") };
        let name = char::from(*name).to_string().into();
        let identifier = if *kind == b'i' { Identifier::Id(name) } else { Identifier::Class(name) };
        let near = match near {
            b'i' => NearIdentifier::Own(identifier),
            b's' => NearIdentifier::Parent(identifier),
            b'a' => NearIdentifier::Ancestor(identifier),
            _ => NearIdentifier::None,
        };
        rules.extend(Rule::new(at, near));
        rest = after;
    }
    SelectorRules::from_rules(rules)
}

proptest::proptest! {
    #[test]
    fn applying_is_what_css_and_xpath_select(html in MARKUP, text in RULES) {
        let (page, rules) = (page(&html), spelled(&text));
        if !rules.rules().is_empty() {
            let by_css = by_engine(&page, &page.select(&Selector::parse(&rules.to_string()).unwrap()));
            proptest::prop_assert_eq!(rules.blocks(&page), by_css);
            let by_xpath = XPath::parse(&rules.to_xpath()).unwrap().nodes(&page).unwrap();
            proptest::prop_assert_eq!(rules.blocks(&page), by_engine(&page, &by_xpath));
        }
    }

    #[test]
    fn rules_select_what_they_were_learned_from(htmls in vec(MARKUP, 1..4), mask in 0_u64..) {
        let pages = pages(&htmls);
        let pages: Vec<&Page> = pages.iter().collect();
        let mut at = 0;
        let mut wanted = |_: &NodeId| { at += 1; mask >> (at % 64) & 1 == 1 };
        let content: Vec<Vec<NodeId>> = pages
            .iter()
            .map(|page| blocks(page).iter().map(crate::Block::node).filter(&mut wanted).collect())
            .collect();
        let rules = SelectorRules::learn(&pages, &content);
        for (page, wanted) in pages.iter().zip(&content) {
            let found = rules.blocks(page);
            for block in by_engine(page, wanted) {
                proptest::prop_assert!(found.contains(&block), "{} on {}", rules, page.location_path(block));
            }
        }
        proptest::prop_assert_eq!(&SelectorRules::from_rules(rules.rules().iter().cloned()), &rules);
    }
}
