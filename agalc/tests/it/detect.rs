//! Tests of format detection with every shader of testdata in all its forms, and with files of other kinds.

use testing::{Random, files_below, testdata};

use agalc::{Foreign, Form, Input, InputErrorKind, Options, Source, detect};

fn files(ending: &str) -> Vec<(String, Vec<u8>)> {
    let found = files_below(&testdata(""), ending);
    found.into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file"))).collect()
}

fn form(bytes: impl AsRef<[u8]>) -> Form {
    detect(bytes.as_ref())
}

/// The AGAL files in testdata include programs with mistakes.
#[test]
fn every_agal_text_of_testdata_is_agal() {
    let files = files(".agal");
    assert!(files.len() > 500);
    let mut pairs = 0;
    for (name, bytes) in files {
        let found = form(&bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(matches!(found, Form::AgalText | Form::AgalPair), "{name} is {found:?}\n{text}");
        pairs += usize::from(found == Form::AgalPair);
        let input = Input { name: name.clone(), bytes };
        let source = Source::open(&input, &Options::default());
        assert_eq!(source.is_pair(), found == Form::AgalPair);
        let read = source.read(&Options::default());
        let is_sound = read.iter().all(Result::is_ok);
        assert!(!is_sound || read.len() == if found == Form::AgalPair { 2 } else { 1 }, "{name}");
        for read in read {
            match read {
                Ok(program) => assert!(!program.warnings.iter().any(agalc::Warning::is_note), "{name}"),
                Err(error) => assert!(matches!(error.kind, InputErrorKind::Program(_)), "{name}: {error}"),
            }
        }
    }
    assert!(pairs > 0);
}

/// Every line of an AGAL text is detected as AGAL, both alone and together with the lines that follow.
#[test]
fn parts_of_agal_texts_are_agal() {
    for (name, bytes) in
        files(".agal").into_iter().filter(|(name, _)| name.contains("/macro/") || name.contains("/pairs/"))
    {
        let text = String::from_utf8(bytes).expect("UTF-8");
        for (at, line) in text.lines().enumerate() {
            let rest: String = text.lines().skip(at).flat_map(|line| [line, "\n"]).collect();
            for text in [line, &rest] {
                let found = form(text);
                assert!(!matches!(found, Form::Foreign(_)), "{name}:{}: {found:?}", at + 1);
            }
        }
    }
}

#[test]
fn every_module_of_testdata_is_detected_as_text_and_as_a_file() {
    let files = files(".sdlasm");
    assert!(files.len() > 30);
    for (name, bytes) in files {
        let is_wrong = name.contains("wrong");
        if is_wrong && form(&bytes) != Form::ModuleText {
            continue;
        }
        assert_eq!(form(&bytes), Form::ModuleText, "{name}");
        if let Ok(module) = sdlbc::parse(std::str::from_utf8(&bytes).expect("UTF-8")) {
            assert_eq!(form(sdlbc::encode(&module)), Form::Sdlbc, "{name}");
        }
    }
}

#[test]
fn the_output_of_the_backends_is_recognised() {
    for (ending, foreign) in [
        (".wgsl", Foreign::Wgsl),
        (".vert", Foreign::Glsl),
        (".frag", Foreign::Glsl),
        (".spvasm", Foreign::SpirvText),
        ("scene.toml", Foreign::Scene),
        (".png", Foreign::Png),
    ] {
        let files = files(ending);
        assert!(!files.is_empty());
        for (at, (name, bytes)) in files.into_iter().filter(|(name, _)| !name.contains("fuzz")).enumerate() {
            let found = form(&bytes);
            assert_eq!(found, Form::Foreign(foreign), "{name}");
            // Reading GLSL starts a compiler, so only one in eight GLSL files is read.
            if foreign == Foreign::Glsl && at % 8 != 0 {
                continue;
            }
            let input = Input { name, bytes };
            let result = Source::open(&input, &Options::default()).read_one(&Options::default());
            #[cfg(feature = "sources")]
            if matches!(foreign, Foreign::Wgsl | Foreign::Glsl) {
                assert!(match result {
                    Ok(program) => program.module().is_some(),
                    Err(error) => matches!(error.kind, InputErrorKind::Source { .. }),
                });
                continue;
            }
            assert_eq!(result.expect_err("it is foreign").kind, InputErrorKind::Foreign(foreign));
        }
    }
}

/// A line `=== KIND` precedes each text in the file of cases.
#[test]
fn texts_of_other_languages_are_recognised() {
    let path = testdata("load/foreign.txt");
    let cases = std::fs::read_to_string(path).expect("the cases");
    let mut count = 0;
    for case in cases.split("\n=== ").skip(1) {
        let (kind, text) = case.split_once('\n').unwrap_or((case, ""));
        count += 1;
        match form(text) {
            Form::Foreign(foreign) => assert_eq!(foreign.description(), kind, "{text}"),
            other => assert_eq!(format!("{other:?}"), kind, "{text}"),
        }
    }
    assert!(count > 30);
}

#[test]
fn binary_files_are_recognised_by_their_first_bytes() {
    for (bytes, foreign) in [
        (&b"\x03\x02\x23\x07\0\0\x01\0"[..], Foreign::Spirv),
        (b"\x07\x23\x02\x03\0\x01\0\0", Foreign::Spirv),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Foreign::Png),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", Foreign::Jpeg),
        (b"GIF89a\x01\0\x01\0", Foreign::Gif),
        (b"ATF\0\0\xff\x03", Foreign::Atf),
        (b"DDS \x7c\0\0\0", Foreign::Dds),
        (b"FWS\x0a\x10\0\0\0abc", Foreign::Swf),
        (b"CWS\x0f\x10\0\0\0x\xda", Foreign::Swf),
        (b"ZWS\x0d\x10\0\0\0]\0", Foreign::Swf),
        (b"PK\x03\x04\x14\0\0\0", Foreign::Zip),
        (b"\x1f\x8b\x08\0", Foreign::Gzip),
        (b"%PDF-1.4\n1 0 obj\n", Foreign::Pdf),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", Foreign::Pdf),
        (b"{\\rtf1\\ansi text}", Foreign::Rtf),
        (b"Rar!\x1a\x07\x01\0", Foreign::Archive),
        (b"7z\xbc\xaf\x27\x1c\0\x04", Foreign::Archive),
        (b"BM\x36\0\0\0\0\0", Foreign::Bmp),
        (b"RIFF\x24\0\0\0WEBPVP8 ", Foreign::WebP),
        (b"MZ\x90\0\x03\0\0\0", Foreign::Exe),
        (b"\x7fELF\x02\x01\x01\0", Foreign::Elf),
        (b"DXBC\x01\x02\x03\x04", Foreign::Dxbc),
        (b"\0asm\x01\0\0\0", Foreign::Wasm),
        (b"\x10\0\x2e\0\0\x01", Foreign::Abc),
    ] {
        assert_eq!(form(bytes), Form::Foreign(foreign), "{bytes:x?}");
    }
    for bytes in [&b"\xff\xfem\0o\0v\0"[..], b"\xfe\xff\0m\0o\0v", b"m\0o\0v\0 \0o\0c\0"] {
        assert_eq!(form(bytes), Form::AgalText, "{bytes:x?}");
    }
    // Source text may begin with the same letters as a binary file. Unknown bytes count as bytecode.
    for text in ["CWS\nmov oc, v0", "FWS = v0 * v1", "ATF", "GIF8 v0", "DDS ", "PK", "BM v0", "MZ", "RIFF"] {
        assert_eq!(form(text), Form::AgalText, "{text}");
    }
    for bytes in
        [&b""[..], b"\xa0\x01\0\0\0\xa1\0", b"CWS\xff\x01", b"\x01\x02\x03", b"\x10\0\x2d\0", b"GWS\x0a\x10\0\0\0"]
    {
        assert_eq!(form(bytes), Form::Bytecode, "{bytes:x?}");
    }
}

/// Text that can be assembled is AGAL even if the text looks like another language.
#[test]
fn a_text_that_assembles_is_agal() {
    let text = "#if 0\nvoid main()\n#endif\noc = v0\n";
    let input = Input { name: "a".to_string(), bytes: text.as_bytes().to_vec() };
    assert_eq!(form(text), Form::Foreign(Foreign::Glsl));
    let read = Source::open(&input, &Options::default()).read_one(&Options::default());
    assert!(read.as_ref().is_ok_and(|program| program.agal().is_some()), "{read:?}");
}

/// Damaged files of every kind are read individually and as pairs.
#[test]
fn any_bytes_are_read_or_refused() {
    let mut random = Random(1);
    let mut below = |bound: usize| random.below(bound);
    let endings = [".agal", ".sdlasm", ".wgsl", ".toml", ".as", ".hx", ".hex", ".dump", ".base64"];
    // Reading GLSL starts a compiler, so only ten GLSL files are used.
    let all = endings.into_iter().flat_map(files).chain(files(".vert").into_iter().take(10));
    let mut seeds: Vec<Vec<u8>> = all.map(|(_, bytes)| bytes).filter(|bytes| bytes.len() < 4000).collect();
    let modules =
        files(".sdlasm").into_iter().filter_map(|(_, bytes)| sdlbc::parse(std::str::from_utf8(&bytes).ok()?).ok());
    seeds.extend(modules.map(|module| sdlbc::encode(&module)));
    for at in 0..seeds.len() {
        let mut damaged = || {
            let (mut bytes, other) = (seeds[at].clone(), &seeds[below(seeds.len())]);
            for _ in 0..=below(3) {
                let from = below(bytes.len());
                let to = (from + below(20)).min(bytes.len());
                let new = match below(4) {
                    0 => vec![0xe9],
                    1 => b"\x80 // \xe4\n/*\x9d".to_vec(),
                    2 => other.iter().copied().skip(below(other.len())).take(30).collect(),
                    _ => Vec::new(),
                };
                bytes.splice(from..to, new);
            }
            Input { name: "damaged".to_string(), bytes }
        };
        let inputs = [damaged(), damaged()];
        for inputs in [&inputs[..1], &inputs] {
            match agalc::load_all(inputs, &Options::default()) {
                Ok(loaded) => assert_eq!(sdlbc::verify(&loaded.module), Ok(())),
                Err(refused) => assert!(!refused.to_string().is_empty(), "{refused:?}"),
            }
        }
    }
}
