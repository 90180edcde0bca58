// Opens files that the user drops on the page or chooses: scenes, programs, applications, pictures and meshes.

import { describe } from "../scene/description.ts";
import { withProgram } from "../scene/programs.ts";
import type { Service } from "../service.ts";
import { SCENE, type SourceFile } from "../state.ts";
import type { Store } from "../store.ts";
import { byId } from "../ui/dom.ts";
import type { Agalc } from "../workers/agalc.ts";
import type { Extract } from "../workers/extract.ts";
import { showExtracted } from "./extracted.ts";

/** The extensions of the files that `extract` searches. */
const APPLICATION = /\.(?:swf|swc|abc|as|hx)$/i;
/** The files that a scene may name. */
const RESOURCE = /\.(?:png|obj)$/i;
/** Returns a file as text if it is text. */
async function sourceFile(file: File): Promise<SourceFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\0")) return { name: file.name, data: bytes };
    return { name: file.name, data: text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text };
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

  /** Opens a scene together with the files that it names. */
  private openScene(scene: SourceFile, files: readonly SourceFile[]): void {
    const others = files.filter((file) => file !== scene);
    this.store.open([...others, { name: SCENE, data: scene.data }]);
  }

  private async add(file: SourceFile): Promise<void> {
    if (RESOURCE.test(file.name)) {
      this.store.write(file);
      return this.say(`${file.name} was added: scene.toml can now name it.`);
    }
    const { kind, stages } = await this.agalc.call("read", [file]);
    if (stages.length === 0 && !kind.includes("AGAL") && !kind.includes("SDLSHADERBC") && !kind.includes("unified-shader")) {
      // The call throws agalc's error about the file.
      await this.agalc.call("translate", [[file], "wgsl", {}]);
    }
    const { now, scene } = this.store;
    const files = withProgram(now, scene, file, stages);
    this.store.set({ files, file: file.name, constants: [] });
  }
}

function isScene(text: string): boolean {
  try {
    return describe(text).programs.length > 0;
  } catch {
    return false;
  }
}
