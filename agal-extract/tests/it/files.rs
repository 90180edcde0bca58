//! Tests the three SWF compressions, SWC and ABC files, nested and damaged files, and decompression bombs.

use std::io::Write;

use agal_extract::{Code, Extraction, Limits, Options, Piece, Site, extract};
use agalc::Input;
use swf::Compression;

use crate::abc::{assemble, bytes};
use crate::listing::listing;
use crate::swfs::{swf, zip};

/// ABC assembly text for a class that uploads a vertex and a fragment program.
pub(crate) const PAIR: &str = r#"
class Game
instance upload context:Context3D
  getlocal 0
  pushscope
  getlocal 1
  callproperty createProgram 0
  setlocal 2
  findpropstrict AGALMiniAssembler
  constructprop AGALMiniAssembler 0
  setlocal 3
  getlocal 2
  getlocal 3
  pushstring "vertex"
  pushstring "m44 op, va0, vc0\nmov v0, va1\n"
  callproperty assemble 2
  getlocal 3
  pushstring "fragment"
  pushstring "tex ft0, v0, fs0 <2d,linear>\n"
  pushstring "mov oc, ft0\n"
  add
  pushbyte 2
  callproperty assemble 3
  callpropvoid upload 2
  returnvoid
end
"#;

pub(crate) fn found(name: &str, bytes: &[u8]) -> Extraction {
    extract(&[Input { name: name.to_string(), bytes: bytes.to_vec() }], &Options::default())
}

pub(crate) fn texts(found: &Extraction) -> Vec<String> {
    let text = |code: &Code| match code {
        Code::Text { text, .. } => text
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hole(name) => format!("{{{name}}}"),
            })
            .collect(),
        Code::Bytecode { bytes, .. } => format!("{} bytes", bytes.len()),
    };
    found.programs.iter().map(|program| text(&program.code)).collect()
}

pub(crate) const EXPECTED: [&str; 2] =
    ["m44 op, va0, vc0\nmov v0, va1\n", "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0\n"];

#[test]
fn a_pair_is_found_in_each_compression() {
    let abc = bytes(assemble(PAIR));
    for (compression, kind) in [
        (Compression::None, "SWF 28, uncompressed"),
        (Compression::Zlib, "SWF 28, zlib"),
        (Compression::Lzma, "SWF 28, LZMA"),
    ] {
        let found = found("game.swf", &swf(compression, &abc, &[]));
        assert_eq!(found.inputs[0].kind, kind);
        assert_eq!(found.inputs[0].classes, 1);
        assert_eq!(texts(&found), EXPECTED, "{kind}");
        assert_eq!(found.pairs.len(), 1, "{kind}");
        assert!(found.warnings.is_empty(), "{kind}: {:?}", found.warnings);
        assert_eq!(found.programs[0].version, Some(1));
        assert_eq!(found.programs[1].version, Some(2));
        assert_eq!(found.programs[0].places[0].path, ["DoABC 1"]);
    }
}

#[test]
fn the_version_of_agal_is_held_against_that_of_the_swf_wherever_it_is_but_in_a_library() {
    let mut swf = swf(Compression::None, &bytes(assemble(PAIR)), &[]);
    swf[3] = 14;
    let said =
        "1 program is in AGAL 2, which the player accepts in SWF version 25 and later, but this SWF has version 14";
    let package = zip(&[("META-INF/AIR/application.xml", b"<application/>"), ("game.swf", &swf)]);
    let library = zip(&[("catalog.xml", b"<swc/>"), ("library.swf", &swf)]);
    for (name, file, path) in [
        ("game.swf", &swf, Some("")),
        ("game.bin", &[&b"more"[..], &swf].concat(), Some("SWF at 4")),
        ("game.air", &package, Some("game.swf")),
        // A library causes no warning about its SWF version, because the application that links the library determines the
        // version.
        ("engine.swc", &library, None),
    ] {
        let found = found(name, file);
        assert_eq!(texts(&found), EXPECTED, "{name}");
        let told: Vec<String> = found
            .warnings
            .iter()
            .filter(|warning| warning.message == said)
            .map(|warning| warning.path.join("/"))
            .collect();
        assert_eq!(told, Vec::from_iter(path), "{name}: {:?}", found.warnings);
    }
}

#[test]
fn a_bare_abc_block_and_a_swc_are_read() {
    let abc = bytes(assemble(PAIR));
    let bare = found("game.abc", &abc);
    assert_eq!(bare.inputs[0].kind, "ABC");
    assert_eq!(texts(&bare), EXPECTED);
    let library = swf(Compression::Zlib, &abc, &[]);
    let swc = found("engine.swc", &zip(&[("catalog.xml", b"<swc/>"), ("library.swf", &library)]));
    assert_eq!(swc.inputs[0].kind, "SWC with SWF 28, zlib");
    assert_eq!(texts(&swc), EXPECTED);
    assert_eq!(swc.programs[0].places[0].path, ["library.swf", "DoABC 1"]);
}

#[test]
fn the_hash_of_an_air_package_is_not_what_its_checksum_is_of_and_is_not_read() {
    let game = swf(Compression::Zlib, &bytes(assemble(PAIR)), &[]);
    for (name, warnings) in [("META-INF/AIR/hash", 0), ("META-INF/AIR/other", 1)] {
        let mut package = zip(&[(name, &[7; 32]), ("game.swf", &game)]);
        let at = package.windows(name.len()).rposition(|window| window == name.as_bytes()).expect("the directory");
        // In the zip directory, the checksum is 30 bytes before the file name.
        package[at - 30] ^= 0xff;
        let found = found("game.air", &package);
        assert_eq!(texts(&found), EXPECTED);
        assert_eq!(found.warnings.len(), warnings, "{:?}", found.warnings);
    }
}

#[test]
fn a_swf_in_the_data_of_a_swf_is_opened_up_to_a_depth() {
    let mut file = swf(Compression::Zlib, &bytes(assemble(PAIR)), &[]);
    for _ in 0..3 {
        file = swf(Compression::Zlib, &[], &[("Inner", &file)]);
    }
    let inside = found("preloader.swf", &file);
    assert_eq!(texts(&inside), EXPECTED);
    let path = &inside.programs[0].places[0].path;
    assert_eq!(*path, ["DefineBinaryData 1", "DefineBinaryData 1", "DefineBinaryData 1", "DoABC 1"]);
    for _ in 0..6 {
        file = swf(Compression::Zlib, &[], &[("Inner", &file)]);
    }
    let too_deep = found("preloader.swf", &file);
    assert!(too_deep.programs.is_empty());
    assert!(
        too_deep.warnings.iter().any(|warning| warning.message.contains("files are nested more than 8 levels deep"))
    );
}

#[test]
fn classes_of_one_input_are_seen_from_another() {
    let library = bytes(assemble(
        "class Code\nstatic vertex -> String\n  pushstring \"m44 op, va0, vc0\\n\"\n  returnvalue\nend\n",
    ));
    let user = bytes(assemble(
        "class User\nstatic build -> ByteArray\n  findpropstrict AGALMiniAssembler\n  constructprop AGALMiniAssembler 0\n  \
         pushstring \"vertex\"\n  getlex Code\n  callproperty vertex 0\n  pushstring \"mov v0, va1\"\n  add\n  \
         callproperty assemble 2\n  returnvalue\nend\n",
    ));
    let inputs =
        [("library.abc", library), ("user.abc", user)].map(|(name, bytes)| Input { name: name.to_string(), bytes });
    let found = extract(&inputs, &Options::default());
    assert_eq!(texts(&found), ["m44 op, va0, vc0\nmov v0, va1"]);
    assert_eq!(found.programs[0].places[0].input, 1);
}

#[test]
fn text_and_bytes_that_a_class_embeds_are_found_with_its_name() {
    let text = b"// a comment\nmov op, va0\nmov v0, va1\n";
    let found = found("game.swf", &swf(Compression::Zlib, &[], &[("Shader_Vertex", text)]));
    assert_eq!(texts(&found), [String::from_utf8_lossy(text)]);
    let Site::Data { symbol, offset: 0 } = &found.programs[0].places[0].site else { panic!("a place in data") };
    assert_eq!(symbol.as_deref(), Some("Shader_Vertex"));
}

#[test]
fn an_embedded_text_that_code_assembles_has_its_stage_and_its_place_in_code() {
    let code = r#"
class Shader_Fragment extends ByteArray
class Game
static build -> ByteArray
  findpropstrict AGALMiniAssembler
  constructprop AGALMiniAssembler 0
  pushstring "fragment"
  findpropstrict Shader_Fragment
  constructprop Shader_Fragment 0
  callproperty toString 0
  callproperty assemble 2
  returnvalue
end
"#;
    let found =
        found("game.swf", &swf(Compression::Lzma, &bytes(assemble(code)), &[("Shader_Fragment", b"mov oc, v0")]));
    let expected = "-- 0 Fragment 1 Mini\n   DoABC 1 > Game.build\n   DefineBinaryData 1 > Shader_Fragment at byte 0\nmov oc, v0\n";
    assert_eq!(listing(&found, false), expected);
}

#[test]
fn what_can_be_read_of_a_damaged_file_is_read() {
    let file = swf(Compression::None, &bytes(assemble(PAIR)), &[]);
    let cut = found("cut.swf", &file[..file.len() - 6]);
    assert_eq!(texts(&cut), EXPECTED);
    assert!(!cut.warnings.is_empty());
    let packed = swf(Compression::Zlib, &bytes(assemble(PAIR)), &[]);
    let cut = found("cut.swf", &packed[..packed.len() / 2]);
    assert!(cut.warnings.iter().any(|warning| warning.message.contains("damaged after")), "{:?}", cut.warnings);
}

/// Returns a SWF of a few kilobytes that unpacks to `length` bytes.
pub(crate) fn bomb(signature: &[u8; 3], length: usize) -> Vec<u8> {
    let mut file = signature.to_vec();
    file.push(14);
    file.extend_from_slice(&u32::MAX.to_le_bytes());
    let zeros = vec![0; length];
    if signature == b"CWS" {
        let mut encoder = flate2::write::ZlibEncoder::new(&mut file, flate2::Compression::best());
        encoder.write_all(&zeros).expect("memory can be written");
        encoder.finish().expect("memory can be written");
    } else {
        let mut packed = Vec::new();
        lzma_rs::lzma_compress(&mut zeros.as_slice(), &mut packed).expect("memory can be written");
        file.extend_from_slice(&[0; 4]);
        file.extend_from_slice(&packed[..5]);
        file.extend_from_slice(&packed[13..]);
    }
    file
}

/// The files in an archive must not exceed the limit together, although each of them is below the limit for a separate file.
#[test]
fn files_in_a_file_cannot_unpack_to_more_than_that_file_may() {
    let mut inner = bomb(b"CWS", 256 << 10);
    inner.resize(20_000, 0);
    let data: Vec<(&str, &[u8])> = ["A", "B", "C", "D", "E", "F", "G", "H"].map(|name| (name, &inner[..])).to_vec();
    let file = swf(Compression::Zlib, &[], &data);
    assert!(file.len() < 30_000, "{}", file.len());
    let found = found("bombs.swf", &file);
    let refused =
        found.warnings.iter().filter(|warning| warning.message.contains("the limit for a packed file")).count();
    assert!((5..8).contains(&refused), "{:?}", found.warnings);
}

#[test]
fn decompression_bombs_are_refused_by_the_limit() {
    let message = "the limit for a packed file of its length, and is not read";
    let length = 8 << 20;
    // The LZMA encoder of these tests hardly compresses, so the test lowers the maximum compression ratio.
    for (file, ratio) in [(bomb(b"CWS", length), Limits::default().ratio), (bomb(b"ZWS", length), 10)] {
        let mut options = Options::default();
        options.limits.ratio = ratio;
        let found = extract(&[Input { name: "bomb.swf".to_string(), bytes: file }], &options);
        assert!(found.warnings[0].message.ends_with(message), "{:?}", found.warnings);
    }
    let library = bomb(b"CWS", length);
    for archive in [zip(&[("library.swf", &vec![0; length])]), zip(&[("library.swf", &library)])] {
        let found = found("bomb.swc", &archive);
        assert!(found.warnings.iter().any(|warning| warning.message.ends_with(message)), "{:?}", found.warnings);
    }
    let mut options = Options::default();
    options.limits.ratio = 100_000;
    let input = Input { name: "bomb.swf".to_string(), bytes: bomb(b"CWS", length) };
    let found = extract(&[input], &options);
    assert!(found.warnings.iter().all(|warning| !warning.message.ends_with(message)), "{:?}", found.warnings);
}
