//! Collects the results of all paths. Each distinct program is stored once, with all its places. A part of a program is dropped
//! if the complete program was also found.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::LazyLock;

use agalc::{Finding, Stage};
use regex::Regex;

use crate::agalish;
use crate::avm::names::Name;
use crate::avm::types::Constant;
use crate::avm::world::{ClassId, Member, MethodId, World};
use crate::bytes;
use crate::checked::{How, check};
use crate::conditions::{At, Conjunction, Variants};
use crate::container::Data;
use crate::cover::Cover;
use crate::eval::event::{Event, What, Where};
use crate::eval::explore::Constants;
use crate::eval::expr::Expr;
use crate::eval::index::outermost;
use crate::eval::setup::{Shared, flat};
use crate::eval::text::{Part, Text};
use crate::limits::Limits;
use crate::model::{
    ByteOrder, Code, Condition, Extraction, Hole, Language, Pair, Piece, Place, Program, ProgramId, Site, Template,
};
use crate::strings::pattern;
use crate::text::short;

/// The maximum number of sets of conditions that are stored for a place.
const CONDITIONS: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Body {
    Text(Text, Language),
    Bytes(Rc<[u8]>),
}

/// The identity of a program: its body and its stage.
type Key = (Body, Option<Stage>);

#[derive(Debug)]
struct Found {
    body: Body,
    stage: Option<Stage>,
    version: Option<u32>,
    /// Whether a known call receives the program.
    is_taken: bool,
    places: BTreeMap<At, Vec<Conjunction>>,
    calls: BTreeSet<(MethodId, u32)>,
    data: Vec<Place>,
    /// The string constants in the programs that known calls receive.
    constants: Rc<Constants>,
}

impl Found {
    /// Returns the program's source, with one character for each hole, or `None` if the program is bytecode.
    fn text(&self) -> Option<String> {
        match &self.body {
            Body::Text(text, _) => Some(flat(text)),
            Body::Bytes(_) => None,
        }
    }
}

#[derive(Default)]
pub(crate) struct Collection {
    /// The enclosing method of each nested function, keyed by the nested function.
    pub(crate) around: HashMap<MethodId, MethodId>,
    found: Vec<Found>,
    by_key: HashMap<Key, usize>,
    pairs: BTreeMap<(usize, usize), BTreeMap<At, Vec<Conjunction>>>,
    unknown: BTreeMap<(MethodId, u32), Where>,
    /// The string constants in programs that known calls receive.
    pub(crate) consumed: Constants,
    /// The classes that store programs and upload them later.
    pub(crate) holders: HashSet<ClassId>,
    /// Whether the current path found a new program, pair or place.
    is_new: bool,
    /// The number of programs that may still be added, and the number of bytes that these programs may occupy.
    left: usize,
    bytes_left: usize,
    /// Whether a limit prevented the collection from adding a program.
    pub(crate) is_full: bool,
    /// The maximum number of places in data that are listed for each program, and the number of places beyond this maximum.
    places: usize,
    pub(crate) unlisted: usize,
    /// The input index and path of each data item that was not unpacked completely.
    pub(crate) cut: Vec<(usize, Vec<String>)>,
}

/// Returns a place for a program that was found without following a path.
fn alone(method: MethodId, at: u32, class: Option<ClassId>) -> Where {
    Where { method, at, class, call: (method, at), conditions: Rc::new([]) }
}

impl Collection {
    pub(crate) fn new(limits: &Limits) -> Collection {
        let Limits { programs, texts, places, .. } = *limits;
        Collection { left: programs, bytes_left: texts, places, ..Collection::default() }
    }

    /// Adds the events of a path and the string constants that occurred on the path. Returns whether the path found a new
    /// program, pair or place.
    pub(crate) fn add(&mut self, events: Vec<Event>, constants: &Constants) -> bool {
        self.is_new = false;
        let mut shared: Option<Rc<Constants>> = None;
        let mut numbers: Vec<Option<usize>> = Vec::new();
        for Event { what, place } in events {
            numbers.push(match what {
                What::Program { text, stage, version, language } => {
                    self.record(Body::Text(text, language), stage, version, true, &place)
                }
                What::Text { text } => {
                    let before = self.found.len();
                    let number = self.record_text(text, &place);
                    if let Some(new) = self.found.get_mut(before) {
                        new.constants = shared.get_or_insert_with(|| Rc::new(constants.clone())).clone();
                    }
                    number
                }
                What::Bytes { bytes, stage } => bytes::program_at(&bytes, 0).and_then(|found| {
                    let stage = stage.or(Some(found.stage));
                    self.record(Body::Bytes(found.bytes.into()), stage, Some(found.version), true, &place)
                }),
                What::Pair { vertex, fragment } => {
                    let number = |at: usize| numbers.get(at).copied().flatten();
                    if let (Some(vertex), Some(fragment)) = (number(vertex), number(fragment)) {
                        self.is_new |= add_place(self.pairs.entry((vertex, fragment)).or_default(), &place);
                    }
                    None
                }
                What::Unknown { .. } => {
                    self.unknown.entry(place.call).or_insert(place);
                    None
                }
            });
        }
        self.is_new
    }

    fn record(
        &mut self,
        body: Body,
        stage: Option<Stage>,
        version: Option<u32>,
        is_taken: bool,
        place: &Where,
    ) -> Option<usize> {
        let number = self.number((body, stage.filter(|_| is_taken)), stage, version)?;
        let found = self.found.get_mut(number)?;
        found.is_taken |= is_taken;
        found.version = found.version.max(version);
        self.is_new |= add_place(&mut found.places, place);
        found.calls.insert(place.call);
        Some(number)
    }

    /// Adds a string that may be AGAL source but that no known call receives.
    fn record_text(&mut self, text: Text, place: &Where) -> Option<usize> {
        self.record(Body::Text(text, Language::Mini), None, None, false, place)
    }

    /// Adds the programs in a data item.
    pub(crate) fn data(&mut self, input: usize, data: &Data) {
        if data.is_opened {
            return;
        }
        let site = |offset| Site::Data { symbol: data.symbol.as_deref().map(str::to_string), offset };
        let found = bytes::all_in(&data.bytes);
        let path = |within: &[String]| data.path().into_iter().chain(within.iter().cloned()).collect::<Vec<_>>();
        if found.is_cut {
            self.cut.push((input, data.path()));
        }
        for found in found.programs {
            let path = path(&found.within);
            let place = Place::new(input, path, site(found.offset));
            self.record_data(Body::Bytes(found.bytes.into()), Some(found.stage), Some(found.version), place);
        }
        for found in found.texts {
            let place = Place::new(input, path(&found.within), site(0));
            self.record_data(Body::Text(Text::literal(&found.text), Language::Mini), None, None, place);
        }
    }

    fn record_data(&mut self, body: Body, stage: Option<Stage>, version: Option<u32>, place: Place) {
        // The stage of source text in data is unknown, so a known program of either stage with the same text counts as equal.
        let stages = if stage.is_some() { vec![stage] } else { vec![None, Some(Stage::Vertex), Some(Stage::Fragment)] };
        let known = stages.into_iter().filter_map(|stage| self.by_key.get(&(body.clone(), stage))).min().copied();
        let number = known.or_else(|| self.number((body, stage), stage, version));
        match number.map(|number| self.found.get_mut(number)) {
            None => {}
            Some(Some(found)) if found.data.len() < self.places => found.data.push(place),
            Some(_) => self.unlisted = self.unlisted.saturating_add(1),
        }
    }

    /// Returns the number of a program, and adds the program if it is new. Returns `None` for a new program beyond a limit.
    fn number(&mut self, key: Key, stage: Option<Stage>, version: Option<u32>) -> Option<usize> {
        if let Some(number) = self.by_key.get(&key) {
            return Some(*number);
        }
        let size = match &key.0 {
            Body::Text(text, _) => text.size(),
            Body::Bytes(bytes) => bytes.len(),
        };
        let (Some(left), Some(bytes_left)) = (self.left.checked_sub(1), self.bytes_left.checked_sub(size)) else {
            self.is_full = true;
            return None;
        };
        (self.left, self.bytes_left, self.is_new) = (left, bytes_left, true);
        let number = self.found.len();
        self.found.push(Found {
            body: key.0.clone(),
            stage,
            version,
            is_taken: false,
            places: BTreeMap::new(),
            calls: BTreeSet::new(),
            data: Vec::new(),
            constants: Rc::default(),
        });
        self.by_key.insert(key, number);
        Some(number)
    }

    /// Adds the string constants and string arrays that may be programs, except parts of programs that were already found.
    pub(crate) fn constants(&mut self, shared: &mut Shared<'_>) {
        let texts = self.found.iter().filter_map(|found| Some((found.text()?, found.is_taken)));
        let (mut known, taken): (Vec<String>, Vec<bool>) = texts.unzip();
        for (text, class, method) in shared.held_lines() {
            let lines = flat(&text);
            let is_taken =
                |line: &str| known.iter().zip(&taken).any(|(known, taken)| *taken && known.contains(line.trim()));
            if agalish::read(&lines).is_agal() && !lines.lines().all(is_taken) {
                known.push(lines);
                self.record_text(text, &alone(method, 0, Some(class)));
            }
        }
        // A constant that belongs to a known program is not reported as a separate program.
        let uses = shared.index.uses.iter().filter(|(site, _)| !shared.consumed.contains(site));
        let uses = uses.flat_map(|((method, at), text)| {
            crate::eval::xml::texts(text).into_iter().map(|text| (text, alone(*method, *at, None)))
        });
        let fields =
            first_values(shared.world).into_iter().filter(|(_, field, _)| !shared.consumed_fields.contains(field));
        for (text, place) in uses.chain(fields.map(|(text, _, place)| (text, place))) {
            if agalish::read(&text).is_agal() && !known.iter().any(|known| known.contains(text.trim())) {
                known.push(text.to_string());
                self.record_text(Text::literal(&text), &place);
            }
        }
    }

    /// Converts a position in code to the form used in the report.
    pub(crate) fn place(&self, world: &World, (method, offset, class): At) -> Place {
        let unit = world.unit(method.unit);
        // A nested function takes the name of its enclosing method.
        let (home, name) = world.label(outermost(world, &self.around, method));
        let inherited = home.filter(|home| class.is_some_and(|class| class != *home));
        let named = |class: ClassId| world.class(class).map(|class| class.name.to_string());
        let lines = unit.and_then(|unit| unit.origin.lines.as_ref());
        let line = lines.and_then(|lines| lines.range(..=(method.method, offset)).next_back());
        let (input, at) = line.map_or((unit.map_or(0, |unit| unit.origin.input), offset), |(_, line)| *line);
        let path = unit.map(|unit| unit.origin.path.to_vec()).unwrap_or_default();
        let (class, method) = (class.or(home).and_then(named).unwrap_or_default(), name.to_string());
        Place::new(input, path, Site::Method { class, method, at, inherited_from: inherited.and_then(named) })
    }

    fn places(
        &self,
        world: &World,
        number: usize,
        found: &BTreeMap<At, Vec<Conjunction>>,
        variants: &mut Variants<'_>,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, paths) in found {
            for conditions in variants.conditions(number, at, paths) {
                let shown =
                    conditions.iter().map(|(expr, taken)| Condition { expression: shown(expr), taken: taken.clone() });
                places.push(Place { conditions: shown.collect(), ..self.place(world, *at) });
            }
        }
        places.sort();
        places.dedup();
        places
    }

    /// Adds the collected programs, pairs and unknown calls to the extraction.
    pub(crate) fn finish(mut self, world: &World, extraction: &mut Extraction) {
        let kept = self.kept();
        let mut variants = Variants::new(kept.iter().map(|(number, found)| (*number, &found.places)));
        let mut variants_of_pairs = Variants::new(self.pairs.values().enumerate());
        let taken = self.found.iter().filter(|found| found.is_taken);
        let lines: HashSet<String> = taken.filter_map(Found::text).flat_map(|text| shapes(&text)).collect();
        let mut programs: Vec<(usize, Program)> = Vec::new();
        for (&number, &found) in &kept {
            let mut places = self.places(world, number, &found.places, &mut variants);
            places.extend(found.data.iter().cloned());
            let Some(program) = program(found, places) else { continue };
            if !(program.is_piece && self.is_in_programs(found, &lines)) {
                programs.push((number, program));
            }
        }
        // The sort is stable, so programs with equal places keep their order.
        programs.sort_by(|(_, one), (_, other)| one.places.cmp(&other.places));
        let ids = programs.iter().zip((0..).map(ProgramId)).filter(|((_, program), _)| !program.is_piece);
        let ids: HashMap<usize, ProgramId> = ids.map(|((number, _), id)| (*number, id)).collect();
        for (number, ((vertex, fragment), places)) in self.pairs.iter().enumerate() {
            if let (Some(&vertex), Some(&fragment)) = (ids.get(vertex), ids.get(fragment)) {
                let places = self.places(world, number, places, &mut variants_of_pairs);
                extraction.pairs.push(Pair { vertex, fragment, places, is_probable: false });
            }
        }
        extraction.programs = programs.into_iter().map(|(_, program)| program).collect();
        let probable = probable_pairs(extraction);
        extraction.pairs.extend(probable);
        extraction.pairs.sort_by_key(|pair| (pair.vertex, pair.fragment));
        let calls: BTreeSet<(MethodId, u32)> =
            self.found.iter().flat_map(|found| found.calls.iter().copied()).collect();
        let is_held = |method| {
            let class = world.home(method).and_then(|home| home.class);
            class.is_some_and(|class| self.holders.contains(&class))
        };
        self.unknown.retain(|call, place| !calls.contains(call) && !is_held(place.method));
        for place in self.unknown.values() {
            let found = self.place(world, (place.method, place.at, place.class));
            if let Some(input) = extraction.inputs.get_mut(found.input) {
                input.unknown.push(found);
            }
        }
    }

    /// Reports whether other programs contain all string constants of a piece, and all its lines apart from register names.
    fn is_in_programs(&self, found: &Found, lines: &HashSet<String>) -> bool {
        let is_consumed =
            !found.constants.is_empty() && found.constants.iter().all(|line| self.consumed.contains(line));
        is_consumed && found.text().is_some_and(|text| shapes(&text).iter().all(|line| lines.contains(line)))
    }

    /// Returns the programs that are not part of another program, keyed by number.
    fn kept(&self) -> BTreeMap<usize, &Found> {
        let mut cover = Cover::default();
        // `texts` contains each source text and the number of holes in the text.
        let texts = self.found.iter().enumerate().filter_map(|(number, found)| match &found.body {
            Body::Text(text, _) => Some((number, (found, text, text.holes().count()))),
            Body::Bytes(_) => None,
        });
        let texts: BTreeMap<usize, (&Found, &Text, usize)> = texts.collect();
        texts.iter().for_each(|(number, (_, text, _))| cover.add(*number, &flat(text)));
        let mut kept: BTreeMap<usize, &Found> = self.found.iter().enumerate().collect();
        for (number, (found, own, holes)) in &texts {
            let is_part = cover.holders(*number).into_iter().filter(|other| other != number).any(|other| {
                let Some((holder, holding, fewer)) = texts.get(&other) else { return false };
                if found.is_taken {
                    // A program is dropped if all its paths also build a program that differs only in having fewer holes.
                    return holder.is_taken
                        && fewer < holes
                        && is_implied(found, holder)
                        && cover.is_whole(*number, other);
                }
                if own == holding {
                    return holder.is_taken || other < *number;
                }
                let is_less = (*fewer, own.size()) < (*holes, holding.size());
                (holder.is_taken || is_less) && cover.is_part(*number, other)
            });
            if is_part {
                kept.remove(number);
            }
        }
        kept
    }
}

/// Returns the probable pairs: pairs of programs that no known call receives together. A class that builds exactly one unpaired
/// vertex program and one unpaired fragment program yields a probable pair.
fn probable_pairs(extraction: &Extraction) -> Vec<Pair> {
    let paired: HashSet<ProgramId> = extraction.pairs.iter().flat_map(|pair| [pair.vertex, pair.fragment]).collect();
    let mut by_class: BTreeMap<(usize, &str), [Vec<ProgramId>; 2]> = BTreeMap::new();
    for (at, program) in extraction.programs.iter().enumerate().filter(|(_, program)| !program.is_piece) {
        let id = ProgramId(at);
        if let (Some(Place { input, site: Site::Method { class, .. }, .. }), Some(stage), false) = (
            program.places.first(),
            program.stage,
            paired.contains(&id) || matches!(program.code, Code::Bytecode { .. }),
        ) {
            let [vertex, fragment] = by_class.entry((*input, class)).or_default();
            (if stage == Stage::Vertex { vertex } else { fragment }).push(id);
        }
    }
    let pair = |[vertex, fragment]: [Vec<ProgramId>; 2]| match (vertex.as_slice(), fragment.as_slice()) {
        ([vertex], [fragment]) => {
            let places = extraction.programs.get(fragment.0)?.places.clone();
            Some(Pair { vertex: *vertex, fragment: *fragment, places, is_probable: true })
        }
        _ => None,
    };
    by_class.into_iter().filter(|((_, class), _)| !class.is_empty()).filter_map(|(_, found)| pair(found)).collect()
}

/// Returns the string constants that are initial values of fields, each with its field and the position of the initialiser or
/// constructor.
fn first_values(world: &World) -> Vec<(Name, (ClassId, Name), Where)> {
    let mut values = Vec::new();
    for (id, class) in (0u32..).map(ClassId).zip(&world.classes) {
        for (members, method) in [(&class.statics, class.initialiser), (&class.instance, class.constructor)] {
            for (name, _, member) in &members.all {
                if let Member::Slot { default: Some(Constant::String(text)), .. } = member {
                    values.push((text.clone(), (id, name.clone()), alone(method, 0, Some(id))));
                }
            }
        }
    }
    values
}

/// Reports whether every path that builds `found` also builds `other`.
fn is_implied(found: &Found, other: &Found) -> bool {
    found.places.iter().all(|(at, paths)| {
        let others = other.places.get(at).map(Vec::as_slice).unwrap_or_default();
        let implies = |path: &Conjunction| others.iter().any(|other| other.iter().all(|one| path.contains(one)));
        paths.iter().all(implies)
    })
}

/// Adds a place with its conditions. Returns whether the place is new; new conditions of a known place do not count.
fn add_place(places: &mut BTreeMap<At, Vec<Conjunction>>, place: &Where) -> bool {
    let before = places.len();
    let conditions = places.entry((place.method, place.at, place.class)).or_default();
    if conditions.len() < CONDITIONS && !conditions.contains(&place.conditions) {
        conditions.push(place.conditions.clone());
    }
    places.len() > before
}

/// Renders an expression as a single line, shortened for the report.
fn shown(expr: &Expr) -> String {
    let text = expr.render();
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    short(&text.split_whitespace().collect::<Vec<_>>().join(" "), 161).into_owned()
}

fn program(found: &Found, places: Vec<Place>) -> Option<Program> {
    let first = places.first()?.clone();
    let (code, stage, is_piece) = match &found.body {
        Body::Bytes(bytes) => {
            let order = bytes::program_at(bytes, 0).map_or(ByteOrder::Little, |found| found.order);
            (Code::Bytecode { bytes: bytes.to_vec(), order }, found.stage, false)
        }
        Body::Text(text, language) => {
            let reading = agalish::read(&flat(text));
            // A base class may have an empty string that its subclasses replace.
            if reading == agalish::Reading::default() && !text.has_holes() {
                return None;
            }
            let is_alternativa = reading.alternativa > 0 && reading.vertex + reading.fragment == 0;
            let language = match language {
                Language::Mini if !found.is_taken && is_alternativa => Language::Alternativa,
                language => *language,
            };
            let stage = found.stage.or_else(|| reading.stage());
            let is_whole = found.is_taken || reading.outputs && may_be_whole(text, stage, language);
            let is_piece = !is_whole || agalish::has_missing_value(&flat(text));
            (Code::Text { text: template(text, &first), language }, stage, is_piece)
        }
    };
    Some(Program { code, stage, version: found.version, is_piece, places })
}

/// Matches an operand that begins with a register name, and captures the part after the name. A register name ends with a number
/// or contains a hole.
static REGISTER: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^[^.\[]*(?:[0-9]|{}[^.\[]*)(|[.\[].*)$", agalish::HOLE)));

/// Returns the lines of a source text, in which each register name is replaced with `#`.
fn shapes(text: &str) -> Vec<String> {
    let shape = |line: &str| {
        let words = line.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty());
        words.map(|word| REGISTER.replace(word, "#$1") + " ").collect::<String>()
    };
    text.lines().map(shape).filter(|line| !line.is_empty()).collect()
}

/// Reports whether a source text may be a complete program. A text that reads registers without writing them is not complete. A
/// text with holes is assumed to be complete.
fn may_be_whole(text: &Text, stage: Option<Stage>, language: Language) -> bool {
    let how = How { stage, version: None, language: Some(language) };
    // A text with words that no assembler recognises is not complete, because code replaces these words.
    let is_missing = |finding: &Finding| finding.code == 3647 || finding.is_error() && finding.code >= 9_100;
    text.known().is_none_or(|text| !check(text.as_bytes(), how).findings.iter().any(is_missing))
}

/// Converts a text to a template, in which every hole has a name.
fn template(text: &Text, place: &Place) -> Template {
    let mut names: HashMap<&Expr, String> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut template = Template::default();
    for part in text.parts() {
        match part {
            Part::Literal(text) => template.pieces.push(Piece::Text(text.clone())),
            Part::Hole(expr) => {
                let name = names.entry(expr).or_insert_with(|| {
                    let name = hole_name(expr, &template.holes, &mut numbers);
                    let hole = Hole { expression: shown(expr), place: Some(place.clone()) };
                    template.holes.insert(name.clone(), hole);
                    name
                });
                template.pieces.push(Piece::Hole(name.clone()));
            }
        }
    }
    template
}

/// Returns a short name for a hole. A number is appended if another hole already has the name.
fn hole_name(expr: &Expr, taken: &BTreeMap<String, Hole>, numbers: &mut HashMap<String, usize>) -> String {
    let text = shown(expr);
    let text = text.strip_prefix("this.").unwrap_or(&text);
    let letters = text.chars().map(|letter| if matches!(letter, '{' | '}' | '\n' | '"') { '\'' } else { letter });
    let name = short(&letters.collect::<String>(), 60).into_owned();
    let number = numbers.entry(name.clone()).or_default();
    loop {
        *number += 1;
        let numbered = if *number == 1 { name.clone() } else { format!("{name} {number}") };
        if !taken.contains_key(&numbered) {
            return numbered;
        }
    }
}
