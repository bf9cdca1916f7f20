//! Why a document ends where it does.

use std::fmt;
use tsugi_page::Url;

/// Why and where following came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
    /// The address that the reason is about: of the last page where it has no link to follow
    /// ([`StopReason::NoNext`], [`StopReason::LowScore`]), else of the page that was not added.
    pub at: Url,
    /// The reason in words.
    pub detail: String,
}

/// Why following came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum StopReason {
    /// The page has no next-page link, or none of the wanted relation: the normal end.
    NoNext,
    /// The detector takes the link for one, but its score is lower than wanted.
    LowScore,
    /// The next page has no content or nothing new, is the home page, or does not continue the page before.
    NotAContinuation,
    /// The link leads to a page that is held already.
    Loop,
    /// As many pages as wanted are held, or as much as memory should hold.
    MaxPages,
    /// The next page cannot be had.
    FetchFailed,
    /// The site asks not to fetch the next page.
    Robots,
    /// The link leads to another host.
    OffSite,
}

impl StopReason {
    /// Returns the word that stands for the reason in output.
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::NoNext => "no-next",
            StopReason::LowScore => "low-score",
            StopReason::NotAContinuation => "not-a-continuation",
            StopReason::Loop => "loop",
            StopReason::MaxPages => "max-pages",
            StopReason::FetchFailed => "fetch-failed",
            StopReason::Robots => "robots",
            StopReason::OffSite => "off-site",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
