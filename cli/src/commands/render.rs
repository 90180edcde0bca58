//! `render`: draws a scene, or a pair with a mesh, to a PNG file for each render target.

mod assumed;
mod partners;

use std::path::Path;

use agal_front::lift::Options;
use agalc::render::shown;
use agalc_scene::{Body, Description, Loading, Picture, Scene, Set};
use anyhow::{Result, anyhow};
use sdlbc::Module;
use sdlbc_interp::{Draw, Float, Image, Pair, draw_with};

use super::loading::{loaded_of, read_all};
use crate::args::{DebugLevel, Judging, Named, Render, Warnings};
use crate::files::{Files, can_be_several, is_file};
use crate::output::{PendingOutput, Sink, usage};
use crate::phrases::{FEW, first_few, listed};
use crate::progress::Progress;
use crate::report;

pub(super) fn run(files: &Files, args: &Render) -> Result<()> {
    if let Some(folder) = args.inputs.iter().find(|input| input.is_dir()) {
        return usage(partners::of_folder(folder));
    }
    let scene = match &args.inputs[..] {
        [path] if path.extension().is_some_and(|extension| extension == "toml") => of_file(args, path)?,
        _ => of_pair(files, args)?,
    };
    scene.files.iter().for_each(|file| files.mark_read(file));
    let sinks = sinks(&args.output, scene.draw.targets)?;
    // The outputs are checked before the draw, so that errors are reported before a long computation.
    files.check(&sinks)?;
    let image = drawn(&scene.draw, args.float)?;
    let pictures = (0..image.targets.len()).map_while(|target| Picture::of_target(&scene.draw, &image, target));
    let pictures: Vec<(Picture, Sink)> = pictures.zip(sinks).collect();
    warn_of_one_colour(&pictures, &scene.draw, args)?;
    let made = pictures.into_iter().map(|(picture, sink)| {
        let bytes = picture.to_png().map_err(|error| anyhow!("{error}"))?;
        let what = format!("PNG, {}x{}", picture.width, picture.height);
        Ok(PendingOutput::binary(sink, what, bytes))
    });
    files.write(made.collect::<Result<Vec<PendingOutput>>>()?)
}

/// Returns the output of each render target. The first picture is written to `output`, and the other pictures are written to
/// files with numbers in their names. A device or a pipe receives all pictures.
fn sinks(output: &Path, targets: usize) -> Result<Vec<Sink>> {
    let first = Sink::new(output);
    if targets > 1 && !can_be_several(&first)? {
        return usage("several render targets need a file each: name the first file with -o");
    }
    let is_split = targets > 1 && is_file(&first)?;
    let sink = |target: usize| if target == 0 || !is_split { first.clone() } else { first.with(&target.to_string()) };
    Ok((0..targets).map(sink).collect())
}

fn of_file(args: &Render, path: &Path) -> Result<Scene> {
    let of_pairs = [
        ("--mesh", args.mesh.is_some()),
        ("--texture", !args.textures.is_empty()),
        ("--attribute", !args.attributes.is_empty()),
        ("--constants", args.constants.is_some()),
    ];
    if let Some((name, _)) = of_pairs.iter().find(|(_, is_given)| *is_given) {
        return usage(format!("{name} is for a pair; for a scene, change the scene's file"));
    }
    if !args.reading.is_default() {
        return usage("options for reading programs must be in the scene's file, under `options`");
    }
    let loading = Loading { size: args.size, allow_outside: args.allow_outside };
    let scene = Scene::load_with(path, &loading).map_err(|error| report::scene_error(&error))?;
    report_findings(&scene, &args.reading.judging)?;
    Ok(scene)
}

/// Reports the findings about a scene's programs. Fails if the scene's files cause warnings and `-W error` turns warnings into
/// errors.
fn report_findings(scene: &Scene, judging: &Judging) -> Result<()> {
    let refused = report::file_warnings(&scene.warnings, judging);
    for program in &scene.warned {
        let mut findings = program.findings.clone();
        report::drop_silenced(judging, &mut findings);
        report::show(&program.name, program.text.as_ref(), &findings);
    }
    refused
}

fn of_pair(files: &Files, args: &Render) -> Result<Scene> {
    if args.allow_outside {
        return usage("--allow-outside is for a scene; files on the command line may be anywhere");
    }
    let inputs = read_all(files, &args.inputs)?;
    let otherwise = partners::otherwise(&args.inputs);
    if let (Some(otherwise), [_, _]) = (&otherwise, &inputs[..]) {
        report::note(&format!("these two programs are not a pair in the application: {otherwise}"));
    }
    let loaded = loaded_of(files, &args.inputs, &inputs, &args.reading, DebugLevel::None)?;
    let module = loaded.module.into_module();
    if let (Some(otherwise), [input], [_]) = (otherwise, &args.inputs[..], &module.functions[..]) {
        let name = shown::path(input);
        return Err(anyhow!("`{name}` is one program, and a picture needs a pair: {otherwise}; nothing was written"));
    }
    let mut description = Description::of_pair(args.size.unwrap_or([512, 512]));
    let describe = |description: &mut Description| -> Result<Vec<Set>, agalc_scene::Error> {
        match &args.mesh {
            Some(Named::Word(mesh)) => description.set_mesh(mesh)?,
            Some(Named::File(path)) => description.body = Body::File(path.clone()),
            // A vertex program without a matrix expects positions in clip space, in which the rectangle covers the picture.
            None if !Description::has_matrix(&module) => description.set_mesh("rectangle")?,
            None => {}
        }
        for (register, texture) in &args.textures {
            match texture {
                Named::Word(texture) => description.set_texture(register, texture)?,
                Named::File(path) => description.set_texture_file(register, path.clone())?,
            }
            // Even if a later option replaces the texture, the texture's file is an input.
            description.files().for_each(|file| files.mark_read(file));
        }
        for (register, data) in &args.attributes {
            description.set_attribute(register, data)?;
        }
        args.constants.as_ref().map_or(Ok(Vec::new()), |path| description.read_constants(path))
    };
    let constants = describe(&mut description).map_err(|error| report::scene_error(&error))?;
    warn_of_unread(&module, &description, &constants, args)?;
    args.constants.iter().for_each(|path| files.mark_read(path));
    let filled = description.fill(&module);
    match filled.len() {
        0 => {}
        1 => report::note(&format!("no texture is given for {}; a built-in one is used", filled.concat())),
        _ => report::note(&format!("no textures are given for {}; built-in ones are used", first_few(&filled, FEW))),
    }
    assumed::note(&description.assume(&module), &module).into_iter().for_each(|note| report::note(&note));
    let scene = Scene::from_parts(&module, None, Options::default(), &description);
    scene.map_err(|error| report::scene_error(&error))
}

/// Warns about textures, vertex data and constants that options set but the program does not read. Fails if there is a warning
/// and `-W error` turns warnings into errors.
fn warn_of_unread(module: &Module, description: &Description, constants: &[Set], args: &Render) -> Result<()> {
    let sampled = agalc_scene::sampled_registers(module);
    let help = match sampled.is_empty() {
        true => "the programs sample no texture".to_string(),
        false => format!("the programs sample {}", listed(&sampled)),
    };
    let mut textures: Vec<String> = args.textures.iter().map(|(register, _)| register.clone()).collect();
    textures.retain(|register| agalc_scene::is_unread_texture(module, register));
    let attributes = agalc_scene::unread_attributes(module, description);
    let constants = agalc_scene::unread_constants(module, constants);
    for (unread, what, has, help) in [
        (textures, "texture", "has", help.as_str()),
        (attributes, "vertex data", "has", "the vertex program does not read it"),
        (constants, "constants", "have", "the programs do not read these registers"),
    ] {
        if !unread.is_empty() {
            let message = format!("the {what} of {} {has} no effect", listed(&unread));
            report::run_warning(&message, help, &args.reading.judging)?;
        }
    }
    Ok(())
}

/// Warns about a picture of one colour, which shows nothing. Pixels that differ only in alpha count as one colour, because they
/// look the same in most viewers. Fails if there is a warning and `-W error` turns warnings into errors.
fn warn_of_one_colour(pictures: &[(Picture, Sink)], draw: &Draw, args: &Render) -> Result<()> {
    let judging = &args.reading.judging;
    for (picture, sink) in pictures {
        let Some(first) = picture.pixels.first() else { continue };
        if picture.pixels.iter().any(|pixel| pixel[..3] != first[..3]) {
            continue;
        }
        // A picture of one pixel always has one colour.
        if picture.pixels.len() == 1 || judging.warnings == Warnings::Allow {
            continue;
        }
        let [r, g, b, a] = *first;
        let is_clear = draw.clear.map(|part| (part.clamp(0.0, 1.0) * 255.0).round()) == first.map(f32::from);
        let of = match (picture.pixels.iter().any(|pixel| pixel != first), is_clear) {
            (true, _) => "only the alpha varies",
            (_, true) => "the background colour, so the mesh is not visible",
            _ => "all pixels are equal",
        };
        let message = format!("{} has one colour, #{r:02x}{g:02x}{b:02x}{a:02x}: {of}", sink.quoted());
        let help = match args.inputs.len() == 1 && args.mesh.is_none() && args.constants.is_none() {
            true => "check the scene's `camera`, `mesh`, `attributes` and `[constants]`",
            false => {
                "try other constants (`--constants FILE`), another mesh (`--mesh sphere`, `--mesh rectangle`) or another texture \
                 (`--texture fs0=noise`)"
            }
        };
        report::run_warning(&message, help, judging)?;
    }
    Ok(())
}

/// Draws a picture, and shows a progress bar on a terminal.
fn drawn(draw: &Draw, float: Float) -> Result<Image> {
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).map_err(|error| anyhow!("{error}"))?;
    let mut progress = Progress::new("drawing {bar:40} {percent} %, {eta} to go");
    let image = draw_with(draw, &pair, &mut |done, all| progress.set(done, all));
    progress.end();
    if pair.is_stuck() {
        return Err(anyhow!("a program does not terminate"));
    }
    image.map_err(|error| anyhow!("{error}"))
}
