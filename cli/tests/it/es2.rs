//! Checks the command with unified-shader programs: as text and as code words, singly and in pairs, for every target, and with
//! errors.

use crate::support::sandbox::Sandbox;
use crate::support::schema::violations;
use crate::support::{GLSLANG, SPIRV_VAL, naga_accepts, testdata};
use serde_json::{Value, json};
use testing::{Effort, repository};

const PROGRAMS: [&str; 4] = ["functions", "lighting", "lighting_vertex", "transform"];

fn programs() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in PROGRAMS {
        let file = format!("{name}.es2");
        sandbox.write(&file, std::fs::read(testdata(&format!("es2/{file}"))).expect("the program"));
    }
    sandbox
}

fn check_spirv(sandbox: &Sandbox, file: &str) {
    if SPIRV_VAL.is_there() {
        let path = sandbox.path(file);
        SPIRV_VAL.run(&["--target-env".as_ref(), "vulkan1.1".as_ref(), path.as_ref()]).expect("valid");
    }
}

#[test]
fn programs_compile_to_every_target_by_way_of_code_words_and_modules_too() {
    for &name in Effort::part_of("PROGRAMS", &PROGRAMS) {
        let sandbox = programs();
        let text = format!("{name}.es2");
        sandbox.run(&["assemble", &text, "-o", "p.es2bc"]).success();
        sandbox.run(&["compile", "p.es2bc", "-o", "p.sdlbc", "--debug", "none"]).success();
        let stage = if name.contains("vertex") || name == "transform" { "vert" } else { "frag" };
        // Only GLSL and SPIR-V have point sizes and point coordinates.
        let targets: &[&str] = match name {
            "transform" | "functions" => &["spv", "glsl"],
            _ => &["spv", "glsl", "wgsl", "hlsl", "msl"],
        };
        for target in targets {
            let [from_text, from_words, from_module] = [text.as_str(), "p.es2bc", "p.sdlbc"].map(|input| {
                let output = format!("o.{target}");
                let glsl: &[&str] = if *target == "glsl" { &["--glsl", "450"] } else { &[] };
                sandbox.run(&[&["compile", input, "--debug", "none", "-o", &output], glsl].concat()).success();
                sandbox.read(&output)
            });
            assert!(from_text == from_words && !from_text.is_empty(), "{name} to {target}");
            // `--debug none` removes the names of values from modules and from directly translated programs.
            assert!(from_words == from_module, "{name} to {target} by way of a module");
        }
        check_spirv(&sandbox, "o.spv");
        if targets.contains(&"wgsl") {
            naga_accepts(&sandbox.text("o.wgsl")).expect("naga accepts it");
        }
        if GLSLANG.is_there() {
            let path = sandbox.path("o.glsl");
            GLSLANG
                .run(&["-S".as_ref(), stage.as_ref(), path.as_ref()])
                .unwrap_or_else(|said| panic!("{name}: {said}"));
        }
    }
}

#[test]
fn a_pair_is_linked_and_may_have_one_program_in_agal() {
    let sandbox = programs();
    sandbox.run(&["compile", "lighting_vertex.es2", "lighting.es2", "-o", "p.wgsl", "-o", "p.spv"]).success();
    check_spirv(&sandbox, "p.spv");
    let text = sandbox.text("p.wgsl");
    naga_accepts(&text).expect("naga accepts it");
    assert!(text.contains("fn vs_main") && text.contains("fn fs_main"), "{text}");
    sandbox.write("f.agal", "mul oc, v0, fc0\n");
    sandbox.run(&["compile", "lighting_vertex.es2", "f.agal", "-o", "q.wgsl"]).success();
    naga_accepts(&sandbox.text("q.wgsl")).expect("naga accepts it");
    // The vertex program must write the varyings that the fragment program reads, regardless of the order and the languages of
    // the inputs.
    sandbox.write("v.es2", "!!ES2vp1.0\nMOV position, a0;\nEND\n");
    sandbox.write("f.es2", "!!ES2fp1.0\nMOV fragcolor, v3;\nEND\n");
    sandbox.write("v.agal", "mov op, va0\n");
    sandbox.write("f.agal", "mov oc, v3\n");
    for pair in [["v.es2", "f.es2"], ["f.es2", "v.es2"]] {
        let said = sandbox.run(&[&["compile"], &pair[..], &["-o", "r.wgsl"]].concat()).failure(1);
        assert!(said.err.contains("error[ES2131]: the vertex program does not write v3.xyzw"), "{}", said.err);
    }
    for pair in [["v.es2", "f.agal"], ["f.agal", "v.es2"], ["v.agal", "f.es2"], ["f.es2", "v.agal"]] {
        let said = sandbox.run(&[&["compile"], &pair[..], &["-o", "r.wgsl"]].concat()).failure(1);
        assert!(said.err.contains("does not write the varying `v3`"), "{pair:?}: {}", said.err);
    }
    let two = sandbox.run(&["compile", "lighting.es2", "functions.es2", "-o", "r.wgsl"]).failure(1);
    assert!(two.err.contains("one vertex and one fragment program"), "{}", two.err);
    assert!(!sandbox.path("r.wgsl").exists());
}

#[test]
fn code_words_are_listed_and_become_the_text_again() {
    let sandbox = programs();
    sandbox.run(&["assemble", "lighting.es2", "-o", "l.es2bc"]).success();
    let dump = sandbox.run(&["dump", "l.es2bc"]).success();
    let lines: Vec<&str> = dump.text().lines().collect();
    assert_eq!(lines[0], "000000  0000000166325345     fragment program, t0 2D");
    assert_eq!(lines[1], "000008  401010e421c83210     1  DP3 r0.w, v0, v0;");
    assert_eq!(lines.len(), 16);
    sandbox.run(&["disassemble", "l.es2bc", "-o", "again.es2"]).success();
    sandbox.run(&["assemble", "again.es2", "-o", "again.es2bc"]).success();
    assert_eq!(sandbox.read("l.es2bc"), sandbox.read("again.es2bc"));
    let named = sandbox.run(&["disassemble", "l.es2bc", "--annotate"]).failure(2);
    assert!(named.err.contains("annotations and names are only for AGAL programs"), "{}", named.err);
}

#[test]
fn errors_have_their_line_or_their_word_and_nothing_is_written() {
    let sandbox = programs();
    sandbox.write("wrong.es2", "!!ES2fp1.0\nMUV r0, v0;\nMOV fragcolor, r1;\nMOV r2, v0;\nEND\n");
    let said = sandbox.run(&["compile", "wrong.es2", "-o", "w.wgsl"]).failure(1);
    assert!(said.err.contains("error[ES2147]: `MUV` is not an opcode"), "{}", said.err);
    assert!(said.err.contains("wrong.es2:2:1") && said.err.contains("MUV r0, v0;"), "{}", said.err);
    assert!(said.err.contains("`wrong.es2` has 1 error; nothing was written"), "{}", said.err);
    assert!(!sandbox.path("w.wgsl").exists());

    sandbox.write("unwritten.es2", "!!ES2fp1.0\nMOV fragcolor, r1;\nMOV r2, v0;\nEND\n");
    let warned = sandbox.run(&["compile", "unwritten.es2", "-o", "w.wgsl"]).success();
    assert!(warned.err.contains("warning[ES2126]: r1.xyzw was never written and is 0"), "{}", warned.err);
    assert!(warned.err.contains("warning[ES2128]: nothing reads the result"), "{}", warned.err);
    let silent = sandbox.run(&["compile", "unwritten.es2", "-W", "allow", "-o", "w.wgsl"]).success();
    assert!(!silent.err.contains("warning"), "{}", silent.err);
    sandbox.run(&["compile", "unwritten.es2", "-W", "error", "-o", "x.wgsl"]).failure(1);
    assert!(!sandbox.path("x.wgsl").exists());

    let word = (29u64 << 58 | 1).to_le_bytes();
    sandbox.write("wrong.es2bc", [b"ES2f\x01\0\0\0".as_slice(), &word].concat());
    let said = sandbox.run(&["validate", "wrong.es2bc"]).failure(1);
    assert!(said.err.contains("error[ES2111]: wrong.es2bc: no opcode has the number 29"), "{}", said.err);
    assert!(said.err.contains("instruction 1, byte 8"), "{}", said.err);
    let dump = sandbox.run(&["dump", "wrong.es2bc"]).failure(1);
    assert!(
        dump.text().contains("000008  7400000000000001     1    <- no opcode has the number 29"),
        "{}",
        dump.text()
    );
    sandbox.write("short.es2bc", "ES2v");
    let short = sandbox.run(&["compile", "short.es2bc", "-o", "w2.wgsl"]).failure(1);
    assert!(short.err.contains("ES2101"), "{}", short.err);

    // If one program of a pair is invalid, the findings about the other program are reported as warnings. Even a finding about
    // missing code has a position in the source.
    sandbox.write("v.es2", "!!ES2vp1.0\nMOV r0, r1;\nMOV position.xyz, a0;\nEND\n");
    sandbox.write("good.es2", "!!ES2fp1.0\nMOV fragcolor, r1;\nEND\n");
    let both = sandbox.run(&["compile", "v.es2", "good.es2", "-o", "w3.wgsl"]).failure(1);
    assert!(both.err.contains("v.es2:4:1") && both.err.contains("ES2123"), "{}", both.err);
    assert!(both.err.contains("warning[ES2126]") && both.err.contains("good.es2:2:16"), "{}", both.err);
    let many = ["!!ES2fp1.0\n", &"FOO;\n".repeat(3000), "END\n"].concat();
    sandbox.write("many.es2", many);
    let many = sandbox.run(&["validate", "many.es2"]).failure(1);
    assert!(
        many.err.contains("`many.es2` has 3000 errors") && many.err.contains("2000 further"),
        "{}",
        &many.err[..200]
    );

    let mixed = sandbox.run(&["assemble", "--expand", "lighting.es2", "-o", "-"]).failure(1);
    assert!(mixed.err.contains("is not AGAL"), "{}", mixed.err);
}

#[test]
fn validate_reports_the_findings_of_a_pair_as_json() {
    let sandbox = programs();
    sandbox.write("v.es2", "!!ES2vp1.0\nMOV position, a0;\nEND\n");
    let said = sandbox.run(&["validate", "v.es2", "lighting.es2", "--json"]).failure(1);
    let report: Value = serde_json::from_str(said.text()).expect("JSON");
    assert_eq!(report["programs"][0]["findings"], json!([]));
    assert_eq!(report["programs"][0]["stage"], "vertex");
    let finding = &report["programs"][1]["findings"][0];
    assert_eq!((&finding["code"], &finding["line"]), (&"ES2131".into(), &3.into()));
    assert_eq!(finding["message"], "the vertex program does not write v0.xyz");
    sandbox.run(&["validate", "lighting_vertex.es2", "lighting.es2"]).success();
}

#[test]
fn a_program_is_run_and_described_as_its_module_is() {
    let sandbox = programs();
    sandbox.write("sum.es2", "!!ES2fp1.0\nMAD fragcolor, v0, u1, u2.x;\nEND\n");
    let ran =
        sandbox.run(&["run", "sum.es2", "--set", "v0=1,2,3,4", "--set", "u[1]=2,2,2,2", "--set", "u[2]=0.5,0,0,0"]);
    let ran = ran.success();
    assert!(ran.text().contains("2.5") && ran.text().contains("8.5"), "{}", ran.text());
    let described = sandbox.run(&["inspect", "lighting.es2"]).success();
    assert!(described.text().contains("varying at location 0"), "{}", described.text());
    let printed = sandbox.run(&["print", "lighting.es2"]).success();
    assert!(printed.text().starts_with("fragment function \"fs_main\""), "{}", printed.text());
}

#[test]
fn a_scene_is_drawn_as_with_the_same_programs_in_agal() {
    let sandbox = Sandbox::new();
    sandbox.write("v.es2", "!!ES2vp1.0\nDP4 position.x, u0, a0;\nDP4 position.y, u1, a0;\nDP4 position.z, u2, a0;\nDP4 position.w, u3, a0;\nMOV v0, a1;\nMOV v1, a2;\nEND\n");
    sandbox.write(
        "f.es2",
        "!!ES2fp1.0\nTEX r0, v0, t0;\nDP3 r1.x, v1, u4;\nMAX r1.x, r1.x, u5.x;\nMUL fragcolor, r0, r1.x;\nEND\n",
    );
    sandbox.write("v.agal", "m44 op, va0, vc0\nmov v0, va1\nmov v1, va2\n");
    sandbox.write("f.agal", "tex ft0, v0, fs0 <2d,linear,repeat,mipnone,ignoresampler>\ndp3 ft1.x, v1, fc4\nmax ft1.x, ft1.x, fc5.x\nmul oc, ft0, ft1.x\n");
    let scene = |vertex: &str, fragment: &str, texture: &str, constants: &str| {
        format!(
            "vertex = \"{vertex}\"\nfragment = \"{fragment}\"\nsize = [96, 96]\nmesh = {{ shape = \"torus\", tube = 0.3 }}\n\
             camera = {{ eye = [0, 2, -3] }}\n[textures]\n{texture} = \"checker\"\n[constants]\n{constants}"
        )
    };
    let rows = "4 = { direction = [-1, 2, -1] }";
    let of_es2 = scene("v.es2", "f.es2", "t0", &format!("u0 = \"clip\"\nu{rows}\nu5 = [0.2]\n"));
    let of_agal = scene("v.agal", "f.agal", "fs0", &format!("vc0 = \"clip\"\nfc{rows}\nfc5 = [0.2]\n"));
    sandbox.write("es2.toml", of_es2);
    sandbox.write("agal.toml", of_agal);
    sandbox.run(&["render", "es2.toml", "-o", "es2.png"]).success();
    sandbox.run(&["render", "agal.toml", "-o", "agal.png"]).success();
    let compared = sandbox.run(&["compare", "es2.png", "agal.png"]).success();
    assert!(compared.text().contains("the pictures are the same"), "{}", compared.text());
}

fn registers<'a>(stage: &'a Value, part: &str, field: &str) -> Vec<&'a str> {
    stage[part].as_array().expect("a list").iter().map(|one| one[field].as_str().unwrap_or("none")).collect()
}

#[test]
fn registers_have_the_names_of_the_language_that_the_program_is_in() {
    let sandbox = programs();
    sandbox.write(
        "all.es2",
        "!!ES2fp1.0\nTEX r0, v0, t3;\nADD r0, r0, fragcoord;\nADD r0, r0, pointcoord;\nMUL d0, r0, frontfacing.x;\nMOV d1, u4;\nEND\n",
    );
    sandbox.write("all.agal", "tex ft0, v0, fs3 <2d>\nadd oc, ft0, fc4\n");
    sandbox.write("sized.es2", "!!ES2vp1.0\nMOV position, a2;\nMOV pointsize.x, u1;\nMOV v0, a15;\nEND\n");
    let schema = std::fs::read_to_string(repository().join("docs/reflection.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let reflected = |inputs: &[&str]| -> Value {
        let options = ["-o", "p.spv", "--reflect", "p.json"];
        sandbox.run(&[&["compile"], inputs, &options].concat()).success();
        let value: Value = serde_json::from_str(&sandbox.text("p.json")).expect("JSON");
        assert_eq!(violations(&schema, &value), [""; 0]);
        value
    };
    let pair = reflected(&["sized.es2", "all.es2"]);
    let [vertex, fragment] = [&pair["stages"][0], &pair["stages"][1]];
    assert_eq!(registers(vertex, "attributes", "register"), ["a2", "a15"]);
    assert_eq!(registers(vertex, "outputs", "register"), ["pointsize", "position"]);
    assert_eq!(registers(vertex, "constants", "file"), ["u"]);
    assert_eq!(registers(fragment, "samplers", "register"), ["t3"]);
    assert_eq!(registers(fragment, "outputs", "register"), ["d0", "d1"]);
    let mut builtins = registers(fragment, "builtins", "register");
    builtins.sort_unstable();
    assert_eq!(builtins, ["fragcoord", "frontfacing", "pointcoord"]);
    assert_eq!(registers(&pair, "varyings", "register"), ["v0"]);
    let mut resources = registers(&pair["outputs"][0], "resources", "register");
    resources.dedup();
    assert_eq!(resources, ["u", "t3"]);
    let colour = reflected(&["lighting_vertex.es2", "lighting.es2"]);
    assert_eq!(registers(&colour["stages"][1], "outputs", "register"), ["fragcolor"]);

    // In a pair written in two languages, each stage uses the register names of its own language.
    let mixed = reflected(&["sized.es2", "all.agal"]);
    assert_eq!(registers(&mixed["stages"][0], "constants", "file"), ["u"]);
    assert_eq!(registers(&mixed["stages"][1], "constants", "file"), ["fc"]);
    assert_eq!(registers(&mixed["stages"][1], "samplers", "register"), ["fs3"]);

    let described = sandbox.run(&["inspect", "all.es2"]).success();
    let text = described.text();
    for shown in ["reads  t3 ", "reads  u ", "u4 ", "reads  fragcoord ", "writes d1 "] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(!["fs3", "fc4", "oc1"].iter().any(|agal| text.contains(agal)), "{text}");
    // A module does not state its source language, so its registers have AGAL's names.
    sandbox.run(&["compile", "all.es2", "-o", "all.sdlbc"]).success();
    let described = sandbox.run(&["inspect", "all.sdlbc"]).success();
    assert!(described.text().contains("fs3") && described.text().contains("fc4"), "{}", described.text());
}

#[test]
fn registers_are_named_as_the_language_spells_them() {
    let sandbox = programs();
    let pair = ["compile", "lighting_vertex.es2", "lighting.es2"];
    let names = [
        ["--name", "u0..3=clip:mat4"],
        ["--name", "u4=tint"],
        ["--name", "a1=normal:float3"],
        ["--name", "v1=place"],
        ["--name", "t0=albedo"],
        ["--name", "fragcolor=lit"],
        ["--name", "r3=texel"],
    ];
    let made = sandbox.run(&[&pair[..], &names.concat(), &["-o", "p.wgsl", "-o", "p.sdlasm"]].concat()).success();
    assert!(!made.err.contains("warning"), "{}", made.err);
    let text = sandbox.text("p.wgsl");
    naga_accepts(&text).expect("naga accepts it");
    for name in ["clip", "tint", "normal", "place", "albedo"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    // The values of a temporary are named after the temporary.
    let module = sandbox.text("p.sdlasm");
    assert!(module.contains("; lit\n") && module.contains(" texel = sample"), "{module}");

    // A file of names uses the same register names as the option `--name`, and the names also apply to modules.
    sandbox.write("lighting.names.toml", "\"u4\" = \"tint\"\nt0 = \"albedo\"\nr3 = \"texel\"\n");
    sandbox.run(&["compile", "lighting.es2", "-o", "one.wgsl", "-o", "one.sdlbc"]).success();
    assert!(sandbox.text("one.wgsl").contains("albedo") && sandbox.text("one.wgsl").contains("tint"));
    sandbox.run(&["compile", "lighting.es2", "--names", "/dev/null", "-o", "bare.sdlbc"]).success();
    let of_module = ["compile", "bare.sdlbc", "--name", "t0=albedo", "--name", "u4=tint", "-o", "m.wgsl"];
    let of_module = sandbox.run(&of_module).success();
    assert!(!of_module.err.contains("warning"), "{}", of_module.err);
    assert!(sandbox.text("m.wgsl").contains("albedo") && sandbox.text("m.wgsl").contains("tint"));

    // Both stages share each uniform, so a read in either stage counts as a use. Each finding about a name is reported once.
    sandbox.write("v.es2", "!!ES2vp1.0\nMOV position, u0;\nEND\n");
    sandbox.write("f.es2", "!!ES2fp1.0\nADD r2, u1, u0;\nMUL fragcolor, r2, u0;\nEND\n");
    let of_two = |name: &str| sandbox.run(&["compile", "v.es2", "f.es2", "--name", name, "-o", "q.wgsl"]).success().err;
    let unused = of_two("u9=none");
    assert_eq!(unused.matches("`u9` is not used by the program, so `none` names nothing").count(), 1, "{unused}");
    for used in ["u0=both", "u1=tint", "u0..1=two", "r2=value"] {
        assert!(!of_two(used).contains("warning"), "{used}: {}", of_two(used));
    }
    let said = |name: &str| sandbox.run(&[&pair[..], &["--name", name, "-o", "q.wgsl"]].concat());
    let wrong = said("u0..3=clip:vec4").failure(1);
    assert_eq!(wrong.err.matches("`u0..3` cannot be a vec4, which takes 1 register").count(), 1, "{}", wrong.err);
    let part = said("r0.x=part").failure(1);
    assert!(part.err.contains("`r0.x` cannot have a name"), "{}", part.err);
    let twice = said("t0=a").success();
    assert!(!twice.err.contains("`a`"), "{}", twice.err);
    let clash = sandbox.run(&[&pair[..], &["--name", "t0=a", "--name", "fs0=b", "-o", "q.wgsl"]].concat()).failure(1);
    assert!(clash.err.contains("overlaps `t0`, which has the name `a`"), "{}", clash.err);
}

#[test]
fn warnings_with_a_number_are_allowed() {
    let sandbox = Sandbox::new();
    sandbox.write("f.es2", "!!ES2fp1.0\nMOV r2, v0;\nMOV fragcolor, r1;\nEND\n");
    let both = sandbox.run(&["validate", "f.es2"]).success();
    assert!(both.err.contains("ES2126") && both.err.contains("ES2128"), "{}", both.err);
    for allowed in ["ES2126", "2126"] {
        let one = sandbox.run(&["validate", "f.es2", "--allow", allowed]).success();
        assert!(!one.err.contains("ES2126") && one.err.contains("ES2128"), "{}", one.err);
    }
    let none = sandbox.run(&["compile", "f.es2", "--allow", "ES2126,ES2128", "-W", "error", "-o", "f.wgsl"]).success();
    assert!(!none.err.contains("warning"), "{}", none.err);
    sandbox.run(&["compile", "f.es2", "--allow", "ES2126", "-W", "error", "-o", "g.wgsl"]).failure(1);
    for (number, said) in [
        ("ES2147", "a program with finding 2147 has no meaning"),
        ("AGAL2126", "there is no finding AGAL2126"),
        ("ES3648", "there is no finding ES3648"),
        ("ESX", "such as 3648, AGAL3648 or ES2126"),
    ] {
        let refused = sandbox.run(&["validate", "f.es2", "--allow", number]).failure(2);
        assert!(refused.err.contains(said), "{number}: {}", refused.err);
    }
    // `--allow` also applies to findings that are counted but not listed.
    let many = ["!!ES2fp1.0\nMOV fragcolor, v0;\n", &"MOV r0, v0;\n".repeat(1500), "END\n"].concat();
    sandbox.write("many.es2", many);
    assert!(sandbox.run(&["validate", "many.es2"]).success().err.contains("500 further"));
    assert_eq!(sandbox.run(&["validate", "many.es2", "--allow", "ES2128"]).success().err, "");
}

#[test]
fn link_lists_the_varyings_of_a_pair() {
    let sandbox = programs();
    let of_pair = sandbox.run(&["link", "lighting_vertex.es2", "lighting.es2"]).success();
    assert_eq!(of_pair.text(), "varying  written  read\nv0       xyzw     xyz\nv1       xyzw     xy\n");
    sandbox.write("v.es2", "!!ES2vp1.0\nMOV position, a0;\nMOV v0.xy, a1;\nMOV v4, a1;\nEND\n");
    sandbox.write("f.es2", "!!ES2fp1.0\nMOV r0, v9;\nADD fragcolor, v0, v3.x;\nEND\n");
    let said = sandbox.run(&["link", "f.es2", "v.es2", "--json"]).failure(1);
    let report: Value = serde_json::from_str(said.text()).expect("JSON");
    let varying =
        |number: u32, written: &str, read: &str| json!({ "number": number, "written": written, "read": read });
    assert_eq!(report["varyings"], json!([varying(0, "xy", "xyzw"), varying(3, "", "x"), varying(4, "xyzw", "")]));
    let messages =
        report["programs"][0]["findings"].as_array().expect("a list").iter().map(|one| one["message"].clone());
    // The fragment program's read of v9 has no effect, so the missing varying is not reported.
    let expected = ["nothing reads the result", "the vertex program does not write v3.x"];
    assert_eq!(messages.collect::<Vec<_>>(), expected);
    let said = sandbox.run(&["link", "v.es2", "f.es2"]).failure(1);
    assert!(said.text().contains("v3       -        x     never written"), "{}", said.text());
    assert!(said.err.contains("ES2131"), "{}", said.err);
    let alone = sandbox.run(&["link", "v.es2"]).failure(2);
    assert!(alone.err.contains("`link` needs a pair"), "{}", alone.err);
    for command in ["link", "validate"] {
        let twice = sandbox.run(&[command, "v.es2", "v.es2"]).failure(1);
        assert!(twice.err.contains("one vertex and one fragment program"), "{}", twice.err);
    }
}

#[test]
fn programs_of_two_languages_are_not_validated_together() {
    let sandbox = programs();
    sandbox.write("v.agal", "mov op, va0\nmov v0, va1\nmov v1, va1\n");
    for command in ["validate", "link"] {
        for inputs in [["v.agal", "lighting.es2"], ["lighting.es2", "v.agal"]] {
            let said = sandbox.run(&[command, inputs[0], inputs[1]]).failure(2);
            let what = "`v.agal` is AGAL and `lighting.es2` is a program of the unified-shader instruction set";
            assert!(said.err.contains(what) && said.err.contains("`agalc compile`"), "{}", said.err);
        }
    }
    sandbox.run(&["compile", "lighting.es2", "-o", "m.sdlbc"]).success();
    let module = sandbox.run(&["validate", "lighting_vertex.es2", "m.sdlbc"]).failure(1);
    assert!(module.err.contains("`m.sdlbc` is an SDLSHADERBC module; `agalc verify` checks it"), "{}", module.err);
}

#[test]
fn the_language_can_be_given_and_then_a_text_needs_no_header() {
    let sandbox = programs();
    let text = sandbox.text("transform.es2");
    let bare = text.replacen("!!ES2vp1.0", "", 1);
    assert_ne!(text, bare);
    sandbox.write("bare.txt", bare);
    let given = ["--language", "es2", "--stage", "vertex", "--debug", "none"];
    sandbox.run(&[&["compile", "bare.txt", "-o", "bare.spv"], &given[..]].concat()).success();
    sandbox.run(&["compile", "transform.es2", "--debug", "none", "-o", "whole.spv"]).success();
    assert!(sandbox.read("bare.spv") == sandbox.read("whole.spv"));
    for command in [&["assemble", "bare.txt", "-o", "bare.es2bc"][..], &["validate", "bare.txt"]] {
        sandbox.run(&[command, &given[..4]].concat()).success();
    }
    // If the stage is unknown, the command reports one error instead of an error for each line.
    let refused = sandbox.run(&["verify", "bare.txt", "--language", "es2"]).failure(1).err;
    assert!(refused.contains("ES2141") && refused.contains("`bare.txt` has 1 error"), "{refused}");
    // With `--language mini`, even a program with a unified-shader header is read as AGAL.
    sandbox.run(&["verify", "transform.es2", "--language", "mini"]).failure(1);
}
