//! Sending one request.

use super::answer::{Ask, HttpAnswer, MAX_ROBOTS, accepted, longest};
use super::connections::Connections;
use super::cookie_jar::CookieJar;
use super::guard::{Guard, GuardedResolver, Refused};
use super::options::HttpOptions;
use crate::body::{self, ReadBodyError};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::media::{check_head, check_image_head};
use crate::redirect::is_redirect;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::blocking;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use reqwest::redirect::Policy;
use std::error::Error;
use std::io;
use std::net::ToSocketAddrs;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi_page::Url;
use url::Host;

/// The most headers of an answer. All of them together may have 400 KiB, hyper's limit.
const MAX_HEADERS: usize = 4096;

#[derive(Debug)]
pub(super) struct Client {
    direct: blocking::Client,
    connections: Connections,
    /// The environment's proxies, and the client that goes through them.
    proxied: Option<(Matcher, blocking::Client)>,
    guard: Guard,
    cookies: Option<Arc<CookieJar>>,
    max_body: u64,
    /// Whether the bodies of errors are read.
    reads_errors: bool,
}

impl Client {
    pub(super) fn new(options: &HttpOptions) -> Result<Client, FetchError> {
        // An error means that a provider is set, which is all we want.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let connections = Connections::default();
        let builder = || {
            blocking::Client::builder()
                .user_agent(&options.user_agent)
                .redirect(Policy::none())
                .referer(false)
                .http1_max_headers(MAX_HEADERS)
                // As browsers do: a header may go on in the next line, and lines that are no headers are skipped.
                .http1_allow_obsolete_multiline_headers_in_responses(true)
                .http1_allow_spaces_after_header_name_in_responses(true)
                .http1_ignore_invalid_headers_in_responses(true)
                .connect_timeout(options.connect_timeout)
                .connector_layer(connections.clone())
        };
        let built = |builder: blocking::ClientBuilder| {
            builder.build().map_err(|error| FetchError::Client { source: error.into() })
        };
        let resolver = Arc::new(GuardedResolver(options.guard.clone()));
        let direct = built(builder().no_proxy().dns_resolver(resolver))?;
        let proxied = if options.proxy { Some((Matcher::from_system(), built(builder())?)) } else { None };
        Ok(Client {
            direct,
            connections,
            proxied,
            guard: options.guard.clone(),
            cookies: options.cookies.clone(),
            max_body: options.max_body,
            reads_errors: options.keep.is_some(),
        })
    }

    /// Sends a request and reads the answer, without following redirects. `left` is the time limit, including the body.
    pub(super) fn ask(&self, ask: &Ask<'_>, left: Duration) -> Result<HttpAnswer, FetchError> {
        let url = ask.url;
        let request = self.client_for(url)?.get(url.clone());
        let request = request.headers(accepted(ask.wanted)).headers(ask.conditions.clone());
        let request = request.headers(ask.own.clone()).timeout(left);
        let answer = request.send().map_err(|error| failed(url, error))?;
        if let Some(cookies) = &self.cookies {
            cookies.set(url, answer.headers().get_all(SET_COOKIE).iter().map(HeaderValue::as_bytes));
        }
        let status = answer.status().as_u16();
        let headers = headers_of(answer.headers());
        let unread = HttpAnswer { url: url.clone(), status, headers, body: Vec::new(), whole: false };
        let success = (200..300).contains(&status);
        match ask.wanted {
            // Only its target matters.
            _ if is_redirect(status) => Ok(HttpAnswer { whole: true, ..unread }),
            Wanted::Robots if success => {
                let body = body::read_start(answer, &codings(&unread), MAX_ROBOTS)
                    .map_err(|error| broken(url, error, MAX_ROBOTS))?;
                Ok(HttpAnswer { body, whole: true, ..unread })
            }
            // A body of an unwanted type is not read.
            wanted if success && may_be(wanted, &unread) => {
                let limit = longest(wanted, self.max_body);
                let body = body::read(answer, &codings(&unread), limit)
                    .map_err(|error| broken(url, error, limit))?;
                Ok(HttpAnswer { body, whole: true, ..unread })
            }
            // If the body of an error cannot be read, the error still counts.
            _ if !success && status != 304 && self.reads_errors => {
                match body::read(answer, &codings(&unread), self.max_body) {
                    Ok(body) => Ok(HttpAnswer { body, whole: true, ..unread }),
                    Err(_) => Ok(unread),
                }
            }
            _ => Ok(unread),
        }
    }

    /// Returns when a request left at the latest that was sent at `begin` and is over: it may have had to connect first.
    pub(super) fn left(&self, begin: Instant) -> Instant {
        self.connections.last().map_or(begin, |last| last.max(begin))
    }

    /// Returns the client for an address, if the address is allowed.
    fn client_for(&self, url: &Url) -> Result<&blocking::Client, FetchError> {
        let private = |refused: Refused| FetchError::Private { url: url.clone(), address: refused.address };
        self.guard.check_literal(url).map_err(private)?;
        let Some((proxies, client)) = &self.proxied else { return Ok(&self.direct) };
        // That type rejects some paths and queries; proxies are chosen by scheme and host.
        let origin = url.origin().ascii_serialization().parse::<http::Uri>();
        if !origin.is_ok_and(|origin| proxies.intercept(&origin).is_some()) {
            return Ok(&self.direct);
        }
        // A proxy resolves names itself, so they are resolved and checked here first.
        if let Some(Host::Domain(name)) = url.host()
            && let Ok(found) = (name, 0).to_socket_addrs()
        {
            self.guard.admit(name, found).map_err(private)?;
        }
        Ok(client)
    }
}

/// Returns the headers except cookies, which are secrets: they go to the jar, not into archives and caches.
fn headers_of(headers: &HeaderMap) -> Vec<(String, String)> {
    let kept = headers.iter().filter(|(name, _)| *name != SET_COOKIE);
    kept.map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    })
    .collect()
}

/// Returns `true` if an answer may be what was wanted, as far as its head tells.
fn may_be(wanted: Wanted, answer: &HttpAnswer) -> bool {
    let content_type = answer.header("content-type");
    match wanted {
        Wanted::Page => check_head(&answer.url, answer.status, content_type).is_ok(),
        Wanted::Image => check_image_head(&answer.url, answer.status, content_type).is_ok(),
        Wanted::Robots | Wanted::File => true,
    }
}

/// Returns the codings of all `Content-Encoding` headers, in the order in which they were applied.
fn codings(answer: &HttpAnswer) -> String {
    let lines = answer.headers.iter().filter(|(name, _)| name == "content-encoding");
    lines.map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
}

fn broken(url: &Url, error: ReadBodyError, limit: u64) -> FetchError {
    let url = url.clone();
    match error {
        ReadBodyError::TooLarge => FetchError::TooLarge { url, limit },
        ReadBodyError::Coding(coding) => FetchError::Coding { url, coding },
        ReadBodyError::Io(error) if is_timeout(&error) => FetchError::Timeout { url },
        ReadBodyError::Io(error) => FetchError::Network { url, source: error.into() },
    }
}

/// An error before the body.
fn failed(url: &Url, error: reqwest::Error) -> FetchError {
    let url = url.clone();
    if let Some(Refused { address }) = causes(&error).find_map(|cause| cause.downcast_ref::<Refused>()) {
        return FetchError::Private { url, address: *address };
    }
    if error.is_timeout() {
        FetchError::Timeout { url }
    } else {
        // Our own message names the address.
        FetchError::Network { url, source: error.without_url().into() }
    }
}

/// Returns `true` if a host gave no answer: it cannot be connected to, or took too long.
pub(super) fn is_silence(error: &FetchError) -> bool {
    match error {
        FetchError::Timeout { .. } => true,
        FetchError::Network { source, .. } => {
            source.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_connect)
        }
        _ => false,
    }
}

/// Returns `true` if the error of a read, or one of its causes, is a timeout.
fn is_timeout(error: &io::Error) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_timeout)
            || cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
    })
}

/// An error and what caused it.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| cause(*error))
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>() {
        // An I/O error passes over the error that it holds, and names that one's cause.
        Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
        None => error.source(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_request_leaves_once_it_is_connected() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let guard = Guard::public().and("127.0.0.1".parse().unwrap());
        let client = Client::new(&HttpOptions { proxy: false, guard, ..HttpOptions::default() }).unwrap();
        let begin = Instant::now();
        assert_eq!(client.left(begin), begin, "nothing was connected");
        let url = format!("http://127.0.0.1:{port}/").parse().unwrap();
        let (conditions, own) = (HeaderMap::new(), HeaderMap::new());
        let ask = Ask { url: &url, wanted: Wanted::Page, conditions, own };
        assert!(client.ask(&ask, Duration::from_secs(9)).is_err_and(|error| is_silence(&error)));
        assert!(client.left(begin) > begin);
        let later = Instant::now();
        assert_eq!(client.left(later), later, "the connection was there before");
    }
}
