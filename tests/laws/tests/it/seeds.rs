//! Checks the initial fuzzing corpus in `testdata/fuzz`: small modules, the bytes from which these modules are generated, damaged
//! files, texts, and AGAL programs. `UPDATE_EXPECT=1` rewrites the initial corpus without changing the files that fuzzing has
//! added.

use std::path::PathBuf;
use std::sync::LazyLock;

use agal_front::assemble::{AssembleOptions, assemble};
use laws::{Source, module};
use sdlbc::{Dialect, FunctionDebug, Module, Op, encode, encode_in};
use testing::{Random, testdata};

type Wanted = fn(&Module) -> bool;

/// The properties of modules for which `testdata/fuzz` contains a small example.
const WANTED: [(&str, Wanted); 11] = [
    ("if", |module| has(module, Op::If)),
    ("phi", |module| has(module, Op::Phi)),
    ("loop", |module| has(module, Op::Loop)),
    ("continue", |module| has(module, Op::Continue)),
    ("switch", |module| has(module, Op::Switch)),
    ("call", |module| has(module, Op::Call)),
    ("poke", |module| has(module, Op::Poke)),
    ("peek", |module| has(module, Op::Peek)),
    ("samplelod", |module| has(module, Op::SampleLod)),
    ("matrix", |module| has(module, Op::Matrix)),
    ("debug", |module| {
        let about = |debug: &FunctionDebug| debug.lines.is_some() && !debug.ids.is_empty();
        module.debug.functions.iter().any(about)
    }),
];

const PROGRAMS: [(&str, &str); 8] = [
    ("matrix", "m44 op, va0, vc0\nmov v0, va1\n"),
    ("indirect", "mov vt0, vc[va1.x+4]\nadd op, vt0, va0\n"),
    ("masks", "mov vt0, vc0\nmul vt0.xy, va0.zw, vc1.x\nnrm vt1.xyz, vt0\ndp3 vt0.w, vt1, va0\nmov op, vt0\n"),
    ("texture", "tex ft0, v0, fs0 <2d,linear,miplinear>\nmul oc, ft0, fc0\n"),
    ("cube", "tex ft0, v0, fs1 <cube,nearest,repeat>\nkil ft0.w\nsqt oc, ft0\n"),
    ("colour", "mov oc, fc0\n"),
    ("kil", "sub ft0, v0, fc0.wwww\nkil ft0.x\nsat oc, ft0\n"),
    ("arithmetic", "pow ft0, v0, fc0\nsin ft1, ft0\ncos ft2, ft0\nmax ft0, ft1, ft2\nslt oc, ft0, fc1\n"),
];

/// Small shaders in WGSL, GLSL or SPIR-V, in the encoding that the law of sources reads.
const SOURCES: [(&str, &str); 8] = [
    (
        "uniform.wgsl",
        "@group(0) @binding(0) var<uniform> u: vec4f;\n@fragment fn f() -> @location(0) vec4f { return u; }\n",
    ),
    ("position.wgsl", "@vertex fn f(@location(0) p: vec3f) -> @builtin(position) vec4f { return vec4(p, 1); }\n"),
    (
        "loop.wgsl",
        "@fragment fn f(@location(0) v: f32) -> @location(0) vec4f {\n\
         var s = v;\nfor (var i = 0; i < 4; i++) { if (s > 2) { break; } if (i == 1) { continue; } s += v; }\n\
         return vec4(s);\n}\n",
    ),
    (
        "switch.wgsl",
        "@fragment fn f(@location(0) @interpolate(flat) k: i32) -> @location(0) vec4f {\n\
         var s = 0.0;\nswitch k { case 1, 2: { s = 1; } default: { discard; } }\nreturn vec4(s);\n}\n",
    ),
    (
        "pointer.wgsl",
        "fn g(p: ptr<function, vec2f>) -> bool { if ((*p).x > 1) { return true; } (*p).y = 2; return false; }\n\
         @fragment fn f(@location(0) v: vec2f) -> @location(0) vec4f { var w = v; let b = g(&w); return vec4(w, f32(b), 1); }\n",
    ),
    (
        "texture.wgsl",
        "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n\
         @fragment fn f(@location(0) v: vec2f) -> @location(0) vec4f { return textureSample(t, s, v) + dpdx(v.x); }\n",
    ),
    (
        "inout.vert",
        "v\n#version 450\nlayout(location = 0) in vec3 p;\nvoid g(inout vec3 q) { if (q.x < 0.0) return; q += 1.0; }\n\
         void main() { vec3 q = p; g(q); gl_Position = vec4(q, 1.0); }\n",
    ),
    (
        "do.frag",
        "f\n#version 450\nlayout(location = 0) out vec4 c;\nlayout(set = 0, binding = 0) uniform B { vec4 a[3]; } b;\n\
         void main() { int i = 0; do { c += b.a[i]; i++; } while (i < 3); }\n",
    ),
];

fn folder(law: &str) -> PathBuf {
    testdata("fuzz").join(law)
}

fn has(module: &Module, op: Op) -> bool {
    module.functions.iter().flat_map(|function| function.body.insts()).any(|inst| inst.op == op)
}

/// Returns the smallest of several thousand modules with a property, and the bytes from which that module is generated.
fn small(wanted: Wanted) -> (Vec<u8>, Module) {
    static MADE: LazyLock<Vec<(Vec<u8>, Module)>> = LazyLock::new(|| (0..4000).map(made).collect());
    let found = MADE.iter().filter(|(_, module)| wanted(module)).min_by_key(|(_, module)| encode(module).len());
    found.cloned().expect("a module with the property")
}

fn made(seed: u64) -> (Vec<u8>, Module) {
    let mut random = Random(seed);
    let length = 6 + random.below(30);
    let bytes: Vec<u8> = (0..length).flat_map(|_| random.next().to_le_bytes()).collect();
    let module = module(&mut arbitrary::Unstructured::new(&bytes)).expect("a module");
    (bytes, module)
}

fn files() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut files = Vec::new();
    for (number, (name, wanted)) in (0..).zip(WANTED) {
        let (choices, module) = small(wanted);
        let file = encode(&module);
        let dialect = if number % 3 == 2 { Dialect::Header } else { Dialect::Text };
        for law in ["decode", "dump"] {
            files.push((law, format!("{name}.sdlbc"), encode_in(&module, dialect)));
            files.push((law, format!("{name}_damaged.sdlbc"), damaged(&file, number)));
        }
        for law in ["roundtrip", "backends"] {
            files.push((law, format!("{name}.sdlbc"), file.clone()));
            files.push((law, format!("{name}.choices"), choices.clone()));
        }
        files.push(("text", format!("{name}.sdlasm"), sdlbc::print(&module).into_bytes()));
        files.push(("text", format!("{name}.choices"), choices.clone()));
        files.push(("names", format!("{name}.choices"), choices.clone()));
        files.push(("by_file", format!("{name}.choices"), choices));
        if let Ok(words) = backends::spirv(&module, &backends::Layout::default()) {
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            files.push(("sources", format!("{name}.spv"), bytes));
        }
        let (program, table) = sdlbc::split(&module);
        if !module.debug.is_empty() {
            files.push(("decode", format!("{name}_table.sdlbc"), encode(&table)));
            files.push(("dump", format!("{name}_table.sdlbc"), encode(&table)));
            files.push(("by_file", format!("{name}.sdlbc"), encode(&program)));
        }
    }
    // Random bytes suffice, because the hostile generator makes a module from any bytes.
    for (number, length) in [0, 1, 40, 100, 200, 300, 400, 600, 800, 1000].into_iter().enumerate() {
        let mut random = Random(number as u64);
        let choices = (0..length).map(|_| random.below(256) as u8).collect();
        files.push(("hostile", format!("{number}.choices"), choices));
    }
    for (name, text) in PROGRAMS {
        let assembly = assemble(text, &AssembleOptions::default());
        let assembly = assembly.unwrap_or_else(|findings| panic!("{name}: {findings:#?}"));
        files.push(("by_file", format!("{name}.agalbc"), assembly.program.encode()));
    }
    for (name, text) in SOURCES {
        files.push(("sources", name.to_string(), text.as_bytes().to_vec()));
    }
    #[cfg(feature = "es2")]
    for path in testing::files(&testdata("es2"), ".es2") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        let assembly = es2_front::assemble::assemble(&text, None);
        let words = assembly.unwrap_or_else(|findings| panic!("{name}: {findings:#?}")).program.encode();
        let mut damaged = words.clone();
        damaged.drain(..24).for_each(drop);
        files.push(("es2", format!("{name}_damaged.es2bc"), [&words[..8], &damaged[3..]].concat()));
        files.push(("es2", format!("{name}.es2bc"), words));
        files.push(("es2", format!("{name}.es2"), text.into_bytes()));
    }
    files
}

fn damaged(file: &[u8], number: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    let middle = file.len() / 8 * 4;
    let mut word = |at: usize, value: u32| file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    match number {
        0 => word(16, 0),
        1 => word(24, 0),
        2 => word(24, 1),
        3 => word(24, u32::MAX),
        4 => word(20, 7),
        5 => word(middle, u32::MAX),
        6 => word(middle, 0),
        7 => file.truncate(middle + 2),
        8 => file.extend(file.clone()),
        _ => file[middle] ^= 0x10,
    }
    file
}

#[test]
fn the_small_sources_are_lifted() {
    for (name, text) in SOURCES {
        let stage = if name.ends_with(".vert") { sdlbc::FunctionKind::Vertex } else { sdlbc::FunctionKind::Fragment };
        let source = match text.split_once('\n') {
            Some(("v" | "f", text)) => Source::Glsl(text, stage),
            _ => Source::Wgsl(text),
        };
        assert!(laws::lifted_or_refused(source), "{name} is refused");
    }
}

#[test]
fn every_law_has_seed_files() {
    let renew = std::env::var_os("UPDATE_EXPECT").is_some();
    for (law, name, content) in if renew { files() } else { Vec::new() } {
        std::fs::create_dir_all(folder(law)).expect("the folder");
        std::fs::write(folder(law).join(name), content).expect("the file");
    }
    for (law, _) in laws::LAWS {
        let count = std::fs::read_dir(folder(law)).map(|entries| entries.count()).unwrap_or(0);
        assert!(count >= 10, "{count} files in {}", folder(law).display());
    }
}
