//! From a lowered module to SPIR-V words and to text.
//!
//! naga's text writers give a name to every value that more than one place uses, and to every read of memory. What gets
//! a name has been planned, so the writers are shown a module whose `Emit` statements hold the named values alone;
//! the rest they write where it is used. The SPIR-V writer takes the module as it is.

use std::collections::HashMap;

use naga::back::{glsl as glsl_out, spv, wgsl as wgsl_out};
use naga::{Block, Statement, SwitchCase};
use rspirv::binary::Disassemble;
use sdlbc::FunctionKind;

use crate::lower::{Body, Lowered, describe};
use crate::names::StandIns;
use crate::{Error, Glsl, Target, tidy};

/// The SPIR-V words of a module, for Vulkan 1.1.
pub(crate) fn spirv(lowered: &Lowered) -> Result<Vec<u32>, Error> {
    let options = spv::Options {
        lang_version: (1, 3),
        // The position is adjusted and the depth clamped in the module.
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        fake_missing_bindings: false,
        binding_map: lowered
            .module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| variable.binding)
            .map(|at| {
                (at, spv::BindingInfo { descriptor_set: at.group, binding: at.binding, binding_array_size: None })
            })
            .collect(),
        bounds_check_policies: naga::proc::BoundsCheckPolicies {
            index: naga::proc::BoundsCheckPolicy::Unchecked, // indices are clamped in the module
            buffer: naga::proc::BoundsCheckPolicy::Unchecked,
            image_load: naga::proc::BoundsCheckPolicy::Unchecked,
            binding_array: naga::proc::BoundsCheckPolicy::Unchecked,
        },
        // A loop that does not end is the program's own; ints are divided as the IR says.
        force_loop_bounding: false,
        emit_int_div_checks: true,
        ..spv::Options::default()
    };
    spv::write_vec(&lowered.module, &lowered.info, &options, None).map_err(|error| Error::Internal(describe(&error)))
}

/// SPIR-V words as text.
///
/// # Errors
/// The words are no SPIR-V.
pub fn spirv_assembly(words: &[u32]) -> Result<String, Error> {
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(words, &mut loader).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(loader.module().disassemble() + "\n")
}

/// The module as WGSL.
pub(crate) fn wgsl(lowered: &Lowered) -> Result<String, Error> {
    let (module, names) = for_text(lowered);
    let heading = if lowered.diverges { "diagnostic(off, derivative_uniformity);\n\n" } else { "" };
    let text = wgsl_out::write_string(&module, &lowered.info, wgsl_out::WriterFlags::empty())
        .map_err(|error| Error::Internal(describe(&error)))?;
    Ok(heading.to_string() + &tidy::wgsl(&names.restore(&text)))
}

/// One stage of the module as GLSL.
pub(crate) fn glsl(lowered: &Lowered, stage: FunctionKind, version: Glsl) -> Result<String, Error> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Generic => return Err(Error::NoStage(stage)),
    };
    let (module, mut names) = for_text(lowered);
    for (written, name) in lowered.interface.names(&lowered.module) {
        names.replace(written, name);
    }
    // naga numbers the blocks; one alone needs no number.
    for block in ["VertexConstants", "FragmentConstants"] {
        let named = |ty: naga::Handle<naga::Type>| module.types[ty].name.as_deref() == Some(block);
        if module.global_variables.iter().filter(|(_, variable)| named(variable.ty)).count() == 1 {
            (0..8).for_each(|id| names.replace(&format!("{block}_block_{id}{stage:?}"), block));
        }
    }
    let entry_point = module.entry_points.iter().find(|entry| entry.stage == stage).map(|entry| entry.name.clone());
    let options = glsl_out::Options {
        version: match version {
            Glsl::Core450 => glsl_out::Version::Desktop(450),
            Glsl::Core330 => glsl_out::Version::Desktop(330),
            Glsl::Es300 => glsl_out::Version::new_gles(300),
        },
        writer_flags: glsl_out::WriterFlags::empty(),
        binding_map: lowered.bindings.iter().copied().collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl_out::PipelineOptions {
        shader_stage: stage,
        entry_point: entry_point.unwrap_or_default(),
        multiview: None,
    };
    let mut text = String::new();
    glsl_out::Writer::new(&mut text, &module, &lowered.info, &options, &pipeline, Default::default())
        .and_then(|mut writer| writer.write())
        .map_err(|error| match error {
            glsl_out::Error::MissingFeatures(what) => {
                Error::Unsupported { what: format!("{what:?}"), target: Target::Glsl(version) }
            }
            error => Error::Internal(describe(&error)),
        })?;
    Ok(tidy::glsl(&names.restore(&without_base_instance(&text))))
}

/// The text with instances counted from 0, as GLSL counts them. naga's writer adds a uniform of its own, for the first one's
/// number, that nobody would know to set.
fn without_base_instance(text: &str) -> String {
    let text = text.replace(&format!("uniform uint {};\n\n", glsl_out::FIRST_INSTANCE_BINDING), "");
    text.replace(&format!("(uint(gl_InstanceID) + {})", glsl_out::FIRST_INSTANCE_BINDING), "uint(gl_InstanceID)")
}

/// The module with stand-ins for names and `Emit` statements for named values alone.
fn for_text(lowered: &Lowered) -> (naga::Module, StandIns) {
    let mut names = StandIns::default();
    let mut module = lowered.module.clone();
    let mut change = |name: &mut Option<String>| {
        if let Some(name) = name {
            *name = names.stand_in(name);
        }
    };
    for (_, variable) in module.global_variables.iter_mut() {
        change(&mut variable.name);
    }
    let handles: Vec<_> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut ty = module.types[handle].clone();
        if let naga::TypeInner::Struct { members, .. } = &mut ty.inner {
            members.iter_mut().for_each(|member| change(&mut member.name));
            // The arena has no room for a type that it has.
            if ty != module.types[handle] {
                module.types.replace(handle, ty);
            }
        }
    }
    let functions: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    let bodies = functions.into_iter().map(Body::Function).chain((0..module.entry_points.len()).map(Body::Entry));
    let mut results = HashMap::new();
    for body in bodies {
        let function = match body {
            Body::Function(handle) => &mut module.functions[handle],
            Body::Entry(index) => &mut module.entry_points[index].function,
        };
        let mut change = |name: &mut Option<String>| {
            if let Some(name) = name {
                *name = names.stand_in(name);
            }
        };
        change(&mut function.name);
        function.arguments.iter_mut().for_each(|argument| change(&mut argument.name));
        function.local_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
        let named = std::mem::take(&mut function.named_expressions);
        let zero = lowered.zeroes.get(&body).copied();
        function.body = for_reading(&function.body, &named, zero);
        for (handle, name) in named {
            if matches!(function.expressions[handle], naga::Expression::CallResult(_)) {
                // naga calls these by their number, whatever they are named; so where two functions name one number
                // differently, it stays.
                let written = format!("_e{}", handle.index());
                let known: &mut String = results.entry(written.clone()).or_insert_with(|| name.clone());
                if *known != name {
                    known.clear();
                }
                let name = if known.is_empty() { written.clone() } else { name };
                names.replace(&written, &name);
            } else {
                let name = names.stand_in(&name);
                function.named_expressions.insert(handle, name);
            }
        }
    }
    (module, names)
}

type Named = naga::FastIndexMap<naga::Handle<naga::Expression>, String>;

/// The block with `Emit` statements for named values alone, and behind each discard what is returned there, if anything
/// is to be.
fn for_reading(block: &Block, named: &Named, zero: Option<Option<naga::Handle<naga::Expression>>>) -> Block {
    let mut read = Block::with_capacity(block.len());
    for (statement, &span) in block.span_iter() {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone().filter(|handle| named.contains_key(handle)) {
                    read.push(Statement::Emit(naga::Range::new_from_bounds(handle, handle)), span);
                }
            }
            Statement::If { condition, accept, reject } => {
                let [accept, reject] = [accept, reject].map(|arm| for_reading(arm, named, zero));
                read.push(Statement::If { condition: *condition, accept, reject }, span);
            }
            Statement::Loop { body, .. } => {
                let body = for_reading(body, named, zero);
                read.push(Statement::Loop { body, continuing: Block::new(), break_if: None }, span);
            }
            Statement::Switch { selector, cases } => {
                let cases = cases.iter().map(|case| SwitchCase {
                    value: case.value,
                    body: for_reading(&case.body, named, zero),
                    fall_through: case.fall_through,
                });
                read.push(Statement::Switch { selector: *selector, cases: cases.collect() }, span);
            }
            other => read.push(other.clone(), span),
        }
        if let (Statement::Kill, Some(value)) = (statement, zero) {
            read.push(Statement::Return { value }, span);
        }
    }
    read
}
