//! A person's annotation of a page, and the label made from it.

use super::roles::{self, LabelledBlock, SaidRole};
use crate::error::ApiError;
use serde::{Deserialize, Serialize};
use tsugi::page::address;
use tsugi::page::{NodeId, NodeKind};
use tsugi::{Page, Tsugi, Url};

/// The answers of one person about one page. Elements and texts are location paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Annotation {
    /// The element that leads to the next page; `None` if there is none.
    #[serde(default)]
    pub(super) next: Option<String>,
    /// Why there is no next page: `last`, `unfollowable`, `next-article`, `comments`.
    #[serde(default)]
    pub(super) next_reason: Option<String>,
    #[serde(default)]
    pub(super) content: Vec<String>,
    /// Elements and texts inside the content that do not belong to it.
    #[serde(default)]
    pub(super) without: Vec<String>,
    #[serde(default)]
    pub(super) comments: Vec<String>,
    #[serde(default)]
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) date: Option<String>,
    #[serde(default)]
    pub(super) author: Option<String>,
    /// The roles of the page's text blocks, in its order; empty if the person spoke of none.
    #[serde(default)]
    pub(super) blocks: Vec<SaidRole>,
    /// Whether the person spoke of roles alone, so that nothing is known of the content and of the next page.
    #[serde(default)]
    pub(super) roles_only: bool,
    /// Whether the person began with the models' answer. Such labels lean towards the models.
    #[serde(default)]
    pub(super) draft: bool,
}

#[derive(Debug)]
pub(super) struct MarkedNodes {
    pub(super) next: Option<(NodeId, Url)>,
    pub(super) content: Vec<NodeId>,
    pub(super) without: Vec<NodeId>,
    comments: Vec<NodeId>,
}

/// A page's label, as in a data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageLabel {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<LabelledBlock>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<String>,
    content: Vec<String>,
    /// The fields that are known: `next`, `content`, `text`, `metadata`, `roles` (of the blocks).
    labels: Vec<String>,
    /// Data sets have this field and `next` even if they are `null`.
    lang: Option<String>,
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<String>,
    site: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    url: String,
    without: Vec<String>,
}

const REASONS: [&str; 4] = ["last", "unfollowable", "next-article", "comments"];

impl Annotation {
    /// Finds the nodes on the page. Those within others of the same list are left out.
    ///
    /// # Errors
    ///
    /// If a path leads to no node of its kind, the next link leads nowhere, or the reason is unknown.
    pub(super) fn on(&self, page: &Page) -> Result<MarkedNodes, ApiError> {
        if let Some(reason) = self.next_reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
            return Err(ApiError::bad(format!("`{reason}` is no reason why there is no next page")));
        }
        let next = self.next.as_ref().map(|path| leads_to(page, element(page, path)?)).transpose()?;
        let content = outermost(page, &self.content, element)?;
        let mut without = outermost(page, &self.without, element_or_text)?;
        without.retain(|out| content.iter().any(|inside| inside != out && page.contains(*inside, *out)));
        Ok(MarkedNodes { next, content, without, comments: outermost(page, &self.comments, element)? })
    }

    pub(super) fn label(&self, page: &Page, tsugi: &Tsugi, annotator: &str) -> Result<PageLabel, ApiError> {
        let MarkedNodes { next, content, without, comments } = self.on(page)?;
        let mut labels = if self.roles_only { Vec::new() } else { vec!["next"] };
        if !content.is_empty() {
            labels.extend(["content", "text"]);
        }
        let title = words(page, self.title.as_deref());
        let published = words(page, self.date.as_deref());
        let author = words(page, self.author.as_deref());
        // A person who marked one or two of the three did not look for all.
        if title.is_some() && published.is_some() && author.is_some() {
            labels.push("metadata");
        }
        let blocks = roles::labelled(page, tsugi, &self.blocks)?;
        let mut text = (!content.is_empty()).then(|| page.text_of_content(&content, &without));
        if self.roles_only {
            text = blocks.as_deref().map(roles::document_text).filter(|text| !text.is_empty());
            labels.extend(text.is_some().then_some("text"));
        }
        labels.extend(blocks.is_some().then_some("roles"));
        let left_out = without.iter().map(|out| page.text(*out)).filter(|text| !text.is_empty());
        let began = if self.draft { "from a draft" } else { "from nothing" };
        Ok(PageLabel {
            author,
            blocks,
            comments: Some(page.text_of_content(&comments, &[])).filter(|text| !text.is_empty()),
            content: content.iter().map(|node| page.location_path(*node)).collect(),
            labels: labels.into_iter().map(str::to_owned).collect(),
            lang: page.lang().map(str::to_owned),
            next_reason: if next.is_none() { self.next_reason.clone() } else { None },
            next: next.map(|(_, url)| url.into()),
            published,
            site: address::registrable_domain(page.url()).to_owned(),
            source: format!("annotated by {annotator}, {began}"),
            text,
            title,
            url: page.url().to_string(),
            without: left_out.collect(),
        })
    }
}

fn element(page: &Page, path: &str) -> Result<NodeId, ApiError> {
    let found = page.at_location_path(path).filter(|node| page.is_element(*node));
    found.ok_or_else(|| ApiError::bad(format!("`{path}` is no element of the page")))
}

fn element_or_text(page: &Page, path: &str) -> Result<NodeId, ApiError> {
    let text = page.at_location_path(path).filter(|node| page.kind(*node) == NodeKind::Text);
    text.map_or_else(|| element(page, path), Ok)
}

fn outermost(
    page: &Page,
    paths: &[String],
    node: impl Fn(&Page, &str) -> Result<NodeId, ApiError>,
) -> Result<Vec<NodeId>, ApiError> {
    Ok(page.outermost(paths.iter().map(|path| node(page, path)).collect::<Result<_, _>>()?))
}

/// Returns the text of an element, with single spaces.
fn words(page: &Page, path: Option<&str>) -> Option<String> {
    let node = page.at_location_path(path?)?;
    Some(page.text(node).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the link at or around an element, and the page that it leads to.
fn leads_to(page: &Page, node: NodeId) -> Result<(NodeId, Url), ApiError> {
    let mut around = std::iter::once(node).chain(page.ancestors(node));
    let link = around.find_map(|at| Some((at, page.resolve(page.attribute(at, "href")?)?)));
    link.ok_or_else(|| ApiError::bad("the next link leads to no page"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const HTML: &str = "<html lang=en><body><main><h1>Title</h1><p>One <b>two</b>.</p><div>Share</div></main>\
                        <section>A comment</section><a href=/2><span>Next</span></a>";

    fn page() -> Page {
        Page::from_text(HTML, &"https://www.a.test/1".parse().unwrap())
    }

    fn annotation() -> Annotation {
        let path = |end: &str| format!("/html[1]/body[1]{end}");
        Annotation {
            next: Some(path("/a[1]/span[1]")),
            content: vec![path("/main[1]"), path("/main[1]/p[1]")],
            without: vec![path("/main[1]/div[1]"), path("/section[1]")],
            comments: vec![path("/section[1]")],
            title: Some(path("/main[1]/h1[1]")),
            ..Annotation::default()
        }
    }

    fn label(annotation: &Annotation) -> Value {
        serde_json::to_value(annotation.label(&page(), &Tsugi::new(), "ann").unwrap()).unwrap()
    }

    #[test]
    fn a_label_has_the_fields_of_a_data_set() {
        let label = label(&annotation());
        assert_eq!(label["next"], "https://www.a.test/2");
        assert_eq!(label["content"], json!(["/html[1]/body[1]/main[1]"]), "outermost elements only");
        assert_eq!(label["text"], "Title\nOne two.");
        assert_eq!(label["without"], json!(["Share"]), "what is outside the content is not left out of it");
        assert_eq!((&label["comments"], &label["title"]), (&json!("A comment"), &json!("Title")));
        assert_eq!(label["labels"], json!(["next", "content", "text"]));
        assert!(label.get("published").is_none());
    }

    #[test]
    fn a_text_can_be_left_out() {
        let without = vec!["/html[1]/body[1]/main[1]/p[1]/text()[1]".to_owned()];
        let label = label(&Annotation { without, ..annotation() });
        assert_eq!((&label["text"], &label["without"]), (&json!("Title\ntwo.\nShare"), &json!(["One"])));
    }

    #[test]
    fn no_next_page_is_an_answer() {
        let none = Annotation { next_reason: Some("last".to_owned()), ..Annotation::default() };
        let label = label(&none);
        assert_eq!((&label["next"], &label["next_reason"]), (&Value::Null, &json!("last")));
        assert_eq!(label["labels"], json!(["next"]), "content that nobody marked is not known");
    }

    #[test]
    fn who_speaks_of_roles_alone_says_nothing_of_the_next_page() {
        let said = json!([{"at": "/html[1]/body[1]/section[1]", "role": "comments"}]);
        let blocks = serde_json::from_value(said).unwrap();
        let label = label(&Annotation { blocks, roles_only: true, ..Annotation::default() });
        assert_eq!(label["labels"], json!([]));
        assert_eq!(label.get("blocks"), None, "the other blocks are open");
    }

    #[test]
    fn what_is_not_on_the_page_is_refused() {
        for (next, reason, content) in [
            (Some("/html[1]/body[1]/main[1]"), None, "/html[1]"),
            (None, Some("no"), "/html[1]"),
            (None, None, "/html[1]/nav[1]"),
            (None, None, "x"),
        ] {
            let wrong = Annotation {
                next: next.map(str::to_owned),
                next_reason: reason.map(str::to_owned),
                content: vec![content.to_owned()],
                ..Annotation::default()
            };
            assert_eq!(
                wrong.label(&page(), &Tsugi::new(), "ann").unwrap_err().word,
                "bad-request",
                "{wrong:?}"
            );
        }
    }
}
