//! Assigns every name in an output, once, when the output is otherwise complete.
//!
//! A lowered module has labels instead of names (`label.rs`), such as `n7x`. No language reserves a label and all labels are
//! distinct, so naga's writers leave labels unchanged. naga's writers would change a name that ends with a digit, is repeated, or
//! is a word of the language. Each label has a base name and a scope. Once the text has been written and tidied, each label gets
//! its base name. If the base name is a word of the language, is a word of the text, or is already taken in the scope, a number
//! is appended. The names then replace the labels in one pass over whole words, and no later step reads the text. In SPIR-V,
//! names are there only for readers, so a label is the name itself.
//!
//! Upstream fault `numbered_names`: `Namer::call` in `proc/namer.rs` writes `_` after a name that ends with a digit, and numbers
//! a name that was used in another function. gfx-rs/wgpu#7903 calls this renaming intended.
//!
//! Upstream fault `call_results`: the text writers name the result of a call `_e` followed by a number (`Statement::Call` in
//! `back/{wgsl,glsl,hlsl,msl}/writer.rs`), even if the function names the result.
//!
//! Upstream fault `interface_names`: `Writer::get_global_name` and `VaryingName` in `back/glsl` name GLSL's variables after their
//! bindings and locations.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use smol_str::SmolStr;

use crate::language::Language;
use crate::mend::label::{Word, index_of, text_of};
use crate::mend::text::is_word;
use crate::origins::{Lines, Origins};

/// The scope in which a name must be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    Module,
    /// A function, in which the module's names are also visible.
    Function(u32),
    Members(u32),
}

/// A label's preferred name, and the scope in which the assigned name must be unique.
#[derive(Clone, Debug)]
struct Label {
    base: String,
    scope: Scope,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    language: Language,
    labels: Vec<Label>,
    scopes: u32,
    /// The labels of call results, keyed by the calling function's label and naga's number for the result.
    results: HashMap<(usize, usize), usize>,
    /// The GLSL variables for resources, and for inputs and outputs with a location.
    interface: Vec<Variable>,
    /// The labels of GLSL's interface blocks.
    blocks: Vec<usize>,
    /// Whether the module has both a vertex and a fragment stage. If true, the names of both stages are known.
    pub(crate) is_pair: bool,
    /// The names assigned so far in SPIR-V, where a name is assigned as soon as it is requested.
    given: Assignment,
    /// The values that the code writes to each label; `None` if values are not traced.
    pub(crate) origins: Option<Origins>,
}

/// A GLSL variable that naga names after its stage and number.
#[derive(Clone, Debug)]
struct Variable {
    stage: naga::ShaderStage,
    /// The variable's name in naga's output.
    written: String,
    label: usize,
}

impl Variable {
    fn is_resource(&self) -> bool {
        self.written.starts_with("_group")
    }

    /// Returns the location of a varying that passes from the vertex to the fragment stage, or `None` for any other variable.
    fn varying(&self) -> Option<u32> {
        self.written.strip_prefix("_vs2fs_location").and_then(|location| location.parse().ok())
    }
}

impl Names {
    pub(crate) fn new(language: Language) -> Names {
        Names { language, ..Names::default() }
    }

    pub(crate) fn function(&mut self) -> Scope {
        self.scopes += 1;
        Scope::Function(self.scopes)
    }

    pub(crate) fn members(&mut self) -> Scope {
        self.scopes += 1;
        Scope::Members(self.scopes)
    }

    /// Returns a new label with the preferred name `base`.
    pub(crate) fn label(&mut self, scope: Scope, base: &str) -> String {
        if !self.are_labels() {
            return self.given.unique(&sanitized(base), scope, &|_| false);
        }
        self.labels.push(Label { base: sanitized(base).into_owned(), scope });
        text_of(self.labels.len() - 1)
    }

    /// Returns a new label whose preferred name is the base of the label `of`, followed by `suffix`.
    pub(crate) fn derived(&mut self, scope: Scope, of: &str, suffix: &str) -> String {
        let base = index_of(of).and_then(|index| self.labels.get(index)).map_or(of, |label| &label.base);
        self.label(scope, &[base, suffix].concat())
    }

    /// Returns a new label in the same scope as `label`, with the preferred name `base`.
    pub(crate) fn beside(&mut self, label: &str, base: &str) -> String {
        let scope = index_of(label).and_then(|index| self.labels.get(index)).map_or(Scope::Module, |label| label.scope);
        self.label(scope, base)
    }

    /// Records the label of a call's result, which naga's text writers identify by a number in the calling function.
    pub(crate) fn call_result(&mut self, function: &str, number: usize, label: &str) {
        if let (Some(function), Some(label)) = (index_of(function), index_of(label)) {
            self.results.insert((function, number), label);
        }
    }

    /// Records the label and naga's name of a GLSL variable, for a resource or for an input or output with a location.
    pub(crate) fn variable(&mut self, stage: naga::ShaderStage, written: fmt::Arguments<'_>, label: &str) {
        if self.language == Language::Glsl
            && let Some(label) = index_of(label)
        {
            self.interface.push(Variable { stage, written: written.to_string(), label });
        }
    }

    /// Records the label of an interface block, which has the same name in all stages of a program.
    pub(crate) fn block(&mut self, label: &str) {
        self.blocks.extend(index_of(label));
    }

    /// Assigns each label a name that is unique in its scope. No assigned name is a word of the language or satisfies `is_used`.
    /// The labels in `first` get their names before all other labels, in the module's scope.
    fn assign(&self, first: &[usize], is_used: impl Fn(&str) -> bool) -> Assignment {
        let mut given = Assignment { names: vec![String::new(); self.labels.len()], ..Assignment::default() };
        let is_first: HashSet<usize> = first.iter().copied().collect();
        let is_word = |name: &str| self.language.reserves(name) || is_used(name);
        for &label in first {
            given.assign(label, &self.labels[label].base, Scope::Module, &is_word);
        }
        for of_module in [true, false] {
            for (index, Label { base, scope }) in self.labels.iter().enumerate() {
                if (*scope == Scope::Module) == of_module && !is_first.contains(&index) {
                    given.assign(index, base, *scope, &is_word);
                }
            }
        }
        given
    }

    /// Reports whether labels stand for names. In SPIR-V, labels are the names themselves.
    pub(crate) fn are_labels(&self) -> bool {
        self.language != Language::Spirv
    }

    /// Assigns names without avoiding the words of any language.
    pub(crate) fn plain(&self) -> Given {
        Given { names: self.assign(&[], |_| false).names, lines: Lines::new() }
    }

    /// Returns the labels of a stage's GLSL variables, keyed by naga's name for the variable.
    pub(crate) fn variables(&self, stage: naga::ShaderStage) -> HashMap<&str, usize> {
        let mine = self.interface.iter().filter(|variable| variable.stage == stage);
        mine.map(|variable| (variable.written.as_str(), variable.label)).collect()
    }

    /// Returns the labels that are named first in GLSL, in an order that both stages of a program share: the resources and blocks
    /// of both stages, then the varyings. This order ensures that a name that only one stage has, such as the name of a called
    /// function, never changes a name that both stages have. If the other stage is unknown, varyings come first, because no other
    /// name may change a varying's name. The stage's remaining variables come last.
    fn first(&self, stage: naga::ShaderStage) -> Vec<usize> {
        let variables = || self.interface.iter();
        let resources = variables().filter(|variable| variable.is_resource()).map(|variable| variable.label);
        let resources = resources.chain(self.blocks.iter().copied());
        // The label of each varying, keyed by location; labels of the current stage take precedence.
        let mut varyings: BTreeMap<u32, usize> = BTreeMap::new();
        for variable in variables() {
            if let Some(location) = variable.varying() {
                let label = varyings.entry(location).or_insert(variable.label);
                if variable.stage == stage {
                    *label = variable.label;
                }
            }
        }
        let varyings = varyings.into_values();
        let mut first: Vec<usize> =
            if self.is_pair { resources.chain(varyings).collect() } else { varyings.chain(resources).collect() };
        let known: HashSet<usize> = first.iter().copied().collect();
        let others = variables().filter(|variable| variable.stage == stage).map(|variable| variable.label);
        first.extend(others.filter(|label| !known.contains(label)));
        first
    }

    /// Replaces the labels in a text with names.
    pub(crate) fn resolve(&self, text: &str, stage: Option<&GlslStage<'_>>) -> (String, Given) {
        let none = HashMap::new();
        let variables = stage.map_or(&none, |stage| &stage.variables);
        let words = self.words(text, variables, stage.and_then(|stage| index_of(stage.entry)));
        let used: HashSet<&str> = words.iter().filter(|word| word.label.is_none()).map(|word| word.text).collect();
        let first = stage.map_or(Vec::new(), |stage| self.first(stage.stage));
        let given = self.assign(&first, |name| used.contains(name));
        let mut resolved = String::with_capacity(text.len());
        let mut rest = 0;
        for &Word { text: word, at, label, .. } in &words {
            if let Some(name) = label.and_then(|label| given.names.get(label)) {
                resolved.push_str(&text[rest..at]);
                resolved.push_str(name);
                rest = at + word.len();
            }
        }
        resolved.push_str(&text[rest..]);
        let lines = self.origins.as_ref().map_or(Lines::new(), |origins| origins.lines(text, &words));
        (resolved, Given { names: given.names, lines })
    }

    /// Returns the words of a text with their labels. Words that name a component, a member or an attribute are omitted unless
    /// they have a label.
    fn words<'t>(&self, text: &'t str, variables: &HashMap<&str, usize>, main: Option<usize>) -> Vec<Word<'t>> {
        let mut words = Vec::new();
        let (mut depth, mut function) = (0u32, None);
        let mut attribute = Attribute::No;
        let mut at = 0;
        let mut before = ' ';
        while let Some(c) = text[at..].chars().next() {
            let length = match is_word(c) {
                true => text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at),
                false => c.len_utf8(),
            };
            let word = &text[at..at + length];
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            attribute = attribute.after(word);
            if is_word(c) && !c.is_ascii_digit() {
                let label = self.label_of(word, function, variables);
                // Outside functions, a parenthesis follows only the name in a function definition.
                if depth == 0 && text[at + length..].starts_with('(') && attribute == Attribute::No {
                    // A parenthesis also follows the name of an MSL attribute such as `[[buffer(0)]]`, but this name is not a
                    // label.
                    function = label.or(main).or(function);
                }
                // The first word of an MSL attribute, as in `[[position]]`, is not a name.
                let is_attribute = attribute != Attribute::No || text[..at].ends_with("[[");
                if label.is_some() || (before != '.' && !is_attribute) {
                    words.push(Word { text: word, at, label, function });
                }
            }
            before = c;
            at += length;
        }
        words
    }

    /// Returns the label that a word refers to in the function with the label `function`.
    fn label_of(&self, word: &str, function: Option<usize>, variables: &HashMap<&str, usize>) -> Option<usize> {
        if let Some(label) = variables.get(word) {
            return Some(*label);
        }
        if let Some(number) = word.strip_prefix("_e").and_then(|number| number.parse().ok()) {
            return self.results.get(&(function?, number)).copied();
        }
        // naga appends a number and the stage to the name of a block.
        let label = word.split_once("_block_").map_or(word, |(label, _)| label);
        index_of(label).filter(|&index| index < self.labels.len())
    }
}

#[derive(Debug)]
pub(crate) struct Given {
    names: Vec<String>,
    /// The values that each line of the text computes; empty if values are not traced.
    pub(crate) lines: Lines,
}

impl Given {
    /// Returns the name of a label, or the word itself if it is not a label.
    pub(crate) fn name<'a>(&'a self, label: &'a str) -> &'a str {
        let Some(index) = index_of(label) else { return label };
        self.names.get(index).map_or(label, String::as_str)
    }

    pub(crate) fn with_heading(&mut self, heading: &str, text: &str) -> String {
        if !self.lines.is_empty() {
            self.lines.splice(0..0, heading.lines().map(|_| Vec::new()));
        }
        heading.to_string() + text
    }

    /// Replaces a label with its name, and leaves any other word unchanged.
    pub(crate) fn rename(&self, label: &mut String) {
        if let Some(name) = index_of(label).and_then(|index| self.names.get(index)) {
            label.clone_from(name);
        }
    }
}

#[derive(Debug)]
pub(crate) struct GlslStage<'a> {
    pub(crate) stage: naga::ShaderStage,
    /// The label of the entry point, which GLSL output names `main`.
    pub(crate) entry: &'a str,
    /// The labels of the stage's variables, keyed by naga's name for the variable.
    pub(crate) variables: HashMap<&'a str, usize>,
}

impl GlslStage<'_> {
    /// Reports whether two words have the same label and therefore get the same name.
    pub(crate) fn is_same(&self, a: &str, b: &str) -> bool {
        let label = |word: &str| self.variables.get(word).copied().or_else(|| index_of(word));
        a == b || label(a).is_some_and(|of_a| label(b) == Some(of_a))
    }
}

/// The position of a word relative to an attribute or a layout qualifier, whose words are not identifiers, as in
/// `@location(0)` and `layout(binding = 0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attribute {
    No,
    /// Directly after `@`.
    Begins,
    Word,
    /// Between the parentheses of an attribute or a layout qualifier.
    Within,
}

impl Attribute {
    fn after(self, word: &str) -> Attribute {
        match (self, word) {
            (Attribute::No, "@") => Attribute::Begins,
            (Attribute::No, "layout") => Attribute::Word,
            (Attribute::Begins, _) => Attribute::Word,
            (Attribute::Word, "(") => Attribute::Within,
            (Attribute::Within, ")") | (Attribute::Word | Attribute::No, _) => Attribute::No,
            (Attribute::Within, _) => Attribute::Within,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Assignment {
    /// The name assigned to each label, by label index.
    names: Vec<String>,
    taken: Taken,
    /// The number of names that have been tried for each base name in each scope.
    asked: HashMap<(Scope, String), u32>,
}

impl Assignment {
    fn assign(&mut self, label: usize, base: &str, scope: Scope, is_word: &impl Fn(&str) -> bool) {
        let name = self.unique(base, scope, is_word);
        if let Some(place) = self.names.get_mut(label) {
            *place = name;
        }
    }

    fn unique(&mut self, base: &str, scope: Scope, is_word: &impl Fn(&str) -> bool) -> String {
        let mut name = base.to_string();
        while is_word(&name) || !self.taken.insert(scope, &name) {
            let asked = self.asked.entry((scope, base.to_string())).or_insert(0);
            *asked += 1;
            name = format!("{base}_{asked}");
        }
        name
    }
}

/// The taken names, with their scopes. Most modules have so few names that a linear search is faster than hashing.
#[derive(Clone, Debug, Default)]
struct Taken {
    few: Vec<(u32, Scope, SmolStr)>,
    many: HashSet<(Scope, SmolStr)>,
}

impl Taken {
    /// The maximum number of names for a linear search.
    const FEW: usize = 32;

    /// Marks a name as taken, and reports whether the name was free. A name in a function must also be free in the module's
    /// scope.
    fn insert(&mut self, scope: Scope, name: &str) -> bool {
        let of_module = matches!(scope, Scope::Function(_)).then_some(Scope::Module);
        if !self.many.is_empty() || self.few.len() == Taken::FEW {
            self.many.extend(self.few.drain(..).map(|(_, scope, name)| (scope, name)));
            let name_in = |scope| (scope, SmolStr::new(name));
            let is_free = of_module.is_none_or(|module| !self.many.contains(&name_in(module)));
            return is_free && self.many.insert(name_in(scope));
        }
        // A cheap hash that differs for most names.
        let mark = name.bytes().fold(0, |mark: u32, byte| mark.wrapping_mul(31).wrapping_add(u32::from(byte)));
        let is_same = |taken: &(u32, Scope, SmolStr)| {
            taken.0 == mark && (taken.1 == scope || Some(taken.1) == of_module) && taken.2 == name
        };
        let is_free = !self.few.iter().any(is_same);
        if is_free {
            if self.few.is_empty() {
                self.few.reserve(Taken::FEW / 2);
            }
            self.few.push((mark, scope, SmolStr::new(name)));
        }
        is_free
    }
}

/// The maximum length of a base name, in characters.
const LONGEST: usize = 64;

/// Reduces a name to the form that every target accepts: letters, digits and single underscores, beginning with a letter.
fn sanitized(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST && is_clean(name.as_bytes()) && !["gl", "webgl"].iter().any(|word| name.starts_with(word))
    {
        return name.into();
    }
    let mut clean = String::with_capacity(name.len().min(LONGEST));
    for c in name.chars().take(LONGEST) {
        match c {
            'a'..='z' | 'A'..='Z' => clean.push(c),
            '0'..='9' if !clean.is_empty() => clean.push(c),
            _ if !clean.is_empty() && !clean.ends_with('_') => clean.push('_'),
            _ => {}
        }
    }
    let mut clean = clean.trim_end_matches('_');
    // GLSL and WebGL reserve names with these prefixes. The name `gl` is also unusable, because a number would turn it into
    // `gl_1`.
    while let Some(rest) = clean.strip_prefix("gl_").or_else(|| clean.strip_prefix("webgl_")) {
        clean = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    }
    if ["", "gl", "webgl"].contains(&clean) { "value".into() } else { clean.to_string().into() }
}

/// Reports whether a name consists of letters, digits and single underscores, begins with a letter, and does not end with an
/// underscore.
fn is_clean(name: &[u8]) -> bool {
    let mut before = b'_';
    for &byte in name {
        let fits = match byte {
            b'_' => before != b'_',
            b'0'..=b'9' => true,
            _ => byte.is_ascii_alphabetic(),
        };
        if !fits {
            return false;
        }
        before = byte;
    }
    before != b'_' && !name.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bases: &[(Scope, &str)]) -> (Names, Vec<String>) {
        let mut names = Names::new(Language::Wgsl);
        let labels = bases.iter().map(|(scope, base)| names.label(*scope, base)).collect();
        (names, labels)
    }

    #[test]
    fn a_name_is_numbered_only_when_it_recurs_in_its_scope() {
        let [one, other] = [Scope::Function(1), Scope::Function(2)];
        let bases =
            [(one, "ft0"), (one, "ft0"), (one, "ft0_1"), (other, "ft0"), (Scope::Module, "ft0_2"), (one, "ft0")];
        let (names, _) = names(&bases);
        let given = names.assign(&[], |_| false).names;
        assert_eq!(given, ["ft0", "ft0_1", "ft0_1_1", "ft0", "ft0_2", "ft0_3"]);
    }

    #[test]
    fn names_are_letters_digits_and_single_underscores() {
        assert_eq!(
            ["9 lives!", "__", "gl_gl_9a", "gl_", "gl", "gl2", "a__b", "日本", "_webgl_uv", "gl_webgl_gl_p", "webgl"]
                .map(sanitized),
            ["lives", "value", "a", "value", "value", "gl2", "a_b", "value", "uv", "p", "value"]
        );
        assert_eq!(sanitized(&"x".repeat(300)).len(), LONGEST);
    }

    #[test]
    fn a_word_of_the_language_or_of_the_text_gets_a_number() {
        let (names, labels) =
            names(&[(Scope::Module, "type"), (Scope::Function(1), "helper"), (Scope::Function(1), "x")]);
        let [a, b, c] = &labels[..] else { panic!("three labels") };
        let text = format!("@location(x) var {a} = helper({b}).x * {c} + 1.5e3f;");
        let (resolved, _) = names.resolve(&text, None);
        assert_eq!(resolved, "@location(x) var type_1 = helper(helper_1).x * x + 1.5e3f;");
    }

    #[test]
    fn results_of_calls_are_named_per_function() {
        let (mut names, labels) = names(&[
            (Scope::Module, "f"),
            (Scope::Module, "g"),
            (Scope::Function(1), "in_f"),
            (Scope::Function(2), "in_g"),
        ]);
        names.call_result(&labels[0], 4, &labels[2]);
        names.call_result(&labels[1], 4, &labels[3]);
        let text = format!("fn {}() {{ let _e4 = 1; }} fn {}() {{ let _e4 = {}(); }}", labels[0], labels[1], labels[0]);
        let (resolved, _) = names.resolve(&text, None);
        assert_eq!(resolved, "fn f() { let in_f = 1; } fn g() { let in_g = f(); }");
    }
}
