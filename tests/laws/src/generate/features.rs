//! Features that a random module may use.

use sdlbc::{Addition, Op, limits};
use testing::Random;

use super::dice::Dice;

/// The share of operations in a module's palette: one in `PALETTE`.
pub(super) const PALETTE: usize = 8;

/// Whether the module with this key may have an addition that is not an operation. As for operations, other modules stay unchanged.
fn may_have(key: u32, addition: Addition) -> bool {
    Random::of(key.into(), &[u64::MAX, addition.number().into()]).once_in(PALETTE)
}

/// Features of a module.
#[derive(Debug)]
pub(super) struct Features {
    /// The palette: the operations for instructions that compute something.
    pub(super) operations: Vec<Op>,
    /// 16-bit floats.
    pub(super) halves: bool,
    /// Infinities and NaNs as literals.
    pub(super) specials: bool,
    /// The point size and the point coordinate.
    pub(super) points: bool,
    /// Names that need escaping or are unusual.
    pub(super) odd_names: bool,
    /// Ids that are not consecutive.
    pub(super) odd_ids: bool,
    /// Nesting depth of blocks.
    pub(super) depth: usize,
    /// The number of render targets.
    pub(super) targets: u32,
    /// Uniforms with a place in a buffer.
    pub(super) places: bool,
    /// Clip distances.
    pub(super) clips: bool,
    /// Only what AGAL can express.
    pub(super) plain: bool,
}

/// The operations of plain modules.
const PLAIN: [Op; 17] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::Min,
    Op::Max,
    Op::Abs,
    Op::Negate,
    Op::Fract,
    Op::Select,
    Op::Swizzle,
    Op::Vector,
    Op::LessThan,
    Op::LessThanOrEqual,
    Op::GreaterThan,
    Op::GreaterThanOrEqual,
    Op::Equal,
    Op::NotEqual,
];

impl Features {
    pub(super) fn new(dice: &mut Dice<'_, '_>, key: u32, operations: Vec<Op>) -> Features {
        Features {
            operations,
            halves: dice.one_in(8),
            specials: dice.one_in(10),
            points: dice.one_in(8),
            odd_names: dice.one_in(2),
            odd_ids: dice.one_in(5),
            depth: 1 + dice.below(6),
            targets: if may_have(key, Addition::ColourTargets) { limits::TARGETS } else { 4 },
            places: may_have(key, Addition::PlacedUniforms),
            clips: may_have(key, Addition::ClipDistances),
            plain: false,
        }
    }

    pub(super) fn plain(dice: &mut Dice<'_, '_>) -> Features {
        Features {
            operations: PLAIN.to_vec(),
            halves: false,
            specials: false,
            points: false,
            odd_names: false,
            odd_ids: dice.one_in(5),
            depth: 1 + dice.below(4),
            targets: 1,
            places: false,
            clips: false,
            plain: true,
        }
    }
}
