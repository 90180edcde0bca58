//! Variables. Each scalar, vector or matrix column of a variable is stored in a register of the SSA construction. An array that
//! is indexed by computed values is stored in local slots, one for each scalar, vector or matrix in an element.

use std::collections::BTreeSet;

use super::{Described, Lifting, Shape, Step, Value};
use crate::builder::Lane;
use crate::name::Name;
use crate::{Few, Id, InputKind, Scalar, Type};

/// A variable, or a part of a variable.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    /// A scalar or vector, or the columns of a matrix, in consecutive registers.
    Registers {
        /// The register of the scalar, the vector or the first column.
        first: usize,
        /// The number of columns; 1 for a scalar or vector.
        columns: u8,
        /// Whether the registers contain a matrix.
        matrix: bool,
        /// The component type.
        scalar: Scalar,
        /// The number of components of a column.
        width: u8,
    },
    /// The fields of a structure, or the elements of an array.
    Parts(Vec<Variable>),
    /// A value that is stored in slots, such as an array that is indexed by computed values.
    Slots(Slots),
}

/// The slots that store a value, in a tree that follows the value's shape.
#[derive(Clone, Debug)]
pub enum Slots {
    /// A scalar, vector or matrix.
    Leaf {
        /// The id of the slot, which is an input.
        slot: Id,
        /// The number of slot elements that each value occupies: the number of columns of a matrix, and otherwise 1.
        columns: u8,
        /// Whether the slot contains matrices.
        matrix: bool,
    },
    /// The fields of a structure.
    Fields(Vec<Slots>),
    /// An array: the number of elements, and the slots of an element.
    Elements(u32, Box<Slots>),
}

/// The columns of a scalar, vector or matrix. A scalar or vector has one column.
struct Columns {
    columns: u8,
    matrix: bool,
    scalar: Scalar,
    /// The number of components in a column.
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

impl Lifting {
    /// Creates a register whose value is zero.
    pub fn register(&mut self, name: Option<&str>, scalar: Scalar, width: u8) -> usize {
        let register = self.registers.add();
        let name = name.filter(|name| !name.is_empty());
        let text = name.unwrap_or("value").to_string();
        let name = name.map(|name| self.builder.text(name));
        self.described.push(Described { name, text, scalar, width });
        self.clear_register(register);
        register
    }

    fn clear_register(&mut self, register: usize) {
        if let Some(&Described { scalar, width, .. }) = self.described.get(register) {
            let zero = self.zero(Type::Vector(scalar, width));
            self.registers.set(register, zero, width);
        }
    }

    /// Creates a register whose value is false.
    pub fn flag(&mut self) -> usize {
        self.register(None, Scalar::Bool, 1)
    }

    /// Sets the flag in a register.
    pub fn set_flag(&mut self, flag: usize, value: bool) {
        let value = self.builder.bool(value);
        self.registers.set(flag, value, 1);
    }

    /// Returns the value of a flag.
    pub fn read_flag(&mut self, flag: usize) -> Id {
        self.registers.gather(&mut self.builder, flag, 1)
    }

    /// Returns the counts of registers and variables, for [`Lifting::forget`].
    pub fn mark(&self) -> (usize, usize) {
        (self.registers.count(), self.variables.len())
    }

    /// Removes the registers and variables that were created after [`Lifting::mark`] returned these counts.
    pub fn forget(&mut self, (registers, variables): (usize, usize)) {
        self.registers.truncate(registers);
        self.described.truncate(registers);
        self.variables.truncate(variables);
    }

    /// Returns the source name of the variable in a register.
    pub(super) fn register_name(&self, register: usize) -> Option<Name> {
        self.described.get(register)?.name
    }

    pub(super) fn described(&self, register: usize) -> Option<&Described> {
        self.described.get(register)
    }

    fn add(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.variables.len() - 1
    }

    /// Creates a variable that is zero, and returns its number. If `indexed` is true, the variable is indexed by computed
    /// values, and arrays in the variable are stored in slots.
    pub fn declare(&mut self, shape: &Shape, name: Option<&str>, indexed: bool) -> usize {
        let variable = self.variable_of(shape, name, indexed);
        self.add(variable)
    }

    /// Creates a variable that is stored in shared arrays, and returns its number.
    pub fn declare_shared(&mut self, shape: &Shape, name: &str) -> usize {
        let slots = self.slots(shape, name, 1, InputKind::Shared);
        self.add(Variable::Slots(slots))
    }

    /// Creates a variable that has a value, and returns its number.
    pub fn hold(&mut self, value: &Value) -> usize {
        let variable = self.holding(value);
        self.add(variable)
    }

    fn holding(&mut self, value: &Value) -> Variable {
        match value {
            Value::Many(parts) => Variable::Parts(parts.iter().map(|part| self.holding(part)).collect()),
            other => {
                let id = other.one();
                let Columns { columns, matrix, scalar, width } = Columns::of(self.ty(id));
                let parts = if matrix { self.columns(id) } else { Few::from_elem(id, 1) };
                let first = self.registers.count();
                for part in parts {
                    let register = self.register(None, scalar, width);
                    self.registers.set(register, part, width);
                }
                Variable::Registers { first, columns, matrix, scalar, width }
            }
        }
    }

    /// Sets the registers of a variable to zero.
    pub fn clear(&mut self, variable: usize) {
        let mut registers = BTreeSet::new();
        self.add_registers(variable, &[], &mut registers);
        registers.into_iter().for_each(|register| self.clear_register(register));
    }

    fn variable_of(&mut self, shape: &Shape, name: Option<&str>, indexed: bool) -> Variable {
        match shape {
            Shape::Elements(..) if indexed => {
                Variable::Slots(self.slots(shape, name.unwrap_or("array"), 1, InputKind::Local))
            }
            Shape::Fields(fields) => {
                let join = |field: &str| name.map_or_else(|| field.to_string(), |name| format!("{name}_{field}"));
                let part = |(field, shape): &(String, Shape)| self.variable_of(shape, Some(&join(field)), indexed);
                Variable::Parts(fields.iter().map(part).collect())
            }
            Shape::Elements(element, length) => {
                Variable::Parts((0..*length).map(|_| self.variable_of(element, name, indexed)).collect())
            }
            Shape::One(ty) => {
                let Columns { columns, matrix, scalar, width } = Columns::of(*ty);
                let first = self.registers.count();
                for _ in 0..columns {
                    self.register(name, scalar, width);
                }
                Variable::Registers { first, columns, matrix, scalar, width }
            }
        }
    }

    /// Declares slots for `count` values of a shape. `kind` selects local arrays or shared arrays.
    pub fn slots(&mut self, shape: &Shape, name: &str, count: u32, kind: InputKind) -> Slots {
        match shape {
            Shape::Fields(fields) => {
                let slots =
                    |(field, shape): &(String, Shape)| self.slots(shape, &format!("{name}_{field}"), count, kind);
                Slots::Fields(fields.iter().map(slots).collect())
            }
            Shape::Elements(element, length) => {
                Slots::Elements(*length, Box::new(self.slots(element, name, count.saturating_mul(*length), kind)))
            }
            Shape::One(ty) => {
                let Columns { columns, matrix, scalar, width } = Columns::of(*ty);
                let length = count.saturating_mul(columns.into());
                let name = self.input_name(name);
                let slot = self.builder.input(name, Type::Array(scalar, width, length), kind);
                Slots::Leaf { slot, columns, matrix }
            }
        }
    }

    /// Declares a local slot.
    pub(super) fn slot(&mut self, name: &str, ty: Type) -> Id {
        let name = self.input_name(name);
        self.builder.input(name, ty, InputKind::Local)
    }

    /// Returns the value of the part of a variable that `steps` selects.
    pub fn load(&mut self, variable: usize, steps: &[Step]) -> Value {
        match self.variables.get(variable).cloned() {
            Some(variable) => self.load_variable(&variable, steps),
            None => Value::Many(Vec::new()),
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
            (Variable::Parts(parts), [Step::Known(at), inside @ ..]) => {
                // An out-of-range index may occur in code that never runs.
                match parts.get((*at as usize).min(parts.len().saturating_sub(1))) {
                    Some(part) => self.load_variable(part, inside),
                    None => Value::Many(Vec::new()),
                }
            }
            (Variable::Parts(_), [Step::Computed(_), ..]) => {
                let whole = self.load_variable(variable, &[]);
                self.part_at(whole, steps)
            }
            (Variable::Slots(slots), _) => self.load_slots(slots, steps),
        }
    }

    /// Writes a value to the part of a variable that `steps` selects.
    pub fn store(&mut self, variable: usize, steps: &[Step], value: &Value) {
        match self.variables.get(variable).cloned() {
            Some(variable) => self.store_variable(&variable, steps, value),
            None => self.is_mismatched = true,
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
            (Variable::Parts(parts), [Step::Known(at), inside @ ..], _) => {
                // An out-of-range index may occur in code that never runs.
                if let Some(part) = parts.get(*at as usize) {
                    self.store_variable(part, inside, value);
                }
            }
            (Variable::Slots(slots), _, _) => self.store_slots(slots, steps, value),
            _ => self.is_mismatched = true,
        }
    }

    /// Sets all components of a register, and gives the register's name to a value without a name.
    fn set_register(&mut self, register: usize, value: Id, width: u8) {
        self.registers.set(register, value, width);
        if let Some(name) = self.register_name(register) {
            self.builder.name_computed(value, name);
        }
    }

    /// Adds the registers of a part of a variable to `registers`. `steps` selects the part. A step that is computed at
    /// run time is `None`.
    pub fn add_registers(&self, variable: usize, steps: &[Option<u32>], registers: &mut BTreeSet<usize>) {
        let mut open: Vec<_> = self.variables.get(variable).map(|variable| (variable, steps)).into_iter().collect();
        while let Some((variable, steps)) = open.pop() {
            match (variable, steps) {
                (Variable::Slots(_), _) => {}
                (&Variable::Registers { first, matrix: true, columns, .. }, &[Some(column), ..])
                    if column < columns.into() =>
                {
                    registers.insert(first + column as usize);
                }
                (&Variable::Registers { first, columns, .. }, _) => {
                    registers.extend(first..first + usize::from(columns));
                }
                (Variable::Parts(parts), [Some(part), inside @ ..]) => {
                    open.extend(parts.get(*part as usize).map(|part| (part, inside)));
                }
                (Variable::Parts(parts), [None, inside @ ..]) => open.extend(parts.iter().map(|part| (part, inside))),
                (Variable::Parts(parts), []) => open.extend(parts.iter().map(|part| (part, steps))),
            }
        }
    }

    /// Follows `steps` from `slots`. Returns the selected slots, the computed index and the constant offset of the
    /// selected values, and the remaining steps.
    pub(super) fn walk<'s>(
        &mut self,
        slots: &'s Slots,
        mut steps: &'s [Step],
    ) -> (&'s Slots, Option<Id>, u32, &'s [Step]) {
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

    /// Returns the part of the value in `slots` that `steps` selects.
    pub fn load_slots(&mut self, slots: &Slots, steps: &[Step]) -> Value {
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

    /// Writes a value to the part of the value in `slots` that `steps` selects.
    pub fn store_slots(&mut self, slots: &Slots, steps: &[Step], value: &Value) {
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
            _ => self.is_mismatched = true,
        }
    }

    /// Stores the elements of an array value in new slots.
    pub fn store_in_slots(&mut self, elements: &[Value]) -> Slots {
        let length = u32::try_from(elements.len()).unwrap_or(u32::MAX).max(1);
        let inner = match elements.first() {
            Some(first) => self.slots_like(first, length),
            None => Slots::Fields(Vec::new()),
        };
        let slots = Slots::Elements(length, Box::new(inner));
        self.store_slots(&slots, &[], &Value::Many(elements.to_vec()));
        slots
    }

    /// Declares slots for `count` values with the shape of `value`.
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
