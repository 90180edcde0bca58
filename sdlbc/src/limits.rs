//! Limits against hostile files, in one place.
//!
//! Rule: whatever a pass needs memory, stack or more than linear time for has a limit here. The reader refuses a file
//! above one with the byte where it is passed, and [`over()`] finds the same in a module that was built in code. They
//! are many times what a real program needs: AGAL's longest has 4,096 instructions and 4 blocks in each other.

use crate::{Module, Op};

/// How deep blocks may stand in each other. What walks the code needs stack for each level, and a thread may have 2 MB
/// of it.
pub const NESTING: usize = 32;

/// Functions of a module.
pub const FUNCTIONS: usize = 1 << 12;

/// Inputs and outputs of a module, those of all its functions together.
pub const INTERFACE: usize = 1 << 14;

/// Instructions of a module, those in blocks included, and the cases of its SWITCHes.
pub const INSTRUCTIONS: usize = 1 << 16;

/// Words of a module that instructions read: ids and plain words, those of NOPs included, the values of cases not.
pub const OPERANDS: usize = 1 << 19;

/// The highest id a function may use, so that tables by id stay small.
pub const MAX_ID: u32 = 1 << 24;

/// The longest array, in elements.
pub const ARRAY_LENGTH: u32 = 4096;

/// Components of all slots of a module together, of each a vector's or matrix's. An invocation has all that its functions
/// have, and a target's text may spell each of them out.
pub const SLOTS: usize = 1 << 16;

/// Locations of attributes and varyings, and slots of textures, are below this; no target has nearly as many.
pub const PLACES: u32 = 64;

/// Render targets.
pub const TARGETS: u32 = 4;

/// Bytes of a name, of whatever it is the name; of a source's file name, too.
pub const NAME: usize = 1 << 12;

/// Sources in the debug table.
pub const SOURCES: usize = 1 << 10;

/// Bytes of all strings together, names and sources' texts.
pub const STRINGS: usize = 1 << 22;

/// Named values in the debug table: no fewer than there can be values.
pub const VALUE_NAMES: usize = INSTRUCTIONS + INTERFACE;

/// Numbers of lines in the debug table: no fewer than there can be instructions.
pub const LINES: usize = INSTRUCTIONS;

/// Words that [`dump()`](crate::dump()) gives a line of their own; what follows shares one.
pub const DUMP_WORDS: usize = 1 << 17;

/// Violations that [`verify()`](crate::verify()) tells; a module with more has some untold.
pub const VIOLATIONS: usize = 1 << 10;

macro_rules! counted {
    ($($name:ident $limit:ident $what:literal;)*) => {
        /// What a module has a limited number of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Counted {
            $(#[doc = concat!("[`", stringify!($limit), "`]")] $name),*
        }

        impl Counted {
            /// All that is counted.
            pub const ALL: &[Counted] = &[$(Counted::$name),*];

            /// How many there may be.
            pub const fn limit(self) -> usize {
                match self { $(Counted::$name => $limit),* }
            }

            /// What it is, in the plural.
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
    ValueNames     VALUE_NAMES  "named values";
    Lines          LINES        "numbers of lines";
}

/// What a module has more of than it may, and how many. Nesting, ids and types are no numbers of things and are not
/// looked at.
pub fn over(module: &Module) -> Vec<(Counted, usize)> {
    let debug = &module.debug;
    let (instructions, operands) = code(module);
    let found = |counted| match counted {
        Counted::Functions => module.functions.len(),
        Counted::Interface => {
            module.functions.iter().map(|function| function.inputs.len() + function.outputs.len()).sum()
        }
        Counted::Instructions => instructions,
        Counted::Operands => operands,
        Counted::Name => names(module).max().unwrap_or(0),
        Counted::Strings => strings(module),
        Counted::Sources => debug.sources.len(),
        Counted::DebugFunctions => debug.functions.len(),
        Counted::ValueNames => debug.functions.iter().map(|function| function.ids.len()).sum(),
        Counted::Lines => debug.functions.iter().filter_map(|f| Some(f.lines.as_ref()?.numbers.len())).sum(),
    };
    let counts = Counted::ALL.iter().map(|&counted| (counted, found(counted)));
    counts.filter(|(counted, found)| *found > counted.limit()).collect()
}

/// Instructions and cases, and operands of a module. One that was built in code may be deeper than the stack.
fn code(module: &Module) -> (usize, usize) {
    let mut waiting = module.functions.iter().map(|function| &function.body).collect::<Vec<_>>();
    let (mut instructions, mut operands) = (0, 0);
    while let Some(block) = waiting.pop() {
        instructions += block.len();
        for inst in block {
            let values = if inst.op == Op::Switch { inst.immediates.len() } else { 0 };
            instructions += values;
            operands += inst.inputs.len() + inst.immediates.len() - values;
            waiting.extend(&inst.blocks);
        }
    }
    (instructions, operands)
}

/// The bytes of all names and texts of a module.
pub(crate) fn strings(module: &Module) -> usize {
    let texts = module.debug.sources.iter().map(|source| source.text.len());
    names(module).chain(texts).fold(0, usize::saturating_add)
}

/// The lengths of all names.
fn names(module: &Module) -> impl Iterator<Item = usize> {
    let functions = module.functions.iter().flat_map(|function| {
        let inputs = function.inputs.iter().map(|input| &input.name);
        let outputs = function.outputs.iter().map(|output| &output.name);
        std::iter::once(&function.name).chain(inputs).chain(outputs)
    });
    let debug = module.debug.functions.iter().flat_map(|debug| std::iter::once(&debug.name).chain(debug.ids.values()));
    let files = module.debug.sources.iter().map(|source| &source.file);
    functions.chain(debug).chain(files).map(String::len)
}
