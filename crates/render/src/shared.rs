//! One browser for all pages of a run.

use crate::drawer::{ContentOf, Drawer, DrawerOptions, Drawn, IsGone};
use crate::error::RenderError;
use crate::find::find_browser;
use crate::press::Handle;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::{FetchError, Http, HttpOptions};
use tsugi_page::{Response, Url};

/// How many answers are remembered for the browser to open. Documents that are joined at the same time have one each.
const REMEMBERED: usize = 16;

/// How often who waits for the browser asks whether they still have to.
const SLICE: Duration = Duration::from_millis(50);

/// One browser for all pages of a run, which is started when the first page needs it. Threads can share it, and take turns.
#[derive(Debug)]
pub struct SharedBrowser {
    program: Option<PathBuf>,
    folders: OsString,
    timeout: Duration,
    max_body: u64,
    /// Beside the state, which another thread may hold while it draws.
    is_without_sandbox: AtomicBool,
    state: Mutex<BrowserState>,
}

#[derive(Debug, Default)]
struct BrowserState {
    drawer: Option<Drawer>,
    /// The address that was asked for the open page, and how many times the browser went on in it.
    at: Option<(Url, u16)>,
    answers: VecDeque<(Url, Response)>,
}

impl SharedBrowser {
    /// Returns a browser that is not started yet: the named program, or else the first one in `folders`, a list as in `PATH`.
    /// It has the time limit and the longest page of `http`.
    pub fn new(program: Option<PathBuf>, folders: OsString, http: &HttpOptions) -> SharedBrowser {
        let (timeout, max_body) = (http.total_timeout, http.max_body);
        let is_without_sandbox = AtomicBool::new(false);
        SharedBrowser { program, folders, timeout, max_body, is_without_sandbox, state: Mutex::default() }
    }

    /// Remembers the answer of an address, so that the browser need not ask for it again.
    pub fn remember(&self, asked: &Url, answer: &Response) {
        let answers = &mut self.locked().answers;
        answers.retain(|(url, _)| url != asked);
        answers.truncate(REMEMBERED - 1);
        answers.push_front((asked.clone(), answer.clone()));
    }

    /// Returns `true` if the browser runs without its sandbox, which it refuses to root.
    pub fn is_without_sandbox(&self) -> bool {
        self.is_without_sandbox.load(Ordering::Relaxed)
    }

    /// Opens the page of an address, and returns it as the browser shows it; see [`Drawer::draw`]. Once `is_gone` is true, it
    /// neither waits for the browser nor for the page.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if the page cannot be fetched; [`FetchError::Browser`] if it cannot be drawn, or there is no browser;
    /// [`FetchError::Unwanted`] if nobody waits any more.
    pub fn draw(
        &self,
        asked: &Url,
        http: &Arc<Http>,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, FetchError> {
        self.open(&mut *self.turn(asked, is_gone)?, asked, http, content, is_gone)
    }

    /// Goes on in the page of an address for the `number`th time, by a control or by scrolling, and returns what is new; see
    /// [`Drawer::go_on`]. Where another page is open, it is opened again.
    ///
    /// # Errors
    ///
    /// As [`SharedBrowser::draw`]; [`FetchError::NothingMore`] if nothing new came, [`FetchError::NotStored`] if there is no
    /// browser.
    pub fn go_on(
        &self,
        asked: &Url,
        number: u16,
        control: Option<&Handle>,
        http: &Arc<Http>,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, FetchError> {
        let mut state = self.turn(asked, is_gone)?;
        self.start(&mut state, http).map_err(|error| match error {
            // Then the document ends before the button, and says what it is behind.
            RenderError::NotFound => FetchError::NotStored { url: asked.clone() },
            error => refused(asked, error),
        })?;
        let is_before = |at: &(Url, u16)| at.0 == *asked && at.1 < number;
        if !state.at.as_ref().is_some_and(is_before) {
            self.open(&mut state, asked, http, content, is_gone)?;
        }
        loop {
            let steps = state.at.as_ref().map_or(0, |at| at.1) + 1;
            let Some(drawer) = &mut state.drawer else { return Err(refused(asked, RenderError::NotFound)) };
            let drawn = drawer.go_on(control, content, is_gone);
            match &drawn {
                // A control that was refused was not pressed.
                Err(RenderError::NothingMore(_) | RenderError::NotPressed(_) | RenderError::Broken(_)) => {}
                Err(_) => state.at = None,
                Ok(_) => state.at = Some((asked.clone(), steps)),
            }
            if steps == number || drawn.is_err() {
                return drawn.map_err(|error| refused(asked, error));
            }
        }
    }

    fn open(
        &self,
        state: &mut BrowserState,
        asked: &Url,
        http: &Arc<Http>,
        content: ContentOf<'_>,
        is_gone: IsGone<'_>,
    ) -> Result<Drawn, FetchError> {
        state.at = None;
        let held = state.answers.iter().find(|(url, _)| url == asked).map(|(_, answer)| answer.clone());
        self.start(state, http).map_err(|error| refused(asked, error))?;
        let answer = match held {
            Some(answer) => answer,
            None => http.fetch_until(asked, Instant::now() + self.timeout, is_gone)?,
        };
        let Some(drawer) = &mut state.drawer else { return Err(refused(asked, RenderError::NotFound)) };
        let drawn = drawer.draw(&answer, content, is_gone);
        self.is_without_sandbox.store(drawer.is_without_sandbox(), Ordering::Relaxed);
        let drawn = drawn.map_err(|error| refused(asked, error))?;
        state.at = Some((asked.clone(), 0));
        Ok(drawn)
    }

    fn start(&self, state: &mut BrowserState, http: &Arc<Http>) -> Result<(), RenderError> {
        if state.drawer.is_none() {
            let browser = find_browser(self.program.as_deref(), &self.folders)?;
            let options = DrawerOptions::new(browser).timeout(self.timeout).max_body(self.max_body);
            state.drawer = Some(Drawer::new(options, Arc::clone(http)));
        }
        Ok(())
    }

    /// Waits until no other thread draws.
    fn turn(&self, asked: &Url, is_gone: IsGone<'_>) -> Result<MutexGuard<'_, BrowserState>, FetchError> {
        loop {
            match self.state.try_lock() {
                Ok(state) => return Ok(state),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if is_gone() => {
                    return Err(FetchError::Unwanted { url: asked.clone() });
                }
                Err(TryLockError::WouldBlock) => thread::sleep(SLICE),
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, BrowserState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(asked: &Url, error: RenderError) -> FetchError {
    let url = asked.clone();
    match error {
        RenderError::Unwanted => FetchError::Unwanted { url },
        RenderError::NothingMore(why) => FetchError::NothingMore { url, why },
        error => FetchError::Browser { url, source: error.into() },
    }
}
