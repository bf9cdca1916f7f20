//! `tsugi blocks rules`: rules that work on single pages, learned from a few pages of each site.

use super::{Lines, Method, know_sites, run_method};
use crate::args::RulesArguments;
use crate::exit::Exit;
use crate::output::{Output, write_json_line};
use crate::progress::Progress;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::Path;
use tsugi_follow::Response;
use tsugi_page::{Page, address};
use tsugi_site_blocks::{Extensions, Identifier, Kept, NearIdentifier, Rule, SelectorRules};

pub(crate) fn run(arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let method = Rules { learn_from: arguments.learn_from };
    if let Some(path) = &arguments.rules {
        apply(&read_rules(path)?, arguments)
    } else if arguments.print {
        print(&method, arguments)
    } else {
        run_method(&method, &arguments.pages)
    }
}

struct Rules {
    learn_from: NonZeroUsize,
}

/// The first pages of a site, until there are enough of them, then its rules.
#[derive(Default)]
struct Learning {
    pages: Vec<Page>,
    rules: Option<SelectorRules>,
}

impl Learning {
    fn learn(&self) -> SelectorRules {
        let extensions = Extensions { skip_twins: true, at_least_one: true };
        SelectorRules::learn_from_unique(&self.pages.iter().collect::<Vec<_>>(), extensions)
    }
}

impl Method for Rules {
    type Gathered = Learning;
    type Known = SelectorRules;

    fn gather(&self, gathered: &mut Learning, response: &Response) {
        if gathered.rules.is_some() {
            return;
        }
        gathered.pages.push(response.page());
        if gathered.pages.len() == self.learn_from.get() {
            *gathered = Learning { rules: Some(gathered.learn()), pages: Vec::new() };
        }
    }

    fn know(&self, gathered: Learning) -> SelectorRules {
        gathered.rules.clone().unwrap_or_else(|| gathered.learn())
    }

    fn keep(&self, known: &SelectorRules, _: usize, page: &Page) -> Option<Kept> {
        Some(known.kept(page))
    }
}

/// Writes the rules of each site.
fn print(method: &Rules, arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let mut output = Output::open(arguments.pages.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let (sites, broken) = know_sites(method, &arguments.pages, &progress)?;
    progress.finish();
    for (host, rules) in &sites {
        write_json_line(&mut output, &SiteRules::of(host, rules))?;
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
        Ok(rules.map(|rules| rules.kept(page)))
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
