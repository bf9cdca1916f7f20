use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Returns `true` if a character is punctuation: Unicode general category P.
pub fn is_punctuation(c: char) -> bool {
    // Fast path for the letters of common scripts: a look-up in Unicode's tables costs hundreds of instructions. A test
    // compares both for every character. Two kana are punctuation.
    match c {
        // Unicode calls these signs symbols.
        '\0'..='\u{7f}' => c.is_ascii_punctuation() && !"$+<=>^`|~".contains(c),
        '\u{2010}'..='\u{2027}' | '、'..='〃' | '〈'..='】' => true,
        'À'..='\u{24f}' | 'Έ'..='ώ' | 'Ѐ'..='ҁ' | 'א'..='ת' | 'ؠ'..='ي' | 'ٱ'..='ۓ' => false,
        _ if is_cjk(c) => matches!(c, '゠' | '・'),
        _ => c.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

/// Returns `true` if a character is a control character that texts have no use for: U+0000 to U+001F but tab and newline,
/// U+007F, and U+0080 to U+009F. Terminals take some of them as commands.
#[inline]
pub fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n')
}

/// Returns `true` if a character changes the direction of the text after it, so that it can show words in another order.
/// (Unicode Standard Annex #9, section 2: explicit directional formatting characters).
#[inline]
pub fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns `true` if a character is a letter or a digit, like [`char::is_alphanumeric`], with a fast path for common
/// characters.
#[inline]
pub fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { common(c).unwrap_or_else(|| c.is_alphanumeric()) }
}

/// Returns `true` if a character is a letter, like [`char::is_alphabetic`], with a fast path for common characters.
#[inline]
pub fn is_alphabetic(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { common(c).unwrap_or_else(|| c.is_alphabetic()) }
}

/// Returns whether a character beyond ASCII is a letter, if it is one of those that are common, or neither letter nor digit.
#[inline]
fn common(c: char) -> Option<bool> {
    match c {
        'À'..='\u{24f}' => Some(!matches!(c, '×' | '÷')),
        'ά'..='ώ'
        | 'Ѐ'..='ҁ'
        | 'א'..='ת'
        | 'ؠ'..='ي'
        | 'ٱ'..='ۓ'
        | 'ぁ'..='ゖ'
        | 'ァ'..='ヺ'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => Some(true),
        // Spaces, quotation marks, currencies, arrows, box drawing, pictographs, icon fonts; Chinese and Japanese
        // punctuation.
        '\u{80}'..='\u{a9}'
        | '«'..='±'
        | '¶'..='¸'
        | '»'
        | '¿'
        | '™'
        | '\u{2000}'..='\u{206f}'
        | '\u{20a0}'..='\u{20cf}'
        | '←'..='\u{2426}'
        | '─'..='❵'
        | '\u{3000}'..='〄'
        | '〈'..='〠'
        | '！'..='／'
        | '：'..='＠'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f1e6}'..='\u{1f1ff}'
        | '\u{1f300}'..='\u{1faff}' => Some(false),
        _ => None,
    }
}

/// Returns the number of ASCII letters in a text.
pub fn ascii_letters(text: &str) -> usize {
    // Sums of so few fit a byte, so that many bytes are counted by one instruction.
    let letters = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(byte.is_ascii_alphabetic())).sum::<u8>();
    text.as_bytes().chunks(128).map(|bytes| usize::from(letters(bytes))).sum()
}

/// Returns `true` if a character is kana, Han or Hangul, which are mostly written without spaces. Each such character
/// counts as a word.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns the number of characters of a text. Those that are [`is_cjk`] count twice, since they say more.
///
/// # Examples
///
/// ```
/// assert_eq!(tsugi_page::text::weight("水車 mill"), 9);
/// ```
pub fn weight(text: &str) -> usize {
    // The first bytes of those characters in UTF-8, among others. Without branches, so that the compiler vectorises it.
    let leads = |byte: u8| byte >= 0xe3;
    let may_have_cjk = text.bytes().fold(false, |any, byte| any | leads(byte));
    let cjk = if may_have_cjk { text.chars().filter(|c| is_cjk(*c)).count() } else { 0 };
    text.chars().count() + cjk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_kinds() {
        assert!(
            "\u{1b}\r\u{7f}\u{9b}".chars().all(is_control) && !"\t\n a\u{a0}\u{202e}".contains(is_control)
        );
        assert!("\u{202e}\u{2066}\u{200f}".chars().all(is_direction) && !"aא\u{200b}".contains(is_direction));
        assert!("次へ읽기".chars().all(is_cjk) && !"a1。".contains(is_cjk));
    }

    #[test]
    fn letters_of_ascii_are_counted() {
        assert_eq!(ascii_letters(&"aZ[`{é5 ".repeat(99)), 198);
    }

    #[test]
    fn letters_digits_and_signs_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(weight(c.encode_utf8(&mut [0; 4])), 1 + usize::from(is_cjk(c)), "{c:?}");
            let group = c.general_category_group();
            assert_eq!(is_punctuation(c), group == GeneralCategoryGroup::Punctuation, "{c:?}");
        }
    }
}
