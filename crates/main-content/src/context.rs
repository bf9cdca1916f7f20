//! Everything the columns of a page's blocks are computed from, gathered in a few passes.

use super::block::{TextBlock, TextBlocks};
use super::groups::{SiblingGroup, SiblingGroups, Signatures};
use super::hash::salted;
use super::hints::Hints;
use super::regions::{self, Regions};
use super::tails::Tail;
use super::word_hashes::{first_words, for_each_word};
use std::cell::OnceCell;
use tsugi_page::text::{digest, trim};
use tsugi_page::{Attr, NodeId, Page, Tag};

pub(crate) const LEVELS: usize = 5; // Number of enclosing levels with columns of their own.

/// A page with more blocks gives up what is known of them as soon as it can be done without.
const MANY_BLOCKS: usize = 1 << 16;

/// Sums over all text before a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextSums {
    pub(crate) tokens: u32,
    pub(crate) link_tokens: u32,
    /// Tokens in prose; see [`is_prose`].
    pub(crate) prose: u32,
    /// Blocks, counted at their first text node.
    pub(crate) blocks: u32,
    pub(crate) prose_blocks: u32,
    pub(crate) headings: u32,
    pub(crate) hidden: u32,
}

impl TextSums {
    fn minus(self, other: TextSums) -> TextSums {
        TextSums {
            tokens: self.tokens - other.tokens,
            link_tokens: self.link_tokens - other.link_tokens,
            prose: self.prose - other.prose,
            blocks: self.blocks - other.blocks,
            prose_blocks: self.prose_blocks - other.prose_blocks,
            headings: self.headings - other.headings,
            hidden: self.hidden - other.hidden,
        }
    }

    pub(crate) fn link_density(self) -> f32 {
        share(self.link_tokens, self.tokens)
    }
}

pub(crate) fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { (part as f32 / whole as f32).min(1.0) }
}

/// The blocks whose scores matter for a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// The last heading before it.
    pub heading: Option<u32>,
    /// `true` if it is prose.
    pub is_prose: bool,
    /// `true` if it is not before the main heading.
    pub is_below_title: bool,
}

/// A page, its blocks, and the sums for their columns.
#[derive(Debug)]
pub struct PageContext<'a> {
    page: &'a Page,
    blocks: TextBlocks,
    texts: TextIndex,
    pub(crate) with_text: Vec<NodeId>,
    /// For each element with block text.
    regions: Vec<Regions>,
    images: Vec<NodeId>,
    /// The scripts with JSON-LD.
    pub(crate) data: Vec<NodeId>,
    pub(crate) groups: SiblingGroups,
    /// What only the columns of blocks need.
    facts: OnceCell<Vec<BlockFacts>>,
    tops: OnceCell<Tops>,
    words: OnceCell<FirstWords>,
    /// For each block.
    tail_marks: Vec<TailMarks>,
    pub(crate) hints: Hints,
    pub(crate) whole: TextSums,
    pub(crate) containers: Containers,
    /// The containers and the next-page link, each with its ancestors.
    pub(crate) around_half: Chain,
    pub(crate) around_prose: Chain,
    pub(crate) around_parent: Chain,
    pub(crate) around_next: Chain,
    next: Option<NodeId>,
}

/// Sums over the text nodes of blocks, so that the sums over a subtree are one difference.
#[derive(Debug)]
struct TextIndex {
    sums: Vec<TextSums>,
    /// For each node, and one past the last: the number of text nodes before it.
    before: Vec<u32>,
}

/// Whether a block is a line that ends articles, and whether it is such a line or after one.
#[derive(Debug, Clone, Copy)]
struct TailMarks {
    own: Tail,
    since: Tail,
}

#[derive(Debug)]
struct Tops {
    /// For each element with text: its topmost ancestor, or itself, with the same text.
    of: Vec<NodeId>,
    /// For each topmost node: the element with the same text in the largest group; the document without one.
    in_best_group: Vec<NodeId>,
}

#[derive(Debug, Default)]
struct FirstWords {
    hashes: Vec<u32>,
    /// Where the words of each block end.
    ends: Vec<u32>,
}

impl FirstWords {
    fn of(page: &Page, blocks: &TextBlocks) -> FirstWords {
        let mut words = FirstWords::default();
        for block in &blocks.blocks {
            words.add(page, blocks.texts_of(block));
        }
        words
    }

    /// Adds the first words of a block, and returns them, and whether they are all of its words.
    fn add(&mut self, page: &Page, texts: &[NodeId]) -> (&[u32], bool) {
        let from = self.hashes.len();
        let are_all = first_words(page, texts, &mut self.hashes);
        self.ends.push(u32::try_from(self.hashes.len()).unwrap_or(u32::MAX));
        (&self.hashes[from..], are_all)
    }
}

/// A node and its ancestors, the innermost first.
#[derive(Debug, Default)]
pub(crate) struct Chain(Vec<NodeId>);

impl Chain {
    fn of(page: &Page, id: NodeId) -> Chain {
        Chain(std::iter::once(id).chain(page.ancestors(id)).collect())
    }

    /// Returns the innermost member of the chain that contains a node, and its distance from the first.
    pub(crate) fn holding(&self, page: &Page, id: NodeId) -> Option<(usize, NodeId)> {
        // Every ancestor of a member that contains the node contains it, too.
        let up = self.0.partition_point(|outer| !page.contains(*outer, id));
        self.0.get(up).map(|outer| (up, *outer))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Containers {
    /// The smallest element with more than half of the text.
    pub(crate) half: NodeId,
    /// The smallest element with at least .8 of the prose.
    pub(crate) prose: NodeId,
    /// The element whose children contain most prose; grandchildren count half.
    pub(crate) parent: NodeId,
    /// The first heading of the highest rank, `h1` or `h2`.
    pub(crate) heading: Option<NodeId>,
}

#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a text")]
pub(crate) struct BlockFacts {
    pub(crate) prose: bool,
    /// The share of the block's words in the page title, and the share of the title's words in the block.
    pub(crate) in_title: f32,
    pub(crate) title_in: f32,
    /// Number of blocks on the page with the same text, and number of them before this one.
    pub(crate) same_text: u32,
    pub(crate) same_before: u32,
    /// Number of blocks in elements that look the same, and their share of the page's tokens.
    pub(crate) look_alikes: u32,
    pub(crate) look_alike_share: f32,
    pub(crate) copyright: bool,
    pub(crate) year: bool,
    pub(crate) address: bool,
    /// Rank of the last heading (0: none), and blocks since then.
    pub(crate) heading_rank: u8,
    pub(crate) heading_blocks: u32,
    pub(crate) tail: Tail,
    pub(crate) tails: TailDistances,
    /// Distances to the nearest prose blocks before and after, in blocks, not counting the block itself.
    pub(crate) prose_before: u32,
    pub(crate) prose_after: u32,
    /// Position in the run of blocks whose elements look the same, and the length of the run.
    pub(crate) run_place: u32,
    pub(crate) run: u32,
}

impl BlockFacts {
    fn tail_marks(&self) -> TailMarks {
        let after = TAILS.into_iter().zip(self.tails.since).filter(|(_, since)| *since < FAR);
        TailMarks { own: self.tail, since: after.fold(self.tail, |since, (tail, _)| since | tail) }
    }
}

/// Distances of a block from lines that end articles, in blocks, at most [`FAR`]; for comments, and for related texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TailDistances {
    pub(crate) since: [u16; 2],
    pub(crate) prose_since: [u32; 2],
    pub(crate) until: [u16; 2],
}

const FAR: u16 = 500; // The distance on a page without such a line.

const TAILS: [Tail; 2] = [Tail::COMMENTS, Tail::RELATED];

/// Returns `true` if a block is prose: about twenty words outside links, or fewer if they end a sentence.
fn is_prose(block: &TextBlock) -> bool {
    let counts = block.counts;
    // A CJK word has about two characters.
    let words = counts.tokens - counts.cjk + counts.cjk / 2;
    let linked = share(block.link_tokens, counts.tokens) > 0.5;
    !linked && (words >= 20 || (words >= 10 && counts.sentence_ends > 0))
}

impl<'a> PageContext<'a> {
    /// Gathers the data for the columns of a page's blocks; `next` is the tag of the next-page link.
    ///
    /// # Cost
    ///
    /// A few passes over the nodes, the characters of the text and the attributes; sorts of elements and blocks.
    pub fn new(page: &'a Page, next: Option<NodeId>) -> Self {
        let blocks = TextBlocks::of(page);
        let mut texts = TextIndex::of(page, &blocks);
        let Elements { with_text, regions, images, data, signatures, hints } = Elements::read(page, &texts);
        texts.add_regions(page, &blocks, &regions);
        let groups = SiblingGroups::find(page, &with_text, &signatures, |id| {
            let (from, to) = texts.inside(page, id);
            let (from, to) = (&texts.sums[from], &texts.sums[to]);
            (to.tokens - from.tokens, to.link_tokens - from.link_tokens)
        });
        let whole = texts.sums.last().copied().unwrap_or_default();
        let containers = Containers::find(page, &blocks, &texts, &with_text);
        let mut context = PageContext {
            page,
            facts: OnceCell::new(),
            tops: OnceCell::new(),
            words: OnceCell::new(),
            tail_marks: Vec::new(),
            with_text,
            regions,
            images,
            data,
            groups,
            hints,
            whole,
            containers,
            around_half: Chain::of(page, containers.half),
            around_prose: Chain::of(page, containers.prose),
            around_parent: Chain::of(page, containers.parent),
            around_next: next.map(|next| Chain::of(page, next)).unwrap_or_default(),
            next,
            texts,
            blocks,
        };
        let (facts, words) = context.read_blocks(&signatures);
        context.tail_marks = facts.iter().map(BlockFacts::tail_marks).collect();
        context.facts = OnceCell::from(facts);
        context.words = OnceCell::from(words);
        context
    }

    /// `signatures` say how each element looks.
    fn read_blocks(&self, signatures: &[u64]) -> (Vec<BlockFacts>, FirstWords) {
        block_facts(self.page, &self.blocks, signatures, self.whole.tokens)
    }

    fn all_facts(&self) -> &[BlockFacts] {
        let read_again = || self.read_blocks(&Elements::read(self.page, &self.texts).signatures).0;
        self.facts.get_or_init(read_again)
    }

    fn tops(&self) -> &Tops {
        self.tops.get_or_init(|| Tops::of(self.page, &self.texts, &self.with_text, &self.groups))
    }

    /// Gives up the words of many blocks. They are read again when they are asked for.
    pub(crate) fn forget_words(&mut self) {
        if self.has_many_blocks() {
            self.words.take();
        }
    }

    /// Gives up what only the columns of many blocks need. It is gathered again when it is asked for.
    pub(crate) fn forget_details(&mut self) {
        if self.has_many_blocks() {
            self.facts.take();
            self.tops.take();
        }
    }

    fn has_many_blocks(&self) -> bool {
        self.blocks.blocks.len() > MANY_BLOCKS
    }

    /// Returns the page.
    pub fn page(&self) -> &'a Page {
        self.page
    }

    /// Returns the text blocks.
    pub fn blocks(&self) -> &TextBlocks {
        &self.blocks
    }

    /// Returns the tag of the next-page link.
    pub fn next_link(&self) -> Option<NodeId> {
        self.next
    }

    pub(crate) fn inside(&self, id: NodeId) -> TextSums {
        let (from, to) = self.texts_inside(id);
        self.sums_between(from, to)
    }

    pub(crate) fn sums_between(&self, from: usize, to: usize) -> TextSums {
        self.texts.sums[to].minus(self.texts.sums[from])
    }

    pub(crate) fn tokens_inside(&self, id: NodeId) -> u32 {
        self.texts.tokens(self.page, id)
    }

    /// Returns the text nodes of blocks inside a node, as a range of [`TextBlocks::texts`].
    pub(crate) fn texts_inside(&self, id: NodeId) -> (usize, usize) {
        self.texts.inside(self.page, id)
    }

    pub(crate) fn before(&self, id: NodeId) -> TextSums {
        self.texts.sums[self.texts.before[id.index()] as usize]
    }

    pub(crate) fn images_inside(&self, id: NodeId) -> usize {
        let from = self.images.partition_point(|image| *image < id);
        let end = self.page.subtree_end(id);
        self.images[from..].partition_point(|image| image.index() < end)
    }

    /// Returns, for each block, the blocks whose linear scores matter for it; see [`LinearScores`](super::LinearScores).
    pub fn standings(&self) -> impl Iterator<Item = Standing> + '_ {
        let heading = self.containers.heading.map_or(0, |heading| self.texts_inside(heading).0);
        let blocks = self.blocks.blocks.iter().zip(self.all_facts()).zip(0..);
        blocks.map(move |((block, facts), at)| Standing {
            heading: (facts.heading_rank > 0).then(|| at - 1 - facts.heading_blocks),
            is_prose: facts.prose,
            is_below_title: block.texts().start >= heading,
        })
    }

    pub(crate) fn words(&self, block: usize) -> &[u32] {
        let FirstWords { hashes, ends } = self.words.get_or_init(|| FirstWords::of(self.page, &self.blocks));
        let from = block.checked_sub(1).map_or(0, |before| ends[before]);
        &hashes[from as usize..ends[block] as usize]
    }

    pub(crate) fn regions(&self, id: NodeId) -> Regions {
        self.regions[id.index()]
    }

    pub(crate) fn facts(&self, block: usize) -> &BlockFacts {
        &self.all_facts()[block]
    }

    pub(crate) fn is_prose(&self, block: usize) -> bool {
        is_prose(&self.blocks.blocks[block])
    }

    /// Returns `true` if a block is a line that ends articles: 0 for heads of comments, 1 for those of related texts.
    pub(crate) fn is_tail(&self, block: usize, kind: usize) -> bool {
        TAILS.get(kind).is_some_and(|tail| self.tail_marks[block].own.contains(*tail))
    }

    /// Returns, for comments and related texts, `true` if a block is such a line or after one.
    pub(crate) fn is_after_tail(&self, block: usize) -> [bool; 2] {
        TAILS.map(|tail| self.tail_marks[block].since.contains(tail))
    }

    pub(crate) fn level_group(&self, level: NodeId) -> (SiblingGroup, u32) {
        let member = self.groups.of(self.tops().in_best_group[level.index()]);
        member.map_or_else(Default::default, |member| (self.groups.get(member.group), member.place))
    }

    /// Returns the levels around a block: ancestors with more and more text, each the topmost with its text.
    pub(crate) fn levels(&self, block: usize) -> [NodeId; LEVELS] {
        let tops = self.tops();
        let mut level = tops.of[self.blocks.blocks[block].owner.index()];
        let mut levels = [level; LEVELS];
        for place in &mut levels[1..] {
            level = self.page.parent(level).map_or(level, |parent| tops.of[parent.index()]);
            *place = level;
        }
        levels
    }
}

impl TextIndex {
    fn of(page: &Page, blocks: &TextBlocks) -> TextIndex {
        let mut sums = Vec::with_capacity(blocks.texts.len() + 1);
        let mut sum = TextSums::default();
        sums.push(sum);
        for block in &blocks.blocks {
            let prose = is_prose(block);
            for (place, text) in block.texts().enumerate() {
                let tokens = blocks.tokens[text];
                sum.tokens += tokens;
                sum.link_tokens += if blocks.linked[text] { tokens } else { 0 };
                sum.prose += if prose { tokens } else { 0 };
                if place == 0 {
                    sum.blocks += 1;
                    sum.prose_blocks += u32::from(prose);
                }
                sums.push(sum);
            }
        }
        let mut before = Vec::with_capacity(page.node_count() + 1);
        for (count, text) in (0..).zip(&blocks.texts) {
            before.resize(text.index() + 1, count);
        }
        before.resize(page.node_count() + 1, u32::try_from(blocks.texts.len()).unwrap_or(u32::MAX));
        TextIndex { sums, before }
    }

    fn add_regions(&mut self, page: &Page, blocks: &TextBlocks, regions: &[Regions]) {
        let (mut hidden, mut headings) = (0, 0);
        for block in &blocks.blocks {
            for text in block.texts() {
                let regions = page.parent(blocks.texts[text]).map_or(0, |parent| regions[parent.index()]);
                hidden += if regions & regions::HIDDEN == 0 { 0 } else { blocks.tokens[text] };
                headings += u32::from(text == block.texts().start && regions & regions::HEADING != 0);
                let sum = &mut self.sums[text + 1];
                (sum.hidden, sum.headings) = (hidden, headings);
            }
        }
    }

    fn inside(&self, page: &Page, id: NodeId) -> (usize, usize) {
        (self.before[id.index()] as usize, self.before[page.subtree_end(id)] as usize)
    }

    fn tokens(&self, page: &Page, id: NodeId) -> u32 {
        let (from, to) = self.inside(page, id);
        self.sums[to].tokens - self.sums[from].tokens
    }
}

/// The elements of a page, read with their attributes in one pass.
#[derive(Default)]
struct Elements {
    with_text: Vec<NodeId>,
    regions: Vec<Regions>,
    images: Vec<NodeId>,
    data: Vec<NodeId>,
    signatures: Vec<u64>,
    hints: Hints,
}

impl Elements {
    fn read(page: &Page, texts: &TextIndex) -> Elements {
        let mut found = Elements {
            regions: vec![0; page.node_count()],
            signatures: vec![0; page.node_count()],
            ..Elements::default()
        };
        let mut looks = Signatures::default();
        found.hints.read_address(page);
        for id in page.elements() {
            let tag = page.known_tag(id);
            found.hints.read_element(page, id, tag);
            if tag == Tag::Img {
                found.images.push(id);
            }
            if tag == Tag::Script && page.value(id, Attr::Type).is_some_and(|kind| kind.contains("ld+json")) {
                found.hints.read_data(page, id);
                found.data.push(id);
            }
            let (from, to) = texts.inside(page, id);
            if from == to {
                page.known_attributes(id).for_each(|(name, value)| found.hints.read_attribute(name, value));
                continue;
            }
            let mut regions = page.parent(id).map_or(0, |parent| found.regions[parent.index()]);
            regions |= regions::by_tag(tag, regions);
            let mut classes = "";
            for (name, value) in page.known_attributes(id) {
                found.hints.read_attribute(name, value);
                regions |= regions::by_attribute(name, value, regions);
                if name == Attr::Class {
                    classes = value;
                }
            }
            found.regions[id.index()] = regions;
            if texts.sums[to].tokens > texts.sums[from].tokens {
                found.with_text.push(id);
                found.signatures[id.index()] = looks.of(page, id, tag, classes);
            }
        }
        found
    }
}

impl Tops {
    fn of(page: &Page, texts: &TextIndex, with_text: &[NodeId], groups: &SiblingGroups) -> Tops {
        let mut of = vec![NodeId::DOCUMENT; page.node_count()];
        let mut in_best_group = of.clone();
        let size = |id: NodeId| groups.of(id).map_or(0, |member| groups.get(member.group).size);
        for id in with_text {
            let tokens = texts.tokens(page, *id);
            let parent = page.parent(*id).filter(|parent| texts.tokens(page, *parent) == tokens);
            let top = parent.map_or(*id, |parent| of[parent.index()]);
            of[id.index()] = top;
            if size(*id) > size(in_best_group[top.index()]) {
                in_best_group[top.index()] = *id;
            }
        }
        Tops { of, in_best_group }
    }
}

impl Containers {
    fn find(page: &Page, blocks: &TextBlocks, texts: &TextIndex, with_text: &[NodeId]) -> Containers {
        let nowhere = NodeId::DOCUMENT;
        let mut found = Containers { half: nowhere, prose: nowhere, parent: nowhere, heading: None };
        // The prose of children counts twice, that of grandchildren once.
        let mut points = vec![0_u32; page.node_count()];
        for block in blocks.blocks.iter().filter(|block| is_prose(block)) {
            for (id, factor) in page.ancestors(block.owner).zip([2, 1]) {
                points[id.index()] += factor * block.counts.tokens;
            }
        }
        let whole = texts.sums.last().copied().unwrap_or_default();
        let (mut best_points, mut rank) = (0, 3);
        for id in with_text.iter().copied() {
            let (from, to) = texts.inside(page, id);
            let (from, to) = (&texts.sums[from], &texts.sums[to]);
            let (tokens, prose) = (to.tokens - from.tokens, to.prose - from.prose);
            if tokens * 2 > whole.tokens {
                found.half = id;
            }
            if whole.prose > 0 && u64::from(prose) * 5 >= u64::from(whole.prose) * 4 {
                found.prose = id;
            }
            if points[id.index()] > best_points {
                best_points = points[id.index()];
                found.parent = id;
            }
            let own_rank = heading_rank(page, id);
            if own_rank > 0 && own_rank < rank {
                rank = own_rank;
                found.heading = Some(id);
            }
        }
        found
    }
}

/// `signatures` say how each element looks; the page has this many `tokens`.
fn block_facts(
    page: &Page,
    blocks: &TextBlocks,
    signatures: &[u64],
    tokens: u32,
) -> (Vec<BlockFacts>, FirstWords) {
    let count = blocks.blocks.len();
    let mut facts: Vec<BlockFacts> = Vec::with_capacity(count);
    let mut words = FirstWords { hashes: Vec::new(), ends: Vec::with_capacity(count) };
    let mut title = TitleWords::of(page);
    let mut texts: Vec<(u64, usize)> = Vec::with_capacity(count);
    let mut joined = String::new();
    for (at, block) in blocks.blocks.iter().enumerate() {
        let nodes = blocks.texts_of(block);
        let (first, are_all) = words.add(page, nodes);
        let mut own = BlockFacts {
            prose: is_prose(block),
            same_text: 1,
            tail: Tail::of(first),
            ..BlockFacts::default()
        };
        if block.counts.tokens <= SHORT {
            texts.push((text_facts(page, nodes, &mut own, &mut joined), at));
            if are_all {
                title.compare(first, &mut own);
            } else if !title.words.is_empty() {
                let mut words = Vec::new();
                for id in nodes {
                    for_each_word(page.data(*id), |word| words.push(word));
                }
                title.compare(&words, &mut own);
            }
        }
        facts.push(own);
    }
    for_each_run(&mut texts, |run| {
        for (place, (_, at)) in run.iter().enumerate() {
            facts[*at].same_text = u32::try_from(run.len()).unwrap_or(u32::MAX);
            facts[*at].same_before = u32::try_from(place).unwrap_or(u32::MAX);
        }
    });
    drop(texts);
    let mut looks: Vec<(u64, usize)> =
        (0..).zip(&blocks.blocks).map(|(at, block)| (look(page, block, signatures), at)).collect();
    run_facts(&looks, &mut facts);
    for_each_run(&mut looks, |run| {
        let inside = run.iter().map(|(_, at)| blocks.blocks[*at].counts.tokens).sum();
        for (_, at) in run {
            facts[*at].look_alikes = u32::try_from(run.len()).unwrap_or(u32::MAX);
            facts[*at].look_alike_share = share(inside, tokens);
        }
    });
    heading_facts(page, blocks, &mut facts);
    prose_facts(&mut facts);
    tail_facts(&mut facts);
    (facts, words)
}

fn look(page: &Page, block: &TextBlock, signatures: &[u64]) -> u64 {
    let own = signatures[block.inner.index()];
    let around = std::iter::once(block.owner).chain(page.ancestors(block.owner)).take(3);
    around.fold(own, |look, id| salted(look, signatures[id.index()]))
}

fn run_facts(looks: &[(u64, usize)], facts: &mut [BlockFacts]) {
    let mut from = 0;
    for at in 0..looks.len() {
        if looks[at].0 != looks[from].0 {
            from = at;
        }
        facts[at].run_place = u32::try_from(at - from).unwrap_or(u32::MAX);
    }
    let mut run = 0;
    for at in (0..looks.len()).rev() {
        run = if at + 1 < looks.len() && looks[at + 1].0 == looks[at].0 {
            run
        } else {
            facts[at].run_place + 1
        };
        facts[at].run = run;
    }
}

fn heading_facts(page: &Page, blocks: &TextBlocks, facts: &mut [BlockFacts]) {
    let (mut rank, mut since) = (0, 0);
    for (facts, block) in facts.iter_mut().zip(&blocks.blocks) {
        facts.heading_rank = rank;
        facts.heading_blocks = since;
        since += 1;
        let own = page.ancestors(block.owner).take(2).map(|id| heading_rank(page, id));
        let own = own.fold(heading_rank(page, block.owner), u8::max);
        if own > 0 {
            (rank, since) = (own, 0);
        }
    }
}

const SHORT: u32 = 60; // Blocks with more tokens are compared neither with the title nor with each other.

/// Returns the rank of a heading, 1 to 6; 0 for other elements.
pub(crate) fn heading_rank(page: &Page, id: NodeId) -> u8 {
    match page.known_tag(id) {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

#[derive(Debug, Default)]
struct TitleWords {
    words: Vec<u32>,
    seen: Vec<bool>,
    /// The words seen in the current block. A title may have as many words as the page has blocks, so no block may
    /// cost time for words that it lacks.
    places: Vec<usize>,
}

impl TitleWords {
    fn of(page: &Page) -> TitleWords {
        let mut words = Vec::new();
        if let Some(title) = page.title() {
            for_each_word(&title, |word| words.push(word));
        }
        words.sort_unstable();
        words.dedup();
        TitleWords { seen: vec![false; words.len()], words, places: Vec::new() }
    }

    fn compare(&mut self, words: &[u32], facts: &mut BlockFacts) {
        let mut in_title = 0_u32;
        for word in words {
            if let Ok(place) = self.words.binary_search(word) {
                in_title += 1;
                if !std::mem::replace(&mut self.seen[place], true) {
                    self.places.push(place);
                }
            }
        }
        if in_title > 0 {
            facts.in_title = share(in_title, u32::try_from(words.len()).unwrap_or(u32::MAX));
            facts.title_in = self.places.len() as f32 / self.words.len() as f32;
        }
        for place in self.places.drain(..) {
            self.seen[place] = false;
        }
    }
}

/// Returns the first and the last character of texts, apart from white space.
pub(crate) fn ends_of(page: &Page, texts: &[NodeId]) -> [char; 2] {
    let (mut first, mut last) = (' ', ' ');
    for id in texts {
        let data = trim(page.data(*id));
        if first == ' ' {
            first = data.chars().next().unwrap_or(' ');
        }
        last = data.chars().next_back().unwrap_or(last);
    }
    [first, last]
}

/// Finds signs in a short block. Returns a digest of its texts, which are concatenated in `joined`.
fn text_facts(page: &Page, texts: &[NodeId], facts: &mut BlockFacts, joined: &mut String) -> u64 {
    joined.clear();
    for id in texts {
        let data = trim(page.data(*id));
        find_signs(data.as_bytes(), facts);
        if texts.len() == 1 {
            return digest(data.as_bytes());
        }
        joined.push_str(data);
    }
    digest(joined.as_bytes())
}

// A number, not a `bool`: without a branch per byte, many bytes are tested at once.
fn starts_sign(byte: u8) -> u8 {
    [b'@', b':', b'(', b'1', b'2', 0xc2].into_iter().fold(0, |found, start| found | u8::from(byte == start))
}

fn find_signs(text: &[u8], facts: &mut BlockFacts) {
    // Most texts have none. Without a branch per byte, many bytes are tested at once.
    if text.iter().fold(0, |found, byte| found | starts_sign(*byte)) == 0 {
        return;
    }
    for (at, byte) in text.iter().enumerate().filter(|(_, byte)| starts_sign(**byte) == 1) {
        let from = &text[at..];
        match byte {
            b'@' => facts.address = true,
            b':' => facts.address |= from.starts_with(b"://"),
            b'(' => facts.copyright |= from.starts_with(b"(c)") || from.starts_with(b"(C)"),
            b'1' | b'2' => facts.year |= is_year(text, at),
            _ => facts.copyright |= from.starts_with("©".as_bytes()),
        }
    }
}

/// Returns `true` if a year from 1900 on starts at this place of a text.
fn is_year(text: &[u8], at: usize) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    (text[at..].starts_with(b"19") || text[at..].starts_with(b"20"))
        && is_digit(at + 2)
        && is_digit(at + 3)
        && !is_digit(at + 4)
        && !(at > 0 && is_digit(at - 1))
}

fn for_each_run(items: &mut [(u64, usize)], mut visit: impl FnMut(&[(u64, usize)])) {
    items.sort_unstable();
    for run in items.chunk_by(|one, other| one.0 == other.0) {
        visit(run);
    }
}

fn tail_facts(facts: &mut [BlockFacts]) {
    for (kind, tail) in TAILS.into_iter().enumerate() {
        let (mut since, mut prose) = (FAR, 0);
        for fact in facts.iter_mut() {
            (fact.tails.since[kind], fact.tails.prose_since[kind]) = (since, prose);
            (since, prose) = if fact.tail.contains(tail) {
                (0, 0)
            } else {
                ((since + 1).min(FAR), prose + u32::from(fact.prose))
            };
        }
        let mut until = FAR;
        for fact in facts.iter_mut().rev() {
            fact.tails.until[kind] = until;
            until = if fact.tail.contains(tail) { 0 } else { (until + 1).min(FAR) };
        }
    }
}

fn prose_facts(facts: &mut [BlockFacts]) {
    let far = u32::try_from(facts.len()).unwrap_or(u32::MAX);
    let mut distance = far;
    for fact in facts.iter_mut() {
        fact.prose_before = distance.saturating_add(1).min(far);
        distance = if fact.prose { 0 } else { fact.prose_before };
    }
    distance = far;
    for fact in facts.iter_mut().rev() {
        fact.prose_after = distance.saturating_add(1).min(far);
        distance = if fact.prose { 0 } else { fact.prose_after };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    const PROSE: &str = "This is a sentence of more than ten words, and it ends as sentences do. ";

    #[test]
    fn what_was_given_up_is_gathered_again() {
        let rows = "<h2>A head<p>Some words of the page</p><p>© 2024".repeat(MANY_BLOCKS / 2);
        let page = page_of(&format!("<title>The page</title><main>{rows}</main><p>Related posts<p>More"));
        let mut context = PageContext::new(&page, None);
        let count = context.blocks().blocks.len();
        assert!(count > MANY_BLOCKS, "{count}");
        let seen = |context: &PageContext<'_>| {
            let blocks = (0..count).step_by(977).chain(count - 3..count);
            let of = |at| format!("{:?} {:?} {:?}", context.facts(at), context.words(at), context.levels(at));
            blocks.map(of).collect::<Vec<_>>()
        };
        let before = seen(&context);
        context.forget_words();
        context.forget_details();
        assert!(
            context.words.get().is_none() && context.facts.get().is_none() && context.tops.get().is_none()
        );
        assert_eq!(seen(&context), before);
    }

    #[test]
    fn levels_enclose_more_and_more_text() {
        let page = page_of("<main><div><section><p>a</p></section></div><p>b</p></main><p>c");
        let context = PageContext::new(&page, None);
        let tags: Vec<&str> = context.levels(0).iter().map(|id| page.tag(*id)).collect();
        // The outer div has the same text as the paragraph, and the document has that of `html`.
        assert_eq!(tags[..2], ["div", "main"]);
        assert_eq!(context.inside(context.levels(0)[4]).tokens, 3);
    }

    #[test]
    fn containers_hold_the_prose() {
        let page = page_of(&format!(
            "<nav><a href=1>one</a></nav><main><h1>Title</h1><div><p>{PROSE}</p><p>{PROSE}</p></div></main>"
        ));
        let context = PageContext::new(&page, None);
        assert_eq!(page.tag(context.containers.prose), "div");
        assert_eq!(page.tag(context.containers.parent), "div");
        assert_eq!(context.containers.heading, page.first("h1"));
        assert_eq!(context.whole.prose_blocks, 2);
    }

    #[test]
    fn facts_compare_blocks_with_title_and_each_other() {
        let page = page_of(&format!(
            "<title>A fine title</title><h1>A fine title</h1>\
            <p>{PROSE}</p><p>Read more</p><p>© 2020 Someone</p><p>Read more</p>"
        ));
        let context = PageContext::new(&page, None);
        let of = |text: &str| {
            let starts =
                |block: &&TextBlock| page.data(context.blocks().texts[block.texts().start]).starts_with(text);
            let blocks = &context.blocks().blocks;
            *context.facts(blocks.len() - 1 - blocks.iter().rev().position(|block| starts(&block)).unwrap())
        };
        assert_eq!((of("A fine").in_title, of("A fine").title_in), (1.0, 1.0));
        assert!(of("This").prose);
        assert_eq!((of("Read").same_text, of("Read").same_before), (2, 1));
        assert!(of("©").copyright && of("©").year && !of("Read").year);
        assert_eq!((of("This").heading_rank, of("This").heading_blocks), (1, 0));
        assert_eq!((of("Read").prose_before, of("A fine").prose_after), (3, 1));
    }

    #[test]
    fn lines_that_end_articles_and_images_are_counted() {
        let page = page_of(&format!(
            "<main><img><p>{PROSE}</p><h2>3 Comments</h2><p>{PROSE}</p><div><img><p>Read more</p><img></div></main>"
        ));
        let context = PageContext::new(&page, None);
        let tails = [0, 1, 2, 3].map(|block| context.facts(block).tails);
        assert_eq!(tails.map(|tails| tails.since[0]), [FAR, FAR, 0, 1]);
        assert_eq!(tails.map(|tails| tails.prose_since[0]), [0, 1, 0, 1]);
        assert_eq!(tails.map(|tails| tails.until[0]), [0, FAR, FAR, FAR]);
        assert_eq!(tails.map(|tails| tails.until[1]), [2, 1, 0, FAR]);
        let images = ["main", "div", "h2"].map(|tag| context.images_inside(page.first(tag).unwrap()));
        assert_eq!(images, [3, 2, 0]);
        assert_eq!(context.standings().nth(3).unwrap().heading, Some(1));
    }

    #[test]
    fn signs_are_found() {
        let signs = |text: &str| {
            let mut facts = BlockFacts::default();
            find_signs(text.as_bytes(), &mut facts);
            (facts.year, facts.copyright, facts.address)
        };
        assert!(signs("in 1999.").0 && signs("2024").0 && signs("112, 1990").0);
        assert!(!signs("120241").0 && !signs("2 024").0 && !signs("1812").0 && !signs("202").0);
        assert_eq!(signs("Â (x) a:b /"), (false, false, false));
        assert_eq!((signs("©"), signs("(C) x")), ((false, true, false), (false, true, false)));
        assert_eq!((signs("a@b"), signs("http://x")), ((false, false, true), (false, false, true)));
    }

    #[test]
    fn every_block_is_compared_with_the_title_anew() {
        let page =
            page_of("<title>one two three four</title><p>two two one<p>five<p>two six<p>one two three four");
        let context = PageContext::new(&page, None);
        let shares = |block| (context.facts(block).in_title, context.facts(block).title_in);
        // The title is a block, too.
        assert_eq!(shares(0), (1.0, 1.0));
        assert_eq!([1, 2, 3, 4].map(shares), [(1.0, 0.5), (0.0, 0.0), (0.5, 0.25), (1.0, 1.0)]);
    }

    #[test]
    fn a_block_does_not_touch_words_of_the_title_that_it_lacks() {
        let mut title = TitleWords::of(&page_of("<title>one two three four</title>"));
        let [first, last] = [title.words[0], title.words[3]];
        title.seen[3] = true;
        let mut facts = BlockFacts::default();
        title.compare(&[first, first], &mut facts);
        assert_eq!((facts.in_title, facts.title_in), (1.0, 0.25));
        assert_eq!(title.seen, [false, false, false, true]);
        title.seen[3] = false;
        title.compare(&[first, last], &mut facts);
        assert_eq!((facts.title_in, title.seen.contains(&true)), (0.5, false));
    }

    #[test]
    fn large_flat_pages_take_linear_time() {
        // The title has a million words, and every block has one of them.
        let title: String = (0..1_000_000).map(letters).chain(["word".to_owned()]).collect();
        let blocks = "<a href=1>x</a> <p>word".repeat(50_000);
        let page = page_of(&format!("<title>{title}</title>{blocks}"));
        let context = PageContext::new(&page, None);
        let count = context.blocks().blocks.len();
        assert!(count > 40_000);
        assert!((0..count).all(|block| context.facts(block).title_in < 1e-4));
        assert!((0..count).filter(|block| context.facts(*block).in_title >= 0.5).count() > 40_000);
    }

    fn letters(number: u32) -> String {
        let letter = |digit| char::from(digit - b'0' + b'a');
        number.to_string().bytes().map(letter).chain("x ".chars()).collect()
    }
}
