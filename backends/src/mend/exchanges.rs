//! Mends compare-exchanges in GLSL, HLSL and MSL, whose result in naga's output is a structure.
//!
//! The lowered code reads only the value before the operation, so the result becomes that value.
//!
//! Upstream fault `exchange_results`: `Statement::Atomic` in `back/{glsl,hlsl,msl}/writer.rs` writes the value and a flag to a
//! structure, although the code needs no flag.
//!
//! Upstream fault `weak_exchanges`: `Writer::write_wrapped_functions` in `back/msl/writer.rs` writes a function that may fail
//! although the element equals the comparator. Its replacement repeats the operation until it succeeds or the element differs.

use std::borrow::Cow;

/// The beginning of the names that naga gives the structures. The rest of a name contains `Uint` or `Sint`.
const STRUCTURE: &str = "_atomic_compare_exchange_result";

/// The name that naga gives its function in MSL, and the preferred name of its replacement.
pub(crate) const FUNCTION: (&str, &str) = ("naga_atomic_compare_exchange_weak_explicit", "compare_exchange");

/// The head of the replacement on the line of the function's name, and on a line of its own.
pub(crate) const TEMPLATE: (&str, &str) = ("template <typename P, typename T>", "template <typename P, typename T>\n");

/// Writes each compare-exchange as an operation whose result is a scalar.
pub(crate) fn plain_exchanges(text: &str) -> Cow<'_, str> {
    if !text.contains(STRUCTURE) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    // The line that ends the structure or function that is left out.
    let mut until = None;
    let mut has_function = false;
    for line in text.lines() {
        if let Some(end) = until {
            until = (line != end).then_some(end);
            continue;
        }
        if line.starts_with("struct ") && line.contains(STRUCTURE) {
            until = Some("};");
        } else if line.starts_with("template <typename A>") {
            until = Some("}");
            if !std::mem::replace(&mut has_function, true) {
                written += &function();
            }
        } else if let Some(line) = statement(line) {
            written += &line;
            written.push('\n');
        }
    }
    Cow::Owned(written)
}

/// Returns a statement of a function without its structure, or `None` for a statement that sets a flag.
fn statement(line: &str) -> Option<String> {
    let indent = &line[..line.len() - line.trim_start().len()];
    let rest = line.trim_start();
    if rest.split_once(' ').is_some_and(|(value, _)| value.ends_with(".exchanged")) {
        return None;
    }
    let Some((structure, rest)) = rest.split_once(' ').filter(|(first, _)| first.starts_with(STRUCTURE)) else {
        return Some(line.replace(".old_value", ""));
    };
    let scalar = scalar_of(structure);
    let name = rest.split([';', ' ']).next().unwrap_or_default();
    // GLSL declares the structure, and then sets its first member.
    let rest = rest.replace(&format!("{name}; {name}.old_value = "), &format!("{name} = "));
    Some(format!("{indent}{scalar} {}", rest.replace(".old_value", "")))
}

/// Returns the scalar type in a structure's name.
fn scalar_of(structure: &str) -> &'static str {
    if structure.contains("Uint") { "uint" } else { "int" }
}

/// The function that replaces naga's functions. It keeps naga's name, which a later step replaces, because MSL has an operation of
/// a similar name. The type of the pointer has the address space.
fn function() -> String {
    format!(
        "{}T {}(P element, T comparator, T value) {{\n    T before = comparator;\n    \
         while (!atomic_compare_exchange_weak_explicit(element, &before, value, memory_order_relaxed, \
         memory_order_relaxed) && before == comparator) {{}}\n    return before;\n}}\n\n",
        TEMPLATE.0, FUNCTION.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_compare_exchange_is_a_scalar() {
        let glsl = "struct _atomic_compare_exchange_result_Uint_4_ {\n    uint old_value;\n    bool exchanged;\n};\nvoid f() {\n    \
                    _atomic_compare_exchange_result_Uint_4_ _e1; _e1.old_value = atomicCompSwap(w, 0u, n);\n    \
                    _e1.exchanged = (_e1.old_value == 0u);\n    r = _e1.old_value;\n}\n";
        let expected = "void f() {\n    uint _e1 = atomicCompSwap(w, 0u, n);\n    r = _e1;\n}\n";
        assert_eq!(plain_exchanges(glsl), expected);
        let hlsl = "    _atomic_compare_exchange_result_Sint_4_ _e1; b.InterlockedCompareExchange(4u*4, c, n, _e1.old_value);\n";
        assert_eq!(plain_exchanges(hlsl), "    int _e1; b.InterlockedCompareExchange(4u*4, c, n, _e1);\n");
    }
}
