//! The language of a page: the declared one if plausible, or else the language of its words.

use crate::latin;
use crate::said::{Said, Source};
use crate::survey::MetadataSurvey;
use tsugi_page::text::{ascii_letters, trim};
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag};
use whatlang::{Lang, Script};

/// Length of the text that is examined, in bytes.
const SAMPLE: usize = 6000;
/// Minimum number of letters needed to judge a script or a language.
const FEWEST: usize = 40;

/// Two-letter language codes of ISO 639.
const KNOWN: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz \
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu iw \
    ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd \
    ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st \
    su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Returns the first language that a text names (`en_US, fr`), as a BCP 47 tag (`en-US`). Returns `None` for anything
/// that is not a language: `default`, `xx`, `und`.
pub fn language_tag(text: &str) -> Option<String> {
    let first = text.trim().split([',', ' ', ';', '.', '@']).next().unwrap_or_default().replace('_', "-");
    let mut parts = first.split('-');
    let language = parts.next()?.to_ascii_lowercase();
    let is_known = match language.len() {
        2 => KNOWN.split_ascii_whitespace().any(|known| known == language),
        3 => language.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_none(&language),
        _ => false,
    };
    if !is_known || first.len() > 35 {
        return None;
    }
    let mut tag = language;
    for part in parts {
        if !(2..=8).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            break;
        }
        tag.push('-');
        match part.len() {
            2 => tag.push_str(&part.to_ascii_uppercase()),
            4 if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                let (first, rest) = part.split_at(1);
                tag.push_str(&first.to_ascii_uppercase());
                tag.push_str(&rest.to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(tag)
}

/// Returns `true` for BCP 47 tags that name no language.
fn is_none(language: &str) -> bool {
    matches!(language, "und" | "mul" | "zxx" | "mis" | "xxx" | "def" | "all" | "any" | "www" | "nul")
}

pub(crate) fn language(
    survey: &MetadataSurvey<'_>,
    content: &Content,
    of_article: Option<&str>,
) -> Option<Said<String>> {
    let page = survey.page;
    let declared = page.lang().and_then(language_tag).map(|tag| Said::new(tag, Source::Lang));
    let declared = declared
        .or_else(|| {
            let names = ["content-language", "dc.language", "dcterms.language", "language", "og:locale"];
            survey.all(&names).find_map(language_tag).map(|tag| Said::new(tag, Source::Meta))
        })
        .or_else(|| of_article.and_then(language_tag).map(|tag| Said::new(tag, Source::JsonLd)));
    let text = sample(page, content);
    let is_kept = |declared: &str| !contradicts(declared, &text) && !is_another(declared, &text);
    match declared {
        Some(declared) if is_kept(&declared.value) => Some(declared),
        declared => of_words(&text).map(|tag| Said::new(tag, Source::Words)).or(declared),
    }
}

/// Minimum number of letters of a text whose words count more than what its page declares, and the bytes that are read for
/// that: detection takes time in proportion.
const LONG: usize = 400;
const READ: usize = 1000;

/// Languages that are taken for each other: what a page declares counts more.
const ALIKE: [&[&str]; 7] = [
    &["no", "nb", "nn", "da", "sv"],
    &["hr", "sr", "bs", "sl", "mk", "bg"],
    &["id", "ms", "jv"],
    &["pt", "es", "ca", "gl", "oc", "an"],
    &["cs", "sk"],
    &["nl", "af", "fy", "li"],
    &["ru", "uk", "be"],
];

/// Returns `true` if the words of a long text are surely of another language than the declared one. Pages of one script are
/// often declared to be English because their software is.
fn is_another(declared: &str, text: &str) -> bool {
    let declared = declared.split('-').next().unwrap_or_default();
    // Words of a language that is not known look like those of another.
    let is_known = TAGS.split_ascii_whitespace().skip(1).step_by(2).any(|tag| tag == declared);
    let text = text.get(..text.floor_char_boundary(READ)).unwrap_or_default();
    if !is_known || LetterCounts::of(text).letters() < LONG {
        return false;
    }
    of_words(text).is_some_and(|found| {
        let are_alike = |group: &&[&str]| group.contains(&declared) && group.contains(&found.as_str());
        found != declared && !ALIKE.iter().any(are_alike)
    })
}

/// Detects the language of a text, as a BCP 47 tag. Returns `None` if it cannot be determined.
///
/// Texts in Japanese, Korean and Chinese contain many words in Latin letters, so even a small share of their own
/// letters decides. All other languages are left to `whatlang`, if it is sure.
pub fn of_words(text: &str) -> Option<String> {
    /// Minimum number of a script's own letters, and their minimum share of all letters.
    const OWN: usize = 8;
    const SHARE: f32 = 0.15;
    let text = text.get(..text.floor_char_boundary(SAMPLE)).unwrap_or_default();
    let writings = LetterCounts::of(text);
    // Most errors of `whatlang` were Japanese, Chinese and Korean with words in Latin letters.
    let is_told = |wanted: &[LetterKind]| writings.count(wanted) >= OWN && writings.share(wanted) >= SHARE;
    if is_told(&[LetterKind::Kana, LetterKind::Han])
        && writings.count(&[LetterKind::Kana]) * 10 >= writings.count(&[LetterKind::Han])
    {
        return Some("ja".to_owned());
    }
    if is_told(&[LetterKind::Hangul]) {
        return Some("ko".to_owned());
    }
    if is_told(&[LetterKind::Han]) {
        return Some("zh".to_owned());
    }
    // On 861 texts of labelled pages in 20 languages, 4,000 characters each: `whatlang` where it is sure or the script is
    // not Latin answers 737, 656 of them right, in 0.5 ms, and adds 0.31 MB to a program. `whichlang` answers all, 770
    // right, in 0.16 ms, but knows no Polish, Czech, Hungarian or Ukrainian. `lingua` gets 798 right with 115 MB.
    // A script with more letters than half of the bytes has most characters.
    let is_latin = text.is_ascii() || 2 * writings.count(&[LetterKind::Latin]) > text.len();
    let script = if is_latin { Script::Latin } else { whatlang::detect_script(text)? };
    let shared = matches!(script, Script::Latin | Script::Cyrillic | Script::Arabic | Script::Devanagari);
    if writings.letters() < if shared { FEWEST } else { OWN } {
        return None;
    }
    if script == Script::Latin {
        return latin::language(text).map(str::to_owned);
    }
    let info = whatlang::detect(text)?;
    if info.is_reliable() || !shared { tag(info.lang()).map(str::to_owned) } else { None }
}

fn sample(page: &Page, content: &Content) -> String {
    let whole = [NodeId::DOCUMENT];
    let mut sample = String::new();
    for nodes in [&content.nodes[..], &whole] {
        let texts =
            nodes.iter().flat_map(|node| page.subtree(*node)).filter(|id| page.kind(*id) == NodeKind::Text);
        for id in texts {
            let data = page.data(id);
            let is_shown = page.parent(id).is_some_and(|parent| {
                !page.class(parent).hidden
                    && !matches!(page.known_tag(parent), Tag::Code | Tag::Pre | Tag::Title)
            });
            if trim(data).is_empty() || !is_shown {
                continue;
            }
            let room = SAMPLE.saturating_sub(sample.len());
            sample.push_str(data.get(..data.floor_char_boundary(room)).unwrap_or_default());
            sample.push(' ');
            if sample.len() >= SAMPLE {
                return sample;
            }
        }
        if sample.len() >= 200 {
            break;
        }
    }
    sample
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Thai,
    Indian,
    Hangul,
    Kana,
    Han,
    Other,
}

fn writing(c: char) -> Option<LetterKind> {
    Some(match u32::from(c) {
        0xc0..=0x24f | 0x1e00..=0x1eff => LetterKind::Latin,
        0x370..=0x3ff | 0x1f00..=0x1fff => LetterKind::Greek,
        0x400..=0x52f => LetterKind::Cyrillic,
        0x590..=0x5ff => LetterKind::Hebrew,
        0x600..=0x77f | 0xfb50..=0xfdff | 0xfe70..=0xfeff => LetterKind::Arabic,
        0x900..=0xdff => LetterKind::Indian,
        0xe00..=0xe7f => LetterKind::Thai,
        0x1100..=0x11ff | 0xac00..=0xd7af => LetterKind::Hangul,
        0x3040..=0x30ff => LetterKind::Kana,
        0x3400..=0x9fff | 0x20000..=0x2ffff => LetterKind::Han,
        _ if c.is_alphabetic() => LetterKind::Other,
        _ => return None,
    })
}

#[derive(Debug, Default)]
struct LetterCounts([usize; LetterKind::Other as usize + 1]);

impl LetterCounts {
    fn of(text: &str) -> LetterCounts {
        let mut counts = LetterCounts::default();
        counts.0[LetterKind::Latin as usize] = ascii_letters(text);
        if !text.is_ascii() {
            for found in text.chars().filter(|c| !c.is_ascii()).filter_map(writing) {
                counts.0[found as usize] += 1;
            }
        }
        counts
    }

    fn letters(&self) -> usize {
        self.0.iter().sum()
    }

    fn count(&self, wanted: &[LetterKind]) -> usize {
        wanted.iter().map(|writing| self.0[*writing as usize]).sum()
    }

    fn share(&self, wanted: &[LetterKind]) -> f32 {
        self.count(wanted) as f32 / self.letters().max(1) as f32
    }
}

fn contradicts(declared: &str, text: &str) -> bool {
    use LetterKind::{Arabic, Cyrillic, Greek, Han, Hangul, Hebrew, Indian, Kana, Latin, Other, Thai};
    let writings = LetterCounts::of(text);
    if writings.letters() < FEWEST {
        return false;
    }
    let language = declared.split('-').next().unwrap_or_default();
    let usual: &[LetterKind] = match language {
        // Chinese text contains no kana.
        "zh" => return writings.share(&[Kana]) > 0.2 || writings.share(&[Han]) < 0.02,
        "ja" => return writings.share(&[Kana, Han]) < 0.02,
        "ko" => return writings.share(&[Hangul, Han]) < 0.02,
        "ru" | "uk" | "bg" | "be" | "mk" | "mn" | "ky" | "tg" | "tt" | "ba" | "cv" => &[Cyrillic],
        "sr" | "kk" | "uz" | "az" | "bs" | "tk" => return writings.share(&[Cyrillic, Latin, Arabic]) < 0.3,
        "ar" | "fa" | "ur" | "ps" | "ug" | "sd" | "ckb" => &[Arabic],
        "el" => &[Greek],
        "he" | "iw" | "yi" => &[Hebrew],
        "th" => &[Thai],
        "hi" | "mr" | "ne" | "bn" | "ta" | "te" | "kn" | "ml" | "gu" | "pa" | "si" | "or" | "as" => &[Indian],
        "ka" | "hy" | "am" | "my" | "km" | "lo" | "ti" | "bo" | "dv" => &[Other],
        // One letter of these scripts carries as much as two or three Latin letters.
        _ => return writings.share(&[Latin]) < 0.3 || writings.share(&[Kana, Han, Hangul]) > 0.3,
    };
    writings.share(usual) < 0.05
}

/// The codes by which `whatlang` names languages (ISO 639-3), each with its BCP 47 tag.
const TAGS: &str = "epo eo eng en rus ru cmn zh spa es por pt ita it ben bn fra fr deu de ukr uk kat ka ara ar hin hi jpn ja heb \
    he yid yi pol pl amh am jav jv kor ko nob nb dan da swe sv fin fi tur tr nld nl hun hu ces cs ell el bul bg \
    bel be mar mr kan kn ron ro slv sl hrv hr srp sr mkd mk lit lt lav lv est et tam ta vie vi urd ur tha th guj \
    gu uzb uz pan pa aze az ind id tel te pes fa mal ml ori or mya my nep ne sin si khm km tuk tk aka ak zul zu \
    sna sn afr af lat la slk sk cat ca tgl tl hye hy cym cy";

pub(crate) fn tag(lang: Lang) -> Option<&'static str> {
    let mut words = TAGS.split_ascii_whitespace();
    words.find(|word| *word == lang.code())?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_tag() {
        for lang in Lang::all() {
            let tag = tag(*lang).unwrap_or_else(|| panic!("{lang:?}"));
            assert_eq!(language_tag(tag).as_deref(), Some(tag));
        }
        assert_eq!(tag(Lang::Pes), Some("fa"));
    }

    #[test]
    fn words_of_a_long_text_count_more_than_what_is_declared() {
        let german = "Das Wasser kam in der Nacht über die Mauer, und niemand im Dorf hörte es bis zum Morgen. Die Leute standen am Ufer \
            und sahen zu, wie die Boote davontrieben, eines nach dem anderen, ohne dass jemand etwas hätte tun können. ";
        let page = |lang: &str, text: &str| {
            let html = format!("<html lang={lang}><main><p>{text}</main>");
            let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
            let nodes = page.first("main").into_iter().collect();
            let content = Content { nodes, ..Content::nothing(tsugi_page::Evidence::Model) };
            let found = language(&MetadataSurvey::of(&page), &content, None).unwrap();
            (found.value, found.by)
        };
        assert_eq!(page("en-US", &german.repeat(3)), ("de".to_owned(), Source::Words));
        assert_eq!(page("de-AT", &german.repeat(3)), ("de-AT".to_owned(), Source::Lang));
        assert_eq!(page("en", &german[..100]), ("en".to_owned(), Source::Lang), "too short");
        assert_eq!(page("lb", &german.repeat(3)), ("lb".to_owned(), Source::Lang), "nobody knows its words");
        let danish = "Vandet kom over muren om natten, og ingen i landsbyen hørte det før om morgenen. Folk stod ved bredden og så på. ";
        assert_eq!(page("no", &danish.repeat(5)), ("no".to_owned(), Source::Lang), "too alike");
    }

    #[test]
    fn tags_are_normal() {
        for (text, tag) in [("en_us, fr", "en-US"), ("zh-hant-TW", "zh-Hant-TW"), ("fil", "fil")] {
            assert_eq!(language_tag(text).as_deref(), Some(tag));
        }
        for wrong in ["default", "xx", "und", "", "<b>", "e", "jp"] {
            assert_eq!(language_tag(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn scripts_contradict_languages() {
        let japanese = "これは雪についての長い物語です。山の上の家には、一人の男が住んでいました。冬になると雪が降りました。";
        let english = "This is a long story about snow, and about a man who lived in a house on a hill.";
        assert!(contradicts("en", japanese) && contradicts("zh-CN", japanese) && contradicts("ja", english));
        assert!(
            !contradicts("ja", japanese) && !contradicts("en-GB", english) && !contradicts("de", english)
        );
        assert!(!contradicts("en", "雪"), "one letter says nothing");
        assert_eq!(of_words(japanese).as_deref(), Some("ja"));
        assert_eq!(
            of_words("Rust と WebAssembly で compiler を作る方法について、説明します。").as_deref(),
            Some("ja")
        );
        assert_eq!(of_words(english).as_deref(), Some("en"));
        assert_eq!(of_words("12 + 3"), None);
    }
}
