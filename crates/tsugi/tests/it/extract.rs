//! One page as a document.

use crate::fakes::{marked, response};
use tsugi::{JoinOptions, StopReason};

#[test]
fn one_page_is_a_document() {
    let html = "<title>The tale</title><meta name=author content='Ann Lee'>\
        <main><p>one <a href=/x>x</a></main><a rel=next href=2><a rel=prev href=0>";
    let page = response("https://a.test/1", html).page();
    let document = marked().extract(page, &JoinOptions::default().links(false));
    assert_eq!(document.markdown(), "# The tale\n\n*Ann Lee*\n\none x\n");
    assert!(document.is_complete() && document.warnings.is_empty());
    assert_eq!(
        (document.stopped.reason, document.stopped.at.as_str()),
        (StopReason::OnePage, "https://a.test/2")
    );
    assert_eq!(document.stopped.detail, "one page was asked for; the next page is `https://a.test/2`");
    assert!(document.json_line().contains("\"complete\":true,\"stopped\":{\"reason\":\"one-page\""));
}
