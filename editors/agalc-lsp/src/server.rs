//! The server, which receives messages from a client and sends answers and diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::thread;

use agalc::Profile;
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use lsp_types::*;
use serde_json::{Value, json};

use crate::document::{Document, Encoding};
use crate::pairs::partners;
use crate::reading::Source;
use crate::{actions, completion, diagnostics, folding, format, hints, hover, names, tokens};

/// Serves one client on standard input and output.
///
/// # Errors
/// Returns the errors of [`serve`] and of the two streams.
pub fn serve_stdio() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (connection, client) = Connection::memory();
    let Connection { sender, receiver } = client;
    let reader = thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(message) = read(&mut input)? {
            let is_exit = matches!(&message, Message::Notification(notification) if notification.method == "exit");
            if sender.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    let writer = thread::spawn(move || {
        let mut output = io::stdout().lock();
        receiver.into_iter().try_for_each(|message| message.write(&mut output))
    });
    serve(&connection)?;
    drop(connection);
    for thread in [writer, reader] {
        let done: io::Result<()> = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        done?;
    }
    Ok(())
}

/// The maximum size of a message's body in bytes.
const LARGEST_MESSAGE: u64 = 64 << 20;
const LARGEST_HEADER: u64 = 4 << 10;

/// Reads a message, or returns `None` at the end of the input. Memory use grows with the bytes that arrive, not with the length
/// that the header states.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let (mut message, mut length) = (Vec::new(), 0);
    let mut head = input.take(LARGEST_HEADER);
    loop {
        let start = message.len();
        head.read_until(b'\n', &mut message)?;
        let line = String::from_utf8_lossy(message.get(start..).unwrap_or_default());
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap_or(u64::MAX);
            }
            Some(_) => {}
            None => break,
        }
    }
    if length > LARGEST_MESSAGE {
        return Err(io::Error::other(format!(
            "a message of {length} bytes is too large; the limit is {LARGEST_MESSAGE} bytes"
        )));
    }
    input.take(length).read_to_end(&mut message)?;
    Message::read(&mut message.as_slice())
}

/// Serves one client until it sends `exit` or disconnects.
///
/// # Errors
/// Fails if the client does not begin with `initialize` and `initialized`, or sends `exit` without `shutdown`.
pub fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    let (id, params) = match connection.initialize_start() {
        Err(error) if error.channel_is_disconnected() => return Ok(()),
        started => started?,
    };
    let mut server = Server::default();
    connection.initialize_finish(id, server.initialize(&params))?;
    let send = |messages: Vec<Notification>| messages.into_iter().all(|of| connection.sender.send(of.into()).is_ok());
    if !send(server.publish()) {
        return Ok(());
    }
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                // The answer is sent at once, but findings are sent only when no message is waiting.
                if connection.sender.send(server.answer(request).into()).is_err() {
                    return Ok(());
                }
            }
            Message::Notification(notification) if notification.method == "exit" => return Ok(()),
            Message::Notification(notification) => server.notice(notification),
            Message::Response(_) => {}
        }
        // Findings are not sent while messages are waiting, because the text may change again.
        if connection.receiver.is_empty() && !send(server.publish()) {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns the answer to `initialize`, which lists the server's capabilities.
fn initialized(encoding: Encoding) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": match encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
            },
            "textDocumentSync": { "openClose": true, "change": TextDocumentSyncKind::INCREMENTAL },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": [" ", ",", "<"] },
            "documentFormattingProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
            "inlayHintProvider": true,
            "codeActionProvider": { "codeActionKinds": [CodeActionKind::QUICKFIX] },
        },
        "serverInfo": { "name": "agalc", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// A language server without a connection, which receives and returns messages. [`serve`] connects a server to a client, and skips
/// the findings of a text that changes again immediately.
///
/// ```
/// use lsp_server::{Message, Request};
///
/// let mut server = agalc_lsp::Server::default();
/// let initialize = Request::new(1.into(), "initialize".into(), serde_json::json!({ "capabilities": {} }));
/// assert!(matches!(&server.handle(initialize.into())[..], [Message::Response(response)] if response.error.is_none()));
/// ```
#[derive(Debug, Default)]
pub struct Server {
    encoding: Encoding,
    /// The open documents, keyed by their addresses.
    documents: BTreeMap<String, Document>,
    /// The addresses of documents whose findings have not been sent yet.
    changed: BTreeSet<String>,
    /// The profile that all programs must fit; `None` if the client has set no profile.
    profile: Option<Profile>,
    /// Notifications to the client, other than findings, that have not been sent yet.
    messages: Vec<Notification>,
}

struct Refused(ErrorCode, String);

type Answer = Result<Value, Refused>;

impl Server {
    /// Handles a message from the client, and returns the messages to send: the answer to a request, and the findings of changed
    /// documents.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(Request { id, method, params }) if method == "initialize" => {
                let answer = Response::new_ok(id, self.initialize(&params));
                std::iter::once(answer.into()).chain(self.publish().into_iter().map(Message::from)).collect()
            }
            Message::Request(Request { id, method, .. }) if method == "shutdown" => {
                vec![Response::new_ok(id, Value::Null).into()]
            }
            Message::Request(request) => vec![self.answer(request).into()],
            Message::Notification(notification) => {
                self.notice(notification);
                self.publish().into_iter().map(Message::from).collect()
            }
            Message::Response(_) => Vec::new(),
        }
    }

    /// Reads the client's capabilities, and returns the server's capabilities.
    fn initialize(&mut self, params: &Value) -> Value {
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        self.encoding = match encodings.is_some_and(|list| list.iter().any(|one| one == "utf-8")) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        };
        self.configure(params.get("initializationOptions"));
        initialized(self.encoding)
    }

    fn answer(&self, request: Request) -> Response {
        match self.result(&request.method, request.params) {
            Ok(result) => Response::new_ok(request.id, result),
            Err(Refused(code, message)) => Response::new_err(request.id, code as i32, message),
        }
    }

    fn result(&self, method: &str, params: Value) -> Answer {
        match method {
            "textDocument/hover" => self.at(params, |document, offset| shown(hover::hover(document, offset))),
            "textDocument/completion" => {
                self.at(params, |document, offset| shown(completion::completion(document, offset)))
            }
            "textDocument/definition" => {
                let uri = address(&params);
                self.at(params, |document, offset| shown(location(document, &uri, names::definition(document, offset))))
            }
            "textDocument/references" => {
                let uri = address(&params);
                let with_declarations = params.pointer("/context/includeDeclaration") != Some(&Value::Bool(false));
                self.at(params, |document, offset| {
                    let is_wanted = |range: &Range<usize>| {
                        with_declarations || names::declarations(document).all(|declared| declared != *range)
                    };
                    let places = names::references(document, offset).into_iter().filter(is_wanted);
                    shown(places.map(|range| location(document, &uri, Some(range))).collect::<Vec<_>>())
                })
            }
            "textDocument/prepareRename" => self.at(params, |document, offset| {
                shown(names::name_at(document, offset).map(|range| document.range(range)))
            }),
            "textDocument/rename" => {
                let (uri, new) = (address(&params), params.get("newName").and_then(Value::as_str).map(str::to_string));
                let new = new.ok_or_else(|| invalid("newName is missing"))?;
                self.at(params, |document, offset| {
                    let edits = names::rename(document, offset, &new);
                    let edits = edits.map_err(|message| Refused(ErrorCode::RequestFailed, message))?;
                    Ok(json!({ "changes": { (uri.as_str()): edits } }))
                })
            }
            "textDocument/formatting" => self.of(&params, |document| shown(format::format(document))),
            "textDocument/foldingRange" => self.of(&params, |document| shown(folding::folding(document))),
            "textDocument/semanticTokens/full" => {
                self.of(&params, |document| Ok(json!({ "data": numbers(&tokens::tokens(document)) })))
            }
            "textDocument/inlayHint" => {
                let range = range_of(&params)?;
                self.of(&params, |document| shown(hints::hints(document, range)))
            }
            "textDocument/codeAction" => {
                let (uri, range) = (address(&params), range_of(&params)?);
                self.of(&params, |document| shown(self.actions(document, &uri, range)))
            }
            _ => Err(Refused(ErrorCode::MethodNotFound, format!("`{method}` is not supported"))),
        }
    }

    /// Answers a request about an open document.
    fn of(&self, params: &Value, answer: impl FnOnce(&Document) -> Answer) -> Answer {
        let uri = address(params);
        let document = self.documents.get(&uri).ok_or_else(|| invalid(&format!("`{uri}` is not open")))?;
        answer(document)
    }

    /// Answers a request about a position in an open document.
    fn at(&self, params: Value, answer: impl FnOnce(&Document, usize) -> Answer) -> Answer {
        let position = params.get("position").cloned().unwrap_or_default();
        let position: Position = serde_json::from_value(position).map_err(|error| invalid(&error.to_string()))?;
        self.of(&params, |document| answer(document, document.offset(position)))
    }

    fn actions(&self, document: &Document, uri: &str, range: lsp_types::Range) -> Vec<Value> {
        let range = document.offset(range.start)..document.offset(range.end);
        let Ok(address) = uri.parse::<Uri>() else { return Vec::new() };
        let all = diagnostics::diagnostics(document, &address);
        // If the document is refused as a whole, an error that is not a finding precedes the findings.
        let before = all.len().saturating_sub(document.analysis().findings.len());
        let found = actions::actions(document, range).into_iter();
        found
            .map(|action| {
                let edit = TextEdit { range: document.range(action.range.clone()), new_text: action.new_text };
                json!({
                    "title": action.title,
                    "kind": CodeActionKind::QUICKFIX,
                    "diagnostics": all.get(before + action.finding).into_iter().collect::<Vec<_>>(),
                    "edit": { "changes": { (uri): [edit] } },
                })
            })
            .collect()
    }

    fn notice(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(opened) = serde_json::from_value::<DidOpenTextDocumentParams>(params) else { return };
                let TextDocumentItem { uri, version, text, .. } = opened.text_document;
                let source = Source::new(file_of(uri.as_str()), text, self.profile);
                let document = Document::new(source, version, self.encoding);
                self.changed.insert(uri.as_str().to_string());
                self.documents.insert(uri.as_str().to_string(), document);
            }
            "textDocument/didChange" => {
                let Ok(changed) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else { return };
                let uri = changed.text_document.uri.as_str().to_string();
                let Some(document) = self.documents.get_mut(&uri) else { return };
                changed.content_changes.iter().for_each(|change| document.change(change));
                document.version = changed.text_document.version;
                self.changed.insert(uri);
            }
            "textDocument/didClose" => {
                let uri = address(&params);
                self.documents.remove(&uri);
                self.changed.insert(uri);
            }
            "workspace/didChangeConfiguration" => self.configure(params.get("settings")),
            _ => return,
        }
        self.pair_up();
    }

    /// Applies the client's settings, which may be nested under the server's name.
    fn configure(&mut self, settings: Option<&Value>) {
        let profile = match settings.and_then(stated) {
            None => return,
            Some(Ok(profile)) => profile,
            Some(Err(message)) => {
                let params = ShowMessageParams { typ: MessageType::WARNING, message };
                self.messages.push(Notification::new("window/showMessage".to_string(), params));
                return;
            }
        };
        if self.profile != profile {
            self.profile = profile;
            self.documents.values_mut().for_each(|document| document.set_profile(profile));
            self.changed.extend(self.documents.keys().cloned());
        }
    }

    /// Connects the documents of each pair. A change to one document of a pair also changes the findings of the other document.
    fn pair_up(&mut self) {
        let partners = partners(self.documents.keys());
        let sources: BTreeMap<String, Rc<Source>> = partners
            .into_iter()
            .filter_map(|(uri, partner)| Some((uri, self.documents.get(&partner)?.source())))
            .collect();
        for (uri, document) in &mut self.documents {
            if document.pair_with(sources.get(uri).cloned()) {
                self.changed.insert(uri.clone());
            }
        }
    }

    fn publish(&mut self) -> Vec<Notification> {
        let messages = std::mem::take(&mut self.messages).into_iter();
        let changed = std::mem::take(&mut self.changed).into_iter();
        messages
            .chain(changed.filter_map(|uri| {
                let address: Uri = uri.parse().ok()?;
                let document = self.documents.get(&uri);
                let found = document.map(|document| diagnostics::diagnostics(document, &address)).unwrap_or_default();
                let version = document.map(|document| document.version);
                let params = PublishDiagnosticsParams { uri: address, diagnostics: found, version };
                Some(Notification::new("textDocument/publishDiagnostics".to_string(), params))
            }))
            .collect()
    }
}

fn shown(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| Refused(ErrorCode::InternalError, error.to_string()))
}

fn invalid(message: &str) -> Refused {
    Refused(ErrorCode::InvalidParams, message.to_string())
}

fn address(params: &Value) -> String {
    params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default().to_string()
}

fn range_of(params: &Value) -> Result<lsp_types::Range, Refused> {
    let range = params.get("range").cloned().unwrap_or_default();
    serde_json::from_value(range).map_err(|error| invalid(&error.to_string()))
}

fn location(document: &Document, uri: &str, range: Option<Range<usize>>) -> Value {
    range.map_or(Value::Null, |range| json!({ "uri": uri, "range": document.range(range) }))
}

/// Encodes tokens for the protocol, with five numbers for each token.
fn numbers(tokens: &[SemanticToken]) -> Vec<u32> {
    let five =
        |of: &SemanticToken| [of.delta_line, of.delta_start, of.length, of.token_type, of.token_modifiers_bitset];
    tokens.iter().flat_map(five).collect()
}

fn file_of(uri: &str) -> String {
    uri.rsplit('/').next().unwrap_or_default().to_string()
}

/// Returns the profile in settings of the form `{"profile": "standard"}`, which may be nested under the server's name, `agalc`.
/// Returns `None` if the settings do not mention a profile. An empty string and null select no profile.
///
/// # Errors
/// Returns a message for the user if the profile does not exist.
fn stated(settings: &Value) -> Option<Result<Option<Profile>, String>> {
    let value = settings.pointer("/agalc/profile").or_else(|| settings.get("profile"))?;
    let name = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    if value.is_null() || name.is_empty() {
        return Some(Ok(None));
    }
    let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
    let known = || Profile::ALL.map(Profile::name).join(", ");
    Some(profile.map(Some).ok_or_else(|| format!("agalc: `{name}` is not a profile: use one of {}", known())))
}
