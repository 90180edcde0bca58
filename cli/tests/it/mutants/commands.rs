//! Builds random command lines from commands, options, option values and file names.

use std::ffi::OsString;

use super::good::{Case, a_module, a_program, programs};
use super::mutate;
use crate::support::Random;
use crate::support::sandbox::{FRAGMENT, VERTEX};

/// Adds a random command that reads one or two programs.
pub(crate) fn program(case: &mut Case, inputs: &[&str], random: &mut Random) {
    let pick = |random: &mut Random, of: &[&'static str]| of[random.below(of.len())];
    let first = inputs[random.below(inputs.len())];
    let mut reads = true;
    match random.below(16) {
        0..=4 => {
            case.args(["compile"]);
            case.args(inputs.iter().copied());
            let kinds = [
                ("o.spv", "--to=spirv"),
                ("o.spvasm", "--to=spirv-asm"),
                ("o.wgsl", "--to=wgsl"),
                ("o.glsl", "--to=glsl"),
                ("o.sdlbc", "--to=sdlbc"),
                ("o.sdlasm", "--to=sdlasm"),
            ];
            let (one, other) = (random.below(kinds.len()), random.below(kinds.len()));
            case.args(["-o", kinds[one].0]);
            if one != other && random.below(2) == 0 {
                case.args(["-o", kinds[other].0]);
            } else if random.below(8) == 0 {
                case.args([kinds[one].1]);
            }
            for option in [
                &["--glsl=330", "--glsl=300es", "--glsl=450"][..],
                &["--depth=zero-to-one", "--depth=neg-one-to-one"],
                &["--flip-y=none", "--flip-y=always"],
                &["--trust-indices"],
                &["--prune-varyings"],
                &["--pack-varyings"],
                &["--debug=none", "--debug=lines", "--debug=full"],
                &["--dialect=header", "--dialect=text"],
            ] {
                if random.below(4) == 0 {
                    case.args([pick(random, option)]);
                }
            }
        }
        5 => {
            case.args(["assemble", first, "-o", "o.agalbc"]);
            reads = false;
        }
        6 => {
            case.args(["assemble", first, "--expand", "-o", "o.agal"]);
            reads = false;
        }
        7 => {
            case.args(["disassemble", first, "-o", "o.agal"]);
            if random.below(2) == 0 {
                case.args(["--annotate"]);
            }
            reads = false;
        }
        8 => {
            case.args(["print"]);
            case.args(inputs.iter().copied());
            case.args(["-o", "o.sdlasm"]);
        }
        9 => {
            case.args(["dump", first]);
            if random.below(2) == 0 {
                case.args(["--graph"]);
            }
        }
        10 => {
            case.args([pick(random, &["validate", "link"])]);
            case.args(inputs.iter().copied());
            if random.below(2) == 0 {
                case.args(["--json"]);
            }
            reads = false;
        }
        11 => {
            case.args(["verify"]);
            case.args(inputs.iter().copied());
        }
        12 => {
            case.args(["inspect"]);
            case.args(inputs.iter().copied());
            if random.below(2) == 0 {
                case.args(["--json"]);
            }
        }
        13 => {
            case.args(["run", first]);
            for option in [
                &["--trace"][..],
                &["--json"],
                &["--set=va0=1,2,3"],
                &["--set=v0=nan,inf,-0"],
                &["--set=fs0=1,0.5"],
                &["--stage=vertex"],
            ] {
                if random.below(3) == 0 {
                    case.args(option.iter().copied());
                }
            }
            return;
        }
        14 => {
            case.args(["render"]);
            case.args(inputs.iter().copied());
            if inputs.len() == 1 {
                programs(case);
                case.args([pick(random, &["a.frag.agal", "a.vert.agal"])]);
                let mut seen = std::collections::HashSet::new();
                case.files.retain(|(name, _)| seen.insert(name.clone()));
            }
            case.args(["-o", "o.png", "--size", "8"]);
        }
        _ => {
            case.args(["strip", first, "-o", "o.sdlbc"]);
            if random.below(2) == 0 {
                case.args(["--debug-table", "o.table.sdlbc"]);
            }
            return;
        }
    }
    if random.below(5) == 0 {
        case.args([pick(random, &["--format=sarif", "--format=json", "-q", "-v", "--color=never"])]);
    }
    if random.below(5) == 0 {
        case.args([pick(
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
        case.args([pick(
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
            case.args([pick(
                random,
                &["--ifg=greater", "--ifg=greater-equal", "--index=truncate", "--index=round", "--signed-offsets"],
            )]);
        }
    }
}

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

/// Reports whether an option might accept the value.
fn is_like(option: &str, value: &str) -> bool {
    match option {
        "--set" => value.contains('=') && !value.starts_with('{'),
        "--texture" => value.starts_with("fs"),
        "--mesh" => value.starts_with('{') || value == "knot",
        "-D" => value.starts_with('X'),
        "--size" | "--threshold" | "--contrast" | "--allow" => value.starts_with(|c: char| c.is_ascii_digit()),
        _ => true,
    }
}

pub(crate) fn options(case: &mut Case, random: &mut Random) {
    let value = |option: &str, random: &mut Random| -> String {
        let any = random.below(4) == 0;
        let like: Vec<&str> = VALUES.into_iter().filter(|value| any || is_like(option, value)).collect();
        let mut value = like[random.below(like.len())].as_bytes().to_vec();
        match random.below(5) {
            0 => mutate::text(&mut value, VALUES[random.below(VALUES.len())].as_bytes(), random),
            1 => value = VALUES[random.below(VALUES.len())].repeat(1 + random.below(300)).into_bytes(),
            _ => {}
        }
        // Operating systems refuse arguments that contain NUL or are very long.
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
    case.args(command.iter().copied());
    if command.len() == 1 {
        case.args(pair);
    }
    let mut sized = command[0] != "render";
    for _ in 0..1 + random.below(2) {
        let option = options[random.below(options.len())];
        let mut given = value(option, random);
        if option == "--size" {
            // Large pictures are valid, but take too long to draw.
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
            0 if option.starts_with("--") => case.args([format!("{option}={given}")]),
            _ => case.args([option.to_string(), given]),
        }
    }
    match command[0] {
        "render" => {
            case.args(["-o", "o.png"]);
            if !sized {
                case.args(["--size", "8"]);
            }
        }
        "compile" if !case.arguments.iter().any(|argument| argument == "-o") => case.args(["-o", "o.wgsl"]),
        _ => {}
    }
}

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

pub(crate) fn names(case: &mut Case, random: &mut Random) {
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
    let content = [VERTEX.as_bytes().to_vec(), FRAGMENT.as_bytes().to_vec(), a_module(random), a_program(random)];
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
    case.args([command]);
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
        case.args(["-o"]);
        case.arguments.push(out);
    }
    if command == "render" {
        case.args(["--size", "8"]);
    }
}
