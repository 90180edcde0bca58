//! The kinds of damaged input, and the command lines that are run on each kind.

use std::ffi::OsString;

use super::commands::{names, options, program};
use super::good::{Case, GOOD, any, programs};
use super::mutate;
use crate::support::Random;
use testing::damage::fix_checksum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    AgalText,
    MacroText,
    Bytecode,
    BigEndianBytecode,
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
    Pasted,
}

impl Kind {
    pub(crate) const ALL: [Kind; 15] = [
        Kind::AgalText,
        Kind::MacroText,
        Kind::Bytecode,
        Kind::BigEndianBytecode,
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
        Kind::Pasted,
    ];
}

/// Returns a random case with an input of the given kind.
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
            // In some cases, the fragment program's file contains a vertex program.
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
        Kind::Pasted => {
            let mut text = any(&good.pasted, random).clone();
            (0..edits).for_each(|_| mutate::text(&mut text, any::<Vec<u8>>(&good.pasted, random), random));
            case.add("a.txt", text);
            program(&mut case, &["a.txt"], random);
        }
        Kind::Bytecode | Kind::BigEndianBytecode => {
            let which = random.below(2);
            let mut file = any(&good.bytecode, random)[which].clone();
            let swap = kind == Kind::BigEndianBytecode;
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
                case.args(["--endian", "big"]);
            }
        }
        Kind::ModuleFile => {
            let mut file = any(&good.modules, random).clone();
            (0..edits).for_each(|_| mutate::bytes(&mut file, any::<Vec<u8>>(&good.modules, random), 4, random));
            if random.below(5) > 0 {
                fix_checksum(&mut file);
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
                fix_checksum(&mut table);
            }
            case.add("a.sdlbc", file);
            case.add("table.sdlbc", table);
            match random.below(4) {
                0 => program(&mut case, &["table.sdlbc"], random),
                _ => {
                    let one = [["print"], ["inspect"], ["verify"], ["compile"], ["dump"]][random.below(5)];
                    case.args(one);
                    case.args(["a.sdlbc", "--debug-table", "table.sdlbc"]);
                    if one == ["compile"] {
                        let out = ["o.sdlbc", "o.sdlasm", "o.wgsl", "o.spvasm"][random.below(4)];
                        case.args(["-o", out]);
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
            case.args(["render", "scene.toml", "-o", "o.png", "--size", "8"]);
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
            case.args(["render", "a.vert.agal", "a.frag.agal", "-o", "o.png", "--size", "8", "--mesh", "m.obj"]);
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
                case.args(["compare"]);
                case.args(both);
                if random.below(2) == 0 {
                    case.args(["-o", "o.png"]);
                }
                case.args([["--allow=100"], ["--json"], ["--threshold=255"]][random.below(3)]);
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

/// Converts each complete 32-bit word from little-endian to big-endian.
fn swapped(file: &mut [u8]) {
    let words = file.len() / 4 * 4;
    file[..words].chunks_exact_mut(4).for_each(<[u8]>::reverse);
}

fn drawn_or_run(case: &mut Case, options: &[&str], random: &mut Random) {
    programs(case);
    if options[0] != "--set" && (options[0] == "--texture" || random.below(2) == 0) {
        case.args(["render", "a.vert.agal", "a.frag.agal", "-o", "o.png", "--size", "8"]);
    } else {
        case.args(["run", ["a.frag.agal", "a.vert.agal"][random.below(if options[0] == "--set" { 1 } else { 2 })]]);
        case.args([["--trace"], ["--json"], ["--format=text"]][random.below(3)]);
    }
    case.args(options.iter().copied());
}
