//! The size limits of an extraction: at most 8 MiB for the manifest, and at most 64 MiB for all files together.
//!
//! Rule: every omitted entry is counted, and the least certain entries are omitted first. Places, conditions and findings beyond
//! their caps are omitted before any program. Pieces are omitted next, then templates (most holes first), then variants (most
//! conditions first), and then programs of probable pairs. Complete programs of pairs are omitted last.

use std::io::{self, Write};

use serde::Serialize;

use crate::group::Shaders;
use crate::left_out::{Caps, LeftOut, caps, cut};
use crate::manifest::{InputRow, Manifest, PairRow, ProgramRow, relate};

/// The maximum size of the manifest, in bytes.
pub const MOST_OF_MANIFEST: usize = 8 << 20;
/// The maximum total size of all files in bytes, including the manifest.
pub const MOST_OF_FOLDER: usize = 64 << 20;

/// The sets of caps, in the order in which they are tried until the manifest fits.
pub(crate) const STEPS: [Caps; 4] = [
    caps([16, 24, 16, 256, 64, 200, 4_096, 2_000]),
    caps([4, 8, 6, 64, 32, 50, 2_048, 500]),
    caps([2, 4, 2, 16, 16, 16, 1_024, 200]),
    caps([1, 0, 1, 4, 8, 4, 256, 50]),
];

/// Returns the size of a value as JSON, in bytes.
pub(crate) fn size(of: &impl Serialize, is_dense: bool) -> usize {
    struct Counter(usize);
    impl Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    let written =
        if is_dense { serde_json::to_writer(&mut counter, of) } else { serde_json::to_writer_pretty(&mut counter, of) };
    // Serialisation cannot fail here. A failure would make the value count as too large.
    written.map_or(usize::MAX, |()| counter.0)
}

/// Returns the first caps in `STEPS` with which the manifest may fit.
pub(crate) fn first_caps(shaders: &Shaders<'_>) -> Caps {
    let of_programs = shaders.all.iter().map(|shader| shader.program.places.iter().collect::<Vec<_>>());
    let places: Vec<Vec<_>> = of_programs.chain(shaders.pairs.iter().map(|pair| pair.places.clone())).collect();
    let is_enough = |caps: &&Caps| {
        let conditions = |place: &&crate::model::Place| 1 + place.conditions.len().min(caps.conditions);
        let rows = places.iter().map(|places| places.iter().take(caps.places).map(conditions).sum::<usize>());
        // A place or a condition takes about 100 bytes of the manifest.
        rows.sum::<usize>() <= 2 * MOST_OF_MANIFEST / 100
    };
    let [.., last] = STEPS;
    STEPS.iter().find(is_enough).copied().unwrap_or(last)
}

/// Omits entries until the manifest and the folder are within their limits, and returns the contents of the remaining files.
pub(crate) fn fit(manifest: &mut Manifest<'_>, mut contents: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    relate(manifest);
    let mut left_out = LeftOut::default();
    if !fits_in_folder(manifest, &contents) {
        left_out.copies = leave_out_copies(manifest);
    }
    manifest.is_dense = !fits(manifest);
    for caps in &STEPS {
        // The first caps apply even if the manifest would fit without them.
        left_out.add(reduce(manifest, caps));
        if fits(manifest) {
            break;
        }
    }
    if !(fits(manifest) && fits_in_folder(manifest, &contents)) {
        left_out.add(leave_out_programs(manifest, &mut contents));
        relate(manifest);
    }
    let of_programs = manifest.programs.iter().map(|row| row.left_out);
    let of_rows = of_programs.chain(manifest.pairs.iter().map(|row| row.left_out));
    of_rows.chain(manifest.inputs.iter().map(|row| row.left_out)).for_each(|row| left_out.add(row));
    manifest.left_out = left_out;
    contents
}

/// Returns the number of bytes that a program's files take in the manifest's list of files.
fn listed_files(row: &ProgramRow<'_>) -> usize {
    // An entry consists of a name, a hash of 64 digits, and 12 characters of punctuation.
    [&row.file].into_iter().chain(&row.copies).map(|name| name.len() + 64 + 12).sum()
}

/// The number of bytes reserved for the counts of omitted entries, which are not final while entries are still omitted.
const SPARE: usize = 4 << 10;

fn fits(manifest: &Manifest<'_>) -> bool {
    let files: usize = manifest.programs.iter().map(listed_files).sum();
    size(manifest, manifest.is_dense) + files + SPARE <= MOST_OF_MANIFEST
}

fn in_folder(row: &ProgramRow<'_>, contents: &[u8]) -> usize {
    contents.len() * (1 + row.copies.len())
}

fn fits_in_folder(manifest: &Manifest<'_>, contents: &[Vec<u8>]) -> bool {
    let files = manifest.programs.iter().zip(contents).map(|(row, contents)| in_folder(row, contents));
    files.sum::<usize>() + MOST_OF_MANIFEST <= MOST_OF_FOLDER
}

/// Removes all but one file of each program, and returns the number of removed files.
fn leave_out_copies(manifest: &mut Manifest<'_>) -> usize {
    let copies = manifest.programs.iter_mut().map(|row| std::mem::take(&mut row.copies).len()).sum();
    for pair in &mut manifest.pairs {
        let file = |at: usize| manifest.programs.get(at).map_or_else(String::new, |row| row.file.clone());
        [pair.vertex, pair.fragment] = pair.programs.map(file);
    }
    copies
}

/// Omits the entries beyond the caps. Returns the counts of omitted entries, except the counts that a row itself contains.
fn reduce(manifest: &mut Manifest<'_>, caps: &Caps) -> LeftOut {
    manifest.programs.iter_mut().for_each(|row| row.reduce(caps));
    manifest.pairs.iter_mut().for_each(|row| row.reduce(caps));
    let before = manifest.inputs.len();
    let mut more = before.saturating_sub(caps.inputs);
    // Inputs without programs are omitted first.
    let is_empty = |input: &InputRow<'_>| input.programs + input.unknown.len() == 0;
    manifest.inputs.retain(|input| {
        let is_left_out = more > 0 && is_empty(input);
        more -= usize::from(is_left_out);
        !is_left_out
    });
    manifest.inputs.truncate(caps.inputs);
    for input in &mut manifest.inputs {
        input.left_out.unknown += cut(&mut input.unknown, caps.unknown);
        input.left_out.conditions = input.unknown.iter_mut().map(|place| place.reduce(caps)).sum();
    }
    let inputs = before - manifest.inputs.len();
    LeftOut { inputs, warnings: cut(&mut manifest.warnings, caps.warnings), ..LeftOut::default() }
}

/// Omits programs and their pairs until the manifest and the folder are within their limits.
fn leave_out_programs(manifest: &mut Manifest<'_>, contents: &mut Vec<Vec<u8>>) -> LeftOut {
    let rows = std::mem::take(&mut manifest.programs);
    let pairs = std::mem::take(&mut manifest.pairs);
    let mut of_manifest = size(manifest, manifest.is_dense) + SPARE;
    let mut of_folder = MOST_OF_MANIFEST;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_cached_key(|at| rows.get(*at).map(|row| uncertainty(row, &pairs)));
    let mut is_kept = vec![false; rows.len()];
    for at in order {
        let (Some(row), Some(contents)) = (rows.get(at), contents.get(at)) else { continue };
        let is_joined =
            |pair: &&PairRow<'_>| pair.programs.iter().all(|other| *other == at || is_kept.get(*other) == Some(&true));
        let of_pairs = row.pairs.iter().filter_map(|number| pairs.get(*number)).filter(is_joined);
        let new = size(row, manifest.is_dense)
            + listed_files(row)
            + of_pairs.map(|pair| size(pair, manifest.is_dense) + 2).sum::<usize>();
        let new_in_folder = in_folder(row, contents);
        if of_manifest + new <= MOST_OF_MANIFEST && of_folder + new_in_folder <= MOST_OF_FOLDER {
            (of_manifest, of_folder) = (of_manifest + new, of_folder + new_in_folder);
            is_kept.get_mut(at).into_iter().for_each(|kept| *kept = true);
        }
    }
    let mut left_out = LeftOut::default();
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut kept_contents = Vec::new();
    for ((row, contents), is_kept) in rows.into_iter().zip(std::mem::take(contents)).zip(is_kept) {
        places.push(is_kept.then_some(manifest.programs.len()));
        match &row {
            _ if is_kept => {
                manifest.programs.push(row);
                kept_contents.push(contents);
            }
            row if row.piece => left_out.pieces += 1,
            row if row.has_holes() => left_out.templates += 1,
            _ => left_out.programs += 1,
        }
    }
    for mut pair in pairs {
        match pair.programs.map(|at| places.get(at).copied().flatten()) {
            [Some(vertex), Some(fragment)] => {
                pair.programs = [vertex, fragment];
                manifest.pairs.push(pair);
            }
            _ => left_out.pairs += 1,
        }
    }
    *contents = kept_contents;
    left_out
}

/// Returns the rank of a program. Programs with the greatest rank are omitted first.
fn uncertainty(row: &ProgramRow<'_>, pairs: &[PairRow<'_>]) -> [usize; 4] {
    let kind = if row.piece { 2 } else { usize::from(row.has_holes()) };
    let mut of_row = row.pairs.iter().filter_map(|number| pairs.get(*number));
    let pair = match (row.traced || of_row.any(|pair| !pair.probable), row.pairs.is_empty()) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    };
    let holes = row.holes.len() + row.left_out.holes;
    if kind == 0 { [kind, pair, row.conditions(), 0] } else { [kind, holes, pair, row.conditions()] }
}
