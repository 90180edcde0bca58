//! Compares the command's output with the library's output for the program pairs in testdata.

use std::process::Command;

use laws::works::{KINDS, Kind, PAIRS, optimised, outputs};

/// Compiles each pair directly, and also by way of a module file.
#[test]
fn the_command_writes_what_the_library_returns() {
    let folder = tempfile::tempdir().expect("a folder");
    let handful = ["textured_quad", "phong_four_points", "ray_tracer", "gbuffer_mrt", "depth_output_log"];
    for pair in PAIRS.iter().filter(|pair| handful.contains(&pair.name.as_str())) {
        let file = |name: &str| folder.path().join(format!("{}.{name}", pair.name)).into_os_string();
        let sources = pair.sources.iter().map(|source| source.path.clone().into_os_string());
        let direct: Vec<_> = sources.clone().chain(["-o".into(), file("sdlbc")]).collect();
        run(&direct);
        for kind in KINDS {
            let name = match kind {
                Kind::Spirv => "spv",
                Kind::Wgsl => "wgsl",
                Kind::Glsl(_) => "glsl",
            };
            let module = optimised(pair.module());
            let expected = outputs(&module, kind).expect("outputs");
            for from in [sources.clone().collect(), vec![file("sdlbc")]] {
                let glsl = ["--glsl", kind.glsl_option().unwrap_or("450")].map(Into::into);
                run(&from.into_iter().chain(["-o".into(), file(name)]).chain(glsl).collect::<Vec<_>>());
                for output in &expected {
                    let made = match kind {
                        Kind::Glsl(_) => file(&format!("{}.glsl", output.extension)),
                        _ => file(name),
                    };
                    assert_eq!(std::fs::read(&made).expect("an output"), output.bytes, "{made:?}");
                }
            }
        }
        let verify = Command::new(env!("CARGO_BIN_EXE_agalc")).arg("verify").arg(file("sdlbc")).output();
        let verify = verify.expect("the command");
        assert!(verify.status.success() && verify.stdout.is_empty() && verify.stderr.is_empty(), "{verify:?}");
    }
}

fn run(arguments: &[std::ffi::OsString]) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_agalc")).arg("compile").args(arguments).output().expect("the command");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}
