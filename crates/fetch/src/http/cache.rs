//! Answers cached on disk, for as long as their servers allow.

use super::answer::{HttpAnswer, accepted, longest};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::new_file::{NewFile, Readers};
use data_encoding::HEXLOWER;
use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_cache_semantics::{AfterResponse, BeforeRequest, CacheOptions, CachePolicy};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tsugi_page::Url;

/// The first bytes of an entry; the number counts changes of the form.
const MAGIC: &[u8] = b"TSUGI-CACHE 1\n";

const MAX_HEAD: u64 = 1 << 20;

/// A folder of cached answers.
#[derive(Debug, Clone)]
pub struct CacheFolder {
    /// The folder; created if it does not exist.
    pub path: PathBuf,
    /// The clock that decides which answers are still fresh.
    pub now: fn() -> SystemTime,
}

/// Answers cached on disk, one file for each address.
///
/// Freshness and conditional requests follow RFC 9111, as a cache of one user. An entry is a line that names the
/// form, a line of JSON (address, status, headers, time, digest of the body), and the body, decompressed. It is
/// written beside its name and renamed. A damaged entry, or one of another format, counts as missing.
#[derive(Debug)]
pub(super) struct Cache {
    folder: CacheFolder,
    user_agent: Option<HeaderValue>,
    max_body: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CacheHead {
    url: String,
    status: u16,
    headers: Vec<(String, String)>,
    request: Vec<(String, String)>,
    /// When it came, in seconds since 1970.
    time: u64,
    /// SHA-256 of the body, in hexadecimal digits.
    digest: String,
}

#[derive(Debug)]
pub(super) enum CachedAnswer {
    Fresh(HttpAnswer),
    Stale(Box<Stale>),
}

#[derive(Debug)]
pub(super) struct Stale {
    answer: HttpAnswer,
    policy: CachePolicy,
    request: Request<()>,
}

impl Stale {
    /// Returns the headers of a conditional request; empty if the answer cannot be confirmed.
    pub(super) fn conditions(&self) -> HeaderMap {
        let conditions = self.request.headers().iter();
        let conditions = conditions.filter(|(name, _)| [IF_NONE_MATCH, IF_MODIFIED_SINCE].contains(name));
        conditions.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

impl Cache {
    pub(super) fn open(folder: CacheFolder, user_agent: &str, max_body: u64) -> Result<Cache, FetchError> {
        fs::create_dir_all(&folder.path).map_err(|source| failed(&folder.path, source))?;
        NewFile::sweep_folder(&folder.path);
        let user_agent = HeaderValue::from_str(user_agent).ok();
        Ok(Cache { folder, user_agent, max_body })
    }

    pub(super) fn find(&self, url: &Url, wanted: Wanted) -> Option<CachedAnswer> {
        let (head, answer) = self.read(url, wanted)?;
        let request = self.request(url, wanted)?;
        let mut before = request.clone();
        *before.headers_mut() = header_map(&head.request)?;
        let now = (self.folder.now)();
        let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(head.time))?;
        // A time in the future means that a clock was wrong; the entry might never expire.
        if time > now {
            return None;
        }
        let policy = CachePolicy::new_options(&before, &response(&answer)?, time, private());
        match policy.before_request(&request, now) {
            BeforeRequest::Fresh(_) => Some(CachedAnswer::Fresh(answer)),
            BeforeRequest::Stale { request, matches: true } => {
                let request = Request::from_parts(request, ());
                Some(CachedAnswer::Stale(Box::new(Stale { answer, policy, request })))
            }
            BeforeRequest::Stale { matches: false, .. } => None,
        }
    }

    /// Returns the cached answer with the headers of its confirmation (status 304); `None` if the server confirmed
    /// another answer.
    pub(super) fn confirmed(&self, stale: Stale, confirmation: &HttpAnswer) -> Option<HttpAnswer> {
        let Stale { answer, policy, request } = stale;
        match policy.after_response(&request, &response(confirmation)?, (self.folder.now)()) {
            AfterResponse::NotModified(..) => {
                let headers = renewed(answer.headers, &confirmation.headers);
                Some(HttpAnswer { headers, ..answer })
            }
            AfterResponse::Modified(..) => None,
        }
    }

    pub(super) fn store(&self, answer: &HttpAnswer, wanted: Wanted) -> Result<(), FetchError> {
        if !answer.whole {
            return Ok(());
        }
        let (Some(request), Some(response)) = (self.request(&answer.url, wanted), response(answer)) else {
            return Ok(());
        };
        let now = (self.folder.now)();
        let policy = CachePolicy::new_options(&request, &response, now, private());
        let can_be_confirmed = ["etag", "last-modified"].iter().any(|name| answer.header(name).is_some());
        if !policy.is_storable() || (policy.is_stale(now) && !can_be_confirmed) {
            return Ok(());
        }
        self.write(answer, request.headers(), now).map_err(|source| failed(&self.folder.path, source))
    }

    fn request(&self, url: &Url, wanted: Wanted) -> Option<Request<()>> {
        let mut request = Request::builder().uri(url.as_str()).body(()).ok()?;
        *request.headers_mut() = accepted(wanted);
        request.headers_mut().extend(self.user_agent.clone().map(|value| (USER_AGENT, value)));
        Some(request)
    }

    pub(super) fn path(&self, url: &Url) -> PathBuf {
        self.folder.path.join(digest(url.as_str().as_bytes()))
    }

    fn read(&self, url: &Url, wanted: Wanted) -> Option<(CacheHead, HttpAnswer)> {
        let file = File::open(self.path(url)).ok()?;
        let longest = longest(wanted, self.max_body);
        let mut bytes = Vec::new();
        file.take(longest.saturating_add(MAX_HEAD + 1)).read_to_end(&mut bytes).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let head: CacheHead = serde_json::from_slice(&rest[..end]).ok()?;
        let body = rest[end + 1..].to_vec();
        if head.url != url.as_str() || head.digest != digest(&body) || body.len() as u64 > longest {
            return None;
        }
        let headers = head.headers.clone();
        let answer = HttpAnswer { url: url.clone(), status: head.status, headers, body, whole: true };
        Some((head, answer))
    }

    fn write(&self, answer: &HttpAnswer, request: &HeaderMap, now: SystemTime) -> io::Result<()> {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let request = request.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let head = CacheHead {
            url: answer.url.as_str().to_owned(),
            status: answer.status,
            headers: answer.headers.clone(),
            request,
            time: now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs(),
            digest: digest(&answer.body),
        };
        let mut file = NewFile::create(&self.path(&answer.url), Readers::Owner)?;
        file.write_all(&[MAGIC, &serde_json::to_vec(&head)?, b"\n", &answer.body].concat())?;
        file.finish()
    }
}

/// Returns the cached headers, updated by those of a confirmation.
// RFC 9111, section 3.2: all but those that speak of the body, which is the held one.
fn renewed(held: Vec<(String, String)>, confirmation: &[(String, String)]) -> Vec<(String, String)> {
    let of_body =
        |name: &str| name.starts_with("content-") || name == "transfer-encoding" || name == "connection";
    let news: Vec<_> = confirmation.iter().filter(|(name, _)| !of_body(name)).cloned().collect();
    let replaced = |name: &str| news.iter().any(|(other, _)| other == name);
    // The age is that of the held answer, which is young again.
    let mut headers = held;
    headers.retain(|(name, _)| name != "age" && !replaced(name));
    headers.extend(news);
    headers
}

fn private() -> CacheOptions {
    CacheOptions { shared: false, ..CacheOptions::default() }
}

fn failed(path: &Path, source: io::Error) -> FetchError {
    FetchError::Cache { path: path.to_owned(), source }
}

fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn header_map(headers: &[(String, String)]) -> Option<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name: HeaderName = name.parse().ok()?;
        map.try_append(name, HeaderValue::from_bytes(value.as_bytes()).ok()?).ok()?;
    }
    Some(map)
}

fn response(answer: &HttpAnswer) -> Option<Response<()>> {
    let mut response = Response::new(());
    *response.status_mut() = StatusCode::from_u16(answer.status).ok()?;
    *response.headers_mut() = header_map(&answer.headers)?;
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn noon() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_hours(499_668)
    }

    fn headers() -> impl Strategy<Value = Vec<(String, String)>> {
        let name = prop::sample::select(vec![
            "age", "cache-control", "content-length", "date", "etag", "expires", "last-modified", "pragma",
            "vary", "warning", "x",
        ]);
        let date = "(Sun|Thu), [0-3][0-9] (Nov|Jan) ([0-9]{4}|1994|2027|9999) 0[0-9]:00:00 (GMT|[+-]9999)";
        let directive = "((max-age|s-maxage|stale-while-revalidate|min-fresh)=-?[0-9]{0,20}|public|private|no-cache|\
            must-revalidate|immutable|max-age=\"1\")(, ?max-age=[0-9]{0,30})?";
        let value =
            prop_oneof![date, directive, "-?[0-9]{0,30}", "(W/)?\"[a-z]?\"", "[*\u{80}-\u{ff}a-z,;= ]{0,9}"];
        prop::collection::vec((name.prop_map(str::to_owned), value), 0..6)
    }

    proptest! {
        #[test]
        fn what_is_held_is_what_was_served(headers in headers(), confirming in headers(), body: Vec<u8>, late: bool) {
            let folder = tempfile::tempdir().unwrap();
            let later = || noon() + Duration::from_hours(24);
            let now = if late { later } else { noon };
            let cache = |now| Cache::open(CacheFolder { path: folder.path().to_owned(), now }, "a", 1000).unwrap();
            let url: Url = "https://a.test/".parse().unwrap();
            let answer = HttpAnswer { url, status: 200, headers, body, whole: true };
            cache(noon).store(&answer, Wanted::Page).unwrap();
            match cache(now).find(&answer.url, Wanted::Page) {
                Some(CachedAnswer::Fresh(held)) => prop_assert_eq!(held, answer),
                Some(CachedAnswer::Stale(stale)) => {
                    prop_assert_eq!(&stale.answer, &answer);
                    let _ = stale.conditions();
                    let not_modified = HttpAnswer { status: 304, headers: confirming, body: Vec::new(), ..answer.clone() };
                    if let Some(confirmed) = cache(now).confirmed(*stale, &not_modified) {
                        prop_assert_eq!(confirmed.body, answer.body);
                    }
                }
                None => {}
            }
        }

        #[test]
        fn any_file_is_an_entry_or_none(bytes: Vec<u8>, marked: bool) {
            let folder = tempfile::tempdir().unwrap();
            let place = CacheFolder { path: folder.path().to_owned(), now: noon };
            let cache = Cache::open(place, "a", 1000).unwrap();
            let url: Url = "https://a.test/".parse().unwrap();
            let bytes = if marked { [MAGIC, &bytes].concat() } else { bytes };
            std::fs::write(cache.path(&url), bytes).unwrap();
            prop_assert!(cache.find(&url, Wanted::Page).is_none());
        }
    }
}
