// The functions of `agalc`, which index.d.ts declares and documents.

import * as wasm from "./agalc.js";
import { AgalcError, bytesOf, called, inputsOf } from "./common.mjs";

export { AgalcError };

export function translate(inputs, format, options) {
  return called(() => wasm.translate(inputsOf(inputs), format, options));
}

export function validate(inputs, options) {
  return called(() => wasm.validate(inputsOf(inputs), options));
}

export function assemble(input, options) {
  return called(() => wasm.assemble(inputsOf(input), options));
}

export function disassemble(input, options) {
  return called(() => wasm.disassemble(inputsOf(input), options));
}

export function inspect(inputs, options) {
  return called(() => wasm.inspect(inputsOf(inputs), options));
}

export function dump(inputs, options) {
  return called(() => wasm.dump(inputsOf(inputs), options));
}

export function detect(data) {
  return wasm.detect(bytesOf(data, "the file"));
}

export function version() {
  return wasm.version();
}

export class LanguageServer {
  #server = new wasm.LanguageServer();

  send(message) {
    // Unlike in the protocol, messages need no version field (`jsonrpc`).
    return called(() => JSON.parse(this.#server.send(JSON.stringify(message))));
  }

  free() {
    this.#server.free();
  }
}
