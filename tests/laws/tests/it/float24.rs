//! Checks that in 24-bit mode, every float that a random module computes or reads is representable in 24 bits, in every lane.
//!
//! A full run tests 150 modules, and `MODULES=...` tests more. `SEED=...` runs a single module.

use crate::meaning::loops;
use crate::wide::{inputs, resources};

use laws::from_seed;
use sdlbc::{FunctionKind, InputKind, Module, OutputKind, Scalar, Type};
use sdlbc_interp::{Column, Float, Mask, Observer, Program, Site};
use testing::{Effort, Random};

/// Reports whether a word is a 24-bit float. The test uses only the definition of the format: 1 sign bit, 7 exponent bits and 16
/// mantissa bits.
fn is_float24(word: u32) -> bool {
    let (exponent, mantissa) = ((word >> 23 & 255).cast_signed() - 127, word & 0x007f_ffff);
    match exponent {
        128 => mantissa & 0x7f == 0,
        -62..=63 => mantissa & 0x7f == 0,
        // A subnormal is a multiple of 2^-78, so its lower mantissa bits are 0.
        -78..=-63 => mantissa & ((1 << (-55 - exponent)) - 1) == 0,
        _ => word << 1 == 0,
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Vector(Scalar::Float, _) | Type::Matrix { .. })
}

#[derive(Default)]
struct Checked {
    /// The number of checked columns of floats.
    columns: u64,
    /// The number of columns with a float that needs more than 11 mantissa bits.
    long: u64,
    wrong: Option<String>,
}

impl Checked {
    fn check(&mut self, column: &Column, what: impl Fn() -> String) {
        self.columns += 1;
        self.long += u64::from(column.iter().any(|word| word & 0xfff != 0));
        if let (Some(lane), None) = (column.iter().position(|&word| !is_float24(word)), &self.wrong) {
            self.wrong = Some(format!("{} in lane {lane}: {:#x}", what(), column[lane]));
        }
    }
}

impl Observer for Checked {
    fn result(&mut self, site: &Site, _: Mask, _: &[Vec<Column>], columns: &mut [Column]) {
        if is_float(site.ty) {
            let what = || format!("{} at {}.{}", site.op, site.function, site.instruction);
            columns.iter().for_each(|column| self.check(column, what));
        }
    }
}

/// Checks that every float in the modules is a 24-bit float, and that a full run examines at least `least` columns of floats.
#[track_caller]
fn rounded(least: u64, make: fn(u64) -> Module) {
    let effort = Effort::of("MODULES", 150);
    let (mut columns, mut long) = (0, 0);
    for seed in effort.seeds() {
        let module = make(seed);
        for (index, function) in module.functions.iter().enumerate() {
            if function.kind == FunctionKind::Generic {
                continue;
            }
            let mut random = Random(seed);
            let mut resources = resources(&module, function.kind, &mut random);
            let given = inputs(function, &mut random);
            // Most floats divided by 3 need more significant bits than a 24-bit float has.
            let third = |word: u32| (f32::from_bits(word) / 3.0).to_bits();
            for input in function.inputs.iter().filter(|input| is_float(input.ty)) {
                if let Some(words) = resources.uniforms.get_mut(&(function.kind, input.name.clone())) {
                    words.iter_mut().for_each(|word| *word = third(*word));
                }
            }
            let floats: Vec<InputKind> =
                function.inputs.iter().filter(|input| is_float(input.ty)).map(|input| input.kind).collect();
            let given = |kind: InputKind| {
                let columns = given.iter().find(|input| input.0 == kind).map(|input| input.1)?;
                Some(if floats.contains(&kind) { columns.map(|column| column.map(third)) } else { columns })
            };
            let program =
                Program::with_float(&module, index, Float::F24).unwrap_or_else(|error| panic!("SEED={seed}: {error}"));
            let mut checked = Checked::default();
            let ran = program
                .run(&resources, Mask::MAX, &given, Some(&mut checked))
                .unwrap_or_else(|error| panic!("SEED={seed}: {error}"));
            for (output, found) in function.outputs.iter().zip(&ran.outputs) {
                if is_float(output.ty) && output.kind != OutputKind::Returned {
                    found.iter().for_each(|column| checked.check(column, || format!("output {}", output.name)));
                }
            }
            if let Some(wrong) = checked.wrong {
                panic!("SEED={seed}: {wrong} is not a 24-bit float\n{}", sdlbc::print(&module));
            }
            columns += checked.columns;
            long += checked.long;
        }
    }
    println!("{columns} columns of floats, {long} of them with more than 11 significant bits");
    assert!(
        columns >= effort.at_least(least) && long >= effort.at_least(least / 2),
        "{columns} columns, {long} long ones"
    );
}

#[test]
fn random_modules_compute_24_bit_floats() {
    rounded(2_000, from_seed);
}

#[test]
fn random_modules_of_loops_compute_24_bit_floats() {
    rounded(2_000, loops::module);
}

#[test]
fn hostile_modules_compute_24_bit_floats() {
    rounded(500, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}
