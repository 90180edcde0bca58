// Debian's Chromium, which shows the page for the tests.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { serve } from "../server.mjs";

const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-dev-shm-usage", "--disable-gpu-watchdog", "--disable-breakpad", "--disable-crash-reporter",
];
/** WebGL 2 and WebGPU on the processor. */
const GPUS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const NO_GPUS = ["--disable-gpu", "--disable-software-rasterizer"];

/** A server and a browser. */
export async function start({ gpus = true } = {}) {
  const server = await serve(0);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...FLAGS, ...(gpus ? GPUS : NO_GPUS)],
  });
  return {
    url: server.url,
    /** Opens the page. */
    async open({ fragment = "", ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      /** Fails if the page has reported an error since the last time. */
      page.noErrors = () => assert.deepEqual(errors.splice(0), []);
      page.setDefaultTimeout(20_000);
      await page.goto(server.url + fragment);
      await ready(page);
      return page;
    },
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

/** Waits until the page has drawn for the first time. */
export async function ready(page) {
  await page.waitForSelector("html[data-ready]", { state: "attached" });
}

/** Chooses an entry of the gallery. */
export async function choose(page, name) {
  await page.click("#open-gallery");
  await page.locator(".scene", { has: page.locator(`.name:text-is("${name}")`) }).click();
}

/** Waits until all pictures show the current sources. */
export async function drawn(page, figures = ["by-executor", "by-webgl", "by-webgpu"]) {
  await page.waitForFunction((ids) => ids.map((id) => document.getElementById(id))
    .every((figure) => figure.className === "" && figure.getAttribute("aria-busy") === null), figures);
}

/** Replaces the text of the editor as someone who types does. */
export async function type(page, text) {
  await page.click("#editor .cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

export const source = (page) => page.evaluate(() => document.querySelector("#editor .cm-content").innerText);

/** Waits until the visible output contains a text. */
export async function outputHas(page, text) {
  await page.waitForFunction((text) => document.querySelector("#output-code .cm-content")?.innerText.includes(text), text);
}

/** Selects a tab. */
export const tab = (page, list, name) => page.click(`#${list} [role=tab]:text-is("${name}")`);

/** Drops files on the page: names with texts or bytes. Each text is repeated `times` times. */
export async function drop(page, files, times = 1) {
  const data = Object.entries(files).map(([name, data]) => [name, typeof data === "string" ? data : [...data]]);
  await page.evaluate(([files, times]) => {
    const transfer = new DataTransfer();
    for (const [name, data] of files) {
      transfer.items.add(new File([typeof data === "string" ? data.repeat(times) : new Uint8Array(data)], name));
    }
    for (const type of ["dragover", "drop"]) {
      window.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, [data, times]);
}

/** Measures the longest time between two frames from now on. */
export async function heartbeat(page) {
  await page.evaluate(() => {
    window.longestGap = 0;
    let last = performance.now();
    const beat = () => {
      const now = performance.now();
      window.longestGap = Math.max(window.longestGap, now - last);
      last = now;
      setTimeout(beat, 20);
    };
    beat();
  });
  return () => page.evaluate(() => window.longestGap);
}
