//! Texts as hashes of their words.

use super::hash::Hasher;
use tsugi_page::text::{is_alphanumeric, is_cjk};
use tsugi_page::{NodeId, Page};

/// The byte that each ASCII character adds to the hash of a word; 0 ends the word.
const FOLDED: [u8; 128] = {
    let mut folded = [0; 128];
    let mut byte: u8 = 0;
    while byte < 128 {
        folded[byte as usize] = match byte {
            b'0'..=b'9' => b'0',
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => byte.to_ascii_lowercase(),
            _ => 0,
        };
        byte += 1;
    }
    folded
};

const WORD: Hasher = Hasher::new("");
const PAIR: Hasher = Hasher::new("cjk");

/// Visits a hash of each lower-case word. CJK characters count in pairs; all digits are equal.
pub(crate) fn for_each_word(text: &str, mut visit: impl FnMut(u32)) {
    while_word(text, |word| {
        visit(word);
        true
    });
}

/// The same, until `visit` returns `false`.
fn while_word(text: &str, mut visit: impl FnMut(u32) -> bool) {
    let mut word = WORD;
    let mut open = false;
    let mut previous: Option<char> = None;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        if let Some(folded) = FOLDED.get(usize::from(*byte)) {
            at += 1;
            previous = None;
            if *folded != 0 {
                word.byte(*folded);
                open = true;
                continue;
            }
        } else {
            let Some(c) = text[at..].chars().next() else { break };
            at += c.len_utf8();
            if is_cjk(c) {
                if open && !visit(word.short()) {
                    return;
                }
                (word, open) = (WORD, false);
                let mut pair = PAIR;
                if let Some(previous) = previous {
                    pair.character(previous);
                }
                pair.character(c);
                if !visit(pair.short()) {
                    return;
                }
                previous = Some(c);
                continue;
            }
            previous = None;
            if is_common_lower(c) {
                word.character(c);
                open = true;
                continue;
            }
            if is_alphanumeric(c) {
                if c.is_numeric() {
                    word.byte(b'0');
                } else {
                    c.to_lowercase().for_each(|c| word.character(c));
                }
                open = true;
                continue;
            }
        }
        if open {
            if !visit(word.short()) {
                return;
            }
            (word, open) = (WORD, false);
        }
    }
    if open {
        visit(word.short());
    }
}

/// Returns `true` for letters of common scripts in lower case: a fast path.
fn is_common_lower(c: char) -> bool {
    matches!(c, 'ß'..='ö' | 'ø'..='ÿ' | 'а'..='џ' | 'ά'..='ώ' | 'א'..='ת' | 'ؠ'..='ي' | 'ก'..='ะ')
}

const MAX_WORDS: usize = 40; // Maximum number of words read per block.

/// Reads the words for tokens. Returns `true` if they are all words of the texts.
pub(crate) fn first_words(page: &Page, texts: &[NodeId], words: &mut Vec<u32>) -> bool {
    // Maximum number of characters read per text.
    const READ: usize = MAX_WORDS * 8;
    let from = words.len();
    let mut all = true;
    for id in texts {
        if words.len() >= from + MAX_WORDS {
            all = false;
            break;
        }
        let mut text = page.data(*id);
        if text.len() > READ {
            let is_plain = text.as_bytes()[..READ].is_ascii();
            let nth = || text.char_indices().nth(READ).map_or(text.len(), |(end, _)| end);
            let end = if is_plain { READ } else { nth() };
            all &= end == text.len();
            text = &text[..end];
        }
        // Read one more than is kept, to know whether there are more.
        while_word(text, |word| {
            words.push(word);
            words.len() <= from + MAX_WORDS
        });
    }
    all &= words.len() <= from + MAX_WORDS;
    words.truncate(from + MAX_WORDS);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<u32> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word));
        words
    }

    #[test]
    fn words_are_alike_without_case_and_with_other_digits() {
        assert_eq!(words("Page 12 of 34"), words("page 56, OF 78"));
        assert_ne!(words("page"), words("pages"));
        assert_eq!(words("次の頁").len(), 3, "pairs of characters, the first alone");
        assert!(words(" - ").is_empty());
    }

    #[test]
    fn common_letters_are_those_of_unicode() {
        for c in ('\0'..=char::MAX).filter(|c| is_common_lower(*c)) {
            assert!(c.is_alphabetic() && !c.is_numeric() && !is_cjk(c), "{c:?}");
            assert!(c.to_lowercase().eq([c]), "{c:?}");
        }
    }

    #[test]
    fn words_end_where_characters_say() {
        let hash = |word: &str| {
            let mut hasher = WORD;
            hasher.text(word);
            hasher.short()
        };
        assert_eq!(words("Äpfel_x ΑΒ1Ⅷ-ab…c"), ["äpfel_x", "αβ00", "ab", "c"].map(hash));
        assert_eq!(words("a次b次"), [hash("a"), words("次")[0], hash("b"), words("次")[0]]);
    }

    #[test]
    fn of_long_texts_the_first_words_are_read() {
        let page = Page::from_text(
            &format!("<p>a <b>b</b><p>{}<p>{}", "word ".repeat(41), "x".repeat(400)),
            &"https://a.test/".parse().unwrap(),
        );
        let texts: Vec<NodeId> =
            page.subtree(NodeId::DOCUMENT).filter(|id| !page.data(*id).is_empty()).collect();
        let read = |texts: &[NodeId]| {
            let mut words = vec![0];
            let all = first_words(&page, texts, &mut words);
            (all, words.len() - 1)
        };
        assert_eq!(read(&texts[..2]), (true, 2));
        assert_eq!(read(&texts[2..3]), (false, 40));
        assert_eq!(read(&texts[3..]), (false, 1), "cut in the middle of a word");
    }
}
