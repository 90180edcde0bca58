//! The same text with a comment behind each line: where the token stands, its words, and what becomes of its result.
//!
//! Rule: the comments say nothing that is not so. Where liveness cannot be told (conditionals that are not balanced, numbers
//! without an operation), a line says that and why, and the comments leave it out.

use super::{header, lines, register, trailing};
use crate::flow::{Components, register_index};
use crate::live::{Liveness, liveness_with};
use crate::opcode::Meaning;
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{HEADER_BYTES, Mask, TOKEN_BYTES, Token};

/// The comment of a longer line follows it with two spaces, and moves no other.
const WIDEST_LINE: usize = 60;

/// The program as text with comments: of each token its number, the byte where it begins (hexadecimal), its four words,
/// which components of its result are read later, and the temporaries that are live behind it.
pub fn annotate(program: &Program) -> String {
    let mut text = header(program);
    let bytes = program.encode();
    let [magic, version @ .., marker, stage] = bytes.first_chunk::<HEADER_BYTES>().copied().unwrap_or_default();
    let version = u32::from_be_bytes(version);
    text += &format!("// 000000  {magic:02x} {version:08x} {marker:02x} {stage:02x}\n");
    let told = Told::new(program);
    if let Err(reason) = &told {
        text += &format!("// what is live is not told: {reason}\n");
    }
    let lines = lines(program);
    let width = lines.iter().map(String::len).filter(|&length| length <= WIDEST_LINE).max().unwrap_or(0);
    let digits = lines.len().to_string().len();
    for (index, (line, token)) in lines.iter().zip(&program.tokens).enumerate() {
        let Token { opcode, destination, sources: [first, second] } = token;
        let (number, at) = (index + 1, HEADER_BYTES + index * TOKEN_BYTES);
        let place = format!("{number:digits$}  {at:06x}  {opcode:08x} {destination:08x} {first:016x} {second:016x}");
        let told = told.as_ref().map(|told| told.of(index, token)).unwrap_or_default();
        text += &format!("{line:width$}  // {place}{told}\n");
    }
    if let Some(line) = trailing(program) {
        let at = HEADER_BYTES + lines.len() * TOKEN_BYTES;
        text += &format!("{line:width$}  // {:digits$}  {at:06x}\n", "");
    }
    text
}

/// What can be told of the results.
struct Told {
    liveness: Liveness,
    /// Per token, the temporaries that are live behind it.
    behind: Vec<String>,
}

impl Told {
    /// # Errors
    /// Why nothing can be told.
    fn new(program: &Program) -> Result<Told, String> {
        is_clear(program)?;
        let mut behind = vec![String::new(); program.tokens.len()];
        let liveness = liveness_with(program, |index, live| {
            if let Some(behind) = behind.get_mut(index) {
                *behind = temporaries(live, program.stage);
            }
        });
        Ok(Told { liveness, behind })
    }

    fn of(&self, index: usize, token: &Token) -> String {
        let live = self.behind.get(index).map_or("", String::as_str);
        let results = self.liveness.results.get(index).copied().unwrap_or_default();
        let read = match token.op().map(|op| op.row()) {
            Some(row) if row.destination => {
                let (dst, file) = (token.dst(), token.dst().register_file());
                match file.and_then(|file| register_index((file, u32::from(dst.number)))) {
                    None => "no register".to_string(),
                    Some(_) if results.is_empty() => "unread".to_string(),
                    Some(_) => format!("read {results}"),
                }
            }
            Some(row) if matches!(row.meaning, Meaning::If(_) | Meaning::Else | Meaning::EndIf) => {
                if results.is_empty() { "no effect".to_string() } else { String::new() }
            }
            _ => String::new(),
        };
        format!("  {read:9}  live{live}")
    }
}

/// Whether liveness has a meaning: every number has an operation, and each conditional its end.
fn is_clear(program: &Program) -> Result<(), String> {
    let mut open: Vec<bool> = Vec::new();
    for (token, number) in program.tokens.iter().zip(1..) {
        let Some(op) = token.op() else { return Err(format!("token {number} has no operation")) };
        let balanced = match op.row().meaning {
            Meaning::If(_) => {
                open.push(false);
                true
            }
            Meaning::Else => open.last_mut().is_some_and(|has_else| !std::mem::replace(has_else, true)),
            Meaning::EndIf => open.pop().is_some(),
            _ => true,
        };
        if !balanced {
            return Err(format!("`{}` at token {number} belongs to no conditional", op.row().mnemonic));
        }
    }
    if open.is_empty() { Ok(()) } else { Err("a conditional has no end".to_string()) }
}

/// The live temporaries, each behind a space.
fn temporaries(live: &Components, stage: Stage) -> String {
    let mut text = String::new();
    let numbers = (0..).take_while(|&number| register_index((File::Temporary, number)).is_some());
    for number in numbers {
        let mask = live.of((File::Temporary, number));
        if mask.is_empty() {
            continue;
        }
        text.push(' ');
        text.push_str(&register(File::Temporary, number, stage));
        if mask != Mask::ALL {
            text += &format!(".{mask}");
        }
    }
    if text.is_empty() { " -".to_string() } else { text }
}
