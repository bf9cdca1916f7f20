//! Hands the commit to the compiler as `TSUGI_COMMIT`: from the environment, from git, or from the file that `cargo package`
//! leaves in a package.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=TSUGI_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("TSUGI_COMMIT").is_some() {
        return;
    }
    if let Some(commit) = of_package().or_else(of_repository) {
        println!("cargo::rustc-env=TSUGI_COMMIT={commit}");
    }
}

fn of_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let commit = text.split("\"sha1\": \"").nth(1)?.split('"').next()?;
    commit.get(..9).map(str::to_owned)
}

/// Asks git for the commit, and to be run again after the next one.
fn of_repository() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if std::path::Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=9", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
