//! The limits that hold for any input, in one place.

/// Limits of an extraction. A warning tells where something that holds shaders reached one of them.
///
/// ```
/// let mut limits = agal_extract::Limits::default();
/// limits.paths = 16;
/// let options = agal_extract::Options { limits, ..Default::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes that a compressed file may unpack to.
    pub unpacked: usize,
    /// How many times as long as the file its contents may be, from one mebibyte on.
    pub ratio: usize,
    /// How many files may be in one another.
    pub nesting: usize,
    /// The most files of archives that are looked at.
    pub entries: usize,
    /// The most programs that are kept.
    pub programs: usize,
    /// The most variants of one entry point: paths through a method and what it calls.
    pub paths: usize,
    /// How many paths in a row may bring nothing new before the rest is left out.
    pub idle_paths: usize,
    /// The most instructions of one path.
    pub path_steps: u64,
    /// The most instructions of all paths of one entry point.
    pub entry_steps: u64,
    /// The most instructions of all initialisers, whose objects all paths have.
    pub initial_steps: u64,
    /// The most instructions of all.
    pub steps: u64,
    /// The most conditions on a path.
    pub conditions: usize,
    /// How deep calls go.
    pub depth: usize,
    /// How often a method may be in its own calls.
    pub recursion: usize,
    /// The most bytes of a text.
    pub text: usize,
    /// The most bytes of all texts that a path puts together.
    pub path_text: usize,
    /// The most bytes of all programs that are kept.
    pub texts: usize,
    /// The most places in data of a program that are listed.
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
    /// A tenth of the usual instructions: finds what is near the calls that take programs, and what is far from them perhaps not.
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
