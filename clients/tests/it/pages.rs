//! The pages docs/sdl.md, docs/webgl.md and docs/vulkan.md: their code is that of the clients, and their commands write the
//! shaders that the clients draw with.
//!
//! In a page, `<!-- code: FILE -->` before a block stands for a file, and `<!-- code: FILE NAME -->` for a function of it.
//! `UPDATE_EXPECT=1` renews the blocks.

use std::path::{Path, PathBuf};
use std::process::Command;

use agalc::files;
use backends::{Code, Constants, Glsl, Layout, Target};
use clients::scenes::{SCENES, load};
use clients::shader::Translated;
use testing::repository;

/// A function of a Rust or JavaScript source, with the comment before it and without its indentation.
fn function(source: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let heads = [format!("fn {name}("), format!("function {name}(")];
    let head = lines.iter().position(|line| heads.iter().any(|head| line.contains(head.as_str())))?;
    let comments = lines[..head].iter().rev().take_while(|line| line.trim_start().starts_with("//")).count();
    let indent = lines[head].len() - lines[head].trim_start().len();
    let end = lines[head..].iter().position(|line| *line == format!("{}}}", " ".repeat(indent)))? + head;
    let cut = |line: &&str| line.get(indent..).unwrap_or_default().to_string();
    Some(lines[head - comments..=end].iter().map(cut).collect::<Vec<_>>().join("\n"))
}

/// What a marker stands for: the content of its block.
fn quoted(marker: &str) -> String {
    let mut words = marker.split_whitespace();
    let file = words.next().expect("a file");
    let path = repository().join(file);
    let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    match words.next() {
        Some(name) => function(&source, name).unwrap_or_else(|| panic!("{file} has no function {name}")),
        None => source.trim_end().to_string(),
    }
}

/// The page with the content of each marked block renewed, and the number of marked blocks.
fn renewed(page: &str) -> (String, usize) {
    let (mut text, mut count) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(marker) = line.strip_prefix("<!-- code: ").and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let fence = lines.next().filter(|line| line.starts_with("```")).expect("a block after its marker");
        assert!(lines.by_ref().any(|line| line == "```"), "the block of {marker} has no end");
        text += &format!("{fence}\n{}\n```\n", quoted(marker));
        count += 1;
    }
    (text, count)
}

fn page(name: &str) -> String {
    let path = repository().join("docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_code_in_the_pages_is_the_code_that_draws() {
    for name in ["sdl.md", "webgl.md", "vulkan.md"] {
        let text = page(name);
        let (expected, count) = renewed(&text);
        // A block of code that is not marked could be out of date.
        let languages = ["```rust", "```js", "```agal", "```html"];
        let code = text.lines().filter(|line| languages.contains(line)).count();
        assert!(count > 3 && count == code, "{name}: {count} of {code} blocks of code say where they are from");
        testing::expect(&format!("docs/{name}"), &expected).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Builds the command in the profile that the tests were built in, and returns its path.
fn command() -> PathBuf {
    let build = ["build", "--locked", "--quiet", "--profile", "suite", "-p", "agalc-cli", "--message-format=json"];
    let built = Command::new(env!("CARGO")).args(build).current_dir(repository()).output().expect("cargo");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let messages = String::from_utf8_lossy(&built.stdout).into_owned();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let path = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).last();
    path.expect("cargo's message about the command")
}

/// The commands in a page, word by word.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let lines = lines.filter_map(|line| line.strip_prefix("agalc compile "));
    lines.map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
}

/// The files that a shader is written to, with their endings, as `agalc compile` names them.
fn written(translated: &Translated<'_>, target: Target, layout: &Layout, ending: &str) -> Vec<(String, Vec<u8>)> {
    let stages = files(&translated.draw.module, target, layout);
    let name = |stage: &Option<_>| match stage {
        Some(sdlbc::FunctionKind::Vertex) => format!("lit.vert.{ending}"),
        Some(_) => format!("lit.frag.{ending}"),
        None => format!("lit.{ending}"),
    };
    let bytes = |code: &Code| match code {
        Code::Text(text) => text.clone().into_bytes(),
        Code::Words(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
    };
    stages.iter().zip(&translated.outputs).map(|(stage, output)| (name(stage), bytes(&output.code))).collect()
}

fn check_commands(command: &Path, name: &str, expected: &[(Target, &str, Layout)]) {
    let commands = commands(&page(name));
    assert_eq!(commands.len(), expected.len(), "{name}");
    let scene = load(SCENES[0]).expect("the scene");
    for (arguments, (target, ending, layout)) in commands.into_iter().zip(expected) {
        let folder = tempfile::tempdir().expect("a folder");
        for file in ["vertex.agal", "fragment.agal"] {
            let from = repository().join(SCENES[0]).join(file);
            std::fs::copy(from, folder.path().join(file)).expect("a program");
        }
        let run = Command::new(command).arg("compile").args(&arguments).current_dir(folder.path()).output();
        let run = run.expect("the command");
        assert!(run.status.success(), "{name}: {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        let translated = Translated::new(&scene.draw, *target, layout).expect("a translation");
        for (file, bytes) in written(&translated, *target, layout, ending) {
            let made =
                std::fs::read(folder.path().join(&file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
            assert!(made == bytes, "{name}: {arguments:?} writes another {file} than the client draws with");
        }
    }
}

#[test]
fn the_commands_in_the_pages_write_the_shaders_that_the_clients_draw_with() {
    let named = |name| Layout::named(name).expect("the layout");
    let with = |name, constants| Layout { constants, ..named(name) };
    let command = command();
    check_commands(&command, "sdl.md", &[(Target::Spirv, "spv", named("sdl-gpu"))]);
    let es = Target::Glsl(Glsl::Es300);
    let plain = (es, "glsl", named("webgl2"));
    check_commands(&command, "webgl.md", &[plain, (es, "glsl", with("webgl2", Constants::Block))]);
    let push = (Target::Spirv, "spv", with("vulkan", Constants::Push));
    check_commands(&command, "vulkan.md", &[(Target::Spirv, "spv", named("vulkan")), push]);
}
