//! Files that sources embed: `[Embed(source="glow.agal", mimeType="application/octet-stream")]`.
//!
//! Rule: the crate opens no file. The embedded file is an input, or the caller of the library reads it.

use std::fmt;
use std::sync::Arc;

use agalc::Input;

use crate::sources::{Embed, LONGEST};

/// Reads a file that a source embeds. The function takes the index of the source in the inputs, and the path of the file relative
/// to the source's folder; it returns the contents, or `None` if the file does not exist.
///
/// ```
/// use agal_extract::{Options, Reader, extract};
///
/// let source = r#"package { class A {
///     [Embed(source="a.agal", mimeType="application/octet-stream")] static const CODE:Class;
///     function f(a:AGALMiniAssembler):void { a.assemble("fragment", String(new CODE())); }
/// } }"#;
/// let input = agalc::Input { name: "A.as".to_string(), bytes: source.into() };
/// let reader = Reader::new(|_, path| (path == "a.agal").then(|| b"mov oc, v0".to_vec()));
/// let found = extract(&[input], &Options::default().reader(Some(reader)));
/// assert_eq!(found.programs.len(), 1);
/// ```
#[derive(Clone)]
pub struct Reader(Arc<Read>);

type Read = dyn Fn(usize, &str) -> Option<Vec<u8>> + Send + Sync;

impl Reader {
    /// A reader that calls a function.
    pub fn new(read: impl Fn(usize, &str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Reader {
        Reader(Arc::new(read))
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// Contents of a file that a source embeds: an input with its path or its name, whose index is returned too, or a file that the
/// reader returns.
pub(crate) fn find(
    inputs: &[Input],
    source: usize,
    embed: &Embed,
    reader: Option<&Reader>,
) -> Result<(Vec<u8>, Option<usize>), String> {
    let path = embed.path.replace('\\', "/");
    let name = |input: &Input| parts(&input.name);
    let own = inputs.get(source).map(name).unwrap_or_default();
    let folder = own.split_last().map_or(&[][..], |(_, folder)| folder);
    // A path is relative to the source; a path that begins with `/` is relative to the folder of the source's outermost package.
    let outer = embed.class.matches('.').count();
    let candidates: Vec<String> =
        (0..=outer).map(|up| format!("{}{}", "../".repeat(up), path.trim_start_matches('/'))).collect();
    let at = |candidate: &String| {
        let wanted = parts(&format!("{}/{candidate}", folder.join("/")));
        inputs.iter().position(|input| name(input) == wanted)
    };
    let named = || {
        let last = path.rsplit('/').next()?;
        let is_it = |(_, input): &(usize, &Input)| name(input).last().is_some_and(|name| name == last);
        let mut found = inputs.iter().enumerate().filter(is_it);
        found.next().filter(|_| found.next().is_none()).map(|(number, _)| number)
    };
    let of_input = |number: usize| Some((inputs.get(number)?.bytes.clone(), Some(number)));
    let read = |candidate: &String| Some(((reader?.0)(source, candidate)?, None));
    let found = candidates.iter().find_map(at).and_then(of_input);
    let found = found.or_else(|| candidates.iter().find_map(read)).or_else(|| named().and_then(of_input));
    match found {
        Some((bytes, _)) if bytes.len() > LONGEST => {
            Err(format!("the embedded file `{}` is longer than {LONGEST} bytes and left out", embed.path))
        }
        Some(found) => Ok(found),
        None => Err(format!(
            "the embedded file `{}` does not exist; programs that are made from it are missing. Put it beside the source, or name it as an input too",
            embed.path
        )),
    }
}

/// The parts of a path, without `.` and without the parts that `..` cancels.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")) {
        match parts.last() {
            Some(last) if part == ".." && last != ".." => {
                parts.pop();
            }
            _ => parts.push(part.to_string()),
        }
    }
    parts
}
