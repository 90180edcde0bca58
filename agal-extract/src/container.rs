//! What files hold: the code and the data of SWF, SWC and ABC files, and of files in their data.
//!
//! What a header claims is never believed: files are unpacked up to a limit, and what can be read of a damaged file is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::rc::Rc;

use lzma_rs::decompress::{Options, UnpackedSize};
use swf::extensions::ReadSwfExt;
use swf::read::Reader;

use crate::avm::abc::Abc;
use crate::avm::unit::LIBRARY;
use crate::limits::Limits;

/// A part of an input that is not code.
#[derive(Debug)]
pub(crate) struct Data {
    /// The file that it is in, from the outside in; empty if that is the input.
    file: Rc<[String]>,
    item: Item,
    /// The class that embeds it.
    pub(crate) symbol: Option<Rc<str>>,
    pub(crate) bytes: Vec<u8>,
}

/// What in a file holds the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// The input, which is nothing that is known.
    Whole,
    /// DefineBinaryData, with the number of the character.
    Binary(u16),
    /// Another tag, by its place and type.
    Tag(usize, u16),
}

impl Data {
    /// Where it is, such as `DefineBinaryData 7`.
    pub(crate) fn path(&self) -> Vec<String> {
        let item = match self.item {
            Item::Whole => None,
            Item::Binary(id) => Some(format!("DefineBinaryData {id}")),
            Item::Tag(number, code) => Some(format!("tag {number} of type {code}")),
        };
        self.file.iter().cloned().chain(item).collect()
    }

    /// Whether it is a part of a file, and not a whole input.
    pub(crate) fn is_item(&self) -> bool {
        self.item != Item::Whole
    }
}

/// A block of code, and where it is.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) path: Vec<String>,
    pub(crate) abc: Abc,
}

/// What an input holds.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// What it is, such as `SWF 14, zlib`.
    pub(crate) kind: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) data: Vec<Data>,
    /// Where something could not be read, and why.
    pub(crate) warnings: Vec<(Vec<String>, String)>,
    /// How many bytes may still be unpacked, of all files in one another.
    left: usize,
    /// How many bytes the blocks have, and how much memory their lists take.
    code: usize,
    memory: usize,
}

/// The kind of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Swf,
    Zip,
    Abc,
}

fn form(bytes: &[u8]) -> Option<Form> {
    match bytes {
        [b'F' | b'C' | b'Z', b'W', b'S', ..] => Some(Form::Swf),
        [b'P', b'K', 3, 4, ..] => Some(Form::Zip),
        // The minor and the major version; 47 is that of AIR's newer compilers.
        [_, 0, 46 | 47, 0, ..] => Some(Form::Abc),
        _ => None,
    }
}

/// How many times their own length the lists of an input's blocks may take in memory, besides the blocks themselves, and what they
/// may take in any case. In published SWFs with more than 60 KB of code they take up to 6 times its length, and in libraries of
/// declarations up to 9 times.
const MEMORY: usize = 8;
const MEMORY_ANYWAY: usize = 16 << 20;

/// Reads an input.
pub(crate) fn open(bytes: &[u8], limits: &Limits) -> Contents {
    let mut contents = Contents { left: most(bytes.len(), limits), ..Contents::default() };
    contents.kind = match form(bytes) {
        Some(form) => contents.read(form, bytes, &[], limits, 0),
        None => {
            let message = "is not a SWF, SWC or ABC file; only its bytes are searched";
            contents.warnings.push((Vec::new(), message.to_string()));
            let whole = Data { file: Rc::new([]), item: Item::Whole, symbol: None, bytes: bytes.to_vec() };
            contents.data.push(whole);
            "data".to_string()
        }
    };
    contents
}

fn deeper(path: &[String], last: String) -> Vec<String> {
    path.iter().cloned().chain([last]).collect()
}

impl Contents {
    fn warn(&mut self, path: &[String], message: impl Into<String>) {
        self.warnings.push((path.to_vec(), message.into()));
    }

    /// Reads a file; what it is.
    fn read(&mut self, form: Form, bytes: &[u8], path: &[String], limits: &Limits, depth: usize) -> String {
        if depth > limits.nesting {
            self.warn(path, format!("more than {} files are in one another; this one is not opened", limits.nesting));
            return String::new();
        }
        match form {
            Form::Swf => self.swf(bytes, path, limits, depth),
            Form::Zip => self.zip(bytes, path, limits, depth),
            Form::Abc => {
                self.abc(bytes, path.to_vec());
                "ABC".to_string()
            }
        }
    }

    fn abc(&mut self, bytes: &[u8], path: Vec<String>) {
        let code = self.code.saturating_add(bytes.len());
        let most = code.saturating_mul(MEMORY).max(MEMORY_ANYWAY);
        match Abc::read(bytes, most.saturating_sub(self.memory)) {
            Ok(abc) => {
                (self.code, self.memory) = (code, self.memory.saturating_add(abc.memory));
                self.blocks.push(Block { path, abc });
            }
            Err(problem) => self.warnings.push((path, format!("the ABC block is damaged: {problem}"))),
        }
    }

    fn swf(&mut self, bytes: &[u8], path: &[String], limits: &Limits, depth: usize) -> String {
        let version = bytes.get(3).copied().unwrap_or_default();
        let (name, body) = match unpack(bytes, self.left.min(most(bytes.len(), limits))) {
            Ok((name, body, problem)) => {
                self.left = self.left.saturating_sub(body.len());
                if let Some(problem) = problem {
                    self.warn(path, problem);
                }
                (name, body)
            }
            Err(problem) => {
                self.warn(path, problem);
                return format!("SWF {version}");
            }
        };
        let mut reader = Reader::new(&body, version);
        // After the rectangle come the frame rate and the number of frames.
        if reader.read_rectangle().is_err() || reader.read_u32().is_err() {
            self.warn(path, "the SWF's header is cut off");
        } else {
            self.tags(&mut reader, version, path, limits, depth);
        }
        format!("SWF {version}, {name}")
    }

    fn tags(&mut self, reader: &mut Reader<'_>, version: u8, path: &[String], limits: &Limits, depth: usize) {
        let first = self.data.len();
        let file: Rc<[String]> = path.into();
        let mut symbols: HashMap<u16, Rc<str>> = HashMap::new();
        let (mut blocks, mut number) = (0, 0_usize);
        loop {
            if reader.as_slice().is_empty() {
                self.warn(path, "the SWF ends without an end tag");
                break;
            }
            let Ok((code, length)) = reader.read_tag_code_and_length() else {
                self.warn(path, "the SWF ends in the middle of a tag");
                break;
            };
            number += 1;
            let rest = reader.as_slice();
            let tag = rest.get(..length).unwrap_or(rest);
            if tag.len() < length {
                self.warn(path, format!("tag {number} is cut off: {} of its {length} bytes are there", tag.len()));
            }
            if code == 0 {
                break;
            }
            let mut inner = Reader::new(tag, version);
            match code {
                72 | 82 => {
                    blocks += 1;
                    let bytes = if code == 82 { inner.read_do_abc_2().map(|found| found.data).ok() } else { Some(tag) };
                    match bytes {
                        Some(bytes) => self.abc(bytes, deeper(path, format!("DoABC {blocks}"))),
                        None => self.warn(path, format!("DoABC {blocks} is cut off")),
                    }
                }
                76 => read_symbols(&mut inner, &mut symbols),
                87 => {
                    if let Ok(found) = inner.read_define_binary_data() {
                        self.add(&file, Item::Binary(found.id), found.data);
                    }
                }
                _ if may_have_bytecode(tag) => self.add(&file, Item::Tag(number, code), tag),
                _ => {}
            }
            if !advance(reader, tag.len()) {
                break;
            }
        }
        let mut inside = Vec::new();
        for data in self.data.iter_mut().skip(first) {
            if let Item::Binary(id @ 1..) = data.item {
                data.symbol = symbols.get(&id).cloned();
            }
            if let Some(form) = form(&data.bytes) {
                inside.push((form, data.bytes.clone(), data.path()));
            }
        }
        for (form, bytes, path) in inside {
            self.read(form, &bytes, &path, limits, depth.saturating_add(1));
        }
    }

    /// Adds an item that is long enough for a program: `mov oc,v0` is one.
    fn add(&mut self, file: &Rc<[String]>, item: Item, bytes: &[u8]) {
        if bytes.len() >= 9 {
            self.data.push(Data { file: file.clone(), item, symbol: None, bytes: bytes.to_vec() });
        }
    }

    fn zip(&mut self, bytes: &[u8], path: &[String], limits: &Limits, depth: usize) -> String {
        let mut archive = match zip::ZipArchive::new(io::Cursor::new(bytes)) {
            Ok(archive) => archive,
            Err(error) => {
                self.warn(path, format!("the zip archive is damaged: {error}"));
                return "zip".to_string();
            }
        };
        let allowed = self.left.min(most(bytes.len(), limits));
        let mut left = allowed;
        let mut kind = "zip".to_string();
        if archive.len() > limits.entries {
            self.warn(path, format!("only {} of the archive's {} files are looked at", limits.entries, archive.len()));
        }
        for at in 0..archive.len().min(limits.entries) {
            let (name, entry) = match archive.by_index(at) {
                Ok(mut file) => {
                    let name = file.name().map(|name| name.to_string()).unwrap_or_default();
                    let is_wanted = name.ends_with(".swf") || name.ends_with(".abc");
                    let mut entry = Vec::new();
                    let mut problem = None;
                    if is_wanted {
                        let most = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
                        problem = (&mut file).take(most).read_to_end(&mut entry).err();
                    }
                    if let Some(problem) = problem {
                        self.warn(
                            &deeper(path, name.clone()),
                            format!("the file in the archive is damaged: {problem}"),
                        );
                    }
                    (name, entry)
                }
                Err(error) => {
                    self.warn(path, format!("file {} of the archive cannot be read: {error}", at + 1));
                    continue;
                }
            };
            if name == "catalog.xml" {
                kind = "SWC".to_string();
            }
            if entry.len() > left {
                self.warn(&deeper(path, name), too_long(allowed));
                continue;
            }
            left = left.saturating_sub(entry.len());
            self.left = self.left.saturating_sub(entry.len());
            if let Some(form) = form(&entry) {
                let inner = self.read(form, &entry, &deeper(path, name.clone()), limits, depth.saturating_add(1));
                if name == LIBRARY {
                    kind = format!("SWC with {inner}");
                }
            }
        }
        kind
    }
}

fn advance(reader: &mut Reader<'_>, length: usize) -> bool {
    reader.read_slice(length).is_ok()
}

/// Adds the characters that classes name. The first name of a character is its name.
fn read_symbols(reader: &mut Reader<'_>, symbols: &mut HashMap<u16, Rc<str>>) {
    for _ in 0..reader.read_u16().unwrap_or_default() {
        let (Ok(id), Ok(name)) = (reader.read_u16(), reader.read_str()) else { break };
        symbols.entry(id).or_insert_with(|| String::from_utf8_lossy(name.as_bytes()).into());
    }
}

/// Whether bytes may have AGAL bytecode: both marks of its header at their places.
fn may_have_bytecode(bytes: &[u8]) -> bool {
    bytes.windows(7).any(|window| matches!(window, [0xa0, _, _, _, _, 0xa1, 0 | 1]))
}

/// How long the contents of a file of this length may be.
fn most(length: usize, limits: &Limits) -> usize {
    length.saturating_mul(limits.ratio).max(1 << 20).min(limits.unpacked)
}

fn too_long(most: usize) -> String {
    format!("it unpacks to more than {most} bytes, which is over the limit for a file of its length; it is not read")
}

/// A writer that takes so many bytes.
struct Limited {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Limited {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(new.len()) > self.most {
            self.is_full = true;
            return Err(io::Error::other("over the limit"));
        }
        self.bytes.extend_from_slice(new);
        Ok(new.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of a compression, what a SWF file has after its first eight bytes, and what is wrong with that.
type Unpacked<'b> = (&'static str, Cow<'b, [u8]>, Option<String>);

fn unpack(bytes: &[u8], most: usize) -> Result<Unpacked<'_>, String> {
    let packed = bytes.get(8..).ok_or("the SWF's header is cut off")?;
    let mut out = Limited { bytes: Vec::new(), most, is_full: false };
    let (name, result) = match bytes.first() {
        Some(b'C') => {
            let decoder = flate2::read::ZlibDecoder::new(packed);
            let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
            ("zlib", io::copy(&mut decoder.take(limit), &mut out).map(drop).map_err(|error| error.to_string()))
        }
        Some(b'Z') => {
            // The length of the packed data is before it. The file has no unpacked length, and an end mark instead.
            let mut stream = packed.get(4..).ok_or("the SWF's header is cut off")?;
            let options = Options {
                unpacked_size: UnpackedSize::UseProvided(None),
                memlimit: Some(most),
                allow_incomplete: true,
            };
            let result = lzma_rs::lzma_decompress_with_options(&mut stream, &mut out, &options);
            // The window holds what is not written yet.
            out.is_full |= matches!(&result, Err(error) if error.to_string().contains("memory limit"));
            ("LZMA", result.map_err(|error| error.to_string()))
        }
        _ => {
            let length = u32::from_le_bytes([4, 5, 6, 7].map(|at| bytes.get(at).copied().unwrap_or_default()));
            let length = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(8);
            let problem = (packed.len() < length)
                .then(|| format!("the SWF is cut off: {} of its {length} bytes are there", packed.len()));
            return Ok(("uncompressed", Cow::Borrowed(packed), problem));
        }
    };
    if out.is_full {
        return Err(too_long(most));
    }
    let problem =
        result.err().map(|error| format!("the {name} stream is damaged after {} bytes: {error}", out.bytes.len()));
    Ok((name, Cow::Owned(out.bytes), problem))
}
