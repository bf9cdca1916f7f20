//! Pages that a browser draws, and what comes by going on in them.

use crate::args::{BrowserArguments, BrowserUse};
use std::sync::Arc;
#[cfg(feature = "browser")]
use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Mutex, OnceLock},
    time::Duration,
};
use tsugi::fetch::{FetchError, HttpOptions};
#[cfg(feature = "browser")]
use tsugi::pipeline::locked;
use tsugi::{Control, Drawing, Http, Look, Response, Tsugi, Url, Way};
#[cfg(feature = "browser")]
use tsugi_render::{Drawer, DrawerOptions, Handle, RenderError, find_browser};
use tsugi_terminal::output::{complain, error_line};
#[cfg(feature = "browser")]
use tsugi_terminal::output::{detail, tell};

/// How many answers are remembered for the browser to open. Documents that are joined at the same time have one each.
#[cfg(feature = "browser")]
const REMEMBERED: usize = 16;

/// When a browser draws pages, and which.
#[derive(Debug, Clone, Default)]
pub(crate) struct BrowserPlan {
    when: BrowserUse,
    #[cfg(feature = "browser")]
    path: Option<PathBuf>,
}

impl BrowserPlan {
    #[cfg_attr(not(feature = "browser"), expect(clippy::needless_pass_by_value, reason = "it has no fields"))]
    pub(crate) fn of(arguments: BrowserArguments) -> BrowserPlan {
        #[cfg(feature = "browser")]
        {
            let BrowserArguments { browser, browser_path } = arguments;
            BrowserPlan { when: browser, path: browser_path }
        }
        #[cfg(not(feature = "browser"))]
        {
            let BrowserArguments {} = arguments;
            BrowserPlan::default()
        }
    }

    /// Returns which pages are wanted as a browser draws them.
    pub(crate) fn drawing(&self) -> Drawing {
        match self.when {
            BrowserUse::Never => Drawing::Never,
            BrowserUse::Auto => Drawing::Needed,
            BrowserUse::Always => Drawing::Always,
        }
    }
}

/// One browser for all pages of a run, which is started when the first page needs it.
#[derive(Debug)]
pub(crate) struct PageBrowser {
    plan: BrowserPlan,
    #[cfg(feature = "browser")]
    timeout: Duration,
    #[cfg(feature = "browser")]
    max_body: u64,
    #[cfg(feature = "browser")]
    state: Mutex<BrowserState>,
}

#[cfg(feature = "browser")]
#[derive(Debug, Default)]
struct BrowserState {
    drawer: Option<Drawer>,
    /// The address that was asked for the open page, and how many times the browser went on in it.
    at: Option<(Url, u16)>,
    answers: VecDeque<(Url, Response)>,
}

#[cfg_attr(not(feature = "browser"), expect(clippy::unused_self, reason = "there is no browser"))]
impl PageBrowser {
    #[cfg_attr(not(feature = "browser"), expect(unused_variables, reason = "there is no browser"))]
    pub(crate) fn new(plan: BrowserPlan, http: &HttpOptions) -> PageBrowser {
        PageBrowser {
            plan,
            #[cfg(feature = "browser")]
            timeout: http.total_timeout,
            #[cfg(feature = "browser")]
            max_body: http.max_body,
            #[cfg(feature = "browser")]
            state: Mutex::default(),
        }
    }

    /// Remembers the answer of an address, so that the browser need not ask for it again.
    pub(crate) fn remember(&self, asked: &Url, answer: &Response) {
        #[cfg(feature = "browser")]
        if self.plan.when != BrowserUse::Never {
            let answers = &mut locked(&self.state).answers;
            answers.retain(|(url, _)| url != asked);
            answers.truncate(REMEMBERED - 1);
            answers.push_front((asked.clone(), answer.clone()));
        }
        #[cfg(not(feature = "browser"))]
        let _ = (asked, answer);
    }

    /// Returns `true` if a browser is to draw the page that was looked at.
    pub(crate) fn draws(&self, look: &Look<'_>) -> bool {
        look.is_wanted_drawn(self.plan.drawing())
    }

    /// Returns the page of an address as it is wanted; as a browser draws it, if it is wanted [`Way::Fetched`].
    pub(crate) fn by_way(
        &self,
        asked: &Url,
        way: &Way,
        http: &Arc<Http>,
        tsugi: &Tsugi,
    ) -> Result<Response, FetchError> {
        match way {
            Way::Onward(number, control) => self.go_on(asked, *number, control.as_ref(), http, tsugi),
            _ => self.draw(asked, http, tsugi),
        }
    }

    /// Returns the page as a browser draws it, or as it was answered if that fails, which is told.
    pub(crate) fn drawn_or_told(&self, answer: Response, http: &Arc<Http>, tsugi: &Tsugi) -> Response {
        let asked = answer.url.clone();
        self.remember(&asked, &answer);
        self.draw(&asked, http, tsugi).unwrap_or_else(|error| {
            complain(&format!("{asked}: {}", error_line(&error)));
            answer
        })
    }

    #[cfg(not(feature = "browser"))]
    fn draw(&self, asked: &Url, _: &Arc<Http>, _: &Tsugi) -> Result<Response, FetchError> {
        Err(FetchError::NotStored { url: asked.clone() })
    }

    #[cfg(not(feature = "browser"))]
    fn go_on(
        &self,
        asked: &Url,
        _: u16,
        _: Option<&Control>,
        _: &Arc<Http>,
        _: &Tsugi,
    ) -> Result<Response, FetchError> {
        Err(FetchError::NotStored { url: asked.clone() })
    }

    /// Opens the page that an address answered, and returns it as the browser shows it.
    #[cfg(feature = "browser")]
    fn draw(&self, asked: &Url, http: &Arc<Http>, tsugi: &Tsugi) -> Result<Response, FetchError> {
        let mut state = locked(&self.state);
        self.open(&mut state, asked, http, tsugi)
    }

    /// Goes on in the page of an address for the `number`th time, by a control or by scrolling, and returns what is new.
    #[cfg(feature = "browser")]
    fn go_on(
        &self,
        asked: &Url,
        number: u16,
        control: Option<&Control>,
        http: &Arc<Http>,
        tsugi: &Tsugi,
    ) -> Result<Response, FetchError> {
        let handle = control.map(|Control { tag, label, before }| Handle {
            tag: tag.clone(),
            label: label.clone(),
            before: *before,
        });
        let mut state = locked(&self.state);
        self.start(&mut state, http).map_err(|error| match error {
            // Then the document ends before the button, and says what it is behind.
            RenderError::NotFound => FetchError::NotStored { url: asked.clone() },
            error => refused(asked, error),
        })?;
        let is_before = |at: &(Url, u16)| at.0 == *asked && at.1 < number;
        if !state.at.as_ref().is_some_and(is_before) {
            self.open(&mut state, asked, http, tsugi)?;
        }
        loop {
            let steps = state.at.as_ref().map_or(0, |at| at.1) + 1;
            let what =
                handle.as_ref().map_or_else(|| "scroll".to_owned(), |it| format!("press \"{}\"", it.label));
            detail(&format!("browser: {what} on {asked}"));
            let Some(drawer) = &mut state.drawer else { return Err(refused(asked, RenderError::NotFound)) };
            let drawn = drawer.go_on(handle.as_ref(), &|page| content(tsugi, page));
            match &drawn {
                // A control that was refused was not pressed.
                Err(RenderError::NothingMore(_) | RenderError::NotPressed(_) | RenderError::Broken(_)) => {}
                Err(_) => state.at = None,
                Ok(_) => state.at = Some((asked.clone(), steps)),
            }
            if steps == number || drawn.is_err() {
                return drawn.map(|drawn| self.told(drawn)).map_err(|error| refused(asked, error));
            }
        }
    }

    #[cfg(feature = "browser")]
    fn open(
        &self,
        state: &mut BrowserState,
        asked: &Url,
        http: &Arc<Http>,
        tsugi: &Tsugi,
    ) -> Result<Response, FetchError> {
        state.at = None;
        let held = state.answers.iter().find(|(url, _)| url == asked).map(|(_, answer)| answer.clone());
        self.start(state, http).map_err(|error| refused(asked, error))?;
        let answer = match held {
            Some(answer) => answer,
            None => tsugi::Fetch::fetch(http, asked)?,
        };
        let Some(drawer) = &mut state.drawer else { return Err(refused(asked, RenderError::NotFound)) };
        detail(&format!("browser: draw {asked}"));
        let drawn = drawer.draw(&answer, &|page| content(tsugi, page));
        if drawer.is_without_sandbox() {
            tell_of_sandbox();
        }
        let drawn = drawn.map_err(|error| refused(asked, error))?;
        state.at = Some((asked.clone(), 0));
        Ok(self.told(drawn))
    }

    #[cfg(feature = "browser")]
    fn start(&self, state: &mut BrowserState, http: &Arc<Http>) -> Result<(), RenderError> {
        if state.drawer.is_some() {
            return Ok(());
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let browser = find_browser(self.plan.path.as_deref(), &folders)?;
        let options = DrawerOptions::new(browser).timeout(self.timeout).max_body(self.max_body);
        state.drawer = Some(Drawer::new(options, Arc::clone(http)));
        Ok(())
    }

    #[cfg(feature = "browser")]
    fn told(&self, drawn: tsugi_render::Drawn) -> Response {
        if drawn.is_late {
            let seconds = self.timeout.as_secs();
            tell(&format!("{}: still changing after {seconds} s; taken as it was then", drawn.page.url));
        }
        drawn.page
    }
}

#[cfg(feature = "serve")]
impl tsugi_serve::DrawPages for PageBrowser {
    fn drawing(&self) -> Drawing {
        self.plan.drawing()
    }

    fn remember(&self, asked: &Url, answer: &Response) {
        PageBrowser::remember(self, asked, answer);
    }

    fn draw(&self, asked: &Url, way: &Way, http: &Arc<Http>, tsugi: &Tsugi) -> Result<Response, FetchError> {
        self.by_way(asked, way, http, tsugi)
    }
}

#[cfg(feature = "browser")]
fn content(tsugi: &Tsugi, response: &Response) -> String {
    let page = response.page();
    let look = tsugi.look(&page);
    let content = look.content();
    content.page().text_of_content(content.nodes(), content.without())
}

#[cfg(feature = "browser")]
fn refused(asked: &Url, error: RenderError) -> FetchError {
    let url = asked.clone();
    match error {
        RenderError::NothingMore(why) => FetchError::NothingMore { url, why },
        error => FetchError::Browser { url, source: error.into() },
    }
}

#[cfg(feature = "browser")]
fn tell_of_sandbox() {
    static TOLD: OnceLock<()> = OnceLock::new();
    TOLD.get_or_init(|| {
        tell("warning: Chromium refuses its sandbox to root, so it runs without; use another user");
    });
}

/// Returns why a browser does not press a control, by its words alone; `None` if it may.
pub(crate) fn unpressed(control: &Control) -> Option<String> {
    #[cfg(feature = "browser")]
    {
        let looks_like = |what: &str| format!("it looks like a control to {what}");
        tsugi_render::forbidden(&control.label).map(looks_like)
    }
    #[cfg(not(feature = "browser"))]
    {
        Some(format!("this tsugi has none (\"{}\")", control.label))
    }
}
