//! State of a method while its code is written: its variables, and the targets of `break` and `continue`.

use std::collections::HashMap;

use swf::avm2::types::{Op, Trait};

use crate::avm::names::qualified;
use crate::sources::emit::assembler::{Assembler, Label};
use crate::sources::syntax::Name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Register(u32),
    /// A slot of the activation object.
    Slot(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) storage: Storage,
    /// Instruction that converts a value to the variable's type before it is stored.
    pub(super) coercion: Option<Op>,
    /// Name of the variable in the activation object.
    pub(super) name: Name,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A method of an instance, or its constructor.
    Instance,
    /// A static method, or a class's initialiser.
    Static,
    /// A function in a function.
    Closure,
    /// A function of a package, or the code of a script.
    #[default]
    Script,
}

/// Targets of `break` and `continue`.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    pub(super) labels: Vec<Name>,
    pub(super) leave: Label,
    /// Target of `continue`. `None` for a `switch` or a block.
    pub(super) again: Option<Label>,
    /// Depth of the stack at the targets.
    pub(super) depth: u32,
    /// Number of scopes on the scope stack at the targets.
    pub(super) scopes: u32,
    /// Whether a `break` without a label leaves the statement.
    pub(super) is_plain: bool,
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) asm: Assembler,
    pub(super) kind: FrameKind,
    /// Variables of each block by their names. The innermost block is last.
    pub(super) blocks: Vec<HashMap<Name, Local>>,
    pub(super) registers: u32,
    free: Vec<u32>,
    /// The position of the activation object on the scope stack, if there is one.
    pub(super) activation: Option<u8>,
    /// Register that contains the activation object too, because an exception empties the scope stack.
    pub(super) activation_register: u32,
    pub(super) slots: Vec<Trait>,
    names: HashMap<Name, u32>,
    pub(super) jumps: Vec<Jump>,
    /// Labels of the next statement.
    pub(super) labels: Vec<Name>,
    /// Number of scopes on the scope stack.
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

    /// A register for a temporary value.
    pub(super) fn temporary(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| self.register())
    }

    pub(super) fn release(&mut self, register: u32) {
        self.free.push(register);
    }

    /// A name that differs from the names of all other variables in the activation object.
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

/// Package and class of a definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Home {
    pub(super) package: Name,
    /// The class that contains the definition, if a class does.
    pub(super) class: Option<Name>,
}

impl Home {
    /// Qualified name of the class.
    pub(super) fn full(&self) -> Option<Name> {
        self.class.as_ref().map(|class| qualified(&self.package, class))
    }

    /// Name of the class's own namespaces, such as the private one.
    pub(super) fn own(&self) -> String {
        match &self.class {
            Some(class) if !self.package.is_empty() => format!("{}:{class}", self.package),
            Some(class) => class.to_string(),
            None => self.package.to_string(),
        }
    }
}
