//! Conditions of variants: the smallest set that tells a variant of a place from the others.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use crate::avm::ids::{ClassId, MethodId};
use crate::eval::expr::{ByExpr, Expr, constant_text};
use crate::model::Alternative;

/// Conditions that hold together.
pub(crate) type Conjunction = Rc<[(Expr, Alternative)]>;

/// Position of something found in code: the method, the offset and the class of the object.
pub(crate) type At = (MethodId, u32, Option<ClassId>);

/// Maximum number of paths of one variant that are compared, and of all other variants of a place.
const OWN: usize = 4;
const OTHERS: usize = 128;

/// The paths that lead to each variant of a place, by the number of the variant.
#[derive(Debug, Default)]
pub(crate) struct Variants<'a> {
    of: HashMap<At, Vec<(usize, &'a [Conjunction])>>,
    /// By place, the conditions of some paths of each variant, filled on demand.
    said: HashMap<At, Vec<(usize, Said)>>,
}

/// Conditions of a path, by expression.
type Said = ByExpr<Vec<Says>>;

/// Statement of a condition about an expression. Constants are stored as their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Holds(bool),
    Is(u64),
    IsNot(u64),
}

impl Says {
    fn excludes(self, other: Says) -> bool {
        match (self, other) {
            (Says::Holds(one), Says::Holds(other)) => one != other,
            (Says::Is(one), Says::Is(other)) => one != other,
            (Says::Is(one), Says::IsNot(other)) | (Says::IsNot(one), Says::Is(other)) => one == other,
            _ => false,
        }
    }
}

/// Expression that a condition is about, and the statement about it.
fn said((expr, way): &(Expr, Alternative)) -> (Expr, Says) {
    let hash = |text: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
    let says = match way {
        Alternative::Is(text) => Says::Is(hash(text)),
        Alternative::True => Says::Holds(true),
        Alternative::False => {
            if let Some(("==", [one, two])) = expr.operation() {
                let named = |of: &Expr, value: &Expr| Some((of.clone(), Says::IsNot(hash(&constant_text(value)?))));
                if let Some(said) = named(one, two).or_else(|| named(two, one)) {
                    return said;
                }
            }
            Says::Holds(false)
        }
    };
    (expr.clone(), says)
}

impl<'a> Variants<'a> {
    pub(crate) fn add(&mut self, variant: usize, at: &At, paths: &'a [Conjunction]) {
        self.of.entry(*at).or_default().push((variant, paths));
    }

    /// Conditions under which a place makes a variant: for each path, the conditions needed to exclude the paths of other variants.
    /// Paths with the same conditions are merged.
    pub(crate) fn conditions(&mut self, variant: usize, at: &At, paths: &[Conjunction]) -> Vec<Conjunction> {
        let all = self.of.get(at).map(Vec::as_slice).unwrap_or_default();
        let others = self.said.entry(*at).or_insert_with(|| {
            let each = (OTHERS / all.len().max(1)).max(1);
            let some = all.iter().flat_map(|(variant, paths)| paths.iter().take(each).map(|path| (*variant, path)));
            let says = |path: &Conjunction| {
                let mut says = Said::default();
                for (expr, one) in path.iter().map(said) {
                    says.entry(expr).or_default().push(one);
                }
                says
            };
            some.take(OTHERS).map(|(variant, path)| (variant, says(path))).collect()
        });
        let others: Vec<&Said> = others.iter().filter(|(other, _)| *other != variant).map(|(_, says)| says).collect();
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

/// The conditions of a path that are needed to exclude others. A condition on a whole text, by which a program is looked up among
/// programs made earlier, is never needed.
fn needed(path: &Conjunction, others: &[&Said]) -> Conjunction {
    let conditions: Vec<&(Expr, Alternative)> = path.iter().filter(|(expr, _)| !expr.has_lines()).collect();
    // By condition, the other paths that it excludes; by path, the number of remaining conditions that exclude it.
    let mut left = vec![0_u32; others.len()];
    let mut excluded: Vec<Vec<usize>> = Vec::with_capacity(conditions.len());
    for condition in &conditions {
        let (expr, says) = said(condition);
        let excludes = |other: &Said| other.get(&expr).is_some_and(|all| all.iter().any(|one| says.excludes(*one)));
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
