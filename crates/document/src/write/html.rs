//! HTML: the elements and attributes of an allow-list, and nothing else.
//!
//! Nothing active gets through: no script, no style, no form, no frame, no event handler. An element that is not on the
//! list becomes a `div` if it has lines of its own, and its text is kept.
//!
//! HTML passes two walls. Our writer's list is the first. The second is a third-party sanitiser with the same list. The result
//! is then parsed as a browser does and written again until nothing changes ([`Settled`]), because markup that is read
//! otherwise than it was written is how sanitisers are bypassed. Our writer has the last word, since the sanitiser leaves `<` in
//! attribute values and removes a blank first line of a `pre`.

use super::above::{byline_above, chapter_above, title_above};
use super::elements::{ALLOWED, MATH, MATH_ATTRIBUTES, TABLE_PARTS, VOID, is_math, is_place};
use super::images::{ImageFile, ImagePlace, Images};
use super::markup::{Markup, Syntax, push_attribute, push_text};
use super::wall::sanitised;
use crate::addresses::image_text;
use crate::anchor::{is_ours, page_anchor};
use crate::document::Document;
use crate::images::ImageSources;
use crate::reading::{NumberStyle, Piece, TableKind, mathml, parts_code, pieces};
use crate::shape::{Glue, PageCut, PageShape, ParagraphRest};
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::ops::RangeInclusive;
use tsugi_page::walk::Step;
use tsugi_page::{Namespace, NodeId, NodeKind, Page, Tag, Url, address, escaped};

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
pre{unicode-bidi:plaintext}\
code,kbd,samp{unicode-bidi:isolate}\
blockquote{margin:1.5em 0;padding-inline-start:1rem;border-inline-start:.2rem solid}\
table{border-collapse:collapse;display:block;overflow-x:auto}\
td,th{border:1px solid;padding:.3rem .6rem;text-align:start;vertical-align:top}\
section>footer{margin:1.5em 0;border-bottom:1px dotted}\
";

/// How to write an HTML file.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlOptions<'a> {
    /// The images that the document carries, and where. Others are replaced by their alternative text. `None` leaves all
    /// images where they are.
    pub images: Option<(&'a Images, ImagePlace<'a>)>,
    /// CSS that follows the style of the file, and so overrides it.
    pub css: Option<&'a str>,
    /// An image above the title.
    pub cover: Option<&'a ImageFile>,
    /// What ends each page.
    pub page_marks: PageMarks,
}

/// What ends each page of an HTML file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PageMarks {
    /// Nothing.
    None,
    /// Its number, from 1.
    Number,
    /// Its address.
    #[default]
    Address,
}

pub(super) fn file(document: &Document, options: &HtmlOptions<'_>) -> String {
    let mut style = STYLE.to_owned();
    // The only text that ends a style element is its end tag; CSS reads the escape as the same character.
    style.push_str(&options.css.unwrap_or_default().replace("</", "<\\/"));
    let hash = BASE64_STANDARD.encode(Sha256::digest(&style));
    let mut out = String::from("<!DOCTYPE html>\n<html");
    if let Some(lang) = document.lang.as_deref().filter(|lang| is_language(lang)) {
        push_attribute(&mut out, "lang", lang, Syntax::Html);
    }
    let is_right_to_left = document.is_right_to_left();
    if is_right_to_left {
        push_attribute(&mut out, "dir", "rtl", Syntax::Html);
    }
    let images = match (&options.images, document.url.scheme()) {
        (Some(_), _) => "data: 'self' file:",
        (None, "file") => "http: https: data: file:",
        (None, _) if options.cover.is_some() => "http: https: data:",
        (None, _) => "http: https:",
    };
    let _ = write!(
        out,
        ">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src {images}; \
         style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n"
    );
    push_line(&mut out, "title", document.title.as_deref().unwrap_or(document.url.as_str()));
    push_metadata(&mut out, document);
    let _ = write!(out, "<style>{style}</style>\n</head>\n<body>\n");
    if let Some(cover) = options.cover {
        out.push_str("<img");
        push_attribute(&mut out, "src", &cover.data_address(), Syntax::Html);
        push_attribute(&mut out, "alt", "", Syntax::Html);
        out.push_str(">\n");
    }
    let (title, byline) = (title_above(document), byline_above(document));
    if title.is_some() || byline.is_some() {
        out.push_str("<header>\n");
        for (text, tag) in [(title, "h1"), (byline.as_deref(), "p")] {
            if let Some(text) = text {
                push_line(&mut out, tag, text);
            }
        }
        out.push_str("</header>\n");
    }
    let sources = options.images.map(|(images, place)| images.sources(place));
    for (index, page) in document.pages.iter().enumerate() {
        let mut html = String::new();
        if let Some(chapter) = chapter_above(document, index) {
            push_line(&mut html, "h1", chapter);
        }
        let content = of_page(document, index).map(|page| page.with_images(sources.as_ref()));
        html.push_str(&content.unwrap_or_default());
        push_mark(&mut html, index, &page.url, options.page_marks);
        let is_other = page.is_right_to_left(document.lang.as_deref()) != is_right_to_left;
        let dir = is_other.then_some(if is_right_to_left { "ltr" } else { "rtl" });
        push_section(&mut out, index, &page.url, dir, &html);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn push_metadata(out: &mut String, document: &Document) {
    let authors = document.authors.iter().map(|author| ("author", author));
    let published = document.published.iter().map(|date| ("dcterms.issued", date));
    let modified = document.modified.iter().map(|date| ("dcterms.modified", date));
    let description = document.description.iter().map(|text| ("description", text));
    let tags = (!document.tags.is_empty()).then(|| document.tags.join(", "));
    let tags = tags.iter().map(|tags| ("keywords", tags));
    for (name, value) in authors.chain(published).chain(modified).chain(description).chain(tags) {
        out.push_str("<meta");
        push_attribute(out, "name", name, Syntax::Html);
        push_attribute(out, "content", value, Syntax::Html);
        out.push_str(">\n");
    }
    if let Some(canonical) = &document.canonical {
        out.push_str("<link rel=\"canonical\"");
        push_attribute(out, "href", canonical.as_str(), Syntax::Html);
        out.push_str(">\n");
    }
}

fn push_mark(html: &mut String, index: usize, url: &Url, marks: PageMarks) {
    match marks {
        PageMarks::None => {}
        PageMarks::Number => {
            let _ = write!(html, "\n<footer>{}</footer>", index + 1);
        }
        PageMarks::Address => {
            html.push_str("\n<footer>");
            let is_web = address::is_web(url);
            if is_web {
                html.push_str("<a");
                push_attribute(html, "href", url.as_str(), Syntax::Html);
                html.push('>');
            }
            push_text(html, url.as_str(), Syntax::Html);
            html.push_str(if is_web { "</a></footer>" } else { "</footer>" });
        }
    }
}

pub(super) fn sections(document: &Document) -> String {
    let mut out = String::new();
    for (index, page) in document.pages.iter().enumerate() {
        let html = of_page(document, index).map(|page| page.html).unwrap_or_default();
        push_section(&mut out, index, &page.url, None, &html);
    }
    out
}

fn push_line(out: &mut String, tag: &str, text: &str) {
    let _ = write!(out, "<{tag}>");
    push_text(out, text, Syntax::Html);
    let _ = writeln!(out, "</{tag}>");
}

fn push_section(out: &mut String, index: usize, url: &Url, dir: Option<&str>, html: &str) {
    out.push_str("<section");
    push_attribute(out, "id", &page_anchor(index), Syntax::Html);
    if let Some(dir) = dir {
        push_attribute(out, "dir", dir, Syntax::Html);
    }
    push_attribute(out, "data-source", url.as_str(), Syntax::Html);
    let _ = write!(out, ">\n{html}\n</section>\n");
}

#[derive(Debug)]
pub(super) struct Settled {
    pub(super) html: String,
    /// The markup as a parser reads it. Our writer makes the same markup of this tree again.
    pub(super) tree: Page,
}

pub(super) fn of_page(document: &Document, index: usize) -> Option<Settled> {
    let (shape, rests) = document.shapes(index, None)?;
    Some(Settled::of(shape, &rests))
}

pub(super) fn of_page_apart(document: &Document, index: usize) -> Option<Settled> {
    let page = document.pages.get(index)?;
    Some(Settled::of(PageShape::of(&page.page, &page.cut.apart()), &[]))
}

pub(super) fn of_node(shape: PageShape<'_>, id: NodeId) -> String {
    let mut writer = HtmlWriter::new(Syntax::Html);
    writer.subtree(PageShape { images: None, ..shape }, id, false, &[]);
    let html = sanitised(&writer.markup.print(Syntax::Html));
    Settled::of_markup(html, shape.page.url()).with_images(shape.images)
}

pub(super) fn xml(shape: PageShape<'_>) -> String {
    written(shape, &[], Syntax::Xml)
}

fn written(shape: PageShape<'_>, rests: &[ParagraphRest<'_>], syntax: Syntax) -> String {
    let mut writer = HtmlWriter::new(syntax);
    for root in &shape.nodes {
        writer.markup.line_break();
        writer.subtree(shape, *root, shape.inner, rests);
    }
    writer.markup.print(syntax)
}

impl Settled {
    pub(super) fn of(shape: PageShape<'_>, rests: &[ParagraphRest<'_>]) -> Settled {
        Settled::of_markup(sanitised(&written(shape, rests, Syntax::Html)), shape.page.url())
    }

    /// Parses markup as a browser does, and writes it again by the same list, until nothing changes.
    ///
    /// Elements and attributes of the list are harmless as long as a parser builds the intended tree. Markup that does not settle
    /// is reduced to its text.
    pub(super) fn of_markup(mut html: String, url: &Url) -> Settled {
        /// How often to parse again. Two rounds were always enough.
        const ROUNDS: usize = 4;
        for _ in 0..ROUNDS {
            let tree = read_back(&html, url);
            let again = rewritten(&tree, None);
            if again == html {
                return Settled { html, tree };
            }
            html = again;
        }
        let text = read_back(&html, url).text(NodeId::DOCUMENT);
        let html = format!("<p>{}</p>", escaped(&text));
        Settled { tree: read_back(&html, url), html }
    }

    pub(super) fn with_images(self, images: Option<&ImageSources>) -> String {
        if images.is_some() { rewritten(&self.tree, images) } else { self.html }
    }
}

fn rewritten(page: &Page, images: Option<&ImageSources>) -> String {
    let cut = our_body(page, |anchor| format!("#{anchor}"));
    written(PageShape { images, ..PageShape::of(page, &cut) }, &[], Syntax::Html)
}

pub(super) fn read_back(markup: &str, url: &Url) -> Page {
    Page::from_text(&format!("<!DOCTYPE html>{markup}"), url)
}

/// Returns the body of a page that we wrote, with its `id`s and its links within the document. `lead` turns an `id` into an
/// address.
pub(super) fn our_body(page: &Page, lead: impl Fn(&str) -> String) -> PageCut {
    let mut cut = PageCut::of_body(page);
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
struct HtmlWriter {
    syntax: Syntax,
    markup: Markup,
    /// The tags of the open nodes; `None` for nodes that are not written themselves.
    open: Vec<Option<&'static str>>,
    links: usize,
    after_pre: bool,
    /// The open code blocks, and the open elements whose style keeps line breaks.
    code: Vec<NodeId>,
    kept_lines: Vec<NodeId>,
    /// Whether the line of code that is being written has begun.
    in_line: bool,
    /// How many elements are open in the markup.
    depth: usize,
    /// How many nodes are open below which only text is written.
    flat: Option<usize>,
    /// The open tables that are written as a `tbody` in a `table`.
    bare: Vec<NodeId>,
    /// The last parts of the open figures that no element holds.
    figures: Vec<NodeId>,
}

/// The deepest nesting of EPUB: readers of XML go down by recursion.
const DEEPEST: usize = 200;

/// Elements that hold no text of their own.
const HOLD_NO_TEXT: [&str; 11] =
    ["dl", "menu", "ol", "rp", "ruby", "table", "tbody", "tfoot", "thead", "tr", "ul"];

impl HtmlWriter {
    fn new(syntax: Syntax) -> HtmlWriter {
        HtmlWriter {
            syntax,
            markup: Markup::default(),
            open: Vec::new(),
            links: 0,
            after_pre: false,
            code: Vec::new(),
            kept_lines: Vec::new(),
            in_line: false,
            depth: 0,
            flat: None,
            bare: Vec::new(),
            figures: Vec::new(),
        }
    }

    fn subtree(&mut self, shape: PageShape<'_>, root: NodeId, inner: bool, rests: &[ParagraphRest<'_>]) {
        let page = shape.page;
        let mut walk = page.walk(root);
        while let Some(step) = walk.next() {
            if let Step::Enter(id) = step
                && let Some(caption) = shape.reading.figures.get(&id)
            {
                self.markup.start("figure", Vec::new(), false);
                self.figures.push(*caption);
            }
            match step {
                Step::Enter(id) | Step::Leave(id) if inner && id == root => {}
                Step::Enter(id) if shape.leaves_out(id) => {
                    // As in text, removed parts separate the words around them.
                    let class = page.class(id);
                    let is_text = page.is_element(id) && page.totals(id).characters > 0;
                    if is_text && !class.hidden && !class.line && self.code.is_empty() {
                        self.markup.gap();
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
            if let Step::Leave(id) = step
                && self.figures.pop_if(|caption| *caption == id).is_some()
            {
                self.markup.end();
            }
        }
    }

    fn rest(&mut self, rest: &ParagraphRest<'_>) {
        let ParagraphRest { seam, shape } = rest;
        if seam.glue == Glue::Space {
            self.markup.text(" ");
        }
        if let Some(anchor) = seam.after.block().and_then(|block| shape.ids.get(&block)) {
            self.anchor(anchor);
        }
        for id in seam.after.nodes(shape.page) {
            self.subtree(*shape, id, false, &[]);
        }
    }

    fn whole(&mut self, shape: PageShape<'_>, id: NodeId) -> bool {
        let page = shape.page;
        if let Some(formula) = shape.reading.formulas.get(&id) {
            match (formula.math, &formula.tex) {
                (Some(math), tex) => self.math(shape, math, tex.as_deref()),
                // A picture of a formula stays; its alternative text is the formula.
                (None, _) if page.is(id, "img") && shape.shown.images => return false,
                (None, Some(tex)) => self.tex(tex, formula.display, page.url()),
                (None, None) => {}
            }
            return true;
        }
        if let Some(name) = shape.reading.drawing(id) {
            self.markup.text(name);
            return true;
        }
        if shape.reading.pictures.contains(&id) {
            if !self.start(shape, id, "img", None) && shape.images.is_some() {
                self.markup.text(image_text(page, id));
            }
            return true;
        }
        let Some(media) = shape.reading.media.get(&id) else { return false };
        let is_link = self.links == 0 && shape.shown.links;
        if is_link {
            self.markup.start("a", vec![("href", media.address.clone())], false);
        }
        self.markup.text(shape.label(media));
        if is_link {
            self.markup.end();
        }
        true
    }

    fn tex(&mut self, tex: &str, display: bool, url: &Url) {
        // The library's markup is read and written like that of a page, so nothing is trusted that is not on the list.
        let page = mathml(tex, display).map(|markup| Page::from_text(&markup, url));
        if let Some(page) = page
            && let Some(math) = page.elements().find(|id| math_tag(&page, *id) == Some("math"))
        {
            self.math(PageShape::of(&page, &PageCut::default()), math, Some(tex));
        } else {
            self.markup.text(&if display { format!("\\[{tex}\\]") } else { format!("\\({tex}\\)") });
        }
    }

    fn math(&mut self, shape: PageShape<'_>, math: NodeId, tex: Option<&str>) {
        let page = shape.page;
        let mut walk = page.walk(math);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if id == math => {
                    let written = self.start(shape, id, "math", tex).then_some("math");
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

    fn enter(&mut self, shape: PageShape<'_>, id: NodeId) {
        let page = shape.page;
        let after_pre = std::mem::take(&mut self.after_pre);
        if page.kind(id) == NodeKind::Text {
            let text = shape.text(id);
            if page.class(id).apart {
                self.markup.gap();
            }
            let is_line_behind = self.code.is_empty() && !text.trim().is_empty() && begins_line(page, id);
            if is_line_behind && !self.parent().is_some_and(is_math) {
                self.markup.start("br", Vec::new(), true);
            }
            if after_pre && text.starts_with('\n') && self.syntax == Syntax::Html {
                // A parser drops the first newline of a `pre`.
                self.markup.text("\n");
            }
            if shape.reading.tex.contains(&id) {
                for piece in pieces(text, shape.reading.dollars) {
                    match piece {
                        Piece::Text(text) => self.markup.text(text),
                        Piece::Tex { tex, display } => self.tex(tex, display, page.url()),
                    }
                }
            } else {
                self.words(text);
            }
            self.open.push(None);
            return;
        }
        let class = page.class(id);
        // Its rows and paragraphs are lines, which a `pre` may not hold as elements.
        let is_in_box = self.code.first().is_some_and(|code| shape.reading.code_boxes.contains(code));
        let is_line = class.line && (is_in_box || !class.block);
        if !self.code.is_empty() && is_line && std::mem::take(&mut self.in_line) {
            // A line of code in an element of its own.
            self.markup.text("\n");
        }
        if class.lines {
            self.kept_lines.push(id);
        }
        if shape.reading.is_code_block(page, id) {
            self.code.push(id);
            self.in_line = false;
        }
        if class.apart || shape.reading.side_notes.binary_search(&id).is_ok() {
            self.markup.gap();
        }
        if self.code.is_empty()
            && begins_line(page, id)
            && !self.parent().is_some_and(|parent| HOLD_NO_TEXT.contains(&parent) || is_math(parent))
        {
            self.markup.start("br", Vec::new(), true);
        }
        let tag = tag_for(shape, id, self.parent())
            .filter(|tag| *tag != "span" && (*tag != "a" || self.links == 0))
            .filter(|_| !(is_in_box && (class.line || class.cell)))
            .filter(|_| !parts_code(page, &shape.reading.code_boxes, id));
        let parent = self.parent();
        let tag =
            if self.syntax == Syntax::Xml { tag.map(|tag| sound_tag(page, id, tag, parent)) } else { tag };
        let may_flatten = self.syntax == Syntax::Xml
            && self.depth >= DEEPEST
            && !parent.is_some_and(|parent| HOLD_NO_TEXT.contains(&parent) || is_math(parent));
        if self.flat.is_none() && may_flatten {
            self.flat = Some(self.open.len());
        }
        if class.label && tag.is_some() && self.flat.is_none() {
            self.markup.start("p", Vec::new(), false);
        }
        if self.flat.is_none() && tag == Some("tbody") && has_bare_rows(shape, id) {
            self.markup.start("table", Vec::new(), false);
            self.bare.push(id);
        }
        let written = tag
            .filter(|tag| self.flat.is_none() || VOID.contains(tag))
            .filter(|tag| self.start(shape, id, tag, None));
        if self.flat.is_some() && class.line {
            self.markup.gap();
        }
        if written.is_none() {
            if let Some(anchor) = shape.ids.get(&id) {
                self.anchor(anchor);
            } else if page.class(id).cell && self.code.is_empty() {
                self.markup.text(" ");
            } else if tag == Some("img") && shape.images.is_some() {
                self.markup.text(image_text(page, id));
            }
        }
        self.open.push(written);
    }

    fn words(&mut self, text: &str) {
        if !self.code.is_empty() {
            if let Some(last) = text.chars().next_back() {
                self.in_line = last != '\n';
            }
        } else if !self.kept_lines.is_empty() && !text.trim().is_empty() {
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    self.markup.start("br", Vec::new(), true);
                }
                self.markup.text(line);
            }
            return;
        }
        self.markup.text(text);
    }

    fn parent(&self) -> Option<&'static str> {
        self.open.iter().rev().find_map(|tag| *tag)
    }

    fn anchor(&mut self, anchor: &str) {
        self.markup.start("span", vec![("id", anchor.to_owned())], true);
        self.markup.end();
    }

    /// Starts an element; `false` if it needs an address that it lacks. `tex` is the TeX of a `math` element without it.
    fn start(&mut self, shape: PageShape<'_>, id: NodeId, tag: &'static str, tex: Option<&str>) -> bool {
        let Some(mut attributes) = attributes(shape, id, tag, tex) else { return false };
        if self.syntax == Syntax::Xml && tag == "li" {
            // Books may not have the `type` of an item.
            attributes.retain(|(name, _)| *name != "type");
        }
        if tag == "pre" && self.parent() == Some("p") {
            self.markup.end();
        }
        // A link may lead to an empty element.
        let stays = shape.ids.contains_key(&id) || is_place(tag, self.parent());
        self.markup.start(tag, attributes, stays);
        self.links += usize::from(tag == "a");
        self.depth += usize::from(!VOID.contains(&tag));
        self.after_pre = tag == "pre";
        true
    }

    fn leave(&mut self, page: &Page, id: NodeId) {
        self.after_pre = false;
        self.kept_lines.pop_if(|open| *open == id);
        self.code.pop_if(|open| *open == id);
        let written = self.open.pop().flatten();
        if self.flat.is_some_and(|flat| self.open.len() <= flat) {
            self.flat = None;
        }
        match written {
            Some(tag) => {
                self.links -= usize::from(tag == "a");
                if !VOID.contains(&tag) {
                    self.markup.end();
                    self.depth -= 1;
                }
                if tag == "pre" && self.parent() == Some("p") {
                    self.markup.start("p", Vec::new(), false);
                }
                if page.class(id).label || self.bare.pop_if(|open| *open == id).is_some() {
                    self.markup.end();
                }
            }
            None if page.class(id).cell && self.code.is_empty() => self.markup.text(" "),
            None => {}
        }
    }
}

struct KeptAttributes<'a> {
    page: &'a Page,
    id: NodeId,
    kept: Vec<(&'static str, String)>,
}

impl<'a> KeptAttributes<'a> {
    fn value(&self, name: &str) -> Option<&'a str> {
        self.page.attribute(self.id, name).map(str::trim)
    }

    fn add(&mut self, name: &'static str, value: Option<String>) {
        self.kept.extend(value.map(|value| (name, value)));
    }

    fn keep_if(&mut self, name: &'static str, passes: impl FnOnce(&str) -> bool) {
        let value = self.value(name).filter(|value| passes(value));
        self.add(name, value.map(str::to_owned));
    }

    fn keep_word(&mut self, name: &'static str, words: &[&str]) {
        self.keep_if(name, |value| words.contains(&value));
    }

    fn keep_number(&mut self, name: &'static str, range: RangeInclusive<i32>) {
        let number = self.value(name).and_then(|value| value.parse().ok());
        self.add(name, number.filter(|number| range.contains(number)).map(|number: i32| number.to_string()));
    }
}

/// Returns `true` if an inline element or a text begins a line, because a style shows it, or what is before it, on lines of its
/// own: `<span style="display: block">`. Elements with such a style are not written.
fn begins_line(page: &Page, id: NodeId) -> bool {
    /// The most siblings without text in between.
    const NEAR: usize = 8;
    let is_inline = |id: NodeId| {
        page.kind(id) == NodeKind::Text
            || page.is_element(id) && matches!(page.known_tag(id), Tag::Span | Tag::Label | Tag::Time)
    };
    let is_styled = |id: NodeId| is_inline(id) && page.is_element(id) && page.class(id).line;
    if !is_inline(id) {
        return false;
    }
    let before = std::iter::successors(page.previous_sibling(id), |id| page.previous_sibling(*id)).take(NEAR);
    let mut before =
        before.filter(|id| page.kind(*id) != NodeKind::Comment && !page.string_value(*id).trim().is_empty());
    before.next().is_some_and(|before| is_inline(before) && (is_styled(id) || is_styled(before)))
}

fn attributes(
    shape: PageShape<'_>,
    id: NodeId,
    tag: &str,
    tex: Option<&str>,
) -> Option<Vec<(&'static str, String)>> {
    let page = shape.page;
    let mut kept = KeptAttributes { page, id, kept: Vec::new() };
    match tag {
        "a" => kept.add("href", Some(shape.link(id)?)),
        "img" => {
            kept.add("src", Some(shape.image(id)?));
            kept.add("alt", Some(image_text(page, id).trim().to_owned()));
            kept.keep_number("width", 1..=65_535);
            kept.keep_number("height", 1..=65_535);
        }
        "td" | "th" => {
            // The HTML standard clips spans at these numbers.
            kept.keep_number("colspan", 1..=1000);
            kept.keep_number("rowspan", 1..=65_534);
            kept.keep_word("scope", &["row", "col", "rowgroup", "colgroup"]);
        }
        "ol" => {
            kept.keep_number("start", i32::MIN..=i32::MAX);
            kept.add("type", NumberStyle::of(page, id).html_type().map(str::to_owned));
            kept.add("reversed", kept.value("reversed").map(|_| String::new()));
        }
        "li" => {
            kept.keep_number("value", i32::MIN..=i32::MAX);
            let style = NumberStyle::of_item(page, id);
            let of_list = page.parent(id).filter(|list| page.is(*list, "ol"));
            if of_list.is_some_and(|list| NumberStyle::of(page, list) != style) {
                kept.add("type", Some(style.html_type().unwrap_or("1").to_owned()));
            }
        }
        // Show the content without a click, which some reading systems lack.
        "details" => kept.add("open", Some(String::new())),
        _ if page.namespace(id) == Namespace::MathMl => {
            if tag == "math" {
                kept.add("alttext", tex.or(kept.value("alttext")).map(str::to_owned));
            }
            for name in MATH_ATTRIBUTES {
                kept.keep_if(name, is_plain_value);
            }
        }
        "time" => kept.keep_if("datetime", |date| {
            date.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '+' | ' '))
        }),
        "blockquote" | "q" | "del" | "ins" if shape.shown.links => {
            let source = kept.value("cite").and_then(|href| page.resolve(href)).filter(address::is_web);
            kept.add("cite", source.map(String::from));
        }
        _ => {}
    }
    if matches!(tag, "a" | "abbr" | "dfn" | "img") {
        kept.keep_if("title", |_| true);
    }
    kept.add("id", shape.ids.get(&id).cloned());
    kept.keep_if("lang", is_language);
    kept.keep_word("dir", &["ltr", "rtl", "auto"]);
    Some(kept.kept)
}

fn is_plain_value(value: &str) -> bool {
    value.chars().count() <= 40 && !value.contains(['<', '>', '"', '\'', '&', ':', '/', '\\', '`'])
}

fn tag_for(shape: PageShape<'_>, id: NodeId, parent: Option<&str>) -> Option<&'static str> {
    let page = shape.page;
    let is_inside = parent.is_some_and(is_math);
    if !page.is_html(id) {
        // Parts of formulas need a `math` around them.
        return math_tag(page, id).filter(|tag| is_inside != (*tag == "math"));
    }
    // HTML within formulas is how sanitisers are bypassed.
    if is_inside {
        return None;
    }
    let tag = shape.tag(id);
    if has_bare_rows(shape, id) {
        return Some("tbody");
    }
    if shape.reading.side_notes.binary_search(&id).is_ok() {
        return Some("small");
    }
    if tag == "table" && shape.reading.tables.get(&id) == Some(&TableKind::Layout) {
        return Some("div");
    }
    if page.class(id).label {
        return Some("strong");
    }
    if shape.reading.is_code_block(page, id) {
        return Some("pre");
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

/// Returns `true` for a table that only its role makes, whose rows are in no group. They need a `tbody`.
fn has_bare_rows(shape: PageShape<'_>, id: NodeId) -> bool {
    shape.reading.table_parts.contains_key(&id)
        && shape.reading.tables.get(&id) != Some(&TableKind::Layout)
        && shape.tag(id) == "table"
        && shape.page.child_elements(id).any(|row| shape.tag(row) == "tr")
}

/// Returns the tag of an element whose content and place are as the schemas of EPUB want them: a definition list that lacks its
/// terms or definitions is none.
fn sound_tag(page: &Page, id: NodeId, tag: &'static str, parent: Option<&str>) -> &'static str {
    match tag {
        "dl" if !is_definition_list(page, id) => "div",
        "dt" | "dd" if parent != Some("dl") => "div",
        "li" if !matches!(parent, Some("ul" | "ol")) => "div",
        _ => tag,
    }
}

/// Returns `true` if each group of terms has definitions below it, and nothing else is between them.
fn is_definition_list(page: &Page, list: NodeId) -> bool {
    let mut before = None;
    for child in page.children(list) {
        let tag = match page.kind(child) {
            NodeKind::Text if page.data(child).trim().is_empty() => continue,
            NodeKind::Element => page.tag(child),
            _ => return false,
        };
        if !matches!((before, tag), (_, "dt") | (Some("dt" | "dd"), "dd")) {
            return false;
        }
        before = Some(tag);
    }
    before == Some("dd")
}

fn math_tag(page: &Page, id: NodeId) -> Option<&'static str> {
    let is_math = page.namespace(id) == Namespace::MathMl;
    is_math.then(|| MATH.binary_search(&page.tag(id)).ok()).flatten().map(|index| MATH[index])
}

pub(super) fn is_language(text: &str) -> bool {
    (1..=35).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
