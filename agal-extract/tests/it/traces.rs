//! Tests traces: their formats, their pairs, and programs that occur both in a trace and in another input. `TRACES=` sets the
//! number of damaged traces, and `SEED=` runs a single damaged trace.

use agal_extract::{Alternative, Code, Condition, Extraction, OutputOptions, Place, Site};
use agalc::{Input, Stage};

use testing::{Effort, Random, base64, damage};

use crate::output::{FRAGMENT, VERTEX, bytecode, extraction, files, pair, place, text};

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn trace(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
    Input { name: name.to_string(), bytes: bytes.into() }
}

/// Returns the stages of the programs in a trace, and the pairs in the trace.
fn found(text: impl Into<Vec<u8>>) -> (Vec<Stage>, Vec<[usize; 2]>) {
    let mut found = Extraction::default();
    found.add_traces(&[trace("run.log", text)]);
    let stages = found.programs.iter().filter_map(|program| program.stage).collect();
    (stages, found.pairs.iter().map(|pair| [pair.vertex.0, pair.fragment.0]).collect())
}

const V: Stage = Stage::Vertex;
const F: Stage = Stage::Fragment;

#[test]
fn programs_are_found_in_the_lines_of_a_log_with_anything_around_them() {
    let (v, f) = (hexadecimal(&bytecode(VERTEX)), hexadecimal(&bytecode(FRAGMENT)));
    let spaced = bytecode(VERTEX).iter().map(|byte| format!("{byte:02X} ")).collect::<String>();
    let both = (vec![V, F], vec![[0, 1]]);
    assert_eq!(found(format!("{v}\n{f}\n")), both);
    assert_eq!(
        found(format!("[12:34:56.789] vertex: {v}\r\nsomething else\r\n[12:34:57.001] fragment: {f}\r\n")),
        both
    );
    assert_eq!(found(format!("upload 17\nvertex {spaced}\nfragment {f}\n")), both);
    assert_eq!(found(format!("pair {v} {f}\n")), both);
    // Each line of 64 digits contains 32 bytes, and a program continues over several lines.
    let wrapped: Vec<&str> = [&v, &f]
        .into_iter()
        .flat_map(|hex| hex.as_bytes().chunks(64))
        .map(|part| std::str::from_utf8(part).expect("digits"))
        .collect();
    assert_eq!(found(wrapped.join("\n")), both);
    assert_eq!(found(format!("{v}\n{v}\n{f}\n{f}\n")), both, "each program is there once");
}

#[test]
fn a_log_in_utf_16_is_read() {
    let log = format!(
        "upload\r\nvertex: {}\r\nfragment: {}\r\n",
        hexadecimal(&bytecode(VERTEX)),
        hexadecimal(&bytecode(FRAGMENT))
    );
    let units = std::iter::once(0xfeff).chain(log.encode_utf16());
    let little: Vec<u8> = units.clone().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    assert_eq!(found(little), (vec![V, F], vec![[0, 1]]));
    assert_eq!(found(big), (vec![V, F], vec![[0, 1]]));
}

#[test]
fn a_mark_makes_a_pair_of_what_follows_in_any_order() {
    let (v, f) = (hexadecimal(&bytecode(VERTEX)), hexadecimal(&bytecode(FRAGMENT)));
    assert_eq!(found(format!("{f}\n{v}\n")), (vec![F, V], vec![]), "not a pair by itself");
    assert_eq!(found(format!("pair\n{f}\n{v}\n")), (vec![F, V], vec![[1, 0]]));
    assert_eq!(found(format!("pair 1\n{v}\npair 2\n{f}\n")), (vec![V, F], vec![]));
}

#[test]
fn a_file_of_bytes_is_a_trace_too() {
    let bytes = [bytecode(VERTEX), vec![0xff; 9], bytecode(FRAGMENT)].concat();
    assert_eq!(found(bytes), (vec![V, F], vec![[0, 1]]));
}

#[test]
fn files_of_one_program_each_are_pairs_by_their_names() {
    let mut found = Extraction::default();
    let other = bytecode("mov oc, v0");
    found.add_traces(&[
        trace("1.fragment.bin", bytecode(FRAGMENT)),
        trace("1.vertex.bin", bytecode(VERTEX)),
        trace("2.vertex.bin", bytecode(VERTEX)),
        trace("2.fragment.bin", other),
    ]);
    let pairs: Vec<[usize; 2]> = found.pairs.iter().map(|pair| [pair.vertex.0, pair.fragment.0]).collect();
    assert_eq!(pairs, [[1, 0], [1, 2]]);
}

#[test]
fn the_text_that_a_traced_program_was_assembled_from_is_the_same_program() {
    let mut found = extraction();
    found.programs.push(text(None, None, &[VERTEX], vec![place("A", "b", 1)]));
    found.programs.push(text(Some(F), None, &["mov oc, ", "colour", ""], vec![place("A", "b", 1)]));
    found.programs.push(text(Some(F), Some(2), &[FRAGMENT], vec![place("A", "b", 1)]));
    let (v, f) = (hexadecimal(&bytecode(VERTEX)), hexadecimal(&bytecode(FRAGMENT)));
    found.add_traces(&[trace("run.log", format!("start\n{v}\n{f}\n"))]);
    // The second program's text has a hole, and the third program is for another version of AGAL.
    assert_eq!(found.programs.len(), 4);
    assert!(matches!(found.programs[3].code, Code::Bytecode { .. }));
    assert_eq!(found.programs[0].places.len(), 2);
    assert_eq!(found.programs[0].places[1].site, Site::Trace { line: 2 });
    assert_eq!((found.programs[0].stage, found.programs[0].version), (Some(V), Some(1)), "the run tells");
    let output = found.output(&OutputOptions::default());
    assert_eq!(output.manifest.counts.traced, 2);
    let names = ["A.vert.agal", "templates/A.2.frag.agal.in", "A.3.frag.agal", "A.frag.agalbc"];
    assert_eq!(files(&found), names);
}

#[test]
fn a_program_says_that_a_run_uploaded_it_and_not_that_it_is_always_made() {
    let mut found = extraction();
    let when = Condition { expression: "mip".to_string(), taken: Alternative::True };
    let place = Place { conditions: vec![when], ..place("A", "b", 1) };
    found.programs.push(text(Some(V), None, &[VERTEX], vec![place]));
    found.add_traces(&[trace("run.log", format!("start\n{}\n", hexadecimal(&bytecode(VERTEX))))]);
    let output = found.output(&OutputOptions::default());
    let written = String::from_utf8(output.files[0].bytes.clone()).expect("text");
    let comments = "// uploaded in a run, from game.swf, DoABC 1: A.b, offset 1\n// when mip\n";
    assert!(written.contains(comments), "{written}");
}

#[test]
fn a_pair_of_the_sources_gets_the_trace_as_a_place() {
    let mut found = extraction();
    found.programs.push(text(Some(V), None, &[VERTEX], vec![place("A", "b", 1)]));
    found.programs.push(text(Some(F), None, &[FRAGMENT], vec![place("A", "b", 1)]));
    found.pairs = vec![pair(0, 1)];
    let (v, f) = (hexadecimal(&bytecode(VERTEX)), hexadecimal(&bytecode(FRAGMENT)));
    found.add_traces(&[trace("run.log", format!("{v}\n{f}\n{v}\n{f}\n"))]);
    assert_eq!((found.programs.len(), found.pairs.len()), (2, 1));
    assert_eq!(found.pairs[0].places.len(), 2);
}

fn warnings(text: impl Into<Vec<u8>>) -> Vec<String> {
    let mut found = Extraction::default();
    found.add_traces(&[trace("run.log", text)]);
    found.warnings.into_iter().map(|warning| warning.message).collect()
}

#[test]
fn every_program_that_is_cut_off_is_told_with_its_line() {
    // The bytecode consists of a header of 7 bytes and two tokens of 24 bytes.
    let v = hexadecimal(&bytecode(VERTEX));
    let begun = "the program in line 2 is cut off: its bytes do not fill one token";
    let left = |bytes: &str| format!("the program in line 2 is cut off: {bytes} left out after its last whole token");
    let spaced: String = bytecode(VERTEX).iter().take(40).map(|byte| format!("{byte:02X} ")).collect();
    let wrapped = v.as_bytes().chunks(64).map(|part| std::str::from_utf8(part).expect("digits")).collect::<Vec<_>>();
    for (line, message) in [
        (v[..40].to_string(), begun.to_string()),
        ("vertex: a00100".to_string(), begun.to_string()),
        ("vertex: a001000000a1...".to_string(), begun.to_string()),
        (v[..64].to_string(), left("1 byte is")),
        (format!("vertex: {}", &v[..v.len() - 1]), left("23 bytes are")),
        (format!("vertex: {}", &v[..v.len() - 2]), left("23 bytes are")),
        (format!("{v}{}", &v[14..16]), left("1 byte is")),
        (format!("{v}{}", &v[14..15]), left("1 byte is")),
        (format!("{v} "), String::new()),
        (spaced, left("9 bytes are")),
        (wrapped.join("\n")[..80].to_string(), left("8 bytes are")),
        (base64(&bytecode(VERTEX)[..50]), left("19 bytes are")),
        (format!("{}...", &v[..62]), "the program in line 2 is cut off: the line ends with `...`".to_string()),
        (format!("{v}{}", "ff".repeat(30)), {
            "the program in line 2 is damaged: 30 bytes after it are not tokens and are left out".to_string()
        }),
    ] {
        let expected: Vec<String> = Some(message).into_iter().filter(|message| !message.is_empty()).collect();
        assert_eq!(warnings(format!("\n{line}\n\n{v}\n")), expected, "{line}");
    }
    let bytes = bytecode(VERTEX);
    let place = "the program at byte 0 is cut off:";
    assert_eq!(warnings(&bytes[..54]), [format!("{place} 23 bytes are left out after its last whole token")]);
    assert_eq!(warnings(&bytes[..30]), [format!("{place} its bytes do not fill one token")]);
}

#[test]
fn what_stands_beside_or_below_a_whole_program_does_not_make_it_look_cut_off() {
    let (v, f) = (bytecode(VERTEX), bytecode(FRAGMENT));
    let spaced = v.iter().map(|byte| format!("{byte:02X} ")).collect::<String>();
    let (v64, f64) = (base64(&v), base64(&f));
    let (v, f) = (hexadecimal(&v), hexadecimal(&f));
    for log in [
        format!("vertex {v} fragment {f} done\n"),
        format!("{spaced}fragment {f}\nadded\nface\n"),
        format!("vertex {v64} fragment {f64}\ndone\n"),
        format!("{v64}\n{f64}\nOK\n"),
        format!("[1] {v}, {f} (110 bytes)\n"),
    ] {
        assert_eq!(warnings(log.as_str()), Vec::<String>::new(), "{log}");
    }
}

#[test]
fn damaged_traces_and_data_never_panic_and_what_is_found_in_them_can_be_written() {
    let (v, f) = (bytecode(VERTEX), bytecode(FRAGMENT));
    let log = format!("upload\nvertex: {}\nfragment: {}\n", hexadecimal(&v), hexadecimal(&f)).into_bytes();
    let mut big = v.clone();
    big[1..5].reverse();
    big[7..].chunks_mut(4).for_each(<[u8]>::reverse);
    let amf = [&[0x0c, 0x6f][..], &v, &big, b"oAEAAAChAQ==", &f].concat();
    let effort = Effort::of("TRACES", 20_000);
    let mut found_any = 0;
    for seed in effort.seeds() {
        let mut random = Random::of(seed, &[1]);
        let (mut bytes, other) = if seed % 2 == 0 { (log.clone(), &amf) } else { (amf.clone(), &log) };
        for _ in 0..=random.below(4) {
            damage::edit(&mut bytes, &mut random, other, 1);
        }
        let mut found = Extraction::default();
        found.add_traces(&[trace("run.log", bytes)]);
        let output = found.output(&OutputOptions::default());
        assert_eq!(output.files.len(), found.programs.len(), "seed {seed}");
        found_any += usize::from(!found.programs.is_empty());
    }
    assert!(2 * found_any > effort.seeds().count(), "most of them still have a program: {found_any}");
}
