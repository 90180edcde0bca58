//! OpenGL and OpenGL ES, with our GLSL or with GLSL that spirv-cross translates from our SPIR-V.
//!
//! Rule: pictures are drawn with y negated, so that OpenGL's first row is the top row. A front face, which is clockwise on the
//! screen, is therefore counterclockwise for OpenGL. The witness sets bindings by the names in the GLSL.

use backends::{Glsl, Layout};
use glow::HasContext;
use sdlbc::{FunctionKind, Module};
use sdlbc_interp::{Draw, Image};

use super::cross;
use super::gl_context::{Api, Context};
use super::gl_plain::{self, Plain};
use super::gl_stage::Stage;
use super::gl_store::Store;
use super::interface::{Interface, TwoRows, check};
use super::named::named;
use crate::{Failure, Witness};

/// The origin of the GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Our GLSL in the given version, with the default layout.
    Own(Glsl),
    /// Our GLSL for OpenGL ES in the layout `webgl2`, with plain uniforms, for modules with names and members.
    Plain,
    /// GLSL that `spirv-cross` translates from our SPIR-V.
    Cross,
}

/// A witness that draws and computes with OpenGL or OpenGL ES.
pub struct OpenGl {
    text: Text,
    pub(super) context: Context,
    pub(super) store: Store,
    pub(super) limits: Limits,
    /// The module that was drawn last, which is kept because the same functions are often drawn again.
    last: Option<(Module, Ready)>,
}

#[derive(Clone)]
pub(super) struct Ready {
    pub(super) interface: Interface,
    pub(super) program: glow::Program,
    pub(super) two_rows: TwoRows,
    /// The uniforms outside uniform blocks.
    pub(super) plain: Vec<Plain>,
}

pub(super) struct Limits {
    attributes: u32,
    units: usize,
    pub(super) clip_distances: bool,
    blocks: usize,
}

impl OpenGl {
    /// Creates a witness that draws with GLSL of the given origin.
    ///
    /// # Errors
    /// Returns an error if the context is not available, or if `spirv-cross` is needed but not installed.
    pub fn new(text: Text) -> Result<OpenGl, String> {
        if text == Text::Cross {
            cross::find()?;
        }
        let api = match text {
            Text::Own(Glsl::Core330) => Api::Core(3, 3),
            Text::Own(Glsl::Core450) | Text::Cross => Api::Core(4, 5),
            Text::Own(Glsl::Es300) | Text::Plain => Api::Es3,
        };
        let context = Context::new(api)?;
        if api == Api::Es3 && !context.gl.supported_extensions().contains("GL_EXT_color_buffer_float") {
            return Err(format!("{} cannot draw into float targets", context.renderer));
        }
        // SAFETY: the context is current.
        let (store, limits) = unsafe {
            let get = |name| context.gl.get_parameter_i32(name);
            let limits = Limits {
                attributes: get(glow::MAX_VERTEX_ATTRIBS) as u32,
                units: get(glow::MAX_TEXTURE_IMAGE_UNITS).min(get(glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS)) as usize,
                clip_distances: api != Api::Es3
                    || context.gl.supported_extensions().contains("GL_EXT_clip_cull_distance"),
                blocks: get(glow::MAX_FRAGMENT_UNIFORM_BLOCKS).min(get(glow::MAX_VERTEX_UNIFORM_BLOCKS)) as usize,
            };
            (Store::new(&context.gl, api == Api::Es3)?, limits)
        };
        Ok(OpenGl { text, context, store, limits, last: None })
    }

    /// Creates a witness that draws modules with names and constant members, in the layout `webgl2`.
    ///
    /// # Errors
    /// Returns an error if the context is not available.
    pub fn plain() -> Result<OpenGl, String> {
        OpenGl::new(Text::Plain)
    }

    /// Returns the name of the device that the context uses.
    pub fn adapter(&self) -> &str {
        &self.context.renderer
    }

    fn prepare(&self, draw: &Draw) -> Result<Ready, Failure> {
        let module = &draw.module;
        let interface = Interface::new(module)?;
        if interface.attributes.iter().any(|attribute| attribute.location >= self.limits.attributes) {
            return Err(self.unsupported("more attributes"));
        }
        if interface.clip_distances > 0 && !self.limits.clip_distances {
            return Err(self.unsupported("clip distances"));
        }
        let named = (self.text == Text::Plain).then(|| named(module, draw.topology));
        let stages = [FunctionKind::Vertex, FunctionKind::Fragment];
        let (program, stages) = self.linked(named.as_ref().unwrap_or(module), &interface, &stages)?;
        // SAFETY: the context is current, and the program is in use.
        let plain = unsafe {
            match &named {
                Some(named) => gl_plain::find(&self.context.gl, program, named, &interface)
                    .map_err(|error| Failure::Broken(format!("{error}\n{}", texts(&stages))))?,
                None => Vec::new(),
            }
        };
        Ok(Ready { interface, program, two_rows: self.two_rows(), plain })
    }

    /// Returns the layout of two-row matrices in a uniform block. SPIR-V represents a two-row matrix as a structure of columns.
    pub(super) fn two_rows(&self) -> TwoRows {
        if self.text == Text::Cross { TwoRows::Tight } else { TwoRows::Padded }
    }

    fn unsupported(&self, what: &str) -> Failure {
        Failure::Unsupported(format!("{what} than {} has", self.context.renderer))
    }

    /// Links a program of the given stages, makes the program current, and sets the bindings of the program's resources.
    pub(super) fn linked(
        &self,
        module: &Module,
        interface: &Interface,
        kinds: &[FunctionKind],
    ) -> Result<(glow::Program, Vec<Stage>), Failure> {
        let stage = |&kind: &FunctionKind| match self.text {
            Text::Own(version) => own(module, interface, version, kind),
            Text::Plain => gl_plain::stage(module, interface, kind),
            Text::Cross => cross::stage(module, interface, kind),
        };
        let stages: Vec<Stage> = kinds.iter().map(stage).collect::<Result<_, Failure>>()?;
        for stage in &stages {
            if stage.samplers.len() > self.limits.units {
                return Err(self.unsupported("more textures"));
            }
            if stage.blocks.len() > self.limits.blocks {
                return Err(self.unsupported("more uniforms"));
            }
        }
        let gl = &self.context.gl;
        let sources: Vec<_> = kinds.iter().copied().zip(stages.iter().map(|stage| stage.text.as_str())).collect();
        // SAFETY: the context is current, and `link` deletes the shader objects that it creates.
        let program = unsafe { link(gl, &sources) };
        let program =
            program.map_err(|log| Failure::Broken(format!("{}: {log}\n{}", self.context.renderer, texts(&stages))))?;
        // SAFETY: the context is current, and the program was linked in this context.
        unsafe {
            gl.use_program(Some(program));
            for (binding, name) in stages.iter().flat_map(|stage| &stage.blocks) {
                let place = interface.uniforms.iter().position(|uniform| uniform.binding() == *binding);
                // OpenGL returns no index for a block that its compiler has removed because nothing reads the block.
                if let (Some(place), Some(index)) = (place, gl.get_uniform_block_index(program, name)) {
                    gl.uniform_block_binding(program, index, place as u32);
                }
            }
            for (binding, name) in stages.iter().flat_map(|stage| &stage.samplers) {
                let unit = interface.textures.iter().position(|texture| texture.binding() == *binding);
                if let (Some(unit), Some(location)) = (unit, gl.get_uniform_location(program, name)) {
                    gl.uniform_1_i32(Some(&location), unit as i32);
                }
            }
        }
        Ok((program, stages))
    }

    pub(super) fn text(&self) -> Text {
        self.text
    }
}

fn texts(stages: &[Stage]) -> String {
    stages.iter().map(|stage| stage.text.as_str()).collect::<Vec<_>>().join("\n")
}

impl Witness for OpenGl {
    fn name(&self) -> String {
        match self.text {
            Text::Own(Glsl::Core330) => "OpenGL, GLSL 330".into(),
            Text::Own(Glsl::Core450) => "OpenGL, GLSL 450".into(),
            Text::Own(Glsl::Es300) => "OpenGL ES, GLSL 300 es".into(),
            Text::Plain => "OpenGL ES, GLSL 300 es, layout webgl2, named".into(),
            Text::Cross => "OpenGL, SPIR-V by spirv-cross".into(),
        }
    }

    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure> {
        check(draw)?;
        self.context.make_current().map_err(Failure::Broken)?;
        let ready = match self.last.take() {
            Some((module, ready)) if module == draw.module => ready,
            last => {
                if let Some((_, ready)) = last {
                    // SAFETY: the context is current, and nothing uses the program any more.
                    unsafe { self.context.gl.delete_program(ready.program) };
                }
                self.prepare(draw)?
            }
        };
        self.last = Some((draw.module.clone(), ready.clone()));
        self.picture(draw, &ready)
    }
}

fn own(module: &Module, interface: &Interface, version: Glsl, kind: FunctionKind) -> Result<Stage, Failure> {
    let options = Layout { flip_y: Some(true), ..Layout::default() };
    let write = |version| backends::glsl(module, kind, version, &options).map_err(Failure::from);
    let text = write(version)?;
    let (blocks, samplers) = declared(&text);
    let numbered = |declared: &[Declared]| declared.iter().all(|one| one.binding.is_some());
    // GLSL versions without binding numbers declare the same resources in the same order as version 450, which has binding
    // numbers.
    let (block_numbers, sampler_numbers) = if numbered(&blocks) && numbered(&samplers) {
        (blocks.clone(), samplers.clone())
    } else {
        declared(&write(Glsl::Core450)?)
    };
    if block_numbers.len() != blocks.len() || sampler_numbers.len() != samplers.len() {
        return Err(Failure::Broken(format!("two versions of GLSL declare different resources\n{text}")));
    }
    let uniform = |place: Option<u32>| {
        let found = interface.uniforms.iter().find(|uniform| uniform.stage == kind && Some(uniform.place()) == place);
        found.map(|uniform| uniform.binding())
    };
    let texture = |unit: Option<u32>| {
        let mut of_stage = interface.textures.iter().filter(|texture| texture.stage == kind);
        let found = of_stage.find(|texture| unit.is_some() && texture.unit(&interface.textures) == unit);
        found.map(|texture| texture.binding())
    };
    let blocks = block_numbers.iter().zip(blocks).filter_map(|(n, one)| Some((uniform(n.binding)?, one.name)));
    let samplers = sampler_numbers.iter().zip(samplers).filter_map(|(n, one)| Some((texture(n.binding)?, one.name)));
    Ok(Stage { blocks: blocks.collect(), samplers: samplers.collect(), text })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) binding: Option<u32>,
}

/// Returns the uniform blocks and the samplers that a GLSL text declares, in the order of their declarations.
pub(super) fn declared(text: &str) -> (Vec<Declared>, Vec<Declared>) {
    let (mut blocks, mut samplers) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let Some((layout, rest)) = line.split_once("uniform ") else { continue };
        if !layout.is_empty() && !layout.starts_with("layout(") {
            continue;
        }
        let binding = layout.split_once("binding = ").map(|(_, number)| {
            let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            number[..digits].parse().unwrap_or(u32::MAX)
        });
        let mut words = rest.split(|c: char| c.is_whitespace() || "{;".contains(c)).filter(|word| !word.is_empty());
        let mut words = words.by_ref().skip_while(|word| ["highp", "mediump", "lowp"].contains(word));
        let first = words.next().unwrap_or_default();
        if first.trim_start_matches(['i', 'u']).starts_with("sampler") {
            samplers.push(Declared { name: words.next().unwrap_or_default().into(), binding });
        } else {
            blocks.push(Declared { name: first.into(), binding });
        }
    }
    (blocks, samplers)
}

/// Links a program from the GLSL of its stages, or returns the driver's error.
///
/// # Safety
/// The context must be current.
unsafe fn link(gl: &glow::Context, stages: &[(FunctionKind, &str)]) -> Result<glow::Program, String> {
    // SAFETY: the caller guarantees that the context is current.
    unsafe {
        let program = gl.create_program()?;
        let mut log = String::new();
        for (kind, text) in stages {
            let shader = gl.create_shader(match kind {
                FunctionKind::Vertex => glow::VERTEX_SHADER,
                FunctionKind::Compute => glow::COMPUTE_SHADER,
                _ => glow::FRAGMENT_SHADER,
            })?;
            gl.shader_source(shader, text);
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                log += &gl.get_shader_info_log(shader);
            }
            gl.attach_shader(program, shader);
            // OpenGL deletes the shader when its program is deleted.
            gl.delete_shader(shader);
        }
        if log.is_empty() {
            gl.link_program(program);
            if gl.get_program_link_status(program) {
                return Ok(program);
            }
            log = gl.get_program_info_log(program);
        }
        gl.delete_program(program);
        Err(if log.trim().is_empty() { "rejected without a message".into() } else { log })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_driver_are_reported_verbatim() {
        let gl = OpenGl::new(Text::Own(Glsl::Core330)).expect("a context");
        let good = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }";
        // SAFETY: the context is current.
        let link = |vertex, fragment| unsafe {
            link(&gl.context.gl, &[(FunctionKind::Vertex, vertex), (FunctionKind::Fragment, fragment)])
        };
        let log = link(good, "#version 330 core\nvoid main() { unknown = 1; }").expect_err("the name is unknown");
        assert!(log.contains("unknown"), "{log}");
        let narrow = "#version 330 core\nout vec3 wide;\nvoid main() { gl_Position = vec4(0.0); wide = vec3(1.0); }";
        let wide = "#version 330 core\nin vec4 wide;\nout vec4 c;\nvoid main() { c = wide; }";
        let log = link(narrow, wide).expect_err("the varying has two types");
        assert!(log.contains("wide"), "{log}");
        assert!(link(good, "#version 330 core\nvoid main() {}").is_ok());
    }

    #[test]
    fn blocks_and_samplers_are_found_in_every_version() {
        let text = "layout(std140, binding = 4) uniform Block { vec4 v; };\nuniform highp sampler2D fs0;\n\
            layout(binding = 12) uniform samplerCube c;\n    float uniform_x = a.uniform ;\n\
            layout(std140) uniform VertexConstants\n{";
        let one = |name: &str, binding| Declared { name: name.into(), binding };
        let (blocks, samplers) = declared(text);
        assert_eq!(blocks, [one("Block", Some(4)), one("VertexConstants", None)]);
        assert_eq!(samplers, [one("fs0", None), one("c", Some(12))]);
    }
}
