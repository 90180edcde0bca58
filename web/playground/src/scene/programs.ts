// Makes a file one of the scene's programs.

import type { Stage } from "agalc";
import { SCENE, type SourceFile, type State, textOf, withFile } from "../state.ts";
import type { Description } from "./description.ts";
import { setKey } from "./edit.ts";
import { SCENE_TEXT, START, START_FRAGMENT, START_VERTEX } from "./start.ts";

/** Names the programs in the text of scene.toml: one with both stages, or a vertex and a fragment program. */
function naming(text: string, programs: Partial<Record<"program" | Stage, string>>): string {
  return (["program", "vertex", "fragment"] as const).reduce((text, key) => {
    const name = programs[key];
    return setKey(text, null, key, name === undefined ? null : JSON.stringify(name));
  }, text);
}

/**
 * Returns the files with a program added, which replaces the scene's program of the same stage. If the stage of the added program is
 * unknown, the program replaces the one that the editor shows. A file with both stages replaces all programs.
 */
export function withProgram(now: State, scene: Description, file: SourceFile, stages: readonly Stage[]): SourceFile[] {
  const [vertex = START_VERTEX, fragment = START_FRAGMENT] = scene.programs.length === 2 ? scene.programs : [];
  const isVertex = stages[0] === "vertex" || (stages.length === 0 && now.file === vertex);
  const programs = stages.length === 2
    ? { program: file.name }
    : isVertex ? { vertex: file.name, fragment } : { vertex, fragment: file.name };
  const used = new Set<string>(Object.values(programs));
  const rest = now.files.filter(({ name }) => name !== file.name && (used.has(name) || !scene.programs.includes(name)));
  const missing = START.filter(({ name }) => used.has(name) && name !== file.name && !rest.some((one) => one.name === name));
  const text = naming(textOf(now.files, SCENE) || SCENE_TEXT, programs);
  return withFile([file, ...missing, ...rest], { name: SCENE, data: text });
}
