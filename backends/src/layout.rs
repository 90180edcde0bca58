//! Layouts state where and how an application binds the resources of a shader.
//!
//! A [`Layout`] is plain data: one row of [`Layout::ALL`], possibly with some fields changed. The layout determines the group and
//! the binding of each resource, the form in which constants and textures are passed, and the names of entry points. A target
//! that lacks the requested form uses another form; for example, WGSL has no combined samplers, and SPIR-V has no plain uniforms.

use std::borrow::Cow;

use sdlbc::FunctionKind;
use sdlbc::limits::ARRAY_LENGTH;

use crate::error::Error;
use crate::versions::Glsl;

/// The depth range of clip space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// The range 0..w for z, as in modules, Vulkan, WebGPU, Direct3D and Metal.
    ZeroToOne,
    /// The range -w..w for z, as in OpenGL.
    NegativeOneToOne,
}

sdlbc::words!(Depth { ZeroToOne "zero-to-one" "z in 0..w", NegativeOneToOne "neg-one-to-one" "z in -w..w" });

/// A range of bindings, in which the resource with index i has the binding `binding + step * i` in `group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The group (WebGPU), descriptor set (Vulkan) or register space (HLSL).
    pub group: u32,
    /// The binding of the first resource.
    pub binding: u32,
    /// The distance between the bindings of consecutive resources.
    pub step: u32,
}

impl Place {
    /// Creates a range of bindings from its group, first binding and step.
    pub const fn new(group: u32, binding: u32, step: u32) -> Place {
        Place { group, binding, step }
    }

    pub(crate) fn at(self, index: u32) -> (u32, u32) {
        (self.group, self.binding.saturating_add(self.step.saturating_mul(index)))
    }
}

/// The binding ranges of a stage's resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    /// The bindings of the stage's first uniform, or of the block that contains all uniforms.
    pub constants: Place,
    /// The bindings of the stage's remaining uniforms, where the second uniform has the index 0. Modules that come from AGAL have
    /// no second uniform.
    pub further: Place,
    /// The bindings of textures, including textures that are combined with their samplers.
    pub textures: Place,
    /// The bindings of samplers that are separate from their textures.
    pub samplers: Place,
    /// The bindings of storage buffers.
    pub buffers: Place,
    /// The bindings of storage textures.
    pub images: Place,
    /// The bindings of written storage textures, followed by written storage buffers. `None` means that written and read-only
    /// resources share one range of bindings and are numbered together.
    pub written: Option<Place>,
}

impl Places {
    /// Creates the binding ranges of constants, further uniforms, textures, samplers, storage buffers and storage textures, in
    /// this order. The three numbers of a range are the group, the first binding and the step.
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

/// The numbering of textures, storage buffers and storage textures. Except for [`Numbering::Source`], a resource's number is its
/// index in the [`Place`] for resources of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// Each resource is numbered by its slot. A texture's slot is its sampler register, so fs3 has the number 3.
    Slot,
    /// All resources of one type in a stage are numbered without gaps, in the order of their slots.
    Dense,
    /// Each resource, also a uniform buffer and a sampler, has the group and the binding that the source states. A module without
    /// such statements, for example from AGAL, is numbered by slot.
    Source,
}

sdlbc::words!(Numbering {
    Slot "slot" "The sampler register's number",
    Dense "dense" "The position among the textures of the stage, without gaps",
    Source "source" "The group and the binding that the source states",
});

/// The way in which an application passes constants to a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constants {
    /// The constants are in uniform buffers.
    Block,
    /// The constants are in a push constant range (Vulkan) or immediates (WebGPU), where the fragment stage's constants follow
    /// the vertex stage's constants. GLSL, which has no push constants, uses plain uniforms.
    Push,
    /// The constants are plain uniforms of OpenGL (`uniform vec4 vc[5]`, for `glUniform4fv`). Targets without plain uniforms use
    /// uniform buffers.
    Plain,
}

sdlbc::words!(Constants {
    Block "block" "In uniform buffers",
    Push "push" "In the push constant range; plain uniforms in GLSL",
    Plain "plain" "As plain uniforms in GLSL; otherwise in uniform buffers",
});

/// Whether a texture and its sampler are one resource or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Samplers {
    /// A texture and its sampler are two resources, as in WebGPU, Direct3D and Metal.
    Separate,
    /// A texture and its sampler are one combined image sampler in targets that have combined samplers, such as SPIR-V. GLSL
    /// always combines samplers with their textures.
    Combined,
}

sdlbc::words!(Samplers {
    Separate "separate" "Two resources",
    Combined "combined" "One resource, in SPIR-V; GLSL always combines them",
});

/// The number of output files for a pair of stages, in targets whose files can contain both stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modules {
    /// One file contains both entry points.
    Together,
    /// Each stage has its own file.
    Apart,
}

sdlbc::words!(Modules {
    Together "together" "One file with both entry points",
    Apart "apart" "A file for each stage",
});

/// The length of an array of constants, in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// An array ends at the last register that the program reads. An array that is read at a computed index has the length of the
    /// whole register file, limited to `indexed`.
    Read {
        /// The maximum length of arrays that are read at a computed index.
        indexed: u32,
    },
    /// An array has the length of the whole register file. This length depends on the program's version (128 or 250 in the
    /// vertex stage; 28, 64 or 200 in the fragment stage). A longer array keeps its own length.
    File {
        /// The number of constant registers in the vertex stage.
        vertex: u32,
        /// The number of constant registers in the fragment stage.
        fragment: u32,
    },
}

/// The default precision of floats and samplers in GLSL ES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// The precision `highp`, which AGAL uses.
    High,
    /// The precision `mediump`, which is faster on some mobile devices but less exact.
    Medium,
}

sdlbc::words!(Precision {
    High "highp" "As AGAL computes",
    Medium "mediump" "Faster on some devices, and less exact",
});

/// The changes that an application makes to the groups and bindings of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves {
    /// The group of every resource; `None` keeps the groups of the source.
    pub group: Option<u32>,
    /// The number that is added to each binding.
    pub bindings: u32,
}

impl Moves {
    pub(crate) fn apply(self, [group, binding]: [u32; 2]) -> (u32, u32) {
        (self.group.unwrap_or(group), binding.saturating_add(self.bindings))
    }
}

/// The bindings of a shader's resources, and the form of the output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The layout's name, as used in the option `--layout`.
    pub name: &'static str,
    /// The layout's purpose, in one line.
    pub about: &'static str,
    /// The bindings of the vertex stage's resources.
    pub vertex: Places,
    /// The bindings of the fragment stage's resources.
    pub fragment: Places,
    /// The bindings of a compute function's resources.
    pub compute: Places,
    /// Whether read-only resources are numbered consecutively: textures, then storage textures, then storage buffers. If true,
    /// the number of preceding resources is added to each binding.
    pub buffers_follow_textures: bool,
    /// The numbering of textures, storage buffers and storage textures within their bindings.
    pub numbering: Numbering,
    /// The changes of [`Layout::moved`] to the groups and bindings that the source states.
    pub moves: Moves,
    /// The way in which constants are passed to the shader.
    pub constants: Constants,
    /// Whether one block contains all uniforms of a stage.
    pub one_block: bool,
    /// Whether textures are combined with their samplers.
    pub samplers: Samplers,
    /// Whether a pair of stages becomes one file or two.
    pub modules: Modules,
    /// The identifier that names all entry points. `None` keeps the functions' own names (`vs_main` and `fs_main`). Except
    /// in SPIR-V, it is an error if two entry points of one file have the same name. In GLSL the name is always `main`. MSL
    /// reserves `main`, so its output uses `main0` instead.
    pub entry: Option<Cow<'static, str>>,
    /// The length of arrays of constants.
    pub length: Length,
    /// The major and minor version of SPIR-V.
    pub spirv: (u8, u8),
    /// The GLSL version that the command line writes if the user selects no version. [`crate::write()`] ignores this field,
    /// because its target states the version.
    pub glsl: Glsl,
    /// The depth range of the vertex stage's position, or `None` for the target's own range.
    pub depth: Option<Depth>,
    /// Whether the position's y is negated. `None` negates y if the y axis of the target's clip space points down, as in Vulkan.
    pub flip_y: Option<bool>,
    /// Whether WGSL output declares the attributes as members of a structure `Vertex` even if no attribute is named.
    pub vertex_struct: bool,
    /// The default precision in the fragment stage of GLSL ES. The vertex stage always computes with high precision.
    pub precision: Precision,
    /// Whether computed indices are assumed to be in bounds. If true, the code has no clamps of indices, and an index out of bounds
    /// has undefined results.
    pub trust_indices: bool,
}

impl Layout {
    /// The default layout, whose bindings follow the numbers of Stage3D's registers.
    pub const STAGE3D: Layout = Layout {
        name: "stage3d",
        about: "one group: constants at 0 and 1, fragment textures at 2 + 2N and their samplers next to them",
        vertex: Places::of([(0, 0, 1), (0, 258, 2), (0, 130, 2), (0, 131, 2), (0, 512, 2), (0, 768, 2)]),
        fragment: Places::of([(0, 1, 1), (0, 259, 2), (0, 2, 2), (0, 3, 2), (0, 513, 2), (0, 769, 2)]),
        compute: Places::of([(0, 0, 1), (0, 258, 1), (0, 2, 2), (0, 3, 2), (0, 512, 1), (0, 768, 1)]),
        buffers_follow_textures: false,
        numbering: Numbering::Slot,
        moves: Moves { group: None, bindings: 0 },
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
        trust_indices: false,
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

    /// The layout for SDL 3's GPU API: one module per stage, and one block for all uniforms of a stage. The vertex stage has its
    /// samplers in set 0 and its uniforms in set 1, the fragment stage in sets 2 and 3, and the compute stage in sets 0 and 2.
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

    /// The layout for WebGL 2, with GLSL ES 300, plain uniforms, and textures found by the names of their samplers.
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

    /// The layout that keeps the groups and bindings of a source in WGSL, GLSL, HLSL or SPIR-V. A texture is combined with its
    /// sampler if the source combines them.
    pub const SOURCE: Layout = Layout {
        name: "source",
        about: "the groups and bindings that the source states; for AGAL, which states none, as in stage3d",
        numbering: Numbering::Source,
        ..Layout::STAGE3D
    };

    /// Every predefined layout.
    pub const ALL: [Layout; 7] = [
        Layout::STAGE3D,
        Layout::WGPU,
        Layout::VULKAN,
        Layout::SDL_GPU,
        Layout::WEBGL2,
        Layout::RUFFLE,
        Layout::SOURCE,
    ];

    /// Returns the layout with this name, or `None` if the name is unknown.
    pub fn named(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.name == name)
    }

    /// Moves every resource into `group`, or keeps the groups if `group` is `None`, and adds `bindings` to every binding.
    #[must_use]
    pub fn moved(mut self, group: Option<u32>, bindings: u32) -> Layout {
        if self.numbering == Numbering::Source {
            let before = self.moves;
            self.moves = Moves { group: group.or(before.group), bindings: before.bindings.saturating_add(bindings) };
        }
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

    /// Checks the fields whose types allow invalid values. The entry points' name must be an identifier, and no array of
    /// constants may be longer than a module allows.
    ///
    /// # Errors
    ///
    /// Returns [`Error::EntryName`] or [`Error::ConstantLength`] for an invalid field.
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

    /// Returns the bindings of a stage's resources.
    pub fn places(&self, stage: FunctionKind) -> &Places {
        match stage {
            FunctionKind::Vertex => &self.vertex,
            FunctionKind::Compute => &self.compute,
            _ => &self.fragment,
        }
    }
}

/// Reports whether a name consists of letters, digits and underscores and does not begin with a digit.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the layout `stage3d`.
impl Default for Layout {
    fn default() -> Layout {
        Layout::STAGE3D
    }
}
