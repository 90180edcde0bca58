//! Disassembles programs with a comment after each line: the token's number, offset and words, and the liveness of its result.
//!
//! Rule: every generated comment is true. If liveness is undefined, because of unbalanced conditionals or unknown opcodes, a
//! single line states the reason, and the comments omit liveness.

use super::{header, lines, register, trailing};
use crate::flow::{Components, destination, reads, register_index};
use crate::live::{Liveness, liveness, liveness_with};
use crate::opcode::{Meaning, Row};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{HEADER_BYTES, Mask, TOKEN_BYTES, Token};

/// The maximum length, in bytes, of a line whose comment is aligned. The comment of a longer line follows after two spaces.
const WIDEST_LINE: usize = 60;

/// Disassembles a program with comments. The comment of each token states the token's number, its hexadecimal byte offset, its
/// four words, the components of its result that are read later, and the temporaries that are live after the token.
pub fn annotate(program: &Program) -> String {
    let mut text = header(program);
    let bytes = program.encode();
    let [magic, version @ .., marker, stage] = bytes.first_chunk::<HEADER_BYTES>().copied().unwrap_or_default();
    let version = u32::from_be_bytes(version);
    text += &format!("// 000000  {magic:02x} {version:08x} {marker:02x} {stage:02x}\n");
    let liveness = liveness_of(program);
    if let Err(reason) = &liveness {
        text += &format!("// liveness is unknown: {reason}\n");
    }
    let lines: Vec<String> = lines(program).collect();
    let width = lines.iter().map(String::len).filter(|&length| length <= WIDEST_LINE).max().unwrap_or(0);
    let digits = lines.len().to_string().len();
    for (index, (line, token)) in lines.iter().zip(&program.tokens).enumerate() {
        let Token { opcode, destination, sources: [first, second] } = token;
        let (number, at) = (index + 1, HEADER_BYTES + index * TOKEN_BYTES);
        let place = format!("{number:digits$}  {at:06x}  {opcode:08x} {destination:08x} {first:016x} {second:016x}");
        let results =
            liveness.as_ref().ok().and_then(|(liveness, live)| Some((liveness.results.get(index)?, live.get(index)?)));
        let liveness = results.map_or_else(String::new, |(read, live)| comment(token, *read, live, program.stage));
        text += &format!("{line:width$}  // {place}{liveness}\n");
    }
    if let Some(line) = trailing(program) {
        let at = HEADER_BYTES + lines.len() * TOKEN_BYTES;
        text += &format!("{line:width$}  // {:digits$}  {at:06x}\n", "");
    }
    text
}

/// The live temporaries at one point of a program: each temporary's number and live components, in ascending order of the
/// numbers.
pub type LiveTemporaries = Vec<(u32, Mask)>;

/// Returns the temporaries that are live after each token. A temporary is live if a later token reads it before another token overwrites it.
///
/// ```
/// use agal_front::assemble::assemble;
/// use agal_front::disassemble::live_temporaries;
/// use agal_front::token::Mask;
///
/// let program = assemble("mov ft2.xy, v0\nmov oc, ft2.xyxy", &Default::default()).expect("a program").program;
/// assert_eq!(live_temporaries(&program)?, [vec![(2, Mask(3))], vec![]]);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns the reason why liveness is undefined: an unbalanced conditional, or a token with an unknown opcode.
pub fn live_temporaries(program: &Program) -> Result<Vec<LiveTemporaries>, String> {
    liveness_of(program).map(|(_, live)| live)
}

/// Returns the components of a register that affect the program's outputs or decide whether the fragment is discarded.
///
/// Reads by instructions without effect do not count. An indirect read of constants counts only as a read of the index
/// register.
///
/// ```
/// use agal_front::assemble::assemble;
/// use agal_front::disassemble::effective;
/// use agal_front::register::File;
/// use agal_front::token::Mask;
///
/// let program = assemble("mov ft0, v0\nmov oc, ft0.xxxx", &Default::default()).expect("a program").program;
/// assert_eq!(effective(&program, File::Varying, 0)?, Mask(1));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns the reason why liveness is undefined, as [`live_temporaries`] does.
pub fn effective(program: &Program, file: File, number: u32) -> Result<Mask, String> {
    check_balance(program)?;
    let liveness = liveness(program);
    let mut effective = Mask(0);
    for (token, needed) in program.tokens.iter().zip(liveness.results) {
        for slot in 0..2 {
            reads(token, slot, needed, |register, mask| {
                if register == (file, number) && !needed.is_empty() {
                    effective.0 |= mask.0;
                }
            });
        }
    }
    Ok(effective)
}

fn liveness_of(program: &Program) -> Result<(Liveness, Vec<LiveTemporaries>), String> {
    check_balance(program)?;
    let mut live_after = vec![Vec::new(); program.tokens.len()];
    let liveness = liveness_with(program, |index, live| {
        if let Some(list) = live_after.get_mut(index) {
            *list = temporaries(live);
        }
    });
    Ok((liveness, live_after))
}

fn comment(token: &Token, results: Mask, live: &[(u32, Mask)], stage: Stage) -> String {
    let read = match token.row() {
        Some(row) if row.destination => match destination(token).and_then(register_index) {
            None => "no register".to_string(),
            Some(_) if results.is_empty() => "unread".to_string(),
            Some(_) => format!("read {results}"),
        },
        Some(Row { meaning: Meaning::If(_) | Meaning::Else | Meaning::EndIf, .. }) if results.is_empty() => {
            "no effect".to_string()
        }
        _ => String::new(),
    };
    format!("  {read:9}  live{}", listed(live, stage))
}

/// Checks that liveness is defined, which requires known opcodes and balanced conditionals.
fn check_balance(program: &Program) -> Result<(), String> {
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
            return Err(format!("`{}` at token {number} is outside a conditional", op.row().mnemonic));
        }
    }
    if open.is_empty() { Ok(()) } else { Err("a conditional is not closed".to_string()) }
}

fn temporaries(live: &Components) -> LiveTemporaries {
    let numbers = (0..).take_while(|&number| register_index((File::Temporary, number)).is_some());
    let all = numbers.map(|number| (number, live.of(register_index((File::Temporary, number)))));
    all.filter(|(_, mask)| !mask.is_empty()).collect()
}

fn listed(live: &[(u32, Mask)], stage: Stage) -> String {
    let mut text = String::new();
    for &(number, mask) in live {
        text.push(' ');
        text.push_str(&register(File::Temporary, number, stage));
        if mask != Mask::ALL {
            text += &format!(".{mask}");
        }
    }
    if text.is_empty() { " -".to_string() } else { text }
}
