//! Writes pages as XML, and what our XPath says of them, for another XPath implementation to check.
//!
//! ```text
//! conformance RULES DATA_SET… [--sample N]
//! ```
//!
//! RULES is a folder of dumps, or a JSON file with a list `expressions`. Called by `scripts/conformance`, which hands the
//! lines to libxml2. The first line lists every distinct expression of the rules; each further one is a
//! page:
//!
//! - `xml`: the tree, written so that an XML parser builds the same one. Elements of HTML have no namespace, those of
//!   SVG and `MathML` have theirs. ID attributes are declared in the internal subset. Names that are no XML names, or
//!   that XML would read as declarations or prefixes, are replaced by others that no expression names; characters
//!   that XML forbids, by U+FFFD; a second hyphen in a comment, by U+2010. The doctype is no node of XPath.
//! - `nodes`: for each element (`e`), text (`t`) and comment (`c`) its kind and how many characters or attributes it
//!   has, so that the reader can make sure that it holds the same tree. Adjacent texts count as one, as in XPath.
//! - `results`: by number of the expression. Nodes are their places in that list; attributes, `place@index`. A node-set
//!   without nodes is left out; so is the document itself, which the other side cannot return.
//! - `steps` and `most_steps`: what all results, and the costliest one, took of the budget of a page, `budget`.
//!
//! A sample of `N` pages of each set, by a fixed seed, meets every expression; every other page meets those of the
//! items whose `url` matches its address.

mod written;

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tsugi_page::xpath::{BUDGET, Budget, XPathValue};
use tsugi_page::{Page, XPath};
use tsugi_siteinfo::Siteinfo;
use tsugi_training::dataset::DataSet;
use tsugi_training::random::mix;
use written::{Written, allowed};

const SEED: u64 = 1;
const DEFAULT_SAMPLE: usize = 6;
const DUMPS: [&str; 3] = ["wedata-2024-08.json", "wedata-2013-10.json", "sites.json"];
const FIELDS: [&str; 3] = ["nextLink", "pageElement", "insertBefore"];

type BoxError = Box<dyn std::error::Error>;

fn main() -> Result<(), BoxError> {
    let mut sample = DEFAULT_SAMPLE;
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--sample" {
            sample = arguments.next().ok_or("--sample needs a number")?.parse()?;
        } else {
            folders.push(argument.into());
        }
    }
    let (rules, sets) = folders.split_first().ok_or("usage: conformance RULES DATA_SET… [--sample N]")?;
    let rules = Rules::read(rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", rules.head())?;
    for folder in sets {
        write_set(&rules, folder, sample, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

struct Rules {
    sources: Vec<String>,
    parsed: Vec<Result<XPath, String>>,
    found_in: Vec<String>,
    dumps: Vec<Siteinfo>,
    numbers: BTreeMap<String, usize>,
}

impl Rules {
    fn read(path: &Path) -> Result<Rules, BoxError> {
        let mut rules = Rules {
            sources: Vec::new(),
            parsed: Vec::new(),
            found_in: Vec::new(),
            dumps: Vec::new(),
            numbers: BTreeMap::new(),
        };
        if path.is_file() {
            let list: Value = serde_json::from_slice(&std::fs::read(path)?)?;
            for source in list["expressions"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                rules.add(source, String::new());
            }
            return Ok(rules);
        }
        for dump in DUMPS {
            let path = path.join(dump);
            let json = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let items: Vec<Value> = serde_json::from_slice(&json)?;
            for item in &items {
                let name = item["name"].as_str().unwrap_or_default();
                let data = item.get("data").unwrap_or(item);
                for field in FIELDS {
                    let source = data[field].as_str().map(str::trim).unwrap_or_default();
                    if !source.is_empty() {
                        rules.add(source, format!("{dump}, {name}, {field}"));
                    }
                }
            }
            rules.dumps.push(Siteinfo::read_dump(&json)?);
        }
        Ok(rules)
    }

    fn add(&mut self, source: &str, found_in: String) {
        if !self.numbers.contains_key(source) {
            self.numbers.insert(source.to_owned(), self.sources.len());
            self.sources.push(source.to_owned());
            self.parsed.push(XPath::parse(source).map_err(|error| error.to_string()));
            self.found_in.push(found_in);
        }
    }

    fn head(&self) -> Value {
        let expressions: Vec<Value> = self
            .sources
            .iter()
            .zip(&self.found_in)
            .zip(&self.parsed)
            .map(|((source, found_in), parsed)| {
                let error = parsed.as_ref().err();
                json!({"source": source, "in": found_in, "error": error})
            })
            .collect();
        json!({"expressions": expressions})
    }

    fn matching(&self, page: &Page) -> BTreeSet<usize> {
        let items = self.dumps.iter().flat_map(|dump| dump.matching(page.url()));
        let sources = items.flat_map(|item| {
            let insert_before = item.insert_before.as_ref().map(XPath::source);
            [item.next_link.source(), item.page_element.source()].into_iter().chain(insert_before)
        });
        sources.filter_map(|source| self.numbers.get(source).copied()).collect()
    }
}

fn write_set(rules: &Rules, folder: &Path, sample: usize, out: &mut impl Write) -> Result<(), BoxError> {
    let set = DataSet::open(folder)?;
    let urls = (0..set.labels().len()).map(|index| (mix(SEED, index), index));
    let mut order: Vec<(u64, usize)> = urls.collect();
    order.sort_unstable();
    let sampled: BTreeSet<usize> = order.into_iter().take(sample).map(|(_, index)| index).collect();
    let mut result: Result<(), std::io::Error> = Ok(());
    set.visit(None, |index, page| {
        let in_sample = sampled.contains(&index);
        let expressions: BTreeSet<usize> =
            if in_sample { (0..rules.sources.len()).collect() } else { rules.matching(&page) };
        if result.is_ok() && !expressions.is_empty() {
            result = writeln!(out, "{}", page_line(rules, &set.name, &page, in_sample, &expressions));
        }
    })?;
    Ok(result?)
}

fn page_line(rules: &Rules, set: &str, page: &Page, sample: bool, expressions: &BTreeSet<usize>) -> Value {
    let written = Written::of(page);
    let started = std::time::Instant::now();
    let (mut results, mut steps) = (serde_json::Map::new(), Vec::new());
    for number in expressions {
        if let Ok(xpath) = &rules.parsed[*number] {
            let mut budget = Budget::default();
            let result = xpath.evaluate_within(page, &mut budget);
            steps.push(BUDGET - budget.left());
            let value = match result {
                Ok(XPathValue::Nodes(nodes)) => {
                    let places: Vec<String> = written.places(page, &nodes);
                    if places.is_empty() {
                        continue;
                    }
                    json!({"nodes": places})
                }
                Ok(XPathValue::String(text)) => json!({"string": allowed(&text)}),
                Ok(XPathValue::Number(number)) => json!({"number": number.to_string()}),
                Ok(XPathValue::Boolean(truth)) => json!({"boolean": truth}),
                Err(error) => json!({"error": error.to_string()}),
            };
            results.insert(number.to_string(), value);
        }
    }
    let asked: Vec<usize> = if sample { Vec::new() } else { expressions.iter().copied().collect() };
    json!({
        "set": set, "url": page.url().as_str(), "all": sample, "asked": asked, "xml": written.xml,
        "nodes": written.nodes, "results": results, "micros": started.elapsed().as_micros(),
        "most_steps": steps.iter().max(), "steps": steps.iter().sum::<u64>(), "budget": BUDGET,
    })
}
