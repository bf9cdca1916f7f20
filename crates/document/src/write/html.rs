//! HTML: the elements and attributes of an allow-list, and nothing else.
//!
//! Nothing active gets through: no script, no style, no form, no frame, no event handler. An element that is not on the
//! list becomes a `div` if it has lines of its own, and its text is kept. What is written goes through a third-party
//! sanitiser, is parsed again and written again ([`walled`]).

use super::above::{byline_above, title_above};
use super::wall::sanitised;
use crate::anchor::{is_ours, page_anchor};
use crate::document::Document;
use crate::images::ImageSources;
use crate::reading::{Piece, TableKind, mathml, pieces};
use crate::shape::{Cut, Glue, Rest, Shape};
use std::fmt::Write;
use tsugi_page::text::without_controls;
use tsugi_page::walk::Step;
use tsugi_page::{Namespace, NodeId, NodeKind, Page, Url, address};

/// Elements allowed anywhere.
pub(super) const ALLOWED: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "cite", "code", "dd",
    "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "mark", "nav", "ol", "p", "pre", "q",
    "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table",
    "time", "u", "ul", "var", "wbr",
];

/// Elements allowed only in certain others; a parser would drop them elsewhere.
pub(super) const TABLE_PARTS: &[(&str, &[&str])] = &[
    ("caption", &["table"]),
    ("thead", &["table"]),
    ("tbody", &["table"]),
    ("tfoot", &["table"]),
    ("tr", &["thead", "tbody", "tfoot"]),
    ("td", &["tr"]),
    ("th", &["tr"]),
];

/// The address of markup that is parsed again.
const NOWHERE: &str = "https://document.invalid/";

/// `MathML` elements, allowed only in `math` and in each other. `annotation`, which can hold anything, is not among them.
pub(super) const MATH: &[&str] = &[
    "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
];

/// `MathML` attributes that affect how a formula is read. Their values are names, numbers and signs.
pub(super) const MATH_ATTRIBUTES: &[&str] = &[
    "accent", "accentunder", "close", "columnalign", "columnspan", "depth", "display", "displaystyle",
    "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize",
    "movablelimits", "notation", "open", "rowspan", "rspace", "scriptlevel", "separator", "separators",
    "stretchy", "symmetric", "voffset", "width",
];

const VOID: &[&str] = &["br", "hr", "img", "wbr"];

/// Elements that are part of a text; the others have lines or cells of their own.
const PHRASING: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark",
    "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// Elements whose place means something, even if they are empty: others are counted or read by it.
const PLACES: &[&str] =
    &["dd", "dt", "rp", "rt", "ruby", "summary", "tbody", "td", "tfoot", "th", "thead", "tr"];

/// Longest markup that is looked through for something to show, in bytes. A longer one is taken for something, so that the time stays
/// linear whatever a page repeats or nests.
const MOST_LOOKED_AT: usize = 1_000;

/// The syntax of the written markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Html,
    Xml,
}

/// The style of the file: one column, in the reader's choice of light or dark.
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

/// The SHA-256 of [`STYLE`] in base64: the only style that the file's policy allows.
const STYLE_HASH: &str = "/CS1GgTkbkehIzdqwhJCokirj/k6t3JbrQoQElW74zE=";

/// Returns a whole file.
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

/// Returns the content of all pages, one section each.
pub(super) fn sections(document: &Document) -> String {
    let mut out = String::new();
    for (index, page) in document.pages.iter().enumerate() {
        push_section(&mut out, index, &page.url, None, &of_page(document, index));
    }
    out
}

/// Returns the content of one page of a document; empty if there is no such page.
pub(super) fn of_page(document: &Document, index: usize) -> String {
    let Some((shape, rests)) = document.shapes(index, None) else { return String::new() };
    walled(&content(shape, &rests))
}

/// Returns the content of one page of a document, with its own part of each cut paragraph.
pub(super) fn of_page_apart(document: &Document, index: usize) -> String {
    let Some(page) = document.pages.get(index) else { return String::new() };
    walled(&content(Shape::of(&page.page, &page.cut.apart()), &[]))
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

/// Returns the content of one page, before it passes the walls.
pub(super) fn content(shape: Shape<'_>, rests: &[Rest<'_>]) -> String {
    let mut writer = Writer::new(Syntax::Html);
    writer.content(shape, rests);
    writer.out
}

/// Returns one node.
pub(super) fn of_node(shape: Shape<'_>, id: NodeId) -> String {
    let mut writer = Writer::new(Syntax::Html);
    writer.subtree(Shape { images: None, ..shape }, id, false, &[]);
    with_images(walled(&writer.out), shape.images)
}

/// Returns markup that passed both walls with the new places of its images. The markup is settled; only those addresses
/// change.
fn with_images(html: String, images: Option<&ImageSources>) -> String {
    let (Some(_), Ok(nowhere)) = (images, Url::parse(NOWHERE)) else { return html };
    let page = read_back(&html, &nowhere);
    let cut = our_body(&page, |anchor| format!("#{anchor}"));
    content(Shape { images, ..Shape::of(&page, &cut) }, &[])
}

/// Returns what a page's `body` holds in XML syntax, with the given `ids` and `links`.
pub(super) fn xml(shape: Shape<'_>) -> String {
    let mut writer = Writer::new(Syntax::Xml);
    writer.content(shape, &[]);
    writer.out
}

/// Returns markup made safe: sanitised, then parsed as a browser does and written again until nothing changes. Our writer
/// has the last word, since the sanitiser leaves `<` in attribute values and removes a blank first line of a `pre`.
pub(super) fn walled(html: &str) -> String {
    settled(&sanitised(html))
}

/// Parses markup as a browser does, and writes it again by the same list, until nothing changes.
///
/// What is on the list is harmless as long as a parser builds the intended tree of it. Markup that is read otherwise than
/// it was written is how sanitisers are bypassed. Markup that does not settle is reduced to its text.
pub(super) fn settled(html: &str) -> String {
    /// How often to parse again. Two rounds were always enough.
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

/// Parses markup that we wrote, as part of a file.
pub(super) fn read_back(markup: &str, url: &Url) -> Page {
    Page::from_text(&format!("<!DOCTYPE html>{markup}"), url)
}

/// Returns the body of a page that we wrote, with its `id`s and its links within the document. `lead` turns an `id` into an
/// address.
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
    /// The tag written for each open node.
    open: Vec<Option<OpenTag>>,
    /// The number of open links.
    links: usize,
    after_pre: bool,
    /// How much is written up to the last end of a line or cell.
    boundary: usize,
}

/// A start tag without its end tag.
#[derive(Debug, Clone, Copy)]
struct OpenTag {
    tag: &'static str,
    /// Where it begins and ends.
    start: usize,
    end: usize,
    /// The last boundary before it.
    boundary: usize,
    /// `true` if links lead there.
    is_target: bool,
}

impl Writer {
    fn new(syntax: Syntax) -> Writer {
        Writer { syntax, out: String::new(), open: Vec::new(), links: 0, after_pre: false, boundary: 0 }
    }

    fn content(&mut self, shape: Shape<'_>, rests: &[Rest<'_>]) {
        for root in &shape.nodes {
            if !self.out.is_empty() {
                self.out.push('\n');
            }
            self.subtree(shape, *root, shape.inner, rests);
        }
    }

    /// Writes a node, or only what it holds.
    fn subtree(&mut self, shape: Shape<'_>, root: NodeId, inner: bool, rests: &[Rest<'_>]) {
        let page = shape.page;
        let mut walk = page.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) | Step::Leave(id) if inner && id == root => {}
                Step::Enter(id) if shape.leaves_out(id) => {
                    // As in text: what is left out separates the words around it.
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

    /// Writes the part of a paragraph that another page holds.
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

    /// Writes a formula or a player, which have no text of their own; true if the node is one.
    fn whole(&mut self, shape: Shape<'_>, id: NodeId) -> bool {
        let page = shape.page;
        if let Some(formula) = shape.reading.formulas.get(&id) {
            match (formula.math, &formula.tex) {
                (Some(math), tex) => self.math(shape, math, tex.as_deref()),
                // A picture of a formula stays; its alternative text is the formula.
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

    /// Writes a formula that the page holds only as TeX: as `MathML`, or as TeX if that fails.
    fn tex(&mut self, tex: &str, display: bool) {
        match mathml(tex, display) {
            // The library's markup is the only one written without escapes; like all markup, it goes through the walls.
            Some(markup) => {
                let tex = start_tag("math", "alttext", tex);
                self.out.push_str(&markup.replacen("<math", tex.trim_end_matches('>'), 1));
            }
            None if display => self.push_text(&format!("\\[{tex}\\]")),
            None => self.push_text(&format!("\\({tex}\\)")),
        }
    }

    /// Writes a `math` element with the TeX of the formula.
    fn math(&mut self, shape: Shape<'_>, math: NodeId, tex: Option<&str>) {
        let page = shape.page;
        let mut walk = page.walk(math);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if id == math => {
                    let written = self.push_start(shape, id, "math", tex);
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
        let parent = self.parent();
        let anchor = shape.ids.get(&id);
        let tag = tag_for(shape, id, parent).filter(|tag| *tag != "a" || self.links == 0);
        let tag = tag.filter(|tag| *tag != "span");
        let written = tag.and_then(|tag| self.push_start(shape, id, tag, None));
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
        let tag = written.map(|written| written.tag);
        self.after_pre = tag == Some("pre");
        self.links += usize::from(tag == Some("a"));
        self.open.push(written);
    }

    /// Returns the innermost open element that is written.
    fn parent(&self) -> Option<&'static str> {
        self.open.iter().rev().find_map(|open| open.map(|open| open.tag))
    }

    /// Writes an anchor for an element that is not written itself.
    fn push_anchor(&mut self, anchor: &str) {
        self.out.push_str("<span");
        self.push_attribute("id", anchor);
        self.out.push_str("></span>");
    }

    /// Writes a start tag; `None` if the element needs an address that it lacks. `tex` is the TeX of a `math` element without
    /// it.
    fn push_start(
        &mut self,
        shape: Shape<'_>,
        id: NodeId,
        tag: &'static str,
        tex: Option<&str>,
    ) -> Option<OpenTag> {
        let page = shape.page;
        let (start, boundary) = (self.out.len(), self.boundary);
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
                None => return None,
            },
            "img" => match shape.image(id) {
                Some(address) => {
                    add("src", Some(address));
                    add("alt", Some(value("alt").unwrap_or_default().to_owned()));
                    add("width", positive("width", u16::MAX));
                    add("height", positive("height", u16::MAX));
                }
                None => return None,
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
            // Show the content without a click, which some reading systems lack.
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
        let anchor = shape.ids.get(&id).cloned();
        let is_target = anchor.is_some();
        add("id", anchor);
        add("lang", value("lang").filter(|lang| is_language(lang)).map(str::to_owned));
        add("dir", one_of("dir", &["ltr", "rtl", "auto"]));
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.push_attribute(name, &value);
        }
        self.out.push_str(if self.syntax == Syntax::Xml && VOID.contains(&tag) { "/>" } else { ">" });
        let end = self.out.len();
        if !is_part_of_text(tag) {
            self.boundary = end;
        }
        Some(OpenTag { tag, start, end, boundary, is_target })
    }

    fn leave(&mut self, page: &Page, id: NodeId) {
        let written = self.open.pop().flatten();
        self.after_pre = false;
        self.links -= usize::from(written.is_some_and(|open| open.tag == "a"));
        if let Some(open) = written.filter(|open| !VOID.contains(&open.tag)) {
            if !self.take_back(open) {
                self.out.push_str("</");
                self.out.push_str(open.tag);
                self.out.push('>');
                if !is_part_of_text(open.tag) {
                    self.boundary = self.out.len();
                }
            }
        } else if page.class(id).cell && written.is_none() {
            self.out.push(' ');
        }
    }

    /// Removes the start tag of an element that shows nothing, as what held an advertisement or the title does; returns whether it
    /// does. An element that parts two lines stays, and so does one whose place means something.
    fn take_back(&mut self, OpenTag { tag, start, end, boundary, is_target }: OpenTag) -> bool {
        let is_place = PLACES.contains(&tag) || (tag == "li" && self.parent() == Some("ol"));
        let is_math = MATH.binary_search(&tag).is_ok();
        if is_target || is_place || is_math || !is_blank(&self.out[end..]) {
            return false;
        }
        if is_part_of_text(tag) {
            self.out.replace_range(start..end, "");
            return true;
        }
        if !is_open_only(&self.out[boundary..start]) {
            return false;
        }
        self.out.truncate(start);
        self.boundary = boundary;
        true
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

/// The namespace that XML must declare.
const MATH_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";

/// Returns `true` if a value of `MathML` is a name, a number, a length or a sign.
fn is_plain_value(value: &str) -> bool {
    value.chars().count() <= 40 && !value.contains(['<', '>', '"', '\'', '&', ':', '/', '\\', '`'])
}

/// Returns the name with which an element is written, if it is.
fn tag_for(shape: Shape<'_>, id: NodeId, parent: Option<&str>) -> Option<&'static str> {
    let page = shape.page;
    if !page.is_html(id) {
        // Parts of formulas need a `math` around them.
        let tag = math_tag(page, id)?;
        let is_inside = parent.is_some_and(|parent| MATH.binary_search(&parent).is_ok());
        return (is_inside != (tag == "math")).then_some(tag);
    }
    // HTML within formulas is how sanitisers are bypassed.
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

/// Returns `true` if an element begins and ends within a line.
fn is_part_of_text(tag: &str) -> bool {
    PHRASING.binary_search(&tag).is_ok() || MATH.binary_search(&tag).is_ok()
}

/// Returns `true` if markup is nothing but white space, and not much.
fn is_blank(markup: &str) -> bool {
    let mut parts = markup.split("&nbsp;").flat_map(|part| part.split("&#160;"));
    markup.len() <= MOST_LOOKED_AT && parts.all(|part| part.trim().is_empty())
}

/// Returns `true` if markup that we wrote is nothing but white space and tags of elements that show nothing by themselves.
fn is_open_only(markup: &str) -> bool {
    let mut parts = markup.split('<').enumerate();
    let shows_nothing = |(at, part): (usize, &str)| {
        let (tag, text) = if at == 0 { ("", part) } else { part.split_once('>').unwrap_or((part, "")) };
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        is_blank(text) && !VOID.contains(&name) && MATH.binary_search(&name).is_err()
    };
    markup.len() <= MOST_LOOKED_AT && parts.all(shows_nothing)
}

/// Returns a start tag with one attribute.
fn start_tag(tag: &str, name: &str, value: &str) -> String {
    let mut out = format!("<{tag}");
    push_attribute(&mut out, name, value);
    out.push('>');
    out
}

/// Returns `true` if a text could be a language tag.
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

/// Writes text in XML, which has no named characters and excludes some characters altogether.
pub(super) fn push_xml_text(out: &mut String, text: &str) {
    for c in without_controls(text).chars() {
        match c {
            '\u{a0}' => out.push_str("&#160;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => push_escaped(out, c),
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    for c in without_controls(text).chars() {
        match c {
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => push_escaped(out, c),
        }
    }
}

/// Writes a character, escaped if HTML or XML could read it as markup.
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
        assert!(ALLOWED.is_sorted() && MATH.is_sorted() && PHRASING.is_sorted());
    }
}
