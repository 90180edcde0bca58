//! Tests programs written as text that break a rule, and similar programs that break no rule (testdata/sdlbc/wrong). An expected
//! violation is written on its line as `;! V05 %9`: the rule, followed by a part of the violation's detail. A violation that
//! belongs to no line is written on a line of its own. The verifier must report exactly the expected violations. verify.rs tests
//! the rules that no text can break.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use sdlbc::{Detail, Module, Rule, Violation, decode, encode, parse, verify};

#[test]
fn exactly_the_expected_violations_are_reported() {
    let mut wrong = String::new();
    for (name, text) in files() {
        let module = match parse(&text) {
            Ok(module) => module,
            Err(errors) => panic!("{name}: {errors:?}"),
        };
        let violations = verify(&module).err().unwrap_or_default();
        let mut expected = annotations(&text);
        let lines = Lines::of(&text);
        for violation in &violations {
            let line = lines.find(violation);
            let detail = violation.detail.to_string();
            let fits = |at: &(usize, String, String)| {
                at.0 == line && at.1 == violation.rule.to_string() && detail.contains(&at.2)
            };
            match expected.iter().position(fits) {
                Some(at) => drop(expected.remove(at)),
                None => writeln!(wrong, "{name}:{line}: unexpected {} {detail}", violation.rule).expect("a string"),
            }
        }
        for (line, rule, detail) in expected {
            writeln!(wrong, "{name}:{line}: missing {rule} {detail}").expect("a string");
        }
        let at = violations
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.function.is_none() || a.function <= b.function || is_of_table(b)));
        assert!(at, "{name}: not in reading order");
        offsets_are_those_of_the_file(&name, &module, &violations);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_has_a_wrong_program() {
    let cases = include_str!("verify.rs");
    let expected = files().into_iter().flat_map(|(_, text)| annotations(&text)).map(|(_, rule, _)| rule);
    let expected = expected.collect::<Vec<_>>();
    for rule in Rule::ALL {
        let number = rule.number();
        let in_code = |end| cases.contains(&format!("vec![{number}{end}"));
        assert!(expected.contains(&rule.to_string()) || in_code("]") || in_code(","), "no program breaks {rule}");
    }
    assert!(Rule::ALL.is_sorted_by_key(|rule| rule.number()));
    assert_eq!(Rule::ALL.iter().map(|rule| rule.number()).collect::<HashSet<_>>().len(), Rule::ALL.len());
}

fn files() -> Vec<(String, String)> {
    let paths = testing::files(&testing::testdata("sdlbc/wrong"), ".sdlasm");
    assert!(paths.len() > 30, "the folder's files");
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.into_iter().map(|path| (name(&path), std::fs::read_to_string(&path).expect("a text"))).collect()
}

/// Returns the expected violations of a text: the line number, the rule, and a part of the detail. The line number is 0 if the
/// violation belongs to no line.
fn annotations(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut parts = line.split(";!");
        let alone = parts.next().is_some_and(|code| code.trim().is_empty());
        for part in parts {
            let (rule, detail) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
            found.push((if alone { 0 } else { number }, rule.to_string(), detail.to_string()));
        }
    }
    found
}

#[derive(Default)]
struct Lines {
    functions: Vec<FunctionLines>,
}

#[derive(Default)]
struct FunctionLines {
    head: usize,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    instructions: Vec<usize>,
    lines_of: Option<usize>,
    members: HashMap<String, Vec<usize>>,
    bindings: HashMap<String, usize>,
    /// The number of the line that names or defines each id; a `name` line takes precedence.
    ids: HashMap<String, usize>,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let mut lines = Lines::default();
        let mut within = false;
        for (number, line) in (1..).zip(text.lines()) {
            let words = line.split_whitespace().collect::<Vec<_>>();
            let Some(&first) = words.first().filter(|word| !word.starts_with(';')) else { continue };
            if !line.starts_with(' ') {
                within = words.get(1) == Some(&"function");
                if within {
                    lines.functions.push(FunctionLines { head: number, ..FunctionLines::default() });
                }
                continue;
            }
            let Some(function) = lines.functions.last_mut().filter(|_| within) else { continue };
            let second = words.get(1).unwrap_or(&"").to_string();
            match first {
                "}" => {}
                "input" => {
                    function.inputs.push(number);
                    function.ids.insert(second, number);
                }
                "output" => function.outputs.push(number),
                "workgroup" => {}
                "name" => drop(function.ids.insert(second, number)),
                "member" => {
                    let id = second.split('[').next().unwrap_or_default().to_string();
                    function.members.entry(id).or_default().push(number);
                }
                "binding" => drop(function.bindings.insert(second, number)),
                "lines" => function.lines_of = Some(number),
                _ => {
                    function.instructions.push(number);
                    function.ids.entry(first.to_string()).or_insert(number);
                }
            }
        }
        lines
    }

    /// Returns the line number of a violation, or 0 if the violation belongs to no line.
    fn find(&self, violation: &Violation) -> usize {
        let Some(function) = violation.function.and_then(|index| self.functions.get(index)) else { return 0 };
        if let Some(instruction) = violation.instruction {
            return function.instructions[instruction];
        }
        match (&violation.detail, violation.rule) {
            (_, Rule::NamedFunction | Rule::NamesOrder | Rule::DebugProgram) => 0,
            (_, Rule::Lines) => function.lines_of.unwrap_or(0),
            (Detail::Member { id, index, .. }, _) => function.members[&id.to_string()][*index],
            (Detail::Id(id), Rule::SourceBindings) => function.bindings[&id.to_string()],
            (Detail::Id(id), Rule::MembersOf) => function.members[&id.to_string()][0],
            (Detail::Input { index, .. }, _) => function.inputs[*index],
            (Detail::Output { index, .. }, _) => function.outputs[*index],
            (Detail::Id(id), _) => function.ids[&id.to_string()],
            _ => function.head,
        }
    }
}

/// Reports whether a violation concerns the debug table, which follows the functions.
fn is_of_table(violation: &Violation) -> bool {
    use Rule::{DebugProgram, Lines, NamedFunction, NamedId, NamesOrder, NulInName, SourceBindings};
    let of_members = matches!(violation.detail, Detail::Member { .. }) || violation.rule == Rule::MembersOf;
    of_members
        || matches!(
            violation.rule,
            SourceBindings | NamedFunction | NamesOrder | NamedId | DebugProgram | Lines | NulInName
        )
}

/// Checks that the word at the offset of a violation's instruction is the opcode of the instruction.
fn offsets_are_those_of_the_file(name: &str, module: &Module, violations: &[Violation]) {
    let file = encode(module);
    let word = |at: usize| file.get(at..at + 4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    for violation in violations {
        let offset = violation.offset.unwrap_or_else(|| panic!("{name}: {violation} has an offset"));
        let found = word(offset).unwrap_or_else(|| panic!("{name}: {violation} is in the file"));
        if let (Some(function), Some(instruction)) = (violation.function, violation.instruction) {
            let op = module.functions[function].body.insts()[instruction].op;
            assert_eq!(found, op.number(), "{name}: {violation}");
        }
    }
    // A module that is read back from its encoded file has the same violations as the original.
    if violations.iter().all(|violation| violation.rule != Rule::NulInName)
        && let Ok(again) = decode(&file)
    {
        assert_eq!(verify(&again).err().unwrap_or_default(), violations, "{name}");
    }
}
