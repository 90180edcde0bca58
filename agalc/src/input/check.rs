//! Checks programs without lifting them into a module. AGAL is checked against the rules of Flash Player.

use agal_front::player::keep_first_stop;

use super::program::{Code, Program};
use super::source::Source;
use crate::error::{InputError, InputErrorKind};
use crate::finding::Finding;
#[cfg(feature = "es2")]
use crate::language::Es2;
use crate::language::{Agal, Language, Varying};
use crate::options::Options;

/// Reads and checks programs. If there are two programs, they are checked as a pair.
///
/// ```
/// use agalc::{Input, Options, Source, validate};
///
/// let options = Options::default();
/// let input = Input { name: "a".to_string(), bytes: b"mov oc, v0\nadd ft0, v0".to_vec() };
/// let programs = validate(&[Source::open(&input, &options)], &options)?;
/// assert_eq!(programs[0].findings[0].code, 9102);
/// # Ok::<(), agalc::Error>(())
/// ```
///
/// # Errors
/// Returns the error of the first input that is not a program.
pub fn validate(sources: &[Source<'_>], options: &Options) -> Result<Vec<Program>, InputError> {
    let programs = sources.iter().flat_map(|source| source.read_programs(options)).map(|read| match read {
        Err(InputError { kind: InputErrorKind::Program(program), .. }) => Ok(*program),
        read => read,
    });
    let mut programs = programs.collect::<Result<Vec<_>, _>>()?;
    check(&mut programs, options);
    Ok(programs)
}

/// Checks programs that were read, and adds the findings to the programs. If there are two programs, they are checked as a pair.
/// The first finding for which the player refuses the programs is marked.
pub fn check(programs: &mut [Program], options: &Options) {
    check_all::<Agal>(programs, options);
    #[cfg(feature = "es2")]
    check_all::<Es2>(programs, options);
    if let [first, second] = programs
        && let (Code::Unread, Code::Unread) = (&first.code, &second.code)
        && first.name == second.name
    {
        // Both programs may have been read from one text, so the second program's findings may repeat the first program's
        // findings.
        second.findings.retain(|found| found.place.span.is_none() || !first.findings.contains(found));
    }
    let upload = programs.iter_mut().map(|program| {
        let stage = program.stage();
        (stage, program.findings.iter_mut().map(|found| (found.code, &mut found.stops_player)).collect())
    });
    keep_first_stop(upload.collect());
}

/// Returns the varyings of a pair. Returns `None` if the programs are not a pair, or are in different languages.
pub fn varyings(programs: &[Program]) -> Option<Vec<Varying>> {
    use sdlbc::front::Stage;
    let of = |stage| programs.iter().find(|program| program.stage() == Some(stage));
    match (&of(Stage::Vertex)?.code, &of(Stage::Fragment)?.code) {
        (Code::Agal(vertex), Code::Agal(fragment)) => Some(Agal::varyings(vertex, fragment)),
        #[cfg(feature = "es2")]
        (Code::Es2(vertex), Code::Es2(fragment)) => Some(Es2::varyings(vertex, fragment)),
        _ => None,
    }
}

fn check_all<L: Language>(programs: &mut [Program], options: &Options) {
    let mut codes: Vec<&mut L> = programs.iter_mut().filter_map(|program| L::of(&mut program.code)).collect();
    L::agree(&mut codes, options);
    let found = L::check(&codes, options);
    add::<L>(programs, found);
}

/// Adds findings to the programs in language `L`, with the findings' positions in the source texts.
pub(super) fn add<L: Language>(programs: &mut [Program], found: Vec<Vec<Finding>>) {
    let mut found = found.into_iter();
    for Program { code, map, findings, .. } in programs {
        let Some(code) = L::of(code) else { continue };
        findings.extend(found.next().into_iter().flatten().filter_map(|found| code.place(found, map)));
    }
}

impl Program {
    /// Returns the text that assembles to exactly this program.
    ///
    /// # Errors
    /// Returns an error if no text assembles to this program. If a check finds errors in the program, the error contains all
    /// findings of the check.
    pub fn disassemble(&self) -> Result<String, InputError> {
        if let Some(text) = self.code().and_then(|code| code.disassemble()) {
            return Ok(text);
        }
        let mut checked = [self.clone()];
        check(&mut checked, &Options::default());
        let [checked] = checked;
        let program = checked.sound()?;
        Err(InputError { name: program.name, kind: InputErrorKind::NoText })
    }
}
