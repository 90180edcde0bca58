//! Extracts programs from inputs: unpacks files, interprets code and searches data.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use agalc::{Input, first_swf_version};

use crate::avm::names::Spaces;
use crate::avm::unit::{Origin, Unit};
use crate::avm::world::World;
use crate::collect::Collection;
use crate::container::{self, Data};
use crate::embedded::{self, Reader};
use crate::engines;
use crate::eval::explore::Left;
use crate::eval::schedule::schedule;
use crate::eval::setup::Shared;
use crate::limits::Limits;
use crate::model::{Extraction, Program, Progress, Site, Summary};
use crate::sources::{self, Embed, Source};

agal_front::options! {
    /// The options of an extraction.
    #[derive(Clone, Debug, Default)]
    pub struct Options {
        /// The limits on time, on memory and on the number of results.
        pub limits: Limits,
        /// The callback that reads the embedded files that are not inputs; `None` if these files are not to be read.
        pub reader: Option<Reader>,
        /// Whether the inputs form a complete application: no other code creates instances of the classes in a SWC or in sources,
        /// or assigns fields of these classes. A SWF always counts as complete.
        pub whole_application: bool,
    }
}

/// The stack size of the interpreter's thread, in bytes.
const STACK: usize = 256 << 20;

/// Finds the programs in the inputs. Code in each input can use the classes of all other inputs.
///
/// ```
/// let input = agalc::Input { name: "game.swf".to_string(), bytes: b"FWS".to_vec() };
/// let found = agal_extract::extract(&[input], &agal_extract::Options::default());
/// assert_eq!(found.programs.len(), 0);
/// assert_eq!(found.warnings[0].message, "the SWF's header is cut off");
/// ```
pub fn extract(inputs: &[Input], options: &Options) -> Extraction {
    extract_and_tell(inputs, options, &|_, _| ())
}

/// Extracts programs as [`extract`] does. Reports progress as the number of finished entry points and the number of entry points
/// known so far.
pub fn extract_and_tell(inputs: &[Input], options: &Options, progress: Progress<'_>) -> Extraction {
    // Deeply nested calls need a large stack. On platforms without threads, the extraction runs on the caller's stack.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, || extract_here(inputs, options, progress)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => extract_here(inputs, options, progress),
        }
    })
}

fn extract_here(inputs: &[Input], options: &Options, progress: Progress<'_>) -> Extraction {
    let mut extraction = Extraction::default();
    let mut units = Vec::new();
    let mut data: Vec<(usize, Vec<Data>)> = Vec::new();
    let mut spaces = Spaces::default();
    let mut texts: Vec<(usize, String)> = Vec::new();
    let mut swfs: Vec<(usize, Vec<String>, u8)> = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        if let Some(kind) = sources::language_of(&input.name) {
            texts.push((number, String::from_utf8_lossy(&input.bytes).into_owned()));
            extraction.inputs.push(Summary { name: input.name.clone(), kind: kind.to_string(), ..Summary::default() });
            continue;
        }
        let contents = container::open(&input.bytes, &options.limits);
        let mut summary = Summary {
            name: input.name.clone(),
            kind: contents.kind,
            blocks: contents.blocks.len(),
            data: contents.data.iter().filter(|data| data.is_item()).count(),
            ..Summary::default()
        };
        for block in contents.blocks {
            summary.classes = summary.classes.saturating_add(block.abc.count_of_classes());
            summary.methods = summary.methods.saturating_add(block.abc.methods_with_code().count());
            let origin = Origin { input: number, path: block.path, lines: None };
            units.push(Unit::new(block.abc, origin, &mut spaces));
        }
        extraction.inputs.push(summary);
        swfs.extend(contents.swfs.into_iter().map(|(path, version)| (number, path, version)));
        contents.warnings.into_iter().for_each(|(path, message)| extraction.warn(number, path, message));
        data.push((number, contents.data));
    }
    let embeds = compile(inputs, &texts, &mut units, &mut spaces, &mut extraction);
    for (number, embed) in embeds {
        match embedded::find(inputs, number, &embed, options.reader.as_ref()) {
            Ok((bytes, of)) => {
                // If a source embeds an input of unknown format, the warning about the format is dropped.
                extraction.warnings.retain(|warning| Some(warning.input) != of || !warning.path.is_empty());
                data.push((number, vec![Data::embedded(&embed.path, &embed.class, bytes)]));
            }
            Err(message) => extraction.warn(number, vec![format!("line {}", embed.line)], message),
        }
    }
    let mut world = World::new(units);
    world.is_whole = options.whole_application;
    let mut collection = Collection::new(&options.limits);
    interpret(&world, &data, options, progress, &mut collection, &mut extraction);
    for (number, data) in &data {
        data.iter().for_each(|data| collection.data(*number, data));
    }
    if collection.is_full {
        let Limits { programs, texts, .. } = &options.limits;
        let message =
            format!("more than {programs} programs or {texts} bytes of program text were found; the rest are left out");
        extraction.warn(0, Vec::new(), message);
    }
    if collection.unlisted > 0 {
        let (count, most) = (collection.unlisted, options.limits.places);
        let message = format!(
            "{count} more places of programs in data are not listed: at most {most} are listed for each program"
        );
        extraction.warn(0, Vec::new(), message);
    }
    for (input, path) in collection.cut.drain(..) {
        let message = "this data unpacks to more bytes than the limit for data of its length; the rest is not searched";
        extraction.warn(input, path, message);
    }
    engines::warn(&world, &mut extraction);
    collection.finish(&world, &mut extraction);
    warn_about_later_versions(swfs, &mut extraction);
    extraction
}

/// Warns about each SWF whose programs use an AGAL version that only later SWF versions allow.
fn warn_about_later_versions(swfs: Vec<(usize, Vec<String>, u8)>, extraction: &mut Extraction) {
    for (input, path, swf) in swfs {
        let is_here = |program: &&Program| {
            program.places.iter().any(|place| place.input == input && place.path.starts_with(&path))
        };
        let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for version in extraction.programs.iter().filter(is_here).filter_map(|program| program.version) {
            if let Some(first) = first_swf_version(version).filter(|first| *first > u32::from(swf)) {
                *counts.entry((version, first)).or_default() += 1;
            }
        }
        for ((version, first), count) in counts {
            let programs = if count == 1 { "1 program is".to_string() } else { format!("{count} programs are") };
            let message = format!(
                "{programs} in AGAL {version}, which the player accepts in SWF version {first} and later, but this SWF has version {swf}"
            );
            extraction.warn(input, path.clone(), message);
        }
    }
}

/// Compiles the sources among the inputs. Returns the embedded files, each with the index of the embedding source.
fn compile(
    inputs: &[Input],
    texts: &[(usize, String)],
    units: &mut Vec<Unit>,
    spaces: &mut Spaces,
    extraction: &mut Extraction,
) -> Vec<(usize, Embed)> {
    let input_of = |file: usize| texts.get(file).map_or(0, |(number, _)| *number);
    let name_of = |number: usize| inputs.get(number).map_or("", |input| input.name.as_str());
    let sources: Vec<Source<'_>> = texts.iter().map(|(number, text)| Source { name: name_of(*number), text }).collect();
    let compiled = sources::compile(&sources);
    for unit in compiled.units {
        let input = unit.file.map_or(0, input_of);
        let file = unit.file;
        let lines = unit.lines.iter().filter(|_| file.is_some()).map(|(at, line)| (*at, (input, *line))).collect();
        let abc = match unit.into_block() {
            Ok(abc) => abc,
            Err(problem) => {
                let message =
                    format!("the code compiled from the source is invalid: {problem}; the source is left out");
                extraction.warn(input, Vec::new(), message);
                continue;
            }
        };
        if let Some(summary) = file.and_then(|file| extraction.inputs.get_mut(input_of(file))) {
            summary.blocks = 1;
            summary.classes = abc.count_of_classes();
            summary.methods = abc.methods_with_code().count();
        }
        let origin = Origin { input, path: Rc::new([]), lines: Some(Rc::new(lines)) };
        units.push(Unit::new(abc, origin, spaces));
    }
    for warning in compiled.warnings {
        extraction.warn(input_of(warning.file), vec![format!("line {}", warning.line)], warning.message);
    }
    compiled.embeds.into_iter().map(|(file, embed)| (input_of(file), embed)).collect()
}

/// Interprets the code from all entry points, and collects the programs that the code builds.
fn interpret(
    world: &World,
    data: &[(usize, Vec<Data>)],
    options: &Options,
    progress: Progress<'_>,
    collection: &mut Collection,
    extraction: &mut Extraction,
) {
    let mut embedded = HashMap::new();
    for (input, data) in data.iter().flat_map(|(input, all)| all.iter().map(move |data| (input, data))) {
        let Some(symbol) = &data.symbol else { continue };
        let units = (0u32..).zip(&world.units).filter(|(_, unit)| unit.origin.input == *input);
        for class in units.filter_map(|(unit, _)| world.class_named(unit, symbol)) {
            embedded.entry(class).or_insert_with(|| Rc::<[u8]>::from(data.bytes.as_slice()));
        }
    }
    let mut shared = Shared::new(world, &options.limits, embedded);
    collection.around = shared.index.around.clone();
    shared.initialise();
    // `called` lists, by input, the entry points that were not run completely but had results when other entry points called
    // them.
    let mut called: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (method, left, is_called) in schedule(&mut shared, collection, progress) {
        let place = collection.place(world, (method, 0, None));
        let name = match &place.site {
            Site::Method { class, method, .. } if class.is_empty() => format!("`{method}`"),
            Site::Method { class, method, .. } => format!("`{class}.{method}`"),
            _ => String::new(),
        };
        if is_called && left == Left::Combinations {
            called.entry(place.input).or_default().push(name);
            continue;
        }
        let message = match left {
            Left::Nothing => continue,
            Left::Combinations => {
                "this method's conditions have more combinations than the limit allows; every alternative of each condition was tried, \
                 but not every combination (add the programs that the application uses with --from-trace)"
            }
            Left::Rest => {
                "a path reached a limit on instructions, conditions, nested calls or the length of a text; programs that the path \
                 makes after that point are missing"
            }
            Left::Rounds => {
                "the number of iterations of a loop is not known; only programs from its first few iterations were found"
            }
            Left::Everything => {
                "the limit on instructions for all methods together was reached; the rest was not interpreted"
            }
        };
        extraction.warn(place.input, place.path, format!("in {name}: {message}"));
    }
    for (input, names) in called {
        let (first, more) = names.split_at(names.len().min(3));
        let and = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        let message = format!(
            "in {}{and}: programs were found in callers of these methods, but not every combination of the methods' conditions was tried",
            first.join(", ")
        );
        extraction.warn(input, Vec::new(), message);
    }
    collection.constants(&mut shared);
    (collection.holders, collection.consumed) = (shared.holders, shared.consumed);
}
