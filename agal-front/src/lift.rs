//! Lifts an AGAL program to a function of an SDLSHADERBC module.
//!
//! The lifter visits the program once, token by token. The lifter's register file maps each component to a lane of a value
//! ([`sdlbc::ssa`]), so `mov` emits no instruction. The program must be free of errors that the caller cannot allow (see
//! [`crate::check`]). The lifter computes only the components on which an output or a `kil` depends.

mod compute;
mod lanes;
mod read;
mod texture;

use std::collections::BTreeMap;

use sdlbc::builder::{Finished, Lane};
use sdlbc::name::Name;
use sdlbc::ssa::Registers;
use sdlbc::{
    Builder, Few, FunctionDebug, FunctionKind, FunctionOutput, Id, Interpolation, Module, Op, OutputKind, Type,
};

use crate::disassemble::{register, register_name};
use crate::examine::{examine, is_sound};
use crate::finding::{Finding, FindingPlace, Kind, token_number};
use crate::flow::{self, DISCARD_FLAG, REGISTERS, Register, outputs, register_index};
use crate::kept::Findings;
use crate::live::{Liveness, liveness, wanted};
use crate::opcode::Meaning;
use crate::program::Program;
use crate::register::{File, Stage};
use crate::rules::Rules;
use crate::token::{Mask, Sampler, Token};
use lanes::{Lanes, Read};

sdlbc::options! {
    /// Options of translation. Some options select one of several interpretations of AGAL that the published sources permit.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Options {
        /// Whether `ifg` tests for "greater" instead of "greater or equal".
        pub strict_ifg: bool,
        /// Whether a computed index is truncated toward zero instead of rounded to the nearest whole number.
        pub truncate_index: bool,
        /// Whether the offset of an indirect read is a signed byte.
        pub signed_offset: bool,
        /// The rules by which the programs are checked before translation. If reads of unwritten components are allowed,
        /// such reads yield zero.
        pub rules: Rules,
        /// The known values of constants. A read of a constant with a known value becomes a literal, except at a computed index.
        pub values: BTreeMap<ConstantComponent, KnownValue>,
        /// The names for values written to components of temporaries, in descending order of precedence.
        pub temporaries: Vec<TemporaryName>,
    }
}

/// One component of a constant register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantComponent {
    /// The stage whose constant file contains the register.
    pub stage: Stage,
    /// The number of the constant register.
    pub number: u32,
    /// The component, from 0 for x to 3 for w.
    pub component: u8,
}

/// A finite float, stored as its bits so that known values can be compared exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KnownValue(u32);

impl KnownValue {
    /// Wraps a finite float. Returns `None` for an infinity or a NaN, because targets have no literals for these
    /// values.
    pub fn new(value: f32) -> Option<KnownValue> {
        value.is_finite().then_some(KnownValue(value.to_bits()))
    }
}

/// A name for values that are written to components of a temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryName {
    /// The stage of the program that uses the temporary.
    pub stage: Stage,
    /// The number of the temporary.
    pub number: u32,
    /// The components that the name covers, from bit 0 for x to bit 3 for w.
    pub components: u8,
    /// The values' name in the module.
    pub name: String,
}

/// The result of translation: a module, and the findings of each program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifted {
    /// The module, with one function for each program in the order given.
    pub module: Module,
    /// The warnings of each program, in the order of the programs.
    pub findings: Vec<Vec<Finding>>,
    /// For each program, the number of the token that produced each instruction, in reading order. Tokens are counted from 1, and
    /// 0 marks an instruction that belongs to no token.
    pub tokens: Vec<Vec<u32>>,
}

/// Translates one program, or a vertex and a fragment program as a linked pair.
///
/// # Errors
/// Returns the findings of each program, in the order of the programs, if any finding is an error that is not allowed.
/// Errors about the stages or versions of a pair are reported with the last program.
pub fn translate(programs: &[&Program], options: &Options) -> Result<Lifted, Vec<Vec<Finding>>> {
    let mut findings = examine(programs, &options.rules);
    let mut module = Module::default();
    let mut tokens = Vec::new();
    for ((program, findings), function_number) in programs.iter().zip(&mut findings).zip(0..) {
        // A program with errors that the caller could allow is also translated, because translation may report further findings.
        if !is_sound(findings.iter()) {
            continue;
        }
        let (Finished { function, names, members, lines, .. }, found) = Lifter::new(program, options).run();
        tokens.push(lines);
        add(findings, found);
        module.functions.push(function);
        let debug = FunctionDebug { function: function_number, ids: names, members, ..FunctionDebug::default() };
        if !debug.is_empty() {
            module.debug.functions.push(debug);
        }
    }
    findings.iter_mut().for_each(|findings| options.rules.judge(findings));
    if findings.iter().flatten().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(Lifted { module, findings, tokens })
}

/// Adds the findings of translation. A finding from the translation replaces the less specific finding `ComputedCoordinate` of
/// the same token.
fn add(findings: &mut Vec<Finding>, found: Vec<Finding>) {
    if found.is_empty() {
        return;
    }
    let mut found: BTreeMap<Option<u32>, Finding> = found.into_iter().map(|one| (one.place.instruction, one)).collect();
    for finding in findings.iter_mut().filter(|finding| finding.kind == Kind::ComputedCoordinate) {
        if let Some(one) = found.remove(&finding.place.instruction) {
            *finding = Finding { stops_player: finding.stops_player, order: finding.order, ..one };
        }
    }
    *findings = std::mem::take(findings).into_iter().chain(found.into_values()).collect::<Findings>().into_list();
}

struct Lifter<'a> {
    program: &'a Program,
    options: &'a Options,
    builder: Builder,
    registers: Registers,
    liveness: Liveness,
    findings: Vec<Finding>,
    index: usize,
    /// The last token whose result depends on neighbouring fragments, or the `eif` of the outermost conditional that contains
    /// that token.
    ///
    /// A `kil` before the token `settle` only sets a flag, because discarding a fragment would leave its neighbours without a
    /// derivative. After the token `settle`, the flag discards the fragment.
    settle: Option<usize>,
    samplers: BTreeMap<u16, Sampler>,
    /// The initial value of the discard flag, or `None` if the program needs no flag.
    no_discard: Option<Id>,
    /// The number of constant registers, up to and including the last one that the program reads.
    constants: u32,
    /// The uniform input that contains the constant file, or `None` until a constant is read.
    array: Option<Id>,
    /// For each register number, the values of the attribute, the varying and the constant with that number. Registers not yet
    /// read have no value.
    read: Vec<Id>,
    /// The texture inputs created so far, each with its sampler's number.
    textures: Few<(u32, Id)>,
}

impl<'a> Lifter<'a> {
    fn new(program: &'a Program, options: &'a Options) -> Lifter<'a> {
        let (kind, name) = match program.stage {
            Stage::Vertex => (FunctionKind::Vertex, "vs_main"),
            Stage::Fragment => (FunctionKind::Fragment, "fs_main"),
        };
        // Capacity is reserved for three instructions per token (the average is two) and for twelve instructions that write the
        // outputs.
        let room = program.tokens.len().saturating_mul(3).min(1 << 16) + 12;
        let liveness = liveness(program);
        let samplers = flow::samplers(program);
        Lifter {
            program,
            options,
            builder: Builder::with_capacity(kind, name, room),
            registers: Registers::new(REGISTERS),
            settle: settle(program, &liveness, &samplers),
            samplers,
            liveness,
            findings: Vec::new(),
            index: 0,
            no_discard: None,
            constants: 0,
            array: None,
            read: Vec::with_capacity(96),
            textures: Few::new(),
        }
    }

    fn run(mut self) -> (Finished, Vec<Finding>) {
        if self.settle.is_some() {
            let value = self.builder.bool(false);
            self.registers.write(DISCARD_FLAG * 4, Lane { value, lane: 0 });
            self.no_discard = Some(value);
        }
        for (index, token) in self.program.tokens.iter().enumerate() {
            self.index = index;
            self.builder.at_line(token_number(index));
            let live = self.liveness.results.get(index).copied().unwrap_or(Mask(0));
            if !live.is_empty() {
                self.token(token, live);
            }
            if self.settle == Some(index) {
                self.settle_discard();
            }
        }
        // Instructions after the last token belong to no token.
        self.builder.at_line(0);
        self.write_outputs();
        if self.constants > 0 {
            let id = self.constants_input();
            self.builder.resize_input(id, self.constants);
        }
        match self.builder.finish_with_lines() {
            Ok(finished) => (finished, self.findings),
            // The lifter must emit only valid instructions, so an invalid instruction is reported as an internal error.
            Err(error) => {
                self.findings.push(Finding::new(Kind::Internal { error: error.to_string() }, FindingPlace::default()));
                (Finished::default(), self.findings)
            }
        }
    }

    fn token(&mut self, token: &Token, live: Mask) {
        let Some(row) = token.row() else { return };
        match row.meaning {
            Meaning::If(compare) => {
                let compare = match compare {
                    Op::GreaterThanOrEqual if self.options.strict_ifg => Op::GreaterThan,
                    compare => compare,
                };
                let a = self.scalar(token, 0);
                let b = self.scalar(token, 1);
                let condition = self.builder.emit(compare, &[a, b], &[]);
                self.builder.name_unnamed(condition, "condition");
                self.registers.begin_if(&mut self.builder, condition);
            }
            Meaning::Else => self.registers.begin_else(&mut self.builder),
            Meaning::EndIf => {
                let live_after = self.liveness.after_eif(self.index);
                let stage = self.program.stage;
                self.registers.end_if(
                    &mut self.builder,
                    |slot| wanted(live_after, slot),
                    |index| match index {
                        DISCARD_FLAG => Some("discarded".into()),
                        index => name_at(index, stage),
                    },
                );
            }
            Meaning::Kill => self.kill(token),
            meaning => {
                let first = self.builder.next_id();
                let result = self.compute(token, meaning, live);
                let dst = token.dst();
                if let Some(file) = dst.register_file() {
                    let number = u32::from(dst.number);
                    let name = self.written_name(file, number, live);
                    self.assign(file, number, live, result, name);
                    // Intermediate values are named after the destination register.
                    self.builder.name_since(first, name);
                }
            }
        }
    }

    /// Writes the lanes of a result to the components `live` of a register.
    fn assign(&mut self, file: File, number: u32, live: Mask, result: Read, name: Name) {
        let mut none = [Lane { value: Id::NONE, lane: 0 }; 4];
        let register = register_index((file, number));
        let held = register.and_then(|register| self.registers.components_mut(register)).unwrap_or(&mut none);
        let mut write = |component: u8, lane| {
            if let Some(held) = held.get_mut(usize::from(component)) {
                *held = lane;
            }
        };
        let one = match result {
            Read::One(value, picks) => {
                let lanes = picks.0.to_le_bytes();
                live.components().zip(lanes).for_each(|(component, lane)| write(component, Lane { value, lane }));
                Some((value, picks))
            }
            Read::Several(lanes) => {
                live.components().zip(lanes.iter()).for_each(|(component, &lane)| write(component, lane));
                lanes.of_one()
            }
        };
        // A value is named after the last register that contains all of its lanes.
        if let Some((value, picks)) = one {
            let width = self.builder.ty(value).and_then(Type::width).unwrap_or(0);
            if picks.have_all(width) {
                self.builder.name(value, name);
            }
        }
    }

    fn written_name(&mut self, file: File, number: u32, components: Mask) -> Name {
        let is = |name: &&TemporaryName| {
            (name.stage, name.number) == (self.program.stage, number) && components.0 & !name.components == 0
        };
        let names = if file == File::Temporary { &self.options.temporaries[..] } else { &[] };
        match names.iter().find(is) {
            Some(given) => self.builder.text(given.name.clone()),
            None => register_name(file, number, self.program.stage),
        }
    }

    /// Emits the final write of each output. Components that the program leaves unwritten become zero.
    fn write_outputs(&mut self) {
        let stage = self.program.stage;
        let is_written = |lane: &Lane| lane.value.is_some();
        let mut written = Few::<(Register, Lanes)>::new();
        let mut needs_zero = false;
        for output in outputs(stage) {
            let Some(register) = register_index(output) else { continue };
            if !self.registers.was_written(register) && output != (File::Output, 0) {
                continue;
            }
            let held = self.registers.components(register);
            let held = if output.0 == File::Depth { &held[..1] } else { &held[..] };
            if held.iter().any(is_written) || output == (File::Output, 0) {
                needs_zero |= output.0 == File::Depth || !held.iter().all(is_written);
                let mut lanes = Lanes::NONE;
                held.iter().for_each(|&lane| lanes.push(lane));
                written.push((output, lanes));
            }
        }
        let zero = Lane { value: if needs_zero { self.builder.float(0.0) } else { Id::NONE }, lane: 0 };
        for ((file, number), mut lanes) in written {
            lanes.iter_mut().filter(|lane| !is_written(lane)).for_each(|lane| *lane = zero);
            let mut value = self.builder.gather(&lanes);
            let kind = match (file, stage) {
                (File::Varying, _) => {
                    OutputKind::Varying { location: number, interpolation: Interpolation::Perspective }
                }
                (File::Depth, _) => {
                    value = saturate(&mut self.builder, value);
                    OutputKind::Depth
                }
                (_, Stage::Vertex) => OutputKind::Position,
                (_, Stage::Fragment) => OutputKind::Colour { target: number },
            };
            self.builder.name_unnamed(value, register_name(file, number, stage));
            let name = register(file, number, stage);
            let index = self.builder.output(FunctionOutput { ty: Type::floats(lanes.width()), name, kind });
            self.builder.poke(index, value);
        }
    }

    /// Discards the fragment if the operand is negative, either immediately or after the last derivative.
    fn kill(&mut self, token: &Token) {
        let operand = self.scalar(token, 0);
        let zero = self.builder.float(0.0);
        let condition = self.builder.less_than(operand, zero);
        if self.settle.is_none_or(|settle| self.index > settle) {
            self.discard_if(condition);
            return;
        }
        let flag = match self.discard_flag() {
            Some(set) => self.builder.logical_or(set, condition),
            None => condition,
        };
        self.builder.name(flag, "discarded");
        self.registers.write(DISCARD_FLAG * 4, Lane { value: flag, lane: 0 });
    }

    fn settle_discard(&mut self) {
        if let Some(flag) = self.discard_flag() {
            self.discard_if(flag);
        }
    }

    /// Returns the discard flag, or `None` if no `kil` can have set the flag.
    fn discard_flag(&self) -> Option<Id> {
        self.registers.read(DISCARD_FLAG * 4).map(|flag| flag.value).filter(|&flag| Some(flag) != self.no_discard)
    }

    fn discard_if(&mut self, condition: Id) {
        self.builder.open();
        self.builder.discard();
        let accept = self.builder.close();
        self.builder.branch(condition, accept, Default::default());
    }
}

/// Computes [`Lifter::settle`], or returns `None` if no discard must be deferred.
fn settle(program: &Program, liveness: &Liveness, samplers: &BTreeMap<u16, Sampler>) -> Option<usize> {
    if !program.tokens.iter().any(|token| token.row().is_some_and(|row| row.meaning == Meaning::Kill)) {
        return None;
    }
    let takes_derivatives = |token: &Token| match token.row().map(|row| row.meaning) {
        Some(Meaning::Derivative(_)) => true,
        Some(Meaning::Texture) => samplers.get(&token.sampler().number).copied().is_some_and(flow::has_levels),
        _ => false,
    };
    let mut last = None;
    let mut depth = 0usize;
    let mut inside = false;
    for (index, token) in program.tokens.iter().enumerate() {
        match token.row().map(|row| row.meaning) {
            Some(Meaning::If(_)) => depth += 1,
            Some(Meaning::EndIf) => {
                depth = depth.saturating_sub(1);
                if depth == 0 && std::mem::take(&mut inside) {
                    last = Some(index);
                }
            }
            _ if takes_derivatives(token) && liveness.results.get(index).is_some_and(|live| !live.is_empty()) => {
                match depth {
                    0 => last = Some(index),
                    _ => inside = true,
                }
            }
            _ => {}
        }
    }
    last
}

fn name_at(index: usize, stage: Stage) -> Option<Name> {
    [File::Temporary, File::Output, File::Varying, File::Depth].into_iter().find_map(|file| {
        let first = register_index((file, 0))?;
        let number = u32::try_from(index.checked_sub(first)?).ok()?;
        (register_index((file, number)) == Some(index)).then(|| register_name(file, number, stage))
    })
}

fn saturate(builder: &mut Builder, a: Id) -> Id {
    if builder.facts(a).unit {
        return a;
    }
    let (zero, one) = (builder.float(0.0), builder.float(1.0));
    builder.clamp(a, zero, one)
}
