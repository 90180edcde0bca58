//! agalc's verdict on a program: whether it can be read, its bytes, and the findings of the validator.

use agalc::{
    AgalProgram, Finding, Input, InputError, InputErrorKind, Options, Program, ProgramCode, Rules, Source, Stage,
};

use crate::model::Language;

/// A program that was read and checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    /// The program, if it can be read.
    pub(crate) program: Option<AgalProgram>,
    /// Whether the program's version is stated rather than inferred.
    pub(crate) has_version: bool,
    /// Findings of the validator, with positions in the text if the program is one.
    pub(crate) findings: Vec<Finding>,
    /// Reason why the input is not a program at all.
    pub(crate) refused: Option<String>,
    /// The program as it was read, before it was checked.
    read: Option<Program>,
}

impl Checked {
    /// Whether none of the findings is an error.
    pub(crate) fn is_sound(&self) -> bool {
        self.program.is_some() && !self.findings.iter().any(Finding::is_error)
    }

    /// The bytes that Flash takes.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        self.program.as_ref().map(AgalProgram::encode)
    }
}

/// Known facts about a program besides its text or bytes, such as its stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct How {
    pub(crate) stage: Option<Stage>,
    pub(crate) version: Option<u32>,
    pub(crate) language: Option<Language>,
}

impl How {
    fn options(self) -> Options {
        let language = match self.language {
            Some(Language::Mini) => agalc::Language::Mini,
            Some(Language::Macro) => agalc::Language::Macro,
            Some(Language::Alternativa) => agalc::Language::Alternativa,
            None => agalc::Language::Auto,
        };
        let rules = Rules { lints: true, ..Rules::default() };
        Options { stage: self.stage, version: self.version, language, ..Options::with_rules(rules) }
    }
}

/// Reads and checks the text or the bytes of a program.
pub(crate) fn check(bytes: &[u8], how: How) -> Checked {
    let input = Input { name: "program".to_string(), bytes: bytes.to_vec() };
    let options = how.options();
    match Source::open(&input, &options).read_one(&options) {
        Ok(program) if program.agal().is_some() => {
            let mut checked = [program.clone()];
            agalc::lift(&mut checked, &options);
            let [Program { code, findings, .. }] = checked;
            let (has_version, of_checked) = match code {
                ProgramCode::Agal(agal) => (agal.version_given, Some(agal.program)),
                _ => (false, None),
            };
            Checked { has_version, program: of_checked, findings, refused: None, read: Some(program) }
        }
        Err(InputError { kind: InputErrorKind::Program(program), .. }) => {
            Checked { findings: program.findings, ..Checked::default() }
        }
        Err(error) => Checked { refused: Some(error.kind.to_string()), ..Checked::default() },
        Ok(_) => Checked { refused: Some("it is not AGAL".to_string()), ..Checked::default() },
    }
}

/// Additional findings of the validator about a pair, beyond those about each of its programs: about the vertex program, and then
/// about the fragment program. There are none if one of the programs has errors.
pub(crate) fn check_pair(vertex: &Checked, fragment: &Checked) -> Vec<Finding> {
    let (true, true) = (vertex.is_sound(), fragment.is_sound()) else { return Default::default() };
    let (Some(of_vertex), Some(of_fragment)) = (&vertex.read, &fragment.read) else { return Default::default() };
    let mut programs = [of_vertex.clone(), of_fragment.clone()];
    agalc::lift(&mut programs, &How::default().options());
    let [of_vertex, of_fragment] = programs;
    let new = |program: Program, alone: &Checked| {
        let is_known = |found: &Finding| {
            let is_same = |known: &Finding| {
                (known.code, &known.message, known.place) == (found.code, &found.message, found.place)
            };
            alone.findings.iter().any(is_same)
        };
        program.findings.into_iter().filter(|found| !is_known(found)).collect::<Vec<_>>()
    };
    [new(of_vertex, vertex), new(of_fragment, fragment)].concat()
}
