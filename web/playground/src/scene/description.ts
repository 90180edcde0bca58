// The parts of scene.toml (docs/scenes.md) that the page itself reads. The executor reads the whole file and reports its errors.

import { parse } from "smol-toml";
import type { Input, ReadOptions } from "agalc";
import { NAMES, SCENE, type SourceFile, textOf } from "../state.ts";

/** The programs of a scene: two files, or one with both. */
export interface Description {
  /** The files of the programs, the vertex program first. */
  programs: string[];
  options: ReadOptions;
  width: number;
  height: number;
  /** The built-in shape that is drawn, or null for any other mesh. */
  mesh: string | null;
  /** Textures by their registers: the kind of a built-in one, or null. */
  textures: Record<string, string | null>;
  /** The values of constants in the file, by their registers. */
  constants: Record<string, unknown>;
}

type Toml = Record<string, unknown>;

const isTable = (value: unknown): value is Toml => typeof value === "object" && value !== null && !Array.isArray(value);
const stringOf = (value: unknown) => (typeof value === "string" ? value : null);

function readOptions(value: unknown): ReadOptions {
  if (!isTable(value)) return {};
  const { agal_version, define, compat, profile, allow, allow_ted, ifg, index, signed_offsets } = value;
  const given = {
    agalVersion: agal_version, defines: define, compat, profile, allow, allowTed: allow_ted, ifg, index, signedOffsets: signed_offsets,
  };
  return Object.fromEntries(Object.entries(given).filter(([, option]) => option !== undefined));
}

/** @throws if it is not TOML */
export function describe(text: string): Description {
  const scene = parse(text);
  const { program, vertex, fragment, options, mesh } = scene;
  const [width = 512, height = width] = [scene.size ?? 512].flat().map(Number);
  const named = program === undefined ? [vertex, fragment] : [program];
  const textures = isTable(scene.textures) ? scene.textures : {};
  return {
    programs: named.map(stringOf).filter((name) => name !== null),
    options: readOptions(options),
    width,
    height,
    mesh: stringOf(isTable(mesh) ? mesh.shape : mesh),
    textures: Object.fromEntries(Object.entries(textures).map(([register, texture]) =>
      [register, stringOf(isTable(texture) ? texture.kind : texture)])),
    constants: isTable(scene.constants) ? scene.constants : {},
  };
}

/** The programs of the files as inputs of agalc, without programs that have no text. */
export function inputs(files: readonly SourceFile[], { programs }: Description): Input[] {
  const found = programs.map((name) => files.find((file) => file.name === name));
  return found.filter((file) => file !== undefined).filter(({ data }) => typeof data !== "string" || data.trim() !== "");
}

export function optionsOf(files: readonly SourceFile[], { options }: Description): ReadOptions {
  const names = textOf(files, NAMES);
  return names.trim() === "" ? options : { ...options, names };
}

/** The size for a longer side; 0 selects the scene's own size. */
export function sizeOf({ width, height }: Description, side: number): [number, number] {
  const longer = Math.max(width, height, 1);
  if (side === 0 || side >= longer) return [width, height];
  return [width, height].map((length) => Math.max(1, Math.round((length * side) / longer))) as [number, number];
}

/** The description of the scene. While its text is not TOML, the description of the last text that was TOML. */
export class Descriptions {
  private text = "";
  private last: Description = describe("");

  of(files: readonly SourceFile[]): Description {
    const text = textOf(files, SCENE);
    if (text === this.text) return this.last;
    try {
      this.last = describe(text);
      this.text = text;
    } catch {
      // The executor reports the error, with its line number.
    }
    return this.last;
  }
}
