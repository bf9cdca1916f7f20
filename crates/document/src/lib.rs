//! Makes one document of the pages of a sequence, and writes it. No I/O: no socket, file or clock.
//!
//! [`stitch()`] makes a [`Document`] of the pages of a [`Reassembly`], without repeats. [`Document::write`]
//! writes Markdown, HTML, text, JSON or EPUB; [`Document`] has an example.
//!
//! Nothing in a page is ever run, and nothing active gets into the documents.
//!
//! ```text
//! Part … ─read→ reading ─stitch→ Document ─write→ bytes
//! ```

mod addresses;
mod anchor;
mod comments;
mod direction;
mod document;
mod images;
mod labels;
mod noise;
mod part;
mod reading;
mod shape;
mod shown;
mod stitch;
mod stop;
mod write;

pub use addresses::image_address;
pub use comments::Comments;
pub use document::{Document, DocumentPage, DocumentPart};
pub use part::{Part, Reassembly};
pub use shown::Shown;
pub use stitch::{book, stitch, stitch_text};
pub use stop::{StopReason, Stopped, Tried};
pub use write::{
    ContentText, EpubOptions, Format, FormatError, HtmlOptions, ImageFile, ImagePlace, Images, PageMarks,
    content_html, content_markdown,
};
