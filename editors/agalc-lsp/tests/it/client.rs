//! A client of the language server that runs in the same process.

use std::collections::BTreeMap;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, ProtocolError, Request, Response};
use serde_json::{Value, json};

pub(crate) const URI: &str = "file:///shaders/a.frag.agal";

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), ProtocolError>>>,
    last: i32,
    /// The findings that the server sent last.
    pub(crate) diagnostics: Vec<Value>,
    /// The last findings of each document, keyed by the document's address.
    pub(crate) found: BTreeMap<String, Vec<Value>>,
    /// The messages that the server has shown to the user.
    pub(crate) messages: Vec<Value>,
    pub(crate) capabilities: Value,
}

impl Client {
    /// Starts a client and opens a document. If `utf8` is true, positions count bytes.
    pub(crate) fn with(uri: &str, text: &str, utf8: bool) -> Client {
        let mut client = Client::start(utf8, Value::Null);
        client.open(uri, text);
        client.wait();
        client
    }

    /// Starts a client without documents, and passes options to the server.
    pub(crate) fn start(utf8: bool, options: Value) -> Client {
        let (server, connection) = Connection::memory();
        let server = Some(std::thread::spawn(move || agalc_lsp::serve(&server)));
        let (diagnostics, capabilities) = (Vec::new(), Value::Null);
        let (found, messages) = (BTreeMap::new(), Vec::new());
        let mut client = Client { connection, server, last: 0, diagnostics, found, messages, capabilities };
        let encodings = if utf8 { json!(["utf-8", "utf-16"]) } else { json!(["utf-16"]) };
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        client.capabilities = client.ask("initialize", params)["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    pub(crate) fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "agal", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn of(text: &str) -> Client {
        Client::with(URI, text, false)
    }

    pub(crate) fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_string(), params);
        self.connection.sender.send(notification.into()).expect("the server runs");
    }

    /// Returns the server's next message, and fails the test if no message arrives.
    fn receive(&self, expected: &str) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect(expected)
    }

    pub(crate) fn wait(&mut self) {
        loop {
            if let Message::Notification(notification) = self.receive("findings")
                && self.take(notification)
            {
                return;
            }
        }
    }

    pub(crate) fn wait_for(&mut self, documents: usize) {
        (0..documents).for_each(|_| self.wait());
    }

    pub(crate) fn wait_for_message(&mut self) {
        let before = self.messages.len();
        while self.messages.len() == before {
            match self.receive("a message") {
                Message::Notification(notification) => self.take(notification),
                other => panic!("a message is expected: {other:?}"),
            };
        }
    }

    /// Stores the contents of a notification, and returns whether the notification contains findings.
    fn take(&mut self, Notification { method, params }: Notification) -> bool {
        if method == "window/showMessage" {
            self.messages.push(params);
            return false;
        }
        assert_eq!(method, "textDocument/publishDiagnostics");
        self.diagnostics = params["diagnostics"].as_array().expect("a list").clone();
        let uri = params["uri"].as_str().expect("an address").to_string();
        self.found.insert(uri, self.diagnostics.clone());
        true
    }

    fn response(&mut self, method: &str, params: Value) -> Response {
        self.last += 1;
        let request = Request::new(self.last.into(), method.to_string(), params);
        self.connection.sender.send(request.into()).expect("the server runs");
        loop {
            match self.receive("an answer") {
                Message::Response(response) => return response,
                Message::Notification(notification) => {
                    self.take(notification);
                }
                Message::Request(request) => panic!("the server asks {}", request.method),
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response.error.is_none(), "{method}: {:?}", response.error);
        response.result.unwrap_or_default()
    }

    /// Sends a request that the server must refuse, and returns the code and the message of the error.
    pub(crate) fn refusal(&mut self, method: &str, params: Value) -> (i32, String) {
        let error = self.response(method, params).error.expect("a refusal");
        (error.code, error.message)
    }

    /// Sends a request about the document, with additional parameters.
    pub(crate) fn about(&mut self, request: &str, more: Value) -> Value {
        self.ask(&format!("textDocument/{request}"), params(more))
    }

    /// Sends a request about a position. The line and the character count from 0.
    pub(crate) fn at(&mut self, request: &str, (line, character): (u32, u32)) -> Value {
        self.about(request, json!({ "position": { "line": line, "character": character } }))
    }

    pub(crate) fn replace(&mut self, text: &str) {
        self.change(json!([{ "text": text }]));
        self.wait();
    }

    pub(crate) fn change(&mut self, changes: Value) {
        let document = json!({ "uri": URI, "version": 2 });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }
}

pub(crate) fn params(more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": URI } });
    for (key, value) in more.as_object().expect("parameters") {
        params[key] = value.clone();
    }
    params
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("a server");
        server.join().expect("the server does not panic").expect("the protocol is kept");
    }
}

/// Applies edits to a text whose lines end with LF. The edits must not overlap.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut lines = vec![0];
    lines.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let offset = |position: &Value| {
        let start = lines[position["line"].as_u64().expect("a line") as usize];
        let units = position["character"].as_u64().expect("a character") as usize;
        let mut passed = 0;
        let inside = text[start..].char_indices().find(|(_, c)| {
            let here = passed >= units;
            passed += c.len_utf16();
            here
        });
        inside.map_or(text.len(), |(at, _)| start + at)
    };
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    all.sort();
    let mut out = text.to_string();
    for (start, end, new) in all.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}
