//! The tables of `tsugi-lab blocks … --evaluate`: what a method keeps of some pages, by labels.

use super::measure::{Gold, KeptFigures, KeptVerdict};
use crate::ngrams::{NGramOverlap, ReferenceText};
use std::collections::BTreeMap;
use tsugi_learning::Interval;
use tsugi_page::Page;
use tsugi_site_blocks::Kept;
use tsugi_training::conventions::Convention;
use tsugi_training::label::PageLabel;
use tsugi_training::measure::{Overlap, TokenRule, token_overlap};
use tsugi_training::tables::{ReportDraft, ReportValue, figure, grid, interval, mean};

/// Longest name of a site in a table, in characters.
const LONGEST_NAME: usize = 80;

pub(super) const CELLS: [&str; 9] =
    ["pages", "blocks P", "R", "F", "perfect", "characters P", "R", "F", "text F"];

/// Figures over pages together; `show` writes F over blocks.
pub(super) fn cells(figures: &KeptFigures, show: fn(Option<Interval>) -> ReportValue) -> [ReportValue; 9] {
    let KeptFigures { blocks, characters, .. } = figures;
    [
        figures.pages.into(),
        mean(blocks.precision),
        mean(blocks.recall),
        show(Some(blocks.f)),
        mean(figures.perfect),
        mean(characters.precision),
        mean(characters.recall),
        mean(characters.f),
        mean(figures.text_f),
    ]
}

/// The part of a page that a method keeps, measured by all that its label says of the content.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptMeasures {
    site: String,
    /// By the labelled nodes; `None` if the label is a text alone.
    nodes: Option<KeptVerdict>,
    /// By the labelled text; `None` if the label has none.
    text: Option<TextMeasures>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct TextMeasures {
    tokens: Overlap,
    bleu: f64,
    rouge: f64,
}

impl TextMeasures {
    fn of(gold: &str, text: &str, rule: TokenRule) -> TextMeasures {
        let overlap: NGramOverlap = ReferenceText::new(gold).overlap(text);
        TextMeasures {
            tokens: token_overlap(text, gold, rule),
            bleu: overlap.bleu_4(),
            rouge: overlap.rouge_2(),
        }
    }

    fn rates(self) -> [f64; 5] {
        [self.tokens.precision(), self.tokens.recall(), self.tokens.f(), self.bleu, self.rouge]
    }
}

impl KeptMeasures {
    /// Measures what a method keeps of a page; `None` if the label knows neither nodes nor text.
    ///
    /// # Errors
    ///
    /// The mistake in the label: an unusable expression, or an empty selection.
    pub fn of(page: &Page, label: &PageLabel, kept: &Kept) -> Result<Option<KeptMeasures>, String> {
        let nodes = Gold::of(page, label)?.map(|gold| KeptVerdict::of(page, label, &gold, kept));
        let rule = Convention::of(label).tokens;
        let text = label.text.as_ref().map(|gold| TextMeasures::of(gold, &kept.text(page), rule));
        if nodes.is_none() && text.is_none() {
            return Ok(None);
        }
        Ok(Some(KeptMeasures { site: label.site.clone(), nodes, text }))
    }
}

/// Makes two tables of measured pages: by labelled nodes, and by labelled texts. Each has all pages together, the mean of the
/// sites, and a line a site. `None` without any page.
pub fn kept_report(pages: &[KeptMeasures]) -> Option<String> {
    let tables = [nodes_table(pages), texts_table(pages)];
    if tables.iter().all(Option::is_none) {
        return None;
    }
    let mut draft = ReportDraft::default();
    let [nodes, texts] = tables.map(|table| table.unwrap_or_else(|| "".into()));
    draft.put("nodes", nodes);
    draft.put("texts", texts);
    let filled = draft.fill("{nodes}\n\n{texts}");
    Some(filled.trim_start().to_owned())
}

/// By site: some measures of its pages.
type OfSites<'a, T> = BTreeMap<&'a str, Vec<T>>;

fn by_site<T>(pages: &[KeptMeasures], of: fn(&KeptMeasures) -> Option<T>) -> OfSites<'_, T> {
    let mut sites: OfSites<'_, T> = BTreeMap::new();
    for page in pages {
        if let Some(measures) = of(page) {
            sites.entry(&page.site).or_default().push(measures);
        }
    }
    sites
}

fn nodes_table(pages: &[KeptMeasures]) -> Option<ReportValue> {
    let sites = by_site(pages, |page| page.nodes);
    let groups = sites.iter().enumerate();
    let all = KeptFigures::of(
        groups.flat_map(|(group, (site, pages))| pages.iter().map(move |page| (*site, group, page))),
    )?;
    let of_sites =
        KeptFigures { blocks: all.blocks_of_sites, characters: all.characters_of_sites, text_f: None, ..all };
    let mut mean_row = nodes_row(format!("*mean of {} sites*", all.sites), &of_sites, interval);
    // Neither counts nor the share of perfect pages are means of sites.
    for cell in [2, 3, 4, 8] {
        mean_row[cell] = "–".into();
    }
    let mut rows = vec![nodes_row("*all pages*".to_owned(), &all, interval), mean_row];
    for (site, pages) in &sites {
        let figures = KeptFigures::of(pages.iter().map(|page| (*site, 0, page)))?;
        rows.push(nodes_row(table_name(site), &figures, mean));
    }
    let (pages, rates) = CELLS.split_at(1);
    Some(grid(&[&["site"], pages, &["C", "N", "R"], rates].concat(), rows))
}

/// A line; after the number of pages stand the blocks that are content (C), kept (N), and both (R).
fn nodes_row(
    name: String,
    figures: &KeptFigures,
    show: fn(Option<Interval>) -> ReportValue,
) -> Vec<ReportValue> {
    let counts = figures.block_counts;
    let both = counts.true_positives;
    let mut row = vec![name.into()];
    row.extend(cells(figures, show));
    let counts = [both + counts.false_negatives, both + counts.false_positives, both];
    row.splice(2..2, counts.map(ReportValue::from));
    row
}

fn texts_table(pages: &[KeptMeasures]) -> Option<ReportValue> {
    let sites = by_site(pages, |page| page.text.map(TextMeasures::rates));
    if sites.is_empty() {
        return None;
    }
    let all: Vec<[f64; 5]> = sites.values().flatten().copied().collect();
    let of_sites: Vec<[f64; 5]> = sites.values().map(|pages| means(pages)).collect();
    let rows = [("*all pages*".to_owned(), all.len(), means(&all))].into_iter();
    let rows = rows.chain([(format!("*mean of {} sites*", sites.len()), all.len(), means(&of_sites))]);
    let rows = rows.chain(sites.iter().map(|(site, pages)| (table_name(site), pages.len(), means(pages))));
    let rows = rows.map(|(name, pages, rates)| {
        let mut row = vec![name.into(), pages.into()];
        row.extend(rates.map(figure));
        row
    });
    Some(grid(&["site", "texts", "tokens P", "R", "F", "BLEU-4", "ROUGE-2"], rows))
}

fn means(pages: &[[f64; 5]]) -> [f64; 5] {
    std::array::from_fn(|rate| pages.iter().map(|page| page[rate]).sum::<f64>() / pages.len().max(1) as f64)
}

fn table_name(name: &str) -> String {
    let shown = name.chars().take(LONGEST_NAME);
    shown.map(|c| if c.is_control() || c == '|' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(label: &PageLabel, kept: &[&str]) -> KeptMeasures {
        let html = "<ul>menu</ul><div><p>Snow fell in June.</p><p>Gone by noon.</p></div>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let blocks: Vec<_> = page.elements().filter(|id| kept.contains(&page.tag(*id))).collect();
        KeptMeasures::of(&page, label, &Kept::of_blocks(&page, &blocks)).unwrap().unwrap()
    }

    #[test]
    fn texts_are_measured_without_nodes() {
        let text = Some("Snow fell in June.\nGone by noon.".to_owned());
        let alone = PageLabel { site: "a".to_owned(), text: text.clone(), ..PageLabel::default() };
        let nodes = PageLabel {
            site: "b".to_owned(),
            content: vec!["//div".to_owned()],
            labels: vec!["content".to_owned()],
            text,
            ..PageLabel::default()
        };
        let pages = [measures(&alone, &["p"]), measures(&nodes, &["p", "ul"])];
        let report = kept_report(&pages).unwrap();
        let lines: Vec<&str> = report.lines().collect();
        assert!(lines[0].starts_with("| site | pages | C | N | R | blocks P |"), "{report}");
        // By nodes the second page alone: 2 blocks are content, 3 kept, 2 both.
        assert!(lines[2].starts_with("| *all pages* | 1 | 2 | 3 | 2 | 0.667 |"), "{report}");
        assert!(
            lines.iter().any(|line| line.starts_with("| *all pages* | 2 | ")),
            "both by their texts: {report}"
        );
        // 7 tokens of the label, all kept, and `menu`.
        assert!(lines.contains(&"| a | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |"), "{report}");
        assert!(lines.iter().any(|line| line.starts_with("| b | 1 | 0.875 | 1.000 | 0.933 |")), "{report}");
        assert_eq!(kept_report(&[]), None);
    }

    #[test]
    fn names_of_sites_fit_in_a_table() {
        assert_eq!(
            table_name(&("a|b\u{7}".to_owned() + &"x".repeat(100))),
            format!("a b {}", "x".repeat(76))
        );
    }

    #[test]
    fn a_label_without_content_measures_nothing() {
        let page = Page::from_text("<p>a", &"https://a.test/".parse().unwrap());
        assert_eq!(KeptMeasures::of(&page, &PageLabel::default(), &Kept::all(&page)), Ok(None));
    }
}
