//! What a person says about a page, and the label that it becomes.

use crate::error::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tsugi::{NodeId, Page, Url};
use tsugi_page::address;

/// The answer of one person about one page. Elements are named by their location paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Annotation {
    /// The element that leads to the next page; `None` if there is none.
    #[serde(default)]
    pub(crate) next: Option<String>,
    /// Why there is no next page: `last`, `unfollowable`, `next-article`, `comments`.
    #[serde(default)]
    pub(crate) next_reason: Option<String>,
    /// What the content is.
    #[serde(default)]
    pub(crate) content: Vec<String>,
    /// What is not content, inside of it.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    #[serde(default)]
    pub(crate) comments: Vec<String>,
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) date: Option<String>,
    #[serde(default)]
    pub(crate) author: Option<String>,
    /// Whether the person began with the models' answer, and not with nothing.
    #[serde(default)]
    pub(crate) draft: bool,
}

/// The elements that an annotation names, on its page.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) next: Option<(NodeId, Url)>,
    pub(crate) content: Vec<NodeId>,
    pub(crate) without: Vec<NodeId>,
    comments: Vec<NodeId>,
}

/// Reasons why a page has no next page.
const REASONS: [&str; 4] = ["last", "unfollowable", "next-article", "comments"];

impl Annotation {
    /// Finds the elements on the page; outermost ones only.
    ///
    /// # Errors
    ///
    /// If a path leads to no element, the next link leads nowhere, or the reason is unknown.
    pub(crate) fn on(&self, page: &Page) -> Result<Named, Problem> {
        let node = |path: &String| {
            let found = page.at_location_path(path).filter(|node| page.is_element(*node));
            found.ok_or_else(|| Problem::bad(format!("`{path}` is no element of the page")))
        };
        let nodes = |paths: &[String]| -> Result<Vec<NodeId>, Problem> {
            Ok(page.outermost(paths.iter().map(node).collect::<Result<_, _>>()?))
        };
        if let Some(reason) = self.next_reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
            return Err(Problem::bad(format!("`{reason}` is no reason why there is no next page")));
        }
        let next = match &self.next {
            Some(path) => Some(leads_to(page, node(path)?)?),
            None => None,
        };
        let content = nodes(&self.content)?;
        let mut without = nodes(&self.without)?;
        without.retain(|out| content.iter().any(|inside| inside != out && page.contains(*inside, *out)));
        Ok(Named { next, content, without, comments: nodes(&self.comments)? })
    }

    /// Returns the label: an object of a data set.
    pub(crate) fn label(&self, page: &Page, annotator: &str) -> Result<Value, Problem> {
        let named = self.on(page)?;
        let path = |nodes: &[NodeId]| nodes.iter().map(|node| page.location_path(*node)).collect::<Vec<_>>();
        let text = |path: &Option<String>| {
            let node = path.as_ref().and_then(|path| page.at_location_path(path));
            node.map(|node| page.text(node).split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let mut labels = vec!["next"];
        if !named.content.is_empty() {
            labels.extend(["content", "text"]);
        }
        let (title, published, author) = (text(&self.title), text(&self.date), text(&self.author));
        // All three are known only if all three were looked for.
        if title.is_some() && published.is_some() && author.is_some() {
            labels.push("metadata");
        }
        let is_known = !named.content.is_empty();
        let without: Vec<String> =
            named.without.iter().map(|out| page.text(*out)).filter(|text| !text.is_empty()).collect();
        let comments = page.text_of_content(&named.comments, &[]);
        let mut label = json!({
            "url": page.url().as_str(),
            "site": address::registrable_domain(page.url()),
            "next": named.next.as_ref().map(|(_, url)| url.as_str()),
            "next_reason": if named.next.is_none() { self.next_reason.as_deref() } else { None },
            "content": path(&named.content),
            "text": is_known.then(|| page.text_of_content(&named.content, &named.without)),
            "without": without,
            "lang": page.lang(),
            "source": format!("annotated by {annotator}, {}", if self.draft { "from a draft" } else { "from nothing" }),
            "title": title,
            "published": published,
            "author": author,
            "comments": Some(comments).filter(|text| !text.is_empty()),
            "labels": labels,
        });
        if let Some(fields) = label.as_object_mut() {
            let is_needed = |name: &str| matches!(name, "next" | "lang");
            fields.retain(|name, value| !value.is_null() || is_needed(name));
        }
        Ok(label)
    }
}

/// Returns the link at or around an element, and the page that it leads to.
fn leads_to(page: &Page, node: NodeId) -> Result<(NodeId, Url), Problem> {
    let mut around = std::iter::once(node).chain(page.ancestors(node));
    let link = around.find_map(|at| Some((at, page.resolve(page.attribute(at, "href")?)?)));
    link.ok_or_else(|| Problem::bad("the next link leads to no page"))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_label_has_the_fields_of_a_data_set() {
        let label = annotation().label(&page(), "ann").unwrap();
        assert_eq!(label["next"], "https://www.a.test/2");
        assert_eq!(label["content"], json!(["/html[1]/body[1]/main[1]"]), "outermost elements only");
        assert_eq!(label["text"], "Title\nOne two.");
        assert_eq!(label["without"], json!(["Share"]), "what is outside the content is not left out of it");
        assert_eq!((&label["comments"], &label["title"]), (&json!("A comment"), &json!("Title")));
        assert_eq!(label["labels"], json!(["next", "content", "text"]));
        assert!(label.get("published").is_none());
    }

    #[test]
    fn no_next_page_is_an_answer() {
        let none = Annotation { next_reason: Some("last".to_owned()), ..Annotation::default() };
        let label = none.label(&page(), "ann").unwrap();
        assert_eq!((&label["next"], &label["next_reason"]), (&Value::Null, &json!("last")));
        assert_eq!(label["labels"], json!(["next"]), "content that nobody marked is not known");
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
            assert_eq!(wrong.label(&page(), "ann").unwrap_err().word, "bad-request", "{wrong:?}");
        }
    }
}
