//! The files that a run reads and writes. `batch.rs` has the files of a batch.
//!
//! Rules: no output is a file that was read, and no two outputs are the same file. Nothing is written until every output has been
//! generated and is known to be writable. A plain file is written completely or not at all. Any other output (a device, a pipe, a
//! descriptor from the shell) is never replaced; such outputs are written last, because writing to them cannot be undone.

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

/// The greatest size of an input, in bytes. No program or picture is larger.
pub(crate) const LARGEST_INPUT: u64 = 1 << 30;

/// The files of a run, or of one shader of a batch.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The files that were read.
    read: RefCell<Vec<Identity>>,
    /// Their paths, in the order of the first read.
    paths: RefCell<Vec<PathBuf>>,
    /// Whether standard input was read; it can be read only once.
    stdin: Cell<bool>,
    /// The name of standard input in messages.
    stdin_name: Option<String>,
    /// The file for messages, which must differ from every output.
    reserved: RefCell<Option<Sink>>,
    /// Whether outputs may replace files that were read.
    rewrites: Cell<bool>,
    /// In a batch, the outputs of this shader, which the batch writes.
    kept: Option<RefCell<Vec<PendingOutput>>>,
}

impl Files {
    /// Creates an empty set of files. `stdin_name` is the name of standard input in messages.
    pub(crate) fn new(stdin_name: Option<String>) -> Files {
        Files { stdin_name, ..Files::default() }
    }

    /// Creates an empty set of files for one shader of a batch. Its outputs are kept for the batch instead of written.
    fn of_batch() -> Files {
        Files { kept: Some(RefCell::default()), ..Files::default() }
    }

    /// The paths of the files that were read, each once. Standard input has none.
    pub(crate) fn paths_read(&self) -> Vec<PathBuf> {
        self.paths.borrow().clone()
    }

    /// Reads a file, or standard input for `-`. A second read of standard input is an error.
    pub(crate) fn read(&self, path: &Path) -> Result<Input> {
        if path.as_os_str() == "-" {
            if self.stdin.replace(true) {
                return usage("`-` stands for standard input, which can be read only once; name a file instead");
            }
            let stdin = std::io::stdin();
            // A file that the shell has opened counts as read, like any other.
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

    /// Records a file that other code reads, or that must not be overwritten.
    pub(crate) fn mark_read(&self, path: &Path) {
        let found = std::fs::metadata(path).ok();
        self.read.borrow_mut().extend(Identity::new(Some(path), found.as_ref()));
    }

    /// Writes outputs to files that were read, for a command that changes its inputs.
    pub(crate) fn rewrite(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        self.rewrites.set(true);
        let written = self.write(outputs);
        self.rewrites.set(false);
        written
    }

    fn is_read(&self, identity: &Identity) -> bool {
        self.read.borrow().iter().any(|read| read.is(identity))
    }

    /// Checks that outputs can be written, before they are generated.
    pub(crate) fn check<'a>(&self, sinks: impl IntoIterator<Item = &'a Sink>) -> Result<()> {
        self.destinations(sinks).map(drop)
    }

    /// Resolves the destination of each output. Refuses destinations that were read, and duplicates.
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
            let twice = || UsageError(format!("{name} is named as an output twice"));
            // A device may be written to several times, but a descriptor may not.
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

    /// Reserves a file for the messages of the run.
    pub(crate) fn reserve(&self, path: &Path) -> Result<()> {
        let sink = Sink::new(path);
        self.check([&sink])?;
        self.reserved.replace(Some(sink));
        Ok(())
    }

    /// Writes the messages of the run to their file.
    pub(crate) fn write_messages(&self, path: &Path, text: String) -> Result<()> {
        self.reserved.replace(None);
        self.write_text(Sink::new(path), "messages", text)
    }

    /// Writes a text.
    pub(crate) fn write_text(&self, sink: Sink, what: &str, text: String) -> Result<()> {
        self.write(vec![PendingOutput::text(sink, what, text)])
    }

    /// Writes the outputs. First writes every plain file under a temporary name, then renames all of them, and finally writes the
    /// streams.
    pub(crate) fn write(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().extend(outputs);
            return Ok(());
        }
        self.write_and(outputs, |output| report::send(wrote(output)))
    }

    /// Writes the outputs without reporting them.
    pub(crate) fn write_quietly(&self, outputs: Vec<PendingOutput>) -> Result<()> {
        self.write_and(outputs, |_| ())
    }

    /// Writes the outputs, and calls `tell` for each plain file.
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

/// The error for an output that would overwrite an input.
fn overwritten(sink: &Sink) -> UsageError {
    UsageError(format!("{} is read and would be overwritten; name another output", sink.quoted()))
}

/// Reports, with `--verbose`, an input that was read, and returns it.
fn reported(input: Input) -> Input {
    if report::detail() == Detail::Verbose {
        let what = match agalc::detect_file(&input) {
            Form::Sdlbc => "an SDLSHADERBC file".to_string(),
            Form::ModuleText => "module text".to_string(),
            Form::Bytecode => "AGAL bytecode, or not known".to_string(),
            form => form.to_string(),
        };
        report::note(&format!("read `{}` ({what}, {} bytes)", input.name, input.bytes.len()));
    }
    input
}

/// Writes the plain files under temporary names.
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

/// Reads an input of up to [`LARGEST_INPUT`] bytes; `expected` is its probable size.
fn all_of(from: impl Read, expected: u64) -> std::io::Result<Vec<u8>> {
    // With one more byte, the end of the input is found without another read. A large `expected` is not trusted.
    let mut bytes = Vec::with_capacity(usize::try_from(expected.min(1 << 20)).unwrap_or(0) + 1);
    let mut from = from.take(LARGEST_INPUT + 1);
    from.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST_INPUT {
        true => Err(std::io::Error::other(format!("it is larger than {LARGEST_INPUT} bytes"))),
        false => Ok(bytes),
    }
}

/// Resolves the destination of an output.
pub(crate) fn destination_of(sink: &Sink) -> Result<Destination> {
    match sink {
        Sink::Stdout => Ok(Destination::Descriptor(1)),
        Sink::File(path) => Destination::of(path).with_context(|| cannot_write(sink)),
    }
}

/// Whether several outputs can be written instead of this one: to files with derived names, or one after another to a device.
pub(crate) fn can_be_several(sink: &Sink) -> Result<bool> {
    Ok(match destination_of(sink)? {
        Destination::File(_) => true,
        Destination::Descriptor(_) => false,
        Destination::Stream(path) => is_device(&path),
    })
}

/// Whether an output is a plain file.
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
        // Opening a pipe would wait for its reader, and a plain file is identified without opening it.
        Destination::Stream(path) => {
            Identity::new(None, std::fs::metadata(path).ok().as_ref()).filter(|_| path.is_file())
        }
        Destination::Descriptor(_) => {
            let found = Stream::open(destination).ok().flatten()?.metadata()?;
            Identity::new(None, Some(&found))
        }
    }
}

/// Opens the streams. This happens before any file is renamed.
fn open_streams(outputs: &[PendingOutput], destinations: &[Destination]) -> Result<Vec<Option<Stream>>> {
    let open = |(output, destination): (&PendingOutput, &Destination)| {
        Stream::open(destination).with_context(|| cannot_write(&output.sink))
    };
    outputs.iter().zip(destinations).map(open).collect()
}

/// Writes the outputs that go to streams.
fn write_streams(outputs: &[PendingOutput], destinations: &[Destination], streams: Vec<Option<Stream>>) -> Result<()> {
    for ((output, destination), stream) in outputs.iter().zip(destinations).zip(streams) {
        let Some(mut stream) = stream else { continue };
        let text = std::str::from_utf8(&output.bytes).ok().filter(|_| output.is_text && stream.is_terminal());
        let written = match text {
            Some(text) => stream.write(shown::text(text).as_bytes()),
            None => stream.write(&output.bytes),
        };
        match written {
            // The reader of this stream has closed it; the other outputs are still written.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => continue,
            written => written.with_context(|| cannot_write(&output.sink))?,
        }
        // Outputs to standard output are not reported.
        if *destination != Destination::Descriptor(1) {
            report::send(wrote(output));
        }
    }
    Ok(())
}

fn wrote(output: &PendingOutput) -> Message {
    Message::Wrote(output_of(output))
}

/// Describes an output for messages.
fn output_of(output: &PendingOutput) -> Output {
    Output { file: output.sink.name(), what: output.what.clone(), bytes: output.bytes.len() }
}

fn cannot_write(sink: &Sink) -> String {
    format!("cannot write {}", sink.quoted())
}

/// Makes a write beyond the limit of `ulimit -f` fail with an error. Without a handler, the system's signal kills the process.
#[cfg(unix)]
fn fail_when_too_large() -> Result<()> {
    let exceeded = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded).context("cannot watch for signals").map(drop)
}

#[cfg(not(unix))]
fn fail_when_too_large() -> Result<()> {
    Ok(())
}
