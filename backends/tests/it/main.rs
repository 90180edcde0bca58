//! The integration tests of `backends`, in one binary: `cargo test -p sdlbc-naga --test it NAME`.

mod any_module;
mod direct3d;
mod entries;
mod every_pair;
mod growth;
mod hlsl_memory;
mod indices;
mod metal;
mod metal_compiled;
mod msl_memory;
mod native;
mod output;
mod pairs;
mod places;
mod upstream;

use sdlbc::{FunctionKind, Module, Verified};
use sdlbc_naga::{Error, Layout, Output, Target};

fn write(module: &Module, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<Output, Error> {
    sdlbc_naga::write(&verified(module), target, stage, layout)
}

fn verified(module: &Module) -> Verified {
    Verified::new(module.clone()).unwrap_or_else(|violations| panic!("{violations:?}"))
}

/// A compute function with a resource of each kind. The resources are listed in the order that the module format requires, not in
/// the order of registers or indices.
const EACH: &str = r#"
compute function "cs_main" {
  input %1 place: uint3 = builtin globalinvocationid
  input %2 scale: float4 = uniform
  input %3 map: texture2d = texture 3 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  input %4 given: float4[] = buffer 4 read
  input %5 sums: float4[] = buffer 1 readwrite
  input %6 found: uint[] = buffer 2 readwrite
  input %7 source: rgba8unormtexture2d = image 5 read
  input %8 target: rgba8unormtexture2d = image 0 write
  workgroup 8 8 1

  %9 = convert %1, int
  %10 = swizzle %9, xy
  %11 = swizzle %9, x
  %12 = literalfloat 0
  %13 = vector %12, %12
  %14 = samplelod %3, %13, %12
  %15 = peek %4, %11, 0
  %16 = imageload %7, %10
  %17 = multiply %15, %16
  %18 = mad %17, %2, %14
  poke %18, %5, %11, 0
  %19 = swizzle %1, y
  poke %19, %6, 0
  imagestore %8, %10, %18
}
"#;

fn module(text: &str) -> Module {
    sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}
