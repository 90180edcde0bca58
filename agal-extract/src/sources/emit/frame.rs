//! The state of a method while its code is written: its variables, and the targets of `break` and `continue`.

use std::collections::HashMap;

use swf::avm2::types::{Op, Trait};

use crate::avm::names::qualified;
use crate::sources::emit::assembler::{Assembler, Label};
use crate::sources::syntax::Name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Register(u32),
    Slot(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) storage: Storage,
    /// The instruction that converts a value to the variable's type before a store; `None` if no conversion is needed.
    pub(super) coercion: Option<Op>,
    pub(super) name: Name,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FrameKind {
    Instance,
    Static,
    Closure,
    #[default]
    Script,
}

/// A statement that `break` or `continue` can target.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    pub(super) labels: Vec<Name>,
    pub(super) leave: Label,
    /// The target of `continue`, or `None` for a `switch` or a block.
    pub(super) again: Option<Label>,
    pub(super) depth: u32,
    pub(super) scopes: u32,
    /// Whether a `break` without a label leaves the statement.
    pub(super) is_plain: bool,
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) asm: Assembler,
    pub(super) kind: FrameKind,
    /// The variables of each open block, keyed by name. The innermost block comes last.
    pub(super) blocks: Vec<HashMap<Name, Local>>,
    pub(super) registers: u32,
    free: Vec<u32>,
    /// The position of the activation object on the scope stack, or `None` if the function needs no activation object.
    pub(super) activation: Option<u8>,
    /// The register that keeps a copy of the activation object, because an exception empties the scope stack.
    pub(super) activation_register: u32,
    pub(super) slots: Vec<Trait>,
    names: HashMap<Name, u32>,
    pub(super) jumps: Vec<Jump>,
    pub(super) labels: Vec<Name>,
    pub(super) scopes: u32,
}

impl Frame {
    pub(super) fn new(kind: FrameKind) -> Frame {
        Frame { kind, blocks: vec![HashMap::new()], registers: 1, ..Frame::default() }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Local> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    pub(super) fn register(&mut self) -> u32 {
        let register = self.registers;
        self.registers = self.registers.saturating_add(1);
        register
    }

    /// Allocates a register for a temporary value, reusing a released register if possible.
    pub(super) fn temporary(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| self.register())
    }

    pub(super) fn release(&mut self, register: u32) {
        self.free.push(register);
    }

    pub(super) fn unique(&mut self, name: &Name) -> Name {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count = count.saturating_add(1);
        if *count == 1 { name.clone() } else { format!("{name}${count}").into() }
    }

    pub(super) fn declare(&mut self, name: &Name, local: Local) -> Local {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.clone(), local.clone());
        }
        local
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Home {
    pub(super) package: Name,
    /// The enclosing class, or `None` at package level.
    pub(super) class: Option<Name>,
}

impl Home {
    pub(super) fn full(&self) -> Option<Name> {
        self.class.as_ref().map(|class| qualified(&self.package, class))
    }

    /// Returns the name that all of the class's own namespaces share, such as its private namespace.
    pub(super) fn own(&self) -> String {
        match &self.class {
            Some(class) if !self.package.is_empty() => format!("{}:{class}", self.package),
            Some(class) => class.to_string(),
            None => self.package.to_string(),
        }
    }
}
