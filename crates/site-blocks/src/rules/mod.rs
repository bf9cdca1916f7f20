//! Rules that find the content of a single page, learned from the content blocks of other pages of its site.
//!
//! Methods that compare pages need several of them. A rule describes the position of content blocks by the nearest
//! `id` or class that occurs once on every page, and works on a single page.

mod apply;
mod rule;

pub use rule::{Identifier, NearIdentifier, Rule};

use crate::kept::Kept;
use crate::unique::{Extensions, unique_blocks_extended};
use apply::RuleTable;
use rule::is_identifier;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use tsugi_page::{NodeId, Page};

/// Selector rules of one site. They display as a CSS selector list.
///
/// # Source
///
/// Yoshida, Inui & Yamamoto, CSS セレクタで表現されたコンテンツ抽出ルールの自動獲得 (rules for extraction as CSS
/// selectors), sections 2.4 and 2.5.
///
/// # Examples
///
/// ```
/// use tsugi_page::Page;
/// use tsugi_site_blocks::{Extensions, SelectorRules};
/// let page = |text: &str| {
///     let html = format!("<div id=menu><p>Home</div><div id=main><h1>{text}</h1><p>{text}, at length</div>");
///     Page::from_text(&html, &"https://a.test/".parse().unwrap())
/// };
/// let rules = SelectorRules::learn_from_unique(&[&page("Snow"), &page("Rain")], Extensions::default());
/// assert_eq!(rules.to_string(), "#main > h1, #main > p");
/// let other = page("Fog");
/// assert_eq!(rules.kept(&other).text(&other), "Fog\nFog, at length");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelectorRules {
    rules: Vec<Rule>,
    table: RuleTable,
}

impl SelectorRules {
    /// Learns the rules of a site from some of its pages and the content blocks of each.
    ///
    /// An identifier is *fit* if it occurs exactly once on every page. The near identifier of a block is its own fit
    /// one, or else its parent's, or else its parent's near one; every element counts as a parent, block-level or
    /// not. On the same element, an `id` is preferred to classes.
    ///
    /// `content` has one list of blocks per page, in the order of `pages`; a page without a list has no content. If one
    /// of the pages is of a different kind, few identifiers occur on every page, and the rules are general.
    ///
    /// # Source
    ///
    /// Yoshida, Inui & Yamamoto, section 2.4.
    ///
    /// CHOICE: of several fit classes on one element, the first one in the source counts.
    /// CHOICE: blank content blocks make rules like any other, as in the paper; blank blocks are skipped when rules
    /// are applied.
    /// CHOICE: identifiers longer than 256 bytes are ignored.
    pub fn learn(pages: &[&Page], content: &[Vec<NodeId>]) -> SelectorRules {
        let fit = Fit::on_all(pages);
        let pages = pages.iter().zip(content);
        SelectorRules::from_rules(pages.flat_map(|(page, blocks)| fit.rules(page, blocks)))
    }

    /// Learns the rules of a site from some of its pages and their unique blocks.
    pub fn learn_from_unique(pages: &[&Page], extensions: Extensions) -> SelectorRules {
        let unique = unique_blocks_extended(pages, extensions);
        let nodes = unique.iter().map(|blocks| blocks.iter().map(crate::Block::node).collect());
        SelectorRules::learn(pages, &nodes.collect::<Vec<_>>())
    }

    /// Creates rules from stored ones.
    pub fn from_rules(rules: impl IntoIterator<Item = Rule>) -> SelectorRules {
        let rules: Vec<Rule> = rules.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        SelectorRules { table: RuleTable::new(&rules), rules }
    }

    /// Returns the rules, sorted.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns XPath 1.0 for the elements that the CSS selectors match; empty without rules.
    ///
    /// Items are better learned from the nodes that rules select: as a `pageElement`, this XPath found worse content than
    /// the learned one on 40 of 114 sites.
    pub fn to_xpath(&self) -> String {
        self.rules.iter().map(Rule::to_xpath).collect::<Vec<_>>().join(" | ")
    }

    /// Returns the blocks of a page that the rules select, in the order in which they begin, without blocks that have
    /// neither text nor an image.
    ///
    /// An identifier may occur several times on a new page, and then selects as in CSS.
    ///
    /// # Source
    ///
    /// Yoshida, Inui & Yamamoto, section 2.5.
    pub fn blocks(&self, page: &Page) -> Vec<NodeId> {
        self.table.blocks(page)
    }

    /// Returns the leaves that the rules keep on a page.
    pub fn kept(&self, page: &Page) -> Kept {
        Kept::of_blocks(page, &self.blocks(page))
    }
}

impl Display for SelectorRules {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, rule) in self.rules.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{rule}")?;
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Fit<'a> {
    ids: BTreeSet<&'a str>,
    classes: BTreeSet<&'a str>,
}

impl<'a> Fit<'a> {
    fn on_all(pages: &[&'a Page]) -> Fit<'a> {
        let mut fits = pages.iter().map(|page| Fit::on(page));
        let Some(first) = fits.next() else { return Fit::default() };
        fits.fold(first, |mut fit, other| {
            fit.ids.retain(|value| other.ids.contains(value));
            fit.classes.retain(|word| other.classes.contains(word));
            fit
        })
    }

    fn on(page: &'a Page) -> Fit<'a> {
        let ids = page.elements().filter_map(|id| Some((page.attribute(id, "id")?, id)));
        let classes = page.elements().flat_map(|id| words(page, id).map(move |word| (word, id)));
        Fit { ids: held_once(ids), classes: held_once(classes) }
    }

    fn of(&self, page: &Page, id: NodeId) -> Option<Identifier> {
        let value = page.attribute(id, "id").filter(|value| self.ids.contains(value));
        value.map(|value| Identifier::Id(value.into())).or_else(|| {
            let word = words(page, id).find(|word| self.classes.contains(word))?;
            Some(Identifier::Class(word.into()))
        })
    }

    fn rules(&self, page: &Page, blocks: &[NodeId]) -> Vec<Rule> {
        // The elements with a fit identifier.
        let mut holders: Vec<(NodeId, Identifier)> = Vec::new();
        // For each node, the index in `holders` of the element with its near identifier.
        let mut near: Vec<Option<usize>> = vec![None; page.node_count()];
        for id in page.elements() {
            near[id.index()] = page.parent(id).and_then(|parent| near[parent.index()]);
            if let Some(identifier) = self.of(page, id) {
                near[id.index()] = Some(holders.len());
                holders.push((id, identifier));
            }
        }
        let rules = blocks.iter().filter_map(|block| {
            let near = match near[block.index()].map(|place| &holders[place]) {
                Some((holder, identifier)) if holder == block => NearIdentifier::Own(identifier.clone()),
                Some((holder, identifier)) if Some(*holder) == page.parent(*block) => {
                    NearIdentifier::Parent(identifier.clone())
                }
                Some((_, identifier)) => NearIdentifier::Ancestor(identifier.clone()),
                None => NearIdentifier::None,
            };
            Rule::new(page.tag(*block), near)
        });
        rules.collect()
    }
}

fn words(page: &Page, id: NodeId) -> impl Iterator<Item = &str> {
    page.attribute(id, "class").unwrap_or_default().split_ascii_whitespace()
}

/// Returns the names that only one element has, even if it has them twice.
fn held_once<'a>(names: impl Iterator<Item = (&'a str, NodeId)>) -> BTreeSet<&'a str> {
    // For each name, the only element that has it, if there is only one.
    let mut holders: BTreeMap<&str, Option<NodeId>> = BTreeMap::new();
    for (name, id) in names.filter(|(name, _)| is_identifier(name)) {
        let holder = holders.entry(name).or_insert(Some(id));
        if *holder != Some(id) {
            *holder = None;
        }
    }
    holders.into_iter().filter(|(_, holder)| holder.is_some()).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests;
