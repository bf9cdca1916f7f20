//! Next pages that exist but cannot be followed: buttons, scripts, forms.

use super::names::NameFlags;
use super::said;
use super::survey::{Enclosing, LinkItem, LinkTarget, SurveyedPage};
use super::ways::{self, PageForm};
use super::words::{self, LabelReading, LabelWords};
use tsugi_page::{Attr, NodeId, Page, Tag};

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
    (item.target == LinkTarget::Dead || is_route(survey, item))
        && !item.disabled
        && !(mark.names | mark.around).intersects(NameFlags::HIDDEN)
        && !(mark.around | item.names).intersects(elsewhere)
        && !mark.within.intersects(Enclosing::HEADER)
}

/// It leads to a place that scripts show: no element has such an `id`.
fn is_route(survey: &SurveyedPage<'_>, item: &LinkItem) -> bool {
    let page = survey.trees.tree(item.tree).0;
    let href = page.value(item.node, Attr::Href).filter(|_| item.target == LinkTarget::Fragment);
    href.is_some_and(|href| ["#/", "#!"].iter().any(|start| href.trim().starts_with(start)))
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

/// Finds a button of a form that cannot be followed, or a select that needs a script.
fn submit(survey: &SurveyedPage<'_>) -> Option<NodeId> {
    let (page, marks) = survey.trees.tree(0);
    page.elements().find(|node| {
        let is_usable = said::is_of_the_document(&marks[node.index()]);
        match page.known_tag(*node) {
            Tag::Input => is_usable && is_next_button(survey, *node),
            Tag::Select => is_usable && is_scripted_select(survey, *node),
            // Buttons and links have been looked at.
            Tag::A | Tag::Button => false,
            _ => is_usable && is_next_control(page, *node),
        }
    })
}

/// It says "next page", or "next" in a form with nothing to fill in.
fn is_next_button(survey: &SurveyedPage<'_>, node: NodeId) -> bool {
    let page = survey.page;
    let kind = page.value(node, Attr::Type).unwrap_or_default();
    let is_button = ["submit", "button", "image"].iter().any(|name| kind.eq_ignore_ascii_case(name));
    if !is_button || page.value(node, Attr::Disabled).is_some() || survey.is_followed(node) {
        return false;
    }
    let reading = words::read(ways::label_of_input(page, node));
    let form = survey.forms.around(node).filter(|_| ways::is_submit(page, node));
    says_next_alone(&reading)
        && (reading.words.intersects(LabelWords::PAGE) || form.is_some_and(PageForm::needs_no_reader))
}

/// A script makes it a button, and it says "next page".
fn is_next_control(page: &Page, node: NodeId) -> bool {
    let is_button = page.value(node, Attr::Role).is_some_and(|role| role.eq_ignore_ascii_case("button"));
    if !is_button || page.totals(node).characters > MAX_LABEL {
        return false;
    }
    let reading = words::read(&page.text(node));
    reading.tokens <= MAX_TOKENS && says_next_alone(&reading) && reading.words.intersects(LabelWords::PAGE)
}

/// The label says "next", and nothing else but what pagers say.
fn says_next_alone(reading: &LabelReading) -> bool {
    reading.words.intersects(LabelWords::NEXT)
        && !reading.words.intersects(LabelWords::PREVIOUS)
        && !reading.strange
}

/// It has pages to choose from, and a script opens them.
fn is_scripted_select(survey: &SurveyedPage<'_>, node: NodeId) -> bool {
    let page = survey.page;
    let has_script = !page.attribute(node, "onchange").unwrap_or_default().is_empty();
    let is_followed = || ways::options(page, node).any(|option| survey.is_followed(option));
    has_script
        && !is_followed()
        && said::pages_of_select(page, node).is_some_and(|said| said.current < said.total)
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
        let scripted = "<p>Text.</p><div><span role=button tabindex=0>Next page »</span></div>";
        assert_eq!(found(scripted).as_deref(), Some("span"));
        for route in ["#/2", "#!page=2"] {
            let html = format!("<p>Text.</p><nav class=pagination><a href='{route}'>Next page</a></nav>");
            assert_eq!(found(&html).as_deref(), Some("a"), "{route}");
        }
    }

    #[test]
    fn controls_of_other_things_are_not() {
        for html in [
            "<p>Text.</p><a class=pager-next href='/2'>Next page</a>",
            "<p>Text.</p><div class=pagination><a class=disabled>Next</a></div>",
            "<p>Text.</p><div class=pagination><a href='#part2'>Next page</a></div><h2 id=part2>Two</h2>",
            "<p>Text.</p><div class=slick-slider><button>Next</button></div>",
            "<p>Text.</p><div class=pagination><a href='#'>1</a> <b>2</b> <a href='#'>Next</a></div>",
            "<button>Load more</button><p>All the text of the page follows it.</p>",
            "<p>Text.</p><button>Read more</button>",
            "<p>Text.</p><button>See more</button>",
            "<p>Text.</p><div role=button>Next</div>",
            "<p>Text.</p><div role=button>Previous page</div>",
            "<p>Text.</p><a class=page-load-link href='#'>Page load link</a>",
        ] {
            assert_eq!(found(html), None, "{html}");
        }
    }
}
