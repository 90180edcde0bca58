//! The WebGPU of headless Chromium (Dawn on SwiftShader), which draws and computes with our WGSL.
//!
//! One browser is started for many pictures. Its page requests jobs from a server in this process; `page.js` describes a job. Rule:
//! if the browser fails, nothing waits forever and nothing is left behind: the browser's processes end at the latest with this
//! process, and its folder is removed with the witness.

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

/// The program's name in Debian's package.
pub const PROGRAM: &str = "chromium";
/// Time limit for starting the browser.
const START: Duration = Duration::from_secs(60);
/// The default time limit of a picture.
const PICTURE: Duration = Duration::from_secs(60);

/// The page that draws with WebGPU, on the processor.
const PAGE: Page = Page {
    flags: &["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
    files: &[
        ("", "text/html", include_str!("browser/page.html")),
        ("page.js", "text/javascript", include_str!("browser/page.js")),
    ],
};

/// No sandbox, since the sandbox does not work as root, and no network access apart from the page.
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

/// Chromium, kept running for any number of pictures.
pub struct Browser {
    program: String,
    limit: Duration,
    device: String,
    /// The running browser; `None` after one was killed, until the next picture.
    session: Option<Session>,
    jobs: u64,
}

impl Browser {
    /// Starts Chromium.
    ///
    /// # Errors
    /// Chromium is not installed, does not start within a minute, or has no WebGPU.
    pub fn start() -> Result<Browser, String> {
        Browser::start_program(PROGRAM)
    }

    /// Starts another browser with the same options as Chromium.
    ///
    /// # Errors
    /// See [`Browser::start`].
    pub fn start_program(program: &str) -> Result<Browser, String> {
        super::mesa::switch();
        let (session, device) = Session::start(program, &PAGE)?;
        Ok(Browser { program: program.to_string(), limit: PICTURE, device, session: Some(session), jobs: 0 })
    }

    /// The browser's description of its device and of itself.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// The folder of the running browser's files.
    pub fn folder(&self) -> Option<&Path> {
        self.session.as_ref().map(|session| session.folder.path())
    }

    /// Sets the time limit of a picture; the default is a minute.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Draws with a given WGSL text instead of the module's.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn draw_text(&mut self, draw: &Draw, wgsl: &str) -> Result<Image, Failure> {
        self.jobs += 1;
        let job = job::job(self.jobs, draw, wgsl)?;
        job::image(draw, &self.ask(job)?)
    }

    /// The page's answer to the job with the current number, as bytes.
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
                // The browser's current work is abandoned. The next picture starts a new browser.
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

    /// The precision of SwiftShader.
    fn subpixel_bits(&self) -> Option<u32> {
        Some(4)
    }
}

impl Dispatcher for Browser {
    fn name(&self) -> String {
        Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure> {
        // At the edges of a cube's faces, SwiftShader's compute functions read values below those of all texels: 0.187 where the
        // lowest is 0.25.
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

/// A running browser, and the server for its page. Dropping it ends the browser and removes its files.
pub struct Session {
    desk: Arc<Desk>,
    address: std::net::SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Session {
    /// Starts a browser with a page. Also returns the page's description of its device.
    ///
    /// # Errors
    /// The browser is not installed or does not start within a minute, or its page cannot draw.
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
            // The browser ends with the thread that starts it. That is this thread, which lives as long as the server.
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

    /// Hands a job to the page and waits for its answer.
    ///
    /// # Errors
    /// The browser has exited, or the time limit has passed.
    pub fn ask(&mut self, number: u64, job: Vec<u8>, limit: Duration) -> Result<Answer, String> {
        let answer = self.desk.ask(number, job, limit, exited(&mut self.process));
        answer.map_err(|why| self.with_tail(&format!("the browser returned no picture: {why}")))
    }

    /// An error message with the end of the browser's output, without its messages about a missing desktop bus.
    fn with_tail(&self, why: &str) -> String {
        let output = std::fs::read(self.folder.path().join("output")).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let lines: Vec<&str> = output.lines().filter(|line| !line.contains("dbus/")).collect();
        let tail = lines.get(lines.len().saturating_sub(20)..).unwrap_or_default().join("\n");
        if tail.is_empty() { why.to_string() } else { format!("{why}\nits output ends with:\n{tail}") }
    }
}

/// Returns a closure that reports that the browser has exited.
fn exited(process: &mut Child) -> impl FnMut() -> Option<String> {
    || match process.try_wait() {
        Ok(Some(status)) => Some(format!("it has exited ({status})")),
        _ => None,
    }
}

/// The browser's command line. All its files are in the folder; its output goes to the file `output`.
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

/// Whether any process of a group is running. A process that has ended, but for which its parent has not waited yet, does not
/// count.
fn runs(group: i32) -> bool {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok()).any(|stat| {
        // After the name in parentheses: state, parent, group.
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        let words: Vec<&str> = rest.split_whitespace().take(3).collect();
        matches!(words[..], [state, _, of] if !matches!(state, "Z" | "X") && of.parse() == Ok(group))
    })
}

impl Drop for Session {
    /// Kills the browser and every process that it started, then closes the server and removes the folder.
    fn drop(&mut self) {
        let group = i32::try_from(self.process.id()).unwrap_or(0);
        let end = Instant::now() + Duration::from_secs(5);
        if group > 1 {
            // SAFETY: a plain system call. The process group is our child's own and was created for it.
            _ = unsafe { kill(-group, SIGKILL) };
        }
        _ = self.process.wait();
        // The other processes are not our children and cannot be waited for.
        while runs(group) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.desk.close();
        // Connects once, so that the server notices that it is closed.
        _ = std::net::TcpStream::connect(self.address);
    }
}

const SIGKILL: i32 = 9;
const PR_SET_PDEATHSIG: i32 = 1;

// From the C library, which the standard library links.
unsafe extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn prctl(option: i32, ...) -> i32;
}
