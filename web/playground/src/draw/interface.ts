// The inputs of a translated pair, as its reflection (docs/reflection.md) describes them, with their values from the executor's draw.

import type { Reflection, Stage } from "agalc";
import type { Constant, Draw } from "agalc/executor";

/** A member of a block, or a plain uniform. */
export interface Member {
  name: string;
  path: string;
  offset: number;
  size: number;
  type: string;
}

interface Placed {
  stage: Stage;
  register: string | null;
  name: string;
  group: number | null;
  binding: number | null;
}

export interface ConstantsResource extends Placed {
  kind: "constants";
  size: number;
  registers_at?: number;
  members: Member[];
}

export interface TextureResource extends Placed {
  kind: "texture";
  slot: number;
  dimension: Dimension;
}

export interface SamplerResource extends Placed {
  kind: "sampler";
  slot: number;
}

export type Resource = ConstantsResource | TextureResource | SamplerResource;
export type Dimension = "2d" | "3d" | "cube";

/** A texture with its sampler, as a program declares it. */
export interface Sampler {
  register: string;
  slot: number;
  name: string;
  dimension: Dimension;
  webgpu: GPUSamplerDescriptor;
  gl: Record<string, string | number>;
}

export interface Attribute {
  location: number;
  type: string;
}

/** A draw and the texts that draw it: one WGSL file, or a GLSL file for each stage. */
export interface Job {
  draw: Draw;
  texts: readonly string[];
  reflection: Reflection;
}

/** The pixels of the targets, or the reason why there are none. */
export type Outcome = { pixels: Uint8Array[]; milliseconds: number } | { refused: string };

/** The handlers of both GPU workers. */
export type Renderer = {
  init(): void;
  /** Loads the draw that is rendered from now on. */
  load(job: Job): void;
  /** Draws, with these constants instead of the scene's. */
  render(constants: readonly Constant[]): Promise<Outcome>;
};

/** The size, the distance between rows, and the kind of number of a type such as `float4x3[2]`. */
export interface Shape {
  scalar: "float" | "int" | "uint";
  columns: number;
  rows: number;
  length: number;
  isMatrix: boolean;
}

export function shape(type: string): Shape {
  const [, scalar, first = "1", second, length = "1"] = /^(float|int|uint)(\d)?(?:x(\d))?(?:\[(\d+)\])?$/.exec(type) ?? [];
  if (!scalar) throw new Error(`the page cannot set a uniform of type ${type}`);
  return {
    scalar: scalar as Shape["scalar"],
    columns: second ? Number(first) : 1,
    rows: Number(second ?? first),
    length: Number(length),
    isMatrix: second !== undefined,
  };
}

export function resources(reflection: Reflection): Resource[] {
  return reflection.outputs.flatMap(({ resources }) => resources as Resource[]);
}

function stageOf(reflection: Reflection, stage: Stage) {
  return reflection.stages.find((one) => one.stage === stage);
}

export function samplerOf(reflection: Reflection, { stage, slot }: { stage: Stage; slot: number }): Sampler {
  const samplers = (stageOf(reflection, stage)?.samplers ?? []) as Sampler[];
  const found = samplers.find((sampler) => sampler.slot === slot);
  if (!found) throw new Error(`the reflection has no sampler ${slot} in the ${stage} stage`);
  return found;
}

export function attributes(reflection: Reflection): Attribute[] {
  return (stageOf(reflection, "vertex")?.attributes ?? []).map(({ location, type }) => ({ location, type: String(type) }));
}

export function hasDepthOutput(reflection: Reflection): boolean {
  return fragmentOutputs(reflection).some(({ kind }) => kind === "depth");
}

/** The targets that the fragment program writes. */
export function writtenTargets(reflection: Reflection): Set<number> {
  const colours = fragmentOutputs(reflection).filter(({ kind }) => kind === "colour");
  return new Set(colours.map(({ target }) => target ?? 0));
}

function fragmentOutputs(reflection: Reflection): { kind: string; target: number | null }[] {
  return stageOf(reflection, "fragment")?.outputs ?? [];
}

/** The bytes of a block. Each member of a register file is at the place of its registers, 16 bytes for each. */
export function block(resource: ConstantsResource, draw: Draw, constants: readonly Constant[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(resource.size / 16) * 4);
  const { stage, register, name } = resource;
  const given = draw.uniforms.find((one) => one.stage === stage && (one.name === register || one.name === name));
  const at = (resource.registers_at ?? 0) / 4;
  if (given) words.set(given.words.subarray(0, words.length - at), at);
  if (register === null) return words;
  const floats = new Float32Array(words.buffer);
  for (const constant of constants) {
    const start = at + 4 * constant.register;
    if (constant.stage === stage && start + 4 <= floats.length) floats.set(constant.values, start);
  }
  return words;
}

type Texture = Draw["textures"][number];

/** The texture of a sampler. A texture that the scene does not set is black, as in the executor. */
export function textureOf(draw: Draw, { stage, slot, dimension }: TextureResource): Texture {
  const found = draw.textures.find((texture) => texture.stage === stage && texture.slot === slot);
  if (found) return found;
  const depth = dimension === "cube" ? 6 : 1;
  return { stage, slot, dimension, levels: [{ width: 1, height: 1, depth, rgba: new Float32Array(4 * depth) }] };
}

/** Texels as bytes: the executor's textures have four bytes for each. */
export function texels(rgba: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(rgba, (part) => Math.round(part * 255));
}
