//! Defaults from the user's file of settings.

use crate::support::{
    DONE, LOCAL, LoopbackServer, ProgramRun, TestFolder, WRONG_USE, canned, command, data, finish, html, page,
};
use serde_json::json;

/// Runs the command with a file of settings.
fn with_settings(file: &str, arguments: &[&str]) -> ProgramRun {
    finish(command(arguments).env("TSUGI_CONFIG", file).spawn().unwrap())
}

#[test]
fn the_file_sets_the_usual_format() {
    let folder = TestFolder::new();
    let (settings, article) = (folder.file("s.toml", "format = \"json\"\n"), data("english-article/1.html"));
    assert_eq!(
        with_settings(&settings, &["join", &article]).exits(DONE).json()["pages"].as_array().unwrap().len(),
        4
    );
    let markdown = with_settings(&settings, &["extract", &article, "-f", "md"]).exits(DONE).stdout;
    assert!(markdown.starts_with("# The Mill"), "{markdown}");
    let out = folder.path("out.txt");
    with_settings(&settings, &["extract", &article, "-o", &out]).exits(DONE);
    let text = folder.read("out.txt");
    assert!(
        text.contains("\n\nA ruined tide mill,") && !text.contains('{'),
        "the name of a file comes first: {text}"
    );
    let help = with_settings(&settings, &["join", "--help"]).exits(DONE).stdout;
    assert!(help.contains("[default: json]"), "{help}");
    assert!(with_settings("", &["extract", &article]).exits(DONE).stdout.starts_with("# The Mill"));
}

#[test]
fn the_file_names_who_asks_and_the_rules() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned([("/1", html(page("One.", None)))]));
    let rules =
        json!([{"name": "A", "data": {"url": "^http://127", "nextLink": "//a", "pageElement": "//p"}}]);
    folder.file("rules.json", rules.to_string());
    let settings =
        folder.file("s.toml", "user-agent = \"reader/1 (+mailto:me@example.org)\"\nrules = \"rules.json\"\n");
    // An address of numbers needs no scheme.
    let address = server.address("/1");
    let scan = [&["scan", address.strip_prefix("http://").unwrap()], &LOCAL[..]].concat();
    let lines = with_settings(&settings, &scan).exits(DONE).says(&["trying http://127.0.0.1:"]).json_lines();
    assert_eq!(lines[0]["content"]["by"], "rule", "{lines:?}");
    let agents: Vec<String> =
        server.requests().iter().map(|request| request.header("user-agent").to_owned()).collect();
    assert!(agents.iter().all(|agent| agent == "reader/1 (+mailto:me@example.org)"), "{agents:?}");
    let own = [&scan[..], &["--user-agent", "other/1"]].concat();
    with_settings(&settings, &own).exits(DONE);
    assert_eq!(server.requests().last().unwrap().header("user-agent"), "other/1");
}

#[test]
fn a_file_that_is_wrong_is_named() {
    let folder = TestFolder::new();
    let article = data("english-article/1.html");
    let misspelt = folder.file("s.toml", "user_agent = \"x\"\n");
    for (file, words) in
        [(misspelt.as_str(), "unknown field `user_agent`"), (&folder.path("none.toml"), "No such file")]
    {
        with_settings(file, &["join", &article]).exits(WRONG_USE).writes_nothing().says(&[file, words]);
    }
}

#[cfg(unix)]
#[test]
fn the_file_is_in_the_folder_of_settings() {
    let folder = TestFolder::new();
    folder.file("home/.config/tsugi/config.toml", "format = \"json\"\n");
    let mut run = command(&["extract", &data("english-article/1.html")]);
    run.env_remove("TSUGI_CONFIG").env_remove("XDG_CONFIG_HOME").env("HOME", folder.path("home"));
    assert_eq!(finish(run.spawn().unwrap()).exits(DONE).json()["pages"].as_array().unwrap().len(), 1);
}
