//! Checks that `check-draw` reports each error number of the player. In each case, one value of a valid state is changed.

use serde_json::{Value, json};

use crate::support::repository;
use crate::support::sandbox::Sandbox;

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>\nmul oc, ft0, fc0\n";

/// Returns a state that the player accepts for the pair.
fn good() -> Value {
    json!({
        "profile": "baseline",
        "vertices": 24,
        "depth_and_stencil": true,
        "streams": [
            {"index": 0, "format": "float3", "offset": 0, "stride": 5, "vertices": 24},
            {"index": 1, "format": "float2", "offset": 3, "stride": 5, "vertices": 24},
        ],
        "textures": [
            {"sampler": 0, "texture": {"name": "wood", "width": 256, "height": 128}, "levels": 9},
        ],
    })
}

/// Applies the given changes to a valid state, and returns the result. Each change has a JSON pointer and a value. The value
/// replaces the old value or, if the pointer ends with `/-`, is appended to a list.
fn with(changes: &[(&str, Value)]) -> Value {
    let mut state = good();
    for (path, value) in changes {
        let (parent, name) = path.rsplit_once('/').expect("a pointer");
        match state.pointer_mut(parent).unwrap_or_else(|| panic!("{path}")) {
            Value::Array(items) if name == "-" => items.push(value.clone()),
            Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value.clone(),
            other => other[name] = value.clone(),
        }
    }
    state
}

fn codes(vertex: &str, fragment: &str, state: &Value) -> Vec<u64> {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", vertex);
    sandbox.write("a.frag.agal", fragment);
    sandbox.write("state.json", state.to_string());
    let ran = sandbox.run(&["check-draw", "a.vert.agal", "a.frag.agal", "--state", "state.json", "--json"]);
    let errors: Value = serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.err));
    let codes: Vec<u64> =
        errors.as_array().expect("a list").iter().filter_map(|error| error["code"].as_u64()).collect();
    assert_eq!(ran.code, i32::from(!codes.is_empty()), "{}", ran.err);
    codes
}

fn target(slot: u32, name: &str) -> Value {
    json!({"slot": slot, "texture": {"name": name, "width": 64, "height": 64}, "depth_and_stencil": true})
}

#[test]
fn a_good_draw_has_no_errors() {
    assert_eq!(codes(VERTEX, FRAGMENT, &good()), [0; 0]);
}

#[test]
fn streams_are_checked_as_by_the_player() {
    for (changes, expected) in [
        (vec![("/streams/-", json!({"index": 2, "format": "float1"}))], vec![3607]),
        (vec![("/streams/0/disposed", true.into())], vec![3608]),
        (vec![("/vertices", 25.into())], vec![3609, 3609]),
        (vec![("/streams/1/offset", 4.into())], vec![3610]),
        (vec![("/streams/1/index", 2.into())], vec![3607, 3611]),
        (vec![("/streams/1/instances_per_element", 0.into())], vec![3784]),
        (vec![("/streams/1/instances_per_element", 2.into()), ("/instances", 48.into())], vec![]),
        (vec![("/streams/1/instances_per_element", 2.into()), ("/instances", 49.into())], vec![3785]),
        (vec![("/streams/0/instances_per_element", 1.into()), ("/instances", 1.into())], vec![3792]),
    ] {
        assert_eq!(codes(VERTEX, FRAGMENT, &with(&changes)), expected, "{changes:?}");
    }
    // Registers that are read only by dead code also count as read.
    let dead = format!("mov vt0, va2\n{VERTEX}");
    assert_eq!(codes(&dead, FRAGMENT, &good()), [3611]);
}

#[test]
fn textures_are_checked_as_by_the_player() {
    let rectangle = ("/textures/0/texture/kind", json!("rectangle"));
    for (changes, expected) in [
        (vec![("/targets", json!([target(0, "wood")]))], vec![3604]),
        (vec![("/textures/0/disposed", true.into())], vec![3605]),
        (vec![("/textures", json!([]))], vec![3663]),
        (vec![("/textures/-", json!({"sampler": 1, "texture": {"name": "other"}}))], vec![3697]),
        (vec![("/textures/0/levels", 8.into())], vec![3700]),
        (vec![rectangle.clone()], vec![3753, 3755]),
        (vec![("/textures/0/texture/kind", json!("cube"))], vec![3753, 3754]),
        (vec![("/textures/0/texture/format", json!("compressed"))], vec![3763]),
        (vec![("/textures/0/texture/kind", json!("video"))], vec![3778]),
    ] {
        assert_eq!(codes(VERTEX, FRAGMENT, &with(&changes)), expected, "{changes:?}");
    }
    let flat = FRAGMENT.replace("miplinear,repeat", "nomip,clamp");
    assert_eq!(codes(VERTEX, &flat, &with(&[rectangle.clone(), ("/textures/0/levels", 1.into())])), [0; 0]);
    let declared = FRAGMENT.replace("linear,mip", "dxt5,linear,mip");
    assert_eq!(codes(VERTEX, &declared, &good()), [3606]);
    assert_eq!(codes(VERTEX, &declared, &with(&[("/textures/0/texture/format", json!("compressedAlpha"))])), [0; 0]);
    // A sampler state set by the application takes effect only if the program's sampler has the flag `ignoresampler`.
    let open = FRAGMENT.replace("repeat", "repeat,ignoresampler");
    let state = json!({"wrap": "clamp", "filter": "linear", "mip": "mipnone"});
    let set = with(&[rectangle, ("/textures/0/state", state)]);
    assert_eq!((codes(VERTEX, &open, &set), codes(VERTEX, FRAGMENT, &set)), (vec![], vec![3753, 3755]));
    // Two samplers may share a texture only if their states are equal.
    let second = "tex ft1, v0, fs1 <2d,nearest,miplinear,repeat>\nadd ft1, ft1, ft1\n";
    let both = format!("{second}{}", FRAGMENT.replace("mul oc, ft0, fc0", "mul oc, ft0, ft1"));
    let twice = with(&[("/textures/-", json!({"sampler": 1, "texture": {"name": "wood"}}))]);
    assert_eq!(codes(VERTEX, &both, &twice), [3695]);
    assert_eq!(codes(VERTEX, &both.replace("nearest", "linear"), &twice), [0; 0]);
}

#[test]
fn a_state_in_json_is_known_by_its_beginning_or_its_name_and_errors_have_their_line() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mov op, va0\n");
    let check = |name: &str, text: &str| {
        sandbox.write(name, text);
        sandbox.run(&["check-draw", "a.vert.agal", "--state", name])
    };
    let good = r#"{"vertices": 3, "streams": [{"index": 0, "format": "float3", "vertices": 3}]}"#;
    let marked = format!("\u{feff}{good}");
    for name in ["state", "state.json", "state.toml"] {
        check(name, &marked).success();
    }
    for (name, text, place, message) in [
        ("list", format!("\n[{good}]"), "list:2:1", "the state must be an object, but it is a list"),
        ("empty.json", "[ ]".to_string(), "empty.json:1:1", "the state must be an object, but it is a list"),
        ("wrong", "\u{feff}{\n  \"vertices\": \"é\"\n}".to_string(), "wrong:2:17", "invalid type: string"),
        ("open", "{\n  \"vertices\": 3".to_string(), "open:2:15", "EOF while parsing an object"),
        ("name.json", "vertices = 3\n".to_string(), "name.json:1:1", "expected value"),
    ] {
        let ran = check(name, &text).failure(1);
        assert!(ran.err.contains(place) && ran.err.contains(&format!("error: {message}")), "{name}: {}", ran.err);
        assert!(!ran.err.contains("TOML") && !ran.err.contains(" column "), "{name}: {}", ran.err);
    }
    let table = check("state", "[[streams]]\nindex = 0\nformat = \"float3\"\n");
    assert!(!table.err.contains("list"), "TOML may begin with a table: {}", table.err);
}

#[test]
fn targets_are_checked_as_by_the_player() {
    let two = "// agal 2 fragment\ntex ft0, v0, fs0 <2d,linear,miplinear,repeat>\nmov oc0, ft0\nmov oc1, fc0\n";
    let vertex = format!("// agal 2 vertex\n{VERTEX}");
    let targets = |list: Value| with(&[("/targets", list)]);
    let [mut small, mut other, mut surface, mut cube, mut flat] = std::array::from_fn(|_| target(1, "b"));
    small["texture"]["width"] = 32.into();
    other["texture"]["format"] = "rgbaHalfFloat".into();
    surface["surface"] = 1.into();
    (cube["texture"]["kind"], cube["surface"]) = ("cube".into(), 6.into());
    (flat["texture"]["kind"], flat["surface"]) = ("rectangle".into(), 1.into());
    for (list, expected) in [
        (json!([target(0, "a"), target(1, "b")]), vec![]),
        (json!([target(1, "a"), target(2, "b")]), vec![3728, 3774]),
        (json!([target(0, "a"), small]), vec![3729]),
        (json!([target(0, "a"), target(1, "a")]), vec![3730]),
        (json!([target(0, "a"), other]), vec![3761]),
        (json!([target(0, "a"), target(4, "b")]), vec![3770, 3774]),
        (json!([target(0, "a"), surface]), vec![3771]),
        (json!([target(0, "a"), cube]), vec![3729, 3772]),
        (json!([target(0, "a"), flat]), vec![3729, 3773]),
        (json!([target(0, "a")]), vec![3774]),
        (json!([]), vec![3774]),
    ] {
        assert_eq!(codes(&vertex, two, &targets(list.clone())), expected, "{list}");
    }
    let depth = two.replace("mov oc1, fc0", "mov od.x, ft0.x");
    assert_eq!(codes(&vertex, &depth, &good()), [0; 0]);
    assert_eq!(codes(&vertex, &depth, &with(&[("/depth_and_stencil", false.into())])), [3776]);
}

#[test]
fn constrained_devices_have_limits() {
    let many = "mul ft0, ft0, fc0\n".repeat(65);
    let fragment = FRAGMENT.replace("mul oc", &format!("{many}mul oc"));
    assert_eq!(codes(VERTEX, &fragment, &good()), [0; 0]);
    let constrained = with(&[("/profile", json!("baselineConstrained"))]);
    assert_eq!(codes(VERTEX, &fragment, &constrained), [3716]);
    let reads = "tex ft0, ft0, fs0 <2d,linear,miplinear,repeat>\n".repeat(32);
    let fragment = FRAGMENT.replace("mul oc", &format!("{reads}mul oc"));
    assert_eq!(codes(VERTEX, &fragment, &constrained), [3717, 3721]);
}

#[test]
fn errors_are_printed_as_those_of_programs_and_toml_is_read_too() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", VERTEX);
    sandbox.write("state.toml", "vertices = 3\nstreams = [{ index = 0, format = \"float3\", vertices = 3 }]\n");
    let check = ["check-draw", "a.vert.agal", "--state", "state.toml"];
    let ran = sandbox.run(&check).failure(1);
    assert!(ran.out.is_empty());
    let expected = "error[AGAL3611]: the vertex program reads `va1`, but stream 1 is not set\n = help: set it with setVertexBufferAt\n";
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert!(ran.err.contains("Flash Player refuses this draw with 1 error"), "{}", ran.err);
    // The message about a malformed state contains the position of the error.
    for (text, message) in [
        ("vertices = 3\nverts = 4\n", "unknown field `verts`"),
        ("streams = [{ index = 0, format = \"float5\" }]", "unknown variant `float5`"),
        ("profile = \"big\"", "unknown profile `big`: use one of baselineConstrained, baseline"),
    ] {
        sandbox.write("state.toml", text);
        let ran = sandbox.run(&check).failure(1);
        assert!(ran.err.contains(message) && ran.err.contains("state.toml:"), "{}", ran.err);
    }
}

/// The example in docs/reflection.md is valid, but becomes invalid if the texture lacks most of its mip levels.
#[test]
fn the_example_of_the_documentation_works() {
    let page = std::fs::read_to_string(repository().join("docs/reflection.md")).expect("the page");
    let (_, example) = page.split_once("```toml\n").expect("the example");
    let (example, _) = example.split_once("```").expect("its end");
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "m44 op, va0, vc0\nmov v0, va0\n");
    sandbox.write("a.frag.agal", FRAGMENT);
    sandbox.write("draw.toml", example);
    let check = ["check-draw", "a.vert.agal", "a.frag.agal", "--state", "draw.toml"];
    sandbox.run(&check).success();
    sandbox.write("draw.toml", example.replace("levels = 9", "levels = 1"));
    let ran = sandbox.run(&check).failure(1);
    assert!(ran.err.contains("error[AGAL3700]"), "{}", ran.err);
}
