//! The analysis of a document's text: its programs, findings and words.

use std::ops::Range;

use agal_front::SourceMap;
use agal_front::assemble::{Alias, SourceName};
use agalc::{Agal, AgalProgram, Finding, Program, ProgramCode, Stage, Warning, check};

use crate::reading::Source;
use crate::words::{Word, words};

/// The results of analysing a text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// The programs that could be read: one, or the two parts of a pair.
    pub(crate) programs: Vec<Assembled>,
    /// The program in the other file of the pair, if that file is open and could be read.
    pub(crate) partner: Option<Assembled>,
    /// All findings, with their places in the text.
    pub(crate) findings: Vec<Finding>,
    /// The reason why the text is not an AGAL program at all.
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
    /// The spans of its instructions in the text.
    pub(crate) map: SourceMap,
    pub(crate) warnings: Vec<Warning>,
}

impl Assembled {
    fn of(read: Program) -> Option<Assembled> {
        let ProgramCode::Agal(Agal { program, version_given, aliases, names, .. }) = read.code else { return None };
        Some(Assembled { program, version_given, aliases, names, map: read.map, warnings: read.warnings })
    }
}

/// The greatest length of a text, in bytes. A program has at most 4,096 tokens, some 100 KB; reading takes a hundred times a
/// text's memory.
const LONGEST: usize = 1 << 20;

impl Analysis {
    /// Analyses a text by itself, or as a pair with the text of the other file.
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
            // The vertex program comes first, as in lists of files.
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

    /// The program that contains an offset, and the index of its instruction there, unless that comes from a macro.
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

    /// The stage, if the text determines it.
    pub(crate) fn stage(&self) -> Option<Stage> {
        let mut stages = self.programs.iter().map(|of| of.program.stage);
        stages.next().filter(|first| stages.all(|stage| stage == *first))
    }

    /// The word that contains an offset or ends there.
    pub(crate) fn word_at(&self, offset: usize) -> Option<&Word> {
        let after = self.words.partition_point(|word| word.range.start <= offset);
        let word = self.words.get(after.checked_sub(1)?)?;
        // There is a dot between a register and its components.
        (offset <= word.range.end).then_some(word)
    }

    /// The words in a range of text.
    pub(crate) fn words_in(&self, range: Range<usize>) -> &[Word] {
        let from = self.words.partition_point(|word| word.range.start < range.start);
        let to = self.words.partition_point(|word| word.range.start < range.end);
        self.words.get(from..to).unwrap_or_default()
    }
}
