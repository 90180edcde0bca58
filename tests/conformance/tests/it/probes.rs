//! Tests the pictures that the suite builds from functions in order to show the functions' results.

use conformance::probe::{Inputs, Probe};
use conformance::values;
use sdlbc::{FunctionKind, FunctionOutput, InputKind, OutputKind};

#[test]
fn a_probe_of_any_module_verifies() {
    let mut probes = 0;
    for seed in 0..400 {
        let module = laws::from_seed(seed);
        let resources = values::resources(seed, &module);
        for function in &module.functions {
            let given = values::given(function);
            let probe = match function.kind {
                FunctionKind::Generic | FunctionKind::Compute => continue,
                FunctionKind::Vertex => Probe::vertex(&module, &values::points(seed, &given, 9), 3, resources.clone()),
                FunctionKind::Fragment => {
                    let inputs = Inputs::Square(4, values::corners(seed, &given));
                    Probe::fragment(&module, &inputs, resources.clone())
                }
            };
            for draw in &probe.draws {
                assert_eq!(
                    sdlbc::verify(&draw.module),
                    Ok(()),
                    "seed {seed}, {}\n{}",
                    function.name,
                    sdlbc::print(&draw.module)
                );
                let read = |input: &sdlbc::Input| match input.kind {
                    InputKind::Varying { location, .. } => Some(location),
                    _ => None,
                };
                let given = |output: &FunctionOutput| match output.kind {
                    OutputKind::Varying { location, .. } => Some(location),
                    _ => None,
                };
                let of = |kind| draw.module.functions.iter().find(|f| f.kind == kind).expect("both");
                let written: Vec<u32> = of(FunctionKind::Vertex).outputs.iter().filter_map(given).collect();
                let mut read = of(FunctionKind::Fragment).inputs.iter().filter_map(read);
                assert!(read.all(|location| written.contains(&location)), "seed {seed}");
            }
            probes += 1;
        }
    }
    assert!(probes > 300, "only {probes} functions");
}
