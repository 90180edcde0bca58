//! SSA construction from a machine with vector registers. Each component of a register is a variable.
//!
//! Each component of a register maps to a lane of a value, so write masks and swizzles need no special treatment. Structured
//! code needs no control-flow graph and no sealed blocks: an `if` saves the definitions, `else` restores them, and at the
//! end PHIs are placed where the arms differ (Brandis and Mössenböck, "Single-pass generation of static
//! single-assignment form for structured languages", TOPLAS 1994). The components of a register share a vector PHI.

use std::sync::Arc;

use crate::builder::{Builder, Lane, Scope};
use crate::{Id, Op};

/// A component of a register: four times the register's index plus the component.
pub type Slot = usize;

/// The current value of each component of each register; `None` if it was never written.
#[derive(Debug)]
pub struct Registers {
    lanes: Vec<Option<Lane>>,
    open_ifs: Vec<OpenIf>,
}

/// An open conditional.
#[derive(Debug)]
struct OpenIf {
    condition: Id,
    before: Vec<Option<Lane>>,
    accept: Option<(Scope, Vec<Option<Lane>>)>,
}

impl Registers {
    /// Creates this many registers, all unwritten.
    pub fn new(registers: usize) -> Registers {
        Registers { lanes: vec![None; registers * 4], open_ifs: Vec::new() }
    }

    /// The current value of a component.
    pub fn read(&self, slot: Slot) -> Option<Lane> {
        self.lanes.get(slot).copied().flatten()
    }

    /// Sets the value of a component.
    pub fn write(&mut self, slot: Slot, lane: Lane) {
        if let Some(held) = self.lanes.get_mut(slot) {
            *held = Some(lane);
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
            let accept = std::mem::replace(&mut self.lanes, open_if.before.clone());
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
        name: impl Fn(usize) -> Option<Arc<str>>,
    ) {
        self.begin_else(builder);
        let Some(OpenIf { condition, accept: Some((mut accept, mut yes)), .. }) = self.open_ifs.pop() else { return };
        let mut reject = builder.close();
        let mut no = std::mem::take(&mut self.lanes);
        let mut joins = Vec::new();
        for register in 0..no.len() / 4 {
            let slots = register * 4..register * 4 + 4;
            let differing: Vec<Slot> = slots.filter(|&slot| yes[slot] != no[slot] && wanted(slot)).collect();
            if differing.is_empty() {
                continue;
            }
            for &slot in &differing {
                for lanes in [&mut yes, &mut no] {
                    let zero = |builder: &mut Builder| builder.outermost(|builder| builder.float(0.0));
                    lanes[slot] = lanes[slot].or_else(|| Some(Lane { value: zero(builder), lane: 0 }));
                }
            }
            // An arm may have written the zero that the other did not.
            let differing: Vec<Slot> = differing.into_iter().filter(|&slot| yes[slot] != no[slot]).collect();
            if differing.is_empty() {
                continue;
            }
            // Components with the same lanes in both arms share a lane of the PHI.
            let mut pairs: Vec<(Lane, Lane)> = Vec::new();
            let mut places = Vec::new();
            for &slot in &differing {
                if let (Some(a), Some(b)) = (yes[slot], no[slot]) {
                    let at = pairs.iter().position(|&pair| pair == (a, b)).unwrap_or(pairs.len());
                    if at == pairs.len() {
                        pairs.push((a, b));
                    }
                    // A register has four components.
                    places.push((slot, u8::try_from(at).unwrap_or(u8::MAX)));
                }
            }
            let (a, b): (Vec<Lane>, Vec<Lane>) = pairs.into_iter().unzip();
            let a = builder.gather_at_end(&mut accept, &a);
            let b = builder.gather_at_end(&mut reject, &b);
            if let Some(name) = name(register) {
                builder.name_computed(a, name.clone());
                builder.name_computed(b, name);
            }
            joins.push((register, a, b, places));
        }
        builder.branch(condition, accept, reject);
        self.lanes = yes.iter().zip(&no).map(|(a, b)| if a == b { *a } else { None }).collect();
        for (register, a, b, places) in joins {
            let value = builder.emit(Op::Phi, &[a, b], &[]);
            if let Some(name) = name(register) {
                builder.name(value, name);
            }
            for (slot, lane) in places {
                self.write(slot, Lane { value, lane });
            }
        }
    }
}
