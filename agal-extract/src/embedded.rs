//! Reads the files that source code embeds, as in `[Embed(source="glow.agal", mimeType="application/octet-stream")]`.
//!
//! Rule: the crate opens no file. An embedded file is one of the inputs, or is read by a callback that the caller supplies.

use std::fmt;
use std::sync::Arc;

use agalc::Input;

use crate::sources::{Embed, LONGEST};

/// A callback that reads a file embedded by source code. The callback takes the index of the source file in the inputs, and
/// the path of the embedded file relative to the folder of the source file. The callback returns the contents, or `None` if the
/// embedded file does not exist.
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
    /// Returns a reader that calls the given function for each embedded file.
    pub fn new(read: impl Fn(usize, &str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Reader {
        Reader(Arc::new(read))
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// Returns the contents of an embedded file, and the index of the input if the file is an input. An input with the same path
/// takes precedence over the callback, and the callback takes precedence over the only input with the same file name in any
/// folder.
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
    // A path is relative to the source file's folder or to an enclosing folder, up to the folder of the outermost package. A
    // leading `/` is ignored.
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
            Err(format!("the embedded file `{}` is longer than {LONGEST} bytes, and is left out", embed.path))
        }
        Some(found) => Ok(found),
        None => Err(format!(
            "the embedded file `{}` does not exist, so programs made from it are missing; put the file next to the source, or name it as an input",
            embed.path
        )),
    }
}

/// Splits a path into its elements. Elements equal to `.` and elements that `..` cancels are omitted.
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
