//! The WGSL target: its features and its writer.

use naga::back::wgsl as wgsl_out;

use crate::error::Error;
use crate::features::Features;
use crate::language::Language;
use crate::lower::{Lowered, describe};
use crate::mend::baked::for_text;
use crate::mend::names::Given;
use crate::mend::tidy;

pub(super) const FEATURES: Features = Features {
    compute: true,
    weak_exchanges: true,
    vertex_struct: true,
    push_constants: true,
    checks_uniformity: true,
    ..Features::of(Language::Wgsl)
};

pub(super) fn wgsl(lowered: &Lowered) -> Result<(String, Given), Error> {
    let module = for_text(lowered);
    let heading = if lowered.diverges { "diagnostic(off, derivative_uniformity);\n\n" } else { "" };
    let text = wgsl_out::write_string(&module, &lowered.info, wgsl_out::WriterFlags::empty())
        .map_err(|error| Error::Internal(describe(&error)))?;
    let (text, mut given) = lowered.names.resolve(&tidy::wgsl(&text), None);
    Ok((given.with_heading(heading, &text), given))
}
