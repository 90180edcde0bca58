// A picture on the page: the name of its renderer, its pixels, its rendering time, and its difference from a reference picture.

import { h } from "../ui/dom.ts";
import { type Difference, THRESHOLD, compare, differencePicture } from "./compare.ts";

/** A picture for each target. */
export interface Pictures {
  width: number;
  height: number;
  pixels: readonly Uint8Array[];
  milliseconds: number;
}

export interface View {
  target: number;
  /** The factor by which differences are amplified; 0 shows the pictures themselves. */
  factor: number;
}

export class Figure {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly time = h("span", { class: "time" });
  private readonly note = h("div", { class: "figure-note" });
  private pictures: Pictures | null = null;

  constructor(private readonly name: string, id: string) {
    this.canvas = h("canvas", { role: "img", "aria-label": `Picture by ${name}`, width: 1, height: 1 });
    this.element = h("figure", { id, class: "empty" },
      h("figcaption", {}, h("span", { class: "name" }, name), this.time), h("div", { class: "frame" }, this.canvas), this.note);
  }

  get shown(): Pictures | null {
    return this.pictures;
  }

  /** Shows that another picture is being drawn. */
  begin(): void {
    this.element.setAttribute("aria-busy", "true");
  }

  set(pictures: Pictures): void {
    this.pictures = pictures;
    this.element.removeAttribute("aria-busy");
    this.element.className = "";
    this.time.textContent = `${pictures.milliseconds.toFixed(pictures.milliseconds < 10 ? 1 : 0)} ms`;
    this.note.replaceChildren();
  }

  /** Marks the picture as not showing the current sources. */
  outdate(): void {
    this.begin();
    if (this.pictures) this.element.className = "stale";
  }

  /** Shows that there is no picture. */
  refuse(why: HTMLElement | string): void {
    this.element.removeAttribute("aria-busy");
    this.element.className = this.pictures ? "stale" : "empty";
    this.note.replaceChildren(why);
  }

  /** Paints the picture; with a reference picture, paints the difference. */
  paint({ target, factor }: View, reference: Pictures | null): void {
    const own = this.pictures;
    const pixels = own?.pixels[target];
    if (!own || !pixels) return;
    const other = reference?.width === own.width && reference.height === own.height ? reference.pixels[target] : undefined;
    const shown = factor > 0 && other ? differencePicture(pixels, other, factor) : pixels;
    [this.canvas.width, this.canvas.height] = [own.width, own.height];
    const image = new ImageData(new Uint8ClampedArray(shown), own.width, own.height);
    this.canvas.getContext("2d")?.putImageData(image, 0, 0);
    const isDifference = shown !== pixels;
    const what = isDifference ? `Difference of ${this.name} from the executor` : `Picture by ${this.name}`;
    this.canvas.setAttribute("aria-label", what);
    if (other) this.note.replaceChildren(describe(compare(pixels, other, own), own));
  }
}

function describe({ greatest, elsewhere, mean, differing }: Difference, { width, height }: Pictures): HTMLElement {
  const percent = (100 * differing) / (width * height);
  const entries: [string, string][] = [
    ["greatest", `${greatest}${greatest > elsewhere ? `, ${elsewhere} outside edges` : ""}`],
    ["mean", mean.toFixed(3)],
    [`above ${THRESHOLD}`, `${percent.toFixed(percent > 0 && percent < 0.1 ? 3 : 1)} % of pixels`],
  ];
  return h("dl", { class: elsewhere > THRESHOLD ? "difference large" : "difference" },
    ...entries.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]));
}
