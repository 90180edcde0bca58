// The state of the page, which is also the content of a link: the files of a scene, and the values of the controls.

import type { Constant } from "agalc/executor";

/** A file of the scene: a text that can be edited, or the bytes of one that cannot. */
export interface SourceFile {
  readonly name: string;
  readonly data: string | Uint8Array;
}

export interface State {
  readonly files: readonly SourceFile[];
  /** Constant registers whose values the controls set. */
  readonly constants: readonly Constant[];
  /** The longer side of the pictures in pixels, or 0 for the scene's own size. */
  readonly side: number;
  /** The file and the output that are shown. */
  readonly file: string;
  readonly output: string;
}

/** The file that describes the scene. */
export const SCENE = "scene.toml";
/** The file that names registers. */
export const NAMES = "names.toml";

/** The files with one replaced, or added. */
export function withFile(files: readonly SourceFile[], file: SourceFile): SourceFile[] {
  const at = files.findIndex(({ name }) => name === file.name);
  return at < 0 ? [...files, file] : files.with(at, file);
}

/** The files of a scene, including one for names. */
export function withNames(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.some(({ name }) => name === NAMES) ? files : [...files, { name: NAMES, data: "" }];
}

export function textOf(files: readonly SourceFile[], name: string): string {
  const data = files.find((file) => file.name === name)?.data;
  return typeof data === "string" ? data : "";
}

/** Whether two calls set the same register. */
export function isSameRegister(a: Constant, b: Constant): boolean {
  return a.stage === b.stage && a.register === b.register;
}
