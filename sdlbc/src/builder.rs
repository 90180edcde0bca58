//! Builds a function instruction by instruction: numbers values, infers their types, and computes nothing twice.
//!
//! Rule: an operation on the same operands in an enclosing block is the same value, so asking for it again gives the
//! id it already has. What nobody uses is gone when the function is finished.

use std::collections::{BTreeMap, HashMap};

use crate::facts::Facts;
use crate::infer::TypeError;
use crate::module::swizvals;
use crate::{Arity, Block, Function, FunctionKind, Id, Input, InputKind, Inst, Op, Output, Type, infer};

/// One component of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane {
    /// The value.
    pub value: Id,
    /// The component, 0 to 3; 0 of a scalar.
    pub lane: u8,
}

/// A block under construction, with what is already computed in it.
#[derive(Debug, Default)]
pub struct Scope {
    block: Block,
    known: HashMap<(Op, Vec<Id>, Vec<u32>), Id>,
}

/// What is known of a value while a function is built.
#[derive(Clone, Copy, Debug)]
struct Value {
    ty: Type,
    facts: Facts,
    /// How many scopes were open where it was defined: 1 is the function's own block.
    depth: usize,
    /// Whether an operation made it that is more than a constant or a choice of components.
    computed: bool,
}

/// Builds one function.
#[derive(Debug)]
pub struct Builder {
    kind: FunctionKind,
    name: String,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// By id; 0 is never used.
    values: Vec<Option<Value>>,
    scopes: Vec<Scope>,
    names: BTreeMap<Id, String>,
    error: Option<TypeError>,
}

impl Builder {
    /// Starts a function.
    pub fn new(kind: FunctionKind, name: &str) -> Builder {
        Builder {
            kind,
            name: name.to_string(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            values: vec![None],
            scopes: vec![Scope::default()],
            names: BTreeMap::new(),
            error: None,
        }
    }

    /// The id of the input of that name, which is added if the function has none yet.
    pub fn input(&mut self, name: &str, ty: Type, kind: InputKind) -> Id {
        if let Some(input) = self.inputs.iter().find(|input| input.name == name) {
            return input.id;
        }
        let facts = Facts { uniform: kind == InputKind::Uniform, ..Facts::default() };
        let id = self.define(Value { ty, facts, depth: 1, computed: false });
        self.inputs.push(Input { id, ty, name: name.to_string(), kind });
        id
    }

    /// Adds an output and gives its index.
    pub fn output(&mut self, output: Output) -> u32 {
        self.outputs.push(output);
        self.outputs.len() as u32 - 1
    }

    /// The type of a value that this builder made.
    pub fn ty(&self, id: Id) -> Option<Type> {
        self.value(id).map(|value| value.ty)
    }

    /// What is known of a value that this builder made.
    pub fn facts(&self, id: Id) -> Facts {
        self.value(id).map(|value| value.facts).unwrap_or_default()
    }

    /// Whether a value is defined in the function's own block, and so visible everywhere behind its definition.
    pub fn is_outermost(&self, id: Id) -> bool {
        self.value(id).is_some_and(|value| value.depth == 1)
    }

    fn value(&self, id: Id) -> Option<Value> {
        self.values.get(id.0 as usize).copied().flatten()
    }

    fn define(&mut self, value: Value) -> Id {
        self.values.push(Some(value));
        Id(self.values.len() as u32 - 1)
    }

    /// Gives a value its debug name; a later name replaces it. An input has its own.
    pub fn name(&mut self, id: Id, name: &str) {
        if !self.inputs.iter().any(|input| input.id == id) {
            self.names.insert(id, name.to_string());
        }
    }

    /// Gives a value a debug name if it has none yet.
    pub fn name_unnamed(&mut self, id: Id, name: &str) {
        if !self.names.contains_key(&id) {
            self.name(id, name);
        }
    }

    /// Gives a value a debug name if it was computed, rather than picked or constant, and has none yet.
    pub fn name_computed(&mut self, id: Id, name: &str) {
        if self.value(id).is_some_and(|value| value.computed) {
            self.name_unnamed(id, name);
        }
    }

    /// The id that the next new value will have.
    pub fn next_id(&self) -> Id {
        Id(self.values.len() as u32)
    }

    /// Names the floats that were computed since `first` was the next id and have no name.
    pub fn name_since(&mut self, first: Id, name: &str) {
        for id in (first.0..self.next_id().0).map(Id) {
            if self.ty(id).is_some_and(Type::is_float) {
                self.name_computed(id, name);
            }
        }
    }

    /// The result of an operation.
    ///
    /// An operation that does not fit its operands is reported by [`Builder::finish`].
    pub fn emit(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let key = (op, inputs.to_vec(), immediates.to_vec());
        if op != Op::Phi
            && let Some(&id) = self.scopes.iter().rev().find_map(|scope| scope.known.get(&key))
        {
            return id;
        }
        let mut inst = Inst { op, output: Id::NONE, inputs: key.1.clone(), immediates: key.2.clone(), blocks: vec![] };
        let values: Vec<Value> = inputs.iter().filter_map(|&id| self.value(id)).collect();
        let types: Vec<Type> = values.iter().map(|value| value.ty).collect();
        match infer(&inst, &types, &self.outputs) {
            Ok(Some(ty)) => {
                let facts = Facts::of(&inst, &values.iter().map(|value| value.facts).collect::<Vec<_>>());
                let plain = matches!(op, Op::Swizzle | Op::Peek) || op.shape().inputs == Arity::Fixed(0);
                inst.output = self.define(Value { ty, facts, depth: self.scopes.len(), computed: !plain });
            }
            Ok(None) => {}
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        let id = inst.output;
        if let Some(scope) = self.scopes.last_mut() {
            scope.block.push(inst);
            if id.is_some() {
                scope.known.insert(key, id);
            }
        }
        id
    }

    /// A float literal.
    pub fn float(&mut self, value: f32) -> Id {
        self.emit(Op::LiteralFloat, &[], &[value.to_bits()])
    }

    /// A vector of one to four lanes: the value itself where they are all of it in order, a swizzle where they are of
    /// one value, else a vector of parts.
    pub fn gather(&mut self, lanes: &[Lane]) -> Id {
        let mut parts = Vec::with_capacity(4);
        for run in lanes.chunk_by(|a, b| a.value == b.value) {
            let value = run[0].value;
            let width = self.ty(value).and_then(Type::width).unwrap_or(1);
            let picked: Vec<u8> = run.iter().map(|lane| lane.lane).collect();
            let whole = picked.iter().copied().eq(0..width);
            parts.push(if whole { value } else { self.swizzle(value, &picked) });
        }
        match parts[..] {
            [part] => part,
            _ => self.emit(Op::Vector, &parts, &[]),
        }
    }

    /// Components of a value, beside its definition, so that every block finds the same ones.
    fn swizzle(&mut self, value: Id, lanes: &[u8]) -> Id {
        let depth = self.value(value).map_or(1, |value| value.depth);
        self.at_depth(depth, |builder| builder.emit(Op::Swizzle, &[value], &[swizvals(lanes)]))
    }

    /// A vector of lanes that are visible at the end of a block that was closed; made in the outermost block in which
    /// they all are, so that each block around it finds the same value.
    pub fn gather_at_end(&mut self, arm: &mut Scope, lanes: &[Lane]) -> Id {
        let depth = lanes.iter().filter_map(|lane| self.value(lane.value)).map(|value| value.depth).max().unwrap_or(1);
        if depth <= self.scopes.len() {
            return self.at_depth(depth, |builder| builder.gather(lanes));
        }
        self.within(arm, |builder| builder.gather(lanes))
    }

    /// Writes an output.
    pub fn poke(&mut self, output: u32, value: Id) {
        self.emit(Op::Poke, &[value], &[output]);
    }

    /// Opens a block inside the present one.
    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost open block.
    pub fn close(&mut self) -> Scope {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Scope::default() }
    }

    /// Runs `work` at the end of a block that was closed.
    pub fn within<R>(&mut self, arm: &mut Scope, work: impl FnOnce(&mut Builder) -> R) -> R {
        self.scopes.push(std::mem::take(arm));
        let result = work(self);
        *arm = self.close();
        result
    }

    /// Runs `work` at the present end of the function's own block, in front of every conditional that is open.
    pub fn outermost<R>(&mut self, work: impl FnOnce(&mut Builder) -> R) -> R {
        self.at_depth(1, work)
    }

    /// Runs `work` at the present end of the block at a depth, 1 being the function's own.
    fn at_depth<R>(&mut self, depth: usize, work: impl FnOnce(&mut Builder) -> R) -> R {
        let inner = self.scopes.split_off(depth.clamp(1, self.scopes.len()));
        let result = work(self);
        self.scopes.extend(inner);
        result
    }

    /// Adds an IF with the blocks of its two arms.
    pub fn branch(&mut self, condition: Id, accept: Scope, reject: Scope) {
        if let Some(scope) = self.scopes.last_mut() {
            let mut inst = Inst::new(Op::If, Id::NONE, &[condition], &[]);
            inst.blocks = vec![accept.block, reject.block];
            scope.block.push(inst);
        }
    }

    /// The type of an input of the uniform kind may grow while reads are found: sets it to so many elements.
    pub fn resize_input(&mut self, id: Id, length: u32) {
        for input in self.inputs.iter_mut().filter(|input| input.id == id) {
            if let Type::Array(scalar, width, _) = input.ty {
                input.ty = Type::Array(scalar, width, length);
            }
        }
    }

    /// The finished function and its debug names, without unused instructions and inputs; inputs are sorted by kind
    /// and number, ids renumbered in reading order.
    ///
    /// # Errors
    /// The first operation that did not fit its operands.
    pub fn finish(mut self) -> Result<(Function, BTreeMap<Id, String>), TypeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut body = self.scopes.drain(..1).map(|scope| scope.block).next().unwrap_or_default();
        let mut used = vec![false; self.values.len()];
        crate::dce::sweep(&mut body, &mut used);
        self.inputs.retain(|input| used[input.id.0 as usize]);
        self.inputs.sort_by_key(|input| rank(&input.kind));
        let mut function =
            Function { kind: self.kind, name: self.name, inputs: self.inputs, outputs: self.outputs, body };
        let numbers = crate::dce::renumber(&mut function, self.values.len());
        let names = self.names.into_iter().filter_map(|(id, name)| Some((numbers[id.0 as usize]?, name))).collect();
        Ok((function, names))
    }
}

/// The order of inputs: attributes, varyings, builtins, uniforms, textures, parameters.
fn rank(kind: &InputKind) -> (u8, u32) {
    match *kind {
        InputKind::Attribute { location } => (0, location),
        InputKind::Varying { location, .. } => (1, location),
        InputKind::Builtin(builtin) => (2, builtin as u32),
        InputKind::Uniform => (3, 0),
        InputKind::Texture { slot, .. } => (4, slot),
        InputKind::Parameter => (5, 0),
    }
}
