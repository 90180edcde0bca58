//! `inspect`: describes the inputs and outputs of a program, as a table for people or as JSON (docs/reflection.md).

use std::fmt::Write;

use agalc::reflect::{Constants, Register, Sampler, Stage};
use agalc::{Loaded, Reflection, reflect};
use sdlbc::{Function, InputKind, Module, OutputKind, Type};

pub(super) fn json(loaded: &Loaded<Module>) -> String {
    let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs);
    reflection.with_formats(&loaded.formats).to_json()
}

/// Describes each function by its inputs, its outputs and the number of its instructions.
pub(super) fn describe(loaded: &Loaded<Module>) -> String {
    let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs);
    let mut text = String::new();
    for (index, function) in loaded.module.functions.iter().enumerate() {
        match reflection.stages.iter().find(|stage| stage.function == index) {
            Some(stage) => describe_stage(&mut text, stage, function),
            None => describe_function(&mut text, &loaded.module, index, function, &reflection),
        }
    }
    text
}

/// A row of the table: `reads` or `writes`, the register or name, a second name, the type, the components, and a description.
type Row = [String; 6];

fn describe_stage(text: &mut String, stage: &Stage, function: &Function) {
    let count = stage.instructions;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} function `{}`: {count} instructions", stage.stage.name(), stage.name);
    let mut rows: Vec<Row> = Vec::new();
    for one in &stage.attributes {
        let what = format!("vertex attribute at location {}", one.location);
        rows.push(row("reads", &one.register, &one.name, one.ty, &one.components, what));
    }
    let (verb, reads) = match stage.stage {
        sdlbc::FunctionKind::Vertex => ("writes", false),
        _ => ("reads", true),
    };
    let varyings = || {
        stage.varyings.iter().map(|one| {
            let what = format!("varying at location {}", one.location);
            row(verb, &one.register, &one.name, one.ty, &one.components, what)
        })
    };
    rows.extend(varyings().filter(|_| reads));
    stage.constants.iter().for_each(|constants| describe_constants(&mut rows, constants));
    for one in &stage.samplers {
        rows.push(row(
            "reads",
            &one.register,
            &one.name,
            Type::Texture(one.dimension, one.texels),
            &one.components,
            sampled(one),
        ));
    }
    for one in &stage.buffers {
        let verb = if one.access == "read" { "reads" } else { "writes" };
        let what = format!("storage buffer in slot {}, {} bytes per element", one.slot, one.stride);
        rows.push([verb.into(), one.name.clone(), String::new(), format!("{}[]", one.element), String::new(), what]);
    }
    for one in &stage.images {
        let verb = if one.access == "read" { "reads" } else { "writes" };
        let ty = format!("{}{}", one.format, one.dimension.name());
        let what = format!("storage texture in slot {}", one.slot);
        rows.push([verb.into(), one.name.clone(), String::new(), ty, String::new(), what]);
    }
    for one in &stage.builtins {
        let register = one.register.unwrap_or(&one.name);
        rows.push(row("reads", register, &one.name, one.ty, &one.components, one.kind.to_string()));
    }
    for shared in function.inputs.iter().filter(|input| input.kind == InputKind::Shared) {
        rows.push(row("writes", &shared.name, &shared.name, shared.ty, "", "shared by the workgroup".to_string()));
    }
    for local in function.inputs.iter().filter(|input| input.kind == InputKind::Local) {
        rows.push(row("reads", &local.name, &local.name, local.ty, "", "slot of the function".to_string()));
    }
    for one in &stage.outputs {
        let what = match (one.kind, one.target) {
            ("position", _) => "position in clip space".to_string(),
            (_, Some(target)) => format!("colour of target {target}"),
            ("pointsize", _) => "point size".to_string(),
            ("clipdistance", _) => format!("clip distance {}", one.distance.unwrap_or(0)),
            (kind, _) => kind.to_string(),
        };
        rows.push(row("writes", one.register.as_ref().unwrap_or(&one.name), &one.name, one.ty, "", what));
    }
    rows.extend(varyings().filter(|_| !reads));
    table(text, &rows);
    if let Some([x, y, z]) = stage.workgroup {
        let _ = writeln!(text, "  runs in workgroups of {x} x {y} x {z}");
    }
    let notes = [(stage.discards, "may discard fragments"), (stage.derivatives, "uses derivatives")];
    for (_, note) in notes.iter().filter(|(holds, _)| *holds) {
        let _ = writeln!(text, "  {note}");
    }
}

/// Builds a row of the table. The name is omitted if the name and the register are equal.
fn row(verb: &str, register: &str, name: &str, ty: Type, components: &str, what: String) -> Row {
    let name = if name == register { "" } else { name };
    [verb.to_string(), register.to_string(), name.to_string(), ty.to_string(), components.to_string(), what]
}

/// Adds a row for an array of constants, and rows for its named members, its matrices and its registers that the code reads.
fn describe_constants(rows: &mut Vec<Row>, of: &Constants) {
    let file = of.file.unwrap_or(&of.name);
    let what = match (of.place, of.ty) {
        (Some(place), _) => format!("uniform in slot {}, from byte {}", place.slot, place.offset),
        (None, Type::Array(_, _, 1)) => "constants, the first register".to_string(),
        (None, Type::Array(_, _, length)) => format!("constants, the first {length} registers"),
        _ => "uniform".to_string(),
    };
    let components = match of.ty {
        Type::Vector(..) => of.registers.first().map(|one| one.components.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    rows.push(row("reads", file, &of.name, of.ty, &components, what));
    if !matches!(of.ty, Type::Array(..)) {
        return;
    }
    let mut line = |register: String, name: &str, ty: String, components: &str, what: String| {
        rows.push([String::new(), register, name.to_string(), ty, components.to_string(), what]);
    };
    for member in &of.members {
        let last = match member.ty {
            Type::Matrix { columns, .. } => member.register + u32::from(columns).saturating_sub(1),
            Type::Array(_, _, length) => member.register.saturating_add(length).saturating_sub(1),
            _ => member.register,
        };
        let letters: String = match member.ty {
            Type::Vector(_, width) if width < 4 => {
                let skipped = usize::try_from(member.component).unwrap_or(usize::MAX);
                "xyzw".chars().skip(skipped).take(usize::from(width)).collect()
            }
            _ => String::new(),
        };
        let part = match (last > member.register, letters.is_empty()) {
            (true, _) => format!("{file}{}..{last}", member.register),
            (false, true) => format!("{file}{}", member.register),
            (false, false) => format!("{file}{}.{letters}", member.register),
        };
        let what = format!("at byte {}, {} bytes", member.offset, member.size);
        line(part, &member.name, member.ty.to_string(), "", what);
    }
    for matrix in &of.matrices {
        let first =
            if matrix.indexed { format!("{file}[..+{}]", matrix.first) } else { format!("{file}{}", matrix.first) };
        let like = matrix.opcode.map(|opcode| format!(", as by {opcode}")).unwrap_or_default();
        let ty = Type::Matrix { columns: matrix.columns, rows: matrix.rows };
        line(first, "", ty.to_string(), "", format!("matrix of {} registers{like}", matrix.columns));
    }
    let mut rest = &of.registers[..];
    while let Some(first) = rest.first() {
        // Consecutive registers share a row if the same components of each register are read.
        let same = |(one, number): &(&Register, u32)| one.register == *number && one.components == first.components;
        let count = rest.iter().zip(first.register..).take_while(same).count().max(1);
        let last = rest.get(count - 1).map_or(first.register, |last| last.register);
        let numbers = if count > 1 { format!("{}..{last}", first.register) } else { last.to_string() };
        line(format!("{file}{numbers}"), "", String::new(), &first.components, "read directly".to_string());
        rest = rest.get(count..).unwrap_or_default();
    }
    if let Some(indexed) = &of.indexed {
        let bases: Vec<String> = indexed.bases.iter().map(ToString::to_string).collect();
        let what = format!("read at computed indices plus {}", bases.join(", "));
        line(format!("{file}[]"), "", String::new(), &indexed.components, what);
    }
}

/// Describes how a texture is sampled.
fn sampled(of: &Sampler) -> String {
    let pick = |names: &[&str], at: u8| names.get(usize::from(at)).unwrap_or(&"?").to_string();
    let state = of.numbers;
    let filters = ["nearest", "linear", "anisotropic 2x", "anisotropic 4x", "anisotropic 8x", "anisotropic 16x"];
    let filter = pick(&filters, state.filter);
    let mip = pick(&["no mip levels", "nearest mip level", "linear between mip levels"], state.mip);
    let wrap = |wrap| pick(&["clamp", "repeat"], wrap);
    let format = pick(&["rgba", "compressed", "compressed with alpha", "video"], state.format);
    let (u, v) = (wrap(state.wrap_u), wrap(state.wrap_v));
    let mut what = format!("sampled at slot {}: {filter}, {mip}, u {u}, v {v}, {format}", of.slot);
    if state.bias != 0 {
        let _ = write!(what, ", bias {}", of.agal.bias);
    }
    let flags = [(1, "centroid"), (2, "one component"), (4, "state set by the application")];
    for (_, flag) in flags.into_iter().filter(|(bit, _)| state.special & bit != 0) {
        let _ = write!(what, ", {flag}");
    }
    what
}

/// Describes a function that other functions call.
fn describe_function(text: &mut String, module: &Module, index: usize, function: &Function, reflection: &Reflection) {
    let callee = reflection.functions.iter().find(|callee| callee.index == index);
    let (name, count) = callee.map_or(("", 0), |callee| (callee.name.as_str(), callee.instructions));
    let called = module.debug_of(index).map_or(name, |debug| if debug.name.is_empty() { name } else { &debug.name });
    let _ = writeln!(text, "{} function `{called}`: {count} instructions", function.kind.name());
    let mut rows: Vec<Row> = Vec::new();
    for input in &function.inputs {
        let what = match input.kind {
            InputKind::Uniform | InputKind::Placed { .. } => "uniform",
            InputKind::Texture { .. } => "texture",
            InputKind::Builtin(builtin) => builtin.name(),
            InputKind::Local => "slot of the function",
            InputKind::Buffer { .. } => "storage buffer",
            InputKind::Shared => "shared by the workgroup",
            InputKind::Image { .. } => "storage texture",
            _ => "parameter",
        };
        rows.push(row("reads", &input.name, &input.name, input.ty, "", what.to_string()));
    }
    for output in function.outputs.iter().filter(|output| output.kind == OutputKind::Returned) {
        rows.push(row("writes", &output.name, &output.name, output.ty, "", "returned".to_string()));
    }
    table(text, &rows);
}

fn table(text: &mut String, rows: &[Row]) {
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| widest(column).unwrap_or(0)).collect();
    for [cells @ .., what] in rows {
        let mut line = String::from(" ");
        // A column that is empty in every row is omitted.
        for (cell, &width) in cells.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let _ = write!(line, " {cell:<width$}");
        }
        let _ = writeln!(text, "{line}  {what}");
    }
}
