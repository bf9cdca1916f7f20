//! A server on the loopback interface that says what a test wants it to.

use crate::url;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tsugi_page::Url;

/// A request, as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// The head, names of headers in lower case as the client sends them.
    pub(crate) head: String,
    /// How often the path was asked for before.
    pub(crate) before: usize,
}

impl Request {
    /// The port that was asked.
    pub(crate) fn port(&self) -> u16 {
        let host = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with("host: "));
        host.and_then(|host| host.rsplit_once(':')?.1.parse().ok()).unwrap()
    }
}

/// A server that ends with the test, and after a while in any case.
pub(crate) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request with what `answer` gives: the bytes as they go over the wire.
    pub(crate) fn start(answer: impl Fn(&Request) -> Vec<u8> + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::<Request>::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, stopped) = (Arc::clone(&asked), Arc::clone(&stop));
        let thread = thread::spawn(move || {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_secs(30) && !stopped.load(Ordering::Relaxed) {
                let Ok((mut stream, _)) = listener.accept() else {
                    thread::sleep(Duration::from_millis(1));
                    continue;
                };
                stream.set_nonblocking(false).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
                let (mut head, mut byte) = (Vec::new(), [0]);
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let before = seen.lock().unwrap().iter().filter(|request| request.path == path).count();
                let request = Request { path, head, before };
                seen.lock().unwrap().push(request.clone());
                // A client that hangs up is its own affair.
                let _ = stream.write_all(&answer(&request));
            }
        });
        Server { port, asked, stop, thread: Some(thread) }
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        url(&format!("http://127.0.0.1:{}{path}", self.port))
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An answer: status line and headers, and the body.
pub(crate) fn answer(head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    let mut answer = head.into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// A page.
pub(crate) fn page(text: &str) -> Vec<u8> {
    answer("200 OK\r\nContent-Type: text/html", format!("<p>{text}"))
}

pub(crate) fn missing() -> Vec<u8> {
    answer("404 Not Found\r\nContent-Type: text/html", "<p>no")
}

pub(crate) fn redirect(target: &str) -> Vec<u8> {
    answer(&format!("302 Found\r\nLocation: {target}"), "")
}
