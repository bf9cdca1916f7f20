//! `tsugi explain`: candidates, scores, and reasons.

use crate::args::{BrowserArguments, ExplainArguments};
use crate::drawing::{BrowserPlan, PageBrowser, unpressed};
use std::io::Write;
use std::path::Path;
use tsugi::explain::Explained;
use tsugi::metadata::Said;
use tsugi::page::Reason;
use tsugi::{Control, Fetch, Look, Page, Tsugi, Url};
use tsugi_terminal::arguments::NetworkArguments;
use tsugi_terminal::detection::Detection;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::Output;
use tsugi_terminal::source::{
    SourceArgument, WebClient, http_options, open_archive, page_of, stored_page, web_address,
};

const REASONS_SHOWN: usize = 6;

pub(crate) fn run(arguments: ExplainArguments) -> anyhow::Result<Exit> {
    let ExplainArguments { source, url, pages, top, detectors, network, browser } = arguments;
    let tsugi = Detection::of(detectors).load()?;
    let (page, is_drawn) = match (pages, &url) {
        (Some(archive), None) => stored(&source, &archive)?,
        _ => given(&source, url.as_ref(), &network, browser, &tsugi)?,
    };
    let mut out = Output::screen();
    writeln!(out, "{} ({}, {} nodes)", page.url(), page.encoding(), page.node_count())?;
    if is_drawn {
        writeln!(out, "  note: drawn by a browser, as it shows almost nothing without scripts")?;
    }
    for note in page.notes() {
        writeln!(out, "  note: {note}")?;
    }
    let look = tsugi.look(&page);
    // Before the content is asked for, so that the page is scored once.
    let explained = look.explain(top);
    explain_metadata(&look, &mut out)?;
    explain_links(&look, &explained, &mut out)?;
    explain_content(&look, &explained, &mut out)?;
    out.finish()?;
    Ok(Exit::Done)
}

/// Returns a page of an archive, and whether a browser drew it.
fn stored(source: &str, archive: &Path) -> anyhow::Result<(Page, bool)> {
    let url = stored_page(source)?;
    let archive = open_archive(archive)?;
    let is_drawn = archive.drawn(&url, 0).is_ok();
    Ok((archive.fetch(&url)?.page(), is_drawn))
}

/// Returns any other page, and whether a browser drew it.
fn given(
    source: &str,
    url: Option<&Url>,
    network: &NetworkArguments,
    browser: BrowserArguments,
    tsugi: &Tsugi,
) -> anyhow::Result<(Page, bool)> {
    let http = http_options(network, web_address(source))?;
    let browser = PageBrowser::new(BrowserPlan::of(browser), &http);
    let web = WebClient::new(http);
    let source = SourceArgument::of(source)?;
    let (_, answer) = page_of(&source, url, &web)?;
    let response = answer?;
    let is_web = matches!(source, SourceArgument::Web(_));
    let is_drawn = is_web && browser.draws(&tsugi.look(&response.page()));
    let response = if is_drawn { browser.drawn_or_told(response, web.http()?, tsugi) } else { response };
    web.save_cookies()?;
    Ok((response.page(), is_drawn))
}

fn explain_metadata(look: &Look<'_>, out: &mut Output) -> anyhow::Result<()> {
    let said = look.metadata();
    let authors = said.authors.map(|said| Said { value: said.value.join("; "), by: said.by });
    let image = said.image.map(|said| Said { value: String::from(said.value), by: said.by });
    let fields = [
        ("title", said.title),
        ("authors", authors),
        ("published", said.published),
        ("modified", said.modified),
        ("language", said.lang),
        ("site", said.site),
        ("section", said.section),
        ("description", said.description),
        ("image", image),
    ];
    writeln!(out, "\nMetadata:")?;
    for (name, said) in fields {
        match said {
            Some(said) => writeln!(out, "  {name}: {} (from {})", shortened(&said.value), said.by.as_str())?,
            None => writeln!(out, "  {name}: none")?,
        }
    }
    if !said.tags.is_empty() {
        writeln!(out, "  tags: {}", shortened(&said.tags.join(", ")))?;
    }
    Ok(())
}

fn explain_links(look: &Look<'_>, explained: &Explained, out: &mut Output) -> anyhow::Result<()> {
    let (page, threshold) = (look.page(), look.threshold());
    match look.next() {
        Some(next) => writeln!(
            out,
            "\nNext page: {} ({}, by {}, score {:.3})",
            next.url, next.relation, next.evidence, next.score
        )?,
        None => match look.unfollowable() {
            Some(node) => {
                let (path, text) = (page.location_path(node), page.text(node));
                writeln!(out, "\nNext page: there is one, but only a button or a script leads to it")?;
                writeln!(out, "  {path}  “{}”", shortened(&text))?;
                match unpressed(&Control::of(page, node)) {
                    None => writeln!(out, "  `tsugi join` lets a browser press it, and takes what is new")?,
                    Some(why) => writeln!(out, "  no browser presses it: {why}")?,
                }
            }
            None => writeln!(out, "\nNext page: none")?,
        },
    }
    let count = explained.link_count;
    writeln!(out, "{count} candidates; a next link needs a score of {threshold:.3}. The best:")?;
    for link in &explained.links {
        let text = page.text(link.node);
        let way = if link.way == "link" { String::new() } else { format!("  ({})", link.way) };
        writeln!(out, "  {:.3}  {}  “{}”{way}", link.score, link.url, shortened(&text))?;
        write_reasons(&link.reasons, out)?;
    }
    Ok(())
}

fn explain_content(look: &Look<'_>, explained: &Explained, out: &mut Output) -> anyhow::Result<()> {
    let content = look.content();
    let page = content.page();
    let (nodes, by) = (content.nodes().len(), content.evidence());
    writeln!(
        out,
        "\nMain content: {nodes} {}, by {by}, score {:.3}",
        if nodes == 1 { "element" } else { "elements" },
        content.score()
    )?;
    for node in content.nodes() {
        writeln!(out, "  {}  “{}”", page.location_path(*node), shortened(&page.text(*node)))?;
    }
    for node in content.without() {
        writeln!(out, "  without {}  “{}”", page.location_path(*node), shortened(&page.text(*node)))?;
    }
    if let Some(doubt) = look.doubt() {
        writeln!(out, "  warning: {doubt}")?;
    }
    let page = look.page();
    let count = explained.block_count;
    writeln!(out, "{count} text blocks. The longest, with their probability of being content:")?;
    for block in &explained.blocks {
        let path = page.location_path(block.node);
        writeln!(out, "  {:.3}  {path}  “{}”", block.score, shortened(&block.text))?;
        write_reasons(&block.reasons, out)?;
    }
    Ok(())
}

fn write_reasons(reasons: &[Reason], out: &mut Output) -> anyhow::Result<()> {
    let strongest = &reasons[..reasons.len().min(REASONS_SHOWN)];
    for (word, sign) in [("for", 1.0), ("against", -1.0)] {
        for Reason { what, weight } in strongest.iter().filter(|reason| reason.weight * sign > 0.0) {
            let amount = if *weight < 0.0 { format!("−{:.2}", -weight) } else { format!("+{weight:.2}") };
            writeln!(out, "         {word:7} {what} ({amount})")?;
        }
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.replace('\n', " ");
    if line.chars().count() <= MOST {
        return line;
    }
    line.chars().take(MOST - 1).chain(['…']).collect()
}
