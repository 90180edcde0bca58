//! Tests that `Abc` reads blocks as the `swf` crate does. The environment variable `BLOCK_EDITS` sets the number of damaged
//! blocks to test.

use std::fmt::Debug;

use swf::avm2::types::{AbcFile, Metadata, MetadataItem};
use swf::avm2::write::Writer;
use testing::{Effort, Random, damage, difference, files, testdata};

use super::*;
use crate::sources::{Source, compile};

/// Returns a block that contains an entry of each kind.
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
    let text = "class A implements B { function f(a:int, b:int = 1, ...c):void { try { f(0.5); } catch (e:C) {} } }";
    let mut abc = compile(&[Source { name: "a.as", text }]).units.remove(0).abc;
    let pool = &mut abc.constant_pool;
    pool.ints.extend([-1, i32::MIN]);
    pool.uints.extend([1, u32::MAX]);
    pool.doubles.push(f64::NEG_INFINITY);
    pool.strings.extend([Vec::new(), vec![0xff; 200]]);
    pool.namespaces.extend([
        Namespace::Private(index(1)),
        Namespace::Package(index(1)),
        Namespace::PackageInternal(index(1)),
        Namespace::Protected(index(1)),
        Namespace::Explicit(index(1)),
        Namespace::StaticProtected(index(2)),
        Namespace::Namespace(index(3)),
    ]);
    pool.namespace_sets.push(Vec::new());
    pool.multinames.extend([
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
    ]);
    abc.metadata.push(Metadata { name: index(1), items: vec![MetadataItem { key: index(1), value: index(2) }] });
    abc.instances[0].protected_namespace = Some(index(4));
    abc.classes[0].traits.push(with_metadata);
    abc.scripts[0].traits.extend(traits.clone());
    abc.instances[0].traits.extend(traits.clone());
    abc.method_bodies.iter_mut().for_each(|body| body.traits.extend(traits.clone()));
    abc
}

fn bytes_of(abc: AbcFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).write(abc).expect("memory can be written");
    bytes
}

/// Formats entries as strings, because a NaN in an entry would never compare equal.
fn printed<T: Debug>(entries: impl IntoIterator<Item = T>) -> Vec<String> {
    entries.into_iter().map(|entry| format!("{entry:#?}")).collect()
}

fn constants<T, U: Debug>(list: &[u32], read: impl Fn(Index<T>) -> Option<U>) -> Vec<String> {
    printed((1u32..).zip(list).map(|(number, _)| read(Index::new(number)).expect("an entry")))
}

/// Returns members without their metadata, which `Abc` does not store.
fn members(traits: impl IntoIterator<Item = Trait>) -> Vec<Trait> {
    traits.into_iter().map(|one| Trait { metadata: Vec::new(), ..one }).collect()
}

/// Reports whether `Abc` can read a block, and asserts that the entries equal the entries that the `swf` crate reads.
fn is_read(bytes: &[u8]) -> bool {
    let Ok(block) = Abc::read(bytes, usize::MAX) else { return false };
    let mut other = swf::avm2::read::Reader::new(bytes).read().expect("the crate reads it too");
    let pool = &other.constant_pool;
    other.methods.iter_mut().for_each(|method| method.body = None);
    other.method_bodies.sort_by_key(|body| body.method.0);
    let methods = (0u32..).zip(&block.methods).map(|(at, _)| block.method(at).expect("a method"));
    let bodies = block.methods_with_code().map(|method| (method, block.body(method).expect("code")));
    let rows = [
        (constants(&block.ints, |index| block.int(&index)), printed(&pool.ints)),
        (constants(&block.uints, |index| block.uint(&index)), printed(&pool.uints)),
        (constants(&block.doubles, |index| block.double(&index)), printed(&pool.doubles)),
        (constants(&block.strings, |index| block.string(&index)), printed(&pool.strings)),
        (constants(&block.sets, |index| Some(block.set(&index))), printed(&pool.namespace_sets)),
        (constants(&block.names, |index| block.name(&index)), printed(&pool.multinames)),
        (printed(block.namespaces()), printed(&pool.namespaces)),
        (printed(methods), printed(&other.methods)),
        (
            printed(block.classes().map(|one| {
                let (is_interface, of) = (one.is_interface, one.instance);
                (one.name, one.base, is_interface, one.interfaces, of.initialiser, members(of.traits))
            })),
            printed(other.instances.into_iter().map(|one| {
                let constructor = one.init_method.0;
                (one.name, one.super_name, one.is_interface, one.interfaces, constructor, members(one.traits))
            })),
        ),
        (
            printed(block.classes().map(|one| (one.statics.initialiser, members(one.statics.traits)))),
            printed(other.classes.into_iter().map(|one| (one.init_method.0, members(one.traits)))),
        ),
        (
            printed(block.scripts().map(|one| (one.initialiser, members(one.traits)))),
            printed(other.scripts.into_iter().map(|one| (one.init_method.0, members(one.traits)))),
        ),
        (
            printed(bodies.map(|(method, body)| {
                let exceptions: Vec<Exception> = body.exceptions.clone().collect();
                (method, body.locals, body.code, exceptions, members(body.traits()))
            })),
            printed(
                other
                    .method_bodies
                    .into_iter()
                    .map(|body| (body.method.0, body.num_locals, body.code, body.exceptions, members(body.traits))),
            ),
        ),
    ];
    for (found, expected) in rows {
        assert!(found == expected, "{}", difference(&expected.concat(), &found.concat()));
    }
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
    // The number of integers is the first field after the version.
    let mut long = bytes.clone();
    long.splice(4..5, [0xff, 0xff, 0x7f]);
    assert_eq!(Abc::read(&long, usize::MAX).err(), Some(LONG));
    for length in 0..bytes.len() {
        assert!(Abc::read(&bytes[..length], usize::MAX).is_err(), "{length} bytes");
    }
}
