//! A page at one time.

use super::change::{self, TextLine};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::rc::Rc;
use tsugi_dates::Stated;
use tsugi_page::{Content, NodeId, Page};
use tsugi_site_blocks::{Fingerprint, fingerprint};

/// A page at one time: its lines, which of them are main text, and its statements about its age.
///
/// Snapshots with the same body share its data: see [`Snapshot::again`].
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) at: Timestamp,
    pub(super) last_modified: Option<Timestamp>,
    pub(super) text: Rc<SnapshotText>,
}

#[derive(Debug)]
pub(super) struct SnapshotText {
    /// In page order.
    pub(super) lines: Vec<TextLine>,
    /// Hash of all markup: equal if nothing at all changed.
    pub(super) markup: Fingerprint,
    pub(super) is_blank: bool,
    pub(super) stated: Vec<Stated>,
}

impl Snapshot {
    /// Takes a snapshot of a page; `content` is its main content, `last_modified` the server's header.
    pub fn of(
        at: Timestamp,
        page: &Page,
        content: &Content,
        last_modified: Option<Timestamp>,
        stated: Vec<Stated>,
    ) -> Snapshot {
        let lines = change::lines(page, content);
        let markup = fingerprint(&page.outer_html(NodeId::DOCUMENT));
        let is_blank = !lines.iter().any(|line| line.main);
        Snapshot { at, last_modified, text: Rc::new(SnapshotText { lines, markup, is_blank, stated }) }
    }

    /// Returns the same page at another time; needs almost no memory.
    #[must_use]
    pub fn again(&self, at: Timestamp, last_modified: Option<Timestamp>) -> Snapshot {
        Snapshot { at, last_modified, text: Rc::clone(&self.text) }
    }

    /// Returns `true` if the snapshot has no main text, and thus says nothing about updates.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_blank
    }

    /// Returns `true` if not a character of the page differs.
    pub(super) fn has_text_of(&self, other: &Snapshot) -> bool {
        self.text.markup == other.text.markup
    }

    /// Returns `true` if both have a common line of main text.
    pub(super) fn shares_text_with(&self, other: &Snapshot) -> bool {
        if Rc::ptr_eq(&self.text, &other.text) {
            return !self.is_blank();
        }
        let own: BTreeSet<&str> = self.main_keys().collect();
        other.main_keys().any(|key| own.contains(key))
    }

    pub(super) fn main_keys(&self) -> impl Iterator<Item = &str> {
        self.text.lines.iter().filter(|line| line.main).map(|line| line.key.as_str())
    }
}
