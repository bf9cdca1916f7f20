//! What following needs to know about a page.

use std::ops::Deref;
use tsugi_page::{Content, NextLink, NodeId, Page, Url, Verdict};

/// Finds next links and main content, and judges whether one page continues another. The crate has an example.
pub trait Detector {
    /// A look at one page.
    type Look<'p>: PageLook<Facts = Self::Facts>
    where
        Self: 'p;
    /// What judging a page takes, kept after the look at it is over.
    type Facts;

    /// Returns a look at a page, which answers all questions from one reading.
    fn look<'p>(&'p self, page: &'p Page) -> Self::Look<'p>;

    /// Judges whether the page `after` continues the page `before`. `link` led from one to the other, `onward` is the best
    /// next link of `after`. `None` if there is no model that judges; checks that need no model are made anyway.
    fn judge(
        &self,
        before: &Self::Facts,
        link: &NextLink,
        after: &Self::Facts,
        onward: Option<&NextLink>,
    ) -> Option<Verdict>;
}

/// What a detector found on one page.
pub trait PageLook {
    /// See [`Detector::Facts`].
    type Facts;

    /// Returns the best next link, however low its score; `None` if the page has no candidate.
    fn best(&self) -> Option<&NextLink>;

    /// Returns the lowest score at which a link counts as a next-page link.
    fn threshold(&self) -> f32;

    /// Returns `true` if a link of this page counts as a next-page link. A score of NaN never does.
    fn accepts(&self, link: &NextLink) -> bool {
        link.score >= self.threshold()
    }

    /// Returns the main content.
    fn content(&self) -> &Content;

    /// Returns the comments below an article, which are not part of its content; `None` if there are none.
    fn comments(&self) -> Option<&Content> {
        None
    }

    /// Returns the page as its scripts would draw it, if it shows little itself and holds its article as data. That page
    /// replaces this one.
    fn take_drawn(&mut self) -> Option<Page> {
        None
    }

    /// Returns why the content may be wrong, in words: a warning of the document.
    fn doubt(&self) -> Option<String> {
        None
    }

    /// Returns the control that shows that there is a next page without giving its address: a button, a form, or a link
    /// that runs a script. Asked if no link is followed.
    fn unfollowable(&self) -> Option<NodeId> {
        None
    }

    /// Returns why the page is not the first of its sequence, in words ("this is page 3"). Asked of the first page of a
    /// document. `None` if that is unsure: a false alarm is worse than none.
    fn earlier(&self) -> Option<String> {
        None
    }

    /// Returns addresses that may be the previous page, the likeliest first. The previous page is the one whose own next
    /// link leads here.
    fn previous(&self) -> Vec<Url> {
        Vec::new()
    }

    /// Returns addresses that may hold the whole sequence on one page ("View all"), the likeliest first.
    fn single_page(&self) -> Vec<Url> {
        Vec::new()
    }

    /// Returns what judging the page takes.
    fn facts(&self) -> Self::Facts;
}

/// References and other pointers to a detector, such as `Arc`.
impl<P: Deref<Target: Detector>> Detector for P {
    type Look<'p>
        = <P::Target as Detector>::Look<'p>
    where
        Self: 'p;
    type Facts = <P::Target as Detector>::Facts;

    fn look<'p>(&'p self, page: &'p Page) -> Self::Look<'p> {
        (**self).look(page)
    }

    fn judge(
        &self,
        before: &Self::Facts,
        link: &NextLink,
        after: &Self::Facts,
        onward: Option<&NextLink>,
    ) -> Option<Verdict> {
        (**self).judge(before, link, after, onward)
    }
}
