//! The captioned picture between an article's headline and its text. Models leave it out, since it is no text of the article,
//! but documents have it.

use super::furniture::lies_in;
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag};

/// The shortest and the longest caption, in characters.
const CAPTION: std::ops::RangeInclusive<u32> = 3..=400;
/// The most text above the figure (a standfirst, a byline) and below it (a byline, a share bar), in characters.
const MOST_ABOVE: u32 = 600;
const MOST_BELOW: u32 = 300;
/// The most text between the figure and a headline below it (a section, a kicker), and how far up what holds both is from the
/// figure.
const MOST_BETWEEN: u32 = 100;
const NEAR: usize = 3;

/// Adds the figure between the first `h1` before the text and the text, or right above that `h1`, if the content lacks it.
pub fn with_lead_figure(page: &Page, mut content: Content) -> Content {
    let Some(figure) = lead_figure(page, &content) else { return content };
    if !lies_in(page, &content.nodes, figure) {
        content.nodes.push(figure);
        content.nodes.sort_unstable();
    } else if let Some(at) = content.without.iter().position(|left| page.contains(*left, figure))
        // What is left out with it stays out.
        && page.totals(content.without[at]).characters == page.totals(figure).characters
    {
        content.without.remove(at);
    }
    content
}

fn lead_figure(page: &Page, content: &Content) -> Option<NodeId> {
    let is_text = |id: &NodeId| page.kind(*id) == NodeKind::Text && page.totals(*id).characters > 0;
    let mut texts = content.nodes.iter().flat_map(|root| page.subtree(*root)).filter(is_text);
    let is_title = |id: NodeId| page.ancestors(id).any(|around| page.is_tag(around, Tag::H1));
    let first = texts.find(|id| !lies_in(page, &content.without, *id) && !is_title(*id))?;
    // A figure and a headline of which one holds the other have less text between them than in them; then nothing is added.
    let (mut figure, mut headline, mut between) = (None, None, 0);
    let before = page.subtree(NodeId::DOCUMENT).rev().skip_while(|id| *id >= first);
    for id in before.filter(|id| !page.contains(*id, first)) {
        match (page.kind(id), page.known_tag(id)) {
            (NodeKind::Text, _) => between += page.totals(id).characters,
            (NodeKind::Element, Tag::Figure) if headline.is_some() => {
                let below = between.checked_sub(page.totals(id).characters)?;
                let is_above = || headline.is_some_and(|headline| opens_article(page, id, headline));
                return Some(id).filter(|id| below <= MOST_BETWEEN && is_captioned(page, *id) && is_above());
            }
            (NodeKind::Element, Tag::Figure) if figure.is_none() => {
                let below = between.checked_sub(page.totals(id).characters)?;
                figure = Some(id).filter(|id| below <= MOST_BELOW && is_captioned(page, *id));
                figure?;
                between = 0;
            }
            (NodeKind::Element, Tag::H1) => {
                let above = between.checked_sub(page.totals(id).characters)?;
                if figure.is_some() || headline.is_some() || above > MOST_ABOVE {
                    return figure.filter(|_| above <= MOST_ABOVE);
                }
                (headline, between) = (Some(id), 0);
            }
            (NodeKind::Element, Tag::H2 | Tag::H3 | Tag::H4) => return None,
            _ => {}
        }
        if between > MOST_ABOVE + CAPTION.end() {
            return None;
        }
    }
    None
}

/// Returns `true` if a figure is in the article that a headline below it names, or in the header of that article.
fn opens_article(page: &Page, figure: NodeId, headline: NodeId) -> bool {
    let around = page.ancestors(figure).take_while(|id| !page.is_tag(*id, Tag::Body));
    let mut around = around.enumerate().skip_while(|(_, id)| !page.contains(*id, headline));
    around.next().is_some_and(|(at, id)| {
        matches!(page.known_tag(id), Tag::Article | Tag::Header | Tag::Main) || at < NEAR
    })
}

/// Returns `true` for one picture with words below it, which is no teaser of another page.
fn is_captioned(page: &Page, figure: NodeId) -> bool {
    let words = page.totals(figure);
    let is_picture = |id: &NodeId| page.is_tag(*id, Tag::Img);
    let mut around = page.ancestors(figure).map(|id| page.known_tag(id));
    CAPTION.contains(&words.characters)
        && 2 * words.link_characters < words.characters
        && page.subtree(figure).filter(is_picture).count() == 1
        && around.all(|tag| !matches!(tag, Tag::A | Tag::Aside | Tag::Nav | Tag::Footer | Tag::Li))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    /// The text with the figure, where `body` is the content and `left` is left out of it.
    fn text(html: &str) -> String {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let by_id = |id: &str| page.elements().find(|node| page.attribute(*node, "id") == Some(id));
        let content = Content {
            nodes: by_id("content").into_iter().collect(),
            without: by_id("left").into_iter().collect(),
            ..Content::nothing(Evidence::Model)
        };
        let content = with_lead_figure(&page, content);
        let text = page.text_of_content(&content.nodes, &content.without);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_figure_above_the_text_is_added() {
        let figure = "<figure><img src=i><figcaption>The weir.</figcaption></figure>";
        for html in [
            format!("<h1>Weirs</h1>{figure}<p id=content>Text."),
            format!(
                "<h1>Weirs</h1><p>By Ada</p><div>{figure}</div><p>Share</p><div id=content><p>Text.</div>"
            ),
            format!("<h1>Weirs</h1><div id=content><div id=left>{figure}</div><p>Text.</div>"),
            format!("<article id=content><h1 id=left>Weirs</h1><div>{figure}</div><p>Text.</article>"),
            format!("<article>{figure}<h1>Weirs</h1><p id=content>Text.</article>"),
            format!(
                "<article><header><div><div><div>{figure}</div></div></div><p>Rivers</p><h1>Weirs</h1></header><p id=content>Text.</article>"
            ),
            format!("<div><div>{figure}</div><h1>Weirs</h1><p>By Ada</p><p id=content>Text.</div>"),
        ] {
            assert_eq!(text(&html), "The weir. Text.", "{html}");
        }
    }

    #[test]
    fn other_pictures_are_not() {
        let figure = "<figure><img src=i><figcaption>The weir.</figcaption></figure>";
        let long = "word ".repeat(130);
        for html in [
            format!("{figure}<h1>Weirs</h1><p id=content>Text."),
            format!("<div><div><div><div>{figure}</div></div></div><h1>Weirs</h1><p id=content>Text.</div>"),
            "<article><figure><img src=i><h1>Weirs</h1></figure><p id=content>Text.</article>".to_owned(),
            format!("<article>{figure}<h2>Other</h2><h1>Weirs</h1><p id=content>Text.</article>"),
            format!("<article>{figure}<h1>Other</h1><h1>Weirs</h1><p id=content>Text.</article>"),
            format!("<article>{figure}<p>{long}</p><h1>Weirs</h1><p id=content>Text.</article>"),
            format!("<article><aside>{figure}</aside><h1>Weirs</h1><p id=content>Text.</article>"),
            "<article><figure><img src=i></figure><h1>Weirs</h1><p id=content>Text.</article>".to_owned(),
            format!("<h1>Weirs</h1>{figure}<h2>Related</h2><p id=content>Text."),
            format!("<h1>Weirs</h1><aside>{figure}</aside><p id=content>Text."),
            format!("<h1>{figure}Weirs</h1><p id=content>Text."),
            format!("<h1>Weirs</h1><ul><li>{figure}</ul><p id=content>Text."),
            format!("<h1>Weirs</h1>{figure}<p>{long}</p><p id=content>Text."),
            format!("<h1>Weirs</h1><p>{long}{long}</p>{figure}<p id=content>Text."),
            "<h1>Weirs</h1><figure><img src=i></figure><p id=content>Text.".to_owned(),
            "<h1>Weirs</h1><figure><pre>code</pre><figcaption>The code.</figcaption></figure><p id=content>Text."
                .to_owned(),
            "<h1>Weirs</h1><figure><img src=i><img src=j><figcaption>Two</figcaption></figure><p id=content>Text.".to_owned(),
            "<h1>Weirs</h1><figure><img src=i><figcaption><a href=/b>Other</a></figcaption></figure><p id=content>Text."
                .to_owned(),
            format!("<h1>Weirs</h1><div id=content><div id=left>{figure}<p>Ask us</div><p>Text.</div>"),
            format!("<h1>Weirs</h1>{figure}<p id=content>"),
            "<h1>Weirs</h1><figure><img src=i><p id=content>Text.</figure>".to_owned(),
        ] {
            assert!(matches!(text(&html).as_str(), "Text." | ""), "{html}");
        }
    }
}
