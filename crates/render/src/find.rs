//! Finding a browser.

use crate::error::RenderError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The names of the programs, the likeliest first.
const NAMES: [&str; 9] = [
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
    "microsoft-edge-stable", "microsoft-edge", "brave-browser", "brave",
];

/// Where macOS has them.
const APPLICATIONS: [&str; 4] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
];

/// Returns the program of a browser: the one that is named, or else the first Chromium, Chrome, Edge or Brave in the folders of
/// `path`, which has the form of the environment's `PATH`.
///
/// # Errors
///
/// [`RenderError::NotAProgram`] if the named file is none, and [`RenderError::NotFound`] if there is no browser.
///
/// # Examples
///
/// ```
/// use tsugi_render::find_browser;
/// assert!(find_browser(None, "/there/is/no/such/folder".as_ref()).is_err() || cfg!(target_os = "macos"));
/// ```
pub fn find_browser(named: Option<&Path>, path: &OsStr) -> Result<PathBuf, RenderError> {
    if let Some(named) = named {
        let named = named.to_owned();
        return if is_program(&named) { Ok(named) } else { Err(RenderError::NotAProgram { path: named }) };
    }
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    let in_folders = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let all = in_folders.chain(APPLICATIONS.iter().map(PathBuf::from));
    all.into_iter().find(|path| is_program(path)).ok_or(RenderError::NotFound)
}

fn is_program(path: &Path) -> bool {
    let Ok(found) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    found.is_file() && may_run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_program_is_taken_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        for (place, name) in [(&one, "google-chrome"), (&two, "chromium")] {
            std::fs::create_dir_all(place).unwrap();
            std::fs::write(place.join(name), "#!/bin/sh\n").unwrap();
        }
        let path = std::env::join_paths([&one, &two]).unwrap();
        let named = one.join("google-chrome");
        assert!(
            matches!(find_browser(Some(&named), &path), Err(RenderError::NotAProgram { .. })),
            "it may not run"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for file in [one.join("google-chrome"), two.join("chromium")] {
                std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
            assert_eq!(find_browser(None, &path).unwrap(), two.join("chromium"));
            assert_eq!(find_browser(Some(&named), &path).unwrap(), named);
        }
    }
}
