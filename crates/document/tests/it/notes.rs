//! Notes in every form that pages write them.

use crate::shelf::{PageShelf, assert_has, document};

fn markdown(content: &str) -> String {
    document(&[content]).page_markdown(0)
}

/// The paragraph that refers to the note.
const TEXT: &str = "The chest has two keys[^1] and one lid.";

#[test]
fn of_two_links_that_lead_to_each_other_the_note_begins_with_its_own() {
    for (form, content) in [
        (
            "names on the links",
            "<p>The chest has two keys<a name=fnref1 href=#fn1>1</a> and one lid.</p><p>None of this would matter.\
             <hr><p><a name=fn1 href=#fnref1>1</a> The second was lost.",
        ),
        (
            "Word",
            "<p>The chest has two keys<a href=#_ftn1 name=_ftnref1><span class=MsoFootnoteReference>[1]</span></a> and one lid.\
             <div id=ftn1><p class=MsoFootnoteText><a href=#_ftnref1 name=_ftn1>[1]</a> The second was lost.</div>",
        ),
        (
            "Substack",
            "<p>The chest has two keys<a class=footnote-anchor id=footnote-anchor-1 href=#footnote-1>1</a> and one lid.\
             <div class=footnote><a id=footnote-1 href=#footnote-anchor-1 class=footnote-number>1</a>\
             <div class=footnote-content><p>The second was lost.</div></div>",
        ),
        (
            "raised",
            "<p>The chest has two keys<sup id=r1><a href=#n1>1</a></sup> and one lid.\
             <p><sup><a id=n1 href=#r1>1</a></sup> The second was lost.",
        ),
        (
            "an arrow at the beginning",
            "<p>The chest has two keys<sup><a id=r1 href=#n1>1</a></sup> and one lid.\
             <ol><li><a id=n1 href=#r1>^</a> The second was lost.</ol>",
        ),
        (
            "an arrow at the end",
            "<p>The chest has two keys<a id=r1 href=#n1><sup>1</sup></a> and one lid.\
             <ol><li><p><a name=n1></a>The second was lost. <a href=#r1>↩</a></ol>",
        ),
        (
            "signs",
            "<p>The chest has two keys<a id=r1 href=#n1>*</a> and one lid.\
             <p><a id=n1 href=#r1>*</a> The second was lost.",
        ),
        (
            "Wikipedia",
            "<p>The chest has two keys<sup id=cite_ref-1><a href=#cite_note-1>[1]</a></sup> and one lid.\
             <ol class=references><li id=cite_note-1><b><a href=#cite_ref-1>^</a></b> <span>The second was lost.</span></ol>",
        ),
        (
            "Sphinx",
            "<p>The chest has two keys<a class='footnote-reference brackets' href=#id2 id=id1 role=doc-noteref>\
             <span class=fn-bracket>[</span>1<span class=fn-bracket>]</span></a> and one lid.\
             <aside class='footnote-list brackets'><aside class='footnote brackets' id=id2 role=doc-footnote><span class=label>\
             <span class=fn-bracket>[</span><a role=doc-backlink href=#id1>1</a><span class=fn-bracket>]</span></span>\
             <p>The second was lost.</aside></aside>",
        ),
        (
            "Sphinx before 5",
            "<p>The chest has two keys<a class='footnote-reference brackets' href=#id2 id=id1>1</a> and one lid.\
             <dl class='footnote brackets'><dt class=label id=id2><span class=brackets><a class=fn-backref href=#id1>1</a></span></dt>\
             <dd><p>The second was lost.</dd></dl>",
        ),
        (
            "docutils",
            "<p>The chest has two keys<a class=footnote-reference href=#id2 id=id1>[1]</a> and one lid.\
             <table class='docutils footnote' id=id2><colgroup><col class=label><col></colgroup><tbody><tr><td class=label>\
             <a class=fn-backref href=#id1>[1]</a></td><td>The second was lost.</td></tr></tbody></table>",
        ),
        (
            "Tufte",
            "<p>The chest has two keys<label for=sn-1 class='margin-toggle sidenote-number'></label>\
             <input type=checkbox id=sn-1 class=margin-toggle><span class=sidenote>The second was lost.</span> and one lid.",
        ),
    ] {
        let markdown = markdown(content);
        assert_has(&markdown, TEXT);
        let note = markdown.lines().find(|line| line.starts_with("[^1]: "));
        assert_eq!(note, Some("[^1]: The second was lost."), "{form}: {markdown}");
        assert_eq!(markdown.matches("[^").count(), 2, "{form}: {markdown}");
    }
}

#[test]
fn links_between_letters_are_no_notes() {
    let index = "<p><a href=#sA id=tA>A</a> <a href=#sB id=tB>B</a></p>\
         <h2>A</h2><p><a href=#tA id=sA>A</a> She began in the winter of the long frost.\
         <h2>B</h2><p><a href=#tB id=sB>B</a> None of this would matter.";
    assert!(!markdown(index).contains("[^"), "{}", markdown(index));
    let contents = "<ul><li><a href=#s1 id=t1>1</a> Keys<li><a href=#s2 id=t2>2</a> Lids</ul>\
         <p><a href=#t1 id=s1>1</a> There are two keys.<p><a href=#t2 id=s2>2</a> There is one lid.";
    assert!(!markdown(contents).contains("[^"), "{}", markdown(contents));
}

#[test]
fn a_note_may_have_several_references() {
    let one_back = "<p>One<a id=r1 href=#n1>1</a>, two<a href=#n1>1</a>.<p><a id=n1 href=#r1>1</a>. A note.";
    assert_eq!(markdown(one_back), "One[^1], two[^1].\n\n[^1]: A note.");
    let each_back = "<p>One<sup id=r1><a href=#n1>[1]</a></sup>, two<sup id=r2><a href=#n1>[1]</a></sup>.\
         <ol><li id=n1>^ <a href=#r1>a</a> <a href=#r2>b</a> A note.</ol>";
    assert_eq!(markdown(each_back), "One[^1], two[^1].\n\n[^1]: A note.");
}

#[test]
fn links_back_to_what_is_left_out_go() {
    let content = "<p>One<sup id=r1><a href=#n1>[1]</a></sup>.\
         <ol><li id=n1>↑ <sup><a href=#r0>1.0</a></sup> <sup><a href=#r1>1.1</a></sup> A note, see <a href=#r7>7</a>.</ol>";
    assert_eq!(markdown(content), "One[^1].\n\n[^1]: A note, see [7](https://a.test/1#r7).");
}

#[test]
fn citations_keep_their_text_and_their_place() {
    let content = "<p>As it is written <a class='reference internal' href=#knuth84 id=id3><span>[Knuth84]</span></a>.\
         <div class=citation-list><div class=citation id=knuth84 role=doc-biblioentry><span class=label><span class=fn-bracket>[</span>\
         <a role=doc-backlink href=#id3>Knuth84</a><span class=fn-bracket>]</span></span><p>The TeXbook.</div></div><p>The end.";
    let markdown = markdown(content);
    assert_has(&markdown, "[\\[Knuth84\\]](#p1-knuth84)");
    let (label, text) = (markdown.find("Knuth84](#p1-id3)").unwrap(), markdown.find("The TeXbook.").unwrap());
    assert!(label < text && text < markdown.find("The end.").unwrap(), "{markdown}");
}

#[test]
fn notes_beside_the_content_belong_to_it() {
    let page = |notes: &str| {
        let text = "<main><p>The chest has two keys<a id=r1 href=#n1>1</a> and one lid.<p>See <a href=#x>2</a>.</main>";
        let document = PageShelf::default().page("https://a.test/1", &format!("{text}{notes}")).document();
        (document.page_markdown(0), document.page_html(0))
    };
    for notes in [
        "<aside><h2>Notes</h2><ol><li id=n1>The second was lost. <a href=#r1>↩</a></ol></aside><p id=x>Other text.",
        "<footer><p>Imprint<div><p id=n1><a href=#r1>1</a> The second was lost.</div></footer>",
    ] {
        let (markdown, html) = page(notes);
        assert_eq!(
            markdown,
            format!("{TEXT}\n\nSee [2](https://a.test/1#x).\n\n[^1]: The second was lost."),
            "{notes}"
        );
        assert_has(&html, "The second was lost.");
    }
    let (markdown, _) = page("<p id=n1>It does not lead back.");
    assert!(!markdown.contains("lead back"), "{markdown}");
}

proptest::proptest! {
    #[test]
    fn every_note_has_a_reference_and_none_is_within_another(parts in proptest::collection::vec(PART, 0..12)) {
        let markdown = document(&[&parts.concat()]).page_markdown(0);
        let mut notes: Vec<&str> = Vec::new();
        let mut references = std::collections::BTreeSet::new();
        for line in markdown.lines() {
            let line = line.trim_start();
            let note = line.strip_prefix("[^").and_then(|rest| rest.split_once("]: "));
            if let Some((number, rest)) = note {
                proptest::prop_assert!(!notes.contains(&number), "{}", markdown);
                proptest::prop_assert!(!rest.contains("]: "), "{}", markdown);
                notes.push(number);
            }
            let rest = note.map_or(line, |(_, rest)| rest);
            references.extend(rest.split("[^").skip(1).filter_map(|rest| Some(rest.split_once(']')?.0)));
        }
        proptest::prop_assert!(notes.iter().all(|note| references.contains(note)), "{}", markdown);
    }
}

/// Parts of pages with links that lead to each other.
const PART: &str = "<p>|</p>|<ol><li id=[ab]>|</ol>|<div id=[ab]>|<aside>|Some words\\. |<sup>|</sup>|<hr>|\
     <a id=[ab] href=#[ab]>[12^]</a>|<a href=#[ab]>[12^]</a>|<dl><dt id=[ab]>|<dd>|<span class=sidenote>x";

#[test]
fn several_notes_in_one_paragraph_stay_as_they_are() {
    for lines in [
        "<p><a id=n1 href=#r1>[1]</a> The first.<br><a id=n2 href=#r2>[2]</a> The second.</p>",
        "<div><a id=n1 href=#r1>[1]</a> The first. <a id=n2 href=#r2>[2]</a> The second.</div>",
    ] {
        let markdown = markdown(&format!(
            "<p>The chest has two keys<a id=r1 href=#n1>[1]</a> and one lid<a id=r2 href=#n2>[2]</a>.</p>{lines}"
        ));
        assert!(!markdown.contains("[^"), "{markdown}");
        assert_has(&markdown, "The first.");
        assert_has(&markdown, "The second.");
    }
}
