// Tests the page's changes to scene.toml, and the contents of links.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A module of the page. */
async function module(path) {
  const entry = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  const { outputFiles: [file] } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(file.contents).toString("base64")}`);
}

const { setKey } = await module("scene/edit.ts");
const { describe } = await module("scene/description.ts");
const { withProgram } = await module("scene/programs.ts");
const { decode, encode } = await module("link.ts");

test("a key is replaced with all lines of its value, and comments stay", () => {
  const text = "# a scene\nmesh = { shape = \"torus\" } # round\n\n[constants]\nfc0 = [\n  [1, 2],\n  [3, 4],\n]\nfc2 = 1\n";
  assert.equal(setKey(text, null, "mesh", '"cube"'), text.replace('{ shape = "torus" } # round', '"cube"'));
  assert.equal(setKey(text, "constants", "fc0", "[5]"), text.replace("[\n  [1, 2],\n  [3, 4],\n]", "[5]"));
});

test("a key that is missing comes at the end of its table, and a table that is missing at the end", () => {
  assert.equal(setKey("size = 1\n\n[constants]\nfc0 = 1\n", null, "mesh", "2"), "size = 1\nmesh = 2\n\n[constants]\nfc0 = 1\n");
  assert.equal(setKey("size = 1\n", "textures", "fs0", "2"), "size = 1\n\n[textures]\nfs0 = 2\n");
});

test("a key is removed", () => {
  assert.equal(setKey("program = \"a\"\nsize = 1\n", null, "program", null), "size = 1\n");
  assert.equal(setKey("size = 1\n", null, "program", null), "size = 1\n");
});

const scene = 'vertex = "a.vert.agal"\nfragment = "a.frag.agal"\n';
const state = {
  files: [{ name: "a.vert.agal", data: "v" }, { name: "a.frag.agal", data: "f" }, { name: "scene.toml", data: scene }],
  constants: [], side: 0, file: "a.vert.agal", output: "wgsl",
};
const names = (files) => files.map(({ name }) => name).toSorted();

test("a program takes the place of the one of its stage", () => {
  const files = withProgram(state, describe(scene), { name: "b.agal", data: "b" }, ["fragment"]);
  assert.deepEqual(names(files), ["a.vert.agal", "b.agal", "scene.toml"]);
  assert.deepEqual(describe(files.find(({ name }) => name === "scene.toml").data).programs, ["a.vert.agal", "b.agal"]);
});

test("a program whose stage is not known takes the place of the one that is shown", () => {
  const files = withProgram(state, describe(scene), { name: "b.agal", data: "b" }, []);
  assert.deepEqual(describe(files.find(({ name }) => name === "scene.toml").data).programs, ["b.agal", "a.frag.agal"]);
});

test("a file with both programs takes the place of both", () => {
  const files = withProgram(state, describe(scene), { name: "b.agal", data: "b" }, ["vertex", "fragment"]);
  assert.deepEqual(names(files), ["b.agal", "scene.toml"]);
  assert.deepEqual(describe(files.find(({ name }) => name === "scene.toml").data).programs, ["b.agal"]);
});

test("a link holds texts and bytes, and one that is too long is not made", async () => {
  const full = {
    ...state,
    files: [...state.files, { name: "c.agalbc", data: Uint8Array.of(0, 255, 128) }],
    constants: [{ stage: "fragment", register: 2, values: [1, 0.5, 0, 1] }],
  };
  assert.deepEqual(await decode(await encode(full)), full);
  const noise = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at * 2654435761) >>> 13);
  assert.equal(await encode({ ...state, files: [{ name: "noise", data: noise }] }), null);
  await assert.rejects(decode("not-a-link"));
});
