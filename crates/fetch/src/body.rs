//! Bodies as they travel: compressed, in chunks, never longer than a limit.

use crate::sniff;
use brotli_decompressor::Decompressor;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, BufReader, Read};

#[derive(Debug)]
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "archives do not say which coding"))]
pub(crate) enum ReadBodyError {
    TooLarge,
    /// The `Content-Encoding` is unknown, or the data does not match it.
    Coding(String),
    Io(io::Error),
}

/// Reads a whole body of at most `limit` bytes, both as it travels and after decompression.
///
/// `codings` is the value of the `Content-Encoding` header, or the values of several, separated by commas. The limit
/// applies to what comes out, so neither a small body that unpacks to a large one nor a false `Content-Length` gets past
/// it. It also applies to what goes in, since a long body can unpack to nothing.
///
/// As in browsers, bytes after the end of the compressed data are ignored, and a text whose coding is unknown
/// (`Content-Encoding: utf-8`) is taken verbatim. So is a body declared `gzip` that is not gzip: servers name the coding
/// twice that they applied once.
pub(crate) fn read(from: impl Read, codings: &str, limit: u64) -> Result<Vec<u8>, ReadBodyError> {
    let mut stream = decoded(BoundedReader { from, left: limit }, codings)?.take(limit.saturating_add(1));
    let mut body = Vec::new();
    let read = stream.read_to_end(&mut body).map_err(|error| broken(error, codings))?;
    if read as u64 > limit { Err(ReadBodyError::TooLarge) } else { Ok(body) }
}

/// Reads the start of a body: at most `limit` bytes after decompression.
#[cfg(feature = "http")]
pub(crate) fn read_start(from: impl Read, codings: &str, limit: u64) -> Result<Vec<u8>, ReadBodyError> {
    // More than compression adds and decoders read ahead.
    let travelling = limit.saturating_mul(2).saturating_add(1 << 16);
    let mut stream = decoded(BoundedReader { from, left: travelling }, codings)?.take(limit);
    let mut body = Vec::new();
    match stream.read_to_end(&mut body).map_err(|error| broken(error, codings)) {
        Ok(_) | Err(ReadBodyError::TooLarge) => Ok(body),
        Err(error) => Err(error),
    }
}

/// Most codings of one body. Each wraps a reader around the one before; real pages have one or two.
const MOST_CODINGS: usize = 4;

/// Longest quote of a header in a message, in characters.
const MAX_NAMED: usize = 60;

fn decoded<'a>(from: impl Read + 'a, codings: &str) -> Result<Box<dyn BufRead + 'a>, ReadBodyError> {
    let broken = |error| broken(error, codings);
    let mut stream: Box<dyn BufRead + 'a> = Box::new(BufReader::new(from));
    let packs = |coding: &str| !matches!(coding.trim(), "" | "identity");
    if codings.split(',').filter(|coding| packs(coding)).count() > MOST_CODINGS {
        return Err(ReadBodyError::Coding(named(codings)));
    }
    // Codings are named in the order in which they were applied.
    for coding in codings.rsplit(',').map(|coding| coding.trim().to_ascii_lowercase()) {
        stream = match coding.as_str() {
            "" | "identity" => stream,
            "gzip" | "x-gzip" => {
                if stream.fill_buf().map_err(broken)?.first().is_some_and(|byte| *byte == 0x1f) {
                    Box::new(BufReader::new(Gzip::new(stream)))
                } else {
                    stream
                }
            }
            // Named after zlib's format, but some servers send it bare. The low half of zlib's first byte
            // is 8; a bare stream of more than a few bytes does not start so.
            "deflate" => match stream.fill_buf().map_err(broken)?.first() {
                Some(byte) if byte & 0x0f == 8 => Box::new(BufReader::new(ZlibDecoder::new(stream))),
                _ => Box::new(BufReader::new(DeflateDecoder::new(stream))),
            },
            "br" => Box::new(BufReader::new(Decompressor::new(stream, 4096))),
            "zstd" => Box::new(BufReader::new(Zstd::new(stream))),
            _ if sniff::binary(stream.fill_buf().map_err(broken)?, None, false).is_none() => stream,
            _ => return Err(ReadBodyError::Coding(named(&coding))),
        };
    }
    Ok(stream)
}

fn named(codings: &str) -> String {
    codings.chars().take(MAX_NAMED).collect()
}

fn broken(error: io::Error, codings: &str) -> ReadBodyError {
    match error.kind() {
        io::ErrorKind::FileTooLarge => ReadBodyError::TooLarge,
        _ if is_of_coding(&error) && !codings.trim().is_empty() => ReadBodyError::Coding(named(codings)),
        _ => ReadBodyError::Io(error),
    }
}

fn is_of_coding(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    // A failed connection has other kinds.
    matches!(error.kind(), InvalidInput | InvalidData | UnexpectedEof)
}

/// Unpacks gzip: one member, and those that follow it.
///
/// What follows the first member and is none (zeros, or garbage) is ignored. Chromium ignores all that follows; RFC 1952,
/// section 2.2, makes later members part of the data.
struct Gzip<R> {
    member: Option<GzDecoder<R>>,
    /// Whether a later member has not given a byte yet.
    may_be_garbage: bool,
}

impl<R: BufRead> Gzip<R> {
    fn new(from: R) -> Gzip<R> {
        Gzip { member: Some(GzDecoder::new(from)), may_be_garbage: false }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            match member.read(buffer) {
                Ok(0) if !buffer.is_empty() => {
                    self.may_be_garbage = true;
                    let Some(mut rest) = self.member.take().map(GzDecoder::into_inner) else { break };
                    if !rest.fill_buf()?.is_empty() {
                        self.member = Some(GzDecoder::new(rest));
                    }
                }
                Ok(read) => {
                    self.may_be_garbage = false;
                    return Ok(read);
                }
                Err(error) if self.may_be_garbage && is_of_coding(&error) => self.member = None,
                Err(error) => return Err(error),
            }
        }
        Ok(0)
    }
}

/// The largest window of Zstandard, in bytes: what a decoder keeps in memory.
///
/// # Source
///
/// RFC 9659, section 3.
const LARGEST_WINDOW: u64 = 8 << 20;

/// Unpacks Zstandard: one frame, and those that follow it (RFC 8878, section 3).
///
/// What follows the first frame and is none is ignored.
struct Zstd<R> {
    from: R,
    decoder: FrameDecoder,
    began: bool,
}

impl<R: BufRead> Zstd<R> {
    fn new(from: R) -> Zstd<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        Zstd { from, decoder, began: false }
    }

    fn begin(&mut self) -> io::Result<bool> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.reset(&mut self.from) {
            Ok(()) => self.began = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                io::copy(&mut self.from.by_ref().take(length.into()), &mut io::sink())?;
            }
            Err(error) => {
                let error = of_zstd(&error);
                return if self.began && is_of_coding(&error) { Ok(false) } else { Err(error) };
            }
        }
        Ok(true)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.from, one).map_err(|error| of_zstd(&error))?;
            } else if !self.begin()? {
                return Ok(0);
            }
        }
    }
}

/// Returns the error of reading that an error of the decoder is about, or one about its data.
fn of_zstd(error: &FrameDecoderError) -> io::Error {
    let mut cause: &(dyn Error + 'static) = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.downcast_ref().map_or(io::ErrorKind::InvalidData, io::Error::kind).into()
}

struct BoundedReader<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(read)
    }
}

/// Joins the chunks of a body sent with `Transfer-Encoding: chunked`.
///
/// A body that does not start with a chunk is returned verbatim. One that breaks off keeps the chunks before. Archives
/// have both.
///
/// # Source
///
/// RFC 9112, section 7.1.
#[cfg(feature = "archive")]
pub(crate) fn join_chunks(body: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((length, after)) = chunk_length(rest) {
        if length == 0 {
            return joined;
        }
        let held = length.min(after.len());
        joined.extend_from_slice(&after[..held]);
        rest = &after[held..];
        rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
    if rest.len() == body.len() { body.to_vec() } else { joined }
}

/// Reads `length [; extension] CRLF`.
#[cfg(feature = "archive")]
fn chunk_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    const LONGEST_LINE: usize = 256;
    let end = bytes.iter().take(LONGEST_LINE).position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let length = line.split(';').next()?.trim();
    let length = usize::from_str_radix(length, 16).ok()?;
    Some((length, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = write::ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn bare(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = write::DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    const TEXT: &[u8] = b"<p>some text, some text, some text</p>";

    #[test]
    fn every_coding_reads_back() {
        for (coding, bytes) in [
            ("", TEXT.to_vec()),
            ("identity", TEXT.to_vec()),
            ("gzip", gzip(TEXT)),
            ("X-GZIP", gzip(TEXT)),
            ("deflate", zlib(TEXT)),
            ("deflate", bare(TEXT)),
            ("zstd", zstd(TEXT)),
            ("deflate, gzip", gzip(&zlib(TEXT))),
            ("gzip", TEXT.to_vec()),
        ] {
            assert_eq!(read(&bytes[..], coding, 1000).unwrap(), TEXT, "{coding}");
        }
        // `echo -n hello | brotli -c`, by hand: one uncompressed meta-block of 5 bytes and an empty last one.
        let brotli = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];
        assert_eq!(read(&brotli[..], "br", 1000).unwrap(), b"hello");
    }

    #[test]
    fn the_limit_counts_what_comes_out() {
        let bomb = gzip(&vec![0; 1 << 20]);
        assert!(bomb.len() < 2000);
        assert!(matches!(read(&bomb[..], "gzip", (1 << 20) - 1), Err(ReadBodyError::TooLarge)));
        assert_eq!(read(&bomb[..], "gzip", 1 << 20).unwrap().len(), 1 << 20);
        assert!(matches!(read(TEXT, "", 10), Err(ReadBodyError::TooLarge)));
        let packed = zstd(&vec![0; 1 << 20]);
        assert!(packed.len() < 2000);
        assert!(matches!(read(&packed[..], "zstd", (1 << 20) - 1), Err(ReadBodyError::TooLarge)));
        let twice = gzip(&bomb);
        assert!(matches!(read(&twice[..], "gzip, gzip", 5000), Err(ReadBodyError::TooLarge)));
    }

    #[test]
    fn the_limit_counts_what_goes_in() {
        let nothing = gzip(b"").repeat(1000);
        assert!(read(&nothing[..], "gzip", 100_000).unwrap().is_empty());
        assert!(matches!(read(&nothing[..], "gzip", 10_000), Err(ReadBodyError::TooLarge)));
    }

    #[test]
    fn a_start_is_as_long_as_the_limit() {
        assert_eq!(read_start(TEXT, "", 10).unwrap(), &TEXT[..10]);
        assert_eq!(read_start(TEXT, "", 1000).unwrap(), TEXT);
        let bomb = gzip(&vec![0; 1 << 20]);
        assert_eq!(read_start(&bomb[..], "gzip", 10_000).unwrap().len(), 10_000);
        assert_eq!(read_start(&gzip(b"").repeat(10_000)[..], "gzip", 10_000).unwrap(), b"");
    }

    #[test]
    fn codings_without_end_are_refused() {
        let many = vec!["br"; 100_000].join(",");
        assert!(matches!(read(TEXT, &many, 1000), Err(ReadBodyError::Coding(named)) if named.len() <= 60));
        assert_eq!(read(TEXT, &vec!["identity"; 1000].join(", "), 1000).unwrap(), TEXT);
        for coding in ["gzip", "zstd"] {
            assert_eq!(read(&b""[..], coding, 1000).unwrap(), b"", "an empty body is empty");
        }
    }

    #[test]
    fn broken_codings_are_told() {
        let cut = gzip(TEXT);
        assert!(matches!(read(&cut[..20], "gzip", 1000), Err(ReadBodyError::Coding(_))));
        assert!(matches!(read(TEXT, "zstd", 1000), Err(ReadBodyError::Coding(coding)) if coding == "zstd"));
        let unknown = read(&cut[..], "compress", 1000);
        assert!(matches!(unknown, Err(ReadBodyError::Coding(coding)) if coding == "compress"));
        let frame = zstd(TEXT);
        assert!(matches!(read(&frame[..frame.len() - 1], "zstd", 1000), Err(ReadBodyError::Coding(_))));
    }

    #[test]
    fn what_a_server_applied_once_and_named_twice_is_read() {
        assert_eq!(read(&gzip(TEXT)[..], "gzip, gzip", 1000).unwrap(), TEXT);
        assert_eq!(read(&gzip(&gzip(TEXT))[..], "gzip, gzip", 1000).unwrap(), TEXT);
        assert_eq!(read(TEXT, "utf-8", 1000).unwrap(), TEXT);
        // Applied twice and named once: what comes out is told by its first bytes.
        let packed = read(&gzip(&gzip(TEXT))[..], "gzip", 1000).unwrap();
        assert_eq!(sniff::binary(&packed, None, true), Some("a gzip archive"));
    }

    #[test]
    fn what_follows_the_data_is_ignored() {
        for (coding, packed) in [("gzip", gzip(TEXT)), ("deflate", zlib(TEXT)), ("zstd", zstd(TEXT))] {
            for rest in [
                &[0; 600][..],
                b"\0",
                b"\x1f",
                b"<!-- served by x -->",
                b"\x1f\x8b\x08\0garbage",
                b"\x28\xb5",
            ] {
                let bytes = [&packed[..], rest].concat();
                assert_eq!(read(&bytes[..], coding, 1000).unwrap(), TEXT, "{coding} {rest:?}");
            }
        }
        let two = [gzip(b"one, "), gzip(b""), gzip(b"two"), vec![0; 9]].concat();
        assert_eq!(read(&two[..], "gzip", 1000).unwrap(), b"one, two");
        let torn = [gzip(b"one, "), gzip(TEXT)[..30].to_vec()].concat();
        assert!(
            matches!(read(&torn[..], "gzip", 1000), Err(ReadBodyError::Coding(_))),
            "a member that breaks off"
        );
        let skipped = [b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstd(b"one, "), zstd(b"two")].concat();
        assert_eq!(read(&skipped[..], "zstd", 1000).unwrap(), b"one, two");
    }

    /// Seven bytes of a frame that say how much memory its decoder must have.
    #[test]
    fn a_large_window_is_refused() {
        for (window, is_fine) in [(13 << 3, true), (14 << 3, false), (0xff, false)] {
            // The descriptor, the window, and one raw block, the last, of 2 bytes.
            let frame = [b"\x28\xb5\x2f\xfd\0", &[window][..], b"\x11\0\0hi"].concat();
            assert_eq!(read(&frame[..], "zstd", 1000).is_ok(), is_fine, "{window}");
        }
    }

    #[test]
    fn chunks_are_joined() {
        assert_eq!(join_chunks(b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"), b"hello world");
        assert_eq!(join_chunks(b"5\r\nhello\r\n6\r\n wo"), b"hello wo", "broken off");
        assert_eq!(join_chunks(b"5\r\nhello\r\nzz"), b"hello");
        assert_eq!(join_chunks(b"<p>not chunked"), b"<p>not chunked");
        assert_eq!(join_chunks(b"0\r\n\r\n"), b"");
        assert_eq!(join_chunks(b"ffffffffffffffff\r\nx"), b"x", "a length is no allocation");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_come_to_an_end(bytes: Vec<u8>, coding in "(gzip|deflate|br|zstd|x)?(, ?(gzip|deflate|br|zstd))?") {
            if let Ok(body) = read(&bytes[..], &coding, 10_000) {
                proptest::prop_assert!(body.len() <= 10_000);
            }
            proptest::prop_assert!(join_chunks(&bytes).len() <= bytes.len());
        }
    }
}
