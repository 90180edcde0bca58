// The worker that runs the executor. The worker keeps the last scene, so that the scene can be drawn again at once with new constants.

import * as agalc from "agalc/executor";
import type { Constant, Draw, Picture } from "agalc/executor";
import { Moved, serve } from "../rpc.ts";

export interface Request {
  /** The version of the files and the size; requests with the same number are about the same version. */
  revision: number;
  path: string;
  files: Record<string, string | Uint8Array>;
  size: readonly [number, number];
  constants: readonly Constant[];
}

export interface Drawn {
  pictures: Picture[];
  milliseconds: number;
}

let kept: { revision: number; scene: agalc.Scene } | undefined;

function sceneOf({ revision, path, files, size }: Request): agalc.Scene {
  if (kept?.revision === revision) return kept.scene;
  kept?.scene.free();
  kept = undefined;
  const scene = new agalc.Scene(path, files, { size });
  kept = { revision, scene };
  return scene;
}

/** The data that a GPU needs to draw the scene, with the constants of its file. */
function describe(request: Request): Moved<Draw> {
  const draw = sceneOf(request).draw();
  const levels = draw.textures.flatMap((texture) => texture.levels.map(({ rgba }) => rgba.buffer));
  const words = [...draw.attributes, ...draw.uniforms].map((one) => one.words.buffer);
  const buffers = [...levels, ...words, draw.indices.buffer].filter((buffer) => buffer.byteLength > 0);
  return new Moved(draw, [...new Set(buffers)] as ArrayBuffer[]);
}

function render(request: Request): Drawn {
  const scene = sceneOf(request);
  scene.setConstants(request.constants);
  const start = performance.now();
  const pictures = scene.render();
  return { pictures, milliseconds: performance.now() - start };
}

const handlers = { init: (module: WebAssembly.Module) => agalc.init(module), describe, render };

export type Executor = typeof handlers;

serve(handlers);
