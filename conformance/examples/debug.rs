use agal_front::machine;
use conformance::{agal::AgalShader, pictures, runs};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let scene = scene::Scene::load(format!("testdata/scenes/{name}/scene.toml")).unwrap();
    let pair = runs::pair(&scene.draw).unwrap();
    let first = interp::draw(&scene.draw, &pair);
    let [v, f] = scene.agal.as_ref().unwrap();
    for (what, programs) in [("vertex", vec![v]), ("fragment", vec![f])] {
        let shader = AgalShader::new(&pair, &scene.draw, &programs, machine::Options::default(), None).unwrap();
        let other = interp::draw(&scene.draw, &shader);
        let a = scene::Picture::of(&first, 0).unwrap();
        let b = scene::Picture::of(&other, 0).unwrap();
        let (w, _) = pictures::compare(&a, &b).unwrap();
        println!("{what}: {w}");
        let mut n = 0;
        for (i, (a, b)) in a.pixels.iter().zip(&b.pixels).enumerate() {
            if a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 20) && n < 8 {
                n += 1;
                println!("{},{}: {a:?} {b:?}", i % 512, i / 512);
            }
        }
    }
}
