//! How fast learned items are beside the models that they were learned from: `cargo bench -p tsugi-bench`.
//!
//! On the pages of some sites: parsing; parsing, then next link and content by the learned item; parsing, then both by
//! the models; and learning the items. The ratios are of runs that take turns, so that what else the machine does
//! weighs on all alike.

#![expect(clippy::print_stdout, reason = "what is compared is printed")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tsugi::Tsugi;
use tsugi_fetch::records;
use tsugi_page::Response;
use tsugi_siteinfo::Item;
use tsugi_siteinfo::learn::{Observed, learn};
use tsugi_training::dataset::DataSet;

/// One site in so many is taken: all 116 would take minutes.
const EVERY: usize = 8;

const TURNS: usize = 20;

struct Site {
    pages: Vec<Response>,
    item: Item,
}

fn sites(models: &Tsugi, folder: &Path) -> Vec<Site> {
    let set = DataSet::open(folder).expect("labels");
    let mut by_name: BTreeMap<&str, Vec<Response>> = BTreeMap::new();
    for record in records(&set.pages_path()).expect("an archive").flatten() {
        let Some(label) = set.label_of(&record.target) else { continue };
        by_name.entry(&set.labels()[label].site).or_default().extend(record.response.ok());
    }
    let chosen = by_name.into_values().step_by(EVERY);
    let learned = chosen.filter_map(|pages| {
        let item = learned(models, &observed(models, &pages))?;
        Some(Site { pages, item })
    });
    learned.collect()
}

fn learned(models: &Tsugi, observed: &[Observed]) -> Option<Item> {
    let observed: Vec<&Observed> = observed.iter().collect();
    Some(learn(&observed, models.threshold()).ok()?.item)
}

fn learn_all(models: &Tsugi, sites: &[Vec<Observed>]) {
    for site in sites {
        black_box(learned(models, site));
    }
}

fn observed(models: &Tsugi, pages: &[Response]) -> Vec<Observed> {
    pages.iter().map(|page| models.observe(page.page())).collect()
}

fn parse(sites: &[Site]) {
    for response in sites.iter().flat_map(|site| &site.pages) {
        black_box(response.page());
    }
}

fn parse_and_item(sites: &[Site]) {
    for site in sites {
        for response in &site.pages {
            let page = response.page();
            black_box(site.item.page_elements(&page).ok());
            black_box(site.item.next_link(&page).ok());
        }
    }
}

fn parse_and_models(sites: &[Site], models: &Tsugi) {
    for response in sites.iter().flat_map(|site| &site.pages) {
        black_box(models.observe(response.page()));
    }
}

fn timed(what: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    what();
    begin.elapsed()
}

fn bench(criterion: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("../shared/data/sites");
    if !folder.join("pages.warc.gz").exists() {
        println!("skipped: {} is not there", folder.display());
        return;
    }
    let models = Tsugi::new();
    let sites = sites(&models, &folder);
    let pages: usize = sites.iter().map(|site| site.pages.len()).sum();
    println!("{pages} pages of {} sites", sites.len());

    let mut group = criterion.benchmark_group("pages");
    group.sample_size(10);
    group.bench_function("parse", |bencher| bencher.iter(|| parse(&sites)));
    group.bench_function("parse, item", |bencher| bencher.iter(|| parse_and_item(&sites)));
    group.bench_function("parse, models", |bencher| bencher.iter(|| parse_and_models(&sites, &models)));
    group.finish();

    let observed: Vec<Vec<Observed>> = sites.iter().map(|site| observed(&models, &site.pages)).collect();
    let mut group = criterion.benchmark_group("sites");
    group.sample_size(10);
    group.bench_function("learn", |bencher| bencher.iter(|| learn_all(&models, &observed)));
    group.finish();

    let (mut bare, mut by_item, mut by_models) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        bare.push(timed(|| parse(&sites)));
        by_item.push(timed(|| parse_and_item(&sites)));
        by_models.push(timed(|| parse_and_models(&sites, &models)));
    }
    let learning = timed(|| learn_all(&models, &observed));
    let [bare, by_item, by_models] = [bare, by_item, by_models].map(median);
    let ratio = |time: Duration| time.as_secs_f64() / bare.as_secs_f64();
    let a_page = |time: Duration| time.as_secs_f64() * 1e6 / pages as f64;
    println!("parse                  1.00 × parse, {:.0} µs a page", a_page(bare));
    println!("parse, learned item    {:.2} × parse, {:.0} µs a page", ratio(by_item), a_page(by_item));
    println!("parse, models          {:.2} × parse, {:.0} µs a page", ratio(by_models), a_page(by_models));
    println!("learning               {:.1} ms a site", learning.as_secs_f64() * 1e3 / sites.len() as f64);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

criterion_group!(benches, bench);
criterion_main!(benches);
