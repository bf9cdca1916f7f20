//! A request, and its answer.

use crate::exchange::{Exchange, Wanted};
use http::header::{ACCEPT, ACCEPT_ENCODING};
use http::{HeaderMap, HeaderValue, Method};
use tsugi_page::image::LARGEST_IMAGE;
use tsugi_page::{Response, Url};

const PAGE_TYPES: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/// If HTML is accepted, some servers answer with a page around the image.
const IMAGE_TYPES: &str = "image/jpeg,image/png,image/webp,image/gif,*/*;q=0.5";
const ACCEPTED_CODINGS: &str = "gzip, deflate, br";

/// How much of a `robots.txt` is read, in bytes; the rest is ignored.
// RFC 9309, section 2.5: at least 500 KiB.
pub(super) const MAX_ROBOTS: u64 = 500 << 10;

#[derive(Debug, Clone)]
pub(super) struct Ask<'a> {
    pub(super) url: &'a Url,
    pub(super) wanted: Wanted,
    /// Headers of a conditional request; empty for any other.
    pub(super) conditions: HeaderMap,
    /// The user's own headers and cookies, if the address gets any.
    pub(super) own: HeaderMap,
    /// What is sent instead of a plain request for the address, if a browser asks.
    pub(super) errand: Option<Errand<'a>>,
}

/// What a browser asks for, beside the address.
#[derive(Debug, Clone)]
pub(super) struct Errand<'a> {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: &'a [u8],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HttpAnswer {
    pub(super) url: Url,
    pub(super) status: u16,
    /// The headers as served, names in lower case; without cookies.
    pub(super) headers: Vec<(String, String)>,
    /// The body, decompressed; empty if it was not read.
    pub(super) body: Vec<u8>,
    pub(super) whole: bool,
}

impl HttpAnswer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn exchange(&self, wanted: Wanted) -> Exchange<'_> {
        let HttpAnswer { url, status, headers, body, .. } = self;
        Exchange { url, wanted, status: *status, headers, body }
    }

    pub(super) fn into_response(self) -> Response {
        let content_type = self.header("content-type").map(str::to_owned);
        let links: Vec<&str> =
            self.headers.iter().filter(|(name, _)| name == "link").map(|(_, link)| link.as_str()).collect();
        let link = (!links.is_empty()).then(|| links.join(", "));
        Response { url: self.url, status: self.status, content_type, link, body: self.body }
    }
}

pub(super) fn longest(wanted: Wanted, max_body: u64) -> u64 {
    match wanted {
        Wanted::Page | Wanted::File | Wanted::Drawn(_) => max_body,
        Wanted::Image => LARGEST_IMAGE as u64,
        Wanted::Robots => MAX_ROBOTS,
    }
}

pub(super) fn accepted(wanted: Wanted) -> HeaderMap {
    let types = match wanted {
        Wanted::Image => IMAGE_TYPES,
        Wanted::Page | Wanted::Robots | Wanted::Drawn(_) => PAGE_TYPES,
        Wanted::File => "*/*",
    };
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(types));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ACCEPTED_CODINGS));
    headers
}
