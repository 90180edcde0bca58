// The contents of the tabs with code: translations and the dump.

import type { Dump, SourceLine, Translation } from "agalc";
import type { LanguageName } from "../editor/languages.ts";
import { lineKey } from "../lines.ts";
import type { TextFormat } from "../compiler.ts";
import { h } from "../ui/dom.ts";
import type { Content, Part } from "./code.ts";

export interface OutputFile {
  name: string;
  contents: string | Uint8Array;
}

interface Format {
  label: string;
  extension: string;
  language: LanguageName;
  /** The binary file that the text represents. */
  binary?: { format: "spirv" | "sdlbc"; extension: string };
}

export const FORMATS: Record<TextFormat, Format> = {
  wgsl: { label: "WGSL", extension: "wgsl", language: "c" },
  glsl: { label: "GLSL ES 300", extension: "glsl", language: "c" },
  "spirv-asm": { label: "SPIR-V", extension: "spvasm", language: "spirv", binary: { format: "spirv", extension: "spv" } },
  hlsl: { label: "HLSL", extension: "hlsl", language: "c" },
  msl: { label: "MSL", extension: "metal", language: "c" },
  sdlasm: { label: "SDLSHADERBC", extension: "sdlasm", language: "module", binary: { format: "sdlbc", extension: "sdlbc" } },
};

const ENDINGS = { vertex: ".vert", fragment: ".frag" } as const;

function keys(lines: readonly SourceLine[] | null, sources: readonly string[]): string[] {
  return (lines ?? []).map(({ source, line }) => lineKey(sources[source] ?? "", line));
}

export function outputFiles({ files }: Translation, extension: string): OutputFile[] {
  return files.map(({ stage, text, bytes }) => ({
    name: `shader${stage && files.length > 1 ? ENDINGS[stage] : ""}.${extension}`,
    contents: text ?? bytes,
  }));
}

export function translationContent(translation: Translation, format: TextFormat): Content {
  const { language, extension } = FORMATS[format];
  const { files, sources } = translation;
  const names = outputFiles(translation, extension).map(({ name }) => name);
  const parts = files.map(({ text, lines }, at): Part => ({
    title: files.length > 1 ? names[at] ?? null : null,
    text: text ?? "",
    sources: (lines ?? []).map((line) => keys(line, sources)),
  }));
  return { parts, language };
}

/** A line of a dump: the offset, the word, the indentation and the meaning. */
const WORD = /^([0-9a-f]{6})  ([0-9a-f]{8})  ( *)(.*)$/;

/** The meanings of the lines around a word, from the outermost to the innermost. */
function path(lines: readonly string[], at: number): string[] {
  const found: string[] = [];
  let depth = Infinity;
  for (let line = at; line >= 0 && depth > 0; line--) {
    const [, , , indent, text] = WORD.exec(lines[line] ?? "") ?? [];
    if (indent === undefined || text === undefined || indent.length >= depth) continue;
    depth = indent.length;
    found.unshift(text);
  }
  return found;
}

/** The meaning of a word: the structures that contain it, its place, and its value in other forms. */
function meaning(lines: readonly string[], at: number): HTMLElement | null {
  const [, offset = "", word = ""] = WORD.exec(lines[at] ?? "") ?? [];
  if (word === "") return null;
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, Number.parseInt(word, 16));
  const float = Number(view.getFloat32(0).toPrecision(7));
  return h("div", { class: "markdown" },
    h("ul", { class: "path" }, ...path(lines, at).map((part) => h("li", {}, part))),
    h("p", { class: "detail" }, `byte ${Number.parseInt(offset, 16)}; ${view.getInt32(0)}, or as a float ${float}`));
}

export function dumpContent({ text, lines, sources }: Dump): Content {
  const texts = text.split("\n");
  const part: Part = { title: null, text, sources: lines.map((line) => keys(line, sources)) };
  return { parts: [part], language: "dump", meaning: (line) => meaning(texts, line) };
}
