//! Which paths are run: every method is an entry point, and each condition that is not known is tried both ways.
//!
//! Ways that no path has taken yet come first, so that every line of code is reached before combinations are tried. After those
//! come the ways at conditions that matter: where another way has led to something new before.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::avm::types::Type;
use crate::avm::world::{MethodId, World};
use crate::eval::event::{Event, What};
use crate::eval::expr::Expr;
use crate::eval::machine::{Run, Stop};
use crate::eval::setup::Shared;
use crate::eval::value::{Object, ObjectKind, Value};

/// What was left out at an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// More combinations of conditions.
    Combinations,
    /// What a path would have made after a limit that it reached: of instructions, of conditions, of calls in calls, or of the
    /// length of a text.
    Rest,
    /// Further rounds of a loop whose number of rounds is not known.
    Rounds,
    /// The instructions of all entry points are used up.
    Everything,
}

/// A path that is to be run: the ways that it takes first.
struct Open {
    prefix: Rc<[u16]>,
    /// The place of the last of them.
    last: Option<(MethodId, u32, u16)>,
}

/// How many paths of a method are tried before it is left if none found anything.
const TRIED: usize = 24;

/// A method that objects of several classes have may have so many times the paths of another one.
const RECEIVERS: usize = 16;

/// How often another way is taken at a condition before it counts as one that does not matter.
const FLIPS: u32 = 4;

/// The most paths that wait.
const WAITING: usize = 4_096;

/// The places of string constants.
pub(crate) type Constants = HashSet<(MethodId, u32)>;

/// Runs all paths of an entry point and gives what each of them found to `found`, with the string constants that it met. That says whether
/// anything is new.
pub(crate) fn explore(
    shared: &mut Shared<'_>,
    method: MethodId,
    steps: &mut u64,
    mut found: impl FnMut(Vec<Event>, &Constants) -> bool,
) -> Left {
    let (mut any_new, mut is_cut) = (false, false);
    let left = run_paths(shared, method, steps, &mut is_cut, |events, constants| {
        let is_new = found(events, constants);
        any_new |= is_new;
        is_new
    });
    let called = std::mem::take(&mut shared.called);
    let is_done = !is_cut && matches!(left, Left::Nothing | Left::Rounds);
    let list = if is_done { &mut shared.done } else { &mut shared.undone };
    list.extend(called);
    // What is left of a method that calls others, and makes nothing that they do not make by themselves, is not worth telling.
    if !any_new && matches!(left, Left::Combinations | Left::Rounds) { Left::Nothing } else { left }
}

/// The same. `is_cut` becomes whether a path reached a limit, and so may not have run all that it calls.
fn run_paths(
    shared: &mut Shared<'_>,
    method: MethodId,
    steps: &mut u64,
    is_cut: &mut bool,
    mut found: impl FnMut(Vec<Event>, &Constants) -> bool,
) -> Left {
    shared.covered.clear();
    let mut waiting = VecDeque::from([Open { prefix: Rc::new([]), last: None }]);
    let mut left_of_entry = shared.limits.entry_steps;
    let (mut paths, mut idle, mut any, mut dropped) = (0, 0, false, false);
    let classes = shared.receivers(method).len().clamp(1, RECEIVERS);
    let mut left = Left::Nothing;
    // How often another way was taken at a condition without finding anything, until one did.
    let mut barren: HashMap<(MethodId, u32), u32> = HashMap::new();
    while let Some(open) = next(&mut waiting, shared, &barren) {
        let is_new = open.last.is_none_or(|last| !shared.covered.contains(&last));
        let is_seed = shared.index.is_seed(method);
        let patience = if any { shared.limits.idle_paths * classes.min(4) } else { TRIED };
        let is_idle = !is_new && idle >= patience || (!any && !is_seed && (!is_new || paths >= TRIED));
        if paths >= shared.limits.paths * classes || left_of_entry == 0 || is_idle {
            return if any { Left::Combinations } else { left };
        }
        if *steps == 0 {
            return Left::Everything;
        }
        let most = if is_seed || any { shared.limits.path_steps } else { shared.limits.path_steps / 4 };
        let given = most.min(left_of_entry).min(*steps);
        let mut run = Run::new(shared, open.prefix.clone(), given);
        let ended = run.enter(method);
        let used = given.saturating_sub(run.steps).max(1);
        let (trail, events) = (std::mem::take(&mut run.trail), std::mem::take(&mut run.events));
        let pushed = std::mem::take(&mut run.pushed);
        let read = std::mem::take(&mut run.read);
        let (has_more_rounds, is_too_deep) = (run.has_more_rounds, run.is_too_deep);
        drop(run);
        *is_cut |= matches!(ended, Err(Stop::Limit));
        match ended {
            Err(Stop::Limit) if is_seed || !events.is_empty() => left = Left::Rest,
            _ if is_too_deep && !events.is_empty() => left = Left::Rest,
            _ if has_more_rounds && !events.is_empty() && left == Left::Nothing => left = Left::Rounds,
            _ => {}
        }
        if events.iter().any(|event| matches!(event.what, What::Program { .. })) {
            shared.consumed.extend(&pushed);
            shared.consumed_fields.extend(read);
        }
        left_of_entry = left_of_entry.saturating_sub(used);
        *steps = steps.saturating_sub(used);
        paths += 1;
        any |= !events.is_empty();
        let flips = open.last.map(|(method, at, _)| barren.entry((method, at)).or_default());
        if found(events, &pushed) {
            idle = 0;
            flips.into_iter().for_each(|flips| *flips = 0);
        } else {
            idle += 1;
            flips.into_iter().for_each(|flips| *flips += 1);
        }
        let taken: Vec<u16> = trail.iter().map(|decision| decision.taken).collect();
        for (at, decision) in trail.iter().enumerate().skip(open.prefix.len()) {
            for way in (0..decision.count).filter(|way| *way != decision.taken) {
                if waiting.len() >= WAITING {
                    dropped = true;
                } else {
                    let before = taken.get(..at).unwrap_or_default().iter().copied();
                    let prefix = before.chain([way]).collect();
                    waiting.push_back(Open { prefix, last: Some((decision.method, decision.at, way)) });
                }
            }
        }
    }
    if dropped && any && left == Left::Nothing { Left::Combinations } else { left }
}

/// The next path: one with a way that none has taken, or else the oldest that parts at a condition that matters, or the oldest.
fn next(waiting: &mut VecDeque<Open>, shared: &Shared<'_>, barren: &HashMap<(MethodId, u32), u32>) -> Option<Open> {
    let is_new = |open: &Open| open.last.is_none_or(|last| !shared.covered.contains(&last));
    let matters = |open: &Open| {
        open.last.is_none_or(|(method, at, _)| barren.get(&(method, at)).is_none_or(|flips| *flips < FLIPS))
    };
    let at = waiting.iter().position(is_new).or_else(|| waiting.iter().position(matters)).unwrap_or_default();
    waiting.remove(at)
}

/// The entry points, in order: those that are nearest to shader text first, and private methods last, since those that others call need
/// not be run by themselves.
pub(crate) fn entries(world: &World, shared: &Shared<'_>) -> Vec<MethodId> {
    let all: Vec<MethodId> = world.methods().collect();
    let inner: HashSet<&MethodId> = shared.index.around.keys().collect();
    let mut entries: Vec<MethodId> = all
        .into_iter()
        .filter(|method| shared.index.is_relevant(*method))
        .filter(|method| world.home(*method).is_some() || !inner.contains(method))
        .collect();
    entries.sort_by_key(|method| (is_private(world, *method), shared.index.distance(*method)));
    entries
}

/// Whether a method was run with all arguments that it gets: a private one that was called, and by none of whose callers anything
/// was left out.
pub(crate) fn is_done(world: &World, shared: &Shared<'_>, method: MethodId) -> bool {
    is_private(world, method) && shared.done.contains(&method) && !shared.undone.contains(&method)
}

fn is_private(world: &World, method: MethodId) -> bool {
    world.home(method).is_some_and(|home| home.is_private)
}

impl Run<'_, '_> {
    /// Runs an entry point with unknown arguments, and then the functions in it that nobody called.
    fn enter(&mut self, method: MethodId) -> Result<(), Stop> {
        let scope: Rc<[Value]> = Rc::new([]);
        let this = self.receiver(method)?;
        let arguments = self.symbolic_arguments(method);
        let result = self.invoke(method, this, arguments, &scope).map(|_| ());
        for _ in 0..64 {
            let Some(function) = self.uncalled.pop() else { break };
            if self.called.contains(&function.method) {
                continue;
            }
            self.frames.clear();
            let arguments = self.symbolic_arguments(function.method);
            let this = function.this.clone().unwrap_or(Value::Undefined);
            self.invoke(function.method, this, arguments, &function.scope)?;
        }
        result
    }

    /// The object whose method is an entry point.
    fn receiver(&mut self, method: MethodId) -> Result<Value, Stop> {
        let world = self.world;
        let Some(home) = world.home(method) else { return Ok(Value::Undefined) };
        let Some(class) = home.class else {
            return Ok(self.shared.script_of(method).map_or(Value::Undefined, Value::Object));
        };
        if home.is_static {
            return Ok(Value::Class(class));
        }
        let is_constructor = world.class(class).is_some_and(|class| class.constructor == method);
        if is_constructor {
            let mut object = Object::new(ObjectKind::Plain);
            object.class = Some(class);
            return self.make(object);
        }
        let candidates = self.shared.receivers(method);
        let expr = Expr::leaf("this", 0, Type::Class(class));
        let at = self.object_of(&expr);
        if let [only] = *candidates {
            self.object_mut(at)?.class = Some(only);
        }
        if !candidates.is_empty() {
            self.facts.set_classes(&expr, candidates);
        }
        Ok(Value::Object(at))
    }
}
