//! Emits definitions: classes with their members, package-level functions and variables, and the script that creates the classes.

use std::collections::{BTreeSet, HashMap};

use swf::avm2::types::{Class as AbcClass, Index, Instance, Method, Multiname, Namespace, Op, Trait, TraitKind};

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::count;
use crate::sources::emit::frame::{FrameKind, Home};
use crate::sources::emit::pool::Multi;
use crate::sources::syntax::{
    Class, ClassKind, Expression, Function, Item, Member, MemberItem, Module, Name, Role, Variable,
};

#[derive(Default)]
struct Parts<'a> {
    instance: Side<'a>,
    statics: Side<'a>,
    constructor: Option<&'a Function>,
    /// For each combination of static flag, role and name, the number of members emitted so far.
    names: HashMap<(bool, Role, Name), u32>,
}

/// The instance members or the static members of a class.
#[derive(Default)]
struct Side<'a> {
    traits: Vec<Trait>,
    steps: Vec<Step<'a>>,
}

/// A step of an initialiser, which assigns a value to a member or runs a statement.
struct Step<'a> {
    line: u32,
    member: Option<Multi>,
    value: &'a Expression,
}

/// Returns the name of a definition, with a suffix if the name is repeated. Conditional compilation may leave several definitions
/// with one name.
fn variant(name: &Name, taken: &mut u32) -> Name {
    *taken = taken.saturating_add(1);
    match *taken {
        1 => name.clone(),
        2 => format!("{name}'").into(),
        count => format!("{name}'{count}").into(),
    }
}

pub(super) fn plain(name: Index<Multiname>, kind: TraitKind) -> Trait {
    Trait { name, kind, metadata: Vec::new(), is_final: false, is_override: false }
}

impl<'a> Emitter<'a> {
    /// Writes all definitions of a module and the code of its script. Returns the method that contains the script's code.
    pub(super) fn module(&mut self, module: &'a Module) -> Index<Method> {
        self.namespaces = BTreeSet::from_iter(module.namespaces.iter().cloned()).into_iter().collect();
        let mut steps = Vec::new();
        for definition in &module.definitions {
            self.enter_home(Home { package: definition.package.clone(), class: None });
            match &definition.item {
                Item::Class(class) if !self.world.is_definition(&self.home.package, class) => {}
                Item::Class(class) => self.class(class),
                Item::Function(function) => {
                    let Some(name) = &function.name else { continue };
                    let multi = self.packaged(&definition.package, name);
                    let method = self.function(function, FrameKind::Script, |_| {});
                    self.definitions.push(plain(multi.index, TraitKind::Method { disp_id: 0, method }));
                }
                Item::Variable(variable) => {
                    let multi = self.packaged(&definition.package, &variable.name);
                    let mut side = Side::default();
                    self.variable_of(multi, variable, &mut side);
                    self.definitions.extend(side.traits);
                    steps.extend(side.steps.into_iter().map(|step| (&definition.package, step)));
                }
            }
        }
        self.enter_home(Home::default());
        let names: BTreeSet<&Name> = module.variables.iter().map(|variable| &variable.name).collect();
        for name in names {
            let multi = self.public(name);
            let kind = TraitKind::Slot { slot_id: 0, type_name: Index::new(0), value: None };
            self.definitions.push(plain(multi.index, kind));
        }
        self.script(module, &steps)
    }

    /// Writes a package-level variable or a member variable. A constant value becomes the trait's initial value, and any other
    /// value becomes a step of the initialiser.
    fn variable_of(&mut self, multi: Multi, variable: &'a Variable, side: &mut Side<'a>) {
        let type_name = self.type_index(variable.of.as_ref());
        let value = self.constant(variable);
        if let (Some(computed), None) = (&variable.value, &value) {
            side.steps.push(Step { line: variable.line, member: Some(multi), value: computed });
        }
        let slot_id = 0;
        let kind = match variable.is_constant {
            true => TraitKind::Const { slot_id, type_name, value },
            false => TraitKind::Slot { slot_id, type_name, value },
        };
        side.traits.push(plain(multi.index, kind));
    }

    /// Writes the script's method, which creates the classes and runs the statements outside classes.
    fn script(&mut self, module: &Module, steps: &[(&Name, Step<'_>)]) -> Index<Method> {
        let function = Function { line: 1, ..Function::default() };
        self.function(&function, FrameKind::Script, |emitter| {
            for number in 0..count(&emitter.abc.classes) {
                emitter.op(Op::PushNull, 0, 1);
                emitter.op(Op::NewClass { index: Index::new(number) }, 1, 1);
                emitter.op(Op::Pop, 1, 0);
            }
            for (package, step) in steps {
                emitter.enter_home(Home { package: Name::clone(package), class: None });
                emitter.steps(std::slice::from_ref(step));
            }
            emitter.enter_home(Home::default());
            emitter.statements(&module.statements);
        })
    }

    fn class(&mut self, class: &'a Class) {
        let package = self.home.package.clone();
        let taken = self.taken.entry(class.name.clone()).or_insert(0);
        let name = variant(&class.name, taken);
        let name = self.packaged(&package, &name);
        let base = self.type_multi(class.base.as_ref()).unwrap_or_else(|| self.public("Object"));
        let interfaces = class.interfaces.iter().map(|one| self.type_index(Some(one))).collect();
        self.enter_home(Home { package, class: Some(class.name.clone()) });
        let mut parts = Parts::default();
        for member in &class.members {
            self.member_of(class, member, &mut parts);
        }
        let is_interface = class.kind == ClassKind::Interface;
        let constructor = self.constructor(class, &parts);
        let initialiser = self.initialiser(class, &parts);
        let number = count(&self.abc.classes);
        let instance = Instance {
            name: name.index,
            super_name: if is_interface { Index::new(0) } else { base.index },
            is_sealed: false,
            is_final: false,
            is_interface,
            protected_namespace: None,
            interfaces,
            init_method: constructor,
            traits: parts.instance.traits,
        };
        self.abc.instances.push(instance);
        self.abc.classes.push(AbcClass { init_method: initialiser, traits: parts.statics.traits });
        let kind = TraitKind::Class { slot_id: 0, class: Index::new(number) };
        self.definitions.push(plain(name.index, kind));
    }

    fn member_of(&mut self, class: &'a Class, member: &'a Member, parts: &mut Parts<'a>) {
        if let MemberItem::Statement(statement) = &member.item {
            parts.statics.steps.push(Step { line: statement.line, member: None, value: statement });
        }
        let Some(name) = member.name() else { return };
        let role = if let MemberItem::Function(role, _) = &member.item { *role } else { Role::Method };
        if let MemberItem::Function(Role::Method, function) = &member.item
            && !member.is_static
            && **name == *if self.is_haxe { "new" } else { &class.name }
        {
            parts.constructor = Some(function);
            return;
        }
        let taken = parts.names.entry((member.is_static, role, name.clone())).or_insert(0);
        let name = variant(name, taken);
        let namespace = if class.kind == ClassKind::Interface {
            self.pool.namespace(Namespace::Package, "")
        } else {
            self.member_namespace(&member.visibility)
        };
        let multi = self.pool.qualified(namespace, &name);
        let side = if member.is_static { &mut parts.statics } else { &mut parts.instance };
        match &member.item {
            MemberItem::Variable(variable) => self.variable_of(multi, variable, side),
            MemberItem::Function(_, function) => {
                let (disp_id, method) = (0, self.member_function(class, member, function));
                let kind = match role {
                    Role::Method => TraitKind::Method { disp_id, method },
                    Role::Getter => TraitKind::Getter { disp_id, method },
                    Role::Setter => TraitKind::Setter { disp_id, method },
                };
                side.traits.push(plain(multi.index, kind));
            }
            MemberItem::Statement(_) => {}
        }
    }

    fn member_function(&mut self, class: &Class, member: &Member, function: &Function) -> Index<Method> {
        if function.body.is_none() || class.kind == ClassKind::Interface {
            return self.signature(function);
        }
        let kind = if member.is_static { FrameKind::Static } else { FrameKind::Instance };
        self.function(function, kind, |_| {})
    }

    /// Writes a constructor. As in the player, the constructor assigns member values before it calls the base class's
    /// constructor.
    fn constructor(&mut self, class: &Class, parts: &Parts<'_>) -> Index<Method> {
        let none = Function { body: Some(Vec::new()), line: class.line, ..Function::default() };
        if class.kind == ClassKind::Interface {
            return self.signature(&none);
        }
        let function = parts.constructor.unwrap_or(&none);
        let calls_super = function.contents.calls_super;
        self.function(function, FrameKind::Instance, |emitter| {
            let line = emitter.frame.asm.line;
            emitter.steps(&parts.instance.steps);
            emitter.at_line(line);
            if !calls_super {
                emitter.get_local(0);
                emitter.op(Op::ConstructSuper { num_args: 0 }, 1, 0);
            }
        })
    }

    fn steps(&mut self, steps: &[Step<'_>]) {
        for Step { line, member, value } in steps {
            self.at_line(*line);
            match member {
                None => self.effect(value),
                Some(Multi { index, .. }) => {
                    self.get_local(0);
                    self.value(value);
                    self.op(Op::InitProperty { index: *index }, 2, 0);
                }
            }
        }
    }

    /// Writes the class initialiser, which assigns static members and runs the statements in the class body.
    fn initialiser(&mut self, class: &Class, parts: &Parts<'_>) -> Index<Method> {
        let function = Function { line: class.line, ..Function::default() };
        self.function(&function, FrameKind::Static, |emitter| {
            emitter.hoist(&class.variables);
            emitter.steps(&parts.statics.steps);
        })
    }
}
