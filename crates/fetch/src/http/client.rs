//! Sending one request.

use super::answer::{Ask, HttpAnswer, MAX_ROBOTS, accepted, longest};
use super::connections::{ConnectTimeout, Connections, Watched};
use super::cookie_jar::CookieJar;
use super::driver::Driver;
use super::guard::{Guard, GuardedResolver, Refused};
use super::options::HttpOptions;
use super::proxy::ThroughProxy;
use crate::body::{self, ReadBodyError};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::media::{check_head, check_image_head};
use crate::redirect::is_redirect;
use http::header::{PROXY_AUTHORIZATION, SET_COOKIE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, ResponseFuture};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use rustls::crypto::CryptoProvider;
use std::error::Error;
use std::io::{self, Read};
use std::net::ToSocketAddrs;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi_page::Url;
use url::Host;

/// The most headers of an answer. All of them together may have 400 KiB, hyper's limit.
const MAX_HEADERS: usize = 16_384;

/// How long a connection is kept for another request.
const IDLE: Duration = Duration::from_secs(90);

type Sender<C> = legacy::Client<Watched<HttpsConnector<C>>, Full<Bytes>>;
type ToProxy = ThroughProxy<HttpsConnector<HttpConnector>>;

#[derive(Debug)]
pub(super) struct Client {
    driver: Driver,
    direct: Sender<HttpConnector<GuardedResolver>>,
    connections: Connections,
    /// The environment's proxies, and the client that goes through them.
    proxied: Option<(Arc<Matcher>, Sender<ToProxy>)>,
    user_agent: HeaderValue,
    guard: Guard,
    cookies: Option<Arc<CookieJar>>,
    max_body: u64,
    /// Whether the bodies of errors are read.
    reads_errors: bool,
}

impl Client {
    pub(super) fn new(options: &HttpOptions) -> Result<Client, FetchError> {
        fn refused(source: impl Into<Box<dyn Error + Send + Sync>>) -> FetchError {
            FetchError::Client { source: source.into() }
        }
        let driver = Driver::new().map_err(refused)?;
        let user_agent = HeaderValue::from_str(&options.user_agent).map_err(refused)?;
        let tls = tls().map_err(refused)?;
        let connections = Connections::default();
        let guarded = HttpConnector::new_with_resolver(GuardedResolver(options.guard.clone()));
        let connector = with_tls(&tls, tcp(guarded));
        let direct = sender(connections.watch(connector, options.connect_timeout));
        let proxied = options.proxy.then(|| {
            let proxies = Arc::new(Matcher::from_env());
            let connector = with_tls(&tls, tcp(HttpConnector::new()));
            let connector = with_tls(&tls, ThroughProxy { proxies: Arc::clone(&proxies), connector });
            (proxies, sender(connections.watch(connector, options.connect_timeout)))
        });
        Ok(Client {
            driver,
            direct,
            connections,
            proxied,
            user_agent,
            guard: options.guard.clone(),
            cookies: options.cookies.clone(),
            max_body: options.max_body,
            reads_errors: options.keep.is_some(),
        })
    }

    /// Sends a request and reads the answer, without following redirects. `left` is the time limit, including the body;
    /// once `is_gone` is true, nobody waits, and the connection is closed.
    pub(super) fn ask(
        &self,
        ask: &Ask<'_>,
        left: Duration,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<HttpAnswer, FetchError> {
        let (url, begin) = (ask.url, Instant::now());
        let sending = self.send(ask)?;
        let answer = self.driver.wait(async move { tokio::time::timeout(left, sending).await }, is_gone);
        let answer = match answer {
            Some(Ok(Ok(answer))) => answer,
            Some(Ok(Err(error))) => return Err(failed(url, error)),
            Some(Err(_)) => return Err(FetchError::Timeout { url: url.clone() }),
            None => return Err(FetchError::Network { url: url.clone(), source: PANICKED.into() }),
        };
        if let Some(cookies) = &self.cookies {
            cookies.set(url, answer.headers().get_all(SET_COOKIE).iter().map(HeaderValue::as_bytes));
        }
        let status = answer.status().as_u16();
        let headers = headers_of(answer.headers());
        let unread = HttpAnswer { url: url.clone(), status, headers, body: Vec::new(), whole: false };
        let received = Some(answer.into_body());
        let answer =
            Body { driver: &self.driver, received, chunk: Bytes::new(), begin, limit: left, is_gone };
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
            _ if !success && status != 304 && (self.reads_errors || ask.errand.is_some()) => {
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

    /// Begins a request, if the address is allowed.
    fn send(&self, ask: &Ask<'_>) -> Result<ResponseFuture, FetchError> {
        let url = ask.url;
        let private = |refused: Refused| FetchError::Private { url: url.clone(), address: refused.address };
        self.guard.check_literal(url).map_err(private)?;
        let unsendable =
            |source: http::Error| FetchError::Network { url: url.clone(), source: source.into() };
        let errand = ask.errand.as_ref();
        let method = errand.map_or(Method::GET, |errand| errand.method.clone());
        let body = errand.map_or_else(Bytes::new, |errand| Bytes::copy_from_slice(errand.body));
        let request = Request::builder().method(method).uri(url.as_str()).body(Full::new(body));
        let mut request = request.map_err(unsendable)?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.user_agent.clone());
        let of_browser = errand.map(|errand| errand.headers.clone()).unwrap_or_default();
        for more in [accepted(ask.wanted), of_browser, ask.conditions.clone(), ask.own.clone()] {
            headers.extend(more);
        }
        let Some((proxies, client)) = &self.proxied else { return Ok(self.direct.request(request)) };
        // That type rejects some paths and queries; proxies are chosen by scheme and host.
        let origin = url.origin().ascii_serialization().parse::<Uri>();
        let Some(proxy) = origin.ok().and_then(|origin| proxies.intercept(&origin)) else {
            return Ok(self.direct.request(request));
        };
        // A proxy resolves names itself, so they are resolved and checked here first.
        if let Some(Host::Domain(name)) = url.host()
            && let Ok(found) = (name, 0).to_socket_addrs()
        {
            self.guard.admit(name, found).map_err(private)?;
        }
        // For https the tunnel has it.
        if let Some(password) = proxy.basic_auth().filter(|_| url.scheme() == "http") {
            request.headers_mut().insert(PROXY_AUTHORIZATION, password.clone());
        }
        Ok(client.request(request))
    }
}

/// What a user sees if hyper has an error of its own.
const PANICKED: &str = "the HTTP client panicked";

/// The provider of TLS where the process has no default.
const OWN_PROVIDER: Option<fn() -> CryptoProvider> = {
    #[cfg(feature = "ring")]
    {
        Some(rustls::crypto::ring::default_provider)
    }
    #[cfg(all(feature = "aws-lc-rs", not(feature = "ring")))]
    {
        Some(rustls::crypto::aws_lc_rs::default_provider)
    }
    #[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
    None
};

/// Returns the settings of TLS. The operating system says which certificates are valid.
fn tls() -> Result<ClientConfig, Box<dyn Error + Send + Sync>> {
    // Setting the default is for programs: a second one to do so would fail.
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.or_else(|| OWN_PROVIDER.map(|own| Arc::new(own()))).ok_or(
        "there is no TLS provider: enable the feature `ring` or `aws-lc-rs`, or install one for the process",
    )?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.try_with_platform_verifier()?.with_no_client_auth())
}

fn tcp<R>(mut connector: HttpConnector<R>) -> HttpConnector<R> {
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector
}

fn with_tls<C>(tls: &ClientConfig, connector: C) -> HttpsConnector<C> {
    HttpsConnectorBuilder::new()
        .with_tls_config(tls.clone())
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector)
}

fn sender<C>(connector: Watched<HttpsConnector<C>>) -> Sender<C>
where
    Watched<HttpsConnector<C>>: legacy::connect::Connect + Clone,
{
    legacy::Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .http1_max_headers(MAX_HEADERS)
        // As browsers do: a header may go on in the next line, and lines that are no headers are skipped.
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_ignore_invalid_headers_in_responses(true)
        .build(connector)
}

/// The body of an answer. The decoders that read it wait for each chunk.
struct Body<'d> {
    driver: &'d Driver,
    /// `None` at the end.
    received: Option<Incoming>,
    /// What came and was not read.
    chunk: Bytes,
    begin: Instant,
    /// The most time from the beginning to the end.
    limit: Duration,
    is_gone: &'d dyn Fn() -> bool,
}

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            let Some(mut received) = self.received.take() else { return Ok(0) };
            let left = self.limit.saturating_sub(self.begin.elapsed());
            let frame = async move { (tokio::time::timeout(left, received.frame()).await, received) };
            let next = self.driver.wait(frame, self.is_gone);
            let (frame, received) = next.ok_or_else(|| io::Error::other(PANICKED))?;
            match frame.map_err(|_| io::ErrorKind::TimedOut)? {
                Some(Ok(frame)) => {
                    // Trailers are no data.
                    self.chunk = frame.into_data().unwrap_or_default();
                    self.received = Some(received);
                }
                Some(Err(error)) => return Err(io::Error::other(error)),
                None => {}
            }
        }
        let length = self.chunk.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.chunk.split_to(length));
        Ok(length)
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
        Wanted::Page | Wanted::Drawn(_) => check_head(&answer.url, answer.status, content_type).is_ok(),
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
fn failed(url: &Url, error: legacy::Error) -> FetchError {
    let url = url.clone();
    if let Some(Refused { address }) = causes(&error).find_map(|cause| cause.downcast_ref::<Refused>()) {
        return FetchError::Private { url, address: *address };
    }
    if is_timeout(&error) {
        FetchError::Timeout { url }
    } else {
        FetchError::Network { url, source: error.into() }
    }
}

/// Returns `true` if a host gave no answer: it cannot be connected to, or took too long.
pub(super) fn is_silence(error: &FetchError) -> bool {
    match error {
        FetchError::Timeout { .. } => true,
        FetchError::Network { source, .. } => {
            source.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect)
        }
        _ => false,
    }
}

/// Returns `true` if an error, or one of its causes, is a timeout.
fn is_timeout(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| {
        cause.is::<ConnectTimeout>()
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
    use crate::http::driver::never;
    use std::net::TcpListener;

    #[test]
    fn a_request_leaves_once_it_is_connected() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let guard = Guard::public().and("127.0.0.1".parse().unwrap());
        let client = Client::new(&HttpOptions::new("tsugi-test").proxy(false).guard(guard)).unwrap();
        let begin = Instant::now();
        assert_eq!(client.left(begin), begin, "nothing was connected");
        let url = format!("http://127.0.0.1:{port}/").parse().unwrap();
        let (conditions, own) = (HeaderMap::new(), HeaderMap::new());
        let ask = Ask { url: &url, wanted: Wanted::Page, conditions, own, errand: None };
        assert!(client.ask(&ask, Duration::from_secs(9), &never).is_err_and(|error| is_silence(&error)));
        assert!(client.left(begin) > begin);
        let later = Instant::now();
        assert_eq!(client.left(later), later, "the connection was there before");
    }
}
