//! Folders that appear whole: made under an unfinished name, then renamed.
//!
//! A killed server leaves unfinished folders behind. They are locked while somebody writes them, so that the next start can
//! tell them from those of another server that uses the same data, and sweep them away.

use crate::token::random_name;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How the names of unfinished folders begin and end. No finished folder has such a name.
const BEGINNING: &str = ".new-";
const PART: &str = ".part";

/// The file that is locked.
const LOCK: &str = "lock";

/// A folder that is being filled. If it is dropped before it is finished, it is removed.
#[derive(Debug)]
pub(crate) struct NewFolder {
    path: PathBuf,
    lock: Option<File>,
}

impl NewFolder {
    /// Creates an unfinished folder below another.
    pub(crate) fn below(parent: &Path) -> io::Result<NewFolder> {
        let path = parent.join(format!("{BEGINNING}{}{PART}", random_name()?));
        fs::create_dir(&path)?;
        let new = NewFolder { lock: Some(File::create_new(path.join(LOCK))?), path };
        // A file system without locks keeps what is left there until somebody else starts.
        if let Some(lock) = &new.lock {
            let _ = lock.try_lock();
        }
        Ok(new)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the folder its name. Nobody else may have that name.
    pub(crate) fn finish(mut self, name: &Path) -> io::Result<()> {
        fs::remove_file(self.path.join(LOCK))?;
        fs::rename(&self.path, name)?;
        self.lock = None;
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            // What cannot be removed now is removed at the next start.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Removes a folder so that it is gone at once: what a killed server leaves of it has an unfinished name.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().unwrap_or(Path::new("."));
    let gone = parent.join(format!("{BEGINNING}{}{PART}", random_name()?));
    fs::rename(folder, &gone)?;
    fs::remove_dir_all(gone)
}

/// Removes the unfinished folders that killed servers left below another.
pub(crate) fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_unfinished = name.starts_with(BEGINNING) && name.ends_with(PART);
        if is_unfinished && !is_locked(&entry.path().join(LOCK)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_locked(file: &Path) -> bool {
    File::open(file).is_ok_and(|file| file.try_lock().is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let parent = tempfile::tempdir().unwrap();
        let new = NewFolder::below(parent.path()).unwrap();
        fs::write(new.path().join("a"), "1").unwrap();
        sweep(parent.path());
        assert!(new.path().join("a").exists(), "what somebody writes is not swept away");
        assert!(!names(parent.path()).contains(&"done".to_owned()));
        new.finish(&parent.path().join("done")).unwrap();
        assert_eq!(names(parent.path()), ["done"]);
        assert_eq!(names(&parent.path().join("done")), ["a"]);
        drop(NewFolder::below(parent.path()).unwrap());
        assert_eq!(names(parent.path()), ["done"]);
        remove(&parent.path().join("done")).unwrap();
        assert_eq!(names(parent.path()), [""; 0]);
    }

    #[test]
    fn what_a_killed_server_left_is_swept_away() {
        let parent = tempfile::tempdir().unwrap();
        for name in [".new-1.part", ".new-2.part", "set"] {
            fs::create_dir(parent.path().join(name)).unwrap();
        }
        fs::write(parent.path().join(".new-2.part/lock"), "").unwrap();
        sweep(parent.path());
        assert_eq!(names(parent.path()), ["set"]);
    }
}
