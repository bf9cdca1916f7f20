//! The report of page-set methods, as Markdown.

use super::{
    KeptFigures, KeptVerdict, LEARNED_FROM, PAGES_OF_A_SET, PageSetMethod, PageSetPage, PageSetSite,
    PageSetsResult, Rates, Step, Times,
};
use crate::dataset::DataSet;
use crate::measure::rounded;
use crate::report::with_interval;
use crate::snapshots::snapshots_table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tsugi_learning::{Interval, bootstrap_interval};

/// The seed of the bootstrap.
const SEED: u64 = 1;

/// What the papers give, and where.
const PUBLISHED: &str = "\
## Published figures

| method | pages | P | R | F | perfect | source |
| --- | --- | --- | --- | --- | --- | --- |
| unique blocks | Japanese news | .980 | .911 | .944 | .738 | Yoshida & Yamamoto (2009), all blocks together |
| unique blocks | CNN | .944 | .713 | .812 | .297 | the same |
| unique blocks | CNN, near-duplicates taken out by hand | .941 | .895 | – | – | the same, 4.3 |
| unique blocks | 206 pages of 9 Japanese blogs | .923 | .882 | – | – | YIY, means over sites |
| selector rules of 3 pages | the same, other pages | .693 | .887 | – | – | YIY, means over sites; a twentieth of the time |
| repeated blocks | 400 pages of 8 sites | .994 to 1 | .829 to .996 | – | – | Kurishima et al., table 1: characters, by site |

Their pages are articles, one a page, of single sites, and their labels were made block by block for the purpose. Ours are
for the most part listings, chapters and pages of sequences, labelled by XPath of the content as a whole.
";

/// Upper ends of the classes of sizes of page sets.
const SIZES: [(usize, &str); 3] = [(4, "3 and 4"), (7, "5 to 7"), (usize::MAX, "8 and more")];

/// Writes the results of measuring page-set methods; times are left to [`page_sets_times`].
pub fn page_sets_report(sets: &[DataSet], result: &PageSetsResult) -> String {
    let mut out = String::from("# Page-set methods\n\n");
    let _ = writeln!(
        out,
        "The pages of a site that a data set holds are a page set if they are {PAGES_OF_A_SET} or more. All of them are \
        compared; those whose content nodes are labelled are measured. Selector rules are learned from the unique \
        blocks of the first {LEARNED_FROM} pages of a set (near-duplicates set aside, at least one a page) and applied to \
        the others. The models saw no page of the site.\n\n\
        Blocks are those of Yoshida & Yamamoto (2009) that show a text or an image. A block counts as kept, and as content, \
        if more than half of the characters that it holds itself are, an image counted as one; repeated blocks are strings, \
        which keep no image. P = content ÷ kept, \
        R = kept ÷ content, perfect = share of pages with no block wrong. Characters are those of texts. Text F: mean F \
        over bags of tokens. In brackets the interval that covers 95 of 100 draws of sites.\n"
    );
    let pages: Vec<Measured<'_>> = result
        .sites
        .iter()
        .flat_map(|site| site.measured.iter().map(move |page| Measured { site, page, set: &sets[site.set] }))
        .collect();
    let in_all: usize = result.sites.iter().map(|site| site.pages).sum();
    let _ = writeln!(
        out,
        "{} page sets of {in_all} pages, {} of them measured; {} labels cannot be measured by.\n",
        result.sites.len(),
        pages.len(),
        result.complaints.len()
    );
    section(&mut out, "All measured pages", &pages);
    let others: Vec<Measured<'_>> = pages.iter().copied().filter(|one| !one.page.learned_from).collect();
    section(&mut out, "Pages that no rule was learned from", &others);
    out.push_str(PUBLISHED);
    out.push('\n');
    gains(&mut out, &pages);
    let kind = |one: Measured<'_>| one.label().kind.clone().unwrap_or_else(|| "unknown".to_owned());
    grouped(&mut out, "data set", &pages, |one| one.set.name.clone());
    grouped(&mut out, "data set, kind", &pages, |one| format!("{} {}", one.set.name, kind(one)));
    grouped(&mut out, "pages of the set", &pages, |one| size(one.site.pages).to_owned());
    out.push_str("## Update date\n\n");
    out.push_str(&snapshots_table(&result.snapshots));
    out
}

/// How far the mean text F of a site must move to count as better or worse.
const MOVED: f64 = 0.005;

/// What the other pages of a site add to the models.
fn gains(out: &mut String, pages: &[Measured<'_>]) {
    let _ = writeln!(
        out,
        "## What the other pages of a site add to the models\n\nText F, page by page, of what the models find together with \
        what unique blocks (near-duplicates set aside) say. Better, worse: sites whose mean moves by more than {MOVED}.\n\n\
        | models | pages | sites | alone | together | gain | better | worse |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    for method in [PageSetMethod::ModelsLess, PageSetMethod::ModelsMore] {
        gain_row(out, method, pages);
    }
    out.push('\n');
}

/// The group of a site, and by page F of the models alone and together with another method.
type OfSite = (usize, Vec<[f64; 2]>);

fn gain_row(out: &mut String, method: PageSetMethod, pages: &[Measured<'_>]) {
    let text_f = |one: &Measured<'_>, method: PageSetMethod| one.page.verdicts[method as usize]?.text_f;
    // By group, data set, site.
    let mut by_site: BTreeMap<(usize, usize, &str), Vec<[f64; 2]>> = BTreeMap::new();
    for one in pages {
        if let (Some(alone), Some(together)) = (text_f(one, PageSetMethod::Models), text_f(one, method)) {
            let site = (one.site.group, one.site.set, one.site.site.as_str());
            by_site.entry(site).or_default().push([alone, together]);
        }
    }
    let sites: Vec<OfSite> = by_site.into_iter().map(|((group, _, _), pages)| (group, pages)).collect();
    let groups: Vec<&[OfSite]> = sites.chunk_by(|one, other| one.0 == other.0).collect();
    let mean_of = |figure: fn(&[f64; 2]) -> f64| {
        bootstrap_interval(groups.len(), SEED, |drawn| {
            let pages = drawn.iter().flat_map(|at| groups[*at]).flat_map(|(_, pages)| pages).map(figure);
            let (count, sum) = pages.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
            sum / f64::from(count.max(1))
        })
    };
    let moved = |(_, pages): &&OfSite| {
        pages.iter().map(|[alone, together]| together - alone).sum::<f64>() / pages.len() as f64
    };
    let gain = mean_of(|[alone, together]| together - alone);
    let gain = gain.map(|gain| format!("{:+.4} ({:+.4}–{:+.4})", gain.mean, gain.low, gain.high));
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {} | {} | {} | {} |",
        method.name(),
        sites.iter().map(|(_, pages)| pages.len()).sum::<usize>(),
        sites.len(),
        mean(mean_of(|[alone, _]| *alone)),
        mean(mean_of(|[_, together]| *together)),
        gain.unwrap_or_else(|| "–".to_owned()),
        sites.iter().filter(|site| moved(site) > MOVED).count(),
        sites.iter().filter(|site| moved(site) < -MOVED).count(),
    );
}

/// A measured page and where it belongs.
#[derive(Clone, Copy)]
struct Measured<'a> {
    set: &'a DataSet,
    site: &'a PageSetSite,
    page: &'a PageSetPage,
}

impl<'a> Measured<'a> {
    fn label(self) -> &'a crate::label::Label {
        &self.set.labels()[self.page.label]
    }
}

fn size(pages: usize) -> &'static str {
    SIZES.iter().find(|(most, _)| pages <= *most).map_or("", |(_, name)| name)
}

/// The figures of a method on some pages; `None` if it says nothing of any.
fn figures(pages: &[Measured<'_>], method: PageSetMethod) -> Option<KeptFigures> {
    let verdict = |one: &Measured<'_>| -> Option<KeptVerdict> { one.page.verdicts[method as usize] };
    // Two data sets may hold pages of one site: those are two page sets.
    let verdicts: Vec<_> = pages
        .iter()
        .filter_map(|one| Some(((one.site.set, one.site.site.as_str()), one.site.group, verdict(one)?)))
        .collect();
    KeptFigures::of(verdicts.iter().map(|(site, group, verdict)| (*site, *group, verdict)))
}

fn section(out: &mut String, title: &str, pages: &[Measured<'_>]) {
    let rows = PageSetMethod::ALL.map(|method| (method.name(), figures(pages, method)));
    let _ = writeln!(out, "## {title}\n");
    kept_table(out, "method", rows.iter().filter_map(|(name, figures)| Some((*name, figures.as_ref()?))));
    out.push_str(
        "| method | characters P | R | F | P of sites | R | F | text F |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (name, figures) in rows.iter().filter_map(|(name, figures)| Some((name, figures.as_ref()?))) {
        let (characters, of_sites) = (figures.characters, figures.characters_of_sites);
        let text = with_interval(figures.text_f);
        let _ = writeln!(out, "| {name} | {} | {} | {text} |", rates(characters), rates(of_sites));
    }
    out.push('\n');
}

/// Writes a table of figures over blocks; `what` names the rows.
fn kept_table<'a>(out: &mut String, what: &str, rows: impl Iterator<Item = (&'a str, &'a KeptFigures)>) {
    let _ = writeln!(
        out,
        "| {what} | pages | sites | blocks P | R | F | perfect | P of sites | R | F |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    for (name, figures) in rows {
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} |",
            figures.pages,
            figures.sites,
            rates(figures.blocks),
            with_interval(Some(figures.perfect)),
            rates(figures.blocks_of_sites),
        );
    }
    out.push('\n');
}

/// Three columns.
fn rates(rates: Rates) -> String {
    [rates.precision, rates.recall, rates.f].map(|rate| with_interval(Some(rate))).join(" | ")
}

fn grouped(out: &mut String, what: &str, pages: &[Measured<'_>], name: impl Fn(Measured<'_>) -> String) {
    let mut groups: BTreeMap<String, Vec<Measured<'_>>> = BTreeMap::new();
    for one in pages {
        groups.entry(name(*one)).or_default().push(*one);
    }
    let _ = writeln!(
        out,
        "## By {what}\n\n| {what} | method | {ROW} |\n| --- | --- {}|",
        "| --- ".repeat(ROW.split('|').count())
    );
    for (name, pages) in &groups {
        for method in PageSetMethod::ALL {
            let Some(figures) = figures(pages, method) else { continue };
            let _ = writeln!(out, "| {name} | {} | {} |", method.name(), row(&figures, with_interval));
        }
    }
    out.push('\n');
}

/// The columns of a [`row`].
const ROW: &str = "pages | blocks P | R | F | perfect | characters P | R | F | text F";

/// Figures over pages together; `show` writes F over blocks.
fn row(figures: &KeptFigures, show: fn(Option<Interval>) -> String) -> String {
    let (blocks, characters) = (figures.blocks, figures.characters);
    format!(
        "{} | {} | {} | {} | {} | {} | {} | {} | {}",
        figures.pages,
        mean(Some(blocks.precision)),
        mean(Some(blocks.recall)),
        show(Some(blocks.f)),
        mean(Some(figures.perfect)),
        mean(Some(characters.precision)),
        mean(Some(characters.recall)),
        mean(Some(characters.f)),
        mean(figures.text_f),
    )
}

/// A figure without its interval.
fn mean(interval: Option<Interval>) -> String {
    interval.map_or_else(|| "–".to_owned(), |interval| format!("{:.3}", interval.mean))
}

/// Writes a table of some measured pages, given with the names of their sites: all pages together, the means of the sites,
/// and a line a site; `None` without any page.
pub fn kept_report(pages: &[(String, KeptVerdict)]) -> Option<String> {
    let mut by_site: BTreeMap<&str, Vec<&KeptVerdict>> = BTreeMap::new();
    for (site, verdict) in pages {
        by_site.entry(site).or_default().push(verdict);
    }
    let groups = by_site.iter().enumerate();
    let all = KeptFigures::of(
        groups.flat_map(|(group, (site, pages))| pages.iter().map(move |page| (*site, group, *page))),
    )?;
    let mut out = format!("| site | {ROW} |\n| --- {}|\n", "| --- ".repeat(ROW.split('|').count()));
    let _ = writeln!(out, "| *all pages* | {} |", row(&all, with_interval));
    let (blocks, characters) = (all.blocks_of_sites, all.characters_of_sites);
    let [block_p, block_r] = [blocks.precision, blocks.recall].map(|rate| mean(Some(rate)));
    let [p, r, f] = [characters.precision, characters.recall, characters.f].map(|rate| mean(Some(rate)));
    let block_f = with_interval(Some(blocks.f));
    let _ = writeln!(
        out,
        "| *mean of {} sites* | {} | {block_p} | {block_r} | {block_f} | – | {p} | {r} | {f} | – |",
        all.sites, all.pages
    );
    for (site, pages) in &by_site {
        let figures = KeptFigures::of(pages.iter().map(|page| (*site, 0, *page)))?;
        let _ = writeln!(out, "| {} | {} |", cell(site), row(&figures, mean));
    }
    Some(out)
}

/// The longest name that a table shows, in characters.
const LONGEST_NAME: usize = 80;

/// A name as it can stand in a table.
fn cell(name: &str) -> String {
    let shown = name.chars().take(LONGEST_NAME);
    shown.map(|c| if c.is_control() || c == '|' { ' ' } else { c }).collect()
}

/// Writes how long the methods took: no two runs say the same, so it stands apart from the report.
pub fn page_sets_times(times: &Times) -> String {
    let mut out = String::from(
        "# Page-set methods: time\n\nOf one thread, over all pages of the page sets. Methods begin with parsed pages; \
        those that compare pages are timed over the whole set. Models: next link and content.\n\n\
        | step | pages | ms a page | ÷ parsing |\n| --- | --- | --- | --- |\n",
    );
    let a_page = |step: Step| {
        let (time, pages) = times.0.get(&step).filter(|(_, pages)| *pages > 0)?;
        Some((*pages, time.as_secs_f64() * 1e3 / *pages as f64))
    };
    let parsing = a_page(Step::Parse).map(|(_, time)| time).filter(|time| *time > 0.0);
    let steps = [Step::Parse, Step::Learn].into_iter().chain(PageSetMethod::ALL.map(Step::Keep));
    for (step, (pages, time)) in steps.filter_map(|step| Some((step, a_page(step)?))) {
        let name = match step {
            Step::Parse => "parsing",
            Step::Learn => "selector rules, learning",
            Step::Keep(method) => method.name(),
        };
        let ratio = parsing.map_or_else(|| "–".to_owned(), |parsing| format!("{:.2}", time / parsing));
        let _ = writeln!(out, "| {name} | {pages} | {time:.3} | {ratio} |");
    }
    out
}

/// A line of the file of a data set: one line a page set, without text.
#[derive(Debug, Serialize)]
pub struct PageSetLine<'a> {
    site: &'a str,
    pages: usize,
    measured: usize,
    /// By method.
    methods: BTreeMap<&'static str, MethodLine>,
}

/// Figures of a method on the measured pages of a set that it says something of.
#[derive(Debug, Serialize)]
struct MethodLine {
    pages: u64,
    /// Precision, recall and F over blocks.
    blocks: [f64; 3],
    perfect: f64,
    /// Precision, recall and F over characters.
    characters: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    text_f: Option<f64>,
}

impl<'a> PageSetLine<'a> {
    /// The line of a page set.
    pub fn of(site: &'a PageSetSite) -> PageSetLine<'a> {
        let line = |method: PageSetMethod| {
            let verdicts = site.measured.iter().filter_map(|page| page.verdicts[method as usize].as_ref());
            let figures = KeptFigures::of(verdicts.map(|verdict| (site.site.as_str(), site.group, verdict)))?;
            Some((method.key(), MethodLine::of(&figures)))
        };
        PageSetLine {
            site: &site.site,
            pages: site.pages,
            measured: site.measured.len(),
            methods: PageSetMethod::ALL.into_iter().filter_map(line).collect(),
        }
    }
}

impl MethodLine {
    fn of(figures: &KeptFigures) -> MethodLine {
        let mean = |interval: Interval| rounded(interval.mean);
        let rates = |rates: Rates| [rates.precision, rates.recall, rates.f].map(mean);
        MethodLine {
            pages: figures.pages,
            blocks: rates(figures.blocks),
            perfect: mean(figures.perfect),
            characters: rates(figures.characters),
            text_f: figures.text_f.map(mean),
        }
    }
}
