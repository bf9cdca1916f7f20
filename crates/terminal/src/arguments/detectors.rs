//! Arguments about what finds links and content.

use clap::Args;
use std::path::PathBuf;

/// Which models and rules find links and content
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules and models")]
pub struct DetectorArguments {
    /// Read the pages that these rules cover by rule, others by model; `wedata`: the fetched dump
    ///
    /// SITEINFO is a JSON file of Wedata (AutoPagerize) items, in XPath or CSS, or a site config (HOST.txt) as Full-Text
    /// RSS, graby and wallabag use them. `wedata` means the dump that `tsugi siteinfo update` fetched.
    #[arg(long, value_name = "SITEINFO", hide_short_help = true)]
    pub rules: Option<PathBuf>,
    /// Also use items whose `url` matches almost any address
    #[arg(long, requires = "rules", hide_short_help = true)]
    pub generic_rules: bool,
    /// Use the other rules if one cannot be used, instead of failing
    #[arg(long, requires = "rules", hide_short_help = true)]
    pub rules_optional: bool,
    /// Files of models.
    #[command(flatten)]
    pub models: ModelArguments,
}

/// Which models find links and content
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rules and models")]
pub struct ModelArguments {
    /// Find next links with this model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub next_model: Option<PathBuf>,
    /// Find main content with this model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub content_model: Option<PathBuf>,
    /// Judge whether a page continues the one before with this model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub continuation_model: Option<PathBuf>,
}
