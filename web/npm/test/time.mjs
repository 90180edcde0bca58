// Prints the time in milliseconds to translate a pair of testdata from text to WGSL, averaged over all pairs in the fastest round. The
// first argument is the number of rounds. `./bench web` compares this time with the time of native code.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { translate } from "agalc";

const folder = fileURLToPath(new URL("../../../testdata/pairs/", import.meta.url));
const input = (name) => ({ name, data: readFileSync(folder + name, "utf8") });
const vertices = readdirSync(folder).filter((name) => name.endsWith(".vert.agal"));
const pairs = vertices.map((name) => [input(name), input(name.replace(".vert.", ".frag."))]);
let best = Infinity;
for (let round = 0; round < Number(process.argv[2] ?? 10); round++) {
  const begin = performance.now();
  for (const pair of pairs) translate(pair, "wgsl", { allowTed: true });
  best = Math.min(best, performance.now() - begin);
}
console.log(best / pairs.length);
