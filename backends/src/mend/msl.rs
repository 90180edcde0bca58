//! Mends the Metal Shading Language that naga writes.
//!
//! naga writes `metal::` before each name of the namespace `metal`, and wraps arrays in structures. naga also copies the
//! arguments of entry points from structures, and the results to structures. This module writes the same code without prefixes,
//! wrappers and copies.
//!
//! Rule: each step replaces exactly what naga 30 writes, and leaves any other text unchanged.

use std::borrow::Cow;
use std::collections::HashMap;

use naga::ShaderStage;

use crate::error::Error;
use crate::interface::Resource;
use crate::lower::Lowered;
use crate::mend::arithmetic::{OWN_FUNCTIONS, exact_limits, plain_offsets};
use crate::mend::exchanges::{self, plain_exchanges};
use crate::mend::items::{Function, Item, Struct, declared, functions, items, take_struct, text_of};
use crate::mend::names::{Given, Names, Scope};
use crate::mend::text::{is_word, map_words, operands, operands_of, renamed, replaced, words};
use crate::mend::{msl_memory, tidy};
use crate::versions::MslVersion;

/// Mends the text of a program, and replaces its labels with names. Also returns the size tables that the application must pass.
///
/// Upstream fault `metal_prefix`: `back/msl/writer.rs` writes `metal::` before each name of the namespace `metal`, although
/// `using namespace metal;` makes the prefix needless.
///
/// Upstream fault `default_qualifiers`: `TypeContext::fmt` and `ResolvedBinding::try_fmt` in `back/msl` write `access::sample`
/// and `center_perspective`, which are the defaults.
pub(crate) fn mended(
    text: &str,
    lowered: &Lowered,
    version: MslVersion,
) -> Result<(String, Given, Vec<Resource>), Error> {
    // `sample` is the default access of a texture, and `center_perspective` is the default interpolation of a varying.
    let text = text.replace(", metal::access::sample>", ">").replace(", center_perspective]]", "]]");
    // A function's attribute is written on a separate line.
    let text = text.replace("metal::", "").replace(")]] kernel ", ")]]\nkernel ");
    let text = constructors(&text);
    let text = plain_exchanges(&text);
    let mut names = lowered.names.clone();
    let mut items = items(&text);
    items
        .retain(|item| !matches!(item, Item::Line(line) if line.starts_with(['#', '/']) || line.starts_with("using ")));
    plain_arrays(&mut items);
    functions(&mut items).for_each(gradients);
    unpacked(&mut items);
    end_padding(&mut items, &mut names);
    let variable = names.label(Scope::Module, "input");
    for entry in &lowered.module.entry_points {
        input(&mut items, &entry.name, entry.stage, &variable, &mut names);
        output(&mut items, &entry.name, entry.stage, &mut names);
    }
    let tables = msl_memory::memory(&mut items, lowered, version, &mut names)?;
    let exchanges = text.contains(exchanges::FUNCTION.0).then_some(exchanges::FUNCTION);
    let own = OWN_FUNCTIONS.into_iter().chain(exchanges);
    let own: Vec<_> = own.map(|(naga, ours)| (naga, names.label(Scope::Module, ours))).collect();
    let text =
        plain_offsets(&exact_limits(&text_of(&items)), ["as_type<int>(as_type<uint>(", ") + as_type<uint>(", "))"]);
    let text = text.replace(exchanges::TEMPLATE.0, exchanges::TEMPLATE.1);
    let text = renamed(&text, |word| own.iter().find(|(naga, _)| *naga == word).map(|(_, ours)| &ours[..]));
    let (text, mut given) = names.resolve(&tidy::c_like(&literals(&text)), None);
    Ok((given.with_heading("#include <metal_stdlib>\n\nusing namespace metal;\n\n", &text), given, tables))
}

/// Declares arrays without the structures that naga puts around them. Constants are passed as a pointer to the first element, so
/// only the array of clip distances is used as a value.
///
/// Upstream fault `array_wrappers`: `Writer::write_type_defs` in `back/msl/writer.rs` puts a structure around each array, so that
/// the array can be a value.
fn plain_arrays(items: &mut Vec<Item>) {
    let wrapper = |item: &Item| match item {
        Item::Struct(Struct { name, members }) => match &members[..] {
            [member] => {
                let (element, length) = member.strip_suffix(']')?.split_once(" inner[")?;
                Some((name.clone(), element.to_string(), length.to_string()))
            }
            _ => None,
        },
        _ => None,
    };
    let wrappers: Vec<(String, String, String)> = items.iter().filter_map(wrapper).collect();
    items.retain(|item| wrapper(item).is_none());
    let declaration = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let plain = wrappers.iter().find_map(|(name, element, length)| {
            let declared = line[indent..].strip_prefix(name.as_str())?.strip_prefix(' ')?;
            let end = declared.find([' ', ';']).unwrap_or(declared.len());
            Some(format!("{}{element} {}[{length}]{}", &line[..indent], &declared[..end], &declared[end..]))
        });
        let mut line = plain.unwrap_or_else(|| line.to_string()).replace(".inner[", "[");
        for (name, ..) in &wrappers {
            // The only array that is used as a value contains the clip distances. The array is the last member of the result.
            let built = format!(", {name} {{{{");
            if line.contains(&built) {
                line = line.replace(&built, ", {").replace("}}};", "}};");
            }
        }
        line
    };
    let pointer = |argument: &mut String| {
        for (name, element, _) in &wrappers {
            *argument = argument.replacen(&format!(" {name}& "), &format!(" {element}* "), 1);
        }
    };
    for item in items.iter_mut() {
        match item {
            Item::Line(_) => {}
            Item::Struct(of) => of.members.iter_mut().for_each(|member| *member = declaration(member)),
            Item::Function(of) => {
                of.arguments.iter_mut().for_each(pointer);
                of.body.iter_mut().for_each(|line| *line = initialised(&declaration(line)));
            }
        }
    }
}

/// Replaces `gradient2d` with `gradient3d` for 3D textures and with `gradientcube` for cube textures.
///
/// Upstream fault `gradients`: `Writer::put_image_sample_level` in `back/msl/writer.rs` writes `gradient2d` for cube and 3D
/// textures too, which every compiler rejects. No upstream issue is known.
fn gradients(function: &mut Function) {
    const OF_NAGA: &str = "gradient2d(";
    let arguments = &function.arguments;
    let of_texture = |texture: &str| {
        let argument = arguments.iter().find(|argument| declared(argument) == texture)?;
        let volume = argument.starts_with("texture3d<").then_some("gradient3d(");
        let cube = ["texturecube", "depthcube"].iter().any(|ty| argument.starts_with(ty)).then_some("gradientcube(");
        volume.or(cube)
    };
    for line in function.body.iter_mut().filter(|line| line.contains(OF_NAGA)) {
        // The sampled texture of each call that is still open, or `None` for a call that does not sample a texture.
        let mut open: Vec<Option<&str>> = Vec::new();
        let mut changes = Vec::new();
        for (at, c) in line.char_indices() {
            match c {
                '(' => {
                    let called = line[..at].strip_suffix(".sample");
                    let texture = called.and_then(|called| words(called).last());
                    if line[..=at].ends_with(OF_NAGA)
                        && let Some(Some(texture)) = open.last()
                        && let Some(gradient) = of_texture(texture)
                    {
                        changes.push((at + 1 - OF_NAGA.len()..at + 1, gradient));
                    }
                    open.push(texture);
                }
                ')' => drop(open.pop()),
                _ => {}
            }
        }
        for (range, gradient) in changes.into_iter().rev() {
            line.replace_range(range, gradient);
        }
    }
}

/// Reads packed vectors in the form that every version of Metal allows: a component by its index, and a whole vector by a
/// conversion. The components of a packed vector have names only in version 2.1 and later, and the specification does not say
/// which operators and functions accept a packed vector.
///
/// Upstream fault `packed_components`: `Writer::put_expression` in `back/msl/writer.rs` reads a component of a packed vector by
/// its name. The writer converts a whole vector only in a swizzle (`put_wrapped_expression_for_packed_vec3_access`), and only if
/// the load is inlined there.
fn unpacked(items: &mut [Item]) {
    let packed = |member: &String| {
        let ty = member.strip_prefix("packed_")?.split(' ').next()?;
        Some((declared(member).to_string(), ty.to_string()))
    };
    let members = items.iter().filter_map(|item| if let Item::Struct(of) = item { Some(&of.members) } else { None });
    let packed: HashMap<String, String> = members.flatten().filter_map(packed).collect();
    if packed.is_empty() {
        return;
    }
    for line in functions(items).flat_map(|function| &mut function.body) {
        let mut rest = std::mem::take(line);
        // The scan runs from right to left, so that it also finds reads inside the brackets of an access expression.
        let mut done = String::new();
        while let Some(dot) = rest.rfind('.') {
            let after = rest.split_off(dot);
            let member = words(&after).next().unwrap_or_default();
            let known = packed.get(member).filter(|_| after[1..].starts_with(member));
            let Some(ty) = known else {
                done.insert_str(0, &after);
                continue;
            };
            let beyond = &after[1 + member.len()..];
            let following = format!("{beyond}{done}");
            let component = following.strip_prefix('.').and_then(|swizzle| words(swizzle).next());
            let index = component.and_then(|swizzle| ["x", "y", "z"].iter().position(|name| *name == swizzle));
            if following.starts_with('[') {
                done.insert_str(0, &after);
            } else if let Some(index) = index {
                done = format!(".{member}[{index}]{}", &following[2..]);
            } else {
                let place = rest.split_off(place_before(&rest));
                // naga already converts a packed vector in a swizzle.
                let (before, beyond) = match following.strip_prefix(')').filter(|_| is_called(&rest, ty)) {
                    Some(beyond) => (String::new(), format!("){beyond}")),
                    None => (format!("{ty}("), format!("){following}")),
                };
                done = format!("{before}{place}.{member}{beyond}");
                // The brackets of the access expression may contain further reads of packed vectors.
                let head = before.len() + place.len();
                let tail = done.split_off(head);
                rest += &done;
                done = tail;
            }
        }
        *line = rest + &done;
    }
}

fn is_called(text: &str, name: &str) -> bool {
    let before = text.strip_suffix('(').and_then(|text| text.strip_suffix(name));
    before.is_some_and(|before| !before.ends_with(is_word))
}

/// Returns the start of the access expression at the end of a text. An access expression consists of names, dots and indices.
fn place_before(text: &str) -> usize {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == ']') - i32::from(c == '[');
        depth == 0 && !(is_word(c) || matches!(c, '.' | '['))
    };
    text.rfind(outside).map_or(0, |at| at + 1)
}

/// Removes naga's padding, which no code reads, from the ends of structures, and renames other padding.
///
/// Upstream fault `end_padding`: `Writer::write_type_defs` in `back/msl/writer.rs` writes padding at the end of a structure even
/// if the structure is not an array element.
fn end_padding(items: &mut [Item], names: &mut Names) {
    let is_padding = |member: &str| member.starts_with("char _pad");
    for item in items {
        let Item::Struct(of) = item else { continue };
        of.members.pop_if(|member| is_padding(member));
        let Some(beside) = of.members.iter().find(|member| !is_padding(member)) else { continue };
        let beside = declared(beside).to_string();
        for member in of.members.iter_mut().filter(|member| is_padding(member)) {
            *member = member.replacen(declared(member), &names.beside(&beside, "padding"), 1);
        }
    }
}

/// Writes the zero that initialises a variable in the usual form for the variable's type, instead of naga's `{}`.
///
/// Upstream fault `empty_initialisers`: `Writer::put_locals` in `back/msl/writer.rs` writes `{}` as the zero of every type.
fn initialised(line: &str) -> String {
    let plain = || {
        let declaration = line.strip_suffix(" = {};")?;
        let zero = match declaration.trim_start().split_once(' ')? {
            ("float", _) => "0.0",
            ("int", _) => "0",
            ("uint", _) => "0u",
            ("bool", _) => "false",
            (ty, name) if !name.ends_with(']') && ty.starts_with("float") && !ty.contains('x') => {
                return Some(format!("{declaration} = {ty}(0.0);"));
            }
            _ => return None,
        };
        (!declaration.ends_with(']')).then(|| format!("{declaration} = {zero};"))
    };
    plain().unwrap_or_else(|| line.to_string())
}

/// Reads a stage's inputs from their structure, without naga's copies.
///
/// Upstream fault `input_copies`: `Writer::write_functions` in `back/msl/writer.rs` copies each member of `[[stage_in]]` to a
/// local variable.
fn input(items: &mut Vec<Item>, entry: &str, stage: ShaderStage, variable: &str, names: &mut Names) {
    let structure = format!("{entry}Input");
    let Some(function) = functions(items).find(|function| function.name() == entry) else { return };
    let Some(argument) = function.arguments.iter_mut().find(|argument| argument.starts_with(&structure)) else {
        // All inputs of the stage are builtins, which are separate arguments.
        take_struct(items, &structure);
        return;
    };
    let varyings = declared(argument).to_string();
    let name = names.label(Scope::Module, if stage == ShaderStage::Vertex { "Vertex" } else { "Fragment" });
    *argument = format!("{name} {variable} [[stage_in]]");
    // naga writes each copy as `const auto name = varyings.name;`.
    let copied = |line: &String| {
        let (local, member) = line.trim().strip_prefix("const auto ")?.strip_suffix(';')?.split_once(" = ")?;
        let member = member.strip_prefix(&varyings)?.strip_prefix('.')?;
        Some((local.to_string(), format!("{variable}.{member}")))
    };
    let copies: Vec<(String, String)> = function.body.iter().filter_map(copied).collect();
    function.body.retain(|line| copied(line).is_none());
    for line in &mut function.body {
        *line = renamed(line, |word| copies.iter().find(|(local, _)| local == word).map(|(_, member)| &member[..]));
    }
    rename_struct(items, &structure, &name);
}

/// Returns results without naga's second structure, and a single colour without any structure.
///
/// Upstream fault `result_copies`: `Writer::put_return_value` in `back/msl/writer.rs` builds a result, and copies it to another
/// structure with the same members.
fn output(items: &mut Vec<Item>, entry: &str, stage: ShaderStage, names: &mut Names) {
    let structure = format!("{entry}Output");
    let Some(Struct { members, .. }) = take_struct(items, &structure) else { return };
    let Some(function) = functions(items).find(|function| function.name() == entry) else { return };
    let mut name = None;
    let mut single = None;
    let mut body = Vec::with_capacity(function.body.len());
    let mut lines = std::mem::take(&mut function.body).into_iter().peekable();
    while let Some(line) = lines.next() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        let value = line.trim().strip_prefix("return ").and_then(|rest| rest.strip_suffix(';'));
        // naga writes `const auto _tmp = Varyings {a, b};` and `return vs_mainOutput { _tmp.a, _tmp.b };`.
        let built =
            line.trim().strip_prefix("const auto _tmp").and_then(|rest| rest.strip_suffix(';')?.split_once(" = "));
        let returned = |next: &String| next.trim_start().starts_with(&format!("return {structure} {{"));
        if let Some((_, value)) = built
            && lines.next_if(returned).is_some()
        {
            let (ty, operands) = value.split_once('{').unwrap_or((value, "}"));
            let operands = operands.trim().strip_suffix('}').unwrap_or(operands).trim();
            // naga writes `{}` for padding, which the returned structure does not have.
            let operands: Vec<String> = operands_of(operands);
            let operands: Vec<&str> = operands.iter().map(String::as_str).filter(|&operand| operand != "{}").collect();
            let operands =
                if operands.is_empty() { "{}".to_string() } else { format!("{{ {} }}", operands.join(", ")) };
            name = Some(ty.trim_end().to_string());
            body.push(format!("{indent}return {} {operands};", ty.trim_end()));
        } else if let Some(value) = value.and_then(|value| operands(value, &structure, ['{', '}'])) {
            single = members.first().filter(|_| members.len() == 1);
            body.push(format!("{indent}return {structure} {{ {} }};", value.join(", ")));
        } else {
            body.push(line);
        }
    }
    function.body = body;
    let is_colour = |member: &&String| member.ends_with("[[color(0)]]");
    if let Some(colour) = single.filter(is_colour) {
        let ty = words(colour).next().unwrap_or_default();
        function.head = function.head.replacen(&structure, ty, 1);
        for line in &mut function.body {
            if let Some((before, rest)) = line.split_once(&format!("return {structure} {{ ")) {
                *line = format!("{before}return {};", rest.trim_end_matches(" };"));
            }
        }
        return;
    }
    let label = match (name, stage) {
        (Some(name), _) => name,
        (None, ShaderStage::Vertex) => names.label(Scope::Module, "Varyings"),
        (None, _) => names.label(Scope::Module, "Targets"),
    };
    let members = match single {
        // If the module's result is not a structure, naga names the only member of the result structure.
        Some(member) => {
            let base = if stage == ShaderStage::Vertex { "position" } else { "value" };
            let scope = names.members();
            vec![member.replacen(&format!(" {} ", declared(member)), &format!(" {} ", names.label(scope, base)), 1)]
        }
        None => members,
    };
    take_struct(items, &label);
    let at = items.iter().position(|item| matches!(item, Item::Function(of) if of.name() == entry)).unwrap_or(0);
    items.insert(at, Item::Struct(Struct { name: structure.clone(), members }));
    rename_struct(items, &structure, &label);
}

/// Renames a structure in its declaration and wherever a function mentions it.
fn rename_struct(items: &mut [Item], from: &str, to: &str) {
    let rename = |text: &mut String| *text = renamed(text, |word| (word == from).then_some(to));
    for item in items {
        match item {
            Item::Line(line) => rename(line),
            Item::Struct(of) => rename(&mut of.name),
            Item::Function(of) => {
                rename(&mut of.head);
                of.arguments.iter_mut().chain(&mut of.body).for_each(rename);
            }
        }
    }
}

/// Writes conversions as constructors, which Metal has for every numeric type: `static_cast<int>(x)` becomes `int(x)`.
///
/// Upstream fault `static_casts`: `Expression::As` in `back/msl/writer.rs` writes a `static_cast` for every conversion.
fn constructors(text: &str) -> String {
    replaced(text, "static_cast<", |_, after| {
        let (ty, rest) = after.split_once(">(")?;
        Some((format!("{ty}(").into(), rest))
    })
}

/// Writes small numbers, which naga writes with forty digits, in exponent notation, such as 1e-37.
///
/// Upstream fault `small_literals`: `Writer::put_literal` in `back/msl/writer.rs` writes floats as Rust's `{}` does, with all
/// leading zeroes.
fn literals(text: &str) -> String {
    map_words(
        text,
        |c| is_word(c) || c == '.',
        |_, word| {
            let value = word.parse::<f32>().ok().filter(|_| word.starts_with("0.000"))?;
            Some(format!("{value:?}").into()).filter(|value: &Cow<'_, str>| value.len() < word.len())
        },
    )
}
