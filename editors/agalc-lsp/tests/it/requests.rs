//! Tests of each request that the server supports.

use serde_json::{Value, json};

use crate::client::{Client, URI, edited, params};

const TINTED: &str = "// agal 2 fragment\n// fc0 = tint\ntex ft0, v0, fs0 <2d,linear>\nmul ft1, ft0, fc0\nifg ft1.x, fc1.x\n\
                      mov ft1.xy, fc1.yz\neif\nmov oc, ft1\n";

const MACROS: &str = "alias v0, uv\nalias fc0, tint\n\nmacro Tinted(a) {\n    out = a * tint\n}\n\nft0 = tex<2d,linear>(uv, fs0)\n\
                      ft1 = Tinted(ft0)\noc = Tinted(ft1)\n";

fn codes(client: &Client) -> Vec<&str> {
    client.diagnostics.iter().map(|one| one["code"].as_str().expect("a code")).collect()
}

fn markdown(hover: &Value) -> &str {
    hover["contents"]["value"].as_str().unwrap_or("nothing")
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().map(|item| item["label"].as_str().expect("a label")).collect()
}

#[test]
fn findings_are_sent_with_their_place_number_and_help() {
    let mut client = Client::of("tex ft0, v0, fs0 <2d,liniar>\nmov oc, ft0\n");
    assert_eq!(codes(&client), ["AGAL9131"]);
    let found = &client.diagnostics[0];
    assert_eq!(found["range"], json!({"start": {"line": 0, "character": 21}, "end": {"line": 0, "character": 27}}));
    assert_eq!(
        found["message"],
        "`liniar` is not a sampler option and is read as a bias of 0; options that are not given default to 2d, nearest, nomip, clamp\nhelp: did you mean `linear`?"
    );
    assert_eq!(found["severity"], 2);
    client.replace("mov ft0, v0\nmov oc, v1\n");
    assert_eq!(codes(&client), ["AGAL9001"]);
    assert_eq!((&client.diagnostics[0]["severity"], &client.diagnostics[0]["tags"]), (&json!(2), &json!([1])));
    client.replace("@vertex fn main() {}\n");
    assert!(client.diagnostics[0]["message"].as_str().expect("a message").contains("is WGSL"));
    client.replace("");
    assert!(client.diagnostics.is_empty());
}

#[test]
fn a_place_in_a_macro_names_the_call() {
    let client = Client::of("alias fc0, tint\nmacro Wrong(a) {\n    mov ft0, nothing\n}\nWrong(tint)\nmov oc, ft0\n");
    let related = &client.diagnostics[0]["relatedInformation"][0];
    assert_eq!(related["location"]["range"]["start"], json!({"line": 4, "character": 0}));
    assert_eq!(client.diagnostics[0]["range"]["start"]["line"], 2);
}

#[test]
fn the_name_of_a_file_tells_the_stage_where_the_text_does_not() {
    let client = Client::with("file:///a.frag.agal", "mul v0, v0, v0\n", false);
    assert!(codes(&client).iter().all(|code| *code != "AGAL9107"), "{:?}", client.diagnostics);
    let client = Client::with("file:///a.agal", "mul v0, v0, v0\n", false);
    assert_eq!(codes(&client), ["AGAL9107"]);
}

#[test]
fn hover_says_what_an_opcode_computes_and_where_a_register_is_used() {
    let mut client = Client::of(TINTED);
    let opcode = client.at("hover", (3, 1));
    assert_eq!(
        markdown(&opcode),
        "```agal\nmul d, a, b\n```\nd = a * b, by component\n\nAGAL 1 and later, vertex and fragment programs; one token"
    );
    assert_eq!(opcode["range"], json!({"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 3}}));
    let register = client.at("hover", (5, 5));
    let expected = "`ft1`: temporary 1 of 0 to 25 in AGAL 2\n\nwritten in lines 4, 6 (`ft1.xy`)\n\nread in lines 5 (`ft1.x`), 8\n\n\
                    read again after this line";
    assert_eq!(markdown(&register), expected);
    let constant = client.at("hover", (3, 15));
    assert_eq!(markdown(&constant), "`fc0`: constant 0 of 0 to 63 in AGAL 2\n\n`fc0 = tint`\n\nread in line 4");
    assert_eq!(markdown(&client.at("hover", (2, 23))), "`linear`: interpolates between texels");
    assert!(client.at("hover", (1, 3)).is_null());
    client.replace(MACROS);
    assert_eq!(markdown(&client.at("hover", (4, 15))), "`tint` is `fc0`");
    assert_eq!(markdown(&client.at("hover", (8, 8))), "```agal\nmacro Tinted(a)\n```");
}

/// Returns a register's hover text, except for the first paragraph and the lists of the lines that read or write the register.
fn held(text: &str, place: (u32, u32)) -> String {
    let mut client = Client::of(text);
    let hover = client.at("hover", place);
    let lines = markdown(&hover).split("\n\n").skip(1);
    let held = lines.filter(|line| !line.starts_with("read in") && !line.starts_with("written in"));
    held.collect::<Vec<_>>().join("; ")
}

#[test]
fn hover_says_which_components_of_what_is_given_have_an_effect() {
    let text = "mul ft0, v0.xyzw, fc0.xxyy\nmov oc, ft0.xyxy\nmov ft1, v1\n";
    assert_eq!(held(text, (0, 9)), "of this register, the outputs depend only on `v0.xy`");
    assert_eq!(held(text, (0, 18)), "of this register, the outputs depend only on `fc0.x`");
    assert_eq!(held(text, (2, 9)), "no output of the program depends on `v1`");
    assert_eq!(held("mov oc, v0\n", (0, 8)), "", "all of them");
    assert_eq!(held("kil v0.w\nmov oc, fc0\n", (0, 4)), "of this register, the outputs depend only on `v0.w`");
    let vertex = "// agal 1 vertex\nmov vt0, vc[va1.x+2]\nmul vt0, vt0, vc5\nmov op, vt0\n";
    assert_eq!(held(vertex, (1, 12)), "of this register, the outputs depend only on `va1.x`");
    assert_eq!(held(vertex, (2, 14)), "an indexed read may reach any constant");
    let eif = "ifg v0.x, v0.y\nmov ft0, v1\neif\nmov oc, fc0\n";
    assert_eq!(held(&format!("// agal 2 fragment\n{eif}"), (1, 4)), "no output of the program depends on `v0`");
}

#[test]
fn hover_says_which_components_of_an_output_are_not_written() {
    assert_eq!(held("mov oc.xyz, v0\n", (0, 4)), "`oc.w` is not written");
    assert_eq!(held("mov oc, v0\n", (0, 4)), "");
    let path = "// agal 2 fragment\nmov oc.xyz, v0\nifg v0.x, v0.y\nmov oc.w, v0\neif\n";
    assert_eq!(held(path, (1, 4)), "`oc.w` is not written on every path");
    assert_eq!(held("// agal 2 fragment\nmov oc, v0\nmov od.x, v0\n", (2, 4)), "", "the depth is one component");
    let vertex = "// agal 1 vertex\nmov op, va0\nmov v0.xy, va1\nnrm v1.xyz, va1\n";
    assert_eq!(held(vertex, (2, 4)), "`v0.zw` is not written");
    assert_eq!(held(vertex, (3, 4)), "`v1.w` is not written");
}

#[test]
fn hover_says_where_a_register_is_read_last() {
    let text = format!("{}mov oc, ft0\n", "mov ft0, v0\n".repeat(12));
    let mut client = Client::of(&text);
    let shown = client.at("hover", (0, 9));
    assert!(
        markdown(&shown).contains("read in lines 1, 2, 3, 4, 5, 6, 7, 8 and 4 more, the last in line 12"),
        "{shown}"
    );
}

#[test]
fn completion_offers_what_fits_the_place() {
    let mut client = Client::of(TINTED);
    let first = client.at("completion", (3, 1));
    assert!(labels(&first).contains(&"mul") && labels(&first).contains(&"kil"), "{first}");
    assert!(!labels(&first).contains(&"tld"), "no opcode of the other stage: {first}");
    let operand = client.at("completion", (3, 9));
    for expected in ["ft0", "ft1", "ft2", "fc0", "fc1", "fc2", "v0", "v1", "oc", "fs0"] {
        assert!(labels(&operand).contains(&expected), "{expected}: {operand}");
    }
    assert!(!labels(&operand).contains(&"va0") && !labels(&operand).contains(&"mul"));
    assert!(labels(&client.at("completion", (2, 21))).contains(&"miplinear"));
    assert!(labels(&client.at("completion", (1, 6))).is_empty(), "nothing in a comment");
    client.replace(MACROS);
    assert!(labels(&client.at("completion", (8, 6))).contains(&"Tinted"));
}

#[test]
fn formatting_puts_operands_in_columns_and_keeps_the_program() {
    let text = "// agal 2 fragment\ntex   ft0 ,v0,fs0   <2d,linear>  // the texel\nifg ft0.x,fc0.x   \nmul ft0,ft0,fc1\n\
                els\nmul ft0.xyz, ft0, fc2\n  eif\nmov oc , ft0\n";
    let mut client = Client::of(text);
    let edits = client.about("formatting", json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
    let expected = "// agal 2 fragment\ntex ft0,     v0,  fs0 <2d,linear> // the texel\nifg ft0.x,   fc0.x\n  mul ft0,     ft0, fc1\n\
                    els\n  mul ft0.xyz, ft0, fc2\neif\nmov oc,      ft0\n";
    assert_eq!(edited(text, &edits), expected);
    client.replace(expected);
    assert_eq!(client.about("formatting", json!({})), json!([]), "what is formatted stays as it is");
    client.replace("mov  oc, nothing\n");
    assert_eq!(client.about("formatting", json!({})), json!([]), "a text with errors stays as it is");
}

#[test]
fn names_of_the_macro_language_are_found_and_renamed() {
    let mut client = Client::of(MACROS);
    let place = |line: u32, character: u32| json!({"line": line, "character": character});
    assert_eq!(client.at("definition", (4, 14))["range"]["start"], place(1, 11));
    assert_eq!(client.at("definition", (8, 6))["range"]["start"], place(3, 6));
    assert!(client.at("definition", (8, 0)).is_null(), "a register has none");
    assert_eq!(client.at("references", (3, 7)).as_array().expect("a list").len(), 3);
    let without = json!({ "position": place(3, 7), "context": { "includeDeclaration": false } });
    assert_eq!(client.about("references", without).as_array().expect("a list").len(), 2);
    assert_eq!(client.at("prepareRename", (1, 11))["start"], place(1, 11));
    let renamed = client.about("rename", json!({ "position": place(4, 14), "newName": "colour" }));
    let text = edited(MACROS, &renamed["changes"][URI]);
    assert_eq!(text, MACROS.replace(", tint", ", colour").replace("* tint", "* colour"));
    for (name, reason) in [
        ("mul", "opcode"),
        ("uv", "already"),
        ("ft3", "not a valid name"),
        ("a b", "not a valid name"),
        ("a", "already"),
    ] {
        let asked = params(json!({ "position": place(4, 14), "newName": name }));
        let (_, message) = client.refusal("textDocument/rename", asked);
        assert!(message.contains(reason), "{name}: {message}");
    }
    let asked = params(json!({ "position": place(7, 1), "newName": "colour" }));
    assert!(client.refusal("textDocument/rename", asked).1.contains("only aliases"));
}

#[test]
fn conditionals_macros_directives_and_comments_are_folded() {
    let mut client = Client::of(TINTED);
    let folded = |answer: Value| -> Vec<(u64, u64)> {
        let ranges = answer.as_array().expect("a list").clone();
        ranges.iter().map(|one| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap())).collect()
    };
    assert_eq!(folded(client.about("foldingRange", json!({}))), [(0, 1), (4, 5)]);
    client.replace(&format!("#if A\n{MACROS}#else\nmov oc, v0\n\n#endif\n"));
    assert_eq!(folded(client.about("foldingRange", json!({}))), [(0, 10), (4, 6), (11, 14)]);
}

/// The test fails if a field of the capabilities is missing, is misspelt or has the wrong type.
#[test]
fn the_capabilities_have_the_fields_of_the_protocol() {
    let capabilities = Client::of("mov oc, v0\n").capabilities.clone();
    let known: lsp_types::ServerCapabilities = serde_json::from_value(capabilities.clone()).expect("capabilities");
    assert_eq!(serde_json::to_value(&known).expect("JSON"), capabilities);
    let fields: Vec<&String> = capabilities.as_object().expect("an object").keys().collect();
    let expected = [
        "codeActionProvider",
        "completionProvider",
        "definitionProvider",
        "documentFormattingProvider",
        "foldingRangeProvider",
        "hoverProvider",
        "inlayHintProvider",
        "positionEncoding",
        "referencesProvider",
        "renameProvider",
        "semanticTokensProvider",
        "textDocumentSync",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn semantic_tokens_tell_words_apart() {
    let mut client = Client::of("// é\nmov oc, v0.xyz\n");
    let legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let data = client.about("semanticTokens/full", json!({}))["data"].clone();
    let data: Vec<u64> = data.as_array().expect("numbers").iter().map(|one| one.as_u64().expect("a number")).collect();
    let shown: Vec<(u64, u64, u64, &str)> =
        data.chunks(5).map(|one| (one[0], one[1], one[2], legend[one[3] as usize].as_str().expect("a kind"))).collect();
    let expected =
        [(0, 0, 4, "comment"), (1, 0, 3, "keyword"), (0, 4, 2, "type"), (0, 4, 2, "parameter"), (0, 3, 3, "property")];
    assert_eq!(shown, expected);
}

#[test]
fn hints_show_live_temporaries_and_the_length() {
    let mut client = Client::of(TINTED);
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}});
    let hints = client.about("inlayHint", json!({ "range": all }));
    let shown: Vec<(u64, &str)> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|hint| (hint["position"]["line"].as_u64().expect("a line"), hint["label"].as_str().expect("a label")))
        .collect();
    assert_eq!(shown, [(2, "1 live"), (7, "0 live"), (7, "6 of 1024 tokens")]);
    let line = json!({"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}});
    assert_eq!(client.about("inlayHint", json!({ "range": line })).as_array().expect("a list").len(), 1);
}

/// Returns the code actions for a text, each with the text that it produces.
fn corrected(text: &str) -> Vec<(String, String)> {
    let mut client = Client::with(URI, text, false);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let actions = client.about("codeAction", json!({ "range": range, "context": { "diagnostics": [] } }));
    let actions = actions.as_array().expect("a list").clone();
    let all = actions.iter().map(|action| {
        assert!(action["diagnostics"][0]["code"].is_string(), "{action}");
        (action["title"].as_str().expect("a title").to_string(), edited(text, &action["edit"]["changes"][URI]))
    });
    all.collect()
}

#[test]
fn actions_do_what_the_help_says() {
    let cases = [
        ("tex oc, v0, fs0 <2d,liniar>\n", "tex oc, v0, fs0 <2d,linear>\n"),
        ("moc oc, v0\n", "mov oc, v0\n"),
        ("normalize ft0.xyz, v0\nmov ft0.w, v0\nmov oc, ft0\n", "nrm ft0.xyz, v0\nmov ft0.w, v0\nmov oc, ft0\n"),
        ("mov ft0, v0\nmov oc, v0\n", "mov oc, v0\n"),
        ("mov oc, v0\neif\n", "mov oc, v0\n"),
        (
            "mov ft0, v0\nifg v0.x, v0.y\nmov ft0, v1\nmov oc, ft0\n",
            "mov ft0, v0\nifg v0.x, v0.y\nmov ft0, v1\nmov oc, ft0\neif\n",
        ),
        ("mov oc, v0 # a\n", "mov oc, v0 // a\n"),
    ];
    for (before, after) in cases {
        let found = corrected(before);
        assert!(found.iter().any(|(_, text)| text == after), "{before}: {found:?}");
    }
    let mut client = Client::with("file:///a.agal", "mov v0, v0\n", false);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let asked =
        json!({ "textDocument": { "uri": "file:///a.agal" }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", asked);
    let edits = &actions[0]["edit"]["changes"]["file:///a.agal"];
    assert_eq!(edited("mov v0, v0\n", edits), "// agal 1 vertex\nmov v0, v0\n");
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let mut client = Client::of(TINTED);
    assert_eq!(client.refusal("textDocument/implementation", params(json!({}))).0, -32601);
    let other = json!({ "textDocument": { "uri": "file:///other.agal" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(client.refusal("textDocument/hover", other).0, -32602);
    assert_eq!(client.refusal("textDocument/hover", params(json!({ "position": "here" }))).0, -32602);
    client.tell("textDocument/didChange", json!({ "nonsense": true }));
    client.tell("textDocument/didClose", params(json!({})));
    client.wait();
    assert!(client.diagnostics.is_empty(), "a closed document has no findings");
    let asked = params(json!({ "position": { "line": 0, "character": 0 } }));
    assert_eq!(client.refusal("textDocument/hover", asked).0, -32602);
}

#[test]
fn a_text_that_is_too_large_is_said_to_be_and_is_not_read() {
    let line = "mov ft0, v0 // a line\n";
    let mut client = Client::of(&line.repeat((1 << 20) / line.len() + 1));
    let message = client.diagnostics[0]["message"].as_str().expect("a message");
    assert!(message.starts_with("the text has 1048"), "{message}");
    client.replace("mov ft0, v0\nmov oc, v1\n");
    assert_eq!(codes(&client), ["AGAL9001"]);
}
