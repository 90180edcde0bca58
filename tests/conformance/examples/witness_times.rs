//! Measures how long each device takes to prepare a new pair of functions and to draw 1,000 points. The suite has tens of
//! thousands of pairs.
//!
//! The command is `cargo run --release -p conformance --example witness_times [pairs]`.

use std::collections::BTreeMap;
use std::time::Instant;

use sdlbc::builder::Builder;
use sdlbc::{FunctionKind, FunctionOutput, InputKind, Interpolation, Module, OutputKind, Type};
use sdlbc_interp::{Draw, Topology};

/// Returns a pair of functions whose code is different for each `number`.
fn pair(number: u32) -> Module {
    let mut vertex = Builder::new(FunctionKind::Vertex, "vs_main");
    let place = vertex.input("va0", Type::FLOAT4, InputKind::Attribute { location: 0 });
    let value = vertex.input("va1", Type::FLOAT4, InputKind::Attribute { location: 1 });
    let kind = OutputKind::Varying { location: 0, interpolation: Interpolation::Flat };
    let position = FunctionOutput { ty: Type::FLOAT4, name: "op".into(), kind: OutputKind::Position };
    let outputs =
        [vertex.output(position), vertex.output(FunctionOutput { ty: Type::FLOAT4, name: "v0".into(), kind })];
    vertex.poke(outputs[0], place);
    vertex.poke(outputs[1], value);

    let mut fragment = Builder::new(FunctionKind::Fragment, "fs_main");
    let kind = InputKind::Varying { location: 0, interpolation: Interpolation::Flat };
    let mut colour = fragment.input("v0", Type::FLOAT4, kind);
    let constants = fragment.input("fc", Type::floats(4), InputKind::Uniform);
    for step in 0..12 {
        let number = fragment.float((number * 16 + step) as f32);
        let number = fragment.vector(&[number; 4]);
        let product = fragment.multiply(colour, constants);
        colour = fragment.add(product, number);
        if step % 4 == 0 {
            colour = fragment.fract(colour);
        }
    }
    let kind = OutputKind::Colour { target: 0 };
    let target = fragment.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".into(), kind });
    fragment.poke(target, colour);
    let finish = |builder: Builder| builder.finish().expect("the types fit").0;
    Module { functions: vec![finish(vertex), finish(fragment)], ..Module::default() }
}

fn main() {
    let pairs: u32 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(200);
    let (width, height) = (40, 25);
    let place = |at: u32, of: u32| (at as f32 + 0.5) / of as f32 * 2.0 - 1.0;
    let points = 0..width * height;
    let places = points.clone().map(|i| [place(i % width, width), -place(i / width, height), 0.0, 1.0]);
    let attributes = BTreeMap::from([
        (0, places.map(|place| place.map(f32::to_bits)).collect()),
        (1, points.clone().map(|i| [i, i + 1, i + 2, i + 3].map(|n| (n as f32 / 1000.0).to_bits())).collect()),
    ]);
    let mut draw = Draw {
        attributes,
        indices: points.collect(),
        topology: Topology::Points,
        ..Draw::new(Module::default(), width, height)
    };
    let all = match conformance::witness::all() {
        Ok(all) => all,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    for mut witness in all {
        // The first draw creates the objects that all later draws share.
        draw.module = pair(0);
        let mut one = |draw: &Draw| {
            if let Err(failure) = witness.draw(draw) {
                panic!("{failure:?}");
            }
        };
        one(&draw);
        let start = Instant::now();
        for number in 1..=pairs {
            draw.module = pair(number);
            one(&draw);
        }
        let new = start.elapsed().as_secs_f64() * 1000.0 / f64::from(pairs);
        let start = Instant::now();
        (0..pairs).for_each(|_| one(&draw));
        let again = start.elapsed().as_secs_f64() * 1000.0 / f64::from(pairs);
        println!("{:32} {new:7.2} ms for a new pair, {again:7.2} ms for the same pair again", witness.name());
    }
}
