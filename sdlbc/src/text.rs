//! The text form: a module as readable and writable text.
//!
//! Rule: [`parse()`] returns the module that [`print()`] printed, whether or not the module is valid. An instruction whose
//! number of operands or blocks does not fit the operation cannot be represented in text or in a file.
//!
//! ```text
//! module      = { program | source | function | debug }
//! program     = "program" number EOL                               the checksum of the program's file (see Debug table)
//! source      = "source" number string ( "lines" | "tokens" ) [ "text" string ] EOL     numbered from 0
//! function    = ("generic" | "vertex" | "fragment" | "compute") "function" string [ "called" string ] "{" EOL
//!                 { input | output | workgroup | lines | name | member | instruction } "}" EOL
//! debug       = "debug" number [ "called" string ] "{" EOL { listed | name | member } "}" EOL
//!
//! input       = "input" id label ":" type "=" inputkind EOL
//! output      = "output" number label ":" type "=" outputkind EOL  numbered from 0
//! workgroup   = "workgroup" number number number EOL                 the invocations of a workgroup in x, y and z; at most one
//! name        = "name" id label EOL                                the debug name of an id
//! member      = "member" id "[" number "]" [ "." component ] label ":" type EOL     a part of an array of uniforms
//! component   = "x" | "y" | "z" | "w" | number                       the default is x
//! lines       = "lines" "of" number [ "count" number ] EOL | listed
//! listed      = "lines" "of" number "numbers" [ number { "," number } ] EOL
//!
//! instruction = [ id [ label ] "=" ] mnemonic [ operand { "," operand } ] [ line ] EOL
//!             | "if" operand [ line ] block [ "else" block ] EOL
//!             | "loop" [ line ] block EOL
//!             | "switch" operand [ line ] ( "case" case block { "case" case block } [ "default" block ]
//!                                         | "default" block ) EOL
//! operand     = id | word                                          ids first, then words; for call the word, then ids
//! line        = "@" number
//! block       = "{" EOL { instruction } "}"
//!
//! inputkind   = "attribute" number | varying | "uniform" [ place ] | "texture" number sampler | "builtin" builtin
//!             | "parameter" | "local" | "buffer" number access | "shared"
//!             | "image" number ( "read" | "write" )
//! outputkind  = "position" | varying | "colour" number | "depth" | "pointsize" | "returned"
//!             | "clipdistance" number
//! access      = "read" | "readwrite"
//! place       = "slot" number "offset" number
//! varying     = "varying" number [ "perspective" | "linear" | "flat" ] the default is perspective
//! sampler     = "{" "filter" number "," "mip" number "," "wrap" number number ","
//!                   "format" number "," "special" number "," "bias" int "}"
//! builtin     = "vertexindex" | "instanceindex" | "fragmentcoordinate" | "frontfacing" | "pointcoordinate"
//!             | "globalinvocationid" | "localinvocationid" | "localinvocationindex" | "workgroupid" | "numworkgroups"
//! type        = scalar [ digits ] [ "[" [ number ] "]" ] | "float" digits "x" digits
//!             | [ "int" | "uint" ] ( "texture2d" | "texture3d" | "texturecube" | "texture2darray" | "texturecubearray" )
//!             | "depth" ( "texture2d" | "texturecube" | "texture2darray" | "texturecubearray" )
//!             | format ( "texture2d" | "texture3d" | "texture2darray" )  one word, such as rgba8unormtexture2d: a storage texture
//! format      = "rgba8unorm" | "rgba8snorm" | "rgba8uint" | "rgba8sint" | "rgba16uint" | "rgba16sint" | "rgba16float"
//!             | "r32uint" | "r32sint" | "r32float" | "rg32uint" | "rg32sint" | "rg32float"
//!             | "rgba32uint" | "rgba32sint" | "rgba32float"
//! scalar      = "bool" | "int" | "uint" | "float" | "half"
//!
//! id          = "%" number | "_"                                   "_" and "%0" mean that there is no value
//! label       = letter { letter | digit | "_" } | string          may be a keyword
//! string      = '"' { any character but '"', "\" and the line's end | escape } '"'
//! escape      = '\"' | "\\" | "\n" | "\t" | "\u{" hex "}"           the last is the number of a Unicode character
//! number      = digits | hexword
//! int         = [ "-" ] digits | hexword
//! hexword     = "0x" hex                                           the bits of the word
//! hex         = hexdigit { hexdigit }                              one to eight, in upper or lower case
//! digits      = digit { digit }                                    leading zeroes are allowed
//! case        = int | number
//! word        = in literals: "true" | "false" | int | number | float, depending on the component type, or hexword
//!             | in peek and poke: int | number, or hexword
//!             | in swizzle: one to four letters of "xyzw", or hexword
//!             | in convert and bitcast: scalar, or hexword
//!             | in textureoffset: int "," int [ "," int ], or hexword
//!             | in nop: hexword
//!             | in all others: number
//! float       = [ "-" ] ( digits [ "." digits ] [ ( "e" | "E" ) [ "+" | "-" ] digits ] | "inf" ) | hexword
//! ```
//!
//! **Tokens.** Letters and digits are ASCII letters and digits, and case is significant. EOL is a line feed or the end of
//! the text. Spaces, tabs and carriage returns are allowed between tokens, and required where two tokens would otherwise
//! merge. Lines may be empty. Outside of strings, `;` begins a comment that ends with the line. A byte order mark is
//! allowed at the beginning of the text.
//!
//! **Operands.** The id before `=` receives the result of the operation; without an id, the result is not stored. An absent last
//! id is omitted, not written as `_`: the index of `peek`, the index of `poke` with a slot, and the value of `return`. An
//! instruction must have exactly the ids and words that its operation requires. A missing `else` block of `if`, or `default`
//! block of `switch`, counts as an empty block. The printer leaves out empty `else` blocks, and writes every `default` block. The
//! offset of `textureoffset` is one word, which is written as a number for x, a number for y and, unless z is 0, a number for z.
//!
//! **Words.** A number is at most 2^32 - 1, and an int is from -2^31 to 2^31 - 1. A case may be a number or an int. Widths and
//! the fields of a sampler are at most 255; the bias of a sampler and the numbers of an offset are from -128 to 127. A float is
//! printed with the fewest digits that parse to the same bits, and a NaN is printed as a hexadecimal word. A word without a short
//! form (such as a swizzle whose unused bytes are not 0xFF, or a bool with the value 2) is printed as eight hexadecimal digits. A
//! mnemonic is the name of an operation in docs/instructions.md. An exponent may have any number of digits. A float that is too
//! large for 32 bits is an error, and infinity is written as `inf`. A float that is too small for 32 bits becomes a denormal or
//! zero. A hexadecimal number on its own is the complete offset word; in a list, each number is the offset along one axis.
//!
//! **Strings.** An escape `\u{...}` with a number that is not a Unicode character, such as a surrogate, is an error. The
//! printer escapes quotes, backslashes, control characters, line separators, byte order marks, and characters that change
//! the direction of text.
//!
//! **Debug table.** An entry of the debug table is written inside its function if possible, and in a `debug` block otherwise.
//! The debug name of a function follows `called`. Without `called`, the debug name of the function is empty, and without
//! `text`, the text of the source is empty. The debug name of a result is the label after the first definition of the
//! result's id. An input, or an id that is never defined, gets its debug name from a `name` line. An id has at most one
//! name. A `member` line contains the id of an array, and the numbers of the member's first element and first component.
//! The members of an array are in the order of their lines.
//!
//! **Line numbers.** A `lines of` line contains the number of the source. The line number of an instruction is written
//! after `@`, before the instruction's block; an instruction without `@` has the line number 0. With `count`, only the
//! stated number of instructions, counted from the first, have line numbers; without `count`, all instructions have
//! line numbers. With `numbers`, the line numbers are listed in reading order, and no instruction has an `@`.
//!
//! **Order of lines.** Within a function, inputs, outputs and instructions have the order of their lines. Lines of
//! different kinds, and the lines of a `debug` block, may be in any order. The printer writes the lines in this order:
//! inputs, outputs, `workgroup`, `lines`, `name` (by ascending id), `member` (by ascending id of the array), and
//! instructions. Sources may appear before, between and after functions.
//!
//! **Order of entries.** Each function with debug information and each `debug` block is an entry of the debug table, in the order
//! of the text. A `debug` block begins with the number of its function, which need not exist. The printer uses `debug` blocks for
//! all entries if any entry is empty or out of order, or refers to a missing function.
//!
//! **Limits.** A text that exceeds the limit on nesting depth or on instructions is an error; the cases of a
//! `switch` do not count as instructions. The verifier checks all other limits.
//!
//! **Comments.** The printer adds comments with the type of a result or the name of an output. `parse_with_comments` keeps
//! comments that have lines of their own, and `print_with` prints each of these comments before the item that it precedes
//! in the source text: a source, function, `debug`, input, output, member, instruction or `}`.

mod comments;
mod cursor;
mod error;
mod function;
mod inst;
mod kinds;
mod lex;
mod line;
mod parse;
mod print;
mod words;

pub use comments::Comments;
pub use error::{ParseError, ParseErrorKind};
pub use parse::{parse, parse_with_comments};
pub use print::{InstLine, print, print_lines, print_with};

pub(crate) use inst::FunctionText;
pub(crate) use words::{Quoted, immediate};
