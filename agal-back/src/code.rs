//! The back end's intermediate code: AGAL operations on webs, before register allocation.
//!
//! A *web* is one component of a value that the program computes. Register allocation (`place.rs`) assigns each web a component
//! of a temporary. An operand is a list of lanes, one for each component that the operation computes or reads. Rule: the lanes of
//! an operand lie in one register, because a token names one register and a swizzle. An operand therefore never combines two
//! registers, or a web and a register. A web with a single writer never changes its value, as in SSA form. Only a web that joins
//! the values of a conditional's branches has several writers.

use std::rc::Rc;

use agal_front::Stage;
use agal_front::opcode::{Meaning, Opcode};
use agal_front::register::File;

/// The number of a web. A web is one component of a value that the program computes.
pub(crate) type Web = u32;

/// A component that an operand reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lane {
    Web(Web),
    /// A component of a read-only register: the register's file, its index, and the component.
    Register(File, u32, u8),
    /// A component of a constant register at a computed index: the index, the offset added to the index, and the component.
    Element(Index, u8, u8),
    /// The bits of a float literal that has not been assigned a constant register yet.
    Literal(u32),
}

/// The computed index of a constant register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Index {
    Web(Web),
    Register(File, u32, u8),
}

impl Lane {
    /// Returns the web that the lane reads, directly or as an index.
    pub(crate) fn web(self) -> Option<Web> {
        match self {
            Lane::Web(web) | Lane::Element(Index::Web(web), ..) => Some(web),
            _ => None,
        }
    }

    /// Returns the lane with `web` replaced by `by`, or `None` if the lane uses `web` as an index and `by` cannot be an index.
    pub(crate) fn replaced(self, web: Web, by: Lane) -> Option<Lane> {
        match (self, by) {
            (Lane::Web(read), _) if read == web => Some(by),
            (Lane::Element(Index::Web(read), offset, component), by) if read == web => {
                let index = match by {
                    Lane::Web(web) => Index::Web(web),
                    Lane::Register(file @ (File::Attribute | File::Constant), number, component) => {
                        Index::Register(file, number, component)
                    }
                    _ => return None,
                };
                Some(Lane::Element(index, offset, component))
            }
            _ => Some(self),
        }
    }

    pub(crate) fn is_constant(self) -> bool {
        matches!(self, Lane::Register(File::Constant, ..) | Lane::Element(..) | Lane::Literal(_))
    }

    pub(crate) fn literal(self) -> Option<u32> {
        if let Lane::Literal(word) = self { Some(word) } else { None }
    }

    pub(crate) fn is(self, number: f32) -> bool {
        self == Lane::Literal(number.to_bits())
    }
}

/// Reports whether a single operand can read all the lanes.
pub(crate) fn in_one_register(lanes: &[Lane]) -> bool {
    let Some((first, rest)) = lanes.split_first() else { return true };
    rest.iter().all(|lane| match (first, lane) {
        (Lane::Web(_), Lane::Web(_)) | (Lane::Literal(_), Lane::Literal(_)) => true,
        (Lane::Register(file, number, _), Lane::Register(other, same, _)) => (file, number) == (other, same),
        (Lane::Element(index, offset, _), Lane::Element(other, same, _)) => (index, offset) == (other, same),
        _ => false,
    })
}

/// The destination of an instruction's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Nothing,
    Webs,
    /// An output register of the program: file and register index.
    Output(File, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The web that the instruction writes, or 0 if the instruction writes an output.
    pub(crate) web: Web,
    /// The component of the destination register, for outputs and for operations that write each result to a fixed component.
    pub(crate) component: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inst {
    pub(crate) op: Opcode,
    pub(crate) target: Target,
    pub(crate) parts: Vec<Part>,
    /// The lanes of each operand. A componentwise operation has one lane for each part (component of the result), and any other
    /// operation has one lane for each slot that the operation reads. A matrix operand lists the lanes of its rows in order, one
    /// row for each part.
    pub(crate) sources: [Vec<Lane>; 2],
    pub(crate) sampler: u64,
    /// The number of the source line, token or module instruction from which the instruction was created, counted from 1.
    pub(crate) line: u32,
}

impl Inst {
    pub(crate) fn new(op: Opcode, line: u32) -> Inst {
        Inst { op, target: Target::Nothing, parts: Vec::new(), sources: [Vec::new(), Vec::new()], sampler: 0, line }
    }

    pub(crate) fn meaning(&self) -> Meaning {
        self.op.row().meaning
    }

    /// Reports whether each component of the result depends only on the same component of the operands.
    pub(crate) fn is_componentwise(&self) -> bool {
        matches!(
            self.meaning(),
            Meaning::Move
                | Meaning::Componentwise(_)
                | Meaning::OfAbsolute(_)
                | Meaning::Reciprocal
                | Meaning::Power
                | Meaning::Saturate
                | Meaning::Compare(_)
                | Meaning::Derivative(_)
        )
    }

    /// Reports whether the operation writes each result to a fixed component of the destination register.
    pub(crate) fn has_places(&self) -> bool {
        matches!(
            self.meaning(),
            Meaning::Texture | Meaning::TextureLevel | Meaning::Matrix { .. } | Meaning::Normalize | Meaning::Cross
        )
    }

    /// Returns the number of components in a matrix row, or 0 if the operation has no matrix.
    pub(crate) fn row_width(&self) -> usize {
        match self.meaning() {
            Meaning::Matrix { width, .. } => usize::from(width),
            _ => 0,
        }
    }

    pub(crate) fn is_control(&self) -> bool {
        matches!(self.meaning(), Meaning::If(_) | Meaning::Else | Meaning::EndIf)
    }

    pub(crate) fn is_if(&self) -> bool {
        matches!(self.meaning(), Meaning::If(_))
    }

    pub(crate) fn written(&self) -> impl Iterator<Item = Web> {
        let webs = if self.target == Target::Webs { &self.parts[..] } else { &[] };
        webs.iter().map(|part| part.web)
    }

    /// Returns the webs that the instruction reads, possibly with repetitions.
    pub(crate) fn read(&self) -> impl Iterator<Item = Web> {
        self.sources.iter().flatten().filter_map(|lane| lane.web())
    }

    /// Removes the parts for which `keep` returns false, and the lanes that only those parts need.
    pub(crate) fn keep_parts(&mut self, keep: impl Fn(&Part) -> bool) {
        let flags: Vec<bool> = self.parts.iter().map(keep).collect();
        if !flags.contains(&false) {
            return;
        }
        let each = if self.is_componentwise() { [1, 1] } else { [0, self.row_width()] };
        for (lanes, each) in self.sources.iter_mut().zip(each) {
            if each > 0 {
                let mut flags = flags.iter().flat_map(|&flag| std::iter::repeat_n(flag, each));
                lanes.retain(|_| flags.next().unwrap_or(true));
            }
        }
        let mut flags = flags.into_iter();
        self.parts.retain(|_| flags.next().unwrap_or(true));
    }

    /// Reports whether a token can encode the instruction. Each operand must lie in one register, and the rows of a matrix must
    /// lie in consecutive registers. The operands of most operations must not all be constants. At most one operand may be a
    /// constant at a computed index, and only in a vertex program.
    pub(crate) fn is_legal(&self, stage: Stage) -> bool {
        let [a, b] = &self.sources;
        let is_matrix = self.row_width() > 0;
        if !in_one_register(a) || !is_matrix && !in_one_register(b) || is_matrix && !self.has_rows() {
            return false;
        }
        let constant = |lanes: &[Lane]| lanes.first().is_some_and(|lane| lane.is_constant());
        let element = |lanes: &[Lane]| matches!(lanes.first(), Some(Lane::Element(..)));
        if (element(a) || element(b)) && stage == Stage::Fragment || element(a) && element(b) {
            return false;
        }
        match self.meaning() {
            Meaning::Move => true,
            Meaning::Texture | Meaning::TextureLevel => !element(a),
            Meaning::If(_) => a != b,
            _ => !(constant(a) && (b.is_empty() || constant(b))),
        }
    }

    /// Reports whether the rows of the matrix are either consecutive registers or all webs.
    fn has_rows(&self) -> bool {
        let rows = self.sources[1].chunks(self.row_width().max(1));
        let mut first = None;
        rows.zip(&self.parts).all(|(row, part)| {
            let base = match row.first() {
                Some(&Lane::Register(file, number, _)) => (Some(file), None, i64::from(number)),
                Some(&Lane::Element(index, offset, _)) => (None, Some(index), i64::from(offset)),
                Some(Lane::Web(_)) => {
                    return in_one_register(row) && *first.get_or_insert((None, None, -1)) == (None, None, -1);
                }
                Some(Lane::Literal(_)) | None => return false,
            };
            let base = (base.0, base.1, base.2 - i64::from(part.component));
            let in_order = row.iter().zip(0u8..).all(|(lane, at)| match *lane {
                Lane::Register(_, _, component) | Lane::Element(_, _, component) => component == at,
                Lane::Web(_) | Lane::Literal(_) => false,
            });
            base.2 >= 0 && in_one_register(row) && in_order && *first.get_or_insert(base) == base
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) stage: Stage,
    pub(crate) version: u32,
    /// The instructions, in shared pointers: each change is tried on a copy of the code, and most instructions of the copy stay
    /// the same.
    pub(crate) insts: Vec<Rc<Inst>>,
    /// The number of webs, which are numbered from 0.
    pub(crate) webs: u32,
}

impl Code {
    pub(crate) fn new(stage: Stage, version: u32) -> Code {
        Code { stage, version, insts: Vec::new(), webs: 0 }
    }

    /// Returns the index of the first adjacent pair of instructions for which `is` returns true.
    pub(crate) fn pair(&self, is: impl Fn(&Inst, &Inst) -> bool) -> Option<usize> {
        self.insts.windows(2).position(|pair| matches!(pair, [first, second] if is(first, second)))
    }

    pub(crate) fn web(&mut self) -> Web {
        self.webs += 1;
        self.webs - 1
    }

    /// Returns, for each web, the number of instructions that write it.
    pub(crate) fn writers(&self) -> Table {
        Table::counting(self.webs, self.insts.iter().flat_map(|inst| inst.written()))
    }

    /// Returns, for each web, the number of lanes that read it.
    pub(crate) fn readers(&self) -> Table {
        Table::counting(self.webs, self.insts.iter().flat_map(|inst| inst.read()))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Table(Vec<u32>);

impl Table {
    pub(crate) fn new(webs: u32) -> Table {
        Table(vec![0; webs as usize])
    }

    fn counting(webs: u32, all: impl Iterator<Item = Web>) -> Table {
        let mut count = Table::new(webs);
        all.for_each(|web| count.set(web, count.get(web) + 1));
        count
    }

    pub(crate) fn get(&self, web: Web) -> u32 {
        self.0.get(web as usize).copied().unwrap_or_default()
    }

    pub(crate) fn set(&mut self, web: Web, number: u32) {
        if let Some(held) = self.0.get_mut(web as usize) {
            *held = number;
        }
    }
}
