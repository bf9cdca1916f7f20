//! The kinds of sites.

mod ends;
mod series;
mod singles;
mod split;

use super::maker::{SiteMaker, WantedPaths};
use super::pager::Way;
use super::site::SiteFamily;
use super::skeletons::Shape;
use super::theme::Clutter;
use singles::Likeness;
use split::End;

impl SiteFamily {
    pub(super) fn shape(self) -> Shape {
        match self {
            SiteFamily::Book | SiteFamily::BookOfParts => Shape::Book,
            SiteFamily::Manual => Shape::Manual,
            SiteFamily::Listing => Shape::Listing,
            SiteFamily::Thread => Shape::Thread,
            SiteFamily::Mail => Shape::Mail,
            _ => Shape::Article,
        }
    }

    /// Returns how much stands around the text; `drawn` is a number below 100.
    pub(super) fn clutter(self, drawn: usize) -> Clutter {
        match self {
            SiteFamily::SplitCrowded | SiteFamily::NextArticleCrowded => Clutter::Crowded,
            _ => match drawn {
                0..30 => Clutter::Bare,
                30..80 => Clutter::Usual,
                _ => Clutter::Crowded,
            },
        }
    }

    pub(super) fn make(self, site: &mut SiteMaker<'_>) -> WantedPaths {
        const WORDS: &[Way] = &[Way::Words, Way::Words, Way::NumbersAndWords, Way::Arrow];
        let split = |site: &mut SiteMaker<'_>, way: Way| site.split_by(&[way], None, None);
        match self {
            SiteFamily::Split | SiteFamily::SplitCrowded => site.split_by(WORDS, None, None),
            SiteFamily::SplitThenNext => site.split_by(
                &[Way::Words, Way::Words, Way::Arrow, Way::Icon, Way::TitleLink],
                Some(End::NextArticle),
                None,
            ),
            SiteFamily::NoLinkBack => {
                site.split_by(&[Way::Words, Way::Words, Way::Arrow, Way::Icon], None, Some(false))
            }
            SiteFamily::Icons => site.split_by(&[Way::Icon, Way::Icon, Way::Arrow], None, None),
            SiteFamily::Book => site.book(),
            SiteFamily::BookOfParts => site.book_of_parts(),
            SiteFamily::Manual => site.manual(),
            SiteFamily::Listing => site.listing(),
            SiteFamily::Thread => site.thread(),
            SiteFamily::Mail => site.mail(),
            SiteFamily::Gallery => site.gallery(),
            SiteFamily::NextArticle | SiteFamily::NextArticleCrowded => site.next_article(Likeness::Any),
            SiteFamily::OlderArticle => site.next_article(Likeness::Older),
            SiteFamily::SameDayArticle => site.next_article(Likeness::SameDay),
            SiteFamily::UnlabelledNext => site.unlabelled_next(),
            SiteFamily::CommentPages => site.comment_pages(),
            SiteFamily::OtherPager => site.other_pager(),
            SiteFamily::Single => site.single(),
            SiteFamily::SoftEnd => site.soft_end(),
            SiteFamily::MissingEnd => site.missing_end(),
            SiteFamily::Numbers => site.split_by(&[Way::Numbers], None, Some(true)),
            SiteFamily::ScriptNumbers => split(site, Way::ScriptNumbers),
            SiteFamily::Select => split(site, Way::Select),
            SiteFamily::Forms => split(site, Way::Form),
            SiteFamily::HeadOnly => split(site, Way::HeadOnly),
            SiteFamily::LinkHeader => split(site, Way::Header),
            SiteFamily::RefreshStubs => site.refresh_stubs(),
            SiteFamily::TitleList => split(site, Way::TitleList),
            SiteFamily::TitleLink => split(site, Way::TitleLink),
            SiteFamily::SinglePage => site.single_page(),
            SiteFamily::ScriptButton => site.script_button(),
            SiteFamily::OffSite => site.off_site(),
            SiteFamily::SaysMore => site.says_more(),
            SiteFamily::Noise => site.noise(),
        }
    }
}
