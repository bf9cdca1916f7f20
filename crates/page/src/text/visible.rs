//! The text of a page as a reader sees it.

use super::without_controls;
use crate::node::{NodeId, NodeKind};
use crate::page::Page;
use crate::tags::Tag;
use crate::walk::Step;
use std::collections::BTreeMap;
use std::ops::Range;

/// How to write a node whose own characters would be misleading in plain text, such as `10<sup>6</sup>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextForm {
    /// Replaces the content of the node.
    Instead(String),
    /// Text before and after the content. For elements with visible text that do not start or end lines.
    Around(&'static str, &'static str),
}

/// The nodes of a page that text shows in another form.
pub type TextForms = BTreeMap<NodeId, TextForm>;

impl Page {
    /// Returns the visible text of a node, without markup: a newline at the edges of block-level elements and at `br`, one
    /// space for any other run of white space, between table cells and between elements that stand apart
    /// ([`TagClass::apart`](crate::TagClass)). `pre`, and what is styled so, keeps its lines and indentation.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::{NodeId, Page};
    /// let html = "<p>One <b>bold</b>\n word<script>x</script><ul><li>a<br>b<li> c </ul><table><td>1<td>2</table>";
    /// let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
    /// assert_eq!(page.text(NodeId::DOCUMENT), "One bold word\na\nb\nc\n1 2");
    /// ```
    pub fn text(&self, id: NodeId) -> String {
        let mut out = Flow::default();
        self.flow(id, &[], &TextForms::new(), &mut out);
        out.text
    }

    /// Returns the visible text of several nodes, each on its own lines.
    pub fn text_of(&self, nodes: &[NodeId]) -> String {
        self.text_of_content(nodes, &[])
    }

    /// Returns the visible text of several nodes, each on its own lines, without the content of the nodes in `without`
    /// (in document order).
    pub fn text_of_content(&self, nodes: &[NodeId], without: &[NodeId]) -> String {
        self.text_in_forms(nodes, without, &TextForms::new())
    }

    /// Returns the text like [`text_of_content`](Self::text_of_content), with some nodes in other forms. Nodes without
    /// visible text, such as scripts, may have forms, too.
    pub fn text_in_forms(&self, nodes: &[NodeId], without: &[NodeId], forms: &TextForms) -> String {
        self.flow_of(nodes, without, forms, Flow::default()).text
    }

    /// Returns the text like [`text_in_forms`](Self::text_in_forms), and where in it each text node is, in characters (Unicode
    /// scalar values). Nodes without visible text, and nodes in other forms, have no place.
    pub fn text_with_places(
        &self,
        nodes: &[NodeId],
        without: &[NodeId],
        forms: &TextForms,
    ) -> (String, Vec<(NodeId, Range<usize>)>) {
        let flow = Flow { places: Some(Vec::new()), ..Flow::default() };
        let Flow { text, places, .. } = self.flow_of(nodes, without, forms, flow);
        let (mut at, mut characters) = (0, 0);
        let mut character = |byte: usize| {
            characters += text[at..byte].chars().count();
            at = byte;
            characters
        };
        let place = |(node, bytes): (NodeId, Range<usize>)| {
            // White space before the first word belongs to none.
            let gap = text[bytes.clone()].len() - text[bytes.clone()].trim_start().len();
            (node, character(bytes.start + gap)..character(bytes.end))
        };
        let places = places.unwrap_or_default().into_iter().map(place).collect();
        (text, places)
    }

    fn flow_of(&self, nodes: &[NodeId], without: &[NodeId], forms: &TextForms, mut out: Flow) -> Flow {
        for id in nodes {
            out.text.reserve(self.totals(*id).characters as usize);
            out.line_break();
            self.flow(*id, without, forms, &mut out);
        }
        out
    }

    fn flow(&self, id: NodeId, without: &[NodeId], forms: &TextForms, out: &mut Flow) {
        let is_pre = |node| self.class(node).pre || self.class(node).lines;
        let mut walk = self.walk(id);
        // Number of open `pre`.
        let mut verbatim = u32::from(self.ancestors(id).any(is_pre));
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(node) => {
                    let class = self.class(node);
                    if class.apart {
                        out.space();
                    }
                    verbatim += u32::from(is_pre(node));
                    let is_out = without.binary_search(&node).is_ok();
                    let form = if is_out { None } else { forms.get(&node) };
                    if let Some(TextForm::Instead(text)) = form {
                        if class.line {
                            out.line_break();
                        }
                        out.push(text);
                        walk.skip_children();
                    } else if class.hidden {
                        walk.skip_children();
                    } else if is_out {
                        if class.line {
                            out.line_break();
                        } else {
                            out.space();
                        }
                        walk.skip_children();
                    } else if class.line || self.is_tag(node, Tag::Br) {
                        out.line_break();
                    } else if class.cell {
                        out.space();
                    } else if self.kind(node) == NodeKind::Text {
                        let start = out.text.len();
                        if verbatim > 0 {
                            out.push_lines(self.data(node));
                        } else {
                            out.push(self.data(node));
                        }
                        out.place(node, start);
                    }
                    if let Some(TextForm::Around(before, _)) = form {
                        out.push(before);
                    }
                }
                Step::Leave(node) => {
                    let class = self.class(node);
                    verbatim -= u32::from(is_pre(node));
                    if class.line {
                        out.line_break();
                    } else if class.cell {
                        out.space();
                    } else if let Some(TextForm::Around(_, behind)) = forms.get(&node)
                        && without.binary_search(&node).is_err()
                    {
                        out.push_close(behind);
                    }
                }
            }
        }
    }
}

/// Text under construction; breaks are written only between visible characters.
#[derive(Debug, Default)]
struct Flow {
    text: String,
    gap: Option<char>,
    /// White space of a `pre`, to be written if something visible follows on its line.
    indent: String,
    /// The text nodes with their bytes, if somebody asks for them.
    places: Option<Vec<(NodeId, Range<usize>)>>,
}

impl Flow {
    /// Notes that the text from `start` on is that of a node.
    fn place(&mut self, node: NodeId, start: usize) {
        let end = self.text.len();
        if let Some(places) = self.places.as_mut().filter(|_| start < end) {
            places.push((node, start..end));
        }
    }

    fn line_break(&mut self) {
        self.indent.clear();
        self.gap = Some('\n');
    }

    fn space(&mut self) {
        self.gap.get_or_insert(' ');
    }

    /// Adds the lines of a text verbatim, without blank lines and trailing white space.
    fn push_lines(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.line_break();
            }
            let line = without_controls(line);
            let visible = line.trim_end();
            if !visible.is_empty() {
                self.write_gap();
                self.text.push_str(&self.indent);
                self.indent.clear();
                self.text.push_str(visible);
            }
            self.indent.push_str(&line[visible.len()..]);
        }
    }

    fn write_gap(&mut self) {
        if let Some(gap) = self.gap.take()
            && !self.text.is_empty()
        {
            self.text.push(gap);
        }
    }

    /// Adds closing characters; pending white space goes after them.
    fn push_close(&mut self, text: &str) {
        let gap = self.gap.take();
        self.push(text);
        self.gap = gap;
    }

    fn push(&mut self, text: &str) {
        let mut rest = text.trim_start();
        if rest.len() < text.len() {
            self.space();
        }
        while !rest.is_empty() {
            let (folded, after) = rest.split_at(folded_start(rest));
            self.write_gap();
            self.text.push_str(folded);
            rest = after.trim_start();
            if rest.len() < after.len() {
                self.space();
            }
        }
    }
}

/// The kind of a byte for [`folded_start`]: part of a word, a space, or to be checked.
const FOLDS: [u8; 256] = {
    let mut kinds = [0; 256];
    kinds[b' ' as usize] = 1;
    // White space, and first bytes of white space beyond ASCII.
    let looked_at = [b'\t', b'\n', 0x0b, 0x0c, b'\r', 0xc2, 0xe1, 0xe2, 0xe3];
    let mut at = 0;
    while at < looked_at.len() {
        kinds[looked_at[at] as usize] = 2;
        at += 1;
    }
    kinds
};

/// Returns the length of the start of a text that can be written verbatim: words separated by single spaces. The text
/// starts with a word.
fn folded_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut before) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let kind = FOLDS[usize::from(*byte)];
        // One branch for a second space and for bytes to be checked, which is predictable.
        if (kind | (kind & before) << 1) & 2 == 0 {
            before = kind;
            at += 1;
            continue;
        }
        let c = text[at..].chars().next().unwrap_or(' ');
        if c.is_whitespace() {
            break;
        }
        before = 0;
        at += c.len_utf8();
    }
    // A trailing space is not between words.
    at - usize::from(before)
}

#[cfg(test)]
mod tests {
    use super::super::fold;
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn text_nodes_have_places() {
        let page = page("<p>Ölé <b>bold</b>\n  word<pre>\n  a\n  b</pre><p> <p>次");
        let (text, places) = page.text_with_places(&[NodeId::DOCUMENT], &[], &TextForms::new());
        assert_eq!(text, page.text(NodeId::DOCUMENT));
        let texts: Vec<String> = places
            .iter()
            .map(|(_, place)| text.chars().skip(place.start).take(place.len()).collect())
            .collect();
        assert_eq!(texts, ["Ölé", "bold", "word", "a\n  b", "次"]);
        assert!(places.iter().all(|(id, _)| page.kind(*id) == NodeKind::Text));
    }

    #[test]
    fn text_keeps_words_apart_only_where_markup_or_space_does() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(text("<b>Hel</b>lo <i> world</i> !"), "Hello world !");
        assert_eq!(text("<div>a</div>b<div> </div><p>c"), "a\nb\nc");
        assert_eq!(text("a<br><br>b"), "a\nb");
        assert_eq!(text("<noscript>no</noscript><style>p{}</style>x<template>t</template>"), "x");
        assert_eq!(text("<tr><td>outside"), "outside");
        assert_eq!(text("<table><tr><td>1<td>2<tr><td>3</table>"), "1 2\n3");
        assert_eq!(text(""), "");
    }

    proptest::proptest! {
        #[test]
        fn words_are_parted_by_one_space(texts in proptest::collection::vec("[ \n\u{a0}\u{85}\u{1680}\u{2003}\u{3000}aé次、\u{200b}]{0,9}", 0..5)) {
            let mut flow = Flow::default();
            for text in &texts {
                flow.push(text);
            }
            proptest::prop_assert_eq!(flow.text, fold(&texts.concat()));
        }
    }

    #[test]
    fn what_is_shown_apart_is_apart() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        for (html, expected) in [
            ("<label>Linux</label><label>macOS</label>", "Linux macOS"),
            (
                "<span>Marta Quill</span><time>May 4, 2024</time><span>5 min</span>",
                "Marta Quill May 4, 2024 5 min",
            ),
            ("<a href=/t>tides</a><a href=/b><b>books</b></a>, sea", "tides books, sea"),
            ("<div><span>O'Brien</span><span>Mar 4</span></div>", "O'Brien Mar 4"),
            ("<li><span>1</span><span>small clove</span></li>", "1 small clove"),
            ("<x-p>one</x-p><x-p>two</x-p>", "one two"),
            ("<p style='display:flex'><b>tide</b><i>table</i></p>", "tide table"),
            (
                "<style>.r{display: inline-flex}</style><p class='x r'><span>tide</span><i>table</i></p>",
                "tide table",
            ),
            ("<b style='display:inline-block'>tide</b><i>table</i>", "tide table"),
            ("<style>.c{display:table-cell}</style><b class=c>tide</b><b class=c>table</b>", "tide table"),
            ("<p><b style='display:inline-block'>T</b><i>ide</i></p>", "Tide"),
            ("<h1 style='display:flex'><b>t</b><b>i</b><b>d</b></h1>", "tid"),
            ("<p style='display:block'><b>tide</b><i>table</i></p>", "tidetable"),
            ("<p style='display:flex'><b>潮</b><i>汐表</i></p>", "潮汐表"),
            // Words directly in a flexible box are a box, too.
            ("<div style='display:flex'>Price<span>12</span></div>", "Price 12"),
            ("<li style='display:grid'><b>tide</b>table</li>", "tide table"),
            (
                "<style>.r{display:flex}</style><p class=r>tide<!-- --><b>table</b><!-- -->book</p>",
                "tide table book",
            ),
            ("<p style='display:flex'>tide<span><span>1</span></span><br>x</p>", "tide 1\nx"),
            ("<p style='display:flex'><b>tide, </b>table<i>!</i></p>", "tide, table!"),
            ("<p style='display:flex'>12 km<sup>2</sup></p>", "12 km2"),
            ("<p style='display:flex'>潮<i>汐表</i></p>", "潮汐表"),
            ("<p style='display:flex'><span>tide<b>table</b></span></p>", "tidetable"),
            ("<p>tide<b style='display:inline-block'>table</b></p>", "tidetable"),
            ("<a href=/t>tide</a><!-- --><a href=/b>table</a>", "tide table"),
            ("<p><a href=/t>tide</a>table, <time>12</time>th</p>", "tidetable, 12th"),
            // Parts of words, signs, and scripts without spaces.
            ("<p><span>Hel</span><span>lo</span>", "Hello"),
            ("<p>the <span>Java</span><span>Script</span> way", "the JavaScript way"),
            (
                "<b>i</b><b>Phone</b>, <span>i</span><span>Phone</span> <span>12</span><span>th</span>",
                "iPhone, iPhone 12th",
            ),
            ("<a href=/1>[1]</a><a href=/2>[2]</a>", "[1][2]"),
            ("<a href=/1>潮</a><a href=/2>汐</a>", "潮汐"),
            ("<code><span>get</span><span>Name</span></code>", "getName"),
            ("<label>a<br></label><label>b</label>", "a\nb"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn words_that_no_browser_shows_are_no_text() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(
            text(
                "a <svg><title>T</title><desc>D</desc><style>.c{}</style><script>x</script><defs><text>d</text></defs>\
                <metadata>m</metadata><text>Jan</text><text>Feb</text></svg>b"
            ),
            "a Jan Feb b"
        );
        assert_eq!(text("a<video>no video</video><audio>no</audio><canvas>none</canvas>b"), "ab");
        assert_eq!(page("<svg><text>Jan</text></svg>").totals(NodeId::DOCUMENT).characters, 3);
        assert_eq!(page("<svg><style>.a{}</style></svg>").totals(NodeId::DOCUMENT).characters, 0);
    }

    #[test]
    fn shadow_roots_are_shown_with_what_is_in_their_slots() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        for (html, expected) in [
            ("<p>a</p><x-a><template shadowrootmode=open><p>b</template></x-a><p>c", "a\nb\nc"),
            (
                "<x-a><template shadowrootmode=open><p>1 <slot name=n>none</slot></p><slot></slot></template><b slot=n>in</b> rest</x-a>",
                "1 in\nrest",
            ),
            ("<x-a><template shadowrootmode=closed><slot>empty</slot></template></x-a>", "empty"),
            ("<x-a><template shadowrootmode=open>s</template>not shown</x-a>", "s"),
            (
                "<x-a><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template></x-a>",
                "1",
            ),
            (
                "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>(<slot></slot>)</template><slot></slot></x-b></template>in</x-a>",
                "(in)",
            ),
            ("<template shadowrootmode=open>x</template><template><p>y</template>z", "z"),
            ("<template><template shadowrootmode=open>x</template></template>z", "z"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
        let deep = "<div><template shadowrootmode=open><slot></slot></template>".repeat(3000);
        assert!(page(&deep).elements().count() > 500);
    }

    #[test]
    fn white_space_that_a_style_keeps_stays() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(text("<code style='white-space: pre'>a\n  b</code>"), "a\n  b");
        assert_eq!(text("<style>.k{white-space:pre-wrap}</style><p class='x k'>a\nb<p>c\nd"), "a\nb\nc d");
        assert_eq!(text("<p><span style=display:block>a</span><span style=display:block>b</span>"), "a\nb");
    }

    #[test]
    fn the_lines_of_pre_stay() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(text("a <pre>def f():\n\n    return  1 \n</pre> b"), "a\ndef f():\n    return  1\nb");
        assert_eq!(
            text("<pre><b>let</b> <i>x</i>\n  y</pre>"),
            "let x\n  y",
            "space between elements counts"
        );
        assert_eq!(text("<pre>a<br>  b<div> c</div></pre>d"), "a\n  b\n c\nd");
        assert_eq!(text("<pre>a\u{c}b \r\n\tc\u{85}</pre>"), "a b\n\tc");
        let page = page("<pre><code>a\n b</code></pre>");
        assert_eq!(page.text(page.first("code").unwrap()), "a\n b");
    }

    #[test]
    fn what_is_left_out_still_parts_what_is_around_it() {
        let page = page("<p>a<b>b</b>c<div>d<p>e</p>f</div>");
        let without = |tags: &[&str]| {
            let out: Vec<_> = tags.iter().map(|tag| page.first(tag).unwrap()).collect();
            page.text_of_content(&[NodeId::DOCUMENT], &out)
        };
        assert_eq!(without(&["b"]), "a c\nd\ne\nf");
        assert_eq!(without(&["div"]), "abc");
        assert_eq!(without(&["html"]), "");
    }

    #[test]
    fn nodes_are_written_in_their_forms() {
        let page = page("<p>10<sup>6</sup> <q>Yes</q>");
        let forms = [("sup", TextForm::Instead("⁶".to_owned())), ("q", TextForm::Around("“", "”"))];
        let forms = forms.into_iter().map(|(tag, form)| (page.first(tag).unwrap(), form)).collect();
        assert_eq!(page.text_in_forms(&[NodeId::DOCUMENT], &[], &forms), "10⁶ “Yes”");
    }

    #[test]
    fn several_nodes_stand_on_lines_of_their_own() {
        let page = page("<span>a</span><span>b</span>");
        let spans: Vec<_> = page.elements().filter(|id| page.is(*id, "span")).collect();
        assert_eq!(page.text_of(&spans), "a\nb");
        assert_eq!(page.text_of(&[]), "");
    }
}
