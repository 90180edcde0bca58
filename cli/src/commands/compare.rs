//! `compare`: measures the differences between two pictures, and optionally draws the differences.

use std::path::Path;

use agalc_scene::{Difference, Limits, Picture};
use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::args::Compare;
use crate::files::Files;
use crate::output::{PendingOutput, Sink};
use crate::report;

pub(super) fn run(files: &Files, args: &Compare) -> Result<()> {
    let [first, second] = [picture(files, &args.first)?, picture(files, &args.second)?];
    let limits = Limits { threshold: args.threshold, contrast: args.contrast };
    let difference = agalc_scene::compare(&first, &second, limits)?;
    let mut made = Vec::new();
    if let Some(output) = &args.output {
        let bytes = difference.picture.to_png().map_err(|error| anyhow!("{error}"))?;
        let what = format!("PNG, {}x{}", difference.picture.width, difference.picture.height);
        made.push(PendingOutput::binary(Sink::new(output), what, bytes));
    }
    let is_good = difference.percent() <= args.allow;
    // If the difference picture is written to standard output, the figures are omitted.
    if args.output.as_deref() != Some(Path::new("-")) {
        let report = if report::is_json() {
            serde_json::to_string_pretty(&Figures::new(&difference, args.allow, is_good))? + "\n"
        } else {
            describe(&difference)
        };
        made.push(PendingOutput::text(Sink::Stdout, "report", report));
    }
    files.write(made)?;
    if is_good {
        return Ok(());
    }
    let (percent, threshold, allow) = (difference.percent(), args.threshold, args.allow);
    Err(anyhow!("{percent:.4} % of the pixels differ by more than {threshold}; {allow} % are allowed"))
}

fn picture(files: &Files, path: &Path) -> Result<Picture> {
    let input = files.read(path)?;
    Picture::from_png(&input.bytes).map_err(|error| anyhow!("`{}`: {error}", input.name))
}

fn describe(difference: &Difference) -> String {
    let Difference { limits, pixels, differing, at_edges, edges, greatest, at, greatest_elsewhere, .. } = difference;
    let (width, height) = (difference.picture.width, difference.picture.height);
    let percent = |part: usize| 100.0 * part as f64 / (*pixels).max(1) as f64;
    let psnr = difference.psnr.map_or("none: the pictures are the same".to_string(), |psnr| format!("{psnr:.2} dB"));
    let counts = difference.above.iter().take_while(|above| above.pixels > 0);
    let counts: Vec<String> = counts.map(|above| format!("{} above {}", above.pixels, above.threshold)).collect();
    let counts = if counts.is_empty() { "none".to_string() } else { counts.join(", ") };
    let place = if *greatest > 0 { format!(", first at {}, {}", at.0, at.1) } else { String::new() };
    format!(
        "pixels       {pixels} ({width}x{height}), {edges} of them at edges ({:.2} %)\n\
         differing    {differing} ({:.4} %) by more than {}, {at_edges} of them at edges\n\
         greatest     {greatest}{place}; {greatest_elsewhere} away from edges\n\
         mean         {:.4}\n\
         psnr         {psnr}\n\
         pixels by    {counts}\n",
        percent(*edges),
        percent(*differing),
        limits.threshold,
        difference.mean,
    )
}

#[derive(Serialize)]
struct Figures {
    width: u32,
    height: u32,
    threshold: u8,
    contrast: u8,
    allowed_percent: f64,
    is_good: bool,
    differing: usize,
    differing_percent: f64,
    differing_at_edges: usize,
    edges: usize,
    greatest: u8,
    greatest_at: [u32; 2],
    greatest_away_from_edges: u8,
    mean: f64,
    /// The peak signal-to-noise ratio in decibels; null in JSON if the pictures are equal.
    psnr: Option<f64>,
    above: Vec<Above>,
}

#[derive(Serialize)]
struct Above {
    threshold: u8,
    pixels: usize,
}

impl Figures {
    fn new(difference: &Difference, allow: f64, is_good: bool) -> Figures {
        let above = difference.above.iter();
        Figures {
            width: difference.picture.width,
            height: difference.picture.height,
            threshold: difference.limits.threshold,
            contrast: difference.limits.contrast,
            allowed_percent: allow,
            is_good,
            differing: difference.differing,
            differing_percent: difference.percent(),
            differing_at_edges: difference.at_edges,
            edges: difference.edges,
            greatest: difference.greatest,
            greatest_at: difference.at.into(),
            greatest_away_from_edges: difference.greatest_elsewhere,
            mean: difference.mean,
            psnr: difference.psnr,
            above: above.map(|above| Above { threshold: above.threshold, pixels: above.pixels }).collect(),
        }
    }
}
