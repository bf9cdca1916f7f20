//! Sites, a server, and a client that can send anything.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;
use tsugi::Tsugi;
use tsugi::fetch::Guard;
use tsugi::fetch::HttpOptions;
use tsugi_serve::{AccessToken, ServeOptions, Server};
pub(crate) use tsugi_testing::LoopbackServer;
use tsugi_testing::{DEADLINE, LoopbackRequest, missing, typed};

/// The token of every server.
pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server under test, with a folder of its own.
pub(crate) struct Tested {
    pub(crate) address: SocketAddr,
    pub(crate) folder: TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Tested {
    pub(crate) fn start() -> Tested {
        Tested::listening("127.0.0.1:0", &[])
    }

    pub(crate) fn listening(listen: &str, hosts: &[&str]) -> Tested {
        Tested::with(listen, hosts, |options| options)
    }

    /// Starts a server that waits as long as a test may take for an answer.
    pub(crate) fn waiting() -> Tested {
        Tested::with("127.0.0.1:0", &[], |options| options.total_timeout(2 * DEADLINE))
    }

    fn with(listen: &str, hosts: &[&str], change: impl FnOnce(HttpOptions) -> HttpOptions) -> Tested {
        let folder = tempfile::tempdir().unwrap();
        let guard = Guard::public().and("127.0.0.1".parse().unwrap());
        let http = HttpOptions::new("tsugi-test").guard(guard).delay(Duration::ZERO).retries(0).proxy(false);
        let server = Server::bind(ServeOptions {
            listen: listen.parse().unwrap(),
            hosts: hosts.iter().copied().map(str::to_owned).collect(),
            data: folder.path().to_owned(),
            token: AccessToken::given(TOKEN).unwrap(),
            http: change(http),
            browser: None,
            tsugi: Tsugi::new(),
            log: |_| (),
        })
        .unwrap();
        let port = server.address().unwrap().port();
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let thread = thread::spawn(move || server.run(move || stops.load(Ordering::Relaxed)));
        Tested { address: ([127, 0, 0, 1], port).into(), folder, stop, thread: Some(thread) }
    }

    /// Sends a request with the right `Host`.
    pub(crate) fn get(&self, target: &str) -> ServerAnswer {
        self.send("GET", target, &[], "")
    }

    /// The same with the token.
    pub(crate) fn get_own(&self, target: &str) -> ServerAnswer {
        self.send("GET", target, &[("X-Tsugi-Token", TOKEN)], "")
    }

    /// Sends JSON with the token.
    pub(crate) fn post(&self, target: &str, body: &Value) -> ServerAnswer {
        let headers = [("X-Tsugi-Token", TOKEN), ("Content-Type", "application/json")];
        self.send("POST", target, &headers, body.to_string())
    }

    pub(crate) fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> ServerAnswer {
        let body = body.as_ref();
        let mut head =
            format!("{method} {target} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        let own_host = ("Host", &*self.address.to_string());
        let is_named = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        for (name, value) in headers.iter().chain((!is_named).then_some(&own_host)) {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head.push_str("\r\n");
        self.raw([head.as_bytes(), body].concat())
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&self, request: impl AsRef<[u8]>) -> ServerAnswer {
        let mut stream = self.connect();
        // A server that refuses a body may hang up before it is sent.
        let _ = stream.write_all(request.as_ref());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        ServerAnswer::read(&answer)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    /// Stops the server and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Tested {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct ServerAnswer {
    pub(crate) status: u16,
    headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl ServerAnswer {
    pub(crate) fn read(bytes: &[u8]) -> ServerAnswer {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let is_chunked = headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked");
        let body = if is_chunked { without_chunks(body) } else { body.to_owned() };
        ServerAnswer { status, headers, body }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Hands the answer back if it has this status.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> ServerAnswer {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// The events of a stream: names and data.
    #[track_caller]
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let event = |block: &str| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            Some((field("event:")?.to_owned(), serde_json::from_str(field("data:")?).unwrap()))
        };
        self.body.split("\n\n").filter_map(event).collect()
    }
}

fn without_chunks(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        whole.push_str(rest.get(..length).unwrap());
        body = rest.get(length + 2..).unwrap();
    }
    whole
}

/// A page of a site: path, media type and body. `{HOST}` in a text becomes the address of the site.
pub(crate) type SitePage = (String, &'static str, Vec<u8>);

/// Returns the answers of a site of these pages.
pub(crate) fn site_of(pages: Vec<SitePage>) -> impl Fn(&LoopbackRequest) -> Vec<u8> + Send + 'static {
    move |request| match pages.iter().find(|(path, ..)| *path == request.path) {
        Some((_, media, body)) if media.starts_with("image/") => typed(media, body),
        Some((_, media, body)) => {
            let text = str::from_utf8(body).unwrap();
            typed(media, text.replace("{HOST}", &format!("http://127.0.0.1:{}", request.port)))
        }
        None => missing(),
    }
}

/// A site with an article of some pages. Page numbers in `missing` are not there.
pub(crate) fn article_site(count: usize, missing: &[usize]) -> LoopbackServer {
    LoopbackServer::start(site_of(article(count, missing)))
}

/// The pages of an article at `/1` to `/N`, with an image each.
pub(crate) fn article(count: usize, missing: &[usize]) -> Vec<SitePage> {
    const TOPICS: [&str; 6] = ["mill", "river", "wheel", "miller", "flood", "museum"];
    let page = |number: usize| {
        let topic = TOPICS[(number - 1) % TOPICS.len()];
        let paragraphs: Vec<String> = (0..4)
            .map(|at| {
                format!(
                    "<p>Paragraph {at} of part {number} tells what the {topic} meant to the people of the valley, \
                     who had lived beside it for three hundred years and seen it change with every winter.</p>"
                )
            })
            .collect();
        let paragraphs = paragraphs.concat();
        let next = (number < count).then(|| format!("<a rel=next href=/{}>Next page</a>", number + 1));
        let previous = (number > 1).then(|| format!("<a rel=prev href=/{}>Previous page</a>", number - 1));
        let (next, previous) = (next.unwrap_or_default(), previous.unwrap_or_default());
        let html = format!(
            "<!DOCTYPE html><html lang=en><title>The tide mill – page {number}</title><nav><a href=/home>Home</a> \
             <a href=/about>About</a></nav><main><h1>The tide mill</h1><h2>The {topic}</h2>{paragraphs}\
             <p><img src=/image-{number}.png alt='A {topic}'></p></main>\
             <div class=pager>{previous} Page {number} of {count} {next}</div><footer>Contact us</footer>"
        );
        (format!("/{number}"), "text/html; charset=utf-8", html.into_bytes())
    };
    (1..=count).filter(|number| !missing.contains(number)).map(page).collect()
}
