//! Combines one or two inputs into a module.

use std::fmt;

use agal_front::finding::FindingPlace;
use agal_front::lift::translate;
use agal_front::{Finding, Profile, Program};
use sdlbc::{Debug, FunctionDebug, Lines, Module, Source, Unit};

use crate::error::{Error, PairError, Warning, WarningKind};
use crate::options::{DebugLevel, Options};
use crate::pair::{append, number, pair, part_names};
use crate::read::{Agal, Content, Item, read};
use crate::text::Text;

/// A module, and information about its inputs.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The module, which verifies. A pair has its vertex function first.
    pub module: Module,
    /// The AGAL programs, in the order of the inputs, with all findings.
    pub programs: Vec<Agal>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

/// Why there is no module, with the results of all inputs.
#[derive(Clone, Debug)]
pub struct Refused {
    /// By input, in their order: its error, or the program with its findings. Inputs with neither are left out.
    pub inputs: Vec<Result<Agal, Error>>,
    /// What is wrong with them together, if each is valid.
    pub pair: Option<PairError>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

impl Refused {
    /// Returns the errors of the inputs.
    pub fn errors(&self) -> impl Iterator<Item = &Error> {
        self.inputs.iter().filter_map(|input| input.as_ref().err())
    }
}

/// One line per input.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.errors().map(ToString::to_string).chain(self.pair.iter().map(ToString::to_string));
        f.write_str(&errors.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Refused {}

/// Reads inputs and combines them into a module: a pair, if there are two.
///
/// # Errors
/// The errors of each input, or of all together.
pub fn module(items: &[Item<'_>], options: &Options) -> Result<Loaded, Refused> {
    // All inputs are read before any is rejected, so that the errors of all are reported.
    let (contents, errors) = apart(items.iter().map(|item| read(item, options)));
    match errors.is_empty() {
        true => combine(contents, options),
        false => {
            let warnings = contents.iter().flat_map(Content::warnings).cloned().collect();
            Err(Refused { inputs: errors.into_iter().map(Err).collect(), pair: None, warnings })
        }
    }
}

fn apart<T, E>(results: impl Iterator<Item = Result<T, E>>) -> (Vec<T>, Vec<E>) {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(error) => errors.push(error),
        }
    }
    (values, errors)
}

/// Combines inputs that have been read into a module: a pair, if there is more than one.
///
/// # Errors
/// The errors of each input, or of all together.
pub fn combine(contents: Vec<Content>, options: &Options) -> Result<Loaded, Refused> {
    let count = contents.len();
    let mut warnings: Vec<Warning> = contents.iter().flat_map(Content::warnings).cloned().collect();
    let names = contents.iter().map(|content| format!("`{}`", content.name())).collect::<Vec<_>>().join(" and ");
    let mut module = Module::default();
    let (mut programs, mut modules, mut errors) = (Vec::new(), 0, Vec::new());
    for content in contents {
        match content {
            Content::Agal(agal) => programs.push(*agal),
            Content::Ir(ir) => {
                modules += 1;
                match ir.checked(options) {
                    Ok(ir) => append(&mut module, ir.module),
                    Err(error) => errors.push(Err(error)),
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(Refused { inputs: errors, pair: None, warnings });
    }
    let Some(lifted) = lift(&mut programs, options) else {
        return Err(Refused { inputs: programs.into_iter().map(Agal::sound).collect(), pair: None, warnings });
    };
    append(&mut module, lifted);
    let mut fit = |module: &mut Module| {
        if count > 1 {
            pair(module)?;
            part_names(module);
        }
        // Names and texts that the format cannot store are reported, and left out of the debug table.
        let left_out = sdlbc::fit(module).into_iter().map(WarningKind::LeftOut);
        warnings.extend(left_out.map(|kind| Warning { name: names.clone(), kind }));
        // Inputs that are within the limits may exceed them together, and AGAL in lenient mode has no limits.
        if let Some((counted, found)) = sdlbc::limits::over(module).into_iter().next() {
            return Err(PairError::TooMuch { names: names.clone(), counted, found });
        }
        // Several modules were only verified separately; a lifted program always verifies.
        match modules > 0 && count > 1 {
            true => sdlbc::verify(module).map_err(PairError::Rules),
            false => Ok(()),
        }
    };
    match fit(&mut module) {
        Ok(()) => Ok(Loaded { module, programs, warnings }),
        Err(error) => Err(Refused { inputs: programs.into_iter().map(Ok).collect(), pair: Some(error), warnings }),
    }
}

/// Sets the version of texts that do not state theirs: the lowest that suffices, but not above that of the profile, so that
/// whatever exceeds it is reported where it is. Both programs of a pair get the higher version.
pub fn share_version<'a>(programs: impl IntoIterator<Item = &'a mut Agal>, profile: Option<Profile>) {
    let programs: Vec<&mut Agal> = programs.into_iter().collect();
    let version = programs.iter().map(|agal| agal.program.version).max().unwrap_or(1);
    let version = version.min(profile.map_or(version, Profile::version));
    for agal in programs.into_iter().filter(|agal| !agal.version_given) {
        agal.program.version = version;
    }
}

/// Lifts programs, as a pair if there are two, and fills the debug table. The programs get one version, and findings of the
/// translation are added to theirs.
///
/// Returns `None` if one of the findings is an error.
pub fn lift(programs: &mut [Agal], options: &Options) -> Option<Module> {
    share_version(programs.iter_mut(), options.rules().profile);
    let of: Vec<&Program> = programs.iter().map(|agal| &agal.program).collect();
    let (module, findings) = match translate(&of, &options.meaning) {
        Ok(mut lifted) => {
            for (index, (agal, tokens)) in programs.iter().zip(lifted.tokens).enumerate() {
                note_source(&mut lifted.module, number(index), agal, tokens, options.debug);
            }
            (Some(lifted.module), lifted.findings)
        }
        Err(findings) => (None, findings),
    };
    for (agal, found) in programs.iter_mut().zip(findings) {
        let Agal { findings, map, .. } = agal;
        findings.extend(found.into_iter().map(|finding| Finding { place: map.locate(finding.place), ..finding }));
    }
    let is_sound = |agal: &Agal| !agal.findings.iter().any(Finding::is_error);
    module.filter(|_| programs.iter().all(is_sound))
}

/// Adds the source positions of a function's instructions to the debug table.
fn note_source(module: &mut Module, function: u32, agal: &Agal, tokens: Vec<u32>, debug: DebugLevel) {
    if debug == DebugLevel::None {
        module.debug = Debug::default();
    }
    if debug < DebugLevel::Lines {
        return;
    }
    let mut source = Source { file: agal.name.clone(), text: String::new(), unit: Unit::Token };
    let mut numbers = tokens;
    if let Some(text) = &agal.text {
        let line = |token: u32| {
            let place = agal
                .map
                .locate(FindingPlace { token: Some(token).filter(|&token| token > 0), ..FindingPlace::default() });
            place.span.map_or(0, |span| span.line)
        };
        numbers.iter_mut().for_each(|number| *number = line(*number));
        source.unit = Unit::Line;
        if debug == DebugLevel::Full {
            source.text = Text::as_str(text).to_string();
        }
    }
    let lines = Some(Lines { source: number(module.debug.sources.len()), numbers });
    module.debug.sources.push(source);
    match module.debug.functions.iter_mut().find(|debug| debug.function == function) {
        Some(debug) => debug.lines = lines,
        None => module.debug.functions.push(FunctionDebug { function, lines, ..FunctionDebug::default() }),
    }
    module.debug.functions.sort_by_key(|debug| debug.function);
}
