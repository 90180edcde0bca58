//! How fast interp draws: every scene, against Mesa's lavapipe, and the scenes of docs/paper.md, against the paper's figures.
//!
//! `cargo bench --profile suite -p conformance`. Both use all processors and draw into the same memory again and again. One-time
//! work (lavapipe's code, buffers and textures; interp's translation) is not counted, and reading back is reported separately.
//! lavapipe runs in a process of its own, without the switches that the suite sets, which make it slower. The exit code is 1 if
//! a ratio is below its limit. `KEEP=1` writes the tables to docs/performance.md and docs/paper.md. `ONLY=part` selects the scenes
//! whose names contain `part`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use conformance::witness::{Code, Vulkan};
use conformance::{Witness, runs};
use interp::{Draw, Float, Fragments, Image, Pair, Shaded, Shader, Transformed, Varying, Vertices};
use scene::Scene;
use testing::{PAPER_SCENES, repository, testdata, with_table};

/// The least median of interp's rates to lavapipe's.
const MEDIAN: f64 = 0.5;
/// The least of interp's rates to lavapipe's.
const LEAST: f64 = 0.2;
/// The least of interp's rates to those that the paper gives.
const PAPER: f64 = 25.0;
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
    let folder = testdata("scenes");
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

/// Frames per second of the paper's scenes: the paper's figure is for 320 x 240 pixels on a processor of 2003.
const PUBLISHED: [(&str, f64); 4] =
    [("paper_gloss", 8.0), ("paper_brightness", 28.0), ("paper_saturation", 26.0), ("paper_parallax", 5.0)];

/// Returns the seconds for a picture that is drawn again and again into the same memory.
fn own_time(draw: &Draw, float: Float) -> f64 {
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).unwrap_or_else(|error| panic!("{error}"));
    let mut image = Image::default();
    interp::draw_into(draw, &pair, &mut image);
    shortest(|| {
        let start = Instant::now();
        interp::draw_into(draw, &pair, &mut image);
        start.elapsed().as_secs_f64()
    })
}

/// The table of all scenes, with the median and the lowest ratio.
fn rates() -> (String, f64, f64) {
    let theirs = lavapipe_times();
    let mut text =
        "| scene | fragments | interp, millions per second | lavapipe | with reading back | interp / lavapipe |\n"
            .to_string();
    text.push_str("|---|---:|---:|---:|---:|---:|\n");
    let mut ratios = Vec::new();
    for (name, draw) in scenes() {
        let pair = runs::pair(&draw).unwrap_or_else(|error| panic!("{name}: {error}"));
        let counting = Counting(&pair, AtomicU64::new(0));
        interp::draw(&draw, &counting);
        let fragments = counting.1.into_inner();
        let own = own_time(&draw, Float::F32);
        let [drawn, read] = theirs.get(&name).copied().unwrap_or_else(|| panic!("lavapipe has not drawn {name}"));
        let ratio = drawn / own;
        let rate = |seconds: f64| fragments as f64 / seconds / 1e6;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {fragments} | {:.1} | {:.1} | {:.1} | {ratio:.2} |",
            rate(own),
            rate(drawn),
            rate(read)
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::INFINITY);
    let lowest = ratios.first().copied().unwrap_or(f64::INFINITY);
    let _ = writeln!(text, "| **median** | | | | | {median:.2} |\n| **lowest** | | | | | {lowest:.2} |");
    (text, median, lowest)
}

/// The table of the paper's scenes, with the lowest ratio to the paper's own figures.
fn frames() -> (String, f64) {
    let mut text = "| scene | the paper | 320 x 240 | ratio | 24 bits | 640 x 480 | 24 bits |\n".to_string();
    text.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
    let mut lowest = f64::INFINITY;
    for (title, name) in PAPER_SCENES {
        let path = testdata(&format!("scenes/{name}/scene.toml"));
        let mut draw = Scene::load(path).unwrap_or_else(|error| panic!("{error}")).draw;
        let mut rates = [[0.0; 2]; 2];
        for (rates, [width, height]) in rates.iter_mut().zip([[320, 240], [640, 480]]) {
            (draw.width, draw.height) = (width, height);
            *rates = [Float::F32, Float::F24].map(|float| 1.0 / own_time(&draw, float));
        }
        let [[small, small_24], [large, large_24]] = rates;
        let published = PUBLISHED.iter().find(|(scene, _)| *scene == name).map(|(_, rate)| *rate);
        let (rate, ratio) = match published {
            Some(rate) => (format!("{rate}"), format!("{:.0}", small / rate)),
            None => ("–".to_string(), "–".to_string()),
        };
        lowest = published.map_or(lowest, |rate| lowest.min(small / rate));
        let _ =
            writeln!(text, "| {title} | {rate} | {small:.0} | {ratio} | {small_24:.0} | {large:.0} | {large_24:.0} |");
    }
    (text, lowest)
}

fn keep(page: &str, marker: &str, table: &str) {
    let path = repository().join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    std::fs::write(&path, with_table(&text, marker, table))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == OTHER) {
        lavapipe();
        return ExitCode::SUCCESS;
    }
    let (rates, median, least) = rates();
    let (frames, published) = frames();
    println!("{rates}\n{frames}");
    if std::env::var_os("KEEP").is_some() {
        keep("docs/performance.md", "<!-- table: rates", &rates);
        keep("docs/performance.md", "<!-- table: frames", &frames);
        keep("docs/paper.md", "<!-- table: frames", &frames);
    }
    let slow = |what: &str, is: f64, limit: f64| {
        if is < limit {
            eprintln!("{what}: {is:.2}, which is less than {limit}");
        }
        is < limit
    };
    let mut failed = slow("the median of interp's rates to lavapipe's", median, MEDIAN);
    failed |= slow("the lowest of interp's rates to lavapipe's", least, LEAST);
    failed |= slow("the lowest of interp's rates to the paper's", published, PAPER);
    ExitCode::from(u8::from(failed))
}
