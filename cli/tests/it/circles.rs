//! Checks the import cycles between the files of a crate. Each cycle is listed with its reason. An unlisted cycle is an error,
//! and so is a listed cycle that no longer exists.
//!
//! A file imports another if it names, in a `use` or a path in its code, an item that the other defines. Names are followed
//! through re-exports to the file that defines them. Module declarations, and re-exports that the file itself does not use, do
//! not count as imports. Test code is ignored. Methods have no paths, so a file may call methods whose `impl` is in another file
//! without importing that file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A set of files that import each other, directly or through other files of the set.
struct Circle {
    /// The crate's folder, relative to the root of the repository.
    package: &'static str,
    /// The files of the cycle, in alphabetical order.
    files: &'static str,
    /// The number of pairs of files that import each other directly. A change in the number is an error.
    pairs: usize,
    reason: &'static str,
    /// The file whose head states the reason, in a sentence that contains `import each other`.
    stated_in: &'static str,
}

const ONE_IMPL: &str = "one `impl` that is spread over files";
const ONE_IMPL_AND_DATA: &str = "one `impl` that is spread over files, and data that names its own parts";
const DATA: &str = "data that names its own parts";

const CIRCLES: [Circle; 7] = [
    Circle {
        package: "agal-extract",
        files: "avm/types.rs avm/unit.rs avm/world.rs eval/arithmetic.rs eval/changes.rs eval/event.rs eval/expr.rs \
                eval/facts.rs eval/heap.rs eval/index.rs eval/machine.rs eval/natives.rs eval/pattern.rs \
                eval/selector.rs eval/setup.rs eval/sinks.rs eval/step.rs eval/text.rs eval/value.rs eval/xml.rs",
        pairs: 6,
        reason: ONE_IMPL_AND_DATA,
        stated_in: "eval/machine.rs",
    },
    Circle {
        package: "agalc",
        files: "error.rs input/program.rs language.rs language/agal.rs language/es2.rs",
        pairs: 4,
        reason: DATA,
        stated_in: "input/program.rs",
    },
    Circle {
        package: "agalc",
        files: "paste/script.rs paste/script/value.rs",
        pairs: 1,
        reason: ONE_IMPL,
        stated_in: "paste/script.rs",
    },
    Circle {
        package: "agalc",
        files: "reflect/agal.rs reflect/constants.rs reflect/format.rs reflect/sampler.rs reflect/stage.rs \
                reflect/types.rs reflect/written.rs",
        pairs: 4,
        reason: DATA,
        stated_in: "reflect/types.rs",
    },
    Circle {
        package: "sdlbc",
        files: "lifting.rs lifting/flow.rs lifting/variables.rs",
        pairs: 2,
        reason: ONE_IMPL,
        stated_in: "lifting.rs",
    },
    Circle {
        package: "sources/spirv-front",
        files: "lift.rs lift/blocks.rs lift/flow.rs lift/image.rs lift/interface.rs lift/layout.rs lift/memory.rs \
                lift/packed.rs lift/pointer.rs",
        pairs: 8,
        reason: ONE_IMPL,
        stated_in: "lift.rs",
    },
    Circle {
        package: "sources/naga-front",
        files: "lift.rs lift/flow.rs lift/interface.rs lift/memory.rs lift/storage_buffer.rs \
                lift/texture.rs lift/uniform.rs lift/variables.rs",
        pairs: 6,
        reason: ONE_IMPL,
        stated_in: "lift.rs",
    },
];

#[test]
fn no_two_files_import_each_other_but_for_those_listed() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut wrong = Vec::new();
    let mut gone: BTreeSet<(&str, &str)> = CIRCLES.iter().map(|listed| (listed.package, listed.files)).collect();
    for package in packages(root) {
        let imports = imports(&files(&root.join(&package).join("src")));
        for circle in circles(&imports) {
            let pairs = pairs(&circle, &imports);
            let listed = CIRCLES.iter().find(|listed| {
                listed.package == package && listed.files.split(' ').eq(circle.iter().map(String::as_str))
            });
            if let Some(listed) = listed {
                gone.remove(&(listed.package, listed.files));
            }
            if listed.is_none_or(|listed| listed.pairs != pairs) {
                let expected =
                    listed.map_or("not listed".to_string(), |listed| format!("listed with {}", listed.pairs));
                let (files, shown) = (circle.join(" "), shown(&circle, &imports));
                wrong.push(format!(
                    "{package}: {files} import each other, in {pairs} pairs, and are {expected}\n{shown}"
                ));
            }
        }
    }
    wrong.extend(gone.iter().map(|(package, files)| format!("{package}: {files} are listed and no circle")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reason for each import cycle must be stated in this file and in the head of one of the cycle's files.
#[test]
fn the_head_of_a_file_says_why_files_import_each_other() {
    for Circle { package, files, reason, stated_in: file, .. } in CIRCLES {
        assert!(files.split(' ').any(|of| of == file), "{package}: {file} is no part of the circle");
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(package).join("src").join(file);
        let text = std::fs::read_to_string(path).expect("a source");
        let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
        assert!(
            head.join(" ").contains("import each other"),
            "{package}: the head of {file} does not state the reason: {reason}"
        );
    }
}

/// The sources contain every form of import, and code that resembles an import.
#[test]
fn each_way_to_import_a_file_is_found() {
    let found = |files: &[(&str, &str)]| -> Vec<String> {
        let files = files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let imports = imports(&files);
        let all = imports.iter().flat_map(|(from, to)| to.keys().map(move |to| format!("{from} {to}")));
        all.filter(|pair| !pair.starts_with("lib.rs")).collect()
    };
    let lib = "mod a; mod b; pub use b::Reexported;";
    let a_and = |a: &str| {
        found(&[("lib.rs", lib), ("a.rs", a), ("b.rs", "pub struct B; pub struct Reexported; pub fn b() {}")])
    };
    for imported in [
        "use crate::b::B;",
        "use crate::{b::{self, B}};",
        "use super::b::B as Other;",
        "fn f() { crate::b::b() }",
        "use crate::b; fn f() { b::b() }",
        "use crate::Reexported;",
        "use crate::*; fn f(_: b::B) {}",
        "mod inner { use super::super::b::B; }",
        "macro_rules! m { () => { $crate::b::b() } }",
        "#[cfg(unix)] use crate::b::B;",
    ] {
        assert_eq!(a_and(imported), ["a.rs b.rs"], "{imported}");
    }
    for other in [
        "// use crate::b::B;",
        "/* use crate::b::B; */",
        "const TEXT: &str = \"use crate::b::B;\";",
        "const TEXT: &str = r#\"\" use crate::b::B;\"#;",
        "const SIGN: char = '\"'; // \" use crate::b::B;",
        "use crate::b;",
        "fn f(b: std::b::B) {}",
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(test)] use crate::b::B;",
        "struct S { #[cfg(test)] b: crate::b::B, }",
    ] {
        assert_eq!(a_and(other), [""; 0], "{other}");
    }
    // A parent that uses an item of a child module imports the child. A parent that only re-exports the item does not import the
    // child.
    let child = ("a/child.rs", "use super::Parent; pub struct Child;");
    let parent = |a: &str| found(&[("lib.rs", "mod a;"), ("a.rs", a), child]);
    assert_eq!(
        parent("mod child; use child::Child; pub struct Parent(Child);"),
        ["a.rs a/child.rs", "a/child.rs a.rs"]
    );
    assert_eq!(parent("mod child; pub use child::Child; pub struct Parent;"), ["a/child.rs a.rs"]);
}

/// Returns the folders of all crates, relative to the root. The folder of a crate contains a manifest and `src`.
fn packages(root: &Path) -> Vec<String> {
    let mut folders = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(folder) = pending.pop() {
        let path = root.join(&folder);
        if path.join("Cargo.toml").is_file() && path.join("src").is_dir() {
            folders.push(folder);
            continue;
        }
        for entry in std::fs::read_dir(&path).expect("a folder").flatten().filter(|entry| entry.path().is_dir()) {
            let name = entry.file_name().display().to_string();
            let depth = folder.matches('/').count();
            if !name.starts_with('.') && name != "target" && depth < 1 {
                pending.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    folders.sort();
    folders
}

/// Returns the contents of the Rust files in a folder, keyed by relative path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(at) = pending.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).expect("a file of the folder").display().to_string();
                files.insert(name, std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }
    files
}

fn pairs(circle: &[String], imports: &Imports) -> usize {
    let imports = |from: &String, to: &String| imports[from].contains_key(to);
    let of = |one| circle.iter().filter(move |other| one < *other && imports(one, other) && imports(other, one));
    circle.iter().map(|one| of(one).count()).sum()
}

/// Describes a cycle, with the names by which its files import each other.
fn shown(circle: &[String], imports: &Imports) -> String {
    let lines = circle.iter().flat_map(|from| {
        let to = imports[from].iter().filter(|(to, _)| circle.contains(to));
        to.map(move |(to, names)| {
            format!("    {from} imports {to}: {}", Vec::from_iter(names.iter().cloned()).join(", "))
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The files that each file imports, with the paths that name the imported files.
type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Returns the import cycles of two or more files, sorted.
fn circles(imports: &Imports) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = imports
        .keys()
        .map(|from| {
            let mut reached = BTreeSet::new();
            let mut pending = vec![from];
            while let Some(at) = pending.pop() {
                pending.extend(imports[at].keys().filter(|to| reached.insert(*to)));
            }
            (from, reached)
        })
        .collect();
    let circle = |from: &String| -> Vec<String> {
        reached[from].iter().filter(|to| reached[**to].contains(from)).map(|to| to.to_string()).collect()
    };
    imports.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

fn imports(files: &BTreeMap<String, String>) -> Imports {
    let mut tree = Tree::default();
    for root in ["lib.rs", "main.rs"] {
        if let Some(text) = files.get(root) {
            let module = tree.add(None, root);
            tree.read(module, root, "", &tokens(text), files);
        }
    }
    let mut imports: Imports = tree.modules.iter().map(|module| (module.file.clone(), BTreeMap::new())).collect();
    for (at, module) in tree.modules.iter().enumerate() {
        let mut import = |path: &[String], last: Last| {
            for file in tree.resolve(at, path, last, 0).file.into_iter().filter(|file| *file != module.file) {
                imports.entry(module.file.clone()).or_default().entry(file).or_default().insert(path.join("::"));
            }
        };
        for used in &module.uses {
            // An import from a child module may serve only the other child modules, so it counts only if this module uses the
            // name.
            let of_child = used.path.first().is_some_and(|name| module.children.contains_key(name));
            let used_here = used.private && !of_child || module.words.contains(&used.name);
            if used_here {
                import(&used.path, Last::Any);
            }
        }
        for path in &module.paths {
            import(path, Last::Item);
        }
    }
    imports
}

/// A module of a crate: a file, or a block in braces.
#[derive(Default)]
struct Module {
    file: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// The paths in the module's code that have at least two segments.
    paths: BTreeSet<Vec<String>>,
    /// All words of the module's code, except those in `use` declarations.
    words: BTreeSet<String>,
}

/// A name that a `use` declaration brings into a module, or `*` for all names.
struct Use {
    name: String,
    path: Vec<String>,
    private: bool,
}

/// The meanings that the last segment of a path may have.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// A module, an item, or both, as in a `use` declaration.
    Any,
    /// An item, as in an expression or a type.
    Item,
}

/// The module and the item to which a path refers.
#[derive(Default)]
struct Meaning {
    module: Option<usize>,
    file: Option<String>,
}

#[derive(Default)]
struct Tree {
    modules: Vec<Module>,
    /// The file that defines each macro. The path of an exported macro begins at the crate's root, regardless of the file that
    /// defines the macro.
    macros: BTreeMap<String, String>,
}

impl Tree {
    fn add(&mut self, parent: Option<usize>, file: &str) -> usize {
        self.modules.push(Module { file: file.to_string(), parent, ..Module::default() });
        self.modules.len() - 1
    }

    /// Reads a module and the modules that it declares. `folder` contains the files of the declared modules.
    fn read(&mut self, module: usize, file: &str, folder: &str, tokens: &[String], files: &BTreeMap<String, String>) {
        let mut at = 0;
        let mut depth = 0;
        let mut private = true;
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1).map_or("", String::as_str);
            let after = tokens.get(at + 2).map_or("", String::as_str);
            match token.as_str() {
                "#" if next == "[" => {
                    let end = closing(tokens, at + 1);
                    let tests = tokens[at..=end].concat() == "#[cfg(test)]";
                    at = if tests { item_end(tokens, end + 1) } else { end + 1 };
                    continue;
                }
                "pub" => {
                    private = false;
                    at = if next == "(" { closing(tokens, at + 1) + 1 } else { at + 1 };
                    continue;
                }
                "use" => {
                    let end = tokens[at..].iter().position(|token| token == ";").map_or(tokens.len(), |end| at + end);
                    let mut found = Vec::new();
                    tree_of_use(&[], &tokens[at + 1..end], &mut found);
                    let uses = found.into_iter().map(|(name, path)| Use { name, path, private });
                    self.modules[module].uses.extend(uses);
                    at = end;
                }
                "mod" if after == ";" => {
                    let path = format!("{folder}{next}");
                    let name = format!("{path}.rs");
                    if let Some(text) = files.get(&name) {
                        let child = self.add(Some(module), &name);
                        self.modules[module].children.insert(next.to_string(), child);
                        self.read(child, &name, &format!("{path}/"), &self::tokens(text), files);
                    }
                    at += 2;
                }
                "mod" if after == "{" => {
                    let end = closing(tokens, at + 2);
                    let child = self.add(Some(module), file);
                    self.modules[module].children.insert(next.to_string(), child);
                    self.read(child, file, &format!("{folder}{next}/"), &tokens[at + 3..end], files);
                    at = end;
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" if depth == 0 => {
                    self.modules[module].items.insert(next.to_string());
                }
                "macro_rules" if depth == 0 => {
                    self.modules[module].items.insert(after.to_string());
                    self.macros.insert(after.to_string(), file.to_string());
                }
                word if is_word(word) => {
                    let mut path = vec![word.to_string()];
                    let follows = at > 0 && matches!(tokens[at - 1].as_str(), "::" | ".");
                    while !follows
                        && tokens.get(at + 1).is_some_and(|token| token == "::")
                        && tokens.get(at + 2).is_some_and(|token| is_word(token))
                    {
                        path.push(tokens[at + 2].clone());
                        at += 2;
                    }
                    self.modules[module].words.insert(path[0].clone());
                    if path.len() > 1 {
                        self.modules[module].paths.insert(path);
                    }
                }
                _ => {}
            }
            private = true;
            at += 1;
        }
    }

    fn resolve(&self, from: usize, path: &[String], last: Last, depth: usize) -> Meaning {
        let nothing = Meaning::default();
        let mut at = match path.first().map(String::as_str) {
            Some("crate") => Some((self.root(from), 1)),
            Some("self") => Some((from, 1)),
            Some("super") => self.modules[from].parent.map(|parent| (parent, 1)),
            Some(_) => Some((from, 0)),
            None => None,
        };
        // Re-exports that form a cycle do not resolve to an item.
        if depth > 20 {
            return nothing;
        }
        let relative = at.is_some_and(|(_, next)| next == 0);
        while let Some((module, next)) = at {
            let of = &self.modules[module];
            let Some(name) = path.get(next) else { return Meaning { module: Some(module), file: None } };
            if name == "self" {
                return Meaning { module: Some(module), file: None };
            }
            if name == "super" {
                at = of.parent.map(|parent| (parent, next + 1));
                continue;
            }
            if name == "*" {
                return Meaning { module: Some(module), file: (!of.items.is_empty()).then(|| of.file.clone()) };
            }
            let is_last = next + 1 == path.len();
            let item = self.item(module, name, depth);
            if is_last {
                let child = of.children.get(name).copied();
                if last == Last::Any || child.is_none() {
                    let exported = || self.macros.get(name).filter(|_| of.parent.is_none()).cloned();
                    let file = item.file.or_else(exported).or_else(|| {
                        // The path may name an item defined by a macro, which this parser does not expand.
                        (child.is_none() && item.module.is_none() && !(relative && next == 0)).then(|| of.file.clone())
                    });
                    return Meaning { module: child.or(item.module), file };
                }
                return Meaning { module: child, file: item.file };
            }
            at = match of.children.get(name).copied().or(item.module) {
                Some(child) => Some((child, next + 1)),
                // The remaining segments name an associated item or a variant of an enum.
                None if relative && next == 0 => return Meaning { module: None, file: item.file },
                None => return Meaning { module: None, file: item.file.or_else(|| Some(of.file.clone())) },
            };
        }
        nothing
    }

    /// Resolves a name that a module defines or imports. Child modules are not considered.
    fn item(&self, module: usize, name: &str, depth: usize) -> Meaning {
        let of = &self.modules[module];
        if of.items.contains(name) {
            return Meaning { module: None, file: Some(of.file.clone()) };
        }
        let named = |used: &&Use| used.name == name && used.path.len() > 1;
        let mut meaning = Meaning::default();
        for used in of.uses.iter().filter(named) {
            let found = self.resolve(module, &used.path, Last::Any, depth + 1);
            meaning.module = meaning.module.or(found.module);
            meaning.file = meaning.file.or(found.file);
        }
        if meaning.module.is_some() || meaning.file.is_some() {
            return meaning;
        }
        for used in of.uses.iter().filter(|used| used.name == "*") {
            let found = self.resolve(module, &used.path[..used.path.len() - 1], Last::Any, depth + 1);
            if let Some(from) = found.module.filter(|from| *from != module && depth < 20) {
                let child = self.modules[from].children.get(name).copied();
                let item = self.item(from, name, depth + 1);
                let found = Meaning { module: child.or(item.module), file: item.file };
                if found.module.is_some() || found.file.is_some() {
                    return found;
                }
            }
        }
        Meaning::default()
    }

    fn root(&self, of: usize) -> usize {
        self.modules[of].parent.map_or(of, |parent| self.root(parent))
    }
}

/// Collects the names in a `use` declaration, with their paths.
fn tree_of_use(before: &[String], tokens: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "::" => {}
            "{" => {
                let end = closing(tokens, at);
                let mut start = at + 1;
                let mut depth = 0;
                for part in at + 1..=end {
                    match tokens[part].as_str() {
                        "{" => depth += 1,
                        "}" if part < end => depth -= 1,
                        "," | "}" if depth == 0 => {
                            if start < part {
                                tree_of_use(&path, &tokens[start..part], found);
                            }
                            start = part + 1;
                        }
                        _ => {}
                    }
                }
                return;
            }
            "as" => {
                found.push((tokens[at + 1].clone(), path));
                return;
            }
            // In a `use` declaration, `self` is the module itself, not an item of the same name.
            "self" if !path.is_empty() => {
                let name = match tokens.get(at + 1..at + 3) {
                    Some([word, name]) if word == "as" => name.clone(),
                    _ => path.last().cloned().unwrap_or_default(),
                };
                path.push(token.clone());
                found.push((name, path));
                return;
            }
            _ => path.push(token.clone()),
        }
        at += 1;
    }
    found.push((path.last().cloned().unwrap_or_default(), path));
}

/// Returns the position of the bracket that closes the bracket at `open`.
fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// Returns the position after the item that begins at `start`.
fn item_end(tokens: &[String], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            ";" => return at + 1,
            // A comma ends a variant or a field. A closing brace ends the enclosing enum or block.
            "," => return at + 1,
            "}" => return at,
            "{" => return closing(tokens, at) + 1,
            "(" | "[" => at = closing(tokens, at) + 1,
            _ => at += 1,
        }
    }
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Splits a source into words and punctuation marks, without comments and literals.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => text_end(rest),
            '\'' => character_end(rest),
            _ if is_word(rest) || first.is_ascii_digit() => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (word, after) = rest.split_at(length);
                let hashes = after.len() - after.trim_start_matches('#').len();
                match word {
                    "r" | "br" | "cr" if after[hashes..].starts_with('"') => {
                        let end = format!("\"{}", "#".repeat(hashes));
                        let start = length + hashes + 1;
                        rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
                    }
                    "b" | "c" if after.starts_with('"') => length + text_end(after),
                    "b" if after.starts_with('\'') => length + character_end(after),
                    _ => {
                        tokens.push(word.to_string());
                        length
                    }
                }
            }
            ':' if rest.starts_with("::") => {
                tokens.push("::".to_string());
                2
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                tokens.push(first.to_string());
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string literal at the start of `text`.
fn text_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of the character literal at the start of `text`, or 1 for the quotation mark of a lifetime.
fn character_end(text: &str) -> usize {
    let mut inside = text.char_indices().skip(1);
    match (inside.next(), inside.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(text.len(), |end| end + 4),
        (_, Some((at, '\''))) => at + 1,
        _ => 1,
    }
}
