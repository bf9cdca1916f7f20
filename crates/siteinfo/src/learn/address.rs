//! Derives the `url` of an item from the addresses of its pages.

use std::fmt::Write;
use tsugi_page::Url;

/// Returns a regular expression for the given addresses and others like them: the host, and the common start of the paths,
/// in which numbers match any number.
///
/// Returns `None` if the addresses have several hosts, apart from `www.`.
pub fn url_pattern(urls: &[Url]) -> Option<String> {
    let first = urls.first()?;
    let host = without_www(first)?;
    if urls.iter().any(|url| without_www(url) != Some(host) || url.port() != first.port()) {
        return None;
    }
    let with_www = urls.iter().filter(|url| url.host_str() != Some(host)).count();
    let www = match with_www {
        0 => "",
        all if all == urls.len() => r"www\.",
        _ => r"(?:www\.)?",
    };
    let named = urls.iter().any(|url| !url.username().is_empty() || url.password().is_some());
    let user = if named { "(?:[^/@]*@)?" } else { "" };
    let mut pattern = format!("^https?://{user}{www}{}", escaped(host));
    if let Some(port) = first.port() {
        write!(pattern, ":{port}").ok()?;
    }
    pattern.push('/');
    pattern.push_str(&path_pattern(urls));
    Some(pattern)
}

fn without_www(url: &Url) -> Option<&str> {
    url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host))
}

fn path_pattern(urls: &[Url]) -> String {
    let mut pattern = String::new();
    let mut paths: Vec<&str> =
        urls.iter().map(|url| url.path().strip_prefix('/').unwrap_or_default()).collect();
    loop {
        let parts: Option<Vec<(&str, &str)>> = paths.iter().map(|path| path.split_once('/')).collect();
        // With one address, nothing says which folders are common.
        let Some(parts) = parts.filter(|parts| parts.len() > 1) else { break };
        let (name, _) = parts[0];
        if parts.iter().all(|(other, _)| *other == name) && !is_number(name) {
            pattern.push_str(&escaped(name));
        } else if parts.iter().all(|(other, _)| is_number(other)) {
            pattern.push_str(r"\d+");
        } else {
            return pattern;
        }
        pattern.push('/');
        paths = parts.into_iter().map(|(_, rest)| rest).collect();
    }
    let file = paths.first().copied().unwrap_or_default();
    if file.is_empty() || paths.len() < 2 || paths.iter().any(|other| *other != file) {
        return pattern;
    }
    // One file for all pages: they differ in the query.
    pattern.push_str(&escaped(file));
    let keys: Option<Vec<&str>> = urls.iter().map(|url| url.query()?.split(['=', '&']).next()).collect();
    if let Some(keys) = keys
        && keys.iter().all(|key| *key == keys[0] && !key.is_empty())
        && urls.iter().all(|url| url.query().is_some_and(|query| query[keys[0].len()..].starts_with('=')))
    {
        pattern.push_str(r"\?");
        pattern.push_str(&escaped(keys[0]));
        pattern.push('=');
    } else {
        // `/coffee` is not `/coffee-mugs`.
        pattern.push_str("(?:[?#]|$)");
    }
    pattern
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '.' | '*' | '+' | '?' | '^' | '$' | '{' | '}' | '(' | ')' | '|' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;
    use proptest::prelude::*;

    #[test]
    fn what_is_common_is_named() {
        let pattern = |urls: &[&str]| {
            let urls: Vec<Url> = urls.iter().map(|url| url.parse().unwrap()).collect();
            url_pattern(&urls).unwrap_or_default()
        };
        assert_eq!(
            pattern(&["https://a.test/blog/2020/05/x/", "https://a.test/blog/2021/12/y/"]),
            r"^https?://a\.test/blog/\d+/\d+/"
        );
        assert_eq!(
            pattern(&["http://www.a.test/t.php?id=7", "https://a.test/t.php?id=7&p=2"]),
            r"^https?://(?:www\.)?a\.test/t\.php\?id="
        );
        assert_eq!(pattern(&["https://a.test/", "https://b.test/"]), "", "two hosts");
        assert_eq!(pattern(&["http://a.test/x"]), r"^https?://a\.test/");
        assert_eq!(
            pattern(&["http://a.test/coffee", "http://a.test/coffee?p=2"]),
            r"^https?://a\.test/coffee(?:[?#]|$)"
        );
        assert_eq!(pattern(&["http://a.test:81//b/1", "http://a.test:81//b/2"]), r"^https?://a\.test:81//b/");
        assert_eq!(pattern(&["http://u:p@a.test/1", "http://a.test/2"]), r"^https?://(?:[^/@]*@)?a\.test/");
        assert_eq!(
            pattern(&["http://a.test/c++/(1)/x", "http://a.test/c++/(1)/y"]),
            r"^https?://a\.test/c\+\+/\(1\)/"
        );
    }

    proptest! {
        #[test]
        fn every_address_matches_its_pattern(
            urls in prop::collection::vec("https?://(u:p@)?(www\\.)?a\\.test(:81)?(/|//|/[a-c.+()\\[0-9]{0,3}){0,4}(\\?[ab]=[0-9]{0,2}(&c)?)?", 1..5)
        ) {
            let urls: Vec<Url> = urls.iter().filter_map(|url| url.parse().ok()).collect();
            if let Some(pattern) = url_pattern(&urls) {
                let compiled = Pattern::new(&pattern).unwrap();
                for url in &urls {
                    prop_assert!(compiled.matches(url.as_str()), "{} by {}", url, pattern);
                }
            }
        }
    }
}
