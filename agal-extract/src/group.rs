//! Groups programs that differ only in sampler options, such as the texture format or the filter. A group is written as one
//! program with a table of the options, because only the application's sampler setup differs.
//!
//! Rule: the texture's dimension (`2d`, `cube`, `3d`) and any bias are part of the code, so programs that differ in these options
//! stay separate. Bytecode is never grouped, because an application uploads bytecode unchanged.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use agalc::Stage;
use regex::Regex;

use crate::model::{Code, Condition, Extraction, Language, Pair, Piece, Place, Program, Template};
use crate::strings::pattern;

/// A group of programs. In the output, `program` represents the group.
pub(crate) struct Shader<'e> {
    pub(crate) program: &'e Program,
    /// All programs of the group, beginning with `program`. The list is empty if the group has only one program.
    pub(crate) variants: Vec<Variant<'e>>,
}

pub(crate) struct Variant<'e> {
    pub(crate) program: &'e Program,
    /// The options of each sampler, keyed by sampler register.
    pub(crate) options: BTreeMap<String, String>,
}

/// A pair of programs in the output, as indices into [`Shaders::all`].
pub(crate) struct ShaderPair<'e> {
    pub(crate) vertex: usize,
    pub(crate) fragment: usize,
    pub(crate) places: Vec<&'e Place>,
    pub(crate) is_probable: bool,
}

pub(crate) struct Shaders<'e> {
    pub(crate) all: Vec<Shader<'e>>,
    pub(crate) pairs: Vec<ShaderPair<'e>>,
}

/// The maximum number of conditions that the search for common conditions compares.
const COMPARED: usize = 4_096;

impl<'e> Shader<'e> {
    pub(crate) fn programs(&self) -> impl Iterator<Item = &'e Program> {
        let alone = self.variants.is_empty().then_some(self.program);
        alone.into_iter().chain(self.variants.iter().map(|variant| variant.program))
    }

    pub(crate) fn count(&self) -> usize {
        self.variants.len().max(1)
    }

    /// Returns the conditions common to all places of the group's programs, and the number of distinct sets of conditions. The
    /// number is 0 if some place has only the common conditions. Places in traces have no conditions and are ignored.
    pub(crate) fn conditions(&self, extraction: &Extraction) -> (Vec<&'e Condition>, usize) {
        let places = self.programs().flat_map(|of| &of.places).filter(|place| !extraction.is_trace(place));
        let mut sets: Vec<&[Condition]> = places.map(|of| &of.conditions[..]).collect();
        sets.sort_unstable();
        sets.dedup();
        let Some((first, others)) = sets.split_first() else { return (Vec::new(), 0) };
        if sets.iter().map(|set| set.len()).sum::<usize>() > COMPARED {
            return (Vec::new(), sets.len());
        }
        // The common conditions are listed in the order that they have at the program's first place.
        let order = self.program.places.first().map(|place| &place.conditions[..]).unwrap_or_default();
        let in_all =
            |condition: &&Condition| first.contains(condition) && others.iter().all(|set| set.contains(condition));
        let common: Vec<&Condition> = order.iter().filter(in_all).collect();
        let is_sufficient = sets.iter().any(|set| set.len() == common.len());
        (common, if is_sufficient { 0 } else { sets.len() })
    }
}

/// Groups the programs. If `is_each_alone` is set, each program becomes a group of its own.
pub(crate) fn group(extraction: &Extraction, is_each_alone: bool) -> Shaders<'_> {
    let mut groups: Vec<Vec<&Program>> = Vec::new();
    let mut group_of = Vec::new();
    let mut by_key: HashMap<Key, usize> = HashMap::new();
    for program in &extraction.programs {
        let new = groups.len();
        let number = match key(program).filter(|_| !is_each_alone) {
            Some(key) => *by_key.entry(key).or_insert(new),
            None => new,
        };
        match groups.get_mut(number) {
            Some(group) => group.push(program),
            None => groups.push(vec![program]),
        }
        group_of.push(number);
    }
    let all = groups.into_iter().filter_map(|group| shader(extraction, group)).collect();
    Shaders { all, pairs: pairs(extraction, &group_of) }
}

fn shader<'e>(extraction: &'e Extraction, programs: Vec<&'e Program>) -> Option<Shader<'e>> {
    if let [program] = programs[..] {
        return Some(Shader { program, variants: Vec::new() });
    }
    let variants = programs.into_iter().map(|program| Variant { program, options: options(program) });
    let mut variants: Vec<Variant<'_>> = variants.collect();
    let is_format = |word: &str| word.trim().to_ascii_lowercase().starts_with("dxt");
    let is_compressed = |options: &&String| options.split(',').any(is_format);
    variants.sort_by_cached_key(|Variant { program, options }| {
        let is_traced = program.places.iter().any(|place| extraction.is_trace(place));
        (!is_traced, options.values().filter(is_compressed).count(), Reverse(program.places.len()))
    });
    Some(Shader { program: variants.first()?.program, variants })
}

/// Returns the pairs of groups. Several pairs of programs become one pair of groups if their programs belong to the same two
/// groups.
fn pairs<'e>(extraction: &'e Extraction, group_of: &[usize]) -> Vec<ShaderPair<'e>> {
    let mut pairs: Vec<ShaderPair<'_>> = Vec::new();
    let mut known: HashMap<(usize, usize), usize> = HashMap::new();
    for Pair { vertex, fragment, places, is_probable } in &extraction.pairs {
        let (Some(&vertex), Some(&fragment)) = (group_of.get(vertex.0), group_of.get(fragment.0)) else { continue };
        let number = *known.entry((vertex, fragment)).or_insert_with(|| {
            pairs.push(ShaderPair { vertex, fragment, places: Vec::new(), is_probable: true });
            pairs.len() - 1
        });
        if let Some(pair) = pairs.get_mut(number) {
            pair.places.extend(places);
            pair.is_probable &= is_probable;
        }
    }
    pairs
}

/// The properties that all programs of a group share: the language, the stage, the version, whether the program is a piece, and
/// the code.
type Key = (Language, Option<Stage>, Option<u32>, bool, String);

/// Returns the grouping key of a program. Returns `None` if the program is bytecode or has no sampler options.
fn key(program: &Program) -> Option<Key> {
    let Code::Text { text, language } = &program.code else { return None };
    let mut key = String::new();
    let mut has_options = false;
    scan(&flat(text), |text, sampler| {
        key.push_str(text);
        has_options |= sampler.is_some();
        let options = sampler.into_iter().flat_map(|(_, options)| options.split(',').map(str::trim));
        options.filter(|word| is_of_code(word)).for_each(|word| key.extend([word, ","]));
    });
    has_options.then_some((*language, program.stage, program.version, program.is_piece, key))
}

fn options(program: &Program) -> BTreeMap<String, String> {
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    let Code::Text { text, .. } = &program.code else { return table };
    scan(&flat(text), |_, sampler| {
        let Some((register, options)) = sampler else { return };
        let options = options.replace(HOLE, "{").replace(END, "}");
        let known = table.entry(register.to_string()).or_default();
        if known.is_empty() {
            *known = options;
        } else if !known.split(" and ").any(|known| known == options) {
            known.extend([" and ", &options]);
        }
    });
    table
}

/// Reports whether a sampler option is part of the code: a texture dimension, a bias or a hole.
fn is_of_code(word: &str) -> bool {
    matches!(word, "2d" | "3d" | "cube" | "video") || word.parse::<f64>().is_ok() || word.contains(HOLE)
}

/// The characters that enclose the name of a hole in a flattened program.
const HOLE: char = '\u{2}';
const END: char = '\u{3}';

/// Returns a program's source as a string, in which [`HOLE`] and [`END`] enclose the name of each hole.
fn flat(text: &Template) -> String {
    let flat = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Hole(name) => format!("{HOLE}{name}{END}"),
    };
    text.pieces.iter().map(flat).collect()
}

/// Matches a sampler register and its options in a line of source.
static SAMPLER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[^<]*[ ,\t])?([fv]s[0-9]+)\s*<([^>]*)>"));

/// Splits source at the sampler options `<...>`, and passes the parts to `take`. The part before a sampler's options comes with
/// the sampler's register and options. Every other part comes without a register.
fn scan<'t>(text: &'t str, mut take: impl FnMut(&'t str, Option<(&'t str, &'t str)>)) {
    for line in text.split_inclusive(['\n', '\r']) {
        let code = line.split("//").next().unwrap_or(line);
        let found = SAMPLER.captures(code).and_then(|found| Some((found.get(1)?.as_str(), found.get(2)?)));
        let Some((register, options)) = found else {
            take(line, None);
            continue;
        };
        take(line.get(..options.start() - 1).unwrap_or_default(), Some((register, options.as_str())));
        take(line.get(options.end() + 1..).unwrap_or_default(), None);
    }
}
