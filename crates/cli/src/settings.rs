//! What a user wants by default, from a file.

use crate::args::{OutputFormat, USUAL_FORMAT};
use clap::Command;
use clap::builder::StyledStr;
use etcetera::base_strategy::{BaseStrategy, choose_base_strategy};
use serde::Deserialize;
use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tsugi_terminal::arguments::seconds;
use tsugi_terminal::dump::FETCHED;

/// Names another file of settings; empty, there is none.
const VARIABLE: &str = "TSUGI_CONFIG";

/// Defaults of options, by the names of these options.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    user_agent: Option<String>,
    delay: Option<f64>,
    format: Option<String>,
    rules: Option<PathBuf>,
}

impl Settings {
    /// Reads the file `tsugi/config.toml` in the user's folder of settings, or the one that `TSUGI_CONFIG` names.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, or that the named one cannot be read.
    pub(crate) fn read() -> Result<Settings, String> {
        let (path, is_named) = match env::var_os(VARIABLE) {
            Some(named) if named.is_empty() => return Ok(Settings::default()),
            Some(named) => (PathBuf::from(named), true),
            None => match choose_base_strategy() {
                Ok(user) => (user.config_dir().join("tsugi").join("config.toml"), false),
                // Without a home there are no settings.
                Err(_) => return Ok(Settings::default()),
            },
        };
        match fs::read_to_string(&path) {
            Ok(text) => Settings::of(&text, path.parent().unwrap_or(Path::new("")))
                .map_err(|problem| format!("`{}`: {problem}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Ok(Settings::default()),
            Err(error) => Err(format!("cannot read `{}`: {error}", path.display())),
        }
    }

    /// Reads settings; paths are below `folder`.
    fn of(text: &str, folder: &Path) -> Result<Settings, String> {
        let mut settings: Settings =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if let Some(delay) = settings.delay {
            seconds(&delay.to_string()).map_err(|expected| format!("delay: {expected}"))?;
        }
        if let Some(format) = &settings.format {
            format.parse::<OutputFormat>().map_err(|expected| format!("format: {expected}"))?;
        }
        settings.rules =
            settings.rules.map(|rules| if rules.as_os_str() == FETCHED { rules } else { folder.join(rules) });
        Ok(settings)
    }

    /// Makes the settings the defaults of a command and of those below it, as their help shows.
    pub(crate) fn apply(&self, command: Command) -> Command {
        let defaults = [
            ("user_agent", self.user_agent.clone().map(Into::into)),
            ("delay", self.delay.map(|delay| delay.to_string().into())),
            ("usual_format", self.format.clone().map(Into::into)),
            ("rules", self.rules.clone().map(PathBuf::into_os_string)),
        ];
        let mut command = command.mut_subcommands(|below| self.apply(below));
        for (name, default) in defaults {
            if let Some(default) = default.filter(|_| has(&command, name)) {
                command = command.mut_arg(name, |argument| argument.default_value(default));
            }
        }
        match &self.format {
            Some(format) if has(&command, "format") => command.mut_arg("format", |argument| {
                let short = with_usual(argument.get_help(), format);
                let long = with_usual(argument.get_long_help(), format);
                argument.help(short).long_help(long)
            }),
            _ => command,
        }
    }
}

fn has(command: &Command, argument: &str) -> bool {
    command.get_arguments().any(|known| known.get_id() == argument)
}

/// Returns a help text that names another usual format.
fn with_usual(help: Option<&StyledStr>, format: &str) -> String {
    let before = format!("[default: {USUAL_FORMAT}]");
    let help = help.map(ToString::to_string).unwrap_or_default();
    help.replace(&before, &format!("[default: {format}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Settings, String> {
        Settings::of(text, Path::new("/home/me/.config/tsugi"))
    }

    #[test]
    fn paths_are_below_the_folder_of_the_file() {
        assert_eq!(of(""), Ok(Settings::default()));
        let settings = of("delay = 2\nrules = 'mine.json'").unwrap();
        assert_eq!(settings.delay, Some(2.0));
        assert_eq!(settings.rules.unwrap(), Path::new("/home/me/.config/tsugi/mine.json"));
        assert_eq!(of("rules = '/a.json'").unwrap().rules.unwrap(), Path::new("/a.json"));
        assert_eq!(of("rules = 'wedata'").unwrap().rules.unwrap(), Path::new("wedata"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, words) in [
            (
                "useragent = 'x'",
                "unknown field `useragent`, expected one of `user-agent`, `delay`, `format`, `rules`",
            ),
            ("delay = -1", "delay: expected a number of seconds from 0 to 3600"),
            ("delay = 'long'", "line 1"),
            ("format = 'doc'", "format: expected md, html"),
            ("delay", "line 1"),
        ] {
            let problem = of(text).unwrap_err();
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }
}
