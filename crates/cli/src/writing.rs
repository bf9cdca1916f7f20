//! How a document becomes bytes: format, front matter, images.

use crate::args::OutputFormat;
use crate::commands::pages::PageSource;
use anyhow::Context;
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tsugi::document::{ImagePlace, Images};
use tsugi::fetch::{FetchImage, chain};
use tsugi::{Document, Format, Url};
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::write_file;

#[derive(Debug, Clone)]
pub(crate) struct DocumentWriting {
    pub(crate) format: OutputFormat,
    /// Whether Markdown and text begin with YAML front matter.
    pub(crate) front_matter: bool,
    pub(crate) images: ImagesPlan,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImagesPlan {
    Embed,
    Folder(PathBuf),
    Remote,
}

impl DocumentWriting {
    pub(crate) fn write(&self, document: &Document) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.head(document);
        match self.format {
            OutputFormat::Document(format) => document.write(format, &mut bytes)?,
            OutputFormat::JsonLines => writeln!(bytes, "{}", document.json_line())?,
        }
        Ok(bytes)
    }

    /// Writes a document and fetches its images, if they are wanted. Images that are left out become warnings of the
    /// document.
    pub(crate) fn write_with_images(
        &self,
        document: &mut Document,
        pages: Option<&Arc<PageSource>>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<u8>> {
        let wanted = self.images != ImagesPlan::Remote && !document.text.is_empty();
        let (Some(pages), OutputFormat::Document(format)) = (pages.filter(|_| wanted), self.format) else {
            return self.write(document);
        };
        let left_out = RefCell::new(Vec::new());
        let get = |url: &Url| match pages.unless(interrupt, url, PageSource::fetch_image)? {
            Ok(image) => Some(image.body),
            Err(error) => {
                left_out.borrow_mut().push(format!("image left out: {}", chain(&error)));
                None
            }
        };
        let too_many = Cell::new(0_usize);
        let images = Images::of(document, get, |_| too_many.set(too_many.get() + 1));
        let bytes = self.write_beside(document, format, &images)?;
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

    fn write_beside(&self, document: &Document, format: Format, images: &Images) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.head(document);
        if let ImagesPlan::Folder(folder) = &self.images {
            write_images(images, folder)?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            document.write_with_images(format, images, ImagePlace::Folder(&name), &mut bytes)?;
        } else {
            document.write_with_images(format, images, ImagePlace::Embedded, &mut bytes)?;
        }
        Ok(bytes)
    }

    fn head(&self, document: &Document) -> Vec<u8> {
        if self.front_matter { document.front_matter().into_bytes() } else { Vec::new() }
    }
}

fn write_images(images: &Images, folder: &Path) -> anyhow::Result<()> {
    if !images.files().is_empty() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    }
    images.files().iter().try_for_each(|image| write_file(&folder.join(&image.name), &image.bytes))
}
