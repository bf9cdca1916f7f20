//! How a document becomes bytes: format, front matter, images.

use crate::args::OutputFormat;
use crate::commands::pages::PageSource;
use crate::pdf;
use anyhow::Context;
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tsugi::document::{EpubOptions, HtmlOptions, ImageFile, ImagePlace, Images, PageMarks};
use tsugi::fetch::{FetchImage, chain};
use tsugi::{Document, Files, Format, Response, Url};
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::write_file;
use tsugi_terminal::source::{SourceArgument, open_file};

#[derive(Debug, Clone)]
pub(crate) struct DocumentWriting {
    pub(crate) format: OutputFormat,
    /// Whether Markdown and text begin with YAML front matter.
    pub(crate) front_matter: bool,
    pub(crate) images: ImagesPlan,
    /// What the document is called instead of its own title.
    pub(crate) title: Option<String>,
    /// Who is named instead of its authors, if anybody.
    pub(crate) authors: Vec<String>,
    pub(crate) css: Option<String>,
    pub(crate) cover: Option<ImageFile>,
    pub(crate) page_marks: PageMarks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImagesPlan {
    Embed,
    Folder(PathBuf),
    Remote,
}

/// The images that a browser saved beside a page, which are not where the page was.
#[derive(Debug)]
pub(crate) struct SavedImages {
    file: Url,
    files: Files,
    /// Where the page was.
    page: Url,
}

impl SavedImages {
    /// Returns the images beside a source, if it is a file with the page of this address.
    pub(crate) fn of(source: &str, page: Option<&Url>) -> Option<SavedImages> {
        let page = page?.clone();
        let Ok(SourceArgument::File(path)) = SourceArgument::of(source) else { return None };
        let (file, files) = open_file(&path).ok()?;
        Some(SavedImages { file, files, page })
    }

    fn fetch(&self, url: &Url) -> Option<Response> {
        let rest = url.as_str().strip_prefix(self.page.join(".").ok()?.as_str())?;
        self.files.fetch_image(&self.file.join(&format!("./{rest}")).ok()?).ok()
    }
}

impl DocumentWriting {
    pub(crate) fn write(&self, document: &Document, interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
        self.write_with(document, None, interrupt)
    }

    /// Gives a document the title and the authors that it shall have.
    pub(crate) fn name(&self, document: &mut Document) {
        if let Some(title) = &self.title {
            document.title = Some(title.clone());
        }
        if !self.authors.is_empty() {
            document.authors.clone_from(&self.authors);
        }
    }

    fn write_with(
        &self,
        document: &Document,
        images: Option<(&Images, ImagePlace<'_>)>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.head(document);
        let (css, cover) = (self.css.as_deref(), self.cover.as_ref());
        let html = HtmlOptions { images, css, cover, page_marks: self.page_marks };
        match (self.format, images) {
            (OutputFormat::JsonLines, _) => writeln!(bytes, "{}", document.json_line())?,
            (OutputFormat::Document(Format::Html), _) => document.write_html(&html, &mut bytes)?,
            (OutputFormat::Pdf, _) => {
                document.write_html(&html, &mut bytes)?;
                bytes = pdf::print(&bytes, interrupt)?;
            }
            (OutputFormat::Document(Format::Epub), _) => {
                let images = images.map(|(images, _)| images);
                document.write_epub(&EpubOptions { images, modified: None, css, cover }, &mut bytes)?;
            }
            (OutputFormat::Document(format), None) => document.write(format, &mut bytes)?,
            (OutputFormat::Document(format), Some((images, place))) => {
                document.write_with_images(format, images, place, &mut bytes)?;
            }
        }
        Ok(bytes)
    }

    /// Writes a document and fetches its images, if they are wanted. Images that are left out become warnings of the
    /// document.
    pub(crate) fn write_with_images(
        &self,
        document: &mut Document,
        pages: Option<&Arc<PageSource>>,
        saved: Option<&SavedImages>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<u8>> {
        if self.images == ImagesPlan::Remote || document.text.is_empty() {
            return self.write(document, interrupt);
        }
        let left_out = RefCell::new(Vec::new());
        let folder = folder_of(&document.url);
        let fetched = |url: &Url| match (&folder, pages) {
            (Some(folder), _) if url.scheme() == "file" => Some(folder.fetch_image(url)),
            (_, pages) => match saved.and_then(|saved| saved.fetch(url)) {
                Some(image) => Some(Ok(image)),
                None => pages?.unless(interrupt, url, PageSource::fetch_image),
            },
        };
        let get = |url: &Url| match fetched(url)? {
            Ok(image) => Some(image.body),
            Err(error) => {
                left_out.borrow_mut().push(format!("image left out: {}", chain(&error)));
                None
            }
        };
        let too_many = Cell::new(0_usize);
        let images = Images::of(document, get, |_| too_many.set(too_many.get() + 1));
        let bytes = self.write_beside(document, &images, interrupt)?;
        document.warnings.extend(left_out.into_inner());
        if interrupt.came() {
            document.warnings.push("some images may be missing because of Ctrl-C".to_owned());
        } else if interrupt.is_late() {
            document.warnings.push("some images may be missing because the time was up".to_owned());
        }
        if too_many.get() > 0 {
            document.warnings.push(format!(
                "{} images left out: the limits are 500 images, 16 MiB each and 128 MiB together",
                too_many.get()
            ));
        }
        Ok(bytes)
    }

    fn write_beside(
        &self,
        document: &Document,
        images: &Images,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<u8>> {
        let ImagesPlan::Folder(folder) = &self.images else {
            return self.write_with(document, Some((images, ImagePlace::Embedded)), interrupt);
        };
        write_images(images, folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        self.write_with(document, Some((images, ImagePlace::Folder(&name))), interrupt)
    }

    fn head(&self, document: &Document) -> Vec<u8> {
        if self.front_matter { document.front_matter().into_bytes() } else { Vec::new() }
    }
}

/// Returns the folder of a page that is a file.
fn folder_of(url: &Url) -> Option<Files> {
    let file = url.to_file_path().ok()?;
    Files::below(file.parent()?).ok()
}

fn write_images(images: &Images, folder: &Path) -> anyhow::Result<()> {
    if !images.files().is_empty() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    }
    images.files().iter().try_for_each(|image| write_file(&folder.join(&image.name), &image.bytes))
}
