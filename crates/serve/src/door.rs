//! Checks of every request, before any handler sees it. They are one function over paths, so that a new route cannot forget
//! them.
//!
//! - `Host` must be an IP address, `localhost`, or a name that the user gave. A page whose name was bound to this machine (DNS
//!   rebinding) sends its own name.
//! - `Origin`, if there is one, must be this server, and `Sec-Fetch-Site` must not name another site.
//! - Everything but `GET` and `HEAD` needs the token. Reading the history and labels needs it, too. If other machines can
//!   connect, all reading does, except that of static files.

use crate::app::{App, MAX_ARCHIVE, SharedApp};
use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::time::Instant;

pub(crate) const TOKEN: &str = "x-tsugi-token";

/// Reads that need the token even on this machine, which other people may use: the history, labels, and images, for which
/// this server fetches any URL.
const PRIVATE: [&str; 3] = ["/api/history", "/api/sets", "/api/image"];

/// The longest body of a request, in bytes: one page.
pub(crate) const MAX_BODY: usize = 20 << 20;

const SETS: &str = "/api/sets/";

/// The policy of our own pages: they request nothing elsewhere, and run only our own files. Their forms work by themselves, so
/// that nothing is lost which somebody sends before the scripts are there.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
     manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer, unless the handler sets its own.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Checks a request, answers it, and logs it. The log has paths only: queries say what people read, and may hold the token.
pub(crate) async fn guard(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    let milliseconds = begin.elapsed().as_millis();
    (app.log)(&format!("{method} {path} {} {milliseconds} ms", response.status().as_u16()));
    response
}

fn check(app: &App, request: &Request) -> Result<(), ApiError> {
    let (headers, path) = (request.headers(), request.uri().path());
    let host = text(headers, &header::HOST).filter(|host| is_own(host, &app.hosts)).ok_or_else(|| {
        let message = "the Host header names no address of this server; allow a name with --host";
        ApiError::new(StatusCode::MISDIRECTED_REQUEST, "host", message)
    })?;
    if headers.contains_key(header::ORIGIN)
        && !text(headers, &header::ORIGIN).is_some_and(|origin| is_of(origin, host))
    {
        let message = "the request comes from a page of another site";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "origin", message));
    }
    if is_from_other_site(headers, path) {
        let message = "a page of another site made this request";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "origin", message));
    }
    let length = text(headers, &header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > longest(path)) {
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "the body is too long"));
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_private = PRIVATE.iter().any(|private| path.starts_with(private));
    let needs_token = !is_read || is_private || (app.is_open && !is_public(path));
    let claimed = headers.get(TOKEN).and_then(|value| value.to_str().ok());
    // Feed readers can send no header, so a read may have the token in its address.
    let claimed = claimed.or_else(|| request.uri().query().filter(|_| is_read).and_then(key_of));
    if needs_token && !claimed.is_some_and(|claimed| app.token.is(claimed)) {
        let message = format!("this request needs the token, in the header `{TOKEN}`");
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "token", message));
    }
    Ok(())
}

/// Returns the longest body that a path takes, in bytes. A body without declared length is checked while it is read.
fn longest(path: &str) -> usize {
    if path.starts_with(SETS) { MAX_ARCHIVE } else { MAX_BODY }
}

/// Returns a header that occurs once, as text.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Returns `true` if a `Host` header names this machine: by a known name, or by any address, since nobody can rebind those.
fn is_own(host: &str, names: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(v6) => {
            v6.split_once(']').filter(|(_, rest)| rest.is_empty() || is_port(rest)).map(|(name, _)| name)
        }
        None => match host.find(':') {
            Some(at) => is_port(&host[at..]).then_some(&host[..at]),
            None => Some(host),
        },
    };
    name.is_some_and(|name| {
        name.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || names.iter().any(|known| known.eq_ignore_ascii_case(name))
    })
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':')
        .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
}

/// Returns `true` if an `Origin` is that of a host. A proxy in between may add TLS.
fn is_of(origin: &str, host: &str) -> bool {
    let bare = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    bare.is_some_and(|bare| bare.eq_ignore_ascii_case(host))
}

/// Returns `true` if a browser says that another site made the request. Other sites may link to our pages, but not to
/// addresses that make this server work.
fn is_from_other_site(headers: &HeaderMap, path: &str) -> bool {
    let is_foreign =
        has(headers, "sec-fetch-site", "cross-site") || has(headers, "sec-fetch-site", "same-site");
    let is_opened = has(headers, "sec-fetch-mode", "navigate") && has(headers, "sec-fetch-dest", "document");
    is_foreign && !(is_opened && is_public(path))
}

fn has(headers: &HeaderMap, name: &str, value: &str) -> bool {
    headers.get(name).is_some_and(|found| found == value)
}

/// Returns `true` for files that are the same on every server.
fn is_public(path: &str) -> bool {
    matches!(path, "/" | "/read" | "/explain" | "/annotate" | "/docs" | "/health" | "/healthz" | "/openapi.json" | "/favicon.ico") || path.starts_with("/static/")
        // Nobody can guess the names of frames, and a frame can send no header.
        || path.starts_with("/frame/")
}

/// Returns the value of `key` in a query. Tokens have no characters that would be escaped.
fn key_of(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("key="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_of_ours_and_a_port() {
        let names = ["mill.test".to_owned()];
        for host in ["localhost", "LOCALHOST:8420", "127.0.0.1:1", "[::1]", "[::1]:8420", "mill.test:80"] {
            assert!(is_own(host, &names), "{host}");
        }
        for host in [
            "evil.test", "127.0.0.1:8420@evil", "127.0.0.1@evil", "localhost:99999x", "localhost:99999",
            "localhost:", "localhost:8420:1", "[::1", "[::1]x", "", ":8420",
        ] {
            assert!(!is_own(host, &names), "{host}");
        }
    }

    #[test]
    fn a_key_is_found_in_a_query() {
        assert_eq!(key_of("url=x&key=abc&key=d"), Some("abc"));
        assert_eq!(key_of("url=x&monkey=abc"), None);
    }
}
