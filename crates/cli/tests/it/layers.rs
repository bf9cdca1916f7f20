//! Which crate may use which, and which modules of a crate: nothing in circles, and no research in what ships.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::visit::{self, Visit};

/// The layers, lowest first. A crate uses crates of lower layers only: never one above it, and never a
/// neighbour.
const LAYERS: [&[&str]; 8] = [
    &["tsugi-page", "tsugi-scoring"],
    &["tsugi-dates", "tsugi-learning"],
    &["tsugi-metadata"],
    &[
        "tsugi-next-link", "tsugi-main-content", "tsugi-siteinfo", "tsugi-site-blocks", "tsugi-document",
        "tsugi-fetch",
    ],
    &["tsugi", "tsugi-render"],
    &["tsugi-terminal", "tsugi-serve", "tsugi-browser", "tsugi-training"],
    &["tsugi-cli", "tsugi-papers"],
    &["tsugi-python", "tsugi-lab"],
];

/// What tests share: only tests use it.
const TESTING: &str = "tsugi-testing";
/// Measures all crates: none uses it.
const BENCH: &str = "tsugi-bench";

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|crates| crates.contains(&name))
}

fn flaw(user: &str, used: &str, kind: &str) -> Option<String> {
    if used == BENCH || (used == TESTING && kind != "dev dependency") {
        return Some(format!(
            "{user} → {used}, {kind}: only dev dependencies name `{TESTING}`, none names `{BENCH}`"
        ));
    }
    if [user, used].iter().any(|name| [TESTING, BENCH].contains(name)) {
        return None;
    }
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

/// What cargo says, without the network.
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).args(["--locked", "--offline"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn metadata() -> Value {
    serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap()
}

#[test]
fn crates_use_lower_layers_only() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    let layered: BTreeSet<&str> = LAYERS.iter().copied().flatten().copied().chain([TESTING, BENCH]).collect();
    assert_eq!(names, layered, "each crate has one layer in `LAYERS`");
    let edges = edges(&metadata);
    assert!(edges.iter().any(|(user, used, _)| user == "tsugi-cli" && used == "tsugi"), "{edges:?}");
    let flaws: Vec<String> = edges.iter().filter_map(|(user, used, kind)| flaw(user, used, kind)).collect();
    assert!(flaws.is_empty(), "forbidden edges between crates:\n{}", flaws.join("\n"));
}

#[test]
fn forbidden_edges_are_named() {
    let metadata = serde_json::json!({"packages": [
        {"name": "tsugi-page", "dependencies": [
            {"name": "url", "kind": null},
            {"name": "tsugi-main-content", "kind": "dev"},
            {"name": "tsugi-testing", "kind": "dev"},
        ]},
        {"name": "tsugi-main-content", "dependencies": [
            {"name": "tsugi-siteinfo", "kind": null},
            {"name": "tsugi-page", "kind": null},
        ]},
        {"name": "tsugi-siteinfo", "dependencies": [{"name": "tsugi-testing", "kind": null}]},
        {"name": "tsugi-testing", "dependencies": [{"name": "tsugi-page", "kind": null}]},
        {"name": "tsugi-bench", "dependencies": [{"name": "tsugi-siteinfo", "kind": null}]},
        {"name": "tsugi-fetch", "dependencies": [{"name": "tsugi-bench", "kind": "dev"}]},
    ]});
    let flaws: Vec<String> =
        edges(&metadata).iter().filter_map(|(user, used, kind)| flaw(user, used, kind)).collect();
    let tools = "only dev dependencies name `tsugi-testing`, none names `tsugi-bench`";
    assert_eq!(
        flaws,
        [
            "tsugi-page (layer 0) → tsugi-main-content (layer 3), dev dependency: upward: a crate uses lower layers only",
            "tsugi-main-content (layer 3) → tsugi-siteinfo (layer 3), normal dependency: sideways: crates of one layer \
             do not know each other",
            &format!("tsugi-siteinfo → tsugi-testing, normal dependency: {tools}"),
            &format!("tsugi-fetch → tsugi-bench, dev dependency: {tools}"),
        ]
    );
}

/// What is published, and the features of it that are.
const SHIPPED: [(&str, &[&str]); 4] = [
    ("tsugi", &["--all-features"]),
    ("tsugi-cli", &["--all-features"]),
    ("tsugi-python", &[]),
    ("tsugi-browser", &[]),
];

/// Research, and the libraries that only research needs.
const RESEARCH: [&str; 11] = [
    "tsugi-learning", "tsugi-training", "tsugi-papers", "tsugi-lab", "rafor", "smartcore", "linfa",
    "linfa-trees", "linfa-logistic", "liblbfgs", "plotters",
];

fn built_with(name: &str, features: &[&str]) -> Vec<(String, String)> {
    let tree = ["tree", "-p", name, "--edges", "normal,build", "--prefix", "none", "--format", "{p}|{f}"];
    let lines = cargo(&[&tree, features].concat());
    let lines = lines.lines().filter_map(|line| line.split_once('|'));
    lines
        .map(|(package, features)| (package.split(' ').next().unwrap().to_owned(), features.to_owned()))
        .collect()
}

#[test]
fn what_ships_is_built_without_research() {
    for (name, features) in SHIPPED {
        let built = built_with(name, features);
        assert!(built.iter().any(|(used, _)| used == "tsugi-main-content"), "{name}: {built:?}");
        for (used, features) in &built {
            assert!(!RESEARCH.contains(&used.as_str()), "{name} is built with `{used}`");
            let is_paper = features.split(&[',', ' '][..]).any(|feature| feature == "paper");
            assert!(!is_paper, "{name} is built with the feature `paper` of `{used}`");
        }
    }
    assert!(built_with("tsugi-lab", &[]).iter().any(|(used, _)| RESEARCH[4..].contains(&used.as_str())));
}

/// A module of a crate, by its path from the root: `["stitch", "seam"]`.
type Module = Vec<String>;

/// Which modules each module of a crate uses. A module is a file; tests do not count.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

fn modules(source: &Path) -> BTreeMap<Module, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let named = path.strip_prefix(source).unwrap().with_extension("");
                let mut module: Module = named.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                module.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
                found.insert(module, path);
            }
        }
    }
    found
}

#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl Paths {
    fn add_tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.add_tree(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) => self.0.push(with(&name.ident)),
            syn::UseTree::Rename(name) => self.0.push(with(&name.ident)),
            syn::UseTree::Glob(_) => self.0.push(before.to_vec()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(tree, before)),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
        };
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    /// Who may see an item is no use of it.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// Finds the module that a path leads to, if it leads to one of the crate.
fn target(user: &Module, path: &[String], modules: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let mut rest = path;
    let mut at = match rest.first()?.as_str() {
        "crate" => {
            rest = &rest[1..];
            Module::new()
        }
        "self" => {
            rest = &rest[1..];
            user.clone()
        }
        "super" => user.clone(),
        name if modules.contains_key(&[user.as_slice(), &[name.to_owned()]].concat()) => user.clone(),
        _ => return None,
    };
    while let Some("super") = rest.first().map(String::as_str) {
        at.pop()?;
        rest = &rest[1..];
    }
    while let Some(name) = rest.first() {
        let below = [at.as_slice(), std::slice::from_ref(name)].concat();
        if !modules.contains_key(&below) {
            break;
        }
        at = below;
        rest = &rest[1..];
    }
    (at != *user).then_some(at)
}

fn uses(source: &Path) -> Uses {
    let modules = modules(source);
    let of = |(module, path): (&Module, &PathBuf)| {
        let mut paths = Paths::default();
        paths.visit_file(&syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap());
        let used = paths.0.iter().filter_map(|path| target(module, path, &modules)).collect();
        (module.clone(), used)
    };
    modules.iter().filter(|(module, _)| module.last().is_none_or(|name| name != "tests")).map(of).collect()
}

/// Finds the circles of more than two modules: those that can all be reached from each other.
fn circles(uses: &Uses) -> Vec<BTreeSet<&Module>> {
    let reachable = |from: &Module| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            next.extend(uses.get(module).into_iter().flatten().filter(|used| seen.insert((*used).clone())));
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        uses.keys().map(|module| (module, reachable(module))).collect();
    let circle = |module: &&Module| -> BTreeSet<&Module> {
        let mutual =
            reach.iter().filter(|(other, back)| back.contains(*module) && reach[module].contains(**other));
        mutual.map(|(other, _)| *other).collect()
    };
    let found: BTreeSet<BTreeSet<&Module>> = uses.keys().map(|module| circle(&module)).collect();
    found.into_iter().filter(|circle| circle.len() > 2).collect()
}

/// Circles that are meant: a `Tsugi` makes looks, sequences and documents, which hold it; a chain model has its training
/// below it.
const MEANT: [(&str, &[&str]); 2] = [
    ("tsugi", &["following", "look", "sight", "tsugi"]),
    ("tsugi-papers", &["chain", "chain::train", "chain::train::objective"]),
];

fn is_meant(package: &str, circle: &BTreeSet<&Module>) -> bool {
    let modules: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
    MEANT.iter().any(|(name, meant)| package == *name && modules == *meant)
}

#[test]
fn no_three_modules_of_a_crate_use_each_other_in_a_circle() {
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let uses = uses(&Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src"));
        assert!(uses.len() > 1 || ["tsugi-dates", BENCH].contains(&name), "{name}: no modules");
        let circles = circles(&uses);
        let not_meant: Vec<_> = circles.iter().filter(|circle| !is_meant(name, circle)).collect();
        assert!(not_meant.is_empty(), "{name}: circles of modules: {not_meant:#?}");
    }
}

#[test]
fn circles_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; mod c; pub use a::A;");
    write("a.rs", "use crate::b::B; pub struct A;");
    write(
        "b.rs",
        "pub struct B; fn f() -> super::c::C { todo!() }\n#[cfg(test)]\nmod tests { use crate::d::D; }",
    );
    write("c.rs", "pub struct C;");
    assert!(circles(&uses(folder.path())).is_empty());
    write("c.rs", "use crate::{a::A}; pub struct C;");
    let uses = uses(folder.path());
    let names =
        |circle: &BTreeSet<&Module>| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>();
    assert_eq!(circles(&uses).iter().map(names).collect::<Vec<_>>(), [["a", "b", "c"]]);
}

/// What the library may not use without its features: parts of `std` that ask the system for something.
const SYSTEM: [&str; 7] = ["env", "fs", "net", "os", "process", "thread", "time"];

/// What `tsugi` is made of without its features, and the parts of these crates that a feature adds.
const PURE: [(&str, &[&str]); 8] = [
    ("tsugi-page", &[]),
    ("tsugi-scoring", &[]),
    ("tsugi-dates", &[]),
    ("tsugi-metadata", &[]),
    ("tsugi-next-link", &[]),
    ("tsugi-main-content", &[]),
    ("tsugi-document", &[]),
    ("tsugi", &["pipeline"]),
];

#[test]
fn the_library_without_features_asks_the_system_for_nothing() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let mut asked = Vec::new();
    for (name, added) in PURE {
        let package = packages.iter().find(|package| package["name"] == name).unwrap();
        let source = Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src");
        for (module, path) in modules(&source) {
            if module.first().is_some_and(|first| added.contains(&first.as_str()) || first == "tests") {
                continue;
            }
            let mut paths = Paths::default();
            paths.visit_file(&syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap());
            let of_system = paths.0.iter().filter(|path| {
                path.first().is_some_and(|first| first == "std")
                    && path.get(1).is_some_and(|part| SYSTEM.contains(&part.as_str()))
            });
            asked.extend(of_system.map(|used| format!("{}: {}", path.display(), used.join("::"))));
        }
    }
    assert!(asked.is_empty(), "{asked:#?}");
}
