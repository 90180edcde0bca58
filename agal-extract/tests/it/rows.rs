//! Tests each feature of the interpreter with code in testdata/extract/rows and the programs that the code is expected to
//! produce.

use agal_extract::{Extraction, Options, extract};
use agalc::Input;
use swf::Compression;

use crate::abc::{assemble, bytes};
use crate::listing::listing;
use crate::swfs::swf;

fn found(name: &str, bytes: Vec<u8>) -> Extraction {
    extract(&[Input { name: name.to_string(), bytes }], &Options::default())
}

/// Compares the results for all files with the extension `ending` against the expected results in the same folder.
fn compare(ending: &str, read: impl Fn(&str, Vec<u8>) -> Extraction) {
    let folder = testing::testdata("extract/rows");
    let mut failures = Vec::new();
    let files = testing::files(&folder, ending);
    assert!(!files.is_empty(), "no files in {}", folder.display());
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let found = read(&name, std::fs::read(&file).expect("the file"));
        let path = format!("testdata/extract/rows/{name}.txt");
        failures.extend(testing::expect(&path, &listing(&found, false)).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_code_makes_of_strings_is_found_in_sources() {
    compare(".as", found);
}

#[test]
fn sources_that_are_a_whole_application_have_only_what_their_own_code_sets() {
    let source = std::fs::read(testing::testdata("extract/rows/library.as")).expect("the file");
    let inputs = [Input { name: "library.as".to_string(), bytes: source }];
    let variants = |whole_application| {
        let found = extract(&inputs, &Options::default().whole_application(whole_application));
        found.programs.iter().filter(|program| !program.is_piece).count()
    };
    assert_eq!(variants(false), 2);
    assert_eq!(variants(true), 1);
}

#[test]
fn what_code_makes_of_strings_is_found_in_swfs() {
    compare(".avm", |name, text| {
        let text = String::from_utf8(text).expect("text");
        found(name, swf(Compression::Zlib, &bytes(assemble(&text)), &[]))
    });
}

#[test]
fn combinations_that_are_left_out_are_told_of_a_method_whose_programs_callers_give_too() {
    let flags: Vec<String> = (0..4).map(|at| format!("public var f{at}:Boolean;")).collect();
    let lines: Vec<String> = (0..4).map(|at| format!("if (f{at}) code += \"mov ft0, fc{at}\\n\";")).collect();
    let source = format!(
        "package {{ public class Lit {{ {} public var to:String; public function show():void {{ var code:String = \"mov ft0, \" + to + \"\\n\"; {} \
         new AGALMiniAssembler().assemble(\"fragment\", code + \"mov oc, ft0\"); }} }} \
         public class Game {{ public function Game() {{ var lit:Lit = new Lit(); lit.to = \"v0\"; lit.show(); }} }} }}",
        flags.join(" "),
        lines.join(" ")
    );
    let inputs = [Input { name: "lit.as".to_string(), bytes: source.into_bytes() }];
    let mut options = Options::default();
    assert_eq!(extract(&inputs, &options).warnings, []);
    options.limits.paths = 4;
    let warnings = extract(&inputs, &options).warnings;
    assert_eq!(
        warnings.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(),
        [
            "in `Lit.show`: programs were found in callers of these methods, but not every combination of the methods' conditions was tried"
        ]
    );
}
