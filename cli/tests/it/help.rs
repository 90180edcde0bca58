//! Checks that the help of every command lists its exit codes and has examples. The examples in the help, in README.md and in
//! docs are run.

use std::path::{Path, PathBuf};

use testing::{Effort, repository};

use crate::support::examples::run;
use crate::support::sandbox::Sandbox;

fn commands() -> Vec<String> {
    let help = Sandbox::new().run(&["--help"]).success().into_text();
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the commands");
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| !name.starts_with('-') && *name != "help").map(str::to_string).collect()
}

fn examples(help: &str) -> Vec<String> {
    let examples = help.split("\nExamples:\n").nth(1).unwrap_or_default();
    let lines = examples.lines().filter_map(|line| line.strip_prefix("    "));
    lines.filter(|line| line.starts_with("agalc ")).map(str::to_string).collect()
}

#[test]
fn the_examples_of_every_command_run() {
    let commands = commands();
    assert!(commands.len() >= 17, "{commands:?}");
    let mut wrong = Vec::new();
    for command in [""].into_iter().chain(commands.iter().map(String::as_str)) {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = Sandbox::new().run(&arguments).success().into_text();
        let examples = examples(&help);
        if examples.is_empty() {
            wrong.push(format!("`agalc {command} --help` has no example"));
        }
        for example in examples {
            let own = example.split_whitespace().nth(1).unwrap_or_default();
            assert!(command.is_empty() || own == command, "{command}: {example}");
            wrong.extend(run(&Sandbox::new(), &example).err());
        }
        if !help.contains("\nExit codes:\n  0  ") || !help.contains("\n  1  ") || !help.contains("\n  2  ") {
            wrong.push(format!("`agalc {command} --help` does not state the exit codes"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_short_help_fits_a_screen_and_has_no_examples() {
    for command in [String::new()].into_iter().chain(commands()) {
        let arguments: Vec<&str> = [command.as_str(), "-h"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = Sandbox::new().run(&arguments).success().into_text();
        assert!(!help.contains("Examples:"), "{help}");
        assert!(help.lines().count() <= 50, "`agalc {command} -h` has {} lines", help.lines().count());
        // No option's help text may be cut off within backticks or brackets.
        for argument in help.split("\n  -").flat_map(|option| option.split("\n      -")) {
            let of = |c: char| argument.matches(c).count();
            assert!(of('(') == of(')') && of('`') % 2 == 0, "`agalc {command} -h`: {argument}");
        }
    }
    // The short help shows only the most frequently used options, and the long help shows all options.
    let [short, long] = ["-h", "--help"].map(|help| Sandbox::new().run(&["compile", help]).success().into_text());
    let options = short.split("Options:\n").nth(1).expect("the options");
    assert!(options.starts_with("  -o, --output <OUT>") && options.contains("--names"), "{short}");
    assert!(!short.contains("--pack-varyings") && long.contains("--pack-varyings"), "{short}");
}

/// Pages whose commands are run by other tests, and the source files of these tests.
const OTHERS: [(&str, &str); 2] = [("build-systems.md", "building.rs"), ("extract.md", "extract.rs")];

/// A step that a reader of a page performs.
enum Step {
    /// Writes a file, whose contents are the code block after `<!-- write: NAME -->`.
    Write(String, String),
    /// Runs a command line that calls agalc.
    Run(String),
}

/// Returns the steps of a page. A backslash continues a command on the next line.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut is_code, mut continues, mut is_file) = (false, false, false);
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("<!-- write: ").and_then(|rest| rest.strip_suffix(" -->")) {
            steps.push(Step::Write(name.to_string(), String::new()));
            is_file = true;
            continue;
        }
        if line.starts_with("```") {
            is_file &= !is_code;
            (is_code, continues) = (!is_code, false);
            continue;
        }
        let call = line.strip_prefix("$ ").unwrap_or(line);
        let call = ["agalc ", "cargo run --release -p agalc-cli -- "].iter().find_map(|start| call.strip_prefix(start));
        match (steps.last_mut(), call) {
            _ if !is_code => continue,
            (Some(Step::Write(_, contents)), _) if is_file => {
                *contents += &format!("{line}\n");
                continue;
            }
            (Some(Step::Run(before)), _) if continues => *before += line.trim_end_matches('\\'),
            (_, Some(rest)) => steps.push(Step::Run(format!("agalc {}", rest.trim_end_matches('\\')))),
            _ => continue,
        }
        continues = line.ends_with('\\');
    }
    steps
}

#[test]
fn the_examples_of_the_pages_run() {
    let docs = testing::files_below(&repository().join("docs"), ".md");
    let readmes = ["README.md", "cli/README.md", "agal-build/README.md", "agalc/README.md"];
    let readmes = readmes.iter().map(|name| repository().join(name)).filter(|path| path.is_file());
    let (mut wrong, mut count) = (Vec::new(), 0);
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let pages = readmes.chain(docs).filter(|path| OTHERS.iter().all(|(page, _)| *page != name(path)));
    let pages: Vec<PathBuf> = pages.collect();
    let tried = Effort::part_of("PAGES", &pages);
    for path in &tried {
        let page = std::fs::read_to_string(path).expect("the page");
        // The commands of a page share a sandbox, because a command may read the output of an earlier command.
        let sandbox = Sandbox::new();
        for step in steps(&page) {
            match step {
                Step::Write(name, contents) => sandbox.write(&name, contents),
                Step::Run(line) => {
                    count += 1;
                    wrong.extend(run(&sandbox, &line).err().map(|error| format!("{}: {error}", path.display())));
                }
            }
        }
    }
    assert!(tried.len() < pages.len() || count > 20, "only {count} examples");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_pages_of_others_have_their_tests() {
    for (page, test) in OTHERS {
        let page = repository().join("docs").join(page);
        let test = repository().join("cli/tests/it").join(test);
        assert!(!page.exists() || test.exists(), "{} is run by no test", page.display());
    }
}
