//! Limits: a source that exceeds a limit is refused with an error that states the limit, and a source at the limit is lifted.

use naga_front::{Options, Refusal, RefusalKind, read};

/// Builds a WGSL fragment shader with the given code, which may read the float `v`. The shader returns `sum`.
fn shader(declarations: &str, code: &str) -> String {
    format!(
        "{declarations}
        @fragment fn f(@location(0) v: f32) -> @location(0) vec4<f32> {{ var sum = v; {code} return vec4(sum); }}"
    )
}

fn refusals(text: &str) -> Vec<Refusal> {
    read(text, &Options::default()).err().unwrap_or_default()
}

fn limit(text: &str) -> Option<String> {
    match &refusals(text)[..] {
        [] => None,
        [Refusal { kind: RefusalKind::Limit { what }, bytes: Some(_), .. }, ..] => Some(what.clone()),
        others => panic!("{others:?}"),
    }
}

const DEEP: &str = "the code here is nested too deeply, or has too many operators in a row";

#[test]
fn brackets_and_operators_are_counted() {
    let brackets = |count: usize| format!("sum = {}v{};", "(".repeat(count), ")".repeat(count));
    assert_eq!(limit(&shader("", &brackets(100))), None);
    assert_eq!(limit(&shader("", &brackets(250))).as_deref(), Some(DEEP));
    let operators = |count: usize| format!("sum = {} v;", "v +".repeat(count));
    assert_eq!(limit(&shader("", &operators(900))), None);
    assert_eq!(limit(&shader("", &operators(1100))).as_deref(), Some(DEEP));
}

#[test]
fn a_variable_that_is_not_indexed_has_at_most_4096_vectors() {
    let variable = |count: u32| shader("", &format!("var all: array<f32, {count}>; all[7] = v; sum += all[7];"));
    assert_eq!(limit(&variable(4096)), None);
    assert_eq!(limit(&variable(4097)).as_deref(), Some("a variable has 4097 vectors, but the limit is 4096"));
}

/// Functions that take a pointer are inlined.
#[test]
fn functions_are_inlined_to_a_depth_of_60() {
    let calls = |count: usize| {
        let mut functions = "fn g0(at: ptr<function, f32>) { *at += 1.0; }\n".to_string();
        for number in 1..count {
            functions += &format!("fn g{number}(at: ptr<function, f32>) {{ g{}(at); }}\n", number - 1);
        }
        shader(&functions, &format!("g{}(&sum);", count - 1))
    };
    assert_eq!(limit(&calls(50)), None);
    let said = "calls of functions that must be inlined are nested more than 60 deep";
    assert_eq!(limit(&calls(80)).as_deref(), Some(said));
}

/// Each function calls the preceding function twice, so that every function doubles the inlined code.
#[test]
fn code_is_inlined_up_to_a_million_steps() {
    let doubled = |count: usize| {
        let mut functions = "fn g0(at: ptr<function, f32>) { *at += 1.0; }\n".to_string();
        for number in 1..count {
            let before = number - 1;
            functions += &format!("fn g{number}(at: ptr<function, f32>) {{ g{before}(at); g{before}(at); }}\n");
        }
        shader(&functions, &format!("g{}(&sum);", count - 1))
    };
    assert_eq!(limit(&doubled(8)), None);
    let said = "the shader has more than 1000000 statements and expressions, counting inlined calls";
    assert_eq!(limit(&doubled(24)).as_deref(), Some(said));
}

#[test]
fn a_location_beyond_the_last_is_refused_before_it_takes_memory() {
    for text in [
        "@fragment fn f(@location(4294967295) v: f32) -> @location(0) vec4<f32> { return vec4(v); }",
        "struct In { @location(4294967295) v: f32 } @fragment fn f(i: In) -> @location(0) vec4<f32> { return vec4(i.v); }",
    ] {
        let refusals = refusals(text);
        assert_eq!(refusals[0].to_string(), "location 4294967295 exceeds 63, the last location");
    }
}

#[test]
fn at_most_a_hundred_refusals_are_kept() {
    let many = |count: usize| shader("", &"sum += dpdxFine(v);".repeat(count));
    assert_eq!(refusals(&many(99)).len(), 99);
    assert_eq!(refusals(&many(300)).len(), 100);
}
