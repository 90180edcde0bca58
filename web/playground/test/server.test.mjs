// Tests the server of the page's files.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../server.mjs";

const outside = mkdtempSync(join(tmpdir(), "server-"));
const folder = join(outside, "dist");
let server;
before(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), "the page");
  writeFileSync(join(folder, "large.wasm"), Buffer.alloc(8 << 20));
  writeFileSync(join(outside, "secret.txt"), "secret");
  symlinkSync("../secret.txt", join(folder, "link.txt"));
  symlinkSync("..", join(folder, "up"));
  symlinkSync("index.html", join(folder, "same.html"));
  server = await serve(0, folder);
});
after(() => {
  server.close();
  rmSync(outside, { recursive: true });
});

test("files of the folder are served, and none outside of it", async () => {
  const text = async (path) => {
    const response = await fetch(new URL(path, server.url));
    return [response.status, await response.text()];
  };
  assert.deepEqual(await text("/"), [200, "the page"]);
  assert.deepEqual(await text("/same.html"), [200, "the page"]);
  for (const path of ["/none", "/link.txt", "/up/secret.txt", "/%2e%2e/secret.txt", "/a%00b", "/%ff"]) {
    assert.deepEqual(await text(path), [404, "There is no such file.\n"], path);
  }
});

test("a download that is given up leaves no file open", { skip: process.platform !== "linux" }, async () => {
  const open = () => readdirSync("/proc/self/fd").length;
  const begun = open();
  for (let times = 0; times < 50; times++) {
    await new Promise((done, failed) => {
      const client = connect(new URL(server.url).port, "127.0.0.1", () => client.write("GET /large.wasm HTTP/1.1\r\nHost: x\r\n\r\n"));
      client.once("error", failed).once("data", () => client.destroy()).once("close", done);
    });
  }
  for (let times = 0; open() > begun + 5 && times < 100; times++) await new Promise((done) => setTimeout(done, 20));
  assert.ok(open() <= begun + 5, `${open()} files are open, ${begun} before`);
});
