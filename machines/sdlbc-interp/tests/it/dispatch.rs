//! Tests of compute functions: workgroups with fewer or more than 64 invocations, barriers inside control flow, and the
//! contents of buffers after a dispatch.

use sdlbc::{Format, FunctionKind, Module};
use sdlbc_interp::{Error, Program, Resources, StorageTexture};

fn parsed(text: &str) -> Module {
    let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(sdlbc::verify(&module), Ok(()), "{text}");
    module
}

fn dispatched(module: &Module, workgroups: [u32; 3], buffers: &[(u32, Vec<u32>)]) -> Resources {
    let mut resources = Resources::default();
    for (slot, words) in buffers {
        resources.buffers.insert((FunctionKind::Compute, *slot), words.clone());
    }
    let program = Program::new(module, 0).expect("a program");
    program.dispatch(&mut resources, workgroups, None).expect("it terminates");
    resources
}

/// Each workgroup sums 128 numbers by repeatedly adding one half of the list to the other. In each round, invocations read values
/// that other invocations wrote before the barrier.
const SUMS: &str = r#"compute function "sums" {
  input %1 place: uint3 = builtin globalinvocationid
  input %2 lane: uint = builtin localinvocationindex
  input %3 group: uint3 = builtin workgroupid
  input %4 numbers: int[] = buffer 0 read
  input %5 sums: int2[] = buffer 1 readwrite
  input %6 tile: int[128] = shared
  workgroup 128 1 1

  %10 = swizzle %1, x
  %11 = convert %10, int
  %12 = peek %4, %11, 0
  %14 = convert %2, int
  poke %12, %6, %14, 0
  barrier 1
  %15 = literalint 64
  %16 = literalint 1
  %17 = literalint 0
  loop {
    %20 = phi %15, %21
    %22 = lessthanorequal %20, %17
    if %22 {
      break
    }
    %23 = lessthan %14, %20
    if %23 {
      %24 = add %14, %20
      %25 = peek %6, %24, 0
      %26 = peek %6, %14, 0
      %27 = add %25, %26
      poke %27, %6, %14, 0
    }
    barrier 1
    %21 = shiftright %20, %16
  }
  %30 = equal %14, %17
  if %30 {
    %31 = swizzle %3, x
    %32 = convert %31, int
    %33 = peek %6, 0
    %34 = buffersize %4
    %35 = vector %33, %34
    poke %35, %5, %32, 0
  }
}"#;

#[test]
fn invocations_of_a_workgroup_see_what_others_wrote_before_a_barrier() {
    let numbers: Vec<u32> = (0..200).collect();
    let ran = dispatched(&parsed(SUMS), [2, 1, 1], &[(0, numbers), (1, vec![0; 4])]);
    // A read past the end of a buffer returns the buffer's last element.
    let sums = [(0..128).sum::<u32>(), (128..200).sum::<u32>() + 56 * 199];
    assert_eq!(ran.buffers[&(FunctionKind::Compute, 1)], [sums[0], 200, sums[1], 200]);
}

#[test]
fn builtins_are_those_of_each_invocation() {
    let module = parsed(
        r#"compute function "places" {
  input %1 place: uint3 = builtin globalinvocationid
  input %2 own: uint3 = builtin localinvocationid
  input %3 lane: uint = builtin localinvocationindex
  input %4 group: uint3 = builtin workgroupid
  input %5 groups: uint3 = builtin numworkgroups
  input %6 to: uint4[] = buffer 0 readwrite
  workgroup 3 2 2

  %10 = swizzle %1, z
  %11 = swizzle %1, y
  %12 = swizzle %1, x
  %13 = literaluint 6
  %14 = literaluint 4
  %15 = multiply %10, %14
  %16 = add %15, %11
  %17 = multiply %16, %13
  %18 = add %17, %12
  %19 = convert %18, int
  %20 = swizzle %4, y
  %21 = swizzle %2, xy
  %23 = swizzle %5, x
  %24 = vector %3, %20, %23, %12
  poke %24, %6, %19, 0
}"#,
    );
    let ran = dispatched(&module, [2, 2, 1], &[(0, vec![99; 4 * 48])]);
    let words = &ran.buffers[&(FunctionKind::Compute, 0)];
    for (at, found) in words.chunks(4).enumerate() {
        let (x, y, z) = (at % 6, at / 6 % 4, at / 24);
        let lane = (z % 2 * 2 + y % 2) * 3 + x % 3;
        let wanted = [lane, y / 2, 2, x].map(|number| number as u32);
        assert_eq!(found, wanted, "at {x} {y} {z}");
    }
}

#[test]
fn parts_of_a_workgroup_meet_in_conditionals_and_switches() {
    // The flag selects the block that all 256 invocations execute. Each invocation adds the value that the neighbouring
    // invocation wrote before the barrier.
    let text = r#"compute function "shift" {
  input %1 lane: uint = builtin localinvocationindex
  input %2 flag: int[] = buffer 0 read
  input %3 to: int[] = buffer 1 readwrite
  input %4 tile: int[256] = shared
  workgroup 256 1 1

  %10 = convert %1, int
  %11 = peek %2, 0
  %12 = literalint 1
  %13 = literalint 1000
  poke %10, %4, %10, 0
  %14 = equal %11, %12
  if %14 {
    barrier 1
    %15 = peek %4, %10, 64
  } else {
    %16 = peek %4, %10, 0
  }
  %17 = phi %15, %16
  switch %11 case 2 {
    barrier 3
    %18 = peek %4, %10, -64
    poke %18, %3, %10, 0
  } case 3 {
    poke %13, %3, %10, 0
    barrier 2
  } default {
    poke %17, %3, %10, 0
  }
}"#;
    let module = parsed(text);
    let of = |flag: u32, at: fn(usize) -> u32| {
        let ran = dispatched(&module, [1, 1, 1], &[(0, vec![flag]), (1, vec![7; 256])]);
        let wanted: Vec<u32> = (0..256).map(at).collect();
        assert_eq!(ran.buffers[&(FunctionKind::Compute, 1)], wanted, "flag {flag}");
    };
    of(0, |at| at as u32);
    of(1, |at| (at + 64).min(255) as u32);
    of(2, |at| at.saturating_sub(64) as u32);
    of(3, |_| 1000);
}

#[test]
fn shared_arrays_are_zero_when_a_workgroup_begins() {
    let module = parsed(
        r#"compute function "count" {
  input %1 group: uint3 = builtin workgroupid
  input %2 to: int[] = buffer 0 readwrite
  input %3 tile: int[1] = shared
  workgroup 1 1 1

  %4 = swizzle %1, x
  %5 = convert %4, int
  %6 = peek %3, 0
  %7 = literalint 5
  %8 = add %6, %7
  poke %8, %3, 0
  poke %8, %2, %5, 0
}"#,
    );
    let ran = dispatched(&module, [3, 1, 1], &[(0, vec![0; 3])]);
    assert_eq!(ran.buffers[&(FunctionKind::Compute, 0)], [5, 5, 5]);
}

#[test]
fn a_fragment_function_reads_a_storage_buffer() {
    let module = parsed(
        r#"fragment function "main" {
  input %1 colours: float4[] = buffer 3 read
  output 0 oc: float4 = colour 0
  %2 = peek %1, 1
  poke %2, 0
}"#,
    );
    let mut resources = Resources::default();
    resources.buffers.insert((FunctionKind::Fragment, 3), (0..8).collect());
    let program = Program::new(&module, 0).expect("a program");
    let ran = program.run(&resources, 1, &|_| None, None).expect("it terminates");
    assert_eq!([0, 1, 2, 3].map(|at: usize| ran.outputs[0][at][0]), [4, 5, 6, 7]);
    assert_eq!(program.dispatch(&mut resources, [1; 3], None), Err(Error::Dispatch));
}

#[test]
fn a_compute_function_is_not_run_as_one_invocation_and_may_be_stuck() {
    let module = parsed(SUMS);
    let program = Program::new(&module, 0).expect("a program");
    assert_eq!(program.run(&Resources::default(), 1, &|_| None, None).err(), Some(Error::Dispatch));
    let endless = parsed(
        r#"compute function "endless" {
  input %1 flag: int = uniform
  workgroup 128 1 1
  %2 = literalint 7
  loop {
    %3 = equal %1, %2
    if %3 {
      break
    }
    barrier 1
  }
}"#,
    );
    let program = Program::new(&endless, 0).expect("a program");
    assert_eq!(program.dispatch(&mut Resources::default(), [1; 3], None), Err(Error::Stuck));
}

/// Rotates a picture by 180 degrees. Invocations outside the picture write no texel.
const TURNED: &str = r#"compute function "turned" {
  input %1 place: uint3 = builtin globalinvocationid
  input %2 from: r32floattexture2d = image 0 read
  input %3 to: rgba8unormtexture2d = image 1 write
  input %4 layers: rg32sinttexture2darray = image 2 write
  workgroup 1 1 1

  %6 = convert %1, int
  %7 = swizzle %6, xy
  %8 = imagesize %2
  %9 = literalint 1
  %10 = subtract %8, %7
  %11 = subtract %10, %9
  %12 = imageload %2, %11
  imagestore %3, %7, %12
  %13 = imagesize %4
  %14 = swizzle %13, xyzz
  imagestore %4, %7, %9, %14
}"#;

#[test]
fn texels_are_read_and_written_as_their_formats_hold_them() {
    let module = parsed(TURNED);
    let mut resources = Resources::default();
    let image = |format, size| StorageTexture::new(format, size).expect("it is small");
    let mut from = image(Format::R32Float, [3, 2, 1]);
    for at in 0..6 {
        from.set([at % 3, at / 3, 0], [(at as f32 / 4.0).to_bits(); 4]);
    }
    let compute = FunctionKind::Compute;
    resources.images.insert((compute, 0), from.clone());
    resources.images.insert((compute, 1), image(Format::Rgba8Unorm, [3, 1, 1]));
    resources.images.insert((compute, 2), image(Format::Rg32Sint, [2, 2, 2]));
    let program = Program::new(&module, 0).expect("a program");
    // The dispatch covers one row and one column more than the texture has.
    program.dispatch(&mut resources, [4, 3, 1], None).expect("it terminates");
    assert_eq!(resources.images[&(compute, 0)], from);
    let to = resources.images[&(compute, 1)].texels().iter().map(|texel| texel.map(f32::from_bits));
    let red = |red: f32| [red, 0.0, 0.0, 1.0];
    assert_eq!(to.collect::<Vec<_>>(), [red(1.0), red(1.0), red(191.0 / 255.0)]);
    let layers = resources.images[&(compute, 2)].texels();
    assert_eq!(layers, [[[0, 0, 0, 1]; 4], [[2, 2, 0, 1]; 4]].concat());

    // A missing storage texture has no texels.
    let mut nothing = Resources::default();
    program.dispatch(&mut nothing, [1, 1, 1], None).expect("it terminates");
    assert_eq!(nothing, Resources::default());
}

#[test]
fn a_fragment_function_reads_a_storage_texture() {
    let module = parsed(
        r#"fragment function "main" {
  input %1 map: rgba16uinttexture3d = image 5 read
  output 0 oc: float4 = colour 0
  %2 = literalint 1
  %3 = vector %2, %2, %2
  %4 = imageload %1, %3
  %5 = convert %4, float
  poke %5, 0
}"#,
    );
    let mut resources = Resources::default();
    let mut map = StorageTexture::new(Format::Rgba16Uint, [2, 2, 2]).expect("it is small");
    map.set([1, 1, 1], [1, 2, 70_000, 4]);
    resources.images.insert((FunctionKind::Fragment, 5), map);
    let program = Program::new(&module, 0).expect("a program");
    let ran = program.run(&resources, 1, &|_| None, None).expect("it terminates");
    assert_eq!([0, 1, 2, 3].map(|at: usize| f32::from_bits(ran.outputs[0][at][0])), [1.0, 2.0, 65535.0, 4.0]);
}
