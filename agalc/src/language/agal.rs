//! The implementation of AGAL, as bytecode and as text.

use agal_front::assemble::{Alias, Assembly, SourceName, assemble};
use agal_front::disassemble::{disassemble, instruction};
use agal_front::finding::Finding as Found;
use agal_front::lift::translate;
use agal_front::link::varyings;
use agal_front::program::{HEADER_BYTES, Upload};
use agal_front::token::{TOKEN_BYTES, Token};
use agal_front::{Kind, Profile, Program};
use sdlbc::front::{SourceMap, Stage};

use super::constants::{inlined, values};
use super::{Instructions, Language, Lifted, Raw, Read, Varying};
use crate::finding::{Finding, InstructionSet};
use crate::input::Code;
use crate::names::Names;
use crate::options::Options;

/// An AGAL program with the names from its source text.
#[derive(Clone, Debug, PartialEq)]
pub struct Agal {
    /// The program's version, stage and tokens.
    pub program: Program,
    /// Whether the source states the version. An unstated version is inferred.
    pub version_given: bool,
    /// The aliases that text in the macro language declares.
    pub aliases: Vec<Alias>,
    /// The names that comments and aliases in the text give to registers.
    pub names: Vec<SourceName>,
}

impl From<Agal> for Code {
    fn from(agal: Agal) -> Code {
        Code::Agal(agal)
    }
}

impl Language for Agal {
    fn of(code: &mut Code) -> Option<&mut Agal> {
        if let Code::Agal(agal) = code { Some(agal) } else { None }
    }

    fn read(raw: Raw<'_>, stage: Option<Stage>, options: &Options) -> Result<Read<Agal>, Vec<Finding>> {
        match raw {
            Raw::Bytes(bytes) => match decode(bytes, options) {
                Ok((program, found)) => Ok(Agal::decoded(program, SourceMap::default(), found, options)),
                Err(found) => Err(unread(found, options)),
            },
            Raw::Text(text) => match assemble(text, &options.assembling(stage)) {
                Ok(assembly) => Ok(Agal::assembled(assembly, options)),
                Err(found) => Err(unread(found, options)),
            },
        }
    }

    /// Sets an unstated version to the lowest version that suffices for all programs, but not above the profile's version. An
    /// instruction that needs a higher version than the profile supports is then reported at its own position.
    fn agree(programs: &mut [&mut Agal], options: &Options) {
        let version = programs.iter().map(|agal| agal.program.version).max().unwrap_or(1);
        let version = version.min(options.rules().profile.map_or(version, Profile::version));
        for agal in programs.iter_mut().filter(|agal| !agal.version_given) {
            agal.program.version = version;
        }
    }

    fn check(programs: &[&mut Agal], options: &Options) -> Vec<Vec<Finding>> {
        let of: Vec<&Program> = programs.iter().map(|agal| &agal.program).collect();
        found_in(programs, agal_front::check::check(&of, options.rules()))
    }

    fn lift(programs: &mut [&mut Agal], names: &Names, options: &Options) -> (Option<Lifted>, Vec<Vec<Finding>>) {
        let mut meaning = options.meaning.clone().temporaries(names.temporaries());
        if options.inline_constants {
            programs.iter().for_each(|agal| meaning.values.extend(values(agal.program.stage, &agal.aliases)));
            programs.iter_mut().for_each(|agal| inlined(&agal.program, &mut agal.aliases));
        }
        let of: Vec<&Program> = programs.iter().map(|agal| &agal.program).collect();
        match translate(&of, &meaning) {
            Ok(lifted) => {
                let found = found_in(programs, lifted.findings);
                (Some(Lifted { module: lifted.module, lines: lifted.tokens }), found)
            }
            Err(found) => (None, found_in(programs, found)),
        }
    }

    fn varyings(vertex: &Agal, fragment: &Agal) -> Vec<Varying> {
        let of = |of: agal_front::link::Varying| Varying { number: of.number, written: of.written, read: of.read };
        varyings(&vertex.program, &fragment.program).into_iter().map(of).collect()
    }
}

impl Instructions for Agal {
    fn stage(&self) -> Stage {
        self.program.stage
    }

    fn version(&self) -> Option<u32> {
        Some(self.program.version)
    }

    fn len(&self) -> usize {
        self.program.tokens.len()
    }

    fn line(&self, number: u32) -> Option<String> {
        line(&self.program, number)
    }

    fn encode(&self) -> Vec<u8> {
        self.program.encode()
    }

    fn disassemble(&self) -> Option<String> {
        Some(disassemble(&self.program))
    }

    fn listing(&self) -> String {
        let (program, bytes) = (&self.program, self.program.encode());
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let header = hex(bytes.get(..HEADER_BYTES).unwrap_or_default());
        let mut text = format!("{:06x}  {header}  AGAL {}, {} program\n", 0, program.version, program.stage);
        for (index, token) in program.tokens.iter().enumerate() {
            let (at, number) = (HEADER_BYTES + index * TOKEN_BYTES, index + 1);
            let Token { opcode, destination, sources: [first, second] } = token;
            let line = instruction(token, program.stage);
            text +=
                &format!("{at:06x}  {opcode:08x} {destination:08x} {first:016x} {second:016x}  {number:4}  {line}\n");
        }
        if !program.trailing.is_empty() {
            let at = HEADER_BYTES + program.tokens.len() * TOKEN_BYTES;
            text += &format!("{at:06x}  {}  too few bytes for a token\n", hex(&program.trailing));
        }
        text
    }
}

impl Agal {
    pub(crate) fn assembled(assembly: Assembly, options: &Options) -> Read<Agal> {
        let Assembly { program, map, warnings, version_given, aliases, names, .. } = assembly;
        let findings = judged(warnings, Some(&program), options);
        Read { program: Agal { program, version_given, aliases, names }, map, findings }
    }

    pub(crate) fn decoded(program: Program, map: SourceMap, found: Vec<Found>, options: &Options) -> Read<Agal> {
        let findings = judged(found, Some(&program), options);
        Read { program: Agal { program, version_given: true, aliases: Vec::new(), names: Vec::new() }, map, findings }
    }
}

pub(crate) fn decode(bytes: &[u8], options: &Options) -> Result<(Program, Vec<Found>), Vec<Found>> {
    let allow_version_0 = options.rules().allow.contains(&3617);
    Program::decode_uploaded(bytes, Upload { big_endian: options.big_endian, allow_version_0 })
}

/// Converts the findings of a program that could not be read to the form that all languages share. The rules set the
/// severities.
pub(crate) fn unread(found: Vec<Found>, options: &Options) -> Vec<Finding> {
    judged(found, None, options)
}

fn judged(mut found: Vec<Found>, program: Option<&Program>, options: &Options) -> Vec<Finding> {
    options.rules().judge(&mut found);
    found.into_iter().map(|found| finding(found, program)).collect()
}

fn found_in(programs: &[&mut Agal], found: Vec<Vec<Found>>) -> Vec<Vec<Finding>> {
    let of = |(agal, found): (&&mut Agal, Vec<Found>)| {
        found.into_iter().map(|found| finding(found, Some(&agal.program))).collect()
    };
    programs.iter().zip(found).map(of).collect()
}

fn line(program: &Program, number: u32) -> Option<String> {
    let token = program.tokens.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    Some(instruction(token, program.stage))
}

/// Converts a finding to the form that all languages share.
fn finding(found: Found, program: Option<&Program>) -> Finding {
    let Found { kind, severity, place, stops_player, order } = found;
    let location = match (place.instruction, place.byte) {
        (Some(token), Some(byte)) => {
            let stage = program.map_or(String::new(), |program| format!("{} program, ", program.stage));
            Some(format!("{stage}token {token}, byte {byte}"))
        }
        (None, Some(byte)) => {
            let end = program.filter(|program| byte == HEADER_BYTES + TOKEN_BYTES * program.tokens.len());
            let end = end.map_or(String::new(), |program| format!("the end of the {} program, ", program.stage));
            Some(format!("{end}byte {byte}"))
        }
        _ => None,
    };
    Finding {
        set: InstructionSet::Agal,
        code: kind.code(),
        severity,
        message: kind.to_string(),
        help: kind.help(),
        place,
        location,
        stage: program.map(|program| program.stage),
        instruction: program.zip(place.instruction).and_then(|(program, number)| line(program, number)),
        order,
        stops_player,
        is_attested: kind.is_attested(),
        is_of_pair: kind.is_of_pair(),
        dropped: if let Kind::Further { dropped } = kind { dropped } else { Vec::new() },
    }
}
