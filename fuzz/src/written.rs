//! What must hold for every document, in every format.

use crate::passive;
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::Value;
use std::io;
use tsugi::document::{EpubOptions, ImagePlace, Images};
use tsugi::{Document, Format};

/// The most bytes that are written for each byte read: lists may nest 512 deep, and Markdown indents each of their lines.
const LARGEST: usize = 500;
/// What a file may take besides.
const FRAME: usize = 1 << 16;

const IMAGE: &[u8] = b"GIF89a";

/// A document in all formats.
pub struct Written {
    text: String,
    json: String,
    /// Without images and with them.
    markdown: [String; 2],
    html: [String; 2],
    epub: [Vec<u8>; 2],
}

/// Writes a document in all formats. `input` is the number of bytes that it was made of.
///
/// # Panics
///
/// If a format holds far more than was read, or is no text.
pub fn write_document(document: &Document, input: usize) -> Written {
    let images = Images::of(document, |_| Some(IMAGE.to_vec()), |_| ());
    let bytes = |write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("writing to memory");
        assert!(bytes.len() <= input * LARGEST + FRAME, "{} bytes of {input}", bytes.len());
        bytes
    };
    let text = |format, images| {
        let bytes = bytes(&|into| match images {
            None => document.write(format, into),
            Some(images) => document.write_with_images(format, images, ImagePlace::Folder("images"), into),
        });
        String::from_utf8(bytes).expect("a text in UTF-8")
    };
    let epub =
        |images| bytes(&|into| document.write_epub(&EpubOptions { images, ..EpubOptions::default() }, into));
    Written {
        text: text(Format::Text, None),
        json: text(Format::Json, None),
        markdown: [None, Some(&images)].map(|images| text(Format::Markdown, images)),
        html: [None, Some(&images)].map(|images| text(Format::Html, images)),
        epub: [None, Some(&images)].map(epub),
    }
}

/// Writes a document in all formats, and reads them as other programs do. `input` is the number of bytes that it was made of.
///
/// # Panics
///
/// If a format is not well-formed, or holds anything active, a control character, or far more than was read.
pub fn check_document(document: &Document, input: usize) {
    let written = write_document(document, input);
    passive::characters(&written.text);
    for (markdown, html) in written.markdown.iter().zip(&written.html) {
        passive::characters(markdown);
        passive::characters(html);
        passive::markdown(markdown);
        passive::html(html);
    }
    written.epub.iter().for_each(|file| passive::epub(file));
    check_json(document, &written.json);
    check_front_matter(document);
    check_pages(document);
}

fn check_json(document: &Document, pretty: &str) {
    let line = document.json_line();
    let read: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(serde_json::from_str::<Value>(pretty).expect("JSON"), read);
    assert!(!line.contains('\n'), "{line}");
    assert_eq!(read["text"], document.text.as_str());
    passive::html(read["html"].as_str().expect("HTML"));
    let mut values = vec![&read];
    while let Some(value) = values.pop() {
        match value {
            Value::String(text) => passive::characters(text),
            Value::Array(list) => values.extend(list),
            Value::Object(object) => values.extend(object.values()),
            _ => {}
        }
    }
}

fn check_front_matter(document: &Document) {
    let block = document.front_matter();
    passive::characters(&block);
    let read = Yaml::load_from_str(&block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
    let text = |key: &str| read[0].as_mapping_get(key).and_then(Yaml::as_str);
    assert_eq!(text("title"), document.title.as_deref(), "{block}");
    assert_eq!(text("description"), document.description.as_deref(), "{block}");
    assert_eq!(text("source"), Some(document.url.as_str()), "{block}");
}

fn check_pages(document: &Document) {
    let mut end = 0;
    for page in &document.pages {
        assert!(
            end <= page.text.start && page.text.start <= end + 1 && page.text.start <= page.text.end,
            "{:?}",
            document.text
        );
        end = page.text.end;
        page.comments.iter().for_each(|comments| passive::characters(comments));
    }
    assert_eq!(end, document.text.len());
    document.warnings.iter().chain([&document.stopped.detail]).for_each(|line| passive::characters(line));
}
