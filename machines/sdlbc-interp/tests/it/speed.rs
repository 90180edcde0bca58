//! Measures the speed of the executor: `cargo test --release -p sdlbc-interp --test it speed:: -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::time::Instant;

use sdlbc::{Dimension, FunctionKind};
use sdlbc_interp::{Draw, Level, Pair, Resources, Texture};

/// The shaders of a lit, textured picture. Each fragment executes about 50 scalar operations and samples a mipmapped texture
/// once.
const LIT: &str = "vertex function \"vs\" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke %1, 0
  poke %1, 1
}
fragment function \"fs\" {
  input %1 v0: float4 = varying 0
  input %2 fc0: float4 = uniform
  input %3 fc1: float4 = uniform
  input %4 fs0: texture2d = texture 0 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %10 = swizzle %1, xy
  %11 = sample %4, %10
  %12 = swizzle %1, xyz
  %13 = normalize %12
  %14 = swizzle %2, xyz
  %15 = normalize %14
  %16 = dot %13, %15
  %17 = literalfloat 0.0
  %18 = max %16, %17
  %19 = swizzle %3, xyz
  %20 = subtract %19, %12
  %21 = normalize %20
  %22 = add %21, %15
  %23 = normalize %22
  %24 = dot %13, %23
  %25 = max %24, %17
  %26 = swizzle %3, w
  %27 = pow %25, %26
  %28 = literalfloat 0.2
  %29 = add %18, %28
  %30 = multiply %11, %29
  %31 = vector %27, %27, %27, %17
  %32 = add %30, %31
  %33 = literalfloat 1.0
  %34 = clamp %32, %17, %33
  poke %34, 0
}";

#[test]
#[ignore = "a measurement without assertions"]
fn a_lit_picture() {
    let module = sdlbc::parse(LIT).expect("a module");
    let mut levels = Vec::new();
    let mut size = 256u32;
    while size > 0 {
        let texels = (0..size * size).map(|at| [(at * 7) as u8, (at >> 3) as u8, 99, 255]).collect();
        levels.push(Level { width: size, height: size, depth: 1, texels });
        size /= 2;
    }
    let mut resources = Resources::default();
    let bits = |numbers: [f32; 4]| numbers.map(f32::to_bits).to_vec();
    resources.uniforms.insert((FunctionKind::Fragment, "fc0".into()), bits([0.3, 0.5, 0.8, 0.0]));
    resources.uniforms.insert((FunctionKind::Fragment, "fc1".into()), bits([0.0, 0.0, 5.0, 20.0]));
    resources.textures.insert((FunctionKind::Fragment, 0), Texture { dimension: Dimension::D2, levels });
    let pair = Pair::new(&module, resources.clone()).expect("a pair");
    let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let corners = corners.iter().map(|&[x, y]: &[f32; 2]| [x, y, 0.5, 1.0].map(f32::to_bits)).collect();
    let draw = Draw {
        module,
        attributes: BTreeMap::from([(0, corners)]),
        indices: vec![0, 1, 2, 2, 1, 3],
        topology: Default::default(),
        instances: 1,
        cull: Default::default(),
        depth: None,
        resources,
        width: 512,
        height: 512,
        targets: 1,
        clear: [0.0; 4],
    };
    for _ in 0..5 {
        let start = Instant::now();
        let image = sdlbc_interp::draw(&draw, &pair);
        let time = start.elapsed();
        assert!(image.targets[0].iter().all(|pixel| pixel[3] == 1.0 || pixel[3] < 1.3));
        println!("{time:?}, {:.1} million fragments a second", 512.0 * 512.0 / time.as_secs_f64() / 1e6);
    }
}
