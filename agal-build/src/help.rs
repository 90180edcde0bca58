//! The help of findings, in the words of a build script.
//!
//! Findings are worded for the command `agalc`, whose options a build script does not have: it sets fields.

/// What the command's options are in a build script: the option, the text before its value, and the text after it.
const FIELDS: [(&str, &str, &str); 7] = [
    ("--allow", "`allow: vec![", "]` in `agalc::Rules`"),
    ("--allow-ted", "`allow_ted: true` in `agalc::Rules`", ""),
    ("--agal-version", "`version: Some(", ")` in `agalc::Options`"),
    ("--language", "`language: Language::Macro` in `agalc::Options`", ""),
    ("--ifg", "`strict_ifg: true` in `agalc::Meaning`", ""),
    ("--signed-offsets", "`signed_offset: true` in `agalc::Meaning`", ""),
    ("--define", "`defines` in `agalc::Options`", ""),
];

/// Replaces the command's options in the text of a problem by the fields that a build script sets. Of a line of help, the parts
/// about other options are left out.
pub(crate) fn in_own_words(text: &str) -> String {
    let lines = text.lines().filter_map(|line| match line.contains("`--") {
        true => of_line(line),
        false => Some(line.to_string()),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line with options; `None` if nothing is left of it.
fn of_line(line: &str) -> Option<String> {
    let line = with_fields(line);
    let Some((head, help)) = line.split_once("help: ").filter(|(_, help)| help.contains("`--")) else {
        return Some(line);
    };
    let parts = help.split("; ").map(|part| {
        let parts = part.split(", or ").filter(|part| !part.contains("`--"));
        parts.collect::<Vec<_>>().join(", or ")
    });
    let left: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    (!left.is_empty()).then(|| format!("{head}help: {}", left.join("; ")))
}

/// Replaces the options that are fields: `--allow 3647` in backticks becomes `allow: vec![3647]` in `agalc::Rules`.
fn with_fields(line: &str) -> String {
    let mut parts = line.split('`');
    let mut done = parts.next().unwrap_or_default().to_string();
    // Every second part is in backticks.
    while let Some(quoted) = parts.next() {
        let (option, value) = quoted.split_once(' ').unwrap_or((quoted, ""));
        done += &match FIELDS.iter().find(|(of, ..)| *of == option) {
            Some((_, before, "")) => before.to_string(),
            Some((_, before, after)) => format!("{before}{value}{after}"),
            None => format!("`{quoted}`"),
        };
        done += parts.next().unwrap_or_default();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_the_fields_of_a_build_script_and_no_options() {
        for (text, own) in [
            (
                "error: x\n = help: write it on every path that leads here, or let it read zero with `--allow 3647`",
                "error: x\n = help: write it on every path that leads here, or let it read zero with `allow: vec![3647]` in \
                 `agalc::Rules`",
            ),
            (
                " = help: use the register of this stage, or assemble with the other `--stage`",
                " = help: use the register of this stage",
            ),
            (
                " = help: pass `--stage`, or begin the text with `// agal 1 vertex` or `// agal 1 fragment`",
                " = help: begin the text with `// agal 1 vertex` or `// agal 1 fragment`",
            ),
            ("error: x\n = help: choose one with `--stage`", "error: x"),
            ("error: `--` is not an operator", "error: `--` is not an operator"),
        ] {
            assert_eq!(in_own_words(text), own);
        }
    }
}
