//! The addresses of links and images.

use crate::noise::{is_noise, is_noise_address};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use tsugi_page::{NodeId, Page, Tag, Url, address};

const MAX_ADDRESS: usize = 8 * 1024;

/// The characters of addresses that markup would read.
pub(crate) const READ_BY_MARKUP: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'\\');

pub(crate) fn link_address(page: &Page, id: NodeId) -> Option<String> {
    if !page.is(id, "a") {
        return None;
    }
    let href = page.attribute(id, "href").filter(|href| href.len() <= MAX_ADDRESS)?;
    let url = page.base().join(href.trim()).ok()?;
    let passes = address::is_web(&url) || url.scheme() == "mailto";
    (passes && url.as_str().len() <= MAX_ADDRESS).then(|| plain_address(&url))
}

/// The widest image that a document takes of several, in pixels.
const WIDEST: f32 = 1600.0;

/// Attributes that hold the address of an image that loads late, whatever its file is called.
const LATE: [&str; 3] = ["data-src", "data-original", "data-lazy-src"];

/// Attributes that hold no image of their own element, though they may name one.
const NO_SOURCE: [&str; 8] = ["alt", "title", "class", "id", "style", "href", "src", "data"];

const MOST_CHILDREN: usize = 64;

/// Returns the absolute address of an image; `None` for dots and counters. It is an http or https address, or the `file:`
/// address of an image below the folder of a page that is a file.
///
/// Images are `img`, `object` and `embed` with an image, and custom elements (`amp-img`) that hold the address of one. Of an
/// image in several sizes it is the widest of at most 1,600 pixels. An image that loads late has its address in another
/// attribute and a placeholder in `src`. The images of a saved file are resolved against the address of the page that it
/// copies, but for those in the folder that the browser saved with it.
pub fn image_address(page: &Page, id: NodeId) -> Option<String> {
    let url = match page.known_tag(id) {
        Tag::Img | Tag::Object | Tag::Embed if is_noise(page, id) => None,
        Tag::Img => {
            return shown_image(page, id)
                .map(|url| plain_address(&url))
                .or_else(|| without_scripts(page, id));
        }
        Tag::Object | Tag::Embed => image_of_object(page, id),
        Tag::Other if page.is_html(id) && page.tag(id).contains('-') => image_of_custom(page, id),
        _ => None,
    };
    url.map(|url| plain_address(&url))
}

/// Returns the words for an image.
pub(crate) fn image_text(page: &Page, id: NodeId) -> &str {
    let names = if page.is(id, "img") { &["alt"][..] } else { &["alt", "aria-label", "title"] };
    names.iter().find_map(|name| page.attribute(id, name)).unwrap_or_default()
}

/// Returns the address of what an `img` shows once scripts have run.
pub(crate) fn shown_image(page: &Page, id: NodeId) -> Option<Url> {
    let places = ImagePlaces::of(page);
    let sets = page.attributes(id).filter(|(name, _)| name.ends_with("srcset")).map(|(_, set)| set);
    let sets: Vec<&str> = sets.collect();
    let plain = |name: &str| page.attribute(id, name).and_then(|source| places.resolve(source));
    let source = plain("src");
    // The sizes of a `picture` precede its image.
    let picture = page.parent(id).filter(|parent| page.is(*parent, "picture"));
    let before =
        std::iter::successors(picture.and(page.previous_sibling(id)), |id| page.previous_sibling(*id));
    let sources: Vec<NodeId> = before.take(16).filter(|id| page.is(*id, "source")).collect();
    let of_sources = |is_wanted: fn(&Page, NodeId) -> bool| {
        let wanted = sources.iter().filter(move |id| is_wanted(page, **id));
        wanted
            .flat_map(|id| page.attributes(*id))
            .filter(|(name, _)| name.ends_with("srcset"))
            .map(|(_, set)| set)
    };
    let widest = places.widest(sets.iter().copied());
    if let Some(url) = widest.or_else(|| places.widest(of_sources(suits_readers))) {
        // A browser that saves a page leaves its other sizes on the web.
        let saved = source.filter(|source| places.is_beside(source) && !places.is_beside(&url));
        return Some(saved.unwrap_or(url));
    }
    let is_drawing = source.as_ref().is_some_and(|url| has_ending(url, &["svg"]));
    let source_shows = || source.clone().filter(|url| !is_placeholder(url) && !is_drawing);
    LATE.into_iter()
        .find_map(plain)
        .or_else(source_shows)
        .or_else(|| places.any_attribute(id))
        .or_else(|| places.densest(sets.iter().copied()))
        .or_else(|| places.widest(of_sources(|_, _| true)))
        .or_else(|| places.densest(of_sources(|_, _| true)))
        .or(source)
}

/// Returns `true` for a source of a `picture` that is no crop for small screens, and of a kind that devices for reading show.
fn suits_readers(page: &Page, source: NodeId) -> bool {
    let is_small = page.attribute(source, "media").is_some_and(|media| media.contains("max-width"));
    let kind = page.attribute(source, "type").unwrap_or_default();
    !is_small && !kind.contains("avif") && !kind.contains("jxl")
}

/// Returns the image that an `object` or `embed` shows, if it shows nothing else.
fn image_of_object(page: &Page, id: NodeId) -> Option<Url> {
    let kind = page.attribute(id, "type").map(|kind| kind.trim().to_ascii_lowercase());
    let source = page.attribute(id, "data").or_else(|| page.attribute(id, "src"))?;
    let url = ImagePlaces::of(page).resolve(source)?;
    let is_image = match kind {
        Some(kind) if !kind.is_empty() => kind.starts_with("image/"),
        _ => has_ending(&url, &IMAGES),
    };
    (is_image && !holds_image(page, id)).then_some(url)
}

fn image_of_custom(page: &Page, id: NodeId) -> Option<Url> {
    if holds_image(page, id) {
        return None;
    }
    let places = ImagePlaces::of(page);
    let sets = || page.attributes(id).filter(|(name, _)| name.ends_with("srcset")).map(|(_, set)| set);
    let says_image = page.tag(id).ends_with("-img") || page.tag(id).ends_with("-image");
    let source = page.attribute(id, "src").and_then(|source| places.resolve(source));
    // A player has a picture, too.
    let plays =
        source.as_ref().is_some_and(|url| has_ending(url, &FILMS)) || page.attribute(id, "videoid").is_some();
    if plays {
        return None;
    }
    places
        .widest(sets())
        .or_else(|| source.filter(|url| says_image || has_ending(url, &IMAGES)))
        .or_else(|| places.any_attribute(id))
        .or_else(|| places.densest(sets()))
}

fn holds_image(page: &Page, id: NodeId) -> bool {
    page.subtree(id).skip(1).take(MOST_CHILDREN).any(|id| page.is(id, "img"))
}

/// Resolves the addresses of images.
struct ImagePlaces<'a> {
    page: &'a Page,
    /// The address of the page that a saved file copies.
    original: Option<Url>,
}

impl<'a> ImagePlaces<'a> {
    fn of(page: &'a Page) -> ImagePlaces<'a> {
        let is_file = page.url().scheme() == "file" && page.base().scheme() == "file";
        ImagePlaces { page, original: is_file.then(|| canonical(page)).flatten() }
    }

    /// Resolves the address of an image that is no dot or counter.
    fn resolve(&self, source: &str) -> Option<Url> {
        let source = source.trim();
        if source.is_empty() || source.starts_with('#') || source.len() > MAX_ADDRESS {
            return None;
        }
        let url = match &self.original {
            Some(original) if !self.is_saved(source) => original.join(source).ok()?,
            _ => self.page.resolve(source)?,
        };
        ((address::is_web(&url) || self.is_beside(&url)) && !is_noise_address(&url)).then_some(url)
    }

    /// Returns `true` if a browser saved the image together with the page: in a folder that is called like the page, with a word
    /// for files behind its name (`page_files`, `page-Dateien`).
    fn is_saved(&self, source: &str) -> bool {
        let name = self.page.url().path().rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let Some((folder, _)) = source.trim_start_matches("./").split_once('/') else { return false };
        let (stem, folder) = (decoded(stem), decoded(folder));
        // The page may have another name by now.
        folder.ends_with("_files")
            || folder.strip_prefix(&stem).is_some_and(|rest| rest.starts_with(['_', '-', '.', ' ']))
    }

    fn is_beside(&self, url: &Url) -> bool {
        let own = self.page.url();
        let folder = own.path().rsplit_once('/').map_or("/", |(folder, _)| folder);
        own.scheme() == "file"
            && url.scheme() == "file"
            && url.host() == own.host()
            && url.path().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') && rest.len() > 1)
    }

    /// Returns the widest of the images whose width is given, up to the limit, or else the narrowest.
    fn widest<'s>(&self, sets: impl Iterator<Item = &'s str>) -> Option<Url> {
        let wide = sets.flat_map(offers).filter_map(|(address, unit, width)| {
            Some((self.resolve(address).filter(|_| unit == 'w')?, width))
        });
        let key = |width: f32| if width <= WIDEST { width } else { -width };
        wide.max_by(|(_, one), (_, other)| key(*one).total_cmp(&key(*other))).map(|(url, _)| url)
    }

    fn densest<'s>(&self, sets: impl Iterator<Item = &'s str>) -> Option<Url> {
        let sized =
            sets.flat_map(offers).filter_map(|(address, _, size)| Some((self.resolve(address)?, size)));
        sized.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(url, _)| url)
    }

    /// Returns the image that an attribute of any name leads to.
    fn any_attribute(&self, id: NodeId) -> Option<Url> {
        let others = self.page.attributes(id).filter(|(name, value)| {
            !NO_SOURCE.contains(name) && !name.ends_with("srcset") && value.contains('.')
        });
        let mut urls = others.filter_map(|(_, value)| self.resolve(value));
        urls.find(|url| has_ending(url, &IMAGES) && !is_placeholder(url))
    }
}

const IMAGES: [&str; 8] = ["avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"];

/// The endings of files that are played.
pub(crate) const FILMS: [&str; 11] =
    ["aac", "flac", "m3u8", "m4a", "m4v", "mov", "mp3", "mp4", "ogg", "wav", "webm"];

/// Returns `true` if the name of a file ends so.
pub(crate) fn has_ending(url: &Url, endings: &[&str]) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && endings.iter().any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// Returns `true` if a file is called like the images that stand for one that is not loaded yet.
fn is_placeholder(url: &Url) -> bool {
    const WORDS: [&str; 6] = ["blank", "lazy", "lazyload", "loading", "placeholder", "spacer"];
    let name = url.path().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
    stem.split(|c: char| !c.is_ascii_alphabetic()).any(|word| WORDS.contains(&word))
}

fn without_scripts(page: &Page, id: NodeId) -> Option<String> {
    let beside = [page.next_sibling(id), page.previous_sibling(id)].into_iter().flatten();
    let noscript = beside.into_iter().find(|id| page.is(*id, "noscript"))?;
    let markup = page.string_value(noscript);
    if markup.len() > MAX_ADDRESS {
        return None;
    }
    let inside = Page::from_text(markup, page.base());
    // Scripts are off in there, so no further `noscript` is text.
    let image = inside.first("img").filter(|image| inside.attribute(*image, "src").is_some())?;
    let url = inside.resolve(inside.attribute(image, "src")?.trim()).filter(address::is_web)?;
    (!is_noise(&inside, image)).then(|| plain_address(&url))
}

fn canonical(page: &Page) -> Option<Url> {
    let mut head = page.elements().take_while(|id| !page.is(*id, "body"));
    let link = head.find(|id| {
        let mut rel = page.attribute(*id, "rel").unwrap_or_default().split_whitespace();
        page.is(*id, "link") && rel.any(|word| word.eq_ignore_ascii_case("canonical"))
    })?;
    page.resolve(page.attribute(link, "href")?).filter(address::is_web)
}

/// Returns the images of a `srcset`: their addresses, units (`w`, `x`, `h`) and sizes.
fn offers(set: &str) -> impl Iterator<Item = (&str, char, f32)> {
    // Addresses may hold commas; only a comma and white space separate them.
    let offers = set.split(", ").flat_map(|offers| offers.split(",\n")).map(str::trim);
    offers.filter_map(|offer| {
        let (address, size) = offer.split_once(char::is_whitespace).unwrap_or((offer, "1x"));
        let size = size.trim().trim_end_matches(',');
        let unit = size.chars().next_back()?;
        let size: f32 = size.strip_suffix(['w', 'x', 'h']).unwrap_or(size).parse().ok()?;
        Some((address.trim_end_matches(','), unit, size))
    })
}

/// Returns an address that is safe in any markup. Characters that markup would read are encoded; only `mailto:` addresses still
/// have some.
pub(crate) fn plain_address(url: &Url) -> String {
    utf8_percent_encode(url.as_str(), READ_BY_MARKUP).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_lead_to_pages_are_links() {
        let address = |href: &str| {
            let html = format!("<a href=\"{href}\">x</a>");
            let page = Page::from_text(&html, &"https://a.test/x/1".parse().unwrap());
            link_address(&page, page.first("a").unwrap())
        };
        assert_eq!(address("2#n").as_deref(), Some("https://a.test/x/2#n"));
        assert_eq!(address("mailto:a b&quot;<@b.test").as_deref(), Some("mailto:a%20b%22%3C@b.test"));
        for dead in
            ["javascript:x", " java\nscript:x", "data:text/html,x", "file:///x", "vbscript:x", "blob:x"]
        {
            assert_eq!(address(dead), None, "{dead}");
        }
    }

    #[test]
    fn a_placeholder_is_replaced_by_what_readers_without_scripts_see() {
        let image = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/x/1".parse().unwrap());
            image_address(&page, page.first("img").unwrap())
        };
        let placeholder =
            "<p>Text of the page.<img class=lazy src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>";
        assert_eq!(
            image(&format!("{placeholder}<noscript><img src=i.png></noscript>")).as_deref(),
            Some("https://a.test/x/i.png")
        );
        assert_eq!(image(&format!("{placeholder}<noscript><img src='javascript:x'></noscript>")), None);
        assert_eq!(image(placeholder), None);
        assert_eq!(
            image("<img src=/blank.gif data-original=i.png>").as_deref(),
            Some("https://a.test/x/i.png"),
            "the placeholder is noise, the image is none"
        );
    }

    #[test]
    fn an_image_is_what_holds_the_address_of_one() {
        let image = |html: &str| {
            let page =
                Page::from_text(&format!("<main>{html}</main>"), &"https://a.test/x/1".parse().unwrap());
            let id = page.child_elements(page.first("main").unwrap()).next().unwrap();
            image_address(&page, id).map(|address| address.replace("https://a.test/", "/"))
        };
        for (html, expected) in [
            ("<img src=s.png srcset='s.png 64w, l.png 640w, xl.png 3000w'>", Some("/x/l.png")),
            ("<img src=s.png srcset='l.png 2000w, xl.png 3000w'>", Some("/x/l.png")),
            ("<img src=s.png srcset='l.png 2x'>", Some("/x/s.png")),
            ("<img src=s.png data-lazy-srcset='l.png 640w'>", Some("/x/l.png")),
            ("<img src=/img/blank.gif data-actualsrc=i.jpg>", Some("/x/i.jpg")),
            ("<img src=data:image/gif;base64,x data-backup=i.jpg?w=2>", Some("/x/i.jpg?w=2")),
            ("<img src=lazy.svg data-full=i.webp>", Some("/x/i.webp")),
            ("<img src=chart.svg>", Some("/x/chart.svg")),
            ("<img src=i.png data-large=l.png>", Some("/x/i.png")),
            ("<amp-img src=/i/two.jpg></amp-img>", Some("/i/two.jpg")),
            ("<amp-img src=/i/3?x><noscript><img src=/i/3.jpg></noscript></amp-img>", Some("/i/3?x")),
            ("<zoom-picture full=/i/3.jpg></zoom-picture>", Some("/i/3.jpg")),
            ("<zoom-picture full=/i/3.jpg><img src=4.jpg></zoom-picture>", None),
            ("<amp-video src=f.mp4 poster=p.jpg></amp-video>", None),
            (
                "<object data=figures/overview.svg type=image/svg+xml></object>",
                Some("/x/figures/overview.svg"),
            ),
            ("<embed src=a.png>", Some("/x/a.png")),
            ("<object data=a.pdf type=application/pdf></object>", None),
            ("<object data=a.svg type=image/svg+xml><img src=a.png></object>", None),
            ("<div data-src=i.png></div>", None),
        ] {
            assert_eq!(image(html).as_deref(), expected, "{html}");
        }
    }

    #[test]
    fn a_picture_shows_the_widest_of_its_sources_that_readers_can_show() {
        let image = |sources: &str| {
            let html = format!("<picture>{sources}<img src=s.jpg></picture>");
            let page = Page::from_text(&html, &"https://a.test/x/1".parse().unwrap());
            image_address(&page, page.first("img").unwrap())
                .map(|address| address.replace("https://a.test/x/", ""))
        };
        for (sources, expected) in [
            ("<source srcset='m.jpg 400w, l.jpg 1400w, xl.jpg 4000w'>", "l.jpg"),
            ("<source type=image/avif srcset='l.avif 1400w'><source srcset='m.webp 900w'>", "m.webp"),
            ("<source media='(max-width: 600px)' srcset='crop.jpg 600w'>", "s.jpg"),
            ("<source srcset='l.webp'>", "s.jpg"),
        ] {
            assert_eq!(image(sources).as_deref(), Some(expected), "{sources}");
        }
    }

    #[test]
    fn images_of_a_saved_page_are_where_the_page_was() {
        let image = |html: &str| {
            let page = Page::from_text(html, &"file:///home/ann/x/1.html".parse().unwrap());
            image_address(&page, page.first("img").unwrap())
        };
        let canonical = "<link rel=canonical href=https://a.test/story/1>";
        assert_eq!(
            image(&format!("{canonical}<img src=i.png>")).as_deref(),
            Some("https://a.test/story/i.png")
        );
        assert_eq!(
            image(&format!("{canonical}<img src=//b.test/i.png>")).as_deref(),
            Some("https://b.test/i.png")
        );
        assert_eq!(
            image(&format!("{canonical}<img src=1_files/i.png>")).as_deref(),
            Some("file:///home/ann/x/1_files/i.png"),
            "the browser saved it beside the page"
        );
        for saved in ["old_files/i.png", "./1_files/i.png srcset='https://b.test/big.png 1200w'"] {
            let name = saved.split(' ').next().unwrap().trim_start_matches("./");
            let expected = format!("file:///home/ann/x/{name}");
            assert_eq!(image(&format!("{canonical}<img src={saved}>")), Some(expected), "{saved}");
        }
        assert_eq!(image("<img src=b/i.png>").as_deref(), Some("file:///home/ann/x/b/i.png"));
        for outside in [
            "../i.png",
            "/etc/i.png",
            "file:///home/ann/i.png",
            "b/../../i.png",
            "file://host/home/ann/x/i.png",
        ] {
            assert_eq!(image(&format!("<img src={outside}>")), None, "{outside}");
        }
    }
}
