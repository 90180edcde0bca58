//! A vertex function for drawing with a fragment function alone.

use sdlbc::{Builder, Function, FunctionKind, FunctionOutput, InputKind, Interpolation, OutputKind, Type};

/// A varying: its location, its type, and how it is interpolated.
pub(super) type Varying = (u32, Type, Interpolation);

/// Returns a vertex function with a name that passes attribute 0 to the position, and other attributes to varyings. Each varying is given with the
/// number of its attribute.
pub(super) fn passing(name: &str, varyings: impl IntoIterator<Item = (u32, Varying)>) -> Result<Function, String> {
    let mut builder = Builder::new(FunctionKind::Vertex, name);
    let mut pass = |attribute: u32, name: String, ty: Type, kind: OutputKind| {
        let value = builder.input(format!("a{attribute}"), ty, InputKind::Attribute { location: attribute });
        let output = builder.output(FunctionOutput { ty, name, kind });
        builder.poke(output, value);
    };
    pass(0, "position".to_string(), Type::FLOAT4, OutputKind::Position);
    for (attribute, (location, ty, interpolation)) in varyings {
        pass(attribute, format!("v{location}"), ty, OutputKind::Varying { location, interpolation });
    }
    let (function, _) = builder.finish().map_err(|error| error.to_string())?;
    Ok(function)
}
