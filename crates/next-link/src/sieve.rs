//! A first look at the candidates: cheap columns suffice to reject nearly all of them.
//!
//! A small model of 64 trees reads 51 columns that the survey of the page already holds. It was trained to predict
//! the score by all columns; 7 % of the candidates pass, and only these are described in full. Recall is measured, not
//! proved: cross-validation loses no answer, and a test compares the answers with the best of all candidates.

use super::columns::LinkFeatures;
use std::sync::LazyLock;
use tsugi_scoring::{Column, Schema};

/// The columns of the first look.
///
/// CHOICE: of 217,558 candidates on 3,157 pages, with models that saw no page of the site, 64 small trees over all
/// columns must let 1.1–1.5 % pass to keep every page's best candidate with a score of .05 or more; over these
/// columns, 1.9–2.3 %.
#[derive(Debug, Clone, Copy)]
pub struct SieveColumns;

/// Names of columns of [`LinkColumns`](crate::LinkColumns), in any order.
const COLUMNS: &str = "next_in_text next_in_hint previous_in_text older_word page_word more_word continue_word chapter_word \
    arrow_right arrow_left text_cover text_length text_length_least text_words label_number bare_number strange_text \
    picture rel_next next_name right_name older_name page_name more_name \
    pager_around navigation_around post_around side_around menu_around in_list follows_own \
    onward_in_run run_step run_behind \
    url_number url_number_added url_text_added url_removed url_in_query url_in_last url_step url_added_number \
    url_changed url_own_changed url_page_named url_page_step url_page_step_same occurrences in_head order item_order";

pub(super) static FEATURES: LazyLock<LinkFeatures> = LazyLock::new(|| {
    let names: Vec<&str> = COLUMNS.split_whitespace().collect();
    LinkFeatures::of(|column| names.contains(&column.name))
});

impl Schema for SieveColumns {
    const NAME: &'static str = "next-link/sieve";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| FEATURES.columns().collect());
        &COLUMNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinkColumns;
    use tsugi_scoring::column_index;

    #[test]
    fn its_columns_are_columns_of_the_full_model() {
        let names: Vec<&str> = COLUMNS.split_whitespace().collect();
        assert_eq!(SieveColumns::columns().len(), names.len(), "no name twice, none unknown");
        assert!(names.iter().all(|name| column_index::<LinkColumns>(name).is_some()));
    }
}
