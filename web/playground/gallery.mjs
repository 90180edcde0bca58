// The scenes of the gallery: each folder of testdata/scenes, with the files that its scene names.

import { readFile, readdir } from "node:fs/promises";
import { parse } from "smol-toml";

/** All strings in a value of a TOML file. */
function strings(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

async function scene(folder, name) {
  const text = await readFile(`${folder}${name}/scene.toml`, "utf8");
  const description = parse(text);
  const present = new Set(await readdir(`${folder}${name}`));
  const named = [...new Set(strings(description))].filter((string) => present.has(string));
  const files = await Promise.all(named.map(async (file) => {
    const bytes = await readFile(`${folder}${name}/${file}`);
    return /\.png$/.test(file) ? { name: file, base64: bytes.toString("base64") } : { name: file, text: bytes.toString() };
  }));
  return { name, about: description.about ?? "", files: [...files, { name: "scene.toml", text }] };
}

/** The scenes, by name. */
export async function gallery(folder) {
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map((name) => scene(folder, name)));
}
