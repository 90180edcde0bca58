//! Compares the module of each shader in `testdata/spirv` with its golden file. glslang compiles the shaders to SPIR-V.
//! `UPDATE_EXPECT=1` updates the golden files.

use spirv_front::{Options, RefusalKind, read};
use testing::{GLSLANG, expect, files, testdata};

/// Returns the SPIR-V of a GLSL file, or `None` if glslang is not installed.
fn compiled(path: &std::path::Path) -> Option<Vec<u8>> {
    if !GLSLANG.is_there() {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("a.spv");
    let arguments = ["-V".as_ref(), path.as_os_str(), "-o".as_ref(), output.as_os_str()];
    GLSLANG.run(&arguments).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(std::fs::read(output).expect("SPIR-V"))
}

#[test]
fn shaders_are_lifted_as_expected() {
    let folder = testdata("spirv");
    let paths: Vec<_> = [".vert", ".frag", ".comp"].into_iter().flat_map(|ending| files(&folder, ending)).collect();
    assert!(paths.len() >= 14, "{} shaders", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let Some(bytes) = compiled(&path) else { return };
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let lifted = read(&bytes, &Options::default()).unwrap_or_else(|refusals| panic!("{name}: {}", refusals[0]));
        wrong.extend(expect(&format!("testdata/spirv/{name}.sdlasm"), &sdlbc::print(&lifted.module)).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn specialisation_constants_take_values_by_number_and_by_name() {
    let Some(bytes) = compiled(&testdata("spirv").join("specialised.comp")) else { return };
    let with = |overrides: &[(&str, f64)]| {
        let overrides = overrides.iter().map(|&(name, value)| (name.to_string(), value)).collect();
        read(&bytes, &Options::default().overrides(overrides))
    };
    let lifted = with(&[("COUNT", 5.0), ("1", 16.0), ("nothing", 1.0)]).expect("it is lifted");
    let text = sdlbc::print(&lifted.module);
    assert!(text.contains("float[10] = shared") && text.contains("workgroup 16 2 1"), "{text}");
    assert_eq!(lifted.overrides, ["COUNT", "1"]);
    let refusals = with(&[("COUNT", 0.5)]).expect_err("an int has no such value");
    assert!(matches!(refusals[0].kind, RefusalKind::OverrideValue { .. }), "{refusals:?}");
}
