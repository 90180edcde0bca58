//! The unified-shader instruction set (docs/isa.md), as code words and as text.

use std::collections::BTreeSet;

use es2_front::assemble::assemble;
use es2_front::lift::{self, translate};
use es2_front::link::varyings;
use es2_front::program::{HEADER_BYTES, WORD_BYTES};
use es2_front::{Finding as Found, Instruction, Kind, Opcode, Program};
use sdlbc::front::{Severity, SourceMap, Span, Stage};

use agal_front::Help;

use super::{Instructions, Language, Lifted, Raw, Read, Varying};
use crate::finding::{Finding, InstructionSet};
use crate::input::Code;
use crate::names::Names;
use crate::options::Options;

/// A program of the unified-shader instruction set.
#[derive(Clone, Debug, PartialEq)]
pub struct Es2 {
    /// The decoded or assembled program.
    pub program: Program,
    /// The position of `END` in the text, to which findings about the whole program refer, or `None` for a decoded
    /// program.
    pub end: Option<Span>,
}

impl From<Es2> for Code {
    fn from(es2: Es2) -> Code {
        Code::Es2(es2)
    }
}

impl Language for Es2 {
    fn of(code: &mut Code) -> Option<&mut Es2> {
        if let Code::Es2(es2) = code { Some(es2) } else { None }
    }

    fn read(raw: Raw<'_>, stage: Option<Stage>, options: &Options) -> Result<Read<Es2>, Vec<Finding>> {
        let refused = |found| judged(found, None, options);
        match raw {
            Raw::Bytes(bytes) => {
                let program = Program::decode(bytes).map_err(refused)?;
                Ok(Read { program: Es2 { program, end: None }, map: SourceMap::default(), findings: Vec::new() })
            }
            Raw::Text(text) => {
                let assembly = assemble(text, stage).map_err(refused)?;
                let findings = judged(assembly.warnings, Some(&assembly.program), options);
                let program = Es2 { program: assembly.program, end: Some(assembly.end) };
                Ok(Read { program, map: assembly.map, findings })
            }
        }
    }

    fn check(programs: &[&mut Es2], options: &Options) -> Vec<Vec<Finding>> {
        let of: Vec<&Program> = programs.iter().map(|es2| &es2.program).collect();
        found_in(programs, es2_front::validate::validate_all(&of), options)
    }

    fn lift(programs: &mut [&mut Es2], _: &Names, options: &Options) -> (Option<Lifted>, Vec<Vec<Finding>>) {
        let of: Vec<&Program> = programs.iter().map(|es2| &es2.program).collect();
        match translate(&of) {
            Ok(lift::Lifted { module, findings, lines }) => {
                (Some(Lifted { module, lines }), found_in(programs, findings, options))
            }
            Err(found) => (None, found_in(programs, found, options)),
        }
    }

    fn place(&self, found: Finding, map: &SourceMap) -> Option<Finding> {
        let mut place = map.locate(found.place);
        if place.instruction.is_none() && place.byte.is_some() {
            place.span = place.span.or(self.end);
        }
        // An unused result inside a macro is not reported, because the user cannot change the macro's code.
        let is_users = found.code != Kind::Unused.code() || place.span.is_none_or(|span| span.call.is_none());
        is_users.then_some(Finding { place, ..found })
    }

    fn varyings(vertex: &Es2, fragment: &Es2) -> Vec<Varying> {
        let of =
            |of: es2_front::link::Varying| Varying { number: u32::from(of.number), written: of.written, read: of.read };
        varyings(&vertex.program, &fragment.program).into_iter().map(of).collect()
    }
}

impl Instructions for Es2 {
    fn stage(&self) -> Stage {
        self.program.stage
    }

    fn version(&self) -> Option<u32> {
        None
    }

    fn len(&self) -> usize {
        self.program.instructions.len()
    }

    fn line(&self, number: u32) -> Option<String> {
        line(&self.program, number)
    }

    fn encode(&self) -> Vec<u8> {
        self.program.encode()
    }

    fn disassemble(&self) -> Option<String> {
        let text = es2_front::disassemble::disassemble(&self.program);
        assemble(&text, None).is_ok_and(|again| again.program == self.program).then_some(text)
    }

    fn listing(&self) -> String {
        listing(&self.program.encode()).0
    }
}

/// Lists the words of a file, each with its instruction or its errors, and reports whether all words are valid.
pub(crate) fn listing(bytes: &[u8]) -> (String, bool) {
    let stage = if bytes.get(3) == Some(&b'v') { Stage::Vertex } else { Stage::Fragment };
    let (header, words) = bytes.split_at(bytes.len().min(HEADER_BYTES));
    let (decoded, wrong) = match Program::decode(bytes) {
        Ok(program) => (program, Vec::new()),
        Err(findings) => (Program::new(stage), findings),
    };
    let errors = |at: std::ops::Range<usize>| {
        let here = wrong.iter().filter(|finding| finding.place.byte.is_some_and(|byte| at.contains(&byte)));
        here.map(|finding| format!("  <- {}", finding.kind)).collect::<String>()
    };
    let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut text = format!("{:06x}  {:<16}     {stage} program", 0, hex(header));
    let samples = decoded.instructions.iter().filter(|instruction| instruction.op == Opcode::Tex);
    for sampler in samples.map(|instruction| instruction.sampler).collect::<BTreeSet<u8>>() {
        text += &format!(", t{sampler} {}", decoded.dimension(sampler).name());
    }
    text += &format!("{}\n", errors(0..HEADER_BYTES));
    for (index, bytes) in words.chunks(WORD_BYTES).enumerate() {
        let at = HEADER_BYTES + index * WORD_BYTES;
        let word: Option<[u8; WORD_BYTES]> = bytes.try_into().ok();
        let instruction = word.and_then(|word| Instruction::decode(u64::from_le_bytes(word)).ok());
        let shown = instruction.map_or(String::new(), |of| es2_front::disassemble::line(&decoded, &of));
        let errors = errors(at..at + bytes.len());
        text += format!("{at:06x}  {:<16}  {:4}  {shown}{errors}", hex(bytes), index + 1).trim_end();
        text.push('\n');
    }
    (text, wrong.is_empty())
}

/// Applies the rules to findings: drops allowed warnings, and turns other warnings into errors if the rules require it.
fn judged(mut found: Vec<Found>, program: Option<&Program>, options: &Options) -> Vec<Finding> {
    let allow = &options.rules().allow;
    found.retain_mut(|finding| match &mut finding.kind {
        Kind::Further { dropped } => {
            dropped.retain(|more| more.severity == Severity::Error || !allow.contains(&more.code));
            !dropped.is_empty()
        }
        kind => finding.severity == Severity::Error || !allow.contains(&kind.code()),
    });
    if options.rules().warnings_are_errors {
        found.iter_mut().for_each(|finding| finding.severity = Severity::Error);
    }
    found.into_iter().map(|found| finding(found, program)).collect()
}

fn found_in(programs: &[&mut Es2], found: Vec<Vec<Found>>, options: &Options) -> Vec<Vec<Finding>> {
    programs.iter().zip(found).map(|(es2, found)| judged(found, Some(&es2.program), options)).collect()
}

fn line(program: &Program, number: u32) -> Option<String> {
    let instruction = program.instructions.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    Some(es2_front::disassemble::line(program, instruction))
}

/// Converts a finding to the form that all languages share.
fn finding(found: Found, program: Option<&Program>) -> Finding {
    let Found { kind, severity, place } = found;
    let location = match (place.instruction, place.byte) {
        (Some(number), Some(byte)) => Some(format!("instruction {number}, byte {byte}")),
        (None, Some(byte)) => Some(format!("byte {byte}")),
        _ => None,
    };
    Finding {
        set: InstructionSet::UnifiedShader,
        code: kind.code(),
        severity,
        message: kind.to_string(),
        help: kind.help().map(Help::new),
        place,
        location,
        stage: program.map(|program| program.stage),
        instruction: program.zip(place.instruction).and_then(|(program, number)| line(program, number)),
        order: 0,
        stops_player: false,
        is_attested: true,
        is_of_pair: false,
        dropped: if let Kind::Further { dropped } = kind { dropped } else { Vec::new() },
    }
}
