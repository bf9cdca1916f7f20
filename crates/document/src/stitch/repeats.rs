//! Which blocks are repeats: the frame around every page of a sequence.
//!
//! A block on several pages is removed only if there is more evidence than its text, since a refrain, a table head or a
//! `Yes` in a list may well occur twice: it opens or closes the pages, or recurs at the same place of most pages together
//! with a neighbour, or is long. A leftover does less harm than a loss.

use super::blocks::{self, BlockLine, LONG, LineRole, PartBlocks, Sayings};
use super::pager;
use super::refrain::{self, DocumentFacts};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, Recurrence};

/// How far a page's frame may reach from its start or end, in blocks.
const REACH: usize = 24;

/// How far a block of a frame may be from its place on another page, in blocks.
const SHIFT: usize = 12;

/// How many blocks within a frame may be a page's own: a standfirst, the headline of the page.
const OWN: usize = 4;

/// How much text those may have. The frame ends at a paragraph, which has more.
const OWN_WEIGHT: usize = 160;

/// The weight from which a single block at the end of two pages is part of the frame.
const PHRASE: usize = 40;

/// Where lines may well be said twice: entries, code, quotations, mottos, tables.
const TOLD: LineRole = LineRole::ITEM
    .union(LineRole::PRE)
    .union(LineRole::QUOTE)
    .union(LineRole::MOTTO)
    .union(LineRole::HEAD_CELL)
    .union(LineRole::CELL);

/// How much farther from the start a refrain may be on one page than on another, in blocks.
const REFRAIN_SHIFT: usize = 2;

pub(super) fn repeats(pages: &[PartBlocks], facts: &DocumentFacts) -> Vec<Vec<bool>> {
    let mut out: Vec<Vec<bool>> = pages.iter().map(|page| vec![false; page.lines.len()]).collect();
    if pages.len() < 2 {
        return out;
    }
    let sequence = Sequence::of(pages, facts);
    // Openings stay on the first page and endings on the last, so that text across page breaks stays together.
    let refrains = sequence.frame(true, &BTreeSet::new(), &mut out);
    // On a short page the beginning is near the end too, but blocks that open other pages do not close one.
    let removed = sequence.said.iter().zip(&out).flat_map(|(said, out)| said.iter().zip(out));
    let opens = removed.filter(|(_, out)| **out).map(|(said, _)| *said).chain(refrains).collect();
    sequence.frame(false, &opens, &mut out);
    sequence.pagers(&mut out);
    sequence.inside(&mut out);
    sequence.long(&mut out);
    sequence.bare_headings(&mut out);
    for (page, out) in pages.iter().zip(&mut out) {
        spare(page, out);
    }
    keep_something(pages, &mut out);
    out
}

/// What a line is to a reader who looks for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guide {
    /// It names what follows.
    Heading,
    /// It leads on, as lists and tables of contents do.
    Entry,
    Neither,
}

impl Guide {
    fn of(blocks: &PartBlocks, line: usize) -> Guide {
        let block = &blocks.lines[line];
        if blocks.leads_on(line) {
            Guide::Entry
        } else if block.within.intersects(LineRole::HEADING) {
            Guide::Heading
        } else if block.row.is_some() || block.within.intersects(LineRole::ITEM) {
            Guide::Entry
        } else {
            Guide::Neither
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct LastSeen {
    at: usize,
    place: u64,
    level: u8,
}

/// The lines at the edges of the pages so far. A heading and the entry of a table of contents may say the same thing, and
/// both are needed.
#[derive(Debug, Default)]
struct SeenLines(BTreeMap<(u32, Guide), LastSeen>);

impl SeenLines {
    /// Returns the place of an earlier line that a line may repeat, `at` its own place.
    fn like(
        &self,
        said: u32,
        (blocks, line): (&PartBlocks, usize),
        at: usize,
        facts: &DocumentFacts,
    ) -> Option<LastSeen> {
        let guide = Guide::of(blocks, line);
        let line = &blocks.lines[line];
        let is_title = guide == Guide::Heading && facts.is_title(&line.text);
        let guides: &[Guide] = match guide {
            Guide::Heading if is_title => &[Guide::Heading, Guide::Neither],
            Guide::Heading => &[Guide::Heading],
            Guide::Entry => &[Guide::Entry, Guide::Neither],
            Guide::Neither => &[Guide::Neither, Guide::Heading, Guide::Entry],
        };
        let seen = guides.iter().filter_map(|guide| self.0.get(&(said, *guide)).copied());
        // A section of one page may have the name of another page.
        let is_like = |seen: &LastSeen| guide != Guide::Heading || is_title || seen.level == line.level;
        let seen = seen.filter(|seen| seen.at.abs_diff(at) <= SHIFT && is_like(seen));
        seen.min_by_key(|seen| seen.place != line.place)
    }

    fn add(&mut self, said: u32, (blocks, line): (&PartBlocks, usize), at: usize) {
        let BlockLine { place, level, .. } = blocks.lines[line];
        let seen = LastSeen { at, place, level };
        self.0.insert((said, Guide::of(blocks, line)), seen);
    }
}

struct Sequence<'a> {
    pages: &'a [PartBlocks],
    facts: &'a DocumentFacts,
    said: Vec<Vec<u32>>,
    places: Recurrence<(u32, u64)>,
    /// The places of headings that a page has thrice or more, with text between them: those of its posts.
    post_heads: Vec<BTreeSet<u64>>,
}

impl<'a> Sequence<'a> {
    fn of(pages: &'a [PartBlocks], facts: &'a DocumentFacts) -> Sequence<'a> {
        let mut sayings = Sayings::default();
        let (mut said, mut places) = (Vec::with_capacity(pages.len()), Recurrence::new());
        for (page, blocks) in pages.iter().enumerate() {
            let numbers: Vec<u32> = blocks.lines.iter().map(|line| sayings.number(line)).collect();
            for (line, number) in blocks.lines.iter().zip(&numbers) {
                places.add(page, (*number, line.place));
            }
            said.push(numbers);
        }
        let post_heads = pages.iter().map(post_heads).collect();
        Sequence { pages, facts, said, places, post_heads }
    }

    /// Returns `true` if a line is the heading of one of many posts: who wrote the first one of a page may well write the first
    /// one of another.
    fn is_post_head(&self, page: usize, line: usize) -> bool {
        let block = &self.pages[page].lines[line];
        block.within.intersects(LineRole::HEADING)
            && self.post_heads[page].contains(&block.place)
            && !self.facts.is_title(&block.text)
            && !self.facts.is_own_title(&block.text)
    }

    /// Returns `true` if a page has a block twice at one place, as the items of a list have their labels
    /// (`Read more`, `Reply`): such a block belongs to its item.
    fn is_item(&self, page: usize, line: usize) -> bool {
        self.places.is_twice_on_one(&(self.said[page][line], self.pages[page].lines[line].place))
    }

    /// Removes the blocks that pages share at their start, or at their end. The first page in that direction keeps everything, and all
    /// pages keep the lines in `except`. Returns the refrains, which all pages keep.
    fn frame(&self, at_start: bool, except: &BTreeSet<u32>, out: &mut [Vec<bool>]) -> BTreeSet<u32> {
        let edge = |page: usize| -> Vec<usize> {
            let lines = 0..self.pages[page].lines.len();
            if at_start { lines.take(REACH).collect() } else { lines.rev().take(REACH).collect() }
        };
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        if !at_start {
            order.reverse();
        }
        let mut at_edges = Recurrence::new();
        for page in 0..self.pages.len() {
            for line in edge(page) {
                at_edges.add(page, self.said[page][line]);
            }
        }
        // At the edges of three fifths of the pages, and of at least three.
        let is_often = |said: u32| {
            let count = at_edges.pages(&said);
            count >= 3 && count * 5 >= self.pages.len() * 3
        };
        let (mut seen, mut refrains) = (SeenLines::default(), BTreeSet::new());
        for page in order {
            let (blocks, said, edge) = (&self.pages[page], &self.said[page], edge(page));
            // The blocks before the page's first own block, then those with a place of their own.
            let (mut run, mut apart) = (Vec::new(), Vec::new());
            let (mut own, mut own_weight) = (0, 0);
            for (at, &line) in edge.iter().enumerate().filter(|(_, line)| !out[page][**line]) {
                let block = &blocks.lines[line];
                let may_go = !except.contains(&said[line])
                    && !blocks.is_verse(line)
                    && !self.is_item(page, line)
                    && !self.is_post_head(page, line);
                match seen.like(said[line], (blocks, line), at, self.facts).filter(|_| may_go) {
                    Some(seen)
                        if at_start
                            && own == 0
                            && seen.at.abs_diff(at) <= REFRAIN_SHIFT
                            && refrain::is_refrain(blocks, line, self.facts) =>
                    {
                        refrains.insert(said[line]);
                    }
                    Some(_) if own == 0 => run.push(line),
                    // The content of the first page may begin below its title, which stands above all then.
                    None if at_start
                        && own == 0
                        && page > 0
                        && may_go
                        && block.within.intersects(LineRole::HEADING)
                        && self.facts.is_own_title(&block.text) =>
                    {
                        run.push(line);
                    }
                    // Labels and their values look alike, so a block behind a page's own ones needs more evidence.
                    Some(seen)
                        if at < edge.len().div_ceil(2)
                            && seen.place == block.place
                            && !blocks.is_body(line)
                            && !block.within.intersects(TOLD | LineRole::HEADING)
                            && (is_often(said[line]) || block.weight >= PHRASE) =>
                    {
                        apart.push(line);
                    }
                    _ => {
                        own += 1;
                        own_weight += block.weight;
                        if own > OWN || own_weight > OWN_WEIGHT {
                            break;
                        }
                    }
                }
            }
            without_parts(blocks, &out[page], &mut run);
            let is_certain = run.iter().filter(|line| !is_weak(blocks, **line, !at_start)).count() >= 2
                || run.iter().any(|line| {
                    let block = &blocks.lines[*line];
                    let is_heading = block.within.intersects(LineRole::HEADING) && !blocks.is_body(*line);
                    is_heading || block.weight >= PHRASE || is_often(said[*line])
                });
            // A single short block may be anything.
            let neighbours: BTreeSet<usize> = apart.iter().copied().collect();
            apart.retain(|line| {
                let beside = neighbours.contains(&(line + 1))
                    || line.checked_sub(1).is_some_and(|line| neighbours.contains(&line));
                beside || blocks.lines[*line].weight >= PHRASE
            });
            for line in run.into_iter().filter(|_| is_certain).chain(apart) {
                out[page][line] = true;
            }
            for (at, line) in edge.into_iter().enumerate() {
                seen.add(said[line], (blocks, line), at);
            }
        }
        refrains
    }

    /// Removes pagers from all pages: near the ends of a page, blocks of only numbers and words of pagers that lead to pages of
    /// the sequence, or that name a page as another one does.
    fn pagers(&self, out: &mut [Vec<bool>]) {
        let mut named: Recurrence<u32> = Recurrence::new();
        let mut candidates = Vec::new();
        let mut pagers: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (page, blocks) in self.pages.iter().enumerate() {
            for (line, block) in blocks.lines.iter().enumerate() {
                let is_near = line < REACH || line + REACH >= blocks.lines.len();
                // A pager may name the next page, beside a link to all pages as one.
                let is_pager = || {
                    pager::could_be_pager(&block.text)
                        || block.is_linked
                            && !block.within.intersects(LineRole::HEADING | LineRole::ITEM)
                            && pager::begins_as_pager(&block.text)
                };
                if is_near && block.leads_to_page && is_pager() {
                    pagers.insert((page, line));
                } else if is_near && pager::is_page_number(&block.text) {
                    named.add(page, self.said[page][line]);
                    candidates.push((page, line));
                }
            }
        }
        pagers
            .extend(candidates.into_iter().filter(|(page, line)| named.times(&self.said[*page][*line]) >= 2));
        for (page, line) in pagers {
            out[page][line] = true;
            // The number of the current page is no link.
            for beside in [line.wrapping_sub(1), line + 1] {
                // Headings may be numbers.
                let is_number = |block: &BlockLine| {
                    !block.within.intersects(LineRole::HEADING) && pager::could_be_pager(&block.text)
                };
                if self.pages[page].lines.get(beside).is_some_and(is_number) {
                    out[page][beside] = true;
                }
            }
        }
    }

    /// Removes blocks that most pages have inside once, at the same place, next to the same neighbour.
    fn inside(&self, out: &mut [Vec<bool>]) {
        let mut met: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (page, blocks) in self.pages.iter().enumerate() {
            let recurring: Vec<bool> = (0..blocks.lines.len()).map(|line| self.recurs(page, line)).collect();
            let said = &self.said[page];
            let pairs: Vec<usize> =
                (1..recurring.len()).filter(|line| recurring[*line] && recurring[line - 1]).collect();
            for line in &pairs {
                if met.contains(&(said[line - 1], said[*line])) {
                    out[page][line - 1] = true;
                    out[page][*line] = true;
                }
            }
            met.extend(pairs.iter().map(|line| (said[line - 1], said[*line])));
        }
    }

    /// Returns `true` if four fifths of the pages, and at least three, have a block at the same place outside of the text.
    fn recurs(&self, page: usize, line: usize) -> bool {
        let (blocks, block) = (&self.pages[page], &self.pages[page].lines[line]);
        self.places.pages(&(self.said[page][line], block.place)) >= 3.max((self.pages.len() * 4).div_ceil(5))
            && !self.is_item(page, line)
            && !blocks.is_body(line)
            && !block.within.intersects(TOLD | LineRole::HEADING)
    }

    /// Removes long blocks that an earlier page has at the same place, unless a page has them twice.
    fn long(&self, out: &mut [Vec<bool>]) {
        let mut met: BTreeSet<(u32, u64)> = BTreeSet::new();
        for (page, blocks) in self.pages.iter().enumerate() {
            for (line, block) in blocks.lines.iter().enumerate() {
                if block.weight >= LONG
                    && !block.within.intersects(TOLD)
                    && !met.insert((self.said[page][line], block.place))
                    && !self.is_item(page, line)
                {
                    out[page][line] = true;
                }
            }
        }
    }

    /// Removes headings at the end of a page that most pages have, and that head nothing any more: `See also`, `Next steps`.
    fn bare_headings(&self, out: &mut [Vec<bool>]) {
        for (page, (blocks, out)) in self.pages.iter().zip(out).enumerate() {
            let lines = blocks.lines.len();
            for line in (0..lines).rev() {
                if out[line] {
                    continue;
                }
                let block = &blocks.lines[line];
                let pages = self.places.pages(&(self.said[page][line], block.place));
                let is_usual = pages >= 2 && pages * 2 >= self.pages.len();
                // It may head a picture, which is no line.
                let heads_nothing = line + 1 < lines || blocks.images.is_empty();
                if !(block.within.intersects(LineRole::HEADING) && is_usual && heads_nothing)
                    || self.facts.is_title(&block.text)
                {
                    break;
                }
                out[line] = true;
            }
        }
    }
}

fn post_heads(page: &PartBlocks) -> BTreeSet<u64> {
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    let mut open = BTreeSet::new();
    for line in &page.lines {
        if line.within.intersects(LineRole::HEADING) {
            open.insert(line.place);
        } else {
            for place in std::mem::take(&mut open) {
                *times.entry(place).or_default() += 1;
            }
        }
    }
    times.into_iter().filter(|(_, times)| *times >= 3).map(|(place, _)| place).collect()
}

/// Drops from a run the lines of lists and tables whose other items or rows stay: two pages may well list the same thing.
fn without_parts(blocks: &PartBlocks, out: &[bool], run: &mut Vec<usize>) {
    let in_run: BTreeSet<usize> = run.iter().copied().collect();
    let mut stay: BTreeSet<NodeId> = BTreeSet::new();
    let mut rows: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for (line, block) in blocks.lines.iter().enumerate() {
        // Entries of pagers are removed later.
        if let Some((list, row)) = block.row
            && !(out[line] || in_run.contains(&line) || block.leads_to_page)
            && *rows.entry(list).or_insert(row) != row
        {
            // At least two rows.
            stay.insert(list);
        }
    }
    run.retain(|line| {
        blocks.lines[*line].row.is_none_or(|(list, row)| {
            !stay.contains(&list) && rows.get(&list).is_none_or(|stays| *stays == row)
        })
    });
}

/// Returns `true` if a line is no evidence for a run: pages may end with equal items, rows or answers that belong to the
/// text, but not with equal links.
fn is_weak(blocks: &PartBlocks, line: usize, closes: bool) -> bool {
    let block = &blocks.lines[line];
    let is_answer = closes && blocks.is_body(line) && block.weight < PHRASE;
    !block.is_linked && (block.within.intersects(TOLD) || is_answer)
}

/// Restores lines that cannot go alone: lines of a block whose other lines stay (verses, a text node of `pre`), and heads of a
/// table of which something stays.
fn spare(blocks: &PartBlocks, out: &mut [bool]) {
    let mut start = 0;
    for line in 1..=blocks.lines.len() {
        let goes_on = line < blocks.lines.len() && blocks.lines[line].block == blocks.lines[start].block;
        if !goes_on {
            if out[start..line].contains(&false) {
                out[start..line].fill(false);
            }
            start = line;
        }
    }
    for (_, lines) in &blocks.texts {
        if out[lines.clone()].contains(&false) {
            out[lines.clone()].fill(false);
        }
    }
    // Rows follow their head.
    let mut row_stays = false;
    for (line, block) in blocks.lines.iter().enumerate().rev() {
        if block.within.intersects(LineRole::HEAD_CELL) {
            if row_stays {
                out[line] = false;
            }
        } else {
            row_stays = block.within.intersects(LineRole::CELL) && !out[line];
        }
    }
}

/// A page keeps its weightiest block where all would go, unless it shows an image of its own.
fn keep_something(pages: &[PartBlocks], out: &mut [Vec<bool>]) {
    let shown = blocks::pages_with_images(pages);
    for (blocks, out) in pages.iter().zip(out) {
        let is_own = |image: &String| shown.pages(&image.as_str()) == 1;
        if out.contains(&false) || blocks.images.iter().any(is_own) {
            continue;
        }
        let weightiest = (0..blocks.lines.len()).max_by_key(|line| blocks.lines[*line].weight);
        if let Some(line) = weightiest {
            out[line] = false;
        }
    }
}
