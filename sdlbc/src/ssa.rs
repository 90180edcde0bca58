//! SSA construction from a machine with vector registers. Each component of a register is a variable.
//!
//! Each component of a register maps to a lane of a value, so write masks and swizzles need no special treatment. Structured
//! code needs no control-flow graph and no sealed blocks: an `if` saves the definitions, `else` restores them, and at the
//! end PHIs are placed where the arms differ (Brandis and Mössenböck, "Single-pass generation of static
//! single-assignment form for structured languages", TOPLAS 1994). The components of a register share a vector PHI.

use crate::builder::{Builder, Lane, Scope};
use crate::name::Name;
use crate::{Few, Id, Op};

/// A component of a register: four times the register's index plus the component.
pub type Slot = usize;

/// The current value of each component of each register.
#[derive(Debug)]
pub struct Registers {
    held: Vec<[Lane; 4]>,
    /// The registers that were written since the innermost open conditional began, by bit.
    written: Few<u64>,
    open_ifs: Vec<OpenIf>,
}

/// What a component holds that was never written.
const UNWRITTEN: Lane = Lane { value: Id::NONE, lane: 0 };

/// An open conditional.
#[derive(Debug)]
struct OpenIf {
    condition: Id,
    before: Vec<[Lane; 4]>,
    /// The registers that were written before it, since the conditional around it began.
    written: Few<u64>,
    accept: Option<(Scope, Vec<[Lane; 4]>)>,
}

impl Registers {
    /// Creates this many registers, all unwritten.
    #[expect(clippy::indexing_slicing, reason = "the end is at most the length")]
    pub fn new(registers: usize) -> Registers {
        // A copy takes less time than writing each.
        const SOME: [[Lane; 4]; 64] = [[UNWRITTEN; 4]; 64];
        let mut held = Vec::with_capacity(registers);
        while held.len() < registers {
            held.extend_from_slice(&SOME[..SOME.len().min(registers - held.len())]);
        }
        let written = Few::from_elem(0, registers.div_ceil(64));
        Registers { held, written, open_ifs: Vec::new() }
    }

    /// The current value of a component.
    #[inline]
    pub fn read(&self, slot: Slot) -> Option<Lane> {
        self.held.get(slot / 4)?.get(slot % 4).copied().filter(|lane| lane.value.is_some())
    }

    /// The current values of a register's components; an absent value where none was written.
    #[inline]
    pub fn components(&self, register: usize) -> &[Lane; 4] {
        self.held.get(register).unwrap_or(&[UNWRITTEN; 4])
    }

    /// Whether a register was written since the innermost open conditional began.
    #[inline]
    pub fn was_written(&self, register: usize) -> bool {
        self.written.get(register / 64).is_some_and(|bits| bits >> (register % 64) & 1 != 0)
    }

    /// The same, to be changed.
    #[inline]
    pub fn components_mut(&mut self, register: usize) -> Option<&mut [Lane; 4]> {
        if let Some(bits) = self.written.get_mut(register / 64) {
            *bits |= 1 << (register % 64);
        }
        self.held.get_mut(register)
    }

    /// Sets the value of a component.
    #[inline]
    pub fn write(&mut self, slot: Slot, lane: Lane) {
        if let Some(held) = self.components_mut(slot / 4).and_then(|held| held.get_mut(slot % 4)) {
            *held = lane;
        }
    }

    /// The conditions of the open conditionals, outermost first.
    pub fn conditions(&self) -> impl Iterator<Item = Id> {
        self.open_ifs.iter().map(|open_if| open_if.condition)
    }

    /// Opens a conditional; its first arm follows.
    pub fn begin_if(&mut self, builder: &mut Builder, condition: Id) {
        let none = Few::from_elem(0, self.written.len());
        let written = std::mem::replace(&mut self.written, none);
        self.open_ifs.push(OpenIf { condition, before: self.held.clone(), written, accept: None });
        builder.open();
    }

    /// Begins the second arm. Does nothing without an open conditional, or if the second arm has already begun.
    pub fn begin_else(&mut self, builder: &mut Builder) {
        if let Some(open_if) = self.open_ifs.last_mut()
            && open_if.accept.is_none()
        {
            let accept = std::mem::replace(&mut self.held, std::mem::take(&mut open_if.before));
            open_if.accept = Some((builder.close(), accept));
            builder.open();
        }
    }

    /// Closes the conditional and joins its arms. Only `wanted` components get a PHI; other components are unwritten if the
    /// arms differ. A component that was written in only one arm, and never before, is zero in the other. `name` returns the
    /// name of a register for its PHI.
    #[expect(clippy::indexing_slicing, reason = "both arms have all registers, and each has four components")]
    pub fn end_if(
        &mut self,
        builder: &mut Builder,
        wanted: impl Fn(Slot) -> bool,
        name: impl Fn(usize) -> Option<Name>,
    ) {
        self.begin_else(builder);
        let Some(OpenIf { condition, written, accept: Some((mut accept, mut yes)), .. }) = self.open_ifs.pop() else {
            return;
        };
        let mut reject = builder.close();
        let mut no = std::mem::take(&mut self.held);
        let mut joins = Vec::new();
        let differ: Few<usize> = set_bits(&self.written).filter(|&register| yes[register] != no[register]).collect();
        self.written.iter_mut().zip(written).for_each(|(since, before)| *since |= before);
        for &register in &differ {
            let (yes, no) = (&mut yes[register], &mut no[register]);
            let mut differing = Few::<usize>::new();
            differing.extend((0..4).filter(|&at| yes[at] != no[at] && wanted(register * 4 + at)));
            for &at in &differing {
                for lane in [&mut yes[at], &mut no[at]].into_iter().filter(|lane| **lane == UNWRITTEN) {
                    *lane = Lane { value: builder.emit_outermost(Op::LiteralFloat, &[], &[0f32.to_bits()]), lane: 0 };
                }
            }
            // An arm may have written the zero that the other did not.
            differing.retain(|at| yes[*at] != no[*at]);
            if differing.is_empty() {
                continue;
            }
            // Components with the same lanes in both arms share a lane of the PHI.
            let (mut a, mut b) = (Few::<Lane>::new(), Few::<Lane>::new());
            let mut places = Few::<(Slot, u8)>::new();
            for at in differing {
                let same = a.iter().zip(&b).position(|(&a, &b)| (a, b) == (yes[at], no[at]));
                // A register has four components.
                places.push((register * 4 + at, u8::try_from(same.unwrap_or(a.len())).unwrap_or(u8::MAX)));
                if same.is_none() {
                    a.push(yes[at]);
                    b.push(no[at]);
                }
            }
            let a = builder.gather_at_end(&mut accept, &a);
            let b = builder.gather_at_end(&mut reject, &b);
            let name = name(register);
            if let Some(name) = name {
                builder.name_computed(a, name);
                builder.name_computed(b, name);
            }
            joins.push((name, a, b, places));
        }
        builder.branch(condition, accept, reject);
        for register in differ {
            for (held, other) in yes[register].iter_mut().zip(no[register]) {
                if *held != other {
                    *held = UNWRITTEN;
                }
            }
        }
        self.held = yes;
        for (name, a, b, places) in joins {
            let value = builder.emit(Op::Phi, &[a, b], &[]);
            if let Some(name) = name {
                builder.name(value, name);
            }
            for (slot, lane) in places {
                self.write(slot, Lane { value, lane });
            }
        }
    }
}

/// The numbers of the bits that are set, in ascending order.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|rest| *rest != 0).map(move |rest| at * 64 + rest.trailing_zeros() as usize)
    })
}
