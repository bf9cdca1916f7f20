//! A file of JSON lines, each about one URL, that grows during a run and survives a crash.

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::Value;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::pipeline::locked;
use tsugi_terminal::output::{Output, write_json_line};

/// A growing file of JSON lines. Each line is written at once and synced at the end: work whose line a power failure
/// takes is done again.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Opens or creates a journal. Removes the lines that `keep` refuses, and a line that a crash cut short.
    pub(crate) fn open(path: &Path, mut keep: impl FnMut(&Value) -> bool) -> anyhow::Result<Journal> {
        let cannot = || format!("cannot use `{}`", path.display());
        let old = match std::fs::read(path) {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(cannot),
        };
        let kept = old.split_inclusive(|byte| *byte == b'\n').filter(|line| {
            let value = serde_json::from_slice::<Value>(line).ok();
            line.ends_with(b"\n") && value.is_some_and(|value| value.is_object() && keep(&value))
        });
        let kept: Vec<u8> = kept.flatten().copied().collect();
        if kept.len() < old.len() {
            let mut output = Output::open(Some(path))?;
            output.write_all(&kept).with_context(cannot)?;
            output.finish()?;
        }
        let file = File::options().create(true).append(true).open(path).with_context(cannot)?;
        Ok(Journal { path: path.to_owned(), file: Mutex::new(file) })
    }

    pub(crate) fn add(&self, line: &impl Serialize) -> anyhow::Result<()> {
        let cannot = || format!("cannot write `{}`", self.path.display());
        let mut bytes = Vec::new();
        write_json_line(&mut bytes, line).with_context(cannot)?;
        let mut file = locked(&self.file);
        file.write_all(&bytes).with_context(cannot)
    }

    pub(crate) fn sync(&self) -> anyhow::Result<()> {
        let file = locked(&self.file);
        file.sync_data().with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

const LOCK: &str = ".lock";

/// Keeps other runs out of a folder as long as the file is open.
pub(crate) fn lock_folder(path: &Path) -> anyhow::Result<File> {
    let lock = File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
    let lock = lock.with_context(|| format!("cannot write in `{}`", path.display()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            bail!("another run is writing to `{}`; wait for it, or name another one", path.display())
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock `{}`", path.display()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn torn_lines_and_unwanted_ones_are_taken_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.jsonl");
        let read = || std::fs::read_to_string(&path).unwrap();
        let journal = Journal::open(&path, |_| unreachable!("there is no line")).unwrap();
        for n in 1..=3 {
            journal.add(&json!({"n": n})).unwrap();
        }
        assert_eq!(read(), "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
        for torn in ["{\"n\":4", "{\"n\":4}", "\u{0}\u{0}\n", "4\n"] {
            std::fs::write(&path, format!("{{\"n\":1}}\n{{\"n\":2}}\n{torn}")).unwrap();
            Journal::open(&path, |line| line["n"] != 1).unwrap().add(&json!({"n": 5})).unwrap();
            assert_eq!(read(), "{\"n\":2}\n{\"n\":5}\n", "{torn:?}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something is left over");
    }
}
