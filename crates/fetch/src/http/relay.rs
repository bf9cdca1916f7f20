//! Requests of a browser that draws a page: each goes through this client, so the browser itself needs no network.

use super::answer::{Ask, Errand, HttpAnswer};
use super::client::is_silence;
use super::driver::never;
use super::{Http, PageBudget, Waiting, retry};
use crate::error::FetchError;
use crate::exchange::Wanted;
use http::header::{ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, ORIGIN, REFERER};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use std::time::{Duration, Instant};
use tsugi_page::{Url, address};

/// A request of a page that a browser draws.
#[derive(Debug, Clone, Copy)]
pub struct RelayedRequest<'a> {
    /// The address.
    pub url: &'a Url,
    /// The method: GET, HEAD, POST or OPTIONS.
    pub method: &'a str,
    /// The headers that the browser would send. Only those that scripts may choose are sent on; never cookies.
    pub headers: &'a [(String, String)],
    /// What is sent; empty for most.
    pub body: &'a [u8],
    /// Whether it is for a page of its own or in a frame: then `robots.txt` and the pace of pages apply.
    pub is_document: bool,
    /// Whether the user's own headers and cookies may go with it, where they go at all.
    pub is_own: bool,
}

/// The answer to a [`RelayedRequest`], perhaps a redirect or an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayedAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The headers as served, names in lower case; without cookies, and without those about the transfer.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// Headers about the body as it travelled.
const OF_TRAVEL: [&str; 6] =
    ["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer"];

impl Http {
    /// Asks for what a browser needs to draw a page. Redirects are returned, so that the browser asks for their targets.
    ///
    /// As for pages, addresses are guarded, `robots.txt` is obeyed for documents, and time and size are limited. Documents wait
    /// for their turn at the host. The parts of a page wait only for what the host itself asks for, as for a reader's visit;
    /// they are not retried. The answer is not cached, but saved ([`HttpOptions::keep`](crate::HttpOptions::keep)).
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; an error status is none.
    pub fn relay(&self, request: &RelayedRequest<'_>) -> Result<RelayedAnswer, FetchError> {
        let url = address::without_userinfo(&address::without_fragment(request.url));
        if !address::is_web(&url) {
            return Err(FetchError::Scheme { url, expected: "http or https" });
        }
        let method = match request.method {
            "GET" => Method::GET,
            "HEAD" => Method::HEAD,
            "POST" => Method::POST,
            "OPTIONS" => Method::OPTIONS,
            other => {
                let rule = format!("a page may only be read, and its method is {other}");
                return Err(FetchError::Disallowed { url, rule });
            }
        };
        // A request that may change something is sent once.
        let retries = if method == Method::GET { self.options.retries } else { 0 };
        let mut budget =
            PageBudget { time: self.options.total_timeout, retries, waiting: Waiting::TO_THE_END };
        let errand = Errand { method, headers: chosen_headers(request.headers), body: request.body };
        let mut ask = self.request(&url, Wanted::File);
        if !request.is_own {
            ask.own = HeaderMap::new();
        }
        ask.errand = Some(errand);
        let answer = if request.is_document {
            let crawl_delay = self.permitted(&url, &mut budget)?.unwrap_or_default();
            self.ask(&ask, crawl_delay, &mut budget)?
        } else {
            self.ask_for_part(&ask)?
        };
        self.keep(&answer, Wanted::File)?;
        let headers =
            answer.headers.into_iter().filter(|(name, _)| !OF_TRAVEL.contains(&name.as_str())).collect();
        Ok(RelayedAnswer { status: answer.status, headers, body: answer.body })
    }

    fn ask_for_part(&self, ask: &Ask<'_>) -> Result<HttpAnswer, FetchError> {
        let url = ask.url;
        let host = url.host_str().unwrap_or_default();
        self.breaker.check(url, Instant::now())?;
        self.pace
            .pass(host, |time, why| self.tell(|watch| watch.waits(host, time, why)))
            .map_err(|shut| self.shut_out(url, shut, Duration::ZERO))?;
        self.tell(|watch| watch.asks(url));
        let outcome = self.client.ask(ask, self.options.total_timeout, &never);
        self.breaker.note(url, !outcome.as_ref().is_err_and(is_silence), Instant::now());
        self.tell(|watch| match &outcome {
            Ok(answer) => watch.answers(&answer.exchange(ask.wanted)),
            Err(error) => watch.fails(url, error),
        });
        let answer = outcome?;
        if let Some(pause) = retry::asked_for(&answer) {
            if pause > self.options.patience {
                self.pace.close(host, pause, answer.status);
            } else {
                self.pace.hold(host, pause);
            }
        }
        Ok(answer)
    }
}

/// Returns the headers that are sent on: those of the request's content, and those that scripts made up.
fn chosen_headers(headers: &[(String, String)]) -> HeaderMap {
    let mut chosen = HeaderMap::new();
    for (name, value) in headers {
        let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) else {
            continue;
        };
        let named = [ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, ORIGIN, REFERER].contains(&name);
        let is_preflight = name.as_str().starts_with("access-control-request-");
        if named || is_preflight || name.as_str().starts_with("x-") {
            chosen.insert(name, value);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_scripts_choose_is_sent_on() {
        let headers = [
            ("Accept", "application/json"),
            ("Cookie", "secret=1"),
            ("Host", "b.test"),
            ("X-Page", "2"),
            ("X-Bad", "a\nb"),
            ("sec-ch-ua", "x"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let chosen = chosen_headers(&headers);
        let names: Vec<&str> = chosen.keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["accept", "x-page"]);
    }
}
