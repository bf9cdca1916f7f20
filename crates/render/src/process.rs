//! The process of the browser: how it starts, and that it ends.

use crate::error::RenderError;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What runs the browser. It reads commands from descriptor 3 and writes answers to descriptor 4, and ends when the first is
/// closed, which the system does however this process ends. The shell then deletes the profile, so that nothing is left after a
/// crash either: more than once if this process is gone, since children of a browser that was starting make the folder again.
const SCRIPT: &str = r#""$@" 3<&0 4>&1 </dev/null >/dev/null 2>"$0/said"
for try in 1 2 3; do rm -rf -- "$0" && kill -0 $PPID 2>/dev/null && break; sleep 1; done"#;

/// How long the browser may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much of the browser's own messages is shown, in characters.
const SAID: usize = 300;

const ARGUMENTS: [&str; 35] = [
    "--headless=new",
    "--remote-debugging-pipe",
    // No network: neither a way out nor names. What is not stopped and answered fails.
    "--proxy-server=http://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    // Nothing of its own.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,InterestFeedContentSuggestions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    // Nothing that reaches out of the page.
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--mute-audio",
    "--autoplay-policy=user-gesture-required",
    // As a reader with a window would have it, and bounded.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1280,1024",
    "--js-flags=--max-old-space-size=512",
    "--hide-scrollbars",
];

/// A browser that runs.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    child: Child,
    /// Deleted at the latest when this is dropped.
    profile: TempDir,
    path: std::path::PathBuf,
}

impl BrowserProcess {
    /// Starts a browser, and returns the ends of its pipes; `true` if it runs without its sandbox.
    pub(crate) fn start(path: &Path) -> Result<(BrowserProcess, ChildStdin, ChildStdout, bool), RenderError> {
        if !cfg!(unix) {
            return Err(RenderError::Unsupported);
        }
        let profile = tempfile::Builder::new().prefix("tsugi-browser-").tempdir()?;
        // Chromium refuses its sandbox to root.
        let is_root = is_owned_by_root(profile.path());
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(SCRIPT).arg(profile.path()).arg(path).args(ARGUMENTS);
        let mut data = std::ffi::OsString::from("--user-data-dir=");
        data.push(profile.path());
        command.arg(data).args(is_root.then_some("--no-sandbox")).arg("about:blank");
        // Its files go with the profile, and it talks to no other program of the user.
        command.env("HOME", profile.path()).env("TMPDIR", profile.path());
        command
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C on the terminal is for this program, which ends the browser in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |said: String| RenderError::Start { path: path.to_owned(), said };
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".to_owned()));
        };
        Ok((BrowserProcess { child, profile, path: path.to_owned() }, input, output, is_root))
    }

    /// Returns the error of a browser that did not answer, with what it said last.
    pub(crate) fn failed(&self) -> RenderError {
        let said = std::fs::read(self.profile.path().join("said")).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        let said = last.chars().filter(|c| !c.is_control()).take(SAID).collect();
        RenderError::Start { path: self.path.clone(), said }
    }

    /// Deletes the profile. Processes that were killed take a while to end, and may write a file while others are deleted.
    fn delete_profile(&self) {
        let begin = Instant::now();
        while std::fs::remove_dir_all(self.profile.path())
            .is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound)
            && begin.elapsed() < PATIENCE
        {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills the browser and all that it started.
    pub(crate) fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // It may be over already.
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.delete_profile();
    }
}

impl Drop for BrowserProcess {
    /// Waits for the browser, whose pipe is closed, and kills it if it does not end.
    fn drop(&mut self) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.kill();
    }
}

fn is_owned_by_root(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        path.metadata().is_ok_and(|found| found.uid() == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}
