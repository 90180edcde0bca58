//! Builds SWF files whose code assembles AGAL, like the output of an ActionScript compiler. This module contains a small
//! assembler for ABC, and the game of docs/extract.md.

use std::collections::BTreeMap;

use swf::avm2::types::{
    AbcFile, Class, ConstantPool, Index, Instance, Method, MethodBody, MethodFlags, Multiname, Namespace, Op, Script,
    Trait, TraitKind,
};
use swf::avm2::write::Writer;
use swf::{Compression, Header, Tag};

struct Assembler {
    abc: AbcFile,
    strings: BTreeMap<String, u32>,
    names: BTreeMap<String, u32>,
}

/// An ABC instruction that refers to methods and properties by their names instead of by their indices.
enum Code<'c> {
    Op(Op),
    String(&'c str),
    FindStrict(&'c str),
    Get(&'c str),
    Call(&'c str, u32),
    CallVoid(&'c str, u32),
    New(&'c str, u32),
    /// Executes the first block if the value on the stack is true, and otherwise the second block.
    If(Vec<Code<'c>>, Vec<Code<'c>>),
}

impl Assembler {
    fn new() -> Assembler {
        let pool = ConstantPool {
            ints: Vec::new(),
            uints: Vec::new(),
            doubles: Vec::new(),
            strings: Vec::new(),
            namespaces: Vec::new(),
            namespace_sets: Vec::new(),
            multinames: Vec::new(),
        };
        let abc = AbcFile {
            major_version: 46,
            minor_version: 16,
            constant_pool: pool,
            methods: Vec::new(),
            metadata: Vec::new(),
            instances: Vec::new(),
            classes: Vec::new(),
            scripts: Vec::new(),
            method_bodies: Vec::new(),
        };
        Assembler { abc, strings: BTreeMap::new(), names: BTreeMap::new() }
    }

    fn string(&mut self, text: &str) -> Index<String> {
        let strings = &mut self.abc.constant_pool.strings;
        let index = *self.strings.entry(text.to_string()).or_insert_with(|| {
            strings.push(text.as_bytes().to_vec());
            strings.len() as u32
        });
        Index::new(index)
    }

    /// Returns the index of a public name such as `com.example.Glow`. An unknown name is added.
    fn name(&mut self, name: &str) -> Index<Multiname> {
        if let Some(index) = self.names.get(name) {
            return Index::new(*index);
        }
        let (package, last) = name.rsplit_once('.').unwrap_or(("", name));
        let (package, last) = (self.string(package), self.string(last));
        self.abc.constant_pool.namespaces.push(Namespace::Package(package));
        let namespace = Index::new(self.abc.constant_pool.namespaces.len() as u32);
        self.abc.constant_pool.multinames.push(Multiname::QName { namespace, name: last });
        let index = self.abc.constant_pool.multinames.len() as u32;
        self.names.insert(name.to_string(), index);
        Index::new(index)
    }

    fn bytes(&mut self, code: &[Code<'_>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for code in code {
            let op = match code {
                Code::Op(op) => op.clone(),
                Code::String(text) => Op::PushString { value: self.string(text) },
                Code::FindStrict(name) => Op::FindPropStrict { index: self.name(name) },
                Code::Get(name) => Op::GetProperty { index: self.name(name) },
                Code::Call(name, num_args) => Op::CallProperty { index: self.name(name), num_args: *num_args },
                Code::CallVoid(name, num_args) => Op::CallPropVoid { index: self.name(name), num_args: *num_args },
                Code::New(name, num_args) => Op::ConstructProp { index: self.name(name), num_args: *num_args },
                Code::If(then, other) => {
                    let (mut then, other) = (self.bytes(then), self.bytes(other));
                    then.extend(written(&Op::Jump { offset: other.len() as i32 }));
                    bytes.extend(written(&Op::IfFalse { offset: then.len() as i32 }));
                    bytes.extend(then);
                    bytes.extend(other);
                    continue;
                }
            };
            bytes.extend(written(&op));
        }
        bytes
    }

    fn method(&mut self, name: &str, parameters: usize, code: &[Code<'_>]) -> Index<Method> {
        let parameter = swf::avm2::types::MethodParam { name: None, kind: Index::new(0), default_value: None };
        let method = Method {
            name: self.string(name),
            params: vec![parameter; parameters],
            return_type: Index::new(0),
            flags: MethodFlags::empty(),
            body: None,
        };
        self.abc.methods.push(method);
        let index = Index::new(self.abc.methods.len() as u32 - 1);
        let begin = [Code::Op(Op::GetLocal { index: 0 }), Code::Op(Op::PushScope)];
        let mut bytes = self.bytes(&begin);
        bytes.extend(self.bytes(code));
        bytes.extend(written(&Op::ReturnVoid));
        self.abc.method_bodies.push(MethodBody {
            method: index,
            max_stack: 16,
            num_locals: 16,
            init_scope_depth: 1,
            max_scope_depth: 8,
            code: bytes,
            exceptions: Vec::new(),
            traits: Vec::new(),
        });
        index
    }

    /// Adds a class, and the script that defines the class. The constructor has a parameter for each field.
    fn class(&mut self, name: &str, fields: &[&str], methods: &[(&str, Index<Method>)]) {
        let (class_name, object) = (self.name(name), self.name("Object"));
        let mut constructor = Vec::new();
        for (field, index) in fields.iter().zip(1..) {
            let index_of_field = self.name(field);
            // Compilers write the names of registers as debug information by default.
            let (register_name, register) = (self.string(field), index as u8 - 1);
            constructor.push(Code::Op(Op::Debug { is_local_register: true, register_name, register }));
            constructor.push(GET_THIS);
            constructor.push(Code::Op(Op::GetLocal { index }));
            constructor.push(Code::Op(Op::SetProperty { index: index_of_field }));
        }
        let init_method = self.method(name, fields.len(), &constructor);
        let mut traits = Vec::new();
        let entry = |name, kind| Trait { name, kind, metadata: Vec::new(), is_final: false, is_override: false };
        for field in fields {
            let kind = TraitKind::Slot { slot_id: 0, type_name: Index::new(0), value: None };
            traits.push(entry(self.name(field), kind));
        }
        for (method, index) in methods {
            traits.push(entry(self.name(method), TraitKind::Method { disp_id: 0, method: *index }));
        }
        self.abc.instances.push(Instance {
            name: class_name,
            super_name: object,
            is_sealed: true,
            is_final: false,
            is_interface: false,
            protected_namespace: None,
            interfaces: Vec::new(),
            init_method,
            traits,
        });
        let static_init = self.method("", 0, &[]);
        self.abc.classes.push(Class { init_method: static_init, traits: Vec::new() });
        let class = Index::new(self.abc.classes.len() as u32 - 1);
        let script = [
            Code::Op(Op::GetScopeObject { index: 0 }),
            Code::Op(Op::GetLex { index: object }),
            Code::Op(Op::NewClass { index: class }),
            Code::Op(Op::InitProperty { index: class_name }),
        ];
        let init_method = self.method("", 0, &script);
        let traits = vec![entry(class_name, TraitKind::Class { slot_id: 1, class })];
        self.abc.scripts.push(Script { init_method, traits });
    }

    fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes).write(self.abc).expect("an ABC file");
        bytes
    }
}

fn written(op: &Op) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).write_op(op).expect("an instruction");
    bytes
}

const ASSEMBLER: &str = "com.adobe.utils.AGALMiniAssembler";
const GET_THIS: Code<'_> = Code::Op(Op::GetLocal { index: 0 });
const ADD: Code<'_> = Code::Op(Op::Add);

/// Returns the instructions for `new AGALMiniAssembler().assemble(stage, text)`.
fn assembled<'c>(stage: &'c str, text: Vec<Code<'c>>) -> Vec<Code<'c>> {
    let mut code = vec![Code::FindStrict(ASSEMBLER), Code::New(ASSEMBLER, 0), Code::String(stage)];
    code.extend(text);
    code.push(Code::Call("assemble", 2));
    code
}

/// Returns the instructions for `program.upload(vertex, fragment)`, where `program` is the method's parameter.
fn upload<'c>(vertex: Vec<Code<'c>>, fragment: Vec<Code<'c>>) -> Vec<Code<'c>> {
    let mut code = vec![Code::Op(Op::GetLocal { index: 1 })];
    code.extend(vertex);
    code.extend(fragment);
    code.push(Code::CallVoid("upload", 2));
    code
}

/// Builds the SWF file of docs/extract.md, as if it had been compiled from these sources:
///
/// ```as3
/// class Glow {
///     var additive: Boolean;
///     function Glow(additive: Boolean) { this.additive = additive; }
///     function upload(program: Program3D): void {
///         program.upload(
///             new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc0\n" + "mov v0, va1\n"),
///             new AGALMiniAssembler().assemble("fragment",
///                 "tex ft0, v0, fs0 <2d,linear,mipnone,clamp>\n" + (additive ? "add" : "mul") + " oc, ft0, fc0\n"));
///     }
/// }
/// class Sky {
///     var smoothing: String;
///     function Sky(smoothing: String) { this.smoothing = smoothing; }
///     function upload(program: Program3D): void {
///         program.upload(
///             new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc0\nmov v0, va0\n"),
///             new AGALMiniAssembler().assemble("fragment", "tex ft0, v0, fs0 <cube," + smoothing + ",miplinear>\nmov oc, ft0\n"));
///     }
/// }
/// ```
pub(crate) fn game(compression: Compression) -> Vec<u8> {
    let mut assembler = Assembler::new();
    let glow = upload(
        assembled("vertex", vec![Code::String("m44 op, va0, vc0\n"), Code::String("mov v0, va1\n"), ADD]),
        assembled(
            "fragment",
            vec![
                Code::String("tex ft0, v0, fs0 <2d,linear,mipnone,clamp>\n"),
                GET_THIS,
                Code::Get("additive"),
                Code::If(vec![Code::String("add")], vec![Code::String("mul")]),
                ADD,
                Code::String(" oc, ft0, fc0\n"),
                ADD,
            ],
        ),
    );
    let glow = assembler.method("upload", 1, &glow);
    assembler.class("com.example.Glow", &["additive"], &[("upload", glow)]);
    let sky = upload(
        assembled("vertex", vec![Code::String("m44 op, va0, vc0\nmov v0, va0\n")]),
        assembled(
            "fragment",
            vec![
                Code::String("tex ft0, v0, fs0 <cube,"),
                GET_THIS,
                Code::Get("smoothing"),
                ADD,
                Code::String(",miplinear>\nmov oc, ft0\n"),
                ADD,
            ],
        ),
    );
    let sky = assembler.method("upload", 1, &sky);
    assembler.class("com.example.Sky", &["smoothing"], &[("upload", sky)]);
    let abc = assembler.finish();
    let code = Tag::DoAbc2(swf::DoAbc2 { flags: swf::DoAbc2Flag::empty(), name: "game".into(), data: &abc });
    let header = Header { compression, ..Header::default_with_swf_version(14) };
    let mut file = Vec::new();
    swf::write_swf(&header, &[code], &mut file).expect("a SWF file");
    file
}
