//! The rules about the debug table.
//!
//! Rule: a debug table in a separate file describes the functions of another file, so the function indices in such a table are
//! not checked here.

use std::collections::BTreeMap;

use super::report::{At, Found, Report};
use super::{Detail, Rule, Types};
use crate::calls::Calls;
use crate::inst::word;
use crate::{
    Function, FunctionDebug, Id, InputKind, Member, MemberFault, Module, Scalar, SourceBinding, Type, check_members,
    limits,
};

pub(super) fn check(module: &Module, calls: &Calls, values: &[Types], found: &mut Found) {
    let debug = &module.debug;
    let mut table = Table { report: Report { function: None, found }, at: At::Debug };
    let separate = debug.program.is_some() && module.functions.is_empty();
    if debug.program.is_some() && !separate {
        table.add(Rule::DebugProgram, Detail::None);
    }
    for (index, source) in debug.sources.iter().enumerate() {
        table.at = At::Source(index);
        if limits::has_nul(&source.file) || limits::has_nul(&source.text) {
            table.add(Rule::NulInName, Detail::Source(word(index)));
        }
    }
    let mut last = None;
    for (index, entry) in debug.functions.iter().enumerate() {
        let empty = entry.is_empty();
        table.at = if empty { At::Debug } else { At::DebugFunction(index) };
        let function = Some(entry.function as usize).filter(|&index| index < module.functions.len());
        table.report.function = function;
        if function.is_none() && !separate {
            table.add(Rule::NamedFunction, Detail::Index(entry.function));
        }
        if empty || last >= Some(entry.function) {
            table.add(Rule::NamesOrder, Detail::Index(entry.function));
        }
        last = last.max(Some(entry.function));
        table.names(entry, function.and_then(|index| values.get(index)));
        table.members(entry, function.and_then(|index| module.functions.get(index)));
        table.bindings(entry, function.and_then(|index| module.functions.get(index)));
        let instructions = function.and_then(|index| calls.instructions.get(index)).copied();
        table.lines(entry, debug.sources.len(), instructions);
    }
}

/// The check of the debug table. `report` collects the violations for the function of the current entry.
struct Table<'a> {
    report: Report<'a>,
    at: At,
}

impl Table<'_> {
    fn add(&mut self, rule: Rule, detail: Detail) {
        self.report.put(None, rule, detail, self.at);
    }

    /// Checks the names of a function and its values. `values` is `None` if the function does not exist.
    fn names(&mut self, entry: &FunctionDebug, values: Option<&Types>) {
        if limits::has_nul(&entry.name) {
            self.add(Rule::NulInName, Detail::Name(entry.name.clone()));
        }
        for (id, name) in entry.ids.iter() {
            if limits::has_nul(name) {
                self.add(Rule::NulInName, Detail::Id(id));
            }
            if id.0 > limits::MAX_ID {
                self.add(Rule::IdLimit, Detail::Id(id));
            }
            if values.is_some_and(|values| !values.defines(id)) {
                self.add(Rule::NamedId, Detail::Id(id));
            }
        }
    }

    /// Checks the members of a function's uniforms. `function` is `None` if the function does not exist.
    fn members(&mut self, entry: &FunctionDebug, function: Option<&Function>) {
        if entry.members.is_empty() {
            return;
        }
        let mut arrays = BTreeMap::new();
        for input in function.iter().flat_map(|function| &function.inputs) {
            arrays.entry(input.id).or_insert(match (input.kind, input.ty) {
                (InputKind::Uniform, Type::Array(Scalar::Float, 4, length)) => Some(length),
                _ => None,
            });
        }
        for (&id, members) in &entry.members {
            if id.0 > limits::MAX_ID {
                self.add(Rule::IdLimit, Detail::Id(id));
            }
            let length = arrays.get(&id).copied().flatten();
            if members.is_empty() || function.is_some() && length.is_none() {
                self.add(Rule::MembersOf, Detail::Id(id));
            }
            self.members_of(id, members, length);
        }
    }

    fn members_of(&mut self, id: Id, members: &[Member], length: Option<u32>) {
        let detail = |index: usize, member: &Member| Detail::Member { id, index, member: member.clone() };
        for (index, member) in members.iter().enumerate() {
            if limits::has_nul(&member.name) {
                self.add(Rule::NulInName, detail(index, member));
            }
            if matches!(member.ty, Type::Array(_, _, length) if length > limits::ARRAY_LENGTH) {
                self.add(Rule::ArrayLength, detail(index, member));
            }
        }
        for (index, fault) in check_members(members, length) {
            let rule = match fault {
                MemberFault::Type => Rule::MemberType,
                MemberFault::Order | MemberFault::Outside => Rule::MemberPlace,
                MemberFault::Unnamed | MemberFault::SameName => Rule::MemberName,
            };
            if let Some(member) = members.get(index) {
                self.add(rule, detail(index, member));
            }
        }
    }

    /// Checks the bindings of a function's resources. `function` is `None` if the function does not exist.
    fn bindings(&mut self, entry: &FunctionDebug, function: Option<&Function>) {
        for (&id, &binding) in &entry.bindings {
            if id.0 > limits::MAX_ID {
                self.add(Rule::IdLimit, Detail::Id(id));
            }
            let kind = function.map(|of| of.inputs.iter().find(|input| input.id == id).map(|input| input.kind));
            let fits = kind.is_none_or(|kind| match (kind, binding) {
                (Some(InputKind::Texture { .. }), SourceBinding::Bound { .. }) => true,
                (Some(kind), SourceBinding::Push) => kind.is_uniform(),
                (Some(kind), SourceBinding::Bound { sampler: None, .. }) => {
                    kind.is_uniform() || matches!(kind, InputKind::Buffer { .. } | InputKind::Image { .. })
                }
                _ => false,
            });
            if !fits || SourceBinding::from_words(binding.words()) != Some(binding) {
                self.add(Rule::SourceBindings, Detail::Id(id));
            }
        }
    }

    /// Checks the line numbers of a function. `instructions` is `None` if the function does not exist.
    fn lines(&mut self, entry: &FunctionDebug, sources: usize, instructions: Option<usize>) {
        let Some(lines) = &entry.lines else { return };
        if lines.source as usize >= sources {
            self.add(Rule::Lines, Detail::Source(lines.source));
        }
        if let Some(most) = instructions.filter(|&most| lines.numbers.len() > most) {
            self.add(Rule::Lines, Detail::Count { found: lines.numbers.len(), most });
        }
    }
}
