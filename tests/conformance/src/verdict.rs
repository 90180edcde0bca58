//! Determines the allowed values of an output from several runs, and checks a witness's values against the allowed values. The
//! runs differ in details that the rules leave open.
//!
//! The first run is exact. The other runs perturb the result of each operation by up to twice its allowed error, may flush
//! denormals to zero, and have different undefined values.
//!
//! If all runs agree, a witness must produce the same bits. If the runs differ, a witness's value must be within the runs' range,
//! extended on either side by half the range's width. A number is open if the runs' values are far apart, or if one of them is
//! infinite or NaN.

use std::sync::OnceLock;

use sdlbc::{Scalar, Type};

use crate::probe::Values;

/// The allowed values of a function's outputs, derived from several runs.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    runs: Vec<Vec<Values>>,
    /// The computed bounds, which are the same for every witness.
    bounds: OnceLock<Bounds>,
}

#[derive(Clone, Debug)]
struct Bounds {
    /// Whether each invocation is discarded, or `None` if the runs disagree about the discard.
    discards: Vec<Option<bool>>,
    /// The allowed values, indexed by output, invocation and component.
    allowed: Vec<Vec<[Allowed; 4]>>,
    /// The number of values that the rules leave open.
    open: usize,
}

/// The counts and the greatest errors of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of compared values.
    pub compared: usize,
    /// The number of values that the rules leave open.
    pub open: usize,
    /// The greatest error, measured in units in the last place of the exact run's number.
    pub worst: f64,
    /// The greatest absolute difference from a number of the exact run.
    pub absolute: f64,
    /// The greatest share of an allowed error that a value uses, from 0 to 1.
    pub share: f64,
}

impl Tally {
    /// Combines two tallies: adds the counts and keeps the greater errors.
    pub fn with(self, other: Tally) -> Tally {
        Tally {
            compared: self.compared + other.compared,
            open: self.open + other.open,
            worst: self.worst.max(other.worst),
            absolute: self.absolute.max(other.absolute),
            share: self.share.max(other.share),
        }
    }
}

/// A value that is not allowed, with a description of the allowed values.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The name of the output.
    pub output: String,
    /// The index of the invocation, counted from 0.
    pub invocation: usize,
    /// The index of the component, counted from 0, or `None` if the disagreement concerns the discard of the invocation.
    pub component: Option<usize>,
    /// A description of the allowed values.
    pub wanted: String,
    /// A description of the value that the witness produced.
    pub found: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Disagreement { output, invocation, component, wanted, found } = self;
        write!(f, "`{output}`")?;
        if let Some(component) = component {
            write!(f, ".{}", char::from(b"xyzw"[*component]))?;
        }
        write!(f, " of invocation {invocation} is {found}, and should be {wanted}")
    }
}

#[derive(Clone, Copy, Debug)]
enum Allowed {
    Open,
    Bits(u32),
    Between(f64, f64),
}

/// Returns the distance from a number to the next greater float, ignoring the number's sign.
fn unit(value: f32) -> f64 {
    let up = f32::from_bits(value.abs().max(f32::MIN_POSITIVE).to_bits() + 1);
    f64::from(up) - f64::from(value.abs().max(f32::MIN_POSITIVE))
}

/// Reports whether a number is so small that a device may flush the number to zero.
fn is_small(value: f32) -> bool {
    value.abs() < 4.0 * f32::MIN_POSITIVE
}

/// Reports whether two floats count as equal. Zeroes of either sign are equal, and so are two NaNs.
fn is_same_float(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

impl Expected {
    /// Creates the expectation from the results of the runs that determine the allowed values. The first run must be the exact
    /// run.
    pub fn new(runs: Vec<Vec<Values>>) -> Expected {
        Expected { runs, bounds: OnceLock::new() }
    }

    /// Adds the results of a further run, which may extend the allowed values.
    pub fn add(&mut self, run: Vec<Values>) {
        self.runs.push(run);
        self.bounds.take();
    }

    /// Returns the outputs of the exact run.
    pub fn exact(&self) -> &[Values] {
        self.runs.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// Checks that the values have the exact run's bits; all NaNs count as equal.
    ///
    /// # Errors
    /// Returns the first value that differs.
    pub fn same(&self, found: &[Values]) -> Result<Tally, Disagreement> {
        compare(
            found,
            self.exact(),
            &|output, invocation, component, found| {
                let wanted = self.exact()[output].values[invocation].map_or(0, |value| value[component]);
                let float = matches!(self.exact()[output].ty, Type::Vector(Scalar::Float, _));
                let nan = |bits: u32| float && f32::from_bits(bits).is_nan();
                let same = wanted == found || nan(wanted) && nan(found);
                same.then_some((0.0, 0.0)).ok_or_else(|| shown(self.exact()[output].ty, wanted))
            },
            &|_| false,
        )
    }

    /// Checks that the values equal the exact run's numbers, ignoring the sign of zeroes.
    ///
    /// # Errors
    /// Returns the first value that differs.
    pub fn equals(&self, found: &[Values]) -> Result<Tally, Disagreement> {
        let judge = |output: usize, invocation: usize, component: usize, found: u32| {
            let ty = self.exact()[output].ty;
            let wanted = self.exact()[output].values[invocation].map_or(0, |value| value[component]);
            let float = matches!(ty, Type::Vector(Scalar::Float, _));
            let same = wanted == found || float && is_same_float(f32::from_bits(wanted), f32::from_bits(found));
            same.then_some((0.0, 0.0)).ok_or_else(|| shown(ty, wanted))
        };
        compare(found, self.exact(), &judge, &|_| false)
    }

    /// Checks that values in 24-bit floats are at most `most` units in the last place from the exact run's values. An infinity
    /// may have either sign, since it may be the reciprocal of a zero of either sign.
    ///
    /// # Errors
    /// Returns the first value that differs by more than `most` units.
    pub fn near(&self, found: &[Values], most: f64) -> Result<Tally, Disagreement> {
        let judge = |output: usize, invocation: usize, component: usize, found: u32| {
            let ty = self.exact()[output].ty;
            let wanted = self.exact()[output].values[invocation].map_or(0, |value| value[component]);
            let (a, b) = (f32::from_bits(wanted), f32::from_bits(found));
            if wanted == found || matches!(ty, Type::Vector(Scalar::Float, _)) && is_same_float(a, b) {
                return Ok((0.0, 0.0));
            }
            // Infinity counts as 2^64, the power of two above the largest 24-bit float.
            let finite = |number: f32| f64::from(number).clamp(-2f64.powi(64), 2f64.powi(64));
            let error = (finite(a) - finite(b)).abs();
            let unit = 2f64.powi((finite(a).abs().log2().floor() as i32 - 16).max(-78));
            let are_infinite = a.is_infinite() && b.is_infinite();
            match are_infinite {
                true => Some((0.0, 0.0)),
                false => (error <= most * unit).then_some((error / unit, 0.0)),
            }
            .ok_or_else(|| shown(ty, wanted))
        };
        compare(found, self.exact(), &judge, &|_| false)
    }

    /// Checks that the runs allow the values.
    ///
    /// # Errors
    /// Returns the first value that the runs do not allow.
    pub fn holds(&self, found: &[Values]) -> Result<Tally, Disagreement> {
        let Bounds { discards, allowed, open } = self.bounds.get_or_init(|| self.bounds());
        let mut tally = compare(
            found,
            self.exact(),
            &|output, invocation, component, found| {
                let ty = self.exact()[output].ty;
                match allowed[output][invocation][component] {
                    Allowed::Open => Ok((f64::NAN, 0.0)),
                    Allowed::Bits(wanted) => {
                        let float = matches!(ty, Type::Vector(Scalar::Float, _));
                        let (a, b) = (f32::from_bits(wanted), f32::from_bits(found));
                        let same = wanted == found || float && (is_same_float(a, b) || is_small(a) && is_small(b));
                        same.then_some((0.0, 0.0)).ok_or_else(|| shown(ty, wanted))
                    }
                    Allowed::Between(low, high) => {
                        let exact = self.exact()[output].values[invocation].map_or(0, |value| value[component]);
                        let (exact, found) = (f32::from_bits(exact), f64::from(f32::from_bits(found)));
                        if !(low..=high).contains(&found) {
                            return Err(format!("{exact:?}, from {:?} to {:?}", low as f32, high as f32));
                        }
                        let error = (found - f64::from(exact)).abs();
                        let most =
                            if found < f64::from(exact) { f64::from(exact) - low } else { high - f64::from(exact) };
                        Ok((error / unit(exact), if most > 0.0 { error / most } else { 0.0 }))
                    }
                }
            },
            &|invocation| discards[invocation].is_none(),
        )?;
        tally.open = *open;
        tally.compared = tally.compared.saturating_sub(*open);
        Ok(tally)
    }

    fn bounds(&self) -> Bounds {
        let count = self.exact().iter().map(|output| output.values.len()).max().unwrap_or(0);
        let discards: Vec<Option<bool>> = (0..count).map(|invocation| self.discards(invocation)).collect();
        let allowed = self.exact().iter().enumerate().map(|(at, output)| {
            let of = |invocation| std::array::from_fn(|component| self.allowed(at, invocation, component));
            (0..output.values.len()).map(of).collect::<Vec<[Allowed; 4]>>()
        });
        let allowed: Vec<Vec<[Allowed; 4]>> = allowed.collect();
        let mut open = 0;
        for (output, allowed) in self.exact().iter().zip(&allowed) {
            let width = usize::from(output.ty.width().unwrap_or(0));
            let kept = allowed.iter().zip(&discards).filter(|(_, discards)| **discards != Some(true));
            open += kept.flat_map(|(all, _)| &all[..width]).filter(|of| matches!(of, Allowed::Open)).count();
        }
        Bounds { discards, allowed, open }
    }

    /// Returns whether an invocation is discarded, or `None` if the runs disagree.
    fn discards(&self, invocation: usize) -> Option<bool> {
        let of = |run: &[Values]| run.iter().any(|output| output.values.get(invocation).is_some_and(Option::is_none));
        let first = of(self.exact());
        self.runs.iter().all(|run| of(run) == first).then_some(first)
    }

    fn allowed(&self, output: usize, invocation: usize, component: usize) -> Allowed {
        let values = || self.runs.iter().map(|run| run[output].values[invocation]);
        let Some(first) = self.exact()[output].values[invocation].filter(|_| values().all(|value| value.is_some()))
        else {
            return Allowed::Open;
        };
        let first = first[component];
        let bits = || values().flatten().map(|value| value[component]);
        let is_float = matches!(self.exact()[output].ty, Type::Vector(Scalar::Float, _));
        if bits().all(|other| other == first) {
            // An infinity or NaN is open even if all runs agree, because targets need not support such numbers.
            return if is_float && !f32::from_bits(first).is_finite() { Allowed::Open } else { Allowed::Bits(first) };
        }
        let numbers = || bits().map(f32::from_bits);
        if !is_float || numbers().any(|number| !number.is_finite()) {
            return Allowed::Open;
        }
        let low = numbers().fold(f32::INFINITY, f32::min);
        let high = numbers().fold(f32::NEG_INFINITY, f32::max);
        let spread = f64::from(high) - f64::from(low);
        // A spread that is large both in absolute terms and relative to the numbers is probably caused by a comparison with two
        // possible results.
        if spread > 0.25 * f64::from(low.abs().max(high.abs())) && spread > 1e-2 {
            return Allowed::Open;
        }
        let margin = 0.5 * spread + unit(high.abs().max(low.abs()));
        Allowed::Between(f64::from(low) - margin, f64::from(high) + margin)
    }
}

fn shown(ty: Type, bits: u32) -> String {
    match ty {
        Type::Vector(Scalar::Float, _) => format!("{:?}", f32::from_bits(bits)),
        Type::Vector(Scalar::Int, _) => format!("{}", bits.cast_signed()),
        _ => format!("{bits}"),
    }
}

/// Judges a component: returns the error and the used share of the allowed error, or a description of the allowed values.
type Judge<'a> = dyn Fn(usize, usize, usize, u32) -> Result<(f64, f64), String> + 'a;

fn compare(
    found: &[Values],
    exact: &[Values],
    judge: &Judge<'_>,
    open: &dyn Fn(usize) -> bool,
) -> Result<Tally, Disagreement> {
    let mut tally = Tally::default();
    for values in found {
        let Some((at, wanted)) = exact.iter().enumerate().find(|(_, wanted)| wanted.index == values.index) else {
            continue;
        };
        let width = usize::from(values.ty.width().unwrap_or(0));
        for (invocation, (value, wanted)) in values.values.iter().zip(&wanted.values).enumerate() {
            let disagreement = |component, wanted, found| Disagreement {
                output: values.name.clone(),
                invocation,
                component,
                wanted,
                found,
            };
            if open(invocation) {
                continue;
            }
            let (value, wanted) = match (value, wanted) {
                (None, None) => continue,
                (Some(value), Some(wanted)) => (value, wanted),
                (value, _) => {
                    let state = |gone: bool| if gone { "discarded" } else { "not discarded" }.to_string();
                    return Err(disagreement(None, state(value.is_some()), state(value.is_none())));
                }
            };
            for (component, &bits) in value.iter().enumerate().take(width) {
                let (error, share) = judge(at, invocation, component, bits)
                    .map_err(|wanted| disagreement(Some(component), wanted, shown(values.ty, bits)))?;
                tally.compared += 1;
                tally.worst = tally.worst.max(error);
                let of = f32::from_bits(wanted[component]);
                if error > 0.0 {
                    tally.absolute = tally.absolute.max(f64::from((f32::from_bits(bits) - of).abs()));
                }
                tally.share = tally.share.max(share);
            }
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(numbers: &[Option<f32>]) -> Vec<Values> {
        let values = numbers.iter().map(|number| number.map(|number| [number.to_bits(), 0, 0, 0])).collect();
        vec![Values { index: 0, name: "oc".to_string(), ty: Type::FLOAT, values }]
    }

    #[test]
    fn a_witness_must_match_equal_runs_and_stay_near_the_range_of_others() {
        let run = |second: f32| values(&[Some(1.0), Some(second), None]);
        let mut expected = Expected::new(vec![run(2.0), run(2.001), run(1.999)]);
        let tally = expected.holds(&run(2.0015)).expect("within the spread and half of it");
        assert_eq!((tally.compared, tally.open), (2, 0));
        assert!(tally.share > 0.5 && tally.worst > 1000.0, "{tally:?}");
        assert!(expected.holds(&run(2.01)).is_err());
        let moved = values(&[Some(1.0000001), Some(2.0), None]);
        assert_eq!(expected.holds(&moved).expect_err("an exact number").component, Some(0));
        let kept = values(&[Some(1.0), Some(2.0), Some(0.0)]);
        assert_eq!(expected.holds(&kept).expect_err("a discard").component, None);
        expected.add(run(2.012));
        assert!(expected.holds(&run(2.01)).is_ok(), "a further run allows more");
    }

    #[test]
    fn numbers_on_which_no_runs_agree_are_open_and_counted() {
        let run = |first: f32, second: Option<f32>| values(&[Some(first), second]);
        let expected = Expected::new(vec![run(0.0, Some(1.0)), run(1.0, None)]);
        let tally = expected.holds(&run(7.0, None)).expect("both are open");
        assert_eq!(tally.compared, 0);
        assert_eq!(tally.open, 2);
        let expected = Expected::new(vec![run(f32::NAN, Some(1.0)); 2]);
        assert_eq!(expected.holds(&run(1.0, Some(1.0))).expect("NaN is open").open, 1);
        assert!(expected.same(&run(1.0, Some(1.0))).is_err(), "the passes must be exact");
    }
}
