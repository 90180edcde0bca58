//! XML that code holds, as E4X reads it (ECMA-357): elements by their names, attributes, and text.
//!
//! Rule: an element of which code changes something is not known any more, wherever it is read. Text of XML may have holes.

use std::cell::Cell;
use std::rc::Rc;

use crate::avm::names::Name;
use crate::eval::access::Selector;
use crate::eval::expr::Expr;
use crate::eval::machine::{Run, Stop};
use crate::eval::text::{Part, Text};
use crate::eval::value::{Object, ObjectKind, Ref, Value};
use crate::strings::resolved;

/// How deep elements may be in each other.
const DEEPEST: usize = 100;
/// The characters that stand for holes while a text is parsed, which no text has.
const HOLES: u32 = 0xf_0000;

/// An element, or text between elements.
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

/// Some nodes: E4X makes no difference between one element and a list of one.
pub(crate) type List = Rc<[Rc<Node>]>;

/// What of XML text is next.
enum Token<'a> {
    Text(&'a str),
    Data(&'a str),
    /// A tag without its brackets.
    Tag(&'a str),
}

/// The tokens of XML text, without comments and declarations.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let (mut rest, mut found) = (text, Vec::new());
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("<![CDATA[") {
            let (data, after) = inner.split_once("]]>")?;
            found.push(Token::Data(data));
            rest = after;
        } else if let Some((begin, end)) =
            [("<!--", "-->"), ("<?", "?>"), ("<!", ">")].into_iter().find(|(begin, _)| rest.starts_with(begin))
        {
            rest = rest.get(begin.len()..)?.split_once(end)?.1;
        } else if let Some(inner) = rest.strip_prefix('<') {
            let mut quote = None;
            let end = inner.find(|letter| {
                match (quote, letter) {
                    (None, '>') => return true,
                    (None, '"' | '\'') => quote = Some(letter),
                    (Some(open), _) if open == letter => quote = None,
                    _ => {}
                }
                false
            })?;
            found.push(Token::Tag(inner.get(..end)?));
            rest = inner.get(end + 1..)?;
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            found.push(Token::Text(rest.get(..end)?));
            rest = rest.get(end..)?;
        }
    }
    Some(found)
}

/// A name without the prefix of its namespace.
fn local(name: &str) -> Name {
    name.rsplit(':').next().unwrap_or(name).into()
}

/// Escapes what XML would take for tags.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The nodes of XML text, if it is well formed.
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
    for token in tokens(&flat)? {
        let node = match token {
            Token::Text(text) if text.trim().is_empty() => continue,
            Token::Text(text) => Node::Text(with_holes(&resolved(text), &holes)),
            Token::Data(text) => Node::Text(with_holes(text, &holes)),
            Token::Tag(tag) => match tag.strip_prefix('/') {
                Some(_) => Node::Element(open.pop()?),
                None => {
                    let element = element(tag.strip_suffix('/').unwrap_or(tag), &holes)?;
                    if !tag.ends_with('/') {
                        open.push(element);
                        (open.len() <= DEEPEST).then_some(())?;
                        continue;
                    }
                    Node::Element(element)
                }
            },
        };
        open.last_mut().map_or(&mut top, |element| &mut element.children).push(Rc::new(node));
    }
    open.is_empty().then(|| top.into())
}

/// An element by its tag, without children.
fn element(tag: &str, holes: &[Expr]) -> Option<Element> {
    let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let (name, mut rest) = tag.split_at_checked(end)?;
    let mut attributes = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, after) = after.get(1..)?.split_once(quote)?;
        attributes.push((local(name.trim()), Rc::new(Node::Text(with_holes(&resolved(value), holes)))));
        rest = after;
    }
    Some(Element { name: local(name), attributes, children: Vec::new(), is_changed: Cell::new(false) })
}

/// A text in which characters stand for holes.
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

/// The text of nodes, if there are no elements beside it.
pub(crate) fn text(list: &[Rc<Node>]) -> Option<Text> {
    let mut found = Text::default();
    for node in list {
        match &**node {
            Node::Text(text) => found.push(text),
            Node::Element(element) => {
                for child in element.known()? {
                    let Node::Text(text) = &**child else { return None };
                    found.push(text);
                }
            }
        }
    }
    Some(found)
}

/// The texts that a string constant holds: itself, or those of its elements if it is XML.
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
    /// Its children, unless code changes them.
    fn known(&self) -> Option<&[Rc<Node>]> {
        (!self.is_changed.get()).then_some(&self.children)
    }
}

/// The children or the attributes of some nodes that have a name: `a`, `*`, `@b` or `@*`.
fn named(list: &[Rc<Node>], name: &str) -> Option<Vec<Rc<Node>>> {
    let mut found = Vec::new();
    for node in list {
        let Node::Element(element) = &**node else { continue };
        let children = element.known()?;
        if let Some(name) = name.strip_prefix('@') {
            let is_it = |(one, _): &&(Name, Rc<Node>)| name == "*" || **one == *name;
            found.extend(element.attributes.iter().filter(is_it).map(|(_, value)| value.clone()));
        } else {
            found.extend(children.iter().filter(|child| is_named(child, name)).cloned());
        }
    }
    Some(found)
}

fn is_named(node: &Node, name: &str) -> bool {
    name == "*" || matches!(node, Node::Element(element) if *element.name == *name)
}

/// The elements in some nodes, however deep, that have a name.
fn descendants(list: &[Rc<Node>], name: &str) -> Option<Vec<Rc<Node>>> {
    let mut found = if name.starts_with('@') { named(list, name)? } else { Vec::new() };
    for node in list {
        let Node::Element(element) = &**node else { continue };
        for child in element.known()? {
            if !name.starts_with('@') && is_named(child, name) {
                found.push(child.clone());
            }
            found.extend(descendants(std::slice::from_ref(child), name)?);
        }
    }
    Some(found)
}

impl Run<'_, '_> {
    /// `new XML(value)`, if the value is known and XML.
    pub(crate) fn new_xml(&mut self, value: &Value) -> Result<Option<Value>, Stop> {
        if self.nodes(value).is_some() {
            return Ok(Some(value.clone()));
        }
        let text = self.text_of(value)?;
        self.spend(text.size() / 64)?;
        match parse(&text) {
            Some(list) => self.xml(list).map(Some),
            None => Ok(None),
        }
    }

    fn xml(&mut self, list: List) -> Result<Value, Stop> {
        self.spend(list.len())?;
        self.make(Object::new(ObjectKind::Xml(list)))
    }

    pub(crate) fn nodes(&self, value: &Value) -> Option<List> {
        match self.kind_of(value)? {
            ObjectKind::Xml(list) => Some(list.clone()),
            _ => None,
        }
    }

    /// What the text of XML is, where a text is wanted.
    pub(crate) fn text_of_xml(&self, value: &Value) -> Option<Text> {
        text(&self.nodes(value)?)
    }

    /// Elements, attributes and items of XML.
    pub(crate) fn xml_property(&mut self, at: Ref, selector: &Selector) -> Result<Option<Value>, Stop> {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(None) };
        let found = match selector.index() {
            Some(index) => match list.get(index) {
                Some(node) => vec![node.clone()],
                None => return Ok(Some(Value::Undefined)),
            },
            None => match named(&list, &selector.name()) {
                Some(found) if !matches!(selector, Selector::Value(Value::Unknown(_))) => found,
                _ => return Ok(None),
            },
        };
        self.xml(found.into()).map(Some)
    }

    /// Adds a node to a list, as compiled filters do it.
    pub(crate) fn set_xml(&mut self, at: Ref, selector: &Selector, value: &Value) -> Result<bool, Stop> {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(false) };
        match (selector.index(), self.nodes(value).as_deref()) {
            (Some(index), Some([node])) if index >= list.len() => {
                self.spend(list.len())?;
                let longer = list.iter().chain([node]).cloned().collect();
                self.object_mut(at)?.kind = ObjectKind::Xml(longer);
            }
            _ => change(&list),
        }
        Ok(true)
    }

    /// The nodes for which a condition holds, if that is known for each.
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

    /// Whether elements with a name are in a scope.
    pub(crate) fn has_elements(&self, scope: &Value, name: &str) -> bool {
        self.nodes(scope).and_then(|list| named(&list, name)).is_some_and(|found| !found.is_empty())
    }

    /// What of XML is compared with another value.
    pub(crate) fn compared(&self, value: Value, other: &Value) -> Value {
        match self.nodes(&value) {
            Some(list) if list.is_empty() && matches!(other, Value::Undefined) => Value::Undefined,
            Some(list) => text(&list).map_or(value, Value::Text),
            None => value,
        }
    }

    /// `list..name`
    pub(crate) fn xml_descendants(&mut self, object: &Value, name: &Name) -> Result<Option<Value>, Stop> {
        match self.nodes(object).and_then(|list| descendants(&list, name)) {
            Some(found) => self.xml(found.into()).map(Some),
            None => Ok(None),
        }
    }

    /// Methods of XML. `filter` is what sources have for `list.(condition)`.
    pub(crate) fn xml_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Result<Option<Value>, Stop> {
        let Some(list) = self.nodes(&Value::Object(at)) else { return Ok(None) };
        let first = arguments.first().map(|value| self.known(value));
        let asked = || match &first {
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
            "child" => asked().and_then(|name| named(&list, &name)),
            "children" => named(&list, "*"),
            "elements" => asked().and_then(|name| named(&list, &name)).map(|found| only(found, true)),
            "text" => named(&list, "*").map(|found| only(found, false)),
            "attribute" => asked().and_then(|name| named(&list, &format!("@{name}"))),
            "attributes" => named(&list, "@*"),
            "filter" => match &first {
                Some(condition @ Value::Function(_)) => self.filtered(&list, condition)?,
                _ => None,
            },
            "descendants" => asked().and_then(|name| descendants(&list, &name)),
            "toXMLString" | "normalize" | "parent" | "childIndex" | "nodeKind" | "contains" => None,
            _ => {
                change(&list);
                None
            }
        };
        match found {
            Some(found) => self.xml(found.into()).map(Some),
            None => Ok(None),
        }
    }
}

/// Code changes some nodes.
fn change(list: &[Rc<Node>]) {
    for node in list {
        if let Node::Element(element) = &**node {
            element.is_changed.set(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(xml: &str) -> List {
        parse(&Text::literal(xml)).unwrap_or_else(|| panic!("{xml}"))
    }

    fn known(list: &[Rc<Node>]) -> String {
        text(list).expect("no elements").known().expect("no holes").to_string()
    }

    #[test]
    fn text_is_that_of_elements_without_elements_in_them() {
        for (xml, expected) in [
            ("<s>mov oc, v0</s>", "mov oc, v0"),
            ("<![CDATA[tex <2d>]]>", "tex <2d>"),
            (
                "<s><!-- no --> a &lt;2d&gt; &#65;&#x42;&other; <![CDATA[<&amp;>]]><?x y?></s>",
                " a <2d> AB&other; <&amp;>",
            ),
            ("<a/>", ""),
            ("<a b='>'>c</a>\n<d>e</d>", "ce"),
        ] {
            assert_eq!(known(&read(xml)), expected, "{xml}");
        }
        assert!(text(&read("<a><b/></a>")).is_none());
    }

    #[test]
    fn elements_attributes_and_descendants_are_found_by_their_names() {
        let list = read("<x><s id='1'><v>a</v></s><n:s id=\"2\"><v>b</v><w>c</w></n:s></x>");
        let by = |name| named(&list, name).expect("nothing is changed");
        assert_eq!(by("s").len(), 2);
        assert_eq!(known(&named(&by("s"), "v").expect("nothing is changed")), "ab");
        assert_eq!(known(&named(&by("*"), "@id").expect("nothing is changed")), "12");
        assert_eq!(known(&descendants(&list, "w").expect("nothing is changed")), "c");
        change(&by("s")[1..]);
        assert!(descendants(&list, "w").is_none() && named(&by("s"), "v").is_none());
    }

    #[test]
    fn text_that_is_not_well_formed_is_no_xml() {
        for wrong in ["<a>", "</a>", "<a b=c/>", "<", "<![CDATA[", "<!--", &"<a>".repeat(DEEPEST + 1)] {
            assert!(parse(&Text::literal(wrong)).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_constant_has_the_texts_of_its_elements() {
        let of = |xml: &str| texts(&xml.into()).join("|");
        assert_eq!(of("mov oc, v0"), "mov oc, v0");
        assert_eq!(of("<a><b>mov ft0, v0</b>x<c><d>mov oc, v0</d><d/></c></a>"), "mov ft0, v0|x|mov oc, v0");
    }
}
