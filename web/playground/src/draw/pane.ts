// The pane with the pair's pictures, which the executor, WebGL 2 and WebGPU draw.
//
// A GPU draws only after the executor has drawn: the executor stops a program that does not terminate, whereas a GPU would hang.

import type { Draw } from "agalc/executor";
import type { Compiler } from "../compiler.ts";
import { type Go, failure } from "../output/findings.ts";
import { inputs, sizeOf } from "../scene/description.ts";
import { Cancelled, type Service } from "../service.ts";
import { SCENE } from "../state.ts";
import type { Store } from "../store.ts";
import { byId, h } from "../ui/dom.ts";
import type { Executor, Request } from "../workers/executor.ts";
import { Figure, type Pictures, type View } from "./figure.ts";
import type { Job, Renderer } from "./interface.ts";

export interface Services {
  executor: Service<Executor>;
  webgl: Service<Renderer>;
  webgpu: Service<Renderer>;
}

interface Gpu {
  service: Service<Renderer>;
  figure: Figure;
  /** The format of its programs. */
  format: "glsl" | "wgsl";
}

const SIDES: readonly [number, string][] = [[128, "128"], [256, "256"], [512, "512"], [0, "as in scene.toml"]];
const FACTORS: readonly [number, string][] = [[0, "pictures"], [1, "differences"], [16, "differences × 16"], [64, "differences × 64"]];

export class PicturePane {
  private readonly executor = new Figure("Executor", "by-executor");
  private readonly gpus: readonly Gpu[];
  private readonly targets = h("select", { "aria-label": "Render target", hidden: true, change: () => this.setTarget() });
  private view: View = { target: 0, factor: 0 };
  /** Counts the versions of the files and the size. */
  private revision = 0;
  /** The revision that the GPUs have. */
  private loaded = 0;
  /** Called with each new draw. */
  ondraw: (draw: Draw) => void = () => {};

  constructor(
    private readonly store: Store,
    private readonly compiler: Compiler,
    private readonly services: Services,
    private readonly go: Go,
  ) {
    this.gpus = [
      { service: services.webgl, figure: new Figure("WebGL 2", "by-webgl"), format: "glsl" },
      { service: services.webgpu, figure: new Figure("WebGPU", "by-webgpu"), format: "wgsl" },
    ];
    byId("figures").append(this.executor.element, ...this.gpus.map(({ figure }) => figure.element));
    byId("picture-tools").append(this.targets, this.select("Show", FACTORS, 0, (factor) => {
      this.view = { ...this.view, factor };
      this.paint();
    }), this.select("Size", SIDES, store.now.side, (side) => store.set({ side })));
  }

  private select(label: string, options: readonly [number, string][], selected: number, onchange: (value: number) => void): HTMLElement {
    const select = h("select", { change: () => onchange(Number(select.value)) },
      ...options.map(([value, text]) => h("option", { value, selected: value === selected }, text)));
    return h("label", {}, label, select);
  }

  private setTarget(): void {
    this.view = { ...this.view, target: Number(this.targets.value) };
    this.paint();
  }

  private get request(): Request {
    const { now: { files, constants, side }, scene } = this.store;
    return {
      revision: this.revision,
      path: SCENE,
      files: Object.fromEntries(files.map(({ name, data }) => [name, data])),
      size: sizeOf(scene, side),
      constants,
    };
  }

  /** Draws the current files. */
  async update(): Promise<void> {
    const revision = ++this.revision;
    for (const figure of this.figures) figure.outdate();
    const { now: { files, constants }, scene } = this.store;
    if (inputs(files, scene).length < scene.programs.length || scene.programs.length === 0) {
      for (const figure of this.figures) figure.refuse("A picture needs a vertex and a fragment program: name both in scene.toml.");
      return;
    }
    try {
      const draw = await this.services.executor.call("describe", [this.request], { key: "describe" });
      if (revision !== this.revision) return;
      this.ondraw(draw);
      this.showTargets(draw.targets);
      await this.execute();
      if (revision !== this.revision) return;
      await Promise.all(this.gpus.map((gpu) => this.load(gpu, draw)));
      if (revision !== this.revision) return;
      this.loaded = revision;
      if (this.store.now.constants !== constants) await this.redraw();
    } catch (error) {
      if (error instanceof Cancelled && error.by === "newer") return;
      if (revision === this.revision) this.failed(error as Error);
    }
  }

  /** Draws again, with other constants. */
  async redraw(): Promise<void> {
    // If the GPUs are still loading the draw, `update` draws it with the new constants after loading.
    if (this.loaded !== this.revision) return;
    for (const figure of this.figures) figure.begin();
    try {
      await Promise.all([this.execute(), ...this.gpus.map((gpu) => this.render(gpu))]);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.failed(error as Error);
    }
  }

  private get figures(): Figure[] {
    return [this.executor, ...this.gpus.map(({ figure }) => figure)];
  }

  private async execute(): Promise<void> {
    const { revision } = this;
    const { pictures, milliseconds } = await this.services.executor.call("render", [this.request], { key: "render" });
    const [first] = pictures;
    if (!first || revision !== this.revision) return;
    const { width, height } = first;
    this.executor.set({ width, height, pixels: pictures.map(({ rgba }) => rgba), milliseconds });
    this.paint();
  }

  private async load(gpu: Gpu, draw: Draw): Promise<void> {
    const { revision } = this;
    try {
      const { files, reflection } = await this.compiler.translation(gpu.format);
      const job: Job = { draw, texts: files.map(({ text }) => text ?? ""), reflection };
      await gpu.service.call("load", [job], { key: "load" });
      // If the files have changed during loading, the loaded draw is outdated and is not rendered.
      if (revision === this.revision) await this.render(gpu);
    } catch (error) {
      if (revision !== this.revision || (error instanceof Cancelled && error.by === "newer")) return;
      gpu.figure.refuse(failure(error as Error, this.go));
    }
  }

  private async render({ service, figure }: Gpu): Promise<void> {
    const { revision } = this;
    const outcome = await service.call("render", [this.store.now.constants], { key: "render" }).catch((error) => {
      if (error instanceof Cancelled && error.by === "newer") return null;
      return { refused: (error as Error).message };
    });
    const { shown } = this.executor;
    if (!outcome || !shown || revision !== this.revision) return;
    if ("refused" in outcome) figure.refuse(h("p", { class: "refused" }, outcome.refused));
    else figure.set({ width: shown.width, height: shown.height, ...outcome } satisfies Pictures);
    this.paint();
  }

  private paint(): void {
    const { shown } = this.executor;
    this.executor.paint({ ...this.view, factor: 0 }, null);
    for (const { figure } of this.gpus) figure.paint(this.view, shown);
  }

  private showTargets(count: number): void {
    this.targets.hidden = count < 2;
    if (this.targets.options.length === count) return;
    this.targets.replaceChildren(...Array.from({ length: count }, (_, target) => h("option", { value: target }, `target ${target}`)));
    this.view = { ...this.view, target: 0 };
  }

  private failed(error: Error): void {
    const click = () => {
      this.compiler.forget();
      void this.update();
    };
    const again = error instanceof Cancelled ? h("button", { click }, "Draw again") : null;
    this.executor.refuse(h("div", {}, failure(error, this.go), again));
    for (const { figure } of this.gpus) figure.refuse("");
  }
}
