//! Elements that the page does not show.

use super::words::FurnitureNames;
use tsugi_page::{Attr, Content, HidingRules, NodeId, Page, Tag, style};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    /// Not shown: `hidden`, `display: none`, `visibility: hidden`.
    Unseen,
    /// Shown, but not read aloud: `aria-hidden`.
    Unheard,
}

impl Hidden {
    pub(super) fn of(name: Attr, value: &str) -> Option<Hidden> {
        match name {
            // `until-found` content can be found by searching.
            Attr::Hidden => (!value.eq_ignore_ascii_case("until-found")).then_some(Hidden::Unseen),
            Attr::AriaHidden => value.trim().eq_ignore_ascii_case("true").then_some(Hidden::Unheard),
            Attr::Style => style::hides(value).then_some(Hidden::Unseen),
            _ => None,
        }
    }
}

const LOOKED_AT: usize = 500; // Maximum number of nodes examined when looking for a formula.

/// Returns the elements of content that the page's style sheets hide, unless these hold much of it: then a script shows them.
pub(super) fn by_sheets(page: &Page, content: &Content, total: u32) -> Vec<NodeId> {
    let inside =
        || content.nodes.iter().flat_map(|root| page.subtree(*root)).filter(|id| page.is_element(*id));
    let rules = HidingRules::of(page, inside());
    if rules.is_empty() {
        return Vec::new();
    }
    let names = FurnitureNames::empty();
    let hidden = inside().filter(|id| rules.hide(page, *id) && goes(page, *id, Hidden::Unseen, names, total));
    let hidden = page.outermost(hidden.collect());
    let characters: u32 = hidden.iter().map(|id| page.totals(*id).characters).sum();
    if is_much(characters, total) { Vec::new() } else { hidden }
}

fn is_much(characters: u32, total: u32) -> bool {
    3 * u64::from(characters) >= u64::from(total)
}

/// Returns `true` if a hidden element is not part of the content; `total` is the number of characters of the content.
///
/// Tabs, accordions and slides hide content until a click. A wrapper with much of the content is revealed by a
/// script. A formula for screen readers repeats the formula shown beside it.
pub(super) fn goes(page: &Page, id: NodeId, hidden: Hidden, names: FurnitureNames, total: u32) -> bool {
    let characters = page.totals(id).characters;
    if characters == 0 {
        return false;
    }
    if page.subtree(id).take(LOOKED_AT).any(|id| page.known_tag(id) == Tag::Math) {
        return false;
    }
    match hidden {
        Hidden::Unseen => {
            !is_much(characters, total)
                && !std::iter::once(id).chain(page.ancestors(id).take(2)).any(|id| folded(page, id))
                && !is_answer(page, id)
                && !is_panel(page, id)
        }
        Hidden::Unheard => {
            characters <= ICON
                && (names.intersects(FurnitureNames::ICON)
                    || !page.string_value(id).chars().any(char::is_alphanumeric))
                || is_beside_formula(page, id)
        }
    }
}

fn is_beside_formula(page: &Page, id: NodeId) -> bool {
    let beside = [page.previous_sibling(id), page.next_sibling(id)].into_iter().flatten();
    beside.flat_map(|id| page.subtree(id).take(3)).any(|id| page.known_tag(id) == Tag::Math)
}

const ICON: u32 = 24; // Maximum number of characters of a word that a font renders as an icon.
/// Minimum number of characters of a text revealed by a click, and maximum number of those of the line to click.
const ANSWER: u32 = 140;

/// Prose below a line may be shown on a click.
fn is_answer(page: &Page, id: NodeId) -> bool {
    let totals = page.totals(id);
    let is_prose = totals.characters >= ANSWER && 4 * totals.link_characters < totals.characters;
    let before = std::iter::successors(page.previous_sibling(id), |id| page.previous_sibling(*id));
    let line = before.take(4).find(|id| page.is_element(*id)).map(|id| page.totals(id).characters);
    is_prose && line.is_some_and(|line| (1..=ANSWER).contains(&line))
}

/// Returns `true` if an element is a panel of tabs, as its label says, or holds such panels, or all words of one.
fn is_panel(page: &Page, id: NodeId) -> bool {
    const NEAR: usize = 8;
    let characters = |id: NodeId| page.totals(id).characters;
    let mut labels = page.subtree(id).take(NEAR).filter(|below| page.class(*below).label);
    labels.next().is_some_and(|label| characters(label) < characters(id))
        || page.ancestors(id).take(2).any(|above| {
            page.tab_label(above).is_some_and(|label| characters(label) + characters(id) == characters(above))
        })
}

fn folded(page: &Page, id: NodeId) -> bool {
    let says = |(name, value)| match name {
        Attr::Class | Attr::Id => FurnitureNames::of(value).intersects(FurnitureNames::FOLDED),
        Attr::Role => value.eq_ignore_ascii_case("tabpanel"),
        _ => false,
    };
    page.known_attributes(id).any(says)
}
