//! The examples of findings and rules, which are text files.
//!
//! An example begins with a line `# NUMBER`, which options of the command may follow, and with further explanation. A line `-- says
//! SEVERITY` precedes the message and, optionally, a line of advice. A line `-- wrong FILE` precedes each program, and a line `--
//! corrected FILE` each corrected program. A program with the extension `agalbc`, `es2c` or `sdlbc` is written in hexadecimal.

/// An example of a finding or rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    /// Further explanation.
    pub(crate) about: String,
    /// The options of the command that checks the programs.
    pub(crate) options: String,
    /// The message of agalc: its severity (`error` or `warning`), and its text, which may end with a line of advice.
    pub(crate) says: Option<(String, String)>,
    /// One or two programs that have the finding.
    pub(crate) wrong: Vec<Program>,
    /// The programs, corrected.
    pub(crate) corrected: Vec<Program>,
}

/// A program of an example.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The name of its file.
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

/// The sections of a text: the rest of each line that begins with `# `, and the text after it.
pub(crate) fn sections(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.trim_start_matches("# ").split("\n# ").filter_map(|section| section.split_once('\n'))
}

/// The example of a number.
pub(crate) fn of(number: &str) -> Option<Example> {
    let mut lines = FILES.iter().flat_map(|file| sections(file)).filter_map(|(head, rest)| {
        let options = head.strip_prefix(number)?;
        (options.is_empty() || options.starts_with(' ')).then_some((options.trim(), rest))
    });
    let (options, rest) = lines.next()?;
    let mut example = Example { options: options.to_string(), ..Example::default() };
    let mut parts = rest.split("\n-- ");
    let about = parts.next().unwrap_or_default();
    // The first part may follow the first line directly.
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
    /// The command that checks the programs.
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
