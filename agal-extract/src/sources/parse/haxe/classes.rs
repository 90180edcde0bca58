//! Parses the members of Haxe classes and interfaces, as well as enumerations and abstracts.

use crate::sources::parse::classes::Modifiers;
use crate::sources::parse::expressions::{at, chain};
use crate::sources::parse::{Parsed, Parser};
use crate::sources::syntax::{
    Class, ClassKind, ExpressionKind, Function, LinkKind, Member, MemberItem, Name, Role, TAG, Type, Variable,
    Visibility,
};

/// Returns the default modifiers of a Haxe member. At run time, private members of Haxe classes are public too.
pub(super) fn public() -> Modifiers {
    Modifiers { visibility: Visibility::Public, ..Modifiers::default() }
}

impl Parser<'_> {
    /// Parses an abstract. Only the functions and constants of an abstract matter, because its values are values of the
    /// underlying type.
    pub(super) fn haxe_abstract(&mut self, is_enumeration: bool) -> Parsed<Class> {
        let line = self.line();
        self.expect("abstract")?;
        let name = self.name()?;
        self.haxe_type_arguments()?;
        let mut under = None;
        if self.eat("(") {
            under = self.type_name()?;
            self.expect(")")?;
        }
        while self.eat("from") || self.eat("to") {
            self.type_name()?;
        }
        self.expect("{")?;
        let members = self.block_of("this member", Self::is_end, |parser| parser.haxe_member(is_enumeration));
        let mut members: Vec<Member> = members.into_iter().flatten().collect();
        if is_enumeration {
            number_values(&mut members, under.as_ref());
        }
        Ok(Class { name, kind: ClassKind::Abstract, members, line, ..Class::default() })
    }

    /// Parses an enumeration. A constructor without parameters becomes a constant, and a constructor with parameters becomes a
    /// function.
    pub(super) fn haxe_enum(&mut self) -> Parsed<Class> {
        let line = self.line();
        self.expect("enum")?;
        let name = self.name()?;
        self.haxe_type_arguments()?;
        self.expect("{")?;
        let choices = self.block_of("this constructor", Self::is_end, Self::haxe_choice);
        let is_tagged = choices.iter().any(|(_, parameters, _)| !parameters.is_empty());
        let members = choices.into_iter().map(|(name, parameters, line)| choice(name, parameters, is_tagged, line));
        Ok(Class { name, kind: ClassKind::Enum, members: members.collect(), line, ..Class::default() })
    }

    fn haxe_choice(&mut self) -> Parsed<(Name, Vec<Variable>, u32)> {
        self.skip_haxe_metadata()?;
        let line = self.line();
        let name = self.name()?;
        self.haxe_type_arguments()?;
        let parameters = if self.is("(") { self.parameters()?.0 } else { Vec::new() };
        self.type_of()?;
        self.expect(";")?;
        Ok((name, parameters, line))
    }

    pub(in crate::sources::parse) fn haxe_member(&mut self, is_enumeration: bool) -> Parsed<Vec<Member>> {
        if self.eat(";") {
            return Ok(Vec::new());
        }
        let mut modifiers = self.haxe_modifiers()?;
        if self.eat("function") {
            let function = self.named_function()?;
            self.eat(";");
            if modifiers.is_macro {
                return Ok(Vec::new());
            }
            return Ok(vec![modifiers.member(MemberItem::Function(Role::Method, function))]);
        }
        let is_final = self.is("final");
        if !is_final && !self.is("var") {
            return Err(self.expected("`function`, `var` or `final`"));
        }
        self.advance();
        let is_value = is_enumeration && !modifiers.is_static;
        modifiers.is_static |= is_value;
        self.haxe_field(&modifiers, is_value || is_final || modifiers.is_inline)
    }

    /// Parses a field such as `name(get, set):Type = value;`.
    fn haxe_field(&mut self, modifiers: &Modifiers, is_constant: bool) -> Parsed<Vec<Member>> {
        let line = self.line();
        self.eat("?");
        let name = self.name()?;
        let mut accessors = None;
        if self.eat("(") {
            let get = self.name()?;
            self.expect(",")?;
            let set = self.name()?;
            self.expect(")")?;
            accessors = Some((get, set));
        }
        let of = self.type_of()?;
        let value = if self.eat("=") { Some(self.assignment(true)?) } else { None };
        let is_ended = self.eat(";") || self.tokens.get(self.at.saturating_sub(1)).is_some_and(|token| token.is("}"));
        if !is_ended {
            return Err(self.expected("`;`"));
        }
        let is_stored = |accessor: &Name| matches!(&**accessor, "default" | "null");
        if let Some((get, set)) = accessors
            && !is_stored(&get)
            && !is_stored(&set)
        {
            return Ok(property(modifiers, &name, of.as_ref(), [&get, &set], line));
        }
        let is_constant = is_constant && value.is_some();
        let mut variable = Variable { name, of, value, is_constant, line };
        self.embed_for(&self.stem.into(), std::slice::from_mut(&mut variable));
        Ok(vec![modifiers.member(MemberItem::Variable(variable))])
    }
}

/// Defines a constructor of an enumeration. The enumeration's values are tagged objects if any constructor has parameters.
/// Otherwise, the values are the names of the constructors.
fn choice(name: Name, parameters: Vec<Variable>, is_tagged: bool, line: u32) -> Member {
    let modifiers = Modifiers { is_static: true, ..public() };
    let mut value = at(line, ExpressionKind::Text(name.clone()));
    if is_tagged {
        let named = |one: &Variable| (one.name.clone(), at(line, ExpressionKind::Name(one.name.clone())));
        let fields = std::iter::once((TAG.into(), value)).chain(parameters.iter().map(named));
        value = at(line, ExpressionKind::Object(fields.collect()));
    }
    if parameters.is_empty() {
        let variable = Variable { value: Some(value), is_constant: true, ..Variable::new(name, line) };
        return modifiers.member(MemberItem::Variable(variable));
    }
    let body = Some(vec![Parser::returning(value)]);
    let function = Function { name: Some(name), parameters, body, line, ..Function::default() };
    modifiers.member(MemberItem::Function(Role::Method, function))
}

/// Assigns names or consecutive numbers to the members of an enumeration that have no explicit value.
fn number_values(members: &mut [Member], under: Option<&Type>) {
    let is_text = under.is_some_and(|under| &*under.path == "String");
    let mut next = 0.0;
    for one in members {
        let MemberItem::Variable(variable) = &mut one.item else { continue };
        let value = variable.value.get_or_insert_with(|| {
            let name = || ExpressionKind::Text(variable.name.clone());
            at(variable.line, if is_text { name() } else { ExpressionKind::Number(next) })
        });
        if let ExpressionKind::Number(number) = value.kind {
            next = number + 1.0;
        }
        variable.is_constant = true;
    }
}

/// Returns the accessors of a property. The accessors call the functions that are named in the property.
fn property(modifiers: &Modifiers, name: &Name, of: Option<&Type>, accessors: [&Name; 2], line: u32) -> Vec<Member> {
    let mut members = Vec::new();
    for (role, accessor) in [Role::Getter, Role::Setter].into_iter().zip(accessors) {
        let called = match &**accessor {
            "get" | "set" => format!("{accessor}_{name}").into(),
            "never" | "dynamic" => continue,
            _ => accessor.clone(),
        };
        let value = Variable { of: of.cloned(), ..Variable::new("value".into(), line) };
        let parameters = if role == Role::Setter { vec![value] } else { Vec::new() };
        let arguments = parameters.iter().map(|one| at(line, ExpressionKind::Name(one.name.clone()))).collect();
        let body = Some(vec![Parser::returning(chain(line, called, [LinkKind::Call(arguments)]))]);
        let (name, result) = (Some(name.clone()), of.cloned());
        let function = Function { name, parameters, result, body, line, ..Function::default() };
        members.push(modifiers.member(MemberItem::Function(role, function)));
    }
    members
}
