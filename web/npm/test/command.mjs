// The command with which the tests compare the package: the program that AGALC names, or else the program that Cargo has built.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = ["release", "suite", "debug"].map((profile) => fileURLToPath(new URL(`../../../target/${profile}/agalc`, import.meta.url)));

export const command = process.env.AGALC ?? built.find((path) => existsSync(path));
if (!command) throw new Error("there is no agalc: build it with `cargo build --release -p agalc-cli`, or name it in AGALC");
