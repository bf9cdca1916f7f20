//! The example trains a model that finds the content of a page.

use std::process::Command;

#[test]
fn train_trains_on_a_folder() {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/train");
    let output = Command::new(built).output();
    let output = output.expect("the example is built: `cargo build -p tsugi-training --examples`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = String::from_utf8(output.stdout).unwrap();
    let mut lines = out.lines();
    assert!(lines.next().unwrap().ends_with(" bytes, trained on 11 pages of 4 sites"), "{out}");
    assert_eq!(lines.next(), Some("The Mill That Keeps the Moon’s Hours"));
}
