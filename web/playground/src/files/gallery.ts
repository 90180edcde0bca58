// The gallery: the scenes of testdata, which the build has put into one file.

import { restored } from "../link.ts";
import { START } from "../scene/start.ts";
import type { SourceFile } from "../state.ts";
import type { Store } from "../store.ts";
import { dialog } from "../ui/dialog.ts";
import { byId, h } from "../ui/dom.ts";

interface Scene {
  name: string;
  about: string;
  /** A small picture as a data address, if the build has drawn one. */
  thumbnail?: string;
  files: Parameters<typeof restored>[0][];
}

export class Gallery {
  private constructor(private readonly scenes: readonly Scene[]) {}

  static async load(): Promise<Gallery> {
    const response = await fetch("gallery.json");
    return new Gallery((await response.json()) as Scene[]);
  }

  files(name: string): readonly SourceFile[] {
    return this.scenes.find((scene) => scene.name === name)?.files.map(restored) ?? START;
  }

  setUp(store: Store): void {
    const element = dialog("gallery");
    const choose = (files: readonly SourceFile[]) => {
      store.open(files);
      element.close();
    };
    const entry = (title: string, about: string, files: () => readonly SourceFile[], thumbnail?: string) =>
      h("li", {}, h("button", { class: "scene", click: () => choose(files()) },
        thumbnail ? h("img", { src: thumbnail, alt: "", loading: "lazy" }) : h("span", { class: "no-picture" }),
        h("span", { class: "text" }, h("span", { class: "name" }, title), h("span", { class: "about" }, about))));
    byId("scenes").replaceChildren(
      entry("a new pair", "A vertex and a fragment program to begin with", () => START),
      ...this.scenes.map(({ name, about, thumbnail }) => entry(name.replaceAll("_", " "), about, () => this.files(name), thumbnail)));
    byId("open-gallery").addEventListener("click", () => element.showModal());
  }
}
