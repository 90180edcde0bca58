//! An extraction as files: the programs, and the manifest that describes them.

use std::collections::{BTreeMap, HashMap};

use crate::bytes::in_flash_order;
use crate::checked::{Checked, How, check, check_pair};
use crate::fill::{Applying, Fills, name_of_hole};
use crate::hash::hash_of;
use crate::manifest::{
    self, Counts, FORMAT, FindingRow, HoleRow, InputRow, Manifest, PairRow, PlaceRow, ProgramRow, WarningRow,
};
use crate::model::{ByteOrder, Code, Extraction, Piece, Place, Program, Site, Template};
use crate::names::{Names, names};
use crate::text;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The files of an extraction.
#[derive(Clone, Debug)]
pub struct Output {
    /// The programs, in the order of the extraction. The manifest is not among them.
    pub files: Vec<OutputFile>,
    /// What they are.
    pub manifest: Manifest,
}

/// What is written of an extraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOptions {
    /// What holes stand for.
    pub fills: Fills,
    /// Whether each pair has two files of its own, so that what belongs to several pairs is written several times. Otherwise each program
    /// is written once.
    pub each_pair: bool,
}

/// A program as it is written.
struct Written {
    bytes: Vec<u8>,
    ending: &'static str,
    row: ProgramRow,
    checked: Option<Checked>,
}

impl Extraction {
    /// Makes the files of what was found. The result depends on the extraction and the options alone.
    pub fn output(&self, options: &OutputOptions) -> Output {
        let names = names(self, options.each_pair);
        let mut fills = Applying::new(&options.fills);
        let mut written = Vec::new();
        for (program, stems) in self.programs.iter().zip(&names.programs) {
            written.push(self.written(program, stems, &mut fills));
        }
        let pairs = self.pairs(&names, &written);
        self.relate(&names, &mut written);
        let mut files = Vec::new();
        for (program, stems) in written.iter().zip(&names.programs) {
            let file =
                |stem: &String| OutputFile { name: format!("{stem}{}", program.ending), bytes: program.bytes.clone() };
            files.extend(stems.iter().map(file));
        }
        let hash = |file: &OutputFile| (file.name.clone(), hash_of(&file.bytes));
        let rows: Vec<ProgramRow> = written.into_iter().map(|written| written.row).collect();
        let manifest = Manifest {
            format: FORMAT,
            counts: self.counts(&rows, &pairs),
            inputs: self.input_rows(),
            programs: rows,
            pairs,
            unused_fills: fills.unused(),
            warnings: self.warning_rows(),
            files: files.iter().map(hash).collect(),
            kept: BTreeMap::new(),
        };
        Output { files, manifest }
    }

    fn written(&self, program: &Program, stems: &[String], fills: &mut Applying<'_>) -> Written {
        let stem = stems.first().map_or("", String::as_str);
        let mut row = self.row(program);
        let mut written = match &program.code {
            Code::Bytecode { bytes, order } => self.bytecode(program, bytes, *order, row),
            Code::Text { text, language } => {
                row.language = Some(manifest::language(*language));
                let (text, values) = fills.fill(text, stem);
                row.fills = values;
                let how = How { stage: program.stage, version: program.version, language: Some(*language) };
                self.text(program, &text, how, row)
            }
        };
        written.row.file = format!("{stem}{}", written.ending);
        written.row.copies = stems.iter().skip(1).map(|stem| format!("{stem}{}", written.ending)).collect();
        if let Some(checked) = &written.checked {
            let (row, program) = (&mut written.row, checked.program.as_ref());
            row.tokens = program.map(|program| program.tokens.len());
            row.stage = row.stage.or(program.map(|program| manifest::stage(program.stage)));
            row.hash = checked.bytes().map(|bytes| hash_of(&bytes));
            row.findings = checked.findings.iter().map(FindingRow::new).collect();
            row.refused.clone_from(&checked.refused);
        }
        written
    }

    /// What is known of a program before it is written.
    fn row(&self, program: &Program) -> ProgramRow {
        ProgramRow {
            file: String::new(),
            copies: Vec::new(),
            form: "text",
            language: None,
            byte_order: None,
            stage: program.stage.map(manifest::stage),
            version: program.version,
            tokens: None,
            hash: None,
            same_bytes: Vec::new(),
            options: Vec::new(),
            traced: program.places.iter().any(|place| self.is_trace(place)),
            piece: program.is_piece,
            places: program.places.iter().map(|place| PlaceRow::new(self, place)).collect(),
            variants: Vec::new(),
            pairs: Vec::new(),
            holes: Vec::new(),
            fills: BTreeMap::new(),
            findings: Vec::new(),
            refused: None,
        }
    }

    /// Whether a place is in a trace.
    pub(crate) fn is_trace(&self, place: &Place) -> bool {
        let is_of_trace = self.inputs.get(place.input).is_some_and(|input| input.kind.starts_with(crate::trace::KIND));
        is_of_trace || matches!(place.site, Site::Trace { .. })
    }

    fn bytecode(&self, program: &Program, bytes: &[u8], order: ByteOrder, row: ProgramRow) -> Written {
        let turned = in_flash_order(bytes).filter(|_| order == ByteOrder::Big);
        let bytes = turned.unwrap_or_else(|| bytes.to_vec());
        let checked = check(&bytes, How { stage: program.stage, ..How::default() });
        let row = ProgramRow { form: "bytecode", byte_order: Some(manifest::byte_order(order)), ..row };
        Written { bytes, ending: ".agalbc", row, checked: Some(checked) }
    }

    fn text(&self, program: &Program, known: &Template, how: How, row: ProgramRow) -> Written {
        let comments = text::comments(self, program);
        let holes: Vec<HoleRow> = self.holes(known);
        if holes.is_empty() {
            let known: String = known.pieces.iter().filter_map(text_of).collect();
            let written = text::complete(&known, how, &comments);
            let row = ProgramRow { options: written.options, ..row };
            let bytes = written.text.into_bytes();
            return Written { bytes, ending: ".agal", row, checked: Some(written.checked) };
        }
        let comments = comments + &text::hole_comments(self, known);
        let bytes = text::template(known, how, &comments).into_bytes();
        Written { bytes, ending: ".agal.in", row: ProgramRow { form: "template", holes, ..row }, checked: None }
    }

    /// The holes of a text, in reading order.
    fn holes(&self, text: &Template) -> Vec<HoleRow> {
        let mut rows: Vec<HoleRow> = Vec::new();
        for name in text.pieces.iter().filter_map(name_of_hole) {
            if rows.iter().any(|row| row.name == name) {
                continue;
            }
            let hole = text.holes.get(name).cloned().unwrap_or_default();
            let place = hole.place.as_ref().map(|place| PlaceRow::new(self, place));
            rows.push(HoleRow { name: name.to_string(), expression: hole.expression, place });
        }
        rows
    }

    fn pairs(&self, names: &Names, written: &[Written]) -> Vec<PairRow> {
        let mut rows = Vec::new();
        for (pair, [vertex, fragment]) in self.pairs.iter().zip(&names.pairs) {
            let of = |id: crate::model::ProgramId| written.get(id.0);
            let (Some(of_vertex), Some(of_fragment)) = (of(pair.vertex), of(pair.fragment)) else { continue };
            let findings = match (&of_vertex.checked, &of_fragment.checked) {
                (Some(vertex), Some(fragment)) => check_pair(vertex, fragment).concat(),
                _ => Vec::new(),
            };
            rows.push(PairRow {
                vertex: format!("{vertex}{}", of_vertex.ending),
                fragment: format!("{fragment}{}", of_fragment.ending),
                places: pair.places.iter().map(|place| PlaceRow::new(self, place)).collect(),
                probable: pair.is_probable,
                findings: findings.iter().map(FindingRow::new).collect(),
            });
        }
        rows
    }

    /// Adds to each program which others it belongs together with.
    fn relate(&self, names: &Names, written: &mut [Written]) {
        let mut by_group: HashMap<(usize, Option<&'static str>), Vec<usize>> = HashMap::new();
        let mut by_hash: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, (program, group)) in written.iter().zip(&names.groups).enumerate() {
            by_group.entry((*group, program.row.stage)).or_default().push(at);
            if let Some(hash) = &program.row.hash {
                by_hash.entry(hash.clone()).or_default().push(at);
            }
        }
        let files: Vec<String> = written.iter().map(|written| written.row.file.clone()).collect();
        let others = |of: Option<&Vec<usize>>, at: usize| {
            let of = of.into_iter().flatten().filter(|&&other| other != at);
            of.filter_map(|&other| files.get(other).cloned()).collect::<Vec<_>>()
        };
        for (at, (program, group)) in written.iter_mut().zip(&names.groups).enumerate() {
            let is_variant =
                self.programs.get(at).is_some_and(|of| of.places.iter().any(|place| !place.conditions.is_empty()));
            if is_variant {
                program.row.variants = others(by_group.get(&(*group, program.row.stage)), at);
            }
            program.row.same_bytes = others(program.row.hash.as_ref().and_then(|hash| by_hash.get(hash)), at);
            let of = self.pairs.iter().enumerate().filter(|(_, pair)| pair.vertex.0 == at || pair.fragment.0 == at);
            program.row.pairs = of.map(|(pair, _)| pair).collect();
        }
    }

    fn counts(&self, rows: &[ProgramRow], pairs: &[PairRow]) -> Counts {
        let count = |is: &dyn Fn(&ProgramRow) -> bool| rows.iter().filter(|row| !row.piece && is(row)).count();
        let (programs, with_holes) = (count(&|_| true), count(&|row| !row.holes.is_empty()));
        Counts {
            programs,
            complete: programs - with_holes,
            with_holes,
            filled: count(&|row| row.holes.is_empty() && !row.fills.is_empty()),
            bytecode: count(&|row| row.form == "bytecode"),
            traced: count(&|row| row.traced),
            pieces: rows.len() - programs,
            with_errors: count(&ProgramRow::is_wrong),
            pairs: self.pairs.len(),
            pairs_with_errors: pairs.iter().filter(|pair| pair.has_errors()).count(),
            unknown: self.inputs.iter().map(|input| input.unknown.len()).sum(),
        }
    }

    fn input_rows(&self) -> Vec<InputRow> {
        let row = |(at, input): (usize, &crate::model::Summary)| InputRow {
            name: input.name.clone(),
            kind: input.kind.clone(),
            blocks: input.blocks,
            classes: input.classes,
            methods: input.methods,
            data: input.data,
            programs: self.programs_in(at),
            unknown: input.unknown.iter().map(|place| PlaceRow::new(self, place)).collect(),
        };
        self.inputs.iter().enumerate().map(row).collect()
    }

    /// How many programs were found in an input, without pieces.
    pub fn programs_in(&self, input: usize) -> usize {
        let is_there = |of: &&Program| !of.is_piece && of.places.iter().any(|place| place.input == input);
        self.programs.iter().filter(is_there).count()
    }

    fn warning_rows(&self) -> Vec<WarningRow> {
        let name = |input: usize| self.inputs.get(input).map_or_else(String::new, |input| input.name.clone());
        let rows = self.warnings.iter().map(|warning| WarningRow {
            input: name(warning.input),
            path: warning.path.clone(),
            message: warning.message.clone(),
        });
        rows.collect()
    }
}

fn text_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Text(text) => Some(text),
        Piece::Hole(_) => None,
    }
}
