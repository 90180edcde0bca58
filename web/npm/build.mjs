// `node build.mjs FOLDER` builds dist/ from src/ and from FOLDER, which contains the output of wasm-bindgen and wasm-opt. Each entry
// point is written as an ES module for browsers, and as an ES module and a CommonJS module for node.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node build.mjs FOLDER");
const from = (name) => readFileSync(new URL(`src/${name}`, import.meta.url), "utf8");
const dist = new URL("dist/", import.meta.url);
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const write = (name, text) => writeFileSync(new URL(name, dist), text);

/** Converts an ES module to CommonJS, in which a module knows its path instead of its URL. */
const url = 'const here = require("node:url").pathToFileURL(__filename).href;\n';
function common(text) {
  const renamed = text.replace(/from "\.\/([\w.]+)\.m?js"/g, 'from "./$1.cjs"');
  const { code } = transformSync(renamed, { format: "cjs", platform: "node", define: { "import.meta.url": "here" } });
  return /\bhere\b/.test(code) ? url + code : code;
}

write("common.mjs", from("common.mjs"));
write("common.cjs", common(from("common.mjs")));
for (const [entry, wasm] of [["index", "agalc"], ["executor", "executor"], ["extract", "extract"]]) {
  const api = from(`${entry}.mjs`);
  const glue = readFileSync(join(folder, `${wasm}.js`), "utf8");
  cpSync(join(folder, `${wasm}_bg.wasm`), new URL(`${wasm}_bg.wasm`, dist));
  // An entry point may have the same name as a WebAssembly module, so the glue code gets the suffix `_bg`.
  write(`${wasm}_bg.mjs`, glue);
  write(`${wasm}_bg.cjs`, common(glue));
  const functions = api.replace(`"./${wasm}.js"`, `"./${wasm}_bg.mjs"`);
  write(`${entry}.mjs`, functions);
  write(`${entry}.cjs`, common(functions));
  const browser = `import start from "./${wasm}_bg.mjs";
export * from "./${entry}.mjs";

export async function init(wasm = new URL("${wasm}_bg.wasm", import.meta.url)) {
  await start({ module_or_path: wasm });
}
`;
  const node = `import { readFileSync } from "node:fs";
import { initSync } from "./${wasm}_bg.mjs";
export * from "./${entry}.mjs";

initSync({ module: readFileSync(new URL("${wasm}_bg.wasm", import.meta.url)) });

export async function init() {}
`;
  write(`${entry}.browser.mjs`, browser);
  write(`${entry}.node.mjs`, node);
  write(`${entry}.node.cjs`, common(node));
  write(`${entry}.d.mts`, from(`${entry}.d.ts`).replace("./index.js", "./index.mjs"));
  write(`${entry}.d.cts`, from(`${entry}.d.ts`).replace("./index.js", "./index.cjs"));
}
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(new URL(`../../${licence}`, import.meta.url), new URL(licence, import.meta.url));
