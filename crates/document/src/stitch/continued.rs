//! Lines that only say that a text goes on, or where it comes from: `(continued)`, `Fortsetzung von Seite 1`.

use tsugi_page::text;

/// Words that say it.
const CONTINUED: &[&str] = &[
    "continued", "cont", "contd", "continues", "continuation", "fortsetzung", "fortgesetzt", "suite",
    "continuación", "continúa", "sigue", "viene", "continuação", "continua", "continuazione", "segue",
    "seguito", "continuació", "vervolg", "vervolgd", "vervolgt", "ciąg", "dokończenie", "продолжение",
    "окончание", "продовження", "закінчення", "продължение", "продължава", "pokračování", "pokračovanie",
    "pokračuje", "dokončení", "nastavak", "nadaljevanje", "fortsättning", "fortsätter", "forts", "fortsat",
    "fortsættelse", "fortsættes", "fortsettelse", "fortsatt", "fortsetter", "jatkuu", "jatkoa", "jatko",
    "folytatás", "folytatása", "folytatódik", "continuare", "continuarea", "urmare", "devam", "devamı",
    "συνέχεια", "συνεχίζεται", "tiếp", "lanjutan", "sambungan", "bersambung", "تتمة", "تابع", "يتبع", "המשך",
    "ادامه", "जारी", "क्रमशः", "ต่อ",
];

/// Words of other meanings too: `Suite` is a heading, `viene` a verb. Alone, without brackets or a page, they say nothing.
const AMBIGUOUS: &[&str] = &[
    "suite", "sigue", "viene", "continua", "segue", "seguito", "ciąg", "окончание", "закінчення", "devam",
    "تابع", "ต่อ", "tiếp", "cont", "jatko", "nastavak", "urmare", "continuation", "жалғасы",
];

/// Words that stand beside them.
const BESIDE: &[&str] = &[
    "d", "from", "on", "to", "the", "next", "previous", "last", "part", "article", "here", "von", "auf",
    "der", "des", "artikels", "nächsten", "nächste", "vorherigen", "letzten", "teil", "de", "du", "la", "le",
    "l", "en", "à", "al", "a", "article", "précédente", "suivante", "del", "artículo", "anterior",
    "siguiente", "da", "do", "na", "no", "em", "artigo", "próxima", "dalla", "alla", "nella", "dell",
    "articolo", "precedente", "successiva", "van", "op", "het", "artikel", "vorige", "volgende", "dalszy",
    "ze", "z", "strony", "stronie", "na", "со", "с", "на", "статьи", "странице", "следующей", "предыдущей",
    "зі", "сторінки", "сторінці", "от", "страница", "ze", "stránce", "stránky", "strany", "straně", "strane",
    "sa", "från", "på", "fra", "av", "sidan", "nästa", "næste", "neste", "siden", "side", "sivulta",
    "sivulla", "seuraavalla", "edelliseltä", "oldalról", "oldalon", "következő", "előző", "az", "pe", "din",
    "pagina", "paginii", "următoare", "sayfadan", "sayfada", "sonraki", "önceki", "ediyor", "yazının", "από",
    "τη", "την", "στη", "στην", "σελίδα", "theo", "từ", "ở", "dari", "ke", "halaman", "من", "في", "على",
    "الصفحة", "صفحة", "السابقة", "التالية", "מעמוד", "בעמוד", "עמוד", "הקודם", "הבא", "از", "در", "صفحه",
    "قبل", "بعد", "पृष्ठ", "से", "पर", "หน้า", "จากหน้า", "pàgina",
];

/// Words for a page in languages whose pagers are not in [`super::pager`].
const OF_PAGES: &[&str] = &[
    "page", "pages", "p", "pp", "pg", "seite", "s", "página", "pág", "pagina", "pag", "pàgina", "pagină",
    "str", "strona", "strony", "stronie", "стр", "страница", "страницы", "странице", "страницата",
    "сторінка", "сторінки", "сторінці", "strana", "strany", "straně", "strane", "stránka", "stránky",
    "stránce", "stranici", "sida", "sidan", "side", "sivu", "sivulta", "sivulla", "oldal", "oldalról",
    "oldalon", "paginii", "sayfa", "sayfadan", "sayfada", "σελίδα", "trang", "halaman", "صفحة", "الصفحة",
    "עמוד", "מעמוד", "בעמוד", "صفحه", "पृष्ठ", "หน้า", "จากหน้า",
];

/// Words of scripts without spaces, longest first where one begins another.
const UNSPACED: &[(&str, Unspaced)] = &[
    ("続き", Unspaced::Says),
    ("つづき", Unspaced::Says),
    ("続く", Unspaced::Says),
    ("つづく", Unspaced::Says),
    ("承前", Unspaced::Says),
    ("接上", Unspaced::Says),
    ("上接", Unspaced::Says),
    ("下接", Unspaced::Says),
    ("续上", Unspaced::Says),
    ("續上", Unspaced::Says),
    ("续前", Unspaced::Says),
    ("續前", Unspaced::Says),
    ("接前", Unspaced::Says),
    ("接下", Unspaced::Says),
    ("转下", Unspaced::Says),
    ("轉下", Unspaced::Says),
    ("续", Unspaced::Says),
    ("續", Unspaced::Says),
    ("계속", Unspaced::Says),
    ("이어짐", Unspaced::Says),
    ("이어서", Unspaced::Says),
    ("ページ", Unspaced::Page),
    ("頁", Unspaced::Page),
    ("页", Unspaced::Page),
    ("페이지", Unspaced::Page),
    ("쪽", Unspaced::Page),
    ("前の", Unspaced::Beside),
    ("次の", Unspaced::Beside),
    ("前", Unspaced::Beside),
    ("次", Unspaced::Beside),
    ("から", Unspaced::Beside),
    ("より", Unspaced::Beside),
    ("の", Unspaced::Beside),
    ("に", Unspaced::Beside),
    ("へ", Unspaced::Beside),
    ("第", Unspaced::Beside),
    ("目", Unspaced::Beside),
    ("上", Unspaced::Beside),
    ("下", Unspaced::Beside),
    ("記事", Unspaced::Beside),
    ("文", Unspaced::Beside),
    ("에서", Unspaced::Beside),
    ("에", Unspaced::Beside),
    ("이전", Unspaced::Beside),
    ("다음", Unspaced::Beside),
    ("앞", Unspaced::Beside),
];

#[derive(Debug, Clone, Copy)]
enum Unspaced {
    Says,
    Page,
    Beside,
}

/// The longest such line, in bytes.
const LONGEST: usize = 120;

#[derive(Debug, Clone, Copy, Default)]
struct GoesOn {
    certain: usize,
    ambiguous: usize,
    pages: usize,
    numbers: usize,
}

/// Counts the words of a line; `None` if it has any that do not belong here.
fn counted(line: &str) -> Option<GoesOn> {
    let mut made = GoesOn::default();
    if line.len() > LONGEST {
        return None;
    }
    for token in line.to_lowercase().split(is_between).filter(|token| !token.is_empty()) {
        let mut rest = token;
        while let Some(first) = rest.chars().next() {
            let digits = rest.find(|c: char| !c.is_numeric()).unwrap_or(rest.len());
            if digits > 0 {
                // Four digits are more often a year.
                if rest[..digits].chars().count() > 3 {
                    return None;
                }
                made.numbers += 1;
                rest = &rest[digits..];
            } else if text::is_cjk(first) {
                let (word, kind) = UNSPACED.iter().find(|(word, _)| rest.starts_with(word))?;
                match kind {
                    Unspaced::Says => made.certain += 1,
                    Unspaced::Page => made.pages += 1,
                    Unspaced::Beside => {}
                }
                rest = &rest[word.len()..];
            } else {
                let end = rest.find(|c: char| c.is_numeric() || text::is_cjk(c)).unwrap_or(rest.len());
                made.word(&rest[..end])?;
                rest = &rest[end..];
            }
        }
    }
    Some(made)
}

impl GoesOn {
    fn word(&mut self, word: &str) -> Option<()> {
        let says = CONTINUED.contains(&word);
        let is_page = OF_PAGES.contains(&word);
        if AMBIGUOUS.contains(&word) {
            self.ambiguous += 1;
        } else if says {
            self.certain += 1;
        }
        self.pages += usize::from(is_page);
        (says || is_page || BESIDE.contains(&word)).then_some(())
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace()
        || text::is_punctuation(c)
        || matches!(c, '→' | '←' | '↓' | '▶' | '►' | '<' | '>' | '|' | '+' | '=')
}

/// Returns `true` if a line says that the text goes on, and nothing else. A heading needs brackets or a page as well, since
/// chapters may be called `Continuation`.
pub(super) fn is_continued(line: &str, is_heading: bool) -> bool {
    let line = line.trim();
    let Some(made) = counted(line) else { return false };
    if made.numbers > 2 || made.certain + made.ambiguous == 0 {
        return false;
    }
    let is_marked = line.starts_with(['(', '（', '[', '［', '【', '…', '→', '>', '»', '«', '—', '–'])
        || line.starts_with("...")
        || line.ends_with(['…', '→', '»', '>', ':', '：'])
        || line.ends_with("...");
    let names_page = made.pages > 0;
    is_marked || names_page || (made.certain > 0 && !is_heading)
}

/// Returns a heading without a mark that its section goes on (`Lamps (continued)`, `Lampen – Fortsetzung`).
pub(super) fn without_continued(heading: &str) -> Option<&str> {
    let heading = heading.trim();
    let starts = heading.char_indices().rev().take(40);
    let marks = starts.filter(|(_, c)| {
        matches!(c, '(' | '（' | '[' | '［' | '【' | '-' | '–' | '—' | ',' | ':' | '：' | '…')
    });
    for (at, _) in marks {
        let (head, tail) = (heading[..at].trim_end(), &heading[at..]);
        // A mark in brackets may be a word of several meanings.
        let is_bracketed = tail.starts_with(['(', '（', '[', '［', '【']);
        let said = tail.trim_start_matches(|c: char| !is_bracketed && !c.is_alphanumeric());
        if head.chars().any(char::is_alphanumeric) && is_continued(said, is_bracketed) {
            return Some(head);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_only_continue_are_known_in_many_languages() {
        for line in [
            "(continued)",
            "Continued from page 1",
            "continued on page 2",
            "(cont'd)",
            "Cont.:",
            "Fortsetzung von Seite 1",
            "Fortsetzung auf Seite 2 …",
            "(Fortsetzung)",
            "Suite de la page 1",
            "(suite)",
            "Suite en page 2",
            "Continuación",
            "Viene de la página 1",
            "(viene de la página anterior)",
            "Sigue en la página 2",
            "Continua na página 2",
            "Continuação da página 1",
            "Segue dalla pagina 1",
            "(segue)",
            "Continua a pagina 2",
            "Vervolg van pagina 1",
            "Ciąg dalszy ze strony 1",
            "(ciąg dalszy)",
            "Продолжение",
            "Продолжение на странице 2",
            "Продовження зі сторінки 1",
            "Продължение от страница 1",
            "Pokračování ze strany 1",
            "Pokračovanie",
            "Nastavak sa strane 1",
            "Fortsättning från sidan 1",
            "(forts.)",
            "Fortsat fra side 1",
            "Fortsettelse fra side 1",
            "Jatkoa sivulta 1",
            "Jatkuu sivulla 2",
            "Folytatás az 1. oldalról",
            "Continuare din pagina 1",
            "(devam)",
            "Devamı sayfa 2",
            "Συνέχεια από τη σελίδα 1",
            "Tiếp theo trang 1",
            "(tiếp theo)",
            "Lanjutan dari halaman 1",
            "تتمة",
            "(تابع)",
            "המשך מעמוד 1",
            "ادامه از صفحه 1",
            "(ต่อ)",
            "(जारी)",
            "続き",
            "（つづき）",
            "前のページからの続き",
            "1ページからの続き",
            "2ページに続く",
            "（续上页）",
            "上接第1页",
            "接上頁",
            "(续)",
            "（續）",
            "(계속)",
            "1페이지에서 계속",
        ] {
            assert!(is_continued(line, false), "{line}");
        }
        for line in [
            "Suite",
            "Viene",
            "Segue",
            "Continua",
            "To be continued",
            "The story continued",
            "He continued from page to page of it.",
            "Page 2",
            "Continued in 1987",
            "続きを読む人々",
            "Fortsetzung folgt",
            "(see page 2)",
            "",
            "…",
            "1 2 3",
        ] {
            assert!(!is_continued(line, false), "{line}");
        }
        for (heading, is) in [
            ("Продолжение", false),
            ("Fortsetzung", false),
            ("続き", false),
            ("(continued)", true),
            ("Continued from page 1", true),
        ] {
            assert_eq!(is_continued(heading, true), is, "{heading}");
        }
    }

    #[test]
    fn headings_lose_the_mark() {
        for (heading, bare) in [
            ("Lamps (continued)", Some("Lamps")),
            ("Lampen – Fortsetzung", Some("Lampen")),
            ("Lampes (suite)", Some("Lampes")),
            ("灯（続き）", Some("灯")),
            ("Lamps, continued", Some("Lamps")),
            ("Lamps … continued from page 1", Some("Lamps")),
            ("Lamps", None),
            ("(continued)", None),
            ("Lamps (old)", None),
            ("Bach: Suite", None),
        ] {
            assert_eq!(without_continued(heading), bare, "{heading}");
        }
    }
}
