//! Blocks: the smallest parts of a page that are either all content or not content at all.

use crate::vector::{BlockFeature, Vector};
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page};

/// A block-level element with its contents, except for the block-level elements inside it.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 3.4, figures 2–5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    node: NodeId,
    vector: Vector,
    shows: bool,
}

impl Block {
    /// Returns the block-level element.
    pub fn node(&self) -> NodeId {
        self.node
    }

    #[cfg(test)]
    pub(crate) fn vector(&self) -> &Vector {
        &self.vector
    }

    /// Returns `true` if the block has neither text nor an image. The values of `title` and `alt` are compared, but not
    /// shown.
    pub fn is_blank(&self) -> bool {
        !self.shows
    }

    /// Returns the block's own text, without that of the blocks inside it. Runs of white space become one space;
    /// whatever starts a new line when rendered starts one here.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let html = "<div>By <b>A.\n Writer</b><p>Snow fell.</p>Read on<br>below</div>";
    /// let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
    /// let blocks = tsugi_site_blocks::blocks(&page);
    /// assert_eq!(blocks[1].text(&page), "By A. Writer\nRead on\nbelow");
    /// assert_eq!(blocks[2].text(&page), "Snow fell.");
    /// ```
    pub fn text(&self, page: &Page) -> String {
        let mut lines = String::new();
        let mut walk = page.walk(self.node);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if is_left_out(page, id) => walk.skip_children(),
                Step::Enter(id) if id != self.node && is_block(page, id) => {
                    walk.skip_children();
                    lines.push('\n');
                }
                Step::Enter(id) if page.kind(id) == NodeKind::Text => {
                    lines.extend(page.data(id).chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
                }
                Step::Enter(id) | Step::Leave(id) if page.class(id).line || page.is(id, "br") => {
                    lines.push('\n');
                }
                Step::Enter(id) | Step::Leave(id) if page.class(id).cell => lines.push(' '),
                Step::Enter(_) | Step::Leave(_) => {}
            }
        }
        let folded: Vec<String> = lines.split('\n').map(tsugi_page::text::fold).collect();
        folded.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// Returns `true` if two blocks are the same: the cosine of their vectors exceeds 0.9.
///
/// Small differences that hardly change the display are ignored. The relation is not transitive: two different blocks
/// can both be the same as a third.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 3.6.
pub fn same_block(one: &Block, other: &Block) -> bool {
    one.vector.is_close_to(&other.vector)
}

/// Returns the blocks of a page, in the order in which they begin.
///
/// Every block-level element of HTML 4, and `body`, is a block. `script`, `style` and `noscript` belong to none. A
/// vector counts tags and lower-case, non-blank texts: each line of each text node, and of the values of `title` and
/// `alt`.
///
/// # Cost
///
/// `O(n log n)` for a page of `n` characters, in one pass without recursion, however deep blocks nest.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), sections 3.4 and 3.5; `noscript` by Yoshida, Inui & Yamamoto, CSS
/// セレクタで表現されたコンテンツ抽出ルールの自動獲得 (rules for extraction as CSS selectors), section 2.3.
///
/// CHOICE: *block-level* is `%block;` of the HTML 4.01 DTD, which the paper refers to. `li`, `dt`, `dd` and the parts
/// of tables may contain blocks but are not blocks themselves: text directly inside them belongs to the list or
/// table. The authors' program (`ExtractUniqueBlock` 0.01) lists the same elements, and the second paper's table 1
/// agrees: it has rules for `ul` and `dl`, but none for `li`, `dt` or `dd`.
/// CHOICE: elements added by HTML 5 (`article`, `section`, `figure`, …) are inline, because the method is defined for
/// HTML 4. Their direct contents belong to the block around them.
/// CHOICE: `template` is left out like `script`, since it is not shown either.
/// CHOICE: white space at the ends of a line is ignored, since indentation is not text, and a run of white space
/// counts as one space, as in the authors' program.
pub fn blocks(page: &Page) -> Vec<Block> {
    let mut found: Vec<(NodeId, Vec<BlockFeature>, bool)> = Vec::new();
    each_part(page, |block, part| {
        if let BlockPart::Start(node) = part {
            found.push((node, Vec::new(), false));
        }
        let (_, features, shows) = &mut found[block];
        *shows |= part.shows();
        match part {
            BlockPart::Start(_) => {}
            BlockPart::Tag(name) => features.push(BlockFeature::Tag(name.into())),
            BlockPart::Text(text) | BlockPart::Value(text) => features.push(BlockFeature::Text(text.into())),
        }
    });
    let found = found.into_iter();
    found.map(|(node, features, shows)| Block { node, vector: Vector::count(features), shows }).collect()
}

pub(crate) fn block_nodes(page: &Page) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut walk = page.walk(NodeId::DOCUMENT);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(id) if is_left_out(page, id) => walk.skip_children(),
            Step::Enter(id) if is_block(page, id) => nodes.push(id),
            Step::Enter(_) | Step::Leave(_) => {}
        }
    }
    nodes
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum BlockPart<'a> {
    Start(NodeId),
    Tag(&'a str),
    /// A line of text, normalised.
    Text(&'a str),
    /// A line of the value of `title` or `alt`, normalised.
    Value(&'a str),
}

impl BlockPart<'_> {
    pub(crate) fn shows(self) -> bool {
        matches!(self, BlockPart::Text(_) | BlockPart::Tag("img"))
    }
}

/// Visits the parts of the blocks of a page; blocks are numbered in the order in which they begin.
pub(crate) fn each_part(page: &Page, mut visit: impl FnMut(usize, BlockPart<'_>)) {
    let mut count = 0;
    // Blocks that are still open.
    let mut open: Vec<(usize, NodeId)> = Vec::new();
    let mut line = String::new();
    let mut walk = page.walk(NodeId::DOCUMENT);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(id) if is_left_out(page, id) => walk.skip_children(),
            Step::Enter(id) => {
                if is_block(page, id) {
                    open.push((count, id));
                    visit(count, BlockPart::Start(id));
                    count += 1;
                }
                let Some((block, _)) = open.last() else { continue };
                match page.kind(id) {
                    NodeKind::Element => {
                        visit(*block, BlockPart::Tag(page.tag(id)));
                        for text in ["title", "alt"].iter().filter_map(|name| page.attribute(id, name)) {
                            each_line(text, &mut line, |line| visit(*block, BlockPart::Value(line)));
                        }
                    }
                    NodeKind::Text => {
                        each_line(page.data(id), &mut line, |line| visit(*block, BlockPart::Text(line)));
                    }
                    NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => {}
                }
            }
            Step::Leave(id) => {
                open.pop_if(|(_, node)| *node == id);
            }
        }
    }
}

/// Visits the non-blank lines of a text in lower case, with runs of white space as one space; `line` is a buffer.
fn each_line(text: &str, line: &mut String, mut visit: impl FnMut(&str)) {
    for raw in text.split(['\n', '\r']) {
        line.clear();
        for word in raw.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            if word.is_ascii() {
                line.extend(word.chars().map(|c| c.to_ascii_lowercase()));
            } else {
                // The lower case of a letter may depend on its position in the word.
                line.push_str(&word.to_lowercase());
            }
        }
        if !line.is_empty() {
            visit(line);
        }
    }
}

/// Returns `true` if a node and its contents belong to no block.
pub fn is_left_out(page: &Page, id: NodeId) -> bool {
    page.class(id).hidden || matches!(page.tag(id), "script" | "style")
}

/// Returns `true` if a node is in `%block;` of the HTML 4.01 DTD, or is `body`.
pub(crate) fn is_block(page: &Page, id: NodeId) -> bool {
    let part_of_list_or_table = matches!(
        page.tag(id),
        "li" | "dt" | "dd" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "frameset"
    );
    page.class(id).block && !part_of_list_or_table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::page;

    /// The paper's figure 2.
    const FIGURE_2: &str = concat!(
        r##"<body><div><p>Text 1</p><img src="#" alt="img-alt text"></div>"##,
        r##"<div><img src="#" alt="img-alt text"><img src="#" alt="img-alt text"></div>"##,
        r##"<div><a href="#" title="a-title text">Text 2</a><script>Code</script></div></body>"##
    );

    /// Figure 5 numbers blocks in the order in which they end (`p` is 1, `body` 5); here they are listed in the order
    /// in which they begin.
    const FIGURE_5: [(usize, &str); 5] = [
        (5, "/html[1]/body[1]"),
        (2, "/html[1]/body[1]/div[1]"),
        (1, "/html[1]/body[1]/div[1]/p[1]"),
        (3, "/html[1]/body[1]/div[2]"),
        (4, "/html[1]/body[1]/div[3]"),
    ];

    fn figure_blocks() -> [Block; 5] {
        let mut blocks: Vec<_> =
            FIGURE_5.iter().map(|(number, _)| *number).zip(blocks(&page(FIGURE_2))).collect();
        blocks.sort_by_key(|(number, _)| *number);
        blocks.into_iter().map(|(_, block)| block).collect::<Vec<_>>().try_into().unwrap()
    }

    fn paths(page: &Page) -> Vec<String> {
        blocks(page).iter().map(|block| page.location_path(block.node())).collect()
    }

    #[test]
    fn figures_2_to_5_make_five_blocks() {
        assert_eq!(paths(&page(FIGURE_2)), FIGURE_5.map(|(_, path)| path));
        let texts = figure_blocks().map(|block| block.text(&page(FIGURE_2)));
        assert_eq!(texts, ["Text 1", "", "", "Text 2", ""], "`Code` is in no block");
    }

    #[test]
    fn table_1_is_reproduced() {
        let columns = ["<a>", "<body>", "<div>", "<img>", "<p>"];
        let texts = ["a-title text", "img-alt text", "text 1", "text 2"];
        #[rustfmt::skip]
        let table = [
            [0, 0, 0, 0, 1,  0, 0, 1, 0],
            [0, 0, 1, 1, 0,  0, 1, 0, 0],
            [0, 0, 1, 2, 0,  0, 2, 0, 0],
            [1, 0, 1, 0, 0,  1, 0, 0, 1],
            [0, 1, 0, 0, 0,  0, 0, 0, 0],
        ];
        for (block, row) in figure_blocks().iter().zip(table) {
            let vector = block.vector();
            let tags = columns.iter().map(|column| vector.tag(column.trim_matches(['<', '>'])));
            let counts: Vec<u32> = tags.chain(texts.iter().map(|text| vector.text(text))).collect();
            assert_eq!(counts, row);
            let others = row.iter().filter(|count| **count > 0).count();
            assert_eq!(vector.counts().len(), others, "no column beside those of the table");
        }
    }

    #[test]
    fn similarities_of_table_1() {
        let [p, one_image, two_images, link, body] = figure_blocks();
        // Blocks 2 and 3: (1·1 + 1·2 + 1·2) / (√3 · √9) = 5 / 5.196 = 0.962.
        assert!((one_image.vector().cosine(two_images.vector()) - 5.0 / 27_f64.sqrt()).abs() < 1e-12);
        assert!(same_block(&one_image, &two_images), "one more image makes no other block");
        // Blocks 2 and 4 share only `<div>`: 1 / (√3 · √4) = 0.289.
        assert!((one_image.vector().cosine(link.vector()) - 1.0 / 12_f64.sqrt()).abs() < 1e-12);
        assert!(!same_block(&one_image, &link) && !same_block(&p, &body));
        assert!(same_block(&body, &body) && body.is_blank() && !p.is_blank() && !one_image.is_blank());
    }

    #[test]
    fn parts_of_lists_and_tables_are_no_blocks() {
        let page = page("<ul><li>a<li><p>b</ul><dl><dt>c<dd>d</dl><table><tr><td>e<td><h2>f</h2></table>");
        let tags: Vec<_> = blocks(&page).iter().map(|block| page.tag(block.node())).collect();
        assert_eq!(tags, ["body", "ul", "p", "dl", "table", "h2"]);
        let texts: Vec<_> = blocks(&page).iter().map(|block| block.text(&page)).collect();
        assert_eq!(texts, ["", "a", "b", "c\nd", "e", "f"]);
        let [_, ul, _, _, table, _] = &blocks(&page)[..] else { panic!("six blocks") };
        assert_eq!((ul.vector().tag("li"), table.vector().tag("td"), table.vector().tag("h2")), (2, 2, 0));
    }

    #[test]
    fn text_is_counted_line_by_line_in_lower_case() {
        let page =
            page("<p title=' Über \n One'>One\r\n  two\n\n \nONE<br>one<b alt=''>x</b> <!-- no --></p>");
        let [_, p] = &blocks(&page)[..] else { panic!("two blocks") };
        let texts = |text| p.vector().text(text);
        assert_eq!((texts("one"), texts("two"), texts("x"), texts("über")), (4, 1, 1, 1));
        let tags = ["p", "br", "b"].map(|tag| p.vector().tag(tag));
        assert_eq!((tags, p.vector().counts().len()), ([1, 1, 1], 7), "blank lines and values do not count");
    }

    #[test]
    fn what_is_not_shown_is_in_no_block() {
        let page = page(
            "<title>t</title><p>a<noscript><p>n</p></noscript><style>s</style><template><p>t</template>\
             <svg><style>v</style><script>w</script></svg>",
        );
        assert_eq!(paths(&page), ["/html[1]/body[1]", "/html[1]/body[1]/p[1]"]);
        assert_eq!(block_nodes(&page), blocks(&page).iter().map(Block::node).collect::<Vec<_>>());
        let features: Vec<_> = blocks(&page)[1].vector().counts().to_vec();
        let expected =
            [BlockFeature::Tag("p".into()), BlockFeature::Tag("svg".into()), BlockFeature::Text("a".into())];
        assert_eq!(features, expected.map(|feature| (feature, 1)));
    }

    #[test]
    fn a_block_inside_an_inline_element_is_still_its_own() {
        let page = page("<div><a href=x>before<h2>head</h2>after</a></div>");
        let [_, div, h2] = &blocks(&page)[..] else { panic!("three blocks") };
        assert_eq!((div.text(&page).as_str(), h2.text(&page).as_str()), ("before\nafter", "head"));
        assert_eq!(div.vector().tag("a"), 1);
    }

    #[test]
    fn a_page_without_body_has_no_blocks() {
        assert!(blocks(&page("<frameset><frame src=a></frameset>")).is_empty());
        assert_eq!(paths(&page("")), ["/html[1]/body[1]"], "browsers add a body to anything else");
    }

    #[test]
    fn deep_nests_are_cut_without_recursion() {
        let page = page(&("<div><span>".repeat(20_000) + "end"));
        let blocks = blocks(&page);
        assert_eq!(blocks.len(), 20_001);
        assert_eq!(blocks.iter().map(|block| block.vector().text("end")).sum::<u32>(), 1);
        assert!(blocks.iter().skip(1).all(|block| block.vector().tag("div") == 1));
    }
}
