//! Code actions, which make the edits that the help texts of findings suggest.
//!
//! Rule: an action is offered only if its edit reduces the number of findings with the same code.

use std::ops::Range;

use agal_front::Span;
use agalc::{Finding, Stage};

use crate::diagnostics::place;
use crate::document::Document;

pub(crate) struct Action {
    pub(crate) title: String,
    pub(crate) range: Range<usize>,
    pub(crate) new_text: String,
    /// The index of the corrected finding in the analysis.
    pub(crate) finding: usize,
}

/// Returns the code actions for the findings that touch a byte range.
pub(crate) fn actions(document: &Document, range: Range<usize>) -> Vec<Action> {
    let findings = document.analysis().findings.iter().enumerate();
    let touching = findings.filter(|(_, finding)| {
        let place = place(document, finding);
        place.start <= range.end && range.start <= place.end
    });
    let mut actions: Vec<Action> = touching.flat_map(|(number, finding)| edits(document, number, finding)).collect();
    actions.retain(|action| corrects(document, action));
    actions
}

fn corrects(document: &Document, action: &Action) -> bool {
    let Some(code) = document.analysis().findings.get(action.finding).map(|finding| finding.code) else { return false };
    let mut text = document.text().to_string();
    if text.get(action.range.clone()).is_none() {
        return false;
    }
    text.replace_range(action.range.clone(), &action.new_text);
    let after = document.with_text(text);
    let count =
        |document: &Document| document.analysis().findings.iter().filter(|finding| finding.code == code).count();
    count(&after) < count(document)
}

fn edits(document: &Document, number: usize, finding: &Finding) -> Vec<Action> {
    let range = place(document, finding);
    let found = document.slice(&range).to_string();
    let action =
        |title: String, range: Range<usize>, new_text: String| Action { title, range, new_text, finding: number };
    let replace = |new: String| action(format!("replace `{found}` by `{new}`"), range.clone(), new);
    let line = document.line_of(range.start);
    // Returns the range of the finding's first line, including the line terminator.
    let whole = || {
        let end =
            if line + 1 < document.line_count() { document.line(line + 1).start } else { document.line(line).end };
        document.line(line).start..end
    };
    let last = document.text().trim_end().len();
    let help = finding.advice(|_| None).unwrap_or_default();
    let meant =
        quoted_after(&help, "did you mean `").or_else(|| help.strip_prefix("AGAL's mnemonic is `")?.split('`').next());
    if let Some(meant) = meant {
        return vec![replace(meant.to_string())];
    }
    match finding.code {
        // Finding 9107: the program's stage is unknown.
        9107 => [Stage::Vertex, Stage::Fragment]
            .map(|stage| action(format!("state that this is a {stage} program"), 0..0, format!("// agal 1 {stage}\n")))
            .into(),
        // Finding 9116: a word is in upper case.
        9116 => vec![replace(found.to_ascii_lowercase())],
        // Finding 3739: a conditional is not closed.
        3739 => vec![action("close the conditional at the end".to_string(), last..last, "\neif".to_string())],
        // Finding 3623: an `eif` has no conditional. Finding 9001: an instruction has no effect.
        3623 | 9001 => vec![action("remove the line".to_string(), whole(), String::new())],
        // Finding 9201: a comment is not closed.
        9201 => vec![action("close the comment at the end".to_string(), last..last, " */".to_string())],
        // Finding 3628: the destination has a fourth component, which the operation does not compute.
        3628 => {
            let destination = document
                .analysis()
                .instruction_at(range.start)
                .and_then(|(agal, index)| agal.map.get(index)?.destination.filter(|span| span.call.is_none()));
            let masked = destination.filter(|span| !document.slice(&(span.start..span.end)).contains('.'));
            let alone = |span: Span| action("write `.xyz` alone".to_string(), span.end..span.end, ".xyz".to_string());
            masked.map(alone).into_iter().collect()
        }
        _ if found.starts_with('#') && help.contains("a comment begins with `//`") => {
            vec![action("make it a comment".to_string(), range.start..range.start + 1, "//".to_string())]
        }
        _ => Vec::new(),
    }
}

/// Returns the text between `beginning` and the next backtick.
fn quoted_after<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    text.split_once(beginning)?.1.split_once('`').map(|(inner, _)| inner)
}
