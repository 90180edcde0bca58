//! The note about missing constants and vertex data: their assumed values, and the options that set these values.

use agalc_scene::{Assumed, Holds};
use sdlbc::{FunctionKind, Module, Type};

use crate::phrases::{FEW, first_few, listed};

/// Returns the one-line note about missing constants and attributes, or `None` if no value is missing.
pub(super) fn note(assumed: &Assumed, module: &Module) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for (holds, what) in [
        (Holds::Clip, "the clip-space matrix of a camera above the mesh"),
        (Holds::Identity, "an identity matrix"),
        (Holds::Ones, "1"),
    ] {
        let names = names(assumed, module, holds);
        if !names.is_empty() {
            parts.push(format!("{what} in {}", first_few(&names, FEW)));
        }
    }
    let attributes: Vec<String> = assumed.attributes.iter().map(|location| format!("va{location}")).collect();
    let of_mesh = format!("the mesh has no data for {}, which is 1 at each vertex", first_few(&attributes, FEW));
    let of_mesh = Some(of_mesh).filter(|_| !attributes.is_empty());
    let help = help(assumed, module);
    let of_constants = help.map(|help| format!("values assumed for missing constants: {}; {help}", parts.join(", ")));
    let usual: Vec<String> = assumed.usual.iter().map(|(location, word)| format!("`va{location}` is {word}")).collect();
    let of_usual = assumed.usual.first().map(|(location, _)| {
        format!(
            "assumed for missing vertex data: {}; set the data with `--attribute va{location}=...`",
            usual.join(", ")
        )
    });
    // Assumed texture coordinates alone do not cause a note, because most programs use the coordinates of the mesh.
    let has_more = assumed.usual.iter().any(|(location, _)| *location > 1);
    let of_usual = of_usual.filter(|_| has_more || of_constants.is_some() || of_mesh.is_some());
    let all: Vec<String> = of_constants.into_iter().chain(of_usual).chain(of_mesh).collect();
    Some(all.join("; ")).filter(|text| !text.is_empty())
}

/// Returns the names of constants whose assumed value is `holds`. Consecutive registers form a range such as `vc0`-`vc3`, and the
/// names of members follow in brackets, as in `fc0` (`to_light`, `shininess`).
fn names(assumed: &Assumed, module: &Module, holds: Holds) -> Vec<String> {
    let mut runs: Vec<(FunctionKind, u32, u32, Vec<String>)> = Vec::new();
    for (&(stage, number), _) in assumed.registers.iter().filter(|(_, of)| **of == holds) {
        let members = members(module, stage, number);
        match runs.last_mut() {
            Some((of, _, last, before))
                if *of == stage && last.checked_add(1) == Some(number) && *before == members =>
            {
                *last = number;
            }
            _ => runs.push((stage, number, number, members)),
        }
    }
    let shown = |(stage, first, last, members): (FunctionKind, u32, u32, Vec<String>)| {
        let file = file(stage);
        let name = if first == last { format!("`{file}{first}`") } else { format!("`{file}{first}`-`{file}{last}`") };
        if members.is_empty() { name } else { format!("{name} ({})", listed(&members)) }
    };
    let uniforms = assumed.uniforms.iter().filter(|(_, of)| **of == holds);
    runs.into_iter().map(shown).chain(uniforms.map(|((_, name), _)| format!("`{name}`"))).collect()
}

fn file(stage: FunctionKind) -> &'static str {
    if stage == FunctionKind::Vertex { "vc" } else { "fc" }
}

/// Returns the names of the members that occupy a register.
fn members(module: &Module, stage: FunctionKind, number: u32) -> Vec<String> {
    let of = || {
        let index = module.functions.iter().position(|function| function.kind == stage)?;
        let (name, _) = agalc_scene::registers(module, stage)?;
        let input = module.functions.get(index)?.inputs.iter().find(|input| input.name == name)?;
        module.debug_of(index)?.members.get(&input.id)
    };
    let is_here =
        |member: &&sdlbc::Member| (member.first..member.first.saturating_add(member.elements())).contains(&number);
    of().into_iter().flatten().filter(is_here).map(|member| member.name.clone()).collect()
}

/// Returns advice on how to set one of the assumed constants in a file of constants.
fn help(assumed: &Assumed, module: &Module) -> Option<String> {
    let ones = assumed.registers.iter().find(|(_, holds)| **holds == Holds::Ones);
    let register = ones.or(assumed.registers.iter().next());
    // In a file of constants, the words `clip` and `model` stand for the assumed matrices.
    let word = register.and_then(|(_, holds)| match holds {
        Holds::Clip => Some("\"clip\""),
        Holds::Identity => Some("\"model\""),
        Holds::Ones => None,
    });
    let (table, key, count) = match (register, assumed.uniforms.keys().next()) {
        (Some(((stage, number), _)), _) => ("constants".to_string(), format!("{}{number}", file(*stage)), 4),
        (None, Some((stage, name))) => {
            let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let is_bare = !name.is_empty() && name.chars().all(is_bare);
            // TOML and JSON escape a quoted name in the same way.
            let key = if is_bare { name.clone() } else { serde_json::Value::from(name.as_str()).to_string() };
            (format!("uniforms.{}", stage.name()), key, components(module, *stage, name))
        }
        (None, None) => return None,
    };
    let value = match (word, count) {
        (Some(word), _) => word.to_string(),
        (None, 0..=4) => format!("[{}]", vec!["1"; count].join(", ")),
        (None, _) => "[1, 1, ...]".to_string(),
    };
    let of = if count > 4 { format!(", {count} numbers") } else { String::new() };
    Some(format!("set them with `--constants FILE`, a file with `[{table}]` and lines like `{key} = {value}`{of}"))
}

fn components(module: &Module, stage: FunctionKind, name: &str) -> usize {
    let function = module.functions.iter().find(|function| function.kind == stage);
    let input = function.and_then(|function| function.inputs.iter().find(|input| input.name == name));
    match input.map(|input| input.ty) {
        Some(Type::Vector(_, width)) => usize::from(width),
        Some(Type::Matrix { columns, rows }) => usize::from(columns) * usize::from(rows),
        Some(Type::Array(_, width, length)) => usize::from(width).saturating_mul(length as usize),
        _ => 1,
    }
}
