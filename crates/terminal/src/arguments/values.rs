//! Values of arguments.

use std::str::FromStr;
use std::time::Duration;
use tsugi::Url;
use tsugi::page::address;

/// Reads a number from 0 to 1.
pub fn score<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let value = text.parse().ok().filter(|value| (T::from(0)..=T::from(1)).contains(value));
    value.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads an http or https URL, without its fragment.
pub fn web_url(text: &str) -> Result<Url, String> {
    let url = text.parse().ok().filter(address::is_web);
    url.map(|url| address::without_fragment(&url)).ok_or_else(|| "expected an http or https URL".to_owned())
}

/// Reads a time limit: more than 0 seconds, at most 30 days.
pub fn time_limit(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 30.0 * 24.0 * 3600.0;
    let value = text.parse().ok().filter(|value| *value > 0.0 && *value <= LONGEST);
    let value = value.and_then(|value| Duration::try_from_secs_f64(value).ok());
    value.ok_or_else(|| format!("expected a number of seconds above 0, at most {LONGEST}"))
}
