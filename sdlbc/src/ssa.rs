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
    lanes: Vec<Lane>,
    open_ifs: Vec<OpenIf>,
}

/// What a component holds that was never written.
const UNWRITTEN: Lane = Lane { value: Id::NONE, lane: 0 };

/// An open conditional.
#[derive(Debug)]
struct OpenIf {
    condition: Id,
    before: Vec<Lane>,
    accept: Option<(Scope, Vec<Lane>)>,
}

impl Registers {
    /// Creates this many registers, all unwritten.
    pub fn new(registers: usize) -> Registers {
        Registers { lanes: vec![UNWRITTEN; registers * 4], open_ifs: Vec::new() }
    }

    /// The current value of a component.
    #[inline]
    pub fn read(&self, slot: Slot) -> Option<Lane> {
        self.lanes.get(slot).copied().filter(|lane| lane.value.is_some())
    }

    /// The current values of a register's components; an absent value where none was written.
    #[inline]
    pub fn components(&self, register: Option<usize>) -> [Lane; 4] {
        let held = register.and_then(|register| self.lanes.get(register * 4..)?.first_chunk());
        held.copied().unwrap_or([UNWRITTEN; 4])
    }

    /// Sets the value of a component.
    #[inline]
    pub fn write(&mut self, slot: Slot, lane: Lane) {
        if let Some(held) = self.lanes.get_mut(slot) {
            *held = lane;
        }
    }

    /// The conditions of the open conditionals, outermost first.
    pub fn conditions(&self) -> impl Iterator<Item = Id> {
        self.open_ifs.iter().map(|open_if| open_if.condition)
    }

    /// Opens a conditional; its first arm follows.
    pub fn begin_if(&mut self, builder: &mut Builder, condition: Id) {
        self.open_ifs.push(OpenIf { condition, before: self.lanes.clone(), accept: None });
        builder.open();
    }

    /// Begins the second arm. Does nothing without an open conditional, or if the second arm has already begun.
    pub fn begin_else(&mut self, builder: &mut Builder) {
        if let Some(open_if) = self.open_ifs.last_mut()
            && open_if.accept.is_none()
        {
            let accept = std::mem::replace(&mut self.lanes, std::mem::take(&mut open_if.before));
            open_if.accept = Some((builder.close(), accept));
            builder.open();
        }
    }

    /// Closes the conditional and joins its arms. Only `wanted` components get a PHI; other components are unwritten if the
    /// arms differ. A component that was written in only one arm, and never before, is zero in the other. `name` returns the
    /// name of a register for its PHI.
    #[expect(clippy::indexing_slicing, reason = "a slot is below the number of lanes, which both arms have")]
    pub fn end_if(
        &mut self,
        builder: &mut Builder,
        wanted: impl Fn(Slot) -> bool,
        name: impl Fn(usize) -> Option<Name>,
    ) {
        self.begin_else(builder);
        let Some(OpenIf { condition, accept: Some((mut accept, mut yes)), .. }) = self.open_ifs.pop() else { return };
        let mut reject = builder.close();
        let mut no = std::mem::take(&mut self.lanes);
        let mut joins = Vec::new();
        let both = yes.chunks_exact(4).zip(no.chunks_exact(4)).enumerate();
        let differ: Few<usize> = both.filter(|(_, (yes, no))| yes != no).map(|(register, _)| register).collect();
        for &register in &differ {
            let slots = register * 4..register * 4 + 4;
            let mut differing: Few<Slot> = slots.filter(|&slot| yes[slot] != no[slot] && wanted(slot)).collect();
            for &slot in &differing {
                for lane in [&mut yes[slot], &mut no[slot]].into_iter().filter(|lane| **lane == UNWRITTEN) {
                    *lane = Lane { value: builder.emit_outermost(Op::LiteralFloat, &[], &[0f32.to_bits()]), lane: 0 };
                }
            }
            // An arm may have written the zero that the other did not.
            differing.retain(|slot| yes[*slot] != no[*slot]);
            if differing.is_empty() {
                continue;
            }
            // Components with the same lanes in both arms share a lane of the PHI.
            let (mut a, mut b) = (Few::<Lane>::new(), Few::<Lane>::new());
            let mut places = Few::<(Slot, u8)>::new();
            for slot in differing {
                let same = a.iter().zip(&b).position(|(&a, &b)| (a, b) == (yes[slot], no[slot]));
                // A register has four components.
                places.push((slot, u8::try_from(same.unwrap_or(a.len())).unwrap_or(u8::MAX)));
                if same.is_none() {
                    a.push(yes[slot]);
                    b.push(no[slot]);
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
        for slot in differ.into_iter().flat_map(|register| register * 4..register * 4 + 4) {
            if yes[slot] != no[slot] {
                yes[slot] = UNWRITTEN;
            }
        }
        self.lanes = yes;
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
