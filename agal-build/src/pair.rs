//! Reads the files of a pair, translates the shaders, and generates the Rust module.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agal_front::Stage;
use agal_front::register::File as AgalFile;
use agalc::names::{File, Names, Origin};
use agalc::{Input, InstructionSet, Loaded, Options, Remedy, Source, Warning, WarningKind};
use backends::{Code, Interface};
use sdlbc::{FunctionKind, InputKind, Module, Verified};

use crate::code::Included;
use crate::config::{Config, Generated, GivenName, Target};
use crate::describe::{self, Values};
use crate::error::{Problem, ProblemKind};
use crate::find::{Files, Sources};
use crate::naming::slashed;
use crate::rust;

pub(crate) fn generate(sources: &Sources, config: &Config, read: &mut Vec<PathBuf>) -> Result<Generated, Vec<Problem>> {
    let name = sources.name.as_str();
    let inputs = inputs(sources, read)?;
    let mut warnings = Vec::new();
    let options = config.options.clone().names(names(sources, config, read, &mut warnings)?);
    let loaded = load(sources, &inputs, &options)?;
    let mut found = agalc::render::warnings(&loaded, wording);
    // Warnings about the module come first, in the order of `loaded.warnings`.
    for (text, Warning { kind, .. }) in found.iter_mut().zip(&loaded.warnings) {
        if matches!(kind, WarningKind::Name(warning) if !matches!(warning.origin, Origin::File { .. })) {
            *text = of_pair(name, "warning", text);
        }
    }
    warnings.extend(found);
    let Loaded { module, programs, formats, .. } = loaded;
    let module = &agalc::optimise(module, &Default::default());
    let refuse = |error: backends::Error| {
        let problem = Problem::new(Some(name), ProblemKind::Target(error.to_string()), format!("{name}: {error}"));
        vec![problem]
    };
    if let Some(what) = not_generated(module) {
        let text = format!("{name}: {what}, for which no Rust is generated; `agalc compile` translates it");
        return Err(vec![Problem::new(Some(name), ProblemKind::Target(text.clone()), text)]);
    }
    let interface = interface(module, config).map_err(refuse)?;
    let (mut files, mut included) = (BTreeMap::new(), Vec::new());
    for &target in &config.targets {
        for stage in agalc::files(module, target.backend(), &config.layout) {
            let output = backends::write(module, target.backend(), stage, &config.layout).map_err(refuse)?;
            let (file, contents) = include(name, target, stage, &output.code);
            warnings.extend(output.renamed.iter().map(|backends::Renamed { wanted, given }| {
                format!(
                    "{name}: `{wanted}` is called `{given}` in {}, where the name is already taken or reserved",
                    target.backend()
                )
            }));
            files.insert(file.file.clone(), contents);
            included.push(file);
        }
    }
    let described = describe::describe(name, module, &interface, &formats, &values(&programs));
    let shown: Vec<String> = sources.paths().iter().map(|path| slashed(path)).collect();
    let code = rust::module(&described, &shown, &included, config.style);
    files.insert(format!("{name}.rs"), code.into_bytes());
    Ok(Generated { files, warnings, read: Vec::new() })
}

/// Returns a description of a module's first item for which no Rust code can be generated: a compute function, a storage buffer
/// or a storage texture.
fn not_generated(module: &Module) -> Option<String> {
    module.functions.iter().find_map(|function| {
        if function.kind == FunctionKind::Compute {
            return Some(format!("`{}` is a compute function", function.name));
        }
        function.inputs.iter().find_map(|input| match input.kind {
            InputKind::Buffer { .. } => Some(format!("`{}` is a storage buffer", input.name)),
            InputKind::Image { .. } => Some(format!("`{}` is a storage texture", input.name)),
            _ => None,
        })
    })
}

fn inputs(sources: &Sources, read: &mut Vec<PathBuf>) -> Result<Vec<Input>, Vec<Problem>> {
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for path in sources.paths() {
        read.push(path.clone());
        match std::fs::read(path) {
            Ok(bytes) => inputs.push(Input { name: slashed(path), bytes }),
            Err(error) => problems.push(Problem::unread(Some(&sources.name), path, &error)),
        }
    }
    if problems.is_empty() { Ok(inputs) } else { Err(problems) }
}

/// Returns the register names of a pair, from the `.names.toml` file next to its shaders and from the configuration.
fn names(
    sources: &Sources,
    config: &Config,
    read: &mut Vec<PathBuf>,
    warnings: &mut Vec<String>,
) -> Result<Names, Vec<Problem>> {
    let (mut names, mut problems) = (config.options.names.clone(), Vec::new());
    let pair = sources.name.as_str();
    let beside = agalc::names_beside(sources.paths());
    let is_one = beside.len() == 1;
    for path in beside {
        // If the names file does not exist, cargo watches its folder, since the file may be added later.
        if !path.is_file() {
            read.push(folder_of(&path));
            continue;
        }
        read.push(path.clone());
        if !is_one {
            let name = slashed(&path);
            warnings.push(format!(
                "warning: `{name}` is not read, because the shaders of `{pair}` differ in folder or base name"
            ));
            continue;
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => match Names::from_toml(&text, &slashed(&path)) {
                Ok(of_file) => names.extend(of_file),
                Err(errors) => problems.extend(errors.0.iter().map(|error| {
                    let text = agalc::render::file_error(error).plain();
                    Problem { pair: Some(pair.to_string()), kind: ProblemKind::Names, text }
                })),
            },
            Err(error) => problems.push(Problem::unread(Some(pair), &path, &error)),
        }
    }
    for GivenName { text, is_attribute, .. } in config.names.iter().filter(|name| name.pair == pair) {
        match Names::parse_entry(text) {
            Ok(entry) if *is_attribute && entry.registers.file != File::Attribute => {
                let registers = entry.registers;
                let text = format!(
                    "`{text}`, an attribute of the pair `{pair}`: `{registers}` is not an attribute such as va0; use \
                     `Config::name` for other registers"
                );
                problems.push(Problem::new(Some(pair), ProblemKind::Names, text));
            }
            Ok(entry) => names.push(entry),
            Err(error) => {
                let text = format!("`{text}`, a name for the pair `{pair}`: {error}");
                problems.push(Problem::new(Some(pair), ProblemKind::Names, text));
            }
        }
    }
    if problems.is_empty() { Ok(names) } else { Err(problems) }
}

/// Returns the folder that contains a file. The package's root folder is returned as `.`, so that cargo can watch it.
fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_path_buf()
}

fn load(sources: &Sources, inputs: &[Input], options: &Options) -> Result<Loaded, Vec<Problem>> {
    let mut opened = Source::all(inputs, options);
    if let Files::Two(paths) = &sources.files {
        opened = with_roles(opened, paths, options);
    }
    agalc::load(&opened, options).map_err(|refused| problems(&sources.name, refused))
}

/// Returns the field of `Options` that a message suggests as a remedy. No field is suggested for an unknown stage, because
/// [`Config::pair`] determines the stage.
fn wording(remedy: &Remedy) -> Option<String> {
    if *remedy == Remedy::Stage { None } else { Options::wording(remedy) }
}

/// Sets the stages of the two programs of a pair. The first program is the vertex program, unless the source of either program or
/// the two file names indicate the opposite order.
fn with_roles<'i>(opened: Vec<Source<'i>>, paths: &[PathBuf; 2], options: &Options) -> Vec<Source<'i>> {
    let is = |source: &Source<'_>, stage: Stage| {
        let is_agal = source.instruction_set() == Some(InstructionSet::Agal);
        is_agal && source.read_one(options).is_ok_and(|program| program.stage() == Some(stage) && !program.has_errors())
    };
    let [first, second] = &opened[..] else { return opened };
    if is(first, Stage::Fragment) || is(second, Stage::Vertex) {
        return opened;
    }
    let roles = match agalc::found::are_exchanged(paths) {
        true => [Stage::Fragment, Stage::Vertex],
        false => [Stage::Vertex, Stage::Fragment],
    };
    opened.into_iter().zip(roles).map(|(source, stage)| source.with_role(stage)).collect()
}

/// Inserts the pair's name into a message that has no position in a file.
fn of_pair(pair: &str, kind: &str, text: &str) -> String {
    match text.strip_prefix(&format!("{kind}: ")) {
        Some(message) => format!("{kind}: {pair}: {message}"),
        None => text.to_string(),
    }
}

/// Converts the errors in a pair's rejected shaders to problems.
fn problems(pair: &str, refused: agalc::Refused) -> Vec<Problem> {
    let mut texts = agalc::render::refused(&refused, wording);
    // The messages about register names come last, in the order of `refused.names`.
    for (text, error) in texts.iter_mut().rev().zip(refused.names.iter().rev()) {
        if !matches!(error.origin, Origin::File { .. }) {
            *text = of_pair(pair, "error", text);
        }
    }
    let kind = ProblemKind::Shaders(Box::new(refused));
    let problem = |text: String| Problem { pair: Some(pair.to_string()), kind: kind.clone(), text };
    texts.into_iter().map(problem).collect()
}

/// Returns the WGSL interface. Names and bindings in the Rust code come from this interface even if WGSL is not a target.
fn interface(module: &Verified, config: &Config) -> Result<Interface, backends::Error> {
    let mut interface = Interface::default();
    for stage in agalc::files(module, backends::Target::Wgsl, &config.layout) {
        let of_stage = backends::write(module, backends::Target::Wgsl, stage, &config.layout)?.interface;
        interface.entries.extend(of_stage.entries);
        interface.resources.extend(of_stage.resources);
    }
    Ok(interface)
}

/// Returns the Rust constant that includes an output file, the name of the file, and the contents of the file.
fn include(name: &str, target: Target, stage: Option<FunctionKind>, code: &Code) -> (Included, Vec<u8>) {
    let (constant, infix, extension, language) = match target {
        Target::Wgsl => ("WGSL", "", "wgsl", "WGSL"),
        Target::Spirv => ("SPIRV", "", "spv", "SPIR-V"),
        Target::Glsl450 => ("GLSL_450", ".450", "glsl", "GLSL 450"),
        Target::Glsl330 => ("GLSL_330", ".330", "glsl", "GLSL 330"),
        Target::GlslEs300 => ("GLSL_ES_300", ".es300", "glsl", "GLSL ES 300"),
    };
    let (suffix, part, about) = match stage {
        None => ("", "", format!("The shaders in {language}.")),
        Some(FunctionKind::Vertex) => ("_VERTEX", ".vert", format!("The vertex shader in {language}.")),
        Some(_) => ("_FRAGMENT", ".frag", format!("The fragment shader in {language}.")),
    };
    let (contents, words) = match code {
        Code::Text(text) => (text.clone().into_bytes(), None),
        Code::Words(words) => (words.iter().flat_map(|word| word.to_le_bytes()).collect(), Some(words.len())),
    };
    let file = format!("{name}{infix}{part}.{extension}");
    (Included { constant: format!("{constant}{suffix}"), about, file, words }, contents)
}

/// Returns the values that the source text of the shaders assigns to constant registers.
fn values(programs: &[agalc::Program]) -> Values {
    let mut values = Values::new();
    for agal in programs.iter().filter_map(agalc::Program::agal) {
        let stage = agal.program.stage;
        let file = AgalFile::Constant.name(stage);
        for alias in &agal.aliases {
            let register = alias.target.split('.').next().and_then(|name| name.strip_prefix(file)?.parse().ok());
            let (Some(known), Some(register)) = (alias.values, register) else { continue };
            let register: &mut [Option<f32>; 4] = values.entry((stage, register)).or_default();
            register.iter_mut().zip(known).for_each(|(value, known)| *value = known.or(*value));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_own_folder_has_a_name_for_cargo() {
        assert_eq!(folder_of(Path::new("lit.names.toml")), Path::new("."));
        assert_eq!(folder_of(Path::new("shaders/lit.names.toml")), Path::new("shaders"));
    }
}
