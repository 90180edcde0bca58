//! Every file that a run reads and writes, in one place.
//!
//! Rules: no output is a file that was read, and no two outputs are one file. Nothing is written before everything is made and
//! can be written. A plain file appears whole or not at all; anything else (a device, a pipe, a descriptor that the shell gave) is
//! written to and never replaced, and comes last, as it cannot be taken back.

mod place;
mod stream;
mod unfinished;

use std::cell::RefCell;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::output::{Made, Sink, UsageError};
use crate::{report, shown};
use load::Input;
use place::{Identity, Place};
use stream::Stream;
use unfinished::Unfinished;

/// Larger inputs are not read: none is a program or a picture.
pub(crate) const LARGEST_INPUT: u64 = 1 << 30;

/// The files of a run.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Those that were read.
    read: RefCell<Vec<Identity>>,
}

impl Files {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(&self, path: &Path) -> Result<Input> {
        if path.as_os_str() == "-" {
            let stdin = std::io::stdin();
            // What the shell opened is a file that is read, like any other.
            let found = stream::of_handle(&stdin);
            self.read.borrow_mut().extend(found.and_then(|found| Identity::new(None, Some(&found))));
            let bytes = all_of(stdin.lock()).context("cannot read standard input")?;
            return Ok(Input { name: "<stdin>".into(), bytes });
        }
        let name = shown::path(path);
        let cannot = || format!("cannot read `{name}`");
        let file = File::open(path).with_context(cannot)?;
        let found = file.metadata().with_context(cannot)?;
        self.read.borrow_mut().extend(Identity::new(Some(path), Some(&found)));
        let bytes = all_of(file).with_context(cannot)?;
        Ok(Input { name, bytes })
    }

    /// Takes note of a file that somebody else reads for this run.
    pub(crate) fn is_read(&self, path: &Path) {
        let found = std::fs::metadata(path).ok();
        self.read.borrow_mut().extend(Identity::new(Some(path), found.as_ref()));
    }

    /// Says what stands in the way of outputs, before they are made.
    pub(crate) fn check<'a>(&self, sinks: impl IntoIterator<Item = &'a Sink>) -> Result<()> {
        self.places(sinks).map(drop)
    }

    /// Where each output goes, if it may.
    fn places<'a>(&self, sinks: impl IntoIterator<Item = &'a Sink>) -> Result<Vec<Place>> {
        let mut places: Vec<Place> = Vec::new();
        let mut known: Vec<Identity> = Vec::new();
        for sink in sinks {
            let place = place_of(sink)?;
            let name = sink.quoted();
            let twice = || UsageError(format!("{name} is to be written twice"));
            // A device takes as much as it is given.
            if matches!(place, Place::Descriptor(_)) && places.contains(&place) {
                return Err(twice().into());
            }
            if let Some(identity) = identity(&place) {
                if self.read.borrow().iter().any(|read| read.is(&identity)) {
                    let message = format!("{name} is read and would be overwritten; name another output");
                    return Err(UsageError(message).into());
                }
                if known.iter().any(|known| known.is(&identity)) {
                    return Err(twice().into());
                }
                known.push(identity);
            }
            places.push(place);
        }
        Ok(places)
    }

    /// Writes what was made: first every file beside its place, then, when all of them are whole, to its place, then the streams.
    pub(crate) fn write(&self, made: Vec<Made>) -> Result<()> {
        fail_when_too_large()?;
        let places = self.places(made.iter().map(|made| &made.sink))?;
        if let Some((made, _)) = made
            .iter()
            .zip(&places)
            .find(|(made, place)| **place == Place::Descriptor(1) && !made.is_text && Stream::Stdout.is_terminal())
        {
            let message = format!("{} is binary; name a file with -o, or pipe it somewhere", made.what);
            return Err(UsageError(message).into());
        }
        let unfinished = beside(&made, &places)?;
        let streams = opened(&made, &places)?;
        if let Some(unfinished) = unfinished {
            unfinished.finish().map_err(|(path, error)| {
                let is = |place: &Place| matches!(place, Place::File(target) if target.path == path);
                let of = made.iter().zip(&places).find(|(_, place)| is(place));
                anyhow!(error).context(of.map_or(String::new(), |(made, _)| cannot_write(&made.sink)))
            })?;
        }
        for (made, _) in made.iter().zip(&places).filter(|(_, place)| matches!(place, Place::File(_))) {
            report::note(&said(made));
        }
        flow(&made, &places, streams)
    }
}

/// Writes the plain files, each beside its place.
fn beside(made: &[Made], places: &[Place]) -> Result<Option<Unfinished>> {
    let mut unfinished = None;
    for (made, place) in made.iter().zip(places) {
        let Place::File(target) = place else { continue };
        let unfinished = match &mut unfinished {
            Some(unfinished) => unfinished,
            none => none.insert(Unfinished::new().context("cannot watch for signals")?),
        };
        unfinished.add(target, &made.bytes).with_context(|| cannot_write(&made.sink))?;
    }
    Ok(unfinished)
}

/// All the bytes of an input, unless they are too many.
fn all_of(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut from = from.take(LARGEST_INPUT + 1);
    from.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST_INPUT {
        true => Err(std::io::Error::other(format!("it has more than {LARGEST_INPUT} bytes"))),
        false => Ok(bytes),
    }
}

/// Where an output goes.
pub(crate) fn place_of(sink: &Sink) -> Result<Place> {
    match sink {
        Sink::Stdout => Ok(Place::Descriptor(1)),
        Sink::File(path) => Place::of(path).with_context(|| cannot_write(sink)),
    }
}

/// Whether an output is a file, or a device that takes anything: two outputs can take its place.
pub(crate) fn can_be_two(sink: &Sink) -> Result<bool> {
    Ok(match place_of(sink)? {
        Place::File(_) => true,
        Place::Descriptor(_) => false,
        Place::Stream(path) => is_device(&path),
    })
}

/// Whether an output is a plain file, beside which another can stand.
pub(crate) fn is_file(sink: &Sink) -> Result<bool> {
    Ok(matches!(place_of(sink)?, Place::File(_)))
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

fn identity(place: &Place) -> Option<Identity> {
    match place {
        Place::File(target) => Identity::new(Some(&target.path), std::fs::metadata(&target.path).ok().as_ref()),
        // Opening a pipe would wait for its reader, and what is said of a plain file is known without it.
        Place::Stream(path) => Identity::new(None, std::fs::metadata(path).ok().as_ref()).filter(|_| path.is_file()),
        Place::Descriptor(_) => {
            let found = Stream::open(place).ok().flatten()?.metadata()?;
            Identity::new(None, Some(&found))
        }
    }
}

/// The streams, each opened before a file is moved to its place.
fn opened(made: &[Made], places: &[Place]) -> Result<Vec<Option<Stream>>> {
    let open = |(made, place): (&Made, &Place)| Stream::open(place).with_context(|| cannot_write(&made.sink));
    made.iter().zip(places).map(open).collect()
}

/// Writes to the streams.
fn flow(made: &[Made], places: &[Place], streams: Vec<Option<Stream>>) -> Result<()> {
    for ((made, place), stream) in made.iter().zip(places).zip(streams) {
        let Some(mut stream) = stream else { continue };
        let text = std::str::from_utf8(&made.bytes).ok().filter(|_| made.is_text && stream.is_terminal());
        let written = match text {
            Some(text) => stream.write(shown::text(text).as_bytes()),
            None => stream.write(&made.bytes),
        };
        match written {
            // Its reader has left, and the other outputs have theirs.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => continue,
            written => written.with_context(|| cannot_write(&made.sink))?,
        }
        // What goes to standard output is not commented.
        if *place != Place::Descriptor(1) {
            report::note(&said(made));
        }
    }
    Ok(())
}

fn said(made: &Made) -> String {
    format!("wrote {} ({}, {} bytes)", made.sink.name(), made.what, made.bytes.len())
}

fn cannot_write(sink: &Sink) -> String {
    format!("cannot write {}", sink.quoted())
}

/// A file that grows beyond what the user's limit allows (`ulimit -f`) ends a program; here the write fails like any other.
#[cfg(unix)]
fn fail_when_too_large() -> Result<()> {
    let exceeded = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded).context("cannot watch for signals").map(drop)
}

#[cfg(not(unix))]
fn fail_when_too_large() -> Result<()> {
    Ok(())
}
