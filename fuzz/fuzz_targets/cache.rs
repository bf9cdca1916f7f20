//! An entry of the cache, read back.
//!
//! Input: one byte of options; the head of the entry, as JSON; the headers with which the server confirms a stale answer,
//! one a line; the body. Lines of `=====` are between them. The address and the digest are put into the head, so that what
//! follows their check is reached; with another option the entry is the input as it is.

#![no_main]

use data_encoding::HEXLOWER;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};
use tsugi::Url;
use tsugi_fetch::{CacheFolder, fuzzing::cached};
use tsugi_fuzz::{choice, parts, scratch_folder, within_limits};

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| scratch_folder("cache"));
static PLACE: LazyLock<Url> = LazyLock::new(|| "https://a.test/1".parse().expect("an address"));

fn noon() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(499_668)
}

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((options, rest)) = choice(data) else { return };
    let folder = CacheFolder { path: FOLDER.clone(), now: noon };
    if options & 1 == 1 {
        cached(folder, &PLACE, rest, &[]);
        return;
    }
    let parts = parts(rest, 3);
    let part = |at: usize| parts.get(at).copied().unwrap_or_default();
    let (body, confirmation) = (part(2), String::from_utf8_lossy(part(1)));
    let Ok(Value::Object(mut head)) = serde_json::from_slice(part(0)) else { return };
    head.insert("url".to_owned(), PLACE.as_str().into());
    head.insert("digest".to_owned(), HEXLOWER.encode(&Sha256::digest(body)).into());
    let head = serde_json::to_vec(&head).expect("JSON");
    let entry = [b"TSUGI-CACHE 1\n", head.as_slice(), b"\n", body].concat();
    let headers = confirmation.lines().filter_map(|line| line.split_once(':'));
    let headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    if let Some(read) = cached(folder, &PLACE, &entry, &headers) {
        assert_eq!(read, body);
    }
}));
