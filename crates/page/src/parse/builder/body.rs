//! The body, and text without markup (HTML, sections 13.2.6.4.7 and 13.2.6.4.8).

use super::formatting::Formatting;
use super::sets::{HEADINGS, IMPLIED_END, ITEM_BARRIERS, LIST_ITEM_SCOPE, SCOPE, SPECIAL, BUTTON_SCOPE};
use super::{Builder, Mode, Open, Step, Token};
use crate::node::Namespace;
use crate::parse::tokenizer::{State, TagToken};
use crate::tags::Tag;
use markup5ever::{LocalName, local_name};

impl Builder {
    pub(super) fn in_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => self.text_in_body(text),
            Token::Comment(text) => self.insert_comment(text),
            Token::Null => {}
            Token::Tag(tag) if tag.is_start => return self.start_in_body(token),
            Token::Tag(_) => return self.end_in_body(token),
            Token::End if self.is_in_template() => return self.in_template(token),
            Token::End => {}
        }
        Step::Done
    }

    pub(super) fn text_in_body(&mut self, text: &str) {
        self.reopen_formatting();
        self.forbid_frameset_by(text);
        self.insert_text(text);
    }

    pub(super) fn in_text(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => {
                self.insert_text(text);
                Step::Done
            }
            Token::End => {
                self.open.pop();
                Step::Again(self.mode_before)
            }
            _ => {
                self.open.pop();
                self.mode = self.mode_before;
                Step::Done
            }
        }
    }

    fn start_in_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return Step::Done };
        match tag.tag {
            Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Center
            | Tag::Details
            | Tag::Dialog
            | Tag::Dir
            | Tag::Div
            | Tag::Dl
            | Tag::Fieldset
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::Header
            | Tag::Hgroup
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::P
            | Tag::Search
            | Tag::Section
            | Tag::Summary
            | Tag::Ul => {
                self.close_paragraph();
                self.insert_open(tag);
            }
            Tag::A => {
                self.close_links();
                self.insert_formatting(tag);
            }
            Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => self.insert_formatting(tag),
            Tag::Nobr => {
                self.reopen_formatting();
                if self.has_in(&SCOPE, Tag::Nobr) {
                    self.close_formatting(Tag::Nobr);
                }
                self.insert_formatting(tag);
            }
            Tag::Li | Tag::Dd | Tag::Dt => {
                self.close_item(tag.tag);
                self.close_paragraph();
                self.insert_open(tag);
            }
            Tag::Area | Tag::Br | Tag::Embed | Tag::Img | Tag::Keygen | Tag::Wbr => {
                self.insert_void_in_body(tag);
            }
            Tag::Other if tag.name == local_name!("image") => {
                self.reopen_formatting();
                self.insert_named((local_name!("img"), Tag::Img), tag);
                self.allows_frameset = false;
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.close_paragraph();
                if HEADINGS.has(self.top().tag) {
                    self.open.pop();
                }
                self.insert_open(tag);
            }
            Tag::Base
            | Tag::Basefont
            | Tag::Bgsound
            | Tag::Link
            | Tag::Meta
            | Tag::Noframes
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Title => return self.in_head(token),
            Tag::Input => {
                if self.has_in(&SCOPE, Tag::Select) {
                    self.pop_to(Tag::Select);
                }
                let allows_frameset = self.allows_frameset && is_hidden(tag);
                self.insert_void_in_body(tag);
                self.allows_frameset = allows_frameset;
            }
            Tag::Button => {
                if self.has_in(&SCOPE, Tag::Button) {
                    self.close_with_implied(Tag::Button);
                }
                self.reopen_formatting();
                self.insert_open(tag);
                self.allows_frameset = false;
            }
            Tag::Table => {
                if !self.is_quirky {
                    self.close_paragraph();
                }
                self.insert_open(tag);
                self.allows_frameset = false;
                self.mode = Mode::InTable;
            }
            Tag::Form => self.start_form(tag),
            Tag::Hr => {
                self.close_paragraph();
                if self.has_in(&SCOPE, Tag::Select) {
                    self.pop_implied(&IMPLIED_END, Tag::None);
                }
                self.insert_void(tag);
                self.allows_frameset = false;
            }
            Tag::Pre | Tag::Listing => {
                self.close_paragraph();
                self.insert_open(tag);
                self.ignores_line_feed = true;
                self.allows_frameset = false;
            }
            Tag::Iframe => {
                self.allows_frameset = false;
                return self.insert_raw(tag, State::Rawtext);
            }
            Tag::Noembed => return self.insert_raw(tag, State::Rawtext),
            Tag::Noscript if self.scripts => return self.insert_raw(tag, State::Rawtext),
            Tag::Textarea => {
                self.ignores_line_feed = true;
                self.allows_frameset = false;
                return self.insert_raw(tag, State::Rcdata);
            }
            Tag::Xmp => {
                self.close_paragraph();
                self.reopen_formatting();
                self.allows_frameset = false;
                return self.insert_raw(tag, State::Rawtext);
            }
            Tag::Plaintext => {
                self.close_paragraph();
                self.insert_open(tag);
                return Step::Enter(State::Plaintext);
            }
            Tag::Select => {
                if self.has_in(&SCOPE, Tag::Select) {
                    self.pop_to(Tag::Select);
                } else {
                    self.reopen_formatting();
                    self.insert_open(tag);
                    self.allows_frameset = false;
                }
            }
            Tag::Option | Tag::Optgroup => {
                if self.has_in(&SCOPE, Tag::Select) {
                    // An option may stand in a group.
                    let around = if tag.tag == Tag::Option { Tag::Optgroup } else { Tag::None };
                    self.pop_implied(&IMPLIED_END, around);
                } else if self.is_current(Tag::Option) {
                    self.open.pop();
                }
                self.reopen_formatting();
                self.insert_open(tag);
            }
            Tag::Rb | Tag::Rtc | Tag::Rp | Tag::Rt => {
                if self.has_in(&SCOPE, Tag::Ruby) {
                    let around = if matches!(tag.tag, Tag::Rp | Tag::Rt) { Tag::Rtc } else { Tag::None };
                    self.pop_implied(&IMPLIED_END, around);
                }
                self.insert_open(tag);
            }
            Tag::Applet | Tag::Marquee | Tag::Object => {
                self.reopen_formatting();
                self.insert_open(tag);
                self.formatting.push(Formatting::Marker);
                self.allows_frameset = false;
            }
            Tag::Param | Tag::Source | Tag::Track => {
                self.insert_void(tag);
            }
            Tag::Math | Tag::Svg => {
                self.reopen_formatting();
                let namespace = if tag.tag == Tag::Svg { Namespace::Svg } else { Namespace::MathMl };
                self.insert_foreign(tag, namespace);
            }
            Tag::Html => {
                if !self.is_in_template() {
                    self.add_attributes(self.open[0].node, tag);
                }
            }
            Tag::Body => {
                if let Some(body) = self.body().filter(|_| !self.is_in_template()) {
                    self.allows_frameset = false;
                    self.add_attributes(body, tag);
                }
            }
            Tag::Frameset => {
                if let Some(body) = self.body().filter(|_| self.allows_frameset) {
                    self.draft.tree.detach(body);
                    self.open.truncate(1);
                    self.insert_open(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Frame
            | Tag::Head
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {}
            _ => {
                self.reopen_formatting();
                self.insert_open(tag);
            }
        }
        Step::Done
    }

    fn end_in_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return Step::Done };
        match tag.tag {
            Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Button
            | Tag::Center
            | Tag::Details
            | Tag::Dialog
            | Tag::Dir
            | Tag::Div
            | Tag::Dl
            | Tag::Fieldset
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::Header
            | Tag::Hgroup
            | Tag::Listing
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::Pre
            | Tag::Search
            | Tag::Section
            | Tag::Select
            | Tag::Summary
            | Tag::Ul => self.end_block(tag.tag),
            Tag::A
            | Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::Nobr
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => self.close_formatting(tag.tag),
            Tag::P => {
                if !self.has_in(&BUTTON_SCOPE, Tag::P) {
                    self.insert_implied(local_name!("p"), Tag::P);
                }
                self.close_with_implied(Tag::P);
            }
            Tag::Li | Tag::Dd | Tag::Dt => {
                let scope = if tag.tag == Tag::Li { &LIST_ITEM_SCOPE } else { &SCOPE };
                if self.has_in(scope, tag.tag) {
                    self.close_with_implied(tag.tag);
                }
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                if self.has_any_in(&SCOPE, |open| HEADINGS.has(open.tag)) {
                    self.pop_implied(&IMPLIED_END, Tag::None);
                    while self.open.pop().is_some_and(|open| !HEADINGS.has(open.tag)) {}
                }
            }
            Tag::Form => self.end_form(),
            Tag::Applet | Tag::Marquee | Tag::Object => {
                if self.has_in(&SCOPE, tag.tag) {
                    self.end_block(tag.tag);
                    self.clear_formatting();
                }
            }
            Tag::Body | Tag::Html => {
                if self.has_in(&SCOPE, Tag::Body) {
                    if tag.tag == Tag::Html {
                        return Step::Again(Mode::AfterBody);
                    }
                    self.mode = Mode::AfterBody;
                }
            }
            Tag::Br => {
                // Its attributes are dropped.
                self.reopen_formatting();
                self.insert_implied(local_name!("br"), Tag::Br);
                self.open.pop();
                self.allows_frameset = false;
            }
            Tag::Template => return self.end_template(),
            _ => self.end_other(tag.tag, &tag.name),
        }
        Step::Done
    }

    fn insert_void_in_body(&mut self, tag: &mut TagToken<'_>) {
        self.reopen_formatting();
        self.insert_void(tag);
        self.allows_frameset = false;
    }

    fn end_block(&mut self, tag: Tag) {
        if self.has_in(&SCOPE, tag) {
            self.pop_implied(&IMPLIED_END, Tag::None);
            self.pop_to(tag);
        }
    }

    /// Closes an element by an end tag that has no rules of its own. The name counts where the tag is not known.
    pub(super) fn end_other(&mut self, tag: Tag, name: &LocalName) {
        let is_named = |open: &Open| {
            open.tag == tag && (tag != Tag::Other || self.draft.tree.node(open.node).name == *name)
        };
        let at = self.open.iter().rposition(|open| is_named(open) || SPECIAL.has(open.tag));
        if let Some(at) = at.filter(|at| is_named(&self.open[*at])) {
            self.open.truncate(at);
        }
    }

    /// Closes the item of a list before the next one.
    fn close_item(&mut self, tag: Tag) {
        self.allows_frameset = false;
        let is_item = |open: Tag| {
            if tag == Tag::Li { open == Tag::Li } else { matches!(open, Tag::Dd | Tag::Dt) }
        };
        let mut tags = self.open.iter().rev().map(|open| open.tag);
        if let Some(item) = tags.find(|open| is_item(*open) || ITEM_BARRIERS.has(*open)).filter(|open| is_item(*open)) {
            self.close_with_implied(item);
        }
    }

    fn start_form(&mut self, tag: &mut TagToken<'_>) {
        if self.form.is_some() && !self.is_in_template() {
            return;
        }
        self.close_paragraph();
        let form = self.insert_open(tag);
        if !self.is_in_template() {
            self.form = Some(form);
        }
    }

    fn end_form(&mut self) {
        if self.is_in_template() {
            self.end_block(Tag::Form);
        } else if let Some(form) = self.form.take()
            && self.has_any_in(&SCOPE, |open| open.node == form)
        {
            self.pop_implied(&IMPLIED_END, Tag::None);
            self.close(form);
        }
    }

    fn body(&self) -> Option<u32> {
        self.open.get(1).filter(|open| open.tag == Tag::Body).map(|open| open.node)
    }
}

pub(super) fn is_hidden(input: &TagToken<'_>) -> bool {
    input.attributes.iter().any(|attribute| {
        attribute.name == local_name!("type") && attribute.value.eq_ignore_ascii_case("hidden")
    })
}
