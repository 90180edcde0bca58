//! The comparison of a SPIR-V module with what agalc makes of it, on Mesa's software driver.
//!
//! Rule: the device gets the words of the original as they are, so that nothing of ours is between a compiler and the driver.
//! Original and translation get the same resources, and must write the same.

pub mod captured;
pub mod content;
pub mod device;
mod executor;
pub mod interface;
mod passing;
pub mod run;

use content::{Encoding, half};
use device::Device;
pub use executor::execute;
use interface::Parsed;
use sdlbc::Op;

use run::{Results, Written, run};

/// The number of numbers that were compared, or the reason why a module was not.
pub type Compared = Result<usize, String>;

/// Returns the floats that a part of the results stands for.
fn floats(written: &Written, at: usize) -> Option<f64> {
    let bytes = &written.bytes;
    Some(match written.encoding {
        Encoding::Half => half(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?).into()),
        Encoding::Norm(_) => f64::from(*bytes.get(at)?) / 255.0,
        _ => f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)),
    })
}

fn is_close(a: f64, b: f64, encoding: Encoding, slack: f64) -> bool {
    let allowed = match encoding {
        Encoding::Half => 2e-3 + 2e-3 * a.abs(),
        Encoding::Norm(_) => 1.01 / 255.0,
        _ => 2e-5 + 2e-4 * a.abs(),
    };
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= allowed + slack
}

/// Compares two results. Returns the number of numbers, or the first difference.
fn differ(name: &str, a: &Written, b: &Written, slack: f64) -> Compared {
    let size = a.encoding.bytes();
    if a.bytes.len() != b.bytes.len() {
        return Err(format!(
            "{name}: {} bytes in the original, and {} in the translation",
            a.bytes.len(),
            b.bytes.len()
        ));
    }
    let is_float = |at: usize| match (&a.floats, a.encoding) {
        (Some(floats), _) => floats.binary_search(&u32::try_from(at).unwrap_or(0)).is_ok(),
        (None, Encoding::Int(_)) => false,
        _ => true,
    };
    for at in (0..a.bytes.len()).step_by(size) {
        let same = a.bytes[at..at + size] == b.bytes[at..at + size];
        let close = || match (floats(a, at), floats(b, at)) {
            (Some(x), Some(y)) => is_close(x, y, a.encoding, slack),
            _ => false,
        };
        if !(same || is_float(at) && close()) {
            let shown = |written: &Written| match is_float(at) {
                true => format!("{:?}", floats(written, at)),
                false => format!("{:?}", &written.bytes[at..at + size]),
            };
            return Err(format!(
                "{name}: byte {at} is {} in the original, and {} in the translation",
                shown(a),
                shown(b)
            ));
        }
    }
    Ok(a.bytes.len() / size)
}

/// Compares all results. `slack` is added to the differences that floats may have.
///
/// # Errors
/// Returns the first difference.
pub fn compare_results(original: &Results, ours: &Results, slack: f64) -> Compared {
    let mut count = 0;
    for (name, written) in original {
        let own = ours.get(name).ok_or_else(|| format!("the translation lacks {name}"))?;
        count += differ(name, written, own, slack)?;
    }
    Ok(count)
}

/// What became of a comparison.
#[derive(Debug)]
pub enum Outcome {
    /// Both wrote the same numbers, so many of them.
    Same(usize),
    /// They differ.
    Different(String),
    /// The original could not be run, for this reason.
    Skipped(String),
}

/// What agalc makes of an original.
pub struct Translated<'a> {
    /// The module, which interp runs.
    pub module: &'a sdlbc::Module,
    /// The words of the translation, which the device runs, or the reason why there are none.
    pub words: Result<Vec<u32>, String>,
    /// Whether the device runs the original wrongly. Interp is then compared with the translation, as it is if the device
    /// cannot run the original.
    pub is_wrong: bool,
}

/// What became of the comparisons with an original.
#[derive(Debug)]
pub struct Outcomes {
    /// The translation on the device.
    pub device: Outcome,
    /// The module on interp.
    pub executor: Outcome,
}

/// Runs an original once for each seed, and compares its results with those of its translation and of interp.
pub fn compare(device: &Device, original: &[u32], ours: &Translated<'_>, seeds: u32) -> Outcomes {
    let skipped =
        |reason: String| Outcomes { device: Outcome::Skipped(reason.clone()), executor: Outcome::Skipped(reason) };
    let interface = match Parsed::new(original).and_then(|parsed| parsed.interface()) {
        Ok(interface) if interface.reads_points => return skipped("the position in a point".into()),
        Ok(interface) => interface,
        Err(reason) => return skipped(reason),
    };
    let own = ours.words.as_ref().map_err(Clone::clone).map(|words| (words, translated_interface(words, &interface)));
    let slack = LEVELS * implicit_levels(ours.module) as f64;
    let mut outcomes = Outcomes { device: Outcome::Same(0), executor: Outcome::Same(0) };
    for seed in 0..seeds {
        let before = run(device, original, &interface.entry, &interface, seed);
        let after = match &own {
            Err(reason) => {
                outcomes.device = Outcome::Skipped(reason.clone());
                Err(reason.clone())
            }
            Ok((_, Err(difference))) => {
                outcomes.device = Outcome::Different(difference.clone());
                Err(difference.clone())
            }
            Ok((words, Ok(entry))) => {
                let after = run(device, words, entry, &interface, seed);
                match (&before, &after) {
                    (Err(reason), _) => outcomes.device = Outcome::Skipped(reason.clone()),
                    (Ok(before), Ok(after)) => outcomes.device.add(compare_results(before, after, 0.0)),
                    (Ok(_), Err(reason)) => outcomes.device.add(Err(reason.clone())),
                }
                after
            }
        };
        let reference = if ours.is_wrong || before.is_err() { after } else { before };
        match reference {
            Ok(reference) => outcomes.executor.add(
                execute(ours.module, &interface, seed).and_then(|results| compare_results(&reference, &results, slack)),
            ),
            Err(reason) => outcomes.executor = Outcome::Skipped(reason),
        }
    }
    outcomes
}

/// The difference between interp and Mesa, in a sample with an implicit level of detail. Mesa's level is up to 0.043 too small
/// (`witness/mesa.rs`), and texels are from 0 to 1.
const LEVELS: f64 = 0.043;

/// Returns the number of samples with an implicit level of detail.
fn implicit_levels(module: &sdlbc::Module) -> usize {
    let is_implicit = |op: Op| matches!(op, Op::Sample | Op::SampleBias | Op::SampleCompare);
    module.functions.iter().flat_map(|function| function.body.insts()).filter(|inst| is_implicit(inst.op)).count()
}

impl Outcome {
    fn add(&mut self, compared: Compared) {
        match (&mut *self, compared) {
            (Outcome::Same(count), Ok(more)) => *count += more,
            (Outcome::Same(_), Err(difference)) => *self = Outcome::Different(difference),
            _ => {}
        }
    }
}

/// Returns the name of a translation's entry point, or the difference of its interface from the original's.
fn translated_interface(words: &[u32], original: &interface::Interface) -> Result<String, String> {
    let own = Parsed::new(words).and_then(|parsed| parsed.interface());
    let own = own.map_err(|reason| format!("the translation has {reason}"))?;
    match own.resources.iter().find(|(place, _)| !original.resources.contains_key(place)) {
        Some((place, kind)) => Err(format!("the translation has {kind:?} at {place:?}, which the original lacks")),
        None => Ok(own.entry),
    }
}
