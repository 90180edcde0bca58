//! Combines each texture of a SPIR-V module with its sampler.
//!
//! naga writes a texture and its sampler as two variables and combines them at each sample with OpSampledImage. This pass gives
//! the texture's variable the combined type, and removes the sampler. A value loaded from the texture's variable replaces the
//! result of OpSampledImage, and a fetch extracts the image from the loaded value with OpImage. Every sampler in a lowered module
//! belongs to exactly one texture.
//!
//! Upstream fault `separate_samplers`: `BlockContext::write_image_sample` in `back/spv/image.rs` always writes OpSampledImage for
//! two variables, because naga's modules have no combined samplers, and no option adds them.

use std::collections::{HashMap, HashSet};

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

use crate::error::Error;

pub(crate) fn combined(words: &[u32]) -> Result<Vec<u32>, Error> {
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(words, &mut loader).map_err(|error| Error::Internal(error.to_string()))?;
    let mut module = loader.module();
    let mut removed = samplers(&module);
    let types = combined_types(&mut module);
    code(&mut module, &types, &mut removed);
    remove(&mut module, &removed);
    Ok(module.assemble())
}

fn id_at(inst: &Instruction, at: usize) -> Option<Word> {
    inst.operands.get(at).and_then(Operand::id_ref_any)
}

fn is_uniform_constant(inst: &Instruction) -> bool {
    inst.operands.first() == Some(&Operand::StorageClass(StorageClass::UniformConstant))
}

/// Reports whether a type is an image type for storage textures, which have no samplers.
fn is_storage(inst: &Instruction) -> bool {
    inst.operands.get(5) == Some(&Operand::LiteralBit32(2))
}

fn fresh(module: &mut Module) -> Word {
    let Some(header) = &mut module.header else { return 0 };
    header.bound += 1;
    header.bound - 1
}

fn samplers(module: &Module) -> HashSet<Word> {
    let mut removed = HashSet::new();
    for inst in &module.types_global_values {
        let is_gone = match inst.class.opcode {
            Op::TypeSampler => true,
            Op::TypePointer => id_at(inst, 1).is_some_and(|of| removed.contains(&of)),
            Op::Variable => inst.result_type.is_some_and(|ty| removed.contains(&ty)),
            _ => false,
        };
        if is_gone {
            removed.extend(inst.result_id);
        }
    }
    removed
}

/// Changes the types of texture variables to combined types. Returns a map from each image type to its combined type.
fn combined_types(module: &mut Module) -> HashMap<Word, Word> {
    let mut made: HashMap<Word, Word> = HashMap::new();
    let old = std::mem::take(&mut module.types_global_values);
    for inst in old.iter().filter(|inst| inst.class.opcode == Op::TypeSampledImage) {
        if let (Some(image), Some(id)) = (id_at(inst, 0), inst.result_id) {
            made.insert(image, id);
        }
    }
    for mut inst in old {
        match (inst.class.opcode, inst.result_id) {
            // A combined type is declared right after its image type.
            (Op::TypeSampledImage, _) => continue,
            (Op::TypeImage, Some(image)) if !is_storage(&inst) => {
                let id = made.get(&image).copied().unwrap_or_else(|| fresh(module));
                made.insert(image, id);
                module.types_global_values.push(inst);
                let operands = vec![Operand::IdRef(image)];
                module.types_global_values.push(Instruction::new(Op::TypeSampledImage, None, Some(id), operands));
                continue;
            }
            (Op::TypePointer, _) if is_uniform_constant(&inst) => {
                if let Some(&id) = id_at(&inst, 1).and_then(|image| made.get(&image)) {
                    inst.operands = vec![Operand::StorageClass(StorageClass::UniformConstant), Operand::IdRef(id)];
                }
            }
            _ => {}
        }
        module.types_global_values.push(inst);
    }
    made
}

/// Rewrites the functions' instructions, and adds to `removed` the ids that are no longer defined.
fn code(module: &mut Module, types: &HashMap<Word, Word>, removed: &mut HashSet<Word>) {
    let mut functions = std::mem::take(&mut module.functions);
    // The image type of each value that now includes a sampler, and the replacement of each OpSampledImage.
    let mut images: HashMap<Word, Word> = HashMap::new();
    let mut replaced: HashMap<Word, Word> = HashMap::new();
    for block in functions.iter_mut().flat_map(|function| &mut function.blocks) {
        for mut inst in std::mem::take(&mut block.instructions) {
            let operand = id_at(&inst, 0).unwrap_or_default();
            match inst.class.opcode {
                Op::Load if removed.contains(&operand) => {
                    removed.extend(inst.result_id);
                    continue;
                }
                Op::Load => {
                    let image = inst.result_type.unwrap_or_default();
                    if let (Some(&ty), Some(id)) = (types.get(&image), inst.result_id) {
                        inst.result_type = Some(ty);
                        images.insert(id, image);
                    }
                }
                Op::SampledImage => {
                    replaced.extend(inst.result_id.map(|id| (id, operand)));
                    removed.extend(inst.result_id);
                    continue;
                }
                _ => {
                    for operand in &mut inst.operands {
                        if let Some(&by) = operand.id_ref_any().and_then(|id| replaced.get(&id)) {
                            *operand = Operand::IdRef(by);
                        }
                    }
                    let takes_image = matches!(inst.class.opcode, Op::ImageFetch | Op::ImageQuerySizeLod);
                    if let Some(&image) = images.get(&operand).filter(|_| takes_image) {
                        let id = fresh(module);
                        let operands = vec![Operand::IdRef(operand)];
                        block.instructions.push(Instruction::new(Op::Image, Some(image), Some(id), operands));
                        if let Some(first) = inst.operands.first_mut() {
                            *first = Operand::IdRef(id);
                        }
                    }
                }
            }
            block.instructions.push(inst);
        }
    }
    module.functions = functions;
}

/// Removes every declaration, name, decoration and entry point operand of the ids in `removed`.
fn remove(module: &mut Module, removed: &HashSet<Word>) {
    module.types_global_values.retain(|inst| inst.result_id.is_none_or(|id| !removed.contains(&id)));
    let about = |inst: &Instruction| id_at(inst, 0).is_none_or(|id| !removed.contains(&id));
    module.debug_names.retain(about);
    module.annotations.retain(about);
    for entry in &mut module.entry_points {
        entry.operands.retain(|operand| operand.id_ref_any().is_none_or(|id| !removed.contains(&id)));
    }
}
