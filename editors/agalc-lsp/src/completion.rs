//! Completion: the words that may be written at a position.

use std::collections::BTreeSet;

use agal_front::assemble::option_words;
use agal_front::disassemble::register;
use agal_front::opcode::Opcode;
use agal_front::register::File;
use agalc::Stage;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation};

use crate::document::Document;
use crate::names::declarations;
use crate::opcodes::{meaning, option, usage};
use crate::words::{Class, words};

/// The words that may be written at an offset.
pub(crate) fn completion(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let line = document.line(document.line_of(offset));
    let before = document.slice(line.start..offset);
    let written = words(before);
    let last = written.last().map(|word| word.class);
    // Nothing is completed in a comment, after a dot, or in a directive.
    if last == Some(Class::Comment)
        || matches!(last, Some(Class::Directive | Class::Components))
        || before.ends_with('.')
    {
        return Vec::new();
    }
    let code = before.rsplit(';').next().unwrap_or_default().trim_start();
    let samples =
        words(code).iter().any(|word| matches!(word.class, Class::Opcode(Opcode::Tex | Opcode::Ted | Opcode::Tld)));
    if samples && code.rfind('<') > code.rfind('>') {
        let item = |word: &str| CompletionItem {
            label: word.to_string(),
            kind: Some(CompletionItemKind::ENUM_MEMBER),
            detail: option(word).map(str::to_string),
            ..CompletionItem::default()
        };
        return option_words().map(item).collect();
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
        label: op.row().mnemonic.to_string(),
        kind: Some(CompletionItemKind::KEYWORD),
        detail: Some(usage(op)),
        documentation: Some(Documentation::String(meaning(op).to_string())),
        ..CompletionItem::default()
    })
}

/// The registers in the text, and the next register of each file.
fn registers(document: &Document) -> Vec<CompletionItem> {
    let analysis = document.analysis();
    let stages = analysis.stage().map_or(vec![Stage::Vertex, Stage::Fragment], |stage| vec![stage]);
    let version = analysis.programs.first().map_or(1, |agal| agal.program.version);
    let written: BTreeSet<String> = analysis
        .words
        .iter()
        .filter(|word| matches!(word.class, Class::Register(_)))
        .map(|word| document.slice(word.range.clone()).to_ascii_lowercase())
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
    let item = |(label, detail): (String, &str)| CompletionItem {
        label,
        kind: Some(CompletionItemKind::VARIABLE),
        detail: Some(detail.to_string()),
        ..CompletionItem::default()
    };
    labels.into_iter().map(item).collect()
}

fn names(document: &Document) -> Vec<CompletionItem> {
    let all: BTreeSet<&str> = declarations(document).map(|range| document.slice(range)).collect();
    let item = |name: &str| CompletionItem {
        label: name.to_string(),
        kind: Some(CompletionItemKind::REFERENCE),
        ..CompletionItem::default()
    };
    all.into_iter().map(item).collect()
}
