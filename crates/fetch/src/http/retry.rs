//! Retries: after which failures, and when.

use super::answer::HttpAnswer;
use crate::error::FetchError;
use std::time::Duration;

pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

pub(super) fn may_pass(outcome: &Result<HttpAnswer, FetchError>) -> bool {
    match outcome {
        Ok(answer) => is_passing(answer.status),
        Err(FetchError::Timeout { .. } | FetchError::Network { .. }) => true,
        Err(_) => false,
    }
}

pub(super) fn back_off(first: Duration, attempt: u32) -> Duration {
    first.saturating_mul(1_u32.checked_shl(attempt).unwrap_or(u32::MAX))
}

/// Returns the pause that a server asks for (`Retry-After`) with a transient failure.
///
/// A date is compared with the answer's own `Date`, so that only the server's clock counts; without one it is ignored.
// RFC 9110, section 10.2.3.
pub(super) fn asked_for(answer: &HttpAnswer) -> Option<Duration> {
    if !is_passing(answer.status) {
        return None;
    }
    let value = answer.header("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that does not fit is a long time anyway.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let from = httpdate::parse_http_date(answer.header("date")?).ok()?;
    Some(until.duration_since(from).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&str, &str)]) -> Option<Duration> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let url = "https://a.test/".parse().unwrap();
        asked_for(&HttpAnswer {
            url,
            status: 429,
            headers: headers.collect(),
            body: Vec::new(),
            whole: false,
        })
    }

    #[test]
    fn a_server_names_a_time_or_a_date() {
        let now = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        let seconds = Duration::from_secs;
        assert_eq!(asked(&[("retry-after", "120")]), Some(seconds(120)));
        assert_eq!(asked(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"), now]), Some(seconds(30)));
        assert_eq!(asked(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"), now]), Some(seconds(0)));
        assert_eq!(asked(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")]), None);
        let long = asked(&[("retry-after", "99999999999999999999999")]);
        assert!(long.is_some_and(|long| long > Duration::from_hours(24)));
        for nonsense in ["", "-1", "soon", "1.5"] {
            assert_eq!(asked(&[("retry-after", nonsense), now]), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_double() {
        let first = Duration::from_millis(500);
        let pauses: Vec<_> = (0..4).map(|attempt| back_off(first, attempt).as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000]);
        assert_eq!(back_off(Duration::MAX, 100), Duration::MAX);
    }
}
