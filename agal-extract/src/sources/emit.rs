//! Translates syntax trees to ABC, using the instructions that Adobe's compilers write.
//!
//! Each source becomes a unit with one script. A variable becomes a register, or a slot of an activation object if its function
//! contains nested functions. Names that are not variables are looked up at run time.

mod assembler;
mod classes;
mod expressions;
mod frame;
mod functions;
mod loops;
mod names;
mod places;
mod pool;
mod statements;
mod switches;
mod world;

use std::collections::{BTreeMap, HashMap};

use swf::avm2::types::{AbcFile, Index, NamespaceSet, Op, Script, Trait};

use crate::sources::emit::assembler::Label;
use crate::sources::emit::frame::{Frame, Home};
use crate::sources::emit::pool::{Multi, Pool};
use crate::sources::emit::world::World;
use crate::sources::syntax::{Module, Name};
use crate::sources::{SourceWarning, Unit};

/// The major and minor version number of the ABC format, as introduced by Flash Player 9.
const VERSION: (u16, u16) = (46, 16);

pub(super) fn emit(modules: &[(Option<usize>, Module)], warnings: &mut Vec<SourceWarning>) -> Vec<Unit> {
    let world = World::new(modules);
    let mut units = Vec::new();
    for (number, (file, module)) in modules.iter().enumerate() {
        let mut emitter = Emitter::new(&world, number, module.is_haxe);
        let init_method = emitter.module(module);
        warnings.extend(emitter.too_long.iter().map(|line| SourceWarning {
            file: file.unwrap_or_default(),
            line: *line,
            column: 1,
            message: "this function is too long and is left out".into(),
        }));
        let script = Script { init_method, traits: emitter.definitions };
        let abc = AbcFile { constant_pool: emitter.pool.constants, scripts: vec![script], ..emitter.abc };
        units.push(Unit { file: *file, abc, lines: emitter.lines });
    }
    units
}

pub(super) struct Emitter<'a> {
    world: &'a World<'a>,
    number: usize,
    is_haxe: bool,
    pool: Pool,
    abc: AbcFile,
    /// The source line of each instruction, keyed by method index and byte offset.
    lines: BTreeMap<(u32, u32), u32>,
    definitions: Vec<Trait>,
    /// The number of classes emitted so far under each name.
    taken: HashMap<Name, u32>,
    /// The namespaces that the module opens with `use namespace`.
    namespaces: Vec<Name>,
    home: Home,
    /// The cached set of namespaces that are open in the current definition.
    open: Option<Index<NamespaceSet>>,
    frame: Frame,
    /// The frames of the enclosing methods, from the outermost to the innermost.
    outer: Vec<Frame>,
    too_long: Vec<u32>,
}

impl<'a> Emitter<'a> {
    fn new(world: &'a World<'a>, number: usize, is_haxe: bool) -> Emitter<'a> {
        Emitter {
            world,
            number,
            is_haxe,
            pool: Pool::default(),
            abc: AbcFile {
                major_version: VERSION.0,
                minor_version: VERSION.1,
                constant_pool: Pool::default().constants,
                methods: Vec::new(),
                metadata: Vec::new(),
                instances: Vec::new(),
                classes: Vec::new(),
                scripts: Vec::new(),
                method_bodies: Vec::new(),
            },
            lines: BTreeMap::new(),
            definitions: Vec::new(),
            taken: HashMap::new(),
            namespaces: Vec::new(),
            home: Home::default(),
            open: None,
            frame: Frame::default(),
            outer: Vec::new(),
            too_long: Vec::new(),
        }
    }

    fn op(&mut self, op: Op, takes: u32, puts: u32) {
        self.frame.asm.op(&op, takes, puts);
    }

    fn label(&mut self) -> Label {
        self.frame.asm.label()
    }

    fn place(&mut self, label: Label) {
        self.frame.asm.place(label);
    }

    fn jump(&mut self, label: Label) {
        self.frame.asm.branch(|offset| Op::Jump { offset }, 0, label);
    }

    fn jump_if(&mut self, sense: bool, label: Label) {
        let make = if sense { |offset| Op::IfTrue { offset } } else { |offset| Op::IfFalse { offset } };
        self.frame.asm.branch(make, 1, label);
    }

    /// Sets the source line of the following instructions, and returns the previous line.
    fn at_line(&mut self, line: u32) -> u32 {
        std::mem::replace(&mut self.frame.asm.line, line)
    }

    fn get_local(&mut self, index: u32) {
        self.op(Op::GetLocal { index }, 0, 1);
    }

    fn set_local(&mut self, index: u32) {
        self.op(Op::SetLocal { index }, 1, 0);
    }

    fn get_property(&mut self, name: Multi) {
        self.op(Op::GetProperty { index: name.index }, 1 + u32::from(name.is_late), 1);
    }

    fn call_property(&mut self, name: Multi, num_args: u32, wants_value: bool) {
        let takes = 1 + num_args + u32::from(name.is_late);
        if wants_value {
            self.op(Op::CallProperty { index: name.index, num_args }, takes, 1);
        } else {
            self.op(Op::CallPropVoid { index: name.index, num_args }, takes, 0);
        }
    }

    fn get_lex(&mut self, name: Multi) {
        self.op(Op::GetLex { index: name.index }, 0, 1);
    }

    fn push_string(&mut self, text: &str) {
        let value = self.pool.string(text);
        self.op(Op::PushString { value }, 0, 1);
    }

    fn push_int(&mut self, value: i32) {
        let op = match (u8::try_from(value), i16::try_from(value)) {
            (Ok(value), _) if value < 128 => Op::PushByte { value },
            (_, Ok(value)) => Op::PushShort { value },
            _ => Op::PushInt { value: self.pool.int(value) },
        };
        self.op(op, 0, 1);
    }

    fn push_number(&mut self, value: f64) {
        match integer(value) {
            Some(value) => self.push_int(value),
            None if value.is_nan() => self.op(Op::PushNaN, 0, 1),
            None => {
                let value = self.pool.double(value);
                self.op(Op::PushDouble { value }, 0, 1);
            }
        }
    }
}

/// Converts a number to an `i32` without loss. Returns `None` for negative zero, fractions and numbers out of range.
fn integer(value: f64) -> Option<i32> {
    let is_integer = value.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    #[expect(clippy::cast_possible_truncation, reason = "the value is an integer in the range of an i32")]
    (is_integer && !is_negative_zero).then_some(value as i32)
}
