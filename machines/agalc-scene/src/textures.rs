//! Reads the `textures` table of a scene file. Each entry assigns a file or a built-in texture to a register.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sdlbc::{Dimension, FunctionKind};

use crate::error::{Error, ErrorKind};
use crate::reader::{Node, Table, registers, unknown_word};
use crate::store::Folder;
use crate::texture::{Grade, Image, Made, Origin, Pattern};

/// The number of samplers that the stages of a unified-shader program share.
const SHARED: u32 = 8;

const LARGEST: [u32; 3] = [4096, 2048, 128];

const KINDS: [&str; 11] =
    ["checker", "gradient", "noise", "bumps", "bricks", "disc", "landscape", "levels", "faces", "sky", "ramp"];

/// The default blur of the horizon and the sun in a sky texture.
const SOFT: f64 = 0.05;
const BLACK_AND_WHITE: [[f64; 4]; 2] = [[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]];
const GREYS: [[f64; 4]; 2] = [[0.85, 0.85, 0.85, 1.0], [0.35, 0.4, 0.5, 1.0]];
const BRICKS: [[f64; 4]; 2] = [[0.72, 0.3, 0.22, 1.0], [0.75, 0.72, 0.66, 1.0]];
const SPOT: [[f64; 4]; 2] = [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0]];
/// Easily distinguished colours for the mip levels and cube faces of built-in textures.
const BRIGHT: [[f64; 4]; 8] = [
    [0.85, 0.25, 0.2, 1.0],
    [0.95, 0.6, 0.15, 1.0],
    [0.95, 0.9, 0.3, 1.0],
    [0.35, 0.75, 0.3, 1.0],
    [0.2, 0.7, 0.75, 1.0],
    [0.25, 0.35, 0.85, 1.0],
    [0.6, 0.3, 0.75, 1.0],
    [0.9, 0.9, 0.9, 1.0],
];

/// Returns the built-in texture that replaces a missing texture of the given dimension.
pub(crate) fn substitute(dimension: Dimension) -> Image {
    let made = match dimension {
        Dimension::D2 | Dimension::D2Array => {
            Made::Checker { size: [256, 256], cells: [8, 8], colours: GREYS.to_vec() }
        }
        Dimension::Cube | Dimension::CubeArray => Made::Sky { size: 128, soft: SOFT },
        Dimension::D3 => Made::Ramp { size: 32, grade: Grade::None },
    };
    Image { origin: Origin::Made(made), mips: None }
}

pub(crate) fn read(table: &Table<'_>, folder: Folder<'_>) -> Result<BTreeMap<(FunctionKind, u32), Image>, Error> {
    let mut textures = BTreeMap::new();
    for (key, node) in table.entries() {
        let slot = registers(key.name(), ["vs", "fs", "t"])
            .filter(|(stages, slot)| *slot < if stages.len() > 1 { SHARED } else { sdlbc::limits::PLACES });
        let Some((stages, slot)) = slot else {
            let what = "a sampler register such as fs0, vs0 or t0".to_string();
            return Err(key.error(ErrorKind::Range { what, found: format!("`{}`", key.name()) }));
        };
        let image = image(&node, folder)?;
        for &stage in stages {
            if textures.insert((stage, slot), image.clone()).is_some() {
                return Err(key.error(ErrorKind::Twice { register: key.name().to_string() }));
            }
        }
    }
    Ok(textures)
}

fn image(node: &Node<'_>, folder: Folder<'_>) -> Result<Image, Error> {
    let path = |node: &Node<'_>| node.file(folder);
    if let Some(word) = node.text() {
        if word.contains('.') {
            return Ok(Image { origin: Origin::File(path(node)?), mips: None });
        }
        return Ok(Image { origin: Origin::Made(made(node, word, None)?), mips: None });
    }
    let table = node.table("a texture")?;
    let mips = table.find("mips").map(|node| node.truth()).transpose()?;
    if let Some(file) = table.find("file") {
        table.only(&["file", "mips"])?;
        let Some(list) = file.list() else { return Ok(Image { origin: Origin::File(path(&file)?), mips }) };
        if list.len() != 6 {
            return Err(file.expected("a file name, or six for a cube"));
        }
        let faces = list.iter().map(path).collect::<Result<Vec<PathBuf>, Error>>()?;
        return Ok(Image { origin: Origin::Faces(faces), mips });
    }
    let kind = table.need("kind")?;
    let word = kind.string("a texture's kind")?;
    Ok(Image { origin: Origin::Made(made(&kind, word, Some(table))?), mips })
}

/// Creates the built-in texture of the kind `word`, such as `checker`, with the parameters in a table.
fn made(node: &Node<'_>, word: &str, table: Option<Table<'_>>) -> Result<Made, Error> {
    let only = |keys: &[&str]| -> Result<(), Error> {
        let keys: Vec<&str> = ["kind", "mips"].into_iter().chain(keys.iter().copied()).collect();
        table.map_or(Ok(()), |table| table.only(&keys).map(|_| ()))
    };
    let find = |key: &str| table.and_then(|table| table.find(key));
    let whole = |key: &str, usual: u32, most: u32| find(key).map_or(Ok(usual), |node| node.whole(1..=most));
    let seed = || find("seed").map_or(Ok(1), |node| node.whole(0..=u32::MAX));
    let number = |key: &str, usual: f64, most: f64| find(key).map_or(Ok(usual), |node| node.number(0.0..=most));
    let colours = |usual: &[[f64; 4]]| find("colours").map_or(Ok(usual.to_vec()), |node| list(&node));
    let two = |key: &str, usual: u32, most: u32| find(key).map_or(Ok([usual; 2]), |node| node.one_or_two(1..=most));
    let size = |usual: u32| two("size", usual, LARGEST[0]);
    Ok(match word {
        "checker" => {
            only(&["size", "cells", "colours"])?;
            Made::Checker { size: size(256)?, cells: two("cells", 8, 4096)?, colours: colours(&BLACK_AND_WHITE)? }
        }
        "gradient" => {
            only(&["size", "colours", "direction", "steps"])?;
            let words = [("right", false), ("down", true)];
            let down = find("direction").map_or(Ok(false), |node| node.word("direction", &words))?;
            let steps = find("steps").map(|node| node.whole(2..=4096)).transpose()?;
            Made::Gradient { size: size(256)?, colours: colours(&BLACK_AND_WHITE)?, down, steps }
        }
        "noise" => {
            only(&["size", "cells", "octaves", "seed", "colours"])?;
            Made::Noise {
                size: size(256)?,
                cells: whole("cells", 8, 1024)?,
                octaves: whole("octaves", 4, 8)?,
                seed: seed()?,
                colours: colours(&BLACK_AND_WHITE)?,
            }
        }
        "bumps" => {
            only(&["size", "pattern", "cells", "strength", "seed"])?;
            let words = [
                ("dots", Pattern::Dots),
                ("bricks", Pattern::Bricks),
                ("noise", Pattern::Noise),
                ("studs", Pattern::Studs),
            ];
            Made::Bumps {
                size: size(256)?,
                pattern: find("pattern").map_or(Ok(Pattern::Dots), |node| node.word("pattern", &words))?,
                cells: whole("cells", 8, 1024)?,
                strength: number("strength", 1.0, 100.0)?,
                seed: seed()?,
            }
        }
        "bricks" => {
            only(&["size", "cells", "colours", "seed"])?;
            let cells = whole("cells", 4, 256)?;
            Made::Bricks { size: size(256)?, cells, colours: colours(&BRICKS)?, seed: seed()? }
        }
        "disc" => {
            only(&["size", "radius", "soft", "colours"])?;
            let soft = number("soft", 0.05, 1.0)?.max(1e-3);
            Made::Disc { size: size(256)?, radius: number("radius", 0.8, 2.0)?, soft, colours: colours(&SPOT)? }
        }
        "landscape" => {
            only(&["size"])?;
            Made::Landscape { size: size(512)? }
        }
        "levels" => {
            only(&["size", "colours"])?;
            Made::Levels { size: size(128)?, colours: colours(&BRIGHT)? }
        }
        "faces" => {
            only(&["size", "colours"])?;
            Made::Faces { size: whole("size", 128, LARGEST[1])?, colours: colours(&BRIGHT)? }
        }
        "sky" => {
            only(&["size", "soft"])?;
            let soft = number("soft", SOFT, 1.0)?.max(1e-3);
            Made::Sky { size: whole("size", 256, LARGEST[1])?, soft }
        }
        "ramp" => {
            only(&["size", "grade"])?;
            let words = [
                ("none", Grade::None),
                ("warm", Grade::Warm),
                ("cool", Grade::Cool),
                ("sepia", Grade::Sepia),
                ("invert", Grade::Invert),
                ("film", Grade::Film),
            ];
            let grade = find("grade").map_or(Ok(Grade::None), |node| node.word("grade", &words))?;
            Made::Ramp { size: whole("size", 32, LARGEST[2])?, grade }
        }
        word => return Err(node.error(unknown_word(word, "texture", KINDS.into_iter()))),
    })
}

fn list(node: &Node<'_>) -> Result<Vec<[f64; 4]>, Error> {
    let list = node.list().filter(|list| (1..=64).contains(&list.len()));
    list.ok_or_else(|| node.expected("a list of 1 to 64 colours"))?.iter().map(colour).collect()
}

/// Reads a colour: `#rgb`, `#rrggbb`, `#rrggbbaa`, or three or four numbers.
pub(crate) fn colour(node: &Node<'_>) -> Result<[f64; 4], Error> {
    const WHAT: &str = "a colour (\"#rgb\", \"#rrggbb\", \"#rrggbbaa\" or 3 to 4 numbers)";
    let mut colour = [0.0, 0.0, 0.0, 1.0];
    if let Some(list) = node.list() {
        if !(3..=4).contains(&list.len()) {
            return Err(node.expected(WHAT));
        }
        for (part, node) in colour.iter_mut().zip(list) {
            *part = node.finite()?;
        }
        return Ok(colour);
    }
    let text = node.string(WHAT)?;
    let bad = || node.error(ErrorKind::Range { what: WHAT.to_string(), found: format!("`{text}`") });
    let digits = text.strip_prefix('#').ok_or_else(bad)?;
    let digits: Vec<u32> = digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>().ok_or_else(bad)?;
    let pairs: Vec<u32> = match digits.len() {
        3 => digits.iter().map(|digit| digit * 17).collect(),
        6 | 8 => digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |sum, digit| sum * 16 + digit)).collect(),
        _ => return Err(bad()),
    };
    for (part, pair) in colour.iter_mut().zip(pairs) {
        *part = f64::from(pair) / 255.0;
    }
    Ok(colour)
}
