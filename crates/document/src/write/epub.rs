//! EPUB 3: a ZIP archive with one XHTML file a page.
//!
//! # Source
//!
//! EPUB 3.3, W3C Recommendation, <https://www.w3.org/TR/epub-33/>: sections 4 (container), 5 (package document),
//! 6.1 (XHTML), 7 (navigation).

use super::above::{byline_above, chapter_above, title_above};
use super::html;
use super::images::{ImageFile, Images};
use super::markup::{Syntax, push_text};
use crate::document::Document;
use crate::images::ImageSources;
use crate::shape::PageShape;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Cursor, Write};
use tsugi_page::{Page, text};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The modification date of a document without dates: the first day that ZIP can express.
const NO_DATE: &str = "1980-01-01T00:00:00Z";

const STYLE: &str = "body{line-height:1.5}img{max-width:100%}pre{white-space:pre-wrap}\
    table{border-collapse:collapse}td,th{border:1px solid;padding:.2em .4em;vertical-align:top}\
    .byline{font-style:italic}";

/// How to write an EPUB file.
#[derive(Debug, Clone, Copy, Default)]
pub struct EpubOptions<'a> {
    /// The images to include. Reading systems fetch nothing, so all others are replaced by their alternative text.
    pub images: Option<&'a Images>,
    /// When the file was made, in ISO 8601 (`2024-05-01T08:00:00Z`). `None` for the date of the document, or 1980 if it
    /// has none, so that equal documents give equal bytes.
    pub modified: Option<&'a str>,
    /// CSS that follows the style of the file, and so overrides it.
    pub css: Option<&'a str>,
    /// The cover.
    pub cover: Option<&'a ImageFile>,
}

pub(super) fn archive(document: &Document, options: &EpubOptions<'_>) -> io::Result<Vec<u8>> {
    let none = Images::default();
    let images = options.images.unwrap_or(&none);
    let names = images.names();
    let settled = (0..document.pages.len()).filter_map(|index| html::of_page(document, index));
    let pages: Vec<Page> = settled.map(|settled| settled.tree).collect();
    let homes = homes(&pages);
    let mut chapters = Vec::with_capacity(pages.len());
    for (index, page) in pages.iter().enumerate() {
        chapters.push(chapter(document, index, page, &homes, &names));
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Must be first and uncompressed, so that the type of the file can be read at a fixed offset.
    add(&mut zip, "mimetype", CompressionMethod::Stored, b"application/epub+zip")?;
    for (name, text) in [
        ("META-INF/container.xml", CONTAINER),
        ("EPUB/package.opf", &package(document, options, &chapters, images)),
        ("EPUB/nav.xhtml", &navigation(document, &chapters)),
        ("EPUB/style.css", &format!("{STYLE}{}", options.css.unwrap_or_default())),
    ] {
        add(&mut zip, name, CompressionMethod::Deflated, text.as_bytes())?;
    }
    if options.cover.is_some() {
        add(
            &mut zip,
            "EPUB/cover.xhtml",
            CompressionMethod::Deflated,
            cover_page(document, options).as_bytes(),
        )?;
    }
    for (number, chapter) in (1..).zip(&chapters) {
        let name = format!("EPUB/page-{number}.xhtml");
        add(&mut zip, &name, CompressionMethod::Deflated, chapter.xhtml.as_bytes())?;
    }
    for image in options.cover.into_iter().chain(images.files()) {
        add(&mut zip, &format!("EPUB/{}", image.name), CompressionMethod::Stored, &image.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

// `zip`, not `rawzip`, which writes the first entry with a data descriptor: readers of EPUB need not understand one.
fn add(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    method: CompressionMethod,
    bytes: &[u8],
) -> io::Result<()> {
    let options = SimpleFileOptions::default().compression_method(method);
    zip.start_file(name, options.last_modified_time(DateTime::DEFAULT))?;
    zip.write_all(bytes)
}

const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n\
    <rootfiles><rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles>\n\
    </container>\n";

#[derive(Debug)]
struct Chapter {
    xhtml: String,
    headings: Vec<(String, String)>,
}

/// Returns the page on which each anchor is. A paragraph cut by a page break, with all it contains, is on the page on which
/// it begins.
fn homes(pages: &[Page]) -> BTreeMap<&str, usize> {
    let mut homes = BTreeMap::new();
    for (page, number) in pages.iter().zip(1..) {
        let ids = page.elements().filter_map(|id| page.attribute(id, "id"));
        homes.extend(ids.map(|id| (id, number)));
    }
    homes
}

fn chapter(
    document: &Document,
    index: usize,
    page: &Page,
    homes: &BTreeMap<&str, usize>,
    images: &ImageSources,
) -> Chapter {
    const MOST: usize = 200;
    let mut cut = html::our_body(page, |anchor| {
        match (anchor.strip_prefix("page-"), homes.get(anchor)) {
            (Some(number), _) => format!("page-{number}.xhtml"),
            (None, Some(number)) => format!("page-{number}.xhtml#{anchor}"),
            // Links to missing places stay on this page.
            (None, None) => format!("page-{}.xhtml", index + 1),
        }
    });
    let mut headings = Vec::new();
    for id in page.elements() {
        if matches!(page.tag(id), "h1" | "h2" | "h3") && headings.len() < MOST {
            let text = text::fold(&page.text(id));
            if !text.is_empty() {
                let name = cut.ids.entry(id).or_insert_with(|| format!("heading-{}", headings.len() + 1));
                headings.push((name.clone(), text));
            }
        }
    }
    let title = document.title.as_deref().unwrap_or(document.url.as_str());
    let mut xhtml = head(document, title);
    let is_other =
        document.pages[index].is_right_to_left(document.lang.as_deref()) != document.is_right_to_left();
    let dir = if is_other { other_direction(document) } else { "" };
    let _ = writeln!(xhtml, "<body{dir}>");
    if index == 0 {
        if let Some(title) = title_above(document) {
            element(&mut xhtml, "h1", "", title);
        }
        if let Some(byline) = byline_above(document) {
            element(&mut xhtml, "p", " class=\"byline\"", &byline);
        }
    }
    if let Some(chapter) = chapter_above(document, index) {
        element(&mut xhtml, "h1", "", chapter);
        headings.insert(0, ("page-".to_owned() + &(index + 1).to_string(), chapter.to_owned()));
    }
    let _ = write!(xhtml, "<section id=\"page-{}\" data-source=\"", index + 1);
    push_text(&mut xhtml, document.pages[index].url.as_str(), Syntax::Xml);
    xhtml.push_str("\">\n");
    xhtml.push_str(&html::xml(PageShape { images: Some(images), ..PageShape::of(page, &cut) }));
    xhtml.push_str("\n</section>\n</body>\n</html>\n");
    Chapter { xhtml, headings }
}

fn head(document: &Document, title: &str) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"",
    );
    let lang = language(document);
    let dir = if document.is_right_to_left() { " dir=\"rtl\"" } else { "" };
    let _ = write!(out, " lang=\"{lang}\" xml:lang=\"{lang}\"{dir}>\n<head>\n<meta charset=\"utf-8\"/>\n");
    element(&mut out, "title", "", title);
    out.push_str("<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n");
    out
}

fn other_direction(document: &Document) -> &'static str {
    if document.is_right_to_left() { " dir=\"ltr\"" } else { " dir=\"rtl\"" }
}

fn cover_page(document: &Document, options: &EpubOptions<'_>) -> String {
    let mut out = head(document, document.title.as_deref().unwrap_or(document.url.as_str()));
    let name = options.cover.map(|cover| cover.name.as_str()).unwrap_or_default();
    let _ =
        write!(out, "<body epub:type=\"cover\">\n<p><img src=\"{name}\" alt=\"\"/></p>\n</body>\n</html>\n");
    out
}

fn language(document: &Document) -> &str {
    document.lang.as_deref().filter(|lang| html::is_language(lang)).unwrap_or("und")
}

fn element(out: &mut String, tag: &str, attributes: &str, text: &str) {
    let _ = write!(out, "<{tag}{attributes}>");
    push_text(out, text, Syntax::Xml);
    let _ = writeln!(out, "</{tag}>");
}

fn navigation(document: &Document, chapters: &[Chapter]) -> String {
    let title = document.title.as_deref().unwrap_or(document.url.as_str());
    let mut out = head(document, title);
    out.push_str("<body>\n<nav epub:type=\"toc\" id=\"toc\">\n");
    element(&mut out, "h1", "", title);
    out.push_str("<ol>\n");
    for (index, Chapter { headings, .. }) in chapters.iter().enumerate() {
        let number = index + 1;
        let first = headings.first().map(|(_, text)| text.clone());
        let label = if index == 0 { Some(title.to_owned()) } else { first };
        out.push_str("<li>");
        let link = format!(" href=\"page-{number}.xhtml\"");
        element(&mut out, "a", &link, &label.unwrap_or_else(|| number.to_string()));
        // The first heading is the label of the page itself.
        let named = headings.iter().skip(usize::from(index > 0)).filter(|(_, text)| text != title);
        let named: Vec<&(String, String)> = named.collect();
        if !named.is_empty() {
            out.push_str("<ol>\n");
            for (id, text) in named {
                out.push_str("<li>");
                element(&mut out, "a", &format!(" href=\"page-{number}.xhtml#{id}\""), text);
                out.push_str("</li>\n");
            }
            out.push_str("</ol>\n");
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n</nav>\n</body>\n</html>\n");
    out
}

fn package(document: &Document, options: &EpubOptions<'_>, chapters: &[Chapter], images: &Images) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\">\n\
         <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n",
    );
    let address = document.canonical.as_ref().unwrap_or(&document.url).as_str();
    element(&mut out, "dc:identifier", " id=\"id\"", address);
    element(&mut out, "dc:title", "", document.title.as_deref().unwrap_or(address));
    element(&mut out, "dc:language", "", language(document));
    for author in &document.authors {
        element(&mut out, "dc:creator", "", author);
    }
    for tag in document.section.iter().chain(&document.tags) {
        element(&mut out, "dc:subject", "", tag);
    }
    let (published, site) = (document.published.as_deref(), document.site.as_deref());
    for (name, value) in [
        ("dc:date", published),
        ("dc:description", document.description.as_deref()),
        ("dc:publisher", site),
        ("dc:source", Some(document.url.as_str())),
    ] {
        if let Some(value) = value {
            element(&mut out, name, "", value);
        }
    }
    let dates = [options.modified, document.modified.as_deref(), published];
    let modified = dates.into_iter().flatten().find_map(moment).unwrap_or_else(|| NO_DATE.to_owned());
    element(&mut out, "meta", " property=\"dcterms:modified\"", &modified);
    out.push_str(
        "</metadata>\n<manifest>\n\
         <item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
         <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n",
    );
    if let Some(cover) = options.cover {
        let ImageFile { name, media_type, .. } = cover;
        let _ = write!(
            out,
            "<item id=\"cover\" href=\"cover.xhtml\" media-type=\"application/xhtml+xml\"/>\n\
             <item id=\"cover-image\" href=\"{name}\" media-type=\"{media_type}\" properties=\"cover-image\"/>\n"
        );
    }
    for (number, chapter) in (1..).zip(chapters) {
        let properties = if chapter.xhtml.contains("<math") { " properties=\"mathml\"" } else { "" };
        let _ = writeln!(
            out,
            "<item id=\"page-{number}\" href=\"page-{number}.xhtml\" media-type=\"application/xhtml+xml\"{properties}/>"
        );
    }
    for (index, image) in images.files().iter().enumerate() {
        let (number, name, media_type) = (index + 1, &image.name, image.media_type);
        let _ = writeln!(out, "<item id=\"image-{number}\" href=\"{name}\" media-type=\"{media_type}\"/>");
    }
    let direction = if document.is_right_to_left() { " page-progression-direction=\"rtl\"" } else { "" };
    let _ = writeln!(out, "</manifest>\n<spine{direction}>");
    if options.cover.is_some() {
        out.push_str("<itemref idref=\"cover\"/>\n");
    }
    for number in 1..=chapters.len() {
        let _ = writeln!(out, "<itemref idref=\"page-{number}\"/>");
    }
    out.push_str("</spine>\n</package>\n");
    out
}

/// Returns a date in the form of `dcterms:modified`: `2024-05-01T08:00:00Z`.
fn moment(date: &str) -> Option<String> {
    const FORM: &str = "0000-00-00T00:00:00Z";
    if let Ok(time) = date.parse::<jiff::Timestamp>() {
        return Some(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    }
    let mut moment = date.to_owned();
    if moment.len() == "0000-00-00".len() {
        moment.push_str("T00:00:00");
    }
    if !moment.ends_with('Z') {
        moment.push('Z');
    }
    let fits = |(c, form): (char, char)| if form == '0' { c.is_ascii_digit() } else { c == form };
    (moment.len() == FORM.len() && moment.chars().zip(FORM.chars()).all(fits)).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_one_form() {
        assert_eq!(moment("2024-05-01").as_deref(), Some("2024-05-01T00:00:00Z"));
        assert_eq!(moment("2024-05-01T10:00:00").as_deref(), Some("2024-05-01T10:00:00Z"));
        assert_eq!(moment("2024-05-01T10:00:00Z").as_deref(), Some("2024-05-01T10:00:00Z"));
        assert_eq!(moment("2024-05-01T08:00:00+09:00").as_deref(), Some("2024-04-30T23:00:00Z"));
        assert_eq!(moment("today"), None);
    }
}
