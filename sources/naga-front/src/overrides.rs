//! Constants that the application overrides: `override` in WGSL. Each override becomes a constant with
//! the value from the options, or with its default value.

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::{Handle, Override, ScalarKind, TypeInner};

use crate::parse::{Parsed, chain};
use crate::silent::caught;
use sdlbc::front::{Refusal, RefusalKind};

pub(crate) fn is_named(over: &Override, name: &str) -> bool {
    over.name.as_deref() == Some(name) || over.id.is_some_and(|id| id.to_string() == name)
}

/// Replaces the overrides of a module with constants. If the options give an override two values, the last value counts.
pub(crate) fn apply(parsed: Parsed, given: &[(String, f64)]) -> Result<Parsed, Vec<Refusal>> {
    let module = &parsed.module;
    let mut values = PipelineConstants::default();
    let mut refusals = Vec::new();
    for (handle, over) in module.overrides.iter() {
        let Some(&(_, value)) = given.iter().rev().find(|(name, _)| is_named(over, name)) else { continue };
        match fits(module, over, value) {
            true => values.insert(key(over), value),
            false => {
                let ty = crate::lift::types::name(module, over.ty);
                refusals.push(at(
                    module,
                    handle,
                    RefusalKind::OverrideValue { name: shown(over), value: value.to_string(), ty },
                ));
                None
            }
        };
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let processed = caught(|| {
        let processed = process_overrides(module, &parsed.info, None, &values);
        processed.map(|(module, info)| (module.into_owned(), info.into_owned())).map_err(Box::new)
    });
    match processed {
        Some(Ok((module, info))) => Ok(Parsed { module, info }),
        Some(Err(error)) => Err(vec![refusal(module, &error)]),
        None => {
            let message = "naga failed on the overrides of this source".to_string();
            Err(vec![Refusal::new(RefusalKind::Unreadable { message }, None)])
        }
    }
}

fn refusal(module: &naga::Module, error: &PipelineConstantError) -> Refusal {
    match error {
        PipelineConstantError::MissingValue(missing) => {
            let found = module.overrides.iter().find(|(_, over)| key(over) == *missing);
            let refuse = |(handle, over)| at(module, handle, RefusalKind::NoValue { name: shown(over) });
            found.map_or_else(|| Refusal::new(RefusalKind::NoValue { name: missing.clone() }, None), refuse)
        }
        PipelineConstantError::ValidationError(error) => {
            let bytes = error.spans().find_map(|(span, _)| span.to_range());
            Refusal::new(RefusalKind::Invalid { message: chain(error.as_inner()) }, bytes)
        }
        error => Refusal::new(RefusalKind::Invalid { message: chain(error) }, None),
    }
}

/// Returns the key that identifies an override in naga's table of values: its number, or its name if it has no number.
fn key(over: &Override) -> String {
    match (over.id, &over.name) {
        (Some(id), _) => id.to_string(),
        (None, name) => name.clone().unwrap_or_default(),
    }
}

fn shown(over: &Override) -> String {
    over.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| key(over))
}

fn at(module: &naga::Module, handle: Handle<Override>, kind: RefusalKind) -> Refusal {
    Refusal::new(kind, module.overrides.get_span(handle).to_range())
}

fn fits(module: &naga::Module, over: &Override, value: f64) -> bool {
    let whole = value.is_finite() && value.fract() == 0.0;
    match module.types[over.ty].inner {
        TypeInner::Scalar(naga::Scalar { kind: ScalarKind::Sint, .. }) => {
            whole && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value)
        }
        TypeInner::Scalar(naga::Scalar { kind: ScalarKind::Uint, .. }) => {
            whole && (0.0..=f64::from(u32::MAX)).contains(&value)
        }
        TypeInner::Scalar(naga::Scalar { kind: ScalarKind::Float, width: 2 }) => value.abs() <= 65504.0,
        TypeInner::Scalar(naga::Scalar { kind: ScalarKind::Float, width: 4 }) => value.abs() <= f64::from(f32::MAX),
        _ => value.is_finite(),
    }
}
