//! Builds a module with the builder's operation methods, verifies the module, writes it to a file and prints it.
//!
//! To run the example, use `cargo run -p sdlbc --example build FILE`.

use std::error::Error;

use sdlbc::infer::TypeError;
use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Interpolation, Module, OutputKind, Type, Verified};

/// Returns a module whose fragment function mixes a colour with the fog colour, depending on the fragment's distance.
pub(crate) fn module() -> Result<Module, TypeError> {
    let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
    let varying = |location| InputKind::Varying { location, interpolation: Interpolation::Perspective };
    let colour = builder.input("colour", Type::FLOAT4, varying(0));
    let distance = builder.input("distance", Type::FLOAT, varying(1));
    let fog = builder.input("fog", Type::FLOAT4, InputKind::Uniform);
    let kind = OutputKind::Colour { target: 0 };
    let target = builder.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".to_string(), kind });

    let (zero, one, far) = (builder.float(0.0), builder.float(1.0), builder.float(100.0));
    let share = builder.divide(distance, far);
    let share = builder.clamp(share, zero, one);
    let mixed = builder.mix(colour, fog, share);
    builder.poke(target, mixed);

    let (function, _names) = builder.finish()?;
    Ok(Module { functions: vec![function], ..Module::default() })
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the name of the file to write is missing")?;
    let module = match Verified::new(module()?) {
        Ok(module) => module,
        Err(violations) => {
            violations.iter().for_each(|violation| eprintln!("{violation}"));
            return Err("the module breaks rules".into());
        }
    };
    std::fs::write(path, sdlbc::encode(&module))?;
    print!("{}", sdlbc::print(&module));
    Ok(())
}
