//! The features of targets: the columns of the table whose rows are in `target/`.
//!
//! Rule: lowering tests features and never the target, so that a new target is a row and a file.

use crate::language::Language;
use crate::layout::Depth;

/// The features of a target, and its requirements on code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// The language whose reserved words names avoid.
    pub(crate) language: Language,
    /// Floats of 16 bits.
    pub(crate) halves: bool,
    /// Quotients and remainders of ints have the results of the IR for all operands.
    pub(crate) checked_division: bool,
    /// naga writes operations on vectors of ints in a form that the language allows.
    pub(crate) int_vectors: bool,
    /// The types of vectors between which a vector of bools selects by component.
    pub(crate) select: Select,
    /// Conjunctions and disjunctions of vectors of bools.
    pub(crate) bool_vectors: bool,
    /// Multiplication by a power of two.
    pub(crate) ldexp: bool,
    /// A switch with one block is written as a switch.
    pub(crate) lone_switches: bool,
    /// Loops without an exit. Other languages reject them (WGSL, HLSL) or leave their behaviour undefined (MSL, as C++ does).
    pub(crate) endless_loops: bool,
    /// A discard ends the invocation. In other languages, a `return` must follow where control flow relies on that.
    pub(crate) discard_ends: bool,
    /// The functions that end with a `return` although control does not reach it.
    pub(crate) unreached_returns: Returns,
    /// Sizes and coordinates of points.
    pub(crate) points: bool,
    /// The form of clip distances in a result.
    pub(crate) clips: Clips,
    /// The number of render targets.
    pub(crate) targets: u32,
    /// Compute functions and storage buffers.
    pub(crate) compute: bool,
    /// The language can query the number of elements of a storage buffer. In other languages, the application passes a table.
    pub(crate) buffer_lengths: bool,
    /// A builtin contains the number of workgroups.
    pub(crate) workgroup_counts: bool,
    /// A storage texture that is only read is declared as a sampled texture.
    pub(crate) read_images_are_textures: bool,
    /// Varyings that are interpolated without perspective.
    pub(crate) linear_varyings: bool,
    /// Varyings have locations. In other languages, a varying must have the same name in both stages.
    pub(crate) varying_locations: bool,
    /// Stages are linked by the order of their varyings.
    pub(crate) links_by_order: bool,
    /// Inputs and outputs are global variables, and builtins are named by the language. In other languages they are arguments
    /// and results of the entry point.
    pub(crate) io_variables: bool,
    /// Attributes may be members of a structure.
    pub(crate) vertex_struct: bool,
    /// A text contains one stage.
    pub(crate) one_stage: bool,
    /// The name of an entry point.
    pub(crate) entry: Entry,
    /// The scheme by which resources are bound.
    pub(crate) resources: Resources,
    /// Constants outside all buffers, in a range that both stages share.
    pub(crate) push_constants: bool,
    /// The textures that are combined with their samplers.
    pub(crate) combined_samplers: Combined,
    /// Arrays of cubes.
    pub(crate) cube_arrays: bool,
    /// Gathers of four texels.
    pub(crate) gathers: bool,
    /// Comparisons with the first level of an array of cubes.
    pub(crate) cube_array_level: bool,
    /// Gathered comparisons with arrays of 2D textures and with cubes. For these, naga's GLSL calls a function with operands that
    /// no overload has.
    pub(crate) gathers_around: bool,
    /// Comparisons with an implicit level and a texel offset in an array of 2D textures.
    pub(crate) offset_array_compares: bool,
    /// Members of structures state their offsets, so that padding needs no members.
    pub(crate) offsets: bool,
    /// In a matrix with two rows, each column takes a whole register.
    pub(crate) wide_columns: bool,
    /// Registers that are read only as columns of matrices become members of matrix types.
    pub(crate) matrix_members: bool,
    /// Derivatives in non-uniform control flow are an error, unless the text turns the diagnostic off.
    pub(crate) checks_uniformity: bool,
    /// The depth range of clip space.
    pub(crate) depth: Depth,
    /// Clip space has y down.
    pub(crate) y_down: bool,
    /// The window has y up, so DDY, the difference to the fragment below, has the opposite sign.
    pub(crate) window_y_up: bool,
    /// A position whose y is not adjusted is used with a viewport of negative height, so that the window stays the same.
    pub(crate) flips_by_viewport: bool,
}

/// The types of vectors between which a vector of bools selects by component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Select {
    /// Vectors of all types.
    All,
    /// Vectors of floats.
    Floats,
    /// None.
    Nothing,
}

/// The functions that end with a `return` although control does not reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// None.
    Never,
    /// Called functions with a result that have no other `return`.
    OfValues,
    /// All with a result.
    Always,
}

/// The form of clip distances in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clips {
    /// In one array.
    Array,
    /// In vectors of four.
    Vectors,
}

/// The name of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// As in the module.
    Any,
    /// `main`.
    Main,
    /// As in the module, and `main0` in place of `main`.
    NotMain,
}

/// The scheme by which a target binds resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resources {
    /// In groups, with a binding that no other resource of the pipeline has.
    Groups,
    /// At OpenGL's binding points and texture units, regardless of the layout.
    OpenGl {
        /// Whether the shader text states the binding points and units.
        stated: bool,
    },
    /// In registers, which each stage numbers separately for each kind of resource.
    Registers {
        /// Whether registers are counted from 0 and have no groups, regardless of the layout.
        counted: bool,
    },
    /// At indices that each stage counts from 0, separately for buffers, textures and samplers, regardless of the layout.
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

/// The textures that are combined with their samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combined {
    /// All.
    Always,
    /// All, if the layout combines samplers.
    ByLayout,
    /// None.
    Never,
}

impl Features {
    /// Returns the features of most targets; a row states only its differences.
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

    /// Whether the output is a text, in which values have names and expressions are inlined by the plan.
    pub(crate) fn is_text(&self) -> bool {
        self.language != Language::Spirv
    }

    /// Whether an output may contain two entry points, whose names must differ, so that a layout with one name is an error.
    pub(crate) fn names_entries(&self) -> bool {
        self.is_text() && !self.one_stage
    }
}
