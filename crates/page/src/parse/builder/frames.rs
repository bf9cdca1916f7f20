//! After the body, and in framesets (HTML, sections 13.2.6.4.19 to 13.2.6.4.23).

use super::{Builder, Mode, Step, Token, take_blanks};
use crate::parse::tree::Tree;
use crate::tags::Tag;

impl Builder {
    pub(super) fn after_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => return self.blanks_of_body(text),
            Token::Comment(text) => {
                self.append_comment(self.open[0].node, text);
                return Step::Done;
            }
            Token::Tag(tag) if tag.tag == Tag::Html => {
                if tag.is_start {
                    return self.in_body(token);
                }
                self.mode = Mode::AfterAfterBody;
                return Step::Done;
            }
            Token::End => return Step::Done,
            _ => {}
        }
        Step::Again(Mode::InBody)
    }

    pub(super) fn after_after_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => self.blanks_of_body(text),
            Token::Comment(text) => {
                self.append_comment(Tree::DOCUMENT, text);
                Step::Done
            }
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Html => self.in_body(token),
            Token::End => Step::Done,
            _ => Step::Again(Mode::InBody),
        }
    }

    /// Takes a text after the body: white space belongs to the body still, anything else opens it again.
    fn blanks_of_body(&mut self, text: &mut &str) -> Step {
        let blanks = take_blanks(text);
        if !blanks.is_empty() {
            self.text_in_body(blanks);
        }
        if text.is_empty() { Step::Done } else { Step::Again(Mode::InBody) }
    }

    pub(super) fn in_frameset(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => self.insert_all_blanks(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Tag(tag) => match (tag.is_start, tag.tag) {
                (true, Tag::Html) => return self.in_body(token),
                (true, Tag::Frameset) => {
                    self.insert_open(tag);
                }
                (true, Tag::Frame) => {
                    self.insert_void(tag);
                }
                (true, Tag::Noframes) => return self.in_head(token),
                (false, Tag::Frameset) if self.open.len() > 1 => {
                    self.open.pop();
                    if !self.is_current(Tag::Frameset) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
                _ => {}
            },
            Token::Null | Token::End => {}
        }
        Step::Done
    }

    pub(super) fn after_frameset(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => self.insert_all_blanks(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Tag(tag) => match (tag.is_start, tag.tag) {
                (true, Tag::Html) => return self.in_body(token),
                (true, Tag::Noframes) => return self.in_head(token),
                (false, Tag::Html) => self.mode = Mode::AfterAfterFrameset,
                _ => {}
            },
            Token::Null | Token::End => {}
        }
        Step::Done
    }

    pub(super) fn after_after_frameset(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => {
                for blanks in blank_parts(text) {
                    self.text_in_body(blanks);
                }
            }
            Token::Comment(text) => self.append_comment(Tree::DOCUMENT, text),
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Html => return self.in_body(token),
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Noframes => return self.in_head(token),
            Token::Tag(_) | Token::Null | Token::End => {}
        }
        Step::Done
    }

    fn insert_all_blanks(&mut self, text: &str) {
        for blanks in blank_parts(text) {
            self.insert_text(blanks);
        }
    }
}

fn blank_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_whitespace()).filter(|blanks| !blanks.is_empty())
}
