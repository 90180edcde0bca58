//! Builds hostile files word by word. The tests check the results of reading these files, and `examples/hostile.rs` measures time
//! and memory.

use sdlbc::limits;

pub(crate) struct Case {
    pub(crate) name: String,
    words: Vec<u32>,
    pub(crate) expected: Expected,
}

impl Case {
    pub(crate) fn file(&self) -> Vec<u8> {
        file(&self.words)
    }
}

pub(crate) enum Expected {
    /// The reader's error message, and the byte offset of the error.
    Error(String, usize),
    /// The file can be read; only time and memory are checked.
    Any,
}

const FUNCTION: u32 = 1;
const TABLE: u32 = 2;
const NO_INPUTS: [u32; 2] = [0x2000, 2];
const NO_OUTPUTS: [u32; 2] = [0x2001, 2];
pub(crate) const HEADER: usize = 20;

pub(crate) fn file(words: &[u32]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER + 4 * words.len());
    file.extend(b"SDLSHADERBC\0");
    file.extend([1, 0].map(u32::to_le_bytes).as_flattened());
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let sum = crc32fast::hash(&file[HEADER..]);
    file[16..HEADER].copy_from_slice(&sum.to_le_bytes());
    file
}

/// Returns a tagged record: the tag, the word count and the content.
pub(crate) fn tagged(tag: u32, content: &[u32]) -> Vec<u32> {
    let mut words = vec![tag, content.len() as u32 + 2];
    words.extend(content);
    words
}

/// Returns a function with the given code and two inputs: a bool %1 and an int %2.
fn function(code: &[u32]) -> Vec<u32> {
    let inputs = [[6, 1, 0x0001_0000, 0, 5, 0], [6, 2, 0x0001_0100, 0, 5, 0]].concat();
    let content = [&[0, 0][..], &tagged(0x2000, &inputs), &NO_OUTPUTS, code].concat();
    tagged(FUNCTION, &content)
}

/// The byte offset in a file at which the code of [`function`] begins.
pub(crate) const CODE: usize = HEADER + 4 * (4 + 14 + 2);

fn interface(entry: &[u32], outputs: bool, count: usize) -> Vec<u32> {
    let entries = tagged(0x2000 + u32::from(outputs), &entry.repeat(count));
    let content = match outputs {
        false => [&[0, 0][..], &entries, &NO_OUTPUTS].concat(),
        true => [&[0, 0][..], &NO_INPUTS, &entries].concat(),
    };
    tagged(FUNCTION, &content)
}

/// Returns `count` nested instructions. Given the length of a block, `head` returns the words of the enclosing instruction that
/// precede the block.
fn nested(head: fn(u32) -> Vec<u32>, count: usize) -> Vec<u32> {
    let mut heads = Vec::new();
    let mut inside = 0;
    for _ in 0..count {
        let head = head(inside);
        inside += head.len() as u32;
        heads.push(head);
    }
    heads.reverse();
    heads.concat()
}

/// Returns the words of an IF that precede its first block. The block has `inside` words.
fn if_true(inside: u32) -> Vec<u32> {
    vec![28, 4 + inside, 1, inside]
}
fn if_false(inside: u32) -> Vec<u32> {
    vec![28, 4 + inside, 1, 0]
}
fn repeat(inside: u32) -> Vec<u32> {
    vec![33, 2 + inside]
}
fn default(inside: u32) -> Vec<u32> {
    vec![34, 4 + inside, 2, 0]
}
fn case(inside: u32) -> Vec<u32> {
    vec![34, 6 + inside, 2, 1, 0, inside]
}

pub(crate) fn string(text: &[u8]) -> Vec<u32> {
    if text.is_empty() {
        return vec![0];
    }
    let mut bytes = text.to_vec();
    bytes.resize((text.len() / 4 + 1) * 4, 0);
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    std::iter::once(bytes.len() as u32 / 4).chain(words).collect()
}

fn too_many(what: &str, limit: usize) -> String {
    format!("more than {limit} {what}")
}

/// The size of a large file in megabytes.
const MB: usize = if cfg!(debug_assertions) { 20 } else { 50 };
const LARGE: usize = MB * 1_000_000 / 4;

/// Returns files that exceed a limit because they are too large, are nested too deeply or contain too many items.
pub(crate) fn large() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, words: &[u32], expected| {
        cases.push(Case { name: name.to_string(), words: words.to_vec(), expected });
    };
    let instructions = |words: usize| {
        Expected::Error(
            too_many("instructions and cases", limits::INSTRUCTIONS),
            CODE + 4 * words * limits::INSTRUCTIONS,
        )
    };
    add(&format!("{MB} MB of nops"), &function(&[2, 2].repeat(LARGE / 2)), instructions(2));
    let operands = || Expected::Error(too_many("operands", limits::OPERANDS), CODE);
    add(&format!("{MB} MB of one nop"), &function(&tagged(2, &vec![7; LARGE])), operands());
    add(&format!("{MB} MB of loops in a row"), &function(&[33, 2].repeat(LARGE / 2)), instructions(2));
    add(&format!("{MB} MB of ifs in a row"), &function(&[28, 4, 1, 0].repeat(LARGE / 4)), instructions(4));
    for (what, number) in [("operation", 0x1ead), ("record", 0xdead)] {
        add(&format!("{MB} MB of unknown {what}s"), &function(&[number, 2].repeat(LARGE / 2)), {
            Expected::Error(format!("unknown {what} {number:#x}"), CODE)
        });
    }
    for (name, head) in [
        ("ifs", if_true as fn(u32) -> Vec<u32>),
        ("elses", if_false),
        ("loops", repeat),
        ("defaults", default),
        ("cases", case),
    ] {
        let words = head(0).len();
        let expected = || {
            let kind = format!("blocks are nested more than {} deep", limits::NESTING);
            Expected::Error(kind, CODE + 4 * words * limits::NESTING)
        };
        add(&format!("10,000 nested {name}"), &function(&nested(head, 10_000)), expected());
        add(&format!("1,000,000 nested {name}"), &function(&nested(head, 1_000_000)), expected());
    }
    let switch = [&[2, LARGE as u32 / 2][..], &[7, 0].repeat(LARGE / 2)].concat();
    let before = limits::INSTRUCTIONS - 1;
    add(&format!("{MB} MB of cases"), &function(&tagged(34, &switch)), {
        Expected::Error(too_many("instructions and cases", limits::INSTRUCTIONS), CODE + 16 + 8 * before)
    });
    add(&format!("{MB} MB of arguments"), &function(&tagged(29, &vec![1; LARGE])), operands());

    let empty = [&[FUNCTION, 8, 0, 0][..], &NO_INPUTS, &NO_OUTPUTS].concat();
    add("1,000,000 empty functions", &empty.repeat(1_000_000), {
        Expected::Error(too_many("functions", limits::FUNCTIONS), HEADER + 32 * limits::FUNCTIONS)
    });
    let entries = |words: usize| {
        let at = HEADER + 4 * (4 + 2 + 2 * usize::from(words == 5)) + 4 * words * limits::INTERFACE;
        Expected::Error(too_many("inputs and outputs", limits::INTERFACE), at)
    };
    add("1,000,000 outputs", &interface(&[5, 0x0001_0300, 0, 5, 0], true, 1_000_000), entries(5));
    add("1,000,000 inputs", &interface(&[6, 1, 0x0001_0300, 0, 5, 0], false, 1_000_000), entries(6));

    let long = vec![b'a'; 4 * LARGE];
    let named = |name: &[u8]| tagged(FUNCTION, &[&[0][..], &string(name), &NO_INPUTS, &NO_OUTPUTS].concat());
    let at = HEADER + 12;
    add(&format!("a name of {MB} MB"), &named(&long), Expected::Error(too_many("bytes of a name", limits::NAME), at));
    let raw =
        |words: &[u32]| tagged(FUNCTION, &[&[0, words.len() as u32][..], words, &NO_INPUTS, &NO_OUTPUTS].concat());
    let text = |kind: &str, at| Expected::Error(kind.to_string(), at);
    add(&format!("{MB} MB without a nul"), &raw(&vec![0x6161_6161; LARGE]), text("a string without a nul", at + 4));
    add(&format!("{MB} MB of nuls"), &raw(&vec![0; LARGE]), text("a string with more words than it needs", at + 4));
    let source = |name: &[u8], text: &[u8]| tagged(0x3003, &[&[0][..], &string(name), &string(text)].concat());
    add(&format!("a source of {MB} MB"), &tagged(TABLE, &source(b"", &long)), {
        Expected::Error(too_many("bytes of names and texts", limits::STRINGS), HEADER + 24)
    });
    add(&format!("{MB} MB of sources"), &tagged(TABLE, &source(b"", b"").repeat(LARGE / 5)), {
        Expected::Error(too_many("sources", limits::SOURCES), HEADER + 8 + 20 * limits::SOURCES)
    });
    let names = (1..LARGE as u32 / 2).flat_map(|id| [id, 0]).collect::<Vec<_>>();
    add(&format!("{MB} MB of names"), &tagged(TABLE, &tagged(0x3000, &[&[0][..], &names].concat())), {
        Expected::Error(too_many("value names", limits::VALUE_NAMES), HEADER + 20 + 8 * limits::VALUE_NAMES)
    });
    let members = (1..LARGE as u32 / 6).flat_map(|id| [id, 0, 0, 0x0001_0300, 0, 0]).collect::<Vec<_>>();
    add(&format!("{MB} MB of members"), &tagged(TABLE, &tagged(0x3005, &[&[0][..], &members].concat())), {
        Expected::Error(too_many("members of uniforms", limits::MEMBERS), HEADER + 20 + 24 * limits::MEMBERS)
    });
    let lines = |function| [0x3002, 4, function, 0];
    let many = (0..LARGE as u32 / 4).flat_map(lines).collect::<Vec<_>>();
    add(&format!("{MB} MB of functions in the debug table"), &tagged(TABLE, &many), {
        let kind = too_many("functions in the debug table", limits::FUNCTIONS);
        Expected::Error(kind, HEADER + 8 + 16 * limits::FUNCTIONS)
    });
    let far = [&function(&[])[..], &tagged(TABLE, &tagged(0x3002, &[&[0, 9][..], &vec![1; LARGE]].concat()))].concat();
    add(&format!("{MB} MB of lines of one function"), &far, {
        Expected::Error(too_many("line numbers", limits::INSTRUCTIONS), CODE + 8)
    });
    cases
}

/// Returns files at a limit, with the maximum number of items that the reader accepts.
pub(crate) fn full() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, words: &[u32]| {
        cases.push(Case { name: name.to_string(), words: words.to_vec(), expected: Expected::Any });
    };
    let most = limits::INSTRUCTIONS;
    for (name, words) in [
        ("nops", &[2, 2][..]),
        ("breaks", &[31, 2]),
        ("returns", &[35, 3, 0]),
        ("loops", &[33, 2]),
        ("ifs", &[28, 4, 1, 0]),
        ("switches", &[34, 4, 2, 0]),
        ("phis", &[36, 5, 9, 9, 9]),
        ("adds without operands", &[9, 5, 0, 0, 0]),
        ("adds of undefined ids", &[9, 5, 7, 8, 8]),
        ("calls of the calling function", &[29, 6, 0, 0, 1, 2]),
        ("pokes into an int", &[0x1001, 6, 1, 2, 0, 9]),
        ("pokes into a missing output", &[0x1001, 4, 1, 9]),
        ("loops that return", &[33, 5, 35, 3, 0]),
    ] {
        add(
            &format!("as many {name} as possible"),
            &function(&words.repeat(if words[0] == 33 && words[1] > 2 { most / 2 } else { most })),
        );
    }
    add("operands of one nop", &function(&tagged(2, &vec![u32::MAX; limits::OPERANDS])));
    add("arguments of one call", &function(&tagged(29, &vec![1; limits::OPERANDS])));
    let lines = tagged(0x3002, &[&[0, 0][..], &vec![u32::MAX; most]].concat());
    add("lines of one function", &[function(&[]), tagged(TABLE, &lines)].concat());
    let chain = (3..most as u32).flat_map(|id| [4, 4, id, id - 1]).collect::<Vec<_>>();
    add("a chain of operations", &function(&chain));
    let cases_of = (0..most as u32 - 1).flat_map(|value| [value, 0]).collect::<Vec<_>>();
    add("cases of one switch", &function(&tagged(34, &[&[2, most as u32 - 1][..], &cases_of].concat())));
    let deep = nested(if_true, limits::NESTING);
    add("deepest ifs in a row", &function(&deep.repeat(most / limits::NESTING)));
    add("deepest loops in a row", &function(&nested(repeat, limits::NESTING).repeat(most / limits::NESTING)));
    add("deepest cases in a row", &function(&nested(case, limits::NESTING).repeat(most / limits::NESTING / 2)));

    let empty = [&[FUNCTION, 8, 0, 0][..], &NO_INPUTS, &NO_OUTPUTS].concat();
    add("as many functions as possible", &empty.repeat(limits::FUNCTIONS));
    let named = tagged(FUNCTION, &[&[1][..], &string(b"f"), &NO_INPUTS, &NO_OUTPUTS].concat());
    add("as many functions of one name", &named.repeat(limits::FUNCTIONS));
    let each = most / limits::FUNCTIONS;
    let calls = |callee: u32| {
        [FUNCTION, 8 + 4 * each as u32, 0, 0, 0x2000, 2, 0x2001, 2].into_iter().chain([29, 4, callee, 0].repeat(each))
    };
    let count = limits::FUNCTIONS as u32;
    add("each function calls the next", &(0..count).flat_map(|i| calls(i + 1)).collect::<Vec<_>>());
    add("each function calls the one before", &(0..count).flat_map(|i| calls(i.wrapping_sub(1))).collect::<Vec<_>>());
    let scattered = (0..count).flat_map(|i| {
        let head = [FUNCTION, 8 + 4 * each as u32, 0, 0, 0x2000, 2, 0x2001, 2];
        head.into_iter().chain((0..each as u32).flat_map(move |k| [29, 4, (i * 31 + k * 797) % count, 0]))
    });
    add("functions call each other", &scattered.collect::<Vec<_>>());
    add("as many outputs as possible", &interface(&[5, 0x0001_0300, 0, 5, 0], true, limits::INTERFACE));
    add("as many colours as possible", &interface(&[7, 0x0004_0300, 0, 2, 9, 1, 0x61], true, limits::INTERFACE));
    add("as many uniforms as possible", &interface(&[7, 1, 0x0004_0300, 0, 2, 1, 0x61], false, limits::INTERFACE));
    add(
        "as many textures as possible",
        &interface(&[9, 1, 0x0000_0102, 0, 3, 0, u32::MAX, 0x00ff_ffff, 0], false, limits::INTERFACE),
    );
    let outputs = tagged(0x2001, &[7, 0x0001_0300, 0, 1, 0, 0, 0].repeat(limits::INTERFACE - 2));
    let inputs = [[6, 1, 0x0001_0300, 0, 5, 0], [6, 2, 0x0001_0000, 0, 5, 0]].concat();
    let inside = (0..most as u32 / 2 - 40).flat_map(|output| [0x1001, 4, 1, output % (limits::INTERFACE as u32)]);
    let inside = inside.collect::<Vec<_>>();
    let mut code = inside.clone();
    for _ in 0..limits::NESTING {
        code = [&[28, 4 + code.len() as u32, 2, code.len() as u32][..], &code].concat();
    }
    let all = [&[0, 0][..], &tagged(0x2000, &inputs), &outputs, &inside, &code].concat();
    add("all outputs written deep inside", &tagged(FUNCTION, &all));

    let names = (1..=limits::VALUE_NAMES as u32).flat_map(|id| [id, 0]).collect::<Vec<_>>();
    let table = tagged(TABLE, &tagged(0x3000, &[&[0][..], &names].concat()));
    add("as many names as possible", &[function(&[]), table].concat());
    for (name, id) in [("arrays", (|at| at) as fn(u32) -> u32), ("one array", |_| 1), ("pairs", |at| at / 2)] {
        let members = (0..limits::MEMBERS as u32).flat_map(|at| [id(at), at, 9, 0x0001_0300, 0, 0]);
        let members = [vec![0], members.collect()].concat();
        add(
            &format!("as many members of {name} as possible"),
            &[function(&[]), tagged(TABLE, &tagged(0x3005, &members))].concat(),
        );
    }
    let long = (0..(limits::STRINGS / limits::NAME) as u32)
        .flat_map(|function| tagged(0x3001, &[&[function][..], &string(&[b'"'; limits::NAME])].concat()));
    add("as many long names of functions", &tagged(TABLE, &long.collect::<Vec<_>>()));
    let text = vec![b'\t'; limits::STRINGS];
    add("the longest source", &tagged(TABLE, &tagged(0x3003, &[&[0][..], &string(b""), &string(&text)].concat())));
    cases
}
