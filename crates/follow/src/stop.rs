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
    /// Whether nothing is missing behind the last page: [`StopReason::is_end`], and no button or form says that the
    /// page goes on. Pages before the first one do not count.
    pub complete: bool,
}

impl Stopped {
    /// Says why a sequence ends; it is whole if the reason is an end of its own.
    pub fn new(reason: StopReason, at: Url, detail: impl Into<String>) -> Stopped {
        Stopped { reason, at, detail: detail.into(), complete: reason.is_end() }
    }
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
    /// The caller stopped before the next page was fetched.
    Interrupted,
    /// One page was asked for.
    OnePage,
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
            StopReason::Interrupted => "interrupted",
            StopReason::OnePage => "one-page",
        }
    }

    /// Returns `true` if nothing that was asked for is missing: the sequence itself ends here (no next link, a link
    /// back, a page that does not continue), or one page was asked for.
    /// Any other reason means that there is a next page, as far as can be told, and that it is missing.
    pub fn is_end(self) -> bool {
        match self {
            StopReason::NoNext | StopReason::Loop | StopReason::NotAContinuation | StopReason::OnePage => {
                true
            }
            StopReason::LowScore
            | StopReason::MaxPages
            | StopReason::FetchFailed
            | StopReason::Robots
            | StopReason::OffSite
            | StopReason::Interrupted => false,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
