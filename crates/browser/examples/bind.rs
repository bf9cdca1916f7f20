//! Makes JavaScript and types of the compiled crate: `bind FILE.wasm FOLDER web|nodejs`.
//!
//! It does what the program `wasm-bindgen` does. As an example it has the version that the lock file names, so the two that must
//! agree always do, and nothing has to be installed.

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, target] = arguments.as_slice() else {
        return Err("usage: bind FILE.wasm FOLDER web|nodejs".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).typescript(true).out_name("tsugi");
    // Names of functions are half of the file.
    bindgen.remove_name_section(true).remove_producers_section(true);
    match target.as_str() {
        "web" => bindgen.web(true)?,
        "nodejs" => bindgen.nodejs(true)?,
        other => return Err(format!("target is `{other}`, expected `web` or `nodejs`").into()),
    };
    Ok(bindgen.generate(folder)?)
}
