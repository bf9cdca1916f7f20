//! `tsugi blocks`: the page-set methods.

mod measure;
mod repeated;
mod unique;

use crate::args::{BlocksArguments, BlocksMethod, PageSetArguments};
use crate::commands::source::visit_records;
use crate::exit::Exit;
use crate::output::{Output, complain, write_json_line};
use crate::progress::Progress;
use anyhow::bail;
use measure::Measure;
use std::collections::BTreeMap;
use tsugi_experiments::{ScanContent, ScanLine};
use tsugi_page::{Page, address};
use tsugi_site_blocks::Kept;

pub(crate) fn run(arguments: &BlocksArguments) -> anyhow::Result<Exit> {
    match &arguments.method {
        BlocksMethod::Unique(arguments) => unique::run(arguments),
        BlocksMethod::Repeated(arguments) => repeated::run(arguments),
    }
}

/// A method that looks at all pages of a site before it says anything of one.
trait Method {
    /// What is gathered from the pages of a site.
    type Gathered: Default;
    /// What the method then knows of the site.
    type Known;

    /// Looks at a page.
    fn gather(&self, gathered: &mut Self::Gathered, page: &Page);

    /// Sums up the pages of a site.
    fn know(&self, gathered: Self::Gathered) -> Self::Known;

    /// Says what is content on a page, which is one of those that were gathered, by its number among them; `None` if there is
    /// no such page.
    fn keep(&self, known: &Self::Known, number: usize, page: &Page) -> Option<Kept>;
}

/// Runs a method over an archive, a line a page. The archive is read twice, so that memory holds no pages.
fn run_method<M: Method>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let mut measure = arguments.evaluate.as_deref().map(Measure::open).transpose()?;
    // Measured lines are only written where a file is named: stdout is for the table.
    let wants_lines = measure.is_none() || arguments.output.is_some();
    let mut output = wants_lines.then(|| Output::open(arguments.output.as_deref())).transpose()?;
    let progress = Progress::new("pages", None);
    let mut sites: BTreeMap<String, M::Gathered> = BTreeMap::new();
    let broken = visit_records(&arguments.pages, complain, |record| {
        if let Ok(response) = &record.response {
            method.gather(sites.entry(address::host_key(&record.url)).or_default(), &response.page());
        }
        progress.step();
        Ok(())
    })?;
    let known = sites.into_iter().map(|(host, gathered)| (host, (method.know(gathered), 0)));
    let mut known: BTreeMap<String, (M::Known, usize)> = known.collect();
    let (mut failed, mut done) = (0, 0);
    visit_records(
        &arguments.pages,
        |_| {},
        |record| {
            progress.step();
            let line = match &record.response {
                Err(error) => {
                    failed += 1;
                    ScanLine::failed(&record.target, error)
                }
                Ok(response) => {
                    done += 1;
                    let page = response.page();
                    let site = known.get_mut(&address::host_key(&record.url));
                    let kept = site.and_then(|(known, number)| {
                        *number += 1;
                        method.keep(known, *number - 1, &page)
                    });
                    let Some(kept) = kept else {
                        bail!("`{}` changed while it was read", arguments.pages.display());
                    };
                    if let Some(measure) = &mut measure {
                        measure.add(&record.target, &page, &kept);
                    }
                    ScanLine { url: record.target.clone(), ..line_of(&page, &kept) }
                }
            };
            Ok(output.as_mut().map_or(Ok(()), |output| write_json_line(output, &line))?)
        },
    )?;
    progress.finish();
    output.map_or(Ok(()), Output::finish)?;
    if let Some(measure) = measure {
        let (unusable, measured) = measure.finish()?;
        return Ok(Exit::of_batch(failed + broken + unusable, measured));
    }
    Ok(Exit::of_batch(failed + broken, done))
}

/// The line of a page: the fields of `scan`, without those of links.
fn line_of(page: &Page, kept: &Kept) -> ScanLine {
    let content = kept.content(page);
    let paths = |nodes: &[_]| nodes.iter().map(|node| page.location_path(*node)).collect();
    ScanLine {
        content: Some(ScanContent {
            nodes: paths(&content.nodes),
            without: paths(&content.without),
            text: page.text_of_content(&content.nodes, &content.without),
        }),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        ..ScanLine::default()
    }
}
