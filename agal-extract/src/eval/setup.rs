//! The state in which all paths begin: the static fields after all initialisers have run, and the fields that constructors set.

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

/// The maximum number of strings whose classification as AGAL is cached.
const READINGS: usize = 100_000;

/// The state of an object after construction.
#[derive(Debug)]
pub(crate) struct Template {
    /// The objects that the constructor created. Each object comes with those of its Boolean fields that other code assigns.
    pub(crate) objects: Vec<(Object, Vec<Key>)>,
    pub(crate) fields: Vec<(Key, Value)>,
}

/// Facts about the inputs, and the state shared by all paths.
pub(crate) struct Shared<'w> {
    pub(crate) world: &'w World,
    pub(crate) index: Index,
    pub(crate) limits: Limits,
    /// The number of instructions that all entry points together may still run.
    pub(crate) steps: u64,
    /// The objects that exist at the beginning of each path.
    pub(crate) base: Rc<Vec<Object>>,
    script_objects: BTreeMap<(u32, u32), Ref>,
    /// Classes whose initialisers have run or are running.
    initialised: HashSet<ClassId>,
    families: HashMap<ClassId, Rc<[ClassId]>>,
    pub(crate) templates: HashMap<Owner, Option<Rc<Template>>>,
    assemblers: HashMap<ClassId, Option<Language>>,
    /// The methods that set each field, keyed by owner and field.
    pub(crate) setters: HashMap<(Owner, Name, Space), Rc<[MethodId]>>,
    /// The alternatives that paths of the current entry point have taken, each with the method and code offset of its condition.
    pub(crate) covered: HashSet<(MethodId, u32, u16)>,
    /// The methods that had results when other methods called them, each with the class of `this` if the class is known.
    pub(crate) yielded: HashSet<(MethodId, Option<ClassId>)>,
    /// The entry points that upload values which other code has stored in their objects.
    pub(crate) waiting: BTreeSet<MethodId>,
    /// The string constants that are part of a program passed to an assembler or upload function.
    pub(crate) consumed: HashSet<(MethodId, u32)>,
    /// The classes in which a constructor or method receives both a vertex program and a fragment program.
    pub(crate) holders: HashSet<ClassId>,
    /// The fields whose initial value is part of a program passed to an assembler or upload function.
    pub(crate) consumed_fields: HashSet<(ClassId, Name)>,
    embedded: HashMap<ClassId, Rc<[u8]>>,
    readings: HashMap<u64, bool>,
    /// The compiled regular expressions, keyed by pattern and flags. The value is `None` for an unsupported pattern.
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

    /// Returns the global object of the script that defines a method.
    pub(crate) fn script_of(&self, method: MethodId) -> Option<Ref> {
        self.script_object(method.unit, self.world.home(method)?.script)
    }

    /// Returns the class that contains a method. For a nested function, returns the class that contains the outermost method
    /// around it.
    pub(crate) fn class_around(&self, method: MethodId) -> Option<ClassId> {
        self.world.home(self.outermost(method))?.class
    }

    pub(crate) fn outermost(&self, method: MethodId) -> MethodId {
        outermost(self.world, &self.index.around, method)
    }

    pub(crate) fn family(&mut self, class: ClassId) -> Rc<[ClassId]> {
        let (world, index) = (self.world, &self.index);
        let family = || {
            let all = world.family(class);
            // A base class of which code creates no instance is omitted, because its instances belong to subclasses. In a
            // library, every class counts, because other code may create instances.
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

    /// Returns the possible classes of `this` in a method: the class that defines the method, and the subclasses that do not
    /// override the method.
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

    /// Returns the language of an assembler class, or `None` for any other class. An assembler is recognised by its class name or
    /// by the constants in its code.
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

    /// Returns the contents of the file that a class embeds. The contents of a missing file are unknown.
    pub(crate) fn embedded(&self, class: ClassId, is_asset: bool) -> Bytes {
        let bytes = self.world.above(class).find_map(|(id, _)| Some(self.embedded.get(&id)?.to_vec()));
        Bytes { is_unknown: is_asset && bytes.is_none(), bytes: bytes.unwrap_or_default(), ..Bytes::default() }
    }

    pub(crate) fn reads_as_agal(&mut self, text: &Text) -> bool {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        if self.readings.len() > READINGS {
            self.readings.clear();
        }
        *self.readings.entry(hasher.finish()).or_insert_with(|| agalish::read(&flat(text)).is_agal())
    }

    pub(crate) fn initialise(&mut self) {
        let world = self.world;
        let steps = self.limits.initial_steps.min(self.steps);
        let mut run = Run::new(self, Rc::new([]), steps);
        run.is_setup = true;
        let each = run.shared.limits.path_steps;
        let mut left = steps;
        // If an initialiser fails, the values that it has not assigned stay unknown.
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
        // Once the shared reference is released, `into_base` can move the objects instead of copying them.
        self.base = Rc::default();
        self.base = heap.into_base();
        self.steps = self.steps.saturating_sub(steps.saturating_sub(left));
    }

    /// Returns the string arrays that are initial values of fields, with their elements joined by line breaks. Each array comes
    /// with its class, and with the initialiser or constructor that creates it.
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

/// Returns the characters of a string. [`agalish::HOLE`] replaces each hole.
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
    /// Runs a class's initialiser during the setup. The initialiser of the base class runs first.
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

    /// Discards the values of static fields and script variables that code outside the setup also assigns.
    fn forget(&mut self) {
        // The first objects in the heap contain the static fields of classes and the variables of scripts.
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

    /// Creates a symbolic value with a readable name for each parameter of a method.
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

/// Returns the number that distinguishes the parameters of a method from the parameters of other methods.
pub(crate) fn parameter_number(method: MethodId) -> u32 {
    method.method.saturating_add(method.unit.saturating_mul(0x10_0000)).saturating_add(1)
}
