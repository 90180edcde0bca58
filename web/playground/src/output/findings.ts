// Messages of agalc as a list, with buttons that go to their locations.

import type { Diagnostic, Validated } from "agalc";
import { inline } from "../editor/markdown.ts";
import { h } from "../ui/dom.ts";

/** Goes to a location in a file. */
export type Go = (file: string, line: number, column: number) => void;

/** The maximum number of listed messages. */
const MOST = 100;

function place({ file, span }: Pick<Diagnostic, "file" | "span">, go: Go): HTMLElement | string | null {
  if (!file) return null;
  if (!span) return file;
  const click = () => go(file, span.line, span.column);
  return h("button", { class: "place", click }, `${file}:${span.line}:${span.column}`);
}

function item(diagnostic: Diagnostic, go: Go): HTMLElement {
  const { severity, code, message, help, notes, related } = diagnostic;
  const more = [...notes, ...(help ? [`help: ${help}`] : [])];
  return h("li", { class: `finding ${severity}` },
    h("p", {},
      h("span", { class: "severity" }, severity), " ", code ? h("span", { class: "code-number" }, code) : null, " ",
      ...inline(message)),
    h("p", { class: "where" }, place(diagnostic, go) ?? ""),
    ...more.map((text) => h("p", { class: "help" }, ...inline(text))),
    ...related.map((one) => h("p", { class: "help" }, ...inline(one.message), " ", place(one, go) ?? "")));
}

export function findings(diagnostics: readonly Diagnostic[], go: Go): HTMLElement {
  const more = diagnostics.length - MOST;
  return h("ol", { class: "findings" },
    ...diagnostics.slice(0, MOST).map((diagnostic) => item(diagnostic, go)),
    more > 0 ? h("li", {}, `and ${more} more`) : null);
}

/** The errors of a thrown value as a list, with a button to retry if the user stopped the call. */
export function failure(error: Error & { diagnostics?: Diagnostic[] | null }, go: Go): HTMLElement {
  if (error.diagnostics && error.diagnostics.length > 0) return findings(error.diagnostics, go);
  return h("p", { class: "finding error" }, error.message);
}

/** The tab of the validator. */
export function validation({ diagnostics, programs }: Validated, go: Go): HTMLElement {
  const counts = programs.map(({ file, stage, version, tokens }) =>
    h("li", {}, `${file}: ${stage} program, AGAL ${version}, ${tokens} ${tokens === 1 ? "token" : "tokens"}`));
  return h("div", {},
    h("ul", { class: "programs-checked" }, ...counts),
    diagnostics.length === 0
      ? h("p", { class: "good" }, programs.length > 0 ? "Flash Player accepts the shader, and there are no warnings." : "There is no AGAL here to check.")
      : findings(diagnostics, go));
}
