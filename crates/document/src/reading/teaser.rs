//! What a list of posts says below each of them: that it goes on elsewhere, where it is filed, and who may answer.

use std::sync::LazyLock;
use tsugi_page::{Attr, NodeId, NodeKind, Page, Tag, text, word_list};

/// The longest label of such a link, and the most text beside the links of such a line, in characters.
const LABEL: u32 = 80;
const BESIDE: usize = 40;
/// The longest such line, in characters.
const LINE: u32 = 240;
const MOST_NODES: usize = 64;

const LISTS: &str = include_str!("../lists/teasers.txt");
static LEADS_ON: LazyLock<Vec<&str>> = LazyLock::new(|| phrases("leads-on"));
static FILES: LazyLock<Vec<&str>> = LazyLock::new(|| phrases("files"));

fn phrases(group: &str) -> Vec<&'static str> {
    word_list::lines(LISTS).filter(|(held, _)| *held == group).map(|(_, phrase)| phrase).collect()
}

/// Where the posts of a category are, in the address of its link.
const CATEGORIES: [&str; 5] = ["/category/", "/categories/", "/tag/", "?cat=", "?tag="];

/// Where comments are on the page of a post.
const ANSWERS: [&str; 4] = ["respond", "comments", "comment-form", "disqus_thread"];

/// Returns `true` if an element only leads on from a post in a list.
pub(super) fn is_left_over(page: &Page, id: NodeId) -> bool {
    match page.known_tag(id) {
        Tag::A => leads_on(page, id) || leads_to_answers(page, id),
        Tag::P | Tag::Div | Tag::Footer | Tag::Span => is_filing(page, id),
        _ => false,
    }
}

/// Returns `true` for the last link of a block that says that the post goes on: `Continue reading →`.
fn leads_on(page: &Page, link: NodeId) -> bool {
    if page.totals(link).characters > LABEL
        || page.value(link, Attr::Href).is_none_or(|href| href.starts_with('#'))
    {
        return false;
    }
    let label = page.string_value(link).trim_start_matches(|c: char| !text::is_alphanumeric(c));
    // Most labels begin like none of the phrases.
    let first = label.chars().next().and_then(|c| c.to_lowercase().next());
    first.is_some_and(|first| LEADS_ON.iter().any(|phrase| phrase.starts_with(first)))
        && begins_with(&text::folded(label).to_lowercase(), &LEADS_ON)
        && is_last(page, link)
}

fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let mut rests = phrases.iter().filter_map(|phrase| text.strip_prefix(phrase));
    rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn is_last(page: &Page, link: NodeId) -> bool {
    let mut at = link;
    loop {
        let mut after = std::iter::successors(page.next_sibling(at), |id| page.next_sibling(*id));
        if after.any(|id| page.string_value(id).contains(char::is_alphanumeric) && !page.class(id).line) {
            return false;
        }
        match page.parent(at) {
            Some(parent) if !page.class(parent).line && !page.class(parent).cell => at = parent,
            _ => return true,
        }
    }
}

fn leads_to_answers(page: &Page, link: NodeId) -> bool {
    let href = page.value(link, Attr::Href).unwrap_or_default();
    // On the page of a post itself, such a link leads down to what people said.
    href.split_once('#').is_some_and(|(at, place)| !at.is_empty() && ANSWERS.contains(&place))
        && page.totals(link).characters <= LABEL
        && is_last(page, link)
}

/// Returns `true` for a line of links to categories that says so, or has a link to comments: `Posted in News`, `News | Leave a
/// comment`.
fn is_filing(page: &Page, line: NodeId) -> bool {
    let characters = page.totals(line).characters;
    if characters == 0 || characters > LINE {
        return false;
    }
    let (mut files, mut answers) = (false, false);
    let mut nodes = page.subtree(line).skip(1);
    for id in nodes.by_ref().take(MOST_NODES) {
        if page.class(id).line || page.is_tag(id, Tag::Time) {
            return false;
        }
        if page.is_tag(id, Tag::A) {
            let rel = page.value(id, Attr::Rel).unwrap_or_default();
            let href = page.value(id, Attr::Href).unwrap_or_default();
            files |= rel.split_whitespace().any(|word| matches!(word, "tag" | "category"))
                || CATEGORIES.iter().any(|part| href.contains(part));
            answers |= leads_to_answers(page, id);
        }
    }
    if !files || nodes.next().is_some() {
        return false;
    }
    let (mut beside, mut inside) = (String::new(), 0);
    for id in page.subtree(line).skip(1) {
        if page.is_tag(id, Tag::A) {
            inside = page.subtree_end(id);
        } else if page.kind(id) == NodeKind::Text && id.index() >= inside {
            beside.push_str(page.data(id).trim());
        }
    }
    // A byline has a day, in the line or before it.
    let is_line = !page.is_tag(line, Tag::Span);
    let says_so =
        || is_line && begins_with(&beside.to_lowercase(), &FILES) && !beside.contains(char::is_numeric);
    beside.chars().count() <= BESIDE && (answers || says_so())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_over(html: &str, tag: &str) -> bool {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        is_left_over(&page, page.first(tag).unwrap())
    }

    #[test]
    fn links_below_posts_lead_on() {
        for link in [
            "<p>It begins … <a href=/1 class=more-link>Continue reading <span>The mill</span> →</a>",
            "<div><a href=/1>Weiterlesen …</a></div>",
            "<p>雪が…<a href=/1>続きを読む</a>",
            "<footer>Ann | <a href=/1#respond>Leave a comment</a></footer>",
        ] {
            assert!(left_over(link, "a"), "{link}");
        }
        for link in [
            "<p><a href=/1>Continue reading</a> is what she said to him.",
            "<p>Go on: <a href=#more>Continue reading</a>",
            "<p><a href=/1>Read morethan</a>",
            "<p><a href=#comments>3 comments</a>",
        ] {
            assert!(!left_over(link, "a"), "{link}");
        }
        let filing = "<div>Posted in <a rel='category tag' href=/c>News</a> | <a href=/1#respond>Leave a comment</a></div>";
        assert!(left_over(filing, "div"));
        for filing in [
            "<p>Posted in <a rel=category href=/c>News</a></p>",
            "<p>Veröffentlicht in <a href=/category/meer/>Meer</a>, <a href=/category/see/>See</a>",
            "<p>Filed under: <a href='/?cat=3'>News</a> | <a href=/1#respond>3 Comments</a>",
        ] {
            assert!(left_over(filing, "p"), "{filing}");
        }
        for text in [
            "<p>Posted in <a href=/c>a place of its own</a></p>",
            "<p>Posted in <a rel=category href=/c>News</a> by Ann on 3 May</p>",
            "<p>Posted <a rel=category href=/c>News</a></p>",
            "<p>3 May | <span>Posted in <a rel=category href=/c>News</a></span>",
        ] {
            let tag = if text.contains("<span") { "span" } else { "p" };
            assert!(!left_over(text, tag), "{text}");
        }
        let byline = "<p><time>1 May</time> in <a rel=tag href=/c>News</a> | <a href=/1#respond>3</a></p>";
        assert!(!left_over(byline, "p"));
    }

    #[test]
    fn the_list_is_well_formed() {
        assert_eq!(
            word_list::fault(LISTS, word_list::lines(LISTS), |group| matches!(group, "leads-on" | "files")),
            None
        );
    }
}
