//! XML values with the semantics of E4X (ECMA-357): elements, attributes and text.
//!
//! If code changes an element, the element's contents become unknown to all objects that share the element. Text in XML may have
//! holes.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::avm::names::Name;
use crate::eval::expr::Expr;
use crate::eval::machine::{Known, Run, Stop};
use crate::eval::selector::Selector;
use crate::eval::text::{Part, Text};
use crate::eval::value::{Object, ObjectKind, Ref, Value};
use crate::strings::{pattern, resolved};

const DEEPEST: usize = 100;
/// The first of the private-use characters that replace holes during parsing. Input strings are assumed not to contain these
/// characters.
const HOLES: u32 = 0xf_0000;

#[derive(Debug, PartialEq)]
pub(crate) enum Node {
    Text(Text),
    Element(Element),
}

#[derive(Debug, PartialEq)]
pub(crate) struct Element {
    name: Name,
    attributes: Vec<(Name, Rc<Node>)>,
    children: Vec<Rc<Node>>,
    is_changed: Cell<bool>,
}

/// A list of nodes. E4X does not distinguish an element from a list of one element.
pub(crate) type List = Rc<[Rc<Node>]>;

/// Matches the next XML token: a CDATA section, a comment, a declaration, a tag, or text. A tag is captured without its angle
/// brackets.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?s)^(?:<!\[CDATA\[(?<data>.*?)\]\]>|<!--.*?-->|<\?.*?\?>|<!(?:[^\[>-].*?)?>",
        r#"|<(?<tag>(?:[^!?>"'](?:[^>"']|"[^"]*"|'[^']*')*)?)>|(?<text>[^<]+))"#
    ))
});
/// Matches an attribute in a tag: a name and a quoted value.
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^([^=]*)=\s*(?:"([^"]*)"|'([^']*)')"#));

/// Returns the consecutive matches of a pattern from the beginning of a string, and the rest of the string.
fn consecutive<'t>(pattern: &Regex, mut text: &'t str) -> (Vec<Captures<'t>>, &'t str) {
    let mut all = Vec::new();
    while let Some(found) = pattern.captures(text) {
        text = text.get(found.get_match().end()..).unwrap_or_default();
        all.push(found);
    }
    (all, text)
}

/// Removes the namespace prefix from a name.
fn local(name: &str) -> Name {
    name.rsplit(':').next().unwrap_or(name).into()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Parses XML. Returns `None` if the XML is not well formed.
pub(crate) fn parse(text: &Text) -> Option<List> {
    let (mut flat, mut holes) = (String::new(), Vec::new());
    for part in text.parts() {
        match part {
            Part::Literal(text) => flat.push_str(text),
            Part::Hole(expr) => {
                let number = u32::try_from(holes.len()).ok()?;
                flat.push(char::from_u32(HOLES + number)?);
                holes.push(expr.clone());
            }
        }
    }
    let mut open: Vec<Element> = Vec::new();
    let mut top: Vec<Rc<Node>> = Vec::new();
    let (tokens, rest) = consecutive(&TOKEN, &flat);
    for token in tokens {
        let part = |name: &str| token.name(name).map(|part| part.as_str());
        let node = match (part("text"), part("data"), part("tag")) {
            (Some(text), ..) if !text.trim().is_empty() => Node::Text(with_holes(&resolved(text), &holes)),
            (_, Some(data), _) => Node::Text(with_holes(data, &holes)),
            (.., Some(tag)) if tag.starts_with('/') => Node::Element(open.pop()?),
            (.., Some(tag)) if tag.ends_with('/') => Node::Element(element(tag.trim_end_matches('/'), &holes)?),
            (.., Some(tag)) => {
                open.push(element(tag, &holes)?);
                (open.len() <= DEEPEST).then_some(())?;
                continue;
            }
            _ => continue,
        };
        open.last_mut().map_or(&mut top, |element| &mut element.children).push(Rc::new(node));
    }
    (open.is_empty() && rest.is_empty()).then(|| top.into())
}

/// Converts a tag to an element without children.
fn element(tag: &str, holes: &[Expr]) -> Option<Element> {
    let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let (name, attributes) = tag.split_at_checked(end)?;
    let (attributes, rest) = consecutive(&ATTRIBUTE, attributes);
    let attribute = |found: &Captures<'_>| {
        let part = |number: usize| found.get(number).map_or("", |part| part.as_str());
        let value = with_holes(&resolved(&[part(2), part(3)].concat()), holes);
        (local(part(1).trim()), Rc::new(Node::Text(value)))
    };
    let attributes = attributes.iter().map(attribute).collect();
    let element = Element { name: local(name), attributes, children: Vec::new(), is_changed: Cell::new(false) };
    (!rest.contains('=')).then_some(element)
}

/// Restores the holes that private-use characters replaced.
fn with_holes(text: &str, holes: &[Expr]) -> Text {
    let mut found = Text::default();
    let mut letters = [0; 4];
    for letter in text.chars() {
        let hole = u32::from(letter).checked_sub(HOLES).and_then(|number| holes.get(usize::try_from(number).ok()?));
        match hole {
            Some(expr) => found.push(&Text::hole(expr.clone())),
            None => found.push_str(letter.encode_utf8(&mut letters)),
        }
    }
    found
}

/// Returns the text of a list of nodes. Returns `None` if an element contains other elements or has been changed by code.
pub(crate) fn text(list: &[Rc<Node>]) -> Option<Text> {
    let mut found = Text::default();
    for node in list {
        let texts = match &**node {
            Node::Text(_) => std::slice::from_ref(node),
            Node::Element(element) => element.known()?,
        };
        for node in texts {
            let Node::Text(text) = &**node else { return None };
            found.push(text);
        }
    }
    Some(found)
}

/// Returns the texts of the elements in a string constant that is XML. If the constant is not XML, returns only the constant.
pub(crate) fn texts(constant: &Name) -> Vec<Name> {
    let parsed = constant.trim_start().starts_with('<').then(|| parse(&Text::literal(constant))).flatten();
    let Some(list) = parsed else { return vec![constant.clone()] };
    let (mut open, mut found) = (vec![list.to_vec()], Vec::new());
    while let Some(list) = open.pop() {
        match text(&list) {
            Some(text) => found.extend(text.known().map(Name::from)),
            None => open.extend(list.iter().rev().map(|node| match &**node {
                Node::Element(element) if text(std::slice::from_ref(node)).is_none() => element.children.clone(),
                _ => vec![node.clone()],
            })),
        }
    }
    found
}

impl Element {
    /// Returns the element's children, or `None` if code has changed the element.
    fn known(&self) -> Option<&[Rc<Node>]> {
        (!self.is_changed.get()).then_some(&self.children)
    }
}

/// Returns the children or attributes with the given name, which is written as `a`, `*`, `@b` or `@*`. If `is_deep` is set, the
/// result includes the children and attributes of all descendants.
fn named(list: &[Rc<Node>], name: &str, is_deep: bool) -> Option<Vec<Rc<Node>>> {
    let mut found = Vec::new();
    for node in list {
        let Node::Element(element) = &**node else { continue };
        let children = element.known()?;
        if let Some(name) = name.strip_prefix('@') {
            let is_it = |(one, _): &&(Name, Rc<Node>)| name == "*" || **one == *name;
            found.extend(element.attributes.iter().filter(is_it).map(|(_, value)| value.clone()));
        }
        for child in children {
            if name == "*" || matches!(&**child, Node::Element(element) if *element.name == *name) {
                found.push(child.clone());
            }
            if is_deep {
                found.extend(named(std::slice::from_ref(child), name, true)?);
            }
        }
    }
    Some(found)
}

impl Run<'_, '_> {
    /// Evaluates `new XML(value)`. Returns `None` if the value is not well-formed XML.
    pub(crate) fn new_xml(&mut self, value: &Value) -> Known {
        if self.nodes(value).is_some() {
            return Ok(Some(value.clone()));
        }
        let text = self.text_of(value)?;
        self.spend(text.size() / 64)?;
        parse(&text).map(|list| self.xml(list)).transpose()
    }

    fn xml(&mut self, list: List) -> Result<Value, Stop> {
        self.spend(list.len())?;
        self.make(Object::new(ObjectKind::Xml(list)))
    }

    pub(crate) fn nodes(&self, value: &Value) -> Option<List> {
        if let ObjectKind::Xml(list) = self.kind_of(value)? { Some(list.clone()) } else { None }
    }

    /// Returns the string to which an XML value converts, or `None` if the value has no simple text.
    pub(crate) fn text_of_xml(&self, value: &Value) -> Option<Text> {
        text(&self.nodes(value)?)
    }

    /// Reads a property of an XML value: the elements or attributes with the given name, or the item at the given index.
    pub(crate) fn xml_property(&mut self, at: Ref, selector: &Selector) -> Known {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(None) };
        let found = match (selector.index(), selector) {
            (Some(index), _) => match list.get(index) {
                Some(node) => Some(vec![node.clone()]),
                None => return Ok(Some(Value::Undefined)),
            },
            (None, Selector::Value(Value::Unknown(_))) => None,
            (None, selector) => named(&list, &selector.name(), false),
        };
        found.map(|found| self.xml(found.into())).transpose()
    }

    /// Appends a node to an XML list, as compiled E4X filters do to build their results. Any other assignment marks the nodes as
    /// changed.
    pub(crate) fn set_xml(&mut self, at: Ref, selector: &Selector, value: &Value) -> Result<bool, Stop> {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(false) };
        match (selector.index(), self.nodes(value).as_deref()) {
            (Some(index), Some([node])) if index >= list.len() => {
                self.spend(list.len())?;
                self.object_mut(at)?.kind = ObjectKind::Xml(list.iter().chain([node]).cloned().collect());
            }
            _ => change(&list),
        }
        Ok(true)
    }

    /// Returns the nodes for which a condition is true. Returns `None` if the condition is unknown for any node.
    fn filtered(&mut self, list: &List, condition: &Value) -> Result<Option<Vec<Rc<Node>>>, Stop> {
        let mut found = Vec::new();
        for node in list.iter() {
            let item = self.xml(Rc::new([node.clone()]))?;
            let value = self.call(condition, Value::Null, vec![item])?;
            match self.known(&value).truth() {
                Some(true) => found.push(node.clone()),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// Reports whether an XML scope has elements with the given name.
    pub(crate) fn has_elements(&self, scope: &Value, name: &str) -> bool {
        self.nodes(scope).and_then(|list| named(&list, name, false)).is_some_and(|found| !found.is_empty())
    }

    /// Returns the value that represents an XML list in a comparison: its text, or undefined if the list is empty and is compared
    /// with undefined.
    pub(crate) fn compared(&self, value: Value, other: &Value) -> Value {
        match self.nodes(&value) {
            Some(list) if list.is_empty() && matches!(other, Value::Undefined) => Value::Undefined,
            Some(list) => text(&list).map_or(value, Value::Text),
            None => value,
        }
    }

    pub(crate) fn xml_descendants(&mut self, object: &Value, name: &Name) -> Known {
        let found = self.nodes(object).and_then(|list| named(&list, name, true));
        found.map(|found| self.xml(found.into())).transpose()
    }

    /// Calls a method of an XML value. In code that this crate compiles from source, `list.(condition)` is a call of `filter`.
    pub(crate) fn xml_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(None) };
        let first = arguments.first().map(|value| self.known(value));
        let wanted = || match &first {
            None => Some("*".to_string()),
            Some(value) => value.known_text().map(str::to_string),
        };
        let only = |nodes: Vec<Rc<Node>>, elements: bool| {
            nodes.into_iter().filter(|node| matches!(**node, Node::Element(_)) == elements).collect()
        };
        let found = match name {
            "toString" => return Ok(text(&list).map(Value::Text)),
            "length" => return Ok(Some(Value::Number(list.len() as f64))),
            "valueOf" | "copy" => return Ok(Some(Value::Object(at))),
            "hasSimpleContent" => return Ok(Some(Value::Bool(text(&list).is_some()))),
            "hasComplexContent" => return Ok(Some(Value::Bool(text(&list).is_none()))),
            "localName" | "name" => {
                let Some(Node::Element(element)) = list.first().map(|node| &**node) else { return Ok(None) };
                return Ok(Some(Value::text(&element.name)));
            }
            "child" | "children" => wanted().and_then(|name| named(&list, &name, false)),
            "elements" => wanted().and_then(|name| named(&list, &name, false)).map(|found| only(found, true)),
            "text" => named(&list, "*", false).map(|found| only(found, false)),
            "attribute" | "attributes" => wanted().and_then(|name| named(&list, &format!("@{name}"), false)),
            "filter" => match &first {
                Some(condition @ Value::Function(_)) => self.filtered(&list, condition)?,
                _ => None,
            },
            "descendants" => wanted().and_then(|name| named(&list, &name, true)),
            "toXMLString" | "normalize" | "parent" | "childIndex" | "nodeKind" | "contains" => None,
            _ => {
                change(&list);
                None
            }
        };
        found.map(|found| self.xml(found.into())).transpose()
    }
}

fn change(list: &[Rc<Node>]) {
    for node in list {
        if let Node::Element(element) = &**node {
            element.is_changed.set(true);
        }
    }
}
