//! The report of roles.

use super::roles::RoleTrials;
use crate::measure::Overlap;
use crate::tables::{Report, ReportDraft, figure, grid, table};
use tsugi_main_content::BlockRole;

/// Reports how well roles are found: the text of articles, each role, and which is taken for which.
pub fn role_report(trials: &RoleTrials) -> Report {
    let mean = |overlaps: &[Overlap], of: fn(Overlap) -> f64| {
        figure(
            (!overlaps.is_empty())
                .then(|| overlaps.iter().copied().map(of).sum::<f64>() / overlaps.len() as f64),
        )
    };
    let mut draft = ReportDraft::default();
    let texts = table(
        &trials.texts,
        &[
            ("data set", &|((set, _), _)| set.as_str().into()),
            ("kind or source", &|((_, kind), _)| kind.as_str().into()),
            ("pages", &|(_, overlaps)| overlaps.len().into()),
            ("precision", &|(_, overlaps)| mean(overlaps, Overlap::precision)),
            ("recall", &|(_, overlaps)| mean(overlaps, Overlap::recall)),
            ("F", &|(_, overlaps)| mean(overlaps, Overlap::f)),
        ],
    );
    draft.put("texts", texts);
    let words = |is_one: &dyn Fn(BlockRole, BlockRole) -> bool| -> u64 {
        trials.words.iter().filter(|((gold, found), _)| is_one(*gold, *found)).map(|(_, words)| words).sum()
    };
    let share = |part: u64, whole: u64| figure((whole > 0).then(|| part as f64 / whole as f64));
    let roles = table(
        BlockRole::ALL,
        &[
            ("role", &|role| role.as_str().into()),
            ("words", &|role| words(&|gold, _| gold == *role).into()),
            ("precision", &|role| {
                share(
                    words(&|gold, found| gold == *role && found == *role),
                    words(&|_, found| found == *role),
                )
            }),
            ("recall", &|role| {
                share(words(&|gold, found| gold == *role && found == *role), words(&|gold, _| gold == *role))
            }),
        ],
    );
    draft.put("roles", roles);
    let names = BlockRole::ALL.map(BlockRole::as_str);
    let headers: Vec<&str> = std::iter::once("labelled").chain(names).collect();
    let rows = BlockRole::ALL.map(|gold| {
        let all = words(&|other, _| other == gold);
        let cell = |found: BlockRole| words(&|one, other| one == gold && other == found) * 1000 / all.max(1);
        std::iter::once(gold.as_str().into()).chain(BlockRole::ALL.map(|found| cell(found).into())).collect()
    });
    draft.put("confusion", grid(&headers, rows));
    draft.finish(include_str!("role_report.md"))
}
