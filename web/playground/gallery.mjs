// The scenes of the gallery: each folder of testdata/scenes, with a small picture and the files that its scene names.

import { readFile, readdir } from "node:fs/promises";
import { parse } from "smol-toml";
import { png } from "./png.mjs";

/** The longer side of the pictures. */
const SIDE = 96;

/** All strings in a value of a TOML file. */
function strings(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

/** A picture of a scene, by the executor, as a data address. */
function thumbnail({ Scene }, text, description, files) {
  const [width, height = width] = [description.size ?? 512].flat();
  const size = [width, height].map((side) => Math.round((side * SIDE) / Math.max(width, height)));
  const scene = new Scene("scene.toml", { ...Object.fromEntries(files), "scene.toml": text }, { size });
  const [picture] = scene.render();
  scene.free();
  return `data:image/png;base64,${png(picture).toString("base64")}`;
}

async function scene(executor, folder, name) {
  const text = await readFile(`${folder}${name}/scene.toml`, "utf8");
  const description = parse(text);
  const present = new Set(await readdir(`${folder}${name}`));
  const named = [...new Set(strings(description))].filter((string) => present.has(string));
  const files = await Promise.all(named.map(async (file) => [file, await readFile(`${folder}${name}/${file}`)]));
  const stored = files.map(([name, bytes]) =>
    (/\.png$/.test(name) ? { name, base64: bytes.toString("base64url") } : { name, text: bytes.toString() }));
  return {
    name,
    about: description.about ?? "",
    thumbnail: thumbnail(executor, text, description, files),
    files: [...stored, { name: "scene.toml", text }],
  };
}

/** The scenes, by name. `executor` is the module `agalc/executor`. */
export async function gallery(executor, folder) {
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map((name) => scene(executor, folder, name)));
}
