//! Tests that a build reports all errors in shaders and names at once, with their positions.

use agal_build::{Config, ProblemKind};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Returns the messages of all problems, without the folder's name.
fn problems(config: &Config, folder: &TempDir) -> Vec<String> {
    let error = config.generate().expect_err("an error");
    let shown = format!("{}/", folder.path().display());
    error.problems.iter().map(|problem| problem.text.replace(&shown, "")).collect()
}

const GOOD: (&str, &str) = ("mov op, va0\nmov v0, va1\n", "mov oc, v0\n");

#[test]
fn all_errors_of_all_pairs_have_their_lines() {
    let folder = folder(&[
        ("a.vert.agal", "mov op, va0\nmov v0, va99\n"),
        ("a.frag.agal", "mov oc, v0\nfoo oc, v0\n"),
        ("b.vert.agal", GOOD.0),
        ("b.frag.agal", "bar oc, v0\n"),
    ]);
    let shown = problems(Config::new().folder(folder.path()), &folder);
    for (place, line) in
        [("a.vert.agal:2:", "mov v0, va99"), ("a.frag.agal:2:1", "foo oc, v0"), ("b.frag.agal:1:1", "bar oc, v0")]
    {
        let found =
            shown.iter().find(|text| text.contains(place)).unwrap_or_else(|| panic!("no {place} in {shown:#?}"));
        assert!(found.starts_with("error[AGAL") && found.contains(line) && found.contains('^'), "{found}");
    }
    assert_eq!(shown.len(), 3, "{shown:#?}");
}

/// Messages suggest the options of build scripts instead of the options of the command line.
#[test]
fn help_names_what_a_build_script_has() {
    let folder = folder(&[("a.vert.agal", "mov op, va0\nmov v0, vt0\n"), ("a.frag.agal", "mov oc, va0\n")]);
    let shown = problems(Config::new().folder(folder.path()), &folder);
    assert!(
        shown.iter().any(|text| text.contains("`allow: vec![3647]` in `agalc::Rules` reads it as zero")),
        "{shown:#?}"
    );
    assert!(
        shown.iter().any(|text| text.contains("help: use the register of this stage\n")
            || text.ends_with("help: use the register of this stage")),
        "{shown:#?}"
    );
    assert!(shown.iter().all(|text| !text.contains("`--")), "{shown:#?}");
}

#[test]
fn wrong_names_are_reported_with_their_file_or_their_call() {
    let files =
        [("a.vert.agal", GOOD.0), ("a.frag.agal", GOOD.1), ("a.names.toml", "va1 = \"uv: vec5\"\nvb0 = \"x\"\n")];
    let folder = folder(&files);
    let mut config = Config::new();
    config.folder(folder.path()).name("a", "vc0", "clip: mat5").name("b", "vc0", "x");
    let shown = problems(&config, &folder);
    for part in ["a.names.toml:1:12", "a.names.toml:2:1", "`vc0=clip: mat5`, a name for the pair `a`: column 11"] {
        assert!(shown.iter().any(|text| text.contains(part)), "no {part} in {shown:#?}");
    }
    std::fs::remove_file(folder.path().join("a.names.toml")).expect("removed");
    for (name, instead) in [("b", "known pairs: `a`"), ("A", "did you mean `a`?")] {
        let mut config = Config::new();
        config.folder(folder.path()).name(name, "vc0", "x");
        let wanted =
            format!("error: `vc0=x` names a register of the pair `{name}`, but there is no such pair; {instead}");
        assert_eq!(problems(&config, &folder), [wanted]);
    }
}

/// An extracted program that the application never runs must not stop the build. Warnings about extracted programs are dropped,
/// because the author of the build script cannot change the programs.
#[test]
fn of_an_extraction_all_pairs_of_the_manifest_become_modules_but_those_that_do_not_compile() {
    let odd = "// agal 1 fragment\nmov ft0, v0\nmov ft1, v0\nmov oc, ft0\n";
    let files = [
        ("Glow.vert.agal", GOOD.0),
        ("Glow.frag.agal", odd),
        ("Glow.additive.frag.agal", GOOD.1),
        ("Bad.vert.agal", GOOD.0),
        ("Bad.frag.agal", "mov oc, v1\n"),
        ("Lone.frag.agal", GOOD.1),
    ];
    let pair = |vertex: &str, fragment: &str| format!("{{\"vertex\":\"{vertex}\",\"fragment\":\"{fragment}\"}}");
    let pairs = [
        pair("Glow.vert.agal", "Glow.frag.agal"),
        pair("Glow.vert.agal", "Glow.additive.frag.agal"),
        pair("Bad.vert.agal", "Bad.frag.agal"),
    ];
    let manifest = format!("{{\"format\":\"agalc extract 1\",\"pairs\":[{}]}}", pairs.join(","));
    let folder = folder(&files);
    assert!(problems(Config::new().folder(folder.path()), &folder).len() > 1);
    std::fs::write(folder.path().join("manifest.json"), manifest).expect("a manifest");
    let generated = Config::new().folder(folder.path()).generate().expect("modules");
    let modules = |generated: &agal_build::Generated| -> Vec<String> {
        generated.files.keys().filter_map(|name| name.strip_suffix(".rs")).map(str::to_string).collect()
    };
    assert_eq!(modules(&generated), ["glow", "glow_additive"]);
    let [warning] = generated.warnings.as_slice() else { panic!("{:#?}", generated.warnings) };
    assert!(
        warning.starts_with("the pair `bad` (`") && warning.contains(") is left out: error[AGAL3632]: "),
        "{warning}"
    );

    // Register names in the build script are checked even if the programs are extracted.
    let shown = problems(Config::new().folder(folder.path()).name("glow", "vc0", "clip: mat9x9"), &folder);
    assert!(shown.iter().any(|text| text.contains("mat9x9")), "{shown:#?}");
    let shown = problems(Config::new().folder(folder.path()).name("bad", "vc0", "clip"), &folder);
    assert!(shown.iter().any(|text| text.starts_with("error[AGAL3632]")), "{shown:#?}");

    // Two games may contain a class with the same name.
    let mut config = Config::new();
    config.folder(folder.path()).folder(folder.path());
    let shown = problems(&config, &folder);
    assert!(shown.iter().any(|text| text.contains("add its folder with `folder_as`")), "{shown:#?}");
    let generated = Config::new().folder(folder.path()).folder_as("old", folder.path()).generate().expect("modules");
    assert_eq!(modules(&generated), ["glow", "glow_additive", "old_glow", "old_glow_additive"]);

    // An extraction in which no pair compiles is an error.
    std::fs::remove_file(folder.path().join("Glow.vert.agal")).expect("removed");
    let shown = problems(Config::new().folder(folder.path()), &folder);
    assert!(shown.iter().any(|text| text.starts_with("error[AGAL3632]")), "{shown:#?}");
}

#[test]
fn a_file_that_is_missing_and_names_that_cannot_be_modules_are_reported() {
    let folder = folder(&[("a.vert.agal", GOOD.0), ("a.frag.agal", GOOD.1)]);
    let path = |name: &str| folder.path().join(name);
    let mut config = Config::new();
    config.pair("a", path("a.vert.agal"), path("none.agal")).pair("a", path("a.vert.agal"), path("a.frag.agal"));
    config.pair("my-pair", path("a.vert.agal"), path("a.frag.agal"));
    let shown = problems(&config, &folder);
    for part in [
        "cannot read `none.agal`",
        "two pairs with the name `a`",
        "`my-pair` cannot be the name of a module; use `my_pair`",
    ] {
        assert!(shown.iter().any(|text| text.contains(part)), "no {part} in {shown:#?}");
    }
    let error = config.generate().expect_err("an error");
    assert!(matches!(error.problems[0].kind, ProblemKind::NotAModule | ProblemKind::Twice), "{:?}", error.problems);
    assert_eq!(error.to_string(), "3 errors in the shaders of a, my-pair; nothing was generated");
}

#[test]
fn an_error_leaves_the_folder_for_generated_files_as_it_was() {
    let files = folder(&[("a.vert.agal", GOOD.0), ("a.frag.agal", GOOD.1)]);
    let out = tempfile::tempdir().expect("a folder");
    let compile = || Config::new().folder(files.path()).out_dir(out.path()).compile();
    let list = || {
        let entries = std::fs::read_dir(out.path()).expect("the folder").flatten();
        let mut files: Vec<_> = entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).ok())).collect();
        files.sort();
        files
    };
    compile().expect("generated");
    let before = list();
    assert_eq!(before.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a.rs", "a.wgsl", "agal-build.txt"]);
    std::fs::write(files.path().join("b.vert.agal"), GOOD.0).expect("a file");
    std::fs::write(files.path().join("b.frag.agal"), "wrong").expect("a file");
    std::fs::write(files.path().join("a.frag.agal"), "mov oc, v0.x\n").expect("a file");
    compile().expect_err("b is wrong");
    assert_eq!(list(), before);
}

#[test]
fn a_pair_in_the_other_order_is_the_same_pair() {
    let folder = folder(&[
        ("a.vert.agal", GOOD.0),
        ("a.frag.agal", GOOD.1),
        ("one", GOOD.0),
        ("two", GOOD.1),
        ("b.vert.agal", "mov op, va0\nmov v0, va77\n"),
        ("b.frag.agal", "mlu oc, v0\n"),
    ]);
    let path = |name: &str| folder.path().join(name);
    let generated = |first: &str, second: &str| {
        let generated = Config::new().pair("a", path(first), path(second)).generate();
        generated.unwrap_or_else(|error| panic!("{:?}", error.problems)).files["a.wgsl"].clone()
    };
    let expected = generated("a.vert.agal", "a.frag.agal");
    assert_eq!(generated("a.frag.agal", "a.vert.agal"), expected);
    // The file names `one` and `two` do not state a stage.
    assert_eq!(generated("two", "one"), expected);
    // If both programs have errors, the file names determine the stages.
    let order = |files: [&str; 2]| {
        let mut shown = problems(Config::new().pair("b", path(files[0]), path(files[1])), &folder);
        shown.sort();
        shown
    };
    let expected = order(["b.vert.agal", "b.frag.agal"]);
    assert_eq!(expected.len(), 2, "{expected:#?}");
    assert_eq!(order(["b.frag.agal", "b.vert.agal"]), expected);
    let shown = problems(Config::new().pair("a", path("one"), path("a.vert.agal")), &folder);
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert!(shown[0].contains("vertex"), "{shown:#?}");
}

#[test]
fn a_configuration_without_shaders_is_an_error() {
    let error = Config::new().generate().expect_err("an error");
    assert!(matches!(error.problems[0].kind, ProblemKind::NoShaders), "{:?}", error.problems);
    assert_eq!(error.to_string(), "1 error; nothing was generated");
}

#[test]
fn a_file_of_names_that_belongs_to_no_pair_is_a_warning() {
    let names = "va1 = \"uv\"\n";
    let folder =
        folder(&[("a.vert.agal", GOOD.0), ("a.frag.agal", GOOD.1), ("a.names.toml", names), ("aa.names.toml", names)]);
    let generated = Config::new().folder(folder.path()).generate().expect("generated");
    let [warning] = &generated.warnings[..] else { panic!("{:?}", generated.warnings) };
    let expected = "aa.names.toml` is not read, because no pair has this name; rename or remove it";
    assert!(warning.ends_with(expected), "{warning}");
}

#[test]
fn a_message_about_a_given_name_says_which_pair_it_is_about() {
    let folder =
        folder(&[("a.vert.agal", GOOD.0), ("a.frag.agal", GOOD.1), ("b.vert.agal", GOOD.0), ("b.frag.agal", GOOD.1)]);
    let config = |registers: &str, name: &str| {
        let mut config = Config::new();
        config.folder(folder.path()).name("b", registers, name);
        config
    };
    let warnings = config("vc77", "clip").generate().expect("generated").warnings;
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(warnings[0].starts_with("warning: b: `vc77` is not used by the program"), "{warnings:#?}");
    let shown = problems(&config("v0", "uv: vec2"), &folder);
    assert_eq!(shown, ["error: b: `v0` cannot have a type; only constants and attributes can"]);
    let mut config = Config::new();
    config.folder(folder.path()).attribute("b", "vc0", "uv: Float32x2");
    let expected = "error: `vc0=uv: Float32x2`, an attribute of the pair `b`: `vc0` is not an attribute such as va0; \
                    use `Config::name` for other registers";
    assert_eq!(problems(&config, &folder), [expected]);
}
