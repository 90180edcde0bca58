//! The source text of a document, and the programs that the text contains. Each document of a pair uses the other document's
//! source, so that each text is read only once.

use std::cell::OnceCell;
use std::path::Path;

use agalc::found::{Part, name};
use agalc::{Input, InputError, InputErrorKind, InstructionSet, Options, Profile, Program, Rules, Stage};

/// Source text whose programs are read on demand.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file name, whose extensions may determine the stage.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The profile that the programs must fit.
    pub(crate) profile: Option<Profile>,
    reading: OnceCell<Reading>,
}

#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// One program, or the two programs of a pair, including programs that could not be read.
    pub(crate) programs: Vec<Program>,
    /// The reason why the source text is not an AGAL program at all.
    pub(crate) refused: Option<String>,
}

/// The code of the finding for source text that does not determine the program's stage.
const UNKNOWN_STAGE: u16 = 9107;

impl Source {
    pub(crate) fn new(name: String, text: String, profile: Option<Profile>) -> Source {
        Source { name, text, profile, reading: OnceCell::new() }
    }

    /// Returns a source with the same name and profile, but with different text.
    pub(crate) fn with_text(&self, text: String) -> Source {
        Source::new(self.name.clone(), text, self.profile)
    }

    pub(crate) fn options(&self) -> Options {
        Options::with_rules(Rules::default().lints(true).profile(self.profile))
    }

    /// Returns the stage that the file name determines.
    pub(crate) fn named_stage(&self) -> Option<Stage> {
        match name(Path::new(&self.name))?.part {
            Part::Vertex => Some(Stage::Vertex),
            Part::Fragment => Some(Stage::Fragment),
            Part::Whole => None,
        }
    }

    pub(crate) fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| {
            // An empty document has no errors, because the user has only begun to write it.
            if self.text.trim().is_empty() {
                return Reading::default();
            }
            let input = Input { name: self.name.clone(), bytes: self.text.as_bytes().to_vec() };
            let options = self.options();
            let reading = Reading::new(&input, &options);
            let is_open = |program: &Program| program.findings.iter().any(|finding| finding.code == UNKNOWN_STAGE);
            match self.named_stage() {
                Some(stage) if reading.programs.iter().any(is_open) => {
                    Reading::new(&input, &options.stage(Some(stage)))
                }
                _ => reading,
            }
        })
    }
}

impl Reading {
    fn new(input: &Input, options: &Options) -> Reading {
        let mut reading = Reading::default();
        let source = agalc::Source::open(input, options);
        let is_other = source.instruction_set() == Some(InstructionSet::UnifiedShader);
        for read in source.read_programs(options) {
            match read {
                Ok(program) if program.agal().is_some() => reading.programs.push(program),
                Err(InputError { kind: InputErrorKind::Program(program), .. }) if !is_other => {
                    reading.programs.push(*program);
                }
                Err(error) if !is_other && error.kind != InputErrorKind::NotAgal => {
                    reading.refused = Some(error.to_string());
                }
                _ => reading.refused = Some("this is not AGAL; the server checks only AGAL text".to_string()),
            }
        }
        reading
    }
}
