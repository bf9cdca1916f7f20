//! Answers about pages: next link, content, and whether one page continues another.

use crate::node::NodeId;
use url::Url;

/// Whether one page continues another, and why.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Verdict {
    /// The probability that it does, in [0, 1].
    pub score: f32,
    /// Whether that is enough to join the two pages.
    pub holds: bool,
    /// The reasons, the strongest first.
    pub reasons: Vec<Reason>,
}

/// A reason for or against an answer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reason {
    /// The observation, in words.
    pub what: String,
    /// Its contribution to the log-odds of the answer; negative if it speaks against it.
    pub weight: f32,
}

/// A next-page link.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NextLink {
    /// The address, without the fragment.
    pub url: Url,
    /// The first element of the page that leads there.
    pub node: NodeId,
    /// The kind of next page.
    pub relation: Relation,
    /// How sure the detector is, in [0, 1].
    pub score: f32,
    /// The evidence for the answer.
    pub evidence: Evidence,
}

/// How a next page relates to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Relation {
    /// The next page of this article, list or thread.
    Page,
    /// The next chapter of a book or manual, in reading order.
    Chapter,
}

impl Relation {
    /// Returns the name of the relation in labels and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Page => "page",
            Relation::Chapter => "chapter",
        }
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The evidence for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Evidence {
    /// A siteinfo item.
    Rule {
        /// The item's name.
        name: Box<str>,
    },
    /// A learned model.
    Model,
    /// Markup of the page (`rel=next`).
    Markup,
    /// Other pages of the site.
    Site,
    /// Data in the page, from which its scripts would render the content.
    Embedded,
}

impl Evidence {
    /// Returns the name of the evidence in output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Evidence::Rule { .. } => "rule",
            Evidence::Model => "model",
            Evidence::Markup => "rel",
            Evidence::Site => "site",
            Evidence::Embedded => "embedded",
        }
    }

    /// Returns `true` if the answer rests on a siteinfo item.
    pub fn is_rule(&self) -> bool {
        self.rule().is_some()
    }

    /// Returns the name of the siteinfo item that the answer rests on, if it does.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Evidence::Rule { name } => Some(name),
            Evidence::Model | Evidence::Markup | Evidence::Site | Evidence::Embedded => None,
        }
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rule() {
            Some(name) => write!(f, "{} `{name}`", self.as_str()),
            None => f.write_str(self.as_str()),
        }
    }
}

/// The main content of a page: some nodes, minus some parts of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Content {
    /// Outermost nodes only, in document order; empty if nothing was found.
    pub nodes: Vec<NodeId>,
    /// Parts of the nodes that are not content: outermost nodes only, in document order.
    pub without: Vec<NodeId>,
    /// How sure the detector is, in [0, 1].
    pub score: f32,
    /// The evidence for the answer.
    pub evidence: Evidence,
}

impl Content {
    /// Returns an answer without content.
    pub fn nothing(evidence: Evidence) -> Content {
        Content { nodes: Vec::new(), without: Vec::new(), score: 0.0, evidence }
    }
}
