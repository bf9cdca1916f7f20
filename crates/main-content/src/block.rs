//! Text blocks: to a reader, one paragraph, heading, list item or table cell.

use std::ops::Range;
use tsugi_page::text::TextCounts;
use tsugi_page::{NodeId, NodeKind, Page, Tag};

/// Text of a page between two block-level boundaries.
///
/// Boundaries are the starts and ends of elements laid out on their own lines, table cells, and two consecutive line
/// breaks.
#[derive(Debug, Clone)]
pub struct TextBlock {
    /// The block-level element (or cell) whose own text the block is.
    pub owner: NodeId,
    /// The innermost element that contains all of the block's text.
    pub inner: NodeId,
    /// See [`Self::texts`]. A large page has millions of blocks, so that each byte of one counts.
    texts: Range<u32>,
    /// Counts of tokens, letters, signs and the like in the text.
    pub counts: TextCounts,
    /// Number of tokens inside links.
    pub link_tokens: u32,
    /// Number of links.
    pub links: u32,
    /// Number of single line breaks inside the block.
    pub breaks: u32,
}

impl TextBlock {
    /// Returns the block's text nodes, as a range of [`TextBlocks::texts`].
    pub fn texts(&self) -> Range<usize> {
        self.texts.start as usize..self.texts.end as usize
    }
}

/// The text blocks of a page.
#[derive(Debug, Default)]
pub struct TextBlocks {
    /// The blocks, in document order; each has at least one token.
    pub blocks: Vec<TextBlock>,
    /// The text nodes of all blocks.
    pub texts: Vec<NodeId>,
    /// Number of tokens of each text node in `texts`.
    pub tokens: Vec<u32>,
    /// For each text node in `texts`, `true` if it is in a link.
    pub linked: Vec<bool>,
}

struct OpenTextBlock {
    block: TextBlock,
    last_link: Option<NodeId>,
    pending_breaks: u32,
}

impl TextBlocks {
    /// Returns the text nodes of a block.
    pub fn texts_of(&self, block: &TextBlock) -> &[NodeId] {
        &self.texts[block.texts()]
    }

    /// Cuts a page into blocks.
    ///
    /// # Cost
    ///
    /// One pass over the nodes and the characters of the text.
    pub fn of(page: &Page) -> TextBlocks {
        // As many as most pages have.
        let expected = page.node_count() / 12;
        let mut blocks = TextBlocks {
            blocks: Vec::with_capacity(expected),
            texts: Vec::with_capacity(expected),
            tokens: Vec::with_capacity(expected),
            linked: Vec::with_capacity(expected),
        };
        let mut open: Option<OpenTextBlock> = None;
        // The open block-level elements and open links, each with its end; the innermost comes last.
        let mut owners: Vec<(usize, NodeId)> = Vec::new();
        let mut links: Vec<(usize, NodeId)> = Vec::new();
        let mut hidden_end = 0;
        for id in page.subtree(NodeId::DOCUMENT) {
            let at = id.index();
            while owners.last().is_some_and(|(end, _)| *end <= at) {
                owners.pop();
                blocks.close(&mut open);
            }
            match page.kind(id) {
                NodeKind::Element => {
                    let class = page.class(id);
                    if class.hidden {
                        hidden_end = hidden_end.max(page.subtree_end(id));
                    }
                    if class.line || class.cell {
                        blocks.close(&mut open);
                        owners.push((page.subtree_end(id), id));
                    } else if page.is_link(id) {
                        links.push((page.subtree_end(id), id));
                    } else if page.is_tag(id, Tag::Br)
                        && let Some(block) = &mut open
                    {
                        block.pending_breaks += 1;
                        if block.pending_breaks > 1 {
                            blocks.close(&mut open);
                        }
                    }
                }
                NodeKind::Text if at >= hidden_end => {
                    while links.last().is_some_and(|(end, _)| *end <= at) {
                        links.pop();
                    }
                    let owner = innermost(&owners).unwrap_or(NodeId::DOCUMENT);
                    blocks.text(page, id, owner, innermost(&links), &mut open);
                }
                _ => {}
            }
        }
        blocks.close(&mut open);
        blocks
    }

    fn text(
        &mut self,
        page: &Page,
        id: NodeId,
        owner: NodeId,
        link: Option<NodeId>,
        open: &mut Option<OpenTextBlock>,
    ) {
        let data = page.data(id);
        // Most elements are separated by nothing but white space.
        if data.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return;
        }
        let counts = TextCounts::of(data);
        if counts.characters == 0 {
            return;
        }
        let parent = page.parent(id).unwrap_or(owner);
        let OpenTextBlock { block, last_link, pending_breaks } = open.get_or_insert(OpenTextBlock {
            block: TextBlock {
                owner,
                inner: parent,
                texts: self.next_text()..self.next_text(),
                counts: TextCounts::default(),
                link_tokens: 0,
                links: 0,
                breaks: 0,
            },
            last_link: None,
            pending_breaks: 0,
        });
        while block.inner != owner && !page.contains(block.inner, id) {
            block.inner = page.parent(block.inner).unwrap_or(owner);
        }
        block.counts += counts;
        block.breaks += std::mem::take(pending_breaks);
        if link.is_some() {
            block.link_tokens += counts.tokens;
            block.links += u32::from(link != *last_link);
            *last_link = link;
        }
        self.texts.push(id);
        self.tokens.push(counts.tokens);
        self.linked.push(link.is_some());
    }

    // A page has at most as many nodes as this can number.
    fn next_text(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    fn close(&mut self, open: &mut Option<OpenTextBlock>) {
        let Some(OpenTextBlock { mut block, .. }) = open.take() else { return };
        if block.counts.tokens == 0 {
            let from = block.texts().start;
            self.texts.truncate(from);
            self.tokens.truncate(from);
            self.linked.truncate(from);
            return;
        }
        block.texts.end = self.next_text();
        self.blocks.push(block);
    }
}

fn innermost(open: &[(usize, NodeId)]) -> Option<NodeId> {
    open.last().map(|(_, id)| *id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    fn texts(html: &str) -> Vec<String> {
        let page = page_of(html);
        let blocks = TextBlocks::of(&page);
        let texts = blocks.blocks.iter().map(|block| blocks.texts_of(block).iter());
        texts.map(|ids| ids.map(|id| page.data(*id).trim()).collect::<Vec<_>>().join("+")).collect()
    }

    #[test]
    fn blocks_end_where_lines_do() {
        let html = "<div>a<b>b</b><p>c</p>d</div><table><tr><td>e<td>f</table>";
        assert_eq!(texts(html), ["a+b", "c", "d", "e", "f"]);
        assert_eq!(texts("a<br>b<br><br>c<br> <br>d"), ["a+b", "c", "d"]);
        assert_eq!(texts("<script>x</script><p>…</p><style>y</style>a<template>t</template>"), ["a"]);
        assert!(texts("<noscript><p>Scripts are needed.</noscript>").is_empty());
        assert!(texts("").is_empty());
    }

    #[test]
    fn links_and_the_innermost_element_are_known() {
        let html =
            "<li><span><a href=1>one two</a></span></li><p>x <a href=2><b>y</b> z</a> <a href=3>w</a></p>";
        let page = page_of(html);
        let blocks = TextBlocks::of(&page).blocks;
        assert_eq!((blocks[0].owner, blocks[0].inner), (page.first("li").unwrap(), page.first("a").unwrap()));
        assert_eq!((blocks[0].links, blocks[0].link_tokens, blocks[0].counts.tokens), (1, 2, 2));
        assert_eq!((blocks[1].owner, blocks[1].inner), (page.first("p").unwrap(), page.first("p").unwrap()));
        assert_eq!((blocks[1].links, blocks[1].link_tokens, blocks[1].counts.tokens), (2, 3, 4));
    }
}
