//! Answers the requests of a page, through the client for pages.

use crate::connection::{Commands, Incoming};
use crate::rules::{Fate, StoppedRequest};
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use tsugi_fetch::{Http, RelayedAnswer, RelayedRequest, chain};
use tsugi_page::{Response, Url};

/// How many requests of a page are asked at a time, as by a browser of one host.
const AT_ONCE: usize = 6;

/// How many requests of a page are asked in all, and how many bytes they may bring.
const MOST_REQUESTS: usize = 500;
const MOST_BYTES: u64 = 64 << 20;

/// How many times a page may open another in its place by itself.
const MOST_MOVES: usize = 5;

/// An image of one pixel that shows nothing.
const NO_IMAGE: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\
    \x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// Answers the requests of one page.
#[derive(Debug)]
pub(crate) struct Relay {
    http: Arc<Http>,
    commands: Commands,
    done: Sender<Incoming>,
    waiting: VecDeque<(StoppedRequest, bool, bool)>,
    under_way: usize,
    asked: usize,
    bytes: u64,
    moves: usize,
    /// The page itself, which was fetched before.
    given: Option<Response>,
    /// The address of the page, and the frame that shows it.
    page: Url,
    frame: String,
    /// What the host of the page did not answer well, since this was last emptied.
    pub(crate) failures: Vec<String>,
}

impl Relay {
    pub(crate) fn new(
        http: Arc<Http>,
        commands: Commands,
        done: Sender<Incoming>,
        page: &Response,
        frame: &str,
    ) -> Relay {
        Relay {
            http,
            commands,
            done,
            waiting: VecDeque::new(),
            under_way: 0,
            asked: 0,
            bytes: 0,
            moves: 0,
            given: Some(page.clone()),
            page: page.url.clone(),
            frame: frame.to_owned(),
            failures: Vec::new(),
        }
    }

    /// Returns how many requests are open that may change the page's text.
    pub(crate) fn open(&self) -> usize {
        self.under_way + self.waiting.iter().filter(|(request, ..)| request.may_change_text()).count()
    }

    /// Takes a request that the browser stopped.
    pub(crate) fn take(&mut self, request: StoppedRequest) {
        let is_page = request.kind == "Document" && request.frame == self.frame;
        if is_page && let Some(page) = self.given.take_if(|page| page.url == without_fragment(&request.url)) {
            let headers = page.content_type.map(|value| ("content-type".to_owned(), value));
            let answer =
                RelayedAnswer { status: 200, headers: headers.into_iter().collect(), body: page.body };
            return self.commands.fulfil(&request.session, &request.id, &answer);
        }
        let fate = request.fate(&self.page);
        match fate {
            Fate::Inside => {
                let parameters = json!({"requestId": request.id});
                self.commands.send(Some(&request.session), "Fetch.continueRequest", &parameters);
            }
            Fate::Blank => {
                let headers = vec![("content-type".to_owned(), "image/gif".to_owned())];
                let answer = RelayedAnswer { status: 200, headers, body: NO_IMAGE.to_vec() };
                self.commands.fulfil(&request.session, &request.id, &answer);
            }
            Fate::Asked { is_document, is_own } => {
                self.moves += usize::from(is_page);
                if self.asked >= MOST_REQUESTS || self.bytes >= MOST_BYTES || self.moves > MOST_MOVES {
                    self.failures.push(format!("`{}` is beyond the limits of a page", request.url));
                    return self.refuse(&request, is_page);
                }
                self.asked += 1;
                self.waiting.push_back((request, is_document, is_own));
                self.begin();
            }
            Fate::Blocked => self.refuse(&request, is_page),
        }
    }

    /// Takes note of an answer.
    pub(crate) fn answered(&mut self, bytes: u64, failure: Option<String>) {
        self.failures.extend(failure);
        self.under_way = self.under_way.saturating_sub(1);
        self.bytes += bytes;
        self.begin();
    }

    /// Lets the page open another one again, since something is pressed, and forgets failures.
    pub(crate) fn begin_step(&mut self) {
        self.moves = 0;
        self.failures.clear();
    }

    /// A page that stays is better than one that says that another is missing.
    fn refuse(&self, request: &StoppedRequest, is_page: bool) {
        let reason = if is_page { "Aborted" } else { "BlockedByClient" };
        self.commands.fail(&request.session, &request.id, reason);
    }

    fn begin(&mut self) {
        while self.under_way < AT_ONCE {
            let Some((request, is_document, is_own)) = self.waiting.pop_front() else { return };
            self.under_way += 1;
            let (http, commands, done) = (Arc::clone(&self.http), self.commands.clone(), self.done.clone());
            let frame = self.frame.clone();
            let work = move || {
                let (bytes, failure) = answer(&http, &commands, &request, is_document, is_own, &frame);
                // The page may be closed.
                let _ = done.send(Incoming::Relayed(bytes, failure.filter(|_| is_own)));
            };
            if thread::Builder::new().name("tsugi-relay".to_owned()).spawn(work).is_err() {
                self.under_way -= 1;
                return;
            }
        }
    }
}

/// Asks, and hands the answer to the browser; returns its length in bytes, and why it is no good answer, if it is none.
fn answer(
    http: &Http,
    commands: &Commands,
    request: &StoppedRequest,
    is_document: bool,
    is_own: bool,
    frame: &str,
) -> (u64, Option<String>) {
    let StoppedRequest { session, id, url, method, headers, body, .. } = request;
    match http.relay(&RelayedRequest { url, method, headers, body, is_document, is_own }) {
        Ok(answer) => {
            commands.fulfil(session, id, &answer);
            let is_error = answer.status >= 400;
            let failure = is_error.then(|| format!("`{url}` answered with status {}", answer.status));
            (answer.body.len() as u64, failure)
        }
        Err(error) => {
            let is_page = is_document && request.frame == frame;
            commands.fail(session, id, if is_page { "Aborted" } else { "Failed" });
            (0, Some(chain(&error)))
        }
    }
}

fn without_fragment(url: &Url) -> Url {
    tsugi_page::address::without_fragment(url)
}
