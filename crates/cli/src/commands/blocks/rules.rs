//! `tsugi blocks rules`: rules that work on single pages, learned from a few pages of each site.

use super::{Answer, Lines, Method, know_sites, run_method};
use crate::args::RulesArguments;
use crate::commands::source::visit_records;
use crate::exit::Exit;
use crate::output::{Output, write_json_line};
use crate::progress::Progress;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use tsugi_follow::Response;
use tsugi_page::{Page, address};
use tsugi_site_blocks::{Extensions, Identifier, Kept, NearIdentifier, Rule, SelectorRules};
use tsugi_siteinfo::learn::spread;

pub(crate) fn run(arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let method =
        || anyhow::Ok(Rules { learn_from: arguments.learn_from.get(), spread: chosen_pages(arguments)? });
    if let Some(path) = &arguments.rules {
        apply(&read_rules(path)?, arguments)
    } else if arguments.print {
        print(&method()?, arguments)
    } else {
        run_method(&method()?, &arguments.pages)
    }
}

struct Rules {
    /// How many pages of a site are learned from, the first ones.
    learn_from: usize,
    /// In place of the first ones: which pages, sorted, by host.
    spread: Option<BTreeMap<String, Vec<usize>>>,
}

/// The pages of a site that are learned from, until it has all of them.
#[derive(Default)]
struct Learning {
    /// How many pages of the site were seen.
    seen: usize,
    pages: Vec<Page>,
    learned: Learned,
}

/// The rules of a site.
#[derive(Default)]
struct Learned {
    rules: SelectorRules,
    /// The numbers of the pages that they were learned from, sorted.
    from: Vec<usize>,
}

impl Learning {
    fn learn(&mut self) {
        let extensions = Extensions { skip_twins: true, at_least_one: true };
        let pages = std::mem::take(&mut self.pages);
        self.learned.rules = SelectorRules::learn_from_unique(&pages.iter().collect::<Vec<_>>(), extensions);
    }
}

impl Method for Rules {
    type Gathered = Learning;
    type Known = Learned;

    fn gather(&self, gathered: &mut Learning, host: &str, response: &Response) {
        let spread = self.spread.as_ref().map(|spread| spread.get(host).map_or(&[][..], Vec::as_slice));
        let number = gathered.seen;
        gathered.seen += 1;
        if spread.map_or(number < self.learn_from, |spread| spread.binary_search(&number).is_ok()) {
            gathered.pages.push(response.page());
            gathered.learned.from.push(number);
            if gathered.pages.len() == spread.map_or(self.learn_from, <[usize]>::len) {
                gathered.learn();
            }
        }
    }

    fn know(&self, mut gathered: Learning) -> Learned {
        if !gathered.pages.is_empty() {
            gathered.learn();
        }
        gathered.learned
    }

    fn keep(&self, known: &Learned, _: usize, page: &Page) -> Option<Kept> {
        Some(known.rules.kept(page))
    }

    fn can_measure(&self, known: &Learned, number: usize) -> bool {
        known.from.binary_search(&number).is_err()
    }
}

/// Which pages of each host are learned from, where they are to be spread over all.
fn chosen_pages(arguments: &RulesArguments) -> anyhow::Result<Option<BTreeMap<String, Vec<usize>>>> {
    if !arguments.spread {
        return Ok(None);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    visit_records(
        &arguments.pages.pages,
        |_| {},
        |record| {
            *counts.entry(address::host_key(&record.url)).or_default() +=
                usize::from(record.response.is_ok());
            Ok(())
        },
    )?;
    let chosen = |(host, pages)| (host, spread(pages, arguments.learn_from.get()));
    Ok(Some(counts.into_iter().map(chosen).collect()))
}

/// Writes the rules of each site.
fn print(method: &Rules, arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let mut output = Output::open(arguments.pages.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let (sites, broken) = know_sites(method, &arguments.pages, &progress)?;
    progress.finish();
    for (host, learned) in &sites {
        write_json_line(&mut output, &SiteRules::of(host, &learned.rules))?;
    }
    output.finish()?;
    Ok(Exit::of_batch(broken, sites.len()))
}

/// Applies rules that were learned before.
fn apply(sites: &BTreeMap<String, SelectorRules>, arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let lines = Lines::open(&arguments.pages)?;
    lines.write(Progress::new("pages", None), None, |record, page| {
        let host = address::host_key(&record.url);
        let rules = sites.get(&host).ok_or_else(|| format!("there are no rules for `{host}`"));
        Ok(rules.map(|rules| Answer { kept: rules.kept(page), can_measure: true }))
    })
}

/// The rules of a site as a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct SiteRules {
    host: String,
    /// All rules as a CSS selector list, for others to use; what is read back are the rules themselves.
    #[serde(default)]
    css: String,
    /// The same as XPath 1.0.
    #[serde(default)]
    xpath: String,
    rules: Vec<RuleEntry>,
}

/// One rule: `{"tag": "p", "near": {"parent": {"id": "main"}}}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    tag: String,
    /// The near identifier; the name alone counts where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    near: Option<NearEntry>,
}

/// An identifier, by where it stands.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NearEntry {
    Own(IdentifierEntry),
    Parent(IdentifierEntry),
    Ancestor(IdentifierEntry),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum IdentifierEntry {
    Id(Box<str>),
    Class(Box<str>),
}

impl SiteRules {
    fn of(host: &str, rules: &SelectorRules) -> SiteRules {
        SiteRules {
            host: host.to_owned(),
            css: rules.to_string(),
            xpath: rules.to_xpath(),
            rules: rules.rules().iter().map(RuleEntry::of).collect(),
        }
    }
}

impl RuleEntry {
    fn of(rule: &Rule) -> RuleEntry {
        let near = match rule.near() {
            NearIdentifier::Own(one) => Some(NearEntry::Own(one.into())),
            NearIdentifier::Parent(one) => Some(NearEntry::Parent(one.into())),
            NearIdentifier::Ancestor(one) => Some(NearEntry::Ancestor(one.into())),
            NearIdentifier::None => None,
        };
        RuleEntry { tag: rule.tag().to_owned(), near }
    }

    /// Reads the rule; `None` where no block can have the name, or no element the identifier.
    fn rule(self) -> Option<Rule> {
        let near = match self.near {
            Some(NearEntry::Own(one)) => NearIdentifier::Own(one.into()),
            Some(NearEntry::Parent(one)) => NearIdentifier::Parent(one.into()),
            Some(NearEntry::Ancestor(one)) => NearIdentifier::Ancestor(one.into()),
            None => NearIdentifier::None,
        };
        Rule::new(&self.tag, near)
    }
}

impl From<&Identifier> for IdentifierEntry {
    fn from(identifier: &Identifier) -> IdentifierEntry {
        match identifier {
            Identifier::Id(value) => IdentifierEntry::Id(value.clone()),
            Identifier::Class(word) => IdentifierEntry::Class(word.clone()),
        }
    }
}

impl From<IdentifierEntry> for Identifier {
    fn from(entry: IdentifierEntry) -> Identifier {
        match entry {
            IdentifierEntry::Id(value) => Identifier::Id(value),
            IdentifierEntry::Class(word) => Identifier::Class(word),
        }
    }
}

/// Reads rules that `--print` wrote; blank lines are passed over.
fn read_rules(path: &Path) -> anyhow::Result<BTreeMap<String, SelectorRules>> {
    let cannot = || format!("cannot read `{}`", path.display());
    let mut sites = BTreeMap::new();
    for (at, line) in BufReader::new(File::open(path).with_context(cannot)?).lines().enumerate() {
        let line = line.with_context(cannot)?;
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("`{}`, line {}", path.display(), at + 1);
        let site: SiteRules = serde_json::from_str(&line).with_context(place)?;
        let rules: Option<Vec<Rule>> = site.rules.into_iter().map(RuleEntry::rule).collect();
        let rules = rules.context("a rule that can select no block").with_context(place)?;
        if sites.insert(site.host, SelectorRules::from_rules(rules)).is_some() {
            bail!("{}: a second line of this host", place());
        }
    }
    Ok(sites)
}
