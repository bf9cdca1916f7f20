//! Opening a page, waiting until it is settled, and going on in it.

use crate::connection::{Connection, Ended, Incoming};
use crate::error::RenderError;
use crate::press::{Handle, refusal};
use crate::process::BrowserProcess;
use crate::relay::Relay;
use crate::rules::StoppedRequest;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi_fetch::Http;
use tsugi_page::{Response, Url, address};

/// What runs in a page to read it.
const PAGE_SCRIPT: &str = include_str!("page.js");

/// How long a page must stay as it is to be settled.
const QUIET: Duration = Duration::from_secs(1);
/// The same, where it has hardly anything to read yet: some wait for a while before they begin.
const QUIET_BLANK: Duration = Duration::from_secs(4);
/// The same, where nothing has changed since it was pressed or scrolled.
const QUIET_UNCHANGED: Duration = Duration::from_millis(2500);

/// From when on a page that keeps changing is told by its main content.
const RESTLESS: Duration = Duration::from_secs(3);
/// How often its content is looked at then.
const GLANCE: Duration = Duration::from_millis(400);

/// How often a page is asked whether it has changed.
const STEP: Duration = Duration::from_millis(100);

/// How long the browser may take to start, on a machine that is busy.
const START: Duration = Duration::from_mins(1);

/// How long a command may take that does not wait for the page.
const COMMAND: Duration = Duration::from_secs(20);

/// The length of content, in characters, below which a page has hardly anything to read.
const BLANK: usize = 150;

/// The most screens that are scrolled for one part.
const MOST_SCREENS: usize = 60;

/// How to draw.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DrawerOptions {
    /// The program of the browser; see [`find_browser`](crate::find_browser).
    pub browser: PathBuf,
    /// The most time until a page is settled.
    pub timeout: Duration,
    /// The longest page, in bytes of HTML.
    pub max_body: u64,
}

impl DrawerOptions {
    /// Returns options with a time limit of 30 seconds and pages of at most 20 MiB.
    pub fn new(browser: PathBuf) -> DrawerOptions {
        DrawerOptions { browser, timeout: Duration::from_secs(30), max_body: 20 << 20 }
    }

    /// Sets the most time until a page is settled.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> DrawerOptions {
        self.timeout = timeout;
        self
    }

    /// Sets the longest page, in bytes of HTML.
    #[must_use]
    pub fn max_body(mut self, max_body: u64) -> DrawerOptions {
        self.max_body = max_body;
        self
    }
}

/// A page as the browser showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The page, as HTML in UTF-8, at the address that it has now.
    pub page: Response,
    /// Whether the time was up before it was settled.
    pub is_late: bool,
}

/// Returns the main content of a page as text. What else changes on a page is of no account.
pub type ContentOf<'a> = &'a dyn Fn(&Response) -> String;

/// Returns `true` once nobody waits for the page any more. It is asked several times a second, so it must answer at once.
pub type IsGone<'a> = &'a dyn Fn() -> bool;

/// Draws pages, one after the other, with one browser that is started when it is first needed.
///
/// A page is settled when its text has not changed for a second while no request was open that could change it. Of a page that
/// never rests, the main content counts.
#[derive(Debug)]
pub struct Drawer {
    options: DrawerOptions,
    http: Arc<Http>,
    open: Option<OpenPage>,
    running: Option<RunningBrowser>,
    is_without_sandbox: bool,
}

#[derive(Debug)]
struct RunningBrowser {
    // Dropped first: the browser ends when the pipe closes.
    connection: Connection,
    process: BrowserProcess,
}

#[derive(Debug)]
struct OpenPage {
    context: String,
    target: String,
    session: String,
    relay: Relay,
    /// The context in which the page is read; `None` after the page has opened another.
    world: Option<u64>,
    /// What was shown before, for the case that the page opens another.
    seen: Value,
    crashed: bool,
}

impl Drawer {
    /// Returns a drawer whose requests go through a client. No browser is started yet.
    pub fn new(options: DrawerOptions, http: Arc<Http>) -> Drawer {
        Drawer { options, http, open: None, running: None, is_without_sandbox: false }
    }

    /// Returns `true` if the browser runs without its sandbox, which it refuses to root.
    pub fn is_without_sandbox(&self) -> bool {
        self.is_without_sandbox
    }

    /// Opens a page that was fetched, and returns what the browser shows once it is settled. It stays open, to
    /// [go on](Self::go_on) in it. `content` returns the main content of a page as text.
    ///
    /// # Errors
    ///
    /// Any [`RenderError`]. The browser is started again for the next page.
    pub fn draw(
        &mut self,
        answer: &Response,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, RenderError> {
        let drawn = self.try_draw(answer, content, is_gone);
        self.end_if_failed(drawn)
    }

    /// Presses a control of the open page once, or scrolls down if there is none, and returns the page with what is new in it.
    ///
    /// # Errors
    ///
    /// [`RenderError::NothingMore`] if nothing new came, [`RenderError::Broken`] if that is because a request failed,
    /// [`RenderError::NotPressed`] if the control looks as if it bought, sent or deleted something, signed in or consented, and
    /// [`RenderError::NoPage`] if no page is open.
    pub fn go_on(
        &mut self,
        control: Option<&Handle>,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, RenderError> {
        let drawn = self.try_go_on(control, content, is_gone);
        self.end_if_failed(drawn)
    }

    /// Ends the browser and all that it started.
    pub fn close(&mut self) {
        self.open = None;
        if let Some(running) = self.running.take() {
            running.connection.commands.send(None, "Browser.close", &json!({}));
        }
    }

    fn end_if_failed(&mut self, drawn: Result<Drawn, RenderError>) -> Result<Drawn, RenderError> {
        if let Err(RenderError::Gone { .. } | RenderError::Refused { .. } | RenderError::Start { .. }) = drawn
        {
            self.open = None;
            // It may hang, so it is not waited for.
            if let Some(mut running) = self.running.take() {
                running.process.kill();
            }
        }
        if let Err(RenderError::Unwanted) = drawn {
            self.close_page();
        }
        drawn
    }

    fn try_draw(
        &mut self,
        answer: &Response,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, RenderError> {
        self.start()?;
        self.close_page();
        let until = Instant::now() + self.options.timeout;
        self.open_page(answer)?;
        let loaded = self.call("Page.navigate", &json!({"url": answer.url.as_str()}), until + COMMAND)?;
        if let Some(said) = loaded["errorText"].as_str() {
            return Err(RenderError::NoPage { said: said.to_owned() });
        }
        let is_late = self.settle(None, until, content, is_gone)?;
        let page = self.shown("tsugi.whole")?.ok_or(RenderError::Gone { what: "lost the page" })?;
        Ok(Drawn { page, is_late })
    }

    fn try_go_on(
        &mut self,
        control: Option<&Handle>,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, RenderError> {
        let none = || RenderError::NoPage { said: "no page is open".to_owned() };
        let open = self.open.as_mut().ok_or_else(none)?;
        open.relay.begin_step();
        let until = Instant::now() + self.options.timeout;
        let seen = self.evaluate("tsugi.mark()")?;
        self.open.as_mut().ok_or_else(none)?.seen = seen;
        let before = self.print()?.0;
        let (is_late, done) = if let Some(handle) = control {
            self.press(handle)?;
            (
                self.settle(Some(&before), until, content, is_gone)?,
                format!("\"{}\" was pressed", handle.label),
            )
        } else {
            match self.scroll(&before, until, content, is_gone)? {
                Some(drawn) => return Ok(drawn),
                None => (false, "the page was scrolled to its end".to_owned()),
            }
        };
        if let Some(page) = self.shown("tsugi.fresh")? {
            return Ok(Drawn { page, is_late });
        }
        let failure = self.open.as_mut().and_then(|open| open.relay.failures.pop());
        Err(match failure {
            Some(failure) => RenderError::Broken(format!("{done}, but {failure}")),
            None if is_late => RenderError::Broken(format!("{done}, but nothing new came in time")),
            None => RenderError::NothingMore(format!("{done}, and nothing new came")),
        })
    }

    fn press(&mut self, handle: &Handle) -> Result<(), RenderError> {
        let Handle { tag, label, before } = handle;
        let found = self.evaluate(&format!("tsugi.find({}, {}, {before})", json!(tag), json!(label)))?;
        if let Some(why) = refusal(&found) {
            let message = format!("\"{label}\" was not pressed: {why}");
            // What is gone, hidden or disabled leads nowhere any more.
            let is_end = found.is_null() || found["disabled"] == true || found["shown"] == false;
            return Err(if is_end {
                RenderError::NothingMore(message)
            } else {
                RenderError::NotPressed(message)
            });
        }
        self.evaluate("tsugi.press()").map(drop)
    }

    /// Scrolls down screen by screen until something new comes; `None` at the end of the page.
    fn scroll(
        &mut self,
        before: &str,
        until: Instant,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Option<Drawn>, RenderError> {
        for _ in 0..MOST_SCREENS {
            let moved = self.evaluate("tsugi.scroll()")? == true;
            self.pump(Instant::now() + STEP * 2)?;
            if is_gone() {
                return Err(RenderError::Unwanted);
            }
            let is_open = self.open.as_ref().is_some_and(|open| open.relay.open() > 0);
            if moved && !is_open && self.print()?.0 == before {
                continue;
            }
            let is_late = self.settle(Some(before), until, content, is_gone)?;
            if let Some(page) = self.shown("tsugi.fresh")? {
                return Ok(Some(Drawn { page, is_late }));
            }
            if !moved || is_late {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Waits until the page is settled; returns `true` if the time was up before. `before` is how it was before something was
    /// done, if something was.
    fn settle(
        &mut self,
        before: Option<&str>,
        until: Instant,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<bool, RenderError> {
        let begin = Instant::now();
        let (mut last, mut since) = (String::new(), begin);
        let (mut told, mut told_since, mut glanced) = (String::new(), begin, begin);
        let mut glance_takes = Duration::ZERO;
        loop {
            self.pump(Instant::now() + STEP)?;
            if is_gone() {
                return Err(RenderError::Unwanted);
            }
            let (print, is_loading) = self.print()?;
            let now = Instant::now();
            let is_open = is_loading || self.open.as_ref().is_some_and(|open| open.relay.open() > 0);
            if print != last || is_open {
                (last, since) = (print, now);
            }
            if now >= until {
                return Ok(true);
            }
            let quiet = now - since;
            let is_unchanged = before.is_some_and(|before| before == last);
            if quiet >= if is_unchanged { QUIET_UNCHANGED } else { QUIET } {
                if before.is_some() || quiet >= QUIET_BLANK {
                    return Ok(false);
                }
                let page = self.shown("tsugi.whole")?;
                if page.is_some_and(|page| content(&page).chars().count() >= BLANK) {
                    return Ok(false);
                }
            } else if !is_open
                && now - begin >= RESTLESS
                && now - glanced >= GLANCE.max(2 * glance_takes)
                && now + glance_takes < until
            {
                // A clock never stops, but it is no content. A large page takes long to read, so it is read more rarely.
                let text = self.shown("tsugi.whole")?.map(|page| content(&page)).unwrap_or_default();
                glanced = Instant::now();
                glance_takes = glanced - now;
                if text != told {
                    (told, told_since) = (text, now);
                } else if now - told_since >= QUIET && told.chars().count() >= BLANK {
                    return Ok(false);
                }
            }
        }
    }

    /// Returns a number for the text that the page shows, and whether it is still being read.
    fn print(&mut self) -> Result<(String, bool), RenderError> {
        let print = self.evaluate("tsugi.print()")?;
        Ok((print["print"].as_str().unwrap_or_default().to_owned(), print["loading"] == true))
    }

    /// Returns the page as `function` writes it; `None` if it has nothing to write.
    fn shown(&mut self, function: &str) -> Result<Option<Response>, RenderError> {
        let max_body = self.options.max_body;
        let shown = self.evaluate(&format!("{function}({max_body})"))?;
        if shown.is_null() {
            return Ok(None);
        }
        let url = shown["url"].as_str().unwrap_or_default();
        let Some(url) = url.parse::<Url>().ok().filter(address::is_web) else {
            return Err(RenderError::NoPage { said: format!("it is at `{url}`") });
        };
        let body = shown["html"].as_str().unwrap_or_default().as_bytes().to_vec();
        let content_type = Some("text/html; charset=utf-8".to_owned());
        let url = address::without_userinfo(&address::without_fragment(&url));
        Ok(Some(Response { content_type, ..Response::new(url, body) }))
    }

    /// Evaluates an expression in the page, in a world of its own.
    fn evaluate(&mut self, expression: &str) -> Result<Value, RenderError> {
        const REFUSED: &str = "Runtime.evaluate";
        let until = Instant::now() + COMMAND;
        // The page may open another one at any time.
        for _ in 0..5 {
            let Some(world) = self.world(until)? else { continue };
            let parameters = json!({"expression": expression, "contextId": world, "returnByValue": true, "timeout": 10_000});
            match self.call(REFUSED, &parameters, until) {
                Ok(result) if result.get("exceptionDetails").is_none() => {
                    return Ok(result["result"]["value"].clone());
                }
                Ok(result) => {
                    let said = result["exceptionDetails"]["exception"]["description"].as_str();
                    let said = said.or(result["exceptionDetails"]["text"].as_str()).unwrap_or_default();
                    return Err(RenderError::NoPage { said: said.chars().take(200).collect() });
                }
                Err(RenderError::Refused { .. }) => self.forget_world(),
                Err(error) => return Err(error),
            }
        }
        Err(RenderError::NoPage { said: "the page opens others without end".to_owned() })
    }

    fn forget_world(&mut self) {
        if let Some(open) = &mut self.open {
            open.world = None;
        }
    }

    /// Returns the context in which the page is read; `None` if it just opened another.
    fn world(&mut self, until: Instant) -> Result<Option<u64>, RenderError> {
        let none = || RenderError::NoPage { said: "no page is open".to_owned() };
        let open = self.open.as_ref().ok_or_else(none)?;
        if open.world.is_some() {
            return Ok(open.world);
        }
        let parameters = json!({"frameId": open.target, "worldName": "tsugi"});
        let seen = open.seen.to_string();
        let made = match self.call("Page.createIsolatedWorld", &parameters, until) {
            Err(RenderError::Refused { .. }) => return Ok(None),
            made => made?,
        };
        let Some(world) = made["executionContextId"].as_u64() else { return Ok(None) };
        let expression = format!("{PAGE_SCRIPT}\ntsugi.restore({seen});");
        let parameters = json!({"expression": expression, "contextId": world});
        match self.call("Runtime.evaluate", &parameters, until) {
            Err(RenderError::Refused { .. }) => return Ok(None),
            result => drop(result?),
        }
        self.open.as_mut().ok_or_else(none)?.world = Some(world);
        Ok(Some(world))
    }

    fn start(&mut self) -> Result<(), RenderError> {
        if self.running.is_some() {
            return Ok(());
        }
        let (process, input, output, is_without_sandbox) = BrowserProcess::start(&self.options.browser)?;
        let connection = Connection::new(input, output)?;
        self.running = Some(RunningBrowser { connection, process });
        self.is_without_sandbox = is_without_sandbox;
        match self.exchange(None, "Browser.getVersion", &json!({}), Instant::now() + START) {
            Ok(_) => Ok(()),
            Err(_) => match &self.running {
                Some(running) => Err(running.process.failed()),
                None => Err(RenderError::Gone { what: "ended" }),
            },
        }
    }

    /// Opens a window for a page, with cookies and storage of its own.
    fn open_page(&mut self, answer: &Response) -> Result<(), RenderError> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let made = self.call_browser("Target.createBrowserContext", &json!({"disposeOnDetach": true}))?;
        let context = text(&made["browserContextId"]);
        let denied = json!({"behavior": "deny", "browserContextId": context});
        self.call_browser("Browser.setDownloadBehavior", &denied)?;
        let made = self.call_browser(
            "Target.createTarget",
            &json!({"url": "about:blank", "browserContextId": context}),
        )?;
        let target = text(&made["targetId"]);
        let attached =
            self.call_browser("Target.attachToTarget", &json!({"targetId": target, "flatten": true}))?;
        let session = text(&attached["sessionId"]);
        let Some(running) = &self.running else { return Err(RenderError::Gone { what: "ended" }) };
        let (commands, relayed) = (running.connection.commands.clone(), running.connection.relayed.clone());
        let relay = Relay::new(Arc::clone(&self.http), commands, relayed, answer, &target);
        let seen = json!([]);
        self.open = Some(OpenPage { context, target, session, relay, world: None, seen, crashed: false });
        let until = Instant::now() + COMMAND;
        for (method, parameters) in [
            ("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]})),
            ("Target.setAutoAttach", attaching()),
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Emulation.setFocusEmulationEnabled", json!({"enabled": true})),
        ] {
            self.call(method, &parameters, until)?;
        }
        Ok(())
    }

    fn close_page(&mut self) {
        if let (Some(open), Some(running)) = (self.open.take(), &self.running) {
            let parameters = json!({"browserContextId": open.context});
            running.connection.commands.send(None, "Target.disposeBrowserContext", &parameters);
        }
    }

    fn call_browser(&mut self, method: &'static str, parameters: &Value) -> Result<Value, RenderError> {
        self.exchange(None, method, parameters, Instant::now() + COMMAND)
    }

    fn call(
        &mut self,
        method: &'static str,
        parameters: &Value,
        until: Instant,
    ) -> Result<Value, RenderError> {
        let session = self.open.as_ref().map(|open| open.session.clone());
        self.exchange(session.as_deref(), method, parameters, until)
    }

    /// Sends a command and waits for its answer; handles what else comes meanwhile.
    fn exchange(
        &mut self,
        session: Option<&str>,
        method: &'static str,
        parameters: &Value,
        until: Instant,
    ) -> Result<Value, RenderError> {
        let Some(running) = &self.running else { return Err(RenderError::Gone { what: "ended" }) };
        let id = running.connection.commands.send(session, method, parameters);
        loop {
            match self.next(until)? {
                None => return Err(RenderError::Gone { what: "does not answer" }),
                Some(Incoming::Message(message)) if message["id"] == id => {
                    if let Some(said) = message["error"]["message"].as_str() {
                        return Err(RenderError::Refused { command: method, said: said.to_owned() });
                    }
                    return Ok(message["result"].clone());
                }
                Some(incoming) => self.handle(incoming),
            }
        }
    }

    /// Handles what comes until a time.
    fn pump(&mut self, until: Instant) -> Result<(), RenderError> {
        while let Some(incoming) = self.next(until)? {
            self.handle(incoming);
        }
        if self.open.as_ref().is_some_and(|open| open.crashed) {
            return Err(RenderError::Gone { what: "could not hold the page, which crashed" });
        }
        Ok(())
    }

    fn next(&mut self, until: Instant) -> Result<Option<Incoming>, RenderError> {
        let Some(running) = &self.running else { return Err(RenderError::Gone { what: "ended" }) };
        running.connection.next(until).map_err(|Ended| RenderError::Gone { what: "ended" })
    }

    fn handle(&mut self, incoming: Incoming) {
        let (Some(open), Some(running)) = (&mut self.open, &self.running) else { return };
        let commands = &running.connection.commands;
        let message = match incoming {
            Incoming::Relayed(bytes, failure) => return open.relay.answered(bytes, failure),
            Incoming::Message(message) => message,
        };
        let (parameters, session) = (&message["params"], message["sessionId"].as_str());
        match message["method"].as_str().unwrap_or_default() {
            "Fetch.requestPaused" => {
                if let Some(request) = StoppedRequest::of(&message) {
                    return open.relay.take(request);
                }
                let request = parameters["requestId"].as_str().unwrap_or_default();
                commands.fail(session.unwrap_or_default(), request, "BlockedByClient");
            }
            // Workers and frames in processes of their own wait until their requests are stopped, too.
            "Target.attachedToTarget" => {
                let Some(session) = parameters["sessionId"].as_str() else { return };
                commands.send(Some(session), "Fetch.enable", &json!({"patterns": [{"urlPattern": "*"}]}));
                commands.send(Some(session), "Target.setAutoAttach", &attaching());
                commands.send(Some(session), "Runtime.runIfWaitingForDebugger", &json!({}));
            }
            "Page.javascriptDialogOpening" => {
                commands.send(session, "Page.handleJavaScriptDialog", &json!({"accept": false}));
            }
            "Page.frameNavigated" if parameters["frame"]["id"] == open.target.as_str() => open.world = None,
            "Inspector.targetCrashed" => open.crashed = true,
            _ => {}
        }
    }
}

impl Drop for Drawer {
    fn drop(&mut self) {
        self.close();
    }
}

fn attaching() -> Value {
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
}
