//! Tidies the source code that naga's writers produce, without changing its meaning.
//!
//! The code to tidy contains labels instead of names (`names.rs`), so that no name can be mistaken for a word of the language.
//! The steps in this file remove parentheses that only enclose a whole operand, put attributes on the line of their declaration,
//! and write results directly to their variables.
//!
//! Rule: each step replaces only code in the exact form that naga 30 writes.
//!
//! The faults that this file mends are matters of style, which the issue gfx-rs/wgpu#4542 covers.

use crate::mend::text::{end_of_operand, is_word, map_words, operands_of, words};

/// Tidies the WGSL that naga writes.
///
/// Upstream fault `attribute_lines`: `Writer::write_attributes` in `back/wgsl/writer.rs` ends the attributes with a space, and
/// `Writer::write_global` then begins a new line.
pub(crate) fn wgsl(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.lines() {
        joined.push_str(line.trim_end());
        // `@group(0) @binding(0)` goes on the line of the variable, and `@vertex` stays on a separate line.
        joined.push(if line.starts_with("@group") { ' ' } else { '\n' });
    }
    let text = else_ifs(literals(&joined).lines());
    without_parentheses(&text, true)
}

/// Tidies the GLSL that naga writes. `is_same` reports whether two words will get the same name.
///
/// Upstream fault `last_return`: `Statement::Return` of `Writer::write_stmt` in `back/glsl/writer.rs` writes an unnecessary
/// `return` at the end of `main`.
pub(crate) fn glsl(text: &str, is_same: impl Fn(&str, &str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !is_copy(line, &is_same)).collect();
    if let Some(at) = lines.iter().rposition(|line| *line == "    return;") {
        lines.remove(at);
    }
    let text = without_dead_structures(&direct_results(&lines));
    let text = else_ifs(text.trim_end().lines());
    without_parentheses(&text, false)
}

/// Tidies HLSL or MSL.
///
/// Upstream fault `keywords_without_space`: `back/{hlsl,msl}/writer.rs` write `while(true)` and `switch(` without a space after
/// the keyword, but `if (` with a space.
pub(crate) fn c_like(text: &str) -> String {
    let text = text.replace(" while(true) {", " while (true) {").replace(" switch(", " switch (");
    without_parentheses(&else_ifs(text.lines()), false)
}

/// Writes an `else` that contains only an `if` as `else if`. naga indents each block, so the indentation shows which lines belong
/// to the block itself.
///
/// Upstream fault `else_ifs`: in all text writers, `Statement::If` puts the second block of a conditional on separate lines, even
/// if the block contains only another `if`.
fn else_ifs<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut lines: Vec<String> = lines.map(str::to_string).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    // An inner block follows the `else` that contains it, so a backward loop handles the inner block first.
    for at in (0..lines.len().saturating_sub(1)).rev() {
        let outer = indent(&lines[at]);
        if lines[at].trim_start() != "} else {" || !lines[at + 1].trim_start().starts_with("if ") {
            continue;
        }
        let closes = |line: &String| indent(line) == outer && line.trim_start() == "}";
        let Some(end) = lines[at..].iter().position(closes).map(|after| at + after) else { continue };
        let own: Vec<usize> = (at + 2..end).filter(|&inner| indent(&lines[inner]) == outer + 4).collect();
        let is_one_if = own.split_last().is_some_and(|(&last, rest)| {
            last + 1 == end
                && lines[last].trim_start() == "}"
                && rest.iter().all(|&inner| lines[inner].trim_start().starts_with("} else"))
        });
        if is_one_if {
            lines[at] = format!("{}}} else {}", &lines[at][..outer], lines[at + 1].trim_start());
            lines[at + 2..end].iter_mut().filter(|line| indent(line) >= 4).for_each(|line| _ = line.drain(..4));
            lines.remove(end);
            lines.remove(at + 1);
        }
    }
    lines.into_iter().flat_map(|line| [line, "\n".to_string()]).collect()
}

/// Reports whether a line only copies an input to a variable of the same name, such as `vec4 va0 = va0;`.
///
/// Upstream fault `copies_of_inputs`: `Writer::write_function` in `back/glsl/writer.rs` copies each input of an entry point to a
/// local variable.
fn is_copy(line: &str, is_same: &impl Fn(&str, &str) -> bool) -> bool {
    let mut words = line.trim().trim_end_matches(';').split(' ').skip(1);
    matches!((words.next(), words.next(), words.next(), words.next()), (Some(a), Some("="), Some(b), None) if is_same(a, b))
}

/// Writes `S _tmp_return = S(a, b); x = _tmp_return.m; y = _tmp_return.n;` as `x = a; y = b;`. The order of the assignments does
/// not matter, because neither `a` nor `b` reads an output.
///
/// Upstream fault `results_by_structure`: `Statement::Return` in `back/glsl/writer.rs` builds a structure, `_tmp_return`, and
/// then copies the structure's members to the outputs.
fn direct_results(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut operands = Vec::new().into_iter();
    for line in lines {
        if let Some(made) = made_result(line) {
            operands = made.into_iter();
            continue;
        }
        match line.split_once(" = _tmp_return.") {
            Some((target, _)) if operands.len() > 0 => {
                text += &format!("{target} = {};\n", operands.next().unwrap_or_default());
            }
            _ => {
                text += line;
                text.push('\n');
            }
        }
    }
    text
}

/// Returns the constructor's operands if a line constructs `_tmp_return`.
fn made_result(line: &str) -> Option<Vec<String>> {
    let (name, rest) = line.trim_start().split_once(" _tmp_return = ")?;
    let operands = rest.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(");")?;
    Some(operands_of(operands))
}

/// Removes unused structures.
///
/// Upstream fault `unused_structures`: `Writer::write` in `back/glsl/writer.rs` declares all structures of the module, including
/// structures that only the other stage's entry point uses.
fn without_dead_structures(text: &str) -> String {
    let name_of =
        |line: &'_ str| line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")).map(str::to_string);
    let is_used = |name: &str| words(text).filter(|word| *word == name).count() > 1;
    let mut alive = String::with_capacity(text.len());
    let mut dead = false;
    for line in text.lines() {
        dead |= name_of(line).is_some_and(|name| !is_used(&name));
        if !dead {
            alive += line;
            alive.push('\n');
        }
        dead &= line != "};";
    }
    alive
}

/// Returns the length of the constructor's name if `before` ends where the coordinate of a texture function begins. naga always
/// wraps the coordinate in a `vec2` or `vec3`, even if the coordinate already has the same type.
///
/// Upstream fault `coordinate_constructors`: `Writer::write_texture_coord` in `back/glsl/writer.rs` writes a constructor around a
/// coordinate that has a single part.
fn coordinate(before: &str) -> Option<usize> {
    let rest = before.strip_suffix("vec2").or_else(|| before.strip_suffix("vec3"))?.strip_suffix(", ")?;
    let (function, sampler) = rest.rsplit_once('(')?;
    let name = function.rsplit(|c| !is_word(c)).next()?;
    (name.starts_with("texture") && sampler.chars().all(is_word)).then_some(4)
}

/// Writes float literals in the usual notation. naga writes 1.0 as `1f`, and the smallest floats with forty digits.
///
/// Upstream fault `float_literals`: `Writer::write_possibly_const_expression` in `back/wgsl/writer.rs` formats a float with
/// Rust's `{}`, which never writes an exponent, and appends an `f`.
fn literals(text: &str) -> String {
    map_words(
        text,
        |c| is_word(c) || c == '.',
        |_, word| {
            let digits = word.strip_suffix('f').filter(|_| word.starts_with(|c: char| c.is_ascii_digit()))?;
            let value = digits.parse::<f32>().ok()?;
            // Without a type suffix, the shortest decimal form of the largest floats is out of the range of `f32`.
            let short = format!("{value:?}");
            let beyond = short.parse::<f64>().is_ok_and(|wide| wide > f64::from(f32::MAX));
            Some(if beyond { format!("{:?}", f64::from(value)) } else { short }.into())
        },
    )
}

/// Removes parentheses around a whole operand, initialiser or result, and in WGSL also around a condition. In WGSL, a comparison
/// among several operands keeps its parentheses, since `f(a < b, c > d)` would be parsed as a template.
///
/// Upstream fault `parentheses`: in all text writers, `Expression::Binary` writes parentheses around every operation, whatever
/// the context.
fn without_parentheses(text: &str, is_wgsl: bool) -> String {
    let bytes = text.as_bytes();
    let mut drop = vec![false; bytes.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => open.push((at, false)),
            b'<' | b'>' => {
                // A comparison operator has spaces around it, unlike the angle brackets of a type.
                if bytes.get(at.wrapping_sub(1)) == Some(&b' ')
                    && let Some((_, compares)) = open.last_mut()
                {
                    *compares = true;
                }
            }
            b')' => {
                let Some((start, compares)) = open.pop() else { continue };
                let (before, after) = (&text[..start], &text[at + 1..]);
                let statement = before.ends_with("= ") && !before.ends_with("== ") || before.ends_with("return ");
                let condition = is_wgsl && before.ends_with("if ") && after.starts_with(" {");
                let alone = before.ends_with(['(', '[']) && after.starts_with([')', ']']);
                let operand = before.ends_with(['(', '[']) || before.ends_with(", ");
                let whole = (statement && after.starts_with(';'))
                    || alone
                    || (operand && after.starts_with([')', ']', ',']) && !(is_wgsl && compares));
                // A coordinate with a layer or a reference value consists of several values, so its constructor stays.
                let inner = text.get(start + 1..at).unwrap_or_default();
                let is_one = || end_of_operand(inner, 0).is_none();
                let constructor = coordinate(before).filter(|_| !is_wgsl && is_one());
                if whole || condition || constructor.is_some() {
                    drop[start - constructor.unwrap_or(0)..=start].fill(true);
                    drop[at] = true;
                    if let Some((_, around)) = open.last_mut() {
                        *around |= compares;
                    }
                }
            }
            _ => {}
        }
    }
    let kept = bytes.iter().zip(drop).filter(|(_, drop)| !drop).map(|(&byte, _)| byte).collect();
    String::from_utf8(kept).unwrap_or_else(|_| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_around_a_whole_operand_are_removed_and_others_kept() {
        let tidy = |text| without_parentheses(text, true);
        assert_eq!(tidy("let a = (b * (c + d));"), "let a = b * (c + d);");
        assert_eq!(tidy("let a = (b + c) * (d + e);"), "let a = (b + c) * (d + e);");
        assert_eq!(tidy("return f((a + b), -(c), x[(i + 1)]);"), "return f(a + b, -(c), x[i + 1]);");
        assert_eq!(tidy("if ((a - b) < 0.0) {"), "if (a - b) < 0.0 {");
        assert_eq!(tidy("let x = f((a < b), (c > d));"), "let x = f((a < b), (c > d));");
        assert_eq!(tidy("let x = f32((a < b)) + f32((c > d));"), "let x = f32(a < b) + f32(c > d);");
        assert_eq!(tidy("let x = a == (b);"), "let x = a == (b);");
        assert_eq!(tidy("let x = f((vec3<f32>(a) * b));"), "let x = f(vec3<f32>(a) * b);");
        let tidy = |text| without_parentheses(text, false);
        assert_eq!(tidy("if (((a - b) < 0.0)) {"), "if ((a - b) < 0.0) {");
        assert_eq!(tidy("vec4 a = texture(fs0, vec2((v0.xy * s)), 1.0);"), "vec4 a = texture(fs0, v0.xy * s, 1.0);");
        assert_eq!(
            tidy("vec4 a = textureGrad(fs0, vec3(v0.xyz), vec3(x), y);"),
            "vec4 a = textureGrad(fs0, v0.xyz, vec3(x), y);"
        );
        assert_eq!(
            tidy("float a = texture(fs0, vec3((v0.xy), 0.5));"),
            "float a = texture(fs0, vec3(v0.xy, 0.5));",
            "a coordinate of several parts stays a vector"
        );
        assert_eq!(tidy("vec2 a = f(x, vec2(y));"), "vec2 a = f(x, vec2(y));");
    }

    #[test]
    fn float_literals_are_short_and_exact() {
        assert_eq!(literals("vec3(1f, 0.5f) * 0.0000000000000000000000000000000000001f"), "vec3(1.0, 0.5) * 1e-37");
        assert_eq!(literals("let f = v0f; x[1i] = 2u;"), "let f = v0f; x[1i] = 2u;");
    }

    #[test]
    fn an_else_that_holds_only_an_if_becomes_else_if() {
        let nested = "if a {\n    x;\n} else {\n    if b {\n        y;\n    } else {\n        if c {\n            z;\n        }\n    }\n}";
        assert_eq!(else_ifs(nested.lines()), "if a {\n    x;\n} else if b {\n    y;\n} else if c {\n    z;\n}\n");
        let more = "if a {\n} else {\n    if b {\n    }\n    y;\n}\n";
        assert_eq!(else_ifs(more.lines()), more);
    }

    #[test]
    fn results_go_straight_to_their_variables() {
        let text = "struct V {\n    vec4 a;\n};\nvoid main() {\n    V _tmp_return = V(f(x, y), z[1]);\n    gl_Position = _tmp_return.a;\n    v0 = _tmp_return.b;\n    return;\n}\n";
        assert_eq!(glsl(text, |a, b| a == b), "void main() {\n    gl_Position = f(x, y);\n    v0 = z[1];\n}\n");
    }
}
