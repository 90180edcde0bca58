//! Defines the features of targets. Each feature is a column of the table whose rows are the files in `target/`.
//!
//! Rule: lowering tests features and never the target, so a new target needs no change to lowering.

use crate::language::Language;
use crate::layout::Depth;

/// The features of a target, and the target's requirements for generated code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// The language, whose reserved words must not become names.
    pub(crate) language: Language,
    /// Whether the target has 16-bit floats.
    pub(crate) halves: bool,
    /// Whether the target's integer division and remainder already produce the IR's results for all operands.
    pub(crate) checked_division: bool,
    /// Whether the language accepts naga's code for operations on integer vectors.
    pub(crate) int_vectors: bool,
    /// The types of vectors that a vector of bools can select by component.
    pub(crate) select: Select,
    /// Whether the language has conjunctions and disjunctions of vectors of bools.
    pub(crate) bool_vectors: bool,
    /// Whether the target has `ldexp`, which multiplies by a power of two.
    pub(crate) ldexp: bool,
    /// Whether a switch that has only a default block is written as a switch.
    pub(crate) lone_switches: bool,
    /// Whether the language allows loops without an exit. WGSL and HLSL reject endless loops, and MSL, like C++, leaves their
    /// behaviour undefined.
    pub(crate) endless_loops: bool,
    /// Whether a discard ends the invocation, in which case no `return` is needed after it.
    pub(crate) discard_ends: bool,
    /// The functions that must end with a `return` even if control flow does not reach that `return`.
    pub(crate) unreached_returns: Returns,
    /// Whether the target has point sizes and point coordinates.
    pub(crate) points: bool,
    /// The form of clip distances in an entry point's result.
    pub(crate) clips: Clips,
    /// The maximum number of render targets.
    pub(crate) targets: u32,
    /// Whether the target has compute functions and storage buffers.
    pub(crate) compute: bool,
    /// Whether the language can query the length of a storage buffer. If the language cannot, the application passes a table
    /// of lengths.
    pub(crate) buffer_lengths: bool,
    /// Whether an atomic compare-exchange may fail although the element equals the comparator.
    pub(crate) weak_exchanges: bool,
    /// Whether the language has a builtin for the number of workgroups.
    pub(crate) workgroup_counts: bool,
    /// Whether a storage texture that the program only reads is declared as a sampled texture.
    pub(crate) read_images_are_textures: bool,
    /// Whether varyings can be interpolated without perspective correction.
    pub(crate) linear_varyings: bool,
    /// Whether stages link varyings by location instead of by name.
    pub(crate) varying_locations: bool,
    /// Whether stages are linked by the order of their varyings.
    pub(crate) links_by_order: bool,
    /// Whether inputs and outputs are global variables instead of arguments and results of the entry point.
    pub(crate) io_variables: bool,
    /// Whether attributes may be members of a structure.
    pub(crate) vertex_struct: bool,
    /// Whether an output file contains only one stage.
    pub(crate) one_stage: bool,
    /// The rule for naming entry points.
    pub(crate) entry: Entry,
    /// The way in which the target binds resources.
    pub(crate) resources: Resources,
    /// Whether the target has push constants, which both stages read from one shared range outside all buffers.
    pub(crate) push_constants: bool,
    /// The textures that are combined with their samplers.
    pub(crate) combined_samplers: Combined,
    /// Whether several resources of a stage may have one binding.
    pub(crate) aliases: bool,
    pub(crate) cube_arrays: bool,
    /// Whether the target has gathers, which read four texels at once.
    pub(crate) gathers: bool,
    /// Whether a depth comparison can read mip level 0 of a cube array.
    pub(crate) cube_array_level: bool,
    /// Whether gathered depth comparisons work on 2D arrays and cubes. For 2D arrays and cubes, naga writes a GLSL call whose
    /// operands match no overload.
    pub(crate) gathers_around: bool,
    /// Whether a depth comparison in a 2D array can combine an implicit mip level with a texel offset.
    pub(crate) offset_array_compares: bool,
    /// Whether structure members state their offsets, which makes padding members unnecessary.
    pub(crate) offsets: bool,
    /// Whether each column of a two-row matrix occupies a whole register.
    pub(crate) wide_columns: bool,
    /// Whether registers become members with matrix types if the code reads them only as matrix columns.
    pub(crate) matrix_members: bool,
    /// Whether derivatives in non-uniform control flow are an error unless the shader turns the diagnostic off.
    pub(crate) checks_uniformity: bool,
    /// The depth range of the target's clip space.
    pub(crate) depth: Depth,
    /// Whether the target's clip space has y down.
    pub(crate) y_down: bool,
    /// Whether the window has y up, which inverts the sign of DDY.
    pub(crate) window_y_up: bool,
    /// Whether a viewport of negative height flips an image that the shader does not flip. DDY then keeps its sign.
    pub(crate) flips_by_viewport: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Select {
    /// Vectors of all types can be selected by component.
    All,
    /// Only vectors of floats can be selected by component.
    Floats,
    /// No vectors can be selected by component.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// No function ends with a `return` that control flow does not reach.
    Never,
    /// A called function with a result ends with an unreached `return` if it has no other `return`.
    OfValues,
    /// Every function with a result ends with a `return`, even if control flow does not reach it.
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clips {
    /// One array contains all clip distances.
    Array,
    /// Vectors of up to four floats contain the clip distances.
    Vectors,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// An entry point may have any name.
    Any,
    /// Every entry point is named `main`.
    Main,
    /// An entry point may have any name except `main`, which becomes `main0`.
    NotMain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resources {
    /// Resources are bound in groups, and no two resources of a pipeline share a binding.
    Groups,
    /// Resources are bound at OpenGL's binding points and texture units, regardless of the layout.
    OpenGl {
        /// Whether the shader states its binding points and texture units.
        stated: bool,
    },
    /// Resources are bound to registers, which each stage numbers separately for each kind of resource.
    Registers {
        /// Whether registers are counted from 0 and have no groups, regardless of the layout.
        counted: bool,
    },
    /// Resources are bound at indices that each stage counts from 0, separately for buffers, textures and samplers, regardless of
    /// the layout.
    Indices,
}

impl Resources {
    pub(crate) const fn is_opengl(self) -> bool {
        matches!(self, Resources::OpenGl { .. })
    }

    pub(crate) const fn are_registers(self) -> bool {
        matches!(self, Resources::Registers { .. } | Resources::Indices)
    }

    pub(crate) const fn are_counted(self) -> bool {
        matches!(self, Resources::Registers { counted: true } | Resources::Indices)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combined {
    /// Every texture is combined with its sampler.
    Always,
    /// Every texture is combined with its sampler if the layout combines samplers.
    ByLayout,
    /// No texture is combined with its sampler.
    Never,
}

impl Features {
    /// Returns the default features of a language. Each target's row states only the differences from these defaults.
    pub(crate) const fn of(language: Language) -> Features {
        Features {
            language,
            halves: true,
            checked_division: true,
            int_vectors: true,
            select: Select::All,
            bool_vectors: true,
            ldexp: true,
            lone_switches: true,
            endless_loops: false,
            discard_ends: false,
            unreached_returns: Returns::Always,
            points: false,
            clips: Clips::Array,
            targets: 8,
            compute: false,
            buffer_lengths: true,
            weak_exchanges: false,
            workgroup_counts: true,
            read_images_are_textures: false,
            linear_varyings: true,
            varying_locations: true,
            links_by_order: false,
            io_variables: false,
            vertex_struct: false,
            one_stage: false,
            entry: Entry::Any,
            resources: Resources::Groups,
            push_constants: false,
            combined_samplers: Combined::Never,
            aliases: false,
            cube_arrays: true,
            gathers: true,
            cube_array_level: true,
            gathers_around: true,
            offset_array_compares: true,
            offsets: false,
            wide_columns: false,
            matrix_members: false,
            checks_uniformity: false,
            depth: Depth::ZeroToOne,
            y_down: false,
            window_y_up: false,
            flips_by_viewport: false,
        }
    }

    /// Reports whether the output is source code, in which values have names and the plan inlines expressions.
    pub(crate) fn is_text(&self) -> bool {
        self.language != Language::Spirv
    }

    /// Reports whether an output may contain two entry points, whose names must then differ.
    pub(crate) fn names_entries(&self) -> bool {
        self.is_text() && !self.one_stage
    }
}
