//! Addresses of made-up pages. Every scheme serves pages of one article and other articles alike, so that it says nothing.

use super::draw::Draw;
use super::site::World;

/// How the addresses of consecutive pages look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    /// `/story/1`, `/story/2`.
    PathNumber,
    /// `/story`, `/story?page=2`.
    Query,
    /// `/story.html`, `/story-2.html`.
    DashFile,
    /// `/story.html`, `/story.2.html`.
    DotFile,
    /// Words that have nothing in common.
    Slugs,
    /// `/a/9f3c2e`.
    Hashes,
    /// `?id=41`, `?id=42`.
    RunningIds,
    /// `?id=41`, `?id=318`.
    JumpingIds,
    /// `/2023/04/17`, `/2023/04/18`.
    Dates,
    /// `/story/a`, `/story/b`.
    Letters,
    /// `565591.html`, `565592.html`.
    ArticleFiles,
    /// `/1041-words-of-it`.
    NumberedSlugs,
}

pub(super) const SCHEMES: [Scheme; 12] = [
    Scheme::PathNumber,
    Scheme::Slugs,
    Scheme::Query,
    Scheme::Hashes,
    Scheme::RunningIds,
    Scheme::DashFile,
    Scheme::JumpingIds,
    Scheme::Dates,
    Scheme::Letters,
    Scheme::ArticleFiles,
    Scheme::DotFile,
    Scheme::NumberedSlugs,
];

/// Schemes without a number that runs from page to page.
pub(super) const WORDLESS: [Scheme; 5] =
    [Scheme::Slugs, Scheme::Hashes, Scheme::JumpingIds, Scheme::Slugs, Scheme::NumberedSlugs];

const FOLDERS: [[&str; 12]; 2] = [
    ["story", "posts", "read", "a", "texts", "blog", "archives", "view", "node", "news", "p", "magazine"],
    ["pieces", "entry", "journal", "item", "doc", "t", "feature", "log", "show", "essays", "r", "reports"],
];
const KEYS: [[&str; 5]; 2] =
    [["page", "p", "pg", "seite", "paged"], ["pagina", "n", "sheet", "page", "pageno"]];
const ID_KEYS: [[&str; 4]; 2] = [["id", "article", "aid", "post"], ["nr", "item", "doc", "tid"]];
const ENDINGS: [[&str; 3]; 2] = [[".html", ".htm", ".php"], [".html", ".shtml", ".aspx"]];
const CONSONANTS: [&str; 2] = ["bdgklmnprst", "cfhjlmnrsvw"];

/// Returns some made-up words joined by hyphens.
pub(super) fn slug(draw: &mut Draw, world: World) -> String {
    let words: Vec<String> = (0..draw.between(2, 4)).map(|_| plain_word(draw, world)).collect();
    words.join("-")
}

/// Returns a made-up word of ASCII letters.
pub(super) fn plain_word(draw: &mut Draw, world: World) -> String {
    let consonants = CONSONANTS[world as usize].as_bytes();
    let syllable = |draw: &mut Draw| {
        [char::from(*draw.pick(consonants)), char::from(*draw.pick(b"aeiou"))].iter().collect::<String>()
    };
    (0..draw.between(2, 4)).map(|_| syllable(draw)).collect()
}

/// The paths of pages, and what they have in common.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    pub(super) pages: Vec<String>,
    /// The address that forms send to, and the key of the page's number, if the scheme has one.
    pub(super) form: Option<(String, &'static str)>,
}

/// Returns as many paths as wanted. Numbers and days fall if `falls`.
pub(super) fn paths(scheme: Scheme, draw: &mut Draw, world: World, count: usize, falls: bool) -> Paths {
    let folder = *draw.pick(&FOLDERS[world as usize]);
    let (key, id_key) = (*draw.pick(&KEYS[world as usize]), *draw.pick(&ID_KEYS[world as usize]));
    let ending = *draw.pick(&ENDINGS[world as usize]);
    let base = format!("/{folder}/{}", slug(draw, world));
    let bare_first = draw.of_100(60);
    let first_id = draw.between(31, 4_000);
    let big_id = draw.between(120_000, 980_000);
    let step = draw.between(1, 2);
    let mut jumping = first_id;
    let page = |at: usize, draw: &mut Draw| {
        let at = if falls { count - at } else { at + 1 };
        match scheme {
            Scheme::PathNumber | Scheme::Query if at == 1 && bare_first => base.clone(),
            Scheme::PathNumber => format!("{base}/{at}"),
            Scheme::Query => format!("{base}?{key}={at}"),
            Scheme::DashFile | Scheme::DotFile if at == 1 && bare_first => format!("{base}{ending}"),
            Scheme::DashFile => format!("{base}-{at}{ending}"),
            Scheme::DotFile => format!("{base}.{at}{ending}"),
            Scheme::Slugs => format!("/{folder}/{}", slug(draw, world)),
            Scheme::Hashes => format!("/{folder}/{}", draw.hex(10)),
            Scheme::RunningIds => format!("/{folder}{ending}?{id_key}={}", first_id + at * step),
            Scheme::JumpingIds => {
                jumping += draw.between(7, 400);
                format!("/{folder}{ending}?{id_key}={jumping}")
            }
            Scheme::Dates => dated(folder, first_id, at, bare_first),
            Scheme::Letters => {
                format!("{base}/{}", char::from(b'a' + u8::try_from((at - 1) % 26).unwrap_or(0)))
            }
            Scheme::ArticleFiles => format!("/{folder}/{}{ending}", big_id + at * step),
            Scheme::NumberedSlugs => {
                format!("/{folder}/{}-{}", first_id + at * 3 + draw.below(3), slug(draw, world))
            }
        }
    };
    let mut page = page;
    let pages = (0..count).map(|at| page(at, draw)).collect();
    Paths { pages, form: (scheme == Scheme::Query).then_some((base.clone(), key)) }
}

fn dated(folder: &str, first: usize, at: usize, with_folder: bool) -> String {
    let (year, month, day) = (2009 + first % 14, 1 + first % 12, 1 + (first % 9) + at);
    let date = format!("{year}/{month:02}/{day:02}");
    if with_folder { format!("/{folder}/{date}") } else { format!("/{date}/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_pages_of_a_scheme_share_an_address() {
        for scheme in SCHEMES {
            for (seed, falls) in (0..40).flat_map(|seed| [(seed, false), (seed, true)]) {
                let paths = paths(scheme, &mut Draw::new(seed), World::Judging, 9, falls).pages;
                let distinct: BTreeSet<&String> = paths.iter().collect();
                assert_eq!(distinct.len(), 9, "{scheme:?} {paths:?}");
            }
        }
    }
}
