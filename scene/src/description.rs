//! A scene as its file describes it, before programs and files are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agal_front::lift::Options;
use agal_front::{Compat, Profile, Rules};
use interp::{Cull, DepthTest, Topology};
use sdlbc::{Dimension, FunctionKind};

use crate::constants::{self, Registers, World, register};
use crate::error::{Error, ErrorKind};
use crate::mesh::{Attribute, Shape};
use crate::number::single;
use crate::picture::LARGEST;
use crate::reader::{Folder, LARGEST_DESCRIPTION, Node, Table, Text};
use crate::texture::{Image, Origin};
use crate::{shape, textures};

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A built-in shape.
    Shape(Shape),
    /// An OBJ file.
    File(PathBuf),
}

/// Which files the programs are in.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    /// One that holds both.
    Both(PathBuf),
    /// Vertex and fragment program.
    Pair(PathBuf, PathBuf),
}

impl Files {
    /// The paths.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match self {
            Files::Both(both) => vec![both],
            Files::Pair(vertex, fragment) => vec![vertex, fragment],
        }
    }
}

/// How a scene's file is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loading {
    /// Pixels across and down, instead of the file's.
    pub size: Option<[u32; 2]>,
    /// Whether it may name files that are not below its folder, once links are followed. A scene that a stranger wrote could
    /// otherwise have any file read.
    pub allow_outside: bool,
}

/// How AGAL is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The version; by default what the texts say, or the lowest that will do.
    pub version: Option<u32>,
    /// The macro language's names.
    pub defines: Vec<(String, f64)>,
    /// How programs are understood and judged.
    pub options: Options,
}

/// A picture but for its programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// A line about it, for people.
    pub about: String,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// What each target holds before.
    pub clear: [f32; 4],
    /// Which triangles are left out.
    pub cull: Cull,
    /// The depth test.
    pub depth: Option<DepthTest>,
    /// Render targets; by default those that the fragment program writes.
    pub targets: Option<usize>,
    /// How often the mesh is drawn.
    pub instances: u32,
    /// What the indices make.
    pub topology: Topology,
    /// The mesh.
    pub body: Body,
    /// What attributes read, where it is not [`Attribute::USUAL`].
    pub attributes: BTreeMap<u32, Attribute>,
    /// The files of constants.
    pub constants: Registers,
    /// Uniforms of modules that are not made of AGAL, by stage and name: numbers, packed.
    pub uniforms: BTreeMap<(FunctionKind, String), Vec<f64>>,
    /// Textures, by stage and slot.
    pub textures: BTreeMap<(FunctionKind, u32), Image>,
}

impl Default for Description {
    /// A sphere in front of a dark background, `vc0` the rows that bring it into clip space.
    fn default() -> Description {
        Description::plain([512, 512])
    }
}

const KEYS: [&str; 19] = [
    "about",
    "program",
    "vertex",
    "fragment",
    "options",
    "size",
    "clear",
    "cull",
    "depth",
    "targets",
    "instances",
    "topology",
    "mesh",
    "attributes",
    "camera",
    "model",
    "constants",
    "uniforms",
    "textures",
];

impl Description {
    /// The default for pictures of some size.
    pub fn plain(size: [u32; 2]) -> Description {
        let mut constants = Registers::new();
        let world = World::usual(f64::from(size[0]) / f64::from(size[1].max(1)));
        for (row, at) in world.clip().iter().flatten().zip(0..) {
            constants.insert((FunctionKind::Vertex, at), row.map(single));
        }
        Description { constants, ..Description::empty(size) }
    }

    fn empty(size: [u32; 2]) -> Description {
        Description {
            about: String::new(),
            size,
            clear: [0.0, 0.0, 0.0, 1.0],
            cull: Cull::None,
            depth: Some(DepthTest::Less),
            targets: None,
            instances: 1,
            topology: Topology::Triangles,
            body: Body::Shape(Shape::Sphere { radius: 1.0, segments: [64, 32] }),
            attributes: BTreeMap::new(),
            constants: Registers::new(),
            uniforms: BTreeMap::new(),
            textures: BTreeMap::new(),
        }
    }

    /// Takes constants from a file of their own, which may have `camera`, `model`, `constants` and `uniforms` as a scene does.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is wrong.
    pub fn read_constants(&mut self, path: &Path) -> Result<(), Error> {
        let text = Text::read(path, LARGEST_DESCRIPTION)?;
        let parsed = text.toml()?;
        let table = Table::outermost(&text, &parsed, "a file of constants");
        let table = table.only(&["camera", "model", "constants", "uniforms"])?;
        self.constants = Registers::new();
        self.read_values(&table)
    }

    /// Sets the mesh as a scene's file would: a shape's name, an OBJ file, or a table in braces.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn set_mesh(&mut self, mesh: &str) -> Result<(), Error> {
        self.body = of_value("mesh", mesh, |table| shape::read(&table.need("mesh")?, Folder::any()))?;
        Ok(())
    }

    /// Sets a texture as a scene's file would: the name of a built-in one, a PNG file, or a table in braces.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn set_texture(&mut self, register: &str, texture: &str) -> Result<(), Error> {
        self.textures.extend(of_value(register, texture, |table| textures::read(table, Folder::any()))?);
        Ok(())
    }

    /// Sets a texture to that of a PNG file, whose name need not be text.
    ///
    /// # Errors
    /// There is no such register.
    pub fn set_texture_file(&mut self, register: &str, file: PathBuf) -> Result<(), Error> {
        // The register is looked at as that of any other texture.
        let named = of_value(register, "noise", |table| textures::read(table, Folder::any()))?;
        let image = Image { origin: Origin::File(file), mips: None };
        self.textures.extend(named.into_keys().map(|slot| (slot, image.clone())));
        Ok(())
    }

    /// The files that it names: of the mesh, and of the textures.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let mesh = match &self.body {
            Body::File(path) => Some(path.as_path()),
            Body::Shape(_) => None,
        };
        mesh.into_iter().chain(self.textures.values().flat_map(Image::files).map(PathBuf::as_path))
    }

    /// Reads what the programs do not say of the draw.
    fn read_state(&mut self, scene: &Table<'_>) -> Result<(), Error> {
        if let Some(clear) = scene.find("clear") {
            self.clear = textures::colour(&clear)?.map(single);
        }
        if let Some(cull) = scene.find("cull") {
            let words = [("none", Cull::None), ("back", Cull::Back), ("front", Cull::Front)];
            self.cull = cull.word("side to leave out", &words)?;
        }
        if let Some(depth) = scene.find("depth") {
            let words = [
                ("none", None),
                ("always", Some(DepthTest::Always)),
                ("less", Some(DepthTest::Less)),
                ("less-equal", Some(DepthTest::LessEqual)),
            ];
            self.depth = depth.word("depth test", &words)?;
        }
        if let Some(targets) = scene.find("targets") {
            self.targets = Some(targets.whole(1..=sdlbc::limits::TARGETS)? as usize);
        }
        if let Some(instances) = scene.find("instances") {
            self.instances = instances.whole(1..=65_536)?;
        }
        if let Some(topology) = scene.find("topology") {
            let words = [("triangles", Topology::Triangles), ("points", Topology::Points)];
            self.topology = topology.word("topology", &words)?;
        }
        Ok(())
    }

    fn read_values(&mut self, scene: &Table<'_>) -> Result<(), Error> {
        let world = World::read(scene, f64::from(self.size[0]) / f64::from(self.size[1]))?;
        if let Some(node) = scene.find("constants") {
            self.constants = constants::read(&node.table("constants")?, &world, self.size)?;
        }
        if let Some(node) = scene.find("uniforms") {
            let stages = node.table("uniforms")?.only(&["vertex", "fragment"])?;
            for (name, stage) in [("vertex", FunctionKind::Vertex), ("fragment", FunctionKind::Fragment)] {
                let Some(node) = stages.find(name) else { continue };
                for (key, value) in node.table("uniforms")?.entries() {
                    let list = value.list().ok_or_else(|| value.expected("a list of numbers"))?;
                    let numbers = list.iter().map(Node::any_number).collect::<Result<Vec<f64>, Error>>()?;
                    self.uniforms.insert((stage, key.name().to_string()), numbers);
                }
            }
        }
        Ok(())
    }

    /// Reads a scene that stands at a path.
    pub(crate) fn read(text: &Text, path: &Path, loading: &Loading) -> Result<(Description, Files, Reading), Error> {
        let parsed = text.toml()?;
        let table = Table::outermost(text, &parsed, "a scene").only(&KEYS)?;
        let path = path.parent().unwrap_or(Path::new(""));
        let folder = Folder { path, allow_outside: loading.allow_outside };
        let files = files(&table, folder)?;
        let reading = table.find("options").map_or(Ok(Reading::default()), |node| reading(&node))?;
        let written = table.find("size").map_or(Ok([512, 512]), |node| pixels(&node))?;
        let mut scene = Description::empty(loading.size.unwrap_or(written));
        if let Some(about) = table.find("about") {
            scene.about = about.string("a text")?.to_string();
        }
        scene.read_state(&table)?;
        if let Some(mesh) = table.find("mesh") {
            scene.body = shape::read(&mesh, folder)?;
        }
        if let Some(node) = table.find("attributes") {
            scene.attributes = attributes(&node.table("attributes")?)?;
        }
        if let Some(node) = table.find("textures") {
            scene.textures = textures::read(&node.table("textures")?, folder)?;
        }
        scene.read_values(&table)?;
        Ok((scene, files, reading))
    }
}

/// Reads one key, whose value is a table in braces or a string. It stands in no file that could be shown, so the value is the
/// place.
fn of_value<T>(key: &str, value: &str, read: impl Fn(&Table<'_>) -> Result<T, Error>) -> Result<T, Error> {
    let written = match value.starts_with('{') {
        true => value.to_string(),
        false => toml::Value::from(value).to_string(),
    };
    let text = Text { name: String::new(), text: format!("{} = {written}", toml::Value::from(key)) };
    let found = text.toml().and_then(|parsed| read(&Table::outermost(&text, &parsed, "a description")));
    found.map_err(|error| match error.file.is_empty() {
        true => Error { file: format!("`{key} = {value}`"), place: None, text: None, ..error },
        false => error,
    })
}

fn files(table: &Table<'_>, folder: Folder<'_>) -> Result<Files, Error> {
    let file =
        |key: &str| -> Result<Option<PathBuf>, Error> { table.find(key).map(|node| node.file(folder)).transpose() };
    match (file("program")?, file("vertex")?, file("fragment")?) {
        (Some(both), None, None) => Ok(Files::Both(both)),
        (Some(_), Some(_), _) => Err(table.error(ErrorKind::Both { one: "program", other: "vertex" })),
        (Some(_), _, Some(_)) => Err(table.error(ErrorKind::Both { one: "program", other: "fragment" })),
        (None, Some(vertex), Some(fragment)) => Ok(Files::Pair(vertex, fragment)),
        (None, None, Some(_)) => Err(table.error(ErrorKind::Missing { key: "vertex".to_string(), of: "a scene" })),
        (None, Some(_), None) => Err(table.error(ErrorKind::Missing { key: "fragment".to_string(), of: "a scene" })),
        (None, None, None) => {
            let key = "vertex` and `fragment".to_string();
            Err(table.error(ErrorKind::Missing { key, of: "a scene" }))
        }
    }
}

/// One number for both sides, or two.
fn pixels(node: &Node<'_>) -> Result<[u32; 2], Error> {
    match node.list() {
        None => node.whole(1..=LARGEST).map(|side| [side, side]),
        Some(list) => match &list[..] {
            [width, height] => Ok([width.whole(1..=LARGEST)?, height.whole(1..=LARGEST)?]),
            _ => Err(node.expected("one number, or a list of 2")),
        },
    }
}

fn attributes(table: &Table<'_>) -> Result<BTreeMap<u32, Attribute>, Error> {
    let mut attributes = BTreeMap::new();
    for (key, node) in table.entries() {
        let Some((_, location)) = register(key.name(), ["va", "va"]).filter(|(_, at)| *at < sdlbc::limits::PLACES)
        else {
            let what = "an attribute register such as va0".to_string();
            return Err(key.error(ErrorKind::Range { what, found: format!("`{}`", key.name()) }));
        };
        let attribute = match node.list() {
            Some(_) => Attribute::All(node.vector::<4>()?.map(single)),
            None => node.word("attribute", &Attribute::WORDS)?,
        };
        attributes.insert(location, attribute);
    }
    Ok(attributes)
}

const OPTIONS: [&str; 8] =
    ["agal_version", "compat", "profile", "allow", "allow_ted", "ifg", "index", "signed_offsets"];

fn reading(node: &Node<'_>) -> Result<Reading, Error> {
    let keys: Vec<&str> = OPTIONS.into_iter().chain(["define"]).collect();
    let table = node.table("options")?.only(&keys)?;
    let mut rules = Rules::default();
    let mut reading = Reading::default();
    if let Some(version) = table.find("agal_version") {
        reading.version = Some(version.whole(1..=4)?);
    }
    if let Some(compat) = table.find("compat") {
        rules.compat = compat.word("judgement", &[("lenient", Compat::Lenient), ("player", Compat::Player)])?;
    }
    if let Some(profile) = table.find("profile") {
        let words = Profile::ALL.map(|profile| (profile.name(), profile));
        rules.profile = Some(profile.word("profile", &words)?);
    }
    if let Some(allow) = table.find("allow") {
        let list = allow.list().ok_or_else(|| allow.expected("a list of numbers"))?;
        for node in list {
            rules.allow.extend(u16::try_from(node.whole(1..=9999)?));
        }
    }
    let truth = |key: &str| table.find(key).map_or(Ok(false), |node| node.truth());
    rules.allow_ted = truth("allow_ted")?;
    let ifg = [("greater-equal", false), ("strict", true)];
    let index = [("round", false), ("trunc", true)];
    reading.options = Options {
        strict_ifg: table.find("ifg").map_or(Ok(false), |node| node.word("reading of ifg", &ifg))?,
        truncate_index: table.find("index").map_or(Ok(false), |node| node.word("reading of indices", &index))?,
        signed_offset: truth("signed_offsets")?,
        rules,
    };
    if let Some(define) = table.find("define") {
        for (key, node) in define.table("names")?.entries() {
            reading.defines.push((key.name().to_string(), node.finite()?));
        }
    }
    Ok(reading)
}

/// What the dimension of a texture is, for those who fill in what is missing.
pub(crate) fn spare(dimension: Dimension) -> Image {
    textures::spare(dimension)
}
