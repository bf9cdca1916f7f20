//! `tsugi serve` and `tsugi mcp`: what serves other programs.

use crate::args::{BrowserArguments, McpArguments, ServeArguments};
use crate::drawing::{BrowserPlan, PageBrowser};
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tsugi::Drawing;
use tsugi::fetch::{HttpOptions, NewFile, Readers};
use tsugi_serve::{AccessToken, DrawPages, ServeOptions, Server, mcp_on_stdio};
use tsugi_terminal::detection::Detection;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{Output, refuse, tell};
use tsugi_terminal::source::{http_options, save_cookies};

pub(crate) fn run(arguments: ServeArguments) -> anyhow::Result<Exit> {
    let ServeArguments { listen, data, hosts, token_file, detectors, network, browser } = arguments;
    if !network.headers.is_empty() {
        return Ok(refuse("--header belongs to the sites of sources, and `tsugi serve` has none"));
    }
    let interrupt = Interrupt::catch();
    let token = match &token_file {
        Some(path) => read_token(path)?,
        None => match &data {
            Some(folder) => kept_token(folder)?,
            None => AccessToken::random().context("the system has no random numbers")?,
        },
    };
    // It goes with what was read when the server ends.
    let scratch = if data.is_none() { Some(tempfile::tempdir()?) } else { None };
    let data = data.or_else(|| scratch.as_ref().map(|folder| folder.path().to_owned()));
    let http = http_options(&network, [])?;
    let options = ServeOptions {
        listen,
        hosts,
        data: data.context("there is no folder for data")?,
        token: token.clone(),
        http: http.clone(),
        browser: drawer(browser, &http),
        tsugi: Detection::of(detectors).load()?,
        log: tell,
    };
    let server = Server::bind(options)?;
    let mut out = Output::open(None)?;
    writeln!(out, "http://{}/#token={}", server.address()?, token.reveal())?;
    out.finish()?;
    tell("open this address in a browser; Ctrl-C ends the server");
    server.run(move || interrupt.came());
    save_cookies(&http)?;
    Ok(Exit::Done)
}

pub(crate) fn run_mcp(arguments: McpArguments) -> anyhow::Result<Exit> {
    let McpArguments { detectors, network, browser } = arguments;
    if !network.headers.is_empty() {
        return Ok(refuse("--header belongs to the sites of sources, and `tsugi mcp` has none"));
    }
    let http = http_options(&network, [])?;
    mcp_on_stdio(Detection::of(detectors).load()?, http.clone(), drawer(browser, &http))?;
    save_cookies(&http)?;
    Ok(Exit::Done)
}

/// Returns what draws pages, unless none is to be drawn.
fn drawer(arguments: BrowserArguments, http: &HttpOptions) -> Option<Arc<dyn DrawPages>> {
    let plan = BrowserPlan::of(arguments);
    (plan.drawing() != Drawing::Never).then(|| Arc::new(PageBrowser::new(plan, http)) as Arc<dyn DrawPages>)
}

/// Returns the token that was kept beside the data, or a new one that is kept from now on. So browsers that know it, and their
/// bookmarks, work after the server was started again.
fn kept_token(data: &Path) -> anyhow::Result<AccessToken> {
    let path = data.join("token");
    if path.exists() {
        return read_token(&path);
    }
    let token = AccessToken::random().context("the system has no random numbers")?;
    let written = std::fs::create_dir_all(data).and_then(|()| {
        let mut file = NewFile::create(&path, Readers::Owner)?;
        file.write_all(token.reveal().as_bytes())?;
        file.finish()
    });
    written.with_context(|| format!("cannot use the folder `{}`", data.display()))?;
    Ok(token)
}

fn read_token(path: &Path) -> anyhow::Result<AccessToken> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let wanted = "expected 16 or more letters, digits, `-` and `_`";
    AccessToken::given(&text).ok_or_else(|| anyhow!("`{}` holds no token: {wanted}", path.display()))
}
