//! Progress on stderr; none where stderr is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

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
