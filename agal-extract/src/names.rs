//! Chooses the names of program files, such as `Class.vert` for the file `Class.vert.agal`.
//!
//! Rules: if two names differ only in the stage, their programs are uploaded together. Tools that pair files by name therefore
//! find no wrong pairs. A name starts with the class, followed by the method if several methods of the class make programs. The
//! conditions of a variant follow if they can be expressed in short words, and a number distinguishes names that are still equal.
//! Every file system accepts the names: they are short, consist of letters, digits, `_` and `.`, and differ in more than letter
//! case. File names depend only on the extraction.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use agal_front::opcode::Opcode;
use agalc::Stage;
use regex::Regex;

use crate::group::{Shader, ShaderPair, Shaders};
use crate::model::{Alternative, Code, Condition, Extraction, Language, Place, Site};
use crate::strings::{is_one_of, pattern};
use crate::written::hash_of;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// The file names of each program. A program has several files only if every pair gets its own files.
    pub(crate) programs: Vec<Vec<String>>,
    pub(crate) pairs: Vec<[String; 2]>,
    /// The group number of each program. Within a group, names differ only in conditions, numbers and stages.
    pub(crate) groups: Vec<usize>,
}

/// A single program, or a pair of programs that share a name.
struct Unit<'s> {
    members: Vec<(usize, &'s Shader<'s>)>,
    pair: Option<(usize, &'s ShaderPair<'s>)>,
}

impl Unit<'_> {
    /// Reports whether any of the unit's programs is a piece.
    fn has_piece(&self) -> bool {
        let is_procedure = |code: &Code| matches!(code, Code::Text { language: Language::Alternativa, .. });
        self.members.iter().any(|(_, shader)| shader.program.is_piece || is_procedure(&shader.program.code))
    }
}

/// Names the programs. If `each_pair` is set, every pair gets two files of its own.
pub(crate) fn names(extraction: &Extraction, shaders: &Shaders<'_>, each_pair: bool) -> Names {
    let mut units = units(shaders, each_pair);
    // Complete programs are named before pieces, because a name that is already taken gets a number.
    units.sort_by_key(Unit::has_piece);
    let mut wanted: Vec<Wanted> = units.iter().map(|unit| wanted(extraction, unit)).collect();
    leave_out_methods(&units, &mut wanted);
    let shortened = shortened(&wanted);
    let bases: Vec<String> = wanted.iter().map(|wanted| wanted.base(&shortened)).collect();
    let words = distinguishing_words(extraction, &units, &bases);
    let mut names = Names {
        programs: vec![Vec::new(); shaders.all.len()],
        pairs: vec![Default::default(); shaders.pairs.len()],
        groups: vec![0; shaders.all.len()],
    };
    let mut taken = Taken::default();
    let mut groups: HashMap<String, usize> = HashMap::new();
    for ((unit, base), words) in units.iter().zip(&bases).zip(words) {
        let endings: Vec<&str> = unit.members.iter().map(|(_, shader)| ending(shader.program.stage)).collect();
        let parts: Vec<&str> = [base].into_iter().chain(&words).map(String::as_str).collect();
        let numbered = taken.take(&parts.join("."), &endings);
        let next = groups.len();
        let new_group = *groups.entry(base.to_lowercase()).or_insert(next);
        let stems: Vec<String> = endings.iter().map(|ending| format!("{numbered}{ending}")).collect();
        for (&(at, _), stem) in unit.members.iter().zip(&stems) {
            let (Some(stems), Some(group)) = (names.programs.get_mut(at), names.groups.get_mut(at)) else { continue };
            if stems.is_empty() {
                *group = new_group;
            }
            stems.push(stem.clone());
        }
        let of_pair = unit.pair.and_then(|(at, _)| names.pairs.get_mut(at));
        if let (Some(of_pair), Ok(stems)) = (of_pair, stems.try_into()) {
            *of_pair = stems;
        }
    }
    // A pair whose programs were named separately uses the first file name of each program.
    let first = |at: usize| names.programs.get(at).and_then(|stems| stems.first()).cloned().unwrap_or_default();
    for (pair, stems) in shaders.pairs.iter().zip(&mut names.pairs) {
        if stems.iter().any(String::is_empty) {
            *stems = [pair.vertex, pair.fragment].map(first);
        }
    }
    names
}

fn units<'s>(shaders: &'s Shaders<'_>, each_pair: bool) -> Vec<Unit<'s>> {
    let count = shaders.all.len();
    let mut pairs_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, pair) in shaders.pairs.iter().enumerate().filter(|(_, pair)| pair.vertex != pair.fragment) {
        for at in [pair.vertex, pair.fragment] {
            pairs_of.get_mut(at).into_iter().for_each(|pairs| pairs.push(number));
        }
    }
    let mut is_named = vec![false; count];
    let mut units = Vec::new();
    let member = |at: usize| Some((at, shaders.all.get(at)?));
    for (at, pairs) in pairs_of.iter().enumerate() {
        for (number, pair) in pairs.iter().filter_map(|number| Some((*number, shaders.pairs.get(*number)?))) {
            let members = [pair.vertex, pair.fragment];
            let is_new = match each_pair {
                // A pair becomes a unit when the loop reaches the first of its two programs.
                true => members.iter().all(|member| *member >= at),
                false => members.iter().all(|member| is_named.get(*member) == Some(&false)),
            };
            if is_new {
                members.iter().for_each(|at| is_named.get_mut(*at).into_iter().for_each(|named| *named = true));
                units.push(Unit {
                    members: members.into_iter().filter_map(member).collect(),
                    pair: Some((number, pair)),
                });
            }
        }
        if let Some(named) = is_named.get_mut(at).filter(|named| !**named) {
            *named = true;
            units.push(Unit { members: member(at).into_iter().collect(), pair: None });
        }
    }
    units
}

fn ending(stage: Option<Stage>) -> &'static str {
    match stage {
        Some(Stage::Vertex) => ".vert",
        Some(Stage::Fragment) => ".frag",
        None => "",
    }
}

/// The names already in use, in lower case.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// The lowest number that may still be free for each base name.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// Reserves the base name, with a number appended if the base name is already taken.
    fn take(&mut self, base: &str, endings: &[&str]) -> String {
        let from = self.numbers.entry(base.to_lowercase()).or_insert(1);
        let named = |number: usize| if number == 1 { base.to_string() } else { format!("{base}.{number}") };
        // The name must be unused with and without a stage, because `x.vert` may be the name of a program of unknown stage.
        let all = |name: &str| {
            let name = name.to_lowercase();
            endings.iter().map(|ending| format!("{name}{ending}")).chain([name.clone()]).collect::<Vec<_>>()
        };
        while all(&named(*from)).iter().any(|name| self.names.contains(name)) {
            *from += 1;
        }
        let name = named(*from);
        self.names.extend(all(&name));
        name
    }
}

/// The parts of a file name, before the name is shortened and made unique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wanted {
    class: Option<String>,
    /// The method's name, or `None` if it does not help to identify the program.
    method: Option<String>,
    /// The input's name and the program's position in the input, for a program without class and method.
    rest: Vec<String>,
}

impl Wanted {
    fn base(&self, shortened: &BTreeMap<String, String>) -> String {
        let class = self.class.as_ref().map(|class| shortened.get(class).unwrap_or(class).clone());
        let parts = class.into_iter().chain(self.method.iter().chain(&self.rest).map(|part| clean(part)));
        let base = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let base = if base.is_empty() { "program".to_string() } else { bounded(base) };
        if UNUSABLE.is_match(&base) { format!("_{base}") } else { base }
    }
}

/// Matches Windows device names with any extension, which no file can have, and names that begin with a digit, which no Rust
/// module can have.
static UNUSABLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i-u)^(?:(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)|[0-9])"));

/// The maximum number of places that are compared for each program of a pair.
const PLACES: usize = 64;

fn wanted(extraction: &Extraction, unit: &Unit<'_>) -> Wanted {
    let mut members: Vec<&[Place]> = unit.members.iter().map(|(_, shader)| &shader.program.places[..]).collect();
    // Places in code yield better names than places in traces.
    let is_traced = |places: &[Place]| places.first().is_some_and(|place| extraction.is_trace(place));
    if members.iter().any(|places| !is_traced(places)) {
        members.retain(|places| !is_traced(places));
    }
    let of =
        |places: &&[Place]| places.iter().take(PLACES).map(|place| of_place(extraction, place)).collect::<Vec<_>>();
    let members: Vec<Vec<Wanted>> = members.iter().map(of).collect();
    let mut first_of = members.iter().filter_map(|places| places.first());
    let (first, second) = (first_of.next(), first_of.next());
    let Some(first) = first.cloned() else { return Wanted::default() };
    let Some(second) = second.filter(|second| **second != first) else { return first };
    if first.class.is_some() && first.class == second.class {
        return Wanted { class: first.class, ..Wanted::default() };
    }
    // If the first places of two paired programs differ, the pair is named after a place or class that both programs share.
    if let [one, other] = &members[..] {
        if let Some(both) = one.iter().find(|place| other.contains(place)) {
            return both.clone();
        }
        let is_in_both = |place: &&Wanted| place.class.is_some() && other.iter().any(|of| of.class == place.class);
        if let Some(both) = one.iter().find(is_in_both) {
            return Wanted { class: both.class.clone(), ..Wanted::default() };
        }
    }
    // A pair without a shared place or class is named after the call that uploads the pair.
    let Some(place) = unit.pair.and_then(|(_, pair)| pair.places.first()) else { return first };
    let call = of_place(extraction, place);
    // If a constructor receives programs that another class makes, the pair is named after the other class.
    let is_other = |one: &&Wanted| one.class.is_some() && one.class != call.class;
    match [&first, second].into_iter().find(is_other) {
        Some(maker) if matches!(&place.site, Site::Method { method, .. } if method == "new") => {
            Wanted { class: maker.class.clone(), ..Wanted::default() }
        }
        _ => call,
    }
}

fn of_place(extraction: &Extraction, place: &Place) -> Wanted {
    let input = || {
        let name = extraction.inputs.get(place.input).map_or("", |input| input.name.as_str());
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        name.split_once('.').map_or(name, |(stem, _)| stem).to_string()
    };
    match &place.site {
        Site::Method { class, method, .. } if !(class.is_empty() && method.is_empty()) => {
            let class = Some(class.clone()).filter(|class| !class.is_empty());
            // Method names such as `new` do not distinguish programs. Opcode names do not distinguish programs either; classes
            // that generate AGAL name their methods after opcodes.
            let is_meaningful = class.is_none()
                || !(matches!(method.as_str(), "new" | "static") || Opcode::from_mnemonic(method).is_some());
            Wanted { class, method: Some(method.clone()).filter(|_| is_meaningful), ..Wanted::default() }
        }
        Site::Data { symbol: Some(symbol), .. } => Wanted { class: Some(symbol.clone()), ..Wanted::default() },
        Site::Data { symbol: None, offset } => {
            let is_file = |part: &&String| part.contains('.');
            let path = place.path.iter().filter(|part| !is_file(part)).map(|part| part.replace(' ', ""));
            let rest = [input()].into_iter().chain(path).chain([offset.to_string()]).collect();
            Wanted { rest, ..Wanted::default() }
        }
        Site::Method { .. } | Site::Trace { .. } => Wanted { rest: vec![input()], ..Wanted::default() },
    }
}

/// Drops the method name if all programs of the class come from one method.
fn leave_out_methods(units: &[Unit<'_>], wanted: &mut [Wanted]) {
    let mut methods: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    for (unit, Wanted { class, method, .. }) in units.iter().zip(&*wanted) {
        if let Some(class) = class
            && !unit.has_piece()
        {
            methods.entry(class.clone()).or_default().insert(method.clone());
        }
    }
    for Wanted { class, method, .. } in wanted {
        let Some(class) = class else { continue };
        if methods.get(class).is_none_or(|methods| methods.len() == 1 && methods.contains(method)) {
            *method = None;
        }
    }
}

/// The maximum total length of the words that distinguish a variant.
const LONGEST_WORDS: usize = 24;

/// Returns up to two short words for each unit, to distinguish programs with the same base name.
fn distinguishing_words(extraction: &Extraction, units: &[Unit<'_>], bases: &[String]) -> Vec<Vec<String>> {
    let conditions: Vec<HashSet<&Condition>> = units.iter().map(|unit| conditions(extraction, unit)).collect();
    let mut by_base: HashMap<&str, (usize, HashMap<&Condition, usize>)> = HashMap::new();
    for (base, conditions) in bases.iter().zip(&conditions) {
        let (units, counts) = by_base.entry(base).or_default();
        *units += 1;
        conditions.iter().for_each(|condition| *counts.entry(condition).or_default() += 1);
    }
    let words = |(base, conditions): (&String, &HashSet<&Condition>)| {
        let Some((units, counts)) = by_base.get(base.as_str()) else { return Vec::new() };
        let differs = |condition: &&&Condition| counts.get(**condition).is_some_and(|count| count < units);
        let words: BTreeSet<String> =
            conditions.iter().filter(differs).filter_map(|condition| word(condition)).collect();
        let length: usize = words.iter().map(String::len).sum();
        if words.len() <= 2 && length <= LONGEST_WORDS { words.into_iter().collect() } else { Vec::new() }
    };
    bases.iter().zip(&conditions).map(words).collect()
}

fn conditions<'s>(extraction: &Extraction, unit: &Unit<'s>) -> HashSet<&'s Condition> {
    let of_members = unit.members.iter().flat_map(|(_, shader)| shader.conditions(extraction).0);
    let place = unit.pair.and_then(|(_, pair)| pair.places.first());
    of_members.chain(place.into_iter().flat_map(|place| &place.conditions)).collect()
}

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern("^[A-Za-z][A-Za-z0-9]{1,15}$"));

/// Returns a short word for a condition, such as `additive` for `this.additive` and `dxt1` for `format is dxt1`.
fn word(Condition { expression, taken }: &Condition) -> Option<String> {
    let (expression, value) = match taken {
        Alternative::True => (expression.as_str(), None),
        // If `x == null` is false, the word is derived from `x`.
        Alternative::False => (expression.strip_suffix(" == null")?, None),
        Alternative::Is(value) => (expression.as_str(), Some(value.trim_matches('"'))),
    };
    let expression = expression.strip_suffix("()").unwrap_or(expression);
    let is_word = |word: &str| WORD.is_match(word) && !is_one_of(word, "vert frag vertex fragment null agal");
    let is_path = expression.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let last = expression.rsplit('.').next().unwrap_or_default().trim_start_matches('_');
    let last = Some(last).filter(|last| is_path && is_word(last));
    let is_number = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match value {
        None => last.map(str::to_string),
        Some(value) if is_word(value) => Some(value.to_string()),
        Some(value) => last.filter(|_| is_number(value)).map(|last| format!("{last}{value}")),
    }
}

fn last(class: &str) -> &str {
    class.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or(class)
}

/// Maps each class to its short name, which includes the package only if several classes have the same name.
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

/// The maximum length of one part of a name.
const LONGEST: usize = 48;
/// The maximum length of a name, not counting the parts that distinguish variants and stages.
const LONGEST_BASE: usize = 72;

/// Replaces the characters that some file systems reject in a part of a name. If characters were replaced or cut off, a hash is
/// appended, because an obfuscated name may consist only of replaced characters.
fn clean(part: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let kept: String = part.chars().map(|c| if is_kept(c) { c } else { '_' }).take(LONGEST).collect();
    if kept == part {
        return kept;
    }
    hashed(kept.chars().take(LONGEST - 5).collect::<String>().trim_matches('_'), part)
}

/// Shortens a name of more than [`LONGEST_BASE`] bytes, and appends a hash of the full name.
fn bounded(base: String) -> String {
    match base.get(..LONGEST_BASE) {
        Some(begin) if base.len() > LONGEST_BASE => hashed(begin.trim_end_matches(['.', '_']), &base),
        _ => base,
    }
}

fn hashed(begin: &str, whole: &str) -> String {
    let hash: String = hash_of(whole.as_bytes()).chars().take(4).collect();
    format!("{}_{hash}", if begin.is_empty() { "_" } else { begin })
}
