//! Measures the speed of interp. For every scene, interp is compared with Mesa's lavapipe. For the scenes of
//! docs/internals/paper.md, interp is also compared with the paper's figures.
//!
//! The command is `cargo bench --profile suite -p conformance`. Each renderer uses all processors and draws repeatedly into the
//! same memory. The measured time excludes one-time work such as lavapipe's compilation and interp's translation. A separate
//! column includes the time for reading back lavapipe's picture.
//!
//! lavapipe runs in a separate process without the suite's environment variables, which make lavapipe slower. The exit code is 1
//! if a ratio is below its limit. `KEEP=1` writes the tables to docs/internals/performance.md and docs/internals/paper.md.
//! `ONLY=part` selects the scenes whose names contain `part`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agalc_scene::Scene;
use conformance::witness::{Code, Vulkan};
use conformance::{Witness, runs};
use sdlbc_interp::{Draw, Float, Fragments, Image, Pair, Shaded, Shader, Transformed, Varying, Vertices};
use testing::{PAPER_SCENES, repository, testdata, with_table};

/// The lowest allowed median, over all scenes, of the ratio of interp's rate to lavapipe's rate.
const MEDIAN: f64 = 0.5;
/// The lowest allowed ratio of interp's rate to lavapipe's rate in any scene.
const LEAST: f64 = 0.2;
/// The lowest allowed ratio of interp's frame rate to the frame rate that the paper states.
const PAPER: f64 = 25.0;
/// The command-line argument that makes this program run as the lavapipe process.
const OTHER: &str = "--lavapipe";
/// The number of draws over which one measurement averages.
const DRAWS: u32 = 4;
const ROUNDS: usize = 3;
/// The minimum time for which a scene is drawn in a round; each scene is drawn at least three times.
const LONG: Duration = Duration::from_millis(200);

/// A shader that counts the fragments that the wrapped pair shades.
struct Counting<'a>(&'a Pair, AtomicU64);

impl Shader for Counting<'_> {
    fn varyings(&self) -> &[Varying] {
        self.0.varyings()
    }

    fn clip_distances(&self) -> usize {
        self.0.clip_distances()
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

    fn failed(&self) -> bool {
        self.0.failed()
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

fn shortest(mut one: impl FnMut() -> f64) -> f64 {
    let (start, mut times, mut least) = (Instant::now(), 0, f64::INFINITY);
    while times < 3 || start.elapsed() < LONG {
        least = least.min(one());
        times += 1;
    }
    least
}

/// Runs the lavapipe process: reads a scene's name from each input line, and prints the time per draw, in seconds, without and
/// with reading back the picture.
fn lavapipe() {
    let mut vulkan = Vulkan::new(Code::Spirv).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{}", vulkan.adapter());
    let scenes: BTreeMap<String, Draw> = scenes().into_iter().collect();
    for name in std::io::stdin().lines().map_while(Result::ok) {
        let draw = scenes.get(&name).unwrap_or_else(|| panic!("no scene {name}"));
        let mut repeat =
            |times| vulkan.repeat_draw(draw, times).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        // The first draw includes the time for compiling the code, so it is not counted.
        repeat(1);
        let drawn = shortest(|| repeat(DRAWS).as_secs_f64() / f64::from(DRAWS));
        let read = shortest(|| {
            let start = Instant::now();
            vulkan.draw(draw).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
            start.elapsed().as_secs_f64()
        });
        println!("{drawn} {read}");
    }
}

/// The child process that draws with lavapipe.
struct Lavapipe {
    process: Child,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Lavapipe {
    fn start() -> Lavapipe {
        let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
        let mut command = Command::new(program);
        // Empty variables keep the child process from inheriting the suite's values, so Mesa uses its defaults.
        command.arg(OTHER).env("LP_NUM_THREADS", "").env("GALLIVM_PERF", "");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{error}"));
        let answers = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        Lavapipe { process, answers }
    }

    /// Returns the time to draw a scene, in seconds, without and with reading back the picture.
    fn times(&mut self, name: &str) -> [f64; 2] {
        let input = self.process.stdin.as_mut().expect("a pipe");
        writeln!(input, "{name}").and_then(|()| input.flush()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let line = self.answers.next().and_then(Result::ok).unwrap_or_else(|| panic!("lavapipe has not drawn {name}"));
        let mut numbers = line.split(' ').map_while(|word| word.parse().ok());
        let mut number = || numbers.next().unwrap_or_else(|| panic!("{name}: `{line}`"));
        [number(), number()]
    }
}

/// The frames per second that the paper states for its scenes, at 320 x 240 pixels on a processor from 2003.
const PUBLISHED: [(&str, f64); 4] =
    [("paper_gloss", 8.0), ("paper_brightness", 28.0), ("paper_saturation", 26.0), ("paper_parallax", 5.0)];

/// Returns the time per draw, in seconds, of a picture that is drawn repeatedly into the same memory.
fn own_time(draw: &Draw, float: Float) -> f64 {
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).unwrap_or_else(|error| panic!("{error}"));
    let mut image = Image::default();
    sdlbc_interp::draw_into(draw, &pair, &mut image);
    shortest(|| {
        let start = Instant::now();
        (0..DRAWS).for_each(|_| sdlbc_interp::draw_into(draw, &pair, &mut image));
        start.elapsed().as_secs_f64() / f64::from(DRAWS)
    })
}

fn rates() -> (String, f64, f64) {
    let mut lavapipe = Lavapipe::start();
    let mut text =
        "| scene | fragments | interp, millions per second | lavapipe | with reading back | interp / lavapipe |\n"
            .to_string();
    text.push_str("|---|---:|---:|---:|---:|---:|\n");
    let mut ratios = Vec::new();
    for (name, draw) in scenes() {
        let pair = runs::pair(&draw).unwrap_or_else(|error| panic!("{name}: {error}"));
        let counting = Counting(&pair, AtomicU64::new(0));
        sdlbc_interp::draw(&draw, &counting);
        let fragments = counting.1.into_inner();
        // The two renderers alternate, so that other processes slow both of them equally.
        let (mut own, mut drawn, mut read) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            own = own.min(own_time(&draw, Float::F32));
            let theirs = lavapipe.times(&name);
            (drawn, read) = (drawn.min(theirs[0]), read.min(theirs[1]));
        }
        let ratio = drawn / own;
        let rate = |seconds: f64| fragments as f64 / seconds / 1e6;
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
    assert!(!ratios.is_empty(), "no scene has such a name");
    let middle = ratios.len() / 2;
    let median = (ratios[middle] + ratios[(ratios.len() - 1) / 2]) / 2.0;
    let lowest = ratios[0];
    let _ = writeln!(text, "| **median** | | | | | {median:.2} |\n| **lowest** | | | | | {lowest:.2} |");
    (text, median, lowest)
}

/// Returns the table of the paper's scenes, and the lowest ratio of interp's frame rate to the paper's frame rate.
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
            for (rate, float) in rates.iter_mut().zip([Float::F32, Float::F24]) {
                *rate = (0..ROUNDS).map(|_| 1.0 / own_time(&draw, float)).fold(0.0, f64::max);
            }
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
    let keeps = std::env::var_os("KEEP").is_some();
    assert!(!keeps || std::env::var_os("ONLY").is_none(), "KEEP=1 writes the tables of all scenes: without ONLY=");
    let (rates, median, least) = rates();
    let (frames, published) = frames();
    println!("{rates}\n{frames}");
    if keeps {
        keep("docs/internals/performance.md", "<!-- table: rates", &rates);
        keep("docs/internals/paper.md", "<!-- table: frames", &frames);
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
