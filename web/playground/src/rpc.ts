// Calls from the page to a worker: { id, name, args } is answered by { id, result } or { id, error }.

import type { Diagnostic } from "agalc";

export interface Call {
  id: number;
  name: string;
  args: unknown[];
}

export interface Failure {
  message: string;
  /** agalc's messages about the inputs; null for any other error. */
  diagnostics: Diagnostic[] | null;
}

export type Answer = { id: number; result: unknown } | { id: number; error: Failure };

type Handler = (...args: never[]) => unknown;
export type Handlers = Record<string, Handler>;

/** A result whose buffers move to the page instead of being copied. */
export class Moved<T> {
  constructor(readonly value: T, readonly buffers: Transferable[]) {}
}

/** The result of a handler as the caller receives it. */
export type Result<H extends Handler> = Awaited<ReturnType<H>> extends Moved<infer T> ? T : Awaited<ReturnType<H>>;

/** The parts of a worker's scope that are used here. The type library of the page declares the window instead. */
interface Scope {
  onmessage: (event: MessageEvent<Call>) => void;
  postMessage(answer: Answer, buffers: Transferable[]): void;
}

function failure(error: unknown): Failure {
  const { message, diagnostics } = error as Partial<Failure>;
  return { message: message ?? String(error), diagnostics: diagnostics ?? null };
}

/** Answers calls in a worker, one after another. */
export function serve(handlers: Handlers): void {
  const scope = self as unknown as Scope;
  let last = Promise.resolve();
  scope.onmessage = ({ data: { id, name, args } }) => {
    last = last.then(async () => {
      try {
        const result = await (handlers[name] as (...args: unknown[]) => unknown)(...args);
        if (result instanceof Moved) scope.postMessage({ id, result: result.value }, result.buffers);
        else scope.postMessage({ id, result }, []);
      } catch (error) {
        scope.postMessage({ id, error: failure(error) }, []);
      }
    });
  };
}
