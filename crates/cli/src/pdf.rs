//! PDF: the HTML of a document, printed by a browser of this machine.
//!
//! The browser has a profile of its own in a temporary folder, fetches nothing, runs no script, and ends before this returns.

use anyhow::{Context, anyhow, bail};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tsugi_terminal::interrupt::Interrupt;

/// How long a browser may take.
const LONGEST: Duration = Duration::from_mins(2);

const PAUSE: Duration = Duration::from_millis(30);

/// The largest answer of Firefox, in bytes.
const LARGEST: usize = 512 << 20;

/// Names of programs, and where they are if no PATH names them.
const CHROMIUMS: [&str; 11] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "brave-browser",
    "microsoft-edge",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const FIREFOXES: [&str; 3] = ["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"];

#[derive(Debug, Clone, PartialEq, Eq)]
enum Browser {
    Chromium(PathBuf),
    Firefox(PathBuf),
}

/// Prints an HTML file, which must hold all that it shows.
///
/// # Errors
///
/// If there is no browser, if none of them can print, or if Ctrl-C comes first.
pub(crate) fn print(html: &[u8], interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let browsers = browsers(&folders);
    if browsers.is_empty() {
        bail!(
            "a PDF needs Chromium, Chrome, Edge or Firefox, and none is installed here: write the document \
             with `-o FILE.html --images embed`, open it in a browser, and print it to a file"
        );
    }
    let mut failures = Vec::new();
    for browser in browsers {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let page = folder.path().join("document.html");
        std::fs::write(&page, html).with_context(|| format!("cannot write `{}`", page.display()))?;
        let (path, printed) = match &browser {
            Browser::Chromium(path) => (path, by_chromium(path, folder.path(), &page, interrupt)),
            Browser::Firefox(path) => (path, by_firefox(path, folder.path(), &page, interrupt)),
        };
        match printed {
            Ok(pdf) if pdf.starts_with(b"%PDF-") => return Ok(pdf),
            Ok(_) => failures.push(format!("`{}` wrote no PDF", path.display())),
            Err(error) => failures.push(format!("`{}`: {error:#}", path.display())),
        }
        if interrupt.ends() {
            break;
        }
    }
    Err(anyhow!("no browser printed the PDF: {}", failures.join("; ")))
}

/// Returns the browsers of some folders, Chromium first: it needs no protocol.
fn browsers(folders: &[PathBuf]) -> Vec<Browser> {
    let chromium = CHROMIUMS.iter().find_map(|name| program(folders, name)).map(Browser::Chromium);
    let firefox = FIREFOXES.iter().find_map(|name| program(folders, name)).map(Browser::Firefox);
    chromium.into_iter().chain(firefox).collect()
}

fn program(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    // A whole path replaces the folder.
    let files = folders.iter().map(|folder| folder.join(name)).chain([PathBuf::from(name)]);
    let mut files = files.map(|file| if cfg!(windows) { file.with_extension("exe") } else { file });
    files.find(|file| file.is_absolute() && file.is_file())
}

fn by_chromium(program: &Path, folder: &Path, page: &Path, interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
    let pdf = folder.join("document.pdf");
    let mut command = Command::new(program);
    command
        .arg("--headless")
        .args(["--disable-gpu", "--disable-extensions", "--disable-sync", "--disable-background-networking"])
        .args([
            "--no-first-run",
            "--no-default-browser-check",
            "--no-pdf-header-footer",
            "--disable-dev-shm-usage",
        ])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--print-to-pdf={}", pdf.display()));
    if is_root(folder) {
        // Its sandbox does not start for root. The page has no scripts, and passed two sanitisers.
        command.arg("--no-sandbox");
    }
    let page = tsugi::fetch::file_url(page)?;
    let mut running = RunningBrowser::start(command.arg(page.as_str()))?;
    running.wait(interrupt)?;
    std::fs::read(&pdf).context("it printed nothing")
}

/// Prints with Firefox, which takes commands on a connection only: Marionette, its part of `WebDriver`.
fn by_firefox(program: &Path, folder: &Path, page: &Path, interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
    let profile = folder.join("profile");
    std::fs::create_dir(&profile)?;
    // Port 0 lets Firefox choose one, which it writes into a file.
    let preferences = "user_pref(\"marionette.port\", 0);\n\
        user_pref(\"network.proxy.type\", 1);\n\
        user_pref(\"network.proxy.http\", \"127.0.0.1\");\nuser_pref(\"network.proxy.http_port\", 9);\n\
        user_pref(\"network.proxy.ssl\", \"127.0.0.1\");\nuser_pref(\"network.proxy.ssl_port\", 9);\n\
        user_pref(\"javascript.enabled\", false);\n\
        user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n\
        user_pref(\"browser.shell.checkDefaultBrowser\", false);\n";
    std::fs::write(profile.join("user.js"), preferences)?;
    let mut command = Command::new(program);
    command
        .args(["--headless", "--no-remote", "--marionette", "--profile"])
        .arg(&profile)
        .env("HOME", folder);
    let running = RunningBrowser::start(&mut command)?;
    let deadline = Instant::now() + LONGEST;
    let port: u16 = loop {
        let file = std::fs::read_to_string(profile.join("MarionetteActivePort")).ok();
        if let Some(port) = file.and_then(|text| text.trim().parse().ok()) {
            break port;
        }
        if interrupt.ends() || Instant::now() > deadline {
            bail!("it did not start in time");
        }
        std::thread::sleep(PAUSE);
    };
    let mut session = Marionette::open(port, deadline)?;
    session.ask("WebDriver:NewSession", &json!({}))?;
    let page = tsugi::fetch::file_url(page)?;
    session.ask("WebDriver:Navigate", &json!({ "url": page.as_str() }))?;
    let printed = session.ask("WebDriver:Print", &json!({ "background": true }))?;
    let text = printed["value"].as_str().context("it printed nothing")?;
    let pdf = BASE64.decode(text.as_bytes()).context("what it printed cannot be read")?;
    // The answer of a browser that quits may be lost; it is ended in any case.
    let _ = session.ask("Marionette:Quit", &json!({ "flags": ["eForceQuit"] }));
    drop(running);
    Ok(pdf)
}

/// A connection to Firefox. Messages are JSON, each after its length: `17:[0,1,"Name",{}]`.
struct Marionette {
    stream: BufReader<TcpStream>,
    count: u32,
}

impl Marionette {
    fn open(port: u16, deadline: Instant) -> anyhow::Result<Marionette> {
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() > deadline => return Err(error.into()),
                Err(_) => std::thread::sleep(PAUSE),
            }
        };
        stream.set_read_timeout(Some(LONGEST))?;
        let mut session = Marionette { stream: BufReader::new(stream), count: 0 };
        session.message().context("it does not answer")?;
        Ok(session)
    }

    fn ask(&mut self, name: &str, parameters: &Value) -> anyhow::Result<Value> {
        self.count += 1;
        let message = json!([0, self.count, name, parameters]).to_string();
        write!(self.stream.get_mut(), "{}:{message}", message.len())?;
        let mut answer = self.message()?;
        match &answer[2] {
            Value::Null => Ok(answer[3].take()),
            error => bail!("{name}: {}", error["message"].as_str().unwrap_or("it failed")),
        }
    }

    fn message(&mut self) -> anyhow::Result<Value> {
        let mut length = Vec::new();
        (&mut self.stream).take(16).read_until(b':', &mut length)?;
        let digits = length.strip_suffix(b":").and_then(|digits| std::str::from_utf8(digits).ok());
        let length: usize = digits.and_then(|digits| digits.parse().ok()).context("it sent no length")?;
        if length > LARGEST {
            bail!("its answer is too large");
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

/// A browser that ends when this is dropped, with every process that it started.
struct RunningBrowser {
    child: Child,
}

impl RunningBrowser {
    fn start(command: &mut Command) -> anyhow::Result<RunningBrowser> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Ok(RunningBrowser { child: child.context("it cannot be started")? })
    }

    fn wait(&mut self, interrupt: &Interrupt) -> anyhow::Result<()> {
        let deadline = Instant::now() + LONGEST;
        loop {
            match self.child.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => bail!("it ended with {status}"),
                None if interrupt.ends() => bail!("stopped before it had printed"),
                None if Instant::now() > deadline => {
                    bail!("it did not print within {} seconds", LONGEST.as_secs())
                }
                None => std::thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for RunningBrowser {
    fn drop(&mut self) {
        // Its processes are in a group of their own, which may outlive the first one.
        #[cfg(unix)]
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.child.id())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns `true` if a folder that this process has made belongs to root.
fn is_root(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        folder.metadata().is_ok_and(|folder| folder.uid() == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &[u8] = b"<!DOCTYPE html><title>T</title><style>p{break-after:page}</style><p>one<p>two";

    #[test]
    fn browsers_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().join("none"), folder.path().to_owned()];
        let known = |browsers: &[Browser]| {
            browsers.iter().any(|browser| *browser == Browser::Firefox(folder.path().join("firefox")))
        };
        assert!(!known(&browsers(&folders)));
        std::fs::write(folder.path().join("firefox"), "").unwrap();
        std::fs::write(folder.path().join("google-chrome"), "").unwrap();
        let found = browsers(&folders);
        assert_eq!(found[0], Browser::Chromium(folder.path().join("google-chrome")));
        assert!(known(&found), "{found:?}");
    }

    #[test]
    fn each_browser_that_is_there_prints() {
        let paths = std::env::var_os("PATH").unwrap();
        let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
        for browser in browsers(&folders) {
            let folder = tempfile::tempdir().unwrap();
            let page = folder.path().join("document.html");
            std::fs::write(&page, PAGE).unwrap();
            let interrupt = Interrupt::catch();
            let pdf = match &browser {
                Browser::Chromium(path) => by_chromium(path, folder.path(), &page, &interrupt),
                Browser::Firefox(path) => by_firefox(path, folder.path(), &page, &interrupt),
            };
            let pdf = pdf.unwrap_or_else(|error| panic!("{browser:?}: {error:#}"));
            assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 1000, "{browser:?}");
        }
    }

    #[test]
    fn messages_have_their_length_before_them() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"2:{}").unwrap();
            let mut asked = [0; 23];
            stream.read_exact(&mut asked).unwrap();
            stream.write_all(b"22:[1,1,null,{\"value\":7}]\n").unwrap();
            String::from_utf8(asked.to_vec()).unwrap()
        });
        let mut session = Marionette::open(port, Instant::now() + LONGEST).unwrap();
        assert_eq!(session.ask("Name", &json!({ "a": 1 })).unwrap()["value"], 7);
        assert_eq!(server.join().unwrap(), "20:[0,1,\"Name\",{\"a\":1}]");
    }
}
