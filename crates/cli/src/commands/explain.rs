//! `tsugi explain`: candidates, scores, and the features that decided.

use crate::args::ExplainArguments;
use crate::detection::Detection;
use crate::exit::Exit;
use crate::output::Output;
use crate::source::{Source, Web, http_options, open, open_archive};
use anyhow::Context;
use std::io::Write;
use tsugi::{ContentModel, Fetch, LinkModel, Look, NodeId, Said, Tsugi, Url};
use tsugi_learning::Column;

/// How many features to name a candidate.
const FEATURES_SHOWN: usize = 6;

pub(crate) fn run(arguments: ExplainArguments) -> anyhow::Result<Exit> {
    let tsugi = Detection::of(arguments.detectors).load()?;
    let page = if let Some(path) = &arguments.pages {
        let url: Url =
            arguments.source.parse().context("with --pages the source is the URL of a stored page")?;
        open_archive(path)?.fetch(&url)?.page()
    } else {
        let web = Web::new(http_options(&arguments.network));
        let (url, fetch) = open(&Source::of(&arguments.source)?, &web)?;
        fetch.fetch(&url)?.page()
    };
    let mut out = Output::open(None)?;
    writeln!(out, "{} ({}, {} nodes)", page.url(), page.encoding(), page.node_count())?;
    for note in page.notes() {
        writeln!(out, "  note: {note}")?;
    }
    let look = tsugi.look(&page);
    explain_metadata(&look, &mut out)?;
    explain_links(&tsugi, &look, arguments.top, &mut out)?;
    explain_content(&tsugi, &look, arguments.top, &mut out)?;
    out.finish()?;
    Ok(Exit::Done)
}

/// Says what the page says of itself, and where.
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
    writeln!(out, "\nWhat the page says of itself:")?;
    for (name, said) in fields {
        match said {
            Some(said) => writeln!(out, "  {name}: “{}” (by {})", shortened(&said.value), said.by.as_str())?,
            None => writeln!(out, "  {name}: not stated")?,
        }
    }
    if !said.tags.is_empty() {
        writeln!(out, "  tags: “{}”", shortened(&said.tags.join(", ")))?;
    }
    Ok(())
}

/// A link with the features that decided, the greatest part first.
struct Explained {
    url: Url,
    node: NodeId,
    score: f32,
    reasons: Vec<Reason>,
}

/// A column, its value, and what it added to the score or to its log-odds.
type Reason = (&'static Column, f32, f64);

fn explain_links(tsugi: &Tsugi, look: &Look<'_>, top: usize, out: &mut Output) -> anyhow::Result<()> {
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
                writeln!(out, "\nNext page: one exists, but no address leads there")?;
                writeln!(out, "  {path}  “{}”", shortened(&text))?;
            }
            None => writeln!(out, "\nNext page: none")?,
        },
    }
    let (count, best) = match tsugi.next_model() {
        LinkModel::Product(detector) => {
            let (count, best) = detector.explain(page, top);
            let explained = best.into_iter().map(|candidate| Explained {
                url: candidate.url,
                node: candidate.node,
                score: candidate.score,
                reasons: candidate.reasons,
            });
            (count, explained.collect::<Vec<_>>())
        }
        LinkModel::Paper(detector) => {
            let scored = detector.scored(page);
            let explained = scored.iter().take(top).map(|candidate| Explained {
                url: candidate.url.clone(),
                node: candidate.node,
                score: candidate.score,
                reasons: detector.model().model.reasons(&candidate.row),
            });
            (scored.len(), explained.collect())
        }
    };
    writeln!(out, "{count} link candidates; a score of {threshold:.3} or more counts:")?;
    for link in best {
        let text = page.text(link.node);
        writeln!(out, "  {:.3}  {}  “{}”", link.score, link.url, shortened(&text))?;
        write_reasons(&link.reasons, out)?;
    }
    Ok(())
}

fn explain_content(tsugi: &Tsugi, look: &Look<'_>, top: usize, out: &mut Output) -> anyhow::Result<()> {
    let content = look.content();
    let page = content.page();
    let (nodes, by) = (content.nodes.len(), &content.evidence);
    writeln!(out, "\nMain content: {nodes} node(s), by {by}, score {:.3}", content.score)?;
    for node in &content.nodes {
        writeln!(out, "  {}  “{}”", page.location_path(*node), shortened(&page.text(*node)))?;
    }
    for node in &content.without {
        writeln!(out, "  without {}  “{}”", page.location_path(*node), shortened(&page.text(*node)))?;
    }
    if let Some(doubt) = look.doubt() {
        writeln!(out, "  {doubt}")?;
    }
    // What the models see is the page itself.
    let (page, next) = (look.page(), look.next().map(|next| next.node));
    match tsugi.content_model() {
        ContentModel::Product(detector) => {
            let explained = detector.explain(page, next, top);
            writeln!(
                out,
                "{} text blocks; the longest, with the probability that they are content:",
                explained.count
            )?;
            for block in explained.blocks {
                let path = page.location_path(block.node);
                writeln!(out, "  {:.3}  {path}  “{}”", block.score, shortened(&block.text))?;
                write_reasons(&block.reasons, out)?;
            }
        }
        ContentModel::Paper(detector) => {
            let mut scored = detector.scored(page, next);
            scored.sort_by(|a, b| b.score.total_cmp(&a.score));
            let threshold = detector.model().header.threshold;
            writeln!(
                out,
                "{} element candidates; a score above {threshold:.3} speaks for content:",
                scored.len()
            )?;
            for candidate in scored.iter().take(top) {
                writeln!(out, "  {:.3}  {}", candidate.score, page.location_path(candidate.node))?;
                write_reasons(&detector.model().model.reasons(&candidate.row), out)?;
            }
        }
    }
    Ok(())
}

/// Says in words what decided: what speaks for it, then what speaks against it.
fn write_reasons(reasons: &[Reason], out: &mut Output) -> anyhow::Result<()> {
    for (sign, word) in [(1.0, "for"), (-1.0, "against")] {
        for (column, value, part) in
            reasons.iter().take(FEATURES_SHOWN).filter(|(.., part)| part * sign > 0.0)
        {
            writeln!(out, "         {word:7} {part:+.2}  {} ({})", column.phrase(*value), column.name)?;
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
