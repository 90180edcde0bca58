//! The faults of naga's reader that `src/mend` corrects. Each row checks that naga without the mends still has the fault. If a
//! row fails because a newer naga no longer has the fault, remove the mend, the calls to the mend, and the row.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The name of a fault in `src/mend`, and a function that reports whether naga has the fault.
type Fault = (&'static str, fn() -> bool);

const FAULTS: [Fault; 2] = [("recursion", deep_text_overflows), ("infinite_halves", an_infinite_half_panics)];

/// The environment variable that makes this test binary read a deeply nested source.
const DEEP: &str = "NAGA_FRONT_READS_DEEP_TEXT";

/// Reports whether naga overflows the stack on a deeply nested source. A separate process reads the source, because the overflow
/// ends that process.
fn deep_text_overflows() -> bool {
    let binary = std::env::current_exe().expect("the tests");
    let child = Command::new(binary).args(["--exact", "upstream::a_deep_text_is_read"]).env(DEEP, "1").output();
    !child.expect("the tests").status.success()
}

/// Reports whether naga panics when it converts an infinite half to an integer.
fn an_infinite_half_panics() -> bool {
    let text = "enable f16; const x: f16 = f16(65520i); const y: i32 = i32(x);";
    testing::caught(|| naga::front::wgsl::parse_str(text).is_ok()).is_err()
}

/// Reads a deeply nested source in the process that [`deep_text_overflows`] starts, and does nothing in any other process.
#[test]
fn a_deep_text_is_read() {
    if std::env::var_os(DEEP).is_some() {
        let text = format!("fn f() {{ var b = 1.0; let a = {}b; }}", "b + ".repeat(50_000));
        // A parse error is acceptable, because only a stack overflow counts as the fault.
        drop(naga::front::wgsl::parse_str(&text));
    }
}

#[test]
fn naga_alone_has_each_fault_that_is_mended() {
    let gone: Vec<&str> = FAULTS.iter().filter(|(_, is_there)| !is_there()).map(|(name, _)| *name).collect();
    assert!(gone.is_empty(), "naga no longer has these faults; remove the mends of them: {}", gone.join(", "));
}

/// Checks that each file of `src/mend` names its faults, and that each fault has a row here. Only the file with shared code names
/// no fault.
#[test]
fn each_mend_names_its_fault_and_each_fault_has_a_row() {
    let mut names = BTreeSet::new();
    for path in testing::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mend"), ".rs") {
        let text = std::fs::read_to_string(&path).expect("a source");
        let found = text.split("Upstream fault `").skip(1).filter_map(|rest| rest.split('`').next());
        let before = names.len();
        names.extend(found.map(str::to_string));
        assert!(names.len() > before || path.ends_with("instructions.rs"), "{} names no fault", path.display());
    }
    assert_eq!(names, FAULTS.iter().map(|(name, _)| (*name).to_string()).collect());
}
