//! Progress on stderr; none where stderr is no terminal.

use crate::output::plain;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tsugi::Url;
use tsugi_fetch::{Pause, Watch};

/// A count that grows, with a rate.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts counting; `total` where it is known.
    pub(crate) fn new(what: &str, total: Option<u64>) -> Progress {
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = if total.is_some() {
            "{msg} {bar:30} {pos}/{len} {per_sec} {eta}"
        } else {
            "{spinner} {msg} {pos} {per_sec}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Progress(bar)
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Says something new beside the count.
    pub(crate) fn tell(&self, what: String) {
        self.0.set_message(what);
    }

    /// Takes the count away.
    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// The shortest pause that is worth a word.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// How far one document has come: the page that is being fetched, and what it waits for.
#[derive(Debug)]
pub(crate) struct PageProgress {
    bar: ProgressBar,
    page: Mutex<String>,
}

impl PageProgress {
    pub(crate) fn new() -> PageProgress {
        let bar = ProgressBar::new_spinner();
        if io::stderr().is_terminal() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        PageProgress { bar, page: Mutex::default() }
    }

    /// The next page, counted from 1, is wanted.
    pub(crate) fn begin(&self, number: usize, url: &Url) {
        let page = format!("page {number}, {}", plain(url.host_str().unwrap_or_else(|| url.path())));
        self.bar.set_message(page.clone());
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) = page;
    }

    /// Takes the progress away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, what: &str) {
        let page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        self.bar.set_message(format!("{page}{what}"));
    }
}

impl Watch for PageProgress {
    fn waits(&self, _: &str, time: Duration, why: Pause) {
        if time >= WORTH_TELLING {
            let why = match why {
                Pause::CrawlDelay => " as robots.txt asks",
                Pause::Held => " before the server is asked again",
                _ => "",
            };
            self.tell(&format!(", waiting {:.0} s{why}", time.as_secs_f64().ceil()));
        }
    }

    fn asks(&self, _: &Url) {
        self.tell("");
    }
}
