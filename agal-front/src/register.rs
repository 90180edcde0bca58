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
            (File::Attribute, Stage::Fragment) | (File::Depth, Stage::Vertex) | (File::Instance, Stage::Fragment) => {
                [0, 0, 0]
            }
        };
        match version {
            0 | 1 => versions[0],
            2 => versions[1],
            _ => versions[2],
        }
    }
}

/// Maximum number of tokens of a program of `version`.
pub const fn token_limit(version: u32) -> usize {
    match version {
        0 | 1 => 200,
        2 => 1024,
        _ => 2048,
    }
}

/// The known versions of AGAL.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=4;

/// A register name in text: its file, and the stage that the name belongs to (`v` belongs to both).
pub(crate) struct Name {
    pub(crate) text: &'static str,
    pub(crate) file: File,
    pub(crate) stage: Option<Stage>,
}

/// Every name and alias of Adobe's assembler.
pub(crate) const NAMES: &[Name] = {
    const fn name(text: &'static str, file: File, stage: Option<Stage>) -> Name {
        Name { text, file, stage }
    }
    const VERTEX: Option<Stage> = Some(Stage::Vertex);
    const FRAGMENT: Option<Stage> = Some(Stage::Fragment);
    &[
        name("va", File::Attribute, VERTEX),
        name("vc", File::Constant, VERTEX),
        name("fc", File::Constant, FRAGMENT),
        name("vt", File::Temporary, VERTEX),
        name("ft", File::Temporary, FRAGMENT),
        name("vo", File::Output, VERTEX),
        name("op", File::Output, VERTEX),
        name("fo", File::Output, FRAGMENT),
        name("oc", File::Output, FRAGMENT),
        name("v", File::Varying, None),
        name("vi", File::Varying, None),
        name("i", File::Varying, None),
        name("fi", File::Varying, None),
        name("fs", File::Sampler, FRAGMENT),
        name("vs", File::Sampler, VERTEX),
        name("fd", File::Depth, FRAGMENT),
        name("od", File::Depth, FRAGMENT),
        name("iid", File::Instance, VERTEX),
    ]
};

/// File of a register name without its number, in letters of either case, and the stage that the name belongs to.
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
    NAMES.iter().find(|name| name.text.eq_ignore_ascii_case(text)).map(|name| (name.file, name.stage))
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
