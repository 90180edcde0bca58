//! What is known of a document's text: its programs, its findings, and its words.

use std::ops::Range;
use std::path::Path;

use agal_front::check::check;
use agalc::found::{Part, name};
use agalc::{Agal, Content, Error, ErrorKind, Finding, Input, Options, Program, Rules, Stage, items, read};

use crate::words::{Word, words};

/// What is known of a text.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// The programs that could be read: one, or the two parts of a pair.
    pub(crate) programs: Vec<Agal>,
    /// All findings, with their places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Why it is not an AGAL program at all.
    pub(crate) refused: Option<String>,
    pub(crate) words: Vec<Word>,
}

/// The stage of a program whose text leaves it open.
const UNKNOWN_STAGE: u16 = 9107;

impl Analysis {
    pub(crate) fn new(file: &str, text: &str) -> Analysis {
        let input = [Input { name: file.to_string(), bytes: text.as_bytes().to_vec() }];
        let mut analysis = Analysis { programs: Vec::new(), findings: Vec::new(), refused: None, words: words(text) };
        // An empty document is the beginning of a program.
        if text.trim().is_empty() {
            return analysis;
        }
        let options = Options::with_rules(Rules { lints: true, ..Rules::default() });
        analysis.read(&input, None, &options);
        let stage = match name(Path::new(file)).map(|named| named.part) {
            Some(Part::Vertex) => Some(Stage::Vertex),
            Some(Part::Fragment) => Some(Stage::Fragment),
            _ => None,
        };
        if stage.is_some() && analysis.findings.iter().any(|finding| finding.code() == UNKNOWN_STAGE) {
            analysis.read(&input, stage, &options);
        }
        let programs: Vec<&Program> = analysis.programs.iter().map(|agal| &agal.program).collect();
        for (agal, found) in analysis.programs.iter().zip(check(&programs, options.rules())) {
            let placed = found.into_iter().map(|finding| Finding { place: agal.map.locate(finding.place), ..finding });
            analysis.findings.extend(placed);
        }
        analysis
    }

    fn read(&mut self, input: &[Input], stage: Option<Stage>, options: &Options) {
        (self.programs, self.findings, self.refused) = (Vec::new(), Vec::new(), None);
        for item in items(input, stage) {
            match read(&item, options) {
                Ok(Content::Agal(mut agal)) => {
                    self.findings.append(&mut agal.findings);
                    self.programs.push(*agal);
                }
                Ok(Content::Es2(_) | Content::Ir(_)) => {
                    self.refused = Some("this is not AGAL; the server checks AGAL text alone".to_string());
                }
                Err(Error { kind: ErrorKind::Program { findings, .. }, .. }) => {
                    // What is wrong with the text of a pair is said for each part.
                    for finding in findings {
                        if !self.findings.contains(&finding) {
                            self.findings.push(finding);
                        }
                    }
                }
                Err(error) => self.refused = Some(error.to_string()),
            }
        }
    }

    /// The program that an offset is in, and the index of its instruction there, if that is written there itself.
    pub(crate) fn instruction_at(&self, offset: usize) -> Option<(&Agal, usize)> {
        self.programs.iter().find_map(|agal| {
            let index = agal.map.instructions.iter().position(|spans| {
                let parts = [Some(spans.operation), spans.destination].into_iter().chain(spans.sources).flatten();
                let inside = |span: &agal_front::Span| span.call.is_none() && (span.start..=span.end).contains(&offset);
                parts.filter(inside).count() > 0
            })?;
            Some((agal, index))
        })
    }

    /// The stage, if the text tells it.
    pub(crate) fn stage(&self) -> Option<Stage> {
        let mut stages = self.programs.iter().map(|agal| agal.program.stage);
        stages.next().filter(|first| stages.all(|stage| stage == *first))
    }

    /// The word that an offset is in, or at the end of.
    pub(crate) fn word_at(&self, offset: usize) -> Option<&Word> {
        let after = self.words.partition_point(|word| word.range.start <= offset);
        let word = self.words.get(after.checked_sub(1)?)?;
        // Between a register and its components is a dot.
        (offset <= word.range.end).then_some(word)
    }

    /// The words in a stretch of text.
    pub(crate) fn words_in(&self, range: Range<usize>) -> &[Word] {
        let from = self.words.partition_point(|word| word.range.start < range.start);
        let to = self.words.partition_point(|word| word.range.start < range.end);
        self.words.get(from..to).unwrap_or_default()
    }
}
