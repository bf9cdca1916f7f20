//! How far two labellings of the same pages agree: content in text blocks, next links, and roles of blocks.

use crate::content::roles_of;
use crate::label::{PageLabel, url_key};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tsugi::page::NodeId;
use tsugi::{Page, Tsugi};
use tsugi_main_content::{BlockRole, PageContext};

/// The text blocks of a page, and the pages that its links lead to.
#[derive(Debug)]
pub struct PageOffer {
    blocks: Vec<NodeId>,
    links: BTreeSet<String>,
}

impl PageOffer {
    /// Finds the text blocks and links of a page.
    pub fn of(page: &Page, tsugi: &Tsugi) -> PageOffer {
        let links = page.elements().filter(|node| page.is(*node, "a"));
        let leads_to = |node| Some(url_key(page.resolve(page.attribute(node, "href")?)?.as_str()));
        PageOffer {
            blocks: tsugi.look(page).explain(usize::MAX).blocks.into_iter().map(|block| block.node).collect(),
            links: links.filter_map(leads_to).collect(),
        }
    }
}

/// A label in terms of the blocks and links of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledAnswer {
    /// `None` if the label is about roles alone.
    marked: Option<MarkedAnswer>,
    /// The role of each block that was read, if the label knows roles.
    roles: Option<Vec<Option<BlockRole>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct MarkedAnswer {
    blocks: BTreeSet<NodeId>,
    next: Option<String>,
}

impl LabelledAnswer {
    /// Finds the text blocks of a page that its label calls content, and the roles of all.
    ///
    /// # Errors
    ///
    /// A text that says which expression of the label cannot be used, and why.
    pub fn of(offer: &PageOffer, page: &Page, label: &PageLabel) -> Result<LabelledAnswer, String> {
        let content =
            label.content_nodes(page).map_err(|(expression, error)| format!("`{expression}`: {error}"))?;
        let is_content = |block: &&NodeId| content.iter().any(|node| page.contains(*node, **block));
        let marked = || MarkedAnswer {
            blocks: offer.blocks.iter().filter(is_content).copied().collect(),
            next: label.next.as_deref().map(url_key),
        };
        let has_blocks = label.others.contains_key("blocks");
        let roles = has_blocks.then(|| roles_of(&PageContext::new(page, None), label)).flatten();
        let is_marked = roles.is_none() || label.knows_next() || label.knows_content();
        Ok(LabelledAnswer { marked: is_marked.then(marked), roles })
    }
}

/// Counts of agreement over pages. The second labelling counts as right.
#[derive(Debug, Default)]
pub struct AgreementCounts {
    pages: usize,
    perfect: usize,
    same_next: usize,
    /// Text blocks that are content by both, by the first, by the second.
    both: usize,
    first: usize,
    second: usize,
    /// Links, by whether the first and the second chose them.
    links: BTreeMap<(bool, bool), usize>,
    /// Blocks, by the role that the first and the second say.
    roles: BTreeMap<(BlockRole, BlockRole), usize>,
}

/// How far one labelling agrees with another. Shares are from 0 to 1; `None` if there is nothing to divide by.
#[derive(Debug, PartialEq, Serialize)]
pub struct LabelAgreement {
    /// The pages of which both know the content or the next page.
    pub(crate) pages: usize,
    /// Share of the first labelling's content blocks that are content by the second.
    pub(crate) precision: Option<f64>,
    /// Share of the second labelling's content blocks that are content by the first.
    pub(crate) recall: Option<f64>,
    /// Harmonic mean of both, over the blocks of all pages together.
    pub(crate) f: Option<f64>,
    /// Share of pages with the same content blocks.
    pub(crate) perfect: Option<f64>,
    /// Share of pages with the same next page, or none by both.
    pub(crate) same_next: Option<f64>,
    /// Cohen's kappa over all links of all pages, from -1 to 1; `None` if chance alone explains the agreement.
    pub(crate) kappa: Option<f64>,
    /// The blocks whose role both know.
    pub(crate) role_blocks: usize,
    /// Share of these blocks with the same role.
    pub(crate) same_role: Option<f64>,
    /// Cohen's kappa of their roles.
    pub(crate) role_kappa: Option<f64>,
    /// Every role that a block has by either.
    pub(crate) roles: BTreeMap<&'static str, RoleAgreement>,
}

/// How far two labellings agree on one role, in blocks.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct RoleAgreement {
    pub(crate) both: usize,
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Harmonic mean of the shares of `both` in `first` and in `second`.
    pub(crate) f: Option<f64>,
}

impl AgreementCounts {
    /// Adds a page.
    pub fn add(&mut self, offer: &PageOffer, first: &LabelledAnswer, second: &LabelledAnswer) {
        if let (Some(first), Some(second)) = (&first.roles, &second.roles) {
            for (first, second) in
                first.iter().zip(second).filter_map(|(first, second)| (*first).zip(*second))
            {
                *self.roles.entry((first, second)).or_default() += 1;
            }
        }
        let (Some(first), Some(second)) = (&first.marked, &second.marked) else { return };
        self.pages += 1;
        self.perfect += usize::from(first.blocks == second.blocks);
        self.same_next += usize::from(first.next == second.next);
        self.both += first.blocks.intersection(&second.blocks).count();
        self.first += first.blocks.len();
        self.second += second.blocks.len();
        // A label may name a page that no link leads to.
        let links: BTreeSet<&String> = first.next.iter().chain(&second.next).chain(&offer.links).collect();
        for link in links {
            let by = (first.next.as_ref() == Some(link), second.next.as_ref() == Some(link));
            *self.links.entry(by).or_default() += 1;
        }
    }

    /// Returns the figures over all pages.
    pub fn result(&self) -> LabelAgreement {
        let role_blocks = self.roles.values().sum();
        LabelAgreement {
            pages: self.pages,
            precision: share(self.both, self.first),
            recall: share(self.both, self.second),
            f: share(2 * self.both, self.first + self.second),
            perfect: share(self.perfect, self.pages),
            same_next: share(self.same_next, self.pages),
            kappa: kappa(&self.links),
            role_blocks,
            same_role: share(same(&self.roles), role_blocks),
            role_kappa: kappa(&self.roles),
            roles: self.by_role(),
        }
    }

    fn by_role(&self) -> BTreeMap<&'static str, RoleAgreement> {
        let mut roles: BTreeMap<&str, RoleAgreement> = BTreeMap::new();
        for ((first, second), count) in &self.roles {
            roles.entry(first.as_str()).or_default().first += count;
            roles.entry(second.as_str()).or_default().second += count;
            roles.entry(first.as_str()).or_default().both += if first == second { *count } else { 0 };
        }
        for role in roles.values_mut() {
            role.f = share(2 * role.both, role.first + role.second);
        }
        roles
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns how often both gave the same answer.
fn same<A: Ord>(counts: &BTreeMap<(A, A), usize>) -> usize {
    counts.iter().filter(|((first, second), _)| first == second).map(|(_, count)| count).sum()
}

/// Returns Cohen's kappa of two labellings, counted by what both say: (observed − expected) ÷ (1 − expected) agreement.
///
/// # Source
///
/// Cohen (1960), A coefficient of agreement for nominal scales, <https://doi.org/10.1177/001316446002000104>.
fn kappa<A: Ord>(counts: &BTreeMap<(A, A), usize>) -> Option<f64> {
    let total = counts.values().sum::<usize>() as f64;
    let (mut of_first, mut of_second) = (BTreeMap::<&A, usize>::new(), BTreeMap::<&A, usize>::new());
    for ((first, second), count) in counts {
        *of_first.entry(first).or_default() += count;
        *of_second.entry(second).or_default() += count;
    }
    let by_chance = |(answer, count): (&&A, &usize)| {
        (*count as f64 / total) * (of_second.get(*answer).copied().unwrap_or_default() as f64 / total)
    };
    let expected: f64 = of_first.iter().map(by_chance).sum();
    let observed = same(counts) as f64 / total;
    (total > 0.0 && expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        let of = |[both, first, second, neither]: [usize; 4]| {
            let counts = [
                ((true, true), both),
                ((true, false), first),
                ((false, true), second),
                ((false, false), neither),
            ];
            kappa(&counts.into())
        };
        // Observed .70; expected .5 · .6 + .5 · .4 = .50.
        assert!((of([20, 5, 10, 15]).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!((of([0; 4]), of([0, 0, 0, 9])), (None, None), "nothing but chance");
        assert_eq!(of([2, 0, 0, 9]), Some(1.0));
    }

    #[test]
    fn agreement_on_roles_is_counted_where_both_know_them() {
        let html = "<h1>Title</h1><p>One is long enough.</p><p>Two is long enough.</p>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let offer = PageOffer::of(&page, &Tsugi::new());
        let answer = |roles: Option<[&str; 3]>, known: &str| {
            let texts =
                [("h1[1]", "Title"), ("p[1]", "One is long enough."), ("p[2]", "Two is long enough.")];
            let block = |((at, text), role)| json!({"at": format!("/html[1]/body[1]/{at}"), "role": role, "text": text});
            let blocks = roles.map(|roles| texts.into_iter().zip(roles).map(block).collect());
            let others = blocks.map(|blocks| ("blocks".to_owned(), blocks)).into_iter().collect();
            let label = PageLabel { labels: vec![known.to_owned()], others, ..PageLabel::default() };
            LabelledAnswer::of(&offer, &page, &label).unwrap()
        };
        let one = answer(Some(["title", "lead", "body"]), "roles");
        let other = answer(Some(["title", "body", "body"]), "next");
        let mut counts = AgreementCounts::default();
        counts.add(&offer, &one, &other);
        counts.add(&offer, &other, &answer(None, "next"));
        let found = counts.result();
        assert_eq!((found.role_blocks, found.same_role), (3, Some(2.0 / 3.0)));
        // Expected: title 1/3 · 1/3, lead 1/3 · 0, body 1/3 · 2/3, so 1/3.
        assert!((found.role_kappa.unwrap() - 0.5).abs() < 1e-12, "{found:?}");
        let body = RoleAgreement { both: 1, first: 1, second: 2, f: Some(2.0 / 3.0) };
        let lead = RoleAgreement { both: 0, first: 1, second: 0, f: Some(0.0) };
        let title = RoleAgreement { both: 1, first: 1, second: 1, f: Some(1.0) };
        assert_eq!(found.roles, [("body", body), ("lead", lead), ("title", title)].into());
        assert_eq!(found.pages, 1, "a label of roles alone says nothing of content and next page");
    }

    #[test]
    fn agreement_is_counted_in_blocks_and_links() {
        let html = "<main><p>One is long enough.</p><p>Two is long enough.</p></main><a href=/2>Next</a><a href=/3>3</a>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let offer = PageOffer::of(&page, &Tsugi::new());
        let answer = |content: &str, next: Option<&str>| {
            let next = next.map(str::to_owned);
            let label = PageLabel { content: vec![content.to_owned()], next, ..PageLabel::default() };
            LabelledAnswer::of(&offer, &page, &label)
        };
        let one = answer("//main/p[1]", Some("https://www.a.test/2/")).unwrap();
        let both = answer("//main", Some("https://a.test/3")).unwrap();
        let mut counts = AgreementCounts::default();
        counts.add(&offer, &one, &both);
        let found = counts.result();
        // One of one block is right, one of two right ones is taken; 2 · 1 ÷ (1 + 2).
        assert_eq!((found.precision, found.recall, found.f), (Some(1.0), Some(0.5), Some(2.0 / 3.0)));
        assert_eq!((found.perfect, found.same_next), (Some(0.0), Some(0.0)));
        // Of two links each takes one: observed 0, expected .5.
        assert_eq!(found.kappa, Some(-1.0));
        counts = AgreementCounts::default();
        counts.add(&offer, &one, &one);
        let found = counts.result();
        assert_eq!((found.f, found.perfect, found.kappa), (Some(1.0), Some(1.0), Some(1.0)));
        assert!(answer("//p[", None).unwrap_err().contains("//p["));
    }
}
