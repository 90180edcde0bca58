//! Reads a source with naga, and validates the resulting module.
//!
//! Every error of naga becomes a [`Refusal`]. A panic in naga's readers is a fault of naga, and also becomes a refusal.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Span};
use sdlbc::FunctionKind;

use crate::Source;
use crate::mend::buffers::with_readable_buffers;
use crate::mend::glsl::{continue_in_do, effect_of_operand, effect_of_target, too_deep, word};
use crate::mend::{aliases, member_loads};
use crate::summary::Summaries;
use sdlbc::front::{Refusal, RefusalKind};

pub(crate) struct Parsed {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
}

/// Reads and validates a source, with the mends of `mend/`.
pub(crate) fn parse(source: &Source<'_>) -> Result<Parsed, Vec<Refusal>> {
    if let Some(place) = too_deep(source.text()) {
        let what = "the code here is nested too deeply, or has too many operators in a row".to_string();
        return Err(vec![Refusal::new(RefusalKind::Limit { what }, Some(place))]);
    }
    let read = catch_unwind(AssertUnwindSafe(|| {
        let module = match *source {
            Source::Wgsl(text) => wgsl(text),
            Source::Glsl { text, stage } => glsl(text, stage).map(with_readable_buffers),
        }?;
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        match validator.validate(&module) {
            Ok(info) => Ok(Parsed { module, info }),
            Err(error) => {
                let bytes = error.spans().find_map(|(span, _)| span.to_range());
                Err(vec![Refusal::new(RefusalKind::Invalid { message: chain(error.as_inner()) }, bytes)])
            }
        }
    }));
    read.unwrap_or_else(|_| {
        let message = "naga's reader failed on this source".to_string();
        Err(vec![Refusal::new(RefusalKind::Unreadable { message }, None)])
    })
}

fn wgsl(text: &str) -> Result<Module, Vec<Refusal>> {
    naga::front::wgsl::parse_str(text).map_err(|error| {
        let bytes = error.labels().find_map(|(span, _)| span.to_range());
        let notes = error.notes().map(|note| format!("; {note}"));
        let message = std::iter::once(error.message().to_string()).chain(notes).collect();
        vec![Refusal::new(RefusalKind::Unreadable { message }, bytes)]
    })
}

fn glsl(text: &str, stage: FunctionKind) -> Result<Module, Vec<Refusal>> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Compute => naga::ShaderStage::Compute,
        FunctionKind::Generic => {
            return Err(vec![Refusal::new(RefusalKind::NoEntry { name: String::new() }, None)]);
        }
    };
    refuse(
        continue_in_do(text),
        "a `continue` in a `do` loop, which naga reads without the loop's condition; write a `while` loop",
    )?;
    refuse(
        word(text, "texelFetchOffset"),
        "`texelFetchOffset`, which naga reads without the offset; add the offset to the coordinate",
    )?;
    refuse(
        word(text, "gl_ClipDistance"),
        "`gl_ClipDistance`, which naga reads as varyings; WGSL and SPIR-V have clip distances",
    )?;
    let mut module = naga::front::glsl::Frontend::default().parse(&stage.into(), text).map_err(|errors| {
        use naga::front::glsl::ErrorKind::{InvalidProfile, InvalidVersion};
        // After an error about the version or profile, naga reads the source as another version of GLSL, so all other errors are
        // ignored.
        let is_other = |error: &&naga::front::glsl::Error| matches!(error.kind, InvalidVersion(_) | InvalidProfile(_));
        if let Some(error) = errors.errors.iter().find(is_other) {
            let message = match &error.kind {
                InvalidVersion(version) => format!("GLSL {version} is not supported"),
                _ => "this profile of GLSL is not supported".to_string(),
            };
            let message =
                format!("{message}: write the shader for Vulkan, with `#version 450` (440, 450 and 460 are supported)");
            return vec![Refusal::new(RefusalKind::Unreadable { message }, Span::to_range(error.meta))];
        }
        let refusal = |error: &naga::front::glsl::Error| {
            let message = error.kind.to_string();
            Refusal::new(RefusalKind::Unreadable { message }, Span::to_range(error.meta))
        };
        errors.errors.iter().map(refusal).collect::<Vec<_>>()
    })?;
    member_loads::load_members(&mut module);
    refuse(
        aliases::passed_twice(&module),
        "one variable passed twice as `inout` or `out`, which naga does not copy; pass a copy",
    )?;
    let effects = effects(&module);
    refuse(
        effect_of_operand(text, &effects),
        "an effect on the right of `&&` or `||`, which naga always executes; write an `if`",
    )?;
    refuse(
        effect_of_target(text, &effects),
        "a side effect in the target of a compound assignment, which naga executes twice; compute the index beforehand",
    )?;
    Ok(module)
}

/// Returns a refusal of the construct `name` if the source contains the construct, in which case `place` is its byte range.
fn refuse(place: Option<Range<usize>>, name: &str) -> Result<(), Vec<Refusal>> {
    match place {
        Some(_) => Err(vec![Refusal::new(RefusalKind::Operation { name: name.to_string() }, place)]),
        None => Ok(()),
    }
}

fn effects(module: &Module) -> BTreeSet<&str> {
    let summaries = Summaries::new(module, false);
    let functions = module.functions.iter().filter(|(handle, _)| summaries.of(*handle).effects);
    functions.filter_map(|(_, function)| function.name.as_deref()).collect()
}

/// Returns the messages of an error and all its causes.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}
