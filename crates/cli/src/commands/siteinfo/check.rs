//! `tsugi siteinfo check`: lists unusable items, and why they are.

use crate::args::CheckArguments;
use anyhow::Context;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use tsugi::fetch::chain;
use tsugi::rules::{Problem, Siteinfo};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, plain, write_json_line};
use unicode_width::UnicodeWidthChar;

pub(crate) fn run(arguments: &CheckArguments) -> anyhow::Result<Exit> {
    let mut out = Output::screen();
    let (mut unread, mut unusable, mut items) = (0, 0, 0);
    let mut summaries = Vec::new();
    if arguments.list {
        out.write_all(LIST_HEAD.as_bytes())?;
    }
    for path in &arguments.files {
        let siteinfo = match read(path) {
            Ok(siteinfo) => siteinfo,
            Err(error) => {
                complain(&format!("error: {}", chain(error.as_ref())));
                unread += 1;
                continue;
            }
        };
        let name = if arguments.list { file_name(path) } else { path.display().to_string() };
        for (problem, usable) in findings(&siteinfo) {
            if arguments.json {
                write_finding(&name, problem, usable, &mut out)?;
            } else if arguments.list {
                list_finding(&name, problem, usable, &mut out)?;
            } else {
                show_finding(&name, problem, usable, &mut out)?;
            }
        }
        let summary = format!("{name}: {}", summary(&siteinfo));
        if arguments.json {
            complain(&summary);
        } else if arguments.list {
            summaries.push(summary);
        } else {
            writeln!(out, "{summary}")?;
        }
        unusable += siteinfo.problems().len();
        items += siteinfo.problems().len() + siteinfo.items().len();
    }
    for (index, summary) in summaries.iter().enumerate() {
        writeln!(out, "{}- {summary}", if index == 0 { "\n" } else { "" })?;
    }
    out.finish()?;
    Ok(match (unread, unusable, items) {
        (1.., ..) => Exit::Failed,
        (_, 1.., _) => Exit::PartlyFailed,
        (_, _, 0) => Exit::NothingFound,
        _ => Exit::Done,
    })
}

fn read(path: &Path) -> anyhow::Result<Siteinfo> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Siteinfo::read_rules(&bytes, &file_name(path))
        .with_context(|| format!("`{}` is not siteinfo", path.display()))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the problems of a file, in its order, each with whether the item is usable anyway.
fn findings(siteinfo: &Siteinfo) -> Vec<(&Problem, bool)> {
    let problems = siteinfo.problems().iter().map(|problem| (problem, false));
    let mut all: Vec<_> = problems.chain(siteinfo.warnings().iter().map(|problem| (problem, true))).collect();
    all.sort_by_key(|(problem, _)| problem.index);
    all
}

fn summary(siteinfo: &Siteinfo) -> String {
    let (usable, unusable) = (siteinfo.items().len(), siteinfo.problems().len());
    let all = usable + unusable;
    // In an empty file, nothing is unusable.
    let share = if all == 0 { 100.0 } else { usable as f64 * 100.0 / all as f64 };
    let warnings = siteinfo.warnings().len();
    format!(
        "{all} items, {usable} usable ({share:.2} %), {unusable} unusable, {warnings} without `insertBefore`"
    )
}

fn show_finding(file: &str, problem: &Problem, usable: bool, out: &mut Output) -> io::Result<()> {
    let Problem { index, name, error } = problem;
    let field = error.field().map_or_else(String::new, |field| format!("`{field}`: "));
    let used = if usable { " (used without it)" } else { "" };
    writeln!(out, "{file}: item {index} (`{}`): {field}{}{used}", plain(name), plain(&error.reason()))?;
    if let Some(expression) = error.expression() {
        let (line, column) = excerpt(expression, error.at());
        writeln!(out, "    {line}")?;
        if let Some(column) = column {
            writeln!(out, "    {:column$}^", "")?;
        }
    }
    Ok(())
}

fn write_finding(file: &str, problem: &Problem, usable: bool, out: &mut Output) -> io::Result<()> {
    let Problem { index, name, error } = problem;
    let line = json!({
        "file": file,
        "index": index,
        "name": name,
        "usable": usable,
        "field": error.field().map(|field| field.to_string()),
        "reason": error.reason(),
        "expression": error.expression(),
        "at": character(problem),
    });
    write_json_line(out, &line)
}

fn character(problem: &Problem) -> Option<usize> {
    let (at, expression) = (problem.error.at()?, problem.error.expression()?);
    Some(expression.char_indices().take_while(|(start, _)| *start < at).count())
}

const LIST_HEAD: &str = "# Unusable items\n\n\
    Written by `tsugi siteinfo check --list FILE…`. Items and characters are counted from 0.\n\n\
    | file | item | name | field | reason |\n| --- | ---: | --- | --- | --- |\n";

fn list_finding(file: &str, problem: &Problem, usable: bool, out: &mut Output) -> io::Result<()> {
    let Problem { index, name, error } = problem;
    let cell = |text: &str| plain(text).replace('|', "\\|");
    let field = error.field().map_or_else(String::new, |field| field.to_string());
    let place = character(problem).map_or_else(String::new, |at| format!("at character {at}: "));
    let used = if usable { "; used without it" } else { "" };
    let (name, reason) = (cell(name), cell(&error.reason()));
    writeln!(out, "| {} | {index} | {name} | {field} | {place}{reason}{used} |", cell(file))
}

/// Most columns of an expression to show.
const WINDOW: usize = 76;
/// Most characters of an expression to show on either side of the position: some have no width.
const MOST_CHARACTERS: usize = 4 * WINDOW;
/// Most columns to show before the position.
const BEFORE: usize = 50;

/// Cuts an expression to a window around a position in bytes; returns the window, and the column of the position. East
/// Asian characters take two columns.
fn excerpt(expression: &str, at: Option<usize>) -> (String, Option<usize>) {
    let width = |c: char| c.width().unwrap_or(1);
    let chars: Vec<char> = plain(expression).chars().collect();
    let spot = expression.char_indices().take_while(|(start, _)| at.is_some_and(|at| *start < at)).count();
    let columns = |chars: &[char]| chars.iter().map(|c| width(*c)).sum::<usize>();
    let (mut from, mut to) = (0, chars.len());
    if columns(&chars) > WINDOW || chars.len() > MOST_CHARACTERS {
        // Leave a column at each end for `…`. Zero-width characters are limited by number.
        (from, to) = (spot, spot);
        let mut wide = 0;
        while from > 0 && spot - from < MOST_CHARACTERS && wide + width(chars[from - 1]) < BEFORE {
            from -= 1;
            wide += width(chars[from]);
        }
        while to < chars.len() && to - spot < MOST_CHARACTERS && wide + width(chars[to]) < WINDOW - 1 {
            wide += width(chars[to]);
            to += 1;
        }
    }
    let start = if from > 0 { "…" } else { "" };
    let end = if to < chars.len() { "…" } else { "" };
    let line = format!("{start}{}{end}", chars[from..to].iter().collect::<String>());
    (line, at.map(|_| start.chars().count() + columns(&chars[from..spot])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(expression: &str, at: usize) -> (String, String) {
        let (line, column) = excerpt(expression, Some(at));
        let (mut left, mut found) = (column.unwrap(), String::new());
        for c in line.chars() {
            if left == 0 {
                found.push(c);
                break;
            }
            left -= c.width().unwrap();
        }
        (line, found)
    }

    #[test]
    fn the_caret_stands_under_the_spot() {
        assert_eq!(above("//a[", 3), ("//a[".to_owned(), "[".to_owned()));
        assert_eq!(above("//a[", 4), ("//a[".to_owned(), String::new()), "behind the end");
        let wide = "//a[.='次へ'] !";
        assert_eq!(above(wide, wide.find('!').unwrap()).1, "!");
        assert_eq!(above("a\n\t(", 3), ("a  (".to_owned(), "(".to_owned()));
        assert_eq!(excerpt("", Some(0)), (String::new(), Some(0)));
        assert_eq!(excerpt("//a", None), ("//a".to_owned(), None));
    }

    #[test]
    fn long_expressions_are_cut_to_a_window() {
        for filler in ["x", "次"] {
            for (before, after) in [(0, 300), (10, 300), (150, 150), (300, 10), (300, 0)] {
                let expression = format!("{}!{}", filler.repeat(before), filler.repeat(after));
                let (line, found) = above(&expression, before * filler.len());
                assert_eq!(found, "!", "{line}");
                let width: usize = line.chars().map(|c| c.width().unwrap()).sum();
                assert!(width <= WINDOW, "{width}: {line}");
                assert!(
                    line.starts_with('…') == (before > 30) && line.ends_with('…') == (after > 30),
                    "{line}"
                );
            }
        }
    }
}
