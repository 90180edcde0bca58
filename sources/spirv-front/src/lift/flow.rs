//! Statements, calls and jumps.
//!
//! The lifter emits the jumps BREAK, RETURN and DISCARD. The format's CONTINUE cannot express a continue, because code may run before the
//! next iteration, and no jump can express the return of an inlined function or a jump out of a switch to the end of its loop. A continue
//! or an inlined return *skips* the rest of its statements. If one arm of a conditional always skips, the rest moves into the other arm.
//! Otherwise, the skip sets a flag, and the rest runs only if the flag is not set. A jump out of several loops and switches sets a flag and
//! leaves the innermost one; the flag is tested after it.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::{Op, StorageClass};
use sdlbc::lifting::Value;
use sdlbc::{FunctionKind, Id, Type};

use super::Lifter;
use crate::module::Function;
use crate::structure::{Case, Stmt, Target, always_leaves};
use crate::words::{Inst, malformed};
use sdlbc::front::RefusalKind;

/// The maximum depth of inlined calls.
const MOST_INLINED: usize = 60;

/// A function whose statements are being lifted: the entry point's function, or an inlined one.
pub(super) struct Frame<'m> {
    pub(super) function: &'m Function<'m>,
    /// By id: its value.
    pub(super) values: BTreeMap<u32, Value>,
    /// By id of a PHI, or of a value that is used outside its statements: the number of the variable that holds it, and the value's type.
    pub(super) registers: BTreeMap<u32, (usize, u32)>,
    /// For an inlined function: the number of its result variable, and the flag that is set once it has returned.
    pub(super) inlined: Option<(Option<usize>, usize)>,
    /// The header of each open loop or switch, and whether it is a loop.
    open: Vec<(usize, bool)>,
    /// The flags of jumps.
    flags: BTreeMap<Target, usize>,
    /// By id of a pointer to a part: the id of the pointer to the whole.
    pub(super) bases: BTreeMap<u32, u32>,
}

/// The destination of control at the end of statements, where a jump to the same destination needs no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    /// Any other destination.
    No,
    /// The code that runs before the next iteration of the innermost loop.
    Continue,
    /// The end of the function.
    Return,
    /// The end of the innermost switch.
    Case,
}

/// The destination of control after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// To the next statement.
    Next,
    /// Elsewhere: the end of the statements is not reached.
    Elsewhere,
    /// To the end of the statements, past the remaining ones.
    End,
}

impl Outcome {
    fn next_if(reached: bool) -> Outcome {
        if reached { Outcome::Next } else { Outcome::Elsewhere }
    }

    fn end_if(reached: bool) -> Outcome {
        if reached { Outcome::End } else { Outcome::Elsewhere }
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Lifts the code of an entry point.
    pub(super) fn run(&mut self, entry: &crate::module::Entry<'m>) {
        let module = self.module();
        let Some(function) = module.functions.get(&entry.function) else {
            self.refuse(malformed("an entry point has no function".to_string()));
            return;
        };
        let reached = module.reachable(entry.function);
        let insts = || {
            let functions = reached.iter().filter_map(|id| module.functions.get(id));
            functions.flat_map(|function| &function.blocks).flat_map(|block| &block.insts)
        };
        if self.kind == FunctionKind::Fragment && insts().any(|inst| inst.op == Op::DemoteToHelperInvocation) {
            self.demoted = Some(self.lifting.flag());
        }
        let mut used: BTreeSet<u32> = insts().flat_map(|inst| inst.args).copied().collect();
        used.extend(entry.interface);
        // An operand may be a number that happens to equal a variable's id.
        used.retain(|id| match module.globals.get(id).map(|global| global.class) {
            Some(StorageClass::Input | StorageClass::Output) => entry.interface.contains(id),
            class => class.is_some(),
        });
        self.input_packs = self.packs(StorageClass::Input, &used);
        self.output_packs = self.packs(StorageClass::Output, &used);
        self.declare_globals(&used);
        self.declare_outputs(entry, &used);
        self.enter(function, BTreeMap::new(), None);
        let Some(structured) = self.shared.statements(function.id) else { return };
        if self.stmts(&structured.body, Tail::Return) {
            self.end_entry(true);
        }
        self.frames.pop();
    }

    /// Begins to lift the statements of a function.
    fn enter(
        &mut self,
        function: &'m Function<'m>,
        values: BTreeMap<u32, Value>,
        inlined: Option<(Option<usize>, usize)>,
    ) {
        let mut registers = BTreeMap::new();
        let module = self.module();
        let escaping =
            self.shared.statements(function.id).map(|structured| structured.escaping.clone()).unwrap_or_default();
        for block in &function.blocks {
            let own = block.insts.iter().filter(|inst| escaping.contains(&inst.id) && inst.op != Op::Variable);
            for (inst, is_phi) in block.phis.iter().map(|phi| (phi, true)).chain(own.map(|inst| (inst, false))) {
                self.at = inst.at;
                match module.shape(inst.ty) {
                    Some(shape) if shape.leaves() <= sdlbc::lifting::MOST_LEAVES => {
                        let name = Some(module.name(inst.id)).filter(|name| !name.is_empty());
                        let variable = self.lifting.declare(&shape, name, false);
                        registers.insert(inst.id, (variable, inst.ty));
                    }
                    _ if is_phi => {
                        let name = format!("OpPhi of {}", module.type_name(inst.ty));
                        self.refuse(RefusalKind::Operation { name });
                    }
                    // Pointers and textures are the same on every path, so they need no variable.
                    _ => {}
                }
            }
        }
        let insts = function.blocks.iter().flat_map(|block| &block.insts);
        let is_part = |inst: &&Inst<'m>| matches!(inst.op, Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject);
        let bases = insts.filter(is_part).map(|inst| (inst.id, inst.arg(0))).collect();
        let (open, flags) = (Vec::new(), BTreeMap::new());
        self.frames.push(Frame { function, values, registers, inlined, open, flags, bases });
    }

    pub(super) fn frame(&self) -> Option<&Frame<'m>> {
        self.frames.last()
    }

    fn inlined(&self) -> Option<(Option<usize>, usize)> {
        self.frame()?.inlined
    }

    /// Returns the header of the function's innermost open loop or switch, and whether it is a loop.
    fn innermost(&self) -> Option<(usize, bool)> {
        self.frame()?.open.last().copied()
    }

    pub(super) fn flag_of(&self, target: Target) -> Option<usize> {
        self.frame()?.flags.get(&target).copied()
    }

    /// Sets the value of an id.
    pub(super) fn set(&mut self, id: u32, value: Value) {
        if let Value::One(one) = value {
            let name = self.module().name(id);
            if !name.is_empty() {
                let name = self.lifting.builder.text(name);
                self.lifting.builder.name_computed(one, name);
            }
        }
        let Some(frame) = self.frames.last_mut() else { return };
        match frame.registers.get(&id) {
            Some(&(variable, _)) => self.lifting.store(variable, &[], &value),
            None => {
                frame.values.insert(id, value);
            }
        }
    }

    /// Lifts statements. Returns whether their end is reached.
    fn stmts(&mut self, stmts: &[Stmt], tail: Tail) -> bool {
        for (at, stmt) in stmts.iter().enumerate() {
            let rest = stmts.get(at + 1..).unwrap_or_default();
            match self.stmt(stmt, rest, tail) {
                Outcome::Next => {}
                Outcome::Elsewhere => return false,
                Outcome::End => return true,
            }
        }
        true
    }

    fn stmt(&mut self, stmt: &Stmt, rest: &[Stmt], tail: Tail) -> Outcome {
        if !self.step() || self.is_too_deep() {
            return Outcome::Elsewhere;
        }
        match stmt {
            Stmt::Code(number) => {
                let Some(block) = self.frame().and_then(|frame| frame.function.blocks.get(*number)) else {
                    return Outcome::Elsewhere;
                };
                for inst in &block.insts {
                    self.go_to(inst.at);
                    if !self.step() || !self.instruction(inst) {
                        return Outcome::Elsewhere;
                    }
                }
                self.emit_pending();
                Outcome::Next
            }
            Stmt::Edge(from, to) => {
                self.edge(*from, *to);
                Outcome::Next
            }
            Stmt::If { condition, accept, reject } => {
                let condition = self.one(*condition);
                if self.lifting.ty(condition) != Type::BOOL {
                    self.mismatch();
                }
                self.conditional(condition, accept, reject, rest, tail)
            }
            Stmt::Loop { header, body, continuing } => {
                let reached = self.repeat(*header, body, continuing);
                self.test_flags(stmt, reached, rest, tail)
            }
            Stmt::Switch { header, selector, cases } => {
                let reached = self.switch(*header, *selector, cases);
                self.test_flags(stmt, reached, rest, tail)
            }
            &Stmt::Jump(target) => self.jump(target, tail),
            &Stmt::Return(value) => self.returns(value, tail),
            Stmt::Kill => {
                self.lifting.builder.discard();
                self.lifting.jumped();
                Outcome::Elsewhere
            }
            Stmt::Unreachable => self.unreachable(tail),
        }
    }

    /// Lifts a point that is never reached, as a return without a value.
    fn unreachable(&mut self, tail: Tail) -> Outcome {
        match self.inlined() {
            Some(_) => self.skip_return(tail),
            None => {
                self.end_entry(tail == Tail::Return);
                Outcome::Elsewhere
            }
        }
    }

    /// Sets the PHIs of the block `to` to their values if control comes from the block `from`.
    fn edge(&mut self, from: usize, to: usize) {
        let Some(function) = self.frame().map(|frame| frame.function) else { return };
        let (Some(from), Some(to)) = (function.blocks.get(from), function.blocks.get(to)) else { return };
        let mut values = Vec::with_capacity(to.phis.len());
        for phi in &to.phis {
            self.go_to(phi.at);
            let pair = phi.args.chunks(2).find(|pair| pair.get(1) == Some(&from.label));
            match pair.and_then(<[u32]>::first) {
                Some(&value) => {
                    let value = self.value(value);
                    values.push((phi.id, value));
                }
                None => self.mismatch(),
            }
        }
        for (id, value) in values {
            self.set(id, value);
        }
    }

    /// Reports whether statements may skip the code that follows them. If the innermost open loop or switch is a loop, its continue may
    /// skip the code. In an inlined function without an open loop or switch, a return may skip it.
    fn skips(&self, stmts: &[Stmt]) -> bool {
        let (continues, returns) = match self.innermost() {
            None => (None, self.inlined().is_some()),
            Some((header, is_loop)) => (Some(Target::Continue(header)).filter(|_| is_loop), false),
        };
        let mut found = false;
        for stmt in stmts {
            stmt.each(&mut |stmt| {
                found |= match stmt {
                    Stmt::Jump(target) => continues == Some(*target),
                    Stmt::Return(_) | Stmt::Unreachable => returns,
                    _ => false,
                };
            });
        }
        found
    }

    /// Returns the flag that a skip of the current statements sets.
    fn skip_flag(&self) -> Option<usize> {
        match self.innermost() {
            Some((header, true)) => self.flag_of(Target::Continue(header)),
            Some((_, false)) => None,
            None => self.inlined().map(|(_, returned)| returned),
        }
    }

    fn conditional(&mut self, condition: Id, accept: &[Stmt], reject: &[Stmt], rest: &[Stmt], tail: Tail) -> Outcome {
        let known = self.lifting.registers.count();
        if rest.is_empty() || !self.skips(accept) && !self.skips(reject) {
            let last = if rest.is_empty() { tail } else { Tail::No };
            self.lifting.begin_if(condition);
            let accepted = self.stmts(accept, last);
            self.lifting.begin_else(accepted);
            let rejected = self.stmts(reject, last);
            self.lifting.end_if(rejected, known);
            return Outcome::next_if(accepted || rejected);
        }
        let is_deep = self.lifting.builder.depth() >= sdlbc::limits::NESTING / 2;
        let [leaves, others] = [accept, reject].map(|arm| !is_deep && always_leaves(arm));
        if leaves || others {
            self.lifting.begin_if(condition);
            let accepted = if leaves { self.stmts(accept, tail) } else { self.with_rest(accept, rest, tail) };
            self.lifting.begin_else(accepted);
            let rejected = if leaves { self.with_rest(reject, rest, tail) } else { self.stmts(reject, tail) };
            self.lifting.end_if(rejected, known);
            return Outcome::end_if(accepted || rejected);
        }
        self.lifting.begin_if(condition);
        let accepted = self.stmts(accept, Tail::No);
        self.lifting.begin_else(accepted);
        let rejected = self.stmts(reject, Tail::No);
        self.lifting.end_if(rejected, known);
        Outcome::end_if((accepted || rejected) && self.unless_skipped(rest, tail))
    }

    /// Lifts an arm of a conditional, then the rest of the enclosing statements. Returns whether the end of the rest is reached.
    fn with_rest(&mut self, stmts: &[Stmt], rest: &[Stmt], tail: Tail) -> bool {
        if self.is_too_deep() {
            return true;
        }
        let skips = self.skips(stmts);
        self.stmts(stmts, Tail::No) && if skips { self.unless_skipped(rest, tail) } else { self.stmts(rest, tail) }
    }

    /// Lifts statements that run only if no skip has set the flag. Returns whether their end is reached.
    fn unless_skipped(&mut self, rest: &[Stmt], tail: Tail) -> bool {
        let Some(flag) = self.skip_flag() else { return self.stmts(rest, tail) };
        if rest.is_empty() || self.is_too_deep() {
            return true;
        }
        let known = self.lifting.registers.count();
        let skipped = self.lifting.read_flag(flag);
        self.lifting.begin_if(skipped);
        self.lifting.begin_else(true);
        let reached = self.stmts(rest, tail);
        self.lifting.end_if(reached, known);
        true
    }

    /// Reports whether the open blocks exceed the format's limit, and refuses them if they do.
    fn is_too_deep(&mut self) -> bool {
        let is_too_deep = self.lifting.builder.depth() > sdlbc::limits::NESTING;
        if is_too_deep {
            let what = format!("control flow is nested more than {} deep", sdlbc::limits::NESTING);
            self.refuse(RefusalKind::Limit { what });
        }
        is_too_deep
    }

    /// Lifts a jump to the end or the next iteration of a loop or switch.
    fn jump(&mut self, target: Target, tail: Tail) -> Outcome {
        let innermost = self.innermost();
        match (target, innermost) {
            (Target::Break(header), Some((own, is_loop))) if header == own => {
                if !is_loop && tail == Tail::Case {
                    return Outcome::End;
                }
                self.lifting.leave();
                Outcome::Elsewhere
            }
            (Target::Continue(header), Some((own, true))) if header == own => {
                if tail != Tail::Continue
                    && let Some(flag) = self.flag_of(target)
                {
                    self.lifting.set_flag(flag, true);
                }
                Outcome::End
            }
            _ => {
                if let Some(flag) = self.flag_of(target) {
                    self.lifting.set_flag(flag, true);
                }
                self.leave_to(tail)
            }
        }
    }

    /// Leaves the innermost loop or switch after a flag was set.
    fn leave_to(&mut self, tail: Tail) -> Outcome {
        if tail == Tail::Case && self.innermost().is_some_and(|(_, is_loop)| !is_loop) {
            return Outcome::End;
        }
        self.lifting.leave();
        Outcome::Elsewhere
    }

    fn returns(&mut self, value: u32, tail: Tail) -> Outcome {
        match self.inlined() {
            Some((result, _)) => {
                if let Some(result) = result.filter(|_| value != 0) {
                    let value = self.value(value);
                    self.lifting.store(result, &[], &value);
                }
                self.skip_return(tail)
            }
            None => {
                self.end_entry(tail == Tail::Return);
                Outcome::Elsewhere
            }
        }
    }

    /// Skips to the end of an inlined function.
    fn skip_return(&mut self, tail: Tail) -> Outcome {
        let Some((_, returned)) = self.inlined() else { return Outcome::Elsewhere };
        if self.innermost().is_none() {
            if tail != Tail::Return {
                self.lifting.set_flag(returned, true);
            }
            return Outcome::End;
        }
        self.lifting.set_flag(returned, true);
        self.leave_to(tail)
    }

    /// Creates the flags for the jumps to the end and to the next iteration of a loop.
    fn open(&mut self, header: usize, is_loop: bool, inside: &[&[Stmt]]) {
        let mut targets = BTreeSet::new();
        for stmt in inside.iter().copied().flatten() {
            stmt.each(&mut |stmt| {
                if let Stmt::Jump(target) = stmt {
                    targets.insert(*target);
                }
            });
        }
        for target in [Target::Continue(header), Target::Break(header)] {
            if is_loop && targets.contains(&target) {
                let flag = self.lifting.flag();
                if let Some(frame) = self.frames.last_mut() {
                    frame.flags.insert(target, flag);
                }
            }
        }
    }

    fn push(&mut self, header: usize, is_loop: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.open.push((header, is_loop));
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.open.pop();
        }
    }

    /// Lifts a loop. Returns whether the code after it is reached.
    fn repeat(&mut self, header: usize, body: &[Stmt], continuing: &[Stmt]) -> bool {
        self.open(header, true, &[body, continuing]);
        self.push(header, true);
        let written = self.written(&[body, continuing]);
        let open_loop = self.lifting.begin_loop(&written);
        if let Some(flag) = self.flag_of(Target::Continue(header)) {
            self.lifting.set_flag(flag, false);
        }
        let reached = self.stmts(body, Tail::Continue) && self.stmts(continuing, Tail::No);
        let left = self.lifting.end_loop(open_loop, reached);
        self.pop();
        // If the loop is lifted again, it gets new flags.
        if let Some(frame) = self.frames.last_mut() {
            frame.flags.remove(&Target::Continue(header));
            frame.flags.remove(&Target::Break(header));
        }
        left
    }

    /// Lifts a switch. Returns whether the code after it is reached.
    fn switch(&mut self, header: usize, selector: u32, cases: &[Case]) -> bool {
        let mut selector = self.one(selector);
        if ![Type::INT, Type::UINT].contains(&self.lifting.ty(selector)) {
            self.mismatch();
        }
        // A case with several labels is lifted once: a select maps its other labels to the first.
        for case in cases.iter().filter(|case| !case.is_default) {
            let mut values = case.values.iter().copied();
            let Some(first) = values.next() else { continue };
            for other in values {
                let scalar = self.lifting.scalar_of(selector);
                let [first, other] = [first, other].map(|value| self.scalar(scalar, value));
                let is_other = self.lifting.builder.equal(selector, other);
                selector = self.lifting.builder.select(is_other, first, selector);
            }
        }
        let bodies: Vec<&[Stmt]> = cases.iter().map(|case| case.body.as_slice()).collect();
        self.push(header, false);
        let written = self.written(&bodies);
        let before = self.lifting.begin_switch(&written);
        let (mut blocks, mut default, mut any) = (Vec::new(), None, false);
        for case in cases {
            let value = if case.is_default { None } else { case.values.first().copied() };
            if value.is_some() || case.is_default {
                self.lifting.begin_case(&before);
                let reached = self.stmts(&case.body, Tail::Case);
                any |= reached;
                let scope = self.lifting.end_case(reached);
                match value {
                    Some(value) => blocks.push((value, scope)),
                    None => default = Some(scope),
                }
            }
        }
        let left = self.lifting.end_switch(selector, &before, blocks, default.unwrap_or_default(), any);
        self.pop();
        left
    }

    /// Tests the flags after a loop or switch whose jumps may have set them.
    fn test_flags(&mut self, stmt: &Stmt, reached: bool, rest: &[Stmt], tail: Tail) -> Outcome {
        if !reached {
            return Outcome::Elsewhere;
        }
        let (mut targets, mut returns) = (BTreeSet::new(), false);
        stmt.each(&mut |stmt| match stmt {
            Stmt::Jump(target) => {
                targets.insert(*target);
            }
            Stmt::Return(_) | Stmt::Unreachable => returns = true,
            _ => {}
        });
        let open = self.frame().map(|frame| frame.open.clone()).unwrap_or_default();
        let is_open = |header: usize| open.iter().any(|&(own, _)| own == header);
        targets.retain(|target| match *target {
            Target::Break(header) | Target::Continue(header) => is_open(header),
        });
        let returned = self.inlined().filter(|_| returns).map(|(_, returned)| returned);
        let innermost = self.innermost();
        let near = innermost.and_then(|(header, is_loop)| is_loop.then_some(Target::Continue(header)));
        let mut leaving = None;
        let far = targets.iter().filter(|target| Some(**target) != near).filter_map(|&target| self.flag_of(target));
        for flag in far.collect::<Vec<_>>().into_iter().chain(returned.filter(|_| innermost.is_some())) {
            let set = self.lifting.read_flag(flag);
            leaving = Some(leaving.map_or(set, |other| self.lifting.builder.logical_or(other, set)));
        }
        if let Some(leaving) = leaving {
            self.lifting.leave_if(leaving);
        }
        let skips = near.is_some_and(|near| targets.contains(&near)) || returned.is_some() && innermost.is_none();
        if skips { Outcome::end_if(self.unless_skipped(rest, tail)) } else { Outcome::Next }
    }

    /// Lifts a call by inlining the function's statements. Returns whether the function returns.
    pub(super) fn call(&mut self, inst: &Inst<'m>) -> bool {
        let module = self.module();
        let Some(function) = module.functions.get(&inst.arg(0)) else {
            self.mismatch();
            return false;
        };
        let is_active = self.frames.iter().any(|frame| frame.function.id == function.id);
        if is_active || self.frames.len() > MOST_INLINED {
            let what = if is_active {
                malformed("a function calls itself".to_string())
            } else {
                RefusalKind::Limit { what: format!("calls are nested more than {MOST_INLINED} deep") }
            };
            self.refuse(what);
            return false;
        }
        let arguments = inst.args.get(1..).unwrap_or_default();
        let mut values = BTreeMap::new();
        for (&(parameter, _), &argument) in function.parameters.iter().zip(arguments) {
            let value = self.value(argument);
            values.insert(parameter, value);
        }
        let mark = self.lifting.mark();
        let shape = module.shape(function.returns);
        if !shape.as_ref().is_none_or(|shape| self.is_small(shape)) {
            return false;
        }
        let result = shape.map(|shape| self.lifting.declare(&shape, None, false));
        let returned = self.lifting.flag();
        self.enter(function, values, Some((result, returned)));
        let returns = match self.shared.statements(function.id) {
            Some(structured) => self.stmts(&structured.body, Tail::Return),
            None => true,
        };
        self.frames.pop();
        let value = match result.filter(|_| returns) {
            Some(number) => self.lifting.load(number, &[]),
            None => Value::Many(Vec::new()),
        };
        // The variables of the function are no longer referenced.
        self.lifting.forget(mark);
        if returns && result.is_some() {
            self.set(inst.id, value);
        }
        returns
    }
}
