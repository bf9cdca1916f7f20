//! `tsugi-lab features`: rows of the thesis' features as CSV.

use super::arguments::{FeaturesArguments, RowKind};
use super::train::read_paper;
use crate::arguments::CorrectionsArgument;
use crate::commands::train::open_data;
use tsugi_papers::paper::{write_element_rows, write_link_rows};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, tell};

pub(crate) fn run(arguments: &FeaturesArguments) -> anyhow::Result<Exit> {
    let sets = open_data(&arguments.data, &CorrectionsArgument { corrections: None })?;
    let (examples, all_used) = read_paper(&sets)?;
    let mut output = Output::open(arguments.output.as_deref())?;
    let rows = match arguments.rows {
        RowKind::Links => write_link_rows(&sets, &examples, &mut output)?,
        RowKind::Elements => write_element_rows(&sets, &examples, &mut output)?,
    };
    output.finish()?;
    tell(&format!("{rows} rows"));
    Ok(if all_used { Exit::Done } else { Exit::PartlyFailed })
}
