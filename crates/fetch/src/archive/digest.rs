//! Digests of records: how they are written, and whether bytes fit them.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};

/// Returns the SHA-1 of bytes in base 32, as archives write it after `sha1:`.
pub(crate) fn sha1(bytes: &[u8]) -> String {
    BASE32_NOPAD.encode(&Sha1::digest(bytes))
}

/// Compares bytes with a digest as it stands in a head: `sha1:`, `sha256:`, `sha512:` or `md5:`, and base 32 or
/// hexadecimal digits. Returns `false` for other algorithms, which are not compared.
///
/// # Errors
///
/// The digest that the bytes have, in the same form.
// WARC 1.1, section 5.8: the algorithm is free. Heritrix, wget and warcio write SHA-1 in base 32, Browsertrix writes
// SHA-256 in hexadecimal digits, and Heritrix can be set to MD5.
pub(crate) fn compare(declared: &str, bytes: &[u8]) -> Result<bool, String> {
    let Some((algorithm, value)) = declared.split_once(':') else { return Ok(false) };
    let digest = match algorithm.trim().to_ascii_lowercase().replace('-', "").as_str() {
        "sha1" => Sha1::digest(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        "md5" => Md5::digest(bytes).to_vec(),
        _ => return Ok(false),
    };
    let value = value.trim().trim_end_matches('=');
    let (letters, digits) = (BASE32_NOPAD.encode(&digest), HEXLOWER.encode(&digest));
    if value.eq_ignore_ascii_case(&letters) || value.eq_ignore_ascii_case(&digits) {
        return Ok(true);
    }
    let found = if value.len() == digits.len() { digits } else { letters };
    Err(format!("{algorithm}:{found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_in_archives() {
        // The digest of nothing, as web archives are full of it.
        assert_eq!(sha1(b""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }

    #[test]
    fn bytes_fit_digests_in_every_form() {
        // `printf abc | sha1sum`, and so on; base 32 by Python.
        for declared in [
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "SHA-1: vgmt4nsha2awvor6evyxqugcnsonbwe5",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha-256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "md5:900150983cd24fb0d6963f7d28e17f72",
        ] {
            assert_eq!(compare(declared, b"abc"), Ok(true), "{declared}");
        }
        for declared in ["xxh3:1234", "no label", ""] {
            assert_eq!(compare(declared, b"abc"), Ok(false), "{declared}");
        }
    }

    #[test]
    fn other_bytes_do_not_fit() {
        let found = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5".to_owned();
        for declared in
            ["sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE4", "sha1:", "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE"]
        {
            assert_eq!(compare(declared, b"abc"), Err(found.clone()), "{declared}");
        }
        let digits = compare(&format!("md5:{}", "0".repeat(32)), b"abc");
        assert_eq!(digits.unwrap_err(), "md5:900150983cd24fb0d6963f7d28e17f72");
    }
}
