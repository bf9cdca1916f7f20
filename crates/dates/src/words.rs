//! The words of dates: months, units of time, and what stands around them; and those of counters.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Names of the months, in lower case, long and short; a full stop behind a short one is no part of it. Several
/// languages share many.
///
/// # Source
///
/// The month names of the Unicode CLDR (formatting and stand-alone, wide and abbreviated) of English, German, French,
/// Spanish, Portuguese, Italian, Dutch, Russian, Ukrainian, Polish, Czech, Hungarian, Turkish, Swedish, Danish, Norwegian,
/// Indonesian, Arabic.
const MONTHS: [&str; 12] = [
    "january jan januar jänner jän janvier janv enero ene janeiro gennaio gen januari января январь янв січня січ stycznia \
     styczeń sty ledna leden led január ocak oca januari يناير",
    "february feb februar feber février févr fév febrero febr fevereiro fev febbraio februari февраля февраль фев февр лютого \
     лют lutego luty lut února únor úno február şubat şub februari فبراير",
    "march mar märz mär mrz mars marzo março maart mrt марта март мар березня бер marca marzec března březen bře \
     március márc mart marts maret مارس",
    "april apr avril avr abril abr aprile апреля апрель апр квітня квіт kwietnia kwiecień kwi dubna duben dub április ápr \
     nisan nis أبريل",
    "may mai mayo maio mag maggio mei мая май травня трав maja maj května květen kvě május máj mayıs مايو",
    "june jun juni juin junio junho giugno giu июня июнь июн червня черв czerwca czerwiec cze června červen čvn június jún \
     haziran haz يونيو",
    "july jul juli juillet juil julio julho luglio lug июля июль июл липня лип lipca lipiec lip července červenec čvc július \
     júl temmuz tem يوليو",
    "august aug août agosto ago augustus августа август авг серпня серп sierpnia sierpień sie srpna srpen srp augusztus \
     ağustos ağu augusti agustus أغسطس",
    "september sep sept septembre septiembre setiembre setembro set settembre сентября сентябрь сен сент вересня вер \
     września wrzesień wrz září szeptember szept eylül eyl سبتمبر",
    "october oct oktober okt octobre octubre outubro out ottobre ott октября октябрь окт жовтня жовт października \
     październik paź října říjen říj október ekim eki أكتوبر",
    "november nov novembre noviembre novembro ноября ноябрь ноя нояб листопада лист listopada listopad lis listopadu \
     november kasım kas نوفمبر",
    "december dec dezember dez décembre déc diciembre dic dezembro dicembre декабря декабрь дек грудня груд grudnia grudzień \
     gru prosince prosinec pro aralık ara desember des ديسمبر",
];

/// Names of months that are words of their own in some language: without a year they are no date.
const ALSO_WORDS: &str =
    "may mar mars set out gen mag ago pro led sty lis list sie lip kas ara tem des dec maj mai";

/// What a word means.
#[derive(Debug, Clone, Copy, Default)]
struct Meaning {
    /// The month that it names, from 1.
    month: Option<i8>,
    is_unit: bool,
    is_counted: bool,
}

/// The long lists as one table.
static MEANINGS: LazyLock<BTreeMap<&str, Meaning>> = LazyLock::new(|| {
    let mut meanings: BTreeMap<&str, Meaning> = BTreeMap::new();
    for (month, names) in (1..).zip(MONTHS) {
        for name in names.split_ascii_whitespace() {
            // Where two languages differ, the first month counts.
            meanings.entry(name).or_default().month.get_or_insert(month);
        }
    }
    for unit in UNITS.split_ascii_whitespace() {
        meanings.entry(unit).or_default().is_unit = true;
    }
    for counted in COUNTED.split_ascii_whitespace() {
        meanings.entry(counted).or_default().is_counted = true;
    }
    meanings
});

fn meaning(word: &str) -> Meaning {
    MEANINGS.get(word).copied().unwrap_or_default()
}

/// Says which month a word names, from 1.
pub(super) fn month(word: &str) -> Option<i8> {
    meaning(word).month
}

/// Says whether a name of a month means something else as well.
pub(super) fn is_also_word(word: &str) -> bool {
    has(ALSO_WORDS, word)
}

/// What may stand behind the number of a day: `2nd`, `1er`, `2º`.
pub(super) const ORDINAL: &str = "st nd rd th er º ª de";

/// What may stand between day, month and year: `2 de noviembre de 2026`, `2nd of November`.
pub(super) const OF: &str = "of de del d";

/// What may stand between a day and a time.
pub(super) const AT: &str = "at um à a alle as às klo kl o om в г года р the las";

/// What stands before a time, and before nothing else that is written like one.
pub(super) const AT_TIME: &str = "at um à às as las klo kl om в";

/// What may stand between a time and its day.
pub(super) const ON: &str = "on am le el em den";

/// What stands before three numbers that are no date.
pub(super) const VERSION: &str = "version v ver versión versione versão versie wersja release build";

/// What stands behind an hour, or a time.
pub(super) const CLOCK: &str = "uhr h hrs am pm";

/// Units of time, the singular and the plural.
const UNITS: &str = "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months mo \
    year years yr yrs sekunde sekunden minuten std stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre \
    jahren seconde secondes heure heures jour jours semaine semaines mois an ans segundo segundos minuto minutos hora horas \
    día dia días dias semana semanas mes meses mês año años ano anos secondo secondi minuti ora ore giorno giorni settimana \
    settimane mese mesi anno anni minuut minuten uur dag dagen week weken maand maanden jaar минута минуту минуты минут час \
    часа часов день дня дней неделя неделю недели недель месяц месяца месяцев год года лет minutę minuty minut godzinę godziny \
    godzin dzień dni tydzień tygodnie tygodni miesiąc miesiące miesięcy rok lata lat dakika saat gün hafta ay yıl minuter \
    timme timmar dagar vecka veckor månad månader";

/// Says whether a word is a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    meaning(word).is_unit
}

/// What stands behind a number and a unit: `3 hours ago`.
pub(super) const AGO: &str = "ago atrás atras fa назад geleden temu önce sedan";

/// What stands before a number and a unit: `vor 3 Stunden`, `il y a 3 heures`.
pub(super) const BEFORE: &str = "vor hace há ha a för";

/// Words for one: `an hour ago`.
pub(super) const ONE: &str = "a an one einer einem une un una uno um uma een en bir";

/// Days by their distance from today.
pub(super) const NEAR: &str = "today yesterday heute gestern aujourd'hui hier hoy ayer hoje ontem oggi ieri vandaag gisteren \
    сегодня вчера dzisiaj dziś wczoraj bugün dün idag igår";

/// What stands behind a number in Chinese, Japanese and Korean.
pub(super) const AGO_CJK: &[&str] = &[
    "秒前",
    "分前",
    "時間前",
    "日前",
    "週間前",
    "か月前",
    "ヶ月前",
    "カ月前",
    "ヵ月前",
    "年前",
    "秒钟前",
    "分钟前",
    "小时前",
    "天前",
    "周前",
    "个月前",
    "分鐘前",
    "小時前",
    "週前",
    "個月前",
    "초 전",
    "분 전",
    "시간 전",
    "일 전",
    "주 전",
    "개월 전",
    "년 전",
    "초전",
    "분전",
    "시간전",
    "일전",
    "주전",
    "개월전",
    "년전",
];

/// Years of the eras of Japan: the characters, and the year before the first.
pub(super) const ERAS: [(&str, i16); 3] = [("令和", 2018), ("平成", 1988), ("昭和", 1925)];

/// What counts readers and their answers: views, comments, shares.
const COUNTED: &str = "view views viewed read reads reader readers visit visits hit hits comment comments reply replies \
    response responses share shares shared like likes vote votes votos follower followers subscriber subscribers download \
    downloads retweet retweets upvote upvotes claps answers answer favorites favourites bookmarks \
    aufruf aufrufe kommentar kommentare gelesen geteilt antworten \
    vue vues lecture lectures commentaire commentaires partage partages réponses \
    vista vistas visita visitas visitantes lectura lecturas comentario comentarios compartido compartir respuestas \
    visualização visualizações visualizacoes comentário comentários compartilhamentos curtidas \
    visualizzazioni visite commento commenti condivisioni letture risposte \
    просмотр просмотра просмотров комментарий комментария комментариев комментарии ответов ответа прочтений \
    reacties weergaven gelezen wyświetleń komentarzy komentarze odsłon görüntülenme yorum okunma visningar kommentarer";

/// What makes a number larger, right behind it: `1.2K views`.
pub(super) const THOUSANDS: &str = "k m mio tsd mil mln тыс 万 千 만 천 萬";

/// Words for times, between a number and what was done: `3 mal gelesen`.
pub(super) const TIMES: &str = "mal times veces vezes fois volte раз";

/// What counts things, right behind the number, in languages without spaces.
const MEASURES: &[&str] =
    &["件の", "件", "回", "次", "人が", "人", "個", "个", "개의", "개", "명이", "명", "条", "條", "則", "篇"];

/// The same, in languages that write words without spaces, as parts of what stands beside the number.
const COUNTED_CJK: &[&str] = &[
    "回視聴",
    "閲覧",
    "アクセス",
    "コメント",
    "いいね",
    "シェア",
    "ビュー",
    "拍手",
    "ブックマーク",
    "浏览",
    "瀏覽",
    "阅读",
    "閱讀",
    "评论",
    "評論",
    "点赞",
    "點讚",
    "分享",
    "回复",
    "回覆",
    "次查看",
    "人气",
    "人氣",
    "點閱",
    "조회",
    "댓글",
    "좋아요",
    "공유",
    "추천",
    "읽음",
    "답글",
];

/// Says whether a word in lower case says what readers did.
pub(super) fn is_counted(word: &str) -> bool {
    meaning(word).is_counted
}

/// How many bytes ahead a word ends that says what is counted, where it stands there, a measure before it or not.
pub(super) fn counted_cjk_ahead(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let measured = MEASURES.iter().find_map(|measure| rest.strip_prefix(measure));
    let mut behind = [Some(rest), measured].into_iter().flatten();
    let left =
        behind.find_map(|rest| COUNTED_CJK.iter().find_map(|word| rest.trim_start().strip_prefix(word)))?;
    Some(text.len() - left.len())
}

/// Where a word starts that says what is counted, if one ends the text; a sign may stand behind it.
pub(super) fn counted_cjk_before(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let text = text.strip_suffix(['(', '（', ':', '：', '[']).unwrap_or(text).trim_end();
    COUNTED_CJK.iter().find_map(|word| text.strip_suffix(word)).map(str::len)
}

/// Says whether a text starts with what counts things, and nothing but a sign or the end behind it.
pub(super) fn is_measure(text: &str) -> bool {
    let rest = MEASURES.iter().find_map(|measure| text.trim_start().strip_prefix(measure));
    rest.is_some_and(|rest| !rest.trim_start().starts_with(char::is_alphanumeric))
}

/// Says whether a list of words has a word.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}
