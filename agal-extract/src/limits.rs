//! The limits that apply to an extraction.

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr;)*) => {
        /// The limits of an extraction. If a limit is reached for a method or file with shaders, a warning names the method
        /// or file.
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
    /// The maximum number of bytes to which a compressed file may expand.
    unpacked: usize = 512 << 20;
    /// The maximum ratio of unpacked to packed length for a compressed file that unpacks to more than one mebibyte.
    ratio: usize = 200;
    /// The maximum nesting depth of files that contain other files.
    nesting: usize = 8;
    /// The maximum number of files that are read from archives.
    entries: usize = 4_096;
    /// The maximum number of programs in the result.
    programs: usize = 20_000;
    /// The maximum number of paths that are run through one entry point and the methods that it calls.
    paths: usize = 800;
    /// The number of consecutive paths without new results after which the remaining paths of an entry point are skipped.
    idle_paths: usize = 96;
    /// The maximum number of instructions that one path may run.
    path_steps: u64 = 1_000_000;
    /// The maximum number of instructions that all paths of one entry point may run together.
    entry_steps: u64 = 6_000_000;
    /// The maximum number of instructions that all initialisers may run together.
    initial_steps: u64 = 2_000_000;
    /// The maximum number of instructions that the entire extraction may run.
    steps: u64 = 50_000_000;
    /// The maximum number of conditions on a path.
    conditions: usize = 400;
    /// The maximum depth of nested calls.
    depth: usize = 40;
    /// The maximum number of calls of the same method that may be active at once.
    recursion: usize = 4;
    /// The maximum length of a string, in bytes.
    text: usize = 1 << 18;
    /// The maximum total length of the strings that a path concatenates, in bytes.
    path_text: usize = 32 << 20;
    /// The maximum total size of all programs in the result, in bytes.
    texts: usize = 4 << 20;
    /// The maximum number of places in data files that are listed for one program.
    places: usize = 1_000;
}

impl Limits {
    /// Returns the default limits with a tenth of the instruction counts. With these limits, an extraction may miss programs that
    /// are built far from the calls that receive them.
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
