//! Models an object's history before a path begins: before the path reads a field, a method that sets the field is run.
//!
//! For example, if an event handler uploads a program that `init` has assembled, `init` is run first, so the program is known.
//! Only methods of the object's classes are considered. If several methods set the field, each is tried on a separate path. The
//! method is treated as if it had run before the path began, so values that the path itself has assigned are kept.

use std::rc::Rc;

use crate::avm::names::{Name, Space};
use crate::avm::types::Type;
use crate::avm::world::{ClassId, MethodId};
use crate::eval::expr::{Expr, Kind};
use crate::eval::index::Owner;
use crate::eval::machine::{Run, Stop};
use crate::eval::setup::Shared;
use crate::eval::value::{Key, Ref, Value};
use crate::model::Alternative;

/// The maximum number of methods that set a field. A field that is set by more methods stays unknown.
const SETTERS: usize = 8;

/// The maximum number of calls from a method that sets a field to a method that contains shader source or calls an assembler.
const NEAR: u32 = 1;

/// The maximum number of upload methods that are called at the end of a path.
const LATER: usize = 16;

fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_))
}

impl Shared<'_> {
    /// Returns a class's methods that upload values stored in the class's objects by other code.
    fn uploading(&self, class: ClassId) -> Vec<MethodId> {
        let is_of = |method: &&MethodId| {
            let home = self.world.home(**method).filter(|home| !home.is_static);
            home.and_then(|home| home.class).is_some_and(|home| self.world.is_below(class, home))
        };
        self.waiting.iter().filter(is_of).copied().collect()
    }

    /// Returns the methods that set a field of `this` or assemble a program from the field's value, and that are at most
    /// [`NEAR`] calls from shader source.
    fn setters(&mut self, owner: Owner, name: &Name, space: Space) -> Rc<[MethodId]> {
        let key = (owner, name.clone(), space);
        if let Some(known) = self.setters.get(&key) {
            return known.clone();
        }
        let is_near = |method: &MethodId| self.index.about(*method).distance.is_some_and(|distance| distance <= NEAR);
        let all = self.index.setters(self.world, owner, name, space);
        let found: Rc<[MethodId]> = all.into_iter().filter(is_near).collect();
        self.setters.insert(key, found.clone());
        found
    }
}

impl Run<'_, '_> {
    /// Continues the path by calling the upload methods of the objects that the path has created.
    pub(crate) fn live_on(&mut self, own: &Value) -> Result<(), Stop> {
        let made = (self.heap.base_length()..).zip(self.heap.made());
        let mut calls: Vec<(Ref, ClassId, MethodId)> = Vec::new();
        for (at, object) in made.filter(|(_, object)| object.expr.is_none()) {
            let Some(class) = object.class else { continue };
            let uploading = self.shared.uploading(class);
            let is_open = |method: &&MethodId| !self.lived.contains(&(Ref(at), **method));
            calls.extend(uploading.iter().filter(is_open).map(|method| (Ref(at), class, *method)));
            if calls.len() >= LATER {
                break;
            }
        }
        for (at, class, method) in calls.into_iter().take(LATER) {
            self.frames.clear();
            self.become_older(at, class, own.object() == Some(at))?;
            let before = self.events.len();
            self.attempt(method, Value::Object(at), self.symbolic_arguments(method))?;
            if self.events.len() > before {
                self.shared.yielded.insert((method, Some(class)));
            }
        }
        Ok(())
    }

    /// Treats an object that the path has created as if the object had existed before the path began. A primitive field becomes
    /// unknown if code outside constructors and initialisers also assigns the field.
    fn become_older(&mut self, at: Ref, class: ClassId, is_own: bool) -> Result<(), Stop> {
        let of = Type::Class(class);
        let expr = if is_own { Expr::leaf("this", 0, of) } else { self.expr(&Value::Object(at)) };
        self.symbols.entry(expr.clone()).or_insert(at);
        let object = self.object_mut(at)?;
        object.expr = Some(expr.clone());
        object.is_filled = true;
        let fields: Vec<Key> =
            object.fields.iter().filter(|(_, value)| is_plain(value)).map(|(key, _)| key.clone()).collect();
        self.facts.set_classes(&expr, vec![class]);
        let owner = Owner { class, is_exact: true };
        for key in fields {
            let Key::Slot(_, name, space) = &key else { continue };
            if !self.shared.index.assigned(self.world, name, *space, Some(owner)).is_initial() {
                self.object_mut(at)?.remove(&key);
            }
        }
        Ok(())
    }

    /// Reports whether a value of the given type may be a program, shader source or an assembler.
    pub(crate) fn may_be_code(&mut self, of: &Type) -> bool {
        match of {
            Type::Any | Type::String => true,
            Type::Class(class) => self.shared.assembler(*class).is_some(),
            of => of.may_be_text() || of.is_named("ByteArray") || of.is_named("AGALMiniAssembler"),
        }
    }

    /// Runs a method that sets the field which the path is about to read. Returns whether a method was run.
    pub(crate) fn live(&mut self, at: Ref, name: &Name, space: Space) -> Result<bool, Stop> {
        let object = self.object(at)?;
        let (Some(class), Some(expr), false) = (object.class, object.expr.clone(), self.is_setup || !self.may_fork())
        else {
            return Ok(false);
        };
        let owner = self.owner(at, class);
        let setters = self.shared.setters(owner, name, space);
        let is_running = |method| self.frames.iter().any(|one| one.method == method && one.this.object() == Some(at));
        let is_done = setters.iter().any(|method| is_running(*method) || self.lived.contains(&(at, *method)));
        if is_done || !(1..=SETTERS).contains(&setters.len()) || self.frames.len() >= self.shared.limits.depth {
            return Ok(false);
        }
        let way = |method: &MethodId| Alternative::Is(self.world.label(*method).1.to_string());
        let ways: Vec<Alternative> = setters.iter().map(way).collect();
        let field = Expr::new(Kind::Field(expr, name.clone()), Type::Any);
        let taken = self.choose_named(Expr::op("method that sets", &[field], Type::String), &ways)?;
        let method = setters.get(taken).copied().ok_or(Stop::Broken)?;
        self.lived.insert((at, method));
        let object = self.object(at)?;
        let written = self.written.iter().filter(|(holder, _)| *holder == at);
        let values: Vec<(Key, Option<Value>)> =
            written.map(|(_, key)| (key.clone(), object.fields.get(key).cloned())).collect();
        self.attempt(method, Value::Object(at), self.symbolic_arguments(method))?;
        let object = self.object_mut(at)?;
        for (key, value) in values {
            match value {
                Some(value) => object.set(key, value),
                None => object.remove(&key),
            }
        }
        Ok(true)
    }
}
