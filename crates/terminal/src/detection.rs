//! Which models and rules find links and content.

use crate::arguments::{DetectorArguments, ModelArguments};
use crate::dump::{self, FETCHED};
use crate::output::{complain, detail, plain};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use tsugi::Tsugi;
use tsugi::models::{ContentModel, JudgeModel, LinkModel};
use tsugi::rules::Siteinfo;

/// Which models and rules find links and content.
#[derive(Debug)]
pub struct Detection {
    rules: Option<NamedRules>,
    models: ModelArguments,
}

/// A file of rules, and how it is used.
#[derive(Debug)]
struct NamedRules {
    path: PathBuf,
    /// Whether items that match nearly every address take part.
    generic: bool,
    /// Whether the others are used if an item cannot be.
    optional: bool,
}

impl Detection {
    /// Returns the detection that arguments ask for.
    pub fn of(arguments: DetectorArguments) -> Detection {
        let DetectorArguments { rules, generic_rules, rules_optional, models } = arguments;
        let rules = rules.map(|path| NamedRules { path, generic: generic_rules, optional: rules_optional });
        Detection { rules, models }
    }

    /// Returns detection by models alone.
    pub fn of_models(models: &ModelArguments) -> Detection {
        Detection { rules: None, models: models.clone() }
    }

    /// Returns the files of the models and rules that are named; not the fetched dump.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let rules = self.rules.iter().map(|rules| &rules.path).filter(|path| path.as_os_str() != FETCHED);
        let ModelArguments { next_model, content_model, continuation_model } = &self.models;
        rules.chain(next_model).chain(content_model).chain(continuation_model).map(PathBuf::as_path)
    }

    /// Reads the models and rules that are named.
    pub fn load(&self) -> anyhow::Result<Tsugi> {
        let mut tsugi = Tsugi::new();
        if let Some(NamedRules { path, generic, optional }) = &self.rules {
            let rules = read_siteinfo(path)?;
            // What a user named is meant: another answer must not come in its place unseen. The fetched dump is not theirs.
            if let Some(problem) =
                rules.problems().first().filter(|_| !optional && path.as_os_str() != FETCHED)
            {
                let problem = plain(&problem.to_string());
                bail!("`{}`: {problem}; --rules-optional uses the other rules", path.display());
            }
            tsugi = tsugi.with_rules(if *generic { rules.with_generic_items() } else { rules });
        }
        let ModelArguments { next_model, content_model, continuation_model } = &self.models;
        if let Some(path) = next_model {
            tsugi = tsugi.with_next_model(model(path, LinkModel::from_bytes)?);
        }
        if let Some(path) = content_model {
            tsugi = tsugi.with_content_model(model(path, ContentModel::from_bytes)?);
        }
        if let Some(path) = continuation_model {
            tsugi = tsugi.with_judge(Some(model(path, JudgeModel::from_bytes)?));
        }
        Ok(tsugi)
    }
}

/// Reads a model file.
pub fn model<T, E>(path: &Path, read: impl Fn(&[u8]) -> Result<T, E>) -> anyhow::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    read(&bytes).with_context(|| format!("`{}` cannot be used", path.display()))
}

/// Reads a file of rules, or the fetched dump if the path is `wedata`; items that cannot be used are counted.
pub fn read_siteinfo(path: &Path) -> anyhow::Result<Siteinfo> {
    if path.as_os_str() == FETCHED {
        return dump::fetched();
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let siteinfo = Siteinfo::read_rules(&bytes, &name)
        .with_context(|| format!("`{}` is not siteinfo", path.display()))?;
    tell_problems(&path.display().to_string(), &siteinfo);
    Ok(siteinfo)
}

/// Says how many items of a dump cannot be used, and with --verbose which.
pub fn tell_problems(dump: &str, siteinfo: &Siteinfo) {
    for problem in siteinfo.problems() {
        detail(&format!("{dump}: {}; skipped", plain(&problem.to_string())));
    }
    if !siteinfo.problems().is_empty() {
        let count = siteinfo.problems().len();
        complain(&format!("{dump}: {count} items cannot be used; `tsugi siteinfo check` lists them"));
    }
}
