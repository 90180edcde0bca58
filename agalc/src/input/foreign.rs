//! Recognises known kinds of files that are neither AGAL nor SDLSHADERBC, by their first bytes or by words that AGAL does not
//! have.
//!
//! Text is foreign only if it has a feature that neither the plain nor the macro language of AGAL has. Text with an AGAL
//! statement is foreign only if its first line is a package, an import or a GLSL version. Comments are ignored.

use std::fmt;

use agal_front::opcode::Opcode;

use super::text::{agal_comments, is_binary};

/// Defines the enum of foreign file kinds, with a description of each kind.
macro_rules! foreign {
    ($($(#[$doc:meta])* $name:ident $description:literal,)*) => {
        /// A known kind of file that is neither AGAL nor SDLSHADERBC.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Foreign { $($(#[$doc])* $name),* }

        impl Foreign {
            /// Returns a description of the kind of file, such as "a PNG picture".
            pub const fn description(self) -> &'static str {
                match self { $(Foreign::$name => $description),* }
            }
        }
    };
}

foreign! {
    /// SPIR-V, in either byte order.
    Spirv "SPIR-V",
    /// SPIR-V assembly text.
    SpirvText "SPIR-V text",
    /// A shader in WGSL.
    Wgsl "WGSL",
    /// A shader in GLSL.
    Glsl "GLSL",
    /// A shader in HLSL.
    Hlsl "HLSL",
    /// A shader in the Metal Shading Language.
    Metal "MSL (Metal Shading Language)",
    /// A compiled Direct3D shader.
    Dxbc "DXBC (compiled Direct3D shaders)",
    /// A WebAssembly module.
    Wasm "WebAssembly",
    /// A PNG picture.
    Png "a PNG picture",
    /// A JPEG picture.
    Jpeg "a JPEG picture",
    /// A GIF picture.
    Gif "a GIF picture",
    /// A texture in Adobe's ATF format.
    Atf "an ATF texture",
    /// A texture in DirectDraw's DDS format.
    Dds "a DDS texture",
    /// A Flash file, compressed or uncompressed.
    Swf "a SWF file",
    /// A zip archive, such as an SWC file.
    Zip "a zip archive (or an SWC file)",
    /// A file of ActionScript bytecode.
    Abc "an ABC file (ActionScript bytecode)",
    /// A gzip file.
    Gzip "a gzip file",
    /// An ELF program or library, for Linux and other systems.
    Elf "a program or library (ELF)",
    /// ActionScript source code.
    ActionScript "ActionScript",
    /// Haxe source code.
    Haxe "Haxe",
    /// A file in MXML, the markup language of Flex.
    Mxml "MXML",
    /// A scene file of agalc, written in TOML.
    Scene "a scene (TOML)",
    /// A TOML file that is not a scene.
    Toml "TOML",
    /// A JSON document.
    Json "JSON",
    /// An XML document.
    Xml "XML",
    /// An HTML page.
    Html "an HTML page",
    /// A Markdown document.
    Markdown "Markdown",
    /// A PDF file.
    Pdf "a PDF file",
    /// A document in Rich Text Format.
    Rtf "rich text (RTF)",
    /// A BMP picture.
    Bmp "a BMP picture",
    /// A WebP picture.
    WebP "a WebP picture",
    /// A RAR or 7z archive.
    Archive "an archive (RAR or 7z)",
    /// A program or library for Windows.
    Exe "a program or library for Windows",
}

impl Foreign {
    /// Reports whether agalc can write files of this kind.
    pub const fn is_written(self) -> bool {
        use Foreign::{Glsl, Hlsl, Metal, Spirv, SpirvText, Wgsl};
        matches!(self, Spirv | SpirvText | Wgsl | Glsl | Hlsl | Metal)
    }

    /// Reports whether `agalc extract` finds shaders in files of this kind.
    pub const fn is_extracted(self) -> bool {
        use Foreign::{Abc, ActionScript, Haxe, Mxml, Swf, Zip};
        matches!(self, Swf | Zip | Abc | ActionScript | Haxe | Mxml)
    }

    /// Returns advice for a user who passed a file of this kind to agalc, or `None` if agalc has no advice.
    pub const fn help(self) -> Option<&'static str> {
        match self {
            Foreign::Gzip | Foreign::Archive => Some("unpack it first"),
            Foreign::Html => Some(
                "if you meant to download a shader, download the shader file itself, not the page that shows the shader",
            ),
            Foreign::Markdown | Foreign::Pdf | Foreign::Rtf => Some("copy the AGAL in it to a text file of its own"),
            _ if self.is_extracted() => Some("`agalc extract FILE -o shaders` finds the AGAL in it"),
            _ => None,
        }
    }

    /// Returns the error message for a file of this kind, with advice.
    pub(crate) fn refusal(self, name: &str) -> String {
        if !self.is_extracted() {
            return format!("`{name}` {self}");
        }
        // A second command cannot read the same standard input, so the advice is to save the input as a file.
        let advice = match name {
            "<stdin>" => "save it as a file, and `agalc extract FILE".to_string(),
            _ => format!("`agalc extract {}", argument(name)),
        };
        format!("`{name}` is {}; {advice} -o shaders` finds the AGAL in it", self.description())
    }
}

/// Quotes a file's name for use as an argument of a shell command.
pub(crate) fn argument(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./+,:@%".contains(c);
    // The prefix `./` keeps a name that begins with a dash from being read as an option or as standard input.
    if name.starts_with('-') {
        return argument(&format!("./{name}"));
    }
    match !name.is_empty() && name.chars().all(is_plain) {
        true => name.to_string(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

/// Writes a description such as `is WGSL, which agalc writes but does not read`.
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "is {}", self.description())?;
        match self {
            Foreign::Scene | Foreign::Png => f.write_str(", but a program is expected here"),
            Foreign::Wgsl | Foreign::Glsl | Foreign::Hlsl | Foreign::Spirv if cfg!(feature = "sources") => {
                f.write_str(", but AGAL is expected here")
            }
            _ if self.is_written() => f.write_str(", which agalc writes but does not read"),
            _ if self.is_extracted() => Ok(()),
            _ => f.write_str(", which agalc does not read"),
        }?;
        self.help().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

/// The first bytes of known binary files. No AGAL bytecode begins with these bytes.
const MAGIC: [(&[u8], Foreign); 18] = [
    (b"\x03\x02\x23\x07", Foreign::Spirv),
    (b"\x07\x23\x02\x03", Foreign::Spirv),
    (b"DXBC", Foreign::Dxbc),
    (b"\0asm", Foreign::Wasm),
    (b"\x89PNG\r\n\x1a\n", Foreign::Png),
    (b"\xff\xd8\xff", Foreign::Jpeg),
    (b"GIF8", Foreign::Gif),
    (b"ATF", Foreign::Atf),
    (b"DDS ", Foreign::Dds),
    (b"PK\x03\x04", Foreign::Zip),
    (b"PK\x05\x06", Foreign::Zip),
    (b"\x1f\x8b", Foreign::Gzip),
    (b"\x7fELF", Foreign::Elf),
    (b"Rar!", Foreign::Archive),
    (b"7z\xbc\xaf\x27\x1c", Foreign::Archive),
    (b"BM", Foreign::Bmp),
    (b"MZ", Foreign::Exe),
    // ABC version 46, with any minor version up to 16.
    (b"\x10\0\x2e\0", Foreign::Abc),
];

/// The first characters of known kinds of files whose other contents may be text. No AGAL text begins with these
/// characters.
const MARKS: [(&[u8], Foreign); 2] = [(b"%PDF-", Foreign::Pdf), (b"{\\rtf", Foreign::Rtf)];

pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Foreign> {
    if let Some((_, foreign)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some(*foreign);
    }
    let mut known = MAGIC.iter().filter(|(magic, _)| bytes.starts_with(magic)).map(|(_, foreign)| *foreign);
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let is_swf = matches!(bytes, [b'F' | b'C' | b'Z', b'W', b'S', 1..=64, _, _, _, _, ..]);
    // AGAL text may begin with the same letters as a binary file.
    let other = is_swf.then_some(Foreign::Swf).or(is_webp.then_some(Foreign::WebP));
    known.next().or(other).filter(|_| is_binary(bytes))
}

/// Recognises a text in a language other than AGAL.
pub(crate) fn of_text(text: &str) -> Option<Foreign> {
    let code = without_comments(text);
    let lines = || code.lines().map(str::trim).filter(|line| !line.is_empty());
    // A source file in ActionScript or Haxe may contain AGAL in a multi-line literal.
    if let Some(source) = lines().next().and_then(whole_source) {
        return Some(source);
    }
    // No AGAL text begins with a GLSL version directive. A GLSL structure may have the name of a mnemonic, as in `tex t;`, so
    // this check precedes the search for AGAL statements.
    if lines().next().is_some_and(is_version) {
        return Some(Foreign::Glsl);
    }
    if lines().any(is_statement) {
        return None;
    }
    if text.trim_start().starts_with("; SPIR-V") {
        return Some(Foreign::SpirvText);
    }
    let first = code.trim_start();
    let inside = first.get(1..).unwrap_or_default().trim_start();
    match first.chars().next()? {
        '<' if is_mxml(first) => return Some(Foreign::Mxml),
        '<' if is_html(first) => return Some(Foreign::Html),
        '<' => return Some(Foreign::Xml),
        '{' if inside.starts_with(['"', '}']) => return Some(Foreign::Json),
        '[' if inside.starts_with(['"', '{', '[']) && !first.starts_with("[[") => return Some(Foreign::Json),
        '[' if is_list(first) => return Some(Foreign::Json),
        _ => {}
    }
    // The order matters, because Metal and HLSL code contains words of GLSL.
    type HasSign = fn(&str) -> bool;
    let languages: [(HasSign, Foreign); 9] = [
        (is_spirv, Foreign::SpirvText),
        (is_haxe, Foreign::Haxe),
        (is_action_script, Foreign::ActionScript),
        (is_wgsl, Foreign::Wgsl),
        (is_metal, Foreign::Metal),
        (is_hlsl, Foreign::Hlsl),
        (is_glsl, Foreign::Glsl),
        (is_scene, Foreign::Scene),
        (is_toml, Foreign::Toml),
    ];
    let found = languages.into_iter().find(|(has_sign, _)| lines().any(has_sign)).map(|(_, foreign)| foreign);
    found.or_else(|| is_markdown(text).then_some(Foreign::Markdown))
}

/// Replaces comments of C and AGAL with spaces. TOML comments, which begin with `#`, are kept because they are not mistaken
/// for a feature of another language.
pub(super) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut end = 0;
    for comment in agal_comments(text) {
        code += text.get(end..comment.start).unwrap_or_default();
        code.push(' ');
        end = comment.end;
    }
    code + text.get(end..).unwrap_or_default()
}

/// Reports whether a line is an AGAL statement: a mnemonic followed by a possible operand, an alias, or the head of a macro.
fn is_statement(line: &str) -> bool {
    let is_alias = |rest: &str| rest.starts_with(' ') && rest.contains(',') && !rest.contains('=');
    if line.strip_prefix("alias").is_some_and(is_alias) || line.starts_with("macro ") {
        return true;
    }
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    let is_operand = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_mnemonic = Opcode::from_mnemonic(&first).is_some();
    is_mnemonic && words.next().is_none_or(is_operand)
}

/// Reports whether a line begins with one of `words` and has more text after that word.
fn begins(line: &str, words: &[&str]) -> bool {
    let word = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    words.contains(&word) && line.len() > word.len()
}

fn is_spirv(line: &str) -> bool {
    let is_operation = |word: &str| word.strip_prefix("Op").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(first), Some(_), _) if is_operation(first) => true,
        (Some(id), Some("="), Some(word)) => id.starts_with('%') && is_operation(word),
        _ => false,
    }
}

/// Reports whether XML text uses the namespaces of Flex.
fn is_mxml(text: &str) -> bool {
    text.contains("xmlns:mx=") || text.contains("xmlns:fx=") || text.contains("http://www.adobe.com/2006/mxml")
}

fn is_html(text: &str) -> bool {
    let begins = |word: &str| text.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word));
    ["<!doctype html", "<html", "<head", "<body"].into_iter().any(begins)
}

fn is_list(text: &str) -> bool {
    let list = text.trim_end().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    list.is_some_and(|list| list.split(',').all(|number| number.trim().parse::<f64>().is_ok()))
}

/// Reports whether a text contains a fenced code block, or begins with a heading followed by a blank line. The blank line
/// distinguishes a heading from a directive, because directives also begin with `#`.
fn is_markdown(text: &str) -> bool {
    let mut lines = text.trim_start().lines();
    let heading = lines.next().unwrap_or_default().trim_start_matches('#');
    let level = text.trim_start().len() - text.trim_start().trim_start_matches('#').len();
    let is_heading = (1..=6).contains(&level) && heading.starts_with(' ') && lines.next().is_some_and(str::is_empty);
    is_heading || text.lines().any(|line| line.trim_start().starts_with("```"))
}

/// Returns the language of a source file if its first line is a package declaration or an import.
fn whole_source(line: &str) -> Option<Foreign> {
    let begins =
        |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ';', '{']));
    let is_source = begins("package") || (begins("import") && line.contains('.') && line.contains(';'));
    is_source.then(|| if is_haxe(line) { Foreign::Haxe } else { Foreign::ActionScript })
}

/// Reports whether a line has a feature of Haxe that ActionScript lacks.
fn is_haxe(line: &str) -> bool {
    const IMPORTS: [&str; 5] = ["import openfl.", "import lime.", "import haxe.", "import sys.", "import hxd."];
    let is_package = line.starts_with("package") && line.ends_with(';') && !line.contains('{');
    // C++ has the directive `using namespace`.
    let uses = line.strip_prefix("using ").is_some_and(|name| name.ends_with(';') && !name.starts_with("namespace "));
    is_package || uses || IMPORTS.iter().any(|sign| line.starts_with(sign))
}

fn is_action_script(line: &str) -> bool {
    let is_package = line == "package" || line.starts_with("package {") || line.starts_with("package{");
    let dotted = line.strip_prefix("package ").is_some_and(|name| name.contains('.') || name.ends_with('{'));
    is_package || dotted || line.starts_with("import flash.") || line.starts_with("import com.adobe.") || declares(line)
}

/// Reports whether a line declares an ActionScript or Haxe class or function. The modifiers of such a declaration exist in no
/// shading language.
fn declares(line: &str) -> bool {
    const MODIFIERS: [&str; 7] = ["public", "private", "protected", "internal", "static", "override", "dynamic"];
    let mut words = line.split_whitespace().peekable();
    let mut has_modifier = false;
    while words.next_if(|word| MODIFIERS.contains(word)).is_some() {
        has_modifier = true;
    }
    match (words.next(), words.next()) {
        (Some("class" | "interface"), Some(_)) => has_modifier,
        (Some("function"), Some(name)) => name.contains('(') || has_modifier,
        _ => false,
    }
}

fn is_wgsl(line: &str) -> bool {
    const ATTRIBUTES: [&str; 8] =
        ["@vertex", "@fragment", "@compute", "@group(", "@binding(", "@location(", "@builtin(", "@workgroup_size("];
    let is_function = || line.strip_prefix("fn ").is_some_and(|rest| rest.contains('('));
    // Declarations and directives of WGSL, such as `alias Color = vec4<f32>;`, `override size: u32 = 4u;`,
    // `const sizes = array(1, 2);`, `enable f16;` and `position: vec3f,`.
    let assigns = |word: &str, signs: &[char]| line.strip_prefix(word).is_some_and(|rest| rest.contains(signs));
    // In GLSL, a type follows `const`, and a colon may occur in an expression.
    let is_constant = || {
        let rest = line.strip_prefix("const ").and_then(|rest| rest.split_once(':'));
        rest.is_some_and(|(name, _)| name.trim().chars().all(|c| c.is_alphanumeric() || c == '_'))
    };
    let is_directive =
        || line.ends_with(';') && ["enable ", "requires ", "diagnostic("].iter().any(|of| line.starts_with(of));
    let is_declaration =
        || line.ends_with(';') && (assigns("alias ", &['=']) || assigns("override ", &[':', '=']) || is_constant());
    is_function()
        || line.starts_with("var<")
        || is_directive()
        || is_declaration()
        || is_member(line)
        || ATTRIBUTES.iter().any(|sign| line.contains(sign))
}

/// Reports whether a line is a member of a WGSL structure: a name, `:`, a WGSL type, and an optional comma.
fn is_member(line: &str) -> bool {
    const TYPES: [&str; 5] = ["f32", "f16", "i32", "u32", "bool"];
    let Some((name, ty)) = line.split_once(':') else { return false };
    let ty = ty.trim().trim_end_matches(',').trim_end();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_shaped = ["vec2", "vec3", "vec4", "mat2x", "mat3x", "mat4x", "array<"].iter().any(|of| ty.starts_with(of));
    let is_shaped = is_shaped && (ty.ends_with('>') || ty.ends_with(['f', 'i', 'u', 'h']));
    is_name && (TYPES.contains(&ty) || is_shaped)
}

fn is_metal(line: &str) -> bool {
    ["metal_stdlib", "using namespace metal", "[[stage_in]]", "[[position]]", "[[buffer(", "[[texture("]
        .iter()
        .any(|sign| line.contains(sign))
}

fn is_hlsl(line: &str) -> bool {
    const TYPES: [&str; 9] =
        ["float2", "float3", "float4", "float3x3", "float4x4", "half4", "Texture2D", "TextureCube", "SamplerState"];
    let semantics = [": SV_", ":SV_", ": POSITION", ": TEXCOORD", ": COLOR", ": register("];
    begins(line, &["cbuffer", "tbuffer"])
        || begins(line, &TYPES) && line.contains(['(', ';'])
        || semantics.iter().any(|sign| line.contains(sign))
}

fn is_glsl(line: &str) -> bool {
    const QUALIFIERS: [&str; 6] = ["uniform", "varying", "attribute", "in", "out", "flat"];
    const TYPES: [&str; 11] =
        ["float", "int", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "highp", "mediump", "lowp"];
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_type = TYPES.contains(&second) || matches!(second, "sampler2D" | "samplerCube");
    let is_declaration = is_type && (QUALIFIERS.contains(&first) || first == "precision");
    let is_layout = begins(line, &["layout"]) && line.contains('(');
    let is_main = line.strip_prefix("void main").is_some_and(|rest| rest.trim_start().starts_with('('));
    is_declaration || is_layout || is_version(line) || is_main
}

fn is_version(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("#version")
        && words.next().is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reports whether a text is a TOML key, which may contain dots.
fn is_toml_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.\"".contains(c))
}

/// Returns the key of a TOML line whose value is a string. AGAL has no strings.
fn string_key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    Some(key.trim()).filter(|key| is_toml_key(key) && value.trim_start().starts_with(['"', '\'']))
}

/// Returns the name between the brackets of a TOML table's header.
fn table_name(line: &str) -> Option<&str> {
    let line = line.split('#').next().unwrap_or_default().trim_end();
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    Some(name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name))
}

fn is_scene(line: &str) -> bool {
    matches!(string_key(line), Some("vertex" | "fragment" | "program"))
}

fn is_toml(line: &str) -> bool {
    string_key(line).is_some() || table_name(line).is_some_and(is_toml_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_of_agal_makes_a_text_agal() {
        for text in ["mov oc, v0\nfn main() {", "  NRM ft0.xyz, v0\n#version 450", "kil ft0.x\n[a]", "els\na = \"b\""] {
            assert_eq!(of_text(text), None, "{text}");
        }
        // In these texts, the words `sin`, `add` and `mul` are AGAL mnemonics but do not begin AGAL statements.
        assert_eq!(of_text("sin (a);\nvoid main() {"), Some(Foreign::Glsl));
        assert_eq!(of_text("fragment = \"add\"\nmul = 3"), Some(Foreign::Scene));
    }

    #[test]
    fn comments_are_ignored() {
        assert_eq!(of_text("// void main() {\n/* @vertex\nfn main() */ out = a * b"), None);
    }
}
