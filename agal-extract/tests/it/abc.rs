//! Assembles ABC for tests from a small text language that describes classes and their code.
//!
//! Each line is a declaration or an instruction. `class NAME [extends NAME]` begins a class. `static`, `instance`, `constructor`,
//! `initialiser`, `getter` and `function` begin a method, and `end` ends a method. A name is written as `name`, as
//! `package::name` if it is public in a package, or as `-name` if it is private to the class. Instructions have the names that
//! the AVM2 overview lists. A branch names a label, and a label is a separate line that ends with a colon.

use std::collections::HashMap;
use std::marker::PhantomData;

use swf::avm2::types::{
    AbcFile, Class, ConstantPool, DefaultValue, Exception, Index, Instance, LookupSwitch, Method, MethodBody,
    MethodFlags, MethodParam, Multiname, Namespace, Op, Script, Trait, TraitKind,
};
use swf::avm2::write::Writer;

pub(crate) fn assemble(text: &str) -> AbcFile {
    let mut assembler = Assembler::new();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    while let Some(line) = lines.next() {
        let words = words(line);
        match words[0].as_str() {
            "class" => assembler.class(&words),
            "slot" => assembler.slot(&words),
            "function" | "static" | "instance" | "constructor" | "initialiser" | "getter" => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "end").collect();
                assembler.method(&words, &body);
            }
            other => panic!("`{other}` is not a declaration: {line}"),
        }
    }
    assembler.finish()
}

pub(crate) fn empty() -> AbcFile {
    let constant_pool = ConstantPool {
        ints: Vec::new(),
        uints: Vec::new(),
        doubles: Vec::new(),
        strings: Vec::new(),
        namespaces: Vec::new(),
        namespace_sets: Vec::new(),
        multinames: Vec::new(),
    };
    AbcFile {
        major_version: 46,
        minor_version: 16,
        constant_pool,
        methods: Vec::new(),
        metadata: Vec::new(),
        instances: Vec::new(),
        classes: Vec::new(),
        scripts: Vec::new(),
        method_bodies: Vec::new(),
    }
}

pub(crate) fn bytes(abc: AbcFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).write(abc).expect("memory can be written");
    bytes
}

/// Splits a line into words. A quoted string is one word, which keeps its opening quotation mark.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' => {}
            '"' => {
                let mut word = "\"".to_string();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    word.push(match letter {
                        '\\' => match letters.next() {
                            Some('n') => '\n',
                            Some(other) => other,
                            None => '\\',
                        },
                        other => other,
                    });
                }
                words.push(word);
            }
            letter => {
                let mut word = letter.to_string();
                while let Some(letter) = letters.next_if(|letter| *letter != ' ') {
                    word.push(letter);
                }
                words.push(word);
            }
        }
    }
    words
}

struct Made {
    name: Index<Multiname>,
    base: Index<Multiname>,
    instance: Vec<Trait>,
    statics: Vec<Trait>,
    constructor: Option<u32>,
    initialiser: Option<u32>,
    private: Index<Namespace>,
}

struct Assembler {
    abc: AbcFile,
    classes: Vec<Made>,
    functions: HashMap<String, u32>,
    globals: Vec<Trait>,
}

fn index<T>(number: usize) -> Index<T> {
    Index(u32::try_from(number).expect("a small number"), PhantomData)
}

fn named(name: Index<Multiname>, kind: TraitKind) -> Trait {
    Trait { name, kind, metadata: Vec::new(), is_final: false, is_override: false }
}

impl Assembler {
    fn new() -> Assembler {
        let abc = empty();
        Assembler { abc, classes: Vec::new(), functions: HashMap::new(), globals: Vec::new() }
    }

    fn string(&mut self, text: &str) -> Index<String> {
        let strings = &mut self.abc.constant_pool.strings;
        let at = strings.iter().position(|one| one == text.as_bytes()).unwrap_or_else(|| {
            strings.push(text.as_bytes().to_vec());
            strings.len() - 1
        });
        index(at + 1)
    }

    fn namespace(&mut self, namespace: Namespace) -> Index<Namespace> {
        let namespaces = &mut self.abc.constant_pool.namespaces;
        let at = namespaces.iter().position(|one| *one == namespace).unwrap_or_else(|| {
            namespaces.push(namespace);
            namespaces.len() - 1
        });
        index(at + 1)
    }

    fn multiname(&mut self, multiname: Multiname) -> Index<Multiname> {
        let multinames = &mut self.abc.constant_pool.multinames;
        let at = multinames.iter().position(|one| *one == multiname).unwrap_or_else(|| {
            multinames.push(multiname);
            multinames.len() - 1
        });
        index(at + 1)
    }

    fn name(&mut self, text: &str) -> Index<Multiname> {
        if text == "*" {
            return Index::new(0);
        }
        // The word `[]` denotes a name that is taken from the stack at run time.
        if text == "[]" {
            let package = self.string("");
            let namespace = self.namespace(Namespace::Package(package));
            self.abc.constant_pool.namespace_sets.push(vec![namespace]);
            let namespace_set = index(self.abc.constant_pool.namespace_sets.len());
            return self.multiname(Multiname::MultinameL { namespace_set });
        }
        if let Some(name) = text.strip_prefix('-') {
            let namespace = self.classes.last().expect("a class").private;
            let name = self.string(name);
            return self.multiname(Multiname::QName { namespace, name });
        }
        let (package, name) = text.split_once("::").unwrap_or(("", text));
        let package = self.string(package);
        let namespace = self.namespace(Namespace::Package(package));
        let name = self.string(name);
        self.multiname(Multiname::QName { namespace, name })
    }

    fn class(&mut self, words: &[String]) {
        // Each class has its own private namespace, even if the classes have equal names.
        let text = self.string(&format!("private {}", self.classes.len()));
        let private = self.namespace(Namespace::Private(text));
        let name = self.name(&words[1]);
        let base = self.name(words.get(3).map_or("Object", String::as_str));
        self.classes.push(Made {
            name,
            base,
            instance: Vec::new(),
            statics: Vec::new(),
            constructor: None,
            initialiser: None,
            private,
        });
    }

    /// Parses the declaration `slot static|instance NAME TYPE ["text"]`.
    fn slot(&mut self, words: &[String]) {
        let name = self.name(&words[2]);
        let type_name = self.name(&words[3]);
        let value = words.get(4).map(|text| DefaultValue::String(self.string(&text[1..])));
        let one = named(name, TraitKind::Slot { slot_id: 0, type_name, value });
        let class = self.classes.last_mut().expect("a class");
        if words[1] == "static" { class.statics.push(one) } else { class.instance.push(one) }
    }

    /// Parses the declaration `KIND NAME [PARAMETER:TYPE[=TEXT]...] [-> TYPE]`.
    fn method(&mut self, words: &[String], body: &[&str]) {
        let kind = words[0].as_str();
        let (name, rest) = if matches!(kind, "constructor" | "initialiser") {
            ("", &words[1..])
        } else {
            (words[1].as_str(), &words[2..])
        };
        let end = rest.iter().position(|word| word == "->").unwrap_or(rest.len());
        let return_type = self.name(rest.get(end + 1).map_or("*", String::as_str));
        let mut flags = MethodFlags::empty();
        let mut params = Vec::new();
        for word in &rest[..end] {
            if word == "..." {
                flags |= MethodFlags::NEED_REST;
                continue;
            }
            let (word, default) = word.split_once('=').map_or((word.as_str(), None), |(word, text)| (word, Some(text)));
            let (parameter, of) = word.split_once(':').expect("a parameter with its type");
            let default_value = default.map(|text| DefaultValue::String(self.string(text)));
            if default_value.is_some() {
                flags |= MethodFlags::HAS_OPTIONAL;
            }
            params.push(MethodParam { name: Some(self.string(parameter)), kind: self.name(of), default_value });
        }
        if !params.is_empty() {
            flags |= MethodFlags::HAS_PARAM_NAMES;
        }
        let number = self.abc.methods.len();
        let text = self.string(name);
        self.abc.methods.push(Method { name: text, params, return_type, flags, body: None });
        self.body(number, body);
        let number = u32::try_from(number).expect("a small number");
        let method: Index<Method> = Index::new(number);
        let trait_name = if name.is_empty() || kind == "function" { Index::new(0) } else { self.name(name) };
        let class = self.classes.last_mut();
        match (kind, class) {
            ("constructor", Some(class)) => class.constructor = Some(number),
            ("initialiser", Some(class)) => class.initialiser = Some(number),
            ("static", Some(class)) => class.statics.push(named(trait_name, TraitKind::Method { disp_id: 0, method })),
            ("instance", Some(class)) => {
                class.instance.push(named(trait_name, TraitKind::Method { disp_id: 0, method }))
            }
            ("getter", Some(class)) => class.instance.push(named(trait_name, TraitKind::Getter { disp_id: 0, method })),
            _ => drop(self.functions.insert(name.to_string(), number)),
        }
    }

    fn body(&mut self, method: usize, lines: &[&str]) {
        let mut code = Vec::new();
        let mut labels: HashMap<String, usize> = HashMap::new();
        let mut jumps: Vec<(usize, usize, String)> = Vec::new();
        let mut traits = Vec::new();
        let mut exceptions: Vec<[String; 3]> = Vec::new();
        for line in lines {
            if let Some(label) = line.strip_suffix(':') {
                labels.insert(label.to_string(), code.len());
                continue;
            }
            let words = words(line);
            if words[0] == "local" {
                let slot_id = u32::try_from(traits.len() + 1).expect("a small number");
                let name = self.name(&words[1]);
                traits.push(named(name, TraitKind::Slot { slot_id, type_name: Index::new(0), value: None }));
                continue;
            }
            if words[0] == "handler" {
                exceptions.push([words[1].clone(), words[2].clone(), words[3].clone()]);
                continue;
            }
            let op = self.op(&words);
            let start = code.len();
            Writer::new(&mut code).write_op(&op).expect("memory can be written");
            let targets = &words[1..];
            match op {
                Op::LookupSwitch(_) => {
                    // A `lookupswitch` contains the default offset, a byte with the number of cases minus one, and the offsets of
                    // the cases. All offsets are relative to the instruction.
                    jumps.push((start + 1, start, targets[0].clone()));
                    for (at, target) in targets[1..].iter().enumerate() {
                        jumps.push((start + 5 + 3 * at, start, target.clone()));
                    }
                }
                _ if is_branch(&words[0]) => jumps.push((start + 1, code.len(), targets[0].clone())),
                _ => {}
            }
        }
        for (at, from, label) in jumps {
            let target = labels.get(&label).unwrap_or_else(|| panic!("no label `{label}`"));
            let distance = i32::try_from(*target).expect("small") - i32::try_from(from).expect("small");
            code[at..at + 3].copy_from_slice(&distance.to_le_bytes()[..3]);
        }
        let place = |label: &String| u32::try_from(labels[label]).expect("small");
        let exceptions = exceptions
            .iter()
            .map(|[from, to, target]| Exception {
                from_offset: place(from),
                to_offset: place(to),
                target_offset: place(target),
                variable_name: Index::new(0),
                type_name: Index::new(0),
            })
            .collect();
        self.abc.method_bodies.push(MethodBody {
            method: index(method),
            max_stack: 16,
            num_locals: 16,
            init_scope_depth: 0,
            max_scope_depth: 8,
            code,
            exceptions,
            traits,
        });
    }

    fn op(&mut self, words: &[String]) -> Op {
        let number = |at: usize| words[at].parse::<u32>().unwrap_or_else(|_| panic!("a number: {words:?}"));
        let offset = 0;
        let mnemonic = words[0].as_str();
        match mnemonic {
            "getlocal" => Op::GetLocal { index: number(1) },
            "setlocal" => Op::SetLocal { index: number(1) },
            "kill" => Op::Kill { index: number(1) },
            "inclocal_i" => Op::IncLocalI { index: number(1) },
            "pushstring" => Op::PushString { value: self.string(&words[1][1..]) },
            "pushbyte" => Op::PushByte { value: words[1].parse::<i8>().expect("a byte").cast_unsigned() },
            "pushint" => {
                self.abc.constant_pool.ints.push(words[1].parse().expect("a number"));
                Op::PushInt { value: index(self.abc.constant_pool.ints.len()) }
            }
            "pushdouble" => {
                self.abc.constant_pool.doubles.push(words[1].parse().expect("a number"));
                Op::PushDouble { value: index(self.abc.constant_pool.doubles.len()) }
            }
            "getlex" => Op::GetLex { index: self.name(&words[1]) },
            "findpropstrict" => Op::FindPropStrict { index: self.name(&words[1]) },
            "getproperty" => Op::GetProperty { index: self.name(&words[1]) },
            "setproperty" => Op::SetProperty { index: self.name(&words[1]) },
            "initproperty" => Op::InitProperty { index: self.name(&words[1]) },
            "coerce" => Op::Coerce { index: self.name(&words[1]) },
            "istype" => Op::IsType { index: self.name(&words[1]) },
            "callproperty" => Op::CallProperty { index: self.name(&words[1]), num_args: number(2) },
            "callpropvoid" => Op::CallPropVoid { index: self.name(&words[1]), num_args: number(2) },
            "callsuper" => Op::CallSuper { index: self.name(&words[1]), num_args: number(2) },
            "constructprop" => Op::ConstructProp { index: self.name(&words[1]), num_args: number(2) },
            "constructsuper" => Op::ConstructSuper { num_args: number(1) },
            "construct" => Op::Construct { num_args: number(1) },
            "applytype" => Op::ApplyType { num_types: number(1) },
            "call" => Op::Call { num_args: number(1) },
            "newarray" => Op::NewArray { num_args: number(1) },
            "newobject" => Op::NewObject { num_args: number(1) },
            "newfunction" => Op::NewFunction { index: Index::new(self.functions[&words[1]]) },
            "getslot" => Op::GetSlot { index: number(1) },
            "setslot" => Op::SetSlot { index: number(1) },
            "getscopeobject" => Op::GetScopeObject { index: u8::try_from(number(1)).expect("small") },
            "hasnext2" => Op::HasNext2 { object_register: number(1), index_register: number(2) },
            "lookupswitch" => {
                let cases = vec![0; words.len() - 2];
                Op::LookupSwitch(Box::new(LookupSwitch { default_offset: 0, case_offsets: cases.into() }))
            }
            "jump" => Op::Jump { offset },
            "iftrue" => Op::IfTrue { offset },
            "iffalse" => Op::IfFalse { offset },
            "iflt" => Op::IfLt { offset },
            "ifeq" => Op::IfEq { offset },
            "ifne" => Op::IfNe { offset },
            "ifstrictne" => Op::IfStrictNe { offset },
            "ifnlt" => Op::IfNlt { offset },
            _ => plain(mnemonic),
        }
    }

    fn finish(mut self) -> AbcFile {
        let mut script_code = Vec::new();
        let mut traits = std::mem::take(&mut self.globals);
        let mut ops = vec![Op::GetLocal { index: 0 }, Op::PushScope];
        for (at, made) in std::mem::take(&mut self.classes).into_iter().enumerate() {
            let mut method = |number: Option<u32>| {
                number.unwrap_or_else(|| {
                    let number = self.abc.methods.len();
                    let text = self.string("");
                    let flags = MethodFlags::empty();
                    let (params, return_type) = (Vec::new(), Index::new(0));
                    self.abc.methods.push(Method { name: text, params, return_type, flags, body: None });
                    self.body(number, &["returnvoid"]);
                    u32::try_from(number).expect("small")
                })
            };
            let (constructor, initialiser) = (method(made.constructor), method(made.initialiser));
            self.abc.instances.push(Instance {
                name: made.name,
                super_name: made.base,
                is_sealed: true,
                is_final: false,
                is_interface: false,
                protected_namespace: None,
                interfaces: Vec::new(),
                init_method: Index::new(constructor),
                traits: made.instance,
            });
            self.abc.classes.push(Class { init_method: Index::new(initialiser), traits: made.statics });
            traits.push(named(made.name, TraitKind::Class { slot_id: 0, class: index(at) }));
            ops.extend([Op::GetLex { index: made.base }, Op::Dup, Op::PushScope]);
            ops.extend([Op::NewClass { index: index(at) }, Op::PopScope]);
            ops.extend([Op::FindPropStrict { index: made.name }, Op::Swap, Op::InitProperty { index: made.name }]);
        }
        ops.push(Op::ReturnVoid);
        for op in &ops {
            Writer::new(&mut script_code).write_op(op).expect("memory can be written");
        }
        let number = self.abc.methods.len();
        let text = self.string("");
        let (params, return_type, flags) = (Vec::new(), Index::new(0), MethodFlags::empty());
        self.abc.methods.push(Method { name: text, params, return_type, flags, body: None });
        self.abc.method_bodies.push(MethodBody {
            method: index(number),
            max_stack: 4,
            num_locals: 1,
            init_scope_depth: 0,
            max_scope_depth: 4,
            code: script_code,
            exceptions: Vec::new(),
            traits: Vec::new(),
        });
        self.abc.scripts.push(Script { init_method: index(number), traits });
        self.abc
    }
}

fn is_branch(mnemonic: &str) -> bool {
    mnemonic == "jump" || mnemonic.starts_with("if")
}

fn plain(mnemonic: &str) -> Op {
    match mnemonic {
        "add" => Op::Add,
        "add_i" => Op::AddI,
        "subtract" => Op::Subtract,
        "multiply" => Op::Multiply,
        "increment" => Op::Increment,
        "not" => Op::Not,
        "equals" => Op::Equals,
        "lessthan" => Op::LessThan,
        "greaterthan" => Op::GreaterThan,
        "dup" => Op::Dup,
        "swap" => Op::Swap,
        "pop" => Op::Pop,
        "label" => Op::Label,
        "pushtrue" => Op::PushTrue,
        "pushfalse" => Op::PushFalse,
        "pushnull" => Op::PushNull,
        "pushundefined" => Op::PushUndefined,
        "pushscope" => Op::PushScope,
        "popscope" => Op::PopScope,
        "coerce_s" => Op::CoerceS,
        "coerce_a" => Op::CoerceA,
        "convert_s" => Op::ConvertS,
        "convert_b" => Op::ConvertB,
        "convert_i" => Op::ConvertI,
        "nextvalue" => Op::NextValue,
        "nextname" => Op::NextName,
        "newactivation" => Op::NewActivation,
        "returnvalue" => Op::ReturnValue,
        "returnvoid" => Op::ReturnVoid,
        "throw" => Op::Throw,
        other => panic!("`{other}` is not an instruction of this assembler"),
    }
}
