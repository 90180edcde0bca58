// Sliders and colour wells for constant registers. The values of the controls are part of the page's state, and override scene.toml.

import { isSameRegister } from "../state.ts";
import type { Store } from "../store.ts";
import { h } from "../ui/dom.ts";
import type { Component, Register } from "./registers.ts";

type Values = Register["values"];

const STEPS = 200;

/** A range for a slider in which the value is well inside. */
function rangeFor(value: number): { min: number; max: number; step: number } {
  if (value >= 0 && value <= 1) return { min: 0, max: 1, step: 1 / STEPS };
  const most = 2 ** Math.ceil(Math.log2(Math.abs(value) * 1.5));
  const min = value < 0 ? -most : 0;
  return { min, max: most, step: (most - min) / STEPS };
}

const shown = (value: number): string => String(Number(value.toFixed(4)));

function toHex(values: readonly number[]): string {
  const byte = (value = 0) => Math.round(255 * Math.min(1, Math.max(0, value))).toString(16).padStart(2, "0");
  return `#${byte(values[0])}${byte(values[1])}${byte(values[2])}`;
}

function fromHex(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** The controls of one register. */
class Row {
  readonly element: HTMLElement;
  private values: Values;
  private readonly refreshers: (() => void)[] = [];

  constructor(of: Register, private readonly onchange: (values: Values) => void) {
    this.values = [...of.values];
    const title = of.name ?? `${of.file}${of.register}`;
    const isColour = [0, 1, 2].every((index) => of.components.some((component) => component.index === index))
      && of.values.every((value) => value >= 0 && value <= 1);
    this.element = h("fieldset", { class: "register" },
      h("legend", {}, title, of.name ? h("span", { class: "register-name" }, `${of.file}${of.register}`) : null),
      isColour ? this.well(title) : null,
      ...of.components.map((component) => this.slider(title, component)));
  }

  /** Shows other values. */
  set(values: Values): void {
    this.values = [...values];
    for (const refresh of this.refreshers) refresh();
  }

  private change(changed: Values): void {
    this.set(changed);
    this.onchange(changed);
  }

  private well(title: string): HTMLElement {
    const input = h("input", {
      type: "color", "aria-label": `${title}, colour`,
      input: () => this.change([...fromHex(input.value), this.values[3]] as Values),
    });
    this.refreshers.push(() => (input.value = toHex(this.values)));
    input.value = toHex(this.values);
    return input;
  }

  private slider(title: string, { letter, index, name }: Component): HTMLElement {
    const label = name ?? letter;
    const setTo = (value: number) => Number.isFinite(value) && this.change(this.values.with(index, value) as Values);
    const range = h("input", {
      type: "range", "aria-label": `${title}, ${label}`, ...rangeFor(this.values[index] ?? 0), input: () => setTo(range.valueAsNumber),
    });
    const number = h("input", {
      type: "number", step: "any", "aria-label": `${title}, ${label}, exact`, change: () => setTo(number.valueAsNumber),
    });
    const refresh = () => {
      const value = this.values[index] ?? 0;
      if (value < Number(range.min) || value > Number(range.max)) Object.assign(range, rangeFor(value));
      range.value = String(value);
      number.value = shown(value);
    };
    this.refreshers.push(refresh);
    refresh();
    return h("span", { class: "component" }, h("span", { class: "letter" }, label), range, number);
  }
}

export class ConstantControls {
  readonly element = h("section", { "aria-label": "Constants" });
  private readonly reset = h("button", { click: () => this.store.set({ constants: [] }) }, "Reset");
  private rows: { register: Register; row: Row }[] = [];

  constructor(private readonly store: Store) {
    let written = store.scene.constants;
    store.listen((now, before) => {
      if (now.constants !== before.constants) this.refresh();
      if (now.files === before.files) return;
      const last = written;
      written = store.scene.constants;
      this.dropWritten(last, written);
    });
  }

  /** If scene.toml was changed after a register was set by hand, the value in the file is newer. */
  private dropWritten(before: Record<string, unknown>, now: Record<string, unknown>): void {
    const { constants } = this.store.now;
    const isNewer = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
    const kept = constants.filter(({ stage, register }) =>
      ![`${stage === "vertex" ? "vc" : "fc"}${register}`, `u${register}`].some(isNewer));
    if (kept.length < constants.length) this.store.set({ constants: kept });
  }

  /** Shows controls for these registers. */
  show(registers: readonly Register[]): void {
    this.rows = registers.map((register) => ({ register, row: new Row(register, (values) => this.change(register, values)) }));
    this.element.replaceChildren(
      h("div", { class: "controls-bar" }, h("h3", {}, "Constants"), this.rows.length > 0 ? this.reset : null),
      ...this.rows.map(({ row }) => row.element));
    if (this.rows.length === 0) this.element.append(h("p", {}, "The programs read only constants in matrices and arrays."));
    this.refresh();
  }

  private change({ stage, register, file }: Register, values: Values): void {
    // Both stages share the uniforms of unified-shader programs.
    const stages = file === "u" ? (["vertex", "fragment"] as const) : [stage];
    const changed = stages.map((stage) => ({ stage, register, values }));
    const others = this.store.now.constants.filter((one) => !changed.some((other) => isSameRegister(one, other)));
    this.store.set({ constants: [...others, ...changed] });
  }

  private refresh(): void {
    const { constants } = this.store.now;
    this.reset.disabled = constants.length === 0;
    for (const { register, row } of this.rows) {
      const set = constants.find((one) => isSameRegister(one, { ...register }));
      row.set(set ? [...set.values] : register.values);
    }
  }
}
