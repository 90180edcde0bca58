//! The text form: a module as text that a person reads and writes.
//!
//! Rule: [`parse()`] gives the module again whose text [`print()`] wrote, whether or not it verifies. (An instruction with
//! another number of operands or blocks than its operation has is in no text and in no file.)
//!
//! ```text
//! module      = { program | source | function | debug }
//! program     = "program" number EOL                               the checksum of the file that a debug table belongs to
//! source      = "source" number string ( "lines" | "tokens" ) [ "text" string ] EOL     the numbers count up from 0
//! function    = ("generic" | "vertex" | "fragment") "function" string [ "called" string ] "{" EOL
//!                 { input | output | lines | name | instruction } "}" EOL
//! debug       = "debug" number [ "called" string ] "{" EOL { listed | name } "}" EOL
//!
//! input       = "input" id label ":" type "=" inputkind EOL
//! output      = "output" number label ":" type "=" outputkind EOL  the numbers count up from 0
//! name        = "name" id label EOL                                the debug name of an id
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
//! inputkind   = "attribute" number | varying | "uniform" | "texture" number sampler | "builtin" builtin
//!             | "parameter" | "local"
//! outputkind  = "position" | varying | "colour" number | "depth" | "pointsize" | "returned"
//! varying     = "varying" number [ "perspective" | "linear" | "flat" ]
//! sampler     = "{" "filter" number "," "mip" number "," "wrap" number number ","
//!                   "format" number "," "special" number "," "bias" int "}"
//! builtin     = "vertexindex" | "instanceindex" | "fragmentcoordinate" | "frontfacing" | "pointcoordinate"
//! type        = scalar [ digits ] [ "[" number "]" ] | "float" digits "x" digits
//!             | "texture2d" | "texture3d" | "texturecube"
//! scalar      = "bool" | "int" | "uint" | "float" | "half"
//!
//! id          = "%" number | "_"                                   "_" is no id, as "%0" is
//! label       = letter { letter | digit | "_" } | string
//! string      = '"' { any character but '"', "\" and the line's end | escape } '"'
//! escape      = '\"' | "\\" | "\n" | "\t" | "\u{" hex "}"
//! number      = digits | hexword
//! int         = [ "-" ] digits | hexword
//! hexword     = "0x" hex                                           one to eight digits; the word itself
//! case        = int                                                of an int or an unsigned int
//! word        = of a literal: "true" | "false" | int | number | float, as its component type is; each may be hexword
//!             | of peek and poke: int | number, or hexword
//!             | of swizzle: one to four letters of "xyzw", or hexword
//!             | of convert: scalar, or hexword
//!             | of nop: hexword
//!             | of all others: number
//! float       = [ "-" ] ( digits [ "." digits ] [ ( "e" | "E" ) [ "+" | "-" ] digits ] | "inf" ) | hexword
//! ```
//!
//! Letters and digits are those of ASCII, and upper case is not lower case. EOL is a line feed or the end of the text.
//! Spaces, tabs and carriage returns may stand between tokens, and must where two would else be one. Lines may be empty.
//! `;` begins a comment that ends with its line, outside of strings. A byte order mark may stand in front of everything.
//!
//! **Operands.** The id in front of an operation is where its result goes; without it the result is not stored. A last
//! id that may lack is left out instead of `_`: the index of `peek`, that of `poke` with a slot, the value of `return`.
//! There must be as many ids and words as the operation has. A second block of `if` or a default of `switch` that is not
//! there is empty.
//!
//! **Words.** A number is at most 2^32 - 1, an int from -2^31 to 2^31 - 1, a case either; widths and a sampler's fields
//! are at most 255, its bias from -128 to 127. A float is written in the fewest digits that give its bits again, and a
//! NaN as its bits. Whatever a word's short form cannot say (a swizzle with odd filler, a bool of 2) is written as eight
//! digits in hexadecimal. A mnemonic is an operation's name, as docs/instructions.md lists them.
//!
//! **Debug table.** The name of a result stands behind its id where the id is defined first, the names of inputs and of
//! ids that nothing defines in `name`; an id has one name at most. `called` is the debug name of a function. `lines of`
//! names the source by its number; then `@` and a number at an instruction, in front of its block, is its line, and an
//! instruction without one has 0. There are as many numbers as instructions, or with `count` as many as that says, which
//! are those of the first instructions. With `numbers` they are listed, in reading order, and none stands at an
//! instruction. Each function of which something is said, and each `debug`, is a record of the table, in the order of
//! the text; `debug` has the function's number, of whatever function. The printer writes `debug` where the records are
//! not of functions that exist, by rising number, each with something to say.
//!
//! **Limits.** Blocks above [`limits::NESTING`](crate::limits::NESTING) and instructions above
//! [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS) are errors. All others are the verifier's.
//!
//! **Comments.** The printer writes comments of its own: the type of a result, the name of an output.
//! [`parse_with_comments`] keeps the comments that have their line alone, and [`print_with`] puts them where they were,
//! in front of the next source, function, `debug`, input, output, instruction or `}`.

mod comments;
mod error;
mod function;
mod kinds;
mod lex;
mod line;
mod parse;
mod print;
mod words;

pub use comments::Comments;
pub use error::{ParseError, ParseErrorKind};
pub use parse::{parse, parse_with_comments};
pub use print::{print, print_with};

pub(crate) use words::{Quoted, immediate};
