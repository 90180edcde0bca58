//! The WebGPU implementation of headless Chromium (Dawn on SwiftShader), which draws and computes with our WGSL.
//!
//! One browser draws many pictures. The browser's page requests jobs from a server in this process. `page.js` describes the
//! format of a job.
//!
//! Rule: if the browser fails, no wait lasts forever, and no process or file is left behind. The browser's processes end no later
//! than this process, and the browser's folder is removed when the witness is dropped.

mod bytes;
mod job;
mod server;

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use sdlbc::Type;
use sdlbc_interp::{Draw, Image};
use tempfile::TempDir;

use crate::dispatch::{Dispatch, Dispatcher, Memory};
use crate::{Failure, Witness};
pub use bytes::Bytes;
use server::Desk;
pub use server::{Answer, Page};

/// The name of Chromium's program in Debian's package.
pub const PROGRAM: &str = "chromium";
const START: Duration = Duration::from_secs(60);
const PICTURE: Duration = Duration::from_secs(60);

/// The page that draws with WebGPU on SwiftShader, a software renderer.
const PAGE: Page = Page {
    flags: &["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
    files: &[
        ("", "text/html", include_str!("browser/page.html")),
        ("page.js", "text/javascript", include_str!("browser/page.js")),
    ],
};

/// The options for every page. The sandbox is off because Chromium refuses to run a sandbox as root, and network access is
/// limited to the page.
const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu-watchdog",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-extensions",
    "--disable-quic",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
];

/// A witness that draws with Chromium, which keeps running for any number of pictures.
pub struct Browser {
    program: String,
    limit: Duration,
    device: String,
    /// The running browser; `None` after a failure, until the next picture starts another browser.
    session: Option<Session>,
    jobs: u64,
}

impl Browser {
    /// Starts Chromium.
    ///
    /// # Errors
    /// Returns an error if Chromium is not installed, does not start within a minute, or has no WebGPU.
    pub fn start() -> Result<Browser, String> {
        Browser::start_program(PROGRAM)
    }

    /// Starts the browser `program` with the same options as Chromium.
    ///
    /// # Errors
    /// Returns the same errors as [`Browser::start`].
    pub fn start_program(program: &str) -> Result<Browser, String> {
        super::mesa::switch();
        let (session, device) = Session::start(program, &PAGE)?;
        Ok(Browser { program: program.to_string(), limit: PICTURE, device, session: Some(session), jobs: 0 })
    }

    /// Returns a description of the browser and its graphics device.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Returns the folder that contains the running browser's files, or `None` if no browser is running.
    pub fn folder(&self) -> Option<&Path> {
        self.session.as_ref().map(|session| session.folder.path())
    }

    /// Sets the time limit of a picture, which is a minute by default.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Draws with the given WGSL instead of the WGSL translated from the module.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the device lacks a feature, or if the browser rejects the WGSL or exceeds the time limit.
    pub fn draw_text(&mut self, draw: &Draw, wgsl: &str) -> Result<Image, Failure> {
        self.jobs += 1;
        let job = job::job(self.jobs, draw, wgsl)?;
        job::image(draw, &self.ask(job)?)
    }

    /// Returns the page's answer to the job with the current number. Starts a browser if none is running.
    fn ask(&mut self, job: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session::start(&self.program, &PAGE).map_err(Failure::Broken)?.0),
        };
        match session.ask(self.jobs, job, self.limit) {
            Ok(Answer::Image(bytes)) => Ok(bytes),
            Ok(Answer::Unsupported(why)) => Err(Failure::Unsupported(why)),
            Ok(Answer::Broken(why)) => Err(Failure::Broken(why)),
            Err(why) => {
                // Dropping the session abandons the browser's current work, and the next picture starts a new browser.
                self.session = None;
                Err(Failure::Broken(why))
            }
        }
    }
}

impl Witness for Browser {
    fn name(&self) -> String {
        "Chromium, WGSL".to_string()
    }

    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure> {
        let wgsl = backends::wgsl(&draw.module, &backends::Layout::default()).map_err(Failure::from)?;
        self.draw_text(draw, &wgsl)
    }

    /// SwiftShader snaps the corners of triangles to four fractional bits.
    fn subpixel_bits(&self) -> Option<u32> {
        Some(4)
    }
}

impl Dispatcher for Browser {
    fn name(&self) -> String {
        Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure> {
        // At the edges of a cube's faces, SwiftShader's compute functions read values below the lowest texel: 0.187 where the
        // lowest texel is 0.25.
        let is_cube = |ty| matches!(ty, Type::Texture(dimension, _) if dimension.is_cube());
        if dispatch.module.functions.iter().flat_map(|one| &one.inputs).any(|input| is_cube(input.ty)) {
            return Err(Failure::Unsupported("edges of a cube's faces, in SwiftShader's compute functions".into()));
        }
        let wgsl = backends::wgsl(&dispatch.module, &backends::Layout::default());
        let wgsl = wgsl.map_err(Failure::from)?;
        self.jobs += 1;
        let job = job::dispatch(self.jobs, dispatch, &wgsl)?;
        job::memory(dispatch, &self.ask(job)?)
    }
}

/// A running browser and the server for its page. Dropping the session ends the browser and removes its files.
pub struct Session {
    desk: Arc<Desk>,
    address: std::net::SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Session {
    /// Starts a browser with a page. Also returns the page's description of its graphics device.
    ///
    /// # Errors
    /// Returns an error if the browser is not installed, does not start within a minute, or cannot draw.
    pub fn start(program: &str, page: &'static Page) -> Result<(Session, String), String> {
        let failed = |error: std::io::Error| format!("{program} cannot be started: {error}");
        let folder = TempDir::new().map_err(failed)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut command = command(program, page.flags, folder.path(), &format!("http://{address}/")).map_err(failed)?;
        let desk = Arc::new(Desk::default());
        let (send, receive) = mpsc::channel();
        let at_desk = desk.clone();
        std::thread::spawn(move || {
            // The kernel kills the browser when the thread that started it ends, so the server's thread, which lives long enough,
            // starts the browser.
            let started = command.spawn();
            let serves = started.is_ok();
            if send.send(started).is_ok() && serves {
                server::serve(&listener, &at_desk, page);
            }
        });
        let process = receive.recv().map_err(|_| format!("{program} cannot be started"))?;
        let process = process.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("{program} is not installed: install the package chromium")
            }
            _ => failed(error),
        })?;
        let mut session = Session { desk, address, process, folder };
        let ready = session.desk.ready(START, exited(&mut session.process));
        match ready {
            Ok(Ok(device)) => Ok((session, device)),
            Ok(Err(why)) => Err(session.with_tail(&format!("{program} cannot draw: {why}"))),
            Err(why) => Err(session.with_tail(&format!("{program} does not start: {why}"))),
        }
    }

    /// Hands a job to the page and waits for the answer.
    ///
    /// # Errors
    /// Returns an error if the browser has exited, or if the time limit has passed.
    pub fn ask(&mut self, number: u64, job: Vec<u8>, limit: Duration) -> Result<Answer, String> {
        let answer = self.desk.ask(number, job, limit, exited(&mut self.process));
        answer.map_err(|why| self.with_tail(&format!("the browser returned no picture: {why}")))
    }

    /// Appends the last 20 lines of the browser's output to an error message, except lines about a missing desktop bus.
    fn with_tail(&self, why: &str) -> String {
        let output = std::fs::read(self.folder.path().join("output")).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let lines: Vec<&str> = output.lines().filter(|line| !line.contains("dbus/")).collect();
        let tail = lines.get(lines.len().saturating_sub(20)..).unwrap_or_default().join("\n");
        if tail.is_empty() { why.to_string() } else { format!("{why}\nits output ends with:\n{tail}") }
    }
}

fn exited(process: &mut Child) -> impl FnMut() -> Option<String> {
    || match process.try_wait() {
        Ok(Some(status)) => Some(format!("it has exited ({status})")),
        _ => None,
    }
}

/// Creates the browser's command line. The browser keeps its files in the folder, and writes its output to the folder's file
/// `output`.
fn command(program: &str, flags: &[&str], folder: &Path, page: &str) -> std::io::Result<Command> {
    let output = File::create(folder.join("output"))?;
    let profile = folder.join("profile");
    let mut command = Command::new(program);
    command.args(FLAGS).args(flags);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(page);
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(variable, folder);
    }
    command.process_group(0);
    // SAFETY: between fork and exec the closure makes one system call and allocates nothing.
    unsafe {
        command.pre_exec(|| match prctl(PR_SET_PDEATHSIG, SIGKILL) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    Ok(command)
}

/// Reports whether any process of a group is running. A zombie process does not count.
fn runs(group: i32) -> bool {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok()).any(|stat| {
        // In `/proc/PID/stat`, the process's state, parent and group follow the name in parentheses.
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        let words: Vec<&str> = rest.split_whitespace().take(3).collect();
        matches!(words[..], [state, _, of] if !matches!(state, "Z" | "X") && of.parse() == Ok(group))
    })
}

impl Drop for Session {
    /// Kills the browser and every process that the browser started, then closes the server and removes the folder.
    fn drop(&mut self) {
        let group = i32::try_from(self.process.id()).unwrap_or(0);
        let end = Instant::now() + Duration::from_secs(5);
        if group > 1 {
            // SAFETY: `kill` is a plain system call, and the process group was created for our child process.
            _ = unsafe { kill(-group, SIGKILL) };
        }
        _ = self.process.wait();
        // The processes that the browser started are not our children, so this process cannot wait for their exit status.
        while runs(group) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.desk.close();
        // The connection wakes the server, which then notices that the desk is closed.
        _ = std::net::TcpStream::connect(self.address);
    }
}

const SIGKILL: i32 = 9;
const PR_SET_PDEATHSIG: i32 = 1;

// The standard library links the C library, which defines these functions.
unsafe extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn prctl(option: i32, ...) -> i32;
}
