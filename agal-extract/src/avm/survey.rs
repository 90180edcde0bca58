//! A walk over an ABC block before it is read: whether its lists fit into its bytes.
//!
//! The reader of the `swf` crate reserves memory for lists by the lengths that the file claims, so those are checked first.

/// The bytes that are left.
struct Walk<'a> {
    rest: &'a [u8],
    /// How much memory the block will take, roughly.
    memory: usize,
}

/// What is wrong with a block.
pub(crate) type Problem = &'static str;

const CUT: Problem = "it is cut off";
const LONG: Problem = "a list is longer than the block";

/// How many times its own length a block may take in memory, by the sizes below. Of 21 published SWFs they are 6 to 13 times, and 8 to 9
/// times for those of more than 100 KB.
const MEMORY: usize = 16;
/// How much more than that all blocks of an input may take together.
pub(crate) const MORE: usize = 16 << 20;

/// The memory that an entry takes, with what is derived from it and without what lists in it take, as measured: tests/it/memory.rs
/// has a file of each kind.
mod size {
    pub(super) const STRING: usize = 64;
    pub(super) const NAMESPACE: usize = 100;
    pub(super) const SET: usize = 160;
    pub(super) const NAME: usize = 96;
    pub(super) const METHOD: usize = 56;
    pub(super) const PARAMETER: usize = 24;
    pub(super) const METADATA: usize = 32;
    pub(super) const CLASS: usize = 1_400;
    pub(super) const SCRIPT: usize = 500;
    pub(super) const BODY: usize = 300;
    pub(super) const MEMBER: usize = 200;
    pub(super) const HANDLER: usize = 20;
    pub(super) const INDEX: usize = 4;
}

/// Checks a block, and takes what it needs beyond [`MEMORY`] from `more`.
pub(crate) fn check(bytes: &[u8], more: &mut usize) -> Result<(), Problem> {
    let mut walk = Walk { rest: bytes, memory: 0 };
    walk.skip(4)?;
    walk.pool()?;
    walk.list(size::METHOD, |walk| walk.method())?;
    walk.list(size::METADATA, |walk| {
        walk.number()?;
        walk.pairs()
    })?;
    let instances = walk.list(size::CLASS, |walk| walk.instance())?;
    for _ in 0..instances {
        walk.number()?;
        walk.traits()?;
    }
    walk.list(size::SCRIPT, |walk| {
        walk.number()?;
        walk.traits()
    })?;
    walk.list(size::BODY, |walk| walk.body())?;
    let beyond = walk.memory.saturating_sub(bytes.len().saturating_mul(MEMORY));
    *more = more.checked_sub(beyond).ok_or("its lists would take much more memory than the block itself")?;
    Ok(())
}

impl Walk<'_> {
    fn skip(&mut self, count: usize) -> Result<(), Problem> {
        self.rest = self.rest.get(count..).ok_or(CUT)?;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Problem> {
        let (first, rest) = self.rest.split_first().ok_or(CUT)?;
        self.rest = rest;
        Ok(*first)
    }

    /// A number of up to five bytes.
    fn number(&mut self) -> Result<u32, Problem> {
        let mut number = 0_u32;
        for at in 0..5 {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }

    /// The length of a list of things that have a byte each, at least.
    fn length(&mut self, size: usize) -> Result<usize, Problem> {
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if length > self.rest.len() {
            return Err(LONG);
        }
        self.memory = self.memory.saturating_add(length.saturating_mul(size));
        Ok(length)
    }

    fn list(&mut self, size: usize, mut each: impl FnMut(&mut Self) -> Result<(), Problem>) -> Result<usize, Problem> {
        let length = self.length(size)?;
        for _ in 0..length {
            each(self)?;
        }
        Ok(length)
    }

    /// A list of the constants, in which the first is left out.
    fn constants(
        &mut self,
        size: usize,
        mut each: impl FnMut(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX).saturating_sub(1);
        if length > self.rest.len() {
            return Err(LONG);
        }
        self.memory = self.memory.saturating_add(length.saturating_mul(size));
        for _ in 0..length {
            each(self)?;
        }
        Ok(())
    }

    fn numbers(&mut self) -> Result<(), Problem> {
        self.list(size::INDEX, |walk| walk.number().map(drop)).map(drop)
    }

    /// Names and values of metadata.
    fn pairs(&mut self) -> Result<(), Problem> {
        let length = self.length(16)?;
        for _ in 0..length.saturating_mul(2) {
            self.number()?;
        }
        Ok(())
    }

    fn pool(&mut self) -> Result<(), Problem> {
        self.constants(4, |walk| walk.number().map(drop))?;
        self.constants(4, |walk| walk.number().map(drop))?;
        self.constants(8, |walk| walk.skip(8))?;
        self.constants(size::STRING, |walk| {
            let length = usize::try_from(walk.number()?).unwrap_or(usize::MAX);
            // It is copied once.
            walk.memory = walk.memory.saturating_add(length.saturating_mul(2));
            walk.skip(length)
        })?;
        self.constants(size::NAMESPACE, |walk| {
            walk.byte()?;
            walk.number().map(drop)
        })?;
        self.constants(size::SET, |walk| walk.numbers())?;
        self.constants(size::NAME, |walk| walk.multiname())
    }

    fn multiname(&mut self) -> Result<(), Problem> {
        match self.byte()? {
            0x07 | 0x0d | 0x09 | 0x0e => {
                self.number()?;
                self.number().map(drop)
            }
            0x0f | 0x10 | 0x1b | 0x1c => self.number().map(drop),
            0x11 | 0x12 => Ok(()),
            0x1d => {
                self.number()?;
                self.numbers()
            }
            _ => Err("a name is of an unknown kind"),
        }
    }

    fn method(&mut self) -> Result<(), Problem> {
        let count = self.length(size::PARAMETER)?;
        self.number()?;
        for _ in 0..count {
            self.number()?;
        }
        self.number()?;
        let flags = self.byte()?;
        if flags & 0x08 != 0 {
            let optional = self.number()?;
            for _ in 0..optional {
                self.number()?;
                self.byte()?;
            }
        }
        if flags & 0x80 != 0 {
            for _ in 0..count {
                self.number()?;
            }
        }
        Ok(())
    }

    fn instance(&mut self) -> Result<(), Problem> {
        self.number()?;
        self.number()?;
        if self.byte()? & 0x08 != 0 {
            self.number()?;
        }
        self.numbers()?;
        self.number()?;
        self.traits()
    }

    fn traits(&mut self) -> Result<(), Problem> {
        self.list(size::MEMBER, |walk| {
            walk.number()?;
            let kind = walk.byte()?;
            walk.number()?;
            walk.number()?;
            if matches!(kind & 0x0f, 0 | 6) && walk.number()? != 0 {
                walk.byte()?;
            }
            if kind & 0x40 != 0 { walk.numbers() } else { Ok(()) }
        })
        .map(drop)
    }

    fn body(&mut self) -> Result<(), Problem> {
        for _ in 0..5 {
            self.number()?;
        }
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        self.memory = self.memory.saturating_add(length);
        self.skip(length)?;
        self.list(size::HANDLER, |walk| {
            for _ in 0..5 {
                walk.number()?;
            }
            Ok(())
        })?;
        self.traits()
    }
}
