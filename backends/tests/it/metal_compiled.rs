//! Compiles our MSL with clang against our own header, and checks the attributes in the MSL (tests/testing/src/msl.rs;
//! docs/internals/conformance.md describes the guarantees). The tests cover pairs, samples, sources and random modules, in every
//! layout and version.

use laws::works::{CORPUS, PAIRS, compute_functions, named, samples, source_modules};
use sdlbc::{FunctionKind, Module, Verified};
use sdlbc_naga::{Error, Layout, MslVersion, Target};
use testing::{Effort, msl_failures, say};

/// The number of shaders that one run of the compiler reads.
const BATCH: usize = 256;

#[derive(Default)]
struct Texts {
    texts: Vec<(String, String)>,
    /// The number of shaders that MSL cannot express.
    refused: usize,
}

impl Texts {
    /// Adds the MSL of a module in every layout. In a partial run, `number` selects a single layout. Each layout adds a shader
    /// with all stages and a shader for each stage. The version of MSL changes from layout to layout.
    fn add(&mut self, number: usize, name: &str, module: &Module) {
        let verified = Verified::new(module.clone()).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let stages =
            module.functions.iter().map(|function| function.kind).filter(|kind| *kind != FunctionKind::Generic);
        let stages: Vec<Option<FunctionKind>> = std::iter::once(None).chain(stages.map(Some)).collect();
        if stages.len() == 1 {
            return;
        }
        let layouts: Vec<usize> = (0..Layout::ALL.len()).collect();
        for layout in Effort::ways_of("FORMS", &layouts, number) {
            let version = MslVersion::ALL[(number + layout) % MslVersion::ALL.len()];
            let layout = &Layout::ALL[*layout];
            for stage in &stages {
                let name = format!("{name}, {stage:?}, {}, MSL {version}", layout.name);
                match sdlbc_naga::write(&verified, Target::Msl(version), *stage, layout) {
                    Ok(output) => match output.code {
                        sdlbc_naga::Code::Text(text) => self.texts.push((name, text)),
                        sdlbc_naga::Code::Words(_) => panic!("MSL is text"),
                    },
                    // Elements of arrays of resources have no binding of their own.
                    Err(Error::Unsupported { .. } | Error::NoBinding { .. }) => self.refused += 1,
                    // The layout requires a separate file for each stage.
                    Err(Error::StageNeeded { .. }) => {}
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
    }

    #[track_caller]
    fn check(self, source: &str, linked: bool, at_least: u64) {
        let failures: Vec<String> = self.texts.chunks(BATCH).flat_map(|texts| msl_failures(texts, linked)).collect();
        say(&format!(
            "MSL of {source}: {} of {} texts compile; {} refused",
            self.texts.len() - failures.len().min(self.texts.len()),
            self.texts.len(),
            self.refused
        ));
        let shown = failures.iter().take(8).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{} failures\n{shown}", failures.len());
        assert!(self.texts.len() as u64 >= at_least, "{} texts", self.texts.len());
    }
}

#[test]
fn clang_reads_the_msl_of_every_pair_with_its_names_and_others() {
    let mut texts = Texts::default();
    for (number, work) in Effort::part_of("PAIRS", &PAIRS).into_iter().chain(CORPUS.iter()).enumerate() {
        let module = work.module();
        texts.add(number, &work.name, &module);
        texts.add(number + 1, &format!("{}, named", work.name), &named(&module, number as u64));
    }
    texts.check("pairs", true, 12);
}

#[test]
fn clang_reads_the_msl_of_every_operation_and_sample_of_a_module() {
    let mut texts = Texts::default();
    for (number, (name, module)) in samples().iter().enumerate() {
        texts.add(number, name, module);
    }
    texts.check("operations and samples", false, 200);
}

#[test]
fn clang_reads_the_msl_of_every_source_in_wgsl_and_glsl() {
    let mut texts = Texts::default();
    for (number, (name, module)) in source_modules().iter().enumerate() {
        texts.add(number, name, module);
    }
    texts.check("sources", true, 100);
}

#[test]
fn clang_reads_the_msl_of_every_compute_function() {
    let mut texts = Texts::default();
    for (number, (name, module)) in compute_functions().iter().enumerate() {
        texts.add(number, name, module);
    }
    texts.check("compute functions", false, 30);
}

#[test]
fn clang_reads_the_msl_of_random_modules() {
    let mut texts = Texts::default();
    let effort = Effort::of("MODULES", 120);
    for (number, seed) in effort.seeds().enumerate() {
        let module = laws::from_seed(seed);
        texts.add(number, &format!("random {seed}"), &module);
        texts.add(number + 1, &format!("random {seed}, renamed"), &laws::renamed(&module, seed, true));
        if let Some(compute) = laws::compute::as_compute(&module, 64, 1 + (seed % 3) as u32) {
            texts.add(number + 2, &format!("random {seed}, compute"), &compute);
        }
        let hostile = laws::hostile_from_seed(seed, laws::Mood::Wild).module;
        if sdlbc::verify(&hostile).is_ok() {
            texts.add(number + 3, &format!("hostile {seed}"), &hostile);
        }
    }
    texts.check("random modules", false, effort.at_least(600));
}

/// Each shader of this test has one error, which the check must find.
#[test]
fn what_is_wrong_with_a_text_is_found() {
    const RIGHT: &str = "#include <metal_stdlib>

using namespace metal;

struct Constants {
    float4x4 view;
    packed_float3 tint;
    float strength;
};

struct Vertex {
    float4 position [[attribute(0)]];
    float2 uv [[attribute(1)]];
};

struct Varyings {
    float4 position [[position]];
    float2 uv [[user(loc0)]];
};

vertex Varyings vs_main(Vertex input [[stage_in]], constant Constants& constants [[buffer(0)]]) {
    return Varyings { constants.view * input.position, input.uv };
}

struct Fragment {
    float2 uv [[user(loc0)]];
};

fragment float4 fs_main(Fragment input [[stage_in]], constant float4* fc [[buffer(0)]], texture3d<float> t [[texture(0)]], sampler s [[sampler(0)]]) {
    float4 ft0 = t.sample(s, float3(input.uv, 0.5), gradient3d(float3(0.0), float3(1.0)));
    ft0.xyz = normalize(ft0.xyz) * dot(fc[0], ft0);
    return select(ft0, float4(0.5), ft0 < fc[1]);
}
";
    let check = |text: &str| msl_failures(&[("text".to_string(), text.to_string())], true);
    assert_eq!(check(RIGHT), [""; 0]);
    let breaks = [
        ("dot(fc", "dott(fc"),                                    // an undeclared name
        ("dot(fc[0], ft0)", "dot(fc[0])"),                        // a missing argument
        ("dot(fc[0], ft0)", "dot(fc[0], ft0.xyz)"),               // an argument of the wrong width
        ("dot(fc[0], ft0)", "dot(fc[0], input)"),                 // an argument that does not convert
        (", input.uv }", ", input.uv, {} }"),                     // one initialiser too many
        (", input.uv }", " }"),                                   // one initialiser too few
        ("ft0.xyz = n", "fc[0].xyz = n"),                         // a write to constant memory
        ("float3(input.uv, 0.5)", "float3(input.uv)"),            // too few constructor arguments
        ("gradient3d(", "gradient2d("),                           // gradients of the wrong dimension
        ("normalize(ft0.xyz)", "normalize(ft0.xyz).w"),           // a component that does not exist
        ("texture3d<float>", "texture3d<float, access::read>"),   // a sample of a read-only texture
        ("constants.view * ", "constants.tint * "),               // a packed vector as an operand
        ("constant Constants&", "Constants&"),                    // a buffer without an address space
        ("[[attribute(1)]]", "[[attribute(0)]]"),                 // a duplicate attribute
        ("[[attribute(1)]]", "[[attribute(31)]]"),                // an attribute index out of range
        ("sampler s [[sampler(0)]]", "sampler s [[texture(1)]]"), // a sampler with a texture index
        ("float4 position [[position]]", "float4 position [[user(loc1)]]"),
        ("float2 uv [[user(loc0)]];\n};\n\nfragment", "float3 uv [[user(loc0)]];\n};\n\nfragment"), // a varying with two types
        ("fc [[buffer(0)]]", "fc"),
    ];
    for (right, wrong) in breaks {
        assert_eq!(RIGHT.matches(right).count(), 1, "{right}");
        let failures = check(&RIGHT.replace(right, wrong));
        assert!(!failures.is_empty() || !testing::CLANG.is_there(), "`{wrong}` is not found");
    }
}
