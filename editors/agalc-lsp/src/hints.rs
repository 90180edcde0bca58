//! Inlay hints. A hint shows the number of live temporaries after each instruction that changes that number. At the end of a
//! program, a hint shows the program's length and the limit on the length.

use agal_front::disassemble::live_temporaries;
use agal_front::native_estimate;
use agal_front::register::{File, token_limit};
use agalc::{Profile, Stage};

use crate::analysis::Assembled;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use crate::document::Document;

pub(crate) fn hints(document: &Document, range: Range) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for agal in &document.analysis().programs {
        let program = &agal.program;
        let lines: Vec<Option<u32>> = agal
            .map
            .iter()
            .map(|spans| spans.operation.call.is_none().then_some(spans.operation.line.saturating_sub(1)))
            .collect();
        let mut before = 0;
        let live = live_temporaries(program).unwrap_or_default();
        for (index, live) in live.iter().enumerate() {
            let line = lines.get(index).copied().flatten();
            // If a line contains several instructions, the last instruction determines the hint.
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
            let (most, tip) = limit(agal, document.profile());
            hints.push(hint(document, line, format!("{} of {most} tokens", program.tokens.len()), tip));
        }
    }
    hints.retain(|hint| (range.start.line..=range.end.line).contains(&hint.position.line));
    hints
}

/// Returns the maximum number of tokens in a program, and the reason for that limit. A program that does not state its version
/// may use the highest version of the profile.
fn limit(agal: &Assembled, profile: Option<Profile>) -> (usize, String) {
    let version = agal.program.version;
    let Some(profile) = profile else {
        let most = token_limit(version);
        return (most, format!("AGAL {version} allows {most} tokens"));
    };
    let version = if agal.version_given { version.min(profile.version()) } else { profile.version() };
    let most = token_limit(version);
    let mut tip = format!("AGAL {version} in profile {} allows {most} tokens", profile.name());
    if let (Some(limits), Stage::Fragment) = (profile.native_limits(), agal.program.stage) {
        let counts = native_estimate(&agal.program).into_iter().zip(limits);
        let counts = counts.zip(["arithmetic instructions", "texture instructions", "dependent texture reads"]);
        let shown = counts.map(|((count, most), what)| format!("{count} of {most} {what}"));
        tip += &format!("; on a device, the program needs about {}", shown.collect::<Vec<_>>().join(", "));
    }
    (most, tip)
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
