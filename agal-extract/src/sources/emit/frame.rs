//! A method while its code is written: its variables, and where `break` and `continue` go.

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
    /// The instruction that makes a value what the variable can have, before it is stored.
    pub(super) coercion: Option<Op>,
    /// Its name in the activation object.
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

/// Where `break` and `continue` go.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    pub(super) labels: Vec<Name>,
    pub(super) leave: Label,
    /// None for a `switch` or a block, which cannot be gone on with.
    pub(super) again: Option<Label>,
    /// The depth of the stack there.
    pub(super) depth: u32,
    /// How many scopes are on the scope stack there.
    pub(super) scopes: u32,
    /// Whether a `break` without a label leaves it.
    pub(super) is_plain: bool,
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) asm: Assembler,
    pub(super) kind: FrameKind,
    /// Variables by their names, the innermost block last.
    pub(super) blocks: Vec<HashMap<Name, Local>>,
    pub(super) registers: u32,
    free: Vec<u32>,
    /// The position of the activation object on the scope stack, if there is one.
    pub(super) activation: Option<u8>,
    /// The register that holds it too, since an exception empties the scope stack.
    pub(super) activation_register: u32,
    pub(super) slots: Vec<Trait>,
    names: HashMap<Name, u32>,
    pub(super) jumps: Vec<Jump>,
    /// The labels that stand before the next statement.
    pub(super) labels: Vec<Name>,
    /// How many scopes are on the scope stack.
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

    /// A register for a value that is needed for a moment.
    pub(super) fn temporary(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| self.register())
    }

    pub(super) fn release(&mut self, register: u32) {
        self.free.push(register);
    }

    /// A name in the activation object that no other variable has.
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

/// Where a definition stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Home {
    pub(super) package: Name,
    /// The class, if it is in one.
    pub(super) class: Option<Name>,
}

impl Home {
    /// The name of the class with its package.
    pub(super) fn full(&self) -> Option<Name> {
        self.class.as_ref().map(|class| qualified(&self.package, class))
    }

    /// The name of the namespaces that are the class's own.
    pub(super) fn own(&self) -> String {
        match &self.class {
            Some(class) if !self.package.is_empty() => format!("{}:{class}", self.package),
            Some(class) => class.to_string(),
            None => self.package.to_string(),
        }
    }
}
