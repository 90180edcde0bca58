// Opening files that are dropped on the page or chosen: scenes, programs, applications, pictures and meshes.

import type { Stage } from "agalc";
import { setKey } from "../scene/edit.ts";
import { SCENE_TEXT, START, START_FRAGMENT, START_VERTEX } from "../scene/start.ts";
import { describe } from "../scene/description.ts";
import type { Service } from "../service.ts";
import { SCENE, type SourceFile, textOf, withFile } from "../state.ts";
import type { Store } from "../store.ts";
import { byId } from "../ui/dom.ts";
import type { Agalc } from "../workers/agalc.ts";
import type { Extract } from "../workers/extract.ts";
import { showExtracted } from "./extracted.ts";

/** What `extract` searches, by the ends of names. */
const APPLICATION = /\.(?:swf|swc|abc|as|hx)$/i;
/** What a scene may name. */
const RESOURCE = /\.(?:png|obj)$/i;
const IS_TEXT = /\.(?:agal|agalasm|toml|obj|es2|sdlasm|txt|as|hx|wgsl|glsl|hlsl|metal)$/i;

async function sourceFile(file: File): Promise<SourceFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!IS_TEXT.test(file.name) && bytes.subarray(0, 4096).includes(0)) return { name: file.name, data: bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { name: file.name, data: text.replace(/\r\n?/g, "\n") };
  } catch {
    return { name: file.name, data: bytes };
  }
}

export class Opening {
  constructor(
    private readonly store: Store,
    private readonly agalc: Service<Agalc>,
    private readonly extract: Service<Extract>,
    private readonly say: (message: string) => void,
  ) {}

  setUp(): void {
    const input = byId<HTMLInputElement>("chosen-files");
    byId("open-files").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      void this.open([...(input.files ?? [])]);
      input.value = "";
    });
    const veil = byId("drop");
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    window.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      veil.hidden = false;
    });
    window.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) veil.hidden = true;
    });
    window.addEventListener("drop", (event) => {
      veil.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void this.open([...(event.dataTransfer?.files ?? [])]);
    }, { capture: true });
  }

  private async open(chosen: readonly File[]): Promise<void> {
    try {
      const files = await Promise.all(chosen.map(sourceFile));
      const [application] = files.filter(({ name }) => APPLICATION.test(name));
      const scene = files.find(({ name, data }) => name.endsWith(".toml") && typeof data === "string" && isScene(data));
      if (application) await this.search(application);
      else if (scene) this.openScene(scene, files);
      else for (const file of files) await this.add(file);
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  private async search(application: SourceFile): Promise<void> {
    const found = await this.extract.call("extract", [[application]]);
    const [problem] = found.diagnostics;
    if (found.files.length === 0) return this.say(problem?.message ?? `${application.name} has no shaders.`);
    showExtracted(found, application.name, (programs) => void this.addAll(programs));
  }

  private async addAll(files: readonly SourceFile[]): Promise<void> {
    for (const file of files) await this.add(file);
  }

  /** A scene, which was opened together with the files that it names. */
  private openScene(scene: SourceFile, files: readonly SourceFile[]): void {
    const others = files.filter((file) => file !== scene);
    this.store.open([...others, { name: SCENE, data: scene.data }]);
  }

  private async add(file: SourceFile): Promise<void> {
    if (RESOURCE.test(file.name)) {
      this.store.write(file);
      return this.say(`${file.name} is there: scene.toml can name it.`);
    }
    const { kind, stages } = await this.agalc.call("read", [file]);
    if (stages.length === 0 && !kind.includes("AGAL") && !kind.includes("SDLSHADERBC") && !kind.includes("unified-shader")) {
      // The error says what agalc does with such a file.
      await this.agalc.call("translate", [[file], "wgsl", {}]);
    }
    this.use(file, stages);
  }

  /** Makes a file the scene's program, or one of its two. */
  private use(file: SourceFile, stages: readonly Stage[]): void {
    const { now, scene } = this.store;
    const quoted = JSON.stringify(file.name);
    const [first, second] = scene.programs.length === 2 ? scene.programs : [START_VERTEX, START_FRAGMENT];
    let text = textOf(now.files, SCENE) || SCENE_TEXT;
    let files = now.files;
    if (stages.length === 2) {
      text = setKey(setKey(setKey(text, null, "vertex", null), null, "fragment", null), null, "program", quoted);
      files = files.filter(({ name }) => !scene.programs.includes(name));
    } else {
      const isVertex = stages[0] === "vertex" || (stages.length === 0 && now.file === first);
      const [vertex, fragment] = isVertex ? [file.name, second ?? ""] : [first ?? "", file.name];
      text = setKey(text, null, "program", null);
      text = setKey(setKey(text, null, "vertex", JSON.stringify(vertex)), null, "fragment", JSON.stringify(fragment));
      files = files.filter(({ name }) => !scene.programs.includes(name) || name === vertex || name === fragment);
      const missing = START.filter(({ name }) => (name === vertex || name === fragment) && !files.some((one) => one.name === name));
      files = [...missing, ...files];
    }
    const others = files.filter(({ name }) => name !== file.name);
    this.store.set({ files: withFile([file, ...others], { name: SCENE, data: text }), file: file.name, constants: [] });
  }
}

function isScene(text: string): boolean {
  try {
    return describe(text).programs.length > 0;
  } catch {
    return false;
  }
}
