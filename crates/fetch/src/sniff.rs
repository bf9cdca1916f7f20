//! What a body is by its first bytes, whatever its server calls it.

use tsugi_page::Encoding;

/// How much of a body is looked at, in bytes.
// WHATWG MIME Sniffing, section 5.2 (resource header).
const SNIFFED_BYTES: usize = 1445;

/// First bytes that nothing but one type of file has, and how that is called.
// WHATWG MIME Sniffing, section 6; programs, data bases and the rest by their own specifications.
const SIGNATURES: [(&[u8], &str); 38] = [
    (b"%PDF-", "a PDF"),
    (b"%!PS-Adobe-", "a PostScript document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\0\0\x01\0", "an icon"),
    (b"\0\0\x02\0", "a cursor"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"8BPS\0", "a Photoshop image"),
    (b"OggS\0", "audio or video (Ogg)"),
    (b"MThd\0\0\0\x06", "audio (MIDI)"),
    (b"fLaC", "audio (FLAC)"),
    (b"\x1a\x45\xdf\xa3", "audio or video (WebM)"),
    (b"FLV\x01", "video (Flash)"),
    (b"\0\0\x01\xba", "video (MPEG)"),
    (b"\0\0\x01\xb3", "video (MPEG)"),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "audio or video (Windows Media)"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OTTO\0", "a font"),
    (b"ttcf\0", "a font"),
    (b"\0\x01\0\0", "a font"),
    (b"\x7fELF", "a program"),
    (b"\0asm", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
    (b"SQLite format 3\0", "a database"),
    (b"AT&TFORM", "a DjVu document"),
    (b"{\\rtf", "an RTF document"),
];

/// First bytes that a text may have as well: they count where there are bytes that no text has.
const WEAK_SIGNATURES: [(&[u8], &str); 6] = [
    (b"BM", "a BMP image"),
    (b"ID3", "audio (MP3)"),
    (b"\xff\xfb", "audio (MP3)"),
    (b"BZh", "a bzip2 archive"),
    (b"MZ", "a program"),
    (b"\xed\xab\xee\xdb", "a software package"),
];

/// Share of control characters among the first bytes from which a body declared HTML counts as binary, in per cent.
/// Random bytes have 10 %; pages have stray ones.
const MOST_STRAY: usize = 5;

/// Returns the type of a binary body with an article ("a PDF"); `None` if it may be text. `is_html` means that the
/// server declares HTML; stray control characters are then allowed.
///
/// UTF-16 and UTF-32 are text where a byte-order mark or `charset`, an encoding that the server names, says so, or
/// where they begin a tag.
pub(crate) fn binary(body: &[u8], charset: Option<&'static Encoding>, is_html: bool) -> Option<&'static str> {
    let head = &body[..body.len().min(SNIFFED_BYTES)];
    let named = |signatures: &[(&[u8], &'static str)]| {
        signatures.iter().find(|(start, _)| head.starts_with(start)).map(|(_, name)| *name)
    };
    if let Some(name) = named(&SIGNATURES).or_else(|| container(head)) {
        return Some(name);
    }
    let is_wide = charset.is_some_and(|charset| charset.name().starts_with("UTF-16"))
        || Encoding::for_bom(head).is_some()
        || head.starts_with(b"\0\0\xfe\xff")
        || head.windows(2).any(|pair| pair == b"<\0" || pair == b"\0<");
    if is_wide {
        return None;
    }
    let stray = head.iter().filter(|byte| matches!(byte, 0x00..=0x08 | 0x0e..=0x1a | 0x1c..=0x1f)).count();
    let most = if is_html { head.len() * MOST_STRAY / 100 } else { 0 };
    (stray > most).then(|| named(&WEAK_SIGNATURES).unwrap_or("binary data"))
}

fn container(head: &[u8]) -> Option<&'static str> {
    let at = |from: usize, word: &[u8]| head.get(from..).is_some_and(|rest| rest.starts_with(word));
    if at(0, b"RIFF") {
        return match head.get(8..12)? {
            b"WEBP" => Some("a WebP image"),
            b"WAVE" => Some("audio (WAVE)"),
            b"AVI " => Some("video (AVI)"),
            _ => None,
        };
    }
    if at(0, b"FORM") {
        return (at(8, b"AIFF") || at(8, b"AIFC")).then_some("audio (AIFF)");
    }
    if at(4, b"ftyp") {
        return Some(if at(8, b"avif") || at(8, b"heic") { "an image" } else { "audio or video (MP4)" });
    }
    if at(0, b"PK\x03\x04") {
        return Some(if at(30, b"mimetypeapplication/epub+zip") { "an EPUB" } else { "a ZIP archive" });
    }
    // Text of a tape archive has its mark behind the name and the numbers of the first file.
    at(257, b"ustar").then_some("a tar archive")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        let epub = [&b"PK\x03\x04"[..], &[0; 26], b"mimetypeapplication/epub+zip"].concat();
        for (body, name) in [
            (&b"%PDF-1.7\n"[..], "a PDF"),
            (b"\x89PNG\r\n\x1a\n", "a PNG image"),
            (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP image"),
            (b"\0\0\0\x18ftypmp42", "audio or video (MP4)"),
            (b"PK\x03\x04\x14\0", "a ZIP archive"),
            (&epub, "an EPUB"),
            (b"\x1f\x8b\x08\0", "a gzip archive"),
            (b"\x7fELF\x02", "a program"),
            (b"MZ\x90\0\x03\0\0\0", "a program"),
            (b"ID3\x04\0\0", "audio (MP3)"),
            (&[7, 1, 2, 0, 0, 9], "binary data"),
        ] {
            assert_eq!((binary(body, None, true), binary(body, None, false)), (Some(name), Some(name)));
        }
    }

    #[test]
    fn texts_are_none() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let (marked, tagged) = (wide("\u{feff}words"), wide("<p>words"));
        let utf_32: Vec<u8> = "\u{feff}<p>".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        for body in [
            &b""[..],
            b"<p>\xe6\xac\xa1",
            b"\x1b$B<!\x1b(B",
            b"BMW and MZ and ID3 are words",
            b"MZ",
            &marked,
            &tagged,
            &utf_32,
        ] {
            assert_eq!(binary(body, None, false), None, "{body:?}");
        }
        let plain = wide("words");
        assert_eq!(binary(&plain, Encoding::for_label(b"utf-16le"), false), None);
        assert_eq!(binary(&plain, None, false), Some("binary data"));
    }

    #[test]
    fn stray_control_characters_are_forgiven_in_html_alone() {
        let html = format!("<!DOCTYPE html>{}\u{1}\u{0}", "<p>some words</p>".repeat(10));
        assert_eq!(binary(html.as_bytes(), None, true), None);
        assert_eq!(binary(html.as_bytes(), None, false), Some("binary data"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_looked_at(body: Vec<u8>, is_html: bool) {
            let _ = binary(&body, None, is_html);
        }
    }
}
