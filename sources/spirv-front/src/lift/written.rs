//! The registers that statements may write, which a loop or switch needs before its statements are lifted.

use std::collections::BTreeSet;

use rspirv::spirv::{GlslStd450Op, Op, StorageClass};
use sdlbc::lifting::Value;

use super::Lifter;
use super::pointer::{Place, Reference, Root};
use crate::structure::Stmt;
use crate::words::Inst;

impl<'m> Lifter<'_, 'm> {
    /// Returns the registers that statements may write.
    pub(super) fn written(&self, stmts: &[&[Stmt]]) -> Vec<usize> {
        let mut registers = BTreeSet::new();
        let Some(frame) = self.frame() else { return Vec::new() };
        for stmt in stmts.iter().copied().flatten() {
            stmt.each(&mut |stmt| match *stmt {
                Stmt::Code(number) => {
                    let insts =
                        frame.function.blocks.get(number).map(|block| block.insts.as_slice()).unwrap_or_default();
                    insts.iter().for_each(|inst| self.add_written(inst, &mut registers));
                }
                Stmt::Edge(_, to) => {
                    let phis = frame.function.blocks.get(to).map(|block| block.phis.as_slice()).unwrap_or_default();
                    phis.iter().for_each(|phi| self.add_register(phi.id, &mut registers));
                }
                Stmt::Jump(target) => registers.extend(self.flag_of(target)),
                Stmt::Return(_) | Stmt::Unreachable => {
                    if let Some((result, returned)) = frame.inlined {
                        registers.insert(returned);
                        result.iter().for_each(|&result| self.lifting.add_registers(result, &[], &mut registers));
                    }
                }
                _ => {}
            });
        }
        registers.into_iter().collect()
    }

    fn add_register(&self, id: u32, registers: &mut BTreeSet<usize>) {
        if let Some(&(variable, _)) = self.frame().and_then(|frame| frame.registers.get(&id)) {
            self.lifting.add_registers(variable, &[], registers);
        }
    }

    fn add_written(&self, inst: &Inst<'m>, registers: &mut BTreeSet<usize>) {
        self.add_register(inst.id, registers);
        match (inst.op, inst.args) {
            (Op::Store | Op::CopyMemory, &[pointer, ..]) => self.add_pointer(pointer, registers),
            (Op::ExtInst, &[_, number, _, pointer, ..])
                if [GlslStd450Op::Modf, GlslStd450Op::Frexp].iter().any(|op| *op as u32 == number) =>
            {
                self.add_pointer(pointer, registers);
            }
            (Op::DemoteToHelperInvocation, _) => registers.extend(self.demoted),
            (Op::FunctionCall, &[function, ref arguments @ ..]) => {
                for &argument in arguments {
                    self.add_pointer(argument, registers);
                }
                let module = self.module();
                registers.extend(self.demoted);
                for callee in module.reachable(function) {
                    let blocks = module.functions.get(&callee).map(|of| of.blocks.as_slice()).unwrap_or_default();
                    for inst in blocks.iter().flat_map(|block| &block.insts) {
                        let ids = inst.args.iter().filter(|id| self.globals.contains_key(id));
                        for &id in ids {
                            self.add_global(id, registers);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn add_global(&self, id: u32, registers: &mut BTreeSet<usize>) {
        let class = self.module().globals.get(&id).map(|global| global.class);
        if let (Some(&number), Some(StorageClass::Private | StorageClass::Output)) = (self.globals.get(&id), class) {
            self.lifting.add_registers(number, &[], registers);
        }
    }

    /// Adds the registers of the variable to which a pointer points. Pointers computed in the statements have no value yet, so the variable
    /// is found through the instructions that compute them.
    fn add_pointer(&self, pointer: u32, registers: &mut BTreeSet<usize>) {
        let Some(frame) = self.frame() else { return };
        let mut root = pointer;
        for _ in 0..64 {
            if let Some(Value::Reference(number)) = frame.values.get(&root)
                && let Some(Reference::Place(Place { root: Root::Variable(number), .. })) = self.references.get(*number)
            {
                return self.lifting.add_registers(*number, &[], registers);
            }
            if self.globals.contains_key(&root) {
                return self.add_global(root, registers);
            }
            match frame.bases.get(&root) {
                Some(&base) => root = base,
                None => return,
            }
        }
    }
}
