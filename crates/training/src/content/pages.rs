//! Labelled pages as blocks: columns, tokens, and how much of each block is content.

use super::align::aligned;
use super::role_labels::roles_of;
use crate::conventions::Convention;
use crate::label::PageLabel;
use crate::measure::{Overlap, TokenRule, for_each_token};
use tsugi_learning::TokenRows;
use tsugi_main_content::{
    BlockColumns, BlockRole, MarkupNames, PageContext, RoleSet, Standing, TextBlock, block_rows,
    markup_tokens, word_tokens,
};
use tsugi_next_link::paper::Candidates;
use tsugi_page::{NodeId, Page};
use tsugi_scoring::{Fnv1a64, Matrix};

/// A page whose content is known, as nodes or as text.
#[derive(Debug)]
pub struct ContentPage {
    pub(crate) group: usize,
    pub(crate) page: Page,
    pub(crate) next: Option<NodeId>,
    /// By block: its columns, without linear scores.
    pub(crate) rows: Matrix<BlockColumns>,
    pub(crate) words: TokenRows,
    pub(crate) markup: TokenRows,
    /// By block: the share of its text that is content.
    pub(crate) targets: Vec<f32>,
    /// By block: the share of its text that is a comment; `None` if comments are not labelled.
    pub(crate) comments: Option<Vec<f32>>,
    pub(crate) tokens: Vec<u32>,
    /// By block: the end of its text nodes.
    pub(crate) ends: Vec<usize>,
    pub(crate) standings: Vec<Standing>,
    /// By text node of the blocks: hashes of its words, in the order of the text.
    pub(crate) texts: Vec<Vec<u64>>,
    pub(crate) gold: Vec<u64>,
    pub(crate) trust: f32,
    pub(crate) kind: Option<String>,
    pub(crate) is_rendered: bool,
    /// By block: its labelled role, if it was read. They say what is content: [`RoleSet::DOCUMENT`].
    pub(crate) roles: Option<Vec<Option<BlockRole>>>,
}

impl ContentPage {
    /// Returns a page of a group of sites; `None` if its label knows no content.
    ///
    /// # Errors
    ///
    /// A text about the mistake in the label.
    pub fn of(page: Page, label: &PageLabel, group: usize) -> Result<Option<Self>, String> {
        let next = label.next_tag(&Candidates::of(&page));
        let context = PageContext::new(&page, next);
        let blocks = context.blocks();
        let Some(gold) = GoldTexts::of(&page, label, &blocks.texts)? else { return Ok(None) };
        let rows = block_rows(&context, &[]).map_err(|error| error.to_string())?;
        let names = MarkupNames::of_page(&context);
        let (mut words, mut markup) = (TokenRows::default(), TokenRows::default());
        let mut row = Vec::new();
        for at in 0..blocks.blocks.len() {
            row.clear();
            word_tokens(&context, at, &mut row);
            words.push(row.iter().copied());
            row.clear();
            markup_tokens(&context, &names, at, &mut row);
            markup.push(row.iter().copied());
        }
        let share_of = |covered: &[f32]| -> Vec<f32> {
            let of_block = |block: &TextBlock| {
                let weigh = |at: usize| f64::from(blocks.tokens[at]);
                let all: f64 = block.texts().map(weigh).sum();
                let right: f64 = block.texts().map(|at| weigh(at) * f64::from(covered[at])).sum();
                #[expect(clippy::cast_possible_truncation, reason = "a share, between 0 and 1")]
                {
                    if all > 0.0 { (right / all) as f32 } else { 0.0 }
                }
            };
            blocks.blocks.iter().map(of_block).collect()
        };
        let targets = share_of(&gold.covered);
        let comments = gold.comments.as_deref().map(share_of);
        let ends = blocks.blocks.iter().map(|block| block.texts().end).collect();
        let tokens = blocks.blocks.iter().map(|block| block.counts.tokens).collect();
        let standings = context.standings().collect();
        let roles = roles_of(&context, label);
        drop(context);
        let GoldTexts { texts, gold, trust, .. } = gold;
        let mut page = ContentPage {
            group,
            page,
            next,
            rows,
            words,
            markup,
            targets,
            comments,
            tokens,
            ends,
            standings,
            texts,
            gold,
            trust,
            kind: label.kind.clone(),
            is_rendered: label.is_rendered(),
            roles,
        };
        if let Some(gold) = page.words_of(RoleSet::DOCUMENT) {
            page.gold = gold;
            let is_content = |role: &Option<BlockRole>| {
                f32::from(u8::from(role.is_some_and(|role| RoleSet::DOCUMENT.contains(role))))
            };
            page.targets = page.roles.iter().flatten().map(is_content).collect();
        }
        Ok(Some(page))
    }

    /// Compares the bag of words of ranges of text nodes with that of the gold text.
    pub fn overlap(&self, spans: &[std::ops::Range<usize>]) -> Overlap {
        Overlap::of(&self.bag(spans), &self.gold)
    }

    /// Returns the words of all blocks of some roles, as sorted hashes; `None` if roles are not labelled.
    fn words_of(&self, roles: RoleSet) -> Option<Vec<u64>> {
        let labelled = self.roles.as_ref()?;
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let blocks = starts
            .zip(&self.ends)
            .zip(labelled)
            .filter(|(_, role)| role.is_some_and(|role| roles.contains(role)));
        Some(self.bag(&blocks.map(|((start, end), _)| start..*end).collect::<Vec<_>>()))
    }

    fn bag(&self, spans: &[std::ops::Range<usize>]) -> Vec<u64> {
        let texts = spans.iter().flat_map(|span| &self.texts[span.clone()]);
        let mut found: Vec<u64> = texts.flatten().copied().collect();
        found.sort_unstable();
        found
    }
}

/// The texts of a page, and the share of each that is content by the label.
#[derive(Debug)]
pub struct GoldTexts {
    /// By text: hashes of its words, in order.
    pub texts: Vec<Vec<u64>>,
    /// By text: the share of its words that is content, in [0, 1].
    pub covered: Vec<f32>,
    /// By text: the share of its words that is a comment. `None` if
    /// the label does not know.
    pub comments: Option<Vec<f32>>,
    /// The words of the content, as sorted hashes.
    pub gold: Vec<u64>,
    /// The confidence in the label: 1, or less if it is a guess.
    pub(crate) trust: f32,
}

impl GoldTexts {
    /// Compares text nodes, in document order, with a label; `None` if it knows no content.
    ///
    /// # Errors
    ///
    /// A text about the mistake in the label.
    pub fn of(page: &Page, label: &PageLabel, ids: &[NodeId]) -> Result<Option<Self>, String> {
        let gold_nodes = gold_nodes(page, label)?;
        if gold_nodes.is_none() && label.text.is_none() {
            return Ok(None);
        }
        let trust = if label.knows_content() || label.text.is_some() { 1.0 } else { GUESS };
        let rule = Convention::of(label).tokens;
        let texts: Vec<Vec<u64>> = ids.iter().map(|id| word_hashes(page.data(*id), rule)).collect();
        let mut gold = label.text.as_deref().map(|text| word_hashes(text, rule)).unwrap_or_default();
        let covered: Vec<f32> = match &gold_nodes {
            Some(nodes) => {
                let inside = |id: &NodeId| nodes.iter().any(|node| page.contains(*node, *id));
                ids.iter().map(|id| f32::from(u8::from(inside(id)))).collect()
            }
            None => covered_texts(&texts, &gold),
        };
        if label.text.is_none() {
            let covered = texts.iter().zip(&covered).filter(|(_, covered)| **covered > 0.5);
            gold = covered.flat_map(|(text, _)| text.iter().copied()).collect();
        }
        gold.sort_unstable();
        let comments = comments_of(label).map(|comments| {
            let other =
                |(text, covered): (&Vec<u64>, &f32)| if *covered > 0.5 { Vec::new() } else { text.clone() };
            let rest: Vec<Vec<u64>> = texts.iter().zip(&covered).map(other).collect();
            covered_texts(&rest, &word_hashes(comments, rule))
        });
        Ok(Some(GoldTexts { texts, covered, comments, gold, trust }))
    }
}

/// Returns the labelled text of a page's comments, which is empty if it is known that there are none.
fn comments_of(label: &PageLabel) -> Option<&str> {
    let labelled = label.others.get("comments").and_then(|comments| comments.as_str());
    labelled.or_else(|| Convention::of(label).knows_comments.then_some(""))
}

const GUESS: f32 = 0.3;

fn gold_nodes(page: &Page, label: &PageLabel) -> Result<Option<Vec<NodeId>>, String> {
    let mut label = label.clone();
    if !label.knows_content() {
        if label.text.is_some() {
            return Ok(None);
        }
        let Some(guess) = label.others.get("content_guess").and_then(|guess| guess.as_array()) else {
            return Ok(None);
        };
        label.content = guess.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
        if label.content.is_empty() {
            return Ok(None);
        }
    }
    label.some_content_nodes(page).map(Some)
}

fn covered_texts(texts: &[Vec<u64>], gold: &[u64]) -> Vec<f32> {
    let all: Vec<u64> = texts.iter().flatten().copied().collect();
    let covered = aligned(&all, gold);
    let mut from = 0;
    texts
        .iter()
        .map(|text| {
            let count = covered[from..from + text.len()].iter().filter(|covered| **covered).count();
            from += text.len();
            count as f32 / text.len().max(1) as f32
        })
        .collect()
}

fn word_hashes(text: &str, rule: TokenRule) -> Vec<u64> {
    let mut words = Vec::new();
    for_each_token(text, rule, |token| words.push(Fnv1a64::new().bytes(token.as_bytes()).finish()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_labelled_apart() {
        let label = |comments: Option<&str>, source: &str| PageLabel {
            text: Some("Home and about".into()),
            source: Some(source.into()),
            others: comments.iter().map(|text| ("comments".to_owned(), (*text).into())).collect(),
            ..PageLabel::default()
        };
        let of = |comments, source| labelled(&label(comments, source)).comments;
        assert_eq!(of(Some("One two three four five."), "x"), Some(vec![0.0, 0.0, 1.0]));
        assert_eq!(of(None, "Dragnet"), Some(vec![0.0; 3]), "labelled everywhere");
        assert_eq!(of(None, "x"), None);
    }

    #[test]
    fn words_are_told_apart_as_evaluation_does() {
        let (cjk, words) = (TokenRule::CjkByCharacter, TokenRule::Words);
        assert_eq!(word_hashes("The cat, THE 次の頁", cjk).len(), 6);
        assert_eq!(word_hashes("The cat, THE 次の頁", words).len(), 4, "a run of CJK characters is one word");
        assert_eq!(word_hashes("The", cjk), word_hashes(" the.", words));
    }

    fn labelled(label: &PageLabel) -> ContentPage {
        let html = "<nav>Home and about</nav><main><h1>Title</h1><p>One two three four five.</p></main>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        ContentPage::of(page, label, 0).unwrap().unwrap()
    }

    #[test]
    fn nodes_and_clean_text_say_what_content_is() {
        let by_nodes = PageLabel {
            content: vec!["//main".into()],
            labels: vec!["content".into()],
            text: Some("Title\nOne two three four five.".into()),
            ..PageLabel::default()
        };
        assert_eq!(labelled(&by_nodes).targets, [0.0, 1.0, 1.0]);
        let by_text = PageLabel { text: Some("One two three four five.".into()), ..PageLabel::default() };
        let page = labelled(&by_text);
        assert_eq!(page.targets, [0.0, 0.0, 1.0]);
        // Everything: 3 + 1 + 5 words, of which 5 are right.
        assert!((page.overlap(&vec![0..3; 1]).f() - 10.0 / 14.0).abs() < 1e-12);
        let mut guess = PageLabel::default();
        guess.others.insert("content_guess".into(), serde_json::json!(["//p"]));
        let page = labelled(&guess);
        assert!(page.trust < 1.0 && page.targets == [0.0, 0.0, 1.0]);
        assert_eq!(page.overlap(&vec![2..3; 1]).f(), 1.0, "the text of guessed nodes is the gold text");
    }
}
