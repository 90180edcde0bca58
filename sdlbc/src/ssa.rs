//! Builds SSA form from code for a machine with vector registers. Each component of a register is a separate variable.
//!
//! Each component of a register maps to a lane of a value, so write masks and swizzles need no special treatment. Structured code
//! needs no control-flow graph and no sealed blocks. An `if` saves the definitions, `else` restores them, and the end of the
//! conditional places PHIs where the arms differ (Brandis and Mössenböck, "Single-pass generation of static single-assignment
//! form for structured languages", TOPLAS 1994). The components of a register share a vector PHI. Registers that a loop writes
//! get PHIs at the head of the loop. The caller must use local slots for values that are live after the loop, because no PHI can
//! follow a LOOP.

use crate::builder::{Builder, Lane, Scope};
use crate::name::Name;
use crate::{Few, Id, Op};

/// The index of a register component: four times the index of the register, plus the index of the component.
pub type Slot = usize;

/// The current values of the components of all registers.
#[derive(Debug)]
pub struct Registers {
    held: Vec<[Lane; 4]>,
    /// A bit set of the registers that were written since the innermost open conditional began.
    written: Few<u64>,
    open_ifs: Vec<OpenIf>,
}

/// The value of a component that was never written.
const UNWRITTEN: Lane = Lane { value: Id::NONE, lane: 0 };

#[derive(Debug)]
struct OpenIf {
    condition: Id,
    before: Vec<[Lane; 4]>,
    /// A bit set of the registers that were written after the enclosing conditional began and before this conditional began.
    written: Few<u64>,
    accept: Option<(Scope, Vec<[Lane; 4]>)>,
    /// Whether the end of the open arm is unreachable, and whether the end of the first arm is unreachable.
    unreached: [bool; 2],
}

/// A loop that [`Registers::begin_loop`] opened and that [`Registers::end_loop`] must close.
#[derive(Debug)]
pub struct OpenLoop {
    /// For each register with a PHI: the register's index, the id of the PHI, and the width of the PHI.
    phis: Vec<(usize, Id, u8)>,
}

impl OpenLoop {
    /// Returns the index of each register that has a PHI, with the id of the PHI.
    pub fn phis(&self) -> impl Iterator<Item = (usize, Id)> {
        self.phis.iter().map(|&(register, phi, _)| (register, phi))
    }
}

/// The values of all registers at one point of the code, saved by [`Registers::save`].
#[derive(Clone, Debug)]
pub struct Saved(Vec<[Lane; 4]>);

impl Registers {
    /// Creates `registers` registers, all of which are unwritten.
    #[expect(clippy::indexing_slicing, reason = "the end is at most the length")]
    pub fn new(registers: usize) -> Registers {
        // Copying registers in blocks of 64 takes less time than writing each register.
        const SOME: [[Lane; 4]; 64] = [[UNWRITTEN; 4]; 64];
        let mut held = Vec::with_capacity(registers);
        while held.len() < registers {
            held.extend_from_slice(&SOME[..SOME.len().min(registers - held.len())]);
        }
        let written = Few::from_elem(0, registers.div_ceil(64));
        Registers { held, written, open_ifs: Vec::new() }
    }

    /// Returns the current value of a component, or `None` if the component is unwritten.
    #[inline]
    pub fn read(&self, slot: Slot) -> Option<Lane> {
        self.held.get(slot / 4)?.get(slot % 4).copied().filter(|lane| lane.value.is_some())
    }

    /// Returns the current values of a register's components. An unwritten component has the id [`Id::NONE`].
    #[inline]
    pub fn components(&self, register: usize) -> &[Lane; 4] {
        self.held.get(register).unwrap_or(&[UNWRITTEN; 4])
    }

    /// Reports whether a register was written since the innermost open conditional began.
    #[inline]
    pub fn was_written(&self, register: usize) -> bool {
        self.written.get(register / 64).is_some_and(|bits| bits >> (register % 64) & 1 != 0)
    }

    /// Returns a mutable reference to a register's components, and marks the register as written.
    #[inline]
    pub fn components_mut(&mut self, register: usize) -> Option<&mut [Lane; 4]> {
        if let Some(bits) = self.written.get_mut(register / 64) {
            *bits |= 1 << (register % 64);
        }
        self.held.get_mut(register)
    }

    /// Sets the current value of a component.
    #[inline]
    pub fn write(&mut self, slot: Slot, lane: Lane) {
        if let Some(held) = self.components_mut(slot / 4).and_then(|held| held.get_mut(slot % 4)) {
            *held = lane;
        }
    }

    /// Returns the conditions of the open conditionals, outermost first.
    pub fn conditions(&self) -> impl Iterator<Item = Id> {
        self.open_ifs.iter().map(|open_if| open_if.condition)
    }

    /// Adds an unwritten register, and returns the index of the register.
    pub fn add(&mut self) -> usize {
        let number = self.held.len();
        self.held.push([UNWRITTEN; 4]);
        let words = self.held.len().div_ceil(64);
        self.written.resize(words, 0);
        for open_if in &mut self.open_ifs {
            open_if.written.resize(words, 0);
            match &mut open_if.accept {
                Some((_, accept)) => accept.push([UNWRITTEN; 4]),
                None => open_if.before.push([UNWRITTEN; 4]),
            }
        }
        number
    }

    /// Removes all registers whose index is `count` or higher. The removed registers must have been added in the open block,
    /// and must not be read afterwards.
    pub fn truncate(&mut self, count: usize) {
        self.held.truncate(count);
        for (word, bits) in self.written.iter_mut().enumerate() {
            let kept = count.saturating_sub(word * 64).min(64);
            *bits &= if kept == 64 { u64::MAX } else { (1 << kept) - 1 };
        }
        for open_if in &mut self.open_ifs {
            open_if.before.truncate(count);
            open_if.accept.iter_mut().for_each(|(_, accept)| accept.truncate(count));
        }
    }

    /// Returns the number of registers.
    pub fn count(&self) -> usize {
        self.held.len()
    }

    /// Saves the current values of all registers.
    pub fn save(&self) -> Saved {
        Saved(self.held.clone())
    }

    /// Restores the saved values of all registers. Registers that were added after the values were saved become
    /// unwritten.
    pub fn restore(&mut self, Saved(saved): &Saved) {
        self.held.fill([UNWRITTEN; 4]);
        self.held.iter_mut().zip(saved).for_each(|(held, saved)| *held = *saved);
    }

    /// Opens a loop with a PHI for each of the listed registers, which must have been written before the loop. Each register
    /// index is paired with the width of its PHI.
    pub fn begin_loop(&mut self, builder: &mut Builder, registers: impl IntoIterator<Item = (usize, u8)>) -> OpenLoop {
        let registers = registers.into_iter();
        let entries: Vec<_> =
            registers.map(|(register, width)| (register, self.gather(builder, register, width), width)).collect();
        builder.open();
        let mut phis = Vec::with_capacity(entries.len());
        for (register, entry, width) in entries {
            let phi = builder.begin_phi(entry);
            self.set(register, phi, width);
            phis.push((register, phi, width));
        }
        OpenLoop { phis }
    }

    /// Closes a loop. If control reaches the end of the loop's block, the block runs again with the values that the registers
    /// have at that point. Registers with PHIs are unwritten after the loop.
    pub fn end_loop(&mut self, builder: &mut Builder, open_loop: OpenLoop, reached: bool) {
        for (register, phi, width) in open_loop.phis {
            if reached {
                let again = self.gather(builder, register, width);
                builder.end_phi(phi, again);
            }
            self.components_mut(register).into_iter().for_each(|held| *held = [UNWRITTEN; 4]);
        }
        let body = builder.close();
        builder.repeat(body);
    }

    /// Combines the first `width` components of a register into one value. The components must have been written.
    pub fn gather(&self, builder: &mut Builder, register: usize, width: u8) -> Id {
        let lanes = self.components(register);
        builder.gather(lanes.get(..usize::from(width)).unwrap_or_default())
    }

    /// Sets the first `width` components of a register to the components of a value.
    pub fn set(&mut self, register: usize, value: Id, width: u8) {
        if let Some(held) = self.components_mut(register) {
            held.iter_mut().zip(0..width).for_each(|(held, lane)| *held = Lane { value, lane });
        }
    }

    /// Marks the end of the open arm as unreachable, so that the join ignores the values of the arm.
    pub fn abandon(&mut self) {
        if let Some(open_if) = self.open_ifs.last_mut() {
            open_if.unreached[0] = true;
        }
    }

    /// Opens a conditional and begins its first arm.
    pub fn begin_if(&mut self, builder: &mut Builder, condition: Id) {
        let none = Few::from_elem(0, self.written.len());
        let written = std::mem::replace(&mut self.written, none);
        self.open_ifs.push(OpenIf {
            condition,
            before: self.held.clone(),
            written,
            accept: None,
            unreached: [false; 2],
        });
        builder.open();
    }

    /// Begins the second arm of the innermost open conditional. Does nothing if no conditional is open, or if the second arm has
    /// already begun.
    pub fn begin_else(&mut self, builder: &mut Builder) {
        if let Some(open_if) = self.open_ifs.last_mut()
            && open_if.accept.is_none()
        {
            let accept = std::mem::replace(&mut self.held, std::mem::take(&mut open_if.before));
            open_if.accept = Some((builder.close(), accept));
            open_if.unreached = [false, open_if.unreached[0]];
            builder.open();
        }
    }

    /// Closes the innermost open conditional and joins its arms. Only components for which `is_live` returns true get a PHI;
    /// other components become unwritten if the arms differ. A component that is unwritten at the reachable end of one arm counts
    /// as zero there. The callback `name` returns the name of the PHI for a register.
    #[expect(clippy::indexing_slicing, reason = "both arms have all registers, and each register has four components")]
    pub fn end_if(
        &mut self,
        builder: &mut Builder,
        is_live: impl Fn(Slot) -> bool,
        name: impl Fn(usize) -> Option<Name>,
    ) {
        self.begin_else(builder);
        let Some(OpenIf { condition, written, accept: Some((mut accept, mut yes)), unreached, .. }) =
            self.open_ifs.pop()
        else {
            return;
        };
        let mut reject = builder.close();
        let mut no = std::mem::take(&mut self.held);
        // The join ignores an arm whose end is unreachable, so only values that the other arm defines inside its block need a
        // PHI.
        let one = unreached != [false; 2];
        if one {
            let (counts, other) = if unreached[1] { (&no, &mut yes) } else { (&yes, &mut no) };
            other.clone_from(counts);
            for register in set_bits(&self.written) {
                let inside = other[register].iter_mut().filter(|lane| builder.is_closed(lane.value));
                inside.for_each(|lane| *lane = UNWRITTEN);
            }
        }
        let mut joins = Vec::new();
        let differ: Few<usize> = set_bits(&self.written).filter(|&register| yes[register] != no[register]).collect();
        self.written.iter_mut().zip(written).for_each(|(since, before)| *since |= before);
        for &register in &differ {
            let (yes, no) = (&mut yes[register], &mut no[register]);
            let mut differing = Few::<usize>::new();
            differing.extend((0..4).filter(|&at| yes[at] != no[at] && is_live(register * 4 + at)));
            for &at in &differing {
                for lane in [&mut yes[at], &mut no[at]].into_iter().filter(|lane| !one && **lane == UNWRITTEN) {
                    *lane = Lane { value: builder.emit_outermost(Op::LiteralFloat, &[], &[0f32.to_bits()]), lane: 0 };
                }
            }
            // One arm may have written zero to a component that the other arm did not write.
            differing.retain(|at| yes[*at] != no[*at]);
            if differing.is_empty() {
                continue;
            }
            // Components with the same lanes in both arms share a lane of the PHI.
            let (mut a, mut b) = (Few::<Lane>::new(), Few::<Lane>::new());
            let mut places = Few::<(Slot, u8)>::new();
            for at in differing {
                let same = a.iter().zip(&b).position(|(&a, &b)| (a, b) == (yes[at], no[at]));
                // A register has only four components, so the conversion always succeeds.
                places.push((register * 4 + at, u8::try_from(same.unwrap_or(a.len())).unwrap_or(u8::MAX)));
                if same.is_none() {
                    a.push(yes[at]);
                    b.push(no[at]);
                }
            }
            let [a, b] = [(&mut accept, a), (&mut reject, b)].map(|(arm, lanes)| match lanes.first() {
                Some(&UNWRITTEN) => Id::NONE,
                _ => builder.gather_at_end(arm, &lanes),
            });
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
            let value = builder.phi(a, b);
            if let Some(name) = name {
                builder.name(value, name);
            }
            for (slot, lane) in places {
                self.write(slot, Lane { value, lane });
            }
        }
    }
}

/// Returns the indices of the set bits, in ascending order.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|rest| *rest != 0).map(move |rest| at * 64 + rest.trailing_zeros() as usize)
    })
}
