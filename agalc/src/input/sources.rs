//! Reads WGSL through `naga-front`, SPIR-V through `spirv-front`, and GLSL and HLSL through `glsl-front`, which compiles them to
//! SPIR-V.

use glsl_front::Language;
use sdlbc::front::{Lifted, Refusal, SourceOptions, Stage};
use sdlbc::{FunctionKind, LeftOut};

use super::detect::{Form, Input};
use super::foreign::{Foreign, without_comments};
use super::program::{Checked, Code, ModuleInput, Program, checked};
use super::text::Text;
use crate::error::{InputError, InputErrorKind, Warning, WarningKind};
use crate::options::{DebugLevel, Options};

/// Returns the stage of GLSL or HLSL source text. The file name and pragmas take precedence over identifiers that only shaders of
/// one stage contain.
fn stage_of(language: Foreign, name: &str, text: &str) -> FunctionKind {
    let text = &without_comments(text);
    let name = name.to_ascii_lowercase();
    let ends = |stage: &str| {
        name.ends_with(stage) || [".glsl", ".hlsl"].iter().any(|language| name.ends_with(&format!("{stage}{language}")))
    };
    let pragma = |stage: &str| {
        text.lines().any(|line| {
            let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            words.starts_with("#pragmashader_stage(") && words.contains(stage)
        })
    };
    if [".frag", ".fs", ".fsh", ".ps"].into_iter().any(ends) || pragma("fragment") {
        return FunctionKind::Fragment;
    }
    if ends(".comp") || ends(".cs") || pragma("compute") {
        return FunctionKind::Compute;
    }
    let is_vertex = [".vert", ".vs", ".vsh"].into_iter().any(ends) || pragma("vertex");
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if language == Foreign::Hlsl {
        return match () {
            () if is_vertex => FunctionKind::Vertex,
            () if has(&["numthreads"]) => FunctionKind::Compute,
            () if has(&["SV_Position", "SV_POSITION"]) && !has(&["SV_Target", "SV_TARGET"]) => FunctionKind::Vertex,
            () => FunctionKind::Fragment,
        };
    }
    if is_vertex || has(&["gl_Position", "gl_VertexIndex", "gl_InstanceIndex", "gl_VertexID", "gl_InstanceID"]) {
        FunctionKind::Vertex
    } else if has(&["local_size_x", "local_size_y", "local_size_z"]) {
        FunctionKind::Compute
    } else {
        FunctionKind::Fragment
    }
}

/// Returns the version text that the compiler for a GLSL or HLSL input prints. Returns `None` if the input is in another language
/// or there is no compiler. The module of such an input depends on the compiler.
pub fn compiler(input: &Input) -> Option<String> {
    match super::detect::detect_file(input) {
        Form::Foreign(Foreign::Glsl) => glsl_front::compiler(Language::Glsl { version: None }),
        Form::Foreign(Foreign::Hlsl) => glsl_front::compiler(Language::Hlsl { entry: "main" }),
        _ => None,
    }
}

/// Reads a source that is first compiled to SPIR-V. Also returns whether its varyings are linked by name.
fn compiled(source: &glsl_front::Source<'_>, mut options: SourceOptions) -> Result<(Lifted, bool), Vec<Refusal>> {
    options.convention.get_or_insert(source.convention());
    let compiled = glsl_front::compile(source)?;
    let mut lifted = spirv_front::read(&compiled.bytes, &options).map_err(|refusals| {
        let in_source = |refusal| glsl_front::in_source(refusal, source.text);
        refusals.into_iter().map(in_source).collect::<Vec<_>>()
    })?;
    for of in &mut lifted.module.debug.sources {
        // The compiler does not know the file's name and adds lines to the text, so both are replaced.
        (of.file, of.text) = (options.file.clone(), source.text.to_string());
    }
    lifted.left_out.extend(sdlbc::fit(&mut lifted.module));
    Ok((lifted, compiled.links_by_name))
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
    let reading = reading.texel_formats(options.texel_formats.clone()).convention(options.convention);
    let mut links_by_name = false;
    let lifted = match (&text, language) {
        (Some(text), Foreign::Wgsl) => naga_front::read(text.as_str(), &reading),
        (Some(text), _) => {
            let text = text.as_str();
            let stage = stage.map_or_else(|| stage_of(language, name, text), FunctionKind::from);
            let entry = options.entries.first().map_or("main", String::as_str);
            let language = match language {
                Foreign::Hlsl => Language::Hlsl { entry },
                _ => Language::Glsl { version: options.glsl_version },
            };
            let source = glsl_front::Source { text, stage, language };
            compiled(&source, reading).map(|(lifted, by_name)| {
                links_by_name = by_name;
                lifted
            })
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
            let assumptions = lifted.assumptions.iter().copied().map(WarningKind::Assumption);
            let lost = lifted.lost.into_iter().map(WarningKind::Lost);
            warnings.extend(assumptions.chain(lost).map(|kind| Warning { name: name.to_string(), kind }));
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
    fn the_stage_of_hlsl_is_that_of_its_name_then_of_its_semantics() {
        for (name, text, stage) in [
            ("a.vs.hlsl", "SV_Target", FunctionKind::Vertex),
            ("a.ps.hlsl", "SV_Position", FunctionKind::Fragment),
            ("a.hlsl", "float4 main(float4 p : SV_Position) : SV_Target", FunctionKind::Fragment),
            ("a.hlsl", "float4 main(float4 p : POSITION) : SV_Position", FunctionKind::Vertex),
            ("a.hlsl", "[numthreads(8, 1, 1)]", FunctionKind::Compute),
        ] {
            assert_eq!(stage_of(Foreign::Hlsl, name, text), stage, "{name}: {text}");
        }
    }

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
            ("-", "// gl_Position\nout vec4 colour;", FunctionKind::Fragment),
            ("a.vsh", "", FunctionKind::Vertex),
        ] {
            assert_eq!(stage_of(Foreign::Glsl, name, text), stage, "{name}: {text}");
        }
    }
}
