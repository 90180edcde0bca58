//! Tests of pairs: two programs in one document, and two documents whose names form a pair.

use serde_json::{Value, json};

use crate::client::Client;

const VERTEX: &str = "file:///a/x.vert.agal";
const FRAGMENT: &str = "file:///a/x.frag.agal";

/// Returns the codes of a document's findings with their line numbers, which count from 1.
fn found(client: &Client, uri: &str) -> Vec<(String, u64)> {
    let of = |one: &Value| {
        let line = one["range"]["start"]["line"].as_u64().expect("a line");
        (one["code"].as_str().expect("a code").to_string(), line + 1)
    };
    client.found.get(uri).expect("findings were sent").iter().map(of).collect()
}

fn one(code: &str, line: u64) -> Vec<(String, u64)> {
    vec![(code.to_string(), line)]
}

fn change(client: &mut Client, uri: &str, text: &str) {
    let document = json!({ "uri": uri, "version": 2 });
    let changes = json!([{ "text": text }]);
    client.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    client.wait_for(2);
}

fn open(client: &mut Client, uri: &str, text: &str, changed: usize) {
    client.open(uri, text);
    client.wait_for(changed);
}

fn pair(vertex: &str, fragment: &str) -> Client {
    let mut client = Client::with(VERTEX, vertex, false);
    open(&mut client, FRAGMENT, fragment, 2);
    client
}

fn hover(client: &mut Client, uri: &str, (line, character): (u32, u32)) -> String {
    let position = json!({ "line": line, "character": character });
    let hover = client.ask("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": position }));
    hover["contents"]["value"].as_str().unwrap_or("nothing").to_string()
}

#[test]
fn two_parts_of_a_text_have_the_findings_of_a_pair() {
    let text = "part a vertex\nmov op, va0\nmov v1, va1\nendpart\npart b fragment\nmov oc, v0\nendpart\n";
    let client = Client::with("file:///both.agal", text, false);
    let mut all = found(&client, "file:///both.agal");
    all.sort();
    assert_eq!(all, [("AGAL3632".to_string(), 6)], "`v0` is not written");
    let text = text.replace("v0", "v1").replace("mov oc, v1", "mov ft0, v1\nmov oc, ft0\nddx ft0, v1");
    // Both programs of the pair have the same version, as in `agalc link`, so `ddx`, which needs AGAL 2, causes no version
    // mismatch.
    let client = Client::with("file:///both.agal", &text, false);
    assert_eq!(found(&client, "file:///both.agal"), one("AGAL9001", 8));
}

#[test]
fn two_open_files_of_one_name_have_the_findings_of_a_pair() {
    let (vertex, fragment) = ("mov op, va0\nmov v0, va1\n", "mov oc, v0\n");
    let mut client = Client::with(VERTEX, vertex, false);
    assert!(found(&client, VERTEX).is_empty(), "alone it is right");
    open(&mut client, FRAGMENT, "mov oc, v1\n", 2);
    assert_eq!(found(&client, FRAGMENT), one("AGAL3632", 1), "`v1` is not written");
    change(&mut client, FRAGMENT, fragment);
    assert!(found(&client, FRAGMENT).is_empty() && found(&client, VERTEX).is_empty());
    change(&mut client, VERTEX, "mov op, va0\nmov v2, va1\n");
    assert_eq!(found(&client, FRAGMENT), one("AGAL3632", 1));
    change(&mut client, FRAGMENT, "mov oc, fc0\n");
    assert_eq!(
        (found(&client, VERTEX), found(&client, FRAGMENT)),
        (one("AGAL9002", 2), Vec::new()),
        "nobody reads `v2`"
    );
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": FRAGMENT } }));
    client.wait_for(2);
    assert!(found(&client, VERTEX).is_empty(), "alone again");
}

#[test]
fn files_of_other_names_are_no_pair() {
    let mut client = Client::with(VERTEX, "mov op, va0\n", false);
    for uri in ["file:///a/y.frag.agal", "file:///b/x.frag.agal"] {
        open(&mut client, uri, "mov oc, v0\n", 1);
        assert!(found(&client, uri).is_empty(), "{uri}");
    }
    // The fragment program has no partner if two vertex programs have the same name.
    open(&mut client, FRAGMENT, "mov oc, v0\n", 2);
    assert_eq!(found(&client, FRAGMENT), one("AGAL3632", 1));
    open(&mut client, "file:///a/x.vs.agal", "mov op, va0\n", 3);
    assert!(found(&client, FRAGMENT).is_empty());
}

#[test]
fn the_player_stops_once_in_a_pair() {
    let stops = |vertex: &str| {
        let client = pair(vertex, "mov oc, ft0\n");
        [VERTEX, FRAGMENT].map(|uri| {
            let all = client.found[uri].iter().filter_map(|one| one["message"].as_str());
            all.filter(|message| message.contains("the player stops here")).count()
        })
    };
    assert_eq!(stops("mov op, vt0\n"), [1, 0]);
    assert_eq!(stops("mov op, va0\n"), [0, 1]);
    // The bytecode cannot be read, because the player stops at its header.
    let zeros = " 00".repeat(24);
    assert_eq!(stops(&format!("a0 01 00 00 00 a1 07{zeros}\n")), [1, 0]);
}

#[test]
fn hover_tells_what_the_other_program_does_with_a_varying() {
    let mut client = pair("mov op, va0\nmov v0, va1\n", "mov oc, v0.xyxy\n");
    let shown = hover(&mut client, VERTEX, (1, 5));
    assert_eq!(shown, "`v0`: varying 0 of 0 to 7 in AGAL 1\n\nwritten in line 2\n\nthe fragment program reads `v0.xy`");
    let shown = hover(&mut client, FRAGMENT, (0, 8));
    let expected = "`v0`: varying 0 of 0 to 7 in AGAL 1\n\nread in line 1 (`v0.xy`)\n\nof this register, the outputs depend only on `v0.xy`\n\n\
                    the vertex program writes it";
    assert_eq!(shown, expected);
    change(&mut client, FRAGMENT, "mov oc, fc0\n");
    assert!(hover(&mut client, VERTEX, (1, 5)).ends_with("the fragment program does not read it"));
    change(&mut client, VERTEX, "mov op, va0\n");
    change(&mut client, FRAGMENT, "mov oc, v3\n");
    assert!(hover(&mut client, FRAGMENT, (0, 8)).ends_with("the vertex program does not write it"));
    let parts = "part a vertex\nmov op, va0\nmov v1, va1\nendpart\npart b fragment\nmov oc, v1.x\nendpart\n";
    open(&mut client, "file:///both.agal", parts, 1);
    let shown = hover(&mut client, "file:///both.agal", (2, 5));
    assert!(shown.ends_with("the fragment program reads `v1.x`"), "{shown}");
}
