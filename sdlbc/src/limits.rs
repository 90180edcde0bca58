//! Limits against hostile files.
//!
//! Rule: everything for which a pass needs memory, stack or more than linear time has a limit. The reader rejects a
//! file at the byte where it exceeds a limit, and [`over()`] finds the same violations in a module that was built in code. The
//! limits are far above the needs of real programs: the longest AGAL program has 4,096 instructions and a nesting depth of 4.

use crate::{Inst, Module, Op};

/// The maximum nesting depth of blocks. Recursive passes need stack for each level, and a thread may have only 2 MB.
pub const NESTING: usize = 32;

/// The maximum number of functions in a module.
pub const FUNCTIONS: usize = 1 << 12;

/// The maximum number of inputs and outputs of all functions in a module.
pub const INTERFACE: usize = 1 << 14;

/// The maximum number of instructions in a module, including instructions in blocks, plus the cases of its SWITCHes.
pub const INSTRUCTIONS: usize = 1_000_000;

/// The maximum number of operand words of all instructions in a module: ids of inputs and immediates, including the words of
/// NOPs but not the values of cases.
pub const OPERANDS: usize = 1 << 22;

/// The highest id, so that tables indexed by id stay small.
pub const MAX_ID: u32 = 1 << 24;

/// The maximum number of elements of an array.
pub const ARRAY_LENGTH: u32 = 4096;

/// The maximum number of components of all local slots in a module. An invocation has the slots of all its functions, and
/// the code for a target may list every component.
pub const SLOTS: usize = 1 << 16;

/// The maximum number of components of all shared arrays in a module: 16 KiB, the most that every target guarantees.
pub const SHARED: usize = 1 << 12;

/// The maximum numbers of invocations of a workgroup in x, y and z.
pub const WORKGROUP: [u32; 3] = [1024, 1024, 64];

/// The maximum number of invocations of a workgroup.
pub const INVOCATIONS: u32 = 1024;

/// Locations of attributes and varyings, and slots, must be below this bound; no target supports nearly as many.
pub const PLACES: u32 = 64;

/// The maximum number of bytes of a uniform buffer; no target guarantees more.
pub const BUFFER: u32 = 1 << 16;

/// The maximum number of render targets.
pub const TARGETS: u32 = 8;

/// The maximum number of clip distances; no target guarantees more.
pub const CLIP_DISTANCES: u32 = 8;

/// The maximum number of bytes of a name, including the file name of a source.
pub const NAME: usize = 1 << 12;

/// The maximum number of sources in the debug table.
pub const SOURCES: usize = 1 << 10;

/// The maximum number of bytes of all strings together: names and source texts.
pub const STRINGS: usize = 1 << 22;

/// The maximum number of value names in the debug table: enough for all values.
pub const VALUE_NAMES: usize = INSTRUCTIONS + INTERFACE;

/// The maximum number of members of uniforms in the debug table: the number of components of the longest array.
pub const MEMBERS: usize = 1 << 14;

/// The maximum number of line numbers in the debug table: enough for all instructions.
pub const LINES: usize = INSTRUCTIONS;

/// The maximum number of words that [`dump()`](crate::dump()) shows on lines of their own; the other words share one line.
pub const DUMP_WORDS: usize = 1 << 17;

/// The maximum number of violations that [`verify()`](crate::verify()) reports; further violations are dropped.
pub const VIOLATIONS: usize = 1 << 10;

macro_rules! counted {
    ($($name:ident $limit:ident $what:literal;)*) => {
        /// The limited quantities of a module.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Counted {
            $(#[doc = concat!("[`", stringify!($limit), "`]")] $name),*
        }

        impl Counted {
            /// All quantities.
            pub const ALL: &[Counted] = &[$(Counted::$name),*];

            /// The limit.
            pub const fn limit(self) -> usize {
                match self { $(Counted::$name => $limit),* }
            }

            /// The name of the quantity, in the plural.
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
    Lines          LINES        "line numbers";
}

/// The quantities of a module that exceed their limits, with their numbers. Nesting, ids and types are not quantities and are
/// not checked here.
pub fn over(module: &Module) -> Vec<(Counted, usize)> {
    let mut code = Code::default();
    module.functions.iter().flat_map(|function| function.body.insts()).for_each(|inst| code.add(inst));
    over_with(module, code)
}

/// The exceeded limits of a module whose code has been counted.
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
        Counted::Lines => debug.functions.iter().filter_map(|f| Some(f.lines.as_ref()?.numbers.len())).sum(),
    };
    let counts = Counted::ALL.iter().map(|&counted| (counted, count(counted)));
    counts.filter(|(counted, count)| *count > counted.limit()).collect()
}

/// Counts of a module's code: instructions and cases together, and operands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Code {
    instructions: usize,
    operands: usize,
}

impl Code {
    /// Counts an instruction.
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

/// The bytes of all names and texts in a module.
pub(crate) fn strings(module: &Module) -> usize {
    names(module).1.saturating_add(sources(module))
}

/// Whether a name has a NUL. Most names are short.
pub(crate) fn has_nul(name: &str) -> bool {
    if name.len() < 16 { name.bytes().any(|byte| byte == 0) } else { name.contains('\0') }
}

/// The bytes of all texts in a module.
fn sources(module: &Module) -> usize {
    module.debug.sources.iter().map(|source| source.text.len()).fold(0, usize::saturating_add)
}

/// The length of the longest name, and of all names together.
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
