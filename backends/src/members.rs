//! Splits uniform arrays into their members before planning: each member becomes a uniform input of its own type, and reads of
//! the array become reads of the members.
//!
//! Rules: a member keeps its registers. A register that the code reads but no member covers becomes a member named after the
//! register. If members cover part of a register, each uncovered component that the code reads becomes a member. Registers that
//! the code reads at a computed index form an array member. An array is not split if a read at a computed index begins in a
//! member of another type, or in an uncovered register before a member. An array is also not split if a called function reads it,
//! because a function that both stages call would need two lists of members.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use sdlbc::module::swizvals;
use sdlbc::{Body, Function, FunctionKind, Id, Input, InputKind, Inst, Member, Module, Op, Scalar, Type};

/// The location of each array member in its array, keyed by the function's index and the id of the input that replaces the
/// member.
pub(crate) type Members = HashMap<(usize, Id), Place>;

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) array: Id,
    pub(crate) name: String,
    pub(crate) length: u32,
    /// The member's offset in the array, in bytes.
    pub(crate) offset: u32,
}

pub(crate) fn split(module: &mut Cow<'_, Module>) -> Members {
    let mut members = Members::new();
    if module.debug.functions.iter().all(|debug| debug.members.is_empty()) {
        return members;
    }
    let Module { functions, debug } = module.to_mut();
    let shared = shared(functions);
    for debug in &debug.functions {
        let Ok(index) = usize::try_from(debug.function) else { continue };
        let Some(function) = functions.get_mut(index).filter(|function| function.kind != FunctionKind::Generic) else {
            continue;
        };
        for (&array, list) in debug.members.iter().filter(|(_, list)| !list.is_empty()) {
            let input = function.inputs.iter().find(|input| input.id == array && is_array(input));
            let Some(input) = input.filter(|input| !shared.contains(&input.name)).cloned() else { continue };
            split_array(index, function, &input, list, &mut members);
        }
    }
    members
}

/// Reports whether an array in a stage's entry function can be split into the members in `list`.
pub(crate) fn is_split(module: &Module, function: &Function, array: &Input, list: &[Member]) -> bool {
    is_array(array) && !shared(&module.functions).contains(&array.name) && parts(function, array, list).is_some()
}

/// Returns the names of the arrays that called functions read.
fn shared(functions: &[Function]) -> HashSet<String> {
    let called = functions.iter().filter(|function| function.kind == FunctionKind::Generic);
    // Functions share only uniforms that have a name.
    let arrays = called.flat_map(|function| &function.inputs).filter(|input| is_array(input) && !input.name.is_empty());
    arrays.map(|input| input.name.clone()).collect()
}

/// Returns the function's reads of the array and the complete list of members, or `None` if the array cannot be split.
fn parts(function: &Function, array: &Input, list: &[Member]) -> Option<(Reads, Vec<Member>)> {
    let length = array.ty.length_word();
    let reads = Reads::of(function, array.id, length)?;
    let file = if function.kind == FunctionKind::Vertex { "vc" } else { "fc" };
    let fields = fields(list, &reads, length, file)?;
    Some((reads, fields))
}

fn is_array(input: &Input) -> bool {
    input.kind == InputKind::Uniform && matches!(input.ty, Type::Array(Scalar::Float, 4, 1..))
}

fn split_array(index: usize, function: &mut Function, array: &Input, list: &[Member], members: &mut Members) {
    let Some((reads, fields)) = parts(function, array, list) else { return };
    let mut next = function.max_id() + 1;
    let mut fresh = || {
        next += 1;
        Id(next - 1)
    };
    let fields: Vec<Field> = fields.into_iter().map(|member| Field { id: fresh(), member }).collect();
    let Some(at) = function.inputs.iter().position(|input| input.id == array.id) else { return };
    let inputs = fields.iter().map(|Field { id, member }| Input {
        id: *id,
        ty: member.ty,
        name: member.name.clone(),
        kind: InputKind::Uniform,
    });
    function.inputs.splice(at..=at, inputs);
    for Field { id, member } in &fields {
        let place = Place {
            array: array.id,
            name: array.name.clone(),
            length: array.ty.length_word(),
            offset: member.offset(),
        };
        members.insert((index, *id), place);
    }
    let mut rewriter = Rewriter {
        array: array.id,
        cover: Cover::of(fields.iter().map(|field| &field.member)),
        fields: &fields,
        reads: &reads,
        alias: HashMap::new(),
        columns: HashMap::new(),
        pure: HashSet::new(),
        fresh: &mut fresh,
    };
    function.body.rewrite(|inst, code| rewriter.inst(inst, code));
    let Rewriter { alias, pure, .. } = rewriter;
    replace(&mut function.body, &alias);
    remove_unused(&mut function.body, &pure);
}

struct Field {
    id: Id,
    member: Member,
}

#[derive(Default)]
struct Reads {
    /// The register of each value that is read at a constant index, keyed by the value's id.
    registers: HashMap<Id, u32>,
    /// The values in `registers` that are used by an instruction other than a SWIZZLE.
    whole: HashSet<Id>,
    /// A bit mask of the components that the code reads from each register.
    components: BTreeMap<u32, u8>,
    /// The constant offsets of the reads at computed indices.
    computed: Vec<i32>,
}

impl Reads {
    /// Finds the function's reads of `array`, or returns `None` if an instruction other than a PEEK uses the array.
    fn of(function: &Function, array: Id, length: u32) -> Option<Reads> {
        let (mut reads, mut fits) = (Reads::default(), true);
        for inst in function.body.insts() {
            if inst.op == Op::Peek && inst.inputs.first() == Some(&array) {
                let offset = inst.immediates.first().map_or(0, |offset| offset.cast_signed());
                match inst.inputs.get(1).is_some_and(|index| index.is_some()) {
                    true => reads.computed.push(offset),
                    false => {
                        let register = u32::try_from(offset).unwrap_or(0).min(length.saturating_sub(1));
                        reads.registers.insert(inst.output, register);
                    }
                }
            } else {
                fits &= !inst.inputs.contains(&array);
            }
        }
        for inst in function.body.insts() {
            for &id in &inst.inputs {
                let Some(&register) = reads.registers.get(&id) else { continue };
                let mask = match inst.op {
                    Op::Swizzle => inst.lanes().fold(0, |mask, lane| mask | 1 << lane),
                    _ => {
                        reads.whole.insert(id);
                        0xf
                    }
                };
                *reads.components.entry(register).or_default() |= mask;
            }
        }
        reads.computed.sort_unstable();
        fits.then_some(reads)
    }
}

/// Maps each register to the indices of the fields that cover its four components.
struct Cover(BTreeMap<u32, [Option<usize>; 4]>);

impl Cover {
    fn of<'a>(members: impl Iterator<Item = &'a Member>) -> Cover {
        let mut cover = Cover(BTreeMap::new());
        members.enumerate().for_each(|(at, member)| cover.add(at, member));
        cover
    }

    fn add(&mut self, at: usize, member: &Member) {
        let (registers, components) = match member.ty {
            Type::Vector(_, width) => (1, u32::from(width)),
            Type::Matrix { columns, .. } => (u32::from(columns), 4),
            Type::Array(_, _, length) => (length, 4),
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => (0, 0),
        };
        for register in member.first..member.first.saturating_add(registers) {
            let covered = self.0.entry(register).or_default();
            let component = usize::try_from(member.component).unwrap_or(4);
            covered.iter_mut().skip(component).take(components as usize).for_each(|part| *part = Some(at));
        }
    }

    fn register(&self, register: u32) -> [Option<usize>; 4] {
        self.0.get(&register).copied().unwrap_or_default()
    }
}

/// Returns all members of the structure in order of offset, or `None` if the array cannot be split.
fn fields(list: &[Member], reads: &Reads, length: u32, file: &str) -> Option<Vec<Member>> {
    let mut fields: Vec<Member> = list.iter().filter_map(|member| fitted(member, reads, length)).collect();
    let mut cover = Cover::of(fields.iter());
    for &offset in &reads.computed {
        let first = u32::try_from(offset).ok().filter(|&first| first < length)?;
        let covered = cover.register(first);
        match covered.iter().flatten().next().and_then(|&at| fields.get(at)) {
            Some(member) if matches!(member.ty, Type::Array(..)) => continue,
            Some(_) => return None,
            None => {}
        }
        // A computed index may reach every register up to the end of the array.
        if cover.0.range(first..).next().is_some() {
            return None;
        }
        let ty = Type::Array(Scalar::Float, 4, length - first);
        let member = Member { name: format!("{file}{first}"), first, component: 0, ty };
        cover.add(fields.len(), &member);
        fields.push(member);
    }
    for (&first, &mask) in &reads.components {
        let covered = cover.register(first);
        if covered == [None; 4] {
            fields.push(Member { name: format!("{file}{first}"), first, component: 0, ty: Type::FLOAT4 });
            continue;
        }
        for ((component, part), letter) in (0u32..).zip(covered).zip(["x", "y", "z", "w"]) {
            if part.is_none() && mask >> component & 1 == 1 {
                fields.push(Member { name: format!("{file}{first}_{letter}"), first, component, ty: Type::FLOAT });
            }
        }
    }
    fields.sort_by_key(|member| (member.first, member.component));
    Some(fields)
}

/// Returns a member with its type in the structure, or `None` if the member does not fit in the array. A member that is an array
/// extends to the end of the uniform array. Matrix columns get four components if the code reads beyond the member's rows, or if
/// the member has only two rows, because columns of two components are not 16 bytes apart in every language.
fn fitted(member: &Member, reads: &Reads, length: u32) -> Option<Member> {
    let left = length.checked_sub(member.first).filter(|&left| left > 0)?;
    let ty = match member.ty {
        Type::Array(scalar, width, registers) => Type::Array(scalar, width, registers.min(left)),
        Type::Matrix { columns, .. } if u32::from(columns) > left => return None,
        Type::Matrix { columns, rows } => {
            let mut registers = member.first..member.first + u32::from(columns);
            let beyond = |register: u32| reads.components.get(&register).is_some_and(|mask| mask >> rows != 0);
            Type::Matrix { columns, rows: if rows < 3 || registers.any(beyond) { 4 } else { rows } }
        }
        ty => ty,
    };
    Some(Member { ty, ..member.clone() })
}

/// Rewrites the reads of an array as reads of its members.
struct Rewriter<'a> {
    array: Id,
    fields: &'a [Field],
    cover: Cover,
    reads: &'a Reads,
    alias: HashMap<Id, Id>,
    /// Maps each value that consists of a register's leading components to the register and the number of components.
    columns: HashMap<Id, (u32, u8)>,
    /// The results of instructions that can be removed if unused.
    pure: HashSet<Id>,
    fresh: &'a mut dyn FnMut() -> Id,
}

impl Rewriter<'_> {
    fn inst(&mut self, inst: Inst, code: &mut Body) {
        match inst.op {
            Op::Peek if inst.inputs.first() == Some(&self.array) => self.peek(inst, code),
            Op::Swizzle => match inst.inputs.first().and_then(|id| self.reads.registers.get(id)) {
                Some(&register) => self.swizzle(inst, register, code),
                None => code.push(inst),
            },
            Op::Matrix => match self.matrix(&inst) {
                Some(member) => _ = self.alias.insert(inst.output, member),
                None => code.push(inst),
            },
            _ => code.push(inst),
        }
    }

    /// Returns the field that covers each of a register's four components.
    fn parts(&self, register: u32) -> [Option<&Field>; 4] {
        self.cover.register(register).map(|part| part.and_then(|at| self.fields.get(at)))
    }

    fn push(&mut self, inst: Inst, code: &mut Body) {
        self.pure.insert(inst.output);
        code.push(inst);
    }

    fn peek(&mut self, inst: Inst, code: &mut Body) {
        let index = inst.inputs.get(1).copied().unwrap_or_default();
        let offset = inst.immediates.first().map_or(0, |offset| offset.cast_signed());
        let register = self.reads.registers.get(&inst.output).copied();
        // A read at a computed index always begins in a member that is an array.
        let at = register.unwrap_or(u32::try_from(offset).unwrap_or(0));
        let [first, ..] = self.parts(at);
        match first.map(|field| (field.id, field.member.first, field.member.ty)) {
            Some((id, first, Type::Array(..) | Type::Matrix { .. })) => {
                let peek = Inst::new(Op::Peek, inst.output, &[id, index], &[at - first]);
                self.push(peek, code);
            }
            Some((id, _, Type::FLOAT4)) => _ = self.alias.insert(inst.output, id),
            _ if self.reads.whole.contains(&inst.output) => self.gather(inst.output, at, &[0, 1, 2, 3], code),
            _ => {}
        }
        if let Some(register) = register {
            self.columns.insert(inst.output, (register, 4));
        }
    }

    fn swizzle(&mut self, inst: Inst, register: u32, code: &mut Body) {
        let picked: Vec<u8> = inst.lanes().collect();
        if picked.iter().zip(0..).all(|(&lane, at)| lane == at) {
            self.columns.insert(inst.output, (register, picked.len() as u8));
        }
        let [first, ..] = self.parts(register);
        let of = inst.inputs.first().copied().unwrap_or_default();
        match first.map(|field| field.member.ty) {
            // A swizzle that selects all components of a column in order equals the column.
            Some(Type::Matrix { rows, .. }) if is_whole(&picked, rows) => _ = self.alias.insert(inst.output, of),
            Some(Type::Matrix { .. } | Type::Array(..) | Type::FLOAT4) => self.push(inst, code),
            _ => self.gather(inst.output, register, &picked, code),
        }
    }

    /// Builds a vector of a register's components from the members that contain them.
    fn gather(&mut self, output: Id, register: u32, picked: &[u8], code: &mut Body) {
        let parts = self.parts(register);
        // Runs of consecutive components from the same member, each with the member's id and width.
        let mut runs: Vec<(Id, u8, Vec<u8>)> = Vec::new();
        for &lane in picked {
            // Each component that the code reads has a field.
            let Some(field) = parts.get(usize::from(lane)).copied().flatten() else { continue };
            let of_field = lane.saturating_sub(u8::try_from(field.member.component).unwrap_or(0));
            match runs.last_mut() {
                Some((id, _, lanes)) if *id == field.id => lanes.push(of_field),
                _ => runs.push((field.id, field.member.ty.width().unwrap_or(1), vec![of_field])),
            }
        }
        if let [(id, width, picked)] = &runs[..] {
            match is_whole(picked, *width) {
                true => _ = self.alias.insert(output, *id),
                false => self.push(Inst::new(Op::Swizzle, output, &[*id], &[swizvals(picked)]), code),
            }
            return;
        }
        let mut pieces = Vec::with_capacity(runs.len());
        for (id, width, picked) in runs {
            if is_whole(&picked, width) {
                pieces.push(id);
                continue;
            }
            let piece = (self.fresh)();
            self.push(Inst::new(Op::Swizzle, piece, &[id], &[swizvals(&picked)]), code);
            pieces.push(piece);
        }
        self.push(Inst::new(Op::Vector, output, &pieces, &[]), code);
    }

    /// Returns a matrix member's id if `inst` composes exactly this matrix from its columns.
    fn matrix(&self, inst: &Inst) -> Option<Id> {
        let (&first, _) = inst.inputs.split_first()?;
        let &(start, rows) = self.columns.get(&first)?;
        let follows = |(register, id): (u32, &Id)| self.columns.get(id) == Some(&(register, rows));
        let is = |field: &&Field| {
            let ty = Type::Matrix { columns: u8::try_from(inst.inputs.len()).unwrap_or(0), rows };
            field.member.first == start && field.member.ty == ty
        };
        (start..).zip(&inst.inputs).all(follows).then(|| self.fields.iter().find(is))?.map(|field| field.id)
    }
}

fn is_whole(picked: &[u8], width: u8) -> bool {
    picked.len() == usize::from(width) && picked.iter().zip(0..).all(|(&lane, at)| lane == at)
}

fn replace(body: &mut Body, alias: &HashMap<Id, Id>) {
    for id in body.insts_mut().iter_mut().flat_map(|inst| &mut inst.inputs) {
        // A replacement can itself be replaced.
        while let Some(&by) = alias.get(id) {
            *id = by;
        }
    }
}

fn remove_unused(body: &mut Body, pure: &HashSet<Id>) {
    let mut used: HashSet<Id> = HashSet::new();
    // Only a PHI at the head of a loop reads a value that is computed later, so operands of PHIs count as used from the start.
    used.extend(body.insts().iter().filter(|inst| inst.op == Op::Phi).flat_map(|phi| phi.inputs.iter().copied()));
    let mut kept: Vec<bool> = Vec::with_capacity(body.insts().len());
    for inst in body.insts().iter().rev() {
        let keeps = !pure.contains(&inst.output) || used.contains(&inst.output);
        if keeps {
            used.extend(inst.inputs.iter().copied());
        }
        kept.push(keeps);
    }
    kept.reverse();
    body.keep(&kept);
}
