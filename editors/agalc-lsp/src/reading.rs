//! A document's text, and the programs that are read from it. Both documents of a pair share it, so that a text is read once.

use std::cell::OnceCell;
use std::path::Path;

use agalc::found::{Part, name};
use agalc::{Agal, Error, ErrorKind, Finding, Input, Options, Profile, Rules, Stage, items, read_agal};

/// A text, which is read when that is first asked for.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name of its file, by whose ending the stage may be known.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The profile that its programs must fit.
    pub(crate) profile: Option<Profile>,
    reading: OnceCell<Reading>,
}

/// What is read from a text.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// One program, or the two parts of a pair.
    pub(crate) items: Vec<Item>,
    /// Why it is not an AGAL program at all.
    pub(crate) refused: Option<String>,
}

/// A program, or why there is none.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// `None` if it could not be read.
    pub(crate) agal: Option<Agal>,
    pub(crate) findings: Vec<Finding>,
}

/// The stage of a program whose text leaves it open.
const UNKNOWN_STAGE: u16 = 9107;

impl Source {
    pub(crate) fn new(name: String, text: String, profile: Option<Profile>) -> Source {
        Source { name, text, profile, reading: OnceCell::new() }
    }

    /// The same source with another text.
    pub(crate) fn with_text(&self, text: String) -> Source {
        Source::new(self.name.clone(), text, self.profile)
    }

    pub(crate) fn rules(&self) -> Rules {
        Rules { lints: true, profile: self.profile, ..Rules::default() }
    }

    /// The stage that the file's name tells.
    pub(crate) fn named_stage(&self) -> Option<Stage> {
        match name(Path::new(&self.name))?.part {
            Part::Vertex => Some(Stage::Vertex),
            Part::Fragment => Some(Stage::Fragment),
            Part::Whole => None,
        }
    }

    pub(crate) fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| {
            // An empty document is the beginning of a program.
            if self.text.trim().is_empty() {
                return Reading::default();
            }
            let input = [Input { name: self.name.clone(), bytes: self.text.as_bytes().to_vec() }];
            let options = Options::with_rules(self.rules());
            let reading = Reading::new(&input, None, &options);
            let is_open = |item: &Item| item.findings.iter().any(|finding| finding.code() == UNKNOWN_STAGE);
            match self.named_stage() {
                Some(stage) if reading.items.iter().any(is_open) => Reading::new(&input, Some(stage), &options),
                _ => reading,
            }
        })
    }
}

impl Reading {
    fn new(input: &[Input], stage: Option<Stage>, options: &Options) -> Reading {
        let mut reading = Reading::default();
        for item in items(input, stage) {
            match read_agal(&item, options) {
                Ok(mut agal) => {
                    let findings = std::mem::take(&mut agal.findings);
                    reading.items.push(Item { agal: Some(*agal), findings });
                }
                Err(Error { kind: ErrorKind::NotAgal, .. }) => {
                    reading.refused = Some("this is not AGAL; the server checks AGAL text alone".to_string());
                }
                Err(Error { kind: ErrorKind::Program { findings, .. }, .. }) => {
                    reading.items.push(Item { agal: None, findings });
                }
                Err(error) => reading.refused = Some(error.to_string()),
            }
        }
        reading
    }
}
