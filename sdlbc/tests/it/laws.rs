//! Tests the laws of the format: a written module is read back unchanged, any readable file can be printed and verified, and a
//! dump shows every byte of its file.

use crate::common::{Random, everything, fix_checksum, nested, sample};
use sdlbc::{DecodeErrorKind, Module, decode, dump, encode, limits, parse, print, verify};
use testing::{Effort, damage::edit};

#[test]
fn a_written_module_is_read_back() {
    for module in [Module::default(), sample(), everything()] {
        let file = encode(&module);
        assert_eq!(decode(&file).as_ref(), Ok(&module));
        assert_eq!(encode(&decode(&file).expect("good")), file);
        the_dump_has_every_byte(&file);
        assert!(dump(&file).good);
        assert_eq!(parse(&print(&module)), Ok(module));
    }
}

#[test]
fn random_edits_do_no_harm() {
    let files = [encode(&sample()), encode(&everything())];
    let (mut good, mut same) = (0, 0);
    let effort = Effort::of("EDITS", 20_000);
    for round in effort.seeds() {
        let mut random = Random(round);
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(3) {
            edit(&mut file, &mut random, &files[0], 4);
        }
        if random.below(2) == 0 {
            fix_checksum(&mut file);
        }
        the_dump_has_every_byte(&file);
        match decode(&file) {
            Ok(module) => {
                good += 1;
                let again = encode(&module);
                assert_eq!(decode(&again).as_ref(), Ok(&module), "SEED={round}");
                same += u64::from(again == file);
                assert_eq!(parse(&print(&module)).as_ref(), Ok(&module), "SEED={round}");
                if let Err(violations) = verify(&module) {
                    assert!(!violations.is_empty());
                    violations.iter().for_each(|violation| one_line(&violation.to_string()));
                }
            }
            Err(error) => {
                assert!(error.offset <= file.len(), "SEED={round}: {error}");
                let text = error.to_string();
                one_line(&text);
                assert!(text.ends_with(&format!(" at byte {}", error.offset)), "{text}");
            }
        }
    }
    assert!(good >= effort.at_least(500), "only {good} edited files can be read");
    assert!(same >= effort.at_least(500), "only {same} edited files are written back unchanged");
}

fn one_line(text: &str) {
    assert!(!text.contains('\n'), "{text:?}");
}

#[track_caller]
fn the_dump_has_every_byte(file: &[u8]) {
    let dump = dump(file);
    let mut at = 0;
    for line in dump.text.lines() {
        let Some(offset) = line.get(..6).filter(|offset| offset.trim() != "") else { continue };
        assert_eq!(usize::from_str_radix(offset, 16), Ok(at), "{line}");
        let hex = line[8..16].trim_end();
        let bytes = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal"));
        let mut bytes = bytes.collect::<Vec<_>>();
        if bytes.len() == 4 {
            bytes.reverse();
        }
        assert_eq!(file.get(at..at + bytes.len()), Some(&bytes[..]), "{line}");
        at += bytes.len();
    }
    assert_eq!(at, file.len());
    assert_eq!(dump.good, decode(file).is_ok());
    assert!(dump.text.len() <= 400 * (file.len() / 4 + 4), "not in proportion to the file");
}

#[test]
fn every_prefix_of_a_file_is_refused() {
    let file = encode(&sample());
    for length in 0..file.len() {
        let mut part = file[..length].to_vec();
        the_dump_has_every_byte(&part);
        assert!(decode(&part).is_err(), "{length} bytes");
        fix_checksum(&mut part);
        the_dump_has_every_byte(&part);
    }
}

#[test]
fn ifs_nest_up_to_the_limit() {
    let module = |depth| Module { functions: vec![nested(depth)], ..Module::default() };
    let deepest = module(limits::NESTING);
    assert_eq!(decode(&encode(&deepest)), Ok(deepest.clone()));
    assert_eq!(verify(&deepest), Ok(()));
    print(&deepest);
    for depth in [limits::NESTING + 1, 2000] {
        let file = encode(&module(depth));
        assert_eq!(decode(&file).map_err(|error| error.kind), Err(DecodeErrorKind::Nesting));
        the_dump_has_every_byte(&file);
    }
}

#[test]
fn hostile_ids_cost_no_memory() {
    let mut module = sample();
    module.functions[0].body.insts_mut()[12].output = sdlbc::Id(u32::MAX);
    let types = sdlbc::infer_types(&module, 0);
    assert!(types.defines(sdlbc::Id(u32::MAX)));
    assert_eq!(types.get(sdlbc::Id(u32::MAX)), Some(sdlbc::Type::FLOAT4));
    assert_eq!(types.get(sdlbc::Id(0)), None);
}
