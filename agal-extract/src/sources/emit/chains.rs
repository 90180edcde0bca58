//! What is applied to a value one after the other: members, indices and calls.

use swf::avm2::types::Op;

use crate::sources::emit::names::Meaning;
use crate::sources::emit::world::Qualified;
use crate::sources::emit::{Emitter, count};
use crate::sources::syntax::{Expression, ExpressionKind, Link, LinkKind, Name};

impl Emitter<'_> {
    /// The value of a chain, or its effect alone.
    pub(super) fn chain(&mut self, base: &Expression, links: &[Link], wants_value: bool) {
        let mut at = self.start(base, links, wants_value);
        while let Some(link) = links.get(at) {
            let line = self.at_line(link.line);
            let is_last_call = at + 2 == links.len();
            let next = links.get(at + 1).map(|link| &link.kind);
            at += 1;
            match (&link.kind, next) {
                (LinkKind::Member(name), Some(LinkKind::Call(arguments))) => {
                    at += 1;
                    let wants = wants_value || !is_last_call;
                    if !self.extension(name, arguments, wants) {
                        self.arguments(arguments);
                        let multi = self.open(name);
                        self.call_property(multi, count(arguments), wants);
                    }
                }
                (LinkKind::Index(index), Some(LinkKind::Call(arguments))) => {
                    at += 1;
                    self.value(index);
                    self.arguments(arguments);
                    let multi = self.late();
                    self.call_property(multi, count(arguments), wants_value || !is_last_call);
                }
                (LinkKind::Member(name), _) => {
                    let multi = self.open(name);
                    self.get_property(multi);
                    self.drop_last(at == links.len(), wants_value);
                }
                (LinkKind::Index(index), _) => {
                    self.value(index);
                    let multi = self.late();
                    self.get_property(multi);
                    self.drop_last(at == links.len(), wants_value);
                }
                (LinkKind::Call(arguments), _) => {
                    self.op(Op::PushNull, 0, 1);
                    self.arguments(arguments);
                    let num_args = count(arguments);
                    self.op(Op::Call { num_args }, num_args + 2, 1);
                    self.drop_last(at == links.len(), wants_value);
                }
                (LinkKind::Apply(parameters), _) => {
                    self.apply(parameters);
                    self.drop_last(at == links.len(), wants_value);
                }
            }
            self.at_line(line);
        }
    }

    /// Drops the value of the last link if only its effect is wanted.
    fn drop_last(&mut self, is_last: bool, wants_value: bool) {
        if is_last && !wants_value {
            self.op(Op::Pop, 1, 0);
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Expression]) {
        arguments.iter().for_each(|argument| self.value(argument));
    }

    /// Begins a chain, and tells how many of its links that took.
    fn start(&mut self, base: &Expression, links: &[Link], wants_value: bool) -> usize {
        match &base.kind {
            ExpressionKind::Super => self.start_super(links, wants_value),
            ExpressionKind::Name(name) => self.start_name(base, name, links, wants_value),
            _ => {
                self.value(base);
                0
            }
        }
    }

    fn start_super(&mut self, links: &[Link], wants_value: bool) -> usize {
        self.get_local(0);
        match (links.first().map(|link| &link.kind), links.get(1).map(|link| &link.kind)) {
            (Some(LinkKind::Call(arguments)), _) => {
                self.arguments(arguments);
                let num_args = count(arguments);
                self.op(Op::ConstructSuper { num_args }, num_args + 1, 0);
                if wants_value || links.len() > 1 {
                    self.op(Op::PushUndefined, 0, 1);
                }
                1
            }
            (Some(LinkKind::Member(name)), Some(LinkKind::Call(arguments))) => {
                self.arguments(arguments);
                let (multi, num_args) = (self.open(name), count(arguments));
                if wants_value || links.len() > 2 {
                    self.op(Op::CallSuper { index: multi.index, num_args }, num_args + 1, 1);
                } else {
                    self.op(Op::CallSuperVoid { index: multi.index, num_args }, num_args + 1, 0);
                }
                2
            }
            (Some(LinkKind::Member(name)), _) => {
                let multi = self.open(name);
                self.op(Op::GetSuper { index: multi.index }, 1, 1);
                self.drop_last(links.len() == 1, wants_value);
                1
            }
            _ => 0,
        }
    }

    fn start_name(&mut self, base: &Expression, name: &Name, links: &[Link], wants_value: bool) -> usize {
        if let Some((found, taken)) = self.path_of(name, links) {
            let multi = self.definition(&found);
            if let Some(LinkKind::Call(arguments)) = links.get(taken).map(|link| &link.kind) {
                self.op(Op::FindPropStrict { index: multi.index }, 0, 1);
                self.arguments(arguments);
                self.call_property(multi, count(arguments), wants_value || links.len() > taken + 1);
                return taken + 1;
            }
            self.get_lex(multi);
            self.drop_last(links.len() == taken, wants_value);
            return taken;
        }
        let Some(LinkKind::Call(arguments)) = links.first().map(|link| &link.kind) else {
            self.value(base);
            return 0;
        };
        let multi = match self.meaning(name) {
            Meaning::Local(_) => {
                self.value(base);
                return 0;
            }
            Meaning::Own(multi) => {
                self.get_local(0);
                multi
            }
            Meaning::Lexical(multi) => {
                self.op(Op::FindPropStrict { index: multi.index }, 0, 1);
                multi
            }
            Meaning::Static { class, member } => {
                self.get_lex(class);
                member
            }
        };
        self.arguments(arguments);
        self.call_property(multi, count(arguments), wants_value || links.len() > 1);
        1
    }

    /// The definition that a dotted path begins with, and how many links it takes.
    fn path_of(&mut self, name: &Name, links: &[Link]) -> Option<(Qualified, usize)> {
        let mut names = vec![name];
        names.extend(links.iter().map_while(|link| match &link.kind {
            LinkKind::Member(name) => Some(name),
            _ => None,
        }));
        if names.len() < 2 {
            return None;
        }
        let (found, taken) = self.path(&names)?;
        Some((found, taken - 1))
    }

    /// A call of a function that Haxe's `using` makes a method of its first argument, which is on the stack.
    fn extension(&mut self, name: &Name, arguments: &[Expression], wants_value: bool) -> bool {
        let world = self.world;
        let found = world.using(self.number).find(|facts| facts.statics.contains_key(name));
        let Some(facts) = found.filter(|_| self.is_haxe) else { return false };
        let first = self.frame.temporary();
        self.set_local(first);
        let class = self.packaged(&facts.package, &facts.class.name);
        self.get_lex(class);
        self.get_local(first);
        self.frame.release(first);
        self.arguments(arguments);
        let multi = self.open(name);
        self.call_property(multi, count(arguments) + 1, wants_value);
        true
    }
}
