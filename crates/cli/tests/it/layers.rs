//! Which crate may use which.
//!
//! ```text
//! cli → experiments → follow → next-link main-content siteinfo site-blocks → page learning
//! ```

use serde_json::Value;
use std::process::Command;

/// The layers, lowest first. A crate uses crates of lower layers only: never one above it, and never a
/// neighbour.
const LAYERS: [&[&str]; 5] = [
    &["tsugi-page", "tsugi-learning"],
    &["tsugi-next-link", "tsugi-main-content", "tsugi-siteinfo", "tsugi-site-blocks"],
    &["tsugi-follow"],
    &["tsugi-experiments"],
    &["tsugi-cli"],
];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|crates| crates.contains(&name))
}

/// Says what is wrong with a crate that uses another one of the workspace.
fn flaw(user: &str, used: &str, kind: &str) -> Option<String> {
    let (Some(above), Some(below)) = (layer(user), layer(used)) else {
        return Some(format!("{user} → {used} ({kind}): both crates need a layer in `LAYERS`"));
    };
    let rule = match above.cmp(&below) {
        std::cmp::Ordering::Greater => return None,
        std::cmp::Ordering::Equal => "sideways: crates of one layer do not know each other",
        std::cmp::Ordering::Less => "upward: a crate uses lower layers only",
    };
    Some(format!("{user} (layer {above}) → {used} (layer {below}), {kind}: {rule}"))
}

/// The edges between crates of a workspace: user, used, kind of dependency.
fn edges(metadata: &Value) -> Vec<(String, String, String)> {
    let packages = metadata["packages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let members: Vec<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let mut edges = Vec::new();
    for package in packages {
        for used in package["dependencies"].as_array().unwrap() {
            let name = text(&used["name"]);
            if members.contains(&name) {
                let kind = used["kind"].as_str().unwrap_or("normal");
                edges.push((text(&package["name"]), name, format!("{kind} dependency")));
            }
        }
    }
    edges
}

#[test]
fn crates_use_lower_layers_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        assert!(layer(name).is_some(), "`{name}` has no layer: give it one in `LAYERS`");
    }
    assert_eq!(
        packages.len(),
        LAYERS.iter().map(|layer| layer.len()).sum::<usize>(),
        "a layer names no crate"
    );
    let edges = edges(&metadata);
    assert!(edges.iter().any(|(user, used, _)| user == "tsugi-cli" && used == "tsugi-page"), "{edges:?}");
    let flaws: Vec<String> = edges.iter().filter_map(|(user, used, kind)| flaw(user, used, kind)).collect();
    assert!(flaws.is_empty(), "forbidden edges between crates:\n{}", flaws.join("\n"));
}

#[test]
fn forbidden_edges_are_named() {
    let metadata = serde_json::json!({"packages": [
        {"name": "tsugi-page", "dependencies": [{"name": "url", "kind": null}, {"name": "tsugi-main-content", "kind": "dev"}]},
        {"name": "tsugi-main-content", "dependencies": [{"name": "tsugi-siteinfo", "kind": null}, {"name": "tsugi-page", "kind": null}]},
        {"name": "tsugi-siteinfo", "dependencies": []},
    ]});
    let flaws: Vec<String> =
        edges(&metadata).iter().filter_map(|(user, used, kind)| flaw(user, used, kind)).collect();
    let upward = "tsugi-page (layer 0) → tsugi-main-content (layer 1), dev dependency: upward: a crate uses lower layers only";
    let sideways = "tsugi-main-content (layer 1) → tsugi-siteinfo (layer 1), normal dependency: sideways: crates of one \
                    layer do not know each other";
    assert_eq!(flaws, [upward, sideways]);
}
