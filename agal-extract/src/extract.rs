//! From inputs to what is found in them. So far: bytecode in the data of SWF files and of other files.

use agalc::Input;

use crate::bytes::{FoundBytes, programs_in};
use crate::model::{Code, Extraction, Place, Program, Site, Summary};

/// How inputs are searched.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {}

/// Finds the programs in inputs.
pub fn extract(inputs: &[Input], _: &Options) -> Extraction {
    let mut extraction = Extraction::default();
    for (at, input) in inputs.iter().enumerate() {
        let unpacked = swf::decompress_swf(&input.bytes[..]).ok();
        let kind = if unpacked.is_some() { "SWF" } else { "data" };
        extraction.inputs.push(Summary { name: input.name.clone(), kind: kind.to_string(), ..Summary::default() });
        for found in programs_in(unpacked.as_ref().map_or(&input.bytes, |swf| &swf.data)) {
            add(&mut extraction, at, found);
        }
    }
    extraction
}

/// Adds a program, or a place to it.
fn add(extraction: &mut Extraction, input: usize, found: FoundBytes) {
    let FoundBytes { within, offset, bytes, order, stage, version } = found;
    let place = Place { input, path: within, site: Site::Data { symbol: None, offset }, conditions: Vec::new() };
    let code = Code::Bytecode { bytes, order };
    match extraction.programs.iter_mut().find(|known| known.code == code) {
        Some(known) => known.places.push(place),
        None => {
            let (stage, version) = (Some(stage), Some(version));
            extraction.programs.push(Program { code, stage, version, places: vec![place] });
        }
    }
}
