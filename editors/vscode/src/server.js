// How the server is started, and what it is told. It does not know VS Code, so that tests use it too.
"use strict";

const { spawn } = require("node:child_process");

/** What the command is given. */
const ARGUMENTS = ["lsp"];

/** The settings of the extension, each read with `get`: their names are those of package.json, after `agalc.`. */
function settingsOf(get) {
  return { path: get("path") || "agalc", profile: get("profile") || "" };
}

/** What the server is told at its start. */
function initializationOptions({ profile }) {
  return { profile };
}

/** What the server is told when a setting changes, as the content of `workspace/didChangeConfiguration`. */
function changedSettings({ profile }) {
  return { settings: { agalc: { profile } } };
}

/** Starts the server; resolves to its process once it runs. Fails with a message for the user. */
function start({ path }) {
  return new Promise((resolve, reject) => {
    const server = spawn(path, ARGUMENTS, { stdio: "pipe", windowsHide: true });
    server.once("error", (error) => reject(new Error(notStarted(path, error))));
    server.once("spawn", () => resolve(server));
  });
}

/** Why the server could not be started, and what to do. */
function notStarted(path, { code, message }) {
  const what = {
    ENOENT: `The program \`${path}\` was not found.`,
    EACCES: `The program \`${path}\` may not be executed.`,
  };
  return (
    `${what[code] ?? `The program \`${path}\` could not be started: ${message}.`} ` +
    "Install agalc (https://github.com/agalc/agalc), or set `agalc.path` to where it is, and run the command " +
    "“AGAL: Restart the language server”."
  );
}

module.exports = { changedSettings, initializationOptions, settingsOf, start };
