//! Page numbers and the words around them.

use std::sync::LazyLock;
use tsugi_page::lexicon::Lexicon;
use tsugi_page::text;

const PAGE: &[&str] = &[
    "page", "pages", "pg", "seite", "seiten", "página", "páginas", "pagina", "pagine", "páxina", "strona",
    "sida", "side", "sivu", "stránka", "strana", "страница", "страницы", "сторінка", "sayfa", "trang",
    "halaman", "oldal", "ページ", "頁", "页", "페이지", "쪽",
];

const PAGER: &[&str] = &[
    "next", "previous", "prev", "first", "last", "of", "from", "on", "to", "go", "back", "continue",
    "continued", "the", "view", "all", "show", "older", "newer", "entries", "posts", "weiter", "zurück",
    "nächste", "vorige", "vorherige", "von", "auf", "letzte", "erste", "suivant", "suivante", "précédent",
    "précédente", "sur", "suite", "de", "la", "à", "première", "dernière", "siguiente", "anterior", "última",
    "primera", "siguientes", "successiva", "successivo", "precedente", "avanti", "indietro", "di", "su",
    "próxima", "próximo", "última", "primeira", "volgende", "vorige", "van", "następna", "poprzednia", "z",
    "из", "далее", "назад", "следующая", "предыдущая", "вперед", "sonraki", "önceki", "další", "předchozí",
    "nästa", "föregående", "av", "neste", "forrige", "næste", "次のページ", "前のページ", "次へ", "前へ",
    "次の", "前の", "次", "前", "へ", "の", "最初", "最後", "目", "第", "全", "中", "新しい", "以前の",
    "投稿", "上一页", "下一页", "首页", "末页", "尾页", "上一頁", "下一頁", "共", "다음", "이전", "처음",
    "마지막",
];

/// All of them, each with whether it is one for a page.
static WORDS: LazyLock<Lexicon<bool>> = LazyLock::new(|| {
    let words: Vec<(bool, &str)> = words().map(|(word, is_page)| (is_page, word)).collect();
    Lexicon::of(&words, false, |one, other| one || other)
});

fn words() -> impl Iterator<Item = (&'static str, bool)> {
    PAGE.iter().map(|word| (*word, true)).chain(PAGER.iter().map(|word| (*word, false)))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Made {
    numbers: usize,
    pages: usize,
    words: usize,
}

/// Counts the parts of a text; `None` if it holds anything but numbers, words of pagers, and marks.
fn taken_apart(text: &str) -> Option<Made> {
    const LONGEST: usize = 200;
    if text.len() > LONGEST {
        return None;
    }
    let mut made = Made::default();
    for token in text.split(|c: char| !text::is_alphanumeric(c)).filter(|token| !token.is_empty()) {
        let mut rest = token;
        while let Some(first) = rest.chars().next() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits > 0 {
                // Four digits are more often a year than a page.
                if digits > 3 {
                    return None;
                }
                made.numbers += 1;
                rest = &rest[digits..];
            } else if text::is_cjk(first) {
                // Scripts without spaces: take the longest word that fits.
                let (word, is_page) = cjk_word(rest)?;
                made.pages += usize::from(is_page);
                made.words += usize::from(!is_page);
                rest = &rest[word.len()..];
            } else {
                let end = rest.find(|c: char| c.is_ascii_digit() || text::is_cjk(c)).unwrap_or(rest.len());
                let word = &rest[..end];
                let is_page =
                    if word.is_ascii() { WORDS.get(word) } else { WORDS.get(&word.to_lowercase()) }?;
                made.pages += usize::from(is_page);
                made.words += usize::from(!is_page);
                rest = &rest[end..];
            }
        }
    }
    Some(made)
}

fn cjk_word(text: &str) -> Option<(&'static str, bool)> {
    words().filter(|(word, _)| text.starts_with(word)).max_by_key(|(word, _)| word.len())
}

/// Returns `true` if a text names a page by its number (`Page 2 of 5`, `2/5ページ`) and says nothing else.
pub(super) fn is_page_number(text: &str) -> bool {
    taken_apart(text).is_some_and(|made| made.numbers > 0 && made.pages > 0)
}

/// Returns `true` if a text could be a pager (`1 2 3 Next`); the targets of its links decide.
pub(super) fn could_be_pager(text: &str) -> bool {
    let has_arrow = text.contains(['«', '»', '‹', '›', '<', '>', '←', '→', '◀', '▶']);
    taken_apart(text).is_some_and(|made| made.numbers + made.pages + made.words > 0 || has_arrow)
}

/// Returns `true` if a text names the next page, or the one before, with words of pagers and behind them its title
/// (`Next page: The end`). The targets of its links decide.
pub(super) fn begins_as_pager(text: &str) -> bool {
    const LONGEST: usize = 300;
    let ends = text.char_indices().filter(|(_, c)| matches!(c, ':' | '：' | '»' | '→' | '|' | '–'));
    text.len() <= LONGEST
        && ends
            .take(2)
            .any(|(at, _)| taken_apart(&text[..at]).is_some_and(|made| made.numbers == 0 && made.words > 0))
}

/// Returns a text without the page number at its end (`A tale (page 2 of 5)`, `A tale - Page 2`); a text that is
/// only a page number has its digits replaced by `0`.
pub(super) fn without_page_number(text: &str) -> String {
    let text = text.trim();
    if is_page_number(text) {
        let figure = |c: char| if c.is_ascii_digit() { '0' } else { c };
        return text.chars().map(figure).collect();
    }
    if let Some(open) =
        text.ends_with([')', '）', ']', '】', '］']).then(|| text.rfind(['(', '（', '[', '【', '［']))
        && let Some(open) = open
        && is_counted(&text[open..])
        && !text[..open].trim().is_empty()
    {
        return text[..open].trim_end().to_owned();
    }
    // The last few words.
    let starts = text
        .char_indices()
        .rev()
        .take(24)
        .filter(|(_, c)| matches!(c, '-' | '–' | '—' | '|' | '｜' | ':' | ','));
    for (at, mark) in starts {
        let head = text[..at].trim_end();
        if !head.is_empty() && is_page_number(&text[at + mark.len_utf8()..]) {
            return head.to_owned();
        }
    }
    text.to_owned()
}

/// Returns `true` if a text in brackets counts pages: `(page 2)`, `(2/5)`.
fn is_counted(text: &str) -> bool {
    let Some(made) = taken_apart(text) else { return false };
    let pair = made.numbers == 2 && made.words == 0 && text.contains(['/', '／']);
    made.numbers > 0 && (made.pages > 0 || pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_told_from_other_numbers() {
        for text in
            ["Page 2 of 5", "- 2/5 ページ -", "Continued from page 1", "第2页", "Seite 3 von 10", "2ページ目"]
        {
            assert!(is_page_number(text), "{text}");
        }
        for text in
            ["Chapter 2", "2", "1 / 5", "Page", "Part 2", "Page 2 of the story", "Next", "page 2010", ""]
        {
            assert!(!is_page_number(text), "{text}");
        }
        for text in ["1 2 3 Next", "« Previous | 1 | 2 »", "次のページへ", "Next", "»"] {
            assert!(could_be_pager(text), "{text}");
        }
        for text in ["2010 2011", "Next: the end", "…", "", "Yes"] {
            assert!(!could_be_pager(text), "{text}");
        }
    }

    #[test]
    fn pagers_may_name_the_next_page() {
        for text in ["Nächste Seite: Was der Ofen kostet", "Next: The end", "次のページ：最後"] {
            assert!(begins_as_pager(text), "{text}");
        }
        for text in ["The end: Next", "Page: 2", "Nothing: next", "Nächste Seite", ": Next"] {
            assert!(!begins_as_pager(text), "{text}");
        }
    }

    #[test]
    fn the_page_number_of_a_headline_does_not_count() {
        for text in ["A tale (page 2 of 5)", "A tale - Page 3", "A tale", "A tale（2/5）", "A tale | 2ページ"]
        {
            assert_eq!(without_page_number(text), "A tale", "{text}");
        }
        assert_eq!(without_page_number("Page 2 of 15"), "Page 0 of 00");
        for text in ["Louis 14 (king)", "Chapter 2", "Ratio (1/2 of 3 parts)", "(page 2) of it", "A tale - 2"]
        {
            assert_eq!(without_page_number(text), text);
        }
    }
}
