//! Checks AGAL programs as Flash Player does, without making a module of them.

use agal_front::check::check;
use agal_front::player::keep_first_stop;
use agal_front::{Finding, Program, Stage};

use crate::detect::Input;
use crate::error::{Error, ErrorKind, Warning};
use crate::module::share_version;
use crate::options::Options;
use crate::read::{Agal, items, read_agal};
use crate::text::Text;

/// An AGAL program and everything that was found in it.
#[derive(Clone, Debug)]
pub struct Validated {
    /// The input's name.
    pub name: String,
    /// The text that it is read from.
    pub text: Option<Text>,
    /// The program, unless the input could not be read as one. Its text and findings are those here.
    pub agal: Option<Agal>,
    /// All findings, with their places in the text if there is one.
    pub findings: Vec<Finding>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Checks programs, as a pair if there are two: `stage` is that of each if it is given; otherwise a text with parts for both stages
/// is two programs. Every finding is marked that would stop the player: see [`first_stop()`].
///
/// ```
/// use agalc::{Input, Options, validate};
///
/// let input = Input { name: "a".to_string(), bytes: b"mov oc, v0\nadd ft0, v0".to_vec() };
/// let programs = validate(&[input], None, &Options::default())?;
/// assert_eq!(programs[0].findings[0].code(), 9102);
/// # Ok::<(), agalc::Error>(())
/// ```
///
/// # Errors
/// The first input that is not AGAL.
pub fn validate(inputs: &[Input], stage: Option<Stage>, options: &Options) -> Result<Vec<Validated>, Error> {
    let mut all = Vec::new();
    for item in items(inputs, stage) {
        let name = item.input().name.clone();
        all.push(match read_agal(&item, options) {
            Ok(mut agal) => Validated {
                name,
                text: agal.text.take(),
                findings: std::mem::take(&mut agal.findings),
                warnings: std::mem::take(&mut agal.warnings),
                agal: Some(*agal),
            },
            Err(Error { kind: ErrorKind::Program { text, findings, .. }, .. }) => {
                Validated { name, text, agal: None, findings, warnings: Vec::new() }
            }
            Err(error) => return Err(error),
        });
    }
    share_version(all.iter_mut().filter_map(|one| one.agal.as_mut()), options.rules().profile);
    let programs: Vec<&Program> = all.iter().filter_map(|one| Some(&one.agal.as_ref()?.program)).collect();
    let mut found = check(&programs, options.rules()).into_iter();
    for Validated { agal, findings, .. } in &mut all {
        let Some(agal) = agal else { continue };
        let placed = found.next().into_iter().flatten();
        findings.extend(placed.map(|finding| Finding { place: agal.map.locate(finding.place), ..finding }));
    }
    Ok(all)
}

/// Of the programs of one upload, keeps only the first mark at which the player stops.
pub fn first_stop(programs: &mut [Validated]) {
    let mut of_upload: Vec<(Option<Stage>, &mut Vec<Finding>)> =
        programs.iter_mut().map(|one| (one.agal.as_ref().map(|agal| agal.program.stage), &mut one.findings)).collect();
    keep_first_stop(&mut of_upload);
}

/// Leaves out what is said about the same place of a text that could not be read and that both programs of a pair have.
pub fn said_once(programs: &mut [Validated]) {
    if let [first @ Validated { agal: None, .. }, second @ Validated { agal: None, .. }] = programs
        && first.name == second.name
    {
        second.findings.retain(|found| found.place.span.is_none() || !first.findings.contains(found));
    }
}
