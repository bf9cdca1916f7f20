//! Which blocks are repeats: what frames every page of a sequence.
//!
//! A block on several pages is removed only if there is more evidence than its text, since a refrain, a table head or a
//! `Yes` in a list may well occur twice: it opens or closes the pages, or recurs at the same place of most pages together
//! with a neighbour, or is long. A leftover does less harm than a loss.

use super::blocks::{self, BlockLine, LONG, LineRole, PartBlocks, Sayings};
use super::pager;
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

/// Where lines may well be said twice: entries, code, quotations, tables.
const TOLD: LineRole = LineRole::ITEM
    .union(LineRole::PRE)
    .union(LineRole::QUOTE)
    .union(LineRole::HEAD_CELL)
    .union(LineRole::CELL);

/// Returns for each block of each page whether it is removed.
pub(super) fn repeats(pages: &[PartBlocks]) -> Vec<Vec<bool>> {
    let mut out: Vec<Vec<bool>> = pages.iter().map(|page| vec![false; page.lines.len()]).collect();
    if pages.len() < 2 {
        return out;
    }
    let mut sayings = Sayings::default();
    let said: Vec<Vec<u32>> =
        pages.iter().map(|page| page.lines.iter().map(|line| sayings.number(line)).collect()).collect();
    let stands = stands(pages, &said);

    // Openings stay on the first page and endings on the last, so that text across page breaks stays together.
    let opening: Vec<Vec<usize>> =
        pages.iter().map(|page| (0..page.lines.len()).take(REACH).collect()).collect();
    let closing: Vec<Vec<usize>> =
        pages.iter().map(|page| (0..page.lines.len()).rev().take(REACH).collect()).collect();
    let forward: Vec<usize> = (0..pages.len()).collect();
    let backward: Vec<usize> = (0..pages.len()).rev().collect();
    let mut opens = BTreeSet::new();
    frame(pages, &said, &stands, &opening, &forward, &opens, &mut out);
    // On a short page the beginning is near the end too, but what opens other pages closes none.
    opens.extend(
        said.iter()
            .zip(&out)
            .flat_map(|(said, out)| said.iter().zip(out))
            .filter(|(_, out)| **out)
            .map(|(said, _)| *said),
    );
    frame(pages, &said, &stands, &closing, &backward, &opens, &mut out);
    pagers(pages, &said, &mut out);
    inside(pages, &said, &stands, &mut out);
    long(pages, &said, &stands, &mut out);
    for (page, out) in pages.iter().zip(&mut out) {
        spare(page, out);
    }
    keep_something(pages, &mut out);
    out
}

/// Where a block of a frame was seen.
#[derive(Debug, Clone, Copy)]
struct LastSeen {
    /// The number of blocks between it and the end of the page at which the frame is.
    at: usize,
    place: u64,
}

/// Removes what the pages share at one of their ends. `edges` are the blocks of each page from that end on. The first page
/// of `order` keeps everything, and all pages keep what is in `except`.
fn frame(
    pages: &[PartBlocks],
    said: &[Vec<u32>],
    stands: &Stands,
    edges: &[Vec<usize>],
    order: &[usize],
    except: &BTreeSet<u32>,
    out: &mut [Vec<bool>],
) {
    let mut seen: BTreeMap<u32, LastSeen> = BTreeMap::new();
    let at_edges = edges.iter().enumerate();
    let at_edges: Recurrence<u32> =
        at_edges.flat_map(|(page, edge)| edge.iter().map(move |line| (page, said[page][*line]))).collect();
    // What most pages share.
    let often = |page: usize, line: usize| {
        let count = at_edges.pages(&said[page][line]);
        count >= 3 && count * 5 >= pages.len() * 3
    };
    // What may follow a page's own blocks: labels and what they label look alike.
    let is_apart = |page: usize, line: usize| {
        let block = &pages[page].lines[line];
        !pages[page].is_body(line)
            && !block.within.intersects(TOLD)
            && !block.within.intersects(LineRole::HEADING)
            && (often(page, line) || block.weight >= PHRASE)
    };
    for page in order {
        let half = edges[*page].len().div_ceil(2);
        let (blocks, edge) = (&pages[*page], &edges[*page]);
        // The blocks before the page's first own block, then those with a place of their own.
        let (mut run, mut apart) = (Vec::new(), Vec::new());
        let (mut own, mut own_weight) = (0, 0);
        for (at, line) in edge.iter().enumerate() {
            if out[*page][*line] {
                continue;
            }
            let before = seen.get(&said[*page][*line]);
            let before = before.filter(|seen| seen.at.abs_diff(at) <= SHIFT);
            let before = before.filter(|_| {
                !except.contains(&said[*page][*line])
                    && !blocks.is_verse(*line)
                    && !is_item(stands, said[*page][*line], blocks.lines[*line].place)
            });
            match before {
                Some(_) if own == 0 => run.push(*line),
                Some(seen)
                    if at < half && seen.place == blocks.lines[*line].place && is_apart(*page, *line) =>
                {
                    apart.push(*line);
                }
                _ => {
                    own += 1;
                    own_weight += blocks.lines[*line].weight;
                    if own > OWN || own_weight > OWN_WEIGHT {
                        break;
                    }
                }
            }
        }
        without_parts(blocks, &out[*page], &mut run);
        let closes = edge.first() > edge.last();
        let certain = run.iter().filter(|line| !is_weak(blocks, **line, closes)).count() >= 2
            || run.iter().any(|line| {
                let block = &blocks.lines[*line];
                let is_heading = block.within.intersects(LineRole::HEADING) && !blocks.is_body(*line);
                is_heading || block.weight >= PHRASE || often(*page, *line)
            });
        // A single short block may be anything.
        let neighbours: BTreeSet<usize> = apart.iter().copied().collect();
        apart.retain(|line| {
            let beside = neighbours.contains(&(line + 1))
                || line.checked_sub(1).is_some_and(|line| neighbours.contains(&line));
            beside || blocks.lines[*line].weight >= PHRASE
        });
        for line in run.into_iter().filter(|_| certain).chain(apart) {
            out[*page][line] = true;
        }
        for (at, line) in edge.iter().enumerate() {
            let place = blocks.lines[*line].place;
            seen.insert(said[*page][*line], LastSeen { at, place });
        }
    }
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

/// Removes pagers from all pages: near the ends of a page, blocks of only numbers and words of pagers that lead to pages of
/// the sequence, or that name a page as another one does.
fn pagers(pages: &[PartBlocks], said: &[Vec<u32>], out: &mut [Vec<bool>]) {
    let is_near = |page: usize, line: usize| line < REACH || line + REACH >= pages[page].lines.len();
    let mut named: Recurrence<u32> = Recurrence::new();
    let mut candidates = Vec::new();
    let mut is_pager: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); pages.len()];
    for (page, blocks) in pages.iter().enumerate() {
        for (line, block) in blocks.lines.iter().enumerate().filter(|(line, _)| is_near(page, *line)) {
            if block.leads_to_page && pager::could_be_pager(&block.text) {
                out[page][line] = true;
                is_pager[page].insert(line);
            } else if pager::is_page_number(&block.text) {
                named.add(page, said[page][line]);
                candidates.push((page, line));
            }
        }
    }
    for (page, line) in candidates {
        if named.times(&said[page][line]) >= 2 {
            out[page][line] = true;
            is_pager[page].insert(line);
        }
    }
    // The number of the current page is no link.
    for (page, blocks) in pages.iter().enumerate() {
        for line in is_pager[page].clone() {
            for beside in [line.wrapping_sub(1), line + 1] {
                // Headings may be numbers.
                let is_number = |block: &BlockLine| {
                    !block.within.intersects(LineRole::HEADING) && pager::could_be_pager(&block.text)
                };
                if blocks.lines.get(beside).is_some_and(is_number) {
                    out[page][beside] = true;
                }
            }
        }
    }
}

/// Removes what most pages have inside once, at the same place, next to the same neighbour.
fn inside(pages: &[PartBlocks], said: &[Vec<u32>], stands: &Stands, out: &mut [Vec<bool>]) {
    let least = 3.max((pages.len() * 4).div_ceil(5));
    let recurs = |page: usize, line: usize| {
        let block = &pages[page].lines[line];
        stands.pages(&(said[page][line], block.place)) >= least
            && !is_item(stands, said[page][line], block.place)
            && !pages[page].is_body(line)
            && !block.within.intersects(TOLD)
            && !block.within.intersects(LineRole::HEADING)
    };
    let mut met: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (page, blocks) in pages.iter().enumerate() {
        let recurring: Vec<bool> = (0..blocks.lines.len()).map(|line| recurs(page, line)).collect();
        let pairs: Vec<usize> =
            (1..recurring.len()).filter(|line| recurring[*line] && recurring[line - 1]).collect();
        for line in &pairs {
            if met.contains(&(said[page][line - 1], said[page][*line])) {
                out[page][line - 1] = true;
                out[page][*line] = true;
            }
        }
        met.extend(pairs.iter().map(|line| (said[page][line - 1], said[page][*line])));
    }
}

/// Removes long blocks that an earlier page has at the same place, unless a page has them twice.
fn long(pages: &[PartBlocks], said: &[Vec<u32>], stands: &Stands, out: &mut [Vec<bool>]) {
    let mut met: BTreeSet<(u32, u64)> = BTreeSet::new();
    for (page, blocks) in pages.iter().enumerate() {
        for (line, block) in blocks.lines.iter().enumerate() {
            if block.weight < LONG || block.within.intersects(TOLD) {
                continue;
            }
            let key = (said[page][line], block.place);
            if !met.insert(key) && !is_item(stands, key.0, key.1) {
                out[page][line] = true;
            }
        }
    }
}

/// Where blocks are in the sequence: what they say, and their place.
type Stands = Recurrence<(u32, u64)>;

fn stands(pages: &[PartBlocks], said: &[Vec<u32>]) -> Stands {
    let of_page = |(page, blocks): (usize, &PartBlocks)| {
        let lines = blocks.lines.iter().zip(&said[page]);
        lines.map(|(line, saying)| (page, (*saying, line.place))).collect::<Vec<_>>()
    };
    pages.iter().enumerate().flat_map(of_page).collect()
}

/// Returns `true` if a page has a block twice at one place, as the items of a list have their labels
/// (`Read more`, `Reply`): such a block belongs to its item.
fn is_item(stands: &Stands, saying: u32, place: u64) -> bool {
    stands.is_twice_on_one(&(saying, place))
}

/// Restores what cannot go alone: lines of a block whose other lines stay (verses, a text node of `pre`), and heads of a
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
