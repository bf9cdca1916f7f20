//! How long the stages of `tsugi scan` take: `cargo bench -p tsugi-bench --bench pages`.
//!
//! On some pages of two data sets, held in memory; a stage is given what those before it made. The ratios that are
//! published are of whole pages (`scripts/bench`): here one sees what a change did to a stage.

#![expect(clippy::print_stdout, reason = "what is skipped is told")]

mod stages;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;
use tsugi_bench::models::Models;
use tsugi_fetch::records;
use tsugi_page::{Page, Response};

/// Data sets, and one page in how many is taken.
const SETS: [(&str, usize); 2] = [("sites", 40), ("wcxb", 100)];

fn bench(criterion: &mut Criterion) {
    let models = Models::load();
    for (set, every) in SETS {
        let archive = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../shared/data")
            .join(set)
            .join("pages.warc.gz");
        if !archive.exists() {
            println!("skipped: {} is not there", archive.display());
            continue;
        }
        let pages =
            records(&archive).expect("an archive").flatten().filter_map(|record| record.response.ok());
        bench_set(criterion, &models, set, &pages.step_by(every).collect::<Vec<Response>>());
    }
}

fn bench_set(criterion: &mut Criterion, models: &Models, set: &str, responses: &[Response]) {
    let bytes: usize = responses.iter().map(|response| response.body.len()).sum();
    println!("{set}: {} pages of {} KB", responses.len(), bytes / responses.len().max(1) / 1000);
    let mut group = criterion.benchmark_group(set);
    group.sample_size(10).throughput(Throughput::Elements(responses.len() as u64));
    let mut bench = |name: &str, stage: &mut dyn FnMut(usize)| {
        assert!(stages::STAGES.contains(&name), "{name} is a stage");
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| (0..responses.len()).for_each(&mut *stage));
        });
    };

    let texts: Vec<String> = responses.iter().map(stages::decode).collect();
    let pages: Vec<Page> =
        texts.iter().zip(responses).map(|(text, response)| stages::parse(text, response)).collect();
    let surveys: Vec<_> = pages.iter().map(stages::link_survey).collect();
    let places: Vec<_> = surveys.iter().map(|survey| stages::link_first_look(models, survey)).collect();
    let found: Vec<_> = pages.iter().map(|page| stages::found(models, page)).collect();
    let contexts: Vec<_> = pages
        .iter()
        .zip(&found)
        .map(|(page, (next, _))| stages::block_context(page, next.as_ref()))
        .collect();
    let linear: Vec<_> = contexts.iter().map(|context| stages::block_tokens(models, context)).collect();
    let block_rows: Vec<_> =
        contexts.iter().zip(&linear).map(|(context, linear)| stages::block_rows(context, linear)).collect();
    let scores: Vec<_> = block_rows.iter().map(|rows| stages::block_forest(models, rows)).collect();
    let candidates = |at: usize| stages::candidates(&contexts[at], &scores[at], &linear[at]);
    let candidate_rows: Vec<_> = (0..pages.len()).map(|at| candidates(at).1).collect();
    let lines: Vec<_> =
        pages.iter().zip(&found).map(|(page, (_, content))| stages::text(page, content)).collect();

    bench("decode", &mut |at| drop(black_box(stages::decode(&responses[at]))));
    bench("parse", &mut |at| drop(black_box(stages::parse(&texts[at], &responses[at]))));
    bench("link survey", &mut |at| drop(black_box(stages::link_survey(&pages[at]))));
    bench("link first look", &mut |at| drop(black_box(stages::link_first_look(models, &surveys[at]))));
    bench("link second look", &mut |at| {
        drop(black_box(stages::link_second_look(models, &surveys[at], &places[at])));
    });
    bench("unfollowable", &mut |at| {
        black_box(stages::unfollowable(&surveys[at], found[at].0.as_ref()));
    });
    bench("block context", &mut |at| {
        drop(black_box(stages::block_context(&pages[at], found[at].0.as_ref())));
    });
    bench("block tokens", &mut |at| drop(black_box(stages::block_tokens(models, &contexts[at]))));
    bench("block rows", &mut |at| drop(black_box(stages::block_rows(&contexts[at], &linear[at]))));
    bench("block forest", &mut |at| drop(black_box(stages::block_forest(models, &block_rows[at]))));
    bench("candidates", &mut |at| drop(black_box(candidates(at))));
    bench("candidate forest", &mut |at| {
        drop(black_box(stages::candidate_forest(models, &candidate_rows[at])));
    });
    bench("text", &mut |at| drop(black_box(stages::text(&pages[at], &found[at].1))));
    bench("line", &mut |at| drop(black_box(stages::line(&lines[at]))));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
