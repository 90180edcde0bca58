#!/usr/bin/env python3
"""Reads SDLSHADERBC files by the rules of SDL's proposed bytecode format, and by nothing else.

It is a second witness of what the files contain: it was written from the published text alone, and shares
no code and no other source with the crates that write the files. It prints a line for each file that it
could read, and otherwise the place of each broken rule.

The text has no headings; the comments name its parts by their structs and operations ("Header", "Function",
"LOOP"), by its list of points ("the opening points"), and by how a paragraph begins.

Questions that the text leaves open are marked AMBIGUOUS here, with the reading that was chosen.

Exit status: 0 all files were read, 1 a file breaks a rule or cannot be read, 2 wrong use.
"""

import argparse
import struct
import sys
import zlib
from collections import namedtuple

HEADER_WORDS = 5
MAGIC = b"SDLSHADERBC\0"
FUNCTION = 1
GENERIC, VERTEX, FRAGMENT = 0, 1, 2

# A row of the list of instructions: the number of words (exact, or the minimum), and the positions of the
# output and the inputs among the words.
Operation = namedtuple("Operation", "name words exact output inputs", defaults=(None, ()))


def unary(name):
    return Operation(name, 4, True, 2, (3,))


def binary(name):
    return Operation(name, 5, True, 2, (3, 4))


# AMBIGUOUS, Instruction: "each instruction type has a unique value", but no value is published. The order is
# that of the text's list; that it begins at 2, that CONVERT, PEEK and POKE take no number, and that one
# is left free before RETURN, for the SWITCH that only BREAK's text names, was read off sample files. So this
# reader does not confirm these numbers, but only the words after them.
#
# Not listed, because the text has no struct for them: CONVERT, PEEK, POKE, SWITCH and all built-ins. AMBIGUOUS,
# the built-ins: "Most of these use" the unary or the binary struct; the text does not say which, so none is checked.
OPERATIONS = {
    0x02: Operation("NOP", 2, False),
    0x03: unary("NEGATE"),
    0x04: unary("COMPLEMENT"),
    0x05: unary("NOT"),
    0x06: binary("MULTIPLY"),
    0x07: binary("DIVIDE"),
    0x08: binary("MODULO"),
    0x09: binary("ADD"),
    0x0A: binary("SUBTRACT"),
    0x0B: binary("SHIFTLEFT"),
    0x0C: binary("SHIFTRIGHT"),
    0x0D: binary("LESSTHAN"),
    0x0E: binary("GREATERTHAN"),
    0x0F: binary("LESSTHANOREQUAL"),
    0x10: binary("GREATERTHANOREQUAL"),
    0x11: binary("EQUAL"),
    0x12: binary("NOTEQUAL"),
    0x13: binary("BINARYAND"),
    0x14: binary("BINARYOR"),
    0x15: binary("BINARYXOR"),
    0x16: binary("LOGICALAND"),
    0x17: binary("LOGICALOR"),
    0x18: Operation("LITERALINT", 4, True, 2),
    0x19: Operation("LITERALFLOAT", 4, True, 2),
    0x1A: Operation("LITERALINT4", 7, True, 2),
    0x1B: Operation("LITERALFLOAT4", 7, True, 2),
    0x1C: Operation("IF", 4, False, None, (2,)),
    # Unlike all others, CALL has the index of the function before its output. All further words are inputs.
    0x1D: Operation("CALL", 4, False, 3),
    0x1E: Operation("DISCARD", 2, True),
    0x1F: Operation("BREAK", 2, True),
    # AMBIGUOUS, CONTINUE: it has no struct. Taken: it may have operands.
    0x20: Operation("CONTINUE", 2, False),
    0x21: Operation("LOOP", 2, False),
    # The value of RETURN may be zero, so it is not among the inputs here.
    0x23: Operation("RETURN", 3, True),
    0x24: binary("PHI"),
    # Any word is valid as `swizvals`: a byte above 3 is an unused field.
    0x25: Operation("SWIZZLE", 5, True, 2, (3,)),
}


class Stop(Exception):
    """A broken rule after which the rest of the file cannot be found."""

    def __init__(self, word, text):
        super().__init__(text)
        self.word, self.text = word, text


class Ids:
    """SSA ids: BinaryOperationInstruction, UnaryOperationInstruction, "Each non-zero `output`...".

    Ids also come from Inputs and from operations that the text does not define. Both cannot be read, so an
    id that no output defines is taken to be one of these.
    """

    def __init__(self):
        self.defined = {}
        self.used = {}

    def define(self, number, word, report):
        # The id of an output must be new.
        if number in self.defined:
            report("unique", word, f"id {number} is an output already at 0x{self.defined[number] * 4:x}")
            return
        # An output can only be used in *future* calculations.
        for use, loop_end in self.used.get(number, ()):
            if word >= loop_end:
                report("future", use, f"id {number} is used before it is an output, at 0x{word * 4:x}")
                break
        self.defined[number] = word

    def use(self, number, word, loop_end, report):
        # An output of zero stores nothing and defines no id.
        if number == 0:
            report("zero", word, "the id of an operand is zero, which no output defines")
        elif number not in self.defined:
            self.used.setdefault(number, []).append((word, loop_end))


class Reader:
    def __init__(self, data):
        self.data = data
        self.words = struct.unpack_from(f"<{len(data) // 4}I", data)
        self.functions = self.instructions = self.unknown = 0
        self.broken = {}

    def report(self, rule, word, text):
        """Notes where a rule is broken first; reading goes on."""
        self.broken.setdefault(rule, (word * 4, text))

    def read(self):
        """Reads all, and returns the broken rules as offsets and texts."""
        try:
            self.header()
            functions = self.records()
            self.functions = len(functions)
            # AMBIGUOUS, "Each non-zero `output` must be a unique value": in the function or in the file? Taken: in
            # the function, since nothing but CALL's operands goes from one to another.
            for at in functions:
                self.function(at, Ids())
        except Stop as stop:
            self.report("stop", stop.word, stop.text)
        return sorted(self.broken.values())

    def header(self):
        """Header."""
        if len(self.data) < HEADER_WORDS * 4:
            raise Stop(len(self.data) // 4, f"the file ends in its header, after {len(self.data)} bytes")
        if self.data[:12] != MAGIC:
            raise Stop(0, f"the magic is {self.data[:12]!r}, not {MAGIC!r}")
        # The text describes version 1 only.
        if self.words[3] != 1:
            raise Stop(3, f"the version is {self.words[3]}, not 1")
        # The checksum covers all bytes after it. AMBIGUOUS, `crc32`: the polynomial is not given. Taken: the
        # polynomial of zlib and SDL.
        crc = zlib.crc32(self.data[HEADER_WORDS * 4 :])
        if self.words[4] != crc:
            self.report("crc", 4, f"the CRC-32 is 0x{self.words[4]:08x}, but that of the file is 0x{crc:08x}")
        # The opening points: everything after the header is 32-bit words.
        if len(self.data) % 4:
            raise Stop(len(self.words), f"{len(self.data) % 4} bytes are left at the end, which are no word")

    def length(self, at, end, what, least=2):
        """The word count of what begins at `at`: its second word. It counts itself and the word before it.

        The opening points: everything after the header contains its own word count. AMBIGUOUS: where, in what
        has no struct. Taken: where Function and all instructions have it. (String has it first.)
        """
        if end - at < 2:
            raise Stop(at, f"{what} has no room for its word count")
        count = self.words[at + 1]
        if count < least:
            raise Stop(at + 1, f"{what} has {count} words, but needs {least}")
        if count > end - at:
            raise Stop(at + 1, f"{what} has {count} words, but {end - at} are left")
        return count

    def records(self):
        """"Next comes any Functions...": where each begins. Other records are passed by their length.

        AMBIGUOUS, "any Functions" and "Functions MUST be the first thing after the Header": may a file without
        functions have other records? Taken: no, as the first thing would not be a function.
        """
        functions, over, at = [], False, HEADER_WORDS
        while at < len(self.words):
            tag = self.words[at]
            if tag != FUNCTION and not functions:
                raise Stop(at, f"the first record after the header has tag 0x{tag:x}, so is no function")
            try:
                count = self.length(at, len(self.words), f"the record with tag 0x{tag:x}")
            except Stop as stop:
                # The functions before the broken record can still be read.
                self.report("record", stop.word, stop.text)
                break
            # Functions must be contiguous.
            if tag == FUNCTION and over:
                self.report("order", at, "a function stands after another record")
            elif tag == FUNCTION:
                functions.append(at)
            else:
                over = True
            at += count
        return functions

    def function(self, at, ids):
        """Function."""
        end = at + self.length(at, len(self.words), "the function", least=4)
        kind = self.words[at + 2]
        # `fntype`: the text has three types "currently", so others are unknown rather than wrong.
        if kind not in (GENERIC, VERTEX, FRAGMENT):
            self.unknown += 1
        # AMBIGUOUS, `name`: does a function that is not exported, such as a generic one, have a name without words?
        # "Note that Functions do not always have name strings". Taken: it may have a name.
        at = self.string(at + 3, end)
        # Inputs and Outputs: the text does not describe their contents.
        at += self.length(at, end, "Inputs")
        at += self.length(at, end, "Outputs")
        self.code(at, end, kind, ids)

    def string(self, at, end):
        """String: returns where it ends.

        AMBIGUOUS, `num_words` of String: "number of 32-bit words this struct uses" would count this word too.
        But `data` is `num_words*4` bytes, and Function has names with `num_words==0`. Taken: the words of `data`.
        """
        count = self.words[at]
        if count > end - at - 1:
            raise Stop(at, f"a string has {count} words, but {end - at - 1} are left")
        stop = at + 1 + count
        data = self.data[(at + 1) * 4 : stop * 4]
        text, null, padding = data.partition(b"\0")
        # UTF-8, terminated by a null and padded with zeros up to the next word only. A string without words has
        # no null: Function calls it an empty string.
        if count and not null:
            self.report("null", stop - 1, "a string is not ended by a null")
        elif padding.strip(b"\0"):
            self.report("padding", stop - 1, "a string is not filled with zeros after its null")
        elif len(padding) > 3:
            self.report("padding", stop - 1, "a string is filled with more zeros than its last word needs")
        try:
            text.decode()
        except UnicodeDecodeError:
            self.report("utf8", at + 1, "a string is not UTF-8")
        return stop

    def code(self, at, end, kind, ids):
        """"Function code is the remainder of the words...", and the blocks in it.

        A block is where it ends, and where the outermost LOOP around it ends (0 if there is none).
        """
        blocks = [(end, 0)]
        while blocks:
            end, loop_end = blocks[-1]
            if at == end:
                blocks.pop()
                continue
            # Instruction. An instruction that the text does not define is skipped by its length.
            opcode = self.words[at]
            operation = OPERATIONS.get(opcode)
            what = operation.name if operation else f"the instruction with opcode 0x{opcode:x}"
            count = self.length(at, end, what)
            self.instructions += 1
            if operation is None:
                self.unknown += 1
                at += count
                continue
            if count < operation.words or operation.exact and count > operation.words:
                more = "" if operation.exact else " or more"
                raise Stop(at + 1, f"{what} has {count} words, not {operation.words}{more}")
            self.operands(at, count, operation, loop_end, ids)
            if what == "IF":
                # The block if true, then the block if false, which has the remaining words of `num_words`.
                true = self.words[at + 3]
                if true > count - 4:
                    raise Stop(at + 3, f"the true block of IF has {true} words, but {count - 4} are left")
                blocks += [(at + count, loop_end), (at + 4 + true, loop_end)]
                at += 4
                continue
            if what == "LOOP":
                blocks.append((at + count, loop_end or at + count))
                at += 2
                continue
            # BREAK, CONTINUE. SWITCH is not defined and its blocks are not read, so a LOOP must enclose these.
            if what in ("BREAK", "CONTINUE") and not loop_end:
                self.report(what, at, f"{what} is in no LOOP")
            # DISCARD. It is allowed in a generic function, which a fragment shader may call.
            if what == "DISCARD" and kind == VERTEX:
                self.report(what, at, "DISCARD is in a vertex function")
            at += count

    def operands(self, at, count, operation, loop_end, ids):
        """The operands of an instruction, by the struct of its operation."""
        inputs = operation.inputs
        if operation.name == "CALL":
            # `fn`. AMBIGUOUS, "index of function to call": from 0 or from 1? Taken: from 0, in the file's order.
            fn = self.words[at + 2]
            if fn >= self.functions:
                self.report("fn", at + 2, f"CALL of function {fn}, but there are {self.functions}")
            inputs = range(4, count)
        elif operation.name == "RETURN" and self.words[at + 2] != 0:
            inputs = (2,)
        # AMBIGUOUS, "which can be used in future calculations": later in the file or in time? In a LOOP the two
        # differ. Taken: in time. So a PHI, which needs only one of its inputs, may have an input that is defined
        # later in an enclosing LOOP, in the previous iteration. Other inputs must be defined in the first iteration.
        until = loop_end if operation.name == "PHI" else 0
        if operation.name == "PHI":
            # AMBIGUOUS, PHI: the input for a branch that does not reach it. Taken: zero.
            inputs = [index for index in inputs if self.words[at + index] != 0]
        for index in inputs:
            ids.use(self.words[at + index], at + index, until, self.report)
        if operation.output is not None and self.words[at + operation.output] != 0:
            ids.define(self.words[at + operation.output], at + operation.output, self.report)


def main():
    parser = argparse.ArgumentParser(
        description="Read SDLSHADERBC files by the rules of SDL's proposed bytecode format.", allow_abbrev=False
    )
    parser.add_argument("files", metavar="FILE", nargs="+")
    options = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    status = 0
    for name in options.files:
        try:
            with open(name, "rb") as file:
                data = file.read()
        except (OSError, ValueError) as error:
            print(f"{name}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
            status = 1
            continue
        reader = Reader(data)
        broken = reader.read()
        for offset, text in broken:
            print(f"{name}: byte offset 0x{offset:x}: {text}", file=sys.stderr)
        if broken:
            status = 1
        else:
            counts = f"{reader.functions} functions, {reader.instructions} instructions"
            print(f"{name}: {counts}, {reader.unknown} unknown to the document")
    return status


if __name__ == "__main__":
    sys.exit(main())
