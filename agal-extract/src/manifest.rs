//! The manifest: what was found, where, and what is written to which file, as JSON. `docs/extract.schema.json` is its schema.

use std::collections::BTreeMap;

use agalc::{Finding, Severity, Stage};
use serde::Serialize;

use crate::model::{Alternative, ByteOrder, Extraction, Language, Place, Site};
use crate::text::is_source;

/// What the manifest's `format` says.
pub const FORMAT: &str = "agalc extract 1";

/// The manifest.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub(crate) format: &'static str,
    /// How many of each there are.
    pub counts: Counts,
    pub(crate) inputs: Vec<InputRow>,
    pub(crate) programs: Vec<ProgramRow>,
    pub(crate) pairs: Vec<PairRow>,
    /// Fills that no hole has taken.
    pub unused_fills: Vec<String>,
    pub(crate) warnings: Vec<WarningRow>,
    /// The files that were written besides the manifest, with the SHA-256 hashes of their contents.
    pub(crate) files: BTreeMap<String, String>,
    /// Files of earlier runs that were changed since and that this one does not write, with the hashes of what was written. What is in the
    /// folder tells, so that an extraction alone has none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kept: BTreeMap<String, String>,
}

/// How many programs and pairs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All programs, without pieces.
    pub programs: usize,
    /// Programs without holes: texts, filled texts and bytecode.
    pub complete: usize,
    /// Programs with holes.
    pub with_holes: usize,
    /// Programs whose holes were filled.
    pub filled: usize,
    /// Programs that were found as bytecode.
    pub bytecode: usize,
    /// Programs that a trace of a run has.
    pub traced: usize,
    /// Pieces: texts that write no output, and that no call takes.
    pub pieces: usize,
    /// Complete programs of which the validator reports errors.
    pub with_errors: usize,
    /// Pairs.
    pub pairs: usize,
    /// Pairs whose programs do not fit together: the validator reports errors about the two that neither has alone.
    pub pairs_with_errors: usize,
    /// Calls that assemble or upload something of which nothing is known.
    pub unknown: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct InputRow {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) blocks: usize,
    pub(crate) classes: usize,
    pub(crate) methods: usize,
    pub(crate) data: usize,
    /// How many programs were found there.
    pub(crate) programs: usize,
    pub(crate) unknown: Vec<PlaceRow>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProgramRow {
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) copies: Vec<String>,
    pub(crate) form: &'static str,
    pub(crate) language: Option<&'static str>,
    pub(crate) byte_order: Option<&'static str>,
    pub(crate) stage: Option<&'static str>,
    pub(crate) version: Option<u32>,
    pub(crate) tokens: Option<usize>,
    /// The SHA-256 hash of its bytecode.
    pub(crate) hash: Option<String>,
    /// Other programs with the same bytecode.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) same_bytes: Vec<String>,
    /// The options that agalc needs to read the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<String>,
    pub(crate) traced: bool,
    pub(crate) piece: bool,
    pub(crate) places: Vec<PlaceRow>,
    /// The other programs of the same method and stage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) variants: Vec<String>,
    /// The pairs that it belongs to, as positions in `pairs`.
    pub(crate) pairs: Vec<usize>,
    pub(crate) holes: Vec<HoleRow>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fills: BTreeMap<String, String>,
    pub(crate) findings: Vec<FindingRow>,
    /// Why agalc does not read it as AGAL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct HoleRow {
    pub(crate) name: String,
    pub(crate) expression: String,
    pub(crate) place: Option<PlaceRow>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PairRow {
    pub(crate) vertex: String,
    pub(crate) fragment: String,
    pub(crate) places: Vec<PlaceRow>,
    /// Whether no call that was followed is given both.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) probable: bool,
    /// What the validator finds about the two together.
    pub(crate) findings: Vec<FindingRow>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct WarningRow {
    pub(crate) input: String,
    pub(crate) path: Vec<String>,
    pub(crate) message: String,
}

/// A place. What is not known is left out.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PlaceRow {
    input: String,
    path: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    when: Vec<ConditionRow>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ConditionRow {
    expression: String,
    is: Is,
}

/// `true`, `false`, or the value as text.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Is {
    Holds(bool),
    Value(String),
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct FindingRow {
    code: String,
    severity: &'static str,
    message: String,
    /// The line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// The token, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<u32>,
}

impl Manifest {
    /// The manifest as JSON.
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The files of the programs with holes, each with the names of its holes.
    pub fn open(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let open = self.programs.iter().filter(|program| !program.holes.is_empty());
        open.map(|program| {
            (program.file.as_str(), program.holes.iter().map(|hole| hole.name.as_str()).collect::<Vec<_>>())
        })
    }
}

impl Manifest {
    /// The files of the complete programs with errors. Pieces of programs are not among them.
    pub fn wrong(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().filter(|program| program.is_wrong()).map(|program| program.file.as_str())
    }

    /// The files of the pairs with errors that neither program has alone: of the vertex and of the fragment program.
    pub fn wrong_pairs(&self) -> impl Iterator<Item = [&str; 2]> {
        self.pairs.iter().filter(|pair| pair.has_errors()).map(|pair| [pair.vertex.as_str(), pair.fragment.as_str()])
    }
}

impl ProgramRow {
    /// Whether it is a program, and agalc refuses it.
    pub(crate) fn is_wrong(&self) -> bool {
        !self.piece && (self.refused.is_some() || self.findings.iter().any(FindingRow::is_error))
    }
}

impl PairRow {
    /// Whether agalc refuses it.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(FindingRow::is_error)
    }
}

impl PlaceRow {
    pub(crate) fn new(extraction: &Extraction, place: &Place) -> PlaceRow {
        let input = extraction.inputs.get(place.input).map_or_else(String::new, |input| input.name.clone());
        let given = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
        let when = place.conditions.iter().map(|condition| ConditionRow {
            expression: condition.expression.clone(),
            is: match &condition.taken {
                Alternative::True => Is::Holds(true),
                Alternative::False => Is::Holds(false),
                Alternative::Is(value) => Is::Value(value.clone()),
            },
        });
        let lines = is_source(&input);
        let row = PlaceRow { input, path: place.path.clone(), when: when.collect(), ..PlaceRow::default() };
        match &place.site {
            Site::Method { class, method, at } => PlaceRow {
                class: given(class),
                method: given(method),
                line: Some(*at).filter(|_| lines),
                offset: usize::try_from(*at).ok().filter(|_| !lines),
                ..row
            },
            Site::Data { symbol, offset } => PlaceRow { symbol: symbol.clone(), offset: Some(*offset), ..row },
            Site::Trace { line } => PlaceRow { line: Some(*line), ..row },
        }
    }
}

impl FindingRow {
    fn is_error(&self) -> bool {
        self.severity == "error"
    }

    pub(crate) fn new(finding: &Finding) -> FindingRow {
        FindingRow {
            code: format!("AGAL{}", finding.code()),
            severity: if finding.severity == Severity::Error { "error" } else { "warning" },
            message: finding.kind.to_string(),
            line: finding.place.span.map(|span| span.line),
            column: finding.place.span.map(|span| span.column),
            token: finding.place.instruction,
        }
    }
}

pub(crate) fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Fragment => "fragment",
    }
}

pub(crate) fn byte_order(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "little",
        ByteOrder::Big => "big",
    }
}

pub(crate) fn language(language: Language) -> &'static str {
    match language {
        Language::Mini => "mini",
        Language::Macro => "macro",
        Language::Away => "away",
        Language::Alternativa => "alternativa",
    }
}

/// The value of `--language` for a language that has one.
pub(crate) fn option_of_language(of: Language) -> Option<&'static str> {
    (of != Language::Away).then(|| language(of))
}

/// The files that earlier runs wrote, with their hashes: what the manifest of the last one says, those included that it kept; `None`
/// if it is not a manifest.
///
/// ```
/// let manifest = r#"{ "format": "agalc extract 1", "files": { "a.vert.agal": "3f" } }"#;
/// assert_eq!(agal_extract::files_of_manifest(manifest.as_bytes()).unwrap()["a.vert.agal"], "3f");
/// assert_eq!(agal_extract::files_of_manifest(b"{}"), None);
/// ```
pub fn files_of_manifest(json: &[u8]) -> Option<BTreeMap<String, String>> {
    let manifest: serde_json::Value = serde_json::from_slice(json).ok()?;
    let is_ours = manifest.get("format").and_then(|format| format.as_str()) == Some(FORMAT);
    let files = manifest.get("files").filter(|_| is_ours)?.as_object()?;
    let kept = manifest.get("kept").and_then(|kept| kept.as_object());
    let all = kept.into_iter().flatten().chain(files);
    all.map(|(file, hash)| Some((file.clone(), hash.as_str()?.to_string()))).collect()
}
