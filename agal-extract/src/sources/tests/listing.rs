//! Lists compiled units as text, for comparison with the expected results of tests.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;
use swf::avm2::read::Reader;
use swf::avm2::types::{AbcFile, DefaultValue, Index, Multiname, Namespace, Op, Trait, TraitKind};
use swf::extensions::ReadSwfExt;

use crate::sources::Unit;
use crate::strings::pattern;

pub(super) fn of(unit: &Unit) -> String {
    let mut out = String::new();
    let abc = &unit.abc;
    for (instance, class) in abc.instances.iter().zip(&abc.classes) {
        let kind = if instance.is_interface { "interface" } else { "class" };
        let _ = write!(out, "{kind} {}", name(abc, instance.name));
        if instance.super_name.0 != 0 {
            let _ = write!(out, " extends {}", name(abc, instance.super_name));
        }
        for interface in &instance.interfaces {
            let _ = write!(out, " implements {}", name(abc, *interface));
        }
        out.push('\n');
        class.traits.iter().for_each(|one| member(&mut out, unit, one, "static "));
        method(&mut out, unit, class.init_method.0, "  static initialiser");
        instance.traits.iter().for_each(|one| member(&mut out, unit, one, ""));
        method(&mut out, unit, instance.init_method.0, "  constructor");
    }
    for script in &abc.scripts {
        let _ = writeln!(out, "script");
        script.traits.iter().for_each(|one| member(&mut out, unit, one, ""));
        method(&mut out, unit, script.init_method.0, "  initialiser");
    }
    out
}

fn at<T, U>(list: &[T], index: Index<U>) -> Option<&T> {
    list.get((index.0 as usize).checked_sub(1)?)
}

fn text(abc: &AbcFile, index: Index<String>) -> String {
    at(&abc.constant_pool.strings, index).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
}

fn namespace(abc: &AbcFile, index: Index<Namespace>) -> String {
    let (kind, name) = match at(&abc.constant_pool.namespaces, index) {
        Some(Namespace::Package(name)) => ("", *name),
        Some(Namespace::PackageInternal(name)) => ("internal ", *name),
        Some(Namespace::Private(name)) => ("private ", *name),
        Some(Namespace::Protected(name) | Namespace::StaticProtected(name)) => ("protected ", *name),
        Some(Namespace::Namespace(name) | Namespace::Explicit(name)) => ("namespace ", *name),
        None => return "?".into(),
    };
    format!("{kind}{}", text(abc, name))
}

fn name(abc: &AbcFile, index: Index<Multiname>) -> String {
    match at(&abc.constant_pool.multinames, index) {
        Some(Multiname::QName { namespace: space, name }) => {
            let space = namespace(abc, *space);
            if space.is_empty() { text(abc, *name) } else { format!("[{space}]{}", text(abc, *name)) }
        }
        Some(Multiname::Multiname { name, .. }) => format!("?{}", text(abc, *name)),
        Some(Multiname::MultinameL { .. }) => "(late)".into(),
        Some(Multiname::TypeName { base_type, parameters }) => {
            let parameters: Vec<String> = parameters.iter().map(|index| name(abc, *index)).collect();
            format!("{}<{}>", name(abc, *base_type), parameters.join(", "))
        }
        _ => "*".into(),
    }
}

fn default(abc: &AbcFile, value: &DefaultValue) -> String {
    match value {
        DefaultValue::String(index) => format!("{:?}", text(abc, *index)),
        DefaultValue::Int(index) => at(&abc.constant_pool.ints, *index).map(i32::to_string).unwrap_or_default(),
        DefaultValue::Double(index) => at(&abc.constant_pool.doubles, *index).map(f64::to_string).unwrap_or_default(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn member(out: &mut String, unit: &Unit, one: &Trait, prefix: &str) {
    let abc = &unit.abc;
    let label = name(abc, one.name);
    match &one.kind {
        TraitKind::Slot { type_name, value, .. } | TraitKind::Const { type_name, value, .. } => {
            let word = if matches!(one.kind, TraitKind::Const { .. }) { "const" } else { "var" };
            let _ = write!(out, "  {prefix}{word} {label}:{}", name(abc, *type_name));
            if let Some(value) = value {
                let _ = write!(out, " = {}", default(abc, value));
            }
            out.push('\n');
        }
        TraitKind::Method { method: index, .. } => method(out, unit, index.0, &format!("  {prefix}function {label}")),
        TraitKind::Getter { method: index, .. } => method(out, unit, index.0, &format!("  {prefix}get {label}")),
        TraitKind::Setter { method: index, .. } => method(out, unit, index.0, &format!("  {prefix}set {label}")),
        TraitKind::Class { class, .. } => {
            let _ = writeln!(out, "  class {label} is {}", class.0);
        }
        TraitKind::Function { .. } => {}
    }
}

fn method(out: &mut String, unit: &Unit, index: u32, label: &str) {
    let abc = &unit.abc;
    let Some(found) = abc.methods.get(index as usize) else { return };
    let parameters: Vec<String> = found
        .params
        .iter()
        .map(|parameter| {
            let given = parameter.default_value.as_ref().map(|value| format!(" = {}", default(abc, value)));
            let label = parameter.name.map(|name| text(abc, name)).unwrap_or_default();
            format!("{label}:{}{}", name(abc, parameter.kind), given.unwrap_or_default())
        })
        .collect();
    let _ = writeln!(out, "{label}({}):{}", parameters.join(", "), name(abc, found.return_type));
    let Some(body) = found.body.and_then(|body| abc.method_bodies.get(body.0 as usize)) else { return };
    let mut offset = 0;
    let mut line = 0;
    while let Some(rest) = body.code.get(offset..).filter(|rest| !rest.is_empty()) {
        let mut reader = Reader::new(rest);
        let Ok(op) = reader.read_op() else { break };
        let next = body.code.len() - ReadSwfExt::as_slice(&reader).len();
        let here = unit.lines.range((index, 0)..=(index, offset as u32)).next_back().map_or(0, |(_, line)| *line);
        let shown = if here == line { String::new() } else { here.to_string() };
        line = here;
        if !matches!(op, Op::Debug { .. }) {
            let _ = writeln!(out, "    {shown:>4} {offset:>4} {}", instruction(abc, &op, next));
        }
        if let Op::NewFunction { index } = op {
            method(out, unit, index.0, "  inner");
        }
        offset = next;
    }
}

/// Formats an instruction as the `swf` crate does, but without field names, and with constants instead of their pool indices.
fn instruction(abc: &AbcFile, op: &Op, next: usize) -> String {
    let printed = format!("{op:?}");
    let (word, fields) = printed.split_once(' ').unwrap_or((&printed, ""));
    let mut out = word.to_lowercase();
    for found in FIELD.captures_iter(fields) {
        let [field, number, of] = [1, 2, 3].map(|at| found.get(at).map_or("", |group| group.as_str()));
        let number: i64 = number.parse().expect("a number");
        let index = u32::try_from(number).unwrap_or(0);
        let shown = match of {
            "Multiname" => name(abc, Index::new(index)),
            "String" => format!("{:?}", text(abc, Index::new(index))),
            "i32" => format!("{:?}", at(&abc.constant_pool.ints, Index::<i32>::new(index))),
            "f64" => format!("{:?}", at(&abc.constant_pool.doubles, Index::<f64>::new(index))),
            "Method" => continue,
            _ if field == "offset" => next.saturating_add_signed(number as isize).to_string(),
            _ => number.to_string(),
        };
        let _ = write!(out, " {shown}");
    }
    out
}

/// Matches a field with its name, its number, and the constant list that the number indexes.
static FIELD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\w+): (?:Index\()?(-?\d+)(?:, PhantomData<(?:\w+::)*(\w+)>\))?"));
