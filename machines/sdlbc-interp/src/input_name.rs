//! The inputs of a function by name, as commands and scripts set them.

use sdlbc::{Builtin, Function, FunctionKind, Input, InputKind, Type};

/// Whether an input can be set: it is no parameter of a call, neither local to the function nor determined by the dispatch.
pub fn can_be_set(kind: InputKind) -> bool {
    match kind {
        InputKind::Local | InputKind::Shared | InputKind::Parameter => false,
        InputKind::Builtin(builtin) => !builtin.is_of_compute(),
        _ => true,
    }
}

/// Finds the input that a name refers to: its own name, an element of an array (`fc[3]` or `fc3`), or the AGAL register for its
/// location (`va0`, `v0`, `fs0`, `iid`). Returns the input's index, and the element if the name contains one.
pub fn find_input(function: &Function, name: &str) -> Option<(usize, Option<u32>)> {
    let find =
        |is: &dyn Fn(&Input) -> bool| function.inputs.iter().position(|input| can_be_set(input.kind) && is(input));
    if let Some(input) = find(&|input| input.name == name) {
        return Some((input, None));
    }
    let (base, number) = match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((base, number)) => (base, number),
        None => name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len()),
    };
    let number: Option<u32> = number.parse().ok();
    let array = find(&|input| input.name == base && matches!(input.ty, Type::Array(..)));
    if let (Some(input), Some(element)) = (array, number) {
        return Some((input, Some(element)));
    }
    let sampler = if function.kind == FunctionKind::Vertex { "vs" } else { "fs" };
    let is_register = |input: &Input| match (input.kind, number) {
        (InputKind::Attribute { location }, Some(number)) => base == "va" && location == number,
        (InputKind::Varying { location, .. }, Some(number)) => {
            matches!(base, "v" | "vi" | "fi" | "i") && location == number
        }
        (InputKind::Texture { slot, .. }, Some(number)) => base == sampler && slot == number,
        (InputKind::Builtin(Builtin::InstanceIndex), None) => matches!(name, "iid" | "instanceindex"),
        (InputKind::Builtin(builtin), None) => name == builtin.name(),
        _ => false,
    };
    Some((find(&is_register)?, None))
}

/// The message about a name that refers to no input. `shown` writes a name in quotes.
pub fn no_such_input(function: &Function, name: &str, shown: impl Fn(&str) -> String) -> String {
    let all = function.inputs.iter().filter(|input| can_be_set(input.kind));
    let all: Vec<String> = all.map(|input| shown(&input.name)).collect();
    let name = shown(name);
    match all.split_last() {
        None => format!("{name} cannot be set: the function has no inputs"),
        Some((one, [])) => format!("{name} cannot be set: the only input of the function is {one}"),
        Some((last, others)) => {
            format!("{name} cannot be set: the inputs of the function are {} and {last}", others.join(", "))
        }
    }
}
