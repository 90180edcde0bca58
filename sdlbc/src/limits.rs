//! Limits that protect against hostile files.
//!
//! Rule: a limit applies to every quantity on which a pass spends memory, stack or more than linear time. The reader rejects a
//! file at the byte where the file exceeds a limit, and [`over()`] finds the same violations in a module that was built in code.
//! The limits are far above the needs of real programs: the longest AGAL program has 4,096 instructions and a nesting depth of 4.

use crate::{Inst, Module, Op};

/// The maximum nesting depth of blocks. Recursive passes need stack space for each nesting level, and a thread may have only
/// 2 MiB of stack.
pub const NESTING: usize = 32;

/// The maximum number of functions in a module.
pub const FUNCTIONS: usize = 1 << 12;

/// The maximum total number of inputs and outputs of all functions in a module.
pub const INTERFACE: usize = 1 << 14;

/// The maximum number of instructions and SWITCH cases in a module, including instructions in blocks.
pub const INSTRUCTIONS: usize = 1_000_000;

/// The maximum number of operand words in a module. The operand words are the input ids and the immediates, including the
/// words of NOPs but not the values of SWITCH cases.
pub const OPERANDS: usize = 1 << 22;

/// The highest value id. The limit bounds the size of tables that are indexed by id.
pub const MAX_ID: u32 = 1 << 24;

/// The maximum number of elements in an array.
pub const ARRAY_LENGTH: u32 = 4096;

/// The maximum total number of components in the local slots of a module. An invocation has the slots of all functions, and the
/// code generated for a target may list every component.
pub const SLOTS: usize = 1 << 16;

/// The maximum total number of components in the shared arrays of a module: 16 KiB, the largest size that every target
/// guarantees.
pub const SHARED: usize = 1 << 12;

/// The maximum size of a workgroup along x, y and z, in invocations.
pub const WORKGROUP: [u32; 3] = [1024, 1024, 64];

/// The maximum number of invocations in a workgroup.
pub const INVOCATIONS: u32 = 1024;

/// The exclusive upper bound of slot numbers, and of the locations of attributes and varyings. No target supports nearly as many
/// slots or locations.
pub const PLACES: u32 = 64;

/// The maximum size of a uniform buffer, in bytes; no target guarantees more.
pub const BUFFER: u32 = 1 << 16;

/// The maximum number of render targets.
pub const TARGETS: u32 = 8;

/// The maximum number of clip distances; no target guarantees more.
pub const CLIP_DISTANCES: u32 = 8;

/// The maximum length of a name or of a source's file name, in bytes.
pub const NAME: usize = 1 << 12;

/// The maximum number of source files in the debug table.
pub const SOURCES: usize = 1 << 10;

/// The maximum total length of all names and source texts, in bytes.
pub const STRINGS: usize = 1 << 22;

/// The maximum number of value names in the debug table, which is enough to name every value.
pub const VALUE_NAMES: usize = INSTRUCTIONS + INTERFACE;

/// The maximum number of members of uniforms in the debug table, which is the number of components in the longest array.
pub const MEMBERS: usize = 1 << 14;

/// The maximum number of line numbers in the debug table, which is enough for every instruction.
pub const LINES: usize = INSTRUCTIONS;

/// The maximum number of words that [`dump()`](crate::dump()) shows on lines of their own. The remaining words share one line.
pub const DUMP_WORDS: usize = 1 << 17;

/// The maximum number of violations that [`verify()`](crate::verify()) reports; further violations are dropped.
pub const VIOLATIONS: usize = 1 << 10;

macro_rules! counted {
    ($($name:ident $limit:ident $what:literal;)*) => {
        /// A quantity of a module that has a limit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Counted {
            $(#[doc = concat!("[`", stringify!($limit), "`]")] $name),*
        }

        impl Counted {
            /// All limited quantities of a module.
            pub const ALL: &[Counted] = &[$(Counted::$name),*];

            /// Returns the maximum value of the quantity.
            pub const fn limit(self) -> usize {
                match self { $(Counted::$name => $limit),* }
            }

            /// Returns the name of the quantity in the plural, such as `functions`.
            pub const fn what(self) -> &'static str {
                match self { $(Counted::$name => $what),* }
            }
        }
    };
}

counted! {
    Functions      FUNCTIONS    "functions";
    Interface      INTERFACE    "inputs and outputs";
    Instructions   INSTRUCTIONS "instructions and cases";
    Operands       OPERANDS     "operands";
    Name           NAME         "bytes of a name";
    Strings        STRINGS      "bytes of names and texts";
    Sources        SOURCES      "sources";
    DebugFunctions FUNCTIONS    "functions in the debug table";
    ValueNames     VALUE_NAMES  "value names";
    Members        MEMBERS      "members of uniforms";
    Bindings       INTERFACE    "bindings of the source";
    Lines          LINES        "line numbers";
}

/// Returns each quantity of the module that exceeds its limit, with its actual value. Nesting depth, ids and types are not
/// checked.
pub fn over(module: &Module) -> Vec<(Counted, usize)> {
    let mut code = Code::default();
    module.functions.iter().flat_map(|function| function.body.insts()).for_each(|inst| code.add(inst));
    over_with(module, code)
}

/// Returns the exceeded limits of a module whose instructions and operands have already been counted in `code`.
pub(crate) fn over_with(module: &Module, code: Code) -> Vec<(Counted, usize)> {
    let debug = &module.debug;
    let Code { instructions, operands } = code;
    let (longest, texts) = names(module);
    let count = |counted| match counted {
        Counted::Functions => module.functions.len(),
        Counted::Interface => {
            module.functions.iter().map(|function| function.inputs.len() + function.outputs.len()).sum()
        }
        Counted::Instructions => instructions,
        Counted::Operands => operands,
        Counted::Name => longest,
        Counted::Strings => texts.saturating_add(sources(module)),
        Counted::Sources => debug.sources.len(),
        Counted::DebugFunctions => debug.functions.len(),
        Counted::ValueNames => debug.functions.iter().map(|function| function.ids.len()).sum(),
        Counted::Members => debug.functions.iter().flat_map(|function| function.members.values()).map(Vec::len).sum(),
        Counted::Bindings => debug.functions.iter().map(|function| function.bindings.len()).sum(),
        Counted::Lines => debug.functions.iter().filter_map(|f| Some(f.lines.as_ref()?.numbers.len())).sum(),
    };
    let counts = Counted::ALL.iter().map(|&counted| (counted, count(counted)));
    counts.filter(|(counted, count)| *count > counted.limit()).collect()
}

/// The number of instructions and SWITCH cases, and the number of operands, in a module.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Code {
    instructions: usize,
    operands: usize,
}

impl Code {
    #[inline]
    pub(crate) fn add(&mut self, inst: &Inst) {
        self.instructions += 1;
        self.operands += inst.inputs.len();
        match inst.op {
            Op::Switch => self.instructions += inst.immediates.len(),
            _ => self.operands += inst.immediates.len(),
        }
    }
}

/// Returns the total length of all names and source texts in a module, in bytes.
pub(crate) fn strings(module: &Module) -> usize {
    names(module).1.saturating_add(sources(module))
}

/// Reports whether a name contains a NUL. Short names, which are the most common, are searched byte by byte.
pub(crate) fn has_nul(name: &str) -> bool {
    if name.len() < 16 { name.bytes().any(|byte| byte == 0) } else { name.contains('\0') }
}

/// Returns the total length of all source texts in a module, in bytes.
fn sources(module: &Module) -> usize {
    module.debug.sources.iter().map(|source| source.text.len()).fold(0, usize::saturating_add)
}

/// Returns the length of the longest name and the total length of all names, in bytes.
fn names(module: &Module) -> (usize, usize) {
    let (mut longest, mut sum) = (0usize, 0usize);
    let mut add = |name: &str| (longest, sum) = (longest.max(name.len()), sum.saturating_add(name.len()));
    for function in &module.functions {
        add(&function.name);
        function.inputs.iter().for_each(|input| add(&input.name));
        function.outputs.iter().for_each(|output| add(&output.name));
    }
    for debug in &module.debug.functions {
        add(&debug.name);
        for name in debug.ids.values() {
            add(name);
        }
        debug.members.values().flatten().for_each(|member| add(&member.name));
    }
    module.debug.sources.iter().for_each(|source| add(&source.file));
    (longest, sum)
}
