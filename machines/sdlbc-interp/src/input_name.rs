//! Finds the inputs of a function by the names that commands and scripts use.

use sdlbc::{Builtin, Function, FunctionKind, Input, InputKind, Type};

/// Reports whether the caller can set an input. Parameters of calls, local arrays and inputs that the dispatch determines cannot
/// be set.
pub fn can_be_set(kind: InputKind) -> bool {
    match kind {
        InputKind::Local | InputKind::Shared | InputKind::Parameter => false,
        InputKind::Builtin(builtin) => !builtin.is_of_compute(),
        _ => true,
    }
}

/// Finds an input by name. The name is the input's own name, an array element such as `fc[3]` or `fc3`, or the AGAL register at
/// the input's location, such as `va0`, `v0`, `fs0` or `iid`. Returns the input's index, and the element's index if the name
/// contains one.
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

/// Returns the message about a name that refers to no input. `shown` quotes a name.
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

#[cfg(test)]
mod tests {
    use sdlbc::Id;

    use super::*;

    #[test]
    fn inputs_are_found_by_name_element_and_register() {
        let module = sdlbc::parse(
            "vertex function \"vs\" {
  input %1 place: float4 = attribute 2
  input %2 vc: float4[8] = uniform
  input %3 picture: texture2d = texture 5 { filter 0, mip 0, wrap 0 0, format 0, special 0, bias 0 }
  input %4 number: uint = builtin instanceindex
  input %5 own: float4[1] = local
}
fragment function \"fs\" {
  input %1 uv: float2 = varying 3
  input %2 picture: texture2d = texture 5 { filter 0, mip 0, wrap 0 0, format 0, special 0, bias 0 }
  input %3 front: bool = builtin frontfacing
}
",
        );
        let functions = module.expect("a module").functions;
        for (function, name, expected) in [
            (0, "place", Some((0, None))),
            (0, "va2", Some((0, None))),
            (0, "va3", None),
            (0, "vc", Some((1, None))),
            (0, "vc[3]", Some((1, Some(3)))),
            (0, "vc3", Some((1, Some(3)))),
            (0, "vs5", Some((2, None))),
            (0, "fs5", None),
            (0, "iid", Some((3, None))),
            (0, "instanceindex", Some((3, None))),
            (0, "own", None),
            (1, "v3", Some((0, None))),
            (1, "vi3", Some((0, None))),
            (1, "fi3", Some((0, None))),
            (1, "i3", Some((0, None))),
            (1, "fs5", Some((1, None))),
            (1, "frontfacing", Some((2, None))),
            (1, "iid", None),
        ] {
            assert_eq!(find_input(&functions[function], name), expected, "{name}");
        }
    }

    #[test]
    fn parameters_and_inputs_of_a_dispatch_are_not_set() {
        for kind in
            [InputKind::Parameter, InputKind::Local, InputKind::Shared, InputKind::Builtin(Builtin::WorkgroupId)]
        {
            let input = Input { id: Id(1), ty: Type::FLOAT4, name: "p".to_string(), kind };
            let function = Function { inputs: vec![input], ..Function::default() };
            assert_eq!(find_input(&function, "p"), None, "{kind:?}");
            let message = no_such_input(&function, "p", |name| format!("`{name}`"));
            assert_eq!(message, "`p` cannot be set: the function has no inputs", "{kind:?}");
        }
    }
}
