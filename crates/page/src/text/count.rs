//! Counts the visible characters of a text.

/// Counts characters, without white space at the ends; a run of white space inside counts once.
pub(crate) fn visible_characters(text: &str) -> u32 {
    // Half of all texts are only the line break and indentation between two tags.
    if is_blank(text.as_bytes()) {
        return 0;
    }
    let mut counter = CharacterCounter { characters: 0, words: 0, last: b' ' };
    let mut rest = text;
    while !rest.is_empty() {
        let (ascii, after) = rest.split_at(ascii_length(rest.as_bytes()));
        if ascii.len() <= FEW {
            ascii.chars().for_each(|c| counter.take(c));
        } else {
            counter.take_ascii(ascii.as_bytes());
        }
        rest = after;
        let mut others = 0;
        for c in rest.chars().take_while(|c| !c.is_ascii()) {
            counter.take(c);
            others += c.len_utf8();
        }
        rest = &rest[others..];
    }
    // One space between two words.
    counter.characters + counter.words.saturating_sub(1)
}

fn is_blank(bytes: &[u8]) -> bool {
    let are_spaces = |eight: &[u8; 8]| eight.iter().fold(true, |all, byte| all & is_space(*byte));
    match bytes.last_chunk() {
        // No branch per byte; the last bytes may be checked twice.
        Some(last) => bytes.as_chunks().0.iter().chain([last]).all(are_spaces),
        None => bytes.iter().all(|byte| is_space(*byte)),
    }
}

fn ascii_length(bytes: &[u8]) -> usize {
    let blocks = bytes.as_chunks::<BLOCK>().0.iter().take_while(|block| block.is_ascii()).count();
    let rest = &bytes[blocks * BLOCK..];
    let near = &rest[..rest.len().min(BLOCK)];
    let of_near = || near.iter().take_while(|byte| byte.is_ascii()).count();
    blocks * BLOCK + if near.is_ascii() { near.len() } else { of_near() }
}

/// Bytes counted at once, the size of a vector register.
const BLOCK: usize = 16;
/// Number of bytes up to which they are counted one by one: spaces between words of other scripts.
const FEW: usize = 3;
/// Number of blocks whose counts fit a byte per lane, even when all lanes are added up.
const BLOCKS: usize = 15;

struct CharacterCounter {
    characters: u32,
    /// Runs of characters other than white space.
    words: u32,
    /// The last character if it is ASCII, else an ASCII character of the same kind: white space or not.
    last: u8,
}

impl CharacterCounter {
    fn take_ascii(&mut self, bytes: &[u8]) {
        // Most texts are short: between two elements, or a word between letters of other scripts.
        if bytes.len() <= BLOCK {
            return self.take_some(bytes, [b' '; 1 + BLOCK]);
        }
        for bytes in bytes.chunks(BLOCKS * BLOCK) {
            self.take_some(bytes, [b' '; 1 + BLOCKS * BLOCK]);
        }
    }

    /// Counts bytes, padded with white space in a buffer one byte longer.
    fn take_some<const N: usize>(&mut self, bytes: &[u8], mut padded: [u8; N]) {
        // After the character before them, and padded with white space.
        padded[0] = self.last;
        padded[1..=bytes.len()].copy_from_slice(bytes);
        self.last = padded[bytes.len()];
        let blocks = bytes.len().div_ceil(BLOCK);
        self.take_blocks(&padded[1..].as_chunks().0[..blocks], padded.as_chunks().0);
    }

    /// Counts blocks of bytes, each next to itself shifted by one byte. Without branches, because white space is hard to
    /// predict.
    fn take_blocks(&mut self, blocks: &[[u8; BLOCK]], before: &[[u8; BLOCK]]) {
        let (mut characters, mut words) = ([0; BLOCK], [0; BLOCK]);
        for (block, before) in blocks.iter().zip(before) {
            for lane in 0..BLOCK {
                let visible = u8::from(!is_space(block[lane]));
                characters[lane] += visible;
                words[lane] += visible & u8::from(is_space(before[lane]));
            }
        }
        self.characters += sum(characters);
        self.words += sum(words);
    }

    fn take(&mut self, c: char) {
        // Fast path for common characters.
        if matches!(c, 'ぁ'..='ゔ' | 'ァ'..='ヺ' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}') {
            self.words += u32::from(self::is_space(self.last));
            self.characters += 1;
            self.last = b'a';
            return;
        }
        let is_space = c.is_whitespace();
        self.words += u32::from(self::is_space(self.last) && !is_space);
        self.characters += u32::from(!is_space);
        self.last = if is_space { b' ' } else { b'a' };
    }
}

/// Returns the sum of the lanes, at most 255.
fn sum(lanes: [u8; BLOCK]) -> u32 {
    let (halves, _) = lanes.as_chunks::<8>();
    let sum = halves.iter().map(|half| u64::from_le_bytes(*half)).sum::<u64>();
    // The highest byte of the product is the sum of all bytes.
    (sum.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_as_documented() {
        // `a`, one space, `b`, `,`
        assert_eq!(visible_characters(" a  b,"), 4);
        assert_eq!(visible_characters("次へ。\u{3000} a"), 5);
        assert_eq!(visible_characters(" \n"), 0);
        assert_eq!(visible_characters(&".x ".repeat(1_000)), 2_999);
    }

    #[test]
    fn spaces_are_those_of_unicode() {
        for byte in 0..128_u8 {
            let c = char::from(byte);
            assert_eq!(is_space(byte), c.is_whitespace(), "{c:?}");
        }
        for c in '\0'..=char::MAX {
            let counted = visible_characters(c.encode_utf8(&mut [0; 4]));
            assert_eq!(counted, u32::from(!c.is_whitespace()), "{c:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn blocks_are_counted_as_their_characters_are(text in "[ \t\n]{0,20}([ \n\u{3000}]{0,3}[a-z_9é次.!$。-]{0,9}){0,9}") {
            let visible = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().count();
            proptest::prop_assert_eq!(visible_characters(&text) as usize, visible);
        }
    }
}
