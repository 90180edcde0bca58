//! A function while passes work on it: its code, and the type of each value.
//!
//! Rule: ids are dense, so that what is known of values stands in vectors by id. A value that is replaced stays defined until `dce`
//! removes it, and its name goes to the value that replaces it. All changes of the list of instructions go through this file, which
//! keeps the line of each with it.

use std::collections::BTreeMap;

use sdlbc::module::swizvals;
use sdlbc::{Function, FunctionDebug, Id, Input, InputKind, Inst, Op, Scalar, Type, Types};

/// A function while passes work on it.
#[derive(Clone, Debug)]
pub struct Body {
    function: Function,
    /// By id; `None` for an id that is not defined.
    types: Vec<Option<Type>>,
    /// By place in reading order; empty if no instruction has a line.
    lines: Vec<u32>,
    /// The values that were replaced, and what replaces them.
    replaced: Vec<(Id, Id)>,
}

/// An id as an index.
pub(crate) fn index(id: Id) -> usize {
    usize::try_from(id.0).unwrap_or(usize::MAX)
}

/// The operation that is a literal of a component type. A half has none of its own: it is converted from a float.
pub(crate) fn literal(scalar: Scalar) -> Op {
    match scalar {
        Scalar::Bool => Op::LiteralBool,
        Scalar::Int => Op::LiteralInt,
        Scalar::Uint => Op::LiteralUint,
        Scalar::Float | Scalar::Half => Op::LiteralFloat,
    }
}

/// A vector of `width` components that are all this scalar.
pub(crate) fn splat(output: Id, scalar: Id, width: u8) -> Inst {
    let lanes = [0; 4];
    Inst::new(Op::Swizzle, output, &[scalar], &[swizvals(lanes.get(..usize::from(width)).unwrap_or(&lanes))])
}

impl Body {
    /// Takes a function that verifies, with the types of its values and its part of the debug table, whose names follow the
    /// ids.
    pub(crate) fn new(mut function: Function, types: &Types, debug: Option<&mut FunctionDebug>) -> Body {
        let inputs = function.inputs.iter().map(|input| input.id);
        let results = function.body.insts().iter().map(|inst| inst.output).filter(|id| id.is_some());
        let old: Vec<Id> = inputs.chain(results).collect();
        let of = |id: &Id| types.get(*id);
        let types = std::iter::once(None).chain(old.iter().map(of)).collect();
        if !old.iter().zip(1..).all(|(id, dense)| id.0 == dense) {
            let numbers = sdlbc::renumber(&mut function);
            if let Some(debug) = debug {
                renamed(debug, &|id| numbers.get(id).copied());
            }
        }
        Body { function, types, lines: Vec::new(), replaced: Vec::new() }
    }

    /// The same with a line for each instruction.
    pub(crate) fn with_lines(mut self, mut lines: Vec<u32>) -> Body {
        lines.resize(self.insts().len(), 0);
        self.lines = lines;
        self
    }

    /// The function, with ids in reading order; updates its part of the debug table.
    pub(crate) fn finish(mut self, debug: Option<&mut FunctionDebug>) -> Function {
        let numbers = sdlbc::renumber(&mut self.function);
        let Some(debug) = debug else { return self.function };
        for &(old, new) in &self.replaced {
            if let Some(name) = debug.ids.remove(&old) {
                debug.ids.entry(new).or_insert(name);
            }
        }
        let inputs: Vec<Id> = self.function.inputs.iter().map(|input| input.id).collect();
        renamed(debug, &|id| numbers.get(id).copied());
        debug.ids.retain(|id, _| !inputs.contains(id));
        if let Some(lines) = &mut debug.lines {
            lines.numbers = self.lines;
        }
        self.function
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The inputs of the function.
    pub fn inputs(&self) -> &[Input] {
        &self.function.inputs
    }

    /// Its instructions, in reading order.
    pub fn insts(&self) -> &[Inst] {
        self.function.body.insts()
    }

    /// The same, to be changed in place.
    pub fn insts_mut(&mut self) -> &mut [Inst] {
        self.function.body.insts_mut()
    }

    /// The number of entries of a table by id.
    pub fn ids(&self) -> usize {
        self.types.len()
    }

    /// The type of a value.
    pub fn ty(&self, id: Id) -> Option<Type> {
        self.types.get(index(id)).copied().flatten()
    }

    /// The number of components of a value; 0 if it is neither a scalar nor a vector.
    pub fn width(&self, id: Id) -> u8 {
        self.ty(id).and_then(Type::width).unwrap_or(0)
    }

    /// An id for a new value.
    pub(crate) fn fresh(&mut self, ty: Type) -> Id {
        self.types.push(Some(ty));
        Id(u32::try_from(self.types.len() - 1).unwrap_or(u32::MAX))
    }

    /// Whether a value is a local slot, whose elements may change.
    pub fn is_slot(&self, id: Id) -> bool {
        self.function.inputs.get(index(id).wrapping_sub(1)).is_some_and(|input| input.kind == InputKind::Local)
    }

    /// The line of the instruction at a place; 0 if it has none.
    pub(crate) fn line(&self, at: usize) -> u32 {
        self.lines.get(at).copied().unwrap_or(0)
    }

    /// Keeps the instructions whose flags are set.
    pub(crate) fn keep(&mut self, flags: &[bool]) {
        self.function.body.keep(flags);
        let mut flags = flags.iter();
        self.lines.retain(|_| flags.next() == Some(&true));
    }

    /// Adds instructions, each before the one at a place, in the same block and with the same line.
    pub(crate) fn insert_all(&mut self, mut added: Vec<(usize, Inst)>) {
        if added.is_empty() {
            return;
        }
        added.sort_by_key(|(at, _)| *at);
        if !self.lines.is_empty() {
            let mut lines = Vec::with_capacity(self.lines.len() + added.len());
            let mut rest = added.iter().peekable();
            for (at, &line) in self.lines.iter().enumerate() {
                while rest.next_if(|(place, _)| *place <= at).is_some() {
                    lines.push(line);
                }
                lines.push(line);
            }
            lines.extend(rest.map(|_| 0));
            self.lines = lines;
        }
        self.function.body.insert_all(added);
    }

    /// Replaces the code, with the line of each instruction.
    pub(crate) fn set_code(&mut self, code: sdlbc::Body, lines: Vec<u32>) {
        self.function.body = code;
        if !self.lines.is_empty() {
            self.lines = lines;
        }
    }

    /// Replaces values by others wherever they are read.
    pub(crate) fn substitute(&mut self, by: &Substitution) {
        if by.is_empty() {
            return;
        }
        for id in self.function.body.insts_mut().iter_mut().flat_map(|inst| &mut inst.inputs) {
            *id = by.of(*id);
        }
        self.replaced.extend(by.pairs());
    }
}

/// Gives the names and members in a function's part of the debug table to other ids.
fn renamed(debug: &mut FunctionDebug, new: &dyn Fn(Id) -> Option<Id>) {
    fn map<T>(of: &mut BTreeMap<Id, T>, new: &dyn Fn(Id) -> Option<Id>) {
        *of = std::mem::take(of).into_iter().filter_map(|(id, what)| Some((new(id)?, what))).collect();
    }
    map(&mut debug.ids, new);
    map(&mut debug.members, new);
}

/// Values, and what replaces them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    /// By id; no id for a value that stays.
    by: Vec<Id>,
}

impl Substitution {
    /// What is read instead of a value.
    pub(crate) fn of(&self, id: Id) -> Id {
        let mut id = id;
        while let Some(&by) = self.by.get(index(id)).filter(|by| by.is_some()) {
            id = by;
        }
        id
    }

    /// Replaces a value. What replaces it must not be replaced by it.
    pub(crate) fn replace(&mut self, id: Id, by: Id) {
        let by = self.of(by);
        if self.by.len() <= index(id) {
            self.by.resize(index(id).saturating_add(1), Id::NONE);
        }
        if let Some(place) = self.by.get_mut(index(id)).filter(|_| by != id) {
            *place = by;
        }
    }

    /// Whether nothing is replaced.
    pub(crate) fn is_empty(&self) -> bool {
        self.by.is_empty()
    }

    fn pairs(&self) -> impl Iterator<Item = (Id, Id)> {
        let ids = (0..).map(Id).zip(&self.by);
        ids.filter(|(_, by)| by.is_some()).map(|(id, _)| (id, self.of(id)))
    }
}
