//! Pages that hold what terminals obey, and a check that nothing of it gets out.

/// Characters that terminals obey: escape sequences, their forms of one character, and changes of direction.
pub const OBEYED: &str = "\u{1b}[31m\u{1b}]0;title\u{7}\u{9b}2J\u{7f}\u{8}\u{202e}\u{2066}\u{200f}\u{85}";

#[track_caller]
pub fn shows_nothing_obeyed(what: &str, text: &str) {
    let is_obeyed = |c: &char| {
        (c.is_control() && *c != '\n' && *c != '\t')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found: Vec<char> = text.chars().filter(is_obeyed).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {text}");
}

/// Returns a page with [`OBEYED`] wherever a page can hold it.
pub fn hostile_page() -> String {
    let words = "The river ran high that spring, and the people of the valley watched it from the bridge. "
        .repeat(60);
    // Its first bytes are those of a text.
    let first = "x".repeat(4000);
    format!(
        "<!DOCTYPE html><!--{first}--><meta charset=utf-8><html lang='e{OBEYED}n'><title>T{OBEYED}itle</title>\
         <meta name=author content='A{OBEYED}uthor'><meta property=og:site_name content='S{OBEYED}ite'>\
         <meta name=description content='D{OBEYED}'><link rel=canonical href='/c{OBEYED}'>\
         <main class='m{OBEYED}'><h1>H{OBEYED}ead</h1><p>{words}{OBEYED}<p>{words}<pre>c{OBEYED}\n\td</pre>\
         <x{OBEYED}y>{words}</x{OBEYED}y></main>\
         <a class=next rel=next href='/n{OBEYED}ext' title='t{OBEYED}'>Next{OBEYED} page</a>\
         <button>More{OBEYED}</button>"
    )
}
