//! What `--version` says.

use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};
use std::fmt::Write as _;

const DIGEST_BYTES: usize = 4;

/// Returns the version, the commit it was built from if that is known, and the start of the SHA-1 of each built-in model.
pub fn long() -> String {
    let mut text = env!("CARGO_PKG_VERSION").to_owned();
    if let Some(commit) = option_env!("TSUGI_COMMIT") {
        // Writing to a string does not fail.
        let _ = write!(text, " ({commit})");
    }
    for (name, bytes) in tsugi::models::built_in_models() {
        let _ = write!(text, "\n{name} model {}", HEXLOWER.encode(&Sha1::digest(bytes)[..DIGEST_BYTES]));
    }
    text
}
