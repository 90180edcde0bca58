//! Writes the modules of `testdata` and the third-party programs, unchanged and optimised, as WGSL and SPIR-V. The modules read
//! back from this output must have the same results. A module that a target cannot express is skipped.

use laws::works::{EVERYTHING, optimised};
use laws::{By, Outcome, both_ways};
use sdlbc::Module;
use testing::{Effort, caught, files_below, on_two_threads, say, testdata};

#[test]
fn what_is_written_of_testdata_computes_the_same_when_it_is_read_again() {
    let mut modules: Vec<(String, Module)> = EVERYTHING.iter().map(|work| (work.name.clone(), work.module())).collect();
    for path in files_below(&testdata(""), ".sdlasm") {
        let text = std::fs::read_to_string(&path).expect("a text");
        // Random inputs make `members.sdlasm` index a member out of range. Different targets may then read different elements.
        if path.ends_with("ir/members.sdlasm") {
            continue;
        }
        // The folder `testdata` also contains texts that cannot be parsed, and invalid modules.
        let Ok(module) = sdlbc::parse(&text) else { continue };
        if sdlbc::verify(&module).is_ok() && !module.functions.is_empty() {
            modules.push((path.display().to_string(), module));
        }
    }
    let mut modules: Vec<(String, Module)> =
        Effort::part_of("WAYS", &modules).into_iter().map(|(name, module)| (name.clone(), module.clone())).collect();
    let optimised: Vec<(String, Module)> = modules
        .iter()
        .map(|(name, module)| (format!("{name}, optimised"), optimised(module.clone()).into_module()))
        .collect();
    modules.extend(optimised);
    let results = on_two_threads(&modules, |(name, module)| {
        [By::Wgsl, By::Spirv].map(|by| match caught(|| both_ways(module, by, 1)) {
            Ok(Outcome::Same) => Ok(true),
            Ok(Outcome::Unwritten) => Ok(false),
            Ok(Outcome::Refused(refusals)) => Err(format!("{name}: {by:?}: {}", refusals[0])),
            Err(message) => Err(format!("{name}: {by:?}: {message}")),
        })
    });
    let failures: Vec<&String> = results.iter().flatten().filter_map(|result| result.as_ref().err()).collect();
    let first = failures.first().map_or("", |failure| failure.as_str());
    let heads: Vec<&str> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    assert!(failures.is_empty(), "{}\n\n{first}", heads.join("\n"));
    let same = results.iter().flatten().filter(|result| **result == Ok(true)).count();
    say(&format!("{} modules, {same} outputs", modules.len()));
    assert!(same > modules.len(), "only {same} outputs of {} modules", modules.len());
}
