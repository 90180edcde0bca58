//! Resolves member names on objects whose exact class may be unknown. A path chooses a class only if the choice matters.

use std::collections::BTreeMap;

use crate::avm::names::{Name, Space};
use crate::avm::types::{Constant, Type};
use crate::avm::world::{ClassId, Found, Member};
use crate::eval::expr::{Expr, Kind};
use crate::eval::index::Owner;
use crate::eval::machine::{Run, Stop};
use crate::eval::value::{Key, Ref};
use crate::model::Alternative;

/// The maximum number of classes among which a path may choose at a call.
const CLASSES: usize = 64;
/// The maximum number of classes among which a path may choose at a field read.
const FILLED: usize = 16;

pub(crate) enum Dispatch {
    One(Found),
    /// Several members are possible, but the path need not choose one of them. All possible members have values of the given
    /// type.
    Several(Type),
    None,
}

type Group<T = Found> = (T, Vec<ClassId>);

impl Run<'_, '_> {
    /// Chooses one of an object's possible classes if the constructor of at least one of them sets the field. Returns whether a
    /// class was chosen.
    pub(crate) fn choose_class(&mut self, at: Ref, key: &Key) -> Result<bool, Stop> {
        let object = self.object(at)?;
        let (Some(class), Some(expr), false) =
            (object.class, object.expr.clone(), !object.may_be_below || self.is_setup)
        else {
            return Ok(false);
        };
        let candidates = self.candidates(&expr, class);
        let count = candidates.len();
        if !(2..=FILLED).contains(&count) {
            return Ok(false);
        }
        self.spend(count)?;
        if !candidates.iter().any(|class| self.shared.is_set_by_constructor(*class, key)) {
            return Ok(false);
        }
        let name = |class: ClassId| self.world.short_name(class).unwrap_or_default().to_string();
        let ways = candidates.into_iter().map(|class| (Alternative::Is(name(class)), ((), vec![class]))).collect();
        self.choose_classes(at, &expr, Expr::op("class of", std::slice::from_ref(&expr), Type::String), ways)?;
        Ok(true)
    }

    /// Returns the possible classes of the object that an expression denotes.
    fn candidates(&mut self, expr: &Expr, class: ClassId) -> Vec<ClassId> {
        self.facts.classes(expr).map_or_else(|| self.shared.family(class).to_vec(), <[ClassId]>::to_vec)
    }

    /// Returns the owner of an object's fields: the object's class, and whether the object's exact class is known.
    pub(crate) fn owner(&self, at: Ref, class: ClassId) -> Owner {
        let object = self.heap.get(at).and_then(|object| Some((object, object.class?)));
        let Some((object, class)) = object else { return Owner { class, is_exact: false } };
        let is_exact = match &object.expr {
            Some(expr) => self.facts.classes(expr).is_some_and(|classes| *classes == [class]),
            None => !object.may_be_below,
        };
        Owner { class, is_exact }
    }

    pub(crate) fn dispatch(&mut self, at: Ref, name: &Name, spaces: &[Space]) -> Result<Dispatch, Stop> {
        let object = self.object(at)?;
        let Some(class) = object.class else { return Ok(Dispatch::None) };
        let found = self.world.instance_member(class, name, spaces);
        let expr = object.expr.clone().filter(|_| object.may_be_below);
        let (Some(expr), false) = (expr, matches!(found, Some((_, _, Member::Slot { .. })) | None)) else {
            return Ok(found.map_or(Dispatch::None, Dispatch::One));
        };
        let candidates = self.candidates(&expr, class);
        self.spend(candidates.len())?;
        let mut groups: BTreeMap<ClassId, Group> = BTreeMap::new();
        let is_abstract =
            |member: &Member| member.called().is_some_and(|method| self.shared.index.about(method).is_abstract);
        for candidate in candidates {
            let found = self.world.instance_member(candidate, name, spaces);
            if let Some(found) = found.filter(|(_, _, member)| !is_abstract(member)) {
                groups.entry(found.0).or_insert_with(|| (found, Vec::new())).1.push(candidate);
            }
        }
        if let (true, Some((_, _, Member::Accessor { get: Some(method), .. }))) = (groups.is_empty(), &found) {
            return Ok(Dispatch::Several(self.world.result_of(*method)));
        }
        if groups.len() <= 1 {
            let one = groups.into_values().next().map(|(found, _)| found).or(found);
            return Ok(one.map_or(Dispatch::None, Dispatch::One));
        }
        if self.may_fork()
            && let Some(ways) = self.by_constant(&groups)
        {
            let field = Expr::new(Kind::Field(expr.clone(), name.clone()), Type::Any);
            return self.choose_classes(at, &expr, field, ways).map(Dispatch::One);
        }
        let matters = groups.values().any(|((_, _, member), _)| match member {
            Member::Method(method) => self.shared.index.about(*method).matters(),
            Member::Accessor { get: Some(method), .. } => self.shared.index.about(*method).gives_texts(),
            _ => false,
        });
        if !matters || groups.len() > CLASSES || !self.may_fork() {
            let one = found.as_ref().or_else(|| groups.values().next().map(|(found, _)| found));
            let called = one.and_then(|(_, _, member)| member.called());
            return Ok(Dispatch::Several(called.map_or(Type::Any, |method| self.world.result_of(method))));
        }
        let way = |(found, classes): &Group| {
            let name = |class: &ClassId| self.world.short_name(*class);
            match classes.len() {
                0..=4 => classes.iter().filter_map(name).collect::<Vec<_>>().join(" or "),
                _ => format!("a {}", name(&found.0).unwrap_or_default()),
            }
        };
        let ways = groups.into_values().map(|group| (Alternative::Is(way(&group)), group)).collect();
        let condition = Expr::op("class of", std::slice::from_ref(&expr), Type::String);
        self.choose_classes(at, &expr, condition, ways).map(Dispatch::One)
    }

    /// Chooses one of several groups of classes. If the chosen group consists of one class, the object's exact class is known
    /// from then on.
    fn choose_classes<T>(
        &mut self,
        at: Ref,
        expr: &Expr,
        condition: Expr,
        ways: Vec<(Alternative, Group<T>)>,
    ) -> Result<T, Stop> {
        let (names, groups): (Vec<Alternative>, Vec<Group<T>>) = ways.into_iter().unzip();
        let taken = self.choose_named(condition, &names)?;
        let (found, classes) = groups.into_iter().nth(taken).ok_or(Stop::Broken)?;
        if let [only] = *classes {
            let object = self.object_mut(at)?;
            object.class = Some(only);
            object.is_filled = false;
        }
        self.facts.set_classes(expr, classes);
        Ok(found)
    }

    /// Groups classes by the constant that their implementation of a method returns. Returns `None` unless every implementation
    /// returns a constant.
    fn by_constant(&self, groups: &BTreeMap<ClassId, Group>) -> Option<Vec<(Alternative, Group)>> {
        let mut ways: Vec<(Alternative, Group)> = Vec::new();
        for (found, classes) in groups.values() {
            let constant = self.shared.index.about(found.2.called()?).constant.as_ref()?;
            let name = match constant.kind() {
                Kind::Constant(Constant::Bool(true)) => Alternative::True,
                Kind::Constant(Constant::Bool(false)) => Alternative::False,
                _ => Alternative::Is(constant.render()),
            };
            match ways.iter_mut().find(|(known, _)| *known == name) {
                Some((_, (_, all))) => all.extend(classes),
                None => ways.push((name, (found.clone(), classes.clone()))),
            }
        }
        (ways.len() <= FILLED).then_some(ways)
    }
}
