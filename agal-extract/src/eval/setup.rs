//! State at the beginning of all paths: static fields after the initialisers, and fields set by constructors.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use swf::avm2::types::{MethodParam, Op};

use crate::agalish;
use crate::avm::names::{Name, Space, short};
use crate::avm::types::Type;
use crate::avm::world::{ClassId, Member, MethodId, World};
use crate::eval::expr::{Expr, Kind};
use crate::eval::index::{Index, Owner, outermost};
use crate::eval::machine::{Run, Stop};
use crate::eval::pattern::Pattern;
use crate::eval::text::{Part, Text};
use crate::eval::value::{Bytes, Key, Object, Ref, Value};
use crate::limits::Limits;
use crate::model::Language;

/// The maximum number of texts for which the result of reading them as AGAL is stored.
const READINGS: usize = 100_000;

/// Fields of an object after its constructor.
#[derive(Debug)]
pub(crate) struct Template {
    /// Objects that the constructor made, and those of their Boolean fields that other code sets.
    pub(crate) objects: Vec<(Object, Vec<Key>)>,
    pub(crate) fields: Vec<(Key, Value)>,
}

/// Facts about the inputs, and state shared by all paths.
pub(crate) struct Shared<'w> {
    pub(crate) world: &'w World,
    pub(crate) index: Index,
    pub(crate) limits: Limits,
    /// Instructions left for all entry points together.
    pub(crate) steps: u64,
    /// Objects that exist at the beginning of each path.
    pub(crate) base: Rc<Vec<Object>>,
    script_objects: BTreeMap<(u32, u32), Ref>,
    /// Classes whose initialisers have run or are running.
    initialised: HashSet<ClassId>,
    families: HashMap<ClassId, Rc<[ClassId]>>,
    pub(crate) templates: HashMap<Owner, Option<Rc<Template>>>,
    assemblers: HashMap<ClassId, Option<Language>>,
    /// The methods that set a field, by the owner and the field.
    pub(crate) setters: HashMap<(Owner, Name, Space), Rc<[MethodId]>>,
    /// Alternatives at conditions that some path of the entry point has taken.
    pub(crate) covered: HashSet<(MethodId, u32, u16)>,
    /// Methods that had results when other methods called them, with the class of their object if it is known.
    pub(crate) yielded: HashSet<(MethodId, Option<ClassId>)>,
    /// Entry points that upload values which other code has stored in their object.
    pub(crate) waiting: BTreeSet<MethodId>,
    /// String constants that became part of a program which a call takes.
    pub(crate) consumed: HashSet<(MethodId, u32)>,
    /// Classes with a constructor or method that takes a vertex and a fragment program together.
    pub(crate) holders: HashSet<ClassId>,
    /// Fields whose initial value became part of a program that a call takes.
    pub(crate) consumed_fields: HashSet<(ClassId, Name)>,
    /// Data that classes embed, by class.
    embedded: HashMap<ClassId, Rc<[u8]>>,
    readings: HashMap<u64, bool>,
    /// Regular expressions, by the pattern and its flags.
    pub(crate) patterns: HashMap<(Name, Name), Option<Rc<Pattern>>>,
}

impl<'w> Shared<'w> {
    pub(crate) fn new(world: &'w World, limits: &Limits, embedded: HashMap<ClassId, Rc<[u8]>>) -> Shared<'w> {
        let mut objects = Vec::with_capacity(world.classes.len().saturating_add(world.scripts.len()));
        let mut add = |expr: Option<Expr>, slots| {
            let at = Ref(u32::try_from(objects.len()).unwrap_or(u32::MAX));
            objects.push(Object { is_open: true, expr, slots, ..Object::default() });
            at
        };
        for class in &world.classes {
            add(Some(Expr::new(Kind::Global(short(&class.name).into()), Type::Any)), None);
        }
        let mut script_objects = BTreeMap::new();
        for (script, (_, members)) in &world.scripts {
            let global = Expr::new(Kind::Global("global".into()), Type::Any);
            script_objects.insert(*script, add(Some(global), Some(members.clone())));
        }
        Shared {
            world,
            index: Index::new(world),
            limits: limits.clone(),
            steps: limits.steps,
            base: Rc::new(objects),
            script_objects,
            initialised: HashSet::new(),
            families: HashMap::new(),
            templates: HashMap::new(),
            assemblers: HashMap::new(),
            setters: HashMap::new(),
            covered: HashSet::new(),
            yielded: HashSet::new(),
            waiting: BTreeSet::new(),
            consumed: HashSet::new(),
            consumed_fields: HashSet::new(),
            holders: HashSet::new(),
            embedded,
            readings: HashMap::new(),
            patterns: HashMap::new(),
        }
    }

    pub(crate) fn script_object(&self, unit: u32, script: u32) -> Option<Ref> {
        self.script_objects.get(&(unit, script)).copied()
    }

    /// The object of the script that defines a function.
    pub(crate) fn script_of(&self, method: MethodId) -> Option<Ref> {
        self.script_object(method.unit, self.world.home(method)?.script)
    }

    /// The class that contains a method, or the method around a function.
    pub(crate) fn class_around(&self, method: MethodId) -> Option<ClassId> {
        self.world.home(self.outermost(method))?.class
    }

    /// The outermost method around a function.
    pub(crate) fn outermost(&self, method: MethodId) -> MethodId {
        outermost(self.world, &self.index.around, method)
    }

    pub(crate) fn family(&mut self, class: ClassId) -> Rc<[ClassId]> {
        let (world, index) = (self.world, &self.index);
        let family = || {
            let all = world.family(class);
            // A base class without objects of its own only represents its subclasses. Other code may create objects of a library's
            // classes.
            let is_made = |class: &&ClassId| {
                world.class(**class).is_none_or(|found| {
                    found.below.is_empty() || world.is_library(found.unit) || index.made.contains(short(&found.name))
                })
            };
            let made: Vec<ClassId> = all.iter().filter(is_made).copied().collect();
            if made.is_empty() { all.into() } else { made.into() }
        };
        self.families.entry(class).or_insert_with(family).clone()
    }

    /// The classes of objects on which a method may be called: the method's class, and its subclasses that do not override the
    /// method.
    pub(crate) fn receivers(&mut self, method: MethodId) -> Vec<ClassId> {
        let world = self.world;
        let Some(home) = world.home(method).filter(|home| !home.is_static) else { return Vec::new() };
        let Some(class) = home.class else { return Vec::new() };
        let members = world.class(class).map(|class| class.instance.of(&home.name)).unwrap_or_default();
        let spaces: Vec<Space> = members.iter().map(|(_, space, _)| *space).collect();
        let inherits = |one: &ClassId| match world.instance_member(*one, &home.name, &spaces) {
            Some((_, _, Member::Method(found))) => found == method,
            Some((_, _, Member::Accessor { get, set })) => get == Some(method) || set == Some(method),
            _ => false,
        };
        self.family(class).iter().copied().filter(inherits).take(256).collect()
    }

    /// Language of an assembler: the class has an assembler's name, or its code has an assembler's constants.
    pub(crate) fn assembler(&mut self, class: ClassId) -> Option<Language> {
        if let Some(known) = self.assemblers.get(&class) {
            return *known;
        }
        let found = self.world.above(class).find_map(|(id, class)| {
            let name = short(&class.name);
            if name.contains("AGALMacroAssembler") {
                return Some(Language::Macro);
            }
            let methods = self.index.assembles.iter().any(|method| self.class_around(*method) == Some(id));
            (name.contains("AGALMiniAssembler") || methods).then_some(Language::Mini)
        });
        self.assemblers.insert(class, found);
        found
    }

    /// Contents of the file that a class embeds; unknown if the file is missing.
    pub(crate) fn embedded(&self, class: ClassId, is_asset: bool) -> Bytes {
        let bytes = self.world.above(class).find_map(|(id, _)| Some(self.embedded.get(&id)?.to_vec()));
        Bytes { is_unknown: is_asset && bytes.is_none(), bytes: bytes.unwrap_or_default(), ..Bytes::default() }
    }

    /// Whether a text reads as AGAL.
    pub(crate) fn reads_as_agal(&mut self, text: &Text) -> bool {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        if self.readings.len() > READINGS {
            self.readings.clear();
        }
        *self.readings.entry(hasher.finish()).or_insert_with(|| agalish::read(&flat(text)).is_agal())
    }

    /// Runs the initialisers of all scripts and classes.
    pub(crate) fn initialise(&mut self) {
        let world = self.world;
        let steps = self.limits.initial_steps.min(self.steps);
        let mut run = Run::new(self, Rc::new([]), steps);
        run.is_setup = true;
        let each = run.shared.limits.path_steps;
        let mut left = steps;
        // The values that an initialiser assigns stay unknown if it fails.
        let mut part = |run: &mut Run<'_, '_>, initialiser: &dyn Fn(&mut Run<'_, '_>)| {
            let given = left.min(each);
            run.steps = given;
            initialiser(run);
            run.frames.clear();
            left = left.saturating_sub(given.saturating_sub(run.steps));
        };
        for ((unit, script), (initialiser, _)) in &world.scripts {
            let this = run.shared.script_object(*unit, *script).map_or(Value::Undefined, Value::Object);
            part(&mut run, &|run| _ = run.invoke(*initialiser, this.clone(), Vec::new()));
        }
        for class in (0u32..).map(ClassId).take(world.classes.len()) {
            part(&mut run, &|run| _ = run.initialise(class));
        }
        run.forget();
        let heap = std::mem::take(&mut run.heap);
        // `into_base` would copy the objects if they were shared.
        self.base = Rc::default();
        self.base = heap.into_base();
        self.steps = self.steps.saturating_sub(steps.saturating_sub(left));
    }

    /// Arrays of lines that are the initial values of fields, with the class and the method that creates them.
    pub(crate) fn held_lines(&mut self) -> Vec<(Text, ClassId, MethodId)> {
        let mut held = Vec::new();
        for (id, class) in (0u32..).map(ClassId).zip(&self.world.classes) {
            let statics = self.base.get(id.0 as usize);
            let mut fields: Vec<(&Key, &Value)> = statics.into_iter().flat_map(|object| &object.fields).collect();
            fields.sort_by_key(|(key, _)| *key);
            let arrays = fields.into_iter().filter_map(|(_, value)| self.base.get(value.object()?.0 as usize)?.lines());
            held.extend(arrays.map(|text| (text, id, class.initialiser)));
            if !self.index.uses.keys().any(|(method, _)| *method == class.constructor) {
                continue;
            }
            let Some(template) = self.template(Owner { class: id, is_exact: false }) else { continue };
            let arrays = template.objects.iter().filter_map(|(object, _)| object.lines());
            held.extend(arrays.map(|text| (text, id, class.constructor)));
        }
        held
    }
}

/// A text in which [`agalish::HOLE`] replaces each hole.
pub(crate) fn flat(text: &Text) -> String {
    let mut out = String::new();
    for part in text.parts() {
        match part {
            Part::Literal(text) => out.push_str(text),
            Part::Hole(_) => out.push(agalish::HOLE),
        }
    }
    out
}

impl Run<'_, '_> {
    /// Runs a class's initialiser during the setup.
    pub(crate) fn initialise(&mut self, class: ClassId) -> Result<(), Stop> {
        if !self.is_setup || !self.shared.initialised.insert(class) {
            return Ok(());
        }
        let world = self.world;
        let Some(found) = world.class(class) else { return Ok(()) };
        if let Some(base) = found.base {
            self.initialise(base)?;
        }
        self.attempt(found.initialiser, Value::Class(class), Vec::new())
    }

    /// Forgets the values of static fields that code assigns later.
    fn forget(&mut self) {
        // The first objects are those of all classes and scripts.
        for at in (0..self.shared.base.len()).filter_map(|at| u32::try_from(at).ok()).map(Ref) {
            let Some(Object { fields, slots, .. }) = self.heap.get(at).cloned() else { continue };
            for (key, value) in &fields {
                let (name, space, owner) = match key {
                    Key::Slot(class, name, space) => (name, *space, Some(Owner { class: *class, is_exact: false })),
                    Key::Name(name) => match slots.as_ref().and_then(|members| members.of(name).first()) {
                        Some((_, space, Member::Slot { .. })) => (name, *space, None),
                        _ => continue,
                    },
                    Key::Object(_) => continue,
                };
                let assigned = self.shared.index.assigned(self.world, name, space, owner);
                if !assigned.is_only_by(&self.assigned) {
                    self.heap.get_mut(at).into_iter().for_each(|object| object.remove(key));
                } else if let Value::Object(held) = value
                    && let Some(object) = self.heap.get_mut(*held)
                {
                    self.shared.index.open(self.world, object, (name, space), owner, &self.assigned);
                }
            }
        }
    }

    /// Symbolic values for the parameters of a method, with readable names.
    pub(crate) fn symbolic_arguments(&self, method: MethodId) -> Vec<Value> {
        let Some((unit, found)) = self.world.method(method) else { return Vec::new() };
        let code = unit.code(method.method);
        let debug = |number: usize| {
            code.as_ref()?.instructions.iter().find_map(|instruction| match &instruction.op {
                Op::Debug { is_local_register: true, register_name, register } if usize::from(*register) == number => {
                    Some(unit.string(register_name).clone())
                }
                _ => None,
            })
        };
        let symbolic = |(number, parameter): (usize, &MethodParam)| {
            let own = parameter.name.as_ref().map(|name| unit.string(name).clone()).filter(|name| !name.is_empty());
            let name = own.or_else(|| debug(number)).unwrap_or_else(|| format!("parameter {}", number + 1).into());
            let of = self.world.type_of(method.unit, &parameter.kind);
            Value::Unknown(Expr::leaf(&name, parameter_number(method), of))
        };
        found.params.iter().enumerate().map(symbolic).collect()
    }
}

/// The number of the leaf expressions that denote the parameters of a method.
pub(crate) fn parameter_number(method: MethodId) -> u32 {
    method.method.saturating_add(method.unit.saturating_mul(0x10_0000)).saturating_add(1)
}
