//! Links in the `Link` header of an answer (RFC 8288).

const MAX_LINKS: usize = 16; // Maximum number of links read of a header.
const MAX_HEADER: usize = 16 * 1024; // Maximum number of bytes read of a header.

/// A link in the header of an answer: `<page2.html>; rel="next"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// Its target as written, relative to the page.
    pub href: String,
    /// Its relations, separated by spaces, as written.
    pub rel: String,
}

impl HeaderLink {
    /// Reads the links of a header that have relations. What is malformed is passed over.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::HeaderLink;
    /// let links = HeaderLink::all("<style.css>; rel=preload; as=style, </x?a,b>; title=\"On; and on\"; rel=\"next\"");
    /// assert_eq!(links[1], HeaderLink { href: "/x?a,b".to_owned(), rel: "next".to_owned() });
    /// ```
    pub fn all(header: &str) -> Vec<HeaderLink> {
        let mut rest = &header[..header.floor_char_boundary(MAX_HEADER)];
        let mut links = Vec::new();
        while let Some((_, after)) = rest.split_once('<')
            && let Some((href, after)) = after.split_once('>')
            && links.len() < MAX_LINKS
        {
            let (parameters, next) = split_outside_quotes(after, ',');
            rest = next;
            if let Some(rel) = relation(parameters) {
                links.push(HeaderLink { href: href.trim().to_owned(), rel });
            }
        }
        links
    }
}

/// Returns the value of the first `rel` among parameters. A link with an `anchor` is about another page.
fn relation(mut parameters: &str) -> Option<String> {
    let mut rel = None;
    while !parameters.is_empty() {
        let (parameter, after) = split_outside_quotes(parameters, ';');
        parameters = after;
        let Some((name, value)) = parameter.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        if name.eq_ignore_ascii_case("anchor") {
            return None;
        }
        if name.eq_ignore_ascii_case("rel") && rel.is_none() {
            rel = Some(value.to_owned());
        }
    }
    rel
}

/// Splits a text at the first separator that is not in quotes.
fn split_outside_quotes(text: &str, separator: char) -> (&str, &str) {
    let (mut in_quotes, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_quotes => is_escaped = true,
            '"' => in_quotes = !in_quotes,
            _ if c == separator && !in_quotes => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Vec<(String, String)> {
        HeaderLink::all(header).into_iter().map(|link| (link.href, link.rel)).collect()
    }

    #[test]
    fn links_and_their_relations_are_read() {
        let pair = |href: &str, rel: &str| (href.to_owned(), rel.to_owned());
        for (header, expected) in [
            ("</2>; rel=next", vec![pair("/2", "next")]),
            ("</2>;rel=\"next\"", vec![pair("/2", "next")]),
            ("</2> ; REL = \"next last\" ; title=x", vec![pair("/2", "next last")]),
            ("</1>; rel=prev, </3>; rel=next", vec![pair("/1", "prev"), pair("/3", "next")]),
            ("</a,b>; title=\"a, b; rel=prev\"; rel=next", vec![pair("/a,b", "next")]),
            ("</2>; title=\"\\\"x, \"; rel=next; rel=prev", vec![pair("/2", "next")]),
            ("</2>; rel=next; anchor=\"/other\", </3>; rel=prev", vec![pair("/3", "prev")]),
            ("</2>, </3>; rel=next", vec![pair("/3", "next")]),
            ("/2; rel=next", vec![]),
            ("</2; rel=next", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(read(header), expected, "{header}");
        }
    }

    #[test]
    fn long_headers_are_cut() {
        assert_eq!(read(&"</2>; rel=next,".repeat(1_000)).len(), MAX_LINKS);
        assert_eq!(read(&format!("</{}>; rel=next", "次".repeat(MAX_HEADER))), []);
    }

    proptest::proptest! {
        #[test]
        fn any_header_is_read(header in "[<>;,= \"\\\\/a次]{0,24}|(<a>|; ?rel=|\"|,|next){0,12}") {
            let _ = HeaderLink::all(&header);
        }
    }
}
