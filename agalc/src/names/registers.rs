//! Registers that can have names, in the spelling of AGAL or of the unified-shader instruction set.
//!
//! Rule: the spelling of a register does not affect its meaning. For example, `va1` and `a1` are the same attribute, in programs
//! of any language and in the modules made from such programs.

use std::fmt;

use agal_front::Stage;
use agal_front::assemble::{Extent, Registers as AgalRegisters, RegistersError};
use agal_front::register::File as AgalFile;
#[cfg(feature = "es2")]
use es2_front::register::Register;

/// A register file, which determines the kind of its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum File {
    /// Attributes, such as `va1` or `a1`.
    Attribute,
    /// Constants, such as `vc0` and `fc0` for one stage, or `u0` for both.
    Constant,
    /// Temporaries, such as `vt0` and `ft0` for one stage, or `r0` for both.
    Temporary,
    /// Outputs, such as `op` or `position` of a vertex program, and `oc1`, `d1` or `fragcolor` of a fragment program.
    Output,
    /// Varyings, such as `v0`.
    Varying,
    /// Samplers, such as `vs0` and `fs0` for one stage, or `t0` for both.
    Sampler,
    /// The fragment depth, `od`.
    Depth,
    /// The instance index, `iid`.
    Instance,
    /// The point size, `pointsize`.
    PointSize,
    /// The fragment's coordinates, `fragcoord`.
    FragmentCoordinate,
    /// The fragment's coordinates within a point, `pointcoord`.
    PointCoordinate,
    /// The flag for front-facing triangles, `frontfacing`.
    FrontFacing,
}

impl File {
    /// Returns AGAL's register file, or `None` for registers that AGAL lacks.
    const fn in_agal(self) -> Option<AgalFile> {
        Some(match self {
            File::Attribute => AgalFile::Attribute,
            File::Constant => AgalFile::Constant,
            File::Temporary => AgalFile::Temporary,
            File::Output => AgalFile::Output,
            File::Varying => AgalFile::Varying,
            File::Sampler => AgalFile::Sampler,
            File::Depth => AgalFile::Depth,
            File::Instance => AgalFile::Instance,
            File::PointSize | File::FragmentCoordinate | File::PointCoordinate | File::FrontFacing => return None,
        })
    }
}

/// The language in which registers are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spelling {
    /// AGAL's spelling, such as `vc0`.
    Agal,
    /// The spelling of the unified-shader instruction set, such as `u0`.
    Unified,
}

/// A register, a range of registers, or components of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Registers {
    /// The file that contains the registers.
    pub file: File,
    /// The stage of the registers, or `None` if both stages share them. Both stages share varyings. In the unified-shader
    /// instruction set, both stages also share uniforms, samplers and temporaries.
    pub stage: Option<Stage>,
    /// The registers or components in the file. A register without a number has [`Extent::File`].
    pub extent: Extent,
    /// The language in which the registers are spelled.
    pub spelling: Spelling,
}

/// Returns the file and the stage of a unified-shader register other than a uniform or a sampler.
#[cfg(feature = "es2")]
fn place_of(register: Register) -> (File, Option<Stage>) {
    match register {
        Register::Temporary(_) => (File::Temporary, None),
        Register::Attribute(_) => (File::Attribute, Some(Stage::Vertex)),
        Register::Varying(_) => (File::Varying, None),
        Register::Data(_) | Register::Colour => (File::Output, Some(Stage::Fragment)),
        Register::Position => (File::Output, Some(Stage::Vertex)),
        Register::PointSize => (File::PointSize, Some(Stage::Vertex)),
        Register::FragmentCoordinate => (File::FragmentCoordinate, Some(Stage::Fragment)),
        Register::PointCoordinate => (File::PointCoordinate, Some(Stage::Fragment)),
        Register::FrontFacing => (File::FrontFacing, Some(Stage::Fragment)),
    }
}

pub(crate) const UNIFORMS: &str = "u";
pub(crate) const SAMPLERS: &str = "t";

impl Registers {
    /// Parses registers in either spelling at the beginning of `text`, and returns the registers and the number of
    /// bytes read.
    ///
    /// ```
    /// use agalc::names::Registers;
    ///
    /// for text in ["vc0..3", "fs1", "u0..3", "u7.yz", "t1", "a2", "position", "d1"] {
    ///     let (registers, length) = Registers::prefix(text)?;
    ///     assert_eq!((registers.to_string().as_str(), length), (text, text.len()));
    /// }
    /// # Ok::<(), agal_front::assemble::RegistersError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the byte offset at which `text` stops naming registers, and a description of the expected text.
    pub fn prefix(text: &str) -> Result<(Registers, usize), RegistersError> {
        #[cfg(feature = "es2")]
        if let Some(unified) = Registers::unified(text) {
            return unified;
        }
        AgalRegisters::prefix(text).map(|(registers, length)| (registers.into(), length))
    }

    /// Parses registers of the unified-shader instruction set. Returns `None` if the spelling is AGAL's.
    #[cfg(feature = "es2")]
    fn unified(text: &str) -> Option<Result<(Registers, usize), RegistersError>> {
        let length = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
        let letters = text.get(..length).unwrap_or_default();
        let unified = |(file, stage), extent| Registers { file, stage, extent, spelling: Spelling::Unified };
        if let Some(register) = Register::from_name(letters) {
            let rest = text.get(length..).unwrap_or_default();
            let wants = "nothing after this register, which has no number";
            return Some(match rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_.[".contains(c)) {
                true => Err(RegistersError { at: length, wants }),
                false => Ok((unified(place_of(register), Extent::File), length)),
            });
        }
        let place = match letters {
            UNIFORMS => (File::Constant, None),
            SAMPLERS => (File::Sampler, None),
            // Varyings have the same spelling in AGAL.
            "v" => return None,
            letters => place_of(Register::from_name(&format!("{letters}0"))?),
        };
        let extent = agal_front::assemble::extent(text, letters, place.0 == File::Constant);
        Some(extent.map(|(extent, length)| (unified(place, extent), length)))
    }

    /// Returns the name of the register file, such as `vc` or `u`.
    pub fn file_name(&self) -> &'static str {
        let stage = self.stage.unwrap_or(Stage::Vertex);
        match (self.spelling, self.file) {
            (_, File::PointSize) => "pointsize",
            (_, File::FragmentCoordinate) => "fragcoord",
            (_, File::PointCoordinate) => "pointcoord",
            (_, File::FrontFacing) => "frontfacing",
            (Spelling::Unified, File::Attribute) => "a",
            (Spelling::Unified, File::Constant) => UNIFORMS,
            (Spelling::Unified, File::Temporary) => "r",
            (Spelling::Unified, File::Sampler) => SAMPLERS,
            (Spelling::Unified, File::Output) => match (stage, self.extent) {
                (Stage::Vertex, _) => "position",
                (Stage::Fragment, Extent::File) => "fragcolor",
                (Stage::Fragment, _) => "d",
            },
            (_, file) => file.in_agal().map_or("", |file| file.name(stage)),
        }
    }

    /// Converts the registers to AGAL's spelling for a program of the given stage. Returns `None` for registers that AGAL lacks.
    pub(crate) fn in_agal(self, stage: Stage) -> Option<AgalRegisters> {
        let of = if self.file == File::Varying { None } else { Some(self.stage.unwrap_or(stage)) };
        let (_, stage, extent) = self.key(of);
        Some(AgalRegisters { file: self.file.in_agal()?, stage, extent })
    }

    /// Returns a key that is equal for all spellings of the same registers.
    pub(super) fn key(self, stage: Option<Stage>) -> (File, Option<Stage>, Extent) {
        let extent = match self.extent {
            Extent::File if self.file != File::Constant => Extent::Whole { first: 0, last: Some(0) },
            extent => extent,
        };
        (self.file, stage, extent)
    }
}

impl From<AgalRegisters> for Registers {
    fn from(AgalRegisters { file, stage, extent }: AgalRegisters) -> Registers {
        let file = match file {
            AgalFile::Attribute => File::Attribute,
            AgalFile::Constant => File::Constant,
            AgalFile::Temporary => File::Temporary,
            AgalFile::Output => File::Output,
            AgalFile::Varying => File::Varying,
            AgalFile::Sampler => File::Sampler,
            AgalFile::Depth => File::Depth,
            AgalFile::Instance => File::Instance,
        };
        Registers { file, stage, extent, spelling: Spelling::Agal }
    }
}

/// Writes the registers in their own spelling, such as `vc0..3` or `u0..3`.
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = self.stage.unwrap_or(Stage::Vertex);
        match (self.spelling, self.in_agal(stage)) {
            (Spelling::Agal, Some(registers)) => write!(f, "{registers}"),
            _ => write!(f, "{}{}", self.file_name(), self.extent),
        }
    }
}

#[cfg(all(test, feature = "es2"))]
mod tests {
    use super::*;

    #[test]
    fn registers_of_both_languages_are_read_and_printed_as_they_are_spelled() {
        let whole = |first, last| Extent::Whole { first, last };
        for (text, file, stage, extent) in [
            ("u", File::Constant, None, Extent::File),
            ("u0..3", File::Constant, None, whole(0, Some(3))),
            ("u8..", File::Constant, None, whole(8, None)),
            ("u7.yz", File::Constant, None, Extent::Part { number: 7, component: 1, count: 2 }),
            ("t1", File::Sampler, None, whole(1, Some(1))),
            ("r3", File::Temporary, None, whole(3, Some(3))),
            ("v2", File::Varying, None, whole(2, Some(2))),
            ("a5", File::Attribute, Some(Stage::Vertex), whole(5, Some(5))),
            ("d0", File::Output, Some(Stage::Fragment), whole(0, Some(0))),
            ("fragcolor", File::Output, Some(Stage::Fragment), Extent::File),
            ("position", File::Output, Some(Stage::Vertex), Extent::File),
            ("pointsize", File::PointSize, Some(Stage::Vertex), Extent::File),
            ("fragcoord", File::FragmentCoordinate, Some(Stage::Fragment), Extent::File),
            ("vc0..3", File::Constant, Some(Stage::Vertex), whole(0, Some(3))),
            ("oc", File::Output, Some(Stage::Fragment), whole(0, Some(0))),
            ("iid", File::Instance, Some(Stage::Vertex), whole(0, Some(0))),
        ] {
            let (registers, length) = Registers::prefix(text).expect(text);
            assert_eq!((registers.file, registers.stage, registers.extent), (file, stage, extent), "{text}");
            assert_eq!((registers.to_string().as_str(), length), (text, text.len()));
        }
        assert_eq!(
            Registers::prefix("u0..u3=x").map(|(registers, at)| (registers.to_string(), at)),
            Ok(("u0..3".into(), 6))
        );
    }

    #[test]
    fn what_is_no_register_is_refused_at_its_byte() {
        for (text, at, wants) in [
            ("x0", 0, "a register"),
            ("a", 1, "the register's number"),
            ("d=x", 1, "the register's number"),
            ("u3..1", 4, "a last register"),
            ("u0.xz", 3, "adjacent components"),
            ("u0x", 2, "the end of the register's name"),
            ("position0", 8, "nothing after"),
            ("fragcolor.x", 9, "nothing after"),
        ] {
            let error = Registers::prefix(text).expect_err(text);
            assert!(error.at == at && error.wants.starts_with(wants), "{text}: {error:?}");
        }
    }
}
