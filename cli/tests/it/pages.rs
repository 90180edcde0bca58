//! Checks the commands and the reflection in docs/sdl.md, docs/webgl.md and docs/vulkan.md. The commands must write the shaders
//! that the programs in `examples` use. tests/clients/tests/it/examples.rs tests the example programs themselves.

use std::process::Command;

use agalc::{Code, Glsl, Layout, Shader, Target};
use backends::Constants;
use sdlbc::FunctionKind;
use serde_json::Value;
use testing::repository;

/// Returns the arguments of each `agalc compile` command in a page.
fn commands(name: &str) -> Vec<Vec<String>> {
    let path = repository().join("docs").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let lines = lines.filter(|line| line.starts_with("agalc compile "));
    lines.map(|line| line.split_whitespace().skip(1).map(str::to_string).collect()).collect()
}

/// Returns the values at a path such as `stages[].samplers[].gl`.
fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    path.split('.').fold(vec![value], |values, step| {
        let (field, is_list) = step.strip_suffix("[]").map_or((step, false), |field| (field, true));
        let fields = values.into_iter().filter_map(|value| value.get(field));
        match is_list {
            true => fields.flat_map(|list| list.as_array().expect(path)).collect(),
            false => fields.collect(),
        }
    })
}

/// Compares the JSON blocks and paths in a page with the reflection that the page's command wrote. A block after `<!-- json:
/// lit.json POINTER -->` must equal the value at the JSON pointer. The reflection must have a value at each path, such as
/// `stages[].samplers[].gl`.
fn check_json(name: &str, reflection: &Value, arguments: &[String]) {
    let page = std::fs::read_to_string(repository().join("docs").join(name)).expect("the page");
    for part in page.split("<!-- json: lit.json ").skip(1) {
        let (pointer, rest) = part.split_once(" -->\n```json\n").expect("a block after its marker");
        let block = rest.split("\n```").next().unwrap_or_default();
        let shown: Value = serde_json::from_str(block).unwrap_or_else(|error| panic!("{name}: {pointer}: {error}"));
        assert_eq!(Some(&shown), reflection.pointer(pointer), "{name}: {pointer}, {arguments:?}");
    }
    let words = page.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = words.filter(|word| word.starts_with("stages[]") || word.starts_with("outputs[]")).collect();
    assert!(paths.len() > 5, "{name}: {paths:?}");
    for path in paths {
        assert!(!at(reflection, path).is_empty(), "{name}: the reflection has no {path}");
    }
}

/// Runs a page's commands in a folder with the example programs, and compares the written files with the shaders that the library
/// translates.
fn check(name: &str, expected: &[(Target, &str, Layout)]) {
    let commands = commands(name);
    assert_eq!(commands.len(), expected.len(), "{name}");
    let program = |file: &str| std::fs::read(repository().join("examples/lit").join(file)).expect(file);
    let [vertex, fragment] = ["vertex.agal", "fragment.agal"].map(program);
    let shader = Shader::pair(&vertex, &fragment).expect("a pair");
    for (arguments, (target, ending, layout)) in commands.iter().zip(expected) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("vertex.agal"), &vertex).expect("a file");
        std::fs::write(folder.path().join("fragment.agal"), &fragment).expect("a file");
        let run = Command::new(env!("CARGO_BIN_EXE_agalc")).args(arguments).current_dir(folder.path()).output();
        let run = run.expect("the command");
        assert!(run.status.success(), "{name}: {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        let reflection = std::fs::read_to_string(folder.path().join("lit.json")).expect("the reflection");
        check_json(name, &serde_json::from_str(&reflection).expect("JSON"), arguments);
        for written in shader.write(*target, layout).expect("a translation") {
            let file = match written.stage {
                Some(FunctionKind::Vertex) => format!("lit.vert.{ending}"),
                Some(_) => format!("lit.frag.{ending}"),
                None => format!("lit.{ending}"),
            };
            let bytes = match written.output.code {
                Code::Text(text) => text.into_bytes(),
                Code::Words(words) => words.into_iter().flat_map(u32::to_le_bytes).collect(),
            };
            let made =
                std::fs::read(folder.path().join(&file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
            assert!(made == bytes, "{name}: {arguments:?} writes another {file} than the layout's");
        }
    }
}

#[test]
fn the_commands_in_the_pages_write_the_shaders_that_the_clients_draw_with() {
    let named = |name| Layout::named(name).expect("the layout");
    let with = |name, constants| Layout { constants, ..named(name) };
    let es = Target::Glsl(Glsl::Es300);
    check("sdl.md", &[(Target::Spirv, "spv", named("sdl-gpu"))]);
    check("webgl.md", &[(es, "glsl", named("webgl2")), (es, "glsl", with("webgl2", Constants::Block))]);
    let push = (Target::Spirv, "spv", with("vulkan", Constants::Push));
    check("vulkan.md", &[(Target::Spirv, "spv", named("vulkan")), push]);
}
