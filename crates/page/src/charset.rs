//! From bytes to characters: which encoding a page is in, and decoding it.
//!
//! The order is that of browsers: a byte-order mark, the `charset` of the HTTP header, the `meta` declaration that the
//! HTML standard's prescan finds, a guess from the bytes.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// Bytes that the prescan reads.
/// DIFFERENCE: the standard suggests 1,024 bytes, and restarts the parser at a later declaration in the head. We read
/// on instead, so that no page is parsed twice.
const PRESCAN_BYTES: usize = 16 * 1024;
const DETECTION_BYTES: usize = 512 * 1024;

/// The source of a page's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte-order mark.
    ByteOrderMark,
    /// The `charset` parameter of the HTTP `Content-Type`.
    Header,
    /// A `meta` element.
    Meta,
    /// A guess from the bytes.
    Detected,
    /// A guess from the bytes, because this encoding, which the header or the page declares, cannot decode them.
    Overruled(&'static Encoding),
}

/// A decoded page.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The characters; undecodable bytes became U+FFFD.
    pub text: Cow<'a, str>,
    /// The encoding used.
    pub encoding: &'static Encoding,
    /// Where the encoding comes from.
    pub source: CharsetSource,
    /// Whether some bytes could not be decoded.
    pub malformed: bool,
}

/// Returns the encoding named by an HTTP `Content-Type`, if it is known.
pub fn from_content_type(value: &str) -> Option<&'static Encoding> {
    Encoding::for_label(charset_in_content(value.as_bytes())?)
}

/// Decodes a page.
///
/// `header` is the encoding of the HTTP header; `tld` is the last label of the host (lower case), a hint for the guess.
/// If the declared encoding (header or `meta`) fails on many of the characters beyond ASCII and the detector's guess
/// reads all of them, the guess is used, and the source is [`CharsetSource::Overruled`].
pub fn decode<'a>(bytes: &'a [u8], header: Option<&'static Encoding>, tld: Option<&str>) -> Decoded<'a> {
    if let Some((text, malformed)) = utf_32(bytes) {
        let source = CharsetSource::ByteOrderMark;
        return Decoded { text: Cow::Owned(text), encoding: UTF_8, source, malformed };
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let (text, malformed) = encoding.decode_without_bom_handling(&bytes[length..]);
        return Decoded { text, encoding, source: CharsetSource::ByteOrderMark, malformed };
    }
    let declared = header
        .map(|encoding| (encoding, CharsetSource::Header))
        .or_else(|| prescan(bytes).map(|encoding| (encoding, CharsetSource::Meta)))
        .filter(|(encoding, _)| *encoding != REPLACEMENT);
    let Some((encoding, source)) = declared else {
        let encoding = detect(bytes, tld);
        let (text, malformed) = encoding.decode_without_bom_handling(bytes);
        return Decoded { text, encoding, source: CharsetSource::Detected, malformed };
    };
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    if malformed && is_garbled(&text) {
        let guess = detect(bytes, tld);
        if guess != encoding {
            let (better, still_malformed) = guess.decode_without_bom_handling(bytes);
            if !still_malformed {
                let source = CharsetSource::Overruled(encoding);
                return Decoded { text: better, encoding: guess, source, malformed: false };
            }
        }
    }
    Decoded { text, encoding, source, malformed }
}

/// Decodes UTF-32 with a byte-order mark; returns the text and whether some of it is malformed.
/// DIFFERENCE: browsers and the Encoding Standard do not know UTF-32. It is reported as UTF-8.
fn utf_32(bytes: &[u8]) -> Option<(String, bool)> {
    let read: fn([u8; 4]) -> u32 = match bytes.first_chunk()? {
        b"\xff\xfe\0\0" => u32::from_le_bytes,
        b"\0\0\xfe\xff" => u32::from_be_bytes,
        _ => return None,
    };
    let (words, rest) = bytes.as_chunks();
    let mut malformed = !rest.is_empty();
    let character = |word: &[u8; 4]| {
        char::from_u32(read(*word)).unwrap_or_else(|| {
            malformed = true;
            char::REPLACEMENT_CHARACTER
        })
    };
    Some((words.iter().skip(1).map(character).collect(), malformed))
}

fn is_garbled(text: &str) -> bool {
    let beyond_ascii = text.chars().filter(|c| !c.is_ascii()).count();
    let undecoded = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    undecoded * 4 > beyond_ascii
}

fn detect(bytes: &[u8], tld: Option<&str>) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0x1b) {
        return UTF_8;
    }
    let sample = &bytes[..bytes.len().min(DETECTION_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, true);
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Allow)
}

/// Returns the encoding that a page declares in a `meta` element (HTML standard, 13.2.3.2, “prescan a byte stream to
/// determine its encoding”).
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment, so the search starts at its first hyphen.
            at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
        } else if is_meta(rest) {
            let (declared, after) = meta_declaration(bytes, at + 5);
            if let Some(encoding) = declared {
                return Some(encoding);
            }
            at = after.max(at + 5);
        } else if rest.len() > 1 && rest[0] == b'<' && (rest[1] == b'/' || rest[1].is_ascii_alphabetic()) {
            let name = 1 + usize::from(rest[1] == b'/');
            if !rest.get(name).is_some_and(u8::is_ascii_alphabetic) {
                at += memchr(b'>', rest)? + 1;
                continue;
            }
            let skip = rest.iter().position(|b| b.is_ascii_whitespace() || *b == b'>')?;
            let mut attributes = MetaAttributes { bytes, at: at + skip };
            while attributes.next_attribute().is_some() {}
            at = attributes.at.max(at + skip) + 1;
        } else if rest.len() > 1 && rest[0] == b'<' && matches!(rest[1], b'!' | b'?') {
            at += memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5
        && rest[..5].eq_ignore_ascii_case(b"<meta")
        && (rest[5].is_ascii_whitespace() || rest[5] == b'/')
}

fn meta_declaration(bytes: &[u8], at: usize) -> (Option<&'static Encoding>, usize) {
    let mut attributes = MetaAttributes { bytes, at };
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let (mut pragma, mut needs_pragma, mut charset) = (false, None, None);
    while let Some((name, value)) = attributes.next_attribute() {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => pragma |= value.eq_ignore_ascii_case(b"content-type"),
            b"content" if charset.is_none() => {
                if let Some(label) = charset_in_content(&value)
                    && let Some(encoding) = Encoding::for_label(label)
                {
                    charset = Some(encoding);
                    needs_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Encoding::for_label(&value);
                needs_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    let usable = needs_pragma.is_some_and(|needed| !needed || pragma);
    let encoding = charset.filter(|_| usable).map(as_declared_in_markup);
    (encoding, attributes.at)
}

/// A page whose `meta` could be read is not in UTF-16, and `x-user-defined` is taken as windows-1252.
fn as_declared_in_markup(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding.name() == "x-user-defined" {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// The standard's “get an attribute”, over bytes.
struct MetaAttributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl MetaAttributes<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skip) {
            self.at += 1;
        }
    }

    fn take_until(&mut self, end: impl Fn(u8) -> bool) -> Vec<u8> {
        let start = self.at;
        self.skip_while(|b| !end(b));
        self.bytes[start..self.at].to_ascii_lowercase()
    }

    fn next_attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip_while(|b| b.is_ascii_whitespace() || b == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        // A leading `=` belongs to the name.
        let mut name = Vec::new();
        if self.peek() == Some(b'=') {
            name.push(b'=');
            self.at += 1;
        }
        name.extend(self.take_until(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>' | b'=')));
        self.skip_while(|b| b.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_while(|b| b.is_ascii_whitespace());
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take_until(|b| b == quote);
                self.at += 1;
                value
            }
            _ => self.take_until(|b| b.is_ascii_whitespace() || b == b'>'),
        };
        Some((name, value))
    }
}

/// The standard's “extracting a character encoding from a meta element” (also fit for the HTTP header).
fn charset_in_content(value: &[u8]) -> Option<&[u8]> {
    let lower = value.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let mut at = from + memmem::find(&lower[from..], b"charset")? + 7;
        at += lower[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if lower.get(at) != Some(&b'=') {
            from = at;
            continue;
        }
        at += 1;
        at += lower[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let rest = &value[at..];
        return if let quote @ (b'"' | b'\'') = rest.first()? {
            let length = rest[1..].iter().position(|b| b == quote)?;
            Some(&rest[1..=length])
        } else {
            let length = rest.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b';' | b','));
            Some(&rest[..length.unwrap_or(rest.len())])
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: &[(&str, &str)] = &[
        ("Shift_JIS", "次のページへ進むと、続きを読むことができます。表示"),
        ("EUC-JP", "次のページへ進むと、続きを読むことができます。"),
        ("ISO-2022-JP", "次のページへ進むと、続きを読むことができます。"),
        ("GBK", "下一页继续阅读这篇文章，谢谢您的耐心。"),
        ("Big5", "下一頁繼續閱讀這篇文章，謝謝您的耐心。"),
        ("EUC-KR", "다음 페이지에서 이 글을 계속 읽을 수 있습니다."),
        ("windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
        ("windows-1251", "Следующая страница этой статьи."),
        ("windows-1252", "La page suivante de l’article coûte 5 €."),
        ("windows-1253", "Η επόμενη σελίδα του άρθρου."),
        ("windows-1254", "Makalenin sonraki sayfası şöyle başlıyor."),
        ("windows-1255", "העמוד הבא של המאמר"),
        ("windows-1256", "الصفحة التالية من المقال"),
        ("windows-1257", "Kitas straipsnio puslapis prasideda čia, žiūrėkite."),
        ("windows-1258", "Trang"),
        ("UTF-8", "次のページ"),
    ];

    fn encode(label: &str, text: &str) -> (Vec<u8>, &'static Encoding) {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{label} cannot express its sample");
        (bytes.into_owned(), encoding)
    }

    #[test]
    fn every_charset_is_decoded_when_the_header_names_it() {
        for (label, text) in SAMPLES {
            let (bytes, encoding) = encode(label, text);
            let header = from_content_type(&format!("text/html; charset=\"{label}\""));
            let decoded = decode(&bytes, header, None);
            assert_eq!((decoded.text.as_ref(), decoded.encoding), (*text, encoding), "{label}");
            assert_eq!(decoded.source, CharsetSource::Header);
        }
        assert_eq!(from_content_type("text/html"), None);
    }

    #[test]
    fn every_charset_is_decoded_when_a_meta_names_it() {
        for (label, text) in SAMPLES {
            for head in [
                format!("<meta charset={label}>"),
                format!(
                    "<!-- <meta charset=koi8-r> --><META content='text/html; charset={label}' http-equiv=Content-Type>"
                ),
            ] {
                let (bytes, encoding) = encode(label, &format!("<html><head>{head}</head><p>{text}"));
                let decoded = decode(&bytes, None, None);
                assert!(decoded.text.ends_with(text), "{label}: {}", decoded.text);
                assert_eq!((decoded.encoding, decoded.source), (encoding, CharsetSource::Meta), "{label}");
            }
        }
    }

    #[test]
    fn undeclared_charsets_are_detected() {
        for (label, text) in SAMPLES.iter().filter(|(label, _)| *label != "windows-1258") {
            let long = format!("<p>{}</p>", [*text; 8].join(" "));
            let (bytes, _) = encode(label, &long);
            let tld = match *label {
                "windows-1250" => Some("cz"),
                "windows-1257" => Some("lt"),
                _ => None,
            };
            let decoded = decode(&bytes, None, tld);
            assert_eq!(decoded.text, long, "{label} taken for {}", decoded.encoding.name());
        }
    }

    #[test]
    fn the_byte_order_mark_beats_the_header_and_the_header_beats_the_meta() {
        let decoded = decode(b"\xef\xbb\xbf<meta charset=koi8-r>\xe6\xac\xa1", Some(WINDOWS_1252), None);
        assert_eq!(decoded.text, "<meta charset=koi8-r>次");
        assert_eq!(decoded.source, CharsetSource::ByteOrderMark);
        let decoded = decode(b"<meta charset=koi8-r>caf\xe9", Some(WINDOWS_1252), None);
        assert_eq!(decoded.text, "<meta charset=koi8-r>café");
        let utf16: Vec<u8> = "\u{feff}次".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16, None, None).text, "次");
    }

    #[test]
    fn a_declaration_that_cannot_read_the_bytes_gives_way() {
        let (bytes, _) = encode("Shift_JIS", "次のページへ進むと、続きを読むことができます。");
        let decoded = decode(&bytes, Some(UTF_8), None);
        assert_eq!(decoded.source, CharsetSource::Overruled(UTF_8));
        assert!(decoded.text.starts_with("次のページ"));
        // One stray byte in a page is no reason to leave the declared charset.
        let decoded = decode("次のページ\u{0}".as_bytes().split_last().unwrap().1, Some(UTF_8), None);
        assert_eq!((decoded.source, decoded.malformed), (CharsetSource::Header, false));
        let mut cut = "次のページへ進むと、続きを読むことができます。".as_bytes().to_vec();
        cut.truncate(cut.len() - 1);
        let decoded = decode(&cut, Some(UTF_8), None);
        assert_eq!((decoded.encoding, decoded.malformed), (UTF_8, true));
    }

    #[test]
    fn the_prescan_follows_the_standard() {
        let name = |html: &str| prescan(html.as_bytes()).map(Encoding::name);
        assert_eq!(name("<meta charset=utf-16le>"), Some("UTF-8"));
        assert_eq!(name("<meta charset=x-user-defined>"), Some("windows-1252"));
        assert_eq!(name("<meta content='text/html; charset=euc-kr'>"), None, "no http-equiv");
        assert_eq!(name("<a title='<meta charset=koi8-r>'><meta charset=gbk>"), Some("GBK"));
        assert_eq!(name("<!--><meta charset=big5>"), Some("Big5"));
        assert_eq!(name("<!-- <meta charset=big5>"), None, "an open comment");
        assert_eq!(name("<script/><meta/charset='shift-jis'/>"), Some("Shift_JIS"));
        assert_eq!(name("</ x><?php ?><meta charset=\"\"><meta charset = sjis >"), Some("Shift_JIS"));
        assert_eq!(name("<meta"), None);
        assert_eq!(name("<meta charset='"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_decode(bytes: Vec<u8>) {
            let decoded = decode(&bytes, None, None);
            proptest::prop_assert!(decoded.text.len() <= bytes.len() * 3 + 3);
        }

        #[test]
        fn any_markup_can_be_prescanned(text in "(<|>|meta |charset=|utf-8|'|\"|/|!--|-->| |a){0,40}") {
            let _ = prescan(text.as_bytes());
        }
    }
}
