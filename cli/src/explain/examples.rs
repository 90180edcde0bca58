//! Parses the text files that contain the examples of findings and rules.
//!
//! An example begins with a line `# NUMBER`, which may also contain command-line options, and continues with further explanation.
//! A line `-- says SEVERITY` precedes the expected message and an optional line of advice. A line `-- wrong FILE` precedes each
//! program that has the finding, and a line `-- corrected FILE` precedes each corrected program. A program with the extension
//! `agalbc`, `es2c` or `sdlbc` is written in hexadecimal.

#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    pub(crate) about: String,
    /// The command-line options for the command that checks the example.
    pub(crate) options: String,
    /// The severity (`error` or `warning`) and wording of the message that agalc reports. The wording may end with a line of
    /// advice.
    pub(crate) says: Option<(String, String)>,
    /// One or two programs that have the finding.
    pub(crate) wrong: Vec<Program>,
    /// The corrected programs, which do not have the finding.
    pub(crate) corrected: Vec<Program>,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) text: String,
}

const FILES: [&str; 7] = [
    include_str!("player.txt"),
    include_str!("programs.txt"),
    include_str!("text.txt"),
    include_str!("macros.txt"),
    include_str!("code.txt"),
    include_str!("es2.txt"),
    include_str!("rules.txt"),
];

/// Splits a file into sections. A section consists of the heading after `# ` and the lines below the heading.
pub(crate) fn sections(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.trim_start_matches("# ").split("\n# ").filter_map(|section| section.split_once('\n'))
}

pub(crate) fn of(number: &str) -> Option<Example> {
    let mut lines = FILES.iter().flat_map(|file| sections(file)).filter_map(|(head, rest)| {
        let options = head.strip_prefix(number)?;
        (options.is_empty() || options.starts_with(' ')).then_some((options.trim(), rest))
    });
    let (options, rest) = lines.next()?;
    let mut example = Example { options: options.to_string(), ..Example::default() };
    let mut parts = rest.split("\n-- ");
    let about = parts.next().unwrap_or_default();
    // A section without further explanation continues with `-- ` directly after its heading.
    let first = about.strip_prefix("-- ");
    example.about = if first.is_some() { String::new() } else { about.trim().to_string() };
    for part in first.into_iter().chain(parts) {
        let Some((head, text)) = part.split_once('\n') else { continue };
        let text = text.trim_end().to_string() + "\n";
        match head.split_once(' ') {
            Some(("says", severity)) => example.says = Some((severity.to_string(), text)),
            Some(("wrong", name)) => example.wrong.push(Program { name: name.to_string(), text }),
            Some(("corrected", name)) => example.corrected.push(Program { name: name.to_string(), text }),
            _ => {}
        }
    }
    Some(example)
}

impl Example {
    pub(crate) fn command(&self, programs: &[Program]) -> String {
        let is_module = programs.iter().any(|of| of.name.ends_with(".sdlasm") || of.name.ends_with(".sdlbc"));
        let command = if is_module { "agalc verify" } else { "agalc validate" };
        let mut command = command.to_string();
        for word in programs.iter().map(|of| of.name.as_str()).chain(self.options.split_whitespace()) {
            command += &format!(" {word}");
        }
        command
    }
}
