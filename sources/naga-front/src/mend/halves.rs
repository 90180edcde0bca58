//! A check of source text before naga's reader sees it: a constant that is converted to `f16` and then to an integer is refused.
//!
//! Upstream fault `infinite_halves`: `ConstantEvaluator::cast` in `proc/constant_evaluator.rs` converts a constant that exceeds the
//! range of `f16` to an infinite `f16`, and panics when an infinite `f16` is converted to an integer (gfx-rs/wgpu#9499). The value of a
//! constant is unknown before naga reads the source, so all such conversions are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::depth::tokens;

/// The names that a source declares, as far as the check needs them.
#[derive(Default)]
struct Names<'a> {
    /// Constants and overrides whose values contain a conversion to `f16`.
    halves: BTreeSet<&'a str>,
    /// Other names for types. Each may be the name of any type.
    aliases: BTreeSet<&'a str>,
    /// Variables, parameters and functions, whose values naga does not compute.
    variables: BTreeSet<&'a str>,
}

/// Returns the range of the first conversion of a constant to `f16` and then to an integer.
pub(crate) fn converted_half(text: &str) -> Option<Range<usize>> {
    let all = tokens(text);
    let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
    if !words.windows(2).any(|pair| matches!(pair, ["enable", _])) || !words.contains(&"f16") {
        return None;
    }
    let names = names(&words);
    (0..words.len()).find_map(|at| {
        let (word, place) = all.get(at)?;
        let argument = conversion(&words, at, &names.aliases, &["i", "u"])?;
        names.is_constant_half(argument).then(|| *place..place + word.len())
    })
}

fn names<'a>(words: &[&'a str]) -> Names<'a> {
    let mut names = Names::default();
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let is_declared = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| is_constant(word));
        match word {
            "alias" => _ = names.aliases.insert(next),
            "let" | "fn" => _ = names.variables.insert(next),
            // Variables with a type and parameters precede a colon.
            _ if next == ":" && !is_declared => _ = names.variables.insert(word),
            "var" => {
                let after = words.get(at + 1..).unwrap_or_default();
                let name = after.iter().find(|word| !matches!(**word, "<" | ">" | "function" | "private"));
                names.variables.extend(name);
            }
            _ => {}
        }
    }
    names.halves = halves(words, &names.aliases);
    names
}

/// Returns the constants and overrides whose values contain a conversion to `f16`, or the name of such a constant.
fn halves<'a>(words: &[&'a str], aliases: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let mut halves = BTreeSet::new();
    let mut found = Vec::new();
    // By word: the constants whose declarations contain the word.
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| is_constant(word)) {
        let rest = words.get(at + 1..).unwrap_or_default();
        let declaration = rest.split(|word| *word == ";" || is_constant(word)).next().unwrap_or_default();
        let Some((&name, value)) = declaration.split_first() else { continue };
        value.iter().for_each(|word| users.entry(word).or_default().push(name));
        if (0..value.len()).any(|at| conversion(value, at, aliases, &["h"]).is_some()) {
            found.push(name);
        }
    }
    while let Some(name) = found.pop() {
        if halves.insert(name) {
            found.extend(users.get(name).into_iter().flatten());
        }
    }
    halves
}

fn is_constant(word: &str) -> bool {
    matches!(word, "const" | "override")
}

/// Returns the argument of a call at `at` that converts to a scalar or vector of one of the `kinds`, such as `i` for integers.
fn conversion<'w, 'a>(
    words: &'w [&'a str],
    at: usize,
    aliases: &BTreeSet<&str>,
    kinds: &[&str],
) -> Option<&'w [&'a str]> {
    let &word = words.get(at)?;
    let is_kind = |word: &str| aliases.contains(word) || kinds.iter().any(|kind| is_scalar(word, kind));
    let is_vector = |word: &str| word.strip_prefix("vec").is_some_and(|rest| matches!(rest, "2" | "3" | "4"));
    let short = word.strip_prefix("vec").and_then(|rest| rest.strip_prefix(['2', '3', '4']));
    let open = match words.get(at + 1..)? {
        ["(", ..] if is_kind(word) || short.is_some_and(|kind| kinds.contains(&kind)) => at + 1,
        ["<", of, ">", "(", ..] if is_vector(word) && is_kind(of) => at + 4,
        _ => return None,
    };
    let rest = words.get(open + 1..)?;
    let mut depth = 1usize;
    let end = rest.iter().position(|word| {
        depth = match *word {
            "(" => depth + 1,
            ")" => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    });
    rest.get(..end.unwrap_or(rest.len()))
}

fn is_scalar(word: &str, kind: &str) -> bool {
    match kind {
        "h" => word == "f16",
        kind => word.strip_prefix(kind).is_some_and(|bits| matches!(bits, "16" | "32" | "64")),
    }
}

impl Names<'_> {
    fn has_half(&self, words: &[&str]) -> bool {
        let is_half = |(at, word): (usize, &&str)| {
            self.halves.contains(word) || conversion(words, at, &self.aliases, &["h"]).is_some()
        };
        words.iter().enumerate().any(is_half)
    }

    fn is_constant_half(&self, words: &[&str]) -> bool {
        let is_variable = |(at, word): (usize, &&str)| {
            let is_member = at.checked_sub(1).and_then(|at| words.get(at)) == Some(&".");
            !is_member && self.variables.contains(word) && !self.halves.contains(word)
        };
        self.has_half(words) && !words.iter().enumerate().any(is_variable)
    }
}

#[cfg(test)]
mod tests {
    use super::converted_half;

    fn found(code: &str) -> Option<String> {
        let text = format!("enable f16;\n{code}");
        converted_half(&text).map(|place| text[place].to_string())
    }

    #[test]
    fn constants_that_are_converted_to_halves_and_then_to_integers_are_found() {
        for code in [
            "const x = f16(65520i); const y = i32(x);",
            "const y = u32(x); const x: f16 = z; const z = f16(1e9f);",
            "fn f() { let z = u32(f16(1e9f)); }",
            "fn f() { let z = vec2u(vec2h(1e9f)).x; }",
            "fn f() { let z = vec2<i32>(vec2<f16>(1e9f) * 2h); }",
            "alias U = u32; alias H = f16; const z = U(H(1e9f));",
            "override o: f16 = f16(7i); const z = u32(o);",
        ] {
            assert!(found(code).is_some(), "{code}");
        }
    }

    #[test]
    fn other_conversions_are_not_found() {
        for code in [
            "fn f(x: f16) -> u32 { return u32(x * 255h); }",
            "fn f(x: f32) -> u32 { return u32(f16(x)); }",
            "const n = 4; fn f() { let x = f16(n); let y = i32(x) + i32(n); }",
            "const h = 2h; const n = i32(h);",
        ] {
            assert_eq!(found(code), None, "{code}");
        }
        assert_eq!(converted_half("const x = f16(65520i); const y = i32(x);"), None);
    }
}
