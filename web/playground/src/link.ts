// Encodes the page's state as the fragment of a link: JSON that is compressed with Deflate and encoded in base64url.

import type { SourceFile, State } from "./state.ts";

/** The longest fragment. Browsers truncate or refuse longer addresses, and so do programs that send them. */
const LONGEST = 60_000;
/** The size from which encoding is not attempted. */
const LARGEST = 4_000_000;

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair));
  return new Uint8Array(await response.arrayBuffer());
}

type Stored = { name: string; text: string } | { name: string; base64: string };

function stored({ name, data }: SourceFile): Stored {
  return typeof data === "string" ? { name, text: data } : { name, base64: base64url(data) };
}

/** A file of a link or of the gallery. */
export function restored(file: Stored): SourceFile {
  return { name: file.name, data: "text" in file ? file.text : fromBase64url(file.base64) };
}

/** The fragment for a state, or null if it would be too long. */
export async function encode(state: State): Promise<string | null> {
  if (state.files.reduce((sum, { data }) => sum + data.length, 0) > LARGEST) return null;
  const json = JSON.stringify({ ...state, files: state.files.map(stored) });
  const fragment = base64url(await through(new TextEncoder().encode(json), new CompressionStream("deflate-raw")));
  return fragment.length > LONGEST ? null : fragment;
}

/** Reads a fragment. @throws if it is not one that {@link encode} has written */
export async function decode(fragment: string): Promise<State> {
  const bytes = await through(fromBase64url(fragment), new DecompressionStream("deflate-raw"));
  const { files, constants, side, file, output } = JSON.parse(new TextDecoder().decode(bytes));
  if (!Array.isArray(files) || !Array.isArray(constants)) throw new Error("not a state");
  return { files: files.map(restored), constants, side: Number(side), file: String(file), output: String(output) };
}
