//! Advice for words and signs of other languages.
//!
//! Rule: a row explains the AGAL equivalent, and is true of both assemblers. This file never decides whether a text is right.

use crate::register::component;

/// Names of GLSL, HLSL and Direct3D's assembler in lower case, and their AGAL equivalents.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["normalize"], "AGAL calls it `nrm`"),
    (&["dot"], "AGAL calls it `dp3` for three components and `dp4` for four"),
    (&["dp2", "dp2add"], "AGAL has no opcode for it: `mul`, then `add` the product's x and y"),
    (&["cross"], "AGAL calls it `crs`"),
    (&["saturate"], "AGAL calls it `sat`"),
    (&["clamp"], "AGAL has `sat` for 0 to 1; for other bounds `max`, then `min`"),
    (&["sqrt"], "AGAL calls it `sqt`"),
    (&["rsqrt", "inversesqrt"], "AGAL calls it `rsq`"),
    (&["fract", "frac"], "AGAL calls it `frc`"),
    (&["reciprocal"], "AGAL calls it `rcp`"),
    (&["power"], "AGAL calls it `pow`"),
    (&["exp2"], "AGAL calls it `exp`: its base is 2"),
    (&["log2"], "AGAL calls it `log`: its base is 2"),
    (&["ln"], "AGAL has `log` with base 2; `mul` its result by 0.6931 in a constant register"),
    (
        &["discard", "clip", "kill", "texkill"],
        "AGAL calls it `kil`: it discards the fragment where its operand is below zero",
    ),
    (
        &["texture", "texture2d", "texturecube", "tex2d", "texcube", "texld", "sample"],
        "AGAL calls it `tex`, with a sampler and its options: `tex ft0, v0, fs0 <2d,linear,miplinear>`",
    ),
    (
        &["texturelod", "texture2dlod", "tex2dlod", "texldl"],
        "AGAL has `tex` in fragment programs, and in vertex programs `tld` from version 4 on",
    ),
    (&["mix", "lerp", "lrp"], "AGAL has no opcode for it: a + (b - a) * t is `sub`, `mul`, `add`"),
    (&["mad", "fma"], "AGAL has no opcode for it: `mul`, then `add`"),
    (&["length"], "AGAL has no opcode for it: `dp3` of the vector with itself, then `sqt`"),
    (&["distance"], "AGAL has no opcode for it: `sub`, then `dp3` of the difference with itself, then `sqt`"),
    (&["mod", "fmod"], "AGAL has no opcode for it: a modulo b is `div` a by b, `frc`, `mul` by b"),
    (&["floor", "flr"], "AGAL has no opcode for it: `frc`, then `sub` the fraction from the number"),
    (&["ceil"], "AGAL has no opcode for it: x + frc(-x) is `neg`, `frc`, `add`"),
    (&["round"], "AGAL has no opcode for it: `add` 0.5 in a constant register, then `frc`, and `sub` the fraction"),
    (&["sign"], "AGAL calls it `sgn`, from version 2 on"),
    (&["step"], "AGAL has `sge` with the operands the other way around: step(edge, x) is x >= edge"),
    (&["smoothstep"], "AGAL has no opcode for it: t = `sat` of (x - a) / (b - a), then t * t * (3 - 2 * t)"),
    (&["reflect"], "AGAL has no opcode for it: v - 2 * dp3(v, n) * n is `dp3`, `add` it to itself, `mul`, `sub`"),
    (&["tan"], "AGAL has no opcode for it: `sin`, `cos`, then `div`"),
    (&["sincos"], "AGAL has `sin` and `cos`, one line each"),
    (&["sgt", "greaterthan"], "AGAL has `slt` with the operands the other way around: a > b is b < a"),
    (&["sle", "lessthanequal"], "AGAL has `sge` with the operands the other way around: a <= b is b >= a"),
    (&["lessthan"], "AGAL calls it `slt`"),
    (&["greaterthanequal"], "AGAL calls it `sge`"),
    (&["equal"], "AGAL calls it `seq`"),
    (&["notequal"], "AGAL calls it `sne`"),
    (&["cmp", "cnd", "select"], "AGAL has no opcode for it: multiply with the 1 or 0 that `sge` and `slt` compute"),
    (&["dfdx", "dsx"], "AGAL calls it `ddx`, from version 2 on"),
    (&["dfdy", "dsy"], "AGAL calls it `ddy`, from version 2 on"),
    (&["fwidth"], "AGAL has no opcode for it: `abs` of `ddx`, `abs` of `ddy`, then `add`"),
    (&["m4x4", "mul4x4"], "AGAL calls it `m44`"),
    (&["m3x3", "mul3x3"], "AGAL calls it `m33`"),
    (&["m4x3"], "AGAL calls it `m34`"),
    (&["if"], CONDITIONAL),
    (&["ifne"], "AGAL calls it `ine`"),
    (&["elseif", "elif", "elsif"], "write `els`, then another conditional with its own `eif`"),
    (&["else"], "AGAL calls it `els`"),
    (&["end", "endif", "fi"], "AGAL calls it `eif`"),
    (&["{", "}"], CONDITIONAL),
    (&["ret", "return"], "remove it: a program ends with its last line"),
    (&["nop"], "remove it"),
    (
        &["for", "while", "do", "loop", "endloop", "rep", "endrep", "break", "continue", "call", "goto"],
        "AGAL has no loops and no calls: write the statements out, or call a `macro` of the macro language for each iteration",
    ),
    (
        &["vec2", "vec3", "vec4", "float2", "float3", "float4"],
        "AGAL has no vectors of numbers: write a temporary's components one after another with `mov`",
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

/// Form of a conditional.
const CONDITIONAL: &str = "a conditional is a line like `ifg ft0.x, fc0.x` (`ife` equal, `ine` not equal, `ifg` greater, `ifl` less), an optional `els`, and `eif`";

/// The AGAL equivalent of `word` in another language.
pub(crate) fn foreign(word: &str) -> Option<&'static str> {
    if word.starts_with('#') {
        return Some("a comment begins with `//`");
    }
    let is = |name: &&str| name.eq_ignore_ascii_case(word);
    FOREIGN.iter().find(|(names, _)| names.iter().any(is)).map(|(_, advice)| *advice)
}

/// Advice to replace the function `found`; `nearest` is the name with the most similar spelling.
pub(crate) fn function(found: &str, nearest: Option<&str>) -> String {
    let meant = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
    let in_other_case = nearest.is_some_and(|nearest| nearest.eq_ignore_ascii_case(found));
    let foreign = foreign(found).filter(|_| !in_other_case).map(str::to_string);
    let any = "only opcodes and macros can be called; a macro is like `macro Name(a, b) { out = a * b; }`";
    foreign.or(meant).unwrap_or_else(|| any.to_string())
}

/// Whether a word begins a conditional or a loop in another language, and means nothing in AGAL.
pub(super) fn is_control(word: &str) -> bool {
    const CONTROL: [&str; 8] = ["if", "else", "elseif", "elif", "elsif", "for", "while", "do"];
    CONTROL.contains(&word)
}

/// Advice on text that Adobe's assembler skips.
pub(crate) fn skipped(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b';') => "a line holds one statement: put what follows the `;` on a line of its own",
        Some(b'#') => "a comment begins with `//`; Adobe's assembler skips this too",
        _ if is_number(text) => {
            "Adobe's assembler skips it too; operands are registers: upload numbers to a constant register and name that"
        }
        Some(b'-') if text.bytes().all(|sign| b"-(".contains(&sign)) => {
            "Adobe's assembler skips it too; `neg` negates, and `sub` subtracts"
        }
        _ => "Adobe's assembler skips it too; remove it, or write what was meant",
    }
}

/// The property of the letters after a mask's dot that is ignored, with its verb.
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

/// Whether a piece of text is a number, as other languages write it.
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

    /// An opcode must not be in the list: advice on it would never be shown. Of a name in two rows only the first row would be
    /// used.
    #[test]
    fn a_foreign_name_is_not_an_opcode_and_is_listed_once() {
        let names: Vec<&str> = FOREIGN.iter().flat_map(|(names, _)| *names).copied().collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(Opcode::from_mnemonic(name), None, "{name}");
            assert!(!names[..at].contains(name) && *name == name.to_ascii_lowercase(), "{name}");
        }
    }

    /// The names in backticks in the advice exist.
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
