//! Detects the form of an input by its content. If the content is ambiguous, the input's name decides.

use std::fmt;

use super::foreign::{self, Foreign};
use super::text::{Text, has_both_parts, is_binary};
use crate::paste::Paste;

/// The name and the contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file's path, or a placeholder such as `<stdin>`.
    pub name: String,
    /// The unchanged bytes of the file.
    pub bytes: Vec<u8>,
}

/// The form of an input's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A binary SDLSHADERBC file.
    Sdlbc,
    /// The text of an SDLSHADERBC module.
    ModuleText,
    /// AGAL bytecode, which may be written as hexadecimal digits or base64. Unknown binary data also counts as bytecode.
    Bytecode,
    /// Code words of the unified-shader instruction set.
    Es2Code,
    /// The text of a program for the unified-shader instruction set.
    Es2Text,
    /// AGAL text of one program, which may be in the string literals of application code.
    AgalText,
    /// AGAL text with a vertex and a fragment part, or application code whose strings or bytes contain both programs.
    AgalPair,
    /// Another known kind of file, such as a WGSL shader or a PNG picture.
    Foreign(Foreign),
}

/// Writes the form's name, such as `AGAL text` or `SDLSHADERBC`.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Sdlbc => "SDLSHADERBC",
            Form::ModuleText => "SDLSHADERBC text",
            Form::Bytecode => "AGAL bytecode",
            Form::Es2Code => "code words of the unified-shader instruction set",
            Form::Es2Text => "text of the unified-shader instruction set",
            Form::AgalText => "AGAL text",
            Form::AgalPair => "AGAL text of a pair",
            Form::Foreign(foreign) => foreign.description(),
        })
    }
}

/// Detects the form of an input from its bytes. The input's name is not considered, and the content need not be valid.
///
/// Text counts as another language if it contains features of that language that AGAL lacks. Text with an AGAL statement
/// counts as AGAL, unless its first line is a package, an import or a GLSL version. [`Source::read`](crate::Source::read)
/// is more careful: it treats any text that can be assembled as AGAL.
///
/// ```
/// use agalc::{Foreign, Form, detect};
///
/// assert_eq!(detect(b"mov oc, v0"), Form::AgalText);
/// assert_eq!(detect(br#"code += "mov oc, v0\n";"#), Form::AgalText);
/// assert_eq!(detect(b"vertex function \"vs_main\" {\n}\n"), Form::ModuleText);
/// assert_eq!(detect(b"\x89PNG\r\n\x1a\n"), Form::Foreign(Foreign::Png));
/// ```
pub fn detect(bytes: &[u8]) -> Form {
    Look::at(bytes).form
}

/// The results of examining an input's bytes. Storing the results ensures that each input is decoded only once.
pub(super) struct Look {
    pub(super) form: Form,
    /// The decoded text, or `None` if the bytes are not text or their beginning already determines the form.
    pub(super) text: Option<Text>,
    /// The AGAL that the text contains in pasted form.
    pub(super) paste: Option<Paste>,
}

impl Look {
    pub(super) fn at(bytes: &[u8]) -> Look {
        #[cfg(test)]
        super::once::DETECTED.with(|count| count.set(count.get() + 1));
        let by_bytes = |form| Look { form, text: None, paste: None };
        if bytes.starts_with(b"SDLSHADERBC") {
            return by_bytes(Form::Sdlbc);
        }
        #[cfg(feature = "es2")]
        if es2_front::Program::is_file(bytes) {
            return by_bytes(Form::Es2Code);
        }
        if let Some(foreign) = foreign::of_bytes(bytes) {
            return by_bytes(Form::Foreign(foreign));
        }
        if is_binary(bytes) {
            return by_bytes(Form::Bytecode);
        }
        let text = Text::decode(bytes);
        let mut paste = None;
        let form = if is_module_text(text.as_str()) {
            Form::ModuleText
        } else if is_es2_text(text.as_str()) {
            Form::Es2Text
        } else {
            paste = Paste::find(text.as_str());
            match &paste {
                Some(paste) if paste.is_pair() => Form::AgalPair,
                Some(paste) if paste.is_bytes() => Form::Bytecode,
                Some(_) => Form::AgalText,
                None => match foreign::of_text(text.as_str()) {
                    Some(foreign) => Form::Foreign(foreign),
                    None if has_both_parts(text.as_str()) => Form::AgalPair,
                    None => Form::AgalText,
                },
            }
        };
        Look { form, text: Some(text), paste }
    }
}

/// Detects the form of a file by its content. If the content is ambiguous, the extension of the file's name decides.
///
/// ```
/// use agalc::{Foreign, Form, Input, detect, detect_file};
///
/// let file = |name: &str| Input { name: name.into(), bytes: b"// later\n".into() };
/// assert_eq!(detect(&file("a.wgsl").bytes), Form::AgalText);
/// assert_eq!(detect_file(&file("a.wgsl")), Form::Foreign(Foreign::Wgsl));
/// assert_eq!(detect_file(&file("a.agal")), Form::AgalText);
/// ```
pub fn detect_file(input: &Input) -> Form {
    by_name(input, detect(&input.bytes))
}

/// Returns the shading language that the file's extension indicates, if the content may be in that language. Returns `form` in
/// all other cases.
pub(crate) fn by_name(input: &Input, form: Form) -> Form {
    let name = std::path::Path::new(&input.name);
    let Some(extension) = name.extension().and_then(|extension| extension.to_str()) else { return form };
    // The extensions `.vert` and `.frag` are missing here because AGAL files also use them.
    let language = match extension.to_ascii_lowercase().as_str() {
        "wgsl" => Foreign::Wgsl,
        "glsl" | "comp" => Foreign::Glsl,
        "hlsl" => Foreign::Hlsl,
        "metal" | "msl" => Foreign::Metal,
        _ => return form,
    };
    match form {
        // Code in these shading languages looks similar, so the extension decides.
        Form::AgalText
        | Form::AgalPair
        | Form::Foreign(Foreign::Glsl | Foreign::Hlsl | Foreign::Metal | Foreign::Wgsl) => Form::Foreign(language),
        form => form,
    }
}

/// Reports whether a text is an SDLSHADERBC module. A module begins with a function, a source, a debug record or a program's
/// checksum.
pub(crate) fn is_module_text(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let mut words = lines.next().unwrap_or_default().split_whitespace();
    match (words.next(), words.next()) {
        (Some("vertex" | "fragment" | "compute" | "generic"), Some(second)) => second == "function",
        (Some("source"), Some(number)) => number.starts_with(|c: char| c.is_ascii_digit()),
        // The line `program = "a.agal"` belongs to a scene.
        (Some("program" | "names" | "debug"), Some(second)) => !second.starts_with('='),
        _ => false,
    }
}

fn is_es2_text(_text: &str) -> bool {
    #[cfg(feature = "es2")]
    return es2_front::assemble::is_text(_text);
    #[cfg(not(feature = "es2"))]
    return false;
}
