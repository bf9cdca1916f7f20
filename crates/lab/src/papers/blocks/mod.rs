//! `tsugi-lab blocks`: content block by block, by comparing pages of a site or by the blocks of one page.

mod crf;
mod lines;
mod measure;
mod method;
mod repeated;
mod rules;
mod unique;

use crate::papers::arguments::{BlocksArguments, BlocksMethod, RulesArguments, UniqueArguments};
use std::path::Path;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{misuse_of_output, refuse};

pub(crate) fn run(arguments: &BlocksArguments) -> anyhow::Result<Exit> {
    let (pages, lines, learned): (Vec<&Path>, _, _) = match &arguments.method {
        BlocksMethod::Unique(UniqueArguments { pages, .. }) | BlocksMethod::Repeated(pages) => {
            (vec![&pages.pages], &pages.lines, None)
        }
        BlocksMethod::Rules(RulesArguments { pages, rules, .. }) => {
            (vec![&pages.pages], &pages.lines, rules.as_deref())
        }
        BlocksMethod::Crf(arguments) => {
            (arguments.sources.iter().map(Path::new).collect(), &arguments.lines, arguments.model.as_deref())
        }
    };
    let sources = pages.into_iter().chain(lines.labels()).chain(learned);
    if let Some(misuse) = misuse_of_output(lines.output.as_deref(), sources) {
        return Ok(refuse(&misuse));
    }
    match &arguments.method {
        BlocksMethod::Unique(arguments) => unique::run(arguments),
        BlocksMethod::Repeated(arguments) => repeated::run(arguments),
        BlocksMethod::Rules(arguments) => rules::run(arguments),
        BlocksMethod::Crf(arguments) => crf::run(arguments),
    }
}
