//! IF to SELECT: a conditional that only chooses between values that are cheap to compute becomes the computation of both and a
//! SELECT for each PHI.
//!
//! Requires nothing. Keeps types. Breaks nothing. Only operations without effect leave a conditional; derivatives and samples, which
//! depend on control flow, do not.

use sdlbc::{Block, Few, Id, Inst, InstRef, Op, Type, flow};

use crate::kinds::Ops;
use crate::{Analyses, Body, Changed, Pass};

/// See the file.
pub(crate) struct Selects;

/// The highest total cost of both blocks.
const COST: usize = 3;

/// The highest number of PHIs.
const PHIS: usize = 2;

impl Pass for Selects {
    fn name(&self) -> &'static str {
        "select"
    }

    fn run(&self, body: &mut Body, _: &mut Analyses) -> Changed {
        if !body.has(Ops::of(&[Op::If])) || !any(body.function().body.block(), body) {
            return Changed::No;
        }
        let mut writer = Writer { body, code: sdlbc::Body::default(), lines: Vec::new(), next: 0 };
        writer.block(body.function().body.block());
        let Writer { code, lines, .. } = writer;
        body.set_code(code, lines);
        Changed::Yes
    }
}

/// Whether any conditional in a block, or in the blocks of its instructions, may be replaced.
fn any(block: Block<'_>, body: &Body) -> bool {
    block.iter().any(|inst| may_choose(inst, body) || inst.blocks().any(|block| any(block, body)))
}

/// The PHIs after a conditional.
fn phis(inst: InstRef<'_>) -> &[Inst] {
    let after = inst.following().all();
    after.get(..flow::phis(after)).unwrap_or_default()
}

/// Whether a conditional only chooses between cheap values.
fn may_choose(inst: InstRef<'_>, body: &Body) -> bool {
    if inst.op != Op::If {
        return false;
    }
    let phis = phis(inst);
    let is_vector = |id: Id| matches!(body.ty(id), Some(Type::Vector(..)));
    let total = inst.inner().iter().map(|inst| cost(inst, body)).fold(0, usize::saturating_add);
    (1..=PHIS).contains(&phis.len())
        && phis.iter().all(|phi| phi.op == Op::Phi && is_vector(phi.output) && phi.inputs.iter().all(|id| id.is_some()))
        && total <= COST
}

/// The cost of computing a value that may not be needed.
fn cost(inst: &Inst, body: &Body) -> usize {
    match inst.op {
        Op::Peek if inst.inputs.first().is_some_and(|&of| body.is_slot(of)) => usize::MAX,
        Op::Peek if inst.inputs.get(1) == Some(&Id::NONE) => 0,
        Op::Swizzle | Op::Vector => 0,
        Op::LiteralBool | Op::LiteralFloat | Op::LiteralInt | Op::LiteralUint | Op::LiteralFloat4 | Op::LiteralInt4 => {
            0
        }
        Op::Add | Op::Subtract | Op::Multiply | Op::Negate | Op::Abs | Op::Min | Op::Max | Op::Clamp => 1,
        Op::Not | Op::LogicalAnd | Op::LogicalOr | Op::Convert | Op::Floor | Op::Fract | Op::Select => 1,
        Op::Equal | Op::NotEqual => 1,
        Op::LessThan | Op::LessThanOrEqual | Op::GreaterThan | Op::GreaterThanOrEqual => 1,
        _ => usize::MAX,
    }
}

/// Writes the code anew.
struct Writer<'a> {
    body: &'a Body,
    code: sdlbc::Body,
    lines: Vec<u32>,
    /// The place of the next instruction in the old code.
    next: usize,
}

impl Writer<'_> {
    fn push(&mut self, inst: &Inst) {
        self.lines.push(self.body.line(self.next));
        self.code.push(inst.clone());
        self.next += 1;
    }

    fn block(&mut self, block: Block<'_>) {
        let mut rest = block.iter();
        while let Some(inst) = rest.next() {
            if inst.blocks().is_empty() {
                self.push(inst.inst());
                continue;
            }
            if !may_choose(inst, self.body) {
                let at = self.code.open(inst.inst().clone());
                self.lines.push(self.body.line(self.next));
                self.next += 1;
                for inner in inst.blocks() {
                    self.block(inner);
                    self.code.end_block(at);
                }
                continue;
            }
            self.next += 1;
            inst.inner().iter().for_each(|inst| self.push(inst));
            let condition = inst.inputs.first().copied().unwrap_or_default();
            for phi in phis(inst) {
                let inputs: Few<Id> = std::iter::once(condition).chain(phi.inputs.iter().copied()).collect();
                self.push(&Inst::new(Op::Select, phi.output, &inputs, &[]));
                rest.next();
            }
        }
    }
}
