//! A link to the next page that leads to another host.
//!
//! It is no candidate, because sequences stay on their host. But a document that goes on there is not whole.

use super::address::{Bare, Difference, Family, PagedBeside};
use super::names::NameFlags;
use super::said;
use super::survey::{LinkItem, LinkTarget, Rel, SurveyedPage};
use super::words::LabelWords;
use tsugi_page::{Attr, Url, address};

const MAX_TOKENS: u16 = 4; // Maximum number of words in the label of such a link.
const MAX_SPOKEN: u16 = 7; // The same, if "next" and "page" are among them: "Continue to the next page".

/// Words of links to something other than the next page of a document.
const OTHER_THINGS: LabelWords = LabelWords::POST
    .union(LabelWords::COMMENT)
    .union(LabelWords::CALENDAR)
    .union(LabelWords::PREVIOUS)
    .union(LabelWords::HOME)
    .union(LabelWords::READ);

pub(super) fn on(survey: &SurveyedPage<'_>) -> Option<Url> {
    let own = &survey.own_paged;
    let leads_on_here = |(at, item): (usize, &LinkItem)| {
        let LinkTarget::Candidate(candidate) = item.target else { return false };
        survey.candidates[candidate as usize].paged.is_after(own)
            || may_lead_on(survey, item) && says_next_page(survey, at, item)
    };
    let found = survey.items.iter().enumerate().filter(|(_, item)| item.target == LinkTarget::Elsewhere);
    let url = found.filter(|(_, item)| may_lead_on(survey, item)).find_map(|(at, item)| {
        let page = survey.trees.tree(item.tree).0;
        let url = page.resolve(page.value(item.node, Attr::Href)?)?;
        let bare = Bare::of(&url);
        let beside = PagedBeside::of(&bare, own);
        let is_next = beside.is_after(own) || says_next_page(survey, at, item);
        (is_next && is_of_the_site(survey, item, &url, &bare, beside)).then_some(url)
    })?;
    let mut items = survey.items.iter().enumerate();
    (!items.any(leads_on_here)).then_some(url)
}

/// Whatever its words and its address: it stands where a pager may stand, and names nothing else.
fn may_lead_on(survey: &SurveyedPage<'_>, item: &LinkItem) -> bool {
    !item.in_head
        && !item.disabled
        && !item.says(OTHER_THINGS)
        && said::is_of_the_document(survey.trees.mark(item))
}

/// It says "next" and nothing else, in the place or with the mark of a pager.
fn says_next_page(survey: &SurveyedPage<'_>, at: usize, item: &LinkItem) -> bool {
    let mark = survey.trees.mark(item);
    let label = if item.text.characters > 0 { &item.text } else { &item.hint };
    let arrows = LabelWords::ARROW_RIGHT | LabelWords::NEXT;
    let page_words = label.words.contains(LabelWords::NEXT | LabelWords::PAGE);
    let is_short =
        if page_words { label.tokens <= MAX_SPOKEN } else { label.tokens <= MAX_TOKENS && !label.strange };
    if !label.words.intersects(arrows) || !is_short {
        return false;
    }
    let names = item.names.union(mark.around);
    let is_marked = item.rel.intersects(Rel::NEXT) || names.intersects(NameFlags::PAGER);
    let in_row = || {
        let (_, pager) = survey.around(at);
        survey.counts_of(pager.from, pager.to).numbers >= 2
    };
    let is_about_posts =
        names.intersects(NameFlags::POST) && !page_words && !names.intersects(NameFlags::PAGER);
    (page_words || is_marked || in_row()) && !is_about_posts
}

/// Returns `true` for another host of the same domain, and for an address like the page's own: mirrors and mobile
/// versions. Rings of sites and advertisements lead elsewhere.
fn is_of_the_site(
    survey: &SurveyedPage<'_>,
    item: &LinkItem,
    url: &Url,
    bare: &Bare,
    beside: PagedBeside,
) -> bool {
    let own = survey.page.url();
    if !address::is_web(url) {
        return false;
    }
    if address::is_same_domain(own, url) {
        return true;
    }
    let is_numbered =
        matches!(Difference::of(&survey.own, bare).family, Family::Number | Family::NumberAdded);
    let says_page = item.text.words.intersects(LabelWords::PAGE);
    let same_folder = !bare.folder().is_empty() && bare.folder() == survey.own.folder();
    !bare.path().is_empty() && (is_numbered || beside.is_same || says_page || same_folder)
}

#[cfg(test)]
mod tests {
    use crate::LinkSurvey;
    use tsugi_page::Page;

    fn found(html: &str) -> Option<String> {
        let page = Page::from_text(html, &"https://www.a.test/n/tide/1".parse().unwrap());
        LinkSurvey::of(&page).elsewhere().map(String::from)
    }

    #[test]
    fn next_pages_on_other_hosts_are_found() {
        for (html, to) in [
            ("<a href=https://m.a.test/n/tide/2>Next page</a>", "https://m.a.test/n/tide/2"),
            ("<a rel=next href=https://a.test:8080/x>Next</a>", "https://a.test:8080/x"),
            ("<div class=pager><a href=//en.a.test/y>次へ</a></div>", "https://en.a.test/y"),
            (
                "<div class=pagination><a href=https://b.test/n/tide/2>Next ›</a></div>",
                "https://b.test/n/tide/2",
            ),
            ("<a href=https://b.test/slug>Nächste Seite</a>", "https://b.test/slug"),
            ("<a href=https://m.a.test/x>On to the next page</a>", "https://m.a.test/x"),
            (
                "<div><b>1</b> <a href=//m.a.test/2>2</a> <a href=//m.a.test/3>3</a> <a href=//m.a.test/2>→</a></div>",
                "https://m.a.test/2",
            ),
            ("<a href=https://m.a.test/n/tide/2>Повернуть</a>", "https://m.a.test/n/tide/2"),
            (
                "<a href=https://a-more.test/n/tide/2>the flood, told to its end</a>",
                "https://a-more.test/n/tide/2",
            ),
        ] {
            assert_eq!(found(html).as_deref(), Some(to), "{html}");
        }
    }

    #[test]
    fn other_links_to_other_hosts_are_not() {
        for html in [
            "<a href=https://m.a.test/n/tide/2>Next article</a>",
            "<a rel=next href=https://m.a.test/p>Next post</a>",
            "<a rel=next href=https://m.a.test/p>Next: the ropemakers</a>",
            "<a href=https://ring.test/next>Next</a>",
            "<div class=pager><a href=https://ring.test/go>Next</a></div>",
            "<div class=related><a href=https://m.a.test/2>Next page</a></div>",
            "<div class=share><a rel=next href=https://m.a.test/2>Next</a></div>",
            "<a href=https://b.test/>Next page</a>",
            "<a href=https://m.a.test/2>Next page</a> <a href=/n/tide/2>Next page</a>",
            "<div class=pagination><a href=https://m.a.test/0>Previous page</a></div>",
            "<a href=https://m.a.test/2>Next</a>",
            "<a href=https://m.a.test/n/tide/3>Повернуть</a>",
            "<a href=https://m.a.test/n/ebb/2>Повернуть</a>",
            "<aside><a href=https://m.a.test/n/tide/2>Повернуть</a></aside>",
            "<a href=https://m.a.test/n/tide/2>Повернуть</a> <a href=/n/tide/2>Повернуть</a>",
        ] {
            assert_eq!(found(html), None, "{html}");
        }
    }
}
