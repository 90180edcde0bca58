//! What paths find: programs, and calls that take them.

use std::rc::Rc;

use agalc::Stage;

use crate::avm::world::{ClassId, MethodId};
use crate::conditions::constant;
use crate::eval::expr::Expr;
use crate::eval::machine::{Run, Running};
use crate::eval::text::Text;
use crate::eval::value::{Object, ObjectKind, Value};
use crate::model::{Alternative, Language};

/// A place in code, with the conditions that lead there.
#[derive(Clone, Debug)]
pub(crate) struct Where {
    pub(crate) method: MethodId,
    pub(crate) at: u32,
    /// The class of the object whose method it is, if that is known exactly.
    pub(crate) class: Option<ClassId>,
    /// The call itself, which may be in another method.
    pub(crate) call: (MethodId, u32),
    pub(crate) conditions: Rc<[(Expr, Alternative)]>,
}

/// Something that a path found.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) what: What,
    pub(crate) place: Where,
}

/// What a path found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A text that a call takes as a program.
    Program { text: Text, stage: Option<Stage>, version: Option<u32>, language: Language },
    /// A text that reads as a program, or as a part of one.
    Text { text: Text },
    /// Bytes that a call takes as a program.
    Bytes { bytes: Rc<[u8]>, stage: Option<Stage> },
    /// Two programs, by their numbers among the events of the path.
    Pair { vertex: usize, fragment: usize },
    /// A call that takes programs of which nothing is known but these expressions.
    Unknown { of: Rc<[Expr]> },
}

/// Conditions in the form in which they are reported.
pub(crate) struct Ways;

impl Ways {
    /// A condition without negations, and the way that is taken.
    pub(crate) fn simplify(condition: &Expr, holds: bool) -> (Expr, Alternative) {
        let way = |holds| if holds { Alternative::True } else { Alternative::False };
        match condition.operation() {
            Some(("!", [one])) => Ways::simplify(one, !holds),
            Some(("!=", [one, two])) => Ways::simplify(&equality(one, two), !holds),
            Some(("==", [one, two])) if holds => {
                match constant(two).map(|two| (one, two)).or(constant(one).map(|one| (two, one))) {
                    Some((value, text)) => (value.clone(), Alternative::Is(text)),
                    None => (condition.clone(), Alternative::True),
                }
            }
            _ => (condition.clone(), way(holds)),
        }
    }
}

fn equality(one: &Expr, two: &Expr) -> Expr {
    Expr::op("==", &[one.clone(), two.clone()], crate::avm::types::Type::Boolean)
}

impl Run<'_, '_> {
    /// The conditions that hold now.
    pub(crate) fn conditions(&self) -> Rc<[(Expr, Alternative)]> {
        // A path only adds conditions, so that programs which none parts share the list.
        let length = self.trail.len().saturating_add(self.assumed.len());
        let mut known = self.known_conditions.borrow_mut();
        if known.len() == length {
            return known.clone();
        }
        let mut all = Vec::with_capacity(self.trail.len());
        let mut assumed = self.assumed.iter().peekable();
        for (number, decision) in self.trail.iter().enumerate() {
            while let Some((_, condition, way)) = assumed.next_if(|(before, ..)| *before <= number) {
                all.push((condition.clone(), way.clone()));
            }
            all.push((decision.condition.clone(), decision.way.clone()));
        }
        all.extend(assumed.map(|(_, condition, way)| (condition.clone(), way.clone())));
        *known = all.into();
        known.clone()
    }

    /// The place that puts a text together: the innermost call that did not get it whole as an argument.
    pub(crate) fn place_of(&self, is_it: &dyn Fn(&Value) -> bool) -> Where {
        let real = |frame: &&Running| frame.method.method != u32::MAX;
        let mut frames = self.frames.iter().rev().filter(real);
        let innermost = self.frames.iter().rev().find(real);
        let found = frames.find(|frame| !frame.arguments.iter().any(is_it)).or(innermost);
        let none = MethodId { unit: u32::MAX, method: u32::MAX };
        let of = |frame: Option<&Running>| frame.map_or((none, 0), |frame| (frame.method, frame.at));
        let (method, at) = of(found);
        let class = found.and_then(|frame| self.class_of_receiver(&frame.this));
        Where { method, at, class, call: of(innermost), conditions: self.conditions() }
    }

    /// The class of an object whose method runs, if it is known exactly.
    fn class_of_receiver(&self, this: &Value) -> Option<ClassId> {
        let Value::Object(at) = this else { return None };
        let object = self.heap.get(*at)?;
        let class = object.class?;
        match &object.expr {
            None => Some(class),
            Some(expr) => match self.facts.classes(expr) {
                Some([only]) => Some(*only),
                _ => None,
            },
        }
    }

    /// Records an event; its number.
    pub(crate) fn event(&mut self, what: What, place: Where) -> usize {
        let called = self.frames.iter().skip(1).map(|frame| (frame.method, self.class_of_receiver(&frame.this)));
        let called: Vec<_> = called.collect();
        self.shared.yielded.extend(called);
        self.events.push(Event { what, place });
        self.events.len().saturating_sub(1)
    }

    /// Notes a text that may be a program, or a part of one, although no call says so.
    pub(crate) fn note(&mut self, value: &Value) {
        let text = match value {
            Value::Text(text) => text.clone(),
            Value::Object(at) => match self.lines_of(*at).or_else(|| self.text_of_xml(value)) {
                Some(text) => text,
                None => return,
            },
            _ => return,
        };
        if self.is_setup || text.size() < 6 || !self.shared.reads_as_agal(&text) {
            return;
        }
        let place = self.place_of(&|value| match value {
            Value::Text(one) => *one == text,
            other => self.text_of_xml(other).is_some_and(|one| one == text),
        });
        self.event(What::Text { text }, place);
    }

    /// The elements of an array of texts as lines.
    pub(crate) fn lines_of(&self, at: crate::eval::value::Ref) -> Option<Text> {
        lines(self.heap.get(at)?)
    }
}

/// The elements of an array of texts as lines.
pub(crate) fn lines(object: &Object) -> Option<Text> {
    let ObjectKind::Array(elements) = &object.kind else { return None };
    let mut texts = Vec::with_capacity(elements.len());
    for element in elements {
        match element {
            Value::Text(text) => texts.push(text.clone()),
            Value::Unknown(expr) => texts.push(Text::hole(expr.clone())),
            _ => return None,
        }
    }
    (!texts.is_empty()).then(|| Text::join(&texts, &Text::literal("\n")))
}
