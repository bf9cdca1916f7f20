//! Names of people and sites.

use tsugi_page::text;

/// How many authors a document may have.
const MOST: usize = 20;

/// Names that are roles, or left from a template.
const NOBODY: &[&str] = &[
    "admin", "administrator", "author", "editor", "guest", "null", "none", "undefined", "staff", "webmaster",
    "user",
];

/// Says whether a text could be a name.
pub(super) fn is_plausible(name: &str) -> bool {
    let length = name.chars().count();
    let is_address = name.contains("://") || name.contains('@') || name.starts_with("www.");
    (2..=100).contains(&length)
        && !is_address
        && !name.contains(['<', '>', '{', '}', '\u{fffd}'])
        && name.chars().any(char::is_alphabetic)
        && !NOBODY.contains(&name.to_lowercase().as_str())
}

/// Returns the names that could be some, each once.
pub(super) fn several<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut several: Vec<String> = Vec::new();
    for name in names.take(10 * MOST) {
        let name = text::fold(name);
        let name = without_by(&name);
        let is_new = several.iter().all(|other| other.to_lowercase() != name.to_lowercase());
        if several.len() < MOST && is_new && is_plausible(name) {
            several.push(name.to_owned());
        }
    }
    several
}

fn without_by(name: &str) -> &str {
    let by = name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("by "));
    if by { name[3..].trim_start() } else { name }
}

/// Takes several names in one text apart: `A B, C D and E F`. A comma alone may stand in one name (`Lee, Ann`).
pub(super) fn apart(names: &str) -> Vec<String> {
    let names = text::fold(names);
    let names = without_by(&names);
    let pieces: Vec<&str> = names
        .split([';', '|', '、'])
        .flat_map(|names| names.split(" and "))
        .flat_map(|names| names.split(" & "))
        .collect();
    let mut apart = Vec::new();
    for piece in pieces {
        let by_comma: Vec<&str> = piece.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let are_full = by_comma.len() > 1 && by_comma.iter().all(|name| name.contains(' '));
        if are_full {
            apart.extend(by_comma.into_iter().map(str::to_owned));
        } else {
            apart.push(piece.trim().trim_end_matches(',').to_owned());
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_in_one_text() {
        assert_eq!(apart("Ann Lee, Bo Oh and Cy Do"), ["Ann Lee", "Bo Oh", "Cy Do"]);
        assert_eq!(apart("Lee, Ann"), ["Lee, Ann"]);
        assert_eq!(apart("by Ann Lee"), ["Ann Lee"]);
        assert_eq!(
            several(["by Ann Lee", "ANN LEE", "https://x.test", "12", "Bo Oh"].into_iter()),
            ["Ann Lee", "Bo Oh"]
        );
    }
}
