//! Tests of names: their effects on the module, their refusals and their precedence.

use agalc::names::{NameErrorKind, NameWarningKind, Names, VertexFormat, apply};
use agalc::{DebugLevel, Input, Loaded, Options, Refused, WarningKind, load_all};
use sdlbc::{Lines, Module, Type};

const VERTEX: &str = "m44 op, va0, vc0\nm34 vt0.xyz, va0, vc4\nmul vt0.xyz, vt0.xyz, vc7.x\nmov vt0.w, va0.w\n\
                      add vt0.xy, vt0.xy, vc8.zwzw\nmov v0, vt0\nm33 vt1.xyz, va1, vc9\nmov vt1.w, va1.w\nmov v1, vt1\n\
                      mul v2, va2, vc12";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d>\nmul ft0, ft0, v2\nmul ft0, ft0, fc0.w\nadd oc, ft0, v1";
const SKINNED: &str =
    "mov vt0.x, va1.x\nm34 vt1.xyz, va0, vc[vt0.x+5]\nmov vt1.w, va0.w\nm44 op, vt1, vc0\nmov v0, vc4";

fn load(texts: &[(&str, &str)], options: &Options) -> Result<Loaded<Module>, Refused> {
    let input = |&(name, text): &(&str, &str)| Input { name: name.to_string(), bytes: text.as_bytes().to_vec() };
    let inputs: Vec<Input> = texts.iter().map(input).collect();
    load_all(&inputs, options)?.try_map(|module| Ok(module.into_module()))
}

fn names(entries: &[&str]) -> Names {
    let mut names = Names::default();
    for entry in entries {
        names.push(Names::parse_entry(entry).unwrap_or_else(|error| panic!("{entry}: {error}")));
    }
    names
}

fn named(texts: &[(&str, &str)], entries: &[&str]) -> Result<Loaded<Module>, Refused> {
    load(texts, &Options::default().names(names(entries)))
}

/// Returns the members of all arrays as text, such as `clip: float4x4 @0`.
fn members(module: &Module) -> Vec<String> {
    let all = module.debug.functions.iter().flat_map(|debug| debug.members.values().flatten());
    let shown = |member: &sdlbc::Member| {
        let component = ["", ".y", ".z", ".w"][member.component as usize];
        format!("{}: {} @{}{component}", member.name, member.ty, member.first)
    };
    all.map(shown).collect()
}

fn inputs(module: &Module, function: usize) -> Vec<String> {
    module.functions[function].inputs.iter().map(|input| format!("{}: {}", input.name, input.ty)).collect()
}

fn warnings(loaded: &Loaded<Module>) -> Vec<String> {
    loaded.warnings.iter().map(ToString::to_string).collect()
}

fn errors(result: Result<Loaded<Module>, Refused>) -> Vec<String> {
    result.expect_err("a name does not fit").names.iter().map(ToString::to_string).collect()
}

#[test]
fn types_of_constants_are_inferred_from_their_use() {
    let entries = ["vc0..3=clip", "vc4=world", "vc7=scale", "vc8.zw=offset", "vc9..11=normals", "vc12=tint"];
    let loaded = named(&[("a.vert", VERTEX)], &entries).expect("a module");
    assert_eq!(
        members(&loaded.module),
        [
            "clip: float4x4 @0",
            "world: float3x4 @4",
            "scale: float @7",
            "offset: float2 @8.z",
            "normals: float3x3 @9",
            "tint: float4 @12"
        ]
    );
    assert_eq!(loaded.warnings, []);
    assert_eq!(sdlbc::verify(&loaded.module), Ok(()));
}

#[test]
fn a_row_of_dot_products_with_one_vector_is_a_matrix_and_other_ranges_are_arrays() {
    let text = "dp4 vt0.x, va0, vc0\ndp4 vt0.y, va0, vc1\ndp4 vt0.z, va0, vc2\ndp4 vt0.w, va0, vc3\nmov op, vt0\n\
                dp3 vt1.x, va1, vc4\ndp3 vt1.y, va0, vc5\nmov vt1.zw, va0\nmov v0, vt1";
    let loaded = named(&[("a.vert", text)], &["vc0..3=clip", "vc4..5=lights"]).expect("a module");
    assert_eq!(members(&loaded.module), ["clip: float4x4 @0", "lights: float4[2] @4"]);
}

#[test]
fn registers_at_computed_indices_are_arrays_and_an_array_grows_for_a_matrix() {
    let loaded = named(&[("a.vert", SKINNED)], &["vc0..3=clip", "vc5=bones", "vc4=tint"]).expect("a module");
    assert_eq!(members(&loaded.module), ["clip: float4x4 @0", "tint: float4 @4", "bones: float4[123] @5"]);
    let debug = &loaded.module.debug.functions[0];
    assert!(debug.ids.values().any(|name| name == "bones") && !debug.ids.values().any(|name| name == "vc"));
    let loaded = named(&[("a.vert", SKINNED)], &["vc5..64=bones"]).expect("a module");
    assert_eq!(members(&loaded.module), ["bones: float4[60] @5"]);
    let part = "m44 vt0.xy, va0, vc0\nmov vt0.zw, va0\nmov op, vt0";
    let loaded = named(&[("a.vert", part)], &["vc0..3=clip:mat4"]).expect("a module");
    assert_eq!(inputs(&loaded.module, 0), ["va0: float4", "vc: float4[4]"]);
    let loaded = named(&[("a.vert", part)], &["vc0=clip"]).expect("a module");
    assert_eq!(members(&loaded.module), ["clip: float2x4 @0"]);
}

#[test]
fn everything_that_has_a_register_gets_its_name() {
    let entries = [
        "va0=position:vec3",
        "va1=normal:float3",
        "va2=tint:bytes4",
        "v0=uv",
        "v1=world normal",
        "vc=transform",
        "op=clip",
        "fs0=albedo",
        "fc=material",
        "oc=colour",
        "vt0=here",
        "ft0=texel",
    ];
    let loaded = named(&[("a.vert", VERTEX), ("a.frag", FRAGMENT)], &entries).expect("a module");
    let module = &loaded.module;
    assert_eq!(inputs(module, 0), ["position: float3", "normal: float3", "tint: float4", "transform: float4[13]"]);
    assert_eq!(
        inputs(module, 1),
        ["uv: float4", "world_normal: float4", "v2: float4", "material: float4[1]", "albedo: texture2d"]
    );
    let outputs = |function: usize| module.functions[function].outputs.iter().map(|output| &*output.name);
    assert_eq!(outputs(0).chain(outputs(1)).collect::<Vec<_>>(), ["clip", "uv", "world_normal", "v2", "colour"]);
    let values: Vec<&str> = module.debug.functions.iter().flat_map(|debug| debug.ids.values()).collect();
    assert!(values.contains(&"here") && values.contains(&"texel") && values.contains(&"world_normal"), "{values:?}");
    assert!(!values.iter().any(|name| ["vt0", "ft0", "v0", "v1", "op", "oc", "va0"].contains(name)), "{values:?}");
    let formats: Vec<_> = loaded.formats.iter().map(|(location, format)| (*location, *format)).collect();
    assert_eq!(formats, [(0, VertexFormat::Float32x3), (1, VertexFormat::Float32x3), (2, VertexFormat::Unorm8x4)]);
    assert_eq!(warnings(&loaded), ["`world normal`, the name of `v1`, is not an identifier; it became `world_normal`"]);
}

#[test]
fn later_sources_override_earlier_ones() {
    let text = format!("// vc0-3 = from comment\n// vc7 = scale\n// va1 = n: vec3\n{VERTEX}");
    let only = load(&[("a.vert", &text)], &Options::default()).expect("a module");
    assert_eq!(members(&only.module), ["from_comment: float4x4 @0", "scale: float @7"]);
    assert_eq!(inputs(&only.module, 0)[1], "n: float3");
    let mut given =
        Names::from_toml("\"vc0..3\" = 'from file'\nva1 = 'normal'\nvc7 = 'size'", "a.toml").expect("names");
    given.extend(names(&["vc7=given", "vc0..1=half"]));
    let options = Options::default().names(given);
    let loaded = load(&[("a.vert", &text)], &options).expect("a module");
    assert_eq!(members(&loaded.module), ["half: float4[2] @0", "given: float @7"]);
    assert_eq!(inputs(&loaded.module, 0)[1], "normal: float4", "the name overrides the comment as a whole");
    assert_eq!(
        warnings(&loaded),
        [
            "a.toml:1:12: `from file`, the name of `vc0..3`, is not used, because `vc0..1` has the name `half`",
            "`vc0..1` is a part of the matrix vc0..3, so `half` is an array"
        ]
    );
    let ignoring = Options::default().ignore_source_names(true);
    assert_eq!(members(&load(&[("a.vert", &text)], &ignoring).expect("a module").module), [""; 0]);
}

#[test]
fn aliases_are_names_unless_they_mean_several_registers() {
    let text = "alias va0, position\nalias vc0, clip\nalias vc4.x, half\nalias vt0, temp\nalias vt0, other\nalias va1, thing\n\
                alias va2, thing\nalias vc5, CONST(2)\nalias vc6, CONST(3)\ntemp = position * half\nvt0 += va1\nvt0 += va2\n\
                vt0 *= 2\nvt0 += 3\nop = mul4x4(temp, clip)";
    let loaded = load(&[("a.vert", text)], &Options::default()).expect("a module");
    assert_eq!(inputs(&loaded.module, 0)[..3], ["position: float4", "va1: float4", "va2: float4"]);
    assert_eq!(members(&loaded.module), ["clip: float4x4 @0", "half: float @4"]);
    assert!(loaded.module.debug.functions[0].ids.values().any(|name| name == "vt0"));
}

#[test]
fn components_of_temporaries_have_names_in_programs() {
    let text = "dp3 vt0.x, va0, va1\nmul vt0.yzw, va0, vt0.x\nmov op, va0\nmov v0, vt0";
    let loaded = named(&[("a.vert", text)], &["vt0.x=shine", "vt0.yzw=rest"]).expect("a module");
    let values: Vec<&str> = loaded.module.debug.functions[0].ids.values().collect();
    assert!(values.contains(&"shine") && values.contains(&"rest"), "{values:?}");
}

#[test]
fn what_cannot_be_honoured_is_an_error() {
    let vertex = [("a.vert", VERTEX)];
    for (entries, expected) in [
        (&["vc0..3=m:mat3"][..], "`vc0..3` cannot be a mat3x3, which takes 3 registers, not 4"),
        (&["vc0..2=m:mat3"], "`vc0..2` cannot be a mat3x3, because the program also reads vc0.w"),
        (&["vc12=m:vec3"], "`vc12` cannot be a vec3, because the program also reads vc12.w"),
        (
            &["vc7.yz=m"],
            "`vc7.yz` cannot be a vec2, which must begin at x or z, not at y; name each component separately",
        ),
        (
            &["vc12.yzw=m"],
            "`vc12.yzw` cannot be a vec3, which must begin at x, not at y; name each component separately",
        ),
        (&["vc7.x=m:vec2"], "`vc7.x` cannot be a vec2, which has 2 components, not 1"),
        (&["vc7.x=m:mat4"], "`vc7.x` cannot be a mat4x4, because the name covers 1 component of one register"),
        (&["vc0..3=m", "vc2=n"], "`vc2` overlaps `vc0..3`, which has the name `m`; keep one of the two"),
        (&["va0=m", "va0=n"], "`va0` already has the name `m`; keep one of the two"),
        (&["v0=m:vec2"], "`v0` cannot have a type; only constants and attributes can"),
        (
            &["va0=m:mat4"],
            "`va0` cannot be a mat4x4; an attribute is a float, vec2 to vec4, or a format such as Unorm8x4",
        ),
        (
            &["vc7=m:bytes4"],
            "`vc7` cannot be Unorm8x4, which is a format of vertex buffers; a constant is a float, vec2 to vec4, a matrix or vec4[N]",
        ),
        (&["va0..1=m"], "`va0..1` cannot share a name; only constants can be named as a range"),
        (
            &["va0.xy=m"],
            "`va0.xy` cannot have a name; only components of constants, and of temporaries in AGAL programs, can be named",
        ),
        (&["vc4095=m:mat4"], "`vc4095` is beyond the last of the 4096 constants"),
    ] {
        assert_eq!(errors(named(&vertex, entries)), [expected]);
    }
    assert_eq!(
        errors(named(&[("a.vert", SKINNED)], &["vc5=m:vec4", "vc126..127=n"])),
        [
            "`vc5` must be an array, because the program reads vc5 at a computed index; name a range such as vc5.. or give it the type vec4[]",
            "`vc126..127` may belong to the array that the program reads at a computed index from vc5 on; name that array with its end: vc5..N=NAME"
        ]
    );
    assert_eq!(
        errors(named(&[("a.vert", SKINNED)], &["vc5..125=m", "vc126..129=n"])),
        ["`vc126..129` is beyond the last of the 128 constants"]
    );
}

/// Returns the array that the WGSL output indexes first, with the bounds of the computed index, such as `vc.bones 0..122`.
fn indexed(text: &str, entries: &[&str]) -> String {
    let loaded = named(&[("a.vert", text)], entries).expect("a module");
    let wgsl = backends::wgsl(&loaded.module, &backends::Layout::default()).expect("WGSL");
    let read = wgsl.split_once("[clamp(").expect("a computed index");
    let array = read.0.rsplit([' ', '(']).next().unwrap_or_default();
    let last = read.1.split_once(", 0i, ").expect("bounds").1.split_once("i)").expect("bounds").0;
    format!("{array} 0..{last}")
}

#[test]
fn a_name_never_cuts_what_a_computed_index_may_reach() {
    let rows = "mov vt0, vc[va1.x+8]\nadd vt0, vt0, vc[va1.x+9]\nm44 vt0, vt0, vc0\nadd op, vt0, vc4";
    assert_eq!(indexed(rows, &[]), "vc 0..127");
    for (comment, expected) in [
        ("vc8: row_x, vc9: row_y", "vc.row_x 0..119"),
        ("vc20: tint", "vc 0..127"),
        ("vc8-67: bones, vc68..71: more", "vc.bones 0..119"),
        ("vc8.. = bones: vec4[]", "vc.bones 0..119"),
        ("vc8..10 = bones: vec4[3]", "vc.bones 0..119"),
        ("vc0-3: clip", "vc.vc8 0..119"),
        ("vc9..40 = rows", "vc 0..127"),
    ] {
        let comment = comment.replace(", ", "\n// ");
        let text = format!("// {comment}\n{rows}");
        assert_eq!(indexed(&text, &[]), expected, "{text}");
    }
    // A computed index without a constant base may reach every constant.
    let absolute = "// vc0-3: clip\nmov vt0, vc[va1.x]\nm44 op, vt0, vc0";
    assert_eq!(indexed(absolute, &[]), "vc 0..127");
    assert_eq!(
        errors(named(&[("a.vert", absolute)], &["vc0..3=clip"])),
        [
            "`vc0..3` must be an array, because the program reads vc0 at a computed index; name a range such as vc0.. or give it the type vec4[]"
        ]
    );
    // An explicit end is the caller's promise that computed indices stay within the array.
    assert_eq!(indexed(rows, &["vc8..67=bones", "vc68..71=more"]), "vc.bones 0..59");
    assert_eq!(indexed(rows, &["vc8=bones:vec4[60]"]), "vc.bones 0..59");
    assert_eq!(indexed(rows, &["vc8=bones"]), "vc.bones 0..119");
    for (entries, register, base) in
        [(["vc8=bones", "vc20=tint"], "vc20", 8), (["vc9..40=bones", "vc0..3=clip"], "vc9..40", 8)]
    {
        let expected = format!(
            "`{register}` may belong to the array that the program reads at a computed index from vc{base} on; name that array with its end: vc{base}..N=NAME"
        );
        assert_eq!(errors(named(&[("a.vert", rows)], &entries)), [expected]);
    }
}

#[test]
fn members_that_a_module_has_stay_unless_their_registers_get_another_name() {
    let mut module = named(&[("a.vert", VERTEX)], &["vc0..3=clip", "vc7=scale", "vc12=tint"]).expect("a module").module;
    let applied = apply(&mut module, &names(&["vc9..11=clip", "vc7=size"])).expect("they fit");
    assert_eq!(members(&module), ["clip: float4x4 @0", "size: float @7", "clip_2: float3x3 @9", "tint: float4 @12"]);
    let warnings: Vec<String> = applied.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "`size`, the name of `vc7`, replaces `scale`, the module's name of `vc7`",
            "`clip`, the name of `vc9..11`, is already taken; it became `clip_2`"
        ]
    );
}

#[test]
fn an_array_that_other_functions_read_too_keeps_its_length() {
    let text = "generic function \"helper\" {
  input %1 vc: float4[3] = uniform
  output 0 result: float4 = returned
  %2 = peek %1, 2
  return %2
}
vertex function \"main\" {
  input %1 vc: float4[3] = uniform
  output 0 op: float4 = position
  %2 = peek %1, 0
  %3 = call 0
  %4 = add %2, %3
  poke %4, 0
}
";
    let mut module = sdlbc::parse(text).expect("a module");
    let found = apply(&mut module, &names(&["vc0..3=clip:mat4"])).expect_err("it is too long");
    assert_eq!(found[0].to_string(), "`vc0..3` is beyond the last of the 3 constants");
}

#[test]
fn a_file_of_names_for_the_text_is_for_the_module_too() {
    let file = "va0 = 'position'\n\"vt0.x\" = 'shine'\nvt1 = 'unused'\nvt0 = 'moved'";
    let names = Names::from_toml(file, "a.toml").expect("names");
    let options = Options::default().names(names.clone());
    let text = "dp3 vt0.x, va0, va1\nmul vt0.yzw, va0, vt0.x\nmul vt1, va0, va1\nadd op, vt0, vt1";
    let mut module = load(&[("a.vert", text)], &options).expect("a module").module;
    let before = module.clone();
    assert_eq!(apply(&mut module, &names).expect("they fit").warnings, []);
    assert_eq!(module, before);
}

#[test]
fn a_name_that_does_not_fit_leaves_the_module_as_it_was() {
    let before = named(&[("a.vert", VERTEX)], &[]).expect("a module").module;
    let mut module = before.clone();
    let errors =
        apply(&mut module, &names(&["va0=position:vec3", "vc12=tint:vec2", "vt0.x=a"])).expect_err("two errors");
    assert!(matches!(errors[..], [ref part, ref more] if part.kind == NameErrorKind::Components
        && matches!(more.kind, NameErrorKind::ReadsMore { register: 12, component: 2, .. })));
    assert_eq!(module, before);
}

#[test]
fn names_from_the_text_that_do_not_fit_are_dropped_without_a_word() {
    let text = format!(
        "// vc0..2: m: mat3\n// vc7.yz = m\n// va0.xy = m\n// vc5: vec5: what\n// v0 = m: vec2\n// vc50: m\n{VERTEX}"
    );
    let with = load(&[("a.vert", &text)], &Options::default()).expect("a module");
    let without = named(&[("a.vert", VERTEX)], &[]).expect("a module");
    assert_eq!((with.module, with.warnings), (without.module, without.warnings));
}

#[test]
fn what_is_not_used_or_changed_is_a_warning() {
    let entries = [
        "vc100=a",
        "va7=b",
        "fs0=c",
        "vt5=d",
        "va0=same",
        "va1=same",
        "vc0..3=same",
        "vc7=same",
        "v0=in  out",
        "vc8.x=e",
    ];
    let loaded = named(&[("a.vert", VERTEX)], &entries).expect("a module");
    let kinds = loaded.warnings.iter().map(|warning| match &warning.kind {
        WarningKind::Name(warning) => (warning.registers.to_string(), warning.kind.clone()),
        other => panic!("{other:?}"),
    });
    let mut kinds: Vec<_> = kinds.collect();
    kinds.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [
        ("fs0", NameWarningKind::NoStage(agal_front::Stage::Fragment)),
        ("v0", NameWarningKind::Became("in_out".to_string())),
        ("va1", NameWarningKind::Taken("same_2".to_string())),
        ("va7", NameWarningKind::Unused),
        ("vc100", NameWarningKind::Unused),
        ("vc7", NameWarningKind::Taken("same_2".to_string())),
        ("vc8.x", NameWarningKind::Unused),
        ("vt5", NameWarningKind::Unused),
    ];
    assert_eq!(kinds, expected.map(|(registers, kind)| (registers.to_string(), kind)));
}

#[test]
fn explicit_names_apply_without_a_debug_table_and_lines_stay_with_their_instructions() {
    let options = |debug| Options::default().debug(debug).names(names(&["vc0..3=clip", "va0=p:vec3", "va1=n:vec2"]));
    let none = load(&[("a.vert", VERTEX)], &options(DebugLevel::None)).expect("a module").module;
    assert_eq!(members(&none), ["clip: float4x4 @0"]);
    assert!(none.debug.functions[0].ids.is_empty());
    assert_eq!(sdlbc::verify(&none), Ok(()));
    let full = load(&[("a.vert", VERTEX)], &options(DebugLevel::Lines)).expect("a module").module;
    assert_eq!(sdlbc::verify(&full), Ok(()));
    let Some(Lines { numbers, .. }) = &full.debug.functions[0].lines else { panic!("it has lines") };
    // Every instruction that remains after names are applied keeps its line number.
    let plain = Options::default().debug(DebugLevel::Lines);
    let plain = load(&[("a.vert", VERTEX)], &plain).expect("a module").module;
    let lines = |module: &Module| -> Vec<(sdlbc::Op, u32)> {
        let numbers = &module.debug.functions[0].lines.as_ref().expect("lines").numbers;
        let body = &module.functions[0].body;
        let all = body.insts().iter().zip(numbers).map(|(inst, line)| (inst.op, *line));
        all.filter(|(op, _)| !matches!(op, sdlbc::Op::Swizzle | sdlbc::Op::LiteralFloat | sdlbc::Op::Vector)).collect()
    };
    assert_eq!(lines(&full), lines(&plain));
    assert!(numbers.len() <= full.functions[0].body.insts().len() && numbers.contains(&10));
}

#[test]
fn names_are_applied_again_to_a_module_that_has_them() {
    let entries = ["vc0..3=clip", "vc=transform", "va1=n:vec3", "v0=uv"];
    let once = named(&[("a.vert", VERTEX)], &entries).expect("a module").module;
    let mut twice = once.clone();
    apply(&mut twice, &names(&entries)).expect("they fit");
    assert_eq!(twice, once);
    apply(&mut twice, &names(&["vc0..3=mvp", "vc=other", "va1=normal", "v0=at"])).expect("they fit");
    assert_eq!(members(&twice), ["mvp: float4x4 @0"]);
    assert_eq!(inputs(&twice, 0)[1..], ["normal: float3", "va2: float4", "other: float4[13]"]);
    apply(&mut twice, &names(&["vc7.x=scale", "va0=at"])).expect("they fit");
    apply(&mut twice, &names(&["vc7.y=more", "vc8=offset"])).expect("they fit");
    assert_eq!(members(&twice), ["mvp: float4x4 @0", "scale: float @7", "offset: float4 @8"], "earlier names are kept");
    apply(&mut twice, &names(&["vc2..3=half"])).expect("they fit");
    assert_eq!(members(&twice), ["half: float4[2] @2", "scale: float @7", "offset: float4 @8"]);
    let errors = apply(&mut twice, &names(&["va1=n:vec4"])).expect_err("it has three");
    assert_eq!(errors[0].kind, NameErrorKind::Attribute { ty: Type::floats(3) });
}

#[test]
fn names_come_back_from_the_comments_that_they_are_written_as() {
    let entries = ["vc0..3=clip:mat4", "vc7.x=scale", "va1=uv:float2", "v0=uv", "vt0=here", "vc=transform", "op=clip"];
    let comments = names(&entries).comments(agal_front::Stage::Vertex);
    let text = format!("{comments}{VERTEX}");
    let by_text = load(&[("a.vert", &text)], &Options::default()).expect("a module");
    let by_option = named(&[("a.vert", VERTEX)], &entries).expect("a module");
    assert_eq!(by_text.module, by_option.module);
    assert_eq!(by_text.formats, by_option.formats);
}

#[test]
fn inlined_constants_are_literals_and_need_no_upload() {
    let text = "alias vc4, CONST(0.5, 2)\nalias vc5.w, CONST(7)\nalias vc0, clip\nvt0 = va0 * 0.5\nvt0 += vc5\nop = mul4x4(vt0, clip)\n\
                v0 = va0 * 2";
    let options = Options::default().inline_constants(true);
    let loaded = load(&[("a.vert", text)], &options).expect("a module");
    assert!(loaded.programs[0].agal().expect("AGAL").aliases.iter().all(|alias| alias.values.is_none()));
    assert_eq!(inputs(&loaded.module, 0), ["va0: float4", "vc: float4[6]"]);
    let printed = sdlbc::print(&loaded.module);
    assert!(
        ["literalfloat 0.5", "literalfloat 2.0", "literalfloat 7.0"].iter().all(|one| printed.contains(one)),
        "{printed}"
    );
    assert!(!printed.contains("peek %2, 4"), "{printed}");
    // Constants that a computed index may reach are still uploaded.
    let indexed = format!("{text}\nv1 = vc[va1.x+4]");
    let loaded = load(&[("a.vert", &indexed)], &options).expect("a module");
    assert_eq!(
        loaded.programs[0].agal().expect("AGAL").aliases.iter().filter(|alias| alias.values.is_some()).count(),
        2
    );
    let loaded = load(&[("a.vert", VERTEX)], &options).expect("a module");
    assert_eq!(warnings(&loaded), ["`a.vert` gives no constant a value, so there is nothing to inline"]);
}

/// An array that is read beyond its end cannot grow, because the read returns the array's last element.
#[test]
fn registers_of_modules_are_found_by_their_place_and_a_read_beyond_the_end_is_of_the_last() {
    let text = |offset: &str| {
        format!(
            "vertex function \"main\" {{\n  input %1 somewhere: float4 = attribute 3\n  input %2 things: float4[4] = uniform\n  \
             output 0 there: float4 = position\n  %3 = peek %2, {offset}\n  %4 = add %1, %3\n  poke %4, 0\n}}\n"
        )
    };
    let loaded = named(&[("a.sdlasm", &text("2"))], &["va3=position", "vc2..5=colours:vec4[]"]).expect("a module");
    assert_eq!(inputs(&loaded.module, 0), ["position: float4", "things: float4[6]"]);
    assert_eq!(members(&loaded.module), ["colours: float4[4] @2"]);
    let loaded = named(&[("a.sdlasm", &text("9"))], &["vc3=last", "op=clip"]).expect("a module");
    assert_eq!(members(&loaded.module), ["last: float4 @3"]);
    assert_eq!(
        errors(named(&[("a.sdlasm", &text("9"))], &["vc3..4=last"])),
        ["`vc3..4` is beyond the last of the 4 constants"]
    );
    assert_eq!(sdlbc::verify(&loaded.module), Ok(()));
}
