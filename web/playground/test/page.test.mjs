// Tests the page itself: accessibility, network requests, and inputs that must not freeze the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { choose, drawn, drop, heartbeat, outputHas, source, start, tab, type } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The longest time without a frame or an event that counts as not frozen; the processor draws for the GPU meanwhile. */
const FROZEN = 1500;

let browser;
let page;
before(async () => {
  browser = await start();
  page = await browser.open();
});
after(() => browser.stop());
afterEach(() => page.noErrors());

async function axe(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("\n")}`);
  assert.deepEqual(found, [], what);
}

async function axeInBothColours(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${what}, ${colorScheme}`);
  }
}

test("axe finds nothing serious on a desktop, in light and dark", async () => {
  await axeInBothColours(page, "as it opens");
  for (const output of ["Validation", "Reflection"]) {
    await tab(page, "outputs", output);
    await axe(page, output);
  }
  await page.click("#open-gallery");
  await axeInBothColours(page, "the gallery");
  await page.keyboard.press("Escape");
});

test("axe finds nothing serious on a phone, in light and dark", async () => {
  const phone = await browser.open(PHONE);
  for (const pane of ["Source", "Output", "Picture"]) {
    await tab(phone, "panes", pane);
    await axeInBothColours(phone, pane);
  }
  phone.noErrors();
  await phone.context().close();
});

test("no request is made after the page is loaded", async () => {
  const requests = [];
  page.context().on("request", (request) => requests.push(request.url()));
  await choose(page, "mrt");
  await drawn(page);
  await tab(page, "files", "fragment.agal");
  await type(page, "// agal 1 fragment\nmov oc, fc1\n");
  for (const output of ["HLSL", "Dump", "Validation", "Reflection"]) await tab(page, "outputs", output);
  await drawn(page);
  await page.click("#copy-link");
  assert.deepEqual(requests.filter((url) => !/^(?:data|blob):/.test(url)), []);
});

test("a hostile source of 10 MB does not freeze the page, and can be stopped", async () => {
  const longest = await heartbeat(page);
  await drop(page, { "hostile.frag.agal": "mul ft0, ft0, ft0\n" }, 600_000);
  await page.locator("#source-note:visible").waitFor({ timeout: 60_000 });
  await page.click("#stop:visible");
  await page.locator("#output-report button", { hasText: "Try again" }).waitFor();
  await drop(page, { "line.frag.agal": "mov oc, " }, 1_300_000);
  await page.locator('#files [aria-selected=true]:text-is("line.frag.agal")').waitFor({ timeout: 60_000 });
  await choose(page, "lighting");
  await drawn(page);
  const gap = await longest();
  assert.ok(gap < FROZEN, `${gap} ms`);
});

const ENDLESS = `vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  poke %1, 0
}
fragment function "fs_main" {
  output 0 oc: float4 = colour 0
  %8 = literalint 0
  %7 = literalint 1
  %6 = literalint 100000
  loop {
    %5 i = phi %8, %4
    %4 = add %5, %7
    %3 = greaterthan %5, %6
    if %3 {
      break
    }
  }
  %9 = literalfloat4 1.0, 1.0, 1.0, 1.0
  poke %9, 0
}
`;

test("a loop that takes hours does not freeze the page, and can be stopped", async () => {
  const longest = await heartbeat(page);
  await drop(page, { "slow.sdlasm": ENDLESS });
  await page.click("#stop:visible");
  await page.locator("#by-executor button", { hasText: "Draw again" }).waitFor();
  await choose(page, "lighting");
  await drawn(page);
  const gap = await longest();
  assert.ok(gap < FROZEN, `${gap} ms`);
});

test("a loop without an end is an error", async () => {
  await drop(page, { "endless.sdlasm": ENDLESS.replace("if %3 {", "%2 = literalbool false\n    if %2 {") });
  await page.locator("#by-executor .finding", { hasText: "terminate" }).waitFor();
});

test("everything can be done with the keyboard alone", async () => {
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-id") || document.activeElement.id
    || document.activeElement.className || document.activeElement.tagName);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await tab(page, "outputs", "WGSL");
  await page.locator(".skip").focus();
  await press("Tab");
  assert.equal(await focused(), "open-gallery");
  await press("Enter", "Tab", "Enter");
  assert.match(await source(page), /from model space to clip space/);
  await page.locator("#open-gallery").focus();
  await press("Tab", "Tab", "Tab", "Tab");
  assert.equal(await focused(), "start.vert.agal");
  await press("ArrowRight");
  assert.equal(await focused(), "start.frag.agal");
  // The Format button, which precedes the editor, appears once the kind of the text is known.
  await page.locator("#format").waitFor();
  await press("Tab", "Tab");
  assert.match(await focused(), /cm-content/);
  await press("Control+a");
  await page.keyboard.insertText("// agal 1 fragment\nmov oc, fc3\n");
  await outputHas(page, "fc[3]");
  // Tab leaves the editor.
  await press("Tab");
  assert.equal(await focused(), "wgsl");
  await press("ArrowRight", "ArrowRight", "ArrowRight");
  await outputHas(page, "SV_Target");
  await press("End");
  await page.locator("#output-report table").first().waitFor();
});

test("without graphics the executor draws, and the others say why they do not", async () => {
  const without = await start({ gpus: false });
  try {
    const other = await without.open();
    await drawn(other, ["by-executor"]);
    await other.locator("#by-webgl .refused", { hasText: "WebGL 2" }).waitFor();
    await other.locator("#by-webgpu .refused", { hasText: "WebGPU" }).waitFor();
    other.noErrors();
  } finally {
    await without.stop();
  }
});
