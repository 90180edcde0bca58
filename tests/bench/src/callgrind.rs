//! Reads callgrind's output: the number of instructions in a run, and in the calls from one function to another.
//!
//! The section "Callgrind Format Specification" of valgrind's manual describes the format. A cost line has a position and a
//! number. The line after `calls=` states the cost of the calls, including everything that the called function calls. A name
//! is written in full once, and afterwards as a number in parentheses.
//!
//! Rule: a caller's own cost excludes the cost of its calls. The cost of a call is not added to any total, because the called
//! functions' costs already include it.

use std::collections::HashMap;

/// The calls from one function to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The name of the calling function.
    pub caller: String,
    /// The name of the called function.
    pub callee: String,
    /// The number of instructions that the calls execute, including everything that the called function calls.
    pub instructions: u64,
}

/// The contents of a callgrind dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// The total number of instructions.
    pub instructions: u64,
    /// The calls in file order.
    pub calls: Vec<Calls>,
}

/// Reads a callgrind dump.
///
/// # Errors
/// Fails if the text is not a callgrind dump, counts events other than instructions, or has lines that do not add up to the
/// stated total.
pub fn read(text: &str) -> Result<Dump, String> {
    let mut reader = Reader::default();
    for (line, number) in text.lines().zip(1..) {
        reader.line(line).map_err(|error| format!("line {number}: {error}: {line}"))?;
    }
    let Reader { dump, stated, .. } = reader;
    match stated {
        Some(stated) if stated == dump.instructions => Ok(dump),
        Some(stated) => Err(format!("the lines add up to {} instructions instead of {stated}", dump.instructions)),
        None => Err("no line with a total".to_string()),
    }
}

#[derive(Default)]
struct Reader {
    dump: Dump,
    names: HashMap<String, String>,
    caller: String,
    callee: String,
    /// Whether the next line contains the cost of a call.
    called: bool,
    stated: Option<u64>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        match line.split_once(['=', ':']) {
            Some(("fn", name)) => self.caller = self.name(name)?,
            Some(("cfn", name)) => self.callee = self.name(name)?,
            Some(("calls", _)) => self.called = true,
            Some(("events", events)) if events.trim() != "Ir" => return Err("expected instructions alone"),
            Some(("totals", total)) => self.stated = Some(total.trim().parse().map_err(|_| "expected a number")?),
            Some(_) => {}
            None if line.is_empty() || line.starts_with('#') => {}
            None => self.costs(line)?,
        }
        Ok(())
    }

    /// Resolves a name of the form `(3) name`, or `(3)` if the name is already known.
    fn name(&mut self, text: &str) -> Result<String, &'static str> {
        let (number, name) = text.split_once(')').ok_or("expected a number in parentheses")?;
        if !name.is_empty() {
            self.names.insert(number.to_string(), name.trim().to_string());
        }
        self.names.get(number).cloned().ok_or("this number has no name")
    }

    fn costs(&mut self, line: &str) -> Result<(), &'static str> {
        let cost = line.split_ascii_whitespace().nth(1).map_or(Ok(0), str::parse);
        let cost: u64 = cost.map_err(|_| "expected a position and a number")?;
        if std::mem::take(&mut self.called) {
            let (caller, callee) = (self.caller.clone(), self.callee.clone());
            self.dump.calls.push(Calls { caller, callee, instructions: cost });
        } else {
            self.dump.instructions += cost;
        }
        Ok(())
    }
}

/// The crates of agalc that call naga.
const CALLERS: [&str; 2] = ["sdlbc_naga::", "backends::"];
/// naga's validator and writers. naga's arenas and helpers are not listed, because agalc uses them to build a module.
const NAGA: [&str; 2] = ["naga::valid::", "naga::back::"];

impl Dump {
    /// Returns the number of instructions that naga's validator and writers execute when agalc's crates call them.
    pub fn naga(&self) -> u64 {
        let of = |name: &str, crates: [&str; 2]| {
            let name = name.trim_start_matches('<');
            crates.iter().any(|of| name.starts_with(of))
        };
        let calls = self.calls.iter().filter(|calls| of(&calls.caller, CALLERS) && of(&calls.callee, NAGA));
        calls.map(|calls| calls.instructions).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    const DUMP: &str = "# callgrind format\nversion: 1\ncmd: stages count a=b\npart: 2\ndesc: Trigger: x\npositions: line\n\
                        events: Ir\nsummary: 181\n\nob=(1) /bin/stages\nfl=(1) ???\nfn=(1) stages::measured\n0 1\n\
                        cfn=(2) sdlbc_naga::emit::spirv::spirv\ncalls=1 0 \n0 180\n\nfn=(2)\n+3 10\n* 20\n\
                        cob=(2) other\ncfn=(3) naga::back::spv::write_vec\ncalls=2 +5\n-1 100\ncfn=(4) <naga::valid::A as B>::c\n\
                        calls=1 0\n0 50\ncfn=(5) naga::proc::f\ncalls=1 0\n0 0\n\nfn=(3)\n0 60\ncfn=(4)\ncalls=9 0\n0 40\n\n\
                        fn=(4)\n0 90\n\ntotals: 181\n";

    #[test]
    fn costs_of_lines_are_added_up_and_costs_of_calls_are_kept_apart() {
        let dump = read(DUMP).expect("a dump");
        assert_eq!(dump.instructions, 1 + 10 + 20 + 60 + 90);
        let calls: Vec<_> = dump.calls.iter().map(|calls| (calls.caller.as_str(), calls.instructions)).collect();
        let [ours, naga] = ["sdlbc_naga::emit::spirv::spirv", "naga::back::spv::write_vec"];
        assert_eq!(calls, [("stages::measured", 180), (ours, 100), (ours, 50), (ours, 0), (naga, 40)]);
    }

    #[test]
    fn calls_within_naga_are_in_those_that_we_make_already() {
        assert_eq!(read(DUMP).expect("a dump").naga(), 150);
    }

    #[test]
    fn what_is_no_dump_of_instructions_is_refused() {
        for (from, to, error) in [
            ("totals: 181", "totals: 182", "the lines add up to 181 instructions instead of 182"),
            ("totals: 181\n", "", "no line with a total"),
            ("events: Ir", "events: Ir Dr", "line 7: expected instructions alone: events: Ir Dr"),
            ("fn=(3)\n", "fn=(9)\n", "line 32: this number has no name: fn=(9)"),
            ("* 20", "* x", "line 20: expected a position and a number: * x"),
        ] {
            assert!(DUMP.contains(from), "{from}");
            assert_eq!(read(&DUMP.replace(from, to)).expect_err(from), error);
        }
    }
}
