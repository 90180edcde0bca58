// The worker that searches applications for shaders.

import * as agalc from "agalc/extract";
import type { Input } from "agalc";
import { serve } from "../rpc.ts";

const handlers = {
  init: (module: WebAssembly.Module) => agalc.init(module),
  extract: (inputs: Input[]) => agalc.extract(inputs),
};

export type Extract = typeof handlers;

serve(handlers);
