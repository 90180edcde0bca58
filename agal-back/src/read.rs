//! Converts a program's tokens to code that operates on webs.
//!
//! Each component that a token writes begins a new web. If the branches of a conditional leave different webs in a component that
//! is read later, the two webs are joined into one. The code performs the same operations as the tokens. Rule: a program with
//! unsupported parts is not read. Unsupported parts include `ted`, a read of a component that some path leaves unwritten, and an
//! output written in a conditional.

use std::collections::BTreeMap;
use std::rc::Rc;

use agal_front::opcode::{Meaning, Operand};
use agal_front::register::File;
use agal_front::token::{Mask, Source, Token};
use agal_front::{Program, Stage};

use crate::code::{Code, Index, Inst, Lane, Part, Target, Web};

/// The web in each component of the temporaries.
type Held = BTreeMap<(u32, u8), Web>;

struct Open {
    before: Held,
    accept: Option<Held>,
}

struct Reader {
    code: Code,
    held: Held,
    open: Vec<Open>,
    /// The two webs, one from each branch of a conditional, that each joined web replaces.
    joins: BTreeMap<Web, [Web; 2]>,
}

/// Converts a program to code that operates on webs, or returns `None` if the program has unsupported parts.
pub(crate) fn read(program: &Program) -> Option<Code> {
    let code = Code::new(program.stage, program.version);
    let mut reader = Reader { code, held: Held::new(), open: Vec::new(), joins: BTreeMap::new() };
    let last = last_writes(program)?;
    for (index, token) in program.tokens.iter().enumerate() {
        reader.token(index, token, &last)?;
    }
    reader.open.is_empty().then(|| reader.join())
}

/// Returns, for each component of the outputs, the last token that writes it. Returns `None` if a conditional writes an output.
fn last_writes(program: &Program) -> Option<BTreeMap<(File, u32, u8), usize>> {
    let mut last = BTreeMap::new();
    let mut depth = 0u32;
    for (index, token) in program.tokens.iter().enumerate() {
        let row = token.row()?;
        match row.meaning {
            Meaning::If(_) => depth += 1,
            Meaning::EndIf => depth = depth.checked_sub(1)?,
            _ => {}
        }
        let dst = token.dst();
        let file = dst.register_file()?;
        if row.destination && file != File::Temporary {
            if depth > 0 {
                return None;
            }
            for component in Mask(dst.mask.0 & row.yields.0).components() {
                last.insert((file, u32::from(dst.number), component), index);
            }
        }
    }
    Some(last)
}

impl Reader {
    fn token(&mut self, index: usize, token: &Token, last: &BTreeMap<(File, u32, u8), usize>) -> Option<()> {
        let row = token.row()?;
        let mut inst = Inst::new(token.op()?, u32::try_from(index + 1).ok()?);
        match row.meaning {
            Meaning::TextureLevel => return None,
            Meaning::Else => {
                let open = self.open.last_mut()?;
                open.accept = Some(std::mem::replace(&mut self.held, open.before.clone()));
            }
            Meaning::EndIf => self.end_if()?,
            _ => {}
        }
        let dst = token.dst();
        let (file, number) = (dst.register_file()?, u32::from(dst.number));
        let is_output = file != File::Temporary;
        let live = |component: &u8| !is_output || last.get(&(file, number, *component)) == Some(&index);
        let components: Vec<u8> = match row.destination {
            true => Mask(dst.mask.0 & row.yields.0).components().filter(live).collect(),
            false => Vec::new(),
        };
        if row.destination && components.is_empty() {
            return Some(());
        }
        let matrix_rows = if let Meaning::Matrix { rows, .. } = row.meaning { rows } else { 4 };
        if components.iter().any(|&component| component >= matrix_rows) {
            return None;
        }
        for slot in 0..2 {
            let lanes = self.lanes(token, slot, &inst, &components)?;
            if let Some(held) = inst.sources.get_mut(slot) {
                *held = lanes;
            }
        }
        if row.sources[1] == Operand::Sampler {
            // In a conditional, the level of detail depends on the coordinate register's content before the conditional.
            if !self.open.is_empty() && inst.sources[0].iter().any(|lane| lane.web().is_some()) {
                return None;
            }
            inst.sampler = token.sources[1];
        }
        if matches!(row.meaning, Meaning::If(_)) {
            self.open.push(Open { before: self.held.clone(), accept: None });
        }
        for component in components {
            let web = if is_output { 0 } else { self.code.web() };
            inst.parts.push(Part { web, component });
            if !is_output {
                self.held.insert((number, component), web);
            }
        }
        if row.destination {
            inst.target = if is_output { Target::Output(file, number) } else { Target::Webs };
        }
        self.code.insts.push(inst.into());
        Some(())
    }

    fn end_if(&mut self) -> Option<()> {
        let Open { before, accept } = self.open.pop()?;
        let other = accept.unwrap_or(before);
        let held = std::mem::take(&mut self.held);
        for (place, web) in held {
            // A component that one path leaves unwritten must not be read.
            let Some(&second) = other.get(&place) else { continue };
            let mut joined = web;
            if web != second {
                joined = self.code.web();
                self.joins.insert(joined, [web, second]);
            }
            self.held.insert(place, joined);
        }
        Some(())
    }

    fn lanes(&self, token: &Token, slot: usize, inst: &Inst, components: &[u8]) -> Option<Vec<Lane>> {
        let row = token.row()?;
        let source = token.src(slot);
        let all = |width: u8| (0..width).collect::<Vec<u8>>();
        let slots = match (row.source(slot), row.meaning) {
            (Operand::None | Operand::Sampler, _) => return Some(Vec::new()),
            (Operand::Coordinate, _) => all(token.sampler().coordinate_components()),
            (_, Meaning::If(_) | Meaning::Kill) => all(1),
            (Operand::Matrix, Meaning::Matrix { width, .. }) => {
                let slots = components.iter().flat_map(|&row| (0..width).map(move |slot| (row, slot)));
                let lane = |(row, slot): (u8, u8)| self.lane(source, row.into(), source.swizzle.component(slot));
                return slots.map(lane).collect();
            }
            (_, Meaning::Dot(width) | Meaning::Matrix { width, .. }) => all(width),
            (_, Meaning::Normalize) => all(3),
            (_, Meaning::Cross) => {
                // A component that the cross product does not need may be unwritten, so the operand reads a needed component
                // instead.
                let needed = Mask(components.iter().fold(0, |set, at| set | 1 << at)).of_cross();
                let first = needed.components().next()?;
                all(3).into_iter().map(|slot| if needed.has(slot) { slot } else { first }).collect()
            }
            _ if inst.is_componentwise() => components.to_vec(),
            _ => return None,
        };
        slots.into_iter().map(|slot| self.lane(source, 0, source.swizzle.component(slot))).collect()
    }

    fn lane(&self, source: Source, row: u32, component: u8) -> Option<Lane> {
        let number = u32::from(source.number);
        if source.indirect {
            if self.code.stage != Stage::Vertex || source.register_file() != Some(File::Constant) {
                return None;
            }
            let index = match source.index_register_file()? {
                File::Temporary => Index::Web(*self.held.get(&(number, source.index_component))?),
                file => Index::Register(file, number, source.index_component),
            };
            let offset = u8::try_from(u32::from(source.offset) + row).ok()?;
            return Some(Lane::Element(index, offset, component));
        }
        match source.register_file()? {
            File::Temporary => self.held.get(&(number + row, component)).map(|&web| Lane::Web(web)),
            file => Some(Lane::Register(file, number + row, component)),
        }
    }

    /// Merges each joined web with the two webs that it replaces, provided that an instruction reads the joined web.
    fn join(mut self) -> Code {
        let mut of: Vec<Web> = (0..self.code.webs).collect();
        let root = |of: &[Web], mut web: Web| {
            while let Some(&next) = of.get(web as usize).filter(|&&next| next != web) {
                web = next;
            }
            web
        };
        let mut waiting: Vec<Web> = self.code.insts.iter().flat_map(|inst| inst.read()).collect();
        while let Some(web) = waiting.pop() {
            let Some(both) = self.joins.remove(&web) else { continue };
            for other in both {
                let (from, to) = (root(&of, other), root(&of, web));
                if let Some(place) = of.get_mut(from as usize) {
                    *place = to;
                }
                waiting.push(other);
            }
        }
        for inst in &mut self.code.insts {
            let inst = Rc::make_mut(inst);
            inst.parts.iter_mut().for_each(|part| part.web = root(&of, part.web));
            for lane in inst.sources.iter_mut().flatten() {
                match lane {
                    Lane::Web(web) | Lane::Element(Index::Web(web), ..) => *web = root(&of, *web),
                    _ => {}
                }
            }
        }
        self.code
    }
}
