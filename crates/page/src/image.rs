//! Recognises images by their first bytes.

/// Largest image accepted, in bytes.
pub const LARGEST_IMAGE: usize = 16 << 20;

/// Returns the media type and file extension of an image, by its first bytes (EPUB 3.3, section 3.2; WHATWG MIME
/// Sniffing, section 6.1). SVG is rejected: it can contain scripts.
pub fn image_type(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if bytes.starts_with(b"\xff\xd8\xff") {
        Some(("image/jpeg", "jpg"))
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(("image/png", "png"))
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(("image/gif", "gif"))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(("image/webp", "webp"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_known_by_their_bytes() {
        assert_eq!(image_type(b"\x89PNG\r\n\x1a\n..."), Some(("image/png", "png")));
        assert_eq!(image_type(b"RIFF\0\0\0\0WEBPVP8"), Some(("image/webp", "webp")));
        assert_eq!(image_type(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), None);
        assert_eq!(image_type(b""), None);
    }
}
