// Starts the server as the extension does, and tests it over the protocol. AGALC is the path of the command `agalc`.
"use strict";

const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");

const { StreamMessageReader, StreamMessageWriter, createMessageConnection } = require("vscode-jsonrpc/node");

const server = require("../src/server.js");

const path = process.env.AGALC;
assert.ok(path, "AGALC is not set: it must be the path of the command `agalc`");

const uri = "file:///shaders/lit.frag.agal";
const settings = server.settingsOf((name) => ({ path, profile: "standard" })[name]);
let running, connection;
const told = [];
let arrived = () => {};

/** The next notification of a kind. */
async function next(method) {
  for (;;) {
    const at = told.findIndex((one) => one.method === method);
    if (at >= 0) return told.splice(at, 1)[0].params;
    await new Promise((resolve) => (arrived = resolve));
  }
}

before(async () => {
  running = await server.start(settings);
  connection = createMessageConnection(new StreamMessageReader(running.stdout), new StreamMessageWriter(running.stdin));
  connection.onNotification((method, params) => {
    told.push({ method, params });
    arrived();
  });
  connection.listen();
  const options = server.initializationOptions(settings);
  const { serverInfo } = await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: options,
  });
  assert.equal(serverInfo.name, "agalc");
  await connection.sendNotification("initialized", {});
});

after(async () => {
  await connection.sendRequest("shutdown");
  const left = new Promise((resolve) => running.once("exit", resolve));
  await connection.sendNotification("exit");
  assert.equal(await left, 0, "the server leaves when it is told to");
  connection.dispose();
});

const lengthHint = async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await connection.sendRequest("textDocument/inlayHint", { textDocument: { uri }, range });
  return hints.at(-1).label;
};

test("findings come back for an open document, and change with it", { timeout: 20_000 }, async () => {
  const document = { uri, languageId: "agal", version: 1, text: "tex ft0, v0, fs0 <2d,liniar>\nmov oc, ft0\n" };
  await connection.sendNotification("textDocument/didOpen", { textDocument: document });
  const { diagnostics } = await next("textDocument/publishDiagnostics");
  assert.deepEqual(diagnostics.map(({ code }) => code), ["AGAL9131"]);
  assert.match(diagnostics[0].message, /did you mean `linear`\?/);
  const range = { start: { line: 0, character: 23 }, end: { line: 0, character: 24 } };
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range, text: "n" }],
  });
  const changes = [{ text: "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0\n" }];
  await connection.sendNotification("textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: changes });
  let last;
  do {
    last = await next("textDocument/publishDiagnostics");
  } while (last.version !== 3);
  assert.deepEqual(last.diagnostics, []);
});

test("the profile is that of the setting, at the start and when it changes", { timeout: 20_000 }, async () => {
  assert.equal(await lengthHint(), "2 of 1024 tokens");
  const tell = (profile) =>
    connection.sendNotification("workspace/didChangeConfiguration", server.changedSettings({ ...settings, profile }));
  await tell("baseline");
  assert.equal(await lengthHint(), "2 of 200 tokens");
  await tell("nothing");
  assert.match((await next("window/showMessage")).message, /`nothing` is not a profile: use one of .*baseline/);
  await tell("");
  assert.equal(await lengthHint(), "2 of 200 tokens");
});

test("settings that are not there have defaults", () => {
  assert.deepEqual(server.settingsOf(() => undefined), { path: "agalc", profile: "" });
});

test("a program that is not there, or may not run, is explained", async () => {
  await assert.rejects(server.start({ path: "agalc-that-is-nowhere" }), /`agalc-that-is-nowhere` was not found/);
  await assert.rejects(server.start({ path: __filename }), /could not be executed/);
});
