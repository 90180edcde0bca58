//! The constant pool of a unit. Each constant is stored once, and indices begin at 1.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use swf::avm2::types::{ConstantPool, Index, Multiname, Namespace, NamespaceSet};

/// The contents of a constant, by which duplicates are found.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Text(Vec<u8>),
    Int(i32),
    Double(u64),
    Namespace(Discriminant<Namespace>, u32),
    Set(Vec<u32>),
    Name(Discriminant<Multiname>, Vec<u32>),
}

#[derive(Debug)]
pub(super) struct Pool {
    pub(super) constants: ConstantPool,
    known: HashMap<Key, u32>,
}

/// A multiname in the constant pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multi {
    pub(super) index: Index<Multiname>,
    /// Whether the name's string is on the stack at run time.
    pub(super) is_late: bool,
}

fn add<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

impl Default for Pool {
    fn default() -> Self {
        let constants = ConstantPool {
            ints: Vec::new(),
            uints: Vec::new(),
            doubles: Vec::new(),
            strings: Vec::new(),
            namespaces: Vec::new(),
            namespace_sets: Vec::new(),
            multinames: Vec::new(),
        };
        Pool { constants, known: HashMap::new() }
    }
}

impl Pool {
    fn once(&mut self, key: Key, make: impl FnOnce(&mut ConstantPool) -> u32) -> u32 {
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = make(&mut self.constants);
        self.known.insert(key, index);
        index
    }

    pub(super) fn string(&mut self, text: &str) -> Index<String> {
        let bytes = text.as_bytes().to_vec();
        Index::new(self.once(Key::Text(bytes.clone()), |constants| add(&mut constants.strings, bytes)))
    }

    pub(super) fn int(&mut self, value: i32) -> Index<i32> {
        Index::new(self.once(Key::Int(value), |constants| add(&mut constants.ints, value)))
    }

    pub(super) fn double(&mut self, value: f64) -> Index<f64> {
        Index::new(self.once(Key::Double(value.to_bits()), |constants| add(&mut constants.doubles, value)))
    }

    pub(super) fn namespace(&mut self, kind: fn(Index<String>) -> Namespace, name: &str) -> Index<Namespace> {
        let name = self.string(name);
        let namespace = kind(name);
        let key = Key::Namespace(discriminant(&namespace), name.0);
        Index::new(self.once(key, |constants| add(&mut constants.namespaces, namespace)))
    }

    pub(super) fn set(&mut self, set: &[Index<Namespace>]) -> Index<NamespaceSet> {
        let key = Key::Set(set.iter().map(|namespace| namespace.0).collect());
        Index::new(self.once(key, |constants| add(&mut constants.namespace_sets, set.to_vec())))
    }

    fn multi(&mut self, multi: Multiname, parts: Vec<u32>) -> Multi {
        let is_late = matches!(multi, Multiname::MultinameL { .. });
        let key = Key::Name(discriminant(&multi), parts);
        let index = self.once(key, |constants| add(&mut constants.multinames, multi));
        Multi { index: Index::new(index), is_late }
    }

    pub(super) fn qualified(&mut self, namespace: Index<Namespace>, name: &str) -> Multi {
        let name = self.string(name);
        self.multi(Multiname::QName { namespace, name }, vec![namespace.0, name.0])
    }

    pub(super) fn open(&mut self, namespace_set: Index<NamespaceSet>, name: &str) -> Multi {
        let name = self.string(name);
        self.multi(Multiname::Multiname { namespace_set, name }, vec![namespace_set.0, name.0])
    }

    /// Returns the multiname whose string is on the stack at run time.
    pub(super) fn late(&mut self, namespace_set: Index<NamespaceSet>) -> Multi {
        self.multi(Multiname::MultinameL { namespace_set }, vec![namespace_set.0])
    }

    /// Returns the name of a parameterised type such as `Vector.<String>`.
    pub(super) fn applied(&mut self, base: Multi, parameters: Vec<Index<Multiname>>) -> Multi {
        let parts = std::iter::once(&base.index).chain(&parameters).map(|part| part.0).collect();
        self.multi(Multiname::TypeName { base_type: base.index, parameters }, parts)
    }
}
