//! Converts an extraction to files: the program files, and the manifest that describes them.

use std::collections::{BTreeMap, BTreeSet};

use agalc::Finding;

use crate::bounds;
use crate::checked::{Checked, check, check_pair};
use crate::fill::{Applying, Fills};
use crate::group::{Shaders, group};
use crate::left_out::LeftOut;
use crate::manifest::{Counts, FORMAT, InputRow, Manifest, PairRow, PlaceRow, ProgramRow, WarningRow};
use crate::model::Extraction;
use crate::names::{Names, names};
use crate::text::{LONGEST, short};
use crate::written::{Writer, Written, hash_of};

/// A file to be written to the output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The path relative to the output folder, separated by `/`. Templates are in `templates`, pieces are in `pieces`, and
    /// complete programs are in the output folder itself.
    pub name: String,
    /// The contents of the file.
    pub bytes: Vec<u8>,
}

/// The program files of an extraction, with their manifest.
#[derive(Clone, Debug)]
pub struct Output<'e> {
    /// The program files, in the order of the extraction's programs. The manifest is not included.
    pub files: Vec<OutputFile>,
    /// The manifest, which describes the program files.
    pub manifest: Manifest<'e>,
    /// The number of programs found in each input, excluding pieces.
    pub programs: Vec<usize>,
}

agal_front::options! {
    /// Options for converting an extraction to files.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct OutputOptions {
        /// The texts that replace the holes of programs.
        pub fills: Fills,
        /// Whether each pair gets two files of its own; a program in several pairs is then written several times.
        pub each_pair: bool,
        /// Whether programs that differ only in sampler options get separate files, instead of one file and a table of the
        /// options in the manifest.
        pub all_variants: bool,
    }
}

/// The total number of findings after which each further program lists only one finding.
const FINDINGS: usize = 20_000;

impl Extraction {
    /// Builds the output files, at most [`MOST_OF_FOLDER`](crate::MOST_OF_FOLDER) bytes in total. The result depends only on the
    /// extraction and the options.
    pub fn output(&self, options: &OutputOptions) -> Output<'_> {
        let shaders = group(self, options.all_variants);
        let names = names(self, &shaders, options.each_pair);
        let caps = bounds::first_caps(&shaders);
        let fills = Applying::new(&options.fills);
        let mut writer = Writer { extraction: self, fills, caps, findings: FINDINGS };
        let named = shaders.all.iter().zip(&names.programs).zip(&names.groups);
        let written: Vec<Written<'_>> =
            named.map(|((shader, stems), group)| writer.write(shader, stems, *group)).collect();
        let pairs = self.pairs(&shaders, &names, &written, &mut writer);
        let (contents, programs): (Vec<Vec<u8>>, Vec<ProgramRow<'_>>) =
            written.into_iter().map(|written| (written.bytes, written.row)).unzip();
        let by_input = self.programs_by_input(&shaders, &programs);
        let mut manifest = Manifest {
            format: FORMAT,
            counts: Counts::default(),
            left_out: LeftOut::default(),
            inputs: self.input_rows(&by_input),
            programs,
            pairs,
            unused_fills: writer.fills.unused(),
            warnings: self.warning_rows(),
            files: BTreeMap::new(),
            kept: BTreeMap::new(),
            is_dense: false,
        };
        let contents = bounds::fit(&mut manifest, contents);
        manifest.counts = counts(self, &manifest);
        let files = files(&manifest.programs, contents);
        manifest.files = files.iter().map(|file| (file.name.clone(), hash_of(&file.bytes))).collect();
        Output { files, manifest, programs: by_input }
    }

    fn pairs<'e>(
        &'e self,
        shaders: &Shaders<'e>,
        names: &Names,
        written: &[Written<'e>],
        writer: &mut Writer<'e, '_>,
    ) -> Vec<PairRow<'e>> {
        let mut rows = Vec::new();
        for (pair, [vertex, fragment]) in shaders.pairs.iter().zip(&names.pairs) {
            let (Some(of_vertex), Some(of_fragment)) = (written.get(pair.vertex), written.get(pair.fragment)) else {
                continue;
            };
            let all_findings = match (checked(of_vertex), checked(of_fragment)) {
                (Some(vertex), Some(fragment)) => check_pair(&vertex, &fragment),
                _ => Vec::new(),
            };
            let (findings, more_findings) = writer.findings(&all_findings);
            let mut row = PairRow {
                vertex: of_vertex.row.path(vertex),
                fragment: of_fragment.row.path(fragment),
                places: PlaceRow::list(self, pair.places.iter().copied()),
                probable: pair.is_probable,
                findings,
                left_out: LeftOut { findings: more_findings, ..LeftOut::default() },
                has_errors: all_findings.iter().any(Finding::is_error),
                programs: [pair.vertex, pair.fragment],
            };
            row.reduce(&writer.caps);
            rows.push(row);
        }
        rows
    }

    fn input_rows(&self, programs: &[usize]) -> Vec<InputRow<'_>> {
        let rows = self.inputs.iter().zip(programs).map(|(input, programs)| InputRow {
            name: short(&input.name, LONGEST),
            kind: short(&input.kind, LONGEST),
            blocks: input.blocks,
            classes: input.classes,
            methods: input.methods,
            data: input.data,
            programs: *programs,
            unknown: PlaceRow::list(self, &input.unknown),
            left_out: LeftOut::default(),
        });
        rows.collect()
    }

    fn programs_by_input(&self, shaders: &Shaders<'_>, rows: &[ProgramRow<'_>]) -> Vec<usize> {
        let mut counts = vec![0; self.inputs.len()];
        for (shader, _) in shaders.all.iter().zip(rows).filter(|(_, row)| !row.piece) {
            let places = shader.programs().flat_map(|program| &program.places);
            let inputs: BTreeSet<usize> = places.map(|place| place.input).collect();
            inputs.into_iter().for_each(|input| counts.get_mut(input).into_iter().for_each(|count| *count += 1));
        }
        counts
    }

    fn warning_rows(&self) -> Vec<WarningRow<'_>> {
        let name = |input: usize| self.inputs.get(input).map_or("", |input| input.name.as_str());
        let rows = self.warnings.iter().map(|warning| WarningRow {
            input: short(name(warning.input), LONGEST),
            path: warning.path.iter().map(|part| short(part, LONGEST)).collect(),
            message: short(&warning.message, 4 * LONGEST),
        });
        rows.collect()
    }
}

/// Checks a written program a second time, unless it has errors. The first check discards the parsed program, which needs many
/// times as much memory as the text.
fn checked(written: &Written<'_>) -> Option<Checked> {
    let is_sound = written.row.hash.is_some() && !written.row.has_errors;
    is_sound.then(|| check(&written.bytes, written.how))
}

fn files(rows: &[ProgramRow<'_>], contents: Vec<Vec<u8>>) -> Vec<OutputFile> {
    let mut files = Vec::new();
    for (row, bytes) in rows.iter().zip(contents) {
        let copies: Vec<OutputFile> =
            row.copies.iter().map(|name| OutputFile { name: name.clone(), bytes: bytes.clone() }).collect();
        files.push(OutputFile { name: row.file.clone(), bytes });
        files.extend(copies);
    }
    files
}

fn counts(extraction: &Extraction, manifest: &Manifest<'_>) -> Counts {
    let (rows, pairs) = (&manifest.programs, &manifest.pairs);
    let count = |is: &dyn Fn(&ProgramRow<'_>) -> bool| rows.iter().filter(|row| !row.piece && is(row)).count();
    let is_complete = |at: &usize| rows.get(*at).is_some_and(|row| !row.has_holes() && !row.piece);
    let (programs, with_holes) = (count(&|_| true), count(&|row| row.has_holes()));
    Counts {
        programs,
        variants: rows.iter().filter(|row| !row.piece).map(|row| row.count).sum(),
        complete: programs - with_holes,
        with_holes,
        filled: count(&|row| !row.has_holes() && !row.fills.is_empty()),
        bytecode: count(&|row| row.form == "bytecode"),
        traced: count(&|row| row.traced),
        pieces: rows.len() - programs,
        with_errors: count(&|row| row.is_wrong()),
        pairs: pairs.len(),
        complete_pairs: pairs.iter().filter(|pair| pair.programs.iter().all(is_complete)).count(),
        probable_pairs: pairs.iter().filter(|pair| pair.probable).count(),
        pairs_with_errors: pairs.iter().filter(|pair| pair.has_errors).count(),
        unknown: extraction.inputs.iter().map(|input| input.unknown.len()).sum(),
    }
}
