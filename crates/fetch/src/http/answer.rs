//! A request, and its answer.

use crate::exchange::{Exchange, Wanted};
use reqwest::header::HeaderMap;
use tsugi_page::{Response, Url};

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Ask<'a> {
    pub(super) url: &'a Url,
    pub(super) wanted: Wanted,
    /// Headers of a conditional request; empty for any other.
    pub(super) conditions: HeaderMap,
}

/// What an address answered, be it a page or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The address that was asked.
    pub(super) url: Url,
    pub(super) status: u16,
    /// The headers as served, names in lower case.
    pub(super) headers: Vec<(String, String)>,
    /// The body, decompressed; empty where it was not read.
    pub(super) body: Vec<u8>,
    /// Whether the body was read to its end.
    pub(super) whole: bool,
}

impl Answer {
    /// The first header of a name, which is given in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn exchange(&self, wanted: Wanted) -> Exchange<'_> {
        let Answer { url, status, headers, body, .. } = self;
        Exchange { url, wanted, status: *status, headers, body }
    }

    pub(super) fn into_response(self) -> Response {
        let content_type = self.header("content-type").map(str::to_owned);
        Response { url: self.url, status: self.status, content_type, body: self.body }
    }
}
