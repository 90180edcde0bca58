//! Small sources.

use super::{compiled, listing};
use crate::sources::{Source, compile};

#[test]
#[ignore]
fn try_files() {
    let Ok(paths) = std::env::var("H2_FILES") else { return };
    let mut files = Vec::new();
    fn visit(path: &std::path::Path, files: &mut Vec<(String, String)>) {
        if path.is_dir() {
            let mut all: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
            all.sort();
            for p in all {
                visit(&p, files);
            }
        } else if path.extension().is_some_and(|e| e == "as" || e == "hx" || e == "mxml") {
            files.push((
                path.display().to_string(),
                String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned(),
            ));
        }
    }
    for p in paths.split(' ') {
        visit(std::path::Path::new(p), &mut files);
    }
    let sources: Vec<_> = files.iter().map(|(n, t)| Source { name: n, text: t }).collect();
    let start = std::time::Instant::now();
    let c = compile(&sources);
    println!("{} files {} bytes {:?}", files.len(), files.iter().map(|f| f.1.len()).sum::<usize>(), start.elapsed());
    super::check::all(&c, "");
    for w in &c.warnings {
        println!("{}:{}:{}: {}", files[w.file].0, w.line, w.column, w.message);
    }
    println!(
        "{} warnings in {} files",
        c.warnings.len(),
        c.warnings.iter().map(|w| w.file).collect::<std::collections::BTreeSet<_>>().len()
    );
    if std::env::var("H2_LIST").is_ok() {
        for u in &c.units {
            println!("{}", listing::of(u));
        }
    }
    let _ = compiled;
}
