//! A set of pages reduced to the numbers needed for comparing them.

use crate::block::{BlockPart, each_part};
use crate::fingerprint::{Fingerprint, fingerprint};
use std::collections::BTreeMap;
use tsugi_page::Page;

/// The number of a feature, and its count.
pub(crate) type Term = (u32, u32);

/// Pages of a site to be compared with each other. Only numbers are kept of a page, so the page can be dropped: an archive
/// is read twice, and no page is held.
///
/// # Cost
///
/// Memory grows with the number of *different* blocks and texts: with the index, about 450 bytes for each new block
/// (measured), and five for each repeated one, whatever the length of its text.
///
/// # Examples
///
/// ```
/// use tsugi_page::Page;
/// use tsugi_site_blocks::{Extensions, PageSet};
/// let page = |html: &str| Page::from_text(html, &"https://a.test/".parse().unwrap());
/// let mut set = PageSet::new();
/// for html in ["<h1>A paper</h1><p>Snow fell.", "<h1>A paper</h1><p>The bridge is open."] {
///     set.add(&page(html));
/// }
/// let site = set.index(Extensions::BOTH);
/// // `body`, `h1`, `p`: the last is the page's own.
/// assert_eq!(site.unique(0), Some(&[2][..]));
/// let third = page("<h1>A paper</h1><p>Ski races are off.");
/// assert_eq!(site.unique_on(&third)[0].text(&third), "Ski races are off.");
/// ```
#[derive(Debug, Clone, Default)]
pub struct PageSet {
    numbers: BTreeMap<Fingerprint, u32>,
    /// For each feature: the number of characters of a text, or 0 for a tag.
    lengths: Vec<u32>,
    by_terms: BTreeMap<Fingerprint, u32>,
    vectors: Vectors,
    pages: Vec<Box<[u32]>>,
    /// For each page: whether each block has text or an image. Blocks with equal vectors may differ in that: a `title`
    /// counts like a text.
    shown: Vec<Box<[bool]>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Vectors {
    terms: Vec<Term>,
    ends: Vec<usize>,
}

impl Vectors {
    fn push(&mut self, terms: &[Term]) {
        self.terms.extend_from_slice(terms);
        self.ends.push(self.terms.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn terms(&self, vector: usize) -> &[Term] {
        let from = vector.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[from..self.ends[vector]]
    }

    /// Renumbers the features; the terms of each vector stay sorted.
    pub(crate) fn renumber(&mut self, numbers: &[u32]) {
        for (number, _) in &mut self.terms {
            *number = numbers[*number as usize];
        }
        let mut from = 0;
        for end in &self.ends {
            self.terms[from..*end].sort_unstable();
            from = *end;
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct NumberedBlock {
    pub(crate) terms: Vec<Term>,
    pub(crate) shows: bool,
}

impl PageSet {
    /// Creates an empty set.
    pub fn new() -> PageSet {
        PageSet::default()
    }

    /// Adds a page. Pages are numbered from 0 in the order of adding.
    pub fn add(&mut self, page: &Page) {
        let blocks = number_blocks(page, |feature, length| {
            let next = number(self.lengths.len());
            let number = *self.numbers.entry(feature).or_insert(next);
            if number == next {
                self.lengths.push(length);
            }
            number
        });
        let vectors = blocks.iter().map(|block| {
            let next = number(self.vectors.len());
            let vector = *self.by_terms.entry(fingerprint(&block.terms)).or_insert(next);
            if vector == next {
                self.vectors.push(&block.terms);
            }
            vector
        });
        let vectors = vectors.collect();
        self.pages.push(vectors);
        self.shown.push(blocks.iter().map(|block| block.shows).collect());
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns `true` if there are no pages.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    pub(crate) fn blocks_of(&self, page: usize) -> &[u32] {
        &self.pages[page]
    }

    pub(crate) fn shown_of(&self, page: usize) -> &[bool] {
        &self.shown[page]
    }

    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Takes the vectors from a set to which no page will be added.
    pub(crate) fn take_vectors(&mut self) -> Vectors {
        self.by_terms.clear();
        std::mem::take(&mut self.vectors)
    }

    pub(crate) fn features(&self) -> usize {
        self.lengths.len()
    }

    pub(crate) fn length(&self, feature: u32) -> u32 {
        self.lengths[feature as usize]
    }

    /// Returns the blocks of a page that may be outside the set. Features that no page of the set has get numbers
    /// from [`PageSet::features`] on; their lengths are in the second list.
    pub(crate) fn number_outsider(&self, page: &Page) -> (Vec<NumberedBlock>, Vec<u32>) {
        let mut unknown: BTreeMap<Fingerprint, u32> = BTreeMap::new();
        let mut lengths = Vec::new();
        let blocks = number_blocks(page, |feature, length| {
            self.numbers.get(&feature).copied().unwrap_or_else(|| {
                let next = number(self.lengths.len() + lengths.len());
                let number = *unknown.entry(feature).or_insert(next);
                if number == next {
                    lengths.push(length);
                }
                number
            })
        });
        (blocks, lengths)
    }
}

impl<'a> FromIterator<&'a Page> for PageSet {
    fn from_iter<I: IntoIterator<Item = &'a Page>>(pages: I) -> PageSet {
        let mut set = PageSet::new();
        for page in pages {
            set.add(page);
        }
        set
    }
}

/// Converts an index to a number. A set of four billion blocks would not fit into memory.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Reads the blocks of a page. `number` maps a feature's fingerprint and length in characters (0 for tags) to its
/// number.
fn number_blocks(page: &Page, mut number: impl FnMut(Fingerprint, u32) -> u32) -> Vec<NumberedBlock> {
    let mut blocks: Vec<(Vec<u32>, bool)> = Vec::new();
    each_part(page, |block, part| {
        if let BlockPart::Start(_) = part {
            blocks.push((Vec::new(), false));
        }
        let (features, shows) = &mut blocks[block];
        *shows |= part.shows();
        match part {
            BlockPart::Start(_) => {}
            BlockPart::Tag(name) => features.push(number(fingerprint(&(0_u8, name)), 0)),
            BlockPart::Text(text) | BlockPart::Value(text) => {
                let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
                features.push(number(fingerprint(&(1_u8, text)), length));
            }
        }
    });
    blocks.into_iter().map(|(features, shows)| NumberedBlock { terms: count(features), shows }).collect()
}

fn count(mut features: Vec<u32>) -> Vec<Term> {
    features.sort_unstable();
    let groups = features.chunk_by(|one, other| one == other);
    groups.map(|group| (group[0], number(group.len()))).collect()
}
