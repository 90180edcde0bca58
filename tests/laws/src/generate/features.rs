//! The features that a random module may use.

use sdlbc::{Addition, Op, limits};
use testing::Random;

use super::dice::Dice;

/// The reciprocal of an operation's probability of being in a module's palette.
pub(super) const PALETTE: usize = 8;

/// Reports whether the module with this key may use an addition to the format other than an operation. All other modules stay
/// unchanged when the addition is introduced.
fn may_have(key: u32, addition: Addition) -> bool {
    Random::of(key.into(), &[u64::MAX, addition.number().into()]).once_in(PALETTE)
}

#[derive(Debug)]
pub(super) struct Features {
    /// The palette: the operations for instructions that compute a value.
    pub(super) operations: Vec<Op>,
    /// Whether the module may use half-precision floats.
    pub(super) halves: bool,
    /// Whether literals may be infinities and NaNs.
    pub(super) specials: bool,
    /// Whether the module may use the point size and the point coordinate.
    pub(super) points: bool,
    /// Whether names may be unusual or need escaping.
    pub(super) odd_names: bool,
    /// Whether ids are scattered instead of consecutive.
    pub(super) odd_ids: bool,
    /// The maximum nesting depth of blocks.
    pub(super) depth: usize,
    pub(super) targets: u32,
    /// Whether uniforms are placed in buffers.
    pub(super) places: bool,
    /// Whether the vertex function may write clip distances.
    pub(super) clips: bool,
    /// Whether colours may be ints.
    pub(super) integer_colours: bool,
    /// Whether the module contains only what AGAL can express.
    pub(super) plain: bool,
}

/// The operations that plain modules may use.
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
            integer_colours: may_have(key, Addition::IntegerColours),
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
            integer_colours: false,
            plain: true,
        }
    }
}
