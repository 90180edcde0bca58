//! Derives compute functions from the vertex functions of random modules. The compute functions must have the same results as
//! the vertex functions, even after optimisation, and obey the laws of files and texts. naga reads the SPIR-V, WGSL and GLSL of
//! the compute functions.
//!
//! A full run tests 80 modules, and `MODULES=...` tests more. `SEED=...` runs a single module.

use backends::{Error, Glsl, Layout, MslVersion, Target};
use laws::compute::{NUMBERS, OUTPUTS, as_compute, image, is_image};
use laws::{Mood, Source, from_seed, hostile_from_seed, naga_accepts, outputs, roundtrip_of, text_of};
use sdlbc::front::SourceOptions;
use sdlbc::{Format, FunctionKind, InputKind, Module, Scalar, Type, Verified};
use sdlbc_interp::{Column, Error as Stuck, LANES, Program, Resources, StorageTexture};
use testing::{Effort, GLSLANG, Random, SPIRV_VAL, say};

use crate::wide::{resources, word};

fn of_kind(module: &Module, kind: FunctionKind) -> Option<usize> {
    module.functions.iter().position(|function| function.kind == kind)
}

/// Runs a vertex function for 64 invocations. Returns the results, indexed by output and component, and the resources from which
/// a compute function reads the same inputs.
fn wanted(module: &Module, seed: u64) -> Option<(Vec<Vec<Column>>, Resources)> {
    let mut random = Random(seed | 1);
    let at = of_kind(module, FunctionKind::Vertex)?;
    let mut given = resources(module, FunctionKind::Vertex, &mut random);
    let mut columns: Vec<(InputKind, [Column; 4])> = Vec::new();
    let mut slot = 0;
    for input in &module.functions[at].inputs {
        let column = match (input.kind, input.ty) {
            (InputKind::Attribute { .. }, Type::Vector(scalar, width)) => {
                let column: [Column; 4] = std::array::from_fn(|_| std::array::from_fn(|_| word(&mut random, scalar)));
                let stride = if width == 3 { 4 } else { width };
                if is_image(slot) {
                    let mut texture = row(slot, scalar);
                    let texel =
                        |lane: usize| std::array::from_fn(|at| if at < width.into() { column[at][lane] } else { 7 });
                    (0..LANES).for_each(|lane| texture.set([lane as i32, 0, 0], texel(lane)));
                    given.images.insert((FunctionKind::Compute, slot), texture);
                }
                let words = (0..LANES).flat_map(|lane| (0..usize::from(stride)).map(move |at| (lane, at)));
                let words = words.map(|(lane, at)| column[at][lane]).collect();
                given.buffers.insert((FunctionKind::Compute, slot), words);
                slot += 1;
                column
            }
            (InputKind::Builtin(sdlbc::Builtin::VertexIndex), _) => [std::array::from_fn(|lane| lane as u32); 4],
            (InputKind::Builtin(_), _) => [[0; LANES]; 4],
            _ => continue,
        };
        columns.push((input.kind, column));
    }
    let inputs = |kind: InputKind| columns.iter().find(|(of, _)| *of == kind).map(|(_, column)| *column);
    let program = Program::new(module, at).expect("a program");
    let ran = match program.run(&given, u64::MAX, &inputs, None) {
        Ok(ran) => ran,
        Err(Stuck::Stuck) => return None,
        Err(error) => panic!("{error}"),
    };
    let uniforms: Vec<_> = given.uniforms.iter().map(|((_, name), words)| (name.clone(), words.clone())).collect();
    given.uniforms.extend(uniforms.into_iter().map(|(name, words)| ((FunctionKind::Compute, name), words)));
    let textures: Vec<_> = given.textures.iter().map(|((_, slot), texture)| (*slot, texture.clone())).collect();
    given.textures.extend(textures.into_iter().map(|(slot, texture)| ((FunctionKind::Compute, slot), texture)));
    for (slot, output) in (OUTPUTS..).zip(&module.functions[at].outputs) {
        let width = output.ty.width().map_or(0, |width| if width == 3 { 4 } else { usize::from(width) });
        given.buffers.insert((FunctionKind::Compute, slot), vec![0; LANES * width]);
        if let Type::Vector(scalar, 4) = output.ty {
            given.images.insert((FunctionKind::Compute, slot), row(slot, scalar));
        }
    }
    given.buffers.insert((FunctionKind::Compute, NUMBERS), vec![u32::MAX; LANES]);
    Some((ran.outputs, given))
}

/// Returns a storage texture with a texel for each invocation.
fn row(slot: u32, scalar: Scalar) -> StorageTexture {
    let Type::Image(_, format) = image(slot, scalar) else { panic!("{slot}") };
    StorageTexture::new(format, [LANES as u32, 1, 1]).expect("it is small")
}

/// Dispatches the compute function, and compares its results with the vertex function's results.
fn computes(module: &Module, compute: &Module, workgroup: u32, wanted: &(Vec<Vec<Column>>, Resources)) {
    let (outputs, given) = wanted;
    let mut given = given.clone();
    let at = of_kind(compute, FunctionKind::Compute).expect("a compute function");
    let program = Program::new(compute, at).expect("a program");
    program.dispatch(&mut given, [LANES as u32 / workgroup, 1, 1], None).expect("it terminates");
    let vertex = &module.functions[of_kind(module, FunctionKind::Vertex).expect("a vertex function")];
    for ((slot, output), columns) in (OUTPUTS..).zip(&vertex.outputs).zip(outputs) {
        let Type::Vector(scalar, width) = output.ty else { panic!("{}", output.ty) };
        let stride = if width == 3 { 4 } else { usize::from(width) };
        let words = &given.buffers[&(FunctionKind::Compute, slot)];
        for lane in 0..LANES {
            for (component, column) in columns.iter().enumerate() {
                let (found, wanted) = (words[lane * stride + component], column[lane]);
                let both_nan =
                    scalar == Scalar::Float && [found, wanted].map(f32::from_bits).iter().all(|v| v.is_nan());
                assert!(found == wanted || both_nan, "{}, lane {lane}: {found:#x}, not {wanted:#x}", output.name);
                if width == 4 {
                    let image = &given.images[&(FunctionKind::Compute, slot)];
                    assert_eq!(image.texel([lane as i32, 0, 0]).map(|texel| texel[component]), Some(found));
                }
            }
        }
    }
    let numbers: Vec<u32> = (0..LANES as u32).collect();
    assert_eq!(given.buffers[&(FunctionKind::Compute, NUMBERS)], numbers);
}

#[test]
fn a_compute_function_does_what_the_vertex_function_did() {
    let effort = Effort::of("MODULES", 80);
    let (mut compared, mut written, mut refused) = (0_u64, 0_u64, 0_u64);
    let folder = tempfile::tempdir().expect("a folder");
    for seed in effort.seeds() {
        for module in [from_seed(seed), hostile_from_seed(seed, Mood::Calm).module] {
            if sdlbc::verify(&module).is_err() {
                continue;
            }
            let workgroup = [64, 32, 16, 1][(seed % 4) as usize];
            let Some(compute) = as_compute(&module, workgroup, 1 + (seed % 3) as u32) else { continue };
            let shown = || sdlbc::print(&compute);
            assert_eq!(sdlbc::verify(&compute), Ok(()), "seed {seed}\n{}", shown());
            roundtrip_of(&compute);
            text_of(&compute);
            if let Some(wanted) = wanted(&module, seed) {
                computes(&module, &compute, workgroup, &wanted);
                let verified = Verified::new(compute.clone()).expect("it verifies");
                let optimised = sdlbc_passes::optimise(verified, &sdlbc_passes::Options::default(), &mut |_, _| {});
                computes(&module, &optimised, workgroup, &wanted);
                compared += 1;
            }
            for target in [Target::Spirv, Target::Wgsl, Target::Glsl(Glsl::Core450), Target::Msl(MslVersion::V2_1)] {
                match outputs(&compute, target, &Layout::default()) {
                    Ok(files) => {
                        written += 1;
                        let (_, bytes) = &files[0];
                        if target == Target::Wgsl {
                            let text = String::from_utf8_lossy(bytes);
                            naga_accepts(&text).unwrap_or_else(|said| panic!("seed {seed}: {said}\n{text}"));
                        }
                        if matches!(target, Target::Glsl(_)) && GLSLANG.is_there() {
                            let path = folder.path().join("a.comp");
                            std::fs::write(&path, bytes).expect("a file");
                            let said = GLSLANG.run(&[path.as_ref()]);
                            said.unwrap_or_else(|said| panic!("seed {seed}: {said}\n{}", shown()));
                        }
                        if target == Target::Spirv && SPIRV_VAL.is_there() {
                            let path = folder.path().join("a.spv");
                            std::fs::write(&path, bytes).expect("a file");
                            let valid = SPIRV_VAL.run(&["--target-env".as_ref(), "vulkan1.1".as_ref(), path.as_ref()]);
                            valid.unwrap_or_else(|said| panic!("seed {seed}: {said}\n{}", shown()));
                        }
                    }
                    Err(Error::Unsupported { .. }) => refused += 1,
                    Err(error) => panic!("seed {seed}, {target}: {error}\n{}", shown()),
                }
            }
        }
    }
    say(&format!("{compared} compute functions compared, {written} files written, {refused} refused"));
    assert!(
        effort.only.is_some() || 2 * compared >= effort.cases && written > 2 * compared,
        "{compared} {written} {refused}"
    );
}

#[test]
fn the_programs_of_operations_are_written_as_valid_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, path) in testing::files(&testing::testdata("ir/compute"), ".sdlasm").into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).expect("a file");
        let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        for layout in Effort::ways_of("FORMS", &Layout::ALL, number) {
            for target in [Target::Spirv, Target::Wgsl, Target::Glsl(Glsl::Core450), Target::Msl(MslVersion::V1_0)] {
                let files = outputs(&module, target, layout).unwrap_or_else(|error| panic!("{path:?}: {error}"));
                let said = |said: String| panic!("{}, {}, {target}: {said}", path.display(), layout.name);
                let file = |name: &str| {
                    let file = folder.path().join(name);
                    std::fs::write(&file, &files[0].1).expect("a file");
                    file
                };
                match target {
                    Target::Wgsl => naga_accepts(&String::from_utf8_lossy(&files[0].1)).unwrap_or_else(said),
                    Target::Spirv if SPIRV_VAL.is_there() => {
                        let file = file("a.spv");
                        let arguments = ["--target-env".as_ref(), "vulkan1.1".as_ref(), file.as_ref()];
                        SPIRV_VAL.run(&arguments).map(drop).unwrap_or_else(said);
                    }
                    Target::Glsl(_) if GLSLANG.is_there() => {
                        GLSLANG.run(&[file("a.comp").as_ref()]).map(drop).unwrap_or_else(said);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Lifts a source of testdata/sources/compute, and derives further modules by optimisation and by round trips through WGSL and
/// SPIR-V. Dispatches all these modules, requires equal results, and returns the resources after a dispatch.
fn dispatched(name: &str, workgroups: [u32; 3], given: &Resources) -> Resources {
    let of = |ending: &str| testing::testdata(&format!("sources/compute/{name}.{ending}"));
    let is_glsl = of("comp").exists();
    let path = of(if is_glsl { "comp" } else { "wgsl" });
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lift = |source: Source<'_>, of: &str| {
        source.read(&SourceOptions::default()).unwrap_or_else(|refusals| panic!("{name}, {of}: {}", refusals[0])).module
    };
    let lifted = lift(Source::of(&path, &text).expect("a source"), "the source");
    roundtrip_of(&lifted);
    text_of(&lifted);
    let again = backends::wgsl(&lifted, &Layout::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    naga_accepts(&again).unwrap_or_else(|said| panic!("{name}: {said}\n{again}"));
    let words = backends::spirv(&lifted, &Layout::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let of_wgsl = lift(Source::Wgsl(&again), &again);
    let of_spirv = spirv_front::read(&bytes, &spirv_front::Options::default());
    let of_spirv = of_spirv.unwrap_or_else(|refusals| panic!("{name}, SPIR-V: {}", refusals[0])).module;
    let verified = Verified::new(lifted.clone()).expect("it verifies");
    let optimised = sdlbc_passes::optimise(verified, &sdlbc_passes::Options::default(), &mut |_, _| {}).into_module();
    let ran = [&lifted, &optimised, &of_wgsl, &of_spirv].map(|module| {
        let mut resources = given.clone();
        for function in &module.functions {
            for input in function.inputs.iter().filter(|input| input.kind.is_uniform()) {
                let words =
                    if input.name.to_lowercase().contains("step") { [0.5f32, 4.0].map(f32::to_bits) } else { [0; 2] };
                let words = [words, [0; 2]].concat();
                resources.uniforms.insert((FunctionKind::Compute, input.name.clone()), words);
            }
        }
        let at = of_kind(module, FunctionKind::Compute).expect("a compute function");
        let program = Program::new(module, at).unwrap_or_else(|error| panic!("{name}: {error}"));
        program.dispatch(&mut resources, workgroups, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        resources.uniforms.clear();
        resources
    });
    for (other, how) in
        ran.iter().zip(["lifted", "optimised", "written as WGSL and read", "written as SPIR-V and read"])
    {
        assert_eq!(&ran[0], other, "{name}, {how}");
    }
    let [first, ..] = ran;
    first
}

/// Dispatches a source with the given storage buffers, and returns the buffer in `slot`.
fn of_source(name: &str, workgroups: [u32; 3], buffers: &[(u32, Vec<u32>)], slot: u32) -> Vec<u32> {
    let mut given = Resources::default();
    for (slot, words) in buffers {
        given.buffers.insert((FunctionKind::Compute, *slot), words.clone());
    }
    dispatched(name, workgroups, &given).buffers[&(FunctionKind::Compute, slot)].clone()
}

fn floats(words: &[u32]) -> Vec<f32> {
    words.iter().map(|&word| f32::from_bits(word)).collect()
}

fn words(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

#[test]
fn sources_of_compute_functions_compute_what_they_say() {
    let numbers: Vec<u32> = (0..256).map(|at| (at * 37 + 11) % 101).collect();
    let sums = of_source("prefix_sum", [2, 1, 1], &[(0, numbers.clone()), (1, vec![0; 256])], 1);
    for (part, found) in numbers.chunks(128).zip(sums.chunks(128)) {
        let wanted: Vec<u32> = (1..=128).map(|end| part[..end].iter().sum()).collect();
        assert_eq!(found, wanted);
    }
    let largest = of_source("largest", [2, 2, 1], &[(0, numbers.clone()), (1, vec![0; 4])], 1);
    assert_eq!(largest, numbers.chunks(64).map(|part| *part.iter().max().expect("some")).collect::<Vec<u32>>());
    let counts = of_source("histogram", [2, 1, 1], &[(0, numbers.clone()), (1, vec![9; 32])], 1);
    let counts: Vec<u32> = counts[..16].iter().zip(&counts[16..]).map(|(a, b)| a + b).collect();
    let wanted: Vec<u32> =
        (0..16).map(|class| numbers.iter().filter(|&&number| number % 16 == class).count() as u32).collect();
    assert_eq!(counts, wanted);
    let squares = of_source("transpose", [2, 1, 1], &[(0, (0..512).collect())], 0);
    let of = |at: usize| at / 256 * 256 + at % 16 * 16 + at / 16 % 16;
    assert!((0..512).all(|at| squares[at] as usize == of(at)), "{squares:?}");
    let sorted = of_source("sort", [2, 1, 1], &[(0, numbers[..128].to_vec())], 0);
    for (part, found) in numbers.chunks(64).zip(sorted.chunks(64)) {
        let mut wanted = part.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
    }
    let bodies = words(&[1.0, 0.0, 0.0, 2.0, -1.0, 0.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0]);
    let pulls = floats(&of_source("bodies", [1, 1, 1], &[(0, bodies), (1, vec![0; 16])], 1));
    assert!((pulls[12] - (2.0 / 1.25 - 1.0 / 1.25)).abs() < 1e-6 && (pulls[13] - 1.5 / 9.25).abs() < 1e-6, "{pulls:?}");
}

#[test]
fn structures_in_buffers_lie_as_the_source_says() {
    // The buffer contains the time step in seconds, a distance and two counts. The position, mass, velocity and flock of each
    // bird follow.
    let parameters = |counts: [u32; 2]| [0.5f32.to_bits(), 1f32.to_bits(), counts[0], counts[1]];
    let bird = |place: [f32; 3], mass: f32, velocity: [f32; 3], flock: u32| {
        [words(&place), words(&[mass]), words(&velocity), vec![flock]].concat()
    };
    let before = [
        parameters([8, 9]).to_vec(),
        bird([0.0; 3], 1.0, [0.0; 3], 7),
        bird([4.0, 0.0, 0.0], 3.0, [0.0, 1.0, 0.0], 7),
        bird([0.0, 0.0, 9.0], 1.0, [1.0; 3], 8),
    ];
    let after = of_source("flock", [1, 1, 1], &[(0, before.concat()), (1, vec![5; 28])], 1);
    let wanted = [
        vec![5, 5, 5, 9],
        bird([0.25, 0.0, 0.0], 1.0, [0.5, 0.0, 0.0], 7),
        bird([3.75, 0.5, 0.0], 3.0, [-0.5, 1.0, 0.0], 7),
        bird([0.5, 0.5, 9.5], 1.0, [1.0; 3], 8),
    ];
    assert_eq!(after, wanted.concat());

    let vertices = [words(&[1.0, 2.0, 3.0]), vec![0, 5], words(&[0.5])].concat();
    // A bone consists of the columns of a `mat3x4`, followed by the columns of a `mat2x2`.
    let bone = |shift: f32| [1.0, 0.0, 0.0, shift, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0, 3.0];
    let bones = words(&[0.0, 1.0, 2.0, 3.0].map(bone).concat());
    for (slot, wanted) in [(2, vec![3.0, 7.0, 7.0, -1.0]), (3, vec![3.0, 6.0, 7.0, -1.0])] {
        let given = [(0, vertices.clone()), (1, bones.clone()), (2, words(&[-1.0; 64])), (3, words(&[-1.0; 64]))];
        let found = floats(&of_source("skin", [1, 1, 1], &given, slot));
        assert_eq!(found[..4], wanted, "{slot}");
    }
}

#[test]
fn sums_differences_and_products_of_64_bits_are_exact() {
    let a = [u32::MAX, 5, 123_456_789, u32::MAX - 4];
    let b = [u32::MAX, 7, 987_654_321, 3];
    let given = [a.to_vec(), b.to_vec(), vec![0; 32]].concat();
    let found = of_source("wide", [1, 1, 1], &[(0, given)], 0);
    let of = |f: &dyn Fn(u32, u32) -> u32| -> Vec<u32> { a.iter().zip(b).map(|(&a, b)| f(a, b)).collect() };
    let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
    let signed = |at: usize| (i64::from(a[at].cast_signed()) * i64::from(b[at].cast_signed())).cast_unsigned();
    let wanted = [
        of(&|a, b| a.wrapping_add(b)),
        of(&|a, b| u32::from(a.checked_add(b).is_none())),
        of(&|a, b| a.wrapping_sub(b)),
        of(&|a, b| u32::from(a < b)),
        of(&|a, b| (product(a, b) >> 32) as u32),
        of(&|a, b| product(a, b) as u32),
        [0, 1].map(|at| (signed(at) >> 32) as u32).to_vec(),
        [0, 1].map(|at| signed(at) as u32).to_vec(),
    ];
    assert_eq!(found[8..36], wanted.concat());
}

#[test]
fn each_storage_buffer_of_an_array_is_apart() {
    let ledgers = [0, 1, 2].map(|at| (at, vec![100 * (at + 1), 1, 2, 3, 4, 5, 6]));
    let given = [ledgers.to_vec(), vec![(3, vec![0; 6])]].concat();
    for (slot, wanted) in [
        (0, vec![100, 1, 2, 3, 34, 5, 6]),
        (1, vec![200, 1, 12, 3, 4, 45, 6]),
        (2, vec![300, 1, 2, 23, 4, 5, 56]),
        (3, vec![206, 306, 106, 206, 306, 106]),
    ] {
        assert_eq!(of_source("ledgers", [1, 1, 1], &given, slot), wanted, "{slot}");
    }
}

/// The source reads the first member and the array length of a GLSL block with an instance name.
#[test]
fn a_chain_is_pulled_by_springs_and_by_what_its_block_begins_with() {
    let point =
        |x: f32, mass: f32, is_fixed: u32| [words(&[x, 0.0, 0.0, mass, 0.0, 0.0, 0.0]), vec![is_fixed]].concat();
    let before = [words(&[0.0, -1.0, 0.0, 0.0]), point(0.0, 1.0, 1), point(3.0, 1.0, 0), point(7.0, 2.0, 0)].concat();
    let after = of_source("springs", [1, 1, 1], &[(0, before.clone()), (1, vec![0; 24])], 1);
    assert_eq!(after[..8], before[4..12]);
    // The time step is half a second, and the springs have stiffness 4.
    let pull = |way: f32| way * (1.0 - 1.0 / (way.abs() + 0.125)) * 4.0;
    for (point, x, force, mass) in [(1, 3.0, pull(-3.0) + pull(4.0), 1.0), (2, 7.0, pull(-4.0), 2.0)] {
        let speed = force * 0.5 / mass;
        let found = floats(&after[point * 8..point * 8 + 7]);
        let wanted = [x + speed * 0.5, -0.25, 0.0, mass, speed, -0.5, 0.0];
        assert!(
            found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-5),
            "{found:?}, not {wanted:?}"
        );
    }
}

#[test]
fn particles_move_and_turn_back() {
    let velocities = words(&[2.0, 0.0, 0.0, 0.0, 0.0, -8.0, 1.0, 0.0]);
    let positions = words(&[1.0, 2.0, 3.0, 7.0, 0.0, -3.0, 0.0, 8.0]);
    let moved = floats(&of_source("particles", [1, 1, 1], &[(0, velocities), (1, positions)], 1));
    assert_eq!(moved, [2.0, 2.0, 3.0, 7.0, 0.0, -1.0, 0.5, 8.0]);
}

fn texture(format: Format, size: [u32; 3], texel: impl Fn([i32; 3]) -> [u32; 4]) -> StorageTexture {
    let mut texture = StorageTexture::new(format, size).expect("it is small");
    let [width, height, depth] = size.map(u32::cast_signed);
    for at in (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z]))) {
        texture.set(at, texel(at));
    }
    texture
}

#[test]
fn a_picture_is_blurred_to_its_border() {
    let byte = |[x, y, _]: [i32; 3]| (x * 47 + y * 91) % 256;
    let of = |byte: i32| [byte as f32 / 255.0, 1.0, 0.0, 0.5].map(f32::to_bits);
    let picture = texture(Format::Rgba8Unorm, [20, 3, 1], |at| of(byte(at)));
    let mut given = Resources::default();
    given.images.insert((FunctionKind::Compute, 0), picture);
    given.images.insert((FunctionKind::Compute, 1), texture(Format::Rgba8Unorm, [20, 3, 1], |_| [0; 4]));
    let after = dispatched("blur", [2, 3, 1], &given);
    let blurred = &after.images[&(FunctionKind::Compute, 1)];
    for at in (0..3).flat_map(|y| (0..20).map(move |x| [x, y, 0])) {
        let [x, y, _] = at;
        let sum: i32 = [(x - 1).max(0), x, x, (x + 1).min(19)].iter().map(|&x| byte([x, y, 0])).sum();
        let texel = blurred.texel(at).expect("a texel").map(f32::from_bits);
        assert!((texel[0] * 255.0 - sum as f32 / 4.0).abs() <= 0.5 + 1e-3, "{at:?}: {texel:?}, not {sum} / 4");
        assert_eq!(texel[1..], [1.0, 0.0, 128.0 / 255.0]);
    }
}

#[test]
fn a_brush_draws_on_layers_and_in_a_volume() {
    let mut given = Resources::default();
    let dots = [[1, 1, 1, 0], [3, 2, 2, 0], [0, 0, 0, 0]];
    given.buffers.insert((FunctionKind::Compute, 0), dots.concat().into_iter().map(i32::cast_unsigned).collect());
    let colours = [[5, 6, 7, 8], [-3, 0, 9, 1], [300, 2, 1, 0]];
    let images = [
        texture(Format::Rgba32Float, [6, 5, 3], |_| [9f32.to_bits(); 4]),
        texture(Format::Rgba16Sint, [3, 1, 1], |[x, ..]| colours[x as usize].map(i32::cast_unsigned)),
        texture(Format::R32Uint, [8, 4, 2], |_| [99; 4]),
    ];
    for (slot, image) in (0..).zip(images) {
        given.images.insert((FunctionKind::Compute, slot), image);
    }
    let after = dispatched("brush", [2, 2, 2], &given);
    let of = |slot: u32, at: [i32; 3]| after.images[&(FunctionKind::Compute, slot)].texel(at).expect("a texel");
    for at in (0..3).flat_map(|z| (0..5).flat_map(move |y| (0..6).map(move |x| [x, y, z]))) {
        let [x, y, z] = at;
        let [cx, cy, radius, _] = dots[z as usize];
        let is_in = (x - cx).pow(2) + (y - cy).pow(2) <= radius * radius;
        let wanted = if is_in { colours[z as usize].map(|part| part as f32) } else { [0.0, 0.0, 0.0, 1.0] };
        assert_eq!(of(0, at).map(f32::from_bits), wanted, "{at:?}");
    }
    for [x, y, z] in (0..2).flat_map(|z| (0..4).flat_map(move |y| (0..8).map(move |x| [x, y, z]))) {
        let way = i32::abs(x - 4) + i32::abs(y - 2) + i32::abs(z - 1);
        assert_eq!(of(2, [x, y, z]), [way.cast_unsigned(), 0, 0, 1]);
    }
}
