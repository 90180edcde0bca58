// Tests the editor and the outputs.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { choose, outputHas, source, start, tab, type } from "./browser.mjs";

/** `mul ft0, v0, fc6` and `mov oc, ft0`, as bytecode. */
const HEX = "a001000000a1010300000000000f02000000e404000000060000e4010000000000000000000f03000000e4020000000000000000000000";
const MODULE = `fragment function "fs_main" {
  output 0 oc: float4 = colour 0
  %1 = literalfloat4 0.25, 0.5, 0.75, 1.0
  poke %1, 0
}
`;

let browser;
let page;
before(async () => {
  browser = await start();
  page = await browser.open();
});
after(() => browser.stop());
beforeEach(async () => {
  await choose(page, "a new pair");
  await tab(page, "files", "start.frag.agal");
  await tab(page, "outputs", "WGSL");
});
afterEach(() => page.noErrors());

test("a program that is typed is translated to all formats", async () => {
  await type(page, "// agal 1 fragment\nmul ft0, v0, fc7\nmov oc, ft0\n");
  const expected = {
    WGSL: "fn fs_main", "GLSL ES 300": "#version 300 es", "SPIR-V": "OpEntryPoint Fragment", HLSL: "SV_Target", MSL: "fragment ",
    SDLSHADERBC: "fragment function",
  };
  for (const [name, text] of Object.entries(expected)) {
    await tab(page, "outputs", name);
    await outputHas(page, text);
  }
  await tab(page, "outputs", "WGSL");
  await outputHas(page, "fc[7]");
});

test("a mistake is underlined where it is, and the list of findings leads to it", async () => {
  await type(page, "// agal 1 fragment\n  mov ft0, fc0\n  moq oc, ft0\n");
  const squiggle = page.locator("#editor .cm-lintRange-error");
  await squiggle.first().waitFor();
  const place = await squiggle.first().evaluate((element) => {
    const line = element.closest(".cm-line");
    const range = document.createRange();
    range.setStart(line, 0);
    range.setEndBefore(element);
    return { line: [...line.parentElement.children].indexOf(line) + 1, column: range.toString().length + 1, text: element.textContent };
  });
  assert.deepEqual(place, { line: 3, column: 3, text: "moq" });
  await tab(page, "outputs", "Validation");
  await page.click('#output-report .place:text("start.frag.agal:3:3")');
  assert.ok(await page.evaluate(() => document.querySelector("#editor .cm-content").contains(document.activeElement)));
});

test("a quick fix corrects a misspelt opcode", async () => {
  await type(page, "// agal 1 fragment\nmoq oc, fc0\n");
  await page.hover("#editor .cm-lintRange-error");
  await page.click(".cm-diagnosticAction");
  assert.match(await source(page), /^mov oc, fc0$/m);
});

test("a register and an opcode are described, by mouse and by keyboard", async () => {
  await page.hover('#editor .cm-line .tok-keyword:text-is("nrm")');
  await page.locator(".markdown", { hasText: "nrm" }).waitFor();
  await page.mouse.move(0, 0);
  await type(page, "// agal 1 fragment\nmov oc, fc0");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  await page.locator(".markdown", { hasText: "fc0" }).waitFor();
});

test("opcodes are completed", async () => {
  await type(page, "// agal 1 fragment\n");
  await page.keyboard.type("cr");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "crs" }).waitFor();
});

test("a text is formatted", async () => {
  await type(page, "// agal 1 fragment\nmov    oc,fc0\n");
  await page.locator("#editor .tok-keyword").first().waitFor();
  await page.click("#format");
  await page.waitForFunction(() => /^mov oc, fc0$/m.test(document.querySelector("#editor .cm-content").innerText));
});

test("lines light up where they come from, and where they went", async () => {
  await page.click('#editor .cm-line:has-text("tex ft0")');
  await tab(page, "outputs", "SDLSHADERBC");
  await page.locator("#output-code .cm-line.lit", { hasText: "sample" }).first().waitFor();
  await tab(page, "outputs", "Dump");
  await page.locator("#output-code .cm-line.lit", { hasText: "sample" }).first().waitFor();
  for (const [name, text] of [
    ["WGSL", "textureSample("],
    ["GLSL ES 300", "texture("],
    ["HLSL", ".Sample("],
    ["MSL", ".sample("],
    ["SPIR-V", "OpImageSampleImplicitLod"],
  ]) {
    await tab(page, "outputs", name);
    await page.locator("#output-code .cm-line.lit", { hasText: text }).first().waitFor();
    assert.equal(await page.locator("#output-code .cm-line.lit").count(), name === "SPIR-V" ? 3 : 1, name);
  }
  await tab(page, "outputs", "WGSL");
  await page.hover('#output-code .cm-line:has-text("saturate(")');
  await page.locator("#editor .cm-line.lit", { hasText: "dp3 ft1.x" }).waitFor();
  await tab(page, "outputs", "SDLSHADERBC");
  await page.hover('#output-code .cm-line:has-text("clamp")');
  await page.locator("#editor .cm-line.lit", { hasText: "sat ft1" }).waitFor();
});

test("a word of the dump is explained", async () => {
  await tab(page, "outputs", "Dump");
  await outputHas(page, "magic");
  await page.hover('#output-code .cm-line:has-text("checksum")', { position: { x: 100, y: 8 } });
  await page.locator(".markdown", { hasText: "byte" }).waitFor();
});

test("a pair that Flash Player accepts has no findings, and a reflection", async () => {
  await tab(page, "outputs", "Validation");
  await page.locator("#output-report .good").waitFor();
  await tab(page, "outputs", "Reflection");
  await page.locator('#output-report table caption:text-is("Samplers")').waitFor();
});

test("text in strings of code, hexadecimal digits and module text are programs too", async () => {
  await type(page, 'var code: String =\n  "mul ft0, v0, fc5 \\n" +\n  "mov oc, ft0";');
  await outputHas(page, "fc[5]");
  await type(page, HEX);
  await outputHas(page, "fc[6]");
  await type(page, MODULE);
  await outputHas(page, "0.25");
  await page.locator("#editor .tok-keyword").first().waitFor();
});
