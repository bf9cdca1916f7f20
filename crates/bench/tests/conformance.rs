//! XPath on our own pages gives what libxml2 gives; `scripts/conformance` wrote down what that is.

#[path = "../examples/conformance/written.rs"]
mod written;

use serde_json::{Value, json};
use std::path::PathBuf;
use tsugi_page::xpath::XPathValue;
use tsugi_page::{Page, XPath};
use tsugi_training::dataset::DataSet;
use written::Written;

/// What we give otherwise, and libxml2 not. DIFFERENCE: HTML matches names without case; XPath 1.0 wants as many digits
/// as tell a number from others, where libxml2 writes 15; and it knows no exponents, which libxml2 reads.
fn different(source: &str) -> Option<Value> {
    match source {
        "string(1 div 3)" => Some(json!({"string": "0.3333333333333333"})),
        "number('1e3')" => Some(json!({"number": "nan"})),
        _ => None,
    }
}

#[test]
fn results_on_our_own_pages_are_those_of_libxml2() {
    let expected: Value = serde_json::from_str(include_str!("conformance.json")).unwrap();
    let sources: Vec<&str> =
        expected["expressions"].as_array().unwrap().iter().map(|source| source.as_str().unwrap()).collect();
    let (mut pages, mut hits) = (0, 0);
    DataSet::open(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../datasets"))
        .unwrap()
        .visit(None, |_, page| {
            let written = Written::of(&page);
            let of_page = &expected["expected"][page.url().as_str()];
            assert!(of_page.is_object(), "{}: run `scripts/conformance`", page.url());
            for source in &sources {
                let found = found(&page, &written, source);
                let lowered = if *source == "//A[@HREF]" { "//a[@href]" } else { source };
                let wanted = different(source).unwrap_or_else(|| of_page[lowered].clone());
                assert_eq!(found, wanted, "{source} on {}", page.url());
                hits += usize::from(found["nodes"].is_array());
            }
            pages += 1;
        })
        .unwrap();
    // Whoever finds nothing agrees with nothing.
    assert!(pages >= 10 && hits >= 50 * pages, "{hits} results with nodes on {pages} pages");
}

/// What an expression gives, in the form of the file: `null` is a node-set without nodes.
fn found(page: &Page, written: &Written, source: &str) -> Value {
    let value = XPath::parse(source).and_then(|xpath| xpath.evaluate(page));
    match value {
        Ok(XPathValue::Nodes(nodes)) => {
            let nodes = written.places(page, &nodes);
            if nodes.is_empty() { Value::Null } else { json!({"nodes": nodes}) }
        }
        Ok(XPathValue::String(text)) => json!({"string": text}),
        Ok(XPathValue::Number(number)) => json!({"number": python(number)}),
        Ok(XPathValue::Boolean(truth)) => json!({"boolean": truth}),
        Err(_) => json!({"error": true}),
    }
}

fn python(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else {
        format!("{number:?}")
    }
}
