//! Tests changes like those that an editor sends. After each change, the server's text must equal the client's text, and the
//! server must answer quickly. `CHANGES=` sets the number of random changes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testing::{Effort, Random};

use crate::client::{Client, URI};

const PARTS: &[&str] = &[
    "mov ft0, v0\n",
    "mul ft1, ft0, fc0.x\n",
    "mov oc, ft1\n",
    "tex ft0, v0, fs0 <2d>\n",
    "alias fc0, tint\n",
    "ifg ft0.x, fc0.x\n",
    "eif\n",
    "macro M(a) {\n",
    "}\n",
    "// é𝕏\n",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\r",
    "é",
    "𝕏",
    " ",
    ",",
    "<",
    ".xyz",
    "x",
    "#if A\n",
    "\"",
    "part p vertex 1\n",
    "endpart\n",
    "a0 01",
    ";",
    "=",
    "(",
];

fn position(text: &str, at: usize, utf8: bool) -> Value {
    let before = &text[..at];
    // A CR before an LF does not end a line.
    let ends: Vec<usize> = before
        .char_indices()
        .filter(|&(i, c)| c == '\n' || c == '\r' && !text[i + 1..].starts_with('\n'))
        .map(|(i, _)| i + 1)
        .collect();
    let start = ends.last().copied().unwrap_or_default();
    let width = |c: char| if utf8 { c.len_utf8() } else { c.len_utf16() };
    let character: usize = before[start..].chars().map(width).sum();
    json!({ "line": ends.len(), "character": character })
}

/// Returns a random byte offset between two characters, but not inside a CR LF.
fn place(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n') {
        at -= 1;
    }
    at
}

#[test]
fn the_text_stays_the_clients_whatever_is_changed() {
    for utf8 in [false, true] {
        let mut client = Client::with(URI, "", utf8);
        let mut text = String::new();
        for seed in Effort::of("CHANGES", 2_500).seeds() {
            let random = &mut Random::of(seed, &[u64::from(utf8)]);
            let mut changes = Vec::new();
            for _ in 0..1 + random.below(3) {
                let (one, other) = (place(random, &text), place(random, &text));
                let (start, end) = (one.min(other), one.max(other));
                // Most changes affect only a few characters, as in typing.
                let mut end = if random.once_in(4) { end } else { end.min(start + 3) };
                while !text.is_char_boundary(end) || text[..end].ends_with('\r') && text[end..].starts_with('\n') {
                    end += 1;
                }
                let new = if random.once_in(5) { "" } else { random.pick(PARTS) };
                let range = json!({ "start": position(&text, start, utf8), "end": position(&text, end, utf8) });
                changes.push(json!({ "range": range, "text": new }));
                text.replace_range(start..end, new);
                if text.len() > 4_000 {
                    text.clear();
                    changes.push(json!({ "text": "" }));
                }
            }
            client.change(Value::Array(changes));
            if random.once_in(20) {
                let all = json!({ "start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0} });
                let answers = |client: &mut Client| {
                    let tokens = client.about("semanticTokens/full", json!({}));
                    for request in ["formatting", "foldingRange"] {
                        client.about(request, json!({}));
                    }
                    let spot = position(&text, place(&mut Random::of(seed, &[7]), &text), utf8);
                    for request in ["hover", "completion", "definition", "references", "prepareRename"] {
                        client.about(request, json!({ "position": spot }));
                    }
                    client.about("codeAction", json!({ "range": { "start": spot, "end": spot }, "context": {} }));
                    (tokens, client.about("inlayHint", json!({ "range": all })))
                };
                let here = answers(&mut client);
                let found = client.diagnostics.clone();
                let mut fresh = Client::with(URI, &text, utf8);
                assert_eq!(here, answers(&mut fresh), "SEED={seed:#x} {text:?}");
                if !found.is_empty() {
                    assert_eq!(found, fresh.diagnostics, "SEED={seed:#x} {text:?}");
                }
            }
        }
    }
}

/// The lines from which the test builds both programs of a pair.
const LINES: &[&str] = &[
    "mov op, va0\n",
    "mov v0, va1\n",
    "mov v1.xy, va1\n",
    "mov v2, vc0\n",
    "mov oc, v0\n",
    "mov oc, v1\n",
    "mov ft0, v2\n",
    "ddx ft0, v0\n",
    "mov oc, ft0\n",
    "// agal 2 vertex\n",
    "tex oc, v0, fs0 <liniar>\n",
    "@",
];

#[test]
fn the_findings_of_a_pair_are_those_of_its_texts_whatever_is_changed() {
    let addresses = [URI.replace("frag", "vert"), URI.to_string()];
    let mut texts = [String::new(), String::new()];
    let opened = |texts: &[String; 2]| {
        let mut client = Client::with(&addresses[0], &texts[0], false);
        client.open(&addresses[1], &texts[1]);
        client.wait_for(2);
        client
    };
    let mut client = opened(&texts);
    for seed in Effort::of("CHANGES", 500).seeds() {
        let random = &mut Random::of(seed, &[2]);
        let which = random.below(2);
        // Most lines belong to the program's own stage.
        let from = if which == 0 || random.once_in(8) { 0 } else { 4 };
        texts[which] = (0..random.below(4)).map(|_| LINES[(from + random.below(6)) % LINES.len()]).collect();
        let (document, changes) = (json!({ "uri": addresses[which], "version": 2 }), json!([{ "text": texts[which] }]));
        client.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        client.wait_for(2);
        assert_eq!(client.found, opened(&texts).found, "SEED={seed:#x} {texts:?}");
    }
}

fn long(lines: usize) -> String {
    let mut text = String::from("// agal 3 fragment\nmov ft0, v0\n");
    for at in 0..lines - 3 {
        text += &format!("mul ft{}, ft{}, fc{}\n", (at + 1) % 8, at % 8, at % 30);
    }
    text + &format!("mov oc, ft{}\n", (lines - 3) % 8)
}

/// Returns the median time from a keystroke in the middle of the document until the findings for `documents` documents arrive.
fn keystroke(client: &mut Client, what: &str, documents: usize) -> Duration {
    let mut times: Vec<Duration> = Vec::new();
    for at in 0..60 {
        let spot = json!({ "line": 500 + at, "character": 3 });
        let start = Instant::now();
        client.change(json!([{ "range": { "start": spot, "end": spot }, "text": " " }]));
        client.wait_for(documents);
        times.push(start.elapsed());
    }
    times.sort();
    let median = times[times.len() / 2];
    println!("findings after a keystroke in {what}: median {median:?}, slowest {:?}", times[times.len() - 1]);
    median
}

/// The maximum median time, which allows for slow unoptimised builds and for a busy machine.
const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 100 });

#[test]
fn a_keystroke_in_a_thousand_lines_is_answered_soon() {
    let mut client = Client::of(&long(1_000));
    let median = keystroke(&mut client, "1,000 lines", 1);
    assert!(median < MOST, "{median:?}");
}

#[test]
fn a_keystroke_in_a_pair_of_a_thousand_lines_each_is_answered_soon() {
    let fragment = long(1_000);
    let mut client = Client::of(&fragment);
    let vertex = fragment.replace("fragment", "vertex").replace("ft", "vt").replace("fc", "vc");
    let vertex = vertex.replace("v0", "va0").replace("oc", "op") + "mov v0, va0\n";
    client.open(&URI.replace("frag", "vert"), &vertex);
    client.wait_for(2);
    assert!(client.found.values().all(Vec::is_empty), "{:?}", client.found);
    let median = keystroke(&mut client, "a pair of 1,000 lines each", 2);
    assert!(median < MOST, "{median:?}");
}
