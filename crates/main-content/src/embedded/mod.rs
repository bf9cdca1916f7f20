//! Recovers the article of a page drawn by scripts from the data that the scripts use.
//!
//! Frameworks embed their data as JSON: JSON-LD's `articleBody`, `__NEXT_DATA__`, `__NUXT_DATA__`, the caches of
//! Apollo and Relay, `window.__INITIAL_STATE__ = {…}`, JSON in attributes. The names change; the contents do not: one
//! long text, or a list of blocks (`ProseMirror`, Slate, Draft.js, Portable Text, Contentful, Editor.js, Gutenberg).
//! So every value is searched for the longest prose. No script is run.

mod blocks;
mod budget;
mod scripts;
mod text;

use blocks::EditorBlocks;
use budget::DataBudget;
use serde_json::{Map, Value};
use text::Prose;
use tsugi_page::text::fold;
use tsugi_page::{Attr, Page, Tag, Url};

/// An article found in a page's data.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Its markup, copied from the data or rendered from blocks. It is not sanitised.
    pub html: String,
    /// Characters of prose; characters of scripts without spaces count twice.
    pub weight: usize,
    /// `true` if the data attribute the article to this page, by the page's title or address beside it.
    pub is_own: bool,
}

const LEAST: usize = 250; // Minimum weight of an article: two or three sentences.
const DEEPEST: usize = 256; // Maximum nesting depth of values that are searched, with those in texts of others.

// Shorter texts that the data do not attribute to this page are notices, biographies or teasers.
const LEAST_OF_OTHERS: usize = 1000;

/// Texts under keys with these words are summaries, or about something else.
const TEASERS: [&str; 14] = [
    "description", "excerpt", "summary", "teaser", "meta", "seo", "biography", "abstract", "disclaimer",
    "legal", "cookie", "consent", "policy", "subtitle",
];

/// The JSON-LD key of an article's text. Other texts are steps of a recipe, answers, reviews.
const LINKED_BODY: &str = "articleBody";
const OWN: f32 = 3.0; // Bonus for articles attributed to this page; a blog's state may contain longer ones.
const STRUCTURED: f32 = 1.25; // Bonus for markup and blocks, compared with the same text without paragraphs.

/// Data under these keys are not the article: interface texts, styles, comments.
const ELSEWHERE: [&str; 12] = [
    "i18n", "translations", "messages", "locales", "styles", "css", "theme", "comments", "related", "footer",
    "navigation", "menu",
];

/// What a page's data hold.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSearch {
    /// The article; `None` if the data contain no prose.
    pub found: Option<Embedded>,
    /// `true` if some of the data would have taken too much work or memory, and were given up.
    pub is_cut: bool,
}

/// Finds the article in a page's data.
///
/// # Cost
///
/// Time and memory are bounded by the length of the data: at most 64 bytes for each of theirs, and 128 MiB. Only worthwhile
/// if the page itself shows little text.
///
/// # Examples
///
/// ```
/// let story = "The ferry left at six, and nobody saw it go. ".repeat(30);
/// let html = format!("<div id=app></div><script>window.__STATE__ = {{\"post\": {{\"body\": \"{story}\"}}}}</script>");
/// let page = tsugi_page::Page::from_text(&html, &"https://a.test/".parse().unwrap());
/// let search = tsugi_main_content::embedded(&page);
/// assert!(search.found.unwrap().html.starts_with("<p>The ferry left") && !search.is_cut);
/// ```
pub fn embedded(page: &Page) -> DataSearch {
    let budget = DataBudget::new();
    let mut search = ArticleSearch { names: PageNames::of(page), best: None, budget: &budget, linked: 0 };
    scripts::visit(page, &budget, |value, is_linked| {
        let blocks = EditorBlocks::of(value, &budget);
        if is_linked {
            search.walk_linked(value, false);
        } else {
            search.walk(value, &blocks, "", false, 0);
        }
    });
    // A page that names several articles is a list.
    let is_list = search.linked > 1;
    let found = search.best.map(|(found, _)| found).filter(|found| found.is_own || !is_list);
    DataSearch { found, is_cut: budget.is_exceeded() }
}

/// Keys of an object's title, and of its address.
const TITLES: [&str; 4] = ["title", "headline", "name", "subject"];
const PLACES: [&str; 8] = ["slug", "url", "path", "uri", "permalink", "link", "canonicalUrl", "href"];

struct PageNames {
    titles: Vec<String>,
    path: String,
}

impl PageNames {
    fn of(page: &Page) -> PageNames {
        let stated = page.elements_of(Tag::Meta).filter_map(|id| {
            let name = page.value(id, Attr::Property).or_else(|| page.value(id, Attr::Name))?;
            matches!(name, "og:title" | "twitter:title").then(|| page.value(id, Attr::Content))?
        });
        let titles = stated.map(fold).chain(page.title()).filter(|title| !title.is_empty()).take(4);
        PageNames { titles: titles.collect(), path: page.url().path().trim_matches('/').to_owned() }
    }

    fn are_of(&self, object: &Map<String, Value>) -> bool {
        let text = |key: &&str| object.get(*key).and_then(Value::as_str);
        TITLES.iter().filter_map(text).any(|title| self.has_title(title))
            || PLACES.iter().filter_map(text).any(|place| self.has_place(place))
    }

    fn has_title(&self, title: &str) -> bool {
        let title = fold(title);
        title.chars().count() >= 8 && self.titles.iter().any(|own| own.starts_with(&title))
    }

    fn has_place(&self, place: &str) -> bool {
        let path = place.parse::<Url>().map_or_else(|_| place.to_owned(), |url| url.path().to_owned());
        let path = path.trim_matches('/');
        let rest = self.path.strip_suffix(path);
        path.len() >= 4 && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }
}

struct ArticleSearch<'b> {
    names: PageNames,
    best: Option<(Embedded, f32)>,
    budget: &'b DataBudget,
    linked: usize,
}

impl ArticleSearch<'_> {
    fn walk(&mut self, value: &Value, blocks: &EditorBlocks<'_>, key: &str, is_own: bool, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::String(text) if text.len() >= LEAST && text.starts_with(['{', '[']) => {
                // JSON inside a JSON string, as some software stores its responses.
                if let Some((value, _)) = scripts::value(text, self.budget) {
                    self.walk(&value, &EditorBlocks::of(&value, self.budget), key, is_own, depth + 1);
                }
            }
            Value::String(text) if text.len() >= LEAST / 2 => {
                let is_own = is_own && !is_teaser(key);
                let prose = Prose::of(text);
                if prose.is_enough() {
                    let html = text::markup(text);
                    self.offer(html, prose.weight(), is_own, text.contains('<'));
                }
            }
            Value::Array(list) if blocks.are_blocks(list) => {
                let Some(html) = blocks.markup(list) else { return };
                let prose = Prose::of(&html);
                if prose.is_enough() {
                    self.offer(html, prose.weight(), is_own, true);
                }
            }
            Value::Array(list) => {
                for value in list {
                    self.walk(value, blocks, key, is_own && list.len() == 1, depth + 1);
                }
            }
            Value::Object(object) => {
                let is_own = self.names.are_of(object) || (is_own && depth > 0 && !names_another(object));
                for (key, value) in object {
                    if !ELSEWHERE.iter().any(|name| key.eq_ignore_ascii_case(name)) {
                        self.walk(value, blocks, key, is_own, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Searches JSON-LD for articles. If there is only one, it belongs to this page.
    fn walk_linked(&mut self, value: &Value, is_own: bool) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.walk_linked(value, is_own)),
            Value::Object(object) => {
                let is_own = is_own || self.names.are_of(object);
                for (key, value) in object {
                    match value.as_str().filter(|_| key == LINKED_BODY) {
                        Some(text) if Prose::of(text).is_enough() => {
                            self.linked += 1;
                            let (prose, is_own) = (Prose::of(text), is_own || self.linked == 1);
                            self.offer(text::markup(text), prose.weight(), is_own, text.contains('<'));
                        }
                        _ => self.walk_linked(value, is_own),
                    }
                }
            }
            _ => {}
        }
    }

    fn offer(&mut self, html: String, weight: usize, is_own: bool, is_structured: bool) {
        let counts =
            weight as f32 * if is_own { OWN } else { 1.0 } * if is_structured { STRUCTURED } else { 1.0 };
        let least = if is_own { LEAST } else { LEAST_OF_OTHERS };
        if weight >= least && self.best.as_ref().is_none_or(|(_, best)| counts > *best) {
            self.best = Some((Embedded { html, weight, is_own }, counts));
        }
    }
}

fn is_teaser(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    TEASERS.iter().any(|word| key.contains(word))
}

/// Returns `true` if an object inside one about this page is about something else.
fn names_another(object: &Map<String, Value>) -> bool {
    ["title", "headline", "slug", "permalink"]
        .iter()
        .any(|key| object.get(*key).is_some_and(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const STORY: &str = "The ferry left at six in the morning. Nobody saw it go, for the fog was thick. \
        It came back at noon, with a cargo that no one had ordered. ";

    fn found(html: &str) -> Option<String> {
        let html = format!("<title>The ferry</title>{html}");
        let page = Page::from_text(&html, &"https://a.test/stories/the-ferry".parse().unwrap());
        embedded(&page).found.map(|found| found.html)
    }

    #[test]
    fn the_usual_places_are_found() {
        let body = format!("<p>{STORY}</p><p>{STORY}</p>");
        let json = json!({"props": {"pageProps": {"post": {"title": "The ferry", "html": body}}}});
        let json = json.to_string().replace("</", "<\\/");
        let quoted = serde_json::to_string(&json).unwrap();
        let chunk = format!("5:{json}\n");
        let chunk = serde_json::to_string(&chunk).unwrap().replace("</", "<\\/");
        for script in [
            format!("<script id=__NEXT_DATA__ type=application/json>{json}</script>"),
            format!("<script>window.__INITIAL_STATE__ = {json};window.x=1</script>"),
            format!("<script>var a=b==c;window['__PRELOADED_STATE__']={json}</script>"),
            format!("<script>window.__APOLLO_STATE__=JSON.parse({quoted})</script>"),
            format!("<script>self.__next_f.push([1,{chunk}])</script>"),
            format!("<div data-page='{}'></div>", tsugi_page::escaped(&json).replace('\'', "&#39;")),
        ] {
            let html = found(&script).unwrap_or_else(|| panic!("nothing in {script}"));
            assert_eq!(html, body, "{script}");
        }
        let linked = json!({"@graph": [{"@type": "NewsArticle", "articleBody": STORY.repeat(3)}]});
        let html = found(&format!("<script type=application/ld+json>{linked}</script>")).unwrap();
        assert!(html.starts_with("<p>The ferry left"), "{html}");
    }

    #[test]
    fn values_that_refer_to_each_other_are_followed() {
        let nuxt = json!([{"post": 1}, {"title": 2, "body": 3}, "The ferry", STORY.repeat(3)]);
        assert!(found(&format!("<script id=__NUXT_DATA__ type=application/json>{nuxt}</script>")).is_some());
        let apollo = json!({
            "Post:1": {"paragraphs": [{"__ref": "Paragraph:1"}, {"__ref": "Paragraph:2"}]},
            "Paragraph:1": {"type": "H3", "text": "At sea"},
            "Paragraph:2": {"type": "P", "text": STORY.repeat(9)},
        });
        let html = found(&format!("<script>window.__APOLLO_STATE__ = {apollo}</script>")).unwrap();
        assert!(html.starts_with("<h3>At sea</h3>\n<p>The ferry"), "{html}");
    }

    #[test]
    fn the_article_of_the_page_comes_before_longer_ones() {
        let json = json!({
            "posts": [
                {"slug": "the-mill", "title": "The mill", "body": "A mill stood there, and it turned. ".repeat(60)},
                {"slug": "the-ferry", "title": "The ferry", "body": STORY.repeat(8)},
            ]
        });
        let html = found(&format!("<script>window.__STATE__={json}</script>")).unwrap();
        assert!(html.contains("ferry"), "{html}");
    }

    #[test]
    fn what_is_no_prose_is_none() {
        let page_words = format!("<script>window.__S__={}</script>", json!({"bio": STORY.repeat(2)}));
        assert_eq!(found(&page_words), None, "a short text of something else");
        let linked = json!([{"articleBody": STORY.repeat(3)}, {"articleBody": STORY.repeat(9)}]);
        let list = found(&format!("<script type=application/ld+json>{linked}</script>"));
        assert!(list.is_none_or(|html| html.matches("ferry").count() == 3), "a list of articles");
        let code = "function a(b){return b.map(function(c){return {d:c,e:[1,2,3]}})};".repeat(20);
        let words = "Settings Cancel Save Delete Close Open ".repeat(20);
        let numbers = "0.1234,5.678,9.1011,".repeat(100);
        for text in [code, words, numbers] {
            let json = json!({"data": {"text": text}});
            assert_eq!(found(&format!("<script>window.__STATE__={json}</script>")), None);
        }
        assert_eq!(found("<script>window.__NUXT__=(function(a,b){return {a:a}}(1,2))</script>"), None);
        assert_eq!(found("<script>window.a={{{{</script><script type=application/json>[[[</script>"), None);
    }

    #[test]
    fn texts_that_are_referred_to_many_times_are_given_up() {
        let text = STORY.repeat(20);
        let nuxt = json!([vec![1; 5000], text]);
        let nuxt = format!("<script id=__NUXT_DATA__ type=application/json>{nuxt}</script>");
        let list = vec![json!({"__ref": "A"}); 5000];
        let apollo = json!({"L": list, "A": {"type": "p", "text": text}});
        let apollo = format!("<script>window.__APOLLO_STATE__ = {apollo}</script>");
        for html in [nuxt, apollo] {
            let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
            let search = embedded(&page);
            assert!(search.is_cut, "{} bytes", html.len());
            let largest = search.found.map_or(0, |found| found.html.len());
            assert!(largest <= 4 * html.len(), "{largest} bytes of {}", html.len());
        }
        // A later script has a budget of its own.
        let own =
            format!("<script>window.a={}</script>", json!({"title": "The ferry", "body": STORY.repeat(5)}));
        assert!(found(&format!("<script>{}</script>{own}", "__next_f.push([".repeat(20_000))).is_some());
    }

    #[test]
    fn texts_in_texts_are_read_to_some_depth() {
        let mut json = format!("{}{}", "[".repeat(100), "]".repeat(100));
        for _ in 0..60 {
            let text = json.replace('\\', "\\u005c").replace('"', "\\u0022");
            json = format!("{}\"{text}\"{}", "[".repeat(100), "]".repeat(100));
        }
        let script = format!("<script>window.a={json}</script>");
        // On a small stack.
        let small = std::thread::Builder::new().stack_size(1 << 20);
        assert_eq!(small.spawn(move || found(&script)).unwrap().join().unwrap(), None);
    }

    proptest::proptest! {
        #[test]
        fn any_script_is_looked_through(
            code in "(window\\.a|=|JSON\\.parse\\(|\\{|\\}|\\[|\\]|\"|'|\\\\|:|,|x|\\\\u12|text|type|content|[0-9]){0,60}"
        ) {
            for tag in ["<script>", "<script type=application/json>", "<script id=__NUXT_DATA__ type=application/json>"] {
                let _ = found(&format!("{tag}{code}</script>"));
            }
        }
    }
}
