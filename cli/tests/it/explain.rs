//! Checks that `agalc explain` explains every number, that each example causes its finding, and that the corrected example does
//! not.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testing::{Effort, repository};

use crate::support::sandbox::Sandbox;

/// The numbers without an example, because their findings occur only in long programs, or in no programs at all.
const WITHOUT: [&str; 15] = [
    "AGAL9099", "AGAL9218", "AGAL9307", "ES2102", "ES2107", "ES2129", "ES2130", "V01", "V03", "V07", "V09", "V14",
    "V25", "V26", "V44",
];

fn all() -> Vec<Value> {
    let listed = Sandbox::new().run(&["explain", "--json"]).success();
    serde_json::from_slice(&listed.out).expect("JSON")
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_else(|| panic!("{value} has no {field}"))
}

/// Returns the bytes of a program. Files with the extensions `.agalbc`, `.es2c` and `.sdlbc` contain hexadecimal digits.
fn bytes(name: &str, text: &str) -> Vec<u8> {
    if ![".agalbc", ".es2c", ".sdlbc"].iter().any(|ending| name.ends_with(ending)) {
        return text.as_bytes().to_vec();
    }
    let digits: String = text.split_whitespace().collect();
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Runs the example's command on the given programs. Returns the findings, and a flag that is true if the command accepts the
/// programs.
fn found(example: &Value, programs: &str) -> (Vec<Value>, bool) {
    found_with(example, programs, &[]).expect("a command line that is taken")
}

/// Runs the example's command with additional options. Returns `None` if the command rejects the options.
fn found_with(example: &Value, programs: &str, more: &[&str]) -> Option<(Vec<Value>, bool)> {
    let sandbox = Sandbox::new();
    let mut names: Vec<&str> = Vec::new();
    for program in example[programs].as_array().expect("programs") {
        let name = text(program, "file");
        sandbox.write(name, bytes(name, text(program, "text")));
        names.push(name);
    }
    assert!(!names.is_empty(), "{example}");
    let command = text(example, "command").split_whitespace().nth(1).expect("a command");
    let options = text(example, "options").split_whitespace();
    let arguments =
        [command].into_iter().chain(names).chain(options).chain(["--diagnostics", "messages.json", "--quiet"]);
    let ran = sandbox.run(&arguments.chain(more.iter().copied()).collect::<Vec<&str>>());
    if ran.code == 2 {
        return None;
    }
    let messages: Value = serde_json::from_slice(&sandbox.read("messages.json")).expect("JSON");
    Some((messages["diagnostics"].as_array().expect("diagnostics").clone(), ran.code == 0))
}

#[test]
fn every_example_has_what_it_explains_and_its_mending_does_not() {
    let all = all();
    let tried = Effort::part_of("EXAMPLES", &all);
    let (first, second) = tried.split_at(tried.len() / 2);
    let check = |numbers: &[&Value]| -> Vec<String> {
        let mut wrong = Vec::new();
        for number in numbers.iter().filter(|number| !number["example"].is_null()) {
            let (code, example) = (text(number, "code"), &number["example"]);
            if example["wrong"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let has = |message: &&Value| message["code"] == code;
            let (messages, _) = found(example, "wrong");
            let said = messages.iter().find(has);
            let said =
                said.map(|of| json!({ "severity": of["severity"], "message": of["message"], "help": of["help"] }));
            if said.as_ref() != Some(&example["says"]) {
                wrong.push(format!("the example of {code} is told {said:?}, and its `-- says` is {}", example["says"]));
            }
            let (messages, is_accepted) = found(example, "corrected");
            if messages.iter().any(|message| has(&message)) || !is_accepted {
                wrong.push(format!("the corrected example of {code} has {messages:?}; accepted: {is_accepted}"));
            }
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let first = scope.spawn(|| check(first));
        let second = check(second);
        [first.join().expect("a thread"), second].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers for which `--allow` accepts only some cases.
const IN_PART: [&str; 7] = ["AGAL3617", "AGAL3621", "AGAL3632", "AGAL3664", "AGAL3665", "AGAL3667", "AGAL3696"];

#[test]
fn allow_accepts_the_numbers_of_which_it_is_said() {
    let all = all();
    for number in Effort::part_of("EXAMPLES", &all).iter().filter(|of| !text(of, "code").starts_with('V')) {
        let (code, example) = (text(number, "code"), &number["example"]);
        if example["wrong"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let standing: Vec<&str> =
            number["standing"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
        let said = standing.iter().find(|line| line.starts_with("`--allow "));
        let is_whole = said.is_some_and(|line| line.ends_with(" accepts it"));
        let refused = |messages: &[Value]| messages.iter().any(|of| of["code"] == code && of["severity"] == "error");
        match found_with(example, "wrong", &["--allow", code]) {
            None => assert_eq!(said, None, "--allow does not take {code}"),
            Some((messages, _)) => {
                assert!(said.is_some(), "--allow takes {code}");
                assert!(!is_whole || !refused(&messages), "--allow does not accept {code}: {messages:?}");
            }
        }
        assert_eq!(said.is_some() && !is_whole, IN_PART.contains(&code), "{code}: {said:?}");
    }
    let sandbox = Sandbox::new();
    let said = "`--allow 3632` accepts only this case: components of a varying that the fragment program reads but the vertex program does not write\n";
    assert!(sandbox.run(&["explain", "3632"]).success().text().contains(said));
    let said = "`--allow 3617` accepts it where the message says so\n";
    assert!(sandbox.run(&["explain", "3617"]).success().text().contains(said));
}

#[cfg(feature = "es2")]
#[test]
fn every_number_has_an_example_or_says_why_not() {
    let all = all();
    let without = |number: &&Value| number["example"]["wrong"].as_array().is_none_or(Vec::is_empty);
    let without: BTreeSet<&str> = all.iter().filter(without).map(|number| text(number, "code")).collect();
    assert_eq!(without, BTreeSet::from(WITHOUT));
    for number in all.iter().filter(|number| without.contains(text(number, "code"))) {
        assert!(number["example"]["about"].as_str().is_some_and(|about| about.len() > 20), "{number}");
    }
}

/// Returns the rows of a page's tables as pairs of number and row.
fn rows(page: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository().join("docs").join(page)).expect("the page");
    let cells = |line: &str| -> Option<(String, String)> {
        // Only a bar between spaces ends a cell, because code in a cell may contain a bar.
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let number = cells.next()?.trim_end_matches("\\*").to_string();
        let is_number = number.trim_start_matches('V').bytes().all(|byte| byte.is_ascii_digit()) && number.len() > 2;
        is_number.then(|| (number, line.to_string()))
    };
    text.lines().filter_map(cells).collect()
}

#[test]
fn the_pages_and_explain_say_the_same() {
    let all = all();
    let title = |code: &str| all.iter().find(|number| text(number, "code") == code).map(|number| text(number, "title"));
    let findings = rows("findings.md");
    assert!(findings.len() > 190, "{}", findings.len());
    for (number, line) in &findings {
        let title = title(&format!("AGAL{number}")).unwrap_or_else(|| panic!("{number} has no explanation"));
        assert!(line.contains(&format!("| {title} |")), "{line}\n{title}");
    }
    let rules = rows("format.md").into_iter().filter(|(number, _)| number.starts_with('V')).collect::<Vec<_>>();
    assert!(rules.len() > 50, "{}", rules.len());
    for (number, line) in &rules {
        let title = title(number).unwrap_or_else(|| panic!("{number} has no explanation"));
        assert!(line.contains(title), "{line}\n{title}");
    }
    let agal = all.iter().filter(|number| text(number, "code").starts_with("AGAL")).count();
    assert_eq!(
        (findings.len(), rules.len()),
        (agal, all.iter().filter(|of| text(of, "code").starts_with('V')).count())
    );
}

#[cfg(feature = "es2")]
#[test]
fn a_number_is_read_with_or_without_its_letters() {
    let sandbox = Sandbox::new();
    let explained = sandbox.run(&["explain", "AGAL3647"]).success().into_text();
    for written in ["3647", "agal3647", " AGAL3647"] {
        assert_eq!(sandbox.run(&["explain", written]).success().into_text(), explained);
    }
    for part in
        ["a read of a register", "--allow 3647", "known to refuse", "wrong.agal", "Corrected", "mul oc, ft0, fc0"]
    {
        assert!(explained.to_lowercase().contains(&part.to_lowercase()), "{part}: {explained}");
    }
    assert!(sandbox.run(&["explain", "3739"]).success().text().contains("only the message is published"));
    assert!(sandbox.run(&["explain", "v5"]).success().text().starts_with("V05: "));
    let both = sandbox.run(&["explain", "V12", "ES2126"]).success().into_text();
    assert!(both.starts_with("V12: ") && both.contains("\nES2126: "), "{both}");
    let unknown = sandbox.run(&["explain", "AGAL1"]).failure(2);
    assert!(unknown.err.contains("no finding or rule has the number `AGAL1`"), "{}", unknown.err);
    // The number of an AGAL finding is refused if it begins with the letter of a module rule.
    sandbox.run(&["explain", "V3647"]).failure(2);
}

#[test]
fn messages_name_the_explanation_if_asked_to() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.agal", b"mul oc, ft0, fc0\n");
    let ran = sandbox.run(&["validate", "wrong.agal", "-v"]).failure(1);
    assert!(ran.err.contains("`agalc explain AGAL3647` explains it"), "{}", ran.err);
    assert!(ran.err.contains("note: read `wrong.agal` (AGAL text, 17 bytes)"), "{}", ran.err);
}
