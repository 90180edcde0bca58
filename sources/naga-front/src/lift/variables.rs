//! Local and private variables. Each scalar, vector and column of a matrix becomes a register of SSA construction. An array with
//! a computed index is stored in local slots: one slot for each scalar, vector or matrix of an element.

use naga::{Expression, Handle, LocalVariable, Statement};
use sdlbc::builder::Lane;
use sdlbc::{Few, Id, InputKind, Scalar, Type};

use super::storage_buffer::StorageBuffer;
use super::types::{self, Parts};
use super::value::{Step, Value};
use super::{Described, Lifter, MOST_LEAVES};
use crate::summary::{each, local_of};
use sdlbc::front::RefusalKind;

/// A variable, or a part of a variable.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    /// A scalar or vector, or the columns of a matrix, in consecutive registers.
    Registers { first: usize, columns: u8, matrix: bool, scalar: Scalar, width: u8 },
    /// The fields of a structure, or the elements of an array.
    Parts(Vec<Variable>),
    /// An array in slots, or some elements of such an array.
    Slots(Slots),
    /// A storage buffer.
    Buffer(StorageBuffer),
}

/// The slots of an array, of its elements, or of their parts.
#[derive(Clone, Debug)]
pub(super) enum Slots {
    /// A scalar, vector or matrix.
    Leaf { slot: Id, columns: u8, matrix: bool },
    /// The fields of a structure.
    Fields(Vec<Slots>),
    /// The elements of an array: their number, and the slots of their parts.
    Elements(u32, Box<Slots>),
}

/// The place that a pointer points to: a variable, and the steps that lead from the variable to a part.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) steps: Few<Step>,
}

impl Place {
    /// Returns the place of an entire variable of the lifter.
    pub(super) fn variable(number: usize) -> Place {
        Place { root: Root::Variable(number), steps: Few::new() }
    }
}

/// The variable that a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A local or private variable, by its index in the lifter's list of variables.
    Variable(usize),
    Uniform(Handle<naga::GlobalVariable>),
    /// A storage buffer or a workgroup variable.
    Memory(Handle<naga::GlobalVariable>),
    /// A variable that was refused elsewhere in the lifter.
    None,
}

/// The columns of a scalar, vector or matrix. A scalar or vector has one column.
struct Columns {
    columns: u8,
    matrix: bool,
    scalar: Scalar,
    width: u8,
}

impl Columns {
    fn of(ty: Type) -> Columns {
        match ty {
            Type::Matrix { columns, rows } => Columns { columns, matrix: true, scalar: Scalar::Float, width: rows },
            Type::Vector(scalar, width) => Columns { columns: 1, matrix: false, scalar, width },
            Type::Texture(..) | Type::Array(..) | Type::Buffer(..) | Type::Image(..) => {
                Columns { columns: 1, matrix: false, scalar: Scalar::Float, width: 1 }
            }
        }
    }
}

impl Default for Step {
    fn default() -> Step {
        Step::Known(0)
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Creates a register of SSA construction whose initial value is zero.
    pub(super) fn register(&mut self, name: Option<&str>, scalar: Scalar, width: u8) -> usize {
        let register = self.registers.add();
        let name = name.filter(|name| !name.is_empty());
        let text = name.unwrap_or("value").to_string();
        let name = name.map(|name| self.builder.text(name));
        self.described.push(Described { name, text, scalar, width });
        let zero = self.zero(Type::Vector(scalar, width));
        self.registers.set(register, zero, width);
        register
    }

    pub(super) fn flag(&mut self) -> usize {
        self.register(None, Scalar::Bool, 1)
    }

    /// Creates a variable whose initial value is zero, and returns its index.
    pub(super) fn declare(
        &mut self,
        ty: Handle<naga::Type>,
        name: Option<&str>,
        indexed: bool,
        span: naga::Span,
    ) -> usize {
        let leaves = self.shared.leaves.get(ty.index()).copied().unwrap_or(0);
        let variable = if leaves > MOST_LEAVES && !indexed || leaves > u64::from(sdlbc::limits::ARRAY_LENGTH) {
            let what = format!("a variable has {leaves} vectors, but the limit is {MOST_LEAVES}");
            self.shared.refuse(RefusalKind::Limit { what }, span);
            Variable::Parts(Vec::new())
        } else if !self.is_supported(ty) {
            self.shared.refuse(types::refusal(self.shared.module, ty), span);
            Variable::Parts(Vec::new())
        } else {
            self.variable(ty, name, indexed)
        };
        self.variables.push(variable);
        self.variables.len() - 1
    }

    pub(super) fn is_supported(&self, ty: Handle<naga::Type>) -> bool {
        let inner = self.inner(ty);
        match types::parts(inner) {
            Some(Parts::Fields(fields)) => fields.iter().all(|&(ty, _)| self.is_supported(ty)),
            Some(Parts::Elements(base, ..)) => self.is_supported(base),
            None => types::value(inner).is_some(),
        }
    }

    /// Creates a variable of a type. If the variable has computed indices, its arrays are in slots.
    fn variable(&mut self, ty: Handle<naga::Type>, name: Option<&str>, indexed: bool) -> Variable {
        let inner = self.inner(ty);
        match types::parts(inner) {
            Some(Parts::Elements(..)) if indexed => {
                Variable::Slots(self.slots(ty, name.unwrap_or("array"), 1, InputKind::Local))
            }
            Some(Parts::Fields(fields)) => {
                let names = field_names(inner);
                let parts = fields.iter().zip(names);
                let join = |field: &str| name.map_or_else(|| field.to_string(), |name| format!("{name}_{field}"));
                Variable::Parts(parts.map(|(&(ty, _), field)| self.variable(ty, Some(&join(field)), indexed)).collect())
            }
            Some(Parts::Elements(base, length, _)) => {
                Variable::Parts((0..length).map(|_| self.variable(base, name, indexed)).collect())
            }
            None => {
                let Columns { columns, matrix, scalar, width } =
                    Columns::of(types::value(inner).unwrap_or(Type::FLOAT));
                let first = self.registers.count();
                for _ in 0..columns {
                    self.register(name, scalar, width);
                }
                Variable::Registers { first, columns, matrix, scalar, width }
            }
        }
    }

    /// Creates slots for `count` values of a type. The kind of input determines whether the slots are local arrays or shared
    /// arrays.
    pub(super) fn slots(&mut self, ty: Handle<naga::Type>, name: &str, count: u32, kind: InputKind) -> Slots {
        let inner = self.inner(ty);
        match types::parts(inner) {
            Some(Parts::Fields(fields)) => {
                let fields = fields.iter().zip(field_names(inner));
                Slots::Fields(
                    fields.map(|(&(ty, _), field)| self.slots(ty, &format!("{name}_{field}"), count, kind)).collect(),
                )
            }
            Some(Parts::Elements(base, length, _)) => {
                Slots::Elements(length, Box::new(self.slots(base, name, count.saturating_mul(length), kind)))
            }
            None => {
                let Columns { columns, matrix, scalar, width } =
                    Columns::of(types::value(inner).unwrap_or(Type::FLOAT));
                let length = count.saturating_mul(columns.into());
                let name = self.input_name(name);
                let slot = self.builder.input(name, Type::Array(scalar, width, length), kind);
                Slots::Leaf { slot, columns, matrix }
            }
        }
    }

    pub(super) fn slot(&mut self, name: &str, ty: Type) -> Id {
        let name = self.input_name(name);
        self.builder.input(name, ty, InputKind::Local)
    }

    pub(super) fn declare_local(&mut self, handle: Handle<LocalVariable>) {
        let Some(function) = self.function() else { return };
        let variable = &function.local_variables[handle];
        let indexed = types::parts(self.inner(variable.ty)).is_some() && self.is_indexed(function, handle);
        let number =
            self.declare(variable.ty, variable.name.as_deref(), indexed, function.local_variables.get_span(handle));
        if let Some(local) = self.frames.last_mut().and_then(|frame| frame.locals.get_mut(handle.index())) {
            *local = Some(number);
        }
        let place = Place::variable(number);
        match variable.init {
            Some(init) => {
                let value = self.value(init);
                self.store(&place, &value);
            }
            // The code of an inlined function may run several times, so the slots of its variables are set to zero each time.
            None if indexed && self.frames.len() > 1 => {
                let zero = self.zero_of(variable.ty);
                self.store(&place, &zero);
            }
            None => {}
        }
    }

    pub(super) fn declare_private(&mut self, handle: Handle<naga::GlobalVariable>) {
        let variable = &self.shared.module.global_variables[handle];
        let span = self.shared.module.global_variables.get_span(handle);
        let indexed = types::parts(self.inner(variable.ty)).is_some();
        let number = self.declare(variable.ty, variable.name.as_deref(), indexed, span);
        self.privates.insert(handle, number);
        if let Some(init) = variable.init {
            let value = self.constant(init);
            self.store(&Place::variable(number), &value);
        }
    }

    /// Reports whether a local variable has computed indices, or a pointer into the variable is passed to a function.
    fn is_indexed(&self, function: &'m naga::Function, local: Handle<LocalVariable>) -> bool {
        let is_inside = |pointer: Handle<Expression>| local_of(function, pointer) == Some(local);
        let mut indexed = function.expressions.iter().any(|(_, expression)| match *expression {
            Expression::Access { base, .. } => is_inside(base),
            _ => false,
        });
        each(&function.body, &mut |statement| {
            if let Statement::Call { arguments, .. } = statement {
                indexed |= arguments.iter().any(|&argument| is_inside(argument));
            }
        });
        indexed
    }

    pub(super) fn place(&mut self, pointer: Handle<Expression>) -> Place {
        let mut steps = Few::<Step>::new();
        let mut at = pointer;
        let (root, before) = loop {
            match self.expression(at) {
                Some(&Expression::Access { base, index }) => {
                    steps.push(Step::Computed(self.index(index)));
                    at = base;
                }
                Some(&Expression::AccessIndex { base, index }) => {
                    steps.push(Step::Known(index));
                    at = base;
                }
                Some(&Expression::LocalVariable(variable)) => {
                    let local = self.frame().and_then(|frame| frame.locals.get(variable.index()).copied().flatten());
                    break (local.map_or(Root::None, Root::Variable), Few::new());
                }
                Some(&Expression::GlobalVariable(variable)) => {
                    let root = match self.privates.get(&variable) {
                        Some(&number) => Root::Variable(number),
                        None if self.shared.uniforms.contains_key(&variable) => Root::Uniform(variable),
                        None if self.shared.memories.contains_key(&variable) => Root::Memory(variable),
                        None => Root::None,
                    };
                    break (root, Few::new());
                }
                Some(&Expression::FunctionArgument(number)) => {
                    let argument = self.frame().and_then(|frame| frame.arguments.get(number as usize)).cloned();
                    match argument {
                        Some(Value::Place(place)) => break (place.root, place.steps),
                        _ => break (Root::None, Few::new()),
                    }
                }
                _ => break (Root::None, Few::new()),
            }
        };
        steps.reverse();
        Place { root, steps: before.into_iter().chain(steps).collect() }
    }

    pub(super) fn load(&mut self, place: &Place, ty: Option<&naga::TypeInner>) -> Value {
        match place.root {
            Root::Uniform(variable) => self.load_uniform(variable, &place.steps),
            Root::None => {
                let ty = ty.and_then(types::value).unwrap_or(Type::FLOAT);
                Value::One(self.zero(ty))
            }
            root => match self.variable_of(root) {
                Some(variable) => self.load_variable(&variable, &place.steps),
                None => Value::Many(Vec::new()),
            },
        }
    }

    /// Returns the variable at the root of a place. `None` stands for a uniform variable or a variable that was refused.
    fn variable_of(&mut self, root: Root) -> Option<Variable> {
        match root {
            Root::Variable(number) => self.variables.get(number).cloned(),
            Root::Memory(variable) => self.memory(variable),
            Root::Uniform(_) | Root::None => None,
        }
    }

    fn load_variable(&mut self, variable: &Variable, steps: &[Step]) -> Value {
        match (variable, steps) {
            (&Variable::Registers { first, columns, matrix, width, .. }, _) => {
                let (column, inside) = match (matrix, steps) {
                    (true, [Step::Known(at), inside @ ..]) => {
                        (Some((*at as usize).min(usize::from(columns) - 1)), inside)
                    }
                    (true, inside) => (None, inside),
                    (false, inside) => (Some(0), inside),
                };
                let value = match column {
                    Some(column) => self.registers.gather(&mut self.builder, first + column, width),
                    None => {
                        let columns: Few<Id> = (first..first + usize::from(columns))
                            .map(|register| self.registers.gather(&mut self.builder, register, width))
                            .collect();
                        self.matrix(&columns)
                    }
                };
                self.part_at(Value::One(value), inside)
            }
            (Variable::Parts(parts), []) => {
                Value::Many(parts.iter().map(|part| self.load_variable(part, &[])).collect())
            }
            (Variable::Parts(parts), [Step::Known(at), inside @ ..]) => match parts.get(*at as usize) {
                Some(part) => self.load_variable(part, inside),
                None => Value::Many(Vec::new()),
            },
            (Variable::Parts(_), [Step::Computed(_), ..]) => {
                let whole = self.load_variable(variable, &[]);
                self.part_at(whole, steps)
            }
            (Variable::Slots(slots), _) => self.load_from(slots, steps),
            (&Variable::Buffer(buffer), _) => self.load_buffer(buffer, steps),
        }
    }

    pub(super) fn store(&mut self, place: &Place, value: &Value) {
        match self.variable_of(place.root) {
            Some(variable) => self.store_variable(&variable, &place.steps, value),
            None => self.type_mismatch(),
        }
    }

    /// Refuses a store whose value does not have the type of its place. The mismatch is a consequence of an earlier refusal, or a
    /// fault of the lifter.
    #[cold]
    pub(super) fn type_mismatch(&mut self) {
        if self.shared.refusals.is_empty() {
            let message = "a stored value does not fit its variable".to_string();
            self.shared.refuse(RefusalKind::Internal { message }, naga::Span::UNDEFINED);
        }
    }

    fn store_variable(&mut self, variable: &Variable, steps: &[Step], value: &Value) {
        match (variable, steps, value) {
            (&Variable::Registers { first, matrix: true, columns, width, .. }, [], &Value::One(id)) => {
                let parts = self.columns(id);
                for (register, column) in (first..first + usize::from(columns)).zip(parts) {
                    self.set_register(register, column, width);
                }
            }
            (&Variable::Registers { first, matrix: false, width, .. }, [], &Value::One(id)) => {
                self.set_register(first, id, width);
            }
            (&Variable::Registers { first, matrix: false, .. }, &[Step::Known(at)], &Value::One(id)) if at < 4 => {
                self.registers.write(first * 4 + at as usize, Lane { value: id, lane: 0 });
            }
            (
                &Variable::Registers { first, matrix: true, columns, scalar, width },
                &[Step::Known(at), ref inside @ ..],
                _,
            ) => {
                let first = first + (at as usize).min(usize::from(columns) - 1);
                let column = Variable::Registers { first, columns: 1, matrix: false, scalar, width };
                self.store_variable(&column, inside, value);
            }
            (&Variable::Registers { .. }, &[step, ref inside @ ..], &Value::One(id)) => {
                let whole = self.load_variable(variable, &[]).one();
                let whole = self.with_inner(whole, step, inside, id);
                self.store_variable(variable, &[], &Value::One(whole));
            }
            (Variable::Parts(parts), [], Value::Many(values)) if parts.len() == values.len() => {
                for (part, value) in parts.iter().zip(values) {
                    self.store_variable(part, &[], value);
                }
            }
            (Variable::Parts(parts), [Step::Known(at), inside @ ..], _) => match parts.get(*at as usize) {
                Some(part) => self.store_variable(part, inside, value),
                None => self.type_mismatch(),
            },
            (Variable::Slots(slots), _, _) => self.store_to(slots, steps, value),
            (&Variable::Buffer(buffer), _, _) => self.store_buffer(buffer, steps, value),
            _ => self.type_mismatch(),
        }
    }

    /// Returns a copy of a vector or matrix in which `id` replaces a component, a column, or a component of a column.
    fn with_inner(&mut self, whole: Id, step: Step, inside: &[Step], id: Id) -> Id {
        let part = match *inside {
            [] => id,
            [inner, ..] => {
                let column = self.part_of_one(whole, step);
                self.with_part(column, inner, id)
            }
        };
        self.with_part(whole, step, part)
    }

    /// Sets all components of a register. If the value has no name, it gets the register's name.
    fn set_register(&mut self, register: usize, value: Id, width: u8) {
        self.registers.set(register, value, width);
        if let Some(name) = self.register_name(register) {
            self.builder.name_computed(value, name);
        }
    }

    pub(super) fn scaled(&mut self, index: Option<Id>, by: u32) -> Option<Id> {
        let index = index?;
        if by == 1 {
            return Some(index);
        }
        let by = self.builder.int(by.cast_signed());
        Some(self.builder.multiply(index, by))
    }

    /// Follows steps into slots. Returns the slots that the steps lead to, the computed index, the constant offset, and the
    /// remaining steps.
    fn walk<'s>(&mut self, slots: &'s Slots, mut steps: &'s [Step]) -> (&'s Slots, Option<Id>, u32, &'s [Step]) {
        let (mut at, mut index, mut offset) = (slots, None, 0u32);
        loop {
            match (at, steps) {
                (Slots::Fields(fields), [Step::Known(field), rest @ ..]) => {
                    let Some(field) = fields.get(*field as usize) else { break };
                    (at, steps) = (field, rest);
                }
                (Slots::Elements(length, inner), [step, rest @ ..]) => {
                    index = self.scaled(index, *length);
                    offset = offset.wrapping_mul(*length);
                    match *step {
                        Step::Known(element) => offset = offset.wrapping_add(element),
                        Step::Computed(element) => {
                            index = Some(index.map_or(element, |index| self.builder.add(index, element)));
                        }
                    }
                    (at, steps) = (inner, rest);
                }
                _ => break,
            }
        }
        (at, index, offset, steps)
    }

    pub(super) fn load_from(&mut self, slots: &Slots, steps: &[Step]) -> Value {
        let (slots, index, offset, steps) = self.walk(slots, steps);
        self.load_at(slots, index, offset, steps)
    }

    fn load_at(&mut self, slots: &Slots, index: Option<Id>, offset: u32, steps: &[Step]) -> Value {
        match slots {
            &Slots::Leaf { slot, columns, matrix } => {
                let index = self.scaled(index, columns.into());
                let offset = offset.wrapping_mul(columns.into());
                let columns = 0..u32::from(columns);
                let parts: Few<Id> =
                    columns.map(|column| self.builder.peek(slot, index, offset.wrapping_add(column))).collect();
                let value = if matrix { self.matrix(&parts) } else { parts.first().copied().unwrap_or_default() };
                self.part_at(Value::One(value), steps)
            }
            Slots::Fields(fields) => {
                Value::Many(fields.iter().map(|field| self.load_at(field, index, offset, &[])).collect())
            }
            Slots::Elements(length, inner) => {
                let index = self.scaled(index, *length);
                let first = offset.wrapping_mul(*length);
                Value::Many((0..*length).map(|at| self.load_at(inner, index, first.wrapping_add(at), &[])).collect())
            }
        }
    }

    fn store_to(&mut self, slots: &Slots, steps: &[Step], value: &Value) {
        let (slots, index, offset, steps) = self.walk(slots, steps);
        self.store_at(slots, index, offset, steps, value);
    }

    fn store_at(&mut self, slots: &Slots, index: Option<Id>, offset: u32, steps: &[Step], value: &Value) {
        match (slots, value) {
            (&Slots::Leaf { slot, columns, matrix }, &Value::One(id)) => {
                let whole = match *steps {
                    [] => id,
                    [step, ref inside @ ..] => {
                        let whole = self.load_at(slots, index, offset, &[]).one();
                        self.with_inner(whole, step, inside, id)
                    }
                };
                let parts = if matrix { self.columns(whole) } else { Few::from_elem(whole, 1) };
                let index = self.scaled(index, columns.into());
                let offset = offset.wrapping_mul(columns.into());
                for (column, part) in (0..).zip(parts) {
                    self.builder.poke_element(part, slot, index, offset.wrapping_add(column));
                }
            }
            (Slots::Fields(fields), Value::Many(values)) if fields.len() == values.len() && steps.is_empty() => {
                for (field, value) in fields.iter().zip(values) {
                    self.store_at(field, index, offset, &[], value);
                }
            }
            (Slots::Elements(length, inner), Value::Many(values))
                if *length as usize == values.len() && steps.is_empty() =>
            {
                let index = self.scaled(index, *length);
                let first = offset.wrapping_mul(*length);
                for (at, value) in (0..).zip(values) {
                    self.store_at(inner, index, first.wrapping_add(at), &[], value);
                }
            }
            _ => self.type_mismatch(),
        }
    }

    pub(super) fn store_in_slots(&mut self, elements: &[Value]) -> Slots {
        let length = u32::try_from(elements.len()).unwrap_or(u32::MAX).max(1);
        let inner = match elements.first() {
            Some(first) => self.slots_like(first, length),
            None => Slots::Fields(Vec::new()),
        };
        let slots = Slots::Elements(length, Box::new(inner));
        self.store_to(&slots, &[], &Value::Many(elements.to_vec()));
        slots
    }

    fn slots_like(&mut self, value: &Value, count: u32) -> Slots {
        match value {
            Value::Many(parts) => Slots::Fields(parts.iter().map(|part| self.slots_like(part, count)).collect()),
            other => {
                let Columns { columns, matrix, scalar, width } = Columns::of(self.ty(other.one()));
                let slot = self.slot("elements", Type::Array(scalar, width, count.saturating_mul(columns.into())));
                Slots::Leaf { slot, columns, matrix }
            }
        }
    }
}

pub(super) fn field_names(inner: &naga::TypeInner) -> Vec<&str> {
    match inner {
        naga::TypeInner::Struct { members, .. } => {
            members.iter().map(|member| member.name.as_deref().unwrap_or("field")).collect()
        }
        _ => Vec::new(),
    }
}
