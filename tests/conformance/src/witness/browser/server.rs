//! The server from which the browser's page requests work. The server implements the subset of HTTP that one browser needs, on
//! 127.0.0.1.
//!
//! Rule: every wait ends. A request for a job is answered after a while even if no job exists, a silent connection is closed, and
//! code that waits for the page sets a time limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time after which a request for a job is answered without a job.
const POLL: Duration = Duration::from_secs(10);
/// The time after which a silent connection is closed.
const SILENCE: Duration = Duration::from_secs(60);
/// The greatest accepted length of an answer, in bytes.
const LARGEST: u64 = 1 << 30;

/// A web page with its files, and the options that the browser needs to show the page.
#[derive(Debug)]
pub struct Page {
    /// The command-line options for this page, in addition to the options for every page.
    pub flags: &'static [&'static str],
    /// The page's files as triples: the path after `/`, the MIME type, and the content. The page itself has an empty path and
    /// comes first.
    pub files: &'static [(&'static str, &'static str, &'static str)],
}

/// The page's answer to a job.
#[derive(Debug)]
pub enum Answer {
    /// The bytes of a picture, in the format on which the page and its caller have agreed.
    Image(Vec<u8>),
    /// A description of the feature that the device lacks.
    Unsupported(String),
    /// The message of an error that must not happen.
    Broken(String),
}

#[derive(Default)]
struct State {
    /// The page's report about itself: the graphics device, or the reason why the page has none.
    ready: Option<Result<String, String>>,
    job: Option<Vec<u8>>,
    /// The number of the answered job, and the job's result.
    answer: Option<(u64, Answer)>,
    closed: bool,
}

/// Passes jobs from the witness to the page, and answers from the page to the witness.
#[derive(Default)]
pub(super) struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits until `take` returns a value, for at most `limit`, and returns early if `failed` returns a reason.
    fn wait<T>(
        &self,
        limit: Duration,
        mut take: impl FnMut(&mut State) -> Option<T>,
        mut failed: impl FnMut() -> Option<String>,
    ) -> Result<T, String> {
        let end = Instant::now() + limit;
        let mut state = self.state();
        loop {
            if let Some(taken) = take(&mut state) {
                return Ok(taken);
            }
            if state.closed {
                return Err("the server is closed".to_string());
            }
            if let Some(why) = failed() {
                return Err(why);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("no response within {} seconds", limit.as_secs_f32()));
            }
            let slice = left.min(Duration::from_millis(200));
            state = self.changed.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn ready(
        &self,
        limit: Duration,
        failed: impl FnMut() -> Option<String>,
    ) -> Result<Result<String, String>, String> {
        self.wait(limit, |state| state.ready.take(), failed)
    }

    pub(super) fn ask(
        &self,
        number: u64,
        job: Vec<u8>,
        limit: Duration,
        failed: impl FnMut() -> Option<String>,
    ) -> Result<Answer, String> {
        self.change(|state| (state.job, state.answer) = (Some(job), None));
        let take = |state: &mut State| state.answer.take().filter(|(of, _)| *of == number).map(|(_, answer)| answer);
        self.wait(limit, take, failed)
    }

    /// Ends all waiting requests immediately, and ends the server at its next connection.
    pub(super) fn close(&self) {
        self.change(|state| state.closed = true);
    }
}

/// Serves the page until the desk is closed. Each connection has its own thread, since the browser opens connections that it does
/// not use.
pub(super) fn serve(listener: &TcpListener, desk: &Arc<Desk>, page: &'static Page) {
    for stream in listener.incoming() {
        if desk.state().closed {
            return;
        }
        let Ok(stream) = stream else { continue };
        let desk = desk.clone();
        std::thread::spawn(move || {
            // The page usually reopens a broken connection; otherwise, the code that waits for the page times out.
            _ = connection(&stream, &desk, page);
        });
    }
}

fn connection(stream: &TcpStream, desk: &Desk, page: &Page) -> std::io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_string);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut length = 0;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = Vec::new();
    reader.take(length.min(LARGEST)).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Ok(()); // the connection was closed early
    }
    let path: Vec<&str> = path.split('/').skip(1).collect();
    let (status, kind, content) = match (method.as_str(), path.as_slice()) {
        ("GET", ["job"]) => match desk.wait(POLL, |state| state.job.take(), || None) {
            Ok(job) => ("200 OK", "application/octet-stream", job),
            Err(_) => ("204 No Content", "text/plain", Vec::new()),
        },
        ("POST", ["ready", how]) => {
            let text = text(&body);
            desk.change(|state| state.ready = Some(if *how == "yes" { Ok(text) } else { Err(text) }));
            ("204 No Content", "text/plain", Vec::new())
        }
        ("POST", ["answer", number, kind]) => {
            let answer = match *kind {
                "image" => Answer::Image(body),
                "unsupported" => Answer::Unsupported(text(&body)),
                _ => Answer::Broken(text(&body)),
            };
            // If the caller of an earlier job gave up, the answer to that job is ignored.
            desk.change(|state| state.answer = number.parse().ok().map(|number| (number, answer)));
            ("204 No Content", "text/plain", Vec::new())
        }
        ("GET", [name]) => match page.files.iter().find(|(file, ..)| file == name) {
            Some((_, kind, content)) => ("200 OK", *kind, content.as_bytes().to_vec()),
            None => ("404 Not Found", "text/plain", Vec::new()),
        },
        _ => ("404 Not Found", "text/plain", Vec::new()),
    };
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status}\r\nCache-Control: no-store\r\nConnection: close\r\n")?;
    if !content.is_empty() {
        write!(stream, "Content-Type: {kind}\r\nContent-Length: {}\r\n", content.len())?;
    }
    stream.write_all(b"\r\n")?;
    stream.write_all(&content)?;
    stream.flush()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
