//! Tests of pictures: writing and reading PNG files, converting render targets, and comparing two pictures.

use agalc_scene::{ErrorKind, Limits, Picture, compare};
use png::{BitDepth, ColorType, Encoder};
use sdlbc::{Builder, FunctionKind, FunctionOutput, Module, OutputKind, Scalar, Type};
use sdlbc_interp::{Draw, Image};

/// Returns a picture whose pixels all differ.
fn many() -> Picture {
    let pixels = (0..37u32 * 11).map(|at| [at as u8, (at * 7) as u8, (at / 256) as u8, (255 - at % 251) as u8]);
    Picture { width: 37, height: 11, pixels: pixels.collect() }
}

fn flat(width: u32, height: u32, pixel: [u8; 4]) -> Picture {
    Picture { width, height, pixels: vec![pixel; (width * height) as usize] }
}

#[test]
fn a_picture_survives_encoding_and_decoding() {
    let bytes = many().to_png().expect("a file");
    assert_eq!(Picture::from_png(&bytes), Ok(many()));
    assert_eq!(many().to_png(), Ok(bytes), "encoding is deterministic");
}

/// Returns a PNG file with two pixels in each row, in a format that agalc reads but does not write.
fn file(colour: ColorType, depth: BitDepth, data: &[u8], palette: &[u8], alphas: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    if !alphas.is_empty() {
        encoder.set_trns(alphas.to_vec());
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

#[test]
fn png_files_of_every_kind_are_read() {
    let read = |bytes: Vec<u8>| Picture::from_png(&bytes).expect("a picture").pixels;
    let eight = BitDepth::Eight;
    assert_eq!(read(file(ColorType::Grayscale, eight, &[7, 200], &[], &[])), [[7, 7, 7, 255], [200, 200, 200, 255]]);
    assert_eq!(read(file(ColorType::Grayscale, BitDepth::One, &[0x40], &[], &[])), [[0, 0, 0, 255], [255; 4]]);
    assert_eq!(read(file(ColorType::GrayscaleAlpha, eight, &[7, 8, 9, 10], &[], &[])), [[7, 7, 7, 8], [9, 9, 9, 10]]);
    assert_eq!(read(file(ColorType::Rgb, eight, &[1, 2, 3, 4, 5, 6], &[], &[])), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    let palette = [10, 20, 30, 40, 50, 60];
    assert_eq!(read(file(ColorType::Indexed, eight, &[1, 0], &palette, &[])), [[40, 50, 60, 255], [10, 20, 30, 255]]);
    assert_eq!(
        read(file(ColorType::Indexed, BitDepth::Four, &[0x10], &palette, &[99])),
        [[40, 50, 60, 255], [10, 20, 30, 99]]
    );
    // 16-bit components are divided by 257 and rounded: 0x80ff becomes 128, because the quotient is less than 128.5.
    let wide = [0x80, 0xff, 0x01, 0x7f, 0xff, 0xff, 0x00, 0x00, 0x00, 0x80, 0x00, 0x81];
    assert_eq!(read(file(ColorType::Rgb, BitDepth::Sixteen, &wide, &[], &[])), [[128, 1, 255, 255], [0, 0, 1, 255]]);
}

#[test]
fn files_that_are_not_pictures_are_rejected() {
    let good = many().to_png().expect("a file");
    let refused = |bytes: &[u8]| matches!(Picture::from_png(bytes), Err(ErrorKind::Png { .. }));
    assert!(refused(b"") && refused(b"GIF89a") && refused(&good[..good.len() / 2]));
    let mut damaged = good.clone();
    damaged[60] ^= 1;
    assert!(refused(&damaged));
    assert!(flat(0, 0, [0; 4]).to_png().is_err());
    let short = Picture { width: 9, height: 9, pixels: vec![[0; 4]; 80] };
    assert!(short.to_png().is_err());
}

#[test]
fn a_render_target_is_clamped_and_rounded_to_bytes() {
    let pixels = vec![[-1.0, 2.0, 0.5, f32::NAN], [0.499 / 255.0, 0.501 / 255.0, 254.6 / 255.0, 1.0]];
    let image = Image { width: 2, height: 1, targets: vec![vec![[0.0; 4]; 2], pixels], depth: None };
    assert_eq!(Picture::of(&image, 1).expect("a target").pixels, [[0, 255, 128, 0], [0, 1, 255, 255]]);
    assert_eq!(Picture::of(&image, 0).expect("a target").pixels, [[0; 4]; 2]);
    assert_eq!(Picture::of(&image, 2), None);
}

#[test]
fn a_render_target_of_ints_is_clamped_to_bytes_and_opaque() {
    let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
    for (target, scalar) in [(0, Scalar::Int), (1, Scalar::Uint)] {
        let kind = OutputKind::Colour { target };
        let output = builder.output(FunctionOutput { ty: Type::Vector(scalar, 4), name: format!("oc{target}"), kind });
        let zero = if scalar == Scalar::Int { builder.int(0) } else { builder.uint(0) };
        let zeroes = builder.vector(&[zero; 4]);
        builder.poke(output, zeroes);
    }
    let (function, _) = builder.finish().expect("a function");
    let draw = Draw::new(Module { functions: vec![function], ..Module::default() }, 1, 1);
    let pixel = [-1i32, 256, 7, 9].map(|int| f32::from_bits(int.cast_unsigned()));
    let image = Image { width: 1, height: 1, targets: vec![vec![pixel]; 3], depth: None };
    assert_eq!(Picture::of_target(&draw, &image, 0).expect("a target").pixels, [[0, 255, 7, 255]]);
    assert_eq!(Picture::of_target(&draw, &image, 1).expect("a target").pixels, [[255, 255, 7, 255]]);
    assert_eq!(Picture::of_target(&draw, &image, 2), Picture::of(&image, 2), "a target of floats");
    assert_eq!(Picture::of_target(&draw, &image, 3), None);
}

#[test]
fn equal_pictures_do_not_differ() {
    let difference = compare(&many(), &many(), Limits::default()).expect("one size");
    assert_eq!((difference.differing, difference.greatest, difference.mean, difference.psnr), (0, 0, 0.0, None));
    assert!(difference.picture.pixels.iter().all(|&pixel| pixel == [0, 0, 0, 255]));
    assert!(difference.above.iter().all(|above| above.pixels == 0));
}

#[test]
fn differences_are_counted_measured_and_shown() {
    let a = flat(10, 10, [100; 4]);
    let mut b = a.clone();
    b.pixels[37] = [100, 103, 100, 100];
    b.pixels[81] = [98, 100, 100, 101];
    let difference = compare(&a, &b, Limits::default()).expect("one size");
    assert_eq!((difference.differing, difference.greatest, difference.at), (1, 3, (7, 3)));
    assert_eq!(difference.percent(), 1.0);
    assert_eq!(difference.above.map(|above| above.pixels), [2, 2, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(difference.above.map(|above| above.threshold), [0, 1, 2, 4, 8, 16, 32, 64, 128]);
    assert_eq!(difference.mean, 6.0 / 400.0);
    // The expected PSNR is 10 log10(255^2 / (14 / 400)).
    assert!((difference.psnr.expect("a ratio") - 62.6901).abs() < 1e-4, "{:?}", difference.psnr);
    let white = difference.picture.pixels.iter().enumerate().filter(|(_, pixel)| **pixel == [255; 4]);
    assert_eq!(white.map(|(at, _)| at).collect::<Vec<_>>(), [37]);
    let stricter = compare(&a, &b, Limits { threshold: 1, ..Limits::default() }).expect("one size");
    assert_eq!(stricter.differing, 2);
}

#[test]
fn a_pixel_is_an_edge_where_its_neighbours_in_either_picture_vary() {
    let mut a = flat(9, 9, [50, 50, 50, 255]);
    let b = a.clone();
    a.pixels[4 * 9 + 4] = [50, 67, 50, 255];
    let difference = compare(&b, &a, Limits { threshold: 2, contrast: 16 }).expect("one size");
    assert_eq!((difference.edges, difference.differing, difference.at_edges), (9, 1, 1));
    assert_eq!((difference.greatest, difference.greatest_elsewhere), (17, 0));
    let higher = compare(&b, &a, Limits { threshold: 2, contrast: 17 }).expect("one size");
    assert_eq!((higher.edges, higher.at_edges, higher.greatest_elsewhere), (0, 0, 17));
    a.pixels[4 * 9 + 4] = [50, 50, 50, 255];
    a.pixels[0] = [50, 50, 50, 0];
    assert_eq!(compare(&a, &b, Limits::default()).expect("one size").edges, 4);
}

#[test]
fn pictures_of_two_sizes_are_not_compared() {
    let error = compare(&flat(4, 6, [0; 4]), &flat(6, 4, [0; 4]), Limits::default()).expect_err("two sizes");
    assert_eq!(error.to_string(), "the pictures differ in size: 4x6 and 6x4 pixels");
}
