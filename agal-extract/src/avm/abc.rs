//! An ABC block, stored as its bytes and the offsets of its list entries.
//!
//! Entries are read on demand. The reader of the `swf` crate creates all entries at once, which takes several times as much
//! memory as the bytes. That reader also reserves memory for every entry that a file claims to have. The types of the entries
//! come from the `swf` crate. Chapter 4 of the "ActionScript Virtual Machine 2 Overview" describes the format.
//!
//! Indices are not trusted: reading an entry beyond the end of a list returns `None`. A block does not store entry 0 of its
//! constant lists, so the first stored constant has the index 1.

use swf::avm2::types::{
    DefaultValue, Exception, Index, Method, MethodFlags, MethodParam, Multiname, Namespace, NamespaceSet, Trait,
    TraitKind,
};
use swf::extensions::ReadSwfExt;

/// An ABC block whose entries can be read individually.
#[derive(Debug, Default)]
pub(crate) struct Abc {
    pub(crate) bytes: Box<[u8]>,
    ints: Offsets,
    uints: Offsets,
    doubles: Offsets,
    pub(crate) strings: Offsets,
    namespaces: Offsets,
    pub(crate) sets: Offsets,
    names: Offsets,
    pub(crate) methods: Offsets,
    /// The offset of each method's body, or [`NONE`] for a method without code.
    bodies: Offsets,
    instances: Offsets,
    classes: Offsets,
    scripts: Offsets,
    /// The memory, in bytes, that the block's lists and the data derived from them occupy.
    pub(crate) memory: usize,
}

/// The byte offsets of the entries of a list.
type Offsets = Box<[u32]>;

const NONE: u32 = u32::MAX;

pub(crate) struct Class<'a> {
    pub(crate) name: Index<Multiname>,
    pub(crate) base: Index<Multiname>,
    pub(crate) interfaces: Vec<Index<Multiname>>,
    pub(crate) is_interface: bool,
    pub(crate) instance: Definitions<'a>,
    pub(crate) statics: Definitions<'a>,
}

/// The members of a script, of a class or of a class's instances, and the method that initialises the members.
#[derive(Default)]
pub(crate) struct Definitions<'a> {
    pub(crate) initialiser: u32,
    pub(crate) traits: Traits<'a>,
}

pub(crate) struct Body<'a> {
    pub(crate) locals: u32,
    pub(crate) code: &'a [u8],
    pub(crate) exceptions: List<'a, Exception>,
}

impl<'a> Body<'a> {
    /// Returns the variables of the method's activation object.
    pub(crate) fn traits(&self) -> Traits<'a> {
        self.exceptions.clone().end().and_then(|mut reader| reader.traits()).unwrap_or_default()
    }
}

/// The entries of a list, read on demand.
#[derive(Clone)]
pub(crate) struct List<'a, T> {
    reader: Reader<'a>,
    left: u32,
    read: fn(&mut Reader<'a>) -> Result<T>,
}

pub(crate) type Traits<'a> = List<'a, Trait>;

impl<'a, T> List<'a, T> {
    /// Returns a reader that begins after the entries.
    fn end(mut self) -> Result<Reader<'a>> {
        for _ in 0..self.left {
            (self.read)(&mut self.reader)?;
        }
        Ok(self.reader)
    }
}

impl<T> Iterator for List<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        (self.read)(&mut self.reader).ok()
    }
}

impl Default for Traits<'_> {
    fn default() -> Self {
        List { reader: Reader { all: &[], at: 0, memory: 0, most: 0 }, left: 0, read: Reader::member }
    }
}

/// A message that describes a defect in a block.
pub(crate) type Problem = &'static str;

type Result<T> = std::result::Result<T, Problem>;

const CUT: Problem = "it is cut off";
const LONG: Problem = "a list is longer than the block";
const LARGE: Problem = "its lists would take much more memory than the block itself";

/// The memory, in bytes, that an entry occupies, including derived data but excluding the entry's own lists. The values are
/// measured: tests/it/memory.rs has a file for each kind of entry.
mod size {
    pub(super) const NUMBER: usize = 4;
    pub(super) const STRING: usize = 24;
    pub(super) const NAMESPACE: usize = 32;
    /// The additional memory, in bytes, of a namespace that several blocks may share.
    pub(super) const SHARED_NAMESPACE: usize = 128;
    pub(super) const SET: usize = 100;
    pub(super) const NAME: usize = 32;
    pub(super) const METHOD: usize = 12;
    pub(super) const PARAMETER: usize = 24;
    pub(super) const METADATA: usize = 0;
    pub(super) const CLASS: usize = 800;
    pub(super) const SCRIPT: usize = 500;
    pub(super) const BODY: usize = 200;
    pub(super) const MEMBER: usize = 110;
    pub(super) const HANDLER: usize = 20;
    pub(super) const INDEX: usize = 4;
}

impl Abc {
    /// Reads a block whose lists may take at most `most` bytes of memory.
    pub(crate) fn read(bytes: &[u8], most: usize) -> Result<Abc> {
        let mut reader = Reader { all: bytes, at: 0, memory: 0, most };
        reader.bytes(4)?;
        let mut abc = Abc {
            ints: reader.constants(size::NUMBER, |reader| reader.number().map(drop))?,
            uints: reader.constants(size::NUMBER, |reader| reader.number().map(drop))?,
            doubles: reader.constants(size::NUMBER, |reader| reader.bytes(8).map(drop))?,
            strings: reader.constants(size::STRING, |reader| reader.string().map(drop))?,
            namespaces: reader.constants(size::NAMESPACE, |reader| match reader.namespace()? {
                Namespace::Private(_) | Namespace::Protected(_) | Namespace::StaticProtected(_) => Ok(()),
                _ => reader.take(size::SHARED_NAMESPACE),
            })?,
            sets: reader.constants(size::SET, |reader| reader.numbers::<()>().map(drop))?,
            names: reader.constants(size::NAME, |reader| reader.name().map(drop))?,
            methods: reader.list(size::METHOD, |reader| reader.method().map(drop))?,
            ..Abc::default()
        };
        reader.list(size::METADATA, |reader| {
            reader.number()?;
            let pairs = reader.number()?;
            (0..pairs).try_for_each(|_| reader.number().and_then(|_| reader.number()).map(drop))
        })?;
        abc.instances =
            reader.list(size::CLASS, |reader| reader.instance()?.instance.traits.end().map(|end| *reader = end))?;
        let script = |reader: &mut Reader<'_>| reader.definitions()?.traits.end().map(|end| *reader = end);
        abc.classes = reader.entries(abc.instances.len(), script)?;
        abc.scripts = reader.list(size::SCRIPT, script)?;
        abc.bodies = vec![NONE; abc.methods.len()].into();
        reader.list(size::BODY, |reader| {
            let at = reader.offset();
            let method = reader.number()?;
            *reader = reader.body()?.exceptions.end()?;
            *reader = reader.traits()?.end()?;
            let body = abc.bodies.get_mut(method as usize).ok_or("a method that does not exist has code")?;
            if std::mem::replace(body, at) != NONE {
                return Err("a method has code twice");
            }
            Ok(())
        })?;
        (abc.bytes, abc.memory) = (bytes.into(), reader.memory);
        Ok(abc)
    }

    fn at(&self, offset: u32) -> Reader<'_> {
        Reader { all: &self.bytes, at: offset as usize, memory: 0, most: usize::MAX }
    }

    fn entry(&self, list: &Offsets, number: usize) -> Option<Reader<'_>> {
        list.get(number).map(|offset| self.at(*offset))
    }

    /// Returns a reader that begins at a constant. The first stored constant has the index 1.
    fn constant<T>(&self, list: &Offsets, index: &Index<T>) -> Option<Reader<'_>> {
        self.entry(list, (index.0 as usize).checked_sub(1)?)
    }

    pub(crate) fn int(&self, index: &Index<i32>) -> Option<i32> {
        Some(self.constant(&self.ints, index)?.number().ok()?.cast_signed())
    }

    pub(crate) fn uint(&self, index: &Index<u32>) -> Option<u32> {
        self.constant(&self.uints, index)?.number().ok()
    }

    pub(crate) fn double(&self, index: &Index<f64>) -> Option<f64> {
        let bytes = self.constant(&self.doubles, index)?.bytes(8).ok()?;
        Some(f64::from_le_bytes(*bytes.first_chunk()?))
    }

    pub(crate) fn string(&self, index: &Index<String>) -> Option<&[u8]> {
        self.constant(&self.strings, index)?.string().ok()
    }

    pub(crate) fn namespaces(&self) -> impl Iterator<Item = Namespace> {
        self.namespaces.iter().filter_map(|offset| self.at(*offset).namespace().ok())
    }

    pub(crate) fn set(&self, index: &Index<NamespaceSet>) -> Vec<Index<Namespace>> {
        self.constant(&self.sets, index).and_then(|mut reader| reader.numbers().ok()).unwrap_or_default()
    }

    pub(crate) fn name(&self, index: &Index<Multiname>) -> Option<Multiname> {
        self.constant(&self.names, index)?.name().ok()
    }

    pub(crate) fn method(&self, number: u32) -> Option<Method> {
        self.entry(&self.methods, number as usize)?.method().ok()
    }

    pub(crate) fn body(&self, method: u32) -> Option<Body<'_>> {
        let offset = self.bodies.get(method as usize).filter(|offset| **offset != NONE)?;
        let mut reader = self.at(*offset);
        reader.number().ok()?;
        reader.body().ok()
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        self.instances.iter().zip(&self.classes).filter_map(|(instance, class)| {
            let statics = self.at(*class).definitions().ok()?;
            Some(Class { statics, ..self.at(*instance).instance().ok()? })
        })
    }

    pub(crate) fn scripts(&self) -> impl Iterator<Item = Definitions<'_>> {
        self.scripts.iter().filter_map(|offset| self.at(*offset).definitions().ok())
    }

    pub(crate) fn methods_with_code(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.bodies).filter(|(_, offset)| **offset != NONE).map(|(method, _)| method)
    }

    pub(crate) fn count_of_classes(&self) -> usize {
        self.instances.len()
    }
}

#[derive(Clone, Debug)]
struct Reader<'a> {
    all: &'a [u8],
    at: usize,
    /// The memory of the lists read so far, in bytes.
    memory: usize,
    most: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let bytes = self.all.get(self.at..).and_then(|rest| rest.get(..count)).ok_or(CUT)?;
        self.at += count;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = *self.all.get(self.at).ok_or(CUT)?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads a variable-length number of up to five bytes.
    fn number(&mut self) -> Result<u32> {
        let mut rest = swf::avm2::read::Reader::new(self.all.get(self.at..).ok_or(CUT)?);
        let number = rest.read_encoded_u32().map_err(|_| CUT)?;
        self.at = self.all.len() - rest.as_slice().len();
        Ok(number)
    }

    fn index<T>(&mut self) -> Result<Index<T>> {
        self.number().map(Index::new)
    }

    fn offset(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(NONE)
    }

    /// Adds the memory of a list to the total. Returns an error if the length exceeds the number of remaining bytes, since each
    /// entry takes at least one byte.
    fn reserve(&mut self, length: u32, size: usize) -> Result<()> {
        let length = length as usize;
        if length > self.all.len().saturating_sub(self.at) {
            return Err(LONG);
        }
        self.take(length.saturating_mul(size))
    }

    fn take(&mut self, memory: usize) -> Result<()> {
        self.memory = self.memory.saturating_add(memory);
        if self.memory > self.most { Err(LARGE) } else { Ok(()) }
    }

    fn length(&mut self, size: usize) -> Result<u32> {
        let length = self.number()?;
        self.reserve(length, size)?;
        Ok(length)
    }

    fn entries(&mut self, count: usize, mut read: impl FnMut(&mut Self) -> Result<()>) -> Result<Offsets> {
        let mut offsets = Vec::with_capacity(count);
        for _ in 0..count {
            offsets.push(self.offset());
            read(self)?;
        }
        Ok(offsets.into())
    }

    fn list(&mut self, size: usize, read: impl FnMut(&mut Self) -> Result<()>) -> Result<Offsets> {
        let length = self.length(size)?;
        self.entries(length as usize, read)
    }

    /// Reads a list of constants, whose entry 0 is not stored.
    fn constants(&mut self, size: usize, read: impl FnMut(&mut Self) -> Result<()>) -> Result<Offsets> {
        let length = self.number()?.saturating_sub(1);
        self.reserve(length, size)?;
        self.entries(length as usize, read)
    }

    fn numbers<T>(&mut self) -> Result<Vec<Index<T>>> {
        (0..self.length(size::INDEX)?).map(|_| self.index()).collect()
    }

    fn string(&mut self) -> Result<&'a [u8]> {
        let length = self.number()?;
        self.bytes(length as usize)
    }

    fn namespace(&mut self) -> Result<Namespace> {
        let kind = self.byte()?;
        let name = self.index()?;
        Ok(match kind {
            0x05 => Namespace::Private(name),
            0x08 => Namespace::Namespace(name),
            0x16 => Namespace::Package(name),
            0x17 => Namespace::PackageInternal(name),
            0x18 => Namespace::Protected(name),
            0x19 => Namespace::Explicit(name),
            0x1a => Namespace::StaticProtected(name),
            _ => return Err("a namespace is of an unknown kind"),
        })
    }

    fn name(&mut self) -> Result<Multiname> {
        Ok(match self.byte()? {
            0x07 => Multiname::QName { namespace: self.index()?, name: self.index()? },
            0x0d => Multiname::QNameA { namespace: self.index()?, name: self.index()? },
            0x0f => Multiname::RTQName { name: self.index()? },
            0x10 => Multiname::RTQNameA { name: self.index()? },
            0x11 => Multiname::RTQNameL,
            0x12 => Multiname::RTQNameLA,
            0x09 => Multiname::Multiname { name: self.index()?, namespace_set: self.index()? },
            0x0e => Multiname::MultinameA { name: self.index()?, namespace_set: self.index()? },
            0x1b => Multiname::MultinameL { namespace_set: self.index()? },
            0x1c => Multiname::MultinameLA { namespace_set: self.index()? },
            0x1d => Multiname::TypeName { base_type: self.index()?, parameters: self.numbers()? },
            _ => return Err("a name is of an unknown kind"),
        })
    }

    fn method(&mut self) -> Result<Method> {
        let count = self.length(size::PARAMETER)?;
        let return_type = self.index()?;
        let parameter = |kind| MethodParam { kind, name: None, default_value: None };
        let params = (0..count).map(|_| self.index().map(parameter));
        let mut params = params.collect::<Result<Vec<MethodParam>>>()?;
        let name = self.index()?;
        let flags = MethodFlags::from_bits_truncate(self.byte()?);
        if flags.contains(MethodFlags::HAS_OPTIONAL) {
            let first = count.checked_sub(self.number()?).ok_or("a method has more defaults than parameters")?;
            for parameter in params.iter_mut().skip(first as usize) {
                let index = self.number()?;
                parameter.default_value = Some(self.value(index)?);
            }
        }
        if flags.contains(MethodFlags::HAS_PARAM_NAMES) {
            for parameter in &mut params {
                parameter.name = Some(self.index()?);
            }
        }
        Ok(Method { name, params, return_type, flags, body: None })
    }

    /// Reads the kind of a default value, and combines the kind with the index of the value's constant.
    fn value(&mut self, index: u32) -> Result<DefaultValue> {
        Ok(match self.byte()? {
            0x00 => DefaultValue::Undefined,
            0x01 => DefaultValue::String(Index::new(index)),
            0x03 => DefaultValue::Int(Index::new(index)),
            0x04 => DefaultValue::Uint(Index::new(index)),
            0x05 => DefaultValue::Private(Index::new(index)),
            0x06 => DefaultValue::Double(Index::new(index)),
            0x08 => DefaultValue::Namespace(Index::new(index)),
            0x0a => DefaultValue::False,
            0x0b => DefaultValue::True,
            0x0c => DefaultValue::Null,
            0x16 => DefaultValue::Package(Index::new(index)),
            0x17 => DefaultValue::PackageInternal(Index::new(index)),
            0x18 => DefaultValue::Protected(Index::new(index)),
            0x19 => DefaultValue::Explicit(Index::new(index)),
            0x1a => DefaultValue::StaticProtected(Index::new(index)),
            _ => return Err("a constant is of an unknown kind"),
        })
    }

    /// Reads a class without its static members, and stops before the first instance member.
    fn instance(&mut self) -> Result<Class<'a>> {
        let (name, base) = (self.index()?, self.index()?);
        let flags = self.byte()?;
        if flags & 0x08 != 0 {
            self.number()?;
        }
        let (interfaces, instance) = (self.numbers()?, self.definitions()?);
        let is_interface = flags & 0x04 != 0;
        Ok(Class { name, base, interfaces, is_interface, instance, statics: Definitions::default() })
    }

    /// Reads the definitions of a script, of a class or of a class's instances, and stops before the first member.
    fn definitions(&mut self) -> Result<Definitions<'a>> {
        Ok(Definitions { initialiser: self.number()?, traits: self.traits()? })
    }

    fn traits(&mut self) -> Result<Traits<'a>> {
        let left = self.length(size::MEMBER)?;
        Ok(List { reader: self.clone(), left, read: Reader::member })
    }

    fn member(&mut self) -> Result<Trait> {
        let name = self.index()?;
        let flags = self.byte()?;
        let number = self.number()?;
        let kind = match flags & 0x0f {
            kind @ (0 | 6) => {
                let type_name = self.index()?;
                let value = match self.number()? {
                    0 => None,
                    index => Some(self.value(index)?),
                };
                if kind == 0 {
                    TraitKind::Slot { slot_id: number, type_name, value }
                } else {
                    TraitKind::Const { slot_id: number, type_name, value }
                }
            }
            1 => TraitKind::Method { disp_id: number, method: self.index()? },
            2 => TraitKind::Getter { disp_id: number, method: self.index()? },
            3 => TraitKind::Setter { disp_id: number, method: self.index()? },
            4 => TraitKind::Class { slot_id: number, class: self.index()? },
            5 => TraitKind::Function { slot_id: number, function: self.index()? },
            _ => return Err("a member is of an unknown kind"),
        };
        if flags & 0x40 != 0 {
            self.numbers::<()>()?;
        }
        let (is_final, is_override) = (flags & 0x10 != 0, flags & 0x20 != 0);
        Ok(Trait { name, kind, metadata: Vec::new(), is_final, is_override })
    }

    /// Reads a method body from the stack size up to the exception handlers. The members of the activation object follow the
    /// handlers.
    fn body(&mut self) -> Result<Body<'a>> {
        self.number()?;
        let locals = self.number()?;
        self.number()?;
        self.number()?;
        let length = self.number()?;
        let code = self.bytes(length as usize)?;
        let left = self.length(size::HANDLER)?;
        Ok(Body { locals, code, exceptions: List { reader: self.clone(), left, read: Reader::handler } })
    }

    fn handler(&mut self) -> Result<Exception> {
        Ok(Exception {
            from_offset: self.number()?,
            to_offset: self.number()?,
            target_offset: self.number()?,
            type_name: self.index()?,
            variable_name: self.index()?,
        })
    }
}

#[cfg(test)]
mod tests;
