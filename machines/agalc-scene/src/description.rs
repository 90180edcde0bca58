//! A scene as its file describes it, before the programs, the mesh and the textures are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agal_front::lift::Options;
use agal_front::{Compat, Profile, Rules};
use sdlbc::FunctionKind;
use sdlbc_interp::{Cull, DepthTest, Topology};

use crate::constants::{self, Registers, Set, World};
use crate::error::{Error, ErrorKind};
use crate::mesh::{Attribute, Shape};
use crate::number::single;
use crate::picture::LARGEST;
use crate::reader::{LARGEST_DESCRIPTION, Node, Table, Text, register};
use crate::shape::Body;
use crate::store::{Folder, Store};
use crate::texture::{Image, Origin};
use crate::{shape, textures};

/// The files that contain a scene's programs.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    /// One file that contains both programs.
    Both(PathBuf),
    /// The file of the vertex program and the file of the fragment program.
    Pair(PathBuf, PathBuf),
}

impl Files {
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match self {
            Files::Both(both) => vec![both],
            Files::Pair(vertex, fragment) => vec![vertex, fragment],
        }
    }
}

/// Options for loading a scene from its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loading {
    /// The picture's width and height in pixels; `None` means the size in the file.
    pub size: Option<[u32; 2]>,
    /// Whether the scene may refer to files that are outside its folder after links are resolved. If `true`, a scene from an
    /// untrusted source can make this crate read any file.
    pub allow_outside: bool,
}

/// Options for reading AGAL programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The AGAL version; `None` means the version stated in the source text, or the lowest version that suffices.
    pub version: Option<u32>,
    /// The names and values of predefined macros.
    pub defines: Vec<(String, f64)>,
    /// The options for interpreting and checking programs.
    pub options: Options,
}

/// The content of a scene, except its programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// A one-line description of the scene.
    pub about: String,
    /// The picture's width and height in pixels.
    pub size: [u32; 2],
    /// The red, green, blue and alpha to which every render target is cleared.
    pub clear: [f32; 4],
    /// Which faces are culled.
    pub cull: Cull,
    /// The depth test; `None` disables the depth test.
    pub depth: Option<DepthTest>,
    /// The number of render targets; `None` means the number of targets that the fragment program writes.
    pub targets: Option<usize>,
    /// The number of instances to draw.
    pub instances: u32,
    /// How the indices form primitives: as triangles or as points.
    pub topology: Topology,
    /// The mesh: a built-in shape or an OBJ file.
    pub body: Body,
    /// The vertex data of attributes, by location. Attributes without an entry read the default data in [`Attribute::USUAL`].
    pub attributes: BTreeMap<u32, Attribute>,
    /// The contents of the constant registers.
    pub constants: Registers,
    /// The packed numbers of uniforms, by stage and name, for modules that were not lifted from AGAL.
    pub uniforms: BTreeMap<(FunctionKind, String), Vec<f64>>,
    /// The textures, by stage and slot.
    pub textures: BTreeMap<(FunctionKind, u32), Image>,
}

impl Default for Description {
    /// Returns the description of a sphere in front of a black background, with the matrix to clip space in `vc0` to `vc3`.
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
    /// Returns the default description for a picture of the given size.
    pub fn plain(size: [u32; 2]) -> Description {
        let world = World::usual(f64::from(size[0]) / f64::from(size[1].max(1)));
        let rows = (0..).zip(world.clip().into_iter().flatten());
        let constants = rows.map(|(at, row)| ((FunctionKind::Vertex, at), row.map(single))).collect();
        Description { constants, ..Description::empty(size) }
    }

    pub(crate) fn empty(size: [u32; 2]) -> Description {
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

    /// Reads constants from a separate file. The keys `camera`, `model`, `constants` and `uniforms` have the same meaning as in a
    /// scene. Returns the registers that each key of `constants` sets.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is invalid.
    pub fn read_constants(&mut self, path: &Path) -> Result<Vec<Set>, Error> {
        let text = Text::read(Store::Disk, path, LARGEST_DESCRIPTION)?;
        let parsed = text.toml()?;
        let (own, of) = (["camera", "model", "constants", "uniforms"], "a file of constants");
        let table = Table::outermost(&text, &parsed, of);
        if let Some((key, _)) =
            table.entries().find(|(key, _)| KEYS.contains(&key.name()) && !own.contains(&key.name()))
        {
            return Err(key.error(ErrorKind::OfScene { key: key.name().to_string(), of }));
        }
        let table = table.only(&own)?;
        self.constants = Registers::new();
        self.read_values(&table, World::above(self.aspect()))?;
        let table = table.find("constants").map(|node| node.table("constants")).transpose()?;
        Ok(table.map_or(Vec::new(), |table| constants::sets(&table, &self.constants)))
    }

    /// Sets the mesh. As in a scene's file, `mesh` is a shape's name, an OBJ file or a table in braces.
    ///
    /// # Errors
    /// Returns the first error in the value.
    pub fn set_mesh(&mut self, mesh: &str) -> Result<(), Error> {
        self.body = of_value("mesh", mesh, |table| shape::read(&table.need("mesh")?, Folder::any()))?;
        Ok(())
    }

    /// Sets a texture. As in a scene's file, `texture` is a built-in texture's name, a PNG file or a table in braces.
    ///
    /// # Errors
    /// Returns the first error in the value.
    pub fn set_texture(&mut self, register: &str, texture: &str) -> Result<(), Error> {
        self.textures.extend(of_value(register, texture, |table| textures::read(table, Folder::any()))?);
        Ok(())
    }

    /// Sets the vertex data that an attribute register such as `va1` reads. A word such as `normal` names the data.
    ///
    /// # Errors
    /// Returns an error if the register or the data does not exist.
    pub fn set_attribute(&mut self, register: &str, data: &str) -> Result<(), Error> {
        self.attributes.extend(of_value(register, data, attributes)?);
        Ok(())
    }

    /// Sets a texture to a PNG file. The file's name need not be valid UTF-8.
    ///
    /// # Errors
    /// Returns an error if the register does not exist.
    pub fn set_texture_file(&mut self, register: &str, file: PathBuf) -> Result<(), Error> {
        // Reading a placeholder texture checks the register's name.
        let named = of_value(register, "noise", |table| textures::read(table, Folder::any()))?;
        let image = Image { origin: Origin::File(file), mips: None };
        self.textures.extend(named.into_keys().map(|slot| (slot, image.clone())));
        Ok(())
    }

    /// Returns the paths of the files that contain the mesh and the textures.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let mesh = match &self.body {
            Body::File(path) => Some(path.as_path()),
            Body::Shape(_) => None,
        };
        mesh.into_iter().chain(self.textures.values().flat_map(Image::files).map(PathBuf::as_path))
    }

    /// Reads the render state, the instance count and the topology.
    fn read_state(&mut self, scene: &Table<'_>) -> Result<(), Error> {
        let culls = [("none", Cull::None), ("back", Cull::Back), ("front", Cull::Front)];
        let depths = [
            ("none", None),
            ("always", Some(DepthTest::Always)),
            ("less", Some(DepthTest::Less)),
            ("less-equal", Some(DepthTest::LessEqual)),
        ];
        let topologies = [("triangles", Topology::Triangles), ("points", Topology::Points)];
        let most_targets = sdlbc::limits::TARGETS;
        scene.set("clear", &mut self.clear, |node| Ok(textures::colour(node)?.map(single)))?;
        scene.set("cull", &mut self.cull, |node| node.word("side to cull", &culls))?;
        scene.set("depth", &mut self.depth, |node| node.word("depth test", &depths))?;
        scene.set("targets", &mut self.targets, |node| Ok(Some(node.whole(1..=most_targets)? as usize)))?;
        scene.set("instances", &mut self.instances, |node| node.whole(1..=65_536))?;
        scene.set("topology", &mut self.topology, |node| node.word("topology", &topologies))
    }

    fn aspect(&self) -> f64 {
        f64::from(self.size[0]) / f64::from(self.size[1])
    }

    fn read_values(&mut self, scene: &Table<'_>, usual: World) -> Result<(), Error> {
        let world = World::read(scene, self.aspect(), usual)?;
        let size = self.size;
        scene.set("constants", &mut self.constants, |node| constants::read(&node.table("constants")?, &world, size))?;
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

    /// Reads a scene from its source text, and resolves paths against the folder of the scene's file.
    pub(crate) fn read(
        text: &Text,
        store: Store<'_>,
        path: &Path,
        loading: &Loading,
    ) -> Result<(Description, Files, Reading), Error> {
        let parsed = text.toml()?;
        let table = Table::outermost(text, &parsed, "a scene").only(&KEYS)?;
        let path = path.parent().unwrap_or(Path::new(""));
        let folder = Folder { store, path, allow_outside: loading.allow_outside };
        let files = files(&table, folder)?;
        let (mut options, mut size) = (Reading::default(), [512, 512]);
        table.set("options", &mut options, reading)?;
        table.set("size", &mut size, |node| node.one_or_two(1..=LARGEST))?;
        let mut scene = Description::empty(loading.size.unwrap_or(size));
        table.set("about", &mut scene.about, |node| Ok(node.string("a text")?.to_string()))?;
        scene.read_state(&table)?;
        table.set("mesh", &mut scene.body, |node| shape::read(node, folder))?;
        table.set("attributes", &mut scene.attributes, |node| attributes(&node.table("attributes")?))?;
        table.set("textures", &mut scene.textures, |node| textures::read(&node.table("textures")?, folder))?;
        let usual = World::usual(scene.aspect());
        scene.read_values(&table, usual)?;
        Ok((scene, files, options))
    }
}

/// Reads one key whose value is a string or a table in braces. Errors quote the value instead of a source location, because the
/// value is not in a file.
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
    let missing = |key: &str| Err(table.error(ErrorKind::Missing { key: key.to_string(), of: "a scene" }));
    match (file("program")?, file("vertex")?, file("fragment")?) {
        (Some(both), None, None) => Ok(Files::Both(both)),
        (Some(_), Some(_), _) => Err(table.error(ErrorKind::Both { one: "program", other: "vertex" })),
        (Some(_), _, Some(_)) => Err(table.error(ErrorKind::Both { one: "program", other: "fragment" })),
        (None, Some(vertex), Some(fragment)) => Ok(Files::Pair(vertex, fragment)),
        (None, None, Some(_)) => missing("vertex"),
        (None, Some(_), None) => missing("fragment"),
        (None, None, None) => missing("vertex` and `fragment"),
    }
}

fn attributes(table: &Table<'_>) -> Result<BTreeMap<u32, Attribute>, Error> {
    let mut attributes = BTreeMap::new();
    for (key, node) in table.entries() {
        let register = register(key.name(), "va").or_else(|| register(key.name(), "a"));
        let Some(location) = register.filter(|at| *at < sdlbc::limits::PLACES) else {
            let what = "an attribute register such as va0 or a0".to_string();
            return Err(key.error(ErrorKind::Range { what, found: format!("`{}`", key.name()) }));
        };
        let attribute = match node.list() {
            Some(_) => Attribute::All(node.vector::<4>()?.map(single)),
            None => node.word("vertex attribute", &Attribute::WORDS)?,
        };
        attributes.insert(location, attribute);
    }
    Ok(attributes)
}

const OPTIONS: [&str; 9] =
    ["agal_version", "compat", "profile", "allow", "allow_ted", "ifg", "index", "signed_offsets", "define"];

fn reading(node: &Node<'_>) -> Result<Reading, Error> {
    let table = node.table("options")?.only(&OPTIONS)?;
    let mut rules = Rules::default();
    let mut reading = Reading::default();
    let modes = [("lenient", Compat::Lenient), ("player", Compat::Player)];
    let profiles = Profile::ALL.map(|profile| (profile.name(), Some(profile)));
    table.set("agal_version", &mut reading.version, |node| node.whole(1..=4).map(Some))?;
    table.set("compat", &mut rules.compat, |node| node.word("compatibility mode", &modes))?;
    table.set("profile", &mut rules.profile, |node| node.word("profile", &profiles))?;
    if let Some(allow) = table.find("allow") {
        let list = allow.list().ok_or_else(|| allow.expected("a list of numbers"))?;
        for node in list {
            rules.allow.extend(u16::try_from(node.whole(1..=9999)?));
        }
    }
    let ifg = [("greater-equal", false), ("strict", true)];
    let index = [("round", false), ("trunc", true)];
    table.set("allow_ted", &mut rules.allow_ted, Node::truth)?;
    let mut options = Options::default().rules(rules);
    table.set("ifg", &mut options.strict_ifg, |node| node.word("meaning of ifg", &ifg))?;
    table.set("index", &mut options.truncate_index, |node| node.word("rounding of indices", &index))?;
    table.set("signed_offsets", &mut options.signed_offset, Node::truth)?;
    reading.options = options;
    if let Some(define) = table.find("define") {
        for (key, node) in define.table("names")?.entries() {
            reading.defines.push((key.name().to_string(), node.finite()?));
        }
    }
    Ok(reading)
}
