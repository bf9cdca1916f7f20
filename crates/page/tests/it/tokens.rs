//! Compares our tokenizer with html5lib's tests, and with html5ever's.

use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;
use tsugi_page::oracle::{HtmlToken, StartState, page_of_html5ever, tokens, tokens_of_html5ever};
use tsugi_page::{NodeId, NodeKind, Note, Page, charset};

use crate::archive;

/// Decodes the further `\uHHHH` of tests that are escaped twice; `None` for half of a surrogate pair, which is no character.
fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

fn start(name: &str) -> StartState {
    match name {
        "Data state" => StartState::Data,
        "RCDATA state" => StartState::Rcdata,
        "RAWTEXT state" => StartState::Rawtext,
        "Script data state" => StartState::Script,
        "PLAINTEXT state" => StartState::Plaintext,
        "CDATA section state" => StartState::Cdata,
        _ => panic!("no such state: {name}"),
    }
}

fn written(token: &HtmlToken) -> Option<Value> {
    let value = match token {
        HtmlToken::Doctype { name, public, system, force_quirks } => {
            serde_json::json!(["DOCTYPE", name, public, system, !force_quirks])
        }
        HtmlToken::StartTag { name, attributes, self_closing, .. } => {
            let attributes: serde_json::Map<String, Value> =
                attributes.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
            let mut parts = vec!["StartTag".into(), name.as_str().into(), Value::Object(attributes)];
            parts.extend(self_closing.then_some(Value::Bool(true)));
            Value::Array(parts)
        }
        HtmlToken::EndTag { name, .. } => serde_json::json!(["EndTag", name]),
        HtmlToken::Comment(text) => serde_json::json!(["Comment", text]),
        HtmlToken::Text(text) => serde_json::json!(["Character", text]),
        HtmlToken::End => return None,
    };
    Some(value)
}

#[test]
fn tokens_are_those_of_html5libs_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html5lib/tokenizer");
    let (mut right, mut no_characters) = (0, 0);
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        // `xmlViolation.test` has none: its tests are for parsers that make XML of pages.
        for test in file["tests"].as_array().into_iter().flatten() {
            let is_escaped = test["doubleEscaped"] == true;
            let readable = |text: &str| if is_escaped { unescaped(text) } else { Some(text.to_owned()) };
            let Some(input) = readable(test["input"].as_str().unwrap()) else {
                no_characters += 1;
                continue;
            };
            let output = readable(&test["output"].to_string());
            let expected: Value = serde_json::from_str(&output.unwrap_or_default()).unwrap();
            let states = test["initialStates"].as_array();
            let states = states.map_or(vec!["Data state"], |states| {
                states.iter().map(|state| state.as_str().unwrap()).collect()
            });
            for state in states {
                let last_start_tag = test["lastStartTag"].as_str().unwrap_or_default();
                let found = tokens(&input, start(state), last_start_tag);
                let found: Vec<Value> = found.iter().filter_map(written).collect();
                assert_eq!(Value::Array(found), expected, "{}: {test}, {state}", path.display());
                right += 1;
            }
        }
    }
    assert_eq!((right, no_characters), (7_026, 4));
}

const FRAGMENTS: &str = "(<|</|>|/|=|\"|'|!|-|--|<!--|-->|--!>|<!|\\?|\\]|\\]\\]>|<!\\[CDATA\\[|&|&#|&#x|;|[a-zA-Z]|[0-9]|\
    [ \t\n\r\u{c}]|\r\n|\u{0}|\u{FEFF}|é|次|\u{80}|\u{FFFE}|x27|38|&amp;|&amp|&notin|&notit;|&lang;|&copy=|&#150;|&#xD800;|\
    <!doctype |html|public|SYSTEM|<p |<P a=b|</p>|<a href=|<a href='|<br/>|class|DATA-Long-Name|\
    <script>|<script |</script|</script>|<title>|</title |<textarea>|</TEXTAREA>|<style>|</style>|<svg>|</svg>|\
    <plaintext>|<meta charset=x>)";

/// Tags with rules of their own, and everything that a tokenizer finds.
const TREE_FRAGMENTS: &[&str] = &[
    "<",
    "</",
    ">",
    "&amp;",
    "[a-z]",
    " ",
    "\n",
    "\u{0}",
    "次",
    "<!--x-->",
    "<!doctype html>",
    "<!doctype x>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<ul>",
    "<li>",
    "</li>",
    "</ul>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<h1>",
    "</h2>",
    "<pre>",
    "</pre>",
    "<form>",
    "</form>",
    "<button>",
    "</button>",
    "<a href=x>",
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<b id=x>",
    "<i>",
    "</i>",
    "<font size=1>",
    "<font>",
    "</font>",
    "<nobr>",
    "</nobr>",
    "<code>",
    "</code>",
    "<em>",
    "<u>",
    "</u>",
    "<table>",
    "</table>",
    "<caption>",
    "</caption>",
    "<colgroup>",
    "<col>",
    "</colgroup>",
    "<tbody>",
    "</tbody>",
    "<thead>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<th>",
    "<input>",
    "<input type=hidden>",
    "<select>",
    "</select>",
    "<option>",
    "</option>",
    "<optgroup>",
    "<hr>",
    "<br>",
    "</br>",
    "<img>",
    "<image src=x>",
    "<textarea>",
    "</textarea>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<noscript>",
    "</noscript>",
    "<iframe>",
    "</iframe>",
    "<xmp>",
    "</xmp>",
    "<noembed>",
    "<plaintext>",
    "<template>",
    "</template>",
    "<template shadowrootmode=open>",
    "<slot>",
    "<slot name=a>",
    "<p slot=a>",
    "<ruby>",
    "<rb>",
    "<rt>",
    "<rtc>",
    "<rp>",
    "</ruby>",
    "<object>",
    "</object>",
    "<marquee>",
    "</marquee>",
    "<html class=a>",
    "<html id=b>",
    "</html>",
    "<head>",
    "</head>",
    "<body class=a>",
    "<body id=b>",
    "</body>",
    "<frameset>",
    "</frameset>",
    "<frame>",
    "<noframes>",
    "</noframes>",
    "<base>",
    "<meta charset=x>",
    "<link>",
    "<basefont>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<foreignObject>",
    "</foreignObject>",
    "<desc>",
    "<title/>",
    "<clippath viewbox=1 xlink:href=x>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<mglyph>",
    "<annotation-xml>",
    "<annotation-xml encoding=text/html>",
    "</annotation-xml>",
    "<x-y>",
    "</x-y>",
    "<span>",
    "</span>",
    "<address>",
    "<main>",
    "</main>",
    "<ul role=tablist>",
    "<li role=tab aria-controls=z>",
    "<div id=z role=tabpanel>",
    "<section>",
    "</section>",
    "<![CDATA[x]]>",
    "<search>",
    "<dialog>",
    "<menu>",
];

fn any_start() -> impl Strategy<Value = (StartState, &'static str)> {
    let names = vec!["", "script", "title", "style", "a", "h1"];
    (prop::sample::select(&StartState::ALL[..]), prop::sample::select(names))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn tokens_are_those_of_html5ever(
        fragments in prop::collection::vec(FRAGMENTS, 0..30),
        (start, name) in any_start(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let html = fragments.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| html.floor_char_boundary(cut.index(html.len() + 1))).collect();
        cuts.extend([0, html.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&str> = cuts.windows(2).map(|cut| &html[cut[0]..cut[1]]).collect();
        prop_assert_eq!(tokens(&html, start, name), tokens_of_html5ever(&pieces, start, name));
    }

    #[test]
    fn trees_are_those_of_html5ever(fragments in prop::collection::vec(prop::sample::select(TREE_FRAGMENTS), 0..60)) {
        let mut html = fragments.concat();
        if html.contains("shadowrootmode") {
            // In a template, html5ever takes a `thead` for no section of a table.
            html = html.replace("<thead>", "<tbody>");
        }
        let url = "https://a.test/".parse().unwrap();
        prop_assert_eq!(difference(&Page::from_text(&html, &url), &page_of_html5ever(&html, &url)), None);
    }
}

fn difference(ours: &Page, theirs: &Page) -> Option<String> {
    let described = |page: &Page, id: NodeId| {
        let kind = page.kind(id);
        let attributes = if kind == NodeKind::Element { page.attributes(id).collect() } else { Vec::new() };
        let name = if kind == NodeKind::Element { page.tag(id) } else { "" };
        format!("{} {kind:?} {name} {attributes:?} {:?}", page.depth(id), page.data(id))
    };
    let nodes = |page: &Page| page.subtree(NodeId::DOCUMENT).collect::<Vec<_>>();
    let (our_nodes, their_nodes) = (nodes(ours), nodes(theirs));
    let pairs = our_nodes.iter().zip(&their_nodes);
    let mut descriptions = pairs.map(|(our, their)| (described(ours, *our), described(theirs, *their)));
    if let Some((our, their)) = descriptions.find(|(our, their)| our != their) {
        return Some(format!("{our}\ninstead of {their}"));
    }
    let is_same = our_nodes.len() == their_nodes.len()
        && ours.is_quirky() == theirs.is_quirky()
        && ours.notes() == theirs.notes();
    (!is_same).then(|| {
        format!(
            "{} nodes, {:?} instead of {}, {:?}",
            our_nodes.len(),
            ours.notes(),
            their_nodes.len(),
            theirs.notes()
        )
    })
}

#[test]
#[ignore = "needs ../shared/data"]
fn trees_of_real_pages_are_those_of_html5ever() {
    let url = "https://a.test/".parse().unwrap();
    let (mut pages, mut others) = (0, 0);
    for path in archive::stored() {
        for body in archive::bodies(&path) {
            let html = &*charset::decode(&body, None, None).text;
            let page = Page::from_text(html, &url);
            // html5ever has no limits, and does not know the prefixes of XML.
            if page.notes().iter().any(|note| *note != Note::WithoutScripts) || html.contains(":math") {
                others += 1;
                continue;
            }
            let difference = difference(&page, &page_of_html5ever(html, &url));
            assert_eq!(difference, None, "{}: {:.2000}", path.display(), html);
            pages += 1;
        }
    }
    assert!(pages > 7_000 && others < pages / 100, "{pages} pages, and {others} others");
}
