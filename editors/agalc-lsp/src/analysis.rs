//! What is known of a document's text: its programs, its findings, and its words.

use std::ops::Range;

use agal_front::check::check;
use agal_front::player::keep_first_stop;
use agalc::{Agal, Finding, Program, Stage, share_version};

use crate::reading::{Item, Source};
use crate::words::{Word, words};

/// What is known of a text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// The programs that could be read: one, or the two parts of a pair.
    pub(crate) programs: Vec<Agal>,
    /// The program of the other file of the pair, if that is open and could be read.
    pub(crate) partner: Option<Agal>,
    /// All findings, with their places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Why it is not an AGAL program at all.
    pub(crate) refused: Option<String>,
    pub(crate) words: Vec<Word>,
}

/// The longest text that is read, in bytes. A program has at most 4,096 tokens, and some 100 KB; reading takes a hundred times a text's memory.
const LONGEST: usize = 1 << 20;

/// A program that is checked, and whether it is the document's own.
struct Checked {
    is_own: bool,
    item: Item,
}

/// Checks programs together, as `agalc validate` does.
fn judge(all: &mut [Checked], source: &Source) {
    share_version(all.iter_mut().filter_map(|checked| checked.item.agal.as_mut()), source.profile);
    let programs: Vec<&Program> = all.iter().filter_map(|checked| Some(&checked.item.agal.as_ref()?.program)).collect();
    let mut found = check(&programs, &source.rules()).into_iter();
    for Checked { item: Item { agal, findings }, .. } in all.iter_mut() {
        let Some(agal) = agal else { continue };
        let found = found.next().into_iter().flatten();
        findings.extend(found.map(|finding| Finding { place: agal.map.locate(finding.place), ..finding }));
    }
    let mut of_upload: Vec<(Option<Stage>, &mut Vec<Finding>)> = all
        .iter_mut()
        .map(|Checked { item, .. }| (item.agal.as_ref().map(|agal| agal.program.stage), &mut item.findings))
        .collect();
    keep_first_stop(&mut of_upload);
}

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
        let of = |source: &Source, is_own: bool| -> Vec<Checked> {
            source.reading().items.iter().map(|item| Checked { is_own, item: item.clone() }).collect()
        };
        let mut all = of(source, true);
        let others = partner.map(|partner| of(partner, false)).unwrap_or_default();
        if all.len() == 1 && others.len() == 1 {
            // The vertex program is the first, as where files are listed.
            let place = if source.named_stage() == Some(Stage::Vertex) { 1 } else { 0 };
            all.splice(place..place, others);
        }
        judge(&mut all, source);
        let mut analysis = Analysis {
            programs: Vec::new(),
            partner: None,
            findings: Vec::new(),
            refused: source.reading().refused.clone(),
            words: words(&source.text),
        };
        for Checked { is_own, item: Item { agal, findings } } in all {
            if !is_own {
                analysis.partner = agal;
                continue;
            }
            // What is wrong with the text of a pair is said for each part.
            let is_said = |finding: &Finding| agal.is_none() && analysis.findings.contains(finding);
            let findings: Vec<Finding> = findings.into_iter().filter(|finding| !is_said(finding)).collect();
            analysis.findings.extend(findings);
            analysis.programs.extend(agal);
        }
        analysis
    }

    /// The vertex and the fragment program, if both are known.
    pub(crate) fn pair(&self) -> Option<(&Program, &Program)> {
        let of = |stage: Stage| {
            let mut programs = self.programs.iter().chain(&self.partner).map(|agal| &agal.program);
            programs.find(|program| program.stage == stage)
        };
        of(Stage::Vertex).zip(of(Stage::Fragment))
    }

    /// The program that an offset is in, and the index of its instruction there, if that is written there itself.
    pub(crate) fn instruction_at(&self, offset: usize) -> Option<(&Agal, usize)> {
        self.programs.iter().find_map(|agal| {
            let index = agal.map.iter().position(|spans| {
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
