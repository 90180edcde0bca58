//! One program as it is written: its text or bytes, the kind of its file, and what the manifest says of it.

use agalc::Finding;

use crate::bounds::Caps;
use crate::bytes::in_flash_order;
use crate::checked::{Checked, How, check};
use crate::fill::Applying;
use crate::group::Shader;
use crate::hash::hash_of;
use crate::manifest::{self, FindingRow, HoleRow, LONGEST, PlaceRow, ProgramRow, VariantRow};
use crate::model::{ByteOrder, Code, Extraction, Language, Place, Site, Template};
use crate::text::{self, short};

/// A program as it is written.
pub(crate) struct Written<'e> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) row: ProgramRow<'e>,
    /// How its file is read again.
    pub(crate) how: How,
}

/// What a file has, which decides where it lies and how its name ends. A batch takes what ends in `.agal` and `.agalbc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Bytecode,
    Template,
    Piece,
}

impl Kind {
    /// The path of the file with a name.
    pub(crate) fn path(self, stem: &str) -> String {
        match self {
            Kind::Text => format!("{stem}.agal"),
            Kind::Bytecode => format!("{stem}.agalbc"),
            Kind::Template => format!("{TEMPLATES}/{stem}.agal.in"),
            Kind::Piece => format!("{PIECES}/{stem}.agal.piece"),
        }
    }
}

const TEMPLATES: &str = "templates";
const PIECES: &str = "pieces";

/// The folders below that of the output: of texts with holes, and of pieces.
pub const SUBFOLDERS: [&str; 2] = [TEMPLATES, PIECES];

/// Writes programs.
pub(crate) struct Writer<'e, 'f> {
    pub(crate) extraction: &'e Extraction,
    pub(crate) fills: Applying<'f>,
    pub(crate) caps: Caps,
    /// How many findings may be listed yet in more than one row per program.
    pub(crate) findings: usize,
}

impl<'e> Writer<'e, '_> {
    /// Writes a program to files with these names.
    pub(crate) fn write(&mut self, shader: &Shader<'e>, stems: &[String]) -> Written<'e> {
        let stem = stems.first().map_or("", String::as_str);
        let row = self.row(shader);
        let (mut written, checked) = match &shader.program.code {
            Code::Bytecode { bytes, order } => bytecode(shader, bytes, *order, row),
            Code::Text { text, language } => {
                let (text, values) = self.fills.fill(text, stem);
                let fills = values.into_iter().map(|(hole, value)| (hole, short(&value, LONGEST).into_owned()));
                let row = ProgramRow { language: Some(manifest::language(*language)), fills: fills.collect(), ..row };
                self.text(shader, &text, *language, row)
            }
        };
        if written.row.piece {
            written.kind = Kind::Piece;
        }
        written.row.file = written.kind.path(stem);
        written.row.copies = stems.iter().skip(1).map(|stem| written.kind.path(stem)).collect();
        if let Some(checked) = checked {
            self.tell(&checked, &mut written.row);
        }
        written.row.reduce(&self.caps);
        written
    }

    /// What is known of a program before it is written.
    fn row(&self, shader: &Shader<'e>) -> ProgramRow<'e> {
        let program = shader.program;
        ProgramRow {
            form: "text",
            stage: program.stage.map(manifest::stage),
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
        row: ProgramRow<'e>,
    ) -> (Written<'e>, Option<Checked>) {
        let program = shader.program;
        let how = How { stage: program.stage, version: program.version, language: Some(language) };
        // A procedure is linked by its engine; one that is a program by itself is compiled like any other.
        let is_procedure = language == Language::Alternativa;
        if let Some(known) = known.known() {
            let written = text::complete(&known, how, &text::comments(self.extraction, shader, &[], false));
            let is_whole = !is_procedure || written.checked.is_sound() && written.options.is_empty();
            let how = if written.options.is_empty() { How::default() } else { how };
            let row = ProgramRow { options: written.options, piece: row.piece || !is_whole, ..row };
            let bytes = written.text.into_bytes();
            return (Written { bytes, kind: Kind::Text, row, how }, Some(written.checked));
        }
        let mut names: Vec<&str> = Vec::new();
        for name in known.names() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let header = text::header(how);
        let comments = text::comments(self.extraction, shader, &names, header.is_some());
        let bytes = text::template(known, header.unwrap_or_default() + &comments).into_bytes();
        let holes = names.into_iter().map(|name| self.hole(program, known, name)).collect();
        let row = ProgramRow { form: "template", holes, piece: row.piece || is_procedure, ..row };
        (Written { bytes, kind: Kind::Template, row, how }, None)
    }

    fn hole(&self, program: &'e crate::model::Program, known: &Template, name: &str) -> HoleRow<'e> {
        let text = |text: &str| short(text, LONGEST).into_owned().into();
        let expression = known.holes.get(name).map_or("", |hole| hole.expression.as_str());
        // What a hole was before fills: the place is not copied.
        let place = match &program.code {
            Code::Text { text, .. } => text.holes.get(name).and_then(|hole| hole.place.as_ref()),
            Code::Bytecode { .. } => None,
        };
        let place = place.map(|place| PlaceRow::new(self.extraction, place));
        HoleRow { name: text(name), expression: text(expression), place }
    }

    /// Adds what agalc says of a program.
    fn tell(&mut self, checked: &Checked, row: &mut ProgramRow<'e>) {
        let program = checked.program.as_ref();
        row.tokens = program.map(|program| program.tokens.len());
        row.stage = row.stage.or(program.map(|program| manifest::stage(program.stage)));
        row.hash = checked.bytes().map(|bytes| hash_of(&bytes));
        row.refused = checked.refused.as_ref().map(|refused| short(refused, LONGEST).into_owned());
        row.has_errors = checked.findings.iter().any(Finding::is_error);
        (row.findings, row.more_findings) = self.findings(&checked.findings.iter().collect::<Vec<_>>());
    }

    /// The findings that are listed, and how many more there are.
    pub(crate) fn findings(&mut self, findings: &[&Finding]) -> (Vec<FindingRow>, usize) {
        let most = self.caps.findings.min(self.findings.max(1));
        let (rows, more) = FindingRow::list(findings, most);
        self.findings = self.findings.saturating_sub(rows.len());
        (rows, more)
    }
}

impl Extraction {
    /// Whether a place is in a trace.
    pub(crate) fn is_trace(&self, place: &Place) -> bool {
        let is_of_trace = self.inputs.get(place.input).is_some_and(|input| input.kind.starts_with(crate::trace::KIND));
        is_of_trace || matches!(place.site, Site::Trace { .. })
    }
}

/// A program that is bytecode, and what agalc says of it.
fn bytecode<'e>(
    shader: &Shader<'e>,
    bytes: &[u8],
    order: ByteOrder,
    row: ProgramRow<'e>,
) -> (Written<'e>, Option<Checked>) {
    let turned = in_flash_order(bytes).filter(|_| order == ByteOrder::Big);
    let bytes = turned.unwrap_or_else(|| bytes.to_vec());
    let how = How { stage: shader.program.stage, ..How::default() };
    let checked = check(&bytes, how);
    let row = ProgramRow { form: "bytecode", byte_order: Some(order), ..row };
    (Written { bytes, kind: Kind::Bytecode, row, how }, Some(checked))
}
