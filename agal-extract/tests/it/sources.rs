//! Tests the extraction of programs from the compiled form of ActionScript and Haxe sources.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use agal_extract::{Alternative, Code, Extraction, Options, Piece, Place, Reader, Site, extract};
use agalc::Input;
use testing::{expect, testdata};

fn input(path: &Path) -> Input {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    Input { name, bytes: std::fs::read(path).expect("the source") }
}

fn place(place: &Place) -> String {
    let Site::Method { class, method, at, .. } = &place.site else { return format!("{place:?}") };
    let mut text = format!("{class}.{method}, line {at}");
    for condition in &place.conditions {
        let taken = match &condition.taken {
            Alternative::True => "true",
            Alternative::False => "false",
            Alternative::Is(value) => value,
        };
        let _ = write!(text, ", {} is {taken}", condition.expression);
    }
    text
}

fn programs(found: &Extraction) -> String {
    let mut out = String::new();
    for (number, program) in found.programs.iter().enumerate() {
        let stage = program.stage.map_or("of no stage".into(), |stage| format!("{stage:?}").to_lowercase());
        let version = program.version.map(|version| format!(", version {version}")).unwrap_or_default();
        let _ = writeln!(out, "program {number}: {stage}{version}");
        program.places.iter().for_each(|found| out.push_str(&format!("  in {}\n", place(found))));
        let Code::Text { text, .. } = &program.code else { panic!("sources have texts: {program:?}") };
        for piece in &text.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Hole(name) => out.push_str(&format!("{{{name}}}")),
            }
        }
        out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
    }
    for pair in &found.pairs {
        let _ = writeln!(out, "pair: {} and {}", pair.vertex.0, pair.fragment.0);
    }
    found.warnings.iter().for_each(|warning| out.push_str(&format!("warning: {}\n", warning.message)));
    out
}

fn compare(name: &str, paths: &[PathBuf]) {
    let inputs: Vec<Input> = paths.iter().map(|path| input(path)).collect();
    let found = programs(&extract(&inputs, &Options::default()));
    expect(&format!("testdata/extract/run/{name}.txt"), &found).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn what_action_script_means_is_what_is_found() {
    compare("Language.as", &[testdata("extract/run/Language.as")]);
}

#[test]
fn what_haxe_means_is_what_is_found() {
    compare("Language.hx", &[testdata("extract/run/Language.hx")]);
}

#[test]
fn the_files_of_an_engine_are_read_together() {
    compare("engine", &testing::files(&testdata("extract/run/engine"), ".as"));
}

#[test]
fn what_is_not_understood_is_a_warning_with_its_line_and_the_rest_is_found() {
    let text = "package { class A {\n function broken( { }\n function f(a:AGALMiniAssembler):void {\n  var x = ;\n\
                a.assemble(\"fragment\", \"mov oc, v0\"); } } }";
    let found = extract(&[Input { name: "A.as".into(), bytes: text.into() }], &Options::default());
    assert_eq!(found.programs.len(), 1, "{found:?}");
    let lines: Vec<&str> = found.warnings.iter().flat_map(|warning| warning.path.iter().map(String::as_str)).collect();
    assert_eq!(lines, ["line 2", "line 4"]);
    assert!(found.warnings[1].message.contains("an expression is expected here, not `;`"), "{:?}", found.warnings);
}

fn named(name: &str, text: &str) -> Input {
    Input { name: name.into(), bytes: text.into() }
}

/// Returns the texts of the programs, and the warnings with their lines.
fn texts_and_warnings(inputs: &[Input], options: &Options) -> (Vec<String>, Vec<String>) {
    let found = extract(inputs, options);
    let text = |code: &Code| {
        match code {
            Code::Text { text, .. } => text.pieces.iter().map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hole(name) => format!("{{{name}}}"),
            }),
            code => panic!("sources have texts: {code:?}"),
        }
        .collect()
    };
    let warnings = found.warnings.iter().map(|warning| format!("{}: {}", warning.path.join(", "), warning.message));
    (found.programs.iter().map(|program| text(&program.code)).collect(), warnings.collect())
}

const EMBEDS: &str = r#"package game.view {
    public class Glow {
        [Embed(source="glow.agal", mimeType="application/octet-stream")] private static const GLOW:Class;
        [Embed(source = "/shaders/blur.agal", mimeType = "application/octet-stream")]
        public var Blur:Class;
        [Embed(source="glow.png")] private static const PICTURE:Class;
        public function make(assembler:AGALMiniAssembler):void {
            assembler.assemble("fragment", String(new GLOW()));
            var bytes:ByteArray = new Blur() as ByteArray;
            assembler.assemble("fragment", bytes.readUTFBytes(bytes.length));
            assembler.assemble("fragment", new Whole().toString());
        }
    }
}
[Embed(source="../whole.agal", mimeType="application/octet-stream")]
class Whole extends ByteArray {}
"#;

const EMBEDDED: [(&str, &str); 3] = [
    ("src/game/view/glow.agal", "mov oc, fc0"),
    ("src/shaders/blur.agal", "mov oc, fc1"),
    ("src/game/whole.agal", "mov oc, fc2"),
];

#[test]
fn files_that_sources_embed_are_inputs_or_are_read() {
    let source = named("src/game/view/Glow.as", EMBEDS);
    let expected = ["mov oc, fc0", "mov oc, fc1", "mov oc, fc2"];
    let mut inputs = vec![source.clone()];
    inputs.extend(EMBEDDED.iter().map(|(name, text)| named(name, text)));
    assert_eq!(texts_and_warnings(&inputs, &Options::default()), (expected.map(String::from).into(), Vec::new()));

    // An embedded file that is in another folder is found by its file name.
    let mut inputs = vec![source.clone()];
    inputs.extend(EMBEDDED.iter().map(|(name, text)| named(name.rsplit('/').next().expect("a name"), text)));
    assert_eq!(texts_and_warnings(&inputs, &Options::default()), (expected.map(String::from).into(), Vec::new()));

    let reader = Reader::new(|source, path| {
        assert_eq!(source, 0);
        let (_, text) = [("glow.agal", 0), ("../../shaders/blur.agal", 1), ("../whole.agal", 2)]
            .iter()
            .find(|(name, _)| *name == path)
            .map(|(_, at)| EMBEDDED[*at])?;
        Some(text.as_bytes().to_vec())
    });
    let options = Options::default().reader(Some(reader));
    assert_eq!(texts_and_warnings(&[source], &options), (expected.map(String::from).into(), Vec::new()));
}

#[test]
fn an_embedded_file_that_is_missing_is_a_warning_with_its_line() {
    let (_, warnings) = texts_and_warnings(&[named("Glow.as", EMBEDS)], &Options::default());
    for (warning, expected) in
        warnings.iter().zip(["line 3: the embedded file `glow.agal` does not exist", "line 4: ", "line 15: "])
    {
        assert!(warning.starts_with(expected), "{warnings:?}");
    }
    assert_eq!(warnings.len(), 3, "{warnings:?}");
}

#[test]
fn files_that_haxe_embeds_are_found_too() {
    let source = r#"package fx;
@:file("a.agal") class A extends ByteArrayData {}
class B {
    @:meta(Embed(source = "b.agal", mimeType = "application/octet-stream"))
    static var CODE:Class<Dynamic>;
    static function make(assembler:AGALMiniAssembler) {
        assembler.assemble("fragment", new A().toString());
        assembler.assemble("fragment", Std.string(Type.createInstance(CODE, [])));
    }
}"#;
    let inputs = [named("fx/B.hx", source), named("fx/a.agal", "mov oc, fc0"), named("fx/b.agal", "mov oc, fc1")];
    let (texts, warnings) = texts_and_warnings(&inputs, &Options::default());
    assert!(texts.contains(&"mov oc, fc0".to_string()) && texts.contains(&"mov oc, fc1".to_string()), "{texts:?}");
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn what_a_class_is_said_to_have_does_not_hide_it() {
    let real = named(
        "src/Ops.hx",
        "package fx; class Ops { public static function tex(to:String) return 'tex $to, v0, fs0 <2d>\\n'; }",
    );
    let user = named(
        "src/Glow.hx",
        "package fx; class Glow { function make(assembler:AGALMiniAssembler) {
            assembler.assemble('fragment', Ops.tex('oc')); assembler.assemble('fragment', Named.tex('ft0') + 'mov oc, ft0'); } }",
    );
    let said = named(
        "lib/Ops.hx",
        "package fx; @:jsRequire('fx/Ops', 'default') extern class Ops { static function tex(to:String):String; }",
    );
    let called = named(
        "lib/Named.hx",
        "package fx; @:native('fx.Ops') extern class Named { static function tex(to:String):String; }",
    );
    let native = named(
        "lib/AGALMiniAssembler.as",
        "package { public class AGALMiniAssembler { public native function assemble(a:String, b:String):ByteArray; } }",
    );
    let all = [real, user, said, called, native];
    for first in 0..all.len() {
        let inputs: Vec<Input> = (0..all.len()).map(|at| all[(first + at) % all.len()].clone()).collect();
        let (mut texts, warnings) = texts_and_warnings(&inputs, &Options::default());
        texts.sort();
        assert_eq!(texts, ["tex ft0, v0, fs0 <2d>\nmov oc, ft0", "tex oc, v0, fs0 <2d>\n"], "{first}");
        assert_eq!(warnings, Vec::<String>::new());
    }
}
