//! `tsugi blocks`: the page-set methods.

use crate::args::{BlocksArguments, BlocksMethod};
use crate::commands::source::visit_pages;
use crate::exit::Exit;
use crate::output::{Output, write_json_line};
use std::collections::BTreeMap;
use std::path::Path;
use tsugi_experiments::{ScanContent, ScanLine};
use tsugi_page::Page;
use tsugi_site_blocks::{Extensions, unique_blocks_extended};

pub(crate) fn run(arguments: &BlocksArguments) -> anyhow::Result<Exit> {
    let BlocksMethod::Unique { pages, output } = &arguments.method;
    let mut output = Output::open(output.as_deref())?;
    let (sites, failed) = pages_by_host(pages)?;
    let extensions = Extensions { skip_twins: true, at_least_one: true };
    let mut lines: BTreeMap<usize, ScanLine> = BTreeMap::new();
    for pages in sites.values() {
        let set: Vec<&Page> = pages.iter().map(|(_, page)| page).collect();
        for ((place, page), blocks) in pages.iter().zip(unique_blocks_extended(&set, extensions)) {
            let texts = blocks.iter().map(|block| block.text(page)).filter(|text| !text.is_empty());
            let content = ScanContent {
                text: texts.collect::<Vec<_>>().join("\n"),
                without: Vec::new(),
                nodes: blocks.iter().map(|block| page.location_path(block.node())).collect(),
            };
            let line = ScanLine {
                url: page.url().to_string(),
                content: Some(content),
                title: page.title(),
                lang: page.lang().map(str::to_owned),
                ..ScanLine::default()
            };
            lines.insert(*place, line);
        }
    }
    for line in lines.values() {
        write_json_line(&mut output, line)?;
    }
    output.finish()?;
    Ok(Exit::of_batch(failed, lines.len()))
}

/// Pages with their places in the archive, by host.
type Sites = BTreeMap<String, Vec<(usize, Page)>>;

/// Reads an archive; the second number counts what could not be read.
fn pages_by_host(path: &Path) -> anyhow::Result<(Sites, usize)> {
    let mut sites = Sites::new();
    let mut place = 0;
    let failed = visit_pages(path, |record, page| {
        let host = record.url.host_str().unwrap_or_default().to_owned();
        sites.entry(host).or_default().push((place, page));
        place += 1;
        Ok(())
    })?;
    Ok((sites, failed))
}
