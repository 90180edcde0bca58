//! The source positions of a function's instructions, for the debug table.

use sdlbc::{Debug, FunctionDebug, Lines, Module, Source, Unit};

use super::pair::number;
use super::text::Text;
use crate::options::DebugLevel;

/// Adds the source positions of a function's instructions to the debug table. For each IR instruction, `numbers` contains the
/// number of the program instruction from which the IR instruction was lifted. If the program was read from text, `line` converts
/// these numbers to line numbers.
pub(crate) fn note_source(
    module: &mut Module,
    function: u32,
    name: &str,
    text: Option<&Text>,
    mut numbers: Vec<u32>,
    line: &dyn Fn(u32) -> u32,
    debug: DebugLevel,
) {
    if debug == DebugLevel::None {
        module.debug = Debug::default();
    }
    if debug < DebugLevel::Lines {
        return;
    }
    let mut source = Source { file: name.to_string(), text: String::new(), unit: Unit::Token };
    if let Some(text) = text {
        numbers.iter_mut().for_each(|number| *number = line(*number));
        source.unit = Unit::Line;
        if debug == DebugLevel::Full {
            source.text = Text::as_str(text).to_string();
        }
    }
    let lines = Some(Lines { source: number(module.debug.sources.len()), numbers });
    module.debug.sources.push(source);
    match module.debug.functions.iter_mut().find(|debug| debug.function == function) {
        Some(debug) => debug.lines = lines,
        None => module.debug.functions.push(FunctionDebug { function, lines, ..FunctionDebug::default() }),
    }
    module.debug.functions.sort_by_key(|debug| debug.function);
}
