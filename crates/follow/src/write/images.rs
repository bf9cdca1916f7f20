//! The images that a document takes with it.

use crate::document::Document;
use crate::images::ImageSources;
use base64::prelude::{BASE64_STANDARD, Engine};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::image::{LARGEST_IMAGE, image_type};
use tsugi_page::{Url, address};

/// The most images that are asked for, and the bytes of all that a document takes.
const MOST_IMAGES: usize = 500;
const LARGEST_ALL: usize = 128 << 20;

/// What of a folder's name an address does not show as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An image that a document takes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// Its name: `image-1.jpg`.
    pub name: String,
    /// Its media type, as its first bytes say it.
    pub media_type: &'static str,
    /// The image.
    pub bytes: Vec<u8>,
}

/// Where a document looks for the images that it takes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImagePlace<'a> {
    /// In the document itself: as `data:` addresses.
    Embedded,
    /// In a folder of this name beside the document.
    Folder(&'a str),
}

/// The images that a document takes with it: JPEG, PNG, GIF and WebP. SVG can hold scripts and is none of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Images {
    files: Vec<ImageFile>,
    /// Address → place in the list.
    by_address: BTreeMap<String, usize>,
}

impl Images {
    /// Gets the images that a document shows. `get` returns the bytes of one, or `None` where it cannot be had; `left_out`
    /// hears of each that is too much: 500 are asked for, and no more once one did not fit; one may have 16 MiB, all
    /// 128 MiB.
    pub fn of(
        document: &Document,
        get: impl Fn(&Url) -> Option<Vec<u8>>,
        mut left_out: impl FnMut(&Url),
    ) -> Images {
        let mut images = Images::default();
        let (mut bytes, mut is_full) = (0, false);
        for (asked, address) in addresses(document).into_iter().enumerate() {
            let Some(url) = address.parse::<Url>().ok().filter(address::is_web) else { continue };
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

    /// Says where the images are, for a document that looks for them at a place.
    pub(super) fn sources(&self, place: ImagePlace<'_>) -> ImageSources {
        let source = |file: &ImageFile| match place {
            ImagePlace::Embedded => {
                format!("data:{};base64,{}", file.media_type, BASE64_STANDARD.encode(&file.bytes))
            }
            ImagePlace::Folder(folder) => {
                format!("{}/{}", utf8_percent_encode(folder, ENCODED), file.name)
            }
        };
        self.by(source, true)
    }

    /// Says where the images are, for a document that can show no others.
    pub(super) fn names(&self) -> ImageSources {
        self.by(|file| file.name.clone(), false)
    }

    fn by(&self, source: impl Fn(&ImageFile) -> String, others_stay: bool) -> ImageSources {
        let files = self.by_address.iter().filter_map(|(address, at)| Some((address, self.files.get(*at)?)));
        ImageSources::new(files.map(|(address, file)| (address.clone(), source(file))).collect(), others_stay)
    }
}

/// Lists the addresses of the images that a document shows, each once.
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
