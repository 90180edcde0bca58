//! WebGL 2 in headless Chromium. The page `webgl/page.js` draws the scenes that it receives. The drawing functions are in
//! `webgl/draw.js`, which an application can use unchanged.

mod job;

use std::time::Duration;

use conformance::witness::browser::{Answer, PROGRAM, Page, Session};

use crate::scenes::Targets;
use crate::shader::Translated;

/// The page that draws with WebGL on Mesa's software driver for OpenGL. Mesa's driver snaps the corners of triangles to the
/// same number of bits as interp, whereas the browser's own software driver uses fewer bits.
const PAGE: Page = Page {
    flags: &["--use-angle=gl-egl", "--ignore-gpu-blocklist"],
    files: &[
        ("", "text/html", include_str!("webgl/page.html")),
        ("page.js", "text/javascript", include_str!("webgl/page.js")),
        ("draw.js", "text/javascript", include_str!("webgl/draw.js")),
    ],
};

/// Returns the page `examples/webgl.html` with the given shaders, and with a script that posts the page's picture.
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

/// Returns the picture that `examples/webgl.html` draws: a square with sides of `side` pixels.
///
/// # Errors
/// Returns an error if the browser is not installed, or if the page fails.
pub fn draw_example(vertex: String, fragment: String, side: usize) -> Result<Targets, String> {
    conformance::witness::switch();
    let (mut session, _) = Session::start(PROGRAM, example(vertex, fragment))?;
    match session.ask(1, Vec::new(), PICTURE)? {
        Answer::Image(bytes) => Ok(Targets(vec![bytes.chunks(4 * side).rev().flatten().copied().collect()])),
        Answer::Unsupported(why) | Answer::Broken(why) => Err(why),
    }
}

const PICTURE: Duration = Duration::from_secs(60);

/// A running browser that draws with WebGL 2.
pub struct WebGl {
    session: Session,
    device: String,
    jobs: u64,
}

impl WebGl {
    /// Starts the browser and waits for its page.
    ///
    /// # Errors
    /// Returns an error if the browser is not installed, does not start, or does not support WebGL 2.
    pub fn start() -> Result<WebGl, String> {
        conformance::witness::switch();
        let (session, device) = Session::start(PROGRAM, &PAGE)?;
        Ok(WebGl { session, device, jobs: 0 })
    }

    /// Returns a description of the browser and its graphics device.
    pub fn name(&self) -> &str {
        &self.device
    }

    /// Draws a translated pair and returns its targets.
    ///
    /// # Errors
    /// Returns an error if the shader needs a feature that the WebGL client lacks, or if WebGL rejects the shader.
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
