//! Pages from the network.

use crate::body::{self, BodyError};
use crate::exchange::{Exchange, Keep};
use crate::fetch::{Fetch, FetchError, Response, check_head};
use reqwest::blocking::Client;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION,
};
use reqwest::redirect::Policy;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi_page::{Url, address};

/// How pages are asked for over HTTP.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// How long a connection may take to stand.
    pub connect_timeout: Duration,
    /// How long a page may take, redirects and body included.
    pub total_timeout: Duration,
    /// The longest body, in bytes after decompression.
    pub max_body: u64,
    /// How many redirects are followed for one page.
    pub max_redirects: usize,
    /// Whether the proxy that the environment names (`https_proxy` and its like) is used.
    pub proxy: bool,
}

impl Default for HttpOptions {
    /// 10 seconds to connect, 30 in all, 20 MiB, 10 redirects, the environment's proxy.
    fn default() -> Self {
        HttpOptions {
            user_agent: concat!("tsugi/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            max_body: 20 << 20,
            max_redirects: 10,
            proxy: true,
        }
    }
}

/// Gets pages over http and https.
///
/// Redirects are followed here, not by the client, so that each target is checked: http or https, no more
/// than [`HttpOptions::max_redirects`]. Bodies are unpacked here too (gzip, deflate, brotli), with the code
/// that reads archives, and the limit is held against what comes out.
///
/// It must not be used inside an asynchronous runtime: the client is a blocking one.
#[derive(Debug)]
pub struct Http {
    client: Client,
    options: HttpOptions,
    keep: Option<Arc<dyn Keep>>,
}

impl Http {
    /// Sets up a client; no connection is made yet.
    ///
    /// TLS is rustls over `ring`: its default, `aws-lc-rs`, is a larger C library that takes minutes to
    /// compile, and nothing here needs what it adds. The provider is set for the process unless another one
    /// is set already. Certificates are checked as the operating system does.
    ///
    /// # Errors
    ///
    /// [`FetchError::Client`] if the user agent is no header value, or the system's certificates are missing.
    pub fn new(options: HttpOptions) -> Result<Http, FetchError> {
        // An error means that a provider is set, which is all we want.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut headers = HeaderMap::new();
        let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        for (name, value) in [(ACCEPT, accept), (ACCEPT_ENCODING, "gzip, deflate, br")] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let mut builder = Client::builder()
            .user_agent(&options.user_agent)
            .default_headers(headers)
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(options.connect_timeout);
        if !options.proxy {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| FetchError::Client { source: error.into() })?;
        Ok(Http { client, options, keep: None })
    }

    /// Hands every answer to `keep` before it is used.
    #[must_use]
    pub fn keeping(self, keep: Arc<dyn Keep>) -> Http {
        Http { keep: Some(keep), ..self }
    }

    fn keep(&self, url: &Url, status: u16, headers: &HeaderMap, body: &[u8]) -> Result<(), FetchError> {
        let Some(keep) = &self.keep else { return Ok(()) };
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        keep.keep(&Exchange { url, status, headers: &headers, body })
            .map_err(|source| FetchError::Keep { url: url.clone(), source })
    }

    /// Asks one address, without following a redirect.
    fn ask(&self, url: &Url, deadline: Instant) -> Result<reqwest::blocking::Response, FetchError> {
        if !address::is_web(url) {
            return Err(FetchError::Scheme { url: url.clone(), expected: "http or https" });
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(FetchError::Timeout { url: url.clone() });
        }
        // The time of a request covers its body.
        self.client.get(url.clone()).timeout(left).send().map_err(|error| network(url, error))
    }

    fn read(&self, url: Url, answer: reqwest::blocking::Response) -> Result<Response, FetchError> {
        let header = |name| {
            let value = answer.headers().get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let status = answer.status().as_u16();
        let content_type = header(CONTENT_TYPE);
        let codings = header(CONTENT_ENCODING).unwrap_or_default();
        // What is refused for its status or its type is not read.
        if let Err(refused) = check_head(&url, status, content_type.as_deref()) {
            self.keep(&url, status, answer.headers(), &[])?;
            return Err(refused);
        }
        let headers = answer.headers().clone();
        let limit = self.options.max_body;
        let body = match body::read(answer, &codings, limit) {
            Ok(body) => body,
            Err(BodyError::TooLarge) => return Err(FetchError::TooLarge { url, limit }),
            Err(BodyError::Coding(coding)) => return Err(FetchError::Coding { url, coding }),
            Err(BodyError::Io(error)) => return Err(interrupted(&url, error)),
        };
        self.keep(&url, status, &headers, &body)?;
        Response { url, status, content_type, body }.checked()
    }
}

impl Fetch for Http {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        let deadline = Instant::now() + self.options.total_timeout;
        let mut at = address::without_fragment(url);
        for _ in 0..=self.options.max_redirects {
            let answer = self.ask(&at, deadline)?;
            if !is_redirect(answer.status().as_u16()) {
                return self.read(at, answer);
            }
            self.keep(&at, answer.status().as_u16(), answer.headers(), &[])?;
            let location = answer.headers().get(LOCATION);
            let location = location.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            at = redirected(&at, location.as_deref().unwrap_or_default())?;
        }
        Err(FetchError::TooManyRedirects { url: url.clone(), limit: self.options.max_redirects })
    }
}

/// Says whether a status sends to another address.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Resolves a redirect; only http and https are followed.
pub(crate) fn redirected(from: &Url, location: &str) -> Result<Url, FetchError> {
    let target = if location.trim().is_empty() { None } else { address::join(from, location) };
    target
        .filter(address::is_web)
        .ok_or_else(|| FetchError::BadRedirect { url: from.clone(), location: location.to_owned() })
}

fn network(url: &Url, error: reqwest::Error) -> FetchError {
    let url = url.clone();
    if error.is_timeout() {
        FetchError::Timeout { url }
    } else {
        // The address is named once, by our own message.
        FetchError::Network { url, source: error.without_url().into() }
    }
}

/// An error while reading the body; a time-out is hidden in its causes.
fn interrupted(url: &Url, error: io::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        let timed_out = error.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_timeout)
            || error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut);
        if timed_out {
            return FetchError::Timeout { url: url.clone() };
        }
        cause = match error.downcast_ref::<io::Error>() {
            Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    FetchError::Network { url: url.clone(), source: error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_web() {
        let from = "https://a.test/x/1".parse().unwrap();
        let to = |location| redirected(&from, location).map(String::from).ok();
        assert_eq!(to("2#top").as_deref(), Some("https://a.test/x/2"));
        assert_eq!(to("//b.test/").as_deref(), Some("https://b.test/"));
        for dead in ["", " ", "file:///etc/passwd", "ftp://a.test/", "data:text/html,x", "http://"] {
            assert_eq!(to(dead), None, "{dead}");
        }
    }

    #[test]
    fn other_schemes_are_refused() {
        let http = Http::new(HttpOptions::default()).unwrap();
        for dead in ["file:///etc/passwd", "ftp://a.test/", "data:text/html,x"] {
            let refused = http.fetch(&dead.parse().unwrap());
            assert!(matches!(refused, Err(FetchError::Scheme { .. })), "{dead}");
        }
        let bad = HttpOptions { user_agent: "a\nb".to_owned(), ..HttpOptions::default() };
        assert!(matches!(Http::new(bad), Err(FetchError::Client { .. })));
    }
}
