//! What the code of all methods says without being run: which fields are assigned where, which names are called, which methods
//! may have to do with shaders.

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

/// How an instruction assigns a field.
#[derive(Debug, Default)]
struct Assignment {
    /// Whether it is in a constructor or an initialiser.
    is_initial: bool,
    /// The string constant that it assigns.
    constant: Option<Name>,
}

/// The instructions that assign a field of some objects.
#[derive(Debug)]
pub(crate) struct Assigned<'i>(Vec<&'i Act<Assignment>>);

impl Assigned<'_> {
    /// Whether nothing but these instructions assigns it.
    pub(crate) fn is_only_by(&self, sites: &HashSet<(MethodId, u32)>) -> bool {
        self.0.iter().all(|one| sites.contains(&one.site))
    }

    /// Whether no instruction assigns it.
    pub(crate) fn is_nowhere(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether constructors and initialisers alone assign it.
    pub(crate) fn is_initial(&self) -> bool {
        self.0.iter().all(|one| one.how.is_initial)
    }

    /// How many instructions that are told apart assign it.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The string constant that each instruction assigns, if none is in a constructor or an initialiser.
    pub(crate) fn constant(&self) -> Option<&Name> {
        let constant = self.0.first()?.how.constant.as_ref()?;
        let is_same = |one: &&Act<Assignment>| !one.how.is_initial && one.how.constant.as_ref() == Some(constant);
        self.0.iter().all(is_same).then_some(constant)
    }
}

/// The objects that a field belongs to: those of a class alone, or also of those below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    pub(crate) class: ClassId,
    pub(crate) is_exact: bool,
}

/// How many instructions are told apart that assign a field of one name.
const SITES: usize = 128;

/// What the code says.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Where fields are assigned.
    assigned: Acts<Assignment>,
    methods: HashMap<MethodId, About>,
    /// Of a method without code.
    nothing: About,
    /// The methods that call something that takes shader text.
    pub(crate) sinks: BTreeSet<MethodId>,
    /// By a name, the methods that call it, and by that of a class, those that construct it: as far as they may have to do with shaders.
    callers: HashMap<Name, Vec<MethodId>>,
    /// The methods in which functions are written.
    pub(crate) around: HashMap<MethodId, MethodId>,
    /// The instructions that use strings which read as shader text.
    pub(crate) uses: BTreeMap<(MethodId, u32), Name>,
    /// Where code changes what fields hold.
    changes: Changes,
    /// The names of classes of which objects may be made: those that are constructed by name, or are values.
    pub(crate) made: HashSet<Name>,
    /// Methods with the constants of an assembler.
    pub(crate) assembles: HashSet<MethodId>,
}

/// What the code says of a method.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// How many calls it is from a method that has shader text itself, or calls something that takes it. None if it has nothing to do
    /// with shaders.
    pub(crate) distance: Option<u32>,
    /// Whether it changes nothing.
    pub(crate) is_pure: bool,
    /// Whether it does nothing but throw: classes below its own have the real one.
    pub(crate) is_abstract: bool,
    has_texts: bool,
    /// The constant that it gives, if it does nothing else.
    pub(crate) constant: Option<Expr>,
    /// Whether it makes objects that have to do with shaders.
    is_factory: bool,
    /// Whether paths part at its conditions. Elsewhere a call gives an unknown value where a condition is unknown.
    pub(crate) forks: bool,
}

impl About {
    /// Whether it may have to do with shaders.
    pub(crate) fn is_relevant(&self) -> bool {
        self.distance.is_some()
    }

    /// Whether it matters which of several methods is called: this one may have to do with shaders, or makes an object that does.
    pub(crate) fn matters(&self) -> bool {
        self.is_relevant() || self.is_factory
    }

    /// Whether, as a getter, it may give a text that stands in its code.
    pub(crate) fn gives_texts(&self) -> bool {
        self.has_texts || self.matters()
    }
}

/// What one method's code says.
#[derive(Default)]
struct Seen {
    /// The names that it calls or reads, in order.
    calls: Box<[Name]>,
    /// The classes that it constructs by name.
    makes: Box<[Name]>,
    is_agal: bool,
    has_words: bool,
    length: usize,
}

/// So many methods may have a name for it to tell something of all its callers.
const FEW: usize = 4;
/// Of more methods of one name, one in so many has to do with shaders.
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
                    let function = MethodId { unit: id.unit, method: index.0 };
                    self.around.insert(function, id);
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
            constant: given(unit, code),
            ..About::default()
        };
        self.methods.insert(id, about);
        if mnemonics >= 5 {
            self.assembles.insert(id);
        }
        (seen.calls, seen.makes) = (calls.into_iter().collect(), makes.into_iter().collect());
        seen
    }

    /// Notes the class of which an instruction may make objects.
    fn note_made(&mut self, unit: &Unit, op: &Op, next: Option<&Op>) {
        let name = |index| unit.multi(index).and_then(|multi| multi.name);
        match op {
            Op::ConstructProp { index, .. } => self.made.extend(name(index)),
            // A class as a value, unless it is asked for its type or for a static member, or is extended.
            Op::GetLex { index } | Op::GetProperty { index } => match next {
                Some(
                    Op::IsTypeLate
                    | Op::AsTypeLate
                    | Op::GetProperty { .. }
                    | Op::CallProperty { .. }
                    | Op::CallPropVoid { .. }
                    | Op::PushScope
                    | Op::Dup
                    | Op::NewClass { .. },
                ) => {}
                _ => self.made.extend(name(index)),
            },
            _ => {}
        }
    }

    /// How a field is assigned: of any objects, or of those of an owner, whose fields no other class's methods assign as their own.
    pub(crate) fn assigned(&self, world: &World, name: &Name, space: Space, owner: Option<Owner>) -> Assigned<'_> {
        let all = of_field(&self.assigned, name, space).flatten();
        Assigned(all.filter(|one| !one.is_own || self.is_own_of(world, one.site.0, owner)).collect())
    }

    /// The methods that set a field of their own object, or assemble a program with what it holds, apart from constructors.
    pub(crate) fn setters(&self, world: &World, owner: Owner, name: &Name, space: Space) -> BTreeSet<MethodId> {
        let assigned = self.assigned(world, name, space, Some(owner));
        let assigning = assigned.0.iter().filter(|one| one.is_own && !one.how.is_initial).map(|one| one.site.0);
        let assembling =
            self.changes.assembling(name, space).filter(|method| self.is_own_of(world, *method, Some(owner)));
        let all = assigning.chain(assembling).map(|method| outermost(world, &self.around, method));
        // A method of a class below is another object's, unless it is known to be of that class.
        let is_of = |method: &MethodId| {
            let home = world.home(*method)?.class.filter(|home| world.is_below(owner.class, *home))?;
            world.class(home).filter(|class| class.constructor != *method && class.initialiser != *method)
        };
        all.filter(|method| is_of(method).is_some()).collect()
    }

    /// The class that code puts into an object that a field holds, with a constant as the key: a register of classes.
    pub(crate) fn registered(&self, world: &World, field: &Name, key: &Name) -> Option<ClassId> {
        let name = self.changes.registered(field, key)?;
        let mut found = (0u32..).map(ClassId).zip(&world.classes).filter(|(_, class)| short(&class.name) == &**name);
        found.next().filter(|_| found.next().is_none()).map(|(id, _)| id)
    }

    /// Whether a method may be called for an object of an owner.
    fn is_own_of(&self, world: &World, method: MethodId, owner: Option<Owner>) -> bool {
        let method = outermost(world, &self.around, method);
        let home = world.home(method).and_then(|home| home.class);
        let (Some(Owner { class, is_exact }), Some(home)) = (owner, home) else { return true };
        world.is_below(class, home) || (!is_exact && world.is_below(home, class))
    }

    /// Opens an array, or an object without a class, that a field of an owner holds and that other instructions than these change.
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
            // An empty one is a store of what was made before: what is not in it is made again.
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

    /// Finds the methods that call those with shader text, however far.
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
            // A name that many other methods have, such as `render`, tells nothing of its callers.
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
            // A function that calls itself writes data of any depth, and is not about shaders.
            let name = world.label(*id).1;
            let gives_text = returns.text() == "String" && !one.calls.contains(&name) && one.length < 400;
            let is_short = one.length < 60 && !matches!(returns.text(), "void" | "");
            if let Some(about) = self.methods.get_mut(id) {
                about.distance = distance;
                about.forks = distance.is_some() || one.has_words || gives_text || is_short;
            }
        }
        self.find_factories(world, seen);
        // A method is as relevant as the nearest of the functions in it, however deep, in whatever order they are.
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

    /// Finds the methods that construct a class of which some method, or one above it, may have to do with shaders.
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

    /// The methods that call something by a name, or construct a class of that name, and have to do with shaders.
    pub(crate) fn callers(&self, name: &str) -> &[MethodId] {
        self.callers.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// What the code says of a method.
    pub(crate) fn about(&self, method: MethodId) -> &About {
        self.methods.get(&method).unwrap_or(&self.nothing)
    }
}

/// The name by which a method is called: a constructor by that of its class.
pub(crate) fn called_name(world: &World, method: MethodId) -> Name {
    let (class, name) = world.label(method);
    match class.and_then(|class| world.class(class)) {
        Some(class) if &*name == "new" => short(&class.name).into(),
        _ => name,
    }
}

/// The truth value or number that a method gives, if it does nothing else.
fn given(unit: &Unit, code: &Code) -> Option<Expr> {
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

/// Whether an instruction may change an object: it assigns something, makes something, or calls something.
fn changes(op: &Op) -> bool {
    match op {
        Op::SetProperty { .. } | Op::InitProperty { .. } | Op::SetSuper { .. } | Op::DeleteProperty { .. } => true,
        Op::SetSlot { .. } | Op::SetGlobalSlot { .. } | Op::Construct { .. } | Op::ConstructSuper { .. } => true,
        Op::Call { .. } | Op::CallStatic { .. } | Op::CallMethod { .. } => true,
        Op::GetProperty { .. } | Op::GetLex { .. } => false,
        op => called(op).is_some(),
    }
}

/// The name that an instruction calls, constructs or reads: a getter is called by being read.
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

/// The method in which a function is written, and which is not in another one.
pub(crate) fn outermost(world: &World, around: &HashMap<MethodId, MethodId>, mut method: MethodId) -> MethodId {
    for _ in 0..32 {
        match around.get(&method) {
            Some(outer) if world.home(method).is_none() => method = *outer,
            _ => break,
        }
    }
    method
}
