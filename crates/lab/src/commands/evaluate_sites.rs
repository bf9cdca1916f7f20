//! `tsugi-lab evaluate --protocol sites`: documents of made-up sites.

use crate::arguments::{EvaluateArguments, MadeUpArguments, WorldName};
use crate::commands::evaluate::{Evaluated, Plan, write_lines};
use anyhow::Context;
use std::path::Path;
use tsugi::Tsugi;
use tsugi::models::{JudgeModel, LinkModel};
use tsugi_terminal::output::write_file;
use tsugi_terminal::progress::Progress;
use tsugi_training::made_up::measure::{join_site, sites_report};
use tsugi_training::made_up::{MadeUpSite, World, sites};

/// Joins made-up sites with the built-in models.
pub(crate) fn measure_made_up_sites(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let arguments = plan.arguments;
    let world = match arguments.made_up.world {
        WorldName::Training => World::Training,
        WorldName::Judging => World::Judging,
    };
    let sites = sites(world, arguments.made_up.sites.get(), plan.seed(), &[]);
    if let Some(folder) = &arguments.made_up.pages {
        write_sites(folder, &sites)?;
    }
    let (tsugi, progress) = (detector(&arguments.made_up)?, Progress::new("sites", Some(sites.len() as u64)));
    let mut lines = Vec::new();
    for site in &sites {
        lines.push(join_site(&tsugi, site).with_context(|| format!("cannot join `{}`", site.start))?);
        progress.step();
    }
    progress.finish();
    if let Some(folder) = &arguments.output {
        write_lines(&folder.join("sites.jsonl"), &lines)?;
    }
    Ok(Evaluated::new(sites_report(&lines), true))
}

fn detector(arguments: &MadeUpArguments) -> anyhow::Result<Tsugi> {
    let mut tsugi = Tsugi::new();
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()));
    let is_none = |path: &Path| format!("`{}` is no such model", path.display());
    if let Some(path) = &arguments.next_model {
        tsugi = tsugi.with_next_model(LinkModel::from_bytes(&read(path)?).with_context(|| is_none(path))?);
    }
    if let Some(path) = &arguments.continuation_model {
        tsugi = tsugi.with_judge(Some(JudgeModel::from_bytes(&read(path)?).with_context(|| is_none(path))?));
    }
    Ok(tsugi)
}

/// Writes the pages of sites, a folder for each site, so that people can look at them.
fn write_sites(folder: &Path, sites: &[MadeUpSite]) -> anyhow::Result<()> {
    for (at, site) in sites.iter().enumerate() {
        let folder = folder.join(format!("{at:04}-{}", site.family.name()));
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        for (number, page) in site.pages.iter().enumerate() {
            write_file(&folder.join(format!("{number}.html")), page.html.as_bytes())?;
        }
        let labels: Vec<_> = site.pages.iter().map(|page| &page.label).collect();
        write_lines(&folder.join("labels.jsonl"), &labels)?;
        write_file(&folder.join("site.txt"), format!("{}\n{:#?}\n", site.variant, site.wanted).as_bytes())?;
    }
    Ok(())
}

impl EvaluateArguments {
    /// Returns `true` if an option of made-up sites is given.
    pub(crate) fn names_made_up_sites(&self) -> bool {
        let MadeUpArguments { world, pages, next_model, continuation_model, .. } = &self.made_up;
        let names_file = [pages, next_model, continuation_model].into_iter().any(Option::is_some);
        names_file || *world != WorldName::Judging
    }
}
