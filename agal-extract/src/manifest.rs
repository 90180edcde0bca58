//! Writes the manifest as JSON: the programs, their places, and the files to which they are written. The schema is
//! `docs/extract.schema.json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use agalc::Finding;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::group::Variant;
use crate::left_out::{Caps, LeftOut, cut, cut_conditions, is_zero};
use crate::model::{Alternative, ByteOrder, Condition, Extraction, Place, Site};
use crate::sources::is_source;
use crate::text::{LONGEST, short};

/// The value of the manifest's `format` field, which states the format's name and version.
pub const FORMAT: &str = "agalc extract 1";

/// The results of an extraction and the files written for them. The manifest is serialised as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest<'e> {
    pub(crate) format: &'static str,
    /// The numbers of programs and pairs.
    pub counts: Counts,
    /// Counts of the entries that were omitted to limit the size of the manifest and the folder.
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    pub left_out: LeftOut,
    pub(crate) inputs: Vec<InputRow<'e>>,
    pub(crate) programs: Vec<ProgramRow<'e>>,
    pub(crate) pairs: Vec<PairRow<'e>>,
    /// The fills that match no hole.
    pub unused_fills: Vec<String>,
    pub(crate) warnings: Vec<WarningRow<'e>>,
    /// The files written in addition to the manifest, with the SHA-256 hashes of their contents.
    pub(crate) files: BTreeMap<String, String>,
    /// Edited files of earlier runs that this run does not write, with the hashes of their original contents. The caller must add
    /// these files, because only the caller can read the folder.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kept: BTreeMap<String, String>,
    /// Whether the manifest is written without white space, to reduce its size.
    #[serde(skip)]
    pub(crate) is_dense: bool,
}

/// The numbers of programs and pairs in an extraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All programs, excluding pieces. Programs that differ only in sampler options count as a single program.
    pub programs: usize,
    /// All programs, excluding pieces, with each set of sampler options counted separately.
    pub variants: usize,
    /// Programs without holes, including filled programs and bytecode.
    pub complete: usize,
    /// Programs with holes.
    pub with_holes: usize,
    /// Programs in which fills have replaced all holes.
    pub filled: usize,
    /// Programs that were found as bytecode.
    pub bytecode: usize,
    /// Programs that occur in a recorded trace of the application.
    pub traced: usize,
    /// Pieces: incomplete source that no call receives, and the procedures from which an engine links programs.
    pub pieces: usize,
    /// Programs without holes that have errors or that agalc rejects.
    pub with_errors: usize,
    /// Pairs of a vertex and a fragment program that are used together.
    pub pairs: usize,
    /// Pairs in which neither program has holes.
    pub complete_pairs: usize,
    /// Pairs whose two programs are assumed to belong together, although no interpreted call receives both.
    pub probable_pairs: usize,
    /// Pairs with errors that neither program has on its own.
    pub pairs_with_errors: usize,
    /// Calls that assemble or upload an unknown program.
    pub unknown: usize,
}

/// A string from an input, shortened if it is too long.
pub(crate) type Text<'e> = Cow<'e, str>;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct InputRow<'e> {
    pub(crate) name: Text<'e>,
    pub(crate) kind: Text<'e>,
    pub(crate) blocks: usize,
    pub(crate) classes: usize,
    pub(crate) methods: usize,
    pub(crate) data: usize,
    pub(crate) programs: usize,
    pub(crate) unknown: Vec<PlaceRow<'e>>,
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    pub(crate) left_out: LeftOut,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ProgramRow<'e> {
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) copies: Vec<String>,
    pub(crate) form: &'static str,
    pub(crate) language: Option<&'static str>,
    pub(crate) byte_order: Option<ByteOrder>,
    pub(crate) stage: Option<&'static str>,
    pub(crate) version: Option<u32>,
    pub(crate) tokens: Option<usize>,
    /// The SHA-256 hash of the program's bytecode.
    pub(crate) hash: Option<String>,
    /// The file name of the first other program that has the same bytecode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) same_bytes: Option<String>,
    /// The command-line options with which agalc can read the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<String>,
    pub(crate) traced: bool,
    pub(crate) piece: bool,
    pub(crate) places: Vec<PlaceRow<'e>>,
    /// A number shared by the programs that one method builds for one stage under different conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) family: Option<usize>,
    /// The program itself, followed by the programs that differ from it only in sampler options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) variants: Vec<VariantRow<'e>>,
    /// The pairs that contain the program, as indices into the manifest's `pairs`.
    pub(crate) pairs: Vec<usize>,
    pub(crate) holes: Vec<HoleRow<'e>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fills: BTreeMap<String, String>,
    pub(crate) findings: Vec<FindingRow>,
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    pub(crate) left_out: LeftOut,
    /// The reason why agalc rejects the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
    /// The number of programs in the group that the row represents.
    #[serde(skip)]
    pub(crate) count: usize,
    /// Whether any finding is an error, including omitted findings.
    #[serde(skip)]
    pub(crate) has_errors: bool,
    /// A number shared by the programs whose file names differ only in conditions, numbers and stages.
    #[serde(skip)]
    pub(crate) group: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct HoleRow<'e> {
    pub(crate) name: Text<'e>,
    pub(crate) expression: Text<'e>,
    pub(crate) place: Option<PlaceRow<'e>>,
}

/// A program of a group, with its sampler options and the conditions under which code builds the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct VariantRow<'e> {
    options: BTreeMap<String, String>,
    /// The conditions at the variant's first place.
    #[serde(serialize_with = "rows")]
    when: &'e [Condition],
    #[serde(skip_serializing_if = "is_zero")]
    more_when: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PairRow<'e> {
    pub(crate) vertex: String,
    pub(crate) fragment: String,
    pub(crate) places: Vec<PlaceRow<'e>>,
    /// Whether the two programs are only assumed to belong together, because no interpreted call receives both.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) probable: bool,
    /// The validator's findings about the pair, except findings about only one of the two programs.
    pub(crate) findings: Vec<FindingRow>,
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    pub(crate) left_out: LeftOut,
    #[serde(skip)]
    pub(crate) has_errors: bool,
    /// The indices of the vertex program and the fragment program in the manifest's `programs`.
    #[serde(skip)]
    pub(crate) programs: [usize; 2],
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct WarningRow<'e> {
    pub(crate) input: Text<'e>,
    pub(crate) path: Vec<Text<'e>>,
    pub(crate) message: Text<'e>,
}

/// A place where a program occurs. Fields whose values are unknown are not serialised.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PlaceRow<'e> {
    input: Text<'e>,
    path: Vec<Text<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<Text<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Text<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited_from: Option<Text<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<Text<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "rows")]
    when: &'e [Condition],
    #[serde(skip_serializing_if = "is_zero")]
    more_when: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct FindingRow {
    code: String,
    severity: &'static str,
    message: String,
    /// The line in the file, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// The number of the token in the bytecode, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<u32>,
}

impl Manifest<'_> {
    /// Serialises the manifest as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        let json = if self.is_dense { serde_json::to_string(self) } else { serde_json::to_string_pretty(self) };
        // Serialising strings, numbers and lists cannot fail.
        json.unwrap_or_default() + "\n"
    }

    /// Returns the file name of each program with holes, and the names of its holes. Pieces are excluded.
    pub fn open(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let open = self.programs.iter().filter(|program| program.has_holes() && !program.piece);
        open.map(|program| (&*program.file, program.holes.iter().map(|hole| &*hole.name).collect()))
    }

    /// Returns the file names of the programs that have errors or that agalc rejects. Pieces are excluded.
    pub fn wrong(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().filter(|program| program.is_wrong()).map(|program| program.file.as_str())
    }

    /// Returns the pairs with errors that neither program has on its own. Each item contains the file names of the vertex program
    /// and the fragment program.
    pub fn wrong_pairs(&self) -> impl Iterator<Item = [&str; 2]> {
        self.pairs.iter().filter(|pair| pair.has_errors).map(|pair| [pair.vertex.as_str(), pair.fragment.as_str()])
    }
}

impl<'e> ProgramRow<'e> {
    /// Reports whether the program has errors or agalc rejects it. Returns `false` for a piece.
    pub(crate) fn is_wrong(&self) -> bool {
        !self.piece && (self.refused.is_some() || self.has_errors)
    }

    pub(crate) fn has_holes(&self) -> bool {
        self.form == "template"
    }

    /// Returns the number of conditions, including omitted conditions, at the first place where the program occurs.
    pub(crate) fn conditions(&self) -> usize {
        self.places.first().map_or(0, |place| place.when.len() + place.more_when)
    }

    /// Reports whether any of the program's places has conditions.
    pub(crate) fn is_conditional(&self) -> bool {
        self.places.iter().any(|place| place.when.len() + place.more_when > 0)
    }

    /// Removes the program's entries beyond the caps, and counts the removed entries.
    pub(crate) fn reduce(&mut self, caps: &Caps) {
        self.left_out.places += cut(&mut self.places, caps.places);
        self.left_out.variants += cut(&mut self.variants, caps.variants);
        self.left_out.holes += cut(&mut self.holes, caps.holes);
        self.left_out.findings += cut(&mut self.findings, caps.findings);
        let of_holes = self.holes.iter_mut().filter_map(|hole| hole.place.as_mut());
        let of_places = self.places.iter_mut().chain(of_holes).map(|place| place.reduce(caps));
        let of_variants = self.variants.iter_mut().map(|of| cut_conditions(&mut of.when, &mut of.more_when, caps));
        self.left_out.conditions = of_places.chain(of_variants).sum();
    }
}

impl<'e> VariantRow<'e> {
    pub(crate) fn new(variant: &Variant<'e>) -> VariantRow<'e> {
        let options = variant.options.iter().map(|(sampler, of)| (sampler.clone(), short(of, LONGEST).into_owned()));
        let when = variant.program.places.first().map(|place| &place.conditions[..]).unwrap_or_default();
        VariantRow { options: options.collect(), when, more_when: 0 }
    }
}

impl PairRow<'_> {
    /// Removes the pair's entries beyond the caps, and counts the removed entries.
    pub(crate) fn reduce(&mut self, caps: &Caps) {
        self.left_out.places += cut(&mut self.places, caps.places);
        self.left_out.findings += cut(&mut self.findings, caps.findings);
        self.left_out.conditions = self.places.iter_mut().map(|place| place.reduce(caps)).sum();
    }
}

/// Serialises conditions. The alternatives true and false become JSON Booleans, and any other alternative becomes a string.
fn rows<S: Serializer>(conditions: &&[Condition], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(conditions.iter().map(|Condition { expression, taken }| {
        let is = match taken {
            Alternative::True => true.into(),
            Alternative::False => false.into(),
            Alternative::Is(value) => Value::from(short(value, LONGEST)),
        };
        json!({ "expression": short(expression, LONGEST), "is": is })
    }))
}

impl<'e> PlaceRow<'e> {
    pub(crate) fn new(extraction: &'e Extraction, place: &'e Place) -> PlaceRow<'e> {
        let input = extraction.inputs.get(place.input).map_or("", |input| input.name.as_str());
        let given = |text: &'e String| Some(short(text, LONGEST)).filter(|text| !text.is_empty());
        let has_lines = is_source(input);
        let row = PlaceRow {
            input: short(input, LONGEST),
            path: place.path.iter().map(|part| short(part, LONGEST)).collect(),
            when: &place.conditions,
            ..PlaceRow::default()
        };
        match &place.site {
            Site::Method { class, method, at, inherited_from } => PlaceRow {
                class: given(class),
                method: given(method),
                inherited_from: inherited_from.as_ref().and_then(given),
                line: Some(*at).filter(|_| has_lines),
                offset: usize::try_from(*at).ok().filter(|_| !has_lines),
                ..row
            },
            Site::Data { symbol, offset } => {
                PlaceRow { symbol: symbol.as_ref().and_then(given), offset: Some(*offset), ..row }
            }
            Site::Trace { line } => PlaceRow { line: Some(*line), ..row },
        }
    }

    pub(crate) fn list(extraction: &'e Extraction, places: impl IntoIterator<Item = &'e Place>) -> Vec<PlaceRow<'e>> {
        places.into_iter().map(|place| PlaceRow::new(extraction, place)).collect()
    }

    /// Removes the conditions beyond the cap. Returns the number of conditions removed so far.
    pub(crate) fn reduce(&mut self, caps: &Caps) -> usize {
        cut_conditions(&mut self.when, &mut self.more_when, caps)
    }
}

impl FindingRow {
    /// Returns at most `most` findings, and the number of omitted findings. If any finding is omitted, errors are listed first.
    pub(crate) fn list(findings: &[Finding], most: usize) -> (Vec<FindingRow>, usize) {
        let mut listed: Vec<&Finding> = findings.iter().collect();
        if listed.len() > most {
            listed.sort_by_key(|finding| !finding.is_error());
        }
        let rows = listed.iter().take(most).map(|finding| FindingRow::new(finding)).collect();
        (rows, findings.len().saturating_sub(most))
    }

    fn new(finding: &Finding) -> FindingRow {
        FindingRow {
            code: finding.label(),
            severity: if finding.is_error() { "error" } else { "warning" },
            message: short(&finding.message, LONGEST).into_owned(),
            line: finding.place.span.map(|span| span.line),
            column: finding.place.span.map(|span| span.column),
            token: finding.place.instruction,
        }
    }
}

/// Sets each program's family, its pairs, and the name of the file with the same bytecode.
pub(crate) fn relate(manifest: &mut Manifest<'_>) {
    let mut families: HashMap<(usize, Option<&'static str>), usize> = HashMap::new();
    let mut by_hash: HashMap<&str, [usize; 2]> = HashMap::new();
    let rows = &manifest.programs;
    for (at, row) in rows.iter().enumerate() {
        *families.entry((row.group, row.stage)).or_default() += usize::from(row.is_conditional());
        if let Some(hash) = &row.hash {
            by_hash.entry(hash).and_modify(|[_, second]| *second = (*second).min(at)).or_insert([at, usize::MAX]);
        }
    }
    let other = |(at, row): (usize, &ProgramRow<'_>)| {
        let [first, second] = row.hash.as_ref().and_then(|hash| by_hash.get(hash.as_str()))?;
        rows.get(if *first == at { *second } else { *first }).map(|other| other.file.clone())
    };
    let others: Vec<Option<String>> = rows.iter().enumerate().map(other).collect();
    for (row, other) in manifest.programs.iter_mut().zip(others) {
        let is_of_family = row.is_conditional() && families.get(&(row.group, row.stage)).is_some_and(|of| *of > 1);
        row.family = is_of_family.then_some(row.group);
        row.same_bytes = other;
        row.pairs.clear();
    }
    for (number, pair) in manifest.pairs.iter().enumerate() {
        for at in BTreeSet::from(pair.programs) {
            manifest.programs.get_mut(at).into_iter().for_each(|row| row.pairs.push(number));
        }
    }
}

/// Returns the files that a manifest lists, with their hashes. Files of earlier runs that were kept are included. Returns
/// `None` if the JSON is not a manifest.
///
/// ```
/// let manifest = r#"{ "format": "agalc extract 1", "files": { "a.vert.agal": "3f" } }"#;
/// assert_eq!(agal_extract::files_of_manifest(manifest.as_bytes()).unwrap()["a.vert.agal"], "3f");
/// assert_eq!(agal_extract::files_of_manifest(b"{}"), None);
/// ```
pub fn files_of_manifest(json: &[u8]) -> Option<BTreeMap<String, String>> {
    let manifest = read(json)?;
    let files = manifest.get("files")?.as_object()?;
    let kept = manifest.get("kept").and_then(|kept| kept.as_object());
    let all = kept.into_iter().flatten().chain(files);
    all.map(|(file, hash)| Some((file.clone(), hash.as_str()?.to_string()))).collect()
}

/// Returns the file names of the vertex program and the fragment program of each pair in a manifest. Returns `None` if the
/// JSON is not a manifest.
///
/// ```
/// let manifest = r#"{ "format": "agalc extract 1", "pairs": [{ "vertex": "a.vert.agal", "fragment": "b.frag.agal" }] }"#;
/// assert_eq!(agal_extract::pairs_of_manifest(manifest.as_bytes()).unwrap(), [["a.vert.agal", "b.frag.agal"]]);
/// ```
pub fn pairs_of_manifest(json: &[u8]) -> Option<Vec<[String; 2]>> {
    let manifest = read(json)?;
    let file = |pair: &Value, part: &str| Some(pair.get(part)?.as_str()?.to_string());
    let pairs = manifest.get("pairs")?.as_array()?.iter();
    pairs.map(|pair| Some([file(pair, "vertex")?, file(pair, "fragment")?])).collect()
}

/// Parses a manifest. Returns `None` if the JSON is invalid or its format is not [`FORMAT`].
fn read(json: &[u8]) -> Option<Value> {
    let manifest: Value = serde_json::from_slice(json).ok()?;
    Some(manifest).filter(|of| of.get("format").and_then(|format| format.as_str()) == Some(FORMAT))
}
