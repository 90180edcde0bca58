//! The destination of messages: standard error as they arise, or a document at the end of the run.
//!
//! Rule: nothing else writes diagnostics and notes to standard error. Messages of a thread are held back while [`kept`]
//! runs, so that the messages of a batch can be in the order of its inputs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use agalc::render::codespan_reporting::term::termcolor::{Buffer, BufferWriter, ColorChoice};
use agalc::render::{Level, Problem};
use serde::Serialize;
use serde_json::Value;

use crate::args::{Detail, Format, Manners};
use crate::shown;

/// A message.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// A message about an input, as data and as text.
    Problem(Box<Problem>, Buffer),
    /// Text that is not a message of the run, and is not collected.
    Shown(Buffer),
    /// Text that an option requested.
    Text(String),
    /// Programs and varyings that are reported as JSON.
    Reported(Vec<Value>, Option<Value>),
    /// A file that was written.
    Wrote(Output),
    /// The shader of a batch that the next messages are about.
    About(String),
    /// The summary of a whole run.
    Done(String),
    /// The reason why the run ends, after its problems have been reported.
    Summary(String, Buffer),
}

/// The messages about a shader of a batch.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    said: Vec<Said>,
    /// The number of warnings among the messages, including those that are only counted.
    pub(crate) warnings: usize,
}

/// The number of warnings of each kind that a batch shows in full; further ones are counted, unless `--verbose` is
/// given.
const REPEATED: usize = 5;

/// The number of warnings of each kind in a batch.
#[derive(Debug, Default)]
pub(crate) struct Repeats(BTreeMap<String, usize>);

impl Repeats {
    /// Counts a message, and decides whether it is shown. An error always is.
    fn is_shown(&mut self, problem: &Problem) -> bool {
        let Some(code) = problem.code.as_ref().filter(|_| problem.severity == Level::Warning) else { return true };
        let count = self.0.entry(code.clone()).or_default();
        *count += 1;
        *count <= REPEATED || settings().detail == Detail::Verbose
    }

    /// The note about warnings that are not shown, if there are any.
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

/// A file that was written.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Output {
    pub(crate) file: String,
    pub(crate) what: String,
    pub(crate) bytes: usize,
}

/// The settings for showing messages.
#[derive(Clone, Copy, Debug)]
struct Settings {
    format: Format,
    detail: Detail,
    is_coloured: bool,
    /// Whether messages are also collected when they are shown as text.
    is_kept: bool,
}

const USUAL: Settings = Settings { format: Format::Text, detail: Detail::Usual, is_coloured: false, is_kept: false };

static SETTINGS: OnceLock<Settings> = OnceLock::new();
/// The name of standard input.
static STDIN: OnceLock<String> = OnceLock::new();
static SAID: Mutex<Vec<Said>> = Mutex::new(Vec::new());

thread_local! {
    /// The list of the shader that this thread handles. A shader is handled by one thread.
    static HELD: RefCell<Option<Messages>> = const { RefCell::new(None) };
}

/// Decides how messages are shown; the first call counts.
pub(crate) fn settle(manners: &Manners) {
    let settings = Settings {
        format: manners.format(),
        detail: manners.detail(),
        is_coloured: manners.is_coloured(),
        is_kept: manners.diagnostics.is_some(),
    };
    SETTINGS.get_or_init(|| settings);
    STDIN.get_or_init(|| manners.stdin_name.as_deref().map_or("<stdin>".into(), shown::name).into_owned());
}

/// Whether an input of this name is standard input.
pub(crate) fn is_stdin(name: &str) -> bool {
    STDIN.get().is_some_and(|stdin| stdin == name)
}

fn settings() -> Settings {
    SETTINGS.get().copied().unwrap_or(USUAL)
}

/// The form of reports and messages.
pub(crate) fn format() -> Format {
    settings().format
}

/// The amount of output.
pub(crate) fn detail() -> Detail {
    settings().detail
}

/// Whether messages become a document, which has all of them.
pub(crate) fn is_collected() -> bool {
    settings().is_kept || settings().format != Format::Text
}

/// A buffer for a message as text.
pub(crate) fn buffer() -> Buffer {
    writer().buffer()
}

fn writer() -> BufferWriter {
    BufferWriter::stderr(if settings().is_coloured { ColorChoice::Always } else { ColorChoice::Never })
}

/// Runs a function, and returns its messages instead of showing them.
pub(crate) fn kept<T>(run: impl FnOnce() -> T) -> (T, Messages) {
    let outer = HELD.with(|held| held.replace(Some(Messages::default())));
    let done = run();
    (done, HELD.with(|held| held.replace(outer)).unwrap_or_default())
}

/// Whether messages are held back, since they are about a shader of a batch.
pub(crate) fn is_held() -> bool {
    HELD.with_borrow(Option::is_some)
}

/// Counts warnings that are not shown.
pub(crate) fn count_warnings(count: usize) {
    HELD.with_borrow_mut(|held| {
        if let Some(held) = held {
            held.warnings += count;
        }
    });
}

impl Messages {
    /// Shows the messages about a shader with these files. Notes do not name the shader, so a line before them does.
    pub(crate) fn show(self, files: &[PathBuf], repeats: &mut Repeats) {
        let names: Vec<String> = files.iter().map(|path| shown::path(path)).collect();
        let is_nameless =
            |said: &Said| matches!(said, Said::Problem(of, _) if of.severity == Level::Note && of.file.is_none());
        if self.said.iter().any(is_nameless) {
            say(Said::About(format!("{}:", names.join(" "))));
        }
        for mut said in self.said {
            if let Said::Problem(problem, _) = &mut said
                && problem.file.is_none()
            {
                problem.file = names.first().cloned();
            }
            match &said {
                Said::Problem(problem, _) if !repeats.is_shown(problem) => deliver(said, false),
                _ => say(said),
            }
        }
    }
}

/// Handles a message: shows it, holds it back, or keeps it for the document.
pub(crate) fn say(said: Said) {
    let said = HELD.with(|held| match &mut *held.borrow_mut() {
        Some(held) => {
            held.warnings += usize::from(matches!(&said, Said::Problem(of, _) if of.severity == Level::Warning));
            held.said.push(said);
            None
        }
        None => Some(said),
    });
    said.into_iter().for_each(|said| deliver(said, true));
}

/// Says that a batch wrote a file. There are many files, so people see the message only with `--verbose`.
pub(crate) fn wrote_in_batch(output: Output) {
    deliver(Said::Wrote(output), settings().detail == Detail::Verbose);
}

/// Keeps a message for the document, and shows it as text if it is for people.
fn deliver(said: Said, is_for_people: bool) {
    let settings = settings();
    if settings.detail == Detail::Quiet && is_note(&said) {
        return;
    }
    if settings.format == Format::Text && is_for_people {
        show(&said);
    }
    if is_collected() {
        SAID.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }
}

/// Whether `--quiet` leaves it out.
fn is_note(said: &Said) -> bool {
    match said {
        Said::Wrote(_) | Said::Done(_) | Said::About(_) => true,
        Said::Problem(problem, _) => problem.severity == Level::Note,
        Said::Shown(_) | Said::Text(_) | Said::Reported(..) | Said::Summary(..) => false,
    }
}

/// Writes a message to standard error. If that is closed, the message is lost.
fn show(said: &Said) {
    let line = |text: &str| writeln!(std::io::stderr(), "{}", shown::text(text));
    let _ = match said {
        Said::Problem(_, text) | Said::Summary(_, text) | Said::Shown(text) => writer().print(text),
        Said::Text(text) | Said::Done(text) | Said::About(text) => line(text),
        Said::Reported(..) => Ok(()),
        Said::Wrote(Output { file, what, bytes }) => line(&format!("wrote {file} ({what}, {bytes} bytes)")),
    };
}

/// All messages so far.
pub(crate) fn all() -> Vec<Said> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
