//! Words and names of a block as hashed tokens, for linear scores.

use super::context::PageContext;
use super::hash::{Hasher, salted, upper};
use tsugi_page::text::is_cjk;
use tsugi_page::{NodeId, NodeKind};

/// Hands over a hash of each word in lower case; CJK characters in pairs, digits all alike.
pub(crate) fn for_each_word(text: &str, mut visit: impl FnMut(u32)) {
    let mut word: Option<Hasher> = None;
    let mut previous: Option<char> = None;
    for c in text.chars() {
        let cjk = is_cjk(c);
        if (cjk || !(c.is_alphanumeric() || c == '_'))
            && let Some(done) = word.take()
        {
            visit(done.short());
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

/// What a token of words stands for.
#[derive(Clone, Copy)]
enum WordKind {
    Length = 1,
    Word,
    First,
    Last,
    Pair,
    Whole,
}

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
    let token = |kind: WordKind, words: &[u32]| {
        upper(words.iter().fold(kind as u64, |hash, word| salted(hash, u64::from(*word))))
    };
    // The length is a word of its own, so that the others need not say it.
    tokens.push(token(WordKind::Length, &[words.len().checked_ilog2().unwrap_or(0)]));
    tokens.extend(words.iter().map(|word| token(WordKind::Word, &[*word])));
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        tokens.push(token(WordKind::First, &[*first]));
        tokens.push(token(WordKind::Last, &[*last]));
    }
    if words.len() <= FEW_WORDS {
        tokens.extend(words.windows(2).map(|pair| token(WordKind::Pair, pair)));
        tokens.push(token(WordKind::Whole, &words));
    }
}

/// Tokens of the names around a block: tag, class, id, role and the like of its element and of those around.
pub fn markup_tokens(context: &PageContext<'_>, names: &Names, block: usize, tokens: &mut Vec<u32>) {
    // The block's own element, its parent, its grandparent; those further out are alike.
    const AROUND: u64 = 3;
    let page = context.page();
    let block = &context.blocks().blocks[block];
    let mut push = |level: u64, id: NodeId| {
        tokens.extend(names.of(id).iter().map(|name| upper(salted(level, u64::from(*name)))));
    };
    if block.inner != block.owner {
        push(0, block.inner);
    }
    push(0, block.owner);
    for (level, id) in (1..).zip(page.ancestors(block.owner).take(NAMED_ANCESTORS)) {
        push(level.min(AROUND), id);
        if level < AROUND {
            // What stands right around a block also counts as standing around it.
            push(AROUND, id);
        }
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
                        "class" | "id" | "aria-label" | "data-testid" | "data-component" => {
                            names.push_split(value);
                        }
                        "role" | "itemprop" | "rel" => names.push(name, value),
                        "itemtype" => names.push(name, value.rsplit('/').next().unwrap_or(value)),
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
                if (starts || !c.is_alphabetic())
                    && let Some(done) = part.take()
                {
                    self.hashes.push(done.short());
                    parts += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Page;

    fn words(text: &str) -> Vec<u32> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word));
        words
    }

    #[test]
    fn words_are_alike_without_case_and_with_other_digits() {
        assert_eq!(words("Page 12 of 34"), words("page 56, OF 78"));
        assert_ne!(words("page"), words("pages"));
        assert_eq!(words("次の頁").len(), 3, "pairs of characters, the first alone");
        assert_eq!(words(" - "), []);
    }

    fn names(html: &str, tag: &str) -> Vec<u32> {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let context = PageContext::new(&page, None);
        Names::of_page(&context).of(page.first(tag).unwrap()).to_vec()
    }

    #[test]
    fn names_are_split_into_their_words() {
        // Tag; post, content, and both together.
        let dashed = names("<p class=post-content>x", "p");
        assert_eq!(dashed.len(), 4);
        assert_eq!(names("<p class=postContent>x", "p")[1..3], dashed[1..3]);
        // Numbers in names do not tell names apart.
        assert_eq!(names("<p id=post-12>x", "p"), names("<p id=post-7>x", "p"));
        assert!(names("<p class=a>", "p").is_empty(), "no text, no names");
    }

    #[test]
    fn tokens_know_how_far_away_a_name_is() {
        let page =
            Page::from_text("<div class=a><p>x</p></div><p class=a>y", &"https://a.test/".parse().unwrap());
        let context = PageContext::new(&page, None);
        let names = Names::of_page(&context);
        let tokens = |block: usize| {
            let mut tokens = Vec::new();
            markup_tokens(&context, &names, block, &mut tokens);
            tokens
        };
        assert_ne!(tokens(0), tokens(1));
        let mut of_words = Vec::new();
        word_tokens(&context, 0, &mut of_words);
        // Length, word, first, last, whole.
        assert_eq!(of_words.len(), 5);
    }
}
