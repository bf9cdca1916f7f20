//! `tsugi-lab updated`: when the main text of pages last changed.

use super::arguments::{ContentMethod, UpdatedArguments};
use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use tsugi::metadata::stated_dates;
use tsugi::page::Content;
use tsugi::scan::ScanContent;
use tsugi::{Page, Tsugi, Url};
use tsugi_fetch::{Capture, Captures, chain};
use tsugi_page::address;
use tsugi_papers::repeated::RepeatedStrings;
use tsugi_papers::updated::{
    Change, EvidenceSource, Snapshot, Update, UpdateEvidence, UpdateInterval, UpdateLabels, UpdateScore,
    last_update,
};
use tsugi_site_blocks::{Extensions, PageSet, SiteIndex};
use tsugi_terminal::detection::Detection;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, misuse_of_output, refuse, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::without_password;

const MOST_OTHERS: usize = 100;

#[derive(Debug, Default, Serialize)]
struct UpdatedLine {
    url: String,
    captures: usize,
    updated: Option<UpdateInterval>,
    at: Option<String>,
    by: Option<&'static str>,
    reason: Option<String>,
    evidence: Vec<EvidenceLine>,
    change: Option<Change>,
    /// The content of the last capture, as `scan` writes it; title and language are of that capture, too.
    content: Option<ScanContent>,
    title: Option<String>,
    lang: Option<String>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct EvidenceLine {
    by: &'static str,
    at: String,
    consistent: bool,
    why: &'static str,
}

pub(crate) fn run(arguments: &UpdatedArguments) -> anyhow::Result<Exit> {
    let sources = [Some(&arguments.snapshots), arguments.evaluate.as_ref()];
    if let Some(misuse) = misuse_of_output(arguments.output.as_deref(), sources.into_iter().flatten()) {
        return Ok(refuse(&misuse));
    }
    let mut labels = arguments.evaluate.as_deref().map(read_labels).transpose()?;
    let tsugi = Detection::of_models(&arguments.models).load()?;
    let archive = &arguments.snapshots;
    let captures =
        Captures::open(archive).with_context(|| format!("`{}` cannot be used", archive.display()))?;
    for problem in captures.problems() {
        complain(&format!("{}: {problem}", archive.display()));
    }
    if captures.orphans() > 0 {
        complain(&format!(
            "{}: {} revisits skipped, because the archive lacks the records they refer to",
            archive.display(),
            captures.orphans()
        ));
    }
    let asked = asked(&arguments.urls, &captures, labels.as_ref());
    let is_silent = labels.is_some() && arguments.output.is_none();
    let mut output = (!is_silent).then(|| Output::open(arguments.output.as_deref())).transpose()?;
    let progress = Progress::new("pages", Some(asked.len() as u64));
    let work = UpdateSearch::new(&captures, &tsugi, arguments.content);
    let (mut failed, mut done, mut score) = (captures.problems().len(), 0, UpdateScore::default());
    for url in &asked {
        let line = match work.line(url) {
            Ok(line) => {
                done += 1;
                line
            }
            Err(error) => {
                failed += 1;
                UpdatedLine { url: url.clone(), error: Some(chain(error.as_ref())), ..UpdatedLine::default() }
            }
        };
        if let Some(labels) = &mut labels {
            score.add(line.updated, labels.answered(url));
        }
        if let Some(output) = &mut output {
            write_json_line(output, &line).context("cannot write")?;
        }
        progress.step();
    }
    progress.finish();
    if let Some(output) = output {
        output.finish()?;
    }
    if let Some(labels) = &labels {
        score.failed += labels.unanswered();
        let mut stdout = Output::open(None)?;
        write_json_line(&mut stdout, &score).context("cannot write")?;
        stdout.finish()?;
    }
    if labels.is_some() && score.is_empty() {
        complain(&format!("{}: no answer has a label to compare with", archive.display()));
        return Ok(Exit::NothingFound);
    }
    if asked.is_empty() {
        complain(&format!(
            "{}: no page has two captures; name pages to look at single captures",
            archive.display()
        ));
    }
    Ok(Exit::of_batch(failed, done))
}

fn read_labels(path: &Path) -> anyhow::Result<UpdateLabels> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    UpdateLabels::read(&text)
        .map_err(|(line, error)| anyhow!(error).context(format!("`{}`, line {line}", path.display())))
}

/// Returns the pages that were named; otherwise those with at least two captures, and those of the archive with a
/// label.
fn asked(urls: &[String], captures: &Captures, labels: Option<&UpdateLabels>) -> Vec<String> {
    if !urls.is_empty() {
        return urls.to_vec();
    }
    let has_two = |captures: &[Capture]| captures.iter().filter(|capture| capture.is_page).count() >= 2;
    let has_label = |url: &Url| labels.is_some_and(|labels| labels.of(url.as_str()).is_some());
    let pages = captures.pages().filter(|(url, captures)| has_two(captures) || has_label(url));
    pages.map(|(url, _)| url.to_string()).collect()
}

struct UpdateSearch<'a> {
    captures: &'a Captures,
    tsugi: &'a Tsugi,
    method: ContentMethod,
    /// The pages of each host, with their keys; empty if the method does not compare pages.
    by_host: BTreeMap<String, Vec<(String, &'a [Capture])>>,
}

enum TextFinder<'a> {
    Model(&'a Tsugi),
    Unique(Box<SiteIndex>),
    Repeated(RepeatedStrings),
}

impl TextFinder<'_> {
    fn find(&self, page: &Page) -> Content {
        match self {
            TextFinder::Model(tsugi) => tsugi.look(page).shown_content().as_content().clone(),
            TextFinder::Unique(site) => site.kept_on(page).content(page),
            TextFinder::Repeated(strings) => strings.keep_outsider(page).content(page),
        }
    }
}

impl<'a> UpdateSearch<'a> {
    fn new(captures: &'a Captures, tsugi: &'a Tsugi, method: ContentMethod) -> UpdateSearch<'a> {
        let mut by_host: BTreeMap<String, Vec<(String, &[Capture])>> = BTreeMap::new();
        if method != ContentMethod::Model {
            for (url, of_page) in captures.pages() {
                by_host.entry(address::host_key(url)).or_default().push((address::page_key(url), of_page));
            }
        }
        UpdateSearch { captures, tsugi, method, by_host }
    }

    /// Compares the captures of a page. The last one comes first, because the line describes it. One page is in memory
    /// at a time.
    fn line(&self, url: &str) -> anyhow::Result<UpdatedLine> {
        let parsed: Url = url.parse().with_context(|| format!("`{}` is not a URL", without_password(url)))?;
        let of_page = self.captures.of(&parsed);
        if of_page.is_empty() {
            bail!("`{}` is not in the archive", without_password(url));
        }
        let finder = self.finder(&parsed)?;
        let (mut snapshots, mut last, mut problem) = (Vec::new(), None, None);
        // Captures with one body are read once.
        let mut known: BTreeMap<(u64, u64), Option<Snapshot>> = BTreeMap::new();
        for capture in of_page.iter().rev() {
            if let Some(same) = known.get(&capture.body()) {
                snapshots.extend(same.as_ref().map(|same| same.again(capture.at, capture.last_modified)));
                continue;
            }
            let page = match self.captures.read(capture) {
                Ok(response) => response.page(),
                Err(error) => {
                    problem = problem.or(Some(error));
                    known.insert(capture.body(), None);
                    continue;
                }
            };
            let content = finder.find(&page);
            if last.is_none() {
                let lang = page.lang().map(str::to_owned);
                last = Some((ScanContent::of(&page, &content)?, page.title(), lang));
            }
            let stated = stated_dates(&page, &content);
            let snapshot = Snapshot::of(capture.at, &page, &content, capture.last_modified, stated);
            known.insert(capture.body(), Some(snapshot.clone()));
            snapshots.push(snapshot);
        }
        snapshots.reverse();
        let Some((content, title, lang)) = last else {
            let why = problem.map_or_else(String::new, |error| format!("; the last one: {}", chain(&error)));
            bail!("none of the {} captures is a page{why}", of_page.len());
        };
        let (compared, passed_over) = (snapshots.len(), of_page.len() - snapshots.len());
        let update = last_update(snapshots).ok_or_else(|| anyhow!("no capture has a main text"))?;
        let mut line = UpdatedLine {
            url: of_page.first().map_or_else(|| url.to_owned(), |first| first.target.clone()),
            captures: compared,
            content: Some(content),
            title,
            lang,
            ..UpdatedLine::of(update)
        };
        if let (Some(reason), true) = (&mut line.reason, passed_over > 0) {
            *reason = format!("{reason}; passed over: {passed_over} that are no page");
        }
        Ok(line)
    }

    fn finder(&self, url: &Url) -> anyhow::Result<TextFinder<'_>> {
        if self.method == ContentMethod::Model {
            return Ok(TextFinder::Model(self.tsugi));
        }
        let others = self.others(url);
        if others.is_empty() {
            bail!(
                "no other page of `{}` is in the archive to compare with; capture more of its pages, or use \
                 --content model",
                address::host_key(url)
            );
        }
        let pages = others.iter().filter_map(|capture| Some(self.captures.read(capture).ok()?.page()));
        Ok(if self.method == ContentMethod::Unique {
            let mut set = PageSet::new();
            pages.for_each(|page| set.add(&page));
            let site = set.index(Extensions::BOTH);
            if !site.is_exact() {
                complain(&format!(
                    "{url}: comparing all blocks of its host would take too long; some count as unique"
                ));
            }
            TextFinder::Unique(Box::new(site))
        } else {
            let mut strings = RepeatedStrings::new();
            pages.for_each(|page| strings.add(&page));
            TextFinder::Repeated(strings)
        })
    }

    /// Returns captures of other pages of the host, evenly spread if there are many. They cover all times, since what
    /// is new on one page on a day is new on the others, too. Other captures of the page itself do not count.
    fn others(&self, url: &Url) -> Vec<&Capture> {
        let key = address::page_key(url);
        let of_host = self.by_host.get(&address::host_key(url)).into_iter().flatten();
        let of_others = of_host.filter(|(other, _)| *other != key).flat_map(|(_, captures)| *captures);
        let others: Vec<&Capture> = of_others.filter(|capture| capture.is_page && !capture.revisit).collect();
        let step = others.len().div_ceil(MOST_OTHERS).max(1);
        others.into_iter().step_by(step).collect()
    }
}

impl UpdatedLine {
    fn of(update: Update) -> UpdatedLine {
        let evidence = |evidence: &UpdateEvidence| EvidenceLine {
            by: evidence.source.as_str(),
            at: evidence.when.to_string(),
            consistent: evidence.consistent,
            why: evidence.why,
        };
        UpdatedLine {
            updated: Some(update.interval()),
            at: update.at.map(|at| at.to_string()),
            by: update.by.map(EvidenceSource::as_str),
            reason: Some(update.reason),
            evidence: update.evidence.iter().map(evidence).collect(),
            change: update.change,
            ..UpdatedLine::default()
        }
    }
}
