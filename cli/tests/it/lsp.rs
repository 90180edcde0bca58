//! `agalc lsp` as an editor starts it. The crate `lsp` tests what it answers.

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
