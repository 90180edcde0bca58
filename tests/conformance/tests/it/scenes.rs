//! Draws every scene in testdata/scenes on every witness, and compares the pictures with interp's pictures.
//!
//! The test writes interp's pictures, the pictures of each witness that disagrees, and the differences to
//! `target/conformance/scenes/NAME/`. Small versions of interp's pictures go to docs/pictures/, and a table of the differences
//! goes to docs/internals/conformance.md. `ONLY=part` draws the scenes whose names contain `part`, writes the pictures of all
//! witnesses, and leaves the docs unchanged.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use agalc_scene::{Picture, Scene};
use conformance::agal::AgalShader;
use conformance::passes::{PASSED, PASSES, PRUNED, optimised};
use conformance::pictures::{self, Seen, Worst};
use conformance::suite::MACHINE;
use conformance::witness::{self, Browser};
use conformance::{Failure, Witness, runs, table};
use sdlbc_interp::{Draw, Image};
use testing::repository;

/// The side of the pictures in docs/pictures, in pixels.
const SMALL: u32 = 256;

struct Shown {
    name: String,
    scene: Scene,
    /// A scene that draws the same picture with AGAL programs, if the tested scene uses another language.
    twin: Option<Scene>,
}

#[derive(Default)]
struct Outcome {
    cells: BTreeMap<String, BTreeMap<String, Worst>>,
    witnesses: Vec<String>,
    failures: Vec<String>,
    times: BTreeMap<String, Duration>,
}

fn scenes() -> Vec<Shown> {
    let folder = repository().join("testdata/scenes");
    let only = std::env::var("ONLY").unwrap_or_default();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.contains(&only)).collect();
    names.sort();
    assert!(!names.is_empty(), "no scene has `{only}` in its name");
    let read = |path: &Path| Scene::load(path).unwrap_or_else(|error| panic!("{error}"));
    let load = |name: String| {
        let scene = read(&folder.join(&name).join("scene.toml"));
        let twin = folder.join(&name).join("agal.toml");
        let twin = twin.is_file().then(|| read(&twin));
        Shown { name, scene, twin }
    };
    names.into_iter().map(load).collect()
}

/// Draws the picture on the AGAL machine, with the programs of the scene or of its twin. The depth of a twin is not compared,
/// because the original scene may use the unified-shader set, which has OpenGL's clip space.
fn by_machine(shown: &Shown) -> Result<Image, Failure> {
    if let Some(twin) = &shown.twin {
        return Ok(Image { depth: None, ..machine_draws(twin)? });
    }
    machine_draws(&shown.scene)
}

fn machine_draws(scene: &Scene) -> Result<Image, Failure> {
    let Some([vertex, fragment]) = &scene.agal else {
        return Err(Failure::Unsupported("the scene is not written in AGAL".to_string()));
    };
    let options = agal_machine::Options::default()
        .strict_ifg(scene.options.strict_ifg)
        .truncate_index(scene.options.truncate_index)
        .signed_offset(scene.options.signed_offset);
    let pair = runs::pair(&scene.draw).map_err(Failure::Broken)?;
    let shader = AgalShader::new(&pair, &scene.draw, &[vertex, fragment], options, None);
    let shader = shader.map_err(|error| Failure::Broken(error.to_string()))?;
    Ok(sdlbc_interp::draw(&scene.draw, &shader))
}

fn save(path: &Path, picture: &Picture) -> Result<(), String> {
    let bytes = picture.to_png().map_err(|error| error.to_string())?;
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn file_name(who: &str) -> String {
    who.to_lowercase().replace(", ", "-").replace(' ', "-")
}

struct Own {
    image: Image,
    seen: Vec<Seen>,
}

impl Own {
    fn new(image: Image) -> Own {
        let seen = pictures::seen(&image, &image);
        Own { image, seen }
    }
}

/// The comparison of one scene on one thread.
struct Asked<'a> {
    shown: &'a Shown,
    folder: PathBuf,
    own: Own,
    outcome: &'a mut Outcome,
}

impl<'a> Asked<'a> {
    fn new(shown: &'a Shown, outcome: &'a mut Outcome) -> Result<Asked<'a>, String> {
        let name = &shown.name;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../conformance/scenes").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let start = Instant::now();
        let image = runs::exact(&shown.scene.draw).map_err(|error| format!("{name}: interp: {error}"))?;
        *outcome.times.entry("interp".to_string()).or_default() += start.elapsed();
        let own = Own::new(image);
        for Seen { name, picture } in &own.seen {
            save(&folder.join(format!("interp{name}.png")), picture)?;
        }
        Ok(Asked { shown, folder, own, outcome })
    }

    fn ask_device(&mut self, device: &mut dyn Witness) {
        let Some(bits) = device.subpixel_bits() else {
            return self.ask(&device.name(), |draw| device.draw(draw));
        };
        match runs::snapped(&self.shown.scene.draw, bits) {
            Ok(image) => {
                let usual = std::mem::replace(&mut self.own, Own::new(image));
                self.ask(&device.name(), |draw| device.draw(draw));
                self.own = usual;
            }
            Err(error) => self.outcome.failures.push(format!("{}: interp: {error}", self.shown.name)),
        }
    }

    fn ask(&mut self, who: &str, draw: impl FnOnce(&Draw) -> Result<Image, Failure>) {
        let given = &self.shown.scene.draw;
        let given = optimised(&given.module).map(|module| Draw { module, ..given.clone() });
        let start = Instant::now();
        let drawn = given.map_err(Failure::Broken).and_then(|given| draw(&given));
        *self.outcome.times.entry(who.to_string()).or_default() += start.elapsed();
        // No witness may skip a scene.
        let held = match drawn {
            Ok(image) => self.hold(who, &image),
            Err(Failure::Unsupported(why)) => Err(format!("unsupported: {why}")),
            Err(Failure::Broken(why)) => Err(why),
        };
        if let Err(why) = held {
            self.outcome.failures.push(format!("{}: {who}: {why}", self.shown.name));
        }
        if !self.outcome.witnesses.iter().any(|known| known == who) {
            self.outcome.witnesses.push(who.to_string());
        }
    }

    fn hold(&mut self, who: &str, image: &Image) -> Result<(), String> {
        let own = &self.own;
        if image.targets.len() != own.image.targets.len() {
            return Err(format!("{} targets instead of {}", image.targets.len(), own.image.targets.len()));
        }
        let mut differences = Vec::new();
        let seen = pictures::seen(image, &own.image);
        for (other, (worst, difference)) in seen.iter().zip(pictures::compare(&own.seen, &seen)?) {
            let cells = self.outcome.cells.entry(self.shown.name.clone()).or_default();
            let cell = cells.entry(who.to_string()).or_default();
            *cell = cell.with(worst);
            let file = format!("{}{}", file_name(who), other.name);
            if !worst.agrees() || std::env::var_os("ONLY").is_some() {
                save(&self.folder.join(format!("{file}.png")), &other.picture)?;
                save(&self.folder.join(format!("{file}.difference.png")), &difference.picture)?;
            }
            if !worst.agrees() {
                let (x, y) = difference.at;
                differences.push(format!(
                    "{file}: {} pixels differ, {} of them at edges ({:.3} %), by up to {} elsewhere; by most, {}, at {x}, {y}",
                    difference.differing, difference.at_edges, worst.percent, worst.elsewhere, difference.greatest
                ));
            }
        }
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n  ")) }
    }

    /// Checks that optimisation passes do not change a single bit of the picture.
    fn ask_passes(&mut self) {
        let start = Instant::now();
        for (what, pass) in PASSED.into_iter().chain(PRUNED) {
            let draw = &self.shown.scene.draw;
            let image = pass(&draw.module).and_then(|module| runs::exact(&Draw { module, ..draw.clone() }));
            let why = match image {
                Ok(image) if same(&image, &self.own.image) => continue,
                Ok(_) => "the picture differs".to_string(),
                Err(why) => why,
            };
            self.outcome.failures.push(format!("{}: {what}: {why}", self.shown.name));
        }
        *self.outcome.times.entry(PASSES.to_string()).or_default() += start.elapsed();
    }

    /// Stores the small picture in docs/pictures if the picture has changed.
    fn keep(&self) -> Result<(), String> {
        // The depth picture is shown only for the scene that demonstrates depth output.
        let writes_depth = self.shown.name == "depth_output";
        let shown = self.own.seen.iter().filter(|seen| seen.name != "-depth" || writes_depth);
        let shown: Vec<&Picture> = shown.map(|seen| &seen.picture).collect();
        let small = pictures::small(&shown, SMALL);
        let path = repository().join("docs/pictures").join(format!("{}.png", self.shown.name));
        let there = std::fs::read(&path).ok().and_then(|bytes| Picture::from_png(&bytes).ok());
        if there.as_ref() == Some(&small) {
            return Ok(());
        }
        std::fs::create_dir_all(repository().join("docs/pictures")).map_err(|error| error.to_string())?;
        save(&path, &small)
    }
}

/// Reports whether two pictures have the same bits, including the bits of NaNs.
fn same(a: &Image, b: &Image) -> bool {
    let bits = |image: &Image| -> Vec<u32> {
        let parts = image.targets.iter().flatten().flatten();
        parts.chain(image.depth.iter().flatten()).map(|part| part.to_bits()).collect()
    };
    (a.width, a.height, a.targets.len(), a.depth.is_some()) == (b.width, b.height, b.targets.len(), b.depth.is_some())
        && bits(a) == bits(b)
}

fn work(scenes: &[Shown], next: &AtomicUsize, all: &Mutex<Outcome>, renew: bool) {
    let mut devices = witness::all().unwrap_or_else(|error| panic!("{error}"));
    devices.extend(witness::others().unwrap_or_else(|error| panic!("{error}")));
    let mut browser = Browser::start().unwrap_or_else(|error| panic!("{error}"));
    while let Some(shown) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
        let mut outcome = Outcome::default();
        let asked = Asked::new(shown, &mut outcome).and_then(|mut asked| {
            asked.ask(MACHINE, |_| by_machine(shown));
            asked.ask_passes();
            for device in &mut devices {
                asked.ask_device(device.as_mut());
            }
            asked.ask_device(&mut browser);
            if renew { asked.keep() } else { Ok(()) }
        });
        outcome.failures.extend(asked.err());
        let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.cells.append(&mut outcome.cells);
        all.failures.append(&mut outcome.failures);
        if all.witnesses.len() < outcome.witnesses.len() {
            all.witnesses = outcome.witnesses;
        }
        for (who, time) in outcome.times {
            *all.times.entry(who).or_default() += time;
        }
    }
}

/// Returns a table with a row for each scene and a column for each witness. The last row contains the worst result of each
/// witness.
fn figures(outcome: &Outcome) -> String {
    let mut text =
        format!("| scene | {} |\n|---|{}\n", outcome.witnesses.join(" | "), "---|".repeat(outcome.witnesses.len()));
    let mut worst: BTreeMap<String, Worst> = BTreeMap::new();
    let row = |text: &mut String, name: &str, cells: &BTreeMap<String, Worst>| {
        let cell = |who| cells.get(who).map_or("–".to_string(), ToString::to_string);
        let shown: Vec<String> = outcome.witnesses.iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", shown.join(" | "));
    };
    for (name, cells) in &outcome.cells {
        for (who, &cell) in cells {
            let all = worst.entry(who.clone()).or_default();
            *all = all.with(cell);
        }
        row(&mut text, name, cells);
    }
    row(&mut text, "**worst**", &worst);
    text
}

#[test]
fn every_scene_is_the_same_picture_on_every_witness() {
    let start = Instant::now();
    let scenes = scenes();
    let renew = std::env::var_os("ONLY").is_none();
    let (next, outcome) = (AtomicUsize::new(0), Mutex::new(Outcome::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(scenes.len());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&scenes, &next, &outcome, renew))).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    let mut outcome = outcome.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    for (who, time) in &outcome.times {
        println!("{who}: {:.1} s", time.as_secs_f64());
    }
    println!("{} scenes, {:.0} s", scenes.len(), start.elapsed().as_secs_f64());
    outcome.failures.sort();
    let figures = figures(&outcome);
    if renew {
        table::keep("scenes", &figures);
    } else {
        println!("{figures}");
    }
    let failures = &outcome.failures;
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
