//! What the code of all methods says without being run: which fields are assigned where, which names are called, which methods
//! may have to do with shaders.

use std::collections::{BTreeSet, HashMap, HashSet};

use swf::avm2::types::{Index as At, Multiname, Op};

use crate::agalish;
use crate::avm::code::Code;
use crate::avm::names::{Name, Space};
use crate::avm::unit::Unit;
use crate::avm::world::{MethodId, World};
use crate::eval::changes::{Changes, Done};
use crate::eval::value::{Object, ObjectKind};

/// How a field is assigned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assigned {
    /// The instructions that assign it, up to [`SITES`].
    pub(crate) sites: Vec<(MethodId, u32)>,
    /// The constant that each of them assigns outside constructors and initialisers, if it is the same one.
    pub(crate) constant: Option<Name>,
    /// Whether some of those assign different values, or ones that are computed, or there are too many.
    pub(crate) varies: bool,
    /// How many of them are in constructors and initialisers.
    pub(crate) in_initialisers: usize,
}

impl Assigned {
    /// Whether nothing but these instructions assigns it.
    pub(crate) fn is_only_by(&self, sites: &HashSet<(MethodId, u32)>) -> bool {
        self.sites.len() < SITES && self.sites.iter().all(|site| sites.contains(site))
    }

    fn add(&mut self, other: &Assigned) {
        let elsewhere = |one: &Assigned| one.sites.len() > one.in_initialisers;
        self.varies |= other.varies || (elsewhere(self) && elsewhere(other) && self.constant != other.constant);
        self.constant = self.constant.take().or_else(|| other.constant.clone());
        self.in_initialisers += other.in_initialisers;
        self.sites.extend(other.sites.iter().copied());
    }
}

/// How many instructions are told apart that assign a field.
const SITES: usize = 24;

/// What the code says.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By the name, and the namespace if an instruction names one alone.
    assigned: HashMap<(Name, Option<Space>), Assigned>,
    /// The methods that may have to do with shaders.
    relevant: HashSet<MethodId>,
    /// Those of them that have shader text themselves, or call something that takes it.
    seeds: HashSet<MethodId>,
    /// The methods at whose conditions paths part.
    forks: HashSet<MethodId>,
    /// The methods in which functions are written.
    pub(crate) around: HashMap<MethodId, MethodId>,
    /// Where strings that read as shader text are used.
    pub(crate) uses: Vec<(Name, MethodId, u32)>,
    use_sites: HashSet<(MethodId, u32)>,
    /// Where code changes what fields hold.
    changes: Changes,
    /// The names of classes of which objects may be made: those that are constructed by name, or are values.
    made: HashSet<Name>,
    /// Methods with the constants of an assembler.
    pub(crate) assembles: HashSet<MethodId>,
}

/// An instruction that assigns a field, with the constant that it assigns.
struct Assignment {
    site: (MethodId, u32),
    constant: Option<Name>,
}

/// What one method's code says.
#[derive(Default)]
struct Seen {
    calls: BTreeSet<Name>,
    is_agal: bool,
    has_words: bool,
    length: usize,
}

/// So many methods may have a name for it to tell something of all its callers.
const FEW: usize = 4;
/// Of more methods of one name, one in so many has to do with shaders.
const SHARE: usize = 4;

/// Names of calls that take shaders.
const SINKS: [&str; 9] = [
    "assemble",
    "assemble2",
    "fromSource",
    "assembleAgal",
    "upload",
    "registerProgram",
    "registerProgramFromSource",
    "compileFromArray",
    "compileFromString",
];

impl Index {
    pub(crate) fn new(world: &World) -> Index {
        let mut index = Index::default();
        let mut seen: Vec<(MethodId, Seen)> = Vec::new();
        let initialisers: HashSet<MethodId> = world
            .classes
            .iter()
            .flat_map(|class| [class.constructor, class.initialiser])
            .chain((0u32..).zip(&world.units).flat_map(|(unit, found)| {
                found.abc.scripts.iter().map(move |script| MethodId { unit, method: script.init_method.0 })
            }))
            .collect();
        for id in world.methods() {
            let Some(unit) = world.unit(id.unit) else { continue };
            let Some(body) = unit.body(id.method) else { continue };
            let code = Code::decode(body);
            index.changes.read(unit, id, &code);
            seen.push((id, index.read(unit, id, &code, initialisers.contains(&id))));
        }
        index.spread(world, &seen);
        index
    }

    fn read(&mut self, unit: &Unit, id: MethodId, code: &Code, is_initialiser: bool) -> Seen {
        let mut seen = Seen { length: code.instructions.len(), ..Seen::default() };
        let mut constant: Option<Name> = None;
        let mut stages = (false, 0);
        for (at, instruction) in code.instructions.iter().enumerate() {
            self.note_made(unit, &instruction.op, code.instructions.get(at + 1).map(|next| &next.op));
            match &instruction.op {
                Op::PushString { value } => {
                    let text = unit.string(value);
                    let kind = agalish::constant(text);
                    seen.is_agal |= kind == agalish::Constant::Code;
                    seen.has_words |= kind != agalish::Constant::Other;
                    stages.0 |= matches!(&**text, "fragment" | "vertex");
                    stages.1 += u32::from(matches!(&**text, "mov" | "m44" | "m34" | "tex" | "dp3" | "kil" | "sge"));
                    if kind == agalish::Constant::Code {
                        self.uses.push((text.clone(), id, instruction.at));
                        self.use_sites.insert((id, instruction.at));
                    }
                    constant = Some(text.clone());
                    continue;
                }
                Op::CoerceS | Op::CoerceA | Op::ConvertS | Op::Coerce { .. } => continue,
                Op::SetProperty { index } | Op::InitProperty { index } => {
                    let one = Assignment { site: (id, instruction.at), constant: constant.take() };
                    self.assign(unit, index, is_initialiser, one);
                }
                Op::NewFunction { index } => {
                    let function = MethodId { unit: id.unit, method: index.0 };
                    self.around.insert(function, id);
                }
                op => {
                    if let Some(index) = called(op) {
                        seen.calls.extend(unit.multi_at(index).and_then(|multi| multi.name.clone()));
                    }
                }
            }
            constant = None;
        }
        if stages.1 >= 5 {
            self.assembles.insert(id);
        }
        seen
    }

    /// Notes the class of which an instruction may make objects.
    fn note_made(&mut self, unit: &Unit, op: &Op, next: Option<&Op>) {
        let name = |index| unit.multi_at(index).and_then(|multi| multi.name.clone());
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

    /// Whether the inputs make objects of a class with this name.
    pub(crate) fn is_made(&self, name: &str) -> bool {
        self.made.contains(name)
    }

    fn assign(&mut self, unit: &Unit, index: &At<Multiname>, is_initialiser: bool, one: Assignment) {
        let Some(multi) = unit.multi_at(index) else { return };
        let Some(name) = multi.name.clone() else { return };
        let space = if let [space] = *multi.spaces { Some(space) } else { None };
        let assigned = self.assigned.entry((name, space)).or_default();
        if assigned.sites.len() >= SITES {
            assigned.varies = true;
            return;
        }
        let mut new = Assigned { sites: vec![one.site], ..Assigned::default() };
        if is_initialiser {
            new.in_initialisers = 1;
        } else {
            new.varies = one.constant.is_none();
            new.constant = one.constant;
        }
        assigned.add(&new);
    }

    /// How a field is assigned.
    pub(crate) fn assigned(&self, name: &Name, space: Space) -> Assigned {
        let mut all = Assigned::default();
        for key in [(name.clone(), Some(space)), (name.clone(), None)] {
            if let Some(one) = self.assigned.get(&key) {
                all.add(one);
            }
        }
        all
    }

    /// Opens an array, or an object without a class, that a field holds and that other instructions than these change.
    pub(crate) fn open(&self, object: &mut Object, name: &Name, space: Space, sites: &HashSet<(MethodId, u32)>) {
        let is_array = match object.kind {
            ObjectKind::Array(_) => true,
            // An empty one is a store of what was made before: what is not in it is made again.
            ObjectKind::Plain if object.class.is_none() && !object.fields.is_empty() => false,
            _ => return,
        };
        let done = self.changes.of(name, space, is_array, sites);
        object.is_open |= done != Done::Nothing;
        if done == Done::Changed {
            object.fields.clear();
            object.order.clear();
            if let ObjectKind::Array(elements) = &mut object.kind {
                elements.clear();
            }
        }
    }

    /// Finds the methods that call those with shader text, however far.
    fn spread(&mut self, world: &World, seen: &[(MethodId, Seen)]) {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (_, seen)) in seen.iter().enumerate() {
            for name in &seen.calls {
                named.entry(name).or_default().push(at);
            }
        }
        let names: Vec<Name> = seen.iter().map(|(id, _)| called_name(world, *id)).collect();
        let mut defined: HashMap<&str, (usize, usize)> = HashMap::new();
        for name in &names {
            defined.entry(name).or_default().0 += 1;
        }
        let sinks = seen
            .iter()
            .enumerate()
            .filter(|(_, (_, seen))| seen.is_agal || seen.calls.iter().any(|name| SINKS.contains(&&**name)));
        let mut open: Vec<usize> = sinks.map(|(at, _)| at).collect();
        self.seeds.extend(open.iter().filter_map(|at| seen.get(*at)).map(|(id, _)| *id));
        let mut found: HashSet<usize> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            let Some(name) = names.get(at) else { continue };
            let Some((all, relevant)) = defined.get_mut(&**name) else { continue };
            *relevant += 1;
            // A name that many other methods have, such as `render`, tells nothing of its callers.
            if *all > FEW && relevant.saturating_mul(SHARE) < *all {
                continue;
            }
            for caller in named.get(&**name).into_iter().flatten() {
                if found.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
        for (at, (id, one)) in seen.iter().enumerate() {
            if found.contains(&at) {
                self.relevant.insert(*id);
            }
            let method = world.unit(id.unit).and_then(|unit| Some((unit, unit.method(id.method)?)));
            let returns = method.map(|(unit, method)| unit.multi(&method.return_type)).unwrap_or_default();
            // A function that calls itself writes data of any depth, and is not about shaders.
            let name = world.label(*id).1;
            let gives_text = returns.text() == "String" && !one.calls.contains(&name) && one.length < 400;
            let is_short = one.length < 60 && !matches!(returns.text(), "void" | "");
            if found.contains(&at) || one.has_words || gives_text || is_short {
                self.forks.insert(*id);
            }
        }
        // A function in a function is as relevant as the one around it.
        let around: Vec<(MethodId, MethodId)> = self.around.iter().map(|(one, two)| (*one, *two)).collect();
        for (inner, outer) in around {
            if self.relevant.contains(&inner) {
                self.relevant.insert(outer);
                self.forks.insert(outer);
            }
        }
    }

    /// Whether a method has shader text itself, or calls something that takes it.
    pub(crate) fn is_seed(&self, method: MethodId) -> bool {
        self.seeds.contains(&method)
    }

    /// Whether a string constant is listed in `uses`.
    pub(crate) fn is_used(&self, site: &(MethodId, u32)) -> bool {
        self.use_sites.contains(site)
    }

    pub(crate) fn is_relevant(&self, method: MethodId) -> bool {
        self.relevant.contains(&method)
    }

    /// Whether paths part at a method's conditions. Elsewhere a call gives an unknown value where a condition is unknown.
    pub(crate) fn forks(&self, method: MethodId) -> bool {
        self.forks.contains(&method)
    }
}

/// The name by which a method is called: a constructor by that of its class.
fn called_name(world: &World, method: MethodId) -> Name {
    let (class, name) = world.label(method);
    match class.and_then(|class| world.class(class)) {
        Some(class) if &*name == "new" => crate::avm::names::short(&class.name).into(),
        _ => name,
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
