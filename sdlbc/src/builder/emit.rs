//! Emits instructions, reuses earlier results, and infers types and facts.
//!
//! The emitting code is compiled once for each combination of operand count and immediate count up to a total of four, which
//! covers most instructions.

use super::{Builder, Scope};
use crate::facts::Set;
use crate::infer::{self, Context, infer};
use crate::kinds::{self, Kind};
use crate::module::first_lanes;
use crate::values::{Key, Origin, Value};
use crate::{Few, Id, Inst, Op, Type};

impl Builder {
    /// Emits an operation and returns the id of the result.
    ///
    /// [`Builder::finish`] returns an error if the operands do not fit the operation.
    #[inline]
    pub fn emit(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        self.emit_at(self.scopes.len(), op, inputs, immediates)
    }

    /// Emits an operation at the current end of the function's outermost block, before the IF, LOOP or SWITCH that is under
    /// construction.
    #[inline]
    pub fn emit_outermost(&mut self, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        self.emit_at(1, op, inputs, immediates)
    }

    #[inline]
    pub(super) fn emit_at(&mut self, depth: usize, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        match (inputs, immediates) {
            _ if op == Op::Nop => self.emit_many(depth, op, inputs, immediates),
            (&[a, b], []) => self.emit_few(depth, op, [a, b], []),
            (&[a], []) => self.emit_few(depth, op, [a], []),
            ([], &[word]) => self.emit_few(depth, op, [], [word]),
            (&[a], &[word]) => self.emit_few(depth, op, [a], [word]),
            (&[a, b], &[word]) => self.emit_few(depth, op, [a, b], [word]),
            (&[a, b, c], []) => self.emit_few(depth, op, [a, b, c], []),
            (&[a, b, c, d], []) => self.emit_few(depth, op, [a, b, c, d], []),
            ([], &[a, b, c, d]) => self.emit_few(depth, op, [], [a, b, c, d]),
            _ => self.emit_many(depth, op, inputs, immediates),
        }
    }

    /// Returns a vector of one to four lanes of a value: the value itself if the lanes are all its components in order,
    /// and a swizzle otherwise. `word` is the immediate of SWIZZLE (see [`swizvals`](crate::module::swizvals)). The
    /// swizzle is emitted in the block that defines the value, so that all blocks share the swizzle.
    #[inline]
    pub fn swizzle(&mut self, value: Id, word: u32) -> Id {
        self.swizzle_at(self.scopes.len(), value, word)
    }

    pub(super) fn swizzle_at(&mut self, depth: usize, value: Id, word: u32) -> Id {
        let (width, defined) = self.values.get(value).map_or((None, 1), |value| (value.ty.width(), value.depth));
        if word == first_lanes(width.unwrap_or(1)) {
            return value;
        }
        self.emit_few(depth.min(defined as usize), Op::Swizzle, [value], [word])
    }

    fn emit_few<const INPUTS: usize, const IMMEDIATES: usize>(
        &mut self,
        depth: usize,
        op: Op,
        inputs: [Id; INPUTS],
        immediates: [u32; IMMEDIATES],
    ) -> Id {
        let kind = kinds::of(op);
        let Some((scope, outer)) = self.scopes.get(..depth).and_then(<[Scope]>::split_last) else { return Id::NONE };
        let is_slot = |id: &Id| self.values.get(*id).is_some_and(|value| value.origin == Origin::Slot);
        let mut key = Key::NONE;
        let mut free = None;
        let varies = kind.varies || op == Op::Peek && inputs.first().is_some_and(is_slot);
        if !varies {
            key = Key::new(op, inputs, immediates, scope.block);
            match self.values.find(&key) {
                Ok(id) => return id,
                Err(place) => free = Some(place),
            }
            for scope in outer.iter().rev() {
                if let Ok(id) = self.values.find(&key.within(scope.block)) {
                    return id;
                }
            }
        }
        let (mut types, mut facts, mut lacks) = ([Type::BOOL; INPUTS], [Set::ALL; INPUTS], false);
        for ((id, ty), set) in inputs.iter().zip(&mut types).zip(&mut facts) {
            match self.values.get_mut(*id) {
                Some(value) => {
                    value.used = true;
                    (*ty, *set) = (value.ty, value.facts);
                }
                None => lacks = true,
            }
        }
        let simple = match lacks {
            true if op == Op::Peek => kind.simple_type(types.get(..1).unwrap_or_default(), &immediates),
            true => None,
            false => kind.simple_type(&types, &immediates),
        };
        let ty = match simple {
            None => self.type_of(op, &inputs, &immediates, kind, if lacks { None } else { Some(&types) }),
            simple => simple,
        };
        let mut output = Id::NONE;
        if let Some(ty) = ty {
            let facts = Set::of_result(&kind.facts, ty, &inputs, &immediates, &facts);
            let origin = if kind.picks { Origin::Plain } else { Origin::Computed };
            output = self.values.push(Value { key, ..Value::new(ty, facts, depth, origin) });
            if let Some(place) = free {
                self.values.record_last(place);
            }
        }
        if let Some(scope) = depth.checked_sub(1).and_then(|at| self.scopes.get_mut(at)) {
            let inst = Inst { op, output, inputs: few(inputs), immediates: few(immediates), ends: Few::new() };
            self.emitted += 1;
            scope.body.add(inst);
            scope.lines.push(self.line);
        }
        output
    }

    /// Emits an operation with any number of operands and immediates, without common-subexpression elimination.
    fn emit_many(&mut self, depth: usize, op: Op, inputs: &[Id], immediates: &[u32]) -> Id {
        let kind = kinds::of(op);
        self.has_idle |= op == Op::Nop;
        let mut inst = Inst::new(op, Id::NONE, inputs, immediates);
        let mut facts = Few::<Set>::new();
        for &id in inputs {
            if let Some(value) = self.values.get_mut(id) {
                value.used = true;
                facts.push(value.facts);
            }
        }
        if let Some(ty) = self.type_of(op, inputs, immediates, kind, None) {
            let facts = Set::of_result(&kind.facts, ty, inputs, immediates, &facts);
            let origin = if kind.picks { Origin::Plain } else { Origin::Computed };
            inst.output = self.values.push(Value::new(ty, facts, depth, origin));
        }
        let id = inst.output;
        if let Some(scope) = depth.checked_sub(1).and_then(|at| self.scopes.get_mut(at)) {
            self.emitted += 1;
            scope.body.add(inst);
            scope.lines.push(self.line);
        }
        id
    }

    /// Returns the type of an instruction's result, or `None` if the instruction has no result. `types` contains the types of the
    /// operands, or is `None` if the type of an operand is unknown.
    #[inline(never)]
    fn type_of(
        &mut self,
        op: Op,
        inputs: &[Id],
        immediates: &[u32],
        kind: &Kind,
        types: Option<&[Type]>,
    ) -> Option<Type> {
        let present: Few<Type>;
        let types = match types {
            Some(types) => types,
            None => {
                present = inputs.iter().filter_map(|&id| self.ty(id)).collect();
                &present
            }
        };
        let context = Context { outputs: &self.outputs, signatures: &self.signatures };
        match infer::result(op, immediates, false, kind.rule, types, &context) {
            Ok(ty) => ty,
            Err(_) => {
                let inst = Inst::new(op, Id::NONE, inputs, immediates);
                drop(infer(&inst, types, &context).map_err(|error| self.error.get_or_insert(error)));
                None
            }
        }
    }
}

#[inline]
fn few<T: Copy + Default, const COUNT: usize>(list: [T; COUNT]) -> Few<T> {
    let mut four = [T::default(); 4];
    four.iter_mut().zip(list).for_each(|(place, one)| *place = one);
    Few::from_buf_and_len(four, COUNT)
}
