// agalc's outputs for the scene's programs. For each version of the sources, each output is made at most once.

import type { Dump, Format, Input, Options, Translation, Validated } from "agalc";
import { inputs, optionsOf } from "./scene/description.ts";
import type { Service } from "./service.ts";
import type { Store } from "./store.ts";
import type { Agalc } from "./workers/agalc.ts";

/** The formats that are shown, with their options. The page draws with the first two. */
const OPTIONS = {
  wgsl: {},
  glsl: { layout: "webgl2" },
  "spirv-asm": {},
  hlsl: {},
  msl: {},
  sdlasm: {},
} as const satisfies Partial<Record<Format, Options>>;

export type TextFormat = keyof typeof OPTIONS;

export class Compiler {
  private cache = new Map<string, Promise<unknown>>();
  private last: readonly [readonly Input[], Options] = [[], {}];

  constructor(private readonly service: Service<Agalc>, private readonly store: Store) {}

  /** @throws Failed with the errors, or Cancelled */
  translation(format: TextFormat): Promise<Translation> {
    return this.once(format, () => this.translate(format, { debug: "full", ...OPTIONS[format] }, format));
  }

  /** A file that is not text: SPIR-V or SDLSHADERBC. */
  binary(format: "spirv" | "sdlbc"): Promise<Translation> {
    return this.once(format, () => this.translate(format, {}, null));
  }

  dump(): Promise<Dump> {
    return this.once("dump", () => this.service.call("dump", [...this.sources({ debug: "full" })], { key: "dump" }));
  }

  validated(): Promise<Validated> {
    return this.once("validate", () => this.service.call("validate", [...this.sources({})], { key: "validate" }));
  }

  /** Discards the outputs of earlier sources. Returns whether there were any. */
  refresh(): boolean {
    const [programs, options] = this.sources({});
    const [before, optionsBefore] = this.last;
    const isSame = programs.length === before.length
      && programs.every(({ name, data }, at) => name === before[at]?.name && data === before[at]?.data)
      && JSON.stringify(options) === JSON.stringify(optionsBefore);
    if (isSame) return false;
    this.last = [programs, options];
    this.cache.clear();
    return true;
  }

  /** Discards everything, so that stopped translations are tried again. */
  forget(): void {
    this.cache.clear();
  }

  private translate(format: Format, options: Options, key: string | null): Promise<Translation> {
    const [programs, how] = this.sources(options);
    return this.service.call("translate", [programs, format, how], { key });
  }

  private sources(options: Options) {
    const { now: { files }, scene } = this.store;
    return [inputs(files, scene), { ...optionsOf(files, scene), ...options }] as const;
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.cache.get(name) ?? make();
    this.cache.set(name, made);
    return made as Promise<T>;
  }
}
