//! Reads and writes files of trained models, and refuses files of other schemas.
//!
//! ```text
//! TSUGI-ML | version u16 | checksum u32 | header, body        little-endian
//! ```
//!
//! The checksum (CRC-32) is that of header and body, which are in the format of `postcard`.

use crate::column::{Schema, fingerprint};
use crate::flat::{FlatModel, StructureError};
use crate::model_body::{ModelBody, ModelBodyError};
use crate::model_header::ModelHeader;

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 2;

const MAGIC: [u8; 8] = *b"TSUGI-ML";

/// Why a model file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// The bytes do not start like a model file.
    #[error("expected a model file, found something else")]
    NotAModel,
    /// The format is that of another version of this program.
    #[error("expected model format {supported}, found {found}: train the model with this version")]
    OtherFormat {
        /// The format that is read.
        supported: u16,
        /// The format of the file.
        found: u16,
    },
    /// This part of the file has been cut short, or changed.
    #[error("expected a whole model file, found a damaged {0}")]
    Corrupt(&'static str),
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
    /// [`ModelFileError::Corrupt`] if a value cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelFileError> {
        let payload = postcard::to_stdvec(&(&self.header, ModelBody::of(&self.model)))
            .map_err(|_| ModelFileError::Corrupt("header"))?;
        Ok(file_of(MAGIC, &payload))
    }

    /// Reads a model from the bytes of a file.
    ///
    /// # Errors
    ///
    /// * [`ModelFileError::NotAModel`], [`ModelFileError::OtherFormat`] if the format is unknown.
    /// * [`ModelFileError::Corrupt`], [`ModelFileError::Structure`] if it is damaged or hostile.
    /// * [`ModelFileError::ForeignSchema`], [`ModelFileError::ForeignColumn`] if the model was trained on other
    ///   columns than those of `S`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelFileError> {
        let (header, rest) = take_header(payload_of(MAGIC, bytes)?)?;
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
    Ok(take_header(payload_of(MAGIC, bytes)?)?.0)
}

/// Returns the bytes of a file. They are not packed: that would save a quarter, and take longer to undo than all else that models
/// need before the first page.
pub(crate) fn file_of(magic: [u8; 8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(crc32fast::hash(payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Returns what the bytes of a file hold.
pub(crate) fn payload_of(magic: [u8; 8], bytes: &[u8]) -> Result<&[u8], ModelFileError> {
    let rest = bytes.strip_prefix(&magic).ok_or(ModelFileError::NotAModel)?;
    let corrupt = ModelFileError::Corrupt("preamble");
    let Some((&version, rest)) = rest.split_first_chunk() else { return Err(corrupt) };
    let version = u16::from_le_bytes(version);
    if version != FORMAT_VERSION {
        return Err(ModelFileError::OtherFormat { supported: FORMAT_VERSION, found: version });
    }
    let Some((&checksum, payload)) = rest.split_first_chunk() else { return Err(corrupt) };
    if crc32fast::hash(payload) == u32::from_le_bytes(checksum) {
        Ok(payload)
    } else {
        Err(ModelFileError::Corrupt("part"))
    }
}

fn take_header(payload: &[u8]) -> Result<(ModelHeader, &[u8]), ModelFileError> {
    let corrupt = || ModelFileError::Corrupt("header");
    let (header, rest): (ModelHeader, _) = postcard::take_from_bytes(payload).map_err(|_| corrupt())?;
    if header.threshold.is_finite() { Ok((header, rest)) } else { Err(corrupt()) }
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
