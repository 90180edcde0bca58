//! Assembles the statements and macros of source text into a program.
//!
//! Rule: the assembler reports errors in all statements of the source text, usually one error for each wrong statement. A
//! statement with an error produces no instruction.

mod operand;
mod scan;

use sdlbc::front::{Call, InstructionSpans, Mask, SourceMap, Span, Swizzle};

use crate::finding::{Finding, Findings, Kind, shortened};
use crate::opcode::{Format, MACROS, Opcode};
use crate::program::{Dimension, LONGEST, Program};
use crate::register::{File, TEMPORARIES, Written};
use crate::word::{Destination, Extended, Instruction, Part, Source};
use scan::{Scan, Token};
use sdlbc::front::Stage;

/// A program assembled from source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// The assembled program, which has not been validated.
    pub program: Program,
    /// The span of each instruction in the source text. The instructions of a macro have the span of the macro's statement.
    pub map: SourceMap,
    /// The span of `END`, where findings about the program as a whole are reported.
    pub end: Span,
    /// The warnings about the source text.
    pub warnings: Vec<Finding>,
}

/// Reports whether the source text begins with a header of this language, such as `!!ES2vp1.0`.
pub fn is_text(text: &str) -> bool {
    Scan::new(text).header().is_some_and(|header| header.to_ascii_lowercase().starts_with("!!es2"))
}

/// Assembles source text into a program. If `stage` is given, the program must belong to that stage, and the header
/// may be missing.
///
/// # Errors
/// Returns all errors in the source text.
pub fn assemble(text: &str, stage: Option<Stage>) -> Result<Assembly, Vec<Finding>> {
    let mut assembler = Assembler {
        scan: Scan::new(text),
        last: START,
        is_open: false,
        end: START,
        program: Program::new(Stage::Vertex),
        map: SourceMap::default(),
        known: [None; 8],
        spare: spare(text),
        findings: Findings::default(),
    };
    if assembler.header(stage).is_some() {
        assembler.statements();
    }
    let Assembler { program, map, findings, end, .. } = assembler;
    let findings = findings.into_list();
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(Assembly { program, map, end, warnings: findings })
}

/// Returns the empty span at the end of a span, which must lie within one line and contain only one-byte characters.
fn after(span: Span) -> Span {
    let column = span.column.saturating_add(u32::try_from(span.end - span.start).unwrap_or(0));
    Span { start: span.end, column, ..span }
}

const START: Span = Span { start: 0, end: 0, line: 1, column: 1, call: None };

/// Returns the highest-numbered temporary that the source text does not name, for use by macros.
fn spare(text: &str) -> Option<u8> {
    let mut scan = Scan::new(text);
    scan.header();
    let mut is_named = [false; TEMPORARIES as usize];
    let tokens = std::iter::from_fn(|| Some(scan.next().0).filter(|token| *token != Token::End));
    for token in tokens {
        let Token::Word(word) = token else { continue };
        let number = word.strip_prefix(['r', 'R']).and_then(|number| number.parse::<usize>().ok());
        if let Some(named) = number.and_then(|number| is_named.get_mut(number)) {
            *named = true;
        }
    }
    (0..TEMPORARIES).zip(is_named).rfind(|(_, named)| !named).map(|(number, _)| number)
}

#[derive(Clone, Copy, Debug)]
struct Operand {
    file: File,
    /// The register's index, which is 0 to 127 for a uniform.
    number: u8,
    swizzle: Swizzle,
    negate: bool,
    extended: Option<Extended>,
    span: Span,
}

fn across(from: Span, to: Span) -> Span {
    Span { end: to.end.max(from.start), ..from }
}

struct Assembler<'t> {
    scan: Scan<'t>,
    last: Span,
    /// Whether the `;` of the current statement has not been read yet.
    is_open: bool,
    end: Span,
    program: Program,
    map: SourceMap,
    /// The dimension of each sampler that the source text has named so far.
    known: [Option<Dimension>; 8],
    spare: Option<u8>,
    findings: Findings,
}

impl<'t> Assembler<'t> {
    fn report(&mut self, span: Span, kind: Kind) {
        self.findings.push(Finding::new(kind, sdlbc::front::FindingPlace::text(span)));
    }

    /// Consumes the next token if it is a word other than `END`, and reports an error otherwise.
    fn word(&mut self, what: &'static str) -> Option<(&'t str, Span)> {
        match self.scan.peek() {
            (Token::Word(word), span) if !word.eq_ignore_ascii_case("END") => {
                self.scan.next();
                self.last = span;
                Some((word, span))
            }
            (Token::Other(found), span) => {
                self.report(span, Kind::Character { found });
                None
            }
            (token, span) => {
                self.report(span, Kind::Expected { what, found: token.described() });
                None
            }
        }
    }

    /// Consumes the next token if it is `sign`, and reports an error otherwise.
    fn require(&mut self, sign: char, what: &'static str) -> Option<()> {
        let (token, span) = self.scan.peek();
        if token != Token::Sign(sign) {
            // If the next token is on another line, the missing character is reported after the previous token.
            let place = if span.line == self.last.line { span } else { after(self.last) };
            self.report(place, Kind::Expected { what, found: token.described() });
            return None;
        }
        self.scan.next();
        self.last = span;
        self.is_open = sign != ';';
        Some(())
    }

    /// Reads the header and sets the program's stage. Returns `None` if a required header is missing.
    fn header(&mut self, wanted: Option<Stage>) -> Option<()> {
        let place = self.scan.peek().1;
        let header = self.scan.header().map(str::to_ascii_lowercase);
        let found = match header.as_deref() {
            Some("!!es2vp1.0") => Stage::Vertex,
            Some("!!es2fp1.0") => Stage::Fragment,
            _ => match wanted {
                // The header may be missing if the caller states the stage.
                Some(wanted) if header.is_none() => wanted,
                _ => {
                    self.report(place, Kind::NoHeader);
                    return None;
                }
            },
        };
        self.program.stage = found;
        if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
            let (found, wanted) = (found.name(), wanted.name());
            self.report(place, Kind::OtherStage { found, wanted });
        }
        Some(())
    }

    fn statements(&mut self) {
        loop {
            match self.scan.next() {
                (Token::Word(word), span) if word.eq_ignore_ascii_case("END") => {
                    self.end = span;
                    break;
                }
                (Token::Word(word), span) => {
                    self.last = span;
                    // An error may be detected after the statement's `;` has been read.
                    self.is_open = true;
                    if self.statement(word, span).is_none() && self.is_open {
                        self.scan.skip_statement();
                    }
                }
                (Token::Sign(';'), _) => {}
                (Token::End, span) => return self.report(span, Kind::NoEnd),
                (Token::Other(found), span) => {
                    self.report(span, Kind::Character { found });
                    self.scan.skip_statement();
                }
                (token, span) => {
                    self.report(span, Kind::Expected { what: "an opcode", found: token.described() });
                    self.scan.skip_statement();
                }
            }
        }
        let (token, span) = self.scan.peek();
        if token != Token::End {
            self.report(span, Kind::AfterEnd);
        }
        let instructions = self.program.instructions.len();
        if instructions > LONGEST {
            self.report(span, Kind::TooLong { instructions });
        }
    }

    /// Reads one statement up to and including its `;`. Returns `None` if an error was reported.
    fn statement(&mut self, mnemonic: &str, operation: Span) -> Option<()> {
        if let Some(name) = MACROS.into_iter().find(|name| mnemonic.eq_ignore_ascii_case(name)) {
            return self.expand(name, operation);
        }
        let Some(op) = Opcode::from_mnemonic(mnemonic) else {
            self.report(operation, Kind::UnknownMnemonic { mnemonic: shortened(mnemonic) });
            return None;
        };
        let row = op.row();
        let mut spans = InstructionSpans { operation, destination: None, sources: [None; 3] };
        let mut destination = Destination::NONE;
        if op == Opcode::Arl {
            (destination, spans.destination) = (Destination::ADDRESS, Some(self.address()?));
        } else if row.format != Format::Bare {
            let (written, span) = self.destination()?;
            (destination, spans.destination) = (written, Some(span));
        }
        if row.format == Format::External && (destination.written, destination.mask) != (Written::Temporary, Mask::ALL)
        {
            self.report(spans.destination.unwrap_or(operation), Kind::NotTemporary { name: row.mnemonic });
            return None;
        }
        let mut operands = Vec::with_capacity(3);
        for at in 0..row.sources {
            self.require(',', "`,`")?;
            if (op, at) == (Opcode::Clamp, 1) {
                let (text, span) = self.word("`0`")?;
                if text != "0" {
                    self.report(span, Kind::Expected { what: "`0`", found: format!("`{text}`") });
                    return None;
                }
                self.require(',', "`,`")?;
            }
            operands.push(self.source()?);
        }
        if op == Opcode::Swz {
            self.require(',', "`,`")?;
            let extended = self.components(';')?;
            if let Some(first) = operands.first_mut() {
                if first.extended.is_some() {
                    self.report(first.span, Kind::NotExtended { source: 0 });
                    return None;
                }
                first.extended = Some(extended);
            }
        }
        let sampler = if row.format == Format::External { self.texture()? } else { 0 };
        self.require(';', "`;`")?;
        self.push(op, destination, &operands, sampler, spans)
    }

    /// Parses the sampler of a TEX instruction, and the dimension if one follows the sampler.
    fn texture(&mut self) -> Option<u8> {
        self.require(',', "`,`")?;
        let sampler = self.sampler()?;
        let span = self.last;
        let mut dimension = Dimension::D2;
        if self.scan.take(',') {
            let (text, span) = self.word("2D, CUBE or 3D")?;
            let Some(known) = Dimension::ALL.into_iter().find(|known| text.eq_ignore_ascii_case(known.name())) else {
                self.report(span, Kind::Expected { what: "2D, CUBE or 3D", found: format!("`{text}`") });
                return None;
            };
            dimension = known;
        }
        let known = self.known.get_mut(usize::from(sampler))?;
        match *known {
            Some(first) if first != dimension => {
                let (first, second) = (first.name(), dimension.name());
                self.report(span, Kind::TwoDimensions { sampler, first, second });
                return None;
            }
            _ => *known = Some(dimension),
        }
        *self.program.dimensions.get_mut(usize::from(sampler))? = dimension;
        Some(sampler)
    }

    fn push(
        &mut self,
        op: Opcode,
        destination: Destination,
        operands: &[Operand],
        sampler: u8,
        mut spans: InstructionSpans,
    ) -> Option<()> {
        let has_extended = op.row().format.has_extended();
        let mut instruction = Instruction { op, destination, sampler, ..Instruction::NOP };
        let mut uniform = None;
        let places = instruction.sources.iter_mut().zip(&mut spans.sources);
        for ((at, operand), (source, span)) in (0..).zip(operands).zip(places) {
            let &Operand { file, number, swizzle, negate, extended, span: place } = operand;
            if extended.is_some() && (at > 0 || !has_extended) {
                self.report(place, Kind::NotExtended { source: at });
                return None;
            }
            if file.is_uniform() {
                let first = uniform.replace(number).unwrap_or(number);
                if first >> 4 != number >> 4 {
                    self.report(place, Kind::TwoBanks { first, second: number });
                    return None;
                }
            }
            *source = Source { file, index: number & 15, swizzle, negate };
            *span = Some(place);
        }
        instruction.bank = uniform.unwrap_or(0) >> 4;
        if has_extended {
            let extended = operands.first().and_then(|operand| operand.extended);
            instruction.extended = extended.unwrap_or(Extended::IDENTITY);
        }
        self.program.instructions.push(instruction);
        self.map.push(spans);
        Some(())
    }

    /// Reads a macro up to and including its `;`, and adds the instructions of the macro.
    fn expand(&mut self, name: &'static str, operation: Span) -> Option<()> {
        let (destination, span) = self.destination()?;
        self.require(',', "`,`")?;
        let a = self.source()?;
        self.require(',', "`,`")?;
        let b = self.source()?;
        self.require(';', "`;`")?;
        let whole = across(operation, self.last);
        let Span { start, end, line, column, .. } = whole;
        let whole = Span { call: Some(Call { start, end, line, column }), ..whole };
        let at = |span: Option<Span>| InstructionSpans { operation: whole, destination: span, sources: [None; 3] };
        if name == "SUB" {
            let b = Operand { negate: !b.negate, ..b };
            return self.push(Opcode::Add, destination, &[a, b], 0, at(Some(span)));
        }
        let Some(spare) = self.spare else {
            self.report(operation, Kind::NoTemporary { name });
            return None;
        };
        let to = |mask| Destination { written: Written::Temporary, index: spare, mask };
        let (all, w) = (to(Mask::ALL), to(Mask(8)));
        let (file, number, negate, extended) = (File::Temporary, spare, false, None);
        let swizzled = |swizzle| Operand { file, number, swizzle, negate, extended, span: operation };
        let [tmp, tmp_y, tmp_w] = [Swizzle::IDENTITY, Swizzle(0x55), Swizzle(0xff)].map(swizzled);
        match name {
            "LIT" => {
                let parts = [Part::One, Part::Component(0), Part::Component(2), Part::One];
                let one_x_z_one = Operand { extended: Some(Extended::of(parts.map(|part| (false, part)))), ..tmp };
                self.push(Opcode::Clamp, all, &[a, b], 0, at(None))?;
                self.push(Opcode::RLg2, w, &[tmp_w], 0, at(None))?;
                self.push(Opcode::Mul, w, &[tmp_w, tmp_y], 0, at(None))?;
                self.push(Opcode::REx2, w, &[tmp_w], 0, at(None))?;
                self.push(Opcode::MulZ, destination, &[one_x_z_one, tmp_w], 0, at(Some(span)))
            }
            _ => {
                self.push(Opcode::Lg2, all, &[a], 0, at(None))?;
                self.push(Opcode::Mul, all, &[tmp, b], 0, at(None))?;
                self.push(Opcode::Ex2, destination, &[tmp], 0, at(Some(span)))
            }
        }
    }
}
