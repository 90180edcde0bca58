//! Combines one or two inputs into a module.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use agal_front::finding::FindingPlace;
use agal_front::lift::{self, translate};
use agal_front::{Finding, Profile, Program};
use sdlbc::{FunctionKind, InputKind, Module, OutputKind};

use crate::error::{Error, PairError, Warning, WarningKind, say_once};
use crate::es2::{self, Es2};
use crate::inline::{inlined, values};
use crate::lines::note_source;
use crate::names::{NameError, Names, VertexFormat, apply_lifted};
use crate::options::{DebugLevel, Options};
use crate::pair::{append, number, pair, part_names};
use crate::read::{Agal, Content, Item, read};

/// A module, and information about its inputs.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The module, which verifies unless [`Options::show_broken`] is set. A pair has its vertex function first.
    pub module: Module,
    /// The AGAL programs, in the order of the inputs, with all findings.
    pub programs: Vec<Agal>,
    /// The programs of the unified-shader instruction set, in the order of the inputs, with all findings.
    pub es2: Vec<Es2>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
    /// The formats of attributes to which names give a type, by location.
    pub formats: BTreeMap<u32, VertexFormat>,
}

/// Why there is no module, with the results of all inputs.
#[derive(Clone, Debug)]
pub struct Refused {
    /// By input, in their order: its error, or the program with its findings. Inputs with neither are left out.
    pub inputs: Vec<Result<Agal, Error>>,
    /// The programs of the unified-shader instruction set without errors, with their findings.
    pub es2: Vec<Es2>,
    /// What is wrong with them together, if each is valid.
    pub pair: Option<Box<PairError>>,
    /// The names that do not fit the module, if there is one.
    pub names: Vec<NameError>,
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
        let errors = errors.chain(self.names.iter().map(ToString::to_string));
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
            let inputs = say_once(errors).into_iter().map(Err).collect();
            Err(Refused { inputs, es2: Vec::new(), pair: None, names: Vec::new(), warnings })
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
    let unknown = unknown_overrides(&contents, options);
    warnings.extend(unknown.map(|name| Warning { name: names.clone(), kind: WarningKind::NoOverride(name) }));
    let mut module = Module::default();
    let (mut programs, mut es2, mut modules, mut errors) = (Vec::new(), Vec::new(), 0, Vec::new());
    for content in contents {
        match content {
            Content::Agal(agal) => programs.push(*agal),
            Content::Es2(program) => es2.push(*program),
            Content::Ir(ir) => {
                modules += 1;
                let is_shown = options.show_broken && count == 1;
                let (said, ir) = (ir.warnings.len(), if is_shown { ir.shown(options) } else { ir.checked(options) });
                match ir {
                    Ok(mut ir) => {
                        warnings.extend(ir.warnings.drain(said..));
                        append(&mut module, ir.module);
                    }
                    Err(error) => errors.push(Err(error)),
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(Refused { inputs: errors, es2, pair: None, names: Vec::new(), warnings });
    }
    if options.inline_constants && programs.iter().all(|agal| values(agal).is_empty()) {
        warnings.push(Warning { name: names.clone(), kind: WarningKind::NothingToInline });
    }
    let (Some(lifted), Some(of_es2)) = (lift(&mut programs, options), es2::lift(&mut es2, options)) else {
        let (es2, wrong) = apart(es2.into_iter().map(Es2::sound));
        let inputs = programs.into_iter().map(Agal::sound).chain(wrong.into_iter().map(Err)).collect();
        return Err(Refused { inputs, es2, pair: None, names: Vec::new(), warnings });
    };
    append(&mut module, lifted);
    append(&mut module, of_es2);
    let is_mixed = !es2.is_empty() && es2.len() < count;
    let fitted = fit(&mut module, (count, modules), &names, &mut warnings);
    if let Err(error) = fitted.and_then(|()| if is_mixed { linked(&module) } else { Ok(()) }) {
        let inputs = programs.into_iter().map(Ok).collect();
        return Err(Refused { inputs, es2, pair: Some(Box::new(error)), names: Vec::new(), warnings });
    }
    match apply_lifted(&mut module, &names_of(&programs, options)) {
        Ok(applied) => {
            let of = |warning| Warning { name: names.clone(), kind: WarningKind::Name(warning) };
            warnings.extend(applied.warnings.into_iter().map(of));
            Ok(Loaded { module, programs, es2, warnings, formats: applied.formats })
        }
        Err(errors) => {
            let inputs = programs.into_iter().map(Ok).collect();
            Err(Refused { inputs, es2, pair: None, names: errors, warnings })
        }
    }
}

/// The overrides that are given values, but that no input has.
fn unknown_overrides(contents: &[Content], options: &Options) -> impl Iterator<Item = String> {
    let mut known = BTreeSet::new();
    for content in contents {
        if let Content::Ir(ir) = content {
            known.extend(ir.overrides.iter().cloned());
        }
    }
    let names: BTreeSet<String> = options.overrides.iter().map(|(name, _)| name.clone()).collect();
    names.into_iter().filter(move |name| !known.contains(name))
}

/// Makes the functions of `count` inputs, of which `modules` are modules, one module that follows the rules.
fn fit(
    module: &mut Module,
    (count, modules): (usize, usize),
    names: &str,
    warnings: &mut Vec<Warning>,
) -> Result<(), PairError> {
    if count > 1 {
        pair(module)?;
        part_names(module);
    }
    // Names and texts that the format cannot store are reported, and left out of the debug table.
    let left_out = sdlbc::fit(module).into_iter().map(WarningKind::LeftOut);
    warnings.extend(left_out.map(|kind| Warning { name: names.to_string(), kind }));
    // Inputs that are within the limits may exceed them together, and AGAL in lenient mode has no limits.
    if let Some((counted, found)) = sdlbc::limits::over(module).into_iter().next() {
        return Err(PairError::TooMuch { names: names.to_string(), counted, found });
    }
    // Several modules were only verified separately; a lifted program always verifies.
    match modules > 0 && count > 1 {
        true => sdlbc::verify(module).map_err(PairError::Rules),
        false => Ok(()),
    }
}

/// Whether a pair of two languages fits: whatever the fragment function reads, the vertex function writes. Each language checks its
/// own pairs.
fn linked(module: &Module) -> Result<(), PairError> {
    let writes = |wanted: u32| {
        let mut outputs = module.functions.iter().flat_map(|function| &function.outputs);
        outputs.any(|output| matches!(output.kind, OutputKind::Varying { location, .. } if location == wanted))
    };
    let fragment = module.functions.iter().filter(|function| function.kind == FunctionKind::Fragment);
    let read = fragment.flat_map(|function| &function.inputs).find_map(|input| match input.kind {
        InputKind::Varying { location, .. } if !writes(location) => Some(input.name.clone()),
        _ => None,
    });
    read.map_or(Ok(()), |name| Err(PairError::NotWritten { name }))
}

/// The names for a module: those that its texts give, and those of the options.
fn names_of(programs: &[Agal], options: &Options) -> Names {
    let mut names = Names::default();
    if !options.ignore_source_names && options.debug > DebugLevel::None {
        programs.iter().for_each(|agal| names.extend(Names::from_source(&agal.names)));
    }
    names.extend(options.names.clone());
    names
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
    let mut meaning =
        lift::Options { temporaries: names_of(programs, options).temporaries(), ..options.meaning.clone() };
    if options.inline_constants {
        programs.iter().for_each(|agal| meaning.values.extend(values(agal)));
        programs.iter_mut().for_each(inlined);
    }
    let of: Vec<&Program> = programs.iter().map(|agal| &agal.program).collect();
    let (module, findings) = match translate(&of, &meaning) {
        Ok(mut lifted) => {
            for (index, (agal, tokens)) in programs.iter().zip(lifted.tokens).enumerate() {
                let line = |token: u32| {
                    let place =
                        FindingPlace { instruction: Some(token).filter(|&token| token > 0), ..FindingPlace::default() };
                    agal.map.locate(place).span.map_or(0, |span| span.line)
                };
                let (module, text) = (&mut lifted.module, agal.text.as_ref());
                note_source(module, number(index), &agal.name, text, tokens, &line, options.debug);
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
