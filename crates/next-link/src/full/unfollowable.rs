//! Next pages that exist and cannot be followed: buttons, scripts, forms.

use super::names::Names;
use super::runs::Run;
use super::survey::{Item, Survey, Target, Within};
use super::words::{self, Words};
use tsugi_page::{NodeId, Page};

/// A label of a control is short.
const MAX_TOKENS: u16 = 5;

/// Share of the page's text that stands before a control that loads more of it.
const LATE: f32 = 0.3;

/// Finds a control that would lead on, had it an address: "load more", a "next" that a script answers.
///
/// For pages whose candidates are all too weak: it says that the document goes on and that we cannot. What slides
/// pictures, turns calendars or is switched off does not count.
///
/// # Examples
///
/// ```
/// use tsugi_next_link::unfollowable;
/// let page = |html: &str| tsugi_page::Page::from_text(html, &"https://a.test/list".parse().unwrap());
/// let buttons = page("<p>Much text.</p><div class=pagination><b>1</b> <a href='#'>2</a> <a href='#'>Next</a></div>");
/// assert_eq!(buttons.text(unfollowable(&buttons).unwrap()), "Next");
/// let slides = page("<p>Much text.</p><div class=carousel><a href='#'>Next</a></div>");
/// assert_eq!(unfollowable(&slides), None);
/// ```
pub fn unfollowable(page: &Page) -> Option<NodeId> {
    let survey = Survey::of(page);
    let total = survey.page.totals(NodeId::DOCUMENT);
    let text = (total.characters - total.link_characters).max(1) as f32;
    let leads_on = |(at, item): &(usize, &Item)| {
        let is_late = survey.page_mark(item).plain_characters as f32 >= LATE * text;
        is_usable(&survey, item) && (turns_page(&survey, *at, item) || (is_late && loads_more(&survey, item)))
    };
    let found = survey.items.iter().enumerate().find(leads_on).map(|(_, item)| survey.place(item));
    found.or_else(|| submit(&survey))
}

/// Whether an item is a control that a reader can use, and none of a slider, a menu or a calendar.
fn is_usable(survey: &Survey<'_>, item: &Item) -> bool {
    let mark = survey.mark(item);
    let names = mark.around.or(item.names);
    let elsewhere = Names::SLIDER.or(Names::CALENDAR).or(Names::MENU).or(Names::COMMENT).or(Names::SIDE).or(Names::SHARE).or(Names::RELATED);
    let hidden = mark.names.or(mark.around).has(Names::HIDDEN);
    item.target == Target::Dead
        && !item.disabled
        && !hidden
        && !names.has(elsewhere)
        && !mark.within.has(Within::HEADER)
}

/// Whether a control turns the pages of a pager: it says "next" in one, or follows the current number of a run.
fn turns_page(survey: &Survey<'_>, at: usize, item: &Item) -> bool {
    let (_, pager) = survey.around(at);
    let counts = survey.counts_of(pager.from, pager.to);
    let runs = || (pager.from..pager.to).filter_map(|at| survey.runs.of_item(at));
    let ends = runs().any(|run: &Run| run.current == Some(run.greatest) && run.length > 1 && run.current_at.is_some());
    let mark = survey.mark(item);
    let is_pager = counts.numbers >= 2 || mark.around.or(item.names).has(Names::PAGER);
    let says_next = item.says(Words::NEXT) && !item.says(Words::PREVIOUS) && item.text.tokens <= MAX_TOKENS;
    let page_words = item.text.words.has(Words::PAGE) && !item.text.strange;
    says_next && (is_pager || page_words) && !ends
}

/// Whether a control says "load more" or "show more".
fn loads_more(survey: &Survey<'_>, item: &Item) -> bool {
    let page = survey.tree(item.tree).0;
    let label = page.text(item.node).to_lowercase();
    let label = words::cut(&label, 60);
    let is_short = (1..=MAX_TOKENS).contains(&item.text.tokens);
    let verb = ["load", "show", "view", "see", "laden", "charger", "voir", "cargar", "ver", "carica", "mostra", "もっと", "さらに", "加载", "더"];
    let says_load = verb.iter().any(|verb| label.starts_with(verb));
    let named = item.names.has(Names::LOAD) && item.says(Words::MORE);
    is_short && item.text.words.has(Words::MORE) && (says_load || named) && !item.text.words.has(Words::READ)
}

/// A button of a form that says "next page".
fn submit(survey: &Survey<'_>) -> Option<NodeId> {
    let page = survey.page;
    page.elements().find(|node| {
        let is_button = page.is(*node, "input")
            && page.attribute(*node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("submit") || kind.eq_ignore_ascii_case("button"));
        is_button && page.attribute(*node, "disabled").is_none() && {
            let reading = words::read(page.attribute(*node, "value").unwrap_or_default());
            reading.words.has(Words::NEXT) && reading.words.has(Words::PAGE) && !reading.strange
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Option<String> {
        let page = Page::from_text(html, &"https://a.test/list".parse().unwrap());
        unfollowable(&page).map(|node| page.tag(node).to_owned())
    }

    #[test]
    fn controls_that_lead_on_are_found() {
        assert_eq!(found("<p>Text of a list.</p><button>Load more</button>").as_deref(), Some("button"));
        assert_eq!(found("<p>Text.</p><a class=pager-next href='javascript:go(2)'>次のページ</a>").as_deref(), Some("a"));
        assert_eq!(found("<form><input type=submit value='Next page'></form>").as_deref(), Some("input"));
    }

    #[test]
    fn controls_of_other_things_are_not() {
        for html in [
            "<p>Text.</p><a class=pager-next href='/2'>Next page</a>",
            "<p>Text.</p><div class=pagination><a class=disabled>Next</a></div>",
            "<p>Text.</p><div class=slick-slider><button>Next</button></div>",
            "<p>Text.</p><div class=pagination><a href='#'>1</a> <b>2</b> <a href='#'>Next</a></div>",
            "<button>Load more</button><p>All the text of the page follows it.</p>",
            "<p>Text.</p><button>Read more</button>",
        ] {
            assert_eq!(found(html), None, "{html}");
        }
    }
}
