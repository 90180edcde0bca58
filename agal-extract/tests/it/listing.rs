//! Writes the results of an extraction as text that a person can check.

use std::fmt::Write;

use agal_extract::{Alternative, ByteOrder, Code, Condition, Extraction, Piece, Place, Site};
use agal_front::Program;
use agal_front::disassemble::disassemble;

fn condition(condition: &Condition) -> String {
    match &condition.taken {
        Alternative::True => condition.expression.clone(),
        Alternative::False => format!("not {}", condition.expression),
        Alternative::Is(value) => format!("{} is {value}", condition.expression),
    }
}

fn place(place: &Place, with_offsets: bool) -> String {
    let mut text = place.path.join(" > ");
    if !text.is_empty() {
        text.push_str(" > ");
    }
    match &place.site {
        Site::Method { class, method, at, .. } => {
            write!(text, "{class}.{method}").unwrap();
            if with_offsets {
                write!(text, " at {at}").unwrap();
            }
        }
        Site::Data { symbol, offset } => {
            write!(text, "{} at byte {offset}", symbol.as_deref().unwrap_or("data")).unwrap();
        }
        other => write!(text, "{other:?}").unwrap(),
    }
    if !place.conditions.is_empty() {
        let conditions: Vec<String> = place.conditions.iter().map(condition).collect();
        write!(text, " when {}", conditions.join(", and ")).unwrap();
    }
    text
}

pub(crate) fn listing(found: &Extraction, with_offsets: bool) -> String {
    let mut out = String::new();
    for (number, program) in found.programs.iter().enumerate() {
        write!(out, "-- {number}").unwrap();
        if let Some(stage) = program.stage {
            write!(out, " {stage:?}").unwrap();
        }
        if let Some(version) = program.version {
            write!(out, " {version}").unwrap();
        }
        match &program.code {
            Code::Text { text, language } => {
                writeln!(out, " {language:?}").unwrap();
                program.places.iter().for_each(|one| writeln!(out, "   {}", place(one, with_offsets)).unwrap());
                for piece in &text.pieces {
                    match piece {
                        Piece::Text(text) => out.push_str(text),
                        Piece::Hole(name) => write!(out, "{{{name}}}").unwrap(),
                    }
                }
                if !out.ends_with('\n') {
                    out.push('\n');
                }
            }
            Code::Bytecode { bytes, order } => {
                writeln!(out, " {} bytes, {order:?} endian", bytes.len()).unwrap();
                program.places.iter().for_each(|one| writeln!(out, "   {}", place(one, with_offsets)).unwrap());
                if let (ByteOrder::Little, Ok((program, _))) = (order, Program::decode(bytes)) {
                    out.push_str(&disassemble(&program));
                }
            }
        }
    }
    for pair in &found.pairs {
        let probable = if pair.is_probable { ", probable" } else { "" };
        writeln!(out, "-- pair {} {}{probable}", pair.vertex.0, pair.fragment.0).unwrap();
    }
    for input in &found.inputs {
        for one in &input.unknown {
            writeln!(out, "-- unknown: {}", place(one, with_offsets)).unwrap();
        }
    }
    for warning in &found.warnings {
        writeln!(out, "-- warning: {} {}", warning.path.join(" > "), warning.message).unwrap();
    }
    out
}
