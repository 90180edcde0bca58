//! Inputs to what is found in them: files are opened, code is interpreted, data is searched.

use std::collections::HashMap;
use std::rc::Rc;

use agalc::Input;

use crate::avm::names::Spaces;
use crate::avm::unit::{Origin, Unit};
use crate::avm::world::World;
use crate::collect::Collection;
use crate::container::{self, Data};
use crate::eval::explore::{Left, entries, explore};
use crate::eval::setup::Shared;
use crate::limits::Limits;
use crate::model::{Extraction, Place, Site, Summary, Warning};

/// How inputs are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The limits.
    pub limits: Limits,
}

/// The memory that calls in calls may take.
const STACK: usize = 256 << 20;

/// Finds the programs in some inputs. The classes of each are visible to the others.
///
/// ```
/// let input = agalc::Input { name: "game.swf".to_string(), bytes: b"FWS".to_vec() };
/// let found = agal_extract::extract(&[input], &agal_extract::Options::default());
/// assert_eq!(found.programs.len(), 0);
/// assert_eq!(found.warnings[0].message, "the SWF's header is cut off");
/// ```
pub fn extract(inputs: &[Input], options: &Options) -> Extraction {
    // Calls in calls need a deep stack; where there are no threads, the caller's has to do.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, || extract_here(inputs, options)) {
            Ok(thread) => match thread.join() {
                Ok(extraction) => extraction,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(_) => extract_here(inputs, options),
        }
    })
}

fn extract_here(inputs: &[Input], options: &Options) -> Extraction {
    let mut extraction = Extraction::default();
    let mut units = Vec::new();
    let mut data: Vec<(usize, Data)> = Vec::new();
    let mut spaces = Spaces::default();
    for (number, input) in inputs.iter().enumerate() {
        let contents = container::open(&input.bytes, &options.limits);
        let mut summary = Summary {
            name: input.name.clone(),
            kind: contents.kind,
            blocks: contents.blocks.len(),
            data: contents.data.iter().filter(|data| !data.path.is_empty()).count(),
            ..Summary::default()
        };
        for block in contents.blocks {
            summary.classes = summary.classes.saturating_add(block.abc.classes.len());
            summary.methods = summary.methods.saturating_add(block.abc.method_bodies.len());
            let origin = Origin { input: number, path: block.path.into(), lines: None };
            let unit = u32::try_from(units.len()).unwrap_or(u32::MAX);
            units.push(Unit::new(block.abc, unit, origin, &mut spaces));
        }
        extraction.inputs.push(summary);
        let warnings = contents.warnings.into_iter();
        extraction.warnings.extend(warnings.map(|(path, message)| Warning { input: number, path, message }));
        data.extend(contents.data.into_iter().map(|data| (number, data)));
    }
    let world = World::new(units);
    let mut collection = Collection::new(&world);
    interpret(&world, &data, options, &mut collection, &mut extraction.warnings);
    for (number, data) in &data {
        collection.data(*number, data);
    }
    collection.finish(&mut extraction);
    extraction
}

/// Runs all entry points.
fn interpret(
    world: &World,
    data: &[(usize, Data)],
    options: &Options,
    collection: &mut Collection<'_>,
    warnings: &mut Vec<Warning>,
) {
    let mut embedded = HashMap::new();
    for (input, data) in data {
        let Some(symbol) = &data.symbol else { continue };
        let named = (0u32..).zip(&world.units).filter(|(_, unit)| unit.origin.input == *input);
        for (unit, _) in named {
            if let Some(class) = world.class_named(unit, symbol) {
                embedded.entry(class).or_insert_with(|| Rc::<[u8]>::from(data.bytes.as_slice()));
            }
        }
    }
    let mut shared = Shared::new(world, &options.limits, embedded);
    let mut steps = shared.initialise(options.limits.steps);
    for method in entries(world, &shared) {
        let left = explore(&mut shared, method, &mut steps, |events| collection.add(events));
        let message = match left {
            Left::Nothing => continue,
            Left::Combinations => {
                "more combinations of its conditions exist than the limit allows; each way at each condition was taken, \
                 but not each combination"
            }
            Left::Everything => "the limit of instructions for all methods was reached; the rest was not interpreted",
        };
        let place = collection.place(method, 0, None);
        let name = match &place.site {
            Site::Method { class, method, .. } if class.is_empty() => method.clone(),
            Site::Method { class, method, .. } => format!("{class}.{method}"),
            _ => String::new(),
        };
        let Place { input, path, .. } = place;
        warnings.push(Warning { input, path, message: format!("in `{name}`: {message}") });
        if left == Left::Everything {
            break;
        }
    }
    collection.constants(&shared);
}
