//! Checks a program with agalc, which parses the program and reports the validator's findings.

use agalc::{
    AgalProgram, Finding, Input, InputError, InputErrorKind, Options, Program, ProgramCode, Rules, Source, Stage,
};

use crate::model::Language;

#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    pub(crate) program: Option<AgalProgram>,
    /// Whether the program states its AGAL version. A version that is not stated is inferred.
    pub(crate) has_version: bool,
    /// The validator's findings. Findings about source have positions in the source text.
    pub(crate) findings: Vec<Finding>,
    /// The reason why agalc does not accept the input as a program.
    pub(crate) refused: Option<String>,
    /// The parsed program, before validation.
    read: Option<Program>,
}

impl Checked {
    /// Reports whether agalc can read the program and finds no errors.
    pub(crate) fn is_sound(&self) -> bool {
        self.program.is_some() && !self.findings.iter().any(Finding::is_error)
    }
}

/// The stage, version and language of a program, as far as they are known. The program's source or bytes may not state them.
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
        let rules = Rules::default().lints(true);
        Options::with_rules(rules).stage(self.stage).version(self.version).language(language)
    }
}

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

/// Returns the validator's findings about a pair, except findings that the validator also reports for one of the programs alone.
/// Findings about the vertex program come first. The list is empty if either program has errors.
pub(crate) fn check_pair(vertex: &Checked, fragment: &Checked) -> Vec<Finding> {
    fn read(checked: &Checked) -> Option<&Program> {
        checked.read.as_ref().filter(|_| checked.is_sound())
    }
    let (Some(of_vertex), Some(of_fragment)) = (read(vertex), read(fragment)) else { return Vec::new() };
    let mut programs = [of_vertex.clone(), of_fragment.clone()];
    agalc::lift(&mut programs, &How::default().options());
    let is_same = |one: &Finding, other: &Finding| {
        (one.code, &one.message, one.place) == (other.code, &other.message, other.place)
    };
    let new = |(program, alone): (Program, &Checked)| {
        let is_new = |finding: &Finding| !alone.findings.iter().any(|known| is_same(known, finding));
        program.findings.into_iter().filter(is_new).collect::<Vec<_>>()
    };
    programs.into_iter().zip([vertex, fragment]).flat_map(new).collect()
}
