//! `tsugi-lab thesis`: the thesis' whole pipeline. Follow, find content, put it one after the other.

use super::arguments::ThesisJoinArguments;
use anyhow::{Context, bail};
use std::io::Write;
use std::sync::Arc;
use tsugi::{Fetch, JoinOptions, Tsugi, Url};
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_next_link::paper::PaperLinkDetector;
use tsugi_papers::paper::{PublishedThesis, concatenated};
use tsugi_scoring::ModelFile;
use tsugi_terminal::detection::model;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, counted, tell};
use tsugi_terminal::source::{
    SourceArgument, WebClient, http_options, names_no_page, open_archive, open_file, stored_page, web_address,
};

pub(crate) fn run(arguments: &ThesisJoinArguments) -> anyhow::Result<Exit> {
    let links = PaperLinkDetector::new(model(&arguments.next_model, ModelFile::from_bytes)?);
    let content = PaperContentDetector::new(model(&arguments.content_model, ModelFile::from_bytes)?)
        .with_context(|| format!("`{}` cannot be used", arguments.content_model.display()))?;
    let tsugi = Tsugi::new().with_detector(PublishedThesis { links, content });
    let mut output = Output::open(arguments.output.as_deref())?;
    let urls = web_address(&arguments.source).into_iter();
    let web = WebClient::new(http_options(&arguments.network, urls)?);
    let (start, pages) = pages_from(arguments, &web)?;
    let following = tsugi.follow(start, &JoinOptions::default());
    let joined = following.run(|url, _| Some(pages.fetch(url).map_err(|error| error.into_unavailable(url))));
    web.save_cookies()?;
    let joined = joined?;
    let text = concatenated(&joined.parts);
    let stopped = &joined.stopped;
    let pages = counted(joined.parts.len(), "page");
    tell(&format!("{}: {pages}; stopped: {}", arguments.source, stopped.reason));
    if text.is_empty() {
        complain(&format!("{}: no main content found", arguments.source));
        return Ok(Exit::NothingFound);
    }
    writeln!(output, "{text}")?;
    output.finish()?;
    Ok(Exit::Done)
}

/// Returns the address of the first page, and where pages come from.
fn pages_from(arguments: &ThesisJoinArguments, web: &WebClient) -> anyhow::Result<(Url, Arc<dyn Fetch>)> {
    if let Some(path) = &arguments.pages {
        return Ok((stored_page(&arguments.source)?, Arc::new(open_archive(path)?)));
    }
    Ok(match SourceArgument::of(&arguments.source)? {
        SourceArgument::Web(url) => (url, web.http()?.clone()),
        SourceArgument::File(path) => {
            let (url, files) = open_file(&path)?;
            (url, Arc::new(files))
        }
        SourceArgument::Archive(path) => return Err(names_no_page(&path)),
        SourceArgument::Stdin => bail!("give a file or a URL: pages that follow are not on stdin"),
    })
}
