// The extension: starts `agalc lsp` for AGAL documents, and restarts it on command or when `agalc.path` changes.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const server = require("./server.js");

/** The running client, if the server could be started. */
let client;
/** The last change of the client's state. Each change waits for the previous one. */
let pending = Promise.resolve();

function settings() {
  const section = workspace.getConfiguration("agalc");
  return server.settingsOf((name) => section.get(name));
}

async function startClient() {
  // The first process is started here, so that an error in the path is reported only once, with a clear message.
  let first = await server.start(settings());
  const serverOptions = async () => {
    const process = first ?? (await server.start(settings()));
    first = undefined;
    return process;
  };
  client = new LanguageClient("agalc", "AGAL", serverOptions, {
    documentSelector: [{ language: "agal" }],
    initializationOptions: () => server.initializationOptions(settings()),
  });
  await client.start();
}

async function stopClient() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function explain(error) {
  const open = "Open the setting";
  if ((await window.showErrorMessage(error.message, open)) === open) {
    await commands.executeCommand("workbench.action.openSettings", "agalc.path");
  }
}

function restart() {
  const next = async () => {
    // Stopping fails if the server has already ended.
    await stopClient().catch(() => {});
    await startClient();
  };
  // The message stays until the user answers it; the next start does not wait for the answer.
  pending = pending.then(next).catch((error) => void explain(error));
  return pending;
}

function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("agalc.restart", restart),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("agalc.path")) {
        return restart();
      }
      if (event.affectsConfiguration("agalc.profile")) {
        return client?.sendNotification("workspace/didChangeConfiguration", server.changedSettings(settings()));
      }
    }),
  );
  return restart();
}

function deactivate() {
  pending = pending.then(stopClient);
  return pending;
}

module.exports = { activate, deactivate };
