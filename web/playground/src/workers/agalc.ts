// The worker that runs the translator and the language server.

import * as agalc from "agalc";
import type { Inputs, Input, Options, ReadOptions, Format } from "agalc";
import { serve } from "../rpc.ts";
import { analyse, ask } from "./language.ts";

/** Information about a file before it is used. */
export interface Read {
  /** The type of the file, as in messages. */
  kind: string;
  /** The stages of the programs in it; empty if it cannot be read. */
  stages: agalc.Stage[];
}

function read(input: Input): Read {
  const kind = agalc.detect(input.data);
  try {
    return { kind, stages: agalc.inspect([input]).stages.map(({ stage }) => stage) };
  } catch (error) {
    if (error instanceof agalc.AgalcError) return { kind, stages: [] };
    throw error;
  }
}

/** A text for a file that is not text: AGAL for bytecode, module text for all others. */
function asText(input: Input): string {
  const bytes = typeof input.data === "string" ? new TextEncoder().encode(input.data) : input.data;
  if (agalc.detect(bytes) === "AGAL bytecode") return agalc.disassemble({ ...input, data: bytes });
  return agalc.translate([input], "sdlasm").files[0]?.text ?? "";
}

const handlers = {
  init: (module: WebAssembly.Module) => agalc.init(module),
  translate: (inputs: Inputs, format: Format, options: Options) => agalc.translate(inputs, format, options),
  validate: (inputs: Inputs, options: ReadOptions) => agalc.validate(inputs, options),
  dump: (inputs: Inputs, options: Options) => agalc.dump(inputs, options),
  detect: (data: string | Uint8Array) => agalc.detect(data),
  read,
  asText,
  analyse,
  ask,
};

export type Agalc = typeof handlers;

serve(handlers);
