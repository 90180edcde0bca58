//! The sources in `testdata/sources/refused`. A line that ends with `//~ message` must be refused with that message. A line `//~~
//! message` expects a refusal that states no place in the source. A source must have no other refusals.

use naga_front::{Options, read};
use testing::{files, testdata};

#[test]
fn sources_are_refused_by_name_and_place() {
    let folder = testdata("sources/refused");
    for path in files(&folder, ".wgsl") {
        let text = std::fs::read_to_string(&path).expect("a text");
        let Err(refusals) = read(&text, &Options::default()) else { panic!("{} is lifted", path.display()) };
        let mut found: Vec<(usize, String)> = refusals
            .iter()
            .map(|refusal| (refusal.position(&text).map_or(0, |(line, _)| line), refusal.to_string()))
            .collect();
        let mut expected: Vec<(usize, String)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some(message) = line.strip_prefix("//~~ ") {
                expected.push((0, message.to_string()));
            } else if let Some((_, message)) = line.split_once("//~ ") {
                expected.push((number + 1, message.to_string()));
            }
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", path.display());
    }
}
