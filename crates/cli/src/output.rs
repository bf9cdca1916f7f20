//! Where output goes: stdout, or a file that appears whole or not at all.

use crate::exit::Exit;
use anyhow::{Context, anyhow};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::NamedTempFile;

/// A place to write to.
#[derive(Debug)]
pub(crate) enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A temporary file beside the one to write, and the path of that one.
    File(BufWriter<NamedTempFile>, PathBuf),
    /// A device or a pipe.
    Direct(BufWriter<File>),
}

impl Output {
    /// Opens `path`, or stdout if there is none. The file appears in [`Output::finish`]; without that call nothing is left
    /// of it.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path else { return Ok(Output::Stdout(BufWriter::new(io::stdout()))) };
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let file = File::options().write(true).open(path);
            let file = file.with_context(|| format!("cannot write `{}`", path.display()))?;
            return Ok(Output::Direct(BufWriter::new(file)));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new()
            .prefix(".tsugi-")
            .tempfile_in(folder)
            // The system's message names the temporary file, which the user does not know.
            .map_err(|error| anyhow!("cannot write in `{}`: {}", folder.display(), error.kind()))?;
        Ok(Output::File(BufWriter::new(file), path.to_owned()))
    }

    /// Flushes the output; a file appears under its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().context("cannot write to stdout"),
            Output::Direct(mut file) => file.flush().context("cannot write"),
            Output::File(writer, path) => {
                let cannot = || format!("cannot write `{}`", path.display());
                let file =
                    writer.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)?;
                file.as_file().sync_all().with_context(cannot)?;
                make_readable(file.path()).with_context(cannot)?;
                file.persist(&path).map_err(|error| error.error).with_context(cannot)?;
                Ok(())
            }
        }
    }
}

/// Lets everybody read a file; temporary files are readable by their owner only.
#[cfg(unix)]
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> io::Result<()> {
    Ok(())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(writer) => writer.write(bytes),
            Output::File(writer, _) => writer.write(bytes),
            Output::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(writer) => writer.flush(),
            Output::File(writer, _) => writer.flush(),
            Output::Direct(writer) => writer.flush(),
        }
    }
}

/// Returns an error message if -o names one of the sources, which would be overwritten.
pub(crate) fn misuse_of_output<'a>(
    output: Option<&Path>,
    sources: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
) -> Option<String> {
    // A file that does not exist yet may be an archive to keep responses in.
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let output = whole(output?);
    let source = sources.into_iter().map(AsRef::as_ref).find(|source| whole(source) == output)?;
    Some(format!("`{}` is a source; -o must name another file", source.display()))
}

/// Writes a value as one line of JSON.
pub(crate) fn write_json_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    output.write_all(b"\n")
}

/// Writes a whole file.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = Output::open(Some(path))?;
    output.write_all(bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    output.finish()
}

/// Returns text from elsewhere without control characters, safe for a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// How much goes to stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors.
    Quiet,
    /// Summaries and warnings, too.
    Normal,
    /// Every request and every page, too.
    Verbose,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets how much goes to stderr; the first call counts.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

/// Returns `true` if at least this much goes to stderr.
pub(crate) fn says(verbosity: Verbosity) -> bool {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal) >= verbosity
}

/// Writes an error to stderr.
pub(crate) fn complain(text: &str) {
    // Nothing can be done where stderr is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a summary or a warning to stderr, except with --quiet.
pub(crate) fn tell(text: &str) {
    if says(Verbosity::Normal) {
        complain(text);
    }
}

/// Writes a detail to stderr, with --verbose.
pub(crate) fn detail(text: &str) {
    if says(Verbosity::Verbose) {
        complain(text);
    }
}

/// Reports that the arguments do not go together, and returns how that ends.
pub(crate) fn refuse(misuse: &str) -> Exit {
    complain(&format!("error: {misuse}"));
    Exit::WrongUse
}
