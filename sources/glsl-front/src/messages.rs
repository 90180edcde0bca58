//! Converts the compilers' messages to refusals with locations in the source.

use std::ops::Range;

use sdlbc::front::{Refusal, RefusalKind};

/// The maximum number of errors that are reported for a source.
const MOST: usize = 100;

/// Returns the errors that a compiler printed, with their locations in the source.
///
/// `glslangValidator` prints `ERROR: stdin:4: 'x' : undeclared identifier`, where the library prints `0` for `stdin`. `glslc` prints
/// `<stdin>:4: error: 'x' : undeclared identifier`, and `dxc` prints `source:4:9: error: use of undeclared identifier 'x'`.
pub(crate) fn refusals(printed: &str, text: &str) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    let mut lines = printed.lines();
    while let Some(line) = lines.next() {
        let Some((number, message)) = error(line) else { continue };
        let message = message.trim().trim_start_matches("'' :").trim();
        // After a colon, the message continues on the next line, for example with the names of functions without a body.
        let next = lines.clone().next().filter(|_| message.ends_with(':')).unwrap_or_default();
        let message = [message, next.trim()].join(" ");
        let message = message.trim();
        let is_about_others = message.contains("compilation terminated") || message.contains("compilation errors.");
        if is_about_others || message.is_empty() || refusals.len() == MOST {
            continue;
        }
        let bytes = number.and_then(|number| place(text, number, message));
        refusals.push(Refusal::new(RefusalKind::Unreadable { message: message.to_string() }, bytes));
    }
    // A module without errors of its own may still not be linked; otherwise, a linker's errors follow from others.
    let is_own = |refusal: &Refusal| !refusal.to_string().starts_with("Linking ");
    if refusals.iter().any(is_own) {
        refusals.retain(is_own);
    }
    if refusals.is_empty() {
        let line = printed.lines().find(|line| !line.trim().is_empty()).unwrap_or("it printed no message");
        let message = format!("the compiler did not read this source: {}", line.trim());
        refusals.push(Refusal::new(RefusalKind::Unreadable { message }, None));
    }
    refusals
}

/// Returns the line number and the message if a printed line reports an error.
fn error(printed: &str) -> Option<(Option<u32>, &str)> {
    let numbered = |rest: &'static str| printed.split_once(rest);
    let (place, message) = match printed.strip_prefix("ERROR: ") {
        Some(rest) => {
            let numbered = rest.strip_prefix("stdin:").or_else(|| rest.strip_prefix("0:"));
            numbered.and_then(|rest| rest.split_once(": ")).unwrap_or(("", rest))
        }
        // `dxc` prints no location for errors about the whole source.
        None => printed.strip_prefix("error: ").map(|rest| ("", rest)).or_else(|| numbered(": error: "))?,
    };
    // `place` consists of the file name, the line number and, for `dxc`, the column number.
    Some((
        place
            .split(':')
            .nth(usize::from(!place.starts_with(|c: char| c.is_ascii_digit())))
            .and_then(|number| number.parse().ok()),
        message,
    ))
}

/// Returns the range of a line, without leading and trailing white space.
pub(crate) fn line(text: &str, number: u32) -> Option<Range<usize>> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    let start = text.split_inclusive('\n').take(index).map(str::len).sum::<usize>();
    let line = text.get(start..)?.lines().next()?;
    let begin = start + line.len() - line.trim_start().len();
    Some(begin..begin + line.trim().len())
}

/// Returns the range of the first word that a message quotes, if the line contains the word, or else of the whole line.
fn place(text: &str, number: u32, message: &str) -> Option<Range<usize>> {
    let whole = line(text, number)?;
    let quoted = message.split_once('\'').and_then(|(_, rest)| rest.split_once('\'')).map(|(word, _)| word.trim());
    let found = quoted.filter(|word| !word.is_empty()).and_then(|word| {
        let code = text.get(whole.clone())?;
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // A quoted name must be a whole word of the line, not a part of a longer name.
        let joins = |a: Option<char>, b: Option<char>| is_word(a) && is_word(b);
        let alone = |&(at, _): &(usize, &str)| {
            let before = code.get(..at).and_then(|before| before.chars().next_back());
            let after = code.get(at + word.len()..).and_then(|after| after.chars().next());
            !joins(before, word.chars().next()) && !joins(word.chars().next_back(), after)
        };
        let (at, _) = code.match_indices(word).find(alone)?;
        Some(whole.start + at..whole.start + at + word.len())
    });
    Some(found.unwrap_or(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "void main() {\n  float foops = 1.0;\n  o = foops + oops; // ö\n}\n";

    #[test]
    fn the_messages_of_all_programs_have_the_place_of_the_word_that_they_quote() {
        for printed in [
            "\nERROR: stdin:3: 'oops' : undeclared identifier \nERROR: stdin:3: '' : compilation terminated \nERROR: 2 compilation errors.  No code generated.\n",
            "ERROR: 0:3: 'oops' : undeclared identifier \nERROR: 0:3: '' : compilation terminated \nERROR: 2 compilation errors.  No code generated.\n",
            "<stdin>:3: error: 'oops' : undeclared identifier\n1 error generated.\n",
            "source:3:15: error: use of undeclared identifier 'oops'\n  o = foops + oops;\n              ^\n",
        ] {
            let refusals = refusals(printed, TEXT);
            assert_eq!(refusals.len(), 1, "{printed}");
            assert!(refusals[0].to_string().contains("undeclared identifier"));
            assert_eq!(refusals[0].position(TEXT), Some((3, 15)));
        }
    }

    #[test]
    fn a_message_without_a_quoted_word_has_the_place_of_the_line() {
        let refusals = refusals("ERROR: stdin:2: '' :  syntax error, unexpected IDENTIFIER\n", TEXT);
        assert_eq!(refusals[0].to_string(), "syntax error, unexpected IDENTIFIER");
        assert_eq!(refusals[0].bytes, Some(16..34));
        let refusals = super::refusals("ERROR: stdin:99: 'x' : no such line\n", TEXT);
        assert_eq!(refusals[0].bytes, None);
    }

    #[test]
    fn a_message_goes_on_after_a_colon() {
        let printed = "ERROR: Linking fragment stage: No function definition (body) found: \n    f(vf2;\n";
        let refusals = refusals(printed, TEXT);
        assert_eq!(refusals[0].to_string(), "Linking fragment stage: No function definition (body) found: f(vf2;");
    }

    #[test]
    fn what_is_printed_without_errors_is_reported_whole() {
        assert_eq!(
            refusals("Segmentation fault\n", TEXT)[0].to_string(),
            "the compiler did not read this source: Segmentation fault"
        );
        assert_eq!(refusals("", TEXT)[0].to_string(), "the compiler did not read this source: it printed no message");
    }
}
