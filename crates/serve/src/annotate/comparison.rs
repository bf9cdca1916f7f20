//! All people of a set, compared with the person who settled it. If nobody did, they are compared with each other.

use super::agreement::{Offered, PageChoice, PairAgreement, PairTally};
use super::annotation::Annotation;
use super::sets::{FolderName, Sets};
use crate::error::ApiError;
use serde::Serialize;
use std::collections::BTreeMap;
use tsugi::{Fetch, Page, Tsugi, Url};

/// The person whose answers count as right.
const SETTLED: &str = "settled";

#[derive(Debug, Serialize)]
pub(super) struct SetAgreement {
    /// Whether somebody settled the set. Then `rows` has comparisons with that person alone.
    confirmed: bool,
    disagreements: Vec<Disagreement>,
    rows: Vec<AgreementRow>,
}

#[derive(Debug, Serialize)]
struct AgreementRow {
    against: String,
    agreement: PairAgreement,
    person: String,
}

/// A page about which people say different things.
#[derive(Debug, Serialize)]
struct Disagreement {
    people: Vec<String>,
    settled: bool,
    title: Option<String>,
    url: Url,
}

pub(super) fn compare(sets: &Sets, tsugi: &Tsugi, set: &FolderName) -> Result<SetAgreement, ApiError> {
    let (queue, archive) = (sets.queue(set)?, sets.archive(set)?);
    let mut people = Vec::new();
    for person in sets.people(set)? {
        let saved = sets.saved(set, &person)?.pages;
        people.push((person, saved));
    }
    let mut tallies: BTreeMap<(&str, &str), PairTally> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for queued in queue {
        let said: Vec<(&str, &Annotation)> = people
            .iter()
            .filter_map(|(person, saved)| Some((person.as_str(), &saved.get(&queued.url)?.annotation)))
            .collect();
        if said.len() < 2 {
            continue;
        }
        let Ok(response) = archive.fetch(&queued.url) else { continue };
        let page = response.page();
        let offered = Offered::of(&page, tsugi);
        let choices = choices(&offered, &page, &said)?;
        for (first, of_first) in &choices {
            for (second, of_second) in choices.iter().filter(|(second, _)| second != first) {
                tallies.entry((*first, *second)).or_default().add(&offered, of_first, of_second);
            }
        }
        let differ = |(at, (_, one)): (usize, &(&str, PageChoice))| {
            choices[at + 1..].iter().any(|(_, other)| one.differs(other))
        };
        if choices.iter().enumerate().any(differ) {
            disagreements.push(Disagreement {
                people: choices.iter().map(|(person, _)| (*person).to_owned()).collect(),
                settled: choices.iter().any(|(person, _)| *person == SETTLED),
                title: queued.title,
                url: queued.url,
            });
        }
    }
    let confirmed = tallies.keys().any(|(_, against)| *against == SETTLED);
    let rows = tallies.iter().filter(|((_, against), _)| !confirmed || *against == SETTLED);
    let rows = rows.map(|((person, against), tally)| AgreementRow {
        against: (*against).to_owned(),
        agreement: tally.result(),
        person: (*person).to_owned(),
    });
    Ok(SetAgreement { confirmed, disagreements, rows: rows.collect() })
}

fn choices<'p>(
    offered: &Offered,
    page: &Page,
    said: &[(&'p str, &Annotation)],
) -> Result<Vec<(&'p str, PageChoice)>, ApiError> {
    let choice =
        |(person, annotation): &(&'p str, &Annotation)| Ok((*person, offered.chosen(page, annotation)?));
    said.iter().map(choice).collect()
}
