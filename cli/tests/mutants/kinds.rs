//! The kinds of input that are damaged, and what a command is given with them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::mutate;
use crate::support::place::{FRAGMENT, VERTEX};
use crate::support::{PAIRS, Random, repository, testdata};

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    AgalText,
    MacroText,
    Bytecode,
    BytecodeOfBigEndian,
    ModuleFile,
    ModuleText,
    DebugTable,
    Scene,
    Constants,
    Mesh,
    Picture,
    Options,
    Names,
    Pairs,
}

impl Kind {
    pub(crate) const ALL: [Kind; 14] = [
        Kind::AgalText,
        Kind::MacroText,
        Kind::Bytecode,
        Kind::BytecodeOfBigEndian,
        Kind::ModuleFile,
        Kind::ModuleText,
        Kind::DebugTable,
        Kind::Scene,
        Kind::Constants,
        Kind::Mesh,
        Kind::Picture,
        Kind::Options,
        Kind::Names,
        Kind::Pairs,
    ];
}

/// The files of a folder, and what the command is asked to do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) files: Vec<(OsString, Vec<u8>)>,
    pub(crate) arguments: Vec<OsString>,
}

impl Case {
    fn add(&mut self, name: impl Into<OsString>, bytes: impl Into<Vec<u8>>) {
        self.files.push((name.into(), bytes.into()));
    }

    fn say(&mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) {
        self.arguments.extend(arguments.into_iter().map(Into::into));
    }
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { below(&path, found) } else { found.push(path) }
    }
}

/// The files under a folder of testdata that are neither large nor of another kind.
fn all(folder: &str, ending: &str, most: usize) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    below(&testdata(folder), &mut paths);
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    let found: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("the file")).collect();
    let found: Vec<Vec<u8>> = found.into_iter().filter(|bytes| bytes.len() <= most).collect();
    assert!(!found.is_empty(), "nothing in {folder} ends with {ending}");
    found
}

/// What there is to damage.
struct Good {
    /// Vertex and fragment program of each pair.
    pairs: Vec<[Vec<u8>; 2]>,
    macros: Vec<Vec<u8>>,
    bytecode: Vec<[Vec<u8>; 2]>,
    modules: Vec<Vec<u8>>,
    module_texts: Vec<Vec<u8>>,
    /// A program's file without its debug table, and that.
    tables: Vec<[Vec<u8>; 2]>,
    /// The files of each scene.
    scenes: Vec<Vec<(OsString, Vec<u8>)>>,
    constants: Vec<Vec<u8>>,
    meshes: Vec<Vec<u8>>,
    pictures: Vec<Vec<u8>>,
}

static GOOD: LazyLock<Good> = LazyLock::new(|| {
    let small: Vec<_> =
        PAIRS.iter().filter(|work| work.sources.iter().all(|source| source.program.tokens.len() <= 40)).collect();
    let text = |path: &Path| std::fs::read(path).expect("a text");
    let pairs = small.iter().map(|work| [0, 1].map(|at| text(&work.sources[at].path)));
    let bytecode = small.iter().map(|work| [0, 1].map(|at| work.sources[at].program.encode()));
    let modules: Vec<sdlbc::Module> = small.iter().map(|work| work.module()).collect();
    let mut module_texts: Vec<Vec<u8>> =
        modules.iter().take(12).map(|module| sdlbc::print(module).into_bytes()).collect();
    module_texts.extend(all("fuzz/text", ".sdlasm", 9000));
    module_texts.extend(all("run", ".sdlasm", 9000));
    let parsed = |text: &Vec<u8>| sdlbc::parse(std::str::from_utf8(text).ok()?).ok();
    let mut files: Vec<Vec<u8>> = module_texts.iter().filter_map(parsed).map(|module| sdlbc::encode(&module)).collect();
    files.extend(modules.iter().map(sdlbc::encode));
    let tables = modules.iter().map(|module| {
        let (program, table) = sdlbc::split(module);
        [sdlbc::encode(&program), sdlbc::encode(&table)]
    });
    let mut scenes: Vec<Vec<(OsString, Vec<u8>)>> = Vec::new();
    let folders = std::fs::read_dir(testdata("scenes")).into_iter().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.join("scene.toml").is_file()) {
        let mut paths = Vec::new();
        below(folder, &mut paths);
        let named = |path: &PathBuf| Some((path.strip_prefix(folder).ok()?.as_os_str().to_owned(), text(path)));
        let files: Vec<_> = paths.iter().filter_map(named).collect();
        let is_flat = files.iter().all(|(name, _)| Path::new(name).components().count() == 1);
        if is_flat && files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 100_000 {
            scenes.push(files);
        }
    }
    assert!(scenes.len() > 8, "only {} scenes", scenes.len());
    Good {
        pairs: pairs.collect(),
        macros: all("agal/macro", ".agal", 6000),
        bytecode: bytecode.collect(),
        modules: files,
        module_texts,
        tables: tables.collect(),
        scenes,
        constants: all("run", ".toml", 5000),
        meshes: vec![
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nf 1/1/1 2/2/1 3//1 -1\nf 1 2 3\n".to_vec(),
            std::fs::read(repository().join("testdata/scenes/obj_file/pawn.obj")).expect("the mesh"),
        ],
        pictures: all("scene/rendered", ".png", 20_000),
    }
});

fn any<'a, T>(of: &'a [T], random: &mut Random) -> &'a T {
    &of[random.below(of.len())]
}

/// The case of a kind.
pub(crate) fn case(kind: Kind, random: &mut Random) -> Case {
    let good = &*GOOD;
    let mut case = Case::default();
    let edits = [1, 1, 1, 1, 2, 3][random.below(6)];
    match kind {
        Kind::AgalText | Kind::Pairs => {
            let (pair, other) = (any(&good.pairs, random), any(&good.pairs, random));
            let mut files = pair.clone();
            for _ in 0..edits {
                let which = random.below(2);
                mutate::text(&mut files[which], &other[random.below(2)], random);
            }
            let [vertex, fragment] = files;
            case.add("a.vert.agal", vertex);
            // A program for one stage may be given for the other.
            let foreign = kind == Kind::Pairs && random.below(8) == 0;
            case.add("a.frag.agal", if foreign { pair[0].clone() } else { fragment });
            let pair = kind == Kind::Pairs || random.below(3) == 0;
            let one = ["a.vert.agal", "a.frag.agal"][random.below(2)];
            program(&mut case, if pair { &["a.vert.agal", "a.frag.agal"] } else { std::slice::from_ref(&one) }, random);
        }
        Kind::MacroText => {
            let mut text = any(&good.macros, random).clone();
            (0..edits).for_each(|_| mutate::text(&mut text, any::<Vec<u8>>(&good.macros, random), random));
            case.add("a.agal", text);
            program(&mut case, &["a.agal"], random);
        }
        Kind::Bytecode | Kind::BytecodeOfBigEndian => {
            let which = random.below(2);
            let mut file = any(&good.bytecode, random)[which].clone();
            let swap = kind == Kind::BytecodeOfBigEndian;
            if swap {
                swapped(&mut file);
            }
            for _ in 0..if swap { edits - 1 } else { edits } {
                let unit = [1, 4, 24][random.below(3)];
                mutate::bytes(&mut file, &any(&good.bytecode, random)[which], unit, random);
            }
            case.add("a.agalbc", file);
            program(&mut case, &["a.agalbc"], random);
            if swap && matches!(case.arguments[0].to_str(), Some("validate" | "link")) {
                case.say(["--endian", "big"]);
            }
        }
        Kind::ModuleFile => {
            let mut file = any(&good.modules, random).clone();
            (0..edits).for_each(|_| mutate::bytes(&mut file, any::<Vec<u8>>(&good.modules, random), 4, random));
            if random.below(5) > 0 {
                mutate::fix_module(&mut file);
            }
            case.add("a.sdlbc", file);
            program(&mut case, &["a.sdlbc"], random);
        }
        Kind::ModuleText => {
            let mut text = any(&good.module_texts, random).clone();
            (0..edits).for_each(|_| mutate::text(&mut text, any::<Vec<u8>>(&good.module_texts, random), random));
            case.add("a.sdlasm", text);
            program(&mut case, &["a.sdlasm"], random);
        }
        Kind::DebugTable => {
            let [file, mut table] = any(&good.tables, random).clone();
            (0..edits).for_each(|_| mutate::bytes(&mut table, &any(&good.tables, random)[1], 4, random));
            if random.below(5) > 0 {
                mutate::fix_module(&mut table);
            }
            case.add("a.sdlbc", file);
            case.add("table.sdlbc", table);
            match random.below(4) {
                0 => program(&mut case, &["table.sdlbc"], random),
                _ => {
                    let one = [["print"], ["inspect"], ["verify"], ["compile"], ["dump"]][random.below(5)];
                    case.say(one);
                    case.say(["a.sdlbc", "--debug-table", "table.sdlbc"]);
                    if one == ["compile"] {
                        let out = ["o.sdlbc", "o.sdlasm", "o.wgsl", "o.spvasm"][random.below(4)];
                        case.say(["-o", out]);
                    }
                }
            }
        }
        Kind::Scene => {
            case.files = any(&good.scenes, random).clone();
            let other = any(&good.scenes, random).clone();
            let toml = |files: &[(OsString, Vec<u8>)]| {
                files.iter().position(|(name, _)| name == "scene.toml").expect("a scene")
            };
            let (at, from) = (toml(&case.files), toml(&other));
            for _ in 0..edits {
                mutate::text(&mut case.files[at].1, &other[from].1, random);
            }
            case.say(["render", "scene.toml", "-o", "o.png", "--size", "8"]);
        }
        Kind::Constants => {
            let mut text = any(&good.constants, random).clone();
            let more =
                any(&good.scenes, random).iter().find(|(name, _)| name == "scene.toml").expect("a scene").1.clone();
            (0..edits).for_each(|_| mutate::text(&mut text, &more, random));
            case.add("c.toml", text);
            drawn_or_run(&mut case, &["--constants", "c.toml"], random);
        }
        Kind::Mesh => {
            let mut text = any(&good.meshes, random).clone();
            (0..edits).for_each(|_| mutate::text(&mut text, any::<Vec<u8>>(&good.meshes, random), random));
            case.add("m.obj", text);
            programs(&mut case);
            case.say(["render", "a.vert.agal", "a.frag.agal", "-o", "o.png", "--size", "8", "--mesh", "m.obj"]);
        }
        Kind::Picture => {
            let mut file = any(&good.pictures, random).clone();
            let plain = file.clone();
            (0..edits).for_each(|_| {
                mutate::bytes(&mut file, any::<Vec<u8>>(&good.pictures, random), [1, 4][random.below(2)], random)
            });
            if random.below(3) > 0 {
                mutate::fix_picture(&mut file);
            }
            case.add("p.png", file);
            if random.below(2) == 0 {
                case.add("q.png", plain);
                let both = if random.below(2) == 0 { ["p.png", "q.png"] } else { ["q.png", "p.png"] };
                case.say(["compare"]);
                case.say(both);
                if random.below(2) == 0 {
                    case.say(["-o", "o.png"]);
                }
                case.say([["--allow=100"], ["--json"], ["--threshold=255"]][random.below(3)]);
            } else if random.below(2) == 0 {
                drawn_or_run(&mut case, &["--texture", "fs0=p.png"], random);
            } else {
                drawn_or_run(&mut case, &["--set", "fs0=p.png"], random);
            }
        }
        Kind::Options => {
            programs(&mut case);
            options(&mut case, random);
        }
        Kind::Names => names(&mut case, random),
    }
    case
}

/// Whole words with their bytes turned round, as another machine has them.
fn swapped(file: &mut [u8]) {
    let words = file.len() / 4 * 4;
    file[..words].chunks_exact_mut(4).for_each(<[u8]>::reverse);
}

fn programs(case: &mut Case) {
    case.add("a.vert.agal", VERTEX);
    case.add("a.frag.agal", FRAGMENT);
}

fn drawn_or_run(case: &mut Case, options: &[&str], random: &mut Random) {
    programs(case);
    if options[0] != "--set" && (options[0] == "--texture" || random.below(2) == 0) {
        case.say(["render", "a.vert.agal", "a.frag.agal", "-o", "o.png", "--size", "8"]);
    } else {
        case.say(["run", ["a.frag.agal", "a.vert.agal"][random.below(if options[0] == "--set" { 1 } else { 2 })]]);
        case.say([["--trace"], ["--json"], ["--format=text"]][random.below(3)]);
    }
    case.say(options.iter().copied());
}

/// Some command on one or two programs.
fn program(case: &mut Case, inputs: &[&str], random: &mut Random) {
    let pick = |random: &mut Random, of: &[&'static str]| of[random.below(of.len())];
    let first = inputs[random.below(inputs.len())];
    let mut reads = true;
    match random.below(16) {
        0..=4 => {
            case.say(["compile"]);
            case.say(inputs.iter().copied());
            let kinds = [
                ("o.spv", "--to=spirv"),
                ("o.spvasm", "--to=spirv-asm"),
                ("o.wgsl", "--to=wgsl"),
                ("o.glsl", "--to=glsl"),
                ("o.sdlbc", "--to=sdlbc"),
                ("o.sdlasm", "--to=sdlasm"),
            ];
            let (one, other) = (random.below(kinds.len()), random.below(kinds.len()));
            case.say(["-o", kinds[one].0]);
            if one != other && random.below(2) == 0 {
                case.say(["-o", kinds[other].0]);
            } else if random.below(8) == 0 {
                case.say([kinds[one].1]);
            }
            for option in [
                &["--glsl=330", "--glsl=300es", "--glsl=450"][..],
                &["--depth=zero-to-one", "--depth=neg-one-to-one"],
                &["--flip-y=none", "--flip-y=always"],
                &["--prune-varyings"],
                &["--pack-varyings"],
                &["--debug=none", "--debug=lines", "--debug=full"],
                &["--dialect=header", "--dialect=text"],
            ] {
                if random.below(4) == 0 {
                    case.say([pick(random, option)]);
                }
            }
        }
        5 => {
            case.say(["assemble", first, "-o", "o.agalbc"]);
            reads = false;
        }
        6 => {
            case.say(["assemble", first, "--expand", "-o", "o.agal"]);
            reads = false;
        }
        7 => {
            case.say(["disassemble", first, "-o", "o.agal"]);
            if random.below(2) == 0 {
                case.say(["--annotate"]);
            }
            reads = false;
        }
        8 => {
            case.say(["print"]);
            case.say(inputs.iter().copied());
            case.say(["-o", "o.sdlasm"]);
        }
        9 => {
            case.say(["dump", first]);
            if random.below(2) == 0 {
                case.say(["--graph"]);
            }
        }
        10 => {
            case.say([pick(random, &["validate", "link"])]);
            case.say(inputs.iter().copied());
            if random.below(2) == 0 {
                case.say(["--json"]);
            }
            reads = false;
        }
        11 => {
            case.say(["verify"]);
            case.say(inputs.iter().copied());
        }
        12 => {
            case.say(["inspect"]);
            case.say(inputs.iter().copied());
            if random.below(2) == 0 {
                case.say(["--json"]);
            }
        }
        13 => {
            case.say(["run", first]);
            for option in [
                &["--trace"][..],
                &["--json"],
                &["--set=va0=1,2,3"],
                &["--set=v0=nan,inf,-0"],
                &["--set=fs0=1,0.5"],
                &["--stage=vertex"],
            ] {
                if random.below(3) == 0 {
                    case.say(option.iter().copied());
                }
            }
            return;
        }
        14 => {
            case.say(["render"]);
            case.say(inputs.iter().copied());
            if inputs.len() == 1 {
                // The other program is a good one.
                programs(case);
                case.say([pick(random, &["a.frag.agal", "a.vert.agal"])]);
                let mut seen = std::collections::HashSet::new();
                case.files.retain(|(name, _)| seen.insert(name.clone()));
            }
            case.say(["-o", "o.png", "--size", "8"]);
        }
        _ => {
            case.say(["strip", first, "-o", "o.sdlbc"]);
            if random.below(2) == 0 {
                case.say(["--debug-table", "o.table.sdlbc"]);
            }
            return;
        }
    }
    if random.below(5) == 0 {
        case.say([pick(
            random,
            &[
                "--compat=player",
                "--compat=lenient",
                "-Wnone",
                "-Werror",
                "--allow-ted",
                "--profile=baselineConstrained",
                "--allow=3647,3648",
            ],
        )]);
        case.say([pick(
            random,
            &[
                "--agal-version=1",
                "--agal-version=2",
                "--agal-version=4",
                "--stage=vertex",
                "--stage=fragment",
                "--language=macro",
                "--language=plain",
                "-DX=1",
            ],
        )]);
        if reads {
            case.say([pick(
                random,
                &["--ifg=greater", "--ifg=greater-equal", "--index=truncate", "--index=round", "--signed-offsets"],
            )]);
        }
    }
}

/// Values that an option may be given, good ones among them.
const VALUES: [&str; 48] = [
    "",
    "=",
    "fs0",
    "fs0=",
    "fs0={",
    "fs0={}",
    "fs0={ kind = \"checker\" }",
    "fs0={ kind = \"checker\", size = -1 }",
    "fs0=checker",
    "fs0=1e39",
    "fs99=sky",
    "v0=1",
    "v0=nan,inf,-inf,-0",
    "v0=1,2,3,4,5",
    "vc0=1",
    "vc127=1,2,3,4,5",
    "vc128=1",
    "fc27=1,2,3,4,5,6,7,8",
    "vc-1=1",
    "iid=1",
    "iid=1.5",
    "iid=-1",
    "va0=",
    "va0=,",
    "va0=1,,2",
    "=1",
    "0x0",
    "8x",
    "x8",
    "8",
    "8x8",
    "-8",
    "1e3",
    "99999x99999",
    "16385",
    "{ shape = \"torus\" }",
    "{ shape = \"torus\", tube = 1e308 }",
    "{ shape = \"sphere\", tube = nan }",
    "{ shape = \"grid\", columns = 0 }",
    "knot",
    "é",
    "\u{202e}\u{1F600}",
    "X",
    "X=1",
    "X=1e999",
    "9X=1",
    "X==",
    "-",
];

fn options(case: &mut Case, random: &mut Random) {
    let value = |random: &mut Random| -> String {
        let mut value = VALUES[random.below(VALUES.len())].as_bytes().to_vec();
        match random.below(4) {
            0 => mutate::text(&mut value, VALUES[random.below(VALUES.len())].as_bytes(), random),
            1 => value = VALUES[random.below(VALUES.len())].repeat(1 + random.below(300)).into_bytes(),
            _ => {}
        }
        // What is handed to a program holds no NUL, and no picture is larger than needed.
        let value: String = String::from_utf8_lossy(&value).chars().filter(|&c| c != '\0').take(30_000).collect();
        value
    };
    let pair = ["a.vert.agal", "a.frag.agal"];
    let (command, options): (&[&str], &[&str]) = match random.below(6) {
        0 => (&["run", "a.frag.agal"], &["--set", "--constants", "--stage", "--format", "-D", "--language"]),
        1 => (&["run", "a.vert.agal", "--json"], &["--set", "--set", "--agal-version", "--profile", "--compat"]),
        2 => (&["render"], &["--mesh", "--texture", "--constants", "--size", "-D"]),
        3 => (
            &["compile"],
            &[
                "-D",
                "--to",
                "--glsl",
                "--depth",
                "--flip-y",
                "--debug",
                "--dialect",
                "--allow",
                "-W",
                "-o",
                "--debug-table",
            ],
        ),
        4 => (&["validate"], &["--endian", "--profile", "--compat", "--allow", "-D", "--agal-version", "--format"]),
        _ => (&["compare", "a.vert.agal", "a.vert.agal"], &["--threshold", "--allow", "--contrast", "--format"]),
    };
    case.say(command.iter().copied());
    if command.len() == 1 {
        case.say(pair);
    }
    let mut sized = command[0] != "render";
    for _ in 0..1 + random.below(2) {
        let option = options[random.below(options.len())];
        let mut given = value(random);
        if option == "--size" {
            // A large picture is drawn as it is asked, and takes its time.
            sized = true;
            if given.split('x').any(|side| side.trim().parse::<u32>().is_ok_and(|side| side > 64 && side < 20_000)) {
                given = "64".into();
            }
        }
        let out = option == "-o";
        let given = if out {
            format!("o.{}", given.replace(['/', '\n'], "_").chars().take(60).collect::<String>())
        } else {
            given
        };
        match random.below(2) {
            0 if option.starts_with("--") => case.say([format!("{option}={given}")]),
            _ => case.say([option.to_string(), given]),
        }
    }
    match command[0] {
        "render" => {
            case.say(["-o", "o.png"]);
            if !sized {
                case.say(["--size", "8"]);
            }
        }
        "compile" if !case.arguments.iter().any(|argument| argument == "-o") => case.say(["-o", "o.wgsl"]),
        _ => {}
    }
}

/// Names of files, of inputs and outputs.
const NAMES: [&str; 26] = [
    "a",
    "a.agal",
    "a b.agal",
    " ",
    "  .agal",
    "a.",
    "a..",
    ".agal",
    "...",
    "-",
    "--",
    "-o",
    "--help",
    "a\nb.agal",
    "a\tb",
    "\u{1b}[31m.agal",
    "é.agal",
    "e\u{301}.agal",
    "\u{202e}laga.a",
    "\u{1F600}.agal",
    "a.vert.agal.vert.agal",
    "a.sdlbc",
    "a.png",
    "a.toml",
    "a=b.agal",
    "%s%n{}.agal",
];

fn names(case: &mut Case, random: &mut Random) {
    let name = |random: &mut Random| -> OsString {
        match random.below(12) {
            0 => "x".repeat(255).into(),
            1 => format!("{}.agal", "é".repeat(125)).into(),
            2 => {
                #[cfg(unix)]
                return std::os::unix::ffi::OsStringExt::from_vec(vec![b'a', 0xff, 0xfe, b'.', b'a', b'g', b'a', b'l']);
                #[cfg(not(unix))]
                return "a".into();
            }
            _ => NAMES[random.below(NAMES.len())].into(),
        }
    };
    let from = name(random);
    let content = [
        VERTEX.as_bytes().to_vec(),
        FRAGMENT.as_bytes().to_vec(),
        any(&GOOD.modules, random).clone(),
        any(&GOOD.bytecode, random)[0].clone(),
    ];
    case.add(from.clone(), content[random.below(4)].clone());
    let here = |name: &OsString| {
        let mut path = OsString::from("./");
        path.push(name);
        path
    };
    let from = if random.below(3) == 0 { from } else { here(&from) };
    let command = [
        "compile",
        "assemble",
        "disassemble",
        "print",
        "dump",
        "validate",
        "inspect",
        "run",
        "strip",
        "verify",
        "render",
    ][random.below(11)];
    case.say([command]);
    case.arguments.push(from.clone());
    if matches!(command, "render" | "compile") && random.below(3) == 0 {
        case.arguments.push(from);
    }
    if !matches!(command, "validate" | "verify") {
        let mut out = OsString::from(["o.", "o", "./o.", "o"][random.below(4)]);
        let mut tail = name(random);
        if tail.len() > 200 {
            tail = "long".into();
        }
        out.push(tail);
        let end = ["", ".wgsl", ".glsl", ".sdlbc", ".spv", ".png"][random.below(6)];
        out.push(end);
        case.say(["-o"]);
        case.arguments.push(out);
    }
    if command == "render" {
        case.say(["--size", "8"]);
    }
}
