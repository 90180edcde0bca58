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
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use crate::error::Error;

/// Combines each texture with its sampler if `is_omitted` returns true for the binding of the sampler.
pub(crate) fn combined(words: &[u32], is_omitted: impl Fn(u32) -> bool) -> Result<Vec<u32>, Error> {
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(words, &mut loader).map_err(|error| Error::Internal(error.to_string()))?;
    let mut module = loader.module();
    let mut removed = samplers(&module, is_omitted);
    let textures = textures(&module, &removed);
    let types = combined_types(&mut module, &textures);
    code(&mut module, &types, &textures, &mut removed);
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

/// Returns the samplers that are removed. If all samplers are removed, their types are removed too.
fn samplers(module: &Module, is_omitted: impl Fn(u32) -> bool) -> HashSet<Word> {
    let mut types = HashSet::new();
    let (mut removed, mut remain) = (HashSet::new(), false);
    for inst in &module.types_global_values {
        match inst.class.opcode {
            Op::TypeSampler => types.extend(inst.result_id),
            Op::TypePointer if id_at(inst, 1).is_some_and(|of| types.contains(&of)) => types.extend(inst.result_id),
            Op::Variable if inst.result_type.is_some_and(|ty| types.contains(&ty)) => {
                match inst.result_id.filter(|&id| binding(module, id).is_some_and(&is_omitted)) {
                    Some(id) => removed.extend([id]),
                    None => remain = true,
                }
            }
            _ => {}
        }
    }
    if !remain {
        removed.extend(types);
    }
    removed
}

fn binding(module: &Module, variable: Word) -> Option<u32> {
    let is_binding = Operand::Decoration(Decoration::Binding);
    let of = module
        .annotations
        .iter()
        .find(|inst| id_at(inst, 0) == Some(variable) && inst.operands.get(1) == Some(&is_binding))?;
    match of.operands.get(2) {
        Some(&Operand::LiteralBit32(number)) => Some(number),
        _ => None,
    }
}

/// Returns the texture variables that are combined: all but those that are used with a sampler that remains. A texture that is
/// only fetched is combined unless another sampler remains.
fn textures(module: &Module, removed: &HashSet<Word>) -> HashSet<Word> {
    let mut loaded: HashMap<Word, Word> = HashMap::new();
    let (mut sampled, mut separate) = (HashSet::new(), HashSet::new());
    for inst in module.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions) {
        match (inst.class.opcode, inst.result_id, id_at(inst, 0)) {
            (Op::Load, Some(id), Some(variable)) => drop(loaded.insert(id, variable)),
            (Op::SampledImage, _, Some(image)) => {
                let of = |id: Option<Word>| id.and_then(|id| loaded.get(&id).copied());
                let is_removed = of(id_at(inst, 1)).is_some_and(|sampler| removed.contains(&sampler));
                let list = if is_removed { &mut sampled } else { &mut separate };
                list.extend(of(Some(image)));
            }
            _ => {}
        }
    }
    if separate.is_empty() {
        let variables = module.types_global_values.iter().filter(|inst| inst.class.opcode == Op::Variable);
        return variables.filter_map(|inst| inst.result_id).collect();
    }
    sampled
}

/// Changes the types of texture variables to combined types. Returns a map from each image type to its combined type.
fn combined_types(module: &mut Module, textures: &HashSet<Word>) -> HashMap<Word, Word> {
    let mut made: HashMap<Word, Word> = HashMap::new();
    let old = std::mem::take(&mut module.types_global_values);
    // The pointer types of textures that remain separate.
    let is_variable = |inst: &&Instruction| inst.class.opcode == Op::Variable;
    let separate =
        old.iter().filter(is_variable).filter(|inst| inst.result_id.is_none_or(|id| !textures.contains(&id)));
    let separate: HashSet<Word> = separate.filter_map(|inst| inst.result_type).collect();
    // The combined type of each pointer type that remains, and the pointer types to combined types.
    let mut pointed: HashMap<Word, Word> = HashMap::new();
    let mut pointers: HashMap<Word, Word> = HashMap::new();
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
                let combined = id_at(&inst, 1).and_then(|image| made.get(&image)).copied();
                let remains = inst.result_id.filter(|id| separate.contains(id));
                if let (Some(id), Some(pointer)) = (combined, remains) {
                    pointed.insert(pointer, id);
                } else if let Some(id) = combined {
                    inst.operands = vec![Operand::StorageClass(StorageClass::UniformConstant), Operand::IdRef(id)];
                }
            }
            (Op::Variable, Some(variable)) if textures.contains(&variable) => {
                let ty = inst.result_type.unwrap_or_default();
                if let Some(&combined) = pointed.get(&ty) {
                    let pointer = pointers.get(&ty).copied().unwrap_or_else(|| {
                        let id = fresh(module);
                        let operands =
                            vec![Operand::StorageClass(StorageClass::UniformConstant), Operand::IdRef(combined)];
                        module.types_global_values.push(Instruction::new(Op::TypePointer, None, Some(id), operands));
                        id
                    });
                    pointers.insert(ty, pointer);
                    inst.result_type = Some(pointer);
                }
            }
            _ => {}
        }
        module.types_global_values.push(inst);
    }
    made
}

/// Rewrites the functions' instructions, and adds to `removed` the ids that are no longer defined.
fn code(module: &mut Module, types: &HashMap<Word, Word>, textures: &HashSet<Word>, removed: &mut HashSet<Word>) {
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
                Op::Load if textures.contains(&operand) => {
                    let image = inst.result_type.unwrap_or_default();
                    if let (Some(&ty), Some(id)) = (types.get(&image), inst.result_id) {
                        inst.result_type = Some(ty);
                        images.insert(id, image);
                    }
                }
                Op::SampledImage if id_at(&inst, 1).is_some_and(|sampler| removed.contains(&sampler)) => {
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
                    let takes_image =
                        matches!(inst.class.opcode, Op::ImageFetch | Op::ImageQuerySizeLod | Op::SampledImage);
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
