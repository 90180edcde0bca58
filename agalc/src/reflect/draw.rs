//! The player's checks of a draw call (errors 3604 to 3792), made from a reflection and the state of the draw.
//!
//! Rule: a check runs only if the state has all data for it. docs/reflection.md lists the checks that are missing, and
//! the limits of the player that are not published. Errors are in the order of their numbers.

use std::collections::BTreeSet;

use agal_front::Profile;
use sdlbc::{Dimension, FunctionKind};

use super::sampler::Sampler;
use super::state::{
    BoundTexture, DrawState, Mip, RenderTarget, Stream, TextureFormat, TextureKind, TextureState, Wrap,
};
use super::types::{Reflection, Stage};

/// An error that the player raises for a draw call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawError {
    /// The kind of the error.
    pub kind: DrawErrorKind,
}

/// Defines the kinds: each with its data, the player's number, the message and the advice.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $ty:ty),* } $code:literal, $message:expr, $help:expr;)*) => {
        /// The kind of an error in a draw.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum DrawErrorKind { $($(#[$doc])* $name { $($field: $ty),* }),* }

        impl DrawErrorKind {
            /// The player's number of every kind, in ascending order.
            pub const CODES: &[u16] = &[$($code),*];

            /// The player's number.
            pub fn code(&self) -> u16 {
                match self { $(DrawErrorKind::$name { .. } => $code),* }
            }

            /// Advice on the error.
            #[allow(unused_variables)]
            pub fn help(&self) -> String {
                match self { $(DrawErrorKind::$name { $($field),* } => $help.to_string()),* }
            }
        }

        impl std::fmt::Display for DrawErrorKind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&match self { $(DrawErrorKind::$name { $($field),* } => $message),* })
            }
        }
    };
}

kinds! {
    /// A texture is sampled and rendered to.
    SampledTarget { register: String, texture: String } 3604,
        format!("`{register}` samples texture `{texture}`, which is also rendered to"), "render to another texture";
    /// A texture that was disposed of.
    DisposedTexture { register: String, texture: String } 3605,
        format!("`{register}` samples texture `{texture}`, which was disposed of"), "set another texture";
    /// The program expects a compressed or video texture.
    Format { register: String, declared: &'static str, texture: String } 3606,
        format!("`{register}` declares the format {declared}, which texture `{texture}` does not have"),
        "declare the texture's format in the options of `tex`";
    /// A stream that no token reads.
    UnusedStream { stream: u32 } 3607,
        format!("stream {stream} is set, but the vertex program does not read `va{stream}`"),
        format!("setVertexBufferAt({stream}, null)");
    /// A buffer that was disposed of.
    DisposedStream { stream: u32 } 3608, format!("the buffer of stream {stream} was disposed of"), "set another buffer";
    /// A buffer that is too short.
    ShortStream { stream: u32, vertices: u32, needed: u32 } 3609,
        format!("the draw reaches {needed} vertices, but the buffer of stream {stream} has {vertices}"), "upload more vertices";
    /// The format does not fit into the vertex at its offset.
    StreamOffset { stream: u32, offset: u32, words: u32, stride: u32 } 3610,
        format!("stream {stream} reads {words} words at offset {offset}, but a vertex has {stride} words"),
        "correct the offset, the format or the size of a vertex";
    /// A stream that a token reads.
    MissingStream { stream: u32 } 3611,
        format!("the vertex program reads `va{stream}`, but stream {stream} is not set"), "set it with setVertexBufferAt";
    /// A sampler without a texture.
    MissingTexture { register: String } 3663,
        format!("`{register}` is sampled, but no texture is set"), "set it with setTextureAt";
    /// One texture with two states.
    StatesDiffer { first: String, second: String, texture: String } 3695,
        format!("`{first}` and `{second}` sample texture `{texture}` with different states"),
        "give both samplers the same options";
    /// A texture that no token samples.
    UnusedTexture { sampler: u32 } 3697,
        format!("a texture is set for sampler {sampler}, but the fragment program does not sample `fs{sampler}`"),
        format!("setTextureAt({sampler}, null)");
    /// Mip levels are missing.
    IncompleteTexture { register: String, texture: String, levels: u32, needed: u32 } 3700,
        format!("`{register}` reads {needed} mip levels of texture `{texture}`, of which {levels} were uploaded"),
        "upload every level, or sample with nomip";
    /// Too many native instructions that compute.
    Arithmetic { estimate: u32, limit: u32 } 3716,
        format!("the fragment program has about {estimate} native arithmetic instructions; the profile allows {limit}"),
        "the count is an estimate: the player compiles for the device";
    /// Too many native texture instructions.
    TextureInstructions { estimate: u32, limit: u32 } 3717,
        format!("the fragment program has about {estimate} native texture instructions; the profile allows {limit}"),
        "the count is an estimate: the player compiles for the device";
    /// Too long a chain of dependent textures.
    DependentReads { estimate: u32, limit: u32 } 3721,
        format!("the fragment program has a chain of about {estimate} dependent texture reads; the profile allows {limit}"),
        "the count is an estimate: the player compiles for the device";
    /// Targets without the first.
    NoFirstTarget { } 3728,
        "textures are rendered to, but none of them in slot 0".to_string(), "set slot 0, or none to draw to the back buffer";
    /// Targets that differ in size or settings.
    TargetsDiffer { first: u32, second: u32 } 3729,
        format!("the targets in slots {first} and {second} differ in kind, size, depth or antialiasing"),
        "all targets of a draw must agree in these";
    /// One texture in two slots.
    TargetTwice { first: u32, second: u32, texture: String } 3730,
        format!("texture `{texture}` is the target in slots {first} and {second}"), "render to different textures";
    /// A cube or rectangle texture that repeats.
    Wraps { register: String, texture: String } 3753,
        format!("`{register}` repeats texture `{texture}`, which is a cube or rectangle texture"), "sample it with clamp";
    /// Another dimension.
    DimensionDiffers { register: String, declared: &'static str, texture: String } 3754,
        format!("`{register}` is declared {declared}, which texture `{texture}` is not"),
        "declare the texture's dimension in the options of `tex`";
    /// A rectangle texture with mip levels.
    RectangleLevels { register: String, texture: String } 3755,
        format!("`{register}` samples the rectangle texture `{texture}` with mip levels or a bias"),
        "sample it with nomip and without a bias";
    /// Targets with texels of different sizes.
    BitDepths { first: u32, second: u32 } 3761,
        format!("the targets in slots {first} and {second} have texels of different sizes"), "use one texture format";
    /// A compressed texture that the program does not declare.
    Undeclared { register: String, texture: String } 3763,
        format!("`{register}` samples texture `{texture}`, which is compressed, without declaring it"),
        "add dxt1 or dxt5 to the options of `tex`";
    /// A slot that does not exist.
    TargetSlot { slot: u32 } 3770, format!("there is no target slot {slot}"), "slots are 0 to 3";
    /// A surface of a 2D texture.
    Surface2d { slot: u32, surface: u32 } 3771,
        format!("the target in slot {slot} is a 2D texture, which has no surface {surface}"), "use surface 0";
    /// A surface that a cube does not have.
    SurfaceCube { slot: u32, surface: u32 } 3772,
        format!("the target in slot {slot} is a cube texture, which has no surface {surface}"), "use surfaces 0 to 5";
    /// A surface of a rectangle texture.
    SurfaceRectangle { slot: u32, surface: u32 } 3773,
        format!("the target in slot {slot} is a rectangle texture, which has no surface {surface}"), "use surface 0";
    /// Outputs and targets that differ.
    OutputsDiffer { outputs: String, targets: String } 3774,
        format!("the fragment program writes {outputs}, but the draw has {targets}"),
        "set as many targets as the program has outputs";
    /// A depth output without a depth buffer.
    NoDepthBuffer { } 3776,
        "the fragment program writes `od`, but there is no depth and stencil buffer".to_string(),
        "enable depth and stencil for the back buffer or the target";
    /// A video texture with mip levels.
    VideoLevels { register: String, texture: String } 3778,
        format!("`{register}` samples the video texture `{texture}` with mip levels or a bias"),
        "sample it with nomip and without a bias";
    /// No instance for an element.
    NoInstances { stream: u32 } 3784,
        format!("the buffer of stream {stream} has 0 instances per element"), "use 1 or more";
    /// Too few elements for the instances.
    FewElements { stream: u32, elements: u32, needed: u32 } 3785,
        format!("the draw's instances need {needed} elements of stream {stream}, whose buffer has {elements}"),
        "upload more elements, or draw fewer instances";
    /// A buffer for instances at the first index.
    InstancesFirst { stream: u32 } 3792,
        format!("stream {stream} is the first, and its buffer is for instances"), "set it at a higher index than the vertices";
}

impl std::fmt::Display for DrawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for DrawError {}

/// Checks a draw call as the player does. The reflection should have the programs ([`Reflection::with_programs`]): the
/// player also counts the reads of dead code, and distinguishes rectangle textures.
pub fn check_draw(reflection: &Reflection, state: &DrawState) -> Vec<DrawError> {
    let mut found = Vec::new();
    if let Some(vertex) = reflection.stage(FunctionKind::Vertex) {
        streams(vertex, state, &mut found);
    }
    if let Some(fragment) = reflection.stage(FunctionKind::Fragment) {
        textures(fragment, state, &mut found);
        native(fragment, state, &mut found);
        outputs(fragment, state, &mut found);
    }
    targets(state, &mut found);
    let mut errors: Vec<DrawError> = found.into_iter().map(|kind| DrawError { kind }).collect();
    errors.sort_by_key(|error| error.kind.code());
    errors
}

fn streams(vertex: &Stage, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let declared = || vertex.attributes.iter().map(|attribute| attribute.location).collect();
    let read: Vec<u32> = vertex.agal.as_ref().map_or_else(declared, |agal| agal.attributes.clone());
    let is_set = |number: u32| state.streams.iter().any(|stream| stream.index == number);
    let missing = read.iter().filter(|number| !is_set(**number));
    found.extend(missing.map(|&stream| DrawErrorKind::MissingStream { stream }));
    let first = state.streams.iter().map(|stream| stream.index).min();
    for stream in &state.streams {
        if !read.contains(&stream.index) {
            found.push(DrawErrorKind::UnusedStream { stream: stream.index });
        }
        buffer(stream, state, found);
        if stream.instances_per_element.is_some() && Some(stream.index) == first {
            found.push(DrawErrorKind::InstancesFirst { stream: stream.index });
        }
    }
}

/// Checks the buffer of a stream.
fn buffer(of: &Stream, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let (stream, offset, words) = (of.index, of.offset, of.format.words());
    if of.disposed {
        found.push(DrawErrorKind::DisposedStream { stream });
        return;
    }
    if let Some(stride) = of.stride.filter(|&stride| offset.saturating_add(words) > stride) {
        found.push(DrawErrorKind::StreamOffset { stream, offset, words, stride });
    }
    let needed = match of.instances_per_element {
        Some(0) => return found.push(DrawErrorKind::NoInstances { stream }),
        Some(each) => state.instances.map(|instances| instances.div_ceil(each)),
        None => state.vertices,
    };
    if let (Some(needed), Some(count)) = (needed, of.vertices)
        && needed > count
    {
        found.push(match of.instances_per_element {
            Some(_) => DrawErrorKind::FewElements { stream, elements: count, needed },
            None => DrawErrorKind::ShortStream { stream, vertices: count, needed },
        });
    }
}

fn textures(fragment: &Stage, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let declared = fragment.agal.as_ref().map(|agal| &agal.samplers[..]).unwrap_or_default();
    let is_bound = |number: u32| state.textures.iter().any(|texture| texture.sampler == number);
    let sampled = fragment.samplers.iter().map(|sampler| sampler.slot);
    let numbers: BTreeSet<u32> = declared.iter().map(|sampler| sampler.slot).chain(sampled).collect();
    let missing = numbers.iter().filter(|number| !is_bound(**number));
    found.extend(missing.map(|number| DrawErrorKind::MissingTexture { register: format!("fs{number}") }));
    for texture in &state.textures {
        if !numbers.contains(&texture.sampler) {
            found.push(DrawErrorKind::UnusedTexture { sampler: texture.sampler });
        }
        if let Some(sampler) = fragment.samplers.iter().find(|sampler| sampler.slot == texture.sampler) {
            let declared = declared.iter().find(|declared| declared.slot == sampler.slot);
            let dimension = declared.map(|declared| declared.dimension);
            one_texture(sampler, dimension, texture, state, found);
        }
    }
    shared(fragment, state, found);
}

/// Returns the state of a sampler in this draw, if it is known.
fn state_of(sampler: &Sampler, texture: &BoundTexture) -> Option<TextureState> {
    match sampler.agal.ignoresampler {
        true => texture.state,
        false => Some(TextureState::declared(sampler.numbers)),
    }
}

/// Checks a texture that a sampler reads.
fn one_texture(
    sampler: &Sampler,
    declared: Option<&'static str>,
    bound: &BoundTexture,
    draw: &DrawState,
    found: &mut Vec<DrawErrorKind>,
) {
    let (register, texture) = (sampler.register.clone(), bound.texture.name.clone());
    let kind = bound.texture.kind;
    if draw.targets.iter().any(|target| target.texture.name == texture) {
        found.push(DrawErrorKind::SampledTarget { register: register.clone(), texture: texture.clone() });
    }
    if bound.disposed {
        found.push(DrawErrorKind::DisposedTexture { register, texture });
        return;
    }
    if let Some(kind) = format(sampler, bound) {
        found.push(kind);
    }
    let dimension = declared.unwrap_or(sampler.dimension.view_name());
    let fits = match kind {
        TextureKind::Cube => sampler.dimension == Dimension::Cube,
        // Without the tokens, a rectangle texture looks like a 2D texture.
        TextureKind::Rectangle => {
            declared.map_or(sampler.dimension == Dimension::D2, |name| name != "cube" && name != "3d")
        }
        TextureKind::D2 | TextureKind::Video => dimension == "2d",
    };
    if !fits {
        let (register, texture) = (register.clone(), texture.clone());
        found.push(DrawErrorKind::DimensionDiffers { register, declared: dimension, texture });
    }
    let Some(state) = state_of(sampler, bound) else { return };
    let levels = state.mip != Mip::MipNone;
    let is_flat = matches!(kind, TextureKind::Rectangle | TextureKind::Video);
    if state.wrap != Wrap::Clamp && matches!(kind, TextureKind::Cube | TextureKind::Rectangle) {
        found.push(DrawErrorKind::Wraps { register: register.clone(), texture: texture.clone() });
    }
    if is_flat && (levels || sampler.agal.bias != 0.0) {
        found.push(match kind {
            TextureKind::Rectangle => DrawErrorKind::RectangleLevels { register, texture },
            _ => DrawErrorKind::VideoLevels { register, texture },
        });
        return;
    }
    if let Some(uploaded) = bound.levels.filter(|_| kind != TextureKind::Video) {
        let largest = bound.texture.width.zip(bound.texture.height).map(|(width, height)| width.max(height));
        // If the size is unknown, only the first level is known to be needed.
        let needed = match largest.filter(|_| levels) {
            Some(size) => size.checked_ilog2().map_or(1, |levels| levels + 1),
            None => 1,
        };
        if uploaded < needed {
            found.push(DrawErrorKind::IncompleteTexture { register, texture, levels: uploaded, needed });
        }
    }
}

/// Checks that a texture has the format that the program declares.
fn format(sampler: &Sampler, bound: &BoundTexture) -> Option<DrawErrorKind> {
    let (register, texture) = (sampler.register.clone(), bound.texture.name.clone());
    let is_video = bound.texture.kind == TextureKind::Video;
    let fits = match (sampler.agal.format, bound.texture.format) {
        // A video texture has no other format; programs declare this format or none.
        ("video", _) => is_video,
        ("rgba", _) if is_video => true,
        ("dxt1", format) => format == TextureFormat::Compressed && !is_video,
        ("dxt5", format) => format == TextureFormat::CompressedAlpha && !is_video,
        (_, format) if format.bits().is_none() => return Some(DrawErrorKind::Undeclared { register, texture }),
        _ => true,
    };
    (!fits).then_some(DrawErrorKind::Format { register, declared: sampler.agal.format, texture })
}

/// Checks that samplers of the same texture have the same state.
fn shared(fragment: &Stage, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let used = state.textures.iter().filter_map(|texture| {
        let sampler = fragment.samplers.iter().find(|sampler| sampler.slot == texture.sampler)?;
        Some((texture, sampler, state_of(sampler, texture)?))
    });
    let used: Vec<_> = used.collect();
    for (at, (texture, sampler, state)) in used.iter().enumerate() {
        let same = used.iter().take(at).find(|(other, ..)| other.texture.name == texture.texture.name);
        let differs = |other: &Sampler, of: &TextureState| {
            of != state || other.agal.bias != sampler.agal.bias || other.agal.format != sampler.agal.format
        };
        if let Some((_, other, _)) = same.filter(|(_, other, of)| differs(other, of)) {
            found.push(DrawErrorKind::StatesDiffer {
                first: other.register.clone(),
                second: sampler.register.clone(),
                texture: texture.texture.name.clone(),
            });
        }
    }
}

/// Checks the limits of constrained devices.
fn native(fragment: &Stage, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let limits = state.profile.and_then(Profile::native_limits);
    let native = fragment.agal.as_ref().and_then(|agal| agal.native);
    let (Some([arithmetic, textures, dependent]), Some(native)) = (limits, native) else { return };
    let (estimate, limit) = (native.arithmetic, arithmetic);
    found.extend((estimate > limit).then_some(DrawErrorKind::Arithmetic { estimate, limit }));
    let (estimate, limit) = (native.textures, textures);
    found.extend((estimate > limit).then_some(DrawErrorKind::TextureInstructions { estimate, limit }));
    let (estimate, limit) = (native.dependent_reads, dependent);
    found.extend((estimate > limit).then_some(DrawErrorKind::DependentReads { estimate, limit }));
}

/// Checks the fragment program's outputs against the render targets.
fn outputs(fragment: &Stage, state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let mut colours: Vec<u32> = fragment.outputs.iter().filter_map(|output| output.target).collect();
    colours.sort_unstable();
    let slots: BTreeSet<u32> = state.targets.iter().map(|target| target.slot).collect();
    let numbers: Vec<String> = slots.iter().map(ToString::to_string).collect();
    let (drawn, targets) = match slots.is_empty() {
        true => (vec![0], "the back buffer".to_string()),
        false => (slots.into_iter().collect(), format!("targets in slots {}", numbers.join(", "))),
    };
    if colours != drawn {
        let names: Vec<String> = colours.iter().map(|number| format!("`oc{number}`")).collect();
        let outputs = if names.is_empty() { "no colour".to_string() } else { names.join(", ") };
        found.push(DrawErrorKind::OutputsDiffer { outputs, targets });
    }
    let first = state.targets.iter().find(|target| target.slot == 0);
    let depth = match state.targets.is_empty() {
        true => state.depth_and_stencil,
        false => first.map(|target| target.depth_and_stencil),
    };
    if depth == Some(false) && fragment.outputs.iter().any(|output| output.kind == "depth") {
        found.push(DrawErrorKind::NoDepthBuffer {});
    }
}

/// Checks the render targets, alone and against the first.
fn targets(state: &DrawState, found: &mut Vec<DrawErrorKind>) {
    let Some(first) = state.targets.first() else { return };
    if state.targets.iter().all(|target| target.slot != 0) {
        found.push(DrawErrorKind::NoFirstTarget {});
    }
    for (at, target) in state.targets.iter().enumerate() {
        let (slot, surface, kind) = (target.slot, target.surface, target.texture.kind);
        if slot > 3 {
            found.push(DrawErrorKind::TargetSlot { slot });
        }
        match kind {
            TextureKind::D2 | TextureKind::Video if surface != 0 => {
                found.push(DrawErrorKind::Surface2d { slot, surface });
            }
            TextureKind::Cube if surface > 5 => found.push(DrawErrorKind::SurfaceCube { slot, surface }),
            TextureKind::Rectangle if surface != 0 => found.push(DrawErrorKind::SurfaceRectangle { slot, surface }),
            _ => {}
        }
        let same = |other: &&RenderTarget| other.texture.name == target.texture.name && other.surface == surface;
        if let Some(other) = state.targets.iter().take(at).find(same) {
            let texture = target.texture.name.clone();
            found.push(DrawErrorKind::TargetTwice { first: other.slot, second: slot, texture });
        }
        let settings = |target: &RenderTarget| {
            let texture = &target.texture;
            (texture.kind, texture.width, texture.height, target.depth_and_stencil, target.antialias)
        };
        if settings(target) != settings(first) {
            found.push(DrawErrorKind::TargetsDiffer { first: first.slot, second: slot });
        }
        if target.texture.format.bits() != first.texture.format.bits() {
            found.push(DrawErrorKind::BitDepths { first: first.slot, second: slot });
        }
    }
}
