//! A server on the loopback interface, and the answers that it gives.

use crate::DEADLINE;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tsugi_page::Url;

#[derive(Debug, Clone)]
pub struct LoopbackRequest {
    /// The target: a path, or a whole address if the server is used as a proxy.
    pub path: String,
    pub head: String,
    /// How often the same target was requested before.
    pub before: usize,
    pub port: u16,
}

impl LoopbackRequest {
    /// Returns the value of a header; empty if it was not sent.
    pub fn header(&self, name: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut values = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        values.next().map_or("", |(_, value)| value.trim())
    }
}

/// A server on `127.0.0.1` that answers one request at a time. It ends with the test, and after [`DEADLINE`] in any case.
pub struct LoopbackServer {
    port: u16,
    requests: Arc<Mutex<Vec<LoopbackRequest>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Answers each request with the bytes that `answer` returns: see [`answer`].
    pub fn start(answer: impl Fn(&LoopbackRequest) -> Vec<u8> + Send + 'static) -> LoopbackServer {
        LoopbackServer::slow(Duration::ZERO, answer)
    }

    /// As [`start`](Self::start), but waits before it reads each request.
    pub fn slow(
        delay: Duration,
        answer: impl Fn(&LoopbackRequest) -> Vec<u8> + Send + 'static,
    ) -> LoopbackServer {
        LoopbackServer::listen(delay, writing(answer))
    }

    /// Lets `serve` do anything to the connection of each request.
    pub fn raw(serve: impl Fn(&LoopbackRequest, &mut TcpStream) + Send + 'static) -> LoopbackServer {
        LoopbackServer::listen(Duration::ZERO, serve)
    }

    fn listen(
        delay: Duration,
        serve: impl Fn(&LoopbackRequest, &mut TcpStream) + Send + 'static,
    ) -> LoopbackServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (requests, stop) = (Arc::clone(&requests), Arc::clone(&stop));
            move || {
                let begin = Instant::now();
                while begin.elapsed() < DEADLINE && !stop.load(Ordering::Relaxed) {
                    let Ok((mut stream, _)) = listener.accept() else {
                        thread::sleep(Duration::from_millis(1));
                        continue;
                    };
                    wait(delay, &stop);
                    let request = read(&mut stream, port, &requests);
                    serve(&request, &mut stream);
                }
            }
        });
        LoopbackServer { port, requests, stop, thread: Some(thread) }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self, path: &str) -> Url {
        self.address(path).parse().unwrap()
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn requests(&self) -> Vec<LoopbackRequest> {
        self.requests.lock().unwrap().clone()
    }

    pub fn asked(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }

    /// As [`asked`](Self::asked), without `/robots.txt`.
    pub fn pages_asked(&self) -> Vec<String> {
        self.asked().into_iter().filter(|path| path != "/robots.txt").collect()
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn writing(
    answer: impl Fn(&LoopbackRequest) -> Vec<u8> + Send,
) -> impl Fn(&LoopbackRequest, &mut TcpStream) + Send {
    move |request, stream| {
        // A client may hang up before it has read everything.
        let _ = stream.write_all(&answer(request));
    }
}

/// Waits, but not beyond the end of the test.
fn wait(delay: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < delay && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(2).min(delay));
    }
}

fn read(stream: &mut TcpStream, port: u16, requests: &Mutex<Vec<LoopbackRequest>>) -> LoopbackRequest {
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut requests = requests.lock().unwrap();
    let before = requests.iter().filter(|request| request.path == path).count();
    let request = LoopbackRequest { path, head, before, port };
    requests.push(request.clone());
    request
}

pub type CannedAnswer = (&'static str, Vec<u8>);

/// Returns the answers of a site of these paths; every other path is [`missing`].
pub fn canned<P: AsRef<str>>(
    answers: impl IntoIterator<Item = (P, Vec<u8>)>,
) -> impl Fn(&LoopbackRequest) -> Vec<u8> + Send + 'static {
    let answers: Vec<(String, Vec<u8>)> =
        answers.into_iter().map(|(path, answer)| (path.as_ref().to_owned(), answer)).collect();
    move |request| {
        let found = answers.iter().find(|(path, _)| *path == request.path);
        found.map_or_else(missing, |(_, answer)| answer.clone())
    }
}

/// Returns an answer of a status with headers (`200 OK\r\nETag: "1"`) and a body.
pub fn answer(head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

pub fn typed(media: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    answer(&format!("200 OK\r\nContent-Type: {media}"), body)
}

pub fn html(page: impl AsRef<[u8]>) -> Vec<u8> {
    typed("text/html; charset=utf-8", page)
}

pub fn missing() -> Vec<u8> {
    answer("404 Not Found\r\nContent-Type: text/html", "<p>no")
}

pub fn redirect(target: &str) -> Vec<u8> {
    answer(&format!("302 Found\r\nLocation: {target}"), "")
}
