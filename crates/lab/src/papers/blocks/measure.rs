//! `tsugi-lab blocks … --evaluate LABELS`: measures the kept blocks.

use std::io::Write;
use std::path::Path;
use tsugi_page::Page;
use tsugi_papers::page_sets::{KeptMeasures, kept_report};
use tsugi_site_blocks::Kept;
use tsugi_terminal::output::{Output, complain, plain};
use tsugi_training::dataset::DataSet;

pub(super) struct Measure {
    labels: DataSet,
    measured: Vec<KeptMeasures>,
    unlabelled: usize,
    unusable: usize,
    left_out: usize,
}

impl Measure {
    pub(super) fn open(labels: &Path) -> anyhow::Result<Measure> {
        let labels = DataSet::of_labels(labels)?;
        Ok(Measure { labels, measured: Vec::new(), unlabelled: 0, unusable: 0, left_out: 0 })
    }

    pub(super) fn add(&mut self, url: &str, page: &Page, kept: &Kept) {
        let Some(label) = self.labels.label_of(url).map(|at| &self.labels.labels()[at]) else {
            self.unlabelled += 1;
            return;
        };
        match KeptMeasures::of(page, label, kept) {
            Ok(Some(measures)) => self.measured.push(measures),
            Ok(None) => self.unlabelled += 1,
            Err(what) => {
                complain(&plain(&format!("not measured: {url}: {what}")));
                self.unusable += 1;
            }
        }
    }

    /// Counts a page that is not measured, because the method learned from it.
    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Writes the tables to stdout; returns the number of pages with unusable labels, and the number measured.
    pub(super) fn finish(self) -> anyhow::Result<(usize, usize)> {
        let learned_from = match self.left_out {
            0 => String::new(),
            pages => format!(", {pages} learned from"),
        };
        complain(&format!(
            "{} pages measured; {} without labelled content, {} with labels that cannot be used{learned_from}",
            self.measured.len(),
            self.unlabelled,
            self.unusable
        ));
        if let Some(table) = kept_report(&self.measured) {
            let mut stdout = Output::screen();
            stdout.write_all(table.as_bytes())?;
            stdout.finish()?;
        }
        Ok((self.unusable, self.measured.len()))
    }
}
