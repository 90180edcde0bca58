//! Renames the entities of a module, to test how backends escape names and keep them distinct.

use std::collections::{HashMap, HashSet};

use sdlbc::{FunctionKind, InputKind, Module, OutputKind};

use testing::Random;

/// Names that a careless backend mishandles: keywords and other words of WGSL, GLSL, HLSL and MSL, prefixes of built-in names,
/// names that our writers or naga generate, and names in non-Latin scripts.
const NASTY: [&str; 96] = [
    "type",
    "fn",
    "let",
    "var",
    "loop",
    "override",
    "enable",
    "diagnostic",
    "f32",
    "vec4",
    "vec4f",
    "mat4x4",
    "array",
    "ptr",
    "texture_2d",
    "textureSample",
    "saturate",
    "inverseSqrt",
    "select",
    "position",
    "location",
    "group",
    "uniform",
    "in",
    "out",
    "inout",
    "void",
    "main",
    "float",
    "int",
    "uint",
    "vec3",
    "mat3",
    "texture",
    "textureGrad",
    "sampler2D",
    "precision",
    "highp",
    "smooth",
    "flat",
    "layout",
    "gl_Position",
    "gl_FragCoord",
    "discard",
    "clamp",
    "dot",
    "max",
    "mix",
    "step",
    "float4",
    "half3",
    "cbuffer",
    "register",
    "lerp",
    "saturate_",
    "numthreads",
    "mul",
    "ddx",
    "device",
    "constant",
    "thread",
    "metal",
    "kernel",
    "fragment",
    "vertex",
    "using",
    "namespace",
    "textured",
    "texture0",
    "vec2s",
    "dotted",
    "maxed",
    "n0x",
    "n1x",
    "n12x",
    "value",
    "value_0",
    "value_0_n0x",
    "_e4",
    "_e12",
    "Varyings",
    "Targets",
    "VertexConstants",
    "VertexConstants_block_0Vertex",
    "type_1",
    "type_3_block_0Vertex",
    "_vs2fs_location0",
    "_group_0_binding_0_vs",
    "loop_init",
    "should_continue",
    "naga_div",
    "__reserved",
    "日本語",
    "имя",
    "ünïcode",
    "a b\"c\\\n",
];

/// Register names, which are also the names of variables in our GLSL.
const REGISTERS: [&str; 8] = ["va0", "v0", "v1", "vc", "fc", "fs0", "op", "oc"];

/// Returns a copy of the module in which all names are distinct and need no escaping.
pub fn plain(module: &Module) -> Module {
    let mut number = 0;
    with_names(module, &mut |_| {
        number += 1;
        format!("plain{number}w")
    })
}

/// Returns a copy of the module with names from a short random list, so that entities of different kinds share names. If
/// `registers` is set, the list may also contain register names.
pub fn renamed(module: &Module, seed: u64, registers: bool) -> Module {
    let mut random = Random(seed);
    let mut few = Vec::new();
    for _ in 0..2 + random.below(6) {
        let mut name = NASTY[random.below(NASTY.len())].to_string();
        match random.below(if registers { 16 } else { 8 }) {
            0 => name = name.repeat(300).chars().take(62 + random.below(239)).collect(),
            8.. => name = REGISTERS[random.below(REGISTERS.len())].to_string(),
            2 => name += &format!("_{}", random.below(3)),
            _ => {}
        }
        few.push(name);
    }
    let mut module = with_names(module, &mut |_| few[random.below(few.len())].clone());
    // In most modules, a varying has the same name in both stages, as in modules that a front end builds.
    if registers && random.below(4) > 0 {
        for function in &mut module.functions {
            let kind = function.kind;
            let outputs = function.outputs.iter_mut().filter(|_| kind == FunctionKind::Vertex);
            let outputs = outputs.filter_map(|output| match output.kind {
                OutputKind::Varying { location, .. } => Some((&mut output.name, location)),
                _ => None,
            });
            let inputs = function.inputs.iter_mut().filter(|_| kind == FunctionKind::Fragment);
            let inputs = inputs.filter_map(|input| match input.kind {
                InputKind::Varying { location, .. } => Some((&mut input.name, location)),
                _ => None,
            });
            outputs.chain(inputs).for_each(|(name, location)| *name = format!("v{location}"));
        }
    }
    module
}

/// Returns a copy of the module with names chosen by `pick`, and appends numbers to chosen names that must be distinct. Empty
/// names stay empty, and uniforms with a common name keep a common name.
fn with_names(module: &Module, pick: &mut dyn FnMut(&str) -> String) -> Module {
    let mut module = module.clone();
    let mut free = |old: &str, taken: &mut HashSet<String>| {
        let base = pick(old);
        let mut name = base.clone();
        let mut number = 0;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    };
    let mut uniforms: HashMap<String, String> = HashMap::new();
    let (mut of_uniforms, mut of_functions) = (HashSet::new(), HashSet::new());
    for function in &mut module.functions {
        if !function.name.is_empty() || function.kind != FunctionKind::Generic {
            function.name = free(&function.name, &mut of_functions);
        }
        let mut kinds: HashMap<u8, HashSet<String>> = HashMap::new();
        for input in function.inputs.iter_mut().filter(|input| !input.name.is_empty()) {
            input.name = match input.kind {
                InputKind::Uniform | InputKind::Placed { .. } => {
                    let new = uniforms.entry(input.name.clone());
                    new.or_insert_with_key(|old| free(old, &mut of_uniforms)).clone()
                }
                InputKind::Attribute { .. } => free(&input.name, kinds.entry(0).or_default()),
                InputKind::Varying { .. } => free(&input.name, kinds.entry(1).or_default()),
                InputKind::Texture { .. } => free(&input.name, kinds.entry(2).or_default()),
                InputKind::Builtin(_) => free(&input.name, kinds.entry(3).or_default()),
                InputKind::Parameter => free(&input.name, kinds.entry(4).or_default()),
                InputKind::Local => free(&input.name, kinds.entry(5).or_default()),
                InputKind::Buffer { .. } => free(&input.name, kinds.entry(6).or_default()),
                InputKind::Shared => free(&input.name, kinds.entry(7).or_default()),
                InputKind::Image { .. } => free(&input.name, kinds.entry(8).or_default()),
            };
        }
        let mut of_outputs = HashSet::new();
        for output in function.outputs.iter_mut().filter(|output| !output.name.is_empty()) {
            output.name = free(&output.name, &mut of_outputs);
        }
    }
    for debug in &mut module.debug.functions {
        for name in debug.ids.values_mut().filter(|name| !name.is_empty()) {
            *name = free(name, &mut HashSet::new()).into();
        }
        if !debug.name.is_empty() {
            debug.name = free(&debug.name, &mut HashSet::new());
        }
        for members in debug.members.values_mut() {
            let mut taken = HashSet::new();
            members.iter_mut().for_each(|member| member.name = free(&member.name, &mut taken));
        }
    }
    module
}
