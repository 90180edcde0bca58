//! Tests the example of building a module, `examples/build.rs`.

#[path = "../../examples/build.rs"]
#[allow(dead_code, reason = "`main` is the example's own")]
mod build;

#[test]
fn the_example_builds_a_module_that_is_written_and_read_again() {
    let module = build::module().expect("the operands fit");
    assert_eq!(sdlbc::verify(&module), Ok(()));
    assert_eq!(sdlbc::decode(&sdlbc::encode(&module)).as_ref(), Ok(&module));
    let text = sdlbc::print(&module);
    for line in ["divide %2, ", "clamp ", "mix %1, %3, ", "poke "] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}
