//! The help texts of a program.

use crate::{DONE, ProgramRun, command, finish};

/// Runs a program as on a terminal of 80 columns.
fn on_80_columns(program: &str, path: &[String]) -> ProgramRun {
    let arguments: Vec<&str> = path.iter().map(String::as_str).chain(["-h"]).collect();
    finish(command(program, &arguments).env("COLUMNS", "80").spawn().unwrap())
}

/// Returns the commands that the help of a command lists.
pub fn listed_commands(program: &str, path: &[String]) -> Vec<String> {
    let help = on_80_columns(program, path).exits(DONE).stdout;
    let Some(list) = help.split("Commands:\n").nth(1) else { return Vec::new() };
    let names = list.split("\n\n").next().unwrap().lines().filter(|line| !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

/// Checks that the short help of every command fits on a terminal of 80 columns and 24 lines. Returns the number of
/// commands. The help of the commands `passed_on` is that of other programs.
#[track_caller]
pub fn short_helps(program: &str, passed_on: &[&str]) -> usize {
    let mut paths: Vec<Vec<String>> = vec![Vec::new()];
    let mut count = 0;
    while let Some(path) = paths.pop() {
        let help = on_80_columns(program, &path).exits(DONE).stdout;
        assert!(help.lines().count() <= 24, "{path:?}: {} lines\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{path:?}\n{help}");
        let names = listed_commands(program, &path);
        let names = names.into_iter().filter(|name| !passed_on.contains(&name.as_str()));
        paths.extend(names.map(|name| [&path[..], &[name]].concat()));
        count += 1;
    }
    count
}
