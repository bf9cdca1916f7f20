//! Threads: what each post says of the topic and of its author, besides what it says.

use super::blocks::{BlockLine, LineRole, PartBlocks, level_of};
use crate::labels::is_label;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::lexicon::Memo;
use tsugi_page::{Attr, Content, NodeId, Page, TextForms, text};

/// The longest rank of an author, in characters.
const LONGEST: usize = 40;

/// How far above a line the name of a rank may be.
const NEAR: usize = 2;

/// Words of classes that software for forums gives to what it writes of an author besides the name.
// XenForo, phpBB, SMF, vBulletin.
const AUTHOR_WORDS: [&str; 6] =
    ["usertitle", "userrank", "userextras", "membergroup", "postgroup", "postcount"];
const AUTHOR_NAMES: [&str; 7] = [
    "user-title", "user_title", "user-extras", "userinfo_extra", "profile-rank", "profile-posts",
    "profile-joined",
];

/// What a title has between the topic and the name of the forum.
const SEPARATORS: [&str; 7] = [" - ", " | ", " • ", " » ", " :: ", " – ", " — "];

/// Takes out of the posts of a thread their headings that only name the topic (`Re: Leaks`), and the ranks of the authors. The
/// title is written above the document instead. Returns the topic, if it is only a part of the title.
pub(super) fn without_frames<'t>(
    pages: &[&Page],
    title: Option<&'t str>,
    blocks: &[PartBlocks],
    out: &mut [Vec<bool>],
) -> Option<&'t str> {
    without_ranks(pages, blocks, out);
    let title = title.filter(|title| !key(title).is_empty())?;
    let (mut topic, mut heads) = (title, TopicHeads::of(title, blocks));
    if heads.named.is_empty() {
        // A part of the title is the topic if posts answer it.
        let parts = SEPARATORS.iter().filter(|separator| title.contains(**separator));
        let parts = parts.flat_map(|separator| title.split(separator)).map(str::trim);
        let found = parts.filter(|part| !key(part).is_empty()).find_map(|part| {
            let heads = TopicHeads::of(part, blocks);
            (heads.replies >= 2).then_some((part, heads))
        });
        (topic, heads) = found?;
    }
    if heads.replies < 2 && heads.named.len() < 3 {
        return None;
    }
    for (page, line) in heads.named {
        out[page][line] = true;
    }
    without_usual_lines(pages, blocks, out);
    (topic.len() < title.len()).then_some(topic)
}

/// Returns `false` if [`without_frames`] takes nothing out of a single page, whatever its title is. This takes a fraction of
/// the time of reading its blocks.
pub(super) fn may_have_frames(page: &Page, content: &Content, forms: &TextForms) -> bool {
    let mut known = Memo::new();
    let mut is_of_author =
        |id: NodeId| page.value(id, Attr::Class).is_some_and(|class| known.get(class, is_author_class));
    let is_heading = |id: NodeId| level_of(page, id).is_some_and(|level| level >= 2);
    let (mut headings, mut last, mut heading_end) = (Vec::new(), None, 0);
    for root in &content.nodes {
        let parent = page.parent(*root);
        let is_new = last.replace(parent) != Some(parent);
        if is_new && page.ancestors(*root).any(|id| is_of_author(id) || is_heading(id)) {
            return true;
        }
        for id in page.subtree(*root).filter(|id| page.is_element(*id)) {
            if is_of_author(id) {
                return true;
            }
            // The lines of a heading are those of headings in it, too.
            if is_heading(id) && id.index() >= heading_end {
                heading_end = page.subtree_end(id);
                headings.push(id);
            }
        }
    }
    // Two answers to a topic, or three lines that name it, of which one may be an answer.
    let (mut answers, mut said) = (0, BTreeSet::new());
    headings.into_iter().any(|heading| {
        let text = page.text_in_forms(&[heading], &content.without, forms);
        text.lines().any(|line| {
            answers += usize::from(line.contains(':'));
            answers == 2 || !said.insert(key(line))
        })
    })
}

/// Returns the topic of a title with the label that software for forums puts before it.
///
/// `View topic - Leaks` says so itself; a word such as `Topic: ` may also begin a title, so a line of the page must be the rest.
pub(super) fn labelled<'t>(title: &'t str, blocks: &[PartBlocks]) -> Option<&'t str> {
    /// In bytes.
    const LONGEST_TITLE: usize = 1000;
    if title.len() > LONGEST_TITLE {
        return None;
    }
    let starts = SEPARATORS
        .iter()
        .flat_map(|separator| title.match_indices(separator).map(move |(at, _)| at + separator.len()));
    let labelled = [0].into_iter().chain(starts).find_map(|start| {
        let part = &title[start..];
        let topic = part.split_once(" - ").or_else(|| part.split_once(": "));
        topic.filter(|(label, _)| is_label("topic label", &key(label))).map(|(_, topic)| topic)
    });
    let worded = || {
        let (word, topic) = title.split_once(':')?;
        let is_word = is_label("topic word", &key(word));
        let name = key(topic);
        let mut lines = blocks.iter().flat_map(|blocks| &blocks.lines);
        (is_word && lines.any(|line| names(&line.text, &name).is_some())).then_some(topic)
    };
    labelled.or_else(worded).map(str::trim).filter(|topic| !topic.is_empty())
}

/// The headings that name a topic, by page and line, and how many of them are of replies.
struct TopicHeads {
    named: Vec<(usize, usize)>,
    replies: usize,
}

impl TopicHeads {
    fn of(topic: &str, blocks: &[PartBlocks]) -> TopicHeads {
        let topic = key(topic);
        let mut heads = TopicHeads { named: Vec::new(), replies: 0 };
        for (page, blocks) in blocks.iter().enumerate() {
            for (line, block) in blocks.lines.iter().enumerate() {
                if block.level >= 2
                    && let Some(is_reply) = names(&block.text, &topic)
                {
                    heads.replies += usize::from(is_reply);
                    heads.named.push((page, line));
                }
            }
        }
        heads
    }
}

/// Takes out short lines that most posts have, and what is called a rank: elsewhere that is a place in a list.
fn without_usual_lines(pages: &[&Page], blocks: &[PartBlocks], out: &mut [Vec<bool>]) {
    let mut at_place: BTreeMap<u64, usize> = BTreeMap::new();
    let mut said: BTreeMap<(u64, &str), usize> = BTreeMap::new();
    for line in blocks.iter().flat_map(|blocks| &blocks.lines) {
        *at_place.entry(line.place).or_default() += 1;
        *said.entry((line.place, &line.text)).or_default() += 1;
    }
    for ((page, blocks), out) in pages.iter().zip(blocks).zip(out) {
        for (at, line) in blocks.lines.iter().enumerate() {
            let times = said.get(&(line.place, line.text.as_str())).copied().unwrap_or_default();
            let is_usual = times >= 3 && times * 2 >= at_place.get(&line.place).copied().unwrap_or_default();
            let is_short =
                line.weight <= LONGEST && !line.within.intersects(LineRole::HEADING | LineRole::QUOTE);
            if is_short && (is_usual || is_named(page, line.block, |class| has_name(class, &["rank"], &[]))) {
                out[at] = true;
            }
        }
    }
}

/// Takes out what software for forums writes of the author of each post, besides the name: rank, number of posts, day of
/// joining. One alone may be anything.
fn without_ranks(pages: &[&Page], blocks: &[PartBlocks], out: &mut [Vec<bool>]) {
    let mut ranks: Vec<(usize, usize)> = Vec::new();
    for (number, (page, blocks)) in pages.iter().zip(blocks).enumerate() {
        let mut known = Memo::new();
        let mut is_of_author = |line: &BlockLine| {
            line.weight <= LONGEST
                && !line.within.intersects(LineRole::QUOTE)
                && is_named(page, line.block, |class| known.get(class, is_author_class))
        };
        let lines = blocks.lines.iter().enumerate().filter(|(_, line)| is_of_author(line));
        ranks.extend(lines.map(|(at, _)| (number, at)));
    }
    if ranks.len() >= 2 {
        for (page, line) in ranks {
            out[page][line] = true;
        }
    }
}

/// Returns `None` if a line does not name a topic, or else whether it is that of a reply.
fn names(line: &str, topic: &str) -> Option<bool> {
    let line = key(line);
    let mut rest = line.as_str();
    // `Re: AW: …`
    while let Some((before, after)) = rest.split_once(':')
        && (2..=4).contains(&before.trim().chars().count())
        && before.trim().chars().all(char::is_alphabetic)
    {
        if rest == topic {
            break;
        }
        rest = after.trim_start();
    }
    (rest == topic).then_some(rest.len() < line.len())
}

fn key(text: &str) -> String {
    text::fold(text).to_lowercase()
}

/// Returns `true` if one of the classes of a block, and right around it, is wanted.
fn is_named<'p>(page: &'p Page, block: NodeId, is_wanted: impl FnMut(&'p str) -> bool) -> bool {
    let near = std::iter::once(block).chain(page.ancestors(block).take(NEAR));
    near.filter_map(|id| page.value(id, Attr::Class)).any(is_wanted)
}

fn is_author_class(class: &str) -> bool {
    has_name(class, &AUTHOR_WORDS, &AUTHOR_NAMES)
}

/// Returns `true` if a class has one of some words, or holds one of some names.
fn has_name(class: &str, words: &[&str], names: &[&str]) -> bool {
    let class = class.to_ascii_lowercase();
    class.split(|c: char| !c.is_ascii_alphabetic()).any(|word| words.contains(&word))
        || names.iter().any(|name| class.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_name_their_topic() {
        assert_eq!(names("Re: Leaking  hatch", "leaking hatch"), Some(true));
        assert_eq!(names("AW: Re: Leaking hatch", "leaking hatch"), Some(true));
        assert_eq!(names("Leaking hatch", "leaking hatch"), Some(false));
        assert_eq!(names("Re: hatch", "re: hatch"), Some(false));
        assert_eq!(names("Question: Leaking hatch", "leaking hatch"), None);
        assert_eq!(names("Re: Another", "leaking hatch"), None);
    }

    #[test]
    fn topics_are_told_from_their_labels() {
        for (title, topic) in [
            ("View topic - Leaking hatch", Some("Leaking hatch")),
            ("Boats :: View topic - Leaks - again", Some("Leaks - again")),
            ("Boote • Thema anzeigen - Luke undicht", Some("Luke undicht")),
            ("Просмотр темы - Люк", Some("Люк")),
            ("How to view topic - a guide", None),
            ("View topic", None),
            ("Topic: Leaking hatch", None),
        ] {
            assert_eq!(labelled(title, &[]), topic, "{title}");
        }
    }
}
