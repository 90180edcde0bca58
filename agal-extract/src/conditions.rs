//! Selects the conditions that distinguish a variant of a program from the other variants built at the same place.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use crate::avm::ids::{ClassId, MethodId};
use crate::eval::expr::{ByExpr, Expr, constant_text};
use crate::model::Alternative;

/// Conditions that are all true on the same path.
pub(crate) type Conjunction = Rc<[(Expr, Alternative)]>;

/// A position in code: the method, the byte offset, and the class of the object.
pub(crate) type At = (MethodId, u32, Option<ClassId>);

/// The maximum number of compared paths of one variant, and the maximum number of compared paths of all other variants at the
/// same place.
const OWN: usize = 4;
const OTHERS: usize = 128;

/// The paths that lead to each variant at each place.
#[derive(Debug, Default)]
pub(crate) struct Variants<'a> {
    of: HashMap<At, Vec<(usize, &'a [Conjunction])>>,
    /// For each place, the facts on a limited number of paths, each with the number of the path's variant. The facts are computed
    /// on demand.
    facts: HashMap<At, Vec<(usize, Facts)>>,
}

/// The facts that the conditions of a path state about each expression.
type Facts = ByExpr<Vec<Fact>>;

/// A fact about the value of an expression. Constants are identified by their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Holds(bool),
    Is(u64),
    IsNot(u64),
}

impl Fact {
    fn excludes(self, other: Fact) -> bool {
        match (self, other) {
            (Fact::Holds(one), Fact::Holds(other)) => one != other,
            (Fact::Is(one), Fact::Is(other)) => one != other,
            (Fact::Is(one), Fact::IsNot(other)) | (Fact::IsNot(one), Fact::Is(other)) => one == other,
            _ => false,
        }
    }
}

/// Returns the expression that a condition tests, and the fact that the condition states about the expression.
fn fact((expr, alternative): &(Expr, Alternative)) -> (Expr, Fact) {
    let hash = |text: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
    let fact = match alternative {
        Alternative::Is(text) => Fact::Is(hash(text)),
        Alternative::True => Fact::Holds(true),
        Alternative::False => {
            if let Some(("==", [one, two])) = expr.operation() {
                let differs = |of: &Expr, value: &Expr| Some((of.clone(), Fact::IsNot(hash(&constant_text(value)?))));
                if let Some(fact) = differs(one, two).or_else(|| differs(two, one)) {
                    return fact;
                }
            }
            Fact::Holds(false)
        }
    };
    (expr.clone(), fact)
}

impl<'a> Variants<'a> {
    /// Groups the paths of the variants by place. Each variant is identified by its number.
    pub(crate) fn new(variants: impl Iterator<Item = (usize, &'a BTreeMap<At, Vec<Conjunction>>)>) -> Variants<'a> {
        let mut all = Variants::default();
        for (variant, places) in variants {
            places.iter().for_each(|(at, paths)| all.of.entry(*at).or_default().push((variant, paths)));
        }
        all
    }

    /// Returns the conditions under which a place builds a variant. Only conditions that exclude the paths of other variants are
    /// kept, and paths with equal conditions are merged.
    pub(crate) fn conditions(&mut self, variant: usize, at: &At, paths: &[Conjunction]) -> Vec<Conjunction> {
        let all = self.of.get(at).map(Vec::as_slice).unwrap_or_default();
        let others = self.facts.entry(*at).or_insert_with(|| {
            let each = (OTHERS / all.len().max(1)).max(1);
            let some = all.iter().flat_map(|(variant, paths)| paths.iter().take(each).map(|path| (*variant, path)));
            let facts = |path: &Conjunction| {
                let mut facts = Facts::default();
                path.iter().map(fact).for_each(|(expr, fact)| facts.entry(expr).or_default().push(fact));
                facts
            };
            some.take(OTHERS).map(|(variant, path)| (variant, facts(path))).collect()
        });
        let others: Vec<&Facts> =
            others.iter().filter(|(other, _)| *other != variant).map(|(_, facts)| facts).collect();
        let mut kept: Vec<Conjunction> = Vec::new();
        for path in paths.iter().take(OWN) {
            let path = needed(path, &others);
            if !kept.contains(&path) {
                kept.push(path);
            }
        }
        let is_implied = |path: &Conjunction, other: &Conjunction| {
            path.len() > other.len() && other.iter().all(|condition| path.contains(condition))
        };
        kept.iter().filter(|path| !kept.iter().any(|other| is_implied(path, other))).cloned().collect()
    }
}

/// Returns the conditions of a path that are needed to exclude other paths. A condition on a string of several lines is never
/// needed, because such a condition only tests whether the code has already built a program.
fn needed(path: &Conjunction, others: &[&Facts]) -> Conjunction {
    let conditions: Vec<&(Expr, Alternative)> = path.iter().filter(|(expr, _)| !expr.has_lines()).collect();
    // `excluded` lists the other paths that each condition excludes. For each of the other paths, `left` counts the remaining
    // conditions that exclude the path.
    let mut left = vec![0_u32; others.len()];
    let mut excluded: Vec<Vec<usize>> = Vec::with_capacity(conditions.len());
    for condition in &conditions {
        let (expr, fact) = fact(condition);
        let excludes = |other: &Facts| other.get(&expr).is_some_and(|all| all.iter().any(|one| fact.excludes(*one)));
        let list: Vec<usize> =
            others.iter().enumerate().filter(|(_, other)| excludes(other)).map(|(at, _)| at).collect();
        list.iter().for_each(|at| left.get_mut(*at).into_iter().for_each(|count| *count += 1));
        excluded.push(list);
    }
    let mut kept = Vec::new();
    for (condition, list) in conditions.into_iter().zip(excluded) {
        if list.iter().all(|at| left.get(*at).is_some_and(|count| *count > 1)) {
            list.iter().for_each(|at| left.get_mut(*at).into_iter().for_each(|count| *count -= 1));
        } else if !kept.contains(condition) {
            kept.push(condition.clone());
        }
    }
    Rc::from(kept)
}
