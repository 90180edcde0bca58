//! The limits that apply to all inputs.

/// Limits of an extraction. A warning names each part with shaders in which a limit was reached.
///
/// ```
/// let mut limits = agal_extract::Limits::default();
/// limits.paths = 16;
/// let options = agal_extract::Options { limits, ..Default::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of bytes that a compressed file may unpack to.
    pub unpacked: usize,
    /// The maximum ratio of the length of the contents to the length of the file, for contents of more than one mebibyte.
    pub ratio: usize,
    /// Maximum depth of files within files.
    pub nesting: usize,
    /// The maximum number of files in archives that are read.
    pub entries: usize,
    /// The maximum number of programs that are kept.
    pub programs: usize,
    /// The maximum number of variants of one entry point: paths through a method and the methods that it calls.
    pub paths: usize,
    /// Number of consecutive paths without new results after which the remaining paths are left out.
    pub idle_paths: usize,
    /// The maximum number of instructions of one path.
    pub path_steps: u64,
    /// The maximum number of instructions of all paths of one entry point.
    pub entry_steps: u64,
    /// The maximum number of instructions of all initialisers. All paths share the objects that initialisers create.
    pub initial_steps: u64,
    /// The maximum number of instructions of the whole extraction.
    pub steps: u64,
    /// The maximum number of conditions on a path.
    pub conditions: usize,
    /// Maximum depth of calls.
    pub depth: usize,
    /// The maximum number of active calls of one method.
    pub recursion: usize,
    /// The maximum number of bytes of a text.
    pub text: usize,
    /// The maximum number of bytes of all texts that a path concatenates.
    pub path_text: usize,
    /// The maximum number of bytes of all programs that are kept.
    pub texts: usize,
    /// The maximum number of places in data that are listed for a program.
    pub places: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            unpacked: 512 << 20,
            ratio: 200,
            nesting: 8,
            entries: 4_096,
            programs: 20_000,
            paths: 800,
            idle_paths: 96,
            path_steps: 1_000_000,
            entry_steps: 6_000_000,
            initial_steps: 2_000_000,
            steps: 50_000_000,
            conditions: 400,
            depth: 40,
            recursion: 4,
            text: 1 << 18,
            path_text: 32 << 20,
            texts: 4 << 20,
            places: 1_000,
        }
    }
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
