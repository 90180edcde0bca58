// Tests the package as users receive it: packed, installed in an empty folder, and used in node, in a page, and by TypeScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const source = fileURLToPath(new URL("..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "agalc-package-"));
after(() => rmSync(work, { recursive: true }));
const shell = (program, ...args) => execFileSync(program, args, { cwd: work, encoding: "utf8" });

const readme = readFileSync(join(source, "README.md"), "utf8");
const examples = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);

const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: source, encoding: "utf8" }))[0];
writeFileSync(join(work, "package.json"), '{ "private": true }');
shell("npm", "install", "--silent", "--no-audit", "--no-fund", "--offline", join(work, packed.filename));

test("the package has its code, types, modules and licences, and nothing else", () => {
  const entry = (name) => ["mjs", "cjs", "d.mts", "d.cts", "browser.mjs", "node.mjs", "node.cjs"].map((end) => `dist/${name}.${end}`);
  const module = (name) => ["mjs", "cjs", "wasm"].map((end) => `dist/${name}_bg.${end}`);
  const expected = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", "dist/common.cjs", "dist/common.mjs"];
  const all = [...expected, ...["index", "executor", "extract"].flatMap(entry), ...["agalc", "executor", "extract"].flatMap(module)];
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), [...new Set(all)].sort());
});

test("the README's examples run in node", () => {
  writeFileSync(join(work, "first.mjs"), examples[0]);
  assert.match(shell("node", "first.mjs"), /fn vs_main[^]*va1 is at location 1/);
  writeFileSync(join(work, "second.mjs"), examples[1]);
  assert.match(shell("node", "second.mjs"), /^error AGAL9102 at 1:1: `add` takes 3 operands/);
});

test("it is a CommonJS module too", () => {
  const code = `const { translate } = require("agalc");
    const { run } = require("agalc/executor");
    const { extract } = require("agalc/extract");
    console.log(translate("mov oc, v0", "wgsl").files.length, run("mov oc, v0", { v0: [1, 2, 3, 4] }).outputs.oc.join());
    console.log(extract([{ name: "A.as", data: "package { class A {} }" }]).manifest.programs.length);`;
  writeFileSync(join(work, "common.cjs"), code);
  assert.equal(shell("node", "common.cjs"), "1 1,2,3,4\n0\n");
});

test("an error of one entry point is an error of the others", () => {
  const code = `import { AgalcError } from "agalc";
    import { run } from "agalc/executor";
    try { run("add ft0, v0", {}); } catch (error) { console.log(error instanceof AgalcError, error.name); }`;
  writeFileSync(join(work, "errors.mjs"), code);
  assert.equal(shell("node", "errors.mjs"), "true AgalcError\n");
});

test("TypeScript accepts the examples, as a module and as CommonJS, and refuses an option that does not exist", () => {
  const tsc = join(source, "node_modules/typescript/bin/tsc");
  const check = (name, code) => {
    writeFileSync(join(work, name), code);
    execFileSync("node", [tsc, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,esnext.disposable", "--module", "nodenext", join(work, name)], { stdio: "pipe" });
  };
  check("example.mts", examples[0]);
  check("example.cts", 'import { validate } from "agalc";\nconst line: number | undefined = validate("mov oc, v0").diagnostics[0]?.span?.line;\nconsole.log(line);\n');
  assert.throws(() => check("wrong.mts", 'import { translate } from "agalc";\ntranslate("mov oc, v0", "wgsl", { layoot: "webgl2" });\n'));
});

test("the README's example runs in a page", async () => {
  const types = { ".mjs": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
  const imports = { agalc: "/node_modules/agalc/dist/index.browser.mjs" };
  const code = examples[0].replace(/console\.log\(/g, "window.said.push(");
  writeFileSync(join(work, "page.html"), `<script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">window.said = [];\n${code}\nwindow.done = true;</script>`);
  const server = createServer((request, response) => {
    const path = join(work, new URL(request.url, "http://localhost").pathname);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(path)] }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
    await page.waitForFunction(() => window.done);
    const [text, attributes] = await page.evaluate(() => window.said);
    assert.match(text, /fn vs_main/);
    assert.deepEqual(attributes, ["va0 is at location 0", "va1 is at location 1"]);
  } finally {
    await browser.close();
    server.close();
  }
});
