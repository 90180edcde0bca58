#![allow(missing_docs)]
use conformance::{suite, runs, witness};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let seed: u64 = a[2].parse().unwrap();
    let inv: usize = a[3].parse().unwrap();
    let m = sdlbc::parse(&std::fs::read_to_string(&a[1]).unwrap()).unwrap();
    let probe = suite::probe(&m, sdlbc::FunctionKind::Fragment, seed, 16, 16);
    let show = |images: Vec<interp::Image>| { let v = probe.values(&images); v[0].values[inv].map(|x| x.map(f32::from_bits)) };
    println!("interp {:?}", show(probe.draws.iter().map(|d| runs::exact(d).unwrap()).collect()));
    for w in &mut witness::all().unwrap() { println!("   {} {:?}", w.name(), show(probe.draws.iter().map(|d| w.draw(d).unwrap()).collect())); }
}
