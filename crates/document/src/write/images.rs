//! The images that a document carries.

use crate::document::Document;
use crate::images::ImageSources;
use base64::prelude::{BASE64_STANDARD, Engine};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::Url;
use tsugi_page::image::{LARGEST_IMAGE, image_type};

/// The most images to fetch, and the most bytes of all together.
const MOST_IMAGES: usize = 500;
const LARGEST_ALL: usize = 128 << 20;

const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An image that a document carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// The name: `image-1.jpg`.
    pub name: String,
    /// The media type, according to the first bytes.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

impl ImageFile {
    /// Returns the cover of a document: `cover.jpg` or like. `None` if the bytes are no JPEG, PNG, GIF or WebP, or more than
    /// 16 MiB.
    pub fn cover(bytes: Vec<u8>) -> Option<ImageFile> {
        let (media_type, extension) = image_type(&bytes).filter(|_| bytes.len() <= LARGEST_IMAGE)?;
        Some(ImageFile { name: format!("cover.{extension}"), media_type, bytes })
    }

    pub(super) fn data_address(&self) -> String {
        format!("data:{};base64,{}", self.media_type, BASE64_STANDARD.encode(&self.bytes))
    }
}

/// Where Markdown and HTML refer to the images that a document carries. [`Document::write_with_images`] has an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImagePlace<'a> {
    /// The document itself, as `data:` addresses.
    Embedded,
    /// A folder of this name beside the document.
    Folder(&'a str),
}

/// The images that a document carries: JPEG, PNG, GIF and WebP. SVG is refused, since it can hold scripts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Images {
    files: Vec<ImageFile>,
    by_address: BTreeMap<String, usize>,
}

impl Images {
    /// Gets the images that a document shows, at most 500 images, 16 MiB each and 128 MiB in all. `get` returns the bytes
    /// of an image at an http or https address, or at a `file:` address for a document made of files, or `None` if it
    /// cannot be had. `left_out` is called for each image beyond those limits; once one did
    /// not fit, no more are fetched.
    pub fn of(
        document: &Document,
        get: impl Fn(&Url) -> Option<Vec<u8>>,
        mut left_out: impl FnMut(&Url),
    ) -> Images {
        let mut images = Images::default();
        let (mut bytes, mut is_full) = (0, false);
        for (asked, address) in addresses(document).into_iter().enumerate() {
            let Ok(url) = address.parse::<Url>() else { continue };
            if asked < MOST_IMAGES && !is_full {
                let Some(image) = get(&url) else { continue };
                let Some((media_type, extension)) = image_type(&image) else { continue };
                is_full = bytes + image.len() > LARGEST_ALL;
                if image.len() <= LARGEST_IMAGE && !is_full {
                    bytes += image.len();
                    let name = format!("image-{}.{extension}", images.files.len() + 1);
                    images.by_address.insert(address, images.files.len());
                    images.files.push(ImageFile { name, media_type, bytes: image });
                    continue;
                }
            }
            left_out(&url);
        }
        images
    }

    /// Returns the images, in the order in which the document shows them.
    pub fn files(&self) -> &[ImageFile] {
        &self.files
    }

    pub(super) fn sources(&self, place: ImagePlace<'_>) -> ImageSources {
        let source = |file: &ImageFile| match place {
            ImagePlace::Embedded => file.data_address(),
            ImagePlace::Folder(folder) => {
                format!("{}/{}", utf8_percent_encode(folder, ENCODED), file.name)
            }
        };
        self.by(source)
    }

    pub(super) fn names(&self) -> ImageSources {
        self.by(|file| file.name.clone())
    }

    fn by(&self, source: impl Fn(&ImageFile) -> String) -> ImageSources {
        let files = self.by_address.iter().filter_map(|(address, at)| Some((address, self.files.get(*at)?)));
        ImageSources(files.map(|(address, file)| (address.clone(), source(file))).collect())
    }
}

fn addresses(document: &Document) -> Vec<String> {
    let (mut addresses, mut seen) = (Vec::new(), BTreeSet::new());
    for page in &document.pages {
        let shape = page.shape();
        shape.each_written(|id, _| {
            if let Some(address) = shape.image(id)
                && seen.insert(address.clone())
            {
                addresses.push(address);
            }
        });
    }
    addresses
}
