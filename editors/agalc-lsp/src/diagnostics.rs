//! Converts findings to diagnostics of the language server protocol.

use std::ops::Range;

use agal_front::Span;
use agalc::{Finding, Severity};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Uri,
};

use crate::document::Document;

/// The code of the finding for a result that reaches no output. Editors fade an instruction that has this finding.
const UNUSED_RESULT: u16 = 9001;

pub(crate) fn diagnostics(document: &Document, uri: &Uri) -> Vec<Diagnostic> {
    let analysis = document.analysis();
    let refused = analysis.refused.iter().map(|message| Diagnostic {
        range: document.range(document.line(0)),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("agalc".to_string()),
        message: message.clone(),
        ..Diagnostic::default()
    });
    refused.chain(analysis.findings.iter().map(|finding| diagnostic(document, uri, finding))).collect()
}

/// Returns the byte range of a finding, or the range of the first line if the finding has no location.
pub(crate) fn place(document: &Document, finding: &Finding) -> Range<usize> {
    match finding.place.span {
        Some(Span { start, end, .. }) => start..end,
        None => document.line(0),
    }
}

fn diagnostic(document: &Document, uri: &Uri, finding: &Finding) -> Diagnostic {
    let mut message = finding.message.clone();
    if let Some(verdict) = finding.verdict() {
        message += &format!("\n{verdict}");
    }
    if let Some(help) = finding.advice(|_| None) {
        message += &format!("\nhelp: {help}");
    }
    let call = finding.place.span.and_then(|span| span.call).map(|call| DiagnosticRelatedInformation {
        location: Location { uri: uri.clone(), range: document.range(call.start..call.end) },
        message: "in the expansion of this call".to_string(),
    });
    Diagnostic {
        range: document.range(place(document, finding)),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(finding.label())),
        source: Some("agalc".to_string()),
        message,
        related_information: call.map(|call| vec![call]),
        tags: (finding.code == UNUSED_RESULT).then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}
