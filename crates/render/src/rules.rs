//! Which requests of a page are asked, and which are not.

use serde_json::Value;
use std::sync::LazyLock;
use tsugi_page::{Url, address};

/// Hosts that are not asked.
static TRACKERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("trackers.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// A request that the browser stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoppedRequest {
    pub(crate) session: String,
    pub(crate) id: String,
    pub(crate) url: Url,
    pub(crate) method: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The type by the browser's protocol: `Document`, `Script`, `XHR`, ….
    pub(crate) kind: String,
    pub(crate) frame: String,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is asked.
    Asked { is_document: bool, is_own: bool },
    /// It is answered with an empty image, so that the page keeps its place.
    Blank,
    /// It needs no network.
    Inside,
    /// It fails.
    Blocked,
}

impl StoppedRequest {
    /// Reads the event of the browser; `None` if it is another, or has no address.
    pub(crate) fn of(event: &Value) -> Option<StoppedRequest> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let parameters = &event["params"];
        let request = &parameters["request"];
        let headers = request["headers"].as_object()?;
        let body = request["postDataEntries"].as_array().map_or_else(
            || request["postData"].as_str().unwrap_or_default().as_bytes().to_vec(),
            |entries| entries.iter().flat_map(bytes_of).collect(),
        );
        Some(StoppedRequest {
            session: text(&event["sessionId"])?,
            id: text(&parameters["requestId"])?,
            url: request["url"].as_str()?.parse().ok()?,
            method: text(&request["method"])?,
            headers: headers.iter().filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect(),
            body,
            kind: text(&parameters["resourceType"])?,
            frame: text(&parameters["frameId"]).unwrap_or_default(),
        })
    }

    /// Says what becomes of the request of a page. Documents in frames must be of the page's own origin: others are mostly
    /// advertisements, and their text cannot be read.
    pub(crate) fn fate(&self, page: &Url) -> Fate {
        if matches!(self.url.scheme(), "data" | "blob" | "about") {
            return Fate::Inside;
        }
        if !address::is_web(&self.url) || is_tracker(&self.url) {
            return Fate::Blocked;
        }
        let is_own = address::same_host(page, &self.url) && self.method != "OPTIONS";
        match self.kind.as_str() {
            "Document" if self.url.origin() == page.origin() => Fate::Asked { is_document: true, is_own },
            "Image" => Fate::Blank,
            // “Other” are workers and what scripts preload; an icon of the site is nothing to read.
            "Other" if self.url.path().to_ascii_lowercase().ends_with("icon.ico") => Fate::Blocked,
            "Script" | "Stylesheet" | "XHR" | "Fetch" | "Preflight" | "Other" => {
                Fate::Asked { is_document: false, is_own }
            }
            _ => Fate::Blocked,
        }
    }

    /// Returns `true` if its answer can change the text of the page.
    pub(crate) fn may_change_text(&self) -> bool {
        self.kind != "Stylesheet"
    }
}

fn bytes_of(entry: &Value) -> Vec<u8> {
    use base64::Engine;
    let bytes = entry["bytes"].as_str().unwrap_or_default();
    base64::engine::general_purpose::STANDARD.decode(bytes).unwrap_or_default()
}

fn is_tracker(url: &Url) -> bool {
    let host = address::bare_host(url);
    TRACKERS.iter().any(|tracker| {
        host.strip_suffix(tracker).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fate(url: &str, kind: &str) -> Fate {
        let event = json!({"sessionId": "s", "params": {
            "requestId": "1", "resourceType": kind, "frameId": "f",
            "request": {"url": url, "method": "GET", "headers": {"Accept": "*/*"}},
        }});
        StoppedRequest::of(&event).unwrap().fate(&"https://a.test/page".parse().unwrap())
    }

    #[test]
    fn what_makes_up_text_is_asked_and_nothing_else() {
        let part = |is_own| Fate::Asked { is_document: false, is_own };
        for (url, kind, expected) in [
            ("https://a.test/app.js", "Script", part(true)),
            ("https://cdn.test/app.js", "Script", part(false)),
            ("https://a.test/api", "XHR", part(true)),
            ("https://a.test/frame", "Document", Fate::Asked { is_document: true, is_own: true }),
            ("https://ads.test/frame", "Document", Fate::Blocked),
            ("http://a.test/frame", "Document", Fate::Blocked),
            ("https://a.test/1.png", "Image", Fate::Blank),
            ("https://a.test/1.mp4", "Media", Fate::Blocked),
            ("https://a.test/1.woff2", "Font", Fate::Blocked),
            ("https://a.test/socket", "WebSocket", Fate::Blocked),
            ("https://a.test/ping", "Ping", Fate::Blocked),
            ("https://a.test/favicon.ico", "Other", Fate::Blocked),
            ("https://www.google-analytics.com/g.js", "Script", Fate::Blocked),
            ("https://notgoogle-analytics.com/g.js", "Script", part(false)),
            ("file:///etc/passwd", "XHR", Fate::Blocked),
            ("chrome://version", "Document", Fate::Blocked),
            ("data:text/html,x", "Document", Fate::Inside),
        ] {
            assert_eq!(fate(url, kind), expected, "{url} {kind}");
        }
    }

    #[test]
    fn what_is_sent_is_read_as_it_is() {
        let event = json!({"sessionId": "s", "params": {
            "requestId": "1", "resourceType": "XHR",
            "request": {"url": "https://a.test/", "method": "POST", "headers": {},
                "postData": "lossy", "postDataEntries": [{"bytes": "AP8="}]},
        }});
        assert_eq!(StoppedRequest::of(&event).unwrap().body, [0, 255]);
        assert_eq!(StoppedRequest::of(&json!({"method": "Page.loadEventFired"})), None);
    }
}
