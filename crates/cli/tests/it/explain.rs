//! `tsugi explain`.

use crate::support::{DONE, data, tsugi};

#[test]
fn a_page_is_explained() {
    let explain = |options: &[&str]| {
        let run = tsugi(&[&["explain", &data("english-article/1.html")], options].concat()).exits(DONE);
        assert_eq!(run.stderr, "");
        run.stdout
    };
    let said = explain(&[]);
    for word in [
        "(UTF-8, ",
        "Next page: file:///",
        "english-article/2.html (page, by model, score ",
        "candidates; a next link needs a score of",
        "Main content: ",
        "text blocks. The longest",
        // The reasons, in words, with their contributions.
        "         for     ",
        "         against ",
        " (+",
        " (−",
    ] {
        assert!(said.contains(word), "`{word}` is missing: {said}");
    }
    let candidates = |said: &str, sign: &str| said.lines().filter(|line| line.contains(sign)).count();
    let most = explain(&["--top", "1"]);
    assert!(candidates(&most, "file:///") < candidates(&said, "file:///"), "--top shortens the list");
}

#[test]
fn a_stored_page_is_explained_by_its_rule() {
    let url = "https://notes.example/blog/index.html";
    let (pages, rules) = (data("pages.warc.gz"), data("siteinfo.json"));
    let said = tsugi(&["explain", url, "--pages", &pages, "--rules", &rules]).exits(DONE).stdout;
    let next =
        "Next page: https://notes.example/blog/page2.html (page, by rule `Coat Pocket Notes`, score 1.000)";
    assert!(
        said.contains(next) && said.contains("Main content: 4 elements, by rule `Coat Pocket Notes`"),
        "{said}"
    );
}
