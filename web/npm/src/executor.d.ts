// The types of `agalc/executor`: agalc's own executor, which runs programs and draws scenes without a GPU.

import type { Diagnostic, Inputs, ReadOptions, Stage } from "./index.js";
export { AgalcError } from "./index.js";

/** Like `init` of `agalc`, for this module. */
export function init(wasm?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** A picture: rows from the top, four bytes per pixel (red, green, blue, alpha), as in the PNG that `agalc render` writes. */
export interface Picture {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** A scene (docs/scenes.md): a pair, a mesh, textures and constants. Free it when it is no longer used. */
export class Scene {
  /** Reads a scene's file and the files to which it refers.
   *
   * @param path the scene's file, a key of `files`
   * @param files the contents of all files, keyed by path, with `/` between folders; text may be a string
   * @throws {AgalcError} with the first error */
  constructor(path: string, files: Record<string, string | Uint8Array>, options?: { size?: readonly [number, number] });
  /** A description in one line. */
  readonly about: string;
  /** The pair as an SDLSHADERBC file, an input for `translate`. */
  readonly module: Uint8Array;
  /** Warnings about the programs. */
  readonly diagnostics: Diagnostic[];
  /** Sets constant registers, as the scene's file would. Registers that the program does not read are ignored. */
  setConstants(constants: readonly Constant[]): void;
  /** Draws the scene: one picture for each render target. */
  render(float?: "f32" | "f24"): Picture[];
  /** The data that an application uploads to draw the scene on a GPU. */
  draw(): Draw;
  free(): void;
}

/** The data of a draw that an application uploads in addition to the shaders. */
export interface Draw {
  width: number;
  height: number;
  /** The number of render targets. */
  targets: number;
  /** The initial colour: red, green, blue, alpha. */
  clear: [number, number, number, number];
  cull: "none" | "back" | "front";
  /** The depth test; null without a depth buffer. */
  depth: "always" | "less" | "less-equal" | null;
  topology: "triangles" | "points";
  instances: number;
  indices: Uint32Array;
  /** By location, four 32-bit words for each vertex, in the type that the reflection gives for the attribute (floats by default). */
  attributes: { location: number; words: Uint32Array }[];
  /** The words of each uniform; constant registers have four floats each. */
  uniforms: { stage: Stage; name: string; words: Uint32Array }[];
  textures: {
    stage: Stage;
    slot: number;
    dimension: "2d" | "3d" | "cube";
    /** The mip levels, largest first. `rgba` has rows from the top (v = 0), then slices or the faces +x, -x, +y, -y, +z, -z. */
    levels: { width: number; height: number; depth: number; rgba: Float32Array }[];
  }[];
}

/** The value of a constant register. */
export interface Constant {
  stage: Stage;
  register: number;
  values: readonly [number, number, number, number];
}

export interface Run {
  stage: Stage;
  /** Whether the fragment was discarded. */
  discarded: boolean;
  /** The outputs by name: `op`, `oc`, `v0`, ... */
  outputs: Record<string, number[]>;
}

/** Runs one invocation of a program.
 *
 * @param settings the values of inputs, keyed by name or by register (such as `va0`, `vc3` or `v1`). Inputs without a value are 0, and
 *   textures are white.
 * @throws {AgalcError} if the program cannot be run or does not terminate */
export function run(inputs: Inputs, settings: Record<string, readonly number[]>, options?: ReadOptions): Run;
