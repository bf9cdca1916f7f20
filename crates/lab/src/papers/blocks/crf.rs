//! `tsugi-lab blocks crf`: blocks labelled by chains, and judged again with the blocks around them.

use super::lines::{BlockLines, BlocksAnswer};
use crate::papers::arguments::CrfArguments;
use tsugi::Page;
use tsugi_fetch::chain;
use tsugi_papers::block_crf::{BlockCrf, Thresholds};
use tsugi_terminal::detection::model;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{complain, refuse};
use tsugi_terminal::source::{
    SourceArgument, WebClient, http_options, page_of, web_address, without_password,
};

/// The built-in chains; `scripts/train-models` trains them.
static BUILT_IN: &[u8] = include_bytes!("../../../models/crf.model");

pub(crate) fn run(arguments: &CrfArguments) -> anyhow::Result<Exit> {
    let model = match &arguments.model {
        Some(path) => model(path, BlockCrf::from_bytes)?,
        None => BlockCrf::from_bytes(BUILT_IN)?,
    };
    let thresholds = match chosen_thresholds(arguments, model.thresholds) {
        Ok(thresholds) => thresholds,
        Err(misuse) => return Ok(refuse(misuse)),
    };
    let answer = |page: &Page| answer(&model, thresholds, page);
    let mut lines = BlockLines::open(&arguments.lines)?;
    let urls = arguments.sources.iter().filter_map(|source| web_address(source));
    let web = WebClient::new(http_options(&arguments.network, urls)?);
    let mut broken = 0;
    for argument in &arguments.sources {
        match SourceArgument::of(argument) {
            Ok(SourceArgument::Archive(path)) => {
                broken += lines.add_archive(&path, complain, |_, page| Ok(answer(page)))?;
            }
            Ok(source) => {
                let (url, fetched) = page_of(&source, None, &web)?;
                match fetched {
                    Ok(response) => {
                        let page = response.page();
                        lines.add(page.url().as_str(), &page, answer(&page))?;
                    }
                    Err(error) => lines.add_failure(url.as_str(), chain(&error))?,
                }
            }
            Err(error) => lines.add_failure(&without_password(argument), chain(error.as_ref()))?,
        }
    }
    web.save_cookies()?;
    lines.finish(broken)
}

/// Returns the thresholds of the second judgement: the given ones, and the model’s own otherwise; `None` for the first
/// judgement alone.
fn chosen_thresholds(
    arguments: &CrfArguments,
    of_model: Option<Thresholds>,
) -> Result<Option<Thresholds>, &'static str> {
    if arguments.first {
        return Ok(None);
    }
    match (arguments.upper, arguments.lower, of_model) {
        (None, None, of_model) => Ok(of_model),
        (Some(upper), Some(lower), _) => Ok(Some(Thresholds { upper, lower })),
        (upper, lower, Some(of_model)) => Ok(Some(Thresholds {
            upper: upper.unwrap_or(of_model.upper),
            lower: lower.unwrap_or(of_model.lower),
        })),
        (_, _, None) => Err("the model has no thresholds of its own; give both --upper and --lower"),
    }
}

fn answer(model: &BlockCrf, thresholds: Option<Thresholds>, page: &Page) -> Result<BlocksAnswer, String> {
    let judged = model.judge(page).map_err(|error| chain(&error))?;
    Ok(BlocksAnswer { kept: judged.kept(page, &judged.labels(thresholds)), can_measure: true })
}
