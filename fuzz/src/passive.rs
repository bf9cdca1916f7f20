//! What parsers find in a written document: nothing that runs, loads or redirects.
//!
//! The lists are written down once more, on purpose: a mistake in those of the writers does not repeat itself here.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use roxmltree::{Document as Xml, ParsingOptions};
use scraper::{ElementRef, Html};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};

const HTML: &str = "http://www.w3.org/1999/xhtml";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// Elements that show something and do nothing.
const ELEMENTS: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "body", "br", "caption",
    "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "img", "ins", "kbd", "li",
    "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span",
    "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "title", "tr",
    "u", "ul", "var", "wbr",
];

/// Elements of formulas; none can hold HTML.
const FORMULAS: &[&str] = &[
    "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
];

const ADDRESSES: &[&str] = &["cite", "data-source", "href", "src"];

const ATTRIBUTES: &[&str] = &[
    "alt", "class", "colspan", "datetime", "dir", "height", "id", "lang", "open", "reversed", "rowspan",
    "scope", "start", "title", "type", "value", "width",
];

const OF_FORMULAS: &[&str] = &[
    "accent", "accentunder", "alttext", "close", "columnalign", "columnspan", "depth", "display",
    "displaystyle", "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant",
    "maxsize", "minsize", "movablelimits", "notation", "open", "rowspan", "rspace", "scriptlevel",
    "separator", "separators", "stretchy", "symmetric", "voffset", "width",
];

/// Elements of the head of a file, and their attributes. Only the writers themselves write them.
const OF_HEAD: [(&str, &[&str]); 3] = [
    ("link", &["rel", "href", "type"]),
    ("meta", &["charset", "content", "http-equiv", "name"]),
    ("style", &[]),
];

struct Found<'a> {
    namespace: &'a str,
    name: &'a str,
    parent: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

impl Found<'_> {
    fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }

    /// Says what is active about the element.
    fn flaw(&self) -> Option<String> {
        let Found { namespace, name, parent, .. } = self;
        let of_head = OF_HEAD.iter().find(|(of_head, _)| of_head == name);
        let known = match (*namespace, of_head) {
            (HTML, Some((_, attributes))) if *parent == "head" => attributes,
            (HTML, None) if ELEMENTS.contains(name) => ATTRIBUTES,
            // The box of a task, which pulldown-cmark writes.
            (HTML, None) if *name == "input" && self.value("type") == Some("checkbox") => {
                &["checked", "disabled", "type"][..]
            }
            (MATHML, None) if FORMULAS.contains(name) => OF_FORMULAS,
            _ => return Some(format!("element `{name}` of `{namespace}` in `{parent}`")),
        };
        if self.value("http-equiv").is_some_and(|value| value != "Content-Security-Policy") {
            return Some("`meta` with `http-equiv`".to_owned());
        }
        let is_known = |name: &str| {
            known.contains(&name) || matches!(name, "id" | "lang" | "dir") || ADDRESSES.contains(&name)
        };
        self.attributes.iter().find_map(|(attribute, value)| {
            let is_safe = is_known(attribute) && (!ADDRESSES.contains(attribute) || is_safe_address(value));
            (!is_safe).then(|| format!("attribute `{attribute}={value}` of `{name}`"))
        })
    }
}

/// Returns `true` for an address of the web or of mail, an anchor, or the name of a file beside the document.
fn is_safe_address(address: &str) -> bool {
    let has_scheme = ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
    let is_beside = || !address.starts_with(['/', '\\']) && !address.contains([':', '\t', '\n', '\r']);
    has_scheme || is_beside()
}

/// Panics if HTML holds anything active, as html5ever reads it.
pub(crate) fn html(markup: &str) {
    if let Some(flaw) = flaw_of_html(markup) {
        panic!("{flaw} in HTML:\n{markup}");
    }
}

fn flaw_of_html(markup: &str) -> Option<String> {
    let tree = Html::parse_document(markup);
    let mut of_head: BTreeMap<&str, usize> = BTreeMap::new();
    for element in tree.root_element().descendants().filter_map(ElementRef::wrap) {
        let value = element.value();
        let found = Found {
            namespace: &value.name.ns,
            name: value.name(),
            parent: element.parent().and_then(ElementRef::wrap).map_or("", |parent| parent.value().name()),
            attributes: value.attrs().collect(),
        };
        if let Some(flaw) = found.flaw() {
            return Some(flaw);
        }
        *of_head.entry(found.name).or_default() += usize::from(found.parent == "head");
    }
    let several = ["style", "title", "link"].into_iter().find(|name| of_head.get(name) > Some(&1));
    several.map(|name| format!("several elements `{name}`"))
}

/// Panics if Markdown shows anything active: with GitHub's extensions, with formulas and notes, or with none of them.
pub(crate) fn markdown(text: &str) {
    let of_github = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let all = of_github | Options::ENABLE_FOOTNOTES | Options::ENABLE_MATH;
    for options in [all, of_github, Options::empty()] {
        let mut markup = String::new();
        pulldown_cmark::html::push_html(&mut markup, Parser::new_ext(text, options));
        if let Some(flaw) = flaw_of_html(&markup) {
            panic!("{flaw} in Markdown, read with {options:?}:\n{text}");
        }
    }
    // Python-Markdown does not know `\<`, so text must have no `<` of its own where a tag could begin. TeX has `< b`.
    let begins_tag = |at: usize| {
        let next = text.as_bytes().get(at + 1);
        next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?'))
    };
    let mut in_code = false;
    for (event, place) in Parser::new_ext(text, all).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => {
                let is_bare = place.clone().any(|at| text.as_bytes()[at] == b'<' && begins_tag(at));
                assert!(!is_bare, "text with a bare `<` in Markdown:\n{text}");
            }
            _ => {}
        }
    }
}

/// Panics if a text has a control character other than a tab and a newline.
pub(crate) fn characters(text: &str) {
    let control = text.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\n'));
    if let Some(control) = control {
        panic!("{control:?} in a text:\n{text:?}");
    }
}

/// Panics if a file is no EPUB: a ZIP archive of well-formed XML without anything active, whose links lead somewhere.
pub(crate) fn epub(file: &[u8]) {
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).expect("a ZIP archive");
    let mut files: BTreeMap<String, Option<String>> = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let name = entry.name().expect("a name in UTF-8").into_owned();
        let is_text = extension(&name) != "gif";
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("an entry that can be unpacked");
        files.insert(name, is_text.then(|| String::from_utf8(bytes).expect("a text in UTF-8")));
    }
    assert!(archive.index_for_name("mimetype") == Some(0), "{:?}", files.keys());
    files.values().flatten().for_each(|text| characters(text));
    let texts = files.iter().filter_map(|(name, text)| Some((name.as_str(), text.as_deref()?)));
    let trees: BTreeMap<&str, Xml<'_>> = texts
        .filter(|(name, _)| matches!(extension(name), "xhtml" | "opf" | "xml"))
        .map(|(name, text)| {
            let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
            let tree = Xml::parse_with_options(text, options);
            (name, tree.unwrap_or_else(|error| panic!("{error} in `{name}`:\n{text}")))
        })
        .collect();
    let mut places: BTreeSet<(&str, &str)> = files.keys().map(|name| (name.as_str(), "")).collect();
    for (name, tree) in &trees {
        for id in tree.descendants().filter_map(|node| node.attribute("id")) {
            assert!(places.insert((*name, id)), "`{id}` twice in `{name}`:\n{}", tree.input_text());
        }
    }
    for (name, tree) in trees.iter().filter(|(name, _)| extension(name) == "xhtml") {
        for node in tree.descendants().filter(roxmltree::Node::is_element) {
            let found = Found {
                namespace: node.tag_name().namespace().unwrap_or_default(),
                name: node.tag_name().name(),
                parent: node.parent_element().map_or("", |parent| parent.tag_name().name()),
                // `xml:lang` and `epub:type` are the writer's own.
                attributes: node
                    .attributes()
                    .filter(|attribute| attribute.namespace().is_none())
                    .map(|attribute| (attribute.name(), attribute.value()))
                    .collect(),
            };
            let flaw = found.flaw().or_else(|| missing(&found, name, &places));
            if let Some(flaw) = flaw {
                panic!("{flaw} in `{name}`:\n{}", tree.input_text());
            }
        }
    }
}

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// Says which place of the file an element refers to, if the file lacks it.
fn missing(found: &Found<'_>, from: &str, places: &BTreeSet<(&str, &str)>) -> Option<String> {
    let address = found.value("href").or_else(|| found.value("src"))?;
    let (name, anchor) = address.split_once('#').unwrap_or((address, ""));
    let name = if name.is_empty() { from.to_owned() } else { format!("EPUB/{name}") };
    let is_missing = !address.contains(':') && !places.contains(&(name.as_str(), anchor));
    is_missing.then(|| format!("link to `{address}`, which is missing,"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn what_is_active_is_found() {
        for markup in [
            "<script>x()</script>",
            "<p onclick=x()>a",
            "<p style='background:url(//b.test)'>a",
            "<a href='javascript:x()'>a</a>",
            "<a href='\tjavascript:x()'>a</a>",
            "<a href='JAVASCRIPT:x()'>a</a>",
            "<a href='//b.test/'>a</a>",
            "<img src='data:image/svg+xml,x'>",
            "<iframe src='https://b.test/'></iframe>",
            "<object data=x></object>",
            "<svg><a href='https://b.test/'>a</a></svg>",
            "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=x()&gt;'>",
            "<meta http-equiv=refresh content='0;url=https://b.test/'>",
            "<p>a<style>b{}</style>",
            "<head><style>a{}</style><style>b{}</style>",
            "<base href='https://b.test/'>",
            "<form action='https://b.test/'>",
            "<input type=text>",
            "<template><script>x()</script></template>",
            "<noscript><p>x</p></noscript>",
        ] {
            assert!(flaw_of_html(markup).is_some(), "{markup}");
            assert!(catch_unwind(|| markdown(markup)).is_err(), "{markup}");
        }
        assert_eq!(
            flaw_of_html("<p lang=en>a <a href='https://b.test/' title=t>b</a><math><mi>x</mi></math>"),
            None
        );
    }

    #[test]
    fn what_markdown_could_hold_is_found() {
        markdown("a &lt;b < c `<c>` [d](https://e.test/) $f$ [^1]\n\n[^1]: <a id=\"p1-x\"></a>g\n\n- [ ] h");
        for text in ["[a](javascript:x)", "![a](data:x)", "a \\<b>", "<javascript:x>", "$<script>$"] {
            assert!(catch_unwind(|| markdown(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn control_characters_are_found() {
        characters("a\tb\nc\u{a0}é漢");
        for text in ["\u{1b}[1m", "\r", "\u{7f}", "\u{9b}", "\0"] {
            assert!(catch_unwind(|| characters(text)).is_err(), "{text:?}");
        }
    }
}
