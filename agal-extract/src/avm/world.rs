//! The classes and definitions of all ABC blocks.
//!
//! A member is found by its name and namespace. If no namespace matches, the name is sufficient, since the namespaces of damaged
//! or obfuscated files may be inconsistent.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::successors;
use std::rc::Rc;

use swf::avm2::types::{Index, Method, Multiname, TraitKind};

use crate::avm::abc::Traits;
pub(crate) use crate::avm::ids::{ClassId, MethodId};
use crate::avm::names::{Multi, Name, Space, short};
use crate::avm::types::{Constant, Type, constant};
use crate::avm::unit::Unit;

type Look = for<'m> fn(&'m Members, &str, &[Space]) -> Option<(Space, &'m Member)>;

/// A member of a class, or a definition in a script.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Slot { default: Option<Constant>, of: Type, is_constant: bool },
    Method(MethodId),
    Accessor { get: Option<MethodId>, set: Option<MethodId> },
    Class(ClassId),
}

impl Member {
    /// Returns the method that a call of the member runs. A call of an accessor runs its getter.
    pub(crate) fn called(&self) -> Option<MethodId> {
        match self {
            Member::Method(method) => Some(*method),
            Member::Accessor { get, .. } => *get,
            Member::Slot { .. } | Member::Class(_) => None,
        }
    }
}

/// The members of a class, its instances or a script. Members with the same name differ in their namespaces.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// The members, sorted by name. Members with the same name keep the order of their traits.
    pub(crate) all: Box<[(Name, Space, Member)]>,
    /// The slot numbers and names of the members that have slots, sorted by slot number.
    slots: Box<[(u32, (Name, Space))]>,
}

/// The class that defines a member, the member's namespace, and the member.
pub(crate) type Found = (ClassId, Space, Member);

impl Members {
    pub(crate) fn of(&self, name: &str) -> &[(Name, Space, Member)] {
        let from = self.all.partition_point(|(one, ..)| &**one < name);
        let rest = self.all.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|(one, ..)| &**one == name).count();
        rest.get(..count).unwrap_or_default()
    }

    pub(crate) fn slot(&self, number: u32) -> Option<&(Name, Space)> {
        let at = self.slots.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.slots.get(at).map(|(_, name)| name)
    }

    /// Returns the first member that has the given name in one of the given namespaces.
    pub(crate) fn exact(&self, name: &str, spaces: &[Space]) -> Option<(Space, &Member)> {
        let found = self.of(name).iter().find(|(_, space, _)| spaces.contains(space));
        found.map(|(_, space, member)| (*space, member))
    }

    /// Returns the first member that has the given name in one of the given namespaces. If no namespace matches, returns the
    /// first member with the name in any namespace.
    pub(crate) fn any(&self, name: &str, spaces: &[Space]) -> Option<(Space, &Member)> {
        let first = || self.of(name).first().map(|(_, space, member)| (*space, member));
        self.exact(name, spaces).or_else(first)
    }
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) unit: u32,
    /// The qualified name of the class.
    pub(crate) name: Name,
    /// The number of the script that defines the class.
    pub(crate) script: Option<u32>,
    pub(crate) base_name: Name,
    base_names: Rc<[Name]>,
    interfaces: Vec<Rc<[Name]>>,
    pub(crate) base: Option<ClassId>,
    /// The classes that directly extend or implement the class.
    pub(crate) below: Vec<ClassId>,
    pub(crate) instance: Members,
    pub(crate) statics: Members,
    pub(crate) constructor: MethodId,
    pub(crate) initialiser: MethodId,
    pub(crate) is_interface: bool,
}

/// A class, function or variable that a script defines.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) unit: u32,
    pub(crate) script: u32,
    pub(crate) member: Member,
}

#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) units: Vec<Unit>,
    /// Whether the inputs form a complete application: no other code uses their classes.
    pub(crate) is_whole: bool,
    pub(crate) classes: Vec<Class>,
    /// The initialiser and the members of each script, keyed by block number and script number.
    pub(crate) scripts: BTreeMap<(u32, u32), (MethodId, Rc<Members>)>,
    /// The definitions of all scripts, keyed by qualified name.
    definitions: HashMap<Name, Vec<Definition>>,
    /// The class or script that defines each method. Functions nested in methods have no entry.
    homes: HashMap<MethodId, Home>,
}

/// The class or script that defines a method.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub(crate) class: Option<ClassId>,
    /// The number of the script, which is meaningful only if `class` is `None`.
    pub(crate) script: u32,
    pub(crate) name: Name,
    pub(crate) is_static: bool,
}

/// The maximum number of base classes above a class.
const MOST_ABOVE: usize = 200;

/// Reports whether a qualified name belongs to a class of Flash Player. The interpreter models these classes even if an input
/// declares them too, as OpenFL and libraries of declarations do.
fn is_of_player(name: &str) -> bool {
    const PACKAGES: [&str; 4] = ["flash.display3D.", "flash.utils.", "openfl.display3D.", "openfl.utils."];
    PACKAGES.iter().any(|package| name.starts_with(package)) && !name.contains("AGAL")
}

impl World {
    pub(crate) fn new(units: Vec<Unit>) -> World {
        let mut world = World { units, ..World::default() };
        for number in 0..world.units.len() {
            world.add(number);
        }
        world.link();
        world
    }

    /// Reports whether a block is part of a library. Code outside the inputs may create instances of a library's classes and
    /// assign their fields.
    pub(crate) fn is_library(&self, unit: u32) -> bool {
        !self.is_whole && self.unit(unit).is_some_and(|unit| unit.origin.is_of_library())
    }

    pub(crate) fn unit(&self, unit: u32) -> Option<&Unit> {
        self.units.get(unit as usize)
    }

    pub(crate) fn class(&self, class: ClassId) -> Option<&Class> {
        self.classes.get(class.0 as usize)
    }

    pub(crate) fn method(&self, method: MethodId) -> Option<(&Unit, Method)> {
        let unit = self.unit(method.unit)?;
        Some((unit, unit.abc.method(method.method)?))
    }

    pub(crate) fn result_of(&self, method: MethodId) -> Type {
        self.method(method).map_or(Type::Any, |(_, found)| self.type_of(method.unit, &found.return_type))
    }

    pub(crate) fn short_name(&self, class: ClassId) -> Option<&str> {
        self.class(class).map(|class| short(&class.name))
    }

    /// Returns the class or script that defines a method, or `None` for a function nested in a method.
    pub(crate) fn home(&self, method: MethodId) -> Option<&Home> {
        self.homes.get(&method)
    }

    pub(crate) fn is_getter(&self, method: MethodId) -> bool {
        let Some(home) = self.home(method) else { return false };
        let class = home.class.and_then(|class| self.class(class));
        let members = class.map(|class| if home.is_static { &class.statics } else { &class.instance });
        let is_it = |member: &Member| matches!(member, Member::Accessor { get, .. } if *get == Some(method));
        members.is_some_and(|members| members.of(&home.name).iter().any(|(_, _, member)| is_it(member)))
    }

    /// Returns all methods that have code, in the order of their identifiers.
    pub(crate) fn methods(&self) -> impl Iterator<Item = MethodId> {
        (0u32..)
            .zip(&self.units)
            .flat_map(|(unit, found)| found.abc.methods_with_code().map(move |method| MethodId { unit, method }))
    }

    /// Returns the class that a `newclass` instruction creates.
    pub(crate) fn class_of(&self, unit: u32, index: u32) -> Option<ClassId> {
        let first = u32::try_from(self.classes.partition_point(|class| class.unit < unit)).ok()?;
        let class = ClassId(first.checked_add(index)?);
        self.class(class).filter(|found| found.unit == unit)?;
        Some(class)
    }

    fn add(&mut self, number: usize) {
        let Some(unit) = self.units.get(number) else { return };
        let unit_number = u32::try_from(number).unwrap_or(u32::MAX);
        let first = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        let count = unit.abc.methods.len();
        // If several traits define the same method, the last trait counts.
        let mut put = |method: MethodId, home: Home| {
            if (method.method as usize) < count {
                self.homes.insert(method, home);
            }
        };
        let [new, fixed, script_name] = ["new", "static", "script"].map(Name::from);
        self.classes.reserve_exact(unit.abc.count_of_classes());
        let full = |index: &Index<Multiname>| {
            let multi = unit.multi(index);
            multi.and_then(|multi| multi.qualified().next().or(multi.name.clone())).unwrap_or_else(|| "".into())
        };
        let all =
            |index: &Index<Multiname>| unit.multi(index).iter().flat_map(Multi::qualified).collect::<Rc<[Name]>>();
        for (at, class) in (0u32..).zip(unit.abc.classes()) {
            let id = ClassId(first.saturating_add(at));
            let method = |index: u32| MethodId { unit: unit_number, method: index };
            let one = Class {
                unit: unit_number,
                script: None,
                base_name: full(&class.base),
                base_names: all(&class.base),
                interfaces: class.interfaces.iter().map(all).collect(),
                base: None,
                below: Vec::new(),
                instance: members(unit, unit_number, first, class.instance.traits),
                statics: members(unit, unit_number, first, class.statics.traits),
                constructor: method(class.instance.initialiser),
                initialiser: method(class.statics.initialiser),
                is_interface: class.is_interface,
                name: full(&class.name),
            };
            let home =
                |name: &Name, is_static| Home { class: Some(id), script: u32::MAX, name: name.clone(), is_static };
            put(one.constructor, home(&new, false));
            put(one.initialiser, home(&fixed, true));
            for (members, is_static) in [(&one.instance, false), (&one.statics, true)] {
                for (name, _, member) in &members.all {
                    methods(member).for_each(|method| put(method, home(name, is_static)));
                }
            }
            self.classes.push(one);
        }
        for (script, found) in (0u32..).zip(unit.abc.scripts()) {
            let init = MethodId { unit: unit_number, method: found.initialiser };
            let home = |name: &Name| Home { class: None, script, name: name.clone(), is_static: true };
            put(init, home(&script_name));
            let members = members(unit, unit_number, first, found.traits.clone());
            for one in found.traits {
                let Some(multi) = unit.multi(&one.name) else { continue };
                let Some(name) = multi.name.clone() else { continue };
                let Some((_, member)) = members.any(&name, multi.spaces()) else { continue };
                methods(member).for_each(|method| put(method, home(&name)));
                if let Member::Class(class) = member
                    && let Some(class) = self.classes.get_mut(class.0 as usize)
                {
                    class.script = Some(script);
                }
                for name in multi.qualified().filter(|name| !is_of_player(name)) {
                    let definition = Definition { unit: unit_number, script, member: member.clone() };
                    self.definitions.entry(name).or_default().push(definition);
                }
            }
            self.scripts.insert((unit_number, script), (init, Rc::new(members)));
        }
    }

    /// Resolves the base classes and interfaces of each class.
    fn link(&mut self) {
        let named = |class: &Class, names: &[Name]| names.iter().find_map(|name| self.class_named(class.unit, name));
        let bases: Vec<Option<ClassId>> = self.classes.iter().map(|class| named(class, &class.base_names)).collect();
        let interfaces: Vec<Vec<ClassId>> = self
            .classes
            .iter()
            .map(|class| class.interfaces.iter().filter_map(|names| named(class, names)).collect())
            .collect();
        for (at, (base, interfaces)) in (0u32..).zip(bases.iter().zip(interfaces)) {
            // The classes of a damaged file may form a cycle.
            let above = successors(*base, |class| *bases.get(class.0 as usize)?).take(MOST_ABOVE + 1);
            let is_ring = |above: Vec<ClassId>| above.len() > MOST_ABOVE || above.contains(&ClassId(at));
            let base = base.filter(|_| !is_ring(above.collect()));
            if let Some(class) = self.classes.get_mut(at as usize) {
                class.base = base;
            }
            for above in base.into_iter().chain(interfaces) {
                if let Some(above) = self.classes.get_mut(above.0 as usize) {
                    above.below.push(ClassId(at));
                }
            }
        }
    }

    /// Returns the type. If the type contains the name of a class that the inputs define, the class replaces the name.
    pub(crate) fn resolve(&self, unit: u32, of: &Type) -> Type {
        match of {
            Type::Named(names) => {
                names.iter().find_map(|name| self.class_named(unit, name)).map_or_else(|| of.clone(), Type::Class)
            }
            Type::Vector(element) => Type::Vector(Rc::new(self.resolve(unit, element))),
            _ => of.clone(),
        }
    }

    /// Returns the type to which a name in code refers.
    pub(crate) fn type_of(&self, unit: u32, index: &Index<Multiname>) -> Type {
        let multi = self.unit(unit).and_then(|unit| unit.multi(index));
        multi.map_or(Type::Any, |multi| self.resolve(unit, &Type::of(&multi)))
    }

    /// Returns the definition with the given qualified name. Definitions in the same block take precedence, followed by
    /// definitions in the same input.
    pub(crate) fn definition(&self, unit: u32, name: &str) -> Option<&Definition> {
        let input = |unit: u32| self.unit(unit).map(|unit| unit.origin.input);
        let is_elsewhere = |one: &&Definition| (one.unit != unit, input(one.unit) != input(unit));
        self.definitions.get(name)?.iter().min_by_key(is_elsewhere)
    }

    /// Returns the definition to which a name in code refers.
    pub(crate) fn define(&self, unit: u32, multi: &Multi) -> Option<&Definition> {
        multi.qualified().find_map(|name| self.definition(unit, &name))
    }

    pub(crate) fn class_named(&self, unit: u32, name: &str) -> Option<ClassId> {
        if let Member::Class(class) = self.definition(unit, name)?.member { Some(class) } else { None }
    }

    /// Returns a class and its base classes, beginning with the class itself.
    pub(crate) fn above(&self, class: ClassId) -> impl Iterator<Item = (ClassId, &Class)> {
        let found = |id| Some((id, self.class(id)?));
        successors(found(class), move |(_, class)| found(class.base?))
    }

    fn member(&self, class: ClassId, name: &str, spaces: &[Space], of: fn(&Class) -> &Members) -> Option<Found> {
        let found = |look: Look| {
            completed(self.above(class).filter_map(|(id, class)| {
                let (space, member) = look(of(class), name, spaces)?;
                Some((id, space, member.clone()))
            }))
        };
        found(Members::exact).or_else(|| found(Members::any))
    }

    /// Returns an instance member of a class, and the class that defines the member. The getter and the setter of an accessor may
    /// come from different classes.
    pub(crate) fn instance_member(&self, class: ClassId, name: &str, spaces: &[Space]) -> Option<Found> {
        self.member(class, name, spaces, |class| &class.instance)
    }

    /// Returns a static member of a class or of one of its base classes.
    pub(crate) fn static_member(&self, class: ClassId, name: &str, spaces: &[Space]) -> Option<Found> {
        self.member(class, name, spaces, |class| &class.statics)
    }

    /// Reports whether all base classes of a class are known; all members of the class are then known too.
    pub(crate) fn has_known_bases(&self, class: ClassId) -> bool {
        self.above(class).last().is_none_or(|(_, class)| matches!(&*class.base_name, "" | "Object"))
    }

    /// Reports whether a class equals, extends or implements another class.
    pub(crate) fn is_below(&self, class: ClassId, other: ClassId) -> bool {
        self.above(class).any(|(id, _)| id == other)
            || self.class(other).is_some_and(|found| found.is_interface) && self.family(other).contains(&class)
    }

    /// Reports whether no object can be an instance of both classes.
    pub(crate) fn are_apart(&self, one: ClassId, other: ClassId) -> bool {
        let is_class = |class| self.class(class).is_some_and(|found| !found.is_interface);
        is_class(one) && is_class(other) && !self.is_below(one, other) && !self.is_below(other, one)
    }

    /// Returns the class that defines a method, and the method's name, for messages.
    pub(crate) fn label(&self, method: MethodId) -> (Option<ClassId>, Name) {
        match self.home(method) {
            Some(home) => (home.class, home.name.clone()),
            None => (None, "anonymous".into()),
        }
    }

    /// Returns the class and all classes that extend or implement it, excluding interfaces.
    pub(crate) fn family(&self, class: ClassId) -> Vec<ClassId> {
        let (mut family, mut open) = (BTreeSet::new(), vec![class]);
        while let Some(class) = open.pop() {
            if family.insert(class) {
                open.extend(self.class(class).into_iter().flat_map(|class| class.below.iter().copied()));
            }
        }
        family.into_iter().filter(|class| self.class(*class).is_some_and(|class| !class.is_interface)).collect()
    }
}

/// Returns the first of the given members. If that member is an accessor that lacks its getter or its setter, the missing method
/// comes from a base class.
fn completed(mut members: impl Iterator<Item = Found>) -> Option<Found> {
    match members.next()? {
        (class, space, Member::Accessor { mut get, mut set }) => {
            for (_, _, above) in members {
                if let Member::Accessor { get: above_get, set: above_set } = above {
                    get = get.or(above_get);
                    set = set.or(above_set);
                }
            }
            Some((class, space, Member::Accessor { get, set }))
        }
        found => Some(found),
    }
}

fn methods(member: &Member) -> impl Iterator<Item = MethodId> {
    let (one, other) = match member {
        Member::Method(method) => (Some(*method), None),
        Member::Accessor { get, set } => (*get, *set),
        _ => (None, None),
    };
    one.into_iter().chain(other)
}

/// Returns the members that a list of traits declares. `first` is the index of the block's first class in `World::classes`.
pub(crate) fn members(unit: &Unit, number: u32, first: u32, traits: Traits<'_>) -> Members {
    let mut all: Vec<(Name, Space, Member)> = Vec::new();
    let mut known: HashMap<(Name, Space), usize> = HashMap::new();
    let mut slots: BTreeMap<u32, (Name, Space)> = BTreeMap::new();
    for one in traits {
        let Some(multi) = unit.multi(&one.name) else { continue };
        let space = multi.spaces().first().copied().unwrap_or(crate::avm::names::PUBLIC);
        let Some(name) = multi.name else { continue };
        let before = known.get(&(name.clone(), space)).and_then(|at| all.get_mut(*at));
        let method = |index: u32| MethodId { unit: number, method: index };
        let (member, slot) = match &one.kind {
            TraitKind::Slot { slot_id, type_name, value } | TraitKind::Const { slot_id, type_name, value } => {
                let slot = Member::Slot {
                    default: value.as_ref().map(|value| constant(unit, value)),
                    of: unit.multi(type_name).map_or(Type::Any, |multi| Type::of(&multi)),
                    is_constant: matches!(one.kind, TraitKind::Const { .. }),
                };
                (slot, *slot_id)
            }
            TraitKind::Method { method: index, .. } => (Member::Method(method(index.0)), 0),
            TraitKind::Function { function, slot_id } => (Member::Method(method(function.0)), *slot_id),
            TraitKind::Class { class, slot_id } => (Member::Class(ClassId(first.saturating_add(class.0))), *slot_id),
            TraitKind::Getter { method: index, .. } | TraitKind::Setter { method: index, .. } => {
                let (mut get, mut set) = match before {
                    Some((_, _, Member::Accessor { get, set })) => (*get, *set),
                    _ => (None, None),
                };
                let side = if matches!(one.kind, TraitKind::Getter { .. }) { &mut get } else { &mut set };
                *side = Some(method(index.0));
                (Member::Accessor { get, set }, 0)
            }
        };
        if slot != 0 {
            slots.insert(slot, (name.clone(), space));
        }
        match before {
            Some(before) => before.2 = member,
            None => {
                known.insert((name.clone(), space), all.len());
                all.push((name, space, member));
            }
        }
    }
    all.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    Members { all: all.into(), slots: slots.into_iter().collect() }
}
