//! `render`: draws a scene, or a pair with a mesh, to a PNG file for each render target.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use agal_front::Finding;
use agal_front::lift::Options;
use agalc::render::Source;
use anyhow::{Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use interp::{Draw, Float, Image, Pair, draw_with};
use scene::{Body, Description, Loading, Picture, Scene};
use sdlbc::{Function, FunctionKind, Id, Input, Module, Op, Type};

use super::run::{first_few, listed};
use super::{module_of, read_all};
use crate::args::{DebugLevel, Judging, Named, Render, Warnings};
use crate::files::{Files, can_be_several, is_file};
use crate::output::{PendingOutput, Sink, UsageError};
use crate::{report, shown};

/// The progress bar appears when a draw takes longer than this.
const BAR_DELAY: Duration = Duration::from_secs(1);

pub(super) fn run(files: &Files, args: &Render) -> Result<()> {
    let scene = match &args.inputs[..] {
        [path] if path.extension().is_some_and(|extension| extension == "toml") => of_file(args, path)?,
        _ => of_pair(files, args)?,
    };
    scene.files.iter().for_each(|file| files.mark_read(file));
    let sinks = sinks(&args.output, scene.draw.targets)?;
    // Checked now, to report errors before a long draw.
    files.check(&sinks)?;
    let image = drawn(&scene.draw, args.float.into())?;
    let pictures = (0..image.targets.len()).map_while(|target| Picture::of(&image, target));
    let made = pictures.zip(sinks).map(|(picture, sink)| {
        let bytes = picture.to_png().map_err(|error| anyhow!("{error}"))?;
        let what = format!("PNG, {}x{}", picture.width, picture.height);
        Ok(PendingOutput { sink, what, bytes, is_text: false })
    });
    files.write(made.collect::<Result<Vec<PendingOutput>>>()?)
}

/// Returns the output of each render target: the first is the given file, the others have a number added. A device receives all.
fn sinks(output: &Path, targets: usize) -> Result<Vec<Sink>> {
    let first = Sink::new(output);
    if targets > 1 && !can_be_several(&first)? {
        let message = "several render targets need a file each: name the first with -o";
        return Err(UsageError(message.into()).into());
    }
    let is_split = targets > 1 && is_file(&first)?;
    let sink = |target: usize| if target == 0 || !is_split { first.clone() } else { first.with(&target.to_string()) };
    Ok((0..targets).map(sink).collect())
}

fn of_file(args: &Render, path: &Path) -> Result<Scene> {
    let own = [("--mesh", args.mesh.is_some()), ("--texture", !args.textures.is_empty())];
    let own = own.into_iter().chain([("--constants", args.constants.is_some())]);
    let given: Vec<&str> = own.filter(|(_, given)| *given).map(|(name, _)| name).collect();
    if let Some(name) = given.first() {
        return Err(UsageError(format!("{name} is for a pair; a scene sets this in its file")).into());
    }
    if !args.reading.is_default() {
        let message = "options for reading programs must be in the scene's file, under `options`";
        return Err(UsageError(message.into()).into());
    }
    let loading = Loading { size: args.size, allow_outside: args.allow_outside };
    let scene = Scene::load_with(path, &loading).map_err(|error| report::scene_error(&error))?;
    report_findings(&scene, &args.reading.judging)?;
    Ok(scene)
}

/// Reports the findings about a scene's programs.
///
/// # Errors
/// There are warnings about its files, and warnings are errors.
fn report_findings(scene: &Scene, judging: &Judging) -> Result<()> {
    let refused = report::file_warnings(&scene.warnings, judging);
    for warned in &scene.warned {
        let mut findings: Vec<Finding> = warned.findings.clone();
        report::drop_silenced(judging, &mut findings);
        let name = shown::name(&warned.file);
        report::show_in(&Source::new(&name, warned.text.as_deref(), None), &findings);
    }
    refused
}

fn of_pair(files: &Files, args: &Render) -> Result<Scene> {
    if args.allow_outside {
        let message = "--allow-outside is for a scene; files on the command line may be anywhere";
        return Err(UsageError(message.into()).into());
    }
    let module = module_of(files, &args.inputs, read_all(files, &args.inputs)?, &args.reading, DebugLevel::None)?;
    let mut description = Description::plain(args.size.unwrap_or([512, 512]));
    let describe = |description: &mut Description| -> Result<(), scene::Error> {
        match &args.mesh {
            Some(Named::Word(mesh)) => description.set_mesh(mesh)?,
            Some(Named::File(path)) => description.body = Body::File(path.clone()),
            None => {}
        }
        for (register, texture) in &args.textures {
            match texture {
                Named::Word(texture) => description.set_texture(register, texture)?,
                Named::File(path) => description.set_texture_file(register, path.clone())?,
            }
            // A later texture may replace this one, but its file is still an input.
            description.files().for_each(|file| files.mark_read(file));
        }
        args.constants.as_ref().map_or(Ok(()), |path| description.read_constants(path))
    };
    describe(&mut description).map_err(|error| report::scene_error(&error))?;
    args.constants.iter().for_each(|path| files.mark_read(path));
    for register in description.fill(&module) {
        report::note(&format!("no texture is given for {register}; a built-in one is used"));
    }
    let scene = Scene::from_parts(&module, None, Options::default(), &description);
    let scene = scene.map_err(|error| report::scene_error(&error))?;
    warn_of_zeroes(&scene.draw, args.reading.judging.warnings)?;
    Ok(scene)
}

/// Warns about each stage whose constants are all zero: the picture is then often empty or black.
fn warn_of_zeroes(draw: &Draw, warnings: Warnings) -> Result<()> {
    let mut is_refused = false;
    for function in draw.module.functions.iter().filter(|function| function.kind != FunctionKind::Generic) {
        let mut reads = BTreeSet::new();
        look_for_constants(function, &mut reads);
        let is_zero = |&(input, element): &(usize, Option<u32>)| {
            let Some(input) = function.inputs.get(input) else { return true };
            let words = draw.resources.uniforms.get(&(function.kind, input.name.clone()));
            let words = words.map_or(&[][..], Vec::as_slice);
            let of = match (element, input.ty) {
                (Some(element), Type::Array(_, width, _)) => {
                    let from = element as usize * usize::from(width);
                    words.get(from..(from + usize::from(width)).min(words.len())).unwrap_or_default()
                }
                _ => words,
            };
            // -0 is zero too.
            of.iter().all(|word| word << 1 == 0)
        };
        if warnings == Warnings::Allow || reads.is_empty() || !reads.iter().all(is_zero) {
            continue;
        }
        is_refused |= warnings == Warnings::Error;
        let stage = function.kind.name();
        let unset: Vec<Unset> = reads.iter().filter_map(|read| Unset::of(&draw.module, function, *read)).collect();
        let mut names: Vec<String> = unset.iter().map(Unset::shown).collect();
        names.dedup();
        let message = format!("all constants that the {stage} program reads are zero: {}", first_few(&names));
        let help = unset.first().map(|first| first.help(function.kind)).unwrap_or_default();
        report::warning(&message, &help);
    }
    if is_refused { bail!("the programs read constants that are not set, and warnings are errors") } else { Ok(()) }
}

/// A constant that is read and not set.
enum Unset {
    /// A register, with the names of the members that are in it.
    Register { register: String, members: Vec<String> },
    /// A uniform that is set by its name.
    Uniform { name: String, components: usize },
}

impl Unset {
    /// What the read of a uniform, or of one of its elements, is called in a file of constants.
    fn of(module: &Module, function: &Function, (input, element): (usize, Option<u32>)) -> Option<Unset> {
        let input = function.inputs.get(input)?;
        if scene::registers(module, function.kind).is_none_or(|(name, _)| name != input.name) {
            let components = match input.ty {
                Type::Vector(_, width) => usize::from(width),
                Type::Matrix { columns, rows } => usize::from(columns) * usize::from(rows),
                Type::Array(_, width, length) => usize::from(width).saturating_mul(length as usize),
                _ => 1,
            };
            return Some(Unset::Uniform { name: input.name.clone(), components });
        }
        let file = if function.kind == FunctionKind::Vertex { "vc" } else { "fc" };
        // All registers can be set, if it is computed which one is read.
        let number = element.unwrap_or(0);
        let is_here = |member: &&sdlbc::Member| (member.first..member.first + member.elements()).contains(&number);
        let index = module.functions.iter().position(|one| std::ptr::eq(one, function))?;
        let members = module.debug_of(index).and_then(|debug| debug.members.get(&input.id));
        let members = members.into_iter().flatten().filter(is_here).map(|member| member.name.clone()).collect();
        Some(Unset::Register { register: format!("{file}{number}"), members })
    }

    /// `fc0` (`to_light`, `shininess`)
    fn shown(&self) -> String {
        match self {
            Unset::Register { register, members } if members.is_empty() => format!("`{register}`"),
            Unset::Register { register, members } => format!("`{register}` ({})", listed(members)),
            Unset::Uniform { name, .. } => format!("`{name}`"),
        }
    }

    /// How a file of constants sets it.
    fn help(&self, stage: FunctionKind) -> String {
        let (table, key, count) = match self {
            Unset::Register { register, .. } => ("constants".to_string(), register.clone(), 4),
            Unset::Uniform { name, components } => {
                let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                let is_bare = !name.is_empty() && name.chars().all(is_bare);
                // A name in quotes is escaped in TOML as in JSON.
                let key = if is_bare { name.clone() } else { serde_json::Value::from(name.as_str()).to_string() };
                (format!("uniforms.{}", stage.name()), key, *components)
            }
        };
        let numbers = match count {
            0..=4 => vec!["1"; count].join(", "),
            _ => "1, 1, ...".to_string(),
        };
        let of = if count > 4 { format!(", {count} numbers") } else { String::new() };
        format!("set them with `--constants FILE`, a file with `[{table}]` and lines like `{key} = [{numbers}]`{of}")
    }
}

/// Collects the uniforms that code reads, and which elements of arrays, where these are known.
fn look_for_constants(function: &Function, reads: &mut BTreeSet<(usize, Option<u32>)>) {
    for inst in function.body.insts() {
        for (at, id) in inst.inputs.iter().enumerate() {
            let is = |input: &Input| input.id == *id && input.kind.is_uniform();
            let Some(input) = function.inputs.iter().position(is) else { continue };
            let element = match (inst.op, at, inst.inputs.get(1)) {
                (Op::Peek, 0, Some(&Id::NONE)) => inst.immediates.first().copied(),
                _ => None,
            };
            let is_array = function.inputs.get(input).is_some_and(|input| matches!(input.ty, Type::Array(..)));
            reads.insert((input, element.filter(|_| is_array)));
        }
    }
}

/// Draws, with a progress bar on a terminal.
fn drawn(draw: &Draw, float: Float) -> Result<Image> {
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).map_err(|error| anyhow!("{error}"))?;
    let begun = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let is_watched = report::shows_progress();
    let image = draw_with(draw, &pair, &mut |done, all| {
        if is_watched && bar.is_none() && begun.elapsed() > BAR_DELAY {
            let style = ProgressStyle::with_template("drawing {bar:40} {percent} %, {eta} to go");
            bar = style.ok().map(|style| ProgressBar::new(all).with_style(style));
        }
        if let Some(bar) = &bar {
            bar.set_length(all);
            bar.set_position(done);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if pair.is_stuck() {
        return Err(anyhow!("a program does not terminate"));
    }
    image.map_err(|error| anyhow!("{error}"))
}
