//! Instructions, ids of values, and immediates whose bytes are separate numbers.
//!
//! Rule: an instruction without its blocks is independent of the code around it; [`Body`](crate::Body) nests instructions.

use std::fmt;

use smallvec::SmallVec;

use crate::Op;

/// The number of a value in its function; 0 means no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// No value: a result that is not stored, or an absent operand.
    pub const NONE: Id = Id(0);

    /// Whether this is the id of a value.
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// A count or an index as a word. Only a module with gigabytes of code has a number that does not fit, and the result is then
/// above every limit.
#[inline]
pub(crate) fn word(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A list that needs no allocation while it has at most four elements.
pub type Few<T> = SmallVec<[T; 4]>;

/// An instruction. The numbers of its inputs, immediates and blocks follow its [`Shape`](crate::Shape).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// The id of the result; [`Id::NONE`] if there is none or it is not stored.
    pub output: Id,
    /// The ids of the operands.
    pub inputs: Few<Id>,
    /// The immediates; in a SWITCH, the values of its cases.
    pub immediates: Few<u32>,
    /// The end of each block: the number of instructions from this one to the end of the block (`body.rs`). An IF has two
    /// blocks, a LOOP one, and a SWITCH one for each case and the default.
    pub(crate) ends: Few<u32>,
}

impl Inst {
    /// An instruction without blocks.
    pub fn new(op: Op, output: Id, inputs: &[Id], immediates: &[u32]) -> Inst {
        Inst { op, output, inputs: inputs.into(), immediates: immediates.into(), ends: Few::new() }
    }

    /// The number of instructions in the blocks.
    #[inline]
    pub fn inner(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// The component selectors of a SWIZZLE (see [`lanes`]).
    pub fn lanes(&self) -> impl Iterator<Item = u8> + use<> {
        lanes(self.immediates.first().copied().unwrap_or(u32::MAX))
    }
}

/// The selectors of a `swizvals` word: eight bits each, up to the first byte above 3.
pub fn lanes(swizvals: u32) -> impl Iterator<Item = u8> {
    swizvals.to_le_bytes().into_iter().take_while(|&lane| lane <= 3)
}

/// The `swizvals` word for one to four selectors; unused bytes are 0xFF.
pub fn swizvals(lanes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| lanes.get(i).copied().unwrap_or(0xff)))
}

/// The `swizvals` word for the first `count` of the four components.
pub const fn first_lanes(count: u8) -> u32 {
    match count {
        0 => 0xffff_ffff,
        1 => 0xffff_ff00,
        2 => 0xffff_0100,
        3 => 0xff02_0100,
        _ => 0x0302_0100,
    }
}

/// The offset of a TEXTUREOFFSET in x, y and z, from the bytes of its immediate. The highest byte is ignored.
pub const fn texel_offset(word: u32) -> [i32; 3] {
    let [x, y, z, _] = word.to_le_bytes();
    [x.cast_signed() as i32, y.cast_signed() as i32, z.cast_signed() as i32]
}

/// The immediate of a TEXTUREOFFSET with this offset in x, y and z; `None` if a number does not fit into a signed byte.
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
