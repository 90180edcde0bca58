// The function of `agalc/extract`, which extract.d.ts declares and documents.

import * as wasm from "./extract.js";
import { AgalcError, called, inputsOf } from "./common.mjs";

export { AgalcError };

export function extract(inputs) {
  const { files, manifest, diagnostics } = called(() => wasm.extract(inputsOf(inputs)));
  return { files, manifest: JSON.parse(manifest), diagnostics };
}
