//! In SPIR-V, turns a uniform array into a structure with matrix members if the code reads consecutive registers as the columns
//! of a matrix. A matrix member needs one load and one product, instead of a load and a dot product for each column.
//!
//! Rules: every register keeps its byte offset. An array stays an array if the code reads it at a computed index, if it has named
//! members or is a member itself (`members.rs`), or if any function of the module is called. A matrix becomes a member only if no
//! other instruction reads its registers. Every other register that the code reads becomes a member, and so do unread registers
//! between members. Reads of a matrix's columns are not lowered, because only the matrix needs them.

use sdlbc::{Function, FunctionKind, Id, IdMap, Input, InputKind, Module, Op, OpSet, Scalar, Type, Types};

use crate::members::Members;

/// The uniform arrays of a function that become structures, and the values read from these arrays.
#[derive(Debug, Default)]
pub(super) struct Registers {
    /// Each array that becomes a structure, with the structure's members in order of offset.
    arrays: Vec<(Id, Vec<Part>)>,
    reads: IdMap<Read>,
}

/// A value read from an array that may become a structure.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// A register that is read at a constant index, or the register's leading components.
    Register(Column),
    /// A matrix that is a member of a structure: the array's id and the member's index.
    Matrix(Id, u32),
    /// A value that is unused, or that the code uses only as a column of matrices.
    Column,
}

/// A member of the structure that replaces an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) first: u32,
    /// A matrix, a single register, or an array of unread registers.
    pub(super) ty: Type,
}

/// A matrix in consecutive registers: the first register, the number of columns, and the number of rows.
type Shape = (u32, u8, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Nothing,
    /// The register is read only as a column of matrices with this shape.
    Matrix(Shape),
    Others,
}

/// A value read from a register: the array's number, the register, and the number of leading components.
type Column = (u32, u32, u8);

/// A uniform array that may become a structure.
struct Array {
    id: Id,
    length: u32,
    /// Whether every use of the array is a read at a constant index.
    fits: bool,
}

impl Registers {
    pub(super) fn of(module: &Module, members: &Members, index: usize, types: &Types, ops: OpSet) -> Registers {
        let mut registers = Registers::default();
        let Some(function) = module.functions.get(index) else { return registers };
        let calls = module.functions.iter().any(|function| function.kind == FunctionKind::Generic);
        if calls || !ops.has(Op::Matrix) {
            return registers;
        }
        let named = module.debug_of(index).map(|debug| &debug.members);
        let array = |input: &Input| {
            let Type::Array(Scalar::Float, 4, length @ 1..) = input.ty else { return None };
            let has_members = named.and_then(|named| named.get(&input.id)).is_some_and(|members| !members.is_empty());
            let is_whole = !has_members && members.get(&(index, input.id)).is_none();
            (input.kind == InputKind::Uniform && is_whole).then_some(Array { id: input.id, length, fits: true })
        };
        let mut arrays: Vec<Array> = function.inputs.iter().filter_map(array).collect();
        if arrays.is_empty() {
            return registers;
        }
        registers.reads = registers_of(function, &mut arrays, types);
        for (number, array) in (0..).zip(&arrays).filter(|(_, array)| array.fits) {
            registers.split(function, number, array.id);
        }
        registers
    }

    /// Returns the members of the structure that replaces an array, in the order of their offsets, or `None` if the array is
    /// kept.
    pub(super) fn parts(&self, array: Id) -> Option<&[Part]> {
        self.arrays.iter().find(|known| known.0 == array).map(|known| known.1.as_slice())
    }

    /// Returns the array and the member index from which a matrix is read.
    pub(super) fn matrix(&self, id: Id) -> Option<(Id, u32)> {
        match self.reads.get(id) {
            Some(&Read::Matrix(array, member)) => Some((array, member)),
            _ => None,
        }
    }

    /// Reports whether a value is used only as a column of matrix members and therefore needs no lowering.
    pub(super) fn is_column(&self, id: Id) -> bool {
        matches!(self.reads.get(id), Some(Read::Column))
    }

    /// Returns the index of the member whose first register is `register`.
    pub(super) fn member(&self, array: Id, register: u32) -> Option<u32> {
        let at = self.parts(array)?.binary_search_by_key(&register, |part| part.first).ok()?;
        u32::try_from(at).ok()
    }

    /// Turns an array into a structure if the code reads a matrix from the array.
    fn split(&mut self, function: &Function, number: u32, array: Id) {
        let values = &self.reads;
        let column = |id: Id| match values.get(id) {
            Some(&Read::Register((of, register, rows))) if of == number => Some((register, rows)),
            _ => None,
        };
        let mut matrices: Vec<(Id, Shape)> = Vec::new();
        // Records how the code reads each register. Registers beyond the end of the list are not read.
        let mut readers: Vec<Reader> = Vec::with_capacity(16);
        for inst in function.body.insts().iter().filter(|inst| column(inst.output).is_none()) {
            let shape = if inst.op == Op::Matrix { shape(&inst.inputs, column) } else { None };
            if let Some(shape) = shape {
                matrices.push((inst.output, shape));
            }
            for register in inst.inputs.iter().filter_map(|&id| Some(column(id)?.0 as usize)) {
                if register >= readers.len() {
                    readers.resize(register + 1, Reader::Nothing);
                }
                readers[register] = match (readers[register], shape) {
                    (Reader::Nothing, Some(shape)) => Reader::Matrix(shape),
                    (Reader::Matrix(other), Some(shape)) if other == shape => Reader::Matrix(shape),
                    _ => Reader::Others,
                };
            }
        }
        let is_alone = |register: u32, shape: Shape| readers.get(register as usize) == Some(&Reader::Matrix(shape));
        matrices.retain(|&(_, shape)| (shape.0..shape.0 + u32::from(shape.1)).all(|at| is_alone(at, shape)));
        if matrices.is_empty() {
            return;
        }
        matrices.sort_unstable_by_key(|matrix| matrix.1);
        let within = |register: u32| {
            let after = matrices.partition_point(|(_, shape)| shape.0 <= register);
            let matrix = after.checked_sub(1).and_then(|at| matrices.get(at));
            matrix.is_some_and(|&(_, (first, columns, _))| register < first + u32::from(columns))
        };
        let matrix = |&(_, (first, columns, rows)): &_| Part { first, ty: Type::Matrix { columns, rows } };
        let mut parts: Vec<Part> = Vec::with_capacity(matrices.len() + 4);
        parts.extend(matrices.iter().map(matrix));
        let is_read = |register: u32| readers.get(register as usize).is_some_and(|&reader| reader != Reader::Nothing);
        let is_needed = |register: u32| is_read(register) && !within(register);
        let others = (0u32..).take(readers.len()).filter(|&register| is_needed(register));
        parts.extend(others.map(|first| Part { first, ty: Type::FLOAT4 }));
        parts.sort_unstable_by_key(|part| part.first);
        parts.dedup();
        for inst in function.body.insts() {
            if let Some(read) = self.reads.get_mut(inst.output)
                && let Read::Register((of, register, _)) = *read
                && of == number
                && !is_needed(register)
            {
                *read = Read::Column;
            }
        }
        self.arrays.push((array, without_gaps(parts)));
        for (id, shape) in matrices {
            if let Some(member) = self.member(array, shape.0) {
                self.reads.insert(id, Read::Matrix(array, member));
            }
        }
    }
}

/// Adds members for the unread registers between other members, because tools such as SPIRV-Cross reject a structure with gaps.
fn without_gaps(parts: Vec<Part>) -> Vec<Part> {
    let end_of = |part: &Part| part.first + if let Type::Matrix { columns, .. } = part.ty { columns.into() } else { 1 };
    let mut end = 0;
    if parts.iter().all(|part| std::mem::replace(&mut end, end_of(part)) == part.first) {
        return parts;
    }
    let mut all = Vec::with_capacity(2 * parts.len());
    let mut end = 0;
    for part in parts {
        match part.first.saturating_sub(end) {
            0 => {}
            1 => all.push(Part { first: end, ty: Type::FLOAT4 }),
            gap => all.push(Part { first: end, ty: Type::Array(Scalar::Float, 4, gap) }),
        }
        end = end_of(&part);
        all.push(part);
    }
    all
}

/// Returns the values that are read from an array: a whole register, or its three leading components. Clears `fits` for each
/// array that the code reads at a computed index, or uses in an instruction other than a PEEK.
fn registers_of(function: &Function, arrays: &mut [Array], types: &Types) -> IdMap<Read> {
    let mut values: IdMap<Read> = types.table();
    for inst in function.body.insts() {
        let first = inst.inputs.first().copied().unwrap_or_default();
        let is_read = inst.op == Op::Peek && inst.inputs.get(1).is_none_or(|index| !index.is_some());
        for (number, array) in (0..).zip(arrays.iter_mut()).filter(|(_, array)| inst.inputs.contains(&array.id)) {
            if is_read && first == array.id {
                let register = inst.immediates.first().copied().unwrap_or(0).cast_signed();
                let register = u32::try_from(register).unwrap_or(0).min(array.length - 1);
                values.insert(inst.output, Read::Register((number, register, 4)));
            } else {
                array.fits = false;
            }
        }
        if inst.op == Op::Swizzle
            && let Some(&Read::Register((number, register, 4))) = values.get(first)
            && inst.lanes().eq(0..3)
        {
            values.insert(inst.output, Read::Register((number, register, 3)));
        }
    }
    values
}

/// Returns the shape of the matrix that the columns form, or `None` if the columns are not consecutive registers. Columns have at
/// least three components, because columns of two components would be less than 16 bytes apart.
fn shape(columns: &[Id], column: impl Fn(Id) -> Option<(u32, u8)>) -> Option<Shape> {
    let (first, rows) = column(*columns.first()?)?;
    let follows = |(register, id): (u32, &Id)| column(*id) == Some((register, rows));
    let in_a_row = (first..).zip(columns).all(follows);
    in_a_row.then_some((first, u8::try_from(columns.len()).ok()?, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(code: &str) -> Option<Vec<(u32, String)>> {
        let text = format!(
            "vertex function \"vs_main\" {{\n  input %1 va0: float4 = attribute 0\n  input %2 vc: float4[12] = uniform\n  \
             output 0 op: float4 = position\n{code}}}\n"
        );
        let module = sdlbc::Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies");
        crate::write(&module, crate::Target::Spirv, None, &crate::Layout::default()).expect("SPIR-V");
        let registers =
            Registers::of(&module, &Members::default(), 0, &module.types()[0], module.functions[0].body.ops());
        let shown = |part: &Part| (part.first, part.ty.to_string());
        registers.parts(Id(2)).map(|parts| parts.iter().map(shown).collect())
    }

    const COLUMNS: &str = "  %3 = peek %2, 0\n  %4 = peek %2, 1\n  %5 = peek %2, 2\n  %6 = peek %2, 3\n";

    #[test]
    fn registers_that_only_a_matrix_reads_are_its_columns() {
        let product = "  %7 = matrix %3, %4, %5, %6\n  %8 = multiply %1, %7\n";
        let found = parts(&format!("{COLUMNS}{product}  poke %8, 0\n"));
        assert_eq!(found, Some(vec![(0, "float4x4".to_string())]));
        let other = |at: u32| format!("  %9 = peek %2, {at}\n  %10 = add %8, %9\n  poke %10, 0\n");
        let found = parts(&format!("{COLUMNS}{product}{}", other(4)));
        assert_eq!(found, Some(vec![(0, "float4x4".to_string()), (4, "float4".to_string())]));
        let matrix = || (0, "float4x4".to_string());
        let gap = |at: u32, ty: &str| Some(vec![matrix(), (4, ty.to_string()), (at, "float4".to_string())]);
        assert_eq!(parts(&format!("{COLUMNS}{product}{}", other(5))), gap(5, "float4"));
        assert_eq!(parts(&format!("{COLUMNS}{product}{}", other(9))), gap(9, "float4[5]"));
        let unread = "  %11 = peek %2, 4\n  %12 = peek %2, 6\n";
        assert_eq!(
            parts(&format!("{COLUMNS}{product}{unread}{}", other(9))),
            gap(9, "float4[5]"),
            "a gap that is loaded"
        );
    }

    #[test]
    fn an_array_stays_one_if_a_column_is_read_too_or_its_index_is_computed() {
        let product = "  %7 = matrix %3, %4, %5, %6\n  %8 = multiply %1, %7\n";
        assert_eq!(parts(&format!("{COLUMNS}{product}  %9 = add %8, %5\n  poke %9, 0\n")), None);
        let computed = "  %9 = swizzle %1, x\n  %10 = convert %9, int\n  %11 = peek %2, %10, 0\n  %12 = add %8, %11\n";
        assert_eq!(parts(&format!("{COLUMNS}{product}{computed}  poke %12, 0\n")), None);
    }

    #[test]
    fn a_register_that_nothing_reads_is_no_member() {
        let product = "  %7 = matrix %3, %4, %5, %6\n  %8 = multiply %1, %7\n";
        let unread = "  %9 = peek %2, 6\n  %10 = peek %2, 7\n  %11 = swizzle %10, xyz\n";
        let found = parts(&format!("{COLUMNS}{product}{unread}  poke %8, 0\n"));
        assert_eq!(found, Some(vec![(0, "float4x4".to_string())]));
    }

    #[test]
    fn an_array_that_is_a_member_stays_one() {
        let members = "  member %2[0] scale: float4\n  member %2[1] rows: float4[4]\n";
        let product = "  %7 = peek %2, 4\n  %8 = matrix %4, %5, %6, %7\n  %9 = multiply %3, %8\n  poke %9, 0\n";
        assert_eq!(parts(&format!("{members}{COLUMNS}{product}")), None);
    }

    #[test]
    fn matrices_that_share_a_register_are_none() {
        let columns = format!("{COLUMNS}  %9 = peek %2, 4\n");
        let products = "  %10 = matrix %3, %4, %5, %6\n  %11 = matrix %4, %5, %6, %9\n  %12 = multiply %1, %10\n  \
                        %13 = multiply %12, %11\n  poke %13, 0\n";
        assert_eq!(parts(&format!("{columns}{products}")), None);
    }
}
