//! Events on a path: the programs found on the path, and the calls that receive programs.

use std::rc::Rc;

use agalc::Stage;

use crate::avm::world::{ClassId, MethodId};
use crate::eval::expr::{Expr, constant_text};
use crate::eval::machine::{Run, Running};
use crate::eval::text::Text;
use crate::eval::value::Value;
use crate::model::{Alternative, Language};

/// A position in code, with the conditions on the path to that position.
#[derive(Clone, Debug)]
pub(crate) struct Where {
    pub(crate) method: MethodId,
    pub(crate) at: u32,
    /// The exact class of `this` in the method, or `None` if the class is unknown.
    pub(crate) class: Option<ClassId>,
    /// The call that receives the program, which may be in another method.
    pub(crate) call: (MethodId, u32),
    pub(crate) conditions: Rc<[(Expr, Alternative)]>,
}

/// A program, a string or a call found on a path.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) what: What,
    pub(crate) place: Where,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A string that a call receives as a program.
    Program { text: Text, stage: Option<Stage>, version: Option<u32>, language: Language },
    /// A string that may be a program or part of a program, but that no call receives.
    Text { text: Text },
    /// Bytecode that a call receives as a program.
    Bytes { bytes: Rc<[u8]>, stage: Option<Stage> },
    /// A vertex program and a fragment program that are used together, given as indices into the path's events.
    Pair { vertex: usize, fragment: usize },
    /// A call that receives unknown programs, with its arguments as expressions.
    Unknown { of: Rc<[Expr]> },
}

/// Returns a condition and the alternative taken, in the form that reports show. Negations are removed. If a value is compared
/// with a constant, the constant becomes the alternative.
pub(crate) fn simplify(condition: &Expr, holds: bool) -> (Expr, Alternative) {
    match condition.operation() {
        Some(("!", [one])) => simplify(one, !holds),
        Some(("==", [one, two])) if holds => {
            match constant_text(two).map(|two| (one, two)).or(constant_text(one).map(|one| (two, one))) {
                Some((value, text)) => (value.clone(), Alternative::Is(text)),
                None => (condition.clone(), Alternative::True),
            }
        }
        _ => (condition.clone(), if holds { Alternative::True } else { Alternative::False }),
    }
}

impl Run<'_, '_> {
    pub(crate) fn conditions(&self) -> Rc<[(Expr, Alternative)]> {
        // A path never removes conditions, so all programs found between two conditions share one list.
        let mut known = self.known_conditions.borrow_mut();
        if known.len() != self.conditions.len() {
            *known = self.conditions.as_slice().into();
        }
        known.clone()
    }

    /// Returns the position at which a string is assembled: in the innermost running method that did not receive the complete
    /// string as an argument.
    pub(crate) fn place_of(&self, is_it: &dyn Fn(&Value) -> bool) -> Where {
        let real = |frame: &&Running| frame.method != MethodId::default();
        let mut frames = self.frames.iter().rev().filter(real);
        let innermost = self.frames.iter().rev().find(real);
        let found = frames.find(|frame| !frame.arguments.iter().any(is_it)).or(innermost);
        let of = |frame: Option<&Running>| frame.map(|frame| (frame.method, frame.at)).unwrap_or_default();
        let (method, at) = of(found);
        let class = found.and_then(|frame| self.class_of_receiver(&frame.this));
        Where { method, at, class, call: of(innermost), conditions: self.conditions() }
    }

    /// Returns the exact class of a `this` value, or `None` if the class is unknown.
    fn class_of_receiver(&self, this: &Value) -> Option<ClassId> {
        let object = self.heap.get(this.object()?)?;
        let class = object.class?;
        let Some(expr) = &object.expr else { return Some(class) };
        if let [only] = *self.facts.classes(expr)? { Some(only) } else { None }
    }

    /// Records an event. Returns the event's index in the path's list.
    pub(crate) fn event(&mut self, what: What, place: Where) -> usize {
        let called = self.frames.iter().skip(1).map(|frame| (frame.method, self.class_of_receiver(&frame.this)));
        let called: Vec<_> = called.collect();
        self.shared.yielded.extend(called);
        self.events.push(Event { what, place });
        self.events.len().saturating_sub(1)
    }

    /// Records a string that may be a program or part of a program, but that no call receives.
    pub(crate) fn note(&mut self, value: &Value) {
        let Some(text) = self.lines_of(value).or_else(|| self.text_of_xml(value)) else { return };
        if self.is_setup || text.size() < 6 || !self.shared.reads_as_agal(&text) {
            return;
        }
        let place = self.place_of(&|value| match value {
            Value::Text(one) => *one == text,
            other => self.text_of_xml(other).is_some_and(|one| one == text),
        });
        self.event(What::Text { text }, place);
    }

    /// Returns a string value, or the elements of a string array joined with line breaks.
    pub(crate) fn lines_of(&self, value: &Value) -> Option<Text> {
        match value {
            Value::Text(text) => Some(text.clone()),
            other => self.heap.get(other.object()?)?.lines(),
        }
    }
}
