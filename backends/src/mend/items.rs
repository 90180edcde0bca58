//! Parses the HLSL or MSL that naga writes into items: single lines, structures and functions.
//!
//! The text still has labels instead of names, so a word of the language is never a name from the module. naga begins each
//! declaration outside functions at the start of a line, and closes each structure and function with a separate line.

use std::collections::HashMap;

use crate::mend::text::{operands_of, words};

/// A top-level part of the HLSL or MSL that naga writes.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A directive or a declaration on a single line.
    Line(String),
    Struct(Struct),
    Function(Function),
}

#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// The declarations of the structure's members, without semicolons.
    pub(crate) members: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// The attribute line before the function, such as `[numthreads(64, 1, 1)]`.
    pub(crate) attribute: Option<String>,
    /// The text before the argument list, such as `float4 name`.
    pub(crate) head: String,
    pub(crate) arguments: Vec<String>,
    /// The text after the argument list, such as ` : SV_Position`.
    pub(crate) tail: String,
    /// The lines between the function's braces, with indentation.
    pub(crate) body: Vec<String>,
}

impl Function {
    pub(crate) fn name(&self) -> &str {
        self.head.rsplit(' ').next().unwrap_or_default()
    }
}

pub(crate) fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")) {
            let members = lines.by_ref().take_while(|line| *line != "};");
            let members = members.map(|member| member.trim().trim_end_matches(';').to_string());
            items.push(Item::Struct(Struct { name: name.to_string(), members: members.collect() }));
        } else if line.ends_with([';', '}']) || line.starts_with(['#', '/']) {
            items.push(Item::Line(line.to_string()));
        } else {
            let attribute = (line.starts_with('[') && line.ends_with(']')).then(|| line.to_string());
            let line = if attribute.is_some() { lines.next().unwrap_or_default() } else { line };
            let mut signature = line.to_string();
            while !signature.ends_with('{') {
                let Some(more) = lines.next() else { break };
                signature += more;
            }
            let body: Vec<String> = lines.by_ref().take_while(|line| *line != "}").map(str::to_string).collect();
            let signature = signature.trim_end_matches('{').trim_end();
            let (head, rest) = signature.split_once('(').unwrap_or((signature, ")"));
            let (arguments, tail) = rest.rsplit_once(')').unwrap_or((rest, ""));
            let mut arguments: Vec<String> = operands_of(arguments);
            arguments.retain(|argument| !argument.is_empty());
            // The comma in `texture2d<float, access::read> name` does not separate arguments.
            for at in (1..arguments.len()).rev() {
                if arguments[at - 1].contains('<') && !arguments[at - 1].contains('>') {
                    let rest = arguments.remove(at);
                    arguments[at - 1] += &format!(", {rest}");
                }
            }
            let (head, tail) = (head.to_string(), tail.to_string());
            items.push(Item::Function(Function { attribute, head, arguments, tail, body }));
        }
    }
    items
}

/// The maximum length of a function's head on one line, in characters. The limit is approximate, because names are not known yet.
const LONGEST: usize = 110;

pub(crate) fn text_of(items: &[Item]) -> String {
    let mut text = String::new();
    let mut follows_line = false;
    for item in items {
        let is_line = matches!(item, Item::Line(_));
        if !(text.is_empty() || is_line && follows_line) {
            text.push('\n');
        }
        follows_line = is_line;
        match item {
            Item::Line(line) => text += &format!("{line}\n"),
            Item::Struct(Struct { name, members }) => {
                let members: String = members.iter().map(|member| format!("    {member};\n")).collect();
                text += &format!("struct {name} {{\n{members}}};\n");
            }
            Item::Function(function) => text += &written(function),
        }
    }
    text
}

fn written(Function { attribute, head, arguments, tail, body }: &Function) -> String {
    let one_line = arguments.join(", ");
    let arguments = match head.len() + one_line.len() + tail.len() <= LONGEST {
        true => one_line,
        false => format!("\n    {}\n", arguments.join(",\n    ")),
    };
    let body: String = body.iter().map(|line| format!("{line}\n")).collect();
    let attribute = attribute.as_ref().map_or(String::new(), |attribute| format!("{attribute}\n"));
    format!("{attribute}{head}({arguments}){tail} {{\n{body}}}\n")
}

pub(crate) fn functions(items: &mut [Item]) -> impl Iterator<Item = &mut Function> {
    items.iter_mut().filter_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    })
}

pub(crate) fn take_struct(items: &mut Vec<Item>, name: &str) -> Option<Struct> {
    let at = items.iter().position(|item| matches!(item, Item::Struct(found) if found.name == name))?;
    match items.remove(at) {
        Item::Struct(found) => Some(found),
        _ => None,
    }
}

/// Removes functions that no code calls, except those named in `kept`.
pub(crate) fn without_unused_functions(items: &mut Vec<Item>, kept: &[&str]) {
    loop {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for item in &*items {
            let lines = match item {
                Item::Line(line) => std::slice::from_ref(line),
                Item::Struct(of) => &of.members,
                Item::Function(of) => &of.body,
            };
            for word in lines.iter().flat_map(|line| words(line)) {
                *uses.entry(word).or_default() += 1;
            }
        }
        let unused = |item: &Item| match item {
            Item::Function(function) => !kept.contains(&function.name()) && !uses.contains_key(function.name()),
            _ => false,
        };
        let Some(at) = items.iter().position(unused) else { return };
        items.remove(at);
    }
}

/// Returns the name that a declaration without a semicolon declares: the word before its semantic, attribute or size.
pub(crate) fn declared(declaration: &str) -> &str {
    let end = declaration.find([':', '[']).unwrap_or(declaration.len());
    declaration[..end].trim_end().rsplit([' ', '*', '&']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_and_written_unchanged() {
        let text = "#include <a>\n\nstruct A {\n    float4 a : LOC0;\n    float b[3];\n};\n\nTexture2D<float4> t : register(t0);\nint f(int x) {\n    if (x > 0) {\n        return 1;\n    }\n    return x;\n}\n\nfloat4 g(float4 p : LOC0) : SV_Position {\n    return p;\n}\n";
        let read = items(text);
        assert_eq!(text_of(&read), text.replace("\nint f", "\n\nint f"));
        let [.., Item::Function(f), Item::Function(g)] = &read[..] else { panic!("{read:?}") };
        assert_eq!((f.name(), g.name(), &g.tail[..]), ("f", "g", " : SV_Position"));
        let mut read = read.clone();
        without_unused_functions(&mut read, &["g"]);
        assert!(!text_of(&read).contains("int f"));
    }
}
