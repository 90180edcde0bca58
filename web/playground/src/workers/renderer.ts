// Code shared by both GPU workers: opens the device for the first draw, and reports errors as results.

import type { Constant } from "agalc/executor";
import type { Job, Outcome, Renderer } from "../draw/interface.ts";
import { Moved, serve } from "../rpc.ts";

interface Device {
  readonly isLost: boolean;
  load(job: Job): Promise<void> | void;
  render(constants: readonly Constant[]): Promise<Uint8Array[]> | Uint8Array[];
}

export function serveRenderer(open: () => Promise<Device> | Device): void {
  let device: Device | null = null;
  let loaded: Promise<Device>;

  async function load(job: Job): Promise<Device> {
    if (!device || device.isLost) device = await open();
    await device.load(job);
    return device;
  }

  async function render(constants: readonly Constant[]): Promise<Moved<Outcome> | Outcome> {
    const start = performance.now();
    try {
      const pixels = await (await loaded).render(constants);
      const outcome = { pixels, milliseconds: performance.now() - start };
      return new Moved<Outcome>(outcome, pixels.map(({ buffer }) => buffer as ArrayBuffer));
    } catch (error) {
      return { refused: (error as Error).message };
    }
  }

  serve({
    init: () => {},
    load: async (job: Job) => {
      loaded = load(job);
      await loaded.catch(() => {}); // `render` reports it
    },
    render,
  } satisfies Record<keyof Renderer, unknown>);
}
