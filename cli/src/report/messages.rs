//! The messages of a run, which are written to standard error immediately, or collected for a document at the end of the run.
//!
//! Rule: no other code writes diagnostics or notes to standard error. While [`captured`] runs a function, the messages of the
//! current thread are captured, so that the messages of a batch can be shown in the order of its inputs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use agalc::render::codespan_reporting::term::termcolor::{Buffer, BufferWriter, ColorChoice};
use agalc::render::shown;
use agalc::render::{Level, Problem};
use serde::Serialize;
use serde_json::Value;

use crate::args::{Detail, Format, MessageOptions};

#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A message about an input, as data and as text.
    Problem(Box<Problem>, Buffer),
    /// Text that is shown to people but omitted from documents.
    Shown(Buffer),
    Text(String),
    /// Checked programs as JSON, and the varyings of a pair.
    Reported(Vec<Value>, Option<Value>),
    Wrote(Output),
    /// A heading with the names of a shader's files, before the messages about that shader in a batch.
    About(String),
    /// The summary of a run.
    Done(String),
    /// The reason why the run ends, after its problems have been reported.
    Summary(String, Buffer),
}

/// The captured messages about one shader of a batch.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    list: Vec<Message>,
    /// The number of warnings, including warnings that are only counted.
    pub(crate) warnings: usize,
}

/// The maximum number of warnings with the same code that a batch shows without `--verbose`.
const REPEATED: usize = 5;

/// The number of warnings with each code in a batch.
#[derive(Debug, Default)]
pub(crate) struct Repeats(BTreeMap<String, usize>);

impl Repeats {
    /// Counts a warning, and returns whether the message is shown. Errors and notes are always shown.
    fn is_shown(&mut self, problem: &Problem) -> bool {
        let Some(code) = problem.code.as_ref().filter(|_| problem.severity == Level::Warning) else { return true };
        let count = self.0.entry(code.clone()).or_default();
        *count += 1;
        *count <= REPEATED || settings().detail == Detail::Verbose
    }

    /// Returns the note about warnings that are not shown, or `None` if all warnings are shown.
    pub(crate) fn note(&self) -> Option<String> {
        let further = |(code, count): (&String, &usize)| match count.saturating_sub(REPEATED) {
            0 => None,
            further => Some(format!("{further} of {code}")),
        };
        let all: Vec<String> = self.0.iter().filter_map(further).collect();
        let is_told = !all.is_empty() && settings().detail != Detail::Verbose;
        is_told.then(|| format!("further warnings are not shown: {}; `--verbose` shows all", all.join(", ")))
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Output {
    pub(crate) file: String,
    pub(crate) what: String,
    pub(crate) bytes: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Settings {
    format: Format,
    detail: Detail,
    is_coloured: bool,
    /// Whether all messages are collected for a document.
    is_collected: bool,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();
static STDIN: OnceLock<String> = OnceLock::new();
static SENT: Mutex<Vec<Message>> = Mutex::new(Vec::new());

thread_local! {
    /// The captured messages about the shader that the current thread processes; `None` outside a batch.
    static CAPTURED: RefCell<Option<Messages>> = const { RefCell::new(None) };
}

/// Configures how messages are shown. Only the first call has an effect.
pub(crate) fn configure(options: &MessageOptions) {
    let settings = Settings {
        format: options.format(),
        detail: options.detail(),
        is_coloured: options.is_coloured(),
        is_collected: options.diagnostics.is_some() || options.format() != Format::Text,
    };
    SETTINGS.get_or_init(|| settings);
    STDIN.get_or_init(|| options.stdin_name.as_deref().map_or("<stdin>".into(), shown::name).into_owned());
}

pub(crate) fn is_stdin(name: &str) -> bool {
    STDIN.get().is_some_and(|stdin| stdin == name)
}

fn settings() -> Settings {
    SETTINGS.get().copied().unwrap_or_default()
}

pub(crate) fn format() -> Format {
    settings().format
}

pub(crate) fn detail() -> Detail {
    settings().detail
}

pub(crate) fn is_collected() -> bool {
    settings().is_collected
}

/// Returns an empty buffer for the text of a message. The buffer keeps colours only if messages are coloured.
pub(crate) fn buffer() -> Buffer {
    writer().buffer()
}

fn writer() -> BufferWriter {
    BufferWriter::stderr(if settings().is_coloured { ColorChoice::Always } else { ColorChoice::Never })
}

/// Runs a function, and captures the function's messages instead of showing them.
pub(crate) fn captured<T>(run: impl FnOnce() -> T) -> (T, Messages) {
    let outer = CAPTURED.with(|captured| captured.replace(Some(Messages::default())));
    let done = run();
    (done, CAPTURED.with(|captured| captured.replace(outer)).unwrap_or_default())
}

pub(crate) fn is_captured() -> bool {
    CAPTURED.with_borrow(Option::is_some)
}

pub(crate) fn count_warnings(count: usize) {
    CAPTURED.with_borrow_mut(|captured| {
        if let Some(captured) = captured {
            captured.warnings += count;
        }
    });
}

impl Messages {
    /// Sends the captured messages about the shader with these files. If a note names no file, a heading with the file names
    /// comes first.
    pub(crate) fn show(self, files: &[PathBuf], repeats: &mut Repeats) {
        let names: Vec<String> = files.iter().map(|path| shown::path(path)).collect();
        let is_nameless = |message: &Message| match message {
            Message::Problem(problem, _) => problem.severity == Level::Note && problem.file.is_none(),
            _ => false,
        };
        if self.list.iter().any(is_nameless) {
            send(Message::About(format!("{}:", names.join(" "))));
        }
        for mut message in self.list {
            if let Message::Problem(problem, _) = &mut message
                && problem.file.is_none()
            {
                problem.file = names.first().cloned();
            }
            match &message {
                Message::Problem(problem, _) if !repeats.is_shown(problem) => deliver(message, false),
                _ => send(message),
            }
        }
    }
}

/// Sends a message, which is captured in a batch, and otherwise shown or collected.
pub(crate) fn send(message: Message) {
    let message = CAPTURED.with_borrow_mut(|captured| {
        let Some(captured) = captured else { return Some(message) };
        let is_warning = matches!(&message, Message::Problem(of, _) if of.severity == Level::Warning);
        captured.warnings += usize::from(is_warning);
        captured.list.push(message);
        None
    });
    if let Some(message) = message {
        deliver(message, true);
    }
}

/// Reports a file that a batch wrote. A batch writes many files, so the message is shown as text only with `--verbose`.
pub(crate) fn wrote_in_batch(output: Output) {
    deliver(Message::Wrote(output), settings().detail == Detail::Verbose);
}

/// Collects a message for the document. If `is_for_people` is true, the message is also shown as text.
fn deliver(message: Message, is_for_people: bool) {
    let settings = settings();
    if settings.detail == Detail::Quiet && is_note(&message) {
        return;
    }
    if settings.format == Format::Text && is_for_people {
        show(&message);
    }
    if settings.is_collected {
        SENT.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

/// Reports whether `--quiet` suppresses a message.
fn is_note(message: &Message) -> bool {
    match message {
        Message::Wrote(_) | Message::Done(_) | Message::About(_) => true,
        Message::Problem(problem, _) => problem.severity == Level::Note,
        Message::Shown(_) | Message::Text(_) | Message::Reported(..) | Message::Summary(..) => false,
    }
}

/// Writes a message to standard error. If standard error is closed, the message is lost.
fn show(message: &Message) {
    let line = |text: &str| writeln!(std::io::stderr(), "{}", shown::text(text));
    let _ = match message {
        Message::Problem(_, text) | Message::Summary(_, text) | Message::Shown(text) => writer().print(text),
        Message::Text(text) | Message::Done(text) | Message::About(text) => line(text),
        Message::Reported(..) => Ok(()),
        Message::Wrote(Output { file, what, bytes }) => line(&format!("wrote {file} ({what}, {bytes} bytes)")),
    };
}

pub(crate) fn all() -> Vec<Message> {
    SENT.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
