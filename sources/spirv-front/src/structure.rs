//! The structured control flow of a function: its basic blocks as nested statements.
//!
//! The merge instructions of SPIR-V state where each selection and each loop ends (the specification, "Structured Control Flow"). A block
//! to which several branches lead without a merge instruction, such as a case that another falls through to, is repeated for each.

use std::collections::{BTreeMap, BTreeSet};

use crate::accepted::End;
use crate::module::{Block, Function, Merge};
use crate::words::malformed;
use sdlbc::front::RefusalKind;

/// A reason to refuse a function, and the offset of the word where the fault lies.
pub(crate) type Fault = (RefusalKind, usize);

/// The maximum number of blocks and instructions that are lifted from a function, counting repeated blocks each time.
const MOST_LIFTED: usize = 1_000_000;
/// The maximum nesting depth of statements.
const MOST_DEPTH: usize = 100;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// The instructions of a block.
    Code(usize),
    /// The values that the PHIs of the second block have if control comes from the first.
    Edge(usize, usize),
    If {
        condition: u32,
        accept: Vec<Stmt>,
        reject: Vec<Stmt>,
    },
    /// A loop, by its header. `continuing` runs after each iteration.
    Loop {
        header: usize,
        body: Vec<Stmt>,
        continuing: Vec<Stmt>,
    },
    /// A switch, by the block that ends with it.
    Switch {
        header: usize,
        selector: u32,
        cases: Vec<Case>,
    },
    Jump(Target),
    /// A return with the id of its value, which is 0 if there is none.
    Return(u32),
    /// The end of a fragment's invocation.
    Kill,
    /// A point that is never reached.
    Unreachable,
}

/// A case of a switch.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) values: Vec<u32>,
    pub(crate) is_default: bool,
    pub(crate) body: Vec<Stmt>,
}

/// The destination of a jump: a loop or a switch, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The code after the loop or switch.
    Break(usize),
    /// The next iteration of the loop.
    Continue(usize),
}

impl Stmt {
    /// Calls `visit` with the statement and every statement inside it.
    pub(crate) fn each<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        visit(self);
        match self {
            Stmt::If { accept: a, reject: b, .. } | Stmt::Loop { body: a, continuing: b, .. } => {
                a.iter().chain(b).for_each(|stmt| stmt.each(visit));
            }
            Stmt::Switch { cases, .. } => cases.iter().flat_map(|case| &case.body).for_each(|stmt| stmt.each(visit)),
            _ => {}
        }
    }
}

/// Reports whether control never reaches the end of statements.
pub(crate) fn always_leaves(stmts: &[Stmt]) -> bool {
    match stmts.last() {
        Some(Stmt::Jump(_) | Stmt::Return(_)) => true,
        Some(Stmt::If { accept, reject, .. }) => always_leaves(accept) && always_leaves(reject),
        _ => false,
    }
}

/// A function's statements, and what must be known of its values before they are lifted.
#[derive(Clone, Debug)]
pub(crate) struct Structured {
    pub(crate) body: Vec<Stmt>,
    /// The ids of values that are used outside the statements in which they are computed.
    pub(crate) escaping: BTreeSet<u32>,
}

/// A loop, switch or selection around a statement.
#[derive(Clone, Copy, Debug)]
enum Construct {
    Selection { merge: u32 },
    Switch { header: usize, merge: u32 },
    Loop { header: usize, merge: u32, label: u32, continuing: u32, is_continuing: bool },
}

/// Where a branch leads.
enum Next {
    /// To a block that is lifted in the place of the branch.
    Inline(usize),
    Jump(Target),
    /// To the end of the statements that contain it.
    Fall,
}

struct Structurer<'f, 'm> {
    function: &'f Function<'m>,
    open: Vec<Construct>,
    left: usize,
    depth: usize,
}

/// Returns the statements of a function.
pub(crate) fn structure(function: &Function<'_>) -> Result<Structured, Fault> {
    let mut structurer = Structurer { function, open: Vec::new(), left: MOST_LIFTED, depth: 0 };
    let body = if function.blocks.is_empty() { Vec::new() } else { structurer.region(0, false)? };
    let escaping = escaping(function, &body);
    Ok(Structured { body, escaping })
}

impl<'m> Structurer<'_, 'm> {
    fn block(&self, number: usize) -> Option<&Block<'m>> {
        self.function.blocks.get(number)
    }

    fn malformed(&self, what: &str, at: usize) -> Fault {
        (malformed(what), at)
    }

    /// Returns the statements that start with a block. If `entered`, the block is the header of a loop whose body begins.
    fn region(&mut self, first: usize, mut entered: bool) -> Result<Vec<Stmt>, Fault> {
        self.depth += 1;
        let mut stmts = Vec::new();
        let mut next = Some(first);
        while let Some(number) = next {
            let Some(block) = self.block(number) else { break };
            let (merge, end, label) = (block.merge, block.end, block.label);
            self.left = self.left.saturating_sub(1 + block.insts.len() + block.phis.len());
            if self.left == 0 || self.depth > MOST_DEPTH {
                let what = format!(
                    "a function has more than {MOST_LIFTED} instructions, or its control flow is nested more than {MOST_DEPTH} deep"
                );
                return Err((RefusalKind::Limit { what }, end.at));
            }
            if let (Some(Merge::Loop(merge, continuing)), false) = (merge, entered) {
                let construct =
                    |is_continuing| Construct::Loop { header: number, merge, label, continuing, is_continuing };
                self.open.push(construct(false));
                let body = self.region(number, true)?;
                self.open.pop();
                self.open.push(construct(true));
                let continuing = match self.function.numbers.get(&continuing) {
                    Some(&first) if first != number => self.region(first, false)?,
                    _ => Vec::new(),
                };
                self.open.pop();
                stmts.push(Stmt::Loop { header: number, body, continuing });
                next = self.after(merge, &mut stmts)?;
                continue;
            }
            entered = false;
            stmts.push(Stmt::Code(number));
            let refused = || (RefusalKind::Operation { name: crate::words::name(end.op) }, end.at);
            let kind = End::of(end.op).ok_or_else(refused)?;
            next = match (kind, end.args) {
                (End::Branch, &[to]) => self.branch(number, to, &mut stmts)?,
                (End::BranchConditional, &[condition, yes, no, ..]) => match merge {
                    Some(Merge::Selection(merge)) => {
                        self.open.push(Construct::Selection { merge });
                        let accept = self.arm(number, yes)?;
                        let reject = self.arm(number, no)?;
                        self.open.pop();
                        stmts.push(Stmt::If { condition, accept, reject });
                        self.after(merge, &mut stmts)?
                    }
                    _ => self.exits(number, condition, [yes, no], &mut stmts)?,
                },
                (End::Switch, &[selector, default, ref targets @ ..]) => {
                    let Some(Merge::Selection(merge)) = merge else {
                        return Err(self.malformed("an OpSwitch lacks its OpSelectionMerge", end.at));
                    };
                    self.open.push(Construct::Switch { header: number, merge });
                    let cases = self.cases(number, default, targets)?;
                    self.open.pop();
                    stmts.push(Stmt::Switch { header: number, selector, cases });
                    self.after(merge, &mut stmts)?
                }
                (End::Return, _) => {
                    stmts.push(Stmt::Return(0));
                    None
                }
                (End::ReturnValue, &[value]) => {
                    stmts.push(Stmt::Return(value));
                    None
                }
                (End::Kill | End::TerminateInvocation, _) => {
                    stmts.push(Stmt::Kill);
                    None
                }
                (End::Unreachable, _) => {
                    stmts.push(Stmt::Unreachable);
                    None
                }
                (End::Branch | End::BranchConditional | End::Switch | End::ReturnValue, _) => return Err(refused()),
            };
        }
        self.depth -= 1;
        Ok(stmts)
    }

    /// Returns the cases of a switch, in the order of its labels. The default comes last if it shares no case's label.
    fn cases(&mut self, number: usize, default: u32, targets: &[u32]) -> Result<Vec<Case>, Fault> {
        let (mut seen, mut numbers) = (BTreeSet::new(), BTreeMap::new());
        let mut labels: Vec<(u32, Vec<u32>)> = Vec::new();
        for pair in targets.chunks(2) {
            let &[value, label] = pair else { break };
            if !seen.insert(value) {
                return Err(
                    self.malformed(&format!("two cases of an OpSwitch have the value {value}"), self.function.at)
                );
            }
            let at = *numbers.entry(label).or_insert(labels.len());
            match labels.get_mut(at) {
                Some((_, values)) => values.push(value),
                None => labels.push((label, vec![value])),
            }
        }
        if !numbers.contains_key(&default) {
            labels.push((default, Vec::new()));
        }
        let mut cases = Vec::with_capacity(labels.len());
        for (label, values) in labels {
            let body = self.arm(number, label)?;
            cases.push(Case { values, is_default: label == default, body });
        }
        Ok(cases)
    }

    /// Adds a conditional branch without a merge instruction; usually at least one of its arms is a jump.
    fn exits(
        &mut self,
        number: usize,
        condition: u32,
        [yes, no]: [u32; 2],
        stmts: &mut Vec<Stmt>,
    ) -> Result<Option<usize>, Fault> {
        if yes == no {
            return self.branch(number, yes, stmts);
        }
        let (mut accept, mut reject) = (Vec::new(), Vec::new());
        let a = self.branch(number, yes, &mut accept)?;
        let b = self.branch(number, no, &mut reject)?;
        let next = match (a, b) {
            (Some(a), Some(b)) => {
                accept.extend(self.region(a, false)?);
                reject.extend(self.region(b, false)?);
                None
            }
            // An arm that ends in a jump leaves the rest to the other; an arm that falls through does not.
            (Some(next), None) if always_leaves(&reject) => Some(next),
            (None, Some(next)) if always_leaves(&accept) => Some(next),
            (Some(next), None) => {
                accept.extend(self.region(next, false)?);
                None
            }
            (None, Some(next)) => {
                reject.extend(self.region(next, false)?);
                None
            }
            (None, None) => None,
        };
        stmts.push(Stmt::If { condition, accept, reject });
        Ok(next)
    }

    /// Returns the statements of an arm of a conditional or of a case.
    fn arm(&mut self, from: usize, label: u32) -> Result<Vec<Stmt>, Fault> {
        let mut stmts = Vec::new();
        if let Some(next) = self.branch(from, label, &mut stmts)? {
            stmts.extend(self.region(next, false)?);
        }
        Ok(stmts)
    }

    /// Adds a branch. Returns the block with which the statements continue.
    fn branch(&mut self, from: usize, label: u32, stmts: &mut Vec<Stmt>) -> Result<Option<usize>, Fault> {
        if let Some(&to) = self.function.numbers.get(&label)
            && self.block(to).is_some_and(|block| !block.phis.is_empty())
        {
            stmts.push(Stmt::Edge(from, to));
        }
        self.after(label, stmts)
    }

    /// Continues at a label: returns its block, or adds a jump.
    fn after(&mut self, label: u32, stmts: &mut Vec<Stmt>) -> Result<Option<usize>, Fault> {
        Ok(match self.next(label)? {
            Next::Inline(number) => Some(number),
            Next::Jump(target) => {
                stmts.push(Stmt::Jump(target));
                None
            }
            Next::Fall => None,
        })
    }

    fn next(&self, label: u32) -> Result<Next, Fault> {
        let (mut is_innermost, mut is_in_switch) = (true, false);
        for construct in self.open.iter().rev() {
            match *construct {
                Construct::Selection { merge } => {
                    if merge == label && is_innermost {
                        return Ok(Next::Fall);
                    }
                    if merge == label {
                        return Err(self.malformed("a branch leaves two selections at once", self.function.at));
                    }
                }
                Construct::Switch { header, merge } => {
                    if merge == label && is_in_switch {
                        return Err(self.malformed("a branch leaves two switches at once", self.function.at));
                    }
                    if merge == label {
                        return Ok(Next::Jump(Target::Break(header)));
                    }
                    is_in_switch = true;
                }
                Construct::Loop { header, merge, label: own, continuing, is_continuing } => {
                    if merge == label {
                        return Ok(Next::Jump(Target::Break(header)));
                    }
                    if own == label && (is_continuing || continuing == own) {
                        return Ok(if is_innermost && is_continuing {
                            Next::Fall
                        } else {
                            Next::Jump(Target::Continue(header))
                        });
                    }
                    if continuing == label && !is_continuing {
                        return Ok(Next::Jump(Target::Continue(header)));
                    }
                    // A branch can only leave the innermost loop.
                    break;
                }
            }
            is_innermost = false;
        }
        match self.function.numbers.get(&label) {
            Some(&number) => Ok(Next::Inline(number)),
            None => Err(self.malformed("a branch leads to a block that does not exist", self.function.at)),
        }
    }
}

/// Returns the ids of values that are used outside the statements in which they are computed, and of all values in repeated blocks.
fn escaping(function: &Function<'_>, body: &[Stmt]) -> BTreeSet<u32> {
    let mut walk = Walk {
        function,
        parents: vec![0],
        defined: BTreeMap::new(),
        uses: Vec::new(),
        seen: BTreeSet::new(),
        escaping: BTreeSet::new(),
    };
    walk.stmts(body, 0);
    let Walk { parents, defined, uses, mut escaping, .. } = walk;
    for (id, scope) in uses {
        let Some(&own) = defined.get(&id) else { continue };
        let mut at = scope;
        while at != own && at != 0 {
            at = parents.get(at).copied().unwrap_or(0);
        }
        if at != own {
            escaping.insert(id);
        }
    }
    escaping
}

struct Walk<'f, 'm> {
    function: &'f Function<'m>,
    /// By scope: the scope around it. A scope is a list of statements; that of the function is 0.
    parents: Vec<usize>,
    /// By id: the scope in which it is computed.
    defined: BTreeMap<u32, usize>,
    uses: Vec<(u32, usize)>,
    seen: BTreeSet<usize>,
    escaping: BTreeSet<u32>,
}

impl Walk<'_, '_> {
    fn inner(&mut self, stmts: &[Stmt], scope: usize) {
        self.parents.push(scope);
        let inner = self.parents.len() - 1;
        self.stmts(stmts, inner);
    }

    fn stmts(&mut self, stmts: &[Stmt], scope: usize) {
        for stmt in stmts {
            match stmt {
                Stmt::Code(number) => {
                    let Some(block) = self.function.blocks.get(*number) else { continue };
                    let is_again = !self.seen.insert(*number);
                    for inst in &block.insts {
                        if is_again {
                            self.escaping.insert(inst.id);
                            continue;
                        }
                        self.uses.extend(inst.args.iter().map(|&id| (id, scope)));
                        if inst.id != 0 {
                            self.defined.insert(inst.id, scope);
                        }
                    }
                }
                Stmt::Edge(from, to) => {
                    let Some(from) = self.function.blocks.get(*from) else { continue };
                    let phis = self.function.blocks.get(*to).map(|block| block.phis.as_slice()).unwrap_or_default();
                    for pair in phis.iter().flat_map(|phi| phi.args.chunks(2)) {
                        if let &[value, label] = pair
                            && label == from.label
                        {
                            self.uses.push((value, scope));
                        }
                    }
                }
                Stmt::If { condition, accept, reject } => {
                    self.uses.push((*condition, scope));
                    self.inner(accept, scope);
                    self.inner(reject, scope);
                }
                Stmt::Loop { body, continuing, .. } => {
                    self.parents.push(scope);
                    let inner = self.parents.len() - 1;
                    self.stmts(body, inner);
                    self.stmts(continuing, inner);
                }
                Stmt::Switch { selector, cases, .. } => {
                    self.uses.push((*selector, scope));
                    cases.iter().for_each(|case| self.inner(&case.body, scope));
                }
                Stmt::Return(value) => self.uses.push((*value, scope)),
                Stmt::Jump(_) | Stmt::Kill | Stmt::Unreachable => {}
            }
        }
    }
}
