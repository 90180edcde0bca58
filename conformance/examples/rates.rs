//! Fragments per second for every scene: interp against Mesa's lavapipe, in one run.
//!
//! `cargo run --profile suite -p conformance --example rates`. Both use all processors. One-time work (lavapipe's code,
//! buffers and textures; interp's translation) is not counted, and reading back is reported separately. lavapipe runs
//! in a process of its own, without the switches that the suite sets, which make it slower. The exit code is 1 if
//! interp draws the lighting scene at less than a tenth of lavapipe's rate. `ONLY=part` selects the scenes whose names
//! contain `part`, and leaves docs/conformance.md unchanged.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use conformance::witness::{Code, Vulkan};
use conformance::{Witness, runs, table};
use interp::{Draw, Fragments, Image, Pair, Shaded, Shader, Transformed, Varying, Vertices};
use scene::Scene;

/// The least fraction of lavapipe's rate that interp must reach in the lighting scene.
const LEAST: f64 = 0.1;
/// The argument that makes this program the lavapipe process.
const OTHER: &str = "--lavapipe";
/// The least time that each scene is drawn for; it is drawn at least three times.
const LONG: Duration = Duration::from_millis(300);

/// Counts the fragments that are shaded.
struct Counting<'a>(&'a Pair, AtomicU64);

impl Shader for Counting<'_> {
    fn varyings(&self) -> &[Varying] {
        self.0.varyings()
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        self.0.vertex(vertices)
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        self.1.fetch_add(fragments.live.count_ones().into(), Ordering::Relaxed);
        self.0.fragment(fragments, shaded);
    }

    fn writes_depth(&self) -> bool {
        self.0.writes_depth()
    }
}

fn scenes() -> Vec<(String, Draw)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenes");
    let only = std::env::var("ONLY").unwrap_or_default();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.contains(&only)).collect();
    names.sort();
    let load = |name: String| {
        let scene = Scene::load(folder.join(&name).join("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
        (name, scene.draw)
    };
    names.into_iter().map(load).collect()
}

/// The shortest of several times, in seconds.
fn shortest(mut one: impl FnMut() -> f64) -> f64 {
    let (start, mut times, mut least) = (Instant::now(), 0, f64::INFINITY);
    while times < 3 || start.elapsed() < LONG {
        least = least.min(one());
        times += 1;
    }
    least
}

/// The lavapipe process: prints a line for each scene with its name, and the seconds per draw without and with reading
/// back.
fn lavapipe() {
    let mut vulkan = Vulkan::new(Code::Spirv).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{}", vulkan.adapter());
    for (name, draw) in scenes() {
        let mut repeat =
            |times| vulkan.repeat_draw(&draw, times).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        // The first draw compiles the code.
        repeat(1);
        let drawn = shortest(|| repeat(8).as_secs_f64() / 8.0);
        let read = shortest(|| {
            let start = Instant::now();
            vulkan.draw(&draw).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
            start.elapsed().as_secs_f64()
        });
        println!("{name} {drawn} {read}");
    }
}

/// Runs the lavapipe process and reads its output.
fn lavapipe_times() -> BTreeMap<String, [f64; 2]> {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    // Emptied, so that the child does not inherit the suite's values: Mesa then uses its defaults.
    let mut command = Command::new(program);
    command.arg(OTHER).env("LP_NUM_THREADS", "").env("GALLIVM_PERF", "").stderr(std::process::Stdio::inherit());
    let output = command.output().unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "the process that draws with lavapipe exited with {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next()?.to_string();
        let mut number = || words.next()?.parse::<f64>().ok();
        Some((name, [number()?, number()?]))
    };
    text.lines().filter_map(line).collect()
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(OTHER) {
        lavapipe();
        return ExitCode::SUCCESS;
    }
    let theirs = lavapipe_times();
    let mut text =
        "| scene | fragments | interp, millions per second | lavapipe | with reading back | interp / lavapipe |\n"
            .to_string();
    text.push_str("|---|---|---|---|---|---|\n");
    let mut ratios = Vec::new();
    let mut lighting = None;
    for (name, draw) in scenes() {
        let pair = runs::pair(&draw).unwrap_or_else(|error| panic!("{name}: {error}"));
        let counting = Counting(&pair, AtomicU64::new(0));
        interp::draw(&draw, &counting);
        let fragments = counting.1.into_inner();
        let mut image = Image::default();
        let own = shortest(|| {
            let start = Instant::now();
            interp::draw_into(&draw, &pair, &mut image);
            start.elapsed().as_secs_f64()
        });
        let [drawn, read] = theirs.get(&name).copied().unwrap_or_else(|| panic!("lavapipe has not drawn {name}"));
        let ratio = drawn / own;
        let rate = |seconds: f64| fragments as f64 / seconds / 1e6;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {fragments} | {:.2} | {:.1} | {:.1} | {ratio:.3} |",
            rate(own),
            rate(drawn),
            rate(read)
        );
        ratios.push(ratio);
        if name == "lighting" {
            lighting = Some(ratio);
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let _ = writeln!(text, "| **median** | | | | | {median:.3} |");
    }
    if std::env::var_os("ONLY").is_none() {
        table::keep("rates", &text);
    } else {
        println!("{text}");
    }
    match lighting {
        Some(ratio) if ratio < LEAST => {
            eprintln!("interp draws the lighting scene at {ratio:.3} of lavapipe's rate; the minimum is {LEAST}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
