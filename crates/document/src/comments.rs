//! The comments below an article.

use tsugi_page::{Content, NodeId, Page};

/// Whether a document keeps the comments below an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// Leaves them out of the document. [`DocumentPage::comments`](crate::DocumentPage::comments) still has their text.
    #[default]
    Drop,
    /// Keeps them where the pages have them.
    Keep,
    /// Keeps nothing else.
    Only,
}

impl Comments {
    /// Returns the content of a page to join.
    pub fn choose(self, page: &Page, content: Content, comments: Option<&Content>) -> Content {
        match (self, comments) {
            (Comments::Drop, _) | (Comments::Keep, None) => content,
            (Comments::Keep, Some(comments)) => both(page, content, comments),
            (Comments::Only, Some(comments)) => comments.clone(),
            (Comments::Only, None) => Content::nothing(content.evidence),
        }
    }
}

fn both(page: &Page, content: Content, comments: &Content) -> Content {
    let holds_some = |id: NodeId| {
        let from = comments.nodes.partition_point(|node| *node < id);
        comments.nodes.get(from).is_some_and(|node| page.contains(id, *node))
    };
    let mut without = comments.without.clone();
    let mut open = content.without;
    while let Some(id) = open.pop() {
        if !holds_some(id) {
            without.push(id);
        } else if comments.nodes.binary_search(&id).is_err() {
            open.extend(page.children(id));
        }
    }
    let nodes = [content.nodes, comments.nodes.clone()].concat();
    Content { nodes: page.outermost(nodes), without: page.outermost(without), ..content }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    #[test]
    fn comments_are_kept_dropped_or_alone() {
        let html = "<main><p>Story.</p><div id=foot><i>ad</i><ol><li>First!<form>Name</form></ol><i>ad</i></div></main>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let first = |tag| page.first(tag).unwrap();
        let content = |nodes, without| Content { nodes, without, ..Content::nothing(Evidence::Model) };
        let article = content(vec![first("main")], vec![first("div")]);
        let comments = content(vec![first("ol")], vec![first("form")]);
        for (choice, text) in
            [(Comments::Drop, "Story."), (Comments::Keep, "Story.\nFirst!"), (Comments::Only, "First!")]
        {
            let chosen = choice.choose(&page, article.clone(), Some(&comments));
            assert_eq!(page.text_of_content(&chosen.nodes, &chosen.without), text);
        }
        assert_eq!(Comments::Keep.choose(&page, article.clone(), None), article);
        assert!(Comments::Only.choose(&page, article, None).nodes.is_empty());
    }
}
