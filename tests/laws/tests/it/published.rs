//! Checks that `tests/tools/sdl_reader.py`, which was written only from the published text of the format, reads our files.

use std::ffi::OsStr;
use std::path::PathBuf;

use laws::with_checksum;
use laws::works::{CORPUS, PAIRS, compute_functions, samples, source_modules};
use sdlbc::{Module, encode, split};
use testing::{Effort, PYTHON, repository, say};

/// Runs the Python reader on the file of each module, with and without the debug table.
fn check(modules: &[(String, Module)]) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments: Vec<PathBuf> = vec![repository().join("tests/tools/sdl_reader.py")];
    for (number, (name, module)) in modules.iter().enumerate() {
        let name: String = name.chars().map(|c| if c == '/' { '_' } else { c }).collect();
        for (part, module) in [("whole", module), ("stripped", &split(module).0)] {
            let path = folder.path().join(format!("{number}.{name}.{part}.sdlbc"));
            std::fs::write(&path, encode(module)).expect("the file");
            arguments.push(path);
        }
    }
    PYTHON.output(&arguments.iter().map(OsStr::new).collect::<Vec<_>>())
}

#[test]
fn a_reader_of_the_published_text_reads_every_file() {
    if !PYTHON.is_there() {
        return;
    }
    let mut modules = samples();
    modules.extend(compute_functions());
    let pairs = Effort::part_of("PAIRS", &PAIRS).into_iter().chain(CORPUS.iter());
    modules.extend(pairs.map(|work| (work.name.clone(), work.module())));
    modules.extend(Effort::part_of("SHADERS", &source_modules()).into_iter().cloned());
    for seed in Effort::of("MODULES", 200).seeds() {
        modules.push((format!("random{seed}"), laws::from_seed(seed)));
    }
    let said = check(&modules).unwrap_or_else(|said| panic!("{said}"));
    // Each line of the reader's output has the form `FILE: N functions, M instructions, K unknown to the document`.
    let number = |line: &str, of: usize| line.rsplit(": ").next()?.split(' ').nth(of)?.parse::<u64>().ok();
    let sum = |of| said.lines().filter_map(|line| number(line, of)).sum::<u64>();
    say(&format!(
        "files read by the published text: {}, of {} functions and {} instructions; {} not in that text",
        said.lines().count(),
        sum(0),
        sum(2),
        sum(4)
    ));
    assert_eq!(said.lines().count(), 2 * modules.len());
}

#[test]
fn a_file_that_the_published_text_does_not_allow_is_found() {
    if !PYTHON.is_there() {
        return;
    }
    let module = compute_functions().remove(0).1;
    let mut file = encode(&module);
    let end = file.len();
    // The test moves the last section, the record of additions, to the front of the file.
    let words = |file: &[u8], at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("a word"));
    let at =
        (20..end).step_by(4).find(|&at| words(&file, at) == 0x2002 && at + 4 * words(&file, at + 4) as usize == end);
    file[20..].rotate_left(at.expect("the record") - 20);
    let file = with_checksum(&file);
    assert_eq!(sdlbc::decode(&file), Ok(module), "our reader accepts it there");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("first.sdlbc");
    std::fs::write(&path, file).expect("the file");
    let reader = repository().join("tests/tools/sdl_reader.py");
    let said = PYTHON.output(&[reader.as_os_str(), path.as_os_str()]).expect_err("it is refused");
    assert!(said.contains("byte offset 0x14: the first record after the header has tag 0x2002"), "{said}");
}
