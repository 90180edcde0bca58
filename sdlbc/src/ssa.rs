//! SSA construction from a machine of vector registers, where the variable is one component of one register.
//!
//! A register file maps a component to a lane of a value, so masks and swizzles need no special care. Structured code
//! needs no graph and no sealing: at an `if` the definitions are kept, at the `else` they are set aside, and at the
//! end PHIs are placed where the arms differ (Brandis and Mössenböck, "Single-pass generation of static
//! single-assignment form for structured languages", TOPLAS 1994). The components of one register get one vector PHI.

use crate::builder::{Builder, Lane, Scope};
use crate::{Id, Op};

/// A component of a register: four times the register's index, plus the component.
pub type Slot = usize;

/// What each component of each register holds; `None` where nothing was written.
#[derive(Debug)]
pub struct Registers {
    lanes: Vec<Option<Lane>>,
    frames: Vec<Frame>,
}

/// An open conditional.
#[derive(Debug)]
struct Frame {
    condition: Id,
    before: Vec<Option<Lane>>,
    accept: Option<(Scope, Vec<Option<Lane>>)>,
}

impl Registers {
    /// So many registers, nothing written.
    pub fn new(registers: usize) -> Registers {
        Registers { lanes: vec![None; registers * 4], frames: Vec::new() }
    }

    /// What a component holds.
    pub fn read(&self, slot: Slot) -> Option<Lane> {
        self.lanes.get(slot).copied().flatten()
    }

    /// Gives a component its value.
    pub fn write(&mut self, slot: Slot, lane: Lane) {
        if let Some(held) = self.lanes.get_mut(slot) {
            *held = Some(lane);
        }
    }

    /// The conditions of the open conditionals, outermost first.
    pub fn conditions(&self) -> impl Iterator<Item = Id> {
        self.frames.iter().map(|frame| frame.condition)
    }

    /// Opens a conditional: what follows is its first arm.
    pub fn begin_if(&mut self, builder: &mut Builder, condition: Id) {
        self.frames.push(Frame { condition, before: self.lanes.clone(), accept: None });
        builder.open();
    }

    /// What follows is the second arm. Does nothing without an open conditional or behind a second arm.
    pub fn begin_else(&mut self, builder: &mut Builder) {
        if let Some(frame) = self.frames.last_mut()
            && frame.accept.is_none()
        {
            let accept = std::mem::replace(&mut self.lanes, frame.before.clone());
            frame.accept = Some((builder.close(), accept));
            builder.open();
        }
    }

    /// Closes the conditional and joins its arms. Only the components that `wanted` names get a PHI; the others hold
    /// nothing where the arms differ. A component that one arm alone wrote is zero in the other,
    /// as it was before every conditional. `name` gives a
    /// register's name to its PHI.
    #[expect(clippy::indexing_slicing, reason = "a slot is below the number of lanes, which both arms have")]
    pub fn end_if(
        &mut self,
        builder: &mut Builder,
        wanted: impl Fn(Slot) -> bool,
        name: impl Fn(usize) -> Option<String>,
    ) {
        self.begin_else(builder);
        let Some(Frame { condition, accept: Some((mut accept, mut yes)), .. }) = self.frames.pop() else { return };
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
            // Components that hold the same lanes on both sides share a lane of the PHI.
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
                builder.name_computed(a, &name);
                builder.name_computed(b, &name);
            }
            joins.push((register, a, b, places));
        }
        builder.branch(condition, accept, reject);
        self.lanes = yes.iter().zip(&no).map(|(a, b)| if a == b { *a } else { None }).collect();
        for (register, a, b, places) in joins {
            let value = builder.emit(Op::Phi, &[a, b], &[]);
            if let Some(name) = name(register) {
                builder.name(value, &name);
            }
            for (slot, lane) in places {
                self.write(slot, Lane { value, lane });
            }
        }
    }
}
