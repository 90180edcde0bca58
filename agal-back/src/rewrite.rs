//! Changes that remove a copy or an operation. Reads of a `mov`'s result become reads of the `mov`'s source, and results that are
//! copied to an output are written directly to the output. Negations and absolute values fold into the instructions that read
//! them.

use std::collections::BTreeMap;
use std::rc::Rc;

use agal_front::opcode::{Meaning, Opcode};
use agal_front::register::File;

use crate::code::{Code, Inst, Lane, Part, Table, Target, Web};
use crate::improver::Improver;
use crate::live::{conflict_besides, copied};

/// Reports whether a lane has the same value wherever it can be read.
fn is_settled(writers: &Table, lane: Lane) -> bool {
    lane.web().is_none_or(|web| writers.get(web) == 1)
}

/// Replaces reads of a `mov`'s result with reads of the `mov`'s source, so that the `mov` can be removed.
pub(crate) fn copies(improver: &mut Improver) {
    at_each(improver, |improver, at| {
        let copied = copied(&improver.code, at);
        let replaced = settled(&improver.code.writers(), &copied);
        let whole = !copied.is_empty() && replaced.len() == copied.len();
        whole && improver.attempt(|code| replace(code, &replaced))
    });
}

/// Returns the copies whose source and destination each have the same value wherever they can be read.
fn settled(writers: &Table, copied: &[(Web, Lane)]) -> BTreeMap<Web, Lane> {
    copied.iter().copied().filter(|&(web, lane)| writers.get(web) == 1 && is_settled(writers, lane)).collect()
}

/// Calls `change` with the index of each instruction, and repeats an index at which the code was changed.
fn at_each(improver: &mut Improver, change: impl Fn(&mut Improver, usize) -> bool) {
    let mut at = 0;
    while at < improver.code.insts.len() {
        at += usize::from(!change(improver, at));
    }
}

pub(crate) fn replace(code: &mut Code, by: &BTreeMap<Web, Lane>) -> Option<()> {
    for inst in &mut code.insts {
        if !inst.read().any(|web| by.contains_key(&web)) {
            continue;
        }
        for lane in Rc::make_mut(inst).sources.iter_mut().flatten() {
            if let Some(web) = lane.web()
                && let Some(&other) = by.get(&web)
            {
                *lane = lane.replaced(web, other)?;
            }
        }
    }
    let stage = code.stage;
    // If only some lanes of an operand were replaced, the operand may read two registers.
    code.insts.iter().all(|inst| inst.is_legal(stage)).then_some(())
}

/// Merges the source and the destination of a `mov` into one web, unless both webs are live at the same time with different
/// values.
pub(crate) fn coalesce(improver: &mut Improver) {
    at_each(improver, |improver, at| {
        let writers = improver.code.writers();
        let pairs = copied(&improver.code, at).into_iter().filter_map(|(web, lane)| match lane {
            // If each web has only one writer, `copies` removes the `mov`.
            Lane::Web(source) if source != web && (writers.get(web) != 1 || writers.get(source) != 1) => {
                Some((web, source))
            }
            _ => None,
        });
        let pairs: Vec<(Web, Web)> = pairs.collect();
        // All components of the `mov` are merged at once if possible, because webs that one operand reads must share a register.
        let whole = pairs.len() > 1 && improver.attempt(|code| pairs.iter().try_for_each(|pair| join(code, at, *pair)));
        whole || pairs.iter().any(|pair| improver.attempt(|code| join(code, at, *pair)))
    });
}

fn join(code: &mut Code, at: usize, (web, source): (Web, Web)) -> Option<()> {
    // Merging an earlier pair may also have merged the two webs of this pair.
    if !copied(code, at).contains(&(web, Lane::Web(source))) {
        return None;
    }
    let mut without = code.clone();
    Rc::make_mut(without.insts.get_mut(at)?).keep_parts(|part| part.web != web);
    // The copy itself does not cause a conflict, so liveness is computed on the code that still contains the copy.
    (!conflict_besides(code, at, web, source)).then_some(())?;
    *code = without;
    code.insts.retain(|inst| !(inst.target == Target::Webs && inst.parts.is_empty()));
    for inst in &mut code.insts {
        if !inst.written().chain(inst.read()).any(|of| of == source) {
            continue;
        }
        let inst = Rc::make_mut(inst);
        inst.parts.iter_mut().filter(|part| part.web == source).for_each(|part| part.web = web);
        for lane in inst.sources.iter_mut().flatten() {
            *lane = lane.replaced(source, Lane::Web(web))?;
        }
    }
    Some(())
}

/// Changes instructions to write their results directly to an output, so that the copies to the output can be removed.
pub(crate) fn forward_outputs(improver: &mut Improver) {
    at_each(improver, |improver, at| {
        let is_copy = |inst: &Rc<Inst>| inst.meaning() == Meaning::Move && matches!(inst.target, Target::Output(..));
        improver.code.insts.get(at).is_some_and(is_copy) && improver.attempt(|code| forward(code, at))
    });
}

fn forward(code: &mut Code, at: usize) -> Option<()> {
    let copy = code.insts.get(at)?.clone();
    let Target::Output(file, _) = copy.target else { return None };
    let writers = code.writers();
    let mut lanes: BTreeMap<usize, Vec<(Web, u8)>> = BTreeMap::new();
    for (lane, part) in copy.sources[0].iter().zip(&copy.parts) {
        let Lane::Web(web) = *lane else { return None };
        (writers.get(web) == 1).then_some(())?;
        let writer = code.insts.iter().position(|inst| inst.written().any(|written| written == web))?;
        lanes.entry(writer).or_default().push((web, part.component));
    }
    // A colour or the depth must be written by a single token.
    if lanes.len() > 1 && (file == File::Depth || file == File::Output && code.stage == agal_front::Stage::Fragment) {
        return None;
    }
    code.insts.remove(at);
    for (&writer, lanes) in &lanes {
        let depth = |at: usize| {
            code.insts
                .iter()
                .take(at)
                .map(|inst| i32::from(inst.is_if()) - i32::from(inst.meaning() == Meaning::EndIf))
                .sum::<i32>()
        };
        (depth(writer) == 0).then_some(())?;
        // Other instructions that read the `mov`'s result read the source of the `mov` instead.
        let copied = settled(&writers, &copied(code, writer));
        replace(code, &copied)?;
        let (inst, readers) = (code.insts.get(writer)?, code.readers());
        inst.written().all(|web| readers.get(web) == 0).then_some(())?;
        let written = for_output(inst, copy.target, lanes)?;
        *code.insts.get_mut(writer)? = written.into();
    }
    Some(())
}

/// Returns a copy of the instruction, changed to write components of an output instead of webs.
fn for_output(inst: &Inst, target: Target, lanes: &[(Web, u8)]) -> Option<Inst> {
    let mut written = Inst { target, parts: Vec::new(), ..inst.clone() };
    if inst.is_componentwise() {
        written.sources = [Vec::new(), Vec::new()];
    }
    let rows = inst.row_width();
    if rows > 0 {
        written.sources[1].clear();
    }
    for &(web, component) in lanes {
        let from = inst.parts.iter().position(|part| part.web == web)?;
        if inst.has_places() && inst.parts.get(from)?.component != component {
            return None;
        }
        written.parts.push(Part { web: 0, component });
        if inst.is_componentwise() {
            for (to, source) in written.sources.iter_mut().zip(&inst.sources) {
                to.extend(source.get(from));
            }
        }
        if rows > 0 {
            written.sources[1].extend(inst.sources[1].iter().skip(from * rows).take(rows));
        }
    }
    Some(written)
}

/// Removes a negation or an absolute value if the instruction that reads the result has another form that computes the same bits.
pub(crate) fn fold(improver: &mut Improver) {
    for at in 0..improver.code.insts.len() {
        for slot in 0..2 {
            improver.attempt(|code| fold_operand(code, at, slot));
        }
    }
}

fn fold_operand(code: &mut Code, at: usize, slot: usize) -> Option<()> {
    let reader = code.insts.get(at)?;
    let lanes = reader.sources.get(slot)?.clone();
    (reader.is_componentwise() && !lanes.is_empty()).then_some(())?;
    let writers = code.writers();
    let mut inner = Vec::new();
    let mut op = None;
    for lane in &lanes {
        let Lane::Web(web) = *lane else { return None };
        (writers.get(web) == 1).then_some(())?;
        let writer = code.insts.iter().find(|inst| inst.written().any(|written| written == web))?;
        if *op.get_or_insert(writer.op) != writer.op || !matches!(writer.op, Opcode::Abs | Opcode::Neg) {
            return None;
        }
        let part = writer.parts.iter().position(|part| part.web == web)?;
        let lane = *writer.sources[0].get(part)?;
        is_settled(&writers, lane).then_some(())?;
        inner.push(lane);
    }
    let (new, swapped) = match (reader.op, op?, slot) {
        (same @ (Opcode::Sqt | Opcode::Rsq | Opcode::Log), Opcode::Abs, _) => (same, false),
        (Opcode::Pow, Opcode::Abs, 0) => (Opcode::Pow, false),
        (Opcode::Abs, Opcode::Abs | Opcode::Neg, _) => (Opcode::Abs, false),
        (Opcode::Neg, Opcode::Neg, _) => (Opcode::Mov, false),
        (Opcode::Add, Opcode::Neg, 1) => (Opcode::Sub, false),
        (Opcode::Add, Opcode::Neg, 0) => (Opcode::Sub, true),
        (Opcode::Sub, Opcode::Neg, 1) => (Opcode::Add, false),
        _ => return None,
    };
    let reader = Rc::make_mut(code.insts.get_mut(at)?);
    reader.op = new;
    *reader.sources.get_mut(slot)? = inner;
    if swapped {
        reader.sources.swap(0, 1);
    }
    let before = code.insts.len();
    let mut shorter = code.clone();
    // A change that leaves the negation or absolute value in place is rejected, because it would only lengthen the live range of
    // the operand.
    (crate::live::remove_unused(&mut shorter) && shorter.insts.len() < before).then_some(())
}
