//! Progress on stderr: bars on a terminal, lines with --verbose.

use crate::output::{Verbosity, detail, plain, says};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tsugi::fetch::{Exchange, Pause, RetryReason, Watch, chain};
use tsugi::pipeline::locked;
use tsugi::{FetchError, Url};

/// Returns `true` if progress bars are wanted: not with --quiet, and not among the lines of --verbose.
fn are_shown() -> bool {
    says(Verbosity::Normal) && !says(Verbosity::Verbose)
}

/// A growing count, with a rate.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Starts counting; `total` where it is known.
    pub fn new(what: &str, total: Option<u64>) -> Progress {
        let bar = match total {
            _ if !are_shown() => ProgressBar::hidden(),
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::new_spinner(),
        };
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

    /// Counts what an earlier run did, which takes no time.
    pub fn skip(&self, count: u64) {
        self.0.set_position(count);
        self.0.reset_eta();
    }

    /// Counts one more.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Changes the text beside the count.
    pub fn tell(&self, what: String) {
        self.0.set_message(what);
    }

    /// Removes the count.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

const SHORTEST_SHOWN: Duration = Duration::from_secs(1);

/// Progress of one document: the page that is being fetched, and what it waits for.
#[derive(Debug)]
pub struct PageProgress {
    bar: ProgressBar,
    page: Mutex<String>,
}

impl PageProgress {
    /// Begins without a page.
    #[expect(clippy::new_without_default, reason = "it begins to draw")]
    pub fn new() -> PageProgress {
        let is_shown = are_shown() && io::stderr().is_terminal();
        let bar = if is_shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if is_shown {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        PageProgress { bar, page: Mutex::default() }
    }

    /// Shows which page is fetched, counted from 1.
    pub fn begin(&self, number: usize, url: &Url) {
        let page = format!("page {number}, {}", plain(url.host_str().unwrap_or_else(|| url.path())));
        self.bar.set_message(page.clone());
        *locked(&self.page) = page;
    }

    /// Removes the progress.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, what: &str) {
        let page = locked(&self.page);
        self.bar.set_message(format!("{page}{what}"));
    }
}

impl Watch for PageProgress {
    fn waits(&self, _: &str, time: Duration, why: Pause) {
        if time >= SHORTEST_SHOWN {
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

/// Prints every request with --verbose.
#[derive(Debug)]
pub struct Narrator;

impl Narrator {
    /// Returns the narrator with --verbose, so that nothing is put into words otherwise.
    pub fn if_wanted() -> Option<Arc<dyn Watch>> {
        says(Verbosity::Verbose).then(|| Arc::new(Narrator) as Arc<dyn Watch>)
    }
}

impl Watch for Narrator {
    fn waits(&self, host: &str, time: Duration, why: Pause) {
        if time >= SHORTEST_SHOWN {
            let why = match why {
                Pause::CrawlDelay => "robots.txt asks for it",
                Pause::Held => "before it is asked again",
                _ => "to be polite",
            };
            detail(&format!("{host}: waiting {:.1} s ({why})", time.as_secs_f64()));
        }
    }

    fn asks(&self, url: &Url) {
        detail(&format!("GET {url}"));
    }

    fn answers(&self, exchange: &Exchange<'_>) {
        let content_type = plain(exchange.header("content-type").unwrap_or("no type"));
        detail(&format!("{} {content_type}, {} bytes", exchange.status, exchange.body.len()));
    }

    fn fails(&self, _: &Url, error: &FetchError) {
        detail(&format!("failed: {}", chain(error)));
    }

    fn retries(&self, url: &Url, pause: Duration, _: RetryReason<'_>) {
        detail(&format!("trying {url} again in {:.1} s", pause.as_secs_f64()));
    }

    fn reuses(&self, exchange: &Exchange<'_>) {
        detail(&format!("from the cache: {}", exchange.url));
    }
}
