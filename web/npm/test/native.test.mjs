// For every program of testdata, the package returns the same bytes as the command, or both refuse the program.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { AgalcError, assemble, detect, disassemble, dump, inspect, translate, validate } from "agalc";
import { command } from "./command.mjs";

const testdata = fileURLToPath(new URL("../../../testdata", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "agalc-npm-"));
after(() => rmSync(work, { recursive: true }));

const FORMATS = { wgsl: "wgsl", spirv: "spv", "spirv-asm": "spvasm", glsl: "glsl", hlsl: "hlsl", msl: "metal", sdlbc: "sdlbc", sdlasm: "sdlasm" };
// Unlike the command, the package does not read WGSL, GLSL or SPIR-V.
const PROGRAMS = /\.(agal|agalbc|sdlasm|ir|sdlbc|es2|es2bc)$/;
const STAGE = /\.(vert|frag)(?=\.|$)/;

/** The shaders of testdata: pairs of files whose names differ only in the stage, and other single files. */
function shaders() {
  const files = readdirSync(testdata, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile() && PROGRAMS.test(file.name)).map((file) => join(file.parentPath, file.name));
  const known = new Set(paths);
  return paths.sort().flatMap((path) => {
    const other = (stage) => join(dirname(path), basename(path).replace(STAGE, `.${stage}`));
    if (!STAGE.test(basename(path)) || !known.has(other("vert")) || !known.has(other("frag"))) return [[path]];
    return path === other("vert") ? [[path, other("frag")]] : [];
  });
}

/** Runs the command; returns its exit code, and its messages as data, which `validate` writes to standard output. */
function run(args) {
  return new Promise((resolve) => {
    execFile(command, [...args, "--format", "json"], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const document = args[0] === "validate" ? stdout : stderr;
      resolve({ code: error ? error.code : 0, stdout, diagnostics: document ? JSON.parse(document).diagnostics : [] });
    });
  });
}

function names(paths) {
  const file = join(dirname(paths[0]), basename(paths[0]).replace(/(\.(vert|frag))?\.\w+$/, ".names.toml"));
  return existsSync(file) ? { names: readFileSync(file, "utf8") } : {};
}

/** The return value of a call, or the error that it throws. */
function tried(call) {
  try {
    return { result: call() };
  } catch (error) {
    assert.ok(error instanceof AgalcError, `${error.stack}`);
    return { error };
  }
}

async function compare(paths, folder) {
  const inputs = paths.map((path) => ({ name: path, data: new Uint8Array(readFileSync(path)) }));
  const of = relative(testdata, paths[0]);
  const outputs = Object.values(FORMATS).flatMap((extension) => ["-o", join(folder, `out.${extension}`)]);
  const native = await run(["compile", ...paths, ...outputs]);
  const given = names(paths);
  const made = Object.keys(FORMATS).map((format) => [format, tried(() => translate(inputs, format, given))]);
  const failed = made.find(([, { error }]) => error);
  assert.equal(native.code !== 0, failed !== undefined, `${of}: ${failed?.[1].error.message ?? "is refused by the command alone"}`);
  if (failed) {
    // If every format is refused, the inputs are wrong, and the command reports the same errors.
    if (made.every(([, { error }]) => error)) {
      const plain = ({ severity, code, span, token, byte }) => ({ severity, code, span, token, byte });
      const errors = (all) => all.filter((one) => one.severity === "error").map(plain);
      assert.deepEqual(errors(failed[1].error.diagnostics), errors(native.diagnostics), of);
    }
    return "refused";
  }
  for (const [format, { result }] of made) {
    const files = result.files.map(({ stage, bytes }) => {
      const part = stage && result.files.length > 1 ? `.${stage.slice(0, 4)}` : "";
      return [join(folder, `out${part}.${FORMATS[format]}`), bytes];
    });
    for (const [path, bytes] of files) {
      assert.ok(readFileSync(path).equals(bytes), `${of} as ${format}: ${basename(path)} differs`);
    }
  }
  return "translated";
}

test("every program of testdata becomes the same bytes as by the command", async (t) => {
  const all = shaders();
  const counts = { translated: 0, refused: 0 };
  const worker = async (number) => {
    const folder = mkdtempSync(join(work, `${number}-`));
    for (let next = all.shift(); next; next = all.shift()) counts[await compare(next, folder)] += 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, (_, number) => worker(number)));
  t.diagnostic(`${counts.translated} shaders are the same in ${Object.keys(FORMATS).length} formats, ${counts.refused} are refused by both`);
  assert.ok(counts.translated > 500 && counts.refused > 50);
});

test("what is said of a program is what the command says", async () => {
  const file = (name) => join(testdata, name);
  const folder = file("agal/mistakes");
  const mistakes = readdirSync(folder).filter((name) => name.endsWith(".agal")).map((name) => join(folder, name));
  assert.ok(mistakes.length > 20);
  // The package's help messages name the package's options instead of the command's options.
  const worded = (help) => help?.replace(/`--[a-z-]+( [^`]*)?`/g, "OPTION").replace(/`(stage|allow: \[\d+\]|[a-zA-Z]+: [^`]+)`/g, "OPTION");
  const comparable = (all) => all.map((one) => ({ ...one, help: worded(one.help) }));
  for (const path of mistakes.slice(0, 12)) {
    const { diagnostics } = await run(["validate", path]);
    const own = validate({ name: path, data: readFileSync(path, "utf8") }).diagnostics;
    assert.deepEqual(comparable(own), comparable(diagnostics), path);
    assert.ok(own.every(({ help }) => !help?.includes("`--")), path);
  }
  const advice = (name) => validate({ name, data: readFileSync(join(folder, name), "utf8") }).diagnostics.map(({ help }) => help).join("\n");
  assert.match(advice("later_opcode.agal"), /`agalVersion: 2`/);
  assert.match(advice("unwritten_temporary.agal"), /`allow: \[3647\]`/);
  assert.match(advice("two_statements.agal"), /`language: "macro"`/);
});

test("bytecode, text, dumps and descriptions are those of the command", async () => {
  const vertex = join(testdata, "pairs/lit.vert.agal");
  const path = existsSync(vertex) ? vertex : shaders().find((one) => one.length === 2)[0];
  const data = readFileSync(path, "utf8");
  const bytecode = join(work, "program.agalbc");
  await run(["assemble", path, "-o", bytecode]);
  const bytes = new Uint8Array(readFileSync(bytecode));
  assert.deepEqual(assemble({ name: path, data }), bytes);
  assert.equal(disassemble(bytes), (await run(["disassemble", bytecode])).stdout);
  const inspected = (await run(["inspect", "--json", path])).stdout;
  assert.deepEqual(inspect({ name: path, data }, names([path])), JSON.parse(inspected));
  const module = join(work, "module.sdlbc");
  await run(["compile", path, "-o", module]);
  assert.equal(dump(new Uint8Array(readFileSync(module))).text, (await run(["dump", module])).stdout);
});

test("detect names the type of a file", () => {
  const wgsl = "@fragment fn main() -> @location(0) vec4<f32> { return vec4<f32>(); }";
  const files = { "AGAL text": "mov oc, v0", "AGAL bytecode": new Uint8Array([0xa0, 1, 0, 0, 0, 0xa1, 1]), WGSL: wgsl };
  for (const [type, data] of Object.entries(files)) assert.equal(detect(data), type);
});
