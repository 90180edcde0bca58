//! Generates AGAL programs of any length.

use agal_front::assemble::assemble;

/// Generates a fragment program of version 3 with `tokens` tokens, and returns its bytecode. Each token uses the result of the
/// previous token, so that no token is dead. Conditionals, textures and constants occur repeatedly.
///
/// # Errors
/// Fails if the generated text is not a program, which would be a bug in this file.
pub fn program(tokens: usize) -> Result<Vec<u8>, String> {
    let assembly = assemble(&text(tokens), &Default::default()).map_err(|error| format!("{error:?}"))?;
    let found = assembly.program.tokens.len();
    if found == tokens { Ok(assembly.program.encode()) } else { Err(format!("{found} tokens instead of {tokens}")) }
}

/// The lines that a program repeats. `ft{a}` and `ft{b}` are two registers that change with each repetition.
const PART: [&str; 16] = [
    "mul ft{a}, ft{b}, fc{k}",
    "add ft{a}.xyz, ft{a}, v0",
    "dp3 ft{b}.w, ft{a}, fc{k}",
    "sin ft{b}.x, ft{b}.w",
    "max ft{a}, ft{a}, ft{b}",
    "sub ft{a}.zw, ft{a}, ft{b}.wzyx",
    "ifg ft{a}.x, fc{k}.y",
    "mul ft{b}, ft{a}, ft{b}",
    "pow ft{b}.y, ft{b}.x, fc{k}.z",
    "els",
    "rcp ft{b}.z, ft{a}.y",
    "eif",
    "nrm ft{a}.xyz, ft{b}",
    "tex ft{b}, ft{a}.xy, fs0 <2d,linear,repeat,miplinear>",
    "sat ft{a}, ft{b}",
    "m33 ft{a}.xyz, ft{a}, fc{m}",
];

fn text(tokens: usize) -> String {
    let mut lines = vec!["// agal 3 fragment".to_string()];
    lines.extend((0..4).map(|register| format!("mov ft{register}, v0")));
    let ends = ["add ft0, ft0, ft1", "add ft2, ft2, ft3", "add oc, ft0, ft2"];
    let parts = tokens.saturating_sub(4 + ends.len()) / PART.len();
    for part in 0..parts {
        let (a, b, k, m) = (part % 4, (part + 1) % 4, part % 24, 24 + part % 4);
        let places = [("{a}", a), ("{b}", b), ("{k}", k), ("{m}", m)];
        let filled = |line: &&str| {
            places.iter().fold((*line).to_string(), |line, (place, with)| line.replace(place, &with.to_string()))
        };
        lines.extend(PART.iter().map(filled));
    }
    while lines.len() - 1 + ends.len() < tokens {
        lines.push(format!("mul ft0, ft0, fc{}", lines.len() % 24));
    }
    lines.extend(ends.map(str::to_string));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::case::Case;

    #[test]
    fn programs_of_each_length_can_be_translated_and_nothing_of_them_is_dead() {
        let mut before = 0;
        for tokens in [200, 512, 1024, 2048] {
            let case = Case::of_programs("long", vec![program(tokens).expect("a program")]);
            assert_eq!(case.length, tokens);
            assert!(case.file.len() > before + 40 * tokens / 4, "{tokens} tokens: {} bytes", case.file.len());
            before = case.file.len();
        }
    }
}
