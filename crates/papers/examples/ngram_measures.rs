//! Measures texts by n-grams, for other implementations to check.
//!
//! ```text
//! ngram_measures < lines
//! ```
//!
//! A line read is `{"reference": text, "candidates": [[piece, …], …]}`, a candidate being its pieces on lines of their
//! own. A line written is `{"reference": [token, …], "candidates": [{"tokens": […], "bleu": …, "rouge": …}, …]}`, and the
//! last one `{"seconds": …}`, what reading and comparing took. Called by `scripts/ngram-measures`.

use std::io::{BufRead, BufWriter, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tsugi_papers::ngrams::{ReferenceText, text_tokens};

type MeasuresError = Box<dyn std::error::Error>;

fn main() -> Result<(), MeasuresError> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut spent = Duration::ZERO;
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line?)?;
        let text = line["reference"].as_str().ok_or("a line without `reference`")?;
        let candidates: Vec<String> = list(&line["candidates"])
            .map(|pieces| list(pieces).filter_map(Value::as_str).collect::<Vec<_>>().join("\n"))
            .collect();
        let start = Instant::now();
        let reference = ReferenceText::new(text);
        let found: Vec<_> = candidates.iter().map(|candidate| reference.overlap(candidate)).collect();
        spent += start.elapsed();
        let measured = candidates.iter().zip(found).map(|(candidate, overlap)| {
            let tokens: Vec<&str> = text_tokens(candidate).collect();
            json!({ "tokens": tokens, "bleu": overlap.bleu_4(), "rouge": overlap.rouge_2() })
        });
        let measured: Vec<Value> = measured.collect();
        let tokens: Vec<&str> = text_tokens(text).collect();
        writeln!(out, "{}", json!({ "reference": tokens, "candidates": measured }))?;
    }
    writeln!(out, "{}", json!({ "seconds": spent.as_secs_f64() }))?;
    out.flush()?;
    Ok(())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
