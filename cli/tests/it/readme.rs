//! The README's examples match the tool's current output.

use std::process::Command;

use testing::repository;

fn block<'a>(readme: &'a str, open: &str) -> &'a str {
    let start = readme.find(open).expect("the block") + open.len();
    let length = readme[start..].find("```").expect("the block's end");
    &readme[start..start + length]
}

#[test]
fn the_wgsl_in_the_readme_is_the_output_for_its_pair() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("README.md");
    let output = Command::new(env!("CARGO_BIN_EXE_agalc"))
        .args(["compile", "lit_texture.vert.agal", "lit_texture.frag.agal", "--to", "wgsl"])
        .current_dir(repository().join("testdata/pairs"))
        .output()
        .expect("agalc runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), block(&readme, "```wgsl\n"));
}

#[test]
fn the_agal_in_the_readme_is_the_pair_in_testdata() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("README.md");
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim().to_string());
        lines.filter(|line| !line.is_empty()).collect()
    };
    let mut pair = Vec::new();
    for stage in ["vert", "frag"] {
        let path = repository().join(format!("testdata/pairs/lit_texture.{stage}.agal"));
        pair.extend(code(&std::fs::read_to_string(path).expect("the pair")));
    }
    assert_eq!(code(block(&readme, "```\n")), pair);
}

#[test]
fn the_named_pair_in_the_readme_is_the_one_in_testdata_and_no_register_is_left_in_its_wgsl() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("README.md");
    let folder = repository().join("testdata/names");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file of the pair");
    let lines = |text: &str, comment: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split(comment).next().unwrap_or_default().trim().to_string());
        lines.filter(|line| !line.is_empty()).collect()
    };
    let pair = [read("phong.vert.agal"), read("phong.frag.agal")].concat();
    assert_eq!(lines(block(&readme, "```agal\n"), "//"), lines(&pair, "//"));
    assert_eq!(lines(block(&readme, "```toml\n"), "#"), lines(&read("phong.names.toml"), "#"));
    let output = Command::new(env!("CARGO_BIN_EXE_agalc"))
        .args(["compile", "phong.vert.agal", "phong.frag.agal", "--layout", "wgpu", "--to", "wgsl"])
        .current_dir(&folder)
        .output()
        .expect("agalc runs");
    let wgsl = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(wgsl, block(&readme, "```wgsl named\n"));
    let is_register = |word: &str| {
        let file = word.trim_end_matches(|c: char| c.is_ascii_digit());
        ["va", "vc", "vt", "v", "op", "fc", "ft", "oc", "fs"].contains(&file)
    };
    let words = wgsl.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let left: Vec<&str> = words.filter(|word| is_register(word)).collect();
    assert!(left.is_empty(), "{left:?}");
}
