//! Numerals of all scripts: decimal digits, circled numbers, Roman and Han numerals.

/// The zeros of Unicode's decimal digits (general category Nd) beyond ASCII; nine more digits follow each.
const ZEROS: [char; 65] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{1090}',
    '\u{17e0}', '\u{1810}', '\u{1946}', '\u{19d0}', '\u{1a80}', '\u{1a90}', '\u{1b50}', '\u{1bb0}',
    '\u{1c40}', '\u{1c50}', '\u{a620}', '\u{a8d0}', '\u{a900}', '\u{a9d0}', '\u{a9f0}', '\u{aa50}',
    '\u{abf0}', '\u{ff10}', '\u{104a0}', '\u{10d30}', '\u{11066}', '\u{110f0}', '\u{11136}', '\u{111d0}',
    '\u{112f0}', '\u{11450}', '\u{114d0}', '\u{11650}', '\u{116c0}', '\u{11730}', '\u{118e0}', '\u{11950}',
    '\u{11c50}', '\u{11d50}', '\u{11da0}', '\u{16a60}', '\u{16ac0}', '\u{16b50}', '\u{1d7ce}', '\u{1d7d8}',
    '\u{1d7e2}', '\u{1d7ec}', '\u{1d7f6}', '\u{1e140}', '\u{1e2f0}', '\u{1e950}', '\u{1fbf0}',
];

/// Ranges of numbers in circles, brackets or with a dot, each with its first number.
const CIRCLED: [(char, char, u8); 9] = [
    ('①', '⑳', 1),
    ('⑴', '⒇', 1),
    ('⒈', '⒛', 1),
    ('⓵', '⓾', 1),
    ('❶', '❿', 1),
    ('➀', '➉', 1),
    ('➊', '➓', 1),
    ('㉑', '㉟', 21),
    ('㊱', '㊿', 36),
];

/// Returns the ASCII digit with the value of a decimal digit beyond ASCII.
pub(crate) fn ascii_digit(c: char) -> Option<char> {
    if c < ZEROS[0] {
        return None;
    }
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= c).checked_sub(1)?];
    char::from_digit(u32::from(c) - u32::from(zero), 10)
}

/// Returns the number that one character denotes: ⑫, ❸.
pub(crate) fn circled(c: char) -> Option<u8> {
    let range = CIRCLED.iter().find(|(first, last, _)| (*first..=*last).contains(&c))?;
    u8::try_from(u32::from(c) - u32::from(range.0)).ok().map(|step| range.2 + step)
}

const MAX_ORDINAL: usize = 24; // Maximum length of a Roman or Han numeral that is read, in bytes.

/// Returns the number of a label that is nothing but a Roman or Han numeral: `III`, `ⅲ`, `十二`. Such labels also have
/// other meanings, so they count only beside others.
pub(crate) fn ordinal(label: &str) -> Option<u32> {
    let label = label.strip_suffix('.').unwrap_or(label);
    if label.is_empty() || label.len() > MAX_ORDINAL {
        return None;
    }
    match label.chars().next()? {
        'Ⅰ'..='Ⅻ' | 'ⅰ'..='ⅻ' => roman_sign(label),
        'I' | 'V' | 'X' | 'L' => roman(label),
        'i' | 'v' | 'x' | 'l' => roman(&label.to_ascii_uppercase()).filter(|_| is_small(label)),
        '\0'..='\u{7f}' => None,
        _ => han(label),
    }
}

fn is_small(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Reads a numeral that is one character of its own: Ⅳ.
fn roman_sign(label: &str) -> Option<u32> {
    let mut signs = label.chars();
    let sign = signs.next().filter(|_| signs.as_str().is_empty())?;
    let first = if sign < 'ⅰ' { 'Ⅰ' } else { 'ⅰ' };
    Some(u32::from(sign) - u32::from(first) + 1)
}

/// Reads a Roman numeral of capitals up to 89. The numeral must be written as usual: `IV`, not `IIII`.
fn roman(label: &str) -> Option<u32> {
    const UNITS: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    const TENS: [&str; 9] = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX"];
    // The longest start: `XL`, not `X`.
    let starts = TENS.iter().enumerate().filter(|(_, ten)| label.starts_with(**ten));
    let (tens, start) = starts.max_by_key(|(_, ten)| ten.len())?;
    let units = UNITS.iter().position(|unit| *unit == &label[start.len()..])?;
    u32::try_from(10 * tens + units).ok().filter(|number| *number > 0)
}

/// Reads a Han numeral up to 999: 三, 十二, 二十, 一百零五.
pub(crate) fn han(label: &str) -> Option<u32> {
    let (mut total, mut digit, mut last_unit) = (0, None, 1000);
    for c in label.chars() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '零' | '〇' if total > 0 && digit.is_none() => continue,
            _ => {
                let value = "一二三四五六七八九".chars().zip(1..).find(|(held, _)| *held == c)?.1;
                if digit.replace(value).is_some() {
                    return None;
                }
                continue;
            }
        };
        if unit >= last_unit {
            return None;
        }
        // Only ten itself has no digit before it.
        total += unit * digit.take().or((unit == 10).then_some(1))?;
        last_unit = unit;
    }
    let number = total + digit.unwrap_or(0);
    (number > 0).then_some(number)
}

/// Reads a Han numeral up to 999 at the start of a text, where 百 needs no digit before it; returns it with the rest.
pub(crate) fn han_start(text: &str) -> Option<(u32, &str)> {
    let length = text.find(|c| !"零〇一二三四五六七八九十百".contains(c)).unwrap_or(text.len());
    let (numeral, rest) = text.split_at(length);
    let number = match numeral.strip_prefix('百') {
        Some(after) => han(&format!("一百{after}")),
        None => han(numeral),
    };
    number.map(|number| (number, rest))
}

/// Returns the number in 第二页, and the number of its characters.
pub(crate) fn han_of_page(token: &str) -> Option<(u32, u16)> {
    let token = token.strip_prefix('第').unwrap_or(token);
    let digits = ["页", "頁", "ページ"].iter().find_map(|page| token.strip_suffix(page))?;
    let length = u16::try_from(digits.chars().count()).ok()?;
    han(digits).map(|number| (number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_scripts_have_their_values() {
        for digits in [
            "٠١٢٣٤٥٦٧٨٩",
            "۰۱۲۳۴۵۶۷۸۹",
            "०१२३४५६७८९",
            "০১২৩৪৫৬৭৮৯",
            "๐๑๒๓๔๕๖๗๘๙",
            "௦௧௨௩௪௫௬௭௮௯",
            "၀၁၂၃၄၅၆၇၈၉",
            "០១២៣៤៥៦៧៨៩",
            "０１２３４５６７８９",
            "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
        ] {
            let read: String = digits.chars().filter_map(ascii_digit).collect();
            assert_eq!(read, "0123456789", "{digits}");
        }
        assert!(ZEROS.is_sorted());
        for c in ['7', 'a', '²', '①', '一', '½', '\u{66a}', '\u{65f}', char::MAX] {
            assert_eq!(ascii_digit(c), None, "{c}");
        }
    }

    #[test]
    fn every_digit_is_a_number_to_the_library() {
        for c in '\0'..=char::MAX {
            assert!(ascii_digit(c).is_none() || c.is_numeric(), "{c:?}");
        }
    }

    #[test]
    fn circled_numbers_are_read() {
        let read: Vec<u8> = "①⑳⑴❿➊㉑㊿".chars().filter_map(circled).collect();
        assert_eq!(read, [1, 20, 1, 10, 1, 21, 50]);
        assert_eq!(circled('1').or(circled('Ⓐ')), None);
    }

    #[test]
    fn roman_and_han_numerals_are_read_as_they_are_written() {
        for (label, number) in [
            ("I", 1),
            ("II", 2),
            ("IV", 4),
            ("IX", 9),
            ("XIV", 14),
            ("XL", 40),
            ("LXXXIX", 89),
            ("iii", 3),
            ("VI.", 6),
            ("Ⅲ", 3),
            ("ⅻ", 12),
            ("一", 1),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("九十九", 99),
            ("一百零五", 105),
        ] {
            assert_eq!(ordinal(label), Some(number), "{label}");
        }
        for label in [
            "", "IIII", "VX", "IL", "Xi", "Live", "in", "v2", "C", "一一", "百", "十百", "下一", "〇", "ⅡⅡ",
            ".",
        ] {
            assert_eq!(ordinal(label), None, "{label}");
        }
    }

    #[test]
    fn han_numerals_count_pages() {
        for (token, read) in
            [("第二页", Some((2, 1))), ("第十二頁", Some((12, 2))), ("三ページ", Some((3, 1)))]
        {
            assert_eq!(han_of_page(token), read, "{token}");
        }
        for token in ["第二章", "页", "第页", "下一页", "二", "上一頁"] {
            assert_eq!(han_of_page(token), None, "{token}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_label_is_read(label in "[IVXLCivxl一二三十百零〇Ⅱ.]{0,9}") {
            proptest::prop_assert!(ordinal(&label).is_none_or(|number| (1..1000).contains(&number)));
        }
    }
}
