// The functions of `agalc/executor`, which executor.d.ts declares and documents.

import * as wasm from "./executor.js";
import { AgalcError, bytesOf, called, inputsOf } from "./common.mjs";

export { AgalcError };

export class Scene {
  #scene;

  constructor(path, files, options) {
    const bytes = Object.entries(files).map(([name, data]) => ({ name, data: bytesOf(data, `\`${name}\``) }));
    this.#scene = called(() => new wasm.Scene(path, bytes, options));
  }

  get about() {
    return this.#scene.about;
  }

  get module() {
    return this.#scene.module;
  }

  get diagnostics() {
    return this.#scene.diagnostics;
  }

  setConstants(constants) {
    called(() => this.#scene.setConstants(constants));
  }

  render(float) {
    return called(() => this.#scene.render(float));
  }

  draw() {
    return called(() => this.#scene.draw());
  }

  free() {
    this.#scene.free();
  }
}

export function run(inputs, settings, options) {
  return called(() => wasm.run(inputsOf(inputs), settings, options));
}
