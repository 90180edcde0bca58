// Shows work that takes longer than a second, and lets the user stop the work.

import type { Handlers } from "../rpc.ts";
import type { Service } from "../service.ts";
import { byId } from "./dom.ts";

/** The time that work may take before it is shown. */
const MOMENT = 1000;

interface Work {
  what: string;
  stop(): void;
}

export class Busy {
  private readonly slow = new Set<Work>();
  private readonly button = byId<HTMLButtonElement>("stop");
  private message = "";
  private timer: number | undefined;

  constructor() {
    this.button.addEventListener("click", () => {
      for (const work of [...this.slow]) work.stop();
    });
  }

  /** @param what the work, as in "Translating" */
  watch<H extends Handlers>(what: string, service: Service<H>): void {
    const work: Work = { what, stop: () => service.stop() };
    let timer: number | undefined;
    service.onbusy = (busy) => {
      clearTimeout(timer);
      if (busy) timer = setTimeout(() => this.change(() => this.slow.add(work)), MOMENT);
      else this.change(() => this.slow.delete(work));
    };
  }

  /** Shows a message for a while. */
  say(message: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say(""), 6000);
    this.message = message;
    this.change(() => {});
  }

  private change(action: () => void): void {
    action();
    const works = [...new Set([...this.slow].map(({ what }) => what))];
    this.button.hidden = works.length === 0;
    const text = works.length > 0 ? `${works.join(", ")} …` : this.message;
    const status = byId("status");
    if (status.textContent !== text) status.textContent = text;
  }
}
