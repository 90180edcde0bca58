//! Names: unique in their scope, and kept as they are on their way through naga's text writers.
//!
//! naga's writers append `_` to a name that ends with a digit and number a name that recurs in another function, so
//! that `ft0` would come out as `ft0_`. Names are unique in scope before they get there, so a stand-in that naga leaves
//! alone goes in for each register's name, and the name goes back in for the stand-in in the text. Names that are not
//! registers' (of another front end, say) are left to naga, which knows each language's keywords.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The names of a module and of one function in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// How often each base name was asked for in the function.
    own: HashMap<String, u32>,
    /// The same in the module; and in every function, of names that are left to naga, which would number those that
    /// recur in another function.
    module: Rc<RefCell<HashMap<String, u32>>>,
    is_function: bool,
}

impl Scope {
    /// The scope of one function more.
    pub(crate) fn function(&self) -> Scope {
        Scope { own: HashMap::new(), module: self.module.clone(), is_function: true }
    }

    /// `base`, or `base` with a number if it is taken.
    pub(crate) fn unique(&mut self, base: &str) -> String {
        let base = sanitized(base);
        loop {
            let name = match self.times(&base) {
                0 => base.clone(),
                n => format!("{base}_{n}"),
            };
            self.ask(&base);
            if name == base || self.times(&name) == 0 {
                self.take(&name);
                return name;
            }
        }
    }

    /// Takes a name.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.take(&sanitized(name));
    }

    fn times(&self, name: &str) -> u32 {
        let of_module = self.module.borrow().get(name).copied().unwrap_or(0);
        self.own.get(name).copied().unwrap_or(0).max(of_module)
    }

    fn take(&mut self, name: &str) {
        if self.times(name) == 0 {
            self.set(name, 1);
        }
    }

    fn ask(&mut self, name: &str) {
        self.set(name, self.times(name) + 1);
    }

    fn set(&mut self, name: &str, times: u32) {
        if self.is_function && is_safe(name) {
            self.own.insert(name.to_string(), times);
        } else {
            self.module.borrow_mut().insert(name.to_string(), times);
        }
    }
}

/// A name as every target takes it: letters, digits and single underscores, a letter first.
fn sanitized(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    for c in name.chars().take(64) {
        match c {
            'a'..='z' | 'A'..='Z' => clean.push(c),
            '0'..='9' if !clean.is_empty() => clean.push(c),
            _ if !clean.is_empty() && !clean.ends_with('_') => clean.push('_'),
            _ => {}
        }
    }
    let mut clean = clean.trim_end_matches('_');
    // Names that begin so belong to GLSL.
    while let Some(rest) = clean.strip_prefix("gl_") {
        clean = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    }
    if clean.is_empty() { "value".to_string() } else { clean.to_string() }
}

/// Whether a name is no word of any language: a register's name, or a name with a number behind `_`.
pub(crate) fn is_safe(name: &str) -> bool {
    let numbered = name
        .rsplit_once('_')
        .is_some_and(|(base, number)| base != "gl" && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let numbered = numbered && sanitized(name) == name;
    let file = name.trim_end_matches(|c: char| c.is_ascii_digit());
    numbered || ["va", "vc", "vt", "op", "v", "ft", "fc", "oc", "od", "fs", "vs", "iid"].contains(&file)
}

/// Stand-ins for names, to be given to naga.
#[derive(Debug, Default)]
pub(crate) struct StandIns {
    names: HashMap<String, String>,
}

impl StandIns {
    /// The stand-in for a name that no language can mind; any other name is its own.
    pub(crate) fn stand_in(&mut self, name: &str) -> String {
        if !is_safe(name) {
            return name.to_string();
        }
        // Ends with a letter, differs for each use, and is no word: naga has no reason to change it.
        let stand_in = format!("{name}_n{}x", self.names.len());
        self.names.insert(stand_in.clone(), name.to_string());
        stand_in
    }

    /// Makes `name` stand in the text wherever naga writes `written`.
    pub(crate) fn replace(&mut self, written: &str, name: &str) {
        self.names.insert(written.to_string(), name.to_string());
    }

    /// The text with the names put back.
    pub(crate) fn restore(&self, text: &str) -> String {
        let mut restored = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            // A number's letters (1e5f, 0x1F) are no word of their own, so a run of word characters is taken whole.
            let length =
                if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
            let (word, behind) = rest.split_at(length);
            restored.push_str(self.names.get(word).map_or(word, String::as_str));
            rest = behind;
        }
        restored
    }
}

/// How resources and locations are called in GLSL, where naga would call them by their number. A name is taken where it is
/// safe and no other one's in its stage; the rest keep naga's.
#[derive(Debug, Default)]
pub(crate) struct Interface {
    /// naga's name and ours.
    names: Vec<(String, String)>,
    taken: HashSet<(naga::ShaderStage, String)>,
    refused: HashSet<String>,
}

impl Interface {
    /// Calls `written` by `name` in `stage`, if it can be.
    pub(crate) fn call(&mut self, stage: naga::ShaderStage, written: String, name: &str) {
        let differs = self.names.iter().any(|(other, called)| *other == written && called != name);
        if is_safe(name) && !differs && self.taken.insert((stage, name.to_string())) {
            self.names.push((written, name.to_string()));
        } else {
            self.refused.insert(written);
        }
    }

    /// naga's names and ours, in a module whose functions and resources have these. A varying has one name in both
    /// stages, by which they are linked, or none of ours.
    pub(crate) fn names<'a>(&'a self, module: &'a naga::Module) -> impl Iterator<Item = &'a (String, String)> {
        let functions = module.functions.iter().filter_map(|(_, function)| function.name.as_deref());
        let globals = module.global_variables.iter().filter_map(|(_, variable)| variable.name.as_deref());
        let module: HashSet<&str> = functions.chain(globals).collect();
        self.names.iter().filter(move |(written, name)| {
            let location = !written.starts_with("_group");
            let clashes = location && module.contains(name.as_str());
            !self.refused.contains(written) && !clashes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_numbered_only_when_it_recurs() {
        let mut scope = Scope::default();
        assert_eq!(["ft0", "ft0", "ft0_1", "ft0"].map(|name| scope.unique(name)), ["ft0", "ft0_1", "ft0_1_1", "ft0_2"]);
        assert_eq!(scope.unique("9 lives!"), "lives");
        assert_eq!(scope.unique("__"), "value");
    }

    #[test]
    fn stand_ins_are_for_registers_and_come_back() {
        let mut names = StandIns::default();
        let a = names.stand_in("ft0");
        let b = names.stand_in("vc");
        assert_eq!(names.stand_in("vec2"), "vec2", "a keyword is left to naga");
        assert_eq!(names.stand_in("f32"), "f32");
        assert_eq!(names.stand_in("gl_1"), "gl_1", "a reserved name is left to naga");
        assert_eq!(names.restore(&format!("let {a} = {b}[1].x * 1.5e3f;")), "let ft0 = vc[1].x * 1.5e3f;");
    }
}
