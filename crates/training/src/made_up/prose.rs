//! Made-up prose: sentences of small words of a language, invented words of a topic, names, numbers and quotations.

use super::draw::Draw;
use super::site::World;
use super::words::Language;
use crate::label::PageLabel;
use std::collections::{BTreeMap, BTreeSet};

/// A text that made-up articles may quote, such as one that people labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedText {
    /// The primary subtag of its language.
    pub language: String,
    /// The text, with a newline between paragraphs.
    pub text: String,
}

impl QuotedText {
    /// Returns the texts of the labels of some data sets, but for those of rendered pages, which others have too.
    ///
    /// A text that teaches must not judge: leave out data sets, or pages, that are held out.
    pub fn of_labels<'a>(labels: impl IntoIterator<Item = &'a PageLabel>) -> Vec<QuotedText> {
        let quoted = |label: &PageLabel| {
            // Where no language is known, most are English.
            let language = label.lang.as_deref().unwrap_or("en").split(['-', '_']).next()?.to_lowercase();
            Some(QuotedText { language, text: label.text.clone()? })
        };
        labels.into_iter().filter(|label| !label.is_rendered()).filter_map(quoted).collect()
    }
}

/// Paragraphs of texts that may be quoted, by language.
#[derive(Debug)]
pub(super) struct Quotations<'t>(BTreeMap<&'t str, Vec<Vec<&'t str>>>);

impl<'t> Quotations<'t> {
    /// Reads the texts that sites of a world quote: none are quoted where models are judged.
    pub(super) fn of(world: World, texts: &'t [QuotedText]) -> Quotations<'t> {
        let mut by_language: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
        if world == World::Training {
            let is_prose = |line: &&str| (80..2000).contains(&line.len());
            for text in texts {
                let lines = text.text.lines().map(str::trim).filter(is_prose).collect();
                by_language.entry(&text.language).or_default().push(lines);
            }
        }
        Quotations(by_language)
    }

    pub(super) fn in_language(&self, language: &str) -> &[Vec<&'t str>] {
        self.0.get(language).map_or(&[], Vec::as_slice)
    }
}

/// What invented words of a script are made of. The worlds take turns, so that they share no syllable.
const SYLLABLES: [(&str, &str); 14] = [
    (
        "latin",
        "ba ke li mo nu ra se ti vo du fa ge hi jo ku la me ni po ru sa te vi wo za bre chi dra fle gri \
         kla pro sta tri vel mar ten lor dan ris kol bur fen gar hul mir nas pel rod sun tal ver wen zel cor dim \
         fos gul har jen lum",
    ),
    (
        "cyrillic",
        "ба ке ли мо ну ра се ти во ду фа ге хи жо ку ла ме ни по ру са те ви за бре чи дра гри кла про ста три вел \
         мар тен лор дан рис кол бур фен гар мир нас пел род сун тал вер",
    ),
    (
        "greek",
        "βα κε λι μο νυ ρα σε τι δο φα γε χι κου λα με νι πο ρου σα τε ζα θε κλα προ στα τρι μαρ τεν λορ δαν ρισ κολ",
    ),
    (
        "arabic",
        "با كي لي مو نو را سي تي دو فا جي حي كو لا مي ني رو سا تا زا شي قا بر كل دار مال نور سام باد رين",
    ),
    ("hebrew", "בא קי לי מו נו רא סי תי דו פא גי חי כו לא מי ני רו סא טא זא שי קא בר כל דר מל נור סם בד רן"),
    ("devanagari", "बा के ली मो नू रा से ती वो दू फा गे ही जो कू ला मे नी पो रू सा ते वी चा धा शा मा ना पु री"),
    ("bengali", "বা কে লি মো নু রা সে তি দু ফা গে হি জো কু লা মে নি পো রু সা তে চা ধা শা মা না পু রি"),
    ("tamil", "பா கே லி மோ நூ ரா சே தி வோ து லா மே நி போ ரு சா தே வி மா நா பு ரி கா யா"),
    ("thai", "กา เก ลิ โม นู รา เส ติ โว ดู ฟา เก ฮิ โจ คู ลา เม นิ โพ รู สา เท วิ มา นา ปา"),
    (
        "han",
        "山 水 风 林 石 城 河 桥 车 船 灯 雪 春 秋 田 木 花 鸟 海 岸 村 市 路 门 书 笔 纸 钟 茶 酒 米 布 金 银 东 西 南 北 新 旧 高 长 白 黑",
    ),
    (
        "kana",
        "山 水 風 林 石 町 川 橋 車 船 灯 雪 春 秋 田 木 花 鳥 海 岸 村 市 道 門 本 筆 紙 鐘 茶 酒 米 布 カ ラ ミ ト ナ ベ ソ ル",
    ),
    (
        "hangul",
        "가 나 다 라 마 바 사 아 자 차 카 타 파 하 고 노 도 로 모 보 소 오 조 초 코 토 호 구 누 두 루 무 부 수 산 강 들 길 집 문",
    ),
    ("georgian", "ბა კე ლი მო ნუ რა"),
    ("armenian", "բա կե լի մո նու րա"),
];

/// Endings of sentences by script.
fn stop(script: &str) -> &'static str {
    match script {
        "han" | "kana" => "。",
        "devanagari" | "bengali" => "।",
        "thai" => " ",
        _ => ".",
    }
}

fn comma(script: &str) -> &'static str {
    match script {
        "han" => "，",
        "kana" => "、",
        "arabic" => "،",
        _ => ",",
    }
}

/// The invented words of a subject. Two articles about it share them.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    words: Vec<String>,
    names: Vec<String>,
}

/// Writes in one language.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) language: &'a Language,
    syllables: Vec<&'static str>,
    glue: Vec<&'static str>,
    /// Paragraphs of texts that are quoted; empty if the site quotes none.
    quoted: &'a [Vec<&'a str>],
}

impl<'a> Writer<'a> {
    pub(super) fn new(language: &'a Language, world: World, quoted: &'a [Vec<&'a str>]) -> Writer<'a> {
        let all =
            SYLLABLES.iter().find(|(script, _)| *script == language.script).map_or(SYLLABLES[0].1, |of| of.1);
        let syllables = all.split_whitespace().skip(world as usize).step_by(2).collect();
        Writer { language, syllables, glue: language.glue(), quoted }
    }

    fn word(&self, draw: &mut Draw) -> String {
        let syllables = if self.language.has_spaces() { draw.between(2, 4) } else { draw.between(1, 3) };
        (0..syllables).map(|_| *draw.pick(&self.syllables)).collect()
    }

    /// Returns a capitalised name of two words.
    pub(super) fn name(&self, draw: &mut Draw) -> String {
        let between = if self.language.has_spaces() { " " } else { "" };
        format!("{}{between}{}", capitalised(&self.word(draw)), capitalised(&self.word(draw)))
    }

    pub(super) fn topic(&self, draw: &mut Draw) -> Topic {
        let words: BTreeSet<String> = (0..46).map(|_| self.word(draw)).collect();
        Topic { words: words.into_iter().collect(), names: (0..4).map(|_| self.name(draw)).collect() }
    }

    /// Returns a headline about a topic.
    pub(super) fn title(&self, draw: &mut Draw, topic: &Topic) -> String {
        // Words of scripts without spaces are short.
        let words = if self.language.has_spaces() { draw.between(3, 6) } else { draw.between(5, 9) };
        let mut title: Vec<String> = Vec::new();
        for at in 0..words {
            let is_glue = at % 2 == 1 && draw.of_100(60) && at + 1 < words;
            title.push(if is_glue {
                (*draw.pick(&self.glue)).to_owned()
            } else {
                draw.pick(&topic.words).clone()
            });
        }
        capitalised(&self.spaced(&title))
    }

    fn spaced(&self, words: &[String]) -> String {
        words.join(if self.language.has_spaces() { " " } else { "" })
    }

    pub(super) fn sentence(&self, draw: &mut Draw, topic: &Topic) -> String {
        let length = draw.between(6, 19);
        let (mut words, mut glued) = (Vec::new(), 0);
        for at in 0..length {
            let mut word = if glued < 2 && draw.of_100(45) {
                glued += 1;
                (*draw.pick(&self.glue)).to_owned()
            } else {
                glued = 0;
                self.content_word(draw, topic)
            };
            if at > 2 && at + 2 < length && draw.of_100(9) {
                word.push_str(comma(self.language.script));
            }
            words.push(word);
        }
        let sentence = capitalised(&self.spaced(&words));
        let end = stop(self.language.script);
        match draw.below(24) {
            0 => format!("“{sentence}{end}”"),
            1 if self.language.has_spaces() => format!("{sentence}?"),
            _ => format!("{sentence}{end}"),
        }
    }

    fn content_word(&self, draw: &mut Draw, topic: &Topic) -> String {
        match draw.below(40) {
            0 => draw.pick(&topic.names).clone(),
            1 => draw.between(2, 1999).to_string(),
            2..=9 => self.word(draw),
            _ => draw.pick(&topic.words).clone(),
        }
    }

    pub(super) fn paragraph(&self, draw: &mut Draw, topic: &Topic) -> String {
        let sentences: Vec<String> = (0..draw.between(2, 6)).map(|_| self.sentence(draw, topic)).collect();
        self.spaced(&sentences)
    }

    /// Returns some words of a topic, as menus have.
    pub(super) fn term(&self, draw: &mut Draw, topic: &Topic) -> String {
        let words: Vec<String> = (0..draw.between(1, 2)).map(|_| draw.pick(&topic.words).clone()).collect();
        self.spaced(&words)
    }

    /// Returns the headline and the paragraphs of an article.
    pub(super) fn article(&self, draw: &mut Draw, topic: &Topic, paragraphs: usize) -> (String, Vec<String>) {
        self.quoted_article(draw, paragraphs).unwrap_or_else(|| {
            (self.title(draw, topic), (0..paragraphs).map(|_| self.paragraph(draw, topic)).collect())
        })
    }

    fn quoted_article(&self, draw: &mut Draw, paragraphs: usize) -> Option<(String, Vec<String>)> {
        let long_enough: Vec<&Vec<&str>> =
            self.quoted.iter().filter(|text| (1..=text.len()).contains(&paragraphs)).collect();
        let text = long_enough.get(draw.below(long_enough.len()))?;
        let from = draw.below(text.len() - paragraphs + 1);
        let chosen: Vec<String> =
            text[from..from + paragraphs].iter().map(|line| (*line).to_owned()).collect();
        Some((self.quoted_title(draw, &chosen)?, chosen))
    }

    /// Returns some consecutive words of an article as its headline.
    fn quoted_title(&self, draw: &mut Draw, paragraphs: &[String]) -> Option<String> {
        let paragraph = draw.pick(paragraphs);
        let is_letter = |c: &char| c.is_alphanumeric() || c.is_whitespace() || "-’'".contains(*c);
        let phrases: Vec<String> =
            paragraph.split(|c| !is_letter(&c)).map(str::trim).map(str::to_owned).collect();
        let title = if self.language.has_spaces() {
            let of_words = |phrase: &String| phrase.split_whitespace().take(7).collect::<Vec<_>>().join(" ");
            phrases.iter().map(of_words).find(|title| title.split(' ').count() >= 3)
        } else {
            phrases
                .iter()
                .map(|phrase| phrase.chars().take(14).collect::<String>())
                .find(|title| title.chars().count() >= 5)
        };
        title.map(|title| capitalised(&title))
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Returns a text with what HTML reads as markup written as references.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
