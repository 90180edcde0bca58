// Code shared by the entry points: conversion of inputs to lists, and errors.

/** Thrown if inputs or options cannot be used. */
export class AgalcError extends Error {
  constructor(message, diagnostics) {
    super(message);
    this.name = "AgalcError";
    this.diagnostics = diagnostics;
  }
}

const encoder = new TextEncoder();

/** Converts text to bytes; bytes are returned unchanged. */
export function bytesOf(data, of) {
  if (typeof data === "string") return encoder.encode(data);
  if (data instanceof Uint8Array) return data;
  throw new AgalcError(`${of} is neither a string nor a Uint8Array`, []);
}

/** Converts inputs in any form that users may pass to a list of names and bytes. */
export function inputsOf(given) {
  const list = Array.isArray(given) ? given : [given];
  const names = list.length === 2 ? ["vertex", "fragment"] : list.map((_, at) => (at ? `shader ${at + 1}` : "shader"));
  return list.map((one, at) => {
    const isNamed = typeof one === "object" && one !== null && "data" in one;
    const { name, data } = isNamed ? one : { name: names[at], data: one };
    return { name: String(name ?? names[at]), data: bytesOf(data, `input ${at + 1}`) };
  });
}

/** Calls the module; converts a thrown value to an error. */
export function called(call) {
  try {
    return call();
  } catch (thrown) {
    if (thrown instanceof Error) throw thrown;
    throw new AgalcError(thrown.message, thrown.diagnostics);
  }
}
