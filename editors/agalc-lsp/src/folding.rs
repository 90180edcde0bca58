//! Folding ranges of conditionals, macros, `part` blocks, blocks from `#if` to `#endif`, and comments of several lines.

use agal_front::opcode::{Meaning, Opcode};
use lsp_types::{FoldingRange, FoldingRangeKind};

use crate::document::{Document, number};
use crate::lexer::Class;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Conditional,
    Brace,
    Part,
    Directive,
}

pub(crate) fn folding(document: &Document) -> Vec<FoldingRange> {
    let mut found = Vec::new();
    let mut open: Vec<(Open, usize)> = Vec::new();
    let mut comment: Option<(usize, usize)> = None;
    for word in &document.analysis().words {
        let (first, last) = (document.line_of(word.range.start), document.line_of(word.range.end));
        if word.class == Class::Comment {
            // Consecutive lines that contain only a comment form one range.
            match &mut comment {
                Some((_, end)) if word.is_first && *end + 1 == first => *end = last,
                _ => {
                    found.extend(comment.take().and_then(|lines| range(lines, Some(FoldingRangeKind::Comment))));
                    comment = word.is_first.then_some((first, last));
                }
            }
            continue;
        }
        let text = document.slice(&word.range);
        let (begins, ends) = match (word.class, text) {
            (Class::Opcode(op), _) => match op.row().meaning {
                Meaning::If(_) => (Some(Open::Conditional), None),
                Meaning::Else => (Some(Open::Conditional), Some(Open::Conditional)),
                Meaning::EndIf => (None, Some(Open::Conditional)),
                _ => continue,
            },
            (Class::Sign, "{") => (Some(Open::Brace), None),
            (Class::Sign, "}") => (None, Some(Open::Brace)),
            (Class::Keyword, "part") => (Some(Open::Part), None),
            (Class::Keyword, "endpart") => (None, Some(Open::Part)),
            (Class::Directive, "#if") => (Some(Open::Directive), None),
            (Class::Directive, "#elif" | "#else") => (Some(Open::Directive), Some(Open::Directive)),
            (Class::Directive, "#endif") => (None, Some(Open::Directive)),
            _ => continue,
        };
        if let Some(ends) = ends
            && let Some(at) = open.iter().rposition(|(kind, _)| *kind == ends)
        {
            let begun = open.get(at).map_or(first, |(_, line)| *line);
            open.truncate(at);
            // A line that continues or ends a conditional is not folded.
            let is_middle = begins.is_some() || word.class == Class::Opcode(Opcode::Eif);
            found.extend(range((begun, first.saturating_sub(usize::from(is_middle))), None));
        }
        open.extend(begins.map(|begins| (begins, first)));
    }
    found.extend(comment.and_then(|lines| range(lines, Some(FoldingRangeKind::Comment))));
    found.sort_by_key(|range| (range.start_line, range.end_line));
    found
}

fn range((start, end): (usize, usize), kind: Option<FoldingRangeKind>) -> Option<FoldingRange> {
    let range = FoldingRange { start_line: number(start), end_line: number(end), kind, ..FoldingRange::default() };
    (end > start).then_some(range)
}
