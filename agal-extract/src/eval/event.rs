//! Results of paths: programs, and calls that take them.

use std::rc::Rc;

use agalc::Stage;

use crate::avm::world::{ClassId, MethodId};
use crate::eval::expr::{Expr, constant_text};
use crate::eval::machine::{Run, Running};
use crate::eval::text::Text;
use crate::eval::value::Value;
use crate::model::{Alternative, Language};

/// A location in code, with the conditions of the path that leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Where {
    pub(crate) method: MethodId,
    pub(crate) at: u32,
    /// Exact class of the method's `this`, if it is known.
    pub(crate) class: Option<ClassId>,
    /// The call that takes the program, which may be in another method.
    pub(crate) call: (MethodId, u32),
    pub(crate) conditions: Rc<[(Expr, Alternative)]>,
}

/// A program, text or call found on a path.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) what: What,
    pub(crate) place: Where,
}

/// Kind of an event, with its data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A text that a call takes as a program.
    Program { text: Text, stage: Option<Stage>, version: Option<u32>, language: Language },
    /// A text that reads as a program or as a part of a program.
    Text { text: Text },
    /// Bytes that a call takes as a program.
    Bytes { bytes: Rc<[u8]>, stage: Option<Stage> },
    /// Two programs, by their numbers among the events of the path.
    Pair { vertex: usize, fragment: usize },
    /// A call whose programs are unknown, except for these expressions.
    Unknown { of: Rc<[Expr]> },
}

/// A condition as reported: without negations, and with the alternative that is taken.
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
    /// Conditions of the path so far.
    pub(crate) fn conditions(&self) -> Rc<[(Expr, Alternative)]> {
        // A path only adds conditions, so programs with no condition between them share the list.
        let mut known = self.known_conditions.borrow_mut();
        if known.len() != self.conditions.len() {
            *known = self.conditions.as_slice().into();
        }
        known.clone()
    }

    /// The location where a text is assembled: the innermost call that did not get the whole text as an argument.
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

    /// Exact class of the `this` of a running method, if it is known.
    fn class_of_receiver(&self, this: &Value) -> Option<ClassId> {
        let object = self.heap.get(this.object()?)?;
        let class = object.class?;
        let Some(expr) = &object.expr else { return Some(class) };
        if let [only] = *self.facts.classes(expr)? { Some(only) } else { None }
    }

    /// Records an event. Returns its number.
    pub(crate) fn event(&mut self, what: What, place: Where) -> usize {
        let called = self.frames.iter().skip(1).map(|frame| (frame.method, self.class_of_receiver(&frame.this)));
        let called: Vec<_> = called.collect();
        self.shared.yielded.extend(called);
        self.events.push(Event { what, place });
        self.events.len().saturating_sub(1)
    }

    /// Records a text that may be a program or a part of one, although no call takes it.
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

    /// A text, or the elements of an array of texts as lines.
    pub(crate) fn lines_of(&self, value: &Value) -> Option<Text> {
        match value {
            Value::Text(text) => Some(text.clone()),
            other => self.heap.get(other.object()?)?.lines(),
        }
    }
}
