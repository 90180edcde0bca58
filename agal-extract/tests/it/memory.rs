//! Measures the peak memory of an extraction relative to the unpacked length of the input. Some inputs resemble the output of
//! compilers, and others have lists that occupy as much memory as possible. Each case runs in a separate process, because the
//! peak is measured for an entire process. The test requires Linux. `CASE=` selects the cases whose names contain a word,
//! `--nocapture` shows the figures, and `MEMORY=43` runs all cases.

use std::path::Path;
use std::process::Command;

use agal_extract::{MOST_OF_FOLDER, MOST_OF_MANIFEST, Options, OutputOptions, extract};
use agalc::Input;
use swf::Compression;
use swf::avm2::types::{
    AbcFile, Class, ConstantPool, Exception, Index, Instance, LookupSwitch, Method, MethodBody, MethodFlags, Multiname,
    Namespace, Op, Script, Trait, TraitKind,
};
use swf::avm2::write::Writer;
use testing::{Effort, MEMORY_ALWAYS, MEMORY_TIMES, memory_of};

use crate::abc::empty;
use crate::swfs::{swf, tar, zlib};

/// The memory, in bytes, that an extraction may use even for a small file. Limits on the results and on code paths enforce this
/// bound.
const ANYWAY: usize = 40 << 20;
/// The memory, in bytes, of the test program itself: the code pages, which are larger without optimisations, and the caches of
/// regular expressions.
const OWN: usize = 6 << 20;
/// The approximate length of each generated file, in bytes.
const LENGTH: usize = 6 << 20;

struct Case {
    name: &'static str,
    make: fn() -> Vec<u8>,
    /// The number of pairs that the extraction must find; `None` if the case requires no pairs.
    pairs: Option<usize>,
}

impl Case {
    const fn new(name: &'static str, make: fn() -> Vec<u8>) -> Case {
        Case { name, make, pairs: None }
    }

    const fn with_pairs(name: &'static str, make: fn() -> Vec<u8>, pairs: usize) -> Case {
        Case { name, make, pairs: Some(pairs) }
    }
}

const CASES: [Case; 43] = [
    Case::new("a game", || game(Compression::None)),
    Case::new("a compressed game", || game(Compression::Lzma)),
    Case::new("code as compilers write it", || of_code(compiled())),
    Case::new("instructions of one byte in many methods", || of_code(bodies(400, LENGTH / 400, &[0x02]))),
    Case::new("one long method", || of_code(vec![body(0, [&[0x02; 1][..]].concat().repeat(LENGTH))])),
    Case::new("switches", switches),
    Case::new("exceptions", exceptions),
    Case::new("short strings", || of_pool(|pool| pool.strings.extend(words(LENGTH / 12, 3)))),
    Case::new("long strings", || of_pool(|pool| pool.strings.extend(words(LENGTH / 60, 59)))),
    Case::new("names", || of_pool(|pool| pool.multinames.extend(names(LENGTH / 16)))),
    Case::new("a large set of namespaces that many names use", sets),
    Case::new("namespaces", || of_pool(|pool| pool.namespaces.extend(private(LENGTH / 20)))),
    Case::new("methods without code", || methods(LENGTH / 10)),
    Case::new("classes", || of_classes(LENGTH / 220, 0)),
    Case::new("members", || of_classes(8, LENGTH / 80)),
    Case::new("dense strings", || of_pool(|pool| pool.strings.extend(words(LENGTH / 5, 3)))),
    Case::new("dense namespaces", namespaces),
    Case::new("dense names", || of_pool(|pool| pool.multinames.extend(names(LENGTH / 7)))),
    Case::new("dense methods", || methods(LENGTH / 5)),
    Case::new("dense code", || of_code(bodies(1, LENGTH / 28, &[0x02]))),
    Case::new("dense classes", || of_classes(LENGTH / 101, 0)),
    Case::new("dense members", || of_classes(8, LENGTH / 36)),
    Case::new("small items of data", || data(12)),
    Case::new("programs in data", || data(31)),
    Case::new("digits", encoded),
    Case::new("an archive in an archive", || tar(&[("a.tar", &tar(&[("a.swf", &game(Compression::None))]))])),
    Case::new("a projector", projector),
    Case::new("the words of SWFs in data", || of_data(&b"FWS\x0a\xff\0\0\0CWS\x0a\x10\0\0\0x\xda".repeat(LENGTH / 18))),
    Case::new("strings in JSON", || of_data(format!("[{}0]", "\"mov oc, v0\",".repeat(LENGTH / 13)).as_bytes())),
    Case::new("attributes in XML", || of_data(format!("<a {}/>", "b='mov oc, v0' ".repeat(LENGTH / 15)).as_bytes())),
    Case::new("streams in data", streams),
    Case::new("objects that initialisers make", || initialisers(&[0xd1, 0x55, 0, 0x4f, 2, 1])),
    Case::new("byte arrays that initialisers make", || initialisers(&BYTE_ARRAY)),
    Case::new("texts that initialisers make", || initialisers(&[0xd1, 0x2c, 3, 0x2c, 1, 0xa0, 0x4f, 2, 1])),
    Case::new("long programs with conditions", variants),
    Case::new("a text that a loop grows", growing),
    Case::new("methods with many conditions that call one another", inner),
    Case::new("getters that each class below overrides", overridden),
    Case::new("a graph of nodes that write their code", graph),
    Case::new("classes that are registered by names", registry),
    Case::with_pairs(
        "a long index buffer before the program",
        || after("for (var i:int = 0; i < 60000; i++) list.push(i, i + 1, i + 2);"),
        1,
    ),
    Case::with_pairs("long loops outside of programs", busy, 1),
    Case::new("a long text that is cut into letters", letters),
];

fn string(number: usize) -> Index<String> {
    Index::new(u32::try_from(number).expect("a small number"))
}

/// Returns an ABC block with one name and one script.
fn block() -> AbcFile {
    let mut abc = empty();
    let pool = &mut abc.constant_pool;
    pool.strings.push(b"name".to_vec());
    pool.namespaces.push(Namespace::Package(string(1)));
    pool.namespace_sets.push(vec![Index::new(1)]);
    pool.multinames.push(Multiname::QName { namespace: Index::new(1), name: string(1) });
    abc.scripts.push(Script { init_method: Index::new(0), traits: Vec::new() });
    abc
}

/// Returns a SWF with the given ABC block. Padding makes all files equally long, because the reader rejects a block if its lists
/// need too much memory for the block's length.
fn written(abc: AbcFile) -> Vec<u8> {
    swf(Compression::None, &bytes_of(abc), &[])
}

fn bytes_of(mut abc: AbcFile) -> Vec<u8> {
    let methods = abc.method_bodies.iter().map(|body| body.method.0 + 1).max().unwrap_or(1) as usize;
    while abc.methods.len() < methods {
        abc.methods.push(method());
    }
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).write(abc.clone()).expect("memory can be written");
    if let Some(missing) = LENGTH.checked_sub(bytes.len()) {
        abc.constant_pool.strings.push(vec![b' '; missing]);
        bytes.clear();
        Writer::new(&mut bytes).write(abc).expect("memory can be written");
    }
    bytes
}

fn method() -> Method {
    Method { name: string(0), params: Vec::new(), return_type: Index::new(0), flags: MethodFlags::empty(), body: None }
}

fn body(method: usize, code: Vec<u8>) -> MethodBody {
    MethodBody {
        method: Index::new(u32::try_from(method).expect("a small number")),
        max_stack: 4,
        num_locals: 4,
        init_scope_depth: 0,
        max_scope_depth: 4,
        code,
        exceptions: Vec::new(),
        traits: Vec::new(),
    }
}

fn bodies(length: usize, count: usize, instruction: &[u8]) -> Vec<MethodBody> {
    (0..count).map(|at| body(at, [&instruction.repeat(length / instruction.len())[..], &[0x47]].concat())).collect()
}

fn of_code(bodies: Vec<MethodBody>) -> Vec<u8> {
    written(AbcFile { method_bodies: bodies, ..block() })
}

fn of_pool(fill: impl Fn(&mut ConstantPool)) -> Vec<u8> {
    let mut abc = block();
    fill(&mut abc.constant_pool);
    abc.method_bodies = vec![body(0, vec![0x47])];
    written(abc)
}

/// Returns methods of 250 bytes that read members, add, call and branch.
fn compiled() -> Vec<MethodBody> {
    // this.name + this.name; if (this.name) { this.name(1) }
    let statement: &[u8] =
        &[0xd0, 0x66, 1, 0xd0, 0x66, 1, 0xa0, 0x29, 0xd0, 0x66, 1, 0x12, 6, 0, 0, 0xd0, 0x24, 1, 0x4f, 1, 1];
    bodies(12 * statement.len(), LENGTH / 260, statement)
}

/// Returns a SWF whose classes resemble the classes of games: one class with ten fields and eleven methods per 2,100 bytes.
fn game(compression: Compression) -> Vec<u8> {
    const FIELDS: usize = 10;
    const METHODS: usize = 11;
    let count = LENGTH / 2_100;
    let mut abc = block();
    let pool = &mut abc.constant_pool;
    pool.strings.extend((0..count * 40).map(|at| format!("name of {at}").into_bytes()));
    let named = |at: usize| Multiname::QName { namespace: Index::new(1), name: string(at + 2) };
    pool.multinames.extend((0..count * 30).map(named));
    let name = |at: usize| Index::new(u32::try_from(at).expect("a small number") + 2);
    let number = |at: usize| Index::new(u32::try_from(at).expect("a small number"));
    let plain = |name, kind| Trait { name, kind, metadata: Vec::new(), is_final: false, is_override: false };
    for class in 0..count {
        let first = class * (METHODS + 2);
        let slot =
            |at| plain(name(class * 30 + at), TraitKind::Slot { slot_id: 0, type_name: Index::new(1), value: None });
        let method = |at| {
            let kind = TraitKind::Method { disp_id: 0, method: number(first + 2 + at) };
            plain(name(class * 30 + FIELDS + at), kind)
        };
        abc.instances.push(Instance {
            name: name(class * 30 + 29),
            super_name: Index::new(0),
            is_sealed: true,
            is_final: false,
            is_interface: false,
            protected_namespace: None,
            interfaces: Vec::new(),
            init_method: number(first),
            traits: (0..FIELDS).map(slot).chain((0..METHODS).map(method)).collect(),
        });
        abc.classes.push(Class { init_method: number(first + 1), traits: Vec::new() });
        let code = |at: usize| {
            let index = u8::try_from(at % 100 + 1).expect("a small number");
            // this.name = this.name + this.name; this.name(1)
            let statement = [0xd0, 0xd0, 0x66, index, 0xd0, 0x66, 1, 0xa0, 0x61, 1, 0xd0, 0x24, 1, 0x4f, index, 1];
            [&statement.repeat(6)[..], &[0x47]].concat()
        };
        abc.method_bodies.extend((first..first + METHODS + 2).map(|at| body(at, code(at))));
    }
    swf(compression, &bytes_of(abc), &[])
}

fn words(count: usize, length: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(move |at| {
        let mut word = vec![b'x'; length];
        for (place, letter) in word.iter_mut().take(3).enumerate() {
            *letter = 32 + ((at >> (6 * place)) & 63) as u8;
        }
        word
    })
}

fn names(count: usize) -> impl Iterator<Item = Multiname> {
    (0..count).map(|_| Multiname::QName { namespace: Index::new(1), name: string(1) })
}

fn private(count: usize) -> impl Iterator<Item = Namespace> {
    (0..count).map(|_| Namespace::Private(string(1)))
}

fn namespaces() -> Vec<u8> {
    const COUNT: usize = LENGTH / 24;
    of_pool(|pool| {
        pool.strings.extend(words(COUNT, 3));
        pool.namespaces.extend((2..COUNT + 2).map(|at| Namespace::Package(string(at))));
    })
}

fn sets() -> Vec<u8> {
    of_pool(|pool| {
        pool.namespaces.extend(private(1_000));
        pool.namespace_sets.push((1..=1_000).map(Index::new).collect());
        let name = || Multiname::Multiname { namespace_set: Index::new(2), name: string(1) };
        pool.multinames.extend((0..40_000).map(|_| name()));
    })
}

fn switches() -> Vec<u8> {
    let mut code = Vec::new();
    let mut writer = Writer::new(&mut code);
    for _ in 0..LENGTH / 6_000 {
        let switch = LookupSwitch { default_offset: 0, case_offsets: vec![0; 2_000].into() };
        writer.write_op(&Op::PushByte { value: 0 }).expect("memory can be written");
        writer.write_op(&Op::LookupSwitch(Box::new(switch))).expect("memory can be written");
    }
    of_code(vec![body(0, code)])
}

fn exceptions() -> Vec<u8> {
    let exception = || Exception {
        from_offset: 0,
        to_offset: 1,
        target_offset: 0,
        variable_name: Index::new(0),
        type_name: Index::new(0),
    };
    let mut body = body(0, vec![0x02, 0x47]);
    body.exceptions = (0..LENGTH / 5).map(|_| exception()).collect();
    of_code(vec![body])
}

fn methods(count: usize) -> Vec<u8> {
    let mut abc = block();
    abc.methods = (0..count).map(|_| method()).collect();
    abc.method_bodies = vec![body(0, vec![0x47])];
    written(abc)
}

/// Returns a SWF with `count` classes, which have `fields` fields in total.
fn of_classes(count: usize, fields: usize) -> Vec<u8> {
    let mut abc = block();
    abc.constant_pool.strings.extend(words(fields, 20));
    let slot = |at: usize| Trait {
        name: Index::new(u32::try_from(at).expect("a small number") + 2),
        kind: TraitKind::Slot { slot_id: 0, type_name: Index::new(0), value: None },
        metadata: Vec::new(),
        is_final: false,
        is_override: false,
    };
    abc.constant_pool
        .multinames
        .extend((0..fields).map(|at| Multiname::QName { namespace: Index::new(1), name: string(at + 2) }));
    abc.instances = (0..count)
        .map(|at| Instance {
            name: Index::new(1),
            super_name: Index::new(0),
            is_sealed: false,
            is_final: false,
            is_interface: false,
            protected_namespace: None,
            interfaces: Vec::new(),
            init_method: Index::new(0),
            traits: (at * fields / count..(at + 1) * fields / count).map(slot).collect(),
        })
        .collect();
    abc.classes = (0..count).map(|_| Class { init_method: Index::new(0), traits: Vec::new() }).collect();
    abc.method_bodies = vec![body(0, vec![0x47])];
    written(abc)
}

/// Returns a SWF whose data items contain the first `length` bytes of a program.
fn data(length: usize) -> Vec<u8> {
    let empty = swf(Compression::None, &[], &[]);
    // The last 8 bytes of the empty SWF are its three tags.
    let (head, tail) = empty.split_at(empty.len() - 8);
    let mut bytes = head.to_vec();
    for at in 0..LENGTH / (length + 8) {
        let mut item = vec![0xa0, 1, 0, 0, 0, 0xa1, 1];
        item.extend([0, 0, 0, 0, 0, 0, 15, 3, 0, 0, 0, 0xe4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        item.truncate(length);
        // Bytes 15 and 16 contain the source register's number, which is invalid in some items.
        if let Some(place) = item.get_mut(15..17) {
            place.copy_from_slice(&((at % 1_000) as u16).to_le_bytes());
        }
        if let Some(place) = item.get_mut(18) {
            *place = (at / 1_000 % 256) as u8;
        }
        bytes.extend((87_u16 << 6 | u16::try_from(length + 6).expect("a short tag")).to_le_bytes());
        bytes.extend([(at % 65_536) as u16, 0, 0].map(u16::to_le_bytes).concat());
        bytes.extend(item);
    }
    bytes.extend(tail);
    let length = u32::try_from(bytes.len()).expect("a short file");
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Returns a SWF with one data item that consists of hexadecimal digits.
fn encoded() -> Vec<u8> {
    let program = "a001000000a101 00000000 00000f03 000000e404000000 0000000000000000".replace(' ', "");
    swf(Compression::None, &[], &[("Data", program.repeat(LENGTH / program.len()).as_bytes())])
}

fn of_data(data: &[u8]) -> Vec<u8> {
    swf(Compression::None, &[], &[("Data", data)])
}

fn projector() -> Vec<u8> {
    let swf = game(Compression::None);
    let length = u32::try_from(swf.len()).expect("a short file").to_le_bytes();
    [&b"MZ"[..], &vec![1; LENGTH], &swf, &[0x56, 0x34, 0x12, 0xfa], &length].concat()
}

/// Returns zlib streams that each unpack to 1 MiB. The leading byte ensures that no single stream spans all of the data.
fn streams() -> Vec<u8> {
    let stream = zlib(&vec![7; 1 << 20]);
    of_data(&[&[1], &stream.repeat(LENGTH / stream.len())[..]].concat())
}

/// AVM2 code that creates a `ByteArray`, sets its length to 1 MiB, and pushes the `ByteArray` to an array.
const BYTE_ARRAY: [u8; 22] = [
    0xd1, 0x5d, 3, 0x4a, 3, 0, 0x2a, 0x2d, 1, 0x61, 4, // new ByteArray(), and its length
    0x4f, 2, 1, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02,
];

/// Returns initialisers that run the code `each` in an endless loop. Local variable 1 contains an array.
fn initialisers(each: &[u8]) -> Vec<u8> {
    let mut abc = block();
    let pool = &mut abc.constant_pool;
    pool.ints.push(1 << 20);
    pool.strings.extend([b"push".to_vec(), vec![b'x'; 200_000], b"ByteArray".to_vec(), b"length".to_vec()]);
    pool.strings.extend([b"flash.utils".to_vec(), b"".to_vec()]);
    pool.namespaces = vec![Namespace::Package(string(7)), Namespace::Package(string(6))];
    let name = |namespace, name| Multiname::QName { namespace: Index::new(namespace), name: string(name) };
    pool.multinames = vec![name(1, 1), name(1, 2), name(2, 4), name(1, 5)];
    let mut code = vec![0x56, 0, 0xd5, 0x09];
    code.extend(each);
    let back = -i32::try_from(each.len() + 5).expect("a short loop");
    code.push(0x10);
    code.extend(&back.to_le_bytes()[..3]);
    abc.method_bodies = (0..40).map(|at| body(at, code.clone())).collect();
    abc.scripts = (0..40).map(|at| Script { init_method: Index::new(at), traits: Vec::new() }).collect();
    written(abc)
}

/// Returns the source of a class with a long program and many conditions.
fn variants() -> Vec<u8> {
    let flags: Vec<String> = (0..10).map(|at| format!("flag{at}")).collect();
    let fields: String = flags.iter().map(|flag| format!("public var {flag}: Boolean;\n")).collect();
    let parts: String = flags.iter().map(|flag| format!("if ({flag}) code += \"mul ft0, ft0, fc0\\n\";\n")).collect();
    let long = "add ft0, ft0, fc1\\n".repeat(10_000);
    format!(
        "package {{ public class A {{ {fields} public function make(assembler: AGALMiniAssembler): void {{\n\
         var code: String = \"mov ft0, v0\\n{long}\";\n{parts} code += \"mov oc, ft0\\n\";\n\
         assembler.assemble(\"fragment\", code); }} }} }}"
    )
    .into_bytes()
}

/// Returns a class with a loop that appends lines to a program's text and uploads the text in each iteration.
fn growing() -> Vec<u8> {
    "package { public class A { public function make(context: Context3D, assembler: AGALMiniAssembler, count: int): void {\n\
     var code: String = \"mov oc, v0\\n\"; for (var i: int = 0; i < count; i++) { code += code + \"mov oc, fc\" + i + \"\\n\";\n\
     context.createProgram().upload(assembler.assemble(\"vertex\", \"mov op, va0\"), assembler.assemble(\"fragment\", code)); }}}}"
        .as_bytes()
        .to_vec()
}

/// Returns a class whose methods test many fields that no code sets. Each method calls the next method.
fn inner() -> Vec<u8> {
    let fields: String = (0..400).map(|at| format!("protected var flag{at}: Boolean;\n")).collect();
    let methods: String = (0..40)
        .map(|at| {
            let lines: String = (0..10)
                .map(|line| format!("if (flag{}) code += \"add ft{}, ft0, fc{line}\\n\";\n", at * 10 + line, at % 8))
                .collect();
            format!("protected function part{at}(): String {{ var code: String = \"\";\n{lines} return code + part{}(); }}\n", at + 1)
        })
        .collect();
    let calls: String = (0..40)
        .map(|at| format!("assembler.assemble(\"fragment\", \"mov ft0, v0\\n\" + part{at}() + \"mov oc, ft0\");\n"))
        .collect();
    format!(
        "package {{ public class A {{ {fields}{methods} protected function part40(): String {{ return \"\"; }}\n\
         public function make(assembler: AGALMiniAssembler): void {{ {calls} }} }} }}"
    )
    .into_bytes()
}

/// Returns a base class with a program that calls getters many times, and subclasses that override the getters.
fn overridden() -> Vec<u8> {
    let asked: String =
        (0..60).map(|at| format!("if (is{}) code += \"mul ft0, ft0, fc{}\\n\";\n", at % 12, at % 28)).collect();
    let getters = |value: &str, from: usize| -> String {
        let word = if from == 0 { "" } else { "override " };
        (0..12).map(|at| format!("{word}public function get is{at}(): Boolean {{ return {value}; }}\n")).collect()
    };
    let classes: String = (1..30)
        .map(|at| format!("class B{at} extends A {{ {} }}\n", getters(if at % 2 == 0 { "true" } else { "false" }, at)))
        .collect();
    format!(
        "package {{ public class A {{ {} public function make(assembler: AGALMiniAssembler): void {{\n\
         var code: String = \"mov ft0, v0\\n\";\n{asked} assembler.assemble(\"fragment\", code + \"mov oc, ft0\"); }} }} }}\n{classes}",
        getters("false", 0)
    )
    .into_bytes()
}

/// Returns the classes of an expression graph. Each node emits the code of its children, which are known only at run time, and
/// then its own code.
fn graph() -> Vec<u8> {
    let kinds: String = (0..40)
        .map(|at| {
            format!(
                "class Node{at} extends Node {{ public var a: Node; public var b: Node; public var c: Node;\n\
                 override public function write(to: int): String {{\n\
                 return a.write(to) + b.write(to + 1) + c.write(to + 2) + \"add ft\" + to + \", ft\" + (to + 1) + \", fc\" + index + \"\\n\"; }} }}\n"
            )
        })
        .collect();
    format!(
        "package {{ public class A {{ public function make(assembler: AGALMiniAssembler, root: Node): void {{\n\
         assembler.assemble(\"fragment\", root.write(0) + \"mov oc, ft0\"); }} }} }}\n\
         class Node {{ public var index: int; public function write(to: int): String {{ return \"\"; }} }}\n{kinds}"
    )
    .into_bytes()
}

/// Returns classes that are created by name, and many callers that pass different constructor arguments.
fn registry() -> Vec<u8> {
    let classes: String = (0..60)
        .map(|at| {
            format!(
                "class P{at} extends Pass {{ public function P{at}(size: int, mode: String) {{\n\
                 for (var i: int = 0; i < size; i++) code += \"add ft\" + i % 8 + \", ft0, fc{}\\n\"; code += mode; }} }}\n",
                at % 28
            )
        })
        .collect();
    let puts: String = (0..60).map(|at| format!("all[\"p{at}\"] = P{at};\n")).collect();
    let calls: String =
        (0..60).map(|at| format!("take(\"p{at}\", {}, \"mov oc, ft{}\", assembler);\n", at % 16, at % 8)).collect();
    format!(
        "package {{ public class A {{ private var all: Object = {{}}; public function A() {{ {puts} }}\n\
         public function take(key: String, size: int, mode: String, assembler: AGALMiniAssembler): void {{\n\
         var pass: Pass = new all[key](size, mode); assembler.assemble(\"fragment\", \"mov ft0, v0\\n\" + pass.code); }}\n\
         public function make(assembler: AGALMiniAssembler): void {{ {calls} }} }} }}\n\
         class Pass {{ public var code: String = \"\"; }}\n{classes}"
    )
    .into_bytes()
}

/// Returns a class that uploads a pair after running `code`.
fn after(code: &str) -> Vec<u8> {
    format!(
        "package {{ public class A {{ public function make(context: Context3D, assembler: AGALMiniAssembler): void {{\n\
         var list: Vector.<uint> = new Vector.<uint>(); {code}\n\
         context.createProgram().upload(assembler.assemble(\"vertex\", \"mov op, va0\"), assembler.assemble(\"fragment\", \"mov oc, fc0\")); }} }} }}"
    )
    .into_bytes()
}

/// Returns a class with a text of 3 MiB, and code that splits the text at each letter or matches each letter.
fn letters() -> Vec<u8> {
    let uses: String = ["text.split(\"\")", "text.split(/x*/)", "text.match(/x/g)", "text.split(\"x\")"]
        .iter()
        .zip(1..)
        .map(|(use_, at)| {
            format!(
                "public function f{at}(assembler: AGALMiniAssembler): void {{ var parts: Array = {use_};\n\
                 assembler.assemble(\"fragment\", \"mov oc, fc{at}\"); }}\n"
            )
        })
        .collect();
    let text = "x".repeat(3 << 20);
    format!("package {{ public class A {{ private static const text: String = \"{text}\";\n{uses} }} }}").into_bytes()
}

/// Returns an application with one pair, and other code that runs for a long time.
fn busy() -> Vec<u8> {
    let methods: String = (0..200)
        .map(|at| {
            format!(
                "public function busy{at}(data: Array): Number {{ var sum: Number = 0;\n\
                 for (var i: int = 0; i < 100000; i++) for (var j: int = 0; j < data.length; j++) if (data[j] > i) sum += data[j] * i;\n\
                 trace(\"sum\" + sum); return sum + busy{}(data); }}\n",
                (at + 1) % 200
            )
        })
        .collect();
    let pair = String::from_utf8(after("busy.busy0([]);")).expect("a text");
    format!("{pair}\nvar busy: Busy = new Busy();\nclass Busy {{ {methods} }}").into_bytes()
}

/// Extracts the programs of a file, builds the outputs, and prints the difference between the peak memory and the initial
/// memory.
fn measure() {
    let path = std::env::var_os("MEMORY_FILE").expect("a path");
    let name = std::env::var("MEMORY_NAME").expect("a name");
    let before = memory_of("self", "VmRSS:").expect("memory in use");
    let bytes = std::fs::read(path).expect("the file");
    let found = extract(&[Input { name, bytes }], &Options::default());
    let peak = memory_of("self", "VmHWM:").expect("the peak");
    let output = found.output(&OutputOptions::default());
    let manifest = serde_json::to_string(&output.manifest).expect("memory can be written").len();
    let folder: usize = output.files.iter().map(|file| file.bytes.len()).sum();
    let all = memory_of("self", "VmHWM:").expect("the peak");
    println!(
        "measured: peak {} all {} manifest {manifest} folder {folder} pairs {} programs {}",
        peak.saturating_sub(before),
        all.saturating_sub(before),
        found.pairs.len(),
        found.programs.len()
    );
    for warning in found.warnings.iter().take(2) {
        println!("warning {}", warning.message);
    }
}

struct Measured {
    said: String,
    seconds: f64,
}

impl Measured {
    /// Measures the extraction of one file in a separate process of this test program.
    fn of(name: &str, path: &Path) -> Measured {
        let start = std::time::Instant::now();
        let ran = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "memory::an_extraction_takes_at_most_ten_times_the_unpacked_file", "--nocapture"])
            .env("MEMORY_NAME", name)
            .env("MEMORY_FILE", path)
            .output()
            .expect("this program runs");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{name}: {said}{}", String::from_utf8_lossy(&ran.stderr));
        Measured { said, seconds: start.elapsed().as_secs_f64() }
    }

    fn number(&self, what: &str) -> usize {
        let found = self.said.split_once(what).and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        found.unwrap_or_else(|| panic!("no number of `{what}`: {}", self.said))
    }

    /// Returns a message if the extraction used more than `most` bytes of memory or its outputs are too large. `unpacked` is the
    /// file's unpacked length in bytes.
    fn fault(&self, name: &str, unpacked: usize, most: usize) -> Option<String> {
        let (peak, manifest, folder) = (self.number("peak "), self.number("manifest "), self.number("folder "));
        let warnings: Vec<&str> = self.said.lines().filter_map(|line| line.strip_prefix("warning ")).collect();
        println!(
            "{name:50} {unpacked:>9} bytes, {:>5.1} times, {:>6.1} s, manifest {manifest}, folder {folder}: {} programs; {}",
            peak as f64 / unpacked as f64,
            self.seconds,
            self.number("programs "),
            warnings.join("; ")
        );
        let all = self.number("all ");
        let is_within = peak <= most + OWN && all <= MEMORY_TIMES * unpacked + MEMORY_ALWAYS + OWN;
        (!(is_within && manifest <= MOST_OF_MANIFEST && folder <= MOST_OF_FOLDER)).then(|| {
            format!("{name}: {peak} and with output {all} bytes of memory, {manifest} of a manifest and {folder} of programs for a file of {unpacked}")
        })
    }
}

/// Returns the unpacked length of a file in bytes, which a SWF states in its header.
fn unpacked(bytes: &[u8]) -> usize {
    match bytes.get(..8) {
        Some([_, b'W', b'S', _, length @ ..]) => u32::from_le_bytes(length.try_into().expect("four bytes")) as usize,
        _ => bytes.len(),
    }
}

#[test]
fn an_extraction_takes_at_most_ten_times_the_unpacked_file() {
    if std::env::var_os("MEMORY_NAME").is_some() {
        return measure();
    }
    if memory_of("self", "VmHWM:").is_none() {
        println!("the peak of memory is not known on this system");
        return;
    }
    let only = std::env::var("CASE").unwrap_or_default();
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    let tried: Vec<&Case> = match only.is_empty() {
        true => Effort::part_of("MEMORY", &CASES),
        false => CASES.iter().filter(|case| case.name.contains(&only)).collect(),
    };
    for case in tried {
        let bytes = (case.make)();
        let unpacked = unpacked(&bytes);
        let is_source = bytes.starts_with(b"package");
        let path = folder.path().join("file");
        std::fs::write(&path, &bytes).expect("the file");
        let measured = Measured::of(if is_source { "a.as" } else { "a.swf" }, &path);
        assert!(!measured.said.contains("damaged"), "{}: {}", case.name, measured.said);
        // The size of the compiled form is not proportional to the length of the source.
        let most =
            if is_source { MEMORY_TIMES * unpacked + MEMORY_ALWAYS } else { (MEMORY_TIMES * unpacked).max(ANYWAY) };
        wrong.extend(measured.fault(case.name, unpacked, most));
        if let Some(pairs) = case.pairs {
            assert_eq!(measured.number("pairs "), pairs, "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
