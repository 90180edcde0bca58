// Tests that all three renderers draw the same pictures as `agalc render`.
//
// The rule of `agalc compare` applies: away from edges, no component differs by more than 2/255. At edges, where a sample may fall on
// either side of a border, at most 1 % of the pixels may differ by more.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { png } from "../png.mjs";
import { choose, drawn, start, tab, type } from "./browser.mjs";

const AGALC = process.env.AGALC ?? fileURLToPath(new URL("../../../target/release/agalc", import.meta.url));
const SCENES = fileURLToPath(new URL("../../../testdata/scenes/", import.meta.url));

let browser;
let page;
const folder = mkdtempSync(join(tmpdir(), "playground-"));
before(async () => {
  browser = await start();
  page = await browser.open();
  await page.locator("#picture-tools label", { hasText: "Size" }).locator("select").selectOption("128");
});
after(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => choose(page, "lighting"));
afterEach(() => page.noErrors());

/** The pixels of a canvas. All of these pictures are opaque, so a canvas keeps them exactly. */
async function picture(figure) {
  const { width, height, rgba } = await page.evaluate((id) => {
    const canvas = document.querySelector(`#${id} canvas`);
    const { width, height, data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { width, height, rgba: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")) };
  }, figure);
  const path = join(folder, `${figure}.png`);
  writeFileSync(path, png({ width, height, rgba: Buffer.from(rgba, "base64") }));
  return path;
}

function differences(a, b) {
  const report = JSON.parse(execFileSync(AGALC, ["compare", "--json", "--allow", "100", a, b]));
  return { elsewhere: report.greatest_away_from_edges, percent: report.differing_percent };
}

async function check(expected, scene) {
  for (const figure of ["by-executor", "by-webgl", "by-webgpu"]) {
    const { elsewhere, percent } = differences(await picture(figure), expected);
    assert.ok(elsewhere <= 2 && percent <= 1, `${scene}, ${figure}: ${elsewhere} outside edges, ${percent} % of all pixels`);
  }
}

/** Scenes with mip levels, a cube texture, a 3D texture, a texture in the vertex program, and the other instruction set. */
const CHECKED = ["mip_bias", "cube_reflection", "colour_table", "displacement", "wraps", "fog", "paper_gloss"];

async function open(name) {
  await choose(page, name.replaceAll("_", " "));
  await drawn(page);
  const size = await page.evaluate(() => {
    const { width, height } = document.querySelector("#by-executor canvas");
    return `${width}x${height}`;
  });
  const expected = join(folder, "expected.png");
  execFileSync(AGALC, ["render", join(SCENES, name, "scene.toml"), "-o", expected, "--size", size, "-q"]);
  return expected;
}

test("the executor, WebGL 2 and WebGPU draw the scenes as the command does", async () => {
  for (const name of CHECKED) await check(await open(name), name);
});

test("all render targets are drawn", async () => {
  const expected = await open("mrt");
  for (const target of [1, 2, 3]) {
    await page.selectOption('#picture-tools [aria-label="Render target"]', String(target));
    await check(expected.replace(".png", `.${target}.png`), `target ${target}`);
  }
});

test("a slider changes the pictures of all renderers alike", async () => {
  const before = join(folder, "before.png");
  await drawn(page);
  renameSync(await picture("by-webgpu"), before);
  await page.locator('#controls input[aria-label="fc3, x, exact"]').fill("0.9");
  await page.keyboard.press("Enter");
  await drawn(page);
  const after = join(folder, "after.png");
  renameSync(await picture("by-executor"), after);
  const { elsewhere } = differences(after, await picture("by-webgl"));
  assert.ok(elsewhere <= 8, `${elsewhere} outside edges`);
  assert.ok(differences(before, await picture("by-webgpu")).percent > 10);
});

test("a list of meshes and of textures changes the scene", async () => {
  await page.locator("#controls label", { hasText: "mesh" }).locator("select").selectOption("torus");
  await drawn(page);
  await page.locator("#controls label", { hasText: "fs0" }).locator("select").selectOption("noise");
  await drawn(page);
  await tab(page, "files", "scene.toml");
  const text = await page.evaluate(() => document.querySelector("#editor .cm-content").innerText);
  assert.match(text, /^mesh = "torus"$/m);
  assert.match(text, /^fs0 = "noise"$/m);
});

test("a mistake in the scene is told with its line", async () => {
  await tab(page, "files", "scene.toml");
  await type(page, 'vertex = "vertex.agal"\nfragment = "fragment.agal"\nmesh = "cuba"\n');
  await page.locator("#by-executor .finding.error", { hasText: "cuba" }).waitFor();
});

test("the difference can be seen", async () => {
  await page.selectOption("#picture-tools select >> nth=1", "64");
  await page.locator('#by-webgl canvas[aria-label^="Difference"]').waitFor();
  assert.match(await page.innerText("#by-webgl .difference"), /greatest\s+\d+/);
});
