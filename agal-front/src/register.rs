//! Register files: their numbers in a token, their names in text, the number of registers in each version, and the stages that can
//! read or write them.

pub use sdlbc::front::Stage;

/// A register file, by its number in a token's type field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum File {
    /// Vertex attributes: `va`.
    Attribute = 0,
    /// Constants that the application sets: `vc`, `fc`.
    Constant = 1,
    /// Temporaries: `vt`, `ft`.
    Temporary = 2,
    /// Position or colour: `op`, `oc`.
    Output = 3,
    /// Values interpolated from the vertices to the fragments: `v`.
    Varying = 4,
    /// Textures with their sampling state: `fs`, `vs`.
    Sampler = 5,
    /// The fragment's depth: `od`.
    Depth = 6,
    /// The number of the instance: `iid`.
    Instance = 7,
}

impl File {
    /// Every file, by number.
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

    /// The file of a type number (a token has four bits for it).
    pub fn from_number(number: u8) -> Option<File> {
        File::ALL.get(usize::from(number)).copied()
    }

    /// Prefix of the names of the file's registers in text for `stage`, before the number.
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

    /// The file's name in messages.
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

    /// Number of registers in the file for a program of `stage` and `version`. The limits are Adobe's published ones; those of
    /// version 4 are not published, so version 3's are used for it.
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

/// Maximum number of tokens of a program of `version`.
pub const fn token_limit(version: u32) -> usize {
    of_version([200, 1024, 2048], version)
}

/// The limit for a version, from the limits of version 1, version 2, and versions 3 and 4.
const fn of_version<T: Copy>(limits: [T; 3], version: u32) -> T {
    match version {
        0 | 1 => limits[0],
        2 => limits[1],
        _ => limits[2],
    }
}

/// The known versions of AGAL.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=4;

/// The stage of names and opcodes that only vertex programs have.
pub(crate) const VERTEX: Option<Stage> = Some(Stage::Vertex);
/// The stage of names and opcodes that only fragment programs have.
pub(crate) const FRAGMENT: Option<Stage> = Some(Stage::Fragment);

/// A register name in text, its file, and the stage that has the name, if only one has it.
pub(crate) type Name = (&'static str, File, Option<Stage>);

/// Every name and alias of Adobe's assembler.
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

/// The row of a register name, without its number and in letters of either case.
pub(crate) fn name(text: &str) -> Option<&'static Name> {
    NAMES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text))
}

/// File of a register name without its number, in letters of either case, and the only stage that has the name, if there is one.
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

/// The number (0 to 3) of a component's letter.
pub(crate) fn component(letter: u8) -> u8 {
    match letter.to_ascii_lowercase() {
        b'y' | b'g' => 1,
        b'z' | b'b' => 2,
        b'w' | b'a' => 3,
        _ => 0,
    }
}
