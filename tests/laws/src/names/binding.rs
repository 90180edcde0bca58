//! Resolves the identifiers of a WGSL or GLSL shader by the scoping rules of those languages, as far as our backends use them.
//!
//! Rule: this file depends on the rules of the languages and not on the generator. A declaration in a function is visible from
//! the end of the declaring statement. A declaration at module scope is visible everywhere in WGSL, but only after its position
//! in GLSL.

use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'t> {
    /// An identifier, with the index of the word that declares it.
    Bound(usize),
    /// A word that the shader does not declare, a number, or a punctuation mark.
    Free(&'t str),
}

/// Words that may precede a declared name without being its type.
const QUALIFIERS: [&str; 20] = [
    "in",
    "out",
    "inout",
    "uniform",
    "const",
    "smooth",
    "flat",
    "noperspective",
    "centroid",
    "precision",
    "highp",
    "mediump",
    "lowp",
    "return",
    "else",
    "case",
    "struct",
    "layout",
    "invariant",
    "discard",
];

struct Reader<'t> {
    words: Vec<&'t str>,
    is_wgsl: bool,
    /// The declared names of each open scope, with the indices of the words that declare them.
    scopes: Vec<HashMap<&'t str, usize>>,
    /// Maps each member name of any structure to the index of a word that declares a member of that name.
    members: HashMap<&'t str, usize>,
    /// The members of each WGSL structure, keyed by the structure's name.
    structures: HashMap<&'t str, HashMap<&'t str, usize>>,
    /// The members of each GLSL block with an instance name, keyed by the index of the word that declares the instance.
    instances: HashMap<usize, HashMap<&'t str, usize>>,
    /// The name of the structure whose declaration is being read.
    structure: &'t str,
    /// The names that the current statement declares, which become visible at the statement's end.
    waiting: Vec<(&'t str, usize)>,
}

/// Splits a shader into words and binds each identifier to its declaration.
///
/// # Errors
/// Returns an error if a scope declares a name twice.
pub(super) fn bound(text: &str, is_wgsl: bool) -> Result<Vec<Word<'_>>, String> {
    let words = split(text);
    let mut reader = Reader {
        words,
        is_wgsl,
        scopes: vec![HashMap::new()],
        members: HashMap::new(),
        structures: HashMap::new(),
        instances: HashMap::new(),
        structure: "",
        waiting: Vec::new(),
    };
    if is_wgsl {
        reader.declare_module()?;
    }
    reader.read()
}

/// Splits a shader into words, numbers and punctuation marks, and skips its preprocessor directives.
fn split(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (word, after) = rest.split_at(length);
            words.push(word);
            rest = after.trim_start();
        }
    }
    words
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

impl<'t> Reader<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    /// Declares all names at WGSL's module scope in advance, because they are visible everywhere.
    fn declare_module(&mut self) -> Result<(), String> {
        let mut depth = 0usize;
        for at in 0..self.words.len() {
            match self.word(at) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                // Parameters are also outside all braces, but they are not in module scope.
                word if depth == 0 && is_identifier(word) && self.declares(at) && !self.is_parameter(at) => {
                    self.declare(word, at)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, name: &'t str, at: usize) -> Result<(), String> {
        let scope = self.scopes.last_mut().ok_or("one closing brace too many")?;
        match scope.insert(name, at) {
            Some(other) if other != at => Err(format!("`{name}` is declared at the words {other} and {at}")),
            _ => Ok(()),
        }
    }

    /// Reports whether the word at `at` is the name that a declaration introduces.
    fn declares(&self, at: usize) -> bool {
        let (before, after) = (self.before(at), self.word(at + 1));
        if self.is_wgsl {
            return match before {
                "fn" | "let" | "var" | "struct" | "const" => true,
                // The patterns are `var<uniform> name` and `var<storage, read_write> name`.
                ">" => [4, 6].iter().any(|&back| {
                    self.word(at.wrapping_sub(back)) == "var" && self.word(at.wrapping_sub(back - 1)) == "<"
                }),
                _ => self.is_parameter(at),
            };
        }
        match before {
            "struct" => true,
            "uniform" | "buffer" => after == "{",
            _ => {
                is_identifier(before)
                    && !QUALIFIERS.contains(&before)
                    && matches!(after, ";" | "=" | "[" | "(" | "," | ")")
            }
        }
    }

    fn is_parameter(&self, at: usize) -> bool {
        self.word(at + 1) == ":" && matches!(self.before(at), "(" | "," | ")")
    }

    fn lookup(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    fn read(mut self) -> Result<Vec<Word<'t>>, String> {
        let mut bound = Vec::with_capacity(self.words.len());
        let (mut at, mut in_struct) = (0, false);
        while at < self.words.len() {
            let word = self.word(at);
            if let Some(end) = self.attribute(at) {
                bound.extend(self.words[at..end].iter().map(|word| Word::Free(word)));
                at = end;
                continue;
            }
            bound.push(match word {
                "{" => {
                    // A structure's members are in no scope, whereas a uniform block's members are in module scope.
                    in_struct = self.word(at.wrapping_sub(2)) == "struct";
                    self.structure = self.before(at);
                    self.scopes.push(HashMap::new());
                    // Parameters are visible in the function's body.
                    self.flush()?;
                    Word::Free(word)
                }
                "}" => {
                    let closed = self.scopes.pop().unwrap_or_default();
                    if in_struct {
                        self.structures.insert(self.structure, closed.clone());
                        self.members.extend(closed);
                        in_struct = false;
                    } else if self.scopes.len() == 1 && !self.is_wgsl && self.word(at + 2) == ";" {
                        // The brace ends a GLSL block that has an instance name.
                        self.declare(self.word(at + 1), at + 1)?;
                        self.instances.insert(at + 1, closed);
                    } else if self.scopes.len() == 1 && !self.is_wgsl && self.word(at + 1) == ";" {
                        // The brace ends a GLSL block that has no instance name.
                        for (name, at) in closed {
                            self.declare(name, at)?;
                        }
                    }
                    Word::Free(word)
                }
                ";" => {
                    self.flush()?;
                    Word::Free(word)
                }
                _ if !is_identifier(word) => Word::Free(word),
                _ if self.before(at) == "." => self.member(at).map_or(Word::Free(word), Word::Bound),
                _ if in_struct && self.is_member(at) => {
                    self.declare(word, at)?;
                    Word::Bound(at)
                }
                _ if self.declares(at) => {
                    let is_module = self.scopes.len() == 1;
                    if is_module && matches!(self.word(at + 1), "(" | "{") || self.before(at) == "struct" {
                        self.declare(word, at)?;
                    } else if !(is_module && self.is_wgsl && self.lookup(word) == Some(at)) {
                        self.waiting.push((word, at));
                    }
                    Word::Bound(at)
                }
                _ => self.lookup(word).map_or(Word::Free(word), Word::Bound),
            });
            at += 1;
        }
        Ok(bound)
    }

    /// Returns the index of the word that declares the structure or block member named at `at`.
    fn member(&self, at: usize) -> Option<usize> {
        let variable = at.checked_sub(2).and_then(|at| self.lookup(self.word(at)));
        if let Some(members) = variable.and_then(|declared| self.instances.get(&declared)) {
            return members.get(self.word(at)).copied();
        }
        // In WGSL, the type of a variable follows its name, as in `name: Structure`.
        let typed = variable.filter(|&declared| self.is_wgsl && self.word(declared + 1) == ":");
        match typed.and_then(|declared| self.structures.get(self.word(declared + 2))) {
            Some(members) => members.get(self.word(at)).copied(),
            None => self.members.get(self.word(at)).copied(),
        }
    }

    fn is_member(&self, at: usize) -> bool {
        let after = self.word(at + 1);
        if self.is_wgsl { after == ":" } else { matches!(after, ";" | "[") && is_identifier(self.before(at)) }
    }

    /// Declares the names of a finished statement.
    fn flush(&mut self) -> Result<(), String> {
        for (name, at) in std::mem::take(&mut self.waiting) {
            self.declare(name, at)?;
        }
        Ok(())
    }

    /// Returns the index of the end of the attribute or layout qualifier that begins at `at`.
    fn attribute(&self, at: usize) -> Option<usize> {
        let begins = match self.word(at) {
            "@" if self.is_wgsl => at + 1,
            "layout" if !self.is_wgsl && self.word(at + 1) == "(" => at,
            _ => return None,
        };
        if self.word(begins + 1) != "(" {
            return Some(begins + 1);
        }
        let closing = self.words[begins..].iter().position(|word| *word == ")")?;
        Some(begins + closing + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Word, bound};

    fn bindings(text: &str, is_wgsl: bool) -> Vec<String> {
        let words = super::split(text);
        let bound = bound(text, is_wgsl).expect("names");
        let of = |(word, bound): (&&str, &Word<'_>)| match bound {
            Word::Bound(at) => Some(format!("{word}{at}")),
            Word::Free(_) => None,
        };
        words.iter().zip(&bound).filter_map(of).collect()
    }

    #[test]
    fn a_local_shadows_a_module_s_name_from_the_end_of_its_statement() {
        let text = "var<uniform> a: f32; fn f(b: f32) -> f32 { let a = a * b; { let b = a; } return a + b; }";
        let found = bindings(text, true);
        assert_eq!(found, ["a4", "f9", "b11", "a20", "a4", "b11", "b28", "a20", "a20", "b11"]);
    }

    #[test]
    fn members_of_blocks_are_in_module_scope_and_those_of_structures_are_not() {
        let text = "layout(std140, binding = 0) uniform B { vec4 c[2]; };\nstruct S { vec4 c; };\nvoid main() { vec4 d = c[0]; S s = S(d); d = s.c; }";
        let found = bindings(text, false);
        assert_eq!(
            found,
            ["B9", "c12", "S20", "c23", "main28", "d33", "c12", "S20", "s41", "S20", "d33", "d33", "s41", "c23"]
        );
    }

    #[test]
    fn members_of_a_block_with_an_instance_name_come_after_that_name() {
        let text = "layout(std140) uniform B { vec4 b; float c; } b;\nvoid main() { vec4 c = b.b * b.c; }";
        let found = bindings(text, false);
        assert_eq!(found, ["B5", "b8", "c11", "b14", "main17", "c22", "b14", "b8", "b14", "c11"]);
    }

    #[test]
    fn a_name_declared_twice_is_an_error() {
        assert!(bound("fn f() { let a = 1; let a = 2; }", true).is_err());
        assert!(bound("fn f() { let a = 1; { let a = 2; } }", true).is_ok());
    }
}
