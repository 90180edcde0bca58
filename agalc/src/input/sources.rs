//! Reads WGSL through `naga-front`, SPIR-V through `spirv-front`, and GLSL through `glsl-front`, which compiles it to SPIR-V.

use sdlbc::front::{Convention, Lifted, Refusal, SourceOptions, Stage};
use sdlbc::{FunctionKind, LeftOut};

use super::detect::Input;
use super::foreign::Foreign;
use super::program::{Checked, Code, ModuleInput, Program, checked};
use super::text::Text;
use crate::error::{InputError, InputErrorKind, Warning, WarningKind};
use crate::options::{DebugLevel, Options};

/// Returns the stage of GLSL source text. The file name and pragmas take precedence over identifiers that only shaders of one
/// stage contain.
fn glsl_stage(name: &str, text: &str) -> FunctionKind {
    let name = name.to_ascii_lowercase();
    let ends = |stage: &str| name.ends_with(stage) || name.ends_with(&format!("{stage}.glsl"));
    let pragma = |stage: &str| {
        text.lines().any(|line| {
            let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            words.starts_with("#pragmashader_stage(") && words.contains(stage)
        })
    };
    if ends(".frag") || ends(".fs") || pragma("fragment") {
        return FunctionKind::Fragment;
    }
    if ends(".comp") || ends(".cs") || pragma("compute") {
        return FunctionKind::Compute;
    }
    let is_vertex = ends(".vert") || ends(".vs") || pragma("vertex");
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if is_vertex || has(&["gl_Position", "gl_VertexIndex", "gl_InstanceIndex", "gl_VertexID", "gl_InstanceID"]) {
        FunctionKind::Vertex
    } else if has(&["local_size_x", "local_size_y", "local_size_z"]) {
        FunctionKind::Compute
    } else {
        FunctionKind::Fragment
    }
}

/// Reads a GLSL source.
fn glsl(source: &glsl_front::Source<'_>, mut options: SourceOptions) -> Result<Lifted, Vec<Refusal>> {
    let own = if source.is_open_gl() { Convention::OpenGl } else { Convention::Vulkan };
    options.convention.get_or_insert(own);
    let mut lifted = spirv_front::read(&glsl_front::compile(source)?, &options).map_err(|refusals| {
        let in_source = |refusal| glsl_front::in_source(refusal, source.text);
        refusals.into_iter().map(in_source).collect::<Vec<_>>()
    })?;
    for of in &mut lifted.module.debug.sources {
        // The compiler was given the text without its name, and adds lines to it.
        (of.file, of.text) = (options.file.clone(), source.text.to_string());
    }
    lifted.left_out.extend(sdlbc::fit(&mut lifted.module));
    Ok(lifted)
}

pub(super) fn read(
    input: &Input,
    text: Option<Text>,
    language: Foreign,
    stage: Option<Stage>,
    mut warnings: Vec<Warning>,
    options: &Options,
    is_shown: bool,
) -> Result<Program, InputError> {
    let name = &*input.name;
    let has_lines = options.debug >= DebugLevel::Lines;
    let file = if has_lines { name.to_string() } else { String::new() };
    let (entries, overrides) = (options.entries.clone(), options.overrides.clone());
    let reading = SourceOptions::default().entries(entries).stage(stage).file(file).overrides(overrides);
    let reading = reading.convention(options.convention);
    let mut links_by_name = false;
    let lifted = match (&text, language) {
        (Some(text), Foreign::Wgsl) => naga_front::read(text.as_str(), &reading),
        (Some(text), _) => {
            let text = text.as_str();
            let stage = stage.map_or_else(|| glsl_stage(name, text), FunctionKind::from);
            let source = glsl_front::Source { text, stage, version: options.glsl_version };
            links_by_name = source.has_varyings_without_location();
            glsl(&source, reading)
        }
        (None, _) => spirv_front::read(&input.bytes, &reading),
    };
    match lifted {
        Ok(lifted) => {
            // Missing source text is reported only if the debug level requires source text.
            let is_missed = |left_out: &LeftOut| {
                options.debug >= DebugLevel::Full || has_lines && !matches!(left_out, LeftOut::Text(..))
            };
            let left_out = lifted.left_out.into_iter().filter(is_missed).map(WarningKind::LeftOut);
            warnings.extend(left_out.map(|kind| Warning { name: name.to_string(), kind }));
            let mut module = lifted.module;
            match options.debug {
                DebugLevel::None => module.debug = sdlbc::Debug::default(),
                DebugLevel::Full => {}
                _ => module.debug.sources.iter_mut().for_each(|source| source.text.clear()),
            }
            let Lifted { overrides, declared, .. } = lifted;
            let module =
                ModuleInput { overrides, declared, links_by_name, ..ModuleInput::new(Checked::Broken(module)) };
            checked(Program { warnings, ..Program::new(name, Code::Unread) }, module, options, is_shown)
        }
        Err(refusals) => Err(InputError { name: name.to_string(), kind: InputErrorKind::Source { text, refusals } }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_of_glsl_is_that_of_its_name_then_of_a_pragma_then_of_what_it_has() {
        for (name, text, stage) in [
            ("a.VERT", "", FunctionKind::Vertex),
            ("a.frag.glsl", "gl_Position", FunctionKind::Fragment),
            ("a.comp", "", FunctionKind::Compute),
            ("a.cs.glsl", "", FunctionKind::Compute),
            ("a.glsl", "# pragma shader_stage( compute )", FunctionKind::Compute),
            ("a.glsl", "#pragma shader_stage(vertex)\nlayout(local_size_x = 8) in;", FunctionKind::Vertex),
            ("-", "layout(local_size_y = 8) in;", FunctionKind::Compute),
            ("-", "gl_VertexIndex", FunctionKind::Vertex),
            ("-", "out vec4 colour;", FunctionKind::Fragment),
        ] {
            assert_eq!(glsl_stage(name, text), stage, "{name}: {text}");
        }
    }
}
