//! Reads and writes files of trained models, and refuses files of other schemas.
//!
//! ```text
//! TSUGI-ML | version u16 | length u32 | checksum u32 | deflate( header, body )        little-endian
//! ```
//!
//! Length and checksum (CRC-32) are those of the uncompressed bytes, in the format of `postcard`.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, DeflateEncoder};
use flate2::{Compression, Crc};

use crate::column::{Schema, fingerprint};
use crate::flat::{FlatModel, StructureError};
use crate::model_body::{ModelBody, ModelBodyError};
use crate::model_header::ModelHeader;

/// The version of the format that is written, and the newest that can be read.
pub const FORMAT_VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"TSUGI-ML";

const PREAMBLE: usize = 8 + 2 + 4 + 4;

/// The most bytes that a model may unpack to, so that a small hostile file cannot fill the memory.
const MAX_UNPACKED: usize = 1 << 25;

/// Why a model file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Reading or writing failed.
    #[error("expected to read or write a model")]
    Io(#[from] io::Error),
    /// The bytes do not start like a model file.
    #[error("expected a model file, found something else")]
    NotAModel,
    /// The format is newer than this program.
    #[error("expected model format {supported} or older, found {found}")]
    NewerFormat {
        /// The newest format that can be read.
        supported: u16,
        /// The format of the file.
        found: u16,
    },
    /// This part of the file has been cut short, or changed.
    #[error("expected a whole model file, found a damaged {0}")]
    Corrupt(&'static str),
    /// The model unpacks to more bytes than this.
    #[error("expected a model of at most {0} bytes unpacked, found a larger one")]
    TooLarge(usize),
    /// The model scores rows of another schema.
    #[error("expected a model for `{expected}`, found one for `{found}`")]
    ForeignSchema {
        /// The schema asked for.
        expected: &'static str,
        /// The schema of the file.
        found: String,
    },
    /// The model was trained on other columns.
    #[error("expected column {position} to be {expected}, found {found}")]
    ForeignColumn {
        /// The first column that differs, from 0.
        position: usize,
        /// The column of the schema asked for.
        expected: String,
        /// The column of the file.
        found: String,
    },
    /// The trees or weights are broken.
    #[error("expected trees or weights that make a model")]
    Structure(#[source] StructureError),
    /// The number of trees is not that of one or more models with the file's parameters.
    #[error("expected one or more times {of_one} trees, found {found}")]
    Trees {
        /// Number of trees of one model.
        of_one: usize,
        /// Number of trees of the file.
        found: usize,
    },
}

/// A trained model together with its origin.
#[derive(Clone, Debug)]
pub struct ModelFile<S: Schema> {
    /// Facts about the model.
    pub header: ModelHeader,
    /// The model.
    pub model: FlatModel<S>,
}

impl<S: Schema> PartialEq for ModelFile<S> {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.model == other.model
    }
}

impl<S: Schema> ModelFile<S> {
    /// Returns the model as the bytes of a file; equal models and headers give equal bytes.
    ///
    /// # Errors
    ///
    /// [`ModelFileError::TooLarge`] if the model could not be read back.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelFileError> {
        self.packed(Compression::best())
    }

    /// Returns the bytes of a file that is part of another one, which is packed as a whole: that takes less room than packing
    /// twice, and less time to unpack.
    pub(crate) fn to_part(&self) -> Result<Vec<u8>, ModelFileError> {
        self.packed(Compression::none())
    }

    fn packed(&self, how: Compression) -> Result<Vec<u8>, ModelFileError> {
        let unpacked = postcard::to_stdvec(&(&self.header, ModelBody::of(&self.model)))
            .map_err(|_| ModelFileError::Corrupt("header"))?;
        pack(MAGIC, &unpacked, how)
    }

    /// Reads a model from the bytes of a file.
    ///
    /// # Errors
    ///
    /// * [`ModelFileError::NotAModel`], [`ModelFileError::NewerFormat`] if the format is unknown.
    /// * [`ModelFileError::Corrupt`], [`ModelFileError::TooLarge`], [`ModelFileError::Structure`] if it is
    ///   damaged or hostile.
    /// * [`ModelFileError::ForeignSchema`], [`ModelFileError::ForeignColumn`] if the model was trained on other
    ///   columns than those of `S`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelFileError> {
        let unpacked = unpack(MAGIC, bytes)?;
        let (header, rest) = take_header(&unpacked)?;
        check_schema::<S>(&header)?;
        let corrupt = || ModelFileError::Corrupt("body");
        let (body, rest): (ModelBody, _) = postcard::take_from_bytes(rest).map_err(|_| corrupt())?;
        if !rest.is_empty() {
            return Err(corrupt());
        }
        let model = body.model().map_err(|error| match error {
            ModelBodyError::Streams => corrupt(),
            ModelBodyError::Structure(error) => ModelFileError::Structure(error),
        })?;
        Ok(Self { header, model })
    }
}

/// Reads the header of a model file of any schema.
///
/// # Errors
///
/// As for [`ModelFile::from_bytes`], except those about schema and trees.
pub fn read_header(bytes: &[u8]) -> Result<ModelHeader, ModelFileError> {
    let unpacked = unpack(MAGIC, bytes)?;
    Ok(take_header(&unpacked)?.0)
}

pub(crate) fn pack(magic: [u8; 8], unpacked: &[u8], how: Compression) -> Result<Vec<u8>, ModelFileError> {
    let length = u32::try_from(unpacked.len()).ok().filter(|_| unpacked.len() <= MAX_UNPACKED);
    let length = length.ok_or(ModelFileError::TooLarge(MAX_UNPACKED))?;
    let mut bytes = magic.to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(checksum(unpacked).to_le_bytes());
    DeflateEncoder::new(unpacked, how).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn unpack(magic: [u8; 8], bytes: &[u8]) -> Result<Vec<u8>, ModelFileError> {
    let rest = bytes.strip_prefix(&magic).ok_or(ModelFileError::NotAModel)?;
    let corrupt = ModelFileError::Corrupt("preamble");
    let Some((&version, rest)) = rest.split_first_chunk() else { return Err(corrupt) };
    let version = u16::from_le_bytes(version);
    if version > FORMAT_VERSION {
        return Err(ModelFileError::NewerFormat { supported: FORMAT_VERSION, found: version });
    }
    if version == 0 || bytes.len() < PREAMBLE {
        return Err(corrupt);
    }
    let Some((&length, rest)) = rest.split_first_chunk() else { return Err(corrupt) };
    let Some((&sum, packed)) = rest.split_first_chunk() else { return Err(corrupt) };
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_UNPACKED {
        return Err(ModelFileError::TooLarge(MAX_UNPACKED));
    }
    let mut unpacked = Vec::new();
    let mut decoder = DeflateDecoder::new(packed).take(length as u64 + 1);
    let outcome = decoder.read_to_end(&mut unpacked);
    if decoder.into_inner().total_in() < packed.len() as u64 {
        return Err(ModelFileError::Corrupt("end"));
    }
    if outcome.is_err() || unpacked.len() != length || checksum(&unpacked) != u32::from_le_bytes(sum) {
        return Err(ModelFileError::Corrupt("compressed part"));
    }
    Ok(unpacked)
}

fn take_header(unpacked: &[u8]) -> Result<(ModelHeader, &[u8]), ModelFileError> {
    let corrupt = || ModelFileError::Corrupt("header");
    let (header, rest): (ModelHeader, _) = postcard::take_from_bytes(unpacked).map_err(|_| corrupt())?;
    if header.threshold.is_finite() { Ok((header, rest)) } else { Err(corrupt()) }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn check_schema<S: Schema>(header: &ModelHeader) -> Result<(), ModelFileError> {
    if header.schema != S::NAME {
        let found = header.schema.clone();
        return Err(ModelFileError::ForeignSchema { expected: S::NAME, found });
    }
    let columns = S::columns();
    for position in 0..columns.len().max(header.columns.len()) {
        let expected = columns.get(position).map(|column| (column.name, column.mark()));
        let found = header.columns.get(position).map(|column| (column.name.as_str(), column.mark));
        if expected != found {
            let name = |column: Option<(&str, u64)>| {
                column.map_or_else(|| "absent".to_owned(), |(name, _)| format!("`{name}`"))
            };
            let same_name = expected.map(|(name, _)| name) == found.map(|(name, _)| name);
            let also = if same_name { " with another unit or range" } else { "" };
            let (expected, found) = (name(expected), name(found) + also);
            return Err(ModelFileError::ForeignColumn { position, expected, found });
        }
    }
    if header.fingerprint == fingerprint::<S>() {
        Ok(())
    } else {
        Err(ModelFileError::Corrupt("fingerprint"))
    }
}

#[cfg(test)]
mod tests;
