//! What a page as a whole says of itself: kinds of page by their markup, their address, and text in its data.

use super::words::for_each_word;
use tsugi_page::{NodeId, NodeKind, Page};

/// Hints at the kind of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hints {
    /// Pairs of words of the page's description, and of the texts in its JSON-LD, as sorted hashes.
    pub(crate) description: Vec<u64>,
    pub(crate) data: Vec<u64>,
    /// `og:type`: 0 none, 1 website, 2 article, 3 product, 4 another.
    pub(crate) og_type: f32,
    /// JSON-LD or microdata of an article, of a product, of a list, of a discussion or questions, of a how-to or FAQ.
    pub(crate) says_article: bool,
    pub(crate) says_product: bool,
    pub(crate) says_list: bool,
    pub(crate) says_forum: bool,
    pub(crate) says_faq: bool,
    /// Names its generator.
    pub(crate) generator: bool,
    pub(crate) path_segments: u32,
    pub(crate) path_has_digits: bool,
    pub(crate) path_is_file: bool,
    pub(crate) path_has_hyphens: u32,
    pub(crate) has_query: bool,
    pub(crate) articles: u32,
    pub(crate) times: u32,
    pub(crate) images: u32,
    pub(crate) tables: u32,
    pub(crate) codes: u32,
    pub(crate) inputs: u32,
    pub(crate) headings: u32,
    pub(crate) scripts: u32,
    pub(crate) paragraphs: u32,
}

/// Scripts with data are read no further than this many bytes.
const MAX_DATA: usize = 1 << 18;

impl Hints {
    /// Gathers the hints in one pass over the elements.
    pub(crate) fn of(page: &Page) -> Hints {
        let mut hints = Hints::default();
        hints.read_address(page);
        for id in page.elements() {
            hints.read_element(page, id);
        }
        for pairs in [&mut hints.description, &mut hints.data] {
            pairs.sort_unstable();
            pairs.dedup();
        }
        hints
    }

    fn read_address(&mut self, page: &Page) {
        let url = page.url();
        let path = url.path();
        let segments = path.split('/').filter(|part| !part.is_empty());
        self.path_segments = u32::try_from(segments.clone().count()).unwrap_or(u32::MAX);
        let last = segments.last().unwrap_or("");
        self.path_has_digits = last.bytes().any(|byte| byte.is_ascii_digit());
        self.path_is_file = last.contains('.');
        self.path_has_hyphens = u32::try_from(last.matches(['-', '_']).count()).unwrap_or(u32::MAX);
        self.has_query = url.query().is_some_and(|query| !query.is_empty());
    }

    fn read_element(&mut self, page: &Page, id: NodeId) {
        match page.tag(id) {
            "meta" => self.read_meta(page, id),
            "script" => {
                self.scripts += 1;
                if page.attribute(id, "type").is_some_and(|kind| kind.contains("ld+json")) {
                    self.read_data(page, id);
                }
            }
            "article" => self.articles += 1,
            "time" => self.times += 1,
            "img" | "picture" => self.images += 1,
            "table" => self.tables += 1,
            "pre" | "code" => self.codes += 1,
            "input" | "select" | "textarea" => self.inputs += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.headings += 1,
            "p" => self.paragraphs += 1,
            _ => {}
        }
        if let Some(kind) = page.attribute(id, "itemtype") {
            self.read_type(kind.rsplit('/').next().unwrap_or(kind));
        }
    }

    fn read_meta(&mut self, page: &Page, id: NodeId) {
        let content = page.attribute(id, "content").unwrap_or("");
        if page.attribute(id, "name").is_some_and(|name| name.eq_ignore_ascii_case("generator")) {
            self.generator = true;
        }
        let is_description = |name: &str| name.to_ascii_lowercase().ends_with("description");
        if ["name", "property"].iter().any(|kind| page.attribute(id, kind).is_some_and(is_description)) {
            push_pairs(content, &mut self.description);
        }
        if page.attribute(id, "property").is_some_and(|name| name.eq_ignore_ascii_case("og:type")) {
            self.og_type = match content.to_ascii_lowercase().as_str() {
                "website" => 1.0,
                "article" => 2.0,
                kind if kind.contains("product") => 3.0,
                _ => 4.0,
            };
        }
    }

    /// Reads the `@type` values of JSON-LD.
    fn read_data(&mut self, page: &Page, id: NodeId) {
        let texts = page.children(id).filter(|child| page.kind(*child) == NodeKind::Text);
        for text in texts.map(|child| page.data(child)) {
            let end =
                (0..=MAX_DATA.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            for after in text[..end].split("\"@type\"").skip(1) {
                let value = after.trim_start_matches([' ', ':', '[', '\n', '\t', '\r']);
                if let Some(name) = value.strip_prefix('"').and_then(|value| value.split('"').next()) {
                    self.read_type(name);
                }
            }
            for value in long_strings(&text[..end]) {
                push_pairs(value, &mut self.data);
            }
        }
    }

    fn read_type(&mut self, name: &str) {
        match name {
            "Article" | "NewsArticle" | "BlogPosting" | "TechArticle" | "Report" | "ScholarlyArticle" => {
                self.says_article = true;
            }
            "Product" | "ProductGroup" | "Offer" | "AggregateOffer" => self.says_product = true,
            "ItemList" | "CollectionPage" | "Blog" | "SearchResultsPage" | "OfferCatalog" => {
                self.says_list = true
            }
            "DiscussionForumPosting" | "QAPage" | "Question" | "Comment" => self.says_forum = true,
            "FAQPage" | "HowTo" => self.says_faq = true,
            _ => {}
        }
    }
}

/// Adds the pairs of neighbouring words of a text.
pub(crate) fn push_pairs(text: &str, pairs: &mut Vec<u64>) {
    let mut previous = None;
    for_each_word(text, |word| {
        if let Some(previous) = previous.replace(word) {
            pairs.push(u64::from(previous) << 32 | u64::from(word));
        }
    });
}

/// The strings of JSON that hold at least some words; escapes count as what they look like.
fn long_strings(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        loop {
            let from = rest.find('"')? + 1;
            let mut escaped = false;
            let end = rest[from..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let value = &rest[from..end.map_or(rest.len(), |end| from + end)];
            rest = end.map_or("", |end| &rest[from + end + 1..]);
            if value.len() >= LONG_STRING {
                return Some(value);
            }
        }
    })
}

/// Shorter strings of JSON-LD are names and addresses.
const LONG_STRING: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_say_what_they_are() {
        let html = r#"<meta property="og:type" content="article"><script type="application/ld+json">
            {"@type" : ["NewsArticle"], "offers": {"@type":"Offer"}}</script><div itemtype="https://schema.org/QAPage">"#;
        let page = Page::from_text(html, &"https://a.test/x/a-b-1.html?p=1".parse().unwrap());
        let hints = Hints::of(&page);
        assert_eq!(hints.og_type, 2.0);
        assert!(hints.says_article && hints.says_product && hints.says_forum && !hints.says_list);
        assert_eq!((hints.path_segments, hints.path_has_hyphens), (2, 2));
        assert!(hints.path_is_file && hints.path_has_digits && hints.has_query);
    }

    #[test]
    fn long_strings_of_json_are_found() {
        let text = "a long text, \\\"quoted\\\", that goes on and on";
        let json =
            format!(r#"{{"name": "x", "text": "{text}", "broken": "and so on and so on and so on and so"#);
        let found: Vec<&str> = long_strings(&json).collect();
        assert_eq!(
            found,
            [text, "and so on and so on and so on and so"]
                .map(|t| t)
                .into_iter()
                .filter(|t| t.len() >= LONG_STRING)
                .collect::<Vec<_>>()
        );
        assert_eq!(long_strings("\"\\").count(), 0);
    }
}
