//! Why following stopped.

use std::fmt;
use tsugi_page::Url;

/// Why and where following stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
    /// The address concerned: that of the next page, if one is known, or that of the last page
    /// ([`StopReason::NoNext`], [`StopReason::LowScore`]).
    pub at: Url,
    /// The reason in words: a phrase without a capital letter or full stop.
    pub detail: String,
    /// Whether no next page is missing: [`StopReason::is_end`], no button or form leads to a next page, and the pages do not
    /// say that there are more of them. Pages before the first do not count.
    pub complete: bool,
}

impl Stopped {
    /// Returns why a sequence stopped. It is complete if [`StopReason::is_end`] says so.
    pub fn new(reason: StopReason, at: Url, detail: impl Into<String>) -> Stopped {
        Stopped { reason, at, detail: detail.into(), complete: reason.is_end() }
    }
}

/// A link whose score was too low to follow it for good, and what the page behind it showed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tried {
    /// Its address.
    pub url: Url,
    /// Its score, in [0, 1].
    pub score: f32,
    /// The score of the pair of pages, in [0, 1]; `None` if it was not judged.
    pub verdict: Option<f32>,
    /// Why the page is not part of the document, in words; `None` if it is.
    pub refused: Option<String>,
}

/// Why following stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum StopReason {
    /// The page has no next-page link, or none of the wanted relation: the normal end.
    NoNext,
    /// The detector accepts the link, but its score is below the lowest that was asked for.
    LowScore,
    /// The next page has no content or nothing new, is the home page, or does not continue the previous page.
    NotAContinuation,
    /// The link leads to a page that is already part of the document.
    Loop,
    /// The limit of pages or of memory is reached.
    MaxPages,
    /// The time limit is reached.
    MaxTime,
    /// The next page could not be fetched.
    FetchFailed,
    /// The site's `robots.txt` disallows the next page.
    Robots,
    /// The link leads to another host.
    OffSite,
    /// The caller stopped before the next page was fetched.
    Interrupted,
    /// One page was asked for.
    OnePage,
}

impl StopReason {
    /// Returns the word for the reason, as JSON and the command write it.
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::NoNext => "no-next",
            StopReason::LowScore => "low-score",
            StopReason::NotAContinuation => "not-a-continuation",
            StopReason::Loop => "loop",
            StopReason::MaxPages => "max-pages",
            StopReason::MaxTime => "max-time",
            StopReason::FetchFailed => "fetch-failed",
            StopReason::Robots => "robots",
            StopReason::OffSite => "off-site",
            StopReason::Interrupted => "interrupted",
            StopReason::OnePage => "one-page",
        }
    }

    /// Returns `true` if nothing is missing, unless the pages say so: the sequence itself ends (no next link, a link back, a page
    /// that does not continue), or one page was asked for. After any other reason there is a next page, as far as tsugi can tell,
    /// and it is missing.
    pub fn is_end(self) -> bool {
        // Pages missing before the first do not count: who asks for page 3 may want page 3.
        matches!(
            self,
            StopReason::NoNext | StopReason::Loop | StopReason::NotAContinuation | StopReason::OnePage
        )
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
