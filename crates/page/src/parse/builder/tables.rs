//! Tables (HTML, sections 13.2.6.4.9 to 13.2.6.4.15).

use super::body::is_hidden;
use super::formatting::Formatting;
use super::sets::{
    CELLS, FOSTERING, IGNORED_IN_TABLE, IMPLIED_END, PARTS_OF_TABLE, ROW_CONTEXT, TABLE_BODY_CONTEXT,
    TABLE_SCOPE, TABLE_SECTIONS,
};
use super::{Builder, Mode, Step, Token};
use crate::tags::{Tag, TagSet};
use markup5ever::local_name;

impl Builder {
    pub(super) fn in_table(&mut self, token: &mut Token<'_, '_>) -> Step {
        let tag = match token {
            Token::Text(_) | Token::Null if FOSTERING.has(self.top().tag) => {
                self.mode_before = self.mode;
                return Step::Again(Mode::InTableText);
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                return Step::Done;
            }
            Token::End => return self.in_body(token),
            Token::Text(_) | Token::Null => return self.foster(token),
            Token::Tag(tag) => tag,
        };
        match (tag.is_start, tag.tag) {
            (true, Tag::Caption) => {
                self.pop_back_to(&TABLE_SCOPE);
                self.formatting.push(Formatting::Marker);
                self.insert_open(tag);
                self.mode = Mode::InCaption;
            }
            (true, Tag::Colgroup) => {
                self.pop_back_to(&TABLE_SCOPE);
                self.insert_open(tag);
                self.mode = Mode::InColumnGroup;
            }
            (true, Tag::Col) => {
                self.pop_back_to(&TABLE_SCOPE);
                self.insert_implied(local_name!("colgroup"), Tag::Colgroup);
                return Step::Again(Mode::InColumnGroup);
            }
            (true, Tag::Tbody | Tag::Tfoot | Tag::Thead) => {
                self.pop_back_to(&TABLE_SCOPE);
                self.insert_open(tag);
                self.mode = Mode::InTableBody;
            }
            (true, Tag::Td | Tag::Th | Tag::Tr) => {
                self.pop_back_to(&TABLE_SCOPE);
                self.insert_implied(local_name!("tbody"), Tag::Tbody);
                return Step::Again(Mode::InTableBody);
            }
            (is_start, Tag::Table) => {
                if self.has_in(&TABLE_SCOPE, Tag::Table) {
                    self.pop_to(Tag::Table);
                    self.mode = self.reset_mode();
                    if is_start {
                        return Step::Again(self.mode);
                    }
                }
            }
            (true, Tag::Style | Tag::Script | Tag::Template) | (false, Tag::Template) => {
                return self.in_head(token);
            }
            (true, Tag::Input) if is_hidden(tag) => {
                self.insert_void(tag);
            }
            (true, Tag::Form) => {
                if self.form.is_none() && !self.is_in_template() {
                    self.form = Some(self.insert_void(tag));
                }
            }
            (false, known) if IGNORED_IN_TABLE.has(known) => {}
            _ => return self.foster(token),
        }
        Step::Done
    }

    /// Handles a token that does not belong into a table: it goes before the table.
    fn foster(&mut self, token: &mut Token<'_, '_>) -> Step {
        self.fosters = true;
        let step = self.in_body(token);
        self.fosters = false;
        step
    }

    pub(super) fn in_table_text(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Text(text) => {
                self.table_text.push_str(text);
                Step::Done
            }
            Token::Null => Step::Done,
            _ => {
                let mut text = std::mem::take(&mut self.table_text);
                if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    if !text.is_empty() {
                        self.insert_text(&text);
                    }
                } else {
                    let _ = self.foster(&mut Token::Text(&text));
                }
                text.clear();
                self.table_text = text;
                Step::Again(self.mode_before)
            }
        }
    }

    pub(super) fn in_caption(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return self.in_body(token) };
        match (tag.is_start, tag.tag) {
            (is_start, known) if ends_part(is_start, known) || (!is_start && known == Tag::Caption) => {
                if !self.has_in(&TABLE_SCOPE, Tag::Caption) {
                    return Step::Done;
                }
                self.pop_implied(&IMPLIED_END, Tag::None);
                self.pop_to(Tag::Caption);
                self.clear_formatting();
                self.mode = Mode::InTable;
                let is_end = !tag.is_start && tag.tag == Tag::Caption;
                if is_end { Step::Done } else { Step::Again(Mode::InTable) }
            }
            (false, known) if IGNORED_IN_TABLE.has(known) => Step::Done,
            _ => self.in_body(token),
        }
    }

    pub(super) fn in_column_group(&mut self, token: &mut Token<'_, '_>) -> Step {
        if self.takes_blanks(token) {
            return Step::Done;
        }
        match token {
            Token::Text(text) if !self.is_current(Tag::Colgroup) => {
                // Only white space stays of the text.
                let words = text.bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
                *text = &text[words..];
                return Step::Again(self.mode);
            }
            Token::End => return self.in_body(token),
            Token::Tag(tag) => match (tag.is_start, tag.tag) {
                (true, Tag::Html) => return self.in_body(token),
                (true, Tag::Col) => {
                    self.insert_void(tag);
                    return Step::Done;
                }
                (false, Tag::Colgroup) => {
                    if self.is_current(Tag::Colgroup) {
                        self.open.pop();
                        self.mode = Mode::InTable;
                    }
                    return Step::Done;
                }
                (false, Tag::Col) => return Step::Done,
                (_, Tag::Template) => return self.in_head(token),
                _ => {}
            },
            Token::Text(_) | Token::Comment(_) | Token::Null => {}
        }
        if self.is_current(Tag::Colgroup) {
            self.open.pop();
            return Step::Again(Mode::InTable);
        }
        Step::Done
    }

    pub(super) fn in_table_body(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return self.in_table(token) };
        match (tag.is_start, tag.tag) {
            (true, Tag::Tr) => {
                self.pop_back_to(&TABLE_BODY_CONTEXT);
                self.insert_open(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            (true, Tag::Td | Tag::Th) => {
                self.pop_back_to(&TABLE_BODY_CONTEXT);
                self.insert_implied(local_name!("tr"), Tag::Tr);
                Step::Again(Mode::InRow)
            }
            (false, Tag::Tbody | Tag::Tfoot | Tag::Thead) => {
                let section = tag.tag;
                if self.has_in(&TABLE_SCOPE, section) {
                    self.leave(&TABLE_BODY_CONTEXT);
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            (is_start, known) if ends_part(is_start, known) => {
                if !self.has_any_in(&TABLE_SCOPE, |open| TABLE_SECTIONS.has(open.tag)) {
                    return Step::Done;
                }
                self.leave(&TABLE_BODY_CONTEXT);
                Step::Again(Mode::InTable)
            }
            (false, known) if IGNORED_IN_TABLE.has(known) => Step::Done,
            _ => self.in_table(token),
        }
    }

    /// Closes elements up to one of a context, that included.
    fn leave(&mut self, context: &TagSet) {
        self.pop_back_to(context);
        self.open.pop();
    }

    pub(super) fn in_row(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return self.in_table(token) };
        match (tag.is_start, tag.tag) {
            (true, Tag::Td | Tag::Th) => {
                self.pop_back_to(&ROW_CONTEXT);
                self.insert_open(tag);
                self.mode = Mode::InCell;
                self.formatting.push(Formatting::Marker);
                Step::Done
            }
            (false, Tag::Tr) => {
                if self.has_in(&TABLE_SCOPE, Tag::Tr) {
                    self.leave(&ROW_CONTEXT);
                    self.mode = Mode::InTableBody;
                }
                Step::Done
            }
            (is_start, known) if ends_part(is_start, known) => self.leave_row(),
            (false, Tag::Tbody | Tag::Tfoot | Tag::Thead) => {
                if self.has_in(&TABLE_SCOPE, tag.tag) {
                    self.leave_row()
                } else {
                    Step::Done
                }
            }
            (false, known) if IGNORED_IN_TABLE.has(known) => Step::Done,
            _ => self.in_table(token),
        }
    }

    fn leave_row(&mut self) -> Step {
        if !self.has_in(&TABLE_SCOPE, Tag::Tr) {
            return Step::Done;
        }
        self.leave(&ROW_CONTEXT);
        Step::Again(Mode::InTableBody)
    }

    pub(super) fn in_cell(&mut self, token: &mut Token<'_, '_>) -> Step {
        let Token::Tag(tag) = token else { return self.in_body(token) };
        match (tag.is_start, tag.tag) {
            (false, Tag::Td | Tag::Th) => {
                let cell = tag.tag;
                if self.has_in(&TABLE_SCOPE, cell) {
                    self.pop_implied(&IMPLIED_END, Tag::None);
                    self.pop_to(cell);
                    self.clear_formatting();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            (true, known) if PARTS_OF_TABLE.has(known) => {
                if self.has_any_in(&TABLE_SCOPE, |open| CELLS.has(open.tag)) {
                    self.close_cell()
                } else {
                    Step::Done
                }
            }
            (false, Tag::Table | Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Tr) => {
                if self.has_in(&TABLE_SCOPE, tag.tag) { self.close_cell() } else { Step::Done }
            }
            (false, known) if IGNORED_IN_TABLE.has(known) => Step::Done,
            _ => self.in_body(token),
        }
    }

    fn close_cell(&mut self) -> Step {
        self.pop_implied(&IMPLIED_END, Tag::None);
        while self.open.pop().is_some_and(|open| !CELLS.has(open.tag)) {}
        self.clear_formatting();
        Step::Again(Mode::InRow)
    }
}

/// Returns `true` for tags that end a row, or a section of rows, before they mean something themselves: the parts of a table that
/// stand beside it or around it, and the table's end.
fn ends_part(is_start: bool, tag: Tag) -> bool {
    if is_start { PARTS_OF_TABLE.has(tag) } else { tag == Tag::Table }
}
