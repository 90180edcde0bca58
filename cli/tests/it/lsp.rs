//! Starts `agalc lsp` as an editor does, and sends each supported request over the standard streams. The tests of the crate
//! `agalc-lsp` check the answers in detail.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn start() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agalc"));
    command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("agalc starts")
}

fn send(server: &mut Child, message: Value) {
    let text = message.to_string();
    let stdin = server.stdin.as_mut().expect("its input");
    write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
}

fn receive(output: &mut impl BufRead) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).expect("a header");
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a length"),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).expect("a message");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[test]
fn an_editor_is_served_over_the_standard_streams() {
    let mut server = start();
    let mut output = BufReader::new(server.stdout.take().expect("its output"));
    send(&mut server, json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    let answer = receive(&mut output);
    assert_eq!(answer["result"]["serverInfo"]["name"], "agalc");
    send(&mut server, json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let document = json!({ "uri": "file:///a.agal", "languageId": "agal", "version": 1, "text": "moc oc, v0" });
    send(
        &mut server,
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    );
    let found = receive(&mut output);
    assert_eq!(found["params"]["diagnostics"][0]["code"], "AGAL9101");
    send(&mut server, json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    assert_eq!(receive(&mut output)["id"], 2);
    send(&mut server, json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(server.wait().expect("it ends").success());
}

#[test]
fn a_message_that_is_too_large_is_refused_before_it_is_read() {
    for length in ["3000000000", "1000000000000", "-1"] {
        let mut server = start();
        let head = format!("Content-Length: {length}\r\n\r\n{{");
        server.stdin.take().expect("its input").write_all(head.as_bytes()).expect("the server reads");
        let ended = server.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success() && said.contains("bytes is too large; the limit is 67108864 bytes"), "{said}");
    }
}

#[test]
fn a_head_without_end_is_refused() {
    let mut server = start();
    let head = "X-Header: y\r\n".repeat(1000);
    // The server may exit before it has read all input.
    let _ = server.stdin.take().expect("its input").write_all(head.as_bytes());
    let ended = server.wait_with_output().expect("it ends");
    assert!(!ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

const MACROS: &str = "alias v0, uv\nalias fc0, tint\nmacro Tinted(a) {\n    out = a * tint\n}\noc = Tinted(uv)\n";
const PLAIN: &str = "// agal 1 fragment\ntex ft0 ,v0,fs0 <2d>\nmov ft1, v1\nmov oc, ft0\n";

#[test]
fn each_request_is_answered_over_the_standard_streams() {
    let mut server = start();
    let mut output = BufReader::new(server.stdout.take().expect("its output"));
    let (mut id, mut found) = (0, Vec::new());
    let mut ask = |server: &mut Child, method: &str, params: Value| {
        id += 1;
        send(server, json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = receive(&mut output);
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
            found.push(message["params"].clone());
        }
    };
    ask(&mut server, "initialize", json!({ "capabilities": {} }));
    send(&mut server, json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    for (uri, text) in [("file:///macros.agal", MACROS), ("file:///plain.frag.agal", "")] {
        let document = json!({ "uri": uri, "languageId": "agal", "version": 1, "text": text });
        let params = json!({ "textDocument": document });
        send(&mut server, json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params }));
    }
    let document = json!({ "uri": "file:///plain.frag.agal", "version": 2 });
    let start = json!({ "line": 0, "character": 0 });
    let params = json!({ "textDocument": document, "contentChanges": [{ "range": { "start": start, "end": start }, "text": PLAIN }] });
    send(&mut server, json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }));

    let all = json!({ "start": start, "end": { "line": 9, "character": 0 } });
    // Each row consists of a document, a request, further parameters of the request, and part of the expected answer.
    let (macros, plain) = ("file:///macros.agal", "file:///plain.frag.agal");
    let at = |line: u32, character: u32| json!({ "position": { "line": line, "character": character } });
    let rows = [
        (plain, "hover", at(1, 1), "one token"),
        (plain, "hover", at(3, 8), "read in line 4"),
        (plain, "completion", at(3, 1), "mul"),
        (plain, "formatting", json!({ "options": { "tabSize": 4, "insertSpaces": true } }), "newText"),
        (plain, "semanticTokens/full", json!({}), "\"data\":[0,0,"),
        (plain, "inlayHint", json!({ "range": all }), "3 of 200 tokens"),
        (plain, "codeAction", json!({ "range": all, "context": { "diagnostics": [] } }), "newText"),
        (macros, "definition", at(5, 6), "\"line\":2"),
        (macros, "references", at(2, 7), "\"line\":5"),
        (macros, "prepareRename", at(1, 11), "\"character\":11"),
        (macros, "rename", json!({ "position": { "line": 1, "character": 11 }, "newName": "colour" }), "colour"),
        (macros, "foldingRange", json!({}), "\"endLine\":4"),
    ];
    for (uri, request, mut params, expected) in rows {
        params["textDocument"] = json!({ "uri": uri });
        let answer = ask(&mut server, &format!("textDocument/{request}"), params).to_string();
        assert!(answer.contains(expected), "{request}: {answer}");
    }
    ask(&mut server, "shutdown", Value::Null);
    let last = found.iter().rfind(|found| found["uri"] == plain).expect("findings");
    assert_eq!(last["diagnostics"][0]["range"]["start"]["line"], 2, "{last}");
    send(&mut server, json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(server.wait().expect("it ends").success());
}

#[test]
fn the_end_of_the_input_ends_the_server() {
    let mut server = start();
    drop(server.stdin.take());
    assert!(server.wait().expect("it ends").success());
}

#[test]
fn what_is_no_message_is_an_error() {
    let mut server = start();
    server.stdin.take().expect("its input").write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it reads");
    let ended = server.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("language server protocol"), "{said}");
}
