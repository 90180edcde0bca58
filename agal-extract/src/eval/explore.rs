//! Selects the paths to run from an entry point, so that each unknown condition is tried with all its alternatives.
//!
//! Alternatives that no path has taken yet are tried first, so that all code is reached before combinations are tried. Paths that
//! diverge at a condition that matters come next. A condition matters if another of its alternatives has produced new results.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::avm::types::Type;
use crate::avm::world::MethodId;
use crate::eval::event::{Event, What, simplify};
use crate::eval::expr::Expr;
use crate::eval::machine::{Decision, Run, Stop};
use crate::eval::setup::Shared;
use crate::eval::value::{Object, Value};
use crate::model::Alternative;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// Some combinations of conditions were not tried.
    Combinations,
    /// A path was stopped at a limit on instructions, conditions, nested calls or string length, so later results of the path are
    /// missing.
    Rest,
    /// A loop with an unknown number of iterations was not run to its end.
    Rounds,
    /// All further paths were skipped, because the instruction budget for all entry points is used up.
    Everything,
}

/// A waiting path. `prefix` contains the first decisions of the path.
struct Open {
    prefix: Rc<[u16]>,
    /// The last decision in `prefix`: its method, its code offset, and the alternative taken.
    last: Option<(MethodId, u32, u16)>,
}

/// The number of paths without results after which the exploration of a method ends. A method that itself contains shader source
/// or calls an assembler still tries new alternatives.
const TRIED: usize = 24;

/// The maximum number of paths run for a method whose results are only strings that no call receives.
const PIECES: usize = 16;

/// The maximum factor by which a method's path limit is raised if `this` may have several classes.
const RECEIVERS: usize = 16;

/// The number of alternatives without new results after which a condition counts as irrelevant.
const FLIPS: u32 = 4;

/// The cost, in steps, of comparing a condition with one earlier condition of the path.
const COMPARED: usize = 32;

const WAITING: usize = 4_096;

/// The instructions that push string constants, given as methods and code offsets.
pub(crate) type Constants = HashSet<(MethodId, u32)>;

/// Runs the paths of an entry point within the limits. `report` receives each path's events and string constants, and returns
/// whether any event is new.
pub(crate) fn explore(
    shared: &mut Shared<'_>,
    method: MethodId,
    mut report: impl FnMut(Vec<Event>, &Constants) -> bool,
) -> Left {
    shared.covered.clear();
    let mut waiting = VecDeque::from([Open { prefix: Rc::new([]), last: None }]);
    let (mut paths, mut idle, mut any, mut any_new, mut dropped) = (0, 0, false, false, false);
    let mut has_programs = false;
    let classes = shared.receivers(method).len().clamp(1, RECEIVERS);
    let mut left_of_entry = shared.limits.entry_steps.saturating_mul(u64::try_from(classes.min(8)).unwrap_or(1));
    let mut left = Left::Nothing;
    let mut flips: HashMap<(MethodId, u32), Flips> = HashMap::new();
    let left = loop {
        let Some((open, interest)) = next(&mut waiting, shared, &flips) else {
            break if dropped && any && left == Left::Nothing { Left::Combinations } else { left };
        };
        let is_new = interest == Interest::New;
        let is_seed = shared.index.about(method).distance == Some(0);
        let patience = match interest {
            _ if !any => TRIED,
            Interest::New | Interest::Matters => shared.limits.idle_paths.saturating_mul(2 * classes.min(4)),
            Interest::Unknown => shared.limits.idle_paths.saturating_mul(classes.min(4)),
            Interest::Barren => shared.limits.idle_paths / 4,
        };
        let is_idle = !is_new && idle >= patience || (!any && !is_seed && (!is_new || paths >= TRIED));
        // A method that has found only parts of programs is run on fewer paths.
        let most = if any && !has_programs { PIECES } else { shared.limits.paths.saturating_mul(classes) };
        if paths >= most || left_of_entry == 0 || is_idle {
            break if any { Left::Combinations } else { left };
        }
        if shared.steps == 0 {
            break Left::Everything;
        }
        let most = if is_seed || any { shared.limits.path_steps } else { shared.limits.path_steps / 4 };
        let given = most.min(left_of_entry).min(shared.steps);
        let mut run = Run::new(shared, open.prefix.clone(), given);
        let ended = run.enter(method);
        let Run { trail, events, pushed, read, has_more_rounds, was_cut, steps: unused, .. } = run;
        let used = given.saturating_sub(unused).max(1);
        match ended {
            Err(Stop::Limit) if is_seed || !events.is_empty() => left = Left::Rest,
            _ if was_cut && !events.is_empty() => left = Left::Rest,
            _ if has_more_rounds && !events.is_empty() && left == Left::Nothing => left = Left::Rounds,
            _ => {}
        }
        has_programs |= events.iter().any(|event| !matches!(event.what, What::Text { .. }));
        if events.iter().any(|event| matches!(event.what, What::Program { .. })) {
            shared.consumed.extend(&pushed);
            shared.consumed_fields.extend(read);
        }
        left_of_entry = left_of_entry.saturating_sub(used);
        shared.steps = shared.steps.saturating_sub(used);
        paths += 1;
        any |= !events.is_empty();
        let has_found = report(events, &pushed);
        idle = if has_found { 0 } else { idle + 1 };
        any_new |= has_found;
        if let Some((method, at, _)) = open.last {
            let flipped = flips.entry((method, at)).or_default();
            flipped.matters |= has_found;
            flipped.count += 1;
        }
        let mut others = other_ways(&trail, open.prefix.len()).map(|(prefix, last)| Open { prefix, last: Some(last) });
        waiting.extend(others.by_ref().take(WAITING.saturating_sub(waiting.len())));
        dropped |= others.next().is_some();
    };
    // For a method without new results of its own, missing combinations and iterations are not reported.
    if !any_new && matches!(left, Left::Combinations | Left::Rounds) { Left::Nothing } else { left }
}

/// Returns the alternatives that a path did not take after its first `known` decisions. Each item contains all decisions of a new
/// path, and the method, code offset and alternative of the last decision.
pub(crate) fn other_ways(trail: &[Decision], known: usize) -> impl Iterator<Item = (Rc<[u16]>, (MethodId, u32, u16))> {
    trail.iter().enumerate().skip(known).flat_map(move |(at, decision)| {
        let ways = (0..decision.count).filter(|way| *way != decision.taken);
        ways.map(move |way| {
            let before = trail.iter().take(at).map(|decision| decision.taken);
            (before.chain([way]).collect(), (decision.method, decision.at, way))
        })
    })
}

/// The number of alternatives tried at a condition, and whether any of them produced new results.
#[derive(Clone, Copy, Debug, Default)]
struct Flips {
    count: u32,
    matters: bool,
}

/// The priority of a waiting path. The highest priority comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Interest {
    /// The path takes an alternative that no path has taken yet.
    New,
    /// The path diverges from an earlier path at a condition where other alternatives have produced new results.
    Matters,
    /// Too few alternatives of the path's last condition have been tried to judge whether the condition matters.
    Unknown,
    /// Other alternatives of the path's last condition have produced no new results.
    Barren,
}

/// Removes the waiting path with the highest priority from the queue and returns it. Among paths with equal priority, the oldest
/// is returned.
fn next(
    waiting: &mut VecDeque<Open>,
    shared: &Shared<'_>,
    flips: &HashMap<(MethodId, u32), Flips>,
) -> Option<(Open, Interest)> {
    let interest = |open: &Open| {
        let Some(last) = open.last else { return Interest::New };
        match flips.get(&(last.0, last.1)).copied().unwrap_or_default() {
            _ if !shared.covered.contains(&last) => Interest::New,
            Flips { matters: true, .. } => Interest::Matters,
            Flips { count, .. } if count < FLIPS => Interest::Unknown,
            Flips { .. } => Interest::Barren,
        }
    };
    let (at, most) = waiting.iter().map(interest).enumerate().min_by_key(|(_, interest)| *interest)?;
    Some((waiting.remove(at)?, most))
}

impl Run<'_, '_> {
    /// Chooses one of `count` alternatives at the current instruction, and records the decision.
    fn choose(&mut self, count: u16) -> Result<u16, Stop> {
        let (method, at) = self.site();
        let taken = match self.prefix.get(self.trail.len()) {
            Some(taken) => *taken,
            None => {
                // During the setup, paths fork only in constructors.
                let is_constructor = || self.class().is_some_and(|class| class.constructor == method);
                let may_fork = if self.is_setup { self.is_construction && is_constructor() } else { self.may_fork() };
                if !may_fork {
                    return Err(Stop::Abandoned);
                }
                if self.trail.len() >= self.shared.limits.conditions {
                    return Err(Stop::Limit);
                }
                (0..count).find(|way| !self.shared.covered.contains(&(method, at, *way))).unwrap_or(0)
            }
        };
        self.shared.covered.insert((method, at, taken));
        self.trail.push(Decision { method, at, count, taken });
        Ok(taken)
    }

    /// Chooses one of several named alternatives, and returns its index. If there is only one alternative, no decision is
    /// recorded.
    pub(crate) fn choose_named(&mut self, condition: Expr, ways: &[Alternative]) -> Result<usize, Stop> {
        if ways.len() == 1 {
            return Ok(0);
        }
        let taken = usize::from(self.choose(u16::try_from(ways.len()).map_err(|_| Stop::Limit)?)?);
        self.conditions.push((condition, ways.get(taken).ok_or(Stop::Broken)?.clone()));
        Ok(taken)
    }

    /// Records that a condition is true or false for the rest of the path.
    pub(crate) fn assume(&mut self, condition: &Expr, holds: bool) {
        self.facts.assume(condition, holds);
        self.conditions.push(simplify(condition, holds));
    }

    /// Decides whether a condition is true on this path. If the known facts do not determine the answer, the path chooses one.
    pub(crate) fn decide(&mut self, condition: &Expr) -> Result<bool, Stop> {
        // The cost grows with the number of earlier conditions, because the condition is compared with all of them.
        self.spend(self.facts.len().saturating_mul(COMPARED))?;
        if let Some(known) = self.facts.decided(condition) {
            return Ok(known);
        }
        let holds = self.choose(2)? == 0;
        self.assume(condition, holds);
        Ok(holds)
    }

    /// Runs an entry point with unknown arguments. The path then runs the nested functions that were not called, and the methods
    /// that upload the values stored in objects on the path.
    fn enter(&mut self, method: MethodId) -> Result<(), Stop> {
        let this = self.receiver(method)?;
        let result = self.invoke(method, this.clone(), self.symbolic_arguments(method)).map(drop);
        for _ in 0..64 {
            let Some(function) = self.uncalled.pop() else { break };
            if self.called.contains(&function.method) {
                continue;
            }
            self.frames.clear();
            let this = function.this.clone().unwrap_or(Value::Undefined);
            self.run(&function, this, self.symbolic_arguments(function.method))?;
        }
        result.and_then(|()| self.live_on(&this))
    }

    /// Returns the value of `this` for an entry point.
    fn receiver(&mut self, method: MethodId) -> Result<Value, Stop> {
        let world = self.world;
        let Some(home) = world.home(method) else { return Ok(Value::Undefined) };
        let Some(class) = home.class else {
            return Ok(self.shared.script_of(method).map_or(Value::Undefined, Value::Object));
        };
        if home.is_static {
            return Ok(Value::Class(class));
        }
        if world.class(class).is_some_and(|class| class.constructor == method) {
            return self.make(Object { class: Some(class), ..Object::default() });
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
