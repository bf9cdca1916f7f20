//! The body, and text without markup (HTML, sections 13.2.6.4.7 and 13.2.6.4.8).

use super::formatting::Formatting;
use super::sets::{
    ALL_FORMATTING, BLOCKS, BUTTON_SCOPE, CLOSED_LIKE_BLOCKS, FORMATTING, HEADINGS, IGNORED_IN_BODY,
    IMPLIED_END, ITEM_BARRIERS, LIST_ITEM_SCOPE, OF_HEAD, SCOPE, SPECIAL, VOID_IN_BODY,
};
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
            Token::Tag(tag) if tag.is_start && OF_HEAD.has(tag.tag) => return self.in_head(token),
            Token::Tag(tag) if tag.is_start => return self.start_in_body(tag),
            Token::Tag(tag) => return self.end_in_body(tag),
            Token::End if self.is_in_template() => return self.in_template(token),
            Token::Null | Token::End => {}
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

    fn start_in_body(&mut self, tag: &mut TagToken<'_>) -> Step {
        if BLOCKS.has(tag.tag) {
            self.close_paragraph();
            self.insert_open(tag);
        } else if FORMATTING.has(tag.tag) {
            self.insert_formatting(tag);
        } else if VOID_IN_BODY.has(tag.tag) {
            self.insert_void_in_body(tag);
        } else if !IGNORED_IN_BODY.has(tag.tag) {
            return self.start_with_rules(tag);
        }
        Step::Done
    }

    /// Handles a start tag with rules of its own, or with none at all.
    fn start_with_rules(&mut self, tag: &mut TagToken<'_>) -> Step {
        match tag.tag {
            Tag::A => {
                self.close_links();
                self.insert_formatting(tag);
            }
            Tag::Nobr => {
                self.reopen_formatting();
                if self.has_in(&SCOPE, Tag::Nobr) {
                    self.close_formatting(Tag::Nobr);
                }
                self.insert_formatting(tag);
            }
            Tag::Li | Tag::Dd | Tag::Dt => {
                self.allows_frameset = false;
                self.close_item(tag.tag);
                self.close_paragraph();
                self.insert_open(tag);
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.close_paragraph();
                if HEADINGS.has(self.top().tag) {
                    self.open.pop();
                }
                self.insert_open(tag);
            }
            Tag::Table => {
                if !self.is_quirky {
                    self.close_paragraph();
                }
                self.insert_open(tag);
                self.allows_frameset = false;
                self.mode = Mode::InTable;
            }
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
            Tag::Button | Tag::Form | Tag::Input | Tag::Optgroup | Tag::Option | Tag::Select => {
                self.start_control(tag);
            }
            Tag::Html | Tag::Body | Tag::Frameset => self.start_root(tag),
            Tag::Iframe | Tag::Noembed | Tag::Noscript | Tag::Plaintext | Tag::Textarea | Tag::Xmp
                if self.scripts || tag.tag != Tag::Noscript =>
            {
                return self.start_raw(tag);
            }
            Tag::Other if tag.name == local_name!("image") => {
                self.reopen_formatting();
                self.insert_named((local_name!("img"), Tag::Img), &mut tag.attributes);
                self.allows_frameset = false;
            }
            _ => {
                self.reopen_formatting();
                self.insert_open(tag);
            }
        }
        Step::Done
    }

    /// Handles the start tag of a form or of what stands in forms.
    fn start_control(&mut self, tag: &mut TagToken<'_>) {
        match tag.tag {
            Tag::Form => {
                if self.form.is_none() || self.is_in_template() {
                    self.close_paragraph();
                    let form = self.insert_open(tag);
                    self.form = if self.is_in_template() { self.form } else { Some(form) };
                }
            }
            Tag::Input => {
                if self.has_in(&SCOPE, Tag::Select) {
                    self.pop_to(Tag::Select);
                }
                let allows_frameset = self.allows_frameset && is_hidden(tag);
                self.insert_void_in_body(tag);
                self.allows_frameset = allows_frameset;
            }
            Tag::Select if self.has_in(&SCOPE, Tag::Select) => self.pop_to(Tag::Select),
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
            _ => {
                if tag.tag == Tag::Button && self.has_in(&SCOPE, Tag::Button) {
                    self.close_with_implied(Tag::Button);
                }
                self.reopen_formatting();
                self.insert_open(tag);
                self.allows_frameset = false;
            }
        }
    }

    /// Handles the start tag of an element whose text is no markup.
    fn start_raw(&mut self, tag: &mut TagToken<'_>) -> Step {
        match tag.tag {
            Tag::Plaintext => {
                self.close_paragraph();
                self.insert_open(tag);
                return Step::Enter(State::Plaintext);
            }
            Tag::Textarea => {
                self.ignores_line_feed = true;
                self.allows_frameset = false;
                return self.insert_raw(tag, State::Rcdata);
            }
            Tag::Iframe => self.allows_frameset = false,
            Tag::Xmp => {
                self.close_paragraph();
                self.reopen_formatting();
                self.allows_frameset = false;
            }
            _ => {}
        }
        self.insert_raw(tag, State::Rawtext)
    }

    /// Handles a start tag of what is open already, or cannot come any more.
    fn start_root(&mut self, tag: &mut TagToken<'_>) {
        let body = self.open.get(1).filter(|open| open.tag == Tag::Body).map(|open| open.node);
        match (tag.tag, body) {
            (Tag::Html, _) if !self.is_in_template() => self.add_attributes(self.open[0].node, tag),
            (Tag::Body, Some(body)) if !self.is_in_template() => {
                self.allows_frameset = false;
                self.add_attributes(body, tag);
            }
            (Tag::Frameset, Some(body)) if self.allows_frameset => {
                self.draft.tree.detach(body);
                self.open.truncate(1);
                self.insert_open(tag);
                self.mode = Mode::InFrameset;
            }
            _ => {}
        }
    }

    fn end_in_body(&mut self, tag: &mut TagToken<'_>) -> Step {
        match tag.tag {
            known if CLOSED_LIKE_BLOCKS.has(known) => self.end_block(known),
            known if ALL_FORMATTING.has(known) => self.close_formatting(known),
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
        let is_item = |open: Tag| {
            if tag == Tag::Li { open == Tag::Li } else { matches!(open, Tag::Dd | Tag::Dt) }
        };
        let mut tags = self.open.iter().rev().map(|open| open.tag);
        if let Some(item) =
            tags.find(|open| is_item(*open) || ITEM_BARRIERS.has(*open)).filter(|open| is_item(*open))
        {
            self.close_with_implied(item);
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
}

pub(super) fn is_hidden(input: &TagToken<'_>) -> bool {
    input.attributes.iter().any(|attribute| {
        attribute.name == local_name!("type") && attribute.value.eq_ignore_ascii_case("hidden")
    })
}
