//! Hints at the kind of a page, from its markup, its address and its head.

use tsugi_page::{Attr, NodeId, NodeKind, Page, Tag};

#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "a page may say several things of itself")]
pub(crate) struct Hints {
    /// `og:type`: 0 none, 1 website, 2 article, 3 product, 4 another.
    pub(crate) og_type: f32,
    /// JSON-LD or microdata of an article, of a product, of a list, of a discussion or questions, of a how-to or FAQ.
    pub(crate) says_article: bool,
    pub(crate) says_product: bool,
    pub(crate) says_list: bool,
    pub(crate) says_forum: bool,
    pub(crate) says_faq: bool,
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

const MAX_DATA: usize = 1 << 18; // Maximum number of bytes read of a data script.

impl Hints {
    pub(crate) fn read_address(&mut self, page: &Page) {
        let url = page.url();
        let path = url.path();
        let mut segments = path.split('/').filter(|part| !part.is_empty());
        self.path_segments = u32::try_from(segments.clone().count()).unwrap_or(u32::MAX);
        let last = segments.next_back().unwrap_or("");
        self.path_has_digits = last.bytes().any(|byte| byte.is_ascii_digit());
        self.path_is_file = last.contains('.');
        self.path_has_hyphens = u32::try_from(last.matches(['-', '_']).count()).unwrap_or(u32::MAX);
        self.has_query = url.query().is_some_and(|query| !query.is_empty());
    }

    pub(crate) fn read_element(&mut self, page: &Page, id: NodeId, tag: Tag) {
        match tag {
            Tag::Meta => self.read_meta(page, id),
            Tag::Script => self.scripts += 1,
            Tag::Article => self.articles += 1,
            Tag::Time => self.times += 1,
            Tag::Img | Tag::Picture => self.images += 1,
            Tag::Table => self.tables += 1,
            Tag::Pre | Tag::Code => self.codes += 1,
            Tag::Input | Tag::Select | Tag::Textarea => self.inputs += 1,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.headings += 1,
            Tag::P => self.paragraphs += 1,
            _ => {}
        }
    }

    pub(crate) fn read_attribute(&mut self, name: Attr, value: &str) {
        if name == Attr::Itemtype {
            self.read_type(value.rsplit('/').next().unwrap_or(value));
        }
    }

    fn read_meta(&mut self, page: &Page, id: NodeId) {
        let content = page.value(id, Attr::Content).unwrap_or("");
        if page.value(id, Attr::Name).is_some_and(|name| name.eq_ignore_ascii_case("generator")) {
            self.generator = true;
        }
        if page.value(id, Attr::Property).is_some_and(|name| name.eq_ignore_ascii_case("og:type")) {
            self.og_type = match content.to_ascii_lowercase().as_str() {
                "website" => 1.0,
                "article" => 2.0,
                kind if kind.contains("product") => 3.0,
                _ => 4.0,
            };
        }
    }

    pub(crate) fn read_data(&mut self, page: &Page, id: NodeId) {
        let texts = page.children(id).filter(|child| page.kind(*child) == NodeKind::Text);
        for text in texts.map(|child| page.data(child)) {
            for after in text[..text.floor_char_boundary(MAX_DATA)].split("\"@type\"").skip(1) {
                let value = after.trim_start_matches([' ', ':', '[', '\n', '\t', '\r']);
                if let Some(name) = value.strip_prefix('"').and_then(|value| value.split('"').next()) {
                    self.read_type(name);
                }
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
                self.says_list = true;
            }
            "DiscussionForumPosting" | "QAPage" | "Question" | "Comment" => self.says_forum = true,
            "FAQPage" | "HowTo" => self.says_faq = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::PageContext;
    use super::*;

    #[test]
    fn pages_say_what_they_are() {
        let html = r#"<meta property="og:type" content="article"><script type="application/ld+json">
            {"@type" : ["NewsArticle"], "offers": {"@type":"Offer"}}</script><div itemtype="https://schema.org/QAPage">"#;
        let page = Page::from_text(html, &"https://a.test/x/a-b-1.html?p=1".parse().unwrap());
        let hints = PageContext::new(&page, None).hints;
        assert_eq!(hints.og_type, 2.0);
        assert!(hints.says_article && hints.says_product && hints.says_forum && !hints.says_list);
        assert_eq!((hints.path_segments, hints.path_has_hyphens), (2, 2));
        assert!(hints.path_is_file && hints.path_has_digits && hints.has_query);
    }
}
