//! Inlay hints: after an instruction, how many temporaries are live where that changes; after the last one, how long the program is.

use agal_front::disassemble::live_temporaries;
use agal_front::register::{File, token_limit};
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use crate::document::Document;

/// The hints in a range.
pub(crate) fn hints(document: &Document, range: Range) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for agal in &document.analysis().programs {
        let program = &agal.program;
        let lines: Vec<Option<u32>> = agal
            .map
            .instructions
            .iter()
            .map(|spans| spans.operation.call.is_none().then_some(spans.operation.line.saturating_sub(1)))
            .collect();
        let mut before = 0;
        let live = live_temporaries(program).unwrap_or_default();
        for (index, live) in live.iter().enumerate() {
            let line = lines.get(index).copied().flatten();
            // Of several instructions of a line, the last one tells.
            let is_last = lines.get(index + 1).copied().flatten() != line || line.is_none();
            let Some(line) = line.filter(|_| is_last && live.len() != before) else { continue };
            before = live.len();
            let many = if live.len() == 1 { "temporary" } else { "temporaries" };
            let of = File::Temporary.count(program.stage, program.version);
            hints.push(hint(
                document,
                line,
                format!("{} live", live.len()),
                format!("{} {many} of {of} in use", live.len()),
            ));
        }
        if let Some(line) = lines.iter().rev().copied().flatten().next() {
            let (count, most) = (program.tokens.len(), token_limit(program.version));
            let tip = format!("AGAL {} allows {most} tokens", program.version);
            hints.push(hint(document, line, format!("{count} of {most} tokens"), tip));
        }
    }
    hints.retain(|hint| (range.start.line..=range.end.line).contains(&hint.position.line));
    hints
}

fn hint(document: &Document, line: u32, label: String, tip: String) -> InlayHint {
    InlayHint {
        position: document.position(document.line(line as usize).end),
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(tip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
