//! A `robots.txt`, and what it says about an address.
//!
//! Input: a path on the first line, then the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tsugi::Url;
use tsugi_fetch::fuzzing::robots;
use tsugi_fuzz::within_limits;

static HOST: LazyLock<Url> = LazyLock::new(|| "https://a.test/".parse().expect("an address"));

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let at = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (path, file) = (String::from_utf8_lossy(&data[..at]), data.get(at + 1..).unwrap_or_default());
    let Ok(url) = HOST.join(&path) else { return };
    let answer = |file: &[u8]| robots(file, &url).map_err(|error| error.to_string());
    let given = answer(file);
    // RFC 9309, section 2.2.2: what no rule disallows is allowed. The parser forgives misspellings, of all but the first letter.
    let may_disallow = file.contains(&b'd') || file.contains(&b'D');
    assert!(given.is_ok() || may_disallow, "{given:?}");
    assert!(given.is_ok() || url.path() != "/robots.txt", "{given:?}");
    // Comments and unknown records of their own lines change nothing.
    let more = [b"# start\n", file, b"\n# end\n"].concat();
    if !file.starts_with(b"\xef\xbb\xbf") {
        assert_eq!(answer(&more), given);
    }
}));
