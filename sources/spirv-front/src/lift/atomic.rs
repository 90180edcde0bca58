//! Atomic operations on storage buffers and on variables of a workgroup.
//!
//! The format's atomic operations order no other accesses to memory, so semantics such as Acquire are refused. The scope may be any
//! within the device. OpAtomicLoad and OpAtomicStore become reads and writes, because every access to memory that atomic operations
//! change is atomic (docs/format.md, "Atomic operations").

use rspirv::spirv::{MemorySemantics, Op, Scope};
use sdlbc::lifting::{MemoryElement, Value};
use sdlbc::{Few, Id, Op as Own, Scalar, Type};

use super::Lifter;
use super::pointer::Root;
use crate::accepted::Atomic;
use crate::module::Module;
use crate::words::{Inst, name};
use sdlbc::front::RefusalKind;

/// The semantics that order other accesses to memory.
const ORDERING: MemorySemantics = MemorySemantics::ACQUIRE
    .union(MemorySemantics::RELEASE)
    .union(MemorySemantics::ACQUIRE_RELEASE)
    .union(MemorySemantics::SEQUENTIALLY_CONSISTENT);

const fn changes(op: Op) -> bool {
    !matches!(Atomic::of(op), None | Some(Atomic::AtomicLoad))
}

/// The kinds of atomic operations on the scalars of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Whether a minimum or maximum compares signed numbers.
    pub(super) signed: bool,
    /// Whether a minimum or maximum compares unsigned numbers.
    pub(super) unsigned: bool,
}

impl Module<'_> {
    /// Returns the atomic operations on a variable, or `None` if there are none. An operation on a parameter of a function counts for
    /// every variable.
    pub(super) fn atomics_on(&self, variable: u32) -> Option<Changed> {
        let mut found: Option<Changed> = None;
        for function in self.functions.values() {
            let mut roots = std::collections::BTreeMap::new();
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                match (inst.op, inst.args) {
                    (Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject, [base, ..]) => {
                        roots.insert(inst.id, roots.get(base).copied().unwrap_or(*base));
                    }
                    (op, [pointer, ..]) if changes(op) => {
                        let root = roots.get(pointer).copied().unwrap_or(*pointer);
                        if root == variable || !self.globals.contains_key(&root) {
                            let changed = found.get_or_insert_default();
                            changed.signed |= matches!(op, Op::AtomicSMin | Op::AtomicSMax);
                            changed.unsigned |= matches!(op, Op::AtomicUMin | Op::AtomicUMax);
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Lifts an atomic store.
    pub(super) fn atomic_store(&mut self, inst: &Inst<'m>) {
        if self.keeps_order(inst)
            && let Some(place) = self.place(inst.arg(0))
        {
            let value = self.value(inst.arg(3));
            self.store(&place, &value);
        }
    }

    /// Lifts an atomic operation, and returns its result.
    pub(super) fn atomic(&mut self, atomic: Atomic, inst: &Inst<'m>) -> Value {
        if !self.keeps_order(inst) {
            return self.zero(inst.ty);
        }
        let Some(place) = self.place(inst.arg(0)) else { return self.zero(inst.ty) };
        if atomic == Atomic::AtomicLoad {
            return self.load(&place, inst.ty);
        }
        let Some(Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), 1)) = self.module().value_type(inst.ty) else {
            return self.refuse_instruction(format!("{} of this type", name(inst.op)), inst.ty);
        };
        let at = match place.root {
            Root::None => return self.zero(inst.ty),
            // The buffer is refused as a whole.
            Root::Buffer(variable) if self.shared.buffer(variable).is_none() => return self.zero(inst.ty),
            Root::Buffer(variable) => self.buffer_element(variable, &place.steps),
            Root::Variable(number) => self.lifting.shared_element(number, &place.steps),
            _ => None,
        };
        let (op, values) = self.atomic_values(atomic, inst, scalar);
        match at.and_then(|at: MemoryElement| self.lifting.atomic(op, at, &values)) {
            Some(before) => Value::One(self.lifting.bits_as(before, scalar)),
            None => self.refuse_instruction(format!("{} on this variable", name(inst.op)), inst.ty),
        }
    }

    /// Returns the format's operation and its values.
    fn atomic_values(&mut self, atomic: Atomic, inst: &Inst<'m>, scalar: Scalar) -> (Own, Few<Id>) {
        use Atomic::*;
        let op = match atomic {
            AtomicIIncrement | AtomicIDecrement => {
                let one = self.lifting.builder.uint(if atomic == AtomicIIncrement { 1 } else { u32::MAX });
                return (Own::AtomicAdd, [self.lifting.bits_as(one, scalar)].into_iter().collect());
            }
            AtomicISub => {
                let value = self.one(inst.arg(3));
                let zero = self.lifting.zero(self.lifting.ty(value));
                let negated = self.lifting.builder.subtract(zero, value);
                return (Own::AtomicAdd, [negated].into_iter().collect());
            }
            AtomicCompareExchange => {
                let (value, comparator) = (self.one(inst.arg(4)), self.one(inst.arg(5)));
                let comparator = self.lifting.bits_as(comparator, self.lifting.scalar_of(value));
                return (Own::AtomicCompareExchange, [comparator, value].into_iter().collect());
            }
            AtomicSMin | AtomicUMin => Own::AtomicMin,
            AtomicSMax | AtomicUMax => Own::AtomicMax,
            AtomicAnd => Own::AtomicAnd,
            AtomicOr => Own::AtomicOr,
            AtomicXor => Own::AtomicXor,
            // `atomic` lifts a load.
            AtomicExchange | AtomicLoad => Own::AtomicExchange,
            AtomicIAdd => Own::AtomicAdd,
        };
        let value = self.one(inst.arg(3));
        let value = match atomic {
            AtomicSMin | AtomicSMax => self.lifting.bits_as(value, Scalar::Int),
            AtomicUMin | AtomicUMax => self.lifting.bits_as(value, Scalar::Uint),
            _ => value,
        };
        (op, [value].into_iter().collect())
    }

    /// Reports whether the format keeps the scope and the memory semantics of an atomic operation, and refuses the operation if not.
    fn keeps_order(&mut self, inst: &Inst<'m>) -> bool {
        let number = |id: u32| self.module().int(id, 0);
        let last = if inst.op == Op::AtomicCompareExchange { 3 } else { 2 };
        let orders = |at: usize| {
            number(inst.arg(at)).is_none_or(|of| MemorySemantics::from_bits_truncate(of).intersects(ORDERING))
        };
        let is_wide = number(inst.arg(1)).is_none_or(|scope| scope == Scope::CrossDevice as u32);
        let what = match (2..=last).any(orders) {
            true => "with memory semantics that order other accesses",
            false if is_wide => "with a scope of several devices",
            false => return true,
        };
        self.refuse(RefusalKind::Operation { name: format!("{} {what}", name(inst.op)) });
        false
    }
}
