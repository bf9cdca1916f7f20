//! HTML: the elements and attributes of an allow-list, nothing else.
//!
//! What is not on the list is not written, so nothing active can get through: no script, no style, no form, no
//! frame, no event handler. Text below an element that is not on the list is kept; the element becomes a
//! `div` if it stands on lines of its own. What is written goes through a sanitiser of others, is read back and
//! written again ([`walled`]).

use super::above::{byline_above, title_above};
use super::wall::sanitised;
use crate::anchor::{is_ours, page_anchor};
use crate::document::Document;
use crate::images::ImageSources;
use crate::reading::{Piece, TableKind, mathml, pieces};
use crate::shape::{Cut, Glue, Rest, Shape};
use std::fmt::Write;
use tsugi_page::walk::Step;
use tsugi_page::{Namespace, NodeId, NodeKind, Page, Url, address};

/// Elements that may stand anywhere.
pub(super) const ALLOWED: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "cite", "code", "dd",
    "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "mark", "nav", "ol", "p", "pre", "q",
    "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table",
    "time", "u", "ul", "var", "wbr",
];

/// Elements that may stand in some others alone; elsewhere a parser would drop them.
pub(super) const TABLE_PARTS: &[(&str, &[&str])] = &[
    ("caption", &["table"]),
    ("thead", &["table"]),
    ("tbody", &["table"]),
    ("tfoot", &["table"]),
    ("tr", &["thead", "tbody", "tfoot"]),
    ("td", &["tr"]),
    ("th", &["tr"]),
];

/// The address of markup that is read back.
const NOWHERE: &str = "https://document.invalid/";

/// Elements of `MathML`, which may stand in `math` and in each other alone. What holds anything else than formulas
/// (`annotation`) is not among them.
pub(super) const MATH: &[&str] = &[
    "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
];

/// Attributes of `MathML` that say how a formula is read; their values are names, numbers and signs.
pub(super) const MATH_ATTRIBUTES: &[&str] = &[
    "accent", "accentunder", "close", "columnalign", "columnspan", "depth", "display", "displaystyle",
    "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize",
    "movablelimits", "notation", "open", "rowspan", "rspace", "scriptlevel", "separator", "separators",
    "stretchy", "symmetric", "voffset", "width",
];

const VOID: &[&str] = &["br", "hr", "img", "wbr"];

/// Markup that is written: HTML, or HTML in the syntax of XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Html,
    Xml,
}

/// How the file looks: one column, the colours of the reader's choice.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{max-width:42rem;margin:0 auto;padding:1.5rem 1rem 4rem;font:1.0625rem/1.65 Georgia,'Noto Serif',serif;overflow-wrap:break-word}\
h1,h2,h3,h4,h5,h6{font-family:system-ui,sans-serif;line-height:1.25;margin:2em 0 .6em}\
h1{font-size:1.8rem;margin-top:.5em}\
img{max-width:100%;height:auto}\
figure{margin:1.5em 0}\
figcaption,caption,header p,section>footer{font:.85rem/1.5 system-ui,sans-serif;opacity:.75}\
pre{overflow-x:auto;padding:.75rem 1rem;border:1px solid;border-radius:.25rem;line-height:1.4}\
code,kbd,samp{font-size:.9em}\
blockquote{margin:1.5em 0;padding-left:1rem;border-left:.2rem solid}\
table{border-collapse:collapse;display:block;overflow-x:auto}\
td,th{border:1px solid;padding:.3rem .6rem;text-align:start;vertical-align:top}\
section>footer{margin:1.5em 0;border-bottom:1px dotted}\
";

/// The SHA-256 of [`STYLE`] in base64: the file's policy allows this style and no other.
const STYLE_HASH: &str = "/CS1GgTkbkehIzdqwhJCokirj/k6t3JbrQoQElW74zE=";

/// Writes a whole file.
pub(super) fn file(document: &Document, images: Option<&ImageSources>) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html");
    if let Some(lang) = document.lang.as_deref().filter(|lang| is_language(lang)) {
        push_attribute(&mut out, "lang", lang);
    }
    let _ = write!(
        out,
        ">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src http: https:{}; \
         style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>",
        if images.is_some() { " data: 'self' file:" } else { "" }
    );
    push_text(&mut out, document.title.as_deref().unwrap_or(document.url.as_str()));
    out.push_str("</title>\n");
    let authors = document.authors.iter().map(|author| ("author", author));
    let published = document.published.iter().map(|date| ("dcterms.issued", date));
    let modified = document.modified.iter().map(|date| ("dcterms.modified", date));
    let description = document.description.iter().map(|text| ("description", text));
    let tags = (!document.tags.is_empty()).then(|| document.tags.join(", "));
    let tags = tags.iter().map(|tags| ("keywords", tags));
    for (name, value) in authors.chain(published).chain(modified).chain(description).chain(tags) {
        out.push_str("<meta");
        push_attribute(&mut out, "name", name);
        push_attribute(&mut out, "content", value);
        out.push_str(">\n");
    }
    if let Some(canonical) = &document.canonical {
        out.push_str("<link rel=\"canonical\"");
        push_attribute(&mut out, "href", canonical.as_str());
        out.push_str(">\n");
    }
    out.push_str("<style>");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
    let (title, byline) = (title_above(document), byline_above(document));
    if title.is_some() || byline.is_some() {
        out.push_str("<header>\n");
        for (text, tag) in [(title, "h1"), (byline.as_deref(), "p")] {
            let Some(text) = text else { continue };
            let _ = write!(out, "<{tag}>");
            push_text(&mut out, text);
            let _ = writeln!(out, "</{tag}>");
        }
        out.push_str("</header>\n");
    }
    for (index, page) in document.pages.iter().enumerate() {
        let mut source = String::from("\n<footer>");
        if address::is_web(&page.url) {
            source.push_str("<a");
            push_attribute(&mut source, "href", page.url.as_str());
            source.push('>');
            push_text(&mut source, page.url.as_str());
            source.push_str("</a>");
        } else {
            push_text(&mut source, page.url.as_str());
        }
        source.push_str("</footer>");
        let html = with_images(of_page(document, index), images);
        push_section(&mut out, index, &page.url, Some(&source), &html);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Writes the content of all pages, a section each.
pub(super) fn sections(document: &Document) -> String {
    let mut out = String::new();
    for (index, page) in document.pages.iter().enumerate() {
        push_section(&mut out, index, &page.url, None, &of_page(document, index));
    }
    out
}

/// Writes the content of one page of a document; nothing where there is no such page.
pub(super) fn of_page(document: &Document, index: usize) -> String {
    let Some((shape, rests)) = document.shapes(index, None) else { return String::new() };
    walled(&content(shape, &rests))
}

/// Adds the section of one page.
fn push_section(out: &mut String, index: usize, url: &Url, footer: Option<&str>, html: &str) {
    out.push_str("<section");
    push_attribute(out, "id", &page_anchor(index));
    push_attribute(out, "data-source", url.as_str());
    out.push_str(">\n");
    out.push_str(html);
    out.push_str(footer.unwrap_or_default());
    out.push_str("\n</section>\n");
}

/// Writes the content of one page.
pub(super) fn content(shape: Shape<'_>, rests: &[Rest<'_>]) -> String {
    let mut writer = Writer::new(Syntax::Html);
    writer.content(shape, rests);
    writer.out
}

/// Writes one node.
pub(super) fn of_node(shape: Shape<'_>, id: NodeId) -> String {
    let mut writer = Writer::new(Syntax::Html);
    writer.subtree(Shape { images: None, ..shape }, id, false, &[]);
    with_images(walled(&writer.out), shape.images)
}

/// Writes markup that passed both walls again, if its images are elsewhere now. What the writer writes is settled; only the
/// addresses of images are others.
fn with_images(html: String, images: Option<&ImageSources>) -> String {
    let (Some(_), Ok(nowhere)) = (images, Url::parse(NOWHERE)) else { return html };
    let page = read_back(&html, &nowhere);
    let cut = our_body(&page, |anchor| format!("#{anchor}"));
    content(Shape { images, ..Shape::of(&page, &cut) }, &[])
}

/// Writes what a page's `body` holds, `ids` and `links` as they are given, in the syntax of XML.
pub(super) fn xml(shape: Shape<'_>) -> String {
    let mut writer = Writer::new(Syntax::Xml);
    writer.content(shape, &[]);
    writer.out
}

/// Makes sure of markup that we wrote: has it sanitised, then reads it back as a browser does and writes it again
/// until that changes nothing. The last word is ours: the sanitiser leaves `<` as it is in values of attributes.
/// It takes a blank first line out of a `pre`.
pub(super) fn walled(html: &str) -> String {
    settled(&sanitised(html))
}

/// Reads markup back as a browser does, and writes it again by the same list, until that changes nothing.
///
/// What is on the list is harmless as long as a reader's parser makes the tree of it that was meant; markup that
/// is read otherwise than it was written is how sanitisers are passed. What does not settle is reduced to its text.
pub(super) fn settled(html: &str) -> String {
    /// How often it is read back. Two suffice for all that was ever seen.
    const ROUNDS: usize = 4;
    let Ok(nowhere) = Url::parse(NOWHERE) else { return String::new() };
    let mut markup = html.to_owned();
    for _ in 0..ROUNDS {
        let page = read_back(&markup, &nowhere);
        let cut = our_body(&page, |anchor| format!("#{anchor}"));
        let again = content(Shape::of(&page, &cut), &[]);
        if again == markup {
            return markup;
        }
        markup = again;
    }
    let mut text = String::from("<p>");
    push_text(&mut text, &read_back(&markup, &nowhere).text(NodeId::DOCUMENT));
    text.push_str("</p>");
    text
}

/// Parses markup that we wrote, as it is parsed in the files that it is part of.
pub(super) fn read_back(markup: &str, url: &Url) -> Page {
    Page::from_text(&format!("<!DOCTYPE html>{markup}"), url)
}

/// The body of a page that we wrote, with the `id`s and links within the document that it has; `lead` makes an
/// address of an `id`.
pub(super) fn our_body(page: &Page, lead: impl Fn(&str) -> String) -> Cut {
    let mut cut = Cut::of_body(page);
    for id in page.elements() {
        if let Some(name) = page.attribute(id, "id").filter(|name| is_ours(name)) {
            cut.ids.insert(id, name.to_owned());
        }
        let href = page.attribute(id, "href").and_then(|href| href.strip_prefix('#'));
        if let Some(name) = href.filter(|name| is_ours(name) && page.is(id, "a")) {
            cut.links.insert(id, lead(name));
        }
    }
    cut
}

#[derive(Debug)]
struct Writer {
    syntax: Syntax,
    out: String,
    /// What was written for each open node.
    open: Vec<Option<&'static str>>,
    /// How many links are open.
    links: usize,
    after_pre: bool,
}

impl Writer {
    fn new(syntax: Syntax) -> Writer {
        Writer { syntax, out: String::new(), open: Vec::new(), links: 0, after_pre: false }
    }

    fn content(&mut self, shape: Shape<'_>, rests: &[Rest<'_>]) {
        for root in &shape.nodes {
            if !self.out.is_empty() {
                self.out.push('\n');
            }
            self.subtree(shape, *root, shape.inner, rests);
        }
    }

    /// Writes a node, or what it holds alone.
    fn subtree(&mut self, shape: Shape<'_>, root: NodeId, inner: bool, rests: &[Rest<'_>]) {
        let page = shape.page;
        let mut walk = page.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) | Step::Leave(id) if inner && id == root => {}
                Step::Enter(id) if shape.leaves_out(id) => {
                    // As in text: what is left out parts the words around it.
                    let class = page.class(id);
                    let is_text = page.is_element(id) && page.totals(id).characters > 0;
                    if is_text && !class.hidden && !class.line && !self.out.ends_with([' ', '\n']) {
                        self.out.push(' ');
                    }
                    self.open.push(None);
                    walk.skip_children();
                }
                Step::Enter(id) if self.whole(shape, id) => {
                    self.open.push(None);
                    walk.skip_children();
                }
                Step::Enter(id) => self.enter(shape, id),
                Step::Leave(id) => {
                    if rests.first().is_some_and(|rest| rest.seam.before == id) {
                        for rest in rests {
                            self.rest(rest);
                        }
                    }
                    self.leave(page, id);
                }
            }
        }
    }

    /// Writes what another page holds of a paragraph.
    fn rest(&mut self, rest: &Rest<'_>) {
        let Rest { seam, shape } = rest;
        if seam.glue == Glue::Space {
            self.out.push(' ');
        }
        if let Some(anchor) = seam.after.block().and_then(|block| shape.ids.get(&block)) {
            self.push_anchor(anchor);
        }
        for id in seam.after.nodes(shape.page) {
            self.subtree(*shape, id, false, &[]);
        }
    }

    /// Writes what is no text of its own: a formula, or what a document cannot show; true if the node is that.
    fn whole(&mut self, shape: Shape<'_>, id: NodeId) -> bool {
        let page = shape.page;
        if let Some(formula) = shape.reading.formulas.get(&id) {
            match (formula.math, &formula.tex) {
                (Some(math), tex) => self.math(shape, math, tex.as_deref()),
                // A picture of a formula shows it, and says it in its alternative text.
                (None, _) if page.is(id, "img") && shape.shown.images => return false,
                (None, Some(tex)) => self.tex(tex, formula.display),
                (None, None) => {}
            }
            return true;
        }
        let Some(media) = shape.reading.media.get(&id) else { return false };
        let label = shape.label(media);
        if self.links > 0 || !shape.shown.links {
            self.push_text(label);
        } else {
            self.out.push_str("<a");
            self.push_attribute("href", &media.address);
            self.out.push('>');
            self.push_text(label);
            self.out.push_str("</a>");
        }
        true
    }

    /// Writes a formula that the page holds as TeX alone: as `MathML`, or as it is where that cannot be made of it.
    fn tex(&mut self, tex: &str, display: bool) {
        match mathml(tex, display) {
            // Only the library's markup is written without escapes; like all markup, it goes through the walls.
            Some(markup) => {
                let tex = start_tag("math", "alttext", tex);
                self.out.push_str(&markup.replacen("<math", tex.trim_end_matches('>'), 1));
            }
            None if display => self.push_text(&format!("\\[{tex}\\]")),
            None => self.push_text(&format!("\\({tex}\\)")),
        }
    }

    /// Writes a `math` element, with the TeX of the formula.
    fn math(&mut self, shape: Shape<'_>, math: NodeId, tex: Option<&str>) {
        let page = shape.page;
        let mut walk = page.walk(math);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if id == math => {
                    let written = self.push_start(shape, id, "math", tex).then_some("math");
                    self.open.push(written);
                }
                Step::Enter(id) if page.kind(id) == NodeKind::Text || math_tag(page, id).is_some() => {
                    self.enter(shape, id);
                }
                Step::Enter(_) => {
                    self.open.push(None);
                    walk.skip_children();
                }
                Step::Leave(id) => self.leave(page, id),
            }
        }
    }

    fn enter(&mut self, shape: Shape<'_>, id: NodeId) {
        let page = shape.page;
        if page.kind(id) == NodeKind::Text {
            let text = shape.text(id);
            if self.after_pre && text.starts_with('\n') && self.syntax == Syntax::Html {
                // A parser drops the first newline of a `pre`.
                self.out.push('\n');
            }
            if shape.reading.tex.contains(&id) {
                for piece in pieces(text, shape.reading.dollars) {
                    match piece {
                        Piece::Text(text) => self.push_text(text),
                        Piece::Tex { tex, display } => self.tex(tex, display),
                    }
                }
            } else {
                self.push_text(text);
            }
            self.after_pre = false;
            self.open.push(None);
            return;
        }
        let parent = self.open.iter().rev().find_map(|tag| *tag);
        let anchor = shape.ids.get(&id);
        let tag = tag_for(shape, id, parent).filter(|tag| *tag != "a" || self.links == 0);
        let tag = tag.filter(|tag| *tag != "span");
        let written = tag.filter(|tag| self.push_start(shape, id, tag, None));
        if written.is_none()
            && let Some(anchor) = anchor
        {
            self.push_anchor(anchor);
        } else if page.class(id).cell && written.is_none() {
            self.out.push(' ');
        } else if tag == Some("img")
            && written.is_none()
            && shape.images.is_some_and(|images| !images.others_stay)
        {
            self.push_text(page.attribute(id, "alt").unwrap_or_default());
        }
        self.after_pre = written == Some("pre");
        self.links += usize::from(written == Some("a"));
        self.open.push(written);
    }

    /// Writes a place that links lead to, of what is not written as an element of its own.
    fn push_anchor(&mut self, anchor: &str) {
        self.out.push_str("<span");
        self.push_attribute("id", anchor);
        self.out.push_str("></span>");
    }

    /// Writes a start tag; false if the element is no use without an address that it lacks. `tex` is the TeX of a `math`
    /// element that does not say it itself.
    fn push_start(&mut self, shape: Shape<'_>, id: NodeId, tag: &'static str, tex: Option<&str>) -> bool {
        let page = shape.page;
        let mut attributes: Vec<(&str, String)> = Vec::new();
        let value = |name| page.attribute(id, name).map(str::trim);
        let one_of =
            |name, allowed: &[&str]| value(name).filter(|value| allowed.contains(value)).map(str::to_owned);
        let number = |name| {
            let number: i32 = value(name)?.parse().ok()?;
            Some(number.to_string())
        };
        let positive = |name, most: u16| {
            let number: u16 = value(name)?.parse().ok()?;
            (1..=most).contains(&number).then(|| number.to_string())
        };
        let mut add = |name, value: Option<String>| attributes.extend(value.map(|value| (name, value)));
        match tag {
            "a" => match shape.link(id) {
                Some(address) => add("href", Some(address)),
                None => return false,
            },
            "img" => match shape.image(id) {
                Some(address) => {
                    add("src", Some(address));
                    add("alt", Some(value("alt").unwrap_or_default().to_owned()));
                    add("width", positive("width", u16::MAX));
                    add("height", positive("height", u16::MAX));
                }
                None => return false,
            },
            "td" | "th" => {
                add("colspan", positive("colspan", 1000));
                add("rowspan", positive("rowspan", 65_534));
                add("scope", one_of("scope", &["row", "col", "rowgroup", "colgroup"]));
            }
            "ol" => {
                add("start", number("start"));
                add("type", one_of("type", &["1", "a", "A", "i", "I"]));
                add("reversed", value("reversed").map(|_| String::new()));
            }
            "li" => add("value", number("value")),
            // Nothing that was written is behind a click; some reading systems know none.
            "details" => add("open", Some(String::new())),
            _ if page.namespace(id) == Namespace::MathMl => {
                if tag == "math" {
                    add("xmlns", (self.syntax == Syntax::Xml).then(|| MATH_NAMESPACE.to_owned()));
                    add("alttext", tex.or(value("alttext")).map(str::to_owned));
                }
                for name in MATH_ATTRIBUTES {
                    add(name, value(name).filter(|value| is_plain_value(value)).map(str::to_owned));
                }
            }
            "time" => {
                let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '+' | ' ');
                add("datetime", value("datetime").filter(|date| date.chars().all(plain)).map(str::to_owned));
            }
            "blockquote" | "q" | "del" | "ins" => {
                add(
                    "cite",
                    value("cite")
                        .filter(|_| shape.shown.links)
                        .and_then(|href| page.resolve(href))
                        .filter(address::is_web)
                        .map(String::from),
                );
            }
            _ => {}
        }
        if matches!(tag, "a" | "abbr" | "dfn" | "img") {
            add("title", value("title").map(str::to_owned));
        }
        add("id", shape.ids.get(&id).cloned());
        add("lang", value("lang").filter(|lang| is_language(lang)).map(str::to_owned));
        add("dir", one_of("dir", &["ltr", "rtl", "auto"]));
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.push_attribute(name, &value);
        }
        self.out.push_str(if self.syntax == Syntax::Xml && VOID.contains(&tag) { "/>" } else { ">" });
        true
    }

    fn leave(&mut self, page: &Page, id: NodeId) {
        let written = self.open.pop().flatten();
        self.after_pre = false;
        self.links -= usize::from(written == Some("a"));
        if let Some(tag) = written.filter(|tag| !VOID.contains(tag)) {
            self.out.push_str("</");
            self.out.push_str(tag);
            self.out.push('>');
        } else if page.class(id).cell && written.is_none() {
            self.out.push(' ');
        }
    }

    fn push_attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.push_text(value);
        self.out.push('"');
    }

    fn push_text(&mut self, text: &str) {
        match self.syntax {
            Syntax::Html => push_text(&mut self.out, text),
            Syntax::Xml => push_xml_text(&mut self.out, text),
        }
    }
}

/// The namespace that XML wants to be named.
const MATH_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";

/// Says whether a value of `MathML` is a name, a number, a length or a sign.
fn is_plain_value(value: &str) -> bool {
    value.chars().count() <= 40 && !value.contains(['<', '>', '"', '\'', '&', ':', '/', '\\', '`'])
}

/// Returns the name under which an element is written, if it is.
fn tag_for(shape: Shape<'_>, id: NodeId, parent: Option<&str>) -> Option<&'static str> {
    let page = shape.page;
    if !page.is_html(id) {
        // Without a `math` around them these would be no formula.
        let tag = math_tag(page, id)?;
        let is_inside = parent.is_some_and(|parent| MATH.binary_search(&parent).is_ok());
        return (is_inside != (tag == "math")).then_some(tag);
    }
    // HTML within formulas is how sanitisers are passed.
    if parent.is_some_and(|parent| MATH.binary_search(&parent).is_ok()) {
        return None;
    }
    let tag = page.tag(id);
    if tag == "table" && shape.reading.tables.get(&id) == Some(&TableKind::Layout) {
        return Some("div");
    }
    if let Ok(index) = ALLOWED.binary_search(&tag) {
        return Some(ALLOWED[index]);
    }
    if let Some((part, parents)) = TABLE_PARTS.iter().find(|(part, _)| *part == tag)
        && parent.is_some_and(|parent| parents.contains(&parent))
    {
        return Some(part);
    }
    let is_group = matches!(tag, "thead" | "tbody" | "tfoot");
    (page.class(id).line && !is_group).then_some("div")
}

fn math_tag(page: &Page, id: NodeId) -> Option<&'static str> {
    let is_math = page.namespace(id) == Namespace::MathMl;
    is_math.then(|| MATH.binary_search(&page.tag(id)).ok()).flatten().map(|index| MATH[index])
}

/// Writes a start tag with one attribute.
pub(super) fn start_tag(tag: &str, name: &str, value: &str) -> String {
    let mut out = format!("<{tag}");
    push_attribute(&mut out, name, value);
    out.push('>');
    out
}

/// Says whether a text could be a language tag.
pub(super) fn is_language(text: &str) -> bool {
    (1..=35).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value);
    out.push('"');
}

/// Text in XML: it knows no names of characters, and some characters may not stand in it at all.
pub(super) fn push_xml_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\u{a0}' => out.push_str("&#160;"),
            '\t' | '\n' => out.push(c),
            // Texts of old have one at each break of a printed page.
            '\u{c}' => out.push('\n'),
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => push_escaped(out, c),
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\u{a0}' => out.push_str("&nbsp;"),
            '\u{0}' => out.push('\u{fffd}'),
            _ => push_escaped(out, c),
        }
    }
}

/// A character that markup may read as its own, in HTML as in XML.
fn push_escaped(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        _ => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use sha2::{Digest, Sha256};

    #[test]
    fn the_hash_is_that_of_the_style() {
        assert_eq!(BASE64_STANDARD.encode(Sha256::digest(STYLE)), STYLE_HASH);
    }

    #[test]
    fn the_list_is_in_order() {
        assert!(ALLOWED.is_sorted() && MATH.is_sorted());
    }
}
