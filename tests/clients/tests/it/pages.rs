//! The pages docs/sdl.md, docs/webgl.md and docs/vulkan.md: their code is that of the clients. A test of the command
//! (cli/tests/it/pages.rs) runs their commands.
//!
//! In a page, `<!-- code: FILE -->` before a block stands for a file, and `<!-- code: FILE NAME -->` for a function of it.
//! `UPDATE_EXPECT=1` renews the blocks.

use testing::{expect, repository};

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

#[test]
fn the_code_in_the_pages_is_the_code_that_draws() {
    for name in ["sdl.md", "webgl.md", "vulkan.md"] {
        let path = repository().join("docs").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (expected, count) = renewed(&text);
        // A block of code that is not marked could be out of date.
        let languages = ["```rust", "```js", "```agal", "```html"];
        let code = text.lines().filter(|line| languages.contains(line)).count();
        assert!(count > 3 && count == code, "{name}: {count} of {code} blocks of code say where they are from");
        expect(&format!("docs/{name}"), &expected).unwrap_or_else(|error| panic!("{error}"));
    }
}
