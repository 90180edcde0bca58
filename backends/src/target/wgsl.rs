//! Writes WGSL.

use naga::back::wgsl as wgsl_out;

use crate::emit::for_text;
use crate::features::{Combined, Entry, Features, Resources, Returns, Select};
use crate::lower::{Lowered, describe};
use crate::names::Given;
use crate::words::Language;
use crate::{Depth, Error, tidy};

/// What WGSL has.
pub(super) const FEATURES: Features = Features {
    language: Language::Wgsl,
    halves: true,
    checked_division: true,
    int_vectors: true,
    select: Select::All,
    bool_vectors: true,
    ldexp: true,
    lone_switches: true,
    endless_loops: false,
    discard_ends: false,
    unreached_returns: Returns::Always,
    points: false,
    linear_varyings: true,
    varying_locations: true,
    links_by_order: false,
    io_variables: false,
    vertex_struct: true,
    one_stage: false,
    entry: Entry::Any,
    resources: Resources::Groups,
    push_constants: true,
    combined_samplers: Combined::Never,
    offsets: false,
    wide_columns: false,
    matrix_members: false,
    checks_uniformity: true,
    depth: Depth::ZeroToOne,
    y_down: false,
    window_y_up: false,
    flips_by_viewport: false,
};

/// Writes the module as WGSL.
pub(super) fn wgsl(lowered: &Lowered) -> Result<(String, Given), Error> {
    let module = for_text(lowered);
    let heading = if lowered.diverges { "diagnostic(off, derivative_uniformity);\n\n" } else { "" };
    let text = wgsl_out::write_string(&module, &lowered.info, wgsl_out::WriterFlags::empty())
        .map_err(|error| Error::Internal(describe(&error)))?;
    let (text, given) = lowered.names.resolve(&tidy::wgsl(&text), None);
    Ok((heading.to_string() + &text, given))
}
