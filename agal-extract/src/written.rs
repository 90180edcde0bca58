//! Prepares a program for output: its text or bytes, its file path, and its row in the manifest.

use std::collections::HashSet;

use agalc::{Finding, Stage};
use sha2::{Digest, Sha256};

use crate::bytes::in_flash_order;
use crate::checked::{Checked, How, check};
use crate::fill::Applying;
use crate::group::Shader;
use crate::left_out::Caps;
use crate::manifest::{FindingRow, HoleRow, PlaceRow, ProgramRow, VariantRow};
use crate::model::{ByteOrder, Code, Extraction, Language, Place, Site, Template};
use crate::text::{self, LONGEST, short};

pub(crate) struct Written<'e> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) row: ProgramRow<'e>,
    /// The stage, version and language with which the written file can be parsed again.
    pub(crate) how: How,
}

const TEMPLATES: &str = "templates";
const PIECES: &str = "pieces";

/// The subfolders of the output folder, for programs with holes and for pieces.
pub const SUBFOLDERS: [&str; 2] = [TEMPLATES, PIECES];

pub(crate) struct Writer<'e, 'f> {
    pub(crate) extraction: &'e Extraction,
    pub(crate) fills: Applying<'f>,
    pub(crate) caps: Caps,
    /// The number of findings that may still be listed. When the number is 0, every further program lists only one finding.
    pub(crate) findings: usize,
}

impl<'e> Writer<'e, '_> {
    /// Converts a program to its output form. Each stem is the name of one copy of the file, without its extension.
    pub(crate) fn write(&mut self, shader: &Shader<'e>, stems: &[String], group: usize) -> Written<'e> {
        let stem = stems.first().map_or("", String::as_str);
        let mut row = ProgramRow { group, ..self.row(shader) };
        let (bytes, how, checked) = match &shader.program.code {
            Code::Bytecode { bytes, order } => {
                (row.form, row.byte_order) = ("bytecode", Some(*order));
                let turned = in_flash_order(bytes).filter(|_| *order == ByteOrder::Big);
                let how = How { stage: shader.program.stage, ..How::default() };
                let bytes = turned.unwrap_or_else(|| bytes.to_vec());
                let checked = check(&bytes, how);
                (bytes, how, Some(checked))
            }
            Code::Text { text, language } => {
                let (text, values) = self.fills.fill(text, stem);
                let fills = values.into_iter().map(|(hole, value)| (hole, short(&value, LONGEST).into_owned()));
                (row.language, row.fills) = (Some(text::language(*language)), fills.collect());
                self.text(shader, &text, *language, &mut row)
            }
        };
        row.file = row.path(stem);
        row.copies = stems.iter().skip(1).map(|stem| row.path(stem)).collect();
        if let Some(checked) = checked {
            self.add_verdict(&checked, &mut row);
        }
        row.reduce(&self.caps);
        Written { bytes, row, how }
    }

    /// Creates a program's manifest row without the facts that depend on the written file.
    fn row(&self, shader: &Shader<'e>) -> ProgramRow<'e> {
        let program = shader.program;
        ProgramRow {
            form: "text",
            stage: program.stage.map(Stage::name),
            version: program.version,
            traced: program.places.iter().any(|place| self.extraction.is_trace(place)),
            piece: program.is_piece,
            places: PlaceRow::list(self.extraction, &program.places),
            variants: shader.variants.iter().map(VariantRow::new).collect(),
            count: shader.count(),
            ..ProgramRow::default()
        }
    }

    fn text(
        &self,
        shader: &Shader<'e>,
        known: &Template,
        language: Language,
        row: &mut ProgramRow<'e>,
    ) -> (Vec<u8>, How, Option<Checked>) {
        let program = shader.program;
        let how = How { stage: program.stage, version: program.version, language: Some(language) };
        // A procedure is only one of the parts from which the engine links a program. A procedure that is a complete program is
        // compiled like any other text.
        let is_procedure = language == Language::Alternativa;
        if let Some(known) = known.known() {
            let written = text::complete(&known, how, &text::comments(self.extraction, shader, &[], false));
            let is_whole = !is_procedure || written.checked.is_sound() && written.options.is_empty();
            let how = if written.options.is_empty() { How::default() } else { how };
            (row.options, row.piece) = (written.options, row.piece || !is_whole);
            return (written.text.into_bytes(), how, Some(written.checked));
        }
        let mut seen = HashSet::new();
        let names: Vec<&str> = known.names().filter(|name| seen.insert(*name)).collect();
        let header = text::header(how);
        let comments = text::comments(self.extraction, shader, &names, header.is_some());
        let bytes = text::template(known, header.unwrap_or_default() + &comments).into_bytes();
        row.holes = names.into_iter().map(|name| self.hole(program, known, name)).collect();
        (row.form, row.piece) = ("template", row.piece || is_procedure);
        (bytes, how, None)
    }

    fn hole(&self, program: &'e crate::model::Program, known: &Template, name: &str) -> HoleRow<'e> {
        let text = |text: &str| short(text, LONGEST).into_owned().into();
        let expression = known.holes.get(name).map_or("", |hole| hole.expression.as_str());
        // The row borrows the places of holes from the original program rather than from the filled copy.
        let holes = match &program.code {
            Code::Text { text, .. } => Some(&text.holes),
            Code::Bytecode { .. } => None,
        };
        let place = holes.and_then(|holes| holes.get(name)?.place.as_ref());
        let place = place.map(|place| PlaceRow::new(self.extraction, place));
        HoleRow { name: text(name), expression: text(expression), place }
    }

    /// Adds the results of agalc's checks to a program's row.
    fn add_verdict(&mut self, checked: &Checked, row: &mut ProgramRow<'e>) {
        let program = checked.program.as_ref();
        row.tokens = program.map(|program| program.tokens.len());
        row.stage = row.stage.or(program.map(|program| program.stage.name()));
        row.hash = program.map(|program| hash_of(&program.encode()));
        row.refused = checked.refused.as_ref().map(|refused| short(refused, LONGEST).into_owned());
        row.has_errors = checked.findings.iter().any(Finding::is_error);
        (row.findings, row.left_out.findings) = self.findings(&checked.findings);
    }

    pub(crate) fn findings(&mut self, findings: &[Finding]) -> (Vec<FindingRow>, usize) {
        let most = self.caps.findings.min(self.findings.max(1));
        let (rows, more) = FindingRow::list(findings, most);
        self.findings = self.findings.saturating_sub(rows.len());
        (rows, more)
    }
}

impl ProgramRow<'_> {
    /// Returns the path of the program's file. In a folder, agalc compiles only the files that end in `.agal` and `.agalbc`.
    pub(crate) fn path(&self, stem: &str) -> String {
        match self.form {
            _ if self.piece => format!("{PIECES}/{stem}.agal.piece"),
            "template" => format!("{TEMPLATES}/{stem}.agal.in"),
            "bytecode" => format!("{stem}.agalbc"),
            _ => format!("{stem}.agal"),
        }
    }
}

impl Extraction {
    pub(crate) fn is_trace(&self, place: &Place) -> bool {
        let is_of_trace = self.inputs.get(place.input).is_some_and(|input| input.kind.starts_with(crate::trace::KIND));
        is_of_trace || matches!(place.site, Site::Trace { .. })
    }
}

/// Returns the SHA-256 hash of bytes, in hexadecimal digits. The manifest lists the hashes of the files and of the
/// programs' bytecode.
///
/// ```
/// assert!(agal_extract::hash_of(b"").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
