// Packs the extension once for a test, and reads the package's contents.
"use strict";

const { execFile } = require("node:child_process");
const { mkdtemp, mkdir, readFile, writeFile } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");
const { promisify } = require("node:util");

const yauzl = require("yauzl");

const ROOT = join(__dirname, "..");

/** The files of a package, by their paths in it. */
function entries(path) {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const files = new Map();
      zip.on("error", reject);
      zip.on("end", () => resolve(files));
      zip.on("entry", (entry) => {
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          const parts = await stream.toArray().catch(reject);
          files.set(entry.fileName, Buffer.concat(parts ?? []));
          zip.readEntry();
        });
      });
      zip.readEntry();
    });
  });
}

/** Packs the extension as `npm run package` does, into a separate folder; returns its files and the folder with its contents. */
async function pack() {
  const folder = await mkdtemp(join(tmpdir(), "agalc-vscode-"));
  const path = join(folder, "agalc.vsix");
  const { stdout, stderr } = await promisify(execFile)("npm", ["run", "package", "--", "--out", path], { cwd: ROOT });
  const files = await entries(path);
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return { files, folder, said: stdout + stderr, at: (name) => join(folder, "extension", name) };
}

module.exports = { ROOT, pack, readJson: async (path) => JSON.parse(await readFile(path, "utf8")) };
