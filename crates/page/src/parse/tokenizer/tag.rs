use super::Tokenizer;
use super::attributes::MAX_ATTRIBUTES;
use super::names::Name;
use super::reference::References;
use super::token::Receiver;
use memchr::{memchr, memchr3};
use std::borrow::Cow;
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

/// The position of a name or a value, and whether it can be used verbatim.
struct TagPart {
    range: Range<usize>,
    is_verbatim: bool,
}

impl<'p, S: Receiver> Tokenizer<'p, S> {
    /// Reads a tag from its name on. Of a tag in which the page ends, nothing comes.
    pub(super) fn tag(&mut self, is_start: bool) {
        let name = self.name(ENDS_TAG_NAME);
        let name = self.known(name);
        self.token.attributes.clear();
        let Some(is_self_closing) = self.attributes() else {
            self.input.at = self.input.end();
            return;
        };
        let Some(name) = name else { return };
        if is_start {
            self.last_start = name.atom.clone();
        }
        let token = &mut self.token;
        (token.is_start, token.is_self_closing) = (is_start, is_self_closing);
        token.set_name(name);
        self.state = self.sink.tag(token);
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
        let is_full = self.token.attributes.len() >= MAX_ATTRIBUTES;
        self.exceeds_attributes |= is_full;
        let name = if is_full { None } else { self.known(name) };
        let name = name.filter(|name| self.token.attributes.accepts(&name.atom));
        self.input.skip_blanks();
        let value = if self.input.eat(b'=') { Some(self.value()?) } else { None };
        if let Some(name) = name {
            let value = value.map_or(Cow::Borrowed(""), |value| self.decoded_value(value));
            self.token.attributes.push(name, value);
        }
        Some(())
    }

    fn name(&mut self, ends: Effect) -> TagPart {
        // The first byte never ends the name.
        self.unquoted(1, ends, FOLDS)
    }

    /// Reads up to a byte that ends the part, but at least `least` bytes; bytes with the effect `changes` must be replaced.
    #[inline]
    fn unquoted(&mut self, least: usize, ends: Effect, changes: Effect) -> TagPart {
        let (rest, from) = (self.input.rest(), self.input.at);
        let (mut seen, mut length) = (0, 0);
        while let Some(byte) = rest.get(length) {
            let effect = EFFECTS[usize::from(*byte)];
            if length >= least && effect & ends != 0 {
                break;
            }
            seen |= effect;
            length += 1;
        }
        self.input.at += length;
        TagPart { range: from..from + length, is_verbatim: seen & changes == 0 }
    }

    #[inline]
    fn known(&mut self, name: TagPart) -> Option<Name> {
        let text = self.input.text(name.range);
        if name.is_verbatim { self.names.get(text) } else { self.names.folded(text) }
    }

    fn value(&mut self) -> Option<TagPart> {
        self.input.skip_blanks();
        let quote = self.input.peek()?;
        if quote == b'"' || quote == b'\'' {
            self.input.at += 1;
            return self.quoted_value(quote);
        }
        Some(self.unquoted(0, ENDS_VALUE, DECODES))
    }

    fn quoted_value(&mut self, quote: u8) -> Option<TagPart> {
        let (rest, from) = (self.input.rest(), self.input.at);
        let first = memchr3(quote, b'&', b'\0', rest)?;
        let is_verbatim = rest[first] == quote;
        let length = if is_verbatim { first } else { first + memchr(quote, &rest[first..])? };
        self.input.at += length + 1;
        Some(TagPart { range: from..from + length, is_verbatim })
    }

    fn decoded_value(&mut self, value: TagPart) -> Cow<'p, str> {
        if value.is_verbatim {
            Cow::Borrowed(self.input.text(value.range))
        } else {
            self.decoded(value.range, References::InValue)
        }
    }
}
