//! `tsugi-lab blocks rules`: rules for single pages, learned from a few pages of each site.

use super::lines::{BlockLines, BlocksAnswer, visit_first_captures};
use super::method::{LEAST_PAGES, SiteMethod, enough_pages, know_sites, run_method};
use crate::papers::arguments::RulesArguments;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use tsugi::Response;
use tsugi_fetch::chain;
use tsugi_page::{Page, Url, address};
use tsugi_site_blocks::{Extensions, Identifier, Kept, NearIdentifier, Rule, SelectorRules};
use tsugi_siteinfo::learn::spread;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, write_json_line};
use tsugi_terminal::progress::Progress;

pub(crate) fn run(arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let extensions = if arguments.as_published { Extensions::default() } else { Extensions::BOTH };
    let method = || anyhow::Ok(RulesMethod { chosen: chosen_pages(arguments)?, extensions });
    if let Some(path) = &arguments.rules {
        apply(&read_rules(path)?, arguments)
    } else if arguments.print {
        print(&method()?, arguments)
    } else {
        run_method(&method()?, &arguments.pages)
    }
}

struct RulesMethod {
    /// The pages of each host to learn from, sorted.
    chosen: BTreeMap<String, Vec<usize>>,
    /// Those of the unique blocks that rules are learned from.
    extensions: Extensions,
}

#[derive(Default)]
struct Learning {
    seen: usize,
    pages: Vec<Page>,
    learned: LearnedRules,
}

#[derive(Default)]
struct LearnedRules {
    rules: SelectorRules,
    /// The numbers of the pages learned from, sorted, and their addresses.
    from: Vec<(usize, Url)>,
}

impl SiteMethod for RulesMethod {
    type Gathered = Learning;
    type Site = LearnedRules;

    fn gather(&self, gathered: &mut Learning, host: &str, response: &Response) {
        let chosen = self.chosen.get(host).map_or(&[][..], Vec::as_slice);
        let number = gathered.seen;
        gathered.seen += 1;
        if chosen.binary_search(&number).is_err() {
            return;
        }
        gathered.pages.push(response.page());
        gathered.learned.from.push((number, response.url.clone()));
        if gathered.pages.len() == chosen.len() {
            let pages = std::mem::take(&mut gathered.pages);
            let pages: Vec<&Page> = pages.iter().collect();
            gathered.learned.rules = SelectorRules::learn_from_unique(&pages, self.extensions);
        }
    }

    fn know(&self, gathered: Learning, _: &str) -> Result<LearnedRules, String> {
        let from = gathered.learned.from.len();
        enough_pages("rules are learned from", from)?;
        Ok(gathered.learned)
    }

    fn keep(&self, known: &LearnedRules, _: usize, page: &Page) -> Option<Kept> {
        Some(known.rules.kept(page))
    }

    fn can_measure(&self, known: &LearnedRules, number: usize) -> bool {
        known.from.binary_search_by_key(&number, |(from, _)| *from).is_err()
    }
}

/// Chooses the pages of each host to learn from, also for hosts with few pages, so that no page is in memory longer
/// than learning takes.
fn chosen_pages(arguments: &RulesArguments) -> anyhow::Result<BTreeMap<String, Vec<usize>>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let ignore = |_: &str| {};
    visit_first_captures(&arguments.pages.pages, ignore, |record| {
        if record.response.is_ok() {
            *counts.entry(address::host_key(&record.url)).or_default() += 1;
        }
        Ok(())
    })?;
    let learn_from = usize::from(arguments.learn_from);
    let choose = |pages| {
        if arguments.spread { spread(pages, learn_from) } else { (0..pages.min(learn_from)).collect() }
    };
    let chosen = counts.into_iter().map(|(host, pages)| (host, choose(pages)));
    // A page that is not compared with another teaches nothing.
    Ok(chosen.filter(|(_, pages)| pages.len() >= LEAST_PAGES).collect())
}

fn print(method: &RulesMethod, arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let mut output = Output::open(arguments.pages.lines.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let (mut failed, mut done) = (0, 0);
    let (sites, broken) = know_sites(method, &arguments.pages, &progress, |record, error| {
        complain(&format!("{}: {}", record.target, chain(error)));
        failed += 1;
    })?;
    progress.finish();
    for (host, learned) in &sites {
        match learned {
            Ok(learned) => {
                write_json_line(&mut output, &SiteRules::of(host, learned))?;
                done += 1;
            }
            Err(why) => {
                complain(&format!("{host}: nothing learned: {why}"));
                failed += 1;
            }
        }
    }
    output.finish()?;
    Ok(Exit::of_batch(failed + broken, done))
}

/// Rules from a file, and the [`address::page_key`]s of the pages they were learned from.
type ReadRules = BTreeMap<String, (SelectorRules, BTreeSet<String>)>;

fn apply(sites: &ReadRules, arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let mut lines = BlockLines::open(&arguments.pages.lines)?;
    let broken = lines.add_archive(&arguments.pages.pages, complain, |record, page| {
        let host = address::host_key(&record.url);
        let site = sites.get(&host).ok_or_else(|| format!("there are no rules for `{host}`"));
        let can_measure = |from: &BTreeSet<String>| !from.contains(&address::page_key(&record.url));
        Ok(site.map(|(rules, from)| BlocksAnswer { kept: rules.kept(page), can_measure: can_measure(from) }))
    })?;
    lines.finish(broken)
}

#[derive(Debug, Serialize, Deserialize)]
struct SiteRules {
    host: String,
    /// All rules as a CSS selector list, for other programs; only `rules` is read back.
    #[serde(default)]
    css: String,
    #[serde(default)]
    xpath: String,
    rules: Vec<RuleEntry>,
    /// The pages learned from: they are not measured.
    #[serde(default)]
    from: Vec<String>,
}

/// One rule: `{"tag": "p", "near": {"parent": {"id": "main"}}}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    tag: String,
    /// Without a near identifier only the tag counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    near: Option<Near>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Near(#[serde(with = "NearEntry")] NearIdentifier);

#[derive(Serialize, Deserialize)]
#[serde(remote = "NearIdentifier", rename_all = "lowercase")]
enum NearEntry {
    Own(#[serde(with = "IdentifierEntry")] Identifier),
    Parent(#[serde(with = "IdentifierEntry")] Identifier),
    Ancestor(#[serde(with = "IdentifierEntry")] Identifier),
    #[serde(skip)]
    None,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Identifier", rename_all = "lowercase")]
enum IdentifierEntry {
    Id(Box<str>),
    Class(Box<str>),
}

impl SiteRules {
    fn of(host: &str, learned: &LearnedRules) -> SiteRules {
        let rules = &learned.rules;
        let near = |rule: &Rule| Some(rule.near()).filter(|near| **near != NearIdentifier::None).cloned();
        let entry = |rule: &Rule| RuleEntry { tag: rule.tag().to_owned(), near: near(rule).map(Near) };
        SiteRules {
            host: host.to_owned(),
            css: rules.to_string(),
            xpath: rules.to_xpath(),
            rules: rules.rules().iter().map(entry).collect(),
            from: learned.from.iter().map(|(_, url)| url.to_string()).collect(),
        }
    }
}

/// Reads rules that `--print` wrote; blank lines are skipped.
fn read_rules(path: &Path) -> anyhow::Result<ReadRules> {
    let cannot = || format!("cannot read `{}`", path.display());
    let mut sites = BTreeMap::new();
    for (at, line) in BufReader::new(File::open(path).with_context(cannot)?).lines().enumerate() {
        let line = line.with_context(cannot)?;
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("`{}`, line {}", path.display(), at + 1);
        let site: SiteRules = serde_json::from_str(&line).with_context(place)?;
        let rules = site
            .rules
            .into_iter()
            .map(|entry| Rule::new(&entry.tag, entry.near.map_or(NearIdentifier::None, |near| near.0)));
        let rules: Option<Vec<Rule>> = rules.collect();
        let rules = rules.context("a rule that selects no block").with_context(place)?;
        let from = site.from.iter().filter_map(|url| Some(address::page_key(&url.parse().ok()?))).collect();
        if sites.insert(site.host, (SelectorRules::from_rules(rules), from)).is_some() {
            bail!("{}: a second line of this host", place());
        }
    }
    Ok(sites)
}
