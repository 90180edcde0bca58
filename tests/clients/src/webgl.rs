//! WebGL 2 in headless Chromium: the page `webgl/page.js` draws the scenes that it receives with the functions of `webgl/draw.js`,
//! which an application can use unchanged.

mod job;

use std::time::Duration;

use conformance::witness::browser::{Answer, PROGRAM, Page, Session};

use crate::scenes::Targets;
use crate::shader::Translated;

/// The page. Its WebGL uses the system's OpenGL driver, which the switches of the witnesses have set to Mesa's software driver: it
/// snaps the corners of triangles to as many bits as interp does, whereas the browser's own software driver uses fewer.
const PAGE: Page = Page {
    flags: &["--use-angle=gl-egl", "--ignore-gpu-blocklist"],
    files: &[
        ("", "text/html", include_str!("webgl/page.html")),
        ("page.js", "text/javascript", include_str!("webgl/page.js")),
        ("draw.js", "text/javascript", include_str!("webgl/draw.js")),
    ],
};

/// The page examples/webgl.html with these shaders, and a script that posts its picture.
fn example(vertex: String, fragment: String) -> &'static Page {
    let page =
        concat!("<script>", include_str!("webgl/hook.js"), "</script>", include_str!("../../../examples/webgl.html"));
    let files = vec![
        ("", "text/html", page),
        ("lit.vert.glsl", "text/plain", vertex.leak()),
        ("lit.frag.glsl", "text/plain", fragment.leak()),
    ];
    Box::leak(Box::new(Page { flags: PAGE.flags, files: files.leak() }))
}

/// The picture of examples/webgl.html: a square with sides of `side` pixels.
///
/// # Errors
/// The browser is not installed, or the page fails.
pub fn draw_example(vertex: String, fragment: String, side: usize) -> Result<Targets, String> {
    conformance::witness::switch();
    let (mut session, _) = Session::start(PROGRAM, example(vertex, fragment))?;
    match session.ask(1, Vec::new(), PICTURE)? {
        Answer::Image(bytes) => Ok(Targets(vec![bytes.chunks(4 * side).rev().flatten().copied().collect()])),
        Answer::Unsupported(why) | Answer::Broken(why) => Err(why),
    }
}

/// The time limit of a picture.
const PICTURE: Duration = Duration::from_secs(60);

/// A running browser.
pub struct WebGl {
    session: Session,
    device: String,
    jobs: u64,
}

impl WebGl {
    /// Starts the browser.
    ///
    /// # Errors
    /// The browser is not installed, does not start, or has no WebGL 2.
    pub fn start() -> Result<WebGl, String> {
        conformance::witness::switch();
        let (session, device) = Session::start(PROGRAM, &PAGE)?;
        Ok(WebGl { session, device, jobs: 0 })
    }

    /// The browser's description of its device and of itself.
    pub fn name(&self) -> &str {
        &self.device
    }

    /// Draws a picture.
    ///
    /// # Errors
    /// The shader needs a feature that this client lacks, or WebGL rejects it.
    pub fn draw(&mut self, shader: &Translated<'_>) -> Result<Targets, String> {
        self.jobs += 1;
        match self.session.ask(self.jobs, job::job(self.jobs, shader)?, PICTURE)? {
            Answer::Image(bytes) => {
                let row = shader.draw.width as usize * 4;
                let target = |target: &[u8]| target.chunks(row).rev().flatten().copied().collect();
                Ok(Targets(bytes.chunks(row * shader.draw.height as usize).map(target).collect()))
            }
            Answer::Unsupported(why) | Answer::Broken(why) => Err(why),
        }
    }
}
