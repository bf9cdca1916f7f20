//! From the start of a page to its body (HTML, sections 13.2.6.4.1 to 13.2.6.4.6).

use super::sets::OF_HEAD;
use super::{Builder, Mode, Step, Token, take_blanks};
use crate::parse::tokenizer::{Escape, State, TagToken};
use crate::parse::tree::Tree;
use crate::tags::Tag;
use markup5ever::local_name;

impl Builder {
    pub(super) fn initial(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.skips_blanks(token, Tree::DOCUMENT) {
            return Step::Done;
        }
        self.is_quirky = true;
        Step::Again(Mode::BeforeHtml)
    }

    pub(super) fn before_html(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.skips_blanks(token, Tree::DOCUMENT) {
            return Step::Done;
        }
        match token {
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Html => {
                self.insert_open(tag);
                self.mode = Mode::BeforeHead;
                return Step::Done;
            }
            Token::Tag(tag) if !tag.is_start && !may_end_head(tag) && tag.tag != Tag::Head => {
                return Step::Done;
            }
            _ => {}
        }
        self.insert_implied(local_name!("html"), Tag::Html);
        Step::Again(Mode::BeforeHead)
    }

    pub(super) fn before_head(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.skips_blanks(token, self.current()) {
            return Step::Done;
        }
        match token {
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Html => return self.in_body(token),
            Token::Tag(tag) if tag.is_start && tag.tag == Tag::Head => {
                self.head = self.insert_open(tag);
                self.mode = Mode::InHead;
                return Step::Done;
            }
            Token::Tag(tag) if !tag.is_start && !may_end_head(tag) && tag.tag != Tag::Head => {
                return Step::Done;
            }
            _ => {}
        }
        self.head = self.insert_implied(local_name!("head"), Tag::Head);
        Step::Again(Mode::InHead)
    }

    pub(super) fn in_head(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.takes_blanks(token) {
            return Step::Done;
        }
        match token {
            Token::Tag(tag) if tag.is_start => match tag.tag {
                Tag::Html => return self.in_body(token),
                Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta => {
                    self.insert_void(tag);
                    return Step::Done;
                }
                Tag::Title => return self.insert_raw(tag, State::Rcdata),
                Tag::Noscript if !self.scripts => {
                    self.insert_open(tag);
                    self.mode = Mode::InHeadNoscript;
                    return Step::Done;
                }
                Tag::Noframes | Tag::Style | Tag::Noscript => return self.insert_raw(tag, State::Rawtext),
                Tag::Script => return self.insert_raw(tag, State::Script(Escape::None)),
                Tag::Template => return self.start_template(tag),
                Tag::Head => return Step::Done,
                _ => {}
            },
            Token::Tag(tag) => match tag.tag {
                Tag::Head => {
                    self.open.pop();
                    self.mode = Mode::AfterHead;
                    return Step::Done;
                }
                Tag::Template => return self.end_template(),
                _ if !may_end_head(tag) => return Step::Done,
                _ => {}
            },
            Token::Text(_) | Token::Comment(_) | Token::Null | Token::End => {}
        }
        self.open.pop();
        Step::Again(Mode::AfterHead)
    }

    pub(super) fn in_head_noscript(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.takes_blanks(token) {
            return Step::Done;
        }
        match token {
            Token::Tag(tag) if tag.is_start => match tag.tag {
                Tag::Html => return self.in_body(token),
                Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta | Tag::Noframes | Tag::Style => {
                    return self.in_head(token);
                }
                Tag::Head | Tag::Noscript => return Step::Done,
                _ => {}
            },
            Token::Tag(tag) => match tag.tag {
                Tag::Noscript => {
                    self.open.pop();
                    self.mode = Mode::InHead;
                    return Step::Done;
                }
                Tag::Br => {}
                _ => return Step::Done,
            },
            Token::Text(_) | Token::Comment(_) | Token::Null | Token::End => {}
        }
        self.open.pop();
        Step::Again(Mode::InHead)
    }

    pub(super) fn after_head(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.takes_blanks(token) {
            return Step::Done;
        }
        match token {
            Token::Tag(tag) if tag.is_start => match tag.tag {
                Tag::Html => return self.in_body(token),
                Tag::Body => {
                    self.insert_open(tag);
                    self.allows_frameset = false;
                    self.mode = Mode::InBody;
                    return Step::Done;
                }
                Tag::Frameset => {
                    self.insert_open(tag);
                    self.mode = Mode::InFrameset;
                    return Step::Done;
                }
                known if OF_HEAD.has(known) => {
                    let head = self.head;
                    self.push(head);
                    let step = self.in_head(token);
                    self.close(head);
                    return step;
                }
                Tag::Head => return Step::Done,
                _ => {}
            },
            Token::Tag(tag) => match tag.tag {
                Tag::Template => return self.end_template(),
                _ if !may_end_head(tag) => return Step::Done,
                _ => {}
            },
            Token::Text(_) | Token::Comment(_) | Token::Null | Token::End => {}
        }
        self.insert_implied(local_name!("body"), Tag::Body);
        Step::Again(Mode::InBody)
    }

    /// Takes a comment, and drops the white space that a text starts with; returns `true` if nothing else is left of the token.
    fn skips_blanks(&mut self, token: &mut Token<'_, '_>, around: u32) -> bool {
        match token {
            Token::Comment(text) => {
                self.append_comment(around, text);
                true
            }
            Token::Text(text) => {
                take_blanks(text);
                text.is_empty()
            }
            _ => false,
        }
    }

    /// Takes a comment, or the white space that a text starts with; returns `true` if nothing else is left of the token.
    pub(super) fn takes_blanks(&mut self, token: &mut Token<'_, '_>) -> bool {
        match token {
            Token::Comment(text) => {
                self.insert_comment(text);
                true
            }
            Token::Text(text) => {
                self.insert_blanks(text);
                text.is_empty()
            }
            _ => false,
        }
    }

    /// Inserts the white space that a text starts with.
    fn insert_blanks(&mut self, text: &mut &str) {
        let blanks = take_blanks(text);
        if !blanks.is_empty() {
            self.insert_text(blanks);
        }
    }
}

/// Returns `true` for end tags that end the head, too.
fn may_end_head(tag: &TagToken<'_>) -> bool {
    matches!(tag.tag, Tag::Body | Tag::Html | Tag::Br)
}
