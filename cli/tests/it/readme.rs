//! Checks the README's examples against the command's output, the links on all pages, and the lengths of README.md and
//! ARCHITECTURE.md.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
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

/// Returns the repository's Markdown files, except test data.
fn pages() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "*.md"]).current_dir(repository()).output().expect("git");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().filter(|path| !path.starts_with("testdata/")).map(|path| repository().join(path)).collect()
}

/// Returns the lines of a page outside code blocks.
fn prose(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let mut is_code = false;
    let mut is_prose = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    };
    text.lines().filter(|line| is_prose(line)).map(str::to_string).collect()
}

/// Returns the anchors that GitHub generates for a page's headings.
fn anchors(page: &Path) -> BTreeSet<String> {
    let headings = prose(page).into_iter().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let anchor = |line: String| line.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect();
    headings.map(|line| -> String { anchor(line) }).map(|anchor| anchor.replace(' ', "-")).collect()
}

#[test]
fn the_links_of_all_pages_lead_somewhere() {
    let pages = pages();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in &pages {
        for line in prose(page) {
            for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if link.contains("://") || link.contains(' ') {
                    continue;
                }
                count += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match file {
                    "" => page.clone(),
                    file => page.parent().expect("a folder").join(file),
                };
                let is_there = target.exists() && (anchor.is_empty() || anchors(&target).contains(anchor));
                if !is_there {
                    wrong.push(format!("{}: {link}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pages.len() > 40 && count > 300, "{} pages, {count} links", pages.len());
}

#[test]
fn what_is_read_first_stays_short() {
    for (page, most) in [("README.md", 120), ("ARCHITECTURE.md", 250)] {
        let text = std::fs::read_to_string(repository().join(page)).expect("the page");
        assert!(text.lines().count() <= most, "{page} has {} lines", text.lines().count());
    }
}
