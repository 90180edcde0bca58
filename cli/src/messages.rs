//! Where messages go: to standard error at once, or, while a shader of a batch is handled, to a list that the batch shows later.
//!
//! Rule: nothing else writes diagnostics and notes to standard error, so that those of a batch can be in the order of its inputs.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};

use codespan_reporting::term::termcolor::{Buffer, BufferWriter, ColorChoice};

/// What was said about a shader.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    said: Vec<Buffer>,
    /// How many warnings are among it, those that are only counted included.
    pub(crate) warnings: usize,
    /// Whether notes are among it, which do not say what they are about.
    pub(crate) has_notes: bool,
}

thread_local! {
    /// The list of the shader that this thread handles. A shader is handled by one thread.
    static KEPT: RefCell<Option<Messages>> = const { RefCell::new(None) };
}

/// Runs something, and returns what it said in place of showing it.
pub(crate) fn kept<T>(run: impl FnOnce() -> T) -> (T, Messages) {
    KEPT.with_borrow_mut(|kept| *kept = Some(Messages::default()));
    let done = run();
    (done, KEPT.with_borrow_mut(Option::take).unwrap_or_default())
}

/// Says what `write` writes, now or later. If standard error is closed, it is lost.
pub(crate) fn say(write: impl FnOnce(&mut Buffer) -> std::io::Result<()>) {
    let writer = writer();
    let mut text = writer.buffer();
    // A buffer takes everything.
    let _ = write(&mut text);
    KEPT.with_borrow_mut(|kept| match kept {
        Some(kept) => kept.said.push(text),
        None => drop(writer.print(&text)),
    });
}

/// Says a line that does not name the shader that it is about.
pub(crate) fn note(line: &str) {
    KEPT.with_borrow_mut(|kept| {
        if let Some(kept) = kept {
            kept.has_notes = true;
        }
    });
    say(|text| writeln!(text, "{line}"));
}

/// Counts warnings.
pub(crate) fn count_warnings(count: usize) {
    KEPT.with_borrow_mut(|kept| {
        if let Some(kept) = kept {
            kept.warnings += count;
        }
    });
}

impl Messages {
    /// Shows what was said.
    pub(crate) fn show(&self) {
        let writer = writer();
        self.said.iter().for_each(|text| drop(writer.print(text)));
        let _ = std::io::stderr().flush();
    }
}

fn writer() -> BufferWriter {
    BufferWriter::stderr(if std::io::stderr().is_terminal() { ColorChoice::Auto } else { ColorChoice::Never })
}
