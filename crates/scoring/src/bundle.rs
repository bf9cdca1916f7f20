//! A file of several models that work together: trees, linear weights, a calibration, settings.
//!
//! ```text
//! TSUGI-MB | version u16 | checksum u32 | about, parts        little-endian
//! ```
//!
//! A part is bytes under a name. It is checked when it is read.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::bounded;
use crate::column::Schema;
use crate::model_file::{ModelFile, ModelFileError, file_of, payload_of};
use crate::model_header::TrainedOn;

const MAGIC: [u8; 8] = *b"TSUGI-MB";

/// Facts about a bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BundleFacts {
    /// Purpose and version of the bundle, such as `next-link/full/1`.
    pub kind: String,
    /// Digest of the training data in hexadecimal digits; empty if not recorded.
    pub data_digest: String,
    /// The seed of training.
    pub seed: u64,
    /// Size of the training data.
    pub trained_on: TrainedOn,
    /// Anything else, such as figures reached.
    #[serde(deserialize_with = "bounded::map")]
    pub notes: BTreeMap<String, String>,
    /// Name and version of the program that trained.
    pub tool_version: String,
}

/// Several models in one file.
///
/// # Examples
///
/// ```
/// use tsugi_scoring::{Bundle, Calibration};
/// let mut bundle = Bundle::new("sample/1");
/// bundle.insert("calibration", &Calibration::identity())?;
/// let read = Bundle::from_bytes(&bundle.to_bytes()?, "sample/1")?;
/// assert_eq!(read.get::<Calibration>("calibration")?, Calibration::identity());
/// assert!(Bundle::from_bytes(&bundle.to_bytes()?, "other/1").is_err());
/// # Ok::<(), tsugi_scoring::BundleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// Facts about the bundle.
    pub about: BundleFacts,
    #[serde(deserialize_with = "bounded::map")]
    parts: BTreeMap<String, ByteBuf>,
}

/// Why a bundle could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// The file is not a bundle, or is damaged.
    #[error(transparent)]
    File(#[from] ModelFileError),
    /// The bundle is of another kind.
    #[error("expected models for `{expected}`, found some for `{found}`")]
    Kind {
        /// The kind asked for.
        expected: String,
        /// The kind of the file.
        found: String,
    },
    /// The bundle lacks a part of this name.
    #[error("expected a part `{0}`, found none")]
    Missing(String),
    /// A part cannot be read or written.
    #[error("expected a usable part `{name}`")]
    Part {
        /// Its name.
        name: String,
        /// What is wrong.
        source: postcard::Error,
    },
    /// A part is of another shape than the parts that belong to it.
    #[error("expected part `{0}` to fit the others")]
    Unfit(String),
    /// A part is not a model of the schema asked for.
    #[error("part `{name}`")]
    Model {
        /// Its name.
        name: String,
        /// What is wrong.
        source: ModelFileError,
    },
}

impl Bundle {
    /// Returns an empty bundle of some kind.
    pub fn new(kind: &str) -> Self {
        Self {
            about: BundleFacts { kind: kind.to_owned(), ..BundleFacts::default() },
            parts: BTreeMap::new(),
        }
    }

    /// Adds a part, or replaces it.
    ///
    /// # Errors
    ///
    /// [`BundleError::Part`] if the value cannot be written.
    pub fn insert(&mut self, name: &str, value: &impl Serialize) -> Result<(), BundleError> {
        let part = postcard::to_stdvec(value);
        self.parts.insert(name.to_owned(), part.map_err(|source| unusable(name, source))?.into());
        Ok(())
    }

    /// Adds a model, or replaces it.
    ///
    /// # Errors
    ///
    /// [`BundleError::Model`] if the model cannot be written.
    pub fn insert_model<S: Schema>(&mut self, name: &str, model: &ModelFile<S>) -> Result<(), BundleError> {
        self.parts.insert(name.to_owned(), model.to_bytes().map_err(|source| no_model(name, source))?.into());
        Ok(())
    }

    /// Returns a part.
    ///
    /// # Errors
    ///
    /// [`BundleError::Missing`] or [`BundleError::Part`].
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, BundleError> {
        match postcard::take_from_bytes(self.part(name)?) {
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(unusable(name, postcard::Error::DeserializeBadEncoding)),
            Err(source) => Err(unusable(name, source)),
        }
    }

    /// Returns a model.
    ///
    /// # Errors
    ///
    /// [`BundleError::Missing`] or [`BundleError::Model`].
    pub fn model<S: Schema>(&self, name: &str) -> Result<ModelFile<S>, BundleError> {
        ModelFile::from_bytes(self.part(name)?).map_err(|source| no_model(name, source))
    }

    fn part(&self, name: &str) -> Result<&[u8], BundleError> {
        self.parts.get(name).map(|part| part.as_slice()).ok_or_else(|| BundleError::Missing(name.to_owned()))
    }

    /// The names of the parts and their lengths in bytes.
    pub fn parts(&self) -> impl Iterator<Item = (&str, usize)> {
        self.parts.iter().map(|(name, part)| (name.as_str(), part.len()))
    }

    /// Returns the bundle as the bytes of a file; equal bundles give equal bytes.
    ///
    /// # Errors
    ///
    /// [`ModelFileError::Corrupt`] if it cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BundleError> {
        let payload = postcard::to_stdvec(self).map_err(|_| ModelFileError::Corrupt("bundle"))?;
        Ok(file_of(MAGIC, &payload))
    }

    /// Reads a bundle of this kind from the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`BundleError::File`] if the bytes are not a bundle or are damaged, [`BundleError::Kind`] if it is of another kind.
    pub fn from_bytes(bytes: &[u8], kind: &str) -> Result<Self, BundleError> {
        let payload = payload_of(MAGIC, bytes)?;
        let bundle: Self = postcard::from_bytes(payload).map_err(|_| ModelFileError::Corrupt("bundle"))?;
        if bundle.about.kind == kind {
            Ok(bundle)
        } else {
            Err(BundleError::Kind { expected: kind.to_owned(), found: bundle.about.kind })
        }
    }
}

fn unusable(name: &str, source: postcard::Error) -> BundleError {
    BundleError::Part { name: name.to_owned(), source }
}

fn no_model(name: &str, source: ModelFileError) -> BundleError {
    BundleError::Model { name: name.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::Combination;
    use crate::model_header::ModelHeader;
    use crate::params::{Algorithm, Params};
    use crate::samples::{ManyColumns, TwoColumns, by_hand};

    fn bundle() -> Bundle {
        let header = ModelHeader::new::<TwoColumns>(Params::of(Algorithm::Forest), 1);
        let model = by_hand(Combination::MeanOfLeaves);
        let mut bundle = Bundle::new("sample/1");
        bundle.insert_model("trees", &ModelFile { header, model }).unwrap();
        bundle.insert("cost", &0.25_f32).unwrap();
        bundle
    }

    #[test]
    fn parts_come_back() {
        let bundle = bundle();
        let read = Bundle::from_bytes(&bundle.to_bytes().unwrap(), "sample/1").unwrap();
        assert_eq!(read, bundle);
        assert_eq!(read.get::<f32>("cost").unwrap(), 0.25);
        assert_eq!(read.model::<TwoColumns>("trees").unwrap(), bundle.model("trees").unwrap());
        assert_eq!(read.parts().map(|(name, _)| name).collect::<Vec<_>>(), ["cost", "trees"]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let bundle = bundle();
        let error = bundle.get::<f32>("price").unwrap_err();
        assert_eq!(error.to_string(), "expected a part `price`, found none");
        assert!(matches!(bundle.model::<ManyColumns>("trees"), Err(BundleError::Model { .. })));
        assert!(matches!(bundle.get::<String>("cost"), Err(BundleError::Part { .. })));
        let bytes = bundle.to_bytes().unwrap();
        assert!(matches!(Bundle::from_bytes(&bytes, "sample/2"), Err(BundleError::Kind { .. })));
        assert!(matches!(ModelFile::<TwoColumns>::from_bytes(&bytes), Err(ModelFileError::NotAModel)));
    }

    #[test]
    fn damaged_files_are_refused() {
        let bundle = bundle();
        let bytes = bundle.to_bytes().unwrap();
        for cut in [0, 7, 12, 17, bytes.len() / 2, bytes.len() - 9] {
            assert!(Bundle::from_bytes(&bytes[..cut], "sample/1").is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            // Bits after the end of what is compressed may be lost on the way.
            if let Ok(read) = Bundle::from_bytes(&changed, "sample/1") {
                assert_eq!(read, bundle, "{at}");
            }
        }
    }

    #[test]
    fn changed_parts_are_refused_or_score_from_0_to_1() {
        let bundle = bundle();
        let model = bundle.model::<TwoColumns>("trees").unwrap();
        let mut refused = 0;
        let lengths: Vec<(String, usize)> =
            bundle.parts().map(|(name, length)| (name.to_owned(), length)).collect();
        for (name, length) in lengths {
            for at in 0..length {
                let mut changed = bundle.clone();
                changed.parts.get_mut(&name).unwrap()[at] ^= 0x10;
                // The checksum of the file fits, so that the change reaches those who take the part out.
                let read = Bundle::from_bytes(&changed.to_bytes().unwrap(), "sample/1").unwrap();
                assert_eq!(read, changed);
                if name == "cost" {
                    assert_ne!(read.get::<f32>("cost").unwrap(), 0.25);
                } else if let Ok(read) = read.model::<TwoColumns>(&name) {
                    assert!((0.0..=1.0).contains(&read.model.score_row(&[1.0, 2.0])));
                    assert_eq!(read, model, "a part has a checksum of its own");
                } else {
                    refused += 1;
                }
            }
        }
        assert!(refused > 100, "{refused}");
    }
}
