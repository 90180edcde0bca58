#![allow(missing_docs)]
#[path = "../../agal-front/tests/common/generate.rs"]
#[allow(dead_code)]
mod generate;
#[path = "../../agal-front/tests/common/random.rs"]
mod random;
use agal_front::{Program, Stage, lift::{translate, Options}};
use random::SplitMix64;
use conformance::{suite, runs, witness};
use sdlbc::{Id, Inst, Op, FunctionKind};
fn program(seed: u64) -> Program {
    let mut random = SplitMix64(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x14);
    let version = 1 + (seed % 4) as u32;
    let stage = if seed / 4 % 2 == 0 { Stage::Vertex } else { Stage::Fragment };
    let length = generate::some_length(&mut random);
    generate::program(&mut random, version, stage, length)
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let seed: u64 = a[1].parse().unwrap();
    let inv: usize = a[2].parse().unwrap();
    let p = program(seed);
    let other = seed / 8 % 2 == 1;
    let options = Options { strict_ifg: other, truncate_index: other, signed_offset: other, ..Options::default() };
    let m0 = translate(&[&p], &options).unwrap().module;
    for spec in &a[3..] {
        let (id, lane) = spec.split_once('.').unwrap();
        let id: u32 = id.parse().unwrap(); let lane: u32 = lane.parse().unwrap();
        let mut m = m0.clone();
        let f = &mut m.functions[0];
        let n = f.max_id();
        let at = f.body.iter().position(|i| i.op == Op::Poke && i.immediates[0] == 0).unwrap();
        let isbool = lane >= 4; let lane = lane % 4;
        f.body[at].inputs[0] = Id(n + 3);
        let mut add = vec![Inst::new(Op::Swizzle, Id(n+1), &[Id(id)], &[sdlbc::module::swizvals(&[lane as u8])])];
        add.push(Inst::new(Op::Convert, Id(n+2), &[Id(n+1)], &[sdlbc::Type::FLOAT.word()]));
        let _ = isbool;
        add.push(Inst::new(Op::Vector, Id(n+3), &[Id(n+2), Id(n+2), Id(n+2), Id(n+2)], &[]));
        let w = f.body.split_off(at);
        f.body.extend(add); f.body.extend(w);
        if let Err(e) = sdlbc::verify(&m) { println!("{spec}: {e:?}"); continue; }
        let kind = if p.stage == Stage::Vertex { FunctionKind::Vertex } else { FunctionKind::Fragment };
        let probe = suite::probe(&m, kind, seed, 16, 8);
        let show = |images: Vec<interp::Image>| { let v = probe.values(&images); v[0].values[inv].map(|x| f32::from_bits(x[0])) };
        println!("{spec} interp {:?}", show(probe.draws.iter().map(|d| runs::exact(d).unwrap()).collect()));
        for w in &mut witness::all().unwrap() { println!("   {} {:?}", w.name(), show(probe.draws.iter().map(|d| w.draw(d).unwrap()).collect())); }
    }
}
