//! `render`: a scene, or a pair with a mesh, becomes a PNG file for each render target.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agal_front::Finding;
use agal_front::lift::Options;
use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use interp::{Draw, Image, Pair, draw_with};
use scene::{Description, Picture, Scene};

use super::{module_of, read_all};
use crate::args::{DebugLevel, Judging, Render};
use crate::output::{Made, Sink, UsageError, apart, write};
use crate::report;

/// A draw that takes no longer gets no bar.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Render) -> Result<()> {
    apart(&args.output, &args.inputs)?;
    let scene = match &args.inputs[..] {
        [path] if Path::new(path).extension().is_some_and(|extension| extension == "toml") => of_file(args, path)?,
        _ => of_pair(args)?,
    };
    let image = drawn(&scene.draw)?;
    if args.output == "-" && image.targets.len() > 1 {
        let message = "there are several render targets, and each needs a file: name one with -o";
        return Err(UsageError(message.into()).into());
    }
    let pictures = (0..image.targets.len()).map_while(|target| Picture::of(&image, target));
    let made = pictures.enumerate().map(|(target, picture)| {
        let bytes = picture.to_png().map_err(|error| anyhow!("{error}"))?;
        let what = format!("PNG, {}x{}", picture.width, picture.height);
        Ok(Made { sink: sink(&args.output, target), what, bytes, is_text: false })
    });
    write(made.collect::<Result<Vec<Made>>>()?)
}

/// Where a target goes: the first to the file that is named, the others beside it with their numbers.
fn sink(output: &str, target: usize) -> Sink {
    if target == 0 {
        return Sink::new(output);
    }
    let path = Path::new(output);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}.{target}.{}", extension.to_string_lossy()),
        None => format!("{stem}.{target}"),
    };
    Sink::File(path.with_file_name(name))
}

fn of_file(args: &Render, path: &str) -> Result<Scene> {
    let own = [("--mesh", args.mesh.is_some()), ("--texture", !args.textures.is_empty())];
    let own = own.into_iter().chain([("--constants", args.constants.is_some())]);
    let given: Vec<&str> = own.filter(|(_, given)| *given).map(|(name, _)| name).collect();
    if let Some(name) = given.first() {
        return Err(UsageError(format!("{name} is for a pair; a scene has its own")).into());
    }
    if !args.reading.is_usual() {
        let message = "how a scene's programs are read stands in its file, under `options`";
        return Err(UsageError(message.into()).into());
    }
    let scene = Scene::load_sized(path, args.size).map_err(|error| report::scene_error(&error))?;
    say(&scene, &args.reading.judging);
    Ok(scene)
}

/// Says what there is to say about a scene's programs.
fn say(scene: &Scene, judging: &Judging) {
    report::file_warnings(&scene.warnings, judging);
    for warned in &scene.warned {
        let mut findings: Vec<Finding> = warned.findings.clone();
        report::silence(judging, &mut findings);
        report::show(&warned.file, warned.text.as_deref(), None, &findings);
    }
}

fn of_pair(args: &Render) -> Result<Scene> {
    let module = module_of(read_all(&args.inputs)?, &args.reading, DebugLevel::None)?;
    let mut description = Description::plain(args.size.unwrap_or([512, 512]));
    let describe = |description: &mut Description| -> Result<(), scene::Error> {
        if let Some(mesh) = &args.mesh {
            description.set_mesh(mesh)?;
        }
        for (register, texture) in &args.textures {
            description.set_texture(register, texture)?;
        }
        args.constants.as_ref().map_or(Ok(()), |path| description.read_constants(&PathBuf::from(path)))
    };
    describe(&mut description).map_err(|error| report::scene_error(&error))?;
    for register in description.fill(&module) {
        report::note(&format!("note: no texture is given for {register}, and a built-in one stands for it"));
    }
    Scene::from_parts(&module, None, Options::default(), &description).map_err(|error| report::scene_error(&error))
}

/// Draws, with a bar for those who wait.
fn drawn(draw: &Draw) -> Result<Image> {
    let pair = Pair::new(&draw.module, draw.resources.clone()).map_err(|error| anyhow!("{error}"))?;
    let begun = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let is_watched = std::io::stderr().is_terminal();
    let image = draw_with(draw, &pair, &mut |done, all| {
        if is_watched && bar.is_none() && begun.elapsed() > PATIENCE {
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
        return Err(anyhow!("a program does not come to an end"));
    }
    image.map_err(|error| anyhow!("{error}"))
}
