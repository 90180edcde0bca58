// Edits scene.toml, leaving the rest of the text unchanged.

import { parse } from "smol-toml";

/** The headers of a table, and of a table that is an element of an array. */
const HEADER = /^\s*\[\s*([\w.-]+)\s*\]\s*(?:#.*)?$/;
const ELEMENT_HEADER = /^\s*\[\[[\w.-]+\]\]\s*(?:#.*)?$/;

/** The lines of a table: from the line after its header to the next header. The top of the file has no header. */
function tableRange(lines: readonly string[], table: string | null): [number, number] | null {
  const headers = lines.flatMap((line, at) => (HEADER.test(line) || ELEMENT_HEADER.test(line) ? [at] : []));
  const start = table === null ? 0 : headers.find((at) => HEADER.exec(lines[at] ?? "")?.[1] === table);
  if (start === undefined) return null;
  const from = table === null ? 0 : start + 1;
  return [from, headers.find((at) => at >= from) ?? lines.length];
}

/** The lines of a key and its value, which may span several lines. */
function entryRange(lines: readonly string[], [from, to]: [number, number], key: string): [number, number] | null {
  const start = lines.findIndex((line, at) => at >= from && at < to && new RegExp(`^\\s*"?${key}"?\\s*=`).test(line));
  if (start < 0) return null;
  for (let end = start + 1; end <= to; end++) {
    try {
      parse(lines.slice(start, end).join("\n"));
      return [start, end];
    } catch {
      // The value continues.
    }
  }
  return [start, start + 1];
}

/** Sets a key to a value that is written as TOML, or removes it. The top of the file is the table null. */
export function setKey(text: string, table: string | null, key: string, value: string | null): string {
  const lines = text.split("\n");
  const range = tableRange(lines, table);
  if (!range) {
    return value === null ? text : `${text.trimEnd()}\n\n[${table}]\n${key} = ${value}\n`;
  }
  const entry = entryRange(lines, range, key);
  const line = value === null ? [] : [`${key} = ${value}`];
  if (entry) lines.splice(entry[0], entry[1] - entry[0], ...line);
  else {
    let at = range[1];
    while (at > range[0] && lines[at - 1]?.trim() === "") at--;
    lines.splice(at, 0, ...line);
  }
  return lines.join("\n");
}
