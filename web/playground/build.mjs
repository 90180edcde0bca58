// Builds the page. A web server needs only the files in dist.
//
// The package agalc must be built first (`./web/build npm`).

import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { gallery } from "./gallery.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = here("dist/");
const npm = here("../npm/dist/");

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });

const executor = await import(`${npm}executor.node.mjs`);
const { version } = JSON.parse(await readFile(here("../npm/package.json"), "utf8"));
const { outputFiles } = await build({
  entryPoints: {
    page: here("src/main.ts"),
    agalc: here("src/workers/agalc.ts"),
    executor: here("src/workers/executor.ts"),
    extract: here("src/workers/extract.ts"),
    webgl: here("src/workers/webgl.ts"),
    webgpu: here("src/workers/webgpu.ts"),
    styles: here("src/styles/page.css"),
  },
  alias: {
    agalc: `${npm}index.browser.mjs`,
    "agalc/executor": `${npm}executor.browser.mjs`,
    "agalc/extract": `${npm}extract.browser.mjs`,
  },
  bundle: true,
  define: { VERSION: JSON.stringify(version) },
  format: "esm",
  minify: true,
  target: "es2022",
  outdir: dist,
  write: false,
  logLevel: "warning",
});
await Promise.all([
  ...outputFiles.map(({ path, contents }) => writeFile(path, contents)),
  copyFile(here("index.html"), `${dist}index.html`),
  ...["agalc", "executor", "extract"].map((name) => copyFile(`${npm}${name}_bg.wasm`, `${dist}${name}_bg.wasm`)),
  writeFile(`${dist}gallery.json`, JSON.stringify(await gallery(executor, here("../../testdata/scenes/")))),
]);
