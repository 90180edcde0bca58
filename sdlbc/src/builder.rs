//! Builds a function instruction by instruction. The builder numbers values, infers their types, and reuses common
//! subexpressions.
//!
//! Rule: emitting an operation again with the same operands, in the same block or in a nested block, returns the existing id.
//! Calls, and reads of inputs that POKE can write, are emitted every time. Unused instructions are removed when the function
//! is finished.
//!
//! Blocks are opened and closed like brackets. [`Builder::close`] returns a [`Scope`] with the instructions emitted since the
//! block was opened. [`Builder::branch`], [`Builder::repeat`] and [`Builder::switch`] add scopes to the function as the blocks
//! of an instruction.
//!
//! ```
//! use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Module, OutputKind, Type, verify};
//!
//! // This function adds up the whole numbers below `limit`.
//! let mut builder = Builder::new(FunctionKind::Generic, "");
//! let limit = builder.input("limit", Type::FLOAT, InputKind::Parameter);
//! builder.output(FunctionOutput { ty: Type::FLOAT, name: String::new(), kind: OutputKind::Returned });
//! let (zero, one) = (builder.float(0.0), builder.float(1.0));
//!
//! builder.open();
//! let count = builder.begin_phi(zero);
//! let sum = builder.begin_phi(zero);
//! let done = builder.greater_than_or_equal(count, limit);
//! builder.open();
//! builder.return_value(sum);
//! let accept = builder.close();
//! builder.branch(done, accept, Default::default());
//! let next = builder.add(count, one);
//! builder.end_phi(count, next);
//! let next = builder.add(sum, count);
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

mod emit;
mod finish;
mod operations;

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::facts::{Facts, Set};
use crate::infer::{Context, TypeError, infer};
use crate::inst::word;
use crate::name::{Name, Text};
use crate::values::{Origin, Value, Values};
use crate::{
    Body, Few, FunctionKind, FunctionOutput, Id, Input, InputKind, Inst, Member, Op, Signature, SourceBinding, Type,
};

pub use finish::Finished;

/// One component of a vector, or a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane {
    /// The id of the vector or scalar.
    pub value: Id,
    /// The index of the component: 0 to 3 for x to w, and 0 for a scalar.
    pub lane: u8,
}

/// A block under construction, which is empty by default.
#[derive(Debug, Default)]
pub struct Scope {
    body: Body,
    lines: Vec<u32>,
    /// The block's number in the keys of the value table, or 0 if the block was never open.
    block: u32,
}

/// The maximum number of closed, empty blocks whose allocations are kept for reuse.
const SPARE: usize = 16;

/// Builds a function instruction by instruction.
#[derive(Debug)]
pub struct Builder {
    kind: FunctionKind,
    name: String,
    inputs: Vec<Input>,
    outputs: Vec<FunctionOutput>,
    workgroup: Option<[u32; 3]>,
    values: Values,
    scopes: Vec<Scope>,
    spare: Vec<Scope>,
    /// The highest block number assigned so far.
    blocks: u32,
    signatures: Vec<Signature>,
    /// The debug names that [`Builder::text`] creates from arbitrary text.
    texts: Vec<SmolStr>,
    members: BTreeMap<Id, Vec<Member>>,
    bindings: BTreeMap<Id, SourceBinding>,
    line: u32,
    emitted: usize,
    /// Whether an emitted instruction may have no effect: a NOP, or an IF or SWITCH without instructions.
    has_idle: bool,
    /// Whether the function has a LOOP. The PHIs of a LOOP may use values that are defined later in the LOOP.
    has_loops: bool,
    error: Option<TypeError>,
}

impl Builder {
    /// Starts building a function.
    pub fn new(kind: FunctionKind, name: &str) -> Builder {
        Builder::with_capacity(kind, name, 16)
    }

    /// Starts building a function that will have about `insts` instructions.
    pub fn with_capacity(kind: FunctionKind, name: &str, insts: usize) -> Builder {
        let body = Scope { body: Body::with_capacity(insts), lines: Vec::with_capacity(insts), block: 1 };
        Builder {
            kind,
            name: name.to_string(),
            inputs: Vec::with_capacity(8),
            outputs: Vec::with_capacity(8),
            workgroup: None,
            values: Values::with_capacity(insts),
            scopes: vec![body],
            spare: Vec::new(),
            blocks: 1,
            signatures: Vec::new(),
            texts: Vec::new(),
            members: BTreeMap::new(),
            bindings: BTreeMap::new(),
            line: 0,
            emitted: 0,
            has_idle: false,
            has_loops: false,
            error: None,
        }
    }

    /// Sets the signatures of the module's functions, in the order of the functions. The builder needs these signatures
    /// to emit CALLs.
    pub fn with_signatures(self, signatures: Vec<Signature>) -> Builder {
        Builder { signatures, ..self }
    }

    /// Sets the size of a compute function's workgroup: the number of invocations along x, y and z.
    pub fn with_workgroup(self, size: [u32; 3]) -> Builder {
        Builder { workgroup: Some(size), ..self }
    }

    /// Returns the id of the input named `name`. Adds the input if the function does not have it yet.
    pub fn input(&mut self, name: impl AsRef<str> + Into<String>, ty: Type, kind: InputKind) -> Id {
        if let Some(input) = self.inputs.iter().find(|input| input.name == name.as_ref()) {
            return input.id;
        }
        let facts = Facts { uniform: kind.is_uniform(), ..Facts::default() }.into();
        let origin = if kind.is_variable() { Origin::Slot } else { Origin::Input };
        let id = self.values.push(Value::new(ty, facts, 1, origin));
        self.inputs.push(Input { id, ty, name: name.into(), kind });
        id
    }

    /// Adds an output and returns the output's index.
    pub fn output(&mut self, output: FunctionOutput) -> u32 {
        self.outputs.push(output);
        word(self.outputs.len() - 1)
    }

    /// Returns the type of a value, or `None` if the builder has no value with this id.
    pub fn ty(&self, id: Id) -> Option<Type> {
        self.values.get(id).map(|value| value.ty)
    }

    /// Returns the known facts about a value.
    pub fn facts(&self, id: Id) -> Facts {
        self.values.get(id).map(|value| value.facts.into()).unwrap_or_default()
    }

    /// Reports whether a value is defined in the function's outermost block, and is therefore visible everywhere after its
    /// definition.
    pub fn is_outermost(&self, id: Id) -> bool {
        self.values.get(id).is_some_and(|value| value.depth == 1)
    }

    /// Reports whether a value is defined in a closed block. The answer is correct only for a value that is visible at the end of
    /// the most recently closed block.
    pub(crate) fn is_closed(&self, id: Id) -> bool {
        self.values.get(id).is_some_and(|value| value.depth as usize > self.scopes.len())
    }

    /// Sets the source position of the instructions that are emitted next: the number of a line or token, counted from 1.
    pub fn at_line(&mut self, line: u32) {
        self.line = line;
    }

    /// Converts arbitrary text into a name for [`Builder::name`].
    pub fn text(&mut self, text: impl Into<SmolStr>) -> Name {
        self.texts.push(text.into());
        Name(Text::Listed(self.texts.len() - 1))
    }

    /// Sets the debug name of a value and replaces any earlier name. Inputs keep their own names.
    pub fn name(&mut self, id: Id, name: impl Into<Name>) {
        if let Some(value) = self.values.get_mut(id).filter(|value| !value.is_input()) {
            value.name = Some(name.into());
        }
    }

    /// Sets the debug name of a value that has no name yet.
    pub fn name_unnamed(&mut self, id: Id, name: impl Into<Name>) {
        if let Some(value) = self.values.get_mut(id).filter(|value| !value.is_input()) {
            value.name.get_or_insert(name.into());
        }
    }

    /// Sets the debug name of a value that has no name yet and was computed. A constant or a swizzle does not count as computed.
    pub fn name_computed(&mut self, id: Id, name: impl Into<Name>) {
        if let Some(value) = self.values.get_mut(id).filter(|value| value.origin == Origin::Computed) {
            value.name.get_or_insert(name.into());
        }
    }

    /// Returns the id that the next new value will have.
    pub fn next_id(&self) -> Id {
        self.values.next_id()
    }

    /// Names all unnamed, computed floats whose ids are `first` or higher.
    pub fn name_since(&mut self, first: Id, name: Name) {
        let computed = |value: &&mut Value| value.origin == Origin::Computed && value.ty.is_float();
        self.values.since(first).iter_mut().filter(computed).for_each(|value| _ = value.name.get_or_insert(name));
    }

    /// Emits a CALL of the function with the index `function` in the module. Returns the id of the result, or [`Id::NONE`] if the
    /// function returns no value.
    pub fn call(&mut self, function: u32, arguments: &[Id]) -> Id {
        self.emit(Op::Call, arguments, &[function])
    }

    /// Ends the open block with a RETURN without a value.
    pub fn return_nothing(&mut self) {
        self.emit(Op::Return, &[Id::NONE], &[]);
    }

    /// Ends the open block with a RETURN of a value.
    pub fn return_value(&mut self, value: Id) {
        self.emit(Op::Return, &[value], &[]);
    }

    /// Returns a vector of one to four lanes. If the lanes are all components of one value in order, the result is that value.
    /// Any other lanes of a single value become a SWIZZLE, and lanes of several values become a VECTOR.
    pub fn gather(&mut self, lanes: &[Lane]) -> Id {
        self.gather_at(self.scopes.len(), lanes)
    }

    /// Emits the vector that [`Builder::gather`] returns, at the current end of the open block with the nesting depth `depth`. A
    /// swizzle is emitted in the block that defines the swizzled value, so that all blocks share the swizzle.
    fn gather_at(&mut self, depth: usize, lanes: &[Lane]) -> Id {
        match *lanes {
            [first] => return self.pick(depth, first.value, lanes),
            [first, ref rest @ ..] if rest.iter().all(|lane| lane.value == first.value) => {
                return self.pick(depth, first.value, lanes);
            }
            _ => {}
        }
        let mut parts = Few::<Id>::new();
        for run in lanes.chunk_by(|a, b| a.value == b.value) {
            if let Some(first) = run.first() {
                parts.push(self.pick(depth, first.value, run));
            }
        }
        self.emit_at(depth, Op::Vector, &parts, &[])
    }

    fn pick(&mut self, depth: usize, value: Id, lanes: &[Lane]) -> Id {
        let word = lanes.iter().rev().fold(u32::MAX, |word, lane| word << 8 | u32::from(lane.lane));
        self.swizzle_at(depth, value, word)
    }

    /// Returns a vector of lanes that are visible at the end of the closed block `arm`. The vector is emitted in the outermost
    /// block in which all lanes are visible, so that nested blocks share the vector.
    pub fn gather_at_end(&mut self, arm: &mut Scope, lanes: &[Lane]) -> Id {
        let depths = lanes.iter().filter_map(|lane| self.values.get(lane.value)).map(|value| value.depth);
        let depth = depths.max().unwrap_or(1) as usize;
        if depth <= self.scopes.len() {
            return self.gather_at(depth, lanes);
        }
        self.within(arm, |builder| builder.gather(lanes))
    }

    /// Emits a POKE that writes `value` to the output with the index `output`.
    pub fn poke(&mut self, output: u32, value: Id) {
        self.emit(Op::Poke, &[value], &[output]);
    }

    /// Opens a block inside the innermost open block.
    pub fn open(&mut self) {
        let spare = || Scope { body: Body::with_capacity(16), lines: Vec::with_capacity(16), block: 0 };
        let scope = self.spare.pop().unwrap_or_else(spare);
        self.reopen(scope);
    }

    fn reopen(&mut self, mut scope: Scope) {
        if scope.block == 0 {
            self.blocks += 1;
            scope.block = self.blocks;
        }
        self.scopes.push(scope);
    }

    /// Closes the innermost open block and returns it.
    pub fn close(&mut self) -> Scope {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Scope::default() }
    }

    /// Returns the number of open blocks inside the function's outermost block.
    pub fn depth(&self) -> usize {
        self.scopes.len().saturating_sub(1)
    }

    /// Reopens a closed block, runs `work` at the end of the block, and closes the block again.
    pub fn within<R>(&mut self, arm: &mut Scope, work: impl FnOnce(&mut Builder) -> R) -> R {
        self.reopen(std::mem::take(arm));
        let result = work(self);
        *arm = self.close();
        result
    }

    /// Runs `work` at the current end of the function's outermost block, before the IF, LOOP or SWITCH that is under
    /// construction.
    pub fn outermost<R>(&mut self, work: impl FnOnce(&mut Builder) -> R) -> R {
        let inner = self.begin_outermost();
        let result = work(self);
        self.end_outermost(inner);
        result
    }

    /// Moves to the current end of the function's outermost block, before the IF, LOOP or SWITCH that is under construction.
    /// Returns the other open blocks, which [`Builder::end_outermost`] reopens.
    #[must_use]
    pub fn begin_outermost(&mut self) -> Vec<Scope> {
        self.scopes.split_off(1)
    }

    /// Reopens the blocks that [`Builder::begin_outermost`] returned.
    pub fn end_outermost(&mut self, inner: Vec<Scope>) {
        self.scopes.extend(inner);
    }

    /// Adds an IF that runs `accept` if the condition is true, and `reject` otherwise.
    pub fn branch(&mut self, condition: Id, accept: Scope, reject: Scope) {
        self.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), [accept, reject]);
    }

    /// Adds a LOOP that repeats `body`.
    pub fn repeat(&mut self, body: Scope) {
        self.nest(Inst::new(Op::Loop, Id::NONE, &[], &[]), [body]);
    }

    /// Adds a PHI at the head of the open block, which must become the block of a LOOP. `entry` is the value of the PHI when
    /// control enters the LOOP. [`Builder::end_phi`] sets the second value of the PHI.
    pub fn begin_phi(&mut self, entry: Id) -> Id {
        let mut inst = Inst::new(Op::Phi, Id::NONE, &[entry, Id::NONE], &[]);
        let types = self.ty(entry).into_iter().collect::<Few<_>>();
        match infer(&inst, &types, &Context::default()) {
            Ok(Some(ty)) => {
                let value = Value::new(ty, Set::default(), self.scopes.len(), Origin::Computed);
                inst.output = self.values.push(value);
            }
            Ok(None) => {}
            Err(error) => drop(self.error.get_or_insert(error)),
        }
        let (id, line) = (inst.output, self.line);
        self.has_loops = true;
        if let Some(scope) = self.scopes.last_mut() {
            let head = crate::flow::phis(scope.body.insts());
            self.emitted += 1;
            scope.body.insert(head, inst);
            scope.lines.insert(head, line);
        }
        id
    }

    /// Sets the second value of a PHI that [`Builder::begin_phi`] added. The PHI takes its second value when control returns to
    /// the head of the LOOP from the end of the block or from a CONTINUE. The block that contains the PHI must still be open.
    pub fn end_phi(&mut self, phi: Id, again: Id) {
        let types = [phi, again].into_iter().filter_map(|id| self.ty(id)).collect::<Few<_>>();
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

    /// Adds a SWITCH. Each case has a value and a block, and `default` is the block for all other values of the selector.
    ///
    /// ```
    /// use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Module, OutputKind, Type, verify};
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

    fn nest(&mut self, inst: Inst, blocks: impl IntoIterator<Item = Scope>) {
        let (line, inst_is_loop) = (self.line, inst.op == Op::Loop);
        for id in &inst.inputs {
            self.values.mark_used(*id);
        }
        let Some(Scope { body, lines, .. }) = self.scopes.last_mut() else { return };
        self.emitted += 1;
        let at = body.open(inst);
        lines.push(line);
        for mut block in blocks {
            body.move_from(&mut block.body);
            body.end_block(at);
            lines.append(&mut block.lines);
            if block.block != 0 && self.spare.len() < SPARE {
                self.spare.push(Scope { block: 0, ..block });
            }
        }
        self.has_idle |= !inst_is_loop && body.insts().len() == at + 1;
    }

    /// Changes the length of an input of array type. Front ends use this method to extend a uniform array when they find reads of
    /// further elements.
    pub fn resize_input(&mut self, id: Id, length: u32) {
        for input in self.inputs.iter_mut().filter(|input| input.id == id) {
            if let Type::Array(scalar, width, _) = input.ty {
                input.ty = Type::Array(scalar, width, length);
            }
        }
    }

    /// Adds a member to a uniform array, after the array's earlier members. The member may extend past the current length of
    /// the array, because [`Builder::finish_with_lines`] drops members and parts of members past the final length.
    ///
    /// ```
    /// use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Member, OutputKind, Scalar, Type};
    ///
    /// let mut builder = Builder::new(FunctionKind::Fragment, "main");
    /// let constants = builder.input("fc", Type::Array(Scalar::Float, 4, 28), InputKind::Uniform);
    /// for (name, first, ty) in [("light", 0, Type::floats(3)), ("fog", 9, Type::FLOAT4)] {
    ///     builder.member(constants, Member { name: name.to_string(), first, component: 0, ty });
    /// }
    /// let light = builder.peek(constants, None, 0);
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

    /// States the place of an input in the source, for inputs that are resources.
    pub fn bind(&mut self, input: Id, binding: SourceBinding) {
        self.bindings.insert(input, binding);
    }

    /// Removes the place of an input in the source.
    pub fn unbind(&mut self, input: Id) {
        self.bindings.remove(&input);
    }
}
