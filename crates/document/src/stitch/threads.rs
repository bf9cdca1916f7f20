//! Threads: what each post says of the topic and of its author, besides what it says.

use super::blocks::{LineRole, PartBlocks};
use std::collections::BTreeMap;
use tsugi_page::{NodeId, Page, text};

/// The longest rank of an author, in characters.
const LONGEST: usize = 40;

/// How far above a line the name of a rank may be.
const NEAR: usize = 2;

/// Takes out of the posts of a thread their headings that only name the topic (`Re: Leaks`), and the ranks of the authors. The
/// title is written above the document instead.
pub(super) fn without_frames(
    pages: &[&Page],
    title: Option<&str>,
    blocks: &[PartBlocks],
    out: &mut [Vec<bool>],
) {
    let Some(topic) = title.map(key).filter(|topic| !topic.is_empty()) else { return };
    let (mut named, mut replies) = (Vec::new(), 0);
    for (page, blocks) in blocks.iter().enumerate() {
        for (line, block) in blocks.lines.iter().enumerate() {
            if block.level >= 2
                && let Some(is_reply) = names(&block.text, &topic)
            {
                replies += usize::from(is_reply);
                named.push((page, line));
            }
        }
    }
    if replies < 2 && named.len() < 3 {
        return;
    }
    for (page, line) in named {
        out[page][line] = true;
    }
    let mut at_place: BTreeMap<u64, usize> = BTreeMap::new();
    let mut said: BTreeMap<(u64, &str), usize> = BTreeMap::new();
    for line in blocks.iter().flat_map(|blocks| &blocks.lines) {
        *at_place.entry(line.place).or_default() += 1;
        *said.entry((line.place, &line.text)).or_default() += 1;
    }
    for (page, blocks) in blocks.iter().enumerate() {
        for (at, line) in blocks.lines.iter().enumerate() {
            let times = said.get(&(line.place, line.text.as_str())).copied().unwrap_or_default();
            let is_usual = times >= 3 && times * 2 >= at_place.get(&line.place).copied().unwrap_or_default();
            let is_short =
                line.weight <= LONGEST && !line.within.intersects(LineRole::HEADING | LineRole::QUOTE);
            if is_short && (is_usual || is_rank(pages[page], line.block)) {
                out[page][at] = true;
            }
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

fn is_rank(page: &Page, block: NodeId) -> bool {
    std::iter::once(block).chain(page.ancestors(block).take(NEAR)).any(|id| {
        let class = page.attribute(id, "class").unwrap_or_default().to_ascii_lowercase();
        let mut words = class.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| matches!(word, "rank" | "usertitle" | "userrank"))
            || class.contains("user-title")
            || class.contains("user_title")
    })
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
}
