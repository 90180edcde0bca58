//! Instructions that change arrays and objects in fields: the elements of an array, or the fields of an object.
//!
//! Each method is read once, in the order of its instructions, with a stack that records only the field from which each value was
//! read. A value that does not come from a field, such as an argument, is not followed.

use std::collections::{BTreeSet, HashMap, HashSet};

use swf::avm2::types::{Index as At, Multiname, Op};

use crate::avm::code::{Code, branch, ends};
use crate::avm::names::{Name, Space};
use crate::avm::unit::Unit;
use crate::avm::world::MethodId;
use crate::eval::step::{comparison, literal, operator};

/// A field: its name, and its namespace if an instruction names a single one.
type Field = (Name, Option<Space>);

/// The field that an instruction names.
pub(crate) fn field(unit: &Unit, index: &At<Multiname>) -> Option<Field> {
    let multi = unit.multi(index)?;
    Some((multi.name.clone()?, if let [space] = *multi.spaces() { Some(space) } else { None }))
}

/// Instructions that affect each field.
pub(crate) type Acts<T> = HashMap<Field, Vec<Act<T>>>;

/// An instruction that affects a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Act<T> {
    pub(crate) site: (MethodId, u32),
    /// Whether the field belongs to the `this` of the instruction's method.
    pub(crate) is_own: bool,
    pub(crate) how: T,
}

/// Adds an instruction that affects a field. If a field has more than `most` entries, the last entry has no method and represents
/// all others.
pub(crate) fn add<T: Default>(acts: &mut Acts<T>, field: Field, act: Act<T>, most: usize) {
    let list = acts.entry(field).or_default();
    if list.len() <= most {
        list.push(if list.len() < most { act } else { Act::default() });
    }
}

/// Entries for a field that instructions name with or without its namespace.
pub(crate) fn of_field<'m, T>(of: &'m HashMap<Field, T>, name: &Name, space: Space) -> impl Iterator<Item = &'m T> {
    [Some(space), None].into_iter().filter_map(|space| of.get(&(name.clone(), space)))
}

/// Origin of a value on the stack.
#[derive(Clone, Debug, Default)]
enum Origin {
    #[default]
    Unknown,
    /// `this` of the method, or another object in the scopes of the code.
    This,
    /// A field, and whether it belongs to the `this` of the method.
    Field(Field, bool),
    /// A string constant.
    Text(Name),
}

/// Kind of change that an instruction makes to the array or object in a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum How {
    /// Adds an element at one end.
    Push,
    /// Removes an element from one end.
    Take,
    #[default]
    Other,
}

/// Changes of the values of fields.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    elements: Acts<How>,
    /// Assignments of named fields of the object in a field. They count for objects without a class.
    names: Acts<How>,
    /// Names of the classes stored in a field's object, by the field and a constant key.
    registered: HashMap<(Name, Name), BTreeSet<Name>>,
    /// Methods that assemble programs from the value of a field of `this`.
    assembling: HashMap<Field, BTreeSet<MethodId>>,
}

/// Effect of several changes on an array or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Done {
    /// No change; or the array is a pool, from which its own class takes elements and to which it returns them. It counts as
    /// unchanged because it has all its elements at the beginning.
    Nothing,
    /// Elements are added at the ends.
    Pushed,
    /// Any other change.
    Changed,
}

/// The maximum number of stack values that are stored for all branches of a method together.
const STORED: usize = 65_536;

/// Number of changes of one field that are recorded separately.
const SITES: usize = 24;

/// Kind of change that a method makes to an array, if it changes the array. Methods of Haxe are included.
fn how(name: &str) -> Option<How> {
    match name {
        "push" | "unshift" => Some(How::Push),
        "pop" | "shift" => Some(How::Take),
        "splice" | "reverse" | "sort" | "sortOn" | "insertAt" | "removeAt" | "insert" | "remove" => Some(How::Other),
        _ => None,
    }
}

/// Whether a method changes an array.
pub(crate) fn is_changing(name: &str) -> bool {
    how(name).is_some()
}

impl Changes {
    /// Changes to the value of a field, which is an array or an object without a class, by instructions other than those in
    /// `without`. `counts` decides whether the changes of a method count, given whether the field belongs to its `this`.
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

    /// Name of the class that code stores in a field's object under a constant key, if it is always the same.
    pub(crate) fn registered(&self, field: &Name, key: &Name) -> Option<&Name> {
        let found = self.registered.get(&(field.clone(), key.clone()))?;
        found.first().filter(|_| found.len() == 1)
    }

    /// The methods that assemble programs from the value of a field of `this`.
    pub(crate) fn assembling(&self, name: &Name, space: Space) -> impl Iterator<Item = MethodId> {
        of_field(&self.assembling, name, space).flatten().copied()
    }

    /// Reads a method, or a function in a method. Returns the offsets of the instructions that assign fields of `this`.
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
    /// Origins of the values on the stack.
    stack: Vec<Origin>,
    locals: HashMap<u32, Origin>,
    own: HashSet<u32>,
    /// Whether a `with` may change the object to which a name belongs.
    has_with: bool,
}

impl Reader<'_> {
    /// Number of stack values that belong to a name, and whether the text of the name is one of them.
    fn late(&self, index: &At<Multiname>) -> (usize, bool) {
        let multi = self.unit.multi(index).unwrap_or_default();
        (usize::from(multi.has_runtime_name) + usize::from(multi.has_runtime_namespace), multi.has_runtime_name)
    }

    /// Pops the `above` topmost values and the value below them, which it returns.
    fn take(&mut self, above: usize) -> Origin {
        self.replace(above, 0);
        self.stack.pop().unwrap_or_default()
    }

    /// Pushes the field of an object.
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

    /// Pops `takes` values, and pushes `puts` values of unknown origin.
    fn replace(&mut self, takes: usize, puts: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(takes));
        self.stack.extend(std::iter::repeat_n(Origin::Unknown, puts));
    }
}

/// Number of values that an instruction pops, and number of values that it pushes.
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
        // The value below the type stays on the stack.
        Op::AsTypeLate => (1, 0),
        Op::Call { num_args } => ((*num_args as usize).saturating_add(2), 1),
        Op::CallStatic { num_args, .. } | Op::CallMethod { num_args, .. } | Op::Construct { num_args } => {
            ((*num_args as usize).saturating_add(1), 1)
        }
        Op::ConstructSuper { num_args } => ((*num_args as usize).saturating_add(1), 0),
        Op::ApplyType { num_types } => ((*num_types as usize).saturating_add(1), 1),
        Op::NewArray { num_args } => (*num_args as usize, 1),
        Op::NewObject { num_args } => ((*num_args as usize).saturating_mul(2), 1),
        // Conversions and other operations on one value.
        Op::ConvertB | Op::ConvertI | Op::ConvertU | Op::ConvertD | Op::ConvertS | Op::ConvertO | Op::CoerceB => (1, 1),
        Op::CoerceI | Op::CoerceU | Op::CoerceD | Op::CoerceS | Op::EscXElem | Op::EscXAttr => (1, 1),
        Op::Not | Op::Negate | Op::NegateI | Op::BitNot | Op::TypeOf | Op::IsType { .. } | Op::GetSlot { .. } => (1, 1),
        Op::Increment | Op::IncrementI | Op::Decrement | Op::DecrementI | Op::NewClass { .. } => (1, 1),
        Op::Lf32 | Op::Lf64 | Op::Li8 | Op::Li16 | Op::Li32 | Op::Sxi1 | Op::Sxi8 | Op::Sxi16 => (1, 1),
        Op::Swap => (2, 2),
        op if comparison(op).is_some() => (2, usize::from(branch(op).is_none())),
        op if operator(op).is_some() => (2, 1),
        op if literal(unit, op).is_some() => (0, 1),
        // Conversions and other instructions that leave the value on the stack.
        _ => (0, 0),
    }
}
