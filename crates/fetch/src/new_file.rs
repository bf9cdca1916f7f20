//! A file that appears under its name whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

const PART: &str = ".part";

/// The most links from one name to the next that are followed, as in Linux.
const MAX_LINKS: usize = 40;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Those who may read the file that it replaces; for a new one, those whom the process's umask allows.
    Usual,
    /// Its owner only.
    Owner,
}

/// A file that is written beside its final name, and appears there whole or not at all.
///
/// If the name is a symbolic link, its target is replaced. An unfinished file is locked, so that the next run can tell it
/// from what a killed one left ([`NewFile::sweep`], [`NewFile::sweep_folder`]).
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// Its name while it is unfinished; `None` once it has its own.
    part: Option<PathBuf>,
    path: PathBuf,
}

impl NewFile {
    /// Creates an unfinished file for a name.
    ///
    /// # Errors
    ///
    /// Those of the file system, as if the file with this name were opened for writing.
    pub fn create(path: &Path, readers: Readers) -> io::Result<NewFile> {
        let path = at_the_end_of_links(path)?;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let permissions = match File::options().write(true).open(&path) {
            Ok(held) => Some(held.metadata()?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut part = beginning(name);
            part.push(format!("{}-{number}{PART}", process::id()));
            let part = folder_of(&path).join(part);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            only_for(readers, &mut options);
            let file = match options.open(&part) {
                // A process of the same number was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            // A folder that knows no locks keeps what is left there.
            let _ = file.lock();
            if !part.exists() {
                // Another run swept it away before it was locked.
                continue;
            }
            let new = NewFile { file, part: Some(part), path };
            if let Some(permissions) = permissions.filter(|_| readers == Readers::Usual) {
                new.file.set_permissions(permissions)?;
            }
            return Ok(new);
        }
    }

    /// Returns the name of the unfinished file.
    pub fn part(&self) -> Option<&Path> {
        self.part.as_deref()
    }

    /// Writes the file to disk and gives it its name.
    ///
    /// # Errors
    ///
    /// Those of the file system. The file with this name is then what it was.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Some(part) = &self.part {
            fs::rename(part, &self.path)?;
        }
        self.part = None;
        Ok(())
    }

    /// Removes what killed runs left of a file with this name.
    pub fn sweep(path: &Path) {
        if let Ok(path) = at_the_end_of_links(path)
            && let Some(name) = path.file_name()
        {
            remove_parts(&folder_of(&path), &beginning(name));
        }
    }

    /// Removes what killed runs left of all files in a folder.
    pub fn sweep_folder(folder: &Path) {
        remove_parts(folder, OsStr::new("."));
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // What cannot be removed now is removed by the next run.
            let _ = fs::remove_file(part);
        }
    }
}

fn beginning(name: &OsStr) -> OsString {
    let mut beginning = OsString::from(".");
    beginning.push(name);
    beginning.push(".");
    beginning
}

fn remove_parts(folder: &Path, beginning: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(beginning.as_encoded_bytes());
        let is_part = rest
            .and_then(|rest| rest.strip_suffix(PART.as_bytes()))
            .is_some_and(|rest| rest.rsplit(|byte| *byte == b'.').next().is_some_and(is_number));
        if is_part
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            // Nobody writes it.
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// `PROCESS-FILE`, both in digits.
fn is_number(text: &[u8]) -> bool {
    let mut numbers = text.split(|byte| *byte == b'-');
    let is_number = |part: Option<&[u8]>| {
        part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    };
    is_number(numbers.next()) && is_number(numbers.next()) && numbers.next().is_none()
}

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// The target need not exist.
fn at_the_end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(target) => at = folder_of(&at).join(target),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "symbolic links lead in a circle"))
}

#[cfg(unix)]
fn only_for(readers: Readers, options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    if readers == Readers::Owner {
        options.mode(0o600);
    }
}

#[cfg(not(unix))]
fn only_for(_: Readers, _: &mut OpenOptions) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path, Readers::Usual).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(file);
        assert_eq!(
            (names(folder.path()), fs::read(&path).unwrap()),
            (vec!["a.md".to_owned()], b"old".to_vec())
        );
        let mut file = NewFile::create(&path, Readers::Usual).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(&path).unwrap()),
            (vec!["a.md".to_owned()], b"new".to_vec())
        );
        let missing = NewFile::create(&folder.path().join("no/a.md"), Readers::Usual).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        let held = NewFile::create(&path, Readers::Usual).unwrap();
        let held_name = held.part().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        for name in [".a.md.7-0.part", ".b.md.7-0.part", ".a.md.part", ".a.md.x-1.part", "a.md.7-0.part"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        NewFile::sweep(&path);
        let mut left =
            vec![held_name.as_str(), ".a.md.part", ".a.md.x-1.part", ".b.md.7-0.part", "a.md.7-0.part"];
        left.sort_unstable();
        assert_eq!(names(folder.path()), left);
        NewFile::sweep_folder(folder.path());
        left.retain(|name| *name != ".b.md.7-0.part");
        assert_eq!(names(folder.path()), left);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [real, link, dangling] = ["real", "link", "dangling"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let write = |path: &Path, readers| {
            let mut file = NewFile::create(path, readers).unwrap();
            file.write_all(b"new").unwrap();
            file.finish().unwrap();
        };
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", &link).unwrap();
        write(&link, Readers::Usual);
        assert!(link.is_symlink());
        assert_eq!((fs::read(&real).unwrap(), mode(&real)), (b"new".to_vec(), 0o640));
        symlink("later", &dangling).unwrap();
        write(&dangling, Readers::Owner);
        assert!(dangling.is_symlink());
        assert_eq!(mode(&folder.path().join("later")), 0o600);
        // As other programs create files.
        let (ours, others) = (folder.path().join("ours"), folder.path().join("others"));
        write(&ours, Readers::Usual);
        fs::write(&others, "").unwrap();
        assert_eq!(mode(&ours), mode(&others));
        symlink("circle", folder.path().join("circle")).unwrap();
        let error = NewFile::create(&folder.path().join("circle"), Readers::Usual).unwrap_err();
        assert_eq!(error.to_string(), "symbolic links lead in a circle");
    }
}
