//! Reads a source with naga, and validates the resulting module.
//!
//! Every error of naga becomes a [`Refusal`]. A panic in naga's reader is a fault of naga, and also becomes a refusal. Inputs that
//! are known to make naga panic are refused before naga sees them, because a build with `panic = "abort"` catches nothing.

use std::error::Error;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Binding, EntryPoint, Handle, Module, Type, TypeInner};
use sdlbc::limits;

use crate::mend::depth::too_deep;
use crate::mend::halves::converted_half;
use crate::silent::caught;
use sdlbc::front::{Refusal, RefusalKind};

pub(crate) struct Parsed {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
}

/// Reads and validates a source, with the mends of `mend/`.
pub(crate) fn parse(text: &str) -> Result<Parsed, Vec<Refusal>> {
    if let Some(place) = too_deep(text) {
        let what = "the code here is nested too deeply, or has too many operators in a row".to_string();
        return Err(vec![Refusal::new(RefusalKind::Limit { what }, Some(place))]);
    }
    if let Some(place) = converted_half(text) {
        let message = "naga's reader may fail on a constant that is converted to f16 and then to an integer; convert the constant \
                       directly to the integer";
        return Err(vec![Refusal::new(RefusalKind::Unreadable { message: message.to_string() }, Some(place))]);
    }
    let read = caught(|| {
        let module = wgsl(text)?;
        check_locations(&module)?;
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        match validator.validate(&module) {
            Ok(info) => Ok(Parsed { module, info }),
            Err(error) => {
                let bytes = error.spans().find_map(|(span, _)| span.to_range());
                Err(vec![Refusal::new(RefusalKind::Invalid { message: chain(error.as_inner()) }, bytes)])
            }
        }
    });
    read.unwrap_or_else(|| {
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

/// Refuses locations beyond the format's limit, because naga's validator takes memory in proportion to the largest location.
fn check_locations(module: &Module) -> Result<(), Vec<Refusal>> {
    let is_beyond = |binding: &Option<Binding>| match binding {
        Some(Binding::Location { location, .. }) => (*location >= limits::PLACES).then_some(*location),
        _ => None,
    };
    let of_type = |(handle, ty): (Handle<Type>, &Type)| match &ty.inner {
        TypeInner::Struct { members, .. } => {
            let location = members.iter().find_map(|member| is_beyond(&member.binding))?;
            Some((location, module.types.get_span(handle).to_range()))
        }
        _ => None,
    };
    let of_entry = |entry: &EntryPoint| {
        let function = &entry.function;
        let arguments = function.arguments.iter().map(|argument| &argument.binding);
        let bindings = arguments.chain(function.result.as_ref().map(|result| &result.binding));
        bindings.filter_map(is_beyond).next().map(|location| (location, None))
    };
    let found = module.types.iter().find_map(of_type).or_else(|| module.entry_points.iter().find_map(of_entry));
    match found {
        Some((location, bytes)) => {
            let what = format!("location {location} exceeds {}, the last location", limits::PLACES - 1);
            Err(vec![Refusal::new(RefusalKind::Limit { what }, bytes)])
        }
        None => Ok(()),
    }
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
