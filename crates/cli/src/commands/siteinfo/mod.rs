//! `tsugi siteinfo`: rules for individual sites.

mod check;
mod learn;
pub(crate) mod update;

use crate::args::{SiteinfoArguments, SiteinfoCommand};
use tsugi_terminal::exit::Exit;

pub(crate) fn run(arguments: &SiteinfoArguments) -> anyhow::Result<Exit> {
    match &arguments.command {
        SiteinfoCommand::Check(arguments) => check::run(arguments),
        SiteinfoCommand::Learn(arguments) => learn::run(arguments),
        SiteinfoCommand::Update(arguments) => update::run(arguments),
        SiteinfoCommand::Show => update::show(),
    }
}
