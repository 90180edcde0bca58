//! Completion, which suggests the words that may be written at a position.

use std::collections::BTreeSet;

use agal_front::assemble::option_words;
use agal_front::disassemble::register;
use agal_front::opcode::Opcode;
use agal_front::register::File;
use agalc::Stage;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation};

use crate::document::Document;
use crate::lexer::{Class, lex};
use crate::names::declarations;
use crate::opcodes::{meaning, option, usage};

pub(crate) fn completion(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let line = document.line(document.line_of(offset));
    let before = document.slice(&(line.start..offset));
    let written = lex(before);
    let last = written.last().map(|word| word.class);
    // Nothing is suggested in a comment, after a dot, or in a directive.
    if matches!(last, Some(Class::Comment | Class::Directive | Class::Components)) || before.ends_with('.') {
        return Vec::new();
    }
    let code = before.rsplit(';').next().unwrap_or_default().trim_start();
    let samples =
        lex(code).iter().any(|word| matches!(word.class, Class::Opcode(Opcode::Tex | Opcode::Ted | Opcode::Tld)));
    if samples && code.rfind('<') > code.rfind('>') {
        return option_words().map(|word| item(word, CompletionItemKind::ENUM_MEMBER, option(word))).collect();
    }
    let is_first = !code.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut items = Vec::new();
    if is_first || code.trim_end().ends_with('=') {
        items.extend(opcodes(document));
    }
    if !is_first || code.is_empty() {
        items.extend(registers(document));
    }
    items.extend(names(document));
    items
}

fn opcodes(document: &Document) -> impl Iterator<Item = CompletionItem> {
    let stage = document.analysis().stage();
    let fits = move |op: &&Opcode| op.row().stage.is_none() || stage.is_none() || op.row().stage == stage;
    Opcode::ALL.iter().filter(fits).map(|&op| CompletionItem {
        documentation: Some(Documentation::String(meaning(op).to_string())),
        ..item(op.row().mnemonic, CompletionItemKind::KEYWORD, Some(&usage(op)))
    })
}

/// Suggests the registers that the document uses, and the first unused register of each file.
fn registers(document: &Document) -> Vec<CompletionItem> {
    let analysis = document.analysis();
    let stages = analysis.stage().map_or(vec![Stage::Vertex, Stage::Fragment], |stage| vec![stage]);
    let version = analysis.programs.first().map_or(1, |agal| agal.program.version);
    let written: BTreeSet<String> = analysis
        .words
        .iter()
        .filter(|word| matches!(word.class, Class::Register(_)))
        .map(|word| document.slice(&word.range).to_ascii_lowercase())
        .collect();
    let mut labels: BTreeSet<(String, &str)> = BTreeSet::new();
    for stage in stages {
        for file in File::ALL {
            let mut has_next = true;
            for number in 0..file.count(stage, version) {
                let label = register(file, number, stage);
                if written.contains(&label) || std::mem::take(&mut has_next) {
                    labels.insert((label, file.description()));
                }
            }
        }
    }
    labels.iter().map(|(label, detail)| item(label, CompletionItemKind::VARIABLE, Some(detail))).collect()
}

fn names(document: &Document) -> Vec<CompletionItem> {
    let all: BTreeSet<&str> = declarations(document).map(|range| document.slice(&range)).collect();
    all.into_iter().map(|name| item(name, CompletionItemKind::REFERENCE, None)).collect()
}

fn item(label: &str, kind: CompletionItemKind, detail: Option<&str>) -> CompletionItem {
    CompletionItem {
        label: label.to_string(),
        kind: Some(kind),
        detail: detail.map(str::to_string),
        ..CompletionItem::default()
    }
}
