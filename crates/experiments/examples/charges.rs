//! temp
#![allow(clippy::all, clippy::pedantic, clippy::print_stdout)]
use std::path::Path;
use std::time::Instant;
use tsugi_experiments::{DataSet, mix};
use tsugi_page::xpath::{BUDGET, Budget};
use tsugi_siteinfo::Siteinfo;
fn main() {
    let data = Path::new("/work/shared/data");
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let dumps: Vec<Siteinfo> = ["wedata-2024-08.json", "wedata-2013-10.json", "sites.json"]
        .iter()
        .map(|d| {
            Siteinfo::read(&std::fs::read(data.join("rules").join(d)).unwrap()).unwrap().with_generic_items()
        })
        .collect();
    let mut own: Vec<(u64, f64, String)> = vec![];
    let mut all: Vec<(u64, f64, usize, String)> = vec![];
    let (mut evals, mut secs, mut steps) = (0u64, 0.0, 0u64);
    for set in ["bulk", "crawls", "wcxb", "web", "sites", "wedata", "autopager"] {
        let set = DataSet::open(&data.join(set)).unwrap();
        let mut order: Vec<(u64, usize)> = (0..set.labels().len()).map(|i| (mix(1, i), i)).collect();
        order.sort_unstable();
        let sampled: std::collections::BTreeSet<usize> = order.into_iter().take(n).map(|(_, i)| i).collect();
        set.visit(None, |index, page| {
            for dump in &dumps {
                let t = Instant::now();
                let mut budget = Budget::default();
                for item in dump.matching(page.url()) {
                    let _ = item.next_link.nodes_within(&page, &mut budget);
                    let _ = item.page_element.nodes_within(&page, &mut budget);
                    if let Some(b) = &item.insert_before {
                        let _ = b.nodes_within(&page, &mut budget);
                    }
                }
                let s = BUDGET - budget.left();
                if s > 0 {
                    own.push((
                        s,
                        t.elapsed().as_secs_f64(),
                        format!("{} {} nodes", page.url(), page.node_count()),
                    ));
                }
            }
            if sampled.contains(&index) {
                for dump in &dumps {
                    for item in dump.items() {
                        for x in
                            [Some(&item.next_link), Some(&item.page_element), item.insert_before.as_ref()]
                                .into_iter()
                                .flatten()
                        {
                            let t = Instant::now();
                            let mut budget = Budget::default();
                            let _ = x.nodes_within(&page, &mut budget);
                            let s = BUDGET - budget.left();
                            let e = t.elapsed().as_secs_f64();
                            evals += 1;
                            secs += e;
                            steps += s;
                            if s > 200_000 || e > 0.01 {
                                all.push((s, e, page.node_count(), format!("{} {}", item.name, x.source())));
                            }
                        }
                    }
                }
            }
        })
        .unwrap();
    }
    own.sort_by(|a, b| b.0.cmp(&a.0));
    println!("own pages {} max:", own.len());
    for o in own.iter().take(8) {
        println!("{:?}", o);
    }
    all.sort_by(|a, b| b.0.cmp(&a.0));
    println!("evals {evals} seconds {secs:.1} steps {steps} ns/step {:.2}", secs * 1e9 / steps as f64);
    for a in all.iter().take(25) {
        println!(
            "{} {:.4} {} {:.1} ns/step {}",
            a.0,
            a.1,
            a.2,
            a.1 * 1e9 / a.0 as f64,
            &a.3.chars().take(150).collect::<String>()
        );
    }
}
