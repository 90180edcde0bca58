//! Static facts about the code of all methods: the assignments to fields, the names of called methods, and the methods that may
//! involve shaders. A method *involves shaders* if it contains shader source, or directly or indirectly calls an assembler, an
//! upload function or a method with shader source.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use swf::avm2::types::{Index as At, Multiname, Op};

use crate::agalish;
use crate::avm::code::Code;
use crate::avm::names::{Name, Space, short};
use crate::avm::unit::Unit;
use crate::avm::world::{ClassId, MethodId, World};
use crate::eval::changes::{Act, Acts, Changes, Done, add, field, of_field};
use crate::eval::expr::Expr;
use crate::eval::sinks::SINKS;
use crate::eval::step::literal;
use crate::eval::value::{Object, ObjectKind};

#[derive(Debug, Default)]
struct Assignment {
    /// Whether the assignment is in a constructor or an initialiser.
    is_initial: bool,
    /// The assigned string constant; `None` if the assigned value is not a string constant.
    constant: Option<Name>,
}

/// The instructions that may assign a given field.
#[derive(Debug)]
pub(crate) struct Assigned<'i>(Vec<&'i Act<Assignment>>);

impl Assigned<'_> {
    /// Reports whether no instruction outside `sites` assigns the field.
    pub(crate) fn is_only_by(&self, sites: &HashSet<(MethodId, u32)>) -> bool {
        self.0.iter().all(|one| sites.contains(&one.site))
    }

    pub(crate) fn is_nowhere(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_initial(&self) -> bool {
        self.0.iter().all(|one| one.how.is_initial)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the string constant that every instruction assigns to the field. Returns `None` if there is no such constant, or
    /// if a constructor or an initialiser also assigns the field.
    pub(crate) fn constant(&self) -> Option<&Name> {
        let constant = self.0.first()?.how.constant.as_ref()?;
        let is_same = |one: &&Act<Assignment>| !one.how.is_initial && one.how.constant.as_ref() == Some(constant);
        self.0.iter().all(is_same).then_some(constant)
    }
}

/// The objects that have a field: the instances of a class, including instances of its subclasses unless the class is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    pub(crate) class: ClassId,
    pub(crate) is_exact: bool,
}

/// The maximum number of assignments to one field that are recorded individually.
const SITES: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Index {
    assigned: Acts<Assignment>,
    methods: HashMap<MethodId, About>,
    /// The facts about any method that has no code.
    nothing: About,
    /// The methods that call an assembler or an upload function.
    pub(crate) sinks: BTreeSet<MethodId>,
    /// The methods that may involve shaders, keyed by the names of the methods that they call and the classes that they
    /// construct.
    callers: HashMap<Name, Vec<MethodId>>,
    /// The enclosing method of each nested function.
    pub(crate) around: HashMap<MethodId, MethodId>,
    /// The instructions that push string constants with AGAL source.
    pub(crate) uses: BTreeMap<(MethodId, u32), Name>,
    changes: Changes,
    /// The names of the classes that may have instances, because code constructs the class by name or uses the class as a value.
    pub(crate) made: HashSet<Name>,
    /// The methods that contain the opcode names of an AGAL assembler.
    pub(crate) assembles: HashSet<MethodId>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// The number of calls from the method to the nearest method that contains shader source or calls an assembler or upload
    /// function; `None` if the method does not involve shaders.
    pub(crate) distance: Option<u32>,
    pub(crate) is_pure: bool,
    /// Whether the method throws an exception and never returns, as a method does that subclasses must override.
    pub(crate) is_abstract: bool,
    has_texts: bool,
    /// The constant that the method returns; `None` if the method does anything other than return a constant.
    pub(crate) constant: Option<Expr>,
    /// Whether the method constructs an object whose class has a method that may involve shaders.
    is_factory: bool,
    /// Whether paths fork at unknown conditions in the method. If paths do not fork, a call that reaches an unknown condition
    /// returns an unknown value.
    pub(crate) forks: bool,
}

impl About {
    pub(crate) fn is_relevant(&self) -> bool {
        self.distance.is_some()
    }

    /// Reports whether a virtual call must distinguish the method from its overrides, because the method, or an object that it
    /// constructs, may involve shaders.
    pub(crate) fn matters(&self) -> bool {
        self.is_relevant() || self.is_factory
    }

    /// Reports whether the method, if it is a getter, may return a string constant from its code.
    pub(crate) fn gives_texts(&self) -> bool {
        self.has_texts || self.matters()
    }
}

#[derive(Default)]
struct Seen {
    /// The sorted names that the method calls or reads.
    calls: Box<[Name]>,
    /// Names of the classes that the method constructs.
    makes: Box<[Name]>,
    is_agal: bool,
    has_words: bool,
    length: usize,
}

/// The maximum number of methods with the same name for which one method that involves shaders is enough: all callers of the name
/// then count as involving shaders.
const FEW: usize = 4;
/// If more than `FEW` methods have the same name, callers of the name count as involving shaders only if at least 1 / `SHARE` of
/// the methods involve shaders.
const SHARE: usize = 4;

impl Index {
    pub(crate) fn new(world: &World) -> Index {
        let mut index = Index::default();
        let mut seen: Vec<(MethodId, Seen)> = Vec::new();
        let initialisers: HashSet<MethodId> = world
            .classes
            .iter()
            .flat_map(|class| [class.constructor, class.initialiser])
            .chain(world.scripts.values().map(|(initialiser, _)| *initialiser))
            .collect();
        for id in world.methods() {
            let Some(unit) = world.unit(id.unit) else { continue };
            let Some(body) = unit.abc.body(id.method) else { continue };
            let code = Code::decode(&body);
            let own = index.changes.read(unit, id, &code, world.home(id).is_some());
            seen.push((id, index.read(unit, id, &code, initialisers.contains(&id), &own)));
        }
        index.spread(world, &seen);
        index
    }

    fn read(&mut self, unit: &Unit, id: MethodId, code: &Code, is_initial: bool, own: &HashSet<u32>) -> Seen {
        let mut seen = Seen { length: code.instructions.len(), ..Seen::default() };
        let (mut calls, mut makes) = (BTreeSet::new(), BTreeSet::new());
        let mut constant: Option<Name> = None;
        let mut mnemonics = 0;
        for (at, instruction) in code.instructions.iter().enumerate() {
            self.note_made(unit, &instruction.op, code.instructions.get(at + 1).map(|next| &next.op));
            match &instruction.op {
                Op::PushString { value } => {
                    let text = unit.string(value);
                    let kind = agalish::constant(text);
                    seen.is_agal |= kind == agalish::Constant::Code;
                    seen.has_words |= kind != agalish::Constant::Other;
                    mnemonics += u32::from(matches!(&**text, "mov" | "m44" | "m34" | "tex" | "dp3" | "kil" | "sge"));
                    if kind == agalish::Constant::Code {
                        self.uses.insert((id, instruction.at), text.clone());
                    }
                    constant = Some(text.clone());
                    continue;
                }
                Op::CoerceS | Op::CoerceA | Op::ConvertS | Op::Coerce { .. } => continue,
                Op::SetProperty { index } | Op::InitProperty { index } => {
                    let how = Assignment { is_initial, constant: constant.take() };
                    let act = Act { site: (id, instruction.at), is_own: own.contains(&instruction.at), how };
                    if let Some(field) = field(unit, index) {
                        add(&mut self.assigned, field, act, SITES);
                    }
                }
                Op::NewFunction { index } => {
                    self.around.insert(MethodId { unit: id.unit, method: index.0 }, id);
                }
                op => {
                    if let Some(index) = called(op) {
                        let name = unit.multi(index).and_then(|multi| multi.name);
                        if matches!(op, Op::ConstructProp { .. }) {
                            makes.extend(name.clone());
                        }
                        calls.extend(name);
                    }
                }
            }
            constant = None;
        }
        let is = |of: fn(&Op) -> bool| code.instructions.iter().any(|instruction| of(&instruction.op));
        let throws = is(|op| matches!(op, Op::Throw));
        let about = About {
            is_pure: !is(changes),
            is_abstract: throws && !is(|op| matches!(op, Op::ReturnValue | Op::ReturnVoid)),
            has_texts: is(|op| matches!(op, Op::PushString { .. })),
            constant: returned_constant(unit, code),
            ..About::default()
        };
        self.methods.insert(id, about);
        if mnemonics >= 5 {
            self.assembles.insert(id);
        }
        (seen.calls, seen.makes) = (calls.into_iter().collect(), makes.into_iter().collect());
        seen
    }

    /// Records the class that an instruction may construct or may use as a value.
    fn note_made(&mut self, unit: &Unit, op: &Op, next: Option<&Op>) {
        let index = match (op, next) {
            // The instruction needs the class for a type test, a static member or inheritance, but not as a value.
            (
                Op::GetLex { .. } | Op::GetProperty { .. },
                Some(
                    Op::IsTypeLate
                    | Op::AsTypeLate
                    | Op::GetProperty { .. }
                    | Op::CallProperty { .. }
                    | Op::CallPropVoid { .. }
                    | Op::PushScope
                    | Op::Dup
                    | Op::NewClass { .. },
                ),
            ) => return,
            (Op::ConstructProp { index, .. } | Op::GetLex { index } | Op::GetProperty { index }, _) => index,
            _ => return,
        };
        self.made.extend(unit.multi(index).and_then(|multi| multi.name));
    }

    /// Returns the assignments to a field of one owner's objects, or of all objects. Assignments to fields of `this` in classes
    /// unrelated to the owner are excluded.
    pub(crate) fn assigned(&self, world: &World, name: &Name, space: Space, owner: Option<Owner>) -> Assigned<'_> {
        let all = of_field(&self.assigned, name, space).flatten();
        Assigned(all.filter(|one| !one.is_own || self.is_own_of(world, one.site.0, owner)).collect())
    }

    /// Returns the methods, except constructors, that set a field of `this` or assemble a program from the field's value.
    pub(crate) fn setters(&self, world: &World, owner: Owner, name: &Name, space: Space) -> BTreeSet<MethodId> {
        let assigned = self.assigned(world, name, space, Some(owner));
        let assigning = assigned.0.iter().filter(|one| one.is_own && !one.how.is_initial).map(|one| one.site.0);
        let assembling =
            self.changes.assembling(name, space).filter(|method| self.is_own_of(world, *method, Some(owner)));
        let all = assigning.chain(assembling).map(|method| outermost(world, &self.around, method));
        // A subclass's method is excluded unless the object is known to be an instance of the subclass.
        let is_of = |method: &MethodId| {
            let home = world.home(*method)?.class.filter(|home| world.is_below(owner.class, *home))?;
            world.class(home).filter(|class| class.constructor != *method && class.initialiser != *method)
        };
        all.filter(|method| is_of(method).is_some()).collect()
    }

    /// Returns the class that code stores under a constant key in the object that a field contains, as in a registry of classes.
    pub(crate) fn registered(&self, world: &World, field: &Name, key: &Name) -> Option<ClassId> {
        let name = self.changes.registered(field, key)?;
        let mut found = (0u32..).map(ClassId).zip(&world.classes).filter(|(_, class)| short(&class.name) == &**name);
        found.next().filter(|_| found.next().is_none()).map(|(id, _)| id)
    }

    /// Reports whether a method may be called with one of the owner's objects as `this`.
    fn is_own_of(&self, world: &World, method: MethodId, owner: Option<Owner>) -> bool {
        let method = outermost(world, &self.around, method);
        let home = world.home(method).and_then(|home| home.class);
        let (Some(Owner { class, is_exact }), Some(home)) = (owner, home) else { return true };
        world.is_below(class, home) || (!is_exact && world.is_below(home, class))
    }

    /// Sets `is_open` for an array or a plain object if an instruction outside `sites` changes the contents of the field that
    /// refers to it.
    pub(crate) fn open(
        &self,
        world: &World,
        object: &mut Object,
        (name, space): (&Name, Space),
        owner: Option<Owner>,
        sites: &HashSet<(MethodId, u32)>,
    ) {
        let is_array = match object.kind {
            ObjectKind::Array(_) => true,
            // An empty object is assumed to be a cache, whose missing entries the code creates again.
            ObjectKind::Plain if object.class.is_none() && !object.fields.is_empty() => false,
            _ => return,
        };
        let counts = |method, is_own: bool| !is_own || self.is_own_of(world, method, owner);
        let done = self.changes.of(name, space, is_array, sites, &counts);
        object.is_open |= done != Done::Nothing;
        if done == Done::Changed {
            object.forget_fields();
            if let ObjectKind::Array(elements) = &mut object.kind {
                elements.clear();
            }
        }
    }

    /// Finds the methods that directly or indirectly call an assembler, an upload function, or a method with shader source.
    fn spread(&mut self, world: &World, seen: &[(MethodId, Seen)]) {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (_, seen)) in seen.iter().enumerate() {
            for name in seen.calls.iter() {
                named.entry(name).or_default().push(at);
            }
        }
        let is_sink = |seen: &Seen| seen.calls.iter().any(|name| SINKS.iter().any(|(sink, ..)| *sink == &**name));
        self.sinks = seen.iter().filter(|(_, seen)| is_sink(seen)).map(|(id, _)| *id).collect();
        let names: Vec<Name> = seen.iter().map(|(id, _)| called_name(world, *id)).collect();
        let mut defined: HashMap<&str, (usize, usize)> = HashMap::new();
        for name in &names {
            defined.entry(name).or_default().0 += 1;
        }
        let sinks = seen.iter().enumerate().filter(|(_, (_, seen))| seen.is_agal || is_sink(seen));
        let mut open: VecDeque<usize> = sinks.map(|(at, _)| at).collect();
        let mut found: HashMap<usize, u32> = open.iter().map(|at| (*at, 0)).collect();
        while let Some(at) = open.pop_front() {
            let distance = found.get(&at).map_or(0, |distance| distance.saturating_add(1));
            let Some(name) = names.get(at) else { continue };
            let Some((all, relevant)) = defined.get_mut(&**name) else { continue };
            *relevant += 1;
            // If a method has a common name, such as `render`, a call of that name does not indicate that the caller involves
            // shaders.
            if *all > FEW && relevant.saturating_mul(SHARE) < *all {
                continue;
            }
            for caller in named.get(&**name).into_iter().flatten() {
                if !found.contains_key(caller) {
                    found.insert(*caller, distance);
                    open.push_back(*caller);
                }
            }
        }
        for (at, (id, one)) in seen.iter().enumerate() {
            let distance = found.get(&at).copied();
            if distance.is_some() {
                for name in one.calls.iter() {
                    self.callers.entry(name.clone()).or_default().push(*id);
                }
            }
            let method = world.method(*id);
            let returns = method.and_then(|(unit, method)| unit.multi(&method.return_type)).unwrap_or_default();
            // A recursive function that returns a string probably serialises nested data and does not involve shaders.
            let name = world.label(*id).1;
            let gives_text = returns.text() == "String" && !one.calls.contains(&name) && one.length < 400;
            let is_short = one.length < 60 && !matches!(returns.text(), "void" | "");
            if let Some(about) = self.methods.get_mut(id) {
                about.distance = distance;
                about.forks = distance.is_some() || one.has_words || gives_text || is_short;
            }
        }
        self.find_factories(world, seen);
        // A method is no farther from shader source than any function that is nested in it, at any depth.
        let relevant = self.around.keys().filter_map(|inner| Some((*inner, self.about(*inner).distance?)));
        for (mut inner, distance) in relevant.collect::<Vec<_>>() {
            while let Some(outer) = self.around.get(&inner).filter(|outer| **outer != inner) {
                let Some(about) = self.methods.get_mut(outer) else { break };
                if about.forks && about.distance.is_some_and(|known| known <= distance) {
                    break;
                }
                about.distance = Some(about.distance.map_or(distance, |known| known.min(distance)));
                about.forks = true;
                inner = *outer;
            }
        }
    }

    /// Finds the methods that construct a class whose own or inherited methods may involve shaders.
    fn find_factories(&mut self, world: &World, seen: &[(MethodId, Seen)]) {
        let relevant = self.methods.iter().filter(|(_, about)| about.is_relevant());
        let own: HashSet<ClassId> = relevant.filter_map(|(method, _)| world.home(*method)?.class).collect();
        let all = (0u32..).map(ClassId).zip(&world.classes);
        let names: HashSet<&str> = all
            .filter(|(id, _)| world.above(*id).any(|(above, _)| own.contains(&above)))
            .map(|(_, class)| short(&class.name))
            .collect();
        for (id, seen) in seen {
            if let Some(about) = self.methods.get_mut(id) {
                about.is_factory = seen.makes.iter().any(|name| names.contains(&**name));
            }
        }
    }

    /// Returns the methods that involve shaders and that call a method, or construct a class, with the given name.
    pub(crate) fn callers(&self, name: &str) -> &[MethodId] {
        self.callers.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn about(&self, method: MethodId) -> &About {
        self.methods.get(&method).unwrap_or(&self.nothing)
    }
}

/// Returns the name by which callers refer to a method. A constructor has the name of its class.
pub(crate) fn called_name(world: &World, method: MethodId) -> Name {
    let (class, name) = world.label(method);
    match class.and_then(|class| world.class(class)) {
        Some(class) if &*name == "new" => short(&class.name).into(),
        _ => name,
    }
}

/// Returns the constant that a method returns, or `None` if the method does anything other than return a constant.
fn returned_constant(unit: &Unit, code: &Code) -> Option<Expr> {
    let is_nothing = |op: &&Op| {
        matches!(
            op,
            Op::GetLocal { index: 0 } | Op::PushScope | Op::Debug { .. } | Op::DebugFile { .. } | Op::DebugLine { .. }
        )
    };
    let mut ops = code.instructions.iter().map(|instruction| &instruction.op).filter(|op| !is_nothing(op));
    let value = literal(unit, ops.next()?)?;
    let is_all = matches!(ops.next(), Some(Op::ReturnValue)) && ops.next().is_none();
    value.as_constant().filter(|_| is_all)
}

/// Reports whether an instruction may have a side effect: an assignment, a construction or a call.
fn changes(op: &Op) -> bool {
    match op {
        Op::SetProperty { .. } | Op::InitProperty { .. } | Op::SetSuper { .. } | Op::DeleteProperty { .. } => true,
        Op::SetSlot { .. } | Op::SetGlobalSlot { .. } | Op::Construct { .. } | Op::ConstructSuper { .. } => true,
        Op::Call { .. } | Op::CallStatic { .. } | Op::CallMethod { .. } => true,
        Op::GetProperty { .. } | Op::GetLex { .. } => false,
        op => called(op).is_some(),
    }
}

/// Returns the name that an instruction calls, constructs or reads. A property read counts, because it may call a getter.
fn called(op: &Op) -> Option<&At<Multiname>> {
    match op {
        Op::CallProperty { index, .. }
        | Op::CallPropVoid { index, .. }
        | Op::CallPropLex { index, .. }
        | Op::CallSuper { index, .. }
        | Op::CallSuperVoid { index, .. }
        | Op::ConstructProp { index, .. }
        | Op::GetProperty { index }
        | Op::GetLex { index } => Some(index),
        _ => None,
    }
}

/// Returns the outermost method that encloses a function.
pub(crate) fn outermost(world: &World, around: &HashMap<MethodId, MethodId>, mut method: MethodId) -> MethodId {
    for _ in 0..32 {
        let Some(outer) = around.get(&method).filter(|_| world.home(method).is_none()) else { break };
        method = *outer;
    }
    method
}
