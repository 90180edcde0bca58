//! Finds the field values that constructors set, for objects that existed before a path began.
//!
//! All paths through a constructor are run. A field's value is known for every object of the class if all paths agree on the
//! value and no other code assigns the field.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use crate::avm::types::Type;
use crate::avm::world::{ClassId, Member, MethodId};
use crate::eval::explore::other_ways;
use crate::eval::index::Owner;
use crate::eval::machine::{Run, Stop};
use crate::eval::setup::{Shared, Template};
use crate::eval::value::{Function, Key, Object, ObjectKind, Ref, Value};

impl Shared<'_> {
    pub(crate) fn is_set_by_constructor(&mut self, class: ClassId, field: &Key) -> bool {
        let template = self.template(Owner { class, is_exact: true });
        template.is_some_and(|template| template.fields.iter().any(|(key, _)| key == field))
    }

    /// Returns a class's Boolean fields that instructions outside `sites` assign.
    fn flags(&self, class: Option<ClassId>, sites: &HashSet<(MethodId, u32)>) -> Vec<Key> {
        let mut flags = Vec::new();
        let owner = class.map(|class| Owner { class, is_exact: true });
        for (id, found) in class.into_iter().flat_map(|class| self.world.above(class)) {
            for (name, space, member) in &found.instance.all {
                let is_flag = matches!(member, Member::Slot { of: Type::Boolean, is_constant: false, .. });
                if is_flag && !self.index.assigned(self.world, name, *space, owner).is_only_by(sites) {
                    flags.push(Key::Slot(id, name.clone(), *space));
                }
            }
        }
        flags.sort();
        flags
    }

    /// Returns the field values that an owner's objects have after construction. The result is cached.
    pub(crate) fn template(&mut self, owner: Owner) -> Option<Rc<Template>> {
        if let Some(known) = self.templates.get(&owner) {
            return known.clone();
        }
        // While a constructor runs, its class counts as having no template, because the constructor may create objects of its own
        // class.
        self.templates.insert(owner, None);
        let template = Template::of(self, owner).map(Rc::new);
        self.templates.insert(owner, template.clone());
        template
    }
}

struct Made {
    objects: Vec<Object>,
    /// The fields of the new object whose values do not depend on arguments and that no other code is known to assign.
    fields: Vec<(Key, Value)>,
    sites: HashSet<(MethodId, u32)>,
    has_thrown: bool,
}

/// The maximum number of paths that are run through one constructor.
const CONSTRUCTIONS: usize = 16;

impl Template {
    /// Collects the fields that have the same value on all paths through the constructor.
    fn of(shared: &mut Shared<'_>, owner: Owner) -> Option<Template> {
        let before = u32::try_from(shared.base.len()).ok()?;
        // Decisions inside the constructor must not count as alternatives that the current entry point has tried.
        let covered = std::mem::take(&mut shared.covered);
        let mut waiting = VecDeque::from([Rc::<[u16]>::from([])]);
        let mut all: Vec<Made> = Vec::new();
        for number in 0..CONSTRUCTIONS {
            let Some(prefix) = waiting.pop_front() else { break };
            let is_last = number + 1 == CONSTRUCTIONS;
            all.extend(Made::on(shared, owner, &prefix, &mut waiting, is_last));
        }
        shared.covered = covered;
        // A constructor that throws creates no object. If the constructor throws on all paths, subclasses are assumed to avoid
        // the exception.
        if all.iter().any(|made| !made.has_thrown) {
            all.retain(|made| !made.has_thrown);
        }
        let mut paths = all.into_iter();
        let Made { objects, mut fields, sites, .. } = paths.next()?;
        for other in paths {
            let is_common = |key: &Key, value: &Value| {
                let found = other.fields.iter().find(|(one, _)| one == key);
                found.is_some_and(|(_, found)| is_same((value, &objects), (found, &other.objects), before, 0))
            };
            fields.retain(|(key, value)| is_common(key, value));
        }
        let with_flags = |object: Object| {
            let flags = shared.flags(object.class, &sites);
            (object, flags)
        };
        let mut objects: Vec<(Object, Vec<Key>)> = objects.into_iter().map(with_flags).collect();
        fields.sort_by(|(one, _), (two, _)| one.cmp(two));
        for (key, value) in &fields {
            if let (Key::Slot(_, name, space), Value::Object(at)) = (key, value)
                && let Some((object, _)) = at.0.checked_sub(before).and_then(|at| objects.get_mut(at as usize))
            {
                shared.index.open(shared.world, object, (name, *space), Some(owner), &sites);
            }
        }
        Some(Template { objects, fields })
    }
}

impl Made {
    /// Runs a constructor on one path, and queues the alternatives that the path does not take. If the queue is not empty after
    /// the last permitted path, the constructor counts as incomplete.
    fn on(
        shared: &mut Shared<'_>,
        owner: Owner,
        prefix: &Rc<[u16]>,
        waiting: &mut VecDeque<Rc<[u16]>>,
        is_last: bool,
    ) -> Option<Made> {
        let (world, class) = (shared.world, owner.class);
        let constructor = world.class(class)?.constructor;
        let steps = shared.limits.path_steps / 4;
        let mut run = Run::new(shared, prefix.clone(), steps);
        run.is_setup = true;
        run.is_construction = true;
        let this = run.heap.add(Object { class: Some(class), ..Object::default() });
        let ended = run.invoke(constructor, Value::Object(this), run.symbolic_arguments(constructor));
        let Run { trail, heap, assigned: sites, .. } = run;
        waiting.extend(other_ways(&trail, prefix.len()).map(|(prefix, _)| prefix));
        let has_thrown = matches!(ended, Err(Stop::Throw));
        let made = heap.get(this)?;
        let is_complete = ended.is_ok() && !made.is_open && (!is_last || waiting.is_empty());
        let found = made.fields.clone();
        let objects = heap.made().to_vec();
        let is_own = |(key, value): &(Key, Value)| match key {
            Key::Slot(_, name, space) if !is_unknown(value) => {
                let assigned = shared.index.assigned(world, name, *space, Some(owner));
                assigned.is_only_by(&sites) && (is_complete || assigned.len() == 1)
            }
            _ => false,
        };
        let fields = found.into_iter().filter(is_own).collect();
        Some(Made { objects, fields, sites, has_thrown })
    }
}

/// The maximum nesting depth to which the objects in two values are compared.
const COMPARED: usize = 6;

/// Reports whether two values from different paths are equal. Each value comes with the objects that its path created, which are
/// numbered from `before`.
fn is_same((one, ones): (&Value, &[Object]), (other, others): (&Value, &[Object]), before: u32, depth: usize) -> bool {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one == other,
        (Value::Class(one), Value::Class(other)) => one == other,
        (Value::Native(one), Value::Native(other)) => one == other,
        (Value::Vector(one), Value::Vector(other)) => one == other,
        (Value::Unknown(one), Value::Unknown(other)) => one == other,
        (Value::Function(one), Value::Function(other)) => one.method == other.method,
        (Value::Object(one), Value::Object(other)) => {
            let made = |at: &Ref| at.0.checked_sub(before).map(|at| at as usize);
            let objects = (made(one).and_then(|at| ones.get(at)), made(other).and_then(|at| others.get(at)));
            let (Some(one), Some(other)) = objects else { return one == other };
            let same = |one: &Value, other: &Value| {
                depth < COMPARED && is_same((one, ones), (other, others), before, depth + 1)
            };
            let is_same_kind = match (&one.kind, &other.kind) {
                (ObjectKind::Array(one), ObjectKind::Array(other)) => {
                    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
                }
                (ObjectKind::Plain, ObjectKind::Plain) => true,
                (ObjectKind::Native(one), ObjectKind::Native(other)) => one == other,
                (ObjectKind::Assembled(one), ObjectKind::Assembled(other)) => one.what == other.what,
                (ObjectKind::Xml(one), ObjectKind::Xml(other)) => one == other,
                _ => false,
            };
            is_same_kind
                && (one.class, one.is_open, one.fields.len()) == (other.class, other.is_open, other.fields.len())
                && one.fields.iter().all(|(key, value)| other.fields.get(key).is_some_and(|found| same(value, found)))
        }
        _ => one.as_constant().is_some_and(|one| other.as_constant() == Some(one)),
    }
}

impl Run<'_, '_> {
    /// Adds the fields set by constructors to an object that existed before the path began.
    pub(crate) fn fill(&mut self, at: Ref) -> Result<(), Stop> {
        let object = self.object(at)?;
        let (Some(class), false) = (object.class, object.is_filled) else { return Ok(()) };
        if object.expr.is_none() || self.is_setup {
            return Ok(());
        }
        self.object_mut(at)?.is_filled = true;
        let owner = self.owner(at, class);
        let Some(template) = self.shared.template(owner) else { return Ok(()) };
        self.spend(template.objects.len())?;
        let (before, first) = (self.heap.base_length(), self.heap.len());
        let moved = |at: Ref| at.0.checked_sub(before).map_or(at, |number| Ref(first.saturating_add(number)));
        for (object, flags) in &template.objects {
            let mut object = object.clone();
            object.is_copy = true;
            let fields = object.fields.into_iter();
            object.fields = fields.map(|(key, value)| (move_key(key, &moved), move_value(&value, &moved))).collect();
            object.order = object.order.into_iter().map(|key| move_key(key, &moved)).collect();
            let is_empty = match &mut object.kind {
                ObjectKind::Array(elements) => {
                    elements.iter_mut().for_each(|element| *element = move_value(element, &moved));
                    elements.is_empty()
                }
                ObjectKind::Plain => object.class.is_none() && object.fields.is_empty(),
                _ => false,
            };
            // Other code may have filled an array or a plain object that the constructor leaves empty.
            object.is_open |= is_empty;
            let made = self.heap.add(object);
            if let Some(expr) = self.heap.get(made).and_then(|object| object.expr.clone()) {
                self.symbols.entry(expr).or_insert(made);
            }
            for key in flags {
                let Key::Slot(_, name, _) = key else { continue };
                let flag = self.unknown_field(&Value::Object(made), name.clone(), Type::Boolean);
                self.object_mut(made)?.set(key.clone(), flag);
            }
        }
        for (key, value) in &template.fields {
            let object = self.object_mut(at)?;
            if !object.fields.contains_key(key) {
                object.set(key.clone(), move_value(value, &moved));
            }
        }
        Ok(())
    }
}

/// Reports whether a value may depend on the constructor's arguments, and may therefore differ between objects.
fn is_unknown(value: &Value) -> bool {
    match value {
        Value::Unknown(_) => true,
        Value::Text(text) => text.has_holes(),
        _ => false,
    }
}

fn move_key(key: Key, moved: &impl Fn(Ref) -> Ref) -> Key {
    if let Key::Object(at) = key { Key::Object(moved(at)) } else { key }
}

fn move_value(value: &Value, moved: &impl Fn(Ref) -> Ref) -> Value {
    match value {
        Value::Object(at) => Value::Object(moved(*at)),
        Value::Function(function) => Value::Function(Rc::new(Function {
            method: function.method,
            scope: function.scope.iter().map(|value| move_value(value, moved)).collect(),
            this: function.this.as_ref().map(|value| move_value(value, moved)),
        })),
        value => value.clone(),
    }
}
