//! A module as text that a person reads and a parser can read back.
//!
//! Rule: the text says all that the module says, so that reading it gives the same module again. The one exception is
//! an instruction with another number of operands or blocks than its operation has (V07, V09), which no file holds.
//!
//! ```text
//! module      = { function } { names }
//! function    = ("generic" | "vertex" | "fragment") "function" string "{" EOL
//!                 { input } { output } { name } { instruction } "}" EOL
//! input       = "input" id label ":" type "=" kind EOL
//! output      = "output" number label ":" type "=" kind EOL        the numbers count up from 0
//! name        = "name" id label EOL                                the debug name of an input, or of no value at all
//! instruction = [ id [ label ] "=" ] mnemonic [ operand { "," operand } ] [ block { "else" block } ] EOL
//! block       = "{" EOL { instruction } "}"
//! operand     = id | "_" | word                                    ids first, then words, in the order of the file
//! names       = "names" number "{" EOL { id label EOL } "}" EOL
//!
//! kind        = "attribute" number | "varying" number [ "linear" | "flat" ] | "uniform" | "parameter"
//!             | "texture" number "{" "filter" number "," "mip" number "," "wrap" number number ","
//!                                    "format" number "," "special" number "," "bias" number "}"
//!             | "builtin" builtin
//!             | "position" | "colour" number | "depth" | "pointsize" | "returned"
//! type        = ("bool" | "int" | "uint" | "float" | "half") [ width ] [ "[" number "]" ]
//!             | "float" columns "x" rows | "texture2d" | "texture3d" | "texturecube"
//! id          = "%" number
//! label       = letter { letter | digit | "_" } | string
//! string      = '"' { any character | '\"' | '\\' | "\u{" hex "}" } '"'
//! word        = number | hex8 | what the operation's type rule says:
//!                 a literal's: "true", "false", a signed number, a float with a point or an exponent, "inf", "-inf"
//!                 a swizzle's: letters of "xyzw"; a conversion's: a component type
//! hex8        = "0x" and eight digits                              the word itself, wherever a word may stand
//! ```
//!
//! An id before the name of the operation is where its result goes; without it the result is not stored. `_` is an id
//! of 0; PEEK's absent index is left out instead, and so is an IF's second block when it is empty. A float is written in the fewest digits that give its bits again,
//! and a NaN as its bits. Whatever a word's short form cannot say (a swizzle with odd filler, a bool of 2) is written
//! as hex8. An operand list ends with its line. `;` begins a comment that ends with its line: the type of a result,
//! the name of an output.
//!
//! Debug names stand behind the ids where they are defined. If the debug table is not what V31 and V32 ask for, none
//! stands there and the table follows the functions as `names` sections.

use std::fmt::{self, Write};

use crate::codec::kinds::{self, INPUT_KINDS, OUTPUT_KINDS};
use crate::{Block, Function, Id, Inst, Module, Names, Op, Scalar, Type, TypeRule, Types, module};

/// The text of a module, whether or not it verifies.
pub fn print(module: &Module) -> String {
    let inline = names_follow_functions(module);
    let mut text = String::new();
    let mut records = module.names.iter().filter(|_| inline).peekable();
    for (index, function) in module.functions.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let names = records.next_if(|names| usize::try_from(names.function) == Ok(index));
        Printer { text: &mut text, depth: 0, function, names, types: crate::verify::types(function) }.function();
    }
    if !inline {
        for names in &module.names {
            line(&mut text, 0, format_args!("\nnames {} {{", names.function));
            for (&id, name) in &names.ids {
                line(&mut text, 1, format_args!("{id} {}", Label(name)));
            }
            line(&mut text, 0, format_args!("}}"));
        }
    }
    text
}

/// Whether each record of names can stand in its function's text and be found there again.
fn names_follow_functions(module: &Module) -> bool {
    let rising = module.names.windows(2).all(|pair| matches!(pair, [a, b] if a.function < b.function));
    let exist = |names: &Names| usize::try_from(names.function).is_ok_and(|index| index < module.functions.len());
    rising && module.names.iter().all(|names| exist(names) && !names.ids.is_empty())
}

/// Where the comment of an instruction begins, if there is room.
const COMMENT: usize = 48;

fn line(text: &mut String, depth: usize, content: fmt::Arguments<'_>) {
    // A string takes all that is written to it.
    let _ = writeln!(text, "{:width$}{content}", "", width = 2 * depth);
}

struct Printer<'a> {
    text: &'a mut String,
    depth: usize,
    function: &'a Function,
    names: Option<&'a Names>,
    types: Types,
}

impl Printer<'_> {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        line(self.text, self.depth, content);
    }

    fn function(&mut self) {
        let function = self.function;
        self.line(format_args!("{} function {} {{", function.kind.name(), Quoted(&function.name)));
        self.depth += 1;
        for input in &function.inputs {
            let (number, words) = kinds::input_words(&input.kind);
            let kind = kinds::find(&INPUT_KINDS, number).map(|row| kinds::text(row, &words)).unwrap_or_default();
            self.line(format_args!("input {} {}: {} = {kind}", input.id, Label(&input.name), input.ty));
        }
        for (index, output) in function.outputs.iter().enumerate() {
            let (number, words) = kinds::output_words(&output.kind);
            let kind = kinds::find(&OUTPUT_KINDS, number).map(|row| kinds::text(row, &words)).unwrap_or_default();
            self.line(format_args!("output {index} {}: {} = {kind}", Label(&output.name), output.ty));
        }
        self.other_names();
        if !function.body.is_empty() {
            self.text.push('\n');
        }
        self.block(&function.body);
        self.depth -= 1;
        self.line(format_args!("}}"));
    }

    /// The names of ids that no instruction defines.
    fn other_names(&mut self) {
        let Some(names) = self.names else { return };
        let mut results = std::collections::HashSet::new();
        collect_results(&self.function.body, &mut results);
        for (&id, name) in names.ids.iter().filter(|(id, _)| !results.contains(id)) {
            self.line(format_args!("name {id} {}", Label(name)));
        }
    }

    fn block(&mut self, block: &[Inst]) {
        for inst in block {
            self.inst(inst);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let head = self.head(inst);
        // An IF without a second block's text has an empty one.
        let blocks = match &inst.blocks[..] {
            [first, second] if second.is_empty() && inst.op.shape().blocks => std::slice::from_ref(first),
            blocks => blocks,
        };
        let Some((first, rest)) = blocks.split_first() else {
            let comment = self.comment(inst);
            if comment.is_empty() {
                return self.line(format_args!("{head}"));
            }
            let width = COMMENT.saturating_sub(2 * self.depth);
            return self.line(format_args!("{head:width$}  ; {comment}"));
        };
        self.line(format_args!("{head} {{"));
        self.nested(first);
        for block in rest {
            self.line(format_args!("}} else {{"));
            self.nested(block);
        }
        self.line(format_args!("}}"));
    }

    fn nested(&mut self, block: &[Inst]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    /// The instruction up to its blocks.
    fn head(&self, inst: &Inst) -> String {
        let mut head = String::new();
        if inst.output.is_some() {
            let _ = match self.names.and_then(|names| names.ids.get(&inst.output)) {
                Some(name) => write!(head, "{} {} = ", inst.output, Label(name)),
                None => write!(head, "{} = ", inst.output),
            };
        }
        head.push_str(inst.op.mnemonic());
        let absent_index = |at: usize| inst.op.type_rule() == TypeRule::Peek && inst.inputs.len() == 2 && at == 1;
        let ids = inst.inputs.iter().enumerate();
        let ids = ids.filter(|&(at, id)| id.is_some() || !absent_index(at)).map(|(_, &id)| match id {
            Id::NONE => "_".to_string(),
            id => id.to_string(),
        });
        let words = inst.immediates.iter().map(|&word| immediate(inst.op, word));
        for (at, operand) in ids.chain(words).enumerate() {
            head.push_str(if at == 0 { " " } else { ", " });
            head.push_str(&operand);
        }
        head
    }

    fn comment(&self, inst: &Inst) -> String {
        if inst.op.type_rule() == TypeRule::Poke {
            let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
            let output = index.and_then(|index| self.function.outputs.get(index));
            let named = output.filter(|output| !output.name.is_empty());
            return named.map(|output| Label(&output.name).to_string()).unwrap_or_default();
        }
        self.types.get(inst.output).map(|ty| ty.to_string()).unwrap_or_default()
    }
}

fn collect_results(block: &Block, results: &mut std::collections::HashSet<Id>) {
    for inst in block {
        results.insert(inst.output);
        inst.blocks.iter().for_each(|block| collect_results(block, results));
    }
}

/// A plain word of an operation, as the operation's type rule reads it.
pub(crate) fn immediate(op: Op, word: u32) -> String {
    let short = match op.type_rule() {
        TypeRule::Literal(scalar, _) => literal(scalar, word),
        TypeRule::Swizzle => swizzle(word),
        TypeRule::Convert => match Type::from_words(word, 0) {
            Some(Type::Vector(scalar, 1)) => Some(scalar.name().to_string()),
            _ => None,
        },
        _ if op.shape().ignored => None,
        _ => Some(word.to_string()),
    };
    short.unwrap_or_else(|| format!("{word:#010x}"))
}

fn literal(scalar: Scalar, word: u32) -> Option<String> {
    match scalar {
        Scalar::Bool => match word {
            0 => Some("false".to_string()),
            1 => Some("true".to_string()),
            _ => None,
        },
        Scalar::Int => Some(word.cast_signed().to_string()),
        Scalar::Uint => Some(word.to_string()),
        Scalar::Float => Some(f32::from_bits(word)).filter(|value| !value.is_nan()).map(|value| format!("{value:?}")),
        Scalar::Half => None,
    }
}

/// The letters of a `swizvals` word, if they say all of it.
fn swizzle(word: u32) -> Option<String> {
    let lanes = module::lanes(word).collect::<Vec<_>>();
    let letters = lanes.iter().filter_map(|&lane| ['x', 'y', 'z', 'w'].get(usize::from(lane))).collect::<String>();
    (!lanes.is_empty() && module::swizvals(&lanes) == word).then_some(letters)
}

/// A string in quotes.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// A name, in quotes if it is not a word.
struct Label<'a>(&'a str);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.0.starts_with(|c: char| c.is_ascii_alphabetic())
            && self.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if word { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_reads_back_to_its_bits() {
        let mut state = 1u32;
        for _ in 0..100_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let text = immediate(Op::LiteralFloat, state);
            let bits = match text.strip_prefix("0x") {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => text.parse::<f32>().ok().map(f32::to_bits),
            };
            assert_eq!(bits, Some(state), "{text}");
        }
        for (bits, text) in [
            (0, "0.0"),
            (0x8000_0000, "-0.0"),
            (1, "1e-45"),
            (0x3f80_0000, "1.0"),
            (0x7f80_0000, "inf"),
            (0xff80_0000, "-inf"),
            (0x7fc0_0000, "0x7fc00000"),
        ] {
            assert_eq!(immediate(Op::LiteralFloat, bits), text);
        }
    }

    #[test]
    fn a_word_has_a_short_form_or_its_hex() {
        for (op, word, text) in [
            (Op::LiteralInt, 0xffff_ffff, "-1"),
            (Op::LiteralBool, 1, "true"),
            (Op::LiteralBool, 2, "0x00000002"),
            (Op::Swizzle, 0xff02_0201, "yzz"),
            (Op::Swizzle, 0xfe02_0201, "0xfe020201"),
            (Op::Swizzle, 0xffff_ffff, "0xffffffff"),
            (Op::Convert, Type::INT.word(), "int"),
            (Op::Convert, Type::FLOAT4.word(), "0x00040300"),
            (Op::Peek, 27, "27"),
            (Op::Nop, 1, "0x00000001"),
        ] {
            assert_eq!(immediate(op, word), text, "{op}");
        }
    }

    #[test]
    fn a_name_that_is_no_word_is_quoted() {
        for (name, text) in [
            ("vt0", "vt0"),
            ("a_1", "a_1"),
            ("", "\"\""),
            ("_", "\"_\""),
            ("1a", "\"1a\""),
            ("a\"b\\\n\0é", "\"a\\\"b\\\\\\u{a}\\u{0}é\""),
        ] {
            assert_eq!(Label(name).to_string(), text);
        }
    }
}
