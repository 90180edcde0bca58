//! `inspect`: what a program reads and writes, for people.

use std::fmt::Write;

use sdlbc::{Block, Function, InputKind, Module, OutputKind, Type};

/// The interface of each function, and how much code it has.
pub(super) fn describe(module: &Module) -> String {
    let mut text = String::new();
    for function in &module.functions {
        // Writing to a string cannot fail.
        let _ = describe_function(&mut text, function);
    }
    text
}

fn describe_function(text: &mut String, function: &Function) -> std::fmt::Result {
    let count = instructions(&function.body);
    writeln!(text, "{} function `{}`: {count} instructions", function.kind.name(), function.name)?;
    for input in &function.inputs {
        let what = match input.kind {
            InputKind::Attribute { location } => format!("vertex attribute at location {location}"),
            InputKind::Varying { location, .. } => format!("varying at location {location}"),
            InputKind::Uniform => match input.ty {
                Type::Array(_, _, length) => format!("constants, the first {length} registers"),
                _ => "uniform".to_string(),
            },
            InputKind::Texture { slot, sampler } => {
                let pick = |names: &[&str], at: u8| names.get(usize::from(at)).unwrap_or(&"?").to_string();
                let filter = pick(
                    &["nearest", "linear", "anisotropic 2x", "anisotropic 4x", "anisotropic 8x", "anisotropic 16x"],
                    sampler.filter,
                );
                let mip = pick(&["no mip levels", "nearest mip level", "linear between mip levels"], sampler.mip);
                let wrap = |wrap| pick(&["clamp", "repeat"], wrap);
                let format = pick(&["rgba", "compressed", "compressed with alpha", "video"], sampler.format);
                let mut what = format!(
                    "sampled at slot {slot}: {filter}, {mip}, u {}, v {}, {format}",
                    wrap(sampler.wrap_u),
                    wrap(sampler.wrap_v)
                );
                if sampler.bias != 0 {
                    write!(what, ", bias {}", f32::from(sampler.bias) / 8.0)?;
                }
                if sampler.special & 4 != 0 {
                    what += ", state set by the application";
                }
                what
            }
            InputKind::Builtin(builtin) => builtin.name().to_string(),
            InputKind::Parameter => "parameter".to_string(),
        };
        writeln!(text, "  reads  {:<4} {:<12} {what}", input.name, input.ty.to_string())?;
    }
    for output in &function.outputs {
        let what = match output.kind {
            OutputKind::Position => "position in clip space".to_string(),
            OutputKind::Varying { location, .. } => format!("varying at location {location}"),
            OutputKind::Colour { target } => format!("colour of target {target}"),
            OutputKind::Depth => "depth".to_string(),
            OutputKind::PointSize => "point size".to_string(),
            OutputKind::Returned => "returned".to_string(),
        };
        writeln!(text, "  writes {:<4} {:<12} {what}", output.name, output.ty.to_string())?;
    }
    Ok(())
}

fn instructions(block: &Block) -> usize {
    block.iter().map(|inst| 1 + inst.blocks.iter().map(instructions).sum::<usize>()).sum()
}
