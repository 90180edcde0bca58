//! Renumbers the bindings in SPIR-V as wgpu does.

use std::collections::{BTreeSet, HashMap};

use super::interface::{Interface, Places};
use crate::Failure;

/// Renumbers the bindings of each descriptor set from 0 without gaps, keeping their order, as wgpu does for Vulkan.
pub(super) fn number_bindings(words: &mut [u32], interface: &Interface, places: Places) -> Result<(), Failure> {
    const BINDING: u32 = 33;
    const DESCRIPTOR_SET: u32 = 34;
    let textures = interface.textures.iter().map(|texture| places.of_texture(texture, &interface.textures));
    let textures = textures.flat_map(|(group, binding)| [(group, binding), (group, binding + 1)]);
    let uniforms = interface.uniforms.iter().map(|uniform| places.of_uniform(uniform));
    let buffers = interface.buffers.iter().map(|buffer| buffer.binding());
    let stored = buffers.chain(interface.images.iter().map(|image| image.binding()));
    let known: BTreeSet<(u32, u32)> = uniforms.chain(textures).chain(stored.map(|binding| (0, binding))).collect();
    let mut sets = HashMap::new();
    decorations(words, DESCRIPTOR_SET, |variable, set| {
        sets.insert(variable, *set);
        Ok(())
    })?;
    decorations(words, BINDING, |variable, binding| {
        let set = sets.get(&variable).copied().unwrap_or_default();
        if !known.contains(&(set, *binding)) {
            let place = format!("binding {binding} of set {set}");
            return Err(Failure::Broken(format!("SPIR-V uses {place}, which has no resource")));
        }
        *binding = known.range((set, 0)..(set, *binding)).count() as u32;
        Ok(())
    })
}

/// For each decoration of one kind, calls a function with the decorated variable and the literal operand.
fn decorations(
    words: &mut [u32],
    kind: u32,
    mut change: impl FnMut(u32, &mut u32) -> Result<(), Failure>,
) -> Result<(), Failure> {
    const HEADER: usize = 5;
    const OP_DECORATE: u32 = 71;
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        if let Some([head, variable, of, operand]) = words.get_mut(at..at + 4)
            && (*head & 0xffff, *of) == (OP_DECORATE, kind)
        {
            change(*variable, operand)?;
        }
        at += (first >> 16).max(1) as usize;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sdlbc::{Dimension, FunctionKind, Sampler, Texel};

    use super::*;
    use crate::witness::interface::Sampled;

    #[test]
    fn bindings_are_renumbered_without_gaps_and_an_unknown_one_is_an_error() {
        let slot = |slot| Sampled {
            stage: FunctionKind::Fragment,
            slot,
            dimension: Dimension::D2,
            texel: Texel::Float,
            sampler: Sampler::default(),
        };
        let interface = Interface { textures: vec![slot(3), slot(1)], ..Interface::default() };
        let decorations = |bindings: [u32; 4]| {
            let header = [0x0723_0203, 0x1_0300, 0, 9, 0];
            let decorate = |binding| [4 << 16 | 71, 5, 33, binding];
            let location = [4 << 16 | 71, 5, 30, 99];
            [&header[..], &location, &bindings.map(decorate).concat()].concat()
        };
        let mut words = decorations([8, 5, 4, 9]);
        assert!(number_bindings(&mut words, &interface, Places::Stage3d).is_ok());
        assert_eq!(words, decorations([2, 1, 0, 3]));
        assert!(matches!(
            number_bindings(&mut decorations([4, 5, 8, 10]), &interface, Places::Stage3d),
            Err(Failure::Broken(_))
        ));
    }
}
