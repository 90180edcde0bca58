//! Layouts: the places at which an application passes resources to a shader.
//!
//! A [`Layout`] is plain data: one row of [`Layout::ALL`], possibly with some fields changed. It determines the
//! group and the binding of each resource, the form in which constants and textures are passed, and the names of entry
//! points. A target that lacks a form uses the other form: WGSL has no combined samplers, SPIR-V no plain
//! uniforms.

use std::borrow::Cow;

use sdlbc::FunctionKind;
use sdlbc::limits::ARRAY_LENGTH;

use crate::error::Error;
use crate::versions::Glsl;

/// The depth range of clip space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// z in 0..w, as in modules: Vulkan, WebGPU, Direct3D, Metal.
    ZeroToOne,
    /// z in -w..w: OpenGL.
    NegativeOneToOne,
}

sdlbc::words!(Depth { ZeroToOne "zero-to-one" "z in 0..w", NegativeOneToOne "neg-one-to-one" "z in -w..w" });

/// A range of bindings: the resource with index i is at `binding + step * i` in `group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The group (WebGPU), descriptor set (Vulkan) or register space (HLSL).
    pub group: u32,
    /// The binding of the first resource.
    pub binding: u32,
    /// The distance between two resources.
    pub step: u32,
}

impl Place {
    /// Creates a place from its group, its first binding and its step.
    pub const fn new(group: u32, binding: u32, step: u32) -> Place {
        Place { group, binding, step }
    }

    /// Returns the group and binding of the resource with this index.
    pub(crate) fn at(self, index: u32) -> (u32, u32) {
        (self.group, self.binding.saturating_add(self.step.saturating_mul(index)))
    }
}

/// The places of a stage's resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    /// The constants: the stage's first uniform, or all of them in one block.
    pub constants: Place,
    /// The stage's further uniforms, which only modules that do not come from AGAL have, counted from 0.
    pub further: Place,
    /// Textures, or textures combined with their samplers.
    pub textures: Place,
    /// Samplers, unless they are combined with their textures.
    pub samplers: Place,
    /// Storage buffers.
    pub buffers: Place,
    /// Storage textures.
    pub images: Place,
    /// The storage textures that are written, followed by the storage buffers that are written, if they have a range of their
    /// own. Resources that are only read and resources that are written are then counted separately.
    pub written: Option<Place>,
}

impl Places {
    /// Creates the places of constants, further uniforms, textures, samplers, storage buffers and storage textures, in this
    /// order, each from its group, its first binding and its step.
    const fn of(places: [(u32, u32, u32); 6]) -> Places {
        const fn place((group, binding, step): (u32, u32, u32)) -> Place {
            Place::new(group, binding, step)
        }
        let [constants, further, textures, samplers, buffers, images] = places;
        Places {
            constants: place(constants),
            further: place(further),
            textures: place(textures),
            samplers: place(samplers),
            buffers: place(buffers),
            images: place(images),
            written: None,
        }
    }
}

/// The numbering of textures, storage buffers and storage textures. The number of a resource is its index in its [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// The number of its sampler register: fs3 has index 3.
    Slot,
    /// Its position among the stage's textures in the order of their slots, without gaps.
    Dense,
}

sdlbc::words!(Numbering {
    Slot "slot" "The sampler register's number",
    Dense "dense" "The position among the textures of the stage, without gaps",
});

/// How constants are passed to the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constants {
    /// Uniform buffers.
    Block,
    /// A push constant range (Vulkan) or immediates (WebGPU). The fragment stage's follow the vertex stage's. In GLSL, plain
    /// uniforms.
    Push,
    /// Plain uniforms of OpenGL (`uniform vec4 vc[5]`, for `glUniform4fv`), where the target has them; otherwise uniform
    /// buffers.
    Plain,
}

sdlbc::words!(Constants {
    Block "block" "In uniform buffers",
    Push "push" "In the push constant range; plain uniforms in GLSL",
    Plain "plain" "As plain uniforms in GLSL; otherwise in uniform buffers",
});

/// Whether a texture and its sampler are one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Samplers {
    /// Two resources, as in WebGPU, Direct3D and Metal.
    Separate,
    /// One combined image sampler, where the target has it (SPIR-V; GLSL always).
    Combined,
}

sdlbc::words!(Samplers {
    Separate "separate" "Two resources",
    Combined "combined" "One resource, in SPIR-V; GLSL always combines them",
});

/// The number of files for a pair, in targets whose files can contain both stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modules {
    /// One file with both entry points.
    Together,
    /// A file for each stage.
    Apart,
}

sdlbc::words!(Modules {
    Together "together" "One file with both entry points",
    Apart "apart" "A file for each stage",
});

/// The length of an array of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// Up to the last register that is read. An array that is read at a computed index has the length of the whole register
    /// file, but at most `indexed`.
    Read {
        /// The limit for arrays that are read at a computed index.
        indexed: u32,
    },
    /// The whole register file, whose length depends on the program's version (128 or 250 in the vertex stage; 28, 64
    /// or 200 in the fragment stage). An array whose own length is greater keeps it.
    File {
        /// The number of registers in the vertex stage.
        vertex: u32,
        /// The number of registers in the fragment stage.
        fragment: u32,
    },
}

/// The default precision of floats and samplers in GLSL ES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `highp`, as AGAL computes.
    High,
    /// `mediump`, faster on some mobile devices and less exact.
    Medium,
}

sdlbc::words!(Precision {
    High "highp" "As AGAL computes",
    Medium "mediump" "Faster on some devices, and less exact",
});

/// The places at which an application binds the resources of a shader, and the form of the output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The name, for `--layout`.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub about: &'static str,
    /// The places of the vertex stage.
    pub vertex: Places,
    /// The places of the fragment stage.
    pub fragment: Places,
    /// The places of a compute function.
    pub compute: Places,
    /// Whether storage textures that are only read come after the textures, and storage buffers that are only read
    /// after both: their bindings start after the number of resources that precede them.
    pub buffers_follow_textures: bool,
    /// The numbering of textures.
    pub numbering: Numbering,
    /// How constants are passed to the shader.
    pub constants: Constants,
    /// Whether all uniforms of a stage are in one block.
    pub one_block: bool,
    /// Whether textures and samplers are combined.
    pub samplers: Samplers,
    /// Whether a pair becomes one file or two.
    pub modules: Modules,
    /// The name of every entry point, an identifier; by default the function's own (`vs_main` and `fs_main`). Two entry points
    /// of one file with the same name are an error, except in SPIR-V. In GLSL the name is always `main`, and in MSL, where that
    /// is reserved, `main` becomes `main0`.
    pub entry: Option<Cow<'static, str>>,
    /// The length of arrays of constants.
    pub length: Length,
    /// The version of SPIR-V: major and minor.
    pub spirv: (u8, u8),
    /// The version of GLSL to write unless the user chooses another. A translation writes the version of its target;
    /// this field is for the code that chooses the target.
    pub glsl: Glsl,
    /// The depth range of the vertex stage's position; the target's own by default.
    pub depth: Option<Depth>,
    /// Whether the position's y is negated; by default where the target's clip space has y down (Vulkan).
    pub flip_y: Option<bool>,
    /// Whether WGSL has the attributes in a structure `Vertex` even if none has a name of its own.
    pub vertex_struct: bool,
    /// The default precision in the fragment stage of GLSL ES. The vertex stage computes with high precision.
    pub precision: Precision,
}

impl Layout {
    /// The default: the places follow the numbers of Stage3D's registers. The other rows state their differences.
    pub const STAGE3D: Layout = Layout {
        name: "stage3d",
        about: "one group: constants at 0 and 1, fragment textures at 2 + 2N and their samplers next to them",
        vertex: Places::of([(0, 0, 1), (0, 258, 2), (0, 130, 2), (0, 131, 2), (0, 512, 2), (0, 768, 2)]),
        fragment: Places::of([(0, 1, 1), (0, 259, 2), (0, 2, 2), (0, 3, 2), (0, 513, 2), (0, 769, 2)]),
        compute: Places::of([(0, 0, 1), (0, 258, 1), (0, 2, 2), (0, 3, 2), (0, 512, 1), (0, 768, 1)]),
        buffers_follow_textures: false,
        numbering: Numbering::Slot,
        constants: Constants::Block,
        one_block: false,
        samplers: Samplers::Separate,
        modules: Modules::Together,
        entry: None,
        length: Length::Read { indexed: u32::MAX },
        spirv: (1, 3),
        glsl: Glsl::Core450,
        depth: None,
        flip_y: None,
        vertex_struct: false,
        precision: Precision::High,
    };

    /// The layout for wgpu and WebGPU: constants in group 0, fragment textures in group 1, vertex textures in group 2.
    pub const WGPU: Layout = Layout {
        name: "wgpu",
        about: "for wgpu and WebGPU: constants in group 0, fragment textures in group 1, vertex textures in group 2",
        vertex: Places::of([(0, 0, 1), (0, 2, 2), (2, 0, 2), (2, 1, 2), (3, 0, 2), (3, 128, 2)]),
        fragment: Places::of([(0, 1, 1), (0, 3, 2), (1, 0, 2), (1, 1, 2), (3, 1, 2), (3, 129, 2)]),
        compute: Places::of([(0, 0, 1), (0, 1, 1), (1, 0, 2), (1, 1, 2), (2, 0, 1), (3, 0, 1)]),
        numbering: Numbering::Dense,
        vertex_struct: true,
        ..Layout::STAGE3D
    };

    /// The layout for Vulkan 1.0: uniform buffers in set 0, combined image samplers in set 1 (vertex stage: set 2).
    pub const VULKAN: Layout = Layout {
        name: "vulkan",
        about: "for Vulkan 1.0: uniform buffers in set 0, combined image samplers in set 1 (vertex stage: set 2)",
        vertex: Places::of([(0, 0, 1), (0, 2, 2), (2, 0, 1), (2, 32, 1), (3, 0, 2), (3, 128, 2)]),
        fragment: Places::of([(0, 1, 1), (0, 3, 2), (1, 0, 1), (1, 32, 1), (3, 1, 2), (3, 129, 2)]),
        compute: Places::of([(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 32, 1), (2, 0, 1), (3, 0, 1)]),
        samplers: Samplers::Combined,
        spirv: (1, 0),
        ..Layout::STAGE3D
    };

    /// The layout for SDL 3's GPU API: one module per stage, samplers in set 0 or 2, all uniforms in one block in set 1 or 3.
    pub const SDL_GPU: Layout = Layout {
        name: "sdl-gpu",
        about: "for SDL 3's GPU API: one module per stage, samplers in set 0 or 2, all uniforms in one block in set 1 or 3",
        vertex: Places::of([(1, 0, 1), (1, 1, 1), (0, 0, 1), (0, 32, 1), (0, 0, 1), (0, 0, 1)]),
        fragment: Places::of([(3, 0, 1), (3, 1, 1), (2, 0, 1), (2, 32, 1), (2, 0, 1), (2, 0, 1)]),
        compute: Places {
            written: Some(Place::new(1, 0, 1)),
            ..Places::of([(2, 0, 1), (2, 1, 1), (0, 0, 1), (0, 32, 1), (0, 0, 1), (0, 0, 1)])
        },
        buffers_follow_textures: true,
        numbering: Numbering::Dense,
        one_block: true,
        samplers: Samplers::Combined,
        modules: Modules::Apart,
        entry: Some(Cow::Borrowed("main")),
        spirv: (1, 0),
        flip_y: Some(false),
        ..Layout::STAGE3D
    };

    /// The layout for WebGL 2: GLSL ES 300, plain uniforms, textures by the names of their samplers.
    pub const WEBGL2: Layout = Layout {
        name: "webgl2",
        about: "for WebGL 2: GLSL ES 300, plain uniforms, textures by the names of their samplers",
        constants: Constants::Plain,
        glsl: Glsl::Es300,
        modules: Modules::Apart,
        ..Layout::STAGE3D
    };

    /// The layout for Ruffle's Stage3D renderer: one module per stage, samplers at 2 + N, textures at 10 + N.
    pub const RUFFLE: Layout = Layout {
        name: "ruffle",
        about: "for Ruffle's Stage3D renderer: one module per stage, samplers at 2 + N, textures at 10 + N",
        vertex: Places::of([(0, 0, 1), (0, 258, 2), (0, 34, 1), (0, 26, 1), (0, 512, 2), (0, 768, 2)]),
        fragment: Places::of([(0, 1, 1), (0, 259, 2), (0, 10, 1), (0, 2, 1), (0, 513, 2), (0, 769, 2)]),
        modules: Modules::Apart,
        entry: Some(Cow::Borrowed("main")),
        length: Length::Read { indexed: 128 },
        ..Layout::STAGE3D
    };

    /// Every layout, by name.
    pub const ALL: [Layout; 6] =
        [Layout::STAGE3D, Layout::WGPU, Layout::VULKAN, Layout::SDL_GPU, Layout::WEBGL2, Layout::RUFFLE];

    /// Returns the layout with this name.
    pub fn named(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.name == name)
    }

    /// Moves every resource into `group`, if it is not `None`, and by `bindings` bindings.
    #[must_use]
    pub fn moved(mut self, group: Option<u32>, bindings: u32) -> Layout {
        for places in [&mut self.vertex, &mut self.fragment, &mut self.compute] {
            let buffers = [&mut places.buffers, &mut places.images].into_iter().chain(&mut places.written);
            let others = [&mut places.constants, &mut places.further, &mut places.textures, &mut places.samplers];
            for place in others.into_iter().chain(buffers) {
                place.group = group.unwrap_or(place.group);
                place.binding = place.binding.saturating_add(bindings);
            }
        }
        self
    }

    /// Checks the fields whose types allow invalid values: the name of the entry points must be an identifier, and arrays of
    /// constants must not be longer than an array of a module may be.
    ///
    /// # Errors
    /// [`Error::EntryName`] or [`Error::ConstantLength`].
    pub fn check(&self) -> Result<(), Error> {
        if let Some(name) = self.entry.as_deref().filter(|name| !is_identifier(name)) {
            return Err(Error::EntryName { name: name.to_string() });
        }
        if let Length::File { vertex, fragment } = self.length
            && let length = vertex.max(fragment)
            && length > ARRAY_LENGTH
        {
            return Err(Error::ConstantLength { length, limit: ARRAY_LENGTH });
        }
        Ok(())
    }

    /// Returns the places of a stage.
    pub fn places(&self, stage: FunctionKind) -> &Places {
        match stage {
            FunctionKind::Vertex => &self.vertex,
            FunctionKind::Compute => &self.compute,
            _ => &self.fragment,
        }
    }
}

/// Whether a name is letters, digits and underscores, and does not begin with a digit.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The layout `stage3d`.
impl Default for Layout {
    fn default() -> Layout {
        Layout::STAGE3D
    }
}
