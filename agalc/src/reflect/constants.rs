//! The constants that a stage reads: their registers, their components and the kinds of reads.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{FunctionKind, Id, Input, InputKind, Inst, Module, Op, Scalar, Type};

use super::types::{Constants, Indexed, Matrix, Member, Place, Range, Register};
use super::uses::{Needed, Reached, Uses, at_most, letters, literal, selectors};

#[derive(Default)]
struct Reads {
    /// The components that are read directly, keyed by register.
    registers: BTreeMap<u32, Needed>,
    /// The components that are read at computed indices, keyed by base register.
    indexed: BTreeMap<i32, Needed>,
    /// The first register and the numbers of columns and rows of each matrix, and whether the matrix begins at a computed index.
    matrices: BTreeSet<(i32, u8, u8, bool)>,
}

/// Returns the uniforms of a stage, in the order in which its functions declare them. Uniforms with the same name in several
/// functions count as one uniform.
pub(super) fn constants(module: &Module, uses: &Uses<'_>, stage: FunctionKind) -> Vec<Constants> {
    let mut found: Vec<(&Input, usize, Reads)> = Vec::new();
    for reached in &uses.functions {
        for input in reached.function.inputs.iter().filter(|input| input.kind.is_uniform()) {
            let is_same = |(other, ..): &(&Input, usize, Reads)| !other.name.is_empty() && other.name == input.name;
            let at = found.iter().position(is_same).unwrap_or(found.len());
            if at == found.len() {
                found.push((input, reached.index, Reads::default()));
            }
            if let Some((_, _, reads)) = found.get_mut(at) {
                reads.add(reached, input);
            }
        }
    }
    // A stage's register file is its first float4 array.
    let is_file =
        |input: &Input| input.kind == InputKind::Uniform && matches!(input.ty, Type::Array(Scalar::Float, 4, _));
    let file = found.iter().position(|(input, ..)| is_file(input));
    let name = if stage == FunctionKind::Vertex { "vc" } else { "fc" };
    let entries = found.into_iter().enumerate().map(|(at, (input, function, reads))| {
        let members = module.debug_of(function).and_then(|debug| debug.members.get(&input.id));
        reads.describe(input, (file == Some(at)).then_some(name), members.map(Vec::as_slice).unwrap_or_default())
    });
    entries.collect()
}

impl Reads {
    fn add(&mut self, reached: &Reached<'_>, input: &Input) {
        match input.ty {
            Type::Matrix { columns, .. } => {
                let set = reached.needed(input.id);
                (0..columns).for_each(|column| self.direct(u32::from(column), set >> (4 * column) & 0xf));
            }
            Type::Vector(..) => self.direct(0, reached.needed(input.id)),
            _ => {}
        }
        let is_array = matches!(input.ty, Type::Array(..));
        let last = length(input.ty).saturating_sub(1);
        for inst in reached.used() {
            if let Some(read) = Peek::of(reached, inst).filter(|read| is_array && read.array == input.id) {
                let needed = reached.needed(inst.output);
                match read.index {
                    None => self.direct(at_most(read.offset.cast_unsigned(), last), needed),
                    Some(_) => *self.indexed.entry(read.offset).or_default() |= needed,
                }
            }
            self.matrices.extend(matrix(reached, inst, input.id));
        }
    }

    fn direct(&mut self, register: u32, components: Needed) {
        if components != 0 {
            *self.registers.entry(register).or_default() |= components;
        }
    }

    fn describe(self, input: &Input, file: Option<&'static str>, members: &[sdlbc::Member]) -> Constants {
        let length = length(input.ty);
        let mut set: BTreeSet<u32> = self.registers.keys().copied().collect();
        if let Some(&lowest) = self.indexed.keys().next() {
            set.extend(at_most(lowest.cast_unsigned(), length.saturating_sub(1))..length);
        }
        let indexed = (!self.indexed.is_empty()).then(|| Indexed {
            bases: self.indexed.keys().copied().collect(),
            components: letters(self.indexed.values().fold(0, |all, needed| all | needed)),
        });
        let register = |(&register, &needed): (&u32, &Needed)| Register { register, components: letters(needed) };
        let matrices = self.matrices.iter().map(|&(first, columns, rows, indexed)| Matrix {
            first,
            columns,
            rows,
            indexed,
            opcode: match (columns, rows) {
                (4, 4) => Some("m44"),
                (3, 4) => Some("m34"),
                (3, 3) => Some("m33"),
                _ => None,
            },
        });
        let member = |member: &sdlbc::Member| Member {
            name: member.name.clone(),
            register: member.first,
            component: member.component,
            ty: member.ty,
            offset: member.first.saturating_mul(16).saturating_add(member.component.saturating_mul(4)),
            size: member.ty.uniform_bytes(),
        };
        Constants {
            id: input.id.0,
            file,
            name: input.name.clone(),
            ty: input.ty,
            length,
            place: match input.kind {
                InputKind::Placed { slot, offset } => Some(Place { slot, offset, size: input.ty.uniform_bytes() }),
                _ => None,
            },
            ranges: runs(set),
            registers: self.registers.iter().map(register).collect(),
            indexed,
            matrices: matrices.collect(),
            members: members.iter().map(member).collect(),
        }
    }
}

/// Returns the number of registers that a uniform occupies.
fn length(ty: Type) -> u32 {
    match ty {
        Type::Array(_, _, length) => length,
        Type::Matrix { columns, .. } => u32::from(columns),
        _ => 1,
    }
}

/// Groups consecutive numbers into ranges.
fn runs(numbers: BTreeSet<u32>) -> Vec<Range> {
    let mut runs: Vec<Range> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.first.saturating_add(run.count) == number => run.count += 1,
            _ => runs.push(Range { first: number, count: 1 }),
        }
    }
    runs
}

#[derive(Clone, Copy, PartialEq)]
struct Peek {
    array: Id,
    /// The computed index, or `None` if the index is a literal or absent.
    index: Option<Id>,
    offset: i32,
}

impl Peek {
    /// Returns the read that a PEEK performs, or `None` for any other instruction. A literal index is added to the offset.
    fn of(reached: &Reached<'_>, inst: &Inst) -> Option<Peek> {
        let (Op::Peek, &[array, index]) = (inst.op, &inst.inputs[..]) else { return None };
        let offset = inst.immediates.first().map_or(0, |offset| offset.cast_signed());
        let index = Some(index).filter(|index| index.is_some());
        Some(match index.and_then(|index| literal(reached, index)) {
            Some(known) => Peek { array, index: None, offset: known.wrapping_add(offset) },
            None => Peek { array, index, offset },
        })
    }
}

/// Returns the matrix that a MATRIX instruction builds from consecutive registers of an array: the first register, the numbers
/// of columns and rows, and whether the matrix begins at a computed index. A column may consist of a register's first components
/// only.
fn matrix(reached: &Reached<'_>, inst: &Inst, array: Id) -> Option<(i32, u8, u8, bool)> {
    if inst.op != Op::Matrix || reached.needed(inst.output) == 0 {
        return None;
    }
    let mut first: Option<(Peek, usize)> = None;
    for (column, &id) in (0i32..).zip(&inst.inputs) {
        let definition = reached.code.definition(id)?;
        let (peek, rows) = match selectors(definition) {
            Some(lanes) => {
                let is_beginning = lanes.iter().copied().eq(0..u8::try_from(lanes.len()).ok()?);
                let of = definition.inputs.first().filter(|_| is_beginning)?;
                (Peek::of(reached, reached.code.definition(*of)?)?, lanes.len())
            }
            None => (Peek::of(reached, definition)?, 4),
        };
        let &mut (begin, same_rows) = first.get_or_insert((peek, rows));
        let expected = Peek { offset: begin.offset.checked_add(column)?, ..begin };
        if peek.array != array || peek != expected || rows != same_rows {
            return None;
        }
    }
    let (begin, rows) = first?;
    let columns = u8::try_from(inst.inputs.len()).ok()?;
    Some((begin.offset, columns, u8::try_from(rows).ok()?, begin.index.is_some()))
}
