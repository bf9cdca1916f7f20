//! Messages to and from the browser.
//!
//! Each message is an object of JSON and ends with a NUL: commands with a number, answers with the same number, and events. Two
//! threads read and write, so that nobody who waits for the browser can be waited for by it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::RelayedAnswer;

/// The longest message that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// How often to see whether the browser is still there.
const GLANCE: Duration = Duration::from_millis(200);

/// What comes.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message of the browser.
    Message(Value),
    /// A request was answered: the length of the answer in bytes, and why it is no good answer, if it is none.
    Relayed(u64, Option<String>),
}

/// Sends commands; threads that answer requests have one each.
#[derive(Debug, Clone)]
pub(crate) struct Commands {
    written: Sender<Vec<u8>>,
    last: Arc<AtomicU64>,
}

impl Commands {
    /// Sends a command and returns its number. If the browser is gone, nothing is sent.
    pub(crate) fn send(&self, session: Option<&str>, method: &str, parameters: &Value) -> u64 {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // Who waits for the answer learns that the browser is gone.
        let _ = self.written.send(bytes);
        id
    }

    /// Answers a request that was stopped.
    pub(crate) fn fulfil(&self, session: &str, request: &str, answer: &RelayedAnswer) {
        let headers: Vec<Value> =
            answer.headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        let parameters = json!({
            "requestId": request,
            "responseCode": answer.status,
            "responseHeaders": headers,
            "body": STANDARD.encode(&answer.body),
        });
        self.send(Some(session), "Fetch.fulfillRequest", &parameters);
    }

    /// Lets a request that was stopped fail.
    pub(crate) fn fail(&self, session: &str, request: &str, reason: &str) {
        let parameters = json!({"requestId": request, "errorReason": reason});
        self.send(Some(session), "Fetch.failRequest", &parameters);
    }
}

/// Both directions.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) commands: Commands,
    incoming: Receiver<Incoming>,
    /// For the threads that answer requests. Without it, the end of the browser would show.
    pub(crate) relayed: Sender<Incoming>,
    ended: Receiver<()>,
}

impl Connection {
    pub(crate) fn new(mut to: ChildStdin, from: ChildStdout) -> std::io::Result<Connection> {
        let (written, writing) = mpsc::channel::<Vec<u8>>();
        let (relayed, incoming) = mpsc::channel();
        let (alive, ended) = mpsc::channel::<()>();
        // It ends when all commands are dropped, which closes the pipe, or when the browser is gone.
        thread::Builder::new().name("tsugi-browser-in".to_owned()).spawn(move || {
            while let Ok(bytes) = writing.recv() {
                if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        })?;
        let messages = relayed.clone();
        thread::Builder::new().name("tsugi-browser-out".to_owned()).spawn(move || {
            let _alive = alive;
            let mut from = BufReader::new(from);
            loop {
                let mut bytes = Vec::new();
                let read = from.by_ref().take(LONGEST).read_until(0, &mut bytes);
                if !read.is_ok_and(|read| read > 0) || bytes.pop() != Some(0) {
                    return;
                }
                let Ok(message) = serde_json::from_slice(&bytes) else { continue };
                if messages.send(Incoming::Message(message)).is_err() {
                    return;
                }
            }
        })?;
        let commands = Commands { written, last: Arc::default() };
        Ok(Connection { commands, incoming, relayed, ended })
    }

    /// Waits for what comes next; `None` if nothing came in time.
    ///
    /// # Errors
    ///
    /// Nothing more will come.
    pub(crate) fn next(&self, until: Instant) -> Result<Option<Incoming>, Ended> {
        loop {
            // Looked at before the wait, so that nothing that came before the end is missed.
            let has_ended = self.ended.try_recv() == Err(mpsc::TryRecvError::Disconnected);
            let left = until.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left.min(GLANCE)) {
                Ok(incoming) => return Ok(Some(incoming)),
                Err(RecvTimeoutError::Disconnected) => return Err(Ended),
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(Ended),
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The browser is gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended;
