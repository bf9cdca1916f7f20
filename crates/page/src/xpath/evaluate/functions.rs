//! The functions of XPath 1.0 (section 4).

use super::{AxisPlace, BYTES_WRITTEN, Computed, Context, Evaluation, Result};
use crate::node::{AttributeNamespace, NodeId};
use crate::xpath::expression::{Expr, Function};
use crate::xpath::strings;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use xpath_eval::Axis;

impl<'e> Evaluation<'e> {
    pub(super) fn call(&self, function: Function, args: &'e [Expr], at: Context) -> Result<Computed<'e>> {
        let number = |index: usize| self.number(&args[index], at);
        let string = |index: usize| self.string(&args[index], at);
        Ok(match function {
            Function::Last => Computed::Number(at.size as f64),
            Function::Position => Computed::Number(at.position as f64),
            Function::Count => Computed::Number(self.nodes(&args[0], at, "count() argument")?.len() as f64),
            Function::Sum => {
                let nodes = self.nodes(&args[0], at, "sum() argument")?;
                let mut sum = 0.0;
                for place in nodes.iter() {
                    sum += strings::to_number(self.text_of(*place)?);
                }
                Computed::Number(sum)
            }
            Function::Id => Computed::Nodes(Rc::new(self.with_ids(&args[0], at)?)),
            Function::LocalName | Function::Name => {
                let named = self.first_or_context(args, at)?;
                Computed::String(Cow::Borrowed(named.map_or("", |place| place.local_name(self.page))))
            }
            Function::NamespaceUri => {
                let named = self.first_or_context(args, at)?;
                Computed::String(Cow::Borrowed(named.map_or("", |place| place.namespace_uri(self.page))))
            }
            Function::String => Computed::String(self.string_or_context(args, at)?),
            Function::StringLength => {
                Computed::Number(self.string_or_context(args, at)?.chars().count() as f64)
            }
            Function::NormalizeSpace => {
                let text = self.string_or_context(args, at)?;
                self.charge(text.len() / BYTES_WRITTEN)?;
                Computed::String(strings::normalize_space(text))
            }
            Function::Concat => {
                let mut text = String::new();
                for index in 0..args.len() {
                    let part = string(index)?;
                    self.charge(part.len() / BYTES_WRITTEN)?;
                    text.push_str(&part);
                }
                Computed::String(Cow::Owned(text))
            }
            Function::Translate => {
                let (text, from, to) = (string(0)?, string(1)?, string(2)?);
                self.charge(text.len() + from.len())?;
                Computed::String(Cow::Owned(strings::translate(&text, &from, &to)))
            }
            Function::StartsWith => Computed::Boolean(string(0)?.starts_with(&*string(1)?)),
            Function::Contains => Computed::Boolean(string(0)?.contains(&*string(1)?)),
            Function::SubstringBefore => {
                let (text, mark) = (string(0)?, string(1)?);
                let end = text.find(&*mark).unwrap_or(0);
                Computed::String(part(text, 0..end))
            }
            Function::SubstringAfter => {
                let (text, mark) = (string(0)?, string(1)?);
                let (start, end) = (text.find(&*mark).map(|at| at + mark.len()), text.len());
                Computed::String(part(text, start.unwrap_or(end)..end))
            }
            Function::Substring => {
                let (text, start) = (string(0)?, number(1)?);
                let length = if args.len() == 3 { Some(number(2)?) } else { None };
                let range = strings::substring(&text, start, length);
                Computed::String(part(text, range))
            }
            Function::Boolean => Computed::Boolean(self.truth(&args[0], at)?),
            Function::Not => Computed::Boolean(!self.truth(&args[0], at)?),
            Function::True => Computed::Boolean(true),
            Function::False => Computed::Boolean(false),
            Function::Lang => Computed::Boolean(self.is_in_language(&string(0)?, at.place)?),
            Function::Number if args.is_empty() => {
                Computed::Number(strings::to_number(self.text_of(at.place)?))
            }
            Function::Number => Computed::Number(number(0)?),
            Function::Floor => Computed::Number(number(0)?.floor()),
            Function::Ceiling => Computed::Number(number(0)?.ceil()),
            Function::Round => Computed::Number(strings::round(number(0)?)),
        })
    }

    fn first_or_context(&self, args: &'e [Expr], at: Context) -> Result<Option<AxisPlace>> {
        match args.first() {
            Some(nodes) => Ok(self.nodes(nodes, at, "node-set argument")?.first().copied()),
            None => Ok(Some(at.place)),
        }
    }

    fn string_or_context(&self, args: &'e [Expr], at: Context) -> Result<Cow<'e, str>> {
        match args.first() {
            Some(text) => self.string(text, at),
            None => Ok(Cow::Borrowed(self.text_of(at.place)?)),
        }
    }

    fn with_ids(&self, names: &'e Expr, at: Context) -> Result<Vec<AxisPlace>> {
        let ids = self.ids()?;
        let mut found = Vec::new();
        let mut find = |names: &str| {
            let names = names.split(strings::SPACES).filter(|name| !name.is_empty());
            found.extend(names.filter_map(|name| ids.get(name)).map(|id| AxisPlace::of(*id)));
        };
        match self.value(names, at)? {
            Computed::Nodes(nodes) => {
                for place in nodes.iter() {
                    find(self.text_of(*place)?);
                }
            }
            other => find(&self.string_of(other)?),
        }
        Ok(super::in_order(found))
    }

    fn ids(&self) -> Result<&BTreeMap<&'e str, NodeId>> {
        if self.ids.get().is_none() {
            self.charge(self.page.node_count())?;
        }
        Ok(self.ids.get_or_init(|| {
            let mut ids = BTreeMap::new();
            for element in self.page.elements() {
                if let Some(id) = self.page.attribute(element, "id") {
                    ids.entry(id).or_insert(element);
                }
            }
            ids
        }))
    }

    fn is_in_language(&self, language: &str, place: AxisPlace) -> Result<bool> {
        let page = self.page;
        for holder in place.along(Axis::AncestorOrSelf, page) {
            for attribute in holder.along(Axis::Attribute, page) {
                self.charge(1)?;
                let is_language = |index| {
                    page.attribute_namespace_at(index) == AttributeNamespace::Xml
                        && page.attribute_at(index).0 == "lang"
                };
                if attribute.attribute().is_some_and(is_language) {
                    let held = self.text_of(attribute)?;
                    let (start, rest) = held.split_at_checked(language.len()).unwrap_or_default();
                    return Ok(
                        start.eq_ignore_ascii_case(language) && (rest.is_empty() || rest.starts_with('-'))
                    );
                }
            }
            self.charge(1)?;
        }
        Ok(false)
    }
}

/// Returns a part of a text, without copying borrowed text.
fn part(text: Cow<'_, str>, range: std::ops::Range<usize>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    }
}
