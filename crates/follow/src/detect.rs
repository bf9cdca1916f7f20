//! What following asks of those who find links and content.

use tsugi_page::{Content, NextLink, NodeId, Page, Url, Verdict};

/// Finds links and content on pages, and judges whether one page continues another.
pub trait Detector {
    /// A page that is looked at.
    type Look<'p>: PageLook<Facts = Self::Facts>
    where
        Self: 'p;
    /// What a page is compared by, kept once the look at it is over.
    type Facts;

    /// Looks at a page: whatever is asked of it is answered from one reading.
    fn look<'p>(&'p self, page: &'p Page) -> Self::Look<'p>;

    /// Judges whether a page continues another. `link` led from the one to the other, `onward` is the best next link of
    /// the other, however unsure. `None` where nobody judges; what can be told without a model is told anyway.
    fn judge(
        &self,
        before: &Self::Facts,
        link: &NextLink,
        after: &Self::Facts,
        onward: Option<&NextLink>,
    ) -> Option<Verdict>;
}

/// A page that is looked at.
pub trait PageLook {
    /// See [`Detector::Facts`].
    type Facts;

    /// Returns the best next link, however unsure; `None` where the page has no candidate, or none worth a score.
    fn best(&self) -> Option<&NextLink>;

    /// Returns the score from which on a link counts as a next-page link.
    fn threshold(&self) -> f32;

    /// Returns `true` if a link of this page counts as a next-page link. A score that is no number does not.
    fn accepts(&self, link: &NextLink) -> bool {
        link.score >= self.threshold()
    }

    /// Returns the main content: nodes of the page that is looked at.
    fn content(&self) -> &Content;

    /// Returns the comments of an article, which are no part of its content; `None` where there are none.
    fn comments(&self) -> Option<&Content> {
        None
    }

    /// Returns the page as its scripts would draw it, where it shows little itself and holds its article as data. It is
    /// looked at in place of the page.
    fn take_drawn(&mut self) -> Option<Page> {
        None
    }

    /// Returns what is doubtful about the content, in words; a warning of the document.
    fn doubt(&self) -> Option<String> {
        None
    }

    /// Returns what shows that there is a next page though no address leads there: a button, a form, a link that runs a
    /// script. Asked where no link is followed.
    fn unfollowable(&self) -> Option<NodeId> {
        None
    }

    /// Returns what shows that the page is not the first of its sequence, in words ("this is page 3"). Asked of the page
    /// that a document starts with. `None` where that is not sure: a false alarm is worse than none.
    fn earlier(&self) -> Option<String> {
        None
    }

    /// Returns addresses that may be the page before this one, the likeliest first. Whether one is, the page there tells,
    /// whose next link leads here.
    fn previous(&self) -> Vec<Url> {
        Vec::new()
    }

    /// Returns addresses that may hold all pages of this page's sequence on one ("view all"), the likeliest first.
    fn single_page(&self) -> Vec<Url> {
        Vec::new()
    }

    /// Returns what the page is compared by.
    fn facts(&self) -> Self::Facts;
}

impl<D: Detector + ?Sized> Detector for &D {
    type Look<'p>
        = D::Look<'p>
    where
        Self: 'p;
    type Facts = D::Facts;

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
