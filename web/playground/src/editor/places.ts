// Converts the locations of agalc's messages to positions in an editor's text.

import type { Text } from "@codemirror/state";
import type { Diagnostic, Place } from "agalc";
import type { Diagnostic as Squiggle } from "@codemirror/lint";

/** The offset of a line and a column, which count from 1 and in characters; CodeMirror counts UTF-16. */
export function offsetOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  let at = 0;
  for (let before = 1; before < column && at < text.length; before++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return from + at;
}

export function rangeOf(doc: Text, place: Place): { from: number; to: number } {
  const from = offsetOf(doc, place.line, place.column);
  return { from, to: Math.max(from, offsetOf(doc, place.end_line, place.end_column)) };
}

const SEVERITIES = { error: "error", warning: "warning", note: "info" } as const;

/** A squiggle for a message that has a location. */
export function squiggleOf(doc: Text, { span, severity, code, message, help }: Diagnostic): Squiggle[] {
  if (!span) return [];
  const text = help ? `${message}\n${help}` : message;
  return [{ ...rangeOf(doc, span), severity: SEVERITIES[severity], ...(code && { source: code }), message: text }];
}
