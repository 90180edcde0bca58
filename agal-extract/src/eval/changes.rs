//! Records which instructions change the array or the object that a field refers to.
//!
//! The code of each method is read once, in instruction order. If a value on the stack was read from a field, the field is
//! tracked. All other values, such as arguments, are not tracked.

use std::collections::{BTreeSet, HashMap, HashSet};

use swf::avm2::types::{Index as At, Multiname, Op};

use crate::avm::code::{Code, branch, ends};
use crate::avm::names::{Name, Space};
use crate::avm::unit::Unit;
use crate::avm::world::MethodId;
use crate::eval::step::{comparison, literal, operator};

/// A field's name, with its namespace if the instruction names exactly one namespace.
type Field = (Name, Option<Space>);

/// Returns the field that an instruction's multiname refers to.
pub(crate) fn field(unit: &Unit, index: &At<Multiname>) -> Option<Field> {
    let multi = unit.multi(index)?;
    Some((multi.name.clone()?, if let [space] = *multi.spaces() { Some(space) } else { None }))
}

pub(crate) type Acts<T> = HashMap<Field, Vec<Act<T>>>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Act<T> {
    pub(crate) site: (MethodId, u32),
    /// Whether the instruction affects a field of its own method's `this`.
    pub(crate) is_own: bool,
    pub(crate) how: T,
}

/// Adds an instruction that affects a field. Beyond the first `most` instructions, a single entry without a method represents all
/// further instructions.
pub(crate) fn add<T: Default>(acts: &mut Acts<T>, field: Field, act: Act<T>, most: usize) {
    let list = acts.entry(field).or_default();
    if list.len() <= most {
        list.push(if list.len() < most { act } else { Act::default() });
    }
}

/// Returns the entries for a field in the given namespace, and the entries for a field of the same name in an unknown namespace.
pub(crate) fn of_field<'m, T>(of: &'m HashMap<Field, T>, name: &Name, space: Space) -> impl Iterator<Item = &'m T> {
    [Some(space), None].into_iter().filter_map(|space| of.get(&(name.clone(), space)))
}

#[derive(Clone, Debug, Default)]
enum Origin {
    #[default]
    Unknown,
    /// The value of `this`, or another object on the scope stack.
    This,
    /// The value of a field, and whether the field belongs to the method's `this`.
    Field(Field, bool),
    Text(Name),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum How {
    Push,
    Take,
    #[default]
    Other,
}

#[derive(Debug, Default)]
pub(crate) struct Changes {
    elements: Acts<How>,
    /// Assignments to named properties of the object that a field contains. The assignments count only if the object has no
    /// class.
    names: Acts<How>,
    /// The names of the classes that code stores in a field's object under a constant key, keyed by the name of the field and the
    /// constant key.
    registered: HashMap<(Name, Name), BTreeSet<Name>>,
    /// The methods that assemble a program from a field of `this`.
    assembling: HashMap<Field, BTreeSet<MethodId>>,
}

/// The combined effect of several changes on an array or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Done {
    /// The contents stay the same. An array also counts as unchanged if it is a pool, whose class takes elements out and puts
    /// them back.
    Nothing,
    /// Elements are added at either end, and no other change is made.
    Pushed,
    Changed,
}

/// The maximum number of stack values that are saved for the branches of one method.
const STORED: usize = 65_536;

/// The maximum number of changes to one field that are recorded individually.
const SITES: usize = 24;

/// Returns the effect of the ActionScript or Haxe method `name` on an array, or `None` if the method does not change arrays.
fn how(name: &str) -> Option<How> {
    match name {
        "push" | "unshift" => Some(How::Push),
        "pop" | "shift" => Some(How::Take),
        "splice" | "reverse" | "sort" | "sortOn" | "insertAt" | "removeAt" | "insert" | "remove" => Some(How::Other),
        _ => None,
    }
}

pub(crate) fn is_changing(name: &str) -> bool {
    how(name).is_some()
}

impl Changes {
    /// Returns the combined effect of all changes to a field's array or plain object, except changes by the instructions in
    /// `without`. `counts` selects the changes to consider, given the changing method and whether the field belongs to that
    /// method's `this`.
    pub(crate) fn of(
        &self,
        name: &Name,
        space: Space,
        is_array: bool,
        without: &HashSet<(MethodId, u32)>,
        counts: &dyn Fn(MethodId, bool) -> bool,
    ) -> Done {
        let names = of_field(&self.names, name, space).filter(|_| !is_array);
        let changes = of_field(&self.elements, name, space).chain(names).flatten();
        let (mut done, mut is_pool) = (Done::Nothing, is_array);
        for change in changes.filter(|one| !without.contains(&one.site) && counts(one.site.0, one.is_own)) {
            is_pool &= change.is_own && change.how != How::Other;
            done = done.max(if change.how == How::Push { Done::Pushed } else { Done::Changed });
        }
        if is_pool && done == Done::Changed { Done::Nothing } else { done }
    }

    /// Returns the name of the only class that code stores under a constant key in the object that a field contains. Returns
    /// `None` if there is not exactly one such class.
    pub(crate) fn registered(&self, field: &Name, key: &Name) -> Option<&Name> {
        let found = self.registered.get(&(field.clone(), key.clone()))?;
        found.first().filter(|_| found.len() == 1)
    }

    pub(crate) fn assembling(&self, name: &Name, space: Space) -> impl Iterator<Item = MethodId> {
        of_field(&self.assembling, name, space).flatten().copied()
    }

    /// Reads the code of a method or a nested function, and returns the offsets of the instructions that assign fields of `this`.
    pub(crate) fn read(&mut self, unit: &Unit, id: MethodId, code: &Code, is_method: bool) -> HashSet<u32> {
        let locals = is_method.then_some((0, Origin::This)).into_iter().collect();
        let (own, has_with) = (HashSet::new(), false);
        let mut reader = Reader { unit, id, changes: self, stack: Vec::new(), locals, own, has_with };
        let mut stacks: HashMap<usize, Vec<Origin>> = HashMap::new();
        let mut capacity = STORED;
        let mut is_reached = true;
        for (at, instruction) in code.instructions.iter().enumerate() {
            match stacks.remove(&at) {
                Some(stack) if !is_reached => reader.stack = stack,
                None if !is_reached => reader.stack.clear(),
                _ => {}
            }
            reader.step(&instruction.op, instruction.at);
            for target in instruction.targets.iter().filter(|target| **target > at) {
                if let (false, Some(left)) = (stacks.contains_key(target), capacity.checked_sub(reader.stack.len())) {
                    capacity = left;
                    stacks.insert(*target, reader.stack.clone());
                }
            }
            is_reached = instruction.next == at + 1 && !ends(&instruction.op);
        }
        reader.own
    }
}

struct Reader<'a> {
    unit: &'a Unit,
    id: MethodId,
    changes: &'a mut Changes,
    stack: Vec<Origin>,
    locals: HashMap<u32, Origin>,
    own: HashSet<u32>,
    /// Whether the code has a `with` statement, which may change the object that a name refers to.
    has_with: bool,
}

impl Reader<'_> {
    /// Returns the number of stack values that a multiname consumes, and whether one of the values is the name's string.
    fn late(&self, index: &At<Multiname>) -> (usize, bool) {
        let multi = self.unit.multi(index).unwrap_or_default();
        (usize::from(multi.has_runtime_name) + usize::from(multi.has_runtime_namespace), multi.has_runtime_name)
    }

    /// Pops `above` + 1 values, and returns the origin of the value that was pushed first.
    fn take(&mut self, above: usize) -> Origin {
        self.replace(above, 0);
        self.stack.pop().unwrap_or_default()
    }

    fn push_field(&mut self, index: &At<Multiname>, of: &Origin) {
        let field = field(self.unit, index).map(|field| Origin::Field(field, matches!(of, Origin::This)));
        self.stack.push(field.unwrap_or_default());
    }

    fn step(&mut self, op: &Op, at: u32) {
        let site = (self.id, at);
        match op {
            Op::GetProperty { index } | Op::GetSuper { index } => {
                let of = self.take(self.late(index).0);
                self.push_field(index, &of);
            }
            Op::GetLex { index } => {
                let of = if self.has_with { Origin::Unknown } else { Origin::This };
                self.push_field(index, &of);
            }
            Op::GetLocal { index } => {
                self.stack.push(self.locals.get(index).cloned().unwrap_or_default());
            }
            Op::SetLocal { index } => {
                let value = self.take(0);
                self.locals.insert(*index, value);
            }
            Op::Dup => {
                self.stack.push(self.stack.last().cloned().unwrap_or_default());
            }
            Op::PushWith => {
                self.has_with = true;
                self.stack.pop();
            }
            Op::SetProperty { index } | Op::InitProperty { index } | Op::SetSuper { index } => {
                let (late, is_element) = self.late(index);
                let (key, value) = (self.stack.iter().rev().nth(1).cloned(), self.stack.last().cloned());
                let holder = self.take(late.saturating_add(1));
                let name = field(self.unit, index).map(|(name, _)| name);
                let is_length = name.as_deref() == Some("length");
                let key = match (key, late) {
                    (Some(Origin::Text(key)), 1) => Some(key),
                    (_, 0) => name,
                    _ => None,
                };
                if let (Origin::Field((field, _), _), Some(key), Some(Origin::Field((value, _), _))) =
                    (&holder, key, value)
                {
                    self.changes.registered.entry((field.clone(), key)).or_default().insert(value);
                }
                match holder {
                    Origin::Field(field, is_own) => {
                        let changes = &mut *self.changes;
                        let map = if is_element || is_length { &mut changes.elements } else { &mut changes.names };
                        add(map, field, Act { site, is_own, how: How::Other }, SITES);
                    }
                    Origin::This => {
                        self.own.insert(at);
                    }
                    Origin::Unknown | Origin::Text(_) => {}
                }
            }
            Op::PushString { value } => self.stack.push(Origin::Text(self.unit.string(value).clone())),
            Op::DeleteProperty { index } => {
                if let Origin::Field(field, is_own) = self.take(self.late(index).0) {
                    add(&mut self.changes.elements, field, Act { site, is_own, how: How::Other }, SITES);
                }
                self.stack.push(Origin::Unknown);
            }
            Op::CallProperty { index, num_args }
            | Op::CallPropLex { index, num_args }
            | Op::CallPropVoid { index, num_args } => {
                let holder = self.take(self.late(index).0.saturating_add(*num_args as usize));
                let name = field(self.unit, index).map(|(name, _)| name);
                if let (Origin::Field(field, true), Some("assemble")) = (&holder, name.as_deref()) {
                    self.changes.assembling.entry(field.clone()).or_default().insert(self.id);
                }
                if let (Origin::Field(field, is_own), Some(how)) = (holder, name.and_then(|name| how(&name))) {
                    add(&mut self.changes.elements, field, Act { site, is_own, how }, SITES);
                }
                if !matches!(op, Op::CallPropVoid { .. }) {
                    self.stack.push(Origin::Unknown);
                }
            }
            Op::ConstructProp { index, num_args }
            | Op::CallSuper { index, num_args }
            | Op::CallSuperVoid { index, num_args } => {
                let puts = usize::from(!matches!(op, Op::CallSuperVoid { .. }));
                self.replace(self.late(index).0.saturating_add(*num_args as usize).saturating_add(1), puts);
            }
            Op::FindProperty { index } | Op::FindPropStrict { index } => {
                self.replace(self.late(index).0, 0);
                self.stack.push(if self.has_with { Origin::Unknown } else { Origin::This });
            }
            Op::GetDescendants { index } => self.replace(self.late(index).0.saturating_add(1), 1),
            op => {
                let (takes, puts) = effect(self.unit, op);
                self.replace(takes, puts);
            }
        }
    }

    fn replace(&mut self, takes: usize, puts: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(takes));
        self.stack.extend(std::iter::repeat_n(Origin::Unknown, puts));
    }
}

/// Returns the number of values that an instruction pops, and the number of values that it pushes.
fn effect(unit: &Unit, op: &Op) -> (usize, usize) {
    match op {
        Op::FindDef { .. } | Op::GetScopeObject { .. } | Op::GetOuterScope { .. } | Op::GetGlobalScope => (0, 1),
        Op::GetGlobalSlot { .. } | Op::NewActivation | Op::NewCatch { .. } | Op::NewFunction { .. } => (0, 1),
        Op::HasNext2 { .. } => (0, 1),
        Op::In | Op::InstanceOf | Op::IsTypeLate | Op::NextName | Op::NextValue | Op::HasNext | Op::Add => (2, 1),
        Op::SetSlot { .. } => (2, 0),
        Op::Sf32 | Op::Sf64 | Op::Si8 | Op::Si16 | Op::Si32 => (2, 0),
        Op::Pop | Op::PushScope | Op::ReturnValue | Op::Throw | Op::LookupSwitch(_) => (1, 0),
        Op::IfTrue { .. } | Op::IfFalse { .. } | Op::SetGlobalSlot { .. } | Op::DxnsLate => (1, 0),
        // The instruction pops only the type, and the value below the type stays on the stack.
        Op::AsTypeLate => (1, 0),
        Op::Call { num_args } => ((*num_args as usize).saturating_add(2), 1),
        Op::CallStatic { num_args, .. } | Op::CallMethod { num_args, .. } | Op::Construct { num_args } => {
            ((*num_args as usize).saturating_add(1), 1)
        }
        Op::ConstructSuper { num_args } => ((*num_args as usize).saturating_add(1), 0),
        Op::ApplyType { num_types } => ((*num_types as usize).saturating_add(1), 1),
        Op::NewArray { num_args } => (*num_args as usize, 1),
        Op::NewObject { num_args } => ((*num_args as usize).saturating_mul(2), 1),
        Op::ConvertB | Op::ConvertI | Op::ConvertU | Op::ConvertD | Op::ConvertS | Op::ConvertO | Op::CoerceB => (1, 1),
        Op::CoerceI | Op::CoerceU | Op::CoerceD | Op::CoerceS | Op::EscXElem | Op::EscXAttr => (1, 1),
        Op::Not | Op::Negate | Op::NegateI | Op::BitNot | Op::TypeOf | Op::IsType { .. } | Op::GetSlot { .. } => (1, 1),
        Op::Increment | Op::IncrementI | Op::Decrement | Op::DecrementI | Op::NewClass { .. } => (1, 1),
        Op::Lf32 | Op::Lf64 | Op::Li8 | Op::Li16 | Op::Li32 | Op::Sxi1 | Op::Sxi8 | Op::Sxi16 => (1, 1),
        Op::Swap => (2, 2),
        op if comparison(op).is_some() => (2, usize::from(branch(op).is_none())),
        op if operator(op).is_some() => (2, 1),
        op if literal(unit, op).is_some() => (0, 1),
        // All other instructions leave the tracked stack unchanged.
        _ => (0, 0),
    }
}
