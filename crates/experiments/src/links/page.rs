//! A labelled page as the link models see it.

use crate::label::{Label, url_key};
use tsugi_next_link::Described;
use tsugi_page::{Page, Relation};

/// A page whose next page is known, described once for any number of trainings.
#[derive(Debug, Clone)]
pub(crate) struct LinkPage {
    /// The places of its data set, and of its label there.
    pub(crate) set: usize,
    pub(crate) label: usize,
    /// The group of pages that stays on one side; see [`Groups`](crate::Groups).
    pub(crate) group: usize,
    /// Its candidates.
    pub(crate) described: Described,
    /// By candidate: `true` if it leads to a labelled next page.
    pub(crate) is_next: Vec<bool>,
    /// `true` if the page has a next page, among the candidates or not.
    pub(crate) has_next: bool,
    /// The relation of the next page, if it is known.
    pub(crate) relation: Option<Relation>,
}

impl LinkPage {
    /// Describes a page; `None` if its next page is not known.
    pub(crate) fn of(
        page: &Page,
        label: &Label,
        (set, at): (usize, usize),
        group: usize,
    ) -> Option<LinkPage> {
        if !label.knows_next() {
            return None;
        }
        let described = Described::of(page);
        let right = label.next_keys();
        let relation = match label.relation.as_deref() {
            Some("page") => Some(Relation::Page),
            Some("chapter") => Some(Relation::Chapter),
            _ => None,
        };
        Some(LinkPage {
            set,
            label: at,
            group,
            is_next: described.urls.iter().map(|url| right.contains(&url_key(url.as_str()))).collect(),
            has_next: !right.is_empty(),
            relation,
            described,
        })
    }
}
