// Starts the server, and prepares its settings. This module does not depend on VS Code, so that tests can use it.
"use strict";

const { spawn } = require("node:child_process");

/** The arguments of the command. */
const ARGUMENTS = ["lsp"];

/** The settings of the extension, which `get` reads by their names in package.json, without `agalc.`. */
function settingsOf(get) {
  return { path: get("path") || "agalc", profile: get("profile") || "" };
}

/** The settings for the server at its start. */
function initializationOptions({ profile }) {
  return { profile };
}

/** The settings for the server after a change, as the content of `workspace/didChangeConfiguration`. */
function changedSettings({ profile }) {
  return { settings: { agalc: { profile } } };
}

/** Starts the server; resolves to its process once it runs. Rejects with a message for the user. */
function start({ path }) {
  return new Promise((resolve, reject) => {
    const server = spawn(path, ARGUMENTS, { stdio: "pipe", windowsHide: true });
    server.once("error", (error) => reject(new Error(notStarted(path, error))));
    server.once("spawn", () => resolve(server));
  });
}

/** The reason why the server could not be started, and a remedy. */
function notStarted(path, { code, message }) {
  const what = {
    ENOENT: `The program \`${path}\` was not found.`,
    EACCES: `The program \`${path}\` could not be executed, because permission was denied.`,
  };
  return (
    `${what[code] ?? `The program \`${path}\` could not be started: ${message}.`} ` +
    "Install agalc (https://github.com/agalc/agalc), or set `agalc.path` to its location, and run the command " +
    "“AGAL: Restart the language server”."
  );
}

module.exports = { changedSettings, initializationOptions, settingsOf, start };
