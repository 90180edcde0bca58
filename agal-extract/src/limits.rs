//! The limits that apply to all inputs.

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr;)*) => {
        /// Limits of an extraction. A warning names each part with shaders in which a limit was reached.
        ///
        /// ```
        /// let mut limits = agal_extract::Limits::default();
        /// limits.paths = 16;
        /// let options = agal_extract::Options::default().limits(limits);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($field: $default,)* }
            }
        }
    };
}

limits! {
    /// The maximum number of bytes that a compressed file may unpack to.
    unpacked: usize = 512 << 20;
    /// The maximum ratio of the length of the contents to the length of the file, for contents of more than one mebibyte.
    ratio: usize = 200;
    /// Maximum depth of files within files.
    nesting: usize = 8;
    /// The maximum number of files in archives that are read.
    entries: usize = 4_096;
    /// The maximum number of programs in the result.
    programs: usize = 20_000;
    /// The maximum number of variants of one entry point: paths through a method and the methods that it calls.
    paths: usize = 800;
    /// Number of consecutive paths without new results after which the remaining paths are left out.
    idle_paths: usize = 96;
    /// The maximum number of instructions of one path.
    path_steps: u64 = 1_000_000;
    /// The maximum number of instructions of all paths of one entry point.
    entry_steps: u64 = 6_000_000;
    /// The maximum number of instructions of all initialisers. All paths share the objects that initialisers create.
    initial_steps: u64 = 2_000_000;
    /// The maximum number of instructions of the whole extraction.
    steps: u64 = 50_000_000;
    /// The maximum number of conditions on a path.
    conditions: usize = 400;
    /// Maximum depth of calls.
    depth: usize = 40;
    /// The maximum number of active calls of one method.
    recursion: usize = 4;
    /// The maximum number of bytes of a text.
    text: usize = 1 << 18;
    /// The maximum number of bytes of all texts that a path concatenates.
    path_text: usize = 32 << 20;
    /// The maximum number of bytes of all programs in the result.
    texts: usize = 4 << 20;
    /// The maximum number of places in data that are listed for a program.
    places: usize = 1_000;
}

impl Limits {
    /// A tenth of the usual limits on instructions. Programs that are built far from the calls that take them may be missed.
    pub fn quick() -> Limits {
        let usual = Limits::default();
        Limits {
            path_steps: usual.path_steps / 10,
            entry_steps: usual.entry_steps / 10,
            initial_steps: usual.initial_steps / 10,
            steps: usual.steps / 10,
            ..usual
        }
    }
}
