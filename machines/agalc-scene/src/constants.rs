//! Constant registers: literal rows, and rows computed from cameras and placements.
//!
//! Matrices are stored as rows, as `m44 op, va0, vc0` and `m33 vt0.xyz, va2, vc8` expect.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::FunctionKind;

use crate::error::{Error, ErrorKind};
use crate::matrix::{self, Camera, IDENTITY, Matrix, product, rotation, scaling, translation};
use crate::number::single;
use crate::reader::{Node, Table, registers, unknown_word};
use crate::textures;

/// The contents of constant registers, by stage and number.
pub type Registers = BTreeMap<(FunctionKind, u32), [f32; 4]>;

/// The camera and the placement of the model, from which constants are computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) camera: Camera,
    pub(crate) model: Matrix,
}

impl World {
    /// Returns the default camera and placement of a scene.
    pub(crate) fn usual(aspect: f64) -> World {
        let camera = Camera {
            eye: [0.0, 0.0, -3.5],
            at: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            fov: 45.0,
            near: 0.1,
            far: 100.0,
            aspect,
            height: None,
        };
        World { camera, model: IDENTITY }
    }

    /// Returns the default camera and placement of a pair without a scene. The camera is above the mesh, so that the hole of a
    /// torus is visible.
    pub(crate) fn above(aspect: f64) -> World {
        let mut world = World::usual(aspect);
        world.camera.eye = [0.0, 2.6, -3.0];
        world
    }

    /// Reads the keys `camera` and `model`. The keys override the camera and the placement in `world`.
    pub(crate) fn read(scene: &Table<'_>, aspect: f64, mut world: World) -> Result<World, Error> {
        scene.set("camera", &mut world.camera, |node| camera(node, aspect))?;
        scene.set("model", &mut world.model, placement)?;
        Ok(world)
    }

    /// Returns the matrix from model space to clip space; `None` if the camera is degenerate.
    pub(crate) fn clip(&self) -> Option<Matrix> {
        self.camera.clip().map(|clip| product(&clip, &self.model))
    }
}

const CAMERA: [&str; 8] = ["eye", "at", "up", "fov", "near", "far", "aspect", "height"];

fn camera(node: &Node<'_>, aspect: f64) -> Result<Camera, Error> {
    let table = node.table("a camera")?.only(&CAMERA)?;
    let mut camera = World::usual(aspect).camera;
    table.set("eye", &mut camera.eye, Node::vector)?;
    table.set("at", &mut camera.at, Node::vector)?;
    table.set("up", &mut camera.up, Node::vector)?;
    table.set("fov", &mut camera.fov, |node| node.number(1.0..=170.0))?;
    table.set("near", &mut camera.near, |node| node.number(1e-6..=f64::MAX))?;
    table.set("far", &mut camera.far, |node| node.number(1e-6..=f64::MAX))?;
    table.set("aspect", &mut camera.aspect, |node| node.number(1e-3..=1e3))?;
    table.set("height", &mut camera.height, |node| node.number(1e-6..=f64::MAX).map(Some))?;
    if camera.height.is_some() && table.find("fov").is_some() {
        return Err(node.error(ErrorKind::Both { one: "fov", other: "height" }));
    }
    if camera.far <= camera.near {
        return Err(node.error(ErrorKind::Degenerate { what: "`far` must be beyond `near`" }));
    }
    if camera.view().is_none() {
        return Err(node.error(ErrorKind::Degenerate { what: "the camera has no direction, or looks along its `up`" }));
    }
    Ok(camera)
}

/// Reads a placement, or a list of placements that are applied in order.
fn placement(node: &Node<'_>) -> Result<Matrix, Error> {
    if let Some(list) = node.list() {
        let parts = list.iter().map(placement).collect::<Result<Vec<Matrix>, Error>>()?;
        return Ok(parts.iter().fold(IDENTITY, |before, part| product(part, &before)));
    }
    let table = node.table("a placement")?.only(&["scale", "rotate", "move"])?;
    let mut matrix = IDENTITY;
    if let Some(scale) = table.find("scale") {
        let by = if scale.list().is_some() { scale.vector()? } else { [scale.finite()?; 3] };
        matrix = scaling(by);
    }
    if let Some(rotate) = table.find("rotate") {
        for (axis, degrees) in rotate.vector::<3>()?.into_iter().enumerate() {
            matrix = product(&rotation(axis, degrees), &matrix);
        }
    }
    if let Some(by) = table.find("move") {
        matrix = product(&translation(by.vector()?), &matrix);
    }
    Ok(matrix)
}

/// The words for constants that are computed from the camera, the model or the picture's size.
const WORDS: [&str; 8] = ["clip", "model", "normal", "view", "projection", "world-to-clip", "eye", "size"];

/// The keys of a table that describes a computed constant.
const COMPUTED: [&str; 8] = ["give", "camera", "model", "projector", "direction", "bones", "length", "bend"];

/// Reads a table whose keys are register names.
pub(crate) fn read(table: &Table<'_>, world: &World, size: [u32; 2]) -> Result<Registers, Error> {
    let mut found = Registers::new();
    for (key, node) in table.entries() {
        let Some((stages, first)) = registers(key.name(), ["vc", "fc", "u"]) else {
            let what = "register such as vc0, fc3 or u0";
            return Err(key.error(ErrorKind::Range { what: format!("a {what}"), found: format!("`{}`", key.name()) }));
        };
        let rows = rows(&node, world, size)?;
        for (row, at) in rows.into_iter().zip(first..) {
            let most = if stages.len() > 1 { SHARED } else { MOST };
            if at >= most {
                let what = format!("a register below {most}");
                return Err(key.error(ErrorKind::Range { what, found: at.to_string() }));
            }
            for &stage in stages {
                if found.insert((stage, at), row).is_some() {
                    let file = key.name().trim_end_matches(|c: char| c.is_ascii_digit());
                    return Err(key.error(ErrorKind::Twice { register: format!("{file}{at}") }));
                }
            }
        }
    }
    Ok(found)
}

/// The registers that one key in a file of constants sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The key in the file. The key is the name of the first register.
    pub key: String,
    /// The registers that the key sets, by stage and number.
    pub registers: Vec<(FunctionKind, u32)>,
}

/// Returns the registers that each key of a table sets. The registers of a key end before the first register of the next key.
pub(crate) fn sets(table: &Table<'_>, set: &Registers) -> Vec<Set> {
    let named = |key: &str| registers(key, ["vc", "fc", "u"]);
    let keys: Vec<(&str, &[FunctionKind], u32)> = table
        .entries()
        .filter_map(|(key, _)| named(key.name()).map(|(stages, first)| (key.name(), stages, first)))
        .collect();
    let firsts: BTreeSet<(FunctionKind, u32)> =
        keys.iter().flat_map(|(_, stages, first)| stages.iter().map(|stage| (*stage, *first))).collect();
    let from = |stage: FunctionKind, first: u32| {
        let rest = (first..).map(move |number| (stage, number)).take_while(|of| set.contains_key(of));
        rest.take_while(|of| of.1 == first || !firsts.contains(of)).collect::<Vec<_>>()
    };
    let of_key = |(key, stages, first): &(&str, &[FunctionKind], u32)| Set {
        key: key.to_string(),
        registers: stages.iter().flat_map(|stage| from(*stage, *first)).collect(),
    };
    keys.iter().map(of_key).collect()
}

/// The number of uniforms that both stages of a unified-shader program share.
const SHARED: u32 = 128;
/// The maximum number of constant registers.
const MOST: u32 = sdlbc::limits::ARRAY_LENGTH;

fn rows(node: &Node<'_>, world: &World, size: [u32; 2]) -> Result<Vec<[f32; 4]>, Error> {
    if let Some(list) = node.list() {
        if list.iter().any(|node| node.list().is_some() || node.text().is_some()) {
            return list.iter().map(row).collect();
        }
        return Ok(vec![row(node)?]);
    }
    if let Some(word) = node.text() {
        if word.starts_with('#') {
            return Ok(vec![row(node)?]);
        }
        return word_rows(node, word, world, size);
    }
    if !node.is_table() {
        return Err(node.expected("a list of numbers, a list of rows, a word or a table"));
    }
    let table = node.table("a computed constant")?.only(&COMPUTED)?;
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    if let Some(direction) = table.find("direction") {
        table.only(&["direction"])?;
        let unit = matrix::normal(direction.vector()?);
        let unit =
            unit.ok_or_else(|| direction.error(ErrorKind::Degenerate { what: "a direction must not be zero" }))?;
        return Ok(vec![[single(unit[0]), single(unit[1]), single(unit[2]), 0.0]]);
    }
    if let Some(count) = table.find("bones") {
        table.only(&["bones", "length", "bend"])?;
        let (mut length, mut bend) = (2.0, [0.0; 3]);
        table.set("length", &mut length, |node| node.number(1e-6..=1e6))?;
        table.set("bend", &mut bend, Node::vector)?;
        let bones = matrix::bones(count.whole(1..=64)?, length, bend);
        return Ok(bones.iter().flat_map(|bone| narrow(bone).into_iter().take(3)).collect());
    }
    if let Some(projector) = table.find("projector") {
        table.only(&["projector"])?;
        // A projected texture is square unless the table `projector` states an aspect ratio.
        let projector = camera(&projector, 1.0)?.projector();
        return Ok(projector.iter().flat_map(narrow).collect());
    }
    let own = World::read(&table, aspect, *world)?;
    let word = match table.find("give") {
        Some(give) => give.string("a word")?,
        None if table.find("camera").is_some() => "clip",
        None if table.find("model").is_some() => "model",
        None => {
            let of = "a computed constant";
            return Err(node.error(ErrorKind::Missing { key: "camera` or `model".to_string(), of }));
        }
    };
    word_rows(&table.find("give").unwrap_or(*node), word, &own, size)
}

fn word_rows(node: &Node<'_>, word: &str, world: &World, size: [u32; 2]) -> Result<Vec<[f32; 4]>, Error> {
    let whole = |matrix: Option<Matrix>| matrix.iter().flat_map(narrow).collect();
    Ok(match word {
        "clip" => whole(world.clip()),
        "model" => whole(Some(world.model)),
        "view" => whole(world.camera.view()),
        "projection" => whole(Some(world.camera.projection())),
        "world-to-clip" => whole(world.camera.clip()),
        "normal" => {
            let flat = ErrorKind::Degenerate { what: "a placement that flattens the model has no normals" };
            let rows = matrix::for_normals(&world.model).ok_or_else(|| node.error(flat))?;
            rows.map(|[x, y, z]| [single(x), single(y), single(z), 0.0]).to_vec()
        }
        "eye" => {
            let [x, y, z] = world.camera.eye.map(single);
            vec![[x, y, z, 1.0]]
        }
        "size" => {
            let [w, h] = size.map(f64::from);
            vec![[w, h, 1.0 / w, 1.0 / h].map(single)]
        }
        word => return Err(node.error(unknown_word(word, "computed constant", WORDS.into_iter()))),
    })
}

fn narrow(matrix: &Matrix) -> [[f32; 4]; 4] {
    matrix.map(|row| row.map(single))
}

/// Reads a colour, or one to four numbers. Missing numbers are zero.
fn row(node: &Node<'_>) -> Result<[f32; 4], Error> {
    if node.text().is_some() {
        return textures::colour(node).map(|colour| colour.map(single));
    }
    let list = node.list().filter(|list| (1..=4).contains(&list.len()));
    let list = list.ok_or_else(|| node.expected("a list of 1 to 4 numbers"))?;
    let mut row = [0.0; 4];
    for (into, node) in row.iter_mut().zip(list) {
        *into = single(node.any_number()?);
    }
    Ok(row)
}
