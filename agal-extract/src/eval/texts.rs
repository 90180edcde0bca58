//! Evaluates the methods of strings and numbers.

use std::rc::Rc;

use crate::avm::names::Name;
use crate::avm::types::Type;
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Known, Run, Stop};
use crate::eval::number::{fixed, in_base, to_i64};
use crate::eval::pattern::{MOST, Pattern};
use crate::eval::text::{Part, Text};
use crate::eval::value::{ObjectKind, Value};
use crate::strings::is_one_of;

/// The maximum number of regular expressions whose compiled patterns are cached.
const PATTERNS: usize = 32;

/// Reports whether only strings have a method with this name.
pub(crate) fn is_only_of_texts(name: &str) -> bool {
    is_one_of(name, "substr substring toLowerCase toUpperCase charAt charCodeAt split replace")
}

impl Run<'_, '_> {
    fn integer(&self, arguments: &[Value], at: usize, default: i64) -> Option<i64> {
        match arguments.get(at).map(|value| self.known(value)) {
            None | Some(Value::Undefined) => Some(default),
            Some(value) => value.number().map(to_i64),
        }
    }

    pub(crate) fn text_method(&mut self, text: &Text, name: &Name, arguments: &[Value]) -> Result<Value, Stop> {
        self.spend(text.size() / 64)?;
        let found = match &**name {
            "toString" | "valueOf" => Some(Value::Text(text.clone())),
            "toLowerCase" | "toLocaleLowerCase" => Some(self.changed(text, "toLowerCase", str::to_lowercase)?),
            "toUpperCase" | "toLocaleUpperCase" => Some(self.changed(text, "toUpperCase", str::to_uppercase)?),
            "concat" => {
                let mut joined = text.clone();
                for argument in arguments {
                    joined.push(&self.text_of(argument)?);
                }
                Some(Value::Text(self.limit_text(joined)?))
            }
            "replace" => self.replace(text, arguments)?,
            "split" => self.split(text, arguments)?,
            "match" => match (arguments.first().and_then(|what| self.pattern(what)), text.known()) {
                (Some(pattern), Some(text)) => Some(self.matched(&pattern, text)?),
                _ => None,
            },
            "indexOf" | "lastIndexOf" | "search" => self.find_in(text, name, arguments),
            _ => match self.part_of(text, name, arguments) {
                Some(Value::Text(part)) => Some(Value::Text(self.limit_text(part)?)),
                other => other,
            },
        };
        Ok(found.unwrap_or_else(|| {
            let object = self.expr(&Value::Text(text.clone()));
            let of = if is_only_of_texts(name) && &**name != "split" { Type::String } else { Type::Any };
            let arguments: Vec<Expr> = arguments.iter().map(|value| self.expr(value)).collect();
            // String methods have no side effects, so identical calls share the number 0 and are equal.
            Value::Unknown(Expr::new(Kind::Call(Some(object), name.clone(), arguments.into(), 0), of))
        }))
    }

    fn changed(&mut self, text: &Text, name: &'static str, change: fn(&str) -> String) -> Result<Value, Stop> {
        let changed = text
            .map(|text| Text::literal(&change(text)), |expr| Expr::op(name, std::slice::from_ref(expr), Type::String));
        Ok(Value::Text(self.limit_text(changed)?))
    }

    /// Evaluates a method that extracts part of a string. Returns `None` if the result is unknown.
    fn part_of(&mut self, text: &Text, name: &str, arguments: &[Value]) -> Option<Value> {
        let first = self.integer(arguments, 0, 0)?;
        let part = |from, to| Some(Value::Text(text.slice(from, to)?));
        match name {
            "slice" => part(first, self.integer(arguments, 1, i64::MAX)?),
            "substr" => {
                let length = self.integer(arguments, 1, i64::MAX)?;
                let end = match first.saturating_add(length) {
                    // Like a negative position, a negative length counts from the end of the string.
                    _ if first >= 0 && length < 0 => length,
                    end if first < 0 && end >= 0 => i64::MAX,
                    end => end,
                };
                part(first, end)
            }
            "substring" => {
                let (from, to) = (first.max(0), self.integer(arguments, 1, i64::MAX)?.max(0));
                part(from.min(to), from.max(to))
            }
            "charAt" if first >= 0 => part(first, first.saturating_add(1)),
            "charCodeAt" if first >= 0 => {
                let one = text.slice(first, first.saturating_add(1))?;
                let code = one.known()?.chars().next().map_or(f64::NAN, |letter| f64::from(u32::from(letter)));
                Some(Value::Number(code))
            }
            _ => None,
        }
    }

    fn find_in(&mut self, text: &Text, name: &str, arguments: &[Value]) -> Option<Value> {
        let known = text.known();
        let first = arguments.first().map(|value| self.known(value))?;
        if let Value::Object(_) = &first {
            let found = self.pattern(&first)?.find(known?);
            return Some(Value::Number(found.map_or(-1.0, |at| at as f64)));
        }
        let wanted = self.text_of(&first).ok()?;
        let wanted = wanted.known()?;
        let Some(known) = known else {
            // A match in the known beginning of a partly known string is the string's first match.
            let Part::Literal(start) = text.parts().first()? else { return None };
            let at = start.find(wanted).filter(|_| name == "indexOf" && arguments.len() < 2)?;
            return Some(Value::Number(start.get(..at)?.chars().count() as f64));
        };
        let is_last = name == "lastIndexOf";
        let from = self.integer(arguments, 1, if is_last { i64::MAX } else { 0 })?;
        let from = usize::try_from(from.max(0)).ok()?;
        let skipped: usize = known.chars().take(from).map(char::len_utf8).sum();
        let end = skipped.saturating_add(wanted.len()).min(known.len());
        let at = match is_last {
            true => known.get(..(0..=end).rev().find(|at| known.is_char_boundary(*at))?)?.rfind(wanted),
            false => known.get(skipped..)?.find(wanted).map(|at| at + skipped),
        };
        Some(Value::Number(at.and_then(|at| known.get(..at)).map_or(-1.0, |before| before.chars().count() as f64)))
    }

    /// Compiles the pattern of a regular expression. Returns `None` if the pattern is unsupported.
    pub(crate) fn pattern(&mut self, value: &Value) -> Option<Rc<Pattern>> {
        let Value::Object(at) = self.known(value) else { return None };
        let ObjectKind::Pattern(pattern, flags) = &self.heap.get(at)?.kind else { return None };
        let patterns = &mut self.shared.patterns;
        if patterns.len() > PATTERNS {
            patterns.clear();
        }
        let known = patterns.entry((pattern.clone(), flags.clone()));
        known.or_insert_with(|| Pattern::new(pattern, flags).map(Rc::new)).clone()
    }

    /// Returns all matches of a global pattern. For any other pattern, returns the first match, followed by its groups. Returns
    /// null if nothing matches.
    pub(crate) fn matched(&mut self, pattern: &Pattern, text: &str) -> Result<Value, Stop> {
        self.spend(text.len())?;
        match pattern.matches(text) {
            Some(found) if found.len() >= MOST => Err(Stop::Limit),
            Some(found) => self.array(found.iter().map(|text| Value::text(text)).collect()),
            None => Ok(Value::Null),
        }
    }

    fn replace(&mut self, text: &Text, arguments: &[Value]) -> Known {
        let [what, with, ..] = arguments else { return Ok(None) };
        let what = self.known(what);
        if let Value::Function(_) = with {
            return Ok(None);
        }
        let with = self.text_of(with)?;
        if let Value::Object(_) = &what {
            let Some(pattern) = self.pattern(&what) else { return Ok(None) };
            self.spend(text.size())?;
            return Ok(Some(Value::Text(self.limit_text(pattern.replace(text, &with))?)));
        }
        let what = self.text_of(&what)?;
        let Some(what) = what.known() else { return Ok(None) };
        let mut done = what.is_empty();
        let replaced = |literal: &str| match literal.split_once(what).filter(|_| !done) {
            Some((before, after)) => {
                done = true;
                Text::join(&[Text::literal(before), Text::literal(after)], &with)
            }
            None => Text::literal(literal),
        };
        let replaced = text.map(replaced, Expr::clone);
        Ok(Some(Value::Text(self.limit_text(replaced)?)))
    }

    fn split(&mut self, text: &Text, arguments: &[Value]) -> Known {
        let Some(separator) = arguments.first() else { return Ok(None) };
        let separator = self.known(separator);
        let parts = match &separator {
            Value::Object(_) => self.pattern(&separator).and_then(|pattern| Some(pattern.split(text.known()?))),
            _ => match (self.text_of(&separator)?.known(), text.known()) {
                (Some(""), Some(text)) => {
                    Some(text.chars().take(MOST).map(|letter| Text::literal(letter.encode_utf8(&mut [0; 4]))).collect())
                }
                (Some(""), None) | (None, _) => None,
                (Some(separator), _) => {
                    let count: usize = text.literals().map(|literal| literal.matches(separator).count()).sum();
                    (count < MOST).then(|| text.split(separator))
                }
            },
        };
        let Some(parts) = parts.filter(|parts| parts.len() < MOST) else { return Ok(None) };
        self.spend(parts.len().saturating_mul(8))?;
        let parts = parts.into_iter().map(|text| match text.as_hole() {
            Some(expr) => Value::Unknown(expr.typed(Type::String)),
            None => Value::Text(text),
        });
        self.array(parts.collect()).map(Some)
    }

    pub(crate) fn number_method(&mut self, number: f64, name: &Name, arguments: &[Value]) -> Result<Value, Stop> {
        let first = self.integer(arguments, 0, 0);
        Ok(match (&**name, first) {
            ("toString", Some(base)) => Value::text(&in_base(number, u32::try_from(base).unwrap_or_default())),
            ("toFixed", Some(digits)) => Value::text(&fixed(number, usize::try_from(digits).unwrap_or_default())),
            ("valueOf", _) => Value::Number(number),
            _ => self.opaque(&Value::Number(number), name, arguments, Type::String),
        })
    }
}
