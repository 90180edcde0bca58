//! Writes to local arrays stay only if the array is read.

use sdlbc_passes::{Options, optimise};

fn optimised(text: &str) -> String {
    let module = sdlbc::Verified::new(sdlbc::parse(text).expect("a module")).expect("it verifies");
    sdlbc::print(&optimise(module, &Options::default(), &mut |_, _| {}))
}

/// Returns a loop in which the array `sum` and the array `last` are written. `result` is read after the loop.
fn looped(result: &str) -> String {
    format!(
        r#"
fragment function "main" {{
  input %1 v0: float4 = varying 0
  input %2 last: float4[1] = local
  input %3 constants: float4[2] = uniform
  input %4 sum: float4[1] = local
  output 0 oc: float4 = colour 0
  %5 = literalfloat 0.0
  loop {{
    %6 = phi %1, %10
    %7 = phi %1, %11
    %8 = swizzle %6, x
    %9 = lessthan %8, %5
    if %9 {{
      poke %6, %4, 0
      poke %7, %2, 0
      break
    }}
    %10 = subtract %6, %1
    %11 = multiply %7, %10
  }}
  %12 = peek %3, 1
  %13 = peek {result}, 0
  %14 = add %12, %13
  poke %14, 0
}}
"#
    )
}

#[test]
fn an_array_that_is_not_read_is_removed_with_the_values_that_only_it_needs() {
    let text = optimised(&looped("%4"));
    assert!(text.contains("input %3 sum: float4[1] = local\n") && !text.contains("last"), "{text}");
    assert!(text.contains("poke %5, %3, 0") && !text.contains("multiply"), "{text}");
    assert!(text.contains("peek %2, 1") && text.contains("peek %3, 0"), "{text}");
}

#[test]
fn an_array_that_is_read_after_a_loop_stays() {
    let text = optimised(&looped("%2"));
    assert!(text.contains("last: float4[1] = local") && !text.contains("sum"), "{text}");
    assert!(text.contains("subtract") && text.contains("multiply"), "{text}");
}

#[test]
fn an_array_that_only_a_later_round_of_a_loop_reads_stays() {
    let text = optimised(
        r#"
fragment function "main" {
  input %1 v0: float4 = varying 0
  input %2 last: float4[1] = local
  input %3 unread: float4[1] = local
  output 0 oc: float4 = colour 0
  %4 = literalfloat 0.0
  poke %1, %2, 0
  poke %1, %3, 0
  loop {
    %5 = peek %2, 0
    %6 = swizzle %5, x
    %7 = lessthan %6, %4
    if %7 {
      break
    }
    %8 = subtract %5, %1
    poke %8, %2, 0
    %9 = peek %3, 0
    %10 = add %9, %8
    poke %10, %3, 0
  }
  poke %1, 0
}
"#,
    );
    assert!(text.contains("subtract") && !text.contains("unread") && !text.contains("add"), "{text}");
}
