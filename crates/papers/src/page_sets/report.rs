//! The report of page-set methods, as Markdown.

use super::{
    BlockErrors, ErrorKind, KeptFigures, KeptVerdict, LEARNED_FROM, MOST_COMPARED, PAGES_OF_A_SET,
    PageSetMethod, PageSetPage, PageSetSite, PageSetsResult, Rates, Step, StepTimes, Times,
};
use crate::snapshots::snapshots_table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tsugi_learning::{Interval, bootstrap_interval};
use tsugi_training::dataset::DataSet;
use tsugi_training::measure::rounded;
use tsugi_training::report::with_interval;

/// The seed of the bootstrap.
const SEED: u64 = 1;

/// What the papers give, and where.
const PUBLISHED: &str = "\
## Published figures

| method | pages | P | R | F | perfect | source |
| --- | --- | --- | --- | --- | --- | --- |
| unique blocks | Japanese news: 535 pages of 3 sites, 75,669 blocks, 3,226 of them content | .980 | .911 | .944 | .738 | Yoshida & Yamamoto (2009), table 4, all blocks together |
| unique blocks, one set over all sites | the same | .980 | .911 | .945 | .738 | the same, table 5 |
| unique blocks, 18 pairs of near-duplicates taken out by hand | one of the three sites (with them: P .937, R .793) | .949 | .981 | – | – | the same, 4.3 |
| unique blocks | CNN: 175 pages, 31,401 blocks, 2,758 of them content | .944 | .713 | .812 | .297 | the same, table 7 |
| unique blocks, 14 pairs of near-duplicates taken out by hand | CNN | .941 | .895 | – | – | the same, 4.4 |
| unique blocks | 206 pages of 9 Japanese blogs | .923 | .882 | – | – | YIY, means over sites |
| selector rules of 3 pages | the same, other pages | .693 | .887 | – | – | YIY, means over sites; a twentieth of the time |
| repeated blocks | 50 pages each of 5 random sites and 3 content sites | .994 to 1 | .829 to .996 | – | – | Kurishima et al., table 1: characters, by site |

The pages of Yoshida & Yamamoto are articles of news sites. Those of YIY are articles of blogs; comments and trackbacks with their
titles, dates and names count as content there. Both were labelled block by block for the purpose. Those of Kurishima et al. are of
any kind, five of their sites drawn at random, and are scored by characters. Ours are for the most part listings, chapters and
pages of sequences, labelled by XPath of the content as a whole; comments are no content unless the labels of a data set take them.

YIY learn from the three oldest pages of a site. Stored pages have no age that could be relied on, so rules here learn from the
first pages of the archive, which are pages of one sequence more often than not; rules of pages spread over the set are the row below.

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
        blocks of the first {LEARNED_FROM} pages of a set, as published, and applied to the others; the rows below learn from \
        unique blocks with near-duplicates set aside and at least one a page. “One set over all sites” compares the pages of all page \
        sets with each other. The models saw no page of the site.\n\n\
        Blocks are those of Yoshida & Yamamoto (2009) that show a text or an image. Blank ones are left out: what shows nothing \
        is neither content nor not, to a reader and to labels by text, and rules never take it (YIY, 2.5). A block counts as kept, and as content, \
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
    block_counts(&mut out, sets, result, &pages);
    block_errors(&mut out, &pages);
    taught_by_unique(&mut out);
    gains(&mut out, &pages);
    let kind = |one: Measured<'_>| one.label().kind.clone().unwrap_or_else(|| "unknown".to_owned());
    grouped(&mut out, "data set", &pages, |one| one.set.name.clone());
    grouped(&mut out, "data set, kind", &pages, |one| format!("{} {}", one.set.name, kind(one)));
    grouped(&mut out, "pages of the set", &pages, |one| size(one.site.pages).to_owned());
    out.push_str("## Update date\n\n");
    out.push_str(&snapshots_table(&result.snapshots));
    out
}

/// Sums of blocks, after the papers' tables 3 and 6.
fn block_counts(out: &mut String, sets: &[DataSet], result: &PageSetsResult, pages: &[Measured<'_>]) {
    out.push_str(
        "## Blocks (tables 3 and 6)\n\nOf measured pages, but for blocks in all, which are those of all pages and include blank \
        ones. N: blocks that plain unique blocks keep; R: those of them that are content; C: content. The same by site, for every \
        method, is in the JSON lines. When pages were fetched is in the archives alone.\n\n\
        | data set | page sets | pages | blocks in all | that show something | C | N | R |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (place, set) in sets.iter().enumerate() {
        let of_set: Vec<&PageSetSite> = result.sites.iter().filter(|site| site.set == place).collect();
        let measured: Vec<Measured<'_>> = pages.iter().copied().filter(|one| one.site.set == place).collect();
        let Some(figures) = figures(&measured, PageSetMethod::Unique) else { continue };
        let counts = figures.block_counts;
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            set.name,
            of_set.len(),
            of_set.iter().map(|site| site.pages).sum::<usize>(),
            of_set.iter().map(|site| site.blocks).sum::<usize>(),
            counts.true_positives + counts.false_positives + counts.false_negatives + counts.true_negatives,
            counts.true_positives + counts.false_negatives,
            counts.true_positives + counts.false_positives,
            counts.true_positives,
        );
    }
    out.push('\n');
}

/// What the wrong blocks are.
fn block_errors(out: &mut String, pages: &[Measured<'_>]) {
    out.push_str(
        "## What unique blocks miss\n\nWrong blocks by kind, of unique blocks with near-duplicates set aside, and with dates \
        added. The paper names dates, names of authors and copyright notices of agencies: they vary little, so other pages have \
        them, too. Dates are told by the date recogniser, bylines and notices by words (“by”, “記者”, “©”).\n\n\
        | kind | missed | missed, with dates | kept by mistake | kept by mistake, with dates |\n| --- | --- | --- | --- | --- |\n",
    );
    for (place, kind) in ErrorKind::ALL.into_iter().enumerate() {
        let sum = |method: usize, of: fn(&BlockErrors) -> &[u64]| {
            pages.iter().map(|one| of(&one.page.errors[method])[place]).sum::<u64>()
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            kind.name(),
            sum(0, |errors| &errors.missed),
            sum(1, |errors| &errors.missed),
            sum(0, |errors| &errors.too_much),
            sum(1, |errors| &errors.too_much),
        );
    }
    out.push('\n');
}

fn taught_by_unique(out: &mut String) {
    out.push_str(
        "## Unique blocks as training data\n\nThe paper's future work. Two forests of the thesis' features, which judge single \
        pages, learn from the same pages of other sites: one takes the unique blocks of these pages (near-duplicates set aside, at \
        least one a page) for content, the other what their labels say. Neither gets a next link. They are the rows \
        “taught by” of the tables.\n\n",
    );
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
    fn label(self) -> &'a tsugi_training::label::Label {
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
        those that compare pages are timed over the whole set. Models: next link and content.\n\n",
    );
    times_table(&mut out, &times.all);
    let _ = writeln!(
        out,
        "\n## Beside comparing all pairs\n\nPage sets of at most {MOST_COMPARED} blocks, whose blocks can be compared pair by pair, as \
        YIY did when rules took a twentieth of the time. Whether they count parsing, they do not say: so per page without it \
        and with it.\n"
    );
    times_table(&mut out, &times.small);
    let small = |step: Step| a_page(&times.small, step).map(|(_, time)| time);
    let rules = Step::Keep(PageSetMethod::PlainRules);
    if let (Some(parse), Some(rules), Some(pairs)) = (small(Step::Parse), small(rules), small(Step::AllPairs))
    {
        let _ = writeln!(
            out,
            "\nApplying rules takes {:.3} of the time of all pairs, and {:.3} with parsing.",
            rules / pairs,
            (parse + rules) / (parse + pairs)
        );
    }
    out
}

/// Number of pages of a step, and milliseconds a page.
fn a_page(times: &StepTimes, step: Step) -> Option<(usize, f64)> {
    let (time, pages) = times.get(&step).filter(|(_, pages)| *pages > 0)?;
    Some((*pages, time.as_secs_f64() * 1e3 / *pages as f64))
}

fn times_table(out: &mut String, times: &StepTimes) {
    out.push_str("| step | pages | ms a page | ÷ parsing |\n| --- | --- | --- | --- |\n");
    let parsing = a_page(times, Step::Parse).map(|(_, time)| time).filter(|time| *time > 0.0);
    let steps = [Step::Parse, Step::AllPairs]
        .into_iter()
        .chain(PageSetMethod::ALL.into_iter().flat_map(|method| [Step::Learn(method), Step::Keep(method)]));
    for (step, (pages, time)) in steps.filter_map(|step| Some((step, a_page(times, step)?))) {
        let name = match step {
            Step::Parse => "parsing".to_owned(),
            Step::AllPairs => "unique blocks, all pairs".to_owned(),
            Step::Learn(method) => format!("{}, learning", method.name()),
            Step::Keep(method) => method.name().to_owned(),
        };
        let ratio = parsing.map_or_else(|| "–".to_owned(), |parsing| format!("{:.2}", time / parsing));
        let _ = writeln!(out, "| {name} | {pages} | {time:.3} | {ratio} |");
    }
}

/// A line of the file of a data set: one line a page set, without text.
#[derive(Debug, Serialize)]
pub struct PageSetLine<'a> {
    site: &'a str,
    pages: usize,
    /// Blocks of all pages, blank ones included.
    blocks: usize,
    measured: usize,
    /// By method.
    methods: BTreeMap<&'static str, MethodLine>,
}

/// Figures of a method on the measured pages of a set that it says something of.
#[derive(Debug, Serialize)]
struct MethodLine {
    pages: u64,
    /// Blocks that are kept and content (R), kept (N), content (C), and all that show something.
    counts: [u64; 4],
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
            blocks: site.blocks,
            measured: site.measured.len(),
            methods: PageSetMethod::ALL.into_iter().filter_map(line).collect(),
        }
    }
}

impl MethodLine {
    fn of(figures: &KeptFigures) -> MethodLine {
        let mean = |interval: Interval| rounded(interval.mean);
        let rates = |rates: Rates| [rates.precision, rates.recall, rates.f].map(mean);
        let counts = figures.block_counts;
        MethodLine {
            pages: figures.pages,
            counts: [
                counts.true_positives,
                counts.true_positives + counts.false_positives,
                counts.true_positives + counts.false_negatives,
                counts.true_positives
                    + counts.false_positives
                    + counts.false_negatives
                    + counts.true_negatives,
            ],
            blocks: rates(figures.blocks),
            perfect: mean(figures.perfect),
            characters: rates(figures.characters),
            text_f: figures.text_f.map(mean),
        }
    }
}
