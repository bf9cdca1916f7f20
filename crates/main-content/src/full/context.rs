//! What the columns of every block of a page are computed from, gathered in a few passes.

use super::block::{Blocks, TextBlock};
use super::groups::{Group, Groups, Member, signature};
use super::hash::Hasher;
use super::hints::Hints;
use super::regions::{self, Regions};
use super::words::for_each_word;
use tsugi_page::{NodeId, Page};

/// How many enclosing levels the columns look at.
pub(crate) const LEVELS: usize = 5;

/// Sums over the text before a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    /// Text nodes of blocks.
    pub(crate) texts: u32,
    pub(crate) tokens: u32,
    pub(crate) link_tokens: u32,
    /// Tokens of prose; see [`is_prose`].
    pub(crate) prose: u32,
    /// Blocks, at their first text node.
    pub(crate) blocks: u32,
    /// Blocks of prose.
    pub(crate) prose_blocks: u32,
    /// Headings with text.
    pub(crate) headings: u32,
    /// Tokens in elements that cannot be seen.
    pub(crate) hidden: u32,
}

impl Sums {
    fn minus(self, other: Sums) -> Sums {
        Sums {
            texts: self.texts - other.texts,
            tokens: self.tokens - other.tokens,
            link_tokens: self.link_tokens - other.link_tokens,
            prose: self.prose - other.prose,
            blocks: self.blocks - other.blocks,
            prose_blocks: self.prose_blocks - other.prose_blocks,
            headings: self.headings - other.headings,
            hidden: self.hidden - other.hidden,
        }
    }

    /// The share of its tokens that stands in links.
    pub(crate) fn link_density(self) -> f32 {
        share(self.link_tokens, self.tokens)
    }
}

pub(crate) fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { (part as f32 / whole as f32).min(1.0) }
}

/// A page, its blocks, and the sums that their columns need.
#[derive(Debug)]
pub struct PageContext<'a> {
    page: &'a Page,
    blocks: Blocks,
    /// `sums[i]` = sums over the nodes before node `i`.
    sums: Vec<Sums>,
    regions: Vec<Regions>,
    signatures: Vec<u64>,
    groups: Groups,
    /// By node: its topmost ancestor (or itself) with the same text.
    top: Vec<NodeId>,
    /// By node that is a top: the largest group among the nodes with the same text.
    best_group: Vec<Option<Member>>,
    /// By block.
    facts: Vec<BlockFacts>,
    pub(crate) hints: Hints,
    pub(crate) whole: Sums,
    pub(crate) containers: Containers,
    next: Option<NodeId>,
}

/// Elements that may hold the main content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Containers {
    /// The smallest element with more than half of the text.
    pub(crate) half: NodeId,
    /// The smallest element with at least .8 of the prose.
    pub(crate) prose: NodeId,
    /// The element whose children hold most prose, grandchildren counting half.
    pub(crate) parent: NodeId,
    /// The first heading of the highest rank, `h1` or `h2`.
    pub(crate) heading: Option<NodeId>,
}

/// What is known of a block beside its counts.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a text")]
pub(crate) struct BlockFacts {
    /// It is prose; see [`is_prose`].
    pub(crate) prose: bool,
    /// Share of its words that occur in the title of the page, and share of the title's that occur in it.
    pub(crate) in_title: f32,
    pub(crate) title_in: f32,
    /// How many blocks of the page have the same text, and how many of them come before.
    pub(crate) same_text: u32,
    pub(crate) same_before: u32,
    /// How many blocks stand in elements that look the same, and their share of the page's tokens.
    pub(crate) look_alikes: u32,
    pub(crate) look_alike_share: f32,
    /// First and last characters.
    pub(crate) first: char,
    pub(crate) last: char,
    pub(crate) copyright: bool,
    pub(crate) year: bool,
    pub(crate) address: bool,
    /// Blocks since the last heading, the heading's rank (0 without one), tokens since.
    pub(crate) heading_rank: u8,
    pub(crate) heading_blocks: u32,
    /// Places of the nearest blocks of prose before and after, in blocks; the block itself does not count.
    pub(crate) prose_before: u32,
    pub(crate) prose_after: u32,
    /// Place in the run of blocks whose elements look the same, and the length of the run.
    pub(crate) run_place: u32,
    pub(crate) run: u32,
}

/// Says whether a block is prose: some twenty words that are no links, fewer where they end a sentence.
fn is_prose(block: &TextBlock) -> bool {
    let counts = block.counts;
    // A CJK word takes about two characters.
    let words = counts.tokens - counts.cjk + counts.cjk / 2;
    let linked = share(block.link_tokens, counts.tokens) > 0.5;
    !linked && (words >= 20 || (words >= 10 && counts.sentence_ends > 0))
}

impl<'a> PageContext<'a> {
    /// Gathers what the columns of the page's blocks need; `next` is the tag of the next-page link.
    ///
    /// # Cost
    ///
    /// Passes over the nodes, the characters of the text and the attributes; sorts of elements and of blocks.
    pub fn new(page: &'a Page, next: Option<NodeId>) -> Self {
        let blocks = Blocks::of(page);
        let regions = regions::regions(page);
        let sums = sums_of(page, &blocks, &regions);
        let whole = sums.last().copied().unwrap_or_default();
        let has_text = |id: NodeId| sums[page.subtree_end(id)].tokens > sums[id.index()].tokens;
        let signature_of = |id| if page.is_element(id) && has_text(id) { signature(page, id) } else { 0 };
        let signatures: Vec<u64> = page.subtree(NodeId::DOCUMENT).map(signature_of).collect();
        let mut context = PageContext {
            page,
            sums,
            regions,
            signatures,
            groups: Groups::default(),
            top: Vec::new(),
            best_group: Vec::new(),
            facts: Vec::new(),
            hints: Hints::of(page),
            whole,
            containers: Containers {
                half: NodeId::DOCUMENT,
                prose: NodeId::DOCUMENT,
                parent: NodeId::DOCUMENT,
                heading: None,
            },
            next,
            blocks,
        };
        context.groups = Groups::find(page, &context.signatures, |id| {
            let sums = context.inside(id);
            (sums.tokens, sums.link_tokens)
        });
        context.find_levels();
        context.containers = context.find_containers();
        context.facts = context.gather_facts();
        context
    }

    /// Returns the page.
    pub fn page(&self) -> &'a Page {
        self.page
    }

    /// Returns the text blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Returns the tag of the next-page link.
    pub fn next_link(&self) -> Option<NodeId> {
        self.next
    }

    /// The sums over a subtree.
    pub(crate) fn inside(&self, id: NodeId) -> Sums {
        self.sums[self.page.subtree_end(id)].minus(self.sums[id.index()])
    }

    /// The text nodes of blocks inside a node, as a range of [`Blocks::texts`].
    pub(crate) fn texts_inside(&self, id: NodeId) -> (usize, usize) {
        (self.sums[id.index()].texts as usize, self.sums[self.page.subtree_end(id)].texts as usize)
    }

    /// The sums over the text before a node.
    pub(crate) fn before(&self, id: NodeId) -> Sums {
        self.sums[id.index()]
    }

    pub(crate) fn regions(&self, id: NodeId) -> Regions {
        self.regions[id.index()]
    }

    pub(crate) fn facts(&self, block: usize) -> &BlockFacts {
        &self.facts[block]
    }

    /// The largest group of similar siblings among a level's elements, and the place in it.
    pub(crate) fn level_group(&self, level: NodeId) -> (Group, u32) {
        let member = self.best_group[level.index()];
        member.map_or_else(Default::default, |member| (self.groups.get(member.group), member.place))
    }

    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The levels around a block: elements that enclose more and more text, each the topmost with its text.
    pub(crate) fn levels(&self, block: usize) -> [NodeId; LEVELS] {
        let mut level = self.top[self.blocks.blocks[block].owner.index()];
        let mut levels = [level; LEVELS];
        for place in &mut levels[1..] {
            level = self.page.parent(level).map_or(level, |parent| self.top[parent.index()]);
            *place = level;
        }
        levels
    }

    fn find_levels(&mut self) {
        let count = self.page.node_count();
        self.top = Vec::with_capacity(count);
        self.best_group = vec![None; count];
        for id in self.page.subtree(NodeId::DOCUMENT) {
            let tokens = self.inside(id).tokens;
            let parent = self.page.parent(id).filter(|parent| self.inside(*parent).tokens == tokens);
            let top = parent.map_or(id, |parent| self.top[parent.index()]);
            self.top.push(top);
            if self.page.is_element(id) {
                let size =
                    |member: Option<Member>| member.map_or(0, |member| self.groups.get(member.group).size);
                let member = self.groups.of(id);
                if size(member) > size(self.best_group[top.index()]) {
                    self.best_group[top.index()] = member;
                }
            }
        }
    }

    fn find_containers(&self) -> Containers {
        let page = self.page;
        let mut found = Containers {
            half: NodeId::DOCUMENT,
            prose: NodeId::DOCUMENT,
            parent: NodeId::DOCUMENT,
            heading: None,
        };
        // Twice the prose of the children, once that of the grandchildren.
        let mut points = vec![0_u32; page.node_count()];
        for block in self.blocks.blocks.iter().filter(|block| is_prose(block)) {
            let mut give = |id: Option<NodeId>, factor: u32| {
                if let Some(id) = id {
                    points[id.index()] += factor * block.counts.tokens;
                }
                id.and_then(|id| page.parent(id))
            };
            let up = give(page.parent(block.owner), 2);
            give(up, 1);
        }
        let mut best_points = 0;
        let mut rank = 3;
        for id in page.elements() {
            let inside = self.inside(id);
            if inside.tokens * 2 > self.whole.tokens {
                found.half = id;
            }
            if self.whole.prose > 0 && u64::from(inside.prose) * 5 >= u64::from(self.whole.prose) * 4 {
                found.prose = id;
            }
            if points[id.index()] > best_points {
                best_points = points[id.index()];
                found.parent = id;
            }
            let own_rank = heading_rank(page, id);
            if own_rank > 0 && own_rank < rank && inside.tokens > 0 {
                rank = own_rank;
                found.heading = Some(id);
            }
        }
        found
    }

    fn gather_facts(&self) -> Vec<BlockFacts> {
        let blocks = &self.blocks.blocks;
        let mut facts: Vec<BlockFacts> = vec![BlockFacts::default(); blocks.len()];
        let title = self.page.title().map(|title| unique_words(&title)).unwrap_or_default();
        let mut texts: Vec<(u64, usize)> = Vec::with_capacity(blocks.len());
        let mut looks: Vec<(u64, usize)> = Vec::with_capacity(blocks.len());
        for (at, block) in blocks.iter().enumerate() {
            facts[at] = self.text_facts(block, &title, &mut texts, at);
            looks.push((self.look(block), at));
        }
        for_each_run(&mut texts, |run| {
            for (place, (_, at)) in run.iter().enumerate() {
                facts[*at].same_text = u32::try_from(run.len()).unwrap_or(u32::MAX);
                facts[*at].same_before = u32::try_from(place).unwrap_or(u32::MAX);
            }
        });
        Self::run_facts(&looks, &mut facts);
        for_each_run(&mut looks, |run| {
            let tokens = run.iter().map(|(_, at)| blocks[*at].counts.tokens).sum();
            for (_, at) in run {
                facts[*at].look_alikes = u32::try_from(run.len()).unwrap_or(u32::MAX);
                facts[*at].look_alike_share = share(tokens, self.whole.tokens);
            }
        });
        self.heading_facts(&mut facts);
        prose_facts(&mut facts);
        facts
    }

    /// What the text of a block looks like.
    fn text_facts(
        &self,
        block: &TextBlock,
        title: &[u32],
        texts: &mut Vec<(u64, usize)>,
        at: usize,
    ) -> BlockFacts {
        let mut facts = BlockFacts { prose: is_prose(block), first: ' ', last: ' ', ..BlockFacts::default() };
        let mut hasher = Hasher::new("");
        for id in &self.blocks.texts[block.texts.clone()] {
            let data = self.page.data(*id).trim();
            if facts.first == ' ' {
                facts.first = data.chars().next().unwrap_or(' ');
            }
            facts.last = data.chars().next_back().unwrap_or(facts.last);
            if block.counts.tokens <= SHORT {
                hasher.text(data);
                facts.copyright |= data.contains('©') || data.contains("(c)") || data.contains("(C)");
                facts.address |= data.contains('@') || data.contains("://");
                facts.year |= has_year(data);
            }
        }
        if block.counts.tokens <= SHORT {
            texts.push((hasher.long(), at));
            (facts.in_title, facts.title_in) = self.shared_with_title(block, title);
        } else {
            facts.same_text = 1;
        }
        facts
    }

    /// The share of a block's words that occur in the title, and the share of the title's that occur in the block.
    fn shared_with_title(&self, block: &TextBlock, title: &[u32]) -> (f32, f32) {
        if title.is_empty() {
            return (0.0, 0.0);
        }
        let (mut words, mut in_title) = (0_u32, 0_u32);
        let mut seen = vec![false; title.len()];
        for id in &self.blocks.texts[block.texts.clone()] {
            for_each_word(self.page.data(*id), |word| {
                words += 1;
                if let Ok(place) = title.binary_search(&word) {
                    in_title += 1;
                    seen[place] = true;
                }
            });
        }
        let seen = seen.iter().filter(|seen| **seen).count();
        (share(in_title, words), seen as f32 / title.len() as f32)
    }

    /// What the elements around a block look like: signatures of its owner and two more.
    fn look(&self, block: &TextBlock) -> u64 {
        let mut hasher = Hasher::new("look");
        hasher.number(self.signatures[block.inner.index()]);
        let mut at = Some(block.owner);
        for _ in 0..3 {
            let Some(id) = at else { break };
            hasher.number(self.signatures[id.index()]);
            at = self.page.parent(id);
        }
        hasher.long()
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

    fn heading_facts(&self, facts: &mut [BlockFacts]) {
        let (mut rank, mut since) = (0, 0);
        for (at, block) in self.blocks.blocks.iter().enumerate() {
            facts[at].heading_rank = rank;
            facts[at].heading_blocks = since;
            since += 1;
            let own = self.page.ancestors(block.owner).take(2).map(|id| heading_rank(self.page, id));
            let own = own.fold(heading_rank(self.page, block.owner), u8::max);
            if own > 0 {
                (rank, since) = (own, 0);
            }
        }
    }
}

/// Blocks with more tokens are not compared with the title or with each other.
const SHORT: u32 = 60;

/// The rank of a heading, 1 to 6; 0 for other elements.
pub(crate) fn heading_rank(page: &Page, id: NodeId) -> u8 {
    match page.tag(id).as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => digit - b'0',
        _ => 0,
    }
}

/// The words of a text as hashes, sorted, each once.
fn unique_words(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    for_each_word(text, |word| words.push(word));
    words.sort_unstable();
    words.dedup();
    words
}

/// Says whether a text holds a year of our time.
fn has_year(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).enumerate().any(|(at, four)| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        (four.starts_with(b"19") || four.starts_with(b"20"))
            && four.iter().all(u8::is_ascii_digit)
            && !digit(bytes.get(at + 4))
            && !(at > 0 && digit(bytes.get(at - 1)))
    })
}

/// Sorts and hands over each run of items with one key.
fn for_each_run(items: &mut [(u64, usize)], mut visit: impl FnMut(&[(u64, usize)])) {
    items.sort_unstable();
    for run in items.chunk_by(|one, other| one.0 == other.0) {
        visit(run);
    }
}

/// Distances to the nearest blocks of prose.
fn prose_facts(facts: &mut [BlockFacts]) {
    let far = u32::try_from(facts.len()).unwrap_or(u32::MAX);
    let mut distance = far;
    for fact in facts.iter_mut() {
        distance = distance.saturating_add(1).min(far);
        fact.prose_before = distance;
        if fact.prose {
            distance = 0;
        }
    }
    distance = far;
    for fact in facts.iter_mut().rev() {
        distance = distance.saturating_add(1).min(far);
        fact.prose_after = distance;
        if fact.prose {
            distance = 0;
        }
    }
}

fn sums_of(page: &Page, blocks: &Blocks, regions: &[Regions]) -> Vec<Sums> {
    let mut own: Vec<Sums> = vec![Sums::default(); page.node_count()];
    for block in &blocks.blocks {
        let prose = is_prose(block);
        for (place, text) in block.texts.clone().enumerate() {
            let id = blocks.texts[text];
            let sums = &mut own[id.index()];
            sums.texts = 1;
            sums.tokens = blocks.tokens[text];
            sums.prose = if prose { blocks.tokens[text] } else { 0 };
            sums.hidden = if regions[id.index()] & regions::HIDDEN == 0 { 0 } else { blocks.tokens[text] };
            if place == 0 {
                sums.blocks = 1;
                sums.prose_blocks = u32::from(prose);
                sums.headings = u32::from(regions[id.index()] & regions::HEADING != 0);
            }
        }
    }
    let mut sums = Vec::with_capacity(own.len() + 1);
    let mut sum = Sums::default();
    sums.push(sum);
    let mut link_end = 0;
    for (id, own) in page.subtree(NodeId::DOCUMENT).zip(&own) {
        let index = id.index();
        if page.is_link(id) {
            link_end = link_end.max(page.subtree_end(id));
        }
        sum.texts += own.texts;
        sum.tokens += own.tokens;
        sum.link_tokens += if index < link_end { own.tokens } else { 0 };
        sum.prose += own.prose;
        sum.blocks += own.blocks;
        sum.prose_blocks += own.prose_blocks;
        sum.headings += own.headings;
        sum.hidden += own.hidden;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    const PROSE: &str = "This is a sentence of more than ten words, and it ends as sentences do. ";

    #[test]
    fn levels_enclose_more_and_more_text() {
        let page = page("<main><div><section><p>a</p></section></div><p>b</p></main><p>c");
        let context = PageContext::new(&page, None);
        let tags: Vec<&str> = context.levels(0).iter().map(|id| page.tag(*id)).collect();
        // The outer div has the same text as the paragraph; the document that of `html`.
        assert_eq!(tags[..2], ["div", "main"]);
        assert_eq!(context.inside(context.levels(0)[4]).tokens, 3);
    }

    #[test]
    fn containers_hold_the_prose() {
        let page = page(&format!(
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
        let page = page(&format!(
            "<title>A fine title</title><h1>A fine title</h1>\
            <p>{PROSE}</p><p>Read more</p><p>© 2020 Someone</p><p>Read more</p>"
        ));
        let context = PageContext::new(&page, None);
        let of = |text: &str| {
            let starts =
                |block: &&TextBlock| page.data(context.blocks().texts[block.texts.start]).starts_with(text);
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
    fn years_are_years() {
        assert!(has_year("in 1999.") && has_year("2024"));
        assert!(!has_year("120241") && !has_year("2 024") && !has_year("1812"));
    }

    #[test]
    fn large_flat_pages_take_linear_time() {
        let page = page(&"<a href=1>x</a> <p>word".repeat(50_000));
        assert!(PageContext::new(&page, None).blocks().blocks.len() > 40_000);
    }
}
