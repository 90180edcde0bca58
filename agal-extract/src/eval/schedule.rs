//! Selects entry points, so that interpretation begins where programs are assembled or uploaded.
//!
//! A method that calls an assembler or upload function is run with unknown arguments. The method's results are held back if they
//! depend on the arguments, or on values that other code has stored in the method's object. The method's callers, or the methods
//! that construct the method's class, become further entry points. Results that are held back are reported only if the method has
//! no results when other entry points call it. Methods with shader source that is part of no program are run last.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::avm::names::short;
use crate::avm::world::{ClassId, MethodId};
use crate::collect::Collection;
use crate::eval::event::{Event, What};
use crate::eval::explore::{Constants, Left, explore};
use crate::eval::expr::{Expr, Kind};
use crate::eval::index::called_name;
use crate::eval::setup::{Shared, parameter_number};
use crate::model::Progress;

/// Results of an entry point that are held back because they depend on the entry point's callers.
struct Held {
    method: MethodId,
    /// The class of the entry point's `this`, or `None` if the class is unknown.
    class: Option<ClassId>,
    events: Vec<Event>,
    constants: Constants,
}

/// The maximum number of paths for each entry point whose results are held back.
const HELD: usize = 64;

/// The entry points waiting to be run, and the records of the entry points already run.
#[derive(Default)]
struct Queue {
    open: VecDeque<MethodId>,
    seen: HashSet<MethodId>,
    held: Vec<Held>,
    /// The entry points whose results may be incomplete, and the kind of results that may be missing.
    left: Vec<(MethodId, Left)>,
}

impl Queue {
    fn push(&mut self, method: MethodId) {
        if self.seen.insert(method) {
            self.open.push_back(method);
        }
    }
}

/// Runs the entry points. Returns each entry point whose results may be incomplete, with a flag that is set if the entry point
/// had results when other entry points called it.
pub(crate) fn schedule(
    shared: &mut Shared<'_>,
    collection: &mut Collection,
    progress: Progress<'_>,
) -> Vec<(MethodId, Left, bool)> {
    let mut queue = Queue::default();
    for sink in shared.index.sinks.clone() {
        let method = shared.outermost(sink);
        if !is_of_assembler(shared, method) {
            queue.push(method);
        }
    }
    run(shared, collection, progress, &mut queue);
    for site in shared.index.uses.keys().copied().collect::<Vec<(MethodId, u32)>>() {
        let method = shared.outermost(site.0);
        if !shared.consumed.contains(&site) && !is_of_assembler(shared, method) {
            queue.push(method);
        }
    }
    run(shared, collection, progress, &mut queue);
    let yielding: HashSet<MethodId> = shared.yielded.iter().map(|(method, _)| *method).collect();
    let Queue { held, left, .. } = queue;
    for one in held {
        let is_found = match one.class {
            Some(_) => shared.yielded.contains(&(one.method, one.class)),
            None => yielding.contains(&one.method),
        };
        if !is_found {
            collection.add(one.events, &one.constants);
        }
    }
    left.into_iter().map(|(method, left)| (method, left, yielding.contains(&method))).collect()
}

/// Reports whether a method belongs to an assembler, whose code contains the names of opcodes and registers.
fn is_of_assembler(shared: &mut Shared<'_>, method: MethodId) -> bool {
    shared.class_around(method).is_some_and(|class| shared.assembler(class).is_some())
}

/// Runs the entry points in the queue, and adds the callers on which their results depend.
fn run(shared: &mut Shared<'_>, collection: &mut Collection, progress: Progress<'_>, queue: &mut Queue) {
    while let Some(method) = queue.open.pop_front() {
        progress(queue.seen.len().saturating_sub(queue.open.len() + 1), queue.seen.len());
        let (mut by_caller, mut by_maker, mut any) = (false, false, false);
        let mut held: Vec<Held> = Vec::new();
        let mut known: HashSet<u64> = HashSet::new();
        let number = parameter_number(method);
        let ended = explore(shared, method, |events, constants| {
            any |= !events.is_empty();
            let (on_caller, on_object) = depends(&events, number);
            if !(on_caller || on_object) {
                return collection.add(events, constants);
            }
            by_caller |= on_caller;
            by_maker |= on_object;
            let is_new = known.insert(signature(&events));
            if is_new && held.len() < HELD {
                let own = events.iter().find(|event| event.place.method == method);
                let class = own.and_then(|event| event.place.class);
                held.push(Held { method, class, events, constants: constants.clone() });
            }
            is_new
        });
        if ended != Left::Nothing {
            queue.left.push((method, ended));
        }
        if ended == Left::Everything {
            return;
        }
        queue.held.append(&mut held);
        let world = shared.world;
        let overrides = |caller: MethodId| {
            let (Some(one), Some(other)) = (world.home(method), world.home(caller)) else { return false };
            let classes = one.class.zip(other.class).filter(|_| one.name == other.name);
            classes.is_some_and(|(one, other)| one != other && world.is_below(other, one))
        };
        // A caller that overrides the method may set fields before it calls the overridden method.
        for caller in shared.index.callers(&called_name(world, method)) {
            let caller = shared.outermost(*caller);
            if by_caller || any && overrides(caller) {
                queue.push(caller);
            }
        }
        let class = world.home(method).and_then(|home| home.class).filter(|_| by_maker);
        for class in class.map(|class| shared.family(class)).iter().flat_map(|family| family.iter()) {
            let Some(class) = world.class(*class) else { continue };
            shared.index.callers(short(&class.name)).iter().for_each(|maker| queue.push(shared.outermost(*maker)));
            shared.waiting.insert(method);
        }
    }
}

/// Reports whether a path's results depend on the entry point's arguments, and whether they depend on values stored in the entry
/// point's `this`. `number` identifies the entry point's parameters.
fn depends(events: &[Event], number: u32) -> (bool, bool) {
    let (mut on_caller, mut on_object) = (false, false);
    let mut seen: HashSet<Expr> = HashSet::new();
    let mut open: Vec<&Expr> = Vec::new();
    for event in events {
        match &event.what {
            What::Program { text, .. } | What::Text { text } => open.extend(text.holes()),
            What::Unknown { of } => open.extend(of.iter()),
            What::Bytes { .. } | What::Pair { .. } => {}
        }
    }
    while let Some(expr) = open.pop() {
        if !seen.insert(expr.clone()) {
            continue;
        }
        match expr.kind() {
            Kind::Leaf(name, 0) if &**name == "this" => on_object = true,
            Kind::Leaf(_, of) => on_caller |= *of == number,
            kind => kind.operands(&mut |operand| open.push(operand)),
        }
    }
    (on_caller, on_object)
}

fn signature(events: &[Event]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for event in events {
        match &event.what {
            What::Program { text, .. } | What::Text { text } => text.hash(&mut hasher),
            What::Bytes { bytes, .. } => bytes.hash(&mut hasher),
            What::Unknown { .. } | What::Pair { .. } => {}
        }
    }
    hasher.finish()
}
