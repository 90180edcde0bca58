//! Checks that each installed shell loads and applies the completions, and that groff renders the manual pages.

use std::process::Command;

use crate::support::sandbox::Sandbox;

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|found| found.status.success());
    if !found {
        eprintln!("SKIPPED: {program} is not installed");
    }
    found
}

fn said(sandbox: &Sandbox, shell: &[&str], script: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_agalc")).parent().expect("a folder").to_path_buf();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let command = &mut Command::new(shell[0]);
    let ran = command
        .args(&shell[1..])
        .arg(script)
        .env("PATH", path)
        .current_dir(sandbox.folder.path())
        .output()
        .expect("the shell");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && err.is_empty(), "{script}\n{out}\n{err}");
    out.into_owned()
}

#[test]
fn bash_completes_commands_options_and_values() {
    if !is_installed("bash") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.run(&["completions", "bash", "-o", "completions/agalc"]).success();
    for (line, expected) in [
        (&["agalc", "dis"][..], "disassemble"),
        (&["agalc", "compile", "--lay"], "--layout"),
        (&["agalc", "compile", "--layout", "web"], "webgl2"),
        (&["agalc", "validate", "--format", "s"], "sarif"),
    ] {
        let script = format!(
            ". completions/agalc; COMP_WORDS=({}); COMP_CWORD={}; _agalc agalc '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"; complete -p agalc",
            line.join(" "),
            line.len() - 1,
            line[line.len() - 1],
            line[line.len() - 2]
        );
        let said = said(&sandbox, &["bash", "--norc", "-c"], &script);
        let mut replies = said.lines();
        assert_eq!(replies.next(), Some(expected), "{line:?}: {said}");
        assert!(said.lines().last().is_some_and(|line| line.ends_with(" -F _agalc agalc")), "{said}");
    }
}

#[test]
fn zsh_completes_a_command() {
    if !is_installed("zsh") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.run(&["completions", "zsh", "-o", "completions/_agalc"]).success();
    // A shell in a pseudo-terminal receives a TAB, as if a user completed the line.
    let script = r#"
zmodload zsh/zpty
zpty inner zsh -f -i
send() { zpty -w -n inner "$1" }
send $'PS1="" PROMPT_EOL_MARK="" TERM=dumb; unsetopt zle_bracketed_paste 2>/dev/null; fpath=($PWD/completions $fpath); autoload -Uz compinit; compinit -u -D; print re""ady\n'
zpty -r -m inner line '*ready*'
send $'agalc disas\t'
send $' --help | head -n 1; print fin""ished\n'
zpty -r -m inner line '*finished*'
print -r -- $line
zpty -d inner
"#;
    let said = said(&sandbox, &["zsh", "-f", "-c"], script);
    assert!(said.contains("Disassemble AGAL bytecode"), "{said}");
    assert!(said.contains("agalc disassemble"), "{said}");
}

#[test]
fn completions_of_other_shells_name_every_command() {
    let sandbox = Sandbox::new();
    for shell in ["fish", "elvish", "powershell"] {
        let script = sandbox.run(&["completions", shell]).success().into_text();
        for command in ["compile", "explain", "check-draw", "man"] {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn manual_pages_render_without_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.run(&["man", "-o", "man/man1"]).success();
    let pages = testing::files(&sandbox.path("man/man1"), ".1");
    assert!(pages.len() >= 18, "{pages:?}");
    let again = Sandbox::new();
    again.run(&["man", "-o", "man/man1"]).success();
    for page in &pages {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read(page).expect("the page");
        assert!(text == again.read(&format!("man/man1/{name}")), "{name} differs between runs");
    }
    let compile = sandbox.text("man/man1/agalc-compile.1");
    assert!(compile.contains("agalc compile lit.vert.agal"), "{compile}");
    assert_eq!(compile, sandbox.run(&["man", "compile"]).success().into_text());
    for (command, synopsis) in [
        ("compile", "\\fBagalc compile\\fR [OPTIONS] <IN>...\n"),
        ("run", "\\fBagalc run\\fR [OPTIONS] <IN>\n"),
        (
            "extract",
            "\\fBagalc extract\\fR [OPTIONS] \\-\\-output <DIR> <IN>...\n.br\n\
             \\fBagalc extract\\fR [OPTIONS] \\-\\-output <DIR> \\-\\-from\\-trace <FILE> [IN]...\n",
        ),
    ] {
        let page = sandbox.run(&["man", command]).success().into_text();
        assert!(page.contains(&format!(".SH SYNOPSIS\n{synopsis}.SH ")), "{page}");
    }
    assert!(sandbox.run(&["man", "compil"]).failure(2).err.contains("there is no command `compil`"));
    if !is_installed("groff") {
        return;
    }
    for page in &pages {
        let ran =
            Command::new("groff").args(["-man", "-Tutf8", "-ww", "-rCHECKSTYLE=3"]).arg(page).output().expect("groff");
        assert!(
            ran.status.success() && ran.stderr.is_empty(),
            "{}: {}",
            page.display(),
            String::from_utf8_lossy(&ran.stderr)
        );
        let shown = String::from_utf8_lossy(&ran.stdout);
        for part in ["NAME", "SYNOPSIS", "Exit codes"] {
            // groff may print bold letters twice, with a backspace between the copies.
            let plain: String = shown.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "").replace("\u{1b}[22m", "");
            assert!(plain.contains(part) || plain.contains(&doubled(part)), "{}: {part}", page.display());
        }
    }
}

fn doubled(text: &str) -> String {
    text.chars().map(|c| format!("{c}\u{8}{c}")).collect()
}
