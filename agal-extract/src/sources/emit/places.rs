//! Emits reads, assignments, calls and deletions of places. A place is a variable, a member or an element that an expression
//! denotes. A *link* is a postfix operation, such as a member access or a call.

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::count;
use crate::sources::emit::frame::{Local, Storage};
use crate::sources::emit::pool::Multi;
use crate::sources::syntax::{Binary, Expression, ExpressionKind as Is, Link, LinkKind, Name};

/// The place that an expression denotes, before the place is read, assigned, called or deleted.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Value,
    Local(Local),
    Lexical(Multi),
    /// A member of the object on the stack. For an element, the index is on the stack too.
    Member(Multi),
    /// A static extension of Haxe (`using`). The stack contains the class that declares the function, and the function's first
    /// argument.
    Extension(Multi),
    /// The base class, written `super`. The value of `this` is on the stack.
    Super,
    /// A member of the base class. The value of `this` is on the stack.
    OfSuper(Multi),
}

impl Emitter<'_> {
    fn place_of(&mut self, expression: &Expression) -> Place {
        match &expression.kind {
            Is::Name(name) => self.place_of_name(name),
            Is::Chain { base, links } => self.links(base, links, true),
            Is::Super => {
                self.get_local(0);
                Place::Super
            }
            _ => {
                self.value(expression);
                Place::Value
            }
        }
    }

    fn place_of_name(&mut self, name: &Name) -> Place {
        let (object, place) = self.meaning(name);
        if let Some(object) = object {
            self.get_lex(object);
        }
        place
    }

    fn get(&mut self, place: &Place) {
        match place {
            Place::Value | Place::Super => {}
            Place::Local(local) => self.load(local),
            Place::Lexical(multi) => self.get_lex(*multi),
            Place::Member(multi) | Place::Extension(multi) => self.get_property(*multi),
            Place::OfSuper(multi) => self.op(Op::GetSuper { index: multi.index }, 1, 1),
        }
    }

    pub(super) fn name(&mut self, name: &Name) {
        let place = self.place_of_name(name);
        self.get(&place);
    }

    /// Writes an operand with its links. The value stays on the stack if `wants_value` is set.
    pub(super) fn chain(&mut self, base: &Expression, links: &[Link], wants_value: bool) {
        let place = self.links(base, links, wants_value);
        let Some(last) = links.last() else { return };
        let line = self.at_line(last.line);
        self.get(&place);
        if !wants_value && !matches!(last.kind, LinkKind::Call(_)) {
            self.op(Op::Pop, 1, 0);
        }
        self.at_line(line);
    }

    /// Writes an operand with its links, and returns the resulting place without reading it. A call at the end of the chain
    /// leaves a value only if `wants_value` is set.
    fn links(&mut self, base: &Expression, links: &[Link], wants_value: bool) -> Place {
        let (place, taken) = match self.path(base, links) {
            Some((found, taken)) => (Place::Lexical(self.definition(&found)), taken),
            None => (self.place_of(base), 0),
        };
        let mut place = self.before(place, links.get(taken));
        for (at, link) in links.iter().enumerate().skip(taken) {
            let line = self.at_line(link.line);
            let next = links.get(at + 1);
            let linked = self.link(&place, link, next, wants_value || next.is_some());
            place = self.before(linked, next);
            self.at_line(line);
        }
        place
    }

    /// Reads a place if a further link applies to its value. A place that is called or that ends the chain is not read.
    fn before(&mut self, place: Place, next: Option<&Link>) -> Place {
        match next.map(|link| &link.kind) {
            None | Some(LinkKind::Call(_)) => place,
            Some(LinkKind::Member(_)) if matches!(place, Place::Super) => place,
            Some(_) => {
                self.get(&place);
                Place::Value
            }
        }
    }

    fn link(&mut self, place: &Place, link: &Link, next: Option<&Link>, wants_value: bool) -> Place {
        match &link.kind {
            LinkKind::Member(name) => {
                let is_called = next.is_some_and(|next| matches!(next.kind, LinkKind::Call(_)));
                let is_extension = is_called && self.is_haxe && self.extended(name);
                let multi = self.open(name);
                match place {
                    Place::Super => Place::OfSuper(multi),
                    _ if is_extension => Place::Extension(multi),
                    _ => Place::Member(multi),
                }
            }
            LinkKind::Index(index) => {
                self.value(index);
                Place::Member(self.late())
            }
            LinkKind::Call(arguments) => {
                self.call(place, arguments, wants_value);
                Place::Value
            }
            LinkKind::Apply(parameters) => {
                self.apply(parameters);
                Place::Value
            }
        }
    }

    fn call(&mut self, place: &Place, arguments: &[Expression], wants_value: bool) {
        match place {
            Place::Value | Place::Local(_) => {
                self.get(place);
                self.op(Op::PushNull, 0, 1);
            }
            Place::Lexical(multi) => self.op(Op::FindPropStrict { index: multi.index }, 0, 1),
            _ => {}
        }
        arguments.iter().for_each(|argument| self.value(argument));
        let num_args = count(arguments);
        match place {
            Place::Value | Place::Local(_) => {
                self.op(Op::Call { num_args }, num_args + 2, 1);
                if !wants_value {
                    self.op(Op::Pop, 1, 0);
                }
            }
            Place::Lexical(multi) | Place::Member(multi) => self.call_property(*multi, num_args, wants_value),
            Place::Extension(multi) => self.call_property(*multi, num_args + 1, wants_value),
            Place::OfSuper(multi) if wants_value => {
                self.op(Op::CallSuper { index: multi.index, num_args }, num_args + 1, 1);
            }
            Place::OfSuper(multi) => self.op(Op::CallSuperVoid { index: multi.index, num_args }, num_args + 1, 0),
            Place::Super => {
                self.op(Op::ConstructSuper { num_args }, num_args + 1, 0);
                self.sequence(&[], wants_value);
            }
        }
    }

    /// Writes code that constructs an object of the class to which `class` evaluates.
    pub(super) fn construct(&mut self, class: &Expression, arguments: &[Expression]) {
        let num_args = count(arguments);
        let op = match self.place_of(class) {
            Place::Lexical(Multi { index, .. }) => {
                self.op(Op::FindPropStrict { index }, 0, 1);
                Op::ConstructProp { index, num_args }
            }
            Place::Member(Multi { index, is_late: false }) => Op::ConstructProp { index, num_args },
            place => {
                self.get(&place);
                Op::Construct { num_args }
            }
        };
        arguments.iter().for_each(|argument| self.value(argument));
        self.op(op, num_args + 1, 1);
    }

    /// Looks up a static extension (Haxe's `using`) for the value on the stack. If there is an extension, inserts its class below
    /// the value and returns true.
    fn extended(&mut self, name: &Name) -> bool {
        let world = self.world;
        let Some(facts) = world.using(self.number).find(|facts| facts.member(true, name).is_some()) else {
            return false;
        };
        let first = self.frame.temporary();
        self.set_local(first);
        let class = self.packaged(&facts.package, &facts.class.name);
        self.get_lex(class);
        self.get_local(first);
        self.frame.release(first);
        true
    }

    /// Writes the operands of an assignment or `delete`, and returns the place to modify.
    fn target(&mut self, target: &Expression) -> Place {
        if let Is::Cast { value, .. } = &target.kind {
            return self.target(value);
        }
        match self.place_of(target) {
            Place::Lexical(multi) => {
                self.op(Op::FindProperty { index: multi.index }, 0, 1);
                Place::Member(multi)
            }
            place => place,
        }
    }

    /// Reads a place for a compound assignment. The place's object and index stay on the stack for the assignment.
    fn get_again(&mut self, place: &Place) {
        match place {
            Place::Local(_) => {}
            Place::Member(multi) if multi.is_late => {
                let (object, index) = (self.frame.temporary(), self.frame.temporary());
                self.set_local(index);
                self.set_local(object);
                for _ in 0..2 {
                    self.get_local(object);
                    self.get_local(index);
                }
                self.frame.release(object);
                self.frame.release(index);
            }
            _ => self.op(Op::Dup, 1, 2),
        }
        self.get(place);
    }

    fn set(&mut self, place: &Place) {
        match place {
            Place::Local(local) if matches!(local.storage, Storage::Register(_)) => self.store_from(local, |_| {}),
            Place::Local(local) => {
                let value = self.frame.temporary();
                self.set_local(value);
                self.store_from(local, |emitter| emitter.get_local(value));
                self.frame.release(value);
            }
            Place::Member(multi) => self.op(Op::SetProperty { index: multi.index }, 2 + u32::from(multi.is_late), 0),
            Place::OfSuper(multi) => self.op(Op::SetSuper { index: multi.index }, 2, 0),
            // Calls and similar expressions cannot be assigned to.
            Place::Value | Place::Lexical(_) | Place::Extension(_) | Place::Super => {
                self.op(Op::Pop, 1, 0);
                self.op(Op::Pop, 1, 0);
            }
        }
    }

    /// Stores the value on the stack in a place. The value stays on the stack if `wants_value` is set.
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
        operator: Option<&Binary>,
        target: &Expression,
        value: &Expression,
        wants_value: bool,
    ) {
        let place = self.target(target);
        match (operator, &place) {
            (None, Place::Local(local)) if !wants_value => {
                return self.store_from(local, |emitter| emitter.value(value));
            }
            (None, _) => self.value(value),
            (Some(operator), _) => {
                self.get_again(&place);
                self.combine(operator, value);
            }
        }
        self.set_and_keep(&place, wants_value);
    }

    /// Pops the value on the stack and assigns it to a target.
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
            return self.set_and_keep(&place, wants_value);
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
            Place::Member(multi) | Place::OfSuper(multi) => {
                self.op(Op::DeleteProperty { index: multi.index }, 1 + u32::from(multi.is_late), 1);
            }
            Place::Local(_) => self.op(Op::PushFalse, 0, 1),
            _ => {
                self.op(Op::Pop, 1, 0);
                self.op(Op::PushFalse, 0, 1);
            }
        }
    }
}
