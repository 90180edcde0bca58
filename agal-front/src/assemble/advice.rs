//! Advice for authors who use words and symbols of other languages.
//!
//! Rule: each row explains the AGAL equivalent of a foreign word, and is true for both of Adobe's assemblers. This file never
//! decides whether source text is valid.

use crate::register::component;

/// Names from GLSL, HLSL and Direct3D's assembler in lower case, with their AGAL equivalents.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["normalize"], "AGAL's mnemonic is `nrm`"),
    (&["dot"], "AGAL's mnemonic is `dp3` for three components, and `dp4` for four"),
    (&["dp2", "dp2add"], "AGAL has no such opcode: use `mul`, then `add` the product's x and y"),
    (&["cross"], "AGAL's mnemonic is `crs`"),
    (&["saturate"], "AGAL's mnemonic is `sat`"),
    (&["clamp"], "AGAL has `sat` for the range 0 to 1; for other bounds, use `max`, then `min`"),
    (&["sqrt"], "AGAL's mnemonic is `sqt`"),
    (&["rsqrt", "inversesqrt"], "AGAL's mnemonic is `rsq`"),
    (&["fract", "frac"], "AGAL's mnemonic is `frc`"),
    (&["reciprocal"], "AGAL's mnemonic is `rcp`"),
    (&["power"], "AGAL's mnemonic is `pow`"),
    (&["exp2"], "AGAL's mnemonic is `exp`, with base 2"),
    (&["log2"], "AGAL's mnemonic is `log`, with base 2"),
    (&["ln"], "AGAL has only `log`, with base 2: multiply its result by 0.6931, from a constant register"),
    (
        &["discard", "clip", "kill", "texkill"],
        "AGAL's mnemonic is `kil`, which discards the fragment if the operand is below zero",
    ),
    (
        &["texture", "texture2d", "texturecube", "tex2d", "texcube", "texld", "sample"],
        "AGAL's mnemonic is `tex`, with a sampler and options: `tex ft0, v0, fs0 <2d,linear,miplinear>`",
    ),
    (
        &["texturelod", "texture2dlod", "tex2dlod", "texldl"],
        "use `tex` in a fragment program, or `tld` in a vertex program (from AGAL 4 on)",
    ),
    (&["mix", "lerp", "lrp"], "AGAL has no such opcode: compute a + (b - a) * t with `sub`, `mul` and `add`"),
    (&["mad", "fma"], "AGAL has no such opcode: use `mul`, then `add`"),
    (&["length"], "AGAL has no such opcode: take `dp3` of the vector with itself, then `sqt`"),
    (&["distance"], "AGAL has no such opcode: use `sub`, then `dp3` of the difference with itself, then `sqt`"),
    (&["mod", "fmod"], "AGAL has no such opcode: compute a modulo b as frc(a / b) * b, with `div`, `frc` and `mul`"),
    (&["floor", "flr"], "AGAL has no such opcode: use `frc`, then `sub` the fraction from the number"),
    (&["ceil"], "AGAL has no such opcode: compute x + frc(-x) with `neg`, `frc` and `add`"),
    (
        &["round"],
        "AGAL has no such opcode: `add` 0.5 from a constant register, then `sub` the `frc` of the sum from the sum",
    ),
    (&["sign"], "AGAL's mnemonic is `sgn`, in version 2 and later"),
    (&["step"], "use `sge` with the operands exchanged: step(edge, x) is x >= edge"),
    (&["smoothstep"], "AGAL has no such opcode: with t = `sat` of (x - a) / (b - a), compute t * t * (3 - 2 * t)"),
    (
        &["reflect"],
        "AGAL has no such opcode: compute v - 2 * dp3(v, n) * n with `dp3`, `add` (to double the product), `mul` and `sub`",
    ),
    (&["tan"], "AGAL has no such opcode: use `sin`, `cos`, then `div`"),
    (&["sincos"], "AGAL has the separate opcodes `sin` and `cos`"),
    (&["sgt", "greaterthan"], "use `slt` with the operands exchanged: a > b is b < a"),
    (&["sle", "lessthanequal"], "use `sge` with the operands exchanged: a <= b is b >= a"),
    (&["lessthan"], "AGAL's mnemonic is `slt`"),
    (&["greaterthanequal"], "AGAL's mnemonic is `sge`"),
    (&["equal"], "AGAL's mnemonic is `seq`"),
    (&["notequal"], "AGAL's mnemonic is `sne`"),
    (&["cmp", "cnd", "select"], "AGAL has no such opcode: multiply by the 1 or 0 that `sge` or `slt` yields"),
    (&["dfdx", "dsx"], "AGAL's mnemonic is `ddx`, in version 2 and later"),
    (&["dfdy", "dsy"], "AGAL's mnemonic is `ddy`, in version 2 and later"),
    (&["fwidth"], "AGAL has no such opcode: take `abs` of `ddx`, `abs` of `ddy`, then `add`"),
    (&["m4x4", "mul4x4"], "AGAL's mnemonic is `m44`"),
    (&["m3x3", "mul3x3"], "AGAL's mnemonic is `m33`"),
    (&["m4x3"], "AGAL's mnemonic is `m34`"),
    (&["if"], CONDITIONAL),
    (&["ifne"], "AGAL's mnemonic is `ine`"),
    (&["elseif", "elif", "elsif"], "write `els`, then another conditional with its own `eif`"),
    (&["else"], "AGAL's mnemonic is `els`"),
    (&["end", "endif", "fi"], "AGAL's mnemonic is `eif`"),
    (&["{", "}"], CONDITIONAL),
    (&["ret", "return"], "remove it: a program ends with its last line"),
    (&["nop"], "remove it"),
    (
        &["for", "while", "do", "loop", "endloop", "rep", "endrep", "break", "continue", "call", "goto"],
        "AGAL has no loops or calls: write out the statements of every iteration, or put them in a `macro` of the macro language",
    ),
    (
        &["vec2", "vec3", "vec4", "float2", "float3", "float4"],
        "AGAL has no vector constructors: set the components of a temporary one by one with `mov`",
    ),
    (
        &[
            "dcl",
            "def",
            "uniform",
            "attribute",
            "varying",
            "in",
            "out",
            "var",
            "let",
            "const",
            "float",
            "int",
            "void",
            "precision",
            "sampler2d",
        ],
        "AGAL has no declarations: attributes are va0, va1 ..., varyings v0, v1 ..., constants vc0 ... and fc0 ...",
    ),
];

const CONDITIONAL: &str = "a conditional is a line like `ifg ft0.x, fc0.x` (`ife` equal, `ine` not equal, `ifg` greater, `ifl` less), an optional `els`, and `eif`";

/// Returns advice on the AGAL equivalent of a word from another language.
pub(crate) fn foreign(word: &str) -> Option<&'static str> {
    if word.starts_with('#') {
        return Some("a comment begins with `//`");
    }
    let is = |name: &&str| name.eq_ignore_ascii_case(word);
    FOREIGN.iter().find(|(names, _)| names.iter().any(is)).map(|(_, advice)| *advice)
}

/// Returns advice for a call of the unknown function `found`; `nearest` is the known name with the most similar spelling.
pub(crate) fn function(found: &str, nearest: Option<&str>) -> String {
    let meant = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
    let in_other_case = nearest.is_some_and(|nearest| nearest.eq_ignore_ascii_case(found));
    let foreign = foreign(found).filter(|_| !in_other_case).map(str::to_string);
    let any = "only opcodes and macros can be called; a macro is like `macro Name(a, b) { out = a * b; }`";
    foreign.or(meant).unwrap_or_else(|| any.to_string())
}

/// Reports whether a word begins a conditional or a loop in another language and means nothing in AGAL.
pub(super) fn is_control(word: &str) -> bool {
    const CONTROL: [&str; 8] = ["if", "else", "elseif", "elif", "elsif", "for", "while", "do"];
    CONTROL.contains(&word)
}

pub(crate) fn skipped(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b';') => "a line holds one statement: put the text after the `;` on a separate line",
        Some(b'#') => "a comment begins with `//`; Adobe's assembler skips this too",
        _ if is_number(text) => {
            "Adobe's assembler skips it too; operands must be registers: upload the number to a constant register and name that register"
        }
        Some(b'-') if text.bytes().all(|sign| b"-(".contains(&sign)) => {
            "Adobe's assembler skips it too; `neg` negates, and `sub` subtracts"
        }
        _ => "Adobe's assembler skips it too; remove it, or write the intended operand",
    }
}

/// Returns the beginning of a message about a write mask whose letters are out of order or repeated, such as `its order means`.
pub(crate) fn mask(found: &str) -> &'static str {
    let mut lanes = Vec::new();
    let mut repeats = false;
    for lane in found.bytes().skip(1).map(component) {
        match lanes.contains(&lane) {
            true => repeats = true,
            false => lanes.push(lane),
        }
    }
    match (repeats, lanes.is_sorted()) {
        (false, _) => "its order means",
        (true, true) => "a repeated letter means",
        (true, false) => "its order and a repeated letter mean",
    }
}

/// Reports whether `text` is a number in the notation of another language.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let digits = digits.strip_suffix(['f', 'F']).unwrap_or(digits);
    let starts = digits.strip_prefix('.').unwrap_or(digits).starts_with(|c: char| c.is_ascii_digit());
    let hex = digits.strip_prefix("0x").is_some_and(|hex| u32::from_str_radix(hex, 16).is_ok());
    starts && (digits.parse::<f64>().is_ok() || hex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::Opcode;

    /// Advice on an opcode would never be shown, and only the first of two rows with the same name would be used.
    #[test]
    fn a_foreign_name_is_not_an_opcode_and_is_listed_once() {
        let names: Vec<&str> = FOREIGN.iter().flat_map(|(names, _)| *names).copied().collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(Opcode::from_mnemonic(name), None, "{name}");
            assert!(!names[..at].contains(name) && *name == name.to_ascii_lowercase(), "{name}");
        }
    }

    #[test]
    fn advice_names_existing_opcodes() {
        for (names, advice) in FOREIGN {
            for code in advice.split('`').skip(1).step_by(2) {
                let word = code.split(' ').next().unwrap_or_default();
                assert!(Opcode::from_mnemonic(word).is_some() || word == "macro", "{names:?}: {word}");
            }
        }
    }

    #[test]
    fn numbers_of_other_languages_are_recognised() {
        for text in ["2.0", "-1", ".5", "-.5", "1e-3", "2.0f", "0x10", "3", "1."] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", "v0", "2d", "inf", "nan", "1.2.3", ".", "f", "-v0", "ft0"] {
            assert!(!is_number(text), "{text}");
        }
    }
}
