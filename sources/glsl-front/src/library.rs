//! Calls glslang as a library, for machines without its programs.
//!
//! The functions of the C interface are called directly. With the safe interface of the crate `glslang`, modules have no lines, and
//! neither inputs nor resources get numbers: `map_io` needs a linked program, but linking consumes the program. Its methods also panic on
//! a zero byte and on a log that is not UTF-8.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};

use glslang::limits::ResourceLimits;
use glslang::{Compiler, GlslProfile, ShaderOptions, ShaderStage, SourceLanguage, SpirvVersion};
use glslang_sys as sys;
use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

use crate::failure::{Failure, Rules};
use crate::tokens::long_statement;

/// The size of the stack on which glslang runs. glslang walks expressions recursively. The system reserves the addresses, and provides
/// memory only for the part that is used.
const STACK: usize = if cfg!(target_pointer_width = "64") { 512 << 20 } else { 16 << 20 };
/// The maximum number of tokens in a statement, which bounds the nesting of an expression; glslang itself bounds the nesting of
/// statements. Of the expressions that were tried, a chain of commas takes the most: 3 KiB for each token, without optimisation.
const MOST_TOKENS: usize = STACK / (8 << 10);

/// Compiles a source, like `glslangValidator -V --amb -g`.
pub(crate) fn compile(
    text: &str,
    stage: FunctionKind,
    version: Option<GlslVersion>,
    rules: Rules,
) -> Result<Vec<u8>, Failure> {
    let mut options = ShaderOptions::AUTO_MAP_BINDINGS;
    if rules.is_relaxed {
        options |= ShaderOptions::VULKAN_RULES_RELAXED;
    }
    if rules.numbers {
        options |= ShaderOptions::AUTO_MAP_LOCATIONS;
    }
    // Macros may lengthen a statement.
    check_length(&preprocessed(text, stage, version)?)?;
    let words = with_shader(text, stage, version, &FOR_VULKAN, |shader, input| {
        // SAFETY: the shader and the program exist, the input outlives the calls, and the texts end with a zero byte. Parsing reads the
        // text that is set as preprocessed, and preprocesses it again: so a message has the same line as the source.
        unsafe {
            sys::glslang_shader_set_options(shader.0.as_ptr(), options.0);
            sys::glslang_shader_set_preprocessed_code(shader.0.as_ptr(), input.code);
            if sys::glslang_shader_parse(shader.0.as_ptr(), input) == 0 {
                return Err(shader.errors());
            }
            let program = NonNull::new(sys::glslang_program_create()).map(Program).ok_or_else(no_memory)?;
            sys::glslang_program_add_shader(program.0.as_ptr(), shader.0.as_ptr());
            if sys::glslang_program_link(program.0.as_ptr(), FOR_VULKAN.messages.0) == 0
                || sys::glslang_program_map_io(program.0.as_ptr()) == 0
            {
                return Err(program.errors());
            }
            sys::glslang_program_set_source_file(program.0.as_ptr(), input.stage, c"source".as_ptr());
            sys::glslang_program_SPIRV_generate_with_options(program.0.as_ptr(), input.stage, &mut with_lines());
            let mut words = vec![0; sys::glslang_program_SPIRV_get_size(program.0.as_ptr())];
            sys::glslang_program_SPIRV_get(program.0.as_ptr(), words.as_mut_ptr());
            Ok(words)
        }
    })?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Preprocesses a source as `version`, or as the version that the source states.
pub(crate) fn preprocess(
    text: &str,
    stage: FunctionKind,
    version: Option<GlslVersion>,
) -> Result<Option<String>, Failure> {
    preprocessed(text, stage, version).map(Some)
}

fn preprocessed(text: &str, stage: FunctionKind, version: Option<GlslVersion>) -> Result<String, Failure> {
    with_shader(text, stage, version, &PREPROCESSED, |shader, input| {
        // SAFETY: the shader exists, and the input outlives the call. The text belongs to the shader.
        unsafe {
            if sys::glslang_shader_preprocess(shader.0.as_ptr(), input) == 0 {
                return Err(shader.errors());
            }
            Ok(text_at(sys::glslang_shader_get_preprocessed_code(shader.0.as_ptr())))
        }
    })
}

/// Returns the version of glslang, as [`crate::compiler`] does for the programs.
pub(crate) fn version() -> Option<String> {
    let mut version = sys::glslang_version_t { major: 0, minor: 0, patch: 0, flavor: null() };
    // SAFETY: the function only writes the fields.
    unsafe { sys::glslang_get_version(&mut version) };
    Some(format!("glslang {}.{}.{}, a part of agalc", version.major, version.minor, version.patch))
}

/// The environment for which glslang reads a source.
struct Environment {
    client: sys::glslang_client_t,
    target: sys::glslang_target_language_t,
    messages: sys::glslang_messages_t,
}

/// The environment of `glslangValidator -V -g`.
const FOR_VULKAN: Environment = Environment {
    client: sys::glslang_client_t::Vulkan,
    target: sys::glslang_target_language_t::SPIRV,
    messages: sys::glslang_messages_t(
        sys::glslang_messages_t::SPV_RULES.0
            | sys::glslang_messages_t::VULKAN_RULES.0
            | sys::glslang_messages_t::DEBUG_INFO.0,
    ),
};

/// The environment of `glslangValidator -E`.
const PREPROCESSED: Environment = Environment {
    client: sys::glslang_client_t::None,
    target: sys::glslang_target_language_t::None,
    messages: sys::glslang_messages_t::ONLY_PREPROCESSOR,
};

/// Refuses a text with a statement that may need more than the stack.
fn check_length(text: &str) -> Result<(), Failure> {
    let Some(line) = long_statement(text, MOST_TOKENS) else { return Ok(()) };
    let message = format!(
        "a statement has more than {MOST_TOKENS} words; split it, or install glslang's program (Debian's package glslang-tools)"
    );
    // In glslang's own form, so that the message has its place.
    Err(Failure::Errors(format!("ERROR: 0:{line}: '' : {message}\n")))
}

/// Creates a shader on a new thread, and deletes it after `then`. Both the stack and glslang's memory for a thread belong to the thread.
fn with_shader<T: Send>(
    text: &str,
    stage: FunctionKind,
    version: Option<GlslVersion>,
    environment: &Environment,
    then: impl FnOnce(&Shader, &sys::glslang_input_t) -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    check_length(text)?;
    let text = CString::new(text).map_err(|_| Failure::Broken("the source has a zero byte".to_string()))?;
    let work = || {
        Compiler::acquire().ok_or_else(no_memory)?;
        let limits = limits();
        let input = input(&text, stage, environment, &limits);
        // SAFETY: the input is complete, and the text, the limits and the input outlive the shader, which keeps pointers to them.
        let shader = NonNull::new(unsafe { sys::glslang_shader_create(&input) }).map(Shader).ok_or_else(no_memory)?;
        if let Some(version) = version {
            let number = c_int::try_from(version.number).unwrap_or(c_int::MAX);
            // SAFETY: the shader exists.
            unsafe { sys::glslang_shader_set_glsl_version(shader.0.as_ptr(), number) };
        }
        then(&shader, &input)
    };
    let broken = |error| Failure::Broken(format!("cannot start a thread for glslang: {error}"));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).map_err(broken)?;
        thread.join().unwrap_or_else(|_| Err(Failure::Broken("glslang failed on this source".to_string())))
    })
}

fn input(text: &CStr, stage: FunctionKind, of: &Environment, limits: &ResourceLimits) -> sys::glslang_input_t {
    sys::glslang_input_t {
        language: SourceLanguage::GLSL,
        stage: match stage {
            FunctionKind::Vertex => ShaderStage::Vertex,
            FunctionKind::Compute => ShaderStage::Compute,
            _ => ShaderStage::Fragment,
        },
        client: of.client,
        client_version: sys::glslang_target_client_version_t::Vulkan1_0,
        target_language: of.target,
        target_language_version: SpirvVersion::SPIRV1_0,
        code: text.as_ptr(),
        default_version: 100,
        default_profile: GlslProfile::None,
        force_default_version_and_profile: 0,
        forward_compatible: 0,
        messages: of.messages,
        // The type of the limits has the representation of glslang's structure, its only field.
        resource: std::ptr::from_ref(limits).cast(),
        callbacks: sys::glsl_include_callbacks_t {
            include_system: Some(nothing_included),
            include_local: Some(nothing_included),
            free_include_result: None,
        },
        callbacks_ctx: null_mut(),
    }
}

/// Returns the limits of `glslangValidator`, which are also constants in GLSL. Those of the crate differ in five numbers.
fn limits() -> ResourceLimits {
    let mut limits = ResourceLimits::default();
    limits.set_max_geometry_uniform_components(1024);
    limits.set_max_geometry_varying_components(64);
    limits.set_max_tess_control_output_components(128);
    limits.set_max_tess_control_texture_image_units(16);
    limits.set_max_tess_patch_components(120);
    limits
}

/// Includes no file. Without such a function, glslang reads files of the current folder.
unsafe extern "C" fn nothing_included(
    _: *mut c_void,
    _: *const c_char,
    _: *const c_char,
    _: usize,
) -> *mut sys::glsl_include_result_t {
    null_mut()
}

/// Options that write the lines of the source into a module.
fn with_lines() -> sys::glslang_spv_options_t {
    sys::glslang_spv_options_t {
        generate_debug_info: true,
        strip_debug_info: false,
        disable_optimizer: true,
        optimize_size: false,
        optimize_performance: false,
        disassemble: false,
        validate: false,
        emit_nonsemantic_shader_debug_info: false,
        emit_nonsemantic_shader_debug_source: false,
        compile_only: false,
        optimize_allow_expanded_id_bound: false,
        compiler_signature: null(),
        command_line_arguments: null(),
        current_working_directory: null(),
    }
}

/// A shader of glslang.
struct Shader(NonNull<sys::glslang_shader_t>);

impl Shader {
    fn errors(&self) -> Failure {
        // SAFETY: the shader exists, and the text belongs to it.
        Failure::Errors(unsafe { text_at(sys::glslang_shader_get_info_log(self.0.as_ptr())) })
    }
}

impl Drop for Shader {
    fn drop(&mut self) {
        // SAFETY: the shader is deleted once, after the program to which it was added.
        unsafe { sys::glslang_shader_delete(self.0.as_ptr()) }
    }
}

/// A program of glslang.
struct Program(NonNull<sys::glslang_program_t>);

impl Program {
    fn errors(&self) -> Failure {
        // SAFETY: the program exists, and the text belongs to it.
        Failure::Errors(unsafe { text_at(sys::glslang_program_get_info_log(self.0.as_ptr())) })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is deleted once, before its shader.
        unsafe { sys::glslang_program_delete(self.0.as_ptr()) }
    }
}

/// Copies a text of glslang. A source is UTF-8, but glslang also quotes single bytes of it.
///
/// # Safety
/// `start` is null or a text that ends with a zero byte.
unsafe fn text_at(start: *const c_char) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned()
}

fn no_memory() -> Failure {
    Failure::Broken("glslang cannot be started".to_string())
}

#[cfg(test)]
mod tests;
