//! Names of people, and the words around them.

use crate::words::{self, WordGroup};
use tsugi_page::text::{self, is_cjk};

pub(crate) const MOST: usize = 50;
/// Characters that separate a name from the rest of a byline.
const ENDS: [char; 12] = ['|', '｜', '•', '·', '●', '–', '—', '(', '（', '[', '\t', '►'];

pub(crate) fn is_plausible(name: &str) -> bool {
    let length = name.chars().count();
    let is_address =
        name.contains("://") || name.contains('@') || name.starts_with("www.") || name.starts_with('/');
    (2..=100).contains(&length)
        && !is_address
        && !name.contains(['<', '>', '{', '}', '\u{fffd}', '=', '#', '%'])
        && name.chars().any(char::is_alphabetic)
        && !words::is(WordGroup::Nobody, name)
}

/// Returns `true` if a text looks like the name of a person, a pen name or a desk, as it follows “by”.
pub(crate) fn is_person(name: &str) -> bool {
    if words::behind(WordGroup::Before, name).is_some() {
        return false;
    }
    if !is_plausible(name) || name.chars().any(|c| c.is_ascii_digit() || "!?:;,\"“”…/+".contains(c)) {
        return false;
    }
    if name.contains(is_cjk) {
        // Particles of Japanese and Chinese make a text a phrase.
        let particles = ["の", "を", "は", "に", "が", "です", "ます", "的", "。", "、"];
        let is_phrase = particles.iter().any(|mark| name.contains(mark));
        return (2..=14).contains(&name.chars().count()) && !is_phrase;
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let (large, small): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| begins_large(word));
    // Roles and column headings are single words.
    if words.iter().all(|word| is_role(word) || words::is(WordGroup::Nobody, word)) {
        return false;
    }
    // In scripts with upper and lower case, all words but the particles are capitalised.
    (2..=6).contains(&words.len())
        && name.chars().count() <= 60
        && large.len() >= 2
        && small.iter().all(|word| words::is(WordGroup::Particle, word.trim_end_matches('\'')))
}

fn begins_large(word: &str) -> bool {
    word.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase())
}

pub(crate) fn several(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut several: Vec<String> = Vec::new();
    for name in names.take(10 * MOST) {
        let name = bare(&name);
        let is_new = several.iter().all(|other| other.to_lowercase() != name.to_lowercase());
        if several.len() < MOST && is_new && is_plausible(&name) {
            several.push(name);
        }
    }
    several
}

/// Returns the text after a byline's opening word. `ByAnn Lee` comes from elements without white space between them.
fn opened(text: &str) -> Option<&str> {
    words::behind(WordGroup::By, text).or_else(|| {
        let rest = text.strip_prefix("By")?;
        (rest.starts_with(char::is_uppercase) && rest.contains(' ')).then_some(rest)
    })
}

fn bare(name: &str) -> String {
    const SIGNS: [char; 13] = [',', ';', ':', '|', '、', '，', '·', '•', '-', '–', '(', '（', '*'];
    let mut name = text::fold(name);
    if let Some(rest) = opened(&name).filter(|rest| !rest.is_empty()) {
        name = rest.to_owned();
    }
    if let Some(at) = name.find('@').filter(|at| *at > 2) {
        name.truncate(at);
    }
    let name = name.trim_matches(|c: char| c.is_whitespace() || SIGNS.contains(&c));
    let stop = name
        .strip_suffix('.')
        .filter(|name| name.rsplit(' ').next().is_some_and(|last| last.chars().count() > 3));
    let name = stop.unwrap_or(name);
    let titled =
        words::before(WordGroup::TitleBehind, name).filter(|name| (2..=8).contains(&name.chars().count()));
    titled.unwrap_or(name).to_owned()
}

/// Splits a text with several names: `A B, C D and E F`. A single comma may be part of one name (`Lee, Ann`). Drops
/// roles and anything after them: `Ann Lee, Staff writer`.
pub(crate) fn apart(names: &str) -> Vec<String> {
    const AND: [&str; 13] = [
        " and ", " And ", " AND ", " & ", " und ", " et ", " y ", " e ", " en ", " и ", " i ", " och ",
        " og ",
    ];
    let names = text::fold(names);
    let names = words::behind(WordGroup::By, &names).filter(|rest| !rest.is_empty()).unwrap_or(&names);
    let mut pieces: Vec<&str> = names.split([';', '|', '、', '，', '｜']).collect();
    if names.split('/').all(|name| name.trim().contains(' ')) {
        pieces = pieces.into_iter().flat_map(|piece| piece.split('/')).collect();
    }
    for word in AND {
        // Only split where both sides have the words of a name: `Ann Lee e Bo Oh`, but not `José Ortega y Gasset`.
        let is_clear = matches!(word, " and " | " And " | " AND " | " & ");
        let is_between =
            |(left, right): (&str, &str)| is_clear || (left.contains(' ') && right.contains(' '));
        let split = |piece: &'_ str| piece.split_once(word).is_some_and(is_between);
        pieces = pieces
            .into_iter()
            .flat_map(|piece| if split(piece) { piece.split(word).collect() } else { vec![piece] })
            .collect();
    }
    let mut apart: Vec<String> = Vec::new();
    for piece in pieces {
        let by_comma: Vec<&str> = piece.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let roles = by_comma.iter().skip(1).position(|rest| is_role(rest));
        let kept = &by_comma[..roles.map_or(by_comma.len(), |at| at + 1)];
        let are_full = kept.len() > 1 && kept.iter().all(|name| name.contains(' ') || name.contains(is_cjk));
        let is_turned = kept.len() == 2 && !are_full && kept.iter().all(|name| !name.contains(is_cjk));
        match kept {
            [] => {}
            [one] => apart.push((*one).to_owned()),
            [last, first] if is_turned && !last.contains(' ') => apart.push(format!("{last}, {first}")),
            all if are_full => apart.extend(all.iter().map(|name| (*name).to_owned())),
            // `Ann Lee, TIME`: the second part is not a person.
            all => apart.extend(all.first().map(|name| (*name).to_owned())),
        }
    }
    // A role alone names nobody.
    apart.retain(|name| !(name.is_empty() || is_role(name) && words::is(WordGroup::Nobody, name)));
    apart
}

fn is_role(text: &str) -> bool {
    words::has(WordGroup::Role, text) || words::has(WordGroup::Body, text)
}

/// Returns the names in a byline: `By Ann Lee, Staff writer | 12 May 2020`. If `is_marked`, the markup calls the text a
/// byline; otherwise it must begin with a byline word.
pub(crate) fn of_byline(text: &str, mut is_marked: bool) -> Vec<String> {
    for line in text.lines().map(text::fold).filter(|line| !line.is_empty()).take(6) {
        let line =
            line.trim_start_matches(['[', '［', '(', '（', '【', '-', '–', '—', '|', '/', '•', '·', ' ']);
        let (line, is_opened) = match opened(line) {
            // The word is alone: the name is on the next line.
            Some("") => {
                is_marked = true;
                continue;
            }
            Some(rest) => (rest, true),
            None => (line, false),
        };
        if !is_marked && !is_opened {
            return Vec::new();
        }
        let end = tsugi_dates::mentions(line).first().map_or(line.len(), |found| found.range.start);
        let line = line.get(..end).unwrap_or(line).trim_end_matches([']', '］', ')', '）', '】']);
        let line = line.split(ENDS).next().unwrap_or_default().split(" - ").next().unwrap_or_default();
        let line = [" on ", " for ", " in ", " at ", " from ", " of the "]
            .iter()
            .fold(line, |line, word| line.split(word).next().unwrap_or_default());
        let found = several(apart(line).into_iter());
        let mut people = found.into_iter().filter(|name| is_person(name)).take(MOST).peekable();
        if people.peek().is_some() {
            return people.collect();
        }
        if is_opened {
            return Vec::new();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_in_one_text() {
        assert_eq!(apart("Ann Lee, Bo Oh and Cy Do"), ["Ann Lee", "Bo Oh", "Cy Do"]);
        assert_eq!(apart("Lee, Ann"), ["Lee, Ann"]);
        assert_eq!(apart("by Ann Lee"), ["Ann Lee"]);
        assert_eq!(apart("Ann Lee, Staff writer"), ["Ann Lee"]);
        assert_eq!(apart("Ann Lee, TIME"), ["Ann Lee"]);
        assert_eq!(apart("Eva Kurz und Jan Lang"), ["Eva Kurz", "Jan Lang"]);
        assert_eq!(apart("José Ortega y Gasset"), ["José Ortega y Gasset"]);
        assert_eq!(apart("山田太郎、鈴木花子"), ["山田太郎", "鈴木花子"]);
        let names = [
            "by Ann Lee", "ANN LEE", "https://x.test", "12", "Bo Oh", "admin", "Cy Do @cydo", "山田太郎記者",
        ];
        assert_eq!(several(names.into_iter().map(str::to_owned)), ["Ann Lee", "Bo Oh", "Cy Do", "山田太郎"]);
    }

    #[test]
    fn bylines_hold_names_among_other_words() {
        for (text, names) in [
            ("By Ann Lee, Staff writer | 12 May 2020", "Ann Lee"),
            ("By\nAnn Lee", "Ann Lee"),
            ("Written by Ann Lee and Bo van der Oh for The Mill", "Ann Lee; Bo van der Oh"),
            ("Von Eva Kurz und Jan Lang", "Eva Kurz; Jan Lang"),
            ("Par Zoé Dupont – Publié le 3 mai 2020", "Zoé Dupont"),
            ("文・山田太郎", "山田太郎"),
            ("By the way, this is a text", ""),
            ("by now nobody reads", ""),
            ("Ann Lee", ""),
        ] {
            assert_eq!(of_byline(text, false).join("; "), names, "{text}");
        }
        assert_eq!(of_byline("Ann Lee May 12, 2020", true), ["Ann Lee"]);
        assert_eq!(of_byline("More from our shop", true), Vec::<String>::new());
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in ".{0,60}", words in "(by|von|文|・|,| |and|A|b|山){0,12}") {
            for text in [text, words] {
                of_byline(&text, true);
                of_byline(&text, false);
                several(apart(&text).into_iter());
            }
        }
    }
}
