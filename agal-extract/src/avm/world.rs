//! The classes and definitions of all ABC blocks together.
//!
//! A member is found by its name and namespace; if no namespace fits, by its name alone, since damaged and obfuscated files
//! disagree with themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::successors;
use std::rc::Rc;

use swf::avm2::types::{Index, Method, Multiname, TraitKind};

use crate::avm::abc::Traits;
pub(crate) use crate::avm::ids::{ClassId, MethodId};
use crate::avm::names::{Multi, Name, Space, short};
use crate::avm::types::{Constant, Type, constant};
use crate::avm::unit::Unit;

/// How a member is looked for.
type Look = for<'m> fn(&'m Members, &str, &[Space]) -> Option<(Space, &'m Member)>;

/// A member of a class, or a definition.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Slot { default: Option<Constant>, of: Type, is_constant: bool },
    Method(MethodId),
    Accessor { get: Option<MethodId>, set: Option<MethodId> },
    Class(ClassId),
}

impl Member {
    /// The method that is called, or that gives its value.
    pub(crate) fn called(&self) -> Option<MethodId> {
        match self {
            Member::Method(method) => Some(*method),
            Member::Accessor { get, .. } => *get,
            Member::Slot { .. } | Member::Class(_) => None,
        }
    }
}

/// Members by their names. The members of one name differ in their namespaces.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// By the name, and those of one name in the order of their traits.
    pub(crate) all: Box<[(Name, Space, Member)]>,
    /// The names of those with a number, by that.
    slots: Box<[(u32, (Name, Space))]>,
}

/// A member that was found: the class that defines it, its namespace, and the member.
pub(crate) type Found = (ClassId, Space, Member);

impl Members {
    /// The members of a name.
    pub(crate) fn of(&self, name: &str) -> &[(Name, Space, Member)] {
        let from = self.all.partition_point(|(one, ..)| &**one < name);
        let rest = self.all.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|(one, ..)| &**one == name).count();
        rest.get(..count).unwrap_or_default()
    }

    /// The name of the member with this number.
    pub(crate) fn slot(&self, number: u32) -> Option<&(Name, Space)> {
        let at = self.slots.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.slots.get(at).map(|(_, name)| name)
    }

    /// The member of this name in one of these namespaces.
    pub(crate) fn exact(&self, name: &str, spaces: &[Space]) -> Option<(Space, &Member)> {
        let found = self.of(name).iter().find(|(_, space, _)| spaces.contains(space));
        found.map(|(_, space, member)| (*space, member))
    }

    /// The same, or one in any namespace if there is none.
    pub(crate) fn any(&self, name: &str, spaces: &[Space]) -> Option<(Space, &Member)> {
        let first = || self.of(name).first().map(|(_, space, member)| (*space, member));
        self.exact(name, spaces).or_else(first)
    }
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) unit: u32,
    /// Its name, with the package.
    pub(crate) name: Name,
    /// The script that defines it.
    pub(crate) script: Option<u32>,
    pub(crate) base_name: Name,
    base_names: Rc<[Name]>,
    interfaces: Vec<Rc<[Name]>>,
    pub(crate) base: Option<ClassId>,
    /// The classes that extend or implement it.
    pub(crate) below: Vec<ClassId>,
    pub(crate) instance: Members,
    pub(crate) statics: Members,
    pub(crate) constructor: MethodId,
    pub(crate) initialiser: MethodId,
    pub(crate) is_interface: bool,
}

/// A definition of a script: a class, a function or a variable.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) unit: u32,
    pub(crate) script: u32,
    pub(crate) member: Member,
}

/// Everything that the inputs define.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) units: Vec<Unit>,
    /// Whether nothing but these uses them.
    pub(crate) is_whole: bool,
    pub(crate) classes: Vec<Class>,
    /// The initialisers of scripts, with what the scripts define: by the block, and the number there.
    pub(crate) scripts: BTreeMap<(u32, u32), (MethodId, Rc<Members>)>,
    /// Definitions by their names with the package.
    definitions: HashMap<Name, Vec<Definition>>,
    /// Where methods are defined, but functions in methods.
    homes: HashMap<MethodId, Home>,
}

/// Where a method is defined.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub(crate) class: Option<ClassId>,
    /// The script, if it is in no class.
    pub(crate) script: u32,
    pub(crate) name: Name,
    pub(crate) is_static: bool,
}

/// The most classes above one.
const MOST_ABOVE: usize = 200;

/// Whether a name is that of a class that the player has. Where an input declares it too, as libraries of declarations and
/// OpenFL do, what is known of it counts.
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

    /// Whether a block is for others to use: code that is not there may assign its fields and make objects of its classes.
    pub(crate) fn is_library(&self, unit: u32) -> bool {
        !self.is_whole && self.unit(unit).is_some_and(|unit| unit.origin.is_of_library())
    }

    pub(crate) fn unit(&self, unit: u32) -> Option<&Unit> {
        self.units.get(unit as usize)
    }

    pub(crate) fn class(&self, class: ClassId) -> Option<&Class> {
        self.classes.get(class.0 as usize)
    }

    /// A method, and the block that it is in.
    pub(crate) fn method(&self, method: MethodId) -> Option<(&Unit, Method)> {
        let unit = self.unit(method.unit)?;
        Some((unit, unit.abc.method(method.method)?))
    }

    /// The type of a method's result.
    pub(crate) fn result_of(&self, method: MethodId) -> Type {
        self.method(method).map_or(Type::Any, |(_, found)| self.type_of(method.unit, &found.return_type))
    }

    /// The name of a class, without the package.
    pub(crate) fn short_name(&self, class: ClassId) -> Option<&str> {
        self.class(class).map(|class| short(&class.name))
    }

    /// Where a method is defined. None for a function in a method.
    pub(crate) fn home(&self, method: MethodId) -> Option<&Home> {
        self.homes.get(&method)
    }

    /// Whether a method is the getter of a property.
    pub(crate) fn is_getter(&self, method: MethodId) -> bool {
        let Some(home) = self.home(method) else { return false };
        let class = home.class.and_then(|class| self.class(class));
        let members = class.map(|class| if home.is_static { &class.statics } else { &class.instance });
        let is_it = |member: &Member| matches!(member, Member::Accessor { get, .. } if *get == Some(method));
        members.is_some_and(|members| members.of(&home.name).iter().any(|(_, _, member)| is_it(member)))
    }

    /// All methods that have code, in order.
    pub(crate) fn methods(&self) -> impl Iterator<Item = MethodId> {
        (0u32..)
            .zip(&self.units)
            .flat_map(|(unit, found)| found.abc.methods_with_code().map(move |method| MethodId { unit, method }))
    }

    /// The class of a `newclass`.
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
        // The last of several homes counts.
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

    /// Finds the class above each, and what the types of members are.
    fn link(&mut self) {
        let named = |class: &Class, names: &[Name]| names.iter().find_map(|name| self.class_named(class.unit, name));
        let bases: Vec<Option<ClassId>> = self.classes.iter().map(|class| named(class, &class.base_names)).collect();
        let interfaces: Vec<Vec<ClassId>> = self
            .classes
            .iter()
            .map(|class| class.interfaces.iter().filter_map(|names| named(class, names)).collect())
            .collect();
        for (at, (base, interfaces)) in (0u32..).zip(bases.iter().zip(interfaces)) {
            // A damaged file may have a ring of classes.
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

    /// The class that a type names.
    pub(crate) fn resolve(&self, unit: u32, of: &Type) -> Type {
        match of {
            Type::Named(names) => {
                let class = names.iter().find_map(|name| self.class_named(unit, name));
                class.map_or_else(|| of.clone(), Type::Class)
            }
            Type::Vector(element) => Type::Vector(Rc::new(self.resolve(unit, element))),
            _ => of.clone(),
        }
    }

    /// The type that a name in code stands for.
    pub(crate) fn type_of(&self, unit: u32, index: &Index<Multiname>) -> Type {
        let multi = self.unit(unit).and_then(|unit| unit.multi(index));
        multi.map_or(Type::Any, |multi| self.resolve(unit, &Type::of(&multi)))
    }

    /// The definition of this name with its package: that of the same block first, and then that of the same input.
    pub(crate) fn definition(&self, unit: u32, name: &str) -> Option<&Definition> {
        let input = |unit: u32| self.unit(unit).map(|unit| unit.origin.input);
        let is_elsewhere = |one: &&Definition| (one.unit != unit, input(one.unit) != input(unit));
        self.definitions.get(name)?.iter().min_by_key(is_elsewhere)
    }

    /// The definition that a name in code stands for.
    pub(crate) fn define(&self, unit: u32, multi: &Multi) -> Option<&Definition> {
        multi.qualified().find_map(|name| self.definition(unit, &name))
    }

    pub(crate) fn class_named(&self, unit: u32, name: &str) -> Option<ClassId> {
        match self.definition(unit, name)?.member {
            Member::Class(class) => Some(class),
            _ => None,
        }
    }

    /// A class and those above it, the nearest first.
    pub(crate) fn above(&self, class: ClassId) -> impl Iterator<Item = (ClassId, &Class)> {
        let found = |id| Some((id, self.class(id)?));
        successors(found(class), move |(_, class)| found(class.base?))
    }

    fn member(&self, class: ClassId, name: &str, spaces: &[Space], of: fn(&Class) -> &Members) -> Option<Found> {
        let found = |look: Look| {
            whole(self.above(class).filter_map(|(id, class)| {
                let (space, member) = look(of(class), name, spaces)?;
                Some((id, space, member.clone()))
            }))
        };
        found(Members::exact).or_else(|| found(Members::any))
    }

    /// The member of an instance, and the class that defines it. An accessor is put together from what each class defines.
    pub(crate) fn instance_member(&self, class: ClassId, name: &str, spaces: &[Space]) -> Option<Found> {
        self.member(class, name, spaces, |class| &class.instance)
    }

    /// The static member of a class, or of one above it.
    pub(crate) fn static_member(&self, class: ClassId, name: &str, spaces: &[Space]) -> Option<Found> {
        self.member(class, name, spaces, |class| &class.statics)
    }

    /// Whether the class above all is known, so that a name which none of them has is not a member.
    pub(crate) fn is_whole(&self, class: ClassId) -> bool {
        self.above(class).last().is_none_or(|(_, class)| matches!(&*class.base_name, "" | "Object"))
    }

    /// Whether a class is another one, or below it.
    pub(crate) fn is_below(&self, class: ClassId, other: ClassId) -> bool {
        self.above(class).any(|(id, _)| id == other)
            || self.class(other).is_some_and(|found| found.is_interface) && self.family(other).contains(&class)
    }

    /// Whether no object can be of both classes.
    pub(crate) fn are_apart(&self, one: ClassId, other: ClassId) -> bool {
        let is_class = |class| self.class(class).is_some_and(|found| !found.is_interface);
        is_class(one) && is_class(other) && !self.is_below(one, other) && !self.is_below(other, one)
    }

    /// What a person calls a method.
    pub(crate) fn label(&self, method: MethodId) -> (Option<ClassId>, Name) {
        match self.home(method) {
            Some(home) => (home.class, home.name.clone()),
            None => (None, "anonymous".into()),
        }
    }

    /// The classes that a class stands for: itself and all below it that are not interfaces.
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

/// The first member, with the other half of an accessor from a class above.
fn whole(mut members: impl Iterator<Item = Found>) -> Option<Found> {
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

/// The members that traits define; the block's first class is number `first` of all.
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
