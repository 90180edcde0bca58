//! Tests of divergent control flow. Each program must compute the stated result in every lane, both with all lanes active and
//! with only one lane active.

use sdlbc::{InputKind, Module};
use sdlbc_interp::{Column, Error, LANES, Mask, Program, Resources};

/// Builds a vertex function that maps an int to an int. `code` is inserted after the declarations that all tests share.
fn module(code: &str, others: &str) -> Module {
    let text = format!(
        "{others}
vertex function \"main\" {{
  input %1 n: int = attribute 0
  {}
  output 0 p: float4 = position
  output 1 r: int = varying 0 flat
  %2 = literalfloat4 0.0, 0.0, 0.0, 0.0
  poke %2, 0
  %3 = literalint 0
  %4 = literalint 1
  %5 = literalint 2
  %6 = literalint 3
{}
}}",
        if code.contains("%9") { "input %9 s: int[4] = local" } else { "" },
        code
    );
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    if let Err(violations) = sdlbc::verify(&module) {
        let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", all.join("\n"));
    }
    module
}

/// Runs a program in the lanes of the mask `live`, and returns the results.
fn run(module: &Module, live: Mask, numbers: &[i32; LANES]) -> Result<Column, Error> {
    let index = module.functions.iter().position(|function| function.name == "main").expect("an entry");
    let column = numbers.map(i32::cast_unsigned);
    let inputs = |kind: InputKind| matches!(kind, InputKind::Attribute { .. }).then_some([column; 4]);
    Ok(Program::new(module, index)?.run(&Resources::default(), live, &inputs, None)?.outputs[1][0])
}

#[track_caller]
fn computes(code: &str, others: &str, wanted: impl Fn(i32) -> i32) {
    let module = module(code, others);
    let numbers: [i32; LANES] = std::array::from_fn(|lane| (lane as i32 * 7) % 23 - 3);
    let all = run(&module, Mask::MAX, &numbers).expect("it terminates");
    for (lane, &number) in numbers.iter().enumerate() {
        assert_eq!(all[lane].cast_signed(), wanted(number), "of {number}, in all lanes");
        let alone = run(&module, 1 << lane, &numbers).expect("it terminates");
        assert_eq!(alone[lane].cast_signed(), wanted(number), "of {number}, in lane {lane} alone");
    }
}

#[test]
fn each_lane_takes_its_own_branch_of_a_conditional() {
    computes(
        "%10 = lessthan %1, %6
  if %10 {
    %11 = multiply %1, %5
  } else {
    %12 = add %1, %4
    %13 = lessthan %12, %6
    if %13 {
    }
  }
  %14 = phi %11, %12
  %15 = phi %3, %1
  %16 = subtract %14, %15
  poke %16, 1",
        "",
        |n| if n < 3 { 2 * n } else { 1 },
    );
}

#[test]
fn phis_in_a_loop_header_are_assigned_in_parallel() {
    computes(
        "loop {
    %10 = phi %3, %20
    %11 = phi %4, %21
    %12 = phi %3, %22
    %13 = greaterthanorequal %12, %1
    if %13 {
      poke %10, 1
      return
    }
    %20 = add %11, %3
    %21 = add %10, %11
    %22 = add %12, %4
  }",
        "",
        |n| (0..n.max(0)).fold((0, 1), |(a, b), _| (b, a + b)).0,
    );
    computes(
        "poke %3, 1
  loop {
    %10 = phi %3, %11
    %11 = phi %4, %10
    %12 = phi %3, %22
    %13 = greaterthanorequal %12, %1
    poke %10, 1
    if %13 {
      break
    }
    %22 = add %12, %4
  }",
        "",
        |n| n.max(0) % 2,
    );
}

#[test]
fn nops_may_be_anywhere_and_do_nothing() {
    // NOPs appear before, between and after PHIs, at the head of a loop, after a conditional and after each kind of
    // jump.
    let text = |nop: &str| {
        format!(
            "loop {{
    {nop}
    %10 = phi %3, %20
    {nop}
    %11 = phi %4, %21
    %12 = phi %3, %22
    {nop}
    %13 = greaterthanorequal %12, %1
    if %13 {{
      poke %10, 1
      break
      {nop}
    }}
    {nop}
    %14 = equal %12, %6
    if %14 {{
      {nop}
      %15 = add %10, %11
    }} else {{
      %16 = lessthan %11, %3
      if %16 {{
        poke %4, 1
        return
        {nop}
      }}
    }}
    {nop}
    {nop}
    %17 = phi %15, %11
    {nop}
    %18 = phi %4, %3
    {nop}
    %20 = add %11, %18
    %21 = add %10, %17
    %22 = add %12, %4
    switch %12 case 4 {{
      continue
      {nop}
    }} default {{
      break
      {nop}
    }}
    {nop}
  }}
  {nop}"
        )
    };
    let expected = |n: i32| {
        let (mut a, mut b) = (0, 1);
        for k in 0..n.max(0) {
            (a, b) = if k == 3 { (b + 1, 2 * a + b) } else { (b, a + b) };
        }
        a
    };
    for nop in ["", "nop", "nop 0x00000009, 0xffffffff"] {
        computes(&text(nop), "", expected);
    }
}

#[test]
fn each_lane_leaves_a_loop_on_its_own() {
    // The program adds the numbers from 1 to n that are at most 11 and not divisible by 3.
    computes(
        "%29 = literalint 11
  %8 = literalint 0
  loop {
    %10 = phi %3, %12
    %11 = phi %8, %17
    %12 = add %10, %4
    %13 = greaterthan %12, %1
    %14 = greaterthan %12, %29
    %15 = logicalor %13, %14
    if %15 {
      poke %11, 1
      break
    }
    %16 = modulo %12, %6
    %18 = equal %16, %3
    if %18 {
    } else {
    }
    %19 = phi %3, %12
    %17 = add %11, %19
    continue
  }",
        "",
        |n| (1..=n.min(11)).filter(|k| k % 3 != 0).sum(),
    );
}

#[test]
fn a_continue_waits_at_the_loop_header_and_a_break_after_the_loop() {
    // The program counts the odd numbers below n in a local variable, and stops after 9.
    computes(
        "%30 = literalint 9
  loop {
    %10 = phi %3, %11
    %11 = add %10, %4
    %12 = greaterthanorequal %10, %1
    if %12 {
      break
    }
    %13 = modulo %10, %5
    %14 = equal %13, %3
    if %14 {
      continue
    }
    %15 = peek %9, 1
    %16 = add %15, %4
    poke %16, %9, 1
    %17 = equal %10, %30
    if %17 {
      break
    }
  }
  %18 = peek %9, 1
  poke %18, 1",
        "",
        |n| (0..n).filter(|k| k % 2 == 1 && *k <= 9).count() as i32,
    );
}

#[test]
fn a_switch_runs_the_case_of_each_lane() {
    computes(
        "poke %1, %9, 0
  switch %1 case -3 {
    poke %6, %9, 0
  } case 4 {
    %10 = lessthan %1, %3
    if %10 {
      poke %3, %9, 0
    } else {
      break
    }
    poke %3, %9, 0
  } case 5 {
    poke %4, 1
    return
  } default {
    %11 = add %1, %5
    poke %11, %9, 0
  }
  %12 = peek %9, 0
  poke %12, 1",
        "",
        |n| match n {
            -3 => 3,
            4 => 4,
            5 => 1,
            n => n + 2,
        },
    );
}

#[test]
fn a_continue_in_a_switch_continues_the_enclosing_loop() {
    computes(
        "%30 = literalint 4
  loop {
    %10 = phi %3, %11
    %11 = add %10, %4
    %12 = greaterthan %10, %1
    if %12 {
      break
    }
    %13 = modulo %10, %30
    switch %13 case 0 {
      continue
    } case 1 {
      break
    } case 2 {
      %14 = peek %9, 0
      %15 = add %14, %30
      poke %15, %9, 0
      continue
    }
    %16 = peek %9, 0
    %17 = add %16, %4
    poke %17, %9, 0
  }
  %18 = peek %9, 0
  poke %18, 1",
        "",
        |n| (0..=n).map(|k| [0, 1, 4, 1][k as usize % 4]).sum(),
    );
}

#[test]
fn a_function_returns_each_lanes_own_result() {
    let square = "generic function \"\" {
  input %1 a: int = parameter
  input %2 s: int[1] = local
  output 0 r: int = returned
  %3 = peek %2, 0
  %4 = literalint 0
  %5 = lessthan %1, %4
  poke %1, %2, 0
  if %5 {
    return %3
  }
  %6 = multiply %1, %1
  %7 = add %6, %3
  return %7
}";
    // The function is called in both branches of a conditional and in a loop, and its local variable is zero at each call.
    computes(
        "%10 = lessthan %1, %6
  if %10 {
    %11 = call 0, %1
  } else {
    %12 = add %1, %4
    %13 = call 0, %12
  }
  %14 = phi %11, %13
  loop {
    %15 = phi %14, %17
    %16 = phi %3, %18
    %18 = add %16, %4
    %19 = call 0, %16
    %17 = add %15, %19
    %20 = equal %16, %6
    if %20 {
      poke %17, 1
      break
    }
  }",
        square,
        |n| {
            14 + if n < 0 {
                0
            } else if n < 3 {
                n * n
            } else {
                (n + 1) * (n + 1)
            }
        },
    );
}

#[test]
fn a_slot_index_is_per_lane_and_clamped_to_the_slot() {
    computes(
        "poke %4, %9, 0
  poke %5, %9, 1
  %10 = literalint 100
  poke %10, %9, %1, 1
  %11 = peek %9, %1, -1
  %12 = peek %9, 3
  %13 = literalint 10
  %14 = multiply %11, %13
  %15 = add %14, %12
  poke %15, 1",
        "",
        |n| {
            let mut slot = [1, 2, 0, 0];
            slot[(n + 1).clamp(0, 3) as usize] = 100;
            slot[(n - 1).clamp(0, 3) as usize] * 10 + slot[3]
        },
    );
}

#[test]
fn infinite_loops_are_reported_as_stuck() {
    let module = module(
        "poke %3, 1
  loop {
    %10 = phi %3, %11
    %11 = add %10, %3
    %12 = greaterthan %1, %6
    if %12 {
      break
    }
  }",
        "",
    );
    assert_eq!(
        run(&module, Mask::MAX, &[4; LANES]).map(|column| column[63]),
        Ok(0),
        "it terminates when all lanes leave"
    );
    let mut numbers = [4; LANES];
    numbers[17] = 0;
    assert_eq!(run(&module, Mask::MAX, &numbers), Err(Error::Stuck));
    assert_eq!(
        run(&module, !(1 << 17), &numbers).map(|column| column[63]),
        Ok(0),
        "the lane that would not leave is inactive"
    );
}

#[test]
fn too_many_calls_are_stuck_and_too_deep_nesting_is_rejected() {
    let chain = |length: usize, times: usize| {
        let leaf = "generic function \"\" {\n}\n".to_string();
        let call = |at: usize| format!("generic function \"\" {{\n{}}}\n", format!("  call {at}\n").repeat(times));
        let others: String = [leaf].into_iter().chain((0..length - 1).map(call)).collect();
        module(&format!("call {}\n  poke %1, 1", length - 1), &others)
    };
    assert_eq!(run(&chain(20, 1), 1, &[5; LANES]).map(|column| column[0]), Ok(5));
    assert_eq!(run(&chain(40, 2), 1, &[5; LANES]), Err(Error::Stuck));
    assert_eq!(run(&chain(300, 1), 1, &[5; LANES]), Err(Error::TooDeep));
    // A nested switch uses more stack than any other nested construct, so the test nests switches to the maximum depth.
    let nested = |length: usize| {
        let call = |at: usize| {
            let inner = if at == 0 { String::new() } else { format!("    call {}\n", at - 1) };
            format!(
                "generic function \"\" {{\n  %1 = literalint 0\n  switch %1 {{\n  default {{\n{inner}  }}\n  }}\n}}\n"
            )
            .replace("switch %1 {\n  default", "switch %1 default")
            .replace("  }\n  }\n", "  }\n")
        };
        module(&format!("call {}\n  poke %1, 1", length - 1), &(0..length).map(call).collect::<String>())
    };
    assert_eq!(run(&nested(127), 1, &[5; LANES]).map(|column| column[0]), Ok(5));
    assert_eq!(run(&nested(128), 1, &[5; LANES]), Err(Error::TooDeep));
}

#[test]
fn modules_that_cannot_be_run_are_rejected() {
    let generic = sdlbc::parse("generic function \"main\" {\n}").expect("a module");
    assert!(matches!(Program::new(&generic, 0), Err(Error::NoEntry)));
    assert!(matches!(Program::new(&generic, 1), Err(Error::NoEntry)));
    let wrong = sdlbc::parse("vertex function \"main\" {\n  %1 = negate %2\n}").expect("a module");
    assert!(matches!(Program::new(&wrong, 0), Err(Error::Invalid(violations)) if !violations.is_empty()));
    let uniforms: String = (10..267).map(|id| format!("  input %{id} u{id}: float4[4096] = uniform\n")).collect();
    let large = format!("generic function \"\" {{\n{uniforms}}}\n");
    assert!(matches!(run(&module("call 0\n  poke %1, 1", &large), 1, &[0; LANES]), Err(Error::TooLarge)));
}
