//! `optimise`: makes AGAL programs shorter.

use agal_front::check::check;
use agal_front::disassemble::disassemble;
use agal_front::{Finding, Rules};
use agalc::{LONGEST, Size, optimise_agal};
use anyhow::{Result, anyhow};

use super::loading::{program, with_names};
use crate::args::{Convert, Optimise};
use crate::files::Files;
use crate::output::{Kind, PendingOutput, Sink, check_name, usage};
use crate::phrases::counted;
use crate::report;

/// Formats a size, such as `7 tokens and 2 temporaries`.
fn size(Size { tokens, temporaries }: Size) -> String {
    let tokens = counted(tokens, "token", "tokens");
    format!("{tokens} and {}", counted(temporaries as usize, "temporary", "temporaries"))
}

pub(super) fn run(files: &Files, args: &Optimise) -> Result<()> {
    let Optimise { inputs, outputs, text, judging } = args;
    if inputs.len() != outputs.len() {
        return usage(format!(
            "{} inputs and {} outputs: name an output for each input, in the same order",
            inputs.len(),
            outputs.len()
        ));
    }
    for output in outputs {
        check_name(output, "AGAL", &Kind::NOT_AGAL)?;
    }
    let (mut made, mut notes) = (Vec::new(), Vec::new());
    for (input, output) in inputs.iter().zip(outputs) {
        let convert =
            Convert { input: input.clone(), output: output.clone(), text: text.clone(), judging: judging.clone() };
        let program = program(files, &convert, "`agalc compile` optimises it")?;
        let Some(agal) = program.agal() else {
            return Err(anyhow!("`{}` is not AGAL, and only AGAL can be made shorter", input.display()));
        };
        let shorter = optimise_agal(&agal.program);
        let [before, after] = [&agal.program, &shorter].map(Size::of);
        let mut note = match before == after {
            true => format!("{}: no program shorter than {} was found", program.name, size(after)),
            false => format!(
                "{}: tokens from {} to {}, temporaries from {} to {}",
                program.name, before.tokens, after.tokens, before.temporaries, after.temporaries
            ),
        };
        let found = check(&[&agal.program], &Rules::default()).concat();
        if agal.program.tokens.len() > LONGEST {
            note.push_str(&format!("; a program of more than {LONGEST} tokens is left as it is"));
        }
        if let Some(error) = found.iter().find(|finding| Finding::is_error(finding)) {
            note.push_str(&format!("; a program with an error is left as it is: {error}"));
        }
        notes.push(note);
        let sink = Sink::new(output);
        made.push(match output.extension().is_some_and(|of| of.eq_ignore_ascii_case("agalbc")) {
            true => PendingOutput::binary(sink, "AGAL", shorter.encode()),
            false => {
                // The names of temporaries are dropped, because a temporary no longer contains the value that its name describes.
                let names = agal.names.iter().map(ToString::to_string);
                let kept = names.filter(|name| !name.starts_with("vt") && !name.starts_with("ft"));
                let comments: String = kept.map(|name| format!("// {name}\n")).collect();
                PendingOutput::text(sink, "AGAL text", with_names(disassemble(&shorter), &comments))
            }
        });
    }
    files.write(made)?;
    // The notes follow the outputs, because each note is about an output that was written.
    notes.iter().for_each(|note| report::note(note));
    Ok(())
}
