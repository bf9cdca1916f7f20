//! Which kind of page a page is, by words of its address, its names and its short texts.

use super::context::PageContext;
use super::hash::Hasher;
use super::words::for_each_word;
use tsugi_learning::Linear;

/// The kinds of page that are told apart.
pub const KINDS: [&str; 7] =
    ["article", "listing", "forum", "documentation", "product", "collection", "service"];

/// Log-odds of each kind.
pub type KindScores = [f32; KINDS.len()];

/// Blocks of up to this many tokens are labels of buttons, menus and the like.
const LABEL: u32 = 4;
/// Pages have no more tokens than this.
const MAX_TOKENS: usize = 600;

/// Tokens of a page as a whole: words of its address and title, names of `html` and `body`, labels, headings.
pub fn page_tokens(context: &PageContext<'_>) -> Vec<u32> {
    let page = context.page();
    let mut tokens = Vec::new();
    let mut add = |salt: &str, text: &str| {
        for_each_word(text, |word| {
            let mut hasher = Hasher::new(salt);
            hasher.number(u64::from(word));
            tokens.push(hasher.short());
        });
    };
    let url = page.url();
    add("host", url.host_str().unwrap_or(""));
    add("path", url.path());
    for (name, _) in url.query_pairs() {
        add("query", &name);
    }
    add("title", &page.title().unwrap_or_default());
    for id in page.elements().take(MAX_TOKENS).filter(|id| page.is(*id, "html") || page.is(*id, "body")) {
        for name in ["class", "id", "itemtype"] {
            add("root", page.attribute(id, name).unwrap_or(""));
        }
    }
    for id in page.elements().filter(|id| page.is(*id, "meta")) {
        let name = page.attribute(id, "property").or_else(|| page.attribute(id, "name"));
        if matches!(name, Some("og:type" | "generator" | "Generator")) {
            add("meta", page.attribute(id, "content").unwrap_or(""));
        }
    }
    let blocks = context.blocks();
    let text_of = |texts: &std::ops::Range<usize>| -> String {
        blocks.texts[texts.clone()].iter().map(|id| page.data(*id)).collect::<Vec<_>>().join(" ")
    };
    for (at, block) in blocks.blocks.iter().enumerate() {
        if block.counts.tokens <= LABEL {
            add("label", &text_of(&block.texts));
        } else if context.is_heading(at) {
            add("heading", &text_of(&block.texts));
        }
    }
    tokens.sort_unstable();
    tokens.dedup();
    // Hashes are as good as random: these are a sample of long pages.
    tokens.truncate(MAX_TOKENS);
    tokens
}

/// Scores a page's tokens by a model for each kind.
pub fn kind_scores(models: &[Linear], tokens: &[u32]) -> KindScores {
    let mut scores = KindScores::default();
    for (score, model) in scores.iter_mut().zip(models) {
        *score = model.score(tokens.iter().copied());
    }
    scores
}
