// Tests dropped files, and links that contain the whole state of the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { choose, drawn, drop, outputHas, ready, source, start, tab, type } from "./browser.mjs";

const AGALC = process.env.AGALC ?? fileURLToPath(new URL("../../../target/release/agalc", import.meta.url));

let browser;
let page;
const folder = mkdtempSync(join(tmpdir(), "playground-"));
before(async () => {
  browser = await start();
  page = await browser.open();
});
after(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => choose(page, "lighting"));
afterEach(() => page.noErrors());

/** The command's output for a text. */
function made(args, name, text) {
  const [from, to] = [join(folder, "in.agal"), join(folder, name)];
  writeFileSync(from, text);
  execFileSync(AGALC, [...args, from, "-o", to, "-q"]);
  return readFileSync(to);
}

const tabs = () => page.locator("#files [role=tab]").allInnerTexts();

test("a dropped program takes its place in the scene", async () => {
  await drop(page, { "plain.frag.agal": "// agal 1 fragment\nmov oc, fc9\n" });
  await outputHas(page, "fc[9]");
  assert.deepEqual((await tabs()).toSorted(), ["names.toml", "plain.frag.agal", "scene.toml", "vertex.agal"]);
  await drawn(page);
});

test("bytecode is shown as text, stays bytes, and can become text", async () => {
  const bytes = made(["assemble"], "plain.frag.agalbc", "// agal 1 fragment\nmul ft0, v0, fc6\nmov oc, ft0\n");
  await drop(page, { "plain.frag.agalbc": bytes });
  await outputHas(page, "fc[6]");
  assert.match(await source(page), /mul ft0, v0, fc6/);
  await page.click("#as-text");
  await type(page, "// agal 1 fragment\nmov oc, fc8\n");
  await outputHas(page, "fc[8]");
});

test("an SDLSHADERBC file with both programs is the whole scene's program", async () => {
  const bytes = made(["compile", "--to", "sdlbc"], "pair.sdlbc", "part vertex 1\nmov op, va0\nmov v0, va1\nendpart\npart fragment 1\nmul ft0, v0, fc5\nmov oc, ft0\nendpart\n");
  await drop(page, { "pair.sdlbc": bytes });
  await outputHas(page, "fc[5]");
  await drawn(page);
  await tab(page, "files", "scene.toml");
  assert.match(await source(page), /^program = "pair.sdlbc"$/m);
});

test("WGSL is told to be what agalc writes and does not read", async () => {
  await drop(page, { "lit.wgsl": "@fragment\nfn fs_main() -> @location(0) vec4<f32> {\n    return vec4<f32>();\n}\n" });
  await page.waitForFunction(() => /WGSL/.test(document.getElementById("status").textContent));
  assert.ok(!(await tabs()).includes("lit.wgsl"));
});

test("the pairs of an application are listed, and one is chosen", async () => {
  const code = `package {
    public class Glow {
      public function upload(program: Program3D): void {
        var vertex: String = "m44 op, va0, vc0\\nmov v0, va1";
        var fragment: String = "tex ft0, v0, fs0 <2d,linear,mipnone,clamp>\\nmul oc, ft0, fc4";
        program.upload(new AGALMiniAssembler().assemble("vertex", vertex), new AGALMiniAssembler().assemble("fragment", fragment));
      }
    }
  }`;
  await drop(page, { "Glow.as": code });
  await page.click("#extracted .program");
  await outputHas(page, "fc[4]");
  await drawn(page);
});

/** An uncompressed SWF that contains bytes in a DefineBinaryData. */
function swf(bytes) {
  const tag = (code, body) => {
    const head = Buffer.alloc(6);
    head.writeUInt16LE((code << 6) | 63, 0); // 63 means that the length follows as a 32-bit number
    head.writeUInt32LE(body.length, 2);
    return Buffer.concat([head, body]);
  };
  const id = Buffer.from([1, 0, 0, 0, 0, 0]);
  // The stage is 0 by 0 pixels, and the file has one frame, at 24 frames per second.
  const body = Buffer.concat([Buffer.from([0, 0, 24, 1, 0]), tag(87, Buffer.concat([id, bytes])), tag(0, Buffer.alloc(0))]);
  const head = Buffer.from([..."FWS"].map((c) => c.charCodeAt(0)).concat(11, 0, 0, 0, 0));
  head.writeUInt32LE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}

test("the programs in a SWF are listed, and one is chosen", async () => {
  const bytes = made(["assemble"], "swf.frag.agalbc", "// agal 1 fragment\nmul ft0, v0, fc7\nmov oc, ft0\n");
  await drop(page, { "game.swf": swf(bytes) });
  await page.click("#extracted .program");
  await outputHas(page, "fc[7]");
  await drawn(page);
});

test("a scene is dropped with its files", async () => {
  await drop(page, {
    "my.toml": 'program = "both.agal"\nmesh = "rectangle"\nsize = 64\n',
    "both.agal": "part vertex 1\nmov op, va0\nendpart\npart fragment 1\nmov oc, fc3\nendpart\n",
  });
  await outputHas(page, "fc[3]");
  await drawn(page);
});

test("a link restores everything in a new page", async () => {
  await choose(page, "a new pair");
  await tab(page, "files", "start.frag.agal");
  await type(page, "// agal 1 fragment\n// fc2 = tint\nmul ft0, v0, fc2\nmov oc, ft0\n");
  await outputHas(page, "tint");
  await tab(page, "outputs", "HLSL");
  await page.locator('#controls input[aria-label="tint, x, exact"]').fill("0.25");
  await page.keyboard.press("Enter");
  await page.click("#copy-link");
  await page.locator("#status", { hasText: "copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await page.context().newPage();
  await other.goto(link);
  await ready(other);
  await drawn(other);
  assert.equal(await source(other), await source(page));
  assert.equal(await other.getAttribute("#outputs [aria-selected=true]", "data-id"), "hlsl");
  assert.equal(await other.inputValue('#controls input[aria-label="tint, x, exact"]'), "0.25");
});
