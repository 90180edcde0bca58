//! Builds a function instruction by instruction: numbers values, infers their types, and reuses common subexpressions.
//!
//! Rule: emitting an operation again with the same operands, in the same block or one inside it, returns the existing id.
//! Calls and reads of local slots are emitted each time. Unused instructions are removed when the function is finished.
//!
//! Blocks are opened and closed like brackets: instructions emitted in between are in the [`Scope`] that
//! [`Builder::close`] returns, and [`Builder::branch`], [`Builder::repeat`] or [`Builder::switch`] adds it to an instruction.
//!
//! ```
//! use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Module, Op, OutputKind, Type, verify};
//!
//! // The sum of the whole numbers below `limit`.
//! let mut builder = Builder::new(FunctionKind::Generic, "");
//! let limit = builder.input("limit", Type::FLOAT, InputKind::Parameter);
//! builder.output(FunctionOutput { ty: Type::FLOAT, name: String::new(), kind: OutputKind::Returned });
//! let (zero, one) = (builder.float(0.0), builder.float(1.0));
//!
//! builder.open();
//! let count = builder.begin_phi(zero);
//! let sum = builder.begin_phi(zero);
//! let done = builder.emit(Op::GreaterThanOrEqual, &[count, limit], &[]);
//! builder.open();
//! builder.return_value(sum);
//! let accept = builder.close();
//! builder.branch(done, accept, Default::default());
//! let next = builder.emit(Op::Add, &[count, one], &[]);
//! builder.end_phi(count, next);
//! let next = builder.emit(Op::Add, &[sum, count], &[]);
//! builder.end_phi(sum, next);
//! let body = builder.close();
//! builder.repeat(body);
//!
//! let (sum, _) = builder.finish()?;
//! let signature = sum.signature();
//!
//! let mut builder = Builder::new(FunctionKind::Fragment, "main").with_signatures(vec![signature]);
//! let depth = builder.output(FunctionOutput { ty: Type::FLOAT, name: "depth".to_string(), kind: OutputKind::Depth });
//! let ten = builder.float(10.0);
//! let value = builder.call(0, &[ten]);
//! builder.poke(depth, value);
//! let (main, _) = builder.finish()?;
//! assert_eq!(verify(&Module { functions: vec![sum, main], ..Module::default() }), Ok(()));
//! # Ok::<(), sdlbc::infer::TypeError>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::infer;
use crate::infer::{Context, TypeError};
use crate::key::Key;
use crate::module::swizvals;
use crate::{
    Arity, Body, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, Member, Op, Signature, Type,
};

/// One component of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane {
    /// The value.
    pub value: Id,
    /// The component, 0 to 3; 0 for a scalar.
    pub lane: u8,
}

/// A block under construction, with the values already computed in it. The default is an empty block.
#[derive(Debug, Default)]
pub struct Scope {
    body: Body,
    /// The line of each instruction.
    lines: Vec<u32>,
    known: FxHashMap<Key, Id>,
}

/// A value of the function under construction.
#[derive(Clone, Copy, Debug)]
struct Value {
    ty: Type,
    facts: Facts,
    /// The number of scopes that were open at its definition: 1 is the function's own block.
    depth: usize,
    /// Whether it was computed by an operation, rather than being a constant, a swizzle or an element read.
    computed: bool,
    is_input: bool,
}

/// Builds one function.
#[derive(Debug)]
pub struct Builder {
    kind: FunctionKind,
    name: String,
    inputs: Vec<Input>,
    outputs: Vec<FunctionOutput>,
    /// By id; the entry for id 0 is unused.
    values: Vec<Option<Value>>,
    scopes: Vec<Scope>,
    /// The functions that it may call, by index.
    signatures: Vec<Signature>,
    /// By id, as far as there are names.
    names: Vec<Option<Arc<str>>>,
    members: BTreeMap<Id, Vec<Member>>,
    /// The current line of the source.
    line: u32,
    error: Option<TypeError>,
    /// The types and facts of an instruction's operands while it is emitted.
    operands: (Vec<Type>, Vec<Facts>),
}

/// A finished function and the content for its entry in the debug table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// The function.
    pub function: Function,
    /// The names of its values.
    pub names: BTreeMap<Id, String>,
    /// The members of its arrays of uniforms, within the arrays' lengths.
    pub members: BTreeMap<Id, Vec<Member>>,
    /// The line of each instruction, in reading order (see [`Builder::at_line`]).
    pub lines: Vec<u32>,
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
            signatures: Vec::new(),
            names: Vec::new(),
            members: BTreeMap::new(),
            line: 0,
            error: None,
            operands: (Vec::new(), Vec::new()),
        }
    }

    /// The same builder, with the signatures of the module's functions in their order, for CALLs.
    pub fn with_signatures(self, signatures: Vec<Signature>) -> Builder {
        Builder { signatures, ..self }
    }

    /// Returns the id of the input with that name. Adds the input if the function does not have it yet.
    pub fn input(&mut self, name: &str, ty: Type, kind: InputKind) -> Id {
        if let Some(input) = self.inputs.iter().find(|input| input.name == name) {
            return input.id;
        }
        let facts = Facts { uniform: kind == InputKind::Uniform, ..Facts::default() };
        let id = self.define(Value { ty, facts, depth: 1, computed: false, is_input: true });
        self.inputs.push(Input { id, ty, name: name.to_string(), kind });
        id
    }

    /// Adds an output and returns its index.
    pub fn output(&mut self, output: FunctionOutput) -> u32 {
        let index = number(self.outputs.len());
        self.outputs.push(output);
        index
    }

    /// The type of a value of this builder.
    pub fn ty(&self, id: Id) -> Option<Type> {
        self.value(id).map(|value| value.ty)
    }

    /// The known facts about a value of this builder.
    pub fn facts(&self, id: Id) -> Facts {
        self.value(id).map(|value| value.facts).unwrap_or_default()
    }

    /// Whether a value is defined in the function's own block, and is therefore visible everywhere after its definition.
    pub fn is_outermost(&self, id: Id) -> bool {
        self.value(id).is_some_and(|value| value.depth == 1)
    }

    fn value(&self, id: Id) -> Option<Value> {
        self.values.get(id.0 as usize).copied().flatten()
    }

    fn define(&mut self, value: Value) -> Id {
        let id = self.next_id();
        self.values.push(Some(value));
        id
    }

    /// Sets the source position of the following instructions: a line or a token, counted from 1.
    pub fn at_line(&mut self, line: u32) {
        self.line = line;
    }

    /// Sets the debug name of a value; a later name replaces it. Inputs keep their own names. A name that is given to many
    /// values can be an `Arc`, which they share.
    pub fn name(&mut self, id: Id, name: impl Into<Arc<str>>) {
        if self.value(id).is_some_and(|value| value.is_input) {
            return;
        }
        let index = id.0 as usize;
        if index >= self.values.len() {
            return;
        }
        if index >= self.names.len() {
            self.names.resize(self.values.len(), None);
        }
        if let Some(place) = self.names.get_mut(index) {
            *place = Some(name.into());
        }
    }

    /// Sets the debug name of a value if it has none yet.
    pub fn name_unnamed(&mut self, id: Id, name: impl Into<Arc<str>>) {
        if self.names.get(id.0 as usize).is_none_or(Option::is_none) {
            self.name(id, name);
        }
    }

    /// Sets the debug name of a value if it has none yet and was computed, rather than being a constant or a swizzle.
    pub fn name_computed(&mut self, id: Id, name: impl Into<Arc<str>>) {
        if self.value(id).is_some_and(|value| value.computed) {
            self.name_unnamed(id, name);
        }
    }

    /// The id that the next new value will have.
    pub fn next_id(&self) -> Id {
        Id(number(self.values.len()))
    }

    /// Names the unnamed floats that were computed since `first` was the next id.
    pub fn name_since(&mut self, first: Id, name: &Arc<str>) {
        for id in (first.0..self.next_id().0).map(Id) {
            if self.ty(id).is_some_and(Type::is_float) {
                self.name_computed(id, name.clone());
            }
        }
    }

    /// Emits an operation and returns the id of its result.
    ///
    /// If the operands do not fit the operation, [`Builder::finish`] reports it.
    pub fn emit(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let key = Key::new(op, inputs, immediates);
        let anew = matches!(op, Op::Phi | Op::Call) || op == Op::Peek && self.is_slot(inputs.first().copied());
        if !anew && let Some(&id) = self.scopes.iter().rev().find_map(|scope| scope.known.get(&key)) {
            return id;
        }
        let mut inst = Inst::new(op, Id::NONE, inputs, immediates);
        let (mut types, mut facts) = std::mem::take(&mut self.operands);
        types.clear();
        facts.clear();
        for Value { ty, facts: known, .. } in inputs.iter().filter_map(|&id| self.value(id)) {
            types.push(ty);
            facts.push(known);
        }
        let context = Context { outputs: &self.outputs, signatures: &self.signatures };
        match infer(&inst, &types, &context) {
            Ok(Some(ty)) => {
                let facts = Facts::of(&inst, ty, &facts);
                let plain = matches!(op, Op::Swizzle | Op::Peek) || op.shape().inputs == Arity::Fixed(0);
                inst.output =
                    self.define(Value { ty, facts, depth: self.scopes.len(), computed: !plain, is_input: false });
            }
            Ok(None) => {}
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        self.operands = (types, facts);
        let (id, line) = (inst.output, self.line);
        if let Some(scope) = self.scopes.last_mut() {
            scope.body.push(inst);
            scope.lines.push(line);
            if id.is_some() && !anew {
                scope.known.insert(key, id);
            }
        }
        id
    }

    /// Whether it is a local slot, so that reading it twice may return different values.
    fn is_slot(&self, id: Option<Id>) -> bool {
        self.inputs.iter().any(|input| Some(input.id) == id && input.kind == InputKind::Local)
    }

    /// Calls a function of the module by its index. Returns the id of the result, or [`Id::NONE`] if there is none.
    pub fn call(&mut self, function: u32, arguments: &[Id]) -> Id {
        self.emit(Op::Call, arguments, &[function])
    }

    /// Ends the open block with a DISCARD, a BREAK, a CONTINUE, or a RETURN without a value.
    pub fn jump(&mut self, op: Op) {
        let inputs: &[Id] = if op == Op::Return { &[Id::NONE] } else { &[] };
        self.emit(op, inputs, &[]);
    }

    /// Ends the open block with a RETURN of a value.
    pub fn return_value(&mut self, value: Id) {
        self.emit(Op::Return, &[value], &[]);
    }

    /// A float literal.
    pub fn float(&mut self, value: f32) -> Id {
        self.emit(Op::LiteralFloat, &[], &[value.to_bits()])
    }

    /// A vector of one to four lanes: the value itself if the lanes are all of its components in order, a swizzle if they are
    /// all from one value, otherwise a VECTOR of these.
    pub fn gather(&mut self, lanes: &[Lane]) -> Id {
        let mut parts = Vec::with_capacity(4);
        for run in lanes.chunk_by(|a, b| a.value == b.value) {
            let Some(&Lane { value, .. }) = run.first() else { continue };
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

    /// A swizzle of a value, emitted in the block of the value's definition so that all blocks share it.
    fn swizzle(&mut self, value: Id, lanes: &[u8]) -> Id {
        let depth = self.value(value).map_or(1, |value| value.depth);
        self.at_depth(depth, |builder| builder.emit(Op::Swizzle, &[value], &[swizvals(lanes)]))
    }

    /// A vector of lanes that are visible at the end of a closed block. It is emitted in the outermost block in which all
    /// lanes are visible, so that the blocks inside share it.
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

    /// Opens a block inside the current one.
    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost open block.
    pub fn close(&mut self) -> Scope {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Scope::default() }
    }

    /// Runs `work` at the end of a closed block.
    pub fn within<R>(&mut self, arm: &mut Scope, work: impl FnOnce(&mut Builder) -> R) -> R {
        self.scopes.push(std::mem::take(arm));
        let result = work(self);
        *arm = self.close();
        result
    }

    /// Runs `work` at the current end of the function's own block, before every open conditional.
    pub fn outermost<R>(&mut self, work: impl FnOnce(&mut Builder) -> R) -> R {
        self.at_depth(1, work)
    }

    /// Runs `work` at the current end of the open block at a depth, where 1 is the function's own.
    fn at_depth<R>(&mut self, depth: usize, work: impl FnOnce(&mut Builder) -> R) -> R {
        let inner = self.scopes.split_off(depth.clamp(1, self.scopes.len()));
        let result = work(self);
        self.scopes.extend(inner);
        result
    }

    /// Adds an IF with the blocks of its two arms.
    pub fn branch(&mut self, condition: Id, accept: Scope, reject: Scope) {
        self.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), [accept, reject]);
    }

    /// Adds a LOOP with its block.
    pub fn repeat(&mut self, body: Scope) {
        self.nest(Inst::new(Op::Loop, Id::NONE, &[], &[]), [body]);
    }

    /// Adds a PHI at the head of the open block, which must become the block of a LOOP. `entry` is its value when the LOOP is
    /// entered. [`Builder::end_phi`] sets the other value.
    pub fn begin_phi(&mut self, entry: Id) -> Id {
        let mut inst = Inst::new(Op::Phi, Id::NONE, &[entry, Id::NONE], &[]);
        let types = self.ty(entry).into_iter().collect::<Vec<_>>();
        match infer(&inst, &types, &Context::default()) {
            Ok(Some(ty)) => {
                let facts = Facts::default();
                inst.output =
                    self.define(Value { ty, facts, depth: self.scopes.len(), computed: true, is_input: false });
            }
            Ok(None) => {}
            Err(error) => drop(self.error.get_or_insert(error)),
        }
        let (id, line) = (inst.output, self.line);
        if let Some(scope) = self.scopes.last_mut() {
            let head = crate::flow::phis(scope.body.insts());
            scope.body.insert(head, inst);
            scope.lines.insert(head, line);
        }
        id
    }

    /// Sets the second value of a PHI from [`Builder::begin_phi`]: its value when control returns to the head from the end of
    /// the block or from a CONTINUE. The block must still be open.
    pub fn end_phi(&mut self, phi: Id, again: Id) {
        let types = [phi, again].into_iter().filter_map(|id| self.ty(id)).collect::<Vec<_>>();
        let heads = self.scopes.iter_mut().map(|scope| {
            let head = crate::flow::phis(scope.body.insts());
            scope.body.insts_mut().iter_mut().take(head)
        });
        for inst in heads.flatten().filter(|inst| inst.op == Op::Phi && inst.output == phi) {
            if let Err(error) = infer(inst, &types, &Context::default()) {
                self.error.get_or_insert(error);
            }
            if let Some(second) = inst.inputs.get_mut(1) {
                *second = again;
            }
        }
    }

    /// Adds a SWITCH with the values and blocks of its cases and the default block.
    ///
    /// ```
    /// use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Module, Op, OutputKind, Type, verify};
    ///
    /// let mut builder = Builder::new(FunctionKind::Generic, "");
    /// let which = builder.input("which", Type::INT, InputKind::Parameter);
    /// builder.output(FunctionOutput { ty: Type::FLOAT, name: String::new(), kind: OutputKind::Returned });
    /// let mut blocks = Vec::new();
    /// for value in [1.0, 10.0, 0.0] {
    ///     builder.open();
    ///     let value = builder.float(value);
    ///     builder.return_value(value);
    ///     blocks.push(builder.close());
    /// }
    /// let default = blocks.pop().expect("three");
    /// builder.switch(which, [3, 7].into_iter().zip(blocks), default);
    /// let (function, _) = builder.finish()?;
    /// assert_eq!(verify(&Module { functions: vec![function], ..Module::default() }), Ok(()));
    /// # Ok::<(), sdlbc::infer::TypeError>(())
    /// ```
    pub fn switch(&mut self, selector: Id, cases: impl IntoIterator<Item = (u32, Scope)>, default: Scope) {
        let (values, mut blocks): (Vec<u32>, Vec<Scope>) = cases.into_iter().unzip();
        blocks.push(default);
        self.nest(Inst::new(Op::Switch, Id::NONE, &[selector], &values), blocks);
    }

    /// Adds an instruction with blocks.
    fn nest(&mut self, inst: Inst, blocks: impl IntoIterator<Item = Scope>) {
        let line = self.line;
        let Some(Scope { body, lines, .. }) = self.scopes.last_mut() else { return };
        let at = body.open(inst);
        lines.push(line);
        for mut block in blocks {
            body.append(block.body);
            body.end_block(at);
            lines.append(&mut block.lines);
        }
    }

    /// Sets the length of an input of array type. A uniform array may grow while the reads from it are collected.
    pub fn resize_input(&mut self, id: Id, length: u32) {
        for input in self.inputs.iter_mut().filter(|input| input.id == id) {
            if let Type::Array(scalar, width, _) = input.ty {
                input.ty = Type::Array(scalar, width, length);
            }
        }
    }

    /// Adds a member to an array of uniforms, after those that it has. It may extend past the current length of the array:
    /// [`Builder::finish_with_lines`] leaves out what lies past the final one.
    ///
    /// ```
    /// use sdlbc::{Builder, FunctionKind, FunctionOutput, Id, InputKind, Member, Op, OutputKind, Scalar, Type};
    ///
    /// let mut builder = Builder::new(FunctionKind::Fragment, "main");
    /// let constants = builder.input("fc", Type::Array(Scalar::Float, 4, 28), InputKind::Uniform);
    /// for (name, first, ty) in [("light", 0, Type::floats(3)), ("fog", 9, Type::FLOAT4)] {
    ///     builder.member(constants, Member { name: name.to_string(), first, component: 0, ty });
    /// }
    /// let light = builder.emit(Op::Peek, &[constants, Id::NONE], &[0]);
    /// let (ty, kind) = (Type::FLOAT4, OutputKind::Colour { target: 0 });
    /// let colour = builder.output(FunctionOutput { ty, name: "oc".to_string(), kind });
    /// builder.poke(colour, light);
    /// builder.resize_input(constants, 1);
    /// let finished = builder.finish_with_lines()?;
    /// let names: Vec<_> = finished.members.values().flatten().map(|member| member.name.as_str()).collect();
    /// assert_eq!(names, ["light"]);
    /// # Ok::<(), sdlbc::infer::TypeError>(())
    /// ```
    pub fn member(&mut self, array: Id, member: Member) {
        self.members.entry(array).or_default().push(member);
    }

    /// Returns the finished function and its debug names. Unused instructions are removed, as are unused inputs other than
    /// parameters. Inputs are sorted by kind and number, and ids are renumbered in reading order.
    ///
    /// # Errors
    /// The first operation that did not fit its operands.
    pub fn finish(self) -> Result<(Function, BTreeMap<Id, String>), TypeError> {
        self.finish_with_lines().map(|finished| (finished.function, finished.names))
    }

    /// The same, with the source's line or token of each instruction.
    ///
    /// # Errors
    /// The first operation that did not fit its operands.
    pub fn finish_with_lines(mut self) -> Result<Finished, TypeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let Scope { mut body, lines, .. } = self.scopes.drain(..1).next().unwrap_or_default();
        let mut used = vec![false; self.values.len()];
        let needed = crate::dce::needed(&body, &mut used);
        body.keep(&needed);
        let lines = lines.into_iter().zip(needed).filter_map(|(line, needed)| needed.then_some(line)).collect();
        // Parameters are part of the signature, used or not.
        let kept = |input: &Input| input.kind == InputKind::Parameter || used.get(input.id.0 as usize) == Some(&true);
        self.inputs.retain(kept);
        self.inputs.sort_by_key(|input| rank(&input.kind));
        let mut function =
            Function { kind: self.kind, name: self.name, inputs: self.inputs, outputs: self.outputs, body };
        let numbers = crate::dce::renumber(&mut function);
        let names = (0..).map(Id).zip(self.names);
        let names = names.filter_map(|(id, name)| Some((*numbers.get(id)?, name?.to_string()))).collect();
        let mut members = BTreeMap::new();
        for (array, all) in self.members {
            let id = numbers.get(array).copied();
            let input = function.inputs.iter().find(|input| Some(input.id) == id);
            let Some(&Input { id, ty: Type::Array(_, _, length), .. }) = input else { continue };
            let kept: Vec<Member> = all.into_iter().filter_map(|member| member.within(length)).collect();
            if !kept.is_empty() {
                members.insert(id, kept);
            }
        }
        Ok(Finished { function, names, members, lines })
    }
}

/// A count as the number of the next item. A count that does not fit is above every limit.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The order of inputs: attributes, varyings, builtins, uniforms, textures, parameters, slots.
fn rank(kind: &InputKind) -> (u8, u32) {
    match *kind {
        InputKind::Attribute { location } => (0, location),
        InputKind::Varying { location, .. } => (1, location),
        InputKind::Builtin(builtin) => (2, builtin as u32),
        InputKind::Uniform => (3, 0),
        InputKind::Texture { slot, .. } => (4, slot),
        InputKind::Parameter => (5, 0),
        InputKind::Local => (6, 0),
    }
}
