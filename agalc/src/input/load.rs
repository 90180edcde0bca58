//! Loads inputs into one verified module, which contains a program or a pair.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sdlbc::{FunctionKind, InputKind, Module, OutputKind, Verified};

use super::check::add;
use super::detect::Input;
use super::lines::note_source;
use super::pair::{append, link_by_name, number, pair, part_names};
use super::program::{Checked, Code, Program, verified};
use super::source::Source;
use crate::error::{InputError, InputErrorKind, PairError, Warning, WarningKind};
use crate::finding::{Finding, InstructionSet};
#[cfg(feature = "es2")]
use crate::language::Es2;
use crate::language::{Agal, Language, Lifted, constants, line_of};
use crate::names::{self, NameError, Names, VertexFormat, apply_lifted};
use crate::options::{DebugLevel, Options};

/// A module, with information about the input files that a module cannot store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<M = Verified> {
    /// The resulting module. In a pair, the vertex function comes first.
    pub module: M,
    /// The programs that were combined into the module, with all findings, in the order of the inputs. Inputs that are modules
    /// are left out.
    pub programs: Vec<Program>,
    /// The names of all shader inputs that WGSL, GLSL, HLSL or SPIR-V code declares. The module contains only the shader inputs
    /// that the code reads.
    pub declared: BTreeSet<String>,
    /// Warnings about the input files.
    pub warnings: Vec<Warning>,
    /// The formats of the attributes whose names state a type, keyed by location.
    pub formats: BTreeMap<u32, VertexFormat>,
}

impl<M> Loaded<M> {
    /// Replaces the module with the result of `change`.
    ///
    /// # Errors
    /// Returns the error of `change`.
    pub fn try_map<N, E>(self, change: impl FnOnce(M) -> Result<N, E>) -> Result<Loaded<N>, E> {
        let Loaded { module, programs, declared, warnings, formats } = self;
        Ok(Loaded { module: change(module)?, programs, declared, warnings, formats })
    }
}

/// The reasons why inputs could not be loaded, with the programs that could be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The error of each input, or its program with the findings, in the order of the inputs. An input with neither an error
    /// nor findings may be left out.
    pub inputs: Vec<Result<Program, InputError>>,
    /// The error in the combination of the inputs, if each input is valid by itself.
    pub pair: Option<Box<PairError>>,
    /// Errors about names that do not fit the module.
    pub names: Vec<NameError>,
    /// Warnings about the input files.
    pub warnings: Vec<Warning>,
}

impl Refused {
    fn of(inputs: Vec<Result<Program, InputError>>, warnings: Vec<Warning>) -> Refused {
        Refused { inputs, pair: None, names: Vec::new(), warnings }
    }

    /// Returns the errors of individual inputs.
    pub fn errors(&self) -> impl Iterator<Item = &InputError> {
        self.inputs.iter().filter_map(|input| input.as_ref().err())
    }
}

/// Writes one line for each error.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.errors().map(ToString::to_string).chain(self.pair.iter().map(ToString::to_string));
        let errors = errors.chain(self.names.iter().map(ToString::to_string));
        f.write_str(&errors.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Refused {}

impl From<InputError> for Refused {
    fn from(error: InputError) -> Refused {
        Refused::of(vec![Err(error)], Vec::new())
    }
}

/// Reads inputs and combines them into a module. Two programs become a pair.
///
/// # Errors
/// Returns the errors of each input, or the error of the combined inputs.
pub fn load(sources: &[Source<'_>], options: &Options) -> Result<Loaded, Refused> {
    combine(read_all(sources, options, false)?, options)
}

/// Reads all programs of the inputs. If `is_shown` is true, modules may break rules.
fn read_all(sources: &[Source<'_>], options: &Options, is_shown: bool) -> Result<Vec<Program>, Refused> {
    let read: Vec<_> = sources.iter().flat_map(|source| source.read_all(options, is_shown)).collect();
    match read.iter().any(Result::is_err) {
        true => Err(unread(read, options)),
        false => Ok(read.into_iter().flatten().collect()),
    }
}

/// Opens inputs and loads them.
///
/// # Errors
/// Returns the errors that [`load()`] returns.
pub fn load_all(inputs: &[Input], options: &Options) -> Result<Loaded, Refused> {
    load(&Source::all(inputs, options), options)
}

/// Combines programs that have already been read, and returns one module. Two programs become a pair.
///
/// # Errors
/// Returns the errors that [`load()`] returns.
pub fn combine(inputs: Vec<Program>, options: &Options) -> Result<Loaded, Refused> {
    let Loaded { module, programs, declared, warnings, formats } = together(inputs, options)?;
    let module = match module {
        Checked::Verified(module) => Ok(module),
        Checked::Broken(module) => verified(module),
    };
    match module {
        Ok(module) => Ok(Loaded { module, programs, declared, warnings, formats }),
        Err(violations) => {
            let pair = Some(Box::new(PairError::Rules(violations)));
            Err(Refused { pair, ..Refused::of(programs.into_iter().map(Ok).collect(), warnings) })
        }
    }
}

/// Loads inputs for a command that only displays a module. A module that is the only input may break rules, and each
/// violation becomes a warning.
///
/// # Errors
/// Returns the errors that [`load()`] returns.
pub fn show(sources: &[Source<'_>], options: &Options) -> Result<Loaded<Module>, Refused> {
    if sources.len() > 1 {
        return load(sources, options)?.try_map(|module| Ok(module.into_module()));
    }
    together(read_all(sources, options, true)?, options)?.try_map(|module| Ok(module.into_module()))
}

/// Combines programs into a module. A module that is the only input and needs no change is returned as it was read. Any other
/// result is not yet verified.
fn together(inputs: Vec<Program>, options: &Options) -> Result<Loaded<Checked>, Refused> {
    let count = inputs.len();
    let mut warnings: Vec<Warning> = inputs.iter().flat_map(|input| input.warnings.clone()).collect();
    let names = inputs.iter().map(|input| format!("`{}`", input.name)).collect::<Vec<_>>().join(" and ");
    let of_all = |kind| Warning { name: names.clone(), kind };
    warnings.extend(unknown_overrides(&inputs, options).map(WarningKind::NoOverride).map(of_all));
    let (mut modules, mut programs, mut declared) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut links_by_name = false;
    for mut input in inputs {
        match std::mem::replace(&mut input.code, Code::Unread) {
            Code::Module(of) => {
                links_by_name |= of.links_by_name;
                declared.extend(of.declared);
                modules.push(of.module);
            }
            code => programs.push(Program { code, ..input }),
        }
    }
    let has_values = |agal: &Agal| !constants::values(agal.program.stage, &agal.aliases).is_empty();
    if options.inline_constants && !programs.iter().filter_map(Program::agal).any(has_values) {
        warnings.push(of_all(WarningKind::NothingToInline));
    }
    let names_given = names_of(&programs, options);
    // A module that needs no change was already verified when it was read.
    if count == 1
        && names_given.is_empty()
        && let Some(module) = modules.pop()
    {
        return Ok(Loaded { module, programs, declared, warnings, formats: BTreeMap::new() });
    }
    let mut module = Module::default();
    modules.into_iter().for_each(|more| append(&mut module, more.into_module()));
    if links_by_name && let Err(error) = link_by_name(&mut module) {
        let pair = Some(Box::new(error));
        return Err(Refused { pair, ..Refused::of(programs.into_iter().map(Ok).collect(), warnings) });
    }
    let Some(of_programs) = lift_all(&mut programs, &names_given, options) else {
        return Err(Refused::of(programs.into_iter().map(Program::sound).collect(), warnings));
    };
    let is_unified = |program: &&Program| program.instruction_set() == Some(InstructionSet::UnifiedShader);
    let is_mixed = (1..count).contains(&programs.iter().filter(is_unified).count());
    of_programs.into_iter().for_each(|more| append(&mut module, more));
    let fitted = fit(&mut module, count, &names, &mut warnings);
    if let Err(error) = fitted.and_then(|()| if is_mixed { linked(&module) } else { Ok(()) }) {
        let pair = Some(Box::new(error));
        return Err(Refused { pair, ..Refused::of(programs.into_iter().map(Ok).collect(), warnings) });
    }
    // A name may refer to a temporary that lifting has removed.
    let apply = if programs.iter().any(|program| program.agal().is_some()) { apply_lifted } else { names::apply };
    match apply(&mut module, &names_given) {
        Ok(applied) => {
            warnings.extend(applied.warnings.into_iter().map(WarningKind::Name).map(of_all));
            Ok(Loaded { module: Checked::Broken(module), programs, declared, warnings, formats: applied.formats })
        }
        Err(names) => Err(Refused { names, ..Refused::of(programs.into_iter().map(Ok).collect(), warnings) }),
    }
}

/// Returns the error for the case that at least one input cannot be read. The error lists the errors of each input.
fn unread(read: Vec<Result<Program, InputError>>, options: &Options) -> Refused {
    let warnings = read.iter().flatten().flat_map(|program| program.warnings.clone()).collect();
    let mut reported: Vec<(String, Finding)> = Vec::new();
    let inputs = read.into_iter().filter_map(|read| match read {
        // Two programs may be read from the same text, so equal findings are reported only once.
        Err(InputError { name, kind: InputErrorKind::Program(mut program) }) => {
            program.findings.retain(|found| {
                found.place.span.is_none() || !reported.iter().any(|(of, other)| *of == name && other == found)
            });
            reported.extend(program.findings.iter().map(|found| (name.clone(), found.clone())));
            program.has_errors().then_some(Err(InputError { name, kind: InputErrorKind::Program(program) }))
        }
        Err(error) => Some(Err(error)),
        Ok(program) => {
            let mut alone = [program];
            lift_all(&mut alone, &Names::default(), options);
            let [program] = alone;
            program.has_errors().then(|| program.sound())
        }
    });
    Refused::of(inputs.collect(), warnings)
}

fn unknown_overrides(inputs: &[Program], options: &Options) -> impl Iterator<Item = String> {
    let of = inputs.iter().filter_map(Program::module);
    let known: BTreeSet<String> = of.flat_map(|module| module.overrides.iter().cloned()).collect();
    let names: BTreeSet<String> = options.overrides.iter().map(|(name, _)| name.clone()).collect();
    names.into_iter().filter(move |name| !known.contains(name))
}

/// Combines the functions of two inputs into a pair and checks the limits of the module. Names and source texts that SDLSHADERBC
/// cannot store are left out.
fn fit(module: &mut Module, count: usize, names: &str, warnings: &mut Vec<Warning>) -> Result<(), PairError> {
    if count > 1 {
        pair(module)?;
        part_names(module);
    }
    let left_out = sdlbc::fit(module).into_iter().map(WarningKind::LeftOut);
    warnings.extend(left_out.map(|kind| Warning { name: names.to_string(), kind }));
    // Two inputs that are each within the limits may exceed them together. AGAL in lenient mode has no limits.
    match sdlbc::limits::over(module).into_iter().next() {
        Some((counted, found)) => Err(PairError::TooMuch { names: names.to_string(), counted, found }),
        None => Ok(()),
    }
}

/// Checks that the vertex function of a pair in two languages writes each varying that the fragment function reads. A pair in a
/// single language is checked against the rules of that language.
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

/// Returns the names for a module: the names in the programs' source texts, and the names in the options.
fn names_of(programs: &[Program], options: &Options) -> Names {
    let mut names = Names::default();
    if !options.ignore_source_names && options.debug > DebugLevel::None {
        let sources = programs.iter().filter_map(Program::agal);
        sources.for_each(|agal| names.extend(Names::from_source(&agal.names)));
    }
    names.extend(options.names.clone());
    names
}

/// Lifts programs and adds the findings to the programs, including findings that arise only during lifting. Two programs are
/// lifted as a pair. The resulting module is discarded.
pub fn lift(programs: &mut [Program], options: &Options) {
    let names = names_of(programs, options);
    lift_all(programs, &names, options);
}

/// Lifts the programs of each language into one module. Two programs in the same language are lifted as a pair. Returns `None` if
/// any program has an error.
fn lift_all(programs: &mut [Program], names: &Names, options: &Options) -> Option<Vec<Module>> {
    let lifted = [
        lift_language::<Agal>(programs, names, options),
        #[cfg(feature = "es2")]
        lift_language::<Es2>(programs, names, options),
    ];
    let is_sound = !programs.iter().any(Program::has_errors);
    lifted.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_sound).map(|all| all.into_iter().flatten().collect())
}

/// Lifts the programs in language `L`, fills the debug table, and adds findings to the programs. Returns `None` if a program has
/// an error, and `Some(None)` if there are no programs.
fn lift_language<L: Language>(programs: &mut [Program], names: &Names, options: &Options) -> Option<Option<Module>> {
    let mut codes: Vec<&mut L> = programs.iter_mut().filter_map(|program| L::of(&mut program.code)).collect();
    if codes.is_empty() {
        return Some(None);
    }
    L::agree(&mut codes, options);
    let (lifted, found) = L::lift(&mut codes, names, options);
    let module = lifted.map(|Lifted { mut module, lines }| {
        let of_language = programs.iter_mut().filter_map(|program| {
            L::of(&mut program.code)?;
            Some(&*program)
        });
        for (index, (program, lines)) in of_language.zip(lines).enumerate() {
            let line = |number: u32| line_of(&program.map, number);
            note_source(&mut module, number(index), &program.name, program.text.as_ref(), lines, &line, options.debug);
        }
        module
    });
    add::<L>(programs, found);
    module.map(Some)
}
