//! The intact programs, modules and scenes of which the mutation tests make damaged copies. A [`Case`] consists of input files
//! and a command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support::sandbox::{FRAGMENT, VERTEX};
use crate::support::{Random, repository, testdata};
use laws::works::PAIRS;

#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) files: Vec<(OsString, Vec<u8>)>,
    pub(crate) arguments: Vec<OsString>,
}

impl Case {
    pub(crate) fn add(&mut self, name: impl Into<OsString>, bytes: impl Into<Vec<u8>>) {
        self.files.push((name.into(), bytes.into()));
    }

    pub(crate) fn args(&mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) {
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

/// Returns the contents of all files below a testdata folder that have the extension `ending` and at most `most` bytes.
fn all(folder: &str, ending: &str, most: usize) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    below(&testdata(folder), &mut paths);
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    let found: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("the file")).collect();
    let found: Vec<Vec<u8>> = found.into_iter().filter(|bytes| bytes.len() <= most).collect();
    assert!(!found.is_empty(), "nothing in {folder} ends with {ending}");
    found
}

pub(crate) struct Good {
    pub(crate) pairs: Vec<[Vec<u8>; 2]>,
    pub(crate) macros: Vec<Vec<u8>>,
    pub(crate) pasted: Vec<Vec<u8>>,
    pub(crate) bytecode: Vec<[Vec<u8>; 2]>,
    pub(crate) modules: Vec<Vec<u8>>,
    pub(crate) module_texts: Vec<Vec<u8>>,
    /// Modules that were split in two: a module without debug information, and its debug table.
    pub(crate) tables: Vec<[Vec<u8>; 2]>,
    pub(crate) scenes: Vec<Vec<(OsString, Vec<u8>)>>,
    pub(crate) constants: Vec<Vec<u8>>,
    pub(crate) meshes: Vec<Vec<u8>>,
    pub(crate) pictures: Vec<Vec<u8>>,
}

pub(crate) static GOOD: LazyLock<Good> = LazyLock::new(|| {
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
        pasted: [".as", ".hx", ".hex"].iter().flat_map(|ending| all("agal/pasted", ending, 6000)).collect(),
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

pub(crate) fn any<'a, T>(of: &'a [T], random: &mut Random) -> &'a T {
    &of[random.below(of.len())]
}

pub(crate) fn programs(case: &mut Case) {
    case.add("a.vert.agal", VERTEX);
    case.add("a.frag.agal", FRAGMENT);
}

pub(crate) fn a_module(random: &mut Random) -> Vec<u8> {
    any(&GOOD.modules, random).clone()
}

pub(crate) fn a_program(random: &mut Random) -> Vec<u8> {
    any(&GOOD.bytecode, random)[0].clone()
}
