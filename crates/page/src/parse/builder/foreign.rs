//! SVG and `MathML` within HTML (HTML, section 13.2.6.5).

use super::sets::ENDS_FOREIGN;
use super::{Builder, Foreign, Step, Token};
use crate::node::{AttributeNamespace, Namespace};
use crate::parse::tokenizer::TagToken;
use crate::tags::{Attr, Tag};
use markup5ever::{LocalName, local_name};

impl Builder {
    /// Returns `true` if a token is for the rules of foreign content.
    #[inline]
    pub(super) fn is_foreign(&self, token: &Token<'_, '_>) -> bool {
        match self.open.last() {
            Some(current) if current.foreign != Foreign::No => self.is_for(current.foreign, token),
            _ => false,
        }
    }

    fn is_for(&self, foreign: Foreign, token: &Token<'_, '_>) -> bool {
        let is_text = matches!(token, Token::Text(_) | Token::Null);
        let start = match token {
            Token::Tag(tag) if tag.is_start => Some(&tag.name),
            Token::End => return false,
            _ => None,
        };
        match foreign {
            Foreign::MathText => {
                let stays = matches!(start, Some(&local_name!("mglyph") | &local_name!("malignmark")));
                !is_text && (start.is_none() || stays)
            }
            Foreign::Html => !is_text && start.is_none(),
            Foreign::Annotation if start == Some(&local_name!("svg")) => false,
            Foreign::Annotation if is_text || start.is_some() => !self.draft.tree.holds_html(self.current()),
            _ => true,
        }
    }

    pub(super) fn foreign(&mut self, token: &mut Token<'_, '_>) -> Step {
        match token {
            Token::Null => self.insert_text("\u{FFFD}"),
            Token::Text(text) => {
                self.forbid_frameset_by(text);
                self.insert_text(text);
            }
            Token::Comment(text) => self.insert_comment(text),
            Token::Tag(tag) if tag.is_start => {
                if ENDS_FOREIGN.has(tag.tag) || (tag.tag == Tag::Font && is_of_html(tag)) {
                    return self.leave_foreign(token);
                }
                let namespace = self.draft.tree.node(self.current()).namespace;
                self.insert_foreign(tag, namespace);
            }
            Token::Tag(tag) if matches!(tag.tag, Tag::Br | Tag::P) => return self.leave_foreign(token),
            Token::Tag(tag) => return self.end_foreign(&tag.name.clone(), token),
            Token::End => {}
        }
        Step::Done
    }

    fn leave_foreign(&mut self, token: &mut Token<'_, '_>) -> Step {
        while !matches!(self.top().foreign, Foreign::No | Foreign::MathText | Foreign::Html) {
            self.open.pop();
        }
        self.step(self.mode, token)
    }

    fn end_foreign(&mut self, name: &LocalName, token: &mut Token<'_, '_>) -> Step {
        for at in (1..self.open.len()).rev() {
            let open = self.open[at];
            if open.foreign == Foreign::No && at + 1 < self.open.len() {
                return self.step(self.mode, token);
            }
            if self.draft.tree.node(open.node).name.eq_ignore_ascii_case(name) {
                self.open.truncate(at);
                break;
            }
        }
        Step::Done
    }

    /// Inserts an element of SVG or `MathML`, and leaves it open unless its tag closes it.
    pub(super) fn insert_foreign(&mut self, token: &mut TagToken<'_>, namespace: Namespace) {
        for attribute in token.attributes.iter_mut() {
            let name = match namespace {
                Namespace::Svg => drawing_attribute(&attribute.name),
                Namespace::MathMl if attribute.name == local_name!("definitionurl") => {
                    Some(local_name!("definitionURL"))
                }
                _ => None,
            };
            if let Some(name) = name {
                attribute.name = name;
            } else if let Some((namespace, name)) = namespaced(&attribute.name) {
                (attribute.namespace, attribute.known, attribute.name) = (namespace, Attr::of(&name), name);
            }
        }
        let name = if namespace == Namespace::Svg { drawing_name(&token.name) } else { None };
        let name = name.unwrap_or_else(|| token.name.clone());
        let place = self.place(self.top());
        let node = self.draft.element((name, token.tag), namespace, &mut token.attributes);
        self.insert(place, node);
        if !token.is_self_closing {
            self.push(node);
        }
    }
}

fn is_of_html(font: &TagToken<'_>) -> bool {
    let is_old =
        |name: &LocalName| matches!(*name, local_name!("color") | local_name!("face") | local_name!("size"));
    font.attributes.iter().any(|attribute| is_old(&attribute.name))
}

macro_rules! renamed {
    ($name:expr, $($lower:tt => $mixed:tt)+) => {
        match *$name {
            $(local_name!($lower) => Some(local_name!($mixed)),)+
            _ => None,
        }
    };
}

/// Returns the name of an element of SVG that has capitals.
fn drawing_name(name: &LocalName) -> Option<LocalName> {
    renamed!(name,
        "altglyph" => "altGlyph" "altglyphdef" => "altGlyphDef" "altglyphitem" => "altGlyphItem"
        "animatecolor" => "animateColor" "animatemotion" => "animateMotion"
        "animatetransform" => "animateTransform" "clippath" => "clipPath" "feblend" => "feBlend"
        "fecolormatrix" => "feColorMatrix" "fecomponenttransfer" => "feComponentTransfer"
        "fecomposite" => "feComposite" "feconvolvematrix" => "feConvolveMatrix"
        "fediffuselighting" => "feDiffuseLighting" "fedisplacementmap" => "feDisplacementMap"
        "fedistantlight" => "feDistantLight" "fedropshadow" => "feDropShadow" "feflood" => "feFlood"
        "fefunca" => "feFuncA" "fefuncb" => "feFuncB" "fefuncg" => "feFuncG" "fefuncr" => "feFuncR"
        "fegaussianblur" => "feGaussianBlur" "feimage" => "feImage" "femerge" => "feMerge"
        "femergenode" => "feMergeNode" "femorphology" => "feMorphology" "feoffset" => "feOffset"
        "fepointlight" => "fePointLight" "fespecularlighting" => "feSpecularLighting"
        "fespotlight" => "feSpotLight" "fetile" => "feTile" "feturbulence" => "feTurbulence"
        "foreignobject" => "foreignObject" "glyphref" => "glyphRef" "lineargradient" => "linearGradient"
        "radialgradient" => "radialGradient" "textpath" => "textPath"
    )
}

/// Returns the name of an attribute of SVG that has capitals.
fn drawing_attribute(name: &LocalName) -> Option<LocalName> {
    renamed!(name,
        "attributename" => "attributeName" "attributetype" => "attributeType"
        "basefrequency" => "baseFrequency" "baseprofile" => "baseProfile" "calcmode" => "calcMode"
        "clippathunits" => "clipPathUnits" "diffuseconstant" => "diffuseConstant" "edgemode" => "edgeMode"
        "filterunits" => "filterUnits" "glyphref" => "glyphRef" "gradienttransform" => "gradientTransform"
        "gradientunits" => "gradientUnits" "kernelmatrix" => "kernelMatrix"
        "kernelunitlength" => "kernelUnitLength" "keypoints" => "keyPoints" "keysplines" => "keySplines"
        "keytimes" => "keyTimes" "lengthadjust" => "lengthAdjust"
        "limitingconeangle" => "limitingConeAngle" "markerheight" => "markerHeight"
        "markerunits" => "markerUnits" "markerwidth" => "markerWidth"
        "maskcontentunits" => "maskContentUnits" "maskunits" => "maskUnits" "numoctaves" => "numOctaves"
        "pathlength" => "pathLength" "patterncontentunits" => "patternContentUnits"
        "patterntransform" => "patternTransform" "patternunits" => "patternUnits" "pointsatx" => "pointsAtX"
        "pointsaty" => "pointsAtY" "pointsatz" => "pointsAtZ" "preservealpha" => "preserveAlpha"
        "preserveaspectratio" => "preserveAspectRatio" "primitiveunits" => "primitiveUnits" "refx" => "refX"
        "refy" => "refY" "repeatcount" => "repeatCount" "repeatdur" => "repeatDur"
        "requiredextensions" => "requiredExtensions" "requiredfeatures" => "requiredFeatures"
        "specularconstant" => "specularConstant" "specularexponent" => "specularExponent"
        "spreadmethod" => "spreadMethod" "startoffset" => "startOffset" "stddeviation" => "stdDeviation"
        "stitchtiles" => "stitchTiles" "surfacescale" => "surfaceScale" "systemlanguage" => "systemLanguage"
        "tablevalues" => "tableValues" "targetx" => "targetX" "targety" => "targetY"
        "textlength" => "textLength" "viewbox" => "viewBox" "viewtarget" => "viewTarget"
        "xchannelselector" => "xChannelSelector" "ychannelselector" => "yChannelSelector"
        "zoomandpan" => "zoomAndPan"
    )
}

/// Returns the namespace that the prefix of an attribute names, and the name in it.
fn namespaced(name: &LocalName) -> Option<(AttributeNamespace, LocalName)> {
    use AttributeNamespace::{XLink, Xml, Xmlns};
    Some(match *name {
        local_name!("xlink:actuate") => (XLink, local_name!("actuate")),
        local_name!("xlink:arcrole") => (XLink, local_name!("arcrole")),
        local_name!("xlink:href") => (XLink, local_name!("href")),
        local_name!("xlink:role") => (XLink, local_name!("role")),
        local_name!("xlink:show") => (XLink, local_name!("show")),
        local_name!("xlink:title") => (XLink, local_name!("title")),
        local_name!("xlink:type") => (XLink, local_name!("type")),
        local_name!("xml:lang") => (Xml, local_name!("lang")),
        local_name!("xml:space") => (Xml, local_name!("space")),
        local_name!("xmlns") => (Xmlns, local_name!("xmlns")),
        local_name!("xmlns:xlink") => (Xmlns, local_name!("xlink")),
        _ => return None,
    })
}
