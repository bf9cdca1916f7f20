//! `tsugi-lab agreement`: how far two labellings of the same pages agree.

use super::label::{read_labels, visit_pages};
use crate::arguments::AgreementArguments;
use tsugi::Tsugi;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, plain, tell, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_training::agreement::{AgreementCounts, LabelledAnswer, PageOffer};
use tsugi_training::label::url_key;

pub(crate) fn run(arguments: &AgreementArguments) -> anyhow::Result<Exit> {
    let [first, second] = [read_labels(&arguments.first)?, read_labels(&arguments.second)?];
    let tsugi = Tsugi::new();
    let mut counts = AgreementCounts::default();
    let (mut pages, mut unusable) = (0, 0);
    let progress = Progress::new("pages", None);
    let unread = visit_pages(&arguments.pages, |record, page| {
        progress.step();
        let key = url_key(&record.target);
        let (Some(first), Some(second)) = (first.get(&key), second.get(&key)) else { return Ok(()) };
        let offer = PageOffer::of(&page, &tsugi);
        match (LabelledAnswer::of(&offer, &page, first), LabelledAnswer::of(&offer, &page, second)) {
            (Ok(first), Ok(second)) => {
                counts.add(&offer, &first, &second);
                pages += 1;
            }
            (Err(why), _) | (_, Err(why)) => {
                complain(&plain(&format!("{}: {why}", record.target)));
                unusable += 1;
            }
        }
        Ok(())
    })?;
    progress.finish();
    tell(&format!("{pages} pages have both labels"));
    if pages > 0 {
        let mut stdout = Output::screen();
        write_json_line(&mut stdout, &counts.result())?;
        stdout.finish()?;
    }
    Ok(Exit::of_batch(unread.all() + unusable, pages))
}
