pub(crate) struct KeywordGroup {
    pub(crate) column: &'static str,
    pub(crate) doc: &'static str,
}
pub(crate) const GROUPS: &[KeywordGroup] = &[KeywordGroup { column: "keyword_copyright", doc: "x" }];
pub(crate) fn count(text: &str, counts: &mut [u32]) {
    counts[0] += u32::from(text.to_lowercase().contains("copyright"));
}
