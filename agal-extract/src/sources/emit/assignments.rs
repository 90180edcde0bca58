//! Assignments: to variables, members and elements.

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::frame::{Local, Storage};
use crate::sources::emit::names::Meaning;
use crate::sources::emit::pool::Multi;
use crate::sources::syntax::{Binary, Expression, ExpressionKind, Link, LinkKind};

/// What is assigned to. What it needs is on the stack already.
#[derive(Clone, Debug)]
enum Place {
    Local(Local),
    /// A member of the object on the stack.
    Member(Multi),
    /// A member of the class above.
    Super(Multi),
    /// An element: the object and its index are on the stack.
    Element(Multi),
    /// Nothing that can be assigned to.
    None,
}

impl Emitter<'_> {
    fn target(&mut self, target: &Expression) -> Place {
        match &target.kind {
            ExpressionKind::Name(name) => match self.meaning(name) {
                Meaning::Local(local) => Place::Local(local),
                Meaning::Own(multi) => {
                    self.get_local(0);
                    Place::Member(multi)
                }
                Meaning::Lexical(multi) => {
                    self.op(Op::FindProperty { index: multi.index }, 0, 1);
                    Place::Member(multi)
                }
                Meaning::Static { class, member } => {
                    self.get_lex(class);
                    Place::Member(member)
                }
            },
            ExpressionKind::Chain { base, links } => match links.split_last() {
                Some((Link { kind: LinkKind::Member(name), .. }, [])) if matches!(base.kind, ExpressionKind::Super) => {
                    self.get_local(0);
                    Place::Super(self.open(name))
                }
                Some((Link { kind: LinkKind::Member(name), .. }, before)) => {
                    self.chain_or_base(base, before);
                    Place::Member(self.open(name))
                }
                Some((Link { kind: LinkKind::Index(index), .. }, before)) => {
                    self.chain_or_base(base, before);
                    self.value(index);
                    Place::Element(self.late())
                }
                _ => Place::None,
            },
            ExpressionKind::Cast { value, .. } => self.target(value),
            _ => Place::None,
        }
    }

    fn chain_or_base(&mut self, base: &Expression, links: &[Link]) {
        if links.is_empty() {
            self.value(base);
        } else {
            self.chain(base, links, true);
        }
    }

    /// Doubles what a place has on the stack and gets its value.
    fn get_again(&mut self, place: &Place) {
        match place {
            Place::Local(local) => self.load(local),
            Place::Member(multi) => {
                self.op(Op::Dup, 1, 2);
                self.get_property(*multi);
            }
            Place::Super(multi) => {
                self.op(Op::Dup, 1, 2);
                self.op(Op::GetSuper { index: multi.index }, 1, 1);
            }
            Place::Element(multi) => {
                let (object, index) = (self.frame.temporary(), self.frame.temporary());
                self.set_local(index);
                self.set_local(object);
                for _ in 0..2 {
                    self.get_local(object);
                    self.get_local(index);
                }
                self.frame.release(object);
                self.frame.release(index);
                self.get_property(*multi);
            }
            Place::None => self.op(Op::PushUndefined, 0, 1),
        }
    }

    /// Stores the value on the stack in a place.
    fn set(&mut self, place: &Place) {
        match place {
            Place::Local(local) => {
                let value = self.frame.temporary();
                if matches!(local.storage, Storage::Register(_)) {
                    self.store_from(local, |_| {});
                } else {
                    self.set_local(value);
                    self.store_from(local, |emitter| emitter.get_local(value));
                }
                self.frame.release(value);
            }
            Place::Member(multi) | Place::Element(multi) => self.set_property(*multi),
            Place::Super(multi) => self.op(Op::SetSuper { index: multi.index }, 2, 0),
            Place::None => self.op(Op::Pop, 1, 0),
        }
    }

    /// Stores the value on the stack, and keeps it there if it is wanted.
    fn set_and_keep(&mut self, place: &Place, wants_value: bool) {
        if !wants_value {
            return self.set(place);
        }
        let value = self.frame.temporary();
        self.op(Op::Dup, 1, 2);
        self.set_local(value);
        self.set(place);
        self.get_local(value);
        self.frame.release(value);
    }

    pub(super) fn assign(
        &mut self,
        operator: Option<Binary>,
        target: &Expression,
        value: &Expression,
        wants_value: bool,
    ) {
        let place = self.target(target);
        match operator {
            None => {
                if let (Place::Local(local), false) = (&place, wants_value) {
                    return self.store_from(local, |emitter| emitter.value(value));
                }
                self.value(value);
            }
            Some(operator) => {
                self.get_again(&place);
                self.combine(operator, value);
            }
        }
        self.set_and_keep(&place, wants_value);
    }

    /// Assigns the value on the stack to something; the value is taken away.
    pub(super) fn assign_top(&mut self, target: &Expression) {
        let value = self.frame.temporary();
        self.set_local(value);
        let place = self.target(target);
        self.get_local(value);
        self.frame.release(value);
        self.set(&place);
    }

    pub(super) fn update(&mut self, target: &Expression, is_prefix: bool, is_increment: bool, wants_value: bool) {
        let place = self.target(target);
        self.get_again(&place);
        let op = if is_increment { Op::Increment } else { Op::Decrement };
        if is_prefix || !wants_value {
            self.op(op, 1, 1);
            self.set_and_keep(&place, wants_value);
            return;
        }
        let before = self.frame.temporary();
        self.op(Op::ConvertD, 1, 1);
        self.op(Op::Dup, 1, 2);
        self.set_local(before);
        self.op(op, 1, 1);
        self.set(&place);
        self.get_local(before);
        self.frame.release(before);
    }

    pub(super) fn delete(&mut self, operand: &Expression) {
        match self.target(operand) {
            Place::Member(multi) | Place::Super(multi) => {
                self.op(Op::DeleteProperty { index: multi.index }, 1, 1);
            }
            Place::Element(multi) => self.op(Op::DeleteProperty { index: multi.index }, 2, 1),
            Place::Local(_) | Place::None => self.op(Op::PushFalse, 0, 1),
        }
    }
}
