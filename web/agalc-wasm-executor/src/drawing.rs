//! Draws scenes, and exports the data that GPU renderers need to draw them.

use agalc_scene::Picture;
use agalc_wasm_bridge::Refused;
use js_sys::{Array, Float32Array, Object, Reflect, Uint32Array};
use sdlbc_interp::{Cull, DepthTest, Draw, Float, Level, Pair, Topology, draw_with};
use wasm_bindgen::JsValue;

use crate::given::quoted;

/// Returns the floating-point format with the given name. The default format has 32 bits.
pub(crate) fn float(name: Option<&str>) -> Result<Float, Refused> {
    match name {
        None | Some("f32") => Ok(Float::F32),
        Some("f24") => Ok(Float::F24),
        Some(other) => Err(Refused::plain(format!("{} is not a float format: use f32 or f24", quoted(other)))),
    }
}

/// Executes a draw, and returns the picture of each render target.
pub(crate) fn pictures(draw: &Draw, float: Float) -> Result<Vec<Picture>, Refused> {
    let refused = |error: &dyn std::fmt::Display| Refused::plain(error.to_string());
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).map_err(|error| refused(&error))?;
    let image = draw_with(draw, &pair, &mut |_, _| {});
    if pair.is_stuck() {
        return Err(Refused::plain("a program does not terminate"));
    }
    let image = image.map_err(|error| refused(&error))?;
    Ok((0..image.targets.len()).map_while(|target| Picture::of_target(draw, &image, target)).collect())
}

fn list<T>(items: impl IntoIterator<Item = T>, value: impl Fn(T) -> JsValue) -> JsValue {
    items.into_iter().map(value).collect::<Array>().into()
}

/// Returns the data that an application uploads for a draw in addition to the shaders.
pub(crate) fn resources(draw: &Draw) -> JsValue {
    let cull = match draw.cull {
        Cull::None => "none",
        Cull::Back => "back",
        Cull::Front => "front",
    };
    let depth = draw.depth.map(|depth| match depth {
        DepthTest::Always => "always",
        DepthTest::Less => "less",
        DepthTest::LessEqual => "less-equal",
    });
    let topology = match draw.topology {
        Topology::Triangles => "triangles",
        Topology::Points => "points",
    };
    let attributes = list(&draw.attributes, |(&location, vertices)| {
        let words = Uint32Array::from(vertices.as_flattened());
        object([("location", location.into()), ("words", words.into())])
    });
    let uniforms = list(&draw.resources.uniforms, |((stage, name), words)| {
        let words = Uint32Array::from(&words[..]);
        object([("stage", stage.name().into()), ("name", name.into()), ("words", words.into())])
    });
    let textures = list(&draw.resources.textures, |((stage, slot), texture)| {
        object([
            ("stage", stage.name().into()),
            ("slot", (*slot).into()),
            ("dimension", texture.dimension.view_name().into()),
            ("levels", list(&texture.levels, level)),
        ])
    });
    object([
        ("width", draw.width.into()),
        ("height", draw.height.into()),
        ("targets", draw.targets.into()),
        ("clear", list(draw.clear, JsValue::from)),
        ("cull", cull.into()),
        ("depth", depth.map_or(JsValue::NULL, JsValue::from)),
        ("topology", topology.into()),
        ("instances", draw.instances.into()),
        ("indices", Uint32Array::from(&draw.indices[..]).into()),
        ("attributes", attributes),
        ("uniforms", uniforms),
        ("textures", textures),
    ])
}

fn level(level: &Level) -> JsValue {
    let rgba: Vec<f32> = level.texels.as_flattened().iter().map(|&byte| f32::from(byte) / 255.0).collect();
    object([
        ("width", level.width.into()),
        ("height", level.height.into()),
        ("depth", level.depth.into()),
        ("rgba", Float32Array::from(&rgba[..]).into()),
    ])
}

pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agalc_scene::{Loading, Memory, Scene};

    fn drawn(fragment: &str) -> Result<Vec<Picture>, Refused> {
        let files: Memory = [
            ("scene.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"rectangle\"\nsize = 2\n"),
            ("v.agal", "mov op, va0\n"),
            ("f.agal", fragment),
        ]
        .into_iter()
        .collect();
        let scene = Scene::load_in(&files, "scene.toml", &Loading::default());
        let mut scene = scene.map_err(|error| crate::problem::refused(&error))?;
        scene.set_constants(&[((sdlbc::FunctionKind::Fragment, 0), [1.0, 0.5, 0.0, 1.0])].into_iter().collect());
        pictures(&scene.draw, float(None)?)
    }

    #[test]
    fn a_scene_in_memory_is_drawn() {
        let pictures = drawn("mov oc, fc0\n").expect("pictures");
        let expected = Picture { width: 2, height: 2, pixels: vec![[255, 128, 0, 255]; 4] };
        assert_eq!(pictures, [expected]);
    }

    #[test]
    fn what_is_wrong_with_a_scene_is_said_with_its_place() {
        let said = drawn("mov oc, fc0\nmov oc, v0\n").expect_err("v0 is not written");
        assert!(!said.message().is_empty());
        let said = drawn("mov oc,\n").expect_err("an operand is missing");
        assert!(said.message().starts_with("f.agal:1:"), "{}", said.message());
        let said = float(Some("f16")).expect_err("there are none");
        assert_eq!(said.message(), "`f16` is not a float format: use f32 or f24");
    }

    #[test]
    fn a_program_that_does_not_terminate_is_an_error() {
        let text = "
vertex function \"vs_main\" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  poke %1, 0
}
fragment function \"fs_main\" {
  output 0 oc: float4 = colour 0
  %8 = literalbool false
  loop {
    if %8 {
      break
    }
  }
  %9 = literalfloat4 1.0, 1.0, 1.0, 1.0
  poke %9, 0
}
";
        let scene = "program = \"p.sdlasm\"\nmesh = \"rectangle\"\nsize = 2\n";
        let files: Memory = [("scene.toml", scene), ("p.sdlasm", text)].into_iter().collect();
        let scene = Scene::load_in(&files, "scene.toml", &Loading::default()).unwrap_or_else(|error| panic!("{error}"));
        let said = pictures(&scene.draw, Float::F32).expect_err("it does not terminate");
        assert_eq!(said.message(), "a program does not terminate");
    }
}
