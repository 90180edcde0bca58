//! Register files: their numbers in bytecode, their names in source text, and the number of registers in each stage and version.

pub use sdlbc::front::Stage;

/// A register file. Each discriminant is the number that denotes the file in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum File {
    /// Vertex attributes: `va`.
    Attribute = 0,
    /// Constants, which the application uploads: `vc`, `fc`.
    Constant = 1,
    /// Temporaries: `vt`, `ft`.
    Temporary = 2,
    /// The vertex position or the fragment's colours: `op`, `oc`.
    Output = 3,
    /// Varyings, which are interpolated between the vertices for each fragment: `v`.
    Varying = 4,
    /// Textures with their sampling state: `vs`, `fs`.
    Sampler = 5,
    /// The fragment's depth: `od`.
    Depth = 6,
    /// The index of the instance: `iid`.
    Instance = 7,
}

impl File {
    /// Every register file, in ascending order of type numbers.
    pub const ALL: [File; 8] = [
        File::Attribute,
        File::Constant,
        File::Temporary,
        File::Output,
        File::Varying,
        File::Sampler,
        File::Depth,
        File::Instance,
    ];

    /// Returns the register file with the given type number, or `None` if no file has that number.
    pub fn from_number(number: u8) -> Option<File> {
        File::ALL.get(usize::from(number)).copied()
    }

    /// Returns the prefix of the file's register names in source text, such as `vt` for the temporaries of a vertex program.
    pub const fn name(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (File::Attribute, _) => "va",
            (File::Constant, Stage::Vertex) => "vc",
            (File::Constant, Stage::Fragment) => "fc",
            (File::Temporary, Stage::Vertex) => "vt",
            (File::Temporary, Stage::Fragment) => "ft",
            (File::Output, Stage::Vertex) => "op",
            (File::Output, Stage::Fragment) => "oc",
            (File::Varying, _) => "v",
            (File::Sampler, Stage::Vertex) => "vs",
            (File::Sampler, Stage::Fragment) => "fs",
            (File::Depth, _) => "od",
            (File::Instance, _) => "iid",
        }
    }

    /// Returns the file's name for messages, such as `vertex attribute`.
    pub const fn description(self) -> &'static str {
        match self {
            File::Attribute => "vertex attribute",
            File::Constant => "constant",
            File::Temporary => "temporary",
            File::Output => "output",
            File::Varying => "varying",
            File::Sampler => "sampler",
            File::Depth => "fragment depth",
            File::Instance => "instance id",
        }
    }

    /// Returns the number of registers in the file for a program of `stage` and `version`. Adobe has published the limits of
    /// versions 1 to 3. Version 4 has four vertex samplers. The other limits of version 4 are assumed to equal those of version
    /// 3.
    pub const fn count(self, stage: Stage, version: u32) -> u32 {
        let versions = match (self, stage) {
            (File::Attribute, Stage::Vertex) => [8, 8, 16],
            (File::Constant, Stage::Vertex) => [128, 250, 250],
            (File::Constant, Stage::Fragment) => [28, 64, 200],
            (File::Temporary, _) => [8, 26, 26],
            (File::Output, Stage::Vertex) => [1, 1, 1],
            (File::Output, Stage::Fragment) => [1, 4, 4],
            (File::Varying, _) => [8, 10, 10],
            (File::Sampler, Stage::Fragment) => [8, 16, 16],
            (File::Sampler, Stage::Vertex) => return if version >= 4 { 4 } else { 0 },
            (File::Depth, Stage::Fragment) => [0, 1, 1],
            (File::Instance, Stage::Vertex) => [0, 0, 1],
            (File::Attribute | File::Instance, Stage::Fragment) | (File::Depth, Stage::Vertex) => [0, 0, 0],
        };
        of_version(versions, version)
    }
}

/// Returns the maximum number of tokens in a program of `version`.
pub const fn token_limit(version: u32) -> usize {
    of_version([200, 1024, 2048], version)
}

const fn of_version<T: Copy>(limits: [T; 3], version: u32) -> T {
    match version {
        0 | 1 => limits[0],
        2 => limits[1],
        _ => limits[2],
    }
}

/// The versions of AGAL, 1 to 4.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=4;

pub(crate) const VERTEX: Option<Stage> = Some(Stage::Vertex);
pub(crate) const FRAGMENT: Option<Stage> = Some(Stage::Fragment);

/// A register name, its file, and the only stage that has the name, or `None` if both stages have the name.
pub(crate) type Name = (&'static str, File, Option<Stage>);

/// Every register name and alias of Adobe's assembler.
pub(crate) const NAMES: &[Name] = &[
    ("va", File::Attribute, VERTEX),
    ("vc", File::Constant, VERTEX),
    ("fc", File::Constant, FRAGMENT),
    ("vt", File::Temporary, VERTEX),
    ("ft", File::Temporary, FRAGMENT),
    ("vo", File::Output, VERTEX),
    ("op", File::Output, VERTEX),
    ("fo", File::Output, FRAGMENT),
    ("oc", File::Output, FRAGMENT),
    ("v", File::Varying, None),
    ("vi", File::Varying, None),
    ("i", File::Varying, None),
    ("fi", File::Varying, None),
    ("fs", File::Sampler, FRAGMENT),
    ("vs", File::Sampler, VERTEX),
    ("fd", File::Depth, FRAGMENT),
    ("od", File::Depth, FRAGMENT),
    ("iid", File::Instance, VERTEX),
];

/// Finds the table row of a register name, which is given without the register's number. Case is ignored.
pub(crate) fn name(text: &str) -> Option<&'static Name> {
    NAMES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text))
}

/// Looks up a register name, which is given without the register's number. Case is ignored. Returns the register's file
/// and, if only one stage has the name, that stage.
///
/// ```
/// use agal_front::Stage;
/// use agal_front::register::{File, named};
///
/// assert_eq!(named("ft"), Some((File::Temporary, Some(Stage::Fragment))));
/// assert_eq!(named("v"), Some((File::Varying, None)));
/// assert_eq!(named("x"), None);
/// ```
pub fn named(text: &str) -> Option<(File, Option<Stage>)> {
    name(text).map(|&(_, file, stage)| (file, stage))
}

/// Returns the component (0 to 3) that a letter of `xyzw` or `rgba` denotes.
pub(crate) fn component(letter: u8) -> u8 {
    match letter.to_ascii_lowercase() {
        b'y' | b'g' => 1,
        b'z' | b'b' => 2,
        b'w' | b'a' => 3,
        _ => 0,
    }
}
