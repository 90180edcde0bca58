//! Tests which parts of a module, including its debug table, are removed by linking. tests/laws/tests/it/meaning checks that
//! linking does not change the results of generated pairs.

use sdlbc::{Function, LinkError, Module, pack, parse, print, prune, verify};

fn module(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(verify(&module), Ok(()));
    module
}

const PAIR: &str = r#"source 0 "a.vert.agal" tokens
source 1 "a.frag.agal" tokens

vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 va1: float4 = attribute 1
  input %3 va2: float4 = attribute 2
  input %4 first: float4 = uniform
  input %5 second: float4[2] = uniform
  output 0 op: float4 = position
  output 1 v1: float4 = varying 1
  output 2 v4: float4 = varying 4
  output 3 v7: float4 = varying 7 linear
  lines of 0

  %6 = swizzle %2, x @1                           ; float
  %7 = swizzle %4, x @1                           ; float
  %8 far = lessthan %6, %7 @2                     ; bool
  if %8 @2 {
    %9 = add %3, %2 @3                            ; float4
    %10 = peek %5, 1 @4                           ; float4
  } else {
    %11 = negate %2 @6                            ; float4
  }
  %12 vt0 = phi %9, %11 @7                        ; float4
  %13 vt1 = phi %10, %2 @7                        ; float4
  poke %1, 0 @8                                   ; op
  poke %12, 1 @9                                  ; v1
  poke %13, 2 @10                                 ; v4
  poke %2, 3 @11                                  ; v7
}

fragment function "fs_main" {
  input %1 v1: float4 = varying 1
  input %2 v4: float4 = varying 4
  input %3 v7: float4 = varying 7 linear
  output 0 oc: float4 = colour 0
  lines of 1

  %4 ft0 = add %1, %2 @1                          ; float4
  %5 ft1 = negate %2 @2                           ; float4
  poke %5, 0 @3                                   ; oc
}
"#;

#[test]
fn an_unread_varying_is_removed_with_everything_that_only_it_needs() {
    let mut linked = module(PAIR);
    let pruned = prune(&mut linked).expect("a pair");
    assert_eq!(pruned.outputs, [1, 7].into());
    assert_eq!(pruned.inputs, [1, 7].into());
    let expected = r#"source 0 "a.vert.agal" tokens
source 1 "a.frag.agal" tokens

vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 va1: float4 = attribute 1
  input %3 first: float4 = uniform
  input %4 second: float4[2] = uniform
  output 0 op: float4 = position
  output 1 v4: float4 = varying 4
  lines of 0

  %5 = swizzle %2, x @1                           ; float
  %6 = swizzle %3, x @1                           ; float
  %7 far = lessthan %5, %6 @2                     ; bool
  if %7 @2 {
    %8 = peek %4, 1 @4                            ; float4
  }
  %9 vt1 = phi %8, %2 @7                          ; float4
  poke %1, 0 @8                                   ; op
  poke %9, 1 @10                                  ; v4
}

fragment function "fs_main" {
  input %1 v4: float4 = varying 4
  output 0 oc: float4 = colour 0
  lines of 1

  %2 ft1 = negate %1 @2                           ; float4
  poke %2, 0 @3                                   ; oc
}
"#;
    assert_eq!(print(&linked), expected);
    assert_eq!(verify(&linked), Ok(()));
    assert_eq!(pack(&mut linked), Ok([(4, 0)].into()));
    assert_eq!(print(&linked), expected.replace("varying 4", "varying 0"));
}

#[test]
fn packing_alone_keeps_every_varying_and_their_order() {
    let mut packed = module(PAIR);
    assert_eq!(pack(&mut packed), Ok([(1, 0), (4, 1), (7, 2)].into()));
    let expected = [(1, 0), (4, 1), (7, 2)]
        .iter()
        .fold(PAIR.to_string(), |text, (from, to)| text.replace(&format!("varying {from}"), &format!("varying {to}")));
    assert_eq!(print(&packed), expected);
    assert_eq!(verify(&packed), Ok(()));
    assert_eq!(pack(&mut packed), Ok([(0, 0), (1, 1), (2, 2)].into()), "it is packed already");
}

/// Uniforms are bound in order, so removing a uniform would renumber the bindings of the uniforms after it.
#[test]
fn a_uniform_is_removed_only_if_no_binding_changes() {
    let uniforms = |first: &str, second: &str| {
        let text = format!(
            r#"vertex function "vs_main" {{
  input %1 first: float4 = uniform
  input %2 second: float4 = uniform
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke {first}, 0
  poke {second}, 1
}}
fragment function "fs_main" {{
  output 0 oc: float4 = colour 0
  %1 = literalfloat4 0.0, 0.0, 0.0, 0.0
  poke %1, 0
}}"#
        );
        let mut module = module(&text);
        prune(&mut module).expect("a pair");
        assert_eq!(verify(&module), Ok(()));
        module.functions[0].inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(uniforms("%1", "%2"), ["first"]);
    assert_eq!(uniforms("%2", "%1"), ["first", "second"]);
}

#[test]
fn a_module_that_is_not_a_pair_or_does_not_verify_is_left_alone() {
    let pair = module(PAIR);
    let mut alone = Module { functions: vec![pair.functions[0].clone()], ..Module::default() };
    let before = alone.clone();
    assert_eq!(prune(&mut alone), Err(LinkError::NotAPair));
    assert_eq!(pack(&mut alone), Err(LinkError::NotAPair));
    assert_eq!(alone, before);
    let mut broken = pair.clone();
    broken.functions.push(Function { kind: sdlbc::FunctionKind::Vertex, ..Function::default() });
    let before = broken.clone();
    assert!(matches!(prune(&mut broken), Err(LinkError::Broken(_))));
    assert!(matches!(pack(&mut broken), Err(LinkError::Broken(_))));
    assert_eq!(broken, before);
    let line = prune(&mut broken).expect_err("it does not verify").to_string();
    assert!(line.starts_with("the module breaks the rules of SDLSHADERBC: V"), "{line}");
}

/// Tables indexed by id used to be as long as the highest id, and took a hundred megabytes for a file of a hundred bytes.
#[test]
fn a_small_pair_with_the_highest_ids_is_pruned_quickly() {
    let text = "
vertex function \"vs\" {
  input %16777216 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %16777215 near = negate %16777216
  poke %16777216, 0
  poke %16777215, 1
}
fragment function \"fs\" {
  output 0 oc: float4 = colour 0
  %16777216 kept = literalfloat4 0.0, 1.0, 2.0, 3.0
  poke %16777216, 0
}";
    let module = sdlbc::parse(text).expect("a module");
    let start = std::time::Instant::now();
    for _ in 0..200 {
        let mut pruned = module.clone();
        assert_eq!(sdlbc::prune(&mut pruned).expect("a pair").outputs, [0].into());
        assert_eq!(pruned.functions[0].inputs[0].id, sdlbc::Id(1));
        assert_eq!(pruned.debug.functions[0].function, 1, "a removed value has no name");
        assert_eq!(pruned.debug.functions[0].ids, [(sdlbc::Id(1), "kept".to_string())].into());
    }
    assert!(start.elapsed().as_secs() < 5, "it took {:?}", start.elapsed());
}
