//! The analysis of a document's text: its programs, findings and words.

use std::ops::Range;

use agal_front::SourceMap;
use agal_front::assemble::{Alias, SourceName};
use agalc::{Agal, AgalProgram, Finding, Program, ProgramCode, Stage, Warning, check};

use crate::lexer::{Word, lex};
use crate::reading::Source;

#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// The programs that could be read: one program, or the two programs of a pair.
    pub(crate) programs: Vec<Assembled>,
    /// The program in the other file of the pair, if that file is open and could be read.
    pub(crate) partner: Option<Assembled>,
    pub(crate) findings: Vec<Finding>,
    /// The reason why the document is not an AGAL program at all.
    pub(crate) refused: Option<String>,
    pub(crate) words: Vec<Word>,
}

/// An AGAL program of the document, with its names, source spans and warnings.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) program: AgalProgram,
    pub(crate) version_given: bool,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) names: Vec<SourceName>,
    /// The spans of the program's instructions in the document.
    pub(crate) map: SourceMap,
    pub(crate) warnings: Vec<Warning>,
}

impl Assembled {
    fn of(read: Program) -> Option<Assembled> {
        let ProgramCode::Agal(Agal { program, version_given, aliases, names, .. }) = read.code else { return None };
        Some(Assembled { program, version_given, aliases, names, map: read.map, warnings: read.warnings })
    }
}

/// The maximum length of a document in bytes. A program has at most 4,096 tokens, which take about 100 KB of source text. Reading
/// a document takes about a hundred times as much memory as the document's text.
const LONGEST: usize = 1 << 20;

impl Analysis {
    /// Analyses a document by itself or, if `partner` is given, as a pair with that document.
    pub(crate) fn new(source: &Source, partner: Option<&Source>) -> Analysis {
        let length = source.text.len();
        if length > LONGEST {
            let refused = format!("the text has {length} bytes, but the limit is {LONGEST}");
            return Analysis { refused: Some(refused), ..Analysis::default() };
        }
        let partner = partner.filter(|partner| partner.text.len() <= LONGEST);
        let mut all = source.reading().programs.clone();
        let others = partner.map(|partner| partner.reading().programs.clone()).unwrap_or_default();
        let mut place = None;
        if all.len() == 1 && others.len() == 1 {
            // The vertex program comes first in a pair.
            let at = if source.named_stage() == Some(Stage::Vertex) { 1 } else { 0 };
            all.splice(at..at, others);
            place = Some(at);
        }
        check(&mut all, &source.options());
        let mut analysis = Analysis {
            partner: place.and_then(|at| Assembled::of(all.remove(at))),
            refused: source.reading().refused.clone(),
            words: lex(&source.text),
            ..Analysis::default()
        };
        for mut program in all {
            analysis.findings.append(&mut program.findings);
            analysis.programs.extend(Assembled::of(program));
        }
        analysis
    }

    /// Returns the vertex program and the fragment program, if both are known.
    pub(crate) fn pair(&self) -> Option<(&AgalProgram, &AgalProgram)> {
        let of = |stage: Stage| {
            let mut programs = self.programs.iter().chain(&self.partner).map(|of| &of.program);
            programs.find(|program| program.stage == stage)
        };
        of(Stage::Vertex).zip(of(Stage::Fragment))
    }

    /// Returns the program with an instruction at a byte offset, and the index of that instruction. Instructions from macros are
    /// ignored.
    pub(crate) fn instruction_at(&self, offset: usize) -> Option<(&Assembled, usize)> {
        self.programs.iter().find_map(|program| {
            let index = program.map.iter().position(|spans| {
                let mut parts = [Some(spans.operation), spans.destination].into_iter().chain(spans.sources).flatten();
                let inside = |span: agal_front::Span| span.call.is_none() && (span.start..=span.end).contains(&offset);
                parts.any(inside)
            })?;
            Some((program, index))
        })
    }

    /// Returns the stage that all programs of the document share, or `None` if there is no such stage.
    pub(crate) fn stage(&self) -> Option<Stage> {
        let mut stages = self.programs.iter().map(|of| of.program.stage);
        stages.next().filter(|first| stages.all(|stage| stage == *first))
    }

    /// Returns the word that contains a byte offset or ends at that offset.
    pub(crate) fn word_at(&self, offset: usize) -> Option<&Word> {
        let after = self.words.partition_point(|word| word.range.start <= offset);
        let word = self.words.get(after.checked_sub(1)?)?;
        (offset <= word.range.end).then_some(word)
    }

    /// Reports whether two documents contain the same programs.
    pub(crate) fn has_programs_of(&self, other: &Analysis) -> bool {
        self.programs.iter().map(|of| &of.program).eq(other.programs.iter().map(|of| &of.program))
    }

    pub(crate) fn words_in(&self, range: Range<usize>) -> &[Word] {
        let from = self.words.partition_point(|word| word.range.start < range.start);
        let to = self.words.partition_point(|word| word.range.start < range.end);
        self.words.get(from..to).unwrap_or_default()
    }
}
