//! Tests of the client's settings: the initial profile, and later changes of the profile.

use serde_json::{Value, json};

use crate::client::{Client, URI};

fn hint(client: &mut Client) -> (String, String) {
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}});
    let hints = client.about("inlayHint", json!({ "range": all }));
    let last = hints.as_array().expect("a list").last().expect("the length").clone();
    let text = |field: &str| last[field].as_str().expect("a text").to_string();
    (text("label"), text("tooltip"))
}

fn configure(client: &mut Client, settings: Value) {
    client.tell("workspace/didChangeConfiguration", json!({ "settings": settings }));
}

fn codes(client: &Client) -> Vec<&str> {
    client.diagnostics.iter().map(|one| one["code"].as_str().expect("a code")).collect()
}

fn started(options: Value, text: &str) -> Client {
    let mut client = Client::start(false, options);
    client.open(URI, text);
    client.wait();
    client
}

#[test]
fn the_length_is_counted_against_the_profile() {
    let text = "mov ft0, v0\nmov oc, ft0\n";
    let mut client = started(json!({ "profile": "standard" }), text);
    assert_eq!(hint(&mut client), ("2 of 1024 tokens".into(), "AGAL 2 in profile standard allows 1024 tokens".into()));
    let mut client = started(Value::Null, text);
    assert_eq!(hint(&mut client).0, "2 of 200 tokens", "without a profile, the limit of the version");
    configure(&mut client, json!({ "agalc": { "profile": "baselineConstrained" } }));
    let tip = "AGAL 1 in profile baselineConstrained allows 200 tokens; on a device, the program needs about 2 of 64 arithmetic instructions, \
               0 of 32 texture instructions, 0 of 4 dependent texture reads";
    assert_eq!(hint(&mut client), ("2 of 200 tokens".into(), tip.into()));
    // The editor Helix sends only the server's settings, without the key `agalc`.
    configure(&mut client, json!({ "profile": "enhanced" }));
    assert_eq!(hint(&mut client).0, "2 of 2048 tokens");
    for nothing in [json!({}), json!({ "agalc": {} }), Value::Null, json!({ "other": { "profile": "baseline" } })] {
        configure(&mut client, nothing);
        assert_eq!(hint(&mut client).0, "2 of 2048 tokens", "it stays as it is");
    }
    // The AGAL version that a program states has its own token limit, which may be lower than the profile's limit.
    client.replace(&format!("// agal 2 fragment\n{text}"));
    assert_eq!(hint(&mut client).0, "2 of 1024 tokens");
    configure(&mut client, json!({ "agalc": { "profile": "" } }));
    assert_eq!(hint(&mut client).0, "2 of 1024 tokens");
}

#[test]
fn programs_are_judged_by_the_profile() {
    let mut client = started(json!({ "profile": "baseline" }), "// agal 2 fragment\nmov oc, v0\n");
    assert_eq!(codes(&client), ["AGAL3725"]);
    configure(&mut client, json!({ "agalc": { "profile": "standard" } }));
    client.wait();
    assert_eq!(codes(&client), Vec::<&str>::new());
    configure(&mut client, json!({ "agalc": { "profile": "standardConstrained" } }));
    client.wait();
    client.replace("// agal 2 fragment\nmov oc, v9\n");
    assert_eq!(codes(&client), ["AGAL3657"]);
    let hover = client.at("hover", (1, 8));
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("`v9`: varying 9 of 0 to 7 in profile standardConstrained"), "{shown}");
    configure(&mut client, json!({ "agalc": { "profile": null } }));
    client.wait();
    assert_eq!(codes(&client), Vec::<&str>::new(), "no profile");
}

#[test]
fn an_unknown_profile_is_answered_with_those_that_are_known() {
    let known =
        "baselineConstrained, baseline, baselineExtended, standardConstrained, standard, standardExtended, enhanced";
    let mut client = started(json!({ "profile": "standart" }), "mov oc, v0\n");
    let expected = json!({ "type": 2, "message": format!("agalc: `standart` is not a profile: use one of {known}") });
    assert_eq!(client.messages, [expected]);
    assert_eq!(hint(&mut client).0, "1 of 200 tokens");
    configure(&mut client, json!({ "agalc": { "profile": "standard" } }));
    configure(&mut client, json!({ "agalc": { "profile": 7 } }));
    client.wait_for_message();
    assert_eq!(hint(&mut client).0, "1 of 1024 tokens", "the profile stays");
    assert!(client.messages[1]["message"].as_str().expect("a text").starts_with("agalc: `7` is not a profile"));
}
