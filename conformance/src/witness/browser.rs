//! Headless Chromium's WebGPU (Dawn on SwiftShader), which draws with our WGSL.
//!
//! One browser is started for many pictures. Its page asks a server of ours for jobs; `page.js` says what a job is. Rule:
//! whatever happens to the browser, nothing here waits for ever and nothing is left behind: its processes end with this
//! process at the latest, and its folder goes with the witness.

mod job;
mod server;

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use interp::{Draw, Image};
use tempfile::TempDir;

use crate::{Failure, Witness};
use server::{Answer, Desk};

/// What Debian's package calls it.
const PROGRAM: &str = "chromium";
/// How long the browser may take to come up.
const START: Duration = Duration::from_secs(60);
/// How long a picture may take, unless told otherwise.
const PICTURE: Duration = Duration::from_secs(60);

/// WebGPU on the processor; no sandbox, since root has none; and nothing of its own accord over the network.
const FLAGS: [&str; 16] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
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

/// Chromium, kept for as many pictures as there are.
pub struct Browser {
    program: String,
    limit: Duration,
    device: String,
    /// The browser that runs; none after one that had to be given up, until the next picture.
    session: Option<Session>,
    jobs: u64,
}

impl Browser {
    /// Starts Chromium.
    ///
    /// # Errors
    /// It is not installed, does not come up within a minute, or has no WebGPU.
    pub fn start() -> Result<Browser, String> {
        Browser::start_program(PROGRAM)
    }

    /// Starts another browser that takes Chromium's options.
    ///
    /// # Errors
    /// See [`Browser::start`].
    pub fn start_program(program: &str) -> Result<Browser, String> {
        super::switch();
        let (session, device) = Session::start(program)?;
        Ok(Browser { program: program.to_string(), limit: PICTURE, device, session: Some(session), jobs: 0 })
    }

    /// What the browser says of its device and of itself.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Where the browser that runs keeps its files.
    pub fn folder(&self) -> Option<&Path> {
        self.session.as_ref().map(|session| session.folder.path())
    }

    /// How long a picture may take: a minute, unless this says otherwise.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Draws with a WGSL text in place of the module's own.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn draw_text(&mut self, draw: &Draw, wgsl: &str) -> Result<Image, Failure> {
        self.jobs += 1;
        let job = job::job(self.jobs, draw, wgsl)?;
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session::start(&self.program).map_err(Failure::Broken)?.0),
        };
        match session.ask(self.jobs, job, self.limit) {
            Ok(Answer::Image(bytes)) => job::image(draw, &bytes),
            Ok(Answer::Unsupported(why)) => Err(Failure::Unsupported(why)),
            Ok(Answer::Broken(why)) => Err(Failure::Broken(why)),
            Err(why) => {
                // Whatever it is busy with is not waited for. The next picture gets a new one.
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
        let wgsl =
            backends::wgsl(&draw.module, &backends::Options::default()).map_err(|error| super::refused(&error))?;
        self.draw_text(draw, &wgsl)
    }

    /// SwiftShader's.
    fn coarse_bits(&self) -> Option<u32> {
        Some(4)
    }
}

/// A browser that runs, and the server that its page asks.
struct Session {
    desk: Arc<Desk>,
    address: std::net::SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Session {
    fn start(program: &str) -> Result<(Session, String), String> {
        let told = |error: std::io::Error| format!("{program} cannot be started: {error}");
        let folder = TempDir::new().map_err(told)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(told)?;
        let address = listener.local_addr().map_err(told)?;
        let mut command = command(program, folder.path(), &format!("http://{address}/")).map_err(told)?;
        let desk = Arc::new(Desk::default());
        let (send, receive) = mpsc::channel();
        let at_desk = desk.clone();
        std::thread::spawn(move || {
            // The browser is told to end with the thread that starts it, which is this one: it lasts as long as the server.
            let started = command.spawn();
            let serves = started.is_ok();
            if send.send(started).is_ok() && serves {
                server::serve(&listener, &at_desk);
            }
        });
        let process = receive.recv().map_err(|_| format!("{program} cannot be started"))?;
        let process = process.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("{program} is not installed: Debian's package `chromium` has Chromium")
            }
            _ => told(error),
        })?;
        let mut session = Session { desk, address, process, folder };
        let ready = session.desk.ready(START, hopeless(&mut session.process));
        match ready {
            Ok(Ok(device)) => Ok((session, device)),
            Ok(Err(why)) => Err(session.with_tail(&format!("{program} cannot draw: {why}"))),
            Err(why) => Err(session.with_tail(&format!("{program} does not come up: {why}"))),
        }
    }

    fn ask(&mut self, number: u64, job: Vec<u8>, limit: Duration) -> Result<Answer, String> {
        let answer = self.desk.ask(number, job, limit, hopeless(&mut self.process));
        answer.map_err(|why| self.with_tail(&format!("the browser gives no picture: {why}")))
    }

    /// A complaint, with the end of what the browser has said, but for its search of a desktop.
    fn with_tail(&self, why: &str) -> String {
        let said = std::fs::read(self.folder.path().join("said")).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().filter(|line| !line.contains("dbus/")).collect();
        let tail = lines.get(lines.len().saturating_sub(20)..).unwrap_or_default().join("\n");
        if tail.is_empty() { why.to_string() } else { format!("{why}\nit has said:\n{tail}") }
    }
}

/// Says so when the browser has ended.
fn hopeless(process: &mut Child) -> impl FnMut() -> Option<String> {
    || match process.try_wait() {
        Ok(Some(status)) => Some(format!("it has ended ({status})")),
        _ => None,
    }
}

/// The browser's command line. All that it keeps is in the folder, and what it says in the file `said`.
fn command(program: &str, folder: &Path, page: &str) -> std::io::Result<Command> {
    let said = File::create(folder.join("said"))?;
    let profile = folder.join("profile");
    let mut command = Command::new(program);
    command.args(FLAGS);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(page);
    command.stdin(Stdio::null()).stdout(said.try_clone()?).stderr(said);
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

impl Drop for Session {
    /// Ends the browser and all that it has started, then the server, and removes the folder.
    fn drop(&mut self) {
        let group = i32::try_from(self.process.id()).unwrap_or(0);
        let end = Instant::now() + Duration::from_secs(5);
        // SAFETY: a plain system call. The group is our child's own and was made for it.
        let signal = || group > 1 && unsafe { kill(-group, SIGKILL) } == 0;
        signal();
        _ = self.process.wait();
        // The others are not ours to wait for. When the last one is gone there is no group to signal.
        while signal() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.desk.close();
        // A connection, so that the server sees that it is closed.
        _ = std::net::TcpStream::connect(self.address);
    }
}

const SIGKILL: i32 = 9;
const PR_SET_PDEATHSIG: i32 = 1;

// Of the C library, which the standard library links.
unsafe extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn prctl(option: i32, ...) -> i32;
}
