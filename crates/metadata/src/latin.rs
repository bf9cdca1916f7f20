//! The language of a text in Latin letters: the answer of `whatlang`, without looking up every trigram of every language.
//!
//! Each language has an alphabet and a ranking of 300 trigrams. A text is the nearer to a language the more of its letters are in
//! the alphabet, and the less its own ranking differs. `whatlang` asks the text for all trigrams of 37 languages, which
//! takes 11,100 look-ups even for one sentence; here the languages are asked for the few trigrams of the text.
//!
//! # Source
//!
//! Cavnar and Trenkle (1994), N-Gram-Based Text Categorization, SDAIR 94, 161–175; scores as in `whatlang` 0.18.

use std::cmp::Reverse;
use std::sync::LazyLock;

const LIST: &str = include_str!("lists/latin.txt");

/// Number of trigrams of a language. A trigram that it does not have is as far away as this.
const RANKS: u32 = 300;
/// The most trigrams of a text that count.
const MOST: usize = 600;
/// Above this confidence an answer is reliable.
const RELIABLE: f64 = 0.9;

/// Three characters in one number, which sorts as they do.
type Trigram = u64;

fn trigram(characters: [char; 3]) -> Trigram {
    characters.iter().fold(0, |all, c| all << 21 | u64::from(*c))
}

/// A trigram of a language, with its rank there.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    trigram: Trigram,
    language: u16,
    rank: u16,
}

const ENGLISH: &str = "abcdefghijklmnopqrstuvwxyz";

/// An alphabet beside the English one.
#[derive(Debug)]
struct Alphabet {
    lacks: String,
    /// Letters beyond ASCII.
    own: String,
}

impl Alphabet {
    fn of(letters: &str) -> Alphabet {
        let lacks = ENGLISH.chars().filter(|c| !letters.contains(*c)).collect();
        Alphabet { lacks, own: letters.chars().filter(|c| !c.is_ascii()).collect() }
    }
}

const BUCKETS: usize = 4096;

fn bucket(trigram: Trigram) -> usize {
    (trigram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

#[derive(Debug)]
struct Languages {
    tags: Vec<&'static str>,
    alphabets: Vec<Alphabet>,
    /// By their buckets.
    ranked: Vec<Ranked>,
    /// For each bucket where it begins, and the end of the last one.
    begins: Vec<u16>,
}

static LANGUAGES: LazyLock<Languages> = LazyLock::new(Languages::read);

impl Languages {
    fn read() -> Languages {
        let (mut tags, mut alphabets, mut ranked) = (Vec::new(), Vec::new(), Vec::new());
        for (language, line) in (0..).zip(LIST.lines().filter(|line| !line.starts_with('#'))) {
            let mut fields = line.split(' ');
            tags.push(fields.next().unwrap_or_default());
            alphabets.push(Alphabet::of(fields.next().unwrap_or_default()));
            let mut characters =
                fields.next().unwrap_or_default().chars().map(|c| if c == '_' { ' ' } else { c });
            for rank in 0.. {
                let (Some(a), Some(b), Some(c)) = (characters.next(), characters.next(), characters.next())
                else {
                    break;
                };
                ranked.push(Ranked { trigram: trigram([a, b, c]), language, rank });
            }
        }
        let (ranked, begins) = in_buckets(&ranked);
        Languages { tags, alphabets, ranked, begins }
    }

    fn of_trigram(&self, trigram: Trigram) -> impl Iterator<Item = &Ranked> {
        let bucket = bucket(trigram);
        let (from, to) = (usize::from(self.begins[bucket]), usize::from(self.begins[bucket + 1]));
        self.ranked[from..to].iter().filter(move |ranked| ranked.trigram == trigram)
    }

    /// Returns for each language the share of letters in its alphabet, less that of others, and the number of letters.
    fn by_alphabets(&self, text: &str) -> (Vec<f64>, usize) {
        let mut ascii = [0_usize; 128];
        let mut others: Vec<char> = Vec::new();
        for c in text.chars() {
            match ascii.get_mut(c as usize) {
                Some(count) => *count += 1,
                None => others.push(c),
            }
        }
        let of_ascii =
            |letters: &str| letters.bytes().map(|letter| ascii[usize::from(letter)]).sum::<usize>();
        let latin = of_ascii(ENGLISH);
        let all = ('\0'..='\x7f').filter(|c| is_letter(*c)).map(|c| ascii[c as usize]).sum::<usize>()
            + others.len();
        others.sort_unstable();
        let of_others = |c: char| {
            others.partition_point(|other| *other <= c) - others.partition_point(|other| *other < c)
        };
        let score = |alphabet: &Alphabet| {
            let own: usize = if others.is_empty() { 0 } else { alphabet.own.chars().map(of_others).sum() };
            let known = latin - of_ascii(&alphabet.lacks) + own;
            (2 * known).saturating_sub(all) as f64 / all as f64
        };
        (self.alphabets.iter().map(score).collect(), all)
    }

    /// Returns for each language how near its trigrams are, and the number of trigrams that count.
    fn by_trigrams(&self, text: &str) -> (Vec<f64>, u32) {
        let ranking = ranking(text);
        let count = u32::try_from(ranking.len()).unwrap_or(u32::MAX);
        let mut distances = vec![i64::from(RANKS * RANKS.min(count)); self.tags.len()];
        for (place, trigram) in (0..).zip(ranking) {
            for ranked in self.of_trigram(trigram) {
                let apart = i64::abs(place - i64::from(ranked.rank));
                distances[usize::from(ranked.language)] += apart - i64::from(RANKS);
            }
        }
        let most = count * RANKS;
        let score = |distance: i64| {
            let distance = distance.clamp(0, i64::from(RANKS * RANKS));
            (i64::from(most) - distance) as f64 / f64::from(most)
        };
        (distances.into_iter().map(score).collect(), count)
    }
}

/// Orders trigrams by their buckets; returns them, and where each bucket begins and the last one ends.
fn in_buckets(ranked: &[Ranked]) -> (Vec<Ranked>, Vec<u16>) {
    let mut begins = vec![0_u16; BUCKETS + 1];
    for ranked in ranked {
        begins[bucket(ranked.trigram) + 1] += 1;
    }
    for at in 1..begins.len() {
        begins[at] += begins[at - 1];
    }
    let mut free = begins.clone();
    let mut ordered = ranked.to_vec();
    for ranked in ranked {
        let place = &mut free[bucket(ranked.trigram)];
        ordered[usize::from(*place)] = *ranked;
        *place += 1;
    }
    (ordered, begins)
}

/// Returns `false` for ASCII characters that are no letters. All other characters count as letters, DEL too.
fn is_letter(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphabetic() || c == '\x7f'
}

/// Returns the trigrams of a text that count, the most frequent first; of equals, the last in order. Runs of other characters
/// are one space.
fn ranking(text: &str) -> impl ExactSizeIterator<Item = Trigram> {
    let mut counts = TrigramCounts::for_text(text.len());
    let mut characters = text.chars().map(|c| if is_letter(c) { c } else { ' ' }).chain([' ']);
    let (mut first, mut second) = (' ', characters.next().unwrap_or(' '));
    for third in characters {
        if second != ' ' || (first != ' ' && third != ' ') {
            counts.add(trigram([first, second, third]));
        }
        (first, second) = (second, third);
    }
    let mut counted = counts.counted;
    let key = |(trigram, count): &(Trigram, u32)| Reverse(u128::from(*count) << 64 | u128::from(*trigram));
    // A long text has twice as many.
    if counted.len() > MOST {
        counted.select_nth_unstable_by_key(MOST, key);
        counted.truncate(MOST);
    }
    counted.sort_unstable_by_key(key);
    counted.into_iter().map(|(trigram, _)| trigram)
}

/// How often each trigram occurs, in a table of which at least half is free.
struct TrigramCounts {
    counted: Vec<(Trigram, u32)>,
    /// For each hash, the place of a trigram in `counted`, plus one.
    places: Vec<u16>,
    shift: u32,
}

impl TrigramCounts {
    /// There are as many trigrams as bytes at most.
    fn for_text(bytes: usize) -> TrigramCounts {
        let size = (2 * bytes).next_power_of_two().max(2);
        TrigramCounts { counted: Vec::new(), places: vec![0; size], shift: u64::BITS - size.ilog2() }
    }

    fn add(&mut self, trigram: Trigram) {
        #[expect(clippy::cast_possible_truncation, reason = "as many bits as the table has places for")]
        let mut slot = (trigram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            let place = usize::from(self.places[slot]);
            match place.checked_sub(1).and_then(|at| self.counted.get_mut(at)) {
                Some((held, count)) if *held == trigram => {
                    *count += 1;
                    return;
                }
                Some(_) => slot = (slot + 1) % self.places.len(),
                None => break,
            }
        }
        self.counted.push((trigram, 1));
        self.places[slot] = u16::try_from(self.counted.len()).unwrap_or(0);
    }
}

/// Returns how sure it is that the best of two languages is the right one, in [0, 1].
fn confidence(best: f64, second: f64, trigrams: u32) -> f64 {
    if best == 0.0 {
        return 0.0;
    }
    if second == 0.0 {
        return best;
    }
    let enough = 3.0 / f64::from(trigrams) + 0.015;
    let ahead = (best - second) / second;
    if ahead > enough { 1.0 } else { ahead / enough }
}

/// Returns the language of a text in Latin letters as a BCP 47 tag; `None` if it is unsure.
pub(crate) fn language(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let (of_alphabets, letters) = LANGUAGES.by_alphabets(&text);
    let (of_trigrams, trigrams) = LANGUAGES.by_trigrams(&text);
    // The shorter a text, the less its trigrams say.
    let alphabets = (-(letters as f64 / 300.0) + 2.0 / 3.0).clamp(1.0 / 3.0, 2.0 / 3.0);
    let scores = of_alphabets.iter().zip(of_trigrams).map(|(a, t)| a * alphabets + t * (1.0 - alphabets));
    let (mut best, mut second) = ((0.0, ""), 0.0);
    for (score, tag) in scores.zip(&LANGUAGES.tags) {
        if score > best.0 {
            (best, second) = ((score, *tag), best.0);
        } else if score > second {
            second = score;
        }
    }
    (confidence(best.0, second, trigrams) > RELIABLE).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whatlang::{Script, detect};

    fn theirs(text: &str) -> Option<&'static str> {
        let info = detect(text)?;
        let tag = || crate::language::tag(info.lang());
        (info.script() == Script::Latin && info.is_reliable()).then(tag).flatten()
    }

    #[test]
    fn every_language_has_its_trigrams() {
        let latin: Vec<_> =
            Script::Latin.langs().iter().map(|lang| crate::language::tag(*lang).unwrap()).collect();
        let mut tags = LANGUAGES.tags.clone();
        assert_eq!(tags.len(), latin.len());
        tags.retain(|tag| !latin.contains(tag));
        assert!(tags.is_empty(), "{tags:?}");
        for language in 0..LANGUAGES.tags.len() {
            let ranks = LANGUAGES.ranked.iter().filter(|ranked| usize::from(ranked.language) == language);
            assert_eq!(ranks.count(), 300);
        }
    }

    /// Texts of words of the languages themselves, and of anything else between them.
    fn text() -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::strategy::Strategy;
        let language = (0..LANGUAGES.tags.len(), proptest::collection::vec(0..300_usize, 0..60));
        let anything = "[ -~éßñøžİĀạ’\u{301}ー次Ж\u{7f}]{0,12}";
        proptest::collection::vec((language, anything), 1..6).prop_map(|parts| {
            let mut text = String::new();
            for ((language, ranks), anything) in parts {
                let line = LIST.lines().filter(|line| !line.starts_with('#')).nth(language).unwrap();
                let characters: Vec<char> =
                    line.rsplit(' ').next().unwrap().replace('_', " ").chars().collect();
                for rank in ranks {
                    text.extend(&characters[3 * rank..3 * rank + 3]);
                }
                text.push_str(&anything);
            }
            text
        })
    }

    proptest::proptest! {
        #[test]
        fn answers_are_those_of_whatlang(text in text()) {
            if whatlang::detect_script(&text) == Some(Script::Latin) {
                proptest::prop_assert_eq!(language(&text), theirs(&text), "{}", text);
            }
        }
    }

    #[test]
    fn sentences_are_told() {
        for (tag, text) in [
            (
                "de",
                "Das Wasser kam in der Nacht über die Mauer, und niemand im Dorf hörte es bis zum Morgen.",
            ),
            (
                "fr",
                "L'eau est passée par-dessus le mur pendant la nuit, et personne au village ne l'a entendue.",
            ),
            ("vi", "Nước tràn qua bức tường trong đêm và không ai trong làng nghe thấy cho đến sáng."),
        ] {
            assert_eq!((language(text), theirs(text)), (Some(tag), Some(tag)));
        }
        assert_eq!(language("a"), theirs("a"));
    }
}
