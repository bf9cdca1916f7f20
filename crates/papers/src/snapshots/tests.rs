use super::*;
use tsugi_page::Selector;
use tsugi_training::tables::ReportDraft;

fn select(page: &Page, selector: &str) -> Vec<NodeId> {
    page.select(&Selector::parse(selector).unwrap())
}

fn site(name: &str) -> SnapshotSite {
    let page = |number: usize| {
        let url = format!("https://a.test/{number}").parse().unwrap();
        let html = format!(
            "<html lang=en><body><ul><li><a href=/>Home</a></ul><div class=post><h1>Snow, part {number}</h1>\
             <p>It fell at noon on the day of the races number {number}, and 12{number} people saw it from their windows \
             or from the road, as far as we know.</p><p>The mayor of town {number} had never seen anything like it in \
             her long life.</p><p>Nobody had a shovel, and the {number} trains stayed where they were until noon.</p></div>\
             <div id=sidebar><h3>Popular</h3><a>One thing of {number}</a><a>Two things</a><a>Three things</a></div><p>©</p>"
        );
        let page = Page::from_text(&html, &url);
        let nodes = select(&page, "div.post");
        (page, nodes)
    };
    SnapshotSite { site: name.to_owned(), group: 3, pages: (0..6).map(page).collect() }
}

/// With the labelled content no decision is wrong, whatever is drawn.
#[test]
fn a_detector_without_mistakes_makes_none() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let sites = [site("a"), site("b")];
        let find = |group: usize, page: &Page| {
            assert_eq!(group, 3);
            Content {
                nodes: select(page, "div.post"),
                without: select(page, "div.post .date, div.post .meta, div.post .posted"),
                score: 1.0,
                evidence: tsugi_page::Evidence::Model,
            }
        };
        let result = evaluate_snapshots(&sites, &find, seed);
        assert_eq!((result.histories.len(), result.left_out), (6, 0));
        for history in &result.histories {
            let answer = &history.answers[0];
            let expected: Vec<bool> = history.steps.iter().map(|step| *step == ChangeKind::Body).collect();
            assert_eq!(answer.changed, expected, "seed {seed}: {history:?}");
            assert_eq!(answer.last, history.changed_at());
            assert_eq!(answer.estimates[1], Estimate::Right, "a right header: {history:?}");
            assert_ne!(answer.estimates[0], Estimate::Misled, "nothing misleads: {history:?}");
            assert_eq!(history.body.is_some(), history.changed_at().is_some());
            kinds.extend(history.body);
            // What nothing was done to is the same page, and what anything was done to is another one.
            let markup = &history.answers[5].changed;
            for (step, changed) in history.steps.iter().zip(markup) {
                assert_eq!(*step != ChangeKind::None, *changed, "seed {seed}: {history:?}");
            }
        }
        assert_eq!(result, evaluate_snapshots(&sites, &find, seed), "equal seeds give equal histories");
    }
    assert!(kinds.iter().copied().eq(["added", "number", "removed", "sentence", "word"]), "{kinds:?}");
}

#[test]
fn tables_count_decisions_and_histories() {
    let answer =
        |changed: [bool; 2], last| HistoryAnswer { changed: changed.to_vec(), last, estimates: Vec::new() };
    let history = |design, steps: [ChangeKind; 2], right| HistoryResult {
        site: "a".to_owned(),
        design,
        steps: steps.to_vec(),
        body: None,
        answers: vec![right; SnapshotMethod::ALL.len()],
    };
    let (body, date) = (ChangeKind::Body, ChangeKind::Date);
    let result = SnapshotsResult {
        histories: vec![
            history(false, [date, body], answer([false, true], Some(2))),
            history(false, [body, date], answer([true, true], Some(2))),
            history(false, [date, date], answer([false, false], None)),
            history(true, [body, date], answer([false, false], None)),
        ],
        left_out: 1,
    };
    let mut draft = ReportDraft::default();
    put_snapshots(&mut draft, &result);
    let filled = |template: &str| draft.fill(template);
    // Dates: 3 of 4 right, changes of the text 2 of 2; 5 of 6 decisions, 2 of 3 histories.
    assert_eq!(
        filled("{unseen_histories}"),
        "3 histories of five snapshots, from pages of 1 sites; in 2 the text changes once\n"
    );
    let unseen = filled("{unseen_decisions}");
    assert!(unseen.contains("| model | – | – | – | – | 0.750 | 1.000 | 0.833 | 0.667 |"), "{unseen}");
    let seen = filled("{seen_decisions}");
    assert!(seen.contains("| model | – | – | – | – | 1.000 | 0.000 | 0.500 | 0.000 |"), "{seen}");
    assert_eq!(filled("{left_out}"), "1\n");
}
