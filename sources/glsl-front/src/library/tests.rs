//! Compares glslang as a library with `glslangValidator`.

use std::path::{Path, PathBuf};

use sdlbc::FunctionKind;
use sdlbc::front::{Refusal, SourceOptions};
use testing::GLSLANG;

use super::MOST_TOKENS;
use crate::program::HAS_NO_PROGRAMS;
use crate::{Compiled, Language, Source, compile, in_source};

/// Calls a function as if the PATH had no programs.
fn without_programs<T>(call: impl FnOnce() -> T) -> T {
    HAS_NO_PROGRAMS.set(true);
    let result = call();
    HAS_NO_PROGRAMS.set(false);
    result
}

fn source(text: &str, stage: FunctionKind) -> Source<'_> {
    Source { text, stage, language: Language::Glsl { version: None } }
}

fn by_library(text: &str, stage: FunctionKind) -> Result<Compiled, Vec<Refusal>> {
    without_programs(|| compile(&source(text, stage)))
}

/// Returns the text of the module that a compiled source becomes, or the refusals with their places in the source.
fn lifted(compiled: Result<Compiled, Vec<Refusal>>, of: &Source<'_>) -> String {
    let listed = |refusals: Vec<Refusal>| {
        let places = refusals.iter().map(|refusal| format!("{:?} {refusal}", refusal.position(of.text)));
        places.collect::<Vec<_>>().join("\n")
    };
    let Compiled { bytes, links_by_name } = match compiled {
        Ok(compiled) => compiled,
        Err(refusals) => return listed(refusals),
    };
    let options = SourceOptions::default().convention(Some(of.convention()));
    match spirv_front::read(&bytes, &options) {
        Ok(mut lifted) => {
            // The programs write their own text of the source into the module.
            lifted.module.debug.sources.iter_mut().for_each(|source| source.text.clear());
            lifted.module.debug.sources.iter_mut().for_each(|source| source.file.clear());
            format!("{links_by_name}\n{}", sdlbc::text::print(&lifted.module))
        }
        Err(refusals) => listed(refusals.into_iter().map(|refusal| in_source(refusal, of.text)).collect()),
    }
}

fn test_sources() -> Vec<(PathBuf, FunctionKind)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut found = Vec::new();
    // glslang 13 refuses floats and flat integers at one location, and version 12 does not.
    let is_left_out = |path: &Path| path.ends_with("spirv/flat_components.frag");
    for folder in ["sources/glsl", "sources/suite/glsl", "sources/compute", "sources/refused", "spirv"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let stage = match path.extension().and_then(|extension| extension.to_str()) {
                Some("vert") => FunctionKind::Vertex,
                Some("frag") => FunctionKind::Fragment,
                Some("comp") => FunctionKind::Compute,
                _ => continue,
            };
            if !is_left_out(&path) {
                found.push((path, stage));
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn every_source_becomes_the_same_module_by_the_library_as_by_the_program() {
    if !GLSLANG.is_there() {
        return;
    }
    let all = test_sources();
    let differences = testing::on_two_threads(&all, |(path, stage)| {
        let text = std::fs::read_to_string(path).expect("the file");
        let source = source(&text, *stage);
        let [by_program, by_library] = [compile(&source), by_library(&text, *stage)];
        let [by_program, by_library] = [by_program, by_library].map(|compiled| lifted(compiled, &source));
        let differing = by_program.lines().zip(by_library.lines()).find(|(one, other)| one != other);
        (by_program != by_library).then(|| format!("{}: {differing:?}", path.display()))
    });
    let differing: Vec<String> = differences.into_iter().flatten().collect();
    assert!(differing.is_empty(), "{} of {} differ\n{}", differing.len(), all.len(), differing.join("\n"));
    assert!(all.len() > 200, "{} sources", all.len());
}

#[test]
fn sources_of_all_versions_are_read() {
    let fragments = [
        "#version 100\nprecision mediump float; varying vec2 uv; uniform sampler2D t; uniform vec4 k;\nvoid main() { gl_FragColor = texture2D(t, uv) * k; }",
        "#version 120\nvarying vec2 uv; uniform sampler2D t; uniform vec4 k;\n#if __VERSION__ == 120\nvoid main() { gl_FragColor = texture2D(t, uv) * k; }\n#endif\n",
        "varying vec2 uv; uniform sampler2D t; uniform vec4 k;\nvoid main() { gl_FragData[0] = texture2D(t, uv) * k; }",
        "#version 300 es\nprecision mediump float; in vec2 uv; out vec4 o; uniform sampler2D t; uniform vec4 k;\nvoid main() { o = texture(t, uv) * k; }",
        "#version 310 es\nprecision mediump float; layout(location = 0) in vec2 uv; layout(location = 0) out vec4 o; uniform sampler2D t; uniform vec4 k;\nvoid main() { o = texture(t, uv) * k; }",
        "#version 330\nin vec2 uv; out vec4 o; uniform sampler2D t; uniform vec4 k[4];\nvoid main() { o = texture(t, uv) * k[1]; }",
        "#version 450\nin vec2 uv; out vec4 o; uniform sampler2D t; uniform vec4 k[4];\nvoid main() { o = texture(t, uv) * k[1]; }",
    ];
    for text in fragments {
        let source = source(text, FunctionKind::Fragment);
        let read = lifted(by_library(text, source.stage), &source);
        assert!(read.contains("texture2d = texture 0") && read.contains(" = sample "), "{text}\n{read}");
        if GLSLANG.is_there() {
            assert_eq!(read, lifted(compile(&source), &source), "{text}");
        }
    }
}

#[test]
fn messages_have_the_place_of_the_error() {
    let errors = |text: &str| by_library(text, FunctionKind::Fragment).expect_err("an error");
    let head = "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\n";
    let text = format!("{head}  float f = 1.0;\n  o = vec4(f + oops);\n}}\n");
    let refusals = errors(&text);
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(refusals[0].to_string(), "'oops' : undeclared identifier");
    assert_eq!(refusals[0].position(&text), Some((5, 16)));
    // An error of the preprocessor, and one in a source that is rewritten.
    let text = "#version 450\n#error no\nvoid main() {}\n";
    assert_eq!(errors(text)[0].position(text), Some((2, 1)));
    let text = "varying vec2 uv;\nvoid main() {\n gl_FragColor = vec4(oops);\n}\n";
    assert_eq!(errors(text)[0].position(text), Some((3, 22)));
    // An error of the linker has no line.
    let text = format!("{head}  o = later();\n}}\n").replace("void main", "vec4 later();\nvoid main");
    assert!(errors(&text)[0].to_string().contains("No function definition"), "{:?}", errors(&text));
}

/// glslang quotes single bytes of a character outside ASCII, walks expressions recursively, and reads texts up to a zero byte.
#[test]
fn unusual_texts_are_read_or_refused() {
    let read = |inside: &str| {
        let head = "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\n";
        let text = format!("{head} float x = o.x; {inside}\n o.x = x;\n}}\n");
        let errors = by_library(&text, FunctionKind::Fragment).err().unwrap_or_default();
        errors.first().map(|error| (error.to_string(), error.position(&text).map(|(line, _)| line)))
    };
    let longest = MOST_TOKENS / 2 - 4;
    let too_long = format!("a statement has more than {MOST_TOKENS} words");
    for (inside, refused) in [
        ("x = ö;".to_string(), Some(("", Some(4)))),
        ("x = x\u{0}; oops".to_string(), Some(("the source has a zero byte", None))),
        (format!("x{};", ",x".repeat(longest)), None),
        (format!("x = x{};", "+x".repeat(longest)), None),
        (format!("x = x{};", "\n+x".repeat(longest * 2)), Some((&*too_long, Some(3 + MOST_TOKENS / 2)))),
        (
            format!("\n#define A x+x+x+x\n#define B A+A+A+A\n#define C B+B+B+B\nx = C{};", "+C".repeat(longest / 4)),
            Some((&too_long, Some(8))),
        ),
        (format!("x = {}x{};", "(".repeat(longest), ")".repeat(longest)), Some(("memory exhausted", Some(4)))),
        (format!("{}x = 1.0;", "if (x > 0.0) {".repeat(50_000)), Some(("memory exhausted", Some(4)))),
        (format!("x=x;\n#if {}1{}\n#endif\n;", "(".repeat(longest), ")".repeat(longest)), None),
    ] {
        let begin: String = inside.chars().take(40).collect();
        let done = read(&inside);
        match (&done, refused) {
            (None, None) => {}
            (Some((message, line)), Some((expected, at))) => {
                assert!(message.starts_with(expected) && *line == at, "{begin}: {done:?}");
            }
            _ => panic!("{begin}: {done:?}"),
        }
    }
}
