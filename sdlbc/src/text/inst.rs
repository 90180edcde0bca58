//! Prints single instructions as text, for the printer and the graph.

use std::collections::HashSet;
use std::fmt::Write;

use super::words::{Form, Label, leaves_out_last};
use crate::{Blocks, Function, FunctionDebug, Id, Inst, Module, Scalar, Type, TypeRule, Types};

/// The maximum length in bytes of an output name in an instruction's comment. Longer names are not shown.
const LONGEST_NAME: usize = 64;

/// A function, with the parts of its module that appear in the text of its instructions.
pub(crate) struct FunctionText<'a> {
    pub(super) index: usize,
    pub(super) function: &'a Function,
    /// The function's record of the debug table, if the record can be printed inside the function.
    pub(super) debug: Option<&'a FunctionDebug>,
    /// The index of the function's record in the debug table.
    pub(super) record: usize,
    /// The line numbers that are printed with the instructions.
    numbers: &'a [u32],
    types: Types,
    /// The ids whose names have already been printed.
    named: HashSet<Id>,
}

/// Reports whether every record of the debug table can be printed inside its function and parsed again.
pub(super) fn fit_into_functions(module: &Module) -> bool {
    let records = &module.debug.functions;
    let rising = records.windows(2).all(|pair| matches!(pair, [a, b] if a.function < b.function));
    let fits = |debug: &FunctionDebug| (debug.function as usize) < module.functions.len() && !debug.is_empty();
    rising && records.iter().all(fits)
}

impl<'a> FunctionText<'a> {
    pub(crate) fn all(module: &'a Module) -> impl Iterator<Item = FunctionText<'a>> {
        let inline = fit_into_functions(module);
        let mut records = module.debug.functions.iter().enumerate().filter(move |_| inline).peekable();
        let signatures = module.signatures();
        module.functions.iter().enumerate().map(move |(index, function)| {
            let record = records.next_if(|(_, debug)| debug.function as usize == index);
            let debug = record.map(|(_, debug)| debug);
            let lines = debug.and_then(|debug| debug.lines.as_ref());
            let shown = lines.filter(|lines| lines.numbers.len() <= function.body.insts().len());
            FunctionText {
                index,
                function,
                debug,
                record: record.map_or(0, |(at, _)| at),
                numbers: shown.map_or(&[], |lines| &lines.numbers),
                types: crate::verify::types_with(function, &signatures),
                named: HashSet::new(),
            }
        })
    }

    /// Returns the text of an instruction without its blocks, followed by a comment. `at` is the index of the instruction in
    /// reading order. Callers must call this method and [`FunctionText::head`] in reading order, because the first definition of
    /// a value shows the value's name.
    pub(crate) fn line(&mut self, inst: &Inst, at: usize) -> String {
        let (head, comment) = (self.head(inst, at), self.comment(inst));
        if comment.is_empty() { head } else { format!("{head}  ; {comment}") }
    }

    /// Returns the form in which the case values of a SWITCH are printed.
    pub(super) fn case(&self, inst: &Inst) -> Form {
        let selector = inst.inputs.first().and_then(|&id| self.types.get(id));
        if matches!(selector, Some(Type::Vector(Scalar::Uint, _))) { Form::Uint } else { Form::Case }
    }

    /// Returns the text of an instruction up to its first block.
    pub(crate) fn head(&mut self, inst: &Inst, at: usize) -> String {
        let mut head = String::new();
        // Writing to a string cannot fail.
        if inst.output.is_some() {
            let name = self.debug.and_then(|debug| debug.ids.get(inst.output));
            let _ = match name.filter(|_| self.named.insert(inst.output)) {
                Some(name) => write!(head, "{} {} = ", inst.output, Label(name)),
                None => write!(head, "{} = ", inst.output),
            };
        }
        head.push_str(inst.op.mnemonic());
        let shape = inst.op.shape();
        let inputs = match inst.inputs.split_last() {
            Some((&Id::NONE, rest)) if leaves_out_last(inst.op, inst.inputs.len()) => rest,
            _ => &inst.inputs[..],
        };
        let ids = inputs.iter().map(|&id| if id.is_some() { id.to_string() } else { "_".to_string() });
        let words = if shape.blocks == Blocks::Switch { &[] } else { &inst.immediates[..] };
        let words = words.iter().map(|&word| Form::of(inst.op).show(word));
        let operands =
            if shape.immediates_first { Vec::from_iter(words.chain(ids)) } else { ids.chain(words).collect() };
        for (at, operand) in operands.iter().enumerate() {
            head.push_str(if at == 0 { " " } else { ", " });
            head.push_str(operand);
        }
        if let Some(number) = self.numbers.get(at).filter(|&&number| number != 0) {
            let _ = write!(head, " @{number}");
        }
        head
    }

    /// Returns the comment of an instruction: the type of the result, or the name of the written output.
    pub(super) fn comment(&self, inst: &Inst) -> String {
        if inst.op.type_rule() == TypeRule::Poke && inst.inputs.len() == 1 {
            let output = inst.immediates.first().and_then(|&index| self.function.outputs.get(index as usize));
            let named = output.filter(|output| (1..=LONGEST_NAME).contains(&output.name.len()));
            return named.map(|output| Label(&output.name).to_string()).unwrap_or_default();
        }
        self.types.get(inst.output).map(|ty| ty.to_string()).unwrap_or_default()
    }
}
