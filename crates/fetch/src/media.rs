//! The type of an answer by its status, its `Content-Type` and its first bytes.

use crate::error::FetchError;
use crate::sniff;
use tsugi_page::image::image_type;
use tsugi_page::{Response, Url, charset, media_type};

const XML_BYTES: usize = 1024;

/// Returns the response if it is a page: status 2xx but not 206, and HTML as far as one can tell.
///
/// Files of other types are recognised by their first bytes, whatever the header says. `text/html` and
/// `application/xhtml+xml` may have stray control characters. If the header is missing or says nothing (`text/plain`,
/// `application/octet-stream`, `unknown/unknown`, `*/*`), bytes that look like text pass. XML passes if it has `<html`
/// near its start. Nothing else is a page.
///
/// # Errors
///
/// [`FetchError::Status`], [`FetchError::Partial`] and [`FetchError::NotHtml`].
pub fn checked_page(response: Response) -> Result<Response, FetchError> {
    check_head(&response.url, response.status, response.content_type.as_deref())?;
    match found_instead(response.content_type.as_deref(), &response.body) {
        None => Ok(response),
        Some(what) => Err(FetchError::NotHtml { url: response.url, what }),
    }
}

/// Returns the response if it is an image: status 2xx but not 206, and a JPEG, PNG, GIF or WebP by its first bytes.
///
/// # Errors
///
/// [`FetchError::Status`], [`FetchError::Partial`] and [`FetchError::NotImage`].
pub fn checked_image(response: Response) -> Result<Response, FetchError> {
    check_image_head(&response.url, response.status, response.content_type.as_deref())?;
    if image_type(&response.body).is_some() {
        return Ok(response);
    }
    let named = media_type(response.content_type.as_deref());
    let what = if named.is_empty() { "unknown data" } else { "unknown data served as " };
    Err(FetchError::NotImage { url: response.url, what: format!("{what}{named}") })
}

pub(crate) fn check_image_head(url: &Url, status: u16, content_type: Option<&str>) -> Result<(), FetchError> {
    check_status(url, status)?;
    let named = media_type(content_type);
    // SVG can hold scripts.
    let may_be_one = named.starts_with("image/") && named != "image/svg+xml";
    if may_be_one || matches!(DeclaredType::of(content_type), DeclaredType::Unknown) {
        return Ok(());
    }
    Err(FetchError::NotImage { url: url.clone(), what: named })
}

#[cfg(feature = "archive")]
pub(crate) fn looks_like_page(content_type: Option<&str>, body: &[u8]) -> bool {
    found_instead(content_type, body).is_none()
}

fn found_instead(content_type: Option<&str>, body: &[u8]) -> Option<String> {
    let declared = content_type.and_then(charset::from_content_type);
    let binary = |is_html| sniff::binary(body, declared, is_html).map(str::to_owned);
    let head = &body[..body.len().min(XML_BYTES)];
    let holds_html = || head.windows(5).any(|window| window.eq_ignore_ascii_case(b"<html"));
    match DeclaredType::of(content_type) {
        DeclaredType::Html => binary(true),
        DeclaredType::Unknown => binary(false),
        DeclaredType::Xml if holds_html() => None,
        DeclaredType::Xml | DeclaredType::Other => Some(media_type(content_type)),
    }
}

pub(crate) fn check_head(url: &Url, status: u16, content_type: Option<&str>) -> Result<(), FetchError> {
    check_status(url, status)?;
    match DeclaredType::of(content_type) {
        DeclaredType::Other => Err(FetchError::NotHtml { url: url.clone(), what: media_type(content_type) }),
        DeclaredType::Html | DeclaredType::Unknown | DeclaredType::Xml => Ok(()),
    }
}

pub(crate) fn check_status(url: &Url, status: u16) -> Result<(), FetchError> {
    match status {
        // Nobody here asks for a part.
        206 => Err(FetchError::Partial { url: url.clone() }),
        200..300 => Ok(()),
        _ => Err(FetchError::Status { url: url.clone(), status }),
    }
}

enum DeclaredType {
    Html,
    Xml,
    /// Nothing that one could rely on.
    Unknown,
    Other,
}

impl DeclaredType {
    fn of(content_type: Option<&str>) -> DeclaredType {
        match media_type(content_type).as_str() {
            "text/html" | "application/xhtml+xml" => DeclaredType::Html,
            "text/xml" | "application/xml" => DeclaredType::Xml,
            ""
            | "text/plain"
            | "application/octet-stream"
            | "unknown/unknown"
            | "application/unknown"
            | "*/*" => DeclaredType::Unknown,
            _ => DeclaredType::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::chain;

    fn response(status: u16, content_type: Option<&str>, body: &[u8]) -> Response {
        let url = "https://a.test/".parse().unwrap();
        Response {
            url,
            status,
            content_type: content_type.map(str::to_owned),
            link: None,
            body: body.to_vec(),
        }
    }

    fn refusal(content_type: Option<&str>, body: &[u8]) -> Option<String> {
        match checked_page(response(200, content_type, body)) {
            Ok(_) => None,
            Err(FetchError::NotHtml { what, .. }) => Some(what),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn pages_are_told_from_other_things() {
        for header in [
            Some("text/html"),
            Some("Text/HTML; charset=x"),
            Some("application/xhtml+xml"),
            Some("text/plain"),
            Some("unknown/unknown"),
            Some("text/html, text/html"),
            Some(""),
            None,
        ] {
            assert_eq!(refusal(header, b"<p>text"), None, "{header:?}");
        }
        assert_eq!(refusal(Some("image/png"), b"<p>"), Some("image/png".to_owned()));
        assert_eq!(refusal(Some("application/pdf; x=y"), b"%PDF-"), Some("application/pdf".to_owned()));
        assert_eq!(refusal(Some("application/json"), b"{}"), Some("application/json".to_owned()));
        assert_eq!(refusal(None, b"\x01\x02"), Some("binary data".to_owned()));
        for header in [Some("text/plain"), Some("text/html"), None] {
            assert_eq!(refusal(header, b"%PDF-1"), Some("a PDF".to_owned()));
        }
        assert_eq!(refusal(Some("text/xml"), b"<?xml version='1.0'?><HTML>"), None);
        assert_eq!(refusal(Some("text/xml"), b"<rss>"), Some("text/xml".to_owned()));
    }

    #[test]
    fn only_success_is_a_page() {
        assert!(checked_page(response(204, None, b"")).is_ok());
        for status in [100, 199, 300, 304, 404, 503, 999] {
            let refused = checked_page(response(status, Some("text/html"), b"<p>"));
            assert!(matches!(refused, Err(FetchError::Status { status: found, .. }) if found == status));
        }
    }

    #[test]
    fn a_part_is_no_whole() {
        for refused in [
            checked_page(response(206, Some("text/html"), b"<p>the first ha")),
            checked_image(response(206, Some("image/png"), b"\x89PNG\r\n\x1a\n")),
        ] {
            assert!(matches!(refused, Err(FetchError::Partial { .. })), "{refused:?}");
        }
    }

    #[test]
    fn the_header_names_the_charset() {
        let sjis = b"<p>\x8e\x9f";
        let page = response(200, Some("text/html; charset=Shift_JIS"), sjis).page();
        assert_eq!(page.text(tsugi_page::NodeId::DOCUMENT), "次");
    }

    #[test]
    fn messages_say_what_was_found_and_expected() {
        let refused = checked_page(response(404, None, b"")).unwrap_err();
        assert_eq!(refused.to_string(), "`https://a.test/` answered with status 404");
        let source = std::io::Error::other("disk on fire").into();
        let error = FetchError::Network { url: "https://a.test/".parse().unwrap(), source };
        assert_eq!(chain(&error), "no answer from `https://a.test/`: disk on fire");
    }
}
