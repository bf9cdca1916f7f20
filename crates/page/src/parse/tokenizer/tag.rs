//! Tags and their attributes.

use super::reference::References;
use super::{Receiver, Tokenizer};
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::TagKind;
use memchr::{memchr, memchr3};
use std::ops::Range;

/// The effects of a byte in a tag: a sum of the following.
type Effect = u8;
const ENDS_TAG_NAME: Effect = 1;
const ENDS_NAME: Effect = 2;
const ENDS_VALUE: Effect = 4;
/// Is another character in a name.
const FOLDS: Effect = 8;
/// May be another character in a value.
const DECODES: Effect = 16;

static EFFECTS: [Effect; 256] = effects();

const fn effects() -> [Effect; 256] {
    let mut effects = [0; 256];
    let mut letter = b'A';
    while letter <= b'Z' {
        effects[letter as usize] = FOLDS;
        letter += 1;
    }
    effects[b'\0' as usize] = FOLDS | DECODES;
    effects[b'&' as usize] = DECODES;
    effects[b'\t' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    effects[b'\n' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    effects[b'\x0C' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    effects[b' ' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    effects[b'>' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    effects[b'/' as usize] = ENDS_TAG_NAME | ENDS_NAME;
    effects[b'=' as usize] = ENDS_NAME;
    effects
}

/// The position of a name, and whether it can be used verbatim.
struct TagName {
    range: Range<usize>,
    is_folded: bool,
}

struct AttributeValue {
    range: Range<usize>,
    is_plain: bool,
}

impl<S: Receiver> Tokenizer<'_, S> {
    /// Reads a tag from its name on. Of a tag in which the page ends, nothing comes.
    pub(super) fn tag(&mut self, kind: TagKind) {
        let name = self.name(ENDS_TAG_NAME);
        let name = self.known(name);
        match (name, self.attributes()) {
            (Some(name), Some(self_closing)) => self.emit_tag(kind, name, self_closing),
            (None, Some(_)) => drop(self.attributes.take()),
            (_, None) => self.input.at = self.input.end(),
        }
    }

    /// Reads up to the `>`, and returns whether a `/` is before it; `None` if the page ends.
    fn attributes(&mut self) -> Option<bool> {
        loop {
            self.input.skip_blanks();
            match self.input.peek()? {
                b'>' => {
                    self.input.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.input.at += 1;
                    if self.input.eat(b'>') {
                        return Some(true);
                    }
                }
                _ => self.attribute()?,
            }
        }
    }

    fn attribute(&mut self) -> Option<()> {
        let name = self.name(ENDS_NAME);
        let name = if self.attributes.refuse_more() { None } else { self.known(name) };
        let name = name.filter(|name| self.attributes.accepts(name));
        self.input.skip_blanks();
        let value = if self.input.eat(b'=') { Some(self.value()?) } else { None };
        if let Some(name) = name {
            let value = value.map_or_else(StrTendril::new, |value| self.decoded_value(value));
            self.attributes.push(name, value);
        }
        Some(())
    }

    /// Reads a name up to one of the bytes that end it. There is a first byte, and it never ends the name.
    #[inline]
    fn name(&mut self, ends: Effect) -> TagName {
        let (rest, from) = (self.input.rest(), self.input.at);
        let mut seen = EFFECTS[usize::from(rest[0])];
        let mut length = 1;
        while let Some(byte) = rest.get(length) {
            let effect = EFFECTS[usize::from(*byte)];
            if effect & ends != 0 {
                break;
            }
            seen |= effect;
            length += 1;
        }
        self.input.at += length;
        TagName { range: from..self.input.at, is_folded: seen & FOLDS == 0 }
    }

    #[inline]
    fn known(&mut self, name: TagName) -> Option<LocalName> {
        let text = self.input.text(name.range);
        if name.is_folded { self.names.get(text) } else { self.names.folded(text) }
    }

    fn value(&mut self) -> Option<AttributeValue> {
        self.input.skip_blanks();
        let quote = self.input.peek()?;
        if quote == b'"' || quote == b'\'' {
            self.input.at += 1;
            return self.quoted_value(quote);
        }
        let (rest, from) = (self.input.rest(), self.input.at);
        let (mut seen, mut length) = (0, 0);
        while let Some(byte) = rest.get(length) {
            let effect = EFFECTS[usize::from(*byte)];
            if effect & ENDS_VALUE != 0 {
                break;
            }
            seen |= effect;
            length += 1;
        }
        self.input.at += length;
        Some(AttributeValue { range: from..from + length, is_plain: seen & DECODES == 0 })
    }

    fn quoted_value(&mut self, quote: u8) -> Option<AttributeValue> {
        let (rest, from) = (self.input.rest(), self.input.at);
        let first = memchr3(quote, b'&', b'\0', rest)?;
        let is_plain = rest[first] == quote;
        let length = if is_plain { first } else { first + memchr(quote, &rest[first..])? };
        self.input.at += length + 1;
        Some(AttributeValue { range: from..from + length, is_plain })
    }

    fn decoded_value(&self, value: AttributeValue) -> StrTendril {
        if value.is_plain {
            self.input.part(value.range)
        } else {
            self.decoded(value.range, References::InValue)
        }
    }
}
