//! Damages files slightly, so that much of a damaged file can still be read.

use crate::Random;

/// Returns bytes to insert. The bytes are copied from another file or are random.
fn some_bytes(random: &mut Random, other: &[u8], unit: usize) -> Vec<u8> {
    let length = unit * (1 + random.below(3));
    if random.below(2) == 0 && other.len() > length {
        let at = random.below(other.len() - length) / unit * unit;
        return other[at..at + length].to_vec();
    }
    (0..length).map(|_| random.next() as u8).collect()
}

/// Applies one random edit to a file, such as a flipped bit, a removed word of `unit` bytes, or bytes copied from `other`.
pub fn edit(file: &mut Vec<u8>, random: &mut Random, other: &[u8], unit: usize) {
    if file.is_empty() {
        return;
    }
    let at = random.below(file.len());
    let word = at / unit * unit;
    let end = file.len().min(word + unit);
    match random.below(12) {
        0..=3 => file[at] ^= 1 << random.below(8),
        4 => file[at] = random.next() as u8,
        5 => {
            let value = match random.below(4) {
                0 => random.below(16) as u64,
                1 => random.below(0x1100) as u64,
                2 => u64::MAX,
                _ => random.next(),
            };
            file[word..end].iter_mut().zip(value.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        }
        6 => file.truncate(if random.below(2) == 0 { at } else { word }),
        7 => drop(file.splice(word..word, some_bytes(random, other, unit))),
        8 => drop(file.drain(word..end)),
        9 => {
            let part = some_bytes(random, other, unit);
            let end = file.len().min(word + part.len());
            file.splice(word..end, part);
        }
        _ => {
            let second = random.below(file.len()) / unit * unit;
            for i in 0..unit {
                if word + i < file.len() && second + i < file.len() {
                    file.swap(word + i, second + i);
                }
            }
        }
    }
}

/// Corrects the checksum in the header of an SDLSHADERBC file.
pub fn fix_checksum(file: &mut [u8]) {
    if let Some((header, content)) = file.split_at_mut_checked(20) {
        let sum = crc32fast::hash(content);
        header[16..].copy_from_slice(&sum.to_le_bytes());
    }
}
