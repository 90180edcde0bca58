//! Compares the results of the WGSL and GLSL shaders in `testdata/sources` with the results of the modules that the front
//! ends lift from these shaders. An interpreter of naga's modules runs each original, and our interpreter runs the lifted module.
//!
//! The four invocations of a quad have the same inputs, so that derivatives are zero, and all texels of a texture are the same.
//! `SEEDS=` sets the number of different inputs for each shader.

use std::collections::BTreeMap;
use std::path::Path;

use laws::Source;
use laws::shader::{self, Discarding, Given, Value};
use naga::{Binding, BuiltIn, Handle, ScalarKind, TypeInner};
use sdlbc::front::SourceOptions;
use sdlbc::{Builtin, Dimension, FunctionKind, FunctionOutput, InputKind, Module, OutputKind, Type, print};
use sdlbc_interp::{Column, LANES, Level, Mask, Program, Resources, Texture};
use testing::{Effort, Random, caught, files, on_two_threads, say, testdata};

/// The width and height of 2D textures, in texels.
const SIZE: u32 = 64;

/// The value of each attribute, varying or builtin in each quad.
type Quads = BTreeMap<(u8, u32), Vec<[f32; 4]>>;

struct One<'a> {
    quads: &'a Quads,
    quad: usize,
    stage: FunctionKind,
    seed: u64,
}

/// Derives a number from the binding of a uniform variable and a byte offset in that variable.
fn number_at(seed: u64, binding: u32, byte: u32) -> u32 {
    Random::of(seed, &[binding.into(), byte.into()]).next() as u32
}

fn word(kind: ScalarKind, number: u32) -> u32 {
    match kind {
        // Ints are small, because shaders use some of them as loop bounds.
        ScalarKind::Sint | ScalarKind::Uint => number % 3,
        ScalarKind::Bool => number % 2,
        _ => ((number % 97) as f32 / 16.0 - 2.0).to_bits(),
    }
}

fn scalar(kind: ScalarKind, word: u32) -> Value {
    match kind {
        ScalarKind::Sint => Value::Int(word.cast_signed()),
        ScalarKind::Uint => Value::Uint(word),
        ScalarKind::Bool => Value::Bool(word != 0),
        _ => Value::Float(f32::from_bits(word)),
    }
}

/// Builds a value of a type, calling `of` with the component type and byte offset of each scalar.
fn value(
    module: &naga::Module,
    ty: Handle<naga::Type>,
    byte: u32,
    of: &mut dyn FnMut(ScalarKind, u32) -> u32,
) -> Value {
    match module.types[ty].inner {
        TypeInner::Scalar(naga::Scalar { kind, .. }) => scalar(kind, of(kind, byte)),
        TypeInner::Vector { size, scalar: naga::Scalar { kind, .. } } => {
            Value::Many((0..size as u32).map(|at| scalar(kind, of(kind, byte + 4 * at))).collect())
        }
        TypeInner::Matrix { columns, rows, scalar: naga::Scalar { kind, .. } } => {
            let stride = if rows as u32 == 2 { 8 } else { 16 };
            let column = |at: u32, of: &mut dyn FnMut(ScalarKind, u32) -> u32| {
                let first = byte + stride * at;
                Value::Many((0..rows as u32).map(|row| scalar(kind, of(kind, first + 4 * row))).collect())
            };
            Value::Many((0..columns as u32).map(|at| column(at, of)).collect())
        }
        TypeInner::Array { base, size: naga::ArraySize::Constant(length), stride } => {
            Value::Many((0..length.get()).map(|at| value(module, base, byte + at * stride, of)).collect())
        }
        TypeInner::Struct { ref members, .. } => {
            Value::Many(members.iter().map(|member| value(module, member.ty, byte + member.offset, of)).collect())
        }
        ref other => panic!("a uniform of {other:?}"),
    }
}

fn binding_of(variable: &naga::GlobalVariable) -> u32 {
    variable.binding.map_or(0, |binding| binding.group * 64 + binding.binding)
}

impl One<'_> {
    fn components(&self, key: (u8, u32)) -> [f32; 4] {
        self.quads.get(&key).and_then(|quads| quads.get(self.quad)).copied().unwrap_or_default()
    }

    fn bound(&self, module: &naga::Module, ty: Handle<naga::Type>, binding: &Binding) -> Value {
        let key = match *binding {
            Binding::Location { location, .. } => (u8::from(self.stage == FunctionKind::Fragment), location),
            Binding::BuiltIn(builtin) => {
                let builtin = match builtin {
                    BuiltIn::VertexIndex => Builtin::VertexIndex,
                    BuiltIn::InstanceIndex => Builtin::InstanceIndex,
                    BuiltIn::Position { .. } => Builtin::FragmentCoordinate,
                    BuiltIn::FrontFacing => Builtin::FrontFacing,
                    BuiltIn::PointCoord => Builtin::PointCoordinate,
                    other => panic!("{other:?}"),
                };
                (2, builtin as u32)
            }
        };
        let components = self.components(key);
        let one = |kind: ScalarKind, at: usize| {
            let number = components[at];
            match kind {
                ScalarKind::Sint => Value::Int(number as i32),
                ScalarKind::Uint => Value::Uint(number as u32),
                ScalarKind::Bool => Value::Bool(number > 0.0),
                _ => Value::Float(number),
            }
        };
        match module.types[ty].inner {
            TypeInner::Scalar(naga::Scalar { kind, .. }) => one(kind, 0),
            TypeInner::Vector { size, scalar: naga::Scalar { kind, .. } } => {
                Value::Many((0..size as usize).map(|at| one(kind, at)).collect())
            }
            ref other => panic!("an input of {other:?}"),
        }
    }
}

impl Given for One<'_> {
    fn argument(&self, module: &naga::Module, _: naga::ShaderStage, argument: &naga::FunctionArgument) -> Value {
        match (&argument.binding, &module.types[argument.ty].inner) {
            (Some(binding), _) => self.bound(module, argument.ty, binding),
            (None, TypeInner::Struct { members, .. }) => Value::Many(
                members
                    .iter()
                    .map(|member| self.bound(module, member.ty, member.binding.as_ref().expect("a binding")))
                    .collect(),
            ),
            (None, other) => panic!("an argument of {other:?}"),
        }
    }

    fn uniform(&self, module: &naga::Module, variable: &naga::GlobalVariable) -> Value {
        let binding = binding_of(variable);
        value(module, variable.ty, 0, &mut |kind, byte| word(kind, number_at(self.seed, binding, byte)))
    }

    fn texel(&self, texture: &naga::GlobalVariable, at: &[f32], level: &shader::Level) -> [f32; 4] {
        // A fetch outside the texture returns zero.
        let is_inside = |&at: &f32| (0.0..SIZE as f32).contains(&at);
        if let shader::Level::Fetched(level) = *level
            && (level != 0 || !at.iter().all(is_inside))
        {
            return [0.0; 4];
        }
        level.in_one_colour(texel(texture).map(|byte| f32::from(byte) / 255.0))
    }

    fn sizes(&self, texture: &naga::GlobalVariable, level: i32) -> [u32; 3] {
        let _ = texture;
        // Textures have a single mip level. A query of any other level defines only the number of layers.
        if level == 0 { [SIZE, SIZE, SIZE] } else { [0, 0, SIZE] }
    }

    fn ddx(&self, _: f32) -> f32 {
        0.0
    }

    fn ddy(&self, _: f32) -> f32 {
        0.0
    }

    fn clamps(&self) -> bool {
        true
    }
}

fn texel(texture: &naga::GlobalVariable) -> [u8; 4] {
    let binding = binding_of(texture) % 8;
    [40 * binding % 256 + 7, 250 - 30 * binding, 90 + 11 * binding, 255 - 20 * binding].map(|byte| byte as u8)
}

fn resources(source: &naga::Module, lifted: &Module, stage: FunctionKind, seed: u64) -> Resources {
    let mut resources = Resources::default();
    for input in lifted.functions.iter().flat_map(|function| &function.inputs) {
        match (input.kind, input.ty) {
            (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                let named = |variable: &&naga::GlobalVariable| {
                    variable.space == naga::AddressSpace::Handle
                        && variable.name.as_deref().is_some_and(|name| input.name.starts_with(name))
                };
                let all: Vec<_> = source.global_variables.iter().map(|(_, variable)| variable).collect();
                let exact = all.iter().find(|variable| variable.name.as_deref() == Some(&input.name));
                let variable = exact.copied().or_else(|| all.iter().copied().find(|variable| named(variable)));
                let texel = texel(variable.unwrap_or_else(|| panic!("no texture `{}`", input.name)));
                // The texture must contain all texels that the shaders fetch.
                let (size, depth) = match dimension {
                    Dimension::D2 => (SIZE, 1),
                    Dimension::D3 => (1, 1),
                    Dimension::Cube => (1, 6),
                    Dimension::D2Array => (SIZE, SIZE),
                    Dimension::CubeArray => (1, 12),
                };
                let texels = vec![texel; (size * size * depth) as usize];
                let levels = vec![Level { width: size, height: size, depth, texels }];
                resources.textures.insert((stage, slot), Texture { dimension, levels });
            }
            (kind, ty) if kind.is_uniform() => {
                let (memory, first) = memory_of(source, &input.name, seed);
                let words = laws::layout_of(ty).into_iter();
                let words = words.map(|at| memory.get(&(first + at)).copied().unwrap_or(0)).collect();
                resources.uniforms.insert((stage, input.name.clone()), words);
            }
            _ => {}
        }
    }
    resources
}

/// Finds the uniform variable that contains a uniform of the lifted module. Returns the variable's words, keyed by byte offset,
/// and the uniform's offset in the variable.
fn memory_of(source: &naga::Module, name: &str, seed: u64) -> (BTreeMap<u32, u32>, u32) {
    for (_, variable) in source.global_variables.iter() {
        if !matches!(variable.space, naga::AddressSpace::Uniform | naga::AddressSpace::Immediate) {
            continue;
        }
        let ty = &source.types[variable.ty];
        let names = [variable.name.as_deref(), ty.name.as_deref()].into_iter().flatten();
        let own = names.into_iter().find(|name| !name.is_empty()).unwrap_or("uniforms");
        // The fields of a block without an instance name have names without a prefix.
        let is_open = variable.name.as_deref().is_none_or(str::is_empty);
        let fields = [name.strip_prefix(own).map(str::to_string), is_open.then(|| format!("_{name}"))];
        let Some(at) = fields.into_iter().flatten().find_map(|field| offset_of(source, variable.ty, &field)) else {
            continue;
        };
        let mut memory = BTreeMap::new();
        let binding = binding_of(variable);
        value(source, variable.ty, 0, &mut |kind, byte| {
            let word = word(kind, number_at(seed, binding, byte));
            memory.insert(byte, word);
            word
        });
        return (memory, at);
    }
    panic!("no uniform variable for `{name}`");
}

/// Returns the byte offset of a part of a uniform variable whose path of fields is a name such as `_lights_tint`.
fn offset_of(source: &naga::Module, mut ty: Handle<naga::Type>, field: &str) -> Option<u32> {
    let (mut at, mut rest) = (0, field);
    while !rest.is_empty() {
        let TypeInner::Struct { members, .. } = &source.types[ty].inner else { return None };
        let after = |member: &naga::StructMember| {
            let name = member.name.as_deref().unwrap_or("field");
            let rest = rest.strip_prefix('_')?.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with('_')).then_some(rest)
        };
        let (member, inside) = members.iter().find_map(|member| Some((member, after(member)?)))?;
        (at, ty, rest) = (at + member.offset, member.ty, inside);
    }
    Some(at)
}

fn flat(value: &Value, all: &mut Vec<u32>) {
    match *value {
        Value::Float(value) | Value::Half(value) => all.push(value.to_bits()),
        Value::Int(value) => all.push(value.cast_unsigned()),
        Value::Uint(value) => all.push(value),
        Value::Bool(value) => all.push(value.into()),
        Value::Many(ref values) => values.iter().for_each(|value| flat(value, all)),
        Value::Pointer(..) => panic!("a pointer"),
    }
}

/// Reports whether two numbers are nearly equal. WGSL's formulas differ from the operation table's formulas, so the results may
/// differ slightly.
fn close(a: u32, b: u32) -> bool {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    // If one number is a NaN, any other number counts as close, because functions of a NaN often have undefined results.
    a == b || x.is_nan() || (x - y).abs() <= 2e-5 * x.abs().max(y.abs()).max(1.0)
}

/// Compares the entry points of a source file with the lifted functions, and returns the number of compared components.
fn check(path: &Path, seeds: u64) -> usize {
    let text = std::fs::read_to_string(path).expect("the file");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    check_text(&name, &text, seeds)
}

/// Compares the entry points of a shader with the lifted functions. The extension of the file name determines the language.
fn check_text(name: &str, text: &str, seeds: u64) -> usize {
    let source = Source::of(Path::new(name), text).unwrap_or(Source::Wgsl(text));
    let module = match source {
        Source::Wgsl(text) => {
            naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{name}: {}", error.message()))
        }
        Source::Glsl(text, kind) => {
            let stage = match kind {
                FunctionKind::Vertex => naga::ShaderStage::Vertex,
                _ => naga::ShaderStage::Fragment,
            };
            let module = naga::front::glsl::Frontend::default().parse(&naga::front::glsl::Options::from(stage), text);
            module.unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
        }
    };
    let lifted = source.read(&SourceOptions::default());
    let lifted = lifted.unwrap_or_else(|refusals| panic!("{name}: {}", refusals[0])).module;
    check_module(name, &module, &lifted, matches!(source, Source::Wgsl(_)), seeds)
}

/// Compares the entry points of naga's module of a shader with the lifted functions.
fn check_module(name: &str, module: &naga::Module, lifted: &Module, is_wgsl: bool, seeds: u64) -> usize {
    let mut compared = 0;
    for (number, function) in lifted.functions.iter().enumerate() {
        let stage = match function.kind {
            FunctionKind::Vertex => naga::ShaderStage::Vertex,
            FunctionKind::Fragment => naga::ShaderStage::Fragment,
            FunctionKind::Generic | FunctionKind::Compute => continue,
        };
        let program = Program::new(lifted, number).unwrap_or_else(|error| panic!("{name}: {error}"));
        for seed in 0..seeds {
            let mut random = Random::of(seed, &[0x5eed]);
            let mut quads = Quads::new();
            for input in &function.inputs {
                let key = match input.kind {
                    InputKind::Attribute { location } => (0, location),
                    InputKind::Varying { location, .. } => (1, location),
                    InputKind::Builtin(builtin) => (2, builtin as u32),
                    _ => continue,
                };
                let is_float = input.ty.is_float();
                let mut component = |at: usize| match (input.kind, is_float) {
                    (InputKind::Builtin(Builtin::FragmentCoordinate), _) => {
                        [9.5, 5.5, 0.25, 1.0][at] + random.below(3) as f32
                    }
                    (_, true) => random.below(48) as f32 / 16.0 - 1.0,
                    (InputKind::Builtin(Builtin::FrontFacing), _) => random.below(2) as f32,
                    // Most arrays that an index selects from have at least three elements.
                    _ => random.below(3) as f32,
                };
                let one = |_| std::array::from_fn(&mut component);
                quads.insert(key, (0..LANES / 4).map(one).collect());
            }
            let resources = resources(module, lifted, function.kind, seed);
            let inputs = |kind: InputKind| -> Option<[Column; 4]> {
                let (key, input) = match kind {
                    InputKind::Attribute { location } => ((0, location), kind),
                    InputKind::Varying { location, .. } => ((1, location), kind),
                    InputKind::Builtin(builtin) => ((2, builtin as u32), kind),
                    _ => return None,
                };
                let ty = function.inputs.iter().find(|other| other.kind == input)?.ty;
                let bits = |number: f32| match ty {
                    Type::Vector(sdlbc::Scalar::Float, _) => number.to_bits(),
                    Type::Vector(sdlbc::Scalar::Int, _) => (number as i32).cast_unsigned(),
                    Type::Vector(sdlbc::Scalar::Bool, _) => u32::from(number > 0.0),
                    _ => number as u32,
                };
                let quads = &quads[&key];
                Some(std::array::from_fn(|component| std::array::from_fn(|lane| bits(quads[lane / 4][component]))))
            };
            let ours =
                program.run(&resources, Mask::MAX, &inputs, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            for quad in 0..LANES / 4 {
                let one = One { quads: &quads, quad, stage: function.kind, seed };
                let ends = if is_wgsl { Discarding::GoesOn } else { Discarding::Ends };
                let theirs = shader::run(module, stage, &one, ends);
                let lives = ours.live >> (4 * quad) & 1 != 0;
                assert_eq!(
                    theirs.is_some(),
                    lives,
                    "{name} {stage:?} seed {seed} quad {quad}: discards\n{}",
                    print(lifted)
                );
                for (_, binding, value) in theirs.into_iter().flatten() {
                    let mut numbers = Vec::new();
                    flat(&value, &mut numbers);
                    if let Some(Binding::BuiltIn(BuiltIn::ClipDistances)) = binding {
                        for (index, &number) in (0..).zip(&numbers) {
                            let is = |output: &FunctionOutput| output.kind == OutputKind::ClipDistance { index };
                            let at = function.outputs.iter().position(is).expect("an output for each clip distance");
                            let own = ours.outputs[at][0][4 * quad];
                            let alike = close(number, own);
                            assert!(alike, "{name} seed {seed} quad {quad}: clip distance {index}\n{}", print(lifted));
                            compared += 1;
                        }
                        continue;
                    }
                    let is = |kind: OutputKind| match (binding.as_ref(), kind) {
                        (Some(Binding::Location { location, .. }), OutputKind::Varying { location: other, .. }) => {
                            *location == other
                        }
                        (Some(Binding::Location { location, .. }), OutputKind::Colour { target }) => {
                            *location == target
                        }
                        (Some(Binding::BuiltIn(BuiltIn::Position { .. })), OutputKind::Position) => true,
                        (Some(Binding::BuiltIn(BuiltIn::FragDepth)), OutputKind::Depth) => true,
                        (Some(Binding::BuiltIn(BuiltIn::PointSize)), OutputKind::PointSize) => true,
                        _ => false,
                    };
                    let at = function.outputs.iter().position(|output| is(output.kind));
                    let at = at.unwrap_or_else(|| panic!("{name}: no output for {binding:?}"));
                    let flips = !is_wgsl && function.outputs[at].kind == OutputKind::Position;
                    for (component, &number) in numbers.iter().enumerate() {
                        let theirs = if flips && component == 1 { number ^ 0x8000_0000 } else { number };
                        let own = ours.outputs[at][component][4 * quad];
                        assert!(
                            close(theirs, own),
                            "{name} {stage:?} seed {seed} quad {quad}: {:?} component {component} is {} as it was written, and {} lifted\n{}",
                            function.outputs[at].kind,
                            f32::from_bits(theirs),
                            f32::from_bits(own),
                            print(lifted)
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    compared
}

#[test]
fn shaders_compute_the_same_as_they_were_written_and_lifted() {
    let folder = testdata("sources");
    let mut paths = Vec::new();
    for (below, ending) in
        [("wgsl", ".wgsl"), ("filters", ".wgsl"), ("lifted", ".wgsl"), ("glsl", ".vert"), ("glsl", ".frag")]
    {
        paths.extend(files(&folder.join(below), ending));
    }
    let seeds = Effort::of("SEEDS", 4).cases;
    let results = on_two_threads(&paths, |path| caught(|| check(path, seeds)).map_err(|error| (path.clone(), error)));
    let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    if let Some((_, first)) = failures.first() {
        let all: Vec<&str> = failures.iter().filter_map(|(_, error)| error.lines().nth(1)).collect();
        panic!("{}\n\n{first}", all.join("\n"));
    }
    let compared: usize = results.into_iter().map(|result| result.unwrap_or_default()).sum();
    say(&format!("{} shaders, {compared} numbers", paths.len()));
}

/// Returns a SPIR-V module without OpLine (8) and OpNoLine (317), which naga does not read.
fn without_lines(bytes: &[u8]) -> Vec<u8> {
    let word =
        |at: usize| bytes.get(at..at + 4).map_or(0, |word| u32::from_le_bytes(word.try_into().expect("4 bytes")));
    let mut kept = bytes[..20.min(bytes.len())].to_vec();
    let mut at = 20;
    while at < bytes.len() {
        let (opcode, length) = (word(at) & 0xffff, 4 * (word(at) >> 16).max(1) as usize);
        if opcode != 8 && opcode != 317 {
            kept.extend(&bytes[at..(at + length).min(bytes.len())]);
        }
        at += length;
    }
    kept
}

/// Returns naga's module of a SPIR-V module, if naga reads the module.
fn naga_reads(bytes: &[u8]) -> Option<naga::Module> {
    let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
    let module = caught(|| naga::front::spv::parse_u8_slice(&without_lines(bytes), &options));
    if std::env::var_os("WHY").is_some() {
        eprintln!("WHY {:?}", module.as_ref().map(|m| m.as_ref().map(|_| ())));
    }
    let module = module.ok()?.ok()?;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
    caught(|| validator.validate(&module).is_ok()).ok()?.then_some(module)
}

/// Compares what our lifter makes of a SPIR-V module with what naga makes of it. Returns the number of compared components, or
/// `None` if one of the readers refuses the module.
fn check_spirv(name: &str, bytes: &[u8], seeds: u64) -> Option<usize> {
    let lifted = spirv_front::read(bytes, &SourceOptions::default()).ok()?.module;
    let module = naga_reads(bytes)?;
    // The interpreter of naga's modules has no storage buffers, arrays of textures or overrides.
    let has_buffers =
        module.global_variables.iter().any(|(_, of)| matches!(of.space, naga::AddressSpace::Storage { .. }));
    let has_arrays = module.types.iter().any(|(_, ty)| matches!(ty.inner, TypeInner::BindingArray { .. }));
    if has_buffers || has_arrays || !module.overrides.is_empty() {
        return None;
    }
    Some(check_module(name, &module, &lifted, false, seeds))
}

#[test]
fn spirv_computes_the_same_as_naga_reads_it() {
    let mut files_of: Vec<(String, Vec<u8>)> = Vec::new();
    // naga ignores the offset of a fetch.
    let is_misread = |path: &std::path::PathBuf| path.ends_with("fetch_offset.frag");
    let paths = [".vert", ".frag"].into_iter().flat_map(|ending| files(&testdata("spirv"), ending));
    for path in paths.filter(|path| !is_misread(path)) {
        let text = std::fs::read_to_string(&path).expect("the file");
        let stage =
            if path.extension().is_some_and(|of| of == "vert") { FunctionKind::Vertex } else { FunctionKind::Fragment };
        let source = glsl_front::Source { text: &text, stage, language: glsl_front::Language::Glsl { version: None } };
        let bytes = glsl_front::compile(&source).unwrap_or_else(|errors| panic!("{}: {}", path.display(), errors[0]));
        files_of.push((path.display().to_string(), bytes.bytes));
    }
    // `SPIRV=` names a folder of other modules.
    if let Some(folder) = std::env::var_os("SPIRV").filter(|folder| !folder.is_empty()) {
        let read = |path: std::path::PathBuf| (path.display().to_string(), std::fs::read(&path).expect("a module"));
        files_of.extend(files(Path::new(&folder), ".spv").into_iter().map(read));
    }
    let seeds = Effort::of("SEEDS", 4).cases;
    let results = on_two_threads(&files_of, |(name, bytes)| {
        caught(|| check_spirv(name, bytes, seeds)).map_err(|error| format!("{name} {error}"))
    });
    let failures: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} differ\n{}",
        failures.len(),
        results.len(),
        failures.iter().map(|f| f.lines().take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
    );
    let compared: Vec<usize> = results.into_iter().filter_map(|result| result.ok().flatten()).collect();
    say(&format!("{} of {} modules, {} numbers", compared.len(), files_of.len(), compared.iter().sum::<usize>()));
    assert!(compared.len() >= 4, "only {} modules are compared", compared.len());
}

/// Declarations shared by all shaders with many consecutive conditional jumps.
const MANY_SKIPS: &str = "
    struct Pair { a: f32, m: mat2x2<f32> }
    fn wave(x: f32) -> f32 { return fract(x * 1.7) - 0.3; }
    fn pair(x: f32, out: ptr<function, f32>) -> Pair {
        *out += x;
        return Pair(fract(x), mat2x2(x, 0.5, *out, 1.0));
    }";

fn lines(count: u32, line: impl Fn(u32) -> String) -> String {
    (0..count).map(|at| line(at) + "\n").collect()
}

#[test]
fn two_hundred_skips_in_a_row_compute_the_same() {
    // Each step uses a value of each type that was computed before the previous step's jump.
    let step = |skip: &str, at: u32| {
        let before = at.saturating_sub(1);
        let last = if at == 0 { "first" } else { "p" };
        let last = if at == 0 { last.to_string() } else { format!("{last}{before}") };
        format!(
            "let w{at} = wave(x + {at}.0); let b{at} = w{at} > 0.6; let p{at} = pair({last}.a + w{at}, &seen);
            if (fract(x * {at}.37 + seen) < 0.01) {{ sum.y += 1.0; {skip} }}
            sum += vec4({last}.a, w{at}, ({last}.m * p{at}.m * v.xy).x, 0.01); if (b{at}) {{ sum.z += x; }}"
        )
    };
    let main = |code: &str| {
        format!(
            "{MANY_SKIPS}\n@fragment fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> {{ {code} return sum; }}"
        )
    };
    let start = "var sum = vec4(0.0); var seen = 0.1; let first = pair(v.x, &seen);";
    let many = |count: u32, skip: &str| lines(count, |at| step(skip, at));
    let round = "let x = v.x + f32(i) * v.y;";
    let inlined = |count: u32, code: &dyn Fn(u32) -> String| {
        let code = lines(count, code);
        let main = main("var sum = vec4(0.0); var seen = v.w; let r = f(v, &sum, &seen); sum += r.m[1].xyxy * r.a;");
        format!(
            "fn f(v: vec4<f32>, to: ptr<function, vec4<f32>>, start: ptr<function, f32>) -> Pair {{
                var sum = *to; var seen = *start; let x = v.x + v.z; let first = pair(v.x, &seen);
                {code} *to = sum; *start = seen; return first; }} {main}"
        )
    };
    let cases = [
        (
            "continues.wgsl",
            main(&format!("{start} for (var i = 0; i < 5; i++) {{ {round} {} }}", many(200, "continue;"))),
        ),
        ("returns.wgsl", inlined(200, &|at| step("*to = sum; return p0;", at).replace("p0;", &format!("p{at};")))),
        (
            "in_loops.wgsl",
            inlined(60, &|at| {
                format!(
                    "for (var i = 0; i < 3; i++) {{ if (fract(seen * {at}.3) < 0.02) {{ *to = sum; return first; }}
                    seen = wave(seen + v.y); sum.x += seen; }} let k{at} = sum.x; sum.y += k{};",
                    at.saturating_sub(1).max(at / 2)
                )
            }),
        ),
        (
            "in_switches.wgsl",
            main(&format!(
                "{start} for (var i = 0; i < 5; i++) {{ {round} {} }}",
                lines(60, |at| {
                    format!(
                        "let t{at} = x * {at}.1; switch (i + i32(t{at} * 3.0)) {{
                    case {}: {{ continue; }} case 4: {{ sum.x += t{at}; }} default: {{ sum.w += seen; }} }}
                    seen = wave(seen) + t{}; sum.y += seen;",
                        at % 50 + 7,
                        at / 2
                    )
                })
            )),
        ),
        (
            "nested.wgsl",
            main(&format!(
                "{start} for (var i = 0; i < 5; i++) {{ {round} {} }}",
                lines(30, |at| {
                    format!("let t{at} = wave(x * {at}.1);
                    if (t{at} < 0.3) {{ if (t{at} < -0.29) {{ continue; }} sum.x += 0.25; if (seen > 40.0) {{ break; }} }}
                    else {{ {{ if (t{at} > 0.69) {{ sum.y -= t{at}; continue; }} }} seen += t{}; }}
                    sum.y += seen;", at / 2)
                })
            )),
        ),
    ];
    let seeds = Effort::of("SEEDS", 4).cases;
    let compared: usize = cases.iter().map(|(name, text)| check_text(name, text, seeds)).sum();
    assert!(compared >= 320, "{compared} numbers");
}
