//! Reads the code and data of input files: SWF, SWC and ABC files, files embedded in the data of these files, and archives,
//! projectors and streams that contain such files.
//!
//! Rule: lengths in headers are not trusted. Files are unpacked up to a limit, and the readable parts of damaged files are read.

use std::collections::HashMap;
use std::io::{self, Read};
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use swf::extensions::ReadSwfExt;
use swf::read::Reader;

use crate::archive;
use crate::avm::abc::Abc;
use crate::avm::unit::LIBRARY;
use crate::bytes::{SHORTEST_TEXT, deeper};
use crate::encoded;
use crate::limits::Limits;
use crate::sources::is_source;
use crate::strangers;
use crate::swf_file::{body_of, length_of_whole, may_have_bytecode, read_symbols};
use crate::unpack::{Packing, Unpacked, damaged, too_long, unpack};

/// A part of an input that contains data rather than code.
#[derive(Debug)]
pub(crate) struct Data {
    /// The path of the file that contains the part, from the outermost container. The path is empty if the input itself contains
    /// the part.
    file: Rc<[String]>,
    item: Item,
    /// The name of the class that embeds the part.
    pub(crate) symbol: Option<Rc<str>>,
    pub(crate) bytes: Vec<u8>,
    /// Whether the part is a file that was opened. The contents of an opened file are separate parts.
    pub(crate) is_opened: bool,
}

/// The identifier of a part within its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// The complete input, if the input's format is unknown.
    Whole,
    /// A file in an archive, or unpacked data. The path of the file identifies the part.
    Part,
    /// A DefineBinaryData tag with the given character identifier.
    Binary(u16),
    /// A tag of any other type, identified by its position (counted from 1) and its type.
    Tag(usize, u16),
}

impl Data {
    fn new(file: Rc<[String]>, item: Item, bytes: Vec<u8>) -> Data {
        Data { file, item, symbol: None, bytes, is_opened: false }
    }

    /// Returns the path of the part. For data in a SWF, the last element names the tag, such as `DefineBinaryData 7`.
    pub(crate) fn path(&self) -> Vec<String> {
        let item = match self.item {
            Item::Whole | Item::Part => None,
            Item::Binary(id) => Some(format!("DefineBinaryData {id}")),
            Item::Tag(number, code) => Some(format!("tag {number} of type {code}")),
        };
        self.file.iter().cloned().chain(item).collect()
    }

    /// Returns the data of a file that a class in a source file embeds.
    pub(crate) fn embedded(path: &str, class: &str, bytes: Vec<u8>) -> Data {
        Data { symbol: Some(class.into()), ..Data::new(Rc::new([path.to_string()]), Item::Whole, bytes) }
    }

    /// Reports whether the data is a part of an input rather than a complete input.
    pub(crate) fn is_item(&self) -> bool {
        self.item != Item::Whole
    }
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) path: Rc<[String]>,
    pub(crate) abc: Abc,
}

#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The description of the input, such as `SWF 14, zlib`.
    pub(crate) kind: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) data: Vec<Data>,
    /// The paths and versions of the SWFs that are not nested in another SWF.
    pub(crate) swfs: Vec<(Vec<String>, u8)>,
    /// The paths of the parts that could not be read, with the reasons.
    pub(crate) warnings: Vec<(Vec<String>, String)>,
    limits: Limits,
    /// The number of bytes that may still be unpacked from all nested files in total.
    left: usize,
    /// The number of archived files that may still be read.
    entries: usize,
    /// The total length in bytes of all ABC blocks, and the memory in bytes that their lists occupy.
    code: usize,
    memory: usize,
}

/// The format of a file, detected from its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Swf,
    Zip,
    Abc,
    Tar,
    /// A signed SWF (SWZ).
    Signed,
    /// An executable, which may be a projector.
    Program(&'static str),
    Packed(Packing),
}

fn form(bytes: &[u8]) -> Option<Form> {
    match bytes {
        [b'F' | b'C' | b'Z', b'W', b'S', ..] => Some(Form::Swf),
        [b'P', b'K', 3, 4, ..] => Some(Form::Zip),
        // An ABC file begins with its minor and major version. AIR's newer compilers write version 47.
        [_, 0, 46 | 47, 0, ..] => Some(Form::Abc),
        _ if archive::is_tar(bytes) => Some(Form::Tar),
        _ if archive::is_signed(bytes) => Some(Form::Signed),
        _ => archive::executable(bytes).map(Form::Program).or_else(|| Packing::of(bytes).map(Form::Packed)),
    }
}

/// The memory that the lists of an input's blocks may occupy: a multiple of the blocks' length, or a minimum that is always
/// allowed. The lists occupy up to 6 times the length of the code in published SWFs with more than 60 KB of code, and up to 9
/// times in libraries of declarations.
const MEMORY: usize = 8;
const MEMORY_ANYWAY: usize = 16 << 20;

pub(crate) fn open(bytes: &[u8], limits: &Limits) -> Contents {
    let (left, entries, limits) = (most(bytes.len(), limits), limits.entries, limits.clone());
    let mut contents = Contents { left, entries, limits, ..Contents::default() };
    if let Some(kind) = contents.file(bytes, &[]) {
        contents.kind = kind;
        return contents;
    }
    let (kind, message) = strangers::kind_of(bytes);
    contents.kind = kind.to_string();
    contents.warnings.extend(message.map(|message| (Vec::new(), message)));
    contents.data.push(Data::new(Rc::new([]), Item::Whole, bytes.to_vec()));
    contents
}

impl Contents {
    fn warn(&mut self, path: &[String], message: impl Into<String>) {
        self.warnings.push((path.to_vec(), message.into()));
    }

    /// Reads a file, and returns a description of the file. Returns `None` if the format is unknown.
    fn file(&mut self, bytes: &[u8], path: &[String]) -> Option<String> {
        // The number of path elements is the nesting depth of the file.
        let (form, most) = (form(bytes), self.limits.nesting);
        if path.len() > most {
            return form.map(|_| {
                self.warn(path, format!("files are nested more than {most} levels deep; this file is not opened"));
                String::new()
            });
        }
        Some(match form {
            Some(Form::Swf) => self.swf(bytes, path),
            Some(Form::Zip) => self.zip(bytes, path),
            Some(Form::Abc) => {
                self.abc(bytes, path.into());
                "ABC".to_string()
            }
            Some(Form::Tar) => self.tar(bytes, path),
            Some(Form::Signed) => {
                let swf = archive::signed(bytes)?;
                with("SWZ", self.part(&swf, &deeper(path, "signed data".to_string())))
            }
            Some(Form::Program(kind)) => return self.program(kind, bytes, path),
            Some(Form::Packed(packing)) => {
                let found = unpack(packing, bytes, self.allowed(bytes));
                if !found.is_whole() && !found.is_over && packing != Packing::Gzip {
                    return self.unmarked(bytes, path);
                }
                self.contents_of(packing, found, bytes, path)
            }
            None => return self.unmarked(bytes, path),
        })
    }

    /// Reads a file that does not begin with a known signature: base64, a stream, or SWFs among other bytes.
    fn unmarked(&mut self, bytes: &[u8], path: &[String]) -> Option<String> {
        if let Some(found) = encoded::whole_base64(bytes) {
            // Base64 is opened here only if it encodes a file. Any other base64 is searched later, like source text.
            let path = deeper(path, "base64".to_string());
            return form(&found).and_then(|_| Some(with("base64", Some(self.file(&found, &path)?))));
        }
        if let Some((packing, found)) = encoded::inflate_whole(bytes, &mut self.allowed(bytes)) {
            return Some(self.contents_of(packing, found, bytes, path));
        }
        let found = self.swfs_in(bytes, path);
        if found.is_empty() {
            return None;
        }
        let (ranges, kinds): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        self.add_others(bytes, &ranges, path);
        Some(with("data", kinds.into_iter().flatten().next()))
    }

    /// Adds the bytes outside the given ranges as data. The bytes inside the ranges are set to zero, so that offsets stay the
    /// same.
    fn add_others(&mut self, bytes: &[u8], ranges: &[Range<usize>], path: &[String]) {
        let mut others = bytes.to_vec();
        for range in ranges {
            others.get_mut(range.clone()).unwrap_or_default().fill(0);
        }
        if others.iter().any(|byte| *byte != 0) {
            self.add(&path.into(), Item::Part, &others);
        }
    }

    /// Reads the unpacked contents of a stream, and returns a description of the stream and its contents.
    fn contents_of(&mut self, packing: Packing, found: Unpacked, bytes: &[u8], path: &[String]) -> String {
        let name = packing.name();
        if found.is_over {
            self.warn(path, too_long(found.bytes.len()));
            return name.to_string();
        }
        self.left = self.left.saturating_sub(found.bytes.len());
        if let Some(fault) = &found.fault {
            self.warn(path, damaged(name, found.bytes.len(), fault));
        }
        if found.length < bytes.len() {
            self.add_others(bytes, std::slice::from_ref(&(0..found.length)), path);
        }
        let path = deeper(path, name.to_string());
        with(name, self.part(&found.bytes, &path))
    }

    /// Reads a part of a file, and returns a description of the part. A part of unknown format is added as data.
    fn part(&mut self, bytes: &[u8], path: &[String]) -> Option<String> {
        let found = self.file(bytes, path);
        if found.is_none() {
            self.add(&path.into(), Item::Part, bytes);
        }
        found
    }

    /// Returns the maximum number of bytes to which the given bytes may be unpacked.
    fn allowed(&self, bytes: &[u8]) -> usize {
        self.left.min(most(bytes.len(), &self.limits))
    }

    /// Reads an executable: the SWF that a projector plays, or otherwise the zip archive or the SWFs in the executable. The
    /// executable's own bytes are searched only if it contains neither a SWF nor a zip archive.
    fn program(&mut self, kind: &'static str, bytes: &[u8], path: &[String]) -> Option<String> {
        if let Some(range) = archive::of_projector(bytes)
            && let Some(swf) = bytes.get(range.clone())
            && matches!(form(swf), Some(Form::Swf | Form::Abc))
        {
            let path = deeper(path, format!("SWF at {}", range.start));
            return Some(with(kind, self.file(swf, &path)));
        }
        // The executable may be a self-extracting archive.
        let end = bytes.get(bytes.len().saturating_sub(ZIP_END)..).unwrap_or(bytes);
        if end.windows(4).any(|window| window == b"PK\x05\x06") && zip::ZipArchive::new(io::Cursor::new(bytes)).is_ok()
        {
            return Some(with(kind, Some(self.zip(bytes, path))));
        }
        let found = self.swfs_in(bytes, path);
        if !found.is_empty() {
            return Some(with(kind, found.into_iter().find_map(|(_, inner)| inner)));
        }
        if path.is_empty() {
            let message = format!(
                "is {kind} without a SWF, so only its bytes are searched; an AIR application has its SWF in a file next to its \
                 program: name that file, or the folder"
            );
            self.warn(path, message);
            self.add(&path.into(), Item::Part, bytes);
            return Some(kind.to_string());
        }
        None
    }

    /// Reads the complete SWFs among other bytes, and returns the range and the description of each SWF.
    fn swfs_in(&mut self, bytes: &[u8], path: &[String]) -> Vec<(Range<usize>, Option<String>)> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some(rest) = bytes.get(at..)
            && let Some(start) = rest.windows(3).position(|head| matches!(head, [b'F' | b'C' | b'Z', b'W', b'S']))
        {
            at += start;
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(swf) = length_of_whole(rest, &mut self.left).and_then(|length| rest.get(..length)) else {
                at += 1;
                continue;
            };
            let inner = self.file(swf, &deeper(path, format!("SWF at {at}")));
            found.push((at..at + swf.len(), inner));
            at += swf.len();
        }
        found
    }

    fn abc(&mut self, bytes: &[u8], path: Rc<[String]>) {
        let code = self.code.saturating_add(bytes.len());
        let most = code.saturating_mul(MEMORY).max(MEMORY_ANYWAY);
        match Abc::read(bytes, most.saturating_sub(self.memory)) {
            Ok(abc) => {
                (self.code, self.memory) = (code, self.memory.saturating_add(abc.memory));
                self.blocks.push(Block { path, abc });
            }
            Err(problem) => self.warn(&path, format!("the ABC block is damaged: {problem}")),
        }
    }

    fn swf(&mut self, bytes: &[u8], path: &[String]) -> String {
        let version = bytes.get(3).copied().unwrap_or_default();
        if !self.swfs.iter().any(|(of, _)| path.starts_with(of)) {
            self.swfs.push((path.to_vec(), version));
        }
        let (name, body, problem) = match body_of(bytes, self.allowed(bytes)) {
            Ok(found) => found,
            Err(problem) => {
                self.warn(path, problem);
                return format!("SWF {version}");
            }
        };
        self.left = self.left.saturating_sub(body.len());
        problem.into_iter().for_each(|problem| self.warn(path, problem));
        let mut reader = Reader::new(&body, version);
        // The stage rectangle is followed by the frame rate and the number of frames.
        if reader.read_rectangle().is_err() || reader.read_u32().is_err() {
            self.warn(path, "the SWF's header is cut off");
        } else {
            self.tags(&mut reader, version, path);
        }
        format!("SWF {version}, {name}")
    }

    fn tags(&mut self, reader: &mut Reader<'_>, version: u8, path: &[String]) {
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
                self.warn(
                    path,
                    format!("tag {number} is cut off: only {} of its {length} bytes are present", tag.len()),
                );
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
            if reader.read_slice(tag.len()).is_err() {
                break;
            }
        }
        for at in first..self.data.len() {
            let Some(data) = self.data.get_mut(at) else { break };
            if let Item::Binary(id @ 1..) = data.item {
                data.symbol = symbols.get(&id).cloned();
            }
            let (bytes, path) = (mem::take(&mut data.bytes), data.path());
            let inner = self.data.len();
            let found = self.file(&bytes, &path);
            // Parts of an opened file inherit the name of the class that embeds the file, unless another class embeds the part
            // itself.
            let symbol = self.data.get(at).and_then(|data| data.symbol.clone());
            for data in self.data.iter_mut().skip(inner).filter(|data| data.item == Item::Part) {
                data.symbol = data.symbol.take().or_else(|| symbol.clone());
            }
            if let Some(data) = self.data.get_mut(at) {
                data.is_opened = found.is_some();
                // Code can read the bytes of an opened file only if a class embeds the file, so the bytes of other opened files
                // are dropped.
                if !data.is_opened || data.symbol.is_some() {
                    data.bytes = bytes;
                }
            }
        }
    }

    /// Adds a part of a file as data, unless the part is too short to contain a program.
    fn add(&mut self, file: &Rc<[String]>, item: Item, bytes: &[u8]) {
        if bytes.len() >= SHORTEST_TEXT {
            self.data.push(Data::new(file.clone(), item, bytes.to_vec()));
        }
    }

    fn zip(&mut self, bytes: &[u8], path: &[String]) -> String {
        let mut archive = match zip::ZipArchive::new(io::Cursor::new(bytes)) {
            Ok(archive) => archive,
            Err(error) => {
                self.warn(path, format!("the zip archive is damaged: {error}"));
                return "zip".to_string();
            }
        };
        let allowed = self.allowed(bytes);
        let (mut left, mut all) = (allowed, Entries::default());
        for at in 0..archive.len() {
            let file = match archive.by_index(at) {
                Ok(file) => file,
                Err(error) => {
                    all.unread.get_or_insert_with(|| format!("file {} of the archive cannot be read: {error}", at + 1));
                    continue;
                }
            };
            let name = file.name().map(|name| name.to_string()).unwrap_or_default();
            if file.is_dir() || !self.is_read(&name, &mut all) {
                continue;
            }
            let path = deeper(path, name.clone());
            let mut entry = Vec::new();
            let most = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
            if let Err(problem) = file.take(most).read_to_end(&mut entry) {
                self.warn(&path, format!("the file in the archive is damaged: {problem}"));
            }
            if entry.len() > left {
                self.warn(&path, too_long(allowed));
                continue;
            }
            left = left.saturating_sub(entry.len());
            self.left = self.left.saturating_sub(entry.len());
            let inner = self.part(&entry, &path);
            all.found(&name, inner);
        }
        self.finish_archive(path, all, "zip")
    }

    fn tar(&mut self, bytes: &[u8], path: &[String]) -> String {
        let (mut archive, mut all) = (tar::Archive::new(bytes), Entries::default());
        let entries = archive.entries().into_iter().flatten().map_while(Result::ok);
        let is_file = |entry: &tar::Entry<'_, _>| {
            matches!(entry.header().entry_type(), tar::EntryType::Regular | tar::EntryType::Continuous)
        };
        for entry in entries.filter(is_file) {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if !self.is_read(&name, &mut all) {
                continue;
            }
            let [start, length] =
                [entry.raw_file_position(), entry.size()].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
            let rest = bytes.get(start..).unwrap_or_default();
            let found = rest.get(..length).unwrap_or(rest);
            let path = deeper(path, name.clone());
            if found.len() < length {
                let missing = length - found.len();
                self.warn(&path, format!("the archive is cut off: {missing} bytes of this file are missing"));
            }
            let inner = self.part(found, &path);
            all.found(&name, inner);
        }
        self.finish_archive(path, all, "tar")
    }

    /// Reports whether an archived file should be read. Source files, files beyond the limit, and media files are skipped. Media
    /// files are recognised by their file extensions.
    fn is_read(&mut self, name: &str, all: &mut Entries) -> bool {
        if is_source(name) {
            all.sources += 1;
            return false;
        }
        // The entry for the package's hash always has a wrong checksum, because AIR's packager writes the hash after computing
        // the checksum.
        if name == "META-INF/AIR/hash" {
            return false;
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        if MEDIA.contains(&ending.as_str()) {
            return false;
        }
        match self.entries.checked_sub(1) {
            Some(left) => self.entries = left,
            None => all.left_out += 1,
        }
        all.left_out == 0
    }

    /// Warns about the files of an archive that were not read, and returns a description of the archive.
    fn finish_archive(&mut self, path: &[String], all: Entries, kind: &str) -> String {
        self.warnings.extend(all.unread.map(|message| (path.to_vec(), message)));
        if all.left_out > 0 {
            let message = format!(
                "{} files of the archive are not searched, because the limit on the number of files was reached",
                all.left_out
            );
            self.warn(path, message);
        }
        if all.sources > 0 {
            let message = format!(
                "{} ActionScript, Haxe or MXML files in the archive are not read; unpack the archive, and name the folder",
                all.sources
            );
            self.warn(path, message);
        }
        if all.is_swc {
            // The application that links a library determines the player version.
            self.swfs.retain(|(of, _)| !of.starts_with(path));
        }
        if all.is_swc { with("SWC", all.library) } else { kind.to_string() }
    }
}

#[derive(Debug, Default)]
struct Entries {
    is_swc: bool,
    /// The description of the SWF in a SWC.
    library: Option<String>,
    sources: usize,
    /// The number of archived files that were skipped because of the limit on archived files.
    left_out: usize,
    /// The reason why the first unreadable file of the archive cannot be read.
    unread: Option<String>,
}

impl Entries {
    fn found(&mut self, name: &str, inner: Option<String>) {
        self.is_swc |= name == "catalog.xml";
        if name == LIBRARY {
            self.library = inner;
        }
    }
}

/// The extensions of files that contain pictures, sounds, videos or fonts.
const MEDIA: [&str; 20] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "icns", "tga", "atf", "dds", "pvr", "mp3", "ogg", "wav", "m4a",
    "mp4", "flv", "ttf", "otf",
];

/// The maximum length of a zip archive's end-of-directory record, including its comment.
const ZIP_END: usize = 22 + 65_535;

/// Combines the descriptions of a container and its contents, as in `gzip with SWF 14, zlib`.
fn with(outer: &str, inner: Option<String>) -> String {
    match inner.filter(|inner| !inner.is_empty()) {
        Some(inner) => format!("{outer} with {inner}"),
        None => outer.to_string(),
    }
}

/// Returns the maximum unpacked length, in bytes, of a file with the given packed length.
fn most(length: usize, limits: &Limits) -> usize {
    length.saturating_mul(limits.ratio).max(1 << 20).min(limits.unpacked)
}
