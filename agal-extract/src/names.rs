//! The names of the files that programs are written to: `Class.method.vert.agal`, without the ending.
//!
//! Rules: two programs that are uploaded together have one name but for the stage, and no two others have; so tools that find pairs
//! by their names find exactly these. Names are short, are made of letters, digits, `_`, `$`, `-` and `.`, and differ in more
//! than the case of letters, so that every file system takes them. They depend on the extraction alone.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use agalc::Stage;

use crate::hash::hash_of;
use crate::model::{Extraction, Place, ProgramId, Site};

/// The stems of all files: `Class.method.2.frag`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// By program: its stem, and those of its copies, if each pair has files of its own.
    pub(crate) programs: Vec<Vec<String>>,
    /// By pair: the stems of its vertex and its fragment program.
    pub(crate) pairs: Vec<[String; 2]>,
    /// By program: which group it belongs to. The programs of a group have the same name but for numbers and stages.
    pub(crate) groups: Vec<usize>,
}

/// Programs that get one name: a pair, or one program.
struct Unit {
    members: Vec<ProgramId>,
    pair: Option<usize>,
}

/// Names the programs. If `each_pair` is set, each pair has two files, and what belongs to several pairs is written several times;
/// otherwise each program is written once.
pub(crate) fn names(extraction: &Extraction, each_pair: bool) -> Names {
    let units = units(extraction, each_pair);
    let wanted: Vec<Wanted> = units.iter().map(|unit| wanted(extraction, unit)).collect();
    let shortened = shortened(&wanted);
    let mut names = Names {
        programs: vec![Vec::new(); extraction.programs.len()],
        pairs: vec![Default::default(); extraction.pairs.len()],
        groups: vec![0; extraction.programs.len()],
    };
    let mut taken = Taken::default();
    let mut groups: Vec<String> = Vec::new();
    for (unit, wanted) in units.iter().zip(&wanted) {
        let base = wanted.base(&shortened);
        let slots: Vec<Slot> = unit.members.iter().map(|&id| slot(extraction, id)).collect();
        let numbered = taken.take(&base, &slots);
        let folded = base.to_lowercase();
        let group = groups.iter().position(|known| *known == folded).unwrap_or_else(|| {
            groups.push(folded);
            groups.len() - 1
        });
        for (&id, slot) in unit.members.iter().zip(slots) {
            let stem = format!("{numbered}{}", slot.ending());
            if let Some(stems) = names.programs.get_mut(id.0) {
                if stems.is_empty()
                    && let Some(of) = names.groups.get_mut(id.0)
                {
                    *of = group;
                }
                stems.push(stem);
            }
        }
    }
    pair_names(extraction, &units, &mut names);
    names
}

/// Fills in the stems of pairs: those of the unit of the pair, or else the first ones of its programs.
fn pair_names(extraction: &Extraction, units: &[Unit], names: &mut Names) {
    let mut written: Vec<usize> = vec![0; extraction.programs.len()];
    let mut of_units: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for unit in units {
        for id in &unit.members {
            let (Some(stems), Some(at)) = (names.programs.get(id.0), written.get_mut(id.0)) else { continue };
            if let (Some(pair), Some(stem)) = (unit.pair, stems.get(*at)) {
                of_units.entry(pair).or_default().push(stem.clone());
            }
            *at += 1;
        }
    }
    for (at, pair) in extraction.pairs.iter().enumerate() {
        let first =
            |id: ProgramId| names.programs.get(id.0).and_then(|stems| stems.first()).cloned().unwrap_or_default();
        let stems = match of_units.get(&at).map(Vec::as_slice) {
            Some([vertex, fragment]) => [vertex.clone(), fragment.clone()],
            _ => [first(pair.vertex), first(pair.fragment)],
        };
        if let Some(slot) = names.pairs.get_mut(at) {
            *slot = stems;
        }
    }
}

/// What gets one name, in the order of the programs.
fn units(extraction: &Extraction, each_pair: bool) -> Vec<Unit> {
    let count = extraction.programs.len();
    let mut is_named = vec![false; count];
    let mut units = Vec::new();
    let of_pair = |at: usize| {
        let pair = extraction.pairs.get(at)?;
        let is_sound = pair.vertex != pair.fragment && pair.vertex.0 < count && pair.fragment.0 < count;
        is_sound.then_some(Unit { members: vec![pair.vertex, pair.fragment], pair: Some(at) })
    };
    for id in (0..count).map(ProgramId) {
        let is_of = |(_, pair): &(usize, &crate::model::Pair)| pair.vertex == id || pair.fragment == id;
        let pairs: Vec<usize> = extraction.pairs.iter().enumerate().filter(is_of).map(|(at, _)| at).collect();
        let is_first = |unit: &Unit| unit.members.iter().all(|member| !is_named.get(member.0).copied().unwrap_or(true));
        let new: Vec<Unit> = match each_pair {
            // A pair is named along with the first of its programs.
            true => pairs
                .into_iter()
                .filter_map(of_pair)
                .filter(|unit| unit.members.iter().all(|of| of.0 >= id.0))
                .collect(),
            false => pairs.into_iter().filter_map(of_pair).find(is_first).into_iter().collect(),
        };
        for unit in new {
            unit.members
                .iter()
                .for_each(|member| is_named.get_mut(member.0).into_iter().for_each(|named| *named = true));
            units.push(unit);
        }
        if let Some(named) = is_named.get_mut(id.0).filter(|named| !**named) {
            *named = true;
            units.push(Unit { members: vec![id], pair: None });
        }
    }
    units
}

/// The part of a name that says the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Slot {
    Vertex,
    Fragment,
    Unknown,
}

impl Slot {
    fn ending(self) -> &'static str {
        match self {
            Slot::Vertex => ".vert",
            Slot::Fragment => ".frag",
            Slot::Unknown => "",
        }
    }
}

fn slot(extraction: &Extraction, id: ProgramId) -> Slot {
    match extraction.programs.get(id.0).and_then(|program| program.stage) {
        Some(Stage::Vertex) => Slot::Vertex,
        Some(Stage::Fragment) => Slot::Fragment,
        None => Slot::Unknown,
    }
}

/// The names that are in use, without their stages and in lower case.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// By base: the first number that may be free.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// Takes a name for a unit, with the first number with which nobody has it.
    fn take(&mut self, base: &str, slots: &[Slot]) -> String {
        let from = self.numbers.entry(base.to_lowercase()).or_insert(1);
        let named = |number: usize| if number == 1 { base.to_string() } else { format!("{base}.{number}") };
        // What one file of another unit would be called must not be in use either: `x.vert` is a program of unknown stage too.
        let all = |name: &str| {
            let name = name.to_lowercase();
            let whole = slots.iter().map(|slot| format!("{name}{}", slot.ending())).collect::<Vec<_>>();
            [vec![name], whole].concat()
        };
        while all(&named(*from)).iter().any(|name| self.names.contains(name)) {
            *from += 1;
        }
        let name = named(*from);
        self.names.extend(all(&name));
        name
    }
}

/// What a unit is called before it is made short and unique.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    /// A class with its package.
    class: Option<String>,
    /// What follows.
    rest: Vec<String>,
}

impl Wanted {
    fn base(&self, shortened: &BTreeMap<String, String>) -> String {
        let class = self.class.as_ref().map(|class| shortened.get(class).unwrap_or(class).clone());
        let parts = class.into_iter().chain(self.rest.iter().map(|part| clean(part)));
        let base = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let base = if base.is_empty() { "program".to_string() } else { base };
        let first = base.split('.').next().unwrap_or_default().to_ascii_lowercase();
        // Windows takes these for devices, whatever follows the point.
        let is_device = matches!(first.as_str(), "con" | "prn" | "aux" | "nul")
            || matches!(first.as_bytes(), [b'c', b'o', b'm', b'0'..=b'9'] | [b'l', b'p', b't', b'0'..=b'9']);
        if is_device { format!("_{base}") } else { base }
    }
}

fn wanted(extraction: &Extraction, unit: &Unit) -> Wanted {
    let place = |id: &ProgramId| extraction.programs.get(id.0).and_then(|program| program.places.first());
    let mut places: Vec<&Place> = unit.members.iter().filter_map(place).collect();
    // Code says more than the log of a run.
    if places.iter().any(|place| !extraction.is_trace(place)) {
        places.retain(|place| !extraction.is_trace(place));
    }
    let mut members = places.into_iter().map(|place| of_place(extraction, place));
    let (first, second) = (members.next(), members.next());
    let Some(first) = first else { return Wanted { class: None, rest: Vec::new() } };
    let Some(second) = second.filter(|second| *second != first) else { return first };
    if first.class.is_some() && first.class == second.class {
        return Wanted { class: first.class, rest: Vec::new() };
    }
    // Two places: the call that brings them together says more than either.
    let pair = unit.pair.and_then(|at| extraction.pairs.get(at)).and_then(|pair| pair.places.first());
    pair.map_or(first, |place| of_place(extraction, place))
}

fn of_place(extraction: &Extraction, place: &Place) -> Wanted {
    let input = || {
        let name = extraction.inputs.get(place.input).map_or("", |input| input.name.as_str());
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        name.split_once('.').map_or(name, |(stem, _)| stem).to_string()
    };
    match &place.site {
        Site::Method { class, method, .. } if class.is_empty() && method.is_empty() => {
            Wanted { class: None, rest: vec![input()] }
        }
        Site::Method { class, method, .. } => {
            Wanted { class: Some(class.clone()).filter(|class| !class.is_empty()), rest: vec![method.clone()] }
        }
        Site::Data { symbol: Some(symbol), .. } => Wanted { class: Some(symbol.clone()), rest: Vec::new() },
        Site::Data { symbol: None, offset } => {
            let is_file = |part: &&String| part.contains('.');
            let path = place.path.iter().filter(|part| !is_file(part)).map(|part| part.replace(' ', ""));
            Wanted { class: None, rest: [input()].into_iter().chain(path).chain([offset.to_string()]).collect() }
        }
        Site::Trace { .. } => Wanted { class: None, rest: vec![input()] },
    }
}

/// The name of a class without its package.
fn last(class: &str) -> &str {
    class.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or(class)
}

/// How each class is written: without its package, unless another class has the same name.
fn shortened(wanted: &[Wanted]) -> BTreeMap<String, String> {
    let classes: BTreeSet<&String> = wanted.iter().filter_map(|wanted| wanted.class.as_ref()).collect();
    let mut by_name: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for class in classes {
        by_name.entry(clean(last(class)).to_lowercase()).or_default().push(class);
    }
    let whole = |class: &str| {
        let parts = class.split([':', '.', '/']).filter(|part| !part.is_empty()).map(clean);
        parts.collect::<Vec<_>>().join(".")
    };
    let mut written = BTreeMap::new();
    for classes in by_name.into_values() {
        let is_alone = classes.len() == 1;
        let name = |class: &str| if is_alone { clean(last(class)) } else { whole(class) };
        written.extend(classes.into_iter().map(|class| (class.clone(), name(class))));
    }
    written
}

/// The longest part of a name.
const LONGEST: usize = 48;

/// A part of a name with only the characters that every file system takes. One that loses something gets the beginning of its hash, so
/// that it still differs from others: obfuscated names may consist of nothing else.
fn clean(part: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let kept: String = part.chars().map(|c| if is_kept(c) { c } else { '_' }).take(LONGEST).collect();
    if kept == part {
        return kept;
    }
    let hash: String = hash_of(part.as_bytes()).chars().take(4).collect();
    let kept: String = kept.chars().take(LONGEST - 5).collect();
    let kept = kept.trim_matches('_');
    format!("{}-{hash}", if kept.is_empty() { "_" } else { kept })
}
