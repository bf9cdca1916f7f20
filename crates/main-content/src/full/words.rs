//! Words and names of a block as hashed tokens, for linear scores.

use super::context::PageContext;
use super::counts::is_cjk;
use super::hash::Hasher;
use tsugi_page::{NodeId, NodeKind};

/// Hands over a hash of each word in lower case; CJK characters in pairs, digits all alike.
pub(crate) fn for_each_word(text: &str, mut visit: impl FnMut(u32)) {
    let mut word: Option<Hasher> = None;
    let mut previous: Option<char> = None;
    for c in text.chars() {
        let cjk = is_cjk(c);
        if cjk || !(c.is_alphanumeric() || c == '_') {
            if let Some(done) = word.take() {
                visit(done.short());
            }
        }
        if cjk {
            let mut pair = Hasher::new("cjk");
            if let Some(previous) = previous {
                pair.character(previous);
            }
            pair.character(c);
            visit(pair.short());
            previous = Some(c);
            continue;
        }
        previous = None;
        if c.is_alphanumeric() || c == '_' {
            let hasher = word.get_or_insert_with(|| Hasher::new(""));
            if c.is_numeric() {
                hasher.character('0');
            } else {
                c.to_lowercase().for_each(|c| hasher.character(c));
            }
        }
    }
    if let Some(done) = word {
        visit(done.short());
    }
}

/// Words of a block beyond this many are not looked at.
const MAX_WORDS: usize = 40;
/// Blocks of up to this many words are also taken as pairs of words and as a whole.
const FEW_WORDS: usize = 8;
/// How many enclosing elements give their names.
const NAMED_ANCESTORS: usize = 9;

/// Tokens of a block's own words: each word, the first and the last; of short blocks also pairs and the whole.
pub fn word_tokens(context: &PageContext<'_>, block: usize, tokens: &mut Vec<u32>) {
    let blocks = context.blocks();
    let block = &blocks.blocks[block];
    let mut words: Vec<u32> = Vec::with_capacity(MAX_WORDS);
    for id in &blocks.texts[block.texts.clone()] {
        if words.len() >= MAX_WORDS {
            break;
        }
        let text = context.page().data(*id);
        let end = text.char_indices().nth(MAX_WORDS * 8).map_or(text.len(), |(end, _)| end);
        for_each_word(&text[..end], |word| words.push(word));
    }
    words.truncate(MAX_WORDS);
    let salted = |salt: &str, words: &[u32]| {
        let mut hasher = Hasher::new(salt);
        words.iter().for_each(|word| hasher.number(u64::from(*word)));
        hasher.short()
    };
    // The length is a word of its own, so that the others need not say it.
    tokens.push(salted("length", &[words.len().min(MAX_WORDS).ilog2_or_zero()]));
    tokens.extend(words.iter().map(|word| salted("word", &[*word])));
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        tokens.push(salted("first", &[*first]));
        tokens.push(salted("last", &[*last]));
    }
    if words.len() <= FEW_WORDS {
        tokens.extend(words.windows(2).map(|pair| salted("pair", pair)));
        tokens.push(salted("whole", &words));
    }
}

trait Log {
    fn ilog2_or_zero(self) -> u32;
}

impl Log for usize {
    fn ilog2_or_zero(self) -> u32 {
        self.checked_ilog2().unwrap_or(0)
    }
}

/// Tokens of the names around a block: tag, class, id, role and the like of its element and of those around.
pub fn markup_tokens(context: &PageContext<'_>, names: &Names, block: usize, tokens: &mut Vec<u32>) {
    let page = context.page();
    let block = &context.blocks().blocks[block];
    let mut push = |level: usize, id: NodeId| {
        for name in names.of(id) {
            let mut hasher =
                Hasher::new(if level < 3 { ["own", "parent", "grandparent"][level] } else { "around" });
            hasher.number(u64::from(*name));
            tokens.push(hasher.short());
        }
    };
    if block.inner != block.owner {
        push(0, block.inner);
    }
    push(0, block.owner);
    let mut level = 1;
    for id in page.ancestors(block.owner).take(NAMED_ANCESTORS) {
        push(level, id);
        if level < 3 {
            // What stands right around a block also counts as standing around it.
            push(3, id);
        }
        level += 1;
    }
    tokens.sort_unstable();
    tokens.dedup();
}

/// The names of every element of a page, as hashes.
#[derive(Debug, Default)]
pub struct Names {
    /// By node: a range of `hashes`.
    ranges: Vec<(u32, u32)>,
    hashes: Vec<u32>,
}

/// Names of one attribute beyond this many, and their characters beyond this many, are not looked at.
const MAX_NAMES: usize = 12;
const MAX_NAME: usize = 40;

impl Names {
    /// Gathers the names of all elements.
    pub fn of_page(context: &PageContext<'_>) -> Names {
        let page = context.page();
        let mut names = Names::default();
        for id in page.subtree(NodeId::DOCUMENT) {
            let from = names.len();
            if page.kind(id) == NodeKind::Element && context.inside(id).tokens > 0 {
                names.push("tag", page.tag(id));
                for (name, value) in page.attributes(id) {
                    match name {
                        "class" | "id" => names.push_split(value),
                        "role" | "itemprop" | "rel" => names.push(name, value),
                        "itemtype" => names.push(name, value.rsplit('/').next().unwrap_or(value)),
                        "aria-label" | "data-testid" | "data-component" => names.push_split(value),
                        _ => {}
                    }
                }
            }
            let range = (from, names.len());
            names.ranges.push(range);
        }
        names
    }

    fn len(&self) -> u32 {
        u32::try_from(self.hashes.len()).unwrap_or(u32::MAX)
    }

    fn of(&self, id: NodeId) -> &[u32] {
        let (from, to) = self.ranges[id.index()];
        &self.hashes[from as usize..to as usize]
    }

    fn push(&mut self, kind: &str, value: &str) {
        let mut hasher = Hasher::new(kind);
        value.chars().take(MAX_NAME).for_each(|c| hasher.character(c.to_ascii_lowercase()));
        self.hashes.push(hasher.short());
    }

    /// Names as a whole, and the words that they are made of: `post-content`, `postContent`, `post_content`.
    fn push_split(&mut self, value: &str) {
        for name in value.split_ascii_whitespace().take(MAX_NAMES) {
            let mut whole = Hasher::new("name");
            let mut part: Option<Hasher> = None;
            let mut parts = 0;
            let mut was_lower = false;
            for c in name.chars().take(MAX_NAME) {
                let lower = c.to_ascii_lowercase();
                let is_digit = c.is_ascii_digit();
                if !is_digit {
                    whole.character(lower);
                }
                let starts = c.is_ascii_uppercase() && was_lower;
                if starts || !c.is_alphabetic() {
                    if let Some(done) = part.take() {
                        self.hashes.push(done.short());
                        parts += 1;
                    }
                }
                if c.is_alphabetic() {
                    part.get_or_insert_with(|| Hasher::new("part")).character(lower);
                }
                was_lower = c.is_ascii_lowercase();
            }
            if let Some(done) = part {
                self.hashes.push(done.short());
                parts += 1;
            }
            if parts > 1 {
                self.hashes.push(whole.short());
            }
        }
    }
}
