//! `run`: programs of testdata/run say in their lines `// run:` how they are run; beside each stands what came of it.

mod support;

use support::place::{Place, assembled};
use support::{expect, testdata};

/// The command lines of a program with what each says and ends with.
fn session(place: &Place, name: &str, text: &str) -> String {
    let mut session = String::new();
    for options in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
        let mut line = vec!["run", name];
        line.extend(options.split_whitespace());
        let ran = place.run(&line);
        session += &format!("$ agalc {}\n{}{}", line.join(" "), ran.err, ran.text());
        session += &if ran.code == 0 { "\n".to_string() } else { format!("exit code {}\n\n", ran.code) };
    }
    session
}

#[test]
fn each_program_runs_as_its_lines_say() {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(testdata("run")).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".agal").map(str::to_string));
    }
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
    let mut failures = Vec::new();
    for name in names {
        let file = format!("{name}.agal");
        let text = std::fs::read_to_string(testdata(&format!("run/{file}"))).expect("the program");
        let place = Place::new();
        place.write(&file, &text);
        let session = session(&place, &file, &text);
        assert!(session.contains("$ agalc run"), "{file} does not say how it is run");
        failures.extend(expect(&format!("testdata/run/{name}.txt"), &session).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn bytecode_and_text_run_alike_and_a_module_is_not_run() {
    let text = "// agal 1 vertex\nadd vt0, va0, vc0\nmov op, vt0\n";
    let place = Place::new();
    place.write("a.agal", text);
    place.write("a.agalbc", assembled(text));
    let run = |name: &str| {
        place.run(&["run", name, "--trace", "--set", "va0=1,2,3", "--set", "vc0=0.5,0.5"]).well().into_text()
    };
    assert_eq!(run("a.agal"), run("a.agalbc"));
    assert!(run("a.agal").ends_with("\nop = 1.5, 2.5, 3, 1\n"));
    let bytes = assembled(text);
    let piped = place.run_with(&["run", "-", "--set", "va0=1", "--set", "vc0=1"], &bytes).well();
    assert_eq!(piped.text(), "op = 2, 0, 0, 1\n");
    place.run(&["compile", "a.agal", "-o", "a.sdlbc"]).well();
    let ran = place.run(&["run", "a.sdlbc"]).badly(1);
    assert!(ran.err.contains("SDLSHADERBC module; `agalc run` runs AGAL programs alone"), "{}", ran.err);
    place.run(&["run", "a.agal", "--set", "va0=1", "--set", "vc0=1", "-o", "out.txt"]).well();
    assert_eq!(place.text("out.txt"), "op = 2, 0, 0, 1\n");
}

/// What is printed is read back as the same number, and JSON says the same.
#[test]
fn every_number_comes_back_as_it_was() {
    let place = Place::new();
    place.write("a.agal", "// agal 1 vertex\nmov op, va0\n");
    let mut random = support::Random(5);
    for turn in 0..40 {
        let values: [f32; 4] = std::array::from_fn(|_| match turn {
            0 => -0.0,
            1 => f32::NEG_INFINITY,
            _ => f32::from_bits(random.next() as u32),
        });
        let numbers = values.map(|value| value.to_string()).join(",");
        let setting = format!("va0={numbers}");
        let text = place.run(&["run", "a.agal", "--set", &setting]).well().into_text();
        let list = text.trim_end().strip_prefix("op = ").expect("the register");
        let json = place.run(&["run", "a.agal", "--json", "--set", &setting]).well().into_text();
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        for (component, (value, number)) in values.iter().zip(list.split(", ")).enumerate() {
            let said = &json["outputs"][0]["values"][component];
            let said =
                said.as_str().map_or_else(|| said.as_f64().expect("a number") as f32, |s| s.parse().expect("it"));
            for found in [number.parse::<f32>().expect("a number"), said] {
                assert!(found.to_bits() == value.to_bits() || found.is_nan() && value.is_nan(), "{value} {number}");
            }
        }
    }
}

#[test]
fn the_example_in_the_documentation_is_true() {
    let docs = std::fs::read_to_string(support::repository().join("docs/agalc.md")).expect("the documentation");
    let session = std::fs::read_to_string(testdata("run/sprite.txt")).expect("the session");
    assert!(docs.contains(session.trim_end()), "docs/agalc.md shows testdata/run/sprite.txt");
}
