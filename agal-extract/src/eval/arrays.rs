//! Methods of arrays, vectors, regular expressions and plain objects.

use crate::avm::names::Name;
use crate::avm::types::Type;
use crate::eval::bytes::BYTES;
use crate::eval::changes::is_changing;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Known, Run, Stop};
use crate::eval::number;
use crate::eval::range::Range;
use crate::eval::text::Text;
use crate::eval::value::{Object, ObjectKind, Ref, Value};
use crate::strings::is_one_of;

/// The maximum number of elements in an array.
pub(crate) const LONGEST: usize = 65_536;
/// The number of elements that can be moved at the cost of one instruction.
const MOVED: usize = 64;

impl Run<'_, '_> {
    /// Returns a built-in field of an array, a byte array or a regular expression.
    pub(crate) fn native_field(&mut self, at: Ref, name: &Name) -> Known {
        let object = self.object(at)?;
        if let (ObjectKind::Array(elements), "length", true) = (&object.kind, &**name, object.is_open) {
            let least = elements.len() as f64;
            let length = Expr::new(Kind::Field(self.expr(&Value::Object(at)), name.clone()), Type::Int);
            self.facts.bound(&length, Range::from(Range::of(least), false));
            return Ok(Some(Value::Unknown(length)));
        }
        Ok(match (&object.kind, &**name) {
            (ObjectKind::Array(elements), "length") => Some(Value::Number(elements.len() as f64)),
            (ObjectKind::Bytes(bytes), "length") if !bytes.is_unknown => Some(Value::Number(bytes.bytes.len() as f64)),
            (ObjectKind::Bytes(bytes), "position") if !bytes.is_unknown => Some(Value::Number(bytes.position as f64)),
            (ObjectKind::Bytes(bytes), "bytesAvailable") if !bytes.is_unknown => {
                Some(Value::Number(bytes.bytes.len().saturating_sub(bytes.position) as f64))
            }
            (ObjectKind::Bytes(bytes), "endian") => {
                Some(Value::text(if bytes.is_little { "littleEndian" } else { "bigEndian" }))
            }
            (ObjectKind::Pattern(pattern, _), "source") => Some(Value::text(pattern)),
            _ => None,
        })
    }

    pub(crate) fn set_native_field(&mut self, at: Ref, name: &Name, value: &Value) -> Result<bool, Stop> {
        let value = self.known(value);
        let place = value.number().map(|number| usize::try_from(number::to_i64(number)).unwrap_or_default());
        let length = place.map(|length| length.min(LONGEST));
        let object = self.object_mut(at)?;
        match (&mut object.kind, &**name) {
            (ObjectKind::Array(elements), "length") => {
                object.is_open |= length.is_none();
                // If an open array becomes longer, the elements after its known end are unknown.
                let length = length.unwrap_or_default().min(if object.is_open { elements.len() } else { LONGEST });
                elements.resize(length, Value::Undefined);
                self.spend(length)?;
            }
            (ObjectKind::Bytes(bytes), "position") => {
                bytes.is_unknown |= place.is_none();
                bytes.position = place.unwrap_or(bytes.position);
            }
            (ObjectKind::Bytes(bytes), "length") => {
                bytes.is_unknown |= length.is_none();
                let length = length.unwrap_or(bytes.bytes.len());
                let new = length.saturating_sub(bytes.bytes.len());
                bytes.bytes.resize(length, 0);
                bytes.position = bytes.position.min(length);
                self.spend(new / BYTES)?;
            }
            (ObjectKind::Bytes(bytes), "endian") => {
                bytes.is_unknown |= value.known_text().is_none();
                bytes.is_little = value.known_text() == Some("littleEndian");
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Calls a method that the player defines for objects of this kind.
    pub(crate) fn object_method(&mut self, at: Ref, name: &Name, arguments: &[Value]) -> Known {
        match &self.object(at)?.kind {
            ObjectKind::Array(_) => self.array_method(at, name, arguments),
            ObjectKind::Bytes(_) => self.bytes_method(at, name, arguments),
            ObjectKind::Pattern(..) => self.pattern_method(at, name, arguments),
            ObjectKind::Plain => self.plain_method(at, name, arguments),
            ObjectKind::Xml(_) => self.xml_method(at, name, arguments),
            _ => Ok(None),
        }
    }

    fn plain_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        let object = self.object(at)?;
        Ok(match name {
            "hasOwnProperty" | "propertyIsEnumerable" => {
                let Some(wanted) = arguments.first() else { return Ok(None) };
                return self.is_in(&self.known(wanted), &Value::Object(at)).map(Some);
            }
            "toString" if object.expr.is_some() => Some(Value::Text(Text::hole(self.expr(&Value::Object(at))))),
            _ => None,
        })
    }

    fn pattern_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        let Some(first) = arguments.first() else { return Ok(None) };
        let text = self.text_of(first)?;
        let (Some(text), Some(pattern)) = (text.known(), self.pattern(&Value::Object(at))) else { return Ok(None) };
        self.spend(text.len())?;
        Ok(match name {
            "test" => Some(Value::Bool(pattern.find(text).is_some())),
            "exec" if !pattern.is_global => Some(self.matched(&pattern, text)?),
            _ => None,
        })
    }

    fn elements(&mut self, at: Ref) -> Result<(&mut Vec<Value>, bool), Stop> {
        let object = self.object_mut(at)?;
        let is_open = object.is_open;
        let ObjectKind::Array(elements) = &mut object.kind else { return Err(Stop::Broken) };
        Ok((elements, is_open))
    }

    fn array_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        let length = self.elements(at)?.0.len();
        let added = if matches!(name, "push" | "unshift") { arguments.len() } else { 0 };
        let moved = if matches!(name, "unshift" | "shift" | "reverse") { length / MOVED } else { 0 };
        self.spend(added + moved)?;
        if added > 0 && length.saturating_add(added) > LONGEST {
            // If an array exceeds the maximum length, all its elements become unknown.
            let object = self.object_mut(at)?;
            (object.kind, object.is_open) = (ObjectKind::Array(Vec::new()), true);
        }
        let (elements, is_open) = self.elements(at)?;
        Ok(Some(match name {
            "push" | "unshift" => {
                let place = if name == "push" { elements.len() } else { 0 };
                elements.splice(place..place, arguments.iter().cloned());
                if is_open { return Ok(None) } else { Value::Number(elements.len() as f64) }
            }
            "pop" if !is_open => elements.pop().unwrap_or_default(),
            "shift" if length > 0 => elements.remove(0),
            "shift" if !is_open => Value::Undefined,
            "reverse" if !is_open => {
                elements.reverse();
                Value::Object(at)
            }
            "splice" => return self.splice(at, arguments),
            _ => {
                let done = self.array_copy(at, name, arguments)?;
                if done.is_none() && name != "pop" && is_changing(name) {
                    self.forget_elements(at)?;
                }
                return Ok(done);
            }
        }))
    }

    /// Marks all elements of an array as unknown, because any of them may have changed.
    fn forget_elements(&mut self, at: Ref) -> Result<(), Stop> {
        let object = self.object_mut(at)?;
        let is_short = matches!(&object.kind, ObjectKind::Array(elements) if elements.is_empty()) && !object.is_open;
        if !is_short {
            (object.kind, object.is_open) = (ObjectKind::Array(Vec::new()), true);
        }
        Ok(())
    }

    /// Returns the index that an argument denotes in an array of the given length. A negative argument counts from the end.
    /// Returns `None` if the index is unknown.
    fn index(&self, (length, is_open): (usize, bool), argument: Option<&Value>, default: usize) -> Option<usize> {
        let Some(argument) = argument else { return Some(default) };
        let at = number::to_i64(self.known(argument).number()?);
        if at < 0 && is_open {
            return None;
        }
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        usize::try_from(if at < 0 { length.saturating_add(at).max(0) } else { at.min(length) }).ok()
    }

    fn splice(&mut self, at: Ref, arguments: &[Value]) -> Known {
        let (elements, is_open) = self.elements(at)?;
        let length = elements.len();
        let count = match arguments.get(1).map(|count| self.known(count).number()) {
            None => Some(length),
            Some(count) => count.map(|count| usize::try_from(number::to_i64(count)).unwrap_or_default()),
        };
        let (Some(count), Some(from)) = (count, self.index((length, is_open), arguments.first(), 0)) else {
            return self.forget_elements(at).map(|()| None);
        };
        let to = from.saturating_add(count).min(length);
        self.spend(length / MOVED + arguments.len())?;
        let new = arguments.get(2..).unwrap_or_default().to_vec();
        let removed = self.elements(at)?.0.splice(from..to, new).collect();
        self.vector(removed, &Type::Any, is_open && to == length).map(Some)
    }

    /// Calls a method that reads all elements of an array, such as `join` or `slice`.
    fn array_copy(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        if !is_one_of(name, "join toString concat slice indexOf lastIndexOf sort forEach map filter") {
            return Ok(None);
        }
        let (elements, is_open) = self.elements(at)?;
        let copy = elements.clone();
        self.spend(copy.len() / 8 + 1)?;
        let known: Vec<Value> = arguments.iter().map(|value| self.known(value)).collect();
        Ok(Some(match name {
            "join" => {
                let separator = match known.first() {
                    Some(Value::Undefined) | None => Text::literal(","),
                    Some(value) => self.text_of(value)?,
                };
                Value::Text(self.join(at, &copy, &separator)?)
            }
            "toString" => Value::Text(self.join(at, &copy, &Text::literal(","))?),
            "concat" => {
                let (mut all, mut open) = (copy, is_open);
                for argument in arguments {
                    match argument.object().and_then(|at| self.heap.get(at)) {
                        Some(Object { kind: ObjectKind::Array(elements), is_open, .. }) => {
                            all.extend(elements.iter().cloned());
                            open |= is_open;
                        }
                        _ => all.push(argument.clone()),
                    }
                }
                self.vector(all, &Type::Any, open)?
            }
            "slice" => {
                let length = (copy.len(), is_open);
                let (from, to) = (self.index(length, known.first(), 0), self.index(length, known.get(1), copy.len()));
                let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
                let part = copy.get(from..to).unwrap_or_default().to_vec();
                self.vector(part, &Type::Any, is_open && to == copy.len())?
            }
            "indexOf" | "lastIndexOf" => return self.index_of(&copy, is_open, name, &known),
            "sort" if arguments.is_empty() && !is_open => return self.sort(at, &copy),
            "forEach" | "map" | "filter" => return self.each(at, (&copy, is_open), name, arguments),
            _ => return Ok(None),
        }))
    }

    fn index_of(&mut self, elements: &[Value], is_open: bool, name: &str, arguments: &[Value]) -> Known {
        let Some(wanted) = arguments.first() else { return Ok(None) };
        let is_first = name == "indexOf";
        let default = if is_first { 0 } else { elements.len() };
        let length = (elements.len(), is_open);
        let Some(from) = self.index(length, arguments.get(1), default) else { return Ok(None) };
        let range = if is_first { from..elements.len() } else { 0..elements.len().min(from.saturating_add(1)) };
        let mut found = None;
        for (at, element) in elements.iter().enumerate().skip(range.start).take(range.len()) {
            match self.compare("===", element, wanted)? {
                Value::Bool(true) => {
                    found = Some(at);
                    if is_first {
                        break;
                    }
                }
                Value::Bool(false) => {}
                _ => return Ok(None),
            }
        }
        Ok(match found {
            Some(at) if is_first || !is_open => Some(Value::Number(at as f64)),
            _ if is_open => None,
            _ => Some(Value::Number(-1.0)),
        })
    }

    fn sort(&mut self, at: Ref, elements: &[Value]) -> Known {
        let mut texts = Vec::with_capacity(elements.len());
        for element in elements {
            let text = self.text_of(element)?;
            let Some(known) = text.known() else { return Ok(None) };
            texts.push((known.to_string(), element.clone()));
        }
        texts.sort_by(|(one, _), (two, _)| one.cmp(two));
        *self.elements(at)?.0 = texts.into_iter().map(|(_, element)| element).collect();
        Ok(Some(Value::Object(at)))
    }

    fn each(&mut self, at: Ref, elements: (&[Value], bool), name: &str, arguments: &[Value]) -> Known {
        let (elements, is_open) = elements;
        let Some(function @ Value::Function(_)) = arguments.first() else { return Ok(None) };
        let mut results = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let list = vec![element.clone(), Value::Number(index as f64), Value::Object(at)];
            let result = self.call(function, Value::Null, list)?;
            match name {
                "map" => results.push(result),
                "filter" => match result.truth() {
                    Some(true) => results.push(element.clone()),
                    Some(false) => {}
                    None => return Ok(None),
                },
                _ => {}
            }
        }
        Ok(Some(if name == "forEach" { Value::Undefined } else { self.vector(results, &Type::Any, is_open)? }))
    }
}
