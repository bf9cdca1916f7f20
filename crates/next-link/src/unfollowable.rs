//! Next pages that exist but cannot be followed: buttons, scripts, forms.

use super::names::NameFlags;
use super::survey::{Enclosing, LinkItem, LinkTarget, SurveyedPage};
use super::words::{self, LabelWords};
use tsugi_page::{Attr, NodeId, Tag};

const MAX_TOKENS: u16 = 5; // Maximum number of words in the label of a control.
/// A control with more characters contains running text, whatever its first words are.
const MAX_LABEL: u32 = 4096;
const LATE: f32 = 0.3; // Minimum share of the page's text before a control that loads more of it.

pub(super) fn on(survey: &SurveyedPage<'_>) -> Option<NodeId> {
    let total = survey.page.totals(NodeId::DOCUMENT);
    let text = (total.characters - total.link_characters).max(1) as f32;
    let leads_on = |(at, item): &(usize, &LinkItem)| {
        let is_late = survey.trees.page_mark(item).plain_characters as f32 >= LATE * text;
        is_usable(survey, item) && (turns_page(survey, *at, item) || (is_late && loads_more(survey, item)))
    };
    let found = survey.items.iter().enumerate().find(leads_on).map(|(_, item)| survey.trees.place(item));
    found.or_else(|| submit(survey))
}

fn is_usable(survey: &SurveyedPage<'_>, item: &LinkItem) -> bool {
    let mark = survey.trees.mark(item);
    let parts = NameFlags::SLIDER | NameFlags::CALENDAR | NameFlags::MENU | NameFlags::COMMENT;
    let elsewhere = parts | NameFlags::SIDE | NameFlags::SHARE | NameFlags::RELATED;
    item.target == LinkTarget::Dead
        && !item.disabled
        && !(mark.names | mark.around).intersects(NameFlags::HIDDEN)
        && !(mark.around | item.names).intersects(elsewhere)
        && !mark.within.intersects(Enclosing::HEADER)
}

/// It says "next" in a pager, or beside a word for "page".
fn turns_page(survey: &SurveyedPage<'_>, at: usize, item: &LinkItem) -> bool {
    let says_next =
        item.says(LabelWords::NEXT) && !item.says(LabelWords::PREVIOUS) && item.text.tokens <= MAX_TOKENS;
    if !says_next {
        return false;
    }
    let (_, pager) = survey.around(at);
    let counts = survey.counts_of(pager.from, pager.to);
    let mut runs = (pager.from..pager.to).filter_map(|at| survey.runs.of_item(at));
    let ends = runs.any(|run| run.current == Some(run.greatest) && run.current_at.is_some());
    let mark = survey.trees.mark(item);
    let is_pager = counts.numbers >= 2 || mark.around.union(item.names).intersects(NameFlags::PAGER);
    let page_words = item.text.words.intersects(LabelWords::PAGE) && !item.text.strange;
    (is_pager || page_words) && !ends
}

/// Beginnings of labels that load more of a list. "See more" and "view more" unfold all kinds of things.
const LOADS: [&str; 14] = [
    "load ", "show more", "more results", "weitere laden", "mehr laden", "mehr anzeigen", "charger",
    "afficher plus", "cargar", "carica", "もっと", "さらに", "加载", "더보기",
];

fn loads_more(survey: &SurveyedPage<'_>, item: &LinkItem) -> bool {
    let page = survey.trees.tree(item.tree).0;
    (1..=MAX_TOKENS).contains(&item.text.tokens)
        && page.totals(item.node).characters <= MAX_LABEL
        && item.text.words.intersects(LabelWords::MORE)
        && {
            let label = page.text(item.node).to_lowercase();
            LOADS.iter().any(|start| label.starts_with(start))
        }
}

fn submit(survey: &SurveyedPage<'_>) -> Option<NodeId> {
    let page = survey.page;
    page.elements().find(|node| {
        let kind = page.value(*node, Attr::Type).filter(|_| page.is_tag(*node, Tag::Input));
        let is_button = kind
            .is_some_and(|kind| kind.eq_ignore_ascii_case("submit") || kind.eq_ignore_ascii_case("button"));
        is_button && page.value(*node, Attr::Disabled).is_none() && {
            let reading = words::read(page.value(*node, Attr::Value).unwrap_or_default());
            reading.words.contains(LabelWords::NEXT | LabelWords::PAGE) && !reading.strange
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::LinkSurvey;
    use tsugi_page::Page;

    fn found(html: &str) -> Option<String> {
        let page = Page::from_text(html, &"https://a.test/list".parse().unwrap());
        LinkSurvey::of(&page).unfollowable().map(|node| page.tag(node).to_owned())
    }

    #[test]
    fn controls_that_lead_on_are_found() {
        assert_eq!(found("<p>Text of a list.</p><button>Load more</button>").as_deref(), Some("button"));
        assert_eq!(
            found("<p>Text.</p><a class=pager-next href='javascript:go(2)'>次のページ</a>").as_deref(),
            Some("a")
        );
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
            "<p>Text.</p><button>See more</button>",
            "<p>Text.</p><a class=page-load-link href='#'>Page load link</a>",
        ] {
            assert_eq!(found(html), None, "{html}");
        }
    }
}
