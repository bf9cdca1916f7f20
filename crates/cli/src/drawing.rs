//! Pages that a browser draws, and what comes by going on in them.

use crate::args::{BrowserArguments, BrowserUse};
use std::sync::Arc;
#[cfg(feature = "browser")]
use std::{path::PathBuf, sync::OnceLock, time::Duration};
use tsugi::fetch::{FetchError, HttpOptions};
use tsugi::{Control, Drawing, Http, Look, Response, Tsugi, Url, Way};
#[cfg(feature = "browser")]
use tsugi_render::{Drawn, Handle, SharedBrowser};
use tsugi_terminal::output::{complain, error_line};
#[cfg(feature = "browser")]
use tsugi_terminal::output::{detail, tell};

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
    shared: SharedBrowser,
}

#[cfg_attr(not(feature = "browser"), expect(clippy::unused_self, reason = "there is no browser"))]
impl PageBrowser {
    #[cfg_attr(not(feature = "browser"), expect(unused_variables, reason = "there is no browser"))]
    pub(crate) fn new(plan: BrowserPlan, http: &HttpOptions) -> PageBrowser {
        #[cfg(feature = "browser")]
        let folders = std::env::var_os("PATH").unwrap_or_default();
        PageBrowser {
            #[cfg(feature = "browser")]
            timeout: http.total_timeout,
            #[cfg(feature = "browser")]
            shared: SharedBrowser::new(plan.path.clone(), folders, http),
            plan,
        }
    }

    /// Remembers the answer of an address, so that the browser need not ask for it again.
    pub(crate) fn remember(&self, asked: &Url, answer: &Response) {
        #[cfg(feature = "browser")]
        if self.plan.when != BrowserUse::Never {
            self.shared.remember(asked, answer);
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
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        match way {
            Way::Onward(number, control) => {
                self.go_on(asked, *number, control.as_ref(), http, tsugi, is_gone)
            }
            _ => self.draw(asked, http, tsugi, is_gone),
        }
    }

    /// Returns the page as a browser draws it, or as it was answered if that fails, which is told.
    pub(crate) fn drawn_or_told(&self, answer: Response, http: &Arc<Http>, tsugi: &Tsugi) -> Response {
        let asked = answer.url.clone();
        self.remember(&asked, &answer);
        self.draw(&asked, http, tsugi, &|| false).unwrap_or_else(|error| {
            complain(&format!("{asked}: {}", error_line(&error)));
            answer
        })
    }

    #[cfg(not(feature = "browser"))]
    fn draw(
        &self,
        asked: &Url,
        _: &Arc<Http>,
        _: &Tsugi,
        _: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
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
        _: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        Err(FetchError::NotStored { url: asked.clone() })
    }

    #[cfg(feature = "browser")]
    fn draw(
        &self,
        asked: &Url,
        http: &Arc<Http>,
        tsugi: &Tsugi,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        detail(&format!("browser: draw {asked}"));
        self.told(self.shared.draw(asked, http, &|page| content(tsugi, page), is_gone))
    }

    #[cfg(feature = "browser")]
    fn go_on(
        &self,
        asked: &Url,
        number: u16,
        control: Option<&Control>,
        http: &Arc<Http>,
        tsugi: &Tsugi,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        let handle = control.map(|Control { tag, label, before }| Handle {
            tag: tag.clone(),
            label: label.clone(),
            before: *before,
        });
        let what =
            handle.as_ref().map_or_else(|| "scroll".to_owned(), |it| format!("press \"{}\"", it.label));
        detail(&format!("browser: {what} on {asked}"));
        let content = |page: &Response| content(tsugi, page);
        self.told(self.shared.go_on(asked, number, handle.as_ref(), http, &content, is_gone))
    }

    #[cfg(feature = "browser")]
    fn told(&self, drawn: Result<Drawn, FetchError>) -> Result<Response, FetchError> {
        if self.shared.is_without_sandbox() {
            tell_of_sandbox();
        }
        let Drawn { page, is_late } = drawn?;
        if is_late {
            let seconds = self.timeout.as_secs();
            tell(&format!("{}: still changing after {seconds} s; taken as it was then", page.url));
        }
        Ok(page)
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

    fn draw(
        &self,
        asked: &Url,
        way: &Way,
        http: &Arc<Http>,
        tsugi: &Tsugi,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        self.by_way(asked, way, http, tsugi, is_gone)
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
