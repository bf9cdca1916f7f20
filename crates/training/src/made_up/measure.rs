//! Joins made-up sites and measures the documents.

use super::site::{FAMILIES, MadeUpSite, SiteFamily};
use crate::tables::{Report, ReportDraft, ReportValue, grid, interval, mean, table};
use serde::Serialize;
use tsugi::{JoinOptions, Tsugi, Unavailable};
use tsugi_fetch::FetchError;
use tsugi_learning::Interval;
use tsugi_page::{Response, Url};

/// The most pages of a document, so that sites without an end have one.
pub const MAX_PAGES: usize = 20;

/// A document of a made-up site, measured: a line of `sites.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteLine {
    /// The kind of site.
    pub family: SiteFamily,
    /// What was drawn for the site.
    pub variant: String,
    /// The address of the page that the join started at.
    pub start: String,
    /// The addresses of the wanted pages.
    pub wanted: Vec<String>,
    /// The addresses of the joined pages.
    pub got: Vec<String>,
    /// Whether an honest document says that it is complete; `None` if nobody can know.
    pub wanted_complete: Option<bool>,
    /// Whether the document says so.
    pub complete: bool,
    /// Why it ends.
    pub stopped: &'static str,
    /// The same in words.
    pub detail: String,
    /// Number of requests.
    pub requests: usize,
    /// Just the wanted pages, in order, and an honest end.
    pub right: bool,
    /// What is wrong with it.
    pub faults: Vec<SiteFault>,
}

/// What may be wrong with a document of a made-up site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SiteFault {
    /// A page that is not wanted was joined.
    WrongJoin,
    /// A wanted page is missing, and no other one was joined.
    Short,
    /// The wanted pages are in another order, or some twice.
    Disordered,
    /// The document says that it is complete, and a page is missing.
    WronglyComplete,
    /// The document says that a page is missing, and none is.
    WronglyIncomplete,
}

/// Joins a site with the options that the command has by default.
///
/// # Errors
///
/// [`Unavailable`] if the first page of the site is not stored.
pub fn join_site(tsugi: &Tsugi, site: &MadeUpSite) -> Result<SiteLine, Unavailable> {
    let options = JoinOptions::default().max_pages(MAX_PAGES).single_page(true);
    let mut requests = 0;
    let get = |url: &Url| {
        requests += 1;
        answer(site, url)
    };
    let joined = tsugi.reassemble(&site.start, &options, get)?;
    let got: Vec<&Url> = joined.parts.iter().map(|part| part.page.url()).collect();
    let stopped = &joined.stopped;
    Ok(SiteLine::of(
        site,
        &got,
        (stopped.complete, stopped.reason.as_str(), stopped.detail.clone()),
        requests,
    ))
}

fn answer(site: &MadeUpSite, url: &Url) -> Result<Response, Unavailable> {
    let missing = || FetchError::Status { url: url.clone(), status: 404 }.into_unavailable(url);
    let page = site.page(url).ok_or_else(missing)?;
    // A server answers under the address that it was asked for.
    Ok(Response { url: url.clone(), ..page.response() })
}

impl SiteLine {
    fn of(
        site: &MadeUpSite,
        got: &[&Url],
        (complete, stopped, detail): (bool, &'static str, String),
        requests: usize,
    ) -> SiteLine {
        let keys = |urls: &[Url]| urls.iter().map(|url| site.key(url)).collect::<Vec<String>>();
        let wanted = keys(&site.wanted.pages);
        let (instead, optional) = (keys(&site.wanted.instead), keys(&site.wanted.optional));
        let got: Vec<String> = got.iter().map(|url| site.key(url)).collect();
        let counted: Vec<String> = got.iter().filter(|url| !optional.contains(url)).cloned().collect();
        let has_all = counted == wanted || matches!(&counted[..], [one] if instead.contains(one));
        let wrong_join = counted.iter().skip(1).any(|url| !wanted.contains(url));
        let lacks = wanted.iter().any(|url| !counted.contains(url)) && !has_all;
        let faults = [
            (SiteFault::WrongJoin, wrong_join),
            (SiteFault::Short, lacks && !wrong_join),
            (SiteFault::Disordered, !has_all && !lacks && !wrong_join),
            (SiteFault::WronglyComplete, complete && (lacks || site.wanted.complete == Some(false))),
            (SiteFault::WronglyIncomplete, !complete && has_all && site.wanted.complete == Some(true)),
        ];
        let faults: Vec<SiteFault> =
            faults.into_iter().filter_map(|(fault, is_so)| is_so.then_some(fault)).collect();
        SiteLine {
            family: site.family,
            variant: site.variant.clone(),
            start: site.start.to_string(),
            right: faults.is_empty(),
            faults,
            wanted,
            got,
            wanted_complete: site.wanted.complete,
            complete,
            stopped,
            detail,
            requests,
        }
    }
}

impl SiteLine {
    fn count(&self, fault: SiteFault) -> usize {
        usize::from(self.faults.contains(&fault))
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct OutcomeCounts {
    sites: usize,
    right: usize,
    wrong_joins: usize,
    short: usize,
    wrongly_complete: usize,
    wrongly_incomplete: usize,
}

impl OutcomeCounts {
    fn of<'a>(lines: impl IntoIterator<Item = &'a SiteLine>) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        for line in lines {
            counts.sites += 1;
            counts.right += usize::from(line.right);
            counts.wrong_joins += line.count(SiteFault::WrongJoin);
            counts.short += line.count(SiteFault::Short);
            counts.wrongly_complete += line.count(SiteFault::WronglyComplete);
            counts.wrongly_incomplete += line.count(SiteFault::WronglyIncomplete);
        }
        counts
    }
}

/// Returns the share of successes with its interval.
///
/// # Source
///
/// Wilson (1927), Probable Inference, the Law of Succession, and Statistical Inference, Journal of the American Statistical
/// Association 22, 209–212, <https://doi.org/10.2307/2276774>. The bootstrap of other reports gives no width where all or none
/// of a few sites are right.
fn wilson(successes: usize, all: usize) -> Option<Interval> {
    const Z: f64 = 1.96;
    if all == 0 {
        return None;
    }
    let (n, p) = (all as f64, successes as f64 / all as f64);
    let scale = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(Interval { mean: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

/// Reports the documents by family and in total.
pub fn sites_report(lines: &[SiteLine]) -> Report {
    let of_family =
        |family: &SiteFamily| OutcomeCounts::of(lines.iter().filter(|line| line.family == *family));
    let mut rows: Vec<(String, OutcomeCounts)> = FAMILIES
        .iter()
        .map(|family| (family.name(), of_family(family)))
        .filter(|(_, counts)| counts.sites > 0)
        .collect();
    let single = |line: &&SiteLine| line.family.is_of_single_articles();
    rows.push(("single articles".to_owned(), OutcomeCounts::of(lines.iter().filter(single))));
    rows.push(("others".to_owned(), OutcomeCounts::of(lines.iter().filter(|line| !single(line)))));
    rows.push(("all".to_owned(), OutcomeCounts::of(lines)));
    let mut draft = ReportDraft::default();
    draft.put("sites", lines.len());
    draft.put("families", family_table(rows));
    draft.put("requests", requests(lines));
    draft.finish(include_str!("measure.md"))
}

fn family_table(rows: Vec<(String, OutcomeCounts)>) -> ReportValue {
    table(
        rows,
        &[
            ("family", &|(name, _)| name.as_str().into()),
            ("sites", &|(_, of)| of.sites.into()),
            ("right", &|(_, of)| of.right.into()),
            ("share right", &|(_, of)| interval(wilson(of.right, of.sites))),
            ("wrong joins", &|(_, of)| of.wrong_joins.into()),
            ("share of wrong joins", &|(_, of)| interval(wilson(of.wrong_joins, of.sites))),
            ("short", &|(_, of)| of.short.into()),
            ("wrongly complete", &|(_, of)| of.wrongly_complete.into()),
            ("wrongly incomplete", &|(_, of)| of.wrongly_incomplete.into()),
        ],
    )
}

fn requests(lines: &[SiteLine]) -> ReportValue {
    let mut rows = Vec::new();
    for (name, of_single) in [("single articles", true), ("others", false)] {
        let mut numbers: Vec<usize> = lines
            .iter()
            .filter(|line| line.family.is_of_single_articles() == of_single)
            .map(|line| line.requests)
            .collect();
        numbers.sort_unstable();
        let values: Vec<f64> = numbers.iter().map(|number| *number as f64).collect();
        // The smallest number that 99 of 100 documents do not exceed.
        let at = (numbers.len() * 99).div_ceil(100).saturating_sub(1);
        rows.push(vec![
            name.into(),
            numbers.len().into(),
            mean(tsugi_learning::mean_interval(&values)),
            numbers.get(at).copied().unwrap_or(0).into(),
        ]);
    }
    grid(&["documents of", "documents", "requests (mean)", "99th percentile"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::{World, sites};

    #[test]
    fn an_interval_by_hand() {
        // Brown, Cai & DasGupta (2001): 10 of 10 gives [0.722, 1].
        let all = wilson(10, 10).unwrap();
        assert!((all.low - 0.722).abs() < 1e-3 && (all.high - 1.0).abs() < 1e-9, "{all:?}");
        assert_eq!(wilson(0, 0), None);
    }

    fn line(site: &MadeUpSite, got: &[&Url], complete: bool) -> SiteLine {
        SiteLine::of(site, got, (complete, "no-next", String::new()), got.len())
    }

    #[test]
    fn a_document_is_right_if_it_has_the_wanted_pages_and_an_honest_end() {
        let sites = sites(World::Judging, FAMILIES.len(), 1, &[]);
        let site = sites.iter().find(|site| site.family == SiteFamily::SplitThenNext).unwrap();
        let mut wanted: Vec<&Url> = site.wanted.pages.iter().collect();
        assert!(line(site, &wanted, true).right);
        assert_eq!(line(site, &wanted, false).faults, [SiteFault::WronglyIncomplete]);
        let short = line(site, &wanted[..1], true);
        assert_eq!(short.faults, [SiteFault::Short, SiteFault::WronglyComplete]);
        let twice: Vec<&Url> = wanted.iter().chain(&wanted).copied().collect();
        assert_eq!(line(site, &twice, true).faults, [SiteFault::Disordered]);
        let other = site.pages.iter().find(|page| !site.wanted.pages.contains(&page.url)).unwrap();
        wanted.push(&other.url);
        let wrong = line(site, &wanted, true);
        assert!(wrong.faults == [SiteFault::WrongJoin] && !wrong.right);
    }

    #[test]
    fn stubs_do_not_count_and_a_missing_page_is_told() {
        let sites = sites(World::Judging, FAMILIES.len(), 1, &[]);
        let of = |family: SiteFamily| sites.iter().find(|site| site.family == family).unwrap();
        let stubs = of(SiteFamily::RefreshStubs);
        let mut got: Vec<&Url> = stubs.wanted.pages.iter().collect();
        got.insert(1, &stubs.wanted.optional[0]);
        assert!(line(stubs, &got, true).right);
        let more = of(SiteFamily::SaysMore);
        let got: Vec<&Url> = more.wanted.pages.iter().collect();
        assert_eq!(line(more, &got, true).faults, [SiteFault::WronglyComplete]);
        assert!(line(more, &got, false).right);
    }
}
