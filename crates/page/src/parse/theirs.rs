//! html5ever's own tokenizer in front of the same sinks, to compare with.

use super::tokenizer::Receiver;
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

pub(crate) fn options() -> TokenizerOpts {
    // Byte-order marks would be dropped at the start of each piece.
    TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() }
}

/// Bytes that html5ever's tokenizer is given at once, as when it was the only one; longer pieces take it longer.
const PIECE: usize = 1_000;

pub(crate) fn feed<S: Receiver>(html: &str, sink: &S) {
    let tokenizer = Tokenizer::new(Borrowed(sink), options());
    let mut rest = html;
    let pieces = std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(PIECE));
        rest = after;
        (!piece.is_empty() && !sink.is_full()).then_some(piece)
    });
    feed_pieces(pieces, &tokenizer);
}

pub(crate) fn feed_pieces<'p, S: TokenSink>(pieces: impl Iterator<Item = &'p str>, tokenizer: &Tokenizer<S>) {
    let queue = BufferQueue::default();
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        queue.push_back(StrTendril::from_slice(piece));
        // It yields at each `</script>`; there is nothing to run.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    }
    tokenizer.end();
}

struct Borrowed<'s, S>(&'s S);

impl<S: TokenSink> TokenSink for Borrowed<'_, S> {
    type Handle = S::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<S::Handle> {
        self.0.process_token(token, line)
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
