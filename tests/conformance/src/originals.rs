//! The comparison of a SPIR-V module with what agalc makes of it, on Mesa's software driver.
//!
//! Rule: the device gets the words of the original as they are, so that nothing of ours is between a compiler and the driver.
//! Original and translation get the same resources, and must write the same.

pub mod captured;
pub mod content;
pub mod device;
pub mod interface;
pub mod run;

use content::Encoding;
use device::Device;
use interface::Parsed;
use run::{Results, Written, run};

/// The number of numbers that were compared, or the reason why a module was not.
pub type Compared = Result<usize, String>;

/// Returns the floats that a part of the results stands for.
fn floats(written: &Written, at: usize) -> Option<f64> {
    let bytes = &written.bytes;
    Some(match written.encoding {
        Encoding::Half => {
            let word = u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
            let (exponent, fraction) = (i32::from(word >> 10 & 31), f64::from(word & 1023));
            let sign = if word >> 15 == 0 { 1.0 } else { -1.0 };
            match exponent {
                0 => sign * fraction * (-24f64).exp2(),
                31 if fraction != 0.0 => f64::NAN,
                31 => sign * f64::INFINITY,
                _ => sign * (1024.0 + fraction) * f64::from(exponent - 25).exp2(),
            }
        }
        Encoding::Norm(_) => f64::from(*bytes.get(at)?) / 255.0,
        _ => f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)),
    })
}

fn is_close(a: f64, b: f64, encoding: Encoding) -> bool {
    let allowed = match encoding {
        Encoding::Half => 2e-3 + 2e-3 * a.abs(),
        Encoding::Norm(_) => 1.01 / 255.0,
        _ => 2e-5 + 2e-4 * a.abs(),
    };
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= allowed
}

/// Compares two results. Returns the number of numbers, or the first difference.
fn differ(name: &str, a: &Written, b: &Written) -> Compared {
    let size = match a.encoding {
        Encoding::Float => 4,
        Encoding::Half => 2,
        Encoding::Norm(bits) | Encoding::Int(bits) => bits as usize / 8,
    };
    let is_float = |at: usize| match (&a.floats, a.encoding) {
        (Some(floats), _) => floats.binary_search(&u32::try_from(at).unwrap_or(0)).is_ok(),
        (None, Encoding::Int(_)) => false,
        _ => true,
    };
    for at in (0..a.bytes.len().min(b.bytes.len())).step_by(size) {
        let same = a.bytes[at..at + size] == b.bytes[at..at + size];
        let close = || match (floats(a, at), floats(b, at)) {
            (Some(x), Some(y)) => is_close(x, y, a.encoding),
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

fn compare_results(original: &Results, ours: &Results) -> Compared {
    let mut count = 0;
    for (name, written) in original {
        let own = ours.get(name).ok_or_else(|| format!("the translation lacks {name}"))?;
        count += differ(name, written, own)?;
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

/// Runs an original and its translation, with as many seeds.
pub fn compare(device: &Device, original: &[u32], ours: &[u32], seeds: u32) -> Outcome {
    let interface = match Parsed::new(original).and_then(|parsed| parsed.interface()) {
        Ok(interface) if interface.reads_points => return Outcome::Skipped("the position in a point".into()),
        Ok(interface) => interface,
        Err(reason) => return Outcome::Skipped(reason),
    };
    let own = match Parsed::new(ours).and_then(|parsed| parsed.interface()) {
        Ok(own) => own,
        Err(reason) => return Outcome::Different(format!("the translation has {reason}")),
    };
    for (place, kind) in &own.resources {
        if !interface.resources.contains_key(place) {
            return Outcome::Different(format!("the translation has {kind:?} at {place:?}, which the original lacks"));
        }
    }
    let mut count = 0;
    for seed in 0..seeds {
        let before = match run(device, original, &interface.entry, &interface, seed) {
            Ok(results) => results,
            Err(reason) => return Outcome::Skipped(reason),
        };
        let after = run(device, ours, &own.entry, &interface, seed);
        match after.and_then(|after| compare_results(&before, &after)) {
            Ok(more) => count += more,
            Err(difference) => return Outcome::Different(difference),
        }
    }
    Outcome::Same(count)
}
