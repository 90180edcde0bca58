//! Formats AGAL source text: aligns operands in columns, indents conditionals, and writes one space between words. Lines that are
//! not plain statements keep their text, except for trailing spaces.

use std::ops::Range;

use agal_front::disassemble::{Columns, Indent};
use agal_front::opcode::{Meaning, Operand};
use agalc::Warning;
use lsp_types::TextEdit;

use crate::document::{Document, Encoding};
use crate::lexer::Class;
use crate::reading::Source;

/// A line with one instruction that is not a macro call, and at most one trailing comment.
struct Statement {
    mnemonic: String,
    operands: Vec<String>,
    comment: Option<String>,
    meaning: Meaning,
}

/// Formats AGAL source text without changing the program: aligns operands in columns, and indents conditionals. Source
/// text with errors is returned unchanged, and so is code in another language that contains a program. The extensions of
/// the file name `name` may determine the program's stage.
///
/// ```
/// let text = "mov  ft0,v0\nmul oc, ft0, fc0\n";
/// assert_eq!(agalc_lsp::formatted("a.frag.agal", text), "mov ft0, v0\nmul oc,  ft0, fc0\n");
/// ```
pub fn formatted(name: &str, text: &str) -> String {
    let source = Source::new(name.to_string(), text.to_string(), None);
    let document = Document::new(source, 0, Encoding::Utf8);
    let formatted = changed(&document).map_or_else(|| text.to_string(), |(_, formatted)| formatted);
    // A byte order mark is not part of the program.
    let mark = if text.starts_with('\u{feff}') && !formatted.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    mark.to_string() + &formatted
}

/// Returns the edits that format a document. There are no edits if the document has errors, or if formatting would change the
/// program.
pub(crate) fn format(document: &Document) -> Vec<TextEdit> {
    let (changed, _) = changed(document).unwrap_or_default();
    changed.into_iter().map(|(range, new_text)| TextEdit { range: document.range(range), new_text }).collect()
}

/// Byte ranges of the text, with their replacements.
type Changes = Vec<(Range<usize>, String)>;

/// Returns the changed lines and the formatted text, or `None` if the document cannot be formatted.
fn changed(document: &Document) -> Option<(Changes, String)> {
    let analysis = document.analysis();
    // A paste is code in another language that contains a program, so it is not formatted.
    let is_paste = analysis.programs.iter().any(|agal| agal.warnings.iter().any(Warning::is_note));
    if analysis.programs.is_empty() || is_paste {
        return None;
    }
    let lines = (0..document.line_count()).map(|number| document.line(number));
    let lines: Vec<(Range<usize>, Option<Statement>)> =
        lines.map(|range| (range.clone(), statement(document, range))).collect();
    let statements = lines.iter().filter_map(|(_, statement)| statement.as_ref());
    let columns = Columns::of(statements.map(|statement| &statement.operands[..]));
    let (mut indent, mut text) = (Indent::default(), document.text().to_string());
    let mut changed = Changes::new();
    for (range, statement) in lines {
        let before = document.slice(&range);
        let after = match &statement {
            None => before.trim_end().to_string(),
            Some(statement) => indent.next(Some(statement.meaning)) + &statement.aligned(columns),
        };
        if after != before {
            changed.push((range, after));
        }
    }
    for (range, after) in changed.iter().rev() {
        text.replace_range(range.clone(), after);
    }
    let formatted = document.with_text(text);
    let is_same = formatted.analysis().has_programs_of(document.analysis());
    is_same.then(|| (changed, formatted.text().to_string()))
}

/// Parses a line, and returns `None` if the line is not a plain statement.
fn statement(document: &Document, range: Range<usize>) -> Option<Statement> {
    let words = document.analysis().words_in(range.clone());
    let (comment, code): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.class == Class::Comment);
    let first = code.first().filter(|word| word.is_first)?;
    let Class::Opcode(op) = first.class else { return None };
    let comment = match comment.as_slice() {
        [] => None,
        // A comment may follow the instruction if the comment extends to the end of the line.
        [one] if one.range.end == range.end && code.iter().all(|word| word.range.end <= one.range.start) => {
            Some(document.slice(&one.range).trim_end().to_string())
        }
        _ => return None,
    };
    if code.iter().skip(1).any(|word| word.is_first)
        || code.iter().any(|word| matches!(document.slice(&word.range), "(" | "=" | "{" | "}" | ";"))
    {
        return None;
    }
    let row = op.row();
    let expected =
        usize::from(row.destination) + row.sources.iter().filter(|operand| **operand != Operand::None).count();
    let end = code.last().map_or(first.range.end, |word| word.range.end);
    let rest = document.slice(&(first.range.end..end));
    let operands = operands(rest)?;
    // If an operand contains a space, a separator is probably missing.
    let is_one = |operand: &String| !operand.split('<').next().unwrap_or_default().trim().contains(char::is_whitespace);
    (operands.len() == expected && operands.iter().all(is_one)).then(|| Statement {
        mnemonic: document.slice(&first.range).to_string(),
        operands,
        comment,
        meaning: row.meaning,
    })
}

/// Splits the operands of a statement at commas, but not at commas inside sampler options or indices.
fn operands(text: &str) -> Option<Vec<String>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let (mut operands, mut depth) = (vec![String::new()], 0_usize);
    for c in text.chars() {
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                operands.push(String::new());
                continue;
            }
            _ => {}
        }
        operands.last_mut()?.push(c);
    }
    let tidy = |operand: &String| operand.split_whitespace().collect::<Vec<&str>>().join(" ");
    let operands: Vec<String> = operands.iter().map(tidy).collect();
    operands.iter().all(|operand| !operand.is_empty()).then_some(operands)
}

impl Statement {
    fn aligned(&self, columns: Columns) -> String {
        let line = columns.line(&self.mnemonic, &self.operands);
        match &self.comment {
            Some(comment) => format!("{line} {comment}"),
            None => line,
        }
    }
}
