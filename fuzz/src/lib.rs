//! What the fuzz targets share: reading their input, and what must hold for every document.

mod limits;
mod passive;
mod written;

pub use limits::within_limits;
pub use written::{Written, check_document, write_document};

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use tsugi::Tsugi;
use tsugi::rules::Siteinfo;

const BREAK: &[u8] = b"\n=====\n";

/// Splits an input into its first byte, which chooses what is done, and the rest.
pub fn choice(data: &[u8]) -> Option<(u8, &[u8])> {
    data.split_first().map(|(choice, rest)| (*choice, rest))
}

/// Splits an input at lines of five equals signs, into `most` parts at most.
pub fn parts(mut data: &[u8], most: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while parts.len() + 1 < most {
        let Some(at) = data.windows(BREAK.len()).position(|window| window == BREAK) else { break };
        parts.push(&data[..at]);
        data = &data[at + BREAK.len()..];
    }
    parts.push(data);
    parts
}

/// A rule that takes everything on `a.test`, so that writers see what no model would choose.
const RULE: &[u8] = br#"[{"name": "all", "data": {
    "url": "^https://a\\.test/", "nextLink": "//*[@rel='next']", "pageElement": "//body"
}}]"#;

/// What finds next links and main content.
pub struct Detectors {
    /// The built-in models.
    pub models: Tsugi,
    /// The same, but nothing judges whether a page continues another.
    pub lenient: Tsugi,
    /// A rule, for which every page of `a.test` is content, and `rel=next` the next page.
    pub rule: Tsugi,
}

/// Returns the detectors; they are made once.
///
/// # Panics
///
/// Never: the rule is one.
pub fn detectors() -> &'static Detectors {
    static DETECTORS: OnceLock<Detectors> = OnceLock::new();
    DETECTORS.get_or_init(|| Detectors {
        models: Tsugi::new(),
        lenient: Tsugi::new().with_judge(None),
        rule: Tsugi::new().with_rules(Siteinfo::read_dump(RULE).expect("the rule is one")),
    })
}

/// Creates a folder of this process for a target's files. `scripts/fuzz` removes it.
///
/// # Panics
///
/// If it cannot be created.
pub fn scratch_folder(target: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tsugi-fuzz-{target}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}
