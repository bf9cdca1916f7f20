//! The experiments of the papers as protocols of `tsugi-lab evaluate`.

use super::train::{paper_params, read_crf, read_paper};
use crate::commands::evaluate::{Evaluated, Plan};
use crate::commands::train::model_trainer;
use std::time::Instant;
use tsugi_papers::crf::{CrfLine, CrfParams, CrfPlan, CrfTrainer, crf_report, evaluate_crf};
use tsugi_papers::page_sets::{PageSetLine, evaluate_page_sets, page_sets_report, page_sets_times};
use tsugi_papers::paper::{PaperPlan, PaperTrainer, paper_report, run_paper};
use tsugi_terminal::output::complain;
use tsugi_terminal::progress::Progress;
use tsugi_training::cross_validation::{CrossValidation, FoldPlan};

pub(crate) fn validate_thesis(plan: &Plan<'_>) -> anyhow::Result<(CrossValidation, bool)> {
    let (examples, all_used) = read_paper(plan.sets)?;
    let params = paper_params(&plan.arguments.learner);
    let trainer =
        PaperTrainer { examples: &examples, links: params.clone(), content: params, seed: plan.seed() };
    Ok((plan.validate(&FoldPlan::new(plan.sets, &examples.groups, &trainer))?, all_used))
}

pub(crate) fn repeat_thesis(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let (examples, all_used) = read_paper(plan.sets)?;
    let thesis = &plan.arguments.thesis;
    let paper = PaperPlan {
        seed: plan.seed(),
        splits: thesis.splits.get(),
        choice_splits: usize::from(thesis.choice_splits),
    };
    // All pages, and two kinds of fewer.
    let progress = Progress::new("splits", Some((3 * paper.splits + paper.choice_splits) as u64));
    let begin = Instant::now();
    let result = run_paper(plan.sets, &examples, paper, &|| begin.elapsed(), &|| progress.step())?;
    progress.finish();
    Ok(Evaluated::new(paper_report(&result)?, all_used))
}

pub(crate) fn measure_page_sets(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    plan.measure_sites(|folds, progress| {
        let begin = Instant::now();
        let result = evaluate_page_sets(folds, &|| begin.elapsed(), || progress.step())?;
        let times = page_sets_times(&result.times);
        if plan.arguments.output.is_none() {
            complain(&times);
        }
        let mut report = page_sets_report(plan.sets, &result);
        report.files.push(("times.md".to_owned(), times));
        plan.add_lines(&mut report, |at| {
            result.sites.iter().filter(move |site| site.set == at).map(PageSetLine::of)
        })?;
        Ok(report)
    })
}

pub(crate) fn measure_chains(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let (examples, all_used) = plan.read_labelled()?;
    let models = model_trainer(&examples, &plan.arguments.learner);
    let (blocks, all_cut) = read_crf(plan.sets, &plan.measured)?;
    let chains = CrfTrainer { examples: &blocks, params: CrfParams::default(), seed: plan.seed() };
    let progress = Progress::new("folds and pages", Some((plan.folds() + blocks.pages.len()) as u64));
    let crf = CrfPlan {
        sets: plan.sets,
        measured: &plan.measured,
        chains: &chains,
        models: &models,
        folds: plan.folds(),
        seed: plan.seed(),
    };
    let result = evaluate_crf(&crf, || progress.step())?;
    progress.finish();
    let mut report = crf_report(plan.sets, &result)?;
    plan.add_lines(&mut report, |at| {
        let pages = result.pages.iter().filter(move |page| page.set == at);
        pages.map(|page| CrfLine::of(plan.sets, page))
    })?;
    Ok(Evaluated::new(report, all_used && all_cut))
}
