//! A labelled page as the full model sees it.

use crate::label::{Label, url_key};
use tsugi_next_link::Described;
use tsugi_page::{Page, Relation};

/// A page whose next page is known, described once for any number of trainings.
#[derive(Debug, Clone)]
pub struct LinkPage {
    /// Which data set it is of.
    pub set: usize,
    /// Which label of the data set is its.
    pub label: usize,
    /// The pages it must not be parted from; see [`Groups`](crate::Groups).
    pub group: usize,
    /// Its candidates.
    pub described: Described,
    /// By candidate: leads to a labelled next page.
    pub is_next: Vec<bool>,
    /// Whether the page has a next page, be it among the candidates or not.
    pub has_next: bool,
    /// What the next page is to the page, where it is known.
    pub relation: Option<Relation>,
}

impl LinkPage {
    /// Describes a page; `None` where its next page is not known.
    pub fn of(page: &Page, label: &Label, (set, place): (usize, usize), group: usize) -> Option<LinkPage> {
        if !label.knows_next() {
            return None;
        }
        let described = Described::of(page);
        let relation = match label.relation.as_deref() {
            Some("page") => Some(Relation::Page),
            Some("chapter") => Some(Relation::Chapter),
            _ => None,
        };
        let mut page =
            LinkPage { set, label: place, group, is_next: Vec::new(), has_next: false, relation, described };
        page.set_next(&label.next_keys());
        Some(page)
    }

    /// Says which pages are right, by the keys of their addresses; none: the page has no next page.
    pub fn set_next(&mut self, keys: &[String]) {
        let urls = &self.described.urls;
        self.is_next = urls.iter().map(|url| keys.contains(&url_key(url.as_str()))).collect();
        self.has_next = !keys.is_empty();
    }
}
