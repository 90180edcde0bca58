//! The files that a run reads and writes. The submodule `batch` covers the files of a batch.
//!
//! Rules: no output is a file that was read, and no two outputs are the same file. Nothing is written until every output has been
//! generated and is known to be writable. A plain file is written completely or not at all. Devices, pipes and descriptors from
//! the shell are never replaced. Outputs to devices, pipes and descriptors are written last, because such writes cannot be
//! undone.

mod batch;
mod destination;
mod stream;
mod temporary;

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use agalc::render::shown;
use anyhow::{Context, Result, anyhow};

use crate::args::Detail;
use crate::output::{PendingOutput, Sink, UsageError, usage};
use crate::report::{self, Message, Output};
use agalc::{Form, Input};
pub(crate) use batch::{BatchFiles, Outcome};
use destination::{Destination, Identity};
use stream::Stream;
use temporary::TemporaryFiles;

/// The maximum size of an input in bytes, larger than any program or picture.
pub(crate) const LARGEST_INPUT: u64 = 1 << 30;

/// The files of a run, or of one shader in a batch.
#[derive(Debug, Default)]
pub(crate) struct Files {
    read: RefCell<Vec<Identity>>,
    /// The paths of the files that were read, in the order of the first read.
    paths: RefCell<Vec<PathBuf>>,
    /// Whether standard input, which can be read only once, was read.
    stdin: Cell<bool>,
    /// The name that messages use for standard input.
    stdin_name: Option<String>,
    /// The file for messages, which must differ from every output.
    reserved: RefCell<Option<Sink>>,
    rewrites: Cell<bool>,
    /// The outputs of one shader in a batch, which the batch writes later; `None` outside a batch.
    kept: Option<RefCell<Vec<PendingOutput>>>,
}

impl Files {
    /// Creates an empty set of files, with the name that messages use for standard input.
    pub(crate) fn new(stdin_name: Option<String>) -> Files {
        Files { stdin_name, ..Files::default() }
    }

    /// Creates an empty set of files for one shader of a batch. The batch writes the shader's outputs later.
    fn of_batch() -> Files {
        Files { kept: Some(RefCell::default()), ..Files::default() }
    }

    /// Returns the paths of the files that were read, without duplicates and without standard input.
    pub(crate) fn paths_read(&self) -> Vec<PathBuf> {
        self.paths.borrow().clone()
    }

    /// Reads a file, or standard input if the path is `-`. A second read of standard input is an error.
    pub(crate) fn read(&self, path: &Path) -> Result<Input> {
        if path.as_os_str() == "-" {
            if self.stdin.replace(true) {
                return usage("`-` stands for standard input, which can be read only once; name a file instead");
            }
            let stdin = std::io::stdin();
            // A file that the shell opened as standard input counts as read, so that no output overwrites it.
            let found = stream::of_handle(&stdin);
            self.read.borrow_mut().extend(found.and_then(|found| Identity::new(None, Some(&found))));
            let name = self.stdin_name.as_deref().map_or("<stdin>".into(), shown::name);
            let bytes = all_of(stdin.lock(), 0).map_err(|error| report::unread(&name, &error))?;
            return Ok(reported(Input { name: name.into_owned(), bytes }));
        }
        let name = shown::path(path);
        let cannot = |error| report::unread(&name, &error);
        let file = File::open(path).map_err(cannot)?;
        let found = file.metadata().map_err(cannot)?;
        self.read.borrow_mut().extend(Identity::new(Some(path), Some(&found)));
        let mut paths = self.paths.borrow_mut();
        if !paths.iter().any(|read| read == path) {
            paths.push(path.to_path_buf());
        }
        let bytes = all_of(file, found.len()).map_err(cannot)?;
        Ok(reported(Input { name, bytes }))
    }

    /// Records a file that no output may replace, such as a file that other code reads.
    pub(crate) fn mark_read(&self, path: &Path) {
        let found = std::fs::metadata(path).ok();
        self.read.borrow_mut().extend(Identity::new(Some(path), found.as_ref()));
    }

    /// Writes outputs of a command that changes its inputs. An output may therefore replace a file that was read.
    pub(crate) fn rewrite(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        self.rewrites.set(true);
        let written = self.write(outputs);
        self.rewrites.set(false);
        written
    }

    fn is_read(&self, identity: &Identity) -> bool {
        self.read.borrow().iter().any(|read| read.is(identity))
    }

    /// Checks that outputs can be written, before the outputs are generated.
    pub(crate) fn check<'a>(&self, sinks: impl IntoIterator<Item = &'a Sink>) -> Result<()> {
        self.destinations(sinks).map(drop)
    }

    /// Resolves the destination of each output, and rejects duplicates and files that were read.
    fn destinations<'a>(&self, sinks: impl IntoIterator<Item = &'a Sink>) -> Result<Vec<Destination>> {
        let mut destinations: Vec<Destination> = Vec::new();
        let mut known: Vec<Identity> = Vec::new();
        if let Some(reserved) = &*self.reserved.borrow() {
            let identity = identity(&destination_of(reserved)?);
            if identity.iter().any(|identity| self.is_read(identity)) {
                return Err(overwritten(reserved).into());
            }
            known.extend(identity);
        }
        for sink in sinks {
            let destination = destination_of(sink)?;
            let name = sink.quoted();
            let twice = || UsageError(format!("{name} is named twice as an output"));
            // Several outputs may be written to one device, but not to one descriptor.
            if matches!(destination, Destination::Descriptor(_)) && destinations.contains(&destination) {
                return Err(twice().into());
            }
            if let Some(identity) = identity(&destination) {
                if self.is_read(&identity) && !self.rewrites.get() {
                    return Err(overwritten(sink).into());
                }
                if known.iter().any(|known| known.is(&identity)) {
                    return Err(twice().into());
                }
                known.push(identity);
            }
            destinations.push(destination);
        }
        Ok(destinations)
    }

    pub(crate) fn reserve(&self, path: &Path) -> Result<()> {
        let sink = Sink::new(path);
        self.check([&sink])?;
        self.reserved.replace(Some(sink));
        Ok(())
    }

    pub(crate) fn write_messages(&self, path: &Path, text: String) -> Result<()> {
        self.reserved.replace(None);
        self.write_text(Sink::new(path), "messages", text)
    }

    pub(crate) fn write_text(&self, sink: Sink, what: &str, text: String) -> Result<()> {
        self.write(vec![PendingOutput::text(sink, what, text)])
    }

    /// Writes every plain file under a temporary name, renames all plain files, and finally writes the streams.
    pub(crate) fn write(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().extend(outputs);
            return Ok(());
        }
        self.write_and(outputs, |output| report::send(wrote(output)))
    }

    pub(crate) fn write_quietly(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        self.write_and(outputs, |_| ())
    }

    /// Writes the outputs, and calls `tell` for each plain file that was written.
    fn write_and(&self, outputs: Vec<PendingOutput>, tell: impl Fn(&PendingOutput)) -> Result<()> {
        fail_when_too_large()?;
        let destinations = self.destinations(outputs.iter().map(|output| &output.sink))?;
        if let Some((output, _)) = outputs.iter().zip(&destinations).find(|(output, destination)| {
            **destination == Destination::Descriptor(1) && !output.is_text && Stream::Stdout.is_terminal()
        }) {
            return usage(format!(
                "{} is binary and cannot be shown on a terminal; use -o FILE or a pipe",
                output.what
            ));
        }
        let temporary = write_temporary(&outputs, &destinations)?;
        let streams = open_streams(&outputs, &destinations)?;
        if let Some(temporary) = temporary {
            temporary.finish(None).map_err(|(path, error)| {
                let is =
                    |destination: &Destination| matches!(destination, Destination::File(target) if target.path == path);
                let of = outputs.iter().zip(&destinations).find(|(_, destination)| is(destination));
                anyhow!(error).context(of.map_or(String::new(), |(output, _)| cannot_write(&output.sink)))
            })?;
        }
        for (output, _) in
            outputs.iter().zip(&destinations).filter(|(_, destination)| matches!(destination, Destination::File(_)))
        {
            tell(output);
        }
        write_streams(&outputs, &destinations, streams)
    }
}

fn overwritten(sink: &Sink) -> UsageError {
    UsageError(format!("{} is read and would be overwritten; name another output", sink.quoted()))
}

/// Reports the input if `--verbose` is given, and returns the input.
fn reported(input: Input) -> Input {
    if report::detail() == Detail::Verbose {
        let what = match agalc::detect_file(&input) {
            Form::Sdlbc => "an SDLSHADERBC file".to_string(),
            Form::ModuleText => "module text".to_string(),
            Form::Bytecode => "AGAL bytecode, or an unknown format".to_string(),
            form => form.to_string(),
        };
        report::note(&format!("read `{}` ({what}, {} bytes)", input.name, input.bytes.len()));
    }
    input
}

fn write_temporary(outputs: &[PendingOutput], destinations: &[Destination]) -> Result<Option<TemporaryFiles>> {
    let mut temporary = None;
    for (output, destination) in outputs.iter().zip(destinations) {
        let Destination::File(target) = destination else { continue };
        let temporary = match &mut temporary {
            Some(temporary) => temporary,
            none => none.insert(TemporaryFiles::new().context("cannot watch for signals")?),
        };
        temporary.add(target, &output.bytes, 0).with_context(|| cannot_write(&output.sink))?;
    }
    Ok(temporary)
}

/// Reads an input of at most [`LARGEST_INPUT`] bytes. `expected` is an estimate of the input's size in bytes.
fn all_of(from: impl Read, expected: u64) -> std::io::Result<Vec<u8>> {
    // The capacity exceeds the expected size by one byte, so that the end of the input is found without growing the buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(expected.min(1 << 20)).unwrap_or(0) + 1);
    let mut from = from.take(LARGEST_INPUT + 1);
    from.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST_INPUT {
        true => Err(std::io::Error::other(format!("it is larger than {LARGEST_INPUT} bytes"))),
        false => Ok(bytes),
    }
}

pub(crate) fn destination_of(sink: &Sink) -> Result<Destination> {
    match sink {
        Sink::Stdout => Ok(Destination::Descriptor(1)),
        Sink::File(path) => Destination::of(path).with_context(|| cannot_write(sink)),
    }
}

/// Reports whether a destination can accept several outputs. For a plain file, several files with derived names are written,
/// whereas a device receives the outputs one after another.
pub(crate) fn can_be_several(sink: &Sink) -> Result<bool> {
    Ok(match destination_of(sink)? {
        Destination::File(_) => true,
        Destination::Descriptor(_) => false,
        Destination::Stream(path) => is_device(&path),
    })
}

pub(crate) fn is_file(sink: &Sink) -> Result<bool> {
    Ok(matches!(destination_of(sink)?, Destination::File(_)))
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_: &Path) -> bool {
    false
}

fn identity(destination: &Destination) -> Option<Identity> {
    match destination {
        Destination::File(target) => Identity::new(Some(&target.path), std::fs::metadata(&target.path).ok().as_ref()),
        // The metadata of a stream is read through its path, because opening a pipe would wait for the pipe's other end.
        Destination::Stream(path) => {
            Identity::new(None, std::fs::metadata(path).ok().as_ref()).filter(|_| path.is_file())
        }
        Destination::Descriptor(_) => {
            let found = Stream::open(destination).ok().flatten()?.metadata()?;
            Identity::new(None, Some(&found))
        }
    }
}

/// Opens the streams before any file is renamed, so that a failure leaves every file unchanged.
fn open_streams(outputs: &[PendingOutput], destinations: &[Destination]) -> Result<Vec<Option<Stream>>> {
    let open = |(output, destination): (&PendingOutput, &Destination)| {
        Stream::open(destination).with_context(|| cannot_write(&output.sink))
    };
    outputs.iter().zip(destinations).map(open).collect()
}

fn write_streams(outputs: &[PendingOutput], destinations: &[Destination], streams: Vec<Option<Stream>>) -> Result<()> {
    for ((output, destination), stream) in outputs.iter().zip(destinations).zip(streams) {
        let Some(mut stream) = stream else { continue };
        let text = std::str::from_utf8(&output.bytes).ok().filter(|_| output.is_text && stream.is_terminal());
        let written = match text {
            Some(text) => stream.write(shown::text(text).as_bytes()),
            None => stream.write(&output.bytes),
        };
        match written {
            // If a stream's reader has closed the stream, the remaining outputs are still written.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => continue,
            written => written.with_context(|| cannot_write(&output.sink))?,
        }
        // A write to standard output is not reported.
        if *destination != Destination::Descriptor(1) {
            report::send(wrote(output));
        }
    }
    Ok(())
}

fn wrote(output: &PendingOutput) -> Message {
    Message::Wrote(output_of(output))
}

fn output_of(output: &PendingOutput) -> Output {
    Output { file: output.sink.name(), what: output.what.clone(), bytes: output.bytes.len() }
}

fn cannot_write(sink: &Sink) -> String {
    format!("cannot write {}", sink.quoted())
}

/// Makes a write beyond the limit of `ulimit -f` fail with an error instead of killing the process with a signal.
#[cfg(unix)]
fn fail_when_too_large() -> Result<()> {
    let exceeded = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded).context("cannot watch for signals").map(drop)
}

#[cfg(not(unix))]
fn fail_when_too_large() -> Result<()> {
    Ok(())
}
