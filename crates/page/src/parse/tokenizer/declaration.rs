//! Markup that starts with `<!`.

use super::{Receiver, State, Tokenizer};

impl<S: Receiver> Tokenizer<'_, S> {
    /// Reads a comment or a doctype; starts a CDATA section, which only SVG and `MathML` have.
    pub(super) fn declaration(&mut self) {
        const CDATA: &[u8] = b"[CDATA[";
        if self.input.eat_word("--") {
            self.comment();
        } else if self.input.eat_word("doctype") {
            self.doctype();
        } else if self.input.rest().starts_with(CDATA)
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.input.at += CDATA.len();
            self.state = State::Cdata;
        } else {
            self.bogus_comment();
        }
    }
}
