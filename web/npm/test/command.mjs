// The command with which the package is compared: AGALC, or the one built by cargo.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = ["release", "suite", "debug"].map((profile) => fileURLToPath(new URL(`../../../target/${profile}/agalc`, import.meta.url)));

export const command = process.env.AGALC ?? built.find((path) => existsSync(path));
if (!command) throw new Error("there is no agalc: build it with `cargo build --release -p agalc-cli`, or name it in AGALC");
