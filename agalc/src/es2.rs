//! Programs of the unified-shader instruction set (`es2-front`): reads and lifts them.

use es2_front::assemble::assemble;
use es2_front::lift::{Lifted, translate};
use es2_front::{Finding, Kind, Program, Stage};
use sdlbc::Module;
use sdlbc::front::{Severity, SourceMap, Span};

use crate::error::{Error, ErrorKind, Warning};
use crate::lines::note_source;
use crate::options::Options;
use crate::text::Text;

/// A program of the unified-shader instruction set, and its source.
#[derive(Clone, Debug)]
pub struct Es2 {
    /// The input's name.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The text that it was assembled from.
    pub text: Option<Text>,
    /// The positions of its instructions in the text.
    pub map: SourceMap,
    /// The position of the text's `END`, where findings about the whole program are.
    pub end: Option<Span>,
    /// The findings so far; [`combine()`](crate::combine()) adds more.
    pub findings: Vec<Finding>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

impl Es2 {
    /// Returns the text that it was assembled from.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// Returns the text that assembles to exactly this program, if there is one.
    pub fn disassembled(&self) -> Option<String> {
        let text = es2_front::disassemble::disassemble(&self.program);
        let again = es2_front::assemble::assemble(&text, None);
        again.is_ok_and(|again| again.program == self.program).then_some(text)
    }

    /// Returns the program, unless one of its findings is an error.
    ///
    /// # Errors
    /// All findings.
    pub fn sound(self) -> Result<Es2, Error> {
        match self.findings.iter().any(Finding::is_error) {
            false => Ok(self),
            true => Err(refused(&self.name, self.text, Some(self.program), self.findings)),
        }
    }
}

fn refused(name: &str, text: Option<Text>, program: Option<Program>, findings: Vec<Finding>) -> Error {
    let program = program.map(Box::new);
    Error { name: name.to_string(), kind: ErrorKind::Es2 { text, program, findings } }
}

/// Applies the options to findings: warnings that are allowed are dropped, and the others may be errors.
fn judged(mut findings: Vec<Finding>, options: &Options) -> Vec<Finding> {
    let allow = &options.rules().allow;
    findings.retain_mut(|finding| match &mut finding.kind {
        Kind::Further { dropped } => {
            dropped.retain(|more| more.severity == Severity::Error || !allow.contains(&more.code));
            !dropped.is_empty()
        }
        kind => finding.severity == Severity::Error || !allow.contains(&kind.code()),
    });
    if options.rules().warnings_are_errors {
        findings.iter_mut().for_each(|finding| finding.severity = Severity::Error);
    }
    findings
}

/// Reads a file of code words.
pub(crate) fn decoded(name: &str, bytes: &[u8], options: &Options) -> Result<Es2, Error> {
    let program = Program::decode(bytes).map_err(|findings| refused(name, None, None, judged(findings, options)))?;
    Ok(Es2 {
        name: name.to_string(),
        program,
        text: None,
        map: SourceMap::default(),
        end: None,
        findings: Vec::new(),
        warnings: Vec::new(),
    })
}

/// Assembles a text, which must be of a stage if one is given.
pub(crate) fn assembled(
    name: &str,
    (text, warnings): (Text, Vec<Warning>),
    wanted: Option<Stage>,
    options: &Options,
) -> Result<Es2, Error> {
    match assemble(text.as_str(), wanted) {
        Ok(assembly) => Ok(Es2 {
            name: name.to_string(),
            program: assembly.program,
            map: assembly.map,
            end: Some(assembly.end),
            findings: judged(assembly.warnings, options),
            text: Some(text),
            warnings,
        }),
        Err(findings) => Err(refused(name, Some(text), None, judged(findings, options))),
    }
}

/// Lifts programs, as a pair if there are two, and fills the debug table. Findings are added to those of the programs. Returns
/// `None` if one of them is an error.
pub(crate) fn lift(programs: &mut [Es2], options: &Options) -> Option<Module> {
    let of: Vec<&Program> = programs.iter().map(|es2| &es2.program).collect();
    let (module, findings) = match translate(&of) {
        Ok(Lifted { mut module, findings, lines }) => {
            for (function, (es2, lines)) in (0..).zip(programs.iter().zip(lines)) {
                let line = |number: u32| {
                    let place = sdlbc::front::FindingPlace {
                        instruction: Some(number).filter(|&number| number > 0),
                        ..Default::default()
                    };
                    es2.map.locate(place).span.map_or(0, |span| span.line)
                };
                note_source(&mut module, function, &es2.name, es2.text.as_ref(), lines, &line, options.debug);
            }
            (Some(module), findings)
        }
        Err(findings) => (None, findings),
    };
    add(programs, findings, options);
    let is_sound = |es2: &Es2| !es2.findings.iter().any(Finding::is_error);
    module.filter(|_| programs.iter().all(is_sound))
}

/// The findings of programs that are only checked, as a pair if there are two; each program gets its own.
pub fn check_es2(programs: &mut [Es2], options: &Options) {
    let of: Vec<&Program> = programs.iter().map(|es2| &es2.program).collect();
    let findings = es2_front::validate::validate_all(&of);
    add(programs, findings, options);
}

/// Adds findings to those of the programs, with their places in the texts.
fn add(programs: &mut [Es2], findings: Vec<Vec<Finding>>, options: &Options) {
    for (es2, found) in programs.iter_mut().zip(findings) {
        let Es2 { findings, map, end, .. } = es2;
        let placed = found.into_iter().map(|finding| {
            let mut place = map.locate(finding.place);
            if place.instruction.is_none() && finding.place.byte.is_some() {
                place.span = place.span.or(*end);
            }
            Finding { place, ..finding }
        });
        // What a macro computes in addition is not the user's.
        let is_users = |finding: &Finding| {
            finding.kind != Kind::Unused || finding.place.span.is_none_or(|span| span.call.is_none())
        };
        findings.extend(judged(placed.filter(is_users).collect(), options));
    }
}
