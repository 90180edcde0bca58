//! Tests extraction from containers: projectors, archives, signed files, streams, and documents that contain SWFs or AGAL. The
//! module also tests unsupported inputs, and the message about engines that compile shaders themselves.

use agal_extract::{ByteOrder, Code, Extraction, Options, Site, extract};
use agalc::Input;
use swf::Compression;
use testing::base64;

use crate::abc::{assemble, bytes};
use crate::files::{EXPECTED, PAIR, bomb, found, texts};
use crate::swfs::{deflate, gzip, lzma, signed, swf, tar, zip, zlib};

fn game(compression: Compression) -> Vec<u8> {
    swf(compression, &bytes(assemble(PAIR)), &[])
}

/// Returns the kind of the first input, and the path inside that input to the first program.
fn place(found: &Extraction) -> (String, &[String]) {
    (found.inputs[0].kind.clone(), found.programs.first().map_or(&[], |program| &program.places[0].path))
}

#[track_caller]
fn holds_the_pair(bytes: &[u8], kind: &str, path: &[&str]) {
    let found = found("game", bytes);
    assert_eq!(texts(&found), EXPECTED, "{:?}", found.warnings);
    assert_eq!(found.pairs.len(), 1);
    assert_eq!(place(&found), (kind.to_string(), &path.iter().map(|part| part.to_string()).collect::<Vec<_>>()[..]));
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

/// Returns the beginnings of a Windows, an ELF and a Mach-O executable, which contain bytes that look like SWF headers.
fn players() -> [(&'static str, Vec<u8>); 3] {
    let player = |head: &[u8]| [head, &[7; 300], b"FWS\x0a\xff\0\0\0CWS\x0a\x10\0\0\0x\xda", &[0; 90]].concat();
    [
        ("a Windows program", player(b"MZ\x90\0")),
        ("an ELF program", player(b"\x7fELF\x02\x01\x01")),
        ("a Mach-O program", player(&[0xcf, 0xfa, 0xed, 0xfe])),
    ]
}

#[test]
fn the_swf_of_a_projector_is_found_by_its_footer() {
    for (kind, player) in players() {
        for (compression, name) in
            [(Compression::None, "uncompressed"), (Compression::Zlib, "zlib"), (Compression::Lzma, "LZMA")]
        {
            let swf = game(compression);
            let length = u32::try_from(swf.len()).expect("a short file").to_le_bytes();
            let file = [&player[..], &swf, &[0x56, 0x34, 0x12, 0xfa], &length].concat();
            let at = format!("SWF at {}", player.len());
            holds_the_pair(&file, &format!("{kind} with SWF 28, {name}"), &[&at, "DoABC 1"]);
        }
    }
}

#[test]
fn a_whole_swf_is_found_in_a_program_and_in_data_without_a_footer() {
    for (compression, name) in
        [(Compression::None, "uncompressed"), (Compression::Zlib, "zlib"), (Compression::Lzma, "LZMA")]
    {
        let swf = game(compression);
        let (kind, player) = &players()[1];
        // A Linux projector ends with the SWF's length, a marker and the SWF, possibly followed by other bytes.
        let file = [
            &player[..],
            &u32::try_from(swf.len()).expect("a short file").to_le_bytes(),
            &[0x56, 0x34, 0x12, 0xfa],
            &swf,
        ]
        .concat();
        let at = format!("SWF at {}", player.len() + 8);
        holds_the_pair(&file, &format!("{kind} with SWF 28, {name}"), &[&at, "DoABC 1"]);
        holds_the_pair(&[&file[..], &[9; 50]].concat(), &format!("{kind} with SWF 28, {name}"), &[&at, "DoABC 1"]);
        let pack = [b"\xffpack\x01\x02\x03", &swf[..], b"and more"].concat();
        let found = found("game.dat", &pack);
        assert_eq!(texts(&found), EXPECTED);
        assert_eq!(found.inputs[0].kind, format!("data with SWF 28, {name}"));
    }
}

#[test]
fn a_swf_whose_length_is_wrong_is_not_taken_for_one_in_a_program() {
    let (_, player) = &players()[0];
    let mut swf = game(Compression::None);
    swf[4] ^= 1;
    let found = found("game.exe", &[&player[..], &swf].concat());
    assert_eq!(found.programs.iter().filter(|program| program.places[0].path.len() > 1).count(), 0);
    let message = &found.warnings[0].message;
    assert!(message.starts_with("is a Windows program without a SWF"), "{message}");
}

#[test]
fn a_signed_swf_is_read_in_der_and_in_ber() {
    for is_open in [false, true] {
        for compression in [Compression::None, Compression::Zlib] {
            let file = signed(&game(compression), is_open);
            let name = if compression == Compression::None { "uncompressed" } else { "zlib" };
            holds_the_pair(&file, &format!("SWZ with SWF 28, {name}"), &["signed data", "DoABC 1"]);
        }
    }
}

#[test]
fn archives_and_streams_in_one_another_are_opened() {
    let swf = game(Compression::Zlib);
    holds_the_pair(&gzip(&swf), "gzip with SWF 28, zlib", &["gzip", "DoABC 1"]);
    let folder = tar(&[("readme.txt", b"A text."), ("bin/game.swf", &swf)]);
    holds_the_pair(&folder, "tar", &["bin/game.swf", "DoABC 1"]);
    holds_the_pair(&gzip(&folder), "gzip with tar", &["gzip", "bin/game.swf", "DoABC 1"]);
    let air = zip(&[("mimetype", b"application/vnd.adobe.air"), ("game.swf", &swf), ("icon.png", b"\x89PNG")]);
    holds_the_pair(&air, "zip", &["game.swf", "DoABC 1"]);
    holds_the_pair(&zip(&[("a/b.air", &air)]), "zip", &["a/b.air", "game.swf", "DoABC 1"]);
    let all = zip(&[("x.tgz", &gzip(&tar(&[("y.swz", &signed(&swf, true))])))]);
    holds_the_pair(&all, "zip", &["x.tgz", "gzip", "y.swz", "signed data", "DoABC 1"]);
    let [(kind, player), ..] = &players();
    // A self-extracting archive is an executable followed by a zip archive.
    holds_the_pair(&[&player[..], &air].concat(), &format!("{kind} with zip"), &["game.swf", "DoABC 1"]);
}

/// Returns the data packed in each supported way, with the path component that names the packing.
fn packings(data: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let of_swf = |packed: &[u8]| [&packed[..5], &packed[13..]].concat();
    let with_end = {
        let mut packed = Vec::new();
        lzma_rs::lzma_compress(&mut &data[..], &mut packed).expect("memory can be written");
        packed
    };
    let length = u32::try_from(with_end.len() - 13).expect("short data").to_le_bytes();
    vec![
        ("zlib", zlib(data)),
        ("gzip", gzip(data)),
        ("deflate", deflate(data)),
        ("LZMA", lzma(data)),
        ("LZMA", with_end.clone()),
        ("LZMA", of_swf(&with_end)),
        ("LZMA", [&length[..], &of_swf(&with_end)].concat()),
    ]
}

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "// the colour\ntex ft0, v0, fs0 <2d,linear>\nmul ft0, ft0, fc0\nmov oc, ft0\n";

fn bytecode(text: &str) -> Vec<u8> {
    agal_front::assemble::assemble(text, &Default::default()).expect("a program").program.encode()
}

/// Returns the program with 32-bit words in big-endian order, the default order of a `ByteArray`.
fn big_endian(program: &[u8]) -> Vec<u8> {
    let mut bytes = program.to_vec();
    bytes[1..5].reverse();
    bytes[7..].chunks_mut(4).for_each(<[u8]>::reverse);
    bytes
}

#[test]
fn binary_data_is_unpacked_for_texts_bytecode_and_files() {
    let big = big_endian(&bytecode(FRAGMENT));
    let little = bytecode(VERTEX);
    let inner = game(Compression::None);
    for (name, packed) in packings(FRAGMENT.as_bytes()) {
        let found = found("game.swf", &swf(Compression::Zlib, &[], &[("Code", &packed)]));
        assert_eq!(texts(&found), [FRAGMENT], "{name}: {:?}", found.warnings);
        assert_eq!(place(&found).1, ["DefineBinaryData 1", name]);
        let Site::Data { symbol, offset: 0 } = &found.programs[0].places[0].site else { panic!("a place in data") };
        assert_eq!(symbol.as_deref(), Some("Code"), "{name}");
    }
    for (name, packed) in packings(&[&b"...."[..], &little, &big].concat()) {
        let found = found("game.swf", &swf(Compression::Zlib, &[], &[("Code", &packed)]));
        let orders: Vec<_> = found.programs.iter().map(|program| (order(&program.code), &program.places[0])).collect();
        assert_eq!(orders.len(), 2, "{name}");
        for (expected, (order, place)) in [ByteOrder::Little, ByteOrder::Big].into_iter().zip(orders) {
            assert_eq!(
                (order, &place.path[..]),
                (Some(expected), &["DefineBinaryData 1".to_string(), name.to_string()][..])
            );
        }
    }
    for (name, packed) in packings(&inner) {
        let file = swf(Compression::Zlib, &[], &[("Code", &packed)]);
        holds_the_pair(&file, "SWF 28, zlib", &["DefineBinaryData 1", name, "DoABC 1"]);
        holds_the_pair(&packed, &format!("{name} with SWF 28, uncompressed"), &[name, "DoABC 1"]);
    }
}

fn order(code: &Code) -> Option<ByteOrder> {
    match code {
        Code::Bytecode { order, .. } => Some(*order),
        Code::Text { .. } => None,
    }
}

#[test]
fn base64_holds_files_streams_texts_and_bytecode() {
    let swf_file = game(Compression::Zlib);
    holds_the_pair(base64(&swf_file).as_bytes(), "base64 with SWF 28, zlib", &["base64", "DoABC 1"]);
    for (data, expected, path) in [
        (base64(FRAGMENT.as_bytes()), FRAGMENT.to_string(), vec!["DefineBinaryData 1", "base64 at 0"]),
        (
            base64(&deflate(FRAGMENT.as_bytes())),
            FRAGMENT.to_string(),
            vec!["DefineBinaryData 1", "base64 at 0", "deflate at 0"],
        ),
        (base64(&lzma(&bytecode(VERTEX))), "55 bytes".to_string(), vec!["DefineBinaryData 1", "base64", "LZMA"]),
        (base64(&big_endian(&bytecode(VERTEX))), "55 bytes".to_string(), vec!["DefineBinaryData 1", "base64 at 0"]),
    ] {
        let found = found("game.swf", &swf(Compression::Zlib, &[], &[("Code", data.as_bytes())]));
        assert_eq!(texts(&found), [expected], "{path:?}: {:?}", found.warnings);
        assert_eq!(place(&found).1, path);
    }
}

/// A document, and a pair of strings for each of its programs: the first characters of the string that contains the program, and
/// the extracted program.
type Document = (String, Vec<(String, String)>);

fn documents() -> Vec<Document> {
    let escaped = |text: &str| text.replace('\n', "\\n");
    let vertex = base64(&bytecode(VERTEX));
    let big = base64(&big_endian(&bytecode(FRAGMENT))).replace('/', "\\/");
    let entities = FRAGMENT.replace('<', "&lt;").replace('>', "&gt;").replace('\n', "&#10;");
    let cases = [
        (
            format!(
                r#"{{"name": "add to the list", "effects": [{{"vertex": "{}", "fragment": "{}"}}]}}"#,
                escaped(VERTEX),
                escaped(FRAGMENT)
            ),
            vec![("m44 op", VERTEX), ("// the", FRAGMENT)],
        ),
        (r#"["m44 op, va0, vc0", "mov v0, va1"]"#.to_string(), vec![("m44 op", VERTEX.trim_end())]),
        (format!(r#"{{"v": "{vertex}", "f": "{big}"}}"#), vec![(&vertex[..], "55 bytes"), (&big[..], "79 bytes")]),
        (
            format!("<?xml version=\"1.0\"?>\n<e><v>\n{VERTEX}</v><f><![CDATA[{FRAGMENT}]]></f></e>"),
            vec![("m44 op", VERTEX), ("// the", FRAGMENT)],
        ),
        // This document contains escapes, an array whose strings are the lines of one program, and an unclosed string.
        (
            r#"{"a": "mov op, va0\nmov v0, \u0076a1\t\/\/ \"", "b": ["mov ft0, v0", "mov oc, ft0", "mov ft1, v0\nmov oc, ft1"], "c": "mov oc, v1"#
                .to_string(),
            vec![
                ("mov op", "mov op, va0\nmov v0, va1\t// \""),
                ("mov ft0", "mov ft0, v0\nmov oc, ft0"),
                ("mov ft1", "mov ft1, v0\nmov oc, ft1"),
            ],
        ),
        // This document contains both kinds of quotes, a CDATA section between texts, a comment, and text that only resembles a
        // tag or an entity.
        (
            "<?xml version=\"1.0\"?><a b=\"mov ft0, v0&#10;mov oc, ft0\" c='tex oc, v0, fs0 &lt;2d&gt;'>mov ft1, v1\n<![CDATA[tex ft1, v0, fs0 <2d>]]>\nmov oc, ft1<!-- not --></a><d>tex oc, v1, fs0 <2d> // &no; & </d>"
                .to_string(),
            vec![
                ("mov ft0", "mov ft0, v0\nmov oc, ft0"),
                ("tex oc, v0", "tex oc, v0, fs0 <2d>"),
                ("mov ft1", "mov ft1, v1\ntex ft1, v0, fs0 <2d>\nmov oc, ft1"),
                ("tex oc, v1", "tex oc, v1, fs0 <2d> // &no; & "),
            ],
        ),
        (format!("<e v=\"{vertex}\" f='{entities}'/>"), vec![(&vertex[..], "55 bytes"), ("// the", FRAGMENT)]),
        (format!("{{\"xml\": \"<f>{}</f>\"}}", escaped(&entities)), vec![("<f>", FRAGMENT)]),
    ];
    let owned = |(start, text): (&str, &str)| (start.to_string(), text.to_string());
    cases.into_iter().map(|(document, found)| (document, found.into_iter().map(owned).collect())).collect()
}

#[test]
fn the_strings_of_json_and_xml_are_searched() {
    for (document, expected) in documents() {
        for (file, first) in [
            (document.clone().into_bytes(), None),
            (swf(Compression::Zlib, &[], &[("Code", document.as_bytes())]), Some("DefineBinaryData 1")),
            (zip(&[("a/effects.dat", &gzip(document.as_bytes()))]), Some("a/effects.dat")),
        ] {
            let found = found("effects.json", &file);
            assert!(found.warnings.is_empty(), "{:?}", found.warnings);
            let mut places: Vec<(usize, String)> = Vec::new();
            for (program, text) in found.programs.iter().zip(texts(&found)) {
                let path = &program.places[0].path;
                let outer = path.first().map(String::as_str).filter(|part| !part.starts_with("string"));
                assert_eq!(outer, first, "{document}");
                let string = path.iter().find_map(|part| part.strip_prefix("string at ")).expect("a string");
                places.push((string.parse().expect("an offset"), text));
            }
            places.sort();
            assert_eq!(places.len(), expected.len(), "{document}");
            for ((at, text), (start, expected)) in places.iter().zip(&expected) {
                assert!(document[*at..].starts_with(start), "{at} in {document}");
                assert_eq!(text, expected);
            }
        }
    }
}

/// Asserts that no data beyond a limit is read, and that a warning reports the limit.
#[track_caller]
fn is_refused(name: &str, bytes: &[u8]) {
    let found = found(name, bytes);
    let is_told = |message: &str| message.ends_with("the limit for a packed file of its length, and is not read");
    assert!(found.warnings.iter().any(|warning| is_told(&warning.message)), "{name}: {:?}", found.warnings);
    assert!(found.programs.is_empty(), "{name}");
}

#[test]
fn bombs_of_each_kind_are_refused() {
    let zeros = vec![0; 8 << 20];
    let packed = [("zlib", zlib(&zeros)), ("gzip", gzip(&zeros)), ("deflate", deflate(&zeros))];
    for (name, packed) in &packed {
        is_refused(name, packed);
        is_refused(name, &swf(Compression::Zlib, &[], &[("Bomb", packed)]));
        is_refused(name, &tar(&[("bomb", packed)]));
    }
    let gz = &packed[1].1;
    is_refused("zip", &zip(&[("a.gz", gz)]));
    is_refused("zip in zip", &zip(&[("a.zip", &zip(&[("zeros", &zeros)]))]));
    is_refused("tar of bombs", &tar(&[("a.swf", &bomb(b"CWS", 8 << 20))]));
    is_refused("signed", &signed(&bomb(b"CWS", 8 << 20), true));
    is_refused("base64", base64(&bomb(b"CWS", 8 << 20)).as_bytes());
    let (_, player) = &players()[0];
    let swf = bomb(b"CWS", 8 << 20);
    let length = u32::try_from(swf.len()).expect("a short file").to_le_bytes();
    is_refused("projector", &[&player[..], &swf, &[0x56, 0x34, 0x12, 0xfa], &length].concat());
    // The LZMA encoder of these tests hardly compresses, so the test lowers the maximum compression ratio.
    let mut options = Options::default();
    options.limits.ratio = 10;
    let found = extract(&[Input { name: "lzma".to_string(), bytes: lzma(&zeros) }], &options);
    assert!(found.warnings[0].message.contains("the limit for a packed file"), "{:?}", found.warnings);
}

#[test]
fn nested_archives_cannot_unpack_to_more_than_the_outermost_may() {
    let part = gzip(&vec![0; 300 << 10]);
    let names: Vec<String> = (0..16).map(|at| format!("{at}.gz")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &part[..])).collect();
    for archive in [zip(&files), gzip(&tar(&files)), zip(&[("a.zip", &zip(&files))])] {
        assert!(archive.len() < 20_000, "{}", archive.len());
        let found = found("bombs", &archive);
        let refused =
            found.warnings.iter().filter(|warning| warning.message.contains("the limit for a packed file")).count();
        assert!((1..16).contains(&refused), "{refused}: {:?}", found.warnings);
    }
    // The extractor reads nested streams only down to the depth limit.
    let mut deep = FRAGMENT.as_bytes().to_vec();
    for _ in 0..12 {
        deep = gzip(&deep);
    }
    let found = found("deep.gz", &deep);
    assert!(
        found.warnings.iter().any(|warning| warning.message.contains("files are nested more than 8 levels deep")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn what_cannot_be_read_in_an_archive_is_told() {
    let archive = tar(&[("a.swf", &game(Compression::Zlib)), ("b.as", b"package {}"), ("c/D.hx", b"class D {}")]);
    let found = found("source.tar", &archive);
    assert_eq!(texts(&found), EXPECTED);
    let message = &found.warnings[0].message;
    assert!(message.starts_with("2 ActionScript, Haxe or MXML files in the archive are not read"), "{message}");
    let cut = crate::files::found("cut.tar", &archive[..700]);
    assert!(
        cut.warnings.iter().any(|warning| warning.message.starts_with("the archive is cut off")),
        "{:?}",
        cut.warnings
    );
}

#[test]
fn inputs_that_are_no_application_are_told_apart() {
    let mut random = testing::Random::of(1, &[1]);
    let even: Vec<u8> = (0..20_000).map(|_| random.below(256) as u8).collect();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 1234\n";
    for (bytes, kind, message) in [
        (&b""[..], "an empty file", "is an empty file"),
        (b" \n\n", "an empty text", "contains only white space"),
        (
            pointer,
            "a Git LFS pointer",
            "is a Git LFS pointer to a file of 1234 bytes, not the file itself; run `git lfs pull`",
        ),
        (
            b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>",
            "an HTML page",
            "is an HTML page with the title `404 Not Found`, which a server sends",
        ),
        (b"\x89PNG\r\n\x1a\n and so on", "a PNG image", "is a PNG image, which holds no shaders"),
        (b"7z\xbc\xaf\x27\x1c and so on", "a 7-Zip archive", "is a 7-Zip archive, which is not opened; unpack it"),
        (b"The shaders are in the other folder.", "text", "is text, but not AGAL, JSON or XML"),
        (
            &even,
            "data, perhaps encrypted",
            "is in no known format, and may be encrypted, because its bytes are evenly distributed",
        ),
        (
            &[1, 2, 3, 0, 1, 2, 3, 0],
            "data",
            "is neither a SWF, SWC or ABC file nor an archive or program that contains one",
        ),
    ] {
        let found = found("game.swf", bytes);
        assert_eq!(found.inputs[0].kind, kind);
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.warnings[0].message.starts_with(message), "{}", found.warnings[0].message);
    }
    let text = found("code.txt", FRAGMENT.as_bytes());
    assert_eq!((texts(&text), text.inputs[0].kind.as_str()), (vec![FRAGMENT.to_string()], "AGAL text"));
    assert!(text.warnings.is_empty());
}

#[test]
fn each_engine_is_named_once_at_the_first_input_that_has_it() {
    for (class, engine) in [
        ("flare.materials.flsl.FLSLCompiler", "Flare3D"),
        ("flare.flsl.FLSLMaterial", "Flare3D"),
        ("hxsl.Shader", "Heaps"),
        ("h3d.impl.Shader", "h3d"),
        ("aerys.minko.render.shader.Shader", "Minko"),
        ("com.adobe.pixelBender3D.PBASMCompiler", "Pixel Bender 3D"),
        ("com.adobe.glsl2agal.CModule", "glsl2agal"),
        ("alternativa.engine3d.materials.compiler.Linker", "Alternativa3D"),
    ] {
        let with = bytes(assemble(&format!("class {class}\nclass {class}Other\n")));
        let without = bytes(assemble("class Game\nclass flare.core.Mesh3D\n"));
        let inputs = [without, with.clone(), with].map(|bytes| Input { name: "game.abc".to_string(), bytes });
        let found = extract(&inputs, &Options::default());
        let [warning] = &found.warnings[..] else { panic!("{class}: {:?}", found.warnings) };
        assert_eq!(warning.input, 1);
        let start = format!("the file contains {engine}, which compiles shaders from ");
        assert!(warning.message.starts_with(&start) && warning.message.contains("--from-trace"), "{}", warning.message);
    }
}
