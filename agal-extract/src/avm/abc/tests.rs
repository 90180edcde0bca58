//! What is read of a block is what the `swf` crate's own reader reads.

use swf::avm2::types::{self, AbcFile, ConstantPool, Instance, Metadata, MethodBody};
use swf::avm2::write::Writer;
use testing::{Effort, Random, damage, difference, files, testdata};

use super::*;
use crate::sources::{Source, compile};

/// A block with an entry of each kind.
fn of_all_kinds() -> AbcFile {
    fn index<T>(number: u32) -> Index<T> {
        Index::new(number)
    }
    let member = |kind| Trait { name: index(1), kind, metadata: Vec::new(), is_final: false, is_override: true };
    let value = |value| TraitKind::Const { slot_id: 2, type_name: index(3), value: Some(value) };
    let values = [
        DefaultValue::Undefined,
        DefaultValue::String(index(1)),
        DefaultValue::Int(index(1)),
        DefaultValue::Uint(index(1)),
        DefaultValue::Private(index(1)),
        DefaultValue::Double(index(1)),
        DefaultValue::Namespace(index(1)),
        DefaultValue::False,
        DefaultValue::True,
        DefaultValue::Null,
        DefaultValue::Package(index(2)),
        DefaultValue::PackageInternal(index(3)),
        DefaultValue::Protected(index(4)),
        DefaultValue::Explicit(index(5)),
        DefaultValue::StaticProtected(index(6)),
    ];
    let kinds = [
        TraitKind::Slot { slot_id: 1, type_name: index(2), value: None },
        TraitKind::Method { disp_id: 1, method: index(2) },
        TraitKind::Getter { disp_id: 1, method: index(2) },
        TraitKind::Setter { disp_id: 1, method: index(2) },
        TraitKind::Class { slot_id: 300, class: index(2) },
        TraitKind::Function { slot_id: 1, function: index(70_000) },
    ];
    let traits: Vec<Trait> = values.map(value).into_iter().chain(kinds).map(member).collect();
    let with_metadata = Trait { metadata: vec![index(0), index(9)], is_final: true, ..traits[0].clone() };
    let parameter = |default_value| MethodParam { kind: index(4), name: Some(index(2)), default_value };
    let method = Method {
        name: index(1),
        params: vec![parameter(None), parameter(Some(DefaultValue::Null))],
        return_type: index(5),
        flags: MethodFlags::HAS_OPTIONAL | MethodFlags::HAS_PARAM_NAMES | MethodFlags::NEED_REST,
        body: None,
    };
    let handler = |at: u32| Exception {
        from_offset: at,
        to_offset: 500,
        target_offset: 1,
        variable_name: index(1),
        type_name: index(2),
    };
    AbcFile {
        major_version: 46,
        minor_version: 16,
        constant_pool: ConstantPool {
            ints: vec![1, -1, i32::MIN],
            uints: vec![1, u32::MAX],
            doubles: vec![0.5, f64::NEG_INFINITY],
            strings: vec![b"name".to_vec(), Vec::new(), vec![0xff; 200]],
            namespaces: vec![
                Namespace::Private(index(1)),
                Namespace::Package(index(1)),
                Namespace::PackageInternal(index(1)),
                Namespace::Protected(index(1)),
                Namespace::Explicit(index(1)),
                Namespace::StaticProtected(index(2)),
                Namespace::Namespace(index(3)),
            ],
            namespace_sets: vec![vec![index(1), index(7)], Vec::new()],
            multinames: vec![
                Multiname::QName { namespace: index(1), name: index(2) },
                Multiname::QNameA { namespace: index(1), name: index(2) },
                Multiname::RTQName { name: index(1) },
                Multiname::RTQNameA { name: index(1) },
                Multiname::RTQNameL,
                Multiname::RTQNameLA,
                Multiname::Multiname { namespace_set: index(1), name: index(2) },
                Multiname::MultinameA { namespace_set: index(1), name: index(2) },
                Multiname::MultinameL { namespace_set: index(2) },
                Multiname::MultinameLA { namespace_set: index(2) },
                Multiname::TypeName { base_type: index(1), parameters: vec![index(1), index(2)] },
            ],
        },
        methods: vec![method.clone(), method],
        metadata: vec![Metadata {
            name: index(1),
            items: vec![types::MetadataItem { key: index(1), value: index(2) }],
        }],
        instances: vec![Instance {
            name: index(1),
            super_name: index(2),
            is_sealed: true,
            is_final: true,
            is_interface: true,
            protected_namespace: Some(index(4)),
            interfaces: vec![index(3), index(4)],
            init_method: index(1),
            traits: traits.clone(),
        }],
        classes: vec![types::Class { init_method: index(1), traits: vec![with_metadata] }],
        scripts: vec![types::Script { init_method: index(0), traits: traits.clone() }],
        method_bodies: vec![MethodBody {
            method: index(1),
            max_stack: 1,
            num_locals: 300,
            init_scope_depth: 3,
            max_scope_depth: 4,
            code: vec![0x47; 200],
            exceptions: vec![handler(0), handler(300)],
            traits,
        }],
    }
}

fn bytes_of(abc: AbcFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).write(abc).expect("memory can be written");
    bytes
}

/// The entries of a block, without what is not kept of them.
fn entries(block: &Abc) -> AbcFile {
    fn all<T>(list: &[u32], read: impl Fn(Index<T>) -> Option<T>) -> Vec<T> {
        (1u32..).zip(list).map(|(number, _)| read(Index::new(number)).expect("an entry")).collect()
    }
    AbcFile {
        major_version: 0,
        minor_version: 0,
        constant_pool: ConstantPool {
            ints: all(&block.ints, |index| block.int(&index)),
            uints: all(&block.uints, |index| block.uint(&index)),
            doubles: all(&block.doubles, |index| block.double(&index)),
            strings: (1u32..)
                .zip(&block.strings)
                .map(|(at, _)| block.string(&Index::new(at)).expect("it").to_vec())
                .collect(),
            namespaces: block.namespaces().collect(),
            namespace_sets: all(&block.sets, |index| Some(block.set(&index))),
            multinames: all(&block.names, |index| block.name(&index)),
        },
        methods: (0u32..).zip(&block.methods).map(|(at, _)| block.method(at).expect("a method")).collect(),
        metadata: Vec::new(),
        instances: block
            .classes()
            .map(|class| Instance {
                name: class.name,
                super_name: class.base,
                is_sealed: false,
                is_final: false,
                is_interface: class.is_interface,
                protected_namespace: None,
                interfaces: class.interfaces,
                init_method: Index::new(class.constructor),
                traits: class.instance.collect(),
            })
            .collect(),
        classes: block
            .classes()
            .map(|class| types::Class { init_method: Index::new(class.initialiser), traits: class.statics.collect() })
            .collect(),
        scripts: block
            .scripts()
            .map(|script| types::Script {
                init_method: Index::new(script.initialiser),
                traits: script.traits.collect(),
            })
            .collect(),
        method_bodies: block
            .methods_with_code()
            .map(|method| {
                let body = block.body(method).expect("code");
                MethodBody {
                    method: Index::new(method),
                    max_stack: 0,
                    num_locals: body.locals,
                    init_scope_depth: 0,
                    max_scope_depth: 0,
                    code: body.code.to_vec(),
                    exceptions: body.exceptions.clone().collect(),
                    traits: body.traits().collect(),
                }
            })
            .collect(),
    }
}

/// The same of what the `swf` crate reads.
fn without_the_rest(mut abc: AbcFile) -> AbcFile {
    (abc.major_version, abc.minor_version) = (0, 0);
    abc.metadata.clear();
    abc.methods.iter_mut().for_each(|method| method.body = None);
    for instance in &mut abc.instances {
        (instance.is_sealed, instance.is_final, instance.protected_namespace) = (false, false, None);
    }
    for body in &mut abc.method_bodies {
        (body.max_stack, body.init_scope_depth, body.max_scope_depth) = (0, 0, 0);
    }
    abc.method_bodies.sort_by_key(|body| body.method.0);
    let traits = abc.instances.iter_mut().map(|instance| &mut instance.traits);
    let traits = traits.chain(abc.classes.iter_mut().map(|class| &mut class.traits));
    let traits = traits.chain(abc.scripts.iter_mut().map(|script| &mut script.traits));
    let traits = traits.chain(abc.method_bodies.iter_mut().map(|body| &mut body.traits));
    traits.flatten().for_each(|one| one.metadata.clear());
    abc
}

/// Whether a block is read; what is, is what the `swf` crate reads.
fn is_read(bytes: &[u8]) -> bool {
    let Ok(block) = Abc::read(bytes, usize::MAX) else { return false };
    let other = swf::avm2::read::Reader::new(bytes).read().expect("the crate reads it too");
    // Numbers may be no numbers, which are never equal.
    let (found, expected) = (format!("{:#?}", entries(&block)), format!("{:#?}", without_the_rest(other)));
    assert!(found == expected, "{}", difference(&expected, &found));
    true
}

#[test]
fn a_block_is_read_as_the_swf_crate_reads_it() {
    assert!(is_read(&bytes_of(of_all_kinds())));
    let paths = files(&testdata("extract/sources"), ".as");
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
    let sources: Vec<Source<'_>> = texts.iter().map(|text| Source { name: "a.as", text }).collect();
    for unit in compile(&sources).units {
        assert!(is_read(&bytes_of(unit.abc)));
    }
}

#[test]
fn a_damaged_block_is_refused_or_read_as_the_swf_crate_reads_it() {
    let whole = bytes_of(of_all_kinds());
    let mut read = 0;
    for seed in Effort::of("BLOCK_EDITS", 20_000).seeds() {
        let random = &mut Random::of(seed, &[]);
        let mut bytes = whole.clone();
        let unit = 1 + random.below(4);
        damage::edit(&mut bytes, random, &whole, unit);
        read += usize::from(is_read(&bytes));
    }
    assert!(read > 0, "no damaged block was read");
}

#[test]
fn a_list_that_would_take_more_memory_than_is_left_is_refused() {
    let bytes = bytes_of(of_all_kinds());
    let memory = Abc::read(&bytes, usize::MAX).expect("a block").memory;
    assert!(Abc::read(&bytes, memory).is_ok());
    assert_eq!(Abc::read(&bytes, memory - 1).err(), Some(LARGE));
    // The count of the integers is the first number.
    let mut long = bytes.clone();
    long.splice(4..5, [0xff, 0xff, 0x7f]);
    assert_eq!(Abc::read(&long, usize::MAX).err(), Some(LONG));
    for length in 0..bytes.len() {
        assert!(Abc::read(&bytes[..length], usize::MAX).is_err(), "{length} bytes");
    }
}
