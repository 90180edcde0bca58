//! Merges instructions: equal operations on several components become one operation with a write mask, and dot products with
//! consecutive rows become a matrix product.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agal_front::opcode::{Meaning, Opcode};
use agal_front::register::File;

use crate::code::{Code, Inst, Lane, Part, Target, Web, in_one_register};
use crate::improver::Improver;

pub(crate) fn merge_components(improver: &mut Improver) {
    pairwise(improver, |code, first, second| {
        let (one, other) = (code.insts.get(first)?, code.insts.get(second)?);
        let turned = (matches!(one.op, Opcode::Add | Opcode::Mul) && one.op == other.op).then(|| {
            let mut turned = (**other).clone();
            turned.sources.swap(0, 1);
            turned
        });
        let ways = [components(one, other), turned.and_then(|turned| components(one, &turned))];
        Some(ways.into_iter().flatten().collect())
    });
}

pub(crate) fn merge_rows(improver: &mut Improver) {
    let computed = improver.style.rows;
    pairwise(improver, |code, first, second| {
        let (one, other) = (code.insts.get(first)?, code.insts.get(second)?);
        rows(code, one, other, computed)
    });
}

/// Tries to merge each pair of instructions in a block into one of the candidates that `merged` returns. `Style::backward`
/// selects the order of the pairs, because an early merge may prevent a later merge.
fn pairwise(improver: &mut Improver, merged: impl Fn(&Code, usize, usize) -> Option<Vec<Inst>>) {
    let mut looked_at = 0;
    while looked_at < improver.code.insts.len() {
        let count = improver.code.insts.len();
        let first = if improver.style.backward { count - 1 - looked_at } else { looked_at };
        let ends = |at: &usize| improver.code.insts.get(*at).is_none_or(|inst| inst.is_control());
        let end = (first + 1..count).find(ends).unwrap_or(count);
        let kept = (first + 1..end).any(|second| {
            let ways = merged(&improver.code, first, second).unwrap_or_default();
            ways.into_iter().any(|way| improver.attempt(|code| replace_both(code, first, second, way)))
        });
        // The merged instruction may have moved, so the same index is tried again.
        looked_at += usize::from(!kept);
    }
}

fn components(one: &Inst, other: &Inst) -> Option<Inst> {
    let count = one.parts.len() + other.parts.len();
    if one.op != other.op || !one.is_componentwise() || one.target != other.target || count > 4 {
        return None;
    }
    let mut merged = one.clone();
    merged.parts.extend(&other.parts);
    for (lanes, more) in merged.sources.iter_mut().zip(&other.sources) {
        lanes.extend(more);
        in_one_register(lanes).then_some(())?;
    }
    (are_distinct(&merged)).then_some(merged)
}

fn are_distinct(inst: &Inst) -> bool {
    let mask = inst.parts.iter().fold(0u32, |mask, part| mask | 1 << part.component);
    match inst.target {
        Target::Output(..) => usize::try_from(mask.count_ones()) == Ok(inst.parts.len()),
        _ => true,
    }
}

/// A dot product, or a matrix product whose matrix is in registers.
struct Product {
    vector: Vec<Lane>,
    file: File,
    rows: Vec<(i64, Part)>,
    /// Whether the destination component of each row's result is fixed.
    is_placed: bool,
}

fn products(inst: &Inst) -> Vec<Product> {
    let [a, b] = &inst.sources;
    let is_output = inst.target != Target::Webs;
    match inst.meaning() {
        Meaning::Dot(width) => [(a, b), (b, a)]
            .into_iter()
            .filter_map(|(vector, row)| {
                let (file, number) = row_of(row, usize::from(width))?;
                let &[part] = &inst.parts[..] else { return None };
                Some(Product { vector: vector.clone(), file, rows: vec![(number, part)], is_placed: is_output })
            })
            .collect(),
        Meaning::Matrix { width, .. } => {
            let width = usize::from(width);
            let rows = b.chunks(width).zip(&inst.parts).map(|(row, &part)| Some((row_of(row, width)?, part)));
            let Some(rows) = rows.collect::<Option<Vec<_>>>() else { return Vec::new() };
            let Some(&((file, _), _)) = rows.first() else { return Vec::new() };
            let rows = rows.into_iter().map(|((_, number), part)| (number, part)).collect();
            vec![Product { vector: a.clone(), file, rows, is_placed: true }]
        }
        _ => Vec::new(),
    }
}

/// Returns the register whose components, in order, form the row.
fn row_of(lanes: &[Lane], width: usize) -> Option<(File, i64)> {
    let &Lane::Register(file, number, 0) = lanes.first()? else { return None };
    let whole = lanes.iter().zip(0u8..).all(|(lane, at)| *lane == Lane::Register(file, number, at));
    (whole && lanes.len() == width && matches!(file, File::Constant | File::Attribute | File::Varying))
        .then_some((file, i64::from(number)))
}

/// Returns every way to merge two instructions into a matrix product.
fn rows(code: &Code, one: &Inst, other: &Inst, computed: bool) -> Option<Vec<Inst>> {
    if one.target != other.target {
        return None;
    }
    let mut ways = Vec::new();
    let others = products(other);
    for first in products(one) {
        for second in others.iter().filter(|second| second.vector == first.vector && second.file == first.file) {
            let lowest = first.rows.iter().chain(&second.rows).map(|(number, _)| *number).min()?;
            ways.extend((0..3).filter_map(|before| product(code, one, &first, second, lowest - before)));
        }
    }
    if computed {
        ways.extend(rows_of_webs(one, other));
    }
    Some(ways)
}

/// Returns every way to merge two instructions into a product with a computed matrix. The matrix's rows are webs, which must be
/// assigned consecutive registers.
fn rows_of_webs(one: &Inst, other: &Inst) -> Vec<Inst> {
    let mut ways = Vec::new();
    let is_web = |lane: &Lane| matches!(lane, Lane::Web(_));
    let of_dot = |inst: &Inst, vector: &[Lane]| -> Option<Vec<Lane>> {
        if !matches!(inst.meaning(), Meaning::Dot(_)) || inst.parts.len() != 1 {
            return None;
        }
        let [a, b] = &inst.sources;
        let (_, row) = [(a, b), (b, a)].into_iter().find(|(of, _)| of[..] == *vector)?;
        row.iter().all(is_web).then(|| row.clone())
    };
    if one.target != Target::Webs {
        return ways;
    }
    for vector in &one.sources {
        let width = vector.len();
        if one.row_width() > 0 {
            // The dot product's row becomes a further row of the matrix.
            let is_full = one.parts.len() >= if width == 3 { 3 } else { 4 };
            if *vector != one.sources[0] || is_full || !one.sources[1].iter().all(is_web) {
                continue;
            }
            let Some(row) = of_dot(other, vector) else { continue };
            let mut merged = one.clone();
            let Some(component) = (0u8..4).find(|at| one.parts.iter().all(|part| part.component != *at)) else {
                continue;
            };
            merged.parts.extend(other.parts.first().map(|part| Part { component, ..*part }));
            merged.sources[1].extend(row);
            if component == 3 {
                merged.op = Opcode::M44;
            }
            ways.push(merged);
        } else if let (Some(first), Some(second)) = (of_dot(one, vector), of_dot(other, vector)) {
            let Some((&of_first, &of_second)) = one.parts.first().zip(other.parts.first()) else { continue };
            for [(row, part), (next, after)] in
                [[(&first, of_first), (&second, of_second)], [(&second, of_second), (&first, of_first)]]
            {
                let op = if width == 3 { Opcode::M33 } else { Opcode::M34 };
                let parts = vec![Part { component: 0, ..part }, Part { component: 1, ..after }];
                let rows = row.iter().chain(next).copied().collect();
                ways.push(Inst { op, parts, sources: [vector.clone(), rows], ..one.clone() });
            }
        }
    }
    ways
}

fn product(code: &Code, one: &Inst, first: &Product, second: &Product, base: i64) -> Option<Inst> {
    let mut parts = BTreeMap::new();
    for of in [first, second] {
        for &(number, part) in &of.rows {
            let component = u8::try_from(number - base).ok().filter(|&component| component < 4)?;
            if of.is_placed && component != part.component || parts.contains_key(&component) {
                return None;
            }
            parts.insert(component, (number, Part { component, ..part }));
        }
    }
    let width = first.vector.len();
    let highest = *parts.keys().last()?;
    let (op, count) = match (width, highest) {
        (3, 0..=2) => (Opcode::M33, 3),
        (4, 0..=2) => (Opcode::M34, 3),
        (4, 3) => (Opcode::M44, 4),
        _ => return None,
    };
    let limit = i64::from(first.file.count(code.stage, code.version));
    (base >= 0 && base + count <= limit).then_some(())?;
    let mut rows = Vec::new();
    for (number, _) in parts.values() {
        let number = u32::try_from(*number).ok()?;
        rows.extend((0u8..4).take(width).map(|at| Lane::Register(first.file, number, at)));
    }
    let parts = parts.into_values().map(|(_, part)| part).collect();
    Some(Inst { op, parts, sources: [first.vector.clone(), rows], ..one.clone() })
}

/// Replaces two instructions of a block with `merged`, and reorders the block as the dependences of the merged instruction
/// require.
fn replace_both(code: &mut Code, first: usize, second: usize, merged: Inst) -> Option<()> {
    let is_control = |at: usize| code.insts.get(at).is_none_or(|inst| inst.is_control());
    let start = (0..first).rev().find(|&at| is_control(at)).map_or(0, |at| at + 1);
    let end = (second..code.insts.len()).find(|&at| is_control(at)).unwrap_or(code.insts.len());
    let block = code.insts.get(start..end)?;
    let (first, second) = (first - start, second - start);
    let node = |at: usize| if at == first { second } else { at };
    // `after` lists the successors of each instruction, and `waits` counts the predecessors that have not been placed yet. The
    // merged instruction has the index `second`.
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); block.len()];
    let mut waits = vec![0; block.len()];
    for (at, all) in needs(block).into_iter().enumerate() {
        for earlier in all {
            let (from, to) = (node(earlier), node(at));
            if from == to {
                return None;
            }
            after.get_mut(from)?.push(to);
            *waits.get_mut(to)? += 1;
        }
    }
    let is_first = |at: &usize| *at != first && waits.get(*at) == Some(&0);
    let mut ready: BTreeSet<usize> = (0..block.len()).filter(is_first).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first() {
        order.push(if next == second { Rc::new(merged.clone()) } else { block.get(next)?.clone() });
        for &later in after.get(next)? {
            let count = waits.get_mut(later)?;
            *count -= 1;
            if *count == 0 {
                ready.insert(later);
            }
        }
    }
    // Instructions that depend on each other in a cycle never become ready.
    (order.len() + 1 == block.len()).then_some(())?;
    code.insts.splice(start..end, order);
    Some(())
}

/// Returns, for each instruction of a block, the indices of the earlier instructions that must precede it. An index may be
/// repeated.
pub(crate) fn needs(block: &[Rc<Inst>]) -> Vec<Vec<usize>> {
    // The earlier instructions that write each web, and the earlier instructions that read it.
    let mut seen: BTreeMap<Web, [Vec<usize>; 2]> = BTreeMap::new();
    let mut kills = Vec::new();
    let mut all = Vec::new();
    for (at, inst) in block.iter().enumerate() {
        let mut needed: Vec<usize> = Vec::new();
        for web in inst.read() {
            needed.extend(seen.get(&web).into_iter().flat_map(|[writers, _]| writers));
        }
        for web in inst.written() {
            needed.extend(seen.get(&web).into_iter().flatten().flatten());
        }
        if inst.meaning() == Meaning::Kill {
            needed.extend(&kills);
            kills.push(at);
        }
        inst.written().for_each(|web| seen.entry(web).or_default()[0].push(at));
        inst.read().for_each(|web| seen.entry(web).or_default()[1].push(at));
        all.push(needed);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inst(op: Opcode, written: Option<Web>, read: Web) -> Rc<Inst> {
        let mut inst = Inst::new(op, 0);
        inst.sources[0].push(Lane::Web(read));
        if let Some(web) = written {
            inst.target = Target::Webs;
            inst.parts.push(Part { web, component: 0 });
        }
        Rc::new(inst)
    }

    #[test]
    fn an_instruction_stays_after_those_that_write_what_it_reads_and_read_or_write_what_it_writes() {
        let block = [
            inst(Opcode::Mov, Some(0), 1),
            inst(Opcode::Mov, Some(1), 2), // instruction 0 reads web 1
            inst(Opcode::Mov, Some(1), 3), // instruction 1 also writes web 1
            inst(Opcode::Kil, None, 0),    // instruction 0 writes web 0
            inst(Opcode::Mov, Some(4), 3), // this instruction depends on no other
            inst(Opcode::Kil, None, 2),    // instruction 3 may also discard the fragment
            inst(Opcode::Mov, Some(2), 1), // instructions 1 and 2 write web 1; 1 and 5 read web 2
        ];
        let mut all = needs(&block);
        all.iter_mut().for_each(|needed| {
            needed.sort_unstable();
            needed.dedup();
        });
        let expected: [&[usize]; 7] = [&[], &[0], &[0, 1], &[0], &[], &[3], &[1, 2, 5]];
        assert_eq!(all, expected);
    }
}
