//! Checks the results of the assembler's macros.

use es2_front::Program;
use es2_machine::Vector;

use super::{fragment as program, one};

fn colour(program: &Program, v0: Vector, v1: Vector) -> Vector {
    one(program, &[v0, v1], &[])
}

#[test]
fn lit_is_its_definition_at_its_corners_too() {
    let program = program("LIT fragcolor, v0, v1;");
    let limits = [1.0, 128.0, 1.0, 1.0];
    let values = [-3.0, -0.0, 0.0, 1e-30, 0.3, 0.99, 1.0, 7.0];
    for x in values {
        for y in values.into_iter().chain([0.5, 2.0, 100.0, 1000.0]) {
            for w in values {
                for z in [-1.0, 0.0, 1.0] {
                    let clamped = |value: f32, limit: f32| f64::from(value.max(0.0).min(limit));
                    // In double precision, 0^0 is 1, and 0 to a positive power is 0.
                    let power = clamped(w, 1.0).powf(clamped(y, 128.0));
                    let expected = [1.0, clamped(x, 1.0), clamped(z, 1.0) * power, 1.0];
                    let found = colour(&program, [x, y, z, w], limits);
                    for (found, expected) in found.into_iter().zip(expected) {
                        // The tolerance allows for rounding the exponent to 24 bits before the power is computed.
                        let tolerance = expected * 2e-5 + 1e-30;
                        assert!(
                            (f64::from(found) - expected).abs() <= tolerance,
                            "{x} {y} {z} {w}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn lit_with_other_components_is_arbs() {
    // ARB's LIT, as docs/isa.md expands it, takes the base from y and the exponent from w, and has no highlight unless x is above
    // 0.
    let program = program("MOV r0, v0; SLT r0.z, v1.x, r0.x; LIT fragcolor, r0.xwzy, v1.zwzz;");
    let constants = [0.0, 0.0, 1.0, 128.0];
    for (a, z) in [
        ([0.5, 0.5, 9.0, 2.0], 0.25),
        ([0.0, 0.5, 9.0, 2.0], 0.0),
        ([-1.0, 0.5, 9.0, 2.0], 0.0),
        ([0.5, 0.0, 9.0, 2.0], 0.0),
        ([0.5, 0.0, 9.0, 0.0], 1.0),
    ] {
        let found = colour(&program, a, constants);
        assert!((found[2] - z).abs() < 1e-6 && found[0] == 1.0 && found[3] == 1.0, "{a:?}: {found:?}");
        assert_eq!(found[1], f32::max(a[0], 0.0));
    }
}

#[test]
fn pow_and_sub_are_their_definitions() {
    let power = program("POW fragcolor, v0.x, v1.y;");
    let difference = program("SUB fragcolor, v0, v1;");
    for (a, b) in [(2.0, 3.0), (0.5, 2.0), (9.0, 0.5), (7.0, 0.0), (1.0, -4.0), (0.25, -1.5), (0.0, 2.0)] {
        let [found, ..] = colour(&power, [a; 4], [b; 4]);
        let expected = f64::from(a).powf(f64::from(b));
        assert!((f64::from(found) - expected).abs() <= expected * 1e-5, "{a}^{b}: {found}");
        assert_eq!(colour(&difference, [a; 4], [b; 4]), [a - b; 4]);
    }
}
