//! All chains of pages among stored ones.
//!
//! A chain never leaves its host, so hosts can be chained one by one, in any order and in parallel. Within a host, every page is
//! looked at ([`Looked`]), a [`Chaining`] decides which page leads to which, and its [`ChainRun`]s, which share no page, are
//! joined in any order ([`ChainPlan::join`]). [`chains`] does all that for pages in memory, one after the other.

use crate::following::{Came, Following, MAX_STUBS};
use crate::options::JoinOptions;
use crate::sight::{Role, Sight};
use crate::tsugi::Tsugi;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use tsugi_document::Reassembly;
use tsugi_page::{NextLink, Response, Unavailable, Url, address};

/// The most bytes of pages, as stored, that [`chains`] keeps from reading to joining; their trees take about twice as much.
const KEPT_BYTES: usize = 128 << 20;

/// Joins all chains of pages among stored ones: each of `urls` becomes part of exactly one document.
///
/// `get` returns a stored page. `visit` receives each start address with the
/// pages of the document, or why its first page could not be read.
///
/// If several pages of a host lead to the same next page, the link with the highest score wins, then the first. Links that are
/// only tried come after all others, and lead to no page that leads back to theirs. Documents start
/// at the pages that no page leads to, then at pages where another document stopped short, and last in circles. An address that
/// redirects to another stored one, or to another host, has no document of its own.
/// [`JoinOptions::from_start`] and [`JoinOptions::single_page`] are ignored, since each page belongs to its own document.
///
/// # Errors
///
/// The first error that `visit` returns; it ends the run.
///
/// # Cost
///
/// Each page is parsed and looked at once, unless the pages take more than 128 MiB in all.
///
/// # Examples
///
/// ```
/// use tsugi::{JoinOptions, Reassembly, Response, Tsugi, Unavailable, Url, chains::chains};
///
/// /// Prints the address and the number of pages of each document.
/// fn list(tsugi: &Tsugi, urls: &[Url], get: impl Fn(&Url) -> Result<Response, Unavailable>) {
///     let print = |start: &Url, joined: Result<Reassembly, Unavailable>| -> Result<(), Unavailable> {
///         println!("{start}: {} pages", joined?.parts.len());
///         Ok(())
///     };
///     if let Err(error) = chains(tsugi, urls, &JoinOptions::default(), get, print) {
///         println!("{error}");
///     }
/// }
/// ```
pub fn chains<E>(
    tsugi: &Tsugi,
    urls: &[Url],
    options: &JoinOptions,
    get: impl Fn(&Url) -> Result<Response, Unavailable>,
    mut visit: impl FnMut(&Url, Result<Reassembly, Unavailable>) -> Result<(), E>,
) -> Result<(), E> {
    let mut chaining = Chaining::new(tsugi, options, KEPT_BYTES);
    for url in urls {
        let looked = get(url).ok().map(|response| Looked::of(tsugi, options, response));
        chaining.add(url, looked);
    }
    let (plan, runs) = chaining.finish();
    for run in runs {
        let url = |page: usize| Ok(urls[page].clone());
        plan.join(run, url, &get, |start, joined| visit(start, joined))?;
    }
    Ok(())
}

/// A stored page, and what looking at it found.
#[derive(Debug)]
pub struct Looked {
    sight: Sight,
    /// Its size as stored.
    bytes: usize,
}

impl Looked {
    /// Parses and looks at a page. Needs nothing but the page, so pages can be looked at in parallel.
    ///
    /// # Examples
    ///
    /// [`Chaining`] has one.
    pub fn of(tsugi: &Tsugi, options: &JoinOptions, response: Response) -> Looked {
        let (page, bytes) = (response.page(), response.body.len());
        // The page does not need the bytes any more.
        drop(response);
        // Which pages are judged is known only when all have been looked at.
        Looked { sight: Sight::of(tsugi, page, &forward(options), Role::Unjudged), bytes }
    }

    /// Returns the size of the page as stored, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Returns the options of a join that neither looks back nor for a single page.
fn forward(options: &JoinOptions) -> JoinOptions {
    options.from_start(false).single_page(false)
}

/// Decides which stored page leads to which. It is told of the pages of one host or more, in order, and keeps some of them.
///
/// # Examples
///
/// ```
/// use tsugi::chains::{Chaining, Looked};
/// use tsugi::{JoinOptions, Response, Tsugi, Unavailable, Url};
///
/// fn join(tsugi: &Tsugi, urls: &[Url], get: impl Fn(&Url) -> Result<Response, Unavailable>) {
///     let (options, kept_bytes) = (JoinOptions::default(), 8 << 20);
///     let mut chaining = Chaining::new(tsugi, &options, kept_bytes);
///     for url in urls {
///         // This could be done by several threads.
///         let looked = get(url).ok().map(|response| Looked::of(tsugi, &options, response));
///         chaining.add(url, looked);
///     }
///     let (plan, runs) = chaining.finish();
///     for run in runs {
///         // So could this.
///         let joined = plan.join(run, |page| Ok(urls[page].clone()), &get, |start, joined| {
///             println!("{start}: {} pages", joined?.parts.len());
///             Ok::<(), Unavailable>(())
///         });
///         if let Err(error) = joined {
///             println!("{error}");
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Chaining {
    tsugi: Tsugi,
    options: JoinOptions,
    /// The most bytes of pages to keep, as stored.
    room: usize,
    bytes: usize,
    kept: BTreeMap<usize, Looked>,
    /// The [`key`] of each page.
    keys: Vec<u64>,
    claims: Vec<LinkClaim>,
    /// Pages whose addresses redirect, and the keys of the addresses that answered; `None` on another host.
    redirects: Vec<(usize, Option<u64>)>,
}

/// A link that a page would follow.
#[derive(Debug, Clone, Copy)]
struct LinkClaim {
    /// The number of the page.
    page: usize,
    /// Its [`exact`] address.
    from: u64,
    /// The [`key`] of the next page.
    to: u64,
    score: f32,
    /// Whether the link is only tried.
    is_tried: bool,
}

impl Chaining {
    /// Begins without pages, and keeps at most so many bytes of them, as stored, until they are joined. Others are parsed
    /// again.
    pub fn new(tsugi: &Tsugi, options: &JoinOptions, room: usize) -> Chaining {
        Chaining {
            tsugi: tsugi.clone(),
            options: forward(options),
            room,
            bytes: 0,
            kept: BTreeMap::new(),
            keys: Vec::new(),
            claims: Vec::new(),
            redirects: Vec::new(),
        }
    }

    /// Adds the page of an address; `None` if it cannot be read. Pages are numbered from 0.
    pub fn add(&mut self, url: &Url, looked: Option<Looked>) {
        let page = self.keys.len();
        self.keys.push(key(url));
        let Some(looked) = looked else { return };
        let sight = &looked.sight;
        let at = sight.page.url();
        if key(at) != key(url) {
            self.redirects.push((page, address::same_host(url, at).then(|| key(at))));
            return;
        }
        if let Some(to) = sight.refresh.as_ref().filter(|to| address::same_host(at, to) && key(to) != key(at))
        {
            self.redirects.push((page, Some(key(to))));
            return;
        }
        let strong = sight.strong_link(&self.options);
        if let Some(NextLink { url: to, score, .. }) = strong.or_else(|| sight.tried_link(&self.options))
            && address::same_host(at, to)
        {
            let is_tried = strong.is_none();
            let claim = LinkClaim { page, from: exact(at), to: key(to), score: *score, is_tried };
            self.claims.push(claim);
        }
        if self.bytes + looked.bytes <= self.room {
            self.bytes += looked.bytes;
            self.kept.insert(page, looked);
        }
    }

    /// Returns who leads to whom, and the runs in the order of the documents.
    pub fn finish(self) -> (ChainPlan, ChainRuns) {
        let Chaining { tsugi, options, kept, keys, mut claims, redirects, .. } = self;
        let mut by_key: Vec<usize> = (0..keys.len()).collect();
        by_key.sort_unstable_by_key(|page| (keys[*page], *page));
        let run_of = vec![NO_RUN; keys.len()];
        let mut plan = ChainPlan { tsugi, options, keys, by_key, redirects, owners: Vec::new(), run_of };
        plan.redirects =
            plan.redirects.iter().copied().filter(|redirect| plan.leads_elsewhere(*redirect)).collect();
        let settled: Vec<_> =
            plan.redirects.iter().copied().filter(|redirect| plan.is_settled(*redirect)).collect();
        plan.redirects = settled;
        for claim in &mut claims {
            claim.to = plan.behind(claim.to);
        }
        // The best claim first.
        claims.sort_by(|one, other| {
            let by_score = || other.score.total_cmp(&one.score);
            let by_kind = one.is_tried.cmp(&other.is_tried);
            by_kind.then(one.to.cmp(&other.to)).then_with(by_score).then(one.page.cmp(&other.page))
        });
        let (followed, tried) = claims.split_at(claims.partition_point(|claim| !claim.is_tried));
        for claim in followed {
            if plan.owners.last().is_none_or(|(to, _)| *to != claim.to) {
                plan.owners.push((claim.to, claim.from));
            }
        }
        plan.add_tried(followed, tried);
        claims.retain(|claim| plan.is_owner(claim.from, claim.to));
        claims.sort_unstable_by_key(|claim| claim.page);
        let runs = plan.walk(&claims);
        (plan, ChainRuns { kept, ..runs })
    }
}

/// Which pages are in one chain: a forest whose trees are the chains.
struct Chained(Vec<usize>);

impl Chained {
    fn new(pages: usize) -> Chained {
        Chained((0..pages).collect())
    }

    fn root(&mut self, mut page: usize) -> usize {
        while self.0[page] != page {
            self.0[page] = self.0[self.0[page]];
            page = self.0[page];
        }
        page
    }

    /// Makes one chain of those of two pages; `false` if they are one already.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one] = other;
        one != other
    }
}

/// The run of a page that belongs to none.
const NO_RUN: u32 = u32::MAX;

/// Which stored page leads to which.
#[derive(Debug)]
pub struct ChainPlan {
    tsugi: Tsugi,
    options: JoinOptions,
    /// The [`key`] of each page.
    keys: Vec<u64>,
    /// The pages, sorted by key.
    by_key: Vec<usize>,
    /// Pages that only lead to others, and where to.
    redirects: Vec<(usize, Option<u64>)>,
    /// The key of each page that others lead to, and the [`exact`] address of the one that does so; sorted.
    owners: Vec<(u64, u64)>,
    /// The run of each page; of pages with one key, the last one counts.
    run_of: Vec<u32>,
}

impl ChainPlan {
    /// Returns the pages with a key.
    fn with_key(&self, key: u64) -> &[usize] {
        let start = self.by_key.partition_point(|page| self.keys[*page] < key);
        let end = self.by_key.partition_point(|page| self.keys[*page] <= key);
        &self.by_key[start..end]
    }

    /// Returns `true` if the page behind a redirect is among the pages, or on another host.
    fn leads_elsewhere(&self, (_, to): (usize, Option<u64>)) -> bool {
        to.is_none_or(|to| !self.with_key(to).is_empty())
    }

    /// Returns `true` if a redirect ends at a page: pages that lead on by themselves may do so in a circle.
    fn is_settled(&self, (_, to): (usize, Option<u64>)) -> bool {
        to.is_none_or(|to| {
            let end = self.behind(to);
            self.with_key(end).iter().any(|page| self.redirect(*page).is_none_or(|(_, to)| to.is_none()))
        })
    }

    /// Returns the redirect of a page that has no document of its own.
    fn redirect(&self, page: usize) -> Option<&(usize, Option<u64>)> {
        let found = self.redirects.binary_search_by_key(&page, |(from, _)| *from).ok()?;
        self.redirects.get(found)
    }

    /// Returns the key of the page that answers for a key.
    fn behind(&self, mut key: u64) -> u64 {
        for _ in 0..=MAX_STUBS {
            let pages = self.with_key(key);
            let all_lead_on = pages.iter().all(|page| self.redirect(*page).is_some());
            let last = pages.last().filter(|_| all_lead_on).and_then(|page| self.redirect(*page));
            match last.and_then(|(_, to)| *to) {
                Some(to) => key = to,
                None => break,
            }
        }
        key
    }

    /// Gives the pages that no link followed for good leads to to those whose links are tried. Circles are left open: a try that
    /// fails must not decide where a document starts.
    fn add_tried(&mut self, followed: &[LinkClaim], tried: &[LinkClaim]) {
        if tried.is_empty() {
            return;
        }
        let page_of = |key: u64| self.with_key(key).last().copied();
        let mut chained = Chained::new(self.keys.len());
        for claim in followed.iter().filter(|claim| self.is_owner(claim.from, claim.to)) {
            if let (Some(from), Some(to)) = (page_of(self.keys[claim.page]), page_of(claim.to)) {
                chained.join(from, to);
            }
        }
        let mut best: Vec<&LinkClaim> = tried.iter().collect();
        best.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.page.cmp(&other.page)));
        let mut taken: BTreeSet<u64> = BTreeSet::new();
        let mut owners = Vec::new();
        for claim in best {
            let is_led_to = self.owners.binary_search_by_key(&claim.to, |(to, _)| *to).is_ok();
            let (Some(from), Some(to)) = (page_of(self.keys[claim.page]), page_of(claim.to)) else {
                continue;
            };
            if !is_led_to && !taken.contains(&claim.to) && chained.join(from, to) {
                taken.insert(claim.to);
                owners.push((claim.to, claim.from));
            }
        }
        self.owners.extend(owners);
        self.owners.sort_unstable();
    }

    fn is_owner(&self, from: u64, to: u64) -> bool {
        self.owners.binary_search_by_key(&to, |(to, _)| *to).is_ok_and(|found| self.owners[found].1 == from)
    }

    /// Walks from page to page as the documents will, and notes which run has which page. `claims` are those that hold.
    fn walk(&mut self, claims: &[LinkClaim]) -> ChainRuns {
        let (mut all, mut ends, mut circles) = (Vec::new(), Vec::new(), 0);
        for in_circle in [false, true] {
            circles = ends.len();
            for first in 0..self.keys.len() {
                let is_led_to = self.owners.binary_search_by_key(&self.keys[first], |(to, _)| *to).is_ok();
                if (is_led_to && !in_circle) || self.redirect(first).is_some() {
                    continue;
                }
                let before = all.len();
                let mut next = Some(first);
                while let Some(page) = next {
                    let Some(last) = self.with_key(self.keys[page]).last().copied() else { break };
                    if self.run_of[last] != NO_RUN {
                        break;
                    }
                    self.run_of[last] = u32::try_from(ends.len()).unwrap_or(NO_RUN - 1);
                    all.push(page);
                    let claim = claims.binary_search_by_key(&page, |claim| claim.page).ok();
                    let pages = claim.map_or(&[][..], |claim| self.with_key(claims[claim].to));
                    next = pages.iter().rev().copied().find(|page| self.redirect(*page).is_none());
                }
                if all.len() > before {
                    ends.push(all.len());
                }
            }
        }
        ChainRuns { pages: all, ends, circles, next: 0, kept: BTreeMap::new() }
    }

    /// Joins the documents of a run. `url` returns the address of a page by its number, `get` a stored page. `visit` receives
    /// each start address with the pages of the document, or why its first page could not be read.
    ///
    /// # Errors
    ///
    /// The first error of `url` or `visit`; it ends the run.
    pub fn join<E>(
        &self,
        run: ChainRun,
        url: impl Fn(usize) -> Result<Url, E>,
        get: impl Fn(&Url) -> Result<Response, Unavailable>,
        mut visit: impl FnMut(&Url, Result<Reassembly, Unavailable>) -> Result<(), E>,
    ) -> Result<(), E> {
        let ChainRun { number, pages, kept, .. } = run;
        let mut joining = RunJoiner { plan: self, number, kept, get, covered: BTreeSet::new() };
        for page in pages {
            // If a document stops short of the page that its last page leads to, a new one starts there.
            if joining.covered.contains(&self.keys[page]) {
                continue;
            }
            let start = url(page)?;
            let joined = joining.join(&start);
            for part in joined.iter().flat_map(|joined| &joined.parts) {
                joining.covered.insert(key(part.page.url()));
            }
            joining.covered.insert(self.keys[page]);
            visit(&start, joined)?;
        }
        Ok(())
    }
}

/// The runs of a [`ChainPlan`], in the order of their documents.
#[derive(Debug)]
pub struct ChainRuns {
    /// The pages of all runs, one run after the other.
    pages: Vec<usize>,
    /// Where each run ends.
    ends: Vec<usize>,
    /// The first run that begins in a circle.
    circles: usize,
    next: usize,
    kept: BTreeMap<usize, Looked>,
}

/// A page that no other leads to and those that follow from it, or the pages of a circle.
#[derive(Debug)]
pub struct ChainRun {
    /// Its place in the order.
    number: u32,
    in_circle: bool,
    pages: Vec<usize>,
    /// Address that answered → the page.
    kept: BTreeMap<String, Looked>,
}

impl ChainRun {
    /// Returns the numbers of its pages; the first one starts its first document.
    pub fn pages(&self) -> &[usize] {
        &self.pages
    }

    /// Returns `true` if other pages lead to all of its pages. The documents of these runs come last.
    pub fn in_circle(&self) -> bool {
        self.in_circle
    }

    /// Returns the size of its pages that are kept, as stored, in bytes.
    pub fn kept_bytes(&self) -> usize {
        self.kept.values().map(Looked::bytes).sum()
    }
}

impl Iterator for ChainRuns {
    type Item = ChainRun;

    fn next(&mut self) -> Option<ChainRun> {
        let run = self.next;
        let end = *self.ends.get(run)?;
        self.next += 1;
        let start = run.checked_sub(1).map_or(0, |before| self.ends[before]);
        let pages = self.pages[start..end].to_vec();
        let kept = pages.iter().filter_map(|page| self.kept.remove(page));
        let kept = kept.map(|looked| (looked.sight.page.url().as_str().to_owned(), looked)).collect();
        let number = u32::try_from(run).unwrap_or(NO_RUN - 1);
        Some(ChainRun { number, in_circle: run >= self.circles, pages, kept })
    }
}

/// The documents of a run, while they are joined.
struct RunJoiner<'a, G> {
    plan: &'a ChainPlan,
    number: u32,
    kept: BTreeMap<String, Looked>,
    get: G,
    /// The keys of the pages of documents that are done.
    covered: BTreeSet<u64>,
}

impl<G: Fn(&Url) -> Result<Response, Unavailable>> RunJoiner<'_, G> {
    /// Joins the pages from one on, without those that are part of another document.
    fn join(&mut self, start: &Url) -> Result<Reassembly, Unavailable> {
        let mut following = Following::new(self.plan.tsugi.clone(), start.clone(), self.plan.options);
        while let Some(at) = following.wanted().cloned() {
            let (came, bytes) = match self.look(&at) {
                Ok(Looked { sight, bytes }) => (Ok(Came::Sight(Box::new(sight))), bytes),
                Err(error) => (Err(error), 0),
            };
            following.take(came);
            if let Some(sight) = following.take_refused() {
                self.kept.insert(sight.page.url().as_str().to_owned(), Looked { sight, bytes });
            }
        }
        following.finish()
    }

    /// Returns a page, kept or read now, without its next link if another page has a better claim to it.
    fn look(&mut self, at: &Url) -> Result<Looked, Unavailable> {
        let ChainPlan { tsugi, options, .. } = self.plan;
        let mut looked = if let Some(kept) = self.kept.remove(at.as_str()) {
            kept
        } else {
            let response = (self.get)(at)?;
            let kept = self.kept.remove(response.url.as_str());
            kept.unwrap_or_else(|| Looked::of(tsugi, options, response))
        };
        let sight = &mut looked.sight;
        // A link to another host is not followed in any case.
        if let Some(link) = sight.best.as_ref().filter(|link| address::same_host(sight.page.url(), &link.url))
        {
            let to = self.plan.behind(key(&link.url));
            let is_claimed = self.plan.is_owner(exact(sight.page.url()), to);
            let is_tried = sight.tried_link(options).is_some();
            if is_tried && !is_claimed {
                // What is not stored is nobody's.
                if !self.plan.with_key(to).is_empty() {
                    sight.bind();
                }
            } else if self.is_covered(to) || (!is_claimed && sight.strong_link(options).is_some()) {
                sight.unlink(options);
            }
        }
        Ok(looked)
    }

    /// Returns `true` if a page is part of a document that comes earlier.
    fn is_covered(&self, key: u64) -> bool {
        let last = self.plan.with_key(key).last();
        self.covered.contains(&key) || last.is_some_and(|page| self.plan.run_of[*page] < self.number)
    }
}

/// Returns the hash of the [`address::page_key`] of an address. The chance that two of a million pages share one is 1 in 37
/// million.
fn key(url: &Url) -> u64 {
    hash(&address::page_key(url))
}

/// Returns the hash of an address.
fn exact(url: &Url) -> u64 {
    hash(url.as_str())
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
