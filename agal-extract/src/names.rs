//! Names of the files of programs: `Class.vert.agal`, without the ending.
//!
//! Rules: two programs that are uploaded together have the same name apart from the stage, and no other two programs have; so tools
//! that find pairs by their names find exactly these. A name consists of the class; the method, if several methods of the class make
//! programs; and the conditions that tell a variant apart, if they have short names, or else a number. Names are short, consist of
//! letters, digits, `_` and `.`, and differ in more than the case of letters, so that every file system accepts them. They depend on
//! the extraction alone.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use agal_front::opcode::Opcode;
use agalc::Stage;
use regex::Regex;

use crate::group::Shaders;
use crate::model::{Alternative, Code, Condition, Extraction, Language, Place, Site};
use crate::strings::{is_one_of, pattern};
use crate::written::hash_of;

/// The stems of all files: `Class.method.2.frag`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// Stems of each program: its own, and those of its copies if each pair has files of its own.
    pub(crate) programs: Vec<Vec<String>>,
    /// Stems of the vertex and the fragment program of each pair.
    pub(crate) pairs: Vec<[String; 2]>,
    /// Group of each program. The programs of a group have the same name apart from conditions, numbers and stages.
    pub(crate) groups: Vec<usize>,
}

/// Programs that share a name: a pair, or one program.
struct Unit {
    members: Vec<usize>,
    pair: Option<usize>,
}

/// Names the programs. If `each_pair` is set, each pair has two files, and a program of several pairs is written several times;
/// otherwise each program is written once.
pub(crate) fn names(extraction: &Extraction, shaders: &Shaders<'_>, each_pair: bool) -> Names {
    let mut units = units(shaders, each_pair);
    // Programs are named before pieces, so that they get the better names.
    units.sort_by_key(|unit| unit.members.iter().any(|at| is_piece(shaders, *at)));
    let mut wanted: Vec<Wanted> = units.iter().map(|unit| wanted(extraction, shaders, unit)).collect();
    leave_out_methods(shaders, &units, &mut wanted);
    let shortened = shortened(&wanted);
    let bases: Vec<String> = wanted.iter().map(|wanted| wanted.base(&shortened)).collect();
    let words = words(extraction, shaders, &units, &bases);
    let mut names = Names {
        programs: vec![Vec::new(); shaders.all.len()],
        pairs: vec![Default::default(); shaders.pairs.len()],
        groups: vec![0; shaders.all.len()],
    };
    let mut taken = Taken::default();
    let mut groups: HashMap<String, usize> = HashMap::new();
    for ((unit, base), words) in units.iter().zip(&bases).zip(words) {
        let stage = |at: &usize| shaders.all.get(*at).and_then(|shader| shader.program.stage);
        let endings: Vec<&str> = unit.members.iter().map(|at| ending(stage(at))).collect();
        let parts: Vec<&str> = [base.as_str()].into_iter().chain(words.iter().map(String::as_str)).collect();
        let numbered = taken.take(&parts.join("."), &endings);
        let next = groups.len();
        let group = *groups.entry(base.to_lowercase()).or_insert(next);
        let stems: Vec<String> = endings.iter().map(|ending| format!("{numbered}{ending}")).collect();
        for (&at, stem) in unit.members.iter().zip(&stems) {
            let Some(of_program) = names.programs.get_mut(at) else { continue };
            if of_program.is_empty() {
                names.groups.get_mut(at).into_iter().for_each(|of| *of = group);
            }
            of_program.push(stem.clone());
        }
        if let (Some(of_pair), [vertex, fragment]) = (unit.pair.and_then(|at| names.pairs.get_mut(at)), &stems[..]) {
            *of_pair = [vertex.clone(), fragment.clone()];
        }
    }
    // A pair that is not a unit gets the first stems of its programs.
    let first = |at: usize| names.programs.get(at).and_then(|stems| stems.first()).cloned().unwrap_or_default();
    for (pair, stems) in shaders.pairs.iter().zip(&mut names.pairs) {
        if stems.iter().any(String::is_empty) {
            *stems = [pair.vertex, pair.fragment].map(first);
        }
    }
    names
}

/// Whether a program is a piece. Pieces have a folder of their own.
fn is_piece(shaders: &Shaders<'_>, at: usize) -> bool {
    let is_procedure = |code: &Code| matches!(code, Code::Text { language: Language::Alternativa, .. });
    shaders.all.get(at).is_some_and(|shader| shader.program.is_piece || is_procedure(&shader.program.code))
}

/// The units, in the order of the programs.
fn units(shaders: &Shaders<'_>, each_pair: bool) -> Vec<Unit> {
    let count = shaders.all.len();
    let mut pairs_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, pair) in shaders.pairs.iter().enumerate().filter(|(_, pair)| pair.vertex != pair.fragment) {
        for at in [pair.vertex, pair.fragment] {
            pairs_of.get_mut(at).into_iter().for_each(|pairs| pairs.push(number));
        }
    }
    let mut is_named = vec![false; count];
    let mut units = Vec::new();
    for (at, pairs) in pairs_of.iter().enumerate() {
        for (number, pair) in pairs.iter().filter_map(|number| Some((*number, shaders.pairs.get(*number)?))) {
            let members = [pair.vertex, pair.fragment];
            let is_new = match each_pair {
                // A pair is named with the first of its programs.
                true => members.iter().all(|member| *member >= at),
                false => members.iter().all(|member| is_named.get(*member) == Some(&false)),
            };
            if is_new {
                members.iter().for_each(|at| is_named.get_mut(*at).into_iter().for_each(|named| *named = true));
                units.push(Unit { members: members.to_vec(), pair: Some(number) });
            }
        }
        if let Some(named) = is_named.get_mut(at).filter(|named| !**named) {
            *named = true;
            units.push(Unit { members: vec![at], pair: None });
        }
    }
    units
}

/// The part of a name that gives the stage.
fn ending(stage: Option<Stage>) -> &'static str {
    match stage {
        Some(Stage::Vertex) => ".vert",
        Some(Stage::Fragment) => ".frag",
        None => "",
    }
}

/// Names in use, without their stages and in lower case.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// The first number that may be free, by base.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// Takes a name for a unit, with the first number that makes it unique.
    fn take(&mut self, base: &str, endings: &[&str]) -> String {
        let from = self.numbers.entry(base.to_lowercase()).or_insert(1);
        let named = |number: usize| if number == 1 { base.to_string() } else { format!("{base}.{number}") };
        // The name of a single file of another unit must not be in use either: `x.vert` is a program of unknown stage too.
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

/// Parts of a unit's name, before it is shortened and made unique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// A class with its package.
    class: Option<String>,
    /// A method, unless its name is meaningless.
    method: Option<String>,
    /// Position of data that no class embeds.
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

/// Device names of Windows, whatever follows the point, and names that do not begin with a letter, as a module of Rust must.
static UNUSABLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i-u)^(?:(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)|[0-9])"));

/// Number of places of a program that are compared with the places of its partner.
const PLACES: usize = 64;

fn wanted(extraction: &Extraction, shaders: &Shaders<'_>, unit: &Unit) -> Wanted {
    let places = |at: &usize| shaders.all.get(*at).map(|shader| &shader.program.places[..]);
    let mut members: Vec<&[Place]> = unit.members.iter().filter_map(places).collect();
    // Code gives better names than the log of a run.
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
    // The programs have different places, and one of them may be shared with other pairs: the place or the class common to both
    // identifies the pair.
    if let [one, other] = &members[..] {
        if let Some(both) = one.iter().find(|place| other.contains(place)) {
            return both.clone();
        }
        let is_in_both = |place: &&Wanted| place.class.is_some() && other.iter().any(|of| of.class == place.class);
        if let Some(both) = one.iter().find(is_in_both) {
            return Wanted { class: both.class.clone(), ..Wanted::default() };
        }
    }
    // The call that takes both programs gives a better name than either program.
    let pair = unit.pair.and_then(|at| shaders.pairs.get(at)).and_then(|pair| pair.places.first());
    let Some(place) = pair else { return first };
    let call = of_place(extraction, place);
    // A constructor receives programs that other classes make: the class of one of these programs gives a better name.
    let is_other = |one: &&Wanted| one.class.is_some() && one.class != call.class;
    match [&first, second].into_iter().find(is_other) {
        Some(giver) if matches!(&place.site, Site::Method { method, .. } if method == "new") => {
            Wanted { class: giver.class.clone(), ..Wanted::default() }
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
        Site::Method { class, method, .. } if class.is_empty() && method.is_empty() => {
            Wanted { rest: vec![input()], ..Wanted::default() }
        }
        Site::Method { class, method, .. } => {
            let class = Some(class.clone()).filter(|class| !class.is_empty());
            // Names that are not used: constructors, initialisers, and methods named after opcodes, in classes that write AGAL by
            // such methods.
            let is_telling = class.is_none()
                || !(matches!(method.as_str(), "new" | "static") || Opcode::from_mnemonic(method).is_some());
            Wanted { class, method: Some(method.clone()).filter(|_| is_telling), ..Wanted::default() }
        }
        Site::Data { symbol: Some(symbol), .. } => Wanted { class: Some(symbol.clone()), ..Wanted::default() },
        Site::Data { symbol: None, offset } => {
            let is_file = |part: &&String| part.contains('.');
            let path = place.path.iter().filter(|part| !is_file(part)).map(|part| part.replace(' ', ""));
            let rest = [input()].into_iter().chain(path).chain([offset.to_string()]).collect();
            Wanted { rest, ..Wanted::default() }
        }
        Site::Trace { .. } => Wanted { rest: vec![input()], ..Wanted::default() },
    }
}

/// Leaves out method names if all programs of the class are from one method.
fn leave_out_methods(shaders: &Shaders<'_>, units: &[Unit], wanted: &mut [Wanted]) {
    let mut methods: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    for (unit, Wanted { class, method, .. }) in units.iter().zip(&*wanted) {
        if let Some(class) = class
            && !unit.members.iter().any(|at| is_piece(shaders, *at))
        {
            methods.entry(class.clone()).or_default().insert(method.clone());
        }
    }
    for wanted in wanted {
        let methods = wanted.class.as_ref().and_then(|class| methods.get(class));
        if methods.is_none_or(|methods| methods.len() == 1 && methods.contains(&wanted.method))
            && wanted.class.is_some()
        {
            wanted.method = None;
        }
    }
}

/// The maximum number of letters of the words that tell a variant apart.
const LONGEST_WORDS: usize = 24;

/// The words that tell each unit from the others of the same base, if one or two conditions with names suffice.
fn words(extraction: &Extraction, shaders: &Shaders<'_>, units: &[Unit], bases: &[String]) -> Vec<Vec<String>> {
    let conditions: Vec<HashSet<&Condition>> = units.iter().map(|unit| conditions(extraction, shaders, unit)).collect();
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

/// The conditions of a unit.
fn conditions<'e>(extraction: &Extraction, shaders: &Shaders<'e>, unit: &Unit) -> HashSet<&'e Condition> {
    let of_members =
        unit.members.iter().filter_map(|at| shaders.all.get(*at)).flat_map(|shader| shader.conditions(extraction).0);
    let pair = unit.pair.and_then(|at| shaders.pairs.get(at)).and_then(|pair| pair.places.first());
    of_members.chain(pair.into_iter().flat_map(|place| &place.conditions)).collect()
}

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern("^[A-Za-z][A-Za-z0-9]{1,15}$"));

/// A name for a condition: `this.additive` becomes `additive`, and `format is dxt1` becomes `dxt1`.
fn word(Condition { expression, taken }: &Condition) -> Option<String> {
    let (expression, value) = match taken {
        Alternative::True => (expression.as_str(), None),
        // The expression is not null.
        Alternative::False => (expression.strip_suffix(" == null")?, None),
        Alternative::Is(value) => (expression.as_str(), Some(value.trim_matches('"'))),
    };
    let expression = expression.strip_suffix("()").unwrap_or(expression);
    let is_word = |word: &str| WORD.is_match(word) && !is_one_of(word, "vert frag vertex fragment null agal");
    let is_path = expression.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let last = expression.rsplit('.').next().unwrap_or_default().trim_start_matches('_');
    let last = Some(last).filter(|last| is_path && is_word(last));
    match value {
        None => last.map(str::to_string),
        Some(value) if is_word(value) => Some(value.to_string()),
        Some(value) => {
            let is_number = (1..=4).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
            last.filter(|_| is_number).map(|last| format!("{last}{value}"))
        }
    }
}

/// The name of a class without its package.
fn last(class: &str) -> &str {
    class.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or(class)
}

/// The short name of each class: without its package, unless another class has the same name.
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
/// The longest name, without the parts that tell variants and stages apart.
const LONGEST_BASE: usize = 72;

/// A part of a name, restricted to the characters that every file system accepts. A part that loses characters gets the beginning of
/// its hash, so that it still differs from others: obfuscated names may consist of such characters alone.
fn clean(part: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let kept: String = part.chars().map(|c| if is_kept(c) { c } else { '_' }).take(LONGEST).collect();
    if kept == part {
        return kept;
    }
    hashed(kept.chars().take(LONGEST - 5).collect::<String>().trim_matches('_'), part)
}

/// A name shortened to the longest length.
fn bounded(base: String) -> String {
    match base.get(..LONGEST_BASE) {
        Some(begin) if base.len() > LONGEST_BASE => hashed(begin.trim_end_matches(['.', '_']), &base),
        _ => base,
    }
}

/// The beginning of a name, and of the hash of the whole name.
fn hashed(begin: &str, whole: &str) -> String {
    let hash: String = hash_of(whole.as_bytes()).chars().take(4).collect();
    format!("{}_{hash}", if begin.is_empty() { "_" } else { begin })
}
