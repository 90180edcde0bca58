//! Reads a source with naga, and validates what naga read.
//!
//! Whatever naga says becomes a [`Refusal`]. naga's readers are written not to panic; if one does, that is a refusal as well.

use std::collections::BTreeSet;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use front::Stage;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{BinaryOperator, Expression, Span};

use crate::Source;
use crate::error::{Refusal, RefusalKind};
use crate::summary::Summaries;

/// A module of naga's that is valid.
pub(crate) struct Parsed {
    pub(crate) module: naga::Module,
    pub(crate) info: ModuleInfo,
}

/// See the file.
pub(crate) fn parse(source: &Source<'_>) -> Result<Parsed, Vec<Refusal>> {
    if let Some(place) = source.text().and_then(crate::glsl::too_deep) {
        let what = "this nests deeper, or has more operators in a row, than is read".to_string();
        return Err(vec![Refusal::new(RefusalKind::Limit { what }, Some(place))]);
    }
    let read = catch_unwind(AssertUnwindSafe(|| {
        let module = match *source {
            Source::Wgsl(text) => wgsl(text),
            Source::Glsl { text, stage } => glsl(text, stage),
            Source::Spirv(bytes) => spirv(bytes),
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

fn wgsl(text: &str) -> Result<naga::Module, Vec<Refusal>> {
    naga::front::wgsl::parse_str(text).map_err(|error| {
        let bytes = error.labels().find_map(|(span, _)| span.to_range());
        let notes = error.notes().map(|note| format!("; {note}"));
        let message = std::iter::once(error.message().to_string()).chain(notes).collect();
        vec![Refusal::new(RefusalKind::Unreadable { message }, bytes)]
    })
}

fn glsl(text: &str, stage: Stage) -> Result<naga::Module, Vec<Refusal>> {
    let stage = match stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        Stage::Fragment => naga::ShaderStage::Fragment,
    };
    if let Some(place) = crate::glsl::continue_in_do(text) {
        let name = "a `continue` in a `do` loop as naga reads it, without the loop's condition; write a `while` loop"
            .to_string();
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, Some(place))]);
    }
    let module = naga::front::glsl::Frontend::default().parse(&stage.into(), text).map_err(|errors| {
        let refusal = |error: &naga::front::glsl::Error| {
            let message = error.kind.to_string();
            Refusal::new(RefusalKind::Unreadable { message }, Span::to_range(error.meta))
        };
        errors.errors.iter().map(refusal).collect::<Vec<_>>()
    })?;
    let effects = effects(&module);
    let of_operand = crate::glsl::effect_of_operand(text, &effects);
    let name = match (&of_operand, crate::glsl::effect_of_target(text, &effects)) {
        (Some(_), _) => "an effect on the right of `&&` or `||` as naga reads it, always; write an `if`",
        (None, Some(_)) => {
            "an effect in the target of a compound assignment as naga reads it, twice; write the index before"
        }
        (None, None) => return Ok(module),
    };
    let place = of_operand.or_else(|| crate::glsl::effect_of_target(text, &effects));
    Err(vec![Refusal::new(RefusalKind::Operation { name: name.to_string() }, place)])
}

/// The names of the functions of which a call does more than to return a value.
fn effects(module: &naga::Module) -> BTreeSet<&str> {
    let summaries = Summaries::new(module, false);
    let functions = module.functions.iter().filter(|(handle, _)| summaries.of(*handle).effects);
    functions.filter_map(|(_, function)| function.name.as_deref()).collect()
}

fn spirv(bytes: &[u8]) -> Result<naga::Module, Vec<Refusal>> {
    let swapped: Vec<u8>;
    let bytes = if bytes.starts_with(&[0x07, 0x23, 0x02, 0x03]) {
        swapped = bytes.chunks(4).flat_map(|word| word.iter().rev()).copied().collect();
        &swapped
    } else {
        bytes
    };
    // What naga reads without knowing its capability is validated all the same.
    // The position is turned where the entry point ends.
    let options =
        naga::front::spv::Options { strict_capabilities: false, adjust_coordinate_space: false, ..Default::default() };
    let mut module = naga::front::spv::parse_u8_slice(bytes, &options)
        .map_err(|error| vec![Refusal::new(RefusalKind::Unreadable { message: chain(&error) }, None)])?;
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    functions.chain(entries).for_each(without_logical);
    Ok(module)
}

/// Replaces operations on bools that naga's reader makes of SPIR-V's, but which naga has for scalars alone.
fn without_logical(function: &mut naga::Function) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::Binary { op, .. } = expression {
            match op {
                BinaryOperator::LogicalAnd => *op = BinaryOperator::And,
                BinaryOperator::LogicalOr => *op = BinaryOperator::InclusiveOr,
                _ => {}
            }
        }
    }
}

/// What an error says, and what its causes say.
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
