// Lists of built-in meshes and textures (docs/scenes.md). Selecting an entry changes scene.toml.

import type { Reflection } from "agalc";
import type { Dimension, Sampler } from "../draw/interface.ts";
import { setKey } from "../scene/edit.ts";
import type { Store } from "../store.ts";
import { h } from "../ui/dom.ts";

const MESHES = ["quad", "plane", "grid", "cube", "sphere", "torus", "knot", "cylinder", "sprites", "rectangle", "triangle"];
const TEXTURES: Record<Dimension, readonly string[]> = {
  "2d": ["checker", "gradient", "noise", "bricks", "bumps", "disc", "landscape", "levels"],
  cube: ["faces", "sky"],
  "3d": ["ramp"],
};
const OTHER = "as in scene.toml";

/** A list in which a value that is not listed is shown as the scene's own. */
function list(label: string, options: readonly string[], selected: string | null, onchange: (value: string) => void): HTMLElement {
  const isListed = selected !== null && options.includes(selected);
  const select = h("select", { change: () => onchange(select.value) },
    isListed ? null : h("option", { value: "", selected: true, disabled: true }, selected ?? OTHER),
    ...options.map((option) => h("option", { value: option, selected: option === selected }, option)));
  return h("label", {}, h("span", {}, label), select);
}

export class ResourceControls {
  readonly element = h("section", { "aria-label": "Mesh and textures" });

  constructor(private readonly store: Store) {}

  show(reflection: Reflection): void {
    const { mesh, textures } = this.store.scene;
    const samplers = reflection.stages.flatMap(({ samplers }) => samplers as Sampler[]);
    const edit = (table: string | null, key: string) => (value: string) =>
      this.store.editScene((text) => setKey(text, table, key, JSON.stringify(value)));
    this.element.replaceChildren(
      h("h3", {}, "Mesh and textures"),
      list("mesh", MESHES, mesh, edit(null, "mesh")),
      ...samplers.map(({ register, name, dimension }) =>
        list(name === register ? register : `${name} (${register})`, TEXTURES[dimension], textures[register] ?? null, edit("textures", register))));
  }
}
