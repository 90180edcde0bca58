//! The player's checks of a draw call (errors 3604 to 3792), which compare the draw call's state with a reflection.
//!
//! Rule: a check runs only if the draw state contains all the data that the check needs. docs/reflection.md lists the missing
//! checks and the player's unpublished limits. Errors are reported in numerical order.

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
    /// The failed check, with the data for its message.
    pub kind: DrawErrorKind,
}

/// Defines the error kinds. Each row of the table has the data of an error, the player's number, the message and the advice.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $ty:ty),* } $code:literal, $message:expr, $help:expr;)*) => {
        /// The check that a draw call fails, with the data for its message.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum DrawErrorKind { $($(#[$doc])* $name { $($field: $ty),* }),* }

        impl DrawErrorKind {
            /// The player's error numbers for all kinds, in ascending order.
            pub const CODES: &[u16] = &[$($code),*];

            /// Returns the player's error number, between 3604 and 3792.
            pub fn code(&self) -> u16 {
                match self { $(DrawErrorKind::$name { .. } => $code),* }
            }

            /// Returns advice on how to fix the draw call.
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
    /// A draw call samples a texture that is also a render target.
    SampledTarget { register: String, texture: String } 3604,
        format!("`{register}` samples texture `{texture}`, which is also rendered to"), "render to another texture";
    /// A draw call samples a texture that was disposed of.
    DisposedTexture { register: String, texture: String } 3605,
        format!("`{register}` samples texture `{texture}`, which was disposed of"), "set another texture";
    /// The program declares a compressed or video texture, but the bound texture has another format.
    Format { register: String, declared: &'static str, texture: String } 3606,
        format!("`{register}` declares the format {declared}, which texture `{texture}` does not have"),
        "declare the texture's format in the options of `tex`";
    /// A vertex stream is set for an attribute that the vertex program does not read.
    UnusedStream { stream: u32 } 3607,
        format!("stream {stream} is set, but the vertex program does not read `va{stream}`"),
        format!("setVertexBufferAt({stream}, null)");
    /// A vertex stream's buffer was disposed of.
    DisposedStream { stream: u32 } 3608, format!("the buffer of stream {stream} was disposed of"), "set another buffer";
    /// A vertex buffer has fewer vertices than the draw call needs.
    ShortStream { stream: u32, vertices: u32, needed: u32 } 3609,
        format!("the draw needs {needed} vertices, but the buffer of stream {stream} has {vertices}"), "upload more vertices";
    /// A vertex stream's format extends beyond the end of the vertex.
    StreamOffset { stream: u32, offset: u32, words: u32, stride: u32 } 3610,
        format!("stream {stream} reads {words} words at offset {offset}, but a vertex has {stride} words"),
        "correct the offset, the format or the number of words per vertex";
    /// The vertex program reads an attribute whose stream is not set.
    MissingStream { stream: u32 } 3611,
        format!("the vertex program reads `va{stream}`, but stream {stream} is not set"), "set it with setVertexBufferAt";
    /// The fragment program uses a sampler for which no texture is set.
    MissingTexture { register: String } 3663,
        format!("`{register}` is sampled, but no texture is set"), "set it with setTextureAt";
    /// Two samplers read the same texture with different sampler states.
    StatesDiffer { first: String, second: String, texture: String } 3695,
        format!("`{first}` and `{second}` sample texture `{texture}` with different states"),
        "give both samplers the same options";
    /// A texture is set for a sampler that the fragment program does not use.
    UnusedTexture { sampler: u32 } 3697,
        format!("a texture is set for sampler {sampler}, but the fragment program does not sample `fs{sampler}`"),
        format!("setTextureAt({sampler}, null)");
    /// Mip levels that the sampler may read were not uploaded.
    IncompleteTexture { register: String, texture: String, levels: u32, needed: u32 } 3700,
        format!("`{register}` reads {needed} mip levels of texture `{texture}`, but only {levels} {} uploaded", if *levels == 1 { "was" } else { "were" }),
        "upload every level, or sample with nomip";
    /// The fragment program exceeds the profile's limit on native arithmetic instructions.
    Arithmetic { estimate: u32, limit: u32 } 3716,
        format!("the fragment program has about {estimate} native arithmetic instructions, but the profile allows {limit}"),
        "the count is an estimate, because the player compiles the program for the device";
    /// The fragment program exceeds the profile's limit on native texture instructions.
    TextureInstructions { estimate: u32, limit: u32 } 3717,
        format!("the fragment program has about {estimate} native texture instructions, but the profile allows {limit}"),
        "the count is an estimate, because the player compiles the program for the device";
    /// A chain of dependent texture reads is longer than the profile allows.
    DependentReads { estimate: u32, limit: u32 } 3721,
        format!("the fragment program has a chain of about {estimate} dependent texture reads, but the profile allows {limit}"),
        "the count is an estimate, because the player compiles the program for the device";
    /// Render targets are set, but none in slot 0.
    NoFirstTarget { } 3728,
        "render targets are set, but none in slot 0".to_string(), "set a target in slot 0, or set no target to draw to the back buffer";
    /// Two render targets differ in texture kind, size, depth buffer or antialiasing.
    TargetsDiffer { first: u32, second: u32 } 3729,
        format!("the targets in slots {first} and {second} differ in kind, size, depth or antialiasing"),
        "give all targets of a draw the same kind, size, depth and antialiasing";
    /// The same texture is the render target in two slots.
    TargetTwice { first: u32, second: u32, texture: String } 3730,
        format!("texture `{texture}` is the target in slots {first} and {second}"), "render to different textures";
    /// A sampler repeats a cube or rectangle texture.
    Wraps { register: String, texture: String } 3753,
        format!("`{register}` does not clamp texture `{texture}`, which is a cube or rectangle texture"), "sample it with clamp";
    /// The bound texture does not have the dimension that the program declares.
    DimensionDiffers { register: String, declared: &'static str, texture: String } 3754,
        format!("`{register}` is declared as {declared}, but texture `{texture}` has another dimension"),
        "declare the texture's dimension in the options of `tex`";
    /// A rectangle texture is sampled with mip levels or a bias.
    RectangleLevels { register: String, texture: String } 3755,
        format!("`{register}` samples the rectangle texture `{texture}` with mip levels or a bias"),
        "sample it with nomip and without a bias";
    /// Two render targets have texels of different sizes.
    BitDepths { first: u32, second: u32 } 3761,
        format!("the targets in slots {first} and {second} have texels of different sizes"), "use the same texture format for all targets";
    /// A compressed texture is bound to a sampler that does not declare a compressed format.
    Undeclared { register: String, texture: String } 3763,
        format!("`{register}` samples the compressed texture `{texture}` without declaring a compressed format"),
        "add dxt1 or dxt5 to the options of `tex`";
    /// A render target's slot is greater than 3.
    TargetSlot { slot: u32 } 3770, format!("there is no target slot {slot}"), "slots are 0 to 3";
    /// A 2D render target is set with a surface other than 0.
    Surface2d { slot: u32, surface: u32 } 3771,
        format!("the target in slot {slot} is a 2D texture, which has no surface {surface}"), "use surface 0";
    /// A cube render target is set with a surface greater than 5.
    SurfaceCube { slot: u32, surface: u32 } 3772,
        format!("the target in slot {slot} is a cube texture, which has no surface {surface}"), "use surfaces 0 to 5";
    /// A rectangle render target is set with a surface other than 0.
    SurfaceRectangle { slot: u32, surface: u32 } 3773,
        format!("the target in slot {slot} is a rectangle texture, which has no surface {surface}"), "use surface 0";
    /// The fragment program's colour outputs do not match the slots of the render targets.
    OutputsDiffer { outputs: String, targets: String } 3774,
        format!("the fragment program writes {outputs}, but the draw has {targets}"),
        "set as many targets as the program has outputs";
    /// The fragment program writes a depth, but no depth buffer exists.
    NoDepthBuffer { } 3776,
        "the fragment program writes `od`, but there is no depth and stencil buffer".to_string(),
        "enable depth and stencil for the back buffer or the target";
    /// A video texture is sampled with mip levels or a bias.
    VideoLevels { register: String, texture: String } 3778,
        format!("`{register}` samples the video texture `{texture}` with mip levels or a bias"),
        "sample it with nomip and without a bias";
    /// A buffer for instances declares 0 instances per element.
    NoInstances { stream: u32 } 3784,
        format!("the buffer of stream {stream} has 0 instances per element"), "use 1 or more";
    /// A buffer for instances has too few elements for the draw call's instances.
    FewElements { stream: u32, elements: u32, needed: u32 } 3785,
        format!("the draw's instances need {needed} elements of stream {stream}, whose buffer has {elements}"),
        "upload more elements, or draw fewer instances";
    /// The vertex stream with the lowest index has a buffer for instances.
    InstancesFirst { stream: u32 } 3792,
        format!("stream {stream} is the first stream, but its buffer is for instances"), "set the instance buffer at a higher index than the vertex buffers";
}

impl std::fmt::Display for DrawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for DrawError {}

/// Checks a draw call as the player does. The reflection should include the programs ([`Reflection::with_programs`]), because the
/// player also counts reads in dead code and distinguishes rectangle textures.
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

/// Returns the sampler state with which a draw call samples a texture, or `None` if the program has `ignoresampler` and
/// the application's sampler state is unknown.
fn state_of(sampler: &Sampler, texture: &BoundTexture) -> Option<TextureState> {
    match sampler.agal.ignoresampler {
        true => texture.state,
        false => Some(TextureState::declared(sampler.numbers)),
    }
}

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
        // Only the AGAL tokens distinguish a rectangle texture from a 2D texture.
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
        // A texture of unknown size needs at least its first mip level.
        let needed = match largest.filter(|_| levels) {
            Some(size) => size.checked_ilog2().map_or(1, |levels| levels + 1),
            None => 1,
        };
        if uploaded < needed {
            found.push(DrawErrorKind::IncompleteTexture { register, texture, levels: uploaded, needed });
        }
    }
}

fn format(sampler: &Sampler, bound: &BoundTexture) -> Option<DrawErrorKind> {
    let (register, texture) = (sampler.register.clone(), bound.texture.name.clone());
    let is_video = bound.texture.kind == TextureKind::Video;
    let fits = match (sampler.agal.format, bound.texture.format) {
        // Programs that sample a video texture declare either `video` or no format.
        ("video", _) => is_video,
        ("rgba", _) if is_video => true,
        ("dxt1", format) => format == TextureFormat::Compressed && !is_video,
        ("dxt5", format) => format == TextureFormat::CompressedAlpha && !is_video,
        (_, format) if format.bits().is_none() => return Some(DrawErrorKind::Undeclared { register, texture }),
        _ => true,
    };
    (!fits).then_some(DrawErrorKind::Format { register, declared: sampler.agal.format, texture })
}

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

/// Checks each render target individually, and compares it with the first render target.
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
