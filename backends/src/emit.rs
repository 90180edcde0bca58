//! Writes a lowered module as SPIR-V words or as text.
//!
//! naga's text writers give a name to every value that is used more than once, and to every read of memory. The plan has
//! already decided which values get a name, so the writers get a module whose `Emit` statements hold only those; they
//! inline the rest. The SPIR-V writer gets the module unchanged.

use naga::back::{glsl as glsl_out, spv, wgsl as wgsl_out};
use naga::{Block, Statement, SwitchCase};
use sdlbc::FunctionKind;

use crate::lower::{Body, Lowered, describe};
use crate::names::GlslStage;
use crate::{Error, Glsl, Target, tidy};

/// Writes a module as SPIR-V words for Vulkan 1.1.
pub(crate) fn spirv(mut lowered: Lowered) -> Result<Vec<u32>, Error> {
    name(&mut lowered);
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
        // An endless loop is the program's own; integer division follows the IR.
        force_loop_bounding: false,
        emit_int_div_checks: true,
        ..spv::Options::default()
    };
    spv::write_vec(&lowered.module, &lowered.info, &options, None).map_err(|error| Error::Internal(describe(&error)))
}

/// Replaces the module's labels by names. An entry point keeps its exact name, since applications look it up by it.
fn name(lowered: &mut Lowered) {
    let named = lowered.names.plain();
    let change = |name: &mut Option<String>| {
        if let Some(given) = name.as_deref().and_then(&named) {
            *name = Some(given);
        }
    };
    let module = &mut lowered.module;
    module.global_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    let handles: Vec<_> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut ty = module.types[handle].clone();
        change(&mut ty.name);
        if let naga::TypeInner::Struct { members, .. } = &mut ty.inner {
            members.iter_mut().for_each(|member| change(&mut member.name));
        }
        // The arena panics if a type is replaced by one that it already holds.
        if ty != module.types[handle] {
            module.types.replace(handle, ty);
        }
    }
    for (entry, name) in module.entry_points.iter_mut().zip(&lowered.entries) {
        entry.name.clone_from(name);
    }
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(module.entry_points.iter_mut().map(|entry| &mut entry.function)) {
        change(&mut function.name);
        function.arguments.iter_mut().for_each(|argument| change(&mut argument.name));
        function.local_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    }
}

/// Writes the module as WGSL.
pub(crate) fn wgsl(lowered: &Lowered) -> Result<String, Error> {
    let module = for_text(lowered);
    let heading = if lowered.diverges { "diagnostic(off, derivative_uniformity);\n\n" } else { "" };
    let text = wgsl_out::write_string(&module, &lowered.info, wgsl_out::WriterFlags::empty())
        .map_err(|error| Error::Internal(describe(&error)))?;
    Ok(heading.to_string() + &lowered.names.resolve(&tidy::wgsl(&text), None))
}

/// Writes one stage of the module as GLSL.
pub(crate) fn glsl(lowered: &Lowered, stage: FunctionKind, version: Glsl) -> Result<String, Error> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Generic => return Err(Error::NoStage(stage)),
    };
    let module = for_text(lowered);
    let entry = module.entry_points.iter().find(|entry| entry.stage == stage).map_or("", |entry| entry.name.as_str());
    let named = GlslStage { entry, variables: lowered.names.variables(stage) };
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
    let pipeline = glsl_out::PipelineOptions { shader_stage: stage, entry_point: entry.to_string(), multiview: None };
    let mut text = String::new();
    glsl_out::Writer::new(&mut text, &module, &lowered.info, &options, &pipeline, Default::default())
        .and_then(|mut writer| writer.write())
        .map_err(|error| match error {
            glsl_out::Error::MissingFeatures(what) => {
                Error::Unsupported { what: format!("{what:?}"), target: Target::Glsl(version) }
            }
            error => Error::Internal(describe(&error)),
        })?;
    let text = tidy::glsl(&without_base_instance(&text), |a, b| named.is_same(a, b));
    Ok(lowered.names.resolve(&text, Some(&named)))
}

/// Counts instances from 0, as GLSL does. naga's writer adds a uniform for the number of the first instance, which no
/// application would know to set.
fn without_base_instance(text: &str) -> String {
    let text = text.replace(&format!("uniform uint {};\n\n", glsl_out::FIRST_INSTANCE_BINDING), "");
    text.replace(&format!("(uint(gl_InstanceID) + {})", glsl_out::FIRST_INSTANCE_BINDING), "uint(gl_InstanceID)")
}

/// Returns the module with `Emit` statements for named values only.
fn for_text(lowered: &Lowered) -> naga::Module {
    let mut module = lowered.module.clone();
    let functions: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    let bodies = functions.into_iter().map(Body::Function).chain((0..module.entry_points.len()).map(Body::Entry));
    for body in bodies {
        let function = body.of(&mut module);
        let zero = lowered.zeroes.get(&body).copied();
        function.body = for_reading(&function.body, &function.named_expressions, zero);
    }
    module
}

type Named = naga::FastIndexMap<naga::Handle<naga::Expression>, String>;

/// Returns the block with `Emit` statements for named values only, and with a `return` of `zero` after each discard if one
/// is needed.
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
