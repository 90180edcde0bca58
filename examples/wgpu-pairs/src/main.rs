//! Writes the pictures `lit.png`, `skinned.png`, `targets-0.png` and `targets-1.png` to the folder that the argument names.
//! Without an argument, the pictures are written to the working folder.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Result;
use wgpu_pairs::gpu::{Gpu, Picture};
use wgpu_pairs::{draw_lit, draw_skinned, draw_targets};

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_string()));
    let gpu = Gpu::new()?;
    for (name, pictures) in
        [("lit", draw_lit(&gpu)?), ("skinned", draw_skinned(&gpu)?), ("targets", draw_targets(&gpu)?)]
    {
        for (number, picture) in pictures.iter().enumerate() {
            let number = if pictures.len() > 1 { format!("-{number}") } else { String::new() };
            let path = folder.join(format!("{name}{number}.png"));
            write(picture, File::create(&path)?)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

fn write(picture: &Picture, file: File) -> Result<()> {
    let mut encoder = png::Encoder::new(file, picture.side, picture.side);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    Ok(encoder.write_header()?.write_image_data(picture.pixels.as_flattened())?)
}
