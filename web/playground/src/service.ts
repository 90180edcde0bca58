// A worker that handles one call at a time and can be stopped.
//
// Calls wait in a queue. A call with a key replaces a waiting call with the same key, so that only the newest is run. If a running call
// with the same key has reached its time limit, the worker is stopped, so that the newer call can run.

import type { Answer, Failure, Handlers, Result } from "./rpc.ts";

/** A call was not finished, because a newer one replaced it or the user stopped it. */
export class Cancelled extends Error {
  constructor(readonly by: "newer" | "user") {
    super(by === "user" ? "stopped" : "replaced by a newer one");
  }
}

/** A call failed. */
export class Failed extends Error {
  readonly diagnostics: Failure["diagnostics"];
  constructor({ message, diagnostics }: Failure) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

interface Job {
  id: number;
  key: string | null;
  name: string;
  args: unknown[];
  buffers: Transferable[];
  started: number;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The time in milliseconds that a call may run before a newer call stops it. */
const PATIENCE = 3000;

export class Service<H extends Handlers> {
  private worker: Worker | null = null;
  /** Resolves when the worker is set up. */
  private ready: Promise<unknown> = Promise.resolve();
  private running: Job | null = null;
  private waiting: Job[] = [];
  private ids = 0;
  /** Called when work begins and when all of it is done. */
  onbusy: (busy: boolean) => void = () => {};

  /**
   * @param script the worker's script
   * @param setUp returns the argument of the handler `init`, which each new worker runs first
   */
  constructor(private readonly script: string, private readonly setUp: () => Promise<unknown>) {}

  /** Calls a handler. */
  call<N extends keyof H & string>(
    name: N,
    args: Parameters<H[N]>,
    { key = null, buffers = [] }: { key?: string | null; buffers?: Transferable[] } = {},
  ): Promise<Result<H[N]>> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        id: ++this.ids, key, name, args, buffers, started: 0, resolve: resolve as (result: unknown) => void, reject,
      };
      const older = key === null ? -1 : this.waiting.findIndex((waiting) => waiting.key === key);
      if (older >= 0) this.waiting.splice(older, 1, job)[0]?.reject(new Cancelled("newer"));
      else this.waiting.push(job);
      if (key !== null && this.running?.key === key) this.impatient(this.running);
      this.next();
    });
  }

  /** Stops everything. */
  stop(): void {
    const all = [this.running, ...this.waiting];
    this.waiting = [];
    this.kill();
    for (const job of all) job?.reject(new Cancelled("user"));
    this.next();
  }

  /** Stops a call that has a successor, once its time limit is over. */
  private impatient(job: Job): void {
    setTimeout(() => {
      if (this.running !== job || !this.waiting.some((waiting) => waiting.key === job.key)) return;
      this.kill();
      job.reject(new Cancelled("newer"));
      this.next();
    }, Math.max(0, job.started + PATIENCE - performance.now()));
  }

  private kill(): void {
    this.worker?.terminate();
    this.worker = null;
    this.running = null;
  }

  private next(): void {
    if (this.running) return;
    const job = this.waiting.shift() ?? null;
    this.running = job;
    this.onbusy(job !== null);
    if (!job) return;
    job.started = performance.now();
    const worker = (this.worker ??= this.start());
    void this.ready.then(() => {
      if (worker === this.worker) worker.postMessage({ id: job.id, name: job.name, args: job.args }, job.buffers);
    });
  }

  private start(): Worker {
    const worker = new Worker(this.script, { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (worker === this.worker) this.answered(data);
    };
    worker.onerror = (event) => {
      if (worker !== this.worker) return;
      const job = this.running;
      this.kill();
      job?.reject(new Failed({ message: event.message || `${this.script} cannot be run`, diagnostics: null }));
      this.next();
    };
    this.ready = this.setUp().then(
      (argument) => worker.postMessage({ id: 0, name: "init", args: [argument] }),
      (error) => this.running && this.broken(this.running, { message: String(error), diagnostics: null }),
    );
    return worker;
  }

  private answered(answer: Answer): void {
    const job = this.running;
    if (!job || answer.id !== job.id) {
      if ("error" in answer && job) this.broken(job, answer.error);
      return;
    }
    // An error that is not about the inputs may have left the WebAssembly module in an invalid state.
    if ("error" in answer && answer.error.diagnostics === null) return this.broken(job, answer.error);
    this.running = null;
    if ("error" in answer) job.reject(new Failed(answer.error));
    else job.resolve(answer.result);
    this.next();
  }

  private broken(job: Job, error: Failure): void {
    this.kill();
    job.reject(new Failed(error));
    this.next();
  }
}
