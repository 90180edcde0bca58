//! Third-party tools generate vertex layouts and uniform structures from agalc's WGSL.

use agal_build::Config;
use testing::repository;

/// Returns the WGSL of two Phong shader pairs with named registers: the pair in the README and the pair of the example.
fn phong() -> [String; 2] {
    let [vertex, fragment] =
        ["vert", "frag"].map(|stage| repository().join(format!("testdata/names/phong.{stage}.agal")));
    let mut config = Config::new();
    config.pair("phong", vertex, fragment).folder(repository().join("examples/wgpu-pairs/shaders"));
    let generated = config.generate().unwrap_or_else(|error| panic!("{:#?}", error.problems));
    ["phong.wgsl", "lit.wgsl"].map(|file| String::from_utf8(generated.files[file].clone()).expect("text"))
}

/// Removes white space, because the generators format their output differently.
fn close(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn wgsl_to_wgpu_makes_a_vertex_layout_and_a_uniform_structure_of_the_phong_pair() {
    for wgsl in phong() {
        let options = wgsl_to_wgpu::WriteOptions { derive_bytemuck_vertex: true, ..Default::default() };
        let code = close(&wgsl_to_wgpu::create_shader_module(&wgsl, "lit.wgsl", options).expect("code"));
        for expected in [
            "pubstructVertex{pubposition:[f32;3],pubnormal:[f32;3],pubuv:[f32;2],}",
            "pubstructTransform{pubclip:[[f32;4];4],",
            "VERTEX_ATTRIBUTES",
        ] {
            assert!(code.contains(expected), "no {expected} in\n{code}");
        }
    }
}

#[test]
fn wgsl_bindgen_makes_a_vertex_layout_and_a_uniform_structure_of_the_phong_pair() {
    let folder = tempfile::tempdir().expect("a folder");
    let (wgsl, output) = (folder.path().join("lit.wgsl"), folder.path().join("lit.rs"));
    let [_, lit] = phong();
    std::fs::write(&wgsl, lit).expect("a file");
    let bindgen = wgsl_bindgen::WgslBindgenOptionBuilder::default()
        .workspace_root(folder.path())
        .add_entry_point(wgsl.to_string_lossy())
        .serialization_strategy(wgsl_bindgen::WgslTypeSerializeStrategy::Bytemuck)
        .type_map(wgsl_bindgen::RustWgslTypeMap)
        .output(output.clone())
        .build()
        .expect("options");
    bindgen.generate().expect("code");
    let code = close(&std::fs::read_to_string(&output).expect("the code"));
    for expected in [
        "pubstructVertex{pubposition:",
        "format:wgpu::VertexFormat::Float32x3,offset:std::mem::offset_of!(Self,normal)",
        "assert!(std::mem::offset_of!(lit::Transform,eye)==160)",
        "pubclip:[[f32;4];4]",
    ] {
        assert!(code.contains(expected), "no {expected} in\n{code}");
    }
}
