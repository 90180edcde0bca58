// The types of `agalc/extract`: the shaders of Flash and AIR applications.

import type { Diagnostic, Input } from "./index.js";
export { AgalcError } from "./index.js";

/** Like `init` of `agalc`, for this module. */
export function init(wasm?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;

export interface Extracted {
  /** The files that `agalc extract` would write: paths below its folder, with contents. */
  files: { path: string; data: Uint8Array }[];
  /** `manifest.json`, parsed: docs/extract.schema.json describes it. */
  manifest: any;
  diagnostics: Diagnostic[];
}

/** Finds the shaders in SWF, SWC and ABC files, and in ActionScript and Haxe sources, as `agalc extract` does. */
export function extract(inputs: readonly Input[]): Extracted;
