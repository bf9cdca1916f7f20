//! What selects nodes of a page in a rule.

use tsugi_page::xpath::{Budget, XPathError, XPathNode, XPathValue};
use tsugi_page::{NodeId, Page, Selector, XPath};

/// Selects nodes of a page: an XPath; of several, the first that selects anything; or a CSS selector.
#[derive(Debug)]
pub struct NodeRule {
    source: String,
    language: RuleLanguage,
}

#[derive(Debug)]
enum RuleLanguage {
    /// Tried in this order. Without any, nothing is selected.
    Paths(Vec<XPath>),
    Css(Selector),
}

impl From<XPath> for NodeRule {
    fn from(path: XPath) -> NodeRule {
        NodeRule { source: path.source().to_owned(), language: RuleLanguage::Paths(vec![path]) }
    }
}

impl NodeRule {
    /// Returns a rule of several XPath expressions, which are tried in their order. Without any, it [is silent](NodeRule::is_silent).
    pub fn first_of(paths: Vec<XPath>) -> NodeRule {
        let sources: Vec<&str> = paths.iter().map(XPath::source).collect();
        NodeRule { source: sources.join("\n"), language: RuleLanguage::Paths(paths) }
    }

    /// Returns a rule of a CSS selector list, with its source.
    pub fn css(source: &str, selector: Selector) -> NodeRule {
        NodeRule { source: source.to_owned(), language: RuleLanguage::Css(selector) }
    }

    /// Returns the rule as written; several expressions are on lines of their own.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the XPath, if the rule is a single one.
    pub fn xpath(&self) -> Option<&XPath> {
        match &self.language {
            RuleLanguage::Paths(paths) => match paths.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            RuleLanguage::Css(_) => None,
        }
    }

    /// Returns `true` if the rule says nothing: it has no expression.
    pub fn is_silent(&self) -> bool {
        matches!(&self.language, RuleLanguage::Paths(paths) if paths.is_empty())
    }

    /// Returns `true` if the rule is a CSS selector list.
    pub fn is_css(&self) -> bool {
        matches!(self.language, RuleLanguage::Css(_))
    }

    /// Returns the nodes that the rule selects, without attributes, in document order.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if an expression cannot be evaluated on this page.
    pub fn nodes(&self, page: &Page) -> Result<Vec<NodeId>, XPathError> {
        self.nodes_within(page, &mut Budget::default())
    }

    pub(crate) fn nodes_within(&self, page: &Page, budget: &mut Budget) -> Result<Vec<NodeId>, XPathError> {
        match &self.language {
            // A selector takes one pass over the page, which needs no budget.
            RuleLanguage::Css(selector) => Ok(page.select(selector)),
            RuleLanguage::Paths(paths) => {
                for path in paths {
                    let nodes = path.nodes_within(page, budget)?;
                    if !nodes.is_empty() {
                        return Ok(nodes);
                    }
                }
                Ok(Vec::new())
            }
        }
    }

    /// Returns the first node or attribute that the rule selects.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if an expression cannot be evaluated on this page, or gives no nodes but a value.
    pub(crate) fn first_within<'p>(
        &self,
        page: &'p Page,
        budget: &mut Budget,
    ) -> Result<Option<XPathNode<'p>>, XPathError> {
        let paths = match &self.language {
            RuleLanguage::Css(selector) => {
                return Ok(page.select(selector).first().map(|node| XPathNode::Node(*node)));
            }
            RuleLanguage::Paths(paths) => paths,
        };
        for path in paths {
            let XPathValue::Nodes(nodes) = path.evaluate_within(page, budget)? else {
                return Err(XPathError::Evaluation("does not give nodes".to_owned()));
            };
            if let Some(node) = nodes.first() {
                return Ok(Some(*node));
            }
        }
        Ok(None)
    }

    /// Returns the text that the rule finds: of the first node or attribute that is not blank, or the value of an expression.
    pub(crate) fn text(&self, page: &Page) -> Option<String> {
        let of_node = |node: XPathNode<'_>| match node {
            XPathNode::Node(id) => page.attribute(id, "content").map_or_else(|| page.text(id), str::to_owned),
            XPathNode::Attribute { value, .. } => value.to_owned(),
        };
        let texts: Vec<String> = match &self.language {
            RuleLanguage::Css(selector) => {
                page.select(selector).into_iter().map(|id| of_node(XPathNode::Node(id))).collect()
            }
            RuleLanguage::Paths(paths) => {
                let values = paths.iter().filter_map(|path| path.evaluate(page).ok());
                values
                    .flat_map(|value| match value {
                        XPathValue::Nodes(nodes) => nodes.into_iter().map(of_node).collect(),
                        XPathValue::String(text) => vec![text],
                        XPathValue::Number(_) | XPathValue::Boolean(_) => Vec::new(),
                    })
                    .collect()
            }
        };
        let folded = texts.into_iter().map(|text| tsugi_page::text::fold(&text));
        folded.into_iter().find(|text| !text.is_empty())
    }
}
