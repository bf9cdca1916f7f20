//! Public suffixes (`co.jp`), by the list of publicsuffix.org.

/// Rules with their labels reversed (`jp.co`), one a line, in the order of [`ordered`]; written by `scripts/public-suffixes`.
const LIST: &str = include_str!("public_suffixes.txt");

/// Returns the registrable domain of a host's name, and whether the list has a rule for its suffix. Without a rule, the last
/// label is the suffix. `None` if the name is a suffix itself.
pub(crate) fn domain_of(name: &str) -> Option<(&str, bool)> {
    // A host may end with the dot of the root.
    let name = name.strip_suffix('.').unwrap_or(name);
    let (suffix, is_known) = suffix_of(name);
    let dot = suffix.checked_sub(1)?;
    let start = name[..dot].rfind('.').map_or(0, |before| before + 1);
    (start < dot).then(|| (&name[start..], is_known))
}

/// Returns the byte at which a name's public suffix starts, and whether the list has a rule for it.
fn suffix_of(name: &str) -> (usize, bool) {
    let mut found = (name.rfind('.').map_or(0, |dot| dot + 1), false);
    let mut rules = LIST;
    let mut key = String::with_capacity(name.len());
    let mut start = name.len() + 1;
    let mut any_label = false;
    for label in name.rsplit('.') {
        let after = start;
        start -= label.len() + 1;
        if !key.is_empty() {
            key.push('.');
        }
        key.push_str(label);
        rules = from(&key, rules);
        let rest = rules.strip_prefix(&*key).unwrap_or_default();
        let next = rest.strip_prefix('\n');
        let below = next.map_or(rest, |line| line.strip_prefix(&*key).unwrap_or_default());
        if below.starts_with(".!") {
            return (after, true);
        }
        if any_label || next.is_some() {
            found = (start, true);
        }
        if !below.starts_with('.') {
            break;
        }
        any_label = below.starts_with(".*");
    }
    found
}

/// Returns the rules from the first one that is not before a key.
fn from<'r>(key: &str, rules: &'r str) -> &'r str {
    let (mut low, mut high) = (0, rules.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = rules[..middle].rfind('\n').map_or(0, |end| end + 1);
        let line = rules[start..].split('\n').next().unwrap_or_default();
        if ordered(line).lt(ordered(key)) {
            low = start + line.len() + 1;
        } else {
            high = start;
        }
    }
    rules.get(low..).unwrap_or_default()
}

/// The bytes of labels, of which a shorter one comes first.
fn ordered(labels: &str) -> impl Iterator<Item = u8> {
    labels.bytes().map(|byte| if byte == b'.' { 0 } else { byte })
}

#[cfg(test)]
mod tests {
    use super::domain_of;

    /// Rules of each kind, as publicsuffix.org describes them.
    #[test]
    fn the_longest_rule_counts() {
        for (name, domain) in [
            ("example.com", Some("example.com")),
            ("a.b.example.com", Some("example.com")),
            ("com", None),
            ("b.example.co.jp", Some("example.co.jp")),
            ("co.jp", None),
            ("x.y.github.io", Some("y.github.io")),
            ("github.io", None),
            // A rule for any label (*.ck), and an exception to it (!www.ck).
            ("ck", None),
            ("any.ck", None),
            ("b.any.ck", Some("b.any.ck")),
            ("a.b.any.ck", Some("b.any.ck")),
            ("www.ck", Some("www.ck")),
            ("a.www.ck", Some("www.ck")),
            ("x.kawasaki.jp", None),
            ("x.y.kawasaki.jp", Some("x.y.kawasaki.jp")),
            ("city.kawasaki.jp", Some("city.kawasaki.jp")),
            ("kawasaki.jp", Some("kawasaki.jp")),
            // A rule for any label below a name that is no suffix.
            ("run.app", Some("run.app")),
            ("x.y.run.app", Some("x.y.run.app")),
            // Names without a rule.
            ("localhost", None),
            ("a.b.unlisted", Some("b.unlisted")),
            // Labels in other scripts, and the root's dot.
            ("a.xn--55qx5d.cn", Some("a.xn--55qx5d.cn")),
            ("xn--55qx5d.cn", None),
            ("b.example.com.", Some("example.com")),
            ("com.", None),
            ("", None),
            (".", None),
            (".com", None),
            ("a..com", None),
        ] {
            assert_eq!(domain_of(name).map(|found| found.0), domain, "{name}");
        }
    }

    /// The search relies on the order of the lines.
    #[test]
    fn rules_are_in_order() {
        let rules = || super::LIST.lines().filter(|line| !line.starts_with('#'));
        assert!(rules().count() > 10_000);
        for (before, after) in rules().zip(rules().skip(1)) {
            assert!(super::ordered(before).lt(super::ordered(after)), "{before} {after}");
        }
    }
}
