//! Emits `switch` statements: first the tests of all cases, then the case bodies.

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::Label;
use crate::sources::syntax::{Case, Expression, ExpressionKind, LinkKind, Name, Pattern, TAG, Variable};

impl Emitter<'_> {
    pub(super) fn switch(&mut self, value: &Expression, cases: &[Case], wants_value: bool) {
        let subject = self.frame.register();
        self.value(value);
        self.set_local(subject);
        let end = self.label();
        let bodies: Vec<Label> = cases.iter().map(|_| self.label()).collect();
        // In Haxe, a `break` inside a `switch` leaves the enclosing loop.
        self.enter(end, None, !self.is_haxe);
        let depth = self.frame.asm.depth;
        let default = self.tests(cases, &bodies, subject);
        if default.is_none() {
            self.sequence(&[], wants_value);
        }
        self.jump(default.unwrap_or(end));
        for (case, body) in cases.iter().zip(bodies) {
            self.frame.asm.depth = depth;
            self.place(body);
            self.at_line(case.line);
            self.in_block(|emitter| {
                emitter.bind(case, subject);
                emitter.sequence(&case.body, wants_value);
            });
            if wants_value || self.is_haxe {
                self.jump(end);
            }
        }
        self.frame.jumps.pop();
        if cases.is_empty() && !wants_value {
            self.frame.asm.depth = depth;
        }
        self.place(end);
    }

    /// Writes the tests of all cases. Returns the label of the default case, if the `switch` has one.
    fn tests(&mut self, cases: &[Case], bodies: &[Label], subject: u32) -> Option<Label> {
        let mut default = None;
        for (case, body) in cases.iter().zip(bodies) {
            self.at_line(case.line);
            for pattern in &case.patterns {
                let next = self.label();
                match pattern {
                    Pattern::Default(_) if case.guard.is_none() => {
                        default = Some(*body);
                        continue;
                    }
                    Pattern::Default(_) => {}
                    Pattern::Value(value) => match self.tag(value) {
                        Some(name) => self.test_tag(subject, &name, next),
                        None => {
                            self.value(value);
                            self.get_local(subject);
                            self.frame.asm.branch(|offset| Op::IfStrictNe { offset }, 2, next);
                        }
                    },
                    Pattern::Choice { name, .. } => self.test_tag(subject, name, next),
                    Pattern::Parts { text, .. } => {
                        self.unknown(text);
                        self.jump_if(false, next);
                    }
                }
                if let Some(guard) = &case.guard {
                    self.in_block(|emitter| {
                        emitter.bind(case, subject);
                        emitter.condition(guard, false, next);
                    });
                }
                self.jump(*body);
                self.place(next);
            }
            // In Haxe, cases after a default case are unreachable.
            if default.is_some() && self.is_haxe {
                break;
            }
        }
        default
    }

    /// Returns the tag of the enumeration constructor that an expression names. Returns `None` if values of the enumeration have
    /// no tags.
    fn tag(&self, value: &Expression) -> Option<Name> {
        let name = match &value.kind {
            ExpressionKind::Name(name) => name,
            ExpressionKind::Chain { links, .. } => match &links.last()?.kind {
                LinkKind::Member(name) => name,
                _ => return None,
            },
            _ => return None,
        };
        let is_tagged = self.is_haxe && self.world.choices.get(name).is_some_and(|choice| choice.is_tagged);
        is_tagged.then(|| name.clone())
    }

    fn test_tag(&mut self, subject: u32, name: &str, next: Label) {
        self.get_local(subject);
        let tag = self.open(TAG);
        self.get_property(tag);
        self.push_string(name);
        self.frame.asm.branch(|offset| Op::IfStrictNe { offset }, 2, next);
    }

    fn bind(&mut self, case: &Case, subject: u32) {
        for pattern in &case.patterns {
            match pattern {
                Pattern::Default(Some(name)) => {
                    self.get_local(subject);
                    self.bound(name, case.line);
                }
                Pattern::Choice { name, arguments } => {
                    let world = self.world;
                    let parameters = world.choices.get(name).map_or(&[][..], |choice| choice.parameters);
                    for (at, argument) in arguments.iter().enumerate() {
                        let Some(bound) = argument else { continue };
                        let field = parameters.get(at).map_or(bound, |parameter| &parameter.name);
                        self.bind_field(subject, field, bound, case.line);
                    }
                }
                Pattern::Parts { names, .. } => {
                    names.iter().for_each(|name| self.bind_field(subject, name, name, case.line));
                }
                _ => {}
            }
        }
    }

    fn bind_field(&mut self, subject: u32, field: &Name, name: &Name, line: u32) {
        self.get_local(subject);
        let multi = self.open(field);
        self.get_property(multi);
        self.bound(name, line);
    }

    /// Declares an untyped variable, and assigns the value on the stack to it.
    pub(super) fn bound(&mut self, name: &Name, line: u32) {
        self.declare_and_store(&Variable::new(name.clone(), line));
    }
}
