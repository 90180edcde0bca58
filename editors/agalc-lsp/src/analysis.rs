//! What is known of a document's text: its programs, its findings, and its words.

use std::ops::Range;

use agal_front::SourceMap;
use agal_front::assemble::{Alias, SourceName};
use agalc::{Agal, AgalProgram, Finding, Program, ProgramCode, Stage, Warning, check};

use crate::reading::Source;
use crate::words::{Word, words};

/// What is known of a text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// The programs that could be read: one, or the two parts of a pair.
    pub(crate) programs: Vec<Assembled>,
    /// The program of the other file of the pair, if that is open and could be read.
    pub(crate) partner: Option<Assembled>,
    /// All findings, with their places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Why it is not an AGAL program at all.
    pub(crate) refused: Option<String>,
    pub(crate) words: Vec<Word>,
}

/// An AGAL program of the text, without its findings.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) program: AgalProgram,
    pub(crate) version_given: bool,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) names: Vec<SourceName>,
    /// Where its instructions are in the text.
    pub(crate) map: SourceMap,
    pub(crate) warnings: Vec<Warning>,
}

impl Assembled {
    fn of(read: Program) -> Option<Assembled> {
        let ProgramCode::Agal(Agal { program, version_given, aliases, names, .. }) = read.code else { return None };
        Some(Assembled { program, version_given, aliases, names, map: read.map, warnings: read.warnings })
    }
}

/// The longest text that is read, in bytes. A program has at most 4,096 tokens, and some 100 KB; reading takes a hundred times a text's memory.
const LONGEST: usize = 1 << 20;

impl Analysis {
    /// What is known of a text, by itself or as a pair with that of the other file.
    pub(crate) fn new(source: &Source, partner: Option<&Source>) -> Analysis {
        let is_short = |source: &&Source| source.text.len() <= LONGEST;
        if !is_short(&source) {
            let refused =
                format!("the text is too large: it has {} bytes, and up to {LONGEST} are read", source.text.len());
            return Analysis { refused: Some(refused), ..Analysis::default() };
        }
        let partner = partner.filter(is_short);
        let mut all = source.reading().programs.clone();
        let others = partner.map(|partner| partner.reading().programs.clone()).unwrap_or_default();
        let mut place = None;
        if all.len() == 1 && others.len() == 1 {
            // The vertex program is the first, as where files are listed.
            let at = if source.named_stage() == Some(Stage::Vertex) { 1 } else { 0 };
            all.splice(at..at, others);
            place = Some(at);
        }
        check(&mut all, &source.options());
        let partner = place.and_then(|at| Assembled::of(all.remove(at)));
        let mut analysis = Analysis {
            programs: Vec::new(),
            partner,
            findings: Vec::new(),
            refused: source.reading().refused.clone(),
            words: words(&source.text),
        };
        for mut program in all {
            analysis.findings.append(&mut program.findings);
            analysis.programs.extend(Assembled::of(program));
        }
        analysis
    }

    /// The vertex and the fragment program, if both are known.
    pub(crate) fn pair(&self) -> Option<(&AgalProgram, &AgalProgram)> {
        let of = |stage: Stage| {
            let mut programs = self.programs.iter().chain(&self.partner).map(|of| &of.program);
            programs.find(|program| program.stage == stage)
        };
        of(Stage::Vertex).zip(of(Stage::Fragment))
    }

    /// The program that an offset is in, and the index of its instruction there, if that is written there itself.
    pub(crate) fn instruction_at(&self, offset: usize) -> Option<(&Assembled, usize)> {
        self.programs.iter().find_map(|program| {
            let index = program.map.iter().position(|spans| {
                let parts = [Some(spans.operation), spans.destination].into_iter().chain(spans.sources).flatten();
                let inside = |span: &agal_front::Span| span.call.is_none() && (span.start..=span.end).contains(&offset);
                parts.filter(inside).count() > 0
            })?;
            Some((program, index))
        })
    }

    /// The stage, if the text tells it.
    pub(crate) fn stage(&self) -> Option<Stage> {
        let mut stages = self.programs.iter().map(|of| of.program.stage);
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
