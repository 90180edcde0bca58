//! Instructions, value ids, and immediates that pack several numbers into one word.
//!
//! Rule: an instruction records the lengths of its own blocks, but nothing about the code around it. [`Body`](crate::Body) nests
//! instructions in blocks.

use std::fmt;

use smallvec::SmallVec;

use crate::Op;

/// The number of a value within its function; 0 means that there is no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// The id of a result that is not stored, and of an absent operand.
    pub const NONE: Id = Id(0);

    /// Reports whether the id refers to a value. Every id except [`Id::NONE`] refers to a value.
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Converts a count or an index to a word. A number that does not fit becomes `u32::MAX`, which exceeds every limit. Only a
/// module with gigabytes of code has numbers that do not fit.
#[inline]
pub(crate) fn word(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A list that needs no heap allocation for up to four elements.
pub type Few<T> = SmallVec<[T; 4]>;

/// An instruction. The operation's [`Shape`](crate::Shape) determines the numbers of inputs, immediates and blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The operation that the instruction performs.
    pub op: Op,
    /// The id of the result; [`Id::NONE`] if the operation has no result or the result is not stored.
    pub output: Id,
    /// The ids of the operands, with [`Id::NONE`] for an absent operand.
    pub inputs: Few<Id>,
    /// The immediates; in a SWITCH, the values of the cases.
    pub immediates: Few<u32>,
    /// For each block, the number of instructions after this instruction up to the end of the block (see `body.rs`). An IF has
    /// two blocks, a LOOP has one, and a SWITCH has one for each case and one for the default.
    pub(crate) ends: Few<u32>,
}

impl Inst {
    /// Creates an instruction without blocks.
    pub fn new(op: Op, output: Id, inputs: &[Id], immediates: &[u32]) -> Inst {
        Inst { op, output, inputs: inputs.into(), immediates: immediates.into(), ends: Few::new() }
    }

    /// Returns the number of instructions in the blocks of the instruction, including nested blocks.
    #[inline]
    pub fn inner(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Returns the component selectors of a SWIZZLE (see [`lanes`]).
    pub fn lanes(&self) -> impl Iterator<Item = u8> + use<> {
        lanes(self.immediates.first().copied().unwrap_or(u32::MAX))
    }
}

/// Returns the component selectors of a `swizvals` word, which are its bytes up to the first byte above 3.
pub fn lanes(swizvals: u32) -> impl Iterator<Item = u8> {
    swizvals.to_le_bytes().into_iter().take_while(|&lane| lane <= 3)
}

/// Returns the `swizvals` word for one to four selectors, with 0xFF in the unused bytes.
pub fn swizvals(lanes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| lanes.get(i).copied().unwrap_or(0xff)))
}

/// Returns the `swizvals` word that selects the first `count` of four components.
pub const fn first_lanes(count: u8) -> u32 {
    match count {
        0 => 0xffff_ffff,
        1 => 0xffff_ff00,
        2 => 0xffff_0100,
        3 => 0xff02_0100,
        _ => 0x0302_0100,
    }
}

/// Decodes the immediate of a TEXTUREOFFSET into an offset in x, y and z, in texels. The immediate's highest byte is ignored.
pub const fn texel_offset(word: u32) -> [i32; 3] {
    let [x, y, z, _] = word.to_le_bytes();
    [x.cast_signed() as i32, y.cast_signed() as i32, z.cast_signed() as i32]
}

/// Encodes an offset in x, y and z, in texels, as the immediate of a TEXTUREOFFSET. Returns `None` if a component of the
/// offset does not fit into a signed byte.
///
/// ```
/// use sdlbc::module::{texel_offset, texel_offset_word};
///
/// assert_eq!(texel_offset_word([1, -2, 0]), Some(0x0000_fe01));
/// assert_eq!(texel_offset(0x0000_fe01), [1, -2, 0]);
/// assert_eq!(texel_offset_word([200, 0, 0]), None);
/// ```
pub fn texel_offset_word(offset: [i32; 3]) -> Option<u32> {
    let mut bytes = [0; 4];
    for (byte, number) in bytes.iter_mut().zip(offset) {
        *byte = i8::try_from(number).ok()?.cast_unsigned();
    }
    Some(u32::from_le_bytes(bytes))
}
