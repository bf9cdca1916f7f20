//! The names of places in a document: `page-1`, `p1-name`.

pub(crate) fn page_anchor(page: usize) -> String {
    format!("page-{}", page + 1)
}

pub(crate) fn is_ours(id: &str) -> bool {
    let Some(rest) = id.strip_prefix('p') else { return false };
    let rest = rest.strip_prefix("age").unwrap_or(rest);
    let numbered = match rest.strip_prefix('-') {
        Some(number) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        None => rest.split_once('-').is_some_and(|(number, name)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty()
        }),
    };
    numbered && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_names_are_known() {
        for id in ["page-12", "p1-fn_3a_1", "p10-x"] {
            assert!(is_ours(id), "{id}");
        }
        for id in ["page-", "page-x", "p-x", "p1", "p1-", "x", "fn1", "p1-x:y", "page1-2 ", ""] {
            assert!(!is_ours(id), "{id}");
        }
    }
}
