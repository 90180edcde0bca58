// The search for shaders in applications, for the page.

import * as agalc from "agalc/extract";
import type { Input } from "agalc";
import { serve } from "../rpc.ts";

const handlers = {
  init: (module: WebAssembly.Module) => agalc.init(module),
  extract: (inputs: Input[]) => agalc.extract(inputs),
};

export type Extract = typeof handlers;

serve(handlers);
