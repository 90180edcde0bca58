//! What makes two instructions compute the same: the key by which the builder finds common subexpressions. The few operands that
//! most operations have take no memory of their own.

use std::hash::{Hash, Hasher};

use crate::{Id, Op};

/// An operation with its operands and immediates.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    /// With up to four of each; the rest is zero.
    Small {
        op: Op,
        counts: [u8; 2],
        inputs: [Id; 4],
        immediates: [u32; 4],
    },
    Large {
        op: Op,
        inputs: Box<[Id]>,
        immediates: Box<[u32]>,
    },
}

impl Key {
    pub(crate) fn new(op: Op, inputs: &[Id], immediates: &[u32]) -> Key {
        if inputs.len() > 4 || immediates.len() > 4 {
            return Key::Large { op, inputs: inputs.into(), immediates: immediates.into() };
        }
        let (mut ids, mut words) = ([Id::NONE; 4], [0; 4]);
        ids.iter_mut().zip(inputs).for_each(|(place, id)| *place = *id);
        words.iter_mut().zip(immediates).for_each(|(place, word)| *place = *word);
        let counts = [inputs.len(), immediates.len()].map(|count| u8::try_from(count).unwrap_or(4));
        Key::Small { op, counts, inputs: ids, immediates: words }
    }

    fn parts(&self) -> (Op, &[Id], &[u32]) {
        match self {
            Key::Small { op, counts: [ids, words], inputs, immediates } => (
                *op,
                inputs.get(..usize::from(*ids)).unwrap_or_default(),
                immediates.get(..usize::from(*words)).unwrap_or_default(),
            ),
            Key::Large { op, inputs, immediates } => (*op, inputs, immediates),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (op, inputs, immediates) = self.parts();
        state.write_u64((op as u64) << 32 | inputs.len() as u64);
        inputs.iter().for_each(|id| state.write_u32(id.0));
        immediates.iter().for_each(|word| state.write_u32(*word));
    }
}
