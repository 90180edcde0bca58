//! Counts the SPIR-V instructions that agalc writes for each input, before and after `spirv-opt -O`, and compares them with those
//! of the peer, the best of the other translators.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::inputs::Input;
use crate::measure::{Programs, output};
use crate::spirv::{Opcodes, count, sum, words};

/// The sizes of the SPIR-V that agalc writes for an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The name of the input.
    pub input: String,
    /// The number of instructions of each opcode in agalc's SPIR-V.
    pub opcodes: Opcodes,
    /// The number of instructions of each opcode after `spirv-opt -O`, or `None` if `spirv-opt` is not installed.
    pub optimised: Option<Opcodes>,
}

/// Writes the SPIR-V of inputs and counts its instructions.
///
/// # Errors
/// Returns an error if `stages` or `spirv-opt` fails, or if the SPIR-V cannot be counted.
pub fn sizes(programs: &Programs, inputs: &[Input], folder: &Path) -> Result<Vec<Size>, String> {
    let optimises = Command::new("spirv-opt").arg("--version").output().is_ok();
    inputs.iter().map(|input| size(programs, input, folder, optimises)).collect()
}

fn size(programs: &Programs, input: &Input, folder: &Path, optimises: bool) -> Result<Size, String> {
    let mut size = Size { input: input.name.clone(), optimised: optimises.then(Opcodes::new), ..Size::default() };
    for name in programs.write(input, folder)? {
        let file = folder.join(&input.name).join(format!("{name}.spv"));
        add(&mut size.opcodes, &file)?;
        if let Some(optimised) = &mut size.optimised {
            let after = file.with_extension("opt.spv");
            output(Command::new("spirv-opt").arg("-O").arg(&file).arg("-o").arg(&after))?;
            add(optimised, &after)?;
        }
    }
    Ok(size)
}

fn add(opcodes: &mut Opcodes, file: &Path) -> Result<(), String> {
    let fail = |error: String| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(|error| fail(error.to_string()))?;
    for (opcode, times) in count(&words(&bytes)).map_err(fail)? {
        *opcodes.entry(opcode).or_default() += times;
    }
    Ok(())
}

/// Maps each input to the number of instructions in the peer's SPIR-V, as written and after `spirv-opt -O`.
pub type Peer = BTreeMap<String, [u64; 2]>;

/// Parses the corpus's table of the peer's sizes.
///
/// # Errors
/// Fails if a line is malformed.
pub fn peer(text: &str) -> Result<Peer, String> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [program, _, _, _, before, after, ..] = fields[..] else { return None };
        let name = program.trim_end_matches(".agalbc").to_string();
        Some((name, [before.parse().ok()?, after.parse().ok()?]))
    };
    text.lines().skip(1).map(|text| line(text).ok_or_else(|| format!("peer.tsv: {text}"))).collect()
}

/// Formats a table that compares agalc's sizes with the peer's.
pub fn table(sizes: &[Size], peer: &Peer) -> String {
    let mut text =
        "| input | ours | after `spirv-opt -O` | peer | peer after `spirv-opt -O` | ours to optimised peer |\n\
                    |---|---:|---:|---:|---:|---:|\n"
            .to_string();
    let known = |number: Option<u64>| number.map_or("–".to_string(), |number| number.to_string());
    let mut sums = [0, 0, 0, 0];
    let mut row = |name: &str, numbers: [Option<u64>; 4]| {
        let [ours, optimised, before, after] = numbers;
        let ratio =
            ours.zip(after).map_or("–".to_string(), |(ours, after)| format!("{:.3}", ours as f64 / after as f64));
        let [ours, optimised, before, after] = [ours, optimised, before, after].map(known);
        writeln!(text, "| {name} | {ours} | {optimised} | {before} | {after} | {ratio} |").expect("memory");
    };
    for size in sizes {
        let numbers = [Some(sum(&size.opcodes)), size.optimised.as_ref().map(sum)];
        let of_peer = peer.get(&size.input);
        row(&size.input, [numbers[0], numbers[1], of_peer.map(|of| of[0]), of_peer.map(|of| of[1])]);
        if let Some(of_peer) = of_peer {
            let numbers = [numbers[0].unwrap_or(0), numbers[1].unwrap_or(0), of_peer[0], of_peer[1]];
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
    }
    if sums[0] > 0 {
        row("sum of the inputs with a peer", sums.map(|sum| Some(sum).filter(|&sum| sum > 0)));
    }
    text
}

/// Formats a table of opcodes, with a column for each input and the most frequent opcode first.
pub fn opcodes(sizes: &[Size]) -> String {
    let mut all = Opcodes::new();
    for (opcode, times) in sizes.iter().flat_map(|size| &size.opcodes) {
        *all.entry(opcode.clone()).or_default() += times;
    }
    let mut order: Vec<(&String, &u64)> = all.iter().collect();
    order.sort_by_key(|(opcode, times)| (std::cmp::Reverse(**times), *opcode));
    let names: Vec<&str> = sizes.iter().map(|size| size.input.as_str()).collect();
    let mut text = format!("| opcode | {} | sum |\n|---|{}---:|\n", names.join(" | "), "---:|".repeat(names.len()));
    for (opcode, times) in order {
        let columns: Vec<String> =
            sizes.iter().map(|size| size.opcodes.get(opcode).map_or("".into(), u64::to_string)).collect();
        writeln!(text, "| Op{opcode} | {} | {times} |", columns.join(" | ")).expect("memory");
    }
    text
}

/// Formats the file of sizes. Each line contains an input, the size of agalc's output, and the size after `spirv-opt -O`,
/// separated by tabs.
pub fn format(sizes: &[Size]) -> String {
    let mut text = "# input\tSPIR-V instructions\tafter spirv-opt -O\n".to_string();
    for size in sizes {
        let after = size.optimised.as_ref().map_or("-".to_string(), |opcodes| sum(opcodes).to_string());
        writeln!(text, "{}\t{}\t{after}", size.input, sum(&size.opcodes)).expect("memory");
    }
    text
}

/// Parses the file of sizes.
///
/// # Errors
/// Fails if a line is malformed.
pub fn parse(text: &str) -> Result<Peer, String> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [input, before, after] = fields[..] else { return None };
        Some((input.to_string(), [before.parse().ok()?, after.parse().ok()?]))
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|text| line(text).ok_or_else(|| format!("sizes: {text}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Size, parse, peer, table};
    use crate::spirv::Opcodes;

    const PEER: &str = "program\tversion\tstage\ttokens\tpeer\tafter\tTint\na.agalbc\t1\tvertex\t3\t42\t20\taccepted\n";

    #[test]
    fn sizes_stand_beside_those_of_the_peer() {
        let opcodes: Opcodes = [("FAdd".to_string(), 10), ("Return".to_string(), 5)].into();
        let of = |input: &str| Size { input: input.to_string(), opcodes: opcodes.clone(), optimised: None };
        let text = table(&[of("a"), of("pairs")], &peer(PEER).expect("a table"));
        assert!(text.contains("| a | 15 | – | 42 | 20 | 0.750 |\n"), "{text}");
        assert!(text.contains("| pairs | 15 | – | – | – | – |\n"), "{text}");
        assert!(text.ends_with("| sum of the inputs with a peer | 15 | – | 42 | 20 | 0.750 |\n"), "{text}");
    }

    #[test]
    fn damaged_tables_are_refused() {
        assert!(peer(&PEER.replace("42", "x")).is_err());
        assert_eq!(parse("# head\na\t1\t2\n").expect("sizes")["a"], [1, 2]);
        assert!(parse("a\t1\n").is_err());
    }
}
